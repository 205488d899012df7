/*
 * test_cpu_by_hand.c - domains of CPUs under os, static-opt and emu, and under a small policy that
 * breaks rules, worked out by hand.
 *
 * Pins: when requests end under each; that emu asks for the fewest cores and ways, gives the rest
 * to batch work and takes it back, waits with a query that does not fit and goes to another device
 * where it does, asks for more where others press the memory and does not without its runtime part,
 * knows that two threads use two cores; that charged predictions put launch and
 * resize off together; that static-opt runs as many instances as it is told, and refuses what is no
 * number or lacks a pair; what counters say; the errors of illegal actions. The law itself:
 * tests/unit/models/cpu/test_cpu.c.
 */
#include "policies/policies.h"
#include "tests/world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

/* 4 cores, 8 ways; changing a share costs nothing. A service, a batch application, both scaling
 * with cores; together they press the memory. */
static struct dcs_cpu_app presses[] = {
    {.threads = 4, .speedup = 4, .stall = 0.5, .bandwidth = 10, .ipc = 1, .exponent = 1},
    {.threads = 4, .speedup = 4, .stall = 0.5, .bandwidth = 30, .ipc = 1, .exponent = 1}};

static struct dcs_cpu machine(void)
{
    struct dcs_cpu cpu = {.cores = 4,
                          .ways = 8,
                          .clock_ghz = 2,
                          .bandwidth = 10,
                          .apps = presses,
                          .apps_count = 2,
                          .plain = {.threads = 4, .speedup = 4, .ipc = 1, .exponent = 1}};
    dcs_cpu_derive(&cpu, &cpu.plain);
    dcs_cpu_derive(&cpu, &presses[0]);
    dcs_cpu_derive(&cpu, &presses[1]);
    return cpu;
}

struct cpu_world {
    struct world w;
    struct dcs_cpu cpu;
    const struct dcs_cpu *cpus[1];
};

/* A batch request of 100 ms on all cores at 0, and `queries` of 10 ms with an SLA of 50 ms. press:
 * they need the memory. */
static void build(struct cpu_world *c, const struct policy *policy, uint32_t queries, bool press)
{
    c->cpu = machine();
    c->cpus[0] = &c->cpu;
    world_init(&c->w, policy, 1);
    c->w.spec.sharing.cpu = c->cpus;
    uint32_t batch = world_batch(&c->w, MS(100)), service = world_latency(&c->w, MS(10));
    world_job(&c->w, batch, 0);
    for (uint32_t i = 0; i < queries; i++)
        world_job(&c->w, service, 0)->sla_ns = MS(50);
    for (uint32_t a = 0; a < 2 && press; a++) {
        c->w.apps[a].listed = dcs_alloc(1, sizeof *c->w.apps[a].listed);
        c->w.apps[a].listed[0] = 1 - a;
    }
}

static void check_ends(struct cpu_world *c, int64_t batch_ns, int64_t query_ns)
{
    if (world_run(&c->w) != 0)
        fail_msg("%s", c->w.err.text);
    assert_int_equal(world_end(&c->w, 0, 0), batch_ns);
    assert_int_equal(world_end(&c->w, 1, 0), query_ns);
    world_release(&c->w);
}

/* Two programs, two cores each: 20 ms, in which batch does 10 of 100. */
static void test_os(void **state)
{
    (void)state;
    struct cpu_world c;
    build(&c, policies_find("os"), 1, false);
    check_ends(&c, MS(110), MS(20));
    build(&c, policies_find("os"), 2, false); /* a third each: 30 ms */
    check_ends(&c, MS(120), MS(30));
}

/* One batch instance at a time; the second begins when the first has ended, at 110. */
static void test_static_opt(void **state)
{
    (void)state;
    struct cpu_world c;
    build(&c, policies_find("static-opt"), 1, false);
    world_job(&c.w, 0, 0);
    assert_int_equal(world_run(&c.w), 0);
    assert_int_equal(world_end(&c.w, 0, 0), MS(110));
    assert_int_equal(world_end(&c.w, 1, 0), MS(20));
    assert_int_equal(world_end(&c.w, 2, 0), MS(210));
    assert_int_equal(world_row(&c.w, 2, 0)->start_ns, MS(110));
    world_release(&c.w);
}

static void check_instances(const char *instances, const char *expected)
{
    struct cpu_world c;
    build(&c, policies_find("static-opt"), 1, false);
    for (const struct param *p = c.w.spec.policy->params; p->type != PARAM_END; p++)
        *(const char **)(c.w.params + p->offset) = instances;
    assert_int_equal(world_run(&c.w), expected == NULL ? 0 : -1);
    if (expected != NULL && strstr(c.w.err.text, expected) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", c.w.err.text, expected);
    if (expected != NULL)
        assert_string_equal(c.w.err.path, "policy.instances");
    world_release(&c.w);
}

static void test_static_opt_numbers(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "-1",
                                      "4294967297",
                                      "10001",
                                      "two",
                                      "1x",
                                      "latency+batch",
                                      "latency+batch=",
                                      "a+b= 1",
                                      "latency+batch=1,",
                                      "a+b=4294967297"};
    check_instances("10000", NULL);
    check_instances("a+b=3,latency+batch=0", NULL);
    check_instances("latency+other=1,other+batch=2", "lacks the pair latency+batch");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_instances(bad[i], ": must be a number from 0 to 10000, or");
}

