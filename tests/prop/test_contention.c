/*
 * test_contention.c - pins what contention.h promises, on random sets of random kernels: slow-downs
 * are at least 1 and satisfy the model's equations; a kernel alone, or among kernels that press
 * nothing and wait for nothing, has exactly 1; the order of a set and what was asked before change
 * no bit; the memory gives the bits of solving, also after it was full; with one resource
 * slow-downs never fall when another presses more, or one more comes; extreme weights give finite
 * numbers. On kernels as they were fitted to an H200: the solver finds what plain nested halvings
 * find, with a tenth of their looks at the loads, and of two kernels one does not get faster when
 * the other presses more on the first resource, and hardly when it does on the second (no theorem:
 * it is what holds for these).
 */
#include "models/gpu/contention.h"

#include "des/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SHAPES 40
#define SMS    16
#define CASES  3000

/* A profile made by hand; nothing in it is allocated. */
struct world {
    struct dcs_spatial spatial;
    struct dcs_shape shapes[SHAPES];
    struct dcs_shape_point points[SHAPES][2];
    struct dcs_rng rng;
};

static double uniform(struct dcs_rng *rng)
{
    return dcs_rng_uniform(rng);
}

static uint32_t below(struct dcs_rng *rng, uint32_t n)
{
    return (uint32_t)dcs_rng_below(rng, n);
}

/* Weights up to `scale`; a quarter of the pressures are 0. */
static void make_world(struct world *w, uint64_t seed, uint32_t resources, double scale)
{
    *w = (struct world){
        .spatial = {
            .sms = SMS, .shapes = w->shapes, .shapes_count = SHAPES, .resources_count = resources}};
    dcs_rng_stream(&w->rng, seed, 0, DCS_RNG_ARRIVALS, 0);
    for (uint32_t r = 0; r < resources; r++) {
        struct dcs_resource *resource = &w->spatial.resources[r];
        double level = below(&w->rng, 2) * uniform(&w->rng);
        resource->hinges = 1 + below(&w->rng, DCS_HINGES_MAX);
        for (uint32_t k = 0; k < resource->hinges; k++) {
            resource->level[k] = level;
            level += 0.1 + 10 * uniform(&w->rng);
        }
    }
    for (uint32_t i = 0; i < SHAPES; i++) {
        w->shapes[i] = (struct dcs_shape){.points = w->points[i], .points_count = 2};
        for (uint32_t p = 0; p < 2; p++) {
            struct dcs_shape_point *point = &w->points[i][p];
            *point = (struct dcs_shape_point){.sms = p == 0 ? 4 : SMS, .solo_ns = 1};
            for (uint32_t r = 0; r < resources; r++) {
                double pressure = 1.3 * uniform(&w->rng) - 0.3;
                point->pressure[r] = pressure > 0 ? pressure : 0;
                for (uint32_t k = 0; k < w->spatial.resources[r].hinges; k++)
                    point->weight[r][k] = uniform(&w->rng) * scale;
            }
        }
    }
}

static uint32_t make_set(struct world *w, struct dcs_presser *set, uint32_t most)
{
    uint32_t n = 1 + below(&w->rng, most);
    for (uint32_t i = 0; i < n; i++)
        set[i] = (struct dcs_presser){.shape = below(&w->rng, SHAPES),
                                      .millisms = 1 + below(&w->rng, 1000 * SMS)};
    return n;
}

static double beyond(double level, double hinge)
{
    return level > hinge ? level - hinge : 0;
}

/* The set's slow-downs at lengths of the queues, as the model says it. */
static void slow(const struct world *w, const struct dcs_presser *set, uint32_t n,
                 const double *level, double *slowdown)
{
    for (uint32_t i = 0; i < n; i++) {
        double pressure[DCS_RESOURCES_MAX], weight[DCS_RESOURCES_MAX][DCS_HINGES_MAX];
        dcs_shape_contention(&w->spatial, set[i].shape, set[i].millisms / 1000.0, pressure, weight);
        slowdown[i] = 1;
        for (uint32_t r = 0; r < w->spatial.resources_count; r++)
            for (uint32_t k = 0; k < w->spatial.resources[r].hinges; k++) {
                double hinge = w->spatial.resources[r].level[k];
                slowdown[i] += weight[r][k] * (beyond(level[r], hinge) -
                                               beyond(pressure[r] / (1 - pressure[r]), hinge));
            }
        slowdown[i] = slowdown[i] > 1 ? slowdown[i] : 1;
    }
}

