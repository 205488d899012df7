/* store_sql.c - see store_sql.h. */
#include "results/store_sql.h"

#include <stdlib.h>

static const char *const sql_of[STORE_STATEMENTS] = {
    [FIND_EXPERIMENT] = "SELECT hash, config_hash, (SELECT count(*) FROM application a "
                        "WHERE a.experiment = e.id) FROM experiment e WHERE id = ?",
    [PUT_EXPERIMENT] = "INSERT INTO experiment (id, hash, name, description, config, config_hash, "
                       "policy, seed, devices, predictor, clairvoyant, steady, interval_kind) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [UPDATE_EXPERIMENT] =
        "UPDATE experiment SET name = ?, description = ?, config = ? WHERE id = ?",
    [FIND_SWEEP] = "SELECT hash FROM sweep WHERE id = ?",
    [PUT_SWEEP] = "INSERT INTO sweep (id, hash, name, points) VALUES (?, ?, ?, ?) "
                  "ON CONFLICT (id) DO UPDATE SET name = excluded.name",
    [PUT_AXIS] = "INSERT OR IGNORE INTO axis (sweep, position, axis, key) VALUES (?, ?, ?, ?)",
    [PUT_POINT] = "INSERT OR IGNORE INTO point (sweep, experiment, number) VALUES (?, ?, ?)",
    [PUT_POINT_VALUE] = "INSERT OR IGNORE INTO point_value (sweep, experiment, position, value) "
                        "VALUES (?, ?, ?, ?)",
    [PUT_HYPOTHETICAL] = "INSERT INTO hypothetical (experiment, key) VALUES (?, ?)",
    [PUT_INPUT] = "INSERT INTO input (experiment, kind, position, name, sha256, missing, "
                  "falls_back) VALUES (?, ?, ?, ?, ?, ?, ?)",
    [PUT_DOMAIN] = "INSERT INTO domain (experiment, domain, profile, devices) "
                   "VALUES (?, ?, ?, ?)",
    [PUT_APPLICATION] = "INSERT INTO application (experiment, app, name, class, sla_ns, "
                        "workload_sla_ns) VALUES (?, ?, ?, ?, ?, ?)",
    [PUT_SERVICE] = "INSERT INTO service (experiment, service, app, colocated, first_domain, "
                    "domains, devices, solo_ns, sla_ns, peak_quantile, peak_per_s, rate_per_s) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_TRACE_COUNT] = "INSERT INTO trace_count (experiment, trace, position, what, "
                        "count) VALUES (?, ?, ?, ?, ?)",
    [FIND_RUN] = "SELECT build FROM run WHERE experiment = ? AND replication = ?",
    [PUT_RUN] = "INSERT INTO run (experiment, replication, build, window_from_ns, window_to_ns, "
                "first_arrival_ns, last_completion_ns, requests, launches, revocations, returned, "
                "stranded, events) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_METRIC] = "INSERT INTO metric (experiment, replication, position, app, class, name, unit, "
                   "value, n) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_DEVICE] = "INSERT INTO device_usage (experiment, replication, device, domain, busy_ns, "
                   "useful_ns, lost_ns, overhead_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_RESPONSE] = "INSERT INTO response (experiment, replication, app, count, sum_ns, min_ns, "
                     "max_ns) VALUES (?, ?, ?, ?, ?, ?, ?)",
    [PUT_HISTOGRAM] = "INSERT INTO histogram (experiment, replication, app, low_ns, high_ns, "
                      "count) VALUES (?, ?, ?, ?, ?, ?)",
    [PUT_CUT] = "INSERT INTO cut_off (experiment, replication, app, low_ns, high_ns, count) "
                "VALUES (?, ?, ?, ?, ?, ?)",
    [PUT_BIN_REQUESTS] = "INSERT INTO bin_requests (experiment, replication, bin, app, arrived, "
                         "decided, met) VALUES (?, ?, ?, ?, ?, ?, ?)",
    [PUT_BIN_DEVICES] = "INSERT INTO bin_devices (experiment, replication, bin, from_ns, to_ns, "
                        "waiting, busy, sms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_BIN_JOBS] = "INSERT INTO bin_jobs (experiment, replication, bin, arrived, started, ended) "
                     "VALUES (?, ?, ?, ?, ?, ?)",
    [PUT_WHOLE_JOB] = "INSERT INTO whole_job (experiment, replication, job, submitted_ns, "
                      "started_ns, ended_ns, duration_ns, gpus, revocations, node, nodes, model, "
                      "name) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_WHOLE_JOB_REVOKED] = "INSERT INTO whole_job_revoked (experiment, replication, job, "
                              "from_ns, to_ns) VALUES (?, ?, ?, ?, ?)",
    [DELETE_LOOKS] = "DELETE FROM capacity_look WHERE question = ?",
    [PUT_LOOK] = "INSERT INTO capacity_look (experiment, question, position, vary, value, metric, "
                 "unit, at_least, bound, service, result, low, high, kept, answer, told, reason) "
                 "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_REPLAY] =
        "INSERT INTO replay (experiment, replication, trace, jobs, thinned, requests, "
        "clients, rounded_up, work_ns, trace_work_ns, time_compression, offered, span_ns) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_JOB] = "INSERT INTO job (experiment, replication, job, app, issued, completed, dropped, "
                "begin_ns, end_ns, domain, sla_ns, within_sla, violations, p99_ns) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_REQUEST] = "INSERT INTO request (experiment, replication, job, number, app, domain, "
                    "device, outcome, arrival_ns, start_ns, end_ns, deadline_ns, revocations, "
                    "size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_DECISION] = "INSERT INTO decision (experiment, replication, position, at_ns, domain, job, "
                     "number, app, kernel, what, value) "
                     "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_WALL] = "INSERT INTO wall (experiment, replication, seconds) VALUES (?, ?, ?)",
    [PUT_DRIVEN] = "INSERT INTO driven (experiment, replication, device, uuid, driver, tool, "
                   "ends_by) VALUES (?, ?, ?, ?, ?, ?, ?)",
    [PUT_DRIVEN_LAUNCH] =
        "INSERT INTO driven_launch (experiment, replication, position, job, number, kernel, sms, "
        "got_sms, event_ns, sent_ns, taken_ns, launched_ns, end_ns, heard_ns) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_DRIVEN_REVOCATION] = "INSERT INTO driven_revocation (experiment, replication, position, "
                              "revoked_ns, gone_ns, launched_ns) VALUES (?, ?, ?, ?, ?, ?)",
    [PUT_DRIVEN_CALLBACK] = "INSERT INTO driven_callback (experiment, replication, position, what, "
                            "event_ns, begin_ns, end_ns) VALUES (?, ?, ?, ?, ?, ?, ?)",
    [DELETE_LATE] = "DELETE FROM late_time WHERE experiment = ? AND replication = ?",
    [PUT_LATE] = "INSERT INTO late_time (experiment, replication, position, app, part, whom, ns, "
                 "requests, enough) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [DELETE_SUMMARY] = "DELETE FROM summary WHERE experiment = ?",
    [PUT_SUMMARY] = "INSERT INTO summary (experiment, position, app, class, name, unit, value, "
                    "low, high, n, requests, median) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [COUNT_BARE] = "SELECT count(*) FROM run r WHERE experiment = ? AND replication < ? AND "
                   "requests > 0 AND NOT EXISTS (SELECT 1 FROM request q WHERE q.experiment = "
                   "r.experiment AND q.replication = r.replication)",
    [GET_METRICS] = "SELECT app, class, name, unit, value, n FROM metric "
                    "WHERE experiment = ? AND replication = ? ORDER BY position",
    [GET_RESPONSES] = "SELECT app, count, sum_ns, min_ns, max_ns FROM response "
                      "WHERE experiment = ? AND replication = ? ORDER BY app",
    [GET_HISTOGRAM] = "SELECT low_ns, count FROM histogram "
                      "WHERE experiment = ? AND replication = ? AND app = ? ORDER BY low_ns",
    [GET_CUT] = "SELECT app, low_ns, count FROM cut_off WHERE experiment = ? AND replication = ?",
    [GET_DRIVEN] = "SELECT device, uuid FROM driven WHERE experiment = ? AND replication = ?",
    [FIND_GPU] = "SELECT device, uuid FROM driven ORDER BY experiment = ? DESC, experiment, "
                 "replication LIMIT 1",
    [COUNT_GPUS] = "SELECT count(DISTINCT device || ' ' || uuid) FROM driven WHERE experiment = ?",
};

int64_t store_number(const char *hash)
{
    char digits[12];
    snprintf(digits, sizeof digits, "%.11s", hash);
    char *rest;
    unsigned long long number = strtoull(digits, &rest, 16);
    DCS_ASSERT(rest == digits + 11);
    return (int64_t)number;
}

static int bind(sqlite3_stmt *statement, int place, const struct cell *cell)
{
    switch (cell->type) {
    case CELL_INT:
        return sqlite3_bind_int64(statement, place, cell->integer);
    case CELL_REAL:
        return sqlite3_bind_double(statement, place, cell->real);
    case CELL_TEXT:
        return sqlite3_bind_text(statement, place, cell->text, -1, SQLITE_STATIC);
    case CELL_NULL:
        break;
    }
    return sqlite3_bind_null(statement, place);
}

sqlite3_stmt *store_fill(struct store *s, enum store_statement which, const struct cell *cells,
                         int count)
{
    sqlite3_stmt **statement = &s->statements[which];
    if (*statement == NULL &&
        sqlite3_prepare_v3(s->db, sql_of[which], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) !=
            SQLITE_OK)
        return NULL;
    DCS_ASSERT(sqlite3_bind_parameter_count(*statement) == count);
    for (int i = 0; i < count; i++)
        if (bind(*statement, i + 1, &cells[i]) != SQLITE_OK)
            return NULL;
    return *statement;
}

int store_execute(struct store *s, enum store_statement which, const struct cell *cells, int count)
{
    sqlite3_stmt *statement = store_fill(s, which, cells, count);
    if (statement == NULL)
        return -1;
    int stepped = sqlite3_step(statement);
    /* The reset repeats the step's error code. */
    int reset = sqlite3_reset(statement);
    return stepped == SQLITE_DONE && reset == SQLITE_OK ? 0 : -1;
}

int store_failed(struct store *s, const char *doing, struct dcs_err *err)
{
    const char *why = s->db != NULL ? sqlite3_errmsg(s->db) : "out of memory";
    const char *hint = "", *kept = "";
    switch (s->db != NULL ? sqlite3_errcode(s->db) & 0xff : SQLITE_NOMEM) {
    case SQLITE_BUSY:
        hint = "; another program keeps it locked";
        break;
    case SQLITE_FULL:
    case SQLITE_IOERR:
        hint = "; ";
        kept = s->kept;
        break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        hint = "; the database is damaged, nothing was added: name another one";
        break;
    default:
        break;
    }
    return dcs_err_at(err, s->path, 0, NULL, "cannot %s: %s%s%s", doing, why, hint, kept);
}
