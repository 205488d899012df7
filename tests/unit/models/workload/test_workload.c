/*
 * test_workload.c - generated lists of jobs, where the answer is exact.
 *
 * Pins: work over devices of two kinds; sorting is stable; TReM's generator: class counts, totals
 * of tasks (table IV: 925 and 635, 1191 and 329), at least one task each, shares by largest
 * remainder computed by hand, tasks = duration / mean work rounded, the load against all work drawn
 * or expected, SLAs, what is refused; the same seed, the same list; another seed, replication or
 * generator, another one. Replay: requests, clients, shares of a GPU, rounding up, compressions,
 * the load that is solved for, what is refused. Co-located: which jobs each domain gets, that its
 * batch applications differ and follow from its number. Does not pin: distributions
 * (tests/stat/test_workload_draws.c), what the cluster makes of the jobs.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/workload_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void work_is_over_all_devices(void **state)
{
    (void)state;
    /* Two devices of one kind take 3 ns, six of another 7. */
    const uint64_t devices[] = {2, 6};
    int64_t total_ns[] = {3, 7};
    const struct dcs_app app = {.total_ns = total_ns};
    const struct dcs_capacity all = {.apps = &app, .kinds = 2, .devices = devices};
    assert_true(dcs_capacity_work_ns(&all, &app) == 48);
    assert_true(dcs_capacity_mean_work_ns(&all, 0) == 6);
}

static bool is_user(const struct dcs_job *job)
{
    return job->app < 2;
}

static struct dcs_workload draw(const struct workload_case *c, const struct dcs_trem *t,
                                uint64_t seed, uint32_t replication, uint32_t generator)
{
    struct dcs_workload w = {0};
    struct dcs_err err = {0};
    int result = dcs_workload_add_trem(&w, t, &c->capacity, seed, replication, generator, &err);
    if (result != 0)
        print_error("%s\n", err.text);
    assert_int_equal(result, 0);
    dcs_workload_finish(&w);
    return w;
}

static void refuse_trem(const struct workload_case *c, const struct dcs_trem *t, const char *text)
{
    struct dcs_workload w = {0};
    struct dcs_err err = {0};
    assert_int_equal(dcs_workload_add_trem(&w, t, &c->capacity, 1, 0, 0, &err), -1);
    if (strstr(err.text, text) == NULL)
        print_error("%s\n", err.text);
    assert_non_null(strstr(err.text, text));
    dcs_workload_release(&w);
}

/* ---- The list itself ---- */

static void sorting_is_stable(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 200; n++) {
        struct dcs_workload w = {0};
        struct dcs_rng rng;
        dcs_rng_stream(&rng, n, 0, DCS_RNG_JOBS, 0);
        for (uint32_t i = 0; i < n; i++)
            dcs_workload_add(
                &w,
                &(struct dcs_job){.app = i, .begin_ns = (int64_t)dcs_rng_below(&rng, n / 3 + 1)});
        dcs_workload_finish(&w);
        assert_int_equal(w.count, n);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < n; i++) {
            sum += w.jobs[i].app;
            if (i > 0)
                assert_true(w.jobs[i - 1].begin_ns < w.jobs[i].begin_ns ||
                            (w.jobs[i - 1].begin_ns == w.jobs[i].begin_ns &&
                             w.jobs[i - 1].app < w.jobs[i].app));
        }
        assert_int_equal(sum, n == 0 ? 0 : (uint64_t)n * (n - 1) / 2);
        dcs_workload_release(&w);
    }
}

static void mean_work_over_kinds(void **state)
{
    (void)state;
    int64_t total_ns[] = {100, 200};
    const uint64_t devices[] = {1, 3};
    struct dcs_app app = {.kernels = 1, .total_ns = total_ns};
    const struct dcs_capacity c = {.apps = &app, .kinds = 2, .devices = devices};
    assert_true(dcs_capacity_mean_work_ns(&c, 0) == 175);
}

/* ---- TReM's generator ---- */

static void classes_and_totals(void **state)
{
    (void)state;
    static const struct {
        int64_t jobs;
        double fraction;
        size_t users;
        int64_t user_tasks, batch_tasks;
    } cases[] = {
        {30, 0.5, 15, 925, 635}, {30, 0.8, 24, 1191, 329},
        {30, 0.8, 24, 24, 6},    {7, 0.5, 4, 100, 100},
        {30, 0, 0, 0, 635},      {30, 1, 30, 925, 0},
        {1, 0.5, 1, 3, 0},       {1000, 0.123, 123, 124, 100000000},
    };
    struct workload_case c;
    workload_case_init(&c, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t replication = 0; replication < 5; replication++) {
            struct dcs_trem t = workload_case_trem();
            t.jobs = cases[i].jobs;
            t.user_fraction = cases[i].fraction;
            t.user_tasks = cases[i].user_tasks;
            t.batch_tasks = cases[i].batch_tasks;
            struct dcs_workload w = draw(&c, &t, 1, replication, 0);
            size_t users = 0;
            uint64_t tasks[2] = {0};
            int64_t before_ns = 0;
            assert_int_equal(w.count, cases[i].jobs);
            for (size_t k = 0; k < w.count; k++) {
                const struct dcs_job *job = &w.jobs[k];
                users += is_user(job);
                tasks[is_user(job)] += job->requests;
                assert_true(job->requests >= 1 && job->clients == 8 && !job->open);
                assert_true(job->begin_ns >= before_ns && job->begin_ns < INT64_C(1) << 62);
                before_ns = job->begin_ns;
            }
            assert_int_equal(users, cases[i].users);
            if (cases[i].user_tasks > 0)
                assert_int_equal(tasks[true], cases[i].user_tasks);
            if (cases[i].batch_tasks > 0)
                assert_int_equal(tasks[false], cases[i].batch_tasks);
            dcs_workload_release(&w);
        }
}

