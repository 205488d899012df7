/*
 * store_merge.c - see store_merge.h.
 *
 * Tables are found in the schema and told apart by their columns, so that none is forgotten: those
 * with a `replication` are of a run, those with a `sweep` of a sweep, the others of an experiment.
 * Keys are content (store_schema.sql), so rows can be copied as they are.
 */
#include "results/store_merge.h"

#include "results/store.h"
#include "results/store_driven.h"
#include "results/store_rows.h"
#include "results/store_schema.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum scope { OF_EXPERIMENT, OF_RUN, OF_SWEEP };

struct table {
    char *name;
    enum scope scope;
    sqlite3_stmt *from, *into; /* the rows of one experiment or run, here and there */
    sqlite3_stmt *insert;
};

struct merge {
    struct store *out, *in;
    bool any_build;
    struct table *tables;
    size_t tables_count, tables_capacity;
    struct store_merge_counts counts;
    struct dcs_err *err;
};

static int failed(struct merge *m, struct store *s, const char *doing)
{
    return store_failed(s, doing, m->err);
}

/* ---- Tables ---- */

static sqlite3_stmt *prepare(struct store *s, const char *format, const char *name)
{
    char sql[512];
    sqlite3_stmt *statement = NULL;
    snprintf(sql, sizeof sql, format, name);
    return sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) == SQLITE_OK ? statement : NULL;
}

static bool has_column(sqlite3_stmt *statement, const char *name)
{
    for (int i = 0; i < sqlite3_column_count(statement); i++)
        if (strcmp(sqlite3_column_name(statement, i), name) == 0)
            return true;
    return false;
}

static enum scope scope_of(struct store *s, const char *name)
{
    sqlite3_stmt *all = prepare(s, "SELECT * FROM \"%s\"", name);
    enum scope scope = strcmp(name, "sweep") == 0 || has_column(all, "sweep") ? OF_SWEEP
                       : has_column(all, "replication")                       ? OF_RUN
                                                                              : OF_EXPERIMENT;
    sqlite3_finalize(all);
    return scope;
}

