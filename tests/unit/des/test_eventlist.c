/*
 * test_eventlist.c - the order of events, the clock, cancelling.
 *
 * Pins: order by time, then class, then sequence, also where thousands have one time; what an event
 * carries; what peek, now, pending and taken say at every step, with and without the hole at the
 * root; that ids of past, cancelled and foreign events are refused even when their slot is in use
 * again; that a time one ns before the clock is an internal error and the clock itself is not. Does
 * not pin: large random mixtures (tests/prop/test_eventlist_model.c), speed (bench/hold.c).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/eventlist.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void empty(void **state)
{
    (void)state;
    struct dcs_events *q = dcs_events_create();
    struct dcs_event e;
    assert_int_equal(dcs_events_pending(q), 0);
    assert_true(dcs_events_peek(q) == DCS_NEVER);
    assert_false(dcs_events_next(q, &e));
    assert_false(dcs_events_cancel(q, 0));
    assert_false(dcs_events_cancel(q, 1));
    assert_false(dcs_events_cancel(q, UINT64_MAX));
    assert_int_equal(dcs_events_now(q), 0);
    assert_int_equal(dcs_events_taken(q), 0);
    dcs_events_destroy(q);
    dcs_events_destroy(NULL);
}

static void order(void **state)
{
    (void)state;
    struct dcs_events *q = dcs_events_create();
    /* {time, class}, and the place in the order that each must have. */
    static const struct {
        int64_t time;
        uint32_t class, place;
    } events[] = {
        {5, 0, 2}, {5, 7, 6}, {5, 0, 3}, {0, 7, 1}, {INT64_MAX - 1, 0, 8},
        {5, 3, 4}, {5, 3, 5}, {0, 0, 0}, {6, 0, 7}, {INT64_MAX - 1, 1, 9},
    };
    const uint32_t n = sizeof events / sizeof *events;
    dcs_event_id ids[sizeof events / sizeof *events];
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = dcs_events_add(q, events[i].time, events[i].class, 100 + i,
                                UINT64_MAX - events[i].place);
        assert_true(ids[i] != 0);
    }
    for (uint32_t place = 0; place < n; place++) {
        uint32_t i = 0;
        while (events[i].place != place)
            i++;
        struct dcs_event e;
        assert_int_equal(dcs_events_pending(q), n - place);
        assert_true(dcs_events_peek(q) == events[i].time);
        assert_true(dcs_events_next(q, &e));
        assert_true(e.time_ns == events[i].time && e.kind == 100 + i);
        assert_true(e.about == UINT64_MAX - place && e.id == ids[i]);
        assert_true(dcs_events_now(q) == e.time_ns);
        assert_int_equal(dcs_events_taken(q), place + 1);
    }
    assert_true(dcs_events_peek(q) == DCS_NEVER);
    assert_int_equal(dcs_events_pending(q), 0);
    dcs_events_destroy(q);
}

/* An event added at the instant of the one just taken comes before later ones, behind its equals.
 */
static void adding_at_the_clock(void **state)
{
    (void)state;
    struct dcs_events *q = dcs_events_create();
    struct dcs_event e;
    dcs_events_add(q, 10, 1, 1, 0);
    dcs_events_add(q, 10, 1, 2, 0);
    dcs_events_add(q, 11, 0, 3, 0);
    assert_true(dcs_events_next(q, &e) && e.kind == 1);
    dcs_events_add(q, 10, 1, 4, 0);
    dcs_events_add(q, 10, 0, 5, 0); /* a lower class may still come in at this instant */
    static const uint32_t expected[] = {5, 2, 4, 3};
    for (size_t i = 0; i < 4; i++)
        assert_true(dcs_events_next(q, &e) && e.kind == expected[i]);
    dcs_events_destroy(q);
}

