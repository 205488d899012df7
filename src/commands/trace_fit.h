/*
 * trace_fit.h - dcsim trace fit: which distributions the durations and arrivals of imported jobs
 * follow; docs/traces.md is for users.
 */
#ifndef DCS_TRACE_FIT_H
#define DCS_TRACE_FIT_H

#include "des/fit.h"
#include "des/fit_arrivals.h"
#include "traces/jobs.h"

/* argv[0] is "fit". Returns the exit code. */
int trace_fit_command(int argc, char **argv);

/* ---- what the parts of the command share ---- */

enum trace_fit_status {
    FIT_ALL,
    FIT_SUCCESS,
    FIT_FAILED,
};

struct trace_fit_options {
    const char *input;
    const char *output, *curves;     /* NULL: none is written */
    struct trace_jobs_filter filter; /* window and class */
    enum trace_fit_status status;    /* of the durations that are fitted */
    bool keep_censored;
    bool jitter; /* spread what a clock of whole ticks hides */
    uint64_t seed;
};

/* Durations of some jobs, in seconds. */
struct trace_fit_durations {
    size_t n, below_tick; /* all; and those that the clock cannot tell from 0 */
    double *raw;          /* all, ascending, as they are */
    double *x;            /* those that are fitted, ascending, jittered */
    size_t x_count;
    size_t capacity;
    double x_min; /* where a Pareto of all begins */
    double mean;
    struct dcs_fit fits[DCS_FITS];
    int best; /* of fits; -1: none */
};

#define FIT_SIZES 64 /* distinct numbers of GPUs that a workload block can have */

struct trace_fit_sizes {
    double gpus[FIT_SIZES], count[FIT_SIZES];
    size_t n;
};

struct trace_fit {
    const struct trace_fit_options *options;
    const struct trace_jobs_info *info;
    struct trace_jobs_counts counts;
    int64_t early, censored, other_status; /* not in durations, each under the first reason */
    /* GPU-seconds (jobs without a GPU: seconds) of the jobs that arrive in the trace, and of those
     * of them that it cut off and the durations leave out. */
    double work_s, cut_work_s;

    struct trace_fit_durations all, of_class[2]; /* by enum dcs_class; used if both have jobs */
    double duration_tick_s;                      /* the resolution: 1, 1e-3 ... */

    int64_t *arrivals_ns; /* without the early; then in ticks */
    size_t arrivals, capacity;
    int64_t arrivals_of_class[2];
    struct trace_fit_sizes sizes[2];
    double arrival_tick_s;
    double *at, *epochs; /* s; of jobs (jittered), of batches */
    size_t epochs_count;
    struct dcs_batch_fit batch;
    struct dcs_arrivals_fit alone;                      /* Poisson, of at */
    struct dcs_arrivals_fit process[DCS_ARRIVALS_FITS]; /* of the epochs */
    int best;                                           /* of process, one that can be drawn */
    double gap_scv, dispersion_minute, dispersion_hour, hourly_ks;
    size_t hours;

    bool both; /* classes have durations */
    /* What a block draws: the jobs whose durations are in the fits. */
    double drawn_of_class[2], drawn; /* jobs */
};

#define FIT_HOLDS_KS         0.05 /* an assumption holds if the distance is at most this */
#define FIT_HOLDS_DISPERSION 1.5
#define FIT_HOUR_LEAST       200 /* arrivals of an hour whose gaps are looked at */

/* The account for a person. */
void trace_fit_print(FILE *out, const struct trace_fit *f);

/* ---- what a config draws of it (trace_fit_block.c) ---- */

#define FIT_JOBS_MAX 1e7 /* of a config; the block of a longer trace ends there */

/* Fits that no config takes become missing; the others are then as a config has them. */
void trace_fit_drop_durations(struct trace_fit_durations *d);
void trace_fit_drop_arrivals(struct trace_fit *f);

/* Fills in drawn and drawn_of_class. Jobs below one tick are in no fit of durations. If the others
 * stood for them, the block would have more work than the jobs had: so it leaves them out. */
void trace_fit_thin(struct trace_fit *f);

/* The process of the arrivals of the drawn jobs: each job of the best process stays with the same
 * chance, whichever its batch. Needs f->best >= 0. */
struct trace_fit_thinned {
    double jobs;      /* of the block */
    double latency;   /* the share of latency jobs */
    double of_epochs; /* the share of the epochs that keep a job */
    double scv;       /* hyperexponential */
    double batch_mean;
};
struct trace_fit_thinned trace_fit_thinned(const struct trace_fit *f);

/* -1 and err: no block can be made of it. */
int trace_fit_check_block(const struct trace_fit *f, struct dcs_err *err);

/* The durations that a class is drawn from: its own, or those of all where it has none. */
const struct trace_fit_durations *trace_fit_of_class(const struct trace_fit *f,
                                                     enum dcs_class class);

/* ---- files ---- */

/* The workload block for dcsim --config, and the curves for plots/trace_fit.py. */
void trace_fit_write_block(FILE *out, const struct trace_fit *f);
void trace_fit_write_curves(FILE *out, const struct trace_fit *f);

static inline bool trace_fit_known(double x) /* not NaN */
{
    return x == x;
}

#endif
