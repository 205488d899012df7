/* workload_colocated.c - services beside batch applications; see workload.h. */
#include "models/workload_draw.h"

#include <stdlib.h>
#include <string.h>

/* The first `count` of a random order of the list, as indices. */
static void draw_batch(const struct dcs_colocated *c, struct dcs_rng *rng, size_t *drawn)
{
    for (size_t i = 0; i < c->batch_apps_count; i++)
        drawn[i] = i;
    for (size_t i = 0; i < c->batch_per_domain; i++) {
        size_t j = i + dcs_rng_below(rng, c->batch_apps_count - i);
        size_t index = drawn[i];
        drawn[i] = drawn[j];
        drawn[j] = index;
    }
}

static const struct dcs_input *batch_input(const struct dcs_colocated *c, size_t i)
{
    return c->batch_inputs != NULL ? c->batch_inputs[i] : NULL;
}

void dcs_workload_add_colocated(struct dcs_workload *w, const struct dcs_colocated *c,
                                uint64_t seed, uint32_t replication, uint32_t generator)
{
    DCS_ASSERT(c->batch_per_domain <= c->batch_apps_count);
    size_t *drawn = dcs_alloc(c->batch_apps_count + 1, sizeof *drawn);
    size_t domains = c->services_count * c->domains_per_service;
    for (size_t i = 0; i < domains; i++) {
        const struct dcs_colocated_service *s = &c->services[i / c->domains_per_service];
        uint32_t domain = c->first_domain + (uint32_t)i;
        dcs_workload_add(
            w, &(struct dcs_job){
                   .app = s->app,
                   .input = s->input,
                   .open = true,
                   .arrivals = {.kind = DCS_ARRIVALS_POISSON,
                                .rate_per_s = s->rate_per_device_per_s * c->domain_devices[domain]},
                   .sla_ns = s->sla_ns,
                   .pinned = true,
                   .domain = domain,
               });
        struct dcs_rng rng;
        dcs_rng_stream(&rng, seed, replication, DCS_RNG_JOBS,
                       draw_entity(generator, (uint64_t)domain + 1));
        draw_batch(c, &rng, drawn);
        for (size_t k = 0; k < c->batch_per_domain; k++)
            dcs_workload_add(w, &(struct dcs_job){.app = c->batch_apps[drawn[k]],
                                                  .input = batch_input(c, drawn[k]),
                                                  .clients = 1,
                                                  .pinned = true,
                                                  .domain = domain});
    }
    free(drawn);
}
