/* table_time.c - see table_time.h. */
#include "traces/table/table_time.h"

#include "traces/format.h"

#include <string.h>

#define DAYS_PER_400_YEARS 146097
#define SECONDS_PER_DAY    86400

const char *const table_unit_names[TABLE_UNITS + 1] = {"ns",  "us", "ms", "s",
                                                       "min", "h",  "d",  NULL};

static bool number_ns(const char *text, enum table_unit unit, int64_t *out)
{
    static const struct {
        int digits; /* behind the point of a second */
        int64_t times;
    } units[TABLE_UNITS] = {
        [TABLE_NS] = {0, 1},      [TABLE_US] = {3, 1},   [TABLE_MS] = {6, 1},
        [TABLE_S] = {9, 1},       [TABLE_MIN] = {9, 60}, [TABLE_HOURS] = {9, 3600},
        [TABLE_DAYS] = {9, 86400}};
    int64_t value;
    return trace_decimal(text, units[unit].digits, &value) &&
           !__builtin_mul_overflow(value, units[unit].times, out);
}

/* Reads `digits` digits. */
static bool take_digits(const char **at, int digits, int *out)
{
    *out = 0;
    for (int i = 0; i < digits; i++, (*at)++) {
        if (**at < '0' || **at > '9')
            return false;
        *out = *out * 10 + (**at - '0');
    }
    return true;
}

static bool take_char(const char **at, char c)
{
    *at += **at == c;
    return (*at)[-1] == c;
}

/* Days from 1970-01-01 to a date of the Gregorian calendar: in 400 years from a March on, so that
 * the day that is not always there is the last. */
static int64_t days_to(int year, int month, int day)
{
    int64_t from_march = year - (month <= 2);
    int64_t era = from_march / 400, in_era = from_march % 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = in_era * 365 + in_era / 4 - in_era / 100 + day_of_year;
    return era * DAYS_PER_400_YEARS + day_of_era - 719468;
}

static int days_of_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

/* "Z", "+01:00", "+0100", "+01" or nothing, up to the end; in seconds east. */
static bool take_zone(const char *at, int *east_s)
{
    int hours, minutes = 0, sign = *at == '-' ? -1 : 1;
    *east_s = 0;
    if (*at == '\0' || strcmp(at, "Z") == 0)
        return true;
    if (*at != '+' && *at != '-')
        return false;
    at++;
    if (!take_digits(&at, 2, &hours))
        return false;
    at += *at == ':';
    if (*at != '\0' && !take_digits(&at, 2, &minutes))
        return false;
    *east_s = sign * (hours * 3600 + minutes * 60);
    return *at == '\0' && hours <= 14 && minutes < 60;
}

/* ":SS[.fraction]", if there. */
static bool take_seconds(const char **at, int *seconds, int64_t *fraction_ns)
{
    *seconds = 0;
    *fraction_ns = 0;
    if (**at != ':')
        return true;
    ++*at;
    if (!take_digits(at, 2, seconds))
        return false;
    if (**at != '.')
        return true;
    ++*at;
    for (int64_t ns = DCS_NS_PER_S / 10; **at >= '0' && **at <= '9'; ++*at, ns /= 10)
        *fraction_ns += (**at - '0') * ns;
    return (*at)[-1] != '.';
}

static bool date_ns(const char *at, int64_t *out)
{
    int year, month, day, hour = 0, minute = 0, second = 0, east_s;
    int64_t fraction_ns = 0;
    if (!take_digits(&at, 4, &year) || !take_char(&at, '-') || !take_digits(&at, 2, &month) ||
        !take_char(&at, '-') || !take_digits(&at, 2, &day))
        return false;
    if (*at == 'T' || *at == ' ') {
        at++;
        if (!take_digits(&at, 2, &hour) || !take_char(&at, ':') || !take_digits(&at, 2, &minute) ||
            !take_seconds(&at, &second, &fraction_ns))
            return false;
    }
    if (!take_zone(at, &east_s) || year < 1970 || year > 2100 || month < 1 || month > 12 ||
        day < 1 || day > days_of_month(year, month) || hour > 23 || minute > 59 || second > 60)
        return false;
    int64_t seconds =
        days_to(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second - east_s;
    *out = seconds * DCS_NS_PER_S + fraction_ns;
    return true;
}

bool table_moment_ns(const char *text, enum table_unit unit, int64_t *out)
{
    bool date = strlen(text) >= 10 && text[4] == '-' && text[7] == '-';
    return date ? date_ns(text, out) : number_ns(text, unit, out);
}

/* A whole number of at most 6 digits. */
static bool take_whole(const char **at, int64_t *out)
{
    int digits = 0;
    for (*out = 0; **at >= '0' && **at <= '9' && digits <= 6; ++*at, digits++)
        *out = *out * 10 + (**at - '0');
    return digits >= 1 && digits <= 6;
}

bool table_stretch_ns(const char *text, enum table_unit unit, int64_t *out)
{
    const char *at = text;
    int64_t days = 0, hours, fraction_ns;
    int minutes, seconds;
    if (strchr(text, ':') == NULL)
        return number_ns(text, unit, out);
    if (strchr(text, '-') != NULL && (!take_whole(&at, &days) || !take_char(&at, '-')))
        return false;
    if (!take_whole(&at, &hours) || !take_char(&at, ':') || !take_digits(&at, 2, &minutes) ||
        *at != ':' || !take_seconds(&at, &seconds, &fraction_ns) || *at != '\0' || minutes > 59 ||
        seconds > 59)
        return false;
    *out = (days * SECONDS_PER_DAY + hours * 3600 + minutes * 60 + seconds) * DCS_NS_PER_S +
           fraction_ns;
    return true;
}
