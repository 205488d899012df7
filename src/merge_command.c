/* merge_command.c - see merge_command.h. */
#include "merge_command.h"

#include "store_merge.h"

#include <inttypes.h>
#include <string.h>

static int fail(const struct dcs_err *err)
{
    dcs_err_print(err, stderr);
    return DCS_EXIT_USER;
}

int merge_command(int argc, char **argv)
{
    struct dcs_err err = {0};
    struct store_merge_counts counts;
    bool any_build = false;
    int count = 0; /* of names, which move to the front of argv[2...] */
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--any-build") == 0) {
            any_build = true;
        } else if (strncmp(argv[i], "--", 2) == 0) {
            dcs_err_at(&err, "command line", 0, NULL, "unknown option: %.80s", argv[i]);
            return fail(&err);
        } else {
            argv[2 + count++] = argv[i];
        }
    }
    if (count < 2) {
        dcs_err_at(&err, "command line", 0, NULL,
                   "usage: dcsim merge OUT.db IN.db... [--any-build]");
        return fail(&err);
    }
    if (store_merge(argv[2], (const char *const *)&argv[3], (size_t)count - 1, any_build, &counts,
                    &err) != 0)
        return fail(&err);
    printf("%" PRIu64 " experiments and %" PRIu64 " runs added, %" PRIu64 " runs were there\n",
           counts.experiments, counts.runs, counts.same);
    if (counts.unsummarised > 0)
        printf("%" PRIu64 " experiments have no summary, since no database had all of their runs: "
               "it is written when their config is run again with --output\n",
               counts.unsummarised);
    return DCS_EXIT_OK;
}
