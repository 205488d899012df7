/*
 * number.c - see number.h.
 */
#include "text/number.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 u128;

/* A decimal number, 0.d1d2d3... * 10^point, without zeros at either end; count 0 is zero. */
struct decimal {
    bool negative;
    int count;
    int point;
    char digits[NUMBER_SIZE];
};

/* An exponent beyond this is out of every range here; stops it from overflowing an int. */
#define EXPONENT_LIMIT 100000

static int read_exponent(const char *text, size_t length)
{
    bool negative = length > 0 && text[0] == '-';
    size_t i = length > 0 && (text[0] == '-' || text[0] == '+');
    int exponent = 0;
    for (; i < length; i++)
        if (exponent < EXPONENT_LIMIT)
            exponent = exponent * 10 + (text[i] - '0');
    return negative ? -exponent : exponent;
}

/* The text follows the JSON grammar: the scanner has seen to that. */
static struct decimal read_decimal(const char *text, size_t length)
{
    struct decimal d = {0};
    bool fraction = false;
    DCS_ASSERT(length < NUMBER_SIZE);
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '-') {
            d.negative = true;
        } else if (c == '.') {
            fraction = true;
        } else if (c == 'e' || c == 'E') {
            d.point += read_exponent(text + i + 1, length - i - 1);
            break;
        } else if (d.count == 0 && c == '0') {
            d.point -= fraction; /* a leading zero only moves the point */
        } else {
            d.digits[d.count++] = c;
            d.point += !fraction;
        }
    }
    while (d.count > 0 && d.digits[d.count - 1] == '0')
        d.count--;
    return d;
}

