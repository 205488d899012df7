/*
 * cpu_pressure.h - programs that press on what a CPU shares, each thread on a core of its own, and
 * meters of what the memory can do.
 *
 *   cache    touches every line of a buffer again and again, in an order that no prefetcher follows
 *            and without one waiting for another: it holds that much of the cache, as far as there
 *            is that much. Level: bytes of all its threads together.
 *   stream   writes memory past the caches, at a pace: so much of the time, in pieces of some
 *            microseconds, and waits between them. Level: the share of the time, per mille.
 *
 * Where the compiler has no stores that pass the caches (other than x86-64) `stream` writes a
 * buffer larger than the cache, which it then fills as well.
 */
#ifndef DCS_CALIBRATE_CPU_PRESSURE_H
#define DCS_CALIBRATE_CPU_PRESSURE_H

#include "calibrate/cpu/cpu_host.h"

enum cal_cpu_pressure { CAL_PRESSURE_NONE, CAL_PRESSURE_CACHE, CAL_PRESSURE_STREAM };
const char *cal_cpu_pressure_name(enum cal_cpu_pressure p); /* "none", "cache", "stream" */

struct cal_press;

/* Starts one thread on each core, standing still. NULL and err: the system refuses. */
struct cal_press *cal_press_start(enum cal_cpu_pressure pressure, int64_t level, const int *cores,
                                  uint32_t cores_count, const struct cal_cpu_host *h,
                                  struct dcs_err *err);
void cal_press_end(struct cal_press *p); /* NULL is allowed */
/* Lets it run, and returns when it presses: when each thread of `cache` has walked its buffer. */
void cal_press_go(struct cal_press *p);
/* Stops it, and returns when it stands still. */
void cal_press_halt(struct cal_press *p);
/* Bytes that it touched or wrote so far, and seconds for which it ran. */
double cal_press_bytes(const struct cal_press *p);
double cal_press_seconds(const struct cal_press *p);

/* A chain of lines through a buffer much larger than the cache, in no order that can be guessed:
 * its walk waits for memory at each step. */
struct cal_chase {
    uint64_t *lines, bytes;
    uint64_t at, stride; /* in numbers of 8 bytes */
};
/* -1 and err: no memory. */
int cal_chase_create(struct cal_chase *c, const struct cal_cpu_host *h, struct dcs_err *err);
void cal_chase_destroy(struct cal_chase *c); /* a zeroed one is allowed */
/* Nanoseconds for one step, over so many. */
double cal_chase_walk(struct cal_chase *c, int64_t steps);

/* What a team copies from one half of a buffer much larger than the cache to the other: one
 * request. Bytes of one: read and written. */
struct cal_copy {
    struct cal_arena arena;
    char *from, *to;
    int64_t bytes; /* of one half */
};
void cal_copy_create(struct cal_copy *c, const struct cal_cpu_host *h);
void cal_copy_destroy(struct cal_copy *c);
void cal_copy_run(struct cal_copy *c, struct cal_team *t);

double cal_cpu_now_s(void); /* of a monotonic clock */

#endif
