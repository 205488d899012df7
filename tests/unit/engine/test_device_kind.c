/*
 * test_device_kind.c - a kind of device that the engine does not have (tests/device_twin.h) behind
 * its interface, engine/device_kind.h.
 *
 * Pins: that a kind is one file and one name in the spec: requests pass through clusters of such
 * devices, at once and after charges, in many domains and under every scramble; what the engine
 * does by a kind's flags and by the operations that it lacks; what kind a spec that names none has.
 * Does not pin: the engine's own kinds (tests/golden, tests/prop).
 */
#include "tests/device_twin.h"
#include "tests/world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

enum { WAITING_MAX = 4096 };

/* First come, first served, on the first device that has a place. */
struct places {
    req_id waiting[WAITING_MAX];
    uint32_t count;
};

/* What the test makes a policy do that a twin cannot; 0: nothing. */
static enum { ASK_NOTHING, ASK_REVOKE, ASK_RESIZE, ASK_FUSE, ASK_THIRD } asked;

static void ask(struct host *h, req_id r)
{
    struct host_counters counters;
    assert_false(host_counters(h, r, &counters));
    assert_false(host_is_transfer(h, r));
    if (asked == ASK_REVOKE)
        host_revoke(h, r);
    else if (asked == ASK_RESIZE)
        host_resize(h, r, (struct host_allotment){.mechanism = HOST_CPU, .cores = 1, .ways = 1});
}

static void serve(struct places *p, struct host *h)
{
    const struct host_allotment whole = {.mechanism = HOST_WHOLE};
    for (dev_id d = 0; d < host_devices(h); d++) {
        struct host_device device;
        host_device(h, d, &device);
        if (asked == ASK_FUSE && p->count > 1)
            host_launch_fused(h, p->waiting[0], p->waiting[1], d, 0);
        uint32_t places = asked == ASK_THIRD ? 3 : device.kernels_max;
        for (uint32_t n = device.kernels; n < places && p->count > 0; n++) {
            req_id r = p->waiting[0];
            memmove(&p->waiting[0], &p->waiting[1], --p->count * sizeof r);
            host_launch(h, r, d, whole);
            struct host_request view;
            if (!host_request(h, r, &view))
                return;
            if (view.state == HOST_RUNNING) {
                assert_int_equal(view.began_ns, host_now(h));
                ask(h, r);
            }
        }
    }
}

static void places_ready(void *state, struct host *h, req_id r)
{
    struct places *p = state;
    assert_true(p->count < WAITING_MAX);
    p->waiting[p->count++] = r;
    serve(p, h);
}

static void places_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    (void)d;
    if (!done) {
        places_ready(state, h, r);
        return;
    }
    serve(state, h);
}

static const struct policy places = {.abi = POLICY_ABI,
                                     .size = sizeof(struct policy),
                                     .name = "places",
                                     .state_size = sizeof(struct places),
                                     .on_ready = places_ready,
                                     .on_complete = places_complete};

static void init(struct world *w, uint32_t devices)
{
    asked = ASK_NOTHING;
    world_init(w, &places, devices);
    w->spec.device_kind = &device_twin;
}

