/*
 * test_shared_by_hand.c - clusters whose devices are shared, with a small test-only policy.
 *
 * Pins: what a policy sees of a shared device and is told to expect at an allotment; that all
 * completions of an instant are applied before the first callback, which come in the order of the
 * requests; that charged launches count while they are under way; what a trap takes with it and
 * when each victim is ready again, charged or not; when a quota switch costs, and what; that a
 * kernel begins when its host has launched it, and what a policy is told of that; that an
 * illegal launch is an error which names the rule; that transfers which are launched whole run
 * beside a kernel that has the whole device, whichever comes first; what becomes of a request whose
 * deadline passes while a launch of it is under way that then cannot be made; that under fcfs a
 * shared device gives the results of one that is not. Does not pin: the device itself
 * (unit/test_gpu), what the built-in policies do.
 */
#include "policies/policies.h"
#include "tests/gpu_case.h"
#include "tests/world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#define GREEN(n)  ((struct host_allotment){.mechanism = HOST_GREEN, .sms = (n)})
#define SHARED(n) ((struct host_allotment){.mechanism = HOST_MPS, .sms = (n)})
#define WHOLE     ((struct host_allotment){.mechanism = HOST_WHOLE})

enum { JOBS = 6, NOTES = 24 };
enum then { WAITS, LAUNCHES, RETURNS, DROPS };

/* A policy that launches at once what the test says, and remembers what it is told. */
struct script {
    struct host_allotment allotments[JOBS][3];                 /* by job and kernel */
    void (*ready)(struct script *s, struct host *h, req_id r); /* in place of a launch */
    void (*complete)(struct script *s, struct host *h, req_id r);
    int64_t revoke_at_ns; /* the request of job 0 */
    enum then then;       /* what becomes of job 1, see launch_too_late() */
    req_id of_job[JOBS];
    struct told {
        char what; /* r: ready, c: a kernel has ended, d: the last has, g: gone */
        uint32_t job;
        int64_t at_ns;
    } told[NOTES];
    uint32_t count;
};

struct script_state {
    struct script *script;
};

static void launch_as_told(struct script *s, struct host *h, req_id r)
{
    struct host_request view;
    assert_true(host_request(h, r, &view));
    host_launch(h, r, 0, s->allotments[view.job][view.kernel]);
}

static void tell(struct script *s, const struct host *h, req_id r, char what)
{
    struct host_request view;
    assert_true(host_request(h, r, &view) && s->count < NOTES);
    s->of_job[view.job] = r;
    s->told[s->count++] = (struct told){.what = what, .job = view.job, .at_ns = host_now(h)};
}

static int script_init(void *state, const void *params, struct host *h)
{
    struct script_state *s = state;
    memcpy(&s->script, params, sizeof s->script); /* the world's bytes hold the pointer */
    if (s->script->revoke_at_ns > 0)
        host_timer(h, s->script->revoke_at_ns, 0);
    return 0;
}

static void script_ready(void *state, struct host *h, req_id r)
{
    struct script *s = ((struct script_state *)state)->script;
    tell(s, h, r, 'r');
    if (s->ready != NULL)
        s->ready(s, h, r);
    else
        launch_as_told(s, h, r);
}

static void script_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    struct script *s = ((struct script_state *)state)->script;
    (void)d;
    tell(s, h, r, done ? 'd' : 'c');
    if (s->complete != NULL)
        s->complete(s, h, r);
    if (!done)
        launch_as_told(s, h, r);
}

static void script_gone(void *state, struct host *h, req_id r)
{
    tell(((struct script_state *)state)->script, h, r, 'g');
}

static void script_timer(void *state, struct host *h, uint64_t cookie)
{
    struct script *s = ((struct script_state *)state)->script;
    (void)cookie;
    host_revoke(h, s->of_job[0]);
}

static const struct policy policy_script = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "script",
    .state_size = sizeof(struct script_state),
    .init = script_init,
    .on_ready = script_ready,
    .on_complete = script_complete,
    .on_gone = script_gone,
    .on_timer = script_timer,
};

