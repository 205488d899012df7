/*
 * options_table.c - option tables themselves: are they sound, what do they say, which name is near.
 * See options.h and options_table.h.
 */
#include "options/options_table.h"
#include "options/options_json.h"
#include "text/number.h"

#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a row says ---- */

bool options_ranged(const struct param *row)
{
    return row->low != 0 || row->high != 0;
}

size_t options_size(const struct param *row)
{
    switch (row->type) {
    case PARAM_BOOL:
        return sizeof(bool);
    case PARAM_INT:
    case PARAM_TIME:
        return sizeof(int64_t);
    case PARAM_REAL:
        return sizeof(double);
    case PARAM_CHOICE:
        return sizeof(int);
    case PARAM_STRING:
        return sizeof(char *);
    case PARAM_OBJECT:
        return row->sub_size;
    case PARAM_LIST:
        return sizeof(struct param_list);
    case PARAM_END:
        break;
    }
    return 0;
}

const char *options_default_word(const struct param *row)
{
    bool word = row->type == PARAM_TIME && row->choices != NULL && row->number < 0;
    return word ? row->choices[(int)(-1 - row->number)] : NULL;
}

/* 2^63 is a double, INT64_MAX is not. */
static int64_t to_int64(double value)
{
    if (value >= 0x1p63)
        return INT64_MAX;
    return value < -0x1p63 ? INT64_MIN : (int64_t)value;
}

void options_range(const struct param *row, int64_t *low, int64_t *high)
{
    bool ranged = options_ranged(row);
    if (row->type == PARAM_TIME) {
        int64_t unit_ns = number_unit_ns(row->unit);
        *low = ranged ? number_time_from(row->low, unit_ns) : 0;
        *high = ranged ? number_time_from(row->high, unit_ns) : NUMBER_TIME_LIMIT_NS;
    } else if (row->type == PARAM_LIST) {
        *low = to_int64(row->low);
        *high = ranged ? to_int64(row->high) : INT64_MAX;
    } else {
        *low = ranged ? to_int64(ceil(row->low)) : INT64_MIN;
        *high = ranged ? to_int64(floor(row->high)) : INT64_MAX;
    }
}

bool options_bounds(const struct param *row, double value)
{
    return fabs(value) < (row->type == PARAM_REAL ? DBL_MAX : 0x1p63);
}

double options_highest(const struct param *row)
{
    if (row->type == PARAM_TIME && !options_ranged(row))
        return (double)NUMBER_TIME_LIMIT_NS / (double)number_unit_ns(row->unit);
    return row->high;
}

void options_append_range(struct text_buffer *out, const struct param *row)
{
    char low[NUMBER_SIZE] = "", high[NUMBER_SIZE] = "";
    double top = options_highest(row);
    if (row->type != PARAM_TIME && !options_ranged(row))
        return;
    if (options_bounds(row, row->low))
        number_write_real(row->low, low);
    if (options_bounds(row, top))
        number_write_real(top, high);
    if (low[0] != '\0' && high[0] != '\0')
        text_append(out, "from %s to %s", low, high);
    else if (low[0] != '\0')
        text_append(out, "of at least %s", low);
    else if (high[0] != '\0')
        text_append(out, "of at most %s", high);
}

/* Appends " from 1 to 8 (GPUs)" after the kind of number. */
static void expected_number(struct text_buffer *out, const struct param *row, const char *kind)
{
    text_append(out, "%s", kind);
    if (options_ranged(row)) {
        text_append(out, " ");
        options_append_range(out, row);
    }
    if (row->unit)
        text_append(out, " (%s)", row->unit);
}

void options_expected(struct text_buffer *out, const struct param *row)
{
    switch (row->type) {
    case PARAM_BOOL:
        text_append(out, "true or false");
        break;
    case PARAM_INT:
        expected_number(out, row, "a whole number");
        break;
    case PARAM_REAL:
        expected_number(out, row, "a number");
        break;
    case PARAM_TIME:
        text_append(out, "a time in %s ", row->unit);
        options_append_range(out, row);
        for (size_t i = 0; row->choices != NULL && row->choices[i]; i++)
            text_append(out, " or \"%s\"", row->choices[i]);
        break;
    case PARAM_CHOICE:
        text_append(out, "one of ");
        for (size_t i = 0; row->choices[i]; i++)
            text_append(out, "%s\"%s\"", i > 0 ? ", " : "", row->choices[i]);
        break;
    case PARAM_STRING:
        text_append(out, "a string");
        break;
    case PARAM_OBJECT:
        text_append(out, "an object {...}");
        break;
    case PARAM_LIST:
        text_append(out, "a list [...] of objects");
        if (options_ranged(row)) {
            text_append(out, " with a length ");
            options_append_range(out, row);
        }
        break;
    case PARAM_END:
        break;
    }
}

/* ---- the nearest name ---- */

