/* requests.c - requests as data: their slots, the times of their kernels, and what is drawn for
 * them. What happens to them is in lifecycle.c. */
#include "engine/cluster_state.h"

#include <stdlib.h>
#include <string.h>

/* What kernels took, in a block for each request inside of which one has ended:
 * [block * kernels_max + kernel]. A free block begins with the next free one. */
struct measured_times {
    int64_t *ns;
    size_t capacity;
    uint32_t used, free;
    uint32_t kernels_max;
};

void requests_create(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    struct measured_times *m = dcs_alloc(1, sizeof *m);
    m->free = NO_SLOT;
    m->kernels_max = 1;
    for (uint32_t a = 0; a < s->apps_count + s->sized_count; a++)
        if (s->apps[a].kernels > m->kernels_max)
            m->kernels_max = s->apps[a].kernels;
    c->requests =
        (struct requests){.free = NO_SLOT, .measured = m, .divides = device_kind_of(s)->divides};
}

void requests_destroy(struct cluster *c)
{
    free(c->requests.slots);
    free(c->requests.divisions);
    free(c->requests.fused);
    free(c->requests.measured->ns);
    free(c->requests.measured);
}

void requests_next_stretch(struct cluster *c)
{
    c->requests.free = c->requests.measured->free = NO_SLOT;
}

size_t requests_measured_times(const struct cluster *c)
{
    return (size_t)c->requests.measured->used * c->requests.measured->kernels_max;
}

struct request *request_new(struct cluster *c)
{
    struct requests *all = &c->requests;
    uint32_t slot = all->free;
    if (slot != NO_SLOT) {
        all->free = all->slots[slot].next_free;
    } else {
        slot = all->used++;
        DCS_ASSERT(slot < REQUESTS_INSIDE_MAX);
        size_t capacity = all->capacity;
        all->slots = dcs_grow(all->slots, &all->capacity, all->used, sizeof *all->slots);
        if (all->divides)
            all->divisions = dcs_grow(all->divisions, &capacity, all->used, sizeof *all->divisions);
    }
    DCS_ASSERT(++all->serial < UINT64_C(1) << (64 - SLOT_BITS));
    struct request *r = &all->slots[slot];
    /* In two parts, each of which is a few instructions, where the whole is a slow one. */
    _Static_assert(sizeof *r <= 256, "two parts of at most 128 bytes");
    memset(r, 0, 128);
    memset((char *)r + 128, 0, sizeof *r - 128);
    r->id = all->serial << SLOT_BITS | slot;
    r->block = NO_SLOT;
    if (slot < all->fused_capacity)
        all->fused[slot] = (struct request_fused){0};
    return r;
}

struct request_fused *request_fuse(struct cluster *c, const struct request *r)
{
    struct requests *all = &c->requests;
    uint32_t slot = request_slot(r);
    if (!cluster_may_grow(c, all->fused_capacity, slot + (size_t)1, sizeof *all->fused))
        return NULL;
    all->fused = dcs_grow(all->fused, &all->fused_capacity, slot + (size_t)1, sizeof *all->fused);
    return &all->fused[slot];
}

bool requests_have_room(struct cluster *c)
{
    if (c->requests.free == NO_SLOT && c->requests.used >= REQUESTS_INSIDE_MAX) {
        cluster_overloaded(c, "requests are inside", REQUESTS_INSIDE_MAX);
        return false;
    }
    if (dcs_events_pending(c->events) >= EVENTS_FOR_OTHERS) {
        cluster_overloaded(c, "events are pending", (unsigned long long)EVENTS_FOR_OTHERS);
        return false;
    }
    return true;
}

bool requests_have_memory(struct cluster *c)
{
    const struct requests *all = &c->requests;
    return all->free != NO_SLOT ||
           cluster_may_grow(c, all->capacity, all->used + (size_t)1, request_bytes(all->divides));
}

static int64_t *measured_at(const struct measured_times *m, uint32_t block, uint32_t kernel)
{
    return &m->ns[(size_t)block * m->kernels_max + kernel];
}

/* Most requests that are inside wait and have not begun: they need no block. NO_SLOT: there is no
 * memory for one, the run has failed. */
static uint32_t take_block(struct cluster *c)
{
    struct measured_times *m = c->requests.measured;
    size_t need = ((size_t)m->used + 1) * m->kernels_max;
    uint32_t block = m->free;
    if (block != NO_SLOT) {
        m->free = (uint32_t)*measured_at(m, block, 0);
        return block;
    }
    if (!cluster_may_grow(c, m->capacity, need, sizeof *m->ns))
        return NO_SLOT;
    m->ns = dcs_grow(m->ns, &m->capacity, need, sizeof *m->ns);
    return m->used++;
}

void request_keep_measured(struct cluster *c, struct request *r, int64_t took_ns)
{
    if (r->block == NO_SLOT)
        r->block = take_block(c);
    if (r->block != NO_SLOT)
        *measured_at(c->requests.measured, r->block, r->kernel) = took_ns;
}

int64_t request_measured_ns(const struct cluster *c, const struct request *r, uint32_t kernel)
{
    return *measured_at(c->requests.measured, r->block, kernel);
}

void request_free(struct cluster *c, struct request *r)
{
    struct measured_times *m = c->requests.measured;
    uint32_t slot = request_slot(r);
    if (r->block != NO_SLOT) {
        *measured_at(m, r->block, 0) = m->free;
        m->free = r->block;
    }
    r->id = 0;
    r->state = REQUEST_FREE;
    r->next_free = c->requests.free;
    c->requests.free = slot;
}

const struct dcs_work *request_work(const struct cluster *c, const struct request *r)
{
    const struct dcs_app *app = request_form(c, r);
    return app->work != NULL ? app->work[c->domains[r->domain].profile] : NULL;
}

void request_begin_pass(const struct cluster *c, struct request *r)
{
    if (!c->requests.divides)
        return;
    const struct dcs_work *const *work = request_form(c, r)->work;
    *request_division(&c->requests, r) =
        (struct request_division){.left = work != NULL ? (uint64_t)work[0]->iterations : 0};
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

double request_scramble_factor(const struct cluster_probe *probe, const struct request *r)
{
    return scramble_factor(probe, r->job, r->index, r->kernel);
}

static inline struct dcs_draw make_draw(const struct cluster *c, const struct request *r)
{
    return (struct dcs_draw){.seed = c->spec->seed,
                             .replication = c->spec->replication,
                             .job = r->job,
                             .request = r->index,
                             .resampled = c->spec->resampled,
                             .work = &c->jobs[r->job].work};
}

struct dcs_draw request_draw(const struct cluster *c, const struct request *r)
{
    return make_draw(c, r);
}

int64_t request_true_work_ns(const struct cluster *c, const struct request *r, uint32_t kernel,
                             uint32_t profile)
{
    const struct dcs_draw draw = make_draw(c, r);
    int64_t work = dcs_app_work_ns(request_form(c, r), profile, kernel, &draw);
    double factor =
        c->requests.scrambled ? scramble_factor(c->spec->probe, r->job, r->index, kernel) : 0;
    return factor > 0 ? 1 + (int64_t)((double)work * factor) : work;
}
