/*
 * test_eventlist_model.c - the event list against lists that are plainly right.
 *
 * Pins: that order, events, clock, counts and answers are those of the model after every single
 * step. First for 400 random mixtures of add, cancel and next (sizes 1 to about 1 000 pending,
 * times from all equal to all different, one class or eight, ids of every age cancelled), where the
 * model is searched from end to end. Then for numbers of pending events that go up and down, to 20
 * 000 and back to none, where the model is a sorted list: times at one instant, at steps, uniform,
 * of two kinds, over many powers of two, and ever earlier ones. That are 0.4 million operations, 6
 * million with the argument "all" (label slow). A failure prints its seed. Does not pin: speed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/eventlist.h"
#include "des/rng.h"

#include <stdlib.h>
#include <string.h>

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

/* Takes the next event, which is at first_ns (DCS_NEVER: there is none), in one of two ways. Before
 * its time it is not to be had; asking changes nothing. */
static bool take(struct dcs_events *q, uint64_t way, int64_t first_ns, struct dcs_event *out)
{
    if (way == 0)
        return dcs_events_next(q, out);
    assert_false(dcs_events_next_before(q, first_ns, out));
    return dcs_events_next_before(q, first_ns < DCS_NEVER ? first_ns + 1 : DCS_NEVER, out);
}

static void next(struct model *m, struct dcs_events *q)
{
    struct model_event *expected = model_next(m);
    struct dcs_event e;
    int64_t first_ns = expected != NULL ? expected->time_ns : DCS_NEVER;
    assert_int_equal(take(q, m->taken % 3, first_ns, &e), expected != NULL);
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

/* ---- The sorted list ---- */

struct entry {
    int64_t time_ns;
    uint32_t class;
    uint64_t about; /* grows with each event that is added */
    dcs_event_id id;
};

struct list {
    struct entry *entries; /* in the order in which they come */
    size_t count, capacity;
    uint64_t added;
    int64_t now_ns;
    dcs_event_id gone[64]; /* some that are not pending any more */
};

enum { KINDS_OF_TIMES = 7 };

static int64_t draw_time(const struct list *m, struct dcs_rng *rng, uint64_t kind)
{
    switch (kind) {
    case 0:
        return m->now_ns;
    case 1:
        return m->now_ns + 1000;
    case 2:
        return m->now_ns + (int64_t)dcs_rng_below(rng, 10);
    case 3:
        return m->now_ns + (int64_t)dcs_rng_below(rng, 1000000000);
    case 4: /* heavy tail */
        return m->now_ns + (int64_t)dcs_rng_below(rng, (uint64_t)1 << dcs_rng_below(rng, 45));
    case 5:
        return m->now_ns + (int64_t)dcs_rng_below(rng, 1000) +
               (dcs_rng_below(rng, 10) ? 0 : 1000000);
    default: /* before all others, mostly */
        return m->now_ns + (INT64_C(1) << 40) / (int64_t)(1 + m->added % 100000);
    }
}

/* Where an event of the time and class comes that is added now: behind its equals. */
static size_t find_place(const struct list *m, int64_t time_ns, uint32_t class)
{
    size_t from = 0, to = m->count;
    while (from < to) {
        size_t middle = (from + to) / 2;
        const struct entry *e = &m->entries[middle];
        if (e->time_ns < time_ns || (e->time_ns == time_ns && e->class <= class))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static void list_add(struct list *m, struct dcs_events *q, int64_t time_ns, uint32_t class)
{
    m->entries = dcs_grow(m->entries, &m->capacity, m->count + 1, sizeof *m->entries);
    size_t at = find_place(m, time_ns, class);
    memmove(&m->entries[at + 1], &m->entries[at], (m->count - at) * sizeof *m->entries);
    m->count++;
    m->added++;
    m->entries[at] = (struct entry){.time_ns = time_ns, .class = class, .about = m->added, .id = 0};
    m->entries[at].id = dcs_events_add(q, time_ns, class, (uint32_t)m->added % 1000, m->added);
}

static void list_remove(struct list *m, size_t at)
{
    m->gone[m->added % 64] = m->entries[at].id;
    m->count--;
    memmove(&m->entries[at], &m->entries[at + 1], (m->count - at) * sizeof *m->entries);
}

static void list_cancel(struct list *m, struct dcs_events *q, struct dcs_rng *rng)
{
    assert_false(dcs_events_cancel(q, m->gone[dcs_rng_below(rng, 64)]));
    if (m->count == 0)
        return;
    size_t at = dcs_rng_below(rng, m->count);
    assert_true(dcs_events_cancel(q, m->entries[at].id));
    list_remove(m, at);
}

static void list_next(struct list *m, struct dcs_events *q)
{
    struct dcs_event e;
    int64_t first_ns = m->count > 0 ? m->entries[0].time_ns : DCS_NEVER;
    assert_int_equal(take(q, dcs_events_taken(q) % 3, first_ns, &e), m->count > 0);
    if (m->count == 0)
        return;
    const struct entry *first = &m->entries[0];
    assert_true(e.time_ns == first->time_ns && e.about == first->about && e.id == first->id);
    assert_int_equal(e.kind, (uint32_t)first->about % 1000);
    m->now_ns = e.time_ns;
    list_remove(m, 0);
}

/* The number of pending events goes to one target after the other. */
static void ups_and_downs(uint64_t seed, int steps)
{
    static const uint64_t targets[] = {0, 3, 100, 250, 1000, 5000, 20000};
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_NOISE, 0);
    struct list m = {0};
    struct dcs_events *q = dcs_events_create();
    uint64_t target = 0, kind = 0, classes = 1, cancels = 0;
    for (int step = 0; step < steps; step++) {
        if (step % 5000 == 0) {
            target = targets[dcs_rng_below(&rng, sizeof targets / sizeof *targets)];
            kind = (seed + dcs_rng_below(&rng, 2)) % KINDS_OF_TIMES;
            classes = dcs_rng_below(&rng, 2) ? 8 : 1;
            cancels = dcs_rng_below(&rng, 2) ? 40 : 4; /* per cent */
        }
        uint64_t adds = m.count < target ? 90 : 30;
        if (dcs_rng_below(&rng, 100) < adds)
            list_add(&m, q, draw_time(&m, &rng, kind), (uint32_t)dcs_rng_below(&rng, classes));
        else if (dcs_rng_below(&rng, 100) < cancels)
            list_cancel(&m, q, &rng);
        else
            list_next(&m, q);
        assert_int_equal(dcs_events_pending(q), m.count);
        if (dcs_rng_below(&rng, 4) == 0)
            assert_true(dcs_events_peek(q) == (m.count ? m.entries[0].time_ns : DCS_NEVER));
    }
    while (m.count > 0)
        list_next(&m, q);
    list_next(&m, q);
    free(m.entries);
    dcs_events_destroy(q);
}

static bool all;

static void sorted_list(void **state)
{
    (void)state;
    for (running = 1; running <= (all ? 4 : 1) * KINDS_OF_TIMES; running++)
        ups_and_downs(running, all ? 220000 : 60000);
    running = 0;
}

int main(int argc, char **argv)
{
    all = argc > 1 && strcmp(argv[1], "all") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(mixtures, tell_seed),
        cmocka_unit_test_teardown(sorted_list, tell_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
