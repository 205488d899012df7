/*
 * test_gpu.c - one shared device, by hand: when kernels end, what a revocation takes with it, where
 * the time went.
 *
 * Pins: alone, a kernel takes the profile's time under every mechanism, rounded to the ns; green
 * partitions without contention do not affect each other; transfers of one process
 * queue by direction, in the order in which they were enqueued, those of several share the bus;
 * they need no SMs, and those that are launched whole run beside anything; synthetic kernels scale
 * with 1 / SMs; the share that is left stays when the rate changes; contention slows as
 * contention.h says and is accounted; a delay is overhead; trap takes all, exit flag and process
 * kill one; what is owed; which launches are refused, at the bound and one beyond; what is promised
 * counts; a window that begins anywhere. Does not pin: who has which SMs under mps
 * (test_gpu_queue.c), random sequences (tests/prop/test_gpu_random.c), what a policy sees.
 */
#include "tests/gpu_life.h"

#include <math.h>

static void alone(void **state)
{
    (void)state;
    static const struct {
        struct dcs_gpu_allotment a;
        int64_t ns;
    } cases[] = {
        {{.share = DCS_GPU_WHOLE}, 1000},
        {{.share = DCS_GPU_GREEN, .sms = 100}, 1000},
        {{.share = DCS_GPU_MPS, .sms = 100}, 1000},
        {{.share = DCS_GPU_GREEN, .sms = 50}, 1801}, /* 1800.5 */
        {{.share = DCS_GPU_MPS, .sms = 50}, 1801},
        {{.share = DCS_GPU_GREEN, .sms = 25}, 3601},
    };
    gpu_case_shape(&world, 1000.4, 1800.5);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint32_t launches = 1; launches <= 7; launches += 3) {
            world.shapes[0].launches = launches;
            open_gpu(NULL, 0);
            live(12345);
            start(1, 0, cases[i].a);
            live_on();
            assert_true(end_ns[1] == 12345 + cases[i].ns);
            end_case(NULL);
        }
    }
}

static void partitions_do_not_affect_each_other(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1000, 1800.3);
    gpu_case_shape(&world, 700, 1111.6);
    open_gpu(NULL, 0);
    start(1, 0, GREEN(50));
    live(333);
    start(2, 1, GREEN(50));
    live(1444);
    assert_true(end_ns[2] == 0); /* 333 + 1111.6 */
    live(1445);
    assert_true(end_ns[2] == 1445);
    start(3, 1, GREEN(50));
    live_on();
    assert_true(end_ns[1] == 1800 && end_ns[3] == 1445 + 1112);
}

static void processes_share_the_bus(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1000, 1000);
    gpu_case_shape(&world, 600, 600)->kind = DCS_SHAPE_TO_DEVICE;
    gpu_case_shape(&world, 600, 600)->kind = DCS_SHAPE_FROM_DEVICE;
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 1, SHARED(100));
    start(3, 1, SHARED(100));
    start(4, 2, SHARED(100));
    live(300);
    start(5, 1, SHARED(100));
    live_on();
    assert_true(end_ns[1] == 1000 && end_ns[4] == 600);
    /* 150 of 600 done at 300; then thirds until 300 + 3 * 450, and number 5 has 150 left. */
    assert_true(end_ns[2] == 1650 && end_ns[3] == 1650 && end_ns[5] == 1800);
}

static void add_transfers(void)
{
    gpu_case_shape(&world, 1000, 1000);
    gpu_case_shape(&world, 600, 600)->kind = DCS_SHAPE_TO_DEVICE;
    gpu_case_shape(&world, 600, 600)->kind = DCS_SHAPE_FROM_DEVICE;
}

