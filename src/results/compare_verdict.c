/* compare_verdict.c - see compare_verdict.h. */
#include "results/compare_verdict.h"

#include "runs/metric_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum compare_direction better;
} kinds[] = {
    {"sla_met", COMPARE_HIGHER},
    {"sla_violation", COMPARE_LOWER},
    {"sla_violations", COMPARE_LOWER},
    {"done", COMPARE_HIGHER},
    {"completions", COMPARE_HIGHER},
    {"throughput", COMPARE_HIGHER},
    {"jobs", COMPARE_HIGHER},
    {"useful", COMPARE_HIGHER},
    {"normalised_throughput", COMPARE_HIGHER},
    {"aggregated_performance", COMPARE_HIGHER},
    {"unfairness", COMPARE_LOWER},
    {"slowdown", COMPARE_LOWER},
    {"qos_violation", COMPARE_LOWER},
    {"lost", COMPARE_LOWER},
    {"overhead", COMPARE_LOWER},
    {"lost_over_useful", COMPARE_LOWER},
    {"contention_share", COMPARE_LOWER},
    {"dropped", COMPARE_LOWER},
    {"inside", COMPARE_LOWER},
    {"stranded", COMPARE_LOWER},
    {"mean_in_system", COMPARE_LOWER},
    {"response_mean", COMPARE_LOWER},
    {"response_p50", COMPARE_LOWER},
    {"response_p95", COMPARE_LOWER},
    {"response_p99", COMPARE_LOWER},
    {"response_max", COMPARE_LOWER},
    {"unfinished", COMPARE_LOWER},
    {"jobs_started", COMPARE_HIGHER},
    {"jobs_ended", COMPARE_HIGHER},
    {"queue_wait_mean", COMPARE_LOWER},
    {"queue_wait_p50", COMPARE_LOWER},
    {"queue_wait_p95", COMPARE_LOWER},
    {"queue_wait_p99", COMPARE_LOWER},
    {"queue_wait_max", COMPARE_LOWER},
    {"slowdown_mean", COMPARE_LOWER},
    {"slowdown_p50", COMPARE_LOWER},
    {"slowdown_p95", COMPARE_LOWER},
    {"slowdown_p99", COMPARE_LOWER},
    {"slowdown_max", COMPARE_LOWER},
    {"bounded_slowdown_mean", COMPARE_LOWER},
    {"bounded_slowdown_p50", COMPARE_LOWER},
    {"bounded_slowdown_p95", COMPARE_LOWER},
    {"bounded_slowdown_p99", COMPARE_LOWER},
    {"bounded_slowdown_max", COMPARE_LOWER},
    {"job_time_p50", COMPARE_LOWER},
    {"job_time_p90", COMPARE_LOWER},
    {"job_time_p99", COMPARE_LOWER},
};

const char *compare_shown_name(const struct compare_metric *m)
{
    return m->complement ? "sla_violation" : m->name;
}

enum compare_direction compare_better(const struct compare_metric *m)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, compare_shown_name(m)) == 0)
            return kinds[i].better;
    return COMPARE_NEITHER;
}

enum text_unit compare_unit(const struct compare_metric *m)
{
    if (strcmp(m->unit, "ns") == 0)
        return TEXT_TIME;
    return metric_name_is_share(compare_shown_name(m)) ? TEXT_PERCENT : TEXT_NUMBER;
}

struct text compare_points(struct text t, enum text_unit unit)
{
    size_t length = strlen(t.at);
    if (unit != TEXT_PERCENT || length < 2 || strcmp(t.at + length - 2, " %") != 0)
        return t;
    return text_format("%.*s pp", (int)length - 2, t.at);
}

