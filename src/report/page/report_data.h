/*
 * report_data.h - what dcsim report says, read from a results database (results_db.h) and put in
 * order: the experiments, their summaries, which policies met the same worlds, and over what they
 * vary.
 *
 * A label names a policy and the options and predictor that tell it from others (compare_names.h),
 * and sharing.resize_at, where it differs: devices that move SMs are not averaged with real ones. A
 * world is a group of compare_groups.h. The axis is a number of the config over which curves are
 * drawn, if any varies; a family is all experiments that differ in policy, predictor and axis
 * alone.
 */
#ifndef DCS_REPORT_DATA_H
#define DCS_REPORT_DATA_H

#include "results/compare_groups.h"
#include "des/stats.h"

/* The numbers of a summary that the page shows. */
enum report_value {
    REPORT_SLA_MET, /* of class latency */
    REPORT_P99,
    REPORT_MEAN,
    REPORT_REQUESTS, /* of all runs together */
    REPORT_BATCH_REQUESTS,
    REPORT_UTILISATION,
    REPORT_USEFUL,
    REPORT_UNFINISHED, /* of the work due by the end; of the whole run */
    REPORT_SMS,        /* in use, of devices that kernels share */
    REPORT_LOST,
    REPORT_REVOCATIONS,
    REPORT_NORMALISED, /* batch throughput over that alone */
    REPORT_THROUGHPUT, /* of class batch, 1/s */
    REPORT_JOB_TIME,   /* median, of class batch */
    REPORT_VALUES
};

/* On an experiment's SLAs, by the view sla_verdict: the worst of its applications. */
enum report_verdict {
    REPORT_NO_VERDICT,
    REPORT_MEETS,
    REPORT_UNDECIDED,
    REPORT_VIOLATES,
    REPORT_INFEASIBLE,
    REPORT_VERDICTS
};
extern const char *const report_verdicts[REPORT_VERDICTS]; /* as the view says them */

/* Beside the name of a policy with devices that no real ones can be. */
#define REPORT_HYPOTHETICAL "HYPOTHETICAL"

struct report_point {
    const struct compare_system *system;
    struct dcs_estimate values[REPORT_VALUES]; /* NaN: there is none */
    uint64_t runs;
    uint32_t devices;
    bool summarised; /* false: the experiment has not come to its end */
    bool clairvoyant;
    bool cpu;            /* its devices are CPUs that programs share */
    bool defaults;       /* its policy's options have their defaults */
    uint64_t number;     /* of its point in a sweep; UINT64_MAX: it is in none */
    size_t label, world; /* in labels; in groups */
    char *mix;           /* its applications: "imc + bfs" */
    char *family;
    double x; /* on the axis; NaN: there is none */
    enum report_verdict verdict;
    double sla_low_ns, sla_high_ns; /* of its applications; NaN: none has one */
};

struct report_data {
    const struct results *results;
    struct compare_groups groups;
    struct report_point *points; /* as groups.systems */
    size_t count;
    char **labels; /* by name */
    size_t labels_count;
    size_t baseline;      /* in labels */
    char *axis;           /* its key's path, as SQLite writes it; NULL: none */
    size_t worlds_shared; /* met by more than one experiment */
    bool *ranked;         /* by world: means of labels are over these */
    size_t ranked_count;
    bool moves;    /* sharing.resize_at differs: it tells labels apart */
    bool gangs;    /* all are of whole jobs: no policy, no requests (report_gangs.h) */
    bool verdicts; /* the database has the view sla_verdict, and it a row */
};

/* All but the baseline and the ranked worlds, which report_baseline.h chooses, and gangs. -1 and
 * err if there is no run. */
int report_data_read(struct report_data *d, const struct results *r, struct dcs_err *err);
void report_data_release(struct report_data *d);
/* The experiment of an id; NULL: there is none. */
struct report_point *report_point_of(const struct report_data *d, int64_t id);
/* In the order of a sweep, else of what tells one from another, in which numbers count as such;
 * what is NULL comes last. Below 0, 0, above 0. */
int report_point_order(const struct report_point *a, const struct report_point *b);

/* A column of text of all rows of a statement of ours, at most `most` of them; freed with
 * report_texts_release. NULL and err on failure. */
struct report_texts {
    char **rows; /* [row * columns + column]; NULL in SQL: "" */
    size_t count, columns;
    bool more; /* the statement had more rows */
};
int report_texts(struct report_texts *t, const struct report_data *d, const char *sql, size_t most,
                 struct dcs_err *err);
void report_texts_release(struct report_texts *t);
/* *has: whether the database has such a table or view, which those of older schemas may lack. -1
 * and err on failure. */
int report_has(const struct report_data *d, const char *name, bool *has, struct dcs_err *err);

/* The distribution of the response times of completed requests, of a class or an application in
 * some experiments: how many were at most each high_ns, ascending. */
struct report_times {
    int64_t *high_ns;
    uint64_t *below; /* requests with at most this time */
    size_t count;
};
int report_times_read(struct report_times *t, const struct report_data *d, const int64_t *ids,
                      size_t ids_count, const char *class, const char *application,
                      struct dcs_err *err);
void report_times_release(struct report_times *t);

/* Who had how much of a device, over time. */
struct report_shares {
    char **names;   /* applications or classes */
    double *values; /* [name * count + bin] */
    double *at_ns;  /* where each bin begins */
    size_t names_count, count;
    double end_ns;
    char *run; /* which it is of */
};
/* Requests of each class that ran, in `bins` parts of the first run that kept its
 * requests and whose devices are not shared: there a request is mostly one kernel. */
int report_occupancy_read(struct report_shares *s, const struct report_data *d, size_t bins,
                          struct dcs_err *err);
void report_shares_release(struct report_shares *s);

#endif