static void transfers_of_a_process_queue(void **state)
{
    (void)state;
    struct dcs_gpu_loss losses[DCS_TOGETHER_MAX];
    add_transfers();
    open_gpu(NULL, 0);
    start(9, 1, WHOLE);
    start(3, 1, WHOLE); /* of one instant, and the lower id */
    start(4, 2, WHOLE);
    start(2, 0, WHOLE); /* has all SMs */
    live(300);
    start(1, 1, WHOLE);
    assert_true(dcs_gpu_began_ns(gpu, 1) == 300 && dcs_gpu_next_ns(gpu) == 600);
    assert_int_equal(dcs_gpu_losses(gpu, 1, losses), 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(losses[i].share == (losses[i].id == 3 ? 1 : 0));
    assert_int_equal(dcs_gpu_losses(gpu, 3, losses), 0);
    live(900);
    assert_true(dcs_gpu_left(gpu, 900, 1) == 1 && dcs_gpu_left(gpu, 900, 9) == 0.5);
    live_on();
    assert_true(end_ns[3] == 600 && end_ns[9] == 1200 && end_ns[1] == 1800);
    assert_true(end_ns[4] == 600 && end_ns[2] == 1000);
    dcs_gpu_close(gpu, now_ns);
    assert_true(fabs(dcs_gpu_usage(gpu)->sm_ns - 1000 * CASE_SMS) < 1e-6);
    end_case(NULL);
    /* Beside a partition; another process gets half of the bus, whoever is served. */
    open_gpu(NULL, 0);
    start(1, 1, GREEN(10));
    start(2, 1, GREEN(10));
    start(3, 1, SHARED(10));
    live_on();
    assert_true(end_ns[1] == 1200 && end_ns[3] == 1200 && end_ns[2] == 1800);
}

/* While it waits, and while it is served. */
static void transfers_are_revoked(void **state)
{
    (void)state;
    const struct dcs_profile_revocation flag = {.mechanism = DCS_ASM_EXIT, .kill_ns = 10};
    uint64_t victims[DCS_TOGETHER_MAX];
    add_transfers();
    open_gpu(NULL, 0);
    for (uint64_t id = 1; id <= 4; id++)
        start(id, 1, WHOLE);
    live(200);
    assert_int_equal(dcs_gpu_stop(gpu, 200, 2, &flag, victims), 1);
    live(300);
    assert_true(end_ns[2] == 210 && was_stopped[2]);
    assert_int_equal(dcs_gpu_stop(gpu, 300, 1, &flag, victims), 1);
    live_on();
    assert_true(end_ns[1] == 310 && was_stopped[1]);
    assert_true(end_ns[3] == 900 && end_ns[4] == 1500);
}

/* A request's transfers of one direction without a gap keep their place. */
static void transfers_are_enqueued_together(void **state)
{
    (void)state;
    add_transfers();
    for (int64_t gap = 0; gap < 2; gap++) {
        open_gpu(NULL, 0);
        start(5, 1, WHOLE);
        live(100);
        start(2, 1, WHOLE);
        live(600 + gap);
        assert_true(end_ns[5] == 600);
        end_ns[5] = 0;
        start(5, 1, WHOLE);
        live(1150);
        start(1, 1, WHOLE);
        live_on();
        assert_true(end_ns[gap == 0 ? 5 : 2] == 1200 && end_ns[gap == 0 ? 2 : 5] == 1800);
        assert_true(end_ns[1] == 2400);
        end_case(NULL);
    }
}

/* Whatever comes first; a kernel on the whole device, one on a part, and a fused launch. */
static void whole_transfers_run_beside_anything(void **state)
{
    (void)state;
    const char *why;
    gpu_case_shape(&world, 1000, 1000);
    gpu_case_shape(&world, 600, 600)->kind = DCS_SHAPE_TO_DEVICE;
    open_gpu(NULL, 0);
    struct dcs_gpu_launch transfer = kernel(2, 1, WHOLE), compute = kernel(1, 0, WHOLE);
    transfer.memory_bytes = MEMORY / 2;
    compute.memory_bytes = MEMORY / 2;
    dcs_gpu_start(gpu, 0, &transfer);
    assert_int_equal(dcs_gpu_sms_allotted(gpu), 0);
    compute.memory_bytes++;
    assert_false(dcs_gpu_admits(gpu, &compute, NULL, &why));
    assert_non_null(strstr(why, "memory"));
    compute.memory_bytes--;
    dcs_gpu_start(gpu, 0, &compute);
    assert_int_equal(dcs_gpu_sms_allotted(gpu), CASE_SMS);
    live(600);
    assert_true(end_ns[2] == 600);
    start(3, 1, WHOLE);
    /* With an allotment it is as any other kernel, and so is a second kernel. */
    struct dcs_gpu_launch others[] = {kernel(4, 1, SHARED(1)), kernel(4, 1, GREEN(1)),
                                      kernel(4, 0, SHARED(1)), kernel(4, 0, GREEN(1)),
                                      kernel(4, 0, WHOLE)};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(dcs_gpu_admits(gpu, &others[i], NULL, &why));
    live(1000);
    assert_true(end_ns[1] == 1000);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_true(dcs_gpu_admits(gpu, &others[i], NULL, &why));
    start(5, 0, SHARED(100));
    start(7, 1, SHARED(1)); /* no SMs are left, and it needs none: its allotment is a cap */
    transfer = kernel(8, 1, WHOLE);
    assert_true(dcs_gpu_admits(gpu, &transfer, NULL, &why));
    assert_false(dcs_gpu_admits(gpu, &compute, NULL, &why));
    dcs_gpu_stop(gpu, now_ns, 3, &(struct dcs_profile_revocation){.mechanism = DCS_ASM_EXIT},
                 &(uint64_t){0});
    live_on();
    assert_true(was_stopped[3] && end_ns[7] == 1600);
    assert_int_equal(dcs_gpu_sms_allotted(gpu), 0);
}

static void whole_transfers_run_beside_a_fused_launch(void **state)
{
    (void)state;
    const char *why;
    gpu_case_shape(&world, 1000, 1000);
    gpu_case_shape(&world, 600, 600)->kind = DCS_SHAPE_TO_DEVICE;
    open_gpu(NULL, 0);
    struct dcs_gpu_fused fused = {.parts = {kernel(4, 0, WHOLE), kernel(2, 0, WHOLE)},
                                  .end_ns = {900, 1500}};
    struct dcs_gpu_launch transfer = kernel(3, 1, WHOLE);
    transfer.delay_ns = 50;
    dcs_gpu_start(gpu, 0, &transfer);
    assert_true(dcs_gpu_admits_fused(gpu, fused.parts, NULL, &why));
    dcs_gpu_start_fused(gpu, 0, &fused);
    assert_int_equal(dcs_gpu_sms_allotted(gpu), CASE_SMS);
    live(700);
    assert_true(end_ns[3] == 650); /* it did not begin with the others */
    start(1, 1, WHOLE);
    live_on();
    assert_true(end_ns[1] == 1300 && end_ns[2] == 1500 && end_ns[4] == 1500);
    assert_int_equal(dcs_gpu_sms_allotted(gpu), 0);
}

static void synthetic_kernels_scale(void **state)
{
    (void)state;
    open_gpu(NULL, 0);
    struct dcs_gpu_launch l = kernel(1, DCS_NO_SHAPE, GREEN(25));
    l.work_ns = 100;
    dcs_gpu_start(gpu, 0, &l);
    l.id = 2;
    l.allotment = GREEN(75);
    dcs_gpu_start(gpu, 0, &l);
    live_on();
    assert_true(end_ns[1] == 400 && end_ns[2] == 133);
}

static void scale_is_the_truth(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1000, 1800);
    open_gpu(NULL, 0);
    struct dcs_gpu_launch l = kernel(1, 0, GREEN(50));
    l.scale = 1.25;
    dcs_gpu_start(gpu, 0, &l);
    live(450);
    assert_true(dcs_gpu_left(gpu, 450, 1) == 0.8);
    dcs_gpu_scale_left(gpu, 450, 1, 0.5);
    assert_true(dcs_gpu_left(gpu, 450, 1) == 0.4);
    assert_true(dcs_gpu_left(gpu, 900, 1) == 0.2);
    live_on();
    assert_true(end_ns[1] == 450 + 900);
}

