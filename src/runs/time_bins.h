/*
 * time_bins.h - a recorder that counts a run in parts of equal length (outputs.interval_s): which
 * hour of a daily load breaks an SLA.
 *
 * Requests count in the bin in which they arrived, warm-up included. Those that are inside at the
 * end are decided if they are late by then. Levels are means over the bin: requests that wait,
 * devices on which something runs, SMs that are allotted to what runs (a device whose allotments
 * add up to more than it has counts once).
 */
#ifndef DCS_RUNS_TIME_BINS_H
#define DCS_RUNS_TIME_BINS_H

#include "engine/recorder.h"
#include "experiment/experiment.h"

#define TIME_BINS_MAX 10000

struct time_bin_requests {
    uint64_t arrived, decided, met; /* decided, met: as in struct cluster_app_result */
};

/* Of whole jobs (gang_rows.h). */
struct time_bin_jobs {
    uint64_t arrived, started, ended;
};

struct time_bins {
    /* What was counted. */
    struct time_bin_jobs *jobs;            /* NULL: there are no whole jobs */
    struct time_bin_requests *requests;    /* [bin * apps_count + app] */
    double *waiting_ns, *busy_ns, *sms_ns; /* by bin: level times ns */
    size_t count;
    int64_t interval_ns, end_ns;
    bool has_sms;
    /* While the run is under way. */
    const struct experiment *x;
    struct time_bins_slot *slots;
    struct time_bins_device *devices;
    size_t slots_capacity, capacity;
    int64_t now_ns;
    double waiting, busy, sms; /* the present levels */
};

/* Of an experiment with outputs.interval_s; of any other nothing is counted. */
void time_bins_init(struct time_bins *b, const struct experiment *x);
/* Forgets what was counted: another run begins. */
void time_bins_begin(struct time_bins *b);
/* Where the end of a bin lies: that of the last one is the end of the run. */
int64_t time_bins_to(const struct time_bins *b, size_t bin);
/* -1 and err: a run has more than TIME_BINS_MAX bins. */
int time_bins_refuse(struct dcs_err *err);
/* As a recorder. -1 and err: the run has more than TIME_BINS_MAX bins. */
int time_bins_record(struct time_bins *b, const struct cluster_record *r, struct dcs_err *err);
void time_bins_release(struct time_bins *b);

#endif
