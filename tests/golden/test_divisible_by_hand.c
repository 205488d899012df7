/*
 * test_divisible_by_hand.c - a request that a CPU and GPUs share, under the policies that divide
 * requests and under small ones that break rules, worked out by hand.
 *
 * Pins: the steps and shares of Static, Quick, Split, CAP and of a division by predictions; the
 * worked example of Wang's thesis (section 4.4.1: 65536 iterations, 512 first, 1:1, 65024 left,
 * doubling until the next step would take more than half of the rest) with speeds that settle at
 * once, after two steps and never; the factor of 4 at its edge; that CAP goes on doubling while a
 * device has had no chunk; how shares are rounded to blocks;
 * that a pass begins when the one before is over and ready; that a side slows the other only while
 * both work; that one device alone takes the time of that device; charges; what host_division and
 * host_ended_chunk say; the error of each illegal chunk. Does not pin: random worlds
 * (tests/prop/test_divisible_random.c), reading of profiles (tests/unit/models/divisible).
 */
#include "engine/device_kind.h"
#include "policies/policies.h"
#include "tests/world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

/* Times are in ns. */
struct bench {
    struct world w;
    struct dcs_work work;
    struct dcs_chunk_curve curves[4];
    struct dcs_chunk_point points[4][3];
    const struct dcs_work *works[1];
    struct cluster_probe probe;
    struct {
        dev_id device;
        uint64_t iterations;
        int64_t at_ns;
    } chunks[64];
    uint32_t count;
};

/* A line: what a chunk of one iteration takes, and each further one. */
static void set_curve(struct bench *b, enum dcs_side side, int64_t threads, bool beside,
                      int64_t fixed_ns, int64_t each_ns)
{
    size_t at = b->work.count++;
    struct dcs_chunk_point *p = b->points[at];
    p[0] = (struct dcs_chunk_point){.chunk = 1, .ns = (double)(fixed_ns + each_ns)};
    p[1] = (struct dcs_chunk_point){
        .chunk = b->work.iterations,
        .ns = (double)(fixed_ns + each_ns * b->work.iterations),
    };
    b->curves[at] = (struct dcs_chunk_curve){
        .side = side, .threads = threads, .beside = beside, .points = p, .count = 2};
}

static void note_action(void *context, int64_t now_ns, uint32_t domain, enum cluster_action action,
                        req_id r, uint64_t detail)
{
    struct bench *b = context;
    (void)domain, (void)r;
    assert_int_equal(action, CLUSTER_LAUNCH_CHUNK);
    assert_true(b->count < 64);
    b->chunks[b->count].device = (dev_id)(detail & 0xffffff);
    b->chunks[b->count].iterations = detail >> 24;
    b->chunks[b->count++].at_ns = now_ns;
}

/* A domain of a CPU with 4 threads and a GPU; the application and one job of one request are added
 * by start(). */
static void build(struct bench *b, const char *policy, int64_t iterations, int64_t passes)
{
    *b = (struct bench){.work = {.program = "p",
                                 .iterations = iterations,
                                 .passes = passes,
                                 .chunk_min = 1,
                                 .curves = b->curves}};
    world_init(&b->w, policies_find(policy), 2);
    b->w.spec.device_kind = &device_divisible;
    b->w.domains[0].cpu_threads = 4;
    b->works[0] = &b->work;
    b->probe = (struct cluster_probe){.context = b, .action = note_action};
    b->w.spec.probe = &b->probe;
}

/* CPU and GPU take so long for each iteration, and nothing else. */
static void set_speeds(struct bench *b, int64_t cpu_ns, int64_t gpu_ns)
{
    set_curve(b, DCS_SIDE_CPU, 4, false, 0, cpu_ns);
    set_curve(b, DCS_SIDE_GPU, 0, false, 0, gpu_ns);
}

static void start(struct bench *b)
{
    dcs_app_divisible(&b->w.apps[0], "p", DCS_BATCH, b->works, 1, true);
    b->w.spec.apps_count = 1;
    world_job(&b->w, 0, 0);
}

