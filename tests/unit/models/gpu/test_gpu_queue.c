/*
 * test_gpu_queue.c - the SMs of a device that kernels share under mps, by hand.
 *
 * Pins: SMs are handed out in the order of a queue, a kernel of many CUDA launches goes to its end
 * after each, so that two equal ones at 100 % both take twice as long, and of three that fit by
 * twos each waits in turn; caps leave a rest; in its last wave a launch leaves SMs to the next, in
 * fractions, and a small grid has nothing but a last wave; one that gets fewer SMs than it wants
 * then is as slow as on its cap's SMs in proportion, but a launch that fits at once ends when its
 * last block does, which begins when it has the SMs or after the rounds that it takes on those that
 * it has, each as long as the launch with all of them, whatever fewer SMs are worth; half a block's
 * place is not waited for; what its last wave is follows from the SMs
 * that it has by then, and more of them may begin it; blocks that drift apart leave half of the SMs
 * to the next while they end, and both are slowed as far as they use more than these can do; a grid
 * that is not known has no last wave; the launches of one kernel may be unlike each other, which
 * alone changes nothing, and short ones of few blocks run beside another kernel's; where all fit a
 * kernel presses evenly, its ends included; where SMs are scarce contention meets those that are
 * held; SMs in use are what the blocks can occupy, the same for one kernel alone under every
 * mechanism. Does not pin: random sequences (tests/prop/test_gpu_random.c), all else about a device
 * (test_gpu.c).
 */
#include "tests/gpu_life.h"

#include <float.h>
#include <math.h>

static void launches_wait_for_those_before_them(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1000, 2000);
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    live(100);
    start(2, 0, SHARED(100));
    live(200);
    assert_true(dcs_gpu_left(gpu, 200, 1) == 0.8 && dcs_gpu_left(gpu, 200, 2) == 1);
    live_on();
    assert_true(end_ns[1] == 1000 && end_ns[2] == 2000);
}

/* The first of a closed loop goes behind the other when it comes again. */
static void equal_loops_take_turns(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1000, 2000);
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 0, SHARED(100));
    for (uint64_t id = 3; id < 20; id++) {
        live(dcs_gpu_next_ns(gpu));
        start(id, 0, SHARED(100));
        assert_true(now_ns == 1000 * (int64_t)(id - 2));
    }
    live_on();
    for (uint64_t id = 3; id < 20; id++) /* launched at (id - 2), ended at id */
        assert_true(end_ns[id] == 1000 * (int64_t)id);
}

static void equal_kernels_of_many_launches_take_twice_as_long(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1000, 2000)->launches = 100;
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 0, SHARED(100));
    live_on();
    assert_true(end_ns[1] == 1990 && end_ns[2] == 2000);
}

static void caps_leave_a_rest(void **state)
{
    (void)state;
    gpu_case_shape(&world, 1000, 2000); /* perfectly parallel: 80 SMs take 1250, 20 take 5000 */
    open_gpu(NULL, 0);
    start(1, 0, SHARED(80));
    start(2, 0, SHARED(80));
    live(1249);
    assert_true(end_ns[1] == 0);
    live(1250);
    assert_true(end_ns[1] == 1250);
    /* A quarter of the second is done on 20 SMs; the rest runs on 80. */
    live_on();
    assert_true(end_ns[2] == 1250 + 938);
}

static void set_grid(struct dcs_shape *shape, uint64_t blocks, uint32_t blocks_per_sm)
{
    shape->blocks = blocks;
    shape->blocks_per_sm = blocks_per_sm;
}

static void small_grids_fit_beside_others(void **state)
{
    (void)state;
    set_grid(gpu_case_shape(&world, 1000, 2000), 75, 2); /* 37.5 SMs */
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 0, SHARED(100));
    start(3, 0, SHARED(100)); /* 25 SMs are left: it ends 1000 after it has more, but for what it
                               * does until then, a thousandth of what 25 SMs do */
    live_on();
    assert_true(end_ns[1] == 1000 && end_ns[2] == 1000);
    assert_true(end_ns[3] == 1000 + 999);
    dcs_gpu_close(gpu, now_ns);
    /* Its blocks, one on each SM, as soon as the others have left. */
    assert_true(fabs(dcs_gpu_usage(gpu)->sm_ns - (1000 * 100 + 999 * 75)) < 1e-6);
}

