/*
 * resident_points.h - blocks of kernels inside each SM: which numbers of them an SM has room for,
 * which of those are measured, and what persistent blocks wrote down says of the rates.
 * Knows no CUDA.
 */
#ifndef DCS_CALIBRATE_RESIDENT_POINTS_H
#define DCS_CALIBRATE_RESIDENT_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of one SM. shared_reserved: what each block takes beside its own shared memory. */
struct cal_sm_room {
    int registers, shared_bytes, shared_reserved, threads, blocks;
};

/* Of one block; registers are of one thread. */
struct cal_block_use {
    int threads, registers, shared_bytes;
};

/* Registers of a block as an SM hands them out: by 8 of a thread, to four warps at a time. */
int cal_block_registers(const struct cal_block_use *use);

/* Whether an SM has room for `a` blocks of `first` and `b` of `second`. */
bool cal_resident_fits(const struct cal_sm_room *room, const struct cal_block_use *first, int a,
                       const struct cal_block_use *second, int b);

struct cal_resident_point {
    int a, b; /* blocks of the first and of the second kernel in each SM */
};
#define CAL_RESIDENT_POINTS 256

/*
 * The points that are measured of a pair, in the order of a, then of b. Coarse: a is 1, a half of
 * the most and the most that leaves room for one block of the other; b likewise beside each a.
 * Else: both are 1, 2, 3, 4, 6, 8, 12, 16, 24 or the most. second NULL: the kernel alone, b is 0,
 * and a is each number.
 */
size_t cal_resident_points(const struct cal_sm_room *room, const struct cal_block_use *first,
                           const struct cal_block_use *second, bool coarse,
                           struct cal_resident_point points[CAL_RESIDENT_POINTS]);

/*
 * Fills an SM with blocks of three kernels by dominant resource fairness (Wang, thesis, section
 * 2.4.3). A kernel's share is the largest of its shares of registers, shared memory, threads and
 * places for blocks. Of those that have room for one more block the one with the smallest share
 * gets it. most: blocks of the first kernel (0: as many as fit).
 */
void cal_resident_fill(const struct cal_sm_room *room, const struct cal_block_use use[3], int most,
                       int blocks[3]);

/* What a persistent block writes down. Counts are of the kernel's blocks that it had done when the
 * window's first and last one ended. */
struct cal_resident_record {
    uint64_t first_ns, last_ns;
    uint32_t first_count, last_count;
    uint32_t sm;
    uint32_t unused;
};

struct cal_resident_placement {
    int min, max; /* persistent blocks of an SM */
};
struct cal_resident_placement cal_resident_find_placement(const struct cal_resident_record *records,
                                                          size_t count, int sms);

struct cal_resident_rate {
    int64_t unit_ns; /* in which an SM ends CAL_RESIDENT_UNIT of the kernel's blocks, in the mean of
                        all SMs; 0: none ended in the window */
    int starved;     /* persistent blocks, of all SMs, that did not end two in the window */
};
#define CAL_RESIDENT_UNIT 1000
struct cal_resident_rate cal_resident_find_rate(const struct cal_resident_record *records,
                                                size_t count, int sms, int64_t window_ns);

#ifdef __cplusplus
}
#endif
#endif
