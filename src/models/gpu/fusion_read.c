/*
 * fusion_read.c - see fusion_load.h: the table `fused`, read and checked row by row.
 */
#include "models/gpu/fusion_load.h"

#include <stdlib.h>
#include <string.h>

#define FUSED_ROWS_MAX   1000000
#define KERNELS_MAX      1000 /* of either kind: there is an entry for each pair of them */
#define BLOCKS_MAX       1024
#define REGISTERS_MAX    1024
#define THREADS_MAX      65536
#define SHARED_BYTES_MAX (1 << 30)
#define LOAD_MAX         (INT64_C(1) << 40)

struct row {
    char *tensor, *cuda;
    int64_t tensor_size, cuda_size, tensor_blocks, cuda_blocks;
    int64_t tensor_ns, cuda_ns, tensor_end_ns, cuda_end_ns, ns;
    int64_t registers, shared_bytes, threads;
};

struct reader {
    struct dcs_rows *rows;
    struct row *list;
    size_t count, capacity;
};

static int take_row(void *context)
{
    struct reader *r = context;
    struct dcs_rows *in = r->rows;
    struct row row = {0};
    if (r->count == FUSED_ROWS_MAX)
        return dcs_rows_bad_value(in, 0, "at most a million rows");
    if (dcs_rows_integer(in, 2, 1, LOAD_MAX, &row.tensor_size) != 0 ||
        dcs_rows_integer(in, 3, 1, LOAD_MAX, &row.cuda_size) != 0 ||
        dcs_rows_integer(in, 4, 0, BLOCKS_MAX, &row.tensor_blocks) != 0 ||
        dcs_rows_integer(in, 5, 0, BLOCKS_MAX, &row.cuda_blocks) != 0 ||
        dcs_rows_integer(in, 6, 1, DCS_DURATION_NS_MAX, &row.tensor_ns) != 0 ||
        dcs_rows_integer(in, 7, 1, DCS_DURATION_NS_MAX, &row.cuda_ns) != 0 ||
        dcs_rows_integer_or_null(in, 8, 1, DCS_DURATION_NS_MAX, &row.tensor_end_ns) != 0 ||
        dcs_rows_integer_or_null(in, 9, 1, DCS_DURATION_NS_MAX, &row.cuda_end_ns) != 0 ||
        dcs_rows_integer(in, 10, 1, DCS_DURATION_NS_MAX, &row.ns) != 0 ||
        dcs_rows_integer(in, 11, 0, REGISTERS_MAX, &row.registers) != 0 ||
        dcs_rows_integer(in, 12, 0, SHARED_BYTES_MAX, &row.shared_bytes) != 0 ||
        dcs_rows_integer(in, 13, 1, THREADS_MAX, &row.threads) != 0)
        return -1;
    if ((row.tensor_blocks == 0) != (row.cuda_blocks == 0))
        return dcs_rows_bad_value(in, 5, "blocks of both parts, or of neither");
    if (row.tensor_blocks > 0 && row.tensor_end_ns == 0)
        return dcs_rows_bad_value(in, 8, "the end of each part of a fused launch");
    if (row.tensor_blocks > 0 && row.cuda_end_ns == 0)
        return dcs_rows_bad_value(in, 9, "the end of each part of a fused launch");
    const char *name = dcs_rows_label(in, 0);
    if (name == NULL)
        return -1;
    row.tensor = dcs_strdup(name);
    name = dcs_rows_label(in, 1);
    row.cuda = name != NULL ? dcs_strdup(name) : NULL;
    if (name == NULL) {
        free(row.tensor);
        return -1;
    }
    r->list = dcs_grow(r->list, &r->capacity, r->count + 1, sizeof *r->list);
    r->list[r->count++] = row;
    return 0;
}

static int compare_integers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* By curve: tensor kernel, CUDA kernel, blocks, size of the tensor kernel. */
static int compare_curves(const struct row *a, const struct row *b)
{
    int order = strcmp(a->tensor, b->tensor);
    order = order != 0 ? order : strcmp(a->cuda, b->cuda);
    order = order != 0 ? order : compare_integers(a->tensor_blocks, b->tensor_blocks);
    order = order != 0 ? order : compare_integers(a->cuda_blocks, b->cuda_blocks);
    return order != 0 ? order : compare_integers(a->tensor_size, b->tensor_size);
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = compare_curves(x, y);
    order = order != 0 ? order : compare_integers(x->cuda_ns, y->cuda_ns);
    return order != 0 ? order : compare_integers(x->cuda_size, y->cuda_size);
}

static bool same_way(const struct row *a, const struct row *b)
{
    return strcmp(a->tensor, b->tensor) == 0 && strcmp(a->cuda, b->cuda) == 0 &&
           a->tensor_blocks == b->tensor_blocks && a->cuda_blocks == b->cuda_blocks;
}

