/* host_chunks.c - divisible work, as a policy sees it and gives it out; see policies/policy.h. */
#include "engine/host_parts.h"

bool host_ask_division(const struct host *h, req_id id, struct host_division *out)
{
    const struct domain *d = host_domain(h);
    const struct request *r = host_visible(d, id);
    const struct dcs_work *w = r != NULL ? request_work(d->cluster, r) : NULL;
    if (w == NULL)
        return false;
    const struct request_division *part = request_division(&d->cluster->requests, r);
    *out = (struct host_division){
        .iterations = (uint64_t)w->iterations,
        .left = part->left,
        .chunk_min = (uint64_t)w->chunk_min,
        .chunks = part->pledged + part->running + part->untold,
    };
    return true;
}

bool host_ask_ended_chunk(const struct host *h, req_id id, dev_id device, struct host_chunk *out)
{
    const struct domain *d = host_domain(h);
    if (device >= d->devices || host_visible(d, id) == NULL)
        return false;
    const struct device *dev = &d->cluster->devices[d->first_device + device];
    if (dev->ended.of != id || dev->ended.untold)
        return false;
    *out = dev->ended.chunk;
    return true;
}

/* The median of what was measured, or for a clairvoyant the truth of the next chunk there: beside
 * the other side, unless nothing is left for that. */
int64_t host_ask_predict_chunk(struct host *h, req_id id, dev_id device, uint64_t iterations)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    const struct request *r = host_visible(d, id);
    const struct dcs_work *w = r != NULL ? request_work(c, r) : NULL;
    if (w == NULL || device >= d->devices || iterations < 1 || iterations > (uint64_t)w->iterations)
        return -1;
    host_charge_predictions(d, 1);
    const struct device *dev = &c->devices[d->first_device + device];
    bool beside = iterations < (uint64_t)w->iterations && d->devices > 1;
    if (c->spec->clairvoyant) {
        struct device_chunk chunk;
        life_true_chunk(c, dev, r, iterations, &chunk);
        return beside ? chunk.beside_ns : chunk.alone_ns;
    }
    return dcs_app_chunk_ns(request_form(c, r), w, device_is_cpu(dev) ? DCS_SIDE_CPU : DCS_SIDE_GPU,
                            c->spec->domains[d->index].cpu_threads, beside, (int64_t)iterations,
                            0.5);
}

/* Why so many iterations are no legal chunk; NULL: they are. */
static const char *refuse_chunk(const struct dcs_work *w, uint64_t left, uint64_t iterations)
{
    if (iterations == 0)
        return "it has no iteration";
    if (iterations > left)
        return "it has more iterations than are left of the pass";
    if (iterations < (uint64_t)w->chunk_min && iterations < left)
        return "it has fewer iterations than chunk_min, and more are left";
    return NULL;
}

void host_give_chunk(struct domain *d, struct request *r, dev_id to, uint64_t iterations,
                     struct host_allotment a)
{
    struct cluster *c = d->cluster;
    const char *name = request_form(c, r)->name;
    const struct dcs_work *w = request_work(c, r);
    if (w == NULL) {
        cluster_fail(c, d, "launch_chunk: application \"%s\" is not divisible", name);
        return;
    }
    if (to >= d->devices) {
        cluster_fail(c, d, "launch_chunk: there is no device %u, the domain has %u", to,
                     d->devices);
        return;
    }
    struct device *dev = &c->devices[d->first_device + to];
    struct device_launch l;
    uint64_t left = request_division(&c->requests, r)->left;
    const char *why = refuse_chunk(w, left, iterations);
    life_prepare(c, dev, r, a, &l);
    l.chunk.iterations = (int64_t)iterations;
    if (why == NULL)
        why = dev->kind->refuses(dev, &l);
    if (why != NULL)
        cluster_fail(c, d,
                     "launch_chunk: %llu iterations of application \"%s\" on device %u (%llu are "
                     "left, chunk_min is %lld): %s",
                     (unsigned long long)iterations, name, to, (unsigned long long)left,
                     (long long)w->chunk_min, why);
    else
        host_carry_out_chunk(d, dev, r, &l);
}

void host_act_launch_chunk(struct host *h, req_id id, dev_id to, uint64_t iterations)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    if (!host_begin_action(d, CLUSTER_LAUNCH_CHUNK, id, (uint64_t)to | iterations << 24))
        return;
    struct request *r = host_visible(d, id);
    if (r == NULL || r->state == REQUEST_GONE)
        cluster_fail(c, d, "launch_chunk: request %llu is not in this domain, or has ended",
                     (unsigned long long)id);
    else if (r->state == REQUEST_PLEDGED && request_division(&c->requests, r)->pledged == 0)
        cluster_fail(c, d, "launch_chunk: request %llu has another action under way",
                     (unsigned long long)id);
    else
        host_give_chunk(d, r, to, iterations, (struct host_allotment){.mechanism = HOST_WHOLE});
}
