/*
 * profile_open.c - see profile_open.h: files, SQLite handles, and whether a table is what it seems.
 * SQL text is run in profile_sql.c.
 */
#include "models/profile/profile_open.h"

#include "models/profile/database.h"
#include "des/digest.h"
#include "models/profile/profile_gzip.h"
#include "models/profile/profile_plain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEPS_PER_CALL 1000
#define PAGES_MAX      "65536" /* of 4096 bytes: twice what the largest text can hold */

/* ---- the file ---- */

static const char *why_not(const struct stat *st)
{
    if (S_ISDIR(st->st_mode))
        return "is a directory";
    if (!S_ISREG(st->st_mode))
        return "is not a regular file";
    return st->st_size == 0 ? "is empty" : NULL;
}

/* Fills the bytes. NULL, or why it could not. */
static const char *read_all(int fd, unsigned char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t got = read(fd, bytes, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? strerror(errno) : "it became shorter while it was read";
        bytes += got;
        size -= (size_t)got;
    }
    return NULL;
}

static unsigned char *read_descriptor(int fd, const char *path, const char *expected, size_t *size,
                                      struct dcs_err *err)
{
    struct stat st;
    const char *why = fstat(fd, &st) != 0 ? strerror(errno) : why_not(&st);
    if (why != NULL) {
        dcs_err_at(err, path, 0, NULL, "%s, expected a %s", why, expected);
        return NULL;
    }
    if (st.st_size > DCS_PROFILE_BYTES_MAX) {
        dcs_err_at(err, path, 0, NULL, "has %lld bytes, a %s has at most %lld",
                   (long long)st.st_size, expected, DCS_PROFILE_BYTES_MAX);
        return NULL;
    }
    *size = (size_t)st.st_size;
    unsigned char *bytes = dcs_alloc(*size + 1, 1); /* NUL-ended, for SQL text */
    why = read_all(fd, bytes, *size);
    if (why == NULL)
        return bytes;
    free(bytes);
    dcs_err_at(err, path, 0, NULL, "cannot read: %s", why);
    return NULL;
}

/* Allocated; NULL and err on failure. */
static unsigned char *read_file(const char *path, const char *expected, size_t *size,
                                struct dcs_err *err)
{
    /* Non-blocking, or a named pipe would hang here before it can be refused. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        dcs_err_at(err, path, 0, NULL, "cannot open the %s: %s", expected, strerror(errno));
        return NULL;
    }
    unsigned char *bytes = read_descriptor(fd, path, expected, size, err);
    close(fd);
    return bytes;
}

/* ---- the handle ---- */

static int on_progress(void *context)
{
    struct dcs_profile_source *s = context;
    s->steps_running += STEPS_PER_CALL;
    return s->steps_done + s->steps_running > DCS_PROFILE_STEPS_MAX;
}

static int sqlite_failed(struct dcs_profile_source *s, const char *path, const char *what,
                         struct dcs_err *err)
{
    int code = sqlite3_errcode(s->db);
    if (code == SQLITE_INTERRUPT)
        return dcs_err_at(err, path, 0, NULL, "takes too much work to read; refused");
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return dcs_err_at(err, path, 0, NULL, "is a damaged or incomplete SQLite database (%s)",
                          sqlite3_errmsg(s->db));
    return dcs_err_at(err, path, 0, NULL, "%s: %s", what, sqlite3_errmsg(s->db));
}

static int open_handle(struct dcs_profile_source *s, const char *path, struct dcs_err *err)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(":memory:", &s->db, flags, NULL) != SQLITE_OK)
        return dcs_err_at(err, path, 0, NULL, "cannot start SQLite: %s", sqlite3_errmsg(s->db));
    database_limit(s->db, DCS_PROFILE_STATEMENT_BYTES_MAX);
    sqlite3_limit(s->db, SQLITE_LIMIT_COMPOUND_SELECT, 8);
    sqlite3_progress_handler(s->db, STEPS_PER_CALL, on_progress, s);
    return 0;
}

