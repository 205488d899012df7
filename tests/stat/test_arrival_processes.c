/*
 * test_arrival_processes.c - arrival processes against theory, with fixed seeds.
 *
 * Pins, within 4 standard errors: mean and squared coefficient of variation of the gaps of the
 * Poisson and the hyperexponential process, and that neighbouring gaps are uncorrelated; mean and
 * variance of the number of MMPP-2 arrivals in windows of three lengths (the index of dispersion of
 * counts), from the very beginning (it starts in equilibrium) and later; the number of arrivals in
 * each slot of a day, and over days; sizes of batches and the gaps of their epochs. Control: a rate
 * that is wrong by 3 % is caught in each process, and so are an MMPP-2 whose stays are 10 % longer
 * (same mean rate) and one that does not start in equilibrium. Does not pin: exact times
 * (unit/test_arrivals), the distributions themselves (test_distributions.c).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "models/workload/arrivals.h"

#include <math.h>

#define ERRORS 4 /* standard errors allowed; 1 of 16 000 exceeds them by chance */

enum { GAPS = 200000, WINDOWS = 40000, DAYS = 1000 };

static double x[GAPS];

static struct dcs_arrivals begin(const struct dcs_arrivals_spec *spec, uint64_t entity)
{
    struct dcs_arrivals a;
    struct dcs_err err;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 2024, 0, DCS_RNG_ARRIVALS, entity);
    assert_int_equal(dcs_arrivals_init(&a, spec, &rng, &err), 0);
    return a;
}

struct distance {
    double mean, variance, correlation; /* each in standard errors */
};

/* Of x[0..n) from a mean and a variance; the variance's standard error is the sample's. */
static struct distance compare(size_t n, double mean, double variance)
{
    double sum = 0, m2 = 0, m4 = 0, products = 0;
    for (size_t i = 0; i < n; i++) {
        double square = (x[i] - mean) * (x[i] - mean);
        sum += x[i];
        m2 += square / (double)n;
        m4 += square * square / (double)n;
        if (i > 0)
            products += (x[i] - mean) * (x[i - 1] - mean);
    }
    return (struct distance){
        .mean = fabs(sum / (double)n - mean) / sqrt(variance / (double)n),
        .variance = fabs(m2 - variance) / sqrt((m4 - m2 * m2) / (double)n),
        .correlation = fabs(products) / variance / sqrt((double)n),
    };
}

static bool good(struct distance d)
{
    return d.mean < ERRORS && d.variance < ERRORS;
}

/* ---- Renewal processes ---- */

static struct distance renewal(const struct dcs_arrivals_spec *spec, double rate_per_s, double scv,
                               uint64_t entity)
{
    struct dcs_arrivals a = begin(spec, entity);
    int64_t before = 0;
    for (size_t i = 0; i < GAPS; i++) {
        int64_t at = dcs_arrivals_next(&a);
        x[i] = (double)(at - before);
        before = at;
    }
    double mean = 1e9 / rate_per_s;
    return compare(GAPS, mean, scv * mean * mean);
}

