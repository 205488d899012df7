/*
 * recorded_shapes.c - see recorded_shapes.h.
 */
#include "calibrate/record/recorded_shapes.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

void cal_recorded_function(const char *name, char *text, size_t size)
{
    static char *(*demangle)(const char *, char *, size_t *, int *);
    static bool asked;
    if (!asked) {
        void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
        void *found = library != NULL ? dlsym(library, "__cxa_demangle") : NULL;
        memcpy(&demangle, &found, sizeof found);
        asked = true;
    }
    int status = -1;
    char *plain = NULL;
    if (demangle != NULL && strncmp(name, "_Z", 2) == 0)
        plain = demangle(name, NULL, NULL, &status);
    snprintf(text, size, "%.*s", (int)size - 1, status == 0 ? plain : name);
    free(plain);
}

/* Copies what stands outside of <> and before the parameters; at[0] is '\0' or '(' then. */
static void drop_arguments(const char *at, char *text, size_t size)
{
    static const char anonymous[] = "(anonymous namespace)";
    size_t used = 0;
    for (int depth = 0; *at != '\0'; at++) {
        if (strncmp(at, anonymous, sizeof anonymous - 1) == 0) {
            at += sizeof anonymous - 2;
            continue;
        }
        if (*at == '(' && depth == 0)
            break;
        depth += (*at == '<') - (*at == '>' && depth > 0);
        if (depth == 0 && *at != '>' && used + 1 < size)
            text[used++] = *at;
    }
    text[used] = '\0';
}

static const char *last_name(const char *text)
{
    const char *name = text;
    for (const char *c = text; *c != '\0'; c++)
        if (*c == ' ' || *c == ':')
            name = c + 1;
    return name;
}

void cal_recorded_base(const char *function, char *text, size_t size)
{
    char outside[1024];
    drop_arguments(function, outside, sizeof outside);
    const char *name = last_name(outside), *first = strchr(function, '<');
    bool wrapper = strcmp(name, "Kernel") == 0 || strcmp(name, "Kernel2") == 0 ||
                   strcmp(name, "device_kernel") == 0;
    if (wrapper && first != NULL) {
        char argument[1024];
        snprintf(argument, sizeof argument, "%.*s", (int)strcspn(first + 1, ",<>("), first + 1);
        drop_arguments(argument, outside, sizeof outside);
        name = last_name(outside);
    }
    snprintf(text, size, "%.*s", (int)size - 1, *name != '\0' ? name : "kernel");
}

bool cal_recorded_uses_tensor(const char *function)
{
    static const char *const parts[] = {
        "s16816", "s1688", "s884",     "h16816", "h1688",    "h884",      "hmma",      "imma",
        "gmma",   "xmma",  "tensorop", "nvjet",  "TensorOp", "flash_fwd", "flash_bwd", "fmha"};
    if (strstr(function, "simt") != NULL || strstr(function, "Simt") != NULL)
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(function, parts[i]) != NULL)
            return true;
    return false;
}

/* --- which are equal --- */

