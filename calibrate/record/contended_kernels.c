/*
 * contended_kernels.c - see contended_kernels.h.
 */
#include "calibrate/record/contended_kernels.h"

#include "calibrate/record/recorded_shapes.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTION_BYTES 4000 /* as recorded_store.c writes it */

/* --- what the profile has --- */

struct reading {
    struct cal_known_program *p;
    const char *application;
    int64_t size;
};

static size_t find_kernel(struct cal_known_program *p, const char *name, bool is_kernel)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->kernels[i].name, name) == 0)
            return i;
    p->kernels = dcs_grow(p->kernels, &p->capacity, p->count + 1, sizeof *p->kernels);
    p->kernels[p->count] = (struct cal_known_kernel){dcs_strdup(name), is_kernel, 0};
    return p->count++;
}

static enum cal_op_kind kind_of(const char *kernel, bool is_kernel)
{
    if (is_kernel)
        return CAL_OP_KERNEL;
    return strncmp(kernel, "copy_to_device", 14) == 0     ? CAL_OP_TO_DEVICE
           : strncmp(kernel, "copy_from_device", 16) == 0 ? CAL_OP_FROM_DEVICE
                                                          : CAL_OP_ON_DEVICE;
}

/* application, kernel, function, median_ns, threads_per_block, size */
static bool take_place(void *context, const char *const *columns)
{
    struct reading *r = context;
    struct cal_known_program *p = r->p;
    if (strcmp(columns[0], r->application) != 0 || strtoll(columns[5], NULL, 10) != r->size)
        return true;
    size_t n = p->sequence.count, kernel = find_kernel(p, columns[1], columns[4] != NULL);
    p->sequence.places =
        dcs_grow(p->sequence.places, &p->places_capacity, n + 1, sizeof *p->sequence.places);
    p->of = dcs_grow(p->of, &p->of_capacity, n + 1, sizeof *p->of);
    p->sequence.places[n] = (struct cal_place){.kind = kind_of(columns[1], columns[4] != NULL),
                                               .function = dcs_strdup(columns[2]),
                                               .median_ns = strtoll(columns[3], NULL, 10)};
    p->of[n] = kernel;
    p->kernels[kernel].places++;
    p->sequence.count++;
    return true;
}

int cal_known_read(struct cal_known_program *p, struct cal_store *s, const char *path,
                   const char *application, int64_t size, struct dcs_err *err)
{
    struct reading r = {p, application, size};
    *p = (struct cal_known_program){0};
    if (cal_store_each(
            s,
            "SELECT application, kernel, function, median_ns, threads_per_block, size FROM "
            "recorded_launch WHERE mechanism = 'whole' ORDER BY application, size, position",
            take_place, &r, err) != 0)
        return -1;
    if (p->sequence.count == 0)
        return dcs_err_at(err, path, 0, NULL,
                          "has no recorded program \"%.64s\": record it first (dcsim-calibrate "
                          "record)",
                          application);
    return 0;
}

/* Functions that were made by name_functions() or take_place(). */
static void release_functions(struct cal_sequence *s)
{
    for (size_t i = 0; i < s->count; i++)
        free((void *)(uintptr_t)s->places[i].function);
}

void cal_known_release(struct cal_known_program *p)
{
    release_functions(&p->sequence);
    for (size_t i = 0; i < p->count; i++)
        free(p->kernels[i].name);
    free(p->kernels);
    free(p->of);
    cal_sequence_release(&p->sequence);
    *p = (struct cal_known_program){0};
}

/* --- a stretch of time --- */

struct cal_contended cal_contended_make(const struct cal_known_program *p)
{
    return (struct cal_contended){.kernels = dcs_alloc(p->count, sizeof(struct cal_samples))};
}

void cal_contended_release(struct cal_contended *c, const struct cal_known_program *p)
{
    for (size_t i = 0; c->kernels != NULL && i < p->count; i++)
        cal_samples_release(&c->kernels[i]);
    free(c->kernels);
    *c = (struct cal_contended){0};
}

/* As the profile has them. */
static void name_functions(struct cal_sequence *s)
{
    char function[FUNCTION_BYTES];
    for (size_t i = 0; i < s->count; i++) {
        cal_recorded_function(s->places[i].function, function, sizeof function);
        s->places[i].function = dcs_strdup(function);
    }
}

static void add_sequence(struct cal_contended *c, const struct cal_known_program *p,
                         const struct cal_sequence *s)
{
    size_t count = p->sequence.count;
    int64_t *ns = dcs_alloc(s->requests * count, sizeof *ns);
    int64_t *sums = dcs_alloc(p->count, sizeof *sums);
    cal_sequence_align(&p->sequence, s, ns, NULL);
    for (size_t q = 0; q < s->requests; q++) {
        memset(sums, 0, p->count * sizeof *sums);
        for (size_t k = 0; k < count; k++)
            sums[p->of[k]] += ns[q * count + k];
        for (size_t i = 0; i < p->count; i++) {
            cal_samples_add(&c->kernels[i], sums[i] / (int64_t)p->kernels[i].places, 0, false);
            c->busy_ns += p->kernels[i].is_kernel ? (double)sums[i] : 0;
        }
        c->requests_ns += (double)s->totals[q];
    }
    c->requests += s->requests;
    free(sums);
    free(ns);
}

size_t cal_contended_add(struct cal_contended *c, const struct cal_known_program *p,
                         const struct cal_requests *all, int64_t begin_ns, int64_t end_ns)
{
    struct cal_requests inside = {.how = all->how};
    struct cal_sequence s;
    struct dcs_err none = {0};
    inside.list = dcs_alloc(all->count > 0 ? all->count : 1, sizeof *inside.list);
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].begin_ns >= begin_ns && all->list[i].end_ns <= end_ns)
            inside.list[inside.count++] = all->list[i];
    size_t added = 0;
    if (inside.count > 0 && cal_sequence_make(&s, &inside, 0, &none) == 0) {
        name_functions(&s);
        add_sequence(c, p, &s);
        added = s.requests;
        release_functions(&s);
        cal_sequence_release(&s);
    }
    free(inside.list); /* the operations of its requests are those of `all` */
    return added;
}
