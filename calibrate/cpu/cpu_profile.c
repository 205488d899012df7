/* cpu_profile.c - see cpu_profile.h. */
#include "calibrate/cpu/cpu_profile.h"

#include "calibrate/cpu/cpu_fit.h"
#include "calibrate/cpu/cpu_points.h"
#include "calibrate/plan/sort_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Taken where nothing is measured. Only stall times growth counts where nobody fills the memory. */
#define ASSUMED_STALL     0.3
#define ASSUMED_SHARED    0.5
#define ASSUMED_SWITCH_US 5
#define ASSUMED_WARM_US   3000
#define ASSUMED_SPREAD    10
#define SATURATED         0.85 /* of so many streams' own speeds: the memory gives no more */
#define NOT_MEASURED_GBS  10
#define BUSY              0.05 /* of each core: others then are in the numbers */

/* --- one program --- */

struct program {
    const char *name;
    bool service;
    int64_t size_default, memory_bytes;
    const struct point *points; /* all of it */
    size_t count;
    const struct point *whole; /* default size, all cores and ways; NULL: not yet */
    struct cal_cpu_fitted fitted;
    size_t fitted_points;
};

struct maker {
    struct cal_store *store;
    struct dcs_cpu cpu; /* cores, ways, bandwidth */
    double llc_bytes, line_bytes;
    char counters[256]; /* why there are none; empty: there are */
    struct points points;
    FILE *out;
    struct dcs_err *err;
};

static int put(struct maker *m, const struct program *a, const char *key, double value,
               const char *origin, const char *source)
{
    return cal_store_put(m->store, m->err, "cpu_application", "ttrtt", a->name, key, value, origin,
                         source);
}

static const char *origin_of(bool known)
{
    return known ? "measured" : "assumed";
}

static bool is_fitted(const struct program *a, const struct point *p)
{
    return p->size == a->size_default && p->reference_ns > 0;
}

/* Fits the points of the default size, and writes what is left of each. */
static int fit(struct maker *m, struct program *a)
{
    struct cal_cpu_observation *seen = dcs_alloc(a->count, sizeof *seen);
    double *ratios = dcs_alloc(a->count, sizeof *ratios);
    size_t n = 0;
    for (size_t i = 0; i < a->count; i++) {
        const struct point *p = &a->points[i];
        if (!is_fitted(a, p))
            continue;
        bool pressed = strcmp(p->pressure, "none") != 0, walked = strcmp(p->pressure, "cache") == 0;
        seen[n++] = (struct cal_cpu_observation){
            .cores = (uint32_t)p->cores,
            .reference_cores = pressed ? (uint32_t)p->cores : m->cpu.cores,
            .ways = walked ? 0 : (double)p->ways,
            .footprint_ways = walked ? (double)p->level / m->cpu.way_bytes : 0,
            .l = p->l,
            .ratio = p->median_ns / p->reference_ns,
            .error = p->error,
            .misses = p->reference_misses > 0 ? p->misses / p->reference_misses : NAN};
    }
    double cache = (double)a->memory_bytes < m->llc_bytes ? (double)a->memory_bytes : m->llc_bytes;
    const double assumed[CAL_NUMBERS] = {[CAL_SPEEDUP] = m->cpu.cores,
                                         [CAL_STALL] = ASSUMED_STALL,
                                         [CAL_CACHE] = cache / m->cpu.way_bytes,
                                         [CAL_SHARED] = ASSUMED_SHARED};
    cal_cpu_fit(&m->cpu, seen, n, assumed, &a->fitted, ratios);
    a->fitted_points = n;
    int failed = 0;
    n = 0;
    for (size_t i = 0; i < a->count && !failed; i++) {
        const struct point *p = &a->points[i];
        if (!is_fitted(a, p))
            continue;
        failed = cal_store_put(m->store, m->err, "cpu_residual", "tiiitiirr", a->name, p->size,
                               p->cores, p->ways, p->pressure, p->level, p->pressure_cores,
                               seen[n].ratio, ratios[n]);
        n++;
    }
    free(seen);
    free(ratios);
    return failed;
}

