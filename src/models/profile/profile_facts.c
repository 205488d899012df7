/*
 * profile_facts.c - see profile_facts.h. The questions themselves are in profile_facts_sql.c.
 */
#include "models/profile/profile_facts.h"

#include "des/utf8.h"
#include "models/profile/profile_facts_sql.h"
#include "models/profile/profile_open.h"
#include "models/profile/profile_schema.h"
#include "models/profile/profile_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX     (1LL << 62) /* of which a UNIX time in ns is a third */
#define TEXT_MAX_BYTES 4096
#define STEPS_PER_CALL 10000

/* Steps that one question may cost: some ten seconds. A real profile needs a thousandth; a built
 * one could ask to compare each of its rows with every other. */
#define STEPS_MAX 2000000000LL

struct dcs_facts {
    sqlite3 *db;
    size_t count;
    struct dcs_profile *profiles[2];
    int64_t steps;
};

struct dcs_facts_rows {
    struct dcs_facts *facts;
    sqlite3_stmt *stmt;
    int code;
};

/* Of the database in memory: one for each profile, and temporary tables beside them. */
static const char *const schemas[] = {"a", "b"};

/* Our own statement on our own tables: it can fail for nothing but memory. */
static void must(struct dcs_facts *f, int code)
{
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
        return;
    fprintf(stderr, "dcsim: profile facts: %s\n", sqlite3_errmsg(f->db));
    DCS_ASSERT(code == SQLITE_OK);
}

static void run_sql(struct dcs_facts *f, const char *sql)
{
    must(f, sqlite3_exec(f->db, sql, NULL, NULL, NULL));
}

static sqlite3_stmt *prepare(struct dcs_facts *f, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    must(f, sqlite3_prepare_v2(f->db, sql, -1, &stmt, NULL));
    return stmt;
}

static int on_progress(void *context)
{
    struct dcs_facts *f = context;
    f->steps += STEPS_PER_CALL;
    return f->steps > STEPS_MAX;
}

/* ---- copying a table ---- */

enum { COLUMNS_MAX = 64 };

struct column {
    char name[64];
    enum { COLUMN_INTEGER, COLUMN_REAL, COLUMN_TEXT } type;
    bool needed, key;
};

struct copy {
    struct dcs_facts *facts;
    struct dcs_profile_source *source;
    const char *path, *schema, *table;
    struct column columns[COLUMNS_MAX];
    int count;
    int64_t row;
    sqlite3_stmt *from, *to;
    struct dcs_err *err;
};

static void describe_columns(struct copy *c)
{
    char sql[160];
    snprintf(sql, sizeof sql,
             "SELECT name, type, \"notnull\", pk FROM pragma_table_info('%s', '%s') ORDER BY cid",
             c->table, c->schema);
    sqlite3_stmt *stmt = prepare(c->facts, sql);
    int code;
    for (c->count = 0; (code = sqlite3_step(stmt)) == SQLITE_ROW; c->count++) {
        DCS_ASSERT(c->count < COLUMNS_MAX);
        struct column *column = &c->columns[c->count];
        const char *type = (const char *)sqlite3_column_text(stmt, 1);
        snprintf(column->name, sizeof column->name, "%s",
                 (const char *)sqlite3_column_text(stmt, 0));
        column->type = strcmp(type, "INTEGER") == 0 ? COLUMN_INTEGER
                       : strcmp(type, "REAL") == 0  ? COLUMN_REAL
                                                    : COLUMN_TEXT;
        column->key = sqlite3_column_int(stmt, 3) > 0;
        column->needed = column->key || sqlite3_column_int(stmt, 2) != 0;
    }
    must(c->facts, code);
    sqlite3_finalize(stmt);
    DCS_ASSERT(c->count > 0);
}

static int bad_value(struct copy *c, int i, const char *expected)
{
    char place[160];
    snprintf(place, sizeof place, "%s.%s", c->table, c->columns[i].name);
    return dcs_err_at(c->err, c->path, 0, place, "row %lld: expected %s, found another value",
                      (long long)c->row, expected);
}

/* What a terminal would obey or hide. */
static void clean(char *text)
{
    bool hidden;
    char *to = text;
    for (size_t bytes; *text != '\0'; text += bytes) {
        bytes = dcs_utf8_next(text, &hidden);
        size_t kept = hidden ? 1 : bytes;
        memmove(to, hidden ? "?" : text, kept);
        to += kept;
    }
    *to = '\0';
}

