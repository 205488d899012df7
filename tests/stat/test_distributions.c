/*
 * test_distributions.c - samples against theory, with fixed seeds.
 *
 * Pins: for every distribution, with 200 000 samples, the mean and the variance within 4 standard
 * errors of the theoretical ones, and Kolmogorov's statistic against GSL's distribution functions
 * (or mixtures of them) below 1.95, its 0.1 % point; dcs_dist_cdf against the same functions;
 * uniforms, dcs_rng_below and the bits of the generator; that streams of neighbouring seeds,
 * replications, entities and purposes, and points of neighbouring requests, kernels and attempts,
 * are uncorrelated. Control: a mean that is wrong by 3 % is
 * caught by both tests, and correlated streams are caught. Does not pin: the quality of Philox
 * itself (see its paper: it passes BigCrush).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/dist.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define ERRORS     4    /* standard errors allowed; 1 of 16 000 exceeds them by chance */
#define KOLMOGOROV 1.95 /* sqrt(n) D exceeds this with probability 0.001 */
#define SAMPLES    200000

struct fit {
    double mean_errors;     /* distance of the sample mean, in standard errors */
    double variance_errors; /* of the sample variance */
    double kolmogorov;      /* sqrt(n) sup |F_n - F| */
};

/* A continuous distribution to be compared with: its moments and its distribution function. */
struct theory {
    double mean, variance;
    double (*cdf)(double x, const struct theory *t);
    double a, b, c;
};

static int compare_doubles(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double kolmogorov(double *x, size_t n, const struct theory *t)
{
    qsort(x, n, sizeof *x, compare_doubles);
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double f = t->cdf(x[i], t);
        worst = fmax(worst, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
    }
    return worst * sqrt((double)n);
}

/* Sorts x. The standard error of the variance comes from the sample's fourth moment. */
static struct fit compare(double *x, size_t n, const struct theory *t)
{
    double sum = 0, m2 = 0, m4 = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double square = (x[i] - t->mean) * (x[i] - t->mean);
        m2 += square / (double)n;
        m4 += square * square / (double)n;
    }
    return (struct fit){
        .mean_errors = fabs(mean - t->mean) / sqrt(t->variance / (double)n),
        .variance_errors = fabs(m2 - t->variance) / sqrt((m4 - m2 * m2) / (double)n),
        .kolmogorov = kolmogorov(x, n, t),
    };
}

static bool good(struct fit f)
{
    return f.mean_errors < ERRORS && f.variance_errors < ERRORS && f.kolmogorov < KOLMOGOROV;
}

static double uniform_cdf(double x, const struct theory *t)
{
    (void)t;
    return x;
}

static double exponential_cdf(double x, const struct theory *t)
{
    return gsl_cdf_exponential_P(x, t->mean);
}

static double pareto_cdf(double x, const struct theory *t)
{
    return gsl_cdf_pareto_P(x, t->a, t->b);
}

/* A Pareto, given that it is at most c. */
static double bounded_pareto_cdf(double x, const struct theory *t)
{
    return gsl_cdf_pareto_P(x, t->a, t->b) / gsl_cdf_pareto_P(t->c, t->a, t->b);
}

static double lognormal_cdf(double x, const struct theory *t)
{
    return gsl_cdf_lognormal_P(x, t->a, t->b);
}

static double weibull_cdf(double x, const struct theory *t)
{
    return gsl_cdf_weibull_P(x, t->a, t->b);
}

/* Two exponentials of means a and b, the first with probability c. */
static double hyperexponential_cdf(double x, const struct theory *t)
{
    return t->c * gsl_cdf_exponential_P(x, t->a) + (1 - t->c) * gsl_cdf_exponential_P(x, t->b);
}

/* E X^r of a bounded Pareto on [low, high] with shape a != r. */
static double bounded_pareto_moment(double low, double high, double a, double r)
{
    return a * pow(low, a) / (1 - pow(low / high, a)) * (pow(high, r - a) - pow(low, r - a)) /
           (r - a);
}

static double x[SAMPLES];