/* Of one kernel alone, of one wave or of several, it does not matter how it got the SMs. */
static void sms_in_use_alone(void **state)
{
    (void)state;
    static const uint64_t blocks[] = {13, 75, 100, 130, 250, 500};
    const struct dcs_gpu_allotment ways[] = {WHOLE, GREEN(100), SHARED(100)};
    gpu_case_shape(&world, 1000, 2000);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        double sms = blocks[i] < 100 ? (double)blocks[i] : 100;
        set_grid(&world.shapes[0], blocks[i], 8);
        for (size_t k = 0; k < 3; k++) {
            open_gpu(NULL, 0);
            start(1, 0, ways[k]);
            live_on();
            dcs_gpu_close(gpu, now_ns);
            assert_true(end_ns[1] == 1000);
            assert_true(fabs(dcs_gpu_usage(gpu)->sm_ns - 1000 * sms) < 1e-6);
            end_case(NULL);
        }
    }
    /* Beside a partition no more than that leaves. */
    set_grid(&world.shapes[0], 90, 8);
    open_gpu(NULL, 0);
    start(1, 0, GREEN(40));
    start(2, 0, SHARED(50));
    start(3, 0, SHARED(50));
    live(500);
    dcs_gpu_close(gpu, now_ns);
    assert_true(fabs(dcs_gpu_usage(gpu)->sm_ns - 500 * 100) < 1e-6);
}

/* Three waves of 200 blocks at most: in the last, 100 of them on 50 SMs. */
static void a_last_wave_leaves_room(void **state)
{
    (void)state;
    set_grid(gpu_case_shape(&world, 1200, 2400), 500, 2);
    gpu_case_shape(&world, 1000, 2000); /* its grid is not known */
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 1, SHARED(100));
    live(799);
    assert_true(dcs_gpu_left(gpu, 799, 2) == 1);
    live(1000); /* half of it on 50 SMs since 800 */
    assert_true(fabs(dcs_gpu_left(gpu, 1000, 2) - 0.9) < 1e-12);
    live_on();
    assert_true(end_ns[1] == 1200 && end_ns[2] == 1200 + 800);
    dcs_gpu_close(gpu, now_ns);
    assert_true(fabs(dcs_gpu_usage(gpu)->sm_ns - 2000 * 100) < 1e-6);
    end_case(NULL);
    /* The other way round the first has no last wave. */
    open_gpu(NULL, 0);
    start(1, 1, SHARED(100));
    start(2, 0, SHARED(100));
    live_on();
    assert_true(end_ns[1] == 1000 && end_ns[2] == 2200);
    end_case(NULL);
    /* Alone its last wave spreads: 100 blocks on 100 SMs. */
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    assert_true(dcs_gpu_next_ns(gpu) == 1200);
    live_on();
    dcs_gpu_close(gpu, now_ns);
    assert_true(fabs(dcs_gpu_usage(gpu)->sm_ns - 1200 * 100) < 1e-6);
}

/* 120 blocks on 5 SMs, a tenth of the cap of 50, and from 8000 on, with two fifths done, on 50. */
static void a_last_wave_that_lacks_room(void **state)
{
    (void)state;
    set_grid(gpu_case_shape(&world, 1000, 2000), 120, 2);
    gpu_case_shape(&world, 8000, 8000);
    open_gpu(NULL, 0);
    start(1, 1, SHARED(95));
    start(3, 0, SHARED(50)); /* 5 SMs: 20 times as long as on 100 */
    live(8000);
    assert_true(end_ns[1] == 8000 && fabs(dcs_gpu_left(gpu, 8000, 3) - 0.6) < 1e-12);
    live_on();
    assert_true(end_ns[3] == 8000 + 1200);
}

/* 75 blocks that want 37.5 SMs for 2000 and have 5, where they take 15000 in 7.5 rounds. */
static void last_blocks_that_lack_room(void **state)
{
    (void)state;
    set_grid(gpu_case_shape(&world, 1000, 2000), 75, 2);
    gpu_case_shape(&world, 8000, 8000);
    open_gpu(NULL, 0);
    start(1, 1, SHARED(95));
    start(3, 0, SHARED(50));
    live(8000);
    double left = dcs_gpu_left(gpu, 8000, 3);
    assert_true(fabs(left - (1 - 0.001 * 8000 / 15000)) < 1e-12);
    live_on();
    assert_true(end_ns[3] == 8000 + (int64_t)(2000 * left + 0.5));
    end_case(NULL);
    world.points[1][0].solo_ns = world.points[1][1].solo_ns =
        20000; /* 6.5 of the rounds are over */
    open_gpu(NULL, 0);
    start(1, 1, SHARED(95));
    start(3, 0, SHARED(50));
    live_on();
    assert_true(end_ns[3] == 13000 + (int64_t)(2000 * (1 - 0.001 * 13000 / 15000) + 0.5));
    assert_true(end_ns[1] == 20000);
}

/* 60 blocks that want 60 SMs for 1000 ns beside one that leaves so many; when they end. */
static int64_t beside(uint32_t left, double on_half)
{
    set_grid(gpu_case_shape(&world, 1000, on_half), 60, 1);
    gpu_case_shape(&world, 8000, 8000);
    open_gpu(NULL, 0);
    start(1, 1, SHARED(100 - left));
    start(2, 0, SHARED(100));
    live_on();
    int64_t ns = end_ns[2];
    end_case(NULL);
    begin_case(NULL);
    return ns;
}

