/*
 * number.h - numbers as they stand in a config: exact from text, shortest to text.
 *
 * Nothing here goes through a double where a double would lose digits: whole numbers keep 64 bits
 * and times keep their nanoseconds. Nothing here depends on the locale.
 */
#ifndef DCS_TEXT_NUMBER_H
#define DCS_TEXT_NUMBER_H

#include "des/base.h"

/* Room for any number that is written here, and for the longest that a config may hold. */
#define NUMBER_SIZE 64

/* The furthest time from 0 in a config, about 145 years: the sum of two still fits an int64_t. */
#define NUMBER_TIME_LIMIT_NS 4600000000000000000LL

/* Reads a whole number from JSON number text: "5", "5.0" and "5e0" are 5. False if it has a
 * fraction or does not fit. */
bool number_read_whole(const char *text, size_t length, int64_t *value);

/* Reads a time from JSON number text in units of unit_ns (1 to 3.6e12), rounded to the nearest
 * nanosecond, halves away from zero. False if it is further from 0 than NUMBER_TIME_LIMIT_NS. */
bool number_read_time(const char *text, size_t length, int64_t unit_ns, int64_t *ns);

/* The fewest decimals that number_read_time reads back as the same ns. */
void number_write_time(int64_t ns, int64_t unit_ns, char out[NUMBER_SIZE]);

/* The nearest time to `value` units, held within the limit. */
int64_t number_time_from(double value, int64_t unit_ns);

/* The fewest digits that read back as the same bits. `value` is finite. */
void number_write_real(double value, char out[NUMBER_SIZE]);

/* The nearest number of at most 12 significant digits, as a person would write it: 0.3 for three
 * times 0.1. `value` is finite. */
double number_round_real(double value);

/* Reads the numbers of a text with commas between them, blanks around them: `count` of them, each
 * from low to high. `what`: how the error calls them, "rates". */
int number_read_list(const char *text, size_t count, double low, double high, const char *what,
                     double *out, struct dcs_err *err);

/* Nanoseconds of "ns", "us", "ms", "s", "h"; 0 for any other unit and for NULL. */
int64_t number_unit_ns(const char *unit);

/* While a thread is between these two, printf and strtod write and read a point, whatever locale a
 * program around us has set. */
typedef void *number_locale;
number_locale number_locale_enter(void);
void number_locale_leave(number_locale before);

#endif
