/* explain.c - see explain.h. */
#include "runs/explain.h"
#include "des/apportion.h"
#include "engine/device_kind.h"
#include "runs/earlier_requests.h"
#include "runs/explain_alone.h"

#include <stdlib.h>
#include <string.h>

/* What waiting is for, as integrals over time in a domain up to at_ns: whole ns by what it is, and
 * the shares of the queue by application; the last one is what is being revoked. */
struct waits {
    int64_t policy_ns, held_ns, queue_ns;
    double *behind; /* apps_count + 1 */
};

struct domain {
    struct waits sum;
    int64_t at_ns, busy_until_ns; /* its scheduler */
    uint32_t *there;              /* kernels on its devices, as behind */
    uint32_t kernels, idle;       /* all of them; devices with none */
};

/* A kernel that is on a device. */
struct present {
    req_id id;
    uint32_t app, slot;
    bool dies;
};

struct device {
    struct present *kernels;
    size_t count, capacity;
};

/* What a kernel loses to another application, as a share of time. */
struct loss {
    uint32_t app;
    double share;
};

/* A request that is being explained. */
struct ledger {
    req_id id;
    size_t row;      /* its explanation */
    uint32_t domain; /* where it waits */
    bool waits, runs;
    bool behind;                  /* it waits for earlier requests, */
    int64_t behind_ns;            /* since then; else: */
    struct waits mark;            /* when it began to wait */
    double *contention, *queue;   /* weights by application; behind[apps]: revocation */
    int64_t switch_ns;            /* what the launch that comes next pays for another quota */
    struct cluster_record launch; /* of the kernel that runs */
    struct explain_alone alone;   /* what this takes */
    double *here, lost_ns;        /* as contention, of this kernel; their sum */
    int64_t rated_ns;             /* since when its losses hold */
    struct loss losses[DCS_TOGETHER_MAX];
    uint32_t losses_count;
};

struct explainer {
    const struct cluster_spec *spec;
    struct explain_choice *chosen; /* ascending; NULL: all */
    size_t chosen_count;
    struct domain *domains;
    struct device *devices;
    struct earlier_requests *earlier;
    struct ledger **ledgers; /* by slot; NULL: not explained */
    size_t ledgers_capacity;
    struct explanation *rows;
    size_t rows_count, rows_capacity;
};

static uint32_t apps_of(const struct explainer *e)
{
    return e->spec->apps_count;
}