static double used(const struct world *w, const struct dcs_presser *set, uint32_t n, uint32_t r,
                   const double *slowdown)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        double pressure[DCS_RESOURCES_MAX], weight[DCS_RESOURCES_MAX][DCS_HINGES_MAX];
        dcs_shape_contention(&w->spatial, set[i].shape, set[i].millisms / 1000.0, pressure, weight);
        sum += pressure[r] / slowdown[i];
    }
    return sum;
}

static double furthest(const double *a, const double *b, uint32_t n)
{
    double worst = 0;
    for (uint32_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]) / b[i]);
    return worst;
}

/* The furthest that a slow-down is, relatively, from the right side of the model's equation. */
static double residual(const struct world *w, const struct dcs_presser *set, uint32_t n,
                       const double *slowdown)
{
    double level[DCS_RESOURCES_MAX] = {0}, expected[DCS_TOGETHER_MAX];
    for (uint32_t r = 0; r < w->spatial.resources_count; r++) {
        double u = fmin(used(w, set, n, r, slowdown), 400.0 / 401);
        level[r] = u / (1 - u);
    }
    slow(w, set, n, level, expected);
    return furthest(slowdown, expected, n);
}

/* One halving inside the other: slow, but hard to get wrong. */
static void halve(const struct world *w, const struct dcs_presser *set, uint32_t n,
                  double *slowdown)
{
    double level[2], low[2] = {0, 0}, high[2] = {400.0 / 401, 0};
    for (int i = 0; i < 40; i++) {
        double second = 0.5 * (low[0] + high[0]);
        level[1] = second / (1 - second);
        low[1] = 0;
        high[1] = 400.0 / 401;
        for (int k = 0; k < 40; k++) {
            double first = 0.5 * (low[1] + high[1]);
            level[0] = first / (1 - first);
            slow(w, set, n, level, slowdown);
            *(used(w, set, n, 0, slowdown) > first ? &low[1] : &high[1]) = first;
        }
        *(used(w, set, n, 1, slowdown) > second ? &low[0] : &high[0]) = second;
    }
}

static void test_equation(void **state)
{
    (void)state;
    static struct world w;
    struct dcs_presser set[DCS_TOGETHER_MAX];
    double slowdown[DCS_TOGETHER_MAX], slowed = 0, all = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        make_world(&w, seed, (uint32_t)(1 + seed % 2), 0.3);
        for (int i = 0; i < CASES / 60; i++) {
            uint32_t n = make_set(&w, set, i % 5 == 0 ? DCS_TOGETHER_MAX : 4);
            dcs_contention_solve(&w.spatial, set, n, slowdown, NULL);
            for (uint32_t k = 0; k < n; k++) {
                assert_true(slowdown[k] >= 1 && isfinite(slowdown[k]));
                slowed += slowdown[k] > 1.01;
                all++;
            }
            double off = residual(&w, set, n, slowdown);
            if (off > 1e-5)
                print_error("seed %llu, case %d, n %u: off by %g\n", (unsigned long long)seed, i, n,
                            off);
            assert_true(off <= 1e-5);
        }
    }
    assert_true(slowed > 0.3 * all); /* the cases are no idle ones */
}

static void test_alone(void **state)
{
    (void)state;
    static struct world w;
    make_world(&w, 3, DCS_RESOURCES_MAX, 1);
    for (uint32_t p = 0; p < 2; p++)
        w.points[1][p] = (struct dcs_shape_point){.sms = w.points[1][p].sms, .solo_ns = 1};
    for (uint32_t shape = 0; shape < SHAPES; shape++) {
        struct dcs_presser set[3] = {{1, 4000}, {shape, 777}, {1, 5}};
        double slowdown[3] = {0};
        dcs_contention_solve(&w.spatial, &set[1], 1, slowdown, NULL);
        assert_true(slowdown[0] == 1);
        dcs_contention_solve(&w.spatial, set, 3, slowdown, NULL);
        assert_true(slowdown[1] == 1);
    }
    make_world(&w, 3, 0, 1);
    struct dcs_contention *c = dcs_contention_create(&w.spatial);
    struct dcs_presser set[2] = {{1, 4000}, {2, 4000}};
    double slowdown[2] = {0};
    dcs_contention_slowdowns(c, set, 2, slowdown, NULL);
    assert_true(slowdown[0] == 1 && slowdown[1] == 1);
    dcs_contention_slowdowns(c, set, 0, slowdown, NULL);
    assert_int_equal(dcs_contention_stats(c).misses, 0);
    dcs_contention_destroy(c);
    dcs_contention_destroy(NULL);
}

