/*
 * Pins: what policies keep their requests in: a table agrees with a plain sorted array in random
 * adds and removes, takes a request from the front without moving the others, and needs no more
 * memory for a long queue's passing than for its length; requests that wait are kept apart from
 * those that have begun, each application's oldest first; a queue goes round its jobs as a plain
 * list of them says, and 200 000 jobs take it a moment; sums and differences of times that may be
 * HOST_NEVER stay within their type; which policies this program can call. Does not pin: what
 * policies decide.
 */
#include "policies/lib/partition.h"
#include "policies/lib/queue.h"
#include "policies/policies.h"
#include "des/rng.h"
#include "tests/fake_host.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MS FAKE_MS

struct record {
    req_id r;
    uint64_t twice;
};

static void assert_same(const struct table *t, const req_id *ids, size_t count)
{
    assert_int_equal(t->count, count);
    for (size_t i = 0; i < count; i++) {
        const struct record *x = table_at(t, i);
        assert_true(x->r == ids[i] && x->twice == 2 * ids[i]);
        assert_ptr_equal(table_find(t, ids[i]), x);
    }
}

static void tables_agree_with_an_array(void **state)
{
    (void)state;
    enum { MOST = 64 };
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 5, 0, DCS_RNG_POLICY, 0);
    struct table t;
    table_init(&t, sizeof(struct record));
    req_id ids[MOST];
    size_t count = 0;
    for (int step = 0; step < 20000; step++) {
        req_id r = 1 + dcs_rng_below(&rng, 1000) + (req_id)step / 20;
        size_t at = 0;
        while (at < count && ids[at] < r)
            at++;
        bool known = at < count && ids[at] == r;
        assert_int_equal(table_find(&t, r) != NULL, known);
        if (!known && count < MOST && dcs_rng_below(&rng, 2) == 0) {
            struct record *x = table_add(&t, r);
            assert_true(x->twice == 0);
            x->twice = 2 * r;
            memmove(&ids[at + 1], &ids[at], (count++ - at) * sizeof ids[0]);
            ids[at] = r;
        } else if (count > 0) {
            at = dcs_rng_below(&rng, 2) == 0 ? 0 : dcs_rng_below(&rng, count);
            table_remove(&t, ids[at]);
            memmove(&ids[at], &ids[at + 1], (--count - at) * sizeof ids[0]);
        }
        assert_same(&t, ids, count);
    }
    table_release(&t);
}

static void a_table_is_a_queue(void **state)
{
    (void)state;
    struct table t;
    table_init(&t, sizeof(struct record));
    for (req_id r = 1; r <= 1000; r++)
        table_add(&t, r);
    for (req_id r = 1; r < 1000; r++) {
        const void *next = table_at(&t, 1);
        table_remove(&t, r);
        assert_ptr_equal(table_at(&t, 0), next); /* where it was */
    }
    table_release(&t);
    for (req_id r = 1; r <= 100000; r++) {
        table_add(&t, r);
        if (r > 10)
            table_remove(&t, r - 10);
    }
    assert_int_equal(t.count, 10);
    assert_in_range(t.capacity, 11, 64);
    table_release(&t);
}

/* An event goes through `placed`; what waits is looked at only at its head. */
static void those_that_wait_are_kept_apart(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "mps-even");
    struct fake_app app = {.name = "a", .kernels = 1, .sla_ns = MS(1000), .work_ns = {MS(10)}};
    app_id a = fake_app(&f, app);
    app.name = "b";
    app_id b = fake_app(&f, app);
    assert_int_equal(fake_begin(&f), 0);
    for (int i = 0; i < 100; i++)
        fake_arrive(&f, i % 2 == 0 ? a : b);
    const struct partition *p = f.state;
    assert_int_equal(p->placed.count, 2);
    assert_int_equal(p->apps[0].waiting.count, 49);
    assert_int_equal(p->apps[1].waiting.count, 49);
    fake_gone(&f, 51);
    assert_int_equal(p->apps[0].waiting.count, 48);
    fake_run(&f, MS(20));
    assert_int_equal(p->placed.count, 2);
    assert_true(fake_at(&f, 5, 0) == MS(20) && fake_at(&f, 6, 0) == MS(20));
    fake_run(&f, MS(1000));
    req_id last[2] = {0, 0};
    for (uint32_t i = 0; i < f.launches_count; i++) {
        req_id r = f.launches[i].r;
        assert_true(r > last[r % 2]);
        last[r % 2] = r;
    }
    assert_int_equal(f.launches_count, 99);
    assert_int_equal(p->placed.count, 0);
    fake_end(&f);
}