/* ---- Worlds ---- */

static struct gpu_case model;
static const struct dcs_spatial *const models[] = {&model.spatial};

/* A device of 100 SMs, on which a kernel takes 1 ms, and 2 ms on the half. */
static void open_world(struct world *w, struct script *s)
{
    gpu_case_init(&model);
    gpu_case_shape(&model, 1e6, 2e6)->dram_bytes = 5e5;
    model.spatial.dram_gbs = 4;
    world_init(w, &policy_script, 1);
    memcpy(w->params, &s, sizeof s);
    w->spec.sharing = (struct cluster_sharing){.spatial = models, .step_sms = 5};
}

static uint32_t shaped_app(struct world *w, enum dcs_class class, uint32_t kernels)
{
    uint32_t index = world_app(w, class, kernels, 1000000);
    w->apps[index].shapes = dcs_alloc(kernels, sizeof *w->apps[index].shapes);
    return index;
}

static void run(struct world *w)
{
    int result = world_run(w);
    if (result != 0)
        print_error("%s\n", w->err.text);
    assert_int_equal(result, 0);
}

static void assert_told(const struct script *s, size_t from, size_t count, const struct told *told)
{
    assert_true(s->count >= from + count);
    for (size_t i = 0; i < count; i++) {
        const struct told *t = &s->told[from + i];
        if (t->what != told[i].what || t->job != told[i].job || t->at_ns != told[i].at_ns)
            fail_msg("number %zu: %c of job %u at %lld, expected %c of job %u at %lld", from + i,
                     t->what, t->job, (long long)t->at_ns, told[i].what, told[i].job,
                     (long long)told[i].at_ns);
    }
}

/* ---- Tests ---- */

static void look_and_launch(struct script *s, struct host *h, req_id r)
{
    struct host_device d;
    launch_as_told(s, h, r);
    assert_true(host_device(h, 0, &d));
    if (s->count == 1) {
        assert_int_equal(d.sms, 100);
        assert_int_equal(d.sms_step, 5);
        assert_int_equal(d.kernels_max, DCS_TOGETHER_MAX);
        assert_int_equal(d.mechanisms, 1u << HOST_WHOLE | 1u << HOST_GREEN | 1u << HOST_MPS);
        assert_true(d.bandwidth == 4000000000);
    }
    assert_int_equal(d.state, HOST_BUSY);
    assert_int_equal(d.kernels, s->count);
    assert_int_equal(d.sms_allotted, s->count == 1 ? 50 : 75);
    assert_int_equal(d.memory_used_bytes, s->count);
    assert_true(d.first == s->of_job[0] && d.since_ns == 0);
    /* The profile's times, and what follows from them. */
    const struct host_allotment half = GREEN(50);
    assert_true(host_predict(h, r, HOST_DURATION_NS, WHOLE) == 1000000);
    assert_true(host_predict(h, r, HOST_DURATION_NS, half) == 2000000);
    assert_true(host_predict(h, r, HOST_DURATION_NS, SHARED(25)) == 4000000);
    assert_true(host_predict(h, r, HOST_REQUEST_DURATION_NS, half) == 4000000);
    assert_true(host_predict_kernel(h, r, 1, HOST_TOTAL_DURATION_NS, half) == 2000000);
    assert_true(host_predict_kernel(h, r, 2, HOST_DURATION_NS, half) == -1);
    assert_true(host_predict(h, r, HOST_BANDWIDTH, half) == 250000000);
}

static void what_a_policy_sees(void **state)
{
    (void)state;
    struct script s = {.ready = look_and_launch,
                       .allotments = {{GREEN(50), GREEN(50)}, {GREEN(25), GREEN(25)}}};
    struct world w;
    open_world(&w, &s);
    uint32_t app = shaped_app(&w, DCS_LATENCY, 2);
    world_job(&w, app, 0);
    world_job(&w, app, MS(1));
    run(&w);
    static const struct told told[] = {{'r', 0, 0},     {'r', 1, MS(1)}, {'c', 0, MS(2)},
                                       {'d', 0, MS(4)}, {'c', 1, MS(5)}, {'d', 1, MS(9)}};
    assert_int_equal(s.count, 6);
    assert_told(&s, 0, 6, told);
    assert_true(w.out.devices[0].busy_ns == MS(9) && w.out.devices[0].useful_ns == MS(9));
    assert_true(w.out.shared.kernel_ns == 12e6 && w.out.shared.slowed_ns == 0);
    assert_true(w.out.shared.sm_ns == 4e6 * 50 + 8e6 * 25 && w.out.shared_sms == 100);
    world_release(&w);
}

