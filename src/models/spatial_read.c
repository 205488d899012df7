/*
 * spatial_read.c - see spatial_read.h.
 *
 * Only rows at sizes that a simulation runs are kept: an application's default size, and all that
 * its requests were measured at where the caller wants them. Rows of other sizes, and of
 * applications and kernels that no request has, are checked and passed over.
 */
#include "models/spatial_read.h"

#include "models/profile_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_VALUE    (INT64_C(1) << 62)
#define SIZES_MAX         300 /* of one application, beside the default; measured are 30 */
#define POSITION_MAX      999999
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

/* One kernel of a request, as it is launched. */
struct launch {
    uint32_t of; /* a sequence */
    uint32_t shape;
    int64_t position;
    size_t first; /* of the request's launches of that shape; by index */
    char *name;
};

struct reader {
    struct dcs_rows rows;
    const struct dcs_profile *p;
    struct dcs_spatial *s;
    struct spatial_rows *out;
    const char *const *sized; /* applications of which all sizes are wanted; NULL-ended */
    struct launch *launches;
    size_t launches_count, launches_capacity;
    struct launch
        *by_name; /* one for each shape that has a name of its own, by sequence and name */
    size_t names;
    size_t sequences_capacity;
    uint32_t *errors_sms;    /* by shape: where its error was measured */
    unsigned char *counters; /* by shape: bit i: a row of cache_states[i] was read */
};

/* Columns 0 and 1. 1: *of is an application's index, 0: none of the profile, -1: err. */
static int take_app(struct reader *r, uint32_t *of, int64_t *size)
{
    const char *name = dcs_rows_name(&r->rows, 0);
    if (name == NULL || dcs_rows_integer(&r->rows, 1, 0, SIZE_MAX_VALUE, size) != 0)
        return -1;
    const struct dcs_profile_app *found = dcs_profile_app(r->p, name);
    if (found != NULL)
        *of = (uint32_t)(found - r->p->apps);
    return found != NULL;
}

/* Columns 0 and 1. 1: *of is a sequence, 0: of a size or application that has none, -1: err. */
static int which_sequence(struct reader *r, uint32_t *of)
{
    int64_t size = 0;
    uint32_t app = 0;
    int status = take_app(r, &app, &size);
    if (status <= 0)
        return status;
    const struct dcs_sequence *found = dcs_spatial_sequence(r->s, app, size);
    if (found != NULL)
        *of = (uint32_t)(found - r->s->sequences);
    return found != NULL;
}

static int compare_names(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;
    return x->of != y->of ? (x->of < y->of ? -1 : 1) : strcmp(x->name, y->name);
}

/* Columns 0 to 2. 1: *shape is one that a request has, 0: another, -1: err. */
static int which_shape(void *context, uint32_t *shape)
{
    struct reader *r = context;
    struct launch key = {0};
    int status = which_sequence(r, &key.of);
    const char *label = dcs_rows_label(&r->rows, 2);
    if (status < 0 || label == NULL)
        return -1;
    if (status == 0 || r->names == 0)
        return 0;
    char name[257];
    snprintf(name, sizeof name, "%s", label);
    key.name = name;
    const struct launch *found =
        bsearch(&key, r->by_name, r->names, sizeof *r->by_name, compare_names);
    if (found == NULL)
        return 0;
    *shape = found->shape;
    return 1;
}

/* ---- sizes and the kernels of a request ---- */

static int take_subject(void *context)
{
    struct reader *r = context;
    int64_t size = 0;
    uint32_t app = 0;
    int status = take_app(r, &app, &size);
    if (status <= 0)
        return status;
    struct dcs_sequence *sequence = &r->s->sequences[app];
    if (sequence->size >= 0)
        return dcs_rows_bad_value(&r->rows, 0, "each application once");
    sequence->size = size;
    return 0;
}

