/* workload.c - see workload.h. */
#include "models/workload/workload_draw.h"

#include <stdlib.h>
#include <string.h>

double dcs_capacity_work_ns(const struct dcs_capacity *c, const struct dcs_app *app)
{
    double work = 0;
    for (uint32_t kind = 0; kind < c->kinds; kind++)
        work += (double)app->total_ns[kind] * (double)c->devices[kind];
    return work;
}

double dcs_capacity_mean_work_ns(const struct dcs_capacity *c, uint32_t app)
{
    return dcs_capacity_work_ns(c, &c->apps[app]) / dcs_capacity_devices(c);
}

double dcs_capacity_devices(const struct dcs_capacity *c)
{
    double devices = 0;
    for (uint32_t kind = 0; kind < c->kinds; kind++)
        devices += (double)c->devices[kind];
    return devices;
}

void dcs_workload_add(struct dcs_workload *w, const struct dcs_job *job)
{
    w->jobs = dcs_grow(w->jobs, &w->capacity, w->count + 1, sizeof *w->jobs);
    w->jobs[w->count++] = *job;
}

struct dcs_workload_kept {
    struct dcs_workload_kept *next;
    max_align_t what[];
};

const void *dcs_workload_keep(struct dcs_workload *w, const void *what, size_t bytes)
{
    struct dcs_workload_kept *kept = dcs_alloc(1, sizeof *kept + bytes);
    kept->next = w->kept;
    w->kept = kept;
    return memcpy(kept->what, what, bytes);
}

void dcs_workload_release(struct dcs_workload *w)
{
    for (struct dcs_workload_kept *kept = w->kept, *next; kept != NULL; kept = next) {
        next = kept->next;
        free(kept);
    }
    free(w->jobs);
    *w = (struct dcs_workload){0};
}

/* Merge sort: stable, so that jobs of one instant stay in the order in which they were drawn. */
static void sort_jobs(struct dcs_job *jobs, struct dcs_job *spare, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2;
    sort_jobs(jobs, spare, half);
    sort_jobs(jobs + half, spare, n - half);
    memcpy(spare, jobs, half * sizeof *jobs);
    size_t a = 0, b = half, to = 0;
    while (a < half && b < n)
        jobs[to++] = jobs[b].begin_ns < spare[a].begin_ns ? jobs[b++] : spare[a++];
    while (a < half)
        jobs[to++] = spare[a++];
}

void dcs_workload_finish(struct dcs_workload *w)
{
    bool sorted = true;
    for (size_t i = 1; i < w->count; i++)
        sorted &= w->jobs[i - 1].begin_ns <= w->jobs[i].begin_ns;
    if (sorted)
        return;
    struct dcs_job *spare = dcs_alloc(w->count / 2 + 1, sizeof *spare);
    sort_jobs(w->jobs, spare, w->count);
    free(spare);
}
