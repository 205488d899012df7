/* compare_metric.c - which metric is compared: compare_metric() of compare_groups.h. */
#include "results/compare_groups.h"

#include "results/compare_parts.h"
#include "runs/metric_name.h"

#include <stdlib.h>
#include <string.h>

/* 1: a config could have asked for the metric, which those of whole jobs cannot. -1 and err: the
 * database cannot be read. */
static int waits_for_fairness(const struct results *r, const char *name, struct dcs_err *err)
{
    if (!metric_name_is_fairness(name))
        return 0;
    sqlite3_stmt *row = results_prepare(
        r, "SELECT 1 FROM experiment e WHERE coalesce(" COMPARE_GANGS ", 0) = 0 LIMIT 1", err);
    if (row == NULL)
        return -1;
    int code = sqlite3_step(row);
    sqlite3_finalize(row);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : results_failed(r, err);
}

/* The name must be known, whatever it is of. */
static int check_name(const struct results *r, struct compare_metric *m, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r, "SELECT unit FROM metric WHERE name = ? LIMIT 1", err);
    if (row == NULL)
        return -1;
    sqlite3_bind_text(row, 1, m->name, -1, SQLITE_STATIC);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        m->unit = compare_text(row, 0);
    sqlite3_finalize(row);
    if (code == SQLITE_ROW)
        return 0;
    if (code != SQLITE_DONE)
        return results_failed(r, err);
    int waits = waits_for_fairness(r, m->name, err);
    if (waits < 0)
        return -1;
    if (waits == 1)
        return dcs_err_at(err, r->path, 0, NULL,
                          "holds no metric \"%.64s\": set fairness.metrics to true and run again",
                          m->name);
    char *near = results_nearest(r, "SELECT DISTINCT name FROM metric UNION SELECT 'sla_violation'",
                                 m->name);
    dcs_err_at(err, r->path, 0, NULL, "holds no metric \"%.64s\"%s%s", m->name, near,
               near[0] == '\0' ? METRIC_NAME_SOME : " (docs/results.md explains them)");
    free(near);
    return -1;
}

/* 1 where the bound query has a row, 0 where not, -1 and err where it failed. Finalizes it. */
static int take_found(const struct results *r, sqlite3_stmt *query, struct dcs_err *err)
{
    int code = sqlite3_step(query);
    sqlite3_finalize(query);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return results_failed(r, err);
    return code == SQLITE_ROW;
}

/* What the part before the point says. */
static int take_scope(const struct results *r, const char *scope, struct compare_metric *m,
                      struct dcs_err *err)
{
    m->class = strcmp(scope, "latency") == 0 ? "latency"
               : strcmp(scope, "batch") == 0 ? "batch"
                                             : NULL;
    if (m->class != NULL)
        return 0;
    m->application = dcs_strdup(scope);
    sqlite3_stmt *row = results_prepare(r, "SELECT 1 FROM application WHERE name = ? LIMIT 1", err);
    if (row == NULL)
        return -1;
    sqlite3_bind_text(row, 1, scope, -1, SQLITE_STATIC);
    int found = take_found(r, row, err);
    if (found != 0)
        return found == 1 ? 0 : -1;
    char *near = results_nearest(r,
                                 "SELECT DISTINCT name FROM application UNION SELECT 'latency' "
                                 "UNION SELECT 'batch'",
                                 scope);
    dcs_err_at(err, r->path, 0, NULL, "holds no class or application \"%.64s\"%s", scope, near);
    free(near);
    return -1;
}

