/*
 * test_gang_revocation.c - whole jobs that are revoked, against schedules made by hand.
 *
 * Pins: a job of a higher rank revokes jobs of lower ones, and no equal ones; a gang gives back all
 * its GPUs at once, on several nodes too; who is revoked, on which node; what is lost, from the
 * beginning or from a checkpoint; where the revoked wait, also under EASY. On many random
 * workloads, that all end and that what is held is the work and what was lost. Does not pin: speed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/rng.h"
#include "gangs/gang.h"

#include <stdlib.h>

#define S DCS_NS_PER_S

/* A job, in seconds. */
#define JOB(arrival, duration, gpus, rank)                                                         \
    {                                                                                              \
        (arrival) * S, (duration)*S, gpus, GANG_MILLI, GANG_ANY_MODEL, rank, false                 \
    }
#define SHARE(arrival, duration, milli, rank)                                                      \
    {                                                                                              \
        (arrival) * S, (duration)*S, 1, milli, GANG_ANY_MODEL, rank, false                         \
    }

static struct gang_spec spec_of(const struct gang_group *groups, size_t groups_count,
                                const struct gang_job *jobs, size_t jobs_count)
{
    return (struct gang_spec){.groups = groups,
                              .groups_count = groups_count,
                              .jobs = jobs,
                              .jobs_count = jobs_count,
                              .revoke = true,
                              .horizon_ns = DCS_NEVER};
}

/* First starts and ends; GPU seconds lost; how many were revoked. */
static void check(const struct gang_spec *spec, const int64_t *starts_s, const int64_t *ends_s,
                  double lost_s, size_t revoked)
{
    struct gang_result r;
    struct dcs_err err = {0};
    assert_int_equal(gang_run(spec, &r, &err), 0);
    for (size_t i = 0; i < spec->jobs_count; i++) {
        assert_int_equal(r.jobs[i].start_ns, starts_s[i] * S);
        assert_int_equal(r.jobs[i].end_ns, ends_s[i] * S);
    }
    assert_true(r.lost_ns == lost_s * (double)S);
    assert_int_equal(r.revoked_count, revoked);
    assert_int_equal(r.started, spec->jobs_count);
    gang_result_release(&r);
}

static const struct gang_group four[] = {{1, 4, 1}};

/* 4 GPUs. A and B (0 s, 10 s long, 2 GPUs each); C (4, 5, 4) is of a higher rank: it starts at 4, A
 * and B lose 4 s on 4 GPUs and run from 9 to 19. With a checkpoint after each 3 s they lose 1 s and
 * have 7 s left. C of the same rank, or without revocation, waits until 10. */
static void whole_gangs(void **state)
{
    (void)state;
    const struct gang_job jobs[] = {JOB(0, 10, 2, 0), JOB(0, 10, 2, 0), JOB(4, 5, 4, 1)};
    const struct gang_job equal[] = {JOB(0, 10, 2, 1), JOB(0, 10, 2, 1), JOB(4, 5, 4, 1)};
    struct gang_spec spec = spec_of(four, 1, jobs, 3);
    check(&spec, (const int64_t[]){0, 0, 4}, (const int64_t[]){19, 19, 9}, 16, 2);
    spec.checkpoint_ns = 3 * S;
    check(&spec, (const int64_t[]){0, 0, 4}, (const int64_t[]){16, 16, 9}, 4, 2);
    spec.revoke = false;
    check(&spec, (const int64_t[]){0, 0, 10}, (const int64_t[]){10, 10, 15}, 0, 0);
    spec = spec_of(four, 1, equal, 3);
    check(&spec, (const int64_t[]){0, 0, 10}, (const int64_t[]){10, 10, 15}, 0, 0);
}

/* Of A (0, 10, 4) 4 s are done at 4, when B (4, 1, 4) takes its place: 3 s are kept, 1 is lost.
 * From 5 on A does 2 s more. C (7, 1, 4) comes at 7: 5 s are done, 3 are kept. From 8 on 7 s are
 * left.
 */
static void checkpoints_add_up(void **state)
{
    (void)state;
    const struct gang_job jobs[] = {JOB(0, 10, 4, 0), JOB(4, 1, 4, 1), JOB(7, 1, 4, 1)};
    struct gang_spec spec = spec_of(four, 1, jobs, 3);
    spec.checkpoint_ns = 3 * S;
    check(&spec, (const int64_t[]){0, 4, 7}, (const int64_t[]){15, 5, 8}, 4 + 8, 2);
}

/* Of A (since 0) and B (since 1), both of 2 GPUs, B has lost less at 4: C (4, 5, 2) takes its
 * place, and A runs on. B waits until C ends at 9. */
static void least_is_lost(void **state)
{
    (void)state;
    const struct gang_job jobs[] = {JOB(0, 10, 2, 0), JOB(1, 20, 2, 0), JOB(4, 5, 2, 1)};
    struct gang_spec spec = spec_of(four, 1, jobs, 3);
    check(&spec, (const int64_t[]){0, 1, 4}, (const int64_t[]){10, 29, 9}, 6, 1);
}

