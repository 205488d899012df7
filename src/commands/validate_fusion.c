/*
 * validate_fusion.c - see validate_fusion.h.
 *
 * KERNELS ALONE (figure 17): the time of a persistent kernel is linear in its blocks. The line is
 * fitted by least squares of relative errors to every fifth load in ascending order, and tried on
 * the others.
 *
 * FUSED LAUNCHES (figure 18): models/predictor/fusion_model.h, as simulations use it: one model for
 * all sizes of the tensor kernel, tried on all ratios that it was not trained on; and one for each
 * size by itself, as the paper has it, tried on the other ratios of that size. Of the ways to fuse
 * a pair the one is shown that saves most in the mean of all measured points. Which one the offline
 * fuser keeps is another question (models/gpu/fusion.h): it is counted for how many pairs it keeps
 * any, and for how many another one than is shown.
 */
#include "commands/validate_fusion.h"

#include "des/stats.h"
#include "models/predictor/fusion_model.h"
#include "commands/validate_predict.h"

#include <float.h>
#include <stdlib.h>

#define TRAINED_EVERY 5
#define SHORT_NS      200000.0 /* a persistent kernel fills the device a few times over in this */
#define WELL          0.08     /* what the paper calls accurate */

struct errors {
    double *list;
    size_t count, capacity;
    double mean, p95, max; /* where there are any */
};

static void add_error(struct errors *e, double predicted, double measured)
{
    e->list = dcs_grow(e->list, &e->capacity, e->count + 1, sizeof *e->list);
    double error = predicted / measured - 1;
    e->list[e->count++] = error < 0 ? -error : error;
}

static void sum_up(struct errors *e)
{
    double sum = 0;
    if (e->count == 0)
        return;
    dcs_sort_doubles(e->list, e->count);
    for (size_t i = 0; i < e->count; i++)
        sum += e->list[i];
    e->mean = sum / (double)e->count;
    e->p95 = validate_quantile(e->list, e->count, 0.95);
    e->max = e->list[e->count - 1];
}

static void print_errors(const struct errors *e)
{
    if (e->count == 0)
        printf(" %6s %7s %7s %7s", "0", "-", "-", "-");
    else
        printf(" %6zu %7.2f %7.2f %7.2f", e->count, 100 * e->mean, 100 * e->p95, 100 * e->max);
}

/* ---- kernels alone ---- */

struct sample {
    double load, ns;
};

struct samples {
    struct sample *list;
    size_t count, capacity;
};

static int compare_samples(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    if (x->load != y->load)
        return x->load < y->load ? -1 : 1;
    return (x->ns > y->ns) - (x->ns < y->ns);
}

/* Each load was measured once for all ways of a pair at a size. */
static void take_loads(const struct dcs_fusion *f, uint32_t cuda, struct samples *out)
{
    for (uint32_t i = 0; i < f->ways_count; i++) {
        const struct dcs_fused_way *w = &f->ways[i];
        if (w->cuda != cuda ||
            (i > 0 && f->ways[i - 1].cuda == cuda && f->ways[i - 1].tensor == w->tensor))
            continue;
        for (size_t k = 0; k < w->curves_count; k++)
            for (size_t p = 0; p < w->curves[k].points_count; p++) {
                const struct dcs_fused_point *point = &w->curves[k].points[p];
                out->list = dcs_grow(out->list, &out->capacity, out->count + 1, sizeof *out->list);
                out->list[out->count++] =
                    (struct sample){(double)point->load, point->ratio * w->curves[k].tensor_ns};
            }
    }
    if (out->count > 0)
        qsort(out->list, out->count, sizeof *out->list, compare_samples);
}

static void print_kernel(const struct dcs_fusion *f, uint32_t cuda)
{
    struct samples s = {0};
    struct errors all = {0}, longer = {0};
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    take_loads(f, cuda, &s);
    for (size_t i = 0; i < s.count; i += TRAINED_EVERY) {
        double weight = 1 / (s.list[i].ns * s.list[i].ns);
        n += weight;
        x += weight * s.list[i].load;
        y += weight * s.list[i].ns;
        xx += weight * s.list[i].load * s.list[i].load;
        xy += weight * s.list[i].load * s.list[i].ns;
    }
    double spread = n * xx - x * x;
    double slope = (n * xy - x * y) / spread, base = (y - slope * x) / n;
    for (size_t i = 0; i < s.count; i++) {
        if (i % TRAINED_EVERY == 0 || !(spread > 1e-9 * n * xx)) /* one load makes no line */
            continue;
        double ns = base + slope * s.list[i].load;
        add_error(&all, ns, s.list[i].ns);
        if (s.list[i].ns > SHORT_NS)
            add_error(&longer, ns, s.list[i].ns);
    }
    sum_up(&all);
    sum_up(&longer);
    printf("%-14s", f->cudas[cuda]);
    print_errors(&all);
    print_errors(&longer);
    putchar('\n');
    free(s.list);
    free(all.list);
    free(longer.list);
}

