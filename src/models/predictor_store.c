/* predictor_store.c - see predictor_store.h. */
#include "models/predictor_store.h"

#include "models/predictor_method.h"
#include "models/predictor_read.h"
#include "models/profile_rows.h"
#include "models/profile_schema.h"

#include <stdlib.h>
#include <string.h>

struct app_models {
    struct dcs_model request;
    struct dcs_model *tasks[DCS_TARGETS]; /* of the kernels' targets, by task */
};

struct dcs_predictors {
    const struct dcs_profile *p;
    struct dcs_measured *measured;
    struct app_models *apps;
};

/* ---- loading ---- */

struct reader {
    struct dcs_rows rows;
    struct dcs_predictors *p;
    const struct dcs_method *method;
    size_t loaded;
};

/* The text of a column, "" if it has none. Valid until the next row. */
static const char *text_of(struct reader *r, int column)
{
    const char *text = (const char *)sqlite3_column_text(r->rows.stmt, column);
    return text != NULL ? text : "";
}

/* Where the model of a row belongs; NULL and err. */
static struct dcs_model *place_of(struct reader *r)
{
    int target;
    if (dcs_rows_choice(&r->rows, 0, dcs_target_names, &target) != 0)
        return NULL;
    const struct dcs_profile_app *app = dcs_profile_app(r->p->p, text_of(r, 1));
    if (app == NULL) {
        dcs_rows_bad_value(&r->rows, 1, "an application of this profile");
        return NULL;
    }
    uint32_t index = (uint32_t)(app - r->p->p->apps);
    if (target == DCS_REQUEST_DURATION)
        return &r->p->apps[index].request;
    uint32_t task = dcs_tasks_named(dcs_measured_tasks(r->p->measured, index), text_of(r, 2));
    if (task != DCS_NO_TASK)
        return &r->p->apps[index].tasks[target][task];
    dcs_rows_bad_value(&r->rows, 2,
                       "a kernel that was measured (if the profile has changed since it was "
                       "trained, train it again)");
    return NULL;
}

static int take_model(void *context)
{
    struct reader *r = context;
    if (strcmp(text_of(r, 3), r->method->name) != 0)
        return 0;
    struct dcs_model *model = place_of(r);
    if (model == NULL)
        return -1;
    if (model->v != NULL)
        return dcs_rows_bad_value(&r->rows, 2, "each model once");
    struct dcs_err why = {0};
    if (dcs_model_parse(model, r->method, text_of(r, 4), &why) != 0)
        return dcs_err_at(r->rows.err, r->rows.file, 0, "predictor.model",
                          "row %lld, of \"%.64s\", %s", (long long)r->rows.row, text_of(r, 1),
                          why.text);
    r->loaded++;
    return 0;
}

static int load(struct dcs_predictors *p, struct dcs_profile_source *source, const char *path,
                const struct dcs_method *method, struct dcs_err *err)
{
    if (strcmp(source->sha256, p->p->sha256) != 0)
        return dcs_err_at(err, path, 0, NULL, "the profile has changed while it was read");
    p->measured = dcs_measured_read(source, path, p->p, false, err);
    if (p->measured == NULL)
        return -1;
    for (uint32_t a = 0; a < p->p->apps_count; a++)
        for (int t = DCS_KERNEL_DURATION; t < DCS_TARGETS; t++)
            p->apps[a].tasks[t] = dcs_alloc(dcs_measured_tasks(p->measured, a)->count + 1,
                                            sizeof *p->apps[a].tasks[t]);
    struct reader r = {
        .rows = {.source = source, .file = path, .err = err}, .p = p, .method = method};
    if (dcs_rows_each_if_any(&r.rows, "predictor",
                             "SELECT target, application, kernel, method, model FROM predictor",
                             take_model, &r) != 0)
        return -1;
    if (r.loaded == 0)
        return dcs_err_at(err, path, 0, "predictor",
                          "the profile has no predictors of method \"%s\"; make them with %s",
                          method->name,
                          source->is_sql ? "dcsim profile build IN.sql FILE.db, then dcsim train "
                                           "FILE.db, and name that file"
                                         : "dcsim train FILE.db");
    return 0;
}

struct dcs_predictors *dcs_predictors_load(const char *path, const struct dcs_profile *p,
                                           const struct dcs_method *method, struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (dcs_profile_open(&source, path, err) != 0)
        return NULL;
    struct dcs_predictors *loaded = dcs_alloc(1, sizeof *loaded);
    loaded->p = p;
    loaded->apps = dcs_alloc(p->apps_count + 1, sizeof *loaded->apps);
    int status = load(loaded, &source, path, method, err);
    dcs_profile_close(&source);
    if (status == 0)
        return loaded;
    dcs_predictors_free(loaded);
    return NULL;
}

void dcs_predictors_free(struct dcs_predictors *p)
{
    if (p == NULL)
        return;
    for (uint32_t a = 0; a < p->p->apps_count; a++) {
        dcs_model_release(&p->apps[a].request);
        for (int t = DCS_KERNEL_DURATION; t < DCS_TARGETS; t++) {
            struct dcs_model *models = p->apps[a].tasks[t];
            for (size_t i = 0; models != NULL && i < dcs_measured_tasks(p->measured, a)->count; i++)
                dcs_model_release(&models[i]);
            free(models);
        }
    }
    dcs_measured_free(p->measured);
    free(p->apps);
    free(p);
}

/* ---- asking ---- */

