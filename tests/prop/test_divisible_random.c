/*
 * test_divisible_random.c - a few hundred random domains of CPUs and GPUs that share random
 * requests, under the policies that divide requests.
 *
 * Pins, for random times of chunks (alone and beside, with noise), blocks, passes, domains, jobs,
 * charges, options and orders of an instant: that chunks have as
 * many iterations together as all passes of all requests (the host refuses one beyond those that
 * are left of a pass); that each chunk ends once; that all work is done in the end; that nothing
 * differs in a second run; that the core's own assertions hold. That
 * without noise a domain of one device takes each pass's time of that device, under each policy,
 * and that with two devices alone and beside alike no division by predictions is slower than the
 * faster device. A failure prints its seed. Does not pin: which division (tests/golden).
 */
#include "engine/device_kind.h"
#include "policies/policies.h"
#include "tests/world.h"

/* After policy.h, where a member is called fail: cmocka has a macro of that name. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

enum { WORLDS = 300, DEVICES = 4, THREADS = 4 };

static uint64_t running; /* seed of the world that is being tried */

static int64_t below(struct dcs_rng *rng, int64_t n)
{
    return (int64_t)dcs_rng_below(rng, (uint64_t)n);
}

struct bench {
    struct world w;
    struct dcs_work work;
    struct dcs_chunk_curve curves[4];
    struct dcs_chunk_point points[4][6];
    const struct dcs_work *works[1];
    struct cluster_probe probe;
    uint64_t given, ended, sum; /* chunks; iterations of all chunks */
};

/* Ascending times: a fixed part and a slope that changes from point to point. */
static void random_curve(struct bench *b, struct dcs_rng *rng, enum dcs_side side, bool beside,
                         bool noise)
{
    size_t at = b->work.count++;
    double ns = 1 + (double)below(rng, 5000);
    int64_t chunk = 0, n = b->work.iterations;
    size_t count = 0;
    for (; count < 5 && chunk < n; count++) {
        int64_t next = count == 4 ? n : chunk + 1 + below(rng, n - chunk);
        ns += (double)(next - chunk) * (0.5 + 20 * dcs_rng_uniform(rng));
        b->points[at][count] = (struct dcs_chunk_point){
            .chunk = next, .ns = (double)(int64_t)ns, .sigma = noise ? 0.1 : 0};
        chunk = next;
    }
    b->curves[at] =
        (struct dcs_chunk_curve){.side = side,
                                 .threads = side == DCS_SIDE_CPU || beside ? THREADS : 0,
                                 .beside = beside,
                                 .points = b->points[at],
                                 .count = count};
}

static void random_work(struct bench *b, struct dcs_rng *rng, bool beside, bool noise)
{
    b->work = (struct dcs_work){.program = "p",
                                .iterations = 1 + below(rng, 20000),
                                .passes = 1 + below(rng, 3),
                                .pass_ns = below(rng, 3) * below(rng, 1000),
                                .curves = b->curves};
    b->work.chunk_min = 1 + below(rng, 2) * below(rng, b->work.iterations);
    if (b->work.chunk_min > 64 && below(rng, 8) > 0)
        b->work.chunk_min = 64;
    random_curve(b, rng, DCS_SIDE_CPU, false, noise);
    random_curve(b, rng, DCS_SIDE_GPU, false, noise);
    if (beside) {
        random_curve(b, rng, DCS_SIDE_CPU, true, noise);
        random_curve(b, rng, DCS_SIDE_GPU, true, noise);
    }
    b->works[0] = &b->work;
}

static void count_action(void *context, int64_t now_ns, uint32_t domain, enum cluster_action action,
                         req_id r, uint64_t detail)
{
    struct bench *b = context;
    uint64_t n = detail >> 24;
    (void)now_ns, (void)domain, (void)r;
    if (action != CLUSTER_LAUNCH_CHUNK)
        return;
    b->given++;
    b->sum += n;
    assert_true(n >= 1 && n <= (uint64_t)b->work.iterations);
}

static void count_end(void *context, int64_t now_ns, uint32_t job, uint64_t index, uint32_t kernel)
{
    struct bench *b = context;
    (void)now_ns, (void)job, (void)index;
    assert_true(kernel < b->work.passes);
    b->ended++;
}

static void build(struct bench *b, const struct policy *policy, bool beside, bool noise)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, running, 0, DCS_RNG_NOISE, 0);
    *b = (struct bench){0};
    world_init(&b->w, policy, 1 + (uint32_t)below(&rng, DEVICES));
    random_work(b, &rng, beside, noise);
    b->w.spec.seed = running;
    b->w.spec.device_kind = &device_divisible;
    dcs_app_divisible(&b->w.apps[0], "p", DCS_BATCH, b->works, 1, true);
    b->w.spec.apps_count = 1;
    world_domains(&b->w, 1 + (uint32_t)below(&rng, 3), 1);
    for (uint32_t i = 0; i < b->w.spec.domains_count; i++)
        b->w.domains[i] =
            (struct cluster_domain){.devices = 1 + (uint32_t)below(&rng, DEVICES),
                                    .cpu_threads = (uint32_t)below(&rng, 3) > 0 ? THREADS : 0};
    int64_t jobs = 1 + below(&rng, 4), at_ns = 0;
    for (int64_t i = 0; i < jobs; i++) {
        struct dcs_job *job = world_job(&b->w, 0, at_ns += below(&rng, 100000));
        job->requests = 1 + (uint64_t)below(&rng, 4);
        job->clients = 1 + (uint32_t)below(&rng, 3);
    }
    b->w.spec.router = (enum cluster_router)below(&rng, 3);
    b->w.spec.instant = (enum cluster_instant)below(&rng, CLUSTER_INSTANTS);
    b->w.spec.callback_ns = below(&rng, 2) * below(&rng, 500);
    b->w.spec.predict_ns = below(&rng, 2) * below(&rng, 50);
    b->w.spec.clairvoyant = below(&rng, 2) > 0;
    b->probe = (struct cluster_probe){.context = b, .action = count_action, .complete = count_end};
    b->w.spec.probe = &b->probe;
    for (const struct param *p = policy->params; p != NULL && p->type != PARAM_END; p++) {
        if (strcmp(p->name, "gpu_share") == 0)
            world_param(&b->w, p->name, 0.01 + 0.98 * dcs_rng_uniform(&rng));
        else if (strcmp(p->name, "passes") == 0)
            world_param(&b->w, p->name, (double)below(&rng, 2));
        else if (strcmp(p->name, "chunk") == 0)
            world_param(&b->w, p->name, (double)(b->work.chunk_min + below(&rng, 2000)));
        else if (strcmp(p->name, "probe") == 0)
            world_param(&b->w, p->name, 0.001 + 0.2 * dcs_rng_uniform(&rng));
        else
            world_param(&b->w, p->name, 0.001 * dcs_rng_uniform(&rng) * (double)below(&rng, 2));
    }
}

