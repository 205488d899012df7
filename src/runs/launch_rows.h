/*
 * launch_rows.h - a recorder that keeps when each kernel begins and ends on a GPU that is shared,
 * and with how many SMs (outputs.launches): rows beside the reasons of a policy, in the order of
 * time.
 *
 * `what` is "begins" (value: SMs of its allotment), "copies" (a transfer; 0) or "ends" (what it
 * had; of a revoked kernel when it is gone). A fused launch has its SMs once: its other part has 0.
 */
#ifndef DCS_RUNS_LAUNCH_ROWS_H
#define DCS_RUNS_LAUNCH_ROWS_H

#include "experiment/experiment.h"
#include "des/spill.h"

struct launch_rows {
    const struct experiment *x;
    struct spill *rows; /* of struct cluster_decision_row */
    int64_t *sms;       /* of what runs, by slot */
    size_t sms_capacity;
};

/* SMs that a launch is allotted: 0 of a transfer, and of the other part of a fused launch. */
int64_t launch_rows_sms(const struct experiment *x, const struct cluster_record *r);
/* A run whose list would get longer than CLUSTER_DECISIONS_MAX fails. The caller frees l->sms. */
struct recorder launch_rows_recorder(struct launch_rows *l);

#endif
