/*
 * test_explain.c - where the time of requests went, in random clusters and in some that can be
 * worked out by hand.
 *
 * Pins: in every world, for every request, that its parts add up to its time in the system exactly,
 * none below 0, and those by application to their part; that each request has one explanation with
 * the outcome and end of its row; that a few that are chosen are explained as they are among all;
 * that the run is the same with and without. By hand: a request alone is its solo time and nothing
 * else; waiting behind two applications; under MPS, waiting for an earlier request of its own; a
 * device that the policy leaves idle; decisions that cost; a revocation; contention from two
 * neighbours, of which one presses, to its end and broken off. A failure prints its seed. Does not
 * pin: each part by itself (tests/golden/test_explain_by_hand.c), whose doing contention is beyond
 * that.
 */
#include "runs/explain_lines.h"
#include "policies/policies.h"
#include "tests/random_world.h"

#include <math.h>

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

enum { WORLDS = 60 };

static uint64_t running; /* seed of the world that is being tried */

static int run_explained(struct world *w, struct explainer **e, const struct explain_choice *chosen,
                         size_t count)
{
    *e = explainer_new(&w->spec, chosen, count);
    const struct recorder recorder = explainer_recorder(*e);
    w->spec.recorder = &recorder;
    int status = world_run(w);
    w->spec.recorder = NULL;
    return status;
}

static int64_t sum_of(const int64_t *values, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(values[i] >= 0);
        sum += values[i];
    }
    return sum;
}

static const struct cluster_request_row *row_of(const struct cluster_result *out,
                                                const struct explanation *x)
{
    for (size_t i = 0; i < out->requests_rows_count; i++)
        if (out->requests_rows[i].job == x->job && out->requests_rows[i].index == x->index)
            return &out->requests_rows[i];
    fail_msg("no row");
    return NULL;
}

static void check(const struct world *w, const struct explanation *x)
{
    uint32_t apps = w->spec.apps_count;
    const struct cluster_request_row *row = row_of(&w->out, x);
    assert_int_equal(x->outcome, row->outcome);
    assert_true(x->arrival_ns == row->arrival_ns && x->deadline_ns == row->deadline_ns);
    assert_true(x->outcome == CLUSTER_INSIDE || x->end_ns == row->end_ns);
    assert_true(sum_of(x->parts_ns, EXPLAIN_PARTS) == x->end_ns - x->arrival_ns);
    assert_true(sum_of(x->contention_ns, apps) == x->parts_ns[EXPLAIN_CONTENTION]);
    assert_true(sum_of(x->queue_ns, apps) == x->parts_ns[EXPLAIN_QUEUE]);
}

static bool same(const struct explanation *a, const struct explanation *b, uint32_t apps)
{
    return a->job == b->job && a->index == b->index && a->end_ns == b->end_ns &&
           memcmp(a->parts_ns, b->parts_ns, sizeof a->parts_ns) == 0 &&
           memcmp(a->contention_ns, b->contention_ns, apps * sizeof *a->contention_ns) == 0 &&
           memcmp(a->queue_ns, b->queue_ns, apps * sizeof *a->queue_ns) == 0;
}

/* Every third of them, asked for in the other order. */
static void check_some(struct world *w, uint64_t seed, const struct policy *policy, bool shared,
                       const struct explanation *all, size_t count)
{
    struct explain_choice *chosen = dcs_alloc(count + 1, sizeof *chosen);
    size_t n = 0, found;
    for (size_t i = count; i-- > 0;)
        if (i % 3 == 0)
            chosen[n++] = (struct explain_choice){all[i].job, all[i].index};
    struct explainer *e;
    random_world(w, seed, policy, shared);
    assert_int_equal(run_explained(w, &e, chosen, n), 0);
    const struct explanation *some = explainer_all(e, &found);
    assert_int_equal(found, n);
    for (size_t i = 0; i < found; i++)
        assert_true(same(&some[i], &all[3 * i], w->spec.apps_count));
    explainer_free(e);
    free(chosen);
}

static void one_world(uint64_t seed, const struct policy *policy, bool shared)
{
    static struct world w, again;
    struct explainer *e;
    size_t count;
    random_world(&w, seed, policy, shared);
    assert_int_equal(run_explained(&w, &e, NULL, 0), 0);
    const struct explanation *all = explainer_all(e, &count);
    assert_int_equal(count, w.out.requests_rows_count);
    for (size_t i = 0; i < count; i++)
        check(&w, &all[i]);
    check_some(&again, seed, policy, shared, all, count);
    assert_true(w.out.events == again.out.events && w.out.area_ns == again.out.area_ns);
    world_release(&again);
    random_world(&again, seed, policy, shared);
    assert_int_equal(world_run(&again), 0);
    assert_true(w.out.events == again.out.events && w.out.area_ns == again.out.area_ns);
    world_release(&again);
    explainer_free(e);
    world_release(&w);
}

