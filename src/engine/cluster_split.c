/*
 * cluster_split.c - runs a cluster: all domains at once, in one list of events, or, where domains
 * do not know of each other, some at a time. A stretch of domains is simulated from 0 to the
 * horizon, then the next stretch, on one thread or several. The results are those of one list of
 * events, to the last bit.
 *
 *   one list:       A1 B1 C1 A2 C2 B2 A3 B3 C3            a stretch of domains stays in the caches
 *   two stretches:  [A1 B1 A2 B2 A3 B3] [C1 C2 C3]
 *
 * WHAT TIES DOMAINS, and so makes a run one list:
 *   - no horizon: then the last job ends the run for all;
 *   - rows of requests or reasons, and recorders: they are told in the order of all events;
 *   - a router that looks at loads;
 *   - clients of no domain, who issue when another request of theirs has ended.
 * The router does not tie where it gives each arrival its domain by number or by chance,
 * and all arrivals are known: those of open loops without a limit on what waits. A stretch then
 * draws the arrivals of all, and passes over those that go elsewhere.
 *
 * Whether a policy fuses kernels (errors of predictions are summed in the order of all events) or
 * returns requests of such jobs to the router is seen when it does: the run then begins anew, as
 * one list. So does one that fails, whose message says the first failure of all, and one that comes
 * near a limit on what may be pending or inside at one time.
 *
 * THE SAME ORDER. Of the events of a stretch, any two are added in the same order as in one list:
 * each is added by another event of the same domain, or at the begin of the run. Jobs alone are
 * added one by another; so a stretch has the events of all jobs (lifecycle.c), and does not count
 * those of others. Within a domain ids of requests ascend as in one list.
 */
#include "engine/cluster_state.h"

#include <pthread.h>
#include <stdlib.h>

/* Domains and devices of a stretch. They and as much again of requests, events and what policies
 * remember fit into the first cache of a core, which has 32 KB or more. */
#define STRETCH_BYTES ((uint64_t)16 << 10)
/* For each thread, where the domains allow it: some stretches take longer than others. */
#define STRETCHES_PER_THREAD 4

struct split {
    const struct cluster_spec *spec;
    bool pinned; /* each job has its domain */
    uint32_t threads;
    struct stretch *stretches;
    uint32_t count;
    uint32_t *jobs; /* of all stretches */
    atomic_uint next;
    atomic_bool abandoned;
};

/* ---- Whether ---- */

/* Requests of other jobs go to a domain that another request decides, or a load. */
static bool is_separable_job(const struct cluster_spec *s, const struct dcs_job *job)
{
    return job->pinned || (job->open && job->queue_limit == 0 && s->policy->on_job == NULL &&
                           s->router != CLUSTER_LEAST_OUTSTANDING);
}

static bool is_separable(const struct cluster_spec *s)
{
    if (s->horizon_ns == DCS_NEVER || s->domains_count < 2 || s->workload->count > UINT32_MAX)
        return false;
    if (s->recorder != NULL || s->keep_requests || s->keep_decisions || s->probe != NULL ||
        s->driven != NULL)
        return false;
    for (size_t i = 0; i < s->workload->count; i++)
        if (!is_separable_job(s, &s->workload->jobs[i]))
            return false;
    return true;
}

/* ---- How ---- */

static bool all_pinned(const struct dcs_workload *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (!w->jobs[i].pinned)
            return false;
    return true;
}

/* At how many times jobs begin. */
static size_t count_begins(const struct dcs_workload *w)
{
    size_t n = w->count > 0;
    for (size_t i = 1; i < w->count; i++)
        n += w->jobs[i].begin_ns != w->jobs[i - 1].begin_ns;
    return n;
}

/* Where jobs have their domains, as many as stay in a cache. Each stretch passes over all times at
 * which jobs begin: all together over no more than there are jobs. Where requests are routed, each
 * stretch passes over all requests, so that there is one for each thread. */