double dcs_predictors_request_ns(const struct dcs_predictors *p, uint32_t app, int64_t size,
                                 uint32_t sms)
{
    DCS_ASSERT(app < p->p->apps_count && size >= 1 && sms >= 1);
    const struct dcs_model *model = &p->apps[app].request;
    double x[DCS_FEATURES_MAX];
    if (model->v == NULL)
        return -1;
    dcs_measured_features(p->measured, app, DCS_NO_TASK, size, sms, x);
    return dcs_model_ask(model, x);
}

double dcs_predictors_kernel(const struct dcs_predictors *p, enum dcs_target target, uint32_t app,
                             uint32_t position, int64_t size, uint32_t sms)
{
    DCS_ASSERT(app < p->p->apps_count && size >= 1 && sms >= 1);
    DCS_ASSERT(target > DCS_REQUEST_DURATION && target < DCS_TARGETS);
    uint32_t task = dcs_measured_task(p->measured, app, size, position);
    if (task == DCS_NO_TASK || p->apps[app].tasks[target][task].v == NULL)
        return -1;
    double x[DCS_FEATURES_MAX];
    dcs_measured_features(p->measured, app, task, size, sms, x);
    return dcs_model_ask(&p->apps[app].tasks[target][task], x);
}

int64_t dcs_predictors_default_size(const struct dcs_predictors *p, uint32_t app)
{
    return dcs_measured_default_size(p->measured, app);
}

/* ---- writing ---- */

static int write_failed(sqlite3 *db, const char *path, struct dcs_err *err)
{
    return dcs_err_at(err, path, 0, "predictor", "cannot write the predictors: %s",
                      sqlite3_errmsg(db));
}

static int run(sqlite3 *db, const char *path, const char *sql, struct dcs_err *err)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : write_failed(db, path, err);
}

static int remove_old(sqlite3 *db, const char *path, const struct dcs_method *method,
                      int64_t *removed, struct dcs_err *err)
{
    sqlite3_stmt *stmt = NULL;
    bool done = sqlite3_prepare_v2(db, "DELETE FROM predictor WHERE method = ?", -1, &stmt, NULL) ==
                    SQLITE_OK &&
                sqlite3_bind_text(stmt, 1, method->name, -1, SQLITE_STATIC) == SQLITE_OK &&
                sqlite3_step(stmt) == SQLITE_DONE;
    int status = done ? 0 : write_failed(db, path, err);
    *removed += done ? sqlite3_changes(db) : 0;
    sqlite3_finalize(stmt);
    return status;
}

static bool bind_row(sqlite3_stmt *stmt, const struct dcs_predictor_row *row, int64_t seed,
                     const char *model)
{
    const char *texts[] = {dcs_target_names[row->target], row->app, row->task,
                           row->model.method->name};
    bool good = true;
    for (int i = 0; i < 4; i++)
        good &= sqlite3_bind_text(stmt, 1 + i, texts[i], -1, SQLITE_STATIC) == SQLITE_OK;
    good &= sqlite3_bind_int64(stmt, 5, seed) == SQLITE_OK;
    good &= sqlite3_bind_int64(stmt, 6, (int64_t)row->train_n) == SQLITE_OK;
    good &= sqlite3_bind_int64(stmt, 7, (int64_t)row->test_n) == SQLITE_OK;
    if (row->test_n > 0) {
        good &= sqlite3_bind_double(stmt, 8, row->error.mean) == SQLITE_OK;
        good &= sqlite3_bind_double(stmt, 9, row->error.p95) == SQLITE_OK;
    } else {
        good &= sqlite3_bind_null(stmt, 8) == SQLITE_OK && sqlite3_bind_null(stmt, 9) == SQLITE_OK;
    }
    return good && sqlite3_bind_text(stmt, 10, model, -1, SQLITE_STATIC) == SQLITE_OK;
}

static int insert(sqlite3 *db, const char *path, const struct dcs_predictor_row *rows, size_t n,
                  int64_t seed, struct dcs_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int status = 0;
    if (sqlite3_prepare_v2(db,
                           "INSERT INTO predictor(target, application, kernel, method, seed,"
                           " train_n, test_n, test_mean, test_p95, model)"
                           " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                           -1, &stmt, NULL) != SQLITE_OK)
        status = write_failed(db, path, err);
    for (size_t i = 0; i < n && status == 0; i++) {
        char *text = dcs_model_print(&rows[i].model);
        if (!bind_row(stmt, &rows[i], seed, text) || sqlite3_step(stmt) != SQLITE_DONE)
            status = write_failed(db, path, err);
        sqlite3_reset(stmt);
        free(text);
    }
    sqlite3_finalize(stmt);
    return status;
}

/* The file is a stranger's: what its schema would run when it is written to stays off. */
static int open_to_write(const char *path, sqlite3 **db, struct dcs_err *err)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, db, flags, NULL) != SQLITE_OK)
        return write_failed(*db, path, err);
    sqlite3_busy_timeout(*db, 2000);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    return 0;
}

int dcs_predictors_write(const char *path, const struct dcs_method *const *methods,
                         const struct dcs_predictor_row *rows, size_t n, int64_t seed,
                         int64_t *replaced, struct dcs_err *err)
{
    sqlite3 *db = NULL;
    *replaced = 0;
    int status = open_to_write(path, &db, err);
    if (status == 0)
        status = run(db, path, "BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS " DCS_PROFILE_PREDICTOR,
                     err);
    for (; status == 0 && *methods != NULL; methods++)
        status = remove_old(db, path, *methods, replaced, err);
    if (status == 0)
        status = insert(db, path, rows, n, seed, err);
    if (status == 0)
        status = run(db, path, "COMMIT", err);
    sqlite3_close(db); /* what was not committed is rolled back */
    return status;
}
