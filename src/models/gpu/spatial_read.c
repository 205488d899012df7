/*
 * spatial_read.c - see spatial_read.h: what is measured of each kernel and request, once
 * spatial_sequences.c has found which there are.
 */
#include "models/gpu/fusion_load.h"
#include "models/gpu/spatial_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES_MAX      1000000 /* each is an event; measured kernels have hundreds */
#define BLOCKS_MAX        (INT64_C(1) << 40)
#define COUNT_MAX         1e30 /* of bytes, instructions */
#define BLOCKS_PER_SM_MAX 64
#define THREADS_MAX       65536
#define REGISTERS_MAX     1024
#define SHARED_MAX        1e9

static const char *const mechanisms[] = {"whole", "green", "mps", NULL};
static const char *const shape_kinds[] = {"compute", "library", "to_device", "from_device", NULL};
static const char *const core_kinds[] = {"tensor", "cuda", NULL};
static const char *const cache_states[] = {"warm", "cold", "unknown", NULL};

/* ---- what is known of a shape ---- */

static int take_description(void *context)
{
    struct spatial_reader *r = context;
    uint32_t shape = 0;
    int kind = 0, cores = 0, status = spatial_row_shape(r, &shape);
    int64_t launches = 0, blocks = 0, per_sm = 0, threads = 0, registers = 0;
    double shared_bytes = 0;
    if (status < 0 || dcs_rows_choice(&r->rows, 3, shape_kinds, &kind) != 0 ||
        dcs_rows_integer(&r->rows, 4, 1, LAUNCHES_MAX, &launches) != 0 ||
        dcs_rows_integer_or_null(&r->rows, 5, 1, BLOCKS_MAX, &blocks) != 0 ||
        dcs_rows_integer_or_null(&r->rows, 6, 1, BLOCKS_PER_SM_MAX, &per_sm) != 0 ||
        dcs_rows_choice(&r->rows, 7, core_kinds, &cores) != 0 ||
        dcs_rows_integer_or_null(&r->rows, 8, 1, THREADS_MAX, &threads) != 0 ||
        dcs_rows_integer_or_null(&r->rows, 9, 1, REGISTERS_MAX, &registers) != 0 ||
        dcs_rows_real_or_null(&r->rows, 10, 0, SHARED_MAX, &shared_bytes) != 0)
        return -1;
    if (status == 0)
        return 0;
    if (r->out->described[shape])
        return dcs_rows_bad_value(&r->rows, 2, "each kernel of a size once");
    r->out->described[shape] = true;
    struct dcs_shape *known = &r->s->shapes[shape];
    known->kind = kind == 2   ? DCS_SHAPE_TO_DEVICE
                  : kind == 3 ? DCS_SHAPE_FROM_DEVICE
                              : DCS_SHAPE_COMPUTE;
    known->launches = (uint32_t)launches;
    known->blocks = (uint64_t)blocks;
    known->blocks_per_sm = (uint32_t)per_sm;
    if (known->kind == DCS_SHAPE_COMPUTE)
        known->cores = cores == 0 ? DCS_CORES_TENSOR : DCS_CORES_CUDA;
    known->threads = (uint32_t)threads;
    known->registers = (uint32_t)registers;
    known->shared_bytes = (uint64_t)shared_bytes;
    return 0;
}

/* Warm where it was measured: kernels follow each other on a device. */
static int take_counters(void *context)
{
    struct spatial_reader *r = context;
    uint32_t shape = 0;
    int state = 0, status = spatial_row_shape(r, &shape);
    double instructions = 0, in = 0, out = 0;
    if (status < 0 || dcs_rows_choice(&r->rows, 3, cache_states, &state) != 0 ||
        dcs_rows_real_or_null(&r->rows, 4, 0, COUNT_MAX, &instructions) != 0 ||
        dcs_rows_real_or_null(&r->rows, 5, 0, COUNT_MAX, &in) != 0 ||
        dcs_rows_real_or_null(&r->rows, 6, 0, COUNT_MAX, &out) != 0)
        return -1;
    if (status == 0)
        return 0;
    unsigned bit = 1u << state;
    if ((r->counters[shape] & bit) != 0)
        return dcs_rows_bad_value(&r->rows, 3, "each state of the cache once");
    if (r->counters[shape] == 0 || bit < (r->counters[shape] & (0u - r->counters[shape]))) {
        r->s->shapes[shape].instructions = instructions;
        r->s->shapes[shape].dram_bytes = in + out;
    }
    r->counters[shape] |= (unsigned char)bit;
    return 0;
}