static uint32_t count_stretches(const struct split *p)
{
    const struct cluster_spec *s = p->spec;
    uint64_t n = p->threads;
    if (p->pinned) {
        size_t begins = count_begins(s->workload);
        uint64_t most = begins > 0 ? s->workload->count / begins : 1;
        n = cluster_bytes(s).domains / STRETCH_BYTES + 1;
        if (p->threads > 1 && n < STRETCHES_PER_THREAD * (uint64_t)p->threads)
            n = STRETCHES_PER_THREAD * (uint64_t)p->threads;
        if (n > most)
            n = most > p->threads ? most : p->threads;
    }
    return n < s->domains_count ? (uint32_t)n : s->domains_count;
}

/* The stretches of a domain, or of all that the router chooses from. */
static void find_stretches(const struct split *p, const struct dcs_job *job, uint32_t *first,
                           uint32_t *end)
{
    *first = 0;
    *end = p->count;
    if (!job->pinned)
        return;
    /* Stretch i begins at domain i * domains / count, rounded down. */
    *first = (uint32_t)((((uint64_t)job->domain + 1) * p->count - 1) / p->spec->domains_count);
    *end = *first + 1;
}

static void list_jobs(struct split *p)
{
    const struct dcs_workload *w = p->spec->workload;
    uint32_t first, end;
    size_t all = 0;
    for (size_t i = 0; i < w->count; i++) {
        find_stretches(p, &w->jobs[i], &first, &end);
        for (uint32_t k = first; k < end; k++, all++)
            p->stretches[k].jobs_count++;
    }
    uint32_t *free_place = p->jobs = dcs_alloc(all + 1, sizeof *p->jobs);
    for (uint32_t k = 0; k < p->count; k++) {
        p->stretches[k].jobs = free_place;
        free_place += p->stretches[k].jobs_count;
        p->stretches[k].jobs_count = 0;
    }
    for (size_t i = 0; i < w->count; i++) {
        find_stretches(p, &w->jobs[i], &first, &end);
        for (uint32_t k = first; k < end; k++) {
            struct stretch *s = &p->stretches[k];
            p->jobs[(size_t)(s->jobs - p->jobs) + s->jobs_count++] = (uint32_t)i;
        }
    }
}

static void cut_domains(struct split *p)
{
    const struct cluster_spec *s = p->spec;
    uint32_t device = 0;
    p->stretches = dcs_alloc(p->count, sizeof *p->stretches);
    for (uint32_t k = 0; k < p->count; k++) {
        struct stretch *stretch = &p->stretches[k];
        stretch->first_domain = (uint32_t)((uint64_t)k * s->domains_count / p->count);
        stretch->end_domain = (uint32_t)(((uint64_t)k + 1) * s->domains_count / p->count);
        stretch->first_device = device;
        for (uint32_t i = stretch->first_domain; i < stretch->end_domain; i++)
            device += s->domains[i].devices;
    }
}

/* ---- The run ---- */

/* On one thread: stretch after stretch. Where arrivals are drawn for all, only one, since the jobs
 * would have to begin anew. */
static void simulate_stretches(struct split *p, struct cluster *c)
{
    cluster_begin(c);
    c->end_ns = p->spec->horizon_ns; /* others may have taken all stretches */
    do {
        uint32_t k = atomic_fetch_add(&p->next, 1);
        if (k >= p->count)
            break;
        c->stretch = p->stretches[k];
        requests_next_stretch(c);
        cluster_simulate(c);
        if (c->failed)
            break;
        measure_stretch(c);
        c->most.events += dcs_events_most(c->events);
        c->most.notes += notes_most(&c->notes);
    } while (p->pinned && !cluster_stopped(c));
    if (c->failed)
        atomic_store(&p->abandoned, true);
    cluster_end(c);
}

/* A thread of a split run; the first is the caller's. */
struct worker {
    struct split *split;
    struct cluster *cluster;
    pthread_t thread;
    struct cluster_result result;
    struct dcs_err err;
};

static void *work(void *context)
{
    struct worker *w = context;
    simulate_stretches(w->split, w->cluster);
    dcs_where_end();
    return NULL;
}

