/*
 * store_sql.h - what store.c and store_export.c share.
 */
#ifndef DCS_CALIBRATE_STORE_SQL_H
#define DCS_CALIBRATE_STORE_SQL_H

#include "calibrate/store.h"

#include <sqlite3.h>

struct cal_store {
    sqlite3 *db;
    char path[256];
    bool in_step, broken;
};

/* Returns -1 and says what could not be done, why, and what to do. */
int cal_store_failed(struct cal_store *s, const char *doing, struct dcs_err *err);

#endif
