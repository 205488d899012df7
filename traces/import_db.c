/*
 * import_db.c - see import_db.h.
 */
#include "traces/import_db.h"

#include "traces/jobs_form.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BATCH   16 /* jobs in one statement */
#define COLUMNS 14 /* of a job, the id aside */

/* Durations and times in nanoseconds since the trace's own zero; file is source.id. */
static const char schema[] =
    "CREATE TABLE trace(format TEXT NOT NULL, description TEXT NOT NULL, jobs INTEGER NOT NULL,"
    " rows INTEGER NOT NULL, first_arrival_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL,"
    " complete INTEGER NOT NULL);"
    "CREATE TABLE source(id INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL,"
    " compressed_bytes INTEGER NOT NULL, bytes INTEGER NOT NULL, rows INTEGER NOT NULL);"
    "CREATE TABLE issue(name TEXT NOT NULL, effect TEXT NOT NULL, count INTEGER NOT NULL,"
    " rule TEXT NOT NULL, first_file TEXT NOT NULL, first_line INTEGER NOT NULL,"
    " PRIMARY KEY(name, effect));"
    "CREATE TABLE job(id INTEGER PRIMARY KEY, arrival_ns INTEGER NOT NULL,"
    " start_ns INTEGER NOT NULL, duration_ns INTEGER NOT NULL, class TEXT NOT NULL,"
    " gpus REAL NOT NULL, cpus REAL NOT NULL, priority INTEGER NOT NULL,"
    " censored INTEGER NOT NULL, early INTEGER NOT NULL, status TEXT NOT NULL,"
    " models TEXT NOT NULL, source_key TEXT NOT NULL, file INTEGER NOT NULL REFERENCES source(id), "
    "line INTEGER NOT "
    "NULL);";

struct import_db {
    sqlite3 *db;
    sqlite3_stmt *insert;    /* of BATCH jobs */
    struct trace_job *jobs;  /* BATCH: they wait for the statement */
    struct trace_job *bound; /* BATCH: what is bound in each place; the texts lie here */
    size_t jobs_count;       /* waiting */
    int64_t written;
    char *output, *partial;
    bool finished;
};

static int failed(struct import_db *d, struct dcs_err *err)
{
    int cause = sqlite3_system_errno(d->db);
    return dcs_err_at(err, d->output, 0, NULL, "cannot write the database: %s%s%s",
                      sqlite3_errmsg(d->db), cause != 0 ? ": " : "",
                      cause != 0 ? strerror(cause) : "");
}

static int run_sql(struct import_db *d, const char *sql, struct dcs_err *err)
{
    return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(d, err);
}

/* Of several jobs at once: half the time of one statement a job. The id is left to SQLite, which
 * counts from 1 and appends; an id that is given is looked up first. */
static int prepare_insert(struct import_db *d, size_t rows, sqlite3_stmt **out, struct dcs_err *err)
{
    static const char begin[] = "INSERT INTO job VALUES",
                      row[] = "(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
    char sql[sizeof begin + BATCH * sizeof row];
    size_t used = (size_t)snprintf(sql, sizeof sql, "%s", begin);
    for (size_t i = 0; i < rows; i++)
        used += (size_t)snprintf(sql + used, sizeof sql - used, "%s%s", i > 0 ? "," : "", row);
    return sqlite3_prepare_v2(d->db, sql, -1, out, NULL) == SQLITE_OK ? 0 : failed(d, err);
}

static int connect_file(struct import_db *d, struct dcs_err *err)
{
    /* The name must be free, and ours: SQLite would open whatever is there. */
    int fd = open(d->partial, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0)
        return dcs_err_at(err, d->output, 0, NULL, "cannot make the database: %s", strerror(errno));
    close(fd);
    char pragmas[400];
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
             "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; PRAGMA mmap_size = 0;"
             "PRAGMA temp_store = FILE; PRAGMA application_id = %d; PRAGMA user_version = %d;",
             TRACE_JOBS_APPLICATION_ID, TRACE_JOBS_SCHEMA);
    if (sqlite3_open_v2(d->partial, &d->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
            SQLITE_OK ||
        run_sql(d, pragmas, err) != 0 || run_sql(d, schema, err) != 0 ||
        run_sql(d, "BEGIN", err) != 0)
        return failed(d, err);
    return prepare_insert(d, BATCH, &d->insert, err);
}

