/* cpu_measure.c - see cpu_measure.h. */
#include "calibrate/cpu/cpu_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the cache: what a program loses beside little, beside as much as there is, and beside more. */
static const double footprints[CAL_CPU_FOOTPRINTS] = {0.125, 0.25, 0.5, 1, 2};
static const int64_t paces[] = {1000, 500, 250};

int64_t cal_cpu_footprint(const struct cal_cpu_host *h, int i)
{
    return (int64_t)(footprints[i] * (double)h->llc_bytes) / 4096 * 4096;
}

uint32_t cal_cpu_counts(uint32_t n, uint32_t counts[CAL_CPU_COUNTS_MAX])
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < CAL_CPU_COUNTS_MAX; i++) {
        double part = (double)i / (CAL_CPU_COUNTS_MAX - 1);
        uint32_t count = n <= CAL_CPU_COUNTS_MAX ? i + 1 : (uint32_t)(pow(n, part) + 0.5);
        if (count <= n && (used == 0 || count > counts[used - 1]))
            counts[used++] = count;
    }
    return used;
}

const struct cal_cpu_app *cal_cpu_find_app(const char *name)
{
    for (size_t i = 0; cal_cpu_apps[i] != NULL; i++)
        if (strcmp(cal_cpu_apps[i]->name, name) == 0)
            return cal_cpu_apps[i];
    return NULL;
}

/* --- steps and points --- */

/* item[0] has cores, ways and the co-runner's cores, 16 bits each; item[1] the level. */
static struct cal_step *add_step(struct cal_steps *steps, const struct cal_measure *m,
                                 const struct cal_cpu_point *p, const char *key)
{
    struct cal_step *step = cal_steps_add(steps, m, "%s", key);
    step->app_name = p->app != NULL ? p->app->name : NULL;
    step->size = p->size;
    step->item[0] = (int64_t)p->cores | (int64_t)p->ways << 16 | (int64_t)p->pressure_cores << 32;
    step->item[1] = p->level;
    return step;
}

static struct cal_cpu_point point_of(const struct cal_step *step, enum cal_cpu_pressure pressure)
{
    return (struct cal_cpu_point){
        .app = step->app_name != NULL ? cal_cpu_find_app(step->app_name) : NULL,
        .size = step->size,
        .cores = (uint32_t)(step->item[0] & 0xffff),
        .ways = (uint32_t)(step->item[0] >> 16 & 0xffff),
        .pressure = pressure,
        .level = step->item[1],
        .pressure_cores = (uint32_t)(step->item[0] >> 32),
    };
}

static struct cal_cpu_point alone(const struct cal_session *s, const struct cal_cpu_app *app)
{
    return (struct cal_cpu_point){
        .app = app, .size = app->size_default, .cores = s->cpu->cores_count, .ways = s->cpu->ways};
}

/* --- rows --- */

#define POINT_FORMAT "tiiitii"

static int put_sample(struct cal_session *s, const struct cal_cpu_point *p,
                      const struct cal_cpu_taken *taken, int role, size_t i, struct dcs_err *err)
{
    const struct cal_cpu_counts *c = &taken->counts[role][i];
    /* NaN binds as NULL. */
    return cal_store_put(s->store, err, "cpu_sample", POINT_FORMAT "tiirrr", p->app->name, p->size,
                         (int64_t)p->cores, (int64_t)p->ways, cal_cpu_pressure_name(p->pressure),
                         p->level, (int64_t)p->pressure_cores,
                         role == CAL_CPU_SAMPLE ? "sample" : "reference", (int64_t)i,
                         taken->sets[role].ns[i], c->instructions, c->cycles, c->llc_misses);
}

static struct cal_cpu_counts mean_counts(const struct cal_cpu_taken *t, int role)
{
    struct cal_cpu_counts sum = {0};
    size_t n = t->sets[role].count;
    for (size_t i = 0; i < n; i++) {
        sum.instructions += t->counts[role][i].instructions;
        sum.cycles += t->counts[role][i].cycles;
        sum.llc_misses += t->counts[role][i].llc_misses;
    }
    return (struct cal_cpu_counts){.instructions = sum.instructions / (double)n,
                                   .cycles = sum.cycles / (double)n,
                                   .llc_misses = sum.llc_misses / (double)n};
}

