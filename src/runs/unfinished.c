/* unfinished.c - see unfinished.h. */
#include "runs/unfinished.h"

#include <math.h>
#include <stdlib.h>

/* Requests that the clients of a job issue, or have answered by a horizon, where none waits. A
 * client that stops with the trace has issued the request that it is at. */
static double issued_alone(const struct cluster_job_row *job, int64_t to_ns, double request_ns)
{
    int64_t end_ns = job->until_ns != 0 && job->until_ns < to_ns ? job->until_ns : to_ns;
    double each = (double)(end_ns - job->begin_ns) / request_ns;
    each = job->until_ns != 0 ? ceil(each) : floor(each);
    return fmin((double)job->requests, fmax(each, 0) * (double)job->clients);
}

/* What a request of a job takes in the mean over its sizes. */
static double mean_request_ns(const struct cluster_job_row *job, const double *form_ns)
{
    double sum = 0;
    if (job->input == NULL)
        return form_ns[job->app];
    for (size_t i = 0; i < job->input->count; i++)
        sum += job->input->sizes[i].share * form_ns[job->input->sizes[i].form];
    return sum;
}

static void add_job(struct unfinished *u, const struct cluster_job_row *job, int64_t to_ns,
                    const double *form_ns)
{
    double request_ns = mean_request_ns(job, form_ns), more_ns = request_ns - form_ns[job->app];
    double issued = (double)job->issued, unissued = (double)(job->requests - job->issued);
    u->issued += issued;
    u->issued_more_ns += issued * more_ns;
    u->unissued += unissued;
    u->unissued_more_ns += unissued * more_ns;
    if (job->issued == job->requests)
        return;
    double behind = issued_alone(job, to_ns, request_ns) - issued;
    u->behind += behind;
    u->behind_more_ns += behind * more_ns;
}

/* The jobs of an application are together, and what they were behind is no less than nothing. */
static void finish_app(struct unfinished *u, double form_ns)
{
    double work_ns = fmax(u->behind * form_ns + u->behind_more_ns, 0);
    u->behind = fmax(u->behind, 0);
    u->behind_more_ns = work_ns - u->behind * form_ns;
}

struct unfinished *unfinished_list(const struct cluster_result *r, uint32_t apps,
                                   const double *form_ns)
{
    struct unfinished *list = dcs_alloc(apps, sizeof *list);
    bool *due = dcs_alloc(apps, sizeof *due);
    for (size_t i = 0; i < r->jobs_count; i++) {
        const struct cluster_job_row *job = &r->jobs[i];
        struct unfinished *u = &list[job->app];
        u->endless = u->endless || (job->requests == 0 && job->clients > 0);
        due[job->app] = due[job->app] || job->requests > 0 || job->clients == 0;
        if (job->requests > 0 && job->clients > 0)
            add_job(u, job, r->to_ns, form_ns);
    }
    for (uint32_t i = 0; i < apps; i++) {
        list[i].endless = list[i].endless && !due[i];
        finish_app(&list[i], form_ns[i]);
    }
    free(due);
    return list;
}
