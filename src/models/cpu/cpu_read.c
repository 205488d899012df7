/* cpu_read.c - reads tables `cpu` and `cpu_application` of a profile; see cpu.h. */
#include "models/cpu/cpu.h"

#include "models/profile/profile_open.h"
#include "models/profile/profile_rows.h"

#include <stdlib.h>
#include <string.h>

/* One number that a table may hold: where it goes, and its range. */
struct fact {
    const char *key;
    size_t offset; /* of a double */
    double low, high;
    bool optional;
};

/* As the tables have them; units are those of docs/profile.md. */
struct device_facts {
    double ways, cache_mb, bandwidth_gbs, clock_mhz, switch_us, warm_us;
};
struct app_facts {
    double threads, speedup, stall_share, bandwidth_gbs, cache_mb, cache_shared, miss_growth, ipc;
    double size_exponent, size_spread, noise;
};

#define FACT(type, member, low, high, optional)                                                    \
    {                                                                                              \
#member, offsetof(struct type, member), low, high, optional                                \
    }
static const struct fact of_device[] = {
    FACT(device_facts, ways, 1, 64, false),
    FACT(device_facts, cache_mb, 1e-3, 1e6, false),
    FACT(device_facts, bandwidth_gbs, 1e-3, 1e6, false),
    FACT(device_facts, clock_mhz, 1, 1e6, false),
    FACT(device_facts, switch_us, 0, 1e6, false),
    FACT(device_facts, warm_us, 0, 1e6, false),
    {0},
};
static const struct fact of_app[] = {
    FACT(app_facts, threads, 1, 4096, false),     FACT(app_facts, speedup, 1, 4096, false),
    FACT(app_facts, stall_share, 0, 0.99, false), FACT(app_facts, bandwidth_gbs, 0, 1e6, false),
    FACT(app_facts, cache_mb, 0, 1e6, false),     FACT(app_facts, cache_shared, 0, 1, false),
    FACT(app_facts, miss_growth, 0, 1e3, false),  FACT(app_facts, ipc, 1e-3, 1e3, false),
    FACT(app_facts, size_exponent, 0, 4, true),   FACT(app_facts, size_spread, 0, 100, true),
    FACT(app_facts, noise, 0, 0.9, true),         {0},
};
#undef FACT

struct reader {
    struct dcs_rows rows;
    const struct dcs_profile *p;
    struct device_facts device;
    uint32_t device_seen; /* bits, by index in of_device */
    struct app_facts *apps;
    uint32_t *apps_seen;
};

/* Puts the number in columns `at` (key), at + 1 (value), at + 2 (origin), at + 3 (source). */
static int take_fact(struct reader *r, const struct fact *facts, int at, void *into, uint32_t *seen)
{
    static const char *const origins[] = {"paper", "derived", "measured", "assumed", NULL};
    int origin;
    const char *key = dcs_rows_name(&r->rows, at);
    if (key == NULL)
        return -1;
    uint32_t i = 0;
    while (facts[i].key != NULL && strcmp(facts[i].key, key) != 0)
        i++;
    if (facts[i].key == NULL)
        return dcs_rows_bad_value(&r->rows, at, "a key of docs/profile.md");
    if ((*seen & 1u << i) != 0)
        return dcs_rows_bad_value(&r->rows, at, "each key once");
    *seen |= 1u << i;
    double value;
    if (dcs_rows_real(&r->rows, at + 1, facts[i].low, facts[i].high, &value) != 0 ||
        dcs_rows_choice(&r->rows, at + 2, origins, &origin) != 0)
        return -1;
    memcpy((char *)into + facts[i].offset, &value, sizeof value);
    return dcs_rows_check_text(&r->rows, at + 3);
}

static int take_device(void *context)
{
    struct reader *r = context;
    return take_fact(r, of_device, 0, &r->device, &r->device_seen);
}

static int take_app(void *context)
{
    struct reader *r = context;
    const char *name = dcs_rows_name(&r->rows, 0);
    if (name == NULL)
        return -1;
    const struct dcs_profile_app *app = dcs_profile_app(r->p, name);
    if (app == NULL)
        return dcs_rows_bad_value(&r->rows, 0, "an application of this profile");
    size_t i = (size_t)(app - r->p->apps);
    return take_fact(r, of_app, 1, &r->apps[i], &r->apps_seen[i]);
}

/* The first key that has to be there and is not; NULL: none. */
static const char *missing(const struct fact *facts, uint32_t seen)
{
    for (uint32_t i = 0; facts[i].key != NULL; i++)
        if (!facts[i].optional && (seen & 1u << i) == 0)
            return facts[i].key;
    return NULL;
}

