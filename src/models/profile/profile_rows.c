/*
 * profile_rows.c - see profile_rows.h.
 */
#include "models/profile/profile_rows.h"

#include <string.h>

#define NAME_MAX_BYTES  64
#define LABEL_MAX_BYTES 256
#define TEXT_MAX_BYTES  4096

/* ---- where a value lies ---- */

/* The cell of a plain table, and its column. */
static union plain_cell find_cell(const struct dcs_rows *r, int column,
                                  const struct plain_column **which)
{
    static const struct plain_column zero = {.name = "0", .type = PLAIN_INTEGER};
    int i = r->columns[column];
    *which = i >= 0 ? &r->plain->columns[i] : &zero;
    if (i < 0)
        return (union plain_cell){.integer = 0};
    return r->plain->cells[(size_t)(r->row - 1) * (size_t)r->plain->columns_count + (size_t)i];
}

/* As SQLite calls it. */
static int type_of(const struct dcs_rows *r, int column)
{
    static const int types[] = {SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT};
    const struct plain_column *which;
    if (r->plain == NULL)
        return sqlite3_column_type(r->stmt, column);
    union plain_cell cell = find_cell(r, column, &which);
    return plain_is_null(which->type, cell) ? SQLITE_NULL : types[which->type];
}

/* 0 if it is none. */
static int64_t integer_of(const struct dcs_rows *r, int column)
{
    const struct plain_column *which;
    if (type_of(r, column) != SQLITE_INTEGER)
        return 0;
    return r->plain == NULL ? sqlite3_column_int64(r->stmt, column)
                            : find_cell(r, column, &which).integer;
}

/* Of a number; 0 if it is none. */
static double real_of(const struct dcs_rows *r, int column)
{
    const struct plain_column *which;
    if (type_of(r, column) == SQLITE_INTEGER)
        return (double)integer_of(r, column);
    if (type_of(r, column) != SQLITE_FLOAT)
        return 0;
    return r->plain == NULL ? sqlite3_column_double(r->stmt, column)
                            : find_cell(r, column, &which).real;
}

/* NULL if it is none. */
static const char *text_of(const struct dcs_rows *r, int column, size_t *length)
{
    const struct plain_column *which;
    if (type_of(r, column) != SQLITE_TEXT)
        return NULL;
    if (r->plain == NULL) {
        const char *text = (const char *)sqlite3_column_text(r->stmt, column);
        *length = (size_t)sqlite3_column_bytes(r->stmt, column);
        return text;
    }
    union plain_cell cell = find_cell(r, column, &which);
    *length = cell.text.length;
    return r->source->plain->text + cell.text.at;
}

static const char *name_of(const struct dcs_rows *r, int column)
{
    const struct plain_column *which;
    if (r->plain == NULL)
        return sqlite3_column_name(r->stmt, column);
    find_cell(r, column, &which);
    return which->name;
}

/* ---- one value ---- */

/* What stands in a column, for a message. */
static void describe(const struct dcs_rows *r, int column, char *out, size_t size)
{
    size_t length;
    switch (type_of(r, column)) {
    case SQLITE_INTEGER:
        snprintf(out, size, "%lld", (long long)integer_of(r, column));
        break;
    case SQLITE_FLOAT:
        snprintf(out, size, "the real number %.17g", real_of(r, column));
        break;
    case SQLITE_TEXT:
        snprintf(out, size, "the text \"%.70s\"", text_of(r, column, &length));
        break;
    case SQLITE_BLOB:
        snprintf(out, size, "a blob of %d bytes", sqlite3_column_bytes(r->stmt, column));
        break;
    default:
        snprintf(out, size, "NULL");
        break;
    }
}

int dcs_rows_bad_value(struct dcs_rows *r, int column, const char *expected)
{
    char place[128], found[128];
    snprintf(place, sizeof place, "%s.%s", r->table, name_of(r, column));
    describe(r, column, found, sizeof found);
    return dcs_err_at(r->err, r->file, 0, place, "row %lld: expected %s, found %s",
                      (long long)r->row, expected, found);
}

int dcs_rows_integer(struct dcs_rows *r, int column, int64_t min, int64_t max, int64_t *out)
{
    *out = integer_of(r, column);
    if (type_of(r, column) == SQLITE_INTEGER && *out >= min && *out <= max)
        return 0;
    char expected[96];
    snprintf(expected, sizeof expected, "an integer from %lld to %lld", (long long)min,
             (long long)max);
    return dcs_rows_bad_value(r, column, expected);
}

int dcs_rows_integer_or_null(struct dcs_rows *r, int column, int64_t min, int64_t max, int64_t *out)
{
    DCS_ASSERT(min > 0);
    *out = 0;
    if (type_of(r, column) == SQLITE_NULL)
        return 0;
    return dcs_rows_integer(r, column, min, max, out);
}

bool dcs_rows_is_null(struct dcs_rows *r, int column)
{
    return type_of(r, column) == SQLITE_NULL;
}

int dcs_rows_real(struct dcs_rows *r, int column, double min, double max, double *out)
{
    int type = type_of(r, column);
    *out = real_of(r, column);
    if ((type == SQLITE_INTEGER || type == SQLITE_FLOAT) && *out >= min && *out <= max)
        return 0;
    char expected[96];
    snprintf(expected, sizeof expected, "a number from %g to %g", min, max);
    return dcs_rows_bad_value(r, column, expected);
}

int dcs_rows_real_or_null(struct dcs_rows *r, int column, double min, double max, double *out)
{
    *out = 0;
    if (type_of(r, column) == SQLITE_NULL)
        return 0;
    return dcs_rows_real(r, column, min, max, out);
}

static bool is_printable(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~')
            return false;
    return true;
}

