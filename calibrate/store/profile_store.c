/*
 * profile_store.c - see profile_store.h.
 */
#include "calibrate/store/profile_store_sql.h"
#include "models/profile/profile_schema.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cal_store_failed(struct cal_store *s, const char *doing, struct dcs_err *err)
{
    const char *why = s->db != NULL ? sqlite3_errmsg(s->db) : "out of memory";
    const char *hint = "";
    switch (s->db != NULL ? sqlite3_errcode(s->db) & 0xff : SQLITE_NOMEM) {
    case SQLITE_BUSY:
        hint = "; another program keeps it locked";
        break;
    case SQLITE_FULL:
    case SQLITE_IOERR:
        hint = "; steps that were done are kept: make room and run again";
        s->broken = true;
        break;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        hint = "; the folder must exist and be writable";
        s->broken = true;
        break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        hint = "; it is no database, or a damaged one: name another file";
        s->broken = true;
        break;
    default:
        break;
    }
    return dcs_err_at(err, s->path, 0, NULL, "cannot %s: %s%s", doing, why, hint);
}

static int run_sql(struct cal_store *s, const char *sql, const char *doing, struct dcs_err *err)
{
    if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return 0;
    return cal_store_failed(s, doing, err);
}

/* SQLite has rolled back by itself after some errors; then the first does nothing. After others, a
 * full disk among them, it does so only when the file is next read, and until then the journal
 * would undo whatever somebody puts under the file's name. */
static void roll_back(struct cal_store *s)
{
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_exec(s->db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
}

/* --- binding --- */

static int bind_statistics(sqlite3_stmt *statement, int *place, const struct cal_statistics *v)
{
    const int64_t before[] = {v->n, v->throttled, v->median_ns};
    for (int i = 0; i < 3; i++)
        sqlite3_bind_int64(statement, (*place)++, before[i]);
    sqlite3_bind_double(statement, (*place)++, v->mean_ns);
    sqlite3_bind_double(statement, (*place)++, v->stddev_ns);
    sqlite3_bind_int64(statement, (*place)++, v->min_ns);
    sqlite3_bind_int64(statement, (*place)++, v->max_ns);
    sqlite3_bind_text(statement, (*place)++, v->stop, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(statement, (*place)++, v->clock_mhz);
    return sqlite3_bind_text(statement, (*place)++, v->l2, -1, SQLITE_TRANSIENT);
}

static bool bind(sqlite3_stmt *statement, const char *format, va_list *values)
{
    int place = 1, status = SQLITE_OK;
    for (; *format != '\0' && status == SQLITE_OK; format++) {
        switch (*format) {
        case 'i':
            status = sqlite3_bind_int64(statement, place++, va_arg(*values, int64_t));
            break;
        case 'r':
            status = sqlite3_bind_double(statement, place++, va_arg(*values, double));
            break;
        case 't':
            status = sqlite3_bind_text(statement, place++, va_arg(*values, const char *), -1,
                                       SQLITE_TRANSIENT);
            break;
        case 'n':
            status = sqlite3_bind_null(statement, place++);
            break;
        case 's':
            status =
                bind_statistics(statement, &place, va_arg(*values, const struct cal_statistics *));
            break;
        default:
            DCS_ASSERT(false); /* not a letter of the format */
        }
    }
    DCS_ASSERT(sqlite3_bind_parameter_count(statement) == place - 1);
    return status == SQLITE_OK;
}

static sqlite3_stmt *prepare(struct cal_store *s, const char *sql, const char *format,
                             va_list *values)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return NULL;
    if (!bind(statement, format, values)) {
        sqlite3_finalize(statement);
        return NULL;
    }
    return statement;
}

static int execute(struct cal_store *s, const char *sql, const char *doing, const char *format,
                   va_list *values, struct dcs_err *err)
{
    sqlite3_stmt *statement = prepare(s, sql, format, values);
    bool done = statement != NULL && sqlite3_step(statement) == SQLITE_DONE;
    if (!done)
        cal_store_failed(s, doing, err);
    sqlite3_finalize(statement);
    return done ? 0 : -1;
}

int cal_store_execute(struct cal_store *s, struct dcs_err *err, const char *sql, const char *format,
                      ...)
{
    va_list values;
    va_start(values, format);
    int result = execute(s, sql, "write", format, &values, err);
    va_end(values);
    return result;
}

int cal_store_put(struct cal_store *s, struct dcs_err *err, const char *table, const char *format,
                  ...)
{
    char sql[512];
    int used = snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO %s VALUES (", table);
    for (const char *f = format; *f != '\0'; f++)
        used += snprintf(sql + used, sizeof sql - (size_t)used, "%s%s", f == format ? "" : ",",
                         *f == 's' ? "?,?,?,?,?,?,?,?,?,?" : "?");
    DCS_ASSERT((size_t)used + 2 < sizeof sql);
    strcpy(sql + used, ")");
    va_list values;
    va_start(values, format);
    int result = execute(s, sql, "write a row", format, &values, err);
    va_end(values);
    return result;
}

/* --- asking --- */

bool cal_store_get(struct cal_store *s, double *value, const char *sql, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    sqlite3_stmt *statement = prepare(s, sql, format, &values);
    va_end(values);
    bool found = statement != NULL && sqlite3_step(statement) == SQLITE_ROW &&
                 sqlite3_column_type(statement, 0) != SQLITE_NULL;
    if (found)
        *value = sqlite3_column_double(statement, 0);
    sqlite3_finalize(statement);
    return found;
}

bool cal_store_get_text(struct cal_store *s, char *text, size_t size, const char *sql,
                        const char *format, ...)
{
    va_list values;
    va_start(values, format);
    sqlite3_stmt *statement = prepare(s, sql, format, &values);
    va_end(values);
    bool found = statement != NULL && sqlite3_step(statement) == SQLITE_ROW &&
                 sqlite3_column_type(statement, 0) != SQLITE_NULL;
    if (found)
        snprintf(text, size, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return found;
}

int cal_store_each(struct cal_store *s, const char *sql, bool (*take)(void *, const char *const *),
                   void *context, struct dcs_err *err)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return cal_store_failed(s, "read", err);
    int columns = sqlite3_column_count(statement), status;
    const char *texts[64] = {NULL};
    DCS_ASSERT(columns <= 64);
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++)
            texts[i] = (const char *)sqlite3_column_text(statement, i);
        if (!take(context, texts)) {
            status = SQLITE_DONE;
            break;
        }
    }
    int result = status == SQLITE_DONE ? 0 : cal_store_failed(s, "read", err);
    sqlite3_finalize(statement);
    return result;
}

