/* experiment_gangs.c - see experiment_gangs.h. */
#include "experiment/experiment_gangs.h"

#include "config/paths.h"
#include "experiment/experiment_parts.h"
#include "text/table.h"
#include "traces/jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A bit for each model, in the order in which they are first named. */
static void make_groups(struct experiment *x, struct experiment_gangs *g)
{
    const struct config_nodes *nodes = x->config->cluster.nodes.items;
    size_t count = x->config->cluster.nodes.count;
    g->groups = dcs_alloc(count, sizeof *g->groups);
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        while (strcmp(nodes[same].model, nodes[i].model) != 0)
            same++;
        g->groups[i] = (struct gang_group){(uint32_t)nodes[i].nodes, (uint32_t)nodes[i].gpus,
                                           UINT64_C(1) << same};
        x->devices_count += g->groups[i].nodes * g->groups[i].gpus;
    }
    g->spec.groups = g->groups;
    g->spec.groups_count = count;
}

/* gpus > 0; a part of a GPU is a share of one, and parts beyond the first are whole ones. */
static void ask_gpus(struct experiment_gangs *g, double gpus, struct gang_job *job)
{
    uint32_t whole = (uint32_t)gpus, milli = (uint32_t)(gpus * GANG_MILLI + 0.5);
    bool part = gpus > whole;
    job->gpus = whole + part;
    job->milli = whole == 0 && milli > 0 ? milli : whole == 0 ? 1 : GANG_MILLI;
    g->rounded_up += part && whole > 0;
}

/* Whether "A10|T4" has the name. */
static bool has_model(const char *models, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = models; at != NULL; at = strchr(at, '|')) {
        at += at > models;
        if (length > 0 && strncmp(at, name, length) == 0 && (at[length] == '|' || at[length] == 0))
            return true;
    }
    return false;
}

/* For each text of models of the trace: the bits of the groups that have one of them; 0: none. */
static uint64_t *find_model_bits(const struct experiment *x, const struct experiment_gangs *g)
{
    const struct config_nodes *nodes = x->config->cluster.nodes.items;
    const struct dcs_trace *t = &x->traces[0];
    uint64_t *bits = dcs_alloc(t->models_count + 1u, sizeof *bits);
    for (uint32_t i = 0; i < t->models_count; i++)
        for (size_t k = 0; k < g->spec.groups_count; k++)
            if (has_model(t->models[i], nodes[k].model))
                bits[i] |= g->groups[k].model;
    return bits;
}

/* Where a job stands in what was imported: its own name there, if it has one, file and line. */
static void append_origin(struct text_buffer *out, const struct experiment *x, int64_t id)
{
    const struct config_trace *c = x->config->workload.trace.items;
    char *file = paths_join(x->config->folder, c->database);
    const struct trace_jobs_filter all = {0};
    struct trace_jobs *jobs = NULL;
    struct trace_jobs_row row;
    struct dcs_err unused = {0};
    int status = trace_jobs_open(file, &jobs, &unused);
    status = status == 0 && trace_jobs_select(jobs, &all, &unused) == 0 ? 1 : -1;
    while (status == 1 && (status = trace_jobs_next(jobs, &row, &unused)) == 1 && row.id != id)
        continue;
    const struct trace_jobs_info *info = jobs != NULL ? trace_jobs_info(jobs) : NULL;
    if (status == 1 && info != NULL && row.file >= 1 && row.file <= info->sources_count)
        text_append(out, "job %.40s%sin line %" PRIu64 " of %.60s", text_name(row.key, 40).at,
                    row.key[0] != '\0' ? " " : "", row.line,
                    text_name(info->sources[row.file - 1].name, 60).at);
    else
        text_append(out, "job %" PRId64, id);
    trace_jobs_close(jobs);
    free(file);
}

