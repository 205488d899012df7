/*
 * allocator.h - which batch kernels get how much of a device (C-Laius, section 6.2, equations 4 and
 * 5; section 8 adds memory to the constraints).
 *
 * Each task may get one of its options or nothing. Among all choices whose SMs, bandwidth, memory
 * and number stay within the room, one with the largest sum of values is taken: of equal ones that
 * with the fewest SMs, then with the least bandwidth, then the one that prefers earlier tasks.
 *
 * Equation 5 is the dynamic program over SMs alone; an allocation that it finds and that breaks a
 * constraint is to be replaced by another. Which one, the paper leaves open: here the best of all
 * that keep every constraint. So a state of the program is not one best value for each number of
 * SMs, but all partial allocations of which none is at least as good as another in value,
 * bandwidth, memory and number at once. Values and bandwidths are integers: no rounding decides.
 */
#ifndef DCSIM_POLICIES_LIB_ALLOCATOR_H
#define DCSIM_POLICIES_LIB_ALLOCATOR_H

#include "policies/lib/grow.h"
#include "policies/policy.h"

#include <stdlib.h>

#define ALLOCATOR_NONE SIZE_MAX

/* What a task could get. sms > 0, value > 0 (others are never taken), bandwidth >= 0. */
struct allocator_option {
    uint32_t sms;
    int64_t value, bandwidth;
};

struct allocator_task {
    const struct allocator_option *options;
    size_t options_count;
    uint64_t memory_bytes;
    size_t chosen; /* the result: index of the option, or ALLOCATOR_NONE */
};

struct allocator_room {
    uint32_t sms, tasks;
    int64_t bandwidth; /* HOST_NEVER: no limit */
    uint64_t memory_bytes;
};

/* A partial allocation of the first tasks. */
struct allocator_label {
    int64_t value, bandwidth;
    uint64_t memory_bytes;
    uint32_t sms, tasks;
    uint32_t parent, next; /* next of those with as many SMs, in the order in which they came */
    size_t option;         /* of the last task */
    bool beaten;
};

/* All zero at first; keeps its memory from one solution to the next. */
struct allocator {
    struct allocator_label *labels;
    size_t count, capacity;
    uint32_t *first, *last; /* by SMs, of the latest task */
    size_t buckets;
};

#define ALLOCATOR_END UINT32_MAX

static inline void allocator_release(struct allocator *a)
{
    free(a->labels);
    free(a->first);
    free(a->last);
    *a = (struct allocator){0};
}

static inline bool allocator_beats(const struct allocator_label *x, const struct allocator_label *y)
{
    return x->value >= y->value && x->bandwidth <= y->bandwidth &&
           x->memory_bytes <= y->memory_bytes && x->tasks <= y->tasks;
}

/* Adds a label to those of the latest task, unless one with as many SMs beats it. */
static inline void allocator_add(struct allocator *a, const struct allocator_label *label)
{
    for (uint32_t i = a->first[label->sms]; i != ALLOCATOR_END; i = a->labels[i].next) {
        struct allocator_label *other = &a->labels[i];
        if (other->beaten)
            continue;
        if (allocator_beats(other, label))
            return;
        other->beaten = allocator_beats(label, other);
    }
    a->labels = grow(a->labels, &a->capacity, a->count, sizeof *a->labels, 256);
    if (a->count >= ALLOCATOR_END)
        abort();
    uint32_t index = (uint32_t)a->count++;
    a->labels[index] = *label;
    a->labels[index].next = ALLOCATOR_END;
    if (a->first[label->sms] == ALLOCATOR_END)
        a->first[label->sms] = index;
    else
        a->labels[a->last[label->sms]].next = index;
    a->last[label->sms] = index;
}

