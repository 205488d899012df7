/*
 * test_gangs.c - whole jobs, against schedules made by hand.
 *
 * Pins: first come, first served; EASY backfill, also at t - 1 and at t of its rule, and with the
 * processors that the first job leaves over; best fit, first fit and fragmentation gradient descent
 * by where jobs go; gangs across nodes; models; shares of a GPU; what a job waits, and the sums
 * over time; a horizon; what cannot run. On many random workloads, that no GPU is held twice and
 * none waits while everything is free. Does not pin: speed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/rng.h"
#include "gangs/gang.h"

#include <stdlib.h>

enum { FIRST_FIT, BEST_FIT, FGD };
#define S DCS_NS_PER_S

/* A job, in seconds. */
#define JOB(arrival, duration, gpus)                                                               \
    {                                                                                              \
        (arrival) * S, (duration)*S, gpus, GANG_MILLI, GANG_ANY_MODEL, 0, false                    \
    }
#define SHARE(arrival, duration, milli)                                                            \
    {                                                                                              \
        (arrival) * S, (duration)*S, 1, milli, GANG_ANY_MODEL, 0, false                            \
    }

static struct gang_result run(const struct gang_spec *spec)
{
    struct gang_result r;
    struct dcs_err err = {0};
    assert_int_equal(gang_run(spec, &r, &err), 0);
    return r;
}

static struct gang_spec spec_of(const struct gang_group *groups, size_t groups_count,
                                const struct gang_job *jobs, size_t jobs_count)
{
    return (struct gang_spec){.groups = groups,
                              .groups_count = groups_count,
                              .jobs = jobs,
                              .jobs_count = jobs_count,
                              .horizon_ns = DCS_NEVER};
}

static void check_starts(const struct gang_spec *spec, const int64_t *starts_s)
{
    struct gang_result r = run(spec);
    for (size_t i = 0; i < spec->jobs_count; i++)
        assert_int_equal(r.jobs[i].start_ns, starts_s[i] * S);
    gang_result_release(&r);
}

static void check_nodes(const struct gang_spec *spec, const uint32_t *nodes)
{
    struct gang_result r = run(spec);
    for (size_t i = 0; i < spec->jobs_count; i++)
        assert_int_equal(r.jobs[i].node, nodes[i]);
    gang_result_release(&r);
}

static const struct gang_group four[] = {{1, 4, 1}};

/* 4 GPUs. A (0 s, 10 s long, 2 GPUs) and B (1, 10, 4): B waits for all four until A ends at 10. C
 * (2, 3, 1) waits behind B though two GPUs are free: until B ends at 20. */
static void first_come_first_served(void **state)
{
    (void)state;
    const struct gang_job jobs[] = {JOB(0, 10, 2), JOB(1, 10, 4), JOB(2, 3, 1)};
    struct gang_spec spec = spec_of(four, 1, jobs, 3);
    check_starts(&spec, (const int64_t[]){0, 10, 20});
    struct gang_result r = run(&spec);
    /* Held: 2 x 10 + 4 x 10 + 1 x 3 = 63 of 4 x 23. In the queue: B 9 s, C 18 s. */
    assert_int_equal(r.to_ns, 23 * S);
    assert_true(r.allocation == 63.0 / 92.0);
    assert_true(r.queue_mean == 27.0 / 23.0);
    assert_int_equal(r.queue_max, 2);
    assert_int_equal(r.ended, 3);
    /* At 2 s, when C arrives, A has done 4 of the 4 + 4 GPU seconds that were due; B and C wait. */
    assert_int_equal(r.last.at_ns, 2 * S);
    assert_true(r.last.due == 8e9 && r.last.done == 4e9 && r.last.waiting == 2);
    assert_true(r.end.due == 63e9 && r.end.done == 63e9 && r.end.waiting == 0);
    gang_result_release(&r);
    spec.horizon_ns = 2 * S; /* C does not arrive: B is the last */
    r = run(&spec);
    assert_true(r.last.at_ns == S && r.last.due == 2e9 && r.last.waiting == 1);
    assert_true(r.end.due == 8e9 && r.end.done == 4e9);
    gang_result_release(&r);
}

/* The same with backfill: B is to start at 10. C (2, 8) ends at 10 and starts at once; C of 9 s
 * would end at 11 and wants a GPU of B's: it starts after B. */
static void backfill_ends_in_time(void **state)
{
    (void)state;
    const struct gang_job in_time[] = {JOB(0, 10, 2), JOB(1, 10, 4), JOB(2, 8, 1)};
    const struct gang_job too_long[] = {JOB(0, 10, 2), JOB(1, 10, 4), JOB(2, 9, 1)};
    struct gang_spec spec = spec_of(four, 1, in_time, 3);
    spec.order = GANG_EASY;
    check_starts(&spec, (const int64_t[]){0, 10, 2});
    spec.jobs = too_long;
    check_starts(&spec, (const int64_t[]){0, 10, 20});
}

