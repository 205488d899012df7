/*
 * test_runner.c - points and replications on threads.
 *
 * Pins: every replication that is wanted is run once, and taken in order within its point, on the
 * calling thread; a point is asked again when all it wanted is taken; a point that fails ends with
 * its cause, takes nothing after the failure, and stops no other; -1 from a call ends everything
 * with that cause; after a stop what had ended is taken, nothing is started, and every point that
 * was begun is ended once; runs that keep rows wait for their turn in small numbers only. Does not
 * pin: how fast (e2e/sweep_long).
 */
#include "runs/runner.h"

#include "config/plugin.h"
#include "policies/policies.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POINTS 12

static const char json[] =
    "{\"policy\": {\"name\": \"fcfs\"}, \"applications\": [{\"name\": \"a\", \"class\": "
    "\"latency\", \"service\": {\"distribution\": \"exponential\", \"mean_ms\": 10}}], "
    "\"workload\": {\"services\": [{\"application\": \"a\", \"requests\": 50, \"arrivals\": "
    "{\"rate_per_s\": 50}}]}}";

struct log {
    struct run_watch watch;
    pthread_t caller;
    uint32_t rounds; /* how often a point wants three more */
    int fails_to_open, fails_to_run, fails_in_take, fails_in_end; /* points; -1: none */
    uint64_t stop_after;                                          /* runs; 0: never */
    uint64_t taken;
    bool over; /* a call has said -1 */
    uint32_t next[POINTS], ended[POINTS], asked[POINTS];
    enum runner_end how[POINTS];
    char cause[POINTS][64];
};

/* Launches on a device that there is not, from the first request on. */
static void launch_nowhere(void *self, struct host *h, req_id r)
{
    (void)self;
    host_launch(h, r, 99, (struct host_allotment){.mechanism = HOST_WHOLE});
}

static void ignore(void *self, struct host *h, req_id r, dev_id d, bool request_done)
{
    (void)self;
    (void)h;
    (void)r;
    (void)d;
    (void)request_done;
}

static const struct policy wrong = {.abi = POLICY_ABI,
                                    .size = sizeof(struct policy),
                                    .name = "wrong",
                                    .summary = "Breaks a rule.",
                                    .source = "this test",
                                    .on_ready = launch_nowhere,
                                    .on_complete = ignore};
static struct plugin wrong_plugin = {.policy = &wrong};

static int open_point(void *context, struct runner_point *p, struct dcs_err *err)
{
    struct log *l = context;
    if ((int)p->index == l->fails_to_open)
        return dcs_err_set(err, "no place %d", (int)p->index);
    struct plugins plugins = {.items = &wrong_plugin, .count = (int)p->index == l->fails_to_run};
    struct options_doc *doc = options_load_text("x.json", json, strlen(json), err);
    if (doc == NULL || config_parse(&p->config, doc, &plugins, err) != 0 ||
        experiment_open(&p->experiment, &p->config, doc, err) != 0)
        abort();
    p->doc = doc;
    return 0;
}

/* Three replications a round. */
static int want(void *context, struct runner_point *p, struct runner_list *list,
                struct dcs_err *err)
{
    struct log *l = context;
    (void)err;
    assert_true(pthread_equal(l->caller, pthread_self()));
    uint32_t *asked = &l->asked[p->index];
    if (!atomic_load(&l->watch.stop))
        assert_int_equal(l->next[p->index], 3 * *asked); /* all of the rounds before */
    for (uint32_t i = 0; *asked < l->rounds && i < 3; i++)
        runner_list_add(list, 3 * *asked + i);
    *asked += *asked < l->rounds;
    return 0;
}

static int take(void *context, struct runner_point *p, struct run *run, struct dcs_err *err)
{
    struct log *l = context;
    assert_true(pthread_equal(l->caller, pthread_self()));
    assert_false(l->over);
    /* After a stop a run may be there whose predecessor was broken off. */
    if (atomic_load(&l->watch.stop))
        assert_true(run->replication >= l->next[p->index]);
    else
        assert_int_equal(run->replication, l->next[p->index]);
    assert_true(run->result.requests == 50);
    l->next[p->index]++;
    run_release(run);
    if ((int)p->index == l->fails_in_take) {
        l->over = true;
        return dcs_err_set(err, "no room %d", (int)p->index);
    }
    if (++l->taken == l->stop_after)
        atomic_store(&l->watch.stop, true);
    return 0;
}

