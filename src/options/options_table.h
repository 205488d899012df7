/*
 * options_table.h - what the rows of an option table say, for those who parse by it and those who
 * explain it. For options*.c only.
 */
#ifndef DCS_OPTIONS_TABLE_H
#define DCS_OPTIONS_TABLE_H

#include "options/options.h"

/* Whether the row has a range of its own: low == high == 0 means that it has none. */
bool options_ranged(const struct param *row);

/* Whether a bound of the row bounds anything; an infinite one is how a range is left open. */
bool options_bounds(const struct param *row, double value);

/* The upper bound, in the row's unit, of a number that is ranged or a time. */
double options_highest(const struct param *row);

/* The inclusive range of a PARAM_INT, a PARAM_LIST's count (0 up) and a PARAM_TIME (in ns); the
 * type's own if the row has none. */
void options_range(const struct param *row, int64_t *low, int64_t *high);

/* Bytes of a value in the options struct. */
size_t options_size(const struct param *row);

/* The word that is the default of a PARAM_TIME; NULL: a time is. */
const char *options_default_word(const struct param *row);

/* Appends what a value must be: a whole number from 1 to 8; one of "a", "b". */
void options_expected(struct text_buffer *out, const struct param *row);

/* Appends "from 1 to 8", "of at least 1", "of at most 8", or nothing. */
void options_append_range(struct text_buffer *out, const struct param *row);

#endif
