/*
 * spatial_build.c - see spatial_load.h: from measured rows (spatial_read.c) to points and
 * sequences.
 */
#include "models/gpu/fusion_load.h"
#include "models/gpu/spatial_gaps.h"
#include "models/gpu/spatial_read.h"
#include "models/profile/profile_rows.h"

#include <stdlib.h>
#include <string.h>

/* What one profile may cost. The measured profiles need less than a fiftieth of it. */
#define POINTS_MAX (1u << 20) /* of all shapes together */
#define SUMS_MAX   (1u << 26) /* kernels to add up, over all applications and numbers of SMs */

/* ---- from rows to points ---- */

struct builder {
    struct dcs_spatial *s;
    struct spatial_rows rows;
    size_t kernels_at, requests_at, presses_at, ranges_at; /* the rows before are used up */
    double *factors; /* by which the kernels of one application are scaled, at its request rows */
    size_t factors_capacity;
    uint32_t *sms; /* where a shape gets points */
    size_t sms_capacity;
    uint32_t *counterparts; /* by shape: at the default size; itself: there is none */
    size_t points, sums;    /* so far */
    struct spatial_gaps gaps;
};

/* Takes the rows of one sequence or shape out of all. One row is left at each number of SMs. Quotas
 * of MPS count only where no partition was measured, because they are not exact numbers of SMs. */
static struct spatial_time *take_times(struct spatial_time *all, size_t count, size_t *at,
                                       uint32_t of, size_t *taken)
{
    struct spatial_time *rows = all + *at;
    size_t n = 0, kept = 0;
    bool partitions = false;
    for (; *at < count && all[*at].of == of; ++*at, n++)
        partitions = partitions || rows[n].mechanism == SPATIAL_GREEN;
    for (size_t i = 0; i < n; i++) {
        bool same = kept > 0 && rows[kept - 1].sms == rows[i].sms;
        if (!same && !(partitions && rows[i].mechanism == SPATIAL_MPS))
            rows[kept++] = rows[i];
    }
    *taken = kept;
    return rows;
}

/* Sets the points of a shape to what was measured of it alone; without that, to its time on the
 * whole device. */
static void set_raw_points(struct builder *b, uint32_t index)
{
    struct dcs_shape *shape = &b->s->shapes[index];
    size_t n = 0;
    const struct spatial_time *times = NULL;
    if (b->rows.kernels_count > 0)
        times = take_times(b->rows.kernels, b->rows.kernels_count, &b->kernels_at, index, &n);
    if (n == 0 && index >= b->rows.default_shapes)
        return; /* dcs_spatial_fill_sizes() */
    shape->points_count = n > 0 ? n : 1;
    shape->points = dcs_alloc(shape->points_count, sizeof *shape->points);
    shape->points[0] =
        (struct dcs_shape_point){.sms = b->s->sms, .solo_ns = b->rows.listed_ns[index]};
    for (size_t i = 0; i < n; i++)
        shape->points[i] = (struct dcs_shape_point){.sms = times[i].sms, .solo_ns = times[i].ns};
    b->gaps.unmeasured += n == 0;
    dcs_shape_fit_waves(shape);
}

/* Finds the time of the whole request over the sum of its kernels, at each number of SMs at which
 * requests were measured. */
static void find_factors(struct builder *b, const struct dcs_sequence *sequence,
                         const struct spatial_time *requests, size_t count)
{
    b->factors = dcs_grow(b->factors, &b->factors_capacity, count, sizeof *b->factors);
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (uint32_t k = 0; k < sequence->kernels; k++)
            sum += spatial_solo_at(&b->s->shapes[sequence->shapes[k]], (double)requests[i].sms);
        b->factors[i] = sequence->host != NULL ? 1 : requests[i].ns / sum;
    }
}

/* The factor at a number of SMs: linear in 1 / SMs between measured requests, the nearest one's
 * beyond them. */