static int check_app(const struct reader *r, size_t i)
{
    const struct dcs_profile_app *app = &r->p->apps[i];
    const struct app_facts *f = &r->apps[i];
    const char *key = missing(of_app, r->apps_seen[i]), *file = r->rows.file;
    if (key != NULL)
        return dcs_err_at(r->rows.err, file, 0, "cpu_application",
                          "lacks \"%s\" of application \"%s\"", key, app->name);
    if (app->kernels_count != 1)
        return dcs_err_at(r->rows.err, file, 0, "kernel",
                          "application \"%s\" has %zu kernels; one of a CPU has 1", app->name,
                          app->kernels_count);
    if (f->threads > (double)r->p->sms || f->threads != (double)(int)f->threads)
        return dcs_err_at(r->rows.err, file, 0, "cpu_application",
                          "application \"%s\" has %g threads; the CPU has %lld cores: expected a "
                          "whole number of at most these",
                          app->name, f->threads, (long long)r->p->sms);
    if (f->speedup > f->threads)
        return dcs_err_at(r->rows.err, file, 0, "cpu_application",
                          "application \"%s\" speeds up by %g with %g threads: expected at most "
                          "these",
                          app->name, f->speedup, f->threads);
    if (f->bandwidth_gbs > r->device.bandwidth_gbs)
        return dcs_err_at(r->rows.err, file, 0, "cpu_application",
                          "application \"%s\" moves %g GB/s alone, the memory %g", app->name,
                          f->bandwidth_gbs, r->device.bandwidth_gbs);
    if (f->bandwidth_gbs > 0 && !(f->stall_share > 0))
        return dcs_err_at(r->rows.err, file, 0, "cpu_application",
                          "application \"%s\" moves data and never waits for memory: expected a "
                          "stall_share above 0",
                          app->name);
    return 0;
}

static int check_rows(const struct reader *r)
{
    const char *key = missing(of_device, r->device_seen), *file = r->rows.file;
    if (key != NULL)
        return dcs_err_at(r->rows.err, file, 0, "cpu", "lacks \"%s\"", key);
    if (r->device.ways != (double)(int)r->device.ways)
        return dcs_err_at(r->rows.err, file, 0, "cpu", "expected a whole number of ways, found %g",
                          r->device.ways);
    for (size_t i = 0; i < r->p->apps_count; i++)
        if (check_app(r, i) != 0)
            return -1;
    return 0;
}

static struct dcs_cpu *build(const struct reader *r)
{
    struct dcs_cpu *cpu = dcs_alloc(1, sizeof *cpu);
    const struct device_facts *d = &r->device;
    *cpu = (struct dcs_cpu){.cores = (uint32_t)r->p->sms,
                            .ways = (uint32_t)d->ways,
                            .clock_ghz = d->clock_mhz / 1000,
                            .way_bytes = d->cache_mb * 1e6 / d->ways,
                            .bandwidth = d->bandwidth_gbs, /* 10^9 per s are 1 per ns */
                            .switch_ns = d->switch_us * 1000,
                            .warm_ns = d->warm_us * 1000,
                            .apps = dcs_alloc(r->p->apps_count + 1, sizeof *cpu->apps),
                            .apps_count = (uint32_t)r->p->apps_count};
    cpu->plain =
        (struct dcs_cpu_app){.threads = cpu->cores, .speedup = cpu->cores, .ipc = 1, .exponent = 1};
    dcs_cpu_derive(cpu, &cpu->plain);
    DCS_ASSERT(r->apps != NULL); /* read_facts() has filled it */
    for (uint32_t i = 0; i < cpu->apps_count; i++) {
        const struct app_facts *f = &r->apps[i];
        cpu->apps[i] = (struct dcs_cpu_app){.threads = (uint32_t)f->threads,
                                            .speedup = f->speedup,
                                            .stall = f->stall_share,
                                            .bandwidth = f->bandwidth_gbs,
                                            .cache = f->cache_mb * 1e6 / cpu->way_bytes,
                                            .shared = f->cache_shared,
                                            .growth = f->miss_growth,
                                            .ipc = f->ipc,
                                            .exponent = f->size_exponent,
                                            .spread = f->size_spread,
                                            .noise = f->noise};
        dcs_cpu_derive(cpu, &cpu->apps[i]);
    }
    return cpu;
}

static int read_facts(struct reader *r)
{
    if (!r->p->is_cpu)
        return dcs_err_at(r->rows.err, r->rows.file, 0, "device.kind",
                          "profile \"%s\" is of a GPU; sharing.model \"cpu\" needs one of a CPU",
                          r->p->name);
    r->apps = dcs_alloc(r->p->apps_count + 1, sizeof *r->apps);
    r->apps_seen = dcs_alloc(r->p->apps_count + 1, sizeof *r->apps_seen);
    for (size_t i = 0; i < r->p->apps_count; i++)
        r->apps[i].size_exponent = 1;
    if (dcs_rows_each(&r->rows, "cpu", "SELECT key, value, origin, source FROM cpu", take_device,
                      r) != 0 ||
        dcs_rows_each(&r->rows, "cpu_application",
                      "SELECT application, key, value, origin, source FROM cpu_application",
                      take_app, r) != 0)
        return -1;
    return check_rows(r);
}

struct dcs_profile *dcs_cpu_load_profile(const char *path, struct dcs_cpu **cpu,
                                         struct dcs_err *err)
{
    struct dcs_profile_source source;
    *cpu = NULL;
    if (dcs_profile_open(&source, path, err) != 0)
        return NULL;
    struct dcs_profile *p = dcs_profile_read(&source, path, err);
    struct reader r = {.rows = {.source = &source, .file = path, .err = err}, .p = p};
    if (p != NULL && read_facts(&r) == 0)
        *cpu = build(&r);
    free(r.apps);
    free(r.apps_seen);
    dcs_profile_close(&source);
    if (*cpu != NULL)
        return p;
    dcs_profile_free(p);
    return NULL;
}
