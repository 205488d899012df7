/*
 * store_schema.h - the SQL of the results database. For store*.c only.
 */
#ifndef DCS_STORE_SCHEMA_H
#define DCS_STORE_SCHEMA_H

/* "DCSR" in the header of every results database. */
#define STORE_APPLICATION_ID 0x44435352

/* store_schema.sql and the files that later schemas added, for sqlite3_exec(): all tables and
 * views. */
extern const char store_schema_sql[];
extern const char store_sweep_sql[];
extern const char store_late_sql[];
extern const char store_headline_sql[];
extern const char store_cut_sql[];
extern const char store_capacity_sql[];
extern const char store_bins_sql[];
extern const char store_gangs_sql[];
extern const char store_hypothetical_sql[]; /* made where it is needed */

#endif