bool number_read_whole(const char *text, size_t length, int64_t *value)
{
    struct decimal d = read_decimal(text, length);
    uint64_t limit = d.negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
    uint64_t n = 0;
    *value = 0;
    if (d.count == 0)
        return true;
    if (d.count > d.point || d.point > 19)
        return false;
    for (int i = 0; i < d.point; i++) {
        uint64_t digit = i < d.count ? (uint64_t)(d.digits[i] - '0') : 0;
        if (n > (limit - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *value = d.negative ? (int64_t)(0 - n) : (int64_t)n;
    return true;
}

static u128 power_of_ten(int exponent)
{
    u128 power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

bool number_read_time(const char *text, size_t length, int64_t unit_ns, int64_t *ns)
{
    struct decimal d = read_decimal(text, length);
    *ns = 0;
    /* Below 1e-13 units even an hour rounds to 0 ns; from 1e19 units even 1 ns is past the limit.
     */
    if (d.count == 0 || d.point < -12)
        return true;
    if (d.point > 19)
        return false;

    /* 24 digits hold the limit in ns to 1e-5 ns, and their product with an hour fits 128 bits. */
    int count = d.count < 24 ? d.count : 24;
    u128 n = 0;
    for (int i = 0; i < count; i++)
        n = n * 10 + (u128)(d.digits[i] - '0');
    n *= (u128)unit_ns;
    if (d.point >= count) {
        n *= power_of_ten(d.point - count);
    } else {
        u128 scale = power_of_ten(count - d.point);
        n = (n + scale / 2) / scale;
    }
    if (n > (u128)NUMBER_TIME_LIMIT_NS)
        return false;
    *ns = d.negative ? -(int64_t)n : (int64_t)n;
    return true;
}

void number_write_time(int64_t ns, int64_t unit_ns, char out[NUMBER_SIZE])
{
    u128 magnitude = ns < 0 ? (u128)0 - (u128)ns : (u128)ns;
    u128 unit = (u128)unit_ns;
    /* 13 decimals of an hour are 0.36 ns apart, so one of them always reads back. */
    for (int decimals = 0; decimals <= 13; decimals++) {
        u128 scale = power_of_ten(decimals);
        u128 scaled = (magnitude * scale + unit / 2) / unit;
        if ((scaled * unit + scale / 2) / scale != magnitude)
            continue;
        int length =
            snprintf(out, NUMBER_SIZE, "%s%" PRIu64, ns < 0 ? "-" : "", (uint64_t)(scaled / scale));
        if (decimals > 0)
            snprintf(out + length, NUMBER_SIZE - (size_t)length, ".%0*" PRIu64, decimals,
                     (uint64_t)(scaled % scale));
        return;
    }
    DCS_ASSERT(false); /* a time has a text that reads back */
}

int64_t number_time_from(double value, int64_t unit_ns)
{
    char text[NUMBER_SIZE];
    int64_t ns;
    DCS_ASSERT(!isnan(value));
    if (isfinite(value)) {
        number_write_real(value, text);
        if (number_read_time(text, strlen(text), unit_ns, &ns))
            return ns;
    }
    return value < 0 ? -NUMBER_TIME_LIMIT_NS : NUMBER_TIME_LIMIT_NS;
}

/* "9.2e+18" to "9.2e18", "1e-06" to "1e-6". */
static void shorten_exponent(char *text)
{
    char *exponent = strchr(text, 'e');
    if (!exponent)
        return;
    char *to = exponent + 1, *from = to;
    if (*from == '-')
        to++;
    from++;
    while (*from == '0')
        from++;
    memmove(to, from, strlen(from) + 1);
}

void number_write_real(double value, char out[NUMBER_SIZE])
{
    number_locale before = number_locale_enter();
    int digits = 0;
    DCS_ASSERT(isfinite(value));
    do
        snprintf(out, NUMBER_SIZE, "%.*g", ++digits, value);
    while (digits < 17 && strtod(out, NULL) != value);
    /* "100", not "1e+02": %g leaves the exponent away where the precision covers the whole part,
     * and a decimal of up to 15 digits comes back from a double unchanged. */
    if (strchr(out, 'e') && fabs(value) >= 1 && fabs(value) < 1e15)
        snprintf(out, NUMBER_SIZE, "%.15g", value);
    shorten_exponent(out);
    number_locale_leave(before);
}

double number_round_real(double value)
{
    char digits[NUMBER_SIZE];
    number_locale before = number_locale_enter();
    snprintf(digits, sizeof digits, "%.12g", value);
    double rounded = strtod(digits, NULL);
    number_locale_leave(before);
    return rounded == 0 ? 0 : rounded; /* not -0 */
}

/* Whether text[0..length) is a number, of the characters that JSON's have, with blanks around it.
 */
static bool read_item(const char *text, size_t length, double *value)
{
    char copy[NUMBER_SIZE], *end;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    if (length == 0 || length >= sizeof copy || strspn(text, "+-.0123456789eE") < length)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtod(copy, &end);
    return *end == '\0';
}

int number_read_list(const char *text, size_t count, double low, double high, const char *what,
                     double *out, struct dcs_err *err)
{
    size_t found = 0;
    bool more = text[strspn(text, " ")] != '\0';
    number_locale before = number_locale_enter();
    for (size_t length; more; text += length + more) {
        double value = 0;
        length = strcspn(text, ",");
        more = text[length] == ',';
        bool good = read_item(text, length, &value) && value >= low && value <= high;
        if (!good) {
            number_locale_leave(before);
            return dcs_err_set(err,
                               "expected %zu %s from %g to %g with commas between them; number %zu "
                               "is \"%.*s\"",
                               count, what, low, high, found + 1, length < 32 ? (int)length : 32,
                               text);
        }
        if (found < count)
            out[found] = value;
        found++;
    }
    number_locale_leave(before);
    if (found == count)
        return 0;
    return dcs_err_set(err, "expected %zu %s from %g to %g with commas between them, found %zu",
                       count, what, low, high, found);
}

int64_t number_unit_ns(const char *unit)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {
        {"ns", 1},           {"us", DCS_NS_PER_US},      {"ms", DCS_NS_PER_MS},
        {"s", DCS_NS_PER_S}, {"h", 3600 * DCS_NS_PER_S},
    };
    for (size_t i = 0; unit && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].ns;
    return 0;
}

number_locale number_locale_enter(void)
{
    /* The C library keeps this one locale for good: nothing is allocated, nothing to free. */
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    DCS_ASSERT(c != (locale_t)0);
    return (number_locale)uselocale(c);
}

void number_locale_leave(number_locale before)
{
    uselocale((locale_t)before);
}
