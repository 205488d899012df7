/*
 * table.h - numbers, times and percentages as a person reads them, and tables and paragraphs of at
 * most REPORT_WIDTH columns.
 *
 * A column is a Unicode code point. What a terminal would obey or hide (des/utf8.h), which a name
 * in an input may hold, comes out as '?'.
 */
#ifndef DCS_TEXT_TABLE_H
#define DCS_TEXT_TABLE_H

#include "des/stats.h"

#include <stdio.h>

#define REPORT_WIDTH 100
#define TEXT_BYTES   128

/* A short text that is passed around by value. */
struct text {
    char at[TEXT_BYTES];
};

enum text_unit {
    TEXT_NUMBER,  /* as it is */
    TEXT_PERCENT, /* a share of 1 */
    TEXT_TIME,    /* ns; printed in the unit that suits the value */
};

/* The value with three significant digits, "-" for NaN; a percentage with two decimals, no time as
 * "0". Only exactly 0 and 1 are 0.00 % and 100.00 %, what is near them is <0.01 % and >99.99 %. */
struct text text_value(double value, enum text_unit unit);
/* The same, a time in the unit that suits `like`: times beside each other have one unit. */
struct text text_value_like(double value, enum text_unit unit, double like);
/* The unit that a time is printed in, and how many ns it has. */
const char *text_time_unit(double time_ns, double *divisor);
/* The same with its interval: "12.3 ± 0.4 ms", or "12.3 [11.9, 12.9] ms" for medians and intervals
 * that do not lie evenly around the value. "> 12.3 ms" where there is no value but a low end: a
 * quantile that was not reached (runs/summary.h). decimals: of percentages, at least. */
struct text text_estimate(const struct dcs_estimate *e, enum text_unit unit, int decimals);
/* The same, a time in the unit that suits `like`. */
struct text text_estimate_like(const struct dcs_estimate *e, enum text_unit unit, int decimals,
                               double like);
/* An estimate's value alone, or what it exceeds where a quantile was not reached: "> 3.2 s". */
struct text text_reached(const struct dcs_estimate *e, enum text_unit unit);
/* A whole number, in at most `columns` (>= 7) columns. */
struct text text_count(double value, int columns);
/* A name in at most `columns` columns, cut with "…". */
struct text text_name(const char *name, size_t columns);
/* Names that stand below each other, each in at most `columns` (>= 4) columns. Where some would
 * read alike if they were cut at the end, they are cut before what differs; that may still leave
 * names that differ but read alike. out: as many as names. */
void text_names(const char *const *names, size_t count, size_t columns, struct text *out);
struct text text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a text from an input as it is, in a line of its own or the last of a line. */
void text_put(FILE *out, const char *text);
/* Prints text filled to the width, further lines indented by `indent`. */
void text_paragraph(FILE *out, const char *text, size_t indent);
/* The same of a format; cut after 1023 bytes. */
void text_note(FILE *out, size_t indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Rows of cells; the first column is aligned left, the others right, two columns between them. A
 * column that holds nothing but its title is left out. The first column is cut to fit the width. */
#define TABLE_COLUMNS 11
struct table {
    struct text (*rows)[TABLE_COLUMNS];
    size_t count, capacity;
};
/* A new row of empty cells, valid until the next call. */
struct text *table_row(struct table *t);
/* How wide the first column may be before it is cut, by what the other columns hold so far. */
size_t table_room(const struct table *t);
void table_print(FILE *out, const struct table *t);
void table_release(struct table *t);

#endif
