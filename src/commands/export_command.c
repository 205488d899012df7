/*
 * export_command.c - see export_command.h.
 *
 * CSV as in RFC 4180, with a line of names first, but lines end in \n alone: NULL is an empty
 * field, an empty text is "". JSON (RFC 8259) is a list of objects. Numbers in the fewest digits
 * that read back as the same bits.
 */
#include "commands/export_command.h"

#include "commands/command.h"
#include "options/options.h"
#include "text/buffer.h"
#include "text/number.h"
#include "results/compare_groups.h"
#include "results/results_db.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "Usage: dcsim export RESULTS.db VIEW --csv|--json\n"
                            "       dcsim export RESULTS.db\n"
                            "\n"
                            "Prints a view or table of a results database; without VIEW, their "
                            "names.\n";

#define LIST                                                                                       \
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' "  \
    "ORDER BY type = 'table', name"

static int bad_usage(const char *what)
{
    return command_bad_usage("dcsim export", what, NULL);
}

static void print_text(const char *text, bool json)
{
    struct text_buffer quoted = {0};
    if (json)
        text_append_json(&quoted, text);
    else
        text_append_csv(&quoted, text);
    fputs(quoted.text, stdout);
    free(quoted.text);
}

static void print_cell(sqlite3_stmt *row, int column, bool json)
{
    char number[NUMBER_SIZE];
    double real = sqlite3_column_double(row, column);
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
        printf("%lld", (long long)sqlite3_column_int64(row, column));
        return;
    case SQLITE_FLOAT:
        /* Our own rows hold no infinity. */
        if (real - real != 0) {
            fputs(json ? "null" : "", stdout);
            return;
        }
        number_write_real(real, number);
        fputs(number, stdout);
        return;
    case SQLITE_NULL:
        fputs(json ? "null" : "", stdout);
        return;
    default:
        print_text((const char *)sqlite3_column_text(row, column), json);
    }
}

static void print_row(sqlite3_stmt *row, bool json, size_t index)
{
    int columns = sqlite3_column_count(row);
    if (json)
        fputs(index > 0 ? ",\n {" : "\n {", stdout);
    for (int i = 0; i < columns; i++) {
        if (i > 0)
            fputs(json ? ", " : ",", stdout);
        if (json) {
            print_text(sqlite3_column_name(row, i), true);
            fputs(": ", stdout);
        }
        print_cell(row, i, json);
    }
    fputs(json ? "}" : "\n", stdout);
}

static int print_rows(const struct results *r, sqlite3_stmt *row, bool json, struct dcs_err *err)
{
    for (int i = 0; !json && i < sqlite3_column_count(row); i++) {
        fputs(i > 0 ? "," : "", stdout);
        print_text(sqlite3_column_name(row, i), false);
    }
    fputs(json ? "[" : "\n", stdout);
    size_t index = 0;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW && !ferror(stdout))
        print_row(row, json, index++);
    if (json)
        fputs("\n]\n", stdout);
    return code == SQLITE_DONE || code == SQLITE_ROW ? 0 : results_failed(r, err);
}

/* Only what is listed: the name goes into the statement. */
static int is_listed(const struct results *r, const char *view, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r, LIST, err);
    if (row == NULL)
        return -1;
    bool found = false;
    int code = SQLITE_ROW;
    while (!found && (code = sqlite3_step(row)) == SQLITE_ROW)
        found = strcmp((const char *)sqlite3_column_text(row, 0), view) == 0;
    sqlite3_finalize(row);
    if (found)
        return 0;
    if (code != SQLITE_DONE)
        return results_failed(r, err);
    char *near = results_nearest(r, LIST, view);
    dcs_err_at(err, r->path, 0, NULL, "has no view or table \"%.64s\"%s", view, near);
    free(near);
    return -1;
}

/* ---- headline and sla_verdict: with what tells an experiment from the others ---- */

/* {"12": "elastic (revocation=true)", ...}: of each experiment its label. NULL and err on failure;
 * freed by the caller. */
static char *read_labels(const struct results *r, struct dcs_err *err)
{
    static const char *const keys[] = {"policy", "predictor"};
    struct compare_groups g;
    struct text_buffer labels = {0};
    if (compare_groups_read(&g, r, keys, 2, NULL, err) != 0)
        return NULL;
    for (size_t i = 0; i < g.systems_count; i++) {
        text_append(&labels, "%s\"%lld\":", i > 0 ? "," : "{", (long long)g.systems[i].id);
        text_append_json(&labels, g.systems[i].label);
    }
    text_append(&labels, "%s", g.systems_count > 0 ? "}" : "{}");
    compare_groups_release(&g);
    return labels.text;
}

