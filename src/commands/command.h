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

/* An option: where its value goes. One of these, beside the name, is set. */
struct command_option {
    const char *name;  /* without "--"; "output" is known as -o, too */
    const char **text; /* gets its value */
    const char **path; /* the same of a file's or folder's name, which may not be empty */
    bool *flag;        /* is set; there is no value */
    bool named;        /* of take: the value is a file's name, which may not be empty */
    int take, act;     /* what take() below is called with: there is a value, in optarg; none */
};
struct command_line {
    const char *command;                  /* as it is called ("dcsim compare") */
    const char *usage;                    /* for --help; NULL: that is one of the options */
    const struct command_option *options; /* ends with name NULL */
    /* Returns -1 to go on, else the exit code. NULL: no option needs it. */
    int (*take)(void *context, int option);
    void *context;
};

/* Takes the options from argv[first] on; argv[optind] is then the first of what is none. Returns
 * -1, or the exit code: after --help, after an option that is not known or lacks its value, which
 * is said, and what take() has returned. */
int command_options(const struct command_line *line, int argc, char **argv, int first);

/* A finite number from low to high, with nothing behind it; false if it is not. */
bool command_number(const char *text, double low, double high, double *out);
/* The same of a whole number, written in digits alone. high: below 10^18. */
bool command_whole(const char *text, uint64_t low, uint64_t high, uint64_t *out);

/* -1 and err if something of standard output was lost. main() looks at the end of every command; a
 * command itself, where more is to be done only if all was printed. */
int command_flush(struct dcs_err *err);

/* The end of every command: closes standard output. Returns code, or, where something was lost,
 * DCS_EXIT_USER, and says so; a command that failed has said why. */
int command_end(int code);

#endif
