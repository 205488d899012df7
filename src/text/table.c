/* table.c - see table.h. */
#include "text/table.h"

#include "des/utf8.h"

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
    static const struct scale times[] = {{1, " ns"},     {1e3, " us"},   {1e6, " ms"},
                                         {1e9, " s"},    {60e9, " min"}, {3600e9, " h"},
                                         {86400e9, " d"}};
    /* 5 min, 2 h and 10 d are the first of their units. */
    static const double ends[] = {999.5, 999.5, 999.5, 299.5, 119.95, 239.95};
    if (unit == TEXT_PERCENT)
        return (struct scale){0.01, " %"};
    if (unit == TEXT_NUMBER)
        return (struct scale){1, ""};
    size_t i = 0;
    while (i < 6 && fabs(value) / times[i].divisor >= ends[i])
        i++;
    return times[i];
}

const char *text_time_unit(double time_ns, double *divisor)
{
    struct scale scale = scale_of(time_ns, TEXT_TIME);
    *divisor = scale.divisor;
    return scale.suffix + 1;
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
    return text_value_like(value, unit, value);
}

struct text text_value_like(double value, enum text_unit unit, double like)
{
    struct dcs_estimate e = {.value = value, .low = (double)NAN, .high = (double)NAN};
    return text_estimate_like(&e, unit, 2, like);
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

struct text text_reached(const struct dcs_estimate *e, enum text_unit unit)
{
    if (isnan(e->value) && !isnan(e->low) && isnan(e->high))
        return text_format("> %.60s", text_value(e->low, unit).at);
    return isnan(e->value) ? text_format("-") : text_value(e->value, unit);
}

struct text text_estimate(const struct dcs_estimate *e, enum text_unit unit, int decimals)
{
    return text_estimate_like(e, unit, decimals, e->value);
}

struct text text_estimate_like(const struct dcs_estimate *e, enum text_unit unit, int decimals,
                               double like)
{
    if (isnan(e->value))
        return text_reached(e, unit);
    struct scale scale = scale_of(like, unit);
    decimals = decimals_for(e, &scale, unit, decimals);
    struct text value = number(e->value, &scale, unit, decimals);
    double half = half_width(e);
    if (unit == TEXT_TIME && e->value == 0 && !(half > 0)) /* no time has no unit */
        return text_format("%s", isnan(half) ? "0" : "0 ± 0");
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

/* Room for what is put around a name; reached only by text that is not UTF-8. */
#define NAME_BYTES (TEXT_BYTES - 24)

/* Puts at most `columns` columns of a name behind what the text holds. What is left of the name. */
static const char *append_name(struct text *t, const char *name, size_t columns)
{
    for (size_t used = strlen(t->at); *name != '\0' && columns > 0; columns--) {
        bool hidden;
        size_t bytes = dcs_utf8_next(name, &hidden);
        if (used + bytes + sizeof "…" > NAME_BYTES)
            break;
        memcpy(t->at + used, hidden ? "?" : name, hidden ? 1 : bytes);
        used += hidden ? 1 : bytes;
        t->at[used] = '\0';
        name += bytes;
    }
    return name;
}

static void append_cut(struct text *t)
{
    memcpy(t->at + strlen(t->at), "…", sizeof "…");
}

struct text text_name(const char *name, size_t columns)
{
    struct text t = {{0}};
    bool cut = dcs_utf8_length(name) > columns;
    if (*append_name(&t, name, cut ? columns - 1 : columns) != '\0')
        append_cut(&t);
    return t;
}

/* ---- Names beside each other ---- */

static const char *skip_columns(const char *name, size_t columns)
{
    bool hidden;
    while (columns-- > 0 && *name != '\0')
        name += dcs_utf8_next(name, &hidden);
    return name;
}

/* A name without what stands between its first `head` columns and column `from`. */
static struct text without_middle(const char *name, size_t head, size_t from, size_t columns)
{
    struct text t = {{0}};
    append_name(&t, name, head);
    append_cut(&t);
    size_t room = columns - head - 1;
    const char *rest = skip_columns(name, from);
    bool cut = dcs_utf8_length(rest) > room;
    if (*append_name(&t, rest, cut ? room - 1 : room) != '\0')
        append_cut(&t);
    return t;
}

/* How many columns two names begin with alike. */
static size_t alike_columns(const char *a, const char *b)
{
    bool hidden;
    size_t n = 0;
    for (size_t bytes; *a != '\0' && *b != '\0'; n++) {
        bytes = dcs_utf8_next(a, &hidden);
        if (bytes != dcs_utf8_next(b, &hidden) || memcmp(a, b, bytes) != 0)
            break;
        a += bytes;
        b += bytes;
    }
    return n;
}

/* A name that is cut so that it shows where it first differs (columns from its beginning) from
 * those that its beginning tells it from, and from those that read like it cut at the end. All from
 * there on where that fits, for options that vary stand at the end. */
static struct text name_apart(const char *name, size_t differs_early, size_t differs,
                              size_t columns)
{
    size_t all = dcs_utf8_length(name), rest = all - differs, head = columns / 3;
    if (differs_early + 1 > head && differs_early + 2 + rest <= columns)
        head = differs_early + 1;
    if (rest > columns - 1 - head && rest < columns)
        head = columns - 1 - rest;
    size_t tail = columns - 1 - head;
    if (rest <= tail)
        return without_middle(name, head, all - tail, columns);
    size_t before = (tail - 1) / 3; /* what leads to it: the key */
    return without_middle(name, head, differs - before, columns);
}

void text_names(const char *const *names, size_t count, size_t columns, struct text *out)
{
    struct text *plain = dcs_alloc(count + 1, sizeof *plain);
    for (size_t i = 0; i < count; i++)
        plain[i] = text_name(names[i], columns);
    for (size_t i = 0; i < count; i++) {
        size_t early = 0, late = SIZE_MAX;
        for (size_t k = 0; k < count; k++) {
            if (strcmp(names[i], names[k]) == 0)
                continue;
            size_t n = alike_columns(names[i], names[k]);
            if (strcmp(plain[i].at, plain[k].at) == 0)
                late = n < late ? n : late;
            else
                early = n > early ? n : early;
        }
        bool whole = late == SIZE_MAX || dcs_utf8_length(names[i]) <= columns;
        out[i] = whole ? plain[i] : name_apart(names[i], early, late, columns);
    }
    free(plain);
}

/* Prints a character, or what stands for it. Returns its bytes in the text. */
static size_t put_character(FILE *out, const char *text)
{
    bool hidden;
    size_t bytes = dcs_utf8_next(text, &hidden);
    if (hidden)
        fputc('?', out);
    else
        fwrite(text, 1, bytes, out);
    return bytes;
}

void text_put(FILE *out, const char *text)
{
    while (*text != '\0')
        text += put_character(out, text);
}

void text_paragraph(FILE *out, const char *text, size_t indent)
{
    size_t column = 0;
    while (*text != '\0') {
        size_t bytes = strcspn(text, " ");
        size_t width = dcs_utf8_length(text) - dcs_utf8_length(text + bytes);
        if (column > 0 && column + 1 + width > REPORT_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > 0) {
            fputc(' ', out);
            column++;
        }
        for (size_t i = 0; i < bytes; column++) {
            /* A word that is longer than a line goes on in the next. */
            if (column == REPORT_WIDTH) {
                fprintf(out, "\n%*s", (int)indent, "");
                column = indent;
            }
            i += put_character(out, text + i);
        }
        text += bytes;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

void text_note(FILE *out, size_t indent, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_paragraph(out, text, indent);
}

/* ---- Tables ---- */

struct text *table_row(struct table *t)
{
    t->rows = dcs_grow(t->rows, &t->capacity, t->count + 1, sizeof *t->rows);
    return t->rows[t->count++];
}

#define GAP 2

/* Widths of the columns, 0 for one that is left out; the first as wide as its widest cell. What is
 * left for it. */
static size_t measure(const struct table *t, size_t widths[TABLE_COLUMNS])
{
    size_t others = 0;
    for (size_t c = 0; c < TABLE_COLUMNS; c++) {
        widths[c] = 0;
        bool used = c == 0;
        for (size_t r = 0; r < t->count; r++) {
            size_t width = dcs_utf8_length(t->rows[r][c].at);
            used = used || (r > 0 && width > 0);
            if (width > widths[c])
                widths[c] = width;
        }
        if (!used)
            widths[c] = 0;
        if (c > 0 && widths[c] > 0)
            others += widths[c] + GAP;
    }
    return others + 8 < REPORT_WIDTH ? REPORT_WIDTH - others : 8;
}

size_t table_room(const struct table *t)
{
    size_t widths[TABLE_COLUMNS];
    return measure(t, widths);
}

void table_print(FILE *out, const struct table *t)
{
    size_t widths[TABLE_COLUMNS], room = measure(t, widths);
    widths[0] = widths[0] < room ? widths[0] : room;
    for (size_t r = 0; r < t->count; r++) {
        struct text name = text_name(t->rows[r][0].at, widths[0]);
        fputs(name.at, out);
        size_t blanks = widths[0] - dcs_utf8_length(name.at);
        for (size_t c = 1; c < TABLE_COLUMNS; c++) {
            const char *cell = t->rows[r][c].at;
            if (widths[c] > 0)
                blanks += GAP + widths[c] - dcs_utf8_length(cell);
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