static void check_dist(const char *what, const struct dcs_dist *d, const struct theory *t)
{
    struct dcs_rng rng;
    assert_true(fabs(dcs_dist_mean(d) / t->mean - 1) < 1e-12);
    static uint64_t checks; /* each check has its own numbers */
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_SERVICE, checks++);
    for (size_t i = 0; i < SAMPLES; i++)
        x[i] = dcs_dist_sample(d, &rng);
    struct fit f = compare(x, SAMPLES, t);
    print_message("%-24s mean %.2f, variance %.2f errors, Kolmogorov %.2f\n", what, f.mean_errors,
                  f.variance_errors, f.kolmogorov);
    assert_true(good(f));
    for (size_t i = 0; i < SAMPLES; i += 100) /* sorted: over the whole range */
        assert_true(fabs(dcs_dist_cdf(d, x[i]) - t->cdf(x[i], t)) < 1e-13);
}

static void check(const char *what, enum dcs_dist_kind kind, double location, double shape,
                  double upper, const struct theory *t)
{
    struct dcs_dist d;
    struct dcs_err err;
    assert_int_equal(dcs_dist_init(&d, kind, location, shape, upper, &err), 0);
    check_dist(what, &d, t);
}

static void continuous(void **state)
{
    (void)state;
    check("exponential", DCS_EXPONENTIAL, 3, 0, 0,
          &(struct theory){.mean = 3, .variance = 9, .cdf = exponential_cdf});

    /* Shapes above 8 for the moments (the error of the variance needs a fourth moment that
     * settles), a heavy tail for the distribution function alone below. */
    double a = 9;
    check("Pareto", DCS_PARETO, 2, a, 0,
          &(struct theory){.mean = 2 * a / (a - 1),
                           .variance = 4 * a / ((a - 1) * (a - 1) * (a - 2)),
                           .cdf = pareto_cdf,
                           .a = a,
                           .b = 2});
    static const double shapes[] = {0.7, 1.5, 3};
    for (size_t i = 0; i < 3; i++) {
        double m = bounded_pareto_moment(2, 50, shapes[i], 1);
        check("bounded Pareto", DCS_BOUNDED_PARETO, 2, shapes[i], 50,
              &(struct theory){.mean = m,
                               .variance = bounded_pareto_moment(2, 50, shapes[i], 2) - m * m,
                               .cdf = bounded_pareto_cdf,
                               .a = shapes[i],
                               .b = 2,
                               .c = 50});
    }
    static const double sigmas[] = {0.05, 0.5};
    for (size_t i = 0; i < 2; i++) {
        double s2 = sigmas[i] * sigmas[i], m = 7 * exp(s2 / 2);
        check("lognormal", DCS_LOGNORMAL, 7, sigmas[i], 0,
              &(struct theory){.mean = m,
                               .variance = m * m * (exp(s2) - 1),
                               .cdf = lognormal_cdf,
                               .a = log(7),
                               .b = sigmas[i]});
    }
    static const double ks[] = {0.7, 1, 3.5};
    for (size_t i = 0; i < 3; i++) {
        double g1 = tgamma(1 + 1 / ks[i]), g2 = tgamma(1 + 2 / ks[i]);
        check("Weibull", DCS_WEIBULL, 4, ks[i], 0,
              &(struct theory){.mean = 4 * g1,
                               .variance = 16 * (g2 - g1 * g1),
                               .cdf = weibull_cdf,
                               .a = 4,
                               .b = ks[i]});
    }
    static const double c2s[] = {1, 4, 20};
    for (size_t i = 0; i < 3; i++) {
        double p = 0.5 * (1 + sqrt((c2s[i] - 1) / (c2s[i] + 1)));
        check("hyperexponential", DCS_HYPEREXPONENTIAL, 5, c2s[i], 0,
              &(struct theory){.mean = 5,
                               .variance = 25 * c2s[i],
                               .cdf = hyperexponential_cdf,
                               .a = 5 / (2 * p),
                               .b = 5 / (2 * (1 - p)),
                               .c = p});
    }
}