/* With so steep a Pareto all durations are the mean; so only the application tells shares apart. */
static struct dcs_trem steep(void)
{
    struct dcs_trem t = workload_case_trem();
    t.pareto_shape = 1e7;
    return t;
}

/*
 * Two batch jobs, one of 100 ms and one of 300 ms: they want 3 : 1. After one each:
 *   total 10: 8 = 6 + 2;   11: 9 = 6.75 + 2.25, the first has the larger rest: 7 + 2;
 *   13: 11 = 8.25 + 2.75: 8 + 3;   3: 1 = 0.75 + 0.25: 1 + 0;   2: 0.
 */
static void shares_by_hand(void **state)
{
    (void)state;
    static const uint64_t cases[][3] = {{2, 1, 1},  {3, 2, 1},  {10, 7, 3},
                                        {11, 8, 3}, {13, 9, 4}, {1000002, 750001, 250001}};
    struct workload_case c;
    workload_case_init(&c, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int found = 0;
        for (uint32_t replication = 0; replication < 20; replication++) {
            struct dcs_trem t = steep();
            t.jobs = 2;
            t.user_fraction = 0;
            t.batch_tasks = (int64_t)cases[i][0];
            struct dcs_workload w = draw(&c, &t, 1, replication, 0);
            if (w.jobs[0].app != w.jobs[1].app) {
                const struct dcs_job *fast = &w.jobs[w.jobs[0].app == 2 ? 0 : 1];
                const struct dcs_job *slow = &w.jobs[w.jobs[0].app == 2 ? 1 : 0];
                assert_int_equal(fast->requests, cases[i][1]);
                assert_int_equal(slow->requests, cases[i][2]);
                found++;
            }
            dcs_workload_release(&w);
        }
        assert_true(found > 3);
    }
}

/* Tasks = duration / mean work, rounded, at least 1: 5 s are 500 or 125 tasks, 600 s 6000 or 2000;
 * 390 ms of batch are 4 or 1, 160 ms 2 or 1, 1 us is 1. */
static void tasks_of_a_duration(void **state)
{
    (void)state;
    static const int64_t cases[][3] = {
        {600 * DCS_NS_PER_S, 6000, 2000},
        {390 * DCS_NS_PER_MS, 4, 1},
        {160 * DCS_NS_PER_MS, 2, 1},
        {1000, 1, 1},
    };
    struct workload_case c;
    workload_case_init(&c, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_trem t = steep();
        t.batch_duration_ns = cases[i][0];
        struct dcs_workload w = draw(&c, &t, 1, 0, 0);
        for (size_t k = 0; k < w.count; k++) {
            static const uint64_t users[] = {500, 125};
            const struct dcs_job *job = &w.jobs[k];
            assert_int_equal(job->requests,
                             is_user(job) ? users[job->app] : (uint64_t)cases[i][job->app - 1]);
        }
        dcs_workload_release(&w);
    }
}

/* How strongly the arrivals of b are stretched against those of a; the same for each job. */
static double stretch(const struct dcs_workload *a, const struct dcs_workload *b)
{
    assert_int_equal(a->count, b->count);
    double factor = (double)b->jobs[a->count - 1].begin_ns / (double)a->jobs[a->count - 1].begin_ns;
    for (size_t i = 0; i < a->count; i++) {
        assert_true(fabs((double)a->jobs[i].begin_ns * factor - (double)b->jobs[i].begin_ns) <
                    1 + factor); /* both are rounded */
        assert_int_equal(a->jobs[i].app, b->jobs[i].app);
    }
    return factor;
}

/* The mean gap is work / (jobs * devices * load); whose draws are compared, only that factor
 * differs. */
static void load(void **state)
{
    (void)state;
    struct workload_case c, eight;
    workload_case_init(&c, 4);
    workload_case_init(&eight, 8);
    struct dcs_trem t = workload_case_trem();
    t.load_expected = true; /* 30 jobs of 302.5 s in the mean */
    struct dcs_workload expected = draw(&c, &t, 1, 0, 0);
    t.load_expected = false;
    struct dcs_workload drawn = draw(&c, &t, 1, 0, 0);
    double work = workload_case_work(&c, &drawn);
    assert_true(fabs(stretch(&expected, &drawn) / (work / 30 / 302.5e9) - 1) < 1e-9);

    t.user_tasks = 925;
    t.batch_tasks = 635;
    struct dcs_workload totals = draw(&c, &t, 1, 0, 0);
    work = workload_case_work(&c, &totals);
    assert_true(fabs(stretch(&expected, &totals) / (work / 30 / 302.5e9) - 1) < 1e-9);

    struct dcs_workload more = draw(&eight, &t, 1, 0, 0);
    assert_true(fabs(stretch(&totals, &more) - 0.5) < 1e-9);
    t.load_devices = 4;
    struct dcs_workload four = draw(&eight, &t, 1, 0, 0);
    assert_true(stretch(&totals, &four) == 1);
    t.load = 0.25;
    struct dcs_workload quarter = draw(&c, &t, 1, 0, 0);
    assert_true(fabs(stretch(&totals, &quarter) - 4) < 1e-9);

    struct dcs_workload *all[] = {&expected, &drawn, &totals, &more, &four, &quarter};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        dcs_workload_release(all[i]);
}