static int copy_text(struct copy *c, int i)
{
    int bytes = sqlite3_column_bytes(c->from, i);
    const char *text = (const char *)sqlite3_column_text(c->from, i);
    if (text == NULL || bytes > TEXT_MAX_BYTES || (c->columns[i].key && bytes == 0))
        return bad_value(c, i, "a text of 1 to 4096 bytes");
    char *copy = dcs_strdup(text);
    clean(copy);
    must(c->facts, sqlite3_bind_text(c->to, i + 1, copy, -1, SQLITE_TRANSIENT));
    free(copy);
    return 0;
}

static int copy_value(struct copy *c, int i)
{
    int type = sqlite3_column_type(c->from, i);
    if (type == SQLITE_NULL && !c->columns[i].needed) {
        must(c->facts, sqlite3_bind_null(c->to, i + 1));
        return 0;
    }
    if (c->columns[i].type == COLUMN_TEXT) {
        /* Notes may be of any type; the version is often a number. */
        bool any = strcmp(c->table, "profile") == 0;
        if (type == SQLITE_TEXT || (any && type != SQLITE_BLOB && type != SQLITE_NULL))
            return copy_text(c, i);
        if (!any)
            return bad_value(c, i, "a text");
        must(c->facts, sqlite3_bind_text(c->to, i + 1, "?", -1, SQLITE_STATIC));
        return 0;
    }
    if (c->columns[i].type == COLUMN_INTEGER) {
        int64_t value = sqlite3_column_int64(c->from, i);
        if (type != SQLITE_INTEGER || value < 0 || value > NUMBER_MAX)
            return bad_value(c, i, "an integer from 0 to 2^62");
        must(c->facts, sqlite3_bind_int64(c->to, i + 1, value));
        return 0;
    }
    double value = sqlite3_column_double(c->from, i);
    if ((type != SQLITE_FLOAT && type != SQLITE_INTEGER) || !(value >= 0 && value <= 1e30))
        return bad_value(c, i, "a number from 0 to 10^30");
    must(c->facts, sqlite3_bind_double(c->to, i + 1, value));
    return 0;
}

static int copy_row(struct copy *c)
{
    for (int i = 0; i < c->count; i++)
        if (copy_value(c, i) != 0)
            return -1;
    int code = sqlite3_step(c->to);
    sqlite3_reset(c->to);
    if (code == SQLITE_CONSTRAINT)
        return dcs_err_at(c->err, c->path, 0, c->table, "row %lld: its key is there twice",
                          (long long)c->row);
    must(c->facts, code);
    return 0;
}

static int copy_rows(struct copy *c)
{
    struct sqlite3_str *select = sqlite3_str_new(NULL), *insert = sqlite3_str_new(NULL);
    sqlite3_str_appendall(select, "SELECT ");
    /* Notes may be there twice; the first counts. */
    sqlite3_str_appendf(insert, "INSERT %sINTO %s.%s VALUES (",
                        strcmp(c->table, "profile") == 0 ? "OR IGNORE " : "", c->schema, c->table);
    for (int i = 0; i < c->count; i++) {
        sqlite3_str_appendf(select, "%s\"%w\"", i > 0 ? ", " : "", c->columns[i].name);
        sqlite3_str_appendall(insert, i > 0 ? ", ?" : "?");
    }
    sqlite3_str_appendf(select, " FROM %s", c->table);
    sqlite3_str_appendall(insert, ")");
    char *from = sqlite3_str_finish(select), *to = sqlite3_str_finish(insert);
    c->source->steps_done = c->source->steps_running = 0;
    int status = 0, code = sqlite3_prepare_v2(c->source->db, from, -1, &c->from, NULL);
    c->to = prepare(c->facts, to);
    if (code == SQLITE_OK)
        while (status == 0 && (code = sqlite3_step(c->from)) == SQLITE_ROW) {
            c->row++;
            status = copy_row(c);
        }
    if (status == 0 && code != SQLITE_DONE)
        status = dcs_err_at(c->err, c->path, 0, c->table, "%s", sqlite3_errmsg(c->source->db));
    sqlite3_finalize(c->from);
    sqlite3_finalize(c->to);
    sqlite3_free(from);
    sqlite3_free(to);
    return status;
}

/* Makes the table and fills it. */
static int copy_table(struct dcs_facts *f, struct dcs_profile_source *source, const char *path,
                      const char *schema, const struct dcs_profile_table *t, bool wanted,
                      struct dcs_err *err)
{
    char create[4096];
    snprintf(create, sizeof create, "CREATE TABLE %s.%s%s", schema, t->name, t->columns);
    run_sql(f, create);
    struct copy c = {
        .facts = f, .source = source, .path = path, .schema = schema, .table = t->name, .err = err};
    int there = wanted ? dcs_profile_has_table(source, path, t->name, err) : 0;
    if (there != 1)
        return there;
    describe_columns(&c);
    return copy_rows(&c);
}

