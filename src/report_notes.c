/* report_notes.c - see report_notes.h. */
#include "report_notes.h"

#include "overload.h"
#include "report_text.h"
#include "until.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void note(const struct report_view *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(const struct report_view *r, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_paragraph(r->out, text, 2);
}

static void print_legend(const struct report_view *r)
{
    size_t runs = r->summary->runs;
    note(r,
         "Requests and quantiles: of all runs together; the rest: per run. Times: from arrival to "
         "completion.");
    if (runs == 1) {
        note(r, "One replication: no intervals.");
        return;
    }
    if (!r->x->heavy_tails) {
        note(r,
             "Means over %zu replications; ±: 95 %% Student t interval; [low, high]: the same, "
             "around "
             "a quantile of all requests.",
             runs);
        return;
    }
    note(r,
         "Medians over %zu replications%s; [low, high]: 95 %% bootstrap interval%s, around a "
         "quantile "
         "of all requests a Student t interval.",
         runs,
         r->x->config->interval == INTERVAL_MEDIAN ? "" : ", not means, since tails are heavy",
         runs < 10 ? " (covers less with fewer than 10)" : "");
}

static void print_overload(const struct report_view *r)
{
    for (uint32_t i = 0; i < r->x->apps_count; i++) {
        struct overload o;
        overload_of(r->summary, i, &o);
        struct text name = text_name(r->x->apps[i].name, 24);
        if (o.offered)
            note(r,
                 "WARNING: overloaded: the services offer %s of what all devices can do, those of "
                 "%s among them; no steady state.",
                 text_value(o.offered_load, TEXT_PERCENT).at, name.at);
        if (o.grows)
            note(r,
                 "WARNING: overloaded: the backlog of %s grew in the window by %s of the requests; "
                 "no steady state.",
                 name.at, text_estimate(&o.growth, TEXT_PERCENT, 2).at);
        if (o.inside)
            note(r,
                 "WARNING: overloaded: %s of the requests of %s were still inside at the end. The "
                 "queue grew, or the window is too short; no steady state.",
                 text_value(o.inside_share, TEXT_PERCENT).at, name.at);
        if (o.dropped)
            note(r,
                 "WARNING: overloaded: %s of the requests of %s were dropped; the response times "
                 "are those of the others.",
                 text_value(o.dropped_share, TEXT_PERCENT).at, name.at);
    }
}

/* Policies go by the class, not by the section of the workload. */
static void print_classes(const struct report_view *r)
{
    const struct experiment *x = r->x;
    const struct config_batch *batch = x->config->workload.batch.items;
    const struct config_service *services = x->config->workload.services.items;
    for (size_t i = 0; i < x->config->workload.services.count; i++)
        if (x->apps[x->services[i].app].class == DCS_BATCH)
            note(r,
                 "WARNING: class: workload.services[%zu] is of %s, an application of class batch: "
                 "policies schedule it as batch.",
                 i, text_name(services[i].application, 24).at);
    for (size_t i = 0; i < x->config->workload.batch.count; i++) {
        uint32_t app = 0;
        while (app < x->apps_count && strcmp(x->apps[app].name, batch[i].application) != 0)
            app++;
        if (app < x->apps_count && x->apps[app].class == DCS_LATENCY)
            note(r,
                 "WARNING: class: workload.batch[%zu] is of %s, an application of class latency: "
                 "policies schedule it as a service, and all its requests are counted together.",
                 i, text_name(x->apps[app].name, 24).at);
    }
}

static bool is_batch(const struct experiment *x, const char *name)
{
    const struct config_batch *batch = x->config->workload.batch.items;
    for (size_t i = 0; i < x->config->workload.batch.count; i++)
        if (strcmp(batch[i].application, name) == 0)
            return true;
    return false;
}

/* Requests came, and none was completed in the window. Those of batch clients may have come before
 * it, and then are not counted. */
static void print_unserved(const struct report_view *r)
{
    for (uint32_t i = 0; r->summary->runs > 0 && i < r->x->apps_count; i++)
        if (report_total(r, i, "completions") <= 0 &&
            (report_total(r, i, "requests") > 0 || is_batch(r->x, r->x->apps[i].name)))
            note(r, "WARNING: not served: no request of %s was completed%s.",
                 text_name(r->x->apps[i].name, 24).at,
                 r->x->config->horizon.duration_ns == 0 ? "" : " in the measured window");
}

