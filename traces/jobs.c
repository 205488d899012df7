/*
 * jobs.c - see jobs.h: the handle and the schema first, then the provenance, then the jobs.
 *
 * Why a scan cannot run for ever: a damaged tree may lead to the same page again and again, but
 * jobs must come in strictly ascending order of (arrival, id), and sources with the ids 1, 2, 3, so
 * that the first repetition is an error.
 */
#include "traces/jobs.h"

#include "models/profile/database.h"
#include "traces/jobs_file.h"

#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES (1 << 20) /* no value of an import is as long */

struct trace_jobs {
    char *path;
    sqlite3 *db;
    sqlite3_stmt *query; /* NULL: no pass has begun */
    struct stat file;    /* as it was when it was hashed */
    struct trace_jobs_info info;
    struct trace_jobs_filter filter;
    struct trace_jobs_counts counts;
    int64_t last_arrival_ns, last_id;
    bool ended; /* the pass; SQLite would begin another */
};

/* ---- the handle ---- */

static int sqlite_failed(const struct trace_jobs *j, struct dcs_err *err)
{
    int code = sqlite3_errcode(j->db);
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return dcs_err_at(err, j->path, 0, NULL,
                          "is a damaged or incomplete database of jobs (%s); import it again",
                          sqlite3_errmsg(j->db));
    return dcs_err_at(err, j->path, 0, NULL, "cannot read the database of jobs: %s",
                      sqlite3_errmsg(j->db));
}

static int open_handle(struct trace_jobs *j, struct dcs_err *err)
{
    char *path = database_path(j->path);
    int code = sqlite3_open_v2(path, &j->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    free(path);
    if (code != SQLITE_OK)
        return sqlite_failed(j, err);
    database_limit(j->db, VALUE_BYTES);
    const char *pragmas = "PRAGMA cache_size=-32768; PRAGMA temp_store=MEMORY;"
                          "PRAGMA query_only=ON;";
    if (sqlite3_db_config(j->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL) != SQLITE_OK ||
        database_harden(j->db) != SQLITE_OK ||
        sqlite3_exec(j->db, pragmas, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite_failed(j, err);
    return 0;
}

static int ask_number(struct trace_jobs *j, const char *sql, int64_t *out, struct dcs_err *err)
{
    return database_number(j->db, sql, out) == SQLITE_ROW ? 0 : sqlite_failed(j, err);
}

static int check_version(struct trace_jobs *j, struct dcs_err *err)
{
    int64_t id = 0, version = 0;
    if (ask_number(j, "PRAGMA application_id", &id, err) != 0 ||
        ask_number(j, "PRAGMA user_version", &version, err) != 0)
        return -1;
    if (id != TRACE_JOBS_APPLICATION_ID)
        return dcs_err_at(err, j->path, 0, NULL,
                          "is an SQLite database, but not one of jobs; dcsim trace import makes "
                          "one of a trace");
    if (version != TRACE_JOBS_SCHEMA)
        return dcs_err_at(err, j->path, 0, NULL,
                          "has version %lld of the form, expected %d; import the trace again",
                          (long long)version, TRACE_JOBS_SCHEMA);
    return 0;
}

/* ---- the schema ---- */

/* Nothing but what an import makes; so no view, trigger or virtual table can stand behind a name,
 * and no function can run. */
static int check_objects(struct trace_jobs *j, struct dcs_err *err)
{
    static const char *const known[][2] = {
        {"table", "trace"}, {"table", "source"},      {"table", "issue"},
        {"table", "job"},   {"index", "job_arrival"}, {"index", "sqlite_autoindex_issue_1"},
    };
    enum { KNOWN = sizeof known / sizeof *known };
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(j->db, "SELECT type, name, rootpage > 0 FROM sqlite_master", -1, &s,
                           NULL) != SQLITE_OK)
        return sqlite_failed(j, err);
    size_t found = 0;
    int code, status = 0;
    while (status == 0 && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *type = (const char *)sqlite3_column_text(s, 0);
        const char *name = (const char *)sqlite3_column_text(s, 1);
        size_t i = 0;
        while (i < KNOWN && (type == NULL || name == NULL || strcmp(type, known[i][0]) != 0 ||
                             strcmp(name, known[i][1]) != 0))
            i++;
        if (i == KNOWN || sqlite3_column_int(s, 2) != 1 || ++found > KNOWN)
            status = dcs_err_at(err, j->path, 0, NULL,
                                "has a %.20s \"%.60s\", which no import makes; refused",
                                type != NULL ? type : "NULL", name != NULL ? name : "NULL");
    }
    if (status == 0 && code != SQLITE_DONE)
        status = sqlite_failed(j, err);
    else if (status == 0 && found != KNOWN)
        status = dcs_err_at(err, j->path, 0, NULL,
                            "lacks tables or the index of an import; it was not completed, import "
                            "the trace again");
    sqlite3_finalize(s);
    return status;
}

/* columns: as "a,b,c", in order, none of them generated. */
static int check_columns(struct trace_jobs *j, const char *table, const char *columns,
                         struct dcs_err *err)
{
    char sql[120], found[1024] = "";
    snprintf(sql, sizeof sql, "SELECT name, hidden FROM pragma_table_xinfo('%s')", table);
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(j->db, sql, -1, &s, NULL) != SQLITE_OK)
        return sqlite_failed(j, err);
    size_t used = 0;
    bool plain = true;
    while (sqlite3_step(s) == SQLITE_ROW && used < sizeof found) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        int length = snprintf(found + used, sizeof found - used, "%s%s", used > 0 ? "," : "",
                              name != NULL ? name : "");
        used += (size_t)length;
        plain = plain && sqlite3_column_int(s, 1) == 0;
    }
    sqlite3_finalize(s);
    if (plain && strcmp(found, columns) == 0)
        return 0;
    return dcs_err_at(err, j->path, 0, table, "expected the plain columns %s; found %.300s",
                      columns, found);
}

