/*
 * test_policies_by_hand.c - tiny worlds whose every completion was computed by hand.
 *
 * Pins: what the built-in policies do on 1 to 3 devices with exact service times, to the
 * nanosecond: who runs when and where, who is revoked, what that costs, what counts as met,
 * dropped, late; routers, the charged scheduler, horizon and warm-up, think times. The arithmetic
 * stands beside each number, in ms, as [start of the launch, end]. Does not pin: averages, random
 * work (tests/stat, tests/prop), the contract's own rules (test_contract_by_hand.c). Why by hand: a
 * number that the program itself once printed would only say that it has not changed.
 */
#include "policies/policies.h"
#include "tests/world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#define assert_end(w, job, index, ns)                                                              \
    assert_true(world_end((w), (job), (index)) == (ns)) /* a 64-bit assert_int_equal */

static void assert_usage(const struct world *w, uint32_t device, int64_t useful_ns, int64_t lost_ns,
                         int64_t overhead_ns)
{
    const struct dcs_usage *u = &w->out.devices[device];
    assert_true(u->useful_ns == useful_ns);
    assert_true(u->lost_ns == lost_ns);
    assert_true(u->overhead_ns == overhead_ns);
    assert_true(u->busy_ns == useful_ns + lost_ns + overhead_ns);
}

static void start(struct world *w, const char *policy, uint32_t devices)
{
    const struct policy *p = policies_find(policy);
    assert_non_null(p);
    assert_true(p->params_size <= WORLD_PARAMS_BYTES);
    world_init(w, p, devices);
}

static void run(struct world *w)
{
    int result = world_run(w);
    if (result != 0)
        print_error("%s\n", w->err.text);
    assert_int_equal(result, 0);
}

/* ---- First come, first served ---- */

static void fcfs_order(void **state)
{
    (void)state;
    struct world w;
    start(&w, "fcfs", 1);
    world_job(&w, world_latency(&w, MS(100)), 0);
    world_job(&w, world_batch(&w, MS(20)), MS(5));
    world_job(&w, world_batch(&w, MS(50)), MS(10));
    world_job(&w, world_latency(&w, MS(30)), MS(10)); /* a tie: as drawn */
    run(&w);
    assert_end(&w, 0, 0, MS(100)); /* [0, 100] */
    assert_end(&w, 1, 0, MS(120)); /* [100, 120] */
    assert_end(&w, 2, 0, MS(170)); /* [120, 170] */
    assert_end(&w, 3, 0, MS(200)); /* [170, 200] */
    assert_usage(&w, 0, MS(200), 0, 0);
    /* Sojourns 100 + 115 + 160 + 190 = 565 over 200. */
    assert_true(w.out.area_ns == MS(565));
    assert_true(w.out.mean_in_system == 2.825);
    assert_int_equal(w.out.launches, 4);
    world_release(&w);
}

/* Two kernels end in one nanosecond: the first waiting request takes the lower device. */
static void fcfs_ends_together(void **state)
{
    (void)state;
    struct world w;
    start(&w, "fcfs", 2);
    uint32_t a = world_latency(&w, MS(100)), c = world_latency(&w, MS(30)),
             d = world_latency(&w, MS(20));
    world_job(&w, a, 0);
    world_job(&w, a, 0);
    world_job(&w, c, MS(1));
    world_job(&w, d, MS(1));
    run(&w);
    assert_end(&w, 0, 0, MS(100));
    assert_end(&w, 1, 0, MS(100));
    assert_end(&w, 2, 0, MS(130));
    assert_end(&w, 3, 0, MS(120));
    assert_int_equal(world_row(&w, 2, 0)->device, 0);
    assert_int_equal(world_row(&w, 3, 0)->device, 1);
    world_release(&w);
}

/* A request runs through its kernels; the next one waits for the last of them. */
static void fcfs_several_kernels(void **state)
{
    (void)state;
    struct world w;
    start(&w, "fcfs", 1);
    uint32_t a = world_app(&w, DCS_LATENCY, 3, 0);
    for (uint32_t k = 0; k < 3; k++)
        w.apps[a].mean_ns[k] = MS(10) * (k + 1); /* 10 + 20 + 30 */
    struct dcs_job *job = world_job(&w, a, 0);
    job->requests = 3;
    job->clients = 2;
    run(&w);
    assert_end(&w, 0, 0, MS(60));
    assert_end(&w, 0, 1, MS(120));
    assert_end(&w, 0, 2, MS(180)); /* issued at 60, behind number 1 */
    assert_true(world_row(&w, 0, 2)->arrival_ns == MS(60));
    assert_int_equal(w.out.launches, 9);
    assert_int_equal(w.out.apps[a].completions, 3);
    world_release(&w);
}

