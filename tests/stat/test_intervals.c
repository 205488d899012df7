/*
 * test_intervals.c - do intervals over replications cover what theory says, what does MSER-5 do to
 * a queue that starts empty, and are stable queues left alone by the rule for overload?
 *
 * M/M/1 with a mean service time of 10 ms, whose mean time in the system is 10 ms / (1 - rho).
 *
 * Pins, with fixed seeds: 95 % intervals of the mean time cover it in 93.5 to 96.5 % of 2 000
 * experiments at rho 0.5; so do those of the paired difference to a service of 9.9 ms, which is
 * known as well; pairing needs less than a tenth of the replications. Replications that are added
 * until half the interval is 3 % of the mean cover in 90 to 96.5 % of 1 000. At rho 0.9 from empty
 * a fixed warm-up of 30 % leaves no bias that shows, MSER-5 one of some percent. A queue at 0.9 or
 * 0.95 is called overloaded at most once in 100 experiments whose runs have 5 000 requests, one
 * at 1.05 at least 99 times. Prints the numbers that docs/validation/queueing.md has. Does not pin:
 * medians.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/compare.h"
#include "runs/replication.h"
#include "runs/summary.h"
#include "runs/overload.h"
#include "runs/until.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUNS 10

/* One experiment of RUNS runs: values of the mean time in the system, ms, and its summary. */
struct case_of {
    double values[RUNS];
    struct dcs_estimate mean;
    struct overload overload;
};

/* An M/M/1 that is ready to run. */
struct queue {
    struct options_doc *doc;
    struct config config;
    struct experiment experiment;
};

/* warmup_s: -1: MSER-5. */
static void queue_open(struct queue *q, uint64_t seed, double rate_per_s, double mean_ms,
                       double warmup_s, double duration_s)
{
    char warmup[64], text[1024];
    snprintf(warmup, sizeof warmup, "\"warmup_s\": %g", warmup_s);
    int length = snprintf(
        text, sizeof text,
        "{ \"seed\": %llu, \"replications\": %d, \"policy\": { \"name\": \"fcfs\" }, "
        "\"until\": { \"metric\": \"latency.response_mean\", \"relative\": 0.03, \"batch\": "
        "5, \"max_replications\": 200 }, "
        "\"applications\": [ { \"name\": \"server\", \"class\": \"latency\", \"service\": "
        "{ \"distribution\": \"exponential\", \"mean_ms\": %g } } ], \"horizon\": { "
        "\"duration_s\": %g, %s }, \"workload\": { \"services\": [ { "
        "\"application\": \"server\", \"arrivals\": { \"rate_per_s\": %g } } ] } }",
        (unsigned long long)seed, RUNS, mean_ms, duration_s,
        warmup_s < 0 ? "\"warmup_rule\": \"mser5\"" : warmup, rate_per_s);
    struct dcs_err err = {0};
    q->doc = options_load_text("config", text, (size_t)length, &err);
    if (q->doc == NULL || config_parse(&q->config, q->doc, NULL, &err) != 0 ||
        experiment_open(&q->experiment, &q->config, q->doc, &err) != 0)
        fail_msg("%s: %s", err.path, err.text);
}

static void queue_close(struct queue *q)
{
    experiment_close(&q->experiment);
    config_release(&q->config);
    options_doc_free(q->doc);
}

/* Runs replication i, adds it to the summary and returns its mean time in the system, ms. */
static double queue_run(const struct queue *q, uint32_t i, struct summary *s)
{
    struct run_watch watch = {0};
    struct dcs_err err = {0};
    struct run run;
    double value = (double)NAN;
    if (replication_run(&q->experiment, i, 1, &watch, &run, &err) != 0)
        fail_msg("%s", err.text);
    summary_add(s, &run);
    for (size_t m = 0; m < run.metrics_count; m++)
        if (run.metrics[m].app == 0 && strcmp(run.metrics[m].name, "response_mean") == 0)
            value = run.metrics[m].value / 1e6;
    run_release(&run);
    return value;
}

static void simulate(struct case_of *out, uint64_t seed, double rate_per_s, double mean_ms,
                     double warmup_s, double duration_s)
{
    struct queue q;
    queue_open(&q, seed, rate_per_s, mean_ms, warmup_s, duration_s);
    struct summary s;
    summary_init(&s, &q.experiment);
    for (uint32_t i = 0; i < RUNS; i++)
        out->values[i] = queue_run(&q, i, &s);
    out->mean = dcs_estimate_mean(out->values, RUNS);
    overload_of(&s, 0, &out->overload);
    summary_release(&s);
    queue_close(&q);
}

static bool covers(const struct dcs_estimate *e, double truth)
{
    return e->low <= truth && truth <= e->high;
}

static void coverage(void **state)
{
    (void)state;
    enum { CASES = 2000 };
    const double truth = 10 / 0.5, quicker = 9.9 / (1 - 0.495);
    unsigned mean = 0, paired = 0, unpaired = 0;
    double needs = 0, unpaired_needs = 0;
    for (unsigned i = 0; i < CASES; i++) {
        struct case_of a, b;
        simulate(&a, 1000 + i, 50, 10, 5, 85);
        simulate(&b, 1000 + i, 50, 9.9, 5, 85);
        struct dcs_compare_rule rule = {.confidence = 0.95};
        struct dcs_difference d;
        dcs_compare(a.values, b.values, RUNS, &rule, NULL, &d);
        mean += covers(&a.mean, truth);
        paired += covers(&d.paired, quicker - truth);
        unpaired += covers(&d.unpaired, quicker - truth);
        needs += (double)d.paired_needs / CASES;
        unpaired_needs += (double)d.unpaired_needs / CASES;
    }
    print_message("of %d: mean %.2f %%, paired %.2f %%, unpaired %.2f %% cover; replications that "
                  "decide: paired %.2f, unpaired %.1f\n",
                  CASES, 100.0 * mean / CASES, 100.0 * paired / CASES, 100.0 * unpaired / CASES,
                  needs, unpaired_needs);
    assert_in_range(mean, 0.935 * CASES, 0.965 * CASES);
    assert_in_range(paired, 0.935 * CASES, 0.965 * CASES);
    assert_true(needs < 0.1 * unpaired_needs);
}