static int check_index(struct trace_jobs *j, struct dcs_err *err)
{
    int64_t whole = 0, ordered = 0;
    if (ask_number(
            j,
            "SELECT count(*) FROM pragma_index_list('job') WHERE name = 'job_arrival' AND NOT "
            "partial AND origin = 'c'",
            &whole, err) != 0 ||
        ask_number(
            j,
            "SELECT count(*) = 2 AND sum(seqno = 0 AND name = 'arrival_ns' AND NOT \"desc\") = 1 "
            "AND sum(seqno = 1 AND cid = -1 AND NOT \"desc\") = 1 "
            "FROM pragma_index_xinfo('job_arrival')",
            &ordered, err) != 0)
        return -1;
    if (whole == 1 && ordered == 1)
        return 0;
    return dcs_err_at(err, j->path, 0, "job", "expected the index job_arrival on arrival_ns alone");
}

/* While rows are read nothing else may happen. */
static int authorize(void *context, int action, const char *a, const char *b, const char *database,
                     const char *trigger)
{
    (void)context, (void)b, (void)database;
    if (trigger != NULL)
        return SQLITE_DENY;
    if (action == SQLITE_SELECT)
        return SQLITE_OK;
    bool ours =
        a != NULL && (strcmp(a, "job") == 0 || strcmp(a, "trace") == 0 || strcmp(a, "source") == 0);
    return action == SQLITE_READ && ours ? SQLITE_OK : SQLITE_DENY;
}

static int check_schema(struct trace_jobs *j, struct dcs_err *err)
{
    if (check_objects(j, err) != 0 ||
        check_columns(j, "trace", "format,description,jobs,rows,first_arrival_ns,end_ns,complete",
                      err) != 0 ||
        check_columns(j, "source", "id,name,sha256,compressed_bytes,bytes,rows", err) != 0 ||
        check_columns(j, "job",
                      "id,arrival_ns,start_ns,duration_ns,class,gpus,cpus,priority,censored,early,"
                      "status,models,source_key,file,line",
                      err) != 0 ||
        check_index(j, err) != 0)
        return -1;
    sqlite3_set_authorizer(j->db, authorize, NULL);
    return 0;
}

