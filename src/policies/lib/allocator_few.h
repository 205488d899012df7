/*
 * allocator_few.h - allocator.h for two or three tasks, which is how many wait in most decisions:
 * a branch and bound over whole allocations, which makes no labels. It finds the allocation that is
 * better than all others. If several are the best it finds nothing: which one is to be taken, only
 * the search over states knows.
 */
#ifndef DCSIM_POLICIES_LIB_ALLOCATOR_FEW_H
#define DCSIM_POLICIES_LIB_ALLOCATOR_FEW_H

#include "policies/lib/allocator_labels.h"

#define ALLOCATOR_FEW         3
#define ALLOCATOR_FEW_OPTIONS 64

/* It gives up after so many looks at options; at ten quotas it mostly takes 10 for two tasks and 50
 * for three. */
#define ALLOCATOR_FEW_LOOKS 256

/* What the first tasks take. */
struct allocator_try {
    int64_t value;
    struct allocator_room left;
    size_t chosen[ALLOCATOR_FEW]; /* of the others: ALLOCATOR_NONE */
};

struct allocator_few {
    const struct allocator_task *tasks;
    size_t count;
    /* By task and option: the most value of this option and those before it, at least 0. */
    int64_t most[ALLOCATOR_FEW][ALLOCATOR_FEW_OPTIONS];
    struct allocator_try best;
    bool tied;      /* another allocation is as good */
    uint32_t looks; /* that are left */
};

/* Sets few->most of a task. False if the SMs of its options do not ascend, or its values are too
 * large to be summed. */
static inline bool allocator_few_set_most(struct allocator_few *few, size_t t)
{
    const struct allocator_option *options = few->tasks[t].options;
    int64_t most = 0;
    for (size_t k = 0; k < few->tasks[t].options_count; k++) {
        if (k > 0 && options[k - 1].sms >= options[k].sms)
            return false;
        most = options[k].value > most ? options[k].value : most;
        few->most[t][k] = most;
    }
    return most <= INT64_MAX / ALLOCATOR_FEW;
}

/* Whether the search over states has steps enough, so that it would find the same. Of three tasks
 * the second makes up to first * second states. Each costs two labels at most, a look at its
 * option, and one at each state with as many SMs: less than `first`, as SMs ascend. */
static inline bool allocator_few_steps(const struct allocator_task *tasks, size_t count)
{
    if (count == 2)
        return true;
    size_t first = tasks[0].options_count + 1, second = tasks[1].options_count + 1;
    return first * second * (2 * ALLOCATOR_STEPS_LABEL + 1 + first) <= ALLOCATOR_STEPS_PLAIN &&
           first * second * (tasks[2].options_count + 1) <= ALLOCATOR_STEPS;
}

/* count >= 2. False if there are too many tasks, options or states, SMs that do not ascend, or
 * values too large to be summed. */
static inline bool allocator_few_begin(struct allocator_few *few,
                                       const struct allocator_task *tasks, size_t count)
{
    if (count > ALLOCATOR_FEW)
        return false;
    few->tasks = tasks;
    few->count = count;
    few->tied = false;
    few->looks = ALLOCATOR_FEW_LOOKS;
    for (size_t t = 0; t < count; t++)
        if (tasks[t].options_count > ALLOCATOR_FEW_OPTIONS || !allocator_few_set_most(few, t))
            return false;
    return allocator_few_steps(tasks, count);
}

/* An allocation that is at least as good in value. */
static inline void allocator_few_offer(struct allocator_few *few, const struct allocator_try *t)
{
    const struct allocator_room *left = &t->left, *best = &few->best.left;
    if (t->value == few->best.value) {
        if (left->sms < best->sms || (left->sms == best->sms && left->bandwidth < best->bandwidth))
            return;
        if (left->sms == best->sms && left->bandwidth == best->bandwidth) {
            few->tied = true;
            return;
        }
    }
    few->best = *t;
    few->tied = false;
}

static inline bool allocator_few_may_take(const struct allocator_try *t,
                                          const struct allocator_option *o)
{
    return o->value > 0 && o->bandwidth <= t->left.bandwidth;
}

