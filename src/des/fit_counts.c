/*
 * fit_counts.c - the rest of fit_arrivals.h: batches, and what the counts say.
 */
#include "des/fit_arrivals.h"

#include "des/fmath.h"
#include "des/stats.h"

#include <math.h>
#include <stdlib.h>

#define HOUR_S      3600.0
#define BATCH_LEAST 1.01 /* below, batches would be no more than a curiosity of the clock */
#define BATCH_MOST  1e4  /* mean size that is looked for */
#define ROUNDS      60   /* of the golden section */
#define GOLDEN      0.61803398874989484820

/* ---- batches ---- */

/*
 * With q = 1 - 1/b, the generating function exp(l ((1 - q) z / (1 - q z) - 1)) has
 * (1 - q z)^2 G' = l (1 - q) G, hence n p(n) = (l (1 - q) + 2 q (n - 1)) p(n - 1)
 * - q^2 (n - 2) p(n - 2); ratios of neighbours stay in the range of a double where p does not.
 */
struct polya {
    double ratio; /* p(n) / p(n - 1) */
    double log;   /* log p(n) */
    size_t n;
};

static struct polya polya_begin(double l)
{
    return (struct polya){.log = -l};
}

static void polya_next(struct polya *p, double l, double q)
{
    double n = (double)++p->n;
    double back = p->n > 2 ? q * q * (n - 2) / p->ratio : 0;
    p->ratio = (l * (1 - q) + 2 * q * (n - 1) - back) / n;
    p->log += dcs_log(p->ratio);
}

