/*
 * measure_solo.c - how long requests and kernels take alone, by size and number of SMs.
 *
 * A step is one size of one application on all SM counts; the state is made once for all. On each
 * partition first whole requests are timed, then, on the coarse SM counts, kernel by kernel. The
 * default size has two steps, the coarse SM counts and the rest of them: the order of the steps is
 * the order of their worth, default sizes of all applications, their remaining SM counts, then
 * sizes from coarse to fine.
 *
 * Long requests get fewer samples: the device repeats within half a percent, and it is the number
 * of sizes and SM counts that a model lives on.
 */
#include "calibrate/gpu/shape.h"

#include <stdlib.h>
#include <string.h>

#define COARSE      0
#define FINE        1
#define ALL         2
#define ALL_KERNELS 3
#define SMS_MAX     64
#define LONG_S      0.020 /* requests above get the least number of samples */

static const char *const part_names[] = {
    [COARSE] = "coarse", [FINE] = "fine", [ALL] = "all", [ALL_KERNELS] = "all-kernels"};

/* --- which SM counts --- */

/* Powers of two and the halves between, from 16 up, and the whole. */
static bool is_coarse(int count, int sms)
{
    return count == sms || count == 16 || (count >= 32 && count <= 64 && count % 16 == 0) ||
           (count > 64 && count % 32 == 0);
}

/* Descending: the whole device first, whose times say how long the others take. */
static int sm_counts_of(int part, int sms, int *counts)
{
    int all[SMS_MAX], n = cal_sm_counts(sms, all, SMS_MAX), kept = 0;
    for (int i = n - 1; i >= 0; i--)
        if (part >= ALL || is_coarse(all[i], sms) == (part == COARSE))
            counts[kept++] = all[i];
    return kept;
}

static bool has_kernels(int part, size_t index)
{
    return part != FINE && cal_size_has_kernels(index);
}

/* --- plan --- */

/* As run_step() below does it: samples of requests and of kernels by the time of one. */
static double estimate(const struct cal_session *s, const struct cal_app *app, int64_t size,
                       size_t index, int part)
{
    double whole = cal_request_seconds(s, app, size), total = 0.05;
    bool kernels = has_kernels(part, index);
    int counts[SMS_MAX], n = sm_counts_of(part, s->sms, counts);
    for (int i = 0; i < n; i++) {
        double one = whole * s->sms / counts[i];
        total += 0.004 + one * (kernels && is_coarse(counts[i], s->sms) ? 7 : 4);
    }
    return total;
}

static void add_step(const struct cal_session *s, struct cal_steps *steps,
                     const struct cal_app *app, int64_t size, size_t index, int part)
{
    struct cal_step *step = cal_steps_add(steps, &cal_measure_solo, "solo/%s/%lld/%s", app->name,
                                          (long long)size, part_names[part]);
    step->app = app;
    step->app_name = app->name;
    step->size = size;
    step->other_size = size != app->size_default;
    step->item[0] = part;
    step->item[1] = index;
    step->seconds = estimate(s, app, size, index, part);
}

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    size_t apps = 0, most = 0;
    while (cal_apps[apps] != NULL)
        apps++;
    int64_t **sizes = dcs_alloc(apps, sizeof *sizes);
    size_t *counts = dcs_alloc(apps, sizeof *counts);
    for (size_t a = 0; a < apps; a++) {
        counts[a] = cal_app_sizes(cal_apps[a], &sizes[a]);
        if (counts[a] > most)
            most = counts[a];
    }
    for (int part = COARSE; part <= FINE; part++)
        for (size_t a = 0; a < apps; a++)
            add_step(s, steps, cal_apps[a], sizes[a][0], 0, part);
    /* The ends have a name of their own: in profiles that were begun before, such a size is done
     * as "all", without its kernels. */
    for (size_t i = 1; i < most; i++)
        for (size_t a = 0; a < apps; a++)
            if (i < counts[a])
                add_step(s, steps, cal_apps[a], sizes[a][i], i,
                         i < CAL_KERNEL_ENDS ? ALL_KERNELS : ALL);
    for (size_t a = 0; a < apps; a++)
        free(sizes[a]);
    free(sizes);
    free(counts);
}

/* --- sampling --- */