struct import_db *import_db_open(const char *output, struct dcs_err *err)
{
    struct stat st;
    if (output[0] == '\0' || output[strlen(output) - 1] == '/') {
        dcs_err_at(err, output, 0, NULL, "expected the name of a file for the database");
        return NULL;
    }
    if (lstat(output, &st) == 0) {
        dcs_err_at(err, output, 0, NULL, "exists already; remove it or name another file");
        return NULL;
    }
    struct import_db *d = dcs_alloc(1, sizeof *d);
    d->jobs = dcs_alloc(BATCH, sizeof *d->jobs);
    d->bound = dcs_alloc(BATCH, sizeof *d->bound);
    size_t bytes = strlen(output) + 40;
    d->output = dcs_strdup(output);
    d->partial = dcs_alloc(bytes, 1);
    snprintf(d->partial, bytes, "%s%s.partial-%ld", output[0] == '/' ? "" : "./", output,
             (long)getpid());
    if (connect_file(d, err) == 0)
        return d;
    if (d->db == NULL)
        d->finished = true; /* the file is not ours to remove */
    import_db_close(d);
    return NULL;
}

void import_db_close(struct import_db *d)
{
    if (d == NULL)
        return;
    sqlite3_finalize(d->insert);
    sqlite3_close(d->db);
    if (!d->finished)
        unlink(d->partial);
    free(d->jobs);
    free(d->bound);
    free(d->output);
    free(d->partial);
    free(d);
}

/* ---- jobs ---- */

static void bind_status(sqlite3_stmt *s, int at, enum trace_status status)
{
    static const char *const names[] = {[TRACE_STATUS_UNKNOWN] = "unknown",
                                        [TRACE_STATUS_SUCCESS] = "success",
                                        [TRACE_STATUS_FAILED] = "failed"};
    sqlite3_bind_text(s, at, names[status], -1, SQLITE_STATIC);
}

/* Much stays from job to job, and binding takes a good part of the time: only what is not `bound`
 * already. bound NULL: nothing is. */
static void bind_job(sqlite3_stmt *s, int at, const struct trace_job *job,
                     const struct trace_job *bound)
{
    sqlite3_bind_int64(s, at, job->arrival_ns);
    sqlite3_bind_int64(s, at + 1, job->start_ns);
    sqlite3_bind_int64(s, at + 2, job->duration_ns);
    if (bound == NULL || bound->class != job->class)
        sqlite3_bind_text(s, at + 3, job->class == DCS_LATENCY ? "latency" : "batch", -1,
                          SQLITE_STATIC);
    if (bound == NULL || bound->gpus != job->gpus)
        sqlite3_bind_double(s, at + 4, job->gpus);
    if (bound == NULL || bound->cpus != job->cpus)
        sqlite3_bind_double(s, at + 5, job->cpus);
    if (bound == NULL || bound->priority != job->priority)
        sqlite3_bind_int(s, at + 6, job->priority);
    if (bound == NULL || bound->censored != job->censored)
        sqlite3_bind_int(s, at + 7, job->censored);
    if (bound == NULL || bound->early != job->early)
        sqlite3_bind_int(s, at + 8, job->early);
    if (bound == NULL || bound->status != job->status)
        bind_status(s, at + 9, job->status);
    sqlite3_bind_text(s, at + 10, job->models, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, at + 11, job->key, -1, SQLITE_STATIC);
    if (bound == NULL || bound->file != job->file)
        sqlite3_bind_int64(s, at + 12, (int64_t)job->file + 1);
    sqlite3_bind_int64(s, at + 13, (int64_t)job->line);
}

static int write_jobs(struct import_db *d, sqlite3_stmt *s, const struct trace_job *bound,
                      struct dcs_err *err)
{
    for (size_t i = 0; i < d->jobs_count; i++)
        bind_job(s, (int)i * COLUMNS + 1, &d->jobs[i], bound != NULL ? &bound[i] : NULL);
    int code = sqlite3_step(s);
    sqlite3_reset(s);
    d->written += (int64_t)d->jobs_count;
    d->jobs_count = 0;
    return code == SQLITE_DONE ? 0 : failed(d, err);
}

int import_db_job(struct import_db *d, const struct trace_job *job, struct dcs_err *err)
{
    d->jobs[d->jobs_count++] = *job;
    if (d->jobs_count < BATCH)
        return 0;
    int status = write_jobs(d, d->insert, d->written > 0 ? d->bound : NULL, err);
    struct trace_job *swap = d->bound;
    d->bound = d->jobs;
    d->jobs = swap;
    return status;
}

/* Those that wait for their batch to fill. */
static int write_rest(struct import_db *d, struct dcs_err *err)
{
    if (d->jobs_count == 0)
        return 0;
    sqlite3_stmt *s = NULL;
    int status = prepare_insert(d, d->jobs_count, &s, err);
    if (status == 0)
        status = write_jobs(d, s, NULL, err);
    sqlite3_finalize(s);
    return status;
}

/* ---- the other tables ---- */

/* Of a column: a number if text is NULL. */
struct value {
    const char *text;
    int64_t number;
};

