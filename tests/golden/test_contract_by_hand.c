/*
 * test_contract_by_hand.c - what policies/policy.h promises to a policy, with small test-only
 * policies.
 *
 * Pins: each rule's error (it names policy, time and rule, and leaves no result); what is seen of
 * devices and requests while they run, are charged, are revoked; that all of an instant is applied
 * before its first callback, or each event before its own, and when decide comes; timers (past,
 * taken back, taken back after they fired, ids that are not reused); drops, returns and the
 * router's choice after one; jobs that are pinned to a domain; which jobs' response times are kept;
 * requests that leave while they wait; that a run with an odd ending (the last request is dropped)
 * ends; that a run stops at the next callback; that a client whose requests take no time ends the
 * run with an error. Does not pin: what the built-in policies do (test_policies_by_hand.c), except
 * where they must notice a request that has gone.
 */
#include "policies/policies.h"
#include "tests/world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

/* ---- A policy that does what the test says ---- */

struct puppet {
    void (*ready)(struct puppet *p, struct host *h, req_id r);
    void (*complete)(struct puppet *p, struct host *h, req_id r, bool done);
    void (*gone)(struct puppet *p, struct host *h, req_id r);
    void (*timer)(struct puppet *p, struct host *h, uint64_t cookie);
    void (*begin)(struct puppet *p, struct host *h);
    void (*decide)(struct puppet *p, struct host *h);
    int rule;              /* which case of a table */
    struct host *hosts[4]; /* by domain */
    uint32_t domains;
    req_id seen[16]; /* by on_ready */
    uint32_t seen_count;
    int64_t at_ns[16]; /* of what a test wants to remember */
    uint64_t what[16];
    uint32_t count;
    timer_id timers[4];
    bool jobs_begin, jobs_end;
};

struct puppet_state {
    struct puppet *puppet;
};

static const struct host_allotment whole = {.mechanism = HOST_WHOLE};

static void note(struct puppet *p, const struct host *h, uint64_t what)
{
    assert_true(p->count < 16);
    p->at_ns[p->count] = host_now(h);
    p->what[p->count++] = what;
}

static void assert_notes(const struct puppet *p, uint32_t count, const int64_t *at_ns,
                         const uint64_t *what)
{
    assert_int_equal(p->count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_true(p->at_ns[i] == at_ns[i] && p->what[i] == what[i]);
}

static int puppet_init(void *state, const void *params, struct host *h)
{
    struct puppet_state *s = state;
    memcpy(&s->puppet, params, sizeof s->puppet); /* the world's bytes hold the pointer */
    if (s->puppet->domains < 4)
        s->puppet->hosts[s->puppet->domains++] = h;
    if (s->puppet->begin != NULL)
        s->puppet->begin(s->puppet, h);
    return 0;
}

static void puppet_on_job(void *state, struct host *h, job_id job, bool begins)
{
    struct puppet *p = ((struct puppet_state *)state)->puppet;
    (void)job;
    if (begins ? p->jobs_begin : p->jobs_end)
        note(p, h, begins);
}

static void puppet_on_ready(void *state, struct host *h, req_id r)
{
    struct puppet *p = ((struct puppet_state *)state)->puppet;
    if (p->seen_count < 16)
        p->seen[p->seen_count++] = r;
    if (p->ready != NULL)
        p->ready(p, h, r);
}

static void puppet_on_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    struct puppet *p = ((struct puppet_state *)state)->puppet;
    (void)d;
    if (p->complete != NULL)
        p->complete(p, h, r, done);
}

static void puppet_on_gone(void *state, struct host *h, req_id r)
{
    struct puppet *p = ((struct puppet_state *)state)->puppet;
    if (p->gone != NULL)
        p->gone(p, h, r);
}

static void puppet_on_timer(void *state, struct host *h, uint64_t cookie)
{
    struct puppet *p = ((struct puppet_state *)state)->puppet;
    if (p->timer != NULL)
        p->timer(p, h, cookie);
}

static void puppet_decide(void *state, struct host *h)
{
    struct puppet *p = ((struct puppet_state *)state)->puppet;
    if (p->decide != NULL)
        p->decide(p, h);
}

static const struct policy policy_puppet = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "puppet",
    .state_size = sizeof(struct puppet_state),
    .init = puppet_init,
    .on_job = puppet_on_job,
    .on_ready = puppet_on_ready,
    .on_complete = puppet_on_complete,
    .on_gone = puppet_on_gone,
    .on_timer = puppet_on_timer,
    .decide = puppet_decide,
};

static void start(struct world *w, struct puppet *p, uint32_t devices)
{
    world_init(w, &policy_puppet, devices);
    memcpy(w->params, &p, sizeof p);
}

static void run(struct world *w)
{
    int result = world_run(w);
    if (result != 0)
        print_error("%s\n", w->err.text);
    assert_int_equal(result, 0);
}

static void launch(struct puppet *p, struct host *h, req_id r)
{
    (void)p;
    host_launch(h, r, 0, whole);
}

/* On the first idle device, if there is one. */
static void launch_if_idle(struct puppet *p, struct host *h, req_id r)
{
    (void)p;
    struct host_device d;
    for (dev_id i = 0; host_device(h, i, &d); i++)
        if (d.state == HOST_IDLE) {
            host_launch(h, r, i, whole);
            return;
        }
}

/* ---- Rules ---- */

enum rule {
    LAUNCH_UNKNOWN,
    LAUNCH_NO_DEVICE,
    LAUNCH_MECHANISM,
    LAUNCH_MEMORY,
    LAUNCH_TWICE,
    LAUNCH_BUSY,
    LAUNCH_ALLOTTED,
    LAUNCH_PLEDGED,
    LAUNCH_PLEDGED_DEVICE,
    LAUNCH_ENDED,
    LAUNCH_OTHER_DOMAIN,
    ALLOT_UNKNOWN,
    RESIZE,
    FUSE,
    REVOKE_UNKNOWN,
    REVOKE_WAITING,
    REVOKE_TWICE,
    REVOKE_PLEDGED,
    REVOKE_ENDED,
    DROP_UNKNOWN,
    DROP_RUNNING,
    DROP_STOPPING,
    DROP_TWICE,
    DROP_GONE,
    RETURN_RUNNING,
    RETURN_UNKNOWN,
    OUTSIDE,
    GIVE_UP,
    RULES,
};

