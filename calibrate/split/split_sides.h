/*
 * split_sides.h - the two sides that compute chunks of a problem at the same time: the CPU with a
 * number of threads, and the GPU with a thread of the host that manages it, as in Wang's thesis,
 * section 4.5. Whoever hands out chunks is a third thread, which sleeps while both work.
 *
 * A chunk's time is from handing it over until the one who waits has its results.
 */
#ifndef DCS_CALIBRATE_SPLIT_SIDES_H
#define DCS_CALIBRATE_SPLIT_SIDES_H

#include "calibrate/split/split_gpu.h"

enum cal_split_side { CAL_SPLIT_CPU, CAL_SPLIT_GPU, CAL_SPLIT_BOTH };

struct cal_split_sides;

/* A chunk that has ended. */
struct cal_split_ended {
    enum cal_split_side side;
    int64_t count, took_ns;
};

int64_t cal_split_now_ns(void);

/* Starts both. The problem and the team are the caller's, and outlive them. */
struct cal_split_sides *cal_split_sides_start(struct cal_split *s, struct cal_team *team,
                                              int device, struct dcs_err *err);
void cal_split_sides_stop(struct cal_split_sides *b); /* NULL is allowed; waits for what runs */

/* Begins pass 0, 1, ... of a request, or, with the number of passes, ends it: the host's part and
 * what the GPU needs for it. No chunk runs. */
int cal_split_begin_pass(struct cal_split_sides *b, int pass, struct dcs_err *err);
/* Gives iterations [first, first + count) to a side that has no chunk. */
void cal_split_hand_over(struct cal_split_sides *b, enum cal_split_side side, int64_t first,
                         int64_t count);
/* Waits until a chunk has ended, on either side. -1 and err: it failed. */
int cal_split_wait(struct cal_split_sides *b, struct cal_split_ended *ended, struct dcs_err *err);

/* Where a walk over [begin, end) that has come to `at` has its next chunk of `count` iterations:
 * there, or at the beginning if what is left is shorter. */
int64_t cal_split_next_place(int64_t at, int64_t count, int64_t begin, int64_t end);

/* The side computes chunks of `count` iterations, one after the other, at `first` and on from there
 * on a walk over [begin, end), until it is told to rest. */
void cal_split_press(struct cal_split_sides *b, enum cal_split_side side, int64_t first,
                     int64_t count, int64_t begin, int64_t end);
/* Returns when the side has nothing to do: at once where its end was waited for already, as that of
 * a side that failed while it pressed. *next: where its last chunk ended. -1 and err: what it did
 * failed. */
int cal_split_rest(struct cal_split_sides *b, enum cal_split_side side, int64_t *next,
                   struct dcs_err *err);

#endif