/* NULL if the column holds no text of 1 to max printable characters. */
static const char *printable(struct dcs_rows *r, int column, size_t max, size_t *length)
{
    const char *text = text_of(r, column, length);
    bool fits = text != NULL && *length > 0 && *length <= max;
    return fits && is_printable(text, *length) ? text : NULL;
}

const char *dcs_rows_text(struct dcs_rows *r, int column)
{
    size_t length;
    return text_of(r, column, &length);
}

const char *dcs_rows_name(struct dcs_rows *r, int column)
{
    size_t length = 0;
    const char *text = printable(r, column, NAME_MAX_BYTES, &length);
    if (text != NULL && text[0] != ' ' && text[length - 1] != ' ')
        return text;
    dcs_rows_bad_value(r, column,
                       "a name of 1 to 64 printable ASCII characters, no space at its ends");
    return NULL;
}

const char *dcs_rows_label(struct dcs_rows *r, int column)
{
    size_t length = 0;
    const char *text = printable(r, column, LABEL_MAX_BYTES, &length);
    if (text == NULL)
        dcs_rows_bad_value(r, column, "a text of 1 to 256 printable ASCII characters");
    return text;
}

int dcs_rows_check_text(struct dcs_rows *r, int column)
{
    size_t length;
    if (text_of(r, column, &length) != NULL && length > 0 && length <= TEXT_MAX_BYTES)
        return 0;
    return dcs_rows_bad_value(r, column, "a text of 1 to 4096 bytes");
}

int dcs_rows_choice(struct dcs_rows *r, int column, const char *const *choices, int *out)
{
    size_t length;
    const char *text = text_of(r, column, &length);
    for (*out = 0; text != NULL && choices[*out] != NULL; ++*out)
        if (length == strlen(choices[*out]) && memcmp(text, choices[*out], length) == 0)
            return 0;
    char expected[128] = "";
    for (int i = 0; choices[i] != NULL; i++) {
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s\"%s\"", i > 0 ? " or " : "",
                 choices[i]);
    }
    return dcs_rows_bad_value(r, column, expected);
}

/* ---- one table ---- */

static int sqlite_failed(struct dcs_rows *r)
{
    int code = sqlite3_errcode(r->source->db);
    const char *why = sqlite3_errmsg(r->source->db);
    if (code == SQLITE_INTERRUPT)
        why = "takes too much work to read; refused";
    else if (code == SQLITE_CORRUPT)
        why = "is damaged";
    return dcs_err_at(r->err, r->file, 0, r->table, "%s", why);
}

/* Finds the columns of a plain table that the query asks for. */
static int find_columns(struct dcs_rows *r, const char *sql)
{
    static const char select[] = "SELECT ", from[] = " FROM ";
    const char *end = strstr(sql, from);
    DCS_ASSERT(strncmp(sql, select, sizeof select - 1) == 0 && end != NULL);
    DCS_ASSERT(strcmp(end + sizeof from - 1, r->table) == 0);
    sql += sizeof select - 1;
    for (int i = 0; sql < end; i++) {
        size_t length = strcspn(sql, ", ");
        DCS_ASSERT(i < PLAIN_COLUMNS_MAX);
        r->columns[i] = plain_table_column(r->plain, sql, length);
        if (r->columns[i] < 0 && (length != 1 || sql[0] != '0'))
            return dcs_err_at(r->err, r->file, r->plain->line, r->table,
                              "the table has no column \"%.*s\"", (int)length, sql);
        sql += length + strspn(sql + length, ", ");
    }
    return 0;
}

static int rows_of_plain(struct dcs_rows *r, const char *sql, dcs_rows_take *take, void *context)
{
    r->plain = plain_tables_find(r->source->plain, r->table);
    DCS_ASSERT(r->plain != NULL);
    int status = find_columns(r, sql);
    for (size_t i = 0; status == 0 && i < r->plain->rows; i++) {
        r->row++;
        status = take(context);
    }
    r->plain = NULL;
    return status;
}

/* Of a table that is known to be there and to be what it seems. */
static int rows_of(struct dcs_rows *r, const char *table, const char *sql, dcs_rows_take *take,
                   void *context)
{
    r->table = table;
    r->row = 0;
    if (r->source->plain != NULL)
        return rows_of_plain(r, sql, take, context);
    if (sqlite3_prepare_v2(r->source->db, sql, -1, &r->stmt, NULL) != SQLITE_OK)
        return sqlite_failed(r);
    int status = 0, code = SQLITE_ROW;
    while (status == 0 && (code = sqlite3_step(r->stmt)) == SQLITE_ROW) {
        r->row++;
        status = take(context);
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = sqlite_failed(r);
    sqlite3_finalize(r->stmt);
    r->stmt = NULL;
    return status;
}

int dcs_rows_each(struct dcs_rows *r, const char *table, const char *sql, dcs_rows_take *take,
                  void *context)
{
    if (dcs_profile_check_table(r->source, r->file, table, r->err) != 0)
        return -1;
    return rows_of(r, table, sql, take, context);
}

int dcs_rows_each_if_there(struct dcs_rows *r, const char *table, const char *sql,
                           dcs_rows_take *take, void *context)
{
    r->row = 0;
    int status = dcs_profile_has_table(r->source, r->file, table, r->err);
    return status == 1 ? dcs_rows_each(r, table, sql, take, context) : status;
}

int dcs_rows_each_if_any(struct dcs_rows *r, const char *table, const char *sql,
                         dcs_rows_take *take, void *context)
{
    r->row = 0;
    int status = dcs_profile_has_table(r->source, r->file, table, r->err);
    return status == 1 ? rows_of(r, table, sql, take, context) : status;
}
