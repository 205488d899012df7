/*
 * report_chart.h - figures of a page as inline SVG: lines over an axis, and dots in rows, both with
 * intervals. Each has a title, a legend, and its numbers as a table below it, for those who cannot
 * see it.
 *
 * A series is told from the others by colour, dashes and mark. Values are raw: shares, ns.
 */
#ifndef DCS_REPORT_CHART_H
#define DCS_REPORT_CHART_H

#include "report/page/report_page.h"
#include "report/page/report_scale.h"

#define CHART_SERIES 8 /* at most; the caller says what it left out */

struct chart_point {
    double x, y, low, high; /* low, high NaN: no interval; y NaN: there is no point */
};

struct chart_line {
    const char *name;
    struct chart_point *points; /* by x */
    size_t count;
    size_t look; /* colour, dashes and mark, 1 to CHART_SERIES; 0: those of its place */
};

enum chart_shape {
    CHART_LINES, /* from point to point, with marks */
    CHART_STEPS, /* y holds from its x to the next */
    CHART_CDF,   /* the same, ends at 1; its table has quantiles */
    CHART_STACK, /* areas, each on top of those before; y holds to the next x */
};

struct chart {
    const char *title, *note; /* note: NULL or a sentence below */
    struct chart_axis x, y;
    enum chart_shape shape;
    bool closed; /* the last point of each line says where its last step ends, and is none itself */
    const struct chart_line *lines;
    size_t lines_count;  /* 1 to CHART_SERIES */
    double mark;         /* a vertical line here; NaN: none */
    const char *mark_as; /* what it is */
    double most;         /* 0, or y beyond it are off the scale: at its upper edge, with arrows */
    double level;        /* a horizontal line here, if level_as says what it is */
    const char *level_as;
};

void chart_lines(struct page *p, const struct chart *c);

#define CHART_MISSING " Experiments without this value are left out"
/* Says so in the note, and at which places on the axis; of none nothing. */
void chart_note_missing(struct text_buffer *note, const double *places, size_t count);

struct chart_row {
    const char *label;         /* long ones are cut so that rows differ (text_names()) */
    const char *text;          /* NULL, or what stands at the right of the label */
    struct dcs_estimate *dots; /* one for each series; NaN: none */
};

struct chart_dots {
    const char *title, *note;
    struct chart_axis x;
    bool difference;           /* shares may be below 0, and are in points; 0 is on the axis */
    const char *const *series; /* names */
    size_t series_count;       /* 1 to CHART_SERIES */
    const struct chart_row *rows;
    size_t rows_count;
    double mark; /* a vertical line here, if mark_as says what it is */
    const char *mark_as;
};

void chart_dots(struct page *p, const struct chart_dots *c);

#endif
