/*
 * fields.c - the field parsers of format.h. A table of hundreds of millions of rows goes through
 * them, so numbers of up to 19 digits are read by hand; strtod is left with what is rare.
 */
#include "traces/format.h"

#include <stdlib.h>
#include <string.h>

/* What a character stands for; above 9 if it is no digit. */
static inline unsigned digit_of(char c)
{
    return (unsigned)(unsigned char)c - '0';
}

bool trace_int64(const char *text, int64_t *out)
{
    bool negative = *text == '-';
    const char *first = text + negative, *at = first;
    uint64_t value = 0;
    unsigned digit;
    for (; (digit = digit_of(*at)) <= 9 && at - first < 18; at++)
        value = value * 10 + digit;
    for (; (digit = digit_of(*at)) <= 9; at++) { /* this one may overflow */
        if (value > ((uint64_t)INT64_MAX + negative - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (at == first || *at != '\0')
        return false;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

/* A decimal as written: mantissa * 10^-decimals, exponent applied; false if it is none. `exact`:
 * all digits are in the mantissa. */
struct decimal {
    uint64_t mantissa;
    int decimals;
    bool negative, exact;
};

static bool read_decimal(const char *text, struct decimal *d)
{
    const char *at = text + (*text == '-' || *text == '+');
    *d = (struct decimal){.negative = *text == '-', .exact = true};
    int digits = 0, significant = 0;
    bool point = false;
    for (;; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (*at < '0' || *at > '9')
            break;
        digits++;
        significant += significant > 0 || *at != '0';
        if (significant > 18)
            d->exact = false;
        if (!d->exact)
            continue;
        d->mantissa = d->mantissa * 10 + (uint64_t)(*at - '0');
        d->decimals += point;
    }
    if (digits == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        char *end;
        if (at[1] != '-' && at[1] != '+' && (at[1] < '0' || at[1] > '9'))
            return false;
        long exponent = strtol(at + 1, &end, 10);
        if (end == at + 1)
            return false;
        at = end;
        if (exponent < -300 || exponent > 300)
            d->exact = false;
        else
            d->decimals -= (int)exponent;
    }
    return *at == '\0';
}

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Up to 2^53 and 10^22 both factors are exact, so that one rounding gives the nearest double. */
bool trace_number(const char *text, double *out)
{
    struct decimal d;
    if (!read_decimal(text, &d))
        return false;
    double value;
    if (d.exact && d.mantissa <= 1ULL << 53 && d.decimals >= -22 && d.decimals <= 22) {
        value = (double)d.mantissa;
        value =
            d.decimals > 0 ? value / powers_of_ten[d.decimals] : value * powers_of_ten[-d.decimals];
        value = d.negative ? -value : value;
    } else {
        value = strtod(text, NULL);
        if (!__builtin_isfinite(value))
            return false;
    }
    *out = value;
    return true;
}

/* Through integers: a double has too few digits for nanoseconds since a trace's zero. */
bool trace_decimal(const char *text, int digits, int64_t *out)
{
    struct decimal d;
    DCS_ASSERT(digits >= 0 && digits <= 9);
    if (!read_decimal(text, &d))
        return false;
    uint64_t value = d.mantissa;
    int shift = digits - d.decimals;
    if (!d.exact) { /* more digits than any time has */
        double number;
        if (!trace_number(text, &number))
            return false;
        number *= powers_of_ten[digits];
        if (number < -9.2e18 || number > 9.2e18)
            return false;
        *out = (int64_t)number;
        return true;
    }
    for (; shift < 0 && value > 0; shift++)
        value /= 10;
    for (; shift > 0 && value > 0; shift--) {
        if (value > (uint64_t)INT64_MAX / 10)
            return false;
        value *= 10;
    }
    *out = d.negative ? -(int64_t)value : (int64_t)value;
    return true;
}

bool trace_seconds_ns(const char *text, int64_t *out)
{
    return trace_decimal(text, 9, out);
}

bool trace_microseconds_ns(const char *text, int64_t *out)
{
    int64_t us;
    if (!trace_int64(text, &us))
        return false;
    if (us == INT64_MAX) {
        *out = DCS_NEVER;
        return true;
    }
    return !__builtin_mul_overflow(us, DCS_NS_PER_US, out);
}

enum trace_issue trace_bad_number(const char *text)
{
    double number;
    return trace_number(text, &number) ? ISSUE_OUT_OF_RANGE : ISSUE_MALFORMED;
}

/* FNV-1a, then a mix of the upper bits (the finalizer of splitmix64). */
uint64_t trace_hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return h ^ h >> 31;
}

bool trace_models(const char *text, char out[TRACE_MODELS_BYTES])
{
    size_t length = strlen(text), name = 0;
    if (length >= TRACE_MODELS_BYTES)
        return false;
    for (size_t i = 0; i <= length && length > 0; i++) {
        bool ends = text[i] == '|' || i == length;
        if ((ends && name == 0) || (!ends && (unsigned char)text[i] < ' '))
            return false;
        name = ends ? 0 : name + 1;
    }
    memcpy(out, text, length + 1);
    return true;
}
