/*
 * store_case.h - a folder of its own for databases, and what is in a database or a file as text,
 * for the tests of calibrate/store/profile_store.h.
 */
#ifndef STORE_CASE_H
#define STORE_CASE_H

#include "results_case.h"
#include "results/store.h"

#include <dirent.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_A "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HASH_B "f123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

#define CASE_JSON                                                                                  \
    "{\"name\": \"small\", \"replications\": 4, \"policy\": {\"name\": \"fcfs\"},\n"               \
    "\"workload\": {\"trace\": [{\"database\": \"jobs.db\"}]}}"

static char case_folder[64];

static inline void remove_files(void)
{
    DIR *dir = opendir(case_folder);
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", case_folder, e->d_name);
        if (e->d_name[0] != '.' && remove(path) != 0)
            abort();
    }
    closedir(dir);
}

/* For cmocka's setup of a group: the folder is where the tests run. */
static inline int folder_make(void **state)
{
    (void)state;
    snprintf(case_folder, sizeof case_folder, "/tmp/dcsim-store-XXXXXX");
    return mkdtemp(case_folder) != NULL && chdir(case_folder) == 0 ? 0 : -1;
}

static inline int folder_remove(void **state)
{
    (void)state;
    remove_files();
    return chdir("/") == 0 && rmdir(case_folder) == 0 ? 0 : -1;
}

/* For setup of a test: an empty folder. */
static inline int folder_clear(void **state)
{
    (void)state;
    remove_files();
    return 0;
}

static inline size_t files_in_folder(void)
{
    size_t n = 0;
    DIR *dir = opendir(case_folder);
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;)
        n += e->d_name[0] != '.' || strlen(e->d_name) > 2;
    closedir(dir);
    return n;
}

/* The bytes of a file and a NUL behind them; NULL and *size = SIZE_MAX if there is none. */
static inline char *slurp(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    *size = SIZE_MAX;
    if (f == NULL)
        return NULL;
    char *bytes = dcs_alloc(1, 1);
    size_t capacity = 1, n = 0;
    for (int c; (c = fgetc(f)) != EOF; n++) {
        bytes = dcs_grow(bytes, &capacity, n + 2, 1);
        bytes[n] = (char)c;
    }
    fclose(f);
    *size = n;
    return bytes;
}

static inline void spill(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
        abort();
}

/* A connection that is not the store's. */
static inline sqlite3 *database(const char *path)
{
    sqlite3 *db;
    if (sqlite3_open(path, &db) != SQLITE_OK)
        abort();
    return db;
}

static inline int print_row(void *out, int columns, char **values, char **names)
{
    (void)names;
    for (int i = 0; i < columns; i++)
        fprintf(out, "%s|", values[i] != NULL ? values[i] : "NULL");
    fputc('\n', out);
    return 0;
}

/* The result of SQL as text, a line a row; freed with free(). */
static inline char *query(const char *path, const char *sql)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    sqlite3 *db = database(path);
    char *why = NULL;
    if (sqlite3_exec(db, sql, print_row, out, &why) != SQLITE_OK)
        fprintf(out, "error: %s\n", why);
    sqlite3_free(why);
    sqlite3_close(db);
    fclose(out);
    return text;
}

/* All tables and views but `wall`, rows as they lie. */
static inline char *dump(const char *path)
{
    char *names = query(path, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                              "AND name <> 'wall'");
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    char *rest = names;
    for (char *name; (name = strsep(&rest, "|")) != NULL && rest != NULL;) {
        char sql[128];
        name += name[0] == '\n';
        snprintf(sql, sizeof sql, "SELECT *, '%s' FROM %s", name, name);
        char *rows = query(path, sql);
        fprintf(out, "%s:\n%s", name, rows);
        free(rows);
    }
    free(names);
    fclose(out);
    return text;
}

#endif
