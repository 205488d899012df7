/* fusion_model.c - see fusion_model.h. */
#include "models/predictor/fusion_model.h"

static void fit(struct dcs_fusion_line *l)
{
    double spread = l->n * l->xx - l->x * l->x;
    /* Points at one ratio have no slope, but for what rounding makes of it. */
    bool sloped = spread > 1e-9 * l->n * l->xx;
    l->slope = sloped ? (l->n * l->xy - l->x * l->y) / spread : 0;
    l->base = (l->y - l->slope * l->x) / l->n;
}

static void add_point(struct dcs_fusion_line *l, double ratio, double end)
{
    l->n += 1;
    l->x += ratio;
    l->y += end;
    l->xx += ratio * ratio;
    l->xy += ratio * end;
}

struct dcs_fusion_lines dcs_fusion_train(const struct dcs_fused_curve *curves, size_t count)
{
    struct dcs_fusion_lines l = {0};
    for (size_t i = 0; i < count; i++) {
        const struct dcs_fused_curve *c = &curves[i];
        size_t n = c->points_count < DCS_FUSION_TRAINED ? c->points_count : DCS_FUSION_TRAINED;
        for (size_t k = 0; k < n; k++) {
            const struct dcs_fused_point *low = &c->points[k];
            const struct dcs_fused_point *high = &c->points[c->points_count - 1 - k];
            add_point(&l.before, low->ratio, low->end);
            add_point(&l.after, high->ratio, high->end);
        }
    }
    fit(&l.before);
    fit(&l.after);
    return l;
}

static double at(const struct dcs_fusion_line *l, double ratio)
{
    return l->base + l->slope * ratio;
}

bool dcs_fusion_lines_before(const struct dcs_fusion_lines *l, double ratio)
{
    return at(&l->before, ratio) >= at(&l->after, ratio);
}

double dcs_fusion_lines_at(const struct dcs_fusion_lines *l, double ratio)
{
    return at(dcs_fusion_lines_before(l, ratio) ? &l->before : &l->after, ratio);
}

struct dcs_fusion_lines *dcs_fusion_train_all(const struct dcs_fusion *f)
{
    struct dcs_fusion_lines *all = dcs_alloc(f->ways_count + 1, sizeof *all);
    for (size_t i = 0; i < f->ways_count; i++)
        all[i] = dcs_fusion_train(f->ways[i].curves, f->ways[i].curves_count);
    return all;
}

bool dcs_fusion_learn(struct dcs_fusion_lines *way, double tensor_ns, double cuda_ns,
                      double took_ns)
{
    double ratio = cuda_ns / tensor_ns, took = took_ns / tensor_ns;
    double error = dcs_fusion_lines_at(way, ratio) - took;
    if (error <= DCS_FUSION_WRONG * took && -error <= DCS_FUSION_WRONG * took)
        return false;
    struct dcs_fusion_line *line = dcs_fusion_lines_before(way, ratio) ? &way->before : &way->after;
    add_point(line, ratio, took);
    fit(line);
    return true;
}