static void rounds_of_last_blocks(void **state)
{
    (void)state;
    assert_int_equal(beside(60, 2000), 1000);
    assert_int_equal(beside(40, 2000), 2000 - 1); /* one round, in which 0.001 * 1000 / 1500 is
                                                   * done, which saves 0.67 ns */
    assert_int_equal(beside(20, 2000), 3000 - 1); /* two */
    /* As fast on any number of SMs, it has to wait for a round all the same. */
    assert_int_equal(beside(40, 1000), 2000 - 1);
    assert_int_equal(beside(20, 1000), 2000 - 1);
}

/* The round of the wait and the one after it. */
static void rounds_are_slowed_by_others(void **state)
{
    (void)state;
    double slow[2];
    const struct dcs_presser set[2] = {{.shape = 0, .millisms = 40000},
                                       {.shape = 1, .millisms = 60000}};
    set_grid(gpu_case_shape(&world, 10000, 20000), 60, 1);
    gpu_case_shape(&world, 80000, 80000);
    gpu_case_resource(&world);
    gpu_case_press(&world, 0, 0.5, 0.5);
    gpu_case_press(&world, 1, 0.5, 0.5);
    struct dcs_contention *contention = dcs_contention_create(&world.spatial);
    dcs_contention_solve(&world.spatial, set, 2, slow, NULL);
    assert_true(slow[0] > 1.1);
    open_gpu(contention, 0);
    start(1, 1, SHARED(60));
    start(2, 0, SHARED(100));
    live_on();
    assert_true(fabs((double)end_ns[2] - slow[0] * (20000 - 20 / 3.0)) < 1);
    dcs_contention_destroy(contention);
}

/* 125 blocks, two on an SM, beside one that leaves 62.2 SMs in its end, and then 62.3. */
static void half_a_place_is_none(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        set_grid(gpu_case_shape(&world, 1000, 2000), 125, 2);
        set_grid(gpu_case_shape(&world, 8000, 8000), i == 0 ? 3780 : 3770, 100);
        open_gpu(NULL, 0);
        start(1, 1, SHARED(100));
        start(2, 0, SHARED(100));
        live_on();
        assert_int_equal(end_ns[2], i == 0 ? 2000 - 1 : 1000);
        end_case(NULL);
        begin_case(NULL);
    }
}

/* It lacks half of a place, a third of an SM, give or take rounding: the order in which the others
 * came does not decide. */
static void half_a_place_is_none_in_any_order(void **state)
{
    (void)state;
    set_grid(gpu_case_shape(&world, 1000, 2000), 4, 3);
    set_grid(gpu_case_shape(&world, 8000, 8000), 7, 3);
    set_grid(gpu_case_shape(&world, 8000, 8000), 193, 2);
    for (uint32_t first = 1; first <= 2; first++) {
        open_gpu(NULL, 0);
        start(1, first, SHARED(100));
        start(2, 3 - first, SHARED(100));
        start(3, 0, SHARED(100));
        live_on();
        assert_int_equal(end_ns[3], 1000);
        end_case(NULL);
    }
    open_gpu(NULL, 0);
}

/* A quarter of two rounds, and then three quarters of one. */
static void more_sms_in_mid_wait(void **state)
{
    (void)state;
    const struct dcs_profile_revocation flag = {.mechanism = DCS_ASM_EXIT, .kill_ns = 0};
    uint64_t victims[DCS_TOGETHER_MAX];
    set_grid(gpu_case_shape(&world, 1000, 2000), 60, 1);
    gpu_case_shape(&world, 8000, 8000);
    open_gpu(NULL, 0);
    start(1, 1, SHARED(60));
    start(3, 1, SHARED(20));
    start(2, 0, SHARED(100));
    live(500);
    dcs_gpu_stop(gpu, 500, 3, &flag, victims);
    live_on();
    assert_int_equal(end_ns[2], 1250 + 1000 - 1);
}

/* Lacking less than half a place it is as fast whoever comes. */
static void others_that_wait_change_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        set_grid(gpu_case_shape(&world, 1000, 2000), 125, 2);
        set_grid(gpu_case_shape(&world, 8000, 8000), 3770, 100);
        open_gpu(NULL, 0);
        start(1, 1, SHARED(100));
        start(2, 0, SHARED(100));
        live(10);
        if (i == 1)
            start(3, 0, SHARED(100));
        live_on();
        assert_int_equal(end_ns[2], 1000);
        end_case(NULL);
        begin_case(NULL);
    }
}