static int put_point(struct cal_session *s, const struct cal_cpu_point *p,
                     const struct cal_cpu_taken *t, struct dcs_err *err)
{
    struct cal_statistics own, reference = {0};
    if (cal_samples_statistics(&t->sets[CAL_CPU_SAMPLE], t->stops[CAL_CPU_SAMPLE], "unknown", &own,
                               err) != 0)
        return -1;
    bool has_reference = t->sets[CAL_CPU_REFERENCE].count > 0;
    if (has_reference &&
        cal_samples_statistics(&t->sets[CAL_CPU_REFERENCE], t->stops[CAL_CPU_REFERENCE], "unknown",
                               &reference, err) != 0)
        return -1;
    struct cal_cpu_counts counts = mean_counts(t, CAL_CPU_SAMPLE),
                          beside = mean_counts(t, CAL_CPU_REFERENCE);
    if (has_reference)
        return cal_store_put(s->store, err, "cpu_point", POINT_FORMAT "riirrrrrs", p->app->name,
                             p->size, (int64_t)p->cores, (int64_t)p->ways,
                             cal_cpu_pressure_name(p->pressure), p->level,
                             (int64_t)p->pressure_cores, t->pressure_gbs, reference.median_ns,
                             reference.n, counts.instructions, counts.cycles, counts.llc_misses,
                             beside.llc_misses, t->others, &own);
    return cal_store_put(s->store, err, "cpu_point", POINT_FORMAT "rnnrrrnrs", p->app->name,
                         p->size, (int64_t)p->cores, (int64_t)p->ways,
                         cal_cpu_pressure_name(p->pressure), p->level, (int64_t)p->pressure_cores,
                         t->pressure_gbs, counts.instructions, counts.cycles, counts.llc_misses,
                         t->others, &own);
}

static int put_subject(struct cal_session *s, const struct cal_cpu_app *app, int64_t memory_bytes,
                       struct dcs_err *err)
{
    char source[512];
    snprintf(source, sizeof source, "dcsim-calibrate cpu: %s; %s", app->algorithm, app->papers);
    if (cal_store_put(s->store, err, "subject", "ttttiii", app->name, app->papers, app->algorithm,
                      app->size_unit, app->size_min, app->size_max, app->size_default) != 0)
        return -1;
    if (app->role == CAL_CPU_SERVICE)
        return cal_store_put(s->store, err, "application", "ttiit", app->name, "latency",
                             app->sla_ns, memory_bytes, source);
    return cal_store_put(s->store, err, "application", "ttnit", app->name, "batch", memory_bytes,
                         source);
}

static int put_all(struct cal_session *s, const struct cal_cpu_point *p,
                   const struct cal_cpu_taken *t, struct dcs_err *err)
{
    if (put_point(s, p, t, err) != 0)
        return -1;
    for (int role = 0; role < CAL_CPU_ROLES; role++)
        for (size_t i = 0; i < t->sets[role].count; i++)
            if (put_sample(s, p, t, role, i, err) != 0)
                return -1;
    if (p->size == p->app->size_default && cal_cpu_point_is_whole(s->cpu, p) &&
        put_subject(s, p->app, t->memory_bytes, err) != 0)
        return -1;
    if (p->pressure != CAL_PRESSURE_NONE || p->ways != s->cpu->ways)
        return 0;
    struct cal_statistics own;
    if (cal_samples_statistics(&t->sets[CAL_CPU_SAMPLE], t->stops[CAL_CPU_SAMPLE], "unknown", &own,
                               err) != 0)
        return -1;
    return cal_store_put(s->store, err, "request_solo", "titis", p->app->name, p->size,
                         p->cores == s->cpu->cores_count ? "whole" : "affinity", (int64_t)p->cores,
                         &own);
}

static int run_point(struct cal_session *s, const struct cal_cpu_point *p, struct dcs_err *err)
{
    struct cal_cpu_taken taken = {0};
    int failed = s->cpu_bench->take(s->cpu_bench->context, p, &taken, err);
    if (!failed)
        failed = put_all(s, p, &taken, err);
    cal_cpu_taken_release(&taken);
    return failed;
}

