/*
 * allocator_labels.h - the states of allocator.h, which says what they are for: labels, the partial
 * allocations of the first tasks, and how those of one more task follow from them.
 */
#ifndef DCSIM_POLICIES_LIB_ALLOCATOR_LABELS_H
#define DCSIM_POLICIES_LIB_ALLOCATOR_LABELS_H

#include "policies/lib/grow.h"
#include "policies/policy.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

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
    double net;            /* value, and price of what is left of the room (SMs: none) */
    uint32_t parent, next; /* next of those with as many SMs */
    size_t option;         /* of the last task */
    bool beaten;
};

/* An option that may be part of the best allocation. */
struct allocator_choice {
    int64_t value, bandwidth;
    double net; /* value less price (SMs: none) */
    uint32_t sms;
    size_t option;
};

/* What is scarce: SMs, bandwidth, memory, number. */
#define ALLOCATOR_KINDS 4

/* All zero at first; keeps its memory from one solution to the next. */
struct allocator {
    struct allocator_label *labels;
    size_t count, capacity;
    uint32_t *first; /* by SMs, of the latest task */
    size_t buckets;

    /* Of the solution at hand. */
    bool cut;                              /* it need not be the best */
    bool memory_suffices, number_suffices; /* whatever is chosen */
    bool one_each;                         /* one state for each number of SMs */
    uint32_t steps;                        /* that are left */
    double price[ALLOCATOR_KINDS];         /* of one SM, one byte per second, ..., in value */
    double bound;                          /* no allocation has more value; DBL_MAX: no prices */
    double least;                          /* states that cannot come to it are left out */
    double *rest; /* [task * (SMs of the room + 1) + SMs]: what the task and later ones add to
                     `net` at most, with so many SMs; all zero without prices */
    size_t rest_capacity;
    bool rest_is_set;                 /* it is not all zero */
    struct allocator_choice *choices; /* of the task at hand */
    size_t choices_count, choices_capacity;
    bool ascending; /* their SMs are */
};

/* What a solution may cost, in steps of some 30 instructions on x86-64. Each option costs
 * ALLOCATOR_STEPS_OPTION: it is looked at for the prices, and when the steps are used up with each
 * number of SMs (here: 132). The rest is for the searches over states. A label that is made is
 * ALLOCATOR_STEPS_LABEL, a look at a choice or at another label is one. */
#define ALLOCATOR_STEPS        UINT32_C(88000)
#define ALLOCATOR_STEPS_OPTION 56
#define ALLOCATOR_STEPS_LABEL  3

/* Of these, for the search over all states. */
#define ALLOCATOR_STEPS_PLAIN UINT32_C(12000)

/* How often prices are changed. */
#define ALLOCATOR_ROUNDS 24

/* How far below the bound the first search for states goes, as a share of it; each later one goes
 * twice as far. */
#define ALLOCATOR_NEAR (1.0 / 256)

/* When the steps are used up: choices of a task that are looked at, those with the most value less
 * price. */
#define ALLOCATOR_CHOICES 8

/* More than the rounding errors of a sum of prices, as a share of it. */
#define ALLOCATOR_ROUNDING 1e-9

#define ALLOCATOR_END UINT32_MAX

static inline void allocator_release(struct allocator *a)
{
    free(a->labels);
    free(a->first);
    free(a->rest);
    free(a->choices);
    *a = (struct allocator){0};
}

/* Whether y can be left out for x. What suffices anyway matters between equals only. */
static inline bool allocator_beats(const struct allocator *a, const struct allocator_label *x,
                                   const struct allocator_label *y)
{
    if (x->value < y->value || x->bandwidth > y->bandwidth)
        return false;
    bool equal = x->value == y->value && x->bandwidth == y->bandwidth;
    return (x->memory_bytes <= y->memory_bytes || (!equal && a->memory_suffices)) &&
           (x->tasks <= y->tasks || (!equal && a->number_suffices));
}

static inline bool allocator_spend(struct allocator *a, uint32_t steps)
{
    if (a->steps < steps)
        return false;
    a->steps -= steps;
    return true;
}

static inline void allocator_put(struct allocator *a, const struct allocator_label *label)
{
    a->labels = grow(a->labels, &a->capacity, a->count, sizeof *a->labels, 32);
    if (a->count >= ALLOCATOR_END)
        abort();
    a->labels[a->count] = *label;
    a->labels[a->count].next = a->first[label->sms];
    a->first[label->sms] = (uint32_t)a->count++;
}

/* Adds a label to those of the latest task, unless one with as many SMs beats it. False if the
 * steps are used up. */
static inline bool allocator_add(struct allocator *a, const struct allocator_label *label)
{
    if (!allocator_spend(a, ALLOCATOR_STEPS_LABEL))
        return false;
    uint32_t *link = &a->first[label->sms];
    if (a->one_each && *link != ALLOCATOR_END) {
        a->labels[*link] = *label;
        a->labels[*link].next = ALLOCATOR_END;
        return true;
    }
    while (*link != ALLOCATOR_END) {
        struct allocator_label *other = &a->labels[*link];
        if (!allocator_spend(a, 1))
            return false;
        if (allocator_beats(a, other, label))
            return true;
        other->beaten = allocator_beats(a, label, other);
        if (other->beaten)
            *link = other->next;
        else
            link = &other->next;
    }
    allocator_put(a, label);
    return true;
}