/* ---- Priority ---- */

static void priority_waits_for_batch(void **state)
{
    (void)state;
    struct world w;
    start(&w, "priority", 1);
    uint32_t latency = world_latency(&w, MS(40));
    world_job(&w, world_batch(&w, MS(1000)), 0);
    world_job(&w, world_batch(&w, MS(100)), MS(10));
    world_job(&w, latency, MS(20));
    world_job(&w, latency, MS(30));
    run(&w);
    assert_end(&w, 0, 0, MS(1000));
    assert_end(&w, 2, 0, MS(1040));
    assert_end(&w, 3, 0, MS(1080));
    assert_end(&w, 1, 0, MS(1180));
    assert_int_equal(w.out.revocations, 0);
    world_release(&w);
}

/*
 * At 100 batch is revoked: the kill takes till 105, the latency request's first CUDA call till 122,
 * it ends at 162. Batch restarts at 162, first clears 60 and spawns 15, till 237, and ends at 1237.
 */
static void priority_revokes(void **state)
{
    (void)state;
    struct world w;
    start(&w, "priority", 1);
    world_param(&w, "revocation", 1);
    uint32_t batch = world_batch(&w, MS(1000)), latency = world_latency(&w, MS(40));
    world_job(&w, batch, 0);
    world_job(&w, latency, MS(100));
    run(&w);
    assert_end(&w, 1, 0, MS(162));
    assert_end(&w, 0, 0, MS(1237));
    assert_int_equal(world_row(&w, 0, 0)->revocations, 1);
    assert_true(world_row(&w, 0, 0)->start_ns == MS(162));
    assert_usage(&w, 0, MS(1040), MS(100), MS(5 + 17 + 60 + 15));
    assert_int_equal(w.out.revocations, 1);
    assert_int_equal(w.out.launches, 3);
    assert_int_equal(w.out.apps[batch].revocations, 1);
    assert_true(w.out.apps[latency].response->max == MS(62)); /* 22 + 40 */
    world_release(&w);
}

static void priority_revokes_the_newest(void **state)
{
    (void)state;
    for (int tie = 0; tie < 2; tie++) {
        struct world w;
        start(&w, "priority", 3);
        world_param(&w, "revocation", 1);
        uint32_t batch = world_batch(&w, MS(1000)), latency = world_latency(&w, MS(40));
        world_job(&w, batch, 0);
        world_job(&w, batch, tie ? 0 : MS(10));
        world_job(&w, batch, tie ? 0 : MS(20));
        world_job(&w, latency, MS(100)); /* takes the device of job 2 */
        world_job(&w, latency, MS(103)); /* one is on its way, for job 3: takes that of job 1 */
        run(&w);
        assert_end(&w, 0, 0, MS(1000));
        assert_end(&w, 3, 0, MS(105 + 17 + 40)); /* 162, on device 2 */
        assert_end(&w, 4, 0, MS(108 + 17 + 40)); /* 165, on device 1 */
        assert_int_equal(world_row(&w, 3, 0)->device, 2);
        assert_int_equal(world_row(&w, 4, 0)->device, 1);
        /* At 105 job 2 waits at the head, at 108 job 1 goes before it; at 162 device 2 takes job 1.
         */
        assert_end(&w, 1, 0, MS(162 + 75 + 1000));
        assert_end(&w, 2, 0, MS(165 + 75 + 1000));
        assert_usage(&w, 1, MS(1040), tie ? MS(103) : MS(93), MS(97));
        assert_usage(&w, 2, MS(1040), tie ? MS(100) : MS(80), MS(97));
        world_release(&w);
    }
}

/* Whether a revoked request keeps its turn. */
static void priority_requeue(void **state)
{
    (void)state;
    for (int back = 0; back < 2; back++) {
        struct world w;
        start(&w, "priority", 1);
        world_param(&w, "revocation", 1);
        world_param(&w, "requeue", back);
        world_job(&w, world_batch(&w, MS(1000)), 0);
        world_job(&w, world_batch(&w, MS(100)), MS(10));
        world_job(&w, world_latency(&w, MS(40)), MS(100));
        run(&w);
        assert_end(&w, 2, 0, MS(162));
        if (back) {
            assert_end(&w, 1, 0, MS(162 + 75 + 100));        /* 337 */
            assert_end(&w, 0, 0, MS(162 + 75 + 100 + 1000)); /* 1337 */
        } else {
            assert_end(&w, 0, 0, MS(162 + 75 + 1000));       /* 1237 */
            assert_end(&w, 1, 0, MS(162 + 75 + 1000 + 100)); /* 1337 */
        }
        world_release(&w);
    }
}

