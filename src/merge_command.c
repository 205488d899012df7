/* merge_command.c - see merge_command.h. */
#include "merge_command.h"

#include "command.h"
#include "store_merge.h"

#include <inttypes.h>

static const char usage[] =
    "Usage: dcsim merge OUT.db IN.db... [--any-build]\n"
    "\n"
    "Adds the runs of the results databases IN.db to OUT.db, which is made if it is not there.\n"
    "\n"
    "  --any-build   join runs of different builds of the program\n";

struct arguments {
    char **argv;
    bool any_build;
};

static int take_option(void *context, int option)
{
    struct arguments *a = context;
    if (option == 'h') {
        fputs(usage, stdout);
        return DCS_EXIT_OK;
    }
    if (option != 'b')
        return command_bad_usage("dcsim merge", "unknown option", a->argv[optind - 1]);
    a->any_build = true;
    return -1;
}

int merge_command(int argc, char **argv)
{
    static const struct option options[] = {
        {"any-build", no_argument, NULL, 'b'}, {"help", no_argument, NULL, 'h'}, {0}};
    struct dcs_err err = {0};
    struct store_merge_counts counts;
    struct arguments a = {.argv = argv};
    int code = command_options(argc, argv, 2, options, take_option, &a);
    if (code >= 0)
        return code;
    int names = argc - optind;
    if (names < 2)
        return command_bad_usage("dcsim merge", "expected OUT.db and at least one IN.db", NULL);
    if (store_merge(argv[optind], (const char *const *)&argv[optind + 1], (size_t)names - 1,
                    a.any_build, &counts, &err) != 0)
        return command_fail(&err);
    printf("%" PRIu64 " experiments and %" PRIu64 " runs added, %" PRIu64 " runs were there\n",
           counts.experiments, counts.runs, counts.same);
    if (counts.unsummarised > 0)
        printf("%" PRIu64 " experiments have no summary, since no database had all of their runs: "
               "it is written when their config is run again with --output\n",
               counts.unsummarised);
    return command_flush(&err) == 0 ? DCS_EXIT_OK : command_fail(&err);
}
