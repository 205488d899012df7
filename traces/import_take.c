/*
 * import_take.c - what a format calls about its rows (format.h): each call is counted, checked and
 * handed on to the sort or to the database.
 */
#include "traces/import_run.h"

#include "traces/jobs_form.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

const char *import_path(const struct trace_import *im, uint32_t file)
{
    return trace_input_source(im->in, file)->path;
}

/* Those that say: this is not a row of the format. */
static bool is_breakage(enum trace_issue issue)
{
    return issue == ISSUE_MALFORMED || issue == ISSUE_CUT_LAST_LINE ||
           issue == ISSUE_OUT_OF_RANGE || issue == ISSUE_UNKNOWN_CODE;
}

/* The first in the order of files and lines, in whatever order lives come up. */
static void note_first(struct trace_import *im, enum trace_issue issue, uint32_t file,
                       uint64_t line)
{
    struct import_issue_counts *n = &im->counts->issues[issue];
    bool known = n->count[0] + n->count[1] + n->count[2] > 0;
    uint32_t first = im->first_file[issue];
    if (known && (file > first || (file == first && line >= n->first_line)))
        return;
    im->first_file[issue] = file;
    n->first_line = line;
    snprintf(n->first_file, sizeof n->first_file, "%s", import_path(im, file));
    snprintf(n->first_about, sizeof n->first_about, "%s", im->about);
}

/* In row(); what finds no room is counted with its issue alone. */
static void note_place(struct trace_import *im, enum trace_issue issue, uint64_t line)
{
    struct import_counts *c = im->counts;
    size_t i = 0;
    while (i < c->places_count && (c->places[i].issue != issue || c->places[i].empty != im->empty ||
                                   strcmp(c->places[i].column, im->column) != 0))
        i++;
    if (i == IMPORT_PLACES_MAX)
        return;
    struct import_place *p = &c->places[i];
    if (i == c->places_count) {
        c->places_count++;
        *p = (struct import_place){.issue = issue, .empty = im->empty, .first_line = line};
        snprintf(p->column, sizeof p->column, "%s", im->column);
        snprintf(p->first_file, sizeof p->first_file, "%s", import_path(im, im->file));
        snprintf(p->first_about, sizeof p->first_about, "%s", im->about);
    }
    p->count++;
}

int import_issue_at(struct trace_import *im, enum trace_issue issue, enum trace_effect effect,
                    uint32_t file, uint64_t line)
{
    DCS_ASSERT(issue < ISSUES && effect <= TRACE_LEFT_OUT);
    bool breakage = effect == TRACE_LEFT_OUT && is_breakage(issue);
    if (effect == TRACE_LEFT_OUT && im->in_row)
        im->outcome |= OUTCOME_LEFT_OUT;
    if (im->probing) {
        im->broken |= breakage;
        return 0;
    }
    note_first(im, issue, file, line);
    if (im->in_row)
        note_place(im, issue, line);
    im->counts->issues[issue].count[effect]++;
    if (breakage && im->options->strict)
        return dcs_err_at(im->err, import_path(im, file), line < INT_MAX ? (int)line : 0, NULL,
                          "%s: %s%s%s (--strict)", trace_issue_name(issue), im->about,
                          im->about[0] != '\0' ? ": " : "", trace_issue_rule(issue));
    return 0;
}