/*
 * Two domains of one device, round robin, at most one revocation: batch to 0, then latency requests
 * to 1, 0, 1, 0. Domain 0: batch [0, 200], kill to 205, latency [205, 262], batch [262, 500] with
 * work from 337, kill to 505. Then batch goes to domain 1, which owes nothing: [505, 1505].
 */
static void priority_hands_back(void **state)
{
    (void)state;
    struct world w;
    start(&w, "priority", 1);
    world_domains(&w, 2, 1);
    world_param(&w, "revocation", 1);
    world_param(&w, "max_revocations", 1);
    uint32_t latency = world_latency(&w, MS(40));
    world_job(&w, world_batch(&w, MS(1000)), 0);
    world_job(&w, latency, MS(100));
    world_job(&w, latency, MS(200));
    world_job(&w, latency, MS(400));
    world_job(&w, latency, MS(500));
    run(&w);
    assert_end(&w, 1, 0, MS(140));
    assert_end(&w, 2, 0, MS(262));
    assert_end(&w, 3, 0, MS(440));
    assert_end(&w, 4, 0, MS(505 + 17 + 40)); /* 562 */
    assert_end(&w, 0, 0, MS(1505));
    assert_int_equal(world_row(&w, 0, 0)->domain, 1);
    assert_int_equal(world_row(&w, 0, 0)->revocations, 2);
    assert_int_equal(w.out.returned, 1);
    assert_usage(&w, 0, MS(80), MS(200 + 500 - 337), MS(5 + 17 + 75 + 5 + 17));
    assert_usage(&w, 1, MS(80 + 1000), 0, 0);
    world_release(&w);
}

/* Round robin over jobs: job 0 has three waiting, job 1 one; 0 1 0 0. A FIFO would go 0 0 0 1. */
static void priority_round_robin_over_jobs(void **state)
{
    (void)state;
    for (int jobs = 0; jobs < 2; jobs++) {
        struct world w;
        start(&w, "priority", 1);
        world_param(&w, "queue", jobs);
        uint32_t latency = world_latency(&w, MS(10));
        struct dcs_job *job = world_job(&w, latency, 0);
        job->requests = job->clients = 4;
        world_job(&w, latency, MS(1));
        run(&w);
        assert_end(&w, 0, 0, MS(10));
        assert_end(&w, 0, 1, MS(20));
        assert_end(&w, 1, 0, jobs ? MS(30) : MS(50));
        assert_end(&w, 0, 2, jobs ? MS(40) : MS(30));
        assert_end(&w, 0, 3, jobs ? MS(50) : MS(40));
        world_release(&w);
    }
}

/* ---- Elastic ---- */

/*
 * SLA 200, l_e = 100 before the first completion. At 10 three latency requests: L_max = 300, U = 2.
 *   100  batch 0 ends: none of 2 serves latency, so L0 [100, 140] on device 0
 *   140  L0 took 40: L_max = 40 * 2, U = 1: L1 [140, 180]
 *   150  batch 1 ends: U = 1 is served: batch 2 [150, 250] on device 1
 *   180  L2 [180, 220];  220  nothing outstanding: batch 3 [220, 320]
 */
static void elastic_counts_devices(void **state)
{
    (void)state;
    struct world w;
    start(&w, "elastic", 2);
    uint32_t batch = world_batch(&w, MS(100)), longer = world_batch(&w, MS(150));
    world_job(&w, batch, 0);
    world_job(&w, longer, 0);
    struct dcs_job *job = world_job(&w, world_latency(&w, MS(40)), MS(10));
    job->requests = job->clients = 3;
    world_job(&w, batch, MS(20));
    world_job(&w, batch, MS(20));
    run(&w);
    assert_end(&w, 0, 0, MS(100));
    assert_end(&w, 2, 0, MS(140));
    assert_end(&w, 1, 0, MS(150));
    assert_end(&w, 2, 1, MS(180));
    assert_end(&w, 2, 2, MS(220));
    assert_end(&w, 3, 0, MS(250));
    assert_end(&w, 4, 0, MS(320));
    assert_int_equal(world_row(&w, 3, 0)->device, 1);
    world_release(&w);
}

/* U at equality: q = 4 at l_e = 100 needs exactly 2 devices of SLA 200, q = 5 a third one. */
static void elastic_rounds_up(void **state)
{
    (void)state;
    for (uint32_t q = 4; q <= 5; q++) {
        struct world w;
        start(&w, "elastic", 3);
        world_param(&w, "revocation", 1);
        uint32_t batch = world_batch(&w, MS(100000));
        for (int i = 0; i < 3; i++)
            world_job(&w, batch, 0);
        struct dcs_job *job = world_job(&w, world_latency(&w, MS(100)), MS(100));
        job->requests = job->clients = q;
        run(&w);
        assert_int_equal(w.out.revocations, q - 2);
        world_release(&w);
    }
}

