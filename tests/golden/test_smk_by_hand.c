/*
 * test_smk_by_hand.c - policies that put kernels inside SMs beside each other, on a device of 10
 * SMs with room for four blocks, worked out by hand (tests/sm_case.h).
 *
 * Pins: partitions by dominant resource fairness (Wang's thesis, figure 2-7: 6 and 12 blocks);
 * blocks on demand; that with one kernel all policies are the device alone; that the next request
 * of a client takes the place of the one before, and what a kernel leaves goes to the others; SMs
 * of Spart; quotas of warps in proportion to blocks; quotas of instructions as in figure 3-3, for
 * each scheme, and what is left over; quotas in each SM and of the device; algorithm 3-1; that no
 * client waits while others go on; hill climbing SM by SM; charges; the error of each illegal
 * action. Does not pin: rates and what a device makes of them (tests/unit/models/sm), random worlds
 * (tests/prop/test_conformance.c).
 */
#include "engine/device_kind.h"
#include "policies/lib/blocks.h"
#include "policies/policies.h"
#include "tests/sm_case.h"
#include "tests/world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

struct bench {
    struct world w;
    struct sm_case sm;
    const struct dcs_sm *model;
};

/* Contexts cost nothing. Options are set, rates added, applications and jobs follow. */
static void build_for(struct bench *b, const struct policy *policy)
{
    assert_non_null(policy);
    world_init(&b->w, policy, 1);
    sm_case_build(&b->sm);
    b->model = &b->sm.m;
    b->w.spec.sharing.sm = &b->model;
    b->w.spec.device_kind = &device_sm;
}

static void build(struct bench *b, const char *policy)
{
    build_for(b, policies_find(policy));
}

/* A client that issues so many requests, one after the other, of work_ns alone. goal: 0: it has
 * none. */
static void add_client(struct bench *b, uint32_t kernel, int64_t work_ns, double goal,
                       uint64_t requests, int64_t begin_ns)
{
    uint32_t app = b->w.spec.apps_count++;
    dcs_app_resident(&b->w.apps[app],
                     app == 0   ? "first"
                     : app == 1 ? "second"
                                : "third",
                     goal > 0 ? DCS_LATENCY : DCS_BATCH, &kernel, work_ns, 1);
    if (goal > 0)
        b->w.apps[app].sla_ns = (int64_t)((double)work_ns / goal + 0.5);
    struct dcs_job *job = world_job(&b->w, app, begin_ns);
    job->requests = requests;
    job->sla_ns = b->w.apps[app].sla_ns;
}

static void run(struct bench *b)
{
    dcs_sm_prepare(&b->sm.m);
    if (world_run(&b->w) != 0)
        fail_msg("%s", b->w.err.text);
}

static void expect_end(const struct bench *b, uint32_t job, uint64_t index, int64_t at_ns)
{
    int64_t end = world_end(&b->w, job, index);
    if (end != at_ns)
        fail_msg("request %llu of job %u ended at %lld, expected %lld", (unsigned long long)index,
                 job, (long long)end, (long long)at_ns);
}

/* Whole ns: what a quota lets a kernel do is done at the end of one. */
static void expect_about(const struct bench *b, uint64_t index, int64_t at_ns, int64_t within_ns)
{
    int64_t end_ns = world_end(&b->w, 0, index);
    if (end_ns < at_ns - within_ns || end_ns > at_ns + within_ns)
        fail_msg("ended at %lld, expected about %lld", (long long)end_ns, (long long)at_ns);
}

/* ---- Which blocks ---- */

static void figure_2_7(void **state)
{
    (void)state;
    static struct blocks_device d = {.sms = 1, .count = 2};
    const bool both[BLOCKS_TOGETHER] = {true, true};
    d.tenants[0].block = (struct host_block){.share = {0.10, 0, 0.0666, 0.01}};
    d.tenants[1].block = (struct host_block){.share = {0.03, 0.06, 0.05, 0.01}};
    blocks_fill(&d, 0, both, blocks_dominant);
    assert_int_equal(d.tenants[0].want[0], 6);
    assert_int_equal(d.tenants[1].want[0], 12);
}

