/*
 * test_gpu_clusters.c - kernels whose blocks come in clusters, beside others under MPS, by hand.
 *
 * Pins: one that begins beside a kernel in clusters, where both together have more clusters than
 * fit, runs at a twentieth until that ends or a wave has passed; beside any other the likelihood is
 * two thirds of its fill, times twice the share of the device that those before it fill; what began
 * later does not hold it back; the wave is as much shorter as fewer SMs are faster each, and of the
 * first launch; where SMs are scarce it is the same, until the kernel has SMs and none from before
 * it has any, and it stands still while the kernel lacks SMs; pairs, partitions, and a device whose
 * room is not known, have no such law; rates that are remembered are those that would be worked
 * out; what it loses is the other's doing. Does not pin: how the tables are read (test_spatial.c).
 */
#include "tests/gpu_life.h"

#include <math.h>
#include <stdlib.h>

/* Number `i`: blocks in clusters of so many, which fill 48 of `sms` SMs. */
static void cluster(uint32_t i, uint32_t blocks, uint32_t sms)
{
    gpu_case_cluster(&world, i, (struct dcs_shape_cluster){sms, blocks, 48}, 11);
}

/* 0 and 1: in clusters of 8 on 48 of 50 SMs, 2 us and 10 us there; 2: one by one, 10 us. */
static void add_shapes(void)
{
    gpu_case_shape(&world, 1000, 2000);
    gpu_case_shape(&world, 5000, 10000);
    gpu_case_shape(&world, 5000, 10000);
    cluster(0, 8, 50);
    cluster(1, 8, 50);
}

/* When kernel 2 of shape 0 ends that begins at 100 beside kernel 1. */
static int64_t beside(uint32_t other, uint32_t sms)
{
    open_gpu(NULL, 0);
    start(1, other, SHARED(sms));
    live(100);
    start(2, 0, SHARED(50));
    live_on();
    int64_t ns = end_ns[2];
    assert_true(end_ns[1] > 0);
    end_case(NULL);
    return ns;
}

static void one_more_than_fits(void **state)
{
    (void)state;
    add_shapes();
    /* 6 and 6 of 11: 2000 ns at 5 %, and 95 % of 2000 are left. */
    assert_int_equal(beside(1, 50), 100 + 2000 + 1900);
    world.spatial.cluster_room[3] =
        12; /* all fit, in some places: 0.66 * 48/50 * 96/100 of a wave more */
    assert_int_equal(beside(1, 50), 100 + 2000 + 1217); /* rounded */
}

static void until_the_other_ends(void **state)
{
    (void)state;
    add_shapes();
    world.points[1][0].solo_ns = 600; /* ends at 600: 500 ns at 5 %, and 1975 are left */
    assert_int_equal(beside(1, 50), 600 + 1975);
}

static void beside_blocks_that_come_one_by_one(void **state)
{
    (void)state;
    add_shapes();
    assert_int_equal(beside(2, 50), 100 + 2000 + 1267); /* 0.66 * 48/50 * 1 */
    world.shapes[2].blocks = 10;                        /* 0.66 * 48/50 * 20/100 */
    world.shapes[2].blocks_per_sm = 1;
    assert_int_equal(beside(2, 50), 100 + 2000 + 253);
}

static void what_begins_later_takes_what_is_left(void **state)
{
    (void)state;
    add_shapes();
    open_gpu(NULL, 0);
    start(2, 0, SHARED(50));
    live(100);
    start(1, 1, SHARED(50));
    live_on();
    assert_int_equal(end_ns[2], 2000);
    /* 1900 ns at 5 %, and the rest as alone. */
    assert_int_equal(end_ns[1], 2000 + 10000 - 95);
}

static void blocks_that_wait_for_memory_have_a_short_last_wave(void **state)
{
    (void)state;
    add_shapes();
    world.points[0][1].solo_ns = 2000; /* no slower on half of the SMs: half a wave at 100 */
    cluster(0, 8, 80);
    open_gpu(NULL, 0);
    start(1, 2, SHARED(20));
    live(100);
    start(2, 0, SHARED(80));
    live_on();
    /* 50/80 of a wave, at 0.66 * 48/80 * 40/100 of the rate less. */
    assert_int_equal(end_ns[2], 100 + 2000 + 198);
}