/* Appends a column for each key over which a sweep goes, named by it. */
static int append_swept(struct text_buffer *sql, const struct results *r, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(
        r, "SELECT count(*) FROM sqlite_master WHERE name IN ('axis', 'point_axis')", err);
    bool swept = row != NULL && sqlite3_step(row) == SQLITE_ROW && sqlite3_column_int(row, 0) == 2;
    sqlite3_finalize(row);
    if (row == NULL || !swept) /* an older schema has no sweeps */
        return row == NULL ? -1 : 0;
    row = results_prepare(r, "SELECT DISTINCT key FROM axis ORDER BY key", err);
    if (row == NULL)
        return -1;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        char *column = sqlite3_mprintf(", (SELECT value FROM point_axis p WHERE p.experiment = "
                                       "h.experiment AND p.key = %Q LIMIT 1) AS \"%w\"",
                                       sqlite3_column_text(row, 0), sqlite3_column_text(row, 0));
        DCS_ASSERT(column != NULL);
        text_append(sql, "%s", column);
        sqlite3_free(column);
    }
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(r, err);
}

/* Appends a column for each other key in which experiments of one name and policy differ, named by
 * it, as dcsim capacity makes them. */
static int append_differing(struct text_buffer *sql, const struct results *r, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(
        r,
        "SELECT DISTINCT substr(t.fullkey, 3) FROM experiment e, json_tree(e.config) t "
        "WHERE t.atom IS NOT NULL AND t.fullkey NOT LIKE '$.outputs.%' AND t.fullkey NOT IN "
        "('$.description', '$.replications') GROUP BY e.name, e.policy, t.fullkey "
        "HAVING count(DISTINCT t.atom) > 1 ORDER BY 1",
        err);
    if (row == NULL)
        return -1;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *key = (const char *)sqlite3_column_text(row, 0);
        char *column = sqlite3_mprintf(", (SELECT json_extract(config, '$.%q') FROM experiment e "
                                       "WHERE e.id = h.experiment) AS \"%w\"",
                                       key, key);
        DCS_ASSERT(column != NULL);
        text_append(sql, "%s", column);
        sqlite3_free(column);
    }
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(r, err);
}

/* A view whose rows are of an experiment each, with what tells it from the others. */
static int print_experiments(const struct results *r, const char *view, bool json,
                             struct dcs_err *err)
{
    bool headline = strcmp(view, "headline") == 0;
    struct text_buffer sql = {0};
    text_append(&sql, "SELECT h.*, json_extract(?1, '$.\"' || h.experiment || '\"') AS label");
    int status = headline ? append_swept(&sql, r, err) : append_differing(&sql, r, err);
    text_append(&sql, " FROM %s h", view);
    char *labels = status == 0 ? read_labels(r, err) : NULL;
    sqlite3_stmt *row = labels != NULL ? results_prepare(r, sql.text, err) : NULL;
    if (row != NULL)
        sqlite3_bind_text(row, 1, labels, -1, SQLITE_STATIC);
    status = row != NULL ? print_rows(r, row, json, err) : -1;
    sqlite3_finalize(row);
    free(labels);
    free(sql.text);
    return status;
}

static int print_view(const struct results *r, const char *view, bool json, struct dcs_err *err)
{
    if (is_listed(r, view, err) != 0)
        return -1;
    if (strcmp(view, "headline") == 0 || strcmp(view, "sla_verdict") == 0)
        return print_experiments(r, view, json, err);
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", view);
    DCS_ASSERT(sql != NULL);
    sqlite3_stmt *row = results_prepare(r, sql, err);
    sqlite3_free(sql);
    int status = row != NULL ? print_rows(r, row, json, err) : -1;
    sqlite3_finalize(row);
    return status;
}

static int print_list(const struct results *r, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r, LIST, err);
    if (row == NULL)
        return -1;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW)
        puts((const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(r, err);
}

int export_command(int argc, char **argv)
{
    bool csv = false, json = false;
    const struct command_option options[] = {{"csv", .flag = &csv}, {"json", .flag = &json}, {0}};
    const struct command_line line = {"dcsim export", usage, options, NULL, NULL};
    int code = command_options(&line, argc, argv, 2);
    if (code >= 0)
        return code;
    if (argc - optind < 1 || argc - optind > 2)
        return bad_usage("expected a results database and a view");
    const char *view = argc - optind == 2 ? argv[optind + 1] : NULL;
    if (view != NULL && csv == json)
        return bad_usage("expected one of --csv and --json");
    struct dcs_err err = {0};
    struct results results;
    if (results_open(&results, argv[optind], &err) != 0)
        return command_fail(&err);
    int status = view != NULL ? print_view(&results, view, json, &err) : print_list(&results, &err);
    results_close(&results);
    return status == 0 ? DCS_EXIT_OK : command_fail(&err);
}
