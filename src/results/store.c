/*
 * store.c - opens the results database, refuses what is not one, and holds the transactions; see
 * store.h. store_schema.sql has the tables, store_rows.c writes their rows, store_read.c reads
 * them.
 *
 * A file is looked at before SQLite is let near it: SQLite may roll back a half-written transaction
 * merely by reading, and a file that is not ours must stay as it is to the last byte.
 *
 * What a crash leaves: the rollback journal restores the state before the transaction when the
 * database is next opened, here or by anyone. A crash in the very first transaction leaves an empty
 * file, so an empty file counts as no database yet. A failure or an interruption in it removes the
 * file, if it was not there before (store_unborn.h).
 */
#include "results/store.h"
#include "build_id.h"

#include "models/profile/database.h"
#include "results/store_rows.h"
#include "results/store_schema.h"
#include "results/store_unborn.h"
#include "runs/uncertainty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Someone who looks at results should not end a simulation of hours. */
#define BUSY_TIMEOUT_MS 60000

/* ---- The file, before SQLite ---- */

enum found { FOUND_NOTHING, FOUND_DATABASE };

/* Whether a transaction was broken off: then page 1 itself may be half-written. */
static bool has_journal(const struct store *s)
{
    size_t bytes = strlen(s->file) + sizeof "-journal";
    char *journal = dcs_alloc(bytes, 1);
    snprintf(journal, bytes, "%s-journal", s->file);
    struct stat st;
    bool there = stat(journal, &st) == 0 && st.st_size > 0;
    free(journal);
    return there;
}

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The fields of the header are part of SQLite's file format: user_version at 60, application_id at
 * 68. */
static int check_header(const struct store *s, const unsigned char *header, struct dcs_err *err)
{
    static const char magic[16] = "SQLite format 3"; /* its NUL is the sixteenth byte */
    static const unsigned char zeros[100];
    if (memcmp(header, zeros, sizeof zeros) == 0 && has_journal(s))
        return 0;
    if (memcmp(header, magic, sizeof magic) != 0)
        return dcs_err_at(err, s->path, 0, NULL,
                          "is not a results database (not SQLite at all); left as it is");
    if (big_endian(header + 68) != STORE_APPLICATION_ID)
        return dcs_err_at(err, s->path, 0, NULL,
                          "is an SQLite database of another program; left as it is");
    uint32_t schema = big_endian(header + 60);
    if (schema < STORE_SCHEMA_OLD || schema > STORE_SCHEMA)
        return dcs_err_at(err, s->path, 0, NULL,
                          "has schema %lu, this is dcsim %s with schema %d%s; left as it is",
                          (unsigned long)schema, DCS_BUILD_ID, STORE_SCHEMA,
                          schema > STORE_SCHEMA ? ": a newer version wrote it" : "");
    return 0;
}

/* Closing the file here drops locks that this process has on it. It has none: no transaction is
 * open between calls. */