static void run(struct bench *b)
{
    start(b);
    if (world_run(&b->w) != 0)
        fail_msg("%s", b->w.err.text);
}

struct expected {
    dev_id device;
    uint64_t iterations;
    int64_t at_ns;
};

static void check_chunks(const struct bench *b, const struct expected *e, uint32_t count,
                         int64_t end_ns)
{
    for (uint32_t i = 0; i < count && i < b->count; i++)
        if (b->chunks[i].device != e[i].device || b->chunks[i].iterations != e[i].iterations ||
            b->chunks[i].at_ns != e[i].at_ns)
            fail_msg("chunk %u: %llu on device %u at %lld", i,
                     (unsigned long long)b->chunks[i].iterations, b->chunks[i].device,
                     (long long)b->chunks[i].at_ns);
    assert_int_equal(b->count, count);
    assert_int_equal(world_end(&b->w, 0, 0), end_ns);
}

#define CHECK(b, end_ns, ...)                                                                      \
    check_chunks(b, (const struct expected[]){__VA_ARGS__},                                        \
                 sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected), end_ns)

/* 100 iterations, a quarter on the GPU: 75 on the CPU at 10 ns, 25 at 2. The larger goes last. */
static void test_static(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "split-static", 100, 1);
    set_speeds(&b, 10, 2);
    world_param(&b.w, "gpu_share", 0.25);
    run(&b);
    CHECK(&b, 750, {1, 25, 0}, {0, 75, 0});
    assert_int_equal(b.w.out.devices[0].busy_ns, 750);
    assert_int_equal(b.w.out.devices[1].busy_ns, 50);
    world_release(&b.w);
}

/* 1280 iterations: 10 first, 5 each: 50 and 10 ns. The GPU is 5 times as fast: 1270 are 212 on the
 * CPU (1270 / 6 = 211.67) and 1058. */
static void test_quick(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "split-quick", 1280, 1);
    set_speeds(&b, 10, 2);
    run(&b);
    CHECK(&b, 50 + 2120, {1, 5, 0}, {0, 5, 0}, {0, 212, 50}, {1, 1058, 50});
    world_release(&b.w);
}

/* Steps of 1024 of 2500, the first 1:1 (5120 and 1024 ns), then by speed 1:5; the last has what is
 * left. 1024 / 6 = 170.67, 452 / 6 = 75.3. */
static void test_even(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "split-even", 2500, 1);
    set_speeds(&b, 10, 2);
    run(&b);
    CHECK(&b, 5120 + 1710 + 754, {1, 512, 0}, {0, 512, 0}, {0, 171, 5120}, {1, 853, 5120},
          {0, 75, 6830}, {1, 377, 6830});
    world_release(&b.w);
}

/* The thesis' example. Both sides are as fast: the division by speeds is 1:1 as it was, variance 0:
 * the rest of 65024 goes out in the second step. */
static void test_cap_settles_at_once(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "cap", 65536, 1);
    set_speeds(&b, 2, 2);
    run(&b);
    CHECK(&b, 512 + 65024, {1, 256, 0}, {0, 256, 0}, {1, 32512, 512}, {0, 32512, 512});
    world_release(&b.w);
}

/* The GPU is 3 times as fast. From 1:1 to 3:1 moves the share by 0.25, variance 0.03: 1024 come as
 * 256 and 768 (256 * 3 = 768 ns each); then nothing moves: 64000 as 16000 and 48000. */
static void test_cap_settles(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "cap", 65536, 1);
    set_speeds(&b, 3, 1);
    run(&b);
    CHECK(&b, 768 + 768 + 48000, {1, 256, 0}, {0, 256, 0}, {0, 256, 768}, {1, 768, 768},
          {0, 16000, 1536}, {1, 48000, 1536});
    world_release(&b.w);
}

static uint64_t step_of(const struct bench *b, uint32_t step)
{
    return b->chunks[2 * step].iterations + b->chunks[2 * step + 1].iterations;
}