static int put_law(struct maker *m, const struct program *a)
{
    static const char *const why_not[CAL_NUMBERS] = {
        [CAL_SPEEDUP] = "nothing is measured on fewer cores: as if it scaled perfectly",
        [CAL_STALL] = ("no co-runner raised the latency of memory by a tenth, and no misses were "
                       "counted: only its product with miss_growth follows from times, and only "
                       "that counts where nobody fills the memory"),
        [CAL_CACHE] = ("it lost nothing beside any co-runner: the memory that it takes, at most "
                       "the cache"),
        [CAL_SHARED] = "not slower with less cache on two numbers of cores",
        [CAL_GROWTH] = "no pressure on the cache is measured",
    };
    static const char *const keys[CAL_NUMBERS] = {[CAL_SPEEDUP] = "speedup",
                                                  [CAL_STALL] = "stall_share",
                                                  [CAL_CACHE] = "cache_mb",
                                                  [CAL_SHARED] = "cache_shared",
                                                  [CAL_GROWTH] = "miss_growth"};
    char fitted[256];
    const struct cal_cpu_fitted *f = &a->fitted;
    snprintf(fitted, sizeof fitted,
             "fitted with the others to %zu points of cpu_point at size %lld, which the law misses "
             "by %.2g %% on average, %.2g %% at most",
             a->fitted_points, (long long)a->size_default, 100 * f->mean_error, 100 * f->max_error);
    if (put(m, a, "threads", m->cpu.cores, "measured", "as many as cores") != 0)
        return -1;
    for (int i = 0; i < CAL_NUMBERS; i++) {
        double value = f->value[i] * (i == CAL_CACHE ? m->cpu.way_bytes / 1e6 : 1);
        const char *source = f->known[i] ? fitted : why_not[i];
        if (i == CAL_GROWTH && f->known[i] && !f->known[CAL_CACHE])
            source =
                "not slower beside any walker of the cache, by 3 % and 3 standard errors at least";
        if (put(m, a, keys[i], value, origin_of(f->known[i]), source) != 0)
            return -1;
    }
    return 0;
}

/* --- bandwidth, instructions --- */

static const struct point *find_point(const struct program *a, int64_t size, int64_t cores,
                                      int64_t ways)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct point *p = &a->points[i];
        if (p->size == size && p->cores == cores && p->ways == ways &&
            strcmp(p->pressure, "none") == 0)
            return p;
    }
    return NULL;
}

/* What a stream on so many cores writes where nothing else runs; NAN: not measured. */
static double stream_gbs(struct maker *m, int64_t cores)
{
    double gbs = NAN;
    cal_store_get(m->store, &gbs,
                  "SELECT gbs FROM cpu_pressure WHERE pressure = 'stream' AND level = 1000 AND"
                  " cores = ?",
                  "i", cores);
    return gbs;
}

/* Bytes per ns alone on all cores. Without counters: what streams that fill the memory lose beside
 * it. NAN: neither. */
static double bandwidth_of(struct maker *m, const struct program *a, char *source, size_t size)
{
    if (a->whole != NULL && a->whole->misses >= 0) {
        snprintf(source, size,
                 "misses of the last-level cache, of %g bytes each; what is fetched "
                 "ahead is not among them",
                 m->line_bytes);
        return a->whole->misses * m->line_bytes / a->whole->median_ns;
    }
    for (size_t i = a->count; i-- > 0;) {
        const struct point *p = &a->points[i];
        if (!is_fitted(a, p) || strcmp(p->pressure, "stream") != 0 || p->level != 1000 ||
            p->pressure_cores < 2)
            continue;
        double alone = stream_gbs(m, p->pressure_cores), one = stream_gbs(m, 1);
        if (!(alone < SATURATED * (double)p->pressure_cores * one))
            continue;
        const struct point *fewer = find_point(a, a->size_default, p->cores, p->ways);
        double faster =
            fewer != NULL && fewer->reference_ns > 0 ? fewer->median_ns / fewer->reference_ns : 1;
        snprintf(
            source, size,
            "no counters: what streams on %lld cores, which fill the memory, lost beside it on "
            "%lld, times what it was slowed, over what it is slower there than on all",
            (long long)p->pressure_cores, (long long)p->cores);
        double lost = alone > p->gbs ? alone - p->gbs : 0;
        return lost * p->median_ns / p->reference_ns * faster;
    }
    return NAN;
}

