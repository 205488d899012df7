/* report_contest.c - the numbers that a report compares, and the comparison with its baseline; see
 * report_figures.h. */
#include "report/page/report_figures.h"

#include "results/compare_verdict.h"

#include <math.h>
#include <stdlib.h>

static const struct report_shown shown[SHOWN_COUNT] = {
    [SHOWN_LATE] = {REPORT_SLA_MET, true, "Requests that miss their SLA", "late requests",
                    "latency.sla_violation", TEXT_PERCENT},
    [SHOWN_P99] = {REPORT_P99, false, "Response time of latency requests: 99 % are faster",
                   "p99 response time", "latency.response_p99", TEXT_TIME},
    [SHOWN_BATCH] = {REPORT_THROUGHPUT, false, "Batch work that gets done", "batch requests per s",
                     "batch.throughput", TEXT_NUMBER},
    [SHOWN_BUSY] = {REPORT_UTILISATION, false, "How busy the devices are", "utilisation",
                    "utilisation", TEXT_PERCENT},
};
/* Comparable between applications, so it is preferred where a profile allows it. */
static const struct report_shown normalised = {REPORT_NORMALISED,
                                               false,
                                               "Batch work that gets done",
                                               "batch throughput over that alone",
                                               "batch.normalised_throughput",
                                               TEXT_PERCENT};

/* A device that kernels share is nearly always busy with some: its SMs are not. */
static const struct report_shown sms = {
    REPORT_SMS,       false,       "How much of the devices is in use", "SMs in use",
    "sm_utilisation", TEXT_PERCENT};
static const struct report_shown cores = {
    REPORT_SMS,       false,       "How much of the devices is in use", "cores in use",
    "sm_utilisation", TEXT_PERCENT};

/* All devices are CPUs. */
static bool cores_alone(const struct report_data *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (!d->points[i].cpu)
            return false;
    return true;
}

const char *report_parts(const struct report_data *d)
{
    return cores_alone(d) ? "cores" : "SMs";
}

bool report_shares_devices(const struct report_data *d)
{
    bool shared = false;
    for (size_t i = 0; i < d->count; i++) {
        if (!d->points[i].summarised)
            continue;
        if (isnan(d->points[i].values[REPORT_SMS].value))
            return false;
        shared = true;
    }
    return shared;
}

const struct report_shown *report_shown(const struct report_data *d, size_t which)
{
    if (which == SHOWN_BUSY && report_shares_devices(d))
        return cores_alone(d) ? &cores : &sms;
    for (size_t i = 0; i < d->count && which == SHOWN_BATCH; i++)
        if (!isnan(d->points[i].values[REPORT_NORMALISED].value))
            return &normalised;
    return &shown[which];
}

struct dcs_estimate report_shown_value(const struct report_point *p, const struct report_shown *s)
{
    struct dcs_estimate e = p->values[s->value];
    if (!s->complement)
        return e;
    struct dcs_estimate c = e;
    c.value = 1 - e.value;
    c.low = 1 - e.high;
    c.high = 1 - e.low;
    return c;
}

struct dcs_estimate report_together(const struct dcs_estimate *values, size_t count)
{
    struct dcs_estimate all = {(double)NAN, (double)NAN, (double)NAN, 0, true};
    double sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < count; i++) {
        double v = values[i].value;
        if (isnan(v))
            continue;
        sum += v;
        all.low = all.n == 0 ? v : fmin(all.low, v);
        all.high = all.n == 0 ? v : fmax(all.high, v);
        all.n++;
        last = i;
    }
    if (all.n == 1)
        return values[last];
    if (all.n > 1 && all.low == all.high) {
        all.value = all.low; /* a mean of equal values may round */
        all.low = all.high = (double)NAN;
    } else if (all.n > 0) {
        all.value = fmin(fmax(sum / (double)all.n, all.low), all.high);
    }
    return all;
}

/* Which worlds a label met. */
static bool *worlds_of(const struct report_data *d, size_t label)
{
    bool *met = dcs_alloc(d->groups.count + 1, sizeof *met);
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].label == label)
            met[d->points[i].world] = true;
    return met;
}

struct dcs_estimate report_label_value(const struct report_data *d, size_t label,
                                       const struct report_shown *s)
{
    return report_label_value_beside(d, label, d->baseline, s);
}

struct dcs_estimate report_label_value_beside(const struct report_data *d, size_t label,
                                              size_t other, const struct report_shown *s)
{
    bool *met = worlds_of(d, other);
    struct dcs_estimate *values = dcs_alloc(d->count + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].label == label && met[d->points[i].world])
            values[n++] = report_shown_value(&d->points[i], s);
    struct dcs_estimate e = report_together(values, n);
    free(values);
    free(met);
    return e;
}

