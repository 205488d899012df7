/*
 * measure_sensitivity_requests.c - what pressure does to the kernels of a request, all of them,
 * each where it stands in its request.
 *
 * A step is the requests of one application in one split of the device. They run alone on its
 * partition, then beside the producers of the four main families at four to six levels, on the
 * partition that is left; of kernels that are equal each request times the next one
 * (cal_work_time_kernels). So there is a time beside each producer also of kernels that cannot be
 * launched alone again and again, that are short, and that consist of many launches: those that
 * `sensitivity` passes over. What it says of the others can differ, for here a kernel finds in L2
 * what the kernels before it left there. Kernels that take little of their request are left out.
 *
 * How much a kernel slows the producer is not told: a request has many kernels.
 */
#include "calibrate/measure/beside_producer.h"

#include <stdlib.h>

#define SPLITS       3 /* of CAL_SPLITS: half, a quarter and three quarters of the SMs */
#define PART_MIN     0.005
#define REQUESTS_MIN 2
#define REQUESTS_MAX 20
#define WINDOW_S     0.020

/* Every third level, and of streams those near the ceiling, where queues grow most. */
static bool presses(int family, int level)
{
    enum cal_pressed what = cal_producer_families[family].presses;
    bool streams = what == CAL_PRESSES_DRAM || what == CAL_PRESSES_L2;
    return cal_is_main_family(family) && (cal_is_coarse(level) || (streams && level > 8));
}

static double estimate(const struct cal_session *s, const struct cal_app *app, int sms)
{
    double request_s = cal_request_seconds(s, app, app->size_default) * s->sms / sms;
    double one = (REQUESTS_MIN + 1) * request_s, seconds = one > WINDOW_S ? one : WINDOW_S;
    double sum = 0.1 + seconds;
    for (int family = 0; family < cal_producer_families_count; family++)
        for (int level = 0; level < CAL_PRODUCER_LEVELS; level++)
            if (presses(family, level))
                sum += CAL_SLOWED * seconds;
    return sum;
}

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    for (int split = 0; split < SPLITS; split++)
        for (size_t a = 0; cal_apps[a] != NULL; a++) {
            int sms = cal_split_sms(s->sms, split);
            struct cal_step *step =
                cal_steps_add(steps, &cal_measure_sensitivity_requests,
                              "sensitivity-requests/%s/%d", cal_apps[a]->name, sms);
            step->app = cal_apps[a];
            step->app_name = cal_apps[a]->name;
            step->size = cal_apps[a]->size_default;
            step->item[0] = split;
            step->seconds = estimate(s, cal_apps[a], sms);
        }
}

/* The requests of a step. By shape: ns of the last request, sets of all that count, stops, alone,
 * and the part of the request that all kernels of the shape take alone. */
struct requests {
    struct cal_gpu *gpu;
    struct cal_work *work;
    const struct cal_partition *own, *other;
    size_t turn;
    int64_t *ns;
    struct cal_samples *sets;
    enum cal_stop *stops;
    struct cal_statistics *alone;
    double *part;
};

static int take_request(void *context, struct dcs_err *err)
{
    struct requests *r = context;
    struct cal_clock_mark mark = cal_gpu_clock_begin(r->gpu);
    int clock_mhz;
    bool throttled;
    if (cal_work_time_kernels(r->gpu, r->work, r->own->stream, r->turn++, r->ns, err) != 0)
        return -1;
    cal_gpu_clock_end(r->gpu, mark, &clock_mhz, &throttled);
    for (size_t k = 0; k < r->work->shapes_count; k++)
        cal_samples_add(&r->sets[k], r->ns[k], clock_mhz, throttled);
    return 0;
}

/* The first request finds what another setting has left in L2. */
static int sample_requests(void *context, struct dcs_err *err)
{
    static const struct cal_rule rule = {.warmups = 1,
                                         .min_count = REQUESTS_MIN,
                                         .max_count = REQUESTS_MAX,
                                         .max_seconds = WINDOW_S,
                                         .rse = 0,
                                         .max_throttled = REQUESTS_MIN};
    struct requests *r = context;
    struct cal_sampling sampling = {take_request, cal_seconds, r,
                                    r->sets,      r->stops,    r->work->shapes_count};
    r->turn = 0;
    for (size_t k = 0; k < r->work->shapes_count; k++)
        cal_samples_clear(&r->sets[k]);
    return cal_sample(&sampling, &rule, err);
}

