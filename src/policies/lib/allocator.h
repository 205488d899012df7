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
 *
 * There can be exponentially many states, so a solution has at most ALLOCATOR_STEPS. With 16 tasks
 * of 64 options on 132 SMs it takes less than 3 million instructions, a millisecond.
 *   0. Two or three tasks: at most 256 looks at whole allocations (allocator_few.h), beside the
 *      steps. Where one is better than all others, this ends here.
 *   1. The search over all states. Small problems end here.
 *   2. Prices of bandwidth, memory and number (Lagrange), and equation 5 for value less price,
 * bound what a state can still come to. The search over those states that may come near the bound;
 *      while it finds nothing, over those that may come less near. What it finds is what 1 would
 *      find, also among equals: a state that is left out leads to no best allocation, and stands in
 *      the way of none. Only bounds are not integers, and rounding errors are allowed for.
 *   3. If the steps are used up: equation 5 with one state for each number of SMs, the one with the
 *      most value less price. The allocation keeps the constraints but need not be the best; `cut`
 *      says so.
 */
#ifndef DCSIM_POLICIES_LIB_ALLOCATOR_H
#define DCSIM_POLICIES_LIB_ALLOCATOR_H

#include "policies/lib/allocator_few.h"

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

/* All labels after the last task; *from: the first. False if the steps are used up. */
static inline bool allocator_search(struct allocator *a, const struct allocator_task *tasks,
                                    size_t count, const struct allocator_room *room, size_t *from)
{
    a->count = *from = 0;
    allocator_clear_buckets(a, room->sms);
    double all = allocator_price(a->price, room->bandwidth, room->memory_bytes, room->tasks);
    allocator_put(a, &(struct allocator_label){.net = all, .parent = ALLOCATOR_END});
    for (size_t t = 0; t < count; t++) {
        size_t next = a->count;
        if (!allocator_extend(a, tasks, t, room, *from))
            return false;
        *from = next;
    }
    return true;
}

/* Of two allocations; of equal ones the first is to stay. */
static inline bool allocator_is_better(const struct allocator_label *x,
                                       const struct allocator_label *y)
{
    return x->value > y->value ||
           (x->value == y->value &&
            (x->sms < y->sms || (x->sms == y->sms && x->bandwidth < y->bandwidth)));
}

/* The best of the labels from `from` on, ALLOCATOR_NONE if there are none. */
static inline size_t allocator_best(const struct allocator *a, size_t from)
{
    size_t best = ALLOCATOR_NONE;
    for (size_t i = from; i < a->count; i++)
        if (best == ALLOCATOR_NONE || allocator_is_better(&a->labels[i], &a->labels[best]))
            best = i;
    return best;
}

/* The most value that any allocation can have at the prices, that of SMs among them; over[]: how
 * much more is asked for than there is of each kind, in rooms. */
static inline double allocator_look(const struct allocator *a, const struct allocator_task *tasks,
                                    size_t count, const double *rooms, double *over)
{
    double taken[ALLOCATOR_KINDS] = {0}, most = 0;
    for (size_t t = 0; t < count; t++) {
        const struct allocator_option *best = NULL;
        double apart = allocator_price(a->price, 0, tasks[t].memory_bytes, 1), best_net = apart;
        for (size_t k = 0; k < tasks[t].options_count; k++) {
            const struct allocator_option *o = &tasks[t].options[k];
            double net =
                (double)o->value - a->price[0] * o->sms - a->price[1] * (double)o->bandwidth;
            if (net > best_net) {
                best_net = net;
                best = o;
            }
        }
        if (best == NULL)
            continue;
        most += best_net - apart;
        taken[0] += best->sms;
        taken[1] += (double)best->bandwidth;
        taken[2] += (double)tasks[t].memory_bytes;
        taken[3]++;
    }
    for (int i = 0; i < ALLOCATOR_KINDS; i++) {
        most += a->price[i] * rooms[i];
        over[i] = rooms[i] > 0 ? taken[i] / rooms[i] - 1 : 0;
    }
    return most;
}