static void one_kernel_is_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"smk", "spart", "qos-quota", "spart-qos"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int goal = 0; goal < 2; goal++) {
            struct bench b;
            build(&b, names[i]);
            add_client(&b, A, 1000, goal * 0.5, 3, 0);
            run(&b);
            for (uint64_t k = 0; k < 3; k++)
                expect_end(&b, 0, k, 1000 * ((int64_t)k + 1));
            world_release(&b.w);
        }
}

static void partitions(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "smk");
    world_param(&b.w, "warp_quotas", 0);
    add_client(&b, A, 1000, 0, 2, 0);
    add_client(&b, B, 1500, 0, 1, 500);
    run(&b);
    /* 500 alone; then two blocks of four each. The second request goes on with two. */
    expect_end(&b, 0, 0, 1500);
    expect_end(&b, 0, 1, 3500);
    expect_end(&b, 1, 0, 3500);
    world_release(&b.w);
}

static void three_kernels_two_an_sm(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "smk");
    world_param(&b.w, "warp_quotas", 0);
    for (uint32_t k = A; k <= C; k++)
        add_client(&b, k, 1000, 0, 1, 0);
    run(&b);
    /* Of 10 SMs 4 hold the first and the second kernel, 3 the second and the third, 3 the third and
     * the first: two blocks of each, so that they have 14, 14 and 12 of 40. */
    expect_end(&b, 0, 0, 2858);
    expect_end(&b, 1, 0, 2858);
    world_release(&b.w);
}

static void on_demand(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "smk");
    world_param(&b.w, "warp_quotas", 0);
    world_param(&b.w, "partition", 0);
    add_client(&b, A, 2000, 0, 1, 0);
    add_client(&b, B, 1000, 0, 1, 1000);
    run(&b);
    /* The second takes half of the blocks, wherever they are: none slows another. When it has ended
     * the first has 500 left, and gets all. */
    expect_end(&b, 1, 0, 3000);
    expect_end(&b, 0, 0, 3000);
    world_release(&b.w);
}

static void sms_of_their_own(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "spart");
    for (uint32_t k = A; k <= C; k++)
        add_client(&b, k, 1000, 0, 1, 0);
    run(&b);
    /* 4, 3 and 3 SMs; then 5 and 5 for what is left, 250 each. */
    expect_end(&b, 0, 0, 2500);
    expect_end(&b, 1, 0, 3000);
    expect_end(&b, 2, 0, 3000);
    world_release(&b.w);
}

/* ---- Quotas ---- */

static void quotas_of_warps(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "smk");
    world_param(&b.w, "epoch_us", 1);
    sm_case_rate(&b.sm, B, 2, A, 2, 0.25);
    add_client(&b, A, 1000, 0, 1, 0);
    add_client(&b, B, 1000, 0, 1, 0);
    run(&b);
    /* Each may do 500. The first has at 1000, when the second has done 250; alone it goes on at
     * 0.5, until 1500. So again: the first ends at 2500, and the second has 250 left. */
    expect_end(&b, 0, 0, 2500);
    expect_end(&b, 1, 0, 2750);
    world_release(&b.w);
}

/* A QoS kernel of 400 at 0.2 beside one without a goal, two blocks each, epochs of 1000: its quota
 * is 200, and the other's 10 at first. */
static void build_figure_3_3(struct bench *b, int scheme)
{
    build(b, "qos-quota");
    world_param(&b->w, "scheme", scheme);
    world_param(&b->w, "adjust", 0);
    world_param(&b->w, "epoch_us", 1);
    add_client(b, A, 400, 0.2, 1, 0);
    add_client(b, B, 700, 0, 1, 0);
}