/* A size at which requests were measured, of an application of which all are wanted. */
static int take_size(void *context)
{
    struct reader *r = context;
    struct dcs_spatial *s = r->s;
    int64_t size = 0;
    uint32_t app = 0;
    int status = take_app(r, &app, &size);
    if (status <= 0)
        return status;
    const char *const *name = r->sized;
    while (*name != NULL && strcmp(*name, r->p->apps[app].name) != 0)
        name++;
    const struct dcs_sequence *last = &s->sequences[s->sequences_count - 1];
    if (*name == NULL || s->sequences[app].size == size ||
        (last->listed == app && last->size == size)) /* rows of one size mostly follow each other */
        return 0;
    s->sequences = dcs_grow(s->sequences, &r->sequences_capacity, s->sequences_count + 1u,
                            sizeof *s->sequences);
    s->sequences[s->sequences_count++] =
        (struct dcs_sequence){.app = r->p->apps[app].name, .listed = app, .size = size};
    return 0;
}

static int compare_sizes(const void *a, const void *b)
{
    const struct dcs_sequence *x = a, *y = b;
    if (x->listed != y->listed)
        return x->listed < y->listed ? -1 : 1;
    return (x->size > y->size) - (x->size < y->size);
}

/* A sequence for each application at its default size, then for each other size. */
static int find_sizes(struct reader *r, bool measured)
{
    struct dcs_spatial *s = r->s;
    uint32_t apps = (uint32_t)r->p->apps_count;
    s->sequences = dcs_grow(NULL, &r->sequences_capacity, apps + 1u, sizeof *s->sequences);
    for (; s->sequences_count < apps; s->sequences_count++)
        s->sequences[s->sequences_count] = (struct dcs_sequence){
            .app = r->p->apps[s->sequences_count].name, .listed = s->sequences_count, .size = -1};
    if (!measured)
        return 0;
    if (dcs_rows_each_if_there(&r->rows, "subject", "SELECT application, size_default FROM subject",
                               take_subject, r) != 0)
        return -1;
    if (r->sized[0] == NULL)
        return 0;
    if (dcs_rows_each_if_there(&r->rows, "request_solo",
                               "SELECT application, size FROM request_solo", take_size, r) != 0)
        return -1;
    struct dcs_sequence *sized = s->sequences + apps;
    size_t n = s->sequences_count - apps, kept = 0;
    qsort(sized, n, sizeof *sized, compare_sizes);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && compare_sizes(&sized[kept - 1], &sized[i]) == 0)
            continue;
        sized[kept++] = sized[i];
        if (kept > SIZES_MAX && sized[kept - 1 - SIZES_MAX].listed == sized[i].listed)
            return dcs_err_at(r->rows.err, r->rows.file, 0, "request_solo",
                              "expected at most %d sizes of \"%s\"", SIZES_MAX, sized[i].app);
    }
    s->sequences_count = apps + (uint32_t)kept;
    return 0;
}

static int take_launch(void *context)
{
    struct reader *r = context;
    struct launch launch = {0};
    int status = which_sequence(r, &launch.of);
    const char *name = dcs_rows_label(&r->rows, 3);
    if (status < 0 || name == NULL ||
        dcs_rows_integer(&r->rows, 2, 0, POSITION_MAX, &launch.position) != 0)
        return -1;
    if (status == 0)
        return 0;
    launch.name = dcs_strdup(name);
    r->launches =
        dcs_grow(r->launches, &r->launches_capacity, r->launches_count + 1, sizeof *r->launches);
    r->launches[r->launches_count++] = launch;
    return 0;
}

