/*
 * test_calibrate_drive - processes of applications that are killed
 * (calibrate/drive/drive_clients.c).
 *
 * Pins: orders to forget a request fill nobody's ring who does not read yet; of two launches in one
 * process that are revoked one after the other the second one's kill hits nothing that runs
 * elsewhere meanwhile. The processes are this program, and play by a clock; one that is made in a
 * run never becomes ready. A trap, too, ends a launch and the process in which it runs, and the
 * next launch gets another. Does not pin: times, a real GPU (e2e/drive).
 */
#include "calibrate/drive/drive_serve.h"
#include "calibrate/worker/worker.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE_NS (20 * DCS_NS_PER_S)
#define LONG_NS     (100 * DCS_NS_PER_S)

static struct drive_link asked;
static struct dcs_err failure;
static pthread_t server;

static void *serve_orders(void *unused)
{
    (void)unused;
    cal_drive_clients(&asked, false, &failure);
    return NULL;
}

static void await_state(uint32_t state)
{
    for (int64_t began_ns = cal_now_ns(); atomic_load(&asked.state) != state;) {
        assert_true(cal_now_ns() - began_ns < PATIENCE_NS);
        sched_yield();
    }
}

/* A batch application in a process, and one more that waits. */
static void set_up_asked(void)
{
    memset(&asked, 0, sizeof asked);
    asked.version = DRIVE_LINK_VERSION;
    asked.size = sizeof asked;
    asked.sms = 32;
    asked.kills = true;
    asked.parent = getpid();
    asked.forms_count = 1;
    asked.forms[0] = (struct drive_form){.name = "batch", .kernels = 1, .together = 8, .spares = 1};
}

static int start_server(void)
{
    assert_int_equal(pthread_create(&server, NULL, serve_orders, NULL), 0);
    await_state(DRIVE_READY);
    return 0;
}

static int set_up(void **unused)
{
    (void)unused;
    set_up_asked();
    return start_server();
}

static int set_up_traps(void **unused)
{
    (void)unused;
    set_up_asked();
    asked.traps = true;
    return start_server();
}

static int tear_down(void **unused)
{
    (void)unused;
    atomic_store(&asked.quit, true);
    pthread_join(server, NULL);
    return 0;
}

static void launch_kernel(uint64_t id, int64_t alone_ns)
{
    const struct drive_order o = {
        .id = id, .kind = DRIVE_WHOLE, .sms = 32, .last = true, .alone_ns = alone_ns};
    assert_true(drive_put_order(&asked, &o));
}

static void revoke_kernel(uint64_t id)
{
    assert_true(drive_put_order(&asked, &(struct drive_order){.id = id, .kind = DRIVE_KILL}));
}

static struct drive_end take_end(void)
{
    struct drive_end end = {0};
    for (int64_t began_ns = cal_now_ns(); !drive_take_end(&asked, &end);) {
        if (atomic_load(&asked.state) == DRIVE_FAILED)
            fail_msg("%s", asked.error);
        if (cal_now_ns() - began_ns > PATIENCE_NS)
            fail_msg("nothing has ended");
        sched_yield();
    }
    return end;
}

static void test_who_does_not_read_is_not_told_to_forget(void **unused)
{
    (void)unused;
    launch_kernel(1, LONG_NS);
    revoke_kernel(1);
    assert_true(take_end().killed);
    /* The process in its place still starts, and has room for DRIVE_RING orders. */
    for (uint64_t id = 2, n = 0; n < DRIVE_RING + 2; n += 32) {
        for (int i = 0; i < 32; i++)
            launch_kernel(id++, 0);
        for (int i = 0; i < 32; i++)
            assert_false(take_end().stopped);
    }
}

static void test_a_second_kill_hits_nobody_else(void **unused)
{
    (void)unused;
    launch_kernel(1, LONG_NS);
    launch_kernel(2, LONG_NS);
    revoke_kernel(1);
    struct drive_end end = take_end();
    assert_int_equal(end.id, 1);
    assert_true(end.stopped && end.killed);
    launch_kernel(3, 100 * DCS_NS_PER_MS);
    revoke_kernel(2);
    end = take_end();
    assert_int_equal(end.id, 2);
    assert_true(end.stopped && end.killed); /* with the first one's process */
    end = take_end();
    assert_int_equal(end.id, 3);
    assert_false(end.stopped);
}

static void test_a_trap_ends_its_process(void **unused)
{
    (void)unused;
    launch_kernel(1, LONG_NS);
    revoke_kernel(1);
    struct drive_end end = take_end();
    assert_int_equal(end.id, 1);
    assert_true(end.stopped && end.killed && end.end_ns > end.launched_ns && end.launched_ns > 0);
    launch_kernel(1, 0); /* again, in the process that waited */
    end = take_end();
    assert_int_equal(end.id, 1);
    assert_false(end.stopped);
    /* Nothing of it is there any more. */
    revoke_kernel(1);
    end = take_end();
    assert_true(end.stopped && !end.killed);
    launch_kernel(2, 0);
    assert_false(take_end().stopped);
}

/* A process of the application. */
static int run_client(void)
{
    struct dcs_err err = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct drive_link *l = cal_drive_link(&err);
    while (l != NULL && l->late)
        pause();
    const struct cal_drive_device played = cal_drive_play();
    return l == NULL || cal_drive_serve(l, &played, &err) != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "drive") == 0)
        return run_client();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_who_does_not_read_is_not_told_to_forget, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_second_kill_hits_nobody_else, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_trap_ends_its_process, set_up_traps, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
