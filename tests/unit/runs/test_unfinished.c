/*
 * test_unfinished.c - work that came and was not done, of jobs written down by hand.
 *
 * Pins: how far jobs are behind at the end of a trace and at a horizon, a client that is at its
 * last request then, jobs that were luckier than the mean, jobs that did all; what was never
 * issued. Does not pin: what a run makes of it (tests/e2e/replay.sh).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "runs/unfinished.h"

#define S DCS_NS_PER_S

static struct unfinished of(struct cluster_job_row *jobs, size_t count, int64_t to_ns)
{
    const struct cluster_result r = {.jobs = jobs, .jobs_count = count, .to_ns = to_ns};
    return unfinished_of(&r, 0, 10.0 * S);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behind_at_the_end_of_a_trace),
        cmocka_unit_test(behind_at_a_horizon),
        cmocka_unit_test(signs_and_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
