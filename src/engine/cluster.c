/* cluster.c - the event loop, from creation to results; see cluster.h. lifecycle.c is what happens,
 * cluster_split.c says of which domains. */
#include "engine/cluster_state.h"

#include "engine/device_driven.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>

/* Timers in a row, with nothing else happening, after which a policy counts as stuck. */
#define STUCK_TIMERS 1000000

/* ---- The run ---- */

static void handle(struct cluster *c, const struct dcs_event *e)
{
    notes_next_event(&c->notes);
    switch ((enum event_kind)e->kind) {
    case EVENT_DEVICE:
        life_device(c, (uint32_t)e->about);
        break;
    case EVENT_JOB:
        life_job(c, e->about);
        break;
    case EVENT_ARRIVAL:
        life_arrival(c, e->about);
        break;
    case EVENT_CLIENT:
        life_client(c, e->about);
        break;
    case EVENT_DEADLINE:
        life_deadline(c, (uint32_t)e->about);
        break;
    case EVENT_ACTION:
        host_apply(c, (uint32_t)e->about);
        break;
    case EVENT_TIMER:
        host_timer_fires(c, (uint32_t)e->about);
        break;
    case EVENT_SCHEDULER:
        host_wakes(c, &c->domains[e->about]);
        break;
    case EVENT_SCRAMBLE:
        life_scramble(c);
        break;
    }
}

/* Whether a device of the domain idles. */
static bool has_idle_device(const struct cluster *c, const struct domain *d)
{
    for (uint32_t i = 0; i < d->devices; i++) {
        struct host_device device;
        host_look_at_device(d, &c->devices[d->first_device + i], &device);
        if (device.state == HOST_IDLE)
            return true;
    }
    return false;
}

/* Requests that wait in a domain whose policy knows of them, has nothing before it (no callback,
 * timer or charged action) and leaves a device idle. */
static uint64_t held_back(const struct cluster *c)
{
    uint32_t domains = c->spec->domains_count;
    uint64_t *waiting = dcs_alloc(domains, sizeof *waiting);
    bool *acts = dcs_alloc(domains, sizeof *acts);
    timers_mark_domains(c, acts);
    for (uint32_t slot = 0; slot < c->requests.used; slot++) {
        const struct request *r = &c->requests.slots[slot];
        if (r->state == REQUEST_PLEDGED)
            acts[r->domain] = true;
        else if (r->state == REQUEST_WAITING && r->announced)
            waiting[r->domain]++;
    }
    uint64_t n = 0;
    for (uint32_t i = 0; i < domains; i++) {
        struct domain *d = &c->domains[i];
        if (waiting[i] > 0 && !acts[i] && host_rests(d) && has_idle_device(c, d))
            n += waiting[i];
    }
    free(waiting);
    free(acts);
    return n;
}

/* Without a horizon nothing is pending at the end: all that is inside waits for ever. */
static uint64_t left_waiting(const struct cluster *c)
{
    if (c->result->interrupted)
        return 0;
    if (c->spec->horizon_ns != DCS_NEVER)
        return held_back(c);
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->spec->domains_count; i++)
        n += router_inside(c, i);
    return n;
}

static void tell_progress(struct cluster *c)
{
    if (c->spec->progress != NULL)
        atomic_fetch_add(c->spec->progress, c->result->requests - c->told);
    c->told = c->result->requests;
}

/* Whether the event is a timer, and nothing else is pending. */
static bool is_idle_timer(const struct cluster *c, const struct dcs_event *e)
{
    return e->kind == EVENT_TIMER && dcs_events_pending(c->events) < timers_pending(c);
}

/* On a device that really runs, time passes by itself: waits until an event is due, or a kernel has
 * ended, or the horizon has come. */
static void await_device(struct cluster *c)
{
    const struct driven *d = c->spec->driven;
    for (;;) {
        if (device_driven_look(&c->devices[0], c->now_ns))
            device_set_event(c, &c->devices[0]);
        int64_t next = dcs_events_peek(c->events), horizon = c->spec->horizon_ns;
        int64_t now_ns = d->now_ns(d->context);
        if (next <= now_ns || now_ns >= horizon || c->failed || cluster_stopped(c))
            return;
        const char *why = d->failure(d->context);
        if (why != NULL)
            cluster_fail(c, &c->domains[0], "%s", why);
        else
            d->wait(d->context, next < horizon ? next : horizon);
    }
}

/* Returns the time at which the run ended. */
static int64_t loop(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    uint64_t rounds = 0, idle_timers = 0; /* idle_timers: in a row */
    struct dcs_event e;
    while (!c->failed && !c->result->interrupted) {
        if (s->driven != NULL)
            await_device(c);
        /* What is left are timers of policies that have nothing to do. */
        if (c->failed || (s->horizon_ns == DCS_NEVER && life_jobs_have_ended(c)))
            break;
        if (!dcs_events_next_before(c->events, s->horizon_ns, &e) || cluster_stopped(c))
            break;
        if (idle_timers > STUCK_TIMERS && s->horizon_ns == DCS_NEVER) {
            cluster_fail(c, &c->domains[0],
                         "requests wait, but nothing is pending except timers, %d times in a row",
                         STUCK_TIMERS);
            break;
        }
        if ((++rounds & 4095) == 0)
            tell_progress(c);
        DCS_ASSERT(e.time_ns >= c->now_ns);
        if (e.time_ns > c->now_ns)
            notes_next_instant(&c->notes);
        const int64_t now_ns = c->now_ns = dcs_where.now_ns = e.time_ns;
        do {
            idle_timers = is_idle_timer(c, &e) ? idle_timers + 1 : 0;
            handle(c, &e);
        } while (s->instant != CLUSTER_ONE_BY_ONE &&
                 dcs_events_next_before(c->events, now_ns + 1, &e) && !cluster_stopped(c));
        host_deliver(c);
        if (c->device_kind->settles_late)
            devices_settle(c);
    }
    tell_progress(c);
    return s->horizon_ns == DCS_NEVER ? c->now_ns : s->horizon_ns;
}