static int end_point(void *context, struct runner_point *p, enum runner_end how,
                     const struct dcs_err *failure, struct dcs_err *err)
{
    struct log *l = context;
    assert_true(pthread_equal(l->caller, pthread_self()));
    l->ended[p->index]++;
    l->how[p->index] = how;
    assert_true((failure != NULL) == (how == RUNNER_FAILED));
    if (failure != NULL)
        snprintf(l->cause[p->index], sizeof l->cause[0], "%.60s", failure->text);
    if ((int)p->index == l->fails_in_end) {
        l->over = true;
        return dcs_err_set(err, "no end %d", (int)p->index);
    }
    return 0;
}

static int run(struct log *l, uint32_t threads, struct dcs_err *err)
{
    const struct runner_calls calls = {
        .context = l, .open = open_point, .want = want, .take = take, .end = end_point};
    l->caller = pthread_self();
    return runner_run(POINTS, threads, &l->watch, &calls, err);
}

#define NOTHING_FAILS                                                                              \
    .fails_to_open = -1, .fails_to_run = -1, .fails_in_take = -1, .fails_in_end = -1

static void everything_once_and_in_order(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 5; threads += 2)
        for (uint32_t rounds = 0; rounds <= 2; rounds++) {
            struct dcs_err err = {0};
            struct log l = {NOTHING_FAILS, .rounds = rounds};
            assert_int_equal(run(&l, threads, &err), 0);
            for (int i = 0; i < POINTS; i++) {
                assert_int_equal(l.next[i], 3 * rounds);
                assert_int_equal(l.ended[i], 1);
                assert_int_equal(l.how[i], RUNNER_DONE);
            }
        }
}

/* More than the ring of results holds. */
static void many_replications(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct log l = {NOTHING_FAILS, .rounds = 60};
    assert_int_equal(run(&l, 3, &err), 0);
    assert_int_equal(l.taken, POINTS * 180);
}

static void a_point_that_fails(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct dcs_err err = {0};
        struct log l = {NOTHING_FAILS, .rounds = 1};
        l.fails_to_open = 4;
        l.fails_to_run = 7;
        assert_int_equal(run(&l, threads, &err), 0);
        for (int i = 0; i < POINTS; i++) {
            assert_int_equal(l.ended[i], 1);
            bool fails = i == 4 || i == 7;
            assert_int_equal(l.how[i], fails ? RUNNER_FAILED : RUNNER_DONE);
            assert_int_equal(l.next[i], fails ? 0 : 3);
        }
        assert_string_equal(l.cause[4], "no place 4");
        assert_non_null(strstr(l.cause[7], "wrong"));
    }
}

static void a_call_that_fails(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++)
        for (int in_end = 0; in_end <= 1; in_end++) {
            struct dcs_err err = {0};
            struct log l = {NOTHING_FAILS, .rounds = 1};
            *(in_end ? &l.fails_in_end : &l.fails_in_take) = 3;
            assert_int_equal(run(&l, threads, &err), -1);
            assert_string_equal(err.text, in_end ? "no end 3" : "no room 3");
            assert_true(atomic_load(&l.watch.stop));
            for (int i = 0; i < POINTS; i++)
                assert_true(l.ended[i] <= 1);
            assert_int_equal(l.ended[3], 1);
            /* Points overtake each other only on several threads. */
            assert_true(threads > 1 || l.ended[POINTS - 1] == 0 ||
                        l.how[POINTS - 1] == RUNNER_BROKEN_OFF);
        }
}

static void a_stop(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++)
        for (uint64_t after = 1; after < 3 * POINTS; after += 4) {
            struct dcs_err err = {0};
            struct log l = {NOTHING_FAILS, .rounds = 1, .stop_after = after};
            assert_int_equal(run(&l, threads, &err), 0);
            uint64_t sum = 0;
            for (int i = 0; i < POINTS; i++) {
                sum += l.next[i];
                assert_true(l.ended[i] <= 1);
                if (l.ended[i] == 1)
                    assert_true(l.how[i] == (l.next[i] == 3 ? RUNNER_DONE : RUNNER_BROKEN_OFF));
                else
                    assert_int_equal(l.next[i], 0);
            }
            assert_int_equal(sum, l.taken);
            /* Not much more than what was under way. */
            assert_true(l.taken >= after && l.taken < after + 3 * (2 * threads + 2));
        }
}

