/*
 * black_scholes.c - the value of European options in closed form: Black and Scholes, "The pricing
 * of options and corporate liabilities", Journal of Political Economy 81(3), 1973; the normal
 * distribution by formula 26.2.17 of Abramowitz and Stegun, 1964.
 *
 * A size is a number of options. A request values the whole book again and again, in MARKETS
 * markets (an interest rate and a volatility each), and keeps the lowest call and the highest put:
 * arithmetic on a stream of small records, almost perfectly parallel.
 */
#include "calibrate/cpu/cpu_app.h"

#include <math.h>

#define MARKETS 16
#define PIECE   512 /* options that a thread takes at a time */

struct state {
    int64_t n;
    float *price, *strike, *years;
    float *call_low, *put_high;
};

static float rate_of(int market)
{
    return 0.005F + 0.005F * (float)(market % 8);
}

static float volatility_of(int market)
{
    return 0.15F + 0.1F * (float)(market / 8);
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    size_t n = (size_t)size;
    s->n = size;
    s->price = cal_arena_take(a, n, sizeof(float));
    s->strike = cal_arena_take(a, n, sizeof(float));
    s->years = cal_arena_take(a, n, sizeof(float));
    s->call_low = cal_arena_take(a, 2 * n, sizeof(float));
    s->put_high = s->call_low + n;
    for (size_t i = 0; i < n; i++) {
        s->price[i] = (float)cal_cpu_uniform(seed, 3 * i, 5, 30);
        s->strike[i] = (float)cal_cpu_uniform(seed, 3 * i + 1, 1, 100);
        s->years[i] = (float)cal_cpu_uniform(seed, 3 * i + 2, 0.25, 10);
    }
    return s;
}

static float normal_distribution(float d)
{
    float k = 1 / (1 + 0.2316419F * fabsf(d));
    float sum = k * 1.330274429F - 1.821255978F;
    sum = k * sum + 1.781477937F;
    sum = k * sum - 0.356563782F;
    sum = k * sum + 0.31938153F;
    float tail = 0.39894228F * expf(-0.5F * d * d) * k * sum;
    return d > 0 ? 1 - tail : tail;
}

static void value(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    struct state *s = context;
    for (int64_t i = begin; i < end; i++) {
        float spot = s->price[i], strike = s->strike[i], years = s->years[i];
        float root = sqrtf(years), distance = logf(spot / strike), low = 0, high = 0;
        for (int m = 0; m < MARKETS; m++) {
            float rate = rate_of(m), volatility = volatility_of(m), deviation = volatility * root;
            float d1 = (distance + (rate + 0.5F * volatility * volatility) * years) / deviation;
            float at_d1 = normal_distribution(d1), at_d2 = normal_distribution(d1 - deviation);
            float discounted = strike * expf(-rate * years);
            float call = spot * at_d1 - discounted * at_d2;
            float put = discounted * (1 - at_d2) - spot * (1 - at_d1);
            low = m == 0 || call < low ? call : low;
            high = m == 0 || put > high ? put : high;
        }
        s->call_low[i] = low;
        s->put_high[i] = high;
    }
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    cal_team_for(t, s->n, PIECE, value, s);
}

/* By the error function, and the put from the call (put-call parity). */
static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    struct cal_arena a = {0};
    float *low = cal_arena_take(&a, (size_t)s->n, sizeof(float));
    float *high = cal_arena_take(&a, (size_t)s->n, sizeof(float));
    for (int64_t i = 0; i < s->n; i++) {
        double least = INFINITY, most = -INFINITY;
        for (int m = 0; m < MARKETS; m++) {
            double spot = s->price[i], t = s->years[i], rate = rate_of(m);
            double deviation = (double)volatility_of(m) * sqrt(t);
            double discounted = (double)s->strike[i] * exp(-rate * t);
            double d1 = log(spot / discounted) / deviation + deviation / 2;
            double call =
                spot * erfc(-d1 / sqrt(2)) / 2 - discounted * erfc(-(d1 - deviation) / sqrt(2)) / 2;
            least = fmin(least, call);
            most = fmax(most, call + discounted - spot);
        }
        low[i] = (float)least;
        high[i] = (float)most;
    }
    int wrong =
        cal_cpu_compare_f32(s->call_low, low, (size_t)s->n, 1e-4, 1e-4, "calls", err) != 0 ||
        cal_cpu_compare_f32(s->put_high, high, (size_t)s->n, 1e-4, 1e-4, "puts", err) != 0;
    cal_arena_release(&a);
    return wrong ? -1 : 0;
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = 2 * (size_t)s->n;
    return s->call_low;
}

/* Of an option three operations (a root, a logarithm), and 57 in each market, three exponentials
 * among them. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    *operations = (double)s->n * (3 + MARKETS * 57);
    *bytes = (double)s->n * 5 * sizeof(float);
}

const struct cal_cpu_app cal_cpu_app_black_scholes = {
    .name = "bs",
    .role = CAL_CPU_BATCH,
    .papers = "EMU table 5-2: blackscholes of PARSEC",
    .algorithm = "Black and Scholes 1973; Abramowitz and Stegun 1964, 26.2.17",
    .size_unit = "options",
    .size_min = 16384,
    .size_max = 1048576,
    .size_default = 131072,
    .size_check = 3000,
    .size_step = 1,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