static const char *const rule_text[RULES] = {
    [LAUNCH_UNKNOWN] = "launch: request 12345 is not in this domain",
    [LAUNCH_NO_DEVICE] = "launch: there is no device 1, the domain has 1",
    [LAUNCH_MECHANISM] = " on device 0: it does not offer this mechanism",
    [LAUNCH_MEMORY] =
        " of application \"batch\" on device 0: it has less memory than the application needs",
    [LAUNCH_TWICE] = " must wait, but it runs",
    [LAUNCH_BUSY] = " on device 0: it is not idle",
    [LAUNCH_ALLOTTED] = " on device 0: it does not offer this mechanism",
    [LAUNCH_PLEDGED] = " must wait, but it has an action under way",
    [LAUNCH_PLEDGED_DEVICE] = " on device 0: it is not idle",
    [LAUNCH_ENDED] = " must wait, but it has ended",
    [LAUNCH_OTHER_DOMAIN] = " is not in this domain",
    [ALLOT_UNKNOWN] = "allot: request 12345 is not in this domain",
    [RESIZE] = "resize: the device of request ",
    [FUSE] = "launch_fused: device 0 cannot fuse",
    [REVOKE_UNKNOWN] = "revoke: request 12345 is not in this domain",
    [REVOKE_WAITING] = " must run, but it waits",
    [REVOKE_TWICE] = " must run, but it is being revoked",
    [REVOKE_PLEDGED] = " must run, but it is being revoked",
    [REVOKE_ENDED] = " must run, but it has ended",
    [DROP_UNKNOWN] = "drop: request 12345 is not in this domain",
    [DROP_RUNNING] = " must wait, but it runs",
    [DROP_STOPPING] = " must wait, but it is being revoked",
    [DROP_TWICE] = " is not in this domain",
    [DROP_GONE] = " must wait, but it has ended",
    [RETURN_RUNNING] = "return_to_router: request ",
    [RETURN_UNKNOWN] = "return_to_router: request 12345 is not in this domain",
    [OUTSIDE] = "an action outside a callback",
    [GIVE_UP] = "the policy gave up: no way on",
};

static void break_in_ready(struct puppet *p, struct host *h, req_id r)
{
    const struct host_allotment odd = {.mechanism = (enum host_mechanism)7};
    switch ((enum rule)p->rule) {
    case LAUNCH_UNKNOWN:
        host_launch(h, 12345, 0, whole);
        break;
    case LAUNCH_NO_DEVICE:
        host_launch(h, r, 1, whole);
        break;
    case LAUNCH_MECHANISM:
        host_launch(h, r, 0, odd);
        break;
    case LAUNCH_TWICE:
    case LAUNCH_PLEDGED:
        host_launch(h, r, 0, whole);
        host_launch(h, r, 0, whole);
        break;
    case LAUNCH_ALLOTTED:
        host_allot(h, r, odd);
        host_launch(h, r, 0, whole);
        break;
    case LAUNCH_PLEDGED_DEVICE:
        if (p->seen_count < 2)
            break;
        host_launch(h, p->seen[0], 0, whole);
        host_launch(h, r, 0, whole);
        break;
    case LAUNCH_OTHER_DOMAIN:
        host_launch(h, p->seen[0], 0, whole); /* the second one of two domains fails */
        break;
    case ALLOT_UNKNOWN:
        host_allot(h, 12345, whole);
        break;
    case RESIZE:
        host_launch(h, r, 0, whole);
        host_resize(h, r, whole);
        break;
    case FUSE:
        host_launch_fused(h, r, r, 0, 0);
        break;
    case REVOKE_UNKNOWN:
        host_revoke(h, 12345);
        break;
    case REVOKE_WAITING:
        host_revoke(h, r);
        break;
    case REVOKE_TWICE:
        host_launch(h, r, 0, whole);
        host_revoke(h, r);
        host_revoke(h, r);
        break;
    case DROP_UNKNOWN:
        host_drop(h, 12345);
        break;
    case DROP_RUNNING:
        host_launch(h, r, 0, whole);
        host_drop(h, r);
        break;
    case DROP_STOPPING:
        host_launch(h, r, 0, whole);
        host_revoke(h, r);
        host_drop(h, r);
        break;
    case DROP_TWICE:
        host_drop(h, r);
        host_drop(h, r);
        break;
    case RETURN_RUNNING:
        host_launch(h, r, 0, whole);
        host_return_to_router(h, r);
        break;
    case RETURN_UNKNOWN:
        host_return_to_router(h, 12345);
        break;
    case GIVE_UP:
        host_fail(h, "no way on");
        host_launch(h, 12345, 0, whole); /* the first error is the one that counts */
        break;
    case REVOKE_PLEDGED:
        if (p->seen_count == 1) {
            host_launch(h, r, 0, whole);
            break;
        }
        host_revoke(h, p->seen[0]);
        host_revoke(h, p->seen[0]);
        break;
    case DROP_GONE:
        break;
    default: /* LAUNCH_BUSY, LAUNCH_MEMORY; the others break their rule later */
        host_launch(h, r, 0, whole);
    }
}

static void break_in_complete(struct puppet *p, struct host *h, req_id r, bool done)
{
    (void)done;
    if (p->rule == LAUNCH_ENDED)
        host_launch(h, r, 0, whole);
    else if (p->rule == REVOKE_ENDED)
        host_revoke(h, r);
}

static void break_in_gone(struct puppet *p, struct host *h, req_id r)
{
    if (p->rule == DROP_GONE)
        host_drop(h, r);
}

static struct puppet *at_the_end;

static void break_in_fini(void *state)
{
    (void)state;
    if (at_the_end != NULL && at_the_end->rule == OUTSIDE)
        host_timer(at_the_end->hosts[0], 0, 0);
}

