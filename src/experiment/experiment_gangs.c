/* experiment_gangs.c - see experiment_gangs.h. */
#include "experiment/experiment_gangs.h"

#include "experiment/experiment_parts.h"

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

/* A job that cannot run, whatever else does; counts it. `why` has the first. */
static bool is_misfit(struct experiment_gangs *g, const struct dcs_trace_job *from,
                      const struct gang_job *job, struct text_buffer *why)
{
    enum gang_misfit fit = from->gpus > 0 ? gang_misfit(&g->spec, job) : GANG_FITS;
    if (from->gpus > 0 && fit == GANG_FITS)
        return false;
    uint64_t *count = from->gpus == 0        ? &g->without_gpu
                      : fit == GANG_NO_MODEL ? &g->no_model
                                             : &g->too_large;
    ++*count;
    if (why->length == 0)
        text_append(why, "job %" PRId64 " asks for %g", from->id, from->gpus);
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

static int make_jobs(struct experiment *x, struct experiment_gangs *g, struct dcs_err *err)
{
    const struct config_trace *c = x->config->workload.trace.items;
    const struct dcs_trace *t = &x->traces[0];
    struct text_buffer why = {0};
    g->jobs = dcs_alloc(t->jobs_count + 1, sizeof *g->jobs);
    g->spec.jobs = g->jobs;
    for (size_t i = 0; i < t->jobs_count; i++) {
        const struct dcs_trace_job *from = &t->jobs[i];
        struct gang_job job = {
            .arrival_ns = compress(from->arrival_ns, c->replay.time_compression),
            .duration_ns = compress(from->duration_ns, c->replay.duration_compression),
        };
        job.duration_ns += job.duration_ns == 0;
        ask_gpus(g, from->gpus, &job);
        if (!is_misfit(g, from, &job, &why))
            g->jobs[g->spec.jobs_count++] = job;
    }
    bool refuse = x->config->cluster.queue.misfits == 0 && why.length > 0;
    int status = 0;
    if (refuse || g->spec.jobs_count == 0)
        status = options_error(
            x->doc, "workload.trace[0]", err,
            "%" PRIu64 " jobs ask for no GPU, %" PRIu64 " for more than a node%s has, %" PRIu64
            " for a model that no node has, of %zu; the first: %.100s%s",
            g->without_gpu, g->too_large, x->config->cluster.queue.across_nodes ? " or all" : "",
            g->no_model, t->jobs_count, why.length > 0 ? why.text : "none",
            refuse ? "; cluster.queue.misfits \"leave_out\" runs the others" : "");
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
    free(x->gangs);
}

int experiment_refuse_gangs(const struct experiment *x, const char *what, struct dcs_err *err)
{
    if (x->gangs == NULL)
        return 0;
    return options_error(x->doc, "workload.trace[0].as", err,
                         "\"gangs\" are whole jobs without requests: %s", what);
}