static void figure_3_3(void **state)
{
    (void)state;
    struct bench b;
    /* naive: the QoS kernel uses 200 until 400, and again from 1000 to 1400. The other one has 10,
     * and from 400 on its quota again and again, until 1000: 310, which is its next quota. At 1400
     * it has done 200 of that, and has 190 left; it is alone. */
    build_figure_3_3(&b, 0);
    run(&b);
    expect_end(&b, 0, 0, 1400);
    expect_end(&b, 1, 0, 1590);
    world_release(&b.w);
    /* elastic: the next epoch begins at 400, when all have used theirs. The other kernel's goal is
     * then 10/400 * (200/400) / 0.2 = 0.0625: 62 of the 700 until 800. */
    build_figure_3_3(&b, 2);
    run(&b);
    expect_end(&b, 0, 0, 800);
    expect_end(&b, 1, 0, 800 + 700 - 10 - 62);
    world_release(&b.w);
    /* rollover: nothing is left over, so it is as naive. */
    build_figure_3_3(&b, 3);
    run(&b);
    expect_end(&b, 0, 0, 1400);
    world_release(&b.w);
    /* rollover_time: the other one runs from 400 to 1000, 300, and from 1400 on, alone. */
    build_figure_3_3(&b, 4);
    run(&b);
    expect_end(&b, 0, 0, 1400);
    expect_end(&b, 1, 0, 1800);
    world_release(&b.w);
}

static void other_kernels(void **state)
{
    (void)state;
    struct bench b;
    /* naive, goal 0.4: the QoS kernel uses 400 until 800 of each 1000. The other one has 10, from
     * 800 on 100 more, which is its next quota: 110 until 1220. From 1800 on it does 100, and from
     * 2000 on the rest. */
    for (int k = 0; k < 4; k++) {
        int until = k % 2;
        build(&b, "qos-quota");
        world_param(&b.w, "scheme", 0);
        world_param(&b.w, "rate_until", until);
        world_param(&b.w, "adjust", 0);
        world_param(&b.w, "epoch_us", 1);
        /* Requests that take the place of one another change nothing. */
        add_client(&b, A, k < 2 ? 1200 : 100, 0.4, k < 2 ? 1 : 12, 0);
        add_client(&b, B, 330, 0, 1, 0);
        run(&b);
        expect_end(&b, 0, k < 2 ? 0 : 11,
                   until == 0 ? 2410 : 2366); /* alone at the end: with all its blocks */
        /* The QoS kernel's rate until 800 is 0.5: the next quota of the other one is 137, and 83
         * are left at 1800. */
        expect_end(&b, 1, 0, until == 0 ? 2020 : 1966);
        world_release(&b.w);
    }
}

static void algorithm_3_1(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "qos-quota");
    world_param(&b.w, "epoch_us", 1);
    add_client(&b, A, 1000, 0.6, 1, 0);
    add_client(&b, B, 100000, 0, 1, 0);
    run(&b);
    /* Two blocks do 500 until 1000. That is below 0.6, and a third block takes the place of one of
     * the other's: 0.75. */
    expect_end(&b, 0, 0, 1000 + 667);
    world_release(&b.w);
}

static void hill_climbing(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "spart-qos");
    world_param(&b.w, "epoch_us", 1);
    add_client(&b, A, 1700, 0.6, 1, 0);
    add_client(&b, B, 100000, 0, 1, 0);
    run(&b);
    /* 5 SMs, 6 and 7: 500, 600, and 600 at 0.7. */
    expect_end(&b, 0, 0, 2000 + 858);
    world_release(&b.w);
}

/* The slow start of a kernel that gets a third block at 1000 (algorithm_3_1), with 740 left, of
 * which it does 0.75 a ns from then on. Its quota is 600, with history 720, with rollover 820. */
static void left_over(void **state)
{
    (void)state;
    static const struct {
        int scheme;
        int64_t end_ns;
    } cases[] = {
        {0, 2000 + 187}, /* naive: 600 until 1800, and 140 */
        {1, 2000 + 27},  /* history: 720 until 1960, and 20 */
        {3, 1000 + 987}, /* rollover */
        {4, 1000 + 987}, /* rollover_time */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench b;
        build(&b, "qos-quota");
        world_param(&b.w, "scheme", cases[i].scheme);
        world_param(&b.w, "epoch_us", 1);
        add_client(&b, A, 1240, 0.6, 1, 0);
        add_client(&b, B, 100000, 0, 1, 0);
        run(&b);
        expect_end(&b, 0, 0, cases[i].end_ns);
        world_release(&b.w);
    }
}

