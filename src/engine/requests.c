/* requests.c - requests as data: their slots, the times of their kernels, and what is drawn for
 * them. What happens to them is in lifecycle.c. */
#include "engine/cluster_state.h"

/* 1 GiB of them: a queue that long is no longer worth simulating. */
#define REQUESTS_INSIDE_MAX ((uint32_t)1 << 22)
/* Devices have an event each, which are not refused: they must fit beside what is. */
#define EVENTS_FOR_OTHERS (DCS_EVENTS_PENDING_MAX / 2)

struct request *request_new(struct cluster *c)
{
    uint32_t slot = c->requests_free;
    if (slot != NO_SLOT) {
        c->requests_free = c->requests[slot].next_free;
    } else {
        slot = c->requests_used++;
        DCS_ASSERT(slot < REQUESTS_INSIDE_MAX);
        c->requests =
            dcs_grow(c->requests, &c->requests_capacity, c->requests_used, sizeof *c->requests);
    }
    DCS_ASSERT(++c->serial < UINT64_C(1) << (64 - SLOT_BITS));
    c->requests[slot] = (struct request){.id = c->serial << SLOT_BITS | slot, .measured = NO_SLOT};
    return &c->requests[slot];
}

bool cluster_has_room(struct cluster *c)
{
    if (c->requests_free == NO_SLOT && c->requests_used >= REQUESTS_INSIDE_MAX) {
        cluster_overloaded(c, "requests are inside", REQUESTS_INSIDE_MAX);
        return false;
    }
    if (dcs_events_pending(c->events) >= EVENTS_FOR_OTHERS) {
        cluster_overloaded(c, "events are pending", (unsigned long long)EVENTS_FOR_OTHERS);
        return false;
    }
    return true;
}

bool request_has_memory(struct cluster *c)
{
    return c->requests_free != NO_SLOT ||
           cluster_may_grow(c, c->requests_capacity, c->requests_used + (size_t)1,
                            sizeof *c->requests);
}

/* Where it is kept what a kernel of a request took. */
static int64_t *measured_of(const struct cluster *c, const struct request *r, uint32_t kernel)
{
    return &c->measured[(size_t)r->measured * c->kernels_max + kernel];
}

/* Most requests that are inside wait and have not begun: they need no block. False: there is no
 * memory for one, the run has failed. */
static bool take_block(struct cluster *c, struct request *r)
{
    size_t need = ((size_t)c->measured_used + 1) * c->kernels_max;
    if (c->measured_free != NO_SLOT) {
        r->measured = c->measured_free;
        c->measured_free = (uint32_t)*measured_of(c, r, 0);
        return true;
    }
    if (!cluster_may_grow(c, c->measured_capacity, need, sizeof *c->measured))
        return false;
    r->measured = c->measured_used++;
    c->measured = dcs_grow(c->measured, &c->measured_capacity, need, sizeof *c->measured);
    return true;
}

void request_keep_measured(struct cluster *c, struct request *r, int64_t took_ns)
{
    if (r->measured != NO_SLOT || take_block(c, r))
        *measured_of(c, r, r->kernel) = took_ns;
}

void cluster_free_request(struct cluster *c, struct request *r)
{
    uint32_t slot = request_slot(r);
    if (r->measured != NO_SLOT) {
        *measured_of(c, r, 0) = c->measured_free;
        c->measured_free = r->measured;
    }
    r->id = 0;
    r->state = REQUEST_FREE;
    r->next_free = c->requests_free;
    c->requests_free = slot;
}

/* What the scramble multiplies a kernel's true work with; 0 if it leaves the kernel alone. */
static double scramble_factor(const struct cluster_probe *probe, uint32_t job, uint64_t index,
                              uint32_t kernel)
{
    struct dcs_rng rng;
    dcs_rng_point(&rng, probe->scramble_seed, 0, DCS_RNG_SCRAMBLE, job, index, kernel, 0);
    if (dcs_rng_uniform(&rng) >= probe->scramble_share)
        return 0;
    return 0.25 + 2 * dcs_rng_uniform(&rng);
}

bool cluster_scrambles(const struct cluster_probe *probe, uint32_t job, uint64_t index,
                       uint32_t kernel)
{
    return scramble_factor(probe, job, index, kernel) > 0;
}

double life_scramble_factor(const struct cluster_probe *probe, const struct request *r)
{
    return scramble_factor(probe, r->job, r->index, r->kernel);
}

/* The identity of what is drawn for a request. */
struct dcs_draw request_draw(const struct cluster *c, const struct request *r)
{
    return (struct dcs_draw){.seed = c->spec->seed,
                             .replication = c->spec->replication,
                             .job = r->job,
                             .request = r->index,
                             .resampled = c->spec->resampled};
}

/* The true work of a kernel, scrambled if the truth is. */
int64_t cluster_work(struct cluster *c, struct request *r, uint32_t kernel, uint32_t kind)
{
    const struct dcs_draw draw = request_draw(c, r);
    int64_t work = dcs_app_work_ns(cluster_form(c, r), kind, kernel, &draw);
    double factor = c->scrambled ? scramble_factor(c->spec->probe, r->job, r->index, kernel) : 0;
    return factor > 0 ? 1 + (int64_t)((double)work * factor) : work;
}