static int compare_choices(const void *a, const void *b)
{
    const struct explain_choice *x = a, *y = b;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

struct explainer *explainer_new(const struct cluster_spec *spec,
                                const struct explain_choice *chosen, size_t count)
{
    struct explainer *e = dcs_alloc(1, sizeof *e);
    *e = (struct explainer){.spec = spec, .chosen_count = count};
    if (chosen != NULL) {
        e->chosen = dcs_alloc(count + 1, sizeof *chosen);
        memcpy(e->chosen, chosen, count * sizeof *chosen);
        qsort(e->chosen, count, sizeof *chosen, compare_choices);
    }
    uint32_t devices = 0;
    e->domains = dcs_alloc(spec->domains_count, sizeof *e->domains);
    for (uint32_t i = 0; i < spec->domains_count; i++) {
        struct domain *d = &e->domains[i];
        d->idle = spec->domains[i].devices;
        d->sum.behind = dcs_alloc(apps_of(e) + 1u, sizeof *d->sum.behind);
        d->there = dcs_alloc(apps_of(e) + 1u, sizeof *d->there);
        devices += d->idle;
    }
    e->devices = dcs_alloc(devices, sizeof *e->devices);
    e->earlier = earlier_requests_new(spec->domains_count, apps_of(e));
    return e;
}

static void free_ledger(struct ledger *l)
{
    if (l == NULL)
        return;
    free(l->mark.behind);
    free(l->contention);
    free(l->here);
    free(l->queue);
    free(l);
}

void explainer_free(struct explainer *e)
{
    if (e == NULL)
        return;
    uint32_t device = 0;
    for (uint32_t i = 0; i < e->spec->domains_count; i++) {
        free(e->domains[i].sum.behind);
        free(e->domains[i].there);
        for (uint32_t k = 0; k < e->spec->domains[i].devices; k++)
            free(e->devices[device++].kernels);
    }
    for (size_t i = 0; i < e->ledgers_capacity; i++)
        free_ledger(e->ledgers[i]);
    for (size_t i = 0; i < e->rows_count; i++)
        free(e->rows[i].contention_ns);
    earlier_requests_free(e->earlier);
    free(e->domains);
    free(e->devices);
    free(e->ledgers);
    free(e->rows);
    free(e->chosen);
    free(e);
}

const struct explanation *explainer_all(const struct explainer *e, size_t *count)
{
    *count = e->rows_count;
    return e->rows;
}

static struct ledger *ledger_of(const struct explainer *e, uint32_t slot, req_id id)
{
    struct ledger *l = slot < e->ledgers_capacity ? e->ledgers[slot] : NULL;
    return l != NULL && l->id == id ? l : NULL;
}

/* ---- Waiting ---- */

/* Brings a domain's integrals up to now_ns; before anything changes in it, and whoever is
 * explained, so that nobody's account depends, by a rounding, on who else is. */
static void advance(const struct explainer *e, struct domain *d, int64_t now_ns)
{
    int64_t from_ns = d->at_ns;
    d->at_ns = now_ns;
    if (now_ns <= from_ns)
        return;
    int64_t decided_ns = d->busy_until_ns < now_ns ? d->busy_until_ns : now_ns;
    if (decided_ns > from_ns) {
        d->sum.policy_ns += decided_ns - from_ns;
        from_ns = decided_ns;
    }
    if (d->idle > 0) {
        d->sum.held_ns += now_ns - from_ns;
        return;
    }
    d->sum.queue_ns += now_ns - from_ns;
    double each = (double)(now_ns - from_ns) / (double)d->kernels;
    for (uint32_t a = 0; a <= apps_of(e); a++)
        if (d->there[a] > 0)
            d->sum.behind[a] += each * (double)d->there[a];
}

static void begin_wait(const struct explainer *e, struct ledger *l, uint32_t slot, uint32_t domain)
{
    const struct domain *d = &e->domains[domain];
    l->waits = true;
    l->domain = domain;
    l->behind = earlier_requests_hold(e->earlier, slot);
    l->behind_ns = d->at_ns;
    double *behind = l->mark.behind;
    memcpy(behind, d->sum.behind, (apps_of(e) + 1u) * sizeof *behind);
    l->mark = d->sum;
    l->mark.behind = behind;
}

static void end_wait(const struct explainer *e, struct ledger *l)
{
    const struct domain *d = &e->domains[l->domain];
    struct explanation *x = &e->rows[l->row];
    l->waits = false;
    if (l->behind) {
        x->parts_ns[EXPLAIN_BEHIND] += d->at_ns - l->behind_ns;
        return;
    }
    x->parts_ns[EXPLAIN_POLICY] += d->sum.policy_ns - l->mark.policy_ns;
    x->parts_ns[EXPLAIN_HELD] += d->sum.held_ns - l->mark.held_ns;
    x->parts_ns[EXPLAIN_QUEUE] += d->sum.queue_ns - l->mark.queue_ns;
    for (uint32_t a = 0; a <= apps_of(e); a++)
        if (d->sum.behind[a] > l->mark.behind[a])
            l->queue[a] += d->sum.behind[a] - l->mark.behind[a];
}

/* The turn of a request has come; EARLIER_NONE: of none. */
static void end_behind(const struct explainer *e, uint32_t slot)
{
    struct ledger *l = slot < e->ledgers_capacity ? e->ledgers[slot] : NULL;
    if (l == NULL || !l->waits || !l->behind)
        return;
    end_wait(e, l);
    begin_wait(e, l, slot, l->domain);
}

/* ---- On a device ---- */

static struct present *find_present(const struct explainer *e, const struct cluster_record *r)
{
    struct device *d = &e->devices[r->device];
    for (size_t i = 0; i < d->count; i++)
        if (d->kernels[i].id == r->id)
            return &d->kernels[i];
    DCS_ASSERT(false);
    return NULL;
}

static void enter(const struct explainer *e, const struct cluster_record *r)
{
    struct domain *domain = &e->domains[r->domain];
    struct device *d = &e->devices[r->device];
    domain->idle -= d->count == 0;
    domain->kernels++;
    domain->there[r->app]++;
    d->kernels = dcs_grow(d->kernels, &d->capacity, d->count + 1, sizeof *d->kernels);
    d->kernels[d->count++] = (struct present){.id = r->id, .app = r->app, .slot = r->slot};
}

static void leave(const struct explainer *e, const struct cluster_record *r)
{
    struct domain *domain = &e->domains[r->domain];
    struct device *d = &e->devices[r->device];
    struct present *p = find_present(e, r);
    domain->there[p->dies ? apps_of(e) : p->app]--;
    domain->kernels--;
    *p = d->kernels[--d->count];
    domain->idle += d->count == 0;
}

static void die(const struct explainer *e, const struct cluster_record *r)
{
    struct domain *domain = &e->domains[r->domain];
    struct present *p = find_present(e, r);
    p->dies = true;
    domain->there[p->app]--;
    domain->there[apps_of(e)]++;
}

static void begin_run(const struct explainer *e, struct ledger *l, const struct cluster_record *r)
{
    end_wait(e, l);
    l->runs = true;
    l->launch = *r;
    l->lost_ns = 0;
    memset(l->here, 0, apps_of(e) * sizeof *l->here);
    l->losses_count = 0;
    l->rated_ns = r->at_ns;
    l->alone = explain_alone(e->spec, r);
    if (r->flag)
        l->switch_ns = r->began_ns - r->at_ns;
}

/* What it has lost at the rates that held until now. */
static void lose(struct ledger *l, int64_t now_ns)
{
    double ns = (double)(now_ns - l->rated_ns);
    for (uint32_t i = 0; i < l->losses_count; i++) {
        l->here[l->losses[i].app] += ns * l->losses[i].share;
        l->lost_ns += ns * l->losses[i].share;
    }
    l->rated_ns = now_ns;
}

static uint32_t app_on(const struct device *d, req_id id)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->kernels[i].id == id)
            return d->kernels[i].app;
    DCS_ASSERT(false);
    return 0;
}

