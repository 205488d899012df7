/* merge_command.c - see merge_command.h. */
#include "commands/merge_command.h"

#include "commands/command.h"
#include "results/store_merge.h"

#include <inttypes.h>

static const char usage[] =
    "Usage: dcsim merge OUT.db IN.db... [--any-build]\n"
    "\n"
    "Adds the runs of the results databases IN.db to OUT.db, which is made if it is not there.\n"
    "\n"
    "  --any-build   join runs of different builds of the program\n";

int merge_command(int argc, char **argv)
{
    bool any_build = false;
    const struct command_option options[] = {{"any-build", .flag = &any_build}, {0}};
    const struct command_line line = {"dcsim merge", usage, options, NULL, NULL};
    struct dcs_err err = {0};
    struct store_merge_counts counts;
    int code = command_options(&line, argc, argv, 2);
    if (code >= 0)
        return code;
    int names = argc - optind;
    if (names < 2)
        return command_bad_usage("dcsim merge", "expected OUT.db and at least one IN.db", NULL);
    if (store_merge(argv[optind], (const char *const *)&argv[optind + 1], (size_t)names - 1,
                    any_build, &counts, &err) != 0)
        return command_fail(&err);
    printf("%" PRIu64 " experiments and %" PRIu64 " runs added, %" PRIu64 " runs were there\n",
           counts.experiments, counts.runs, counts.same);
    if (counts.unsummarised > 0)
        printf("%" PRIu64 " experiments have no summary, since no database had all of their runs: "
               "it is written when their config is run again with --output\n",
               counts.unsummarised);
    return DCS_EXIT_OK;
}