/* Returns how many clusters there are, of threads that have ended. */
static uint32_t run_workers(struct split *p, struct worker *workers, struct cluster *clusters)
{
    uint32_t n = 0;
    for (; n < p->threads; n++) {
        struct worker *w = &workers[n];
        *w = (struct worker){.split = p, .cluster = &clusters[n]};
        clusters[n] = (struct cluster){.spec = p->spec,
                                       .result = &w->result,
                                       .err = &w->err,
                                       .stretches = p->count,
                                       .abandoned = &p->abandoned};
        if (n > 0 && pthread_create(&w->thread, NULL, work, w) != 0)
            break;
    }
    /* Stretches that no thread has would be left over. */
    if (n < p->threads && !p->pinned)
        atomic_store(&p->abandoned, true);
    simulate_stretches(p, clusters); /* what is measured after it is of this simulation, too */
    for (uint32_t i = 1; i < n; i++)
        pthread_join(workers[i].thread, NULL);
    return n;
}

/* Whether no limit on what may be inside, pending or told at one time would have ended the run as
 * one list: the most of all stretches together. */
static bool fits_one_list(const struct cluster *clusters, uint32_t count)
{
    uint64_t requests = 0, times = 0, events = 0, notes = 0;
    for (uint32_t i = 0; i < count; i++) {
        requests += clusters[i].requests.used;
        times += requests_measured_times(&clusters[i]);
        events += clusters[i].most.events;
        notes += clusters[i].most.notes;
    }
    return requests <= REQUESTS_INSIDE_MAX && events < EVENTS_FOR_OTHERS &&
           notes <= INSTANT_NOTES && cluster_bytes_hold(clusters->spec, requests, times);
}

static bool run_split(struct split *p, struct cluster_result *out)
{
    struct worker *workers = dcs_alloc(p->threads, sizeof *workers);
    struct cluster *clusters = dcs_alloc(p->threads, sizeof *clusters);
    uint32_t n = run_workers(p, workers, clusters);
    bool done = !atomic_load(&p->abandoned) && fits_one_list(clusters, n);
    if (done) {
        for (uint32_t i = 1; i < n; i++)
            life_add(clusters, &clusters[i]);
        measure_end(clusters, clusters, n);
        *out = workers[0].result;
        out->stretches = p->count;
    }
    dcs_where_end();
    for (uint32_t i = 0; i < n; i++) {
        if (!done && p->spec->progress != NULL)
            atomic_fetch_sub(p->spec->progress, clusters[i].told);
        cluster_destroy(&clusters[i]);
        if (!done || i > 0)
            cluster_result_release(&workers[i].result);
    }
    free(clusters);
    free(workers);
    return done;
}

/* True: *out is the result. False: the run is to be one list of events, and *out is empty. */
static bool try_split(const struct cluster_spec *spec, struct cluster_result *out)
{
    if (!is_separable(spec))
        return false;
    struct split p = {.spec = spec, .threads = spec->threads > 0 ? spec->threads : 1};
    p.pinned = all_pinned(spec->workload);
    p.count = count_stretches(&p);
    if (p.count < 2)
        return false;
    if (p.threads > p.count)
        p.threads = p.count;
    cut_domains(&p);
    list_jobs(&p);
    bool done = run_split(&p, out);
    free(p.stretches);
    free(p.jobs);
    return done;
}

static int run_one_list(const struct cluster_spec *spec, struct cluster_result *out,
                        struct dcs_err *err)
{
    struct cluster c = {.spec = spec, .result = out, .err = err};
    c.stretch.end_domain = spec->domains_count;
    cluster_begin(&c);
    cluster_simulate(&c);
    cluster_end(&c);
    if (!c.failed)
        measure_end(&c, &c, 1);
    dcs_where_end();
    cluster_destroy(&c);
    if (c.failed)
        cluster_result_release(out);
    return c.failed ? -1 : 0;
}

int cluster_run(const struct cluster_spec *spec, struct cluster_result *out, struct dcs_err *err)
{
    *out = (struct cluster_result){0};
    if (cluster_check_policy(spec->policy, err) != 0)
        return -1;
    if (spec->recorder != NULL && device_kind_of(spec)->divides)
        return dcs_err_set(err, "requests that devices share are not recorded: leave the timeline "
                                "out; outputs.decisions keeps the steps");
    if (spec->rows != NULL)
        spec->rows->begin(spec->rows->context);
    return try_split(spec, out) ? 0 : run_one_list(spec, out, err);
}
