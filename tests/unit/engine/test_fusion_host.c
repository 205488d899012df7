/*
 * test_fusion_host.c - fused launches as a policy meets them, by hand, on the made-up profile.
 *
 * Pins: what is predicted and which way is chosen, for each launch or once for the pair, whichever
 * request is named first; that both
 * kernels end at one instant, the one named first is told first, and each was measured as the
 * launch; what is seen of the device meanwhile; each rule of host_launch_fused; what asking costs,
 * and what is pledged until a charged launch takes effect; that a revocation takes both, and
 * that one of each needs no second; that a launch which was predicted more than 10 % wrong changes
 * what is predicted next, in its own domain alone; what is counted; that a clairvoyant is told the
 * truth. Does not pin: random cases (tests/prop/test_fusion.c), the model (test_fusion_model.c).
 */
#include "engine/cluster_state.h"
#include "models/gpu/spatial_load.h"
#include "tests/world.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#define MADE_UP DCS_SOURCE_DIR "/calibrate/profiles/made-up.sql"
#define WHOLE   ((struct host_allotment){.mechanism = HOST_WHOLE})

enum {
    TENSOR_NS = 1500000,
    CUDA_NS = 3200000,
    FUSED_NS = 3425000,  /* 2.15 + 0.2 / 1.5 of 1.5 ms */
    OFFLINE_NS = 3510000 /* 2.2 + 1.05 * 0.2 / 1.5 of 1.5 ms */
};
enum { TENSOR, CUDA }; /* applications, and jobs */

/* Waits for both requests, then does what the test says. */
struct script {
    void (*both)(struct script *s, struct host *h);
    void (*complete)(struct script *s, struct host *h, req_id r);
    int64_t revoke_at_ns;
    bool revoke_both, goes_on;
    struct host *host;
    uint32_t looks;
    req_id of_job[2];
    uint32_t ready, completed;
    req_id first_told;
    int64_t told_ns[2]; /* by job */
    struct host_fusion asked;
};

static struct script *script_of(void *state)
{
    return *(struct script **)state;
}

static int script_init(void *state, const void *params, struct host *h)
{
    memcpy(state, params, sizeof(struct script *));
    if (script_of(state)->revoke_at_ns > 0)
        host_timer(h, script_of(state)->revoke_at_ns, 0);
    return 0;
}

static void script_ready(void *state, struct host *h, req_id r)
{
    struct script *s = script_of(state);
    struct host_request view;
    assert_true(host_request(h, r, &view));
    s->of_job[view.job % 2] = r;
    if (++s->ready % 2 == 0)
        s->both(s, h);
}

static void script_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    struct script *s = script_of(state);
    struct host_request view;
    (void)d;
    assert_true(done != s->goes_on && host_request(h, r, &view));
    if (s->completed++ == 0)
        s->first_told = r;
    s->told_ns[view.job % 2] = host_now(h);
    if (s->complete != NULL)
        s->complete(s, h, r);
}

static void script_timer(void *state, struct host *h, uint64_t cookie)
{
    struct script *s = script_of(state);
    (void)cookie;
    for (int job = TENSOR; s->revoke_both && job <= CUDA; job++) {
        host_predict(h, s->of_job[job], HOST_DURATION_NS, WHOLE);
        host_revoke(h, s->of_job[job]);
    }
    if (!s->revoke_both)
        host_revoke(h, s->of_job[CUDA]);
}

static const struct policy policy_script = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "script",
    .needs = HOST_NEEDS_FUSION,
    .state_size = sizeof(struct script *),
    .init = script_init,
    .on_ready = script_ready,
    .on_complete = script_complete,
    .on_timer = script_timer,
};

static struct dcs_profile *profile;
static struct dcs_spatial *spatial;
static const struct dcs_spatial *models[1];

static int load(void **unused)
{
    struct dcs_err err = {0};
    (void)unused;
    profile = dcs_spatial_load_profile(MADE_UP, &spatial, &err);
    models[0] = spatial;
    return profile != NULL && spatial->fusion != NULL ? 0 : -1;
}

static int unload(void **unused)
{
    (void)unused;
    dcs_spatial_free(spatial);
    dcs_profile_free(profile);
    return 0;
}

static void shaped_app(struct world *w, enum dcs_class class, int64_t ns, const char *name)
{
    uint32_t shape = 0;
    while (strcmp(spatial->shapes[shape].name, name) != 0)
        shape++;
    struct dcs_app *app = &w->apps[world_app(w, class, 1, ns)];
    app->shapes = dcs_alloc(1, sizeof *app->shapes);
    app->shapes[0] = shape;
}