/* U = 1 for two requests (100 * 2 <= 200), but no batch wants the second device. */
/* A client without think time: its next request comes at the completion. With l_e of 100 to 117 ms
 * and an SLA of 240, two outstanding requests need one device, three and four two, five three. The
 * first two revocations are for the first requests. What knows of the completion alone takes one
 * too few, starts a batch request and revokes it at once; what knows of the next request before the
 * completion takes one too many. */
static void elastic_at_one_instant(void **state)
{
    (void)state;
    static const struct {
        uint32_t clients;
        uint64_t revocations[CLUSTER_INSTANTS];
    } cases[] = {
        {3, {[CLUSTER_BATCHED] = 3, [CLUSTER_ARRIVALS_FIRST] = 2, [CLUSTER_ONE_BY_ONE] = 2}},
        {4, {[CLUSTER_BATCHED] = 2, [CLUSTER_ARRIVALS_FIRST] = 3, [CLUSTER_ONE_BY_ONE] = 2}},
    };
    for (size_t i = 0; i < 2; i++)
        for (int instant = 0; instant < CLUSTER_INSTANTS; instant++) {
            struct world w;
            start(&w, "elastic", cases[i].clients - 1);
            world_param(&w, "revocation", 1);
            world_param(&w, "sla_ms", 240);
            w.spec.instant = (enum cluster_instant)instant;
            uint32_t batch = world_batch(&w, MS(100000));
            for (uint32_t k = 0; k < cases[i].clients - 1; k++)
                world_job(&w, batch, 0);
            struct dcs_job *job = world_job(&w, world_latency(&w, MS(100)), MS(100));
            job->clients = cases[i].clients;
            job->requests = cases[i].clients + 1;
            run(&w);
            assert_int_equal(w.out.revocations, cases[i].revocations[instant]);
            world_release(&w);
        }
}

static void elastic_spare_devices(void **state)
{
    (void)state;
    struct world w;
    start(&w, "elastic", 2);
    uint32_t latency = world_latency(&w, MS(40));
    world_job(&w, latency, 0);
    world_job(&w, latency, 0);
    run(&w);
    assert_end(&w, 0, 0, MS(40));
    assert_end(&w, 1, 0, MS(40));
    world_release(&w);
}

/* Two latency requests, U = 1: Elastic revokes one batch request where Priority revokes two. */
static void elastic_revokes_less(void **state)
{
    (void)state;
    for (int elastic = 0; elastic < 2; elastic++) {
        struct world w;
        start(&w, elastic ? "elastic" : "priority", 2);
        world_param(&w, "revocation", 1);
        uint32_t batch = world_batch(&w, MS(1000)), latency = world_latency(&w, MS(40));
        world_job(&w, batch, 0);
        world_job(&w, batch, 0);
        world_job(&w, latency, MS(100));
        world_job(&w, latency, MS(100));
        run(&w);
        assert_end(&w, 2, 0, MS(162));
        assert_end(&w, 3, 0, elastic ? MS(202) : MS(162));
        assert_int_equal(w.out.revocations, elastic ? 1 : 2);
        assert_end(&w, 0, 0, elastic ? MS(1000) : MS(1237));
        assert_end(&w, 1, 0, elastic ? MS(202 + 75 + 1000) : MS(1237));
        world_release(&w);
    }
}

/* A revocation takes 22. Batch ends at 1000: what is left at 978 - 1 ns, 978, 978 + 1 ns. */
static void elastic_leaves_alone(void **state)
{
    (void)state;
    for (int64_t step = -1; step <= 1; step++) {
        struct world w;
        start(&w, "elastic", 1);
        world_param(&w, "revocation", 1);
        world_job(&w, world_batch(&w, MS(1000)), 0);
        world_job(&w, world_latency(&w, MS(40)), MS(978) + step);
        run(&w);
        if (step <= 0) {
            assert_end(&w, 1, 0, MS(978 + 22 + 40) + step);
            assert_end(&w, 0, 0, MS(1040 + 75 + 1000) + step);
        } else {
            assert_end(&w, 0, 0, MS(1000));
            assert_end(&w, 1, 0, MS(1040));
        }
        assert_int_equal(w.out.revocations, step <= 0);
        world_release(&w);
    }
}