static int put_bandwidth(struct maker *m, struct program *a)
{
    char source[512];
    double gbs = bandwidth_of(m, a, source, sizeof source);
    const char *origin = "measured";
    if (isnan(gbs)) {
        gbs = 0;
        origin = "assumed";
        snprintf(source, sizeof source,
                 "cannot be told here: no counters (%.200s), and streams on the other cores do not "
                 "fill the memory; as if it moved nothing",
                 m->counters);
    } else if (gbs > m->cpu.bandwidth) {
        gbs = m->cpu.bandwidth;
        snprintf(source + strlen(source), sizeof source - strlen(source),
                 "; more than the memory moves, so that");
    }
    if (gbs > 0 && !(a->fitted.value[CAL_STALL] >= 0.01)) {
        a->fitted.value[CAL_STALL] = 0.01;
        if (put(m, a, "stall_share", 0.01, "measured",
                "fitted to 0; as it moves data it waits for some of it") != 0)
            return -1;
    }
    return put(m, a, "bandwidth_gbs", gbs, origin, source);
}

static int put_ipc(struct maker *m, const struct program *a)
{
    char source[512];
    const struct point *w = a->whole;
    if (w->instructions > 0) {
        double cycles = w->median_ns * m->cpu.clock_ghz;
        return put(m, a, "ipc", w->instructions / cycles, "measured",
                   "instructions of all threads over cycles of the clock, alone on all cores");
    }
    snprintf(source, sizeof source,
             "no counters (%.200s): work per second instead, as if one core alone did 1 "
             "instruction in a cycle; only ratios matter",
             m->counters);
    return put(m, a, "ipc", a->fitted.value[CAL_SPEEDUP], "assumed", source);
}

/* --- sizes and noise --- */

/* Slope of the logarithms through the default size. */
static int put_sizes(struct maker *m, const struct program *a)
{
    double xy = 0, xx = 0, exponent = 1;
    size_t n = 0;
    char source[256] = "nothing is measured at other sizes";
    for (size_t i = 0; i < a->count; i++) {
        const struct point *p = &a->points[i];
        if (p->size == a->size_default || p->cores != m->cpu.cores)
            continue;
        double x = log((double)p->size / (double)a->size_default);
        /* A reference of all cores is the point itself, at its own size. */
        xy += x * log(p->median_ns / a->whole->median_ns);
        xx += x * x;
        n++;
    }
    if (n > 0) {
        exponent = xy / xx;
        exponent = exponent < 0 ? 0 : exponent > 4 ? 4 : exponent;
        snprintf(source, sizeof source, "times at %zu sizes over that at size %lld, all cores", n,
                 (long long)a->size_default);
    }
    if (put(m, a, "size_exponent", exponent, origin_of(n > 0), source) != 0)
        return -1;
    return a->service ? put(m, a, "size_spread", ASSUMED_SPREAD, "paper",
                            "Wang, thesis, sections 5.1 and 5.3.3: the longest may be 10 times the "
                            "mean")
                      : 0;
}

/* Of a uniform distribution the median distance from the median is half of its half width; one
 * sample that others held up does not move it. */
static int put_noise(struct maker *m, const struct program *a)
{
    double distance = 0;
    if (!cal_store_get(m->store, &distance,
                       "SELECT abs(duration_ns - ?3) FROM cpu_sample WHERE application = ?1 AND "
                       "size = ?2 AND pressure = 'none'"
                       " AND role = 'sample' AND cores = ?4 AND ways = ?5"
                       " ORDER BY 1 LIMIT 1 OFFSET (SELECT count(*) / 2 FROM cpu_sample"
                       " WHERE application = ?1 AND size = ?2 AND pressure = 'none'"
                       " AND role = 'sample' AND cores = ?4 AND ways = ?5)",
                       "tirii", a->name, a->size_default, a->whole->median_ns, a->whole->cores,
                       a->whole->ways))
        return dcs_err_set(m->err, "\"%s\" has no samples", a->name);
    double noise = 2 * distance / a->whole->median_ns;
    return put(m, a, "noise", noise < 0.9 ? noise : 0.9, "measured",
               "twice the median distance of samples on all cores from their median, over that: a "
               "uniform distribution as wide; what others did on the machine is in it");
}