/* ---- values ---- */

/* A row that is being read, so that its errors know where it is. */
struct cursor {
    const struct trace_jobs *j;
    sqlite3_stmt *s;
    const char *table;
    int64_t id; /* of the row; 0: it is the only one */
    struct dcs_err *err;
};

static int wrong(const struct cursor *c, int column, const char *expected)
{
    bool null = sqlite3_column_type(c->s, column) == SQLITE_NULL;
    const char *found = null ? NULL : (const char *)sqlite3_column_text(c->s, column);
    char row[40] = "";
    if (c->id != 0)
        snprintf(row, sizeof row, "row %lld: ", (long long)c->id);
    return dcs_err_at(c->err, c->j->path, 0, c->table, "%s%s: expected %s, found %.60s", row,
                      sqlite3_column_name(c->s, column), expected, found != NULL ? found : "NULL");
}

static int integer(const struct cursor *c, int column, int64_t least, int64_t most, int64_t *out)
{
    *out = sqlite3_column_int64(c->s, column);
    if (sqlite3_column_type(c->s, column) == SQLITE_INTEGER && *out >= least && *out <= most)
        return 0;
    char expected[80];
    snprintf(expected, sizeof expected, "an integer in %lld..%lld", (long long)least,
             (long long)most);
    return wrong(c, column, expected);
}

static int number(const struct cursor *c, int column, double most, double *out)
{
    int type = sqlite3_column_type(c->s, column);
    *out = sqlite3_column_double(c->s, column);
    if ((type == SQLITE_FLOAT || type == SQLITE_INTEGER) && *out >= 0 && *out <= most)
        return 0;
    char expected[60];
    snprintf(expected, sizeof expected, "a number in 0..%g", most);
    return wrong(c, column, expected);
}

static int flag(const struct cursor *c, int column, bool *out)
{
    int64_t value;
    int status = integer(c, column, 0, 1, &value);
    *out = value == 1;
    return status;
}

/* NULL and err where it is no text, has a NUL inside or is too long. */
static const char *text(const struct cursor *c, int column, size_t most)
{
    char expected[60];
    if (sqlite3_column_type(c->s, column) == SQLITE_TEXT) {
        const char *found = (const char *)sqlite3_column_text(c->s, column);
        size_t length = (size_t)sqlite3_column_bytes(c->s, column);
        if (found != NULL && length <= most && strlen(found) == length)
            return found;
    }
    snprintf(expected, sizeof expected, "text of at most %zu bytes", most);
    wrong(c, column, expected);
    return NULL;
}

/* *out = its place among the names. */
static int one_of(const struct cursor *c, int column, const char *const *names, int count,
                  const char *expected, int *out)
{
    const char *found = (const char *)sqlite3_column_text(c->s, column);
    for (*out = 0; found != NULL && *out < count; (*out)++)
        if (strcmp(found, names[*out]) == 0)
            return 0;
    return wrong(c, column, expected);
}

/* ---- the provenance ---- */

static int read_trace(struct cursor *c, struct trace_jobs_info *info)
{
    bool complete;
    if (flag(c, 6, &complete) != 0)
        return -1;
    if (!complete)
        return dcs_err_at(c->err, c->j->path, 0, c->table,
                          "the import was not completed; import the trace again");
    const char *format = text(c, 0, sizeof info->format - 1);
    if (format == NULL)
        return -1;
    snprintf(info->format, sizeof info->format, "%s", format);
    const char *description = text(c, 1, sizeof info->description - 1);
    if (description == NULL)
        return -1;
    snprintf(info->description, sizeof info->description, "%s", description);
    if (integer(c, 2, 0, DCS_TIME_MAX, &info->jobs) != 0 ||
        integer(c, 3, 0, DCS_TIME_MAX, &info->rows) != 0 ||
        integer(c, 4, 0, DCS_TIME_MAX, &info->first_arrival_ns) != 0 ||
        integer(c, 5, 0, DCS_TIME_MAX, &info->end_ns) != 0)
        return -1;
    return 0;
}