/* --- the host --- */

static const struct cal_measure host_measure, pressure_measure, whole_measure, cores_measure,
    sizes_measure, cache_measure, ways_measure, stream_measure;

static void plan_host(const struct cal_session *s, struct cal_steps *steps)
{
    uint32_t counts[CAL_CPU_COUNTS_MAX], n = cal_cpu_counts(s->cpu->cores_count, counts);
    char key[CAL_KEY_BYTES];
    for (uint32_t i = n; i-- > 0;) {
        snprintf(key, sizeof key, "cpu-host/copy/%u", counts[i]);
        add_step(steps, &host_measure, &(struct cal_cpu_point){.cores = counts[i]}, key)->size =
            CAL_HOST_COPY;
    }
    if (s->cpu->cores_count < 2)
        return;
    const struct cal_cpu_point one = {.cores = 1};
    add_step(steps, &host_measure, &one, "cpu-host/migrate")->size = CAL_HOST_MIGRATE;
    add_step(steps, &host_measure, &one, "cpu-host/refill")->size = CAL_HOST_REFILL;
}

static int run_host(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    static const char *const names[] = {"copy", "migrate", "refill"};
    static const char *const units[] = {"byte", "move", "byte"};
    enum cal_cpu_what what = (enum cal_cpu_what)step->size;
    struct cal_cpu_point p = point_of(step, CAL_PRESSURE_NONE);
    struct cal_cpu_taken taken = {0};
    struct cal_statistics own;
    double amount = 0;
    int failed = s->cpu_bench->host(s->cpu_bench->context, what, p.cores, &taken, &amount, err);
    if (!failed)
        failed = cal_samples_statistics(&taken.sets[CAL_CPU_SAMPLE], taken.stops[CAL_CPU_SAMPLE],
                                        "unknown", &own, err);
    if (!failed)
        failed = cal_store_put(s->store, err, "overhead", "ttirts", names[what],
                               p.cores == s->cpu->cores_count ? "whole" : "affinity",
                               (int64_t)p.cores, amount, units[what], &own);
    cal_cpu_taken_release(&taken);
    return failed;
}

/* --- pressure by itself --- */

/* Cores of a co-running stream beside a program on `cores`: one, and all that are left. */
static uint32_t stream_cores(const struct cal_session *s, uint32_t cores, uint32_t counts[2])
{
    uint32_t left = s->cpu->cores_count - cores, n = 0;
    if (left > 1)
        counts[n++] = left;
    if (left >= 1)
        counts[n++] = 1;
    return n;
}

/* How many cores a program has beside pressure: one, and about half of them. */
static uint32_t pressed_cores(const struct cal_session *s, uint32_t counts[2])
{
    uint32_t n = 0, half = s->cpu->cores_count / 2;
    if (s->cpu->cores_count < 2)
        return 0;
    if (half > 1)
        counts[n++] = half;
    counts[n++] = 1;
    return n;
}

static bool has_key(const struct cal_steps *steps, const char *key)
{
    for (size_t i = steps->count; i-- > 0;)
        if (strcmp(steps->steps[i].key, key) == 0)
            return true;
    return false;
}

/* item[1] of a meter is its level; size tells which pressure. */
static void add_meter(struct cal_steps *steps, enum cal_cpu_pressure pressure, int64_t level,
                      uint32_t cores)
{
    char key[CAL_KEY_BYTES];
    snprintf(key, sizeof key, "cpu-pressure/%s/%u/%lld", cal_cpu_pressure_name(pressure), cores,
             (long long)level);
    if (has_key(steps, key))
        return;
    const struct cal_cpu_point p = {.level = level, .pressure_cores = cores};
    add_step(steps, &pressure_measure, &p, key)->size = pressure;
}