/* Nine sevens and one eight; of four launches the first alone waits. */
static void sevens_and_launches(void **state)
{
    (void)state;
    add_shapes();
    cluster(0, 7, 50);
    /* 7 of 48 SMs and 7 beside it, of 11: certain. */
    assert_int_equal(beside(1, 50), 100 + 2000 + 1900);
    world.spatial.cluster_room[3] = 13; /* not of 13 */
    assert_int_equal(beside(1, 50), 100 + 2000 + 1900);
    world.spatial.cluster_room[3] = 14;
    assert_int_equal(beside(1, 50), 100 + 2000 + 1217);
    world.shapes[0].launches = 4;
    assert_int_equal(beside(1, 50), 100 + 2000 + 304); /* a quarter */
}

static void scarce_sms_are_no_places(void **state)
{
    (void)state;
    const struct dcs_profile_revocation flag = {.mechanism = DCS_ASM_EXIT, .kill_ns = 0};
    uint64_t victims[DCS_TOGETHER_MAX];
    struct dcs_gpu_loss losses[DCS_TOGETHER_MAX];
    add_shapes();
    open_gpu(NULL, 0);
    start(1, 1, SHARED(50));
    start(2, 0, SHARED(50)); /* a wave at 5 %, whoever comes */
    live(200);
    start(3, 1, SHARED(50)); /* waits */
    live(1000);
    assert_int_equal(dcs_gpu_losses(gpu, 2, losses), 2);
    assert_true(losses[0].id == 1 && losses[0].share > 0.4 && losses[1].share == 0);
    dcs_gpu_stop(gpu, 1000, 3, &flag, victims);
    live_on();
    assert_int_equal(end_ns[2], 2000 + 1900);
    end_case(NULL);
    open_gpu(NULL, 0); /* 20 are left, and then its 50 */
    start(1, 1, SHARED(80));
    live(100);
    start(2, 0, SHARED(50));
    live(200);
    assert_true(fabs(dcs_gpu_left(gpu, 200, 2) - (1 - 0.05 * 100 / 5000)) < 1e-9);
}

/* Between its two launches the first kernel has no SM, then the 10 that the second one leaves. */
static void what_has_its_places_keeps_them(void **state)
{
    (void)state;
    add_shapes();
    cluster(0, 8, 100);
    world.shapes[0].blocks = 90;
    world.shapes[2].launches = 2;
    world.shapes[2].blocks = 80;
    world.shapes[0].blocks_per_sm = world.shapes[2].blocks_per_sm = 1;
    open_gpu(NULL, 0);
    start(1, 2, SHARED(80)); /* launches of 3125 ns */
    live(100);
    start(2, 0, SHARED(100));
    live(3125);
    double left = dcs_gpu_left(gpu, 3125, 2);
    assert_true(fabs(left - (1 - 0.001 * 3025 / 4500)) < 1e-9 && end_ns[1] == 0);
    live_on();
    assert_int_equal(end_ns[2], 3125 + (int64_t)(1000 * left + 0.5));
}

/* 23 of 48 SMs, until 4 is stopped at 900 or for the rounds that it takes on them; then it lacks
 * room for a wave. */
static void it_lacks_room_once_it_has_sms(void **state)
{
    (void)state;
    const struct dcs_profile_revocation flag = {.mechanism = DCS_ASM_EXIT, .kill_ns = 0};
    uint64_t victims[DCS_TOGETHER_MAX];
    for (int i = 0; i < 2; i++) {
        add_shapes();
        world.shapes[0].blocks = 48;
        world.shapes[0].blocks_per_sm = 1;
        open_gpu(NULL, 0);
        start(1, 1, SHARED(50));
        start(4, 2, SHARED(27));
        start(2, 0, SHARED(50));
        live(900);
        if (i == 0)
            dcs_gpu_stop(gpu, 900, 4, &flag, victims);
        live_on();
        int64_t begun = i == 0 ? 900 : 2000 * 48 * 48 / (50 * 23) - 2000;
        assert_true(llabs((long long)(end_ns[2] - (begun + 2000 + 1900))) <= 3);
        end_case(NULL);
        begin_case(NULL);
    }
}

