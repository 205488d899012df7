/*
 * trace.h - the one internal form of a recorded workload: jobs with an arrival, a duration, a class
 * and a demand. Readers of published formats (traces/) fill it; the workload replays it.
 */
#ifndef DCS_MODELS_TRACE_H
#define DCS_MODELS_TRACE_H

#include "des/base.h"
#include "models/profile.h"

struct dcs_trace_job {
    int64_t
        arrival_ns; /* since the first kept arrival, uncompressed; ascending, ties in file order */
    int64_t duration_ns; /* that it ran in the trace; > 0 */
    enum dcs_class class;
    uint32_t gpus;      /* >= 1 */
    uint32_t gpu_milli; /* demand per GPU, 1..1000 */
    uint32_t line;      /* in the file, 1-based */
};

/* One count of what was kept, repaired or left out, and why. */
struct dcs_trace_count {
    const char *what; /* static text: "left out: no GPU requested" */
    uint64_t count;
    uint32_t first_line; /* 0 if count is 0 */
};

#define DCS_TRACE_COUNTS_MAX 16
struct dcs_trace {
    struct dcs_trace_job *jobs;
    size_t jobs_count;
    struct dcs_trace_count counts[DCS_TRACE_COUNTS_MAX];
    size_t counts_count;
    char sha256[65]; /* of the file's bytes as they lie on disk */
};

void dcs_trace_release(struct dcs_trace *t);

#endif