/* The first of its launches is a tenth of it, and fits at once; the others do not. */
static void unlike_launches_wait_as_long_as_they_take(void **state)
{
    (void)state;
    struct dcs_launch_group groups[] = {
        {.launches = 1, .share = 0.1, .after = 0.9, .blocks = 60, .blocks_per_sm = 1, .grid = 0},
        {.launches = 1, .share = 0.9, .after = 0, .blocks = 1000, .blocks_per_sm = 1, .grid = 1}};
    struct dcs_shape *shape = gpu_case_shape(&world, 1000, 2000);
    shape->groups = groups;
    shape->groups_count = 2;
    shape->launches = 2;
    shape->most_fill = 1000;
    shape->least_fill = 60;
    gpu_case_shape(&world, 8000, 8000);
    open_gpu(NULL, 0);
    start(1, 1, SHARED(60));
    start(2, 0, SHARED(100)); /* 40 SMs: a round of 100, and the launch; then the other on 40 */
    live(100);
    assert_true(fabs(dcs_gpu_left(gpu, 100, 2) - (1 - 0.001 * 100 / 1500)) < 1e-12);
    live(200);
    assert_true(fabs(dcs_gpu_left(gpu, 200, 2) - 0.9) < 1e-3);
    live(400);
    assert_true(fabs(dcs_gpu_left(gpu, 400, 2) - (0.9 - 200 / 2500.0)) < 1e-3);
}

/* Kernel 2 has ten launches. The first waits until 100, and takes 100 more; it is 50. */
static void live_in_mid_wait(void)
{
    struct dcs_shape *shape = gpu_case_shape(&world, 1000, 2000);
    set_grid(shape, 60, 1);
    shape->launches = 10;
    gpu_case_shape(&world, 8000, 8000);
    open_gpu(NULL, 0);
    start(1, 1, SHARED(60));
    start(2, 0, SHARED(100));
    live(50);
}

/* What is left shrinks to a launch that has yet to get its SMs. */
static void a_shrunk_kernel_waits_in_its_launch(void **state)
{
    (void)state;
    live_in_mid_wait();
    dcs_gpu_scale_left(gpu, 50, 2, 0.99);
    double left = dcs_gpu_left(gpu, 50, 2);
    live(150);
    assert_true(fabs(dcs_gpu_left(gpu, 150, 2) - (left - 0.001 * 50 / 1500 - 50 / 1000.0)) < 1e-9);
    dcs_gpu_scale_left(gpu, 150, 2, 0.5);
    left = dcs_gpu_left(gpu, 150, 2);
    live(250);
    assert_true(fabs(dcs_gpu_left(gpu, 250, 2) - (left - 0.001 * 100 / 1500)) < 1e-12);
}

/* What is left shrinks to a later launch while the present one waits: that one waits from then on,
 * a round of 100, half of it is left, and four more take 200 each. */
static void a_launch_that_is_shrunk_to_waits(void **state)
{
    (void)state;
    live_in_mid_wait();
    dcs_gpu_scale_left(gpu, 50, 2, 0.45);
    live_on();
    assert_true(end_ns[2] >= 995 && end_ns[2] <= 1000);
}

/* It waits 5000 of 6000 ns. Without kernel 1 it would not wait, without kernel 2 1000 of 2000. */
static void each_holder_costs_what_it_adds_to_the_wait(void **state)
{
    (void)state;
    struct dcs_gpu_loss losses[DCS_TOGETHER_MAX];
    set_grid(gpu_case_shape(&world, 1000, 2000), 60, 1);
    gpu_case_shape(&world, 8000, 8000);
    open_gpu(NULL, 0);
    start(1, 1, SHARED(60));
    start(2, 1, SHARED(30));
    start(3, 0, SHARED(100));
    live(0);
    assert_int_equal(dcs_gpu_next_ns(gpu), 5000 + 1000 - 1);
    assert_int_equal(dcs_gpu_losses(gpu, 3, losses), 2);
    assert_true(fabs(losses[0].share / losses[1].share - 5000 / 4000.0) < 1e-2);
}

/* Kernel 1 holds SMs, and kernel 4 presses, on SMs of its own. Near the end of the wait little of
 * it is left that kernel 1 costs, while kernel 4 slows the round that follows, too. */
static void who_slows_a_launch_costs_more_as_its_wait_ends(void **state)
{
    (void)state;
    struct dcs_gpu_loss losses[DCS_TOGETHER_MAX];
    double slow[2], with_all[2];
    struct dcs_presser set[2] = {{.shape = 0, .millisms = 40000}, {.shape = 2, .millisms = 10000}};
    set_grid(gpu_case_shape(&world, 10000, 20000), 60, 1);
    gpu_case_shape(&world, 800000, 800000);
    gpu_case_shape(&world, 800000, 800000);
    gpu_case_resource(&world);
    gpu_case_press(&world, 0, 0, 0.5);
    gpu_case_press(&world, 1, 0, 0);
    gpu_case_press(&world, 2, 0.5, 0);
    struct dcs_contention *contention = dcs_contention_create(&world.spatial);
    dcs_contention_solve(&world.spatial, set, 2, slow, NULL);
    set[0].millisms = 60000;
    dcs_contention_solve(&world.spatial, set, 2, with_all, NULL);
    assert_true(slow[0] > 1.05);
    open_gpu(contention, 0);
    start(1, 1, SHARED(50));
    start(4, 2, GREEN(10));
    start(2, 0, SHARED(100));
    for (int i = 0; i < 2; i++) {
        double left = i == 0 ? 1 : 0.01; /* of the wait */
        live((int64_t)((1 - left) * 10000 * slow[0]));
        start(10 + (uint64_t)i, 1, SHARED(1)); /* losses are asked for anew; it gets no SMs */
        assert_true(dcs_gpu_next_ns(gpu) > now_ns);
        assert_int_equal(dcs_gpu_losses(gpu, 2, losses), 3 + i);
        /* Of the wait and the round after it. */
        double waits = left / (left + 1), holder = left * slow[0] + slow[0] - with_all[0];
        double presser = (left + 1) * (slow[0] - 1), both = holder + presser;
        assert_true(losses[0].id == 1 && losses[1].id == 4);
        assert_true(fabs(losses[0].share - waits * holder / both) < 1e-3);
        double later = (1 - waits) * (1 - 1 / slow[0]);
        assert_true(fabs(losses[1].share - (waits * presser / both + later)) < 1e-3);
    }
    dcs_contention_destroy(contention);
}

