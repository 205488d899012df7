/*
 * recorded_clock.h - how long requests take by the program's own clock: as the ranges of a
 * recording say, whatever else it has. The library without CUPTI writes two lines a range, so this
 * is how long requests take without being recorded. Knows no GPU.
 */
#ifndef DCS_CALIBRATE_RECORDED_CLOCK_H
#define DCS_CALIBRATE_RECORDED_CLOCK_H

#include "calibrate/record/recording.h"

struct cal_clock {
    int64_t *ns; /* by request, in the order of their beginnings by process */
    size_t count;
    int64_t p5_ns, median_ns, p95_ns;
};

/* Of the ranges that have ended: of each process the last `requests`; 0: all but the first quarter.
 * count 0: there is none. */
void cal_clock_make(struct cal_clock *c, const struct cal_recording *r, size_t requests);
/* Of a recording's folder. -1 and err: it cannot be read. Released in any case. */
int cal_clock_read(struct cal_clock *c, const char *folder, size_t requests, struct dcs_err *err);
void cal_clock_release(struct cal_clock *c);

#endif