/* ---- Against the baseline ---- */

/* The systems of a world: the one of the baseline first found, NULL: none. */
static const struct compare_system *baseline_of(const struct report_data *d,
                                                const struct compare_group *world)
{
    for (size_t s = 0; s < world->count; s++)
        if (d->points[world->systems[s] - d->groups.systems].label == d->baseline)
            return world->systems[s];
    return NULL;
}

static void add_difference(struct report_rival *r, size_t world, const struct dcs_difference *d,
                           enum compare_direction direction)
{
    if (isnan(d->paired.value))
        return;
    bool above = d->verdict == DCS_ABOVE, below = d->verdict == DCS_BELOW;
    bool better = direction == COMPARE_LOWER ? below : above;
    if (above || below) {
        size_t n = r->better + r->worse;
        r->differs = dcs_grow(r->differs, &r->capacity, n + 1, sizeof *r->differs);
        r->differs[n] = (struct report_differs){world, better, d->paired.value};
        r->better += better;
        r->worse += !better;
    }
    r->word = compare_verdict_word(d->verdict, direction, 0);
    if (r->worlds++ == 0) {
        r->difference = d->paired;
        return;
    }
    double v = d->paired.value;
    struct dcs_estimate *all = &r->difference;
    if (r->worlds == 2)
        all->low = all->high = all->value;
    all->median = true; /* its range does not lie evenly around it */
    all->value += (v - all->value) / (double)r->worlds;
    all->low = fmin(all->low, v);
    all->high = fmax(all->high, v);
}

static int compare_all(struct report_contest *c, struct report_data *d, size_t which,
                       struct dcs_err *err)
{
    struct compare_metric metric;
    struct dcs_err unknown = {0};
    c->labels_count = d->labels_count;
    c->rivals[which] = dcs_alloc(d->labels_count + 1, sizeof *c->rivals[which]);
    if (compare_metric(d->results, report_shown(d, which)->metric, &metric, &unknown) != 0)
        return 0; /* nothing here has it */
    enum compare_direction direction = compare_better(&metric);
    c->better[which] = direction == COMPARE_HIGHER ? 1 : direction == COMPARE_LOWER ? -1 : 0;
    int status = compare_groups_values(&d->groups, d->results, &metric, err);
    for (size_t w = 0; w < d->groups.count && status == 0; w++) {
        const struct compare_group *world = &d->groups.groups[w];
        const struct compare_system *base = world->count > 1 ? baseline_of(d, world) : NULL;
        for (size_t s = 0; s < world->count && base != NULL; s++) {
            const struct compare_system *other = world->systems[s];
            const struct report_point *p = &d->points[other - d->groups.systems];
            if (p->label == d->baseline)
                continue;
            struct dcs_compare_rule rule = {.confidence = 0.95, .median = base->median};
            struct dcs_difference difference;
            double value;
            compare_systems(base, other, &rule, &difference, &value);
            add_difference(&c->rivals[which][p->label], w, &difference, direction);
            c->any = true;
        }
    }
    compare_metric_release(&metric);
    return status;
}

int report_contest_read(struct report_contest *c, struct report_data *d, struct dcs_err *err)
{
    *c = (struct report_contest){0};
    for (size_t which = 0; which < SHOWN_COUNT; which++)
        if (compare_all(c, d, which, err) != 0) {
            report_contest_release(c);
            return -1;
        }
    return 0;
}

void report_contest_release(struct report_contest *c)
{
    for (size_t which = 0; which < SHOWN_COUNT; which++) {
        for (size_t l = 0; l < c->labels_count && c->rivals[which] != NULL; l++)
            free(c->rivals[which][l].differs);
        free(c->rivals[which]);
    }
    *c = (struct report_contest){0};
}

char *report_rival_text(const struct report_rival *r, enum text_unit unit, int better)
{
    struct text_buffer text = {0};
    const char *good = better == 0 ? "higher" : "better", *bad = better == 0 ? "lower" : "worse";
    text_append(&text, "%s: ", compare_signed(&r->difference, unit).at);
    if (r->worlds == 1)
        text_append(&text, "%s", isnan(r->difference.low) ? "one run, no verdict" : r->word);
    else if (r->better + r->worse == 0)
        text_append(&text, "no difference shown");
    else if (r->better > 0 && r->worse > 0)
        text_append(&text, "%s in %zu, %s in %zu%s", good, r->better, bad, r->worse,
                    r->better + r->worse < r->worlds ? text_format(" of %zu", r->worlds).at : "");
    else
        text_append(&text, "%s in %zu of %zu", r->worse > 0 ? bad : good,
                    r->worse > 0 ? r->worse : r->better, r->worlds);
    return text.text;
}
