/* predictor_store.c - reads a file of predictors, and asks them; see predictor_store.h. */
#include "models/predictor/predictor_store.h"

#include "models/predictor/predictor_method.h"
#include "models/predictor/predictor_read.h"
#include "models/profile/profile_rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct app_models {
    struct dcs_model request;
    struct dcs_model *tasks[DCS_TARGETS]; /* of the kernels' targets, by task */
};

static const char *const tables[] = {"predictors", "predictor", NULL};

struct dcs_predictors {
    const struct dcs_profile *p;
    char sha256[65];
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
    const char *text = dcs_rows_text(&r->rows, column);
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
    dcs_rows_bad_value(&r->rows, 2, "a kernel that was measured");
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

/* The profile that they were made of; "": the file does not say. */
struct about {
    struct dcs_rows rows;
    char profile[65], profile_sha256[65];
};

static int take_about(void *context)
{
    struct about *a = context;
    const char *key = dcs_rows_name(&a->rows, 0);
    if (key == NULL)
        return -1;
    char *into = strcmp(key, "profile") == 0          ? a->profile
                 : strcmp(key, "profile_sha256") == 0 ? a->profile_sha256
                                                      : NULL;
    if (into == NULL)
        return 0; /* provenance */
    if (into[0] != '\0')
        return dcs_rows_bad_value(&a->rows, 0, "each key once");
    const char *value = dcs_rows_name(&a->rows, 1);
    if (value == NULL)
        return -1;
    snprintf(into, sizeof a->profile, "%s", value); /* a name fits */
    return 0;
}

int dcs_predictors_train_again(struct dcs_err *err, const char *path, const char *profile,
                               const char *what)
{
    return dcs_err_at(err, path, 0, NULL, "%s; make them with dcsim train %.200s -o %.200s", what,
                      profile, path);
}

int dcs_predictors_lack_method(struct dcs_err *err, const char *path, const char *profile,
                               const struct dcs_method *method)
{
    char what[96];
    snprintf(what, sizeof what, "has no predictors of method \"%s\"", method->name);
    return dcs_predictors_train_again(err, path, profile, what);
}

/* A profile that is found by its name and the database that was built of it have the same default
 * file, so what was made for the other is not to be made anew in its place. */
static int train_elsewhere(struct dcs_err *err, const char *path, const char *profile,
                           const char *what)
{
    return dcs_err_at(err, path, 0, NULL,
                      "%s; if it was changed, make them with dcsim train %.200s -o %.200s; if they "
                      "are to serve another file as well (SQL text, or the database built of it), "
                      "name that as profile, or train into another file (-o) and name this one in "
                      "the config's key \"predictors\"",
                      what, profile, path);
}

int dcs_predictors_check_profile(struct dcs_profile_source *source, const char *path,
                                 const char *profile, const struct dcs_profile *p,
                                 struct dcs_err *err)
{
    struct about a = {.rows = {.source = source, .file = path, .err = err}};
    if (dcs_rows_each(&a.rows, "predictors", "SELECT key, value FROM predictors", take_about, &a) !=
        0)
        return -1;
    if (strcmp(a.profile_sha256, p->sha256) == 0)
        return 0;
    char what[256];
    snprintf(what, sizeof what,
             "the predictors were trained on another profile (\"%s\", sha256 %.12s...) than this "
             "file of "
             "\"%.64s\" as it is now (%.12s...)",
             a.profile, a.profile_sha256, p->name, p->sha256);
    return train_elsewhere(err, path, profile, what);
}

static int load_models(struct reader *r, const char *profile)
{
    if (dcs_rows_each(&r->rows, "predictor",
                      "SELECT target, application, kernel, method, model FROM predictor",
                      take_model, r) != 0)
        return -1;
    if (r->loaded > 0)
        return 0;
    return dcs_predictors_lack_method(r->rows.err, r->rows.file, profile, r->method);
}

static int load(struct reader *r, const char *profile)
{
    struct dcs_predictors *p = r->p;
    memcpy(p->sha256, r->rows.source->sha256, sizeof p->sha256);
    if (dcs_predictors_check_profile(r->rows.source, r->rows.file, profile, p->p, r->rows.err) != 0)
        return -1;
    p->measured = dcs_measured_load(profile, p->p, false, r->rows.err);
    if (p->measured == NULL)
        return -1;
    for (uint32_t a = 0; a < p->p->apps_count; a++)
        for (int t = DCS_KERNEL_DURATION; t < DCS_TARGETS; t++)
            p->apps[a].tasks[t] = dcs_alloc(dcs_measured_tasks(p->measured, a)->count + 1,
                                            sizeof *p->apps[a].tasks[t]);
    return load_models(r, profile);
}

int dcs_predictors_open(struct dcs_profile_source *source, const char *path, struct dcs_err *err)
{
    static const char kind[] = "file of predictors";
    if (dcs_profile_open_other(source, path, kind, tables, err) != 0)
        return -1;
    for (const char *const *table = tables; *table != NULL; table++) {
        int status = dcs_profile_has_table(source, path, *table, err);
        if (status == 0)
            dcs_err_at(err, path, 0, *table, "the table is missing: it is no %s", kind);
        if (status == 1)
            continue;
        dcs_profile_close(source);
        return -1;
    }
    return 0;
}

struct dcs_predictors *dcs_predictors_load(const char *path, const char *profile,
                                           const struct dcs_profile *p,
                                           const struct dcs_method *method, struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (access(path, F_OK) != 0) {
        dcs_predictors_train_again(err, path, profile, "there are no predictors of that name");
        return NULL;
    }
    if (dcs_predictors_open(&source, path, err) != 0)
        return NULL;
    struct dcs_predictors *loaded = dcs_alloc(1, sizeof *loaded);
    loaded->p = p;
    loaded->apps = dcs_alloc(p->apps_count + 1, sizeof *loaded->apps);
    struct reader r = {
        .rows = {.source = &source, .file = path, .err = err}, .p = loaded, .method = method};
    int status = load(&r, profile);
    dcs_profile_close(&source);
    if (status == 0)
        return loaded;
    dcs_predictors_free(loaded);
    return NULL;
}

const char *dcs_predictors_sha256(const struct dcs_predictors *p)
{
    return p->sha256;
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