/* Looks for the prices with the lowest bound: subgradient steps that get shorter. */
static inline void allocator_set_prices(struct allocator *a, const struct allocator_task *tasks,
                                        size_t count, const struct allocator_room *room)
{
    const double rooms[] = {room->sms, (double)room->bandwidth, (double)room->memory_bytes,
                            room->tasks};
    double best[ALLOCATOR_KINDS] = {0}, lowest = DBL_MAX, over[ALLOCATOR_KINDS], share = 0.5;
    for (int round = 0; round < ALLOCATOR_ROUNDS; round++) {
        double most = allocator_look(a, tasks, count, rooms, over), square = 0;
        if (most < lowest) {
            lowest = most;
            memcpy(best, a->price, sizeof best);
        }
        for (int i = 0; i < ALLOCATOR_KINDS; i++) {
            if (over[i] < 0 && !(a->price[i] > 0))
                over[i] = 0;
            square += over[i] * over[i];
        }
        for (int i = 0; i < ALLOCATOR_KINDS && square > 0; i++) {
            double add = rooms[i] > 0 ? share * most / square * over[i] / rooms[i] : 0;
            a->price[i] = a->price[i] + add > 0 ? a->price[i] + add : 0;
        }
        share *= 0.8;
    }
    memcpy(a->price, best, sizeof best);
}

/* Equation 5 for value less price, from the last task on. */
static inline void allocator_set_bound(struct allocator *a, const struct allocator_task *tasks,
                                       size_t count, const struct allocator_room *room)
{
    size_t row = (size_t)room->sms + 1;
    a->rest_is_set = true;
    for (size_t t = count; t-- > 0;) {
        double *now = &a->rest[t * row];
        const double *next = now + row;
        memcpy(now, next, row * sizeof *now);
        for (size_t k = 0; k < tasks[t].options_count; k++) {
            const struct allocator_option *o = &tasks[t].options[k];
            double net = (double)o->value -
                         allocator_price(a->price, o->bandwidth, tasks[t].memory_bytes, 1);
            for (size_t sms = o->sms; net > 0 && sms < row; sms++)
                if (now[sms] < next[sms - o->sms] + net)
                    now[sms] = next[sms - o->sms] + net;
        }
    }
    a->bound = allocator_price(a->price, room->bandwidth, room->memory_bytes, room->tasks) +
               a->rest[room->sms];
}

/* Step 2 of above: the label of the allocation, ALLOCATOR_NONE if the steps are used up. */
static inline size_t allocator_search_near_bound(struct allocator *a,
                                                 const struct allocator_task *tasks, size_t count,
                                                 const struct allocator_room *room)
{
    double rounding = ALLOCATOR_ROUNDING * a->bound, below = ALLOCATOR_NEAR * a->bound;
    for (;;) {
        size_t from;
        a->least = a->bound - below;
        if (!allocator_search(a, tasks, count, room, &from))
            return ALLOCATOR_NONE;
        size_t best = allocator_best(a, from);
        bool all = !(below < 2 * a->bound); /* nothing was left out */
        if (all || (best != ALLOCATOR_NONE && (double)a->labels[best].value > a->least + rounding))
            return best;
        below *= 2;
    }
}

/* Step 3. */
static inline size_t allocator_sweep(struct allocator *a, const struct allocator_task *tasks,
                                     size_t count, const struct allocator_room *room)
{
    size_t from;
    a->cut = a->one_each = true;
    a->least = -DBL_MAX;
    a->steps = UINT32_MAX;
    allocator_search(a, tasks, count, room, &from);
    return allocator_best(a, from);
}

static inline size_t allocator_solve_by_prices(struct allocator *a,
                                               const struct allocator_task *tasks, size_t count,
                                               const struct allocator_room *room)
{
    size_t cost = 0;
    for (size_t t = 0; t < count; t++)
        cost += ALLOCATOR_STEPS_OPTION * tasks[t].options_count;
    a->steps += cost < ALLOCATOR_STEPS - ALLOCATOR_STEPS_PLAIN
                    ? ALLOCATOR_STEPS - ALLOCATOR_STEPS_PLAIN - (uint32_t)cost
                    : 0;
    allocator_set_prices(a, tasks, count, room);
    allocator_set_bound(a, tasks, count, room);
    size_t best = allocator_search_near_bound(a, tasks, count, room);
    return best != ALLOCATOR_NONE ? best : allocator_sweep(a, tasks, count, room);
}

