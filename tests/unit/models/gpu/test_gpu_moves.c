/*
 * test_gpu_moves.c - SMs that go from kernel to kernel while both run, worked out by hand.
 *
 * Pins: until when SMs stay whose blocks run in step, drift apart, are saved, or are not known;
 * what the kernel does meanwhile and after; that a launch waits for them; that a move may be taken
 * back; what is refused. Random moves: tests/prop/test_moves_random.c.
 */
#include "tests/gpu_life.h"

/* 4000 ns on the device and 8000 on half of it, of 4 waves on the device; shape 1 is the other one,
 * which takes 1000 ns on half of it. */
static struct dcs_shape *begin_move(enum dcs_gpu_moves by)
{
    struct dcs_shape *s = gpu_case_shape(&world, 4000, 8000);
    s->blocks = 4 * CASE_SMS;
    s->blocks_per_sm = 1;
    gpu_case_shape(&world, 1000, 1000);
    world.spatial.dram_gbs = 3276.8;
    open_gpu(NULL, 0);
    dcs_gpu_let_move(gpu, by);
    return s;
}

/* At 1500 ns kernel 1 is to have half of the device, and kernel 2 gets the other half. */
static void move_half(void)
{
    start(1, 0, GREEN(100));
    live(1500);
    dcs_gpu_resize(gpu, now_ns, 1, 50);
    assert_int_equal(dcs_gpu_sms_allotted(gpu), 50);
    start(2, 1, GREEN(50));
    live_on();
}

static void in_step(void **state)
{
    (void)state;
    begin_move(DCS_MOVES_BY_DRAIN);
    move_half();
    assert_int_equal(end_ns[2], 2000 + 1000); /* the second wave ends at 2000, */
    assert_int_equal(end_ns[1], 2000 + 4000); /* and half of the work is left */
}

static void apart(void **state)
{
    (void)state;
    struct dcs_shape *s = begin_move(DCS_MOVES_BY_DRAIN);
    s->drifts = true;
    move_half();
    assert_int_equal(end_ns[2], 2500 + 1000); /* a block takes 1000 ns */
    /* 0.625 is left at 1500; 75 SMs, on which all takes 5333 ns, work until 2500. */
    assert_int_equal(end_ns[1], 2500 + 3500);
}

/* The same of a kernel whose blocks on an SM hold 32 KB: at 32.8 GB/s it saves within 1000 ns. */
static void begin_save(void)
{
    struct dcs_shape *s = begin_move(DCS_MOVES_BY_SAVE);
    s->threads = 256;
    s->registers = 24;
    s->shared_bytes = 8192;
}

static void saved(void **state)
{
    (void)state;
    begin_save();
    move_half();
    assert_int_equal(end_ns[2], 2500 + 1000);
    /* Half of the device does 0.625 of the work, and reads back as many SMs as it has. */
    assert_int_equal(end_ns[1], 1500 + 5000 + 1000);
}

/* From 100 to 50 at 1500 ns, with 0.625 left, and to 25 later; kernel 2 has the SMs next. */
static void save_twice(int64_t later_ns)
{
    begin_save();
    start(1, 0, GREEN(100));
    live(1500);
    dcs_gpu_resize(gpu, now_ns, 1, 50);
    live(later_ns);
    dcs_gpu_resize(gpu, now_ns, 1, 25);
    start(2, 1, GREEN(50));
    live_on();
}

static void saved_in_two_steps(void **state)
{
    (void)state;
    save_twice(1500);
    assert_int_equal(end_ns[2], 2500 + 1000);
    /* As from 100 to 25 at once: a quarter of the device reads back three times what it has. */
    assert_int_equal(end_ns[1], 1500 + 10000 + 3000);
}

static void saved_once_more_meanwhile(void **state)
{
    (void)state;
    save_twice(2000);                         /* half of the device has done a sixteenth */
    assert_int_equal(end_ns[2], 3000 + 1000); /* those that were saving stay, too */
    assert_int_equal(end_ns[1], 2000 + 9000 + 3000);
}

