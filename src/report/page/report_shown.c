/* report_shown.c - see report_shown.h. */
#include "report/page/report_shown.h"

#include <math.h>
#include <stdlib.h>

static const struct report_shown shown[SHOWN_COUNT] = {
    [SHOWN_LATE] = {REPORT_SLA_MET, true, "Requests that miss their SLA", "late requests",
                    "latency.sla_violation", TEXT_PERCENT},
    [SHOWN_P99] = {REPORT_P99, false, "Response time of latency requests: 99 % are faster",
                   "p99 response time", "latency.response_p99", TEXT_TIME},
    [SHOWN_BATCH] = {REPORT_THROUGHPUT, false, "Batch work that gets done", "batch requests per s",
                     "batch.throughput", TEXT_NUMBER},
    [SHOWN_BUSY] = {REPORT_UTILISATION, false, "How busy the devices are", "utilisation",
                    "utilisation", TEXT_PERCENT},
};
/* Comparable between applications, so it is preferred where a profile allows it. */
static const struct report_shown normalised = {REPORT_NORMALISED,
                                               false,
                                               "Batch work that gets done",
                                               "batch throughput over that alone",
                                               "batch.normalised_throughput",
                                               TEXT_PERCENT};

/* A device that kernels share is nearly always busy with some: its SMs are not. */
static const struct report_shown sms = {
    REPORT_SMS,       false,       "How much of the devices is in use", "SMs in use",
    "sm_utilisation", TEXT_PERCENT};
static const struct report_shown cores = {
    REPORT_SMS,       false,       "How much of the devices is in use", "cores in use",
    "sm_utilisation", TEXT_PERCENT};

/* All devices are CPUs. */
static bool cores_alone(const struct report_data *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (!d->points[i].cpu)
            return false;
    return true;
}

const char *report_parts(const struct report_data *d)
{
    return cores_alone(d) ? "cores" : "SMs";
}

bool report_shares_devices(const struct report_data *d)
{
    bool shared = false;
    for (size_t i = 0; i < d->count; i++) {
        if (!d->points[i].summarised)
            continue;
        if (isnan(d->points[i].values[REPORT_SMS].value))
            return false;
        shared = true;
    }
    return shared;
}

const struct report_shown *report_shown(const struct report_data *d, size_t which)
{
    if (which == SHOWN_BUSY && report_shares_devices(d))
        return cores_alone(d) ? &cores : &sms;
    for (size_t i = 0; i < d->count && which == SHOWN_BATCH; i++)
        if (!isnan(d->points[i].values[REPORT_NORMALISED].value))
            return &normalised;
    return &shown[which];
}

struct dcs_estimate report_shown_value(const struct report_point *p, const struct report_shown *s)
{
    struct dcs_estimate e = p->values[s->value];
    if (!s->complement)
        return e;
    struct dcs_estimate c = e;
    c.value = 1 - e.value;
    c.low = 1 - e.high;
    c.high = 1 - e.low;
    return c;
}

struct dcs_estimate report_together(const struct dcs_estimate *values, size_t count)
{
    struct dcs_estimate all = {(double)NAN, (double)NAN, (double)NAN, 0, true};
    double sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < count; i++) {
        double v = values[i].value;
        if (isnan(v))
            continue;
        sum += v;
        all.low = all.n == 0 ? v : fmin(all.low, v);
        all.high = all.n == 0 ? v : fmax(all.high, v);
        all.n++;
        last = i;
    }
    if (all.n == 1)
        return values[last];
    if (all.n > 1 && all.low == all.high) {
        all.value = all.low; /* a mean of equal values may round */
        all.low = all.high = (double)NAN;
    } else if (all.n > 0) {
        all.value = fmin(fmax(sum / (double)all.n, all.low), all.high);
    }
    return all;
}

struct dcs_estimate report_label_value(const struct report_data *d, size_t label,
                                       const struct report_shown *s)
{
    struct dcs_estimate *values = dcs_alloc(d->count + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].label == label && d->ranked[d->points[i].world])
            values[n++] = report_shown_value(&d->points[i], s);
    struct dcs_estimate e = report_together(values, n);
    free(values);
    return e;
}