static int compare_positions(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

static int compare_names_then_positions(const void *a, const void *b)
{
    int order = compare_names(a, b);
    return order != 0 ? order : compare_positions(a, b);
}

/* Leaves one launch for each shape in by_name, the first, and each launch knows its first. */
static void find_firsts(struct reader *r)
{
    if (r->launches_count == 0)
        return;
    for (size_t i = 0; i < r->launches_count; i++)
        r->launches[i].first = i;
    r->by_name = dcs_alloc(r->launches_count, sizeof *r->by_name);
    memcpy(r->by_name, r->launches, r->launches_count * sizeof *r->by_name);
    qsort(r->by_name, r->launches_count, sizeof *r->by_name, compare_names_then_positions);
    for (size_t i = 0; i < r->launches_count; i++) {
        if (r->names == 0 || compare_names(&r->by_name[r->names - 1], &r->by_name[i]) != 0)
            r->by_name[r->names++] = r->by_name[i];
        r->launches[r->by_name[i].first].first = r->by_name[r->names - 1].first;
    }
}

/* listed: NULL for other sizes than the default. */
static uint32_t add_shape(struct reader *r, uint32_t of, const struct dcs_profile_kernel *listed,
                          char *name)
{
    struct dcs_spatial *s = r->s;
    bool transfer = listed != NULL && listed->transfer;
    s->shapes[s->shapes_count] = (struct dcs_shape){
        .app = s->sequences[of].app,
        .name = name,
        .kind = transfer ? DCS_SHAPE_TO_DEVICE : DCS_SHAPE_COMPUTE,
        .launches = 1,
    };
    r->out->listed_ns[s->shapes_count] = listed != NULL ? (double)listed->duration_ns : 0;
    return s->shapes_count++;
}

/* The request's kernels that begin at launches[at], or one shape for each kernel without them. */
static int add_sequence(struct reader *r, uint32_t of, size_t at, size_t count)
{
    struct dcs_sequence *sequence = &r->s->sequences[of];
    const struct dcs_profile_app *listed = &r->p->apps[sequence->listed];
    bool is_default = of < r->p->apps_count;
    size_t kernels = is_default ? listed->kernels_count : count;
    sequence->first_shape = r->s->shapes_count;
    if (kernels == 0)
        return dcs_err_at(r->rows.err, r->rows.file, 0, "request_kernel",
                          "expected the kernels of \"%s\" at size %lld, which request_solo has; "
                          "found none",
                          listed->name, (long long)sequence->size);
    sequence->kernels = (uint32_t)kernels;
    sequence->shapes = dcs_alloc(kernels, sizeof *sequence->shapes);
    r->out->told[of] = count > 0;
    if (is_default && count > 0 && count != kernels)
        return dcs_err_at(r->rows.err, r->rows.file, 0, "request_kernel",
                          "expected the %zu kernels of \"%s\" that the table kernel has, found %zu "
                          "at its default size",
                          listed->kernels_count, listed->name, count);
    for (size_t i = 0; i < kernels; i++) {
        const struct dcs_profile_kernel *kernel = is_default ? &listed->kernels[i] : NULL;
        char name[32];
        snprintf(name, sizeof name, "kernel %zu", i);
        if (count == 0) {
            sequence->shapes[i] = add_shape(r, of, kernel, dcs_strdup(name));
            continue;
        }
        struct launch *launch = &r->launches[at + i];
        if (launch->position != (int64_t)i)
            return dcs_err_at(r->rows.err, r->rows.file, 0, "request_kernel.position",
                              "expected the %zu kernels of \"%s\" at 0 to %zu, each once; found "
                              "%lld where %zu should be",
                              count, listed->name, count - 1, (long long)launch->position, i);
        launch->shape = launch->first == at + i ? add_shape(r, of, kernel, dcs_strdup(launch->name))
                                                : r->launches[launch->first].shape;
        sequence->shapes[i] = launch->shape;
    }
    return 0;
}

static int read_sequences(struct reader *r)
{
    if (dcs_rows_each_if_there(&r->rows, "request_kernel",
                               "SELECT application, size, position, kernel FROM request_kernel",
                               take_launch, r) != 0)
        return -1;
    if (r->launches_count > 0)
        qsort(r->launches, r->launches_count, sizeof *r->launches, compare_positions);
    find_firsts(r);
    return 0;
}

static int add_sequences(struct reader *r)
{
    const struct dcs_profile *p = r->p;
    uint32_t sequences = r->s->sequences_count;
    size_t kernels = r->launches_count, at = 0; /* at most */
    for (size_t i = 0; i < p->apps_count; i++)
        kernels += p->apps[i].kernels_count;
    r->s->shapes = dcs_alloc(kernels, sizeof *r->s->shapes);
    r->out->listed_ns = dcs_alloc(kernels, sizeof *r->out->listed_ns);
    r->out->described = dcs_alloc(kernels, sizeof *r->out->described);
    r->counters = dcs_alloc(kernels, sizeof *r->counters);
    r->errors_sms = dcs_alloc(kernels, sizeof *r->errors_sms);
    r->out->told = dcs_alloc(sequences, sizeof *r->out->told);
    for (uint32_t of = 0; of < sequences; of++) {
        size_t count = 0;
        while (at + count < r->launches_count && r->launches[at + count].of == of)
            count++;
        if (of == p->apps_count)
            r->out->default_shapes = r->s->shapes_count;
        if (add_sequence(r, of, at, count) != 0)
            return -1;
        at += count;
    }
    if (sequences == p->apps_count)
        r->out->default_shapes = r->s->shapes_count;
    for (size_t i = 0; i < r->names; i++)
        r->by_name[i].shape = r->launches[r->by_name[i].first].shape;
    return 0;
}

/* ---- what is known of a shape ---- */

static int take_description(void *context)
{
    struct reader *r = context;
    uint32_t shape = 0;
    int kind = 0, cores = 0, status = which_shape(r, &shape);
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
    struct reader *r = context;
    uint32_t shape = 0;
    int state = 0, status = which_shape(r, &shape);
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
    struct reader *r = context;
    double amount = 0, ns = 0;
    const char *what = dcs_rows_label(&r->rows, 0);
    if (what == NULL || dcs_rows_real(&r->rows, 1, 0, COUNT_MAX, &amount) != 0 ||
        dcs_rows_real(&r->rows, 2, 0, (double)SIZE_MAX_VALUE, &ns) != 0)
        return -1;
    bool dram = strcmp(what, "copy") == 0 || strcmp(what, "read") == 0;
    if (dram && ns > 0 && amount / ns > r->s->dram_gbs)
        r->s->dram_gbs = amount / ns; /* bytes per ns are GB/s */
    return 0;
}

/* ---- times alone ---- */

/* mechanism, sms, median_ns from column `at` on. */
static int get_time(struct reader *r, int at, struct spatial_time *time)
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
    struct reader *r = context;
    struct spatial_rows *out = r->out;
    struct spatial_time time = {0};
    int status = which_shape(r, &time.of);
    int64_t n = 0;
    double mean_ns = 0, deviation_ns = 0;
    if (status < 0 || get_time(r, 3, &time) != 0 ||
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
    struct reader *r = context;
    struct spatial_rows *out = r->out;
    struct spatial_time time = {0};
    int status = which_sequence(r, &time.of);
    if (status < 0 || get_time(r, 2, &time) != 0)
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
static int sort_times(struct reader *r, const char *table, struct spatial_time *times, size_t count,
                      bool requests)
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

static int read_times(struct reader *r)
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
static int check_launches(struct reader *r, uint32_t shape, double ns)
{
    const struct dcs_shape *s = &r->s->shapes[shape];
    if ((double)s->launches <= ns)
        return 0;
    return dcs_err_at(r->rows.err, r->rows.file, 0, "kernel_shape.launches",
                      "expected at most one for each ns that \"%s\" of \"%s\" takes, found %u in "
                      "%.0f ns",
                      s->name, s->app, s->launches, ns);
}

static int check_all_launches(struct reader *r)
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

static int read_all(struct reader *r)
{
    /* A database of version 1 may have tables of its own under these names. */
    bool measured = r->p->schema_version >= 2;
    if (find_sizes(r, measured) != 0 || (measured && read_sequences(r) != 0))
        return -1;
    if (add_sequences(r) != 0)
        return -1;
    if (!measured)
        return 0;
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
        dcs_spatial_read_contention(r->s, r->out, &r->rows, which_shape, r) != 0)
        return -1;
    return dcs_spatial_read_device(r->s, &r->rows);
}

int dcs_spatial_read(struct dcs_spatial *s, struct spatial_rows *rows, const struct dcs_profile *p,
                     const char *const *sized, struct dcs_profile_source *source, const char *path,
                     struct dcs_err *err)
{
    struct reader r = {.rows = {.source = source, .file = path, .err = err},
                       .p = p,
                       .sized = sized,
                       .s = s,
                       .out = rows};
    s->sms = (uint32_t)p->sms;
    s->apps_count = (uint32_t)p->apps_count;
    int status = read_all(&r);
    for (size_t i = 0; i < r.launches_count; i++)
        free(r.launches[i].name);
    free(r.launches);
    free(r.by_name);
    free(r.counters);
    free(r.errors_sms);
    return status;
}

void dcs_spatial_rows_release(struct spatial_rows *rows)
{
    free(rows->kernels);
    free(rows->requests);
    free(rows->presses);
    free(rows->told);
    free(rows->described);
    free(rows->listed_ns);
    *rows = (struct spatial_rows){0};
}
