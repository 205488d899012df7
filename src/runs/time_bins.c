/* time_bins.c - see time_bins.h. */
#include "runs/time_bins.h"

#include "runs/launch_rows.h"

#include <stdlib.h>

/* A request that is inside. */
struct time_bins_slot {
    bool inside;
    uint32_t app;
    size_t bin; /* of its arrival */
    int64_t deadline_ns, sms;
};

struct time_bins_device {
    uint32_t running;
    int64_t sms; /* allotted to them; may be more than there are */
};

void time_bins_init(struct time_bins *b, const struct experiment *x)
{
    *b = (struct time_bins){.x = x,
                            .interval_ns = x->config->outputs.interval_ns,
                            .has_sms = x->gangs == NULL && x->device_kind->allots_sms};
}

void time_bins_release(struct time_bins *b)
{
    free(b->jobs);
    free(b->requests);
    free(b->waiting_ns);
    free(b->busy_ns);
    free(b->sms_ns);
    free(b->slots);
    free(b->devices);
    *b = (struct time_bins){0};
}

void time_bins_begin(struct time_bins *b)
{
    const struct experiment *x = b->x;
    if (x == NULL || b->interval_ns == 0)
        return;
    time_bins_release(b);
    time_bins_init(b, x);
    b->devices = dcs_alloc(x->devices_count, sizeof *b->devices);
}

int64_t time_bins_to(const struct time_bins *b, size_t bin)
{
    int64_t to_ns = (int64_t)(bin + 1) * b->interval_ns;
    return to_ns < b->end_ns ? to_ns : b->end_ns;
}

int time_bins_refuse(struct dcs_err *err)
{
    return dcs_err_set(err,
                       "outputs.interval_s: more than %d bins in one run, the most that can be "
                       "kept: give a longer interval",
                       TIME_BINS_MAX);
}

/* Makes the bin of a moment, and all before it. */
static int reach_bin(struct time_bins *b, int64_t at_ns, struct dcs_err *err)
{
    size_t wanted = (size_t)(at_ns / b->interval_ns) + 1, apps = b->x->apps_count;
    if (wanted <= b->count)
        return 0;
    if (wanted > TIME_BINS_MAX)
        return time_bins_refuse(err);
    if (wanted > b->capacity) { /* what is new is 0 */
        size_t of_requests = b->capacity * apps, of[3] = {b->capacity, b->capacity, b->capacity};
        size_t capacity = 2 * wanted < TIME_BINS_MAX ? 2 * wanted : TIME_BINS_MAX;
        b->requests = dcs_grow(b->requests, &of_requests, capacity * apps, sizeof *b->requests);
        b->waiting_ns = dcs_grow(b->waiting_ns, &of[0], capacity, sizeof(double));
        b->busy_ns = dcs_grow(b->busy_ns, &of[1], capacity, sizeof(double));
        b->sms_ns = dcs_grow(b->sms_ns, &of[2], capacity, sizeof(double));
        b->capacity = capacity;
    }
    b->count = wanted;
    return 0;
}

/* The levels so far held until now. */
static void advance_levels(struct time_bins *b, int64_t now_ns)
{
    while (b->now_ns < now_ns) {
        size_t bin = (size_t)(b->now_ns / b->interval_ns);
        int64_t to_ns = (int64_t)(bin + 1) * b->interval_ns;
        to_ns = to_ns < now_ns ? to_ns : now_ns;
        double ns = (double)(to_ns - b->now_ns);
        b->waiting_ns[bin] += ns * b->waiting;
        b->busy_ns[bin] += ns * b->busy;
        b->sms_ns[bin] += ns * b->sms;
        b->now_ns = to_ns;
    }
}

static int64_t sms_of(const struct time_bins *b, const struct cluster_record *r)
{
    return b->has_sms ? launch_rows_sms(b->x, r) : 0;
}

static void change_device(struct time_bins *b, const struct cluster_record *r, int by, int64_t sms)
{
    struct time_bins_device *d = &b->devices[r->device];
    int64_t all = b->has_sms ? b->x->kind[b->x->domains[r->domain].profile].profile->sms : 0;
    b->sms -= (double)(d->sms < all ? d->sms : all);
    b->busy -= d->running > 0;
    d->running = (uint32_t)((int)d->running + by);
    d->sms += sms;
    b->sms += (double)(d->sms < all ? d->sms : all);
    b->busy += d->running > 0;
}

static void arrive(struct time_bins *b, const struct cluster_record *r)
{
    size_t bin = (size_t)(r->at_ns / b->interval_ns);
    b->slots = dcs_grow(b->slots, &b->slots_capacity, (size_t)r->slot + 1, sizeof *b->slots);
    b->slots[r->slot] = (struct time_bins_slot){
        .inside = true, .app = r->app, .bin = bin, .deadline_ns = r->deadline_ns};
    b->requests[bin * b->x->apps_count + r->app].arrived++;
}

static void decide(struct time_bins *b, struct time_bins_slot *slot, bool met)
{
    struct time_bin_requests *n = &b->requests[slot->bin * b->x->apps_count + slot->app];
    if (slot->deadline_ns != DCS_NEVER) {
        n->decided++;
        n->met += met;
    }
    slot->inside = false;
}

/* One that a full queue turns away is told of here alone. */
static void leave(struct time_bins *b, const struct cluster_record *r)
{
    bool waits = r->slot < b->slots_capacity && b->slots[r->slot].inside;
    b->waiting -= waits;
    if (!waits)
        arrive(b, r);
    if (!r->flag)
        decide(b, &b->slots[r->slot], false);
}

static void end_run(struct time_bins *b, const struct cluster_record *r)
{
    b->end_ns = r->at_ns;
    for (size_t i = 0; i < b->slots_capacity; i++)
        if (b->slots[i].inside && b->slots[i].deadline_ns < r->at_ns)
            decide(b, &b->slots[i], false);
}

int time_bins_record(struct time_bins *b, const struct cluster_record *r, struct dcs_err *err)
{
    if (b->interval_ns == 0)
        return 0;
    if (reach_bin(b, r->at_ns, err) != 0)
        return -1;
    advance_levels(b, r->at_ns);
    switch (r->kind) {
    case RECORD_ROUTED:
        if (r->flag)
            arrive(b, r);
        b->waiting++;
        break;
    case RECORD_LAUNCH:
        b->waiting--;
        b->slots[r->slot].sms = sms_of(b, r);
        change_device(b, r, 1, b->slots[r->slot].sms);
        break;
    case RECORD_KERNEL_END:
    case RECORD_STOPPED:
        change_device(b, r, -1, -b->slots[r->slot].sms);
        if (r->kind == RECORD_KERNEL_END && r->flag)
            decide(b, &b->slots[r->slot], r->at_ns <= r->deadline_ns);
        else
            b->waiting++;
        break;
    case RECORD_LEAVES:
        leave(b, r);
        break;
    case RECORD_END:
        end_run(b, r);
        break;
    default:
        break;
    }
    return 0;
}
