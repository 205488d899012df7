/* results_db.c - see results_db.h. store.c writes these databases and looks harder at them. */
#include "results/results_db.h"
#include "build_id.h"

#include "models/profile/database.h"
#include "options/options.h"
#include "results/store.h"
#include "results/store_schema.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int results_failed(const struct results *r, struct dcs_err *err)
{
    int code = sqlite3_errcode(r->db) & 0xff;
    const char *hint = "";
    if (code == SQLITE_READONLY || code == SQLITE_CANTOPEN)
        hint = "; a run was broken off while it was written: run the experiment again";
    return dcs_err_at(err, r->path, 0, NULL, "cannot be read: %s%s", sqlite3_errmsg(r->db), hint);
}

sqlite3_stmt *results_prepare(const struct results *r, const char *sql, struct dcs_err *err)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(r->db, sql, -1, &statement, NULL) == SQLITE_OK)
        return statement;
    results_failed(r, err);
    return NULL;
}

sqlite3_stmt *results_prepare_run(const struct results *r, const char *sql, int64_t experiment,
                                  uint64_t replication, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r, sql, err);
    if (row == NULL)
        return NULL;
    sqlite3_bind_int64(row, 1, experiment);
    sqlite3_bind_int64(row, 2, (sqlite3_int64)replication);
    return row;
}

int results_has(const struct results *r, const char *name, bool *has, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r, "SELECT 1 FROM sqlite_master WHERE name = ?", err);
    if (row == NULL)
        return -1;
    sqlite3_bind_text(row, 1, name, -1, SQLITE_STATIC);
    int code = sqlite3_step(row);
    sqlite3_finalize(row);
    *has = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? 0 : results_failed(r, err);
}

static int check_schema(const struct results *r, struct dcs_err *err)
{
    int64_t application, schema, objects;
    if (database_number(r->db, "PRAGMA application_id", &application) != SQLITE_ROW ||
        database_number(r->db, "PRAGMA user_version", &schema) != SQLITE_ROW ||
        database_number(r->db, "SELECT count(*) FROM sqlite_master", &objects) != SQLITE_ROW)
        return results_failed(r, err);
    if (objects == 0 && application == 0)
        return dcs_err_at(err, r->path, 0, NULL, "is empty: no run has been written to it");
    if (application != STORE_APPLICATION_ID)
        return dcs_err_at(err, r->path, 0, NULL,
                          "is not a results database, but one of another program");
    if (schema < STORE_SCHEMA_OLD || schema > STORE_SCHEMA)
        return dcs_err_at(err, r->path, 0, NULL, "has schema %lld, this is dcsim %s with schema %d",
                          (long long)schema, DCS_BUILD_ID, STORE_SCHEMA);
    return 0;
}

int results_open(struct results *r, const char *path, struct dcs_err *err)
{
    *r = (struct results){.path = path};
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return dcs_err_at(err, path, 0, NULL, "there is no such file; expected a results database");
    char *file = database_path(path);
    int code = sqlite3_open_v2(file, &r->db, SQLITE_OPEN_READONLY, NULL);
    free(file);
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(r->db, 60000);
        code = database_harden(r->db);
    }
    int status = code == SQLITE_OK ? check_schema(r, err) : results_failed(r, err);
    if (status != 0)
        results_close(r);
    return status;
}

void results_close(struct results *r)
{
    sqlite3_close(r->db);
    *r = (struct results){0};
}

char *results_nearest(const struct results *r, const char *sql, const char *word)
{
    struct text_buffer hint = {0};
    struct dcs_err ignored = {0};
    sqlite3_stmt *row = results_prepare(r, sql, &ignored);
    char **names = NULL;
    size_t count = 0, capacity = 0;
    while (row != NULL && sqlite3_step(row) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        names = dcs_grow(names, &capacity, count + 2, sizeof *names);
        names[count++] = dcs_strdup(name != NULL ? name : "");
        names[count] = NULL;
    }
    sqlite3_finalize(row);
    const char *near = count > 0 ? options_nearest(word, (const char *const *)names) : NULL;
    text_append(&hint, "%s%.64s%s", near != NULL ? "; did you mean \"" : "",
                near != NULL ? near : "", near != NULL ? "\"?" : "");
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return hint.text;
}