/* After sqlite3_deserialize, which replaces the database below the handle. */
static int harden(struct dcs_profile_source *s, const char *path, struct dcs_err *err)
{
    if (database_harden(s->db) != SQLITE_OK ||
        sqlite3_exec(s->db, "PRAGMA temp_store=MEMORY", NULL, NULL, NULL) != SQLITE_OK)
        return sqlite_failed(s, path, "cannot prepare SQLite", err);
    return 0;
}

/* While rows are read. Functions and recursion could only come from a hostile schema. (The
 * authorizer does not see what is in generated columns, constraints and indexes: check_plain and
 * ignore_check_constraints keep them from running.) */
static int authorize_reading(void *context, int action, const char *a, const char *b,
                             const char *database, const char *trigger)
{
    (void)b, (void)database;
    const struct dcs_profile_source *s = context;
    if (trigger != NULL)
        return SQLITE_DENY;
    if (action == SQLITE_SELECT)
        return SQLITE_OK;
    bool own =
        s->tables != NULL ? dcs_profile_is_one_of(a, s->tables) : dcs_profile_is_own_table(a);
    bool allowed = action == SQLITE_READ && (own || dcs_profile_is_schema_table(a));
    return allowed ? SQLITE_OK : SQLITE_DENY;
}

/* ---- one table ---- */

/* 1: a plain table, 0: there is none, -1: err. */
static int check_plain(struct dcs_profile_source *s, const char *path, const char *table,
                       struct dcs_err *err)
{
    static const struct {
        const char *sql, *found;
    } questions[] = {
        {"SELECT type <> 'table' OR rootpage <= 0 FROM sqlite_master "
         "WHERE name = '%s' COLLATE NOCASE AND type IN ('table', 'view')",
         "a view or a virtual table"},
        {"SELECT count(*) FROM pragma_table_xinfo('%s') WHERE hidden <> 0", "a generated column"},
        {"SELECT count(*) FROM sqlite_master "
         "WHERE tbl_name = '%s' COLLATE NOCASE AND type = 'index' AND sql IS NOT NULL",
         "an index"},
    };
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        char sql[256];
        snprintf(sql, sizeof sql, questions[i].sql, table);
        int64_t number;
        int code = database_number(s->db, sql, &number);
        if (code == SQLITE_DONE)
            return 0;
        if (code != SQLITE_ROW)
            return sqlite_failed(s, path, "cannot read the schema", err);
        if (number != 0)
            return dcs_err_at(err, path, 0, table, "expected a plain table, found %s",
                              questions[i].found);
    }
    return 1;
}

static int check_damage(struct dcs_profile_source *s, const char *path, const char *table,
                        struct dcs_err *err)
{
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA integrity_check(%s)", table);
    sqlite3_stmt *stmt = NULL;
    int status = 0;
    if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW) {
        status = sqlite_failed(s, path, "cannot check the database", err);
    } else {
        const char *found = (const char *)sqlite3_column_text(stmt, 0);
        found = found != NULL ? found : "no memory to check it";
        if (strcmp(found, "ok") != 0) {
            /* SQLite's finding may be headed by a line of its own, and may go on for lines. */
            if (strncmp(found, "***", 3) == 0)
                found += strcspn(found, "\n");
            found += strspn(found, "\n");
            status = dcs_err_at(err, path, 0, table, "the table is damaged (%.*s)",
                                (int)strcspn(found, "\n"), found);
        }
    }
    sqlite3_finalize(stmt);
    s->steps_done += s->steps_running;
    s->steps_running = 0;
    return status;
}