static inline void allocator_clear_buckets(struct allocator *a, uint32_t sms)
{
    if (a->buckets <= sms) {
        a->buckets = (size_t)sms + 1;
        free(a->first);
        a->first = malloc(a->buckets * sizeof *a->first);
        if (a->first == NULL)
            abort();
    }
    for (size_t i = 0; i <= sms; i++)
        a->first[i] = ALLOCATOR_END;
}

/* The price of what an option or all the room has beside SMs. */
static inline double allocator_price(const double *price, int64_t bandwidth, uint64_t memory_bytes,
                                     uint32_t tasks)
{
    return price[1] * (double)bandwidth + price[2] * (double)memory_bytes + price[3] * tasks;
}

/* In the order in which they come; of one_each only those with the most value less price, the best
 * first. */
static inline void allocator_add_choice(struct allocator *a, const struct allocator_choice *choice)
{
    a->choices = grow(a->choices, &a->choices_capacity, a->choices_count, sizeof *a->choices, 8);
    size_t at = a->choices_count++;
    a->ascending = a->ascending && (at == 0 || a->choices[at - 1].sms <= choice->sms);
    if (a->one_each) {
        const struct allocator_choice *other = a->choices;
        double net = choice->net - a->price[0] * choice->sms;
        for (; at > 0 && other[at - 1].net - a->price[0] * other[at - 1].sms < net; at--)
            a->choices[at] = a->choices[at - 1];
        a->ascending = false;
        if (a->choices_count > ALLOCATOR_CHOICES)
            a->choices_count = ALLOCATOR_CHOICES;
    }
    a->choices[at] = *choice;
}

/* Sets the choices of a task: the options that fit and are worth something. */
static inline void allocator_set_choices(struct allocator *a, const struct allocator_task *task,
                                         const struct allocator_room *room)
{
    a->choices_count = 0;
    a->ascending = true;
    for (size_t k = 0; k < task->options_count; k++) {
        const struct allocator_option *o = &task->options[k];
        if (o->value <= 0 || o->sms > room->sms || o->bandwidth > room->bandwidth)
            continue;
        double net = (double)o->value;
        if (a->rest_is_set) /* there are prices */
            net -= allocator_price(a->price, o->bandwidth, task->memory_bytes, 1);
        allocator_add_choice(a, &(struct allocator_choice){o->value, o->bandwidth, net, o->sms, k});
    }
}

/* The labels of a task that follow from label `from` of the task before; rest[SMs]: what later
 * tasks can add. False if the steps are used up. */
static inline bool allocator_take(struct allocator *a, uint64_t memory_bytes,
                                  const struct allocator_room *room, uint32_t from,
                                  const double *rest)
{
    const struct allocator_label parent = a->labels[from];
    uint32_t sms = room->sms - parent.sms;
    int64_t bandwidth = room->bandwidth - parent.bandwidth;
    double least = a->least - parent.net;
    if (parent.tasks >= room->tasks || memory_bytes > room->memory_bytes - parent.memory_bytes)
        return true;
    for (size_t k = 0; k < a->choices_count; k++) {
        const struct allocator_choice *o = &a->choices[k];
        if (o->sms > sms && a->ascending)
            break;
        if (!allocator_spend(a, 1))
            return false;
        if (o->sms > sms || o->bandwidth > bandwidth || o->net + rest[sms - o->sms] < least)
            continue;
        uint32_t other = a->first[parent.sms + o->sms];
        if (a->one_each && other != ALLOCATOR_END && parent.net + o->net <= a->labels[other].net)
            continue;
        struct allocator_label label = {
            .value = parent.value + o->value,
            .bandwidth = parent.bandwidth + o->bandwidth,
            .memory_bytes = parent.memory_bytes + memory_bytes,
            .sms = parent.sms + o->sms,
            .tasks = parent.tasks + 1,
            .net = parent.net + o->net,
            .parent = from,
            .option = o->option,
        };
        if (!allocator_add(a, &label))
            return false;
    }
    return true;
}

/* Task t: all labels with and without it. Those without come first, so that of equal allocations
 * the one with the earlier task stays. False if the steps are used up. */
static inline bool allocator_extend(struct allocator *a, const struct allocator_task *tasks,
                                    size_t t, const struct allocator_room *room, size_t from)
{
    size_t to = a->count;
    const double *rest = &a->rest[(t + 1) * ((size_t)room->sms + 1)];
    allocator_clear_buckets(a, room->sms);
    for (size_t i = from; i < to; i++) {
        struct allocator_label same = a->labels[i];
        if (same.beaten || same.net + rest[room->sms - same.sms] < a->least)
            continue;
        same.parent = (uint32_t)i;
        same.option = ALLOCATOR_NONE;
        if (!allocator_add(a, &same))
            return false;
    }
    allocator_set_choices(a, &tasks[t], room);
    for (size_t i = from; i < to; i++)
        if (!a->labels[i].beaten &&
            !allocator_take(a, tasks[t].memory_bytes, room, (uint32_t)i, rest))
            return false;
    return true;
}

#endif