static void waiting_for_blocks_is_the_others_doing(void **state)
{
    (void)state;
    struct dcs_gpu_loss losses[DCS_TOGETHER_MAX];
    set_grid(gpu_case_shape(&world, 1000, 2000), 60, 1);
    gpu_case_shape(&world, 8000, 8000);
    open_gpu(NULL, 0);
    start(1, 1, SHARED(60));
    start(2, 0, SHARED(100));
    start(3, 1, SHARED(1)); /* it waits, too */
    live(500);
    assert_int_equal(dcs_gpu_losses(gpu, 2, losses), 2);
    /* 1000 of 2000 ns, by all but nothing. */
    assert_true(losses[0].id == 1 && losses[0].share > 0.499 && losses[0].share < 0.5);
    assert_true(losses[1].id == 3 && losses[1].share < 0.01);
}

/* Two kernels of two launches that want 60 SMs each. */
static void each_launch_waits_for_its_last_blocks(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct dcs_shape *shape = gpu_case_shape(&world, 1000, 2000);
        set_grid(shape, 60, 1);
        shape->launches = 2;
    }
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 1, SHARED(100)); /* 40 SMs: 1500 for all, a thousandth of it until 500 */
    live(500);
    double left = 1 - 0.001 * 500 / 1500; /* now 1 has 40 SMs, and 2 what it wants, for 500 less */
    assert_true(fabs(dcs_gpu_left(gpu, 500, 2) - left) < 1e-12);
    live(900);
    assert_true(fabs(dcs_gpu_left(gpu, 900, 1) - (0.5 - 0.001 * 400 / 1500)) < 1e-12);
    assert_true(fabs(dcs_gpu_left(gpu, 900, 2) - (left - 400 / 1000.0)) < 1e-12);
}

/* 450 blocks: three waves on 100 SMs, and five on 50; in the last 50 of them, on 25 SMs. */
static void a_last_wave_on_fewer_sms(void **state)
{
    (void)state;
    set_grid(gpu_case_shape(&world, 1200, 2400), 450, 2);
    gpu_case_shape(&world, 10000, 20000);
    gpu_case_shape(&world, 840, 1680);
    open_gpu(NULL, 0);
    start(1, 1, SHARED(50));
    start(2, 0, SHARED(100));
    start(3, 1, SHARED(100));
    live(1920); /* four of its waves */
    assert_true(dcs_gpu_left(gpu, 1920, 3) == 1);
    live(2400);
    assert_true(end_ns[2] == 2400 && fabs(dcs_gpu_left(gpu, 2400, 3) - 0.988) < 1e-12);
    end_case(NULL);
    /* It has 100 when 0.3 of it are left: that many places hold all the blocks that these are. */
    open_gpu(NULL, 0);
    start(1, 2, SHARED(50));
    start(2, 0, SHARED(100));
    start(3, 1, SHARED(100));
    live(1680);
    assert_true(end_ns[1] == 1680 && dcs_gpu_left(gpu, 1680, 3) == 1);
    live(2040);
    assert_true(end_ns[2] == 2040 && fabs(dcs_gpu_left(gpu, 2040, 3) - 0.973) < 1e-12);
}

/* Its first launch ends on 50 SMs: the other leaves the rest in the middle of that end, which lasts
 * its time; the launches after it have them all. */
static void launches_after_an_end_on_fewer_sms(void **state)
{
    (void)state;
    struct dcs_shape *shape = gpu_case_shape(&world, 12000, 24000);
    shape->launches = 10;
    set_grid(shape, 450, 2);
    gpu_case_shape(&world, 1000, 2000);
    open_gpu(NULL, 0);
    start(1, 1, SHARED(50));
    start(2, 0, SHARED(100));
    live_on();
    assert_int_equal(end_ns[1], 2000);
    assert_int_equal(end_ns[2], 2400 + 9 * 1200);
    end_case(NULL);
}

/* 500 blocks on 200 places: two and a half waves and an overhang of a half, of 400 each. The last
 * 400 of them leave half of the SMs. */