static void plan_pressure(const struct cal_session *s, struct cal_steps *steps)
{
    uint32_t cores[2], counts[2], n = pressed_cores(s, cores);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t most = stream_cores(s, cores[i], counts);
        for (uint32_t k = 0; k < most; k++)
            for (size_t j = 0; j < sizeof paces / sizeof paces[0]; j++)
                add_meter(steps, CAL_PRESSURE_STREAM, paces[j], counts[k]);
    }
    for (int i = CAL_CPU_FOOTPRINTS; n > 0 && i-- > 0;)
        add_meter(steps, CAL_PRESSURE_CACHE, cal_cpu_footprint(s->cpu, i), 1);
}

static int run_pressure(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    enum cal_cpu_pressure pressure = (enum cal_cpu_pressure)step->size;
    struct cal_cpu_point p = point_of(step, pressure);
    struct cal_cpu_meter m = {0};
    if (s->cpu_bench->meter(s->cpu_bench->context, pressure, p.level, p.pressure_cores, &m, err) !=
        0)
        return -1;
    return cal_store_put(s->store, err, "cpu_pressure", "tiirrrr", cal_cpu_pressure_name(pressure),
                         p.level, (int64_t)p.pressure_cores, m.gbs, m.latency_alone_ns,
                         m.latency_ns, m.others);
}

/* --- programs alone --- */

static void plan_whole(const struct cal_session *s, struct cal_steps *steps)
{
    char key[CAL_KEY_BYTES];
    for (size_t a = 0; cal_cpu_apps[a] != NULL; a++) {
        struct cal_cpu_point p = alone(s, cal_cpu_apps[a]);
        snprintf(key, sizeof key, "cpu-whole/%s", p.app->name);
        add_step(steps, &whole_measure, &p, key);
    }
}

static void plan_cores(const struct cal_session *s, struct cal_steps *steps)
{
    uint32_t counts[CAL_CPU_COUNTS_MAX], n = cal_cpu_counts(s->cpu->cores_count, counts);
    char key[CAL_KEY_BYTES];
    /* One core first: it tells most. */
    for (uint32_t i = 0; i + 1 < n; i++)
        for (size_t a = 0; cal_cpu_apps[a] != NULL; a++) {
            struct cal_cpu_point p = alone(s, cal_cpu_apps[a]);
            p.cores = counts[i];
            snprintf(key, sizeof key, "cpu-cores/%s/%u", p.app->name, p.cores);
            add_step(steps, &cores_measure, &p, key);
        }
}

static void plan_sizes(const struct cal_session *s, struct cal_steps *steps)
{
    char key[CAL_KEY_BYTES];
    for (size_t a = 0; cal_cpu_apps[a] != NULL; a++) {
        const struct cal_cpu_app *app = cal_cpu_apps[a];
        const struct cal_size_range range = {.min = app->size_min,
                                             .max = app->size_max,
                                             .standard = app->size_default,
                                             .step = app->size_step,
                                             .wanted = CAL_CPU_SIZES};
        int64_t *sizes;
        size_t n = cal_sizes(&range, &sizes);
        for (size_t i = 1; i < n; i++) { /* the first is the default one */
            struct cal_cpu_point p = alone(s, app);
            p.size = sizes[i];
            snprintf(key, sizeof key, "cpu-sizes/%s/%lld", app->name, (long long)p.size);
            add_step(steps, &sizes_measure, &p, key);
        }
        free(sizes);
    }
}

static int run_alone(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct cal_cpu_point p = point_of(step, CAL_PRESSURE_NONE);
    return run_point(s, &p, err);
}

/* --- programs with less cache, and beside pressure --- */

static void plan_cache(const struct cal_session *s, struct cal_steps *steps)
{
    uint32_t cores[2], n = pressed_cores(s, cores);
    char key[CAL_KEY_BYTES];
    for (int i = CAL_CPU_FOOTPRINTS; i-- > 0;)
        for (uint32_t c = 0; c < n; c++)
            for (size_t a = 0; cal_cpu_apps[a] != NULL; a++) {
                struct cal_cpu_point p = alone(s, cal_cpu_apps[a]);
                p.cores = cores[c];
                p.level = cal_cpu_footprint(s->cpu, i);
                p.pressure_cores = 1;
                snprintf(key, sizeof key, "cpu-cache/%s/%u/%lld", p.app->name, p.cores,
                         (long long)p.level);
                add_step(steps, &cache_measure, &p, key);
            }
}