static void run(struct bench *b)
{
    b->given = b->ended = b->sum = 0;
    if (world_run(&b->w) != 0)
        fail_msg("seed %llu, %s: %s", (unsigned long long)running, b->w.spec.policy->name,
                 b->w.err.text);
}

static bool divides(const struct policy *p)
{
    return (p->needs & HOST_NEEDS_CHUNKS) != 0;
}

static void check_sums(const struct bench *b)
{
    uint64_t done = b->w.out.apps[0].done;
    assert_int_equal(done, b->w.out.requests);
    assert_int_equal(b->sum, done * (uint64_t)(b->work.passes * b->work.iterations));
    assert_int_equal(b->given, b->ended);
    assert_int_equal(b->given, b->w.out.launches);
    assert_int_equal(b->w.out.left_waiting, 0);
}

static void iterations_are_conserved(void **state)
{
    (void)state;
    static struct bench b, again;
    uint64_t chunks = 0, worlds = 0;
    for (running = 1; running <= WORLDS; running++)
        for (size_t i = 0; policies_all[i] != NULL; i++) {
            if (!divides(policies_all[i]))
                continue;
            build(&b, policies_all[i], running % 2 == 0, running % 3 == 0);
            run(&b);
            check_sums(&b);
            chunks += b.given;
            worlds++;
            build(&again, policies_all[i], running % 2 == 0, running % 3 == 0);
            run(&again);
            assert_int_equal(again.given, b.given);
            for (size_t k = 0; k < b.w.out.requests_rows_count; k++)
                assert_int_equal(again.w.out.requests_rows[k].end_ns,
                                 b.w.out.requests_rows[k].end_ns);
            world_release(&again.w);
            world_release(&b.w);
        }
    assert_true(worlds >= 5 * WORLDS && chunks > 20 * worlds);
    running = 0;
}

/* One domain of a CPU and a GPU, or of one of them, and one request. */
static int64_t time_of_one(const struct policy *policy, uint32_t devices, uint32_t threads,
                           bool beside)
{
    static struct bench b;
    build(&b, policy, beside, false);
    b.w.spec.domains_count = 1;
    b.w.domains[0] = (struct cluster_domain){.devices = devices, .cpu_threads = threads};
    b.w.spec.callback_ns = b.w.spec.predict_ns = 0;
    b.w.workload.count = 1;
    b.w.workload.jobs[0].requests = 1;
    b.w.workload.jobs[0].begin_ns = 0;
    run(&b);
    int64_t ns = world_end(&b.w, 0, 0);
    world_release(&b.w);
    return ns;
}

static int64_t time_alone(uint32_t threads, bool beside)
{
    static struct bench b;
    double sigma;
    build(&b, policies_find("fcfs"), beside, false);
    const struct dcs_chunk_curve *c =
        dcs_work_curve(&b.work, threads > 0 ? DCS_SIDE_CPU : DCS_SIDE_GPU, threads, false);
    int64_t ns =
        b.work.passes * ((int64_t)dcs_chunk_ns(c, b.work.iterations, &sigma) + b.work.pass_ns);
    world_release(&b.w);
    return ns;
}

static void one_device_takes_its_time(void **state)
{
    (void)state;
    for (running = 1; running <= WORLDS; running++)
        for (size_t i = 0; policies_all[i] != NULL; i++)
            for (uint32_t threads = 0; divides(policies_all[i]) && threads <= THREADS;
                 threads += THREADS)
                assert_int_equal(time_of_one(policies_all[i], 1, threads, true),
                                 time_alone(threads, true));
    running = 0;
}

/* Where working together slows nobody. */
static void predictions_are_no_slower(void **state)
{
    (void)state;
    const struct policy *p = policies_find("split-predicted");
    uint64_t faster = 0;
    for (running = 1; running <= WORLDS; running++) {
        int64_t both = time_of_one(p, 2, THREADS, false);
        int64_t cpu = time_alone(THREADS, false), gpu = time_alone(0, false);
        int64_t least = cpu < gpu ? cpu : gpu;
        assert_true(both <= least);
        faster += both < least;
    }
    assert_true(faster > WORLDS / 4);
    running = 0;
}

static void print_seed(void)
{
    if (running != 0)
        fprintf(stderr, "seed %llu\n", (unsigned long long)running);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations_are_conserved),
        cmocka_unit_test(one_device_takes_its_time),
        cmocka_unit_test(predictions_are_no_slower),
    };
    atexit(print_seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
