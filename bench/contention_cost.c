/*
 * contention_cost.c - what a slow-down costs: sets that are solved, and sets that are remembered.
 *
 *   contention [seconds per line]
 *
 * Kernels of a made-up profile press on two resources, with hinges as a fitted profile has them.
 * "solve" takes a new set each time; "remember" draws kernels and their SMs (multiples of 8, as
 * partitions have) at random from a number of shapes, as a run meets them, and prints which share
 * of the sets it had met before. Processor time of one machine at one
 * moment: compare ratios.
 */
#include "des/rng.h"
#include "models/gpu/contention.h"

#include <stdlib.h>
#include <time.h>

#define SHAPES 1000
#define SMS    132
#define BATCH  1000

static struct dcs_shape shapes[SHAPES];
static struct dcs_shape_point points[SHAPES];
static struct dcs_rng rng;
static double checksum; /* printed, so that nothing of what is measured can be left out */

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void draw_profile(struct dcs_spatial *s)
{
    *s = (struct dcs_spatial){
        .sms = SMS,
        .shapes = shapes,
        .shapes_count = SHAPES,
        .resources = {{.hinges = 3, .level = {0, 4, 16}}, {.hinges = 2, .level = {0, 4}}},
        .resources_count = 2};
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_ARRIVALS, 0);
    for (int i = 0; i < SHAPES; i++) {
        points[i] = (struct dcs_shape_point){
            .sms = SMS,
            .solo_ns = 1,
            .pressure = {dcs_rng_uniform(&rng), dcs_rng_uniform(&rng)},
        };
        for (uint32_t r = 0; r < s->resources_count; r++)
            for (uint32_t k = 0; k < s->resources[r].hinges; k++)
                points[i].weight[r][k] = 0.1 * dcs_rng_uniform(&rng);
        shapes[i] = (struct dcs_shape){.points = &points[i], .points_count = 1};
    }
}

static void draw_set(struct dcs_presser *set, uint32_t n, uint64_t among)
{
    for (uint32_t i = 0; i < n; i++)
        set[i] = (struct dcs_presser){.shape = (uint32_t)dcs_rng_below(&rng, among),
                                      .millisms = (uint32_t)(8000 * (1 + dcs_rng_below(&rng, 15)))};
}

/* One line: ns for each set, loads for each that was solved, share that was remembered. */
static void measure(const struct dcs_spatial *s, uint32_t n, uint64_t among, double seconds)
{
    struct dcs_contention *c = among > 0 ? dcs_contention_create(s) : NULL;
    struct dcs_presser set[BATCH][DCS_TOGETHER_MAX];
    double slowdown[DCS_TOGETHER_MAX], spent = 0, sets = 0, loads = 0;
    while (spent < seconds) {
        for (int i = 0; i < BATCH; i++)
            draw_set(set[i], n, among > 0 ? among : SHAPES);
        double begin = seconds_now();
        for (int i = 0; i < BATCH; i++) {
            uint32_t iterations = 0;
            if (c != NULL)
                dcs_contention_slowdowns(c, set[i], n, slowdown, NULL);
            else
                dcs_contention_solve(s, set[i], n, slowdown, &iterations);
            loads += iterations;
            checksum += slowdown[0];
        }
        spent += seconds_now() - begin;
        sets += BATCH;
    }
    double hits = 0, solved = sets;
    if (c != NULL) {
        struct dcs_contention_stats stats = dcs_contention_stats(c);
        hits = (double)stats.hits / sets;
        loads = (double)stats.iterations;
        solved = (double)stats.misses;
    }
    printf("%-9s %8u %8llu %12.0f %12.1f %10.4f\n", c != NULL ? "remember" : "solve", n,
           (unsigned long long)(among > 0 ? among : SHAPES), 1e9 * spent / sets, loads / solved,
           hits);
    dcs_contention_destroy(c);
}

int main(int argc, char **argv)
{
    static struct dcs_spatial s;
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
    draw_profile(&s);
    printf("%-9s %8s %8s %12s %12s %10s\n", "", "kernels", "shapes", "ns/set", "loads/solved",
           "remembered");
    for (uint32_t n = 2; n <= 8; n *= 2)
        measure(&s, n, 0, seconds);
    measure(&s, 2, 10, seconds);
    measure(&s, 2, 100, seconds);
    measure(&s, 2, 1000, seconds);
    measure(&s, 3, 10, seconds);
    printf("(checksum %.6g)\n", checksum);
    return 0;
}