/* The shares of their time by which kernels are slowed by more than was measured of them. */
static double sum_beyond(const struct world *w, const struct dcs_presser *set, uint32_t n,
                         const double *slowdown)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct dcs_shape_point *p = w->points[set[i].shape];
        double sms = (double)set[i].millisms / 1000, low = p[0].measured_to;
        double part = sms < 4 ? 0 : (sms - 4) / (SMS - 4);
        double measured = low + (p[1].measured_to - low) * part;
        if (low > 0 && slowdown[i] > measured)
            sum += 1 - measured / slowdown[i];
    }
    return sum;
}

static void test_order_and_memory(void **state)
{
    (void)state;
    static struct world w;
    make_world(&w, 7, 2, 1);
    w.spatial.ranged = true; /* but of the first shape it is not known */
    for (uint32_t i = 1; i < SHAPES; i++)
        for (uint32_t p = 0; p < 2; p++)
            w.points[i][p].measured_to = 1 + 4 * uniform(&w.rng);
    double most_beyond = 0;
    struct dcs_contention *c = dcs_contention_create(&w.spatial);
    static struct dcs_presser sets[CASES][12];
    static uint32_t sizes[CASES];
    uint64_t asked = 0;
    for (int i = 0; i < CASES; i++) {
        struct dcs_presser *set = sets[i], mixed[12];
        double solved[12], remembered[12];
        uint32_t n = 1 + make_set(&w, set, 11), from[12];
        sizes[i] = n;
        set[n - 1] = set[0]; /* two that are equal */
        memcpy(mixed, set, sizeof mixed);
        for (uint32_t k = 0; k < n; k++)
            from[k] = k;
        dcs_contention_solve(&w.spatial, set, n, solved, NULL);
        for (int again = 0; again < 3; again++) {
            double found = -1, expected = sum_beyond(&w, set, n, solved);
            dcs_contention_slowdowns(c, mixed, n, remembered, &found);
            assert_true(fabs(found - expected) < 1e-9);
            most_beyond = found > most_beyond ? found : most_beyond;
            asked++;
            for (uint32_t k = 0; k < n; k++)
                assert_memory_equal(&remembered[k], &solved[from[k]], sizeof(double));
            for (uint32_t k = n - 1; k > 0; k--) {
                uint32_t other = below(&w.rng, k + 1), kept = from[k];
                struct dcs_presser moved = mixed[k];
                mixed[k] = mixed[other];
                from[k] = from[other];
                mixed[other] = moved;
                from[other] = kept;
            }
        }
    }
    for (int i = 0; i < CASES; i++, asked++) { /* its growth has lost none */
        double remembered[12];
        dcs_contention_slowdowns(c, sets[i], sizes[i], remembered, NULL);
    }
    assert_true(most_beyond > 0.5);
    struct dcs_contention_stats stats = dcs_contention_stats(c);
    assert_int_equal(stats.hits + stats.misses, asked);
    assert_int_equal(stats.misses, CASES);
    assert_true(stats.iterations > stats.misses);
    dcs_contention_destroy(c);
}

/* More sets than it keeps, by number and by size: it forgets, and goes on being right. */
static void test_full_memory(void **state)
{
    (void)state;
    static struct world w;
    make_world(&w, 9, 1, 1);
    for (uint32_t k = 2; k < SHAPES; k++) /* quickly solved, and kept like any other */
        for (uint32_t p = 0; p < 2; p++) {
            memset(w.points[k][p].pressure, 0, sizeof w.points[k][p].pressure);
            memset(w.points[k][p].weight, 0, sizeof w.points[k][p].weight);
        }
    for (uint32_t size = 2; size <= 34; size += 32) {
        struct dcs_contention *c = dcs_contention_create(&w.spatial);
        struct dcs_presser set[34];
        double slowdown[34], solved[34];
        uint32_t sets = size == 2 ? 2200000 : 245000;
        for (uint32_t i = 0; i <= sets; i++) {
            bool check = i % sets % 4000 == 0;
            for (uint32_t k = 0; k < size; k++)
                set[k] = (struct dcs_presser){check ? k : 2 + k, 1000};
            set[0].millisms = 1 + i % sets % 16000;
            set[1].millisms = 1 + i % sets / 16000;
            dcs_contention_slowdowns(c, set, size, slowdown, NULL);
            if (check) {
                dcs_contention_solve(&w.spatial, set, size, solved, NULL);
                assert_memory_equal(slowdown, solved, size * sizeof *solved);
            }
        }
        assert_int_equal(dcs_contention_stats(c).misses, sets + 1); /* the first was forgotten */
        dcs_contention_destroy(c);
    }
}

