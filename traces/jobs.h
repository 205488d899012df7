/*
 * jobs.h - reads a database of jobs that an import has made (docs/traces.md, "The form").
 *
 * The file is untrusted: it is opened read-only, by a hardened SQLite handle, and refused unless it
 * is a complete import of this version with plain tables. Each value is checked against its range;
 * an error names the file, the table, the column and the row. Nothing of it is trusted for the sake
 * of memory: jobs come one by one, in the order of (arrival, id), through the index on the arrival;
 * only the table of sources is held, of bounded size.
 *
 *   struct trace_jobs *jobs;
 *   if (trace_jobs_open(path, &jobs, err) != 0) return -1;
 *   trace_jobs_select(jobs, &(struct trace_jobs_filter){0}, err);      all of them
 *   while ((status = trace_jobs_next(jobs, &row, err)) == 1) ...       1 a job, 0 the end, -1 err
 *   trace_jobs_close(jobs);
 *
 * Not to be used by two threads at once. The file must not change while it is read; that it did is
 * noticed at the end of each pass by its size and its time of change.
 */
#ifndef DCS_TRACES_JOBS_H
#define DCS_TRACES_JOBS_H

#include "des/base.h"
#include "models/profile/profile.h"
#include "traces/format.h"
#include "traces/jobs_form.h"

struct trace_jobs;

/* One job. Times in ns since the trace's own zero. */
struct trace_jobs_row {
    int64_t id;          /* of the row, > 0 */
    int64_t arrival_ns;  /* 0..DCS_TIME_MAX */
    int64_t start_ns;    /* arrival_ns..DCS_TIME_MAX */
    int64_t duration_ns; /* 1..DCS_TIME_MAX */
    enum dcs_class class;
    double gpus; /* 0: a CPU job; at most TRACE_JOBS_GPUS_MAX */
    double cpus; /* the format's unit; 0: not said; at most TRACE_JOBS_CPUS_MAX */
    int32_t priority;
    bool censored; /* ran when the trace ended: the duration is what of it was seen */
    bool early;    /* was there when the trace began: arrival, and duration where it ran
                    * (start = arrival), count from there */
    enum trace_status status;
    char models[TRACE_MODELS_BYTES]; /* as in format.h */
    char key[64];                    /* of the source */
    uint32_t file;                   /* source[file - 1] of the provenance */
    uint64_t line;
};

/* What is read. All zero: every job. */
struct trace_jobs_filter {
    int64_t from_ns, until_ns; /* arrivals in [from, until); until 0: to the end */
    bool one_class;            /* only jobs of `class` */
    enum dcs_class class;
    bool skip_censored, skip_early;
    bool skip_failed;  /* status failed */
    bool skip_unknown; /* status unknown, but not censored: with skip_failed, only what is known to
                        * have succeeded, and what skip_censored lets through */
};

struct trace_jobs_source {
    char *name;
    char sha256[65]; /* of the file as it lay on disk */
    int64_t compressed_bytes, bytes, rows;
};

/* Where it comes from. Owned by the reader. */
struct trace_jobs_info {
    char format[64];                  /* as in dcsim trace formats */
    char description[256];            /* the published table */
    char sha256[65];                  /* of the database file itself */
    int64_t jobs, rows;               /* jobs kept, rows read */
    int64_t first_arrival_ns, end_ns; /* of the jobs; when the trace ended */
    struct trace_jobs_source *sources;
    size_t sources_count;
};

/* 0, or -1 and err: no such file, not a database of jobs, of another version, not complete,
 * damaged. Reads the whole file once for its hash. */
int trace_jobs_open(const char *path, struct trace_jobs **out, struct dcs_err *err);
void trace_jobs_close(struct trace_jobs *jobs); /* NULL is allowed */

const struct trace_jobs_info *trace_jobs_info(const struct trace_jobs *jobs);

/* Begins a pass, from the first job on; may be called again, with another filter too. */
int trace_jobs_select(struct trace_jobs *jobs, const struct trace_jobs_filter *filter,
                      struct dcs_err *err);

/* The next job that the filter lets through: 1, 0 at the end, -1 and err. Jobs that the filter
 * leaves out are checked all the same. */
int trace_jobs_next(struct trace_jobs *jobs, struct trace_jobs_row *row, struct dcs_err *err);

/* Of the pass so far: jobs in the window, and those of them that the filter left out, each counted
 * under the first reason in this order. */
struct trace_jobs_counts {
    int64_t in_window, taken;
    int64_t other_class, censored, early, failed, unknown;
};
struct trace_jobs_counts trace_jobs_counts(const struct trace_jobs *jobs);

#endif