static void slas(void **state)
{
    (void)state;
    struct workload_case c;
    workload_case_init(&c, 4);
    for (int64_t sla = 0; sla <= 200; sla += 200) {
        struct dcs_trem t = workload_case_trem();
        t.sla_ns = sla;
        struct dcs_workload w = draw(&c, &t, 1, 0, 0);
        for (size_t i = 0; i < w.count; i++) {
            const struct dcs_job *job = &w.jobs[i];
            assert_true(job->sla_ns == (!is_user(job) ? 0 : sla > 0 ? sla : (job->app + 1) * 1000));
        }
        dcs_workload_release(&w);
    }
}

static bool same(const struct dcs_workload *a, const struct dcs_workload *b)
{
    bool equal = a->count == b->count;
    for (size_t i = 0; equal && i < a->count; i++)
        equal = a->jobs[i].app == b->jobs[i].app && a->jobs[i].begin_ns == b->jobs[i].begin_ns &&
                a->jobs[i].requests == b->jobs[i].requests;
    return equal;
}

static void same_seed_same_list(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        uint32_t replication, generator;
    } others[] = {{2, 0, 0}, {UINT64_C(1) << 32 | 1, 0, 0}, {1, 1, 0}, {1, 0, 1}};
    struct workload_case c;
    workload_case_init(&c, 4);
    const struct dcs_trem t = workload_case_trem();
    struct dcs_workload first = draw(&c, &t, 1, 0, 0), again = draw(&c, &t, 1, 0, 0);
    assert_true(same(&first, &again));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct dcs_workload w =
            draw(&c, &t, others[i].seed, others[i].replication, others[i].generator);
        assert_false(same(&first, &w));
        for (size_t k = 0; k < w.count; k++) /* nothing carries over */
            assert_true(w.jobs[k].begin_ns != first.jobs[k].begin_ns);
        dcs_workload_release(&w);
    }
    dcs_workload_release(&first);
    dcs_workload_release(&again);
}

static void refused_by_trem(void **state)
{
    (void)state;
    struct workload_case c;
    workload_case_init(&c, 4);
    struct dcs_trem t = workload_case_trem();
    t.user_apps_count = 0;
    refuse_trem(&c, &t, "no user-facing application");
    t = workload_case_trem();
    t.batch_apps_count = 0;
    refuse_trem(&c, &t, "no batch application");
    t = workload_case_trem();
    t.user_tasks = 14;
    refuse_trem(&c, &t, "user_tasks is 14, but there are 15");
    t = workload_case_trem();
    t.batch_tasks = 14;
    refuse_trem(&c, &t, "batch_tasks is 14, but there are 15");
    t = workload_case_trem();
    t.batch_duration_ns = INT64_C(1) << 62;
    c.total_ns[2] = c.total_ns[3] = 1;
    refuse_trem(&c, &t, "at most 2^40");
    workload_case_init(&c, 4);
    t = workload_case_trem();
    t.load = 1e-12;
    refuse_trem(&c, &t, "146 years");
    t = workload_case_trem();
    t.pareto_shape = 1;
    refuse_trem(&c, &t, "a shape > 1");
}

/* ---- Replay ---- */

static struct dcs_replay plain_replay(void)
{
    return (struct dcs_replay){
        .keep = 1,
        .latency_fraction = -1,
        .time_compression = 1,
        .duration_compression = 1,
        .outstanding = 1,
        .user_apps = case_user_apps,
        .batch_apps = case_batch_apps,
        .user_apps_count = 1, /* 10 ms */
        .batch_apps_count = 1 /* 100 ms */,
    };
}

#define S(x)  ((x)*DCS_NS_PER_S)
#define MS(x) ((x)*DCS_NS_PER_MS)

/*
 * Job 2: 1.5 GPUs for 1 s: 1.5 s of batch work, 15 requests by 2 clients.
 * Job 3: 4.999 ms of user work: 0.4999 requests, rounded up to 1.   Job 4: a tenth of a GPU for
 * 50 ms: 0.5, rounded to 1. Job 5: 8 GPUs for 1 s: 800 requests by 8 clients.   Job 6: 149.9 ms of
 * batch without a GPU: 1 request.
 */
static struct dcs_trace_job trace_jobs[] = {
    {0, S(1), 1.5, 2, DCS_BATCH, 0, 0},         {S(10), 4999000, 1, 3, DCS_LATENCY, 0, 0},
    {S(10), MS(50), 0.1, 4, DCS_LATENCY, 0, 0}, {S(30), S(1), 8, 5, DCS_LATENCY, 0, 0},
    {S(40), 149900000, 0, 6, DCS_BATCH, 0, 0},
};
static const struct dcs_trace trace = {.jobs = trace_jobs, .jobs_count = 5};