/* It never settles (threshold 0): 512, 1024 ... 16384 leave 33280, and 4 * 16384 is more. */
static void test_cap_doubles(void **state)
{
    (void)state;
    static const uint64_t steps[] = {512, 1024, 2048, 4096, 8192, 16384, 33280};
    struct bench b;
    build(&b, "cap", 65536, 1);
    set_speeds(&b, 3, 1);
    world_param(&b.w, "threshold", 0);
    run(&b);
    assert_int_equal(b.count, 14);
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(step_of(&b, i), steps[i]);
    world_release(&b.w);
}

/* "s * 4 is larger than what is left": with 10 of 50 done, 40 are left and 4 * 10 is not larger;
 * with 10 of 49, it is. */
static void test_cap_factor_of_four(void **state)
{
    (void)state;
    for (int64_t n = 49; n <= 50; n++) {
        struct bench b;
        build(&b, "cap", n, 1);
        set_speeds(&b, 3, 1);
        world_param(&b.w, "probe", 10.0 / (double)n);
        world_param(&b.w, "threshold", 0);
        run(&b);
        assert_int_equal(step_of(&b, 0), 10);
        assert_int_equal(step_of(&b, 1), n == 49 ? 39 : 20);
        world_release(&b.w);
    }
}

/* The share moves by 0.01 from 0.5 when speeds are 51:49, a variance of 5e-5: not below that. With
 * 0.0101 as threshold it is. 49 and 51 ns are the times of an iteration. */
static void test_cap_threshold(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct bench b;
        build(&b, "cap", 128 * 200, 1);
        set_speeds(&b, 51, 49);
        world_param(&b.w, "threshold", i == 0 ? 4.99e-5 : 5.01e-5);
        run(&b);
        assert_int_equal(step_of(&b, 1), i == 0 ? 400 : 128 * 200 - 200);
        world_release(&b.w);
    }
}

/* In blocks of 16. Of the first step of 16 the CPU has none, its speed is not known, and nothing
 * settles: 32 follow as 16 and 16 (32 and 160 ns). The GPU is 5 times as fast: of 64 the CPU has
 * one block (10.7 of 16), 48 go to the GPU. Then the share stands: 1936 are 320 (322.7) and 1616.
 */
static void test_cap_not_measured(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "cap", 2048, 1);
    set_speeds(&b, 10, 2);
    b.work.chunk_min = 16;
    run(&b);
    CHECK(&b, 352 + 3232, {1, 16, 0}, {1, 16, 32}, {0, 16, 32}, {0, 16, 192}, {1, 48, 192},
          {0, 320, 352}, {1, 1616, 352});
    world_release(&b.w);
    /* 4 * 16 is more than the 24 that are left: they go out, known speeds or not. */
    build(&b, "cap", 40, 1);
    set_speeds(&b, 10, 2);
    b.work.chunk_min = 16;
    run(&b);
    CHECK(&b, 32 + 80, {1, 16, 0}, {1, 16, 32}, {0, 8, 32});
    world_release(&b.w);
}

/* In blocks of 16: 100 iterations at a quarter are 25 (two blocks of 16) on the GPU; the CPU has
 * the rest. */
static void test_blocks(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "split-static", 100, 1);
    set_speeds(&b, 10, 2);
    b.work.chunk_min = 16;
    world_param(&b.w, "gpu_share", 0.25);
    run(&b);
    CHECK(&b, 680, {1, 32, 0}, {0, 68, 0});
    world_release(&b.w);
    /* A tenth is less than half a block: the GPU has none. */
    build(&b, "split-static", 70, 1);
    set_speeds(&b, 10, 2);
    b.work.chunk_min = 16;
    world_param(&b.w, "gpu_share", 0.1);
    run(&b);
    CHECK(&b, 700, {0, 70, 0});
    world_release(&b.w);
    /* A first step of 1 is raised to a block, which one device has; shares stay as they were. Half
     * of 112 are 3.5 blocks, and the device that is not the last to get some rounds them. */
    build(&b, "split-quick", 128, 1);
    set_speeds(&b, 10, 2);
    b.work.chunk_min = 16;
    run(&b);
    CHECK(&b, 32 + 480, {1, 16, 0}, {1, 64, 32}, {0, 48, 32});
    world_release(&b.w);
}

