/*
 * monte_carlo.cu - option prices from simulated paths: Boyle, "Options: a Monte Carlo approach",
 * Journal of Financial Economics 4(3), 1977; calls on the average price as in Kemna and Vorst, "A
 * pricing method for options based on average asset values", Journal of Banking and Finance 14(1),
 * 1990. TReM table III: Monte Carlo, user-facing.
 *
 * A size is a number of paths for each of OPTIONS options. A request uploads the options and
 * downloads, for each, the value of a call on the last price and of one on the average price of a
 * path of STEPS steps. One kernel is PER_KERNEL options: simulate (each block some of the paths of
 * one option) and reduce.
 *
 * Simplified: one risk-free rate, no dividends. Random numbers are a function of the option, the
 * path and the step (Philox, philox.cuh), so no generator's state is kept.
 */
#include "calibrate/app/app.cuh"
#include "calibrate/app/philox.cuh"

#include <math.h>
#include <stdio.h>
#include <vector>

namespace
{

constexpr int OPTIONS = 256;
constexpr int PER_KERNEL = 16;
constexpr int STEPS = 32; /* a multiple of 4: one call of the generator serves four */
constexpr int THREADS = 256;
constexpr int PER_THREAD = 16;
constexpr int PER_BLOCK = THREADS * PER_THREAD; /* paths */
constexpr float RATE = 0.03f;

struct option {
    float price, strike, years, volatility;
};

struct value {
    float last, average; /* of the price on the path */
};

struct state {
    int64_t paths;
    uint64_t seed;
    unsigned blocks; /* of one option */
    struct option *options_host, *options;
    float2 *partial;
    struct value *values_host, *values;
};

/* --- kernels --- */

__device__ float2 sum_over_block(float2 v)
{
    __shared__ float2 of_warps[THREADS / 32];
    for (int step = 16; step > 0; step /= 2) {
        v.x += __shfl_xor_sync(0xffffffffu, v.x, step);
        v.y += __shfl_xor_sync(0xffffffffu, v.y, step);
    }
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.x / 32] = v;
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < THREADS / 32; w++) {
        v.x += of_warps[w].x;
        v.y += of_warps[w].y;
    }
    return v; /* in thread 0 */
}

/* Two independent normal numbers: Box and Muller. */
__device__ float2 normal_pair(uint32_t a, uint32_t b)
{
    float radius = sqrtf(-2.0f * __logf(cal_uniform(a)));
    float sine, cosine;
    __sincosf(6.2831853f * cal_uniform(b), &sine, &cosine);
    return make_float2(radius * cosine, radius * sine);
}

/* blockIdx.x: which paths; blockIdx.y: which option. */
__global__ void __launch_bounds__(THREADS) simulate(const struct option *options, int first_option,
                                                    int paths, uint64_t seed, float2 *partial)
{
    int number = first_option + (int)blockIdx.y;
    struct option o = options[number];
    float dt = o.years / STEPS;
    float drift = (RATE - 0.5f * o.volatility * o.volatility) * dt;
    float deviation = o.volatility * sqrtf(dt);
    float2 payoff = make_float2(0, 0);
    for (int k = 0; k < PER_THREAD; k++) {
        int path = (int)(blockIdx.x * PER_BLOCK + k * THREADS + threadIdx.x);
        if (path >= paths)
            break;
        float log_growth = 0, growth = 0, sum = 0;
        for (int step = 0; step < STEPS; step += 4) {
            struct cal_random_words r =
                cal_philox((uint32_t)path, (uint32_t)step, (uint32_t)number, 0, seed);
            float2 a = normal_pair(r.word[0], r.word[1]), b = normal_pair(r.word[2], r.word[3]);
            float normal[4] = {a.x, a.y, b.x, b.y};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                log_growth += fmaf(deviation, normal[i], drift);
                growth = __expf(log_growth);
                sum += growth;
            }
        }
        payoff.x += fmaxf(o.price * growth - o.strike, 0);
        payoff.y += fmaxf(o.price * sum * (1.0f / STEPS) - o.strike, 0);
    }
    payoff = sum_over_block(payoff);
    if (threadIdx.x == 0)
        partial[blockIdx.y * gridDim.x + blockIdx.x] = payoff;
}