static void replays(void **state)
{
    (void)state;
    static const uint64_t requests[] = {15, 1, 1, 800, 1};
    static const uint32_t clients[] = {2, 1, 1, 8, 1};
    struct workload_case c;
    workload_case_init(&c, 4);
    for (int64_t compression = 1; compression <= 4; compression *= 4) {
        struct dcs_workload w = {0};
        struct dcs_replay_counts counts;
        struct dcs_err err;
        struct dcs_replay r = plain_replay();
        r.time_compression = (double)compression;
        assert_int_equal(
            dcs_workload_add_replay(&w, &trace, &r, &c.capacity, 1, 0, 0, &counts, &err), 0);
        assert_int_equal(w.count, 5);
        for (size_t i = 0; i < 5; i++) {
            const struct dcs_job *job = &w.jobs[i];
            bool user = trace_jobs[i].class == DCS_LATENCY;
            assert_int_equal(job->requests, requests[i]);
            assert_int_equal(job->clients, clients[i]);
            assert_int_equal(job->app, user ? 0 : 2);
            assert_true(job->sla_ns == (user ? 1000 : 0));
            assert_true(job->begin_ns == trace_jobs[i].arrival_ns / compression);
            assert_true(job->until_ns == S(40) / compression + 1 && !job->open);
        }
        assert_int_equal(counts.jobs, 5);
        assert_int_equal(counts.requests, 818);
        assert_int_equal(counts.clients, 13);
        assert_int_equal(counts.rounded_up, 1);
        assert_true(counts.work_ns == 1.5e9 + 10e6 + 10e6 + 8e9 + 100e6);
        assert_true(fabs(counts.trace_work_ns - (1.5e9 + 4999000 + 5e6 + 8e9 + 149900000)) < 1);
        assert_true(counts.span_ns == S(40) / compression);
        /* All but the last, which begins as the trace ends, are done in time: 9.52 s. */
        assert_true(fabs(counts.offered / (9.52 * (double)compression / (40 * 4)) - 1) < 1e-12);
        dcs_workload_release(&w);
    }
}

static void replay_compresses_durations(void **state)
{
    (void)state;
    struct workload_case c;
    workload_case_init(&c, 4);
    struct dcs_workload w = {0};
    struct dcs_replay_counts counts;
    struct dcs_err err;
    struct dcs_replay r = plain_replay();
    r.duration_compression = 10;
    r.sla_ns = 77;
    assert_int_equal(dcs_workload_add_replay(&w, &trace, &r, &c.capacity, 1, 0, 0, &counts, &err),
                     0);
    static const uint64_t requests[] = {2, 1, 1, 80, 1};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(w.jobs[i].requests, requests[i]);
        assert_true(w.jobs[i].sla_ns == (w.jobs[i].app == 0 ? 77 : 0));
    }
    assert_int_equal(counts.rounded_up, 3);
    dcs_workload_release(&w);
}

/*
 * One job of 1 client and 100 s of work from 0, the last one at 1000 s. While all of the 100 s fit
 * before the end, the load on 4 devices is 100 / (4 span); so load 0.125 takes a span of 200 s.
 * Below 100 s the client is always busy: 1/4 is the most that this trace can offer.
 */
static void replay_solves_for_the_load(void **state)
{
    (void)state;
    struct dcs_trace_job jobs[] = {{0, S(100), 1, 2, DCS_BATCH, 0, 0},
                                   {S(1000), S(1), 1, 3, DCS_BATCH, 0, 0}};
    const struct dcs_trace two = {.jobs = jobs, .jobs_count = 2};
    struct workload_case c;
    workload_case_init(&c, 4);
    static const double loads[] = {0.001, 0.025, 0.125, 0.24};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        struct dcs_workload w = {0};
        struct dcs_replay_counts counts;
        struct dcs_err err;
        struct dcs_replay r = plain_replay();
        r.load = loads[i];
        r.time_compression = 12345; /* not used */
        assert_int_equal(dcs_workload_add_replay(&w, &two, &r, &c.capacity, 1, 0, 0, &counts, &err),
                         0);
        assert_true(fabs(counts.offered / loads[i] - 1) < 1e-9);
        assert_true(fabs(counts.time_compression / (40 * loads[i]) - 1) < 1e-9);
        assert_true(fabs((double)w.jobs[1].begin_ns / (25e9 / loads[i]) - 1) < 1e-9);
        dcs_workload_release(&w);
    }
    struct dcs_workload w = {0};
    struct dcs_replay_counts counts;
    struct dcs_err err = {0};
    struct dcs_replay r = plain_replay();
    r.load = 0.251;
    assert_int_equal(dcs_workload_add_replay(&w, &two, &r, &c.capacity, 1, 0, 0, &counts, &err),
                     -1);
    assert_non_null(strstr(err.text, "cannot offer a load of 0.251"));
    dcs_workload_release(&w);
}

