/*
 * producers.h - kernels that press on memory, for measuring how sensitive a real kernel is that
 * runs beside them on other SMs. As a meter, launched for a number of iterations, a producer
 * measures the other's pressure: its own time for an iteration is the reading.
 *
 * Two families are those of Themis, listing 1 (section V-C): scalar streaming and a pointer chase,
 * 12 levels each by the arithmetic between accesses. An H200 is not filled by them; the others
 * reach its ceilings. Two groups: what `sensitivity` runs beside all kernels, and what
 * `sensitivity-l2` runs beside chosen ones: accesses that hit in L2 at random, and random writes.
 *
 * LEVELS run from 0, nearly no pressure, to CAL_PRODUCER_LEVELS - 1, all that the SMs can do. In
 * between, a paced family starts each turn of a warp when it is due, by the SM's clock, not after
 * some arithmetic: its traffic is the named fraction of the ceiling whatever runs beside it, as
 * long as memory keeps up, and the steps are even. What a level really does is for the caller to
 * measure: cal_producer_iterations_made gives the traffic of a run.
 *
 * Everything is in the device's current context. A producer runs on one stream at a time. Its grid
 * fills `sms` SMs, and its memory is its own.
 */
#ifndef DCS_CALIBRATE_PRODUCERS_H
#define DCS_CALIBRATE_PRODUCERS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dcs_err;

#define CAL_PRODUCER_LEVELS  12
#define CAL_PRODUCER_LIMIT_S 60 /* one that nobody stops ends by itself after about this long */

enum cal_pressed {
    CAL_PRESSES_DRAM,         /* bytes */
    CAL_PRESSES_DRAM_SECTORS, /* accesses: rows, banks and sectors rather than bytes */
    CAL_PRESSES_L2,           /* traffic that hits */
    CAL_PRESSES_L2_CAPACITY,  /* lines of others that it evicts */
    CAL_PRESSES_L2_SECTORS    /* accesses that hit, each of a sector at a random place */
};

enum cal_parameter {
    CAL_FRACTION,      /* of the ceiling; 1 and above: not paced */
    CAL_ARITHMETIC,    /* dependent multiply-adds after each access: C of listing 1 */
    CAL_WORKING_SET_MB /* 2^20 bytes, read at the family's pace */
};

struct cal_producer_family {
    const char *name;
    const char *summary;
    enum cal_pressed presses;
    enum cal_parameter meaning; /* of parameter */
    /* Paced families: the traffic of fraction 1, of the device and at most of one SM. Of a family
     * with CAL_WORKING_SET_MB: the pace itself. 10^9 bytes per second; 0: not paced. */
    double device_gbs, sm_gbs;
    double parameter[CAL_PRODUCER_LEVELS];
};

/* The families from this one on are those of `sensitivity-l2`. */
#define CAL_PRODUCER_FIRST_L2 8

/* May be changed, after measuring, for producers that are created later. */
extern struct cal_producer_family cal_producer_families[];
extern const int cal_producer_families_count;

/* The number of the family, or -1. */
int cal_producer_family_named(const char *name);

struct cal_producer;

/* NULL and err on failure. */
struct cal_producer *cal_producer_create(int family, int level, int sms, struct dcs_err *err);

/* Enqueues it until cal_producer_stop. Call it again, or run, only after the stream is idle. */
int cal_producer_start(struct cal_producer *p, cudaStream_t stream, struct dcs_err *err);
/* Its first warp runs: the others, and the pressure, follow within microseconds. To be polled. */
bool cal_producer_started(const struct cal_producer *p);
/* Its warps end within some 50 us, counted from the end of what they do. Does not wait. */
void cal_producer_stop(struct cal_producer *p);

/* Enqueues `iterations`: in each, every warp makes one turn. */
int cal_producer_run(struct cal_producer *p, cudaStream_t stream, uint64_t iterations,
                     struct dcs_err *err);

/* Of the last launch, once the stream is idle; a mean over the warps, for some were stopped earlier
 * than others. -1 if the device cannot be asked. */
double cal_producer_iterations_made(const struct cal_producer *p);

/* Bytes that one iteration moves; of each 4-byte access at a random place of L2 a sector's 32. What
 * a working set beyond half of the L2 cache misses is not in dram: only counters can tell. */
struct cal_producer_traffic {
    double dram, l2;
};
struct cal_producer_traffic cal_producer_traffic(const struct cal_producer *p);

void cal_producer_destroy(struct cal_producer *p); /* NULL is allowed; not while it runs */

#ifdef __cplusplus
}
#endif
#endif
