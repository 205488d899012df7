/* cpu_fit.c - see cpu_fit.h. */
#include "calibrate/cpu/cpu_fit.h"

#include "calibrate/plan/sort_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BEND          0.05 /* of an error's logarithm, beyond which it counts less than its square */
#define EXACT         0.01 /* errors below this are all the same: the law is no better */
#define RESPONSE      0.03
#define RESPONSE_SE   3 /* standard errors */
#define MISSES_WEIGHT 0.25
#define ROUNDS        600   /* of one simplex, at most */
#define FLAT          1e-13 /* between its corners: it has ended */

/* --- the law --- */

static struct dcs_cpu_app app_of(const struct dcs_cpu *cpu, const double value[CAL_NUMBERS])
{
    struct dcs_cpu_app app = {.threads = cpu->cores,
                              .speedup = value[CAL_SPEEDUP],
                              .stall = value[CAL_STALL],
                              .bandwidth = 1,
                              .cache = value[CAL_CACHE],
                              .shared = value[CAL_SHARED],
                              .growth = value[CAL_GROWTH],
                              .ipc = 1};
    dcs_cpu_derive_law(cpu, &app);
    return app;
}

static double ratio_of(const struct dcs_cpu *cpu, const struct dcs_cpu_app *app,
                       const struct cal_cpu_observation *o, double *misses)
{
    double ways = o->ways;
    if (!(ways > 0)) {
        double need = dcs_cpu_need(cpu, app, o->cores), all = cpu->ways;
        ways = need + o->footprint_ways > 0 ? all * need / (need + o->footprint_ways) : all;
    }
    double rate = dcs_cpu_rate(cpu, app, o->cores, ways, o->l);
    double reference = dcs_cpu_rate(cpu, app, o->reference_cores, cpu->ways, 1);
    *misses = dcs_cpu_traffic(cpu, app, o->cores, ways, o->l) / rate /
              (dcs_cpu_traffic(cpu, app, o->reference_cores, cpu->ways, 1) / reference);
    return reference / rate;
}

double cal_cpu_law_ratio(const struct dcs_cpu *cpu, const double value[CAL_NUMBERS],
                         const struct cal_cpu_observation *o, double *misses)
{
    struct dcs_cpu_app app = app_of(cpu, value);
    return ratio_of(cpu, &app, o, misses);
}

/* --- what is minimised --- */

struct problem {
    const struct dcs_cpu *cpu;
    const struct cal_cpu_observation *seen;
    size_t n;
    double base[CAL_NUMBERS]; /* of those that are not free */
    double low[CAL_NUMBERS], high[CAL_NUMBERS];
    int free_at[CAL_NUMBERS]; /* numbers that are fitted */
    int free_count;
};

static bool by_logarithm(int number)
{
    return number == CAL_CACHE || number == CAL_GROWTH;
}

/* Any real coordinate as one of 0 to 1: mirrored at both ends, so that no simplex leaves. */
static double fold(double u)
{
    double x = fabs(u - 2 * floor(u / 2));
    return x > 1 ? 2 - x : x;
}

static void values_at(const struct problem *p, const double *u, double value[CAL_NUMBERS])
{
    memcpy(value, p->base, sizeof p->base);
    for (int i = 0; i < p->free_count; i++) {
        int number = p->free_at[i];
        double x = fold(u[i]), low = p->low[number], high = p->high[number];
        value[number] = by_logarithm(number) ? low * pow(high / low, x) : low + (high - low) * x;
    }
}

static double coordinate(const struct problem *p, int number, double value)
{
    double low = p->low[number], high = p->high[number];
    double x = by_logarithm(number) ? log(value / low) / log(high / low)
                                    : (value - low) / (high > low ? high - low : 1);
    return x < 0.02 ? 0.02 : x > 0.98 ? 0.98 : x;
}

static double bent(double error)
{
    double over = error / BEND;
    return 2 * BEND * BEND * (sqrt(1 + over * over) - 1);
}

