/*
 * corun.h - kernels that run at the same time on disjoint partitions of a device.
 *
 * Each side launches its kernel again and again on its own stream. All sides wait behind a gate, so
 * that they begin together, and each has enough launches to outlast the others for a window. Only
 * launches that lie wholly inside the time in which all sides ran count; the first of each side,
 * which meets cold instruction caches, does not. Durations are between events on the stream: the
 * gap between two launches is part of them, alone and together alike.
 */
#ifndef DCS_CALIBRATE_CORUN_H
#define DCS_CALIBRATE_CORUN_H

#include "calibrate/measure/work.h"

#define CAL_CORUN_SIDES 4

struct cal_corun_side {
    int (*enqueue)(void *context, cudaStream_t stream, struct dcs_err *err); /* one launch */
    void *context;
    cudaStream_t stream;
    uint32_t entries;           /* that a launch puts on the stream; 0: one */
    double alone_ns;            /* of one launch alone, roughly; > 0 */
    struct cal_samples samples; /* out; released by the caller */
};

/* A side's launches of `seconds` each in such a window, alone or beside others, take this long if
 * nothing slows them. */
double cal_corun_seconds(double seconds, double window_s, bool alone);

/* Runs the sides together for about window_s after the slowest side's first launch, longer if a
 * side has too few launches inside. *overlap_ns: in which all ran. One side's launch may take
 * 500 times as long as another's. -1 and err if kernels are so unlike that the short one would need
 * more launches than the limit, or at CUDA's errors. */
int cal_corun(struct cal_gpu *g, struct cal_corun_side *sides, int count, double window_s,
              int64_t *overlap_ns, struct dcs_err *err);

/* Whether a side has no sample because the device was throttled all the time: to be run again,
 * after a rest (cal_gpu_rest). */
bool cal_corun_throttled(const struct cal_corun_side *sides, int count);
/* The same as cal_corun, on a device that has settled (cal_gpu_settle), and again after rests if it
 * was throttled. */
int cal_corun_rested(struct cal_gpu *g, struct cal_corun_side *sides, int count, double window_s,
                     int64_t *overlap_ns, struct dcs_err *err);

/* A kernel of an application that can be launched alone again and again. */
struct cal_subject {
    struct cal_gpu *gpu;
    struct cal_work *work;
    size_t shape;
};
int cal_subject_enqueue(void *subject, cudaStream_t stream, struct dcs_err *err);
const char *cal_subject_kernel(const struct cal_subject *s); /* its shape, as in the tables */
uint32_t cal_subject_entries(const struct cal_subject *s);   /* that a launch puts on a stream */
/* Launches it a few times alone on the stream; *ns of one. */
int cal_subject_alone(const struct cal_subject *s, cudaStream_t stream, int64_t *ns,
                      struct dcs_err *err);

/* What a launch of the rank-th kernel (cal_subject_find) takes on so many SMs, by what the store
 * has of the application's default size; a guess before that. 0: it has not so many kernels. */
double cal_subject_seconds(const struct cal_session *s, const struct cal_app *app, size_t rank,
                           int sms);

/* The application at its default size, made when it is first asked for and kept until
 * cal_pool_release. NULL and err. */
struct cal_work *cal_pool_work(struct cal_gpu *g, const struct cal_app *app, uint64_t seed,
                               struct dcs_err *err);
void cal_pool_release(struct cal_gpu *g);

/* The rank-th repeatable kernel of the application, by what all of its shape take of a request: 1,
 * 0 if it has not so many, or -1 and err. Transfers, kernels of very many launches, and those that
 * are too short or too long to be run beside others are passed over. The times are those of the
 * store, and what was run beside producers before comes first; they are measured now if the store
 * has none (a session without one does). */
#define CAL_SUBJECTS 2
/* Tells, in a line, which kernels of the application are not run beside others though they take
 * longer than those that are, or though there are fewer than CAL_SUBJECTS of those, and why. */
void cal_subjects_tell_left_out(const struct cal_session *s, const struct cal_app *app);
int cal_subject_find(const struct cal_session *s, struct cal_work *w, size_t rank,
                     struct cal_subject *out, struct dcs_err *err);
/* The same of the request of any size that w is, by what the store has of that size; shorter ones
 * than those of the default size count, too. */
int cal_subject_find_sized(const struct cal_session *s, struct cal_work *w, size_t rank,
                           struct cal_subject *out, struct dcs_err *err);
/* What a launch of that takes on so many SMs, likewise; a guess if nothing is known. */
double cal_subject_sized_seconds(const struct cal_session *s, const struct cal_app *app,
                                 int64_t size, size_t rank, int sms);
/* What cal_subject_find would take; false: the store does not know. */
bool cal_subject_known(const struct cal_session *s, const struct cal_app *app, size_t rank,
                       char name[CAL_NAME_BYTES]);

/* The first side of each split that is measured; the other side has the rest. */
#define CAL_SPLITS      5 /* that kernels are measured in beside producers */
#define CAL_POOL_SPLITS 6 /* that there are */
int cal_split_sms(int sms, int split);
/* The two partitions of a split, made once and kept until cal_pool_release. */
int cal_pool_split(struct cal_gpu *g, int split, struct cal_partition **parts, struct dcs_err *err);

#endif
