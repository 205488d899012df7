/*
 * record_options.h - the command line of `dcsim-calibrate record`; for record_command.c only.
 */
#ifndef DCS_CALIBRATE_RECORD_OPTIONS_H
#define DCS_CALIBRATE_RECORD_OPTIONS_H

#include "calibrate/record/recorder_lines.h"
#include "des/base.h"

#define RECORD_PERCENTS_MAX 16

struct record_options {
    const char *name, *class, *request, *output, *from;
    bool keep, replace, once, calls, same_model;
    int percents[RECORD_PERCENTS_MAX];
    size_t percents_count; /* the first is 100, the whole device */
    double requests, sla_ms;
    char *const *program; /* NULL with --from */
    char command[1500];
    char
        request_escaped[RECORDER_ESCAPED_BYTES]; /* as recordings have it; what request points to */
};

/* argv[1] is "record". -1 and err: something is missing, or not what is expected. */
int cal_record_options(struct record_options *a, int argc, char **argv, struct dcs_err *err);

#endif
