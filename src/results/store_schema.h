/*
 * store_schema.h - the SQL of the results database. For store*.c only.
 */
#ifndef DCS_STORE_SCHEMA_H
#define DCS_STORE_SCHEMA_H

/* "DCSR" in the header of every results database. */
#define STORE_APPLICATION_ID 0x44435352

/* All tables and views, for sqlite3_exec(). Comments in it stay in the database, for .schema. */
extern const char store_schema_sql[];
/* What came with schema 5, after the others: which points a sweep has. */
extern const char store_sweep_sql[];
/* What came with schema 7: where the time of late requests went. */
extern const char store_late_sql[];

#endif
