/* experiment_trace.c - the traces that an experiment replays, and the models that it draws jobs
 * from; see experiment.h. */
#include "experiment/experiment_parts.h"

#include "config/config_gangs.h"
#include "config/paths.h"
#include "text/buffer.h"
#include "text/number.h"
#include "traces/jobs.h"

#include <stdlib.h>
#include <string.h>

/* ---- Recorded ---- */

static void note_counts(struct dcs_trace *t, const struct trace_jobs_counts *n)
{
    const struct dcs_trace_count counts[] = {
        {"kept", (uint64_t)n->taken},
        {"left out: there when the trace began", (uint64_t)n->early},
        {"left out: ran when the trace ended", (uint64_t)n->censored},
        {"left out: failed", (uint64_t)n->failed},
        {"left out: not known to have succeeded", (uint64_t)n->unknown},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        t->counts[t->counts_count++] = counts[i];
}

static uint64_t in_window(const struct dcs_trace *t)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < t->counts_count; i++)
        sum += t->counts[i].count;
    return sum;
}

/* The place of a text of GPU models, from 1 on; 0: "". UINT32_MAX: there are too many. */
static uint32_t find_models(struct dcs_trace *t, const char *text)
{
    uint32_t i = 0;
    if (text[0] == '\0')
        return 0;
    while (i < t->models_count && strcmp(t->models[i], text) != 0)
        i++;
    if (i == DCS_TRACE_MODELS_MAX)
        return UINT32_MAX;
    if (i == t->models_count) {
        if (t->models == NULL)
            t->models = dcs_alloc(DCS_TRACE_MODELS_MAX, sizeof *t->models);
        t->models[t->models_count++] = dcs_strdup(text);
    }
    t->naming++;
    return i + 1;
}

static int keep_job(struct dcs_trace *t, const struct trace_jobs_row *row, int64_t begin_ns,
                    struct dcs_err *err)
{
    struct dcs_trace_job *job = &t->jobs[t->jobs_count++];
    *job = (struct dcs_trace_job){.arrival_ns = row->arrival_ns - begin_ns,
                                  .duration_ns = row->duration_ns,
                                  .gpus = row->gpus,
                                  .id = row->id,
                                  .class = row->class,
                                  .priority = row->priority,
                                  .models = find_models(t, row->models)};
    return job->models != UINT32_MAX
               ? 0
               : dcs_err_set(err, "its jobs name more than %d lists of GPU models",
                             DCS_TRACE_MODELS_MAX);
}

/* What a replay keeps in memory for each job is some 400 bytes. */
#define JOBS_MAX 10000000

struct job_reading {
    const struct config_trace *config;
    struct dcs_trace *to;
    bool named; /* with what the log calls them */
    size_t capacity, names;
    int64_t begin_ns;
};

static int take_job(struct job_reading *r, const struct trace_jobs_row *row, struct dcs_err *err)
{
    struct dcs_trace *t = r->to;
    if (t->jobs_count == JOBS_MAX)
        return dcs_err_set(err, "more than %d jobs; from_s and until_s choose fewer", JOBS_MAX);
    if (t->jobs_count == 0)
        r->begin_ns = row->arrival_ns;
    t->jobs = dcs_grow(t->jobs, &r->capacity, t->jobs_count + 1, sizeof *t->jobs);
    if (r->named) {
        t->names = dcs_grow(t->names, &r->names, t->jobs_count + 1, sizeof *t->names);
        t->names[t->jobs_count] = dcs_strdup(row->key);
    }
    t->several += row->gpus > 1;
    t->cut += row->censored;
    return keep_job(t, row, r->begin_ns, err);
}

/* What of a job is left at from_ns, as if it arrived then; false: nothing is. */
static bool move_to_begin(struct trace_jobs_row *row, int64_t from_ns)
{
    int64_t end_ns = dcs_add_times(row->start_ns, row->duration_ns);
    if (end_ns <= from_ns)
        return false;
    row->arrival_ns = from_ns;
    row->start_ns = row->start_ns < from_ns ? from_ns : row->start_ns;
    row->duration_ns = end_ns - row->start_ns;
    return true;
}