static void stopped_before_it_begins(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct log l = {NOTHING_FAILS, .rounds = 1};
    atomic_store(&l.watch.stop, true);
    assert_int_equal(run(&l, 2, &err), 0);
    assert_int_equal(l.taken, 0);
}

/* ---- how many runs wait ---- */

#define WAITING_THREADS 2
#define WAITING_RUNS    40
#define WAITING_MOST    (WAITING_THREADS + 1) /* of one point, begun and not taken */

static const struct policy *inner;
static struct policy counting; /* inner, and counts the runs that are begun */
static struct plugin counting_plugin = {.policy = &counting};
static atomic_uint begun;

static int count_run(void *state, const void *params, struct host *h)
{
    atomic_fetch_add(&begun, 1);
    return inner->init != NULL ? inner->init(state, params, h) : 0;
}

static int open_counting(void *context, struct runner_point *p, struct dcs_err *err)
{
    const bool *keeps_rows = context;
    char text[sizeof json + 64];
    snprintf(text, sizeof text, "{\"outputs\": {\"requests\": %s}, %s",
             *keeps_rows ? "true" : "false", json + 1);
    struct plugins plugins = {.items = &counting_plugin, .count = 1};
    p->doc = options_load_text("x.json", text, strlen(text), err);
    if (p->doc == NULL || config_parse(&p->config, p->doc, &plugins, err) != 0 ||
        experiment_open(&p->experiment, &p->config, p->doc, err) != 0)
        abort();
    atomic_store(&begun, 0); /* opening tries the policy */
    return 0;
}

static int want_many(void *context, struct runner_point *p, struct runner_list *list,
                     struct dcs_err *err)
{
    (void)context;
    (void)err;
    for (uint32_t i = 0; p->context == NULL && i < WAITING_RUNS; i++)
        runner_list_add(list, i);
    p->context = list;
    return 0;
}

/* The first runs are taken late: meanwhile as many are begun as may be. */
static int take_late(void *context, struct runner_point *p, struct run *run, struct dcs_err *err)
{
    const bool *keeps_rows = context;
    (void)p;
    (void)err;
    uint32_t taken = run->replication + 1;
    run_release(run);
    for (int ms = 0; taken <= 3 && ms < (*keeps_rows ? 50 : 10000); ms++) {
        if (atomic_load(&begun) > taken + WAITING_MOST)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    if (*keeps_rows)
        assert_true(atomic_load(&begun) <= taken + WAITING_MOST);
    else if (taken == 1)
        assert_true(atomic_load(&begun) > taken + WAITING_MOST);
    return 0;
}

static int end_counting(void *context, struct runner_point *p, enum runner_end how,
                        const struct dcs_err *failure, struct dcs_err *err)
{
    (void)context;
    (void)p;
    (void)failure;
    (void)err;
    assert_int_equal(how, RUNNER_DONE);
    return 0;
}

static void few_runs_with_rows_wait(void **state)
{
    (void)state;
    inner = policies_find("fcfs");
    assert_non_null(inner);
    counting = *inner;
    counting.init = count_run;
    for (int rows = 0; rows <= 1; rows++) {
        struct dcs_err err = {0};
        struct log l = {0};
        bool keeps_rows = rows;
        const struct runner_calls calls = {.context = &keeps_rows,
                                           .open = open_counting,
                                           .want = want_many,
                                           .take = take_late,
                                           .end = end_counting};
        assert_int_equal(runner_run(1, WAITING_THREADS, &l.watch, &calls, &err), 0);
        assert_int_equal(atomic_load(&begun), WAITING_RUNS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_once_and_in_order),
        cmocka_unit_test(many_replications),
        cmocka_unit_test(a_point_that_fails),
        cmocka_unit_test(a_call_that_fails),
        cmocka_unit_test(a_stop),
        cmocka_unit_test(stopped_before_it_begins),
        cmocka_unit_test(few_runs_with_rows_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
