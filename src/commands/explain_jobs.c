/* explain_jobs.c - see explain_jobs.h. */
#include "commands/explain_jobs.h"

#include "text/table.h"

#include <inttypes.h>
#include <math.h>

int explain_jobs_has(const struct results *r, int64_t experiment, uint64_t replication, bool *has,
                     struct dcs_err *err)
{
    if (results_has(r, "whole_job", has, err) != 0)
        return -1;
    if (!*has)
        return 0;
    sqlite3_stmt *row = results_prepare_run(
        r, "SELECT 1 FROM whole_job WHERE experiment = ?1 AND replication = ?2 LIMIT 1", experiment,
        replication, err);
    if (row == NULL)
        return -1;
    int code = sqlite3_step(row);
    *has = code == SQLITE_ROW;
    int status = code == SQLITE_ROW || code == SQLITE_DONE ? 0 : results_failed(r, err);
    sqlite3_finalize(row);
    return status;
}

/* Columns of the statement, in its order. */
enum {
    JOB,
    SUBMITTED,
    WAITED,
    STARTED,
    ENDED,
    DURATION,
    REVOCATIONS,
    GPUS,
    NODE,
    NODES,
    MODEL,
    NAME
};

/* A database of schema 10 has no names of jobs: there the name of "none" is meant. */
static const char statement[] =
    "SELECT job, submitted_ns, coalesce(started_ns, window_to_ns) - submitted_ns AS waited, "
    "started_ns IS NOT NULL, ended_ns, duration_ns, w.revocations, gpus, node, nodes, model, "
    "(SELECT name FROM whole_job n WHERE n.experiment = w.experiment AND n.replication = "
    "w.replication AND n.job = w.job) "
    "FROM whole_job w JOIN run USING (experiment, replication), (SELECT NULL AS name) none WHERE "
    "experiment = ?1 AND "
    "replication = ?2 ORDER BY waited DESC, job LIMIT ?3";

static struct text time_at(sqlite3_stmt *row, int column)
{
    bool none = sqlite3_column_type(row, column) == SQLITE_NULL;
    return text_value(none ? (double)NAN : (double)sqlite3_column_int64(row, column), TEXT_TIME);
}

static void add_row(struct table *t, sqlite3_stmt *row)
{
    struct text *cells = table_row(t);
    bool started = sqlite3_column_int(row, STARTED) != 0;
    const char *model = (const char *)sqlite3_column_text(row, MODEL);
    const char *name = (const char *)sqlite3_column_text(row, NAME);
    int64_t more = sqlite3_column_int64(row, NODES) - 1;
    cells[0] = text_format("%" PRId64 "%s%s", (int64_t)sqlite3_column_int64(row, JOB),
                           name != NULL ? " " : "", text_name(name != NULL ? name : "", 32).at);
    cells[1] = time_at(row, SUBMITTED);
    cells[2] = text_format("%s%s", started ? "" : "> ", time_at(row, WAITED).at);
    cells[3] = time_at(row, ENDED);
    cells[4] = time_at(row, DURATION);
    cells[5] = text_value(sqlite3_column_double(row, REVOCATIONS), TEXT_NUMBER);
    cells[6] = text_value(sqlite3_column_double(row, GPUS), TEXT_NUMBER);
    cells[7] = !started ? text_format("-")
               : more > 0
                   ? text_format("%d and %" PRId64 " more", sqlite3_column_int(row, NODE), more)
                   : text_format("%d", sqlite3_column_int(row, NODE));
    cells[8] = text_name(model != NULL ? model : "", 20);
}

int explain_jobs_print(const struct results *r, int64_t experiment, uint64_t replication,
                       uint64_t most, struct dcs_err *err)
{
    static const char *const titles[] = {"job",     "submitted", "waited", "ended", "runs for",
                                         "revoked", "GPUs",      "node",   "model"};
    sqlite3_stmt *row = results_prepare_run(r, statement, experiment, replication, err);
    if (row == NULL)
        return -1;
    sqlite3_bind_int64(row, 3, (sqlite3_int64)most);
    struct table t = {0};
    struct text *cells = table_row(&t);
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        cells[i] = text_format("%s", titles[i]);
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW)
        add_row(&t, row);
    sqlite3_finalize(row);
    int status = code == SQLITE_DONE ? 0 : results_failed(r, err);
    if (status == 0) {
        puts("Whole jobs that waited longest, for their first start:\n");
        table_print(stdout, &t);
        puts("\nTable whole_job has all, by their ids in the imported trace and the names that the "
             "log "
             "gives\nthem; whole_job_revoked when they were revoked.");
    }
    table_release(&t);
    return status;
}