static void print_undecided(const struct report_view *r)
{
    for (enum dcs_class class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
        uint32_t app = METRIC_CLASS + class;
        double requests = report_total(r, app, "requests"),
               decided = report_total(r, app, "sla_decided");
        double inside = report_total(r, app, "inside"), open = fmin(inside, requests - decided);
        if (decided > 0 && open > 0)
            note(
                r,
                "Undecided: %.0f of %.0f %s requests were inside at the end and not late yet; they "
                "are not in \"within SLA\".",
                open, requests, class == DCS_LATENCY ? "latency" : "batch");
    }
}

static void print_until(const struct report_view *r)
{
    struct until until;
    struct dcs_err ignored;
    if (until_open(&until, r->x, NULL, &ignored) != 0 || !until.on || r->runs->missing > 0)
        return;
    const struct config_until *c = until.config;
    bool reached = until_reached(&until, r->summary);
    bool relative = c->relative > 0;
    note(r,
         reached ? "Replications were added until half the interval of %s was at most %.4g%s."
                 : "WARNING: half the interval of %s is not at most %.4g%s, with as many "
                   "replications as until.max_replications allows.",
         c->metric, relative ? c->relative * 100 : c->half_width,
         relative ? " % of its value" : "");
}

/* What each run left out, from what it measured. */
static void print_warmup(const struct report_view *r)
{
    const struct summary *s = r->summary;
    double most = (double)r->x->config->horizon.duration_ns / 2, sum = 0;
    size_t at_most = 0;
    const struct summary_row *window = report_find(r, METRIC_ALL, "window");
    if (r->x->config->horizon.warmup_rule != WARMUP_MSER5 || window == NULL || s->runs == 0)
        return;
    for (size_t i = 0; i < s->runs; i++) {
        double cut = 2 * most - s->values[i * s->metrics_count + (size_t)(window - r->rows)];
        sum += cut;
        at_most += cut > most * (1 - 1e-6);
    }
    note(r, "Warm-up: MSER-5 on the number in the system, of each run on its own; %s in the mean.",
         text_value(sum / (double)s->runs, TEXT_TIME).at);
    if (at_most > 0)
        note(r,
             "WARNING: in %zu of %zu runs that is half of the run, the most that is cut: they are "
             "too short to tell where the warm-up ends.",
             at_most, s->runs);
}

static void print_partial(const struct report_view *r)
{
    for (uint32_t i = 0; i < r->x->kinds; i++)
        if (r->x->profiles[i]->missing != NULL)
            note(r, "WARNING: profile %s is partial: %s.", r->x->profiles[i]->name,
                 r->x->profiles[i]->missing);
    for (uint32_t i = 0; i < r->x->kinds; i++) {
        char *assumptions = experiment_assumptions(r->x, i);
        if (assumptions != NULL)
            note(r, "WARNING: of profile %s: %s.", r->x->profiles[i]->name, assumptions);
        free(assumptions);
    }
}

static void print_warnings(const struct report_view *r)
{
    print_partial(r);
    if (r->runs->missing > 0)
        note(r,
             "WARNING: interrupted: %" PRIu64 " of %" PRIu64
             " replications are missing. With --output, the same command adds them.",
             r->runs->missing, r->runs->wanted);
    if (r->x->config->predictor == PREDICTOR_CLAIRVOYANT)
        note(r, "WARNING: the predictor is clairvoyant: a bound, not something that can be built.");
    if (r->x->config->predictor >= PREDICTOR_TRAINED)
        note(r, "Predictions: %s, trained on the profile.",
             config_predictors[r->x->config->predictor]);
    if (report_total(r, METRIC_ALL, "fusion_asked") > 0 &&
        report_total(r, METRIC_ALL, "fused_launches") == 0)
        note(r,
             "WARNING: no kernels were fused: the profile has measured no launch of such kernels "
             "that saves time%s, or no request could wait for one.",
             r->x->config->fusion.decide == DCS_FUSION_OFFLINE
                 ? " where both take as long alone (fusion.decide offline)"
                 : "");
    double stranded = report_total(r, METRIC_ALL, "stranded");
    if (stranded > 0)
        note(r,
             r->x->config->horizon.duration_ns == 0
                 ? "WARNING: stranded: %.0f requests waited for something that would never come; "
                   "the policy forgot them."
                 : "WARNING: stranded: %.0f requests waited at the end although a device idled and "
                   "the policy had nothing under way; it forgot them, or does not serve them.",
             stranded);
    print_until(r);
    print_warmup(r);
    print_classes(r);
    print_unserved(r);
    print_overload(r);
    print_undecided(r);
}

