/* database.c - see database.h. */
#include "models/profile/database.h"

#include <string.h>

char *database_path(const char *path)
{
    size_t bytes = strlen(path) + 3;
    char *file = dcs_alloc(bytes, 1);
    snprintf(file, bytes, "%s%s", path[0] == '/' ? "" : "./", path);
    return file;
}

int database_harden(sqlite3 *db)
{
    static const struct {
        int option, value;
    } settings[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_DQS_DDL, 0},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        int is = -1;
        int code = sqlite3_db_config(db, settings[i].option, settings[i].value, &is);
        if (code != SQLITE_OK)
            return code;
        if (is != settings[i].value)
            return SQLITE_ERROR;
    }
    return sqlite3_exec(db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;", NULL, NULL, NULL);
}

void database_limit(sqlite3 *db, int bytes)
{
    const int limits[][2] = {
        {SQLITE_LIMIT_LENGTH, bytes},     {SQLITE_LIMIT_SQL_LENGTH, bytes},
        {SQLITE_LIMIT_COLUMN, 64},        {SQLITE_LIMIT_EXPR_DEPTH, 32},
        {SQLITE_LIMIT_ATTACHED, 0},       {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
        {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(db, limits[i][0], limits[i][1]);
}

int database_number(sqlite3 *db, const char *sql, int64_t *number)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    *number = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return code;
}