static double weight_of(const struct cal_cpu_observation *o)
{
    return EXACT * EXACT / (EXACT * EXACT + o->error * o->error);
}

static double cost(const struct problem *p, const double *u)
{
    double value[CAL_NUMBERS], sum = 0;
    values_at(p, u, value);
    struct dcs_cpu_app app = app_of(p->cpu, value);
    for (size_t i = 0; i < p->n; i++) {
        double misses, ratio = ratio_of(p->cpu, &app, &p->seen[i], &misses);
        double weight = weight_of(&p->seen[i]);
        sum += weight * bent(log(ratio / p->seen[i].ratio));
        if (p->seen[i].misses > 0)
            sum += weight * MISSES_WEIGHT * bent(log(misses / p->seen[i].misses));
    }
    return sum;
}

/* --- simplex --- */

struct corner {
    double u[CAL_NUMBERS], cost;
};

static int by_cost(const void *a, const void *b)
{
    double x = ((const struct corner *)a)->cost, y = ((const struct corner *)b)->cost;
    return (x > y) - (x < y);
}

/* center + by * (from - center). */
static struct corner along(const struct problem *p, const double *center, const struct corner *from,
                           double by)
{
    struct corner c = {0};
    for (int i = 0; i < p->free_count; i++)
        c.u[i] = center[i] + by * (from->u[i] - center[i]);
    c.cost = cost(p, c.u);
    return c;
}

static void step(const struct problem *p, struct corner *corners)
{
    int n = p->free_count;
    double center[CAL_NUMBERS] = {0};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            center[i] += corners[k].u[i] / n;
    struct corner *worst = &corners[n];
    struct corner reflected = along(p, center, worst, -1);
    if (reflected.cost < corners[0].cost) {
        struct corner expanded = along(p, center, worst, -2);
        *worst = expanded.cost < reflected.cost ? expanded : reflected;
        return;
    }
    if (reflected.cost < corners[n - 1].cost) {
        *worst = reflected;
        return;
    }
    struct corner contracted = along(p, center, worst, reflected.cost < worst->cost ? -0.5 : 0.5);
    if (contracted.cost < worst->cost && contracted.cost < reflected.cost) {
        *worst = contracted;
        return;
    }
    for (int k = 1; k <= n; k++)
        corners[k] = along(p, corners[0].u, &corners[k], 0.5);
}

static struct corner descend(const struct problem *p, const double *start)
{
    struct corner corners[CAL_NUMBERS + 1] = {0};
    for (int k = 0; k <= p->free_count; k++) {
        memcpy(corners[k].u, start, sizeof corners[k].u);
        if (k > 0)
            corners[k].u[k - 1] += start[k - 1] < 0.5 ? 0.15 : -0.15;
        corners[k].cost = cost(p, corners[k].u);
    }
    size_t count = (size_t)p->free_count + 1;
    for (int round = 0; round < ROUNDS; round++) {
        qsort(corners, count, sizeof corners[0], by_cost);
        if (corners[count - 1].cost - corners[0].cost < FLAT)
            break;
        step(p, corners);
    }
    qsort(corners, count, sizeof corners[0], by_cost);
    return corners[0];
}

/* --- what can be known --- */

static bool has_less_cache(const struct dcs_cpu *cpu, const struct cal_cpu_observation *o)
{
    return o->footprint_ways > 0 || (o->ways > 0 && o->ways < cpu->ways);
}

