/* fusion_match.c - see fusion.h: which kernels of applications are like those that were measured in
 * fused launches. */
#include "models/gpu/fusion_load.h"

#include "des/fmath.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NO_SHAPE UINT32_MAX

/* Reads `word` and a whole number after it, above 0; NULL if *text is something else. */
static const char *read_number_after(const char *text, const char *word, double *value)
{
    size_t length = strlen(word);
    if (text == NULL || strncmp(text, word, length) != 0 || !isdigit((unsigned char)text[length]))
        return NULL;
    *value = 0;
    for (text += length; isdigit((unsigned char)*text); text++)
        *value = *value * 10 + (*text - '0');
    return *value < 1e9 ? text : NULL;
}

/* The product behind a convolution's name; false if it is no name of one. */
static bool product_of(const char *name, double *n, double *k)
{
    double high, wide, channels, skip;
    const char *at = read_number_after(name, "conv", &high);
    at = read_number_after(at, "x", &wide);
    at = read_number_after(at, "s", &skip);
    at = read_number_after(at, "p", &skip);
    at = read_number_after(at, "_n", &skip);
    at = read_number_after(at, "_", &skip);
    at = read_number_after(at, "x", &skip);
    at = read_number_after(at, "_c", &channels);
    at = read_number_after(at, "_k", n);
    if (at == NULL || *at != '\0')
        return false;
    *k = channels * high * wide;
    return *n >= 1 && *k >= 1;
}

static void read_product(struct dcs_fused_tensor *t)
{
    double n, k;
    const char *at = read_number_after(t->name, "conv-", &n);
    at = read_number_after(at, "x", &k);
    bool known = at != NULL && *at == '\0' && n >= 1 && k >= 1;
    t->n = known ? n : 0;
    t->k = known ? k : 0;
}

static uint32_t find_exact(const struct dcs_fusion *f, double n, double k)
{
    for (uint32_t i = 0; i < f->tensors_count; i++)
        if (f->tensors[i].n == n && f->tensors[i].k == k)
            return i;
    return DCS_NO_FUSION;
}

static uint32_t find_nearest(const struct dcs_fusion *f, double n, double k, uint64_t shared_bytes)
{
    uint32_t best = DCS_NO_FUSION;
    double least = 0;
    for (uint32_t i = 0; i < f->tensors_count; i++) {
        const struct dcs_fused_tensor *t = &f->tensors[i];
        if (!(t->n > 0) || t->shared_bytes != shared_bytes)
            continue;
        double by_n = dcs_log(n / t->n), by_k = dcs_log(k / t->k);
        double distance = by_n * by_n + by_k * by_k;
        if (best == DCS_NO_FUSION || distance < least) {
            best = i;
            least = distance;
        }
    }
    return best;
}

static bool is_cuda(const struct dcs_shape *s)
{
    return s->kind == DCS_SHAPE_COMPUTE && s->cores == DCS_CORES_CUDA && s->launches == 1;
}

static bool has_like_blocks(const struct dcs_shape *a, const struct dcs_shape *b)
{
    return a->threads == b->threads && a->registers == b->registers &&
           a->shared_bytes == b->shared_bytes;
}

/* The kernel of an application on which its requests spend the most time; NO_SHAPE: none. */
static uint32_t main_kernel(const struct dcs_spatial *s, const struct dcs_sequence *q)
{
    uint32_t first = q->first_shape, end = first, best = NO_SHAPE;
    for (uint32_t i = 0; i < q->kernels; i++)
        end = q->shapes[i] >= end ? q->shapes[i] + 1 : end;
    double *ns = dcs_alloc(end - first + 1u, sizeof *ns), most = 0; /* by shape */
    for (uint32_t i = 0; i < q->kernels; i++)
        if (is_cuda(&s->shapes[q->shapes[i]]))
            ns[q->shapes[i] - first] += dcs_shape_solo_ns(s, q->shapes[i], s->sms);
    for (uint32_t i = 0; i < q->kernels; i++)
        if (ns[q->shapes[i] - first] > most) {
            best = q->shapes[i];
            most = ns[best - first];
        }
    free(ns);
    return best;
}

static void match_cuda(struct dcs_fusion *f, const struct dcs_spatial *s, uint32_t cuda)
{
    for (uint32_t app = 0; app < s->sequences_count; app++) {
        const struct dcs_sequence *q = &s->sequences[app];
        uint32_t main = strcmp(q->app, f->cudas[cuda]) == 0 ? main_kernel(s, q) : NO_SHAPE;
        for (uint32_t i = 0; main != NO_SHAPE && i < q->kernels; i++) {
            const struct dcs_shape *shape = &s->shapes[q->shapes[i]];
            if (is_cuda(shape) && has_like_blocks(shape, &s->shapes[main]))
                f->cuda_of[q->shapes[i]] = cuda;
        }
    }
}

void dcs_fusion_match_shapes(struct dcs_fusion *f, const struct dcs_spatial *s)
{
    for (uint32_t i = 0; i < f->tensors_count; i++)
        read_product(&f->tensors[i]);
    f->shapes_capacity = s->shapes_count + 1u;
    f->cuda_of = dcs_alloc(f->shapes_capacity, sizeof *f->cuda_of);
    for (int m = 0; m < 2; m++)
        f->tensor_of[m] = dcs_alloc(f->shapes_capacity, sizeof **f->tensor_of);
    for (uint32_t i = 0; i < s->shapes_count; i++) {
        const struct dcs_shape *shape = &s->shapes[i];
        double n, k;
        bool is = shape->cores == DCS_CORES_TENSOR && shape->launches == 1 && shape->name != NULL &&
                  product_of(shape->name, &n, &k);
        f->cuda_of[i] = DCS_NO_FUSION;
        f->tensor_of[DCS_FUSION_EXACT][i] = is ? find_exact(f, n, k) : DCS_NO_FUSION;
        f->tensor_of[DCS_FUSION_NEAREST][i] =
            is ? find_nearest(f, n, k, shape->shared_bytes) : DCS_NO_FUSION;
    }
    for (uint32_t i = 0; i < f->cudas_count; i++)
        match_cuda(f, s, i);
}

void dcs_fusion_add_shape(struct dcs_fusion *f, uint32_t shape, uint32_t like)
{
    uint32_t **tables[] = {&f->cuda_of, &f->tensor_of[DCS_FUSION_EXACT],
                           &f->tensor_of[DCS_FUSION_NEAREST]};
    size_t capacity = f->shapes_capacity;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        capacity = f->shapes_capacity;
        *tables[i] = dcs_grow(*tables[i], &capacity, shape + 1u, sizeof **tables[i]);
        (*tables[i])[shape] = (*tables[i])[like];
    }
    f->shapes_capacity = capacity;
}