/*
 * The newest is about to end and counts as on its way, so for U = 1 nobody is revoked; for U = 2
 * the next newest is. Devices: batch A [0, 1000], batch B [5, 105] or so.
 */
static void elastic_counts_what_it_left_alone(void **state)
{
    (void)state;
    for (uint32_t u = 1; u <= 2; u++) {
        struct world w;
        start(&w, "elastic", 2);
        world_param(&w, "revocation", 1);
        world_param(&w, "first_ms", u == 1 ? 100 : 150); /* 100 * 2 / 200, 150 * 2 / 200 */
        world_job(&w, world_batch(&w, MS(1000)), 0);
        world_job(&w, world_batch(&w, MS(100)), MS(5));
        struct dcs_job *job = world_job(&w, world_latency(&w, MS(40)), MS(90));
        job->requests = job->clients = 2;
        run(&w);
        assert_end(&w, 1, 0, MS(105));
        assert_int_equal(w.out.revocations, u - 1);
        if (u == 1) {
            assert_end(&w, 2, 0, MS(145)); /* [105, 145] on device 1 */
            assert_end(&w, 2, 1, MS(185));
            assert_end(&w, 0, 0, MS(1000));
        } else {
            assert_end(&w, 2, 0, MS(90 + 22 + 40)); /* 152, on device 0 */
            assert_end(&w, 2, 1, MS(145));          /* on device 1 */
            assert_end(&w, 0, 0, MS(145 + 1000));   /* there too: device 1 owes nothing */
        }
        world_release(&w);
    }
}

/* l_e is the mean over `window` completions, in whole requests: two kernels of 50 make 100. */
static void elastic_window(void **state)
{
    (void)state;
    for (int window = 1; window <= 2; window++) {
        struct world w;
        start(&w, "elastic", 2);
        world_param(&w, "revocation", 1);
        world_param(&w, "window", window);
        uint32_t slow = world_app(&w, DCS_LATENCY, 2, MS(50)), fast = world_latency(&w, MS(20));
        uint32_t batch = world_batch(&w, MS(1000));
        world_job(&w, slow, 0);       /* [0, 50], [50, 100] */
        world_job(&w, fast, MS(200)); /* [200, 220] */
        world_job(&w, batch, MS(300));
        world_job(&w, batch, MS(300));
        struct dcs_job *job = world_job(&w, fast, MS(400));
        job->requests = job->clients = 4;
        run(&w);
        /* l_e = 20 or (100 + 20) / 2: L_max = 80 or 240, U = 1 or 2. */
        assert_int_equal(w.out.revocations, window);
        world_release(&w);
    }
}

/* Seven completions of 1 ms in all: l_e * 7 is the SLA of 1 ms exactly, whatever 1/7 is in binary.
 */
static void elastic_rounds_exactly(void **state)
{
    (void)state;
    struct world w;
    start(&w, "elastic", 2);
    world_param(&w, "revocation", 1);
    world_param(&w, "sla_ms", 1);
    w.spec.horizon_ns = MS(500);
    uint32_t latency = world_latency(&w, MS(1) / 10), longer = world_latency(&w, MS(4) / 10);
    uint32_t batch = world_batch(&w, MS(1000));
    for (int i = 0; i < 6; i++)
        world_job(&w, latency, MS(i));
    world_job(&w, longer, MS(6));
    world_job(&w, batch, MS(100));
    world_job(&w, batch, MS(100));
    struct dcs_job *job = world_job(&w, latency, MS(499));
    job->requests = job->clients = 7;
    run(&w);
    assert_int_equal(w.out.revocations, 1);
    world_release(&w);
}

static void elastic_hands_back(void **state)
{
    (void)state;
    struct world w;
    start(&w, "elastic", 1);
    world_param(&w, "revocation", 1);
    world_param(&w, "max_revocations", 1);
    uint32_t latency = world_latency(&w, MS(40));
    world_job(&w, world_batch(&w, MS(1000)), 0);
    world_job(&w, latency, MS(100));
    world_job(&w, latency, MS(500));
    world_job(&w, latency, MS(900));
    run(&w);
    /* One domain: it comes back here with its count at 0, as a new request, behind the others:
     * [0, 100], [162, 500] with work from 237, [562, 900] with work from 637, [962, 2037]. */
    assert_end(&w, 1, 0, MS(162));
    assert_end(&w, 2, 0, MS(562));
    assert_end(&w, 3, 0, MS(962));
    assert_end(&w, 0, 0, MS(962 + 75 + 1000));
    assert_int_equal(world_row(&w, 0, 0)->revocations, 3);
    assert_int_equal(w.out.returned, 1); /* at 505 with 2; at 905 it has 1 again */
    assert_usage(&w, 0, MS(1120), MS(100 + 263 + 263), MS(3 * (22 + 75)));
    world_release(&w);
}

