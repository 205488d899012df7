/*
 * timeline.h - the recorder that writes what happens in a run as a timeline (timeline_file.h);
 * docs/timelines.md says what is in it.
 *
 * A domain is a process. Its track 0 is the policy: decisions, reasons, quota changes, and slices
 * while its scheduler is busy. Then come its devices. One that runs one kernel at a time has a
 * track with them; one that is shared has a track with the times in which any kernel is there, and
 * a lane for each of those that are there together. Revocations are slices behind the kernel that
 * they end.
 *
 * The durations of a device's (first) track add up to the busy time of the run's accounts, ns for
 * ns, inside the window: a slice that begins before it or ends after it is cut.
 */
#ifndef DCS_TIMELINE_H
#define DCS_TIMELINE_H

#include "experiment/experiment.h"
#include "runs/timeline_file.h"

struct timeline; /* opaque */

struct timeline_window {
    int64_t from_ns, until_ns; /* until: DCS_NEVER: the end of the run */
    const bool *devices;       /* of the cluster, by number: whether it is shown */
};

/* All borrowed until timeline_free(). */
struct timeline *timeline_new(const struct experiment *x, const struct timeline_window *window,
                              struct timeline_file *file);
void timeline_free(struct timeline *t); /* NULL is allowed */
struct recorder timeline_recorder(struct timeline *t);
int64_t timeline_ended_ns(const struct timeline *t); /* the end of the run */
uint64_t timeline_kernels(const struct timeline *t); /* slices of kernels that were written */

#endif