/* A job that cannot run, whatever else does; counts it. `why` has the first. */
static bool is_misfit(const struct experiment *x, const struct dcs_trace_job *from,
                      const struct gang_job *job, struct text_buffer *why)
{
    struct experiment_gangs *g = x->gangs;
    enum gang_misfit fit = from->gpus == 0 ? GANG_FITS
                           : from->models > 0 && job->models == GANG_ANY_MODEL
                               ? GANG_NO_MODEL
                               : gang_misfit(&g->spec, job);
    if (from->gpus > 0 && fit == GANG_FITS)
        return false;
    uint64_t *count = from->gpus == 0        ? &g->without_gpu
                      : fit == GANG_NO_MODEL ? &g->no_model
                                             : &g->too_large;
    ++*count;
    if (why->length == 0 && x->config->cluster.queue.misfits == 0) {
        append_origin(why, x, from->id);
        text_append(why, " asks for %g%s%.60s", from->gpus, from->models > 0 ? " of " : "",
                    from->models > 0 ? x->traces[0].models[from->models - 1] : "");
    }
    return true;
}

/* Times of the trace divided by a compression, at least 1 ns where they are durations. */
static int64_t compress(int64_t ns, double by)
{
    double to = (double)ns / by + 0.5;
    if (by == 1)
        return ns;
    return to < (double)DCS_TIME_MAX ? (int64_t)to : DCS_TIME_MAX;
}

/* What became of the trace's jobs: of those that were kept, what is left out here. */
static void count_left_out(struct dcs_trace *t, struct experiment_gangs *g, bool across_nodes)
{
    for (size_t i = 0; i < g->spec.jobs_count; i++)
        g->late += g->jobs[i].arrival_ns >= g->spec.horizon_ns;
    const struct dcs_trace_count counts[] = {
        {"left out: ask for no GPU", g->without_gpu},
        {across_nodes ? "left out: ask for more GPUs than all nodes have"
                      : "left out: ask for more GPUs than a node has",
         g->too_large},
        {"left out: ask for a model that no node has", g->no_model},
        {"left out: arrive after the horizon", g->late},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        t->counts[0].count -= counts[i].count;
        t->counts[t->counts_count++] = counts[i];
    }
}

static int make_jobs(struct experiment *x, struct experiment_gangs *g, struct dcs_err *err)
{
    const struct config_trace *c = x->config->workload.trace.items;
    struct dcs_trace *t = &x->traces[0];
    int ranks = x->config->cluster.queue.revocation;
    struct text_buffer why = {0};
    uint64_t *bits = find_model_bits(x, g);
    g->jobs = dcs_alloc(t->jobs_count + 1, sizeof *g->jobs);
    g->ids = dcs_alloc(t->jobs_count + 1, sizeof *g->ids);
    if (t->names != NULL)
        g->names = dcs_alloc(t->jobs_count + 1, sizeof *g->names);
    g->spec.jobs = g->jobs;
    for (size_t i = 0; i < t->jobs_count; i++) {
        const struct dcs_trace_job *from = &t->jobs[i];
        struct gang_job job = {
            .arrival_ns = compress(from->arrival_ns, c->replay.time_compression),
            .duration_ns = compress(from->duration_ns, c->replay.duration_compression),
            .models = from->models > 0 ? bits[from->models - 1] : GANG_ANY_MODEL,
            .rank = ranks == RANKS_PRIORITY ? from->priority
                    : ranks == RANKS_CLASS  ? from->class == DCS_LATENCY
                                            : 0,
            .latency = from->class == DCS_LATENCY,
        };
        job.duration_ns += job.duration_ns == 0;
        g->classed = g->classed || from->class != t->jobs[0].class;
        ask_gpus(g, from->gpus, &job);
        if (is_misfit(x, from, &job, &why))
            continue;
        g->ids[g->spec.jobs_count] = from->id;
        if (g->names != NULL && t->names != NULL)
            g->names[g->spec.jobs_count] = t->names[i];
        g->jobs[g->spec.jobs_count++] = job;
    }
    count_left_out(t, g, x->config->cluster.queue.across_nodes);
    bool refuse = x->config->cluster.queue.misfits == 0 && why.length > 0;
    int status = 0;
    if (refuse || g->spec.jobs_count == 0)
        status = options_error(
            x->doc, "workload.trace[0]", err,
            "%" PRIu64 " job%s for no GPU, %" PRIu64 " for more than a node%s has, %" PRIu64
            " for a model that no node has, of %zu%s%.200s%s%s%s",
            g->without_gpu, g->without_gpu == 1 ? " asks" : "s ask", g->too_large,
            x->config->cluster.queue.across_nodes ? " or all" : "", g->no_model, t->jobs_count,
            refuse ? "; the first: " : "", refuse ? why.text : "",
            refuse ? "; cluster.queue.misfits \"leave_out\" runs the others" : "",
            refuse && g->too_large > 0 && !x->config->cluster.queue.across_nodes
                ? ", cluster.queue.across_nodes lets a job have several nodes"
                : "",
            refuse && g->no_model > 0 ? ", cluster.nodes[].model says which model a node has" : "");
    free(bits);
    free(why.text);
    return status;
}

