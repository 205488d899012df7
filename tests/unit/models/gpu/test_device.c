/*
 * test_device.c - one device: what launches, revocations and checkpoints take, and where the time
 * went.
 *
 * Pins: TReM's costs (5 ms kill, 17 ms next start, 60 ms clear and 15 ms spawn deferred to the next
 * batch start only, or the clearing to whoever needs the memory), several revocations before a
 * batch start, mechanisms that defer nothing; saved work one ns around each checkpoint; the end of
 * a launch with checkpoints and the work done after any time, as inverses; useful + lost + overhead
 * = busy, clipped to a window that begins anywhere; changing what is left; that misuse is an
 * internal error. Does not pin: long random sequences (tests/prop/test_device_random.c), what a
 * policy sees.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "models/gpu/exclusive_gpu.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS(x) ((int64_t)(x)*DCS_NS_PER_MS)

static const struct dcs_profile_revocation trap = {.mechanism = DCS_TRAP,
                                                   .kill_ns = MS(5),
                                                   .start_ns = MS(17),
                                                   .clear_ns = MS(60),
                                                   .spawn_ns = MS(15)};
static const struct dcs_checkpoint no_checkpoint = {0};

static int64_t launch(struct dcs_device *d, int64_t now_ns, enum dcs_class class, int64_t work_ns,
                      uint64_t memory_bytes)
{
    return dcs_device_start(
        d, now_ns,
        &(struct dcs_launch){.work_ns = work_ns, .memory_bytes = memory_bytes, .class = class});
}

/* Launches at now_ns and stops after running_ns; returns when the device is idle. */
static int64_t revoke_one(struct dcs_device *d, int64_t now_ns, enum dcs_class class,
                          int64_t running_ns, uint64_t memory_bytes)
{
    int64_t kept;
    launch(d, now_ns, class, MS(100000), memory_bytes);
    int64_t idle = dcs_device_stop(d, now_ns + running_ns, &trap, &kept);
    assert_true(kept == 0);
    assert_int_equal(d->phase, DCS_DEVICE_STOPPING);
    dcs_device_stopped(d, idle);
    assert_int_equal(d->phase, DCS_DEVICE_IDLE);
    return idle;
}

static void assert_usage(const struct dcs_device *d, int64_t useful_ns, int64_t lost_ns,
                         int64_t overhead_ns)
{
    assert_true(d->usage.useful_ns == useful_ns);
    assert_true(d->usage.lost_ns == lost_ns);
    assert_true(d->usage.overhead_ns == overhead_ns);
    assert_true(d->usage.busy_ns == useful_ns + lost_ns + overhead_ns);
}

/* ---- Revocation ---- */

static void revocation_costs(void **state)
{
    (void)state;
    struct dcs_device d;
    dcs_device_init(&d, 1000, no_checkpoint, 0);
    assert_true(revoke_one(&d, 0, DCS_BATCH, MS(100), 10) == MS(105));
    /* 17 for the latency launch, once; 75 wait for batch. */
    assert_true(launch(&d, MS(105), DCS_LATENCY, MS(40), 10) == MS(162));
    dcs_device_finish(&d, MS(162));
    assert_true(launch(&d, MS(162), DCS_LATENCY, MS(40), 10) == MS(202));
    dcs_device_finish(&d, MS(202));
    assert_true(launch(&d, MS(300), DCS_BATCH, MS(40), 10) == MS(300 + 75 + 40));
    dcs_device_finish(&d, MS(415));
    assert_true(launch(&d, MS(415), DCS_BATCH, MS(40), 10) == MS(455));
    dcs_device_finish(&d, MS(455));
    dcs_device_close(&d, MS(1000));
    assert_usage(&d, MS(160), MS(100), MS(5 + 17 + 75));
}

/* A batch launch that comes first pays all of it. */
static void batch_first(void **state)
{
    (void)state;
    struct dcs_device d;
    dcs_device_init(&d, 1000, no_checkpoint, 0);
    revoke_one(&d, 0, DCS_BATCH, MS(100), 10);
    assert_true(launch(&d, MS(105), DCS_BATCH, MS(40), 10) == MS(105 + 17 + 75 + 40));
}

/* Three contexts die before a batch launch: each is cleared and replaced, the slow start comes
 * once. */
