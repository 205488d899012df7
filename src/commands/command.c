/* command.c - see command.h. */
#include "commands/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int command_fail(const struct dcs_err *err)
{
    dcs_err_print(err, stderr);
    return DCS_EXIT_USER;
}

int command_bad_usage(const char *command, const char *what, const char *found)
{
    struct dcs_err err = {0};
    dcs_err_at(&err, "command line", 0, NULL, "%s%s%s; %s --help shows how", what,
               found != NULL ? ": " : "", found != NULL ? found : "", command);
    return command_fail(&err);
}

#define OPTIONS_MAX 32 /* and below '?' and 'o', which getopt returns, too */

/* As getopt wants them, each by its place; --help behind the last. */
static void fill(const struct command_line *line, struct option out[OPTIONS_MAX + 2])
{
    int n = 0;
    for (const struct command_option *o = line->options; o->name != NULL; o++, n++) {
        DCS_ASSERT(n < OPTIONS_MAX);
        bool value = o->text != NULL || o->path != NULL || o->take != 0;
        out[n] = (struct option){o->name, value ? required_argument : no_argument, NULL, n};
    }
    if (line->usage != NULL)
        out[n] = (struct option){"help", no_argument, NULL, n};
}

static int take_option(const struct command_line *line, const struct command_option *o)
{
    if (o->name == NULL) {
        fputs(line->usage, stdout);
        return DCS_EXIT_OK;
    }
    if ((o->path != NULL || o->named) && optarg[0] == '\0') {
        char what[64];
        snprintf(what, sizeof what, "--%s takes a name, and the one given is empty", o->name);
        return command_bad_usage(line->command, what, NULL);
    }
    if (o->take != 0 || o->act != 0)
        return line->take(line->context, o->take != 0 ? o->take : o->act);
    if (o->text != NULL)
        *o->text = optarg;
    else if (o->path != NULL)
        *o->path = optarg;
    else
        *o->flag = true;
    return -1;
}

static int unknown(const struct command_line *line, char **argv)
{
    /* Of one letter among several, or behind what is no option: argv has not come to it yet. */
    char letter[] = {'-', (char)optopt, '\0'};
    return command_bad_usage(line->command, "unknown option, or one that lacks its value",
                             optopt > OPTIONS_MAX ? letter : argv[optind - 1]);
}

int command_options(const struct command_line *line, int argc, char **argv, int first)
{
    struct option options[OPTIONS_MAX + 2] = {0};
    int output = -1; /* -o is short for it */
    fill(line, options);
    for (int i = 0; options[i].name != NULL; i++)
        if (strcmp(options[i].name, "output") == 0)
            output = i;
    opterr = 0;
    optind = first;
    for (int i; (i = getopt_long(argc, argv, output >= 0 ? "o:" : "", options, NULL)) != -1;) {
        if (i == '?')
            return unknown(line, argv);
        int code = take_option(line, &line->options[i == 'o' ? output : i]);
        if (code >= 0)
            return code;
    }
    return -1;
}

bool command_number(const char *text, double low, double high, double *out)
{
    char *end;
    if (text[0] == '\0' || strspn(text, "0123456789.eE+-") != strlen(text))
        return false;
    *out = strtod(text, &end);
    return *end == '\0' && *out >= low && *out <= high;
}

bool command_whole(const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 18 || text[digits] != '\0')
        return false;
    *out = strtoull(text, NULL, 10);
    return *out >= low && *out <= high;
}

int command_flush(struct dcs_err *err)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    return dcs_err_set(err, "standard output could not be written");
}

int command_end(int code)
{
    struct dcs_err err = {0};
    if (code != DCS_EXIT_OK && code != DCS_EXIT_FOUND)
        return code;
    if (command_flush(&err) != 0)
        return command_fail(&err);
    /* Some file systems tell on closing; EBADF: it was closed already, and nothing was printed. */
    if (fclose(stdout) != 0 && errno != EBADF) {
        dcs_err_set(&err, "standard output could not be written: %s", strerror(errno));
        return command_fail(&err);
    }
    return code;
}