/* ---- Checkpoints ---- */

/*
 * Every 100 of work 10 for a checkpoint. Revoked at 250: periods of 110, so 200 are saved (at 110
 * and at 220), 230 done, 30 lost, 20 spent on checkpoints. Latency ends at 250 + 22 + 40 = 312.
 * What is left is 800, with 7 checkpoints (none after the last bit): 312 + 75 + 870 = 1257.
 */
static void checkpoints_survive(void **state)
{
    (void)state;
    struct world w;
    start(&w, "priority", 1);
    world_param(&w, "revocation", 1);
    w.spec.checkpoint = (struct dcs_checkpoint){.interval_ns = MS(100), .cost_ns = MS(10)};
    world_job(&w, world_batch(&w, MS(1000)), 0);
    world_job(&w, world_latency(&w, MS(40)), MS(250));
    run(&w);
    assert_end(&w, 1, 0, MS(312));
    assert_end(&w, 0, 0, MS(1257));
    assert_usage(&w, 0, MS(1040), MS(30), MS(20 + 22 + 75 + 70));
    world_release(&w);
}

/* ---- Deadlines and limits ---- */

static void sla_at_equality(void **state)
{
    (void)state;
    for (int64_t less = 0; less <= 1; less++) {
        struct world w;
        start(&w, "fcfs", 1);
        uint32_t app = world_latency(&w, MS(40));
        world_job(&w, app, MS(7))->sla_ns = MS(40) - less;
        run(&w);
        assert_int_equal(w.out.apps[app].decided, 1);
        assert_int_equal(w.out.apps[app].met, 1 - less);
        assert_int_equal(w.out.apps[app].done, 1);
        world_release(&w);
    }
}

/* The device is free at 100. A deadline at 99 or 100 finds the request waiting, one at 101 does
 * not. */
static void late_requests_are_dropped(void **state)
{
    (void)state;
    for (int64_t deadline = 99; deadline <= 101; deadline++) {
        struct world w;
        start(&w, "fcfs", 1);
        uint32_t app = world_latency(&w, MS(40));
        world_job(&w, world_batch(&w, MS(100)), 0);
        struct dcs_job *job = world_job(&w, app, MS(10));
        job->sla_ns = MS(deadline - 10);
        job->drop_late = true;
        world_job(&w, world_batch(&w, MS(100)), MS(20));
        run(&w);
        bool dropped = deadline <= 100;
        assert_end(&w, 1, 0, dropped ? MS(deadline) : MS(140));
        assert_end(&w, 2, 0, dropped ? MS(200) : MS(240));
        assert_int_equal(w.out.apps[app].dropped, dropped);
        assert_int_equal(w.out.apps[app].done, !dropped);
        assert_int_equal(w.out.apps[app].decided, 1);
        assert_int_equal(w.out.apps[app].met, 0);
        world_release(&w);
    }
}

/* Arrivals at 10, 20, 30, 40; the first one runs till 110, so the fourth finds two waiting. */
static void queue_limit(void **state)
{
    (void)state;
    for (uint32_t limit = 2; limit <= 3; limit++) {
        struct world w;
        start(&w, "fcfs", 1);
        uint32_t app = world_latency(&w, MS(100));
        struct dcs_job *job = world_job(&w, app, 0);
        job->open = true;
        job->arrivals =
            &(struct dcs_arrivals_spec){.kind = DCS_ARRIVALS_DETERMINISTIC, .rate_per_s = 100};
        job->requests = 4;
        job->queue_limit = limit;
        run(&w);
        assert_end(&w, 0, 2, MS(310));
        assert_end(&w, 0, 3, limit == 2 ? MS(40) : MS(410));
        assert_int_equal(w.out.apps[app].dropped, limit == 2);
        assert_int_equal(w.out.jobs[0].dropped, limit == 2);
        assert_true(w.out.jobs[0].end_ns == (limit == 2 ? MS(310) : MS(410)));
        world_release(&w);
    }
}

/* ---- Routers ---- */