static void several_revocations(void **state)
{
    (void)state;
    struct dcs_device d;
    dcs_device_init(&d, 1000, no_checkpoint, 0);
    int64_t now = revoke_one(&d, 0, DCS_BATCH, MS(10), 10);
    now = revoke_one(&d, now, DCS_LATENCY, MS(10), 10);
    now = revoke_one(&d, now, DCS_LATENCY, MS(10), 10);
    assert_true(now == MS(45));
    assert_true(d.dead_bytes == 30);
    assert_true(launch(&d, now, DCS_BATCH, MS(1), 10) == now + MS(17 + 3 * 75 + 1));
    assert_true(d.dead_bytes == 0);
    dcs_device_finish(&d, now + MS(17 + 3 * 75 + 1));
    /* Latency launches of which 17 went by before any work: [15, 25] and [30, 40]. */
    dcs_device_close(&d, MS(1000));
    assert_usage(&d, MS(1), MS(10), MS(10 + 10 + 15 + 17 + 225));
}

/* The dead context keeps 600 of 1000 bytes: 400 fit beside it, 401 must wait for its clearing. */
static void memory_of_the_dead(void **state)
{
    (void)state;
    for (uint64_t bytes = 399; bytes <= 401; bytes++) {
        struct dcs_device d;
        dcs_device_init(&d, 1000, no_checkpoint, 0);
        revoke_one(&d, 0, DCS_BATCH, MS(100), 600);
        int64_t clear = bytes > 400 ? MS(60) : 0;
        int64_t end = launch(&d, MS(105), DCS_LATENCY, MS(40), bytes);
        assert_true(end == MS(105 + 17 + 40) + clear);
        assert_true(d.dead_bytes == (bytes > 400 ? 0 : 600));
        dcs_device_finish(&d, end);
        /* The process is replaced later all the same, and nothing is cleared twice. */
        assert_true(launch(&d, MS(300), DCS_BATCH, MS(1), 1000) == MS(300 + 15 + 1 + 60) - clear);
    }
}

static void whole_memory(void **state)
{
    (void)state;
    struct dcs_device d;
    dcs_device_init(&d, 1000, no_checkpoint, 0);
    assert_true(dcs_device_fits(&d, 1000));
    assert_false(dcs_device_fits(&d, 1001));
    assert_false(dcs_device_fits(&d, UINT64_MAX));
    revoke_one(&d, 0, DCS_BATCH, MS(1), 1000);
    assert_true(dcs_device_fits(&d, 1000));
    assert_true(launch(&d, MS(6), DCS_LATENCY, 1, 1000) == MS(6 + 17 + 60) + 1);
    dcs_device_init(&d, 1000, no_checkpoint, 0);
    revoke_one(&d, 0, DCS_BATCH, MS(1), 1000);
    assert_true(launch(&d, MS(6), DCS_LATENCY, 1, 0) == MS(6 + 17) + 1);
}

/* An exit flag leaves the context alive: nothing is deferred, no memory is held. */
static void other_mechanisms(void **state)
{
    (void)state;
    struct dcs_profile_revocation exit_flag = {.mechanism = DCS_ASM_EXIT, .kill_ns = 7};
    struct dcs_profile_revocation kill = {
        .mechanism = DCS_PROCESS_KILL, .kill_ns = 30, .start_ns = 9};
    for (int killed = 0; killed < 2; killed++) {
        struct dcs_device d;
        int64_t kept;
        dcs_device_init(&d, 1000, no_checkpoint, 0);
        launch(&d, 0, DCS_BATCH, 100, 1000);
        int64_t idle = dcs_device_stop(&d, 50, killed ? &kill : &exit_flag, &kept);
        assert_true(idle == (killed ? 80 : 57));
        dcs_device_stopped(&d, idle);
        assert_true(d.dead_bytes == 0);
        assert_true(launch(&d, 100, DCS_LATENCY, 10, 1000) == (killed ? 119 : 110));
    }
}

/* Stopped before its start-up is over, it has done nothing; the clean-up that was begun is not
 * repeated. */
static void stopped_while_it_starts(void **state)
{
    (void)state;
    struct dcs_device d;
    dcs_device_init(&d, 1000, no_checkpoint, 0);
    revoke_one(&d, 0, DCS_BATCH, MS(100), 10); /* owes 17 + 75 */
    for (int64_t step = -1; step <= 1; step++) {
        struct dcs_device copy = d;
        int64_t kept;
        launch(&copy, MS(105), DCS_BATCH, MS(1000), 10); /* works from 197 */
        int64_t idle = dcs_device_stop(&copy, MS(197) + step, &trap, &kept);
        assert_true(idle == MS(202) + step && kept == 0);
        dcs_device_stopped(&copy, idle);
        dcs_device_close(&copy, MS(300));
        int64_t done = step > 0 ? step : 0;
        assert_usage(&copy, 0, MS(100) + done, MS(5 + 92 + 5) + step - done);
    }
}