int cluster_check_policy(const struct policy *p, struct dcs_err *err)
{
    char why[POLICIES_WHY_BYTES];
    return policies_callable(p, why)
               ? 0
               : dcs_err_at(err, NULL, 0, NULL, "policy \"%s\" %s", p->name, why);
}

/* The domains of the stretch, and their devices. */
static void open_domains(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    uint32_t device = c->stretch.first_device;
    for (uint32_t i = c->stretch.first_domain; i < c->stretch.end_domain; i++) {
        struct domain *d = &c->domains[i];
        d->opened = true;
        d->host.ops = &host_operations;
        d->cluster = c;
        d->index = i;
        d->profile = s->domains[i].profile;
        d->first_device = device;
        d->devices = s->domains[i].devices;
        d->state = dcs_alloc(1, s->policy->state_size + 1);
        dcs_rng_stream(&d->rng, s->seed, s->replication, DCS_RNG_POLICY, i);
        for (uint32_t k = 0; k < d->devices; k++, device++)
            device_open(c, device, i);
    }
}

/* Calls init of the policy of each domain of the stretch, up to the first that fails. */
static void start_policies(struct cluster *c)
{
    const struct policy *p = c->spec->policy;
    for (uint32_t i = c->stretch.first_domain; i < c->stretch.end_domain && !c->failed; i++) {
        struct domain *d = &c->domains[i];
        d->started = true;
        d->scheduler.in_callback = true;
        dcs_where_in("init");
        if (p->init != NULL && p->init(d->state, c->spec->policy_params, &d->host) != 0)
            cluster_fail(c, d, "init failed and gave no reason");
        dcs_where_in(NULL);
        d->scheduler.in_callback = false;
    }
}

/* What came has left or is here; each launch has completed, was revoked or runs. */
static void check_balance(const struct cluster *c)
{
    for (uint32_t i = 0; i < c->spec->domains_count; i++) {
        const struct domain *d = &c->domains[i];
        DCS_ASSERT(d->came == d->done + d->dropped + d->returned + router_inside(c, i));
    }
    uint64_t running = 0;
    for (uint32_t i = 0; i < c->devices_count; i++)
        running += c->devices[i].kind != NULL ? c->device_kind->running(&c->devices[i]) : 0;
    DCS_ASSERT(c->result->launches == life_kernels_over(c) + running);
}

void cluster_destroy(struct cluster *c)
{
    for (uint32_t i = 0; c->domains != NULL && i < c->spec->domains_count; i++) {
        free(c->domains[i].state);
        free(c->domains[i].fusion_lines);
    }
    notes_destroy(c);
    free(c->domains);
    measure_destroy(c);
    router_destroy(c);
    host_predictions_free(c);
    devices_destroy(c);
    requests_destroy(c);
    life_destroy(c);
    charges_destroy(c);
    timers_destroy(c);
    dcs_events_destroy(c->events);
}

void cluster_begin(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    dcs_err_at(c->err, NULL, 0, NULL, "%s", ""); /* who fails sets its text, and perhaps a path */
    dcs_where_begin(s->seed, s->replication, s->policy->name);
    requests_create(c);
    const struct cluster_bytes first = cluster_bytes(s);
    c->bytes = first.domains + first.jobs;
    router_create(c);
    charges_create(c);
    timers_create(c);
    c->domains = dcs_alloc(s->domains_count, sizeof *c->domains);
    devices_create(c);
    measure_create(c);
    life_create(c);
}

/* What is left in the event list is beyond the horizon. */
void cluster_simulate(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    dcs_events_destroy(c->events);
    c->events = dcs_events_create();
    c->now_ns = 0;
    notes_next_instant(&c->notes);
    open_domains(c);
    if (life_open(c) != 0) {
        c->failed = true;
        return;
    }
    start_policies(c);
    life_first_job(c);
    if (s->probe != NULL && s->probe->scramble)
        dcs_events_add(c->events, s->probe->scramble_ns, CLASS_MARK, EVENT_SCRAMBLE, 0);
    c->end_ns = loop(c);
    c->result->events += dcs_events_taken(c->events);
}

void cluster_end(struct cluster *c)
{
    if (!c->failed) {
        c->result->left_waiting = left_waiting(c);
        check_balance(c);
        measure_left(c);
        c->result->events -= life_events_elsewhere(c);
    }
    dcs_where_in("fini");
    for (uint32_t i = 0; i < c->spec->domains_count; i++)
        if (c->domains[i].started && c->spec->policy->fini != NULL)
            c->spec->policy->fini(c->domains[i].state);
    dcs_where_in(NULL);
}

int cluster_try_policy(const struct cluster_spec *spec, struct dcs_err *err)
{
    struct cluster_result nothing = {0};
    if (cluster_check_policy(spec->policy, err) != 0)
        return -1;
    struct cluster c = {.spec = spec, .result = &nothing, .trial = true, .err = err};
    c.stretch.end_domain = spec->domains_count;
    cluster_begin(&c);
    c.events = dcs_events_create();
    open_domains(&c);
    start_policies(&c);
    bool failed = c.failed;
    c.failed = true; /* there is nothing to be measured */
    cluster_end(&c);
    dcs_where_end();
    cluster_destroy(&c);
    cluster_result_release(&nothing);
    return failed ? -1 : 0;
}
