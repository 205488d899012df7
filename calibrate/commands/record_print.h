/*
 * record_print.h - what `dcsim-calibrate record` says of what it has recorded; for record_command.c
 * only.
 */
#ifndef DCS_CALIBRATE_RECORD_PRINT_H
#define DCS_CALIBRATE_RECORD_PRINT_H

#include "calibrate/commands/record_options.h"
#include "calibrate/record/recorded_store.h"

/* Requests of one size, as they were recorded at each percentage. */
struct record_size {
    int64_t size;
    char **arguments; /* the program's; NULL with --from */
    char command[RECORD_COMMAND_BYTES];
    struct cal_recorded_run runs[RECORD_PERCENTS_MAX];
    size_t runs_count;
};

/* "name", or "name, batch 8" where requests have sizes. */
void cal_record_title(const struct record_options *a, int64_t size, char *text, size_t bytes);

/* To standard output: the requests of each size, then what the columns mean. */
void cal_record_print(const struct record_options *a, const struct record_size *sizes,
                      size_t count);

#endif