struct taking {
    struct cal_gpu *gpu;
    struct cal_work *work;
    cudaStream_t stream;
    struct cal_samples *sets;
    int64_t *ns;
    size_t turn;
};

static int take_request(void *context, struct dcs_err *err)
{
    struct taking *t = context;
    struct cal_clock_mark mark = cal_gpu_clock_begin(t->gpu);
    int clock_mhz;
    bool throttled;
    if (cal_work_time_request(t->gpu, t->work, t->stream, t->ns, err) != 0)
        return -1;
    cal_gpu_clock_end(t->gpu, mark, &clock_mhz, &throttled);
    cal_samples_add(t->sets, t->ns[0], clock_mhz, throttled);
    return 0;
}

static int take_kernels(void *context, struct dcs_err *err)
{
    struct taking *t = context;
    struct cal_clock_mark mark = cal_gpu_clock_begin(t->gpu);
    int clock_mhz;
    bool throttled;
    if (cal_work_time_kernels(t->gpu, t->work, t->stream, t->turn++, t->ns, err) != 0)
        return -1;
    cal_gpu_clock_end(t->gpu, mark, &clock_mhz, &throttled);
    for (size_t k = 0; k < t->work->shapes_count; k++)
        cal_samples_add(&t->sets[k], t->ns[k], clock_mhz, throttled);
    return 0;
}

static struct cal_rule rule_for(double seconds)
{
    struct cal_rule rule = {
        .warmups = 2, .min_count = 5, .max_count = 50, .max_seconds = 0.02, .rse = 0.01};
    if (seconds > 0.001) {
        rule.warmups = 0; /* a request that is not kept has just run */
        rule.min_count = 3;
        rule.max_count = 20;
        rule.max_seconds = 0.05;
    }
    if (seconds > LONG_S) {
        rule.min_count = rule.max_count = 3;
    }
    rule.max_throttled = 2 * rule.max_count;
    return rule;
}

/* --- one partition --- */

static int store_request(struct cal_session *s, const struct cal_work *w,
                         const struct cal_partition *p, const struct cal_statistics *v,
                         struct dcs_err *err)
{
    return cal_store_put(s->store, err, "request_solo", "titis", w->app->name, w->size,
                         p->mechanism, (int64_t)p->sms, v);
}

static int store_kernels(struct cal_session *s, const struct cal_work *w,
                         const struct cal_partition *p, const struct taking *t,
                         const enum cal_stop *stops, struct dcs_err *err)
{
    for (size_t k = 0; k < w->shapes_count; k++) {
        struct cal_statistics v;
        if (cal_samples_statistics(&t->sets[k], stops[k], "warm", &v, err) != 0 ||
            cal_store_put(s->store, err, "kernel_solo", "tittis", w->app->name, w->size,
                          w->plan.kernels[w->shapes[k].first].shape, p->mechanism, (int64_t)p->sms,
                          &v) != 0)
            return -1;
    }
    return 0;
}

static int measure_requests(struct cal_session *s, struct cal_work *w,
                            const struct cal_partition *p, double expected, double *seconds,
                            struct dcs_err *err)
{
    struct cal_samples set = {0};
    enum cal_stop stop;
    int64_t ns = 0;
    struct taking t = {.gpu = s->gpu, .work = w, .stream = p->stream, .sets = &set, .ns = &ns};
    struct cal_sampling sampling = {take_request, cal_seconds, &t, &set, &stop, 1};
    /* The first one on a partition loads what the driver loads late; it is never kept. */
    int failed = expected <= LONG_S ? take_request(&t, err) : 0;
    struct cal_rule rule = rule_for(expected > LONG_S ? expected : (double)ns * 1e-9);
    struct cal_statistics v;
    if (!failed)
        failed = cal_sample(&sampling, &rule, err) != 0 ||
                 cal_samples_statistics(&set, stop, "warm", &v, err) != 0 ||
                 store_request(s, w, p, &v, err) != 0;
    if (!failed)
        *seconds = (double)v.median_ns * 1e-9;
    cal_samples_release(&set);
    return failed ? -1 : 0;
}

