/*
 * canneal.c - places the elements of a circuit so that its wires are short, by simulated annealing:
 * Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983. Many pairs
 * are exchanged at once, each judged as if the others stayed, as by Banerjee, Jones, Sargent,
 * "Parallel simulated annealing algorithms for cell placement on hypercube multiprocessors", IEEE
 * Trans. Parallel and Distributed Systems 1(1), 1990; of proposals that share an element the first
 * counts, so that the result does not depend on threads.
 *
 * A size is a number of elements. A request is ROUNDS of proposals, half as many as elements in
 * each, while it cools; threads divide the proposals. What is read lies anywhere in memory.
 */
#include "calibrate/cpu/cpu_app.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 5, ROUNDS = 16, GRAIN = 256 };

struct state {
    int64_t n, side; /* places are a square; the last row may be short */
    uint64_t seed;
    int32_t *begin, *wires;    /* wires[begin[e] .. begin[e + 1]]: elements that e is wired to */
    int32_t *given, *place;    /* of each element, before and during a request */
    _Atomic uint64_t *claimed; /* the key of the first proposal of the latest round */
    bool *accepted;            /* proposals of the round */
    int round;
    _Atomic int64_t judged; /* wires that were looked at */
};

static uint64_t below(uint64_t bits, int64_t n)
{
    return (bits >> 32) * (uint64_t)n >> 32;
}

/* Of five inputs three are near in number, as parts of one module are. */
static int64_t input_of(uint64_t seed, int64_t n, int64_t element, int input)
{
    uint64_t bits = cal_cpu_random(seed, (uint64_t)(element * INPUTS + input));
    int64_t other = input < 3 ? element + 1 + (int64_t)below(bits, 64) : (int64_t)below(bits, n);
    return other % n == element ? (element + 1) % n : other % n;
}

static void wire(struct state *s, struct cal_arena *a)
{
    s->begin = cal_arena_take(a, (size_t)s->n + 2, sizeof *s->begin);
    s->wires = cal_arena_take(a, (size_t)(2 * INPUTS * s->n), sizeof *s->wires);
    for (int64_t e = 0; e < s->n; e++) {
        s->begin[e + 2] += INPUTS;
        for (int i = 0; i < INPUTS; i++)
            s->begin[input_of(s->seed, s->n, e, i) + 2]++;
    }
    for (int64_t e = 0; e < s->n; e++)
        s->begin[e + 2] += s->begin[e + 1];
    for (int64_t e = 0; e < s->n; e++)
        for (int i = 0; i < INPUTS; i++) {
            int64_t from = input_of(s->seed, s->n, e, i);
            s->wires[s->begin[e + 1]++] = (int32_t)from;
            s->wires[s->begin[from + 1]++] = (int32_t)e;
        }
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    size_t n = (size_t)size;
    s->n = size;
    s->side = (int64_t)ceil(sqrt((double)size));
    s->seed = seed;
    wire(s, a);
    s->given = cal_arena_take(a, n, sizeof *s->given);
    s->place = cal_arena_take(a, n, sizeof *s->place);
    s->claimed = cal_arena_take(a, n, sizeof *s->claimed);
    s->accepted = cal_arena_take(a, n / 2 + 1, sizeof *s->accepted);
    for (size_t i = 0; i < n; i++) {
        size_t other = below(cal_cpu_random(seed + 1, i), (int64_t)i + 1);
        s->given[i] = s->given[other];
        s->given[other] = (int32_t)i;
    }
    return s;
}

/* Both elements of a proposal, from one random number. */
static void propose(const struct state *s, int64_t i, int64_t pair[2])
{
    uint64_t bits = cal_cpu_random(s->seed + 2, (uint64_t)(s->round * s->n + i));
    pair[0] = (int64_t)below(bits, s->n);
    pair[1] = (int64_t)below(bits << 32, s->n);
}

/* Lower for a later round, and in one round for an earlier proposal. */
static uint64_t key_of(const struct state *s, int64_t i)
{
    return (uint64_t)(ROUNDS - s->round) << 32 | (uint64_t)i;
}

static void claim(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t pair[2];
        propose(s, i, pair);
        uint64_t key = key_of(s, i);
        for (int k = 0; k < 2; k++) {
            uint64_t old = atomic_load_explicit(&s->claimed[pair[k]], memory_order_relaxed);
            while (key < old && !atomic_compare_exchange_weak_explicit(&s->claimed[pair[k]], &old,
                                                                       key, memory_order_relaxed,
                                                                       memory_order_relaxed))
                ;
        }
    }
}

static int64_t distance(const struct state *s, int32_t a, int32_t b)
{
    return llabs(a % s->side - b % s->side) + llabs(a / s->side - b / s->side);
}

/* How much longer the wires of an element become if it goes from one place to another. Wires to
 * the element that it changes places with stay as long. */
static int64_t longer_by(const struct state *s, int64_t element, int64_t other)
{
    int32_t from = s->place[element], to = s->place[other];
    int64_t sum = 0;
    for (int32_t i = s->begin[element]; i < s->begin[element + 1]; i++) {
        int32_t end = s->place[s->wires[i]];
        if (s->wires[i] != other)
            sum += distance(s, to, end) - distance(s, from, end);
    }
    return sum;
}

/* Metropolis's rule. The temperature begins at a third of the square's side and falls to a
 * hundredth of that. */
static bool is_taken(const struct state *s, int64_t i, int64_t longer)
{
    double chance = cal_cpu_uniform(s->seed + 3, (uint64_t)(s->round * s->n + i), 0, 1);
    double temperature = (double)s->side / 3 * pow(0.75, s->round);
    return longer <= 0 || chance < exp(-(double)longer / temperature);
}