static void illegal_actions(void **state)
{
    (void)state;
    struct policy breaker = policy_puppet;
    breaker.name = "breaker";
    breaker.on_job = NULL; /* or it would be charged for */
    breaker.fini = break_in_fini;
    for (int rule = 0; rule < RULES; rule++) {
        struct world w;
        struct puppet p = {.ready = break_in_ready,
                           .complete = break_in_complete,
                           .gone = break_in_gone,
                           .rule = rule};
        start(&w, &p, 1);
        w.spec.policy = &breaker;
        at_the_end = &p;
        if (rule == LAUNCH_PLEDGED || rule == LAUNCH_PLEDGED_DEVICE || rule == REVOKE_PLEDGED)
            w.spec.callback_ns = MS(1);
        if (rule == LAUNCH_OTHER_DOMAIN)
            world_domains(&w, 2, 1);
        uint32_t app = world_batch(&w, MS(50));
        w.apps[app].memory_bytes = rule == LAUNCH_MEMORY ? 1001 : 1000;
        world_job(&w, app, MS(100));
        bool needs_two = rule == LAUNCH_BUSY || rule == LAUNCH_PLEDGED_DEVICE ||
                         rule == LAUNCH_OTHER_DOMAIN || rule == REVOKE_PLEDGED;
        if (needs_two)
            world_job(&w, app, rule == REVOKE_PLEDGED ? MS(110) : MS(100));
        w.workload.jobs[0].sla_ns = MS(50);
        w.workload.jobs[0].drop_late = true;

        const char *at = "at 0.100000000 s";
        if (rule == LAUNCH_ENDED || rule == REVOKE_ENDED || rule == DROP_GONE || rule == OUTSIDE)
            at = "at 0.150000000 s";
        else if (rule == REVOKE_PLEDGED)
            at = "at 0.110000000 s";
        else if (rule == LAUNCH_PLEDGED_DEVICE)
            at = "at 0.101000000 s"; /* the second callback waits for the first one's charge */

        assert_int_equal(world_run(&w), -1);
        if (strstr(w.err.text, rule_text[rule]) == NULL || strstr(w.err.text, at) == NULL)
            print_error("rule %d: %s\n", rule, w.err.text);
        assert_non_null(strstr(w.err.text, "policy \"breaker\""));
        assert_non_null(strstr(w.err.text, at));
        assert_non_null(strstr(w.err.text, rule_text[rule]));
        assert_null(w.out.apps); /* no result */
        assert_null(w.out.requests_rows);
        world_release(&w);
    }
    at_the_end = NULL;
}

static int init_fails(void *state, const void *params, struct host *h)
{
    (void)state;
    (void)params;
    (void)h;
    return -1;
}

static void policies_that_do_not_start(void **state)
{
    (void)state;
    struct puppet p = {0};
    for (int which = 0; which < 4; which++) {
        static const char *const text[] = {"version 8 of the contract", "version 7 of the contract",
                                           "lacks on_ready or on_complete",
                                           "init failed and gave no reason"};
        struct policy bad = policy_puppet;
        struct world w;
        start(&w, &p, 1);
        w.spec.policy = &bad;
        if (which == 0)
            bad.abi = POLICY_ABI + 1;
        else if (which == 1)
            bad.size--;
        else if (which == 2)
            bad.on_complete = NULL;
        else
            bad.init = init_fails;
        assert_int_equal(world_run(&w), -1);
        assert_non_null(strstr(w.err.text, text[which]));
        assert_null(w.out.apps);
        world_release(&w);
    }
}

/* ---- What is seen ---- */

static void look_at_both(struct puppet *p, struct host *h, req_id r, bool done)
{
    struct host_device a, b;
    assert_true(done);
    assert_true(host_device(h, 0, &a) && host_device(h, 1, &b));
    assert_false(host_device(h, 2, &a));
    note(p, h, r);
    if (p->count == 2)
        return;
    assert_int_equal(a.state, HOST_IDLE);
    assert_int_equal(b.state, HOST_IDLE);
}

/* Two kernels end, and a request arrives, in one nanosecond: all of it is seen by the first
 * callback. */
static void an_instant_is_applied_first(void **state)
{
    (void)state;
    struct puppet p = {.ready = launch_if_idle, .complete = look_at_both};
    struct world w;
    start(&w, &p, 2);
    uint32_t app = world_latency(&w, MS(100));
    world_job(&w, app, 0);
    world_job(&w, app, 0);
    run(&w);
    assert_notes(&p, 2, (int64_t[]){MS(100), MS(100)}, (uint64_t[]){p.seen[0], p.seen[1]});
    assert_true(p.seen[0] < p.seen[1]);
    world_release(&w);
}

/* What is called, and how many devices idle then. */
static void note_idle(struct puppet *p, struct host *h, uint64_t what)
{
    struct host_device d;
    uint64_t idle = 0;
    for (dev_id i = 0; host_device(h, i, &d); i++)
        idle += d.state == HOST_IDLE;
    if (host_now(h) == MS(100))
        note(p, h, what + idle);
}

static void idle_in_ready(struct puppet *p, struct host *h, req_id r)
{
    note_idle(p, h, 10);
    launch_if_idle(p, h, r);
}

static void idle_in_complete(struct puppet *p, struct host *h, req_id r, bool done)
{
    (void)r;
    (void)done;
    note_idle(p, h, 20);
}

static void idle_in_decide(struct puppet *p, struct host *h)
{
    note_idle(p, h, 30);
}

/* Two clients without think time, whose requests end at one instant on two devices. */
static void orders_of_an_instant(void **state)
{
    (void)state;
    /* completed, c1 n1 c2 n2, each with its decide; n1 n2 c1 c2; c1 n1, one decide, c2 n2, one */
    static const uint64_t said[CLUSTER_INSTANTS][8] = {
        [CLUSTER_BATCHED] = {22, 32, 12, 31, 21, 31, 11, 30},
        [CLUSTER_ARRIVALS_FIRST] = {12, 31, 11, 30, 20, 30, 20, 30},
        [CLUSTER_ONE_BY_ONE] = {21, 11, 30, 21, 11, 30},
    };
    for (int instant = 0; instant < CLUSTER_INSTANTS; instant++) {
        struct puppet p = {
            .ready = idle_in_ready, .complete = idle_in_complete, .decide = idle_in_decide};
        struct world w;
        start(&w, &p, 2);
        w.spec.instant = (enum cluster_instant)instant;
        struct dcs_job *job = world_job(&w, world_latency(&w, MS(100)), 0);
        job->requests = 4;
        job->clients = 2;
        run(&w);
        int64_t at[8];
        for (int i = 0; i < 8; i++)
            at[i] = MS(100);
        assert_notes(&p, instant == CLUSTER_ONE_BY_ONE ? 6 : 8, at, said[instant]);
        world_release(&w);
    }
}

static void note_gone(struct puppet *p, struct host *h, req_id r)
{
    (void)r;
    note(p, h, 1);
}

static void note_decide(struct puppet *p, struct host *h)
{
    if (host_now(h) == MS(100))
        note(p, h, 2);
}

