/*
 * Pins: policies/lib/allocator.h finds the best allocation under all four constraints (brute force
 * over every choice agrees in 20000 random cases, among them many where the best over SMs alone
 * breaks the bandwidth), what it chooses adds up to what it says and stays within the room, and of
 * equal allocations it takes the one with the fewest SMs, then the one that prefers earlier tasks;
 * a task alone gets what it would get among others; a case as large as a policy may pose takes a
 * bounded number of labels. Does not pin: that the predictions that go in are good.
 */
#include "policies/lib/allocator.h"
#include "des/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TASKS = 4, OPTIONS = 5 };

struct problem {
    struct allocator_option options[TASKS][OPTIONS];
    struct allocator_task tasks[TASKS];
    size_t count;
    struct allocator_room room;
};

struct total {
    uint64_t sms, tasks, memory;
    int64_t value, bandwidth;
};

static void add(struct total *t, const struct allocator_task *task, size_t option)
{
    if (option == ALLOCATOR_NONE)
        return;
    t->sms += task->options[option].sms;
    t->tasks++;
    t->memory += task->memory_bytes;
    t->value += task->options[option].value;
    t->bandwidth += task->options[option].bandwidth;
}

static bool within(const struct total *t, const struct allocator_room *room)
{
    return t->sms <= room->sms && t->tasks <= room->tasks && t->memory <= room->memory_bytes &&
           t->bandwidth <= room->bandwidth;
}

/* Tries all; *fewest: the least SMs of those with the best value. */
static void brute(const struct problem *p, size_t task, struct total so_far, int64_t *best,
                  uint64_t *fewest)
{
    if (task == p->count || task == TASKS) {
        if (within(&so_far, &p->room) &&
            (so_far.value > *best || (so_far.value == *best && so_far.sms < *fewest))) {
            *best = so_far.value;
            *fewest = so_far.sms;
        }
        return;
    }
    brute(p, task + 1, so_far, best, fewest);
    for (size_t k = 0; k < p->tasks[task].options_count; k++) {
        struct total with = so_far;
        add(&with, &p->tasks[task], k);
        brute(p, task + 1, with, best, fewest);
    }
}

static void draw(struct problem *p, struct dcs_rng *rng)
{
    *p = (struct problem){.count = dcs_rng_below(rng, TASKS + 1)};
    for (size_t i = 0; i < p->count; i++) {
        size_t options = dcs_rng_below(rng, OPTIONS + 1);
        for (size_t k = 0; k < options; k++)
            /* Small numbers, so that there are ties. */
            p->options[i][k] =
                (struct allocator_option){.sms = 1 + (uint32_t)dcs_rng_below(rng, 8),
                                          .value = 1 + (int64_t)dcs_rng_below(rng, 20),
                                          .bandwidth = (int64_t)dcs_rng_below(rng, 30)};
        p->tasks[i] = (struct allocator_task){.options = p->options[i],
                                              .options_count = options,
                                              .memory_bytes = dcs_rng_below(rng, 10)};
    }
    p->room = (struct allocator_room){.sms = (uint32_t)dcs_rng_below(rng, 20),
                                      .tasks = (uint32_t)dcs_rng_below(rng, TASKS + 1),
                                      .bandwidth = (int64_t)dcs_rng_below(rng, 70),
                                      .memory_bytes = dcs_rng_below(rng, 30)};
    if (dcs_rng_below(rng, 3) == 0)
        p->room.bandwidth = HOST_NEVER;
}

static void equals_brute_force(void **state)
{
    (void)state;
    struct dcs_rng rng;
    struct allocator a = {0};
    uint64_t bound_by_bandwidth = 0;
    dcs_rng_stream(&rng, 5, 0, DCS_RNG_POLICY, 0);
    for (int i = 0; i < 20000; i++) {
        struct problem p;
        draw(&p, &rng);
        int64_t best = 0;
        uint64_t fewest = 0;
        brute(&p, 0, (struct total){0}, &best, &fewest);
        assert_true(allocator_solve(&a, p.tasks, p.count, &p.room) == best);
        struct total chosen = {0};
        for (size_t t = 0; t < p.count; t++)
            add(&chosen, &p.tasks[t], p.tasks[t].chosen);
        assert_true(chosen.value == best && chosen.sms == fewest);
        assert_true(within(&chosen, &p.room));
        p.room.bandwidth = HOST_NEVER;
        bound_by_bandwidth += allocator_solve(&a, p.tasks, p.count, &p.room) > best;
    }
    /* Else the constraint would not have been tried. */
    assert_true(bound_by_bandwidth > 1000);
    allocator_release(&a);
}

/* One task alone is solved apart. Beside a task that has nothing to choose from it is not, and must
 * get the same. */