static int read_source(struct cursor *c, struct trace_jobs_info *info, size_t *capacity,
                       size_t *bytes)
{
    int64_t id, expected = (int64_t)info->sources_count + 1;
    if (expected > TRACE_JOBS_SOURCES_MAX)
        return dcs_err_at(c->err, c->j->path, 0, c->table, "has above %d rows; refused",
                          TRACE_JOBS_SOURCES_MAX);
    if (integer(c, 0, expected, expected, &id) != 0)
        return -1;
    c->id = id;
    const char *name = text(c, 1, TRACE_JOBS_NAME_MAX);
    if (name == NULL)
        return -1;
    *bytes += strlen(name);
    if (*bytes > TRACE_JOBS_SOURCE_BYTES_MAX)
        return dcs_err_at(c->err, c->j->path, 0, c->table,
                          "row %lld: the names are longer than %d bytes in all; refused",
                          (long long)id, TRACE_JOBS_SOURCE_BYTES_MAX);
    info->sources = dcs_grow(info->sources, capacity, (size_t)id, sizeof *info->sources);
    struct trace_jobs_source *s = &info->sources[info->sources_count++];
    s->name = dcs_strdup(name);
    const char *sha = text(c, 2, 64);
    if (sha == NULL)
        return -1;
    if (strlen(sha) != 64 || strspn(sha, "0123456789abcdef") != 64)
        return wrong(c, 2, "64 hexadecimal digits");
    snprintf(s->sha256, sizeof s->sha256, "%s", sha);
    if (integer(c, 3, 0, DCS_TIME_MAX, &s->compressed_bytes) != 0 ||
        integer(c, 4, 0, DCS_TIME_MAX, &s->bytes) != 0 ||
        integer(c, 5, 0, DCS_TIME_MAX, &s->rows) != 0)
        return -1;
    return 0;
}

static int read_provenance(struct trace_jobs *j, struct dcs_err *err)
{
    struct cursor c = {.j = j, .table = "trace", .err = err};
    if (sqlite3_prepare_v2(j->db, "SELECT * FROM trace LIMIT 2", -1, &c.s, NULL) != SQLITE_OK)
        return sqlite_failed(j, err);
    int code = sqlite3_step(c.s), status = 0;
    if (code == SQLITE_ROW) {
        status = read_trace(&c, &j->info);
        if (status == 0)
            code = sqlite3_step(c.s);
        if (status == 0 && code == SQLITE_ROW)
            status = dcs_err_at(err, j->path, 0, "trace", "expected one row, found more");
    } else if (code == SQLITE_DONE) {
        status = dcs_err_at(err, j->path, 0, "trace",
                            "the import was not completed; import the trace again");
    }
    if (status == 0 && code != SQLITE_DONE)
        status = sqlite_failed(j, err);
    sqlite3_finalize(c.s);
    if (status != 0)
        return -1;

    c = (struct cursor){.j = j, .table = "source", .err = err};
    if (sqlite3_prepare_v2(j->db, "SELECT * FROM source ORDER BY id", -1, &c.s, NULL) != SQLITE_OK)
        return sqlite_failed(j, err);
    size_t capacity = 0, bytes = 0;
    while (status == 0 && (code = sqlite3_step(c.s)) == SQLITE_ROW)
        status = read_source(&c, &j->info, &capacity, &bytes);
    if (status == 0 && code != SQLITE_DONE)
        status = sqlite_failed(j, err);
    sqlite3_finalize(c.s);
    return status;
}

/* A window passes over what lies before or behind it in the index, so that what has no place in
 * time would be missing silently: NULL stands before all numbers there, text and blobs behind them.
 */