static void all_have_ended(struct script *s, struct host *h, req_id r)
{
    struct host_device d;
    struct host_request view;
    (void)r;
    assert_true(host_device(h, 0, &d) && d.state == HOST_IDLE && d.kernels == 0);
    for (uint32_t job = 0; job < 3; job++)
        if (host_request(h, s->of_job[job], &view))
            assert_true(view.state == HOST_RUNNING || view.state == HOST_ENDED);
}

static void completions_of_one_instant(void **state)
{
    (void)state;
    struct script s = {.complete = all_have_ended,
                       .allotments = {{GREEN(25)}, {GREEN(25)}, {GREEN(50)}}};
    struct world w;
    open_world(&w, &s);
    uint32_t app = shaped_app(&w, DCS_LATENCY, 1);
    world_job(&w, app, 0);
    world_job(&w, app, 0);
    world_job(&w, app, MS(2));
    run(&w);
    static const struct told told[] = {{'d', 0, MS(4)}, {'d', 1, MS(4)}, {'d', 2, MS(4)}};
    assert_int_equal(s.count, 6);
    assert_told(&s, 3, 3, told);
    world_release(&w);
}

static void quota_switches(void **state)
{
    (void)state;
    struct script s = {.allotments = {{GREEN(50), GREEN(50), GREEN(100)}}};
    struct world w;
    open_world(&w, &s);
    w.spec.sharing.quota_switch_ns = 1000;
    world_job(&w, shaped_app(&w, DCS_LATENCY, 3), 0);
    run(&w);
    static const struct told told[] = {
        {'r', 0, 0}, {'c', 0, MS(2)}, {'c', 0, MS(4)}, {'d', 0, MS(5) + 1000}};
    assert_told(&s, 0, 4, told);
    assert_true(w.out.devices[0].overhead_ns == 1000);
    world_release(&w);
}

static void look_at_host(struct script *s, struct host *h, req_id r)
{
    assert_true(host_predict(h, r, HOST_REQUEST_DURATION_NS, WHOLE) == 3800000);
    assert_true(host_predict(h, r, HOST_REQUEST_DURATION_NS, GREEN(50)) == 6800000);
    assert_true(host_predict(h, r, HOST_DURATION_NS, GREEN(50)) == 2500000);
    assert_true(host_predict_kernel(h, r, 1, HOST_DURATION_NS, WHOLE) == 1000000);
    assert_true(host_predict_kernel(h, r, 2, HOST_TOTAL_DURATION_NS, WHOLE) == 1300000);
    launch_as_told(s, h, r);
}

/* The host launches 0.5 ms after the begin, again 0.2 ms later, which is before the first kernel
 * ends, and then waits for the end of the second, 0.3 ms after which it launches the third. A
 * clairvoyant is told the same. What the device waits is overhead. */
static void hosts_launch(void **state)
{
    (void)state;
    static const struct dcs_host_gap gaps[] = {{500000, -1}, {200000, -1}, {100000, 300000}};
    for (int half = 0; half < 2; half++) {
        struct host_allotment a = half ? GREEN(50) : WHOLE;
        struct script s = {.allotments = {{a, a, a}}, .ready = look_at_host};
        struct world w;
        open_world(&w, &s);
        w.spec.clairvoyant = half;
        uint32_t app = shaped_app(&w, DCS_LATENCY, 3);
        w.apps[app].host = dcs_alloc(1, sizeof *w.apps[app].host);
        w.apps[app].host[0] = gaps;
        world_job(&w, app, 0);
        run(&w);
        const struct told whole[] = {
            {'r', 0, 0}, {'c', 0, 1500000}, {'c', 0, 2500000}, {'d', 0, 3800000}};
        const struct told slower[] = {
            {'r', 0, 0}, {'c', 0, 2500000}, {'c', 0, 4500000}, {'d', 0, 6800000}};
        assert_told(&s, 0, 4, half ? slower : whole);
        assert_true(w.out.devices[0].overhead_ns == 800000);
        world_release(&w);
    }
}