/* Measured: at each time the others on the device have equal parts. */
static void rate_by_presence(struct ledger *l, const struct device *d)
{
    l->losses_count = 0;
    for (size_t i = 0; i < d->count && l->losses_count < DCS_TOGETHER_MAX; i++)
        if (d->kernels[i].id != l->id)
            l->losses[l->losses_count++] = (struct loss){.app = d->kernels[i].app};
    for (uint32_t i = 0; i < l->losses_count; i++)
        l->losses[i].share = 1.0 / l->losses_count;
}

/* The rates on a device have changed. */
static void rate(const struct explainer *e, const struct cluster_record *r)
{
    const struct device *d = &e->devices[r->device];
    for (size_t i = 0; i < d->count; i++) {
        struct ledger *l = ledger_of(e, d->kernels[i].slot, d->kernels[i].id);
        if (l == NULL || !l->runs)
            continue;
        lose(l, r->at_ns);
        if (l->launch.flag) {
            rate_by_presence(l, d);
            continue;
        }
        if (l->launch.with != 0) {
            l->losses[0] = (struct loss){.app = app_on(d, l->launch.with), .share = 1};
            l->losses_count = 1;
            continue;
        }
        struct dcs_gpu_loss losses[DCS_TOGETHER_MAX];
        l->losses_count = dcs_gpu_losses(r->gpu, l->id, losses);
        for (uint32_t k = 0; k < l->losses_count; k++)
            l->losses[k] = (struct loss){app_on(d, losses[k].id), losses[k].share};
    }
}