static int take_ceiling(void *context)
{
    struct spatial_reader *r = context;
    double amount = 0, ns = 0;
    const char *what = dcs_rows_label(&r->rows, 0);
    if (what == NULL || dcs_rows_real(&r->rows, 1, 0, COUNT_MAX, &amount) != 0 ||
        dcs_rows_real(&r->rows, 2, 0, (double)SPATIAL_SIZE_MAX, &ns) != 0)
        return -1;
    bool dram = strcmp(what, "copy") == 0 || strcmp(what, "read") == 0;
    if (dram && ns > 0 && amount / ns > r->s->dram_gbs)
        r->s->dram_gbs = amount / ns; /* bytes per ns are GB/s */
    return 0;
}

/* ---- times alone ---- */

/* mechanism, sms, median_ns from column `at` on. */
static int read_time(struct spatial_reader *r, int at, struct spatial_time *time)
{
    int mechanism = 0;
    int64_t sms = 0, ns = 0;
    if (dcs_rows_choice(&r->rows, at, mechanisms, &mechanism) != 0 ||
        dcs_rows_integer(&r->rows, at + 1, 1, r->p->sms, &sms) != 0 ||
        dcs_rows_integer(&r->rows, at + 2, 1, DCS_DURATION_NS_MAX, &ns) != 0)
        return -1;
    time->mechanism = mechanism == 0 ? SPATIAL_WHOLE : mechanism == 1 ? SPATIAL_GREEN : SPATIAL_MPS;
    time->sms = (uint32_t)sms;
    time->ns = (double)ns;
    return 0;
}

static int take_kernel_time(void *context)
{
    struct spatial_reader *r = context;
    struct spatial_rows *out = r->out;
    struct spatial_time time = {0};
    int status = spatial_row_shape(r, &time.of);
    int64_t n = 0;
    double mean_ns = 0, deviation_ns = 0;
    if (status < 0 || read_time(r, 3, &time) != 0 ||
        dcs_rows_integer(&r->rows, 6, 1, LAUNCHES_MAX, &n) != 0 ||
        dcs_rows_real_or_null(&r->rows, 7, 0, (double)DCS_DURATION_NS_MAX, &mean_ns) != 0 ||
        dcs_rows_real_or_null(&r->rows, 8, 0, (double)DCS_DURATION_NS_MAX, &deviation_ns) != 0)
        return -1;
    if (status == 0)
        return 0;
    if (time.sms >= r->errors_sms[time.of] && mean_ns > 0) {
        r->errors_sms[time.of] = time.sms;
        r->s->shapes[time.of].error = deviation_ns / mean_ns / sqrt((double)n);
    }
    out->kernels = dcs_grow(out->kernels, &out->kernels_capacity, out->kernels_count + 1,
                            sizeof *out->kernels);
    out->kernels[out->kernels_count++] = time;
    return 0;
}

static int take_request_time(void *context)
{
    struct spatial_reader *r = context;
    struct spatial_rows *out = r->out;
    struct spatial_time time = {0};
    int status = spatial_row_sequence(r, &time.of);
    if (status < 0 || read_time(r, 2, &time) != 0)
        return -1;
    if (status == 0)
        return 0;
    out->requests = dcs_grow(out->requests, &out->requests_capacity, out->requests_count + 1,
                             sizeof *out->requests);
    out->requests[out->requests_count++] = time;
    return 0;
}

static int compare_times(const void *a, const void *b)
{
    const struct spatial_time *x = a, *y = b;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    if (x->sms != y->sms)
        return x->sms < y->sms ? -1 : 1;
    return (x->mechanism > y->mechanism) - (x->mechanism < y->mechanism);
}

/* A row that is there twice says two things. */
static int sort_times(struct spatial_reader *r, const char *table, struct spatial_time *times,
                      size_t count, bool requests)
{
    if (count > 0)
        qsort(times, count, sizeof *times, compare_times);
    for (size_t i = 1; i < count; i++)
        if (compare_times(&times[i - 1], &times[i]) == 0)
            return dcs_err_at(
                r->rows.err, r->rows.file, 0, table,
                "expected each number of SMs once, found %u of \"%s\" twice", times[i].sms,
                requests ? r->s->sequences[times[i].of].app : r->s->shapes[times[i].of].name);
    return 0;
}