/* One resource: shape 0 presses ever more on the others. The tolerance is the solver's. */
static void test_monotone(void **state)
{
    (void)state;
    static struct world w;
    double rose = 0;
    for (uint64_t seed = 100; seed < 250; seed++) {
        make_world(&w, seed, 1, seed % 2 == 0 ? 0.1 : 2);
        struct dcs_presser set[6] = {{0, 8000}, {1, 8000}, {2, 3000}, {3, 1}, {4, 16000}, {5, 50}};
        uint32_t n = seed % 3 == 0 ? 6 : 2;
        double last[6] = {0}, slowdown[6];
        for (int step = 0; step <= 50; step++) {
            w.points[0][0].pressure[0] = w.points[0][1].pressure[0] = step / 50.1;
            dcs_contention_solve(&w.spatial, set, n, slowdown, NULL);
            for (uint32_t k = 1; k < n; k++) {
                assert_true(slowdown[k] >= last[k] * (1 - 1e-8));
                rose += last[k] > 0 && slowdown[k] > last[k] * 1.0001;
                last[k] = slowdown[k];
            }
        }
        double more[6];
        dcs_contention_solve(&w.spatial, set, n - 1, slowdown, NULL);
        dcs_contention_solve(&w.spatial, set, n, more, NULL);
        for (uint32_t k = 0; k < n - 1; k++)
            assert_true(more[k] >= slowdown[k] * (1 - 1e-8));
    }
    assert_true(rose > 1000);
}

static void test_extreme(void **state)
{
    (void)state;
    static struct world w;
    struct dcs_presser set[DCS_TOGETHER_MAX];
    double slowdown[DCS_TOGETHER_MAX], again[DCS_TOGETHER_MAX];
    for (uint64_t seed = 1; seed <= 10; seed++) {
        make_world(&w, seed, DCS_RESOURCES_MAX, 1e6);
        for (int i = 0; i < 4; i++) {
            uint32_t n = make_set(&w, set, DCS_TOGETHER_MAX);
            dcs_contention_solve(&w.spatial, set, n, slowdown, NULL);
            dcs_contention_solve(&w.spatial, set, n, again, NULL);
            assert_memory_equal(slowdown, again, n * sizeof *again);
            for (uint32_t k = 0; k < n; k++)
                assert_true(slowdown[k] >= 1 && slowdown[k] <= 2e9);
        }
    }
}

/* ---- kernels as they are ---- */

/* Fitted on an NVIDIA H200 at 64 SMs: pressures on DRAM and L2, weights. From the lightest to the
 * heaviest on DRAM. */
static const struct {
    const char *name;
    double pressure[2], weight[2][DCS_HINGES_MAX];
} h200[] = {
    {"myocyte", {0.001, 0.001001}, {{0.007956, 0, 0.00768}, {0.00922, 0}}},
    {"sgemm", {0.01952, 0.2323}, {{0.06586, 0.05198, 0}, {0.002219, 0.07642}}},
    {"inception-train", {0.04374, 0.1961}, {{0.0163, 0.08475, 0}, {0.000954, 0.03238}}},
    {"resnet50", {0.05743, 0.2708}, {{0, 0.07695, 0}, {0.008479, 0.01449}}},
    {"particle-filter", {0.07232, 0.09973}, {{0.06722, 0, 5.521e-05}, {0.03718, 0}}},
    {"vgg19", {0.09194, 0.256}, {{0.01445, 0.05001, 0}, {0, 0.0147}}},
    {"ner", {0.1955, 0.2529}, {{0.1177, 0, 0}, {0.004292, 0.07472}}},
    {"chk", {0.221, 0.1784}, {{0.004582, 0.03231, 6.131e-05}, {0.003783, 0.01488}}},
    {"dig", {0.3135, 0.1775}, {{0.01844, 0.01387, 0.3642}, {0.01423, 0.03394}}},
    {"black-scholes", {0.3958, 0.1687}, {{0.07086, 0.01373, 0.0001104}, {0.04244, 0.06317}}},
    {"euclid", {0.6577, 0.2822}, {{0.02878, 0.02162, 0.009112}, {0.0855, 0.007371}}},
    {"lbm begin", {0.6836, 0.366}, {{0, 0.00884, 0.06225}, {0.02182, 0}}},
    {"sgemm copy", {0.8047, 0.4735}, {{0.03073, 0.006052, 0.06305}, {0.1381, 0.252}}},
    {"bfs", {0.8511, 0.3275}, {{0.1021, 0.01761, 0.0008113}, {0.1788, 0.05562}}},
    {"lbm step", {0.8734, 0.4376}, {{0.002583, 0.04482, 0.0942}, {0.1087, 0.07737}}},
};
enum { MEASURED = sizeof h200 / sizeof *h200 };