double dcs_polya_aeppli(size_t n, double l, double b)
{
    struct polya p = polya_begin(l);
    while (p.n < n)
        polya_next(&p, l, 1 - 1 / b);
    return p.log;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Of an hour: how many arrive in each tick that has any, ascending. */
struct hour {
    size_t first, count; /* of the ticks with arrivals, in sizes */
    double ticks;        /* of the hour that lie between the first arrival and the last */
    double jobs;
};

struct hours {
    struct hour *hours;
    size_t count, capacity;
    size_t *sizes;
    size_t sizes_count;
};

static void collect(struct hours *h, const int64_t *ticks, size_t n, double tick_s)
{
    *h = (struct hours){0};
    h->sizes = dcs_alloc(n, sizeof *h->sizes);
    int64_t hour = 0, per_hour = (int64_t)(HOUR_S / tick_s + 0.5);
    for (size_t i = 0; i < n;) {
        size_t k = i;
        while (k < n && ticks[k] == ticks[i])
            k++;
        int64_t in = ticks[i] / per_hour;
        if (h->count == 0 || in != hour) {
            int64_t from = in * per_hour, until = from + per_hour;
            from = from > ticks[0] ? from : ticks[0];
            until = until < ticks[n - 1] + 1 ? until : ticks[n - 1] + 1;
            h->hours = dcs_grow(h->hours, &h->capacity, h->count + 1, sizeof *h->hours);
            h->hours[h->count++] =
                (struct hour){.first = h->sizes_count, .ticks = (double)(until - from)};
            hour = in;
        }
        struct hour *now = &h->hours[h->count - 1];
        h->sizes[h->sizes_count++] = k - i;
        now->count++;
        now->jobs += (double)(k - i);
        i = k;
    }
    for (size_t i = 0; i < h->count; i++)
        qsort(h->sizes + h->hours[i].first, h->hours[i].count, sizeof *h->sizes, compare_sizes);
}

/* Given b, the likeliest rate of an hour makes its mean number right. */
static double likelihood(const struct hours *h, double b)
{
    double sum = 0, q = 1 - 1 / b;
    for (size_t i = 0; i < h->count; i++) {
        const struct hour *hour = &h->hours[i];
        double l = hour->jobs / hour->ticks / b;
        sum -= l * (hour->ticks - (double)hour->count); /* ticks without arrivals */
        struct polya p = polya_begin(l);
        for (size_t k = 0; k < hour->count; k++) {
            while (p.n < h->sizes[hour->first + k])
                polya_next(&p, l, q);
            sum += p.log;
        }
    }
    return sum;
}

void dcs_fit_batches(const int64_t *ticks, size_t n, double tick_s, struct dcs_batch_fit *fit)
{
    struct hours h;
    collect(&h, ticks, n, tick_s);
    *fit = (struct dcs_batch_fit){.mean = 1};
    for (size_t i = 0; i < h.sizes_count; i++)
        fit->together += h.sizes[i] > 1 ? (double)h.sizes[i] / (double)n : 0;
    fit->log_likelihood = fit->log_likelihood_alone = likelihood(&h, 1);
    /* Of two places inside, the one that stays inside is the other one of the next round. */
    double low = 0, high = dcs_log(BATCH_MOST);
    double left = high - GOLDEN * (high - low), right = low + GOLDEN * (high - low);
    double at_left = likelihood(&h, dcs_exp(left)), at_right = likelihood(&h, dcs_exp(right));
    for (int i = 0; i < ROUNDS; i++)
        if (at_left > at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - GOLDEN * (high - low);
            at_left = likelihood(&h, dcs_exp(left));
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + GOLDEN * (high - low);
            at_right = likelihood(&h, dcs_exp(right));
        }
    double b = dcs_exp((low + high) / 2), best = likelihood(&h, b);
    if (b >= BATCH_LEAST && 2 * best - 2 > 2 * fit->log_likelihood_alone) { /* AIC: worth it */
        fit->mean = b;
        fit->log_likelihood = best;
    }
    free(h.hours);
    free(h.sizes);
}

/* How many batches made n arrivals: P(k) ~ (l (1 - q))^k / k! C(n - 1, k - 1) q^(n - k). */
static size_t batches_of(size_t n, double l, double q, double *logs, struct dcs_rng *rng)
{
    double u = dcs_rng_open(rng), top = 0, sum = 0;
    if (n == 1 || q <= 0)
        return n;
    double step = dcs_log(l) + dcs_log(1 - q) - dcs_log(q);
    logs[0] = 0;
    for (size_t k = 1; k < n; k++) { /* logs[k]: of k + 1 batches */
        logs[k] = logs[k - 1] + step + dcs_log((double)(n - k) / ((double)(k + 1) * (double)k));
        top = fmax(top, logs[k]);
    }
    for (size_t k = 0; k < n; k++)
        sum += dcs_exp(logs[k] - top);
    u *= sum;
    for (size_t k = 0; k < n; k++) {
        u -= dcs_exp(logs[k] - top);
        if (u <= 0)
            return k + 1;
    }
    return n;
}

size_t dcs_fit_epochs(const int64_t *ticks, size_t n, double tick_s, double b, bool spread,
                      struct dcs_rng *rng, double *at)
{
    struct hours h;
    collect(&h, ticks, n, tick_s); /* for the rate of each hour */
    double *logs = dcs_alloc(n, sizeof *logs), q = 1 - 1 / b;
    size_t count = 0, hour = 0, in_hour = 0;
    for (size_t i = 0; i < n;) {
        size_t k = i;
        while (k < n && ticks[k] == ticks[i])
            k++;
        if (in_hour++ == h.hours[hour].count) {
            hour++;
            in_hour = 1;
        }
        size_t batches =
            batches_of(k - i, h.hours[hour].jobs / h.hours[hour].ticks / b, q, logs, rng);
        for (size_t j = 0; j < batches; j++)
            at[count + j] = ((double)ticks[i] + (spread ? dcs_rng_uniform(rng) : 0)) * tick_s;
        dcs_sort_doubles(at + count, batches);
        count += batches;
        i = k;
    }
    free(logs);
    free(h.hours);
    free(h.sizes);
    return count;
}

/* ---- counts ---- */

double dcs_dispersion(const double *at, size_t n, double window_s)
{
    double windows = n > 0 ? floor((at[n - 1] - at[0]) / window_s) : 0;
    if (windows < 2)
        return (double)NAN;
    double sum = 0, squares = 0, index = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        double in = floor((at[i] - at[0]) / window_s);
        if (in >= windows)
            break;
        if (in > index) {
            squares += count * count;
            count = 0;
            index = in;
        }
        count++;
        sum++;
    }
    squares += count * count;
    double mean = sum / windows;
    return (squares / windows - mean * mean) / mean;
}

double dcs_hourly_ks(const double *at, size_t n, size_t least, size_t *hours)
{
    double *ks = dcs_alloc(n, sizeof *ks);
    *hours = 0;
    for (size_t i = 0; i < n;) {
        size_t k = i;
        double hour = floor((at[i] - at[0]) / HOUR_S);
        while (k < n && floor((at[k] - at[0]) / HOUR_S) <= hour)
            k++;
        struct dcs_arrivals_fit fit;
        dcs_fit_poisson(at + i, k - i, &fit);
        if (k - i >= least && fit.missing == NULL)
            ks[(*hours)++] = fit.ks;
        i = k;
    }
    dcs_sort_doubles(ks, *hours);
    size_t m = *hours;
    double median = m == 0 ? (double)NAN : dcs_sorted_median(ks, m);
    free(ks);
    return median;
}
