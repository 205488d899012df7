/*
 * profile_store_export.c - a profile as SQL text. See profile_store.h.
 *
 * Only what `dcsim profile build` takes: CREATE TABLE, INSERT of literal rows, BEGIN and COMMIT,
 * with statements below its limits.
 */
#include "calibrate/store/profile_store_sql.h"
#include "models/profile/profile_schema.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATEMENT_BYTES (256 * 1024) /* a statement is ended past this */

static void write_text(FILE *out, const char *text)
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

static void write_cell(FILE *out, sqlite3_stmt *row, int column)
{
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
        fprintf(out, "%lld", (long long)sqlite3_column_int64(row, column));
        break;
    case SQLITE_FLOAT:
        write_real(out, sqlite3_column_double(row, column));
        break;
    case SQLITE_TEXT:
        write_text(out, (const char *)sqlite3_column_text(row, column));
        break;
    default:
        fputs("NULL", out);
        break;
    }
}

/* " ORDER BY" the primary key's columns in its order; by rowid without a key. */
static int order_of(struct cal_store *s, const char *table, char *text, size_t size,
                    struct dcs_err *err)
{
    sqlite3_stmt *columns = NULL;
    if (sqlite3_prepare_v2(s->db, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
                           -1, &columns, NULL) != SQLITE_OK)
        return cal_store_failed(s, "read the schema", err);
    sqlite3_bind_text(columns, 1, table, -1, SQLITE_TRANSIENT);
    size_t used = (size_t)snprintf(text, size, " ORDER BY ");
    size_t begin = used;
    while (sqlite3_step(columns) == SQLITE_ROW && used < size)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > begin ? ", " : "",
                                 (const char *)sqlite3_column_text(columns, 0));
    if (used == begin)
        snprintf(text + used, size - used, "rowid");
    sqlite3_finalize(columns);
    return 0;
}

static int write_table(struct cal_store *s, const char *table, FILE *out, struct dcs_err *err)
{
    char order[512], sql[640];
    double there = 0;
    if (!cal_store_get(s, &there, "SELECT count(*) FROM sqlite_master WHERE name = ?", "t", table))
        return cal_store_failed(s, "read", err);
    if (there == 0) /* of a database that is older than the table */
        return 0;
    if (order_of(s, table, order, sizeof order, err) != 0)
        return -1;
    snprintf(sql, sizeof sql, "SELECT * FROM %s%s", table, order);
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &row, NULL) != SQLITE_OK)
        return cal_store_failed(s, "read", err);
    int status;
    long begin = -1;
    while ((status = sqlite3_step(row)) == SQLITE_ROW) {
        if (begin < 0) {
            begin = ftell(out);
            fprintf(out, "INSERT INTO %s VALUES\n(", table);
        } else {
            fputs(",\n(", out);
        }
        for (int i = 0; i < sqlite3_column_count(row); i++) {
            if (i > 0)
                fputc(',', out);
            write_cell(out, row, i);
        }
        fputc(')', out);
        if (ftell(out) - begin > STATEMENT_BYTES) {
            fputs(";\n", out);
            begin = -1;
        }
    }
    if (begin >= 0)
        fputs(";\n", out);
    int result = status == SQLITE_DONE ? 0 : cal_store_failed(s, "read", err);
    sqlite3_finalize(row);
    return result;
}

/* Each CREATE TABLE of the schema, and the table's rows behind it. */
static int write_tables(struct cal_store *s, FILE *out, struct dcs_err *err)
{
    struct dcs_profile_table t = {0};
    while (dcs_profile_next_table(&t)) {
        fprintf(out, "CREATE TABLE %s%s;\n", t.name, t.columns);
        if (write_table(s, t.name, out, err) != 0)
            return -1;
    }
    return 0;
}

int cal_store_export(struct cal_store *s, const char *path, struct dcs_err *err)
{
    char unfinished[512];
    if (snprintf(unfinished, sizeof unfinished, "%s.unfinished", path) >= (int)sizeof unfinished)
        return dcs_err_at(err, path, 0, NULL, "the path is too long");
    FILE *out = fopen(unfinished, "w");
    if (out == NULL)
        return dcs_err_at(err, unfinished, 0, NULL, "cannot be written: %s", strerror(errno));
    fputs("-- A profile measured by dcsim-calibrate; docs/profile.md says what the columns mean.\n"
          "BEGIN;\n",
          out);
    int failed = write_tables(s, out, err);
    fputs("COMMIT;\n", out);
    bool written = fflush(out) == 0 && ferror(out) == 0 && fsync(fileno(out)) == 0;
    int why = errno;
    if (fclose(out) != 0)
        written = false;
    if (!failed && !written)
        failed = dcs_err_at(err, unfinished, 0, NULL, "cannot be written: %s", strerror(why));
    if (!failed && rename(unfinished, path) != 0)
        failed = dcs_err_at(err, path, 0, NULL, "cannot be replaced: %s", strerror(errno));
    if (failed)
        unlink(unfinished);
    return failed;
}