/* Eight outstanding requests for each GPU; a share of one, or none, counts as one. */
static void replay_outstanding(void **state)
{
    (void)state;
    static const uint32_t clients[] = {16, 8, 8, 64, 8};
    struct workload_case c;
    workload_case_init(&c, 4);
    struct dcs_workload w = {0};
    struct dcs_replay_counts counts;
    struct dcs_err err;
    struct dcs_replay r = plain_replay();
    r.outstanding = 8;
    assert_int_equal(dcs_workload_add_replay(&w, &trace, &r, &c.capacity, 1, 0, 0, &counts, &err),
                     0);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(w.jobs[i].clients, clients[i]);
    dcs_workload_release(&w);
}

enum { MANY = 4000 };

/* MANY jobs, a second apart, job i of i + 1 times 100 ms. */
static struct dcs_trace many_jobs(void)
{
    struct dcs_trace t = {.jobs = dcs_alloc(MANY, sizeof *t.jobs), .jobs_count = MANY};
    for (int i = 0; i < MANY; i++)
        t.jobs[i] = (struct dcs_trace_job){S(i), MS(100) * (i + 1), 1, i + 1, DCS_BATCH, 0, 0};
    return t;
}

/* A job works with as many clients as it has requests, however many may be outstanding: two jobs of
 * one request of 100 ms, 200 ms apart, are half of one device. */
static void load_knows_the_requests(void **state)
{
    (void)state;
    struct dcs_trace_job jobs[] = {{0, MS(100), 1, 1, DCS_BATCH, 0, 0},
                                   {MS(200), MS(100), 1, 2, DCS_BATCH, 0, 0}};
    const struct dcs_trace two = {.jobs = jobs, .jobs_count = 2};
    struct workload_case c;
    workload_case_init(&c, 1);
    for (int64_t outstanding = 1; outstanding <= 8; outstanding *= 8) {
        struct dcs_workload w = {0};
        struct dcs_replay_counts counts;
        struct dcs_err err;
        struct dcs_replay r = plain_replay();
        r.outstanding = outstanding;
        r.time_compression = 4; /* 50 ms apart: half of the first job falls between */
        assert_int_equal(dcs_workload_add_replay(&w, &two, &r, &c.capacity, 1, 0, 0, &counts, &err),
                         0);
        assert_true(fabs(counts.offered - 1) < 1e-12);
        dcs_workload_release(&w);
    }
}

/* Time begins with the first job that is kept, and which are kept does not depend on the window. */
static void thinning_by_job(void **state)
{
    (void)state;
    struct workload_case c;
    workload_case_init(&c, 4);
    struct dcs_trace t = many_jobs();
    int64_t first[2][MANY];
    size_t count[2];
    for (int pass = 0; pass < 2; pass++) {
        const struct dcs_trace window = {.jobs = t.jobs + pass, .jobs_count = MANY - (size_t)pass};
        struct dcs_workload w = {0};
        struct dcs_replay_counts counts;
        struct dcs_err err;
        struct dcs_replay r = plain_replay();
        r.keep = 0.1;
        assert_int_equal(
            dcs_workload_add_replay(&w, &window, &r, &c.capacity, 1, 0, 0, &counts, &err), 0);
        assert_true(w.jobs[0].begin_ns == 0);
        count[pass] = w.count;
        for (size_t i = 0; i < w.count; i++)
            first[pass][i] = w.jobs[i].begin_ns;
        dcs_workload_release(&w);
    }
    /* The second window lacks the first job; if that one was not kept, nothing moves. */
    size_t lost = count[0] - count[1];
    assert_true(lost <= 1);
    for (size_t i = 0; i < count[1]; i++)
        assert_true(first[1][i] == first[0][i + lost] - first[0][lost]);
    dcs_trace_release(&t);
}

/* Works of 5, 1, 3, 2 and 4 s, one class: the smaller half of five (the first two) gets the
 * application of 100 ms, whichever way the list names the two. */
static void replay_by_size(void **state)
{
    (void)state;
    struct dcs_trace_job jobs[] = {{0, S(5), 1, 1, DCS_BATCH, 0, 0},
                                   {S(1), S(1), 1, 2, DCS_BATCH, 0, 0},
                                   {S(2), MS(750), 4, 3, DCS_BATCH, 0, 0},
                                   {S(3), S(2), 1, 4, DCS_BATCH, 0, 0},
                                   {S(4), S(4), 0, 5, DCS_BATCH, 0, 0}};
    static const uint32_t expected[] = {3, 2, 2, 2, 3}, turned[] = {3, 2};
    const struct dcs_trace five = {.jobs = jobs, .jobs_count = 5};
    struct workload_case c;
    workload_case_init(&c, 4);
    for (int turn = 0; turn < 2; turn++) {
        struct dcs_workload w = {0};
        struct dcs_replay_counts counts;
        struct dcs_err err;
        struct dcs_replay r = plain_replay();
        r.by_size = true;
        r.batch_apps_count = 2;
        r.batch_apps = turn ? turned : case_batch_apps;
        assert_int_equal(
            dcs_workload_add_replay(&w, &five, &r, &c.capacity, 1, 0, 0, &counts, &err), 0);
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(w.jobs[i].app, expected[i]);
        dcs_workload_release(&w);
    }
}