/* A (0, 10, 2); B (1, 5, 3) is to start at 10 on A's two GPUs and one of the two others. One GPU is
 * left over: C (2, 100, 1) takes it at 2. D (3, 100, 1) would take B's third GPU beyond 10: it
 * waits until B has ended at 15. E (4, 6, 1) ends at 10, on B's third GPU: at once. */
static void backfill_leaves_extra(void **state)
{
    (void)state;
    const struct gang_job jobs[] = {JOB(0, 10, 2), JOB(1, 5, 3), JOB(2, 100, 1), JOB(3, 100, 1),
                                    JOB(4, 6, 1)};
    struct gang_spec spec = spec_of(four, 1, jobs, 5);
    spec.order = GANG_EASY;
    check_starts(&spec, (const int64_t[]){0, 10, 2, 15, 4});
}

/* 6 GPUs. A holds 4 until 10. B (6) starts at 10, D (4) behind it at 15, when B ends. C (2, 8 s)
 * is the second behind B: it ends at 10 and starts at 2. With a depth of 1 the scheduler looks at D
 * alone; C starts at 15, when D does and leaves it two GPUs. */
static void backfill_depth(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{1, 6, 1}};
    const struct gang_job jobs[] = {JOB(0, 10, 4), JOB(1, 5, 6), JOB(1, 5, 4), JOB(2, 8, 2)};
    struct gang_spec spec = spec_of(groups, 1, jobs, 4);
    spec.order = GANG_EASY;
    check_starts(&spec, (const int64_t[]){0, 10, 15, 2});
    spec.depth = 1;
    check_starts(&spec, (const int64_t[]){0, 10, 15, 15});
}

/* Jobs that end at an instant make room for those that arrive at it. */
static void one_instant(void **state)
{
    (void)state;
    const struct gang_job jobs[] = {JOB(0, 10, 4), JOB(10, 1, 4), JOB(10, 1, 4)};
    struct gang_spec spec = spec_of(four, 1, jobs, 3);
    check_starts(&spec, (const int64_t[]){0, 10, 11});
}

/* Two nodes of 4 GPUs. Job 0 (3 GPUs, until 1) is on node 0, job 1 (2 GPUs) on node 1. At 1 node 0
 * has 4 free and node 1 has 2: first fit takes node 0 for a job of 1, best fit node 1. */
static void fits(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{2, 4, 1}};
    const struct gang_job jobs[] = {JOB(0, 1, 3), JOB(0, 90, 2), JOB(1, 90, 1)};
    struct gang_spec spec = spec_of(groups, 1, jobs, 3);
    check_nodes(&spec, (const uint32_t[]){0, 1, 0});
    spec.placement = BEST_FIT;
    check_nodes(&spec, (const uint32_t[]){0, 1, 1});
}

/* Two nodes of 2 GPUs; three of four jobs ask for 0.5, one for 2 GPUs. Job 0: both nodes are alike,
 * it takes node 0. Node 0 then has 0.5 and 1: all of it is a fragment for the job of 2. Job 1: on
 * node 0 that fragment shrinks by 0.5, on node 1 another of 1.5 would come to be: node 0. Job 2 the
 * same. The job of 2 then has node 1. */
static void fgd_keeps_nodes_whole(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{2, 2, 1}};
    const struct gang_job jobs[] = {SHARE(0, 90, 500), SHARE(1, 90, 500), SHARE(2, 90, 500),
                                    JOB(3, 90, 2)};
    struct gang_spec spec = spec_of(groups, 1, jobs, 4);
    spec.placement = FGD;
    check_nodes(&spec, (const uint32_t[]){0, 0, 0, 1});
}

/* Node 0 has 2 GPUs, node 1 has 4 and is of model 1. Job 0 (1 GPU, model 1) is on node 1. The rest
 * of the workload: job 1 (1 GPU), two of 2 GPUs, three of 4. What is a fragment before job 1, in
 * jobs x GPUs: on node 0 3 x 2 for those of 4, and 2 for job 0's demand, whose model it has not: 8.
 * On node 1 3 x 3 = 9. With job 1 on node 0: 3 x 1 + 1, and 2 x 1 for those of 2: 6, which is 2
 * less. On node 1: 3 x 2 = 6, which is 3 less: FGD takes node 1. First fit and best fit take node
 * 0. */
