/* compare_parts.h - what compare_groups.c and compare_metric.c share. */
#ifndef DCS_COMPARE_PARTS_H
#define DCS_COMPARE_PARTS_H

#include "des/base.h"

#include <sqlite3.h>

/* Whole jobs (experiment_gangs.h), of the row e of table experiment. */
#define COMPARE_GANGS "json_extract(e.config, '$.workload.trace[0].as') = 'gangs'"

/* A column's text, "" for none. Freed by the caller. */
static inline char *compare_text(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return dcs_strdup(text != NULL ? text : "");
}

#endif
