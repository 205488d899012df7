/*
 * black_scholes.cu - the value of European options in closed form: Black and Scholes, "The pricing
 * of options and corporate liabilities", Journal of Political Economy 81(3), 1973; the normal
 * distribution by formula 26.2.17 of Abramowitz and Stegun, 1964. TReM table III: Black&Scholes,
 * user-facing.
 *
 * A size is a number of options. A request uploads a book of options and stresses it: it values
 * each in SCENARIOS markets (an interest rate and a volatility) and keeps the lowest value of the
 * call and the highest of the put. One kernel is PER_KERNEL markets, one launch each.
 *
 * Simplified: the sample that the paper ran values one market again and again; other markets make
 * the passes useful and cost the same.
 */
#include "calibrate/app/app.cuh"

#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <vector>

namespace
{

constexpr int SCENARIOS = 384;
constexpr int PER_KERNEL = 24;
constexpr int THREADS = 256;

struct state {
    int64_t n;
    float *book_host, *book;     /* n prices, n strikes, n times in years */
    float *bounds_host, *bounds; /* n lowest calls, n highest puts */
};

struct market {
    float rate, volatility;
};

struct market market_of(int scenario)
{
    struct market m = {0.005f + 0.0025f * (float)(scenario % 24),
                       0.10f + 0.02f * (float)(scenario / 24)};
    return m;
}

/* --- the kernel --- */

__device__ float normal_distribution(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float polynomial = fmaf(k, 1.330274429f, -1.821255978f);
    polynomial = fmaf(k, polynomial, 1.781477937f);
    polynomial = fmaf(k, polynomial, -0.356563782f);
    polynomial = fmaf(k, polynomial, 0.31938153f);
    float tail = 0.39894228f * __expf(-0.5f * d * d) * k * polynomial;
    return d > 0 ? 1.0f - tail : tail;
}

__global__ void value(const float *price, const float *strike, const float *years, float *call_low,
                      float *put_high, int n, float rate, float volatility, bool first)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    float s = price[i], x = strike[i], t = years[i];
    float deviation = volatility * sqrtf(t);
    float d1 = (__logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / deviation;
    float at_d1 = normal_distribution(d1), at_d2 = normal_distribution(d1 - deviation);
    float discounted = x * __expf(-rate * t);
    float call = s * at_d1 - discounted * at_d2;
    float put = discounted * (1.0f - at_d2) - s * (1.0f - at_d1);
    call_low[i] = first ? call : fminf(call, call_low[i]);
    put_high[i] = first ? put : fmaxf(put, put_high[i]);
}

/* --- the application --- */

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->book_host);
    cudaFreeHost(s->bounds_host);
    cudaFree(s->book);
    cudaFree(s->bounds);
    delete s;
}

/* 21 bits of the generator's 64, between low and high. */
float between(float low, float high, uint64_t bits)
{
    return low + (high - low) * (float)(bits & 0x1fffff) * 0x1p-21f;
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = new state();
    s->n = size;
    size_t n = (size_t)size;
    if (cal_host_alloc((void **)&s->book_host, 3 * n * sizeof(float), err) != 0 ||
        cal_host_alloc((void **)&s->bounds_host, 2 * n * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->book, 3 * n * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->bounds, 2 * n * sizeof(float), err) != 0) {
        destroy(s);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = cal_random_u64(seed, i);
        s->book_host[i] = between(5, 30, bits);
        s->book_host[n + i] = between(1, 100, bits >> 21);
        s->book_host[2 * n + i] = between(0.25f, 10, bits >> 42);
    }
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    int64_t n = s->n;
    cal_add_transfer(p, CAL_TO_DEVICE, "book", s->book, s->book_host,
                     3 * (size_t)n * sizeof(float));
    for (int from = 0; from < SCENARIOS; from += PER_KERNEL) {
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "markets_%d_%d", from + 1, from + PER_KERNEL);
        struct cal_kernel *k =
            cal_begin_kernel(p, CAL_COMPUTE, name, "%s_%lldx%d", from == 0 ? "first" : "value",
                             (long long)n, PER_KERNEL);
        k->repeatable = true;
        /* 22 for each of two normal distributions, 26 around them. */
        k->flop = (double)n * PER_KERNEL * 70;
        /* Three numbers in, two kept bounds read (not by the very first launch) and written. */
        k->bytes = (double)n * sizeof(float) * (7 * PER_KERNEL - (from == 0 ? 2 : 0));
        for (int i = from; i < from + PER_KERNEL; i++) {
            struct market m = market_of(i);
            cal_add_launch(p, value, cal_blocks(n, THREADS), THREADS, 0, s->book, s->book + n,
                           s->book + 2 * n, s->bounds, s->bounds + n, (int)n, m.rate, m.volatility,
                           i == 0);
        }
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "bounds", s->bounds_host, s->bounds,
                     2 * (size_t)n * sizeof(float));
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    size_t n = (size_t)s->n;
    std::vector<float> want(2 * n);
    for (size_t i = 0; i < n; i++) {
        double price = (double)s->book_host[i], strike = (double)s->book_host[n + i];
        double years = (double)s->book_host[2 * n + i];
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < SCENARIOS; k++) {
            struct market m = market_of(k);
            double rate = (double)m.rate, volatility = (double)m.volatility;
            double deviation = volatility * sqrt(years);
            double d1 =
                (log(price / strike) + (rate + volatility * volatility / 2) * years) / deviation;
            double d2 = d1 - deviation;
            double at_d1 = 0.5 * erfc(-d1 / M_SQRT2), at_d2 = 0.5 * erfc(-d2 / M_SQRT2);
            double call = price * at_d1 - strike * exp(-rate * years) * at_d2;
            /* Put-call parity. */
            double put = call - price + strike * exp(-rate * years);
            low = std::min(low, call);
            high = std::max(high, put);
        }
        want[i] = (float)low;
        want[n + i] = (float)high;
    }
    /* The polynomial's error, below 7.5e-8, times prices and strikes up to 100; and rounding. */
    if (cal_compare_f32(s->bounds_host, want.data(), n, 1e-4, 1e-5, "lowest calls", err) != 0)
        return -1;
    return cal_compare_f32(s->bounds_host + n, want.data() + n, n, 1e-4, 1e-5, "highest puts", err);
}

} // namespace

extern "C" const struct cal_app cal_app_black_scholes;
const struct cal_app cal_app_black_scholes = {
    .name = "black-scholes",
    .role = CAL_SERVICE,
    .papers = "TReM table III: Black&Scholes (user-facing)",
    .algorithm = "Black and Scholes, Journal of Political Economy 81(3), 1973",
    .size_unit = "options",
    .size_min = 150000,
    .size_max = 6750000,
    .size_default = 4500000,
    .size_check = 5000,
    .size_step = 1000,
    .sla_ns = INT64_C(200000000),
    .create = create,
    .plan = plan,
    .check = check_results,
    .destroy = destroy,
};
