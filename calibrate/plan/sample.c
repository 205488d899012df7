/*
 * sample.c - see sample.h.
 */
#include "calibrate/plan/sample.h"

#include "calibrate/plan/sort_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cal_samples_add(struct cal_samples *s, int64_t ns, int clock_mhz, bool throttled)
{
    if (throttled) {
        s->throttled++;
        return;
    }
    s->ns = dcs_grow(s->ns, &s->capacity, s->count + 1, sizeof *s->ns);
    s->ns[s->count++] = ns > 1 ? ns : 1;
    s->clock_sum_mhz += clock_mhz;
}

void cal_samples_clear(struct cal_samples *s)
{
    s->count = 0;
    s->throttled = 0;
    s->clock_sum_mhz = 0;
}

void cal_samples_release(struct cal_samples *s)
{
    free(s->ns);
    memset(s, 0, sizeof *s);
}

static double mean_of(const struct cal_samples *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += (double)s->ns[i];
    return sum / (double)s->count;
}

static double stddev_of(const struct cal_samples *s, double mean)
{
    if (s->count < 2)
        return 0;
    double squares = 0;
    for (size_t i = 0; i < s->count; i++)
        squares += ((double)s->ns[i] - mean) * ((double)s->ns[i] - mean);
    return sqrt(squares / (double)(s->count - 1));
}

double cal_samples_rse(const struct cal_samples *s)
{
    if (s->count < 2)
        return INFINITY;
    double mean = mean_of(s);
    return stddev_of(s, mean) / sqrt((double)s->count) / mean;
}

bool cal_samples_done(const struct cal_samples *s, const struct cal_rule *rule, double seconds,
                      enum cal_stop *stop)
{
    size_t min_count = (size_t)rule->min_count, max_count = (size_t)rule->max_count;
    if (s->count >= min_count && cal_samples_rse(s) < rule->rse) {
        *stop = CAL_STOP_RSE;
        return true;
    }
    if (s->count >= max_count || s->throttled >= rule->max_throttled) {
        *stop = CAL_STOP_COUNT;
        return true;
    }
    if (s->count >= min_count && seconds >= rule->max_seconds) {
        *stop = CAL_STOP_TIME;
        return true;
    }
    return false;
}

static double to_tenths(double ns)
{
    return round(ns * 10) / 10;
}

int cal_samples_statistics(const struct cal_samples *s, enum cal_stop stop, const char *l2,
                           struct cal_statistics *out, struct dcs_err *err)
{
    static const char *const names[] = {
        [CAL_STOP_RSE] = "rse", [CAL_STOP_COUNT] = "count", [CAL_STOP_TIME] = "time"};
    if (s->count == 0)
        return dcs_err_set(err,
                           "all of %d samples were thrown away: the device was throttled (too hot, "
                           "at its power limit, or clocked below the floor)",
                           s->throttled);
    int64_t *sorted = dcs_alloc(s->count, sizeof *sorted);
    memcpy(sorted, s->ns, s->count * sizeof *sorted);
    cal_sort_integers(sorted, s->count);
    double mean = mean_of(s);
    size_t half = s->count / 2;
    *out = (struct cal_statistics){
        .n = (int64_t)s->count,
        .throttled = s->throttled,
        .median_ns = s->count % 2 == 1 ? sorted[half]
                                       : sorted[half - 1] + (sorted[half] - sorted[half - 1]) / 2,
        .min_ns = sorted[0],
        .max_ns = sorted[s->count - 1],
        .clock_mhz = (int64_t)lround(s->clock_sum_mhz / (double)s->count),
        .mean_ns = to_tenths(mean),
        .stddev_ns = to_tenths(stddev_of(s, mean)),
        .stop = names[stop],
        .l2 = l2,
    };
    free(sorted);
    return 0;
}

int cal_sample(const struct cal_sampling *s, const struct cal_rule *rule, struct dcs_err *err)
{
    DCS_ASSERT(rule->min_count >= 1 && rule->max_count >= rule->min_count);
    for (int i = 0; i < rule->warmups; i++)
        if (s->take(s->context, err) != 0)
            return -1;
    for (size_t i = 0; i < s->sets_count; i++)
        cal_samples_clear(&s->sets[i]);
    double began = s->clock_s(s->context);
    /* A set that gets no samples would never be done: so many repetitions are enough for any. */
    int repetitions = 0, most = 0;
    bool going = true;
    for (most = rule->max_count * 64 + rule->max_throttled; going; repetitions++) {
        if (repetitions == most)
            return dcs_err_set(err, "no end of sampling after %d repetitions", repetitions);
        if (s->take(s->context, err) != 0)
            return -1;
        double seconds = s->clock_s(s->context) - began;
        going = false;
        for (size_t i = 0; i < s->sets_count; i++)
            if (!cal_samples_done(&s->sets[i], rule, seconds, &s->stops[i]))
                going = true;
    }
    return 0;
}