/* Alone (p: NULL) or beside the producer; again after rests if the device was throttled. */
static int sample_rested(struct requests *r, struct cal_producer *p, struct cal_pressure *made,
                         struct dcs_err *err)
{
    for (int turn = 0;; turn++) {
        if (cal_gpu_settle(r->gpu, err) != 0 ||
            (p == NULL
                 ? sample_requests(r, err)
                 : cal_beside_producer(r->gpu, r->other, p, sample_requests, r, made, err)) != 0)
            return -1;
        if (r->sets[0].count > 0)
            return 0;
        int more = cal_gpu_rest(r->gpu, turn, err);
        if (more < 0)
            return -1;
        if (more == 0)
            return dcs_err_set(err, "the device was throttled all the time");
    }
}

static int take_alone(struct requests *r, struct dcs_err *err)
{
    double sum = 0;
    size_t n = r->work->shapes_count;
    if (sample_rested(r, NULL, NULL, err) != 0)
        return -1;
    for (size_t k = 0; k < n; k++) {
        if (cal_samples_statistics(&r->sets[k], r->stops[k], "warm", &r->alone[k], err) != 0)
            return -1;
        r->part[k] = r->alone[k].mean_ns * (double)r->work->shapes[k].count;
        sum += r->part[k];
    }
    for (size_t k = 0; k < n; k++)
        r->part[k] /= sum;
    return 0;
}

static bool is_kept(const struct requests *r, size_t shape)
{
    const struct cal_kernel *k = &r->work->plan.kernels[r->work->shapes[shape].first];
    return (k->kind == CAL_COMPUTE || k->kind == CAL_LIBRARY) && r->part[shape] >= PART_MIN;
}

static int beside(struct cal_session *s, struct requests *r, int family, int level,
                  struct dcs_err *err)
{
    struct cal_producer *p = cal_kept_producer(family, level, r->other->sms, err);
    struct cal_pressure made = {0};
    if (p == NULL || sample_rested(r, p, &made, err) != 0)
        return -1;
    for (size_t k = 0; k < r->work->shapes_count; k++) {
        if (!is_kept(r, k))
            continue;
        struct cal_corun_kind kind = {
            .kind = "request", .mechanism = "green", .overlap_ns = made.ran_ns};
        struct cal_corun_row rows[2] = {
            {.application = r->work->app->name,
             .size = r->work->size,
             .kernel = r->work->plan.kernels[r->work->shapes[k].first].shape,
             .sms = r->own->sms,
             .alone = r->alone[k]}};
        if (cal_samples_statistics(&r->sets[k], r->stops[k], "warm", &rows[0].together, err) != 0)
            return -1;
        rows[1] = cal_producer_row(family, level, r->other->sms, p, &made,
                                   (int)rows[0].together.clock_mhz, &kind);
        if (cal_corun_store(s->store, &kind, rows, 2, err) != 0)
            return -1;
    }
    return 0;
}

static int measure(struct cal_session *s, struct requests *r, struct dcs_err *err)
{
    int failed = take_alone(r, err);
    for (int family = 0; family < cal_producer_families_count; family++)
        for (int level = 0; level < CAL_PRODUCER_LEVELS && !failed; level++)
            if (presses(family, level))
                failed = beside(s, r, family, level, err);
    return failed;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct cal_partition *parts;
    struct cal_work *w = cal_pool_work(s->gpu, step->app, s->seed, err);
    if (w == NULL || cal_gpu_wake(s->gpu, err) != 0 ||
        cal_pool_split(s->gpu, (int)step->item[0], &parts, err) != 0 ||
        cal_work_plan(s->gpu, w, parts[0].sms, err) != 0)
        return -1;
    size_t n = w->shapes_count;
    struct requests r = {.gpu = s->gpu,
                         .work = w,
                         .own = &parts[0],
                         .other = &parts[1],
                         .ns = dcs_alloc(n, sizeof *r.ns),
                         .sets = dcs_alloc(n, sizeof *r.sets),
                         .stops = dcs_alloc(n, sizeof *r.stops),
                         .alone = dcs_alloc(n, sizeof *r.alone),
                         .part = dcs_alloc(n, sizeof *r.part)};
    int failed = measure(s, &r, err);
    for (size_t k = 0; k < n; k++)
        cal_samples_release(&r.sets[k]);
    free(r.ns);
    free(r.sets);
    free(r.stops);
    free(r.alone);
    free(r.part);
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_sensitivity_requests = {
    .name = "sensitivity-requests",
    .help = "the kernels of whole requests beside pressure producers",
    .plan = plan,
    .run = run_step,
};
