/*
 * report_shown.h - the numbers of an experiment that a report shows, and means of them.
 */
#ifndef DCS_REPORT_SHOWN_H
#define DCS_REPORT_SHOWN_H

#include "report/page/report_data.h"
#include "text/table.h"

/* What is shown of every experiment. */
struct report_shown {
    enum report_value value;
    bool complement;    /* 1 - value */
    const char *title;  /* of a figure */
    const char *label;  /* of its axis, of a column */
    const char *metric; /* for compare_metric() */
    enum text_unit unit;
};
/* Which ones SHOWN_BATCH and SHOWN_BUSY are depends on what the results have. */
enum { SHOWN_LATE, SHOWN_P99, SHOWN_BATCH, SHOWN_BUSY, SHOWN_COUNT };
const struct report_shown *report_shown(const struct report_data *d, size_t which);

/* Whether all experiments have devices that kernels share. */
bool report_shares_devices(const struct report_data *d);
/* What such devices consist of: "SMs", "cores". */
const char *report_parts(const struct report_data *d);

/* A point's number as it is shown. */
struct dcs_estimate report_shown_value(const struct report_point *p, const struct report_shown *s);
/* Several values as one: their mean, with their range as its interval. A single one stays. */
struct dcs_estimate report_together(const struct dcs_estimate *values, size_t count);
/* The mean over all experiments of a label in the ranked worlds. */
struct dcs_estimate report_label_value(const struct report_data *d, size_t label,
                                       const struct report_shown *s);

#endif