/* A quarter is kept and a third of it is latency, within 4 standard errors; which jobs is a matter
 * of the job alone: what is kept of 25 % is kept of 50 %, too, and another replication differs. */
static void replay_thins_and_classes(void **state)
{
    (void)state;
    struct workload_case c;
    workload_case_init(&c, 4);
    struct dcs_trace t = many_jobs();
    bool kept[2][MANY] = {{0}};
    size_t latency = 0, count = 0;
    for (int pass = 0; pass < 3; pass++) {
        struct dcs_workload w = {0};
        struct dcs_replay_counts counts;
        struct dcs_err err;
        struct dcs_replay r = plain_replay();
        r.keep = pass == 0 ? 0.5 : 0.25;
        r.latency_fraction = 1.0 / 3;
        assert_int_equal(
            dcs_workload_add_replay(&w, &t, &r, &c.capacity, 1, pass == 2, 0, &counts, &err), 0);
        assert_int_equal(counts.jobs + counts.thinned, MANY);
        assert_int_equal(counts.jobs, w.count);
        size_t same = 0;
        for (size_t i = 0; i < w.count; i++) {
            size_t job = (size_t)(w.jobs[i].requests / (w.jobs[i].app == 0 ? 10 : 1)) - 1;
            if (pass < 2)
                kept[pass][job] = true;
            same += pass == 2 && kept[1][job];
            if (pass == 1) {
                assert_true(kept[0][job]);
                latency += w.jobs[i].app == 0;
                count++;
            }
        }
        assert_true(pass < 2 || same < w.count / 2);
        dcs_workload_release(&w);
    }
    assert_true(fabs((double)count - MANY / 4.0) < 4 * sqrt(MANY * 0.25 * 0.75));
    assert_true(fabs((double)latency - (double)count / 3) < 4 * sqrt((double)count * 2 / 9));
    struct dcs_replay none = plain_replay();
    struct dcs_replay_counts counts;
    struct dcs_workload w = {0};
    struct dcs_err err = {0};
    none.keep = 1e-12;
    assert_int_equal(dcs_workload_add_replay(&w, &t, &none, &c.capacity, 1, 0, 0, &counts, &err),
                     -1);
    assert_non_null(strstr(err.text, "no job is left of 4000"));
    dcs_trace_release(&t);
}

/* A fitted model: classes, durations and demands by its distributions, and the same jobs each time.
 * Deterministic parts by hand, the class within 4 standard errors. */
static void generated_jobs(void **state)
{
    (void)state;
    struct dcs_trace_model m = {
        .jobs = MANY,
        .arrivals = {.kind = DCS_ARRIVALS_DETERMINISTIC, .rate_per_s = 0.5, .batch_mean = 1},
        .latency_fraction = 0.2};
    struct dcs_err err;
    for (int class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
        assert_int_equal(dcs_dist_init(&m.of_class[class].duration, DCS_DETERMINISTIC,
                                       class == DCS_LATENCY ? 7 : 9, 0, 0, &err),
                         0);
        assert_int_equal(dcs_dist_init(&m.of_class[class].gpus, DCS_DETERMINISTIC,
                                       class == DCS_LATENCY ? 0 : 2, 0, 0, &err),
                         0);
    }
    struct dcs_trace t, again, other;
    assert_int_equal(dcs_trace_generate(&t, &m, 1, 0, 3, &err), 0);
    assert_int_equal(dcs_trace_generate(&again, &m, 1, 0, 3, &err), 0);
    assert_int_equal(dcs_trace_generate(&other, &m, 1, 1, 3, &err), 0);
    assert_int_equal(t.jobs_count, MANY);
    size_t latency = 0, same = 0;
    for (int i = 0; i < MANY; i++) {
        const struct dcs_trace_job *job = &t.jobs[i];
        bool user = job->class == DCS_LATENCY;
        latency += user;
        same += job->class == other.jobs[i].class;
        assert_true(job->arrival_ns == S(2) * i && job->id == i + 1);
        assert_true(job->duration_ns == (user ? 7 : 9) && job->gpus == (user ? 0 : 2));
        assert_true(again.jobs[i].class == job->class);
    }
    assert_true(fabs((double)latency - MANY * 0.2) < 4 * sqrt(MANY * 0.2 * 0.8));
    assert_true((double)same < MANY * 0.75); /* 0.68 is expected of two independent draws */
    dcs_trace_release(&t);
    dcs_trace_release(&again);
    dcs_trace_release(&other);
    m.arrivals.rate_per_s = 1e-9;
    assert_int_equal(dcs_trace_generate(&t, &m, 1, 0, 0, &err), -1);
    assert_non_null(strstr(err.text, "146 years"));
}

static void refuse_replay(const struct workload_case *c, const struct dcs_trace *t,
                          const struct dcs_replay *r, const char *text)
{
    struct dcs_workload w = {0};
    struct dcs_replay_counts counts;
    struct dcs_err err = {0};
    assert_int_equal(dcs_workload_add_replay(&w, t, r, &c->capacity, 1, 0, 0, &counts, &err), -1);
    if (strstr(err.text, text) == NULL)
        print_error("%s\n", err.text);
    assert_non_null(strstr(err.text, text));
    dcs_workload_release(&w);
}

