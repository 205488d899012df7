/*
 * trace_table_row.c - what a row of a table of one's own means.
 *
 * Rules. A row is a job. arrival = submit; start = start, else submit; duration = runtime, else end
 * - start. Class: what `class` says of the text, else batch. Status: what `status` says of it, else
 * unknown. The trace ends with the latest end.
 *
 *   a condition is not met              left out: filtered
 *   no start (empty, None, Unknown ...) left out: never ran
 *   no end or runtime (likewise)        left out: what ran when the table was written
 *   a text that is no time or number    left out: malformed, shown with its column
 *   no GPUs                             left out: no resources
 *   a time below 0, an end before the start, no duration     left out
 *   start before submit                 repaired: start = arrival, the duration stays
 *   models that are no names (too long, an empty one)        left out: out of range
 *   CPUs or a priority that are no number   noted; 0
 *
 * A row of a list of nodes is `nodes` nodes, else 1, of `gpus` GPUs of `model`.
 *
 *   no GPUs                                 left out: no resources
 *   no whole number, above what cluster.nodes takes, no name of one model    left out
 */
#include "traces/table/table_map.h"

#include <limits.h>
#include <string.h>

/* A row with its map. */
struct reading {
    struct trace_import *im;
    const struct table_map *map;
    const struct trace_row *row;
};

static const char *column_text(const struct reading *r, size_t column)
{
    return r->row->fields[column];
}

/* "" if the map has no such field. */
static const char *text_of(const struct reading *r, enum table_field field)
{
    const struct table_mapping *m = &r->map->fields[field];
    if (m->constant != NULL)
        return m->constant;
    return m->column != SIZE_MAX ? column_text(r, m->column) : "";
}

static bool is_mapped(const struct reading *r, enum table_field field)
{
    const struct table_mapping *m = &r->map->fields[field];
    return m->constant != NULL || m->column != SIZE_MAX;
}

/* About a field's text, or constant. */
static int tell(const struct reading *r, enum trace_issue issue, enum trace_effect effect,
                enum table_field field)
{
    size_t column = r->map->fields[field].column;
    const char *name = column != SIZE_MAX ? r->map->columns[column] : "a constant";
    return import_issue_about(r->im, issue, effect, name, text_of(r, field));
}

static bool is_empty(const char *text)
{
    static const char *const nothing[] = {"",    "None", "none", "NULL", "null", "Unknown",
                                          "N/A", "NaN",  "nan",  "NaT",  "-",    NULL};
    for (size_t i = 0; nothing[i] != NULL; i++)
        if (strcmp(text, nothing[i]) == 0)
            return true;
    return false;
}

/* Keeps the first few texts that a column has. */
static void show_text(struct table_condition *c, const char *text)
{
    for (size_t i = 0; i < TABLE_SHOWN_MAX; i++) {
        if (c->shown[i] == NULL)
            c->shown[i] = dcs_strdup(text);
        if (strcmp(c->shown[i], text) == 0)
            return;
    }
    c->has_more = true;
}

static bool is_wanted(const struct reading *r)
{
    bool wanted = true;
    for (size_t i = 0; i < r->map->conditions_count; i++) {
        struct table_condition *c = &r->map->conditions[i];
        const char *text = column_text(r, c->column);
        bool found = false;
        for (size_t k = 0; k < c->texts_count; k++)
            if (strcmp(text, c->texts[k].text) == 0)
                found = c->texts[k].occurs = true;
        if (!c->has_more)
            show_text(c, text);
        wanted &= found != c->unlike;
    }
    r->map->seen->row = true;
    r->map->seen->wanted |= wanted;
    return wanted;
}

static int meaning_of(const struct reading *r, enum table_field field, int otherwise)
{
    const struct table_mapping *m = &r->map->fields[field];
    const char *text = text_of(r, field);
    for (size_t i = 0; i < m->meanings_count; i++)
        if (strcmp(text, m->meanings[i].text) == 0) {
            m->meanings[i].occurs = true;
            return m->meanings[i].meaning;
        }
    return otherwise;
}

