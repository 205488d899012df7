/*
 * host_deliver.c - what a policy is told: the callbacks of policies/policy.h, made of the notes
 * that wait for a domain, one at a time and after what each costs.
 */
#include "engine/cluster_state.h"
#include "engine/driven.h"

static void end_request(struct cluster *c, req_id id)
{
    struct request *r = request_find(c, id);
    DCS_ASSERT(r != NULL && r->state == REQUEST_GONE);
    request_free(c, r);
}

/* A launch came too late, its request is late itself, and the policy has decided nothing else. */
static void drop_late(struct cluster *c, req_id id)
{
    struct request *r = request_find(c, id);
    if (r != NULL && r->late && r->state == REQUEST_WAITING)
        life_drop_late(c, r);
}

/* Makes the callback of a note; false if there is none to be made. */
static bool call_back(struct cluster *c, struct domain *d, const struct note *n)
{
    const struct policy *p = c->spec->policy;
    struct host *h = &d->host;
    d->scheduler.current = n->kind == NOTE_TIMER || n->kind == NOTE_JOB ? 0 : n->about;
    switch ((enum note_kind)n->kind) {
    case NOTE_READY: {
        struct request *r = request_find(c, n->about);
        /* It may have been dropped at its deadline since, or (after a charge) be under way. */
        if (r == NULL || r->domain != d->index || r->state != REQUEST_WAITING)
            return false;
        r->announced = true;
        bool late = r->late;
        p->on_ready(d->state, h, n->about);
        if (late)
            drop_late(c, n->about);
        return true;
    }
    case NOTE_COMPLETE:
        if (c->device_kind->divides)
            life_chunk_told(c, d, n->about, n->device);
        else if (!n->flag)
            request_find(c, n->about)->state = REQUEST_WAITING;
        p->on_complete(d->state, h, n->about, n->device, n->flag);
        if (n->flag)
            end_request(c, n->about);
        return true;
    case NOTE_GONE: {
        bool known = p->on_gone != NULL && request_find(c, n->about)->announced;
        if (known)
            p->on_gone(d->state, h, n->about);
        end_request(c, n->about);
        return known;
    }
    case NOTE_TIMER: {
        uint64_t cookie;
        bool told = timer_take(c, (uint32_t)n->about, &cookie) && p->on_timer != NULL;
        if (told)
            p->on_timer(d->state, h, cookie);
        return told;
    }
    case NOTE_QUOTA: {
        const struct request *r = request_find(c, n->about);
        bool told = p->on_quota != NULL && r != NULL && r->domain == d->index &&
                    r->state == REQUEST_RUNNING;
        if (told)
            p->on_quota(d->state, h, n->about, n->device);
        return told;
    }
    case NOTE_JOB:
        p->on_job(d->state, h, (job_id)n->about, n->flag);
        return true;
    }
    return false;
}

/* After a callback, or one that was not to be made: the policy decides, unless it will first hear
 * more of the same event, or of requests that have left. */
static void let_decide(struct cluster *c, struct domain *d, const struct note *n)
{
    const struct policy *p = c->spec->policy;
    if (!d->scheduler.undecided || p->decide == NULL || notes_of_departed(&d->notes) > 0)
        return;
    if (c->spec->instant == CLUSTER_ONE_BY_ONE) {
        const struct note *next = notes_first(&d->notes);
        if (next != NULL && next->event == n->event)
            return;
    }
    d->scheduler.undecided = false;
    d->scheduler.current = 0;
    dcs_where_in("decide");
    p->decide(d->state, &d->host);
}

static void stands_still(struct cluster *c, const struct domain *d, const struct note *n)
{
    const struct request *r = n->kind != NOTE_TIMER ? request_find(c, n->about) : NULL;
    if (r == NULL)
        cluster_fail(c, d, "time stands still: %d callbacks in one instant", INSTANT_NOTES);
    else
        cluster_fail(c, d,
                     "time stands still: %d callbacks in one instant, the last of them about a "
                     "request of application \"%s\"",
                     INSTANT_NOTES, c->spec->apps[r->app].name);
}

/* The callback of a note and what the policy decides then; false: there was none to be made. */
static bool tell(struct cluster *c, struct domain *d, const struct note *n)
{
    struct scheduler *s = &d->scheduler;
    const struct driven *driven = c->spec->driven;
    int64_t begin_ns = driven != NULL ? driven->now_ns(driven->context) : 0;
    bool made = call_back(c, d, n);
    if (!made)
        s->clock_ns = c->now_ns; /* what is not made costs nothing */
    s->undecided = s->undecided || made;
    let_decide(c, d, n);
    if (made && driven != NULL)
        driven->called(driven->context,
                       &(struct driven_callback){.what = note_callback((enum note_kind)n->kind),
                                                 .event_ns = c->now_ns,
                                                 .begin_ns = begin_ns,
                                                 .end_ns = driven->now_ns(driven->context)});
    return made;
}

/* As many callbacks as the domain's clock allows now. */
static inline void deliver_to(struct cluster *c, struct domain *d)
{
    struct scheduler *s = &d->scheduler;
    while (d->notes.count > 0 && !c->failed && !cluster_stopped(c)) {
        /* What its charge has ended for takes effect before the next callback. */
        if (s->clock_ns > c->now_ns || s->charged > 0) {
            if (!s->wakes)
                dcs_events_add(c->events, s->clock_ns, CLASS_SCHEDULER, EVENT_SCHEDULER, d->index);
            s->wakes = true;
            return;
        }
        struct note n;
        if (notes_take(&c->notes, &d->notes, &n) > INSTANT_NOTES) {
            stands_still(c, d, &n);
            return;
        }
        s->clock_ns = c->now_ns + c->spec->callback_ns;
        s->in_callback = true;
        s->fusion_asked = false;
        dcs_where_in(note_callback((enum note_kind)n.kind));
        bool made = tell(c, d, &n);
        if (made && recording(c))
            record_callback(c, d, (enum note_kind)n.kind);
        s->in_callback = false;
        dcs_where_in(NULL);
    }
}

/* A domain that gets a note from another one while it is not listed comes again. */
void host_deliver(struct cluster *c)
{
    for (size_t i = 0; i < c->notes.count && !c->failed; i++) {
        struct domain *d = &c->domains[c->notes.domains[i]];
        deliver_to(c, d);
        d->notes.listed = false;
    }
    c->notes.count = 0;
}

void host_wakes(struct cluster *c, struct domain *d)
{
    d->scheduler.wakes = false;
    notes_list(&c->notes, &d->notes, d->index);
}

bool host_rests(struct domain *d)
{
    return notes_first(&d->notes) == NULL && !d->scheduler.wakes && d->scheduler.charged == 0;
}