static void refused_by_replay(void **state)
{
    (void)state;
    struct workload_case c;
    workload_case_init(&c, 4);
    struct dcs_replay r = plain_replay();
    const struct dcs_trace one = {.jobs = trace_jobs, .jobs_count = 1};
    refuse_replay(&c, &one, &r, "at one instant");
    r.user_apps_count = 0;
    refuse_replay(&c, &trace, &r, "there are latency jobs, but no application");
    r = plain_replay();
    r.batch_apps_count = 0;
    refuse_replay(&c, &trace, &r, "there are batch jobs, but no application");
    r = plain_replay();
    r.duration_compression = 1e-10;
    refuse_replay(&c, &trace, &r, "job 5 would make");
    r = plain_replay();
    r.time_compression = 1e-9;
    refuse_replay(&c, &trace, &r, "146 years");
}

/* A second generator adds to the list; each keeps its own applications and times. */
static void generators_add_up(void **state)
{
    (void)state;
    struct workload_case c;
    workload_case_init(&c, 4);
    const struct dcs_trem t = workload_case_trem();
    const struct dcs_replay r = plain_replay();
    struct dcs_replay_counts counts;
    struct dcs_err err;
    struct dcs_workload w = {0};
    assert_int_equal(dcs_workload_add_trem(&w, &t, &c.capacity, 1, 0, 0, &err), 0);
    assert_int_equal(dcs_workload_add_replay(&w, &trace, &r, &c.capacity, 1, 0, 1, &counts, &err),
                     0);
    assert_int_equal(w.count, 35);
    for (size_t i = 0; i < 5; i++)
        assert_true(w.jobs[30 + i].begin_ns == trace_jobs[i].arrival_ns);
    dcs_workload_finish(&w);
    for (size_t i = 1; i < w.count; i++)
        assert_true(w.jobs[i - 1].begin_ns <= w.jobs[i].begin_ns);
    dcs_workload_release(&w);
}

/* ---- Services beside batch applications ---- */

enum { SERVICES = 2, EACH = 2000, BATCH = 5 };

static const uint32_t batch_list[BATCH] = {2, 3, 4, 5, 6};

static struct dcs_workload colocated(uint64_t seed, uint32_t replication, uint32_t generator,
                                     uint32_t first, uint32_t per_domain)
{
    static const struct dcs_colocated_service services[SERVICES] = {
        {.app = 1, .sla_ns = 700, .rate_per_device_per_s = 2.5},
        {.app = 0, .sla_ns = 300, .rate_per_device_per_s = 8}};
    static uint32_t devices[7 + SERVICES * EACH];
    for (uint32_t i = 0; i < 7 + SERVICES * EACH; i++)
        devices[i] = 1 + i % 3;
    const struct dcs_colocated c = {
        .services = services,
        .services_count = SERVICES,
        .batch_apps = batch_list,
        .batch_apps_count = BATCH,
        .batch_per_domain = per_domain,
        .domains_per_service = EACH,
        .first_domain = first,
        .domain_devices = devices,
        .batch_clients = 1,
    };
    struct dcs_workload w = {0};
    dcs_workload_add_colocated(&w, &c, seed, replication, generator);
    dcs_workload_finish(&w);
    return w;
}

/* Two services of 30 domains, a closed loop of two clients each, and eight instances of a batch
 * application. Dealt out by worth, the same applications are drawn, in other places: as many of
 * what service 0 is worth most with as were drawn are with it. */
static struct dcs_workload placed(const int64_t *value)
{
    static const struct dcs_colocated_service services[SERVICES] = {{.app = 1, .sla_ns = 700},
                                                                    {.app = 0, .sla_ns = 300}};
    static uint32_t devices[60];
    const struct dcs_colocated c = {.services = services,
                                    .services_count = SERVICES,
                                    .batch_apps = batch_list,
                                    .batch_apps_count = BATCH,
                                    .batch_per_domain = 1,
                                    .domains_per_service = 30,
                                    .domain_devices = devices,
                                    .clients = 2,
                                    .batch_clients = 8,
                                    .value = value};
    struct dcs_workload w = {0};
    dcs_workload_add_colocated(&w, &c, 3, 0, 0);
    dcs_workload_finish(&w);
    return w;
}

static void colocated_placement(void **state)
{
    (void)state;
    int64_t value[SERVICES * BATCH] = {0};
    value[0] = 10; /* service 0 with application 2 */
    value[1] = 4;  /* with 3 */
    value[BATCH] = 3;
    struct dcs_workload drawn = placed(NULL), dealt = placed(value);
    uint32_t before[7] = {0}, after[7] = {0}, with_first[7] = {0};
    assert_int_equal(drawn.count, 120);
    for (size_t i = 0; i < 120; i += 2) {
        const struct dcs_job *service = &dealt.jobs[i], *batch = &dealt.jobs[i + 1];
        assert_true(!service->open && service->clients == 2 && service->app == (i < 60 ? 1 : 0));
        assert_true(batch->clients == 8 && batch->domain == i / 2 && service->domain == i / 2);
        before[drawn.jobs[i + 1].app]++;
        after[batch->app]++;
        with_first[batch->app] += i < 60;
    }
    assert_memory_equal(before, after, sizeof before);
    assert_true(before[2] > 0 && before[2] < 30 && before[2] + before[3] <= 30);
    assert_int_equal(with_first[2], before[2]);
    assert_int_equal(with_first[3], before[3]);
    dcs_workload_release(&drawn);
    dcs_workload_release(&dealt);
}