/* Two requests leave at the end of a kernel: the policy hears of both before it decides. */
static void decides_when_all_have_gone(void **state)
{
    (void)state;
    for (int instant = 0; instant < CLUSTER_ONE_BY_ONE; instant++) {
        struct puppet p = {.ready = launch_if_idle, .gone = note_gone, .decide = note_decide};
        struct world w;
        start(&w, &p, 1);
        w.spec.instant = (enum cluster_instant)instant;
        uint32_t app = world_latency(&w, MS(100));
        world_job(&w, app, 0);
        for (int i = 0; i < 2; i++) {
            struct dcs_job *job = world_job(&w, app, MS(50));
            job->sla_ns = MS(50);
            job->drop_late = true;
        }
        run(&w);
        assert_true(p.count > 3); /* the completion, and jobs that end, come after them */
        assert_true(p.what[0] == 1 && p.what[1] == 1 && p.what[2] == 2);
        world_release(&w);
    }
}

/* An action whose charge ends at an instant takes effect before anything is told of it, also of an
 * event that comes first: here the end of a kernel. */
static void launch_on_both(struct puppet *p, struct host *h, req_id r)
{
    if (p->seen_count == 1)
        host_launch(h, r, 0, whole);
    else
        host_launch(h, r, 1, whole);
}

static void see_both_taken(struct puppet *p, struct host *h, req_id r, bool done)
{
    struct host_request second;
    (void)done;
    if (r == p->seen[0] && host_request(h, p->seen[1], &second))
        note(p, h, second.state);
}

static void charged_actions_come_first(void **state)
{
    (void)state;
    for (int instant = 0; instant < CLUSTER_INSTANTS; instant++) {
        struct puppet p = {.ready = launch_on_both, .complete = see_both_taken};
        struct world w;
        start(&w, &p, 2);
        w.spec.instant = (enum cluster_instant)instant;
        w.spec.callback_ns = MS(10);
        world_job(&w, world_latency(&w, MS(100)), 0); /* told at 10 ms (its job at 0), from 20 on */
        world_job(&w, world_latency(&w, MS(50)),
                  MS(100)); /* told at 110, from 120 on: the first ends */
        run(&w);
        assert_notes(&p, 1, (int64_t[]){MS(120)}, (uint64_t[]){HOST_RUNNING});
        world_release(&w);
    }
}

static void look_at_revocation(struct puppet *p, struct host *h, uint64_t cookie)
{
    struct host_device d;
    struct host_request r;
    assert_true(host_device(h, 0, &d) && host_request(h, p->seen[0], &r));
    assert_int_equal(d.kernels_max, 1);
    assert_int_equal(d.mechanisms, 1u << HOST_WHOLE);
    assert_true(d.memory_bytes == 1000);
    switch (cookie) {
    case 50: /* it runs */
        assert_int_equal(d.state, HOST_BUSY);
        assert_int_equal(d.kernels, 1);
        assert_true(d.first == p->seen[0] && d.since_ns == MS(10));
        assert_true(d.memory_used_bytes == 300 && d.revoke_ns == MS(22));
        assert_int_equal(r.state, HOST_RUNNING);
        assert_true(r.start_ns == MS(10) && r.arrival_ns == MS(10) && r.device == 0);
        assert_true(r.deadline_ns == HOST_NEVER && r.memory_bytes == 300);
        assert_true(host_measured(h, p->seen[0], 0) == -1);
        assert_true(host_predict(h, p->seen[0], HOST_DURATION_NS, whole) == MS(100));
        assert_true(host_predict(h, p->seen[0], HOST_TOTAL_DURATION_NS, whole) == MS(200));
        host_revoke(h, p->seen[0]);
        host_timer(h, MS(54), 54);
        break;
    case 54: /* it is being revoked; a dead context keeps its memory */
        assert_int_equal(d.state, HOST_REVOKING);
        assert_int_equal(d.kernels, 0);
        assert_true(d.first == 0 && d.since_ns == MS(50) && d.revoke_ns == 0);
        assert_true(d.memory_used_bytes == 300);
        assert_int_equal(r.state, HOST_STOPPING);
        assert_int_equal(r.revocations, 1);
        break;
    case 60: /* it waits again */
        assert_int_equal(d.state, HOST_IDLE);
        assert_true(d.since_ns == MS(55) && d.memory_used_bytes == 300);
        assert_int_equal(r.state, HOST_WAITING);
        assert_true(r.device == HOST_NO_DEVICE && r.start_ns == MS(10));
        host_launch(h, p->seen[0], 0, whole);
        break;
    default:
        assert_true(false);
    }
    note(p, h, cookie);
}

static void ready_of_revocation(struct puppet *p, struct host *h, req_id r)
{
    if (p->seen_count == 1) {
        host_launch(h, r, 0, whole);
        host_timer(h, MS(50), 50);
        return;
    }
    note(p, h, 0);
    host_timer(h, MS(60), 60);
}

/* The second kernel follows at once; the first one took 17 + 75 + 100 from its launch at 60. */
static void complete_of_revocation(struct puppet *p, struct host *h, req_id r, bool done)
{
    struct host_request view;
    assert_true(host_request(h, r, &view));
    assert_true(host_measured(h, r, 0) == MS(17 + 75 + 100));
    assert_true(host_measured(h, r, 1) == (done ? MS(100) : -1));
    assert_true(host_measured(h, r, 2) == -1);
    if (!done) {
        assert_int_equal(view.kernel, 1);
        host_launch(h, r, 0, whole);
    }
    note(p, h, done);
}

static void what_is_seen(void **state)
{
    (void)state;
    struct puppet p = {.ready = ready_of_revocation,
                       .complete = complete_of_revocation,
                       .timer = look_at_revocation};
    struct world w;
    start(&w, &p, 1);
    uint32_t app = world_app(&w, DCS_BATCH, 2, MS(100));
    w.apps[app].memory_bytes = 300;
    world_job(&w, app, MS(10));
    run(&w);
    assert_notes(&p, 6, (int64_t[]){MS(50), MS(54), MS(55), MS(60), MS(252), MS(352)},
                 (uint64_t[]){50, 54, 0, 60, 0, 1});
    assert_true(world_end(&w, 0, 0) == MS(352));
    world_release(&w);
}

