/*
 * report_scale.h - from numbers to places on a figure, and back to round numbers beside it. For
 * report_chart.c.
 */
#ifndef DCS_REPORT_SCALE_H
#define DCS_REPORT_SCALE_H

#include "report_chart.h"

struct chart_scale {
    double low, high; /* in shown units */
    double divisor;   /* raw over shown */
    double from, to;  /* where low and high are on the page */
    bool log;
    const char *suffix;
};

/* low, high: raw. The units suit them; from and to are the caller's. */
struct chart_scale chart_scale(const struct chart_axis *a, double low, double high);
/* Makes room around the data, and ends on round numbers. share: the values, whatever their
 * intervals are, lie within 0 and 100 %, and so does what is shown. */
void chart_widen(struct chart_scale *s, const struct chart_axis *a, bool share, bool from_zero);
/* Where a raw number is; what is outside stands just beyond the end. */
double chart_place(const struct chart_scale *s, double raw);
/* Up to 32 shown numbers; log scales get 1, 2, 5, or whole decades where there are many. */
size_t chart_ticks(const struct chart_scale *s, double ticks[32]);
struct text chart_tick(double shown);

#endif