/* Of what the metric is, where it is not of what was asked for: "class batch, application web". */
static char *list_scopes(const struct results *r, const struct compare_metric *m,
                         struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(
        r,
        "SELECT group_concat(what, ', ') FROM (SELECT DISTINCT CASE WHEN m.app IS NOT NULL THEN "
        "'application ' || a.name WHEN m.class IS NOT NULL THEN 'class ' || m.class ELSE 'the "
        "whole run' END AS what FROM metric m LEFT JOIN application a USING (experiment, app) "
        "WHERE m.name = ? ORDER BY m.app IS NOT NULL, m.class IS NOT NULL, 1 LIMIT 8)",
        err);
    if (row == NULL)
        return NULL;
    sqlite3_bind_text(row, 1, m->name, -1, SQLITE_STATIC);
    int code = sqlite3_step(row);
    char *scopes = code == SQLITE_ROW ? compare_text(row, 0) : NULL;
    sqlite3_finalize(row);
    if (scopes == NULL)
        (void)results_failed(r, err);
    return scopes;
}

/* A metric of the whole run has no value of a class, and so on. text: as it was asked for. */
static int check_scope(const struct results *r, const struct compare_metric *m, const char *text,
                       struct dcs_err *err)
{
    bool of_class = m->class != NULL;
    sqlite3_stmt *row = results_prepare(
        r,
        of_class
            ? "SELECT 1 FROM metric WHERE name = ? AND app IS NULL AND class = ? LIMIT 1"
            : "SELECT 1 FROM metric m JOIN application a USING (experiment, app) WHERE m.name = ? "
              "AND a.name = ? LIMIT 1",
        err);
    if (row == NULL)
        return -1;
    sqlite3_bind_text(row, 1, m->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 2, of_class ? m->class : m->application, -1, SQLITE_STATIC);
    int found = take_found(r, row, err);
    if (found != 0)
        return found == 1 ? 0 : -1;
    char *scopes = list_scopes(r, m, err);
    if (scopes == NULL)
        return -1;
    const char *name = strrchr(text, '.') + 1;
    dcs_err_at(err, r->path, 0, NULL, "holds no %.64s: %.64s is of %.200s", text, name, scopes);
    free(scopes);
    return -1;
}

/* Nothing was said: of what the first row with a value is, the whole run before the classes. */
static int find_scope(const struct results *r, struct compare_metric *m, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r,
                                        "SELECT class FROM metric WHERE name = ? AND app IS NULL "
                                        "ORDER BY class IS NOT NULL, value IS NULL, "
                                        "class = 'batch' LIMIT 1",
                                        err);
    if (row == NULL)
        return -1;
    sqlite3_bind_text(row, 1, m->name, -1, SQLITE_STATIC);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW && sqlite3_column_type(row, 0) != SQLITE_NULL) {
        const char *class = (const char *)sqlite3_column_text(row, 0);
        if (class == NULL) /* a text that there is no memory for */
            code = SQLITE_NOMEM;
        else
            m->class = strcmp(class, "batch") == 0 ? "batch" : "latency";
    }
    sqlite3_finalize(row);
    return code == SQLITE_ROW || code == SQLITE_DONE ? 0 : results_failed(r, err);
}

int compare_metric(const struct results *r, const char *text, struct compare_metric *out,
                   struct dcs_err *err)
{
    *out = (struct compare_metric){0};
    const char *point = strrchr(text, '.');
    out->name = dcs_strdup(point != NULL ? point + 1 : text);
    if (strcmp(out->name, "sla_violation") == 0) {
        free(out->name);
        out->name = dcs_strdup("sla_met");
        out->complement = true;
    }
    int status = check_name(r, out, err);
    if (status == 0 && point != NULL) {
        char *scope = dcs_strdup(text);
        scope[point - text] = '\0';
        status = take_scope(r, scope, out, err);
        free(scope);
        if (status == 0)
            status = check_scope(r, out, text, err);
    } else if (status == 0) {
        status = find_scope(r, out, err);
    }
    if (status != 0)
        compare_metric_release(out);
    return status;
}

void compare_metric_release(struct compare_metric *m)
{
    free(m->name);
    free(m->application);
    free(m->unit);
    *m = (struct compare_metric){0};
}
