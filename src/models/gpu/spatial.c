/*
 * spatial.c - see spatial.h: times, pressures and weights at every number of SMs, from the measured
 * points; what a device varies by, and which requests there are.
 */
#include "models/gpu/spatial.h"

#include "des/fmath.h"
#include "des/stats.h"
#include "models/gpu/spatial_read.h"

/* ---- between points ---- */

/* The first of the points, which ascend, with at least so many SMs; count if there is none. Looks
 * first where it is if there is a point at each DCS_SMS_STEP SMs, as mostly; others cost time only.
 */
static size_t first_from(const struct dcs_shape_point *points, size_t count, double sms)
{
    size_t i = (size_t)sms / DCS_SMS_STEP;
    i = i < count ? i : count;
    while (i > 0 && (double)points[i - 1].sms >= sms)
        i--;
    while (i < count && (double)points[i].sms < sms)
        i++;
    return i;
}

double spatial_towards_low(double low, double high, double x)
{
    return (high - x) * low / ((high - low) * x);
}

double spatial_solo_at(const struct dcs_shape *shape, double sms)
{
    const struct dcs_shape_point *points = shape->points;
    size_t i = first_from(points, shape->points_count, sms);
    if (i == shape->points_count)
        return points[i - 1].solo_ns;
    if (i > 0) {
        double low = (double)points[i - 1].sms, high = (double)points[i].sms;
        double share = spatial_towards_low(low, high, sms);
        return points[i].solo_ns + (points[i - 1].solo_ns - points[i].solo_ns) * share;
    }
    if (shape->kind != DCS_SHAPE_COMPUTE)
        return points[0].solo_ns;
    /* Blocks go to idle SMs first: fewer of them than SMs leave the rest idle. */
    double first = (double)points[0].sms, blocks = (double)shape->blocks;
    bool all = shape->blocks == 0; /* or not known */
    double slower = (all || first < blocks ? first : blocks) / (all || sms < blocks ? sms : blocks);
    double ns = points[0].solo_ns * slower;
    return ns < (double)DCS_DURATION_NS_MAX ? ns : (double)DCS_DURATION_NS_MAX;
}

double dcs_shape_solo_ns(const struct dcs_spatial *s, uint32_t shape, double sms)
{
    DCS_ASSERT(shape < s->shapes_count && sms > 0 && sms <= (double)s->sms);
    return spatial_solo_at(&s->shapes[shape], sms);
}

struct dcs_shape_cluster dcs_shape_cluster_at(const struct dcs_spatial *s, uint32_t shape,
                                              uint32_t sms)
{
    DCS_ASSERT(shape < s->shapes_count && sms > 0 && sms <= s->sms);
    const struct dcs_shape *known = &s->shapes[shape];
    if (known->clusters == NULL)
        known = &s->shapes[dcs_shape_timed_as(s, shape)];
    const struct dcs_shape_cluster *at = known->clusters, *end = at + known->clusters_count;
    if (at == end)
        return (struct dcs_shape_cluster){.sms = sms, .blocks = 1, .fills = sms};
    while (at + 1 < end && at[1].sms <= sms)
        at++;
    if (at + 1 < end && at->sms < sms && at[1].sms - sms < sms - at->sms)
        at++;
    uint32_t fills = (uint32_t)((uint64_t)at->fills * sms / at->sms);
    return (struct dcs_shape_cluster){
        .sms = sms, .blocks = at->blocks, .fills = fills > 0 ? fills : 1};
}

/* The points to both sides of a number of SMs; the nearest one twice beyond them. Returns the share
 * of *low in what is linear in SMs between both. */
static double points_around(const struct dcs_spatial *s, uint32_t shape, double sms,
                            const struct dcs_shape_point **low, const struct dcs_shape_point **high)
{
    DCS_ASSERT(shape < s->shapes_count && sms > 0 && sms <= (double)s->sms);
    const struct dcs_shape_point *points = s->shapes[shape].points;
    size_t count = s->shapes[shape].points_count, i = first_from(points, count, sms);
    *high = &points[i < count ? i : count - 1];
    *low = &points[i > 0 ? i - 1 : 0];
    if (*high == *low)
        return 0;
    return ((double)(*high)->sms - sms) / ((double)(*high)->sms - (double)(*low)->sms);
}

static double measured_between(const struct dcs_shape_point *low,
                               const struct dcs_shape_point *high, double share)
{
    return high->measured_to + (low->measured_to - high->measured_to) * share;
}

double dcs_shape_measured_to(const struct dcs_spatial *s, uint32_t shape, double sms)
{
    const struct dcs_shape_point *low, *high;
    double share = points_around(s, shape, sms, &low, &high);
    return measured_between(low, high, share);
}

double dcs_shape_contention(const struct dcs_spatial *s, uint32_t shape, double sms,
                            double pressure[DCS_RESOURCES_MAX],
                            double weight[DCS_RESOURCES_MAX][DCS_HINGES_MAX])
{
    const struct dcs_shape_point *low, *high;
    double share = points_around(s, shape, sms, &low, &high);
    double first = (double)s->shapes[shape].points[0].sms, part = sms < first ? sms / first : 1;
    for (uint32_t r = 0; r < s->resources_count; r++) {
        pressure[r] = part * (high->pressure[r] + (low->pressure[r] - high->pressure[r]) * share);
        for (uint32_t k = 0; k < s->resources[r].hinges; k++)
            weight[r][k] = high->weight[r][k] + (low->weight[r][k] - high->weight[r][k]) * share;
    }
    return measured_between(low, high, share);
}

/* ---- noise ---- */

double spatial_quantile(const double *sorted, size_t n, double u)
{
    return dcs_sorted_at(sorted, n, u * (double)n - 0.5);
}

double dcs_noise_at(const double *noise, double u)
{
    return spatial_quantile(noise, DCS_NOISE_QUANTILES, u);
}

/* ---- uncertainty ---- */

/* No kernel is ten times as fast as it was measured. */
#define RESAMPLE_LEAST 0.1

double dcs_shape_resample(const struct dcs_spatial *s, uint32_t shape, uint32_t kind, uint64_t seed,
                          uint32_t replication)
{
    struct dcs_rng rng;
    shape = dcs_shape_timed_as(s, shape);
    dcs_rng_point(&rng, seed, replication, DCS_RNG_PROFILE, shape, kind, 0, 0);
    double error = 1 + s->shapes[shape].error * dcs_normal_quantile(dcs_rng_uniform(&rng));
    double minute = s->noise != NULL ? dcs_noise_at(s->noise, dcs_rng_uniform(&rng)) : 1;
    double factor = error * minute;
    return factor > RESAMPLE_LEAST ? factor : RESAMPLE_LEAST;
}

bool dcs_spatial_uncertain(const struct dcs_spatial *s)
{
    for (uint32_t i = 0; i < s->shapes_count; i++)
        if (s->shapes[i].error > 0)
            return true;
    return s->noise != NULL;
}

/* ---- sequences ---- */

const struct dcs_sequence *dcs_spatial_sequence(const struct dcs_spatial *s, uint32_t app,
                                                int64_t size)
{
    if (size >= 0 && s->sequences[app].size == size)
        return &s->sequences[app];
    for (uint32_t i = s->apps_count; i < s->sequences_count; i++)
        if (s->sequences[i].listed == app && s->sequences[i].size == size)
            return &s->sequences[i];
    return NULL;
}
