/* profile_text.c - see profile_text.h. */
#include "models/profile/profile_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STATEMENT_BYTES (256 * 1024) /* a statement is ended past this: a reader bounds them */

/* ---- values ---- */

static void write_string(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

/* The shortest that reads back as the same number, and as a real one. */
static void write_real(FILE *out, double value)
{
    char text[40];
    if (!isfinite(value)) {
        fputs("NULL", out); /* SQLite has no literal for it, and a measurement none either */
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, out);
    if (strpbrk(text, ".e") == NULL)
        fputs(".0", out);
}

static void write_value(FILE *out, sqlite3_stmt *row, int column)
{
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
        fprintf(out, "%lld", (long long)sqlite3_column_int64(row, column));
        break;
    case SQLITE_FLOAT:
        write_real(out, sqlite3_column_double(row, column));
        break;
    case SQLITE_TEXT:
        write_string(out, (const char *)sqlite3_column_text(row, column));
        break;
    default:
        fputs("NULL", out);
        break;
    }
}

/* ---- columns ---- */

static bool is_wanted(const struct profile_text_part *part, const struct dcs_profile_definition *d)
{
    char word[80];
    size_t length = strcspn(d->text, " ");
    if (part == NULL || part->columns == NULL || d->is_key)
        return true;
    snprintf(word, sizeof word, " %.*s ", (int)length, d->text);
    return strstr(part->columns, word) != NULL;
}

void profile_text_columns(FILE *out, const struct dcs_profile_table *table,
                          const struct profile_text_part *part)
{
    struct dcs_profile_definition d;
    const char *at = table->columns, *between = "(";
    while (dcs_profile_next_definition(&at, &d))
        if (is_wanted(part, &d)) {
            fprintf(out, "%s%.*s", between, (int)d.length, d.text);
            between = ", ";
        }
    fputc(')', out);
}

/* Writes the names of the wanted columns. */
static void write_names(FILE *out, const struct dcs_profile_table *table,
                        const struct profile_text_part *part)
{
    struct dcs_profile_definition d;
    const char *at = table->columns, *between = "";
    while (dcs_profile_next_definition(&at, &d))
        if (!d.is_key && is_wanted(part, &d)) {
            fprintf(out, "%s%.*s", between, (int)strcspn(d.text, " "), d.text);
            between = ", ";
        }
}

/* " ORDER BY" the columns of the key in its order; by rowid without a key. */
static void write_order(FILE *out, const struct dcs_profile_table *table)
{
    static const char key[] = " PRIMARY KEY";
    struct dcs_profile_definition d;
    const char *at = table->columns;
    fputs(" ORDER BY ", out);
    while (dcs_profile_next_definition(&at, &d)) {
        if (d.is_key) {
            size_t begin = strcspn(d.text, "(") + 1;
            fprintf(out, "%.*s", (int)(d.length - begin - 1), d.text + begin);
            return;
        }
        size_t name = strcspn(d.text, " ");
        const char *type = d.text + name + 1;
        if (strncmp(type + strcspn(type, " ,)"), key, sizeof key - 1) == 0) {
            fprintf(out, "%.*s", (int)name, d.text);
            return;
        }
    }
    fputs("rowid", out);
}

/* ---- rows ---- */

static char *make_select(const struct dcs_profile_table *table,
                         const struct profile_text_part *part)
{
    char *sql = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&sql, &size);
    if (out == NULL)
        return NULL;
    fputs("SELECT ", out);
    write_names(out, table, part);
    fprintf(out, " FROM %s", table->name);
    if (part != NULL && part->where != NULL)
        fprintf(out, " WHERE %s", part->where);
    write_order(out, table);
    fclose(out);
    return sql;
}

static int write_rows(FILE *out, sqlite3_stmt *row, const char *table)
{
    int code;
    long begin = -1;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        if (begin < 0) {
            begin = ftell(out);
            fprintf(out, "INSERT INTO %s VALUES\n(", table);
        } else {
            fputs(",\n(", out);
        }
        for (int i = 0; i < sqlite3_column_count(row); i++) {
            if (i > 0)
                fputc(',', out);
            write_value(out, row, i);
        }
        fputc(')', out);
        if (ftell(out) - begin > STATEMENT_BYTES) {
            fputs(";\n", out);
            begin = -1;
        }
    }
    if (begin >= 0)
        fputs(";\n", out);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Whether the database has the table: one that is older than the table lacks it. */
static int has_table(sqlite3 *db, const char *name, bool *there)
{
    sqlite3_stmt *find = NULL;
    int code =
        sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_master WHERE name = ?", -1, &find, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_text(find, 1, name, -1, SQLITE_TRANSIENT);
        code = sqlite3_step(find);
    }
    *there = code == SQLITE_ROW;
    sqlite3_finalize(find);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int profile_text_write(FILE *out, sqlite3 *db, const struct dcs_profile_table *table,
                       const struct profile_text_part *part)
{
    fprintf(out, "CREATE TABLE %s", table->name);
    profile_text_columns(out, table, part);
    fputs(";\n", out);
    bool there = false;
    int code = has_table(db, table->name, &there);
    if (code != SQLITE_OK || !there)
        return code;
    char *sql = make_select(table, part);
    sqlite3_stmt *row = NULL;
    code = sql == NULL ? SQLITE_NOMEM : sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    if (code == SQLITE_OK)
        code = write_rows(out, row, table->name);
    sqlite3_finalize(row);
    free(sql);
    return code;
}
