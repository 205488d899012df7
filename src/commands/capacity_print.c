/* capacity_print.c - see capacity_print.h. */
#include "commands/capacity_print.h"

#include "commands/command.h"
#include "results/store_capacity.h"
#include "text/buffer.h"
#include "text/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum text_unit unit_of(const struct capacity_bound *b)
{
    if (b->unit != NULL && strcmp(b->unit, "ns") == 0)
        return TEXT_TIME;
    const char *point = strrchr(b->metric, '.');
    return metric_name_is_share(point != NULL ? point + 1 : b->metric) ? TEXT_PERCENT : TEXT_NUMBER;
}

const char *capacity_kept_word(const struct capacity_point *p)
{
    return p->kept == CAPACITY_KEPT        ? "yes"
           : p->kept == CAPACITY_UNDECIDED ? "undecided"
           : p->overloaded                 ? "overloaded"
                                           : "no";
}

/* ---- The title ---- */

static const char *subject_of(const struct capacity_bound *b, const struct capacity_looks *looks)
{
    return b->each_service && looks->services > 1 ? "sla_met of each service" : b->metric;
}

static char *question_text(const struct capacity_question *q, const struct capacity_looks *looks)
{
    struct text_buffer line = {0};
    const struct capacity_bounds *bounds = q->bounds;
    text_append(&line, "%s between %s and %s, so that ", q->vary, capacity_value(q->low).at,
                capacity_value(q->high).at);
    for (size_t i = 0; i < bounds->count; i++) {
        const struct capacity_bound *b = &bounds->all[i];
        text_append(&line, "%s%s is at %s %s", i > 0 ? " and " : "", subject_of(b, looks),
                    b->at_least ? "least" : "most", text_value(b->bound.value, unit_of(b)).at);
    }
    text_append(&line, " (%g %% intervals)", 100 * bounds->confidence);
    return line.text;
}

/* One bound is a line, which may be longer than the page is wide. */
static void print_line(const struct capacity_question *q, const char *line)
{
    if (q->bounds->count > 1)
        text_paragraph(stdout, line, 2);
    else
        puts(line);
}

void capacity_print_title(const struct capacity_question *q, const struct capacity_looks *looks)
{
    char *question = question_text(q, looks);
    print_line(q, question);
    free(question);
    printf("policy: %s; the answer is another one with another policy: --set policy.name=NAME\n\n",
           text_name(q->policy, 40).at);
}

/* ---- The curve ---- */

/* Rates that are not the varied value itself. */
static bool has_rates(const struct capacity_search *s)
{
    bool differ = false, same = true;
    for (size_t i = 0; i < s->count; i++) {
        differ = differ || s->points[i].rate_per_s != s->points[0].rate_per_s;
        same = same && s->points[i].rate_per_s == s->points[i].value;
    }
    return differ && !same;
}

static bool has_few(const struct capacity_search *s, const struct capacity_bounds *b)
{
    bool few = false;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < b->count; k++)
            few = few || s->points[i].seen[k].few;
    return few;
}

/* Less than this is what a run that ends always has under way. */
#define UNFINISHED_SHOWN 0.005

static bool has_unfinished(const struct capacity_search *s, const struct capacity_bounds *b)
{
    for (size_t k = 0; k < b->count; k++)
        if (strcmp(b->all[k].metric, "unfinished") == 0)
            return false; /* it stands there already */
    for (size_t i = 0; i < s->count; i++)
        if (s->points[i].unfinished > UNFINISHED_SHOWN)
            return true;
    return false;
}

/* Which columns there are beside those that always are. */
struct columns {
    bool services, counted, unfinished, rates;
};

static struct columns columns_of(const struct capacity_question *q, const struct capacity_search *s,
                                 const struct capacity_looks *looks)
{
    bool one = q->bounds->count == 1;
    /* Of what ended: always. Of what is decided: where that is not nearly all. */
    bool counted =
        looks->counted != NULL && (has_few(s, q->bounds) || strcmp(looks->counted, "ended") == 0);
    return (struct columns){.services = one && looks->services > 1,
                            .counted = one && counted,
                            .unfinished = has_unfinished(s, q->bounds),
                            .rates = has_rates(s)};
}