/* --- choosing --- */

/*
 * Parameters of both: application, size, launches_max, min_ns, max_ns, count, rank.
 *   k       the kernels at that size; share: what all of a shape take of a request
 *   fits    those that can be run beside others
 *   chosen  those that are
 */
#define CHOICE                                                                                     \
    "WITH k AS (SELECT kernel, kernel_shape.kind AS kind, launches, repeatable, median_ns,"        \
    "  median_ns * count AS share, splits FROM kernel_solo"                                        \
    "  JOIN kernel_shape USING (application, size, kernel)"                                        \
    "  JOIN (SELECT kernel, count(*) AS count FROM request_kernel"                                 \
    "   WHERE application = ?1 AND size = ?2 GROUP BY kernel) USING (kernel)"                      \
    "  LEFT JOIN (SELECT kernel, count(DISTINCT sms) AS splits"                                    \
    "   FROM corun_side JOIN corun ON corun.id = corun_side.corun"                                 \
    "   WHERE corun.kind = 'sensitivity' AND side = 0 AND application = ?1 AND size = ?2"          \
    "   GROUP BY kernel) USING (kernel)"                                                           \
    "  WHERE application = ?1 AND size = ?2 AND mechanism = 'whole'"                               \
    "  AND kernel_shape.kind IN ('compute', 'library')),"                                          \
    " fits AS (SELECT kernel, share, splits FROM k WHERE repeatable"                               \
    "  AND (kind = 'library' OR launches <= ?3)"                                                   \
    "  AND (splits IS NOT NULL OR median_ns BETWEEN ?4 AND ?5)),"                                  \
    " chosen AS (SELECT kernel, share FROM fits"                                                   \
    "  ORDER BY splits DESC, share DESC, kernel LIMIT ?6)"