static void look_while_charged(struct puppet *p, struct host *h, req_id r)
{
    struct host_device d;
    struct host_request view;
    if (p->seen_count == 2) {
        note(p, h, 2);
        return;
    }
    host_launch(h, r, 0, whole);
    assert_true(host_device(h, 0, &d) && host_request(h, r, &view));
    assert_int_equal(d.state, HOST_BUSY);
    assert_true(d.first == r && d.kernels == 0 && d.revoke_ns == 0);
    assert_int_equal(view.state, HOST_STARTING);
    assert_int_equal(view.device, 0);
    assert_true(view.start_ns == HOST_NEVER);
    host_timer(h, MS(30), 1);
    note(p, h, 0);
}

static void revoke_while_charged(struct puppet *p, struct host *h, uint64_t cookie)
{
    struct host_device d;
    host_revoke(h, p->seen[0]);
    assert_true(host_device(h, 0, &d));
    assert_int_equal(d.state, HOST_REVOKING);
    note(p, h, cookie);
}

/* Callbacks cost 2: told at 10, launched at 12; told at 30, revoked at 32, killed at 37. */
static void what_is_seen_while_charged(void **state)
{
    (void)state;
    struct puppet p = {.ready = look_while_charged, .timer = revoke_while_charged};
    struct policy quiet = policy_puppet;
    struct world w;
    start(&w, &p, 1);
    w.spec.policy = &quiet;
    quiet.on_job = NULL;
    w.spec.callback_ns = MS(2);
    w.spec.horizon_ns = MS(200);
    world_job(&w, world_batch(&w, MS(100)), MS(10));
    run(&w);
    assert_notes(&p, 3, (int64_t[]){MS(10), MS(30), MS(37)}, (uint64_t[]){0, 1, 2});
    assert_true(world_row(&w, 0, 0)->start_ns == MS(12));
    assert_true(w.out.devices[0].lost_ns == MS(20));
    assert_true(w.out.devices[0].overhead_ns == MS(5));
    world_release(&w);
}

/* ---- Timers ---- */

static void set_timers(struct puppet *p, struct host *h)
{
    host_timer(h, MS(30), 30);
    p->timers[0] = host_timer(h, MS(20), 20);
    host_timer(h, MS(10), 10);
    host_timer(h, MS(30), 31); /* a tie: in the order in which they were set */
    host_timer(h, HOST_NEVER, 99);
    p->timers[1] = host_timer(h, HOST_NEVER, 98);
    host_timer_cancel(h, 0);
    host_timer_cancel(h, UINT64_MAX);
}

static void on_timers(struct puppet *p, struct host *h, uint64_t cookie)
{
    note(p, h, cookie);
    if (cookie == 10) {
        host_timer_cancel(h, p->timers[0]); /* 20 does not come */
        host_timer_cancel(h, p->timers[0]);
        host_timer_cancel(h, p->timers[1]);
        p->timers[2] = host_timer(h, MS(40), 40); /* in a slot that was used before */
        host_timer_cancel(h, p->timers[0]);       /* an old id takes nothing back */
        host_timer_cancel(h, p->timers[1]);
    } else if (cookie == 30) {
        host_timer(h, MS(5), 5); /* has passed: at once, but after 31 */
        host_timer(h, -1, 6);
    } else if (cookie == 40) {
        p->timers[3] = host_timer(h, MS(50), 50);
        p->timers[2] = host_timer(h, MS(50), 51);
    } else if (cookie == 50) {
        host_timer_cancel(h, p->timers[2]); /* due at this instant, not called yet */
        host_timer_cancel(h, p->timers[3]); /* itself */
    }
}

static void timers(void **state)
{
    (void)state;
    struct puppet p = {.begin = set_timers, .timer = on_timers};
    struct world w;
    start(&w, &p, 1);
    w.spec.horizon_ns = MS(100);
    run(&w);
    assert_notes(&p, 7, (int64_t[]){MS(10), MS(30), MS(30), MS(30), MS(30), MS(40), MS(50)},
                 (uint64_t[]){10, 30, 31, 5, 6, 40, 50});
    world_release(&w);
}

static void cancel_next(struct puppet *p, struct host *h, uint64_t cookie)
{
    note(p, h, cookie);
    if (cookie == 1)
        host_timer_cancel(h, p->timers[0]);
}

static void set_two_at_once(struct puppet *p, struct host *h)
{
    host_timer(h, MS(50), 1);
    p->timers[0] = host_timer(h, MS(50), 2);
    host_timer(h, MS(51), 3);
}

/* Callbacks cost 2; one that is taken back in time is not made and costs nothing. */
static void no_charge_without_a_callback(void **state)
{
    (void)state;
    struct puppet p = {.begin = set_two_at_once, .timer = cancel_next};
    struct world w;
    start(&w, &p, 1);
    w.spec.callback_ns = MS(2);
    w.spec.horizon_ns = MS(100);
    run(&w);
    assert_notes(&p, 2, (int64_t[]){MS(50), MS(52)}, (uint64_t[]){1, 3});
    world_release(&w);
}

/* ---- Jobs, returns, drops ---- */

/* Each of two domains hears that the job begins at 10 and ends at 60. */
static void jobs_are_told_to_all(void **state)
{
    (void)state;
    struct puppet p = {.ready = launch, .jobs_begin = true, .jobs_end = true};
    struct world w;
    start(&w, &p, 1);
    world_domains(&w, 2, 1);
    world_job(&w, world_latency(&w, MS(50)), MS(10));
    run(&w);
    assert_notes(&p, 4, (int64_t[]){MS(10), MS(10), MS(60), MS(60)}, (uint64_t[]){1, 1, 0, 0});
    world_release(&w);
}

/* Of a job that is pinned only its domain hears. */
static void pinned_jobs_are_told_to_one(void **state)
{
    (void)state;
    struct puppet p = {.ready = launch, .jobs_begin = true, .jobs_end = true};
    struct world w;
    start(&w, &p, 1);
    world_domains(&w, 3, 1);
    struct dcs_job *job = world_job(&w, world_latency(&w, MS(50)), MS(10));
    job->pinned = true;
    job->domain = 1;
    run(&w);
    assert_notes(&p, 2, (int64_t[]){MS(10), MS(60)}, (uint64_t[]){1, 0});
    assert_int_equal(world_row(&w, 0, 0)->domain, 1);
    assert_int_equal(w.out.jobs[0].domain, 1);
    world_release(&w);
}