static int copy_tables(struct dcs_facts *f, struct dcs_profile_source *source, const char *path,
                       size_t index, struct dcs_err *err)
{
    struct dcs_profile_table t = {0};
    while (dcs_profile_next_table(&t))
        if (copy_table(f, source, path, schemas[index], &t,
                       t.version <= f->profiles[index]->schema_version, err) != 0)
            return -1;
    return 0;
}

static int load(struct dcs_facts *f, const char *path, size_t index, struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (dcs_profile_open_whole(&source, path, err) != 0)
        return -1;
    f->profiles[index] = dcs_profile_read(&source, path, err);
    int status = -1;
    if (f->profiles[index] != NULL) {
        char attach[64];
        snprintf(attach, sizeof attach, "ATTACH ':memory:' AS %s", schemas[index]);
        run_sql(f, attach);
        run_sql(f, "BEGIN");
        status = copy_tables(f, &source, path, index, err);
        run_sql(f, "COMMIT");
    }
    dcs_profile_close(&source);
    return status;
}

struct dcs_facts *dcs_facts_load(const char *const *paths, size_t count, struct dcs_err *err)
{
    DCS_ASSERT(count >= 1 && count <= 2);
    struct dcs_facts *f = dcs_alloc(1, sizeof *f);
    int code = sqlite3_open_v2(
        ":memory:", &f->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX, NULL);
    must(f, code);
    run_sql(f, "PRAGMA temp_store=MEMORY");
    for (; f->count < count; f->count++)
        if (load(f, paths[f->count], f->count, err) != 0) {
            dcs_facts_free(f);
            return NULL;
        }
    run_sql(f, facts_prepare_sql);
    sqlite3_progress_handler(f->db, STEPS_PER_CALL, on_progress, f);
    return f;
}

void dcs_facts_free(struct dcs_facts *f)
{
    if (f == NULL)
        return;
    sqlite3_close(f->db);
    dcs_profile_free(f->profiles[0]);
    dcs_profile_free(f->profiles[1]);
    free(f);
}

const struct dcs_profile *dcs_facts_profile(const struct dcs_facts *f, size_t index)
{
    DCS_ASSERT(index < f->count);
    return f->profiles[index];
}

/* ---- rows ---- */

static struct dcs_facts_rows *ask_sql(struct dcs_facts *f, const char *sql)
{
    struct dcs_facts_rows *rows = dcs_alloc(1, sizeof *rows);
    f->steps = 0;
    rows->facts = f;
    rows->stmt = prepare(f, sql);
    return rows;
}