/* Runs are added until half the interval is 3 % of the mean. */
static void sequential(void **state)
{
    (void)state;
    enum { CASES = 1000 };
    unsigned covering = 0;
    double runs = 0;
    for (unsigned i = 0; i < CASES; i++) {
        struct queue q;
        struct until until;
        struct summary s;
        struct dcs_err err = {0};
        queue_open(&q, 20000 + i, 50, 10, 5, 85);
        assert_int_equal(until_open(&until, &q.experiment, q.doc, &err), 0);
        summary_init(&s, &q.experiment);
        for (uint32_t target = RUNS;;) {
            while (s.runs < target)
                queue_run(&q, (uint32_t)s.runs, &s);
            uint32_t next = until_next(&until, target);
            if (until_reached(&until, &s) || next == target)
                break;
            target = next;
        }
        struct dcs_estimate e = metric_name_estimate(&until.metric, &s, 0.95);
        runs += (double)s.runs / CASES;
        covering += covers(&e, 20e6);
        summary_release(&s);
        queue_close(&q);
    }
    print_message("until 3 %%: %.1f replications in the mean, %.1f %% of %d cover\n", runs,
                  100.0 * covering / CASES, CASES);
    assert_in_range(covering, 0.90 * CASES, 0.965 * CASES);
}

/* Mean over all runs, and its standard error, in percent of the truth; and the spread of a run. */
static void bias_of(double warmup_s, double duration_s, double *bias, double *error)
{
    enum { CASES = 400 };
    const double truth = 10 / (1 - 0.9);
    struct dcs_moments m;
    dcs_moments_init(&m);
    for (unsigned i = 0; i < CASES; i++) {
        struct case_of c;
        simulate(&c, 9000 + i, 90, 10, warmup_s, duration_s);
        for (size_t r = 0; r < RUNS; r++)
            dcs_moments_add(&m, c.values[r]);
    }
    double deviation = sqrt(dcs_moments_variance(&m));
    *bias = 100 * (m.mean / truth - 1);
    *error = 100 * deviation / truth / sqrt((double)m.count);
    print_message("rho 0.90, %3.0f s from empty, warm-up %5.1f s (-1: MSER-5): mean %+5.1f +- %.1f "
                  "%%, deviation of a run %.1f %%\n",
                  duration_s, warmup_s, *bias, *error, 100 * deviation / truth);
}

static void warm_up(void **state)
{
    (void)state;
    static const double durations_s[] = {30, 100};
    for (size_t i = 0; i < 2; i++) {
        double none, mser, fixed, error;
        bias_of(0, durations_s[i], &none, &error);
        bias_of(0.3 * durations_s[i], durations_s[i], &fixed, &error);
        assert_true(fabs(fixed) < 2 + 3 * error);
        /* It leaves out busy beginnings rather than empty ones: worse than nothing here. */
        bias_of(-1, durations_s[i], &mser, &error);
        assert_true(mser < 0 && mser > -15);
    }
}

/* How many of `cases` experiments are called overloaded, and by which rule. */
static unsigned called_overloaded(double rho, double requests, double warmup_share, unsigned cases)
{
    unsigned any = 0, offered = 0, grows = 0, inside = 0;
    double duration_s = requests / (100 * rho) / (1 - warmup_share);
    for (unsigned i = 0; i < cases; i++) {
        struct case_of c;
        simulate(&c, 5000 + i, 100 * rho, 10, warmup_share * duration_s, duration_s);
        any += overload_any(&c.overload);
        offered += c.overload.offered;
        grows += c.overload.grows;
        inside += c.overload.inside;
    }
    print_message("rho %.2f, %5.0f requests a run, warm-up %2.0f %%: overloaded %5.1f %%, grows "
                  "%5.1f %%, inside %5.1f %%\n",
                  rho, requests, 100 * warmup_share, 100.0 * any / cases, 100.0 * grows / cases,
                  100.0 * inside / cases);
    assert_true(offered == (rho >= 1 ? cases : 0));
    return rho >= 1 ? grows : any; /* of an overloaded queue: without being told the rate */
}

static void overload(void **state)
{
    (void)state;
    enum { CASES = 200 };
    static const double requests[] = {1000, 2000, 5000};
    for (int warm = 0; warm < 2; warm++)
        for (size_t i = 0; i < 3; i++)
            for (double rho = 0.9; rho < 1.08; rho += 0.05) {
                unsigned n = called_overloaded(rho, requests[i], warm * 0.2, CASES);
                if (requests[i] >= 5000 && rho < 0.96)
                    assert_true(n <= CASES / 100);
                if (requests[i] >= 5000 && rho > 1.04)
                    assert_true(n >= CASES - CASES / 100);
            }
}

/* With an argument: the tests of that name alone. */
int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverage),
        cmocka_unit_test(sequential),
        cmocka_unit_test(warm_up),
        cmocka_unit_test(overload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