/* ---- fused launches ---- */

/* Of a way, over all measured points: mean and best share that fusing takes off. */
static double saved_by(const struct dcs_fused_way *w, double *best)
{
    double sum = 0, n = 0;
    *best = -DBL_MAX;
    for (size_t i = 0; i < w->curves_count; i++)
        for (size_t k = 0; k < w->curves[i].points_count; k++) {
            const struct dcs_fused_point *p = &w->curves[i].points[k];
            double saved = 1 - p->end / (1 + p->ratio);
            *best = saved > *best ? saved : *best;
            sum += saved;
            n++;
        }
    return sum / n;
}

static void try_lines(const struct dcs_fusion_lines *l, const struct dcs_fused_curve *c,
                      struct errors *before, struct errors *after, struct errors *all)
{
    for (size_t i = DCS_FUSION_TRAINED; i + DCS_FUSION_TRAINED < c->points_count; i++) {
        const struct dcs_fused_point *p = &c->points[i];
        double end = dcs_fusion_lines_at(l, p->ratio);
        add_error(dcs_fusion_lines_before(l, p->ratio) ? before : after, end, p->end);
        add_error(all, end, p->end);
    }
}

struct pair {
    uint32_t way; /* that saves most */
    double saved, best_saved;
    double equal; /* time where both kernels take as long, at best, over one of them */
    struct errors before, after, all; /* of one model */
    struct errors own;                /* of models by size */
};

/* At a load ratio of 100 %, of all sizes whose ratios reach it; DBL_MAX: none. */
static double at_equal_times(const struct dcs_fusion *f, uint32_t way)
{
    double least = DBL_MAX;
    const struct dcs_fused_way *w = &f->ways[way];
    for (size_t i = 0; i < w->curves_count; i++) {
        double ns = w->curves[i].tensor_ns;
        struct dcs_fused_time t = dcs_fusion_time(f, way, ns, ns);
        if (!t.beyond && w->curves[i].points[0].ratio <= 1)
            least = t.ns / ns < least ? t.ns / ns : least;
    }
    return least;
}

/* False: an SM has no room for any way. */
static bool try_pair(const struct dcs_fusion *f, uint32_t first, uint32_t end, struct pair *p)
{
    *p = (struct pair){.saved = -DBL_MAX, .equal = DBL_MAX};
    for (uint32_t way = first; way < end; way++) {
        if (!f->ways[way].fits)
            continue;
        double best, saved = saved_by(&f->ways[way], &best), equal = at_equal_times(f, way);
        p->equal = equal < p->equal ? equal : p->equal;
        if (saved > p->saved) {
            p->way = way;
            p->saved = saved;
            p->best_saved = best;
        }
    }
    if (!(p->saved > -DBL_MAX))
        return false;
    const struct dcs_fused_way *w = &f->ways[p->way];
    struct dcs_fusion_lines lines = dcs_fusion_train(w->curves, w->curves_count);
    struct errors unused = {0};
    for (size_t i = 0; i < w->curves_count; i++) {
        struct dcs_fusion_lines own = dcs_fusion_train(&w->curves[i], 1);
        try_lines(&lines, &w->curves[i], &p->before, &p->after, &p->all);
        try_lines(&own, &w->curves[i], &unused, &unused, &p->own);
    }
    free(unused.list);
    sum_up(&p->before);
    sum_up(&p->after);
    sum_up(&p->all);
    sum_up(&p->own);
    return true;
}

static void print_part(const struct errors *e)
{
    if (e->count == 0)
        printf(" %7s %7s", "-", "-");
    else
        printf(" %7.2f %7.2f", 100 * e->mean, 100 * e->max);
}