static void contention_slows(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1000, 1000);
    gpu_case_shape(&world, 1000, 1000);
    gpu_case_resource(&world);
    gpu_case_press(&world, 0, 0.5, 0); /* presses, does not suffer */
    gpu_case_press(&world, 1, 0.25, 1);
    struct dcs_contention *contention = dcs_contention_create(&world.spatial);
    const struct dcs_presser set[2] = {{.shape = 0, .millisms = 50000},
                                       {.shape = 1, .millisms = 50000}};
    double slow[2];
    dcs_contention_slowdowns(contention, set, 2, slow, NULL);
    assert_true(slow[0] == 1 && slow[1] > 1.1);
    open_gpu(contention, 0);
    start(1, 0, GREEN(50));
    start(2, 1, GREEN(50));
    live_on();
    assert_true(end_ns[1] == 1000);
    /* What was left after 1000 then ran alone. */
    assert_true(end_ns[2] == 1000 + (int64_t)((1 - 1000 / (1000 * slow[1])) * 1000 + 0.5));
    dcs_gpu_close(gpu, now_ns);
    const struct dcs_gpu_usage *u = dcs_gpu_usage(gpu);
    assert_true(fabs(u->slowed_ns - 1000 * (1 - 1 / slow[1])) < 1e-6);
    assert_true(fabs(u->kernel_ns - (double)(1000 + end_ns[2])) < 1e-6);
    assert_true(u->beyond_ns == 0);
    end_case(NULL);
    /* It was never slowed by so much. */
    dcs_contention_destroy(contention);
    world.spatial.ranged = true;
    world.shapes[1].points[0].measured_to = 1.05;
    contention = dcs_contention_create(&world.spatial);
    open_gpu(contention, 0);
    start(1, 0, GREEN(50));
    start(2, 1, GREEN(50));
    live_on();
    dcs_gpu_close(gpu, now_ns);
    assert_true(fabs(dcs_gpu_usage(gpu)->beyond_ns - 1000 * (1 - 1.05 / slow[1])) < 1e-6);
    end_case(NULL);
    /* Without it they do not notice each other. */
    open_gpu(NULL, 0);
    start(1, 0, GREEN(50));
    start(2, 1, GREEN(50));
    live_on();
    assert_true(end_ns[1] == 1000 && end_ns[2] == 1000);
    dcs_contention_destroy(contention);
}

