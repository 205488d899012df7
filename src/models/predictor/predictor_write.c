/*
 * predictor_write.c - writes a file of predictors; see predictor_store.h. It is made in memory, so
 * that the same predictors give the same bytes, and gets its name when it is whole.
 */
#include "des/newfile.h"
#include "models/predictor/predictor_method.h"
#include "models/predictor/predictor_store.h"
#include "models/profile/profile_open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char tables[] =
    "CREATE TABLE predictors(key TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE predictor(target TEXT NOT NULL, application TEXT NOT NULL, kernel TEXT NOT NULL,"
    " method TEXT NOT NULL, seed INTEGER NOT NULL, train_n INTEGER NOT NULL,"
    " test_n INTEGER NOT NULL, test_mean REAL, test_p95 REAL, test_r2 REAL, model TEXT NOT NULL,"
    " PRIMARY KEY(target, application, kernel, method));";

static int write_failed(sqlite3 *db, const char *path, struct dcs_err *err)
{
    return dcs_err_at(err, path, 0, NULL, "cannot make the predictors: %s", sqlite3_errmsg(db));
}

/* ---- rows ---- */

static int put_about(sqlite3 *db, const struct dcs_predictors_about *about)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%lld", (long long)about->seed);
    const char *const rows[][2] = {{"profile_sha256", about->profile->sha256},
                                   {"profile", about->profile->name},
                                   {"seed", seed},
                                   {"build", about->build},
                                   {DCS_SLOWDOWN_HELD_OUT, about->held_out}};
    sqlite3_stmt *stmt = NULL;
    bool good =
        sqlite3_prepare_v2(db, "INSERT INTO predictors VALUES(?, ?)", -1, &stmt, NULL) == SQLITE_OK;
    for (size_t i = 0; good && i < sizeof rows / sizeof *rows; i++) {
        if (rows[i][1] == NULL)
            continue;
        good = sqlite3_bind_text(stmt, 1, rows[i][0], -1, SQLITE_STATIC) == SQLITE_OK &&
               sqlite3_bind_text(stmt, 2, rows[i][1], -1, SQLITE_STATIC) == SQLITE_OK &&
               sqlite3_step(stmt) == SQLITE_DONE;
        if (good)
            sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt);
    return good ? 0 : -1;
}

static bool bind_row(sqlite3_stmt *stmt, const struct dcs_predictor_row *row, int64_t seed,
                     const char *model)
{
    const char *target =
        row->target == DCS_SLOWDOWN ? DCS_SLOWDOWN_TARGET : dcs_target_names[row->target];
    const char *texts[] = {target, row->app, row->task, row->model.method->name};
    bool good = true;
    for (int i = 0; i < 4; i++)
        good &= sqlite3_bind_text(stmt, 1 + i, texts[i], -1, SQLITE_STATIC) == SQLITE_OK;
    good &= sqlite3_bind_int64(stmt, 5, seed) == SQLITE_OK;
    good &= sqlite3_bind_int64(stmt, 6, (int64_t)row->train_n) == SQLITE_OK;
    good &= sqlite3_bind_int64(stmt, 7, (int64_t)row->test_n) == SQLITE_OK;
    if (row->test_n > 0) {
        good &= sqlite3_bind_double(stmt, 8, row->error.mean) == SQLITE_OK;
        good &= sqlite3_bind_double(stmt, 9, row->error.p95) == SQLITE_OK;
        good &= sqlite3_bind_double(stmt, 10, row->error.r2) == SQLITE_OK;
    } else {
        for (int i = 8; i <= 10; i++)
            good &= sqlite3_bind_null(stmt, i) == SQLITE_OK;
    }
    return good && sqlite3_bind_text(stmt, 11, model, -1, SQLITE_STATIC) == SQLITE_OK;
}

static int put_rows(sqlite3 *db, const struct dcs_predictor_row *rows, size_t n, int64_t seed)
{
    sqlite3_stmt *stmt = NULL;
    bool good =
        sqlite3_prepare_v2(db, "INSERT INTO predictor VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1,
                           &stmt, NULL) == SQLITE_OK;
    for (size_t i = 0; i < n && good; i++) {
        char *text = dcs_model_print(&rows[i].model);
        good = bind_row(stmt, &rows[i], seed, text) && sqlite3_step(stmt) == SQLITE_DONE;
        free(text);
        if (good)
            sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt); /* the handle keeps the message of one that failed */
    return good ? 0 : -1;
}

/* ---- the file ---- */

int dcs_predictors_may_write(const char *path, bool *exists, struct dcs_err *err)
{
    struct stat st;
    *exists = lstat(path, &st) == 0;
    if (*exists) {
        struct dcs_profile_source source;
        struct dcs_err why = {0};
        if (dcs_predictors_open(&source, path, &why) != 0)
            return dcs_err_at(err, path, 0, NULL,
                              "exists, and is not replaced: it is no sound file of predictors; "
                              "remove it or name another file (-o)");
        dcs_profile_close(&source);
    }
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? dcs_strdup(".") : dcs_strdup(path);
    if (slash != NULL)
        folder[slash - path + 1] = '\0';
    int cause = access(folder, W_OK | X_OK) != 0 ? errno : 0;
    free(folder);
    return cause == 0 ? 0
                      : dcs_err_at(err, path, 0, NULL,
                                   "cannot be written in its folder (%s); name another file (-o)",
                                   strerror(cause));
}

static int write_database(sqlite3 *db, const char *path, const struct dcs_predictors_about *about,
                          const struct dcs_predictor_row *rows, size_t n, struct dcs_err *err)
{
    if (sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(db, tables, NULL, NULL, NULL) != SQLITE_OK || put_about(db, about) != 0 ||
        put_rows(db, rows, n, about->seed) != 0 ||
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        return write_failed(db, path, err);
    sqlite3_int64 size = 0;
    unsigned char *bytes = sqlite3_serialize(db, "main", &size, 0);
    if (bytes == NULL)
        return write_failed(db, path, err);
    int status = size <= DCS_PROFILE_BYTES_MAX
                     ? newfile_replace(path, bytes, (size_t)size, err)
                     : dcs_err_at(err, path, 0, NULL,
                                  "the predictors would take %lld bytes, a file of them has at "
                                  "most %lld; train fewer methods (--method)",
                                  (long long)size, DCS_PROFILE_BYTES_MAX);
    sqlite3_free(bytes);
    return status;
}

int dcs_predictors_write(const char *path, const struct dcs_predictors_about *about,
                         const struct dcs_predictor_row *rows, size_t n, struct dcs_err *err)
{
    bool exists;
    if (dcs_predictors_may_write(path, &exists, err) != 0)
        return -1;
    sqlite3 *db = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
    int status = sqlite3_open_v2(":memory:", &db, flags, NULL) == SQLITE_OK
                     ? write_database(db, path, about, rows, n, err)
                     : write_failed(db, path, err);
    sqlite3_close(db);
    return status;
}