static void print_pairs(const struct dcs_fusion *f)
{
    size_t pairs = 0, tried = 0, well = 0, saving = 0, well_saving = 0, kept = 0, others = 0;
    double sum = 0;
    printf("\n%-33s %15s %8s %15s %15s %15s %15s\n", "", "saved %", "at 100 %", "before", "after",
           "both", "by size");
    printf("%-14s %-10s %-7s", "tensor", "cuda", "blocks");
    printf(" %7s %7s %8s", "mean", "max", "");
    for (int i = 0; i < 4; i++)
        printf(" %7s %7s", "mean", "max");
    putchar('\n');
    for (size_t i = 0; i < f->tensors_count * f->cudas_count; i++) {
        struct pair p;
        if (f->first_way[i] == f->first_way[i + 1])
            continue;
        if (!try_pair(f, f->first_way[i], f->first_way[i + 1], &p))
            continue;
        const struct dcs_fused_way *w = &f->ways[p.way];
        char blocks[32];
        snprintf(blocks, sizeof blocks, "%u:%u", w->tensor_blocks, w->cuda_blocks);
        printf("%-14s %-10s %-7s %7.1f %7.1f", f->tensors[w->tensor].name, f->cudas[w->cuda],
               blocks, 100 * p.saved, 100 * p.best_saved);
        if (p.equal < DBL_MAX)
            printf(" %8.2f", p.equal);
        else
            printf(" %8s", "-");
        print_part(&p.before);
        print_part(&p.after);
        print_part(&p.all);
        print_part(&p.own);
        putchar('\n');
        uint32_t decided = dcs_fusion_decide(f, f->first_way[i], f->first_way[i + 1]);
        kept += decided != DCS_NO_FUSION;
        others += decided != DCS_NO_FUSION && decided != p.way;
        pairs++;
        tried += p.all.count > 0;
        sum += p.all.count > 0 ? p.all.mean : 0;
        well += p.all.count > 0 && p.all.max <= WELL;
        saving += p.saved > 0;
        well_saving += p.saved > 0 && p.all.count > 0 && p.all.max <= WELL;
        free(p.before.list);
        free(p.after.list);
        free(p.all.list);
        free(p.own.list);
    }
    printf("\n%zu pairs", pairs);
    if (tried > 0)
        printf(": mean error %.2f %%; at most %.0f %% off everywhere: %zu",
               100 * sum / (double)tried, 100 * WELL, well);
    printf(
        ". %zu save time in the mean of all\nmeasured points; of these at most %.0f %% off: %zu.\n",
        saving, 100 * WELL, well_saving);
    printf("The offline fuser (fusion.decide) keeps a way of %zu pairs, those that save time where "
           "both kernels\ntake as long; of %zu it is another one than is shown.\n",
           kept, others);
}

int validate_fusion(const struct dcs_profile *profile, const struct dcs_spatial *spatial,
                    const char *path, struct dcs_err *err)
{
    const struct dcs_fusion *f = spatial->fusion;
    if (f == NULL || f->ways_count == 0)
        return dcs_err_at(err, path, 0, "fused",
                          "has no fused launches; dcsim-calibrate fusion --output PROFILE.db "
                          "measures them");
    size_t fit = 0;
    for (size_t i = 0; i < f->ways_count; i++)
        fit += f->ways[i].fits;
    printf("Fused launches of profile %s: %zu ways, of which an SM has room for %zu\n",
           profile->name, f->ways_count, fit);
    printf("\nPersistent kernels alone: linear in their blocks, trained on every %dth load\n\n",
           TRAINED_EVERY);
    printf("%-14s %30s %31s\n%-14s", "", "all", "above 0.2 ms", "cuda");
    for (int i = 0; i < 2; i++)
        printf(" %6s %7s %7s %7s", "n", "mean %", "p95 %", "max %");
    putchar('\n');
    for (uint32_t i = 0; i < f->cudas_count; i++)
        print_kernel(f, i);
    printf(
        "\nFused launches: two-stage linear model on the load ratio, trained on the lowest %d and "
        "the "
        "highest %d\nratios of all sizes; errors, %%, on the others. by size: trained and tried on "
        "each size by itself\n",
        DCS_FUSION_TRAINED, DCS_FUSION_TRAINED);
    print_pairs(f);
    puts("\nErrors are |predicted / measured - 1| of the way that saves most in the mean. saved: "
         "share "
         "that it\ntakes off its two kernels one after the other, in the mean and at best. at 100 "
         "%: "
         "the least time of\nany way where both kernels take as long, over one of them. before, "
         "after: "
         "the opportune load ratio.");
    return 0;
}