static int check_arrivals(struct trace_jobs *j, struct dcs_err *err)
{
    static const char *const sql[] = {
        "SELECT id, arrival_ns FROM job INDEXED BY job_arrival WHERE arrival_ns IS NULL LIMIT 1",
        "SELECT id, arrival_ns FROM job INDEXED BY job_arrival WHERE arrival_ns < 0 LIMIT 1",
        "SELECT id, arrival_ns FROM job INDEXED BY job_arrival WHERE arrival_ns > ? LIMIT 1",
    };
    for (size_t i = 0; i < sizeof sql / sizeof *sql; i++) {
        struct cursor c = {.j = j, .table = "job", .err = err};
        if (sqlite3_prepare_v2(j->db, sql[i], -1, &c.s, NULL) != SQLITE_OK)
            return sqlite_failed(j, err);
        if (sqlite3_bind_parameter_count(c.s) == 1)
            sqlite3_bind_int64(c.s, 1, DCS_TIME_MAX);
        int code = sqlite3_step(c.s), status = 0;
        if (code == SQLITE_ROW) {
            c.id = sqlite3_column_int64(c.s, 0);
            status = wrong(&c, 1, "an integer in 0..2^62");
        } else if (code != SQLITE_DONE) {
            status = sqlite_failed(j, err);
        }
        sqlite3_finalize(c.s);
        if (status != 0)
            return -1;
    }
    return 0;
}

int trace_jobs_open(const char *path, struct trace_jobs **out, struct dcs_err *err)
{
    struct trace_jobs *j = dcs_alloc(1, sizeof *j);
    j->path = dcs_strdup(path);
    *out = NULL;
    if (trace_jobs_hash(j->path, &j->file, j->info.sha256, err) != 0 || open_handle(j, err) != 0 ||
        check_version(j, err) != 0 || check_schema(j, err) != 0 || read_provenance(j, err) != 0 ||
        check_arrivals(j, err) != 0) {
        trace_jobs_close(j);
        return -1;
    }
    *out = j;
    return 0;
}

void trace_jobs_close(struct trace_jobs *j)
{
    if (j == NULL)
        return;
    sqlite3_finalize(j->query);
    sqlite3_close(j->db);
    for (size_t i = 0; i < j->info.sources_count; i++)
        free(j->info.sources[i].name);
    free(j->info.sources);
    free(j->path);
    free(j);
}

const struct trace_jobs_info *trace_jobs_info(const struct trace_jobs *j)
{
    return &j->info;
}

/* ---- the jobs ---- */

int trace_jobs_select(struct trace_jobs *j, const struct trace_jobs_filter *filter,
                      struct dcs_err *err)
{
    /* INDEXED BY: no sorting, which would need memory or a temporary file of the whole table. */
    static const char sql[] =
        "SELECT id, arrival_ns, start_ns, duration_ns, class, gpus, cpus, priority, censored, "
        "early, status, models, source_key, file, line FROM job INDEXED BY job_arrival "
        "WHERE arrival_ns >= ? AND arrival_ns < ? ORDER BY arrival_ns, id";
    j->filter = *filter;
    j->counts = (struct trace_jobs_counts){0};
    j->last_arrival_ns = INT64_MIN;
    j->last_id = 0;
    j->ended = false;
    if (j->query == NULL && sqlite3_prepare_v2(j->db, sql, -1, &j->query, NULL) != SQLITE_OK)
        return sqlite_failed(j, err);
    sqlite3_reset(j->query);
    /* From 0 on means all, so that an arrival below 0 is an error, not passed over. */
    sqlite3_bind_int64(j->query, 1, filter->from_ns > 0 ? filter->from_ns : INT64_MIN);
    sqlite3_bind_int64(j->query, 2, filter->until_ns > 0 ? filter->until_ns : INT64_MAX);
    return 0;
}