static void cancelling(void **state)
{
    (void)state;
    struct dcs_events *q = dcs_events_create();
    struct dcs_event e;
    dcs_event_id a = dcs_events_add(q, 1, 0, 1, 0), b = dcs_events_add(q, 2, 0, 2, 0),
                 c = dcs_events_add(q, 3, 0, 3, 0);
    assert_true(dcs_events_cancel(q, b));
    assert_false(dcs_events_cancel(q, b));
    assert_int_equal(dcs_events_pending(q), 2);

    assert_true(dcs_events_next(q, &e) && e.id == a);
    assert_false(dcs_events_cancel(q, a)); /* past, and the root is a hole */
    assert_true(dcs_events_peek(q) == 3);
    assert_true(dcs_events_cancel(q, c));
    assert_int_equal(dcs_events_pending(q), 0);
    assert_false(dcs_events_next(q, &e));
    assert_int_equal(dcs_events_now(q), 1); /* the clock did not move */

    /* The slots of a, b and c are used again; their ids must not touch the new events. */
    dcs_event_id again[3];
    for (int i = 0; i < 3; i++)
        again[i] = dcs_events_add(q, 5, 0, 10, 0);
    assert_false(dcs_events_cancel(q, a) || dcs_events_cancel(q, b) || dcs_events_cancel(q, c));
    assert_int_equal(dcs_events_pending(q), 3);
    for (int i = 0; i < 3; i++)
        assert_true(dcs_events_cancel(q, again[i]));
    dcs_events_destroy(q);
}

/* Each position of heaps of up to 40 events is cancelled once, at the hole and without it. */
static void cancelling_anywhere(void **state)
{
    (void)state;
    for (int n = 1; n <= 40; n++)
        for (int victim = 0; victim < n; victim++)
            for (int hole = 0; hole < 2; hole++) {
                struct dcs_events *q = dcs_events_create();
                struct dcs_event e;
                dcs_event_id id = 0;
                if (hole)
                    dcs_events_add(q, 0, 0, 0, 0);
                for (int i = 0; i < n; i++) {
                    int64_t time = 1 + i * 17 % 41;
                    dcs_event_id added = dcs_events_add(q, time, 0, 0, (uint64_t)i);
                    id = i == victim ? added : id;
                }
                if (hole)
                    assert_true(dcs_events_next(q, &e));
                assert_true(dcs_events_cancel(q, id));
                int64_t before = 0;
                for (int left = n - 1; left > 0; left--) {
                    int64_t peeked = dcs_events_peek(q);
                    assert_true(dcs_events_next(q, &e));
                    assert_true(e.time_ns == peeked && e.time_ns > before);
                    assert_true(e.about != (uint64_t)victim);
                    before = e.time_ns;
                }
                assert_false(dcs_events_next(q, &e));
                dcs_events_destroy(q);
            }
}

static void growing(void **state)
{
    (void)state;
    struct dcs_events *q = dcs_events_create();
    struct dcs_event e;
    const int64_t n = 20000;
    dcs_events_add(q, 0, 0, 0, 0);
    dcs_events_next(q, &e); /* grow while the root is a hole, too */
    for (int64_t i = 0; i < n; i++)
        dcs_events_add(q, i * 7919 % n, (uint32_t)i % 8, (uint32_t)i, (uint64_t)i);
    for (int64_t i = 0; i < n; i++) {
        assert_true(dcs_events_next(q, &e) && e.time_ns == i);
        assert_true((int64_t)e.about * 7919 % n == i && e.kind == (uint32_t)e.about);
    }
    assert_int_equal(dcs_events_taken(q), n + 1);
    dcs_events_destroy(q);
}

/* Many events of one time are opened together with the few nanoseconds behind them. What is added
 * there, and at the time itself in each class, comes in order. */
static void beside_ties(void **state)
{
    (void)state;
    struct dcs_events *q = dcs_events_create();
    struct dcs_event e;
    for (int i = 0; i < 2000; i++)
        dcs_events_add(q, 1000, 3, 0, 0);
    dcs_events_add(q, 100000000, 0, 0, 0);
    int64_t time_ns = 0;
    dcs_event_id before = 0; /* of one time, ids are in the order of class and sequence */
    for (int taken = 0; dcs_events_pending(q) > 0; taken++) {
        for (int i = 0; taken == 200 && i < 2000; i++)
            dcs_events_add(q, 1000 + (i < 1000 ? 0 : i * 7 % 50), 3 + (uint32_t)i % 5, 0, 0);
        for (int i = 0; taken == 1000 && i < 1000; i++)
            dcs_events_add(q, 1000, (uint32_t)i % 4, 0, 0);
        if (taken > 1000 && taken < 3000)
            dcs_events_add(q, 1000, 3, 0, 0);
        before = taken == 1000 ? 0 : before; /* lower classes come in again */
        assert_true(dcs_events_next(q, &e));
        assert_true(e.time_ns > time_ns || (e.time_ns == time_ns && e.id > before));
        time_ns = e.time_ns;
        before = e.id;
    }
    assert_false(dcs_events_next(q, &e));
    dcs_events_destroy(q);
}