int import_issue_about(struct trace_import *im, enum trace_issue issue, enum trace_effect effect,
                       const char *column, const char *text)
{
    snprintf(im->about, sizeof im->about, "%.50s is \"%.50s\"", column, text);
    for (char *at = im->about; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    snprintf(im->column, sizeof im->column, "%.50s", im->about);
    size_t length = strlen(column);
    if (length < sizeof im->column)
        im->column[length] = '\0'; /* as in about, which begins with it */
    im->empty = text[0] == '\0';
    int status = import_issue(im, issue, effect);
    im->about[0] = im->column[0] = '\0';
    im->empty = false;
    return status;
}

const struct trace_format *import_format(const struct trace_import *im)
{
    return im->format;
}

int import_issue(struct trace_import *im, enum trace_issue issue, enum trace_effect effect)
{
    return import_issue_at(im, issue, effect, im->file, im->line);
}

static void see_time(struct trace_import *im, int64_t time_ns)
{
    if (time_ns != DCS_NEVER && time_ns > im->latest_ns)
        im->latest_ns = time_ns;
}

/* Of a row in a table that should be in time order. */
static int check_order(struct trace_import *im, int64_t time_ns)
{
    if (!im->format->ordered || time_ns <= 0 || time_ns == DCS_NEVER)
        return 0;
    bool earlier = time_ns < im->previous_ns;
    im->previous_ns = time_ns;
    return earlier ? import_issue(im, ISSUE_UNORDERED, TRACE_NOTED) : 0;
}

/* The end, too, must be a time: it may be the end of the trace. */
static bool fits_the_form(const struct trace_job *job)
{
    return job->arrival_ns >= 0 && job->start_ns <= DCS_TIME_MAX &&
           job->duration_ns <= DCS_TIME_MAX - job->start_ns && job->gpus >= 0 &&
           job->gpus <= TRACE_JOBS_GPUS_MAX && job->cpus >= 0 && job->cpus <= TRACE_JOBS_CPUS_MAX;
}

int import_job(struct trace_import *im, const struct trace_job *job)
{
    DCS_ASSERT(job->duration_ns > 0 && job->start_ns >= job->arrival_ns);
    DCS_ASSERT(!job->censored || job->status == TRACE_STATUS_UNKNOWN);
    if (!fits_the_form(job))
        return import_issue_at(im, ISSUE_OUT_OF_RANGE, TRACE_LEFT_OUT,
                               im->in_row ? im->file : job->file,
                               im->in_row ? im->line : job->line);
    im->outcome |= OUTCOME_JOB;
    if (im->probing)
        return 0;
    struct trace_job copy = *job;
    if (im->in_row) {
        copy.file = im->file;
        copy.line = im->line;
        see_time(im, job->start_ns + job->duration_ns);
        if (check_order(im, job->arrival_ns) != 0)
            return -1;
    }
    if (im->repeats != NULL && repeats_see(im->repeats, &copy) &&
        import_issue(im, ISSUE_REPEATED_JOB, TRACE_NOTED) != 0)
        return -1;
    if (im->counts->jobs++ == 0 || job->arrival_ns < im->counts->first_arrival_ns)
        im->counts->first_arrival_ns = job->arrival_ns;
    if (job->arrival_ns > im->counts->last_arrival_ns)
        im->counts->last_arrival_ns = job->arrival_ns;
    im->counts->of_class[job->class]++;
    im->counts->work_ns += job->gpus * (double)job->duration_ns;
    dcs_hist_add(&im->durations, job->duration_ns);
    return im->db != NULL ? import_db_job(im->db, &copy, im->err) : 0;
}

int import_event(struct trace_import *im, const struct trace_event *event)
{
    DCS_ASSERT(im->in_row && im->format->life != NULL);
    if (event->time_ns > DCS_TIME_MAX && event->time_ns != DCS_NEVER)
        return import_issue(im, ISSUE_OUT_OF_RANGE, TRACE_LEFT_OUT);
    im->outcome |= OUTCOME_EVENT;
    if (im->probing)
        return 0;
    see_time(im, event->time_ns);
    if (check_order(im, event->time_ns) != 0)
        return -1;
    struct trace_event copy = *event;
    copy.file = im->file;
    copy.line = im->line;
    return trace_sort_add(im->sort, &copy, im->err);
}

int import_nodes(struct trace_import *im, const struct trace_nodes *nodes)
{
    struct import_nodes *all = im->options->nodes;
    DCS_ASSERT(all != NULL || im->probing);
    im->outcome |= OUTCOME_JOB;
    if (im->probing)
        return 0;
    size_t i = 0;
    while (i < all->count &&
           (all->kinds[i].gpus != nodes->gpus || strcmp(all->kinds[i].model, nodes->model) != 0))
        i++;
    if (i == TRACE_NODE_KINDS)
        return dcs_err_at(im->err, import_path(im, im->file), (int)im->line, NULL,
                          "more than %d kinds of nodes (GPUs and model); cluster.nodes takes no "
                          "more",
                          TRACE_NODE_KINDS);
    if (i == all->count)
        all->kinds[all->count++] = (struct trace_nodes){0, nodes->gpus, ""};
    struct trace_nodes *kind = &all->kinds[i];
    kind->nodes += nodes->nodes;
    memcpy(kind->model, nodes->model, sizeof kind->model);
    if (kind->nodes > TRACE_NODES_MAX)
        return dcs_err_at(im->err, import_path(im, im->file), (int)im->line, NULL,
                          "more than %d nodes of one kind; cluster.nodes takes no more",
                          TRACE_NODES_MAX);
    return 0;
}

int64_t import_end_ns(const struct trace_import *im)
{
    return im->format->end_ns > 0 ? im->format->end_ns : im->latest_ns;
}