/* One row. */
static int put(struct import_db *d, struct dcs_err *err, const char *sql, int count,
               const struct value *values)
{
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) != SQLITE_OK)
        return failed(d, err);
    for (int i = 0; i < count; i++) {
        if (values[i].text != NULL)
            sqlite3_bind_text(s, i + 1, values[i].text, -1, SQLITE_STATIC);
        else
            sqlite3_bind_int64(s, i + 1, values[i].number);
    }
    int code = sqlite3_step(s);
    int status = code == SQLITE_DONE ? 0 : failed(d, err);
    sqlite3_finalize(s);
    return status;
}

static int put_sources(struct import_db *d, const struct trace_input *in, struct dcs_err *err)
{
    for (size_t i = 0; i < trace_input_files(in); i++) {
        const struct trace_source *s = trace_input_source(in, i);
        const struct value row[] = {{NULL, (int64_t)i + 1},
                                    {s->path, 0},
                                    {s->sha256, 0},
                                    {NULL, (int64_t)s->disk_bytes},
                                    {NULL, (int64_t)s->bytes},
                                    {NULL, (int64_t)s->rows}};
        if (put(d, err, "INSERT INTO source VALUES(?,?,?,?,?,?)", 6, row) != 0)
            return -1;
    }
    return 0;
}

static int put_issues(struct import_db *d, const struct import_counts *counts, struct dcs_err *err)
{
    static const char *const effects[] = {"noted", "repaired", "left out"};
    for (int i = 0; i < ISSUES; i++)
        for (int e = 0; e < 3; e++) {
            if (counts->issues[i].count[e] == 0)
                continue;
            const struct value row[] = {{trace_issue_name((enum trace_issue)i), 0},
                                        {effects[e], 0},
                                        {NULL, (int64_t)counts->issues[i].count[e]},
                                        {trace_issue_rule((enum trace_issue)i), 0},
                                        {counts->issues[i].first_file, 0},
                                        {NULL, (int64_t)counts->issues[i].first_line}};
            if (put(d, err, "INSERT INTO issue VALUES(?,?,?,?,?,?)", 6, row) != 0)
                return -1;
        }
    return 0;
}

static int put_trace(struct import_db *d, const struct trace_format *format,
                     const struct import_counts *c, struct dcs_err *err)
{
    const struct value row[] = {{format->name, 0},           {format->source, 0},
                                {NULL, d->written},          {NULL, (int64_t)c->rows},
                                {NULL, c->first_arrival_ns}, {NULL, c->end_ns}};
    return put(d, err, "INSERT INTO trace VALUES(?,?,?,?,?,?,1)", 6, row);
}

/* ---- the end ---- */

static int sync_path(const char *path, const char *output, struct dcs_err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int status = fd >= 0 ? fsync(fd) : -1;
    int cause = errno;
    if (fd >= 0)
        close(fd);
    /* Some file systems do not sync folders; the name is then theirs to keep. */
    if (status != 0 && cause != EINVAL)
        return dcs_err_at(err, output, 0, NULL, "cannot write the database: %s", strerror(cause));
    return 0;
}

static int take_name(struct import_db *d, struct dcs_err *err)
{
    if (sync_path(d->partial, d->output, err) != 0)
        return -1;
    /* Who made a file of that name meanwhile keeps it, where the file system can promise that. */
    int status = renameat2(AT_FDCWD, d->partial, AT_FDCWD, d->output, RENAME_NOREPLACE);
    if (status != 0 && (errno == EINVAL || errno == ENOSYS))
        status = rename(d->partial, d->output);
    if (status != 0)
        return dcs_err_at(err, d->output, 0, NULL, "cannot name the database: %s", strerror(errno));
    d->finished = true;
    char *folder = dcs_strdup(d->partial); /* begins with '/' or "./" */
    strrchr(folder, '/')[1] = '\0';
    status = sync_path(folder, d->output, err);
    free(folder);
    return status;
}

int import_db_finish(struct import_db *d, const struct trace_format *format,
                     const struct trace_input *in, const struct import_counts *counts,
                     int (*tick)(void *context), void *context, struct dcs_err *err)
{
    sqlite3_progress_handler(d->db, 100000, tick, context);
    if (write_rest(d, err) != 0 || put_sources(d, in, err) != 0 ||
        put_issues(d, counts, err) != 0 ||
        run_sql(d, "CREATE INDEX job_arrival ON job(arrival_ns)", err) != 0 ||
        put_trace(d, format, counts, err) != 0 || run_sql(d, "COMMIT", err) != 0)
        return -1;
    sqlite3_finalize(d->insert);
    d->insert = NULL;
    if (sqlite3_close(d->db) != SQLITE_OK)
        return failed(d, err);
    d->db = NULL;
    return take_name(d, err);
}
