/*
 * host_fusion.c - what a policy is told that a fused launch will take, and what its domain learns
 * from those that have ended (models/predictor/fusion_model.h). Each domain has a predictor of its
 * own, as trained on the profile to begin with.
 *
 * Predictions rest on what is predicted of the two kernels alone; a clairvoyant knows these, and
 * what was measured of the two together.
 */
#include "engine/cluster_state.h"

static const struct dcs_fusion *fusion_of(const struct domain *d)
{
    const struct cluster *c = d->cluster;
    return c->device_kind->fuses ? c->spec->sharing.spatial[d->profile]->fusion : NULL;
}

bool host_fusion_pair(const struct cluster *c, const struct request *a, const struct request *b,
                      struct dcs_fusion_pair *out)
{
    const struct domain *d = &c->domains[a->domain];
    const struct dcs_app *of[] = {request_form(c, a), request_form(c, b)};
    const uint32_t kernels[] = {a->kernel, b->kernel};
    uint32_t shapes[2];
    for (int i = 0; i < 2; i++) {
        if (of[i]->shapes == NULL || kernels[i] >= of[i]->kernels)
            return false;
        shapes[i] = of[i]->shapes[d->profile * of[i]->kernels + kernels[i]];
    }
    return dcs_fusion_find(fusion_of(d), c->spec->sharing.fusion_match, shapes, out);
}

static int64_t alone_ns(struct domain *d, struct request *r)
{
    const struct host_allotment whole = {.mechanism = HOST_WHOLE};
    return host_prediction(d, r, r->kernel, HOST_DURATION_NS, whole);
}

static double predict_way(struct domain *d, uint32_t way, double tensor_ns, double cuda_ns)
{
    const struct dcs_fusion *f = fusion_of(d);
    if (d->cluster->spec->clairvoyant)
        return dcs_fusion_time(f, way, tensor_ns, cuda_ns).ns;
    if (d->fusion_lines == NULL)
        d->fusion_lines = dcs_fusion_train_all(f);
    double ns = dcs_fusion_lines_at(&d->fusion_lines[way], cuda_ns / tensor_ns) * tensor_ns;
    return ns > 1 ? ns : 1;
}

/* Whether a way may be offered; decided: what the offline fuser keeps. */
static bool is_candidate(const struct domain *d, uint32_t way, uint32_t decided)
{
    const struct dcs_fused_way *w = &fusion_of(d)->ways[way];
    if (d->cluster->spec->sharing.fusion_choice == DCS_FUSION_OFFLINE)
        return way == decided;
    return w->fits && w->gains;
}

bool host_predict_pair(struct domain *d, struct request *a, struct request *b,
                       struct host_fusion *out)
{
    struct cluster_fusion *counts = &d->cluster->result->fusion;
    const struct dcs_fusion *f = fusion_of(d);
    struct dcs_fusion_pair pair;
    counts->asked++;
    if (a == b || !host_fusion_pair(d->cluster, a, b, &pair))
        return false;
    const int64_t parts[] = {alone_ns(d, a), alone_ns(d, b)};
    double tensor_ns = (double)parts[pair.tensor], cuda_ns = (double)parts[1 - pair.tensor];
    double least = 0;
    uint32_t decided = dcs_fusion_decide(f, pair.first, pair.end);
    uint32_t best = DCS_NO_FUSION, fit = 0;
    for (uint32_t way = pair.first; way < pair.end; way++) {
        fit += f->ways[way].fits;
        if (!is_candidate(d, way, decided))
            continue;
        double ns = predict_way(d, way, tensor_ns, cuda_ns);
        if (best == DCS_NO_FUSION || ns < least) {
            best = way;
            least = ns;
        }
    }
    counts->oversized += fit == 0;
    if (best == DCS_NO_FUSION)
        return false;
    *out = (struct host_fusion){
        .variant = best, .duration_ns = (int64_t)(least + 0.5), .parts_ns = {parts[0], parts[1]}};
    return true;
}

void host_fusion_begins(struct cluster *c, const struct device_launch *l)
{
    struct request *a = request_find(c, l->part[0].id), *b = request_find(c, l->part[1].id);
    struct domain *d = &c->domains[a->domain];
    const double parts[] = {(double)alone_ns(d, a), (double)alone_ns(d, b)};
    if (is_split(c))
        cluster_not_separable(c); /* the errors of predictions are summed in the order of events */
    struct request_fused *second = request_fuse(c, b);
    if (second == NULL)
        return;
    *second = (struct request_fused){.with = a->id};
    struct request_fused *first = request_fuse(c, a);
    if (first == NULL)
        return;
    *first = (struct request_fused){.with = b->id,
                                    .first = true,
                                    .way = l->way,
                                    .tensor_ns = parts[l->pair.tensor],
                                    .cuda_ns = parts[1 - l->pair.tensor]};
    first->ns = predict_way(d, l->way, first->tensor_ns, first->cuda_ns);
}

/* NULL: its kernel is no part of a fused launch. */
static struct request_fused *fused_of(const struct cluster *c, const struct request *r)
{
    uint32_t slot = request_slot(r);
    struct request_fused *f = slot < c->requests.fused_capacity ? &c->requests.fused[slot] : NULL;
    return f != NULL && f->with != 0 ? f : NULL;
}

void host_fusion_began(struct cluster *c, const struct device_launch *l, int64_t began_ns)
{
    struct request_fused *fused = fused_of(c, request_find(c, l->part[0].id));
    if (fused == NULL)
        return;
    fused->began_ns = began_ns;
    fused->alone_ns = l->alone_ns;
    fused->beyond = l->beyond;
    c->result->fusion.launches++;
}

/* Counts a launch that has completed, and learns from it. */
static void learn(struct domain *d, const struct request_fused *f)
{
    struct cluster_fusion *counts = &d->cluster->result->fusion;
    double took_ns = (double)(d->cluster->now_ns - f->began_ns);
    double error = f->ns > took_ns ? f->ns / took_ns - 1 : 1 - f->ns / took_ns;
    counts->completed++;
    counts->beyond += f->beyond;
    counts->error += error;
    counts->error_max = error > counts->error_max ? error : counts->error_max;
    counts->fused_ns += took_ns;
    counts->alone_ns += f->alone_ns;
    if (!d->cluster->spec->clairvoyant)
        counts->learned +=
            dcs_fusion_learn(&d->fusion_lines[f->way], f->tensor_ns, f->cuda_ns, took_ns);
}

void host_fusion_ends(struct cluster *c, struct device_end *ends)
{
    struct request *a = request_find(c, ends[0].id), *b = request_find(c, ends[1].id);
    struct request_fused *fa = fused_of(c, a), *fb = fused_of(c, b);
    if (fa == NULL)
        return;
    DCS_ASSERT(fa->with == b->id && fb != NULL);
    if (fb->first) {
        struct device_end end = ends[0];
        ends[0] = ends[1];
        ends[1] = end;
    }
    if (!ends[0].stopped)
        learn(&c->domains[a->domain], fa->first ? fa : fb);
    fa->with = fb->with = 0;
}
