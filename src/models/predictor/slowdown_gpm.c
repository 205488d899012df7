/*
 * slowdown_gpm.c - the rival GPM of slowdown.h: slow-downs by scalability from clusters of curves.
 *
 * Curves are at every eighth SM of the device, and at all of them. Lloyd's k-means begins at
 * random kernels that differ, and ends when no kernel changes its cluster.
 *
 * Model: number of clusters, of points; the SMs of each point; mean and 1 / standard deviation of
 * each statistic; of each cluster the mean of its scaled statistics, then of its curve's
 * logarithms.
 */
#include "models/predictor/slowdown_method.h"

#include "des/fmath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLUSTERS   8
#define POINTS_MAX 64
#define ROUNDS_MAX 100

struct member {
    double events[DCS_EVENTS]; /* logarithms for each SM, later scaled */
    double curve[POINTS_MAX];  /* logarithms of slow-downs */
    size_t cluster;
};

struct model {
    size_t clusters, points;
    const double *sms, *scale, *of; /* of: clusters x (DCS_EVENTS + points) */
};

static struct model read_model(const double *v)
{
    struct model m = {.clusters = (size_t)v[0], .points = (size_t)v[1]};
    m.sms = v + 2;
    m.scale = m.sms + m.points;
    m.of = m.scale + (size_t)(2 * DCS_EVENTS);
    return m;
}

static const char *check_gpm(const double *v, size_t n)
{
    static const char wrong[] = "expected clusters of statistics and curves";
    if (n < 2 || !(v[0] >= 1 && v[0] <= CLUSTERS) || !(v[1] >= 1 && v[1] <= POINTS_MAX) ||
        v[0] != floor(v[0]) || v[1] != floor(v[1]))
        return wrong;
    size_t points = (size_t)v[1];
    if (n != 2 + points + (size_t)(2 * DCS_EVENTS) + (size_t)v[0] * (DCS_EVENTS + points))
        return wrong;
    for (size_t i = 0; i < points; i++)
        if (!(v[2 + i] > (i > 0 ? v[1 + i] : 0)))
            return "expected rising numbers of SMs";
    return NULL;
}

const struct dcs_method dcs_method_gpm = {
    .name = "gpm",
    .summary = "clusters of curves over SMs (GPM), scalability alone",
    .check = check_gpm,
};

/* ---- Asking ---- */

static void logs_of(const struct dcs_events *own, uint32_t sms, double *out)
{
    for (size_t i = 0; i < DCS_EVENTS; i++)
        out[i] = dcs_log(1 + own->v[i] / (i == DCS_EVENT_HELD ? 1 : (double)sms));
}