/* One block for each option. */
__global__ void reduce(const struct option *options, int first_option, const float2 *partial,
                       int count, int paths, struct value *values)
{
    float2 sum = make_float2(0, 0);
    for (int i = (int)threadIdx.x; i < count; i += THREADS) {
        float2 p = partial[blockIdx.x * count + i];
        sum.x += p.x;
        sum.y += p.y;
    }
    sum = sum_over_block(sum);
    if (threadIdx.x == 0) {
        int number = first_option + (int)blockIdx.x;
        float discount = expf(-RATE * options[number].years) / (float)paths;
        values[number].last = sum.x * discount;
        values[number].average = sum.y * discount;
    }
}

/* --- the application --- */

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->options_host);
    cudaFreeHost(s->values_host);
    cudaFree(s->options);
    cudaFree(s->partial);
    cudaFree(s->values);
    delete s;
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = new state();
    s->paths = size;
    s->seed = seed;
    s->blocks = cal_blocks(size, PER_BLOCK);
    size_t options = OPTIONS * sizeof(struct option), values = OPTIONS * sizeof(struct value);
    if (cal_host_alloc((void **)&s->options_host, options, err) != 0 ||
        cal_host_alloc((void **)&s->values_host, values, err) != 0 ||
        cal_device_alloc((void **)&s->options, options, err) != 0 ||
        cal_device_alloc((void **)&s->partial, PER_KERNEL * s->blocks * sizeof(float2), err) != 0 ||
        cal_device_alloc((void **)&s->values, values, err) != 0) {
        destroy(s);
        return NULL;
    }
    for (int i = 0; i < OPTIONS; i++) {
        uint64_t bits = cal_random_u64(seed, (uint64_t)i);
        float u[4];
        for (int k = 0; k < 4; k++)
            u[k] = (float)(bits >> (16 * k) & 0xffff) * 0x1p-16f;
        s->options_host[i].price = 20 + 80 * u[0];
        s->options_host[i].strike = s->options_host[i].price * (0.8f + 0.4f * u[1]);
        s->options_host[i].years = 0.25f + 2 * u[2];
        s->options_host[i].volatility = 0.1f + 0.4f * u[3];
    }
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    int paths = (int)s->paths;
    cal_add_transfer(p, CAL_TO_DEVICE, "options", s->options, s->options_host,
                     OPTIONS * sizeof(struct option));
    for (int from = 0; from < OPTIONS; from += PER_KERNEL) {
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "options_%d_%d", from + 1, from + PER_KERNEL);
        struct cal_kernel *k =
            cal_begin_kernel(p, CAL_COMPUTE, name, "simulate_%dx%dx%d", PER_KERNEL, paths, STEPS);
        k->repeatable = true;
        /* A step: a quarter of the generator, half of a pair of normal numbers (8), 5 more. */
        k->flop = (double)PER_KERNEL * paths * (STEPS * (CAL_PHILOX_OPERATIONS / 4 + 13) + 6);
        k->bytes = (double)PER_KERNEL *
                   (sizeof(struct option) + s->blocks * 2 * sizeof(float2) + sizeof(struct value));
        cal_add_launch(p, simulate, dim3(s->blocks, PER_KERNEL), THREADS, 0, s->options, from,
                       paths, s->seed, s->partial);
        cal_add_launch(p, reduce, PER_KERNEL, THREADS, 0, s->options, from, s->partial,
                       (int)s->blocks, paths, s->values);
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "values", s->values_host, s->values,
                     OPTIONS * sizeof(struct value));
    return 0;
}

/* --- the reference --- */

/* The known answers that the generator's authors publish, for a counter and a key of zeros, and of
 * digits of pi. */