static void worlds(void **state)
{
    (void)state;
    for (running = 1; running <= WORLDS; running++)
        for (size_t i = 0; random_policy(i) != NULL; i++)
            for (int shared = 0; shared < 2; shared++)
                one_world(running, random_policy(i), shared);
    running = 0;
}

static int tell_seed(void **state)
{
    (void)state;
    if (running != 0)
        print_error("world %llu\n", (unsigned long long)running);
    running = 0;
    return 0;
}

/* ---- By hand ---- */

static const struct policy *named(const char *name)
{
    const struct policy *p = policies_find(name);
    assert_non_null(p);
    return p;
}

/* The parts of the first request of a job, which is to add up to them and to nothing else. */
static void assert_parts(const struct explainer *e, uint32_t job, const int64_t *expected)
{
    size_t count;
    const struct explanation *all = explainer_all(e, &count);
    for (size_t i = 0; i < count; i++) {
        if (all[i].job != job || all[i].index != 0)
            continue;
        for (int part = 0; part < EXPLAIN_PARTS; part++)
            if (all[i].parts_ns[part] != expected[part])
                fail_msg("job %u, %s: %lld instead of %lld", job, explain_parts[part],
                         (long long)all[i].parts_ns[part], (long long)expected[part]);
        return;
    }
    fail_msg("job %u was not explained", job);
}
#define PARTS(...) ((const int64_t[EXPLAIN_PARTS]){__VA_ARGS__})

/* 100 ms and 50 ms of batch are before it, then its own 10 ms. */
static void waits_behind_two(void **state)
{
    (void)state;
    static struct world w;
    struct explainer *e;
    size_t count;
    world_init(&w, named("fcfs"), 1);
    uint32_t first = world_batch(&w, MS(100)), second = world_batch(&w, MS(50));
    world_job(&w, first, 0);
    world_job(&w, second, 0);
    world_job(&w, world_latency(&w, MS(10)), MS(30));
    assert_int_equal(run_explained(&w, &e, NULL, 0), 0);
    assert_parts(e, 0, PARTS([EXPLAIN_OWN] = MS(100)));
    assert_parts(e, 2, PARTS([EXPLAIN_OWN] = MS(10), [EXPLAIN_QUEUE] = MS(120)));
    const struct explanation *last = &explainer_all(e, &count)[2];
    assert_true(last->queue_ns[first] == MS(70) && last->queue_ns[second] == MS(50));
    explainer_free(e);
    world_release(&w);
}

/* MPS runs one request of a service at a time. The second comes 4 ms after the first, which takes
 * 10; batch work is on the GPU all this time, and keeps neither of them waiting. */
static void waits_for_an_earlier_one(void **state)
{
    (void)state;
    static struct world w;
    static struct gpu_case model;
    static const struct dcs_spatial *const models[] = {&model.spatial};
    struct explainer *e;
    gpu_case_init(&model);
    for (int i = 0; i < 2; i++) {
        struct dcs_shape *shape =
            gpu_case_shape(&model, i == 0 ? 10e6 : 200e6, i == 0 ? 11e6 : 210e6);
        shape->blocks = 30; /* so that there are SMs for both */
        shape->blocks_per_sm = 1;
    }
    world_init(&w, named("mps-even"), 1);
    w.spec.sharing = (struct cluster_sharing){.spatial = models, .step_sms = 1};
    uint32_t service = world_app(&w, DCS_LATENCY, 1, 10000000);
    uint32_t batch = world_app(&w, DCS_BATCH, 1, 200000000);
    for (uint32_t i = 0; i < 2; i++) {
        w.apps[i].shapes = dcs_alloc(1, sizeof(uint32_t));
        w.apps[i].shapes[0] = i;
    }
    world_job(&w, batch, 0);
    world_job(&w, service, MS(1));
    world_job(&w, service, MS(5));
    assert_int_equal(run_explained(&w, &e, NULL, 0), 0);
    assert_parts(e, 1, PARTS([EXPLAIN_OWN] = MS(10)));
    assert_parts(e, 2, PARTS([EXPLAIN_OWN] = MS(10), [EXPLAIN_BEHIND] = MS(6)));
    explainer_free(e);
    world_release(&w);
}

/* Two devices run different applications: it waits behind both alike, until one of them is free. */
static void waits_for_two_devices(void **state)
{
    (void)state;
    static struct world w;
    struct explainer *e;
    size_t count;
    world_init(&w, named("fcfs"), 2);
    uint32_t first = world_batch(&w, MS(100)), second = world_batch(&w, MS(60));
    world_job(&w, first, 0);
    world_job(&w, second, 0);
    world_job(&w, world_latency(&w, MS(10)), MS(20));
    assert_int_equal(run_explained(&w, &e, NULL, 0), 0);
    assert_parts(e, 2, PARTS([EXPLAIN_OWN] = MS(10), [EXPLAIN_QUEUE] = MS(40)));
    const struct explanation *last = &explainer_all(e, &count)[2];
    assert_true(last->queue_ns[first] == MS(20) && last->queue_ns[second] == MS(20));
    explainer_free(e);
    world_release(&w);
}

