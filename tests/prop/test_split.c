/*
 * test_split.c - a run whose domains are simulated in stretches, on one to three threads, beside
 * the same run as one list of events.
 *
 * Pins, over random clusters under the built-in policies (jobs that have their domain; open loops
 * that are routed by number or by chance; ties of arrivals, begins and thinking; charges; warm-ups;
 * all orders of an instant): that the result is the same in every field, to the last bit, whether
 * devices are exclusive, shared or CPUs; that a run that fails says the same; that a run which is
 * broken off says so; which runs are not split. Each world runs as one list because it keeps rows.
 * A failure prints its seed. Does not pin: how fast it is (tests/e2e/instructions.sh).
 */
#include "policies/policies.h"
#include "tests/random_world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

enum { WORLDS = 300, SERIES = 20 };

static uint64_t running; /* seed of the world that is being tried */

static bool same_hist(const struct dcs_hist *a, const struct dcs_hist *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->count == b->count && a->sum == b->sum && a->min == b->min && a->max == b->max &&
           memcmp(a->bucket, b->bucket, sizeof a->bucket) == 0;
}

static void assert_same_app(const struct cluster_app_result *a, const struct cluster_app_result *b)
{
    assert_int_equal(a->arrived, b->arrived);
    assert_int_equal(a->done, b->done);
    assert_int_equal(a->dropped, b->dropped);
    assert_int_equal(a->inside, b->inside);
    assert_int_equal(a->decided, b->decided);
    assert_int_equal(a->met, b->met);
    assert_int_equal(a->completions, b->completions);
    assert_int_equal(a->revocations, b->revocations);
    assert_int_equal(a->switches, b->switches);
    assert_int_equal(a->switch_ns, b->switch_ns);
    assert_true(same_hist(a->response, b->response));
    assert_true(same_hist(a->cut, b->cut));
}

static void assert_same_job(const struct cluster_job_row *a, const struct cluster_job_row *b)
{
    assert_int_equal(a->app, b->app);
    assert_int_equal(a->domain, b->domain);
    assert_int_equal(a->issued, b->issued);
    assert_int_equal(a->completed, b->completed);
    assert_int_equal(a->dropped, b->dropped);
    assert_int_equal(a->requests, b->requests);
    assert_int_equal(a->clients, b->clients);
    assert_int_equal(a->until_ns, b->until_ns);
    assert_int_equal(a->finite, b->finite);
    assert_int_equal(a->begin_ns, b->begin_ns);
    assert_int_equal(a->end_ns, b->end_ns);
    assert_int_equal(a->sla_ns, b->sla_ns);
    assert_int_equal(a->decided, b->decided);
    assert_int_equal(a->met, b->met);
    assert_int_equal(a->p99_ns, b->p99_ns);
}

static void assert_same_result(const struct cluster_result *a, const struct cluster_result *b)
{
    assert_int_equal(a->requests, b->requests);
    assert_int_equal(a->returned, b->returned);
    assert_int_equal(a->launches, b->launches);
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->revocations, b->revocations);
    assert_int_equal(a->left_waiting, b->left_waiting);
    assert_int_equal(a->first_arrival_ns, b->first_arrival_ns);
    assert_int_equal(a->last_completion_ns, b->last_completion_ns);
    assert_int_equal(a->from_ns, b->from_ns);
    assert_int_equal(a->to_ns, b->to_ns);
    assert_true(a->area_ns == b->area_ns && a->mean_in_system == b->mean_in_system);
    assert_memory_equal(&a->shared, &b->shared, sizeof a->shared);
    assert_true(a->shared_sms == b->shared_sms);
    assert_memory_equal(&a->fusion, &b->fusion, sizeof a->fusion);
    assert_int_equal(a->contention.hits + a->contention.misses,
                     b->contention.hits + b->contention.misses);
    for (uint32_t i = 0; i < a->apps_count; i++)
        assert_same_app(&a->apps[i], &b->apps[i]);
    assert_int_equal(a->devices_count, b->devices_count);
    assert_memory_equal(a->devices, b->devices, a->devices_count * sizeof *a->devices);
    assert_memory_equal(a->device_domain, b->device_domain,
                        a->devices_count * sizeof *a->device_domain);
    assert_int_equal(a->jobs_count, b->jobs_count);
    for (size_t i = 0; i < a->jobs_count; i++)
        assert_same_job(&a->jobs[i], &b->jobs[i]);
    assert_true((a->series == NULL) == (b->series == NULL));
    if (a->series != NULL)
        assert_memory_equal(a->series, b->series, SERIES * sizeof *a->series);
}

/* Arrivals and begins at few times. */
static void tie_times(struct dcs_job *job, struct dcs_rng *rng)
{
    static const struct dcs_arrivals_spec often = {.kind = DCS_ARRIVALS_DETERMINISTIC,
                                                   .rate_per_s = 100};
    static const struct dcs_arrivals_spec seldom = {.kind = DCS_ARRIVALS_DETERMINISTIC,
                                                    .rate_per_s = 25};
    job->begin_ns -= job->begin_ns % MS(40);
    if (job->open)
        job->arrivals = one_in(rng, 2) ? &often : &seldom;
}

/* A random world of a few domains, and a horizon. Most jobs have their domain; in some worlds those
 * that are open loops do not, and the router does not look at loads. */