static void one_task_as_among_several(void **state)
{
    (void)state;
    struct dcs_rng rng;
    struct allocator a = {0};
    uint64_t taken = 0;
    dcs_rng_stream(&rng, 7, 0, DCS_RNG_POLICY, 0);
    for (int i = 0; i < 20000; i++) {
        struct problem p;
        do
            draw(&p, &rng);
        while (p.count == 0);
        p.tasks[1].options_count = 0;
        int64_t several = allocator_solve(&a, p.tasks, 2, &p.room);
        size_t chosen = p.tasks[0].chosen;
        assert_true(allocator_solve(&a, p.tasks, 1, &p.room) == several);
        assert_true(p.tasks[0].chosen == chosen);
        taken += chosen != ALLOCATOR_NONE;
    }
    assert_in_range(taken, 1000, 19000);
    allocator_release(&a);
}

/* SMs alone would give both 2 (10 + 10); that needs a bandwidth of 120. Next comes 10 + 7 for 100.
 */
static void searches_on_when_invalid(void **state)
{
    (void)state;
    struct allocator a = {0};
    const struct allocator_option options[] = {{1, 7, 40}, {2, 10, 60}};
    struct allocator_task tasks[] = {{options, 2, 1, 0}, {options, 2, 1, 0}};
    struct allocator_room room = {.sms = 4, .tasks = 8, .bandwidth = HOST_NEVER, .memory_bytes = 9};
    assert_true(allocator_solve(&a, tasks, 2, &room) == 20);
    room.bandwidth = 120;
    assert_true(allocator_solve(&a, tasks, 2, &room) == 20);
    room.bandwidth = 119;
    assert_true(allocator_solve(&a, tasks, 2, &room) == 17);
    room.bandwidth = 100;
    assert_true(allocator_solve(&a, tasks, 2, &room) == 17);
    room.bandwidth = 99;
    assert_true(allocator_solve(&a, tasks, 2, &room) == 14);
    room.bandwidth = 79;
    assert_true(allocator_solve(&a, tasks, 2, &room) == 10);
    room.bandwidth = 39;
    assert_true(allocator_solve(&a, tasks, 2, &room) == 0);
    assert_true(tasks[0].chosen == ALLOCATOR_NONE && tasks[1].chosen == ALLOCATOR_NONE);
    allocator_release(&a);
}

static void earlier_tasks_first(void **state)
{
    (void)state;
    struct allocator a = {0};
    const struct allocator_option options[] = {{2, 5, 0}, {3, 5, 0}};
    struct allocator_task tasks[] = {{options, 2, 1, 0}, {options, 2, 1, 0}, {options, 2, 1, 0}};
    struct allocator_room room = {.sms = 5, .tasks = 2, .bandwidth = 0, .memory_bytes = 9};
    assert_true(allocator_solve(&a, tasks, 3, &room) == 10);
    assert_true(tasks[0].chosen == 0 && tasks[1].chosen == 0 && tasks[2].chosen == ALLOCATOR_NONE);
    room.tasks = 1;
    assert_true(allocator_solve(&a, tasks, 3, &room) == 5);
    assert_true(tasks[0].chosen == 0 && tasks[1].chosen == ALLOCATOR_NONE);
    allocator_release(&a);
}

/* 16 kernels that differ, at the 17 quotas of a device of 132 SMs, with falling returns; the
 * bandwidth binds. */
static void stays_small(void **state)
{
    (void)state;
    struct dcs_rng rng;
    struct allocator a = {0};
    struct allocator_option options[16][17];
    struct allocator_task tasks[16];
    dcs_rng_stream(&rng, 6, 0, DCS_RNG_POLICY, 0);
    for (uint32_t t = 0; t < 16; t++) {
        uint32_t half = 20 + (uint32_t)dcs_rng_below(&rng, 100);
        int64_t ipc = 500 + (int64_t)dcs_rng_below(&rng, 4000);
        int64_t bandwidth = (int64_t)dcs_rng_below(&rng, 4000) * 1000000000;
        for (uint32_t k = 0; k < 17; k++) {
            uint32_t sms = k < 16 ? 8 * (k + 1) : 132;
            options[t][k] = (struct allocator_option){sms, ipc * sms / (sms + half),
                                                      bandwidth * sms / (sms + half)};
        }
        tasks[t] = (struct allocator_task){options[t], 17, 1, 0};
    }
    struct allocator_room room = {
        .sms = 132, .tasks = 64, .bandwidth = 1500 * INT64_C(1000000000), .memory_bytes = 100};
    assert_true(allocator_solve(&a, tasks, 16, &room) > 0);
    print_message("%zu labels\n", a.count);
    assert_true(a.count < 20000);
    allocator_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(one_task_as_among_several),
        cmocka_unit_test(searches_on_when_invalid),
        cmocka_unit_test(earlier_tasks_first),
        cmocka_unit_test(stays_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
