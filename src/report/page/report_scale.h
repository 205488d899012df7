/*
 * report_scale.h - from values to places on a figure, and the round numbers that stand at an axis.
 */
#ifndef DCS_REPORT_SCALE_H
#define DCS_REPORT_SCALE_H

#include "text/table.h"

struct chart_axis {
    const char *label; /* without the unit of times and shares */
    enum text_unit unit;
    bool log;
    bool whole;  /* shows all of a share, 0 to 100 % */
    bool count;  /* of things: no number between whole ones */
    double like; /* a time in whose unit all stand; 0: in that of the largest, up to seconds */
};

struct scale {
    double low, high; /* in shown units */
    double divisor;   /* raw over shown */
    double from, to;  /* where low and high are on the page */
    bool log, count;
    const char *suffix;
};

/* Of an axis whose values go from low to high, raw; from and to are the caller's to set. */
struct scale scale_of(const struct chart_axis *a, double low, double high);

/* Makes room around the data, and ends on round numbers. share: the values, whatever their
 * intervals are, lie within 0 and 100 %, and so does what is shown. */
void scale_widen(struct scale *s, const struct chart_axis *a, bool share, bool from_zero);

/* Where a raw value is on the page; a value outside of the scale stands just beyond its end. */
double scale_place(const struct scale *s, double raw);

#define SCALE_TICKS 32
/* Where numbers stand, in shown units; log scales get 1, 2, 5, or whole decades where there are
 * many. Returns how many. */
size_t scale_ticks(const struct scale *s, double ticks[SCALE_TICKS]);
struct text scale_tick_text(double shown);

#endif