static double factor_at(const struct builder *b, const struct spatial_time *requests, size_t count,
                        uint32_t sms)
{
    size_t i = 0;
    while (i < count && requests[i].sms < sms)
        i++;
    if (count == 0)
        return 1;
    if (i == count)
        return b->factors[count - 1];
    if (i == 0)
        return b->factors[0];
    double share =
        spatial_towards_low((double)requests[i - 1].sms, (double)requests[i].sms, (double)sms);
    return b->factors[i] + (b->factors[i - 1] - b->factors[i]) * share;
}

static int compare_sms(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Every number of SMs at which the shape, its pressure or its application was measured. */
static size_t collect_sms(struct builder *b, const struct dcs_shape *shape,
                          const struct spatial_time *requests, size_t requests_count,
                          const struct spatial_press *presses, size_t presses_count)
{
    size_t all = shape->points_count + requests_count + presses_count, n = 0, kept = 0;
    b->sms = dcs_grow(b->sms, &b->sms_capacity, all, sizeof *b->sms);
    for (size_t i = 0; i < shape->points_count; i++)
        b->sms[n++] = shape->points[i].sms;
    for (size_t i = 0; i < requests_count; i++)
        b->sms[n++] = requests[i].sms;
    for (size_t i = 0; i < presses_count; i++)
        b->sms[n++] = presses[i].sms;
    qsort(b->sms, n, sizeof *b->sms, compare_sms);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || b->sms[kept - 1] != b->sms[i])
            b->sms[kept++] = b->sms[i];
    return kept;
}

/* Fills pressure and weights of one resource from its rows: linear in SMs between rows, those of
 * the nearest row beyond them. But below the first row the pressure is in proportion to SMs. */
static void set_presses(struct dcs_shape *shape, uint32_t resource,
                        const struct spatial_press *rows, size_t count)
{
    size_t high = 0;
    for (size_t i = 0; i < shape->points_count; i++) {
        struct dcs_shape_point *point = &shape->points[i];
        while (high < count && rows[high].sms < point->sms)
            high++;
        const struct spatial_press *y = &rows[high < count ? high : count - 1];
        const struct spatial_press *x = &rows[high > 0 ? high - 1 : 0];
        double share = 0; /* of x */
        if (x != y)
            share = ((double)y->sms - (double)point->sms) / ((double)y->sms - (double)x->sms);
        double first = (double)rows[0].sms, sms = (double)point->sms;
        point->pressure[resource] =
            (y->pressure + (x->pressure - y->pressure) * share) * (sms < first ? sms / first : 1);
        for (uint32_t k = 0; k < DCS_HINGES_MAX; k++)
            point->weight[resource][k] = y->weight[k] + (x->weight[k] - y->weight[k]) * share;
    }
}

/* How far measurements of the shape reach, at each of its points. */
static void set_measured(struct builder *b, struct dcs_shape *shape, uint32_t index)
{
    const struct spatial_range *ranges = b->rows.ranges;
    size_t begin = b->ranges_at;
    while (b->ranges_at < b->rows.ranges_count && ranges[b->ranges_at].shape == index)
        b->ranges_at++;
    if (b->ranges_at == begin)
        return;
    for (size_t i = 0, high = begin; i < shape->points_count; i++) {
        struct dcs_shape_point *point = &shape->points[i];
        while (high < b->ranges_at && ranges[high].sms < point->sms)
            high++;
        const struct spatial_range *y = &ranges[high < b->ranges_at ? high : high - 1];
        const struct spatial_range *x = &ranges[high > begin ? high - 1 : begin];
        double share = 0; /* of x */
        if (x != y)
            share = ((double)y->sms - (double)point->sms) / ((double)y->sms - (double)x->sms);
        point->measured_to = y->slowdown + (x->slowdown - y->slowdown) * share;
    }
    b->s->ranged = true;
}