static int check_bytes(const struct store *s, struct dcs_err *err)
{
    unsigned char header[100] = {0};
    int fd = open(s->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return dcs_err_at(err, s->path, 0, NULL, "cannot read: %s", strerror(errno));
    ssize_t got = pread(fd, header, sizeof header, 0);
    int cause = errno;
    close(fd);
    if (got < 0)
        return dcs_err_at(err, s->path, 0, NULL, "cannot read: %s", strerror(cause));
    return check_header(s, header, err);
}

/* That files can be made in it: the journal will be one. An unnamed file is the test that sees full
 * quotas and read-only mounts; where there are none of these (NFS), permissions must do. */
static int check_folder(const struct store *s, struct dcs_err *err)
{
    char *folder = dcs_strdup(s->file);
    *(strrchr(folder, '/') + 1) = '\0'; /* file begins with '/' or "./" */
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    int cause = errno;
    bool good = fd >= 0;
    if (fd >= 0)
        close(fd);
    else if (cause == EOPNOTSUPP || cause == EISDIR || cause == EINVAL) {
        good = faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
        cause = errno;
    }
    if (!good)
        dcs_err_at(err, s->path, 0, NULL, "cannot write to the folder %s: %s", folder,
                   strerror(cause));
    free(folder);
    return good ? 0 : -1;
}

static int check_place(const struct store *s, enum found *found, struct dcs_err *err)
{
    *found = FOUND_NOTHING;
    struct stat st;
    if (s->path[0] == '\0')
        return dcs_err_set(err, "the name of the results database is empty");
    if (s->path[strlen(s->path) - 1] == '/')
        return dcs_err_at(err, s->path, 0, NULL, "is a folder, expected a file");
    if (stat(s->file, &st) != 0) {
        if (errno != ENOENT)
            return dcs_err_at(err, s->path, 0, NULL, "cannot open: %s", strerror(errno));
        return check_folder(s, err);
    }
    if (S_ISDIR(st.st_mode))
        return dcs_err_at(err, s->path, 0, NULL, "is a folder, expected a file");
    if (!S_ISREG(st.st_mode))
        return dcs_err_at(err, s->path, 0, NULL, "is not a regular file");
    if (st.st_size > 0) {
        *found = FOUND_DATABASE;
        if (check_bytes(s, err) != 0)
            return -1;
    }
    if (faccessat(AT_FDCWD, s->file, W_OK, AT_EACCESS) != 0)
        return dcs_err_at(err, s->path, 0, NULL, "cannot write: %s", strerror(errno));
    return check_folder(s, err);
}

/* ---- The connection ---- */

static int ask_number(struct store *s, const char *sql, int64_t *out)
{
    return database_number(s->db, sql, out) == SQLITE_ROW ? 0 : -1;
}

static int prepare_connection(struct store *s)
{
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, BUSY_TIMEOUT_MS);
    const char *pragmas = "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
                          "PRAGMA journal_mode = DELETE;";
    int64_t foreign_keys = 0, synchronous = 0;
    if (database_harden(s->db) != SQLITE_OK ||
        sqlite3_exec(s->db, pragmas, NULL, NULL, NULL) != SQLITE_OK ||
        ask_number(s, "PRAGMA foreign_keys", &foreign_keys) != 0 ||
        ask_number(s, "PRAGMA synchronous", &synchronous) != 0)
        return -1;
    DCS_ASSERT(foreign_keys == 1 && synchronous == 2);
    return 0;
}

