/*
 * spatial_sequences.c - which requests of a profile are kept, which kernels they consist of, and
 * which of these a row of a table is about.
 *
 * Only sizes that a simulation runs are kept: an application's default size, and all that its
 * requests were measured at where the caller wants them. Rows of other sizes, and of applications
 * and kernels that no request has, are checked and passed over.
 */
#include "models/gpu/spatial_reader.h"

#include <stdlib.h>
#include <string.h>

#define SIZES_MAX    300 /* of one application, beside the default; measured are 30 */
#define POSITION_MAX 999999

/* One kernel of a request, as it is launched. */
struct spatial_launch {
    uint32_t of; /* a sequence */
    uint32_t shape;
    int64_t position;
    size_t first; /* of the request's launches of that shape; by index */
    char *name;
};

/* Columns 0 and 1. 1: *of is an application's index, 0: none of the profile, -1: err. */
static int take_app(struct spatial_reader *r, uint32_t *of, int64_t *size)
{
    const char *name = dcs_rows_name(&r->rows, 0);
    if (name == NULL || dcs_rows_integer(&r->rows, 1, 0, SPATIAL_SIZE_MAX, size) != 0)
        return -1;
    const struct dcs_profile_app *found = dcs_profile_app(r->p, name);
    if (found != NULL)
        *of = (uint32_t)(found - r->p->apps);
    return found != NULL;
}

int spatial_row_sequence(void *context, uint32_t *of)
{
    struct spatial_reader *r = context;
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
    const struct spatial_launch *x = a, *y = b;
    return x->of != y->of ? (x->of < y->of ? -1 : 1) : strcmp(x->name, y->name);
}

int spatial_row_shape(void *context, uint32_t *shape)
{
    struct spatial_reader *r = context;
    struct spatial_launch key = {0};
    int status = spatial_row_sequence(r, &key.of);
    const char *label = dcs_rows_label(&r->rows, 2);
    if (status < 0 || label == NULL)
        return -1;
    if (status == 0 || r->names == 0)
        return 0;
    char name[257];
    snprintf(name, sizeof name, "%s", label);
    key.name = name;
    const struct spatial_launch *found =
        bsearch(&key, r->by_name, r->names, sizeof *r->by_name, compare_names);
    if (found == NULL)
        return 0;
    *shape = found->shape;
    return 1;
}

static int take_subject(void *context)
{
    struct spatial_reader *r = context;
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
    struct spatial_reader *r = context;
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
    s->sequences = dcs_grow(s->sequences, &s->loaded->sequences_capacity, s->sequences_count + 1u,
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

int spatial_find_sizes(struct spatial_reader *r, bool measured)
{
    struct dcs_spatial *s = r->s;
    uint32_t apps = (uint32_t)r->p->apps_count;
    s->sequences = dcs_grow(NULL, &s->loaded->sequences_capacity, apps + 1u, sizeof *s->sequences);
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
    struct spatial_reader *r = context;
    struct spatial_launch launch = {0};
    int status = spatial_row_sequence(r, &launch.of);
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
    const struct spatial_launch *x = a, *y = b;
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
static void find_firsts(struct spatial_reader *r)
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
static uint32_t add_shape(struct spatial_reader *r, uint32_t of,
                          const struct dcs_profile_kernel *listed, char *name)
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
static int add_sequence(struct spatial_reader *r, uint32_t of, size_t at, size_t count)
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
        struct spatial_launch *launch = &r->launches[at + i];
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

int spatial_read_sequences(struct spatial_reader *r)
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

int spatial_add_sequences(struct spatial_reader *r)
{
    const struct dcs_profile *p = r->p;
    uint32_t sequences = r->s->sequences_count;
    size_t kernels = r->launches_count, at = 0; /* at most */
    for (size_t i = 0; i < p->apps_count; i++)
        kernels += p->apps[i].kernels_count;
    r->s->shapes = dcs_alloc(kernels, sizeof *r->s->shapes);
    r->s->loaded->shapes_capacity = kernels;
    r->out->listed_ns = dcs_alloc(kernels, sizeof *r->out->listed_ns);
    r->out->described = dcs_alloc(kernels, sizeof *r->out->described);
    r->out->told = dcs_alloc(sequences, sizeof *r->out->told);
    r->out->follow_ns = dcs_alloc(sequences, sizeof *r->out->follow_ns);
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

void spatial_release_sequences(struct spatial_reader *r)
{
    for (size_t i = 0; i < r->launches_count; i++)
        free(r->launches[i].name);
    free(r->launches);
    free(r->by_name);
}