static int64_t at_most(double ns, int64_t limit_ns)
{
    return ns < (double)limit_ns ? (int64_t)(ns + 0.5) : limit_ns;
}

/* The time since a kernel began to work; it has completed. */
static void book_work(const struct explainer *e, struct ledger *l, int64_t left_ns)
{
    int64_t *parts = e->rows[l->row].parts_ns;
    bool faster = l->alone.allotted_ns < l->alone.whole_ns, fused = l->launch.with != 0;
    int64_t own_ns = at_most(faster ? l->alone.allotted_ns : l->alone.whole_ns, left_ns);
    left_ns -= own_ns;
    int64_t fewer_ns =
        faster || fused ? 0 : at_most(l->alone.allotted_ns - l->alone.whole_ns, left_ns);
    left_ns -= fewer_ns;
    const struct device_kind *devices = device_kind_of(e->spec);
    if (devices->allots_cores)
        fewer_ns += left_ns;
    else if (!devices->allots_sms)
        parts[EXPLAIN_REVOCATION] += left_ns; /* checkpoints */
    else if (l->lost_ns > 0)
        parts[EXPLAIN_CONTENTION] += left_ns;
    else
        own_ns += left_ns; /* some ns of rounding */
    parts[EXPLAIN_FEWER_SMS] += fewer_ns;
    parts[l->alone.transfer ? EXPLAIN_TRANSFER : EXPLAIN_OWN] += own_ns;
}

/* The same of one that goes on when the run ends: in proportion. */
static void book_unfinished(const struct explainer *e, struct ledger *l, int64_t left_ns)
{
    int64_t *parts = e->rows[l->row].parts_ns;
    int64_t lost_ns = at_most(l->lost_ns, left_ns);
    double share =
        l->alone.allotted_ns > l->alone.whole_ns ? l->alone.whole_ns / l->alone.allotted_ns : 1;
    left_ns -= lost_ns;
    int64_t own_ns = at_most(share * (double)left_ns, left_ns);
    parts[EXPLAIN_CONTENTION] += lost_ns;
    parts[EXPLAIN_FEWER_SMS] += left_ns - own_ns;
    parts[l->alone.transfer ? EXPLAIN_TRANSFER : EXPLAIN_OWN] += own_ns;
}

/* The time from a launch until now_ns. */
static void end_run(const struct explainer *e, struct ledger *l, int64_t now_ns, bool completed)
{
    int64_t *parts = e->rows[l->row].parts_ns;
    const struct cluster_record *r = &l->launch;
    lose(l, now_ns);
    l->runs = false;
    if (r->flag && r->to_ns < now_ns) {
        parts[EXPLAIN_POLICY] += now_ns - r->to_ns;
        now_ns = r->to_ns;
    }
    for (uint32_t a = 0; a < apps_of(e); a++)
        l->contention[a] += l->here[a];
    int64_t begun_ns = r->began_ns < now_ns ? r->began_ns : now_ns, start_ns = begun_ns - r->at_ns;
    int64_t switch_ns = l->switch_ns < start_ns ? l->switch_ns : start_ns;
    l->switch_ns = 0;
    int64_t ready_ns = r->host_ns < start_ns ? r->host_ns : start_ns;
    ready_ns = ready_ns > switch_ns ? ready_ns : switch_ns;
    parts[EXPLAIN_POLICY] += switch_ns;
    parts[EXPLAIN_HOST] += ready_ns - switch_ns;
    parts[EXPLAIN_REVOCATION] += start_ns - ready_ns;
    if (completed || r->with != 0 || r->flag)
        book_work(e, l, now_ns - begun_ns);
    else
        book_unfinished(e, l, now_ns - begun_ns);
}

