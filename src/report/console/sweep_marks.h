/*
 * sweep_marks.h - how many points of a sweep rest on what cannot be built or charge nothing for
 * deciding, and whether requests are shared by a CPU and a GPU: told once below the table.
 */
#ifndef DCS_REPORT_SWEEP_MARKS_H
#define DCS_REPORT_SWEEP_MARKS_H

#include "experiment/experiment.h"

#include <stdio.h>

/* All 0: nothing was added. */
struct sweep_marks {
    uint64_t clairvoyant, medians, shared, uncharged; /* points */
    int64_t uncharged_ns;                             /* of a callback, at most */
};

void sweep_marks_add(struct sweep_marks *m, const struct experiment *x);
/* points: of the sweep. Nothing where nothing is to be said. */
void sweep_marks_print(FILE *out, const struct sweep_marks *m, uint64_t points);

#endif