static void fgd_goes_down_the_gradient(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{1, 2, 2}, {1, 4, 1}};
    const struct gang_job jobs[] = {{0, 90 * S, 1, GANG_MILLI, 1, 0, false},
                                    JOB(1, 90, 1),
                                    JOB(200, 1, 2),
                                    JOB(200, 1, 2),
                                    JOB(200, 1, 4),
                                    JOB(201, 1, 4),
                                    JOB(202, 1, 4)};
    for (int placement = FIRST_FIT; placement <= FGD; placement++) {
        struct gang_spec spec = spec_of(groups, 2, jobs, 7);
        spec.placement = placement;
        struct gang_result r = run(&spec);
        assert_int_equal(r.jobs[1].node, placement == FGD ? 1 : 0);
        gang_result_release(&r);
    }
}

/* Node 0 has 1 GPU, node 1 has 2. Job 0 (0.6) takes node 0, the smaller one; job 1 (1 GPU) node 1.
 * Job 2 (0.4) fills node 0, which has less free. Job 3 (1 GPU) fills node 1. All is held: job 4
 * (0.1) waits until job 0 ends at 90. FGD does so as well: on node 0 the share of job 0 leaves 0.4,
 * which no job of 0.6 or 1 can use; on node 1 likewise, and the first wins. */
static void shares(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{1, 1, 1}, {1, 2, 1}};
    const struct gang_job jobs[] = {SHARE(0, 90, 600), JOB(1, 90, 1), SHARE(2, 90, 400),
                                    SHARE(3, 90, 1000), SHARE(4, 10, 100)};
    for (int placement = FIRST_FIT; placement <= FGD; placement++) {
        struct gang_spec spec = spec_of(groups, 2, jobs, 5);
        spec.placement = placement;
        check_nodes(&spec, (const uint32_t[]){0, 1, 0, 1, 0});
        /* All is held by 3: the last waits until job 0 ends at 90. */
        check_starts(&spec, (const int64_t[]){0, 1, 2, 3, 90});
    }
}

/* Fragmentation by hand: one node of 2 GPUs, one job of 0.5 from 0 to 10 and one of 2 GPUs, which
 * starts at 10 and ends at 20. Until 10, 1.5 GPUs are free: 1.5 are fragments for the job of 2,
 * none for that of 0.5: half of the jobs, 0.75 in the mean. From 10 on nothing is free. 0.75
 * of 1.5. */
static void fragmentation(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{1, 2, 1}};
    const struct gang_job jobs[] = {SHARE(0, 10, 500), JOB(0, 10, 2)};
    struct gang_spec spec = spec_of(groups, 1, jobs, 2);
    struct gang_result r = run(&spec);
    assert_true(r.fragmentation == 0.5);
    assert_true(r.allocation == 25.0 / 40.0);
    gang_result_release(&r);
}

/* Two nodes of 4; job 0 leaves 1 GPU of the first, job 1 leaves 2 of the second. A gang of 3 waits
 * for a node until 10, or starts on both at 1. One of 6 fits no node, one of 9 nowhere. */
static void across_nodes(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{2, 4, 1}};
    const struct gang_job jobs[] = {JOB(0, 10, 3), JOB(0, 10, 2), JOB(1, 5, 3)};
    struct gang_spec spec = spec_of(groups, 1, jobs, 3);
    check_starts(&spec, (const int64_t[]){0, 0, 10});
    spec.across_nodes = true;
    check_starts(&spec, (const int64_t[]){0, 0, 1});
    struct gang_result r = run(&spec);
    assert_int_equal(r.jobs[2].nodes, 2);
    assert_int_equal(r.jobs[2].node, 1); /* that with the most free */
    gang_result_release(&r);
    const struct gang_job six = JOB(0, 1, 6), nine = JOB(0, 1, 9);
    assert_int_equal(gang_misfit(&spec, &six), GANG_FITS);
    assert_int_equal(gang_misfit(&spec, &nine), GANG_TOO_LARGE);
    spec.across_nodes = false;
    assert_int_equal(gang_misfit(&spec, &six), GANG_TOO_LARGE);
}

/* Two nodes of 2. Job 0 holds one of them until 10, job 1 a GPU of the other. A gang of 3 is to
 * start at 10, on all that is free then. So the last job, of 20 s, starts when the gang ends at 15.
 */
static void across_nodes_backfill(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{2, 2, 1}};
    const struct gang_job jobs[] = {JOB(0, 10, 2), JOB(0, 30, 1), JOB(1, 5, 3), JOB(2, 20, 1)};
    struct gang_spec spec = spec_of(groups, 1, jobs, 4);
    spec.across_nodes = true;
    spec.order = GANG_EASY;
    check_starts(&spec, (const int64_t[]){0, 0, 10, 15});
}

/* Node 0 is of model 1, node 1 of model 2. Job 1 names model 1 and waits, though node 1 is free.
 * Job 2 may go to either, and waits behind it. */