/* Those that arrived before from_s and are not over then. *kept: how many of them are replayed. */
static int read_earlier(struct trace_jobs *jobs, struct trace_jobs_filter filter,
                        struct job_reading *r, uint64_t *kept, struct dcs_err *err)
{
    int64_t from_ns = filter.from_ns;
    filter.until_ns = from_ns;
    filter.from_ns = 0;
    filter.skip_early = false;
    if (trace_jobs_select(jobs, &filter, err) != 0)
        return -1;
    struct trace_jobs_row row;
    int status;
    while ((status = trace_jobs_next(jobs, &row, err)) == 1) {
        bool began = row.start_ns < from_ns;
        if (!move_to_begin(&row, from_ns))
            continue;
        r->to->running += began;
        r->to->running_gpus += began ? row.gpus : 0;
        if (!r->config->early)
            continue;
        if (take_job(r, &row, err) != 0)
            return -1;
        ++*kept;
    }
    return status;
}

static int read_jobs(struct trace_jobs *jobs, struct job_reading *r, struct dcs_err *err)
{
    const struct config_trace *c = r->config;
    struct dcs_trace *t = r->to;
    const struct trace_jobs_filter filter = {
        .from_ns = c->from_ns,
        .until_ns = c->until_ns,
        .skip_early = !c->early,
        .skip_censored = !c->censored,
        .skip_failed = c->status == 1,
        .skip_unknown = c->status == 1, /* but for censored jobs, which have their own key */
    };
    uint64_t kept = 0;
    if (c->from_ns > 0 && read_earlier(jobs, filter, r, &kept, err) != 0)
        return -1;
    if (trace_jobs_select(jobs, &filter, err) != 0)
        return -1;
    struct trace_jobs_row row;
    int status;
    while ((status = trace_jobs_next(jobs, &row, err)) == 1)
        if (take_job(r, &row, err) != 0)
            return -1;
    const struct trace_jobs_counts counts = trace_jobs_counts(jobs);
    note_counts(t, &counts);
    uint64_t all = (uint64_t)trace_jobs_info(jobs)->jobs;
    uint64_t in = (uint64_t)counts.in_window + kept;
    t->counts[0].count += kept;
    t->outside = all > in ? all - in : 0;
    return status;
}

/* The trace's own times of its first job and its end, for who chose none. */
static char *span_text(const struct trace_jobs_info *info)
{
    struct text_buffer out = {0};
    text_append(&out, "from %.17g s to %.17g s", (double)info->first_arrival_ns * 1e-9,
                (double)info->end_ns * 1e-9);
    return out.text;
}

static int open_trace(struct experiment *x, size_t i, struct dcs_err *err)
{
    const struct config_trace *c = (const struct config_trace *)x->config->workload.trace.items + i;
    struct dcs_trace *t = &x->traces[i];
    struct trace_jobs *jobs = NULL;
    char path[64];
    char *file = paths_join(x->config->folder, c->database);
    int result = trace_jobs_open(file, &jobs, err);
    if (result != 0) {
        struct dcs_err cause = *err;
        snprintf(path, sizeof path, "workload.trace[%zu].database", i);
        options_error(x->doc, path, err, "%.200s: %s (paths are relative to the config)",
                      cause.file, cause.text);
    } else {
        snprintf(t->sha256, sizeof t->sha256, "%s", trace_jobs_info(jobs)->sha256);
        bool named = config_has_gangs(x->config) && x->config->outputs.jobs;
        struct job_reading reading = {.config = c, .to = t, .named = named};
        result = read_jobs(jobs, &reading, err);
    }
    if (result == 0 && t->jobs_count == 0) {
        char *span = span_text(trace_jobs_info(jobs));
        snprintf(path, sizeof path, "workload.trace[%zu]", i);
        result = options_error(
            x->doc, path, err,
            "no job of %.200s is left: %llu arrive from from_s until until_s (the trace is %s); "
            "of those %llu were there when the trace began (early), %llu ran when it ended "
            "(censored), %llu failed and %llu are of unknown status (status)",
            file, (unsigned long long)in_window(t), span, (unsigned long long)t->counts[1].count,
            (unsigned long long)t->counts[2].count, (unsigned long long)t->counts[3].count,
            (unsigned long long)t->counts[4].count);
        free(span);
    }
    trace_jobs_close(jobs);
    free(file);
    return result;
}