/* ---- Revocation ---- */

static const struct dcs_profile_revocation trap = {
    .mechanism = DCS_TRAP, .kill_ns = 5, .start_ns = 17, .clear_ns = 60, .spawn_ns = 15};

static void assert_usage(int64_t useful_ns, int64_t lost_ns, int64_t overhead_ns)
{
    dcs_gpu_close(gpu, now_ns);
    const struct dcs_usage *u = &dcs_gpu_usage(gpu)->time;
    assert_int_equal(u->useful_ns, useful_ns);
    assert_int_equal(u->lost_ns, lost_ns);
    assert_int_equal(u->overhead_ns, overhead_ns);
    assert_int_equal(u->busy_ns, useful_ns + lost_ns + overhead_ns);
}

static void a_trap_takes_all(void **state)
{
    (void)state;
    uint64_t victims[DCS_TOGETHER_MAX];
    const char *why;
    gpu_case_shape(&world, 1000, 1000);
    open_gpu(NULL, 0);
    start(3, 0, GREEN(50));
    start(1, 0, GREEN(25));
    live(100);
    assert_int_equal(dcs_gpu_stop(gpu, 100, 3, &trap, victims), 2);
    assert_true(victims[0] == 1 && victims[1] == 3);
    assert_int_equal(dcs_gpu_running(gpu), 0);
    assert_int_equal(dcs_gpu_stopping(gpu), 2);
    struct dcs_gpu_launch l = kernel(4, 0, GREEN(25));
    live(104);
    assert_false(dcs_gpu_admits(gpu, &l, NULL, &why));
    live(105);
    assert_true(end_ns[1] == 105 && end_ns[3] == 105 && was_stopped[1] && was_stopped[3]);
    /* A latency start is slow, a batch start cleans up as well. */
    start(4, 0, GREEN(25));
    assert_true(dcs_gpu_began_ns(gpu, 4) == 105 + 17);
    l.id = 5;
    l.class = DCS_BATCH;
    dcs_gpu_start(gpu, 105, &l);
    assert_true(dcs_gpu_began_ns(gpu, 5) == 105 + 75);
    live_on();
    assert_true(end_ns[4] == 105 + 17 + 2000 && end_ns[5] == 105 + 75 + 2000);
    /* Both starts together for 17; then one starts, one works, for 58. */
    assert_usage(29 + 1942 + 58, 100, 5 + 17 + 29);
}

