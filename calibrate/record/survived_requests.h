/*
 * survived_requests.h - how long requests take, of which some had not ended when the stretch of
 * time did. Knows no GPU.
 *
 * Requests that ended alone would be too short ones: a long request is more often cut off. The
 * estimate is that of Kaplan and Meier (Nonparametric Estimation from Incomplete Observations, JASA
 * 53, 1958): what a request that was cut off stands for goes to those that took longer. Where the
 * longest was cut off it counts as if it had ended then.
 */
#ifndef DCS_CALIBRATE_SURVIVED_REQUESTS_H
#define DCS_CALIBRATE_SURVIVED_REQUESTS_H

#include "calibrate/plan/sample.h"

struct cal_lasting {
    int64_t ns; /* above 0; until its end, or until it was cut off */
    bool ended;
};

/* Sorts the list; *p95_ns is the 95th percentile. n of the statistics: how many ended. -1 and err:
 * fewer than two have. */
int cal_survival(struct cal_lasting *list, size_t count, struct cal_statistics *out,
                 int64_t *p95_ns, struct dcs_err *err);

#endif
