/* fusion.c - see fusion.h: how long a fused launch takes. */
#include "models/gpu/fusion_load.h"

#include <stdlib.h>

bool dcs_fusion_find(const struct dcs_fusion *f, enum dcs_fusion_match match,
                     const uint32_t shapes[2], struct dcs_fusion_pair *out)
{
    for (int i = 0; f != NULL && i < 2; i++) {
        uint32_t tensor = f->tensor_of[match][shapes[i]], cuda = f->cuda_of[shapes[1 - i]];
        if (tensor == DCS_NO_FUSION || cuda == DCS_NO_FUSION)
            continue;
        const uint32_t *first = &f->first_way[tensor * f->cudas_count + cuda];
        *out = (struct dcs_fusion_pair){.first = first[0], .end = first[1], .tensor = i};
        return first[0] < first[1];
    }
    return false;
}

static struct dcs_fused_point interpolate_points(const struct dcs_fused_point *a,
                                                 const struct dcs_fused_point *b, double part)
{
    return (struct dcs_fused_point){
        .ratio = a->ratio + (b->ratio - a->ratio) * part,
        .end = a->end + (b->end - a->end) * part,
        .tensor_end = a->tensor_end + (b->tensor_end - a->tensor_end) * part,
        .cuda_end = a->cuda_end + (b->cuda_end - a->cuda_end) * part,
    };
}

static struct dcs_fused_point find_on_curve(const struct dcs_fused_curve *c, double ratio)
{
    size_t n = c->points_count, i = 0;
    struct dcs_fused_point p = c->points[0];
    if (ratio < p.ratio) {
        p.cuda_end *= ratio / p.ratio;
        return p;
    }
    p = c->points[n - 1];
    if (ratio > p.ratio) {
        p.end += (ratio - p.ratio) * c->tail;
        p.cuda_end = p.end;
        return p;
    }
    while (i + 1 < n && c->points[i + 1].ratio < ratio)
        i++;
    if (i + 1 == n || ratio == c->points[i].ratio)
        return c->points[i];
    const struct dcs_fused_point *a = &c->points[i], *b = a + 1;
    return interpolate_points(a, b, (ratio - a->ratio) / (b->ratio - a->ratio));
}

double dcs_fused_saved(const struct dcs_fused_curve *c)
{
    double lowest = c->points[0].ratio, highest = c->points[c->points_count - 1].ratio;
    double ratio = lowest > 1 ? lowest : highest < 1 ? highest : 1;
    return 1 - find_on_curve(c, ratio).end / (1 + ratio);
}

uint32_t dcs_fusion_decide(const struct dcs_fusion *f, uint32_t first, uint32_t end)
{
    uint32_t best = DCS_NO_FUSION;
    double most = 0;
    for (uint32_t way = first; way < end; way++)
        if (f->ways[way].fits && f->ways[way].saved > most) {
            best = way;
            most = f->ways[way].saved;
        }
    return best;
}

struct dcs_fused_time dcs_fusion_time(const struct dcs_fusion *f, uint32_t way, double tensor_ns,
                                      double cuda_ns)
{
    DCS_ASSERT(way < f->ways_count && tensor_ns > 0 && cuda_ns > 0);
    const struct dcs_fused_way *w = &f->ways[way];
    double ratio = cuda_ns / tensor_ns;
    size_t i = 0;
    while (i + 1 < w->curves_count && w->curves[i + 1].tensor_ns < tensor_ns)
        i++;
    const struct dcs_fused_curve *a = &w->curves[i], *b = i + 1 < w->curves_count ? a + 1 : a;
    struct dcs_fused_point p = find_on_curve(a, ratio);
    bool beyond = ratio > a->points[a->points_count - 1].ratio;
    if (b != a && tensor_ns > a->tensor_ns) {
        struct dcs_fused_point q = find_on_curve(b, ratio);
        p = interpolate_points(&p, &q, (tensor_ns - a->tensor_ns) / (b->tensor_ns - a->tensor_ns));
        beyond = beyond || ratio > b->points[b->points_count - 1].ratio;
    }
    /* Between two points either part may be the later one. */
    double last = p.tensor_end > p.cuda_end ? p.tensor_end : p.cuda_end;
    struct dcs_fused_time t = {
        .ns = p.end * tensor_ns,
        .tensor_end_ns = p.tensor_end * (p.end / last) * tensor_ns,
        .cuda_end_ns = p.cuda_end * (p.end / last) * tensor_ns,
        .beyond = beyond,
    };
    if (t.ns < 1) { /* no launch takes less */
        t.tensor_end_ns /= t.ns;
        t.cuda_end_ns /= t.ns;
        t.ns = 1;
    }
    return t;
}

void dcs_fusion_free(struct dcs_fusion *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->ways_count; i++) {
        for (size_t k = 0; k < f->ways[i].curves_count; k++)
            free(f->ways[i].curves[k].points);
        free(f->ways[i].curves);
    }
    for (size_t i = 0; i < f->tensors_count; i++)
        free(f->tensors[i].name);
    for (size_t i = 0; i < f->cudas_count; i++)
        free(f->cudas[i]);
    free(f->tensors);
    free(f->cudas);
    free(f->ways);
    free(f->first_way);
    free(f->tensor_of[DCS_FUSION_EXACT]);
    free(f->tensor_of[DCS_FUSION_NEAREST]);
    free(f->cuda_of);
    free(f);
}
