/* command.c - see command.h. */
#include "command.h"

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

int command_options(int argc, char **argv, int first, const struct option *options,
                    command_take *take, void *context)
{
    const char *brief = "";
    for (const struct option *o = options; o->name != NULL; o++)
        if (o->val == 'o')
            brief = "o:";
    opterr = 0;
    optind = first;
    for (int option; (option = getopt_long(argc, argv, brief, options, NULL)) != -1;) {
        int code = take(context, option);
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