static struct dcs_fused_point point_of(const struct row *r)
{
    double alone = (double)r->tensor_ns, end = (double)r->ns / alone;
    /* Kernels note the ends of their parts themselves, which leaves out the time around a launch.
     */
    double last = (double)(r->tensor_end_ns > r->cuda_end_ns ? r->tensor_end_ns : r->cuda_end_ns);
    return (struct dcs_fused_point){
        .ratio = (double)r->cuda_ns / alone,
        .end = end,
        .tensor_end = end * ((double)r->tensor_end_ns / last),
        .cuda_end = end * ((double)r->cuda_end_ns / last),
        .load = r->cuda_size,
    };
}

/* How fast the rest of the CUDA kernel goes on: see fusion.h. */
static double tail_of(const struct dcs_fused_curve *c)
{
    size_t n = c->points_count < DCS_FUSED_TAIL_POINTS ? c->points_count : DCS_FUSED_TAIL_POINTS;
    const struct dcs_fused_point *p = &c->points[c->points_count - n];
    double pace = p[n - 1].cuda_end / p[n - 1].ratio;
    bool alone = true; /* it was seen to be */
    double x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        alone = alone && p[i].cuda_end >= p[i].tensor_end;
        x += p[i].ratio / (double)n;
        y += p[i].end / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (p[i].ratio - x) * (p[i].ratio - x);
        xy += (p[i].ratio - x) * (p[i].end - y);
    }
    if (alone && xx > 0 && xy >= xx)
        return xy / xx;
    return pace > 1 ? pace : 1;
}

static int compare_alone(const void *a, const void *b)
{
    const struct dcs_fused_curve *x = a, *y = b;
    if (x->tensor_ns != y->tensor_ns)
        return x->tensor_ns < y->tensor_ns ? -1 : 1;
    return compare_integers(x->size, y->size);
}

static struct dcs_fused_curve curve_of(const struct row *rows, size_t count)
{
    struct dcs_fused_curve c = {
        .size = rows[0].tensor_size, .tensor_ns = (double)rows[0].tensor_ns, .points_count = count};
    c.points = dcs_alloc(count, sizeof *c.points);
    for (size_t i = 0; i < count; i++)
        c.points[i] = point_of(&rows[i]);
    c.tail = tail_of(&c);
    return c;
}