/* One request of each, on one device. */
static void open_world(struct world *w, struct script *s)
{
    world_init(w, &policy_script, 1);
    memcpy(w->params, &s, sizeof s);
    w->spec.sharing = (struct cluster_sharing){
        .spatial = models, .step_sms = 8, .fusion_choice = DCS_FUSION_LAUNCH};
    shaped_app(w, DCS_LATENCY, TENSOR_NS, "conv3x3s1p1_n8_16x16_c32_k32");
    shaped_app(w, DCS_BATCH, CUDA_NS, "sweep");
    world_job(w, TENSOR, 0);
    world_job(w, CUDA, 0);
}

static void run(struct world *w)
{
    if (world_run(w) != 0)
        fail_msg("%s", w->err.text);
}

/* ---- Predictions and launches ---- */

static void fuse(struct script *s, struct host *h)
{
    req_id a = s->of_job[TENSOR], b = s->of_job[CUDA];
    struct host_device d;
    assert_true(host_predict_fused(h, a, b, &s->asked));
    host_launch_fused(h, a, b, 0, s->asked.variant);
    assert_true(host_device(h, 0, &d));
    assert_true(d.can_fuse && d.state == HOST_BUSY);
    assert_int_equal(d.kernels, 2);
    assert_int_equal(d.sms_allotted, d.sms);
    assert_true(d.memory_used_bytes == 2 && d.first == (a < b ? a : b));
}

static void fuse_swapped(struct script *s, struct host *h)
{
    req_id first = s->of_job[CUDA], second = s->of_job[TENSOR];
    assert_true(first > second);
    assert_true(host_predict_fused(h, first, second, &s->asked));
    host_launch_fused(h, first, second, 0, s->asked.variant);
}

static void measured_as_the_launch(struct script *s, struct host *h, req_id r)
{
    (void)s;
    assert_int_equal(host_measured(h, r, 0), FUSED_NS);
}

static void both_end_together(void **unused)
{
    (void)unused;
    for (int swapped = 0; swapped < 2; swapped++) {
        struct world w;
        struct script s = {.both = swapped ? fuse_swapped : fuse,
                           .complete = measured_as_the_launch};
        open_world(&w, &s);
        run(&w);
        assert_int_equal(s.asked.variant, 1); /* blocks 1:2; 1:1 takes 3.51 ms, 4:4 does not fit */
        assert_int_equal(s.asked.duration_ns, FUSED_NS);
        assert_int_equal(s.asked.parts_ns[swapped], TENSOR_NS);
        assert_int_equal(s.asked.parts_ns[1 - swapped], CUDA_NS);
        assert_int_equal(s.told_ns[TENSOR], FUSED_NS);
        assert_int_equal(s.told_ns[CUDA], FUSED_NS);
        assert_true(s.first_told == s.of_job[swapped ? CUDA : TENSOR]);
        const struct cluster_fusion *f = &w.out.fusion;
        assert_int_equal(f->launches, 1);
        assert_int_equal(f->completed, 1);
        assert_int_equal(f->beyond + f->learned + f->oversized, 0);
        assert_int_equal(f->asked, 1);
        assert_true(f->error_max < 1e-6);
        assert_true(f->fused_ns == FUSED_NS && f->alone_ns == TENSOR_NS + CUDA_NS);
        assert_int_equal(w.out.launches, 2);
        assert_int_equal(w.out.devices[0].useful_ns, FUSED_NS);
        /* Its part ends at 0.8 of 2.15 at a ratio of 2, at 0.55 of 3.15 at 3. */
        assert_int_equal(w.out.shared.tensor_ns, 2582500);
        assert_int_equal(w.out.shared.cuda_ns, FUSED_NS);
        assert_int_equal(w.out.shared.both_ns, 2582500);
        world_release(&w);
    }
}

/* 1:2 is the faster one of these two kernels. 1:1 saves more where both take as long. */
static void one_way_for_the_pair(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        struct world w;
        struct script s = {.both = i == 0 ? fuse : fuse_swapped};
        open_world(&w, &s);
        w.spec.sharing.fusion_choice = DCS_FUSION_OFFLINE;
        run(&w);
        assert_int_equal(s.asked.variant, 0);
        assert_int_equal(s.asked.duration_ns, OFFLINE_NS);
        assert_int_equal(s.told_ns[CUDA], OFFLINE_NS);
        world_release(&w);
    }
}

