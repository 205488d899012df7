/*
 * hold.c - how fast the event list is: hold operations (take the next event, add one) per second.
 *
 *   hold [seconds per line]
 *
 * The hold model is D. Jones, "An empirical comparison of priority-queue and event-set
 * implementations", Comm. ACM 29(4), 1986: the number of pending events stays as it is, and an
 * event is added at the time of the one just taken plus an exponential increment. Increments are
 * drawn before the clock starts. "cancel" adds two events for each one taken and cancels one of
 * those pending, as timeouts do. Numbers of one machine at one moment; compare ratios.
 */
#include "des/dist.h"
#include "des/eventlist.h"

#include <stdlib.h>
#include <time.h>

#define INCREMENTS ((size_t)1 << 15)
#define BATCH      100000

static int64_t increment[INCREMENTS];
static uint64_t checksum; /* printed, so that nothing of what is measured can be left out */

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void draw_increments(void)
{
    struct dcs_dist d;
    struct dcs_err err = {0};
    struct dcs_rng rng;
    DCS_ASSERT(dcs_dist_init(&d, DCS_EXPONENTIAL, 1e6, 0, 0, &err) == 0);
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_ARRIVALS, 0);
    for (size_t i = 0; i < INCREMENTS; i++)
        increment[i] = dcs_dist_sample_ns(&d, &rng, 0);
}

/* One batch; *drawn is the position in the increments. */
static void hold(struct dcs_events *q, size_t *drawn)
{
    struct dcs_event event = {0};
    size_t at = *drawn;
    for (int i = 0; i < BATCH; i++) {
        dcs_events_next(q, &event);
        dcs_events_add(q, event.time_ns + increment[at], 0, event.kind, event.about);
        at = (at + 1) % INCREMENTS;
    }
    checksum += event.about;
    *drawn = at;
}

/* ids[] holds the ids of all pending events, by their about. */
static void hold_and_cancel(struct dcs_events *q, dcs_event_id *ids, size_t pending, size_t *drawn)
{
    struct dcs_event event = {0};
    size_t at = *drawn, victim = 0;
    for (int i = 0; i < BATCH; i++) {
        dcs_events_next(q, &event);
        ids[event.about] =
            dcs_events_add(q, event.time_ns + increment[at], 0, event.kind, event.about);
        at = (at + 1) % INCREMENTS;
        victim = (victim + 7919) % pending;
        if (!dcs_events_cancel(q, ids[victim]))
            abort();
        ids[victim] = dcs_events_add(q, event.time_ns + increment[at], 0, 0, victim);
        at = (at + 1) % INCREMENTS;
    }
    checksum += event.about;
    *drawn = at;
}

static void measure(size_t pending, bool cancel, double seconds)
{
    struct dcs_events *q = dcs_events_create();
    dcs_event_id *ids = dcs_alloc(pending, sizeof *ids);
    size_t drawn = 0;
    for (size_t i = 0; i < pending; i++)
        ids[i] = dcs_events_add(q, increment[(i * 31) % INCREMENTS], 0, 0, i);

    /* Several pending counts' worth first, until the times have the model's steady distribution. */
    double start = 0, end = 0;
    uint64_t batches = 0, warm_up = 2 + 5 * pending / BATCH;
    for (uint64_t i = 0; i < warm_up || end - start < seconds; i++) {
        if (i == warm_up)
            start = seconds_now();
        if (cancel)
            hold_and_cancel(q, ids, pending, &drawn);
        else
            hold(q, &drawn);
        if (i >= warm_up) {
            batches++;
            end = seconds_now();
        }
    }
    double ns = 1e9 * (end - start) / ((double)batches * BATCH);
    printf("%-6s %8zu pending %8.2f million/s %8.1f ns\n", cancel ? "cancel" : "hold", pending,
           1e3 / ns, ns);
    free(ids);
    dcs_events_destroy(q);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
    if (argc > 2 || !(seconds > 0)) {
        fprintf(stderr, "usage: hold [seconds per line]\n");
        return DCS_EXIT_USER;
    }
    draw_increments();
    for (int cancel = 0; cancel < 2; cancel++)
        for (size_t pending = 100; pending <= 100000; pending *= 10)
            measure(pending, cancel, seconds);
    printf("checksum %llu\n", (unsigned long long)checksum);
    return 0;
}