/* --- the host --- */

static int put_cpu(struct maker *m, const char *key, double value, const char *origin,
                   const char *source)
{
    return cal_store_put(m->store, m->err, "cpu", "trtt", key, value, origin, source);
}

/* A measured cost in microseconds, or what is assumed. */
static int put_cost(struct maker *m, const char *key, const char *what, double otherwise,
                    const char *source)
{
    double ns = 0;
    if (cal_store_get(m->store, &ns, "SELECT median_ns FROM overhead WHERE what = ?", "t", what))
        return put_cpu(m, key, ns / 1000, "measured", source);
    return put_cpu(m, key, otherwise, "assumed",
                   "not measured: Wang, thesis, section 5.4.3 prints some microseconds for a "
                   "context switch and some milliseconds for the caches");
}

static int put_host_numbers(struct maker *m)
{
    double gbs = 0, cores = 0;
    char source[160];
    if (cal_store_get(m->store, &gbs,
                      "SELECT max(amount / median_ns) FROM overhead WHERE what = 'copy'", "")) {
        cal_store_get(m->store, &cores,
                      "SELECT sms FROM overhead WHERE what = 'copy'"
                      " ORDER BY amount / median_ns DESC, sms LIMIT 1",
                      "");
        snprintf(source, sizeof source, "a copy through memory on %g cores, read and written bytes",
                 cores);
    } else {
        gbs = NOT_MEASURED_GBS;
    }
    m->cpu.bandwidth = gbs;
    if (put_cpu(m, "bandwidth_gbs", gbs, origin_of(cores > 0),
                cores > 0 ? source : "not measured yet") != 0)
        return -1;
    return put_cost(m, "switch_us", "migrate", ASSUMED_SWITCH_US,
                    "moving a thread to another core, median") != 0 ||
                   put_cost(m, "warm_us", "refill", ASSUMED_WARM_US,
                            "walking as much as level 2 of the cache holds, first after a move "
                            "over later, median") != 0
               ? -1
               : 0;
}

/* Cycles of one core in a nanosecond, as counters tell; the median of all programs. */
static int put_clock(struct maker *m)
{
    double *clocks = dcs_alloc(m->points.count + 1, sizeof *clocks);
    size_t n = 0;
    int failed = 0;
    for (size_t i = 0; i < m->points.count; i++) {
        const struct point *p = &m->points.rows[i];
        if (p->cores == 1 && p->cycles > 0 && strcmp(p->pressure, "none") == 0)
            clocks[n++] = p->cycles / p->median_ns;
    }
    if (n > 0) {
        cal_sort_reals(clocks, n);
        failed = put_cpu(m, "clock_mhz", 1000 * clocks[n / 2], "measured",
                         "cycles of programs on one core, over time");
    }
    free(clocks);
    double mhz = 1000;
    cal_store_get(m->store, &mhz, "SELECT value FROM cpu WHERE key = 'clock_mhz'", "");
    m->cpu.clock_ghz = mhz / 1000;
    return failed;
}

static int read_host(struct maker *m)
{
    double cores = 0, ways = 0, mb = 0, line = 64;
    if (!cal_store_get(m->store, &cores, "SELECT sms FROM device", "") ||
        !cal_store_get(m->store, &ways, "SELECT value FROM cpu WHERE key = 'ways'", "") ||
        !cal_store_get(m->store, &mb, "SELECT value FROM cpu WHERE key = 'cache_mb'", ""))
        return dcs_err_set(m->err, "the profile does not say what the CPU is: begin a new one");
    cal_store_get(m->store, &line, "SELECT value FROM profile WHERE key = 'line_bytes'", "");
    m->cpu.cores = (uint32_t)cores;
    m->cpu.ways = (uint32_t)ways;
    m->llc_bytes = mb * 1e6;
    m->cpu.way_bytes = m->llc_bytes / ways;
    m->line_bytes = line;
    if (!cal_store_get_text(m->store, m->counters, sizeof m->counters,
                            "SELECT value FROM profile WHERE key = 'counters_missing'", ""))
        m->counters[0] = '\0';
    return 0;
}

