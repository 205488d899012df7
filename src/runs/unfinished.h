/*
 * unfinished.h - how much of the work that came was not done when the run ended.
 *
 * Requests that arrived say only part of it: clients of a closed loop issue the next request when
 * the last one is answered, so a cluster that is too small has few requests and much work left. A
 * job of so many requests is *behind* by those that its clients would have issued by the end of the
 * run, or of the trace, if each request had taken what it takes alone on a whole device and none
 * had waited. Jobs that have issued all their requests are not behind. What is behind is summed
 * over the others with its sign: some were luckier than the mean.
 */
#ifndef DCS_RUNS_UNFINISHED_H
#define DCS_RUNS_UNFINISHED_H

#include "experiment/experiment.h"

struct unfinished {
    double behind;           /* requests; never below 0 */
    double unissued, issued; /* requests of jobs that have a number of them and began */
    /* What these take more than as many requests of the default size, ns: 0 if they have that. */
    double behind_more_ns, unissued_more_ns, issued_more_ns;
    bool endless; /* all its requests are of clients without an end: none is due */
};

/* Of each application, in one pass through the jobs; the caller frees it. form_ns: what a request
 * of each form takes alone, in the mean over the devices; a job's requests take the mean over their
 * sizes. */
struct unfinished *unfinished_list(const struct cluster_result *r, uint32_t apps,
                                   const double *form_ns);

#endif
