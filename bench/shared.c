/*
 * shared.c - how fast an experiment with shared devices runs, and what contention costs in it.
 *
 *   shared [--threads N] CONFIG [KEY=VALUE]...
 *
 * Runs the first replication once on one thread, or N. Prints kernel completions per second of
 * processor time (without reading the profile and finding peak rates), the time by the clock, and
 * in how many stretches the domains were simulated. Prints the share of contention sets that were
 * remembered, and what it costs to solve one: sets of 2 to 4 kernels of the first profile at
 * random, on multiples of 8 SMs. Numbers of one machine at one moment: compare ratios.
 */
#include "config/config.h"
#include "des/rng.h"
#include "experiment/experiment.h"
#include "models/gpu/contention.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SETS 20000

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_now(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static void measure_misses(const struct dcs_spatial *s)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_ARRIVALS, 0);
    for (uint32_t n = 2; n <= 4; n++) {
        double slowdown[4], spent = 0, loads = 0;
        for (int i = 0; i < SETS; i++) {
            struct dcs_presser set[4];
            uint32_t iterations;
            for (uint32_t k = 0; k < n; k++)
                set[k] = (struct dcs_presser){
                    .shape = (uint32_t)dcs_rng_below(&rng, s->shapes_count),
                    .millisms = (uint32_t)(8000 * (1 + dcs_rng_below(&rng, s->sms / 8)))};
            double begin = seconds_now();
            dcs_contention_solve(s, set, n, slowdown, &iterations);
            spent += seconds_now() - begin;
            loads += iterations;
        }
        printf("solving %u kernels: %.0f ns, %.1f loads of a resource\n", n, 1e9 * spent / SETS,
               loads / SETS);
    }
}

static void print(const struct cluster_result *r, double seconds, double clock_s)
{
    const struct dcs_contention_stats *c = &r->contention;
    double sets = (double)(c->hits + c->misses);
    printf("%llu kernels, %llu events, %.3f s: %.3f million kernels per second\n",
           (unsigned long long)r->launches, (unsigned long long)r->events, seconds,
           1e-6 * (double)r->launches / seconds);
    printf("%.3f s by the clock, %u stretches\n", clock_s, r->stretches);
    printf("%.0f sets of kernels that run together, %.4f of them remembered, %.1f loads for each "
           "other\n",
           sets, sets > 0 ? (double)c->hits / sets : 0,
           c->misses > 0 ? (double)c->iterations / (double)c->misses : 0);
}

static int measure(const struct experiment *x, uint32_t threads, struct dcs_err *err)
{
    struct dcs_workload workload;
    struct cluster_spec spec;
    struct cluster_result result;
    struct dcs_replay_counts *counts = dcs_alloc(experiment_replays(x) + 1, sizeof *counts);
    int status = experiment_workload(x, 0, &workload, counts, err);
    free(counts);
    if (status != 0)
        return -1;
    experiment_spec(x, 0, &workload, &spec);
    spec.threads = threads;
    double begin = seconds_now(), clock_s = read_clock(CLOCK_MONOTONIC);
    status = cluster_run(&spec, &result, err);
    double seconds = seconds_now() - begin;
    clock_s = read_clock(CLOCK_MONOTONIC) - clock_s;
    dcs_workload_release(&workload);
    if (status != 0)
        return -1;
    print(&result, seconds, clock_s);
    cluster_result_release(&result);
    if (x->kind[0].spatial != NULL)
        measure_misses(x->kind[0].spatial);
    return 0;
}

static int measure_config(struct options_doc *doc, uint32_t threads, int sets_count, char **sets,
                          struct dcs_err *err)
{
    struct config config;
    struct experiment x;
    for (int i = 0; i < sets_count; i++)
        if (options_set(doc, sets[i], err) != 0)
            return -1;
    if (config_parse(&config, doc, NULL, err) != 0)
        return -1;
    int status = experiment_open(&x, &config, doc, err);
    if (status == 0) {
        status = measure(&x, threads, err);
        experiment_close(&x);
    }
    config_release(&config);
    return status;
}

int main(int argc, char **argv)
{
    struct dcs_err err = {0};
    uint32_t threads = 1;
    if (argc > 3 && strcmp(argv[1], "--threads") == 0) {
        threads = (uint32_t)strtoul(argv[2], NULL, 10);
        argv += 2;
        argc -= 2;
    }
    if (argc < 2 || threads < 1 || threads > 1024) {
        fprintf(stderr, "usage: shared [--threads N] CONFIG [KEY=VALUE]...\n");
        return DCS_EXIT_USER;
    }
    struct options_doc *doc = options_load(argv[1], &err);
    int status = doc != NULL ? measure_config(doc, threads, argc - 2, argv + 2, &err) : -1;
    options_doc_free(doc);
    if (status != 0)
        dcs_err_print(&err, stderr);
    return status != 0 ? DCS_EXIT_USER : DCS_EXIT_OK;
}