/* Domain number `rule` takes nothing. */
static void return_from_one(struct puppet *p, struct host *h, req_id r)
{
    struct host_request view;
    bool takes = h != p->hosts[p->rule];
    assert_true(host_request(h, r, &view));
    if (takes)
        launch_if_idle(p, h, r);
    else
        host_return_to_router(h, r);
    assert_true(host_request(h, r, &view) == takes);
}

/* A request that is returned goes to another domain, whatever the router; each of 8 ends in
 * domain 1. */
static void returns_avoid_the_sender(void **state)
{
    (void)state;
    for (int router = CLUSTER_ROUND_ROBIN; router <= CLUSTER_LEAST_OUTSTANDING; router++) {
        struct puppet p = {.ready = return_from_one};
        struct world w;
        start(&w, &p, 1);
        world_domains(&w, 2, 1);
        w.spec.router = (enum cluster_router)router;
        uint32_t app = world_latency(&w, MS(10));
        for (int i = 0; i < 8; i++)
            world_job(&w, app, MS(20) * i);
        run(&w);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(world_row(&w, i, 0)->domain, 1);
            assert_true(world_end(&w, i, 0) == MS(20) * i + MS(10));
        }
        assert_true(w.out.returned >= 1 && w.out.returned <= 8);
        if (router == CLUSTER_LEAST_OUTSTANDING)
            assert_int_equal(w.out.returned, 8); /* all are empty: domain 0 first */
        world_release(&w);
    }
}

/* It is the sender's turn (three requests went to 0, 1, 2), or the sender is the emptiest: not
 * there. */
static void returns_avoid_the_sender_even_in_turn(void **state)
{
    (void)state;
    for (int least = 0; least < 2; least++) {
        struct puppet p = {.ready = return_from_one, .rule = least};
        struct world w;
        start(&w, &p, 1);
        world_domains(&w, least ? 2 : 3, 3);
        w.spec.router = least ? CLUSTER_LEAST_OUTSTANDING : CLUSTER_ROUND_ROBIN;
        uint32_t app = world_latency(&w, MS(10));
        for (int i = 0; i < (least ? 2 : 3); i++)
            world_job(&w, app, 0);
        run(&w);
        assert_int_equal(w.out.returned, 1);
        assert_int_equal(world_row(&w, least ? 1 : 0, 0)->domain, least ? 0 : 1);
        world_release(&w);
    }
}

/* Returned at first, launched when it comes again. */
static void return_the_first(struct puppet *p, struct host *h, req_id r)
{
    note(p, h, r);
    if (p->count == 1)
        host_return_to_router(h, r);
    else
        launch(p, h, r);
}

/* A request of a job that is pinned to domain 2 comes back there at once, though others are empty.
 * The router does not count it: the job that is not pinned still gets domain 0, the first in turn.
 */
static void pinned_requests_come_back(void **state)
{
    (void)state;
    struct puppet p = {.ready = return_the_first};
    struct world w;
    start(&w, &p, 1);
    world_domains(&w, 3, 1);
    uint32_t app = world_latency(&w, MS(10));
    struct dcs_job *job = world_job(&w, app, MS(5));
    job->pinned = true;
    job->domain = 2;
    world_job(&w, app, MS(7));
    run(&w);
    assert_int_equal(p.count, 3);
    assert_true(p.what[0] == p.what[1] && p.at_ns[0] == MS(5) && p.at_ns[1] == MS(5));
    assert_int_equal(w.out.returned, 1);
    assert_int_equal(world_row(&w, 0, 0)->domain, 2);
    assert_true(world_end(&w, 0, 0) == MS(15));
    assert_int_equal(world_row(&w, 1, 0)->domain, 0);
    assert_int_equal(w.out.jobs[1].domain, UINT32_MAX);
    world_release(&w);
}

/* Response times of jobs are kept up to a number of jobs with an SLA; those without do not count.
 */
static void job_times_have_a_bound(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct world w;
        world_init(&w, policies_find("fcfs"), 1);
        w.spec.keep_job_times = true;
        uint32_t app = world_latency(&w, MS(10));
        for (int i = 0; i < CLUSTER_JOB_TIMES_MAX + more; i++)
            world_job(&w, app, MS(20) * i)->sla_ns = i == 0 ? MS(9) : MS(10);
        world_job(&w, app, MS(20) * (CLUSTER_JOB_TIMES_MAX + more));
        assert_int_equal(world_run(&w), 0);
        for (size_t i = 0; i < w.out.jobs_count; i++) {
            const struct cluster_job_row *row = &w.out.jobs[i];
            bool kept = !more && i < CLUSTER_JOB_TIMES_MAX;
            assert_true(row->p99_ns == (kept ? MS(10) : DCS_NEVER));
            assert_int_equal(row->decided, row->sla_ns > 0);
            assert_int_equal(row->met, row->sla_ns == MS(10));
        }
        world_release(&w);
    }
}

/* With checkpoints every 15, 40 after its start 30 are saved: 70 of 100 are predicted from then on.
 */
static void predict_the_rest(struct puppet *p, struct host *h, req_id r)
{
    if (p->seen_count == 2)
        note(p, h, (uint64_t)host_predict(h, r, HOST_DURATION_NS, whole));
    host_launch(h, r, 0, whole);
    if (p->seen_count == 1)
        host_timer(h, MS(50), r);
}

static void revoke_it(struct puppet *p, struct host *h, uint64_t cookie)
{
    (void)p;
    host_revoke(h, cookie);
}

static void what_is_saved_is_predicted(void **state)
{
    (void)state;
    for (int clairvoyant = 0; clairvoyant < 2; clairvoyant++) {
        struct puppet p = {.ready = predict_the_rest, .timer = revoke_it};
        struct world w;
        start(&w, &p, 1);
        w.spec.clairvoyant = clairvoyant;
        w.spec.checkpoint = (struct dcs_checkpoint){.interval_ns = MS(15)};
        world_job(&w, world_batch(&w, MS(100)), MS(10));
        run(&w);
        assert_notes(&p, 1, (int64_t[]){MS(55)}, (uint64_t[]){MS(70)});
        assert_true(world_end(&w, 0, 0) == MS(55 + 17 + 75 + 70));
        world_release(&w);
    }
}

static void drop_second(struct puppet *p, struct host *h, req_id r)
{
    if (p->seen_count == 2)
        host_drop(h, r);
    else
        launch_if_idle(p, h, r);
}