static const char *verdict_word(enum dcs_verdict v, enum compare_direction d, double delta)
{
    switch (v) {
    case DCS_SAME:
        return delta > 0 ? "same within delta" : "same";
    case DCS_ABOVE:
        return d == COMPARE_HIGHER ? "better" : d == COMPARE_LOWER ? "worse" : "higher";
    case DCS_BELOW:
        return d == COMPARE_HIGHER ? "worse" : d == COMPARE_LOWER ? "better" : "lower";
    case DCS_UNDECIDED:
        break;
    }
    return "undecided";
}

struct text compare_verdict_text(const struct dcs_difference *difference, enum compare_direction d,
                                 double delta, enum text_unit unit, double like)
{
    double within = dcs_equal_within(difference);
    if (isnan(within))
        return text_format("%s", verdict_word(difference->verdict, d, delta));
    struct text bound = compare_points(text_value_like(within, unit, like), unit);
    return text_format("equal within %.60s", bound.at);
}

struct text compare_signed(const struct dcs_estimate *e, enum text_unit unit, double like)
{
    struct text t = compare_points(text_estimate_like(e, unit, 2, like), unit);
    return e->value > 0 ? text_format("+%.100s", t.at) : t;
}

double compare_centre(const double *values, size_t n, bool median)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 0, 0, DCS_RNG_BOOTSTRAP, 0);
    return (median ? dcs_estimate_median(values, n, &rng) : dcs_estimate_mean(values, n)).value;
}

/* Smaller differences come from the order of summing: relative to the larger value, or to LEAST. */
#define ROUNDING 1e-12
#define LEAST    1e-3

/* The runs in which both have a value; returns how many. Those that differ by rounding are equal.
 */
static size_t pair(const struct compare_system *a, const struct compare_system *b, double *of_a,
                   double *of_b)
{
    size_t n = 0;
    for (size_t i = 0, j = 0; i < a->runs && j < b->runs;) {
        if (a->replications[i] < b->replications[j]) {
            i++;
        } else if (a->replications[i] > b->replications[j]) {
            j++;
        } else {
            of_a[n] = a->values[i++];
            of_b[n] = b->values[j++];
            if (fabs(of_b[n] - of_a[n]) <=
                ROUNDING * fmax(LEAST, fmax(fabs(of_a[n]), fabs(of_b[n]))))
                of_b[n] = of_a[n];
            n += !isnan(of_a[n]) && !isnan(of_b[n]);
        }
    }
    return n;
}

static void judge_even(double difference, double delta, size_t n, struct dcs_difference *out)
{
    const double nan = (double)NAN;
    *out = (struct dcs_difference){.paired = {difference, nan, nan, n, false},
                                   .unpaired = {difference, nan, nan, n, false},
                                   .verdict = difference > delta    ? DCS_ABOVE
                                              : difference < -delta ? DCS_BELOW
                                                                    : DCS_SAME};
}

bool compare_can(const struct compare_system *base, const struct compare_system *s)
{
    return !base->unreached && !s->unreached && !base->partial && !s->partial;
}

void compare_systems(const struct compare_system *base, const struct compare_system *s,
                     const struct dcs_compare_rule *rule, struct dcs_difference *out, double *value)
{
    if (!compare_can(base, s)) {
        judge_even((double)NAN, rule->delta, 0, out);
        out->verdict = DCS_UNDECIDED;
        *value = s->unreached ? (double)NAN : compare_centre(s->values, s->runs, rule->median);
        return;
    }
    double *of_base = dcs_alloc(s->runs + 1, sizeof *of_base);
    double *of_s = dcs_alloc(s->runs + 1, sizeof *of_s);
    size_t n = pair(base, s, of_base, of_s);
    struct dcs_rng rng;
    dcs_rng_stream(&rng, (uint64_t)base->id, 0, DCS_RNG_BOOTSTRAP, (uint64_t)s->id);
    dcs_compare(of_base, of_s, n, rule, &rng, out);
    if (base->even && s->even && n > 0) /* no chance is in it: it is what it is */
        judge_even(of_s[0] - of_base[0], rule->delta, n, out);
    *value = compare_centre(of_s, n, rule->median);
    free(of_base);
    free(of_s);
}
