/* report_data.c - see report_data.h. What is read beside the experiments is in
 * report_data_series.c. */
#include "report/page/report_data.h"

#include "results/results_db.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return dcs_strdup(text != NULL ? text : "");
}

static int by_id(const void *key, const void *element)
{
    int64_t id = *(const int64_t *)key;
    int64_t other = ((const struct report_point *)element)->system->id;
    return id < other ? -1 : id > other;
}

/* The points are in the order of their ids, as the systems are. */
struct report_point *report_point_of(const struct report_data *d, int64_t id)
{
    return bsearch(&id, d->points, d->count, sizeof *d->points, by_id);
}

int report_point_order(const struct report_point *a, const struct report_point *b)
{
    if (a == NULL || b == NULL)
        return (a == NULL) - (b == NULL);
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->world != b->world)
        return a->world < b->world ? -1 : 1;
    return (a->label > b->label) - (a->label < b->label);
}

/* ---- Experiments ---- */

static int read_experiments(struct report_data *d, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(
        d->results,
        "SELECT e.id, e.devices, e.clairvoyant, (SELECT count(*) FROM run r WHERE r.experiment = "
        "e.id), coalesce((SELECT group_concat(name, ' + ') FROM (SELECT name FROM application a "
        "WHERE a.experiment = e.id ORDER BY class = 'batch', app)), ''), json_extract(e.config, "
        "'$.sharing.model') = 'cpu' FROM "
        "experiment e",
        err);
    if (row == NULL)
        return -1;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        struct report_point *p = report_point_of(d, sqlite3_column_int64(row, 0));
        if (p == NULL || p->mix != NULL)
            continue;
        p->devices = (uint32_t)sqlite3_column_int64(row, 1);
        p->clairvoyant = sqlite3_column_int(row, 2) != 0;
        p->runs = (uint64_t)sqlite3_column_int64(row, 3);
        p->mix = text_of(row, 4);
        p->cpu = sqlite3_column_int(row, 5) != 0;
    }
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(d->results, err);
}

static const struct {
    const char *class, *name;
} values[REPORT_VALUES] = {
    [REPORT_SLA_MET] = {"latency", "sla_met"},
    [REPORT_P99] = {"latency", "response_p99"},
    [REPORT_MEAN] = {"latency", "response_mean"},
    [REPORT_REQUESTS] = {"latency", "requests"},
    [REPORT_BATCH_REQUESTS] = {"batch", "requests"},
    [REPORT_UTILISATION] = {NULL, "utilisation"},
    [REPORT_USEFUL] = {NULL, "useful"},
    [REPORT_UNFINISHED] = {NULL, "unfinished"},
    [REPORT_SMS] = {NULL, "sm_utilisation"},
    [REPORT_LOST] = {NULL, "lost"},
    [REPORT_REVOCATIONS] = {NULL, "revocations"},
    [REPORT_NORMALISED] = {"batch", "normalised_throughput"},
    [REPORT_THROUGHPUT] = {"batch", "throughput"},
    [REPORT_JOB_TIME] = {"batch", "job_time_p50"},
};

static double real_of(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? (double)NAN
                                                           : sqlite3_column_double(row, column);
}

static void take_value(struct report_point *p, sqlite3_stmt *row)
{
    const char *class = (const char *)sqlite3_column_text(row, 1);
    const char *name = (const char *)sqlite3_column_text(row, 2);
    p->summarised = true;
    for (size_t v = 0; v < REPORT_VALUES && name != NULL; v++) {
        bool same_class = class == NULL || values[v].class == NULL
                              ? class == values[v].class
                              : strcmp(class, values[v].class) == 0;
        if (!same_class || strcmp(name, values[v].name) != 0)
            continue;
        bool sum = v == REPORT_REQUESTS || v == REPORT_BATCH_REQUESTS;
        p->values[v] = (struct dcs_estimate){.value = real_of(row, sum ? 7 : 3),
                                             .low = sum ? (double)NAN : real_of(row, 4),
                                             .high = sum ? (double)NAN : real_of(row, 5),
                                             .median = sqlite3_column_int(row, 6) != 0};
    }
}

static int read_summaries(struct report_data *d, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(d->results,
                                        "SELECT experiment, class, name, value, low, high, median, "
                                        "requests FROM summary WHERE app IS NULL ORDER BY "
                                        "experiment, position",
                                        err);
    if (row == NULL)
        return -1;
    for (size_t i = 0; i < d->count; i++)
        for (size_t v = 0; v < REPORT_VALUES; v++)
            d->points[i].values[v] = (struct dcs_estimate){
                .value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        struct report_point *p = report_point_of(d, sqlite3_column_int64(row, 0));
        if (p != NULL)
            take_value(p, row);
    }
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(d->results, err);
}