static void blocks_that_drift_leave_half(void **state)
{
    (void)state;
    struct dcs_shape *shape = gpu_case_shape(&world, 1200, 2400);
    set_grid(shape, 500, 2);
    shape->drifts = true;
    shape->overhang = 0.5;
    gpu_case_shape(&world, 1000, 2000);
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 1, SHARED(100));
    live(800);
    assert_true(dcs_gpu_left(gpu, 800, 2) == 1);
    live(1000);
    assert_true(fabs(dcs_gpu_left(gpu, 1000, 2) - 0.9) < 1e-12);
    live_on();
    assert_true(end_ns[1] == 1200 && end_ns[2] == 1200 + 800);
    end_case(NULL);
    /* Without an overhang half a wave is left of two and a half, 240 of 1200, and keeps all SMs
     * busy: with the half that the other has there is 1.5 times as much to do. */
    shape->overhang = 0;
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 1, SHARED(100));
    live(960);
    assert_true(dcs_gpu_left(gpu, 960, 2) == 1);
    live(1320);
    assert_true(end_ns[1] == 1320 && fabs(dcs_gpu_left(gpu, 1320, 2) - 0.88) < 1e-12);
    live_on();
    assert_true(end_ns[2] == 2200); /* both are done when they would be one after the other */
    end_case(NULL);
    /* What fits at once has no more than its blocks fill, however it scales. */
    set_grid(shape, 100, 2);
    shape->overhang = 0.5;
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 1, SHARED(100));
    live(1200);
    assert_true(end_ns[1] == 1200 && fabs(dcs_gpu_left(gpu, 1200, 2) - 0.4) < 1e-12);
}

/* Two fit at a time; who has waited longest goes first, also when two end at one instant. */
static void launches_take_turns(void **state)
{
    (void)state;
    gpu_case_shape(&world, 2000, 2000)->launches = 2;
    open_gpu(NULL, 0);
    start(1, 0, SHARED(50));
    start(2, 0, SHARED(50));
    start(3, 0, SHARED(50));
    /* 1 and 2, 3 and 1, 2 and 3. */
    live(1500);
    assert_true(dcs_gpu_left(gpu, 1500, 1) == 0.25 && dcs_gpu_left(gpu, 1500, 2) == 0.5);
    assert_true(dcs_gpu_left(gpu, 1500, 3) == 0.75);
    live_on();
    assert_true(end_ns[1] == 2000 && end_ns[2] == 3000 && end_ns[3] == 3000);
    end_case(NULL);
    /* 1 and 2, 3 and 1, 2 and 3, 1 and 2, 3. */
    world.shapes[0].launches = 3;
    world.points[0][0].solo_ns = world.points[0][1].solo_ns = 3000;
    open_gpu(NULL, 0);
    for (uint64_t id = 1; id <= 3; id++)
        start(id, 0, SHARED(50));
    live_on();
    assert_true(end_ns[1] == 4000 && end_ns[2] == 4000 && end_ns[3] == 5000);
}

/* One long launch on all SMs, then two short ones of 10 blocks. */
static const struct dcs_launch_group long_and_short[] = {
    {.launches = 1, .blocks = 100, .blocks_per_sm = 1, .share = 0.8, .after = 0.2},
    {.launches = 2, .blocks = 10, .blocks_per_sm = 1, .share = 0.1, .after = 0, .grid = 1},
};

static void set_groups(struct dcs_shape *shape, const struct dcs_launch_group *groups,
                       uint32_t count)
{
    shape->groups = groups;
    shape->groups_count = count;
    shape->least_fill = DBL_MAX;
    shape->launches = 0;
    for (uint32_t i = 0; i < count; i++) {
        double fill = (double)groups[i].blocks / (double)groups[i].blocks_per_sm;
        shape->least_fill = fill < shape->least_fill ? fill : shape->least_fill;
        shape->most_fill = fill > shape->most_fill ? fill : shape->most_fill;
        shape->launches += groups[i].launches;
    }
}

static void short_launches_slip_in(void **state)
{
    (void)state;
    set_groups(gpu_case_shape(&world, 1000, 2000), long_and_short, 2);
    gpu_case_shape(&world, 2000, 4000)->launches = 4;
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 1, SHARED(100));
    live(800);
    assert_true(dcs_gpu_left(gpu, 800, 2) == 1); /* it waited for the long launch */
    /* Its first launch is alone until 1300. Then the first short one runs beside it, which leaves
     * 90 SMs for 100 ns, and the second waits for its second launch to end, at 1300 + 100 + 410. */
    live(1300);
    assert_true(fabs(dcs_gpu_left(gpu, 1300, 1) - 0.2) < 1e-12);
    live(1400);
    assert_true(fabs(dcs_gpu_left(gpu, 1400, 2) - (0.75 - 0.045)) < 1e-12);
    live(1809);
    assert_true(fabs(dcs_gpu_left(gpu, 1809, 1) - 0.1) < 1e-12);
    live_on();
    assert_true(end_ns[1] == 1810 + 100 && end_ns[2] == 1810 + 100 + 410 + 500);
    end_case(NULL);
    /* Each of three equal launches waits for one of the other. */
    world.shapes[0].groups = NULL;
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 1, SHARED(100));
    live_on();
    assert_true(end_ns[1] == 2000);
}

