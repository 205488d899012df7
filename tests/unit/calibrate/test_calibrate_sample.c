/*
 * test_calibrate_sample.c - pins when sampling stops (each bound at the last sample before it and
 * at it), what is thrown away, and the statistics of what is kept. Does not pin what is measured:
 * times here are made up.
 */
#include "calibrate/plan/sample.h"
#include "calibrate/record/survived_requests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct cal_rule rule = {.warmups = 2,
                                     .min_count = 3,
                                     .max_count = 8,
                                     .max_seconds = 1.0,
                                     .rse = 0.01,
                                     .max_throttled = 4};

static void fill(struct cal_samples *s, const int64_t *ns, size_t count)
{
    cal_samples_clear(s);
    for (size_t i = 0; i < count; i++)
        cal_samples_add(s, ns[i], 1980, false);
}

static void statistics_of_even_and_odd(void **state)
{
    (void)state;
    struct cal_samples s = {0};
    struct cal_statistics v;
    struct dcs_err err = {0};
    fill(&s, (const int64_t[]){40, 10, 30, 20}, 4);
    assert_int_equal(cal_samples_statistics(&s, CAL_STOP_RSE, "warm", &v, &err), 0);
    assert_int_equal(v.n, 4);
    assert_int_equal(v.median_ns, 25);
    assert_int_equal(v.min_ns, 10);
    assert_int_equal(v.max_ns, 40);
    assert_true(fabs(v.mean_ns - 25) < 1e-12);
    assert_true(fabs(v.stddev_ns - 12.9) < 1e-12); /* sqrt(500 / 3) = 12.909..., to a tenth */
    assert_string_equal(v.stop, "rse");
    assert_string_equal(v.l2, "warm");
    assert_int_equal(v.clock_mhz, 1980);
    fill(&s, (const int64_t[]){7, 5, 6}, 3);
    assert_int_equal(cal_samples_statistics(&s, CAL_STOP_TIME, "cold", &v, &err), 0);
    assert_int_equal(v.median_ns, 6);
    assert_string_equal(v.stop, "time");
    cal_samples_release(&s);
}

static void one_sample_has_no_deviation(void **state)
{
    (void)state;
    struct cal_samples s = {0};
    struct cal_statistics v;
    struct dcs_err err = {0};
    cal_samples_add(&s, 0, 1000, false); /* below the resolution: 1 ns */
    assert_true(isinf(cal_samples_rse(&s)));
    assert_int_equal(cal_samples_statistics(&s, CAL_STOP_COUNT, "warm", &v, &err), 0);
    assert_int_equal(v.median_ns, 1);
    assert_true(v.stddev_ns == 0);
    cal_samples_release(&s);
}

static void throttled_samples_are_counted_and_dropped(void **state)
{
    (void)state;
    struct cal_samples s = {0};
    struct cal_statistics v;
    struct dcs_err err = {0};
    cal_samples_add(&s, 1000000, 900, true);
    assert_int_equal(cal_samples_statistics(&s, CAL_STOP_COUNT, "warm", &v, &err), -1);
    assert_non_null(strstr(err.text, "throttled"));
    cal_samples_add(&s, 100, 1900, false);
    cal_samples_add(&s, 102, 1800, false);
    assert_int_equal(cal_samples_statistics(&s, CAL_STOP_COUNT, "warm", &v, &err), 0);
    assert_int_equal(v.n, 2);
    assert_int_equal(v.throttled, 1);
    assert_int_equal(v.max_ns, 102);
    assert_int_equal(v.clock_mhz, 1850);
    cal_samples_release(&s);
}

/* Relative standard errors of {100, 100 + d} are d / 2 / (100 + d / 2): the bound 0.01 lies between
 * d = 2 and d = 3. With three samples {100, 100, 100 + d}: d / 3 / (100 + d / 3). */
static void stops_by_error_only_with_enough_samples(void **state)
{
    (void)state;
    struct cal_samples s = {0};
    enum cal_stop stop = CAL_STOP_TIME;
    fill(&s, (const int64_t[]){100, 100}, 2);
    assert_false(cal_samples_done(&s, &rule, 0.5, &stop)); /* error 0, but two samples */
    fill(&s, (const int64_t[]){100, 100, 100}, 3);
    assert_true(cal_samples_done(&s, &rule, 0.5, &stop));
    assert_int_equal(stop, CAL_STOP_RSE);
    fill(&s, (const int64_t[]){1000, 1000, 1030}, 3); /* 10 / 1010 = 0.0099 */
    assert_true(cal_samples_done(&s, &rule, 0.5, &stop));
    fill(&s, (const int64_t[]){1000, 1000, 1031}, 3); /* 10.33 / 1010.33 = 0.0102 */
    assert_false(cal_samples_done(&s, &rule, 0.5, &stop));
    cal_samples_release(&s);
}

static void stops_by_count_and_time(void **state)
{
    (void)state;
    struct cal_samples s = {0};
    enum cal_stop stop = CAL_STOP_RSE;
    const int64_t wild[] = {100, 200, 100, 200, 100, 200, 100, 200};
    fill(&s, wild, 7);
    assert_false(cal_samples_done(&s, &rule, 0.999, &stop));
    assert_true(cal_samples_done(&s, &rule, 1.0, &stop));
    assert_int_equal(stop, CAL_STOP_TIME);
    fill(&s, wild, 8);
    assert_true(cal_samples_done(&s, &rule, 0.5, &stop));
    assert_int_equal(stop, CAL_STOP_COUNT);
    fill(&s, wild, 2);
    assert_false(cal_samples_done(&s, &rule, 100, &stop)); /* the least number comes first */
    for (int i = 0; i < 3; i++)
        cal_samples_add(&s, 1, 0, true);
    assert_false(cal_samples_done(&s, &rule, 100, &stop));
    cal_samples_add(&s, 1, 0, true); /* the fourth thrown away */
    assert_true(cal_samples_done(&s, &rule, 0, &stop));
    assert_int_equal(stop, CAL_STOP_COUNT);
    cal_samples_release(&s);
}

