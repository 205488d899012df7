/* report_text.c - see report_text.h. */
#include "report_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct text text_format(const char *format, ...)
{
    struct text t;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(t.at, sizeof t.at, format, arguments);
    va_end(arguments);
    DCS_ASSERT(length >= 0 && (size_t)length < sizeof t.at);
    return t;
}

/* ---- Numbers ---- */

/* 10^-n. Not pow(), whose last bits depend on the processor. */
static double tenth(int n)
{
    static const double powers[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    return powers[n];
}

/* Decimals that show `digits` significant digits of a value, 0 to 6. */
static int decimals_of(double value, int digits)
{
    int decimals = digits - 1;
    double bound = 10 - 5 * tenth(digits); /* what rounds to ten */
    double v = fabs(value);
    while (v >= bound && decimals > 0) {
        v /= 10;
        decimals--;
    }
    v = fabs(value);
    while (v > 0 && v < bound / 10 && decimals < 6) {
        v *= 10;
        decimals++;
    }
    return decimals;
}

/* What a time is divided by, and how that is called. */
struct scale {
    double divisor;
    const char *suffix;
};

static struct scale scale_of(double value, enum text_unit unit)
{
    static const struct scale times[] = {{1, " ns"}, {1e3, " us"}, {1e6, " ms"}, {1e9, " s"}};
    if (unit == TEXT_PERCENT)
        return (struct scale){0.01, " %"};
    if (unit == TEXT_NUMBER)
        return (struct scale){1, ""};
    size_t i = 0;
    while (i < 3 && fabs(value) / times[i].divisor >= 999.5)
        i++;
    return times[i];
}

/* 99.99 of 100 must not look like all, nor 1 of 100 000 like none. */
static struct text percent(double value, int decimals)
{
    double near = tenth(decimals);
    double shown = value * 100;
    if (value > 0 && value < 1 && shown < near / 2)
        return text_format("<%.*f", decimals, near);
    if (value > 0 && value < 1 && shown >= 100 - near / 2)
        return text_format(">%.*f", decimals, 100 - near);
    return text_format("%.*f", decimals, shown);
}

static struct text number(double value, const struct scale *scale, enum text_unit unit,
                          int decimals)
{
    if (unit == TEXT_PERCENT)
        return percent(value, decimals);
    double scaled = value / scale->divisor;
    if (fabs(scaled) >= (unit == TEXT_TIME ? 999999.5 : 1e12))
        return text_format("%.1e", scaled);
    return text_format("%.*f", decimals, scaled);
}

struct text text_value(double value, enum text_unit unit)
{
    struct dcs_estimate e = {.value = value, .low = (double)NAN, .high = (double)NAN};
    return text_estimate(&e, unit, 2);
}

/* Half the width of an interval; 0 where it is no more than rounding, as for runs that agree. */
static double half_width(const struct dcs_estimate *e)
{
    double half = (e->high - e->low) / 2;
    return half < 1e-9 * fabs(e->value) ? 0 : half;
}

/* Decimals that suit a value and its half width: two digits of the half width say all that is known
 * of the value's own. `least` is for percentages. */
static int decimals_for(const struct dcs_estimate *e, const struct scale *scale,
                        enum text_unit unit, int least)
{
    double half = half_width(e) / scale->divisor, value = e->value / scale->divisor;
    if (unit == TEXT_PERCENT) {
        /* An interval of ± 0.00 would say that there is no doubt. */
        while (half > 0 && half < tenth(least) / 2 && least < 4)
            least++;
        return least;
    }
    if (half > 0 && half <= fabs(value))
        return decimals_of(half, 2);
    return unit == TEXT_NUMBER && value == floor(value) ? 0 : decimals_of(value, 3);
}

struct text text_estimate(const struct dcs_estimate *e, enum text_unit unit, int decimals)
{
    if (isnan(e->value))
        return text_format("-");
    struct scale scale = scale_of(e->value, unit);
    decimals = decimals_for(e, &scale, unit, decimals);
    struct text value = number(e->value, &scale, unit, decimals);
    double half = half_width(e);
    if (isnan(half))
        return text_format("%.30s%s", value.at, scale.suffix);
    double lopsided = fabs(e->high + e->low - 2 * e->value);
    if (!e->median && (half == 0 || lopsided <= 1e-6 * half)) {
        /* A half width is no share: <0.01 % does not apply to it. */
        struct text width = unit == TEXT_PERCENT ? text_format("%.*f", decimals, half * 100)
                                                 : number(half, &scale, unit, decimals);
        return text_format("%.30s ± %.30s%s", value.at, width.at, scale.suffix);
    }
    struct text low = number(e->low, &scale, unit, decimals);
    struct text high = number(e->high, &scale, unit, decimals);
    return text_format("%.30s [%.20s, %.20s]%s", value.at, low.at, high.at, scale.suffix);
}

struct text text_count(double value, int columns)
{
    if (isnan(value))
        return text_format("-");
    struct text t = text_format("%.0f", value);
    if (value != floor(value) && value < 1000)
        t = text_format("%.1f", value);
    return strlen(t.at) <= (size_t)columns ? t : text_format("%.1e", value);
}

/* ---- Text ---- */

static bool begins_point(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t columns_of(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += begins_point(*text);
    return n;
}

/* Bytes of the code point at text, as long as the text has them. */
static size_t point_bytes(const char *text)
{
    size_t n = 1;
    while (text[n] != '\0' && !begins_point(text[n]))
        n++;
    return n;
}

static bool is_control(const char *point, size_t bytes)
{
    unsigned char first = (unsigned char)point[0];
    return first < 0x20 || first == 0x7f ||
           (first == 0xc2 && bytes == 2 && (unsigned char)point[1] < 0xa0);
}

/* Room for what is put around a name; reached only by text that is not UTF-8. */
#define NAME_BYTES (TEXT_BYTES - 24)

struct text text_name(const char *name, size_t columns)
{
    struct text t = {{0}};
    bool cut = columns_of(name) > columns;
    size_t used = 0, keep = cut ? columns - 1 : columns;
    while (*name != '\0' && keep > 0) {
        size_t bytes = point_bytes(name);
        bool control = is_control(name, bytes);
        if (used + bytes + sizeof "…" > NAME_BYTES) {
            cut = true;
            break;
        }
        memcpy(t.at + used, control ? "?" : name, control ? 1 : bytes);
        used += control ? 1 : bytes;
        name += bytes;
        keep--;
    }
    if (cut)
        memcpy(t.at + used, "…", sizeof "…");
    return t;
}

void text_paragraph(FILE *out, const char *text, size_t indent)
{
    size_t column = 0;
    while (*text != '\0') {
        size_t bytes = strcspn(text, " "), width = 0;
        for (size_t i = 0; i < bytes; i++)
            width += begins_point(text[i]);
        if (column > 0 && column + 1 + width > REPORT_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > 0) {
            fputc(' ', out);
            column++;
        }
        for (size_t i = 0, n; i < bytes; i += n) {
            n = point_bytes(text + i);
            /* A word that is longer than a line goes on in the next. */
            if (column == REPORT_WIDTH) {
                fprintf(out, "\n%*s", (int)indent, "");
                column = indent;
            }
            if (is_control(text + i, n))
                fputc('?', out);
            else
                fwrite(text + i, 1, n, out);
            column++;
        }
        text += bytes;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* ---- Tables ---- */

struct text *table_row(struct table *t)
{
    t->rows = dcs_grow(t->rows, &t->capacity, t->count + 1, sizeof *t->rows);
    return t->rows[t->count++];
}

#define GAP 2

/* Widths of the columns, 0 for one that is left out; the first takes what is left at most. */
static void measure(const struct table *t, size_t widths[TABLE_COLUMNS])
{
    size_t others = 0;
    for (size_t c = 0; c < TABLE_COLUMNS; c++) {
        widths[c] = 0;
        bool used = c == 0;
        for (size_t r = 0; r < t->count; r++) {
            size_t width = columns_of(t->rows[r][c].at);
            used = used || (r > 0 && width > 0);
            if (width > widths[c])
                widths[c] = width;
        }
        if (!used)
            widths[c] = 0;
        if (c > 0 && widths[c] > 0)
            others += widths[c] + GAP;
    }
    if (widths[0] + others > REPORT_WIDTH)
        widths[0] = others + 8 < REPORT_WIDTH ? REPORT_WIDTH - others : 8;
}

void table_print(FILE *out, const struct table *t)
{
    size_t widths[TABLE_COLUMNS];
    measure(t, widths);
    for (size_t r = 0; r < t->count; r++) {
        struct text name = text_name(t->rows[r][0].at, widths[0]);
        fputs(name.at, out);
        size_t blanks = widths[0] - columns_of(name.at);
        for (size_t c = 1; c < TABLE_COLUMNS; c++) {
            const char *cell = t->rows[r][c].at;
            if (widths[c] > 0)
                blanks += GAP + widths[c] - columns_of(cell);
            if (widths[c] == 0 || cell[0] == '\0')
                continue;
            fprintf(out, "%*s%s", (int)blanks, "", cell);
            blanks = 0;
        }
        fputc('\n', out); /* blanks at the end stay away */
    }
}

void table_release(struct table *t)
{
    free(t->rows);
    *t = (struct table){0};
}
