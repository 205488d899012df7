/*
 * split_bench.h - the problem at hand, both sides for it, and what is timed of them.
 */
#ifndef DCS_CALIBRATE_SPLIT_BENCH_H
#define DCS_CALIBRATE_SPLIT_BENCH_H

#include "calibrate/split/split_sides.h"

struct cal_split_bench {
    int device;
    uint64_t seed;
    double seconds; /* that a chunk is sampled for, at least three times */
    uint32_t cores; /* threads that inputs are made with, and that are checked */
    bool loaded;
    struct cal_split problem;
    struct cal_team *team;
    struct cal_split_sides *sides;
    float *reference; /* results of the CPU alone */
    size_t results_count;
    int64_t place[CAL_SPLIT_BOTH]; /* where the next chunk of a side is timed */
};

/* Makes a problem, unless it is at hand, and compares what both sides make of it: -1 and err where
 * they differ. Both sides are ready afterwards, with so many threads of the CPU. */
int cal_split_load(struct cal_split_bench *b, const struct cal_split_program *p, int64_t n,
                   uint32_t threads, struct dcs_err *err);
void cal_split_unload(struct cal_split_bench *b);

/* Compares the results that are there with those of the CPU alone. */
int cal_split_compare(struct cal_split_bench *b, const char *how, struct dcs_err *err);

/* One request on one side alone. *between_ns: what its passes took beside chunks. */
int cal_split_run_alone(struct cal_split_bench *b, enum cal_split_side side, int64_t *total_ns,
                        int64_t *between_ns, struct dcs_err *err);

/* Sizes of chunks that are measured, ascending: 1/1024 to 1 of a pass in doublings, 512 (what
 * Split gives out, halved), and down to the least by factors of 8. Returns how many. */
#define CAL_SPLIT_CHUNKS_MAX 32
size_t cal_split_chunk_sizes(const struct cal_split *s, int64_t sizes[CAL_SPLIT_CHUNKS_MAX]);

/* Times chunks of that size as they are in a request that is divided:
 * - Each is where the one before it ended, on a walk over the pass, so that its data were last
 *   touched a walk ago. Beside the other side each walks over a half of the pass.
 * - Before each the side has waited for about as long as the chunk takes, as it waits for the
 *   other one between two steps.
 * - beside: the other side begins a chunk of its own at the same moment, of about twice the time;
 *   where half of a pass is shorter than that, it goes on with the next. count is then at most half
 *   of a pass.
 * Both sides rest afterwards, also where it fails. */
struct cal_split_timed {
    int64_t median_ns, p95_ns, n;
};
int cal_split_time_chunk(struct cal_split_bench *b, enum cal_split_side side, int64_t count,
                         bool beside, struct cal_split_timed *out, struct dcs_err *err);

#endif