static void renewals(void **state)
{
    (void)state;
    static const struct {
        enum dcs_arrivals_kind kind;
        double rate_per_s, scv;
    } cases[] = {
        {DCS_ARRIVALS_POISSON, 50, 1},
        {DCS_ARRIVALS_POISSON, 1e6, 1},
        {DCS_ARRIVALS_HYPEREXPONENTIAL, 50, 1},
        {DCS_ARRIVALS_HYPEREXPONENTIAL, 50, 4},
        {DCS_ARRIVALS_HYPEREXPONENTIAL, 1e5, 25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_arrivals_spec spec = {
            .kind = cases[i].kind, .rate_per_s = cases[i].rate_per_s, .scv = cases[i].scv};
        struct distance d = renewal(&spec, cases[i].rate_per_s, cases[i].scv, i);
        assert_true(good(d));
        assert_true(d.correlation < ERRORS);
        /* Controls: 3 % off in the rate, 10 % off in the variation. With a variation of 25 the mean
         * of 200 000 gaps has an error of 1.1 %, too much to see 3 %. */
        if (cases[i].scv < 25) {
            spec.rate_per_s *= 1.03;
            assert_true(renewal(&spec, cases[i].rate_per_s, cases[i].scv, i).mean > ERRORS);
            spec.rate_per_s = cases[i].rate_per_s;
        }
        d = renewal(&spec, cases[i].rate_per_s, 1.1 * cases[i].scv, i);
        assert_true(cases[i].scv > 1 || d.variance > ERRORS);
    }
}

/* ---- MMPP-2 ---- */

static const struct dcs_arrivals_spec mmpp = {
    .kind = DCS_ARRIVALS_MMPP2,
    .rates_per_s = {500, 2000},
    .stay_ns = {20000000, 10000000},
};

/*
 * W. Fischer, K. Meier-Hellstern, "The Markov-modulated Poisson process (MMPP) cookbook",
 * Performance Evaluation 18, 1993, section 3: with q = 1/s0 + 1/s1, p0 and p1 the shares of time, l
 * the mean rate, I(t) = 1 + 2 p0 p1 (l0 - l1)^2 / (l q) (1 - (1 - exp(-q t)) / (q t)).
 */
static double dispersion(const struct dcs_arrivals_spec *s, double t_s)
{
    double s0 = (double)s->stay_ns[0] * 1e-9, s1 = (double)s->stay_ns[1] * 1e-9;
    double q = 1 / s0 + 1 / s1, p0 = s0 / (s0 + s1), p1 = s1 / (s0 + s1);
    double mean = p0 * s->rates_per_s[0] + p1 * s->rates_per_s[1];
    double difference = s->rates_per_s[0] - s->rates_per_s[1];
    return 1 + 2 * p0 * p1 * difference * difference / (mean * q) *
                   (1 - (1 - exp(-q * t_s)) / (q * t_s));
}

/* Arrivals in [from, from + t) of many processes that begin anew, against `theory`. */
static struct distance count_mmpp(const struct dcs_arrivals_spec *spec,
                                  const struct dcs_arrivals_spec *theory, int64_t from_ns,
                                  int64_t t_ns, int state)
{
    for (size_t i = 0; i < WINDOWS; i++) {
        struct dcs_arrivals a = begin(spec, i);
        if (state >= 0)
            a.state = (uint32_t)state;
        x[i] = 0;
        for (;;) {
            int64_t at = dcs_arrivals_next(&a);
            if (at >= from_ns + t_ns)
                break;
            x[i] += at >= from_ns;
        }
    }
    double t_s = (double)t_ns * 1e-9, mean = dcs_arrivals_mean_per_s(theory) * t_s;
    return compare(WINDOWS, mean, mean * dispersion(theory, t_s));
}

static void mmpp_counts(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1000000, 10000000, 40000000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_true(good(count_mmpp(&mmpp, &mmpp, 0, lengths[i], -1)));
        assert_true(good(count_mmpp(&mmpp, &mmpp, 5000000, lengths[i], -1)));
    }
    /* Controls. */
    struct dcs_arrivals_spec wrong = mmpp;
    wrong.rates_per_s[0] *= 1.03;
    wrong.rates_per_s[1] *= 1.03;
    assert_true(count_mmpp(&wrong, &mmpp, 0, 40000000, -1).mean > ERRORS);
    wrong = mmpp;
    wrong.stay_ns[0] += wrong.stay_ns[0] / 10;
    wrong.stay_ns[1] += wrong.stay_ns[1] / 10;
    struct distance longer = count_mmpp(&wrong, &mmpp, 0, 40000000, -1);
    assert_true(longer.mean < ERRORS && longer.variance > ERRORS);
    assert_true(count_mmpp(&mmpp, &mmpp, 0, 10000000, 0).mean > ERRORS);
}

/* ---- Daily ---- */

static void fill_day(struct dcs_arrivals_spec *spec, double factor)
{
    *spec = (struct dcs_arrivals_spec){.kind = DCS_ARRIVALS_DAILY, .day_ns = 24 * 10000000};
    for (int slot = 0; slot < DCS_ARRIVALS_SLOTS; slot++)
        spec->daily_per_s[slot] = slot == 7 ? 0 : factor * 100 * (1 + slot % 5);
}

/* The largest distance of a slot's count over all days from what a Poisson process has, and that of
 * the number per day. */