static void two_at_once(void **state)
{
    (void)state;
    static struct world w;
    init(&w, 1);
    const int64_t ns[] = {MS(10), MS(20), MS(5), MS(20)};
    const int64_t ends_ns[] = {MS(10), MS(20), MS(15), MS(35)};
    for (uint32_t i = 0; i < 4; i++)
        world_job(&w, world_latency(&w, ns[i]), 0);
    assert_int_equal(world_run(&w), 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(world_end(&w, i, 0), ends_ns[i]);
    assert_int_equal(w.out.devices[0].busy_ns, MS(35));
    assert_true(w.out.shared_sms == 0);

    w.spec.callback_ns = MS(1); /* decisions at 0, 1, 2, 3; the ends of 1, 2: 11, 22 */
    assert_int_equal(world_run(&w), 0);
    assert_int_equal(world_end(&w, 0, 0), MS(11));
    assert_int_equal(world_end(&w, 1, 0), MS(22));
    assert_int_equal(world_end(&w, 2, 0), MS(11 + 1 + 5));
    assert_int_equal(world_end(&w, 3, 0), MS(17 + 1 + 20));
    world_release(&w);
}

/* Starts less ends of the kernels of one device are 0, 1 or 2. */
struct watch {
    uint64_t starts, ends, both;
};

static void watch_start(void *context, int64_t now_ns, uint32_t job, uint64_t index,
                        uint32_t kernel, int64_t work_ns)
{
    struct watch *watch = context;
    (void)now_ns, (void)job, (void)index, (void)kernel, (void)work_ns;
    watch->starts++;
    assert_true(watch->starts - watch->ends <= 12); /* two on each of six devices */
    watch->both += watch->starts - watch->ends == 12;
}

static void watch_end(void *context, int64_t now_ns, uint32_t job, uint64_t index, uint32_t kernel)
{
    struct watch *watch = context;
    (void)now_ns, (void)job, (void)index, (void)kernel;
    watch->ends++;
}

/* Returns when the last request left. */
static int64_t many(int64_t callback_ns, uint64_t scramble_seed)
{
    static struct world w;
    struct watch watch = {0};
    const struct cluster_probe probe = {.context = &watch,
                                        .start = watch_start,
                                        .complete = watch_end,
                                        .scramble = scramble_seed != 0,
                                        .scramble_ns = MS(40),
                                        .scramble_seed = scramble_seed,
                                        .scramble_share = 0.5};
    init(&w, 1);
    world_domains(&w, 3, 2);
    w.spec.router = CLUSTER_LEAST_OUTSTANDING;
    w.spec.callback_ns = callback_ns;
    w.spec.probe = &probe;
    for (uint32_t i = 0; i < 4; i++) {
        struct dcs_job *job = world_job(
            &w, world_app(&w, i % 2 == 0 ? DCS_LATENCY : DCS_BATCH, 1 + i, MS(3 + 4 * i)), MS(i));
        job->requests = 50;
        job->clients = 10;
    }
    assert_int_equal(world_run(&w), 0);
    assert_int_equal(w.out.requests, 200);
    assert_int_equal(watch.starts, 50 * (1 + 2 + 3 + 4));
    assert_int_equal(watch.ends, watch.starts);
    assert_true(watch.both > 0);
    int64_t last_ns = 0;
    for (size_t i = 0; i < w.out.requests_rows_count; i++) {
        assert_int_equal(w.out.requests_rows[i].outcome, CLUSTER_DONE);
        if (w.out.requests_rows[i].end_ns > last_ns)
            last_ns = w.out.requests_rows[i].end_ns;
    }
    world_release(&w);
    return last_ns;
}

static void many_requests(void **state)
{
    (void)state;
    int64_t plain_ns = many(0, 0), charged_ns = many(MS(1) / 10, 0);
    assert_true(charged_ns > plain_ns);
    for (uint64_t seed = 1; seed <= 20; seed++)
        assert_true(many(seed % 2 * MS(1) / 10, seed) != plain_ns);
}

static void what_it_cannot(void **state)
{
    (void)state;
    static const struct {
        int asks;
        const char *text;
    } rules[] = {
        {ASK_REVOKE, "runs on a twin, where nothing is revoked"},
        {ASK_RESIZE, "cannot resize what runs"},
        {ASK_FUSE, "launch_fused: device 0 cannot fuse"},
        {ASK_THIRD, "of application \"batch\" on device 0: both of its places are taken"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        static struct world w;
        init(&w, 1);
        asked = rules[i].asks;
        uint32_t app = world_batch(&w, MS(1));
        for (int k = 0; k < 4; k++) /* the last two wait */
            world_job(&w, app, k);
        assert_int_equal(world_run(&w), -1);
        if (strstr(w.err.text, rules[i].text) == NULL)
            print_error("%s\n", w.err.text);
        assert_non_null(strstr(w.err.text, rules[i].text));
        world_release(&w);
    }
}

static void kind_of_a_spec(void **state)
{
    (void)state;
    const struct dcs_spatial *const spatial[] = {NULL};
    const struct dcs_cpu *const cpu[] = {NULL};
    struct cluster_spec spec = {0};
    assert_ptr_equal(device_kind_of(&spec), &device_exclusive);
    spec.sharing.spatial = spatial;
    assert_ptr_equal(device_kind_of(&spec), &device_shared);
    spec.sharing = (struct cluster_sharing){.cpu = cpu};
    assert_ptr_equal(device_kind_of(&spec), &device_cpu);
    spec.device_kind = &device_twin;
    assert_ptr_equal(device_kind_of(&spec), &device_twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_at_once),
        cmocka_unit_test(many_requests),
        cmocka_unit_test(what_it_cannot),
        cmocka_unit_test(kind_of_a_spec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