/* Two passes, each ready 100 ns after it begins; took_ns is without that wait. */
static void test_passes(void **state)
{
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        struct bench b;
        build(&b, "split-quick", 1280, 2);
        set_speeds(&b, 10, 2);
        b.work.pass_ns = 100;
        world_param(&b.w, "passes", keep);
        run(&b);
        if (keep) /* 1280 / 6 = 213.3 */
            CHECK(&b, 2270 + 100 + 2134, {1, 5, 0}, {0, 5, 0}, {0, 212, 150}, {1, 1058, 150},
                  {0, 213, 2270}, {1, 1067, 2270});
        else
            CHECK(&b, 2 * 2270, {1, 5, 0}, {0, 5, 0}, {0, 212, 150}, {1, 1058, 150}, {1, 5, 2270},
                  {0, 5, 2270}, {0, 212, 2420}, {1, 1058, 2420});
        world_release(&b.w);
    }
}

/* Half of 100 each. Beside the CPU the GPU takes 4 instead of 2; beside the GPU the CPU 12 instead
 * of 10. The GPU's 50 end at 200; by then the CPU has done a third of its 600 beside, and does the
 * other two thirds in 333.3 alone. */
static void test_beside(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "split-static", 100, 1);
    set_speeds(&b, 10, 2);
    set_curve(&b, DCS_SIDE_CPU, 4, true, 0, 12);
    set_curve(&b, DCS_SIDE_GPU, 4, true, 0, 4);
    run(&b);
    CHECK(&b, 533, {1, 50, 0}, {0, 50, 0});
    assert_int_equal(b.w.out.devices[1].busy_ns, 200);
    world_release(&b.w);
}

/* Of 600 iterations the GPU's 500 end with the CPU's 100, at 1000 ns. */
static void test_predicted(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "split-predicted", 600, 1);
    set_speeds(&b, 10, 2);
    run(&b);
    CHECK(&b, 1000, {0, 100, 0}, {1, 500, 0});
    world_release(&b.w);
    build(&b, "split-predicted", 600, 1);
    set_curve(&b, DCS_SIDE_CPU, 4, false, 0, 10);
    set_curve(&b, DCS_SIDE_GPU, 0, false, 400, 2);
    run(&b); /* 10 c = 400 + 2 (600 - c): c = 133.3 */
    CHECK(&b, 1334, {0, 133, 0}, {1, 467, 0});
    world_release(&b.w);
    /* A GPU that takes long to begin has nothing. */
    build(&b, "split-predicted", 600, 1);
    set_curve(&b, DCS_SIDE_CPU, 4, false, 0, 10);
    set_curve(&b, DCS_SIDE_GPU, 0, false, 100000, 2);
    run(&b);
    CHECK(&b, 6000, {0, 600, 0});
    world_release(&b.w);
}

/* A CPU alone, a GPU alone: one chunk for each pass, the time of that side; so under a policy that
 * does not divide, which launches passes whole. */
static void test_one_device(void **state)
{
    (void)state;
    static const char *const names[] = {"split-static", "split-quick",     "split-even",
                                        "cap",          "split-predicted", "fcfs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (uint32_t threads = 0; threads <= 4; threads += 4) {
            struct bench b;
            build(&b, names[i], 3000, 2);
            set_speeds(&b, 10, 2);
            b.w.domains[0] = (struct cluster_domain){.devices = 1, .cpu_threads = threads};
            if (strcmp(names[i], "fcfs") == 0)
                b.w.spec.probe = NULL;
            run(&b);
            assert_int_equal(world_end(&b.w, 0, 0), 2 * 3000 * (threads > 0 ? 10 : 2));
            assert_int_equal(b.w.out.launches, 2);
            world_release(&b.w);
        }
}