bool cal_store_subject(struct cal_store *s, const char *application, int64_t size,
                       const struct cal_subject_limits *limits, size_t rank, char *kernel,
                       size_t kernel_bytes)
{
    return cal_store_get_text(
        s, kernel, kernel_bytes,
        CHOICE " SELECT kernel FROM chosen ORDER BY share DESC, kernel LIMIT 1 OFFSET ?7",
        "tiiiiii", application, size, limits->launches_max, limits->min_ns, limits->max_ns,
        (int64_t)limits->count, (int64_t)rank);
}

bool cal_store_left_out(struct cal_store *s, const char *application, int64_t size,
                        const struct cal_subject_limits *limits, size_t rank, char *text,
                        size_t text_bytes)
{
    return cal_store_get_text(
        s, text, text_bytes,
        CHOICE
        " SELECT kernel || CASE WHEN NOT repeatable THEN ' (not repeatable)'"
        "  WHEN kind = 'compute' AND launches > ?3"
        "  THEN printf(' (%d launches, more than %d)', launches, ?3)"
        "  WHEN median_ns < ?4"
        "  THEN printf(' (%.1f us, less than %g us)', median_ns / 1e3, ?4 / 1e3)"
        "  ELSE printf(' (%.1f ms, more than %g ms)', median_ns / 1e6, ?5 / 1e6) END"
        " FROM k WHERE kernel NOT IN (SELECT kernel FROM fits)"
        " AND share > (SELECT CASE WHEN count(*) < ?6 THEN 0 ELSE min(share) END FROM chosen)"
        " ORDER BY share DESC, kernel LIMIT 1 OFFSET ?7",
        "tiiiiii", application, size, limits->launches_max, limits->min_ns, limits->max_ns,
        (int64_t)limits->count, (int64_t)rank);
}

/* --- opening --- */

static int put_profile(struct cal_store *s, const char *key, const char *value, struct dcs_err *err)
{
    return cal_store_put(s, err, "profile", "tt", key, value);
}

static int put_profile_number(struct cal_store *s, const char *key, int64_t value,
                              struct dcs_err *err)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return put_profile(s, key, text, err);
}