static void quotas_in_each_sm(void **state)
{
    (void)state;
    /* As three_kernels_two_an_sm, with quotas of warps in epochs of 1000. The second is half as
     * fast beside the first. In the 4 SMs of these two the first has done its 200 at 1000, and
     * waits for the second until 1500; in the 3 that it shares with the third nobody waits. It has
     * done 350 at 1000, and the other 50 at 0.15. With quotas of the device it waits everywhere for
     * the second, which has 100 of 350 left at 1000 and does these at 0.35, until 1286. */
    for (int k = 0; k < 4; k++) {
        /* Requests that take the place of one another change little: what each did in which SMs is
         * known by what was left there (blocks_count_ended). */
        int of_device = k % 2;
        uint64_t requests = k < 2 ? 1 : 4;
        struct bench b;
        build(&b, "smk");
        world_param(&b.w, "epoch_us", 1);
        world_param(&b.w, "quotas_of", of_device);
        sm_case_rate(&b.sm, B, 2, A, 2, 0.25);
        add_client(&b, A, 400 / (int64_t)requests, 0, requests, 0);
        add_client(&b, B, 10000, 0, 1, 0);
        add_client(&b, C, 10000, 0, 1, 0);
        run(&b);
        expect_about(&b, requests - 1, of_device ? 1286 + 143 : 1000 + 334, requests > 1 ? 8 : 2);
        world_release(&b.w);
    }
}

/* A kernel with a goal of 0.4 in all SMs, two without in half of them each. The first is half as
 * fast beside the second, which has used its 10 at 40. */
static void goals_in_each_sm(void **state)
{
    (void)state;
    for (int of_device = 0; of_device < 2; of_device++) {
        struct bench b;
        build(&b, "qos-quota");
        world_param(&b.w, "scheme", 0);
        world_param(&b.w, "adjust", 0);
        world_param(&b.w, "epoch_us", 1);
        world_param(&b.w, "quotas_of", of_device);
        sm_case_rate(&b.sm, A, 2, B, 2, 0.25);
        add_client(&b, A, 400, 0.4, 1, 0);
        add_client(&b, B, 100000, 0, 1, 0);
        add_client(&b, C, 100000, 0, 1, 0);
        run(&b);
        /* In each half it may do 200: it has 5 and 10 at 40, and goes on at 0.25 in each. With a
         * quota of the device the other half does what one cannot. */
        expect_end(&b, 0, 0, of_device ? 810 : 820);
        world_release(&b.w);
    }
}

/* What is left over when somebody comes, and SMs are divided otherwise. A quota of 550, of which
 * 250 are done at 500. Of 300 that are left 275 were for the rest of the epoch. The kernel is
 * behind: it gets a third block, and 605 and 25 from then on, which it has done at 1340. */
static void somebody_comes(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "qos-quota");
    world_param(&b.w, "epoch_us", 1);
    add_client(&b, A, 900, 0.55, 1, 0);
    add_client(&b, B, 100000, 0, 1, 0);
    add_client(&b, C, 100000, 0, 1, 500);
    run(&b);
    expect_about(&b, 0, 1500 + 27, 2);
    world_release(&b.w);
}

static void target(void **state)
{
    (void)state;
    struct bench b;
    /* Behind what is aimed at, 0.5 / 0.8, though not behind the goal: a third block at 1000. */
    build(&b, "qos-quota");
    world_param(&b.w, "epoch_us", 1);
    world_param(&b.w, "target", 0.8);
    add_client(&b, A, 1000, 0.5, 1, 0);
    add_client(&b, B, 100000, 0, 1, 0);
    run(&b);
    expect_end(&b, 0, 0, 1000 + 667);
    world_release(&b.w);
    /* A goal of 0.2 that is aimed at with 0.25: 250 in each 1000, and the last 100 from 1000 on. */
    build_figure_3_3(&b, 0);
    world_param(&b.w, "target", 0.8);
    run(&b);
    expect_end(&b, 0, 0, 1000 + 300);
    world_release(&b.w);
}

/* Nine clients on a device that has room for eight kernels. */
static void more_than_fit(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "smk");
    world_param(&b.w, "warp_quotas", 0);
    for (uint32_t k = A; k <= C; k++)
        add_client(&b, k, 1000, 0, 5, 0);
    for (uint32_t job = 3; job < 9; job++)
        world_job(&b.w, job % 3, 0)->requests = 5;
    run(&b);
    for (uint32_t job = 0; job < 9; job++)
        if (world_end(&b.w, job, 0) >= world_end(&b.w, (job + 1) % 9, 4))
            fail_msg("job %u waits for job %u to end", job, (job + 1) % 9);
    world_release(&b.w);
}

