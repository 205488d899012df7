/* predictor_tasks.c - see predictor_tasks.h. */
#include "models/profile/predictor_tasks.h"

#include <stdlib.h>
#include <string.h>

/* Far beyond what is measured; finding tasks takes time that grows with their square. */
#define SIZES_MAX   400
#define KERNELS_MAX 2000
#define TASKS_MAX   4000

static int compare_launches(const void *a, const void *b)
{
    const struct dcs_task_launch *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? 1 : -1;
    return (x->position > y->position) - (x->position < y->position);
}

/* ---- sizes ---- */

/* Finds the sizes in the sorted launches and checks the positions. */
static int find_sizes(struct dcs_tasks *t, const struct dcs_task_launch *launches, size_t n,
                      struct dcs_err *err)
{
    size_t sizes_capacity = 0, counts_capacity = 0;
    for (size_t i = 0; i < n; i++) {
        bool begins = i == 0 || launches[i].size != launches[i - 1].size;
        if (begins) {
            t->sizes = dcs_grow(t->sizes, &sizes_capacity, t->sizes_count + 1, sizeof *t->sizes);
            t->kernels_count = dcs_grow(t->kernels_count, &counts_capacity, t->sizes_count + 1,
                                        sizeof *t->kernels_count);
            t->sizes[t->sizes_count++] = launches[i].size;
        }
        size_t *count = &t->kernels_count[t->sizes_count - 1];
        if (launches[i].position != (int64_t)*count)
            return dcs_err_set(err,
                               "size %lld: expected a kernel at each position from 0 on, each "
                               "once; found %lld where %zu should be",
                               (long long)launches[i].size, (long long)launches[i].position,
                               *count);
        (*count)++;
        if (t->sizes_count > SIZES_MAX || *count > KERNELS_MAX)
            return dcs_err_set(err, "expected at most %d sizes and %d kernels in a request",
                               SIZES_MAX, KERNELS_MAX);
    }
    return 0;
}

/* ---- names ---- */

/* The shape's name with each number replaced by '#'. */
static void without_numbers(const char *shape, char *out, size_t size)
{
    size_t used = 0;
    while (*shape != '\0' && used + 1 < size) {
        bool digit = *shape >= '0' && *shape <= '9';
        out[used++] = digit ? '#' : *shape;
        shape += digit ? strspn(shape, "0123456789") : 1;
    }
    out[used] = '\0';
}

/* The names of a request's kernels: the n-th of those that are equal but for their numbers. */
static char **name_kernels(const struct dcs_task_launch *launches, size_t n)
{
    char **names = dcs_alloc(n, sizeof *names);
    char **stems = dcs_alloc(n, sizeof *stems);
    for (size_t i = 0; i < n; i++) {
        char stem[320], name[352];
        without_numbers(launches[i].shape, stem, sizeof stem);
        size_t number = 1;
        for (size_t k = 0; k < i; k++)
            number += strcmp(stems[k], stem) == 0;
        snprintf(name, sizeof name, "%s/%zu", stem, number);
        stems[i] = dcs_strdup(stem);
        names[i] = dcs_strdup(name);
    }
    for (size_t i = 0; i < n; i++)
        free(stems[i]);
    free(stems);
    return names;
}

uint32_t dcs_tasks_named(const struct dcs_tasks *t, const char *name)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->names[i], name) == 0)
            return (uint32_t)i;
    return DCS_NO_TASK;
}

/* ---- tasks ---- */

struct finder {
    struct dcs_tasks *t;
    size_t names_capacity, shapes_capacity;
};

/* Takes the name over. */
static uint32_t task_of(struct finder *f, char *name, size_t position)
{
    struct dcs_tasks *t = f->t;
    /* Mostly requests of all sizes are alike. */
    uint32_t task = position < t->count && strcmp(t->names[position], name) == 0
                        ? (uint32_t)position
                        : dcs_tasks_named(t, name);
    if (task != DCS_NO_TASK) {
        free(name);
        return task;
    }
    t->names = dcs_grow(t->names, &f->names_capacity, t->count + 1, sizeof *t->names);
    t->shapes = dcs_grow(t->shapes, &f->shapes_capacity, (t->count + 1) * t->sizes_count,
                         sizeof *t->shapes);
    t->names[t->count] = name;
    return (uint32_t)t->count++;
}

static int name_tasks(struct finder *f, const struct dcs_task_launch *launches, struct dcs_err *err)
{
    struct dcs_tasks *t = f->t;
    t->kernels = dcs_alloc(t->sizes_count, sizeof *t->kernels);
    for (size_t s = 0; s < t->sizes_count; s++) {
        size_t n = t->kernels_count[s];
        char **names = name_kernels(launches, n);
        t->kernels[s] = dcs_alloc(n, sizeof **t->kernels);
        for (size_t i = 0; i < n; i++) {
            uint32_t task = task_of(f, names[i], i);
            t->kernels[s][i] = task;
            t->shapes[task * t->sizes_count + s] = launches[i].shape;
        }
        free(names);
        launches += n;
        if (t->count > TASKS_MAX)
            return dcs_err_set(err, "expected at most %d different kernels", TASKS_MAX);
    }
    return 0;
}

static bool same_shapes(const struct dcs_tasks *t, size_t a, size_t b)
{
    for (size_t s = 0; s < t->sizes_count; s++) {
        const char *x = t->shapes[a * t->sizes_count + s], *y = t->shapes[b * t->sizes_count + s];
        if ((x == NULL) != (y == NULL) || (x != NULL && strcmp(x, y) != 0))
            return false;
    }
    return true;
}

/* Makes one task of those that never differ. */
static void merge(struct dcs_tasks *t)
{
    uint32_t *becomes = dcs_alloc(t->count, sizeof *becomes);
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++) {
        size_t k = 0;
        while (k < kept && !same_shapes(t, k, i))
            k++;
        becomes[i] = (uint32_t)k;
        if (k < kept) {
            free(t->names[i]);
            continue;
        }
        t->names[kept] = t->names[i];
        memmove(t->shapes + kept * t->sizes_count, t->shapes + i * t->sizes_count,
                t->sizes_count * sizeof *t->shapes);
        kept++;
    }
    t->count = kept;
    for (size_t s = 0; s < t->sizes_count; s++)
        for (size_t i = 0; i < t->kernels_count[s]; i++)
            t->kernels[s][i] = becomes[t->kernels[s][i]];
    free(becomes);
}

int dcs_tasks_find(struct dcs_tasks *t, struct dcs_task_launch *launches, size_t n,
                   struct dcs_err *err)
{
    *t = (struct dcs_tasks){0};
    struct finder f = {.t = t};
    if (n > 0)
        qsort(launches, n, sizeof *launches, compare_launches);
    if (find_sizes(t, launches, n, err) != 0 || name_tasks(&f, launches, err) != 0) {
        dcs_tasks_release(t);
        return -1;
    }
    merge(t);
    return 0;
}

void dcs_tasks_release(struct dcs_tasks *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->names[i]);
    for (size_t s = 0; t->kernels != NULL && s < t->sizes_count; s++)
        free(t->kernels[s]);
    free(t->names);
    free(t->shapes);
    free(t->kernels);
    free(t->kernels_count);
    free(t->sizes);
    *t = (struct dcs_tasks){0};
}