/* follow_ns: what each kernel takes beside its own time. */
static void set_points(struct builder *b, uint32_t index, double follow_ns,
                       const struct spatial_time *requests, size_t requests_count)
{
    struct dcs_shape *shape = &b->s->shapes[index];
    const struct spatial_press *presses = b->rows.presses;
    size_t begin = b->presses_at;
    while (b->presses_at < b->rows.presses_count && presses[b->presses_at].shape == index)
        b->presses_at++;
    size_t count = b->presses_at - begin;
    size_t n =
        collect_sms(b, shape, requests, requests_count, count > 0 ? presses + begin : NULL, count);
    struct dcs_shape_point *points = dcs_alloc(n, sizeof *points);
    for (size_t i = 0; i < n; i++) {
        double ns = spatial_solo_at(shape, (double)b->sms[i]) *
                        factor_at(b, requests, requests_count, b->sms[i]) +
                    follow_ns;
        ns = ns < (double)DCS_DURATION_NS_MAX ? ns : (double)DCS_DURATION_NS_MAX;
        points[i] = (struct dcs_shape_point){.sms = b->sms[i], .solo_ns = ns > 1 ? ns : 1};
    }
    free(shape->points);
    shape->points = points;
    shape->points_count = n;
    for (size_t at = begin; at < b->presses_at;) {
        size_t end = at;
        while (end < b->presses_at && presses[end].resource == presses[at].resource)
            end++;
        set_presses(shape, presses[at].resource, presses + at, end - at);
        at = end;
    }
    set_measured(b, shape, index);
    b->points += n;
    bool compute = shape->kind == DCS_SHAPE_COMPUTE;
    if (count > 0) {
        shape->contends_as = 0; /* it was measured at its own size */
        shape->in_place = false;
        bool guessed = false;
        for (size_t i = begin; i < b->presses_at; i++)
            guessed = guessed || presses[i].guessed;
        shape->contention = guessed ? DCS_CONTENTION_GUESSED : DCS_CONTENTION_FITTED;
    }
    if (index >= b->rows.default_shapes) {
        b->gaps.unmatched += count == 0 && shape->contends_as == 0 && compute;
        return;
    }
    b->gaps.undescribed += !b->rows.described[index];
    b->gaps.computing += compute;
    b->gaps.silent += count == 0 && compute;
    b->gaps.guessed += shape->contention == DCS_CONTENTION_GUESSED;
}

static int build_sequence(struct builder *b, uint32_t of, const char *path, struct dcs_err *err)
{
    const struct dcs_spatial *s = b->s;
    const struct dcs_sequence *sequence = &s->sequences[of];
    uint32_t begin = sequence->first_shape, end = s->shapes_count;
    if (of + 1 < s->sequences_count)
        end = s->sequences[of + 1].first_shape;
    const struct spatial_time *requests = NULL;
    size_t count = 0;
    if (b->rows.requests_count > 0)
        requests =
            take_times(b->rows.requests, b->rows.requests_count, &b->requests_at, of, &count);
    b->sums += count * sequence->kernels;
    if (b->sums > SUMS_MAX || b->points + count * (end - begin) > POINTS_MAX)
        return dcs_err_at(err, path, 0, "request_solo",
                          "has too many numbers of SMs for the kernels of \"%s\"", sequence->app);
    find_factors(b, sequence, requests, count);
    for (uint32_t i = begin; i < end; i++)
        set_points(b, i, (double)b->rows.follow_ns[of], requests, count);
    b->gaps.unscaled += count == 0;
    if (!b->rows.told[of])
        spatial_gaps_note_untold(&b->gaps, sequence->app);
    return 0;
}

/* Gives a shape the bandwidth and the instructions per cycle that its counterpart at the default
 * size has on the whole device. One with contention rows of its own keeps its own counters. */
static void set_work(const struct builder *b, uint32_t index)
{
    struct dcs_spatial *s = b->s;
    struct dcs_shape *shape = &s->shapes[index];
    uint32_t like = b->counterparts[index];
    bool counted = shape->dram_bytes > 0 || shape->instructions > 0;
    if (like == index || (counted && shape->contends_as == 0))
        return;
    double part = dcs_shape_solo_ns(s, index, s->sms) / dcs_shape_solo_ns(s, like, s->sms);
    shape->dram_bytes = s->shapes[like].dram_bytes * part;
    shape->instructions = s->shapes[like].instructions * part;
}

