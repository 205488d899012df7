/* unfinished.c - see unfinished.h. */
#include "runs/unfinished.h"

#include <math.h>

/* Requests that the clients of a job issue, or have answered by a horizon, where none waits. A
 * client that stops with the trace has issued the request that it is at. */
static double issued_alone(const struct cluster_job_row *job, int64_t to_ns, double request_ns)
{
    int64_t end_ns = job->until_ns != 0 && job->until_ns < to_ns ? job->until_ns : to_ns;
    double each = (double)(end_ns - job->begin_ns) / request_ns;
    each = job->until_ns != 0 ? ceil(each) : floor(each);
    return fmin((double)job->requests, fmax(each, 0) * (double)job->clients);
}

struct unfinished unfinished_of(const struct cluster_result *r, uint32_t app, double request_ns)
{
    struct unfinished u = {0};
    bool due = false;
    for (size_t i = 0; i < r->jobs_count; i++) {
        const struct cluster_job_row *job = &r->jobs[i];
        if (job->app != app)
            continue;
        u.endless = u.endless || (job->requests == 0 && job->clients > 0);
        due = due || job->requests > 0 || job->clients == 0;
        if (job->requests == 0 || job->clients == 0)
            continue;
        u.issued += (double)job->issued;
        u.unissued += (double)(job->requests - job->issued);
        if (job->issued < job->requests)
            u.behind += issued_alone(job, r->to_ns, request_ns) - (double)job->issued;
    }
    u.endless = u.endless && !due;
    u.behind = fmax(u.behind, 0);
    return u;
}