static inline struct allocator_try allocator_few_take(const struct allocator_few *few,
                                                      const struct allocator_try *t, size_t task,
                                                      size_t k)
{
    const struct allocator_option *o = &few->tasks[task].options[k];
    struct allocator_try with = *t;
    with.value += o->value;
    with.left.sms -= o->sms;
    with.left.tasks--;
    with.left.bandwidth -= o->bandwidth;
    with.left.memory_bytes -= few->tasks[task].memory_bytes;
    with.chosen[task] = k;
    return with;
}

/* The last task takes one of its first `fit` options, or none. Those with more SMs are mostly worth
 * more: they come first, and the others need not be looked at then. */
static inline void allocator_few_end(struct allocator_few *few, const struct allocator_try *t,
                                     size_t fit)
{
    size_t last = few->count - 1;
    const struct allocator_option *options = few->tasks[last].options;
    for (size_t k = fit; k-- > 0 && t->value + few->most[last][k] >= few->best.value;) {
        if (few->looks == 0)
            return;
        few->looks--;
        if (t->value + options[k].value < few->best.value ||
            !allocator_few_may_take(t, &options[k]))
            continue;
        struct allocator_try with = allocator_few_take(few, t, last, k);
        allocator_few_offer(few, &with);
    }
    if (t->value >= few->best.value)
        allocator_few_offer(few, t);
}

/* How many options of a task fit into so many SMs: `fit`, which do, or more. */
static inline size_t allocator_few_fit(const struct allocator_few *few, size_t task, uint32_t sms,
                                       size_t fit)
{
    const struct allocator_task *of = &few->tasks[task];
    while (fit < of->options_count && of->options[fit].sms <= sms)
        fit++;
    return fit;
}

/* Goes through what `task` and later ones can take beside t that may be as good as the best so far.
 * The SMs suffice for the first `fit` options of the task. */
static inline void allocator_few_search(struct allocator_few *few, size_t task,
                                        const struct allocator_try *t, size_t fit)
{
    const struct allocator_task *of = &few->tasks[task], *last = &few->tasks[few->count - 1];
    if (t->left.tasks == 0 || of->memory_bytes > t->left.memory_bytes)
        fit = 0;
    if (of == last) {
        allocator_few_end(few, t, fit);
        return;
    }
    bool more = of + 1 < last && last->options_count > 0;
    int64_t later = more ? few->most[few->count - 1][last->options_count - 1] : 0;
    size_t next = 0; /* options of the task after this one that fit then */
    for (size_t k = fit; k-- > 0 && few->looks > 0;) {
        const struct allocator_option *o = &of->options[k];
        few->looks--;
        next = allocator_few_fit(few, task + 1, t->left.sms - o->sms, next);
        int64_t most = t->value + o->value + later + (next > 0 ? few->most[task + 1][next - 1] : 0);
        if (most < few->best.value || !allocator_few_may_take(t, o))
            continue;
        struct allocator_try with = allocator_few_take(few, t, task, k);
        allocator_few_search(few, task + 1, &with, next);
    }
    allocator_few_search(few, task + 1, t, allocator_few_fit(few, task + 1, t->left.sms, next));
}

/* Chooses for each task, and sets the sum of the values. False, and nothing is chosen, where it
 * cannot tell: then there are many tasks or options, or the best allocation has an equal, or it has
 * given up. */
static inline bool allocator_solve_few(struct allocator_task *tasks, size_t count,
                                       const struct allocator_room *room, int64_t *value)
{
    struct allocator_few few;
    if (!allocator_few_begin(&few, tasks, count))
        return false;
    struct allocator_try none = {.left = *room};
    for (size_t t = 0; t < ALLOCATOR_FEW; t++)
        none.chosen[t] = ALLOCATOR_NONE;
    few.best.value = -1;
    allocator_few_search(&few, 0, &none, allocator_few_fit(&few, 0, room->sms, 0));
    if (few.tied || few.looks == 0)
        return false;
    for (size_t t = 0; t < count; t++)
        tasks[t].chosen = few.best.chosen[t];
    *value = few.best.value;
    return true;
}

#endif
