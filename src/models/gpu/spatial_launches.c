/*
 * spatial_launches.c - see spatial_load.h, LAUNCHES: the CUDA launches inside a kernel that are
 * unlike each other, from the table kernel_launch.
 */
#include "models/gpu/spatial_read.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX        64 /* of a kernel: what dcsim-calibrate joins launches to */
#define LAUNCHES_MAX      1000000
#define BLOCKS_MAX        (INT64_C(1) << 40)
#define BLOCKS_PER_SM_MAX 64

static const char *const mechanisms[] = {"whole", "green", "mps", NULL};

struct launch_reader {
    struct dcs_spatial *s;
    struct spatial_rows *out;
    struct dcs_rows *rows;
    spatial_which_shape *which;
    void *context;
};

static int take_group(void *context)
{
    struct launch_reader *r = context;
    struct spatial_rows *out = r->out;
    struct spatial_group g = {0};
    int mechanism = 0, status = r->which(r->context, &g.shape);
    int64_t sms = 0, position = 0, launches = 0, blocks = 0, per_sm = 0, ns = 0;
    if (status < 0 || dcs_rows_choice(r->rows, 3, mechanisms, &mechanism) != 0 ||
        dcs_rows_integer(r->rows, 4, 1, r->s->sms, &sms) != 0 ||
        dcs_rows_integer(r->rows, 5, 0, GROUPS_MAX - 1, &position) != 0 ||
        dcs_rows_integer(r->rows, 6, 1, LAUNCHES_MAX, &launches) != 0 ||
        dcs_rows_integer(r->rows, 7, 1, BLOCKS_MAX, &blocks) != 0 ||
        dcs_rows_integer_or_null(r->rows, 8, 1, BLOCKS_PER_SM_MAX, &per_sm) != 0 ||
        dcs_rows_integer(r->rows, 9, 1, DCS_DURATION_NS_MAX, &ns) != 0)
        return -1;
    if (status == 0 || mechanism != 0 || sms != r->s->sms)
        return 0;
    g.position = (uint32_t)position;
    g.launches = (uint32_t)launches;
    g.blocks = (uint64_t)blocks;
    g.blocks_per_sm = (uint32_t)per_sm;
    g.ns = (double)ns;
    out->groups =
        dcs_grow(out->groups, &out->groups_capacity, out->groups_count + 1, sizeof *out->groups);
    out->groups[out->groups_count++] = g;
    return 0;
}

static int compare_groups(const void *a, const void *b)
{
    const struct spatial_group *x = a, *y = b;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

static size_t groups_of_one(const struct spatial_rows *rows, size_t first)
{
    size_t n = 1;
    while (first + n < rows->groups_count &&
           rows->groups[first + n].shape == rows->groups[first].shape)
        n++;
    return n;
}

/* Of the rows of one kernel no position may be missing or be there twice; together they must have
 * as many launches as the kernel. */
static int check_groups(const struct launch_reader *r, const struct spatial_group *groups, size_t n)
{
    const struct dcs_shape *shape = &r->s->shapes[groups->shape];
    uint64_t launches = 0;
    for (size_t i = 0; i < n; i++) {
        launches += groups[i].launches;
        if (groups[i].position != i)
            return dcs_err_at(r->rows->err, r->rows->file, 0, "kernel_launch.position",
                              "expected 0, 1, ... for \"%s\" of \"%s\" on the whole device, each "
                              "once; found %u in place of %zu",
                              shape->name, shape->app, groups[i].position, i);
    }
    if (launches == shape->launches)
        return 0;
    return dcs_err_at(r->rows->err, r->rows->file, 0, "kernel_launch.launches",
                      "expected the %u launches that kernel_shape has of \"%s\" of \"%s\", found "
                      "%llu in all",
                      shape->launches, shape->name, shape->app, (unsigned long long)launches);
}

int dcs_spatial_read_launches(struct dcs_spatial *s, struct spatial_rows *out,
                              struct dcs_rows *rows, spatial_which_shape *which, void *context)
{
    struct launch_reader r = {s, out, rows, which, context};
    if (dcs_rows_each_if_there(
            rows, "kernel_launch",
            "SELECT application, size, kernel, mechanism, sms, position, launches,"
            " blocks, blocks_per_sm, median_ns FROM kernel_launch",
            take_group, &r) != 0)
        return -1;
    if (out->groups_count > 0)
        qsort(out->groups, out->groups_count, sizeof *out->groups, compare_groups);
    for (size_t i = 0, n; i < out->groups_count; i += n) {
        n = groups_of_one(out, i);
        if (check_groups(&r, out->groups + i, n) != 0)
            return -1;
    }
    return 0;
}

/* Whether the rows of a kernel say no more than its shape: that all launches have its grid. */
static bool says_nothing(const struct dcs_shape *shape, const struct spatial_group *rows, size_t n)
{
    return n == 1 && rows->blocks == shape->blocks && rows->blocks_per_sm == shape->blocks_per_sm;
}

/* A tracer's times have no gaps between launches in them. Each launch gets an equal part of what
 * the whole kernel takes beyond their sum. */
static void set_shares(struct dcs_launch_group *groups, const struct spatial_group *rows, size_t n,
                       double launches, double solo_ns)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += rows[i].ns * (double)rows[i].launches;
    double gap = solo_ns > sum ? (solo_ns - sum) / launches : 0;
    double all = sum + gap * launches, after = 0;
    for (size_t i = n; i-- > 0;) {
        groups[i].share = (rows[i].ns + gap) / all;
        groups[i].after = after;
        after += groups[i].share * (double)rows[i].launches;
    }
}

