/*
 * ncu_csv.h - reads what `ncu --csv` prints: one row for each launch and metric.
 */
#ifndef DCS_CALIBRATE_NCU_CSV_H
#define DCS_CALIBRATE_NCU_CSV_H

#include "des/base.h"

#include <stdio.h>

struct cal_ncu_row {
    long id; /* of the launch, ascending */
    const char *kernel, *metric;
    double value;
};

/* Calls take for each row with a number, in the file's order; lines that are no part of the table
 * ("==PROF== ...") are passed over. -1 and err if the file has no such table. */
int cal_ncu_csv_read(FILE *in, void (*take)(void *context, const struct cal_ncu_row *row),
                     void *context, struct dcs_err *err);

#endif