/* ---- Verdicts ---- */

const char *const report_verdicts[REPORT_VERDICTS] = {
    [REPORT_NO_VERDICT] = "-",          [REPORT_MEETS] = "meets",
    [REPORT_UNDECIDED] = "undecided",   [REPORT_VIOLATES] = "violates",
    [REPORT_INFEASIBLE] = "infeasible",
};

static void take_verdict(struct report_point *p, sqlite3_stmt *row)
{
    const char *text = (const char *)sqlite3_column_text(row, 1);
    double sla_ns = real_of(row, 2) * 1e6;
    for (int v = REPORT_MEETS; v < REPORT_VERDICTS && text != NULL; v++)
        if (strcmp(text, report_verdicts[v]) == 0 && v > (int)p->verdict)
            p->verdict = (enum report_verdict)v;
    p->sla_low_ns = fmin(p->sla_low_ns, sla_ns); /* NaN is passed over */
    p->sla_high_ns = fmax(p->sla_high_ns, sla_ns);
}

static int read_verdicts(struct report_data *d, struct dcs_err *err)
{
    bool has;
    for (size_t i = 0; i < d->count; i++)
        d->points[i].sla_low_ns = d->points[i].sla_high_ns = (double)NAN;
    if (report_has(d, "sla_verdict", &has, err) != 0)
        return -1;
    if (!has)
        return 0;
    sqlite3_stmt *row =
        results_prepare(d->results, "SELECT experiment, verdict, sla_ms FROM sla_verdict", err);
    if (row == NULL)
        return -1;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        struct report_point *p = report_point_of(d, sqlite3_column_int64(row, 0));
        if (p == NULL || !p->summarised)
            continue;
        take_verdict(p, row);
        d->verdicts = true;
    }
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(d->results, err);
}

/* ---- The axis ---- */

/* Numbers of the config that all experiments have and not all the same. Those that people mean by
 * load come first, then sizes of the cluster, then what has most values. A seed is none, nor how
 * long is simulated: other worlds of the same kind. */
static int find_axis(struct report_data *d, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(
        d->results,
        "WITH leaf AS (SELECT e.id AS id, t.fullkey AS key, replace(t.fullkey, '\"', '') AS plain, "
        "t.atom AS value FROM experiment e, "
        "json_tree(json_remove(e.config, '$.name', '$.description', '$.outputs', '$.replications', "
        "'$.until', '$.predictors', '$.predictor', '$.policy', '$.seed', '$.horizon')) t WHERE "
        "t.type IN "
        "('integer', 'real') "
        "AND EXISTS (SELECT 1 FROM run WHERE run.experiment = e.id)) SELECT key FROM leaf GROUP BY "
        "key HAVING count(DISTINCT value) > 1 AND count(*) = ?1 ORDER BY count(DISTINCT value) > 2 "
        "DESC, max(plain) LIKE '%.load' OR max(plain) LIKE '%.fraction_of_peak' DESC, max(plain) "
        "LIKE '%.rate_per_s' OR max(plain) LIKE '%.devices' OR max(plain) LIKE '%.domains' DESC, "
        "count(DISTINCT value) DESC, key "
        "LIMIT 1",
        err);
    if (row == NULL)
        return -1;
    sqlite3_bind_int64(row, 1, (int64_t)d->count);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        d->axis = text_of(row, 0);
    sqlite3_finalize(row);
    return code == SQLITE_ROW || code == SQLITE_DONE ? 0 : results_failed(d->results, err);
}

static int read_axis(struct report_data *d, struct dcs_err *err)
{
    for (size_t i = 0; i < d->count; i++)
        d->points[i].x = (double)NAN;
    if (find_axis(d, err) != 0)
        return -1;
    if (d->axis == NULL)
        return 0;
    sqlite3_stmt *row = results_prepare(
        d->results,
        "SELECT id, json_extract(config, ?1), json_remove(config, '$.name', '$.description', "
        "'$.outputs', '$.replications', '$.until', '$.predictors', '$.predictor', '$.policy', ?1, "
        "?2) FROM experiment",
        err);
    if (row == NULL)
        return -1;
    sqlite3_bind_text(row, 1, d->axis, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 2, d->moves ? "$.sharing.resize_at" : d->axis, -1, SQLITE_STATIC);
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        struct report_point *p = report_point_of(d, sqlite3_column_int64(row, 0));
        if (p == NULL || p->family != NULL)
            continue;
        p->x = real_of(row, 1);
        p->family = text_of(row, 2);
    }
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(d->results, err);
}

