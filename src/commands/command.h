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

/* The same for what is wrong with a command line. command: as it is called ("dcsim compare").
 * found: what stands there; NULL: nothing to show. */
int command_bad_usage(const char *command, const char *what, const char *found);

/* An option. Of text, path, flag, take and act one is set: it says where the value goes. */
struct command_option {
    const char *name;  /* without "--"; "output" is known as -o, too */
    const char **text; /* gets the value */
    const char **path; /* gets the value: the name of a file or folder, which may not be empty */
    bool *flag;        /* becomes true; the option has no value */
    bool named;        /* with take: the value is the name of a file, which may not be empty */
    int take;          /* take() below is called with this; the value is in optarg */
    int act;           /* take() below is called with this; the option has no value */
};
struct command_line {
    const char *command;                  /* as it is called ("dcsim compare") */
    const char *usage;                    /* for --help; NULL: that is one of the options */
    const struct command_option *options; /* ends with name NULL */
    /* Returns -1 to go on, else the exit code. NULL: no option needs it. */
    int (*take)(void *context, int option);
    void *context;
};

/* Takes the options from argv[first] on; argv[optind] is then the first argument that is no option.
 * Returns -1, or an exit code: that of take(); of --help; or of an option that is not known or
 * lacks its value, which is said. */
int command_options(const struct command_line *line, int argc, char **argv, int first);

/* A finite number from low to high, with nothing behind it; false if it is not. */
bool command_number(const char *text, double low, double high, double *out);
/* The same for a whole number, written in digits alone. high: below 10^18. */
bool command_whole(const char *text, uint64_t low, uint64_t high, uint64_t *out);

/* -1 and err if something of standard output was lost. main() asks at the end of every command; a
 * command asks by itself where it goes on only if all was printed. */
int command_flush(struct dcs_err *err);

/* The end of every command: closes standard output. Returns code. If the command has not failed but
 * some output was lost, says so and returns DCS_EXIT_USER. */
int command_end(int code);

#endif