/* Three GPUs share the GPUs' part; without a CPU all devices are alike. */
static void test_many_gpus(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "split-static", 100, 1);
    set_speeds(&b, 10, 2);
    b.w.domains[0].devices = 4;
    world_param(&b.w, "gpu_share", 0.6);
    run(&b);
    CHECK(&b, 400, {1, 20, 0}, {2, 20, 0}, {3, 20, 0}, {0, 40, 0});
    world_release(&b.w);
    build(&b, "split-static", 100, 1);
    set_speeds(&b, 10, 2);
    b.w.domains[0] = (struct cluster_domain){.devices = 4};
    world_param(&b.w, "gpu_share", 0.6);
    run(&b);
    CHECK(&b, 50, {1, 25, 0}, {2, 25, 0}, {3, 25, 0}, {0, 25, 0});
    world_release(&b.w);
}

/* A callback costs 7: chunks begin 7 later, after on_ready and after each on_complete; two ends at
 * one instant are two callbacks. Static 1:1 of 100: [7, 507] and [7, 107]. */
static void test_charges(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "split-static", 100, 2);
    set_speeds(&b, 10, 2);
    b.w.spec.callback_ns = 7;
    run(&b);
    CHECK(&b, 507 + 507, {1, 50, 0}, {0, 50, 0}, {1, 50, 507}, {0, 50, 507});
    world_release(&b.w);
}

/* Two requests: one after the other. */
static void test_queue(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "split-static", 100, 1);
    set_speeds(&b, 10, 2);
    start(&b);
    world_job(&b.w, 0, 100);
    assert_int_equal(world_run(&b.w), 0);
    assert_int_equal(world_end(&b.w, 0, 0), 500);
    assert_int_equal(world_end(&b.w, 1, 0), 1000);
    world_release(&b.w);
}

static void test_share_of_one(void **state)
{
    (void)state;
    struct bench b;
    build(&b, "cap", 100, 1);
    set_speeds(&b, 10, 2);
    world_param(&b.w, "gpu_share", 1);
    start(&b);
    assert_int_equal(world_run(&b.w), -1);
    assert_string_equal(b.w.err.path, "policy.gpu_share");
    assert_non_null(strstr(b.w.err.text, "of 0 or 1 leaves one side without work"));
    world_release(&b.w);
    build(&b, "split-even", 100, 1);
    set_speeds(&b, 10, 2);
    b.work.chunk_min = 50;
    world_param(&b.w, "chunk", 40);
    start(&b);
    assert_int_equal(world_run(&b.w), -1);
    assert_string_equal(b.w.err.path, "policy.chunk");
    assert_non_null(strstr(b.w.err.text, "is below the least chunk"));
    world_release(&b.w);
}

/* ---- The contract ---- */

static struct {
    int rule;
    uint32_t calls;
} puppet;

static void puppet_ready(void *state, struct host *h, req_id r)
{
    (void)state;
    struct host_division work;
    struct host_chunk chunk;
    struct host_device device;
    assert_true(host_division(h, r, &work));
    assert_true(work.iterations == 100 && work.left == 100 && work.chunk_min == 10);
    assert_int_equal(work.chunks, 0);
    assert_false(host_ended_chunk(h, r, 0, &chunk));
    assert_true(host_device(h, 0, &device) && device.cores == 4);
    assert_true(host_device(h, 1, &device) && device.cores == 0);
    assert_int_equal(host_predict_chunk(h, r, 0, 10), 100);
    assert_int_equal(host_predict_chunk(h, r, 1, 10), 20);
    assert_int_equal(host_predict_chunk(h, r, 1, 101), -1);
    assert_int_equal(host_predict_chunk(h, r, 2, 1), -1);
    switch (puppet.rule) {
    case 0:
        host_launch_chunk(h, r, 0, 30);
        assert_true(host_division(h, r, &work) && work.left == 70 && work.chunks == 1);
        assert_true(host_device(h, 0, &device) && device.state == HOST_BUSY);
        host_launch_chunk(h, r, 1, 60);
        break;
    case 1:
        host_launch_chunk(h, r, 0, 101);
        break;
    case 2:
        host_launch_chunk(h, r, 0, 9);
        break;
    case 3:
        host_launch_chunk(h, r, 0, 0);
        break;
    case 4:
        host_launch_chunk(h, r, 0, 20);
        host_launch_chunk(h, r, 0, 20);
        break;
    case 5:
        host_launch_chunk(h, r, 2, 20);
        break;
    case 6:
        host_launch_chunk(h, r + 1, 0, 20);
        break;
    case 7:
        host_launch_chunk(h, r, 0, 20);
        host_drop(h, r);
        break;
    case 8:
        host_launch(h, r, 0, (struct host_allotment){.mechanism = HOST_GREEN, .sms = 1});
        break;
    case 9:
        host_launch_chunk(h, r, 0, 20);
        host_revoke(h, r);
        break;
    default:
        break;
    }
}