int experiment_open_gangs(struct experiment *x, struct dcs_err *err)
{
    const struct config_queue *q = &x->config->cluster.queue;
    int64_t horizon_ns = x->config->horizon.duration_ns;
    struct experiment_gangs *g = x->gangs = dcs_alloc(1, sizeof *x->gangs);
    g->spec = (struct gang_spec){
        .order = (enum gang_order)q->order,
        .placement = q->placement,
        .across_nodes = q->across_nodes,
        .depth = (uint32_t)q->depth,
        .revoke = q->revocation != RANKS_NONE,
        .checkpoint_ns = q->checkpoint_ns,
        .horizon_ns = horizon_ns > 0 ? horizon_ns : DCS_NEVER,
    };
    make_groups(x, g);
    return make_jobs(x, g, err);
}

void experiment_close_gangs(struct experiment *x)
{
    if (x->gangs == NULL)
        return;
    free(x->gangs->groups);
    free(x->gangs->jobs);
    free(x->gangs->ids);
    free(x->gangs->names);
    free(x->gangs);
}

int experiment_draw_gangs(const struct experiment *x, uint32_t replication,
                          struct experiment_drawn *out, struct dcs_err *err)
{
    const struct experiment_gangs *g = x->gangs;
    double keep = ((const struct config_trace *)x->config->workload.trace.items)->keep, unused;
    *out = (struct experiment_drawn){.spec = g->spec, .ids = g->ids, .names = g->names};
    if (keep == 1)
        return 0;
    size_t count = 0;
    out->own_jobs = dcs_alloc(g->spec.jobs_count + 1, sizeof *out->own_jobs);
    out->own_ids = dcs_alloc(g->spec.jobs_count + 1, sizeof *out->own_ids);
    if (g->names != NULL)
        out->own_names = dcs_alloc(g->spec.jobs_count + 1, sizeof *out->own_names);
    for (size_t i = 0; i < g->spec.jobs_count; i++)
        if (dcs_trace_keeps(keep, (uint64_t)x->config->seed, replication, 0, g->ids[i], &unused)) {
            out->own_ids[count] = g->ids[i];
            if (g->names != NULL)
                out->own_names[count] = g->names[i];
            out->own_jobs[count++] = g->jobs[i];
        }
    out->spec.jobs = out->own_jobs;
    out->spec.jobs_count = count;
    out->ids = out->own_ids;
    out->names = out->own_names;
    if (count > 0)
        return 0;
    experiment_drawn_release(out);
    return dcs_err_set(err, "no job is left of %zu; a larger keep leaves more", g->spec.jobs_count);
}

void experiment_drawn_release(struct experiment_drawn *drawn)
{
    free(drawn->own_jobs);
    free(drawn->own_ids);
    free(drawn->own_names);
}

int experiment_refuse_gangs(const struct experiment *x, const char *what, struct dcs_err *err)
{
    if (x->gangs == NULL)
        return 0;
    return options_error(x->doc, "workload.trace[0].as", err,
                         "\"gangs\" are whole jobs without requests: %s", what);
}
