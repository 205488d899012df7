/* metrics.c - see metrics.h. */
#include "runs/metrics.h"

#include "des/fmath.h"
#include "des/survival.h"
#include "runs/fairness.h"
#include "runs/gang_metrics.h"
#include "runs/uncertainty.h"
#include "runs/unfinished.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_metric(struct run *run, size_t *capacity, uint32_t app, const char *name,
                       const char *unit, double value, uint64_t n)
{
    run->metrics = dcs_grow(run->metrics, capacity, run->metrics_count + 1, sizeof *run->metrics);
    run->metrics[run->metrics_count++] =
        (struct metric){.name = name, .unit = unit, .app = app, .value = value, .n = n};
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

const struct metrics_quantile metrics_quantiles[METRICS_QUANTILES] = {
    {"response_p50", 0.5}, {"response_p95", 0.95}, {"response_p99", 0.99}};

static double request_work_ns(const struct experiment *x, const struct dcs_app *form, uint64_t n)
{
    double sum = 0;
    for (uint32_t kind = 0; kind < x->kinds; kind++)
        sum += (double)form->total_ns[kind] * (double)x->kind[kind].devices;
    return (double)n * sum / (double)x->devices_count;
}

/* Device time that the completed requests of each application take alone on a whole device, of the
 * cluster's kinds in the mean. NaN where devices share requests: a CPU and a GPU take each another
 * time, and neither is the whole. The caller frees it. */
static double *solo_work_ns(const struct experiment *x, const struct cluster_result *r)
{
    double *work_ns = dcs_alloc(x->apps_count, sizeof *work_ns);
    uint64_t *completions = dcs_alloc(x->apps_count, sizeof *completions); /* of the default size */
    for (uint32_t app = 0; app < x->apps_count; app++)
        completions[app] = r->apps[app].completions;
    for (uint32_t i = 0; i < x->sized_count; i++) {
        const struct dcs_app *sized = &x->apps[x->apps_count + i];
        uint32_t app = experiment_app(x, sized->name);
        work_ns[app] += request_work_ns(x, sized, r->sized[i].completions);
        completions[app] -= r->sized[i].completions;
    }
    for (uint32_t app = 0; app < x->apps_count; app++)
        work_ns[app] = x->device_kind->divides
                           ? (double)NAN
                           : work_ns[app] + request_work_ns(x, &x->apps[app], completions[app]);
    free(completions);
    return work_ns;
}

/* What is reported of one application, or of all applications of a class together. */
static void add_requests(struct run *run, size_t *capacity, uint32_t app,
                         const struct cluster_app_result *a, double solo_ns, bool spatial)
{
    const struct cluster_result *r = &run->result;
    double window_ns = (double)(r->to_ns - r->from_ns);
    double window_s = window_ns * 1e-9;
    const struct dcs_hist *h = a->response;
    uint64_t n = h != NULL ? h->count : 0;
    add_metric(run, capacity, app, "requests", "requests", (double)a->arrived, a->arrived);
    add_metric(run, capacity, app, "done", "requests", (double)a->done, a->arrived);
    add_metric(run, capacity, app, "dropped", "requests", (double)a->dropped, a->arrived);
    add_metric(run, capacity, app, "inside", "requests", (double)a->inside, a->arrived);
    add_metric(run, capacity, app, "sla_decided", "requests", (double)a->decided, a->decided);
    add_metric(run, capacity, app, "sla_violations", "requests", (double)(a->decided - a->met),
               a->decided);
    add_metric(run, capacity, app, "sla_met", "1", ratio((double)a->met, (double)a->decided),
               a->decided);
    add_metric(run, capacity, app, "response_mean", "ns", n > 0 ? dcs_hist_mean(h) : NAN, n);
    double beyond;
    for (size_t i = 0; i < METRICS_QUANTILES; i++)
        add_metric(run, capacity, app, metrics_quantiles[i].name, "ns",
                   dcs_survival_hist_quantile(h, a->cut, metrics_quantiles[i].q, &beyond), n);
    add_metric(run, capacity, app, "response_max", "ns", n > 0 ? (double)h->max : NAN, n);
    add_metric(run, capacity, app, "completions", "requests", (double)a->completions,
               a->completions);
    add_metric(run, capacity, app, "throughput", "1/s", ratio((double)a->completions, window_s),
               a->completions);
    add_metric(run, capacity, app, "normalised_throughput", "1",
               ratio(solo_ns, window_ns * (double)r->devices_count), a->completions);
    add_metric(run, capacity, app, "revocations", "1", (double)a->revocations, a->arrived);
    if (!spatial)
        return;
    add_metric(run, capacity, app, "quota_switches", "1", ratio((double)a->switches, (double)n), n);
    add_metric(run, capacity, app, "quota_switch_share", "1",
               ratio((double)a->switch_ns, n > 0 ? dcs_hist_mean(h) * (double)n : 0), n);
}

static void merge_hist(struct dcs_hist **into, const struct dcs_hist *from)
{
    if (from == NULL)
        return;
    if (*into == NULL) {
        *into = dcs_alloc(1, sizeof **into);
        dcs_hist_init(*into);
    }
    dcs_hist_merge(*into, from);
}

/* The sum over a class; its histograms are the caller's to free. */
static struct cluster_app_result sum_class(const struct experiment *x,
                                           const struct cluster_result *r, enum dcs_class class)
{
    struct cluster_app_result sum = {0};
    for (uint32_t i = 0; i < x->apps_count; i++) {
        const struct cluster_app_result *a = &r->apps[i];
        if (x->apps[i].class != class)
            continue;
        sum.arrived += a->arrived;
        sum.done += a->done;
        sum.dropped += a->dropped;
        sum.inside += a->inside;
        sum.decided += a->decided;
        sum.met += a->met;
        sum.completions += a->completions;
        sum.revocations += a->revocations;
        sum.switches += a->switches;
        sum.switch_ns = dcs_add_times(sum.switch_ns, a->switch_ns);
        merge_hist(&sum.response, a->response);
        merge_hist(&sum.cut, a->cut);
    }
    return sum;
}

/* It ended, or the end of the run or of the trace cut it off; not if all its requests were dropped,
 * or it has no end. */
static bool was_cut(const struct cluster_job_row *job)
{
    return job->finite && job->end_ns == DCS_NEVER &&
           (job->issued < job->requests || job->completed + job->dropped < job->issued);
}

/* How long jobs of a class took, or had taken when they were cut off. The caller frees it. */
struct job_times {
    struct dcs_lifetime *all;
    size_t count, ended, cut, begun;
};

static void count_jobs(const struct experiment *x, const struct cluster_result *r,
                       enum dcs_class class, struct job_times *t)
{
    for (size_t i = 0; i < r->jobs_count; i++) {
        const struct cluster_job_row *job = &r->jobs[i];
        if (x->apps[job->app].class != class)
            continue;
        t->begun += job->finite || job->end_ns != DCS_NEVER;
        t->ended += job->end_ns != DCS_NEVER;
        t->cut += was_cut(job);
    }
}

/* What is cut off with the trace is cut off there for all: jobs that had issued their last request
 * by then, and ended later, would stand for those that had not. */
static struct job_times read_job_times(const struct experiment *x, const struct cluster_result *r,
                                       enum dcs_class class)
{
    struct job_times t = {.all = dcs_alloc(r->jobs_count + 1, sizeof *t.all)};
    count_jobs(x, r, class, &t);
    for (size_t i = 0; i < r->jobs_count; i++) {
        const struct cluster_job_row *job = &r->jobs[i];
        bool ended = job->end_ns != DCS_NEVER;
        if (x->apps[job->app].class != class || (!ended && !was_cut(job)))
            continue;
        int64_t stop_ns = t.cut > 0 && job->until_ns != 0 ? job->until_ns : DCS_NEVER;
        int64_t to_ns = ended ? job->end_ns : r->to_ns;
        bool cut = !ended || to_ns > stop_ns;
        to_ns = to_ns < stop_ns ? to_ns : stop_ns;
        t.all[t.count++] =
            (struct dcs_lifetime){.time = (double)(to_ns - job->begin_ns), .cut = cut};
    }
    return t;
}

/* Figure 9 of TReM, by Kaplan and Meier. */
static void add_jobs(const struct experiment *x, struct run *run, size_t *capacity,
                     enum dcs_class class)
{
    static const struct metrics_quantile quantiles[] = {
        {"job_time_p50", 0.5}, {"job_time_p90", 0.9}, {"job_time_p99", 0.99}};
    struct job_times t = read_job_times(x, &run->result, class);
    uint32_t app = METRIC_CLASS + class;
    double beyond;
    add_metric(run, capacity, app, "jobs", "jobs", (double)t.ended, t.begun);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        add_metric(run, capacity, app, quantiles[i].name, "ns",
                   dcs_survival_quantile(t.all, t.count, quantiles[i].q, &beyond), t.ended);
    free(t.all);
}

/* Behind all others, since a metric's place is part of its bootstrap. */
static void add_cut_jobs(const struct experiment *x, struct run *run, size_t *capacity,
                         enum dcs_class class)
{
    struct job_times t = read_job_times(x, &run->result, class);
    double longest = (double)NAN;
    for (size_t i = 0; i < t.count; i++)
        longest = fmax(longest, t.all[i].time);
    add_metric(run, capacity, METRIC_CLASS + class, "jobs_cut", "jobs", (double)t.cut, t.begun);
    add_metric(run, capacity, METRIC_CLASS + class, "job_time_seen", "ns", longest, t.count);
    free(t.all);
}

/* Whether it is known of all kernels which cores they use. */
static bool knows_cores(const struct experiment *x)
{
    for (uint32_t i = 0; i < x->apps_count + x->sized_count; i++) {
        const struct dcs_app *app = &x->apps[i];
        for (uint32_t k = 0; k < x->kinds * app->kernels; k++) {
            if (app->shapes == NULL)
                return false;
            const struct dcs_shape *s = &x->kind[k / app->kernels].spatial->shapes[app->shapes[k]];
            if (s->kind == DCS_SHAPE_COMPUTE && s->cores == DCS_CORES_UNKNOWN)
                return false;
        }
    }
    return true;
}

static void add_cores(const struct experiment *x, struct run *run, size_t *capacity)
{
    const struct cluster_result *r = &run->result;
    double ns = (double)(r->to_ns - r->from_ns) * (double)r->devices_count;
    double of = knows_cores(x) ? ns : 0;
    uint64_t n = r->devices_count;
    add_metric(run, capacity, METRIC_ALL, "tensor_active", "1",
               ratio((double)r->shared.tensor_ns, of), n);
    add_metric(run, capacity, METRIC_ALL, "cuda_active", "1", ratio((double)r->shared.cuda_ns, of),
               n);
    add_metric(run, capacity, METRIC_ALL, "both_active", "1", ratio((double)r->shared.both_ns, of),
               n);
}

/* Whether kernels are slowed by the model, not by a GPU that really runs, and it is known of any
 * how far measurements of that reach. */
static bool knows_range(const struct experiment *x)
{
    for (uint32_t i = 0; x->device_kind->count_all != NULL && i < x->apps_count + x->sized_count;
         i++) {
        const struct dcs_app *app = &x->apps[i];
        for (uint32_t k = 0; app->shapes != NULL && k < x->kinds * app->kernels; k++)
            if (dcs_shape_has_range(x->kind[k / app->kernels].spatial, app->shapes[k]))
                return true;
    }
    return false;
}

/* Behind all others, as add_cut_jobs(). */
static void add_beyond(const struct experiment *x, struct run *run, size_t *capacity)
{
    const struct cluster_result *r = &run->result;
    add_metric(run, capacity, METRIC_ALL, "contention_beyond", "1",
               ratio(r->shared.beyond_ns, knows_range(x) ? r->shared.kernel_ns : 0),
               r->devices_count);
}

static void add_fusion(struct run *run, size_t *capacity)
{
    const struct cluster_fusion *f = &run->result.fusion;
    add_metric(run, capacity, METRIC_ALL, "fused_launches", "1", (double)f->launches, f->launches);
    add_metric(run, capacity, METRIC_ALL, "fused_share", "1",
               ratio(2 * (double)f->launches, (double)run->result.launches), run->result.launches);
    add_metric(run, capacity, METRIC_ALL, "fused_saved", "1", 1 - ratio(f->fused_ns, f->alone_ns),
               f->completed);
    add_metric(run, capacity, METRIC_ALL, "fused_beyond", "1",
               ratio((double)f->beyond, (double)f->completed), f->completed);
    add_metric(run, capacity, METRIC_ALL, "fused_error", "1", ratio(f->error, (double)f->completed),
               f->completed);
    add_metric(run, capacity, METRIC_ALL, "fused_error_max", "1",
               f->completed > 0 ? f->error_max : NAN, f->completed);
    add_metric(run, capacity, METRIC_ALL, "fused_learned", "1", (double)f->learned, f->completed);
    add_metric(run, capacity, METRIC_ALL, "fusion_asked", "1", (double)f->asked, f->asked);
    add_metric(run, capacity, METRIC_ALL, "fusion_oversized", "1", (double)f->oversized, f->asked);
}

static void add_usage(struct run *run, size_t *capacity, bool shared)
{
    const struct cluster_result *r = &run->result;
    double busy = 0, useful = 0, lost = 0, overhead = 0;
    for (uint32_t i = 0; i < r->devices_count; i++) {
        busy += (double)r->devices[i].busy_ns;
        useful += (double)r->devices[i].useful_ns;
        lost += (double)r->devices[i].lost_ns;
        overhead += (double)r->devices[i].overhead_ns;
    }
    double capacity_ns = (double)(r->to_ns - r->from_ns) * (double)r->devices_count;
    uint64_t n = r->devices_count;
    add_metric(run, capacity, METRIC_ALL, "utilisation", "1", ratio(busy, capacity_ns), n);
    add_metric(run, capacity, METRIC_ALL, "useful", "1", ratio(useful, capacity_ns), n);
    add_metric(run, capacity, METRIC_ALL, "lost", "1", ratio(lost, capacity_ns), n);
    add_metric(run, capacity, METRIC_ALL, "overhead", "1", ratio(overhead, capacity_ns), n);
    add_metric(run, capacity, METRIC_ALL, "lost_over_useful", "1", ratio(lost, useful), n);
    add_metric(run, capacity, METRIC_ALL, "window", "ns", (double)(r->to_ns - r->from_ns), 1);
    add_metric(run, capacity, METRIC_ALL, "mean_in_system", "requests", r->mean_in_system, 1);
    add_metric(run, capacity, METRIC_ALL, "revocations", "1", (double)r->revocations, r->launches);
    add_metric(run, capacity, METRIC_ALL, "launches", "1", (double)r->launches, r->launches);
    add_metric(run, capacity, METRIC_ALL, "returned", "1", (double)r->returned, r->requests);
    add_metric(run, capacity, METRIC_ALL, "requests", "requests", (double)r->requests, r->requests);
    add_metric(run, capacity, METRIC_ALL, "stranded", "requests", (double)r->left_waiting,
               r->requests);
    add_metric(run, capacity, METRIC_ALL, "events", "1", (double)r->events, 1);
    if (!shared)
        return;
    double window_ns = (double)(r->to_ns - r->from_ns);
    add_metric(run, capacity, METRIC_ALL, "sm_utilisation", "1",
               ratio(r->shared.sm_ns, window_ns * r->shared_sms), n);
    add_metric(run, capacity, METRIC_ALL, "kernels_together", "1",
               ratio(r->shared.kernel_ns, capacity_ns), n);
    add_metric(run, capacity, METRIC_ALL, "contention_share", "1",
               ratio(r->shared.slowed_ns, r->shared.kernel_ns), n);
}

/* Work that came and was not done, ns of a device. */
struct left_work {
    double came, left, behind, issued, unissued;
};

/* sized: those of the requests that are not of the default size. */
static void add_left(struct left_work *to, const struct cluster_app_result *a,
                     const struct left_work *sized, const struct unfinished *u, double request_ns)
{
    if (u->endless)
        return;
    to->came += request_ns * ((double)a->arrived + u->behind) + sized->came + u->behind_more_ns;
    to->left +=
        request_ns * ((double)(a->arrived - a->done) + u->behind) + sized->left + u->behind_more_ns;
    to->behind += u->behind;
    to->issued += request_ns * u->issued + u->issued_more_ns;
    to->unissued += request_ns * u->unissued + u->unissued_more_ns;
}

/* What a request of each form takes. The caller frees it. */
static double *make_form_ns(const struct experiment *x)
{
    uint32_t forms = x->apps_count + x->sized_count;
    double *form_ns = dcs_alloc(forms, sizeof *form_ns);
    for (uint32_t i = 0; i < forms; i++)
        form_ns[i] = request_work_ns(x, &x->apps[i], 1);
    return form_ns;
}

/* What came and was left of an application's requests that are not of the default size, more than
 * as many of that. */
static struct left_work find_sized(const struct experiment *x, const struct cluster_result *r,
                                   uint32_t app, const double *form_ns)
{
    struct left_work more = {0};
    for (uint32_t i = 0; i < x->sized_count; i++) {
        double ns = form_ns[x->apps_count + i] - form_ns[app];
        if (experiment_app(x, x->apps[x->apps_count + i].name) != app)
            continue;
        more.came += ns * (double)r->sized[i].arrived;
        more.left += ns * (double)(r->sized[i].arrived - r->sized[i].done);
    }
    return more;
}

static void add_unfinished(struct run *run, size_t *capacity, uint32_t app,
                           const struct left_work *w, uint64_t arrived)
{
    if (app != METRIC_ALL)
        add_metric(run, capacity, app, "behind", "requests", w->behind, arrived);
    add_metric(run, capacity, app, "unfinished", "1", ratio(w->left, w->came), arrived);
    if (app == METRIC_ALL)
        add_metric(run, capacity, app, "unissued", "1", ratio(w->unissued, w->issued + w->unissued),
                   run->result.jobs_count);
}

/* What was not done, each request at its own size, of the whole run, of each class and of each
 * application; and what the jobs of replays offer to the devices. */
static void add_work(const struct experiment *x, struct run *run, size_t *capacity)
{
    const struct cluster_result *r = &run->result;
    struct left_work all = {0}, classes[2] = {{0}};
    uint64_t arrived[2] = {0};
    double *form_ns = make_form_ns(x);
    struct unfinished *list = unfinished_list(r, x->apps_count, form_ns);
    for (uint32_t i = 0; i < x->apps_count; i++) {
        const struct unfinished u = list[i];
        struct left_work of_app = {0}, sized = find_sized(x, r, i, form_ns);
        add_left(&of_app, &r->apps[i], &sized, &u, form_ns[i]);
        add_left(&all, &r->apps[i], &sized, &u, form_ns[i]);
        add_left(&classes[x->apps[i].class], &r->apps[i], &sized, &u, form_ns[i]);
        arrived[x->apps[i].class] += r->apps[i].arrived;
        add_unfinished(run, capacity, i, &of_app, r->apps[i].arrived);
    }
    free(list);
    free(form_ns);
    for (enum dcs_class class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
        add_unfinished(run, capacity, METRIC_CLASS + class, &classes[class], arrived[class]);
        add_cut_jobs(x, run, capacity, class);
    }
    add_unfinished(run, capacity, METRIC_ALL, &all, arrived[0] + arrived[1]);
    double offered = run->replay != NULL ? 0 : (double)NAN;
    for (size_t i = 0; i < experiment_replays(x) && run->replay != NULL; i++)
        offered += run->replay[i].offered;
    if (experiment_replays(x) > 0)
        add_metric(run, capacity, METRIC_ALL, "offered_by_jobs", "1", offered, r->jobs_count);
}

/* The worst of the applications of a class. */
static double worst_violation(const struct experiment *x, const double *violation,
                              enum dcs_class class)
{
    double worst = (double)NAN;
    for (uint32_t i = 0; i < x->apps_count; i++)
        if (x->apps[i].class == class)
            worst = fmax(worst, violation[i]); /* NaN is passed over */
    return worst;
}

static void add_progress(struct run *run, size_t *capacity, uint32_t app,
                         const struct fairness_app *apps, uint32_t count)
{
    uint64_t present = 0;
    for (uint32_t i = 0; i < count; i++)
        present += apps[i].present;
    add_metric(run, capacity, app, "aggregated_performance", "1", fairness_progress(apps, count),
               present);
    if (app == METRIC_ALL)
        add_metric(run, capacity, app, "unfairness", "1", fairness_unfairness(apps, count),
                   present);
}

/* Where the config asks for it. */
static void add_fairness(const struct experiment *x, struct run *run, size_t *capacity)
{
    uint32_t count = x->apps_count;
    struct fairness_app *apps = dcs_alloc(count, sizeof *apps);
    struct fairness_app *of_class = dcs_alloc(count, sizeof *of_class);
    double *violation = dcs_alloc(count, sizeof *violation);
    for (uint32_t i = 0; i < count; i++) {
        const struct cluster_app_result *a = &run->result.apps[i];
        double spent_ns = a->response != NULL ? (double)a->response->sum : 0;
        apps[i] = (struct fairness_app){.present = a->arrived > 0,
                                        .slowdown = ratio(spent_ns, (double)a->alone_ns),
                                        .weight = x->app_weight[i]};
        violation[i] = fairness_violation((double)a->allowed_ns, (double)a->spent_ns);
        add_metric(run, capacity, i, "slowdown", "1", apps[i].slowdown, a->done);
        add_metric(run, capacity, i, "qos_violation", "1", violation[i], a->done);
    }
    for (enum dcs_class class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
        for (uint32_t i = 0; i < count; i++) {
            of_class[i] = apps[i];
            of_class[i].present = apps[i].present && x->apps[i].class == class;
        }
        add_progress(run, capacity, METRIC_CLASS + class, of_class, count);
        add_metric(run, capacity, METRIC_CLASS + class, "qos_violation", "1",
                   worst_violation(x, violation, class), 1);
    }
    add_progress(run, capacity, METRIC_ALL, apps, count);
    free(violation);
    free(of_class);
    free(apps);
}

void metrics_compute(const struct experiment *x, struct run *run)
{
    const struct cluster_result *r = &run->result;
    size_t capacity = 0;
    double *work_ns = solo_work_ns(x, r);
    add_usage(run, &capacity, x->device_kind->shares);
    if (x->device_kind->allots_sms)
        add_cores(x, run, &capacity);
    for (uint32_t kind = 0; x->device_kind->fuses && kind < x->kinds; kind++)
        if (x->kind[kind].spatial->fusion != NULL) {
            add_fusion(run, &capacity);
            break;
        }
    for (enum dcs_class class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
        struct cluster_app_result sum = sum_class(x, r, class);
        double solo_ns = 0;
        for (uint32_t i = 0; i < x->apps_count; i++)
            solo_ns += x->apps[i].class == class ? work_ns[i] : 0;
        add_requests(run, &capacity, METRIC_CLASS + class, &sum, solo_ns,
                     x->device_kind->allots_sms);
        free(sum.response);
        free(sum.cut);
        add_jobs(x, run, &capacity, class);
    }
    for (uint32_t i = 0; i < x->apps_count; i++)
        add_requests(run, &capacity, i, &r->apps[i], work_ns[i], x->device_kind->allots_sms);
    add_work(x, run, &capacity);
    if (x->config->fairness.metrics)
        add_fairness(x, run, &capacity);
    if (x->device_kind->shares)
        add_beyond(x, run, &capacity);
    free(work_ns);
}

struct run metrics_of_nothing(const struct experiment *x)
{
    struct run run = {0};
    cluster_result_begin(&run.result, x->apps_count, x->sized_count);
    if (x->gangs != NULL)
        gang_metrics(x, &x->gangs->spec, NULL, &run);
    else
        metrics_compute(x, &run);
    return run;
}