/* ---- How both are replayed ---- */

size_t experiment_replays(const struct experiment *x)
{
    return x->config->workload.trace.count + x->config->workload.jobs.count;
}

const struct config_replay *experiment_replay(const struct experiment *x, size_t i)
{
    const struct config_workload *w = &x->config->workload;
    const struct config_trace *traces = w->trace.items;
    const struct config_jobs *jobs = w->jobs.items;
    return i < w->trace.count ? &traces[i].replay : &jobs[i - w->trace.count].replay;
}

/* ---- Generated ---- */

int experiment_arrivals(const struct config_arrivals *a, struct dcs_arrivals_spec *out,
                        struct dcs_err *err)
{
    *out = (struct dcs_arrivals_spec){
        .kind = (enum dcs_arrivals_kind)a->process,
        .rate_per_s = a->rate_per_s,
        .scv = a->scv,
        .rates_per_s = {a->rate_high_per_s, a->rate_low_per_s},
        .stay_ns = {a->stay_high_ns, a->stay_low_ns},
        .day_ns = a->day_ns,
        .batch_mean = a->batch_mean,
    };
    struct dcs_err why = {0};
    if (out->kind == DCS_ARRIVALS_DAILY &&
        number_read_list(a->daily_per_s, DCS_ARRIVALS_SLOTS, 0, 1e9, "rates", out->daily_per_s,
                         &why) != 0)
        return dcs_err_set(err, "daily_per_s: %s", why.text);
    struct dcs_rng rng = {0};
    struct dcs_arrivals probe;
    return dcs_arrivals_init(&probe, out, &rng, err);
}

/* A decimal number without sign at *at, which moves behind it; false if there is none. strtod alone
 * would take hexadecimal, "inf" and white space, too. */
static bool take_number(const char **at, double *value)
{
    size_t length = strspn(*at, "0123456789.");
    if (length == 0 || length > 30)
        return false;
    char text[32], *end;
    memcpy(text, *at, length);
    text[length] = '\0';
    *value = strtod(text, &end);
    *at += length;
    return *end == '\0';
}

/* "1:0.9,8:0.1" or "1,8": GPUs that a job asks for, each with its weight. */
static int parse_gpus(const char *text, struct dcs_dist *out, struct dcs_err *err)
{
    double values[64], weights[64];
    size_t n = 0;
    const char *at = text;
    for (bool more = true; more; n++) {
        if (n == 64)
            return dcs_err_set(err, "more than 64 values");
        const char *item = at;
        size_t length = strcspn(item, ",");
        bool good = take_number(&at, &values[n]);
        weights[n] = 1;
        if (good && *at == ':') {
            at++;
            good = take_number(&at, &weights[n]);
        }
        at += strspn(at, " ");
        more = *at == ',';
        if (!good || (!more && *at != '\0') || values[n] > 1e6 || weights[n] > 1e9)
            return dcs_err_set(err,
                               "expected numbers of GPUs, each perhaps with ':' and its weight, "
                               "with commas between them; number %zu is \"%.*s\"",
                               n + 1, (int)(length < 32 ? length : 32), item);
        if (more)
            at += 1 + strspn(at + 1, " ");
    }
    return dcs_dist_init_empirical(out, values, weights, n, err);
}