static void measured_world(struct world *w)
{
    *w = (struct world){.spatial = {.sms = SMS,
                                    .shapes = w->shapes,
                                    .shapes_count = MEASURED,
                                    .resources = {{.hinges = 3, .level = {0, 4, 16}},
                                                  {.hinges = 2, .level = {0, 4}}},
                                    .resources_count = 2}};
    dcs_rng_stream(&w->rng, 1, 0, DCS_RNG_ARRIVALS, 0);
    for (uint32_t i = 0; i < MEASURED; i++) {
        w->shapes[i] = (struct dcs_shape){.points = w->points[i], .points_count = 1};
        w->points[i][0] = (struct dcs_shape_point){.sms = SMS / 2, .solo_ns = 1};
        memcpy(w->points[i][0].pressure, h200[i].pressure, sizeof h200[i].pressure);
        memcpy(w->points[i][0].weight, h200[i].weight, sizeof h200[i].weight);
    }
}

static void test_measured(void **state)
{
    (void)state;
    static struct world w;
    double most = 0;
    uint64_t loads = 0;
    measured_world(&w);
    for (int i = 0; i < 400; i++) {
        struct dcs_presser set[6];
        double solved[6], halved[6];
        uint32_t n = 2 + below(&w.rng, 5), iterations;
        for (uint32_t k = 0; k < n; k++)
            set[k] = (struct dcs_presser){.shape = below(&w.rng, MEASURED),
                                          .millisms = 1000 + below(&w.rng, 1000 * SMS / n)};
        dcs_contention_solve(&w.spatial, set, n, solved, &iterations);
        halve(&w, set, n, halved);
        assert_true(furthest(solved, halved, n) <= 1e-6);
        most = fmax(most, solved[0]);
        loads += iterations;
    }
    assert_true(most > 2);
    assert_in_range(loads / 400, 4, 20); /* nested halvings need ten times as many */
}

/* By how much i gets faster, and slower, at most, when j's own queue at r grows by 30 %. */
static void press_more(struct world *w, uint32_t i, uint32_t j, uint32_t r, double *faster,
                       double *slower)
{
    const struct dcs_presser set[2] = {{i, 8000}, {j, 8000}};
    double slowdown[2], more[2], *pressure = &w->points[j][0].pressure[r], was = *pressure;
    dcs_contention_solve(&w->spatial, set, 2, slowdown, NULL);
    double level = 1.3 * was / (1 - was);
    *pressure = level / (1 + level);
    dcs_contention_solve(&w->spatial, set, 2, more, NULL);
    *pressure = was;
    *faster = fmax(*faster, slowdown[0] / more[0] - 1);
    *slower = fmax(*slower, more[0] / slowdown[0] - 1);
}

static void test_measured_monotone(void **state)
{
    (void)state;
    static struct world w;
    double faster[2] = {0}, slower[2] = {0};
    measured_world(&w);
    for (uint32_t i = 0; i < MEASURED; i++)
        for (uint32_t j = 0; j < MEASURED; j++)
            for (uint32_t r = 0; i != j && r < 2; r++)
                press_more(&w, i, j, r, &faster[r], &slower[r]);
    if (faster[0] > 1e-3 || faster[1] > 0.05)
        print_error("faster by %g, %g\n", faster[0], faster[1]);
    assert_true(faster[0] <= 1e-3 && slower[0] > 0.05);
    assert_true(faster[1] <= 0.05 && slower[1] > 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equation),         cmocka_unit_test(test_alone),
        cmocka_unit_test(test_order_and_memory), cmocka_unit_test(test_full_memory),
        cmocka_unit_test(test_monotone),         cmocka_unit_test(test_extreme),
        cmocka_unit_test(test_measured),         cmocka_unit_test(test_measured_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
