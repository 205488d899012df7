/*
 * record_options.h - the command line of `dcsim-calibrate record`; for record_command.c only.
 */
#ifndef DCS_CALIBRATE_RECORD_OPTIONS_H
#define DCS_CALIBRATE_RECORD_OPTIONS_H

#include "calibrate/record/recorder_lines.h"
#include "des/base.h"

#define RECORD_PERCENTS_MAX  16
#define RECORD_SIZES_MAX     32
#define RECORD_UNIT_BYTES    33
#define RECORD_COMMAND_BYTES 1500

struct record_options {
    const char *name, *class, *request, *output, *from;
    bool keep, replace, once, calls, same_model;
    int percents[RECORD_PERCENTS_MAX];
    size_t percents_count;        /* the first is 100, the whole device */
    char unit[RECORD_UNIT_BYTES]; /* of --size; empty: requests are of one size */
    int64_t sizes[RECORD_SIZES_MAX];
    size_t sizes_count; /* at least 1; the first is the default */
    double requests, sla_ms;
    char *const *program; /* NULL with --from */
    char
        request_escaped[RECORDER_ESCAPED_BYTES]; /* as recordings have it; what request points to */
};

/* argv[1] is "record". -1 and err: something is missing, or not what is expected. */
int cal_record_options(struct record_options *a, int argc, char **argv, struct dcs_err *err);

/* The program and its arguments for requests of a size: {UNIT} is the number. NULL with --from.
 * Released by cal_record_arguments_release(). */
char **cal_record_arguments(const struct record_options *a, int64_t size);
void cal_record_arguments_release(char **arguments);

/* Arguments as one line of printable characters, cut to size; empty for NULL. */
void cal_record_command(char *const *arguments, char *text, size_t size);

#endif
