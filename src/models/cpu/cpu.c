/* cpu.c - see cpu.h: the law. cpu_read.c reads the facts. */
#include "models/cpu/cpu.h"

#include "des/fmath.h"

#include <stdlib.h>

/* ---- Sizes ---- */

int64_t dcs_cpu_size(const struct dcs_cpu_app *app, double u)
{
    if (!(app->spread > 0))
        return DCS_CPU_SIZE_MEAN;
    double step = (double)(int)(u * DCS_CPU_SIZES);
    double size = -DCS_CPU_SIZE_MEAN * dcs_log(1 - (step + 0.5) / DCS_CPU_SIZES);
    double most = DCS_CPU_SIZE_MEAN * app->spread;
    int64_t rounded = (int64_t)((size < most ? size : most) + 0.5);
    return rounded > 1 ? rounded : 1;
}

double dcs_cpu_work(const struct dcs_cpu_app *app, int64_t size)
{
    double over = (double)size / DCS_CPU_SIZE_MEAN;
    return app->exponent == 1 ? over : dcs_pow(over, app->exponent);
}

/* ---- The law ---- */

static double speedup(const struct dcs_cpu_app *app, double cores)
{
    return cores < 1 ? cores : 1 / (1 - app->parallel + app->parallel / cores);
}

double dcs_cpu_need(const struct dcs_cpu *cpu, const struct dcs_cpu_app *app, double cores)
{
    return app->cache * (app->shared + (1 - app->shared) * cores / (double)cpu->cores);
}

static double miss(const struct dcs_cpu *cpu, const struct dcs_cpu_app *app, double cores,
                   double ways)
{
    double need = dcs_cpu_need(cpu, app, cores);
    return ways < need ? 1 + app->growth * (1 - ways / need) : 1;
}

/* How much longer it takes for its memory. */
static double slower(const struct dcs_cpu_app *app, double misses, double l)
{
    return 1 - app->stall + app->stall * l * misses / app->miss_all;
}

double dcs_cpu_rate(const struct dcs_cpu *cpu, const struct dcs_cpu_app *app, double cores,
                    double ways, double l)
{
    return speedup(app, cores) / app->speedup / slower(app, miss(cpu, app, cores, ways), l);
}

double dcs_cpu_traffic(const struct dcs_cpu *cpu, const struct dcs_cpu_app *app, double cores,
                       double ways, double l)
{
    double misses = miss(cpu, app, cores, ways);
    return app->bandwidth * dcs_cpu_rate(cpu, app, cores, ways, l) * misses / app->miss_all;
}

double dcs_cpu_usable(const struct dcs_cpu_app *app, double cores)
{
    return cores < app->threads ? cores : app->threads;
}

/* The traffic of one that runs, over l: most / (works + waits * l). */
struct traffic {
    double most, works, waits;
};

static bool fits(const struct traffic *of, uint32_t n, double l, double bandwidth)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += of[i].most / (of[i].works + of[i].waits * l);
    return sum <= bandwidth;
}

/* Traffic falls with l, as the reader sees to. 50 halvings leave less than any rounding of times.
 */
double dcs_cpu_latency(const struct dcs_cpu *cpu, const struct dcs_cpu_runner *set, uint32_t n)
{
    struct traffic of[DCS_CPU_TOGETHER_MAX];
    DCS_ASSERT(n <= DCS_CPU_TOGETHER_MAX);
    for (uint32_t i = 0; i < n; i++) {
        const struct dcs_cpu_app *app = set[i].app;
        double misses = miss(cpu, app, set[i].cores, set[i].ways) / app->miss_all;
        of[i] = (struct traffic){.most = app->bandwidth * misses * speedup(app, set[i].cores) /
                                         app->speedup,
                                 .works = 1 - app->stall,
                                 .waits = app->stall * misses};
    }
    if (fits(of, n, 1, cpu->bandwidth))
        return 1;
    double low = 1, high = 2;
    while (!fits(of, n, high, cpu->bandwidth) && high < 0x1p40) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < 50; i++) {
        double middle = low + (high - low) / 2;
        if (fits(of, n, middle, cpu->bandwidth))
            high = middle;
        else
            low = middle;
    }
    return high;
}

void dcs_cpu_divide(const struct dcs_cpu *cpu, double cores, double ways,
                    struct dcs_cpu_runner *set, uint32_t n)
{
    double threads = 0, need = 0;
    for (uint32_t i = 0; i < n; i++)
        threads += (double)set[i].app->threads;
    double each = threads > cores ? cores / threads : 1;
    for (uint32_t i = 0; i < n; i++) {
        set[i].cores = each * (double)set[i].app->threads;
        need += dcs_cpu_need(cpu, set[i].app, set[i].cores);
    }
    for (uint32_t i = 0; i < n; i++) {
        double part = dcs_cpu_need(cpu, set[i].app, set[i].cores);
        set[i].ways = need > 0 ? ways * (part / need) : ways;
    }
}

void dcs_cpu_derive_law(const struct dcs_cpu *cpu, struct dcs_cpu_app *app)
{
    double cores = app->threads;
    app->parallel = cores > 1 ? (1 - 1 / app->speedup) * cores / (cores - 1) : 0;
    app->miss_all = miss(cpu, app, cores, cpu->ways);
}

void dcs_cpu_derive(const struct dcs_cpu *cpu, struct dcs_cpu_app *app)
{
    dcs_cpu_derive_law(cpu, app);
    double sum = 0;
    for (int i = 0; i < DCS_CPU_SIZES; i++)
        sum += dcs_cpu_work(app, dcs_cpu_size(app, (i + 0.5) / DCS_CPU_SIZES));
    app->work_over_mean = sum / DCS_CPU_SIZES;
}

void dcs_cpu_free(struct dcs_cpu *cpu)
{
    if (cpu != NULL)
        free(cpu->apps);
    free(cpu);
}
