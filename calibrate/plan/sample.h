/*
 * sample.h - when a measurement has enough samples, and what they say.
 *
 * Samples are durations in ns. Those taken while the device was throttled are counted and thrown
 * away. Sampling stops when the relative standard error of the mean (stddev / sqrt(n) / mean) is
 * below a bound with at least min_count samples kept, or when a bound of count or of time is hit;
 * which one it was is part of the result. Knows no GPU: the caller's function takes the samples.
 */
#ifndef DCS_CALIBRATE_SAMPLE_H
#define DCS_CALIBRATE_SAMPLE_H

#include "des/base.h"

struct cal_rule {
    int warmups;              /* repetitions before the first that counts */
    int min_count, max_count; /* samples that are kept; 1 <= min_count <= max_count */
    double max_seconds;       /* of sampling without warm-up; min_count is reached all the same */
    double rse;               /* bound of the relative standard error, e.g. 0.01 */
    int max_throttled;        /* that many thrown away end it as well */
};

enum cal_stop { CAL_STOP_RSE, CAL_STOP_COUNT, CAL_STOP_TIME };

/* A zeroed one is empty. */
struct cal_samples {
    int64_t *ns;
    size_t count, capacity;
    int throttled;
    double clock_sum_mhz;
};

/* What is stored of a measurement: the columns from n to l2 of its table. */
struct cal_statistics {
    int64_t n, throttled, median_ns, min_ns, max_ns, clock_mhz;
    double mean_ns, stddev_ns; /* rounded to 0.1 ns; stddev with n - 1, 0 for n = 1 */
    const char *stop, *l2;
};

/* Durations below 1 ns count as 1 ns. */
void cal_samples_add(struct cal_samples *s, int64_t ns, int clock_mhz, bool throttled);
void cal_samples_clear(struct cal_samples *s); /* keeps the memory */
void cal_samples_release(struct cal_samples *s);

/* Infinite for fewer than two samples. */
double cal_samples_rse(const struct cal_samples *s);

/* Whether sampling that has gone on for `seconds` is over, and why. */
bool cal_samples_done(const struct cal_samples *s, const struct cal_rule *rule, double seconds,
                      enum cal_stop *stop);

/* l2 is "warm" or "cold" and is kept as a pointer. -1 and err if every sample was throttled. */
int cal_samples_statistics(const struct cal_samples *s, enum cal_stop stop, const char *l2,
                           struct cal_statistics *out, struct dcs_err *err);

/*
 * Samples several sets at once: each call of `take` is one repetition and adds at most one sample
 * to each set; warm-up repetitions are cleared. Ends when every set is done. stops[i] is set i's
 * reason. clock_s: seconds of some monotonic clock.
 */
struct cal_sampling {
    int (*take)(void *context, struct dcs_err *err);
    double (*clock_s)(void *context);
    void *context;
    struct cal_samples *sets;
    enum cal_stop *stops;
    size_t sets_count;
};
int cal_sample(const struct cal_sampling *s, const struct cal_rule *rule, struct dcs_err *err);

#endif