/* 10 ms on c of 4 cores is less than 40 ms, 80 % of 50, from 2 cores on; one way is enough. Batch
 * does 10 on the other two meanwhile. */
static void test_emu(void **state)
{
    (void)state;
    struct cpu_world c;
    build(&c, policies_find("emu"), 1, false);
    world_param(&c.w, "t_interval_ms", 15); /* as fast as predicted: nothing changes */
    check_ends(&c, MS(110), MS(20));
    /* Without a margin one core takes 40 ms, less than 50. */
    build(&c, policies_find("emu"), 1, false);
    world_param(&c.w, "margin", 0);
    world_param(&c.w, "runtime", 0);
    check_ends(&c, MS(110), MS(40));
}

/* Two queries take all cores, batch stands still; the third waits until 20 ms and then has 30 of
 * its 50 left, 24 of which 2 cores need 20. */
static void test_emu_queries(void **state)
{
    (void)state;
    struct cpu_world c;
    build(&c, policies_find("emu"), 3, false);
    assert_int_equal(world_run(&c.w), 0);
    assert_int_equal(world_end(&c.w, 1, 0), MS(20));
    assert_int_equal(world_end(&c.w, 2, 0), MS(20));
    assert_int_equal(world_row(&c.w, 3, 0)->start_ns, MS(20));
    assert_int_equal(world_end(&c.w, 3, 0), MS(40));
    assert_int_equal(world_end(&c.w, 0, 0), MS(130)); /* 10 of it from 20 to 40 */
    world_release(&c.w);
}

/* The first query has a core and all ways of the first device for 40 ms, the second two cores and a
 * way of the other. The third needs a core and a way: there are fewer cores taken on the first
 * device, but no way is left. */
static void test_emu_devices(void **state)
{
    (void)state;
    struct cpu_world c;
    struct dcs_cpu_app hungry = {.threads = 4,
                                 .speedup = 4,
                                 .stall = 0.5,
                                 .cache = 8,
                                 .shared = 1,
                                 .growth = 3,
                                 .ipc = 1,
                                 .exponent = 1};
    build(&c, policies_find("emu"), 0, false);
    world_domains(&c.w, 1, 2);
    dcs_cpu_derive(&c.cpu, &hungry);
    c.cpu.apps = &hungry;
    c.cpu.apps_count = 1;
    uint32_t service = world_latency(&c.w, MS(10));
    c.w.apps[service].listed = dcs_alloc(1, sizeof *c.w.apps[service].listed);
    world_job(&c.w, service, 0)->sla_ns = MS(55);
    world_job(&c.w, 1, 0)->sla_ns = MS(50);
    world_job(&c.w, 1, 0)->sla_ns = MS(55);
    world_param(&c.w, "runtime", 0);
    if (world_run(&c.w) != 0)
        fail_msg("%s", c.w.err.text);
    assert_int_equal(world_end(&c.w, 1, 0), MS(40));
    assert_int_equal(world_end(&c.w, 2, 0), MS(20));
    assert_int_equal(world_row(&c.w, 3, 0)->start_ns, 0);
    assert_int_equal(world_end(&c.w, 3, 0), MS(40));
    world_release(&c.w);
}

/* It takes 10 ms on two cores and on more, so nothing meets 8.8 of 11, and it gets all of both:
 * batch waits. */
static void test_emu_threads(void **state)
{
    (void)state;
    struct cpu_world c;
    struct dcs_cpu_app two = {.threads = 2, .speedup = 2, .ipc = 1, .exponent = 1};
    build(&c, policies_find("emu"), 1, false);
    dcs_cpu_derive(&c.cpu, &two);
    c.cpu.apps = &two;
    c.cpu.apps_count = 1;
    c.w.apps[1].listed = dcs_alloc(1, sizeof *c.w.apps[1].listed);
    c.w.workload.jobs[1].sla_ns = MS(11);
    check_ends(&c, MS(110), MS(10));
}

/* 2 cores each: 5 + 15 bytes per ns into 10, both half as fast, an IPC of 0.25 for 0.5. At 10 ms a
 * factor of 2 asks for 5 cores: batch stands still, and the 7.5 ms that are left take 7.5. Batch
 * has done 2.5, and goes on at a third of its speed. */