/* ---- Labels and worlds ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The labels of compare_groups.h, without the hashes that tell twins apart: runs of one policy that
 * met the same world under another version of the program are one curve. */
static char *plain_label(const char *label)
{
    char *plain = dcs_strdup(label), *hash = strrchr(plain, '[');
    if (hash != NULL && hash > plain + 1 && hash[-1] == ' ' && strlen(hash) == 13)
        hash[-1] = '\0';
    return plain;
}

static void read_labels(struct report_data *d)
{
    char **all = dcs_alloc(d->count + 1, sizeof *all);
    for (size_t i = 0; i < d->count; i++)
        all[i] = plain_label(d->points[i].system->label);
    char **sorted = dcs_alloc(d->count + 1, sizeof *sorted);
    memcpy(sorted, all, d->count * sizeof *all);
    qsort(sorted, d->count, sizeof *sorted, by_text);
    d->labels = dcs_alloc(d->count + 1, sizeof *d->labels);
    for (size_t i = 0; i < d->count; i++)
        if (i == 0 || strcmp(sorted[i], sorted[i - 1]) != 0)
            d->labels[d->labels_count++] = dcs_strdup(sorted[i]);
    for (size_t i = 0; i < d->count; i++) {
        char **label = bsearch(&all[i], d->labels, d->labels_count, sizeof(char *), by_text);
        d->points[i].label = (size_t)(label - d->labels);
    }
    for (size_t w = 0; w < d->groups.count; w++) {
        d->worlds_shared += d->groups.groups[w].count > 1;
        for (size_t s = 0; s < d->groups.groups[w].count; s++)
            d->points[d->groups.groups[w].systems[s] - d->groups.systems].world = w;
    }
    for (size_t i = 0; i < d->count; i++)
        free(all[i]);
    free(all);
    free(sorted);
}

/* ---- All of it ---- */

/* Comes before anything else looks, whose words would not suit. */
static int check_runs(const struct results *r, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r, "SELECT 1 FROM run LIMIT 1", err);
    if (row == NULL)
        return -1;
    int code = sqlite3_step(row);
    sqlite3_finalize(row);
    if (code == SQLITE_DONE)
        return dcs_err_at(err, r->path, 0, NULL, "holds no run: there is nothing to report");
    return code == SQLITE_ROW ? 0 : results_failed(r, err);
}

/* Among databases that were merged, say. */
static int find_moves(struct report_data *d, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(
        d->results,
        "SELECT count(DISTINCT json_extract(config, '$.sharing.resize_at')) > 1 FROM experiment e "
        "WHERE EXISTS (SELECT 1 FROM run WHERE run.experiment = e.id)",
        err);
    if (row == NULL)
        return -1;
    int code = sqlite3_step(row);
    d->moves = code == SQLITE_ROW && sqlite3_column_int(row, 0) != 0;
    sqlite3_finalize(row);
    return code == SQLITE_ROW ? 0 : results_failed(d->results, err);
}

int report_data_read(struct report_data *d, const struct results *r, struct dcs_err *err)
{
    static const char *const keys[] = {"policy", "predictor", "sharing.resize_at"};
    *d = (struct report_data){.results = r};
    if (check_runs(r, err) != 0 || find_moves(d, err) != 0 ||
        compare_groups_read(&d->groups, r, keys, d->moves ? 3 : 2, NULL, err) != 0)
        return -1;
    d->count = d->groups.systems_count;
    d->points = dcs_alloc(d->count + 1, sizeof *d->points);
    for (size_t i = 0; i < d->count; i++)
        d->points[i].system = &d->groups.systems[i];
    int status = read_experiments(d, err);
    if (status == 0)
        status = read_summaries(d, err);
    if (status == 0)
        status = read_verdicts(d, err);
    if (status == 0)
        status = read_axis(d, err);
    if (status == 0)
        read_labels(d);
    else
        report_data_release(d);
    return status;
}

void report_data_release(struct report_data *d)
{
    for (size_t i = 0; i < d->count; i++) {
        free(d->points[i].mix);
        free(d->points[i].family);
    }
    for (size_t l = 0; l < d->labels_count; l++)
        free(d->labels[l]);
    free(d->labels);
    free(d->points);
    free(d->axis);
    free(d->ranked);
    compare_groups_release(&d->groups);
    *d = (struct report_data){0};
}
