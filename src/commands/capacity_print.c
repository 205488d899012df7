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

static struct text bound_text(const struct capacity_bound *b)
{
    return text_value(b->bound.value, unit_of(b));
}

const char *capacity_kept_word(const struct capacity_point *p)
{
    return p->kept == CAPACITY_KEPT        ? "yes"
           : p->kept == CAPACITY_UNDECIDED ? "undecided"
           : p->unfit > 0                  ? "misfits"
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
                    b->at_least ? "least" : "most", bound_text(b).at);
    }
    if (!q->even)
        text_append(&line, " (%g %% intervals)", 100 * bounds->confidence);
    return line.text;
}

void capacity_print_title(const struct capacity_question *q, const struct capacity_looks *looks)
{
    char *question = question_text(q, looks);
    if (q->bounds->count > 1)
        text_paragraph(stdout, question, 2);
    else /* a line, which may be wider than the page */
        puts(question);
    free(question);
    if (q->gangs)
        printf("order and placement: %s; the answer is another one with others: cluster.queue\n\n",
               q->policy);
    else
        printf("policy: %s; the answer is another one with another policy: --set "
               "policy.name=NAME\n\n",
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

static bool is_mean_time(const char *metric)
{
    const char *point = strrchr(metric, '.');
    return metric_name_is_mean_time(point != NULL ? point + 1 : metric);
}

/* Whether the first bound is a mean of times that leaves something out. */
static bool leaves_out(const struct capacity_search *s, const struct capacity_bounds *b)
{
    bool any = false;
    for (size_t i = 0; i < s->count && is_mean_time(b->all[0].metric); i++)
        any = any || s->points[i].seen[0].counted < s->points[i].seen[0].of;
    return any;
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
    bool runs, services, counted, unfinished, rates;
};

static struct columns columns_of(const struct capacity_question *q, const struct capacity_search *s,
                                 const struct capacity_looks *looks)
{
    bool one = q->bounds->count == 1;
    /* Of what ended: always. Of what started or is decided: where that is not nearly all, and of a
     * mean where it is not all. */
    bool counted =
        looks->counted != NULL &&
        (has_few(s, q->bounds) || strcmp(looks->counted, "ended") == 0 || leaves_out(s, q->bounds));
    return (struct columns){.runs = !q->even,
                            .services = one && looks->services > 1,
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
    if (c->runs)
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

bool capacity_is_even(const struct capacity_search *s)
{
    bool even = s->count > 0;
    for (size_t i = 0; i < s->count; i++)
        even = even && s->points[i].even;
    return even;
}

static void print_notes(const struct capacity_question *q, const struct capacity_search *s)
{
    struct text_buffer note = {0};
    if (has_few(s, q->bounds))
        text_append(&note,
                    "Note: a value that counts less than %g %% of what arrived does not keep a "
                    "bound: what did not end is missing, and that is what takes longest.",
                    100 * METRIC_COUNTED_LEAST);
    if (q->even)
        text_append(&note,
                    "%sNote: nothing in this replay is drawn, so there are no intervals: it says "
                    "nothing of other days. workload.trace[].keep below 1 draws the jobs, and "
                    "lowers the load to that share.",
                    note.length > 0 ? "\n" : "");
    if (note.length > 0) {
        putchar('\n');
        char *rest = note.text;
        while (rest != NULL)
            text_paragraph(stdout, strsep(&rest, "\n"), 2);
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
    if (c.runs)
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

/* "unfinished decides: 1.34 %, to be at most 1.00 %"; of an overload, which rule says so: that work
 * was not done is seldom the only one */
static void append_decides(struct text_buffer *out, const struct capacity_question *q,
                           const struct capacity_point *p)
{
    if (p->decides < q->bounds->count) {
        const struct capacity_bound *b = &q->bounds->all[p->decides];
        text_append(out, "%s decides: %s, to be at %s %s", b->metric,
                    text_estimate(&p->seen[p->decides].estimate, unit_of(b), 2).at,
                    b->at_least ? "least" : "most", bound_text(b).at);
        if (p->seen[p->decides].few)
            text_append(out, ", and it counts %.0f of %.0f", p->seen[p->decides].counted,
                        p->seen[p->decides].of);
        if (p->overloaded)
            text_append(out, "; it is overloaded (%s)", p->reason);
    } else {
        text_append(out, "it is overloaded (%s)", p->reason);
        if (p->unfinished > 0)
            text_append(out, ", and %s of the work due was not done",
                        text_value(p->unfinished, TEXT_PERCENT).at);
    }
}

/* What a mean of times that keeps its bound leaves out. */
static void append_counted(struct text_buffer *out, const struct capacity_question *q,
                           const struct capacity_point *good)
{
    for (size_t i = 0; good != NULL && i < q->bounds->count; i++) {
        const char *metric = q->bounds->all[i].metric;
        const struct capacity_seen *seen = &good->seen[i];
        if (!is_mean_time(metric) || !(seen->counted < seen->of))
            continue;
        text_append(out, "\nAt %s %s is of the %.0f of %.0f %s that %s: the others took longest.",
                    capacity_value(good->value).at, metric, seen->counted, seen->of,
                    strstr(metric, "response_mean") != NULL ? "requests" : "jobs", seen->word);
    }
}

static void append_found(struct text_buffer *out, const struct capacity_question *q,
                         const struct capacity_search *s)
{
    const struct capacity_point *bad = point_at(s, s->bad);
    bool one = q->bounds->count == 1;
    bool run = bad == NULL || bad->unfit == 0;
    text_append(out, "%s=%s is the %s that keeps %s; %s %s", q->vary, capacity_value(s->good).at,
                s->rises ? "least" : "highest", one ? "it" : "them", capacity_value(s->bad).at,
                run ? "may not" : "was not run");
    if (run && bad != NULL && (!one || bad->decides == q->bounds->count || bad->overloaded)) {
        text_append(out, ": ");
        append_decides(out, q, bad);
    }
    text_append(out, ".");
    append_counted(out, q, point_at(s, s->good));
}

/* Which values of what is varied help the bounds, as far as that is known. */
enum helps { HELPS_UNKNOWN, HELPS_HIGHER, HELPS_LOWER };

/* The last step of a key is a number of GPUs or nodes, which do the work, or it is the work. */
static enum helps helps_by_key(const char *key)
{
    static const char *const doing[] = {"devices", "nodes", "gpus"};
    static const char *const asked[] = {"load", "rate_per_s", "fraction_of_peak", "keep"};
    const char *point = strrchr(key, '.'), *name = point != NULL ? point + 1 : key;
    for (size_t i = 0; i < sizeof doing / sizeof doing[0]; i++)
        if (strcmp(name, doing[i]) == 0)
            return HELPS_HIGHER;
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        if (strcmp(name, asked[i]) == 0)
            return HELPS_LOWER;
    return HELPS_UNKNOWN;
}

/* Whether all of `a` lies below all of `b`. Without intervals the values decide. */
static bool is_below(const struct dcs_estimate *a, const struct dcs_estimate *b)
{
    return (isnan(a->high) ? a->value : a->high) < (isnan(b->low) ? b->value : b->low);
}

/* By the metrics at the ends, unless they contradict each other; where they are alike, by the keys,
 * if those of which it is known agree. */
static enum helps what_helps(const struct capacity_question *q, const struct capacity_search *s)
{
    const struct capacity_point *low = point_at(s, s->low), *high = point_at(s, s->high);
    bool helps[3] = {false};
    for (size_t i = 0; low != NULL && high != NULL && i < q->bounds->count; i++) {
        const struct dcs_estimate *a = &low->seen[i].estimate, *b = &high->seen[i].estimate;
        bool least = q->bounds->all[i].at_least;
        if (low->seen[i].few || high->seen[i].few)
            continue;
        helps[HELPS_HIGHER] = helps[HELPS_HIGHER] || (least ? is_below(a, b) : is_below(b, a));
        helps[HELPS_LOWER] = helps[HELPS_LOWER] || (least ? is_below(b, a) : is_below(a, b));
    }
    if (!helps[HELPS_HIGHER] && !helps[HELPS_LOWER]) {
        char *keys = dcs_strdup(q->vary), *rest = keys;
        while (rest != NULL)
            helps[helps_by_key(strsep(&rest, ","))] = true;
        free(keys);
    }
    return helps[HELPS_HIGHER] == helps[HELPS_LOWER] ? HELPS_UNKNOWN
           : helps[HELPS_HIGHER]                     ? HELPS_HIGHER
                                                     : HELPS_LOWER;
}

/* LOW keeps the bounds, and there is no lower number of GPUs or nodes. */
static bool is_lowest(const struct capacity_question *q, const struct capacity_search *s)
{
    return s->end == CAPACITY_ALWAYS && s->whole && s->low == 1 && strchr(q->vary, ',') == NULL &&
           helps_by_key(q->vary) == HELPS_HIGHER && what_helps(q, s) == HELPS_HIGHER;
}

static void append_always(struct text_buffer *out, const struct capacity_question *q,
                          const struct capacity_search *s)
{
    const char *them = q->bounds->count == 1 ? "it" : "them", *less = s->whole ? "fewer" : "less";
    const struct capacity_text low = capacity_value(s->low), high = capacity_value(s->high);
    enum helps helps = what_helps(q, s);
    if (is_lowest(q, s))
        text_append(out, "LOW keeps %s: the answer is %s=%s, the least that there can be.", them,
                    q->vary, low.at);
    else if (helps == HELPS_HIGHER)
        text_append(out, "LOW keeps %s: the answer is %s=%s or %s; a lower LOW finds it.", them,
                    q->vary, low.at, less);
    else if (helps == HELPS_LOWER)
        text_append(out, "HIGH keeps %s: the answer is %s=%s or more; a higher HIGH finds it.",
                    them, q->vary, high.at);
    else
        text_append(
            out,
            "LOW and HIGH both keep %s: the answer is %s=%s or %s where higher values help, "
            "else %s or more; a lower LOW or a higher HIGH finds it.",
            them, q->vary, low.at, less, high.at);
}

/* What could be asked instead; why each end that was run fails, where more than one thing could be
 * the reason. */
static void append_never(struct text_buffer *out, const struct capacity_question *q,
                         const struct capacity_search *s)
{
    const struct capacity_point *ends[] = {point_at(s, s->low), point_at(s, s->high)};
    enum helps helps = what_helps(q, s);
    bool one = q->bounds->count == 1;
    text_append(out, "Infeasible: neither %s=%s nor %s=%s is shown to keep %s", q->vary,
                capacity_value(s->low).at, q->vary, capacity_value(s->high).at,
                one ? "it" : "them");
    bool several = !one;
    for (size_t i = 0; i < 2; i++)
        several = several || (ends[i] != NULL && ends[i]->overloaded);
    /* Jobs that fit both ends no more than each other fit no value. */
    if (ends[0] == NULL || ends[1] == NULL || ends[1]->unfit == 0 ||
        ends[1]->unfit != ends[0]->unfit)
        text_append(out, "; %s may",
                    helps == HELPS_HIGHER  ? "a higher HIGH"
                    : helps == HELPS_LOWER ? "a lower LOW"
                                           : "a higher HIGH or a lower LOW");
    text_append(out, ".");
    for (size_t i = 0; i < 2 && several; i++) {
        if (ends[i] == NULL || ends[i]->unfit > 0)
            continue;
        text_append(out, "\nAt %s ", capacity_value(ends[i]->value).at);
        append_decides(out, q, ends[i]);
        text_append(out, ".");
    }
}

/* Values without a point: where a job fits no nodes nothing was run. */
static void append_misfits(struct text_buffer *out, const struct capacity_search *s)
{
    uint64_t most = 0;
    bool of_all = false, any = false;
    for (size_t i = 0; i < s->count; i++) {
        most = s->points[i].unfit > most ? s->points[i].unfit : most;
        of_all = of_all || s->points[i].unfit_all;
    }
    if (most == 0)
        return;
    text_append(out, "\nNot run, since %s for more GPUs than %s: at",
                most == 1 ? "a job asks" : "jobs ask", of_all ? "all nodes have" : "a node has");
    for (size_t i = 0; i < s->count; i++) {
        const struct capacity_point *p = &s->points[i];
        if (p->unfit == 0)
            continue;
        text_append(out, "%s %s (%" PRIu64 " job%s)", any ? "," : "", capacity_value(p->value).at,
                    p->unfit, dcs_plural(p->unfit));
        any = true;
    }
    text_append(out, ". cluster.queue.misfits=leave_out leaves %s out%s.",
                most == 1 ? "it" : "them",
                of_all ? "" : ", cluster.queue.across_nodes=true lets a job have several nodes");
}

/* A line or more. */
static char *answer_text(const struct capacity_question *q, const struct capacity_search *s)
{
    struct text_buffer out = {0};
    if (s->end == CAPACITY_ALWAYS)
        append_always(&out, q, s);
    else if (s->end == CAPACITY_NEVER)
        append_never(&out, q, s);
    else
        append_found(&out, q, s);
    if (s->end == CAPACITY_FOUND && !s->monotone)
        text_append(&out,
                    "\nWARNING: not in order: %s=%s and %s=%s contradict each other; bisection "
                    "assumes that there is one place from which the bound is kept.",
                    q->vary, capacity_value(s->odd[0]).at, q->vary, capacity_value(s->odd[1]).at);
    append_misfits(&out, s);
    return out.text;
}

/* NaN: there is none. */
static double answer_of(const struct capacity_question *q, const struct capacity_search *s)
{
    return s->end == CAPACITY_FOUND ? s->good : is_lowest(q, s) ? s->low : (double)NAN;
}

int capacity_print_answer(const struct capacity_question *q, const struct capacity_search *s)
{
    char *answer = answer_text(q, s), *rest = answer;
    putchar('\n');
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        text_paragraph(stdout, line, 2);
    free(answer);
    return !isnan(answer_of(q, s)) && s->monotone ? DCS_EXIT_OK : DCS_EXIT_FOUND;
}

/* The question as it was printed, who decides, and an experiment: other worlds may be asked the
 * same. */
static char *search_name(const struct capacity_question *q, const struct capacity_search *s,
                         const struct capacity_looks *looks)
{
    const struct capacity_point *end = point_at(s, s->low);
    struct text_buffer name = {0};
    char *question = question_text(q, looks);
    if (end == NULL || end->unfit > 0)
        end = point_at(s, s->high);
    text_append(&name, "%s; %s %s", question, q->gangs ? "order and placement" : "policy",
                q->policy);
    if (end != NULL && end->unfit == 0)
        text_append(&name, "; experiment %.11s at %s", end->hash, capacity_value(end->value).at);
    free(question);
    return name.text;
}

int capacity_keep(const struct capacity_question *q, const struct capacity_search *s,
                  const struct capacity_looks *looks, struct dcs_err *err)
{
    size_t n = 0, bounds = q->bounds->count;
    struct store_look *rows = dcs_alloc(s->count * bounds + 1, sizeof *rows);
    char *question = search_name(q, s, looks), *answer = answer_text(q, s);
    struct text_buffer told = {0};
    text_append(&told, "%s", answer);
    capacity_told_append_scope(&looks->told, &told);
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < bounds && s->points[i].unfit == 0; k++) /* it has no experiment */
            rows[n++] = (struct store_look){.hash = s->points[i].hash,
                                            .position = k,
                                            .value = s->points[i].value,
                                            .metric = q->bounds->all[k].metric,
                                            .unit = q->bounds->all[k].unit,
                                            .service = s->points[i].seen[k].service,
                                            .kept = capacity_kept_word(&s->points[i]),
                                            .at_least = q->bounds->all[k].at_least,
                                            .bound = q->bounds->all[k].bound.value,
                                            .reason = s->points[i].reason,
                                            .result = s->points[i].seen[k].estimate};
    const struct store_search search = {
        .question = question,
        .vary = q->vary,
        .told = told.text,
        .answer = answer_of(q, s),
        .looks = rows,
        .looks_count = n,
    };
    int status = store_put_search(looks->store, &search, err);
    free(question);
    free(answer);
    free(told.text);
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