static void test_emu_runtime(void **state)
{
    (void)state;
    struct cpu_world c;
    build(&c, policies_find("emu"), 1, true);
    world_param(&c.w, "t_interval_ms", 10);
    check_ends(&c, MS(310), MS(35) / 2);
    build(&c, policies_find("emu"), 1, true);
    world_param(&c.w, "runtime", 0);
    check_ends(&c, MS(310), MS(40));
}

/* 2 + 3 predictions of the search, 2 at what it found: 7 ms, in which batch has all. */
static void test_emu_charged(void **state)
{
    (void)state;
    struct cpu_world c;
    build(&c, policies_find("emu"), 1, false);
    c.w.spec.predict_ns = MS(1);
    check_ends(&c, MS(110), MS(27));
}

/* ---- A policy that the test steers ---- */

static struct {
    struct host_allotment first, then;
    bool revokes, looks, legal;
    req_id batch;
    struct host_counters seen;
} plan;

static void plan_ready(void *state, struct host *h, req_id r)
{
    (void)state;
    struct host_device device;
    if (plan.batch == 0) {
        struct host_counters none;
        assert_false(host_counters(h, r, &none));
        assert_true(host_device(h, 0, &device));
        assert_true(device.can_resize && device.cores == 4 && device.ways == 8);
        plan.batch = r;
        host_launch(h, r, 0, plan.first);
        host_timer(h, MS(10), 0);
        return;
    }
    if (plan.looks)
        host_resize(h, r, plan.then); /* it waits */
}

static void plan_timer(void *state, struct host *h, uint64_t cookie)
{
    (void)state;
    (void)cookie;
    struct host_device device;
    assert_true(host_counters(h, plan.batch, &plan.seen));
    if (plan.revokes)
        host_revoke(h, plan.batch);
    else
        host_resize(h, plan.batch, plan.then);
    if (plan.legal && host_device(h, 0, &device))
        assert_int_equal(device.cores_allotted, plan.then.cores);
}

static void plan_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    (void)state, (void)h, (void)r, (void)d, (void)done;
}

static const struct policy planner = {.abi = POLICY_ABI,
                                      .size = sizeof(struct policy),
                                      .name = "planner",
                                      .summary = "does what the test says",
                                      .source = "a test",
                                      .on_ready = plan_ready,
                                      .on_timer = plan_timer,
                                      .on_complete = plan_complete};

#define SHARE(c, s, g)                                                                             \
    ((struct host_allotment){.mechanism = HOST_CPU, .cores = (c), .ways = (s), .group = (g)})

static void check_refused(struct host_allotment first, struct host_allotment then,
                          const char *expected)
{
    struct cpu_world c;
    build(&c, &planner, plan.looks, false);
    plan.first = first;
    plan.then = then;
    plan.batch = 0;
    assert_int_equal(world_run(&c.w), -1);
    if (strstr(c.w.err.text, expected) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", c.w.err.text, expected);
    world_release(&c.w);
}

static void test_rules(void **state)
{
    (void)state;
    struct host_allotment one = SHARE(1, 1, 0);
    check_refused(SHARE(0, 1, 0), one, "launch: request");
    check_refused(SHARE(5, 1, 0), one, "more cores or ways than the CPU");
    check_refused((struct host_allotment){.mechanism = HOST_GREEN, .sms = 1}, one,
                  "does not offer this mechanism");
    check_refused(one, SHARE(0, 0, 0), "at least one core and one way");
    check_refused(one, SHARE(1, 9, 0), "more cores or ways than the CPU");
    plan.looks = true;
    check_refused(one, one, "resize: request 33554433 (job 1, number 0) must run, but it waits");
    plan.looks = false;
    plan.revokes = true;
    check_refused(one, one, "runs on a CPU, where nothing is revoked");
    plan.revokes = false;
}

/* 1 core for 10 ms does 2.5 of 100; 3 cores then take 97.5 * 4/3. The clock has 2 GHz, and an IPC
 * of 1 is that on all cores. */
static void test_resize(void **state)
{
    (void)state;
    struct cpu_world c;
    build(&c, &planner, 0, false);
    plan.first = SHARE(1, 2, 0);
    plan.then = SHARE(3, 2, 0);
    plan.legal = true;
    plan.batch = 0;
    if (world_run(&c.w) != 0)
        fail_msg("%s", c.w.err.text);
    assert_int_equal(world_end(&c.w, 0, 0), MS(140));
    assert_int_equal(plan.seen.cycles, 2 * MS(10));
    assert_int_equal(plan.seen.instructions, MS(10) / 2);
    world_release(&c.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_os),
        cmocka_unit_test(test_static_opt),
        cmocka_unit_test(test_emu),
        cmocka_unit_test(test_emu_queries),
        cmocka_unit_test(test_emu_runtime),
        cmocka_unit_test(test_emu_charged),
        cmocka_unit_test(test_emu_devices),
        cmocka_unit_test(test_emu_threads),
        cmocka_unit_test(test_static_opt_numbers),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_resize),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