/* A has 2 GPUs since 0, B and C have 1 each since 2. D (5, 5, 2) revokes B and C, which lose 3 s
 * each; A would lose 2 x 5 s. With 3 GPUs and no C, B alone is not enough: A is revoked, and then B
 * need not be. */
static void nobody_needlessly(void **state)
{
    (void)state;
    const struct gang_job pairs[] = {JOB(0, 20, 2, 0), JOB(2, 20, 1, 0), JOB(2, 20, 1, 0),
                                     JOB(5, 5, 2, 1)};
    struct gang_spec spec = spec_of(four, 1, pairs, 4);
    check(&spec, (const int64_t[]){0, 2, 2, 5}, (const int64_t[]){20, 30, 30, 10}, 6, 2);
    const struct gang_group three[] = {{1, 3, 1}};
    const struct gang_job one[] = {JOB(0, 20, 2, 0), JOB(2, 20, 1, 0), JOB(5, 5, 2, 1)};
    spec = spec_of(three, 1, one, 3);
    check(&spec, (const int64_t[]){0, 2, 5}, (const int64_t[]){30, 22, 10}, 10, 1);
}

/* Node 0 is held by rank 1, node 1 by rank 0, which loses more. Rank 2 takes node 1. What it
 * revoked waits behind rank 1, which arrived later. */
static void lowest_rank_first(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{2, 4, 1}};
    const struct gang_job jobs[] = {JOB(0, 20, 1, 1), JOB(0, 10, 4, 0), JOB(1, 20, 3, 1),
                                    JOB(5, 10, 4, 2), JOB(6, 3, 4, 1)};
    struct gang_spec spec = spec_of(groups, 1, jobs, 5);
    check(&spec, (const int64_t[]){0, 0, 1, 5, 15}, (const int64_t[]){20, 28, 21, 15, 18}, 20, 1);
}

/* Two nodes of 2. The gang (0, 10, 3) is on both. H (1, 2, 2) takes node 0: the gang gives back its
 * GPU of node 1 as well, and has three again when H ends at 3.
 * Then a gang of 3 needs GPUs of both nodes. By what they lose at 3, C (1 GPU since 1), B (1 since
 * 0) and A (2 since 0) would go; with A gone, B need not be. */
static void across_nodes(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{2, 2, 1}};
    const struct gang_job jobs[] = {JOB(0, 10, 3, 0), JOB(1, 2, 2, 1)};
    struct gang_spec spec = spec_of(groups, 1, jobs, 2);
    spec.across_nodes = true;
    check(&spec, (const int64_t[]){0, 1}, (const int64_t[]){13, 3}, 3, 1);
    const struct gang_job wide[] = {JOB(0, 10, 2, 0), JOB(0, 10, 1, 0), JOB(1, 10, 1, 0),
                                    JOB(3, 2, 3, 1)};
    spec = spec_of(groups, 1, wide, 4);
    spec.across_nodes = true;
    check(&spec, (const int64_t[]){0, 0, 1, 3}, (const int64_t[]){15, 10, 15, 5}, 6 + 2, 2);
}

/* At 3 a share of 0.3 since 0 has 0.9 GPU s to lose, one of 0.6 since 1 has 1.2. A job of 0.4 takes
 * the place of the first: with the 0.1 that is free that is enough. */
static void shares(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{1, 1, 1}};
    const struct gang_job jobs[] = {SHARE(0, 10, 300, 0), SHARE(1, 10, 600, 0),
                                    SHARE(3, 2, 400, 1)};
    struct gang_spec spec = spec_of(groups, 1, jobs, 3);
    check(&spec, (const int64_t[]){0, 1, 3}, (const int64_t[]){15, 11, 5}, 0.9, 1);
}

/* EASY: at 1 B (4 GPUs) has a reservation for 10. C (2, 20, 2), of a higher rank, goes before it
 * and takes the two free GPUs; B's reservation is made anew, for 22. D (3, 12, 2) would have been
 * too long for the one at 10; it ends in time for that at 22, and starts when A ends. */
static void reservation_is_made_anew(void **state)
{
    (void)state;
    const struct gang_job jobs[] = {JOB(0, 10, 2, 1), JOB(1, 5, 4, 0), JOB(2, 20, 2, 1),
                                    JOB(3, 12, 2, 0)};
    struct gang_spec spec = spec_of(four, 1, jobs, 4);
    spec.order = GANG_EASY;
    check(&spec, (const int64_t[]){0, 22, 2, 10}, (const int64_t[]){10, 27, 22, 22}, 0, 0);
    /* 6 GPUs: B (1, 5, 6) has all of them reserved for 10, when A's four are free; another waits
     * behind it. C (2, 20, 4) goes before B and waits for A's four: D (3, 50, 2) takes the rest. */
    const struct gang_group six[] = {{1, 6, 1}};
    const struct gang_job waits[] = {JOB(0, 10, 4, 1), JOB(1, 5, 6, 0), JOB(1, 5, 6, 0),
                                     JOB(2, 20, 4, 1), JOB(3, 50, 2, 0)};
    spec = spec_of(six, 1, waits, 5);
    spec.order = GANG_EASY;
    check(&spec, (const int64_t[]){0, 53, 58, 10, 3}, (const int64_t[]){10, 58, 63, 30, 53}, 0, 0);
}