/* ---- Rules ---- */

static const struct {
    const char *text;
    bool unequal; /* requests */
    dev_id device;
    uint32_t variant;
    bool busy;
} rules[] = {
    {"fused with itself", false, 0, 1, false},
    {"there is no device 1", true, 1, 1, false},
    {"the variant is not one of theirs", true, 0, 3, false},
    {"an SM has not what a block of this variant needs", true, 0, 2, false},
    {"must wait, but it runs", true, 0, 1, true},
};
static size_t rule;

static void break_rule(struct script *s, struct host *h)
{
    req_id a = s->of_job[TENSOR], b = rules[rule].unequal ? s->of_job[CUDA] : a;
    if (rules[rule].busy)
        host_launch(h, b, 0, WHOLE);
    host_launch_fused(h, a, b, rules[rule].device, rules[rule].variant);
}

static void broken_rules_end_the_run(void **unused)
{
    (void)unused;
    for (rule = 0; rule < sizeof rules / sizeof rules[0]; rule++) {
        struct world w;
        struct script s = {.both = break_rule};
        open_world(&w, &s);
        assert_int_equal(world_run(&w), -1);
        if (strstr(w.err.text, rules[rule].text) == NULL ||
            strstr(w.err.text, "launch_fused: ") == NULL)
            fail_msg("%s", w.err.text);
        world_release(&w);
    }
}

static void no_memory_for_both(void **unused)
{
    (void)unused;
    struct world w;
    struct script s = {.both = fuse_swapped};
    open_world(&w, &s);
    w.memory_bytes = 10;
    w.apps[TENSOR].memory_bytes = w.apps[CUDA].memory_bytes = 6;
    assert_int_equal(world_run(&w), -1);
    assert_non_null(strstr(w.err.text, "on device 0: what runs leaves less memory"));
    world_release(&w);
}

static void ask_and_launch_both(struct script *s, struct host *h)
{
    assert_false(host_predict_fused(h, s->of_job[0], s->of_job[1], &s->asked));
    assert_false(host_predict_fused(h, s->of_job[0], s->of_job[0], &s->asked));
    assert_false(host_predict_fused(h, s->of_job[0], 12345, &s->asked));
    host_launch(h, s->of_job[0], 0, WHOLE);
}

static void launch_the_other(struct script *s, struct host *h, req_id r)
{
    if (r == s->of_job[0])
        host_launch(h, s->of_job[1], 0, WHOLE);
}

static void what_was_not_measured_is_denied(void **unused)
{
    (void)unused;
    struct world w;
    struct script s = {.both = ask_and_launch_both, .complete = launch_the_other};
    open_world(&w, &s);
    w.apps[CUDA].shapes[0] = w.apps[TENSOR].shapes[0]; /* two tensor kernels */
    run(&w);
    assert_int_equal(w.out.fusion.launches, 0);
    world_release(&w);
    /* One after the other they are never active at once. */
    open_world(&w, &s);
    spatial->fusion->ways[0].fits = spatial->fusion->ways[1].fits = false;
    run(&w);
    spatial->fusion->ways[0].fits = spatial->fusion->ways[1].fits = true;
    assert_int_equal(w.out.fusion.oversized, 1);
    assert_int_equal(w.out.fusion.launches, 0);
    assert_int_equal(w.out.shared.tensor_ns, TENSOR_NS);
    assert_int_equal(w.out.shared.cuda_ns, CUDA_NS);
    assert_int_equal(w.out.shared.both_ns, 0);
    world_release(&w);
    /* What was never measured to gain is not offered either, but not for its size. */
    open_world(&w, &s);
    spatial->fusion->ways[0].gains = spatial->fusion->ways[1].gains = false;
    run(&w);
    spatial->fusion->ways[0].gains = spatial->fusion->ways[1].gains = true;
    assert_int_equal(w.out.fusion.launches, 0);
    assert_int_equal(w.out.fusion.oversized, 0);
    world_release(&w);
    /* Nor, offline, what gains nothing where both take as long. */
    const double saved[] = {spatial->fusion->ways[0].saved, spatial->fusion->ways[1].saved};
    open_world(&w, &s);
    w.spec.sharing.fusion_choice = DCS_FUSION_OFFLINE;
    spatial->fusion->ways[0].saved = 0;
    spatial->fusion->ways[1].saved = -0.1;
    run(&w);
    spatial->fusion->ways[0].saved = saved[0];
    spatial->fusion->ways[1].saved = saved[1];
    assert_int_equal(w.out.fusion.launches, 0);
    assert_int_equal(w.out.fusion.oversized, 0);
    world_release(&w);
}

