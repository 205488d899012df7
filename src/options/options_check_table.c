/*
 * options_check_table.c - is an option table sound? See options_check_table in options.h.
 *
 * A plug-in's table is data from outside: after this check the rest of options*.c may trust it.
 * What cannot be checked is that its pointers point somewhere and that PARAM_END closes it; a table
 * that runs on is caught by the type or the number of its rows.
 */
#include "des/utf8.h"
#include "options/options_json.h"
#include "text/number.h"
#include "options/options_table.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#define MAX_ROWS  256 /* no table of ours or anyone's comes near */
#define MAX_DEPTH 16
#define MAX_NAME  48
#define MAX_WHOLE 0x1p53 /* the largest range in which a double is every whole number */

struct checker {
    struct dcs_err *err;
    const char *name; /* of the row at hand; NULL before it is known to be one */
    size_t row;
};

static int __attribute__((format(printf, 2, 3)))
bad(const struct checker *c, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (c->name)
        return dcs_err_set(c->err, "option table: \"%s\": %s", c->name, text);
    return dcs_err_set(c->err, "option table: row %zu: %s", c->row, text);
}

/* A key: [a-z][a-z0-9_]*. A leading '_' would make it a comment, and '.', '[' have a meaning in
 * paths. */
static bool is_key(const char *name)
{
    size_t length = strnlen(name, MAX_NAME + 1);
    if (length == 0 || length > MAX_NAME || name[0] < 'a' || name[0] > 'z')
        return false;
    return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static bool is_text(const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0, length; i < size; i += length) {
        length = dcs_utf8_point(text + i, size - i, NULL);
        if (length == 0)
            return false;
    }
    return true;
}

/* What a key of this unit must end in: times, rates and bytes are mistaken for one another most
 * easily. False if the unit asks for nothing. */
static bool unit_suffix(const char *unit, char *suffix, size_t size)
{
    static const char *const bytes[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    if (unit[0] == '1' && unit[1] == '/') {
        snprintf(suffix, size, "_per_%s", unit + 2);
        return true;
    }
    bool asks = number_unit_ns(unit) > 0;
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++)
        asks = asks || strcmp(unit, bytes[i]) == 0;
    if (!asks)
        return false;
    snprintf(suffix, size, "_%s", unit);
    for (char *s = suffix; *s != '\0'; s++)
        *s = (char)tolower((unsigned char)*s);
    return true;
}

static int check_unit(const struct checker *c, const struct param *row)
{
    char suffix[64];
    if (row->type == PARAM_TIME && number_unit_ns(row->unit) == 0)
        return bad(c, "the unit of a time must be one of \"ns\", \"us\", \"ms\", \"s\", \"h\"");
    if (!row->unit)
        return 0;
    if (row->type != PARAM_INT && row->type != PARAM_REAL && row->type != PARAM_TIME)
        return bad(c, "only a number can have a unit");
    if (row->unit[0] == '\0' || !is_text(row->unit))
        return bad(c, "the unit is empty or no text; NULL stands for none");
    if (!unit_suffix(row->unit, suffix, sizeof suffix))
        return 0;
    size_t name = strlen(row->name), end = strlen(suffix);
    if (name <= end || strcmp(row->name + name - end, suffix) != 0)
        return bad(c, "the name of an option in %s must end in \"%s\"", row->unit, suffix);
    return 0;
}

/* Ranges of numbers, and of the length of a list. */
static int check_range(const struct checker *c, const struct param *row)
{
    bool whole = row->type == PARAM_INT || row->type == PARAM_LIST;
    double limit = 0;
    if (isnan(row->low) || isnan(row->high) || row->low > row->high)
        return bad(c, "the range is empty (low %g, high %g)", row->low, row->high);
    if (whole && isfinite(row->low) && row->low != floor(row->low))
        return bad(c, "the range of a whole number begins at %g", row->low);
    if (whole && isfinite(row->high) && row->high != floor(row->high))
        return bad(c, "the range of a whole number ends at %g", row->high);
    if (row->type == PARAM_LIST && row->low < 0)
        return bad(c, "the shortest list would have %g elements", row->low);
    if (row->type == PARAM_TIME) {
        limit = (double)NUMBER_TIME_LIMIT_NS / (double)number_unit_ns(row->unit);
        if (row->low < -limit || (isfinite(row->high) && row->high > limit))
            return bad(c, "the range is not within 145 years");
    }
    return 0;
}

/* A word in place of a time; check_choices() says of what number. */
static bool has_default_word(const struct param *row)
{
    return row->type == PARAM_TIME && row->choices != NULL && row->number < 0;
}

static int check_default(const struct checker *c, const struct param *row)
{
    double value = row->number;
    if (row->required) {
        if (value != 0 || row->text)
            return bad(c, "a required option has no default");
        return 0;
    }
    if (row->type != PARAM_STRING && row->text)
        return bad(c, "only a string has a default text");
    if (!isfinite(value))
        return bad(c, "the default is not a finite number");
    if (row->type == PARAM_BOOL && value != 0 && value != 1)
        return bad(c, "the default of a boolean is %g, not 0 or 1", value);
    if (row->type == PARAM_INT && (value != floor(value) || fabs(value) > MAX_WHOLE))
        return bad(c, "the default %g is not a whole number", value);
    if (row->type == PARAM_STRING && row->text && !is_text(row->text))
        return bad(c, "the default is not UTF-8 text");
    if (has_default_word(row))
        return 0;
    bool number = row->type == PARAM_INT || row->type == PARAM_REAL || row->type == PARAM_TIME;
    if (number && options_ranged(row) && (value < row->low || value > row->high))
        return bad(c, "the default %g is not in the range %g to %g", value, row->low, row->high);
    if (row->type == PARAM_TIME && !options_ranged(row) &&
        !(value >= 0 && value <= (double)NUMBER_TIME_LIMIT_NS / (double)number_unit_ns(row->unit)))
        return bad(c, "the default %g is not a time from 0 to 145 years", value);
    return 0;
}