/* Both have SMs enough until a third kernel comes, and launch again at 800, when that one takes 70
 * SMs: the one whose launch before began first, at 550, gets the other 30. */
static void groups_that_nobody_waited_for_keep_their_order(void **state)
{
    (void)state;
    const struct dcs_launch_group groups[] = {
        {.launches = 1, .blocks = 1, .share = 0.3, .after = 0.7, .grid = 0},
        {.launches = 1, .blocks = 2, .share = 0.3, .after = 0.4, .grid = 1},
        {.launches = 1, .blocks = 3, .share = 0.2, .after = 0.2, .grid = 2},
        {.launches = 1, .blocks = 4, .share = 0.2, .after = 0, .grid = 3}};
    set_groups(gpu_case_shape(&world, 400, 800), groups, 4);
    gpu_case_shape(&world, 400, 800)->launches = 4;
    gpu_case_shape(&world, 8000, 16000);
    open_gpu(NULL, 0);
    start(1, 0, SHARED(40)); /* launches at 0, 300, 600, 800 */
    live(50);
    start(2, 1, SHARED(40)); /* at 50, 300, 550, 800 */
    live(700);
    start(3, 2, SHARED(70));
    live(810);
    assert_true(fabs(dcs_gpu_left(gpu, 810, 1) - 0.2) < 1e-12);
    assert_true(fabs(dcs_gpu_left(gpu, 810, 2) - (0.25 - 10 / (400 * 100 / 30.0))) < 1e-12);
}

static void unlike_launches_alone(void **state)
{
    (void)state;
    const struct dcs_gpu_allotment ways[] = {WHOLE, GREEN(100), SHARED(100), GREEN(50), SHARED(50)};
    set_groups(gpu_case_shape(&world, 1001, 2003), long_and_short, 2);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        open_gpu(NULL, 0);
        start(1, 0, ways[i]);
        assert_true(dcs_gpu_next_ns(gpu) == (i < 3 ? 1001 : 2003));
        live(900);
        assert_true(dcs_gpu_left(gpu, 900, 1) == 1 - 900 / (i < 3 ? 1001.0 : 2003.0));
        live_on();
        assert_true(end_ns[1] == (i < 3 ? 1001 : 2003));
        end_case(NULL);
    }
}

/* The last half of the time of the first, on a cap of 50 SMs, takes 10 of them; its pressure was
 * measured of the whole of it on 50. The second is slowed by it; does: how much it does meanwhile.
 */
static void press(const struct dcs_launch_group *groups, uint32_t count,
                  struct dcs_gpu_allotment second, double (*does)(int half))
{
    gpu_case_init(&world);
    struct dcs_shape *shape = gpu_case_shape(&world, 2000, 2000);
    if (count > 0)
        set_groups(shape, groups, count);
    else
        set_grid(shape, 60, 1);
    gpu_case_shape(&world, 100000, 200000);
    gpu_case_resource(&world);
    gpu_case_press(&world, 0, 0.5, 0);
    gpu_case_press(&world, 1, 0.25, 1);
    struct dcs_contention *contention = dcs_contention_create(&world.spatial);
    open_gpu(contention, 0);
    start(1, 0, SHARED(50));
    start(2, 1, second);
    for (int half = 0; half < 2; half++) {
        double left = dcs_gpu_left(gpu, 1000 * half, 2);
        live(1000 * (half + 1));
        assert_true(fabs(left - dcs_gpu_left(gpu, 1000 * (half + 1), 2) - does(half)) < 1e-12);
    }
    assert_true(end_ns[1] == 2000);
    dcs_contention_destroy(contention);
}

/* What kernel 2 does in 1000 ns on so many SMs, beside kernel 1 on so many. */
static double done(uint32_t own_sms, uint32_t other_sms)
{
    double slow[2];
    const struct dcs_presser set[2] = {{.shape = 0, .millisms = 1000 * other_sms},
                                       {.shape = 1, .millisms = 1000 * own_sms}};
    dcs_contention_solve(&world.spatial, set, 2, slow, NULL);
    return 1000 / (dcs_shape_solo_ns(&world.spatial, 1, own_sms) * slow[1]);
}

static double done_on_50(int half)
{
    (void)half;
    return done(50, 50);
}

static double done_on_the_rest(int half)
{
    return half == 0 ? done(50, 50) : done(90, 10);
}

static const struct dcs_launch_group halves[] = {
    {.launches = 1, .blocks = 50, .blocks_per_sm = 1, .share = 0.5, .after = 0.5},
    {.launches = 1, .blocks = 10, .blocks_per_sm = 1, .share = 0.5, .after = 0, .grid = 1},
};