#define WORD_MAX 64 /* longer words and names are never near: nobody types them */

/* Edit distance with swaps of neighbours (optimal string alignment), blind to case. Quadratic in
 * lengths of at most WORD_MAX. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            size_t best = last[j - 1] + (x != y);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]) && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[b_length];
}

const char *options_nearest(const char *word, const char *const *names)
{
    size_t length = strnlen(word, WORD_MAX + 1);
    size_t least = 2 + length / 4 + 1;
    const char *nearest = NULL;
    for (; length <= WORD_MAX && *names; names++) {
        size_t name_length = strnlen(*names, WORD_MAX + 1);
        if (name_length > WORD_MAX)
            continue;
        size_t d = distance(word, length, *names, name_length);
        /* "fuse" is not "name" mistyped: half of the longer word must be left. */
        if (d < least && 2 * d <= (length > name_length ? length : name_length)) {
            least = d;
            nearest = *names;
        }
    }
    return nearest;
}

/* ---- the reference ---- */

/* Text inside a table's cell: a bar would end it, a line break would end the row. */
static void append_cell(struct text_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|')
            text_append(out, "\\|");
        else
            text_append(out, "%c", *text == '\n' ? ' ' : *text);
    }
}

static void append_type(struct text_buffer *out, const struct param *row)
{
    static const char *const names[] = {
        [PARAM_BOOL] = "boolean",  [PARAM_INT] = "whole number",     [PARAM_REAL] = "number",
        [PARAM_TIME] = "time",     [PARAM_CHOICE] = "choice",        [PARAM_STRING] = "string",
        [PARAM_OBJECT] = "object", [PARAM_LIST] = "list of objects",
    };
    text_append(out, "%s", names[row->type]);
    if (row->unit) {
        text_append(out, " (");
        append_cell(out, row->unit);
        text_append(out, ")");
    }
}

static void append_default(struct text_buffer *out, const struct param *row)
{
    char number[NUMBER_SIZE];
    if (row->required) {
        text_append(out, "*required*");
        return;
    }
    switch (row->type) {
    case PARAM_BOOL:
        text_append(out, "`%s`", row->number != 0 ? "true" : "false");
        break;
    case PARAM_INT:
    case PARAM_REAL:
    case PARAM_TIME:
        if (options_default_word(row) != NULL) {
            text_append(out, "`\"%s\"`", options_default_word(row));
            break;
        }
        number_write_real(row->number, number);
        text_append(out, "`%s`", number);
        break;
    case PARAM_CHOICE:
        text_append(out, "`\"%s\"`", row->choices[(int)row->number]);
        break;
    case PARAM_STRING:
        text_append(out, "`\"");
        append_cell(out, row->text ? row->text : "");
        text_append(out, "\"`");
        break;
    case PARAM_LIST:
        text_append(out, "`[]`");
        break;
    case PARAM_OBJECT:
    case PARAM_END:
        text_append(out, "see below");
        break;
    }
}

static void append_row(struct text_buffer *out, const char *path, const struct param *row)
{
    text_append(out, "| `%s%s%s` | ", path, path[0] != '\0' ? "." : "", row->name);
    append_type(out, row);
    text_append(out, " | ");
    append_default(out, row);
    text_append(out, " | ");
    if (row->type == PARAM_CHOICE) {
        for (size_t i = 0; row->choices[i]; i++) {
            text_append(out, "%s`\"", i > 0 ? ", " : "");
            append_cell(out, row->choices[i]);
            text_append(out, "\"`");
        }
    } else {
        if (row->type == PARAM_LIST && options_ranged(row))
            text_append(out, "length ");
        options_append_range(out, row);
        for (size_t i = 0; row->choices != NULL && row->choices[i]; i++) {
            text_append(out, " or `\"");
            append_cell(out, row->choices[i]);
            text_append(out, "\"`");
        }
    }
    text_append(out, " | ");
    append_cell(out, row->help ? row->help : "");
    text_append(out, " |\n");
}

void options_document(struct text_buffer *out, const char *path, const struct param *table)
{
    if (table->type == PARAM_END) {
        text_append(out, "No options.\n");
        return;
    }
    text_append(out, "| key | type | default | range or choices | what it says |\n");
    text_append(out, "| --- | --- | --- | --- | --- |\n");
    for (const struct param *row = table; row->type != PARAM_END; row++)
        append_row(out, path, row);
    for (const struct param *row = table; row->type != PARAM_END; row++) {
        if (row->type != PARAM_OBJECT && row->type != PARAM_LIST)
            continue;
        struct text_buffer nested = {0};
        text_append(&nested, "%s%s%s%s", path, path[0] != '\0' ? "." : "", row->name,
                    row->type == PARAM_LIST ? "[]" : "");
        text_append(out, "\n### `%s`\n\n", nested.text);
        options_document(out, nested.text, row->sub);
        free(nested.text);
    }
}
