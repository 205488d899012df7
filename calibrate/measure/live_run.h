/*
 * live_run.h - one run of a service's live requests beside a batch application, for the
 * measurements of it (measure_live.c, measure_live_partitions.c): each application is a worker's,
 * on the part of the device that the worker has.
 *
 * The service's requests arrive from a list that is drawn once (Poisson) and served first come,
 * first served, one at a time; the batch application issues its next request when the one before
 * has ended. Requests that arrive within CAL_LIVE_S are served, and the batch application runs on
 * meanwhile, but at most CAL_LIVE_DRAIN_S longer: if the service is overloaded, its last requests
 * are missing.
 *
 * Solo times are measured by the same workers, just before, from the host's call to the host's
 * knowledge of the end, as are the times of requests.
 */
#ifndef DCS_CALIBRATE_LIVE_RUN_H
#define DCS_CALIBRATE_LIVE_RUN_H

#include "calibrate/worker/crew.h"
#include "calibrate/plan/live_pairs.h"

#define CAL_LIVE_S       20
#define CAL_LIVE_DRAIN_S 5

enum cal_live_role { CAL_LIVE_SERVICE, CAL_LIVE_BATCH, CAL_LIVE_ROLES };

struct cal_live_part {
    const char *name;
    struct cal_worker *worker;
    int64_t size, solo_ns;
    int solo_clock_mhz; /* meanwhile; 0: not known */
};

/* The pairs of this build's applications. */
int cal_live_list(struct cal_live_pair pairs[CAL_LIVE_PAIRS], int *chosen);

/* Makes both applications ready, and times requests of each alone. together: both are made ready at
 * the same time; else one after the other, as threads of one process have to. */
int cal_live_prepare(struct cal_session *s, struct cal_live_part *parts, bool together,
                     struct dcs_err *err);
/* Puts the arrivals where the service's worker finds them: a pure function of the number of the
 * pair, of the load (the share of time in which the service would be busy alone) and of the solo
 * time that it is a share of. */
int cal_live_draw(const struct cal_live_part *service, int pair, double load, double solo_ns,
                  struct dcs_err *err);
/* Runs both; then the workers' records have the times. *clock_mhz: the mean SM clock meanwhile. If
 * one fails the other is halted. */
int cal_live_run(struct cal_session *s, struct cal_live_part *parts, int *clock_mhz,
                 struct dcs_err *err);
/* Writes the requests that ended as rows of the table, which is of live_request's form. */
int cal_live_store(struct cal_session *s, const struct cal_live_part *parts, const char *table,
                   int64_t id, struct dcs_err *err);
/* The number of the next row of a table of runs. */
int64_t cal_live_next_id(struct cal_session *s, const char *table);

#endif