/* No prices yet. */
static inline void allocator_begin(struct allocator *a, const struct allocator_task *tasks,
                                   size_t count, const struct allocator_room *room)
{
    uint64_t left = room->memory_bytes;
    a->one_each = false;
    a->memory_suffices = true;
    for (size_t t = 0; t < count && a->memory_suffices; t++) {
        a->memory_suffices = tasks[t].memory_bytes <= left;
        left -= a->memory_suffices ? tasks[t].memory_bytes : 0;
    }
    a->number_suffices = count <= room->tasks;
    memset(a->price, 0, sizeof a->price);
    size_t cells = (count + 1) * ((size_t)room->sms + 1);
    if (a->rest_capacity < cells) {
        free(a->rest);
        a->rest = calloc(cells, sizeof *a->rest);
        if (a->rest == NULL)
            abort();
        a->rest_capacity = cells;
    } else if (a->rest_is_set) {
        memset(a->rest, 0, a->rest_capacity * sizeof *a->rest);
    }
    a->rest_is_set = false;
    a->bound = DBL_MAX;
    a->least = -DBL_MAX;
    a->steps = ALLOCATOR_STEPS_PLAIN;
}

/* ---- The last task ---- */

/* Nothing follows from its labels: without prices they need not be made, only the best is looked
 * for, in less than the steps of a solution. Its choices are set. */
static inline bool allocator_may_finish(const struct allocator *a, size_t labels)
{
    for (size_t k = 1; k < a->choices_count; k++)
        if (a->choices[k - 1].sms >= a->choices[k].sms)
            return false;
    return labels * (a->choices_count + 1) <= ALLOCATOR_STEPS;
}

/* Chooses for each task, from the labels of all but the last one; returns the sum of the values. */
static inline int64_t allocator_finish(const struct allocator *a, struct allocator_task *tasks,
                                       size_t last, const struct allocator_room *room, size_t from)
{
    struct allocator_label best = {.value = INT64_MIN};
    for (size_t i = from; i < a->count; i++) {
        struct allocator_label same = a->labels[i];
        same.parent = (uint32_t)i;
        same.option = ALLOCATOR_NONE;
        if (!same.beaten && allocator_is_better(&same, &best))
            best = same;
    }
    for (size_t i = from; i < a->count; i++) {
        const struct allocator_label *x = &a->labels[i];
        if (x->beaten || x->tasks >= room->tasks ||
            tasks[last].memory_bytes > room->memory_bytes - x->memory_bytes)
            continue;
        for (size_t k = 0; k < a->choices_count; k++) {
            const struct allocator_choice *o = &a->choices[k];
            if (o->sms > room->sms - x->sms)
                break;
            if (x->value + o->value < best.value || o->bandwidth > room->bandwidth - x->bandwidth)
                continue;
            struct allocator_label label = {.value = x->value + o->value,
                                            .bandwidth = x->bandwidth + o->bandwidth,
                                            .sms = x->sms + o->sms,
                                            .parent = (uint32_t)i,
                                            .option = o->option};
            if (allocator_is_better(&label, &best))
                best = label;
        }
    }
    tasks[last].chosen = best.option;
    for (size_t t = last, at = best.parent; t-- > 0; at = a->labels[at].parent)
        tasks[t].chosen = a->labels[at].option;
    return best.value;
}

/* Chooses for each task; returns the sum of the values. */
static inline int64_t allocator_solve(struct allocator *a, struct allocator_task *tasks,
                                      size_t count, const struct allocator_room *room)
{
    a->cut = false;
    if (count < 2)
        return count > 0 ? allocator_solve_one(tasks, room) : 0;
    int64_t value;
    if (allocator_solve_few(tasks, count, room, &value))
        return value;
    allocator_begin(a, tasks, count, room);
    size_t from, last = count - 1;
    bool found = allocator_search(a, tasks, last, room, &from);
    if (found) {
        allocator_set_choices(a, &tasks[last], room);
        if (allocator_may_finish(a, a->count - from))
            return allocator_finish(a, tasks, last, room, from);
        size_t next = a->count;
        found = allocator_extend(a, tasks, last, room, from);
        from = next;
    }
    size_t best =
        found ? allocator_best(a, from) : allocator_solve_by_prices(a, tasks, count, room);
    for (size_t t = count, at = best; t-- > 0; at = a->labels[at].parent)
        tasks[t].chosen = a->labels[at].option;
    return a->labels[best].value;
}

#endif