/* What became of the jobs of the window. */
static void print_trace_counts(const struct report_view *r, const struct dcs_trace *t)
{
    struct table table = {0};
    struct text *header = table_row(&table);
    header[1] = text_format("jobs");
    for (size_t i = 0; i < t->counts_count; i++) {
        const struct dcs_trace_count *c = &t->counts[i];
        if (c->count == 0)
            continue;
        struct text *row = table_row(&table);
        row[0] = text_format("  %s", text_name(c->what, 76).at);
        row[1] = text_format("%" PRIu64, c->count);
    }
    table_print(r->out, &table);
    table_release(&table);
}

static void print_trace(const struct report_view *r, size_t i)
{
    const struct config_trace *traces = r->x->config->workload.trace.items;
    const struct config_replay *c = experiment_replay(r->x, i);
    fputc('\n', r->out);
    if (i < r->x->traces_count) {
        note(r, "Trace %s", traces[i].database);
        print_trace_counts(r, &r->x->traces[i]);
    } else {
        note(r, "Jobs drawn from workload.jobs[%zu]", i - r->x->traces_count);
    }
    if (r->replay == NULL)
        return;
    const struct dcs_replay_counts *n = &r->replay[i];
    note(r,
         "Replayed as %" PRIu64 " jobs, %" PRIu64 " clients, %" PRIu64
         " requests at most (the first replication); arrivals compressed by %.4g, durations by "
         "%.4g: an offered load of %.3g for %.4g s; then no client issues another request, and "
         "what was "
         "not issued by then is lost.",
         n->jobs, n->clients, n->requests, n->time_compression, c->duration_compression, n->offered,
         (double)n->span_ns / 1e9);
    if (n->without_gpu > 0)
        note(r,
             "%" PRIu64 " of the jobs ask for no GPU (CPU jobs): each is replayed as if it asked "
             "for one.",
             n->without_gpu);
    if (n->thinned > 0)
        note(r, "%" PRIu64 " jobs were left out by keep.", n->thinned);
    if (n->rounded_up > 0)
        note(r,
             "%" PRIu64
             " of the jobs are shorter than half a request and got one; the requests offer "
             "%.3g times the work of the trace.",
             n->rounded_up, n->work_ns / n->trace_work_ns);
}

#define INPUTS_SHOWN 8

/* Appends "web (uniform)" unless it has its default size, or is one too many. */
static void append_input(struct options_text *out, size_t *count, const char *name,
                         const char *input)
{
    if (strcmp(input, "default") == 0)
        return;
    if (*count < INPUTS_SHOWN)
        options_append(out, "%s%s (%s)", *count > 0 ? ", " : "", text_name(name, 24).at,
                       text_name(input, 40).at);
    ++*count;
}

static void print_inputs(const struct report_view *r)
{
    const struct config_workload *w = &r->x->config->workload;
    const struct config_service *services = w->services.items;
    const struct config_batch *batch = w->batch.items;
    struct options_text text = {0};
    size_t count = 0;
    for (size_t i = 0; i < w->services.count; i++)
        append_input(&text, &count, services[i].application, services[i].input);
    for (size_t i = 0; i < w->batch.count; i++)
        append_input(&text, &count, batch[i].application, batch[i].input);
    if (count > INPUTS_SHOWN)
        options_append(&text, " and %zu more", count - INPUTS_SHOWN);
    if (count > 0)
        note(r, "Inputs, where not of the default size: %s.", text.text);
    free(text.text);
}

void report_notes(const struct report_view *r)
{
    fputc('\n', r->out);
    if (r->summary->runs > 0)
        print_legend(r);
    print_inputs(r);
    print_warnings(r);
    for (size_t i = 0; i < r->x->traces_count + r->x->models_count; i++)
        print_trace(r, i);
}