int check_generator(struct dcs_err *err)
{
    static const uint32_t want[2][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                        {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    struct cal_random_words got[2] = {
        cal_philox(0, 0, 0, 0, 0),
        cal_philox(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, UINT64_C(0x299f31d0a4093822))};
    for (int i = 0; i < 2; i++)
        if (cal_compare_i32((const int32_t *)got[i].word, (const int32_t *)want[i], 4, "Philox",
                            err) != 0)
            return -1;
    return 0;
}

/* Black and Scholes, 1973. */
double closed_form(const struct option *o)
{
    double price = (double)o->price, strike = (double)o->strike, years = (double)o->years;
    double rate = (double)RATE, deviation = (double)o->volatility * sqrt(years);
    double d1 = (log(price / strike) + rate * years) / deviation + deviation / 2;
    return 0.5 * price * erfc(-d1 / M_SQRT2) -
           0.5 * strike * exp(-rate * years) * erfc((deviation - d1) / M_SQRT2);
}

struct simulated {
    double last, average, error; /* error: one standard error of last */
};

struct simulated price_on_paths(const struct state *s, int number)
{
    const struct option *o = &s->options_host[number];
    double dt = (double)o->years / STEPS, volatility = (double)o->volatility;
    double sum[2] = {0, 0}, squares = 0;
    for (int64_t path = 0; path < s->paths; path++) {
        double log_price = log((double)o->price), total = 0;
        for (int step = 0; step < STEPS; step++) {
            struct cal_random_words r =
                cal_philox((uint32_t)path, (uint32_t)(step / 4 * 4), (uint32_t)number, 0, s->seed);
            const uint32_t *word = &r.word[step % 4 / 2 * 2];
            double radius = sqrt(-2 * log((double)cal_uniform(word[0])));
            double angle = 2 * M_PI * (double)cal_uniform(word[1]);
            double normal = radius * (step % 2 == 0 ? cos(angle) : sin(angle));
            log_price +=
                ((double)RATE - volatility * volatility / 2) * dt + volatility * sqrt(dt) * normal;
            total += exp(log_price);
        }
        double last = fmax(exp(log_price) - (double)o->strike, 0);
        sum[0] += last;
        squares += last * last;
        sum[1] += fmax(total / STEPS - (double)o->strike, 0);
    }
    double n = (double)s->paths, discount = exp(-(double)RATE * (double)o->years);
    struct simulated r = {discount * sum[0] / n, discount * sum[1] / n, 0};
    r.error = discount * sqrt((squares / n - sum[0] / n * (sum[0] / n)) / n);
    return r;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    if (check_generator(err) != 0)
        return -1;
    /* The same paths, for one option of each kernel. */
    for (int i = 0; i < OPTIONS; i += PER_KERNEL - 1) {
        struct simulated want = price_on_paths(s, i);
        float pair[2] = {(float)want.last, (float)want.average};
        if (cal_compare_f32(&s->values_host[i].last, pair, 2, 2e-4, 2e-4, "value of a call", err) !=
            0)
            return -1;
        double exact = closed_form(&s->options_host[i]);
        if (!(fabs(want.last - exact) <= 5 * want.error))
            return cal_fail(err, "option %d: the paths' mean %.6g is far from %.6g", i, want.last,
                            exact);
    }
    /* All options, against the closed form. A payoff deviates by less than the price at these
     * volatilities, so 6 standard errors are less than this. */
    for (int i = 0; i < OPTIONS; i++) {
        double exact = closed_form(&s->options_host[i]), got = (double)s->values_host[i].last;
        double price = (double)s->options_host[i].price;
        if (!(fabs(got - exact) <= 6 * price / sqrt((double)s->paths)))
            return cal_fail(err, "option %d: %.6g is far from the closed form, %.6g", i, got,
                            exact);
        if (!((double)s->values_host[i].average < got))
            return cal_fail(err,
                            "option %d: a call on the average costs more than one on the last "
                            "price",
                            i);
    }
    return 0;
}

} // namespace

extern "C" const struct cal_app cal_app_monte_carlo;
const struct cal_app cal_app_monte_carlo = {
    .name = "monte-carlo",
    .role = CAL_SERVICE,
    .papers = "TReM table III: Monte Carlo (user-facing)",
    .algorithm = "Boyle, Journal of Financial Economics 4(3), 1977",
    .size_unit = "paths",
    .size_min = 48000,
    .size_max = 2160000,
    .size_default = 1440000,
    .size_check = 5000,
    .size_step = 1000,
    .sla_ns = INT64_C(200000000),
    .create = create,
    .plan = plan,
    .check = check_results,
    .destroy = destroy,
};