/* Its kernel is being revoked: what a checkpoint has not kept is lost. */
static void stop(const struct explainer *e, struct ledger *l, const struct cluster_record *r)
{
    int64_t *parts = e->rows[l->row].parts_ns;
    int64_t kept_ns = r->saved_ns - l->launch.saved_ns;
    parts[EXPLAIN_OWN] += kept_ns;
    parts[EXPLAIN_REVOCATION] += r->at_ns - l->launch.at_ns - kept_ns;
    l->runs = false;
    l->switch_ns = 0;
    l->rated_ns = r->at_ns;
}

/* ---- From arrival to end ---- */

static size_t add_row(struct explainer *e, const struct cluster_record *r)
{
    e->rows = dcs_grow(e->rows, &e->rows_capacity, e->rows_count + 1, sizeof *e->rows);
    struct explanation *x = &e->rows[e->rows_count];
    *x = (struct explanation){.job = r->job,
                              .app = r->app,
                              .index = r->index,
                              .outcome = CLUSTER_INSIDE,
                              .arrival_ns = r->at_ns,
                              .deadline_ns = r->deadline_ns};
    x->contention_ns = dcs_alloc(2 * (size_t)apps_of(e) + 1, sizeof *x->contention_ns);
    x->queue_ns = x->contention_ns + apps_of(e);
    return e->rows_count++;
}

static bool is_chosen(const struct explainer *e, const struct cluster_record *r)
{
    const struct explain_choice key = {r->job, r->index};
    return e->chosen == NULL ||
           bsearch(&key, e->chosen, e->chosen_count, sizeof key, compare_choices) != NULL;
}

static void arrive(struct explainer *e, const struct cluster_record *r)
{
    size_t apps = apps_of(e);
    e->ledgers =
        dcs_grow(e->ledgers, &e->ledgers_capacity, (size_t)r->slot + 1, sizeof(e->ledgers[0]));
    struct ledger *l = dcs_alloc(1, sizeof *l);
    l->id = r->id;
    l->row = add_row(e, r);
    l->mark.behind = dcs_alloc(apps + 1, sizeof *l->mark.behind);
    l->contention = dcs_alloc(apps, sizeof *l->contention);
    l->here = dcs_alloc(apps, sizeof *l->here);
    l->queue = dcs_alloc(apps + 1, sizeof *l->queue);
    DCS_ASSERT(e->ledgers[r->slot] == NULL);
    e->ledgers[r->slot] = l;
}

/* The request has ended, or the run. */
static void close_ledger(struct explainer *e, uint32_t slot, int64_t now_ns,
                         enum cluster_outcome outcome)
{
    struct ledger *l = e->ledgers[slot];
    struct explanation *x = &e->rows[l->row];
    size_t apps = apps_of(e);
    x->outcome = outcome;
    x->end_ns = now_ns;
    dcs_apportion(x->parts_ns[EXPLAIN_CONTENTION], l->contention, apps, x->contention_ns);
    dcs_apportion(x->parts_ns[EXPLAIN_QUEUE], l->queue, apps + 1, x->queue_ns);
    x->parts_ns[EXPLAIN_QUEUE] -= x->queue_ns[apps];
    x->parts_ns[EXPLAIN_REVOCATION] += x->queue_ns[apps];
    int64_t sum = 0;
    for (int i = 0; i < EXPLAIN_PARTS; i++) {
        DCS_ASSERT(x->parts_ns[i] >= 0);
        sum += x->parts_ns[i];
    }
    DCS_ASSERT(sum == x->end_ns - x->arrival_ns);
    free_ledger(l);
    e->ledgers[slot] = NULL;
}