static void find_known(const struct dcs_cpu *cpu, const struct cal_cpu_observation *seen, size_t n,
                       struct cal_cpu_fitted *out, bool *looked, bool *responds)
{
    size_t slower = 0;
    uint32_t on = 0;
    double most_l = 1, most_misses = 1;
    bool two = false;
    *looked = false;
    for (size_t i = 0; i < n; i++) {
        const struct cal_cpu_observation *o = &seen[i];
        if (o->cores < cpu->cores && o->reference_cores == cpu->cores)
            out->known[CAL_SPEEDUP] = true;
        most_l = o->l > most_l && o->footprint_ways <= 0 ? o->l : most_l;
        most_misses = o->misses > most_misses ? o->misses : most_misses;
        *looked |= has_less_cache(cpu, o);
        if (!has_less_cache(cpu, o) || o->ratio < 1 + fmax(RESPONSE, RESPONSE_SE * o->error))
            continue;
        slower++;
        two |= on != 0 && on != o->cores;
        on = o->cores;
    }
    *responds = slower >= 2;
    out->known[CAL_STALL] = most_l >= 1.1 || most_misses >= 1.1;
    out->known[CAL_CACHE] = *responds;
    out->known[CAL_GROWTH] = *looked;
    out->known[CAL_SHARED] = *responds && two;
}

/* --- fitting --- */

static void judge(const struct cal_cpu_observation *seen, size_t n, const double *ratios,
                  struct cal_cpu_fitted *out)
{
    double *errors = dcs_alloc(n, sizeof *errors), sum = 0;
    for (size_t i = 0; i < n; i++) {
        errors[i] = fabs(ratios[i] / seen[i].ratio - 1);
        sum += errors[i];
    }
    cal_sort_reals(errors, n);
    out->mean_error = sum / (double)n;
    out->p95_error = errors[(size_t)(0.95 * (double)(n - 1) + 0.5)];
    out->max_error = errors[n - 1];
    free(errors);
}

static void fit_free(struct problem *p, struct cal_cpu_fitted *out)
{
    /* Programs that wait little or much, need little or much cache, and lose little or much. */
    static const double stalls[] = {0.1, 0.5}, parts[] = {0.1, 0.4, 1}, growths[] = {0.3, 3};
    struct corner best = {.cost = INFINITY};
    for (int i = 0; i < 12; i++) {
        double value[CAL_NUMBERS], start[CAL_NUMBERS] = {0};
        memcpy(value, p->base, sizeof value);
        value[CAL_STALL] = stalls[i % 2];
        value[CAL_CACHE] = parts[i / 2 % 3] * p->cpu->ways;
        value[CAL_GROWTH] = growths[i / 6];
        value[CAL_SHARED] = 0.5;
        for (int k = 0; k < p->free_count; k++)
            start[k] = coordinate(p, p->free_at[k], value[p->free_at[k]]);
        struct corner end = descend(p, start);
        if (end.cost < best.cost)
            best = end;
    }
    values_at(p, best.u, out->value);
}

void cal_cpu_fit(const struct dcs_cpu *cpu, const struct cal_cpu_observation *seen, size_t n,
                 const double assumed[CAL_NUMBERS], struct cal_cpu_fitted *out, double *ratios)
{
    bool looked, responds;
    struct problem p = {
        .cpu = cpu,
        .seen = seen,
        .n = n,
        .low = {1, 0, cpu->ways * 0.005, 0, 1e-3},
        .high = {cpu->cores, 0.99, cpu->ways * 4.0, 1, 100},
    };
    memset(out, 0, sizeof *out);
    memcpy(out->value, assumed, sizeof out->value);
    find_known(cpu, seen, n, out, &looked, &responds);
    if (looked && !responds)
        out->value[CAL_GROWTH] = 0;
    memcpy(p.base, out->value, sizeof p.base);
    for (int i = 0; i < CAL_NUMBERS; i++)
        if (out->known[i] && (i != CAL_GROWTH || responds))
            p.free_at[p.free_count++] = i;
    if (p.free_count > 0)
        fit_free(&p, out);
    struct dcs_cpu_app app = app_of(cpu, out->value);
    double misses;
    for (size_t i = 0; i < n; i++)
        ratios[i] = ratio_of(cpu, &app, &seen[i], &misses);
    if (n > 0)
        judge(seen, n, ratios, out);
}
