/*
 * test_calibrate_drive - processes of applications that are killed
 * (calibrate/drive/drive_clients.c).
 *
 * Pins: orders to forget a request fill nobody's ring who does not read yet; of two launches in one
 * process that are revoked one after the other the second one's kill hits nothing that runs
 * elsewhere meanwhile. The processes are this program, and play by a clock; one that is made in a
 * run never becomes ready. A trap, too, ends a launch and the process in which it runs, and the
 * next launch gets another; one that comes after its kernel's end stops nothing, and its process
 * goes on, unless another launch there is trapped. Does not pin: times, a real GPU (e2e/drive).
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
/* Kernels with a script: one ends when another is launched that releases it. That one first waits
 * until the process has n more orders, which thus come before the end is seen. */
#define HELD_NS     (LONG_NS + 1)
#define RELEASES(n) (-(n))
#define TRAP_NS     (200 * DCS_NS_PER_MS) /* that a trap takes */

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

static void take_ends(struct drive_end ends[2])
{
    ends[0] = take_end();
    ends[1] = take_end();
}

static const struct drive_end *end_of(const struct drive_end ends[2], uint64_t id)
{
    assert_true(ends[0].id == id || ends[1].id == id);
    return &ends[ends[0].id != id];
}

static void test_a_trap_may_come_after_the_end(void **unused)
{
    (void)unused;
    struct drive_end ends[2];
    launch_kernel(1, LONG_NS);
    launch_kernel(2, HELD_NS);
    launch_kernel(3, RELEASES(2));
    revoke_kernel(1);
    revoke_kernel(2);
    take_ends(ends);
    const struct drive_end *late = end_of(ends, 2);
    assert_true(late->stopped && !late->killed);
    assert_int_equal(late->launched_ns, 0);
    assert_false(end_of(ends, 3)->stopped);
    /* The other launch is still being trapped: the process gets none. */
    launch_kernel(9, 2 * TRAP_NS);
    take_ends(ends);
    const struct drive_end *trapped = end_of(ends, 1);
    assert_true(trapped->stopped && trapped->killed && trapped->launched_ns > 0);
    assert_false(end_of(ends, 9)->stopped);

    /* In the process that is left nothing is stopped, and it goes on. */
    launch_kernel(4, HELD_NS);
    launch_kernel(5, RELEASES(1));
    revoke_kernel(4);
    take_ends(ends);
    late = end_of(ends, 4);
    assert_true(late->stopped && !late->killed);
    assert_int_equal(late->launched_ns, 0);
    launch_kernel(6, 0);
    assert_false(take_end().stopped);

    /* A launch that nobody has revoked yet is lost with it. */
    launch_kernel(7, LONG_NS);
    launch_kernel(8, LONG_NS);
    revoke_kernel(7);
    struct drive_end first = take_end();
    revoke_kernel(8);
    struct drive_end second = take_end();
    assert_true(first.id == 7 && first.killed && second.id == 8 && second.killed);
    assert_true(second.launched_ns > 0 && second.end_ns == first.end_ns);
}

/* ---- A process of the application ---- */

static struct drive_link *own;
static struct cal_drive_device played;
static bool held[CAL_DRIVE_LANES], released;
static int64_t trapped_ns[CAL_DRIVE_LANES]; /* when a trap will have ended it; 0: none */

static int launch_by_script(void *context, const struct drive_order *o, unsigned lane,
                            uint32_t *sms, struct dcs_err *err)
{
    held[lane] = o->alone_ns == HELD_NS;
    trapped_ns[lane] = 0;
    released = released && !held[lane];
    while (o->alone_ns < 0 &&
           atomic_load(&own->orders_put) - atomic_load(&own->orders_taken) < (uint64_t)-o->alone_ns)
        sched_yield();
    released = released || o->alone_ns < 0;
    return played.launch(context, o, lane, sms, err);
}

static int trap_by_script(void *context, unsigned lane, struct dcs_err *err)
{
    trapped_ns[lane] = cal_now_ns() + TRAP_NS;
    return played.kill(context, lane, err);
}

static int ended_by_script(void *context, unsigned lane, struct drive_end *end, struct dcs_err *err)
{
    if (cal_now_ns() < trapped_ns[lane])
        return 0;
    return held[lane] ? released : played.ended(context, lane, end, err);
}

static int run_client(void)
{
    struct dcs_err err = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    own = cal_drive_link(&err);
    while (own != NULL && own->late)
        pause();
    played = cal_drive_play();
    struct cal_drive_device device = played;
    device.launch = launch_by_script;
    device.kill = trap_by_script;
    device.ended = ended_by_script;
    return own == NULL || cal_drive_serve(own, &device, &err) != 0;
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
        cmocka_unit_test_setup_teardown(test_a_trap_may_come_after_the_end, set_up_traps,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