/* ---- Checkpoints ---- */

/* Every 10 of work 3: saved at 13, 26, 39, ... (periods from the start), work flat in between. */
static void saved_work(void **state)
{
    (void)state;
    const struct dcs_checkpoint every = {.interval_ns = 10, .cost_ns = 3};
    static const struct {
        int64_t after, kept, done;
    } cases[] = {
        {1, 0, 1},    {9, 0, 9},    {10, 0, 10},  {11, 0, 10},  {12, 0, 10},  {13, 10, 10},
        {14, 10, 11}, {22, 10, 19}, {23, 10, 20}, {25, 10, 20}, {26, 20, 20}, {27, 20, 21},
        {35, 20, 29}, {36, 20, 30}, {38, 20, 30}, {39, 30, 30}, {40, 30, 31},
    };
    const struct dcs_profile_revocation free_stop = {.mechanism = DCS_ASM_EXIT};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_device d;
        int64_t kept;
        dcs_device_init(&d, 1000, every, 0);
        launch(&d, 1000, DCS_BATCH, 1000, 0);
        assert_true(dcs_device_left_ns(&d, 1000 + cases[i].after) == 1000 - cases[i].done);
        dcs_device_stop(&d, 1000 + cases[i].after, &free_stop, &kept);
        assert_true(kept == cases[i].kept);
        assert_usage(&d, kept, cases[i].done - kept, cases[i].after - cases[i].done);
    }
}

/* No checkpoint after the last bit: work 10 takes 10, 11 takes 14, 20 takes 23, 21 takes 27. */
static void ends_with_checkpoints(void **state)
{
    (void)state;
    const struct dcs_checkpoint every = {.interval_ns = 10, .cost_ns = 3};
    for (int64_t work = 1; work <= 45; work++) {
        struct dcs_device d;
        dcs_device_init(&d, 1000, every, 0);
        int64_t takes = work;
        for (int64_t at = 10; at < work; at += 10)
            takes += 3;
        assert_true(launch(&d, 0, DCS_BATCH, work, 0) == takes);
        assert_true(dcs_device_left_ns(&d, 0) == work);
        assert_true(dcs_device_left_ns(&d, takes) == 0);
        assert_true(dcs_device_left_ns(&d, takes - 1) == 1); /* the last bit is work */
        dcs_device_finish(&d, takes);
        assert_usage(&d, work, 0, takes - work);
        /* Latency kernels take none. */
        assert_true(launch(&d, 1000, DCS_LATENCY, work, 0) == 1000 + work);
    }
}

/* ---- Windows ---- */

/* Launch [100, 105 + ...]: owes 17; work [122, 162). Whatever the window cuts off, the rest adds
 * up. */
static void window_cuts(void **state)
{
    (void)state;
    for (int64_t from = 0; from <= 180; from++)
        for (int64_t to = 0; to <= 180; to += 7) {
            struct dcs_device d;
            int64_t kept;
            dcs_device_init(&d, 1000, no_checkpoint, MS(from));
            launch(&d, 0, DCS_BATCH, MS(1000), 10);
            if (to >= 100)
                dcs_device_stop(&d, MS(100), &trap, &kept);
            if (to >= 105) {
                dcs_device_stopped(&d, MS(105));
                launch(&d, MS(105), DCS_LATENCY, MS(40), 10);
            }
            if (to >= 162)
                dcs_device_finish(&d, MS(162));
            dcs_device_close(&d, MS(to));
            int64_t useful = 0, lost = 0, overhead = 0;
            for (int64_t t = from; t < to && t < 162; t++) {
                lost += t < 100 && to >= 100;
                useful += (t < 100 && to < 100) || t >= 122;
                overhead += t >= 100 && t < 122;
            }
            assert_usage(&d, MS(useful), MS(lost), MS(overhead));
        }
}

/* Work that a checkpoint saved before the window does not make up for work that is lost inside it.
 */
static void window_cuts_checkpoints(void **state)
{
    (void)state;
    const struct dcs_checkpoint every = {.interval_ns = 10, .cost_ns = 3};
    const struct dcs_profile_revocation free_stop = {.mechanism = DCS_ASM_EXIT};
    for (int64_t from = 0; from <= 60; from++) {
        struct dcs_device d;
        int64_t kept;
        dcs_device_init(&d, 1000, every, from);
        launch(&d, 0, DCS_BATCH, 1000, 0);
        dcs_device_stop(&d, 44, &free_stop, &kept); /* 30 saved at 39, 35 done */
        assert_true(kept == 30);
        int64_t useful = 0, lost = 0, overhead = 0;
        for (int64_t t = from; t < 44; t++) {
            overhead += t % 13 >= 10;
            useful += t % 13 < 10 && t < 39;
            lost += t % 13 < 10 && t >= 39;
        }
        assert_usage(&d, useful, lost, overhead);
    }
}