/* A kernel that is revoked has been launched by its host before, or is when its host comes to it:
 * a wait goes on and does not begin anew. Killing takes 5 ms, and the start that follows 17 ms. */
static void hosts_launch_once(void **state)
{
    (void)state;
    static const struct dcs_host_gap gaps[] = {{MS(40), -1}, {MS(30), -1}};
    static const struct {
        int64_t revoked_ns;
        struct told told[4];
    } cases[] = {
        /* While it waits for the first: launched at 40 ms, started by 57 ms; the second at 70 ms.
         */
        {MS(10), {{'r', 0, 0}, {'r', 0, MS(15)}, {'c', 0, MS(58)}, {'d', 0, MS(71)}}},
        /* When half of the second has run: there is nothing to wait for. */
        {70500000, {{'r', 0, 0}, {'c', 0, MS(41)}, {'r', 0, 75500000}, {'d', 0, 93500000}}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct script s = {.allotments = {{WHOLE, WHOLE}}, .revoke_at_ns = cases[i].revoked_ns};
        struct world w;
        open_world(&w, &s);
        uint32_t app = shaped_app(&w, DCS_LATENCY, 2);
        w.apps[app].host = dcs_alloc(1, sizeof *w.apps[app].host);
        w.apps[app].host[0] = gaps;
        world_job(&w, app, 0);
        run(&w);
        assert_int_equal(s.count, 4);
        assert_told(&s, 0, 4, cases[i].told);
        world_release(&w);
    }
}

/* As measured: by the mechanism of the launch, or of the one before if this is on the whole device.
 */
static void measured_switches(void **state)
{
    (void)state;
    static const struct {
        struct host_allotment of[3];
        int64_t ns, switches;
    } cases[] = {
        {{GREEN(50), GREEN(50), GREEN(100)}, MS(5) + 1000, 1},
        {{GREEN(50), SHARED(50), WHOLE}, MS(5) + 2 * 30000, 2},
        {{WHOLE, GREEN(50), WHOLE}, MS(4) + 2 * 1000, 2},
        {{SHARED(50), GREEN(50), SHARED(50)}, MS(6) + 1000 + 30000, 2},
        {{WHOLE, WHOLE, WHOLE}, MS(3), 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct script s = {0};
        struct world w;
        memcpy(s.allotments[0], cases[i].of, sizeof cases[i].of);
        open_world(&w, &s);
        w.spec.sharing.quota_switch_ns = CLUSTER_SWITCH_MEASURED;
        model.spatial.switch_ns[DCS_SWITCH_GREEN] = 1000;
        model.spatial.switch_ns[DCS_SWITCH_MPS] = 30000;
        world_job(&w, shaped_app(&w, DCS_LATENCY, 3), 0);
        run(&w);
        const struct cluster_app_result *a = &w.out.apps[0];
        int64_t work_ns = 0;
        for (int k = 0; k < 3; k++)
            work_ns += cases[i].of[k].sms == 50 ? MS(2) : MS(1);
        assert_true(s.told[s.count - 1].at_ns == cases[i].ns);
        assert_true(a->switch_ns == cases[i].ns - work_ns);
        assert_int_equal(a->switches, cases[i].switches);
        world_release(&w);
    }
}

/* A policy may change to what was measured, and is told why not to anything else. */
static void switches_that_were_not_measured(void **state)
{
    (void)state;
    for (int mps = 0; mps < 2; mps++) {
        struct script s = {.allotments = {{GREEN(50), GREEN(100)}}};
        struct world w;
        if (mps)
            s.allotments[0][1] = SHARED(50);
        open_world(&w, &s);
        w.spec.sharing.quota_switch_ns = CLUSTER_SWITCH_MEASURED;
        model.spatial.switch_ns[DCS_SWITCH_GREEN] = 1000;
        model.spatial.switch_ns[DCS_SWITCH_MPS] = -1;
        world_job(&w, shaped_app(&w, DCS_LATENCY, 2), 0);
        assert_int_equal(world_run(&w), mps ? -1 : 0);
        if (mps) {
            assert_non_null(strstr(w.err.text, "script"));
            assert_non_null(strstr(w.err.text, "has not measured what a change of quota costs"));
        }
        world_release(&w);
    }
}

static void launch_all(struct script *s, struct host *h, req_id r)
{
    struct host_device d;
    launch_as_told(s, h, r);
    assert_true(host_device(h, 0, &d));
    assert_int_equal(d.state, HOST_BUSY);
    assert_true(d.first == s->of_job[0]);
    if (host_now(h) == 0) {
        assert_int_equal(d.kernels, s->count);
        assert_int_equal(d.sms_allotted, s->count * 40);
    }
}

static void charged_launches_count(void **state)
{
    (void)state;
    struct script s = {.ready = launch_all, .allotments = {{GREEN(40)}, {GREEN(40)}}};
    struct world w;
    open_world(&w, &s);
    w.spec.callback_ns = 1000;
    uint32_t app = shaped_app(&w, DCS_LATENCY, 1);
    world_job(&w, app, 0);
    world_job(&w, app, 0);
    run(&w);
    /* The second callback waits for the first; each launch takes effect when its charge is over. */
    static const struct told told[] = {
        {'r', 0, 0}, {'r', 1, 1000}, {'d', 0, 1000 + 2500000}, {'d', 1, 2000 + 2500000}};
    assert_told(&s, 0, 4, told);
    world_release(&w);
}

static void a_trap_takes_all(void **state)
{
    (void)state;
    for (int charged = 0; charged < 2; charged++) {
        struct script s = {.revoke_at_ns = MS(1), .allotments = {{GREEN(50)}, {GREEN(50)}}};
        struct world w;
        open_world(&w, &s);
        w.spec.callback_ns = charged;
        uint32_t batch = shaped_app(&w, DCS_BATCH, 1), app = shaped_app(&w, DCS_LATENCY, 1);
        world_job(&w, batch, 0);
        world_job(&w, app, 0);
        run(&w);
        int64_t idle = MS(1) + charged + MS(5), launched = idle + charged;
        /* The batch request is ready first and pays for the start, the clean-up and the process. */
        struct told told[] = {{'r', 0, idle},
                              {'r', 1, idle + charged},
                              {'d', 1, launched + charged + MS(2)},
                              {'d', 0, launched + MS(92) + MS(2)}};
        assert_told(&s, 2, 4, told);
        assert_int_equal(w.out.revocations, 2);
        const struct dcs_usage *u = &w.out.devices[0];
        assert_true(u->useful_ns + u->lost_ns + u->overhead_ns == u->busy_ns);
        assert_true(u->lost_ns >= MS(1) - 2 && u->lost_ns <= MS(1) + 1);
        world_release(&w);
    }
}

/* The first time that job 1 is ready, the policy launches it and revokes job 0, which takes the
 * device from the launch. The second time the policy does what s->then says. */
static void launch_too_late(struct script *s, struct host *h, req_id r)
{
    struct host_request view;
    assert_true(host_request(h, r, &view));
    uint32_t told = 0;
    for (uint32_t i = 0; i < s->count; i++)
        told += s->told[i].job == 1;
    if (view.job == 0 || told == 1)
        launch_as_told(s, h, r);
    if (view.job == 1 && told == 1)
        host_revoke(h, s->of_job[0]);
    if (told != 2 || view.job == 0)
        return;
    if (s->then == LAUNCHES)
        host_launch(h, r, 1, GREEN(50));
    else if (s->then == RETURNS)
        host_return_to_router(h, r);
    else if (s->then == DROPS)
        host_drop(h, r);
}

/* Callbacks cost 1 ms. Job 0 runs from 1. Job 1 arrives at 4 and its deadline is 4.5; it is
 * launched for 5, and job 0 revoked, so that the launch is refused. Told at 5, the policy lets it
 * wait: it is dropped at once; or decides for it: that takes effect at 6. */
static void deadline_while_a_launch_fails(void **state)
{
    (void)state;
    static const struct {
        enum then then;
        enum cluster_outcome outcome;
        int64_t end_ns;
        struct told last; /* of job 1; its second on_ready if it is not told more */
    } cases[] = {
        {WAITS, CLUSTER_DROPPED, MS(5), {'g', 1, MS(6)}},
        {LAUNCHES, CLUSTER_DONE, MS(8), {'d', 1, MS(8)}},
        {RETURNS, CLUSTER_DROPPED, MS(6), {'r', 1, MS(5)}},
        {DROPS, CLUSTER_DROPPED, MS(6), {'r', 1, MS(5)}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct script s = {.ready = launch_too_late,
                           .then = cases[i].then,
                           .allotments = {{GREEN(5)}, {GREEN(50)}}};
        struct world w;
        open_world(&w, &s);
        w.domains[0].devices = 2;
        w.spec.callback_ns = MS(1);
        world_job(&w, shaped_app(&w, DCS_BATCH, 1), 0);
        struct dcs_job *job = world_job(&w, shaped_app(&w, DCS_LATENCY, 1), MS(4));
        job->sla_ns = 500000;
        job->drop_late = true;
        run(&w);
        const struct cluster_request_row *row = world_row(&w, 1, 0);
        assert_true(row->outcome == cases[i].outcome && row->end_ns == cases[i].end_ns);
        static const struct told told[] = {{'r', 0, 0}, {'r', 1, MS(4)}, {'r', 1, MS(5)}};
        assert_told(&s, 0, 3, told);
        struct told last = {0};
        for (uint32_t k = 0; k < s.count; k++)
            if (s.told[k].job == 1)
                last = s.told[k];
        assert_true(last.what == cases[i].last.what && last.at_ns == cases[i].last.at_ns);
        assert_true(world_row(&w, 0, 0)->outcome == CLUSTER_DONE);
        world_release(&w);
    }
}

/* Jobs 0 and 2 copy, job 1 computes; all are launched whole when the last one is there. */
static void launch_all_whole(struct script *s, struct host *h, req_id r)
{
    static const uint32_t allotted[] = {0, 100, 100};
    struct host_device d;
    (void)r;
    if (s->count < 3)
        return;
    for (uint32_t job = 0; job < 3; job++) {
        assert_int_equal(host_is_transfer(h, s->of_job[job]), job != 1);
        host_launch(h, s->of_job[job], 0, WHOLE);
        assert_true(host_device(h, 0, &d));
        assert_int_equal(d.kernels, job + 1);
        assert_int_equal(d.sms_allotted, allotted[job]);
    }
}

static void transfers_beside_a_whole_kernel(void **state)
{
    (void)state;
    for (int charged = 0; charged < 2; charged++) {
        struct script s = {.ready = launch_all_whole};
        struct world w;
        open_world(&w, &s);
        gpu_case_shape(&model, 1e6, 1e6)->kind = DCS_SHAPE_TO_DEVICE;
        gpu_case_shape(&model, 1e6, 1e6)->kind = DCS_SHAPE_FROM_DEVICE;
        w.spec.callback_ns = charged;
        for (uint32_t job = 0; job < 3; job++) {
            static const uint32_t shapes[] = {1, 0, 2};
            uint32_t app = shaped_app(&w, DCS_LATENCY, 1);
            w.apps[app].shapes[0] = shapes[job];
            world_job(&w, app, 0);
        }
        run(&w);
        int64_t end = MS(1) + 3 * charged;
        /* Charged, the run is over before the scheduler can tell the second one. */
        assert_told(&s, 3, charged ? 1 : 3,
                    (struct told[]){{'d', 0, end}, {'d', 1, end}, {'d', 2, end}});
        world_release(&w);
    }
}

static void two_launches(struct script *s, struct host *h, req_id r)
{
    if (s->count == 2) {
        launch_as_told(s, h, s->of_job[0]);
        launch_as_told(s, h, r);
    }
}

static void illegal_launches(void **state)
{
    (void)state;
    static const struct {
        struct host_allotment a, b;
        const char *rule;
    } cases[] = {
        {{.mechanism = HOST_GREEN, .sms = 101}, {0}, "from 1 to all of its SMs"},
        {{.mechanism = HOST_GREEN, .sms = 60},
         {.mechanism = HOST_GREEN, .sms = 45},
         "leave fewer SMs"},
        {{.mechanism = HOST_GREEN, .sms = 41}, {0}, "multiples of host_device.sms_step"},
        {{.mechanism = HOST_GREEN, .sms = 4}, {0}, "multiples of host_device.sms_step"},
        {{.mechanism = HOST_MPS, .sms = 10}, {.mechanism = HOST_WHOLE}, "not idle"},
        {{.mechanism = HOST_WHOLE}, {.mechanism = HOST_MPS, .sms = 10}, "not idle"},
        {{.mechanism = (enum host_mechanism)9}, {0}, "mechanism"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int charged = 0; charged < 2; charged++) {
            struct script s = {.ready = two_launches};
            s.allotments[0][0] = cases[i].a;
            s.allotments[1][0] = cases[i].b;
            struct world w;
            open_world(&w, &s);
            w.spec.callback_ns = charged;
            uint32_t app = shaped_app(&w, DCS_LATENCY, 1);
            world_job(&w, app, 0);
            world_job(&w, app, 0);
            assert_int_equal(world_run(&w), -1);
            if (strstr(w.err.text, cases[i].rule) == NULL || strstr(w.err.text, "script") == NULL)
                fail_msg("case %zu: %s", i, w.err.text);
            world_release(&w);
        }
}

/* Launched whole, one at a time: what fcfs and the other policies of one kernel at a time do. */
static void fcfs_notices_nothing(void **state)
{
    (void)state;
    struct cluster_request_row *rows[2] = {NULL, NULL};
    struct dcs_usage usage[2];
    struct world w[2];
    for (int shared = 0; shared < 2; shared++) {
        gpu_case_init(&model);
        world_init(&w[shared], policies_find("fcfs"), 2);
        if (shared)
            w[shared].spec.sharing = (struct cluster_sharing){.spatial = models, .step_sms = 5};
        uint32_t a = world_app(&w[shared], DCS_LATENCY, 3, 1234567);
        uint32_t b = world_batch(&w[shared], 7654321);
        for (int i = 0; i < 20; i++)
            world_job(&w[shared], i % 3 == 0 ? b : a, i * MS(1))->requests = 5;
        run(&w[shared]);
        rows[shared] = w[shared].out.requests_rows;
        usage[shared] = w[shared].out.devices[0];
    }
    assert_int_equal(w[0].out.requests_rows_count, 100);
    assert_memory_equal(rows[0], rows[1], 100 * sizeof *rows[0]);
    assert_memory_equal(&usage[0], &usage[1], sizeof usage[0]);
    world_release(&w[0]);
    world_release(&w[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_policy_sees),
        cmocka_unit_test(completions_of_one_instant),
        cmocka_unit_test(quota_switches),
        cmocka_unit_test(hosts_launch),
        cmocka_unit_test(hosts_launch_once),
        cmocka_unit_test(measured_switches),
        cmocka_unit_test(switches_that_were_not_measured),
        cmocka_unit_test(charged_launches_count),
        cmocka_unit_test(a_trap_takes_all),
        cmocka_unit_test(deadline_while_a_launch_fails),
        cmocka_unit_test(transfers_beside_a_whole_kernel),
        cmocka_unit_test(illegal_launches),
        cmocka_unit_test(fcfs_notices_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