/* Kernel 2 has a cap and waits for what kernel 1 leaves: nothing of 100 SMs until 1000, then 50. */
static double lost(uint32_t cap)
{
    gpu_case_init(&world);
    set_grid(gpu_case_shape(&world, 2000, 4000), 150, 1);
    gpu_case_shape(&world, 10000, 20000);
    open_gpu(NULL, 0);
    start(1, 0, SHARED(100));
    start(2, 1, SHARED(cap));
    struct dcs_gpu_loss losses[DCS_TOGETHER_MAX];
    assert_true(dcs_gpu_next_ns(gpu) == 2000);
    uint32_t n = dcs_gpu_losses(gpu, 2, losses);
    assert_true(n == 0 || losses[0].id == 1);
    double share = n > 0 ? losses[0].share : 0;
    assert_int_equal(dcs_gpu_losses(gpu, 1, losses), 0);
    live(2000);
    assert_true(end_ns[1] == 2000);
    return share;
}

/* Until kernel 1 ends: all of the first half, and half of the second if it could use 100. */
static void losses_until_the_next_end(void **state)
{
    (void)state;
    assert_true(fabs(lost(50) - 0.5) < 1e-12);
    end_case(NULL);
    assert_true(fabs(lost(100) - 0.75) < 1e-12);
}

/* Where all fit, by its last wave or by its second launch. */
static void a_kernel_presses_evenly(void **state)
{
    (void)state;
    press(NULL, 0, GREEN(50), done_on_50);
    end_case(NULL);
    press(halves, 2, GREEN(50), done_on_50);
}

/* Where the second waits for what the first leaves. */
static void contention_meets_scarce_sms(void **state)
{
    (void)state;
    press(NULL, 0, SHARED(100), done_on_the_rest);
}

/* Two fit beside each other, and nobody goes through their launches; a third arrives, and whose
 * launch ends when matters to it. */
static void launches_so_far_count(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct dcs_shape *shape = gpu_case_shape(&world, 1000, 2000);
        set_grid(shape, 40, 1);
        shape->launches = 10;
    }
    gpu_case_resource(&world);
    struct dcs_contention *contention = dcs_contention_create(&world.spatial);
    open_gpu(contention, 0);
    start(1, 0, SHARED(100));
    live(50);
    start(2, 1, SHARED(100));
    live(730);
    start(3, 2, SHARED(100)); /* 20 SMs until 2 launches again, at 750; then 2 has 20 */
    live(750);
    assert_true(fabs(dcs_gpu_left(gpu, 750, 3) - (1 - 0.001 * 20 / 2000)) < 1e-12);
    live(800); /* 1 launches again, and is last */
    assert_true(fabs(dcs_gpu_left(gpu, 800, 3) - (0.99999 - 50 / 1000.0)) < 1e-12);
    assert_true(fabs(dcs_gpu_left(gpu, 800, 2) - (0.3 - 0.001 * 50 / 2000)) < 1e-12);
    assert_true(fabs(dcs_gpu_left(gpu, 800, 1) - 0.2) < 1e-12);
    live(840);
    assert_true(fabs(dcs_gpu_left(gpu, 840, 1) - (0.2 - 0.001 * 40 / 2000)) < 1e-12);
    dcs_contention_destroy(contention);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(launches_wait_for_those_before_them),
        TEST(equal_loops_take_turns),
        TEST(equal_kernels_of_many_launches_take_twice_as_long),
        TEST(caps_leave_a_rest),
        TEST(small_grids_fit_beside_others),
        TEST(sms_in_use_alone),
        TEST(a_last_wave_leaves_room),
        TEST(a_last_wave_that_lacks_room),
        TEST(last_blocks_that_lack_room),
        TEST(rounds_of_last_blocks),
        TEST(half_a_place_is_none),
        TEST(half_a_place_is_none_in_any_order),
        TEST(rounds_are_slowed_by_others),
        TEST(a_launch_that_is_shrunk_to_waits),
        TEST(each_holder_costs_what_it_adds_to_the_wait),
        TEST(who_slows_a_launch_costs_more_as_its_wait_ends),
        TEST(more_sms_in_mid_wait),
        TEST(others_that_wait_change_nothing),
        TEST(unlike_launches_wait_as_long_as_they_take),
        TEST(a_shrunk_kernel_waits_in_its_launch),
        TEST(waiting_for_blocks_is_the_others_doing),
        TEST(each_launch_waits_for_its_last_blocks),
        TEST(a_last_wave_on_fewer_sms),
        TEST(launches_after_an_end_on_fewer_sms),
        TEST(blocks_that_drift_leave_half),
        TEST(launches_take_turns),
        TEST(short_launches_slip_in),
        TEST(groups_that_nobody_waited_for_keep_their_order),
        TEST(unlike_launches_alone),
        TEST(a_kernel_presses_evenly),
        TEST(losses_until_the_next_end),
        TEST(contention_meets_scarce_sms),
        TEST(launches_so_far_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