static void launch_a_part(struct script *s, struct host *h)
{
    host_launch(h, s->of_job[CUDA], 0, (struct host_allotment){.mechanism = HOST_GREEN, .sms = 8});
}

static void fuse_what_follows(struct script *s, struct host *h, req_id r)
{
    host_launch_fused(h, s->of_job[TENSOR], r, 0, 1);
}

/* A fused launch is on the whole device: its cost is not known where that of partitions is not. */
static void a_switch_that_was_not_measured(void **unused)
{
    (void)unused;
    const int64_t measured_ns = spatial->switch_ns[DCS_SWITCH_GREEN];
    struct world w;
    struct script s = {.both = launch_a_part, .complete = fuse_what_follows, .goes_on = true};
    open_world(&w, &s);
    w.workload.jobs[CUDA].app = world_app(&w, DCS_BATCH, 2, CUDA_NS);
    struct dcs_app *two = &w.apps[w.workload.jobs[CUDA].app];
    two->shapes = dcs_alloc(2, sizeof *two->shapes);
    two->shapes[0] = two->shapes[1] = w.apps[CUDA].shapes[0];
    w.spec.sharing.quota_switch_ns = CLUSTER_SWITCH_MEASURED;
    spatial->switch_ns[DCS_SWITCH_GREEN] = -1;
    int status = world_run(&w);
    spatial->switch_ns[DCS_SWITCH_GREEN] = measured_ns;
    assert_int_equal(status, -1);
    if (strstr(w.err.text, "launch_fused: ") == NULL ||
        strstr(w.err.text, "has not measured what a change of quota costs") == NULL)
        fail_msg("%s", w.err.text);
    world_release(&w);
}

/* ---- Charges ---- */

static void charged(void **unused)
{
    (void)unused;
    struct world w;
    struct script s = {.both = fuse_swapped};
    open_world(&w, &s);
    w.spec.fusion_round_ns = 500000;
    w.spec.fusion_candidate_ns = 14000;
    run(&w);
    assert_int_equal(s.told_ns[TENSOR], 514000 + FUSED_NS);
    assert_true(s.first_told == s.of_job[CUDA]);
    world_release(&w);
}

static void ask_twice(struct script *s, struct host *h)
{
    struct host_device d;
    struct host_request r;
    req_id a = s->of_job[TENSOR], b = s->of_job[CUDA];
    assert_true(host_predict_fused(h, a, b, &s->asked));
    assert_true(host_predict_fused(h, b, a, &s->asked));
    host_launch_fused(h, a, b, 0, s->asked.variant);
    assert_true(host_device(h, 0, &d));
    assert_true(d.state == HOST_BUSY && d.kernels == 2 && d.sms_allotted == d.sms);
    assert_true(host_request(h, a, &r) && r.state == HOST_STARTING);
    assert_true(host_request(h, b, &r) && r.state == HOST_STARTING);
}

static void a_round_is_charged_once(void **unused)
{
    (void)unused;
    struct world w;
    struct script s = {.both = ask_twice};
    open_world(&w, &s);
    w.spec.fusion_round_ns = 500000;
    w.spec.fusion_candidate_ns = 14000;
    run(&w);
    assert_int_equal(s.told_ns[CUDA], 528000 + FUSED_NS);
    world_release(&w);
}

/* ---- Revocation, learning, truth ---- */

static void a_trap_takes_both(void **unused)
{
    (void)unused;
    struct world w;
    struct script s = {.both = fuse, .revoke_at_ns = MS(1)};
    open_world(&w, &s);
    run(&w);
    /* Killed at 1 ms for 5; what a batch start then owes is 17 + 60 + 15. */
    assert_int_equal(s.ready, 4);
    assert_int_equal(s.told_ns[TENSOR], MS(6 + 92) + FUSED_NS);
    assert_int_equal(s.told_ns[CUDA], MS(6 + 92) + FUSED_NS);
    assert_int_equal(w.out.revocations, 2);
    assert_int_equal(w.out.fusion.launches, 2);
    assert_int_equal(w.out.fusion.completed, 1);
    assert_int_equal(w.out.fusion.learned, 0); /* what a start costs is no fault of the predictor */
    assert_int_equal(w.out.devices[0].lost_ns, MS(1));
    world_release(&w);
}

