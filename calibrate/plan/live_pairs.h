/*
 * live_pairs.h - which service runs beside which batch application in the live runs, which half the
 * pair is of, and how the device is parted between them where each has a partition.
 */
#ifndef DCS_CALIBRATE_LIVE_PAIRS_H
#define DCS_CALIBRATE_LIVE_PAIRS_H

#include <stddef.h>

#define CAL_LIVE_FIRST 8  /* chosen; the others are drawn */
#define CAL_LIVE_DRAWN 12 /* drawn first, for the halves dev and test2; the rest is test3 */
#define CAL_LIVE_PAIRS 30

struct cal_live_pair {
    const char *service, *batch, *half;
};

/* What the further pairs are drawn from, in an order that stays. */
struct cal_live_names {
    const char *const *services, *const *batches;
    size_t services_count, batches_count;
};

/* All pairs, a pure function of the names; returns how many: of the chosen ones those of which both
 * are among the names, and the further ones, drawn, where there are names of both kinds. *chosen:
 * the former; NULL is allowed. */
int cal_live_pairs(const struct cal_live_names *names, struct cal_live_pair pairs[CAL_LIVE_PAIRS],
                   int *chosen);

#define CAL_LIVE_SPLITS 2

/* SMs of the service's partition: about half and about a quarter of the device's `sms`, in
 * multiples of step; the rest are the batch application's. Returns how many there are that differ
 * and leave a rest: on a small device one or none. */
int cal_live_splits(int sms, int step, int splits[CAL_LIVE_SPLITS]);

#endif