static int measure_kernels(struct cal_session *s, struct cal_work *w, const struct cal_partition *p,
                           double seconds, struct dcs_err *err)
{
    size_t n = w->shapes_count;
    struct taking t = {.gpu = s->gpu,
                       .work = w,
                       .stream = p->stream,
                       .sets = dcs_alloc(n, sizeof *t.sets),
                       .ns = dcs_alloc(n, sizeof *t.ns)};
    enum cal_stop *stops = dcs_alloc(n, sizeof *stops);
    struct cal_sampling sampling = {take_kernels, cal_seconds, &t, t.sets, stops, n};
    struct cal_rule rule = rule_for(seconds);
    if (rule.warmups > 1)
        rule.warmups = 1; /* requests have just run */
    int failed =
        cal_sample(&sampling, &rule, err) != 0 || store_kernels(s, w, p, &t, stops, err) != 0;
    for (size_t k = 0; k < n; k++)
        cal_samples_release(&t.sets[k]);
    free(t.sets);
    free(t.ns);
    free(stops);
    return failed ? -1 : 0;
}

/* --- what is known without running --- */

static int store_plan(struct cal_session *s, const struct cal_work *w, struct dcs_err *err)
{
    const struct cal_app *a = w->app;
    if (cal_store_put(s->store, err, "subject", "ttttiii", a->name, a->papers, a->algorithm,
                      a->size_unit, a->size_min, a->size_max, a->size_default) != 0)
        return -1;
    for (size_t i = 0; i < w->plan.kernels_count; i++)
        if (cal_store_put(s->store, err, "request_kernel", "tiitt", a->name, w->size, (int64_t)i,
                          w->plan.kernels[i].name, w->plan.kernels[i].shape) != 0)
            return -1;
    for (size_t k = 0; k < w->shapes_count; k++)
        if (cal_shape_store(s, w, k, err) != 0)
            return -1;
    if (w->size != a->size_default)
        return 0;
    const char *source = "measured by dcsim-calibrate; SLA as in the paper";
    if (a->role == CAL_SERVICE && a->sla_ns > 0)
        return cal_store_put(s->store, err, "application", "ttiit", a->name, "latency", a->sla_ns,
                             w->memory_bytes, source);
    return cal_store_put(s->store, err, "application", "ttnit", a->name,
                         a->role == CAL_SERVICE ? "latency" : "batch", w->memory_bytes,
                         "measured by dcsim-calibrate");
}

/* --- a step --- */

static int measure_partition(struct cal_session *s, struct cal_work *w, int sms, bool kernels,
                             double *whole_seconds, struct dcs_err *err)
{
    const struct cal_partition *p = cal_gpu_partition(s->gpu, sms, err);
    if (p == NULL || cal_work_plan(s->gpu, w, sms, err) != 0)
        return -1;
    double seconds = 0;
    if (measure_requests(s, w, p, *whole_seconds * s->sms / sms, &seconds, err) != 0)
        return -1;
    if (sms == s->sms)
        *whole_seconds = seconds;
    if (!kernels)
        return 0;
    return measure_kernels(s, w, p, seconds, err);
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct cal_work w;
    int part = (int)step->item[0], counts[SMS_MAX], n = sm_counts_of(part, s->sms, counts);
    bool kernels = has_kernels(part, (size_t)step->item[1]);
    if (cal_gpu_wake(s->gpu, err) != 0 ||
        cal_work_open(s->gpu, step->app, step->size, s->seed, &w, err) != 0)
        return -1;
    int64_t first_ns;
    /* A first request that is not kept: kernels are loaded, caches filled. */
    int failed = cal_work_time_request(s->gpu, &w, s->gpu->cached[0].stream, &first_ns, err);
    double whole_seconds = failed ? 0 : (double)first_ns * 1e-9;
    if (!failed && part != FINE)
        failed = store_plan(s, &w, err);
    for (int i = 0; i < n && !failed; i++) {
        if (!s->gpu->green && counts[i] != s->sms)
            continue;
        failed = measure_partition(s, &w, counts[i], kernels && is_coarse(counts[i], s->sms),
                                   &whole_seconds, err);
    }
    cal_work_close(s->gpu, &w);
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_solo = {
    .name = "solo",
    .help = "requests and kernels alone, by size and number of SMs",
    .plan = plan,
    .run = run_step,
};