static int duration_of(const struct config_duration *c, struct dcs_dist *out, struct dcs_err *err)
{
    double upper = (double)c->upper_ns;
    switch (c->distribution) {
    case 0:
        return dcs_dist_init(out, DCS_EXPONENTIAL, (double)c->mean_ns, 0, 0, err);
    case 1:
        return dcs_dist_init(out, c->upper_ns > 0 ? DCS_BOUNDED_PARETO : DCS_PARETO,
                             (double)c->scale_ns, c->shape, upper, err);
    case 2:
        return dcs_dist_init(out, DCS_LOGNORMAL, (double)c->median_ns, c->sigma, 0, err);
    case 3:
        return dcs_dist_init(out, DCS_WEIBULL, (double)c->scale_ns, c->shape, 0, err);
    default:
        return dcs_dist_init_lognormal_pareto(out, (double)c->median_ns, c->sigma,
                                              (double)c->tail_from_ns, c->tail_shape,
                                              c->tail_fraction, upper, err);
    }
}

static int open_class(const struct experiment *x, const struct config_job_class *c,
                      struct dcs_trace_model *m, enum dcs_class class, const char *place,
                      struct dcs_err *err)
{
    struct dcs_err cause = {0};
    char path[96];
    if (duration_of(&c->duration, &m->of_class[class].duration, &cause) != 0) {
        snprintf(path, sizeof path, "%s.duration", place);
        return options_error(x->doc, path, err, "%s", cause.text);
    }
    if (parse_gpus(c->gpus, &m->of_class[class].gpus, &cause) != 0) {
        snprintf(path, sizeof path, "%s.gpus", place);
        return options_error(x->doc, path, err, "%s", cause.text);
    }
    return 0;
}

static int open_model(struct experiment *x, size_t i, struct dcs_err *err)
{
    const struct config_jobs *c = (const struct config_jobs *)x->config->workload.jobs.items + i;
    struct dcs_trace_model *m = &x->models[i];
    m->jobs = c->jobs;
    m->latency_fraction = c->latency.fraction;
    char path[64];
    struct dcs_err cause = {0};
    if (experiment_arrivals(&c->arrivals, &m->arrivals, &cause) != 0) {
        snprintf(path, sizeof path, "workload.jobs[%zu].arrivals", i);
        return options_error(x->doc, path, err, "%s", cause.text);
    }
    /* A class that no job is of needs no distribution. */
    snprintf(path, sizeof path, "workload.jobs[%zu].latency", i);
    if (m->latency_fraction > 0 && open_class(x, &c->latency, m, DCS_LATENCY, path, err) != 0)
        return -1;
    snprintf(path, sizeof path, "workload.jobs[%zu].batch", i);
    if (m->latency_fraction < 1 && open_class(x, &c->batch, m, DCS_BATCH, path, err) != 0)
        return -1;
    return 0;
}

int experiment_open_traces(struct experiment *x, struct dcs_err *err)
{
    const struct config_workload *w = &x->config->workload;
    x->traces = dcs_alloc(w->trace.count + 1, sizeof *x->traces);
    x->models = dcs_alloc(w->jobs.count + 1, sizeof *x->models);
    for (; x->traces_count < w->trace.count; x->traces_count++)
        if (open_trace(x, x->traces_count, err) != 0) {
            dcs_trace_release(&x->traces[x->traces_count]);
            return -1;
        }
    for (size_t i = 0; i < w->jobs.count; i++)
        if (open_model(x, i, err) != 0)
            return -1;
    return 0;
}

void experiment_close_traces(struct experiment *x)
{
    for (size_t i = 0; i < x->traces_count; i++)
        dcs_trace_release(&x->traces[i]);
    for (size_t i = 0; x->models != NULL && i < x->config->workload.jobs.count; i++)
        for (int class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
            dcs_dist_release(&x->models[i].of_class[class].duration);
            dcs_dist_release(&x->models[i].of_class[class].gpus);
        }
    free(x->traces);
    free(x->models);
}