/* Lognormal (median 7, sigma 0.8) up to a, with probability 1 - b, and from there on a Pareto of
 * shape 1.4, bounded by c if that is not 0. */
static double lognormal_pareto_cdf(double at, const struct theory *t)
{
    if (at < t->a)
        return (1 - t->b) * gsl_cdf_lognormal_P(at, log(7), 0.8) /
               gsl_cdf_lognormal_P(t->a, log(7), 0.8);
    double most = t->c > 0 ? gsl_cdf_pareto_P(t->c, 1.4, t->a) : 1;
    return 1 - t->b + t->b * gsl_cdf_pareto_P(at, 1.4, t->a) / most;
}

/* E X^r of the lognormal, given that it is at most top. */
static double cut_lognormal_moment(double top, double r)
{
    double z = log(top / 7) / 0.8;
    return pow(7, r) * exp(r * r * 0.32) * gsl_cdf_ugaussian_P(z - r * 0.8) /
           gsl_cdf_ugaussian_P(z);
}

static void body_and_tail(void **state)
{
    (void)state;
    static const double begins[] = {2, 12, 30}, fractions[] = {0.9, 0.25, 0.04};
    for (size_t i = 0; i < 3; i++) {
        double from = begins[i], f = fractions[i], moments[3];
        for (int r = 1; r <= 2; r++)
            moments[r] = (1 - f) * cut_lognormal_moment(from, r) +
                         f * bounded_pareto_moment(from, 200, 1.4, r);
        struct dcs_dist d;
        struct dcs_err err;
        assert_int_equal(dcs_dist_init_lognormal_pareto(&d, 7, 0.8, from, 1.4, f, 200, &err), 0);
        check_dist("lognormal-Pareto", &d,
                   &(struct theory){.mean = moments[1],
                                    .variance = moments[2] - moments[1] * moments[1],
                                    .cdf = lognormal_pareto_cdf,
                                    .a = from,
                                    .b = f,
                                    .c = 200});
        /* Without a bound: the distribution function alone, and a wrong one. */
        struct theory t = {.cdf = lognormal_pareto_cdf, .a = from, .b = f};
        struct dcs_rng rng;
        assert_int_equal(dcs_dist_init_lognormal_pareto(&d, 7, 0.8, from, 1.4, f, 0, &err), 0);
        dcs_rng_stream(&rng, 8, 0, DCS_RNG_SERVICE, i);
        for (size_t k = 0; k < SAMPLES; k++)
            x[k] = dcs_dist_sample(&d, &rng);
        assert_true(kolmogorov(x, SAMPLES, &t) < KOLMOGOROV);
        t.b *= 0.9;
        assert_true(kolmogorov(x, SAMPLES, &t) > KOLMOGOROV);
    }
}

static void heavy_tail(void **state)
{
    (void)state;
    struct dcs_dist d;
    struct dcs_err err;
    struct dcs_rng rng;
    const struct theory t = {.cdf = pareto_cdf, .a = 0.9, .b = 2};
    assert_int_equal(dcs_dist_init(&d, DCS_PARETO, 2, 0.9, 0, &err), 0);
    dcs_rng_stream(&rng, 7, 0, DCS_RNG_SERVICE, 0);
    for (size_t i = 0; i < SAMPLES; i++)
        x[i] = dcs_dist_sample(&d, &rng);
    assert_true(kolmogorov(x, SAMPLES, &t) < KOLMOGOROV);
}