static int check_choices(const struct checker *c, const struct param *row)
{
    size_t count = 0;
    if (!row->choices || !row->choices[0])
        return bad(c, "there are no choices");
    for (; row->choices[count]; count++) {
        if (count == MAX_ROWS)
            return bad(c, "more than %d choices; is NULL missing at the end?", MAX_ROWS);
        if (row->choices[count][0] == '\0' || !is_text(row->choices[count]))
            return bad(c, "choice %zu is empty or no text", count);
        for (size_t i = 0; i < count; i++)
            if (strcmp(row->choices[i], row->choices[count]) == 0)
                return bad(c, "the choice \"%s\" is there twice", row->choices[i]);
    }
    if (row->type == PARAM_TIME && row->low < 0)
        return bad(c, "a time below 0 cannot be told from a word");
    if (row->type == PARAM_TIME && !has_default_word(row))
        return 0;
    double index = row->type == PARAM_TIME ? -1 - row->number : row->number;
    if (!(index >= 0 && index < (double)count) || index != floor(index))
        return bad(c, "the default %g is not the index of one of %zu choices", row->number, count);
    return 0;
}

static size_t alignment(const struct param *row)
{
    switch (row->type) {
    case PARAM_INT:
    case PARAM_TIME:
        return _Alignof(int64_t);
    case PARAM_REAL:
        return _Alignof(double);
    case PARAM_CHOICE:
        return _Alignof(int);
    case PARAM_STRING:
        return _Alignof(char *);
    case PARAM_LIST:
        return _Alignof(struct param_list);
    default:
        return 1;
    }
}

/* The value lies inside the struct, aligned, and over no value of an earlier row. */
static int check_layout(const struct checker *c, const struct param *table, size_t size)
{
    const struct param *row = &table[c->row];
    size_t bytes = options_size(row);
    if (bytes > size || row->offset > size - bytes)
        return bad(c, "bytes %zu to %zu do not lie in a struct of %zu", row->offset,
                   row->offset + bytes, size);
    if (row->offset % alignment(row) != 0)
        return bad(c, "the offset %zu is not aligned for its type", row->offset);
    for (size_t i = 0; i < c->row; i++) {
        const struct param *other = &table[i];
        if (row->offset < other->offset + options_size(other) &&
            other->offset < row->offset + bytes)
            return bad(c, "lies over \"%s\" in the struct", other->name);
    }
    return 0;
}

static int check_rows(const struct param *table, size_t size, bool nested_allowed, int depth,
                      struct dcs_err *err);

static int check_nested(const struct checker *c, const struct param *row, bool allowed, int depth)
{
    if (!allowed)
        return bad(c, "objects and lists are not for the options of a policy");
    if (!row->sub || row->sub_size == 0)
        return bad(c, "the nested table or its size is missing");
    if (depth == MAX_DEPTH)
        return bad(c, "tables are nested deeper than %d", MAX_DEPTH);
    return check_rows(row->sub, row->sub_size, true, depth + 1, c->err);
}

static int check_row(struct checker *c, const struct param *table, size_t size, bool nested_allowed,
                     int depth)
{
    const struct param *row = &table[c->row];
    if (c->row == MAX_ROWS)
        return bad(c, "too many rows; is PARAM_END missing?");
    if ((unsigned)row->type > PARAM_LIST)
        return bad(c, "unknown type %u; is PARAM_END missing?", (unsigned)row->type);
    if (!row->name)
        return bad(c, "the name is missing");
    if (!is_key(row->name))
        return bad(c, "a name is 1 to %d of a-z, 0-9 and _, and begins with a letter", MAX_NAME);
    c->name = row->name;
    for (size_t i = 0; i < c->row; i++)
        if (strcmp(table[i].name, row->name) == 0)
            return bad(c, "the name is there twice");
    if (!row->help || row->help[0] == '\0' || !is_text(row->help))
        return bad(c, "the help is missing or no text");
    bool nested = row->type == PARAM_OBJECT || row->type == PARAM_LIST;
    if (nested && check_nested(c, row, nested_allowed, depth) != 0)
        return -1;
    if (check_unit(c, row) != 0 || check_range(c, row) != 0 || check_default(c, row) != 0)
        return -1;
    bool words = row->type == PARAM_TIME && row->choices != NULL;
    if ((row->type == PARAM_CHOICE || words) && check_choices(c, row) != 0)
        return -1;
    return check_layout(c, table, size);
}

static int check_rows(const struct param *table, size_t size, bool nested_allowed, int depth,
                      struct dcs_err *err)
{
    for (size_t row = 0; table[row].type != PARAM_END; row++) {
        struct checker c = {.err = err, .row = row};
        if (check_row(&c, table, size, nested_allowed, depth) != 0)
            return -1;
    }
    return 0;
}

int options_check_table(const struct param *table, size_t size, bool nested_allowed,
                        struct dcs_err *err)
{
    if (!table)
        return dcs_err_set(err, "option table: there is none");
    return check_rows(table, size, nested_allowed, 0, err);
}