static void saving_taken_back(void **state)
{
    (void)state;
    begin_save();
    start(1, 0, GREEN(100));
    live(1500);
    dcs_gpu_resize(gpu, now_ns, 1, 50);
    live(1900); /* half of the device has done a twentieth */
    dcs_gpu_resize(gpu, now_ns, 1, 100);
    live_on();
    assert_int_equal(end_ns[1], 1900 + 2300);
}

static void not_known(void **state)
{
    (void)state;
    struct dcs_shape *s = begin_move(DCS_MOVES_BY_SAVE); /* no registers are known either */
    s->blocks = 0;
    s->launches = 2;
    move_half();
    assert_int_equal(end_ns[2], 2000 + 1000); /* the first launch ends at 2000 */
    assert_int_equal(end_ns[1], 2000 + 4000);
}

static void uneven_launches(void **state)
{
    (void)state;
    struct dcs_shape *s = begin_move(DCS_MOVES_BY_DRAIN);
    s->launches = 2;
    world.groups[0][0] = (struct dcs_launch_group){
        .launches = 1, .blocks_per_sm = 1, .blocks = 100, .share = 0.25, .after = 0.75};
    world.groups[0][1] = (struct dcs_launch_group){
        .launches = 1, .blocks_per_sm = 1, .blocks = 200, .share = 0.75, .after = 0};
    s->groups = world.groups[0];
    s->groups_count = 2;
    move_half();
    assert_int_equal(end_ns[2], 2500 + 1000); /* the second one has two waves of 1500 */
    assert_int_equal(end_ns[1], 2500 + 3000);
}

static void grows(void **state)
{
    (void)state;
    begin_move(DCS_MOVES_BY_DRAIN);
    start(1, 0, GREEN(50));
    start(2, 0, GREEN(50));
    live(1000);
    dcs_gpu_resize(gpu, now_ns, 1, 25); /* its waves take 1000 ns: it is between two */
    dcs_gpu_resize(gpu, now_ns, 2, 75);
    live(1001);
    assert_int_equal(dcs_gpu_sms_held(gpu), 100);
    live_on();
    assert_int_equal(end_ns[2], 1000 + (int64_t)(0.875 * 400000 / 75 + 0.5));
    assert_int_equal(end_ns[1], 1000 + (int64_t)(0.875 * 16000 + 0.5));
}

static void taken_back(void **state)
{
    (void)state;
    begin_move(DCS_MOVES_BY_DRAIN);
    start(1, 0, GREEN(100));
    live(1500);
    dcs_gpu_resize(gpu, now_ns, 1, 50);
    live(1700);
    dcs_gpu_resize(gpu, now_ns, 1, 100);
    live_on();
    assert_int_equal(end_ns[1], 4000);
}

static void refused(void **state)
{
    (void)state;
    const char *why;
    begin_move(DCS_MOVES_NOT);
    start(1, 0, GREEN(50));
    assert_false(dcs_gpu_admits_resize(gpu, 1, 25, NULL, &why));
    assert_non_null(strstr(why, "cannot resize what runs"));
    dcs_gpu_let_move(gpu, DCS_MOVES_BY_DRAIN);
    assert_true(dcs_gpu_admits_resize(gpu, 1, 100, NULL, &why));
    start(2, 1, SHARED(10));
    start(3, 1, GREEN(20));
    assert_false(dcs_gpu_admits_resize(gpu, 1, 71, NULL, &why));
    assert_true(dcs_gpu_admits_resize(gpu, 1, 70, NULL, &why));
    assert_false(dcs_gpu_admits_resize(gpu, 1, 70, &(struct dcs_gpu_promised){.sms = 1}, &why));
    assert_false(dcs_gpu_admits_resize(gpu, 1, 0, NULL, &why));
    assert_false(dcs_gpu_admits_resize(gpu, 2, 5, NULL, &why));
    assert_non_null(strstr(why, "no partition"));
    assert_false(dcs_gpu_admits_resize(gpu, 4, 5, NULL, &why));
    live_on();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(in_step),
        TEST(apart),
        TEST(saved),
        TEST(saved_in_two_steps),
        TEST(saved_once_more_meanwhile),
        TEST(saving_taken_back),
        TEST(not_known),
        TEST(uneven_launches),
        TEST(grows),
        TEST(taken_back),
        TEST(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