static double apart(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* Linear in the logarithm between points, the nearest beyond them. */
static double curve_at(const struct model *m, const double *curve, uint32_t sms)
{
    size_t i = 0;
    while (i < m->points && m->sms[i] < sms)
        i++;
    if (i == 0 || i == m->points)
        return curve[i == 0 ? 0 : m->points - 1];
    double t = (sms - m->sms[i - 1]) / (m->sms[i] - m->sms[i - 1]);
    return curve[i - 1] + t * (curve[i] - curve[i - 1]);
}

double dcs_gpm_ask(const double *v, uint32_t sms, const struct dcs_events *own)
{
    struct model m = read_model(v);
    double events[DCS_EVENTS], least = 0;
    const double *nearest = m.of;
    logs_of(own, sms, events);
    for (size_t i = 0; i < DCS_EVENTS; i++)
        events[i] = (events[i] - m.scale[2 * i]) * m.scale[2 * i + 1];
    for (size_t c = 0; c < m.clusters; c++) {
        const double *of = m.of + c * (DCS_EVENTS + m.points);
        double far = apart(of, events, DCS_EVENTS);
        if (c == 0 || far < least) {
            least = far;
            nearest = of;
        }
    }
    return dcs_from_log(curve_at(&m, nearest + DCS_EVENTS, sms));
}

/* Of bandwidth alone: kernels of little traffic are slowed by nothing, those of much by 4 on one
 * SM. Between them lie the kernels of the made-up profile. */
void dcs_gpm_invent(uint32_t sms, struct dcs_numbers *out)
{
    static const double nearest[] = {0.7, 1.9}; /* logarithms of 1 + bytes per ns and SM */
    dcs_numbers_add(out, 2);
    dcs_numbers_add(out, 2);
    dcs_numbers_add(out, 1);
    dcs_numbers_add(out, sms);
    for (size_t i = 0; i < DCS_EVENTS; i++) {
        dcs_numbers_add(out, 0);
        dcs_numbers_add(out, i == DCS_EVENT_BANDWIDTH ? 1 : 0);
    }
    for (size_t c = 0; c < 2; c++) {
        for (size_t i = 0; i < DCS_EVENTS; i++)
            dcs_numbers_add(out, i == DCS_EVENT_BANDWIDTH ? nearest[c] : 0);
        dcs_numbers_add(out, c == 0 ? 0 : dcs_log(4));
        dcs_numbers_add(out, 0);
    }
}

/* ---- Training ---- */

static size_t list_points(const struct dcs_spatial *s, double *sms)
{
    size_t n = 0;
    for (uint32_t at = DCS_SMS_STEP; at < s->sms && n + 1 < POINTS_MAX; at += DCS_SMS_STEP)
        sms[n++] = at;
    sms[n++] = s->sms;
    return n;
}

/* The kernels that are trained on, each once. */
static struct member *list_members(const struct dcs_slowdown_training *t, const bool *train,
                                   const double *sms, size_t points, size_t *n)
{
    const struct dcs_spatial *s = t->spatial;
    bool *listed = dcs_alloc(s->shapes_count, sizeof *listed);
    struct member *list = dcs_alloc(t->n, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < t->n; i++) {
        uint32_t shape = t->runs[i].shape;
        struct dcs_events own;
        if (!train[i] || listed[shape] ||
            !dcs_events_of(t->counts, shape, t->runs[i].whole_ns, &own))
            continue;
        listed[shape] = true;
        struct member *m = &list[(*n)++];
        logs_of(&own, s->sms, m->events);
        for (size_t k = 0; k < points; k++)
            m->curve[k] = dcs_log(dcs_shape_solo_ns(s, shape, sms[k]) / t->runs[i].whole_ns);
    }
    free(listed);
    return list;
}

static void scale_events(struct member *list, size_t n, struct dcs_numbers *out)
{
    for (size_t k = 0; k < DCS_EVENTS; k++) {
        double mean = 0, squares = 0;
        for (size_t i = 0; i < n; i++)
            mean += list[i].events[k] / (double)n;
        for (size_t i = 0; i < n; i++)
            squares += (list[i].events[k] - mean) * (list[i].events[k] - mean);
        double unit = sqrt(squares / (double)n), per_unit = unit > 1e-9 ? 1 / unit : 0;
        for (size_t i = 0; i < n; i++)
            list[i].events[k] = (list[i].events[k] - mean) * per_unit;
        dcs_numbers_add(out, mean);
        dcs_numbers_add(out, per_unit);
    }
}

/* The means of the members of each cluster; one without any keeps its own. */
static void find_means(const struct member *list, size_t n, size_t clusters, size_t points,
                       double (*events)[DCS_EVENTS], double (*curve)[POINTS_MAX])
{
    for (size_t c = 0; c < clusters; c++) {
        double count = 0;
        for (size_t i = 0; i < n; i++)
            count += list[i].cluster == c;
        if (!(count > 0))
            continue;
        memset(events[c], 0, sizeof events[c]);
        memset(curve[c], 0, sizeof curve[c]);
        for (size_t i = 0; i < n; i++) {
            if (list[i].cluster != c)
                continue;
            for (size_t k = 0; k < DCS_EVENTS; k++)
                events[c][k] += list[i].events[k] / count;
            for (size_t k = 0; k < points; k++)
                curve[c][k] += list[i].curve[k] / count;
        }
    }
}

static bool assign_clusters(struct member *list, size_t n, size_t clusters, size_t points,
                            double (*curve)[POINTS_MAX])
{
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        size_t nearest = 0;
        for (size_t c = 1; c < clusters; c++)
            if (apart(list[i].curve, curve[c], points) <
                apart(list[i].curve, curve[nearest], points))
                nearest = c;
        changed = changed || nearest != list[i].cluster;
        list[i].cluster = nearest;
    }
    return changed;
}

void dcs_gpm_train(const struct dcs_slowdown_training *t, const bool *train, struct dcs_rng *rng,
                   struct dcs_numbers *out)
{
    double sms[POINTS_MAX], events[CLUSTERS][DCS_EVENTS] = {{0}}, curve[CLUSTERS][POINTS_MAX];
    size_t n, points = list_points(t->spatial, sms);
    struct member *list = list_members(t, train, sms, points, &n);
    size_t clusters = n < CLUSTERS ? n : CLUSTERS;
    dcs_numbers_add(out, (double)clusters);
    dcs_numbers_add(out, (double)points);
    for (size_t i = 0; i < points; i++)
        dcs_numbers_add(out, sms[i]);
    scale_events(list, n, out);
    for (size_t i = 0; i < clusters; i++) { /* the first `clusters` of a shuffle */
        size_t j = i + dcs_rng_below(rng, n - i);
        struct member kept = list[i];
        list[i] = list[j];
        list[j] = kept;
        memcpy(curve[i], list[i].curve, sizeof curve[i]);
        memcpy(events[i], list[i].events, sizeof events[i]);
    }
    for (size_t i = 0; i < n; i++)
        list[i].cluster = SIZE_MAX;
    for (int round = 0; round < ROUNDS_MAX && assign_clusters(list, n, clusters, points, curve);
         round++)
        find_means(list, n, clusters, points, events, curve);
    for (size_t c = 0; c < clusters; c++) {
        for (size_t k = 0; k < DCS_EVENTS; k++)
            dcs_numbers_add(out, events[c][k]);
        for (size_t k = 0; k < points; k++)
            dcs_numbers_add(out, curve[c][k]);
    }
    free(list);
}