static int read_times(struct spatial_reader *r)
{
    struct spatial_rows *out = r->out;
    if (dcs_rows_each_if_there(
            &r->rows, "kernel_solo",
            "SELECT application, size, kernel, mechanism, sms, median_ns, n, mean_ns, stddev_ns "
            "FROM kernel_solo",
            take_kernel_time, r) != 0 ||
        dcs_rows_each_if_there(
            &r->rows, "request_solo",
            "SELECT application, size, mechanism, sms, median_ns FROM request_solo",
            take_request_time, r) != 0)
        return -1;
    return sort_times(r, "kernel_solo", out->kernels, out->kernels_count, false) == 0 &&
                   sort_times(r, "request_solo", out->requests, out->requests_count, true) == 0
               ? 0
               : -1;
}

/* A launch takes a nanosecond at least: with launches without end inside one, so would be a run. */
static int check_launches(struct spatial_reader *r, uint32_t shape, double ns)
{
    const struct dcs_shape *s = &r->s->shapes[shape];
    if ((double)s->launches <= ns)
        return 0;
    return dcs_err_at(r->rows.err, r->rows.file, 0, "kernel_shape.launches",
                      "expected at most one for each ns that \"%s\" of \"%s\" takes, found %u in "
                      "%.0f ns",
                      s->name, s->app, s->launches, ns);
}

static int check_all_launches(struct spatial_reader *r)
{
    for (uint32_t i = 0; i < r->out->default_shapes; i++)
        if (check_launches(r, i, r->out->listed_ns[i]) != 0)
            return -1;
    for (size_t i = 0; i < r->out->kernels_count; i++)
        if (check_launches(r, r->out->kernels[i].of, r->out->kernels[i].ns) != 0)
            return -1;
    return 0;
}

/* ---- the whole ---- */

static int read_tables(struct spatial_reader *r)
{
    /* A database of version 1 may have tables of its own under these names. */
    bool measured = r->p->schema_version >= 2;
    if (spatial_find_sizes(r, measured) != 0 || (measured && spatial_read_sequences(r) != 0))
        return -1;
    if (spatial_add_sequences(r) != 0)
        return -1;
    if (!measured)
        return 0;
    r->counters = dcs_alloc(r->s->shapes_count + 1u, sizeof *r->counters);
    r->errors_sms = dcs_alloc(r->s->shapes_count + 1u, sizeof *r->errors_sms);
    if (dcs_rows_each_if_there(
            &r->rows, "kernel_shape",
            "SELECT application, size, kernel, kind, launches, blocks, blocks_per_sm, cores,"
            " threads_per_block, registers, shared_bytes FROM kernel_shape",
            take_description, r) != 0 ||
        dcs_rows_each_if_there(
            &r->rows, "kernel_counters",
            "SELECT application, size, kernel, l2, instructions, dram_read_bytes,"
            " dram_write_bytes FROM kernel_counters",
            take_counters, r) != 0 ||
        dcs_rows_each_if_there(&r->rows, "overhead", "SELECT what, amount, median_ns FROM overhead",
                               take_ceiling, r) != 0 ||
        dcs_fusion_read(&r->s->fusion, &r->rows) != 0)
        return -1;
    if (read_times(r) != 0 || check_all_launches(r) != 0 ||
        dcs_spatial_read_host(r->s, r->out, &r->rows, spatial_row_sequence, r) != 0 ||
        dcs_spatial_read_launches(r->s, r->out, &r->rows, spatial_row_shape, r) != 0 ||
        dcs_spatial_read_clusters(r->s, r->out, &r->rows, spatial_row_shape, r) != 0 ||
        dcs_spatial_read_contention(r->s, r->out, &r->rows, spatial_row_shape, r) != 0)
        return -1;
    return dcs_spatial_read_device(r->s, &r->rows);
}

int dcs_spatial_read(struct dcs_spatial *s, struct spatial_rows *rows, const struct dcs_profile *p,
                     const char *const *sized, struct dcs_profile_source *source, const char *path,
                     struct dcs_err *err)
{
    struct spatial_reader r = {.rows = {.source = source, .file = path, .err = err},
                               .p = p,
                               .sized = sized,
                               .s = s,
                               .out = rows};
    s->sms = (uint32_t)p->sms;
    s->apps_count = (uint32_t)p->apps_count;
    int status = read_tables(&r);
    spatial_release_sequences(&r);
    free(r.counters);
    free(r.errors_sms);
    return status;
}

void dcs_spatial_rows_release(struct spatial_rows *rows)
{
    free(rows->kernels);
    free(rows->requests);
    free(rows->presses);
    free(rows->ranges);
    free(rows->groups);
    free(rows->follow_ns);
    free(rows->told);
    free(rows->described);
    free(rows->listed_ns);
    *rows = (struct spatial_rows){0};
}
