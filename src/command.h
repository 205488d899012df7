/*
 * command.h - what the commands of dcsim do alike: they read options, say what is wrong with a
 * command line, and make sure that what they printed has arrived.
 */
#ifndef DCS_COMMAND_H
#define DCS_COMMAND_H

#include "des/base.h"

#include <getopt.h>

/* Prints err on standard error. Returns DCS_EXIT_USER. */
int command_fail(const struct dcs_err *err);

/* The same of what is wrong with a command line. command: as it is called ("dcsim compare"); found:
 * NULL: nothing to show. */
int command_bad_usage(const char *command, const char *what, const char *found);

/* Takes one option, whose value is optarg; '?' for one that is not known, or lacks its value, which
 * is argv[optind - 1]. Returns -1 to go on, else the exit code. */
typedef int command_take(void *context, int option);

/* Takes the options from argv[first] on; argv[optind] is then the first of what is none. A
 * value 'o' is known as -o, too. Returns -1, or the exit code at which it broke off. */
int command_options(int argc, char **argv, int first, const struct option *options,
                    command_take *take, void *context);

/* A finite number from low to high, with nothing behind it; false if it is not. */
bool command_number(const char *text, double low, double high, double *out);
/* The same of a whole number, written in digits alone. high: below 10^18. */
bool command_whole(const char *text, uint64_t low, uint64_t high, uint64_t *out);

/* -1 and err if something of standard output was lost. */
int command_flush(struct dcs_err *err);

#endif