static double count_days(const struct dcs_arrivals_spec *spec,
                         const struct dcs_arrivals_spec *theory)
{
    struct dcs_arrivals a = begin(spec, 99);
    double count[DCS_ARRIVALS_SLOTS] = {0}, worst = 0, per_day = 0;
    for (size_t day = 0; day < DAYS; day++)
        x[day] = 0;
    for (;;) {
        int64_t at = dcs_arrivals_next(&a), day = at / spec->day_ns;
        if (day >= DAYS)
            break;
        x[day]++;
        count[at % spec->day_ns / (spec->day_ns / DCS_ARRIVALS_SLOTS)]++;
    }
    for (int slot = 0; slot < DCS_ARRIVALS_SLOTS; slot++) {
        double mean = theory->daily_per_s[slot] * 0.01;
        per_day += mean;
        mean *= DAYS;
        worst = fmax(worst, mean > 0 ? fabs(count[slot] - mean) / sqrt(mean) : count[slot] * 1e9);
    }
    struct distance days = compare(DAYS, per_day, per_day);
    return fmax(worst, fmax(days.mean, days.variance));
}

static void daily_counts(void **state)
{
    (void)state;
    struct dcs_arrivals_spec day, wrong;
    fill_day(&day, 1);
    assert_true(count_days(&day, &day) < ERRORS);
    fill_day(&wrong, 1.03);
    assert_true(count_days(&wrong, &day) > ERRORS);
    /* One slot twice as busy, the next one silent. */
    fill_day(&wrong, 1);
    wrong.daily_per_s[10] *= 2;
    wrong.daily_per_s[15] = 0;
    assert_true(count_days(&wrong, &day) > ERRORS);
}

/* ---- Batches ---- */

/* Sizes of the batches of `spec` against a geometric mean, the epochs against the same process
 * without batches: mean gap of the epochs, mean and variance of the sizes. */
static struct distance sizes_of(const struct dcs_arrivals_spec *spec, double batch_mean,
                                struct distance *epochs)
{
    struct dcs_arrivals a = begin(spec, 55);
    static double gaps[GAPS];
    int64_t before = 0, at = dcs_arrivals_next(&a);
    for (size_t i = 0; i < GAPS; i++) {
        gaps[i] = (double)(at - before);
        before = at;
        for (x[i] = 0; at == before; x[i]++)
            at = dcs_arrivals_next(&a);
    }
    struct distance sizes = compare(GAPS, batch_mean, batch_mean * (batch_mean - 1));
    for (size_t i = 0; i < GAPS; i++)
        x[i] = gaps[i];
    double mean = 1e9 / spec->rate_per_s;
    *epochs = compare(GAPS, mean, mean * mean);
    return sizes;
}

static void batches(void **state)
{
    (void)state;
    static const double means[] = {1.2, 5, 80};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
        struct dcs_arrivals_spec spec = {
            .kind = DCS_ARRIVALS_POISSON, .rate_per_s = 10, .batch_mean = means[i]};
        assert_true(fabs(dcs_arrivals_mean_per_s(&spec) / (10 * means[i]) - 1) < 1e-12);
        struct distance epochs, sizes = sizes_of(&spec, means[i], &epochs);
        assert_true(good(sizes) && sizes.correlation < ERRORS);
        assert_true(good(epochs) && epochs.correlation < ERRORS);
        /* Control: batches that are 3 % larger. */
        spec.batch_mean = 1.03 * means[i];
        assert_true(sizes_of(&spec, means[i], &epochs).mean > ERRORS);
    }
    /* Over a long time as many as the mean rate says, whatever the process. */
    struct dcs_arrivals_spec spec = mmpp;
    spec.batch_mean = 3;
    struct dcs_arrivals a = begin(&spec, 7);
    int64_t last = 0;
    for (int i = 0; i < 3000000; i++)
        last = dcs_arrivals_next(&a);
    assert_true(fabs(3e6 / ((double)last * 1e-9) / dcs_arrivals_mean_per_s(&spec) - 1) < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renewals),
        cmocka_unit_test(mmpp_counts),
        cmocka_unit_test(batches),
        cmocka_unit_test(daily_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