static void judge(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    struct state *s = context;
    int64_t judged = 0;
    for (int64_t i = begin; i < end; i++) {
        int64_t pair[2];
        propose(s, i, pair);
        s->accepted[i] = false;
        if (pair[0] == pair[1] || s->claimed[pair[0]] != key_of(s, i) ||
            s->claimed[pair[1]] != key_of(s, i))
            continue;
        int64_t longer = longer_by(s, pair[0], pair[1]) + longer_by(s, pair[1], pair[0]);
        s->accepted[i] = is_taken(s, i, longer);
        for (int k = 0; k < 2; k++)
            judged += s->begin[pair[k] + 1] - s->begin[pair[k]];
    }
    s->judged += judged;
}

static void exchange(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t pair[2];
        if (!s->accepted[i])
            continue;
        propose(s, i, pair);
        int32_t place = s->place[pair[0]];
        s->place[pair[0]] = s->place[pair[1]];
        s->place[pair[1]] = place;
    }
}

static void begin_again(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t e = begin; e < end; e++) {
        s->place[e] = s->given[e];
        atomic_store_explicit(&s->claimed[e], UINT64_MAX, memory_order_relaxed);
    }
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    s->judged = 0;
    cal_team_for(t, s->n, 4096, begin_again, s);
    for (s->round = 0; s->round < ROUNDS; s->round++) {
        cal_team_for(t, s->n / 2, GRAIN, claim, s);
        cal_team_for(t, s->n / 2, GRAIN, judge, s);
        cal_team_for(t, s->n / 2, GRAIN, exchange, s);
    }
}

/* --- the reference: the length of all wires, before an exchange and after --- */

static int64_t length_of_all(const struct state *s, const int32_t *place)
{
    int64_t sum = 0;
    for (int64_t e = 0; e < s->n; e++)
        for (int i = 0; i < INPUTS; i++) {
            int64_t from = place[e], to = place[input_of(s->seed, s->n, e, i)];
            sum += llabs(from % s->side - to % s->side) + llabs(from / s->side - to / s->side);
        }
    return sum;
}

/* One round: proposals one after the other, all judged by how it was before. */
static void anneal(const struct state *s, const int32_t *before, int32_t *after, bool *used)
{
    int64_t length = length_of_all(s, before);
    double heat = (double)s->side / 3;
    for (int r = 0; r < s->round; r++)
        heat *= 0.75;
    int32_t *with = dcs_alloc((size_t)s->n, sizeof *with);
    memcpy(with, before, (size_t)s->n * sizeof *with);
    memset(used, 0, (size_t)s->n);
    for (int64_t i = 0; i < s->n / 2; i++) {
        int64_t pair[2];
        propose(s, i, pair);
        bool free_to_go = !used[pair[0]] && !used[pair[1]] && pair[0] != pair[1];
        used[pair[0]] = used[pair[1]] = true;
        if (!free_to_go)
            continue;
        with[pair[0]] = before[pair[1]];
        with[pair[1]] = before[pair[0]];
        double gain = (double)(length - length_of_all(s, with));
        double chance = cal_cpu_uniform(s->seed + 3, (uint64_t)(s->round * s->n + i), 0, 1);
        if (gain >= heat * log(chance)) {
            after[pair[0]] = before[pair[1]];
            after[pair[1]] = before[pair[0]];
        }
        with[pair[0]] = before[pair[0]];
        with[pair[1]] = before[pair[1]];
    }
    free(with);
}

static int check_results(const void *state, struct dcs_err *err)
{
    struct state s = {0};
    const struct state *real = state;
    s.n = real->n;
    s.side = real->side;
    s.seed = real->seed;
    struct cal_arena a = {0};
    int32_t *before = cal_arena_take(&a, (size_t)s.n, sizeof *before);
    int32_t *after = cal_arena_take(&a, (size_t)s.n, sizeof *after);
    bool *used = cal_arena_take(&a, (size_t)s.n, sizeof *used);
    memcpy(after, real->given, (size_t)s.n * sizeof *after);
    for (; s.round < ROUNDS; s.round++) {
        memcpy(before, after, (size_t)s.n * sizeof *after);
        anneal(&s, before, after, used);
    }
    int wrong = cal_cpu_compare_i32(real->place, after, (size_t)s.n, "places", err);
    if (!wrong && length_of_all(&s, after) >= length_of_all(&s, real->given))
        wrong = dcs_err_set(err, "wires are no shorter than before");
    cal_arena_release(&a);
    return wrong;
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = (size_t)s->n;
    return s->place;
}

/* A wire that is looked at has two lengths of five operations, a difference and a sum; and its end
 * is read, by number and by place. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    double proposals = (double)(ROUNDS * (s->n / 2));
    *operations = (double)s->judged * 12 + proposals * 2;
    *bytes = (double)s->judged * 8 + proposals * (4 * 8 + 4 * 4);
}

const struct cal_cpu_app cal_cpu_app_canneal = {
    .name = "can",
    .role = CAL_CPU_BATCH,
    .papers = "EMU table 5-2: canneal of PARSEC",
    .algorithm = "Kirkpatrick, Gelatt, Vecchi 1983; Banerjee, Jones, Sargent 1990",
    .size_unit = "elements",
    .size_min = 4096,
    .size_max = 262144,
    .size_default = 65536,
    .size_check = 96,
    .size_step = 1,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