/* A time of the row; *left_out: it was said why the row is left out. Returns what import_issue()
 * does. */
static int read_time(const struct reading *r, enum table_field field, int64_t *out, bool *left_out)
{
    const char *text = text_of(r, field);
    const struct table_mapping *m = &r->map->fields[field];
    enum table_unit unit = m->unit;
    double unused;
    if (m->likely_unit != NULL && !r->map->seen->number[field])
        r->map->seen->number[field] = trace_number(text, &unused);
    bool is_time = field == FIELD_RUNTIME ? table_stretch_ns(text, unit, out)
                                          : table_moment_ns(text, unit, out);
    if (is_time && *out >= 0 && *out <= DCS_TIME_MAX)
        return 0;
    *left_out = true;
    enum trace_issue issue = !is_time                 ? trace_bad_number(text)
                             : *out >= 0              ? ISSUE_OUT_OF_RANGE
                             : field == FIELD_RUNTIME ? ISSUE_END_BEFORE_START
                                                      : ISSUE_TIME_NEGATIVE;
    return tell(r, issue, TRACE_LEFT_OUT, field);
}

/* The times of a job that ran and ended. */
static int read_times(const struct reading *r, struct trace_job *job, bool *left_out)
{
    enum table_field last = is_mapped(r, FIELD_RUNTIME) ? FIELD_RUNTIME : FIELD_END;
    bool has_start = is_mapped(r, FIELD_START);
    int64_t end_ns = 0;
    *left_out = true;
    if (is_empty(text_of(r, FIELD_SUBMIT)))
        return tell(r, ISSUE_MALFORMED, TRACE_LEFT_OUT, FIELD_SUBMIT);
    if (has_start && is_empty(text_of(r, FIELD_START)))
        return tell(r, ISSUE_NO_START, TRACE_LEFT_OUT, FIELD_START);
    if (is_empty(text_of(r, last)))
        return tell(r, ISSUE_NO_END, TRACE_LEFT_OUT, last);
    *left_out = false;
    int status = read_time(r, FIELD_SUBMIT, &job->arrival_ns, left_out);
    job->start_ns = job->arrival_ns;
    if (status == 0 && !*left_out && has_start)
        status = read_time(r, FIELD_START, &job->start_ns, left_out);
    if (status == 0 && !*left_out)
        status = read_time(r, last, last == FIELD_END ? &end_ns : &job->duration_ns, left_out);
    if (status != 0 || *left_out)
        return status;
    if (last == FIELD_END)
        job->duration_ns = end_ns - job->start_ns;
    if (job->duration_ns > 0)
        return 0;
    *left_out = true;
    return tell(r, job->duration_ns < 0 ? ISSUE_END_BEFORE_START : ISSUE_ZERO_DURATION,
                TRACE_LEFT_OUT, last);
}

static int read_gpus(const struct reading *r, double *out, bool *left_out)
{
    const char *text = text_of(r, FIELD_GPUS);
    *left_out = true;
    if (is_empty(text))
        return tell(r, ISSUE_NO_RESOURCES, TRACE_LEFT_OUT, FIELD_GPUS);
    if (!trace_number(text, out))
        return tell(r, trace_bad_number(text), TRACE_LEFT_OUT, FIELD_GPUS);
    if (*out < 0)
        return tell(r, ISSUE_IMPOSSIBLE_RESOURCES, TRACE_LEFT_OUT, FIELD_GPUS);
    if (*out == 0)
        return tell(r, ISSUE_NO_RESOURCES, TRACE_LEFT_OUT, FIELD_GPUS);
    *left_out = false;
    return 0;
}

static int read_models(const struct reading *r, struct trace_job *job, bool *left_out)
{
    const char *text = text_of(r, FIELD_MODEL);
    *left_out = !is_empty(text) && !trace_models(text, job->models);
    return *left_out ? tell(r, ISSUE_OUT_OF_RANGE, TRACE_LEFT_OUT, FIELD_MODEL) : 0;
}

