/* profile_plain.c - see profile_plain.h. */
#include "models/profile/profile_plain.h"

#include "models/profile/profile_schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A decimal number of at most so many digits fits the 53 bits of a double, and so does ten to the
 * power 22: their product or quotient is the nearest double, by one rounding. */
#define DIGITS_EXACT  15
#define POWER_EXACT   22
#define DIGITS_MAX    19 /* of a number of 64 bits */
#define CELLS_PER_ROW 2  /* bytes of text that a cell takes at least: "0," */

struct parser {
    struct plain_tables *p;
    const char *at;
    size_t size;
    const char *counted; /* lines are counted up to here */
    int line;
    bool doubled; /* a string holds a quote, which is written twice */
};

/* ---- words ---- */

/* Goes over the word if it is there. */
static bool take_word(struct parser *r, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

static void skip_blanks(struct parser *r)
{
    for (;;) {
        r->at += strspn(r->at, " \t\r\n");
        if (strncmp(r->at, "--", 2) != 0)
            return;
        r->at += strcspn(r->at, "\n");
    }
}

/* ---- CREATE TABLE ---- */

static bool has_words(const char *text, size_t length, const char *words)
{
    const char *found = strstr(text, words);
    return found != NULL && found + strlen(words) <= text + length;
}

static bool add_column(struct plain_table *t, const char *text, size_t length)
{
    static const char *const types[] = {" INTEGER", " REAL", " TEXT"}; /* as in enum plain_type */
    struct plain_column *column = &t->columns[t->columns_count];
    size_t name = strcspn(text, " ");
    if (t->columns_count == PLAIN_COLUMNS_MAX || name >= sizeof column->name)
        return false;
    memcpy(column->name, text, name);
    column->name[name] = '\0';
    int type = 0;
    while (type < 3 && strncmp(text + name, types[type], strlen(types[type])) != 0)
        type++;
    column->type = (enum plain_type)type;
    /* An INTEGER PRIMARY KEY is a row's number, which SQLite makes up where it is NULL. */
    column->needed = has_words(text, length, " NOT NULL") || has_words(text, length, " PRIMARY");
    t->columns_count++;
    return type < 3;
}

/* Compares what stands behind the table's name with the schema's: columns may be left out. */
static bool take_columns(struct parser *r, struct plain_table *t, const char *schema)
{
    struct dcs_profile_definition d;
    if (!take_word(r, "("))
        return false;
    while (dcs_profile_next_definition(&schema, &d)) {
        bool same = strncmp(r->at, d.text, d.length) == 0 &&
                    (r->at[d.length] == ',' || r->at[d.length] == ')');
        if (!same && !d.is_key)
            continue;
        if (!same || (!d.is_key && !add_column(t, d.text, d.length)))
            return false;
        r->at += d.length;
        if (take_word(r, ")"))
            return t->columns_count > 0;
        if (!take_word(r, ", "))
            return false;
    }
    return false;
}

static int count_lines(struct parser *r)
{
    for (; r->counted < r->at; r->counted++)
        r->line += *r->counted == '\n';
    return r->line;
}

static bool take_table(struct parser *r)
{
    struct plain_tables *p = r->p;
    struct plain_table t = {.line = count_lines(r)};
    size_t name = strcspn(r->at, "( \n");
    if (name == 0 || name >= sizeof t.name)
        return false;
    memcpy(t.name, r->at, name);
    r->at += name;
    struct dcs_profile_table known;
    if (!dcs_profile_schema_table(&known, t.name) || plain_tables_find(p, t.name) != NULL ||
        !take_columns(r, &t, known.columns) || !take_word(r, ";"))
        return false;
    p->tables = dcs_grow(p->tables, &p->capacity, p->count + 1, sizeof *p->tables);
    p->tables[p->count++] = t;
    return true;
}

/* ---- values ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number: its digits without sign, point and exponent, and what these say. */
struct decimal {
    uint64_t digits; /* the first DIGITS_MAX, without leading zeros */
    int count;       /* of all of them */
    int exponent;    /* of ten */
    bool negative, real;
};

static void take_digits(const char **at, struct decimal *d, bool behind_point)
{
    for (; is_digit(**at); ++*at) {
        if (d->count < DIGITS_MAX)
            d->digits = d->digits * 10 + (uint64_t)(**at - '0');
        d->count += d->count > 0 || **at != '0';
        d->exponent -= behind_point;
    }
}

/* At the end of what it takes. False: no number begins here. */
static bool take_decimal(const char **at, struct decimal *d)
{
    d->negative = **at == '-';
    *at += d->negative;
    if (!is_digit(**at))
        return false;
    take_digits(at, d, false);
    if (**at == '.') {
        d->real = true;
        ++*at;
        take_digits(at, d, true);
    }
    if (**at != 'e')
        return true;
    const char *exponent = *at + 1;
    bool negative = *exponent == '-';
    exponent += negative || *exponent == '+';
    int value = 0;
    if (!is_digit(*exponent))
        return false;
    for (; is_digit(*exponent); exponent++)
        value = value < 1000 ? value * 10 + (*exponent - '0') : value;
    d->exponent += negative ? -value : value;
    d->real = true;
    *at = exponent;
    return true;
}

/* The double nearest to a number whose text is given. */
static double nearest_double(const struct decimal *d, const char *text)
{
    static const double powers[POWER_EXACT + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (d->count > DIGITS_EXACT || abs(d->exponent) > POWER_EXACT)
        return strtod(text, NULL);
    double value = (double)d->digits;
    value = d->exponent < 0 ? value / powers[-d->exponent] : value * powers[d->exponent];
    return d->negative ? -value : value;
}

static bool take_number(struct parser *r, enum plain_type type, union plain_cell *cell)
{
    struct decimal d = {0};
    const char *text = r->at;
    if (!take_decimal(&r->at, &d))
        return false;
    if (type == PLAIN_REAL) {
        cell->real = nearest_double(&d, text);
        return true;
    }
    if (type != PLAIN_INTEGER || d.real || d.count > DIGITS_MAX || d.digits > INT64_MAX)
        return false;
    cell->integer = d.negative ? -(int64_t)d.digits : (int64_t)d.digits;
    return true;
}

static bool take_string(struct parser *r, union plain_cell *cell)
{
    const char *begin = r->at + 1, *end = begin;
    for (;; end += 2) {
        end = strchr(end, '\'');
        if (end == NULL)
            return false;
        if (end[1] != '\'')
            break;
        r->doubled = true;
    }
    cell->text.at = (uint32_t)(begin - r->p->text);
    cell->text.length = (uint32_t)(end - begin);
    r->at = end + 1;
    return true;
}

static bool take_null(struct parser *r, const struct plain_column *column, union plain_cell *cell)
{
    if (column->needed || !take_word(r, "NULL"))
        return false;
    if (column->type == PLAIN_INTEGER)
        cell->integer = PLAIN_NULL;
    else if (column->type == PLAIN_REAL)
        cell->real = (double)NAN;
    else
        cell->text.length = PLAIN_NO_TEXT;
    return true;
}

static bool take_value(struct parser *r, const struct plain_column *column, union plain_cell *cell)
{
    if (*r->at == '\'')
        return column->type == PLAIN_TEXT && take_string(r, cell);
    if (*r->at == 'N')
        return take_null(r, column, cell);
    return take_number(r, column->type, cell);
}

/* ---- INSERT ---- */

static bool take_row(struct parser *r, struct plain_table *t)
{
    struct plain_tables *p = r->p;
    if (!take_word(r, "("))
        return false;
    for (int i = 0; i < t->columns_count; i++) {
        union plain_cell *cell = &p->cells[p->cells_count++];
        if (!take_value(r, &t->columns[i], cell))
            return false;
        if (*r->at++ != (i + 1 < t->columns_count ? ',' : ')'))
            return false;
    }
    t->rows++;
    return true;
}

static bool take_rows(struct parser *r)
{
    struct plain_tables *p = r->p;
    struct plain_table *t = p->count > 0 ? &p->tables[p->count - 1] : NULL; /* the one at hand */
    if (t == NULL || !take_word(r, t->name) || !take_word(r, " VALUES"))
        return false;
    if (t->rows == 0)
        t->cells = p->cells + p->cells_count;
    do {
        r->at += strspn(r->at, " \n");
        if (!take_row(r, t))
            return false;
    } while (take_word(r, ","));
    return take_word(r, ";");
}

/* ---- the whole ---- */

static bool take_text(struct parser *r)
{
    skip_blanks(r);
    if (!take_word(r, "BEGIN;"))
        return false;
    for (skip_blanks(r); !take_word(r, "COMMIT;"); skip_blanks(r)) {
        if (take_word(r, "INSERT INTO ")) {
            if (!take_rows(r))
                return false;
        } else if (!take_word(r, "CREATE TABLE ") || !take_table(r)) {
            return false;
        }
    }
    skip_blanks(r);
    return r->at == r->p->text + r->size;
}

/* Ends a string with a NUL in place of its quote, and leaves one of each two quotes inside. */
static void end_string(char *text, union plain_cell *cell, bool doubled)
{
    char *from = text + cell->text.at, *end = from + cell->text.length, *to = from;
    *end = '\0';
    if (!doubled || memchr(from, '\'', cell->text.length) == NULL)
        return;
    for (; from < end; from++) {
        *to++ = *from;
        from += *from == '\'';
    }
    *to = '\0';
    cell->text.length = (uint32_t)(to - (text + cell->text.at));
}

static void end_strings(struct plain_tables *p, bool doubled)
{
    union plain_cell *cell = p->cells;
    for (size_t i = 0; i < p->count; i++)
        for (size_t row = 0; row < p->tables[i].rows; row++)
            for (int k = 0; k < p->tables[i].columns_count; k++, cell++)
                if (p->tables[i].columns[k].type == PLAIN_TEXT &&
                    cell->text.length != PLAIN_NO_TEXT)
                    end_string(p->text, cell, doubled);
}

struct plain_tables *plain_tables_read(char *text, size_t size)
{
    if (size >= UINT32_MAX)
        return NULL;
    struct plain_tables *p = dcs_alloc(1, sizeof *p);
    struct parser r = {.p = p, .at = text, .size = size, .counted = text, .line = 1};
    p->text = text;
    p->cells = dcs_alloc(size / CELLS_PER_ROW + 1, sizeof *p->cells); /* few pages are touched */
    if (!take_text(&r)) {
        plain_tables_free(p);
        return NULL;
    }
    end_strings(p, r.doubled);
    return p;
}

void plain_tables_free(struct plain_tables *p)
{
    if (p == NULL)
        return;
    free(p->cells);
    free(p->tables);
    free(p);
}

const struct plain_table *plain_tables_find(const struct plain_tables *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->tables[i].name, name) == 0)
            return &p->tables[i];
    return NULL;
}

int plain_table_column(const struct plain_table *t, const char *name, size_t length)
{
    for (int i = 0; i < t->columns_count; i++)
        if (strncmp(t->columns[i].name, name, length) == 0 && t->columns[i].name[length] == '\0')
            return i;
    return -1;
}

bool plain_is_null(enum plain_type type, union plain_cell cell)
{
    return type == PLAIN_INTEGER ? cell.integer == PLAIN_NULL
           : type == PLAIN_REAL  ? isnan(cell.real)
                                 : cell.text.length == PLAIN_NO_TEXT;
}