static void router_choices(void **state)
{
    (void)state;
    for (int least = 0; least < 2; least++) {
        struct world w;
        start(&w, "fcfs", 1);
        world_domains(&w, 3, 1);
        w.spec.router = least ? CLUSTER_LEAST_OUTSTANDING : CLUSTER_ROUND_ROBIN;
        uint32_t slow = world_latency(&w, MS(100)), fast = world_latency(&w, MS(5));
        world_job(&w, slow, 0);     /* 0; outstanding 1 0 0 */
        world_job(&w, fast, 0);     /* 1; 1 1 0 */
        world_job(&w, slow, 0);     /* 2; 1 1 1 */
        world_job(&w, slow, MS(5)); /* 0; the completion comes first: least: 1 */
        world_job(&w, slow, MS(5)); /* 1; least, 1 1 1: 0 */
        run(&w);
        assert_int_equal(world_row(&w, 0, 0)->domain, 0);
        assert_int_equal(world_row(&w, 1, 0)->domain, 1);
        assert_int_equal(world_row(&w, 2, 0)->domain, 2);
        assert_int_equal(world_row(&w, 3, 0)->domain, least ? 1 : 0);
        assert_int_equal(world_row(&w, 4, 0)->domain, least ? 0 : 1);
        assert_end(&w, 3, 0, least ? MS(105) : MS(200));
        assert_end(&w, 4, 0, least ? MS(200) : MS(105));
        world_release(&w);
    }
}

/* ---- The charged scheduler ---- */

/* Every callback costs 1: the launch takes effect at 1, and the second callback waits for that. */
static void charged_callbacks(void **state)
{
    (void)state;
    struct world w;
    start(&w, "fcfs", 1);
    w.spec.callback_ns = MS(1);
    uint32_t app = world_latency(&w, MS(10));
    world_job(&w, app, 0);
    world_job(&w, app, 0);
    run(&w);
    assert_true(world_row(&w, 0, 0)->start_ns == MS(1));
    assert_end(&w, 0, 0, MS(11)); /* [1, 11] */
    assert_end(&w, 1, 0, MS(22)); /* callback at 11, [12, 22] */
    world_release(&w);
}

/*
 * A callback costs 1, a prediction 2. Batch is launched at 1. Latency at 100: 1 for the callback, 2
 * for the prediction, revoked at 103, killed at 108, launched at 109, [109, 166]. Batch [167,
 * 1242].
 */
static void charged_predictions(void **state)
{
    (void)state;
    struct world w;
    start(&w, "elastic", 1);
    world_param(&w, "revocation", 1);
    w.spec.callback_ns = MS(1);
    w.spec.predict_ns = MS(2);
    world_job(&w, world_batch(&w, MS(1000)), 0);
    world_job(&w, world_latency(&w, MS(40)), MS(100));
    run(&w);
    assert_end(&w, 1, 0, MS(166));
    assert_end(&w, 0, 0, MS(1242));
    assert_usage(&w, 0, MS(1040), MS(102), MS(97));
    world_release(&w);
}

/*
 * Batch [1, 101]. Latency comes at 100.5; its revocation would take effect at 101.5, half a ms
 * after batch has ended: nothing is revoked. The completion is told at 101.5, latency [102.5,
 * 142.5].
 */
static void charged_revocation_too_late(void **state)
{
    (void)state;
    struct world w;
    start(&w, "priority", 1);
    world_param(&w, "revocation", 1);
    w.spec.callback_ns = MS(1);
    world_job(&w, world_batch(&w, MS(100)), 0);
    world_job(&w, world_latency(&w, MS(40)), MS(100) + MS(1) / 2);
    run(&w);
    assert_end(&w, 0, 0, MS(101));
    assert_end(&w, 1, 0, MS(142) + MS(1) / 2);
    assert_int_equal(w.out.revocations, 0);
    assert_usage(&w, 0, MS(140), 0, 0);
    world_release(&w);
}

/* ---- Windows ---- */

/*
 * Window [100, 500). A [0, 200] and B [200, 400] came before it, C [400, ...] came at 150 and is
 * inside at the end. In the system: A 100, B 300, C 350 = 750 over 400.
 */
static void horizon_and_warmup(void **state)
{
    (void)state;
    for (int64_t late = 0; late <= 1; late++) {
        struct world w;
        start(&w, "fcfs", 1);
        w.spec.horizon_ns = MS(500);
        w.spec.warmup_ns = MS(100);
        uint32_t app = world_latency(&w, MS(200));
        world_job(&w, app, 0);
        world_job(&w, app, MS(50));
        world_job(&w, app, MS(150))->sla_ns = MS(350) - late;
        run(&w);
        const struct cluster_app_result *r = &w.out.apps[app];
        assert_int_equal(r->arrived, 1);
        assert_int_equal(r->done, 0);
        assert_int_equal(r->inside, 1);
        assert_int_equal(r->completions, 2);
        assert_int_equal(r->decided, late); /* at 500 itself it might still be met */
        assert_int_equal(r->met, 0);
        assert_null(r->response);
        assert_usage(&w, 0, MS(400), 0, 0);
        assert_true(w.out.area_ns == MS(750));
        assert_true(w.out.mean_in_system == 1.875);
        assert_true(w.out.from_ns == MS(100) && w.out.to_ns == MS(500));
        assert_int_equal(w.out.requests, 3);
        world_release(&w);
    }
}

