/*
 * profile_rows.c - see profile_rows.h.
 */
#include "models/profile/profile_rows.h"

#include <string.h>

#define NAME_MAX_BYTES  64
#define LABEL_MAX_BYTES 256
#define TEXT_MAX_BYTES  4096

/* ---- one value ---- */

/* What stands in a column, for a message. */
static void describe(sqlite3_stmt *stmt, int column, char *out, size_t size)
{
    switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_INTEGER:
        snprintf(out, size, "%lld", (long long)sqlite3_column_int64(stmt, column));
        break;
    case SQLITE_FLOAT:
        snprintf(out, size, "the real number %.17g", sqlite3_column_double(stmt, column));
        break;
    case SQLITE_TEXT:
        snprintf(out, size, "the text \"%.70s\"", (const char *)sqlite3_column_text(stmt, column));
        break;
    case SQLITE_BLOB:
        snprintf(out, size, "a blob of %d bytes", sqlite3_column_bytes(stmt, column));
        break;
    default:
        snprintf(out, size, "NULL");
        break;
    }
}

int dcs_rows_bad_value(struct dcs_rows *r, int column, const char *expected)
{
    char place[128], found[128];
    snprintf(place, sizeof place, "%s.%s", r->table, sqlite3_column_name(r->stmt, column));
    describe(r->stmt, column, found, sizeof found);
    return dcs_err_at(r->err, r->file, 0, place, "row %lld: expected %s, found %s",
                      (long long)r->row, expected, found);
}

int dcs_rows_integer(struct dcs_rows *r, int column, int64_t min, int64_t max, int64_t *out)
{
    *out = sqlite3_column_int64(r->stmt, column);
    if (sqlite3_column_type(r->stmt, column) == SQLITE_INTEGER && *out >= min && *out <= max)
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
    if (sqlite3_column_type(r->stmt, column) == SQLITE_NULL)
        return 0;
    return dcs_rows_integer(r, column, min, max, out);
}

int dcs_rows_real(struct dcs_rows *r, int column, double min, double max, double *out)
{
    int type = sqlite3_column_type(r->stmt, column);
    *out = sqlite3_column_double(r->stmt, column);
    if ((type == SQLITE_INTEGER || type == SQLITE_FLOAT) && *out >= min && *out <= max)
        return 0;
    char expected[96];
    snprintf(expected, sizeof expected, "a number from %g to %g", min, max);
    return dcs_rows_bad_value(r, column, expected);
}

int dcs_rows_real_or_null(struct dcs_rows *r, int column, double min, double max, double *out)
{
    *out = 0;
    if (sqlite3_column_type(r->stmt, column) == SQLITE_NULL)
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
static const char *printable(struct dcs_rows *r, int column, int max, int *length)
{
    if (sqlite3_column_type(r->stmt, column) != SQLITE_TEXT)
        return NULL;
    const char *text = (const char *)sqlite3_column_text(r->stmt, column);
    *length = sqlite3_column_bytes(r->stmt, column);
    bool fits = text != NULL && *length > 0 && *length <= max;
    return fits && is_printable(text, (size_t)*length) ? text : NULL;
}

const char *dcs_rows_name(struct dcs_rows *r, int column)
{
    int length = 0;
    const char *text = printable(r, column, NAME_MAX_BYTES, &length);
    if (text != NULL && text[0] != ' ' && text[length - 1] != ' ')
        return text;
    dcs_rows_bad_value(r, column,
                       "a name of 1 to 64 printable ASCII characters, no space at its ends");
    return NULL;
}

const char *dcs_rows_label(struct dcs_rows *r, int column)
{
    int length = 0;
    const char *text = printable(r, column, LABEL_MAX_BYTES, &length);
    if (text == NULL)
        dcs_rows_bad_value(r, column, "a text of 1 to 256 printable ASCII characters");
    return text;
}

int dcs_rows_check_text(struct dcs_rows *r, int column)
{
    if (sqlite3_column_type(r->stmt, column) == SQLITE_TEXT) {
        int length = sqlite3_column_bytes(r->stmt, column);
        if (length > 0 && length <= TEXT_MAX_BYTES)
            return 0;
    }
    return dcs_rows_bad_value(r, column, "a text of 1 to 4096 bytes");
}

int dcs_rows_choice(struct dcs_rows *r, int column, const char *const *choices, int *out)
{
    if (sqlite3_column_type(r->stmt, column) == SQLITE_TEXT) {
        const char *text = (const char *)sqlite3_column_text(r->stmt, column);
        size_t length = (size_t)sqlite3_column_bytes(r->stmt, column);
        for (*out = 0; text != NULL && choices[*out] != NULL; ++*out)
            if (length == strlen(choices[*out]) && memcmp(text, choices[*out], length) == 0)
                return 0;
    }
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

/* Of a table that is known to be there and plain. */
static int rows_of(struct dcs_rows *r, const char *table, const char *sql, dcs_rows_take *take,
                   void *context)
{
    r->table = table;
    r->row = 0;
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
