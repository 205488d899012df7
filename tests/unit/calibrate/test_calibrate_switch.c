/*
 * test_calibrate_switch.c - pins the board by which two processes tell each other that a kernel has
 * ended: that each number comes over, polled or by a sleep that is woken, that nobody waits for one
 * that gave up, was halted or is late, and that a board is gone when it was removed. Nothing runs
 * on a device.
 */
#include "calibrate/worker/switch_board.h"
#include "calibrate/worker/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define TURNS   200
#define LIMIT_S 20.0

/* The side that runs the second kernels, in a process of its own; its exit status. */
static int second(const char *name, bool sleeps)
{
    struct dcs_err err = {0};
    const struct cal_board_wait wait = {.limit_s = LIMIT_S, .sleeps = sleeps};
    struct cal_board *b = cal_board_open(name, &err);
    if (b == NULL)
        return 2;
    for (uint32_t i = 1; i <= TURNS; i++) {
        if (cal_board_await(b, &b->turn, i, &wait, "a turn", &err) != 0 || b->turn != i)
            return 3;
        cal_board_tell(&b->done, i, false);
    }
    cal_board_close(b);
    return 0;
}

static void take_turns(void **state)
{
    (void)state;
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        char name[CAL_BOARD_NAME];
        struct dcs_err err = {0};
        const struct cal_board_wait wait = {.limit_s = LIMIT_S};
        assert_int_equal(cal_board_make(name, &err), 0);
        pid_t pid = fork();
        if (pid == 0)
            _exit(second(name, sleeps));
        struct cal_board *b = cal_board_open(name, &err);
        assert_non_null(b);
        for (uint32_t i = 1; i <= TURNS; i++) {
            if (i % 50 == 0) /* it sleeps by then, if it does */
                cal_sleep_until(cal_now_ns() + 2 * DCS_NS_PER_MS);
            cal_board_tell(&b->turn, i, sleeps);
            assert_int_equal(cal_board_await(b, &b->done, i, &wait, "an end", &err), 0);
            assert_int_equal(b->done, i);
        }
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        cal_board_close(b);
        cal_board_remove(name);
        assert_null(cal_board_open(name, &err));
        assert_non_null(strstr(err.text, name));
    }
}

static bool always(const void *context)
{
    return context != NULL;
}

static void nobody_waits_for_ever(void **state)
{
    (void)state;
    char name[CAL_BOARD_NAME];
    struct dcs_err err = {0};
    assert_int_equal(cal_board_make(name, &err), 0);
    struct cal_board *b = cal_board_open(name, &err);
    assert_non_null(b);
    struct cal_board_wait wait = {.limit_s = 0.05, .sleeps = true};
    assert_int_equal(cal_board_await(b, &b->turn, 1, &wait, "turn", &err), -1);
    assert_string_equal(err.text, "no turn (1) after 0.1 s");
    wait = (struct cal_board_wait){.limit_s = LIMIT_S, .halted = always, .context = b};
    assert_int_equal(cal_board_await(b, &b->turn, 1, &wait, "turn", &err), -1);
    assert_string_equal(err.text, "halted while it waited for turn (1)");
    wait.halted = NULL;
    cal_board_tell(&b->turn, 1, true);
    cal_board_give_up(b);
    assert_int_equal(cal_board_await(b, &b->turn, 1, &wait, "turn", &err), 0);
    assert_int_equal(cal_board_await(b, &b->turn, 2, &wait, "turn", &err), -1);
    assert_string_equal(err.text, "the other process gave up while this one waited for turn (2)");
    cal_board_close(b);
    cal_board_remove(name);
}

int main(void)
{
    if (access("/dev/shm", W_OK) != 0) {
        puts("skipped: /dev/shm is missing or cannot be written");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(take_turns),
        cmocka_unit_test(nobody_waits_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
