/*
 * test_workload_draws.c - what TReM's generator draws, against theory, with fixed seeds.
 *
 * Pins, at 4 standard errors or Kolmogorov's 0.1 % point: Pareto durations of both classes (through
 * the number of tasks, with tasks so short that rounding does not show), exponential gaps with the
 * mean that the load asks for, applications that are equally likely within their class, classes in
 * random order (their place over many lists), and that gaps and durations have nothing to do with
 * each other. Control: a mean gap that is wrong by 3 % and a Pareto shape of 2.1 in place of 2 are
 * caught. Does not pin: counts and totals (tests/unit/models/workload/test_workload.c).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/workload_case.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define ERRORS     4
#define KOLMOGOROV 1.95 /* sqrt(n) D exceeds this with probability 0.001 */

enum { JOBS = 40000, LISTS = 4000 };

static double x[JOBS];

static int compare_doubles(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Of x[0..n) from a Pareto (shape > 0) or an exponential distribution (shape 0) of that mean. */
static double kolmogorov(size_t n, double mean, double shape)
{
    qsort(x, n, sizeof *x, compare_doubles);
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double f = shape > 0 ? gsl_cdf_pareto_P(x[i], shape, mean * (shape - 1) / shape)
                             : gsl_cdf_exponential_P(x[i], mean);
        worst = fmax(worst, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
    }
    return worst * sqrt((double)n);
}

static struct dcs_workload draw(struct workload_case *c, struct dcs_trem *t, uint32_t replication)
{
    struct dcs_workload w = {0};
    struct dcs_err err;
    assert_int_equal(dcs_workload_add_trem(&w, t, &c->capacity, 5, replication, 0, &err), 0);
    return w;
}

/* Tasks of 1, 2, 3 and 4 us: 5 s are some million of them. */
static void short_tasks(struct workload_case *c)
{
    workload_case_init(c, 4);
    for (int i = 0; i < CASE_APPS; i++)
        c->total_ns[i] = (i + 1) * 1000;
}

static size_t durations_of(const struct workload_case *c, const struct dcs_workload *w, bool user)
{
    size_t n = 0;
    for (size_t i = 0; i < w->count; i++)
        if ((w->jobs[i].app < 2) == user)
            x[n++] = (double)w->jobs[i].requests * (double)c->total_ns[w->jobs[i].app];
    return n;
}

static void durations(void **state)
{
    (void)state;
    static const double shapes[] = {1.5, 2, 3};
    for (size_t k = 0; k < 3; k++) {
        struct workload_case c;
        short_tasks(&c);
        struct dcs_trem t = workload_case_trem();
        t.jobs = JOBS;
        t.pareto_shape = shapes[k];
        struct dcs_workload w = draw(&c, &t, (uint32_t)k);
        assert_int_equal(durations_of(&c, &w, true), JOBS / 2);
        assert_true(kolmogorov(JOBS / 2, 5e9, shapes[k]) < KOLMOGOROV);
        assert_int_equal(durations_of(&c, &w, false), JOBS / 2);
        assert_true(kolmogorov(JOBS / 2, 600e9, shapes[k]) < KOLMOGOROV);
        assert_true(kolmogorov(JOBS / 2, 600e9, shapes[k] * 1.05) > KOLMOGOROV); /* control */
        dcs_workload_release(&w);
    }
}

static void gaps(void **state)
{
    (void)state;
    struct workload_case c;
    short_tasks(&c);
    struct dcs_trem t = workload_case_trem();
    t.jobs = JOBS;
    t.load = 0.7;
    struct dcs_workload w = draw(&c, &t, 0);
    double mean = workload_case_work(&c, &w) / (JOBS * 4 * 0.7), sum = 0, products = 0;
    int64_t before_ns = 0;
    for (size_t i = 0; i < JOBS; i++) {
        x[i] = (double)(w.jobs[i].begin_ns - before_ns);
        before_ns = w.jobs[i].begin_ns;
        sum += x[i];
        /* The class stands for the duration, whose variance may be infinite. */
        products += (x[i] / mean - 1) * (w.jobs[i].app < 2 ? 1 : -1);
    }
    assert_true(fabs(sum / JOBS / mean - 1) < ERRORS / sqrt(JOBS));
    assert_true(fabs(sum / JOBS / (mean * 1.03) - 1) > ERRORS / sqrt(JOBS)); /* control */
    assert_true(fabs(products) < ERRORS * sqrt(JOBS));
    assert_true(kolmogorov(JOBS, mean, 0) < KOLMOGOROV);
    dcs_workload_release(&w);
}

static void applications(void **state)
{
    (void)state;
    static const uint32_t users[] = {0, 1},
                          batch[] = {2, 3, 3, 3}; /* named thrice: thrice as likely */
    struct workload_case c;
    short_tasks(&c);
    struct dcs_trem t = workload_case_trem();
    t.jobs = JOBS;
    t.user_apps = users;
    t.batch_apps = batch;
    t.batch_apps_count = 4;
    struct dcs_workload w = draw(&c, &t, 0);
    double count[CASE_APPS] = {0};
    for (size_t i = 0; i < JOBS; i++)
        count[w.jobs[i].app]++;
    double n = JOBS / 2;
    assert_true(fabs(count[0] - n / 2) < ERRORS * sqrt(n / 4));
    assert_true(fabs(count[2] - n / 4) < ERRORS * sqrt(n * 3 / 16));
    assert_true(count[0] + count[1] == n && count[2] + count[3] == n);
    dcs_workload_release(&w);
}

/* 24 of 30 jobs are user-facing: so is each place of the list in 4/5 of the lists; and two places
 * next to each other in 24 * 23 / (30 * 29). */
static void order_of_classes(void **state)
{
    (void)state;
    struct workload_case c;
    workload_case_init(&c, 4);
    struct dcs_trem t = workload_case_trem();
    t.user_fraction = 0.8;
    double count[30] = {0}, pairs[30] = {0};
    for (uint32_t list = 0; list < LISTS; list++) {
        struct dcs_workload w = draw(&c, &t, list);
        for (size_t i = 0; i < 30; i++) {
            count[i] += w.jobs[i].app < 2;
            pairs[i] += w.jobs[i].app < 2 && w.jobs[(i + 1) % 30].app < 2;
        }
        dcs_workload_release(&w);
    }
    double p = 24.0 * 23 / (30 * 29);
    for (size_t i = 0; i < 30; i++) {
        assert_true(fabs(count[i] - LISTS * 0.8) < ERRORS * sqrt(LISTS * 0.8 * 0.2));
        assert_true(fabs(pairs[i] - LISTS * p) < ERRORS * sqrt(LISTS * p * (1 - p)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(gaps),
        cmocka_unit_test(applications),
        cmocka_unit_test(order_of_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