/* The other is in its end, so that SMs are scarce and all have theirs. */
static void later_launches_find_room(void **state)
{
    (void)state;
    add_shapes();
    world.shapes[0].blocks = 48;
    world.shapes[1].blocks = 75;
    world.shapes[0].blocks_per_sm = world.shapes[1].blocks_per_sm = 1;
    world.shapes[0].launches = 2;
    open_gpu(NULL, 0);
    start(1, 1, SHARED(50));
    live(5500);
    start(2, 0, SHARED(50));
    start(3, 2, SHARED(27));
    live_on();
    assert_true(end_ns[1] == 10000 && end_ns[3] > 10000);
    assert_int_equal(end_ns[2], 5500 + 1000 + 950 + 1000);
}

static void no_law(void **state)
{
    (void)state;
    add_shapes();
    world.spatial.cluster_room[3] = 0;
    assert_int_equal(beside(1, 50), 2100);
    cluster(0, 2, 50); /* pairs find room anywhere */
    assert_int_equal(beside(1, 50), 2100);
    cluster(0, 8, 50);
    open_gpu(NULL, 0); /* partitions */
    start(1, 1, GREEN(50));
    start(2, 0, GREEN(50));
    live_on();
    assert_int_equal(end_ns[2], 2000);
    end_case(NULL);
    open_gpu(NULL, 0); /* one beside a client of MPS */
    start(1, 1, SHARED(50));
    live(100);
    start(2, 0, GREEN(50));
    live_on();
    assert_int_equal(end_ns[2], 2100);
    end_case(NULL);
    open_gpu(NULL, 0); /* beside one */
    start(1, 1, GREEN(50));
    live(100);
    start(2, 0, SHARED(50));
    live_on();
    assert_int_equal(end_ns[2], 2100);
}

static void rates_are_remembered_with_it(void **state)
{
    (void)state;
    add_shapes();
    world.points[0][0].solo_ns = 300;
    open_gpu(NULL, 0);
    start(1, 1, SHARED(50));
    live(100);
    start(2, 0, SHARED(50)); /* one wave of 300 ns at 5 %, then as alone: two states of one set */
    live(399);
    assert_true(fabs(dcs_gpu_left(gpu, 399, 2) - (1 - 299 * 0.05 / 300)) < 1e-9);
    live_on();
    assert_int_equal(end_ns[2], 100 + 300 + 285);
}

/* One of 10 SMs that comes one by one, and is as good as nothing, takes no part in it. */
static void losses_are_the_others_doing(void **state)
{
    (void)state;
    struct dcs_gpu_loss losses[DCS_TOGETHER_MAX];
    add_shapes();
    open_gpu(NULL, 0);
    start(1, 1, SHARED(50));
    start(3, 2, GREEN(0 + 1));
    live(100);
    start(2, 0, SHARED(49));
    assert_true(dcs_gpu_next_ns(gpu) > 100);
    assert_int_equal(dcs_gpu_losses(gpu, 2, losses), 2);
    assert_true(losses[0].id == 1 && losses[0].share > 0.4 && losses[0].share < 1);
    assert_true(losses[1].id == 3 && losses[1].share == 0);
}

static void a_stretched_kernel_still_waits_a_wave(void **state)
{
    (void)state;
    add_shapes();
    open_gpu(NULL, 0);
    start(1, 1, SHARED(50));
    live(100);
    start(2, 0, SHARED(50));
    live(1100); /* half of the wave */
    dcs_gpu_scale_left(gpu, 1100, 2, 0.5);
    double left = dcs_gpu_left(gpu, 1100, 2);
    live_on();
    assert_int_equal(end_ns[2], 2100 + (int64_t)(2000 * (left - 0.025) + 0.5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_more_than_fits),
        TEST(until_the_other_ends),
        TEST(beside_blocks_that_come_one_by_one),
        TEST(what_begins_later_takes_what_is_left),
        TEST(blocks_that_wait_for_memory_have_a_short_last_wave),
        TEST(sevens_and_launches),
        TEST(scarce_sms_are_no_places),
        TEST(what_has_its_places_keeps_them),
        TEST(it_lacks_room_once_it_has_sms),
        TEST(later_launches_find_room),
        TEST(no_law),
        TEST(rates_are_remembered_with_it),
        TEST(losses_are_the_others_doing),
        TEST(a_stretched_kernel_still_waits_a_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