/* Domain after domain: the open loop of its service at the rate of its devices, and different batch
 * applications. Each of the 60 ways to draw three of five comes about equally often: 4000 / 60 = 67
 * times, with a standard deviation of 8. */
static void colocated_domains(void **state)
{
    (void)state;
    struct dcs_workload w = colocated(1, 0, 0, 7, 3);
    uint32_t ways[BATCH * BATCH * BATCH] = {0};
    assert_int_equal(w.count, SERVICES * EACH * 4);
    for (uint32_t i = 0; i < SERVICES * EACH; i++) {
        const struct dcs_job *job = &w.jobs[(size_t)i * 4];
        bool first = i < EACH;
        assert_true(job->open && job->arrivals->kind == DCS_ARRIVALS_POISSON);
        assert_int_equal(job->app, first ? 1 : 0);
        assert_true(job->sla_ns == (first ? 700 : 300));
        assert_true(job->arrivals->rate_per_s == (first ? 2.5 : 8) * (1 + (7 + i) % 3));
        uint32_t seen = 0;
        for (int k = 0; k < 4; k++) {
            assert_true(job[k].pinned && job[k].domain == 7 + i);
            assert_true(job[k].begin_ns == 0 && job[k].requests == 0);
            if (k == 0)
                continue;
            assert_true(!job[k].open && job[k].clients == 1 && job[k].app >= 2 && job[k].app <= 6);
            assert_false(seen >> job[k].app & 1);
            seen |= 1u << job[k].app;
        }
        ways[(job[1].app - 2) * 25 + (job[2].app - 2) * 5 + job[3].app - 2]++;
    }
    uint32_t found = 0;
    for (int i = 0; i < BATCH * BATCH * BATCH; i++) {
        found += ways[i] > 0;
        assert_true(ways[i] == 0 || (ways[i] > 67 - 5 * 8 && ways[i] < 67 + 5 * 8));
    }
    assert_int_equal(found, 60);
    dcs_workload_release(&w);
}

/* How many of the domains that both have got the same batch applications in the same order. */
static uint32_t domains_alike(const struct dcs_workload *a, const struct dcs_workload *b)
{
    uint32_t alike = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        const struct dcs_job *x = &a->jobs[i], *y = &b->jobs[j];
        if (x->domain != y->domain) {
            *(x->domain < y->domain ? &i : &j) += 4;
            continue;
        }
        alike += x[1].app == y[1].app && x[2].app == y[2].app && x[3].app == y[3].app;
        i += 4;
        j += 4;
    }
    return alike;
}

/* A domain's batch applications follow from its own number. By chance 1 of 60 would be alike. */
static void colocated_draws(void **state)
{
    (void)state;
    struct dcs_workload w = colocated(1, 0, 0, 0, 3), moved = colocated(1, 0, 0, 7, 3);
    assert_int_equal(domains_alike(&w, &w), SERVICES * EACH);
    assert_int_equal(domains_alike(&w, &moved), SERVICES * EACH - 7);
    static const uint32_t others[][3] = {{2, 0, 0}, {1, 1, 0}, {1, 0, 1}};
    for (int i = 0; i < 3; i++) {
        struct dcs_workload o = colocated(others[i][0], others[i][1], others[i][2], 0, 3);
        assert_true(domains_alike(&w, &o) < 67 + 5 * 8);
        dcs_workload_release(&o);
    }
    struct dcs_workload all = colocated(1, 0, 0, 0, BATCH), none = colocated(1, 0, 0, 0, 0);
    assert_int_equal(all.count, SERVICES * EACH * (1 + BATCH));
    assert_int_equal(none.count, SERVICES * EACH);
    dcs_workload_release(&all);
    dcs_workload_release(&none);
    dcs_workload_release(&w);
    dcs_workload_release(&moved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_over_all_devices),
        cmocka_unit_test(sorting_is_stable),
        cmocka_unit_test(mean_work_over_kinds),
        cmocka_unit_test(classes_and_totals),
        cmocka_unit_test(shares_by_hand),
        cmocka_unit_test(tasks_of_a_duration),
        cmocka_unit_test(load),
        cmocka_unit_test(slas),
        cmocka_unit_test(same_seed_same_list),
        cmocka_unit_test(refused_by_trem),
        cmocka_unit_test(replays),
        cmocka_unit_test(replay_compresses_durations),
        cmocka_unit_test(replay_solves_for_the_load),
        cmocka_unit_test(replay_outstanding),
        cmocka_unit_test(load_knows_the_requests),
        cmocka_unit_test(thinning_by_job),
        cmocka_unit_test(replay_by_size),
        cmocka_unit_test(replay_thins_and_classes),
        cmocka_unit_test(generated_jobs),
        cmocka_unit_test(refused_by_replay),
        cmocka_unit_test(generators_add_up),
        cmocka_unit_test(colocated_domains),
        cmocka_unit_test(colocated_draws),
        cmocka_unit_test(colocated_placement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