/* ---- What is left ---- */

static void change_what_is_left(void **state)
{
    (void)state;
    struct dcs_device d;
    dcs_device_init(&d, 1000, no_checkpoint, 0);
    revoke_one(&d, 0, DCS_BATCH, MS(100), 10);
    launch(&d, MS(105), DCS_LATENCY, MS(40), 10); /* works from 122 */
    assert_true(dcs_device_left_ns(&d, MS(105)) == MS(40));
    assert_true(dcs_device_left_ns(&d, MS(122)) == MS(40));
    assert_true(dcs_device_left_ns(&d, MS(122) + 1) == MS(40) - 1);
    assert_true(dcs_device_set_left(&d, MS(110), MS(30)) == MS(152));
    assert_true(dcs_device_set_left(&d, MS(132), MS(100)) == MS(232));
    assert_true(dcs_device_set_left(&d, MS(142), 1) == MS(142) + 1);
    dcs_device_finish(&d, MS(142) + 1);
    assert_usage(&d, MS(20) + 1, MS(100), MS(22));

    /* Between two bits of work: at 11, in the checkpoint [10, 13), 10 are done. */
    dcs_device_init(&d, 1000, (struct dcs_checkpoint){.interval_ns = 10, .cost_ns = 3}, 0);
    launch(&d, 0, DCS_BATCH, 100, 0);
    assert_true(dcs_device_set_left(&d, 11, 1) == 14);
    assert_true(dcs_device_set_left(&d, 11, 10) == 23);
    assert_true(dcs_device_set_left(&d, 11, 11) == 27);
    assert_true(dcs_device_left_ns(&d, 11) == 11);
}

static void asking_changes_nothing(void **state)
{
    (void)state;
    struct dcs_device d, before;
    memset(&d, 0, sizeof d);
    dcs_device_init(&d, 1000, no_checkpoint, 0);
    launch(&d, 0, DCS_BATCH, MS(100), 10);
    memcpy(&before, &d, sizeof d);
    dcs_device_left_ns(&d, MS(50));
    dcs_device_fits(&d, 2000);
    assert_memory_equal(&d, &before, sizeof d);
}

/* ---- Misuse ---- */

static void start_twice(struct dcs_device *d)
{
    launch(d, 0, DCS_BATCH, 10, 0);
    launch(d, 5, DCS_BATCH, 10, 0);
}

static void start_without_work(struct dcs_device *d)
{
    launch(d, 0, DCS_BATCH, 0, 0);
}

static void start_too_big(struct dcs_device *d)
{
    launch(d, 0, DCS_BATCH, 10, 1001);
}

static void finish_early(struct dcs_device *d)
{
    launch(d, 0, DCS_BATCH, 10, 0);
    dcs_device_finish(d, 9);
}

static void stop_idle(struct dcs_device *d)
{
    int64_t kept;
    dcs_device_stop(d, 0, &trap, &kept);
}

static void leave_nothing(struct dcs_device *d)
{
    launch(d, 0, DCS_BATCH, 10, 0);
    dcs_device_set_left(d, 5, 0);
}

static void misuse(void **state)
{
    (void)state;
    void (*const bad[])(struct dcs_device *) = {start_twice,  start_without_work, start_too_big,
                                                finish_early, stop_idle,          leave_nothing};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct dcs_device d;
            fclose(stderr);
            dcs_device_init(&d, 1000, no_checkpoint, 0);
            bad[i](&d);
            _Exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == DCS_EXIT_INTERNAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(revocation_costs),
        cmocka_unit_test(batch_first),
        cmocka_unit_test(several_revocations),
        cmocka_unit_test(memory_of_the_dead),
        cmocka_unit_test(whole_memory),
        cmocka_unit_test(other_mechanisms),
        cmocka_unit_test(stopped_while_it_starts),
        cmocka_unit_test(saved_work),
        cmocka_unit_test(ends_with_checkpoints),
        cmocka_unit_test(window_cuts),
        cmocka_unit_test(window_cuts_checkpoints),
        cmocka_unit_test(change_what_is_left),
        cmocka_unit_test(asking_changes_nothing),
        cmocka_unit_test(misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
