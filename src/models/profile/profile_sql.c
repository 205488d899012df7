/*
 * profile_sql.c - runs the SQL text of a profile, which is untrusted, in a handle that
 * profile_open.c made.
 *
 * The text is held to a short list: CREATE TABLE of the schema's tables (which version it has is
 * known only when it has run: profile_read.c then refuses what version 1 lacks), INSERT of literal
 * rows, BEGIN, COMMIT. Three things enforce it together. The first word of each statement; SQLite's
 * authorizer, which sees what a statement would do; and a search for the word SELECT, because the
 * authorizer cannot tell the rows of a long VALUES list from a SELECT (SQLite reports both alike),
 * and a SELECT over nothing but VALUES could still multiply itself for hours.
 */
#include "models/profile/profile_open.h"

#include <string.h>
#include <strings.h>

/* Each INSERT pays for the constraints of its table again, so those are kept short. */
#define CREATE_BYTES_MAX 4096

/* Rows that say which version of the schema this is may follow behind all tables. */
static void note_table(struct dcs_profile_source *s, const char *table)
{
    if (s->beyond[0] == '\0' && dcs_profile_is_table_2(table))
        snprintf(s->beyond, sizeof s->beyond, "%s", table);
}

/* What a refused statement tried, in the words of who wrote it. */
static void note_refusal(struct dcs_profile_source *s, int action, const char *a, const char *b)
{
    bool table = action == SQLITE_CREATE_TABLE || action == SQLITE_INSERT;
    if (table && a != NULL && strncmp(a, "sqlite_", 7) != 0)
        snprintf(s->refused, sizeof s->refused, "schema version %d has no table \"%.64s\"",
                 DCS_PROFILE_SCHEMA, a);
    else if (action == SQLITE_FUNCTION) /* as SQLite itself says it in a constraint */
        snprintf(s->refused, sizeof s->refused, "not authorized to use function: %.64s",
                 b != NULL ? b : "");
    else
        snprintf(s->refused, sizeof s->refused,
                 "only CREATE TABLE, INSERT INTO, BEGIN and COMMIT are allowed");
}