static void end_all(struct explainer *e, int64_t end_ns)
{
    for (uint32_t i = 0; i < e->spec->domains_count; i++)
        advance(e, &e->domains[i], end_ns);
    for (uint32_t slot = 0; slot < e->ledgers_capacity; slot++) {
        struct ledger *l = e->ledgers[slot];
        if (l == NULL)
            continue;
        if (l->waits)
            end_wait(e, l);
        else if (l->runs)
            end_run(e, l, end_ns, false);
        else
            e->rows[l->row].parts_ns[EXPLAIN_REVOCATION] += end_ns - l->rated_ns;
        close_ledger(e, slot, end_ns, CLUSTER_INSIDE);
    }
}

/* ---- What is told ---- */

static void leaves(struct explainer *e, struct ledger *l, const struct cluster_record *r)
{
    if (r->domain == RECORD_NONE) { /* turned away by a full queue */
        if (is_chosen(e, r)) {
            size_t row = add_row(e, r);
            e->rows[row].outcome = CLUSTER_DROPPED;
            e->rows[row].end_ns = r->at_ns;
        }
        return;
    }
    end_behind(e, earlier_requests_leave(e->earlier, r->slot));
    if (l == NULL)
        return;
    end_wait(e, l);
    if (!r->flag)
        close_ledger(e, r->slot, r->at_ns, CLUSTER_DROPPED);
}

static void kernel_end(struct explainer *e, struct ledger *l, const struct cluster_record *r)
{
    leave(e, r);
    if (r->flag)
        end_behind(e, earlier_requests_leave(e->earlier, r->slot));
    if (l == NULL)
        return;
    end_run(e, l, r->at_ns, true);
    if (r->flag)
        close_ledger(e, r->slot, r->at_ns, CLUSTER_DONE);
    else
        begin_wait(e, l, r->slot, r->domain);
}

static int record(void *context, const struct cluster_record *r, struct dcs_err *err)
{
    struct explainer *e = context;
    struct ledger *l = r->id != 0 ? ledger_of(e, r->slot, r->id) : NULL;
    (void)err;
    if (r->domain != RECORD_NONE)
        advance(e, &e->domains[r->domain], r->at_ns);
    switch (r->kind) {
    case RECORD_ROUTED:
        if (r->flag && is_chosen(e, r)) {
            arrive(e, r);
            l = ledger_of(e, r->slot, r->id);
        }
        earlier_requests_enter(e->earlier, r->slot, r->domain, r->app);
        if (l != NULL)
            begin_wait(e, l, r->slot, r->domain);
        break;
    case RECORD_LAUNCH:
        if (l != NULL)
            begin_run(e, l, r);
        end_behind(e, earlier_requests_begin(e->earlier, r->slot));
        enter(e, r);
        break;
    case RECORD_KERNEL_END:
        kernel_end(e, l, r);
        break;
    case RECORD_STOP:
        die(e, r);
        if (l != NULL)
            stop(e, l, r);
        break;
    case RECORD_STOPPED:
        leave(e, r);
        if (l == NULL)
            break;
        e->rows[l->row].parts_ns[EXPLAIN_REVOCATION] += r->at_ns - l->rated_ns;
        begin_wait(e, l, r->slot, r->domain);
        break;
    case RECORD_LEAVES:
        leaves(e, l, r);
        break;
    case RECORD_QUOTA:
        if (l != NULL)
            l->switch_ns = l->runs ? 0
                                   : cluster_switch_ns(e->spec, e->spec->domains[r->domain].profile,
                                                       r->before, r->allotment);
        break;
    case RECORD_RATES:
        rate(e, r);
        break;
    case RECORD_CALLBACK:
        e->domains[r->domain].busy_until_ns = r->to_ns;
        break;
    case RECORD_END:
        end_all(e, r->at_ns);
        break;
    case RECORD_ACTION:
    case RECORD_REASON:
        break;
    }
    return 0;
}

struct recorder explainer_recorder(struct explainer *e)
{
    return (struct recorder){.context = e, .record = record};
}