static void a_flag_takes_one(void **state)
{
    (void)state;
    const struct dcs_profile_revocation flag = {.mechanism = DCS_ASM_EXIT, .kill_ns = 10};
    uint64_t victims[DCS_TOGETHER_MAX];
    const char *why;
    gpu_case_shape(&world, 1000, 1000);
    open_gpu(NULL, 0);
    start(1, 0, GREEN(50));
    start(2, 0, GREEN(50));
    live(100);
    assert_int_equal(dcs_gpu_stop(gpu, 100, 2, &flag, victims), 1);
    assert_true(victims[0] == 2);
    assert_int_equal(dcs_gpu_running(gpu), 1);
    assert_true(dcs_gpu_nth(gpu, 0) == 1);
    /* It keeps its partition until it is gone. */
    struct dcs_gpu_launch l = kernel(3, 0, GREEN(50));
    assert_false(dcs_gpu_admits(gpu, &l, NULL, &why));
    live(110);
    assert_true(end_ns[2] == 110 && was_stopped[2]);
    assert_true(dcs_gpu_admits(gpu, &l, NULL, &why));
    live_on();
    assert_true(end_ns[1] == 1000);
    assert_usage(50 + 5 + 890, 50, 5);
}

static void memory_of_the_dead(void **state)
{
    (void)state;
    uint64_t victims[DCS_TOGETHER_MAX];
    gpu_case_shape(&world, 1000, 1000);
    open_gpu(NULL, 0);
    struct dcs_gpu_launch l = kernel(1, 0, GREEN(50));
    l.memory_bytes = 600;
    dcs_gpu_start(gpu, 0, &l);
    dcs_gpu_stop(gpu, 0, 1, &trap, victims);
    assert_true(dcs_gpu_memory_used(gpu) == 600);
    live(5);
    /* 400 bytes fit beside the dead context; the next one pays for clearing it, but no process. */
    l.id = 2;
    l.memory_bytes = 400;
    dcs_gpu_start(gpu, 5, &l);
    assert_true(dcs_gpu_began_ns(gpu, 2) == 5 + 17);
    l.id = 3;
    l.memory_bytes = 1;
    dcs_gpu_start(gpu, 5, &l);
    assert_true(dcs_gpu_began_ns(gpu, 3) == 5 + 60);
    assert_true(dcs_gpu_memory_used(gpu) == 401);
}

static void a_delay_is_overhead(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1000, 1000);
    open_gpu(NULL, 40);
    struct dcs_gpu_launch l = kernel(1, 0, WHOLE);
    l.delay_ns = 100;
    dcs_gpu_start(gpu, 0, &l);
    assert_true(dcs_gpu_began_ns(gpu, 1) == 100);
    live_on();
    assert_true(end_ns[1] == 1100);
    assert_usage(1000, 0, 60);
}

