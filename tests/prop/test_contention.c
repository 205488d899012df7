/*
 * test_contention.c - pins what contention.h promises, on random sets of random kernels and curves:
 * slow-downs are at least 1 and satisfy the model's equation; a kernel alone, or among kernels that
 * press nothing, has exactly 1; the order of a set and what was asked before change no bit; the
 * memory gives the bits of solving, also after it was full; on one resource slow-downs never fall
 * when another presses more, or one more comes; extreme weights and curves give finite numbers.
 */
#include "models/contention.h"

#include "des/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SHAPES 40
#define KNOTS  6
#define SMS    16
#define CASES  3000

/* A profile made by hand; nothing in it is allocated. */
struct world {
    struct dcs_spatial spatial;
    struct dcs_shape shapes[SHAPES];
    struct dcs_shape_point points[SHAPES][2];
    double utilisation[DCS_RESOURCES_MAX][KNOTS], latency[DCS_RESOURCES_MAX][KNOTS];
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

/* Weights and steps of latency up to `scale`; a quarter of the pressures are 0. */
static void make_world(struct world *w, uint64_t seed, uint32_t resources, double scale)
{
    *w = (struct world){
        .spatial = {
            .sms = SMS, .shapes = w->shapes, .shapes_count = SHAPES, .resources_count = resources}};
    dcs_rng_stream(&w->rng, seed, 0, DCS_RNG_ARRIVALS, 0);
    for (uint32_t r = 0; r < resources; r++) {
        double u = 0.5 * uniform(&w->rng), l = 1;
        for (int k = 0; k < KNOTS; k++) {
            w->utilisation[r][k] = u;
            w->latency[r][k] = l;
            u += (1 - u) * (0.1 + 0.8 * uniform(&w->rng));
            l += uniform(&w->rng) * scale;
        }
        w->spatial.resources[r] = (struct dcs_resource){
            .knots = KNOTS, .utilisation = w->utilisation[r], .latency = w->latency[r]};
    }
    for (uint32_t i = 0; i < SHAPES; i++) {
        w->shapes[i] = (struct dcs_shape){.points = w->points[i], .points_count = 2};
        for (uint32_t p = 0; p < 2; p++) {
            struct dcs_shape_point *point = &w->points[i][p];
            *point = (struct dcs_shape_point){.sms = p == 0 ? 4 : SMS, .solo_ns = 1};
            for (uint32_t r = 0; r < resources; r++) {
                double pressure = 1.3 * uniform(&w->rng) - 0.3;
                point->pressure[r] = pressure > 0 ? pressure : 0;
                point->weight[r] = uniform(&w->rng) * scale;
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

static double latency_at(const struct dcs_resource *r, double u)
{
    if (u <= r->utilisation[0])
        return r->latency[0];
    for (size_t k = 1; k < r->knots; k++)
        if (u <= r->utilisation[k])
            return r->latency[k - 1] + (r->latency[k] - r->latency[k - 1]) *
                                           (u - r->utilisation[k - 1]) /
                                           (r->utilisation[k] - r->utilisation[k - 1]);
    return r->latency[r->knots - 1];
}

/* The furthest that a slow-down is, relatively, from the right side of the model's equation. */
static double residual(const struct world *w, const struct dcs_presser *set, uint32_t n,
                       const double *slowdown)
{
    double pressure[DCS_TOGETHER_MAX][DCS_RESOURCES_MAX],
        weight[DCS_TOGETHER_MAX][DCS_RESOURCES_MAX];
    double used[DCS_RESOURCES_MAX] = {0}, worst = 0;
    for (uint32_t i = 0; i < n; i++) {
        dcs_shape_contention(&w->spatial, set[i].shape, set[i].millisms / 1000.0, pressure[i],
                             weight[i]);
        for (uint32_t r = 0; r < w->spatial.resources_count; r++)
            used[r] += pressure[i][r] / slowdown[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        double expected = 1;
        for (uint32_t r = 0; r < w->spatial.resources_count; r++)
            expected +=
                weight[i][r] * (latency_at(&w->spatial.resources[r], used[r] < 1 ? used[r] : 1) -
                                latency_at(&w->spatial.resources[r], pressure[i][r]));
        expected = expected > 1 ? expected : 1;
        double off = fabs(slowdown[i] - expected) / expected;
        worst = off > worst ? off : worst;
    }
    return worst;
}

static void test_equation(void **state)
{
    (void)state;
    static struct world w;
    struct dcs_presser set[DCS_TOGETHER_MAX];
    double slowdown[DCS_TOGETHER_MAX], slowed = 0, all = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        make_world(&w, seed, (uint32_t)(1 + seed % 3), 1);
        for (int i = 0; i < CASES / 60; i++) {
            uint32_t n = make_set(&w, set, i % 5 == 0 ? DCS_TOGETHER_MAX : 4);
            dcs_contention_solve(&w.spatial, set, n, slowdown, NULL);
            for (uint32_t k = 0; k < n; k++) {
                assert_true(slowdown[k] >= 1 && isfinite(slowdown[k]));
                slowed += slowdown[k] > 1.01;
                all++;
            }
            double off = residual(&w, set, n, slowdown);
            if (off > 1e-6)
                print_error("seed %llu, case %d, n %u: off by %g\n", (unsigned long long)seed, i, n,
                            off);
            assert_true(off <= 1e-6);
        }
    }
    assert_true(slowed > 0.3 * all); /* the cases are no idle ones */
}

static void test_alone(void **state)
{
    (void)state;
    static struct world w;
    make_world(&w, 3, DCS_RESOURCES_MAX, 1);
    for (uint32_t r = 0; r < DCS_RESOURCES_MAX; r++)
        w.points[1][0].pressure[r] = w.points[1][1].pressure[r] = 0;
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
    dcs_contention_slowdowns(c, set, 2, slowdown);
    assert_true(slowdown[0] == 1 && slowdown[1] == 1);
    dcs_contention_slowdowns(c, set, 0, slowdown);
    assert_int_equal(dcs_contention_stats(c).misses, 0);
    dcs_contention_destroy(c);
    dcs_contention_destroy(NULL);
}

static void test_order_and_memory(void **state)
{
    (void)state;
    static struct world w;
    make_world(&w, 7, 2, 1);
    struct dcs_contention *c = dcs_contention_create(&w.spatial);
    uint64_t asked = 0;
    for (int i = 0; i < CASES; i++) {
        struct dcs_presser set[12], mixed[12];
        double solved[12], remembered[12];
        uint32_t n = 1 + make_set(&w, set, 11), from[12];
        set[n - 1] = set[0]; /* two that are equal */
        memcpy(mixed, set, sizeof set);
        for (uint32_t k = 0; k < n; k++)
            from[k] = k;
        dcs_contention_solve(&w.spatial, set, n, solved, NULL);
        for (int again = 0; again < 3; again++) {
            dcs_contention_slowdowns(c, mixed, n, remembered);
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
    for (uint32_t size = 2; size <= 34; size += 32) {
        struct dcs_contention *c = dcs_contention_create(&w.spatial);
        struct dcs_presser set[34];
        double slowdown[34], solved[34];
        uint32_t sets = size == 2 ? 560000 : 40000;
        for (uint32_t k = 0; k < size; k++)
            set[k] = (struct dcs_presser){k, 1000};
        for (uint32_t i = 0; i <= sets; i++) {
            set[0].millisms = 1 + i % sets % 16000;
            set[1].millisms = 1 + i % sets / 16000;
            dcs_contention_slowdowns(c, set, size, slowdown);
            if (i % 1000 == 0) {
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
        make_world(&w, seed, 1, seed % 2 == 0 ? 1 : 20);
        struct dcs_presser set[6] = {{0, 8000}, {1, 8000}, {2, 3000}, {3, 1}, {4, 16000}, {5, 50}};
        uint32_t n = seed % 3 == 0 ? 6 : 2;
        double last[6] = {0}, slowdown[6];
        for (int step = 0; step <= 50; step++) {
            w.points[0][0].pressure[0] = w.points[0][1].pressure[0] = step / 50.0;
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
        make_world(&w, seed, DCS_RESOURCES_MAX, 1e5);
        if (seed % 2 == 0) /* a step */
            for (int k = 0; k < KNOTS; k++)
                w.utilisation[0][k] = 0.5 + k * 1e-15;
        for (int i = 0; i < 4; i++) {
            uint32_t n = make_set(&w, set, DCS_TOGETHER_MAX);
            dcs_contention_solve(&w.spatial, set, n, slowdown, NULL);
            dcs_contention_solve(&w.spatial, set, n, again, NULL);
            assert_memory_equal(slowdown, again, n * sizeof *again);
            for (uint32_t k = 0; k < n; k++)
                assert_true(slowdown[k] >= 1 && slowdown[k] <= 1e13);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equation),         cmocka_unit_test(test_alone),
        cmocka_unit_test(test_order_and_memory), cmocka_unit_test(test_full_memory),
        cmocka_unit_test(test_monotone),         cmocka_unit_test(test_extreme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