/* At the horizon a revoked job waits: it has started, and has no end. */
static void horizon(void **state)
{
    (void)state;
    const struct gang_job jobs[] = {JOB(0, 10, 4, 0), JOB(4, 5, 4, 1)};
    struct gang_spec spec = spec_of(four, 1, jobs, 2);
    struct gang_result r;
    struct dcs_err err = {0};
    spec.horizon_ns = 8 * S;
    assert_int_equal(gang_run(&spec, &r, &err), 0);
    assert_int_equal(r.started, 2);
    assert_int_equal(r.jobs[0].start_ns, 0);
    assert_int_equal(r.jobs[0].begin_ns, DCS_NEVER);
    assert_int_equal(r.jobs[0].end_ns, DCS_NEVER);
    assert_int_equal(r.revoked[0].job, 0);
    assert_int_equal(r.revoked[0].from_ns, 0);
    assert_int_equal(r.revoked[0].to_ns, 4 * S);
    assert_true(r.allocation == 1);
    gang_result_release(&r);
}

static int by_arrival(const void *left, const void *right)
{
    const struct gang_job *a = left, *b = right;
    return (a->arrival_ns > b->arrival_ns) - (a->arrival_ns < b->arrival_ns);
}

enum { JOBS = 300 };

/* Returns their work, in milli GPU ns. */
static double make_jobs(uint32_t world, struct gang_job *jobs)
{
    struct dcs_rng rng;
    double work = 0;
    dcs_rng_stream(&rng, 1, world, DCS_RNG_JOBS, 0);
    for (size_t i = 0; i < JOBS; i++) {
        bool share = dcs_rng_below(&rng, 2) == 0;
        uint32_t gpus = share ? 1 : 1u << dcs_rng_below(&rng, 4);
        jobs[i] = (struct gang_job){
            .arrival_ns = (int64_t)dcs_rng_below(&rng, 500) * S,
            .duration_ns = (int64_t)(1 + dcs_rng_below(&rng, 60)) * S,
            .gpus = gpus,
            .milli = share ? 1 + (uint32_t)dcs_rng_below(&rng, 999) : GANG_MILLI,
            .models = gpus <= 2 ? dcs_rng_below(&rng, 4) : 0,
            .rank = (int32_t)dcs_rng_below(&rng, 3) - 1,
        };
        work += (double)jobs[i].duration_ns * jobs[i].gpus * jobs[i].milli;
    }
    qsort(jobs, JOBS, sizeof *jobs, by_arrival);
    return work;
}

static void random_workloads(void **state)
{
    (void)state;
    const struct gang_group groups[] = {{3, 8, 1}, {4, 2, 2}, {2, 1, 2}};
    size_t revoked = 0;
    for (uint32_t world = 0; world < 40; world++) {
        struct gang_job jobs[JOBS];
        double work = make_jobs(world, jobs);
        for (int variant = 0; variant < 8; variant++) {
            struct gang_spec spec = spec_of(groups, 3, jobs, JOBS);
            struct gang_result r;
            struct dcs_err err = {0};
            spec.order = variant % 2 ? GANG_EASY : GANG_FCFS;
            spec.placement = variant / 2 % 2 ? 2 : 0;
            spec.across_nodes = variant >= 4;
            spec.checkpoint_ns = variant >= 4 ? 10 * S : 0;
            assert_int_equal(gang_run(&spec, &r, &err), 0);
            assert_int_equal(r.ended, JOBS);
            assert_int_equal(r.started, JOBS);
            double all = r.allocation * (double)(r.to_ns - r.from_ns) * (double)r.gpus * GANG_MILLI;
            double held = work + r.lost_ns * GANG_MILLI;
            assert_true(all > held * (1 - 1e-9) && all < held * (1 + 1e-9));
            for (size_t i = 0; i < JOBS; i++) {
                const struct gang_times *t = &r.jobs[i];
                assert_int_equal(t->end_ns - t->begin_ns + t->done_ns, jobs[i].duration_ns);
                assert_true(t->start_ns <= t->begin_ns);
            }
            for (size_t i = 0; i < r.revoked_count; i++) {
                assert_true(r.revoked[i].from_ns < r.revoked[i].to_ns);
                assert_true(jobs[r.revoked[i].job].rank < 1);
            }
            revoked += r.revoked_count;
            gang_result_release(&r);
        }
    }
    assert_true(revoked > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_gangs),
        cmocka_unit_test(checkpoints_add_up),
        cmocka_unit_test(least_is_lost),
        cmocka_unit_test(nobody_needlessly),
        cmocka_unit_test(lowest_rank_first),
        cmocka_unit_test(across_nodes),
        cmocka_unit_test(shares),
        cmocka_unit_test(reservation_is_made_anew),
        cmocka_unit_test(horizon),
        cmocka_unit_test(random_workloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
