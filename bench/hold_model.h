/*
 * hold_model.h - what the event lists of hold.c, hold_cimba.c and hold_std.cpp are measured with.
 *
 * The hold model is D. Jones, "An empirical comparison of priority-queue and event-set
 * implementations", Comm. ACM 29(4), 1986: the number of pending events stays as it is, and an
 * event is added at the time of the one just taken plus a random increment. All increments are
 * drawn before the clock starts, 2^15 of them. Times are whole nanoseconds, below 2^53, so that a
 * list with times of type double has the same order.
 *
 *   exponential   mean 1 ms
 *   uniform       0 to 2 ms
 *   bimodal       nine of ten 0 to 0.1 ms, one of ten 9 to 10 ms
 *   ties          1 ms: all events are at few instants
 *   heavy         Pareto, least 0.1 ms, exponent 1.2
 *
 * Each program takes [SECONDS PER LINE [DISTRIBUTION [PENDING]]], and all of them without. A line
 * of output: who, distribution, pending, million hold operations a second.
 */
#ifndef HOLD_MODEL_H
#define HOLD_MODEL_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HOLD_INCREMENTS ((size_t)1 << 15)
#define HOLD_BATCH      100000

static const char *const hold_names[] = {"exponential", "uniform", "bimodal", "ties", "heavy"};
#define HOLD_DISTRIBUTIONS (sizeof hold_names / sizeof *hold_names)

static int64_t hold_increment[HOLD_INCREMENTS];
static size_t hold_drawn;

/* 0 < u < 1: SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
static double hold_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

static void hold_draw(size_t distribution)
{
    uint64_t state = 1;
    hold_drawn = 0;
    for (size_t i = 0; i < HOLD_INCREMENTS; i++) {
        double u = hold_random(&state), v = hold_random(&state);
        double ns[] = {-1e6 * log(u), 2e6 * u, v < 0.9 ? 1e5 * u : 9e6 + 1e6 * u, 1e6,
                       1e5 * pow(u, -1 / 1.2)};
        hold_increment[i] = (int64_t)ns[distribution];
    }
}

static inline int64_t hold_next(void)
{
    hold_drawn = (hold_drawn + 1) % HOLD_INCREMENTS;
    return hold_increment[hold_drawn];
}

static double hold_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One batch of operations on the list, as each program does them. */
typedef void (*hold_batch)(void *list);

/* Until the times have the steady distribution of the model: several operations an event. */
static double hold_million_per_second(hold_batch batch, void *list, size_t pending, double seconds)
{
    uint64_t batches = 0, warm_up = 1 + 4 * pending / HOLD_BATCH;
    for (uint64_t i = 0; i < warm_up; i++)
        batch(list);
    double start = hold_seconds(), end;
    do {
        batch(list);
        batches++;
        end = hold_seconds();
    } while (end - start < seconds);
    return 1e-6 * (double)batches * HOLD_BATCH / (end - start);
}

/* ---- What is measured ---- */

static const size_t hold_pendings[] = {4, 16, 64, 1000, 10000, 100000, 1000000};
#define HOLD_PENDINGS (sizeof hold_pendings / sizeof *hold_pendings)

struct hold_choice {
    double seconds;
    const char *distribution; /* NULL: all */
    size_t pending;           /* 0: all */
};

static struct hold_choice hold_choose(int argc, char **argv)
{
    struct hold_choice c = {0.5, NULL, 0};
    if (argc > 1)
        c.seconds = strtod(argv[1], NULL);
    if (argc > 2)
        c.distribution = argv[2];
    if (argc > 3)
        c.pending = (size_t)strtoull(argv[3], NULL, 10);
    if (argc > 4 || !(c.seconds > 0)) {
        fprintf(stderr, "usage: %s [SECONDS PER LINE [DISTRIBUTION [PENDING]]]\n", argv[0]);
        exit(2);
    }
    return c;
}

static int hold_chosen(const struct hold_choice *c, size_t distribution, size_t pending)
{
    return (c->distribution == NULL || strcmp(c->distribution, hold_names[distribution]) == 0) &&
           (c->pending == 0 || c->pending == hold_pendings[pending]);
}

#endif