/* Fits whether the blocks of a launch drift apart, on its own grid, to the times of the whole
 * kernel: single launches were timed on fewer SMs at default sizes only. */
static void set_waves(const struct dcs_shape *shape, struct dcs_launch_group *group)
{
    struct dcs_shape like = *shape;
    like.blocks = group->blocks;
    like.blocks_per_sm = group->blocks_per_sm;
    dcs_shape_fit_waves(&like);
    group->drifts = like.drifts;
    group->overhang = like.overhang;
}

static void find_grids(struct dcs_launch_group *groups, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct dcs_launch_group *a = &groups[i], *b = groups;
        while (b->blocks != a->blocks || b->blocks_per_sm != a->blocks_per_sm ||
               b->drifts != a->drifts || b->overhang != a->overhang)
            b++;
        groups[i].grid = (uint8_t)(b - groups);
    }
}

static void set_fill(struct dcs_shape *shape)
{
    shape->least_fill = DBL_MAX;
    shape->most_fill = 0;
    for (uint32_t i = 0; i < shape->groups_count; i++) {
        const struct dcs_launch_group *g = &shape->groups[i];
        double fill = g->blocks_per_sm > 0 ? (double)g->blocks / (double)g->blocks_per_sm : DBL_MAX;
        shape->least_fill = fill < shape->least_fill ? fill : shape->least_fill;
        shape->most_fill = fill > shape->most_fill ? fill : shape->most_fill;
    }
}

void dcs_spatial_set_launches(struct dcs_spatial *s, const struct spatial_rows *rows)
{
    struct dcs_launch_group *next = s->loaded->groups =
        dcs_alloc(rows->groups_count + 1u, sizeof *next);
    for (size_t i = 0, n; i < rows->groups_count; i += n) {
        const struct spatial_group *own = rows->groups + i;
        struct dcs_shape *shape = &s->shapes[own->shape];
        n = groups_of_one(rows, i);
        if (shape->points_count == 0 || says_nothing(shape, own, n))
            continue;
        for (size_t k = 0; k < n; k++)
            next[k] = (struct dcs_launch_group){.launches = own[k].launches,
                                                .blocks = own[k].blocks,
                                                .blocks_per_sm = own[k].blocks_per_sm};
        set_shares(next, own, n, shape->launches, dcs_shape_solo_ns(s, own->shape, s->sms));
        for (size_t k = 0; k < n; k++)
            set_waves(shape, &next[k]);
        find_grids(next, n);
        shape->groups = next;
        shape->groups_count = (uint32_t)n;
        set_fill(shape);
        next += n;
    }
}