static int connect_file(struct store *s, int flags, struct dcs_err *err)
{
    if (sqlite3_open_v2(s->file, &s->db, flags | SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        prepare_connection(s) != 0)
        return store_failed(s, "open the results database", err);
    return 0;
}

static void disconnect(struct store *s)
{
    for (size_t i = 0; i < STORE_STATEMENTS; i++) {
        sqlite3_finalize(s->statements[i]);
        s->statements[i] = NULL;
    }
    int code = sqlite3_close(s->db);
    DCS_ASSERT(code == SQLITE_OK);
    s->db = NULL;
}

/* What the header said, as it is after recovery: *empty, or ours and then its *schema, or an
 * error. */
static int check_database(struct store *s, bool *empty, int64_t *schema, struct dcs_err *err)
{
    int64_t application, objects;
    if (ask_number(s, "PRAGMA application_id", &application) != 0 ||
        ask_number(s, "PRAGMA user_version", schema) != 0 ||
        ask_number(s, "SELECT count(*) FROM sqlite_master", &objects) != 0)
        return store_failed(s, "read the results database", err);
    *empty = application == 0 && *schema == 0 && objects == 0;
    if (!*empty && (application != STORE_APPLICATION_ID ||
                    (*schema < STORE_SCHEMA_OLD || *schema > STORE_SCHEMA)))
        return dcs_err_at(err, s->path, 0, NULL, "is not a results database; left as it is");
    return 0;
}

/* ---- Transactions ---- */

/* Whether another process has removed the file, since its first transaction there failed. */
static bool has_moved(struct store *s)
{
    int moved = 0;
    return sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
           moved != 0;
}

/* After some failures, a full disk among them, SQLite rolls back only when the file is next read.
 * The journal would lie there until then, and undo whatever somebody puts under the file's name. So
 * we read. Rolling back takes no space. */
static void roll_back(struct store *s)
{
    int64_t objects;
    if (!sqlite3_get_autocommit(s->db)) /* some failures have ended the transaction already */
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    ask_number(s, "SELECT count(*) FROM sqlite_master", &objects);
}

/* Of a first transaction that failed, under a lock of its own: the other may have ended with it. */
static void remove_unborn(struct store *s)
{
    bool empty = false;
    int64_t schema;
    struct dcs_err unused = {0};
    if (sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK) {
        if (check_database(s, &empty, &schema, &unused) == 0 && empty && !has_moved(s))
            free(store_unborn_remove());
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    }
    store_unborn_set(NULL);
    disconnect(s);
    s->unborn = false;
}

int store_end(struct store *s, int status, struct dcs_err *err)
{
    if (status == 0)
        store_unborn_set(NULL);
    if (status == 0 && sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        status = store_failed(s, "write to the results database", err);
    if (status != 0)
        roll_back(s);
    if (status != 0 && s->unborn) {
        store_unborn_set(s->file);
        remove_unborn(s);
    }
    s->unborn = false;
    return status;
}

/* What schema 8 has beside schema 7. */
static int create_newer_tables(struct store *s)
{
    const char *const all[] = {store_headline_sql, store_cut_sql, store_capacity_sql,
                               store_bins_sql};
    int code = SQLITE_OK;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && code == SQLITE_OK; i++)
        code = sqlite3_exec(s->db, all[i], NULL, NULL, NULL);
    return code;
}

static const char add_reason[] =
    "ALTER TABLE capacity_look ADD COLUMN reason TEXT NOT NULL DEFAULT ''";

static const char add_name[] = "ALTER TABLE whole_job ADD COLUMN name TEXT";

/* Makes the tables of a new database, or those that an older one lacks. Inside a transaction, since
 * another process may be at the same. */
static int create_tables(struct store *s, struct dcs_err *err)
{
    bool empty = false;
    int64_t schema = 0;
    if (check_database(s, &empty, &schema, err) != 0)
        return -1;
    s->unborn = s->unborn && empty;
    store_unborn_set(s->unborn ? s->file : NULL);
    if (!empty && schema == STORE_SCHEMA)
        return 0;
    char numbers[96];
    snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             STORE_APPLICATION_ID, STORE_SCHEMA);
    if ((empty && sqlite3_exec(s->db, store_schema_sql, NULL, NULL, NULL) != SQLITE_OK) ||
        (schema < STORE_SCHEMA_SWEEPS &&
         sqlite3_exec(s->db, store_sweep_sql, NULL, NULL, NULL) != SQLITE_OK) ||
        (schema < STORE_SCHEMA_LATE &&
         sqlite3_exec(s->db, store_late_sql, NULL, NULL, NULL) != SQLITE_OK) ||
        (schema < STORE_SCHEMA_LOOKS && create_newer_tables(s) != SQLITE_OK) ||
        (schema == STORE_SCHEMA_LOOKS &&
         sqlite3_exec(s->db, add_reason, NULL, NULL, NULL) != SQLITE_OK) ||
        sqlite3_exec(s->db, schema < STORE_SCHEMA_GANGS ? store_gangs_sql : add_name, NULL, NULL,
                     NULL) != SQLITE_OK ||
        sqlite3_exec(s->db, numbers, NULL, NULL, NULL) != SQLITE_OK)
        return store_failed(s, "create the tables", err);
    return 0;
}

