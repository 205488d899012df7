/*
 * test_eventlist_model.c - the event list against a list that is searched from end to end.
 *
 * Pins: for 400 random mixtures of add, cancel and next (sizes 1 to about 1 000 pending, times from
 * all equal to all different, one class or eight, ids of every age cancelled) that order, events,
 * clock, counts and answers are those of the model after every single step. A failure prints its
 * seed. Does not pin: more pending events than that, speed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/eventlist.h"
#include "des/rng.h"

#include <stdlib.h>

enum { STEPS = 3000 };

struct model_event {
    int64_t time_ns;
    uint32_t class, kind;
    uint64_t about;
    dcs_event_id id;
    bool pending;
};

/* All events ever added, in that order, which is the order of their sequence numbers. */
struct model {
    struct model_event events[STEPS];
    size_t count, pending, first; /* none before first is pending */
    int64_t now_ns;
    uint64_t taken;
};

static struct model_event *model_next(struct model *m)
{
    struct model_event *best = NULL;
    while (m->first < m->count && !m->events[m->first].pending)
        m->first++;
    for (size_t i = m->first; i < m->count; i++) {
        struct model_event *e = &m->events[i];
        if (e->pending && (best == NULL || e->time_ns < best->time_ns ||
                           (e->time_ns == best->time_ns && e->class < best->class)))
            best = e;
    }
    return best;
}

static void add(struct model *m, struct dcs_events *q, struct dcs_rng *rng, uint64_t spread,
                uint32_t classes)
{
    struct model_event *e = &m->events[m->count++];
    *e = (struct model_event){
        .time_ns = m->now_ns + (int64_t)dcs_rng_below(rng, spread),
        .class = (uint32_t)dcs_rng_below(rng, classes),
        .kind = (uint32_t)dcs_rng_u64(rng),
        .about = dcs_rng_u64(rng),
        .pending = true,
    };
    e->id = dcs_events_add(q, e->time_ns, e->class, e->kind, e->about);
    m->pending++;
    assert_true(e->id != 0);
    if (m->count > 1)
        assert_true(e->id != e[-1].id);
}

static void cancel(struct model *m, struct dcs_events *q, struct dcs_rng *rng)
{
    if (m->count == 0)
        return;
    /* Half of the time a young one, which is mostly pending; else of any age. */
    uint64_t age = dcs_rng_below(rng, 2) ? 20 : m->count;
    age = dcs_rng_below(rng, age < m->count ? age : m->count);
    struct model_event *e = &m->events[m->count - 1 - age];
    assert_int_equal(dcs_events_cancel(q, e->id), e->pending);
    m->pending -= e->pending;
    e->pending = false;
}

static void next(struct model *m, struct dcs_events *q)
{
    struct model_event *expected = model_next(m);
    struct dcs_event e;
    assert_int_equal(dcs_events_next(q, &e), expected != NULL);
    if (expected == NULL)
        return;
    assert_true(e.time_ns == expected->time_ns && e.kind == expected->kind &&
                e.about == expected->about && e.id == expected->id);
    expected->pending = false;
    m->pending--;
    m->taken++;
    m->now_ns = e.time_ns;
}

static void one_mixture(struct model *m, uint64_t seed)
{
    static const uint64_t spreads[] = {1, 2, 10, 1000, 1000000000};
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_NOISE, 0);
    uint64_t spread = spreads[dcs_rng_below(&rng, 5)];
    uint32_t classes = dcs_rng_below(&rng, 2) ? 8 : 1;
    uint64_t adds = 20 + dcs_rng_below(&rng, 60); /* per cent of the steps */
    uint64_t cancels = dcs_rng_below(&rng, 100 - adds);

    *m = (struct model){0};
    struct dcs_events *q = dcs_events_create();
    for (int step = 0; step < STEPS; step++) {
        uint64_t dice = dcs_rng_below(&rng, 100);
        if (dice < adds)
            add(m, q, &rng, spread, classes);
        else if (dice < adds + cancels)
            cancel(m, q, &rng);
        else
            next(m, q);
        assert_int_equal(dcs_events_pending(q), m->pending);
        assert_true(dcs_events_now(q) == m->now_ns);
        assert_true(dcs_events_taken(q) == m->taken);
        if (step % 8 == 0 || m->pending < 8) { /* the model's search is slow */
            struct model_event *first = model_next(m);
            assert_true(dcs_events_peek(q) == (first ? first->time_ns : DCS_NEVER));
        }
    }
    while (m->pending > 0)
        next(m, q);
    next(m, q);
    dcs_events_destroy(q);
}

static uint64_t running;

static void mixtures(void **state)
{
    (void)state;
    struct model *m = dcs_alloc(1, sizeof *m);
    for (running = 1; running <= 400; running++)
        one_mixture(m, running);
    running = 0;
    free(m);
}

/* cmocka leaves a failing test by a jump, so the seed is told afterwards. */
static int tell_seed(void **state)
{
    (void)state;
    if (running != 0)
        print_error("failed at seed %llu\n", (unsigned long long)running);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(mixtures, tell_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