/* Exit code of a child that adds an event at the time and class, where the clock stands at 10. */
static int exit_of_adding(int64_t time_ns, uint32_t event_class)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct dcs_events *q = dcs_events_create();
        struct dcs_event e;
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(1);
        dcs_events_add(q, 10, 0, 0, 0);
        dcs_events_next(q, &e);
        dcs_events_add(q, time_ns, event_class, 0, 0);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

/* Times a long way behind a rung that is of one time: the ladder must not fold them into it. */
static void far_behind_ties(void **state)
{
    (void)state;
    struct dcs_events *q = dcs_events_create();
    struct dcs_event e;
    const int64_t far_ns = INT64_C(1) << 61;
    for (uint32_t i = 0; i < 64; i++)
        dcs_events_add(q, 1, 0, i, 0);
    for (uint32_t i = 0; i < 129; i++)
        dcs_events_add(q, 2 * far_ns, 0, i, 0);
    for (uint32_t i = 0; i < 64; i++)
        assert_true(dcs_events_next(q, &e));
    for (uint32_t i = 0; i < 400; i++)
        dcs_events_add(q, 5, 0, i, 0);
    dcs_events_add(q, 5, 1, 0, 0);
    dcs_events_add(q, 5 + far_ns, 0, 0, 0);
    int64_t last_ns = 0;
    for (uint32_t i = 0; i < 400 + 2 + 129; i++) {
        assert_true(dcs_events_next(q, &e));
        assert_true(e.time_ns >= last_ns);
        last_ns = e.time_ns;
        assert_true(e.time_ns == (i < 401 ? 5 : i == 401 ? 5 + far_ns : 2 * far_ns));
    }
    assert_false(dcs_events_next(q, &e));
    dcs_events_destroy(q);
}

static void limits_are_asserted(void **state)
{
    (void)state;
    assert_int_equal(exit_of_adding(10, 7), 0);
    assert_int_equal(exit_of_adding(9, 0), DCS_EXIT_INTERNAL);
    assert_int_equal(exit_of_adding(10, 8), DCS_EXIT_INTERNAL);
    assert_int_equal(exit_of_adding(DCS_NEVER - 1, 0), 0);
    assert_int_equal(exit_of_adding(DCS_NEVER, 0), DCS_EXIT_INTERNAL);
}

/* 2^21 pending events, the last slot in use; one more is refused. */
static void the_most_events(void **state)
{
    (void)state;
    const uint64_t most = 1 << 21;
    struct dcs_events *q = dcs_events_create();
    dcs_event_id id = 0;
    for (uint64_t i = 0; i < most; i++)
        id = dcs_events_add(q, 0, 0, 0, i);
    assert_int_equal(dcs_events_pending(q), most);

    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) != NULL)
            dcs_events_add(q, 0, 0, 0, 0);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), DCS_EXIT_INTERNAL);

    assert_true(dcs_events_cancel(q, id));
    assert_false(dcs_events_cancel(q, UINT64_MAX >> 3)); /* what unused places look like */
    assert_int_equal(dcs_events_pending(q), most - 1);
    dcs_events_destroy(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty),
        cmocka_unit_test(order),
        cmocka_unit_test(adding_at_the_clock),
        cmocka_unit_test(cancelling),
        cmocka_unit_test(cancelling_anywhere),
        cmocka_unit_test(growing),
        cmocka_unit_test(beside_ties),
        cmocka_unit_test(far_behind_ties),
        cmocka_unit_test(limits_are_asserted),
        cmocka_unit_test(the_most_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