/* CPUs and the priority: a job is one without them, too. */
static int read_rest(const struct reading *r, struct trace_job *job)
{
    double cpus, priority;
    if (is_mapped(r, FIELD_CPUS)) {
        if (trace_number(text_of(r, FIELD_CPUS), &cpus) && cpus >= 0)
            job->cpus = cpus;
        else if (tell(r, ISSUE_NO_RESOURCES, TRACE_NOTED, FIELD_CPUS) != 0)
            return -1;
    }
    if (is_mapped(r, FIELD_PRIORITY)) {
        if (trace_number(text_of(r, FIELD_PRIORITY), &priority) && priority >= INT_MIN &&
            priority <= INT_MAX)
            job->priority = (int32_t)priority;
        else if (tell(r, ISSUE_UNKNOWN_CODE, TRACE_NOTED, FIELD_PRIORITY) != 0)
            return -1;
    }
    return 0;
}

int trace_table_row(struct trace_import *im, const struct trace_row *row)
{
    const struct reading reading = {im, (const struct table_map *)(const void *)import_format(im),
                                    row},
                         *r = &reading;
    struct trace_job job = {0};
    bool left_out;
    if (!is_wanted(r))
        return import_issue(im, ISSUE_FILTERED, TRACE_LEFT_OUT);
    int status = read_times(r, &job, &left_out);
    if (status == 0 && !left_out)
        status = read_gpus(r, &job.gpus, &left_out);
    if (status == 0 && !left_out)
        status = read_models(r, &job, &left_out);
    if (status != 0 || left_out)
        return status;
    job.class = (enum dcs_class)meaning_of(r, FIELD_CLASS, DCS_BATCH);
    job.status = (enum trace_status)meaning_of(r, FIELD_STATUS, TRACE_STATUS_UNKNOWN);
    snprintf(job.key, sizeof job.key, "%s", text_of(r, FIELD_NAME));
    if (job.start_ns < job.arrival_ns) {
        job.start_ns = job.arrival_ns;
        if (tell(r, ISSUE_START_BEFORE_SUBMIT, TRACE_REPAIRED, FIELD_START) != 0)
            return -1;
    }
    if (read_rest(r, &job) != 0)
        return -1;
    if (job.status == TRACE_STATUS_FAILED && import_issue(im, ISSUE_FAILED, TRACE_NOTED) != 0)
        return -1;
    return import_job(im, &job);
}

/* ---- lists of nodes ---- */

static int read_count(const struct reading *r, enum table_field field, int64_t most, int64_t *out,
                      bool *left_out)
{
    const char *text = text_of(r, field);
    bool whole = trace_int64(text, out);
    *left_out = is_empty(text) || !whole || *out <= 0 || *out > most;
    if (!*left_out)
        return 0;
    enum trace_issue issue = is_empty(text) || (whole && *out == 0) ? ISSUE_NO_RESOURCES
                             : whole                                ? ISSUE_OUT_OF_RANGE
                                                                    : ISSUE_MALFORMED;
    return tell(r, issue, TRACE_LEFT_OUT, field);
}

int trace_table_node(struct trace_import *im, const struct trace_row *row)
{
    const struct reading reading = {im, (const struct table_map *)(const void *)import_format(im),
                                    row},
                         *r = &reading;
    struct trace_nodes nodes = {.nodes = 1};
    bool left_out;
    if (!is_wanted(r))
        return import_issue(im, ISSUE_FILTERED, TRACE_LEFT_OUT);
    int status = read_count(r, FIELD_GPUS, TRACE_NODE_GPUS_MAX, &nodes.gpus, &left_out);
    if (status == 0 && !left_out && is_mapped(r, FIELD_NODES))
        status = read_count(r, FIELD_NODES, TRACE_NODES_MAX, &nodes.nodes, &left_out);
    if (status != 0 || left_out)
        return status;
    const char *model = text_of(r, FIELD_MODEL);
    if (!is_empty(model) && (strchr(model, '|') != NULL || !trace_models(model, nodes.model)))
        return tell(r, ISSUE_OUT_OF_RANGE, TRACE_LEFT_OUT, FIELD_MODEL);
    return import_nodes(im, &nodes);
}