/* Each callback costs 1 ms: before the launch, and between two kernels. */
static void decisions_cost(void **state)
{
    (void)state;
    static struct world w;
    struct explainer *e;
    world_init(&w, named("fcfs"), 1);
    w.spec.callback_ns = MS(1);
    world_job(&w, world_app(&w, DCS_LATENCY, 2, MS(5)), 0);
    assert_int_equal(run_explained(&w, &e, NULL, 0), 0);
    assert_parts(e, 0, PARTS([EXPLAIN_OWN] = MS(10), [EXPLAIN_POLICY] = MS(2)));
    explainer_free(e);
    world_release(&w);
}

/* A batch kernel of 500 ms is revoked at 30 ms: 5 ms to kill it, 17 ms for the start of the latency
 * kernel, which takes 10 ms; then 60 + 15 ms to clear and spawn, and all of it again. */
static void revoked(void **state)
{
    (void)state;
    static struct world w;
    struct explainer *e;
    world_init(&w, named("priority"), 1);
    world_param(&w, "revocation", 1);
    world_job(&w, world_batch(&w, MS(500)), 0);
    world_job(&w, world_latency(&w, MS(10)), MS(30));
    assert_int_equal(run_explained(&w, &e, NULL, 0), 0);
    assert_parts(e, 1, PARTS([EXPLAIN_OWN] = MS(10), [EXPLAIN_REVOCATION] = MS(5 + 17)));
    assert_parts(e, 0,
                 PARTS([EXPLAIN_OWN] = MS(500), [EXPLAIN_QUEUE] = MS(17 + 10),
                       [EXPLAIN_REVOCATION] = MS(30 + 5 + 60 + 15)));
    explainer_free(e);
    world_release(&w);
}

static double over(int64_t a, int64_t b)
{
    return (double)a / (double)b;
}

/* A shared device: alone, a request is its solo time. Beside one that presses and one that does
 * not, contention is from the first alone, while that runs; where the run ends before, and
 * the other one comes in between, it is in proportion. */
static void contention_from_one(void **state)
{
    (void)state;
    static struct world w;
    static struct gpu_case model;
    static const struct dcs_spatial *const models[] = {&model.spatial};
    struct explainer *e;
    size_t count;
    int64_t whole[EXPLAIN_PARTS] = {0}, beside_ns = 0;
    for (int neighbours = 0; neighbours < 3; neighbours++) {
        gpu_case_init(&model);
        gpu_case_resource(&model);
        for (uint32_t i = 0; i < 3; i++) {
            struct dcs_shape *shape = gpu_case_shape(&model, 8e6, 9e6);
            shape->blocks = 30; /* so that there are SMs for all three */
            shape->blocks_per_sm = 1;
        }
        gpu_case_press(&model, 0, 0.2, 1);
        gpu_case_press(&model, 1, 0.6, 0);
        world_init(&w, named("mps-even"), 1);
        w.spec.horizon_ns = neighbours == 2 ? MS(4) : DCS_NEVER;
        w.spec.sharing =
            (struct cluster_sharing){.spatial = models, .contention = true, .step_sms = 1};
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t app = world_app(&w, i == 0 ? DCS_LATENCY : DCS_BATCH, 1, 8000000);
            w.apps[app].shapes = dcs_alloc(1, sizeof(uint32_t));
            w.apps[app].shapes[0] = i;
            if (i == 0 || neighbours)
                world_job(&w, app, neighbours == 2 && i == 2 ? MS(2) : 0);
        }
        assert_int_equal(run_explained(&w, &e, NULL, 0), 0);
        const struct explanation *x = &explainer_all(e, &count)[0];
        if (neighbours == 0) {
            assert_parts(e, 0, PARTS([EXPLAIN_OWN] = 8000000));
        } else {
            assert_true(x->parts_ns[EXPLAIN_CONTENTION] > 100000);
            assert_true(x->contention_ns[1] == x->parts_ns[EXPLAIN_CONTENTION]);
            assert_true(x->contention_ns[0] == 0 && x->contention_ns[2] == 0);
        }
        if (neighbours == 1) {
            memcpy(whole, x->parts_ns, sizeof whole);
            beside_ns = explainer_all(e, &count)[1].end_ns;
            assert_true(beside_ns < x->end_ns);
        }
        if (neighbours == 2) {
            const int64_t *part = x->parts_ns;
            assert_true(fabs(over(part[EXPLAIN_CONTENTION], MS(4)) /
                                 over(whole[EXPLAIN_CONTENTION], beside_ns) -
                             1) < 1e-3);
            assert_true(part[EXPLAIN_OWN] + part[EXPLAIN_CONTENTION] == MS(4));
        }
        explainer_free(e);
        world_release(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_behind_two),
        cmocka_unit_test(waits_for_two_devices),
        cmocka_unit_test(decisions_cost),
        cmocka_unit_test(revoked),
        cmocka_unit_test(waits_for_an_earlier_one),
        cmocka_unit_test(contention_from_one),
        cmocka_unit_test_teardown(worlds, tell_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