static void print_point(struct table *t, const struct capacity_bounds *b, const struct columns *c,
                        const struct capacity_point *p)
{
    struct text *row = table_row(t);
    size_t n = 0;
    row[n++] = text_format("%s", capacity_value(p->value).at);
    row[n++] = text_format("%" PRIu64, p->seen[0].estimate.n);
    for (size_t i = 0; i < b->count; i++)
        row[n++] = text_estimate(&p->seen[i].estimate, unit_of(&b->all[i]), 2);
    if (c->services)
        row[n++] = text_format("%s", p->seen[0].service);
    if (c->counted)
        row[n++] = text_format("%.0f of %.0f", p->seen[0].counted, p->seen[0].of);
    if (c->unfinished)
        row[n++] = text_value(p->unfinished, TEXT_PERCENT);
    row[n++] = text_format("%s", capacity_kept_word(p));
    if (c->rates)
        row[n++] = text_value(p->rate_per_s, TEXT_NUMBER);
}

static void print_notes(const struct capacity_question *q, const struct capacity_search *s)
{
    bool even = s->count > 0;
    struct text_buffer note = {0};
    if (has_few(s, q->bounds))
        text_append(&note,
                    "Note: a value that counts less than %g %% of what arrived does not keep a "
                    "bound: what did not end is missing, and that is what takes longest.",
                    100 * METRIC_COUNTED_LEAST);
    for (size_t i = 0; i < s->count; i++)
        even = even && s->points[i].even;
    if (even)
        text_append(&note,
                    "%sNote: nothing in this replay is drawn, so its runs are alike and there are "
                    "no intervals: it says nothing of other days. workload.trace[].keep below 1 "
                    "draws the jobs.",
                    note.length > 0 ? "\n" : "");
    if (note.length > 0) {
        putchar('\n');
        for (char *line = note.text, *rest = note.text; (line = strsep(&rest, "\n")) != NULL;)
            text_paragraph(stdout, line, 2);
    }
    free(note.text);
}

void capacity_print_curve(const struct capacity_question *q, const struct capacity_search *s,
                          const struct capacity_looks *looks)
{
    const struct columns c = columns_of(q, s, looks);
    struct table t = {0};
    struct text *row = table_row(&t);
    size_t n = 0;
    row[n++] = text_format("%.60s", q->vary);
    row[n++] = text_format("runs");
    for (size_t i = 0; i < q->bounds->count; i++)
        row[n++] =
            c.services ? text_format("sla_met") : text_format("%.60s", q->bounds->all[i].metric);
    if (c.services)
        row[n++] = text_format("worst service");
    if (c.counted)
        row[n++] = text_format("%s", looks->counted);
    if (c.unfinished)
        row[n++] = text_format("not done");
    row[n++] = text_format("kept");
    if (c.rates)
        row[n++] = text_format("requests/s");
    for (size_t i = 0; i < s->count; i++)
        print_point(&t, q->bounds, &c, &s->points[i]);
    table_print(stdout, &t);
    table_release(&t);
    print_notes(q, s);
}

/* ---- The answer ---- */

static const struct capacity_point *point_at(const struct capacity_search *s, double value)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->points[i].value == value)
            return &s->points[i];
    return NULL;
}

/* "unfinished decides: 1.34 %, to be at most 1.00 %", "it is overloaded" */
static void append_decides(struct text_buffer *out, const struct capacity_question *q,
                           const struct capacity_point *p)
{
    if (p->decides < q->bounds->count) {
        const struct capacity_bound *b = &q->bounds->all[p->decides];
        text_append(out, "%s decides: %s, to be at %s %s", b->metric,
                    text_estimate(&p->seen[p->decides].estimate, unit_of(b), 2).at,
                    b->at_least ? "least" : "most", text_value(b->bound.value, unit_of(b)).at);
        if (p->seen[p->decides].few)
            text_append(out, ", and it counts %.0f of %.0f", p->seen[p->decides].counted,
                        p->seen[p->decides].of);
        if (p->overloaded)
            text_append(out, "; it is overloaded");
    } else {
        text_append(out, "it is overloaded: %s of the work due was not done",
                    text_value(p->unfinished, TEXT_PERCENT).at);
    }
}

