/*
 * spatial_clusters.c - see spatial_load.h, CLUSTERS: the tables kernel_cluster and cluster_room.
 */
#include "models/gpu/spatial_read.h"

#include <stdlib.h>

#define BLOCKS_MAX  (INT64_C(1) << 40)
#define CLUSTER_MAX (1 << (DCS_CLUSTER_SIZES - 1))

static const char *const mechanisms[] = {"whole", "green", "mps", NULL};
#define TIMED_ALONE 3 /* behind the mechanisms: no row says that its blocks come in clusters */

struct cluster_row {
    uint32_t shape;
    int mechanism;
    struct dcs_shape_cluster at;
};

struct cluster_reader {
    struct dcs_spatial *s;
    struct dcs_rows *rows;
    spatial_which_shape *which;
    void *context;
    struct cluster_row *list;
    size_t count, capacity;
};

static int take_room(void *context)
{
    struct cluster_reader *r = context;
    int64_t blocks = 0, clusters = 0;
    if (dcs_rows_integer(r->rows, 0, 1, CLUSTER_MAX, &blocks) != 0 ||
        dcs_rows_integer(r->rows, 1, 1, r->s->sms, &clusters) != 0)
        return -1;
    uint32_t i = dcs_cluster_index((uint32_t)blocks);
    if (INT64_C(1) << i != blocks)
        return dcs_rows_bad_value(r->rows, 0, "1, 2, 4, 8 or 16");
    if (r->s->cluster_room[i] != 0)
        return dcs_rows_bad_value(r->rows, 0, "each number of blocks once");
    if (clusters * blocks > r->s->sms)
        return dcs_rows_bad_value(r->rows, 1, "no more than the device has SMs for");
    r->s->cluster_room[i] = (uint32_t)clusters;
    return 0;
}

static void add_row(struct cluster_reader *r, struct cluster_row row)
{
    r->list = dcs_grow(r->list, &r->capacity, r->count + 1, sizeof *r->list);
    r->list[r->count++] = row;
}

static int take_cluster(void *context)
{
    struct cluster_reader *r = context;
    struct cluster_row row = {0};
    int status = r->which(r->context, &row.shape);
    int64_t sms = 0, cluster = 0, blocks = 0;
    if (status < 0 || dcs_rows_choice(r->rows, 3, mechanisms, &row.mechanism) != 0 ||
        dcs_rows_integer(r->rows, 4, 1, r->s->sms, &sms) != 0 ||
        dcs_rows_integer(r->rows, 5, 2, CLUSTER_MAX, &cluster) != 0 ||
        dcs_rows_integer(r->rows, 6, cluster, BLOCKS_MAX, &blocks) != 0)
        return -1;
    if (blocks % cluster != 0)
        return dcs_rows_bad_value(r->rows, 6, "a multiple of cluster_blocks");
    row.at = (struct dcs_shape_cluster){.sms = (uint32_t)sms,
                                        .blocks = (uint32_t)cluster,
                                        .fills = (uint32_t)(blocks < sms ? blocks : sms)};
    if (status == 1)
        add_row(r, row);
    return 0;
}

/* Where a kernel was timed, and has no row, its blocks begin one by one, although they come in
 * clusters on other numbers of SMs. */
static void add_others(struct cluster_reader *r, const struct spatial_rows *rows)
{
    bool *clustered = dcs_alloc(r->s->shapes_count, sizeof *clustered);
    for (size_t i = 0; i < r->count; i++)
        clustered[r->list[i].shape] = true;
    for (size_t i = 0; i < rows->kernels_count; i++) {
        const struct spatial_time *t = &rows->kernels[i];
        if (clustered[t->of])
            add_row(r, (struct cluster_row){.shape = t->of,
                                            .mechanism = TIMED_ALONE,
                                            .at = {.sms = t->sms, .blocks = 1, .fills = t->sms}});
    }
    free(clustered);
}

static int compare_rows(const void *a, const void *b)
{
    const struct cluster_row *x = a, *y = b;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    if (x->at.sms != y->at.sms)
        return x->at.sms < y->at.sms ? -1 : 1;
    return x->mechanism - y->mechanism;
}

/* At one number of SMs the first mechanism counts. */
static int set_clusters(struct cluster_reader *r)
{
    struct dcs_shape_cluster *all = dcs_alloc(r->count, sizeof *all);
    r->s->loaded->clusters = all;
    qsort(r->list, r->count, sizeof *r->list, compare_rows);
    for (size_t i = 0, n = 0; i < r->count; i++) {
        const struct cluster_row *row = &r->list[i];
        struct dcs_shape *shape = &r->s->shapes[row->shape];
        if (i > 0 && row->mechanism != TIMED_ALONE && compare_rows(row - 1, row) == 0)
            return dcs_err_at(r->rows->err, r->rows->file, 0, "kernel_cluster",
                              "expected each number of SMs once, found %u of \"%s\" twice",
                              row->at.sms, shape->name);
        if (shape->clusters == NULL)
            shape->clusters = &all[n];
        if (shape->clusters_count > 0 && all[n - 1].sms == row->at.sms)
            continue;
        all[n++] = row->at;
        shape->clusters_count++;
    }
    return 0;
}

int dcs_spatial_read_clusters(struct dcs_spatial *s, const struct spatial_rows *timed,
                              struct dcs_rows *rows, spatial_which_shape *which, void *context)
{
    struct cluster_reader r = {.s = s, .rows = rows, .which = which, .context = context};
    int failed = dcs_rows_each_if_there(rows, "cluster_room",
                                        "SELECT cluster_blocks, clusters FROM cluster_room",
                                        take_room, &r) != 0 ||
                 dcs_rows_each_if_there(rows, "kernel_cluster",
                                        "SELECT application, size, kernel, mechanism, sms,"
                                        " cluster_blocks, blocks FROM kernel_cluster",
                                        take_cluster, &r) != 0;
    if (!failed && r.count > 0) {
        add_others(&r, timed);
        failed = set_clusters(&r) != 0;
    }
    free(r.list);
    return failed ? -1 : 0;
}