struct dcs_facts_rows *dcs_facts_ask(struct dcs_facts *f, enum dcs_facts_query query,
                                     const struct dcs_facts_arguments *arguments)
{
    DCS_ASSERT(query >= 0 && query < DCS_FACTS_QUERIES);
    struct dcs_facts_rows *rows = ask_sql(f, dcs_facts_queries[query]);
    /* Place 0, of a name that the question lacks, is refused by SQLite without harm. */
    sqlite3_bind_text(rows->stmt, sqlite3_bind_parameter_index(rows->stmt, ":app"), arguments->app,
                      -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(rows->stmt, sqlite3_bind_parameter_index(rows->stmt, ":few"),
                       arguments->few_sms);
    sqlite3_bind_int64(rows->stmt, sqlite3_bind_parameter_index(rows->stmt, ":half"),
                       arguments->half_sms);
    return rows;
}

bool dcs_facts_next(struct dcs_facts_rows *rows)
{
    rows->code = sqlite3_step(rows->stmt);
    return rows->code == SQLITE_ROW;
}

double dcs_facts_number(const struct dcs_facts_rows *rows, int column)
{
    if (sqlite3_column_type(rows->stmt, column) == SQLITE_NULL)
        return (double)NAN;
    return sqlite3_column_double(rows->stmt, column);
}

const char *dcs_facts_text(const struct dcs_facts_rows *rows, int column)
{
    const char *text = (const char *)sqlite3_column_text(rows->stmt, column);
    return text != NULL ? text : "";
}

int dcs_facts_end(struct dcs_facts_rows *rows, struct dcs_err *err)
{
    int code = rows->code;
    sqlite3_finalize(rows->stmt);
    struct dcs_facts *f = rows->facts;
    free(rows);
    if (code == SQLITE_INTERRUPT)
        return dcs_err_set(err, "profile \"%s\" takes too much work to check; refused",
                           f->profiles[0]->name);
    must(f, code);
    return 0;
}

struct dcs_facts_rows *dcs_facts_check(struct dcs_facts *f, const struct dcs_facts_rule *rule)
{
    return ask_sql(f, rule->sql);
}

/* ---- diff ---- */

const char *const dcs_facts_compared[] = {
    "application",
    "kernel",
    "revocation",
    "subject",
    "request_kernel",
    "kernel_shape",
    "request_solo",
    "kernel_solo",
    "kernel_launch",
    "kernel_cluster",
    "cluster_room",
    "recorded_clock",
    "recorded_launch",
    "kernel_counters",
    "overhead",
    "transfer",
    "quota_switch",
    "scheduler_cost",
    "driven_kill",
    "corun_side",
    "live",
    "live_partition",
    "fused",
    "residency",
    "residency_l2",
    "residency_three",
    "resident_kernel",
    "resident_use",
    "resident_rate",
    "revocation_sample",
    "contention_resource",
    "contention_hinge",
    "contention_kernel",
    "contention_weight",
    "contention_range",
    "cpu_point",
    "split_program",
    "split_time",
    NULL,
};

/* Fills the key of a table as one text of the table called x, the join of x and y by it, and the
 * column of its durations ("" without one). */
static void compare_by(struct dcs_facts *f, const char *table, char **key, char **join,
                       const char **value)
{
    struct copy c = {.facts = f, .schema = schemas[0], .table = table};
    describe_columns(&c);
    struct sqlite3_str *k = sqlite3_str_new(NULL), *j = sqlite3_str_new(NULL);
    *value = "";
    bool first = true, co_run = strcmp(table, "corun_side") == 0;
    bool keyless = strcmp(table, "revocation") == 0;
    for (int i = 0; i < c.count; i++) {
        const char *name = c.columns[i].name;
        if (strcmp(name, "median_ns") == 0)
            *value = "median_ns";
        else if (**value == '\0' &&
                 (strcmp(name, "duration_ns") == 0 || (keyless && strcmp(name, "kill_ns") == 0)))
            *value = strcmp(name, "kill_ns") == 0 ? "kill_ns" : "duration_ns";
        /* A co-run has a number; what ran in it is what makes two the same. */
        bool part = c.columns[i].key || (co_run && i < 7) || (keyless && i < 2);
        if (!part)
            continue;
        sqlite3_str_appendf(k, "%s'%s ' || coalesce(x.%s, 'any')", first ? "" : " || ', ' || ",
                            name, name);
        sqlite3_str_appendf(j, "%sx.%s IS y.%s", first ? "" : " AND ", name, name);
        first = false;
    }
    if (strncmp(table, "live", 4) == 0) /* how long it was run, not how long it took */
        *value = "";
    *key = sqlite3_str_finish(k);
    *join = sqlite3_str_finish(j);
}

struct dcs_facts_rows *dcs_facts_only(struct dcs_facts *f, const char *table, size_t index)
{
    char *key, *join;
    const char *value;
    compare_by(f, table, &key, &join, &value);
    char *sql = sqlite3_mprintf("SELECT %s FROM %s.%s x WHERE NOT EXISTS "
                                "(SELECT 1 FROM %s.%s y WHERE %s) ORDER BY x.rowid",
                                key, schemas[index], table, schemas[1 - index], table, join);
    struct dcs_facts_rows *rows = ask_sql(f, sql);
    sqlite3_free(sql);
    sqlite3_free(key);
    sqlite3_free(join);
    return rows;
}

struct dcs_facts_rows *dcs_facts_ratios(struct dcs_facts *f, const char *table)
{
    char *key, *join;
    const char *value;
    compare_by(f, table, &key, &join, &value);
    if (value[0] == '\0')
        value = "NULL";
    char *sql = sqlite3_mprintf(
        "SELECT k, v, w, 1.0 * w / v FROM (SELECT %s AS k, %s%s AS v, %s%s AS w FROM a.%s x "
        "JOIN b.%s y ON %s) WHERE v > 0 AND w > 0 ORDER BY 4, 1",
        key, strcmp(value, "NULL") == 0 ? "" : "x.", value, strcmp(value, "NULL") == 0 ? "" : "y.",
        value, table, table, join);
    struct dcs_facts_rows *rows = ask_sql(f, sql);
    sqlite3_free(sql);
    sqlite3_free(key);
    sqlite3_free(join);
    return rows;
}

struct dcs_facts_rows *dcs_facts_provenance(struct dcs_facts *f)
{
    return ask_sql(f, facts_provenance_sql);
}
