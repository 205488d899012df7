/*
 * profile_open.h - from an untrusted file to tables that are safe to read: the half of the profile
 * reader that knows about files and SQL, not about what the tables mean. Used by the profile_*.c
 * files, and for the file of predictors (predictor_store.c).
 *
 * The file is read into memory once, unpacked if it is packed (at most DCS_PROFILE_BYTES_MAX),
 * hashed, and never opened by SQLite: what the hash names is exactly what is read, nothing can be
 * written, and no lock, journal or temporary file appears beside it. All handles have
 * trusted_schema off and defensive mode, no attached databases, bounded memory and bounded work.
 *
 * SQL text in the plain form that dcsim writes needs no SQLite (profile_plain.h), which makes a
 * simulation start at once.
 */
#ifndef DCS_MODELS_PROFILE_OPEN_H
#define DCS_MODELS_PROFILE_OPEN_H

#include "models/profile/profile.h"

#include <sqlite3.h>

#define DCS_PROFILE_BYTES_MAX           (128LL << 20)
#define DCS_PROFILE_STATEMENT_BYTES_MAX (1 << 20) /* of SQL text, and of a value */

/* Steps of SQLite's virtual machine that one file may cost in all, some seconds of work. The
 * largest text of short INSERTs needs less than half; a file that needs more is built to hang its
 * reader. */
#define DCS_PROFILE_STEPS_MAX 100000000LL

struct plain_tables;

struct dcs_profile_source {
    sqlite3 *db;                /* NULL: the tables are in `plain` */
    struct plain_tables *plain; /* NULL: they are in `db` */
    const char *const *tables;  /* that may be read; NULL: those of the schema */
    bool is_sql;                /* SQL text; else a database */
    char sha256[65];            /* of the file's bytes, unpacked */
    unsigned char *bytes;       /* SQLite reads a database, `plain` its strings in place */
    int64_t steps_done;         /* by statements that have ended */
    int64_t steps_running;
    char refused[160]; /* what the authorizer last refused */
    char beyond[65];   /* of SQL text: the first table that only version 2 has, ... */
    int beyond_line;   /* ... and where it is made */
};

/* The tables of version 1, and those that version 2 adds (profile_schema.h); the names of enum
 * dcs_revocation_mechanism. All NULL-ended. */
extern const char *const dcs_profile_tables[];
extern const char *const dcs_profile_tables_2[];
extern const char *const dcs_mechanism_names[];

/* Reads and hashes the file, tells a database from SQL text by its content, and opens it: a
 * database in place, SQL text by running it in memory. After that only SELECT on the schema's
 * tables is allowed. -1 and err on failure, with nothing to close. The caller closes; *s must not
 * move in between. */
int dcs_profile_open(struct dcs_profile_source *s, const char *path, struct dcs_err *err);
/* Likewise, but plain text is opened by SQLite, too: for questions that are more than SELECT of
 * some columns FROM a table. */
int dcs_profile_open_sqlite(struct dcs_profile_source *s, const char *path, struct dcs_err *err);
/* The bytes of a file, unpacked if they are packed, with a NUL behind them that *size does not
 * count. Allocated; NULL and err on failure. `expected` is what messages call it. */
unsigned char *dcs_profile_read_bytes(const char *path, const char *expected, size_t *size,
                                      struct dcs_err *err);
/* Allows but SELECT on the schema's tables again, after dcs_profile_run_text(). */
void dcs_profile_restrict(struct dcs_profile_source *s);
/* Likewise of a database that is no profile: `expected` is what messages call it, `tables`
 * (NULL-ended, outlives *s) may be read. SQL text is refused. */
int dcs_profile_open_other(struct dcs_profile_source *s, const char *path, const char *expected,
                           const char *const *tables, struct dcs_err *err);
void dcs_profile_close(struct dcs_profile_source *s);

/* Whether a name (or NULL) is in a NULL-ended list of tables, whatever its case. */
bool dcs_profile_is_one_of(const char *name, const char *const *tables);
/* Whether a name (or NULL) is one of the schema's tables, of either version; one that only version
 * 2 has; SQLite's own list of tables. */
bool dcs_profile_is_own_table(const char *name);
bool dcs_profile_is_table_2(const char *name);
bool dcs_profile_is_schema_table(const char *name);

/* Runs SQL text in s->db, under an authorizer that stays; in profile_sql.c. -1 and err on
 * failure. */
int dcs_profile_run_text(struct dcs_profile_source *s, const char *path, const char *sql,
                         struct dcs_err *err);

/* Checks that a table of the schema is there, undamaged, and holds nothing but stored values: what
 * a view, a generated column or an index computes would be code of the file's author. */
int dcs_profile_check_table(struct dcs_profile_source *s, const char *path, const char *table,
                            struct dcs_err *err);

/* 1 if the database has a table (view, ...) of that name that holds nothing but stored values, 0 if
 * it has none of that name, -1 and err if it holds something else. For what may be missing; it does
 * not look for damage. */
int dcs_profile_has_table(struct dcs_profile_source *s, const char *path, const char *table,
                          struct dcs_err *err);

/* Reads and checks what a simulation needs; in profile_read.c. `path` is for messages. NULL and err
 * on failure. */
struct dcs_profile *dcs_profile_read(struct dcs_profile_source *s, const char *path,
                                     struct dcs_err *err);

#endif