/* ---- Rules ---- */

static struct {
    const char *action;
    int64_t quota_ns;
    struct host_allotment first, then;
} order;

static void rule_ready(void *state, struct host *h, req_id r)
{
    (void)state;
    if (order.first.mechanism == HOST_BLOCKS || order.then.mechanism != HOST_BLOCKS)
        host_launch(h, r, 0, order.first);
    if (order.then.mechanism == HOST_BLOCKS)
        host_resize(h, r, order.then);
    if (order.quota_ns != 0)
        host_quota(h, r, 0, 10, order.quota_ns);
}

static void rule_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    (void)state, (void)h, (void)r, (void)d, (void)done;
}

static const struct policy rule_policy = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "rule",
    .summary = "breaks a rule",
    .source = "textbook",
    .needs = HOST_NEEDS_BLOCKS,
    .on_ready = rule_ready,
    .on_complete = rule_complete,
};

static struct host_allotment range(uint32_t first, uint32_t sms, uint32_t blocks)
{
    return (struct host_allotment){
        .mechanism = HOST_BLOCKS, .first_sm = first, .sms = sms, .blocks = blocks};
}

static void expect_error(const char *says)
{
    struct bench b;
    build_for(&b, &rule_policy);
    add_client(&b, A, 1000, 0, 1, 0);
    dcs_sm_prepare(&b.sm.m);
    assert_int_equal(world_run(&b.w), -1);
    if (strstr(b.w.err.text, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", b.w.err.text, says);
    world_release(&b.w);
}

static void illegal_actions(void **state)
{
    (void)state;
    memset(&order, 0, sizeof order);
    order.first = (struct host_allotment){.mechanism = HOST_WHOLE};
    expect_error("it does not offer this mechanism");
    order.first = range(0, 10, 5);
    expect_error("an SM has no room for so many blocks");
    order.first = range(5, 6, 1);
    expect_error("more SMs than the device");
    order.first = range(0, 10, 4);
    order.then = range(0, 1, 5);
    expect_error("an SM has no room for so many blocks");
    memset(&order.then, 0, sizeof order.then);
    order.quota_ns = -5;
    expect_error("cannot do less than nothing");
}

/* A charged launch, resize and quota take effect after their charges. */
static void charges(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "smk");
    b.w.spec.callback_ns = 100;
    world_param(&b.w, "warp_quotas", 0);
    add_client(&b, A, 1000, 0, 1, 0);
    add_client(&b, B, 1000, 0, 1, 500);
    run(&b);
    /* Who comes, and the end of the instant, are a callback each: the first begins at 200; at 500
     * the second comes, and from 700 on both have half. */
    expect_end(&b, 0, 0, 700 + 2 * 500);
    world_release(&b.w);
    build(&b, "smk");
    b.w.spec.callback_ns = 100;
    world_param(&b.w, "epoch_us", 1);
    add_client(&b, A, 1000, 0, 1, 0);
    add_client(&b, B, 1000, 0, 1, 0);
    run(&b);
    /* Both begin at 300, and have used their 500 at 1300. That is two callbacks, behind which they
     * go on. */
    expect_end(&b, 0, 0, 1500 + 1000);
    expect_end(&b, 1, 0, 1500 + 1000);
    world_release(&b.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_2_7),        cmocka_unit_test(one_kernel_is_alone),
        cmocka_unit_test(partitions),        cmocka_unit_test(three_kernels_two_an_sm),
        cmocka_unit_test(on_demand),         cmocka_unit_test(sms_of_their_own),
        cmocka_unit_test(quotas_of_warps),   cmocka_unit_test(figure_3_3),
        cmocka_unit_test(other_kernels),     cmocka_unit_test(algorithm_3_1),
        cmocka_unit_test(hill_climbing),     cmocka_unit_test(illegal_actions),
        cmocka_unit_test(charges),           cmocka_unit_test(left_over),
        cmocka_unit_test(quotas_in_each_sm), cmocka_unit_test(goals_in_each_sm),
        cmocka_unit_test(more_than_fit),     cmocka_unit_test(target),
        cmocka_unit_test(somebody_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
