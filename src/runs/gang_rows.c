/* gang_rows.c - see gang_rows.h. */
#include "runs/gang_rows.h"

#include <stdlib.h>

/* ---- Jobs ---- */

/* The GPU model of a node. */
static const char *find_model(const struct experiment *x, uint32_t node)
{
    const struct config_nodes *nodes = x->config->cluster.nodes.items;
    size_t i = 0;
    while (i + 1 < x->config->cluster.nodes.count && node >= (uint32_t)nodes[i].nodes)
        node -= (uint32_t)nodes[i++].nodes;
    return nodes[i].model;
}

static size_t count_arrived(const struct gang_spec *spec)
{
    size_t n = 0;
    while (n < spec->jobs_count && spec->jobs[n].arrival_ns < spec->horizon_ns)
        n++;
    return n;
}

void gang_rows_make(const struct experiment *x, const struct experiment_drawn *drawn,
                    const struct gang_result *r, struct gang_rows *out)
{
    const struct gang_spec *spec = &drawn->spec;
    *out = (struct gang_rows){0};
    if (!x->config->outputs.jobs)
        return;
    out->jobs_count = count_arrived(spec);
    out->revoked_count = r->revoked_count;
    out->jobs = dcs_alloc(out->jobs_count + 1, sizeof *out->jobs);
    out->revoked = dcs_alloc(out->revoked_count + 1, sizeof *out->revoked);
    for (size_t i = 0; i < out->jobs_count; i++) {
        const struct gang_job *job = &spec->jobs[i];
        const struct gang_times *t = &r->jobs[i];
        out->jobs[i] = (struct gang_row){
            .id = drawn->ids[i],
            .name = drawn->names != NULL ? drawn->names[i] : "",
            .submitted_ns = job->arrival_ns,
            .started_ns = t->start_ns,
            .ended_ns = t->end_ns,
            .duration_ns = job->duration_ns,
            .gpus = (double)job->gpus * job->milli / GANG_MILLI,
            .node = t->node,
            .nodes = t->nodes,
            .model = t->start_ns != DCS_NEVER ? find_model(x, t->node) : "",
        };
    }
    for (size_t i = 0; i < r->revoked_count; i++) {
        const struct gang_stretch *s = &r->revoked[i];
        out->jobs[s->job].revocations++;
        out->revoked[i] = (struct gang_revoked_row){drawn->ids[s->job], s->from_ns, s->to_ns};
    }
}

void gang_rows_release(struct gang_rows *rows)
{
    free(rows->jobs);
    free(rows->revoked);
    *rows = (struct gang_rows){0};
}

/* ---- Parts of equal length ---- */

/* A level that changes at instants: its integral over each bin. Whole numbers, so that a level that
 * comes back to 0 is 0. */
struct level {
    __int128 *part; /* of the bins in which it changed, up to their ends */
    int64_t *step;  /* by how much it is another one in the bins behind */
};

static struct level make_level(size_t bins)
{
    return (struct level){dcs_alloc(bins, sizeof(__int128)), dcs_alloc(bins + 1, sizeof(int64_t))};
}

static void change_level(struct level *l, const struct time_bins *b, int64_t at_ns, int64_t by)
{
    size_t bin = (size_t)(at_ns / b->interval_ns);
    l->part[bin] += (__int128)by * ((int64_t)(bin + 1) * b->interval_ns - at_ns);
    l->step[bin + 1] += by;
}

/* From one instant to another, or to the end of the run. */
static void raise_level(struct level *l, const struct time_bins *b, int64_t from_ns, int64_t to_ns,
                        int64_t by)
{
    change_level(l, b, from_ns, by);
    change_level(l, b, to_ns < b->end_ns ? to_ns : b->end_ns, -by);
}

/* Level times ns of each bin, times `unit`. The level is released. */
static double *sum_level(struct level *l, const struct time_bins *b, double unit)
{
    double *out = dcs_alloc(b->count, sizeof *out);
    int64_t level = 0;
    for (size_t bin = 0; bin < b->count; bin++) {
        level += l->step[bin];
        out[bin] = (double)(l->part[bin] + (__int128)level * b->interval_ns) * unit;
    }
    free(l->part);
    free(l->step);
    return out;
}

static void count_job(struct time_bins *b, const struct gang_job *job, const struct gang_times *t)
{
    b->jobs[job->arrival_ns / b->interval_ns].arrived++;
    if (t->start_ns != DCS_NEVER)
        b->jobs[t->start_ns / b->interval_ns].started++;
    if (t->end_ns != DCS_NEVER)
        b->jobs[t->end_ns / b->interval_ns].ended++;
}

int gang_bins_make(const struct experiment *x, const struct gang_spec *spec,
                   const struct gang_result *r, struct time_bins *b, struct dcs_err *err)
{
    time_bins_init(b, x);
    if (b->interval_ns == 0)
        return 0;
    b->end_ns = r->to_ns;
    b->count = (size_t)(r->to_ns / b->interval_ns) + 1;
    if (b->count > TIME_BINS_MAX)
        return time_bins_refuse(err);
    b->jobs = dcs_alloc(b->count, sizeof *b->jobs);
    struct level waiting = make_level(b->count), held = make_level(b->count);
    for (size_t i = 0; i < count_arrived(spec); i++) {
        const struct gang_job *job = &spec->jobs[i];
        const struct gang_times *t = &r->jobs[i];
        count_job(b, job, t);
        raise_level(&waiting, b, job->arrival_ns, t->end_ns, 1);
        if (t->begin_ns == DCS_NEVER)
            continue;
        raise_level(&waiting, b, t->begin_ns, t->end_ns, -1);
        raise_level(&held, b, t->begin_ns, t->end_ns, (int64_t)job->gpus * job->milli);
    }
    for (size_t i = 0; i < r->revoked_count; i++) {
        const struct gang_stretch *s = &r->revoked[i];
        const struct gang_job *job = &spec->jobs[s->job];
        raise_level(&waiting, b, s->from_ns, s->to_ns, -1);
        raise_level(&held, b, s->from_ns, s->to_ns, (int64_t)job->gpus * job->milli);
    }
    b->waiting_ns = sum_level(&waiting, b, 1);
    b->busy_ns = sum_level(&held, b, 1.0 / GANG_MILLI);
    return 0;
}