static void append_found(struct text_buffer *out, const struct capacity_question *q,
                         const struct capacity_search *s)
{
    const struct capacity_point *bad = point_at(s, s->bad);
    bool one = q->bounds->count == 1;
    text_append(out, "%s=%s is the %s that keeps %s; %s is not shown to", q->vary,
                capacity_value(s->good).at, s->rises ? "least" : "highest", one ? "it" : "them",
                capacity_value(s->bad).at);
    if (bad != NULL && (!one || bad->decides == q->bounds->count)) {
        text_append(out, ": ");
        append_decides(out, q, bad);
    }
    text_append(out, ".");
}

/* Why each end fails, where more than one thing could be the reason. */
static void append_never(struct text_buffer *out, const struct capacity_question *q,
                         const struct capacity_search *s)
{
    const struct capacity_point *ends[] = {point_at(s, s->low), point_at(s, s->high)};
    bool one = q->bounds->count == 1;
    text_append(out, "Infeasible: neither %s=%s nor %s=%s is shown to keep %s.", q->vary,
                capacity_value(s->low).at, q->vary, capacity_value(s->high).at,
                one ? "it" : "them");
    for (size_t i = 0; i < 2; i++) {
        if (one && !ends[0]->overloaded && !ends[1]->overloaded)
            return;
        text_append(out, "\nAt %s ", capacity_value(ends[i]->value).at);
        append_decides(out, q, ends[i]);
        text_append(out, ".");
    }
}

/* A line or more. */
static char *answer_text(const struct capacity_question *q, const struct capacity_search *s)
{
    struct text_buffer out = {0};
    if (s->end == CAPACITY_ALWAYS)
        text_append(&out, "Both ends keep %s: the answer lies outside %s to %s.",
                    q->bounds->count == 1 ? "it" : "them", capacity_value(s->low).at,
                    capacity_value(s->high).at);
    else if (s->end == CAPACITY_NEVER)
        append_never(&out, q, s);
    else
        append_found(&out, q, s);
    return out.text;
}

int capacity_print_answer(const struct capacity_question *q, const struct capacity_search *s)
{
    char *answer = answer_text(q, s), *rest = answer;
    putchar('\n');
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        print_line(q, line);
    free(answer);
    if (s->end != CAPACITY_FOUND)
        return DCS_EXIT_FOUND;
    if (s->monotone)
        return DCS_EXIT_OK;
    printf("WARNING: not in order: %s=%s and %s=%s contradict each other; bisection assumes that\n"
           "there is one place from which the bound is kept.\n",
           q->vary, capacity_value(s->odd[0]).at, q->vary, capacity_value(s->odd[1]).at);
    return DCS_EXIT_FOUND;
}

int capacity_keep(const struct capacity_question *q, const struct capacity_search *s,
                  const struct capacity_looks *looks, struct dcs_err *err)
{
    size_t n = 0, bounds = q->bounds->count;
    struct store_look *rows = dcs_alloc(s->count * bounds + 1, sizeof *rows);
    char *question = question_text(q, looks), *told = answer_text(q, s);
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < bounds; k++)
            rows[n++] = (struct store_look){.hash = s->points[i].hash,
                                            .position = k,
                                            .value = s->points[i].value,
                                            .metric = q->bounds->all[k].metric,
                                            .unit = q->bounds->all[k].unit,
                                            .service = s->points[i].seen[k].service,
                                            .kept = capacity_kept_word(&s->points[i]),
                                            .at_least = q->bounds->all[k].at_least,
                                            .bound = q->bounds->all[k].bound.value,
                                            .result = s->points[i].seen[k].estimate};
    const struct store_search search = {
        .question = question,
        .vary = q->vary,
        .told = told,
        .answer = s->end == CAPACITY_FOUND ? s->good : (double)NAN,
        .looks = rows,
        .looks_count = n,
    };
    int status = store_put_search(looks->store, &search, err);
    free(question);
    free(told);
    free(rows);
    return status;
}

void capacity_print_note(const struct capacity_question *q, const struct capacity_looks *looks)
{
    bool same = looks->clients_least == looks->clients_most;
    if (!looks->few_clients || !same || strstr(q->vary, "cluster.") == NULL)
        return;
    struct text_buffer note = {0};
    text_append(&note,
                "Note: workload.batch has %" PRId64 " client%s at every size: no batch work runs "
                "beside the services on the other devices. To give each device a client, vary "
                "both: --vary cluster.devices,workload.batch[0].clients=LOW:HIGH.",
                looks->clients_most, dcs_plural((uint64_t)looks->clients_most));
    text_paragraph(stdout, note.text, 2);
    free(note.text);
}