/* A run covers [0, horizon): what would end at the horizon has not ended. */
static void horizon_is_open(void **state)
{
    (void)state;
    for (int64_t more = 0; more <= 1; more++) {
        struct world w;
        start(&w, "fcfs", 1);
        w.spec.horizon_ns = MS(200) + more;
        uint32_t app = world_latency(&w, MS(200));
        world_job(&w, app, 0);
        run(&w);
        assert_int_equal(w.out.apps[app].done, more);
        assert_int_equal(w.out.apps[app].inside, 1 - more);
        assert_usage(&w, 0, MS(200), 0, 0);
        world_release(&w);
    }
}

/* A revocation that is cut by the warm-up and the horizon: kill [95, 100], start [100, 117]. */
static void window_cuts_a_revocation(void **state)
{
    (void)state;
    struct world w;
    start(&w, "priority", 1);
    world_param(&w, "revocation", 1);
    w.spec.warmup_ns = MS(97);
    w.spec.horizon_ns = MS(110);
    world_job(&w, world_batch(&w, MS(1000)), 0);
    world_job(&w, world_latency(&w, MS(40)), MS(95));
    run(&w);
    assert_usage(&w, 0, 0, 0, MS(3 + 10)); /* lost before the window: not counted */
    world_release(&w);
}

/* ---- Clients ---- */

/* One client that thinks 30: [0, 40], issued at 70 [70, 110], at 140 [140, 180]. */
static void think_times(void **state)
{
    (void)state;
    struct world w;
    start(&w, "fcfs", 1);
    struct dcs_job *job = world_job(&w, world_batch(&w, MS(40)), 0);
    job->requests = 3;
    job->think = &(struct dcs_dist){.kind = DCS_DETERMINISTIC, .location = 30e6};
    run(&w);
    assert_end(&w, 0, 0, MS(40));
    assert_end(&w, 0, 1, MS(110));
    assert_end(&w, 0, 2, MS(180));
    assert_null(world_row(&w, 0, 3));
    world_release(&w);
}

/* Two clients, three requests: both think after the first two, one finds that nothing is left. */
static void thinking_clients_share_the_requests(void **state)
{
    (void)state;
    struct world w;
    start(&w, "fcfs", 2);
    struct dcs_job *job = world_job(&w, world_batch(&w, MS(40)), 0);
    job->requests = 3;
    job->clients = 2;
    job->think = &(struct dcs_dist){.kind = DCS_DETERMINISTIC, .location = 30e6};
    run(&w);
    assert_end(&w, 0, 2, MS(110));
    assert_int_equal(w.out.jobs[0].issued, 3);
    assert_null(world_row(&w, 0, 3));
    world_release(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fcfs_order),
        cmocka_unit_test(fcfs_ends_together),
        cmocka_unit_test(fcfs_several_kernels),
        cmocka_unit_test(priority_waits_for_batch),
        cmocka_unit_test(priority_revokes),
        cmocka_unit_test(priority_revokes_the_newest),
        cmocka_unit_test(priority_requeue),
        cmocka_unit_test(priority_hands_back),
        cmocka_unit_test(priority_round_robin_over_jobs),
        cmocka_unit_test(elastic_counts_devices),
        cmocka_unit_test(elastic_rounds_up),
        cmocka_unit_test(elastic_at_one_instant),
        cmocka_unit_test(elastic_spare_devices),
        cmocka_unit_test(elastic_revokes_less),
        cmocka_unit_test(elastic_leaves_alone),
        cmocka_unit_test(elastic_counts_what_it_left_alone),
        cmocka_unit_test(elastic_window),
        cmocka_unit_test(elastic_rounds_exactly),
        cmocka_unit_test(elastic_hands_back),
        cmocka_unit_test(checkpoints_survive),
        cmocka_unit_test(sla_at_equality),
        cmocka_unit_test(late_requests_are_dropped),
        cmocka_unit_test(queue_limit),
        cmocka_unit_test(router_choices),
        cmocka_unit_test(charged_callbacks),
        cmocka_unit_test(charged_predictions),
        cmocka_unit_test(charged_revocation_too_late),
        cmocka_unit_test(horizon_and_warmup),
        cmocka_unit_test(horizon_is_open),
        cmocka_unit_test(window_cuts_a_revocation),
        cmocka_unit_test(think_times),
        cmocka_unit_test(thinking_clients_share_the_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