static int fill_new(struct cal_store *s, const struct cal_provenance *p, struct dcs_err *err)
{
    const char *const texts[][2] = {
        {"schema_version", "2"},
        {"name", p->name},
        {"description", p->description},
        {"source", p->source},
        {"device_uuid", p->device_uuid},
        {"driver", p->driver},
        {"cuda", p->cuda},
        {"tool_version", p->tool_version},
        {"measured_at", p->measured_at},
        {"partial", "yes"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (put_profile(s, texts[i][0], texts[i][1], err) != 0)
            return -1;
    if (put_profile_number(s, "sm_clock_max_mhz", p->max_clock_mhz, err) != 0 ||
        put_profile_number(s, "l2_bytes", p->l2_bytes, err) != 0)
        return -1;
    return cal_store_put(s, err, "device", "ttiit", p->device_name, p->is_cpu ? "cpu" : "gpu",
                         (int64_t)p->sms, p->memory_bytes, p->source);
}

static int create_tables(struct cal_store *s, const struct cal_provenance *p, struct dcs_err *err)
{
    if (cal_store_begin(s, err) != 0)
        return -1;
    int failed = cal_store_add_tables(s, err) != 0 || fill_new(s, p, err) != 0;
    return cal_store_end(s, !failed, err) != 0 || failed ? -1 : 0;
}

/* Goes on with another device of the same model: all UUIDs are named, in the order of their use. */
static int add_device(struct cal_store *s, const char *uuids, const struct cal_provenance *p,
                      struct dcs_err *err)
{
    char all[CAL_UUIDS_BYTES];
    int used = snprintf(all, sizeof all, "%s, %s", uuids, p->device_uuid);
    if (used >= (int)sizeof all)
        return dcs_err_at(err, s->path, 0, NULL, "too many devices in one profile");
    return put_profile(s, "device_uuid", all, err);
}

/* That what is there was measured on this device, with this driver. */
static int check_same(struct cal_store *s, const struct cal_provenance *p, struct dcs_err *err)
{
    char found[512];
    const char *ask = "SELECT value FROM profile WHERE key = ?";
    if (!cal_store_get_text(s, found, sizeof found, ask, "t", "schema_version"))
        return dcs_err_at(err, s->path, 0, NULL, "this database is no profile; name another file");
    if (strcmp(found, "2") != 0)
        return dcs_err_at(err, s->path, 0, NULL,
                          "a profile of schema version %.20s, and measurements are kept in version "
                          "2; name another file",
                          found);
    if (!cal_store_get_text(s, found, sizeof found, "SELECT name FROM device", ""))
        snprintf(found, sizeof found, "an unknown device");
    char uuids[CAL_UUIDS_BYTES] = "none", driver[128] = "none";
    double sms = 0;
    cal_store_get_text(s, uuids, sizeof uuids, ask, "t", "device_uuid");
    cal_store_get_text(s, driver, sizeof driver, ask, "t", "driver");
    cal_store_get(s, &sms, "SELECT sms FROM device", "");
    bool known = strstr(uuids, p->device_uuid) != NULL;
    bool as_many = (int)sms == p->sms || (p->in_part && (int)sms > p->sms);
    bool same_model = strcmp(found, p->device_name) == 0 && as_many;
    if (!known && !(same_model && p->same_model))
        return dcs_err_at(err, s->path, 0, NULL,
                          "is the profile of another device, %.100s with UUID %.200s, and this one "
                          "is %.100s with UUID %s; name another file with --output%s",
                          found, uuids, p->device_name, p->device_uuid,
                          same_model ? ", or go on with this one by --same-model" : "");
    const char *what = p->is_cpu ? "system" : "driver";
    if (strcmp(driver, p->driver) != 0)
        return dcs_err_at(err, s->path, 0, NULL,
                          "was measured with %s %s, and this is %s %s: times of both do "
                          "not belong in one profile; name another file with --output",
                          what, driver, what, p->driver);
    if (p->is_cpu && (int)sms != p->sms)
        return dcs_err_at(err, s->path, 0, NULL,
                          "was measured on %d cores, and these are %d: go on with --cores %d, or "
                          "name another file with --output",
                          (int)sms, p->sms, (int)sms);
    return known ? 0 : add_device(s, uuids, p, err);
}

static struct cal_store *connect(const char *path, int flags, struct dcs_err *err)
{
    struct cal_store *s = dcs_alloc(1, sizeof *s);
    snprintf(s->path, sizeof s->path, "%s", path);
    if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK) {
        cal_store_failed(s, "open the profile", err);
        cal_store_close(s);
        return NULL;
    }
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, 2000);
    return s;
}

int cal_store_add_tables(struct cal_store *s, struct dcs_err *err)
{
    char sql[4096];
    struct dcs_profile_table t = {0};
    while (dcs_profile_next_table(&t)) {
        snprintf(sql, sizeof sql, "CREATE TABLE IF NOT EXISTS %s%s", t.name, t.columns);
        if (run_sql(s, sql, "make the tables", err) != 0)
            return -1;
    }
    return 0;
}