/* The GPU's 60 end at 120, the CPU's 30 at 300; the last 10 are fewer than chunk_min after 95. */
static void puppet_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    (void)state;
    struct host_division work;
    struct host_chunk chunk;
    assert_true(host_ended_chunk(h, r, d, &chunk) && host_division(h, r, &work));
    switch (puppet.calls++) {
    case 0:
        assert_true(d == 1 && !done && chunk.iterations == 60 && chunk.took_ns == 120);
        assert_true(work.left == 10 && work.chunks == 1);
        assert_false(host_ended_chunk(h, r, 0, &chunk));
        break;
    case 1:
        assert_true(d == 0 && !done && chunk.iterations == 30 && chunk.took_ns == 300);
        assert_true(work.left == 10 && work.chunks == 0);
        host_launch_chunk(h, r, 1, 10);
        break;
    default:
        assert_true(d == 1 && done && chunk.iterations == 10 && work.left == 0);
    }
}

static const struct policy puppet_policy = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "puppet",
    .on_ready = puppet_ready,
    .on_complete = puppet_complete,
};

static int run_puppet(struct bench *b, int rule)
{
    puppet.rule = rule;
    puppet.calls = 0;
    build(b, "fcfs", 100, 1);
    b->w.spec.policy = &puppet_policy;
    b->w.spec.probe = NULL;
    set_speeds(b, 10, 2);
    b->work.chunk_min = 10;
    start(b);
    return world_run(&b->w);
}

static void test_contract(void **state)
{
    (void)state;
    static const char *const errors[] = {
        NULL,
        "101 iterations of application \"p\" on device 0 (100 are left, chunk_min is 10): it has "
        "more iterations than are left",
        "it has fewer iterations than chunk_min, and more are left",
        "it has no iteration",
        "it is not idle",
        "there is no device 2, the domain has 2",
        "is not in this domain",
        "drop: request",
        "it does not offer this mechanism",
        "where nothing is revoked",
    };
    struct bench b;
    assert_int_equal(run_puppet(&b, 0), 0);
    assert_int_equal(puppet.calls, 3);
    assert_int_equal(world_end(&b.w, 0, 0), 320);
    world_release(&b.w);
    for (int rule = 1; rule < 10; rule++) {
        assert_int_equal(run_puppet(&b, rule), -1);
        if (strstr(b.w.err.text, errors[rule]) == NULL)
            fail_msg("rule %d: %s", rule, b.w.err.text);
        world_release(&b.w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_static),
        cmocka_unit_test(test_quick),
        cmocka_unit_test(test_even),
        cmocka_unit_test(test_cap_settles_at_once),
        cmocka_unit_test(test_cap_settles),
        cmocka_unit_test(test_cap_doubles),
        cmocka_unit_test(test_cap_factor_of_four),
        cmocka_unit_test(test_cap_threshold),
        cmocka_unit_test(test_cap_not_measured),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_predicted),
        cmocka_unit_test(test_one_device),
        cmocka_unit_test(test_many_gpus),
        cmocka_unit_test(test_charges),
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_share_of_one),
        cmocka_unit_test(test_contract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
