/*
 * report_view.h - what the parts of the summary look at, and how they find a number in it. For
 * report.c and report_notes.c.
 */
#ifndef DCS_REPORT_VIEW_H
#define DCS_REPORT_VIEW_H

#include "report.h"

struct report_view {
    FILE *out;
    const struct experiment *x;
    const struct summary *summary;
    const struct summary_row *rows; /* in the order of the metrics */
    size_t count;
    const struct dcs_replay_counts *replay;
    const struct report_runs *runs;
};

/* app: an application, METRIC_ALL or METRIC_CLASS + class. NULL: there is no such row. */
const struct summary_row *report_find(const struct report_view *r, uint32_t app, const char *name);
/* NaN where there is none. */
struct dcs_estimate report_estimate(const struct report_view *r, uint32_t app, const char *name);
/* The sum over the runs. */
double report_total(const struct report_view *r, uint32_t app, const char *name);
/* "" or "s" */
const char *report_plural(uint64_t n);

#endif