static void models(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{1, 4, 1}, {1, 4, 2}};
    const struct gang_job jobs[] = {{0, 10 * S, 4, GANG_MILLI, 1, 0, false},
                                    {1 * S, 10 * S, 4, GANG_MILLI, 1, 0, false},
                                    {2 * S, 10 * S, 4, GANG_MILLI, 3, 0, false}};
    struct gang_spec spec = spec_of(groups, 2, jobs, 3);
    check_starts(&spec, (const int64_t[]){0, 10, 10});
    check_nodes(&spec, (const uint32_t[]){0, 0, 1});
    spec.order = GANG_EASY; /* it goes to the other node at once */
    check_starts(&spec, (const int64_t[]){0, 10, 2});
    const struct gang_job other = {0, S, 1, GANG_MILLI, 4, 0, false};
    assert_int_equal(gang_misfit(&spec, &other), GANG_NO_MODEL);
}

/* Until 10 s the first has ended, the second has started, the third waits. */
static void horizon(void **state)
{
    (void)state;
    const struct gang_job jobs[] = {JOB(0, 9, 4), JOB(1, 9, 4), JOB(2, 9, 4)};
    struct gang_spec spec = spec_of(four, 1, jobs, 3);
    spec.horizon_ns = 10 * S;
    struct gang_result r = run(&spec);
    assert_int_equal(r.started, 2);
    assert_int_equal(r.ended, 1);
    assert_int_equal(r.to_ns, 10 * S);
    assert_int_equal(r.jobs[1].start_ns, 9 * S);
    assert_int_equal(r.jobs[1].end_ns, DCS_NEVER);
    assert_int_equal(r.jobs[2].start_ns, DCS_NEVER);
    assert_true(r.allocation == 1);
    gang_result_release(&r);
}

static int by_arrival(const void *left, const void *right)
{
    const struct gang_job *a = left, *b = right;
    return (a->arrival_ns > b->arrival_ns) - (a->arrival_ns < b->arrival_ns);
}

/* Every order and placement on random jobs: all end, each runs its duration, and what is held over
 * time is what they ask for. (That no GPU is held twice is asserted in gang_nodes.c.) */
static void random_workloads(void **state)
{
    (void)state;
    enum { JOBS = 300 };
    const struct gang_group groups[] = {{3, 8, 1}, {4, 2, 2}, {2, 1, 2}};
    for (uint32_t world = 0; world < 40; world++) {
        struct dcs_rng rng;
        dcs_rng_stream(&rng, 1, world, DCS_RNG_JOBS, 0);
        struct gang_job jobs[JOBS];
        double work = 0;
        for (size_t i = 0; i < JOBS; i++) {
            bool share = dcs_rng_below(&rng, 2) == 0;
            uint32_t gpus = share ? 1 : 1u << dcs_rng_below(&rng, 4);
            jobs[i] = (struct gang_job){
                .arrival_ns = (int64_t)dcs_rng_below(&rng, 500) * S,
                .duration_ns = (int64_t)(1 + dcs_rng_below(&rng, 60)) * S,
                .gpus = gpus,
                .milli = share ? 1 + (uint32_t)dcs_rng_below(&rng, 999) : GANG_MILLI,
                .models = gpus <= 2 ? dcs_rng_below(&rng, 4) : 0,
            };
            work += (double)jobs[i].duration_ns * jobs[i].gpus * jobs[i].milli;
        }
        qsort(jobs, JOBS, sizeof *jobs, by_arrival);
        for (int variant = 0; variant < 12; variant++) {
            struct gang_spec spec = spec_of(groups, 3, jobs, JOBS);
            spec.order = variant % 2 ? GANG_EASY : GANG_FCFS;
            spec.placement = variant / 2 % 3;
            spec.across_nodes = variant >= 6;
            struct gang_result r = run(&spec);
            assert_int_equal(r.ended, JOBS);
            double all = (double)(r.to_ns - r.from_ns) * (double)r.gpus * GANG_MILLI;
            assert_true(r.allocation * all > work * (1 - 1e-9));
            assert_true(r.allocation * all < work * (1 + 1e-9));
            for (size_t i = 0; i < JOBS; i++)
                assert_int_equal(r.jobs[i].end_ns - r.jobs[i].start_ns, jobs[i].duration_ns);
            gang_result_release(&r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_come_first_served),
        cmocka_unit_test(backfill_ends_in_time),
        cmocka_unit_test(backfill_leaves_extra),
        cmocka_unit_test(backfill_depth),
        cmocka_unit_test(one_instant),
        cmocka_unit_test(fits),
        cmocka_unit_test(fgd_keeps_nodes_whole),
        cmocka_unit_test(fgd_goes_down_the_gradient),
        cmocka_unit_test(shares),
        cmocka_unit_test(fragmentation),
        cmocka_unit_test(across_nodes),
        cmocka_unit_test(across_nodes_backfill),
        cmocka_unit_test(models),
        cmocka_unit_test(horizon),
        cmocka_unit_test(random_workloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
