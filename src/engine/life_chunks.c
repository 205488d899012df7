/*
 * life_chunks.c - the life of divisible requests: chunks of a pass begin and end on several devices
 * of a domain, and the pass is over when none is left. Called by life_devices.c where a chunk ends,
 * and by the host.
 *
 * Of a request: RUNNING while a chunk of it runs; PLEDGED while none runs and a charged one is
 * under way; UNTOLD while none does and its policy has an end to hear of; else WAITING.
 */
#include "engine/cluster_state.h"

static uint32_t hash_16(uint64_t x)
{
    return (uint32_t)(x * UINT64_C(0x9e3779b97f4a7c15) >> 48);
}

/* Noise of the chunk: of the n-th of its pass on this device. */
static double draw_of(const struct cluster *c, const struct device *dev, const struct request *r)
{
    struct dcs_rng rng;
    bool goes_on = dev->given.of == r->id && dev->given.pass == r->kernel;
    uint64_t nth = goes_on ? dev->given.count : 0;
    dcs_rng_point(&rng, c->spec->seed, c->spec->replication, DCS_RNG_NOISE, r->job, r->index,
                  r->kernel & 0xffff, hash_16((uint64_t)dev->place << 32 | (nth + 1)));
    return dcs_rng_open(&rng);
}

void life_true_chunk(const struct cluster *c, const struct device *dev, const struct request *r,
                     uint64_t iterations, struct device_chunk *out)
{
    const struct dcs_app *app = request_form(c, r);
    int64_t threads = c->spec->domains[dev->domain].cpu_threads;
    enum dcs_side side = device_is_cpu(dev) ? DCS_SIDE_CPU : DCS_SIDE_GPU;
    double u = draw_of(c, dev, r);
    const struct dcs_work *w = app->work[dev->profile];
    double factor = c->requests.scrambled ? request_scramble_factor(c->spec->probe, r) : 0;
    *out = (struct device_chunk){.iterations = (int64_t)iterations};
    int64_t *ns[] = {&out->alone_ns, &out->beside_ns};
    for (int beside = 0; beside < 2; beside++) {
        *ns[beside] = dcs_app_chunk_ns(app, w, side, threads, beside != 0, (int64_t)iterations, u);
        if (factor > 0)
            *ns[beside] = 1 + (int64_t)((double)*ns[beside] * factor);
    }
}

/* Which devices have the other side at work beside them. */
static void look_beside(struct cluster *c, const struct domain *d)
{
    bool cpu = false, gpu = false;
    struct device *devices = &c->devices[d->first_device];
    for (uint32_t i = 0; i < d->devices; i++)
        if (devices[i].kind->running(&devices[i]) > 0)
            *(device_is_cpu(&devices[i]) ? &cpu : &gpu) = true;
    for (uint32_t i = 0; i < d->devices; i++)
        if (devices[i].kind->beside(&devices[i], c->now_ns, device_is_cpu(&devices[i]) ? gpu : cpu))
            device_changed(c, &devices[i]);
}

void life_launch_chunk(struct cluster *c, struct device *dev, struct device_launch *l)
{
    struct request *r = request_find(c, l->part[0].id);
    struct request_division *part = request_division(&c->requests, r);
    if (!part->begun) {
        part->begun = true;
        part->begin_ns = c->now_ns;
        part->ready_ns = dcs_add_times(c->now_ns, request_work(c, r)->pass_ns);
    }
    life_true_chunk(c, dev, r, (uint64_t)l->chunk.iterations, &l->chunk);
    l->chunk.ready_ns = part->ready_ns;
    bool same = dev->given.of == r->id && dev->given.pass == r->kernel;
    dev->given = (struct device_given){
        .of = r->id, .pass = r->kernel, .count = same ? dev->given.count + 1 : 1};
    if (r->state == REQUEST_RUNNING)
        c->jobs[r->job].waiting++; /* life_launched() takes it off: it did not wait */
    life_launched(c, r, dev, l->chunk.alone_ns);
    r->start_ns = part->begin_ns;
    part->running++;
    dev->kind->start(dev, c->now_ns, l);
    device_changed(c, dev);
    look_beside(c, &c->domains[r->domain]);
}

void life_chunk_done(struct cluster *c, struct device *dev, struct request *r)
{
    struct request_division *part = request_division(&c->requests, r);
    DCS_ASSERT(r->state == REQUEST_RUNNING && part->running > 0);
    part->running--;
    part->untold++;
    r->device = dev->index;
    look_beside(c, &c->domains[r->domain]);
    if (part->left == 0 && part->running + part->pledged == 0) {
        life_kernel_done(c, r);
        return;
    }
    life_chunk_over(c, r);
    if (part->running > 0)
        return;
    r->state = part->pledged > 0 ? REQUEST_PLEDGED : REQUEST_UNTOLD;
    c->jobs[r->job].waiting++;
}

void life_chunk_told(struct cluster *c, struct domain *d, req_id id, uint32_t device)
{
    struct device *dev = &c->devices[d->first_device + device];
    struct request *r = request_find(c, id);
    DCS_ASSERT(r != NULL && request_division(&c->requests, r)->untold > 0);
    dev->ended.untold = false;
    device_changed(c, dev);
    struct request_division *part = request_division(&c->requests, r);
    part->untold--;
    if (r->state == REQUEST_GONE || part->untold > 0)
        return;
    if (part->left == 0 && part->running + part->pledged == 0)
        request_begin_pass(c, r);
    if (r->state == REQUEST_UNTOLD)
        r->state = REQUEST_WAITING;
}