struct cal_store *cal_store_open(const char *path, const struct cal_provenance *provenance,
                                 struct dcs_err *err)
{
    struct cal_store *s = connect(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (s == NULL)
        return NULL;
    double tables = -1;
    int failed =
        run_sql(s, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;", "open", err);
    if (!failed && !cal_store_get(s, &tables, "SELECT count(*) FROM sqlite_master", ""))
        failed = cal_store_failed(s, "read", err);
    if (!failed)
        failed = tables == 0
                     ? create_tables(s, provenance, err)
                     : check_same(s, provenance, err) != 0 || cal_store_add_tables(s, err) != 0;
    if (failed) {
        cal_store_close(s);
        return NULL;
    }
    return s;
}

struct cal_store *cal_store_open_existing(const char *path, struct dcs_err *err)
{
    double tables = 0;
    if (access(path, F_OK) != 0) {
        dcs_err_at(err, path, 0, NULL, "the profile cannot be read: %s", strerror(errno));
        return NULL;
    }
    struct cal_store *s = connect(path, SQLITE_OPEN_READWRITE, err);
    if (s == NULL)
        return NULL;
    int failed = 0;
    if (!cal_store_get(s, &tables, "SELECT count(*) FROM sqlite_master WHERE name = 'step'", ""))
        failed = cal_store_failed(s, "read", err);
    else if (tables == 0)
        failed = dcs_err_at(err, path, 0, NULL, "this is no profile of dcsim-calibrate");
    if (!failed)
        return s;
    cal_store_close(s);
    return NULL;
}

void cal_store_close(struct cal_store *s)
{
    if (s == NULL)
        return;
    roll_back(s); /* where the disk is still full, the one before could not */
    sqlite3_close(s->db);
    free(s);
}

/* --- transactions --- */

int cal_store_begin(struct cal_store *s, struct dcs_err *err)
{
    if (s->depth == 0 && run_sql(s, "BEGIN IMMEDIATE", "begin", err) != 0)
        return -1;
    s->depth++;
    return 0;
}

int cal_store_end(struct cal_store *s, bool keep, struct dcs_err *err)
{
    DCS_ASSERT(s->depth > 0);
    s->depth--;
    if (s->depth > 0 || (keep && run_sql(s, "COMMIT", "store what was begun", err) == 0))
        return 0;
    roll_back(s);
    return keep ? -1 : 0;
}

/* --- steps --- */

bool cal_store_broken(const struct cal_store *s)
{
    return s->broken;
}

enum cal_step_state cal_store_step(struct cal_store *s, const char *key)
{
    char state[16];
    if (!cal_store_get_text(s, state, sizeof state, "SELECT state FROM step WHERE key = ?", "t",
                            key))
        return CAL_STEP_MISSING;
    return strcmp(state, "done") == 0 ? CAL_STEP_DONE : CAL_STEP_FAILED;
}

int cal_store_begin_step(struct cal_store *s, struct dcs_err *err)
{
    DCS_ASSERT(s->depth == 0);
    return cal_store_begin(s, err);
}

int cal_store_end_step(struct cal_store *s, const char *key, const char *kind, double seconds,
                       struct dcs_err *err)
{
    int failed = cal_store_put(s, err, "step", "ttttr", key, kind, "done", "",
                               (double)(long)(seconds * 1e3) / 1e3);
    return cal_store_end(s, !failed, err) != 0 || failed ? -1 : 0;
}

int cal_store_fail_step(struct cal_store *s, const char *key, const char *kind, const char *reason,
                        double seconds, struct dcs_err *err)
{
    cal_store_end(s, false, err);
    return cal_store_put(s, err, "step", "ttttr", key, kind, "failed", reason,
                         (double)(long)(seconds * 1e3) / 1e3);
}

int cal_store_undo_step(struct cal_store *s, struct dcs_err *err)
{
    return cal_store_end(s, false, err);
}

int cal_store_forget_failed(struct cal_store *s, const char *kind, struct dcs_err *err)
{
    if (kind == NULL)
        return cal_store_execute(s, err, "DELETE FROM step WHERE state = 'failed'", "");
    return cal_store_execute(s, err, "DELETE FROM step WHERE state = 'failed' AND kind = ?", "t",
                             kind);
}

/* --- the tables of version 1 --- */

bool cal_store_is_cpu(struct cal_store *s)
{
    char kind[8] = "";
    cal_store_get_text(s, kind, sizeof kind, "SELECT kind FROM device", "");
    return strcmp(kind, "cpu") == 0;
}

extern const char rebuild_sql[], rebuild_cpu_sql[]; /* rebuild.sql, rebuild_cpu.sql */

static int make_version_1(struct cal_store *s, struct dcs_err *err)
{
    return run_sql(s, cal_store_is_cpu(s) ? rebuild_cpu_sql : rebuild_sql,
                   "make the tables of version 1", err);
}

int cal_store_finish(struct cal_store *s, bool partial, struct dcs_err *err)
{
    if (cal_store_begin(s, err) != 0)
        return -1;
    int failed =
        make_version_1(s, err) != 0 || put_profile(s, "partial", partial ? "yes" : "no", err) != 0;
    return cal_store_end(s, !failed, err) != 0 || failed ? -1 : 0;
}