/* Between the two charged revocations, which no policy sees: the first has taken both. */
static void look_inside(void *context, int64_t now_ns, uint32_t job, uint64_t index,
                        uint32_t kernel)
{
    struct script *s = context;
    (void)index, (void)kernel;
    if (job != 2)
        return;
    const struct cluster *c = ((const struct domain *)s->host)->cluster;
    assert_int_equal(now_ns, 2500000);
    assert_int_equal(request_find(c, s->of_job[CUDA])->state, REQUEST_STOPPING);
    assert_false(request_find(c, s->of_job[CUDA])->stop.pledged);
    assert_int_equal(c->devices[0].traps_pledged, 0);
    s->looks++;
}

static void fuse_beside(struct script *s, struct host *h)
{
    s->host = h;
    fuse(s, h);
}

/* The first request of job 2 goes to the other device at once. */
static void other_ready(void *state, struct host *h, req_id r)
{
    struct host_request view;
    assert_true(host_request(h, r, &view));
    if (view.job == 2)
        host_launch(h, r, 1, WHOLE);
    else
        script_ready(state, h, r);
}

static void one_trap_is_enough(void **unused)
{
    (void)unused;
    struct world w;
    struct script s = {.both = fuse_beside, .revoke_at_ns = MS(1), .revoke_both = true};
    const struct cluster_probe probe = {.context = &s, .complete = look_inside};
    struct policy policy = policy_script;
    policy.on_ready = other_ready;
    open_world(&w, &s);
    w.spec.policy = &policy;
    w.spec.predict_ns = MS(1);
    w.spec.probe = &probe;
    world_domains(&w, 1, 2);
    world_job(&w, world_batch(&w, 2500000), 0);
    run(&w);
    assert_int_equal(s.looks, 1);
    assert_int_equal(w.out.revocations, 2);
    assert_int_equal(s.told_ns[TENSOR], MS(2 + 5 + 92) + FUSED_NS);
    world_release(&w);
}

static double slow[DCS_NOISE_QUANTILES];

static void learns(void **unused)
{
    (void)unused;
    static const double *const noise[] = {slow};
    for (size_t i = 0; i < DCS_NOISE_QUANTILES; i++)
        slow[i] = 1.5;
    for (int domains = 1; domains <= 2; domains++) {
        for (int clairvoyant = 0; clairvoyant < 2; clairvoyant++) {
            struct world w;
            struct script s = {.both = fuse};
            open_world(&w, &s);
            w.apps[TENSOR].noise = w.apps[CUDA].noise = noise;
            w.spec.clairvoyant = clairvoyant;
            world_domains(&w, (uint32_t)domains, 1);
            for (size_t i = 0; i < 4; i++) {
                if (i >= 2)
                    world_job(&w, i % 2, MS(10));
                w.workload.jobs[i].pinned = true;
                w.workload.jobs[i].domain = domains == 2 && i >= 2;
            }
            run(&w);
            /* The first is predicted a third too short. Where the second is of the same domain, the
             * way that is next best so far looks better to it: 2.34 of 1.5 ms. */
            bool learned = domains == 1 && !clairvoyant;
            int64_t ns = learned ? 3510000 : FUSED_NS;
            assert_int_equal(w.out.fusion.completed, 2);
            assert_int_equal(w.out.fusion.learned, clairvoyant ? 0 : 2);
            assert_int_equal(s.asked.variant, learned ? 0 : 1);
            assert_int_equal(s.asked.duration_ns, clairvoyant ? ns * 3 / 2 : ns);
            assert_int_equal(s.told_ns[TENSOR], MS(10) + ns * 3 / 2);
            world_release(&w);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_end_together),
        cmocka_unit_test(one_way_for_the_pair),
        cmocka_unit_test(broken_rules_end_the_run),
        cmocka_unit_test(no_memory_for_both),
        cmocka_unit_test(what_was_not_measured_is_denied),
        cmocka_unit_test(a_switch_that_was_not_measured),
        cmocka_unit_test(charged),
        cmocka_unit_test(a_round_is_charged_once),
        cmocka_unit_test(a_trap_takes_both),
        cmocka_unit_test(one_trap_is_enough),
        cmocka_unit_test(learns),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