static int authorize_building(void *context, int action, const char *a, const char *b,
                              const char *database, const char *trigger)
{
    struct dcs_profile_source *s = context;
    bool allowed = false;
    bool main = database == NULL || strcmp(database, "main") == 0;
    switch (action) {
    case SQLITE_CREATE_TABLE:
        allowed = dcs_profile_is_own_table(a);
        note_table(s, a);
        break;
    case SQLITE_INSERT:
        allowed = dcs_profile_is_own_table(a) || dcs_profile_is_schema_table(a);
        break;
    case SQLITE_CREATE_INDEX: /* that a PRIMARY KEY or UNIQUE makes; the prefix is reserved */
    case SQLITE_REINDEX:
        allowed = a != NULL && strncmp(a, "sqlite_autoindex_", 17) == 0;
        break;
    case SQLITE_READ: /* by CREATE TABLE itself, of the schema and of the columns of a key */
        allowed = dcs_profile_is_own_table(a) || dcs_profile_is_schema_table(a);
        break;
    case SQLITE_UPDATE: /* of the schema, by CREATE TABLE itself; no statement may name it */
        allowed = dcs_profile_is_schema_table(a);
        break;
    case SQLITE_SELECT: /* a VALUES list of several rows; see the top */
        allowed = true;
        break;
    case SQLITE_TRANSACTION:
        allowed = a != NULL && (strcmp(a, "BEGIN") == 0 || strcmp(a, "COMMIT") == 0);
        break;
    default:
        break;
    }
    if (allowed && main && trigger == NULL)
        return SQLITE_OK;
    note_refusal(s, action, a, b);
    return SQLITE_DENY;
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

/* Behind the comment that begins at sql; sql itself if none does. */
static const char *skip_comment(const char *sql)
{
    if (sql[0] == '-' && sql[1] == '-')
        return sql + strcspn(sql, "\n");
    if (sql[0] == '/' && sql[1] == '*') {
        const char *end = strstr(sql + 2, "*/");
        return end != NULL ? end + 2 : sql + strlen(sql);
    }
    return sql;
}

/* At the first word of the next statement, or at the end. */
static const char *skip_to_statement(const char *sql)
{
    for (;;) {
        const char *next = sql + strspn(sql, " \t\r\n\f;");
        next = skip_comment(next);
        if (next == sql)
            return sql;
        sql = next;
    }
}

/* Whether the statement has the word SELECT outside of strings, quoted names and comments. */
static bool has_select(const char *sql, const char *end)
{
    while (sql < end) {
        const char *after = skip_comment(sql);
        if (after != sql) {
            sql = after;
        } else if (*sql == '\'' || *sql == '"' || *sql == '`' || *sql == '[') {
            /* A doubled quote inside reads as two strings side by side, which is the same here. */
            const char *close = strchr(sql + 1, *sql == '[' ? ']' : *sql);
            sql = close != NULL ? close + 1 : end;
        } else if (is_word_byte(*sql)) {
            const char *word = sql;
            while (sql < end && is_word_byte(*sql))
                sql++;
            if (sql - word == 6 && strncasecmp(word, "select", 6) == 0)
                return true;
        } else {
            sql++;
        }
    }
    return false;
}

struct text {
    struct dcs_profile_source *s;
    const char *path;
    const char *at; /* counted up to here ... */
    int line;       /* ... which is in this line */
    struct dcs_err *err;
};

static int line_of(struct text *t, const char *place)
{
    for (; t->at < place; t->at++)
        t->line += *t->at == '\n';
    return t->line;
}

static int check_first_word(struct text *t, const char *sql, bool first)
{
    static const char *const words[] = {"CREATE", "INSERT", "BEGIN", "COMMIT"};
    size_t length = 0;
    while (is_word_byte(sql[length]))
        length++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (length == strlen(words[i]) && strncasecmp(sql, words[i], length) == 0)
            return 0;
    char found[33] = "";
    for (size_t i = 0; i < sizeof found - 1 && i < (length > 0 ? length : 1); i++)
        found[i] = (char)(sql[i] >= ' ' && sql[i] <= '~' ? sql[i] : '?');
    return dcs_err_at(t->err, t->path, line_of(t, sql), NULL,
                      "expected %sCREATE TABLE, INSERT INTO, BEGIN or COMMIT, found \"%s\"",
                      first ? "an SQLite database, or SQL text of " : "", found);
}

static int statement_failed(struct text *t, const char *sql)
{
    sqlite3 *db = t->s->db;
    const char *place = sql;
#if SQLITE_VERSION_NUMBER >= 3038000
    int offset = sqlite3_error_offset(db);
    if (offset > 0)
        place += offset;
#endif
    int code = sqlite3_errcode(db);
    const char *why = sqlite3_errmsg(db);
    if (code == SQLITE_AUTH)
        why = t->s->refused;
    else if (code == SQLITE_INTERRUPT)
        why = "takes too much work; refused";
    else if (code == SQLITE_TOOBIG)
        why = "a statement or a value has more than 1 MiB";
    else if (code == SQLITE_FULL)
        why = "the tables take more than 256 MiB";
    /* A string that is not closed is quoted to the end of the file. */
    size_t length = strcspn(why, "\n");
    bool open = code == SQLITE_ERROR && sqlite3_complete(sql) == 0;
    return dcs_err_at(t->err, t->path, line_of(t, place), NULL, "%.*s%s",
                      length < 160 ? (int)length : 160, why,
                      open ? "; no statement ends after this: the file may have been cut off" : "");
}

static int check_words(struct text *t, const char *sql, const char *end)
{
    if (has_select(sql, end))
        return dcs_err_at(t->err, t->path, line_of(t, sql), NULL,
                          "SELECT is not allowed; write the rows as VALUES");
    if (strncasecmp(sql, "create", 6) == 0 && end - sql > CREATE_BYTES_MAX)
        return dcs_err_at(t->err, t->path, line_of(t, sql), NULL,
                          "a CREATE TABLE has at most %d bytes, this one %td", CREATE_BYTES_MAX,
                          end - sql);
    return 0;
}

/* Runs the statement at *sql and moves *sql behind it. */
static int run_statement(struct text *t, const char **sql)
{
    sqlite3_stmt *stmt = NULL;
    const char *tail = NULL;
    /* Length -1: with a length SQLite would copy all of the rest for each statement. */
    if (sqlite3_prepare_v2(t->s->db, *sql, -1, &stmt, &tail) != SQLITE_OK)
        return statement_failed(t, *sql);
    if (check_words(t, *sql, tail) != 0) {
        sqlite3_finalize(stmt);
        return -1;
    }
    int code;
    do {
        code = sqlite3_step(stmt);
    } while (code == SQLITE_ROW);
    int status = code == SQLITE_DONE ? 0 : statement_failed(t, *sql);
    t->s->steps_done += sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 0);
    t->s->steps_running = 0;
    sqlite3_finalize(stmt);
    if (t->s->beyond[0] != '\0' && t->s->beyond_line == 0)
        t->s->beyond_line = line_of(t, *sql);
    if (status == 0 && t->s->steps_done > DCS_PROFILE_STEPS_MAX)
        status =
            dcs_err_at(t->err, t->path, line_of(t, *sql), NULL, "takes too much work; refused");
    *sql = tail;
    return status;
}

int dcs_profile_run_text(struct dcs_profile_source *s, const char *path, const char *sql,
                         struct dcs_err *err)
{
    struct text t = {.s = s, .path = path, .at = sql, .line = 1, .err = err};
    bool first = true;
    sqlite3_set_authorizer(s->db, authorize_building, s);
    for (;;) {
        sql = skip_to_statement(sql);
        if (*sql == '\0')
            break;
        if (check_first_word(&t, sql, first) != 0 || run_statement(&t, &sql) != 0)
            return -1;
        first = false;
    }
    if (first)
        return dcs_err_at(err, path, 0, NULL, "has no SQL statement");
    /* An open transaction is the trace of a text that was cut off. */
    if (!sqlite3_get_autocommit(s->db))
        return dcs_err_at(err, path, line_of(&t, sql), NULL,
                          "the text ends without the COMMIT of its BEGIN");
    return 0;
}
