/* trace.c - see trace.h. */
#include "models/workload/trace.h"

#include "models/workload/workload_draw.h"

#include <stdlib.h>

void dcs_trace_release(struct dcs_trace *t)
{
    for (uint32_t i = 0; i < t->models_count; i++)
        free(t->models[i]);
    for (size_t i = 0; t->names != NULL && i < t->jobs_count; i++)
        free(t->names[i]);
    free(t->names);
    free(t->models);
    free(t->jobs);
    *t = (struct dcs_trace){0};
}

/* 32 bits of a job's id: whether it is kept, and its class, are its own, whatever the window. */
static uint32_t fold(int64_t id)
{
    return (uint32_t)id ^ (uint32_t)((uint64_t)id >> 32);
}

bool dcs_trace_keeps(double keep, uint64_t seed, uint32_t replication, uint32_t generator,
                     int64_t id, double *class)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, replication, DCS_RNG_THIN, draw_entity(generator, fold(id)));
    double drawn = dcs_rng_uniform(&rng);
    *class = dcs_rng_uniform(&rng);
    return drawn < keep;
}

int dcs_trace_generate(struct dcs_trace *out, const struct dcs_trace_model *m, uint64_t seed,
                       uint32_t replication, uint32_t generator, struct dcs_err *err)
{
    *out = (struct dcs_trace){0};
    struct dcs_rng rng;
    struct dcs_arrivals arrivals;
    dcs_rng_stream(&rng, seed, replication, DCS_RNG_JOBS, draw_entity(generator, 0));
    if (dcs_arrivals_init(&arrivals, &m->arrivals, &rng, err) != 0)
        return -1;
    out->jobs_count = (size_t)m->jobs;
    out->jobs = dcs_alloc(out->jobs_count, sizeof *out->jobs);
    int64_t begin_ns = 0;
    for (size_t i = 0; i < out->jobs_count; i++) {
        struct dcs_trace_job *job = &out->jobs[i];
        int64_t at = dcs_arrivals_next(&arrivals);
        if (at == DCS_NEVER) {
            dcs_trace_release(out);
            return dcs_err_set(
                err, "job %zu would arrive after more than 146 years; a larger rate helps", i + 1);
        }
        begin_ns = i == 0 ? at : begin_ns;
        /* A stream per job: what one job draws does not move the next one's draws. */
        dcs_rng_stream(&rng, seed, replication, DCS_RNG_TRACE, draw_entity(generator, i + 1));
        job->class = dcs_rng_uniform(&rng) < m->latency_fraction ? DCS_LATENCY : DCS_BATCH;
        job->arrival_ns = at - begin_ns;
        job->duration_ns = dcs_dist_sample_ns(&m->of_class[job->class].duration, &rng, 1);
        job->gpus = dcs_dist_sample(&m->of_class[job->class].gpus, &rng);
        job->id = (int64_t)i + 1;
    }
    return 0;
}