static bool fits_sm(const struct dcs_fused_way *w)
{
    uint64_t registers = (w->registers + 7u) / 8u * 8u; /* of a thread, as they are given out */
    return w->threads <= DCS_BLOCK_THREADS_MAX && w->shared_bytes <= DCS_BLOCK_SHARED_MAX &&
           registers * w->threads <= DCS_SM_REGISTERS;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The rows of one way. */
static void add_way(struct dcs_fusion *f, const struct row *rows, size_t count)
{
    struct dcs_fused_way *w = &f->ways[f->ways_count++];
    *w = (struct dcs_fused_way){.tensor = (uint32_t)f->tensors_count - 1,
                                .tensor_blocks = (uint32_t)rows->tensor_blocks,
                                .cuda_blocks = (uint32_t)rows->cuda_blocks,
                                .registers = (uint32_t)rows->registers,
                                .threads = (uint32_t)rows->threads,
                                .shared_bytes = (uint64_t)rows->shared_bytes};
    char **cuda = bsearch(&rows->cuda, f->cudas, f->cudas_count, sizeof *f->cudas, compare_names);
    w->cuda = (uint32_t)(cuda - f->cudas);
    w->fits = fits_sm(w);
    w->curves = dcs_alloc(count, sizeof *w->curves);
    for (size_t at = 0, next; at < count; at = next) {
        for (next = at + 1; next < count && compare_curves(&rows[at], &rows[next]) == 0;)
            next++;
        w->curves[w->curves_count++] = curve_of(&rows[at], next - at);
    }
    for (size_t i = 0; i < w->curves_count; i++) {
        for (size_t k = 0; k < w->curves[i].points_count; k++)
            w->gains |= w->curves[i].points[k].end < 1 + w->curves[i].points[k].ratio;
        w->saved += dcs_fused_saved(&w->curves[i]) / (double)w->curves_count;
    }
    qsort(w->curves, w->curves_count, sizeof *w->curves, compare_alone);
}

static int refuse_kernels(const struct dcs_rows *in, const char *column)
{
    return dcs_err_at(in->err, in->file, 0, column, "expected at most %d kernels", KERNELS_MAX);
}

static int name_cudas(struct dcs_fusion *f, const struct reader *r)
{
    const char **names = dcs_alloc(r->count, sizeof *names);
    for (size_t i = 0; i < r->count; i++)
        names[i] = r->list[i].cuda;
    qsort(names, r->count, sizeof *names, compare_names);
    f->cudas = dcs_alloc(KERNELS_MAX, sizeof *f->cudas);
    int status = 0;
    for (size_t i = 0; i < r->count && status == 0; i++) {
        if (i > 0 && strcmp(names[i], names[i - 1]) == 0)
            continue;
        if (f->cudas_count == KERNELS_MAX)
            status = refuse_kernels(r->rows, "fused.cuda");
        else
            f->cudas[f->cudas_count++] = dcs_strdup(names[i]);
    }
    free(names);
    return status;
}

/* Rows without fusion have the shared memory of the larger of both kernels. So the least of all is
 * that of the tensor kernel. */
static int add_tensor(struct dcs_fusion *f, const struct reader *reader, const struct row *r)
{
    if (f->tensors_count == 0 || strcmp(f->tensors[f->tensors_count - 1].name, r->tensor) != 0) {
        if (f->tensors_count == KERNELS_MAX)
            return refuse_kernels(reader->rows, "fused.tensor");
        f->tensors[f->tensors_count++] =
            (struct dcs_fused_tensor){.name = dcs_strdup(r->tensor), .shared_bytes = UINT64_MAX};
    }
    struct dcs_fused_tensor *t = &f->tensors[f->tensors_count - 1];
    if (r->tensor_blocks == 0 && (uint64_t)r->shared_bytes < t->shared_bytes)
        t->shared_bytes = (uint64_t)r->shared_bytes;
    return 0;
}

static void number_pairs(struct dcs_fusion *f)
{
    size_t pairs = f->tensors_count * f->cudas_count;
    uint32_t at = 0;
    f->first_way = dcs_alloc(pairs + 1, sizeof *f->first_way);
    for (size_t i = 0; i <= pairs; i++) {
        f->first_way[i] = at;
        while (at < f->ways_count && f->ways[at].tensor * f->cudas_count + f->ways[at].cuda == i)
            at++;
    }
}

/* f: empty; -1 and err on failure. */
static int build_fusion(struct dcs_fusion *f, const struct reader *r)
{
    if (name_cudas(f, r) != 0)
        return -1;
    f->tensors = dcs_alloc(KERNELS_MAX, sizeof *f->tensors);
    f->ways = dcs_alloc(r->count, sizeof *f->ways);
    for (size_t at = 0, next; at < r->count; at = next) {
        for (next = at + 1; next < r->count && same_way(&r->list[at], &r->list[next]);)
            next++;
        for (size_t i = at; i < next; i++)
            if (add_tensor(f, r, &r->list[i]) != 0)
                return -1;
        if (r->list[at].tensor_blocks > 0)
            add_way(f, &r->list[at], next - at);
    }
    number_pairs(f);
    return 0;
}

/* Compares each row with the one before: points and times that must be there once, and what must
 * be the same in all rows of a way. */
static int check_rows(const struct reader *r)
{
    struct dcs_rows *in = r->rows;
    for (size_t i = 1; i < r->count; i++) {
        const struct row *a = &r->list[i - 1], *b = &r->list[i];
        if (compare_rows(a, b) == 0)
            return dcs_err_at(in->err, in->file, 0, "fused",
                              "expected each point once, found a load of \"%s\" with \"%s\" twice",
                              b->cuda, b->tensor);
        if (compare_curves(a, b) == 0 && a->tensor_ns != b->tensor_ns)
            return dcs_err_at(in->err, in->file, 0, "fused.tensor_ns",
                              "expected one time of \"%s\" alone for a size and a CUDA kernel, "
                              "found %lld and %lld",
                              b->tensor, (long long)a->tensor_ns, (long long)b->tensor_ns);
        if (same_way(a, b) && b->tensor_blocks > 0 &&
            (a->registers != b->registers || a->threads != b->threads ||
             a->shared_bytes != b->shared_bytes))
            return dcs_err_at(in->err, in->file, 0, "fused",
                              "expected one number of registers, threads and bytes for \"%s\" with "
                              "\"%s\" by %lld and %lld blocks, found several",
                              b->tensor, b->cuda, (long long)b->tensor_blocks,
                              (long long)b->cuda_blocks);
    }
    return 0;
}

int dcs_fusion_read(struct dcs_fusion **out, struct dcs_rows *rows)
{
    struct reader r = {.rows = rows};
    *out = NULL;
    int status = dcs_rows_each_if_there(
        rows, "fused",
        "SELECT tensor, cuda, tensor_size, cuda_size, tensor_blocks, cuda_blocks, tensor_ns,"
        " cuda_ns, tensor_end_ns, cuda_end_ns, median_ns, registers, shared_bytes, threads"
        " FROM fused",
        take_row, &r);
    if (status == 0 && r.count > 0) {
        qsort(r.list, r.count, sizeof *r.list, compare_rows);
        status = check_rows(&r);
    }
    if (status == 0 && r.count > 0) {
        *out = dcs_alloc(1, sizeof **out);
        status = build_fusion(*out, &r);
    }
    for (size_t i = 0; i < r.count; i++) {
        free(r.list[i].tensor);
        free(r.list[i].cuda);
    }
    free(r.list);
    return status;
}