/* The client of a dropped request gets its answer at once, and issues the next one. */
static void drops(void **state)
{
    (void)state;
    struct puppet p = {.ready = drop_second};
    struct world w;
    start(&w, &p, 1);
    uint32_t app = world_latency(&w, MS(10));
    struct dcs_job *job = world_job(&w, app, 0);
    job->requests = 3;
    job->sla_ns = MS(100);
    run(&w);
    assert_true(world_end(&w, 0, 0) == MS(10));
    assert_true(world_end(&w, 0, 1) == MS(10));
    assert_int_equal(world_row(&w, 0, 1)->outcome, CLUSTER_DROPPED);
    assert_true(world_end(&w, 0, 2) == MS(20));
    assert_int_equal(w.out.apps[app].dropped, 1);
    assert_int_equal(w.out.apps[app].decided, 3);
    assert_int_equal(w.out.apps[app].met, 2);
    world_release(&w);
}

/* Requests that the policy forgets are counted, in a run that would never end. */
static void forgotten(void **state)
{
    (void)state;
    struct puppet p = {0};
    struct world w;
    start(&w, &p, 1);
    uint32_t app = world_latency(&w, MS(10));
    world_job(&w, app, MS(5));
    world_job(&w, app, MS(7));
    run(&w);
    assert_int_equal(w.out.left_waiting, 2);
    assert_int_equal(w.out.apps[app].inside, 2);
    world_release(&w);
}

/* ---- Odd endings ---- */