static int read_job(struct cursor *c, struct trace_jobs_row *row)
{
    static const char *const classes[] = {[DCS_LATENCY] = "latency", [DCS_BATCH] = "batch"};
    static const char *const statuses[] = {[TRACE_STATUS_SUCCESS] = "success",
                                           [TRACE_STATUS_FAILED] = "failed",
                                           [TRACE_STATUS_UNKNOWN] = "unknown"};
    int class, outcome;
    int64_t priority, file, line;
    c->id = sqlite3_column_int64(c->s, 0);
    if (integer(c, 0, 1, DCS_TIME_MAX, &row->id) != 0 ||
        integer(c, 1, 0, DCS_TIME_MAX, &row->arrival_ns) != 0 ||
        integer(c, 2, row->arrival_ns, DCS_TIME_MAX, &row->start_ns) != 0 ||
        integer(c, 3, 1, DCS_TIME_MAX, &row->duration_ns) != 0 ||
        one_of(c, 4, classes, 2, "latency or batch", &class) != 0 ||
        number(c, 5, TRACE_JOBS_GPUS_MAX, &row->gpus) != 0 ||
        number(c, 6, TRACE_JOBS_CPUS_MAX, &row->cpus) != 0 ||
        integer(c, 7, INT32_MIN, INT32_MAX, &priority) != 0 || flag(c, 8, &row->censored) != 0 ||
        flag(c, 9, &row->early) != 0 ||
        one_of(c, 10, statuses, 3, "success, failed or unknown", &outcome) != 0 ||
        integer(c, 13, 1, (int64_t)c->j->info.sources_count, &file) != 0 ||
        integer(c, 14, 0, DCS_TIME_MAX, &line) != 0)
        return -1;
    const char *models = text(c, 11, sizeof row->models - 1);
    if (models == NULL)
        return -1;
    if (!trace_models(models, row->models))
        return wrong(c, 11, "names of GPU models with | between them");
    const char *key = text(c, 12, sizeof row->key - 1);
    if (key == NULL)
        return -1;
    snprintf(row->key, sizeof row->key, "%s", key);
    row->class = (enum dcs_class) class;
    row->status = (enum trace_status)outcome;
    row->priority = (int32_t)priority;
    row->file = (uint32_t)file;
    row->line = (uint64_t)line;
    return 0;
}

static bool takes(struct trace_jobs *j, const struct trace_jobs_row *row)
{
    const struct trace_jobs_filter *f = &j->filter;
    int64_t *reason = &j->counts.taken;
    if (f->one_class && row->class != f->class)
        reason = &j->counts.other_class;
    else if (f->skip_censored && row->censored)
        reason = &j->counts.censored;
    else if (f->skip_early && row->early)
        reason = &j->counts.early;
    else if (f->skip_failed && row->status == TRACE_STATUS_FAILED)
        reason = &j->counts.failed;
    else if (f->skip_unknown && !row->censored && row->status == TRACE_STATUS_UNKNOWN)
        reason = &j->counts.unknown;
    ++*reason;
    j->counts.in_window++;
    return reason == &j->counts.taken;
}

/* All rows were seen: do they add up? */
static int check_end(struct trace_jobs *j, struct dcs_err *err)
{
    bool all = j->filter.from_ns <= 0 && j->filter.until_ns <= 0;
    if (all && j->counts.in_window != j->info.jobs)
        return dcs_err_at(err, j->path, 0, "job",
                          "is damaged: expected %lld rows, found %lld; import the trace again",
                          (long long)j->info.jobs, (long long)j->counts.in_window);
    return trace_jobs_check_unchanged(j->path, &j->file, err);
}

int trace_jobs_next(struct trace_jobs *j, struct trace_jobs_row *row, struct dcs_err *err)
{
    DCS_ASSERT(j->query != NULL);
    struct cursor c = {.j = j, .s = j->query, .table = "job", .err = err};
    int code;
    if (j->ended)
        return 0;
    while ((code = sqlite3_step(j->query)) == SQLITE_ROW) {
        if (read_job(&c, row) != 0)
            return -1;
        if (row->arrival_ns < j->last_arrival_ns ||
            (row->arrival_ns == j->last_arrival_ns && row->id <= j->last_id))
            return dcs_err_at(
                err, j->path, 0, "job",
                "row %lld: the index job_arrival is damaged: out of order; import the "
                "trace again",
                (long long)row->id);
        j->last_arrival_ns = row->arrival_ns;
        j->last_id = row->id;
        if (takes(j, row))
            return 1;
    }
    j->ended = code == SQLITE_DONE;
    return j->ended ? check_end(j, err) : sqlite_failed(j, err);
}

struct trace_jobs_counts trace_jobs_counts(const struct trace_jobs *j)
{
    return j->counts;
}