/* The tables of the database that is merged into. */
static int list_tables(struct merge *m)
{
    sqlite3_stmt *names = prepare(m->out,
                                  "SELECT name FROM sqlite_master WHERE type = '%s' AND name NOT "
                                  "LIKE 'sqlite_%%' ORDER BY name",
                                  "table");
    if (names == NULL)
        return failed(m, m->out, "read the results database");
    int code;
    while ((code = sqlite3_step(names)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(names, 0);
        m->tables =
            dcs_grow(m->tables, &m->tables_capacity, m->tables_count + 1, sizeof *m->tables);
        m->tables[m->tables_count++] =
            (struct table){.name = dcs_strdup(name != NULL ? name : ""),
                           .scope = scope_of(m->out, name != NULL ? name : "")};
    }
    int status = code == SQLITE_DONE ? 0 : failed(m, m->out, "read the results database");
    sqlite3_finalize(names);
    return status;
}

static void free_tables(struct merge *m)
{
    for (size_t i = 0; i < m->tables_count; i++)
        free(m->tables[i].name);
    free(m->tables);
    m->tables = NULL;
    m->tables_count = m->tables_capacity = 0;
}

/* How a table was made, as text; NULL: there is none. Freed by the caller. */
static char *definition(struct store *s, const char *name)
{
    sqlite3_stmt *row =
        prepare(s, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = '%s'", name);
    char *text = NULL;
    if (row != NULL && sqlite3_step(row) == SQLITE_ROW && sqlite3_column_text(row, 0) != NULL)
        text = dcs_strdup((const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return text;
}

/* Makes a table that few databases need where the one that is merged into lacks it. */
static int add_rare_table(struct merge *m, const char *name, const char *sql)
{
    char *here = definition(m->in, name);
    free(here);
    if (here == NULL)
        return 0;
    if (sqlite3_exec(m->out->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return failed(m, m->out, "write the results database");
    free_tables(m);
    return list_tables(m);
}

static void close_tables(struct merge *m)
{
    for (size_t i = 0; i < m->tables_count; i++) {
        struct table *t = &m->tables[i];
        sqlite3_finalize(t->from);
        sqlite3_finalize(t->into);
        sqlite3_finalize(t->insert);
        t->from = t->into = t->insert = NULL;
    }
}

/* Rows are copied by position: the tables must be made alike. */
static int open_tables(struct merge *m)
{
    static const char *const rows[] = {
        [OF_EXPERIMENT] = "SELECT * FROM \"%s\" WHERE experiment = ?1",
        [OF_RUN] = "SELECT * FROM \"%s\" WHERE experiment = ?1 AND replication = ?2",
        [OF_SWEEP] = "SELECT * FROM \"%s\"",
    };
    for (size_t i = 0; i < m->tables_count; i++) {
        struct table *t = &m->tables[i];
        char *here = definition(m->in, t->name), *there = definition(m->out, t->name);
        if (here == NULL &&
            (strncmp(t->name, "driven", 6) == 0 || strcmp(t->name, "hypothetical") == 0)) {
            free(there);
            continue;
        }
        bool same = here != NULL && there != NULL && strcmp(here, there) == 0;
        free(here);
        free(there);
        if (!same)
            return dcs_err_at(m->err, m->in->path, 0, t->name,
                              "is not made as in %s: it cannot be merged", m->out->path);
        const char *sql = strcmp(t->name, "experiment") == 0 ? "SELECT * FROM \"%s\" WHERE id = ?1"
                                                             : rows[t->scope];
        t->from = prepare(m->in, sql, t->name);
        t->into = prepare(m->out, sql, t->name);
        if (t->from == NULL)
            return failed(m, m->in, "read the results database");
        char places[128] = "?";
        for (int k = 1; k < sqlite3_column_count(t->from); k++)
            snprintf(places + strlen(places), sizeof places - strlen(places), ", ?");
        char insert[256];
        snprintf(insert, sizeof insert, "INSERT %sINTO \"%%s\" VALUES (%s)",
                 t->scope == OF_SWEEP ? "OR IGNORE " : "", places);
        t->insert = prepare(m->out, insert, t->name);
        if (t->into == NULL || t->insert == NULL)
            return failed(m, m->out, "write the results database");
    }
    return 0;
}

/* ---- Rows ---- */

#define NO_NUMBER (-1) /* no experiment, no replication */

static void bind_key(sqlite3_stmt *statement, int64_t experiment, int64_t replication)
{
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    if (experiment != NO_NUMBER)
        sqlite3_bind_int64(statement, 1, experiment);
    if (replication != NO_NUMBER)
        sqlite3_bind_int64(statement, 2, replication);
}

static int copy_rows(struct merge *m, struct table *t, int64_t experiment, int64_t replication)
{
    int code, columns = sqlite3_column_count(t->from);
    bind_key(t->from, experiment, replication);
    while ((code = sqlite3_step(t->from)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++)
            if (sqlite3_bind_value(t->insert, i + 1, sqlite3_column_value(t->from, i)) != SQLITE_OK)
                return failed(m, m->out, "merge a row");
        int stepped = sqlite3_step(t->insert);
        if (sqlite3_reset(t->insert) != SQLITE_OK || stepped != SQLITE_DONE)
            return failed(m, m->out, "merge a row");
    }
    sqlite3_reset(t->from);
    return code == SQLITE_DONE ? 0 : failed(m, m->in, "read a row");
}

static bool same_value(sqlite3_stmt *a, sqlite3_stmt *b, int column)
{
    int type = sqlite3_column_type(a, column);
    if (type != sqlite3_column_type(b, column))
        return false;
    if (type == SQLITE_NULL)
        return true;
    if (type == SQLITE_INTEGER)
        return sqlite3_column_int64(a, column) == sqlite3_column_int64(b, column);
    if (type == SQLITE_FLOAT) {
        double x = sqlite3_column_double(a, column), y = sqlite3_column_double(b, column);
        uint64_t bits_x, bits_y;
        memcpy(&bits_x, &x, sizeof bits_x);
        memcpy(&bits_y, &y, sizeof bits_y);
        return bits_x == bits_y;
    }
    const void *x = sqlite3_column_blob(a, column), *y = sqlite3_column_blob(b, column);
    int size = sqlite3_column_bytes(a, column);
    return size == sqlite3_column_bytes(b, column) &&
           (size == 0 || memcmp(x, y, (size_t)size) == 0);
}

/* What may differ: it is as of the latest run, or says who made it. */
static bool is_free(const char *column)
{
    static const char *const names[] = {"name", "description", "config", "build", NULL};
    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], column) == 0)
            return true;
    return false;
}

/* Whether the rows are the same in both databases. -1 and err if they cannot be read. */
static int compare_rows(struct merge *m, struct table *t, int64_t experiment, int64_t replication,
                        bool *same)
{
    /* A name is free of an experiment only: elsewhere it is that of a file or a metric. */
    bool any_free = strcmp(t->name, "experiment") == 0 || strcmp(t->name, "run") == 0;
    int a, b;
    bind_key(t->from, experiment, replication);
    bind_key(t->into, experiment, replication);
    *same = true;
    do {
        a = sqlite3_step(t->from);
        b = sqlite3_step(t->into);
        *same = *same && a == b;
        for (int i = 0; a == SQLITE_ROW && b == SQLITE_ROW && i < sqlite3_column_count(t->from);
             i++)
            if (!(any_free && is_free(sqlite3_column_name(t->from, i))))
                *same = *same && same_value(t->from, t->into, i);
    } while (*same && a == SQLITE_ROW);
    sqlite3_reset(t->from);
    sqlite3_reset(t->into);
    if (a != SQLITE_ROW && a != SQLITE_DONE)
        return failed(m, m->in, "read a row");
    return b == SQLITE_ROW || b == SQLITE_DONE ? 0 : failed(m, m->out, "read a row");
}

static bool is_compared(const struct table *t)
{
    return strcmp(t->name, "wall") != 0 && strcmp(t->name, "summary") != 0 &&
           strcmp(t->name, "late_time") != 0 &&   /* kept when somebody asked */
           strcmp(t->name, "capacity_look") != 0; /* likewise */
}

/* Copies all rows of a scope, or checks that they are those that are there. */
static int merge_scope(struct merge *m, enum scope scope, int64_t experiment, int64_t replication,
                       bool there)
{
    for (size_t i = 0; i < m->tables_count; i++) {
        struct table *t = &m->tables[i];
        bool same = true;
        if (t->scope != scope || t->from == NULL || (there && !is_compared(t)))
            continue;
        if ((there ? compare_rows(m, t, experiment, replication, &same)
                   : copy_rows(m, t, experiment, replication)) != 0)
            return -1;
        if (same)
            continue;
        char run[64] = "";
        if (replication != NO_NUMBER)
            snprintf(run, sizeof run, "replication %" PRId64 " of ", replication);
        return dcs_err_at(m->err, m->in->path, 0, t->name,
                          "%sexperiment %011" PRIx64 " is not the same as in %s: one of the "
                          "two was changed, or made by a program with a mistake; nothing was "
                          "merged",
                          run, (uint64_t)experiment, m->out->path);
    }
    return 0;
}

/* ---- Experiments and runs ---- */

/* *found: one number of `s` for an experiment and replication, by SQL of ours; 0: there is none. */
static int ask_number(struct store *s, const char *sql, int64_t experiment, int64_t replication,
                      int64_t *found, struct dcs_err *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL);
    *found = 0;
    if (code == SQLITE_OK) {
        bind_key(statement, experiment, replication);
        code = sqlite3_step(statement);
    }
    if (code == SQLITE_ROW)
        *found = sqlite3_column_int64(statement, 0);
    bool good = code == SQLITE_ROW || code == SQLITE_DONE;
    int status = good ? 0 : store_failed(s, "read the results database", err);
    sqlite3_finalize(statement);
    return status;
}

/* The lowest or highest build of an experiment's runs, by name; "" if it has none. */
static int find_build(struct merge *m, struct store *s, const char *which, int64_t experiment,
                      char out[80])
{
    sqlite3_stmt *row = prepare(s, "SELECT %s(build) FROM run WHERE experiment = ?1", which);
    out[0] = '\0';
    if (row == NULL)
        return failed(m, s, "read the runs");
    bind_key(row, experiment, NO_NUMBER);
    int status = sqlite3_step(row) == SQLITE_ROW ? 0 : failed(m, s, "read the runs");
    if (status == 0 && sqlite3_column_text(row, 0) != NULL)
        snprintf(out, 80, "%s", (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return status;
}

/* All runs of an experiment, here and there, are of one build. */
static int check_builds(struct merge *m, int64_t experiment)
{
    char builds[4][80];
    if (find_build(m, m->in, "min", experiment, builds[0]) != 0 ||
        find_build(m, m->in, "max", experiment, builds[1]) != 0 ||
        find_build(m, m->out, "min", experiment, builds[2]) != 0 ||
        find_build(m, m->out, "max", experiment, builds[3]) != 0)
        return -1;
    for (size_t i = 1; i < 4 && !m->any_build && builds[0][0] != '\0'; i++)
        if (builds[i][0] != '\0' && strcmp(builds[i], builds[0]) != 0)
            return dcs_err_at(m->err, m->in->path, 0, "run",
                              "experiment %011" PRIx64 " has runs of two builds, %s and %s; "
                              "nothing was merged: make them with one, or take both as the same "
                              "with --any-build",
                              (uint64_t)experiment, builds[0], builds[i]);
    return 0;
}

/* A summary is of all runs: one that was made of fewer is taken out. Where one database has all
 * runs, its summary is right. */
static int settle_summary(struct merge *m, int64_t experiment, bool added)
{
    static const char count_runs[] = "SELECT count(*) FROM run WHERE experiment = ?1";
    static const char count_rows[] = "SELECT count(*) FROM summary WHERE experiment = ?1";
    int64_t rows, all, those;
    if (ask_number(m->out, count_rows, experiment, NO_NUMBER, &rows, m->err) != 0 ||
        ask_number(m->out, count_runs, experiment, NO_NUMBER, &all, m->err) != 0 ||
        ask_number(m->in, count_runs, experiment, NO_NUMBER, &those, m->err) != 0)
        return -1;
    if (!added && rows > 0)
        return 0;
    if (store_put_summary(m->out, NULL, 0, m->err) != 0)
        return -1;
    struct table *summary = m->tables;
    DCS_ASSERT(summary != NULL);
    while (strcmp(summary->name, "summary") != 0)
        summary++;
    return all == those ? copy_rows(m, summary, experiment, NO_NUMBER) : 0;
}

static int merge_runs(struct merge *m, int64_t experiment, uint64_t *added)
{
    sqlite3_stmt *runs =
        prepare(m->in, "SELECT replication FROM %s WHERE experiment = ? ORDER BY 1", "run");
    if (runs == NULL)
        return failed(m, m->in, "read the runs");
    sqlite3_bind_int64(runs, 1, experiment);
    int code = SQLITE_DONE, result = 0;
    while (result == 0 && (code = sqlite3_step(runs)) == SQLITE_ROW) {
        int64_t replication = sqlite3_column_int64(runs, 0);
        int64_t there;
        result = ask_number(m->out, "SELECT 1 FROM run WHERE experiment = ?1 AND replication = ?2",
                            experiment, replication, &there, m->err);
        if (result == 0)
            result = merge_scope(m, OF_RUN, experiment, replication, there == 1);
        *(there == 1 ? &m->counts.same : added) += 1;
    }
    if (result == 0 && code != SQLITE_DONE)
        result = failed(m, m->in, "read the runs");
    sqlite3_finalize(runs);
    return result;
}

static int merge_experiment(struct merge *m, int64_t experiment)
{
    int64_t found;
    uint64_t added = 0;
    if (ask_number(m->out, "SELECT 1 FROM experiment WHERE id = ?1", experiment, NO_NUMBER, &found,
                   m->err) != 0)
        return -1;
    bool there = found == 1;
    if (merge_scope(m, OF_EXPERIMENT, experiment, NO_NUMBER, there) != 0 ||
        check_builds(m, experiment) != 0 || merge_runs(m, experiment, &added) != 0 ||
        store_check_gpus(m->out, experiment, m->in->path, m->err) != 0)
        return -1;
    m->counts.runs += added;
    m->counts.experiments += !there;
    m->out->id = experiment;
    return there ? settle_summary(m, experiment, added > 0) : 0;
}

/* ---- Databases ---- */

static int merge_experiments(struct merge *m)
{
    uint64_t before = m->counts.runs + m->counts.same;
    sqlite3_stmt *all = prepare(m->in, "SELECT id FROM %s ORDER BY id", "experiment");
    if (all == NULL)
        return failed(m, m->in, "read the experiments");
    int code = SQLITE_DONE, result = 0;
    while (result == 0 && (code = sqlite3_step(all)) == SQLITE_ROW)
        result = merge_experiment(m, sqlite3_column_int64(all, 0));
    if (result == 0 && code != SQLITE_DONE)
        result = failed(m, m->in, "read the experiments");
    sqlite3_finalize(all);
    if (result == 0 && m->counts.runs + m->counts.same == before)
        return dcs_err_at(m->err, m->in->path, 0, NULL, "holds no run; nothing was merged");
    return result;
}

/* A sweep is known by its hash, and its number by the hash's first digits. */
static int check_sweep(struct merge *m, sqlite3_stmt *sweep)
{
    sqlite3_stmt *other = prepare(m->out, "SELECT 1 FROM %s WHERE id = ? AND hash <> ?", "sweep");
    if (other == NULL)
        return failed(m, m->out, "read the sweeps");
    sqlite3_bind_value(other, 1, sqlite3_column_value(sweep, 0));
    sqlite3_bind_value(other, 2, sqlite3_column_value(sweep, 1));
    int code = sqlite3_step(other), status = 0;
    if (code == SQLITE_ROW)
        status = dcs_err_at(m->err, m->in->path, 0, "sweep",
                            "%s holds another sweep under the same number", m->out->path);
    else if (code != SQLITE_DONE)
        status = failed(m, m->out, "read the sweeps");
    sqlite3_finalize(other);
    return status;
}

/* Rows about sweeps follow from their hash: what is there is the same. */
static int merge_sweeps(struct merge *m)
{
    sqlite3_stmt *all = prepare(m->in, "SELECT id, hash FROM %s", "sweep");
    if (all == NULL)
        return failed(m, m->in, "read the sweeps");
    int code = SQLITE_DONE, result = 0;
    while (result == 0 && (code = sqlite3_step(all)) == SQLITE_ROW)
        result = check_sweep(m, all);
    if (result == 0 && code != SQLITE_DONE)
        result = failed(m, m->in, "read the sweeps");
    sqlite3_finalize(all);
    for (size_t i = 0; result == 0 && i < m->tables_count; i++)
        if (m->tables[i].scope == OF_SWEEP)
            result = copy_rows(m, &m->tables[i], NO_NUMBER, NO_NUMBER);
    return result;
}

/* For a database that is merged, or merged into. */
static struct store *open_store(const char *path, struct dcs_err *err)
{
    struct store *s = store_open(path, NULL, err);
    if (s != NULL)
        s->kept = "nothing was merged";
    return s;
}

/* One that has tables. */
static struct store *open_input(const char *path, struct dcs_err *err)
{
    struct stat st;
    int64_t tables = 0;
    struct store *s = NULL;
    if (stat(path, &st) != 0)
        dcs_err_at(err, path, 0, NULL, "cannot open: %s", strerror(errno));
    else
        s = open_store(path, err);
    if (s == NULL)
        return NULL;
    if (s->db != NULL && ask_number(s, "SELECT count(*) FROM sqlite_master", NO_NUMBER, NO_NUMBER,
                                    &tables, err) != 0)
        tables = -1;
    else if (tables == 0)
        dcs_err_at(err, path, 0, NULL, "holds no run; nothing was merged");
    if (tables > 0)
        return s;
    store_close(s);
    return NULL;
}

/* A row whose parent is not there would be refused when the whole merge is committed, in words that
 * name neither the file nor the table. */
static int check_parents(struct merge *m)
{
    sqlite3_stmt *orphans = prepare(m->in, "PRAGMA foreign_key_check%s", "");
    int code = orphans != NULL ? sqlite3_step(orphans) : SQLITE_ERROR;
    int result = 0;
    if (code == SQLITE_ROW)
        result = dcs_err_at(m->err, m->in->path, 0, (const char *)sqlite3_column_text(orphans, 0),
                            "holds rows whose row of table \"%s\" is missing: rows were lost or "
                            "changed; run its experiments again into another file",
                            (const char *)sqlite3_column_text(orphans, 2));
    else if (code != SQLITE_DONE)
        result = failed(m, m->in, "check the results database");
    sqlite3_finalize(orphans);
    return result;
}

static int merge_one(struct merge *m, const char *path)
{
    int result = -1;
    m->in = open_input(path, m->err);
    if (m->in == NULL)
        return -1;
    if (sqlite3_exec(m->in->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        failed(m, m->in, "read the results database");
    else
        result = add_rare_table(m, "driven", store_driven_sql) != 0 ||
                         add_rare_table(m, "hypothetical", store_hypothetical_sql) != 0 ||
                         open_tables(m) != 0 || merge_experiments(m) != 0 || merge_sweeps(m) != 0 ||
                         check_parents(m) != 0
                     ? -1
                     : 0;
    close_tables(m);
    sqlite3_exec(m->in->db, "ROLLBACK", NULL, NULL, NULL);
    store_close(m->in);
    m->in = NULL;
    return result;
}

/* Before anything is made: names that are mistaken. */
static int check_inputs(const char *out, const char *const *in, size_t count, struct dcs_err *err)
{
    struct stat a, b;
    bool made = stat(out, &a) != 0;
    for (size_t i = 0; i < count; i++) {
        if (!made && stat(in[i], &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
            return dcs_err_at(err, in[i], 0, NULL, "is the database that is merged into");
        struct store *s = open_input(in[i], err);
        if (s == NULL)
            return -1;
        store_close(s);
    }
    return 0;
}

static int merge_all(struct merge *m, const char *const *in, size_t count)
{
    static const char unsummarised[] = "SELECT count(*) FROM experiment WHERE id NOT IN (SELECT "
                                       "experiment FROM summary)";
    int64_t number = 0;
    /* Tables come in the order of their names. */
    if (sqlite3_exec(m->out->db, "PRAGMA defer_foreign_keys = ON", NULL, NULL, NULL) != SQLITE_OK)
        return failed(m, m->out, "write the results database");
    int result = list_tables(m);
    for (size_t i = 0; result == 0 && i < count; i++)
        result = merge_one(m, in[i]);
    if (result == 0)
        result = ask_number(m->out, unsummarised, NO_NUMBER, NO_NUMBER, &number, m->err);
    m->counts.unsummarised = (uint64_t)number;
    return result;
}

int store_merge(const char *out, const char *const *in, size_t count, bool any_build,
                struct store_merge_counts *counts, struct dcs_err *err)
{
    struct merge m = {.any_build = any_build, .err = err};
    if (check_inputs(out, in, count, err) != 0)
        return -1;
    m.out = open_store(out, err);
    if (m.out == NULL)
        return -1;
    store_accept_builds(m.out); /* they are checked here, against each other */
    int result = store_begin(m.out, err);
    if (result == 0)
        result = store_end(m.out, merge_all(&m, in, count), err);
    store_close(m.out);
    free_tables(&m);
    *counts = m.counts;
    return result;
}