/* What init_mean was asked for is what samples have. */
static void asked_means(void **state)
{
    (void)state;
    static const struct {
        enum dcs_dist_kind kind;
        double shape, upper;
    } cases[] = {
        {DCS_PARETO, 9, 0},     {DCS_BOUNDED_PARETO, 1, 1e4}, {DCS_BOUNDED_PARETO, 1.5, 1e4},
        {DCS_LOGNORMAL, 1, 0},  {DCS_WEIBULL, 0.7, 0},        {DCS_HYPEREXPONENTIAL, 4, 0},
        {DCS_EXPONENTIAL, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct dcs_dist d;
        struct dcs_err err;
        struct dcs_rng rng;
        assert_int_equal(
            dcs_dist_init_mean(&d, cases[k].kind, 100, cases[k].shape, cases[k].upper, &err), 0);
        dcs_rng_stream(&rng, 11, 0, DCS_RNG_SERVICE, k);
        double sum = 0, squares = 0;
        for (size_t i = 0; i < SAMPLES; i++) {
            double value = dcs_dist_sample(&d, &rng);
            sum += value;
            squares += value * value;
        }
        double mean = sum / SAMPLES;
        double error = sqrt((squares / SAMPLES - mean * mean) / SAMPLES);
        assert_true(fabs(mean - 100) < ERRORS * error);
    }
}

static void controls(void **state)
{
    (void)state;
    struct dcs_dist d;
    struct dcs_err err;
    struct dcs_rng rng;
    const struct theory t = {.mean = 1, .variance = 1, .cdf = exponential_cdf};
    assert_int_equal(dcs_dist_init(&d, DCS_EXPONENTIAL, 1.03, 0, 0, &err), 0);
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_SERVICE, 0);
    for (size_t i = 0; i < SAMPLES; i++)
        x[i] = dcs_dist_sample(&d, &rng);
    struct fit f = compare(x, SAMPLES, &t);
    assert_true(f.mean_errors > 2 * ERRORS);
    assert_true(f.kolmogorov > 2 * KOLMOGOROV);
}

/* Chi squared of counts against equal or given probabilities, as a probability to be exceeded. */
static double chi_squared_tail(const uint64_t *count, const double *probability, size_t cells)
{
    double n = 0, sum = 0;
    for (size_t i = 0; i < cells; i++)
        n += (double)count[i];
    for (size_t i = 0; i < cells; i++) {
        double expected = n * (probability ? probability[i] : 1.0 / (double)cells);
        sum += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
    }
    return gsl_cdf_chisq_Q(sum, (double)cells - 1);
}

static void discrete(void **state)
{
    (void)state;
    struct dcs_rng rng;
    struct dcs_dist d;
    struct dcs_err err;
    dcs_rng_stream(&rng, 5, 0, DCS_RNG_ROUTER, 0);
    static const uint64_t sizes[] = {2, 3, 10, 64, 1000};
    for (size_t k = 0; k < 5; k++) {
        uint64_t count[1000] = {0};
        for (int i = 0; i < SAMPLES; i++)
            count[dcs_rng_below(&rng, sizes[k])]++;
        assert_true(chi_squared_tail(count, NULL, sizes[k]) > 0.001);
    }
    /* Two thirds of 2^64: without refusal the lower half of the range would come twice as often. */
    uint64_t halves[2] = {0}, n = UINT64_MAX / 3 * 2;
    for (int i = 0; i < SAMPLES; i++)
        halves[dcs_rng_below(&rng, n) >= n / 2]++;
    assert_true(chi_squared_tail(halves, NULL, 2) > 0.001);

    const double values[] = {1, 2, 3, 4}, weights[] = {0.1, 0.2, 0.3, 0.4};
    uint64_t count[5] = {0};
    assert_int_equal(dcs_dist_init_empirical(&d, values, weights, 4, &err), 0);
    for (int i = 0; i < SAMPLES; i++)
        count[(int)dcs_dist_sample(&d, &rng)]++;
    assert_true(chi_squared_tail(count + 1, weights, 4) > 0.001);
    dcs_dist_release(&d);
}

static void uniforms(void **state)
{
    (void)state;
    const struct theory t = {.mean = 0.5, .variance = 1.0 / 12, .cdf = uniform_cdf};
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_JOBS, 0);
    for (size_t i = 0; i < SAMPLES; i++)
        x[i] = dcs_rng_uniform(&rng);
    assert_true(good(compare(x, SAMPLES, &t)));
    for (size_t i = 0; i < SAMPLES; i++)
        x[i] = dcs_rng_open(&rng);
    assert_true(good(compare(x, SAMPLES, &t)));

    /* The first number of each point is what a kernel's noise is made of. */
    for (size_t i = 0; i < SAMPLES; i++) {
        dcs_rng_point(&rng, 1, 0, DCS_RNG_NOISE, i % 10, i / 10, (uint32_t)i % 7, 0);
        x[i] = dcs_rng_open(&rng);
    }
    assert_true(good(compare(x, SAMPLES, &t)));

    int set[64] = {0};
    for (int i = 0; i < SAMPLES; i++)
        for (uint64_t bits = dcs_rng_u64(&rng); bits != 0; bits &= bits - 1)
            set[__builtin_ctzll(bits)]++;
    for (int bit = 0; bit < 64; bit++)
        assert_true(fabs(set[bit] - SAMPLES / 2.0) < ERRORS * sqrt(SAMPLES / 4.0));
}