static void accounts_of_a_window(void **state)
{
    (void)state;
    uint64_t victims[DCS_TOGETHER_MAX];
    gpu_case_shape(&world, 1000, 1000);
    open_gpu(NULL, 400);
    start(1, 0, GREEN(50));
    live(500);
    dcs_gpu_stop(gpu, 500, 1, &trap, victims);
    live(1000);
    start(2, 0, GREEN(50));
    live(1200);
    assert_usage(183, 100, 5 + 17);
}

/* ---- Rules ---- */

static bool admits(struct dcs_gpu_allotment a, uint64_t memory_bytes,
                   const struct dcs_gpu_promised *promised)
{
    const char *why = "";
    struct dcs_gpu_launch l = kernel(60, 0, a);
    l.memory_bytes = memory_bytes;
    bool does = dcs_gpu_admits(gpu, &l, promised, &why);
    assert_true(does == (why == NULL));
    return does;
}

static void rules(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1000, 1000);
    open_gpu(NULL, 0);
    assert_true(admits(WHOLE, MEMORY, NULL));
    assert_false(admits(WHOLE, MEMORY + 1, NULL));
    assert_true(admits(GREEN(100), 0, NULL));
    assert_false(admits(GREEN(101), 0, NULL));
    assert_false(admits(GREEN(0), 0, NULL));
    assert_false(admits(SHARED(101), 0, NULL));
    assert_false(admits((struct dcs_gpu_allotment){.share = DCS_GPU_WHOLE, .sms = 1}, 0, NULL));
    assert_false(admits((struct dcs_gpu_allotment){.share = (enum dcs_gpu_share)7}, 0, NULL));
    struct dcs_gpu_promised p = {.kernels = 1, .sms = 60, .memory_bytes = 300};
    assert_true(admits(GREEN(40), 700, &p));
    assert_false(admits(GREEN(41), 700, &p));
    assert_false(admits(GREEN(40), 701, &p));
    assert_false(admits(WHOLE, 0, &p));
    assert_true(admits(SHARED(100), 0, &p));
    p.whole = true;
    assert_false(admits(SHARED(1), 0, &p));
    p = (struct dcs_gpu_promised){.kernels = DCS_TOGETHER_MAX};
    assert_false(admits(SHARED(1), 0, &p));
    struct dcs_gpu_launch l = kernel(1, 0, GREEN(30));
    l.memory_bytes = 500;
    dcs_gpu_start(gpu, 0, &l);
    assert_true(admits(GREEN(70), 500, NULL));
    assert_false(admits(GREEN(71), 500, NULL));
    assert_false(admits(GREEN(70), 501, NULL));
    assert_false(admits(WHOLE, 0, NULL));
    live_on();
    start(2, 0, WHOLE);
    assert_false(admits(SHARED(1), 0, NULL));
    assert_int_equal(dcs_gpu_sms_allotted(gpu), CASE_SMS);
    live_on();
    for (uint64_t id = 3; id < 3 + DCS_TOGETHER_MAX - 4; id++)
        start(id, 0, SHARED(100));
    p = (struct dcs_gpu_promised){.kernels = 3};
    assert_true(admits(SHARED(1), 0, &p));
    p.kernels = 4;
    assert_false(admits(SHARED(1), 0, &p));
}

static void no_time_is_too_long(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1e300, 1e300);
    open_gpu(NULL, 0);
    start(1, 0, WHOLE);
    assert_true(dcs_gpu_next_ns(gpu) == DCS_TIME_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(alone),
        TEST(partitions_do_not_affect_each_other),
        TEST(processes_share_the_bus),
        TEST(transfers_of_a_process_queue),
        TEST(transfers_are_revoked),
        TEST(transfers_are_enqueued_together),
        TEST(whole_transfers_run_beside_anything),
        TEST(whole_transfers_run_beside_a_fused_launch),
        TEST(synthetic_kernels_scale),
        TEST(scale_is_the_truth),
        TEST(contention_slows),
        TEST(a_trap_takes_all),
        TEST(a_flag_takes_one),
        TEST(memory_of_the_dead),
        TEST(a_delay_is_overhead),
        TEST(accounts_of_a_window),
        TEST(rules),
        TEST(no_time_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