/* --- the driver --- */

struct fake {
    struct cal_samples sets[2];
    enum cal_stop stops[2];
    int calls, fail_at;
    double clock;
    bool second_is_wild, all_throttled;
};

static int take(void *context, struct dcs_err *err)
{
    struct fake *f = context;
    f->calls++;
    f->clock += 0.01;
    if (f->calls == f->fail_at)
        return dcs_err_set(err, "broken");
    int64_t wild = f->second_is_wild && f->calls % 2 == 0 ? 200 : 100;
    cal_samples_add(&f->sets[0], f->calls <= 2 ? 999 : 100, 1980, f->all_throttled);
    cal_samples_add(&f->sets[1], wild, 1980, f->all_throttled);
    return 0;
}

static double clock_of(void *context)
{
    return ((struct fake *)context)->clock;
}

static int sample(struct fake *f, struct dcs_err *err)
{
    const struct cal_sampling sampling = {take, clock_of, f, f->sets, f->stops, 2};
    return cal_sample(&sampling, &rule, err);
}

static void release(struct fake *f)
{
    cal_samples_release(&f->sets[0]);
    cal_samples_release(&f->sets[1]);
}

static void warmups_are_not_kept(void **state)
{
    (void)state;
    struct fake f = {0};
    struct dcs_err err = {0};
    assert_int_equal(sample(&f, &err), 0);
    assert_int_equal(f.calls, 5); /* two and three */
    assert_int_equal(f.sets[0].count, 3);
    assert_int_equal(f.sets[0].ns[0], 100);
    assert_int_equal(f.stops[0], CAL_STOP_RSE);
    release(&f);
}

static void goes_on_until_every_set_is_done(void **state)
{
    (void)state;
    struct fake f = {.second_is_wild = true};
    struct dcs_err err = {0};
    assert_int_equal(sample(&f, &err), 0);
    assert_int_equal(f.sets[1].count, 8);
    assert_int_equal(f.stops[1], CAL_STOP_COUNT);
    assert_int_equal(f.stops[0], CAL_STOP_RSE);
    release(&f);
}

static void throttling_for_ever_ends(void **state)
{
    (void)state;
    struct fake f = {.all_throttled = true};
    struct dcs_err err = {0};
    assert_int_equal(sample(&f, &err), 0);
    assert_int_equal(f.calls, 2 + 4);
    release(&f);
}

static void an_error_ends_it(void **state)
{
    (void)state;
    struct fake f = {.fail_at = 4};
    struct dcs_err err = {0};
    assert_int_equal(sample(&f, &err), -1);
    assert_string_equal(err.text, "broken");
    release(&f);
}

/* By hand: the one that was cut off at 20 stands for a fourth, which those of 30 and 40 get. */
static void cut_off_requests_go_to_longer_ones(void **state)
{
    (void)state;
    struct cal_lasting list[] = {{40, true}, {20, false}, {10, true}, {30, true}};
    struct cal_statistics v;
    struct dcs_err err = {0};
    int64_t p95_ns = 0;
    assert_int_equal(cal_survival(list, 4, &v, &p95_ns, &err), 0);
    assert_int_equal(v.n, 3);
    assert_int_equal(v.median_ns, 30);
    assert_int_equal(p95_ns, 40);
    assert_true(fabs(v.mean_ns - 28.8) < 1e-12); /* 28.75, to a tenth */
    struct cal_lasting last[] = {{40, false}, {20, true}, {10, true}};
    assert_int_equal(cal_survival(last, 3, &v, &p95_ns, &err), 0);
    assert_int_equal(p95_ns, 40);
    assert_true(fabs(v.mean_ns - 23.3) < 1e-12);
    struct cal_lasting spread[] = {{3, false}, {105, true}, {100, true}};
    assert_int_equal(cal_survival(spread, 3, &v, &p95_ns, &err), 0);
    assert_int_equal(v.min_ns, 100);
}

static void one_ended_request_is_too_few(void **state)
{
    (void)state;
    struct cal_lasting list[] = {{40, true}, {20, false}};
    struct cal_statistics v;
    struct dcs_err err = {0};
    int64_t p95_ns = 0;
    assert_int_equal(cal_survival(list, 2, &v, &p95_ns, &err), -1);
    assert_string_equal(err.text, "has done 1 requests");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_of_even_and_odd),
        cmocka_unit_test(one_sample_has_no_deviation),
        cmocka_unit_test(throttled_samples_are_counted_and_dropped),
        cmocka_unit_test(stops_by_error_only_with_enough_samples),
        cmocka_unit_test(stops_by_count_and_time),
        cmocka_unit_test(warmups_are_not_kept),
        cmocka_unit_test(goes_on_until_every_set_is_done),
        cmocka_unit_test(throttling_for_ever_ends),
        cmocka_unit_test(an_error_ends_it),
        cmocka_unit_test(cut_off_requests_go_to_longer_ones),
        cmocka_unit_test(one_ended_request_is_too_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