int cal_cpu_put_host(struct cal_store *s, const struct cal_cpu_host *h, const char *counters,
                     struct dcs_err *err)
{
    struct maker m = {.store = s, .err = err};
    char line[32], clock[64], least[32];
    snprintf(line, sizeof line, "%lld", (long long)h->line_bytes);
    snprintf(least, sizeof least, "%u", h->cat_min_ways);
    snprintf(clock, sizeof clock, "%s",
             h->clock_mhz > 0 ? "as the kernel tells it" : "not told; only ratios matter");
    if (put_cpu(&m, "ways", h->ways, origin_of(!h->ways_assumed),
                h->cat             ? "as resctrl allocates them"
                : !h->ways_assumed ? "as the kernel tells of the last-level cache"
                                   : "the kernel does not tell") != 0 ||
        put_cpu(&m, "cache_mb", (double)h->llc_bytes / 1e6, "measured",
                "as the kernel tells of the last-level cache") != 0 ||
        put_cpu(&m, "clock_mhz", h->clock_mhz > 0 ? h->clock_mhz : 1000,
                origin_of(h->clock_mhz > 0), clock) != 0 ||
        cal_store_put(s, err, "profile", "tt", "line_bytes", line) != 0 ||
        cal_store_put(s, err, "profile", "tt", "cache_allocation",
                      h->cat ? "resctrl" : h->cat_missing) != 0 ||
        (h->cat && cal_store_put(s, err, "profile", "tt", "cache_min_ways", least) != 0))
        return -1;
    return counters[0] == '\0'
               ? 0
               : cal_store_put(s, err, "profile", "tt", "counters_missing", counters);
}

/* --- all of it --- */

static void print_head(FILE *out)
{
    fprintf(out, "%-8s %10s %7s %7s %9s %7s %7s %7s %5s | %6s %6s %6s %6s\n", "", "ms", "speedup",
            "stall", "cache MB", "shared", "growth", "GB/s", "size", "points", "mean %", "95 %",
            "max %");
}

/* In parentheses what is assumed. */
static void print_value(FILE *out, int width, double value, bool known)
{
    char text[32];
    snprintf(text, sizeof text, known ? "%.3g" : "(%.3g)", value);
    fprintf(out, " %*s", width, text);
}

static void print_program(struct maker *m, const struct program *a)
{
    const struct cal_cpu_fitted *f = &a->fitted;
    double gbs = 0, exponent = 0;
    char origin[16] = "";
    const char *ask = "SELECT value FROM cpu_application WHERE application = ? AND key = ?";
    cal_store_get(m->store, &gbs, ask, "tt", a->name, "bandwidth_gbs");
    cal_store_get(m->store, &exponent, ask, "tt", a->name, "size_exponent");
    cal_store_get_text(m->store, origin, sizeof origin,
                       "SELECT origin FROM cpu_application WHERE application = ? AND key = ?", "tt",
                       a->name, "bandwidth_gbs");
    fprintf(m->out, "%-8s %10.3f", a->name, a->whole->median_ns / 1e6);
    print_value(m->out, 7, f->value[CAL_SPEEDUP], f->known[CAL_SPEEDUP]);
    print_value(m->out, 7, f->value[CAL_STALL], f->known[CAL_STALL]);
    print_value(m->out, 9, f->value[CAL_CACHE] * m->cpu.way_bytes / 1e6, f->known[CAL_CACHE]);
    print_value(m->out, 7, f->value[CAL_SHARED], f->known[CAL_SHARED]);
    print_value(m->out, 7, f->value[CAL_GROWTH], f->known[CAL_GROWTH]);
    print_value(m->out, 7, gbs, strcmp(origin, "measured") == 0);
    fprintf(m->out, " %5.2f | %6zu", exponent, a->fitted_points);
    if (a->fitted_points > 0)
        fprintf(m->out, " %6.2f %6.2f %6.2f\n", 100 * f->mean_error, 100 * f->p95_error,
                100 * f->max_error);
    else
        fprintf(m->out, " %6s %6s %6s\n", "-", "-", "-");
}

