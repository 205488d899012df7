/*
 * profile_store_sql.h - what profile_store.c, profile_store_export.c and profile_store_merge.c
 * share.
 */
#ifndef DCS_CALIBRATE_PROFILE_STORE_SQL_H
#define DCS_CALIBRATE_PROFILE_STORE_SQL_H

#include "calibrate/store/profile_store.h"

#include <sqlite3.h>

struct cal_store {
    sqlite3 *db;
    char path[256];
    unsigned depth; /* of transactions that were begun */
    bool broken;
};

#define CAL_UUIDS_BYTES 4096 /* of the devices of a profile, separated by ", " */

/* Returns -1 and says what could not be done, why, and what to do. */
int cal_store_failed(struct cal_store *s, const char *doing, struct dcs_err *err);

#endif
