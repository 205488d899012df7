/*
 * shape.h - what can be known of a kernel without timing it, and its row in kernel_shape.
 *
 * Launches of our own are in the plan. What a library's call launches is its own choice (a product
 * that is split along the summed index is two kernels): the call is captured into a graph, which
 * runs nothing, and the graph's kernels are counted.
 */
#ifndef DCS_CALIBRATE_SHAPE_H
#define DCS_CALIBRATE_SHAPE_H

#include "calibrate/measure/work.h"

/* Of all its launches, how many; of the one with the largest grid, the rest. */
struct cal_shape_facts {
    int64_t launches;
    int64_t blocks, threads_per_block;              /* 0: not known, or a transfer */
    int64_t registers, shared_bytes, blocks_per_sm; /* known if blocks_per_sm > 0 */
};

/* A call that cannot be captured has the launches that the application counts, and nothing else is
 * known of it. -1 and err: CUDA's errors. */
int cal_shape_facts(struct cal_gpu *g, const struct cal_work *w, size_t shape,
                    struct cal_shape_facts *facts, struct dcs_err *err);
/* Writes the row, or writes it anew. Inside a step. */
int cal_shape_store(struct cal_session *s, const struct cal_work *w, size_t shape,
                    struct dcs_err *err);

#endif