int dcs_profile_check_table(struct dcs_profile_source *s, const char *path, const char *table,
                            struct dcs_err *err)
{
    int status = dcs_profile_has_table(s, path, table, err);
    if (status == 0)
        return dcs_err_at(err, path, 0, table,
                          "the table is missing; a profile has profile, device, application, "
                          "kernel and revocation");
    if (status < 0 || s->is_sql)
        return status < 0 ? -1 : 0;
    sqlite3_set_authorizer(s->db, NULL, NULL);
    status = check_damage(s, path, table, err);
    sqlite3_set_authorizer(s->db, authorize_reading, s);
    return status;
}

int dcs_profile_has_table(struct dcs_profile_source *s, const char *path, const char *table,
                          struct dcs_err *err)
{
    if (s->plain != NULL)
        return plain_tables_find(s->plain, table) != NULL;
    /* The questions are ours, and ask for more than reading rows may. */
    sqlite3_set_authorizer(s->db, NULL, NULL);
    int status = check_plain(s, path, table, err);
    sqlite3_set_authorizer(s->db, authorize_reading, s);
    return status;
}

/* ---- a database ---- */

static uint32_t big_endian(const unsigned char *bytes, size_t count)
{
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

/* The header of the file format (sqlite.org/fileformat2.html, section 1.3), for the two cases that
 * SQLite reports late or in words that do not help. */
static int check_header(const unsigned char *header, size_t size, const char *path,
                        struct dcs_err *err)
{
    enum {
        SIZE = 100,
        PAGE_SIZE = 16,
        WRITE_VERSION = 18,
        CHANGES = 24,
        PAGES = 28,
        VALID_FOR = 92
    };
    if (size < SIZE)
        return dcs_err_at(err, path, 0, NULL, "is an incomplete SQLite database (%zu bytes)", size);
    /* Part of such a database lies in another file, and only a writer may merge it. */
    if (header[WRITE_VERSION] == 2)
        return dcs_err_at(err, path, 0, NULL,
                          "is in write-ahead mode; run PRAGMA journal_mode=DELETE on it first");
    uint32_t page = big_endian(header + PAGE_SIZE, 2);
    uint64_t whole = (uint64_t)big_endian(header + PAGES, 4) * (page == 1 ? 65536 : page);
    /* Very old versions of SQLite do not keep the number of pages up to date. */
    bool known = memcmp(header + CHANGES, header + VALID_FOR, 4) == 0;
    if (known && size < whole)
        return dcs_err_at(err, path, 0, NULL,
                          "is an incomplete SQLite database: expected %llu bytes, found %zu",
                          (unsigned long long)whole, size);
    return 0;
}

/* A writer that was interrupted leaves its journal, and half of its pages in the database. */
static int check_journal(const char *path, struct dcs_err *err)
{
    char journal[4096 + 16];
    struct stat st;
    int length = snprintf(journal, sizeof journal, "%s-journal", path);
    if (length < (int)sizeof journal && stat(journal, &st) == 0 && st.st_size > 0)
        return dcs_err_at(err, path, 0, NULL,
                          "was not written to its end: a journal lies beside it; open it once with "
                          "a program that may write to it");
    return 0;
}

static int open_database(struct dcs_profile_source *s, const char *path, size_t size,
                         struct dcs_err *err)
{
    if (check_journal(path, err) != 0 || check_header(s->bytes, size, path, err) != 0)
        return -1;
    int flags = SQLITE_DESERIALIZE_READONLY;
    if (sqlite3_deserialize(s->db, "main", s->bytes, (sqlite3_int64)size, (sqlite3_int64)size,
                            (unsigned)flags) != SQLITE_OK)
        return sqlite_failed(s, path, "cannot open the database", err);
    if (harden(s, path, err) != 0)
        return -1;
    /* Nothing is written, so no constraint needs to hold; a hostile one would run. */
    const char *pragma = "PRAGMA ignore_check_constraints=ON; SELECT count(*) FROM sqlite_master";
    if (sqlite3_exec(s->db, pragma, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite_failed(s, path, "cannot read the database", err);
    return 0;
}

/* ---- SQL text ---- */

static int open_text(struct dcs_profile_source *s, const char *path, const unsigned char *bytes,
                     size_t size, struct dcs_err *err)
{
    if (memchr(bytes, '\0', size) != NULL)
        return dcs_err_at(err, path, 0, NULL,
                          "is neither an SQLite database nor the SQL text of one");
    if (harden(s, path, err) != 0)
        return -1;
    if (sqlite3_exec(s->db, "PRAGMA max_page_count=" PAGES_MAX, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite_failed(s, path, "cannot prepare SQLite", err);
    return dcs_profile_run_text(s, path, (const char *)bytes, err);
}

unsigned char *dcs_profile_read_bytes(const char *path, const char *expected, size_t *size,
                                      struct dcs_err *err)
{
    unsigned char *bytes = read_file(path, expected, size, err);
    if (bytes == NULL || !gzip_is(bytes, *size))
        return bytes;
    unsigned char *unpacked = gzip_unpack(bytes, *size, DCS_PROFILE_BYTES_MAX, path, size, err);
    free(bytes);
    return unpacked;
}

/* `plain` and where it has a table that only version 2 has, as profile_sql.c notes it. */
static void open_plain(struct dcs_profile_source *s, size_t size)
{
    s->plain = plain_tables_read((char *)s->bytes, size);
    for (size_t i = 0; s->plain != NULL && i < s->plain->count && s->beyond[0] == '\0'; i++)
        if (dcs_profile_is_table_2(s->plain->tables[i].name)) {
            snprintf(s->beyond, sizeof s->beyond, "%s", s->plain->tables[i].name);
            s->beyond_line = s->plain->tables[i].line;
        }
}

/* with_sqlite: plain text, too, is opened by SQLite. */
static int open_file(struct dcs_profile_source *s, const char *path, const char *expected,
                     bool with_sqlite, struct dcs_err *err)
{
    static const char magic[16] = "SQLite format 3"; /* its NUL is the sixteenth byte */
    size_t size = 0;
    unsigned char *bytes = dcs_profile_read_bytes(path, expected, &size, err);
    if (bytes == NULL)
        return -1;
    dcs_sha256(bytes, size, s->sha256);
    s->is_sql = size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0;
    s->bytes = bytes;
    if (s->is_sql && s->tables == NULL && !with_sqlite)
        open_plain(s, size);
    if (s->plain != NULL)
        return 0;
    int status = 0;
    if (s->is_sql && s->tables != NULL)
        status = dcs_err_at(err, path, 0, NULL, "is no %s: it is no SQLite database", expected);
    if (status == 0)
        status = open_handle(s, path, err);
    if (status == 0)
        status =
            s->is_sql ? open_text(s, path, bytes, size, err) : open_database(s, path, size, err);
    if (status != 0) {
        dcs_profile_close(s);
        return -1;
    }
    dcs_profile_restrict(s);
    return 0;
}

void dcs_profile_restrict(struct dcs_profile_source *s)
{
    sqlite3_set_authorizer(s->db, authorize_reading, s);
}

int dcs_profile_open(struct dcs_profile_source *s, const char *path, struct dcs_err *err)
{
    *s = (struct dcs_profile_source){0};
    return open_file(s, path, "profile", false, err);
}

int dcs_profile_open_sqlite(struct dcs_profile_source *s, const char *path, struct dcs_err *err)
{
    *s = (struct dcs_profile_source){0};
    return open_file(s, path, "profile", true, err);
}

int dcs_profile_open_other(struct dcs_profile_source *s, const char *path, const char *expected,
                           const char *const *tables, struct dcs_err *err)
{
    *s = (struct dcs_profile_source){.tables = tables};
    return open_file(s, path, expected, true, err);
}

void dcs_profile_close(struct dcs_profile_source *s)
{
    plain_tables_free(s->plain);
    sqlite3_close(s->db);
    free(s->bytes);
    *s = (struct dcs_profile_source){0};
}