static inline void allocator_clear_buckets(struct allocator *a, uint32_t sms)
{
    if (a->buckets <= sms) {
        a->buckets = (size_t)sms + 1;
        free(a->first);
        free(a->last);
        a->first = malloc(a->buckets * sizeof *a->first);
        a->last = malloc(a->buckets * sizeof *a->last);
        if (a->first == NULL || a->last == NULL)
            abort();
    }
    for (size_t i = 0; i <= sms; i++)
        a->first[i] = ALLOCATOR_END;
}

/* One more task: all labels with and without it. Those without come first, so that of equal
 * allocations the one with the earlier task stays. */
static inline void allocator_extend(struct allocator *a, const struct allocator_task *task,
                                    const struct allocator_room *room, size_t from, size_t to)
{
    allocator_clear_buckets(a, room->sms);
    for (size_t i = from; i < to; i++) {
        if (a->labels[i].beaten)
            continue;
        struct allocator_label same = a->labels[i];
        same.parent = (uint32_t)i;
        same.option = ALLOCATOR_NONE;
        allocator_add(a, &same);
    }
    for (size_t i = from; i < to; i++) {
        const struct allocator_label parent = a->labels[i];
        if (parent.beaten || parent.tasks >= room->tasks ||
            task->memory_bytes > room->memory_bytes - parent.memory_bytes)
            continue;
        for (size_t k = 0; k < task->options_count; k++) {
            const struct allocator_option *o = &task->options[k];
            if (o->value <= 0 || o->sms > room->sms - parent.sms ||
                o->bandwidth > room->bandwidth - parent.bandwidth)
                continue;
            allocator_add(a, &(struct allocator_label){.value = parent.value + o->value,
                                                       .bandwidth = parent.bandwidth + o->bandwidth,
                                                       .memory_bytes =
                                                           parent.memory_bytes + task->memory_bytes,
                                                       .sms = parent.sms + o->sms,
                                                       .tasks = parent.tasks + 1,
                                                       .parent = (uint32_t)i,
                                                       .option = k});
        }
    }
}

/* The same for one task: an option is as good as its value, else its SMs, else its bandwidth. */
static inline int64_t allocator_solve_one(struct allocator_task *task,
                                          const struct allocator_room *room)
{
    const struct allocator_option *best = NULL;
    task->chosen = ALLOCATOR_NONE;
    if (room->tasks == 0 || task->memory_bytes > room->memory_bytes)
        return 0;
    for (size_t k = 0; k < task->options_count; k++) {
        const struct allocator_option *o = &task->options[k];
        if (o->value <= 0 || o->sms > room->sms || o->bandwidth > room->bandwidth)
            continue;
        if (best != NULL &&
            (o->value < best->value ||
             (o->value == best->value &&
              (o->sms > best->sms || (o->sms == best->sms && o->bandwidth >= best->bandwidth)))))
            continue;
        best = o;
        task->chosen = k;
    }
    return best != NULL ? best->value : 0;
}

/* Chooses for each task; returns the sum of the values. */
static inline int64_t allocator_solve(struct allocator *a, struct allocator_task *tasks,
                                      size_t count, const struct allocator_room *room)
{
    if (count == 1)
        return allocator_solve_one(tasks, room);
    a->count = 0;
    allocator_clear_buckets(a, room->sms);
    allocator_add(a, &(struct allocator_label){.parent = ALLOCATOR_END});
    size_t from = 0;
    for (size_t t = 0; t < count; t++) {
        size_t to = a->count;
        allocator_extend(a, &tasks[t], room, from, to);
        from = to;
    }
    size_t best = from;
    for (size_t i = from + 1; i < a->count; i++) {
        const struct allocator_label *x = &a->labels[i], *y = &a->labels[best];
        if (x->value > y->value ||
            (x->value == y->value &&
             (x->sms < y->sms || (x->sms == y->sms && x->bandwidth < y->bandwidth))))
            best = i;
    }
    int64_t value = a->labels[best].value;
    for (size_t t = count, at = best; t-- > 0; at = a->labels[at].parent)
        tasks[t].chosen = a->labels[at].option;
    return value;
}

#endif