static int run_cache(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct cal_cpu_point p = point_of(step, CAL_PRESSURE_CACHE);
    return run_point(s, &p, err);
}

static void plan_ways(const struct cal_session *s, struct cal_steps *steps)
{
    uint32_t counts[CAL_CPU_COUNTS_MAX];
    char key[CAL_KEY_BYTES];
    uint32_t n = s->cpu->cat ? cal_cpu_counts(s->cpu->ways, counts) : 0;
    for (uint32_t i = 0; i + 1 < n; i++)
        for (size_t a = 0; counts[i] >= s->cpu->cat_min_ways && cal_cpu_apps[a] != NULL; a++) {
            struct cal_cpu_point p = alone(s, cal_cpu_apps[a]);
            p.ways = counts[i];
            snprintf(key, sizeof key, "cpu-ways/%s/%u", p.app->name, p.ways);
            add_step(steps, &ways_measure, &p, key);
        }
}

static void plan_stream(const struct cal_session *s, struct cal_steps *steps)
{
    uint32_t cores[2], counts[2], n = pressed_cores(s, cores);
    char key[CAL_KEY_BYTES];
    for (size_t j = 0; j < sizeof paces / sizeof paces[0]; j++)
        for (uint32_t c = 0; c < n; c++) {
            uint32_t most = stream_cores(s, cores[c], counts);
            for (uint32_t k = 0; k < most; k++)
                for (size_t a = 0; cal_cpu_apps[a] != NULL; a++) {
                    struct cal_cpu_point p = alone(s, cal_cpu_apps[a]);
                    p.cores = cores[c];
                    p.level = paces[j];
                    p.pressure_cores = counts[k];
                    snprintf(key, sizeof key, "cpu-stream/%s/%u/%u/%lld", p.app->name, p.cores,
                             p.pressure_cores, (long long)p.level);
                    add_step(steps, &stream_measure, &p, key);
                }
        }
}

static int run_stream(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct cal_cpu_point p = point_of(step, CAL_PRESSURE_STREAM);
    return run_point(s, &p, err);
}

/* --- the table --- */

static const struct cal_measure host_measure = {.name = "cpu-host",
                                                .help =
                                                    "memory bandwidth by cores; moving a thread",
                                                .plan = plan_host,
                                                .run = run_host};
static const struct cal_measure pressure_measure = {.name = "cpu-pressure",
                                                    .help =
                                                        "latency of memory beside each co-runner",
                                                    .plan = plan_pressure,
                                                    .run = run_pressure};
static const struct cal_measure whole_measure = {.name = "cpu-whole",
                                                 .help = "programs alone on all cores",
                                                 .plan = plan_whole,
                                                 .run = run_alone};
static const struct cal_measure cores_measure = {
    .name = "cpu-cores", .help = "over cores", .plan = plan_cores, .run = run_alone};
static const struct cal_measure sizes_measure = {
    .name = "cpu-sizes", .help = "over sizes", .plan = plan_sizes, .run = run_alone};
static const struct cal_measure cache_measure = {.name = "cpu-cache",
                                                 .help = "beside one that walks a buffer",
                                                 .plan = plan_cache,
                                                 .run = run_cache};
static const struct cal_measure ways_measure = {.name = "cpu-ways",
                                                .help = "with ways of the cache, through resctrl",
                                                .plan = plan_ways,
                                                .run = run_alone};
static const struct cal_measure stream_measure = {.name = "cpu-stream",
                                                  .help = "beside one that writes memory at a pace",
                                                  .plan = plan_stream,
                                                  .run = run_stream};

const struct cal_measure *const cal_cpu_measures[] = {
    &whole_measure,    &host_measure,   &cores_measure,
    &pressure_measure, &sizes_measure,  &cache_measure,
    &ways_measure,     &stream_measure, NULL};

void cal_cpu_plan(const struct cal_session *s, struct cal_steps *steps, double seconds)
{
    for (size_t i = 0; cal_cpu_measures[i] != NULL; i++)
        cal_cpu_measures[i]->plan(s, steps);
    for (size_t i = 0; i < steps->count; i++)
        steps->steps[i].seconds = seconds;
}