static void times_stay_within_their_type(void **state)
{
    (void)state;
    assert_true(share_later_ns(2, 3) == 5 && share_later_ns(2, -3) == -1);
    assert_true(share_later_ns(HOST_NEVER - 1, 1) == HOST_NEVER);
    assert_true(share_later_ns(HOST_NEVER - 1, 2) == HOST_NEVER);
    assert_true(share_later_ns(HOST_NEVER, HOST_NEVER) == HOST_NEVER);
    assert_true(share_later_ns(INT64_MIN + 1, -1) == INT64_MIN);
    assert_true(share_later_ns(INT64_MIN, -1) == INT64_MIN);
    assert_true(share_earlier_ns(2, 3) == -1 && share_earlier_ns(2, -3) == 5);
    assert_true(share_earlier_ns(HOST_NEVER, -1) == HOST_NEVER);
    assert_true(share_earlier_ns(HOST_NEVER, HOST_NEVER) == 0);
    assert_true(share_earlier_ns(-1, HOST_NEVER) == INT64_MIN);
    assert_true(share_earlier_ns(-2, HOST_NEVER) == INT64_MIN);
}

/* Jobs in the order of the round, the requests of each in theirs. */
struct plain_round {
    job_id jobs[40];
    req_id waiting[40][400];
    uint32_t counts[40], jobs_count, next;
};

static void plain_push(struct plain_round *p, job_id job, req_id r, bool front)
{
    uint32_t i = 0;
    while (i < p->jobs_count && p->jobs[i] != job)
        i++;
    if (i == p->jobs_count) {
        p->jobs[p->jobs_count] = job;
        p->counts[p->jobs_count++] = 0;
    }
    req_id *waiting = p->waiting[i];
    memmove(waiting + front, waiting, p->counts[i] * sizeof *waiting);
    waiting[front ? 0 : p->counts[i]] = r;
    p->counts[i]++;
}

static req_id plain_pop(struct plain_round *p)
{
    if (p->next >= p->jobs_count)
        p->next = 0;
    uint32_t i = p->next;
    req_id r = p->waiting[i][0];
    memmove(p->waiting[i], p->waiting[i] + 1, --p->counts[i] * sizeof r);
    if (p->counts[i] > 0) {
        p->next++;
        return r;
    }
    p->jobs_count--;
    for (; i < p->jobs_count; i++) {
        p->jobs[i] = p->jobs[i + 1];
        p->counts[i] = p->counts[i + 1];
        memcpy(p->waiting[i], p->waiting[i + 1], sizeof p->waiting[i]);
    }
    return r;
}

static void a_queue_goes_round_its_jobs(void **state)
{
    static struct plain_round plain;
    (void)state;
    struct dcs_rng rng;
    struct queue q;
    size_t count = 0;
    dcs_rng_stream(&rng, 6, 0, DCS_RNG_POLICY, 0);
    queue_init(&q, QUEUE_JOBS);
    for (req_id r = 1; r <= 100000; r++) {
        bool fills = r / 1000 % 2 == 0;
        if (count < 300 && dcs_rng_below(&rng, 4) < (fills ? 3 : 1)) {
            job_id job = (job_id)dcs_rng_below(&rng, 40) * 1000;
            bool front = dcs_rng_below(&rng, 5) == 0;
            queue_push(&q, job, r, front);
            plain_push(&plain, job, r, front);
            count++;
        } else if (count > 0) {
            assert_true(queue_pop_round_robin(&q) == plain_pop(&plain));
            count--;
        }
        assert_int_equal(q.jobs_count, plain.jobs_count);
    }
    queue_release(&q);
}

static void many_jobs_take_a_queue_a_moment(void **state)
{
    enum { JOBS = 200000 };
    (void)state;
    struct queue q;
    queue_init(&q, QUEUE_JOBS);
    for (job_id job = 0; job < JOBS; job++)
        queue_push(&q, job, 2 * (req_id)job + 1, false);
    for (job_id job = JOBS; job-- > 0;)
        queue_push(&q, job, 2 * (req_id)job + 2, false);
    for (req_id r = 1; r <= 2 * JOBS; r += 2)
        assert_true(queue_pop_round_robin(&q) == r);
    for (req_id r = 2; r <= 2 * JOBS; r += 2)
        assert_true(queue_pop_round_robin(&q) == r);
    assert_int_equal(q.jobs_count, 0);
    queue_release(&q);
}

static void who_can_be_called(void **state)
{
    (void)state;
    char why[POLICIES_WHY_BYTES];
    for (size_t i = 0; policies_all[i] != NULL; i++)
        assert_true(policies_callable(policies_all[i], why));
    struct policy p = *policies_find("fcfs");
    p.abi++;
    assert_false(policies_callable(&p, why));
    assert_non_null(strstr(why, "was built for version 8 of the contract"));
    assert_non_null(strstr(why, "this program has version 7"));
    p.abi--;
    p.size++;
    assert_false(policies_callable(&p, why));
    p.size--;
    p.on_ready = NULL;
    assert_false(policies_callable(&p, why));
    assert_string_equal(why, "lacks on_ready or on_complete");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_agree_with_an_array),
        cmocka_unit_test(a_table_is_a_queue),
        cmocka_unit_test(a_queue_goes_round_its_jobs),
        cmocka_unit_test(many_jobs_take_a_queue_a_moment),
        cmocka_unit_test(those_that_wait_are_kept_apart),
        cmocka_unit_test(times_stay_within_their_type),
        cmocka_unit_test(who_can_be_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