/* In a process of its own, since what these look for are failing assertions and endless runs. */
static void assert_in_child(bool (*body)(void))
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(1800); /* a sanitizer is slow */
        _Exit(body() ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void drop_at_30(struct puppet *p, struct host *h, req_id r)
{
    if (p->seen_count == 1)
        host_launch(h, r, 0, whole);
    else
        host_timer(h, MS(30), r);
}

static void drop_it(struct puppet *p, struct host *h, uint64_t cookie)
{
    (void)p;
    host_drop(h, cookie);
}

/* [0, 10] done; the other one, there since 5, dropped at 30. In the system: 10 + 25 ms. */
static bool last_is_dropped(void)
{
    struct puppet p = {.ready = drop_at_30, .timer = drop_it};
    struct world w;
    start(&w, &p, 1);
    uint32_t app = world_latency(&w, MS(10));
    world_job(&w, app, 0);
    world_job(&w, app, MS(5));
    bool good = world_run(&w) == 0 && w.out.area_ns == MS(35) && world_end(&w, 1, 0) == MS(30);
    world_release(&w);
    return good;
}

/* None is ever completed. */
static bool all_are_dropped(void)
{
    struct puppet p = {0};
    struct world w;
    start(&w, &p, 1);
    struct dcs_job *job = world_job(&w, world_latency(&w, MS(10)), MS(5));
    job->sla_ns = MS(20);
    job->drop_late = true;
    bool good = world_run(&w) == 0 && w.out.area_ns == MS(20) && w.out.apps[0].dropped == 1;
    world_release(&w);
    return good;
}

static void runs_that_end_with_a_drop(void **state)
{
    (void)state;
    assert_in_child(last_is_dropped);
    assert_in_child(all_are_dropped);
}

/* Polls each us while a kernel runs for 1.2 s: more than a million timers in a row, but not for
 * nothing. */
static void poll(struct puppet *p, struct host *h, uint64_t cookie)
{
    (void)p;
    host_timer(h, host_now(h) + 1000, cookie);
}

static void launch_and_poll(struct puppet *p, struct host *h, req_id r)
{
    launch(p, h, r);
    poll(p, h, 0);
}

static bool polls(void)
{
    struct puppet p = {.ready = launch_and_poll, .timer = poll};
    struct world w;
    start(&w, &p, 1);
    world_job(&w, world_batch(&w, MS(1200)), 0);
    bool good = world_run(&w) == 0 && world_end(&w, 0, 0) == MS(1200);
    world_release(&w);
    return good;
}

/* Sets a timer for now again and again: an error, with and without a horizon, not an endless run.
 */
static void stand_still(struct puppet *p, struct host *h, uint64_t cookie)
{
    (void)p;
    host_timer(h, 0, cookie);
}

static void begin_to_stand_still(struct puppet *p, struct host *h)
{
    stand_still(p, h, 0);
}

static bool stands_still(int64_t horizon_ns)
{
    struct puppet p = {.begin = begin_to_stand_still, .timer = stand_still};
    struct world w;
    start(&w, &p, 1);
    w.spec.horizon_ns = horizon_ns;
    world_job(&w, world_batch(&w, MS(10)), 0);
    bool good = world_run(&w) == -1 && strstr(w.err.text, "policy \"puppet\"") != NULL;
    world_release(&w);
    return good;
}

static bool stands_still_without_horizon(void)
{
    return stands_still(DCS_NEVER);
}

static bool stands_still_with_horizon(void)
{
    return stands_still(MS(1000));
}

static void policies_that_set_timers_for_ever(void **state)
{
    (void)state;
    assert_in_child(polls);
    assert_in_child(stands_still_without_horizon);
    assert_in_child(stands_still_with_horizon);
}

/* Kernels that take no time take 1 ns. A client that issues them without an end would have the run
 * take a thousand million of them for each second: an error that names the application. */
static bool no_time_passes(void)
{
    struct world w;
    world_init(&w, policies_find("fcfs"), 2);
    w.spec.keep_requests = false;
    w.spec.horizon_ns = MS(10000);
    world_job(&w, world_app(&w, DCS_BATCH, 100, 0), 0)->requests = 0;
    world_job(&w, world_latency(&w, MS(1)), 0)->requests = 0;
    bool good = world_run(&w) == -1 && strstr(w.err.text, "application \"batch\"") != NULL;
    world_release(&w);
    return good;
}

/* A million of them that come at once are served, however. */
static bool many_come_at_once(void)
{
    struct world w;
    world_init(&w, policies_find("fcfs"), 1);
    w.spec.keep_requests = false;
    struct dcs_job *job = world_job(&w, world_batch(&w, 0), 0);
    job->requests = job->clients = 1000000;
    bool good = world_run(&w) == 0 && w.out.apps[0].completions == 1000000;
    world_release(&w);
    return good;
}

static void requests_that_take_no_time(void **state)
{
    (void)state;
    assert_in_child(no_time_passes);
    assert_in_child(many_come_at_once);
}

/* A run that is to be broken off makes no callback more, although ten requests came at once. */
static atomic_bool stop;

static void stop_at_third(struct puppet *p, struct host *h, req_id r)
{
    (void)h;
    (void)r;
    atomic_store(&stop, p->seen_count == 3);
}

static void stops_within_an_instant(void **state)
{
    (void)state;
    struct puppet p = {.ready = stop_at_third};
    struct world w;
    start(&w, &p, 1);
    w.spec.stop = &stop;
    struct dcs_job *job = world_job(&w, world_batch(&w, MS(1)), 0);
    job->requests = job->clients = 10;
    run(&w);
    assert_true(w.out.interrupted);
    assert_int_equal(p.seen_count, 3);
    world_release(&w);
}

/* ---- Requests that leave while they wait ---- */

/*
 * The device is free at 100, which is the deadline of the two that wait: they have gone when the
 * completion is told. Nobody waits any more, so the batch request of 200 is left alone.
 */
static bool gone_as_the_device_ends(const char *policy)
{
    struct world w;
    world_init(&w, policies_find(policy), 1);
    world_param(&w, "revocation", 1);
    w.spec.horizon_ns = MS(2000);
    uint32_t latency = world_latency(&w, MS(100));
    world_job(&w, latency, 0);
    for (int i = 0; i < 2; i++) {
        struct dcs_job *job = world_job(&w, latency, MS(50));
        job->sla_ns = MS(50);
        job->drop_late = true;
    }
    world_job(&w, world_batch(&w, MS(300)), MS(200));
    bool good = world_run(&w) == 0 && w.out.revocations == 0 && world_end(&w, 3, 0) == MS(500);
    world_release(&w);
    return good;
}

static bool gone_as_the_device_ends_priority(void)
{
    return gone_as_the_device_ends("priority");
}

static bool gone_as_the_device_ends_elastic(void)
{
    return gone_as_the_device_ends("elastic");
}

static void policies_notice_who_has_gone(void **state)
{
    (void)state;
    assert_in_child(gone_as_the_device_ends_priority);
    assert_in_child(gone_as_the_device_ends_elastic);
}

/*
 * Callbacks cost 10. X [10, 110]. Told at 110, the policy launches A for 120; A's deadline of 115
 * comes too late to drop it, since its launch has been decided: A runs [120, 220], B [230, 330].
 */
static void charged_launch_of_one_that_goes(void **state)
{
    (void)state;
    for (size_t i = 0; policies_all[i] != NULL; i++) {
        if (policies_all[i]->on_job != NULL)
            continue; /* that callback would be charged, too */
        if ((policies_all[i]->needs & (1u << HOST_CPU | HOST_NEEDS_CHUNKS | HOST_NEEDS_BLOCKS)) !=
            0)
            continue; /* such devices are not for them */
        struct world w;
        world_init(&w, policies_all[i], 1);
        w.spec.callback_ns = MS(10);
        w.spec.horizon_ns = MS(1000);
        uint32_t app = world_latency(&w, MS(100));
        world_job(&w, app, 0);
        struct dcs_job *job = world_job(&w, app, MS(20));
        job->sla_ns = MS(95);
        job->drop_late = true;
        world_job(&w, app, MS(40));
        run(&w);
        assert_true(world_end(&w, 0, 0) == MS(110));
        assert_true(world_end(&w, 1, 0) == MS(220));
        assert_true(world_end(&w, 2, 0) == MS(330));
        world_release(&w);
    }
}

/*
 * Callbacks cost 10. X [10, 110]. C comes at 105, which keeps the scheduler busy until 115;
 * meanwhile B's deadline passes (107) and X ends. Told that B has gone, with an idle device at
 * hand, the policy must not launch B. FCFS is not told of B, Elastic decides anew: C [125, 225].
 * The others only take note of B, are told of X at 125: C [135, 235].
 */
static void told_late_who_has_gone(void **state)
{
    (void)state;
    for (size_t i = 0; policies_all[i] != NULL; i++) {
        if (policies_all[i]->on_job != NULL)
            continue; /* that callback would be charged, too */
        if ((policies_all[i]->needs & (1u << HOST_CPU | HOST_NEEDS_CHUNKS | HOST_NEEDS_BLOCKS)) !=
            0)
            continue; /* such devices are not for them */
        struct world w;
        world_init(&w, policies_all[i], 1);
        w.spec.callback_ns = MS(10);
        w.spec.horizon_ns = MS(1000);
        uint32_t app = world_latency(&w, MS(100));
        world_job(&w, app, 0);
        struct dcs_job *job = world_job(&w, app, MS(50));
        job->sla_ns = MS(57);
        job->drop_late = true;
        world_job(&w, app, MS(105));
        run(&w);
        assert_true(world_end(&w, 0, 0) == MS(110));
        assert_true(world_end(&w, 1, 0) == MS(107));
        bool later = strcmp(policies_all[i]->name, "fcfs") != 0 &&
                     strcmp(policies_all[i]->name, "elastic") != 0;
        assert_true(world_end(&w, 2, 0) == (later ? MS(235) : MS(225)));
        world_release(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(illegal_actions),
        cmocka_unit_test(policies_that_do_not_start),
        cmocka_unit_test(an_instant_is_applied_first),
        cmocka_unit_test(orders_of_an_instant),
        cmocka_unit_test(decides_when_all_have_gone),
        cmocka_unit_test(charged_actions_come_first),
        cmocka_unit_test(what_is_seen),
        cmocka_unit_test(what_is_seen_while_charged),
        cmocka_unit_test(timers),
        cmocka_unit_test(no_charge_without_a_callback),
        cmocka_unit_test(jobs_are_told_to_all),
        cmocka_unit_test(pinned_jobs_are_told_to_one),
        cmocka_unit_test(returns_avoid_the_sender),
        cmocka_unit_test(returns_avoid_the_sender_even_in_turn),
        cmocka_unit_test(pinned_requests_come_back),
        cmocka_unit_test(job_times_have_a_bound),
        cmocka_unit_test(what_is_saved_is_predicted),
        cmocka_unit_test(drops),
        cmocka_unit_test(forgotten),
        cmocka_unit_test(runs_that_end_with_a_drop),
        cmocka_unit_test(policies_that_set_timers_for_ever),
        cmocka_unit_test(requests_that_take_no_time),
        cmocka_unit_test(stops_within_an_instant),
        cmocka_unit_test(policies_notice_who_has_gone),
        cmocka_unit_test(charged_launch_of_one_that_goes),
        cmocka_unit_test(told_late_who_has_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
