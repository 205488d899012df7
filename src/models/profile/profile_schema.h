/*
 * profile_schema.h - the tables of a profile, for who writes and who reads them. Their SQL is in
 * profile_schema_1.sql and profile_schema_2.sql.
 *
 * Version 1 is the first five tables: enough for devices that run one kernel at a time. Version 2
 * adds what dcsim-calibrate measures; all of its tables may be missing or empty. A version 2
 * profile has the five as well, made from its measurements at each application's default size.
 *
 * `step` is the calibrator's own book-keeping, by which it continues after an interruption.
 */
#ifndef DCS_MODELS_PROFILE_SCHEMA_H
#define DCS_MODELS_PROFILE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

/* The statements that make the tables of version 1, and those that version 2 adds. */
extern const char profile_schema_1_sql[];
extern const char profile_schema_2_sql[];

struct dcs_profile_table {
    int version; /* of the schema that it came with */
    char name[64];
    char columns[2048]; /* "(...)", on one line: what stands behind CREATE TABLE and the name */
    const char *next;   /* in the text */
};

/* Fills t with the table that follows it in the schema, a struct of zero bytes with the first one.
 * False behind the last. */
bool dcs_profile_next_table(struct dcs_profile_table *t);

/* Fills t with the table of that name. False if the schema has none. */
bool dcs_profile_schema_table(struct dcs_profile_table *t, const char *name);

/* One of the definitions in a table's columns: of a column, or of its key. */
struct dcs_profile_definition {
    const char *text;
    size_t length;
    bool is_key; /* PRIMARY KEY(...) */
};

/* Fills d with the definition at *at and moves *at to the next one. *at begins at a table's
 * columns. False behind the last. */
bool dcs_profile_next_definition(const char **at, struct dcs_profile_definition *d);

#endif