struct programs {
    struct program list[256];
    char names[256][NAMES_BYTES];
    size_t count;
};

static bool take_program(void *context, const char *const *row)
{
    struct programs *all = context;
    if (all->count == sizeof all->list / sizeof all->list[0])
        return false;
    snprintf(all->names[all->count], NAMES_BYTES, "%s", row[0]);
    all->list[all->count] = (struct program){.name = all->names[all->count],
                                             .service = strcmp(row[1], "latency") == 0,
                                             .memory_bytes = (int64_t)cal_cpu_number(row[2]),
                                             .size_default = (int64_t)cal_cpu_number(row[3])};
    all->count++;
    return true;
}

static int make_program(struct maker *m, struct program *a)
{
    size_t from = 0;
    while (from < m->points.count && strcmp(m->points.rows[from].app, a->name) != 0)
        from++;
    a->points = m->points.rows + from;
    while (from + a->count < m->points.count &&
           strcmp(m->points.rows[from + a->count].app, a->name) == 0)
        a->count++;
    a->whole = find_point(a, a->size_default, m->cpu.cores, m->cpu.ways);
    if (a->whole == NULL)
        return dcs_err_set(m->err, "\"%s\" has no point on all cores and ways", a->name);
    if (fit(m, a) != 0 || put_law(m, a) != 0 || put_bandwidth(m, a) != 0 || put_ipc(m, a) != 0 ||
        put_sizes(m, a) != 0 || put_noise(m, a) != 0)
        return -1;
    if (m->out != NULL)
        print_program(m, a);
    return 0;
}

/* Others cannot be kept from a machine that is shared; they can be told of. */
static int put_others(struct maker *m)
{
    char text[32];
    double others = 0;
    if (!cal_store_get(m->store, &others,
                       "SELECT sum(others_cores * n * median_ns) / sum(1.0 * n * median_ns)"
                       " FROM cpu_point",
                       ""))
        return 0;
    snprintf(text, sizeof text, "%.2f", others);
    if (m->out != NULL && others > BUSY * m->cpu.cores)
        fprintf(m->out,
                "Others used %s of the %u cores meanwhile: these numbers are theirs as well. "
                "Measure again on a quiet machine.\n",
                text, m->cpu.cores);
    return cal_store_put(m->store, m->err, "profile", "tt", "others_cores", text);
}

static int make(struct maker *m)
{
    struct programs *all = dcs_alloc(1, sizeof *all);
    int failed = read_host(m) != 0 || cal_cpu_points_read(m->store, &m->points, m->err) != 0 ||
                 cal_store_each(m->store,
                                "SELECT name, class, memory_bytes, size_default FROM application"
                                " JOIN subject ON application = name ORDER BY name",
                                take_program, all, m->err) != 0 ||
                 cal_store_execute(m->store, m->err, "DELETE FROM cpu_application", "") != 0 ||
                 cal_store_execute(m->store, m->err, "DELETE FROM cpu_residual", "") != 0 ||
                 put_host_numbers(m) != 0 || put_clock(m) != 0;
    if (!failed && m->out != NULL && all->count > 0)
        print_head(m->out);
    for (size_t i = 0; i < all->count && !failed; i++)
        failed = make_program(m, &all->list[i]);
    free(all);
    return failed ? -1 : put_others(m);
}

int cal_cpu_put_numbers(struct cal_store *s, FILE *out, struct dcs_err *err)
{
    struct maker m = {.store = s, .out = out, .err = err};
    if (cal_store_begin(s, err) != 0)
        return -1;
    int failed = make(&m);
    free(m.points.rows);
    return cal_store_end(s, !failed, err) != 0 || failed ? -1 : 0;
}