static void make_separable(struct world *w, uint64_t seed, const struct policy *policy, bool shared)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_NOISE, 2000);
    random_world(w, seed, policy, shared);
    if (w->spec.horizon_ns == DCS_NEVER)
        w->spec.horizon_ns = MS(1500);
    world_domains(w, 2 + (uint32_t)below(&rng, WORLD_DOMAINS - 1), 1);
    for (uint32_t i = 0; i < w->spec.domains_count; i++)
        w->domains[i].devices = 1 + (uint32_t)below(&rng, 3);
    bool routed = one_in(&rng, 3), ties = one_in(&rng, 2);
    if (routed && w->spec.router == CLUSTER_LEAST_OUTSTANDING)
        w->spec.router = CLUSTER_RANDOM;
    for (size_t i = 0; i < w->workload.count; i++) {
        struct dcs_job *job = &w->workload.jobs[i];
        job->pinned = !(routed && job->open && one_in(&rng, 2));
        job->domain = job->pinned ? (uint32_t)below(&rng, w->spec.domains_count) : 0;
        if (!job->pinned)
            job->queue_limit = 0;
        if (one_in(&rng, 3))
            job->begin_ns = 0;
        if (ties)
            tie_times(job, &rng);
    }
    w->spec.series = one_in(&rng, 3) && w->spec.horizon_ns >= SERIES ? SERIES : 0;
    if (one_in(&rng, 12)) /* some have not enough for their requests */
        w->spec.bytes_max = cluster_bytes(&w->spec).domains + cluster_bytes(&w->spec).jobs +
                            (uint64_t)below(&rng, 20000);
}

/* Whether it was split. */
static bool one_world(uint64_t seed, const struct policy *policy, bool shared, uint32_t threads)
{
    static struct world one, w;
    make_separable(&one, seed, policy, shared);
    int failed = world_run(&one);
    make_separable(&w, seed, policy, shared);
    w.spec.keep_requests = false;
    w.spec.threads = threads;
    assert_int_equal(world_run(&w), failed);
    assert_int_equal(one.out.stretches, 0);
    bool split = w.out.stretches > 0;
    if (failed)
        assert_string_equal(w.err.text, one.err.text);
    else
        assert_same_result(&one.out, &w.out);
    world_release(&w);
    world_release(&one);
    return split;
}

static void the_same_as_one_list(void **state)
{
    (void)state;
    uint32_t split = 0, tried = 0;
    for (running = 1; running <= WORLDS; running++)
        for (size_t i = 0; random_policy(i) != NULL; i++, tried++)
            split +=
                one_world(running, random_policy(i), running % 2 == 0, 1 + (uint32_t)(running % 3));
    assert_true(split > tried / 2);
    running = 0;
}

/* What ties domains to each other. */
static void run_tied(bool split, void (*tie)(struct world *w))
{
    struct world w = {0};
    world_init(&w, policies_find("fcfs"), 1);
    uint32_t app = world_latency(&w, MS(2));
    world_domains(&w, 4, 1);
    w.spec.horizon_ns = MS(100);
    w.spec.keep_requests = false;
    w.spec.threads = 2;
    for (uint32_t i = 0; i < 4; i++) {
        struct dcs_job *job = world_job(&w, app, 0);
        job->pinned = true;
        job->domain = i;
        job->requests = 0;
    }
    if (tie != NULL)
        tie(&w);
    assert_int_equal(world_run(&w), 0);
    assert_true(split == (w.out.stretches > 0));
    assert_int_equal(w.out.apps[0].done, 196); /* in flight at the horizon: 4 */
    world_release(&w);
}

static void tie_rows(struct world *w)
{
    w->spec.keep_requests = true;
}

static void tie_reasons(struct world *w)
{
    w->spec.keep_decisions = true;
}

static int take_record(void *context, const struct cluster_record *r, struct dcs_err *err)
{
    (void)context;
    (void)r;
    (void)err;
    return 0;
}

static void tie_recorder(struct world *w)
{
    static const struct recorder recorder = {.record = take_record};
    w->spec.recorder = &recorder;
}

/* Its next request goes where the router sends it. */
static void tie_client(struct world *w)
{
    w->workload.jobs[0].pinned = false;
    w->spec.router = CLUSTER_LEAST_OUTSTANDING;
}

static void what_ties_domains(void **state)
{
    (void)state;
    run_tied(true, NULL);
    run_tied(false, tie_rows);
    run_tied(false, tie_reasons);
    run_tied(false, tie_recorder);
    run_tied(false, tie_client);
}

/* Broken off before it begins. */
static void broken_off(void **state)
{
    (void)state;
    static struct world w;
    atomic_bool stop = true;
    make_separable(&w, 1, policies_find("fcfs"), false);
    w.spec.keep_requests = false;
    w.spec.threads = 2;
    w.spec.stop = &stop;
    assert_int_equal(world_run(&w), 0);
    assert_true(w.out.interrupted);
    world_release(&w);
}

/* cmocka leaves a failing test by a jump, so the seed is told afterwards. */
static int tell_seed(void **state)
{
    (void)state;
    if (running != 0)
        print_error("failed at seed %llu\n", (unsigned long long)running);
    running = 0;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_same_as_one_list, tell_seed),
        cmocka_unit_test(what_ties_domains),
        cmocka_unit_test(broken_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