enum { LENGTH = 2000, LINES = 60 };

/* sqrt(n) times the correlation of two sequences of uniforms: standard normal where they are
 * independent. */
static double correlation(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (a[i] - 0.5) * (b[i] - 0.5);
    return 12 * sum / sqrt((double)n);
}

/* Among LINES sequences, all pairs, and each one with itself one later. The squares must sum to a
 * chi squared, and none may stand out (5 errors: 1 of 1 700 000, for about 1 800 pairs). */
static bool independent(double (*line)[LENGTH])
{
    double squares = 0, worst = 0;
    int pairs = 0;
    for (int i = 0; i < LINES; i++)
        for (int j = i; j < LINES; j++) {
            double z = i == j ? correlation(line[i], line[i] + 1, LENGTH - 1)
                              : correlation(line[i], line[j], LENGTH);
            squares += z * z;
            worst = fmax(worst, fabs(z));
            pairs++;
        }
    double tail = gsl_cdf_chisq_Q(squares, pairs);
    return worst < 5 && tail > 0.001 && tail < 0.999;
}

static double lines[LINES][LENGTH];

/* Which part of its address tells the lines apart; the others are the same for all. */
static void line_of_stream(struct dcs_rng *rng, int way, uint32_t i)
{
    uint64_t high = (uint64_t)i << 32;
    uint64_t seed = way == 0 ? i : way == 1 ? high : 1;
    uint64_t entity = way == 2 ? i : way == 3 ? high : 0;
    uint32_t replication = way == 4 ? i : 0;
    uint32_t purpose = way == 5 ? 1 + i : 2;
    dcs_rng_stream(rng, seed, replication, (enum dcs_purpose)purpose, entity);
}

static void streams_are_independent(void **state)
{
    (void)state;
    for (int way = 0; way < 6; way++) {
        for (uint32_t i = 0; i < LINES; i++) {
            struct dcs_rng rng;
            line_of_stream(&rng, way, i);
            for (size_t k = 0; k < LENGTH; k++)
                lines[i][k] = dcs_rng_open(&rng);
        }
        assert_true(independent(lines));
    }
    /* Control: one fifth of the numbers of one line are those of another. */
    for (size_t k = 0; k < LENGTH; k += 5)
        lines[1][k] = lines[0][k];
    assert_false(independent(lines));
}

/* Lines that differ in one part of the address, and run along the next part. */
static void points_are_independent(void **state)
{
    (void)state;
    for (int way = 0; way < 5; way++) {
        for (uint32_t i = 0; i < LINES; i++)
            for (uint32_t k = 0; k < LENGTH; k++) {
                struct dcs_rng rng;
                uint32_t v[5] = {0, 0, 0, 0, 0}; /* replication, job, request, kernel, attempt */
                v[way] = i;
                v[(way + 1) % 5] = k;
                dcs_rng_point(&rng, 3, v[0], DCS_RNG_NOISE, v[1], v[2], v[3], v[4]);
                lines[i][k] = dcs_rng_open(&rng);
            }
        assert_true(independent(lines));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(continuous),
        cmocka_unit_test(body_and_tail),
        cmocka_unit_test(heavy_tail),
        cmocka_unit_test(asked_means),
        cmocka_unit_test(controls),
        cmocka_unit_test(discrete),
        cmocka_unit_test(uniforms),
        cmocka_unit_test(streams_are_independent),
        cmocka_unit_test(points_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
