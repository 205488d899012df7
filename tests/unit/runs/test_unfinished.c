/*
 * test_unfinished.c - work that came and was not done, of jobs written down by hand.
 *
 * Pins: how far jobs are behind at the end of a trace and at a horizon, a client that is at its
 * last request then, jobs that were luckier than the mean, jobs that did all; what was never
 * issued; requests that are not of the default size. Does not pin: what a run makes of it
 * (tests/e2e/replay.sh).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <stdint.h>
#include <cmocka.h>

#include "runs/unfinished.h"

#define S DCS_NS_PER_S

static struct unfinished of(struct cluster_job_row *jobs, size_t count, int64_t to_ns)
{
    const struct cluster_result r = {.jobs = jobs, .jobs_count = count, .to_ns = to_ns};
    struct unfinished *list =
        unfinished_list(&r, 2, (const double[]){10.0 * S, 1.0 * S, 20.0 * S, 40.0 * S});
    const struct unfinished first = list[0];
    free(list);
    return first;
}

/* A job of 10 s a request. */
static struct cluster_job_row job(int64_t begin_s, int64_t until_s, uint32_t clients,
                                  uint64_t requests, uint64_t issued)
{
    return (struct cluster_job_row){.begin_ns = begin_s * S,
                                    .until_ns = until_s * S,
                                    .clients = clients,
                                    .requests = requests,
                                    .issued = issued};
}

static void behind_at_the_end_of_a_trace(void **state)
{
    (void)state;
    /* Two clients for 95 s: each would be at its tenth request. */
    struct cluster_job_row one = job(5, 100, 2, 100, 8);
    struct unfinished u = of(&one, 1, 130 * S);
    assert_true(u.behind == 12 && u.unissued == 92 && u.issued == 8);
    one = job(5, 100, 2, 100, 20); /* nobody waited: what is left is the trace's end */
    u = of(&one, 1, 130 * S);
    assert_true(u.behind == 0 && u.unissued == 80);
    one = job(5, 100, 2, 9, 4); /* it would have ended by then */
    assert_true(of(&one, 1, 130 * S).behind == 5);
    one = job(5, 100, 2, 9, 9); /* it did, however late */
    assert_true(of(&one, 1, 130 * S).behind == 0);
}

static void behind_at_a_horizon(void **state)
{
    (void)state;
    struct cluster_job_row one = job(5, 0, 2, 100, 8); /* 9 whole requests of each client */
    assert_true(of(&one, 1, 100 * S).behind == 10);
    one = job(200, 0, 2, 100, 0); /* it has not begun */
    assert_true(of(&one, 1, 100 * S).behind == 0);
}

static void signs_and_others(void **state)
{
    (void)state;
    struct cluster_job_row jobs[] = {
        job(0, 100, 1, 100, 4),  /* 6 behind */
        job(0, 100, 1, 100, 12), /* 2 before: its requests were short */
        job(0, 100, 1, 0, 3),    /* no end: nothing is missing */
        job(0, 100, 0, 100, 3),  /* an open loop */
        job(0, 100, 1, 100, 0),  /* another application's */
    };
    jobs[4].app = 1;
    assert_true(of(jobs, 5, 100 * S).behind == 4);
    assert_true(of(jobs + 1, 1, 100 * S).behind == 0); /* never less */
}

/* Sizes of 20 and 40 s, one in four the larger: 25 s in the mean, 15 s more than the default. */
static void at_their_own_size(void **state)
{
    (void)state;
    struct dcs_input_size sizes[] = {{.form = 2, .share = 0.75}, {.form = 3, .share = 0.25}};
    const struct dcs_input input = {.sizes = sizes, .count = 2};
    struct cluster_job_row jobs[] = {job(0, 100, 2, 100, 5), job(0, 100, 1, 100, 4)};
    jobs[0].input = &input; /* each client would be at its fourth */
    struct unfinished u = of(jobs, 1, 130 * S);
    assert_true(u.behind == 3 && u.unissued == 95 && u.issued == 5);
    assert_true(u.behind_more_ns == 45e9 && u.unissued_more_ns == 95 * 15e9);
    assert_true(u.issued_more_ns == 75e9);
    u = of(jobs, 2, 130 * S); /* and 6 of the default size */
    assert_true(u.behind == 9 && u.behind_more_ns == 45e9 && u.unissued_more_ns == 95 * 15e9);
    jobs[0].issued = 12; /* 4 before: 60 s less than as many of the default would be */
    u = of(jobs, 2, 130 * S);
    assert_true(u.behind == 2 && u.behind_more_ns == -20e9); /* no work is below nothing */
    sizes[0].form = sizes[1].form = 1;                       /* 1 s, less than the default */
    jobs[0] = job(0, 0, 1, 1000, 105);
    jobs[0].input = &input; /* 5 before */
    u = of(jobs, 1, 100 * S);
    assert_true(u.behind == 0 && u.behind_more_ns == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behind_at_the_end_of_a_trace),
        cmocka_unit_test(behind_at_a_horizon),
        cmocka_unit_test(signs_and_others),
        cmocka_unit_test(at_their_own_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
