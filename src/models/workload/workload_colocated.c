/* workload_colocated.c - services beside batch applications; see workload.h. */
#include "models/workload/assign.h"
#include "models/workload/workload_draw.h"

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

/* Deals what was drawn for all domains out again; see workload.h. */
static void place(const struct dcs_colocated *c, uint32_t domains, size_t *drawn)
{
    DCS_ASSERT(c->batch_per_domain == 1);
    int64_t *value = dcs_alloc((size_t)domains * domains, sizeof *value);
    uint32_t *from = dcs_alloc(domains, sizeof *from);
    size_t *dealt = dcs_alloc(domains, sizeof *dealt);
    for (uint32_t i = 0; i < domains; i++)
        for (uint32_t k = 0; k < domains; k++)
            value[(size_t)i * domains + k] =
                c->value[i / c->domains_per_service * c->batch_apps_count + drawn[k]];
    dcs_assign(value, domains, from);
    for (uint32_t i = 0; i < domains; i++)
        dealt[i] = drawn[from[i]];
    memcpy(drawn, dealt, domains * sizeof *drawn);
    free(value);
    free(from);
    free(dealt);
}

static void add_service(struct dcs_workload *w, const struct dcs_colocated *c, size_t i)
{
    const struct dcs_colocated_service *s = &c->services[i / c->domains_per_service];
    uint32_t domain = c->first_domain + (uint32_t)i;
    const struct dcs_arrivals_spec arrivals = {.kind = DCS_ARRIVALS_POISSON,
                                               .rate_per_s = s->rate_per_device_per_s *
                                                             c->domain_devices[domain]};
    dcs_workload_add(
        w,
        &(struct dcs_job){
            .app = s->app,
            .input = s->input,
            .open = c->clients == 0,
            .clients = c->clients,
            .arrivals = c->clients == 0 ? dcs_workload_keep(w, &arrivals, sizeof arrivals) : NULL,
            .sla_ns = s->sla_ns,
            .pinned = true,
            .domain = domain,
        });
}

void dcs_workload_add_colocated(struct dcs_workload *w, const struct dcs_colocated *c,
                                uint64_t seed, uint32_t replication, uint32_t generator)
{
    DCS_ASSERT(c->batch_per_domain <= c->batch_apps_count && c->batch_clients >= 1);
    size_t domains = c->services_count * c->domains_per_service, per = c->batch_per_domain;
    size_t *order = dcs_alloc(c->batch_apps_count + 1, sizeof *order);
    size_t *drawn = dcs_alloc(domains * per + 1, sizeof *drawn);
    for (size_t i = 0; i < domains; i++) {
        struct dcs_rng rng;
        dcs_rng_stream(&rng, seed, replication, DCS_RNG_JOBS,
                       draw_entity(generator, (uint64_t)c->first_domain + i + 1));
        draw_batch(c, &rng, order);
        memcpy(drawn + i * per, order, per * sizeof *order);
    }
    if (c->value != NULL)
        place(c, (uint32_t)domains, drawn);
    for (size_t i = 0; i < domains; i++) {
        add_service(w, c, i);
        for (size_t k = i * per; k < (i + 1) * per; k++)
            dcs_workload_add(w, &(struct dcs_job){.app = c->batch_apps[drawn[k]],
                                                  .input = batch_input(c, drawn[k]),
                                                  .clients = c->batch_clients,
                                                  .pinned = true,
                                                  .domain = c->first_domain + (uint32_t)i});
    }
    free(order);
    free(drawn);
}