static int build_all(struct builder *b, const char *path, struct dcs_err *err)
{
    struct dcs_spatial *s = b->s;
    for (uint32_t i = 0; i < s->shapes_count; i++)
        set_raw_points(b, i);
    dcs_spatial_set_launches(s, &b->rows);
    if (dcs_spatial_fill_sizes(s, &b->rows, path, err) != 0)
        return -1;
    b->counterparts = dcs_alloc(s->shapes_count, sizeof *b->counterparts);
    for (uint32_t i = 0; i < s->shapes_count; i++)
        b->counterparts[i] = dcs_shape_contends_as(s, i);
    for (uint32_t of = 0; of < s->sequences_count; of++)
        if (build_sequence(b, of, path, err) != 0)
            return -1;
    for (uint32_t i = b->rows.default_shapes; i < s->shapes_count; i++)
        set_work(b, i);
    return 0;
}

/* ---- the whole ---- */

static const char *const no_apps[] = {NULL};

static struct dcs_spatial *load_spatial(const struct dcs_profile *p, const char *const *sized,
                                        struct dcs_profile_source *source, const char *path,
                                        struct dcs_err *err)
{
    struct builder b = {.s = dcs_alloc(1, sizeof *b.s)};
    b.s->loaded = dcs_alloc(1, sizeof *b.s->loaded);
    int status = dcs_spatial_read(b.s, &b.rows, p, sized, source, path, err);
    if (status == 0)
        status = build_all(&b, path, err);
    if (status == 0 && b.s->fusion != NULL)
        dcs_fusion_match_shapes(b.s->fusion, b.s);
    b.gaps.kernels = b.rows.default_shapes;
    if (status == 0)
        b.s->loaded->falls_back = spatial_gaps_tell(&b.gaps, b.s);
    dcs_spatial_rows_release(&b.rows);
    free(b.factors);
    free(b.sms);
    free(b.counterparts);
    if (status == 0)
        return b.s;
    dcs_spatial_free(b.s);
    return NULL;
}

struct dcs_profile *dcs_spatial_load_profile(const char *path, struct dcs_spatial **s,
                                             struct dcs_err *err)
{
    return dcs_spatial_load_sized(path, no_apps, s, err);
}

struct dcs_profile *dcs_spatial_load_sized(const char *path, const char *const *apps,
                                           struct dcs_spatial **s, struct dcs_err *err)
{
    struct dcs_profile_source source;
    *s = NULL;
    if (dcs_profile_open(&source, path, err) != 0)
        return NULL;
    struct dcs_profile *p = dcs_profile_read(&source, path, err);
    if (p != NULL)
        *s = load_spatial(p, apps, &source, path, err);
    dcs_profile_close(&source);
    if (*s != NULL)
        return p;
    dcs_profile_free(p);
    return NULL;
}

void dcs_spatial_free(struct dcs_spatial *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < s->shapes_count; i++) {
        free(s->shapes[i].name);
        free(s->shapes[i].points);
    }
    for (uint32_t i = 0; i < s->sequences_count; i++) {
        free(s->sequences[i].shapes);
        free(s->sequences[i].tasks);
        free(s->sequences[i].host);
    }
    for (uint32_t i = 0; i < DCS_RESOURCES_MAX; i++)
        free(s->resources[i].name);
    free(s->shapes);
    free(s->sequences);
    free(s->noise);
    for (size_t i = 0; i < s->costs_count; i++)
        free(s->costs[i].policy);
    free(s->costs);
    dcs_fusion_free(s->fusion);
    free(s->loaded->groups);
    free(s->loaded->clusters);
    free(s->loaded->falls_back);
    free(s->loaded);
    free(s);
}

const char *dcs_spatial_falls_back(const struct dcs_spatial *s)
{
    return s->loaded->falls_back;
}
