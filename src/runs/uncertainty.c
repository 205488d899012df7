/* uncertainty.c - see uncertainty.h. */
#include "runs/uncertainty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *resampled, *profile;
} kept[] = {
#define KEPT(name)                                                                                 \
    {                                                                                              \
        name, name "_resampled", name "_profile"                                                   \
    }
    KEPT("utilisation"),  KEPT("sla_met"),      KEPT("response_mean"),         KEPT("response_p50"),
    KEPT("response_p95"), KEPT("response_p99"), KEPT("normalised_throughput"),
#undef KEPT
};
#define KEPT_COUNT (sizeof kept / sizeof kept[0])

void uncertainty_add(struct run *run, const struct run *again)
{
    size_t n = run->metrics_count, capacity = n;
    DCS_ASSERT(again->metrics_count == n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < KEPT_COUNT; k++) {
            if (strcmp(again->metrics[i].name, kept[k].name) != 0)
                continue;
            run->metrics =
                dcs_grow(run->metrics, &capacity, run->metrics_count + 1, sizeof run->metrics[0]);
            run->metrics[run->metrics_count] = again->metrics[i];
            run->metrics[run->metrics_count++].name = kept[k].resampled;
        }
}

/* The range around a value in which other profiles put it. */
static struct dcs_estimate range(const struct summary *s, size_t plain, size_t resampled,
                                 double value)
{
    struct dcs_moments m;
    dcs_moments_init(&m);
    for (size_t i = 0; i < s->runs; i++) {
        const double *run = &s->values[i * s->metrics_count];
        double difference = run[resampled] - run[plain];
        if (!isnan(difference))
            dcs_moments_add(&m, difference);
    }
    struct dcs_estimate e = {.value = value, .low = (double)NAN, .high = (double)NAN, .n = m.count};
    if (m.count < 2)
        return e;
    double half = dcs_t_quantile(0.95, (double)(m.count - 1)) * sqrt(dcs_moments_variance(&m));
    e.low = value - half;
    e.high = value + half;
    return e;
}

size_t uncertainty_rows(const struct summary *s, const struct summary_row *rows,
                        struct summary_row *out)
{
    size_t count = 0;
    for (size_t i = 0; i < s->metrics_count; i++)
        for (size_t k = 0; k < KEPT_COUNT; k++) {
            if (strcmp(s->first[i].name, kept[k].name) != 0)
                continue;
            size_t resampled = summary_find(s, s->first[i].app, kept[k].resampled);
            if (resampled == SIZE_MAX)
                return 0;
            out[count] = rows[i];
            out[count].name = kept[k].profile;
            out[count++].estimate = range(s, i, resampled, rows[i].estimate.value);
        }
    return count;
}

const struct summary_row *uncertainty_of(const struct summary_row *row,
                                         const struct summary_row *rows, size_t count)
{
    for (size_t k = 0; k < KEPT_COUNT; k++) {
        if (strcmp(row->name, kept[k].profile) != 0)
            continue;
        for (size_t i = 0; i < count; i++)
            if (rows[i].app == row->app && strcmp(rows[i].name, kept[k].name) == 0)
                return &rows[i];
    }
    return NULL;
}
