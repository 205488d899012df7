/*
 * plan_rows.h - rows of the lists that say what is measured beside what (*.csv of this folder,
 * which the program has inside): three texts each.
 */
#ifndef DCS_CALIBRATE_PLAN_ROWS_H
#define DCS_CALIBRATE_PLAN_ROWS_H

#include <stdbool.h>

#define CAL_PLAN_TEXT_BYTES 48

struct cal_plan_row {
    char texts[3][CAL_PLAN_TEXT_BYTES];
};

extern const char paired_kernels_csv[], chosen_live_pairs_csv[];

/* The row that follows in a text of such rows; *at, at first the text, moves on. Lines that begin
 * with # and the heading behind them are passed over. false: there is none. */
bool cal_plan_next(const char **at, struct cal_plan_row *row);

#endif