static int connect_and_lock(struct store *s, struct dcs_err *err)
{
    if (s->db == NULL) {
        s->unborn = access(s->file, F_OK) != 0 && errno == ENOENT;
        if (connect_file(s, SQLITE_OPEN_CREATE, err) != 0) {
            disconnect(s);
            return -1;
        }
    }
    if (sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        return store_failed(s, "write to the results database", err);
    return 0;
}

int store_begin(struct store *s, struct dcs_err *err)
{
    if (connect_and_lock(s, err) != 0)
        return -1;
    while (has_moved(s)) {
        disconnect(s);
        if (connect_and_lock(s, err) != 0)
            return -1;
    }
    if (create_tables(s, err) != 0)
        return store_end(s, -1, err);
    return 0;
}

/* ---- The interface ---- */

static int open_existing(struct store *s, struct dcs_err *err)
{
    bool empty = false, found = false;
    int64_t schema;
    if (connect_file(s, 0, err) != 0 || check_database(s, &empty, &schema, err) != 0)
        return -1;
    return empty || s->experiment == NULL ? 0 : store_find_experiment(s, &found, err);
}

struct store *store_open(const char *path, const struct experiment *x, struct dcs_err *err)
{
    struct store *s = dcs_alloc(1, sizeof *s);
    s->experiment = x;
    s->path = dcs_strdup(path);
    s->file = database_path(path);
    s->id = x != NULL ? store_number(x->hash) : 0;
    s->kept = "runs that were stored are kept, a rerun continues after them";
    enum found found;
    if (check_place(s, &found, err) == 0 && (found == FOUND_NOTHING || open_existing(s, err) == 0))
        return s;
    store_close(s);
    return NULL;
}

void store_close(struct store *s)
{
    if (s == NULL)
        return;
    disconnect(s);
    free(s->path);
    free(s->file);
    free(s);
}

/* Whether there is anything to read: a file with tables. */
static int readable(struct store *s, bool *yes, struct dcs_err *err)
{
    bool empty = true;
    int64_t schema;
    if (s->db != NULL && check_database(s, &empty, &schema, err) != 0)
        return -1;
    *yes = !empty;
    return 0;
}

int store_switch(struct store *s, const struct experiment *x, const struct sweep *sweep,
                 uint64_t point, struct dcs_err *err)
{
    bool yes, found;
    s->experiment = x;
    s->id = store_number(x->hash);
    s->sweep = sweep != NULL && sweep->hash[0] != '\0' ? sweep : NULL;
    s->point = point;
    if (readable(s, &yes, err) != 0)
        return -1;
    return yes ? store_find_experiment(s, &found, err) : 0;
}

void store_accept_builds(struct store *s)
{
    s->any_build = true;
}

int64_t store_held(struct store *s, bool *wanted, uint32_t replications, struct dcs_err *err)
{
    bool yes;
    if (readable(s, &yes, err) != 0)
        return -1;
    int64_t held = 0;
    for (uint32_t i = 0; yes && i < replications; i++) {
        bool found;
        if (store_find_run(s, i, &found, err) != 0)
            return -1;
        held += found;
        wanted[i] = wanted[i] && !found;
    }
    return held;
}

int64_t store_held_bare(struct store *s, uint32_t replications, struct dcs_err *err)
{
    bool yes;
    if (readable(s, &yes, err) != 0)
        return -1;
    if (!yes)
        return 0;
    sqlite3_stmt *row = FILL(s, COUNT_BARE, integer(s->id), integer(replications));
    int64_t bare = -1;
    if (row != NULL && sqlite3_step(row) == SQLITE_ROW)
        bare = sqlite3_column_int64(row, 0);
    else
        store_failed(s, "count the rows of requests", err);
    sqlite3_reset(row);
    return bare;
}

/* A summary takes it for granted that each run has what every run of the experiment has. */
static int check_metrics(struct store *s, const struct run *every, const struct run *run,
                         struct dcs_err *err)
{
    size_t i = 0, count = every->metrics_count;
    for (; i < count && i < run->metrics_count; i++) {
        const struct metric *a = &every->metrics[i], *b = &run->metrics[i];
        if (a->app != b->app || strcmp(a->name, b->name) != 0 || strcmp(a->unit, b->unit) != 0)
            break;
    }
    if (i == count && i == run->metrics_count)
        return 0;
    return dcs_err_at(
        err, s->path, 0, "metric",
        "replication %lu of experiment %.16s has other metrics than its runs have "
        "(number %zu should be \"%s\"): rows were lost or changed, or another version "
        "wrote them; name another database",
        (unsigned long)run->replication, s->experiment->hash, i,
        i < count ? every->metrics[i].name : "the end");
}

/* One run that is there, into the summary. */
static int load_run(struct store *s, uint32_t replication, const struct run *every,
                    struct summary *summary, struct dcs_err *err)
{
    struct run run;
    if (store_get_run(s, replication, &run, err) != 0)
        return -1;
    int status = check_metrics(s, every, &run, err);
    if (status == 0)
        summary_add(summary, &run);
    run_release(&run);
    return status;
}

int store_load(struct store *s, uint32_t replications, struct summary *summary, struct dcs_err *err)
{
    bool yes;
    if (readable(s, &yes, err) != 0)
        return -1;
    struct run every = metrics_of_nothing(s->experiment);
    if (s->experiment->config->sharing.profile_uncertainty)
        uncertainty_add(&every, &every);
    int status = 0;
    for (uint32_t i = 0; yes && status == 0 && i < replications; i++) {
        bool found = false;
        status = store_find_run(s, i, &found, err);
        if (found && status == 0)
            status = load_run(s, i, &every, summary, err);
    }
    run_release(&every);
    return status;
}

static int add_run(struct store *s, const struct run *run, struct dcs_err *err)
{
    bool found;
    if (store_put_experiment(s, err) != 0 || store_find_run(s, run->replication, &found, err) != 0)
        return -1;
    if (found)
        return dcs_err_at(err, s->path, 0, NULL,
                          "has replication %lu of experiment %.16s already; is another dcsim "
                          "running the same?",
                          (unsigned long)run->replication, s->experiment->hash);
    return store_put_run(s, run, err);
}

int store_add(struct store *s, const struct run *run, struct dcs_err *err)
{
    /* A run that was broken off is not a result, and would never be run again. */
    DCS_ASSERT(!run->result.interrupted);
    if (store_begin(s, err) != 0)
        return -1;
    return store_end(s, add_run(s, run, err), err);
}

int store_summarise(struct store *s, const struct summary_row *rows, size_t count,
                    struct dcs_err *err)
{
    bool yes;
    if (readable(s, &yes, err) != 0)
        return -1;
    if (!yes)
        return 0; /* no run was added: there is nothing to sum up, and no file */
    if (store_begin(s, err) != 0)
        return -1;
    int status = store_put_experiment(s, err);
    if (status == 0)
        status = store_put_summary(s, rows, count, err);
    return store_end(s, status, err);
}

/* How many runs of the experiment there are, and the highest replication among them. */
static int count_runs(struct store *s, int64_t *runs, int64_t *highest, struct dcs_err *err)
{
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM run WHERE experiment = %lld", (long long)s->id);
    if (ask_number(s, sql, runs) != 0)
        return store_failed(s, "count the runs", err);
    snprintf(sql, sizeof sql, "SELECT max(replication) FROM run WHERE experiment = %lld",
             (long long)s->id);
    return ask_number(s, sql, highest) == 0 ? 0 : store_failed(s, "count the runs", err);
}

int store_summarise_all(struct store *s, const struct summary *summary,
                        const struct summary_row *rows, size_t count, struct dcs_err *err)
{
    int64_t runs = 0, highest = 0;
    bool yes;
    if (readable(s, &yes, err) != 0 || (yes && count_runs(s, &runs, &highest, err) != 0))
        return -1;
    if (runs == (int64_t)summary->runs)
        return store_summarise(s, rows, count, err);
    struct summary all;
    summary_init(&all, s->experiment);
    int status = store_load(s, (uint32_t)highest + 1, &all, err);
    if (status == 0) {
        size_t all_count;
        struct summary_row *all_rows = summary_rows(&all, &all_count);
        status = store_summarise(s, all_rows, all_count, err);
        free(all_rows);
    }
    summary_release(&all);
    return status;
}

int store_explain(struct store *s, uint32_t replication, const struct explanation *all,
                  size_t count, struct dcs_err *err)
{
    if (store_begin(s, err) != 0)
        return -1;
    return store_end(s, store_put_late(s, replication, all, count, err), err);
}