static int compare_facts(const struct cal_place *x, const struct cal_place *y)
{
    const int64_t a[] = {x->kind, x->blocks, x->threads, x->registers, x->shared_bytes, x->bytes};
    const int64_t b[] = {y->kind, y->blocks, y->threads, y->registers, y->shared_bytes, y->bytes};
    for (size_t i = 0; i < sizeof a / sizeof a[0]; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return strcmp(x->function, y->function);
}

static int compare_places(const void *a, const void *b)
{
    const struct cal_place *x = *(const struct cal_place *const *)a,
                           *y = *(const struct cal_place *const *)b;
    int order = compare_facts(x, y);
    if (order == 0)
        order = (x->median_ns > y->median_ns) - (x->median_ns < y->median_ns);
    return order != 0 ? order : (x > y) - (x < y);
}

static bool is_slower(const struct cal_place *least, const struct cal_place *p)
{
    int64_t more = p->median_ns - least->median_ns;
    return more > 500 && more * 10 > least->median_ns;
}

/* Gives each place the number of its group, in no order; returns how many there are. */
static uint32_t group_places(const struct cal_sequence *s, uint32_t *group)
{
    const struct cal_place **sorted = dcs_alloc(s->count, sizeof *sorted), *least = NULL;
    uint32_t groups = 0;
    for (size_t i = 0; i < s->count; i++)
        sorted[i] = &s->places[i];
    qsort(sorted, s->count, sizeof *sorted, compare_places);
    for (size_t i = 0; i < s->count; i++) {
        if (least == NULL || compare_facts(least, sorted[i]) != 0 || is_slower(least, sorted[i])) {
            least = sorted[i];
            groups++;
        }
        group[sorted[i] - s->places] = groups - 1;
    }
    free(sorted);
    return groups;
}

static void name_shape(struct cal_shapes_of_places *shapes, const struct cal_place *p)
{
    struct cal_shape_of_places *shape = &shapes->list[shapes->count - 1];
    static const char *const copies[] = {
        [CAL_OP_TO_DEVICE] = "_to_device", [CAL_OP_FROM_DEVICE] = "_from_device"};
    char function[4096], base[100], first[140];
    if (p->kind == CAL_OP_KERNEL) {
        cal_recorded_function(p->function, function, sizeof function);
        cal_recorded_base(function, base, sizeof base);
        snprintf(first, sizeof first, "%s_%lldx%lld", base, (long long)p->blocks,
                 (long long)p->threads);
    } else {
        snprintf(first, sizeof first, "%.60s%s_%lld", p->function,
                 p->kind == CAL_OP_ON_DEVICE ? "" : copies[p->kind], (long long)p->bytes);
    }
    snprintf(shape->name, sizeof shape->name, "%s", first);
    for (int n = 2, taken = 1; taken != 0; n++) {
        taken = 0;
        for (size_t i = 0; i + 1 < shapes->count; i++)
            taken += strcmp(shapes->list[i].name, shape->name) == 0;
        if (taken != 0)
            snprintf(shape->name, sizeof shape->name, "%s_%d", first, n);
    }
}

void cal_recorded_shapes_make(struct cal_shapes_of_places *shapes, const struct cal_sequence *s)
{
    uint32_t *group = dcs_alloc(s->count, sizeof *group), groups = group_places(s, group);
    uint32_t *shape_of = dcs_alloc(groups, sizeof *shape_of); /* 1 + */
    *shapes = (struct cal_shapes_of_places){.list = dcs_alloc(groups, sizeof *shapes->list),
                                            .of = dcs_alloc(s->count, sizeof *shapes->of)};
    for (size_t i = 0; i < s->count; i++) {
        if (shape_of[group[i]] == 0) {
            shape_of[group[i]] = (uint32_t)++shapes->count;
            shapes->list[shapes->count - 1].first = i;
            name_shape(shapes, &s->places[i]);
        }
        shapes->of[i] = shape_of[group[i]] - 1;
        shapes->list[shapes->of[i]].places++;
    }
    free(group);
    free(shape_of);
}

void cal_recorded_shapes_release(struct cal_shapes_of_places *shapes)
{
    free(shapes->list);
    free(shapes->of);
    *shapes = (struct cal_shapes_of_places){0};
}

/* --- occupancy --- */

static int64_t round_up(int64_t n, int64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

int64_t cal_recorded_blocks_per_sm(const struct cal_recorded_device *d, const struct cal_place *p)
{
    if (p->kind != CAL_OP_KERNEL || d->sm_blocks == 0 || d->sm_threads == 0)
        return 0;
    int64_t warps = (p->threads + 31) / 32, fit = d->sm_blocks;
    int64_t by_threads = d->sm_threads / 32 / warps;
    fit = by_threads < fit ? by_threads : fit;
    if (p->registers > 0 && d->sm_registers > 0) {
        int64_t of_part = d->sm_registers / 4 / round_up(p->registers * 32, 256);
        fit = of_part * 4 / warps < fit ? of_part * 4 / warps : fit;
    }
    int64_t shared = round_up(p->shared_bytes + d->block_reserved_bytes, 128);
    if (shared > 0 && d->sm_shared_bytes > 0 && d->sm_shared_bytes / shared < fit)
        fit = d->sm_shared_bytes / shared;
    return fit > 0 && fit <= 64 ? fit : 0;
}
