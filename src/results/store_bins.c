/* store_bins.c - writes what a run was in parts of equal length; see store_rows.h. */
#include "results/store_rows.h"

static int put_requests(struct store *s, const struct run *run, size_t bin)
{
    uint32_t apps = s->experiment->apps_count;
    const struct time_bin_jobs *jobs = run->bins.jobs;
    if (jobs != NULL) /* whole jobs are of no application */
        return EXECUTE(s, PUT_BIN_JOBS, integer(s->id), integer(run->replication), count_of(bin),
                       count_of(jobs[bin].arrived), count_of(jobs[bin].started),
                       count_of(jobs[bin].ended));
    const struct time_bin_requests *all = run->bins.requests + bin * apps;
    for (uint32_t app = 0; app < apps; app++)
        if (all[app].arrived > 0 &&
            EXECUTE(s, PUT_BIN_REQUESTS, integer(s->id), integer(run->replication), count_of(bin),
                    integer(app), count_of(all[app].arrived), count_of(all[app].decided),
                    count_of(all[app].met)) != 0)
            return -1;
    return 0;
}

int store_put_bins(struct store *s, const struct run *run)
{
    const struct time_bins *b = &run->bins;
    for (size_t bin = 0; bin < b->count; bin++) {
        int64_t from_ns = (int64_t)bin * b->interval_ns, to_ns = time_bins_to(b, bin);
        double ns = (double)(to_ns - from_ns);
        if (put_requests(s, run, bin) != 0)
            return -1;
        if (ns > 0 && /* the run ends where a bin would begin */
            EXECUTE(s, PUT_BIN_DEVICES, integer(s->id), integer(run->replication), count_of(bin),
                    integer(from_ns), integer(to_ns), real(b->waiting_ns[bin] / ns),
                    real(b->busy_ns[bin] / ns),
                    real(b->has_sms ? b->sms_ns[bin] / ns : (double)NAN)) != 0)
            return -1;
    }
    return 0;
}
