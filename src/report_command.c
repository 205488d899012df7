/* report_command.c - see report_command.h. */
#include "report_command.h"

#include "newfile.h"
#include "report_html.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: dcsim report RESULTS.db -o FILE.html [OPTION]...\n"
    "\n"
    "Writes one page of HTML that needs nothing else: what was asked, the answer, figures, "
    "configs.\n"
    "\n"
    "  -o, --output FILE    where to write it; must not exist\n"
    "  --title TEXT         of the page (default: the experiment's name)\n"
    "  --baseline POLICY    what the others are compared with: a policy, or one with its options\n"
    "                       as the report calls it (default: the one with most experiments)\n";

static int fail(const struct dcs_err *err)
{
    dcs_err_print(err, stderr);
    return DCS_EXIT_USER;
}

static int bad_usage(const char *what)
{
    struct dcs_err err = {0};
    dcs_err_at(&err, "command line", 0, NULL, "%s; dcsim report --help shows how", what);
    return fail(&err);
}

static int write_report(const char *database, const char *output, const char *title,
                        const char *baseline, struct dcs_err *err)
{
    struct results results;
    if (newfile_may_write(output, err) != 0 || results_open(&results, database, err) != 0)
        return -1;
    char *text = report_html(&results, title, baseline, err);
    results_close(&results);
    if (text == NULL)
        return -1;
    struct newfile file = {0};
    int status = newfile_write(&file, output, text, strlen(text), err);
    if (status == 0)
        status = newfile_name(&file, 1, err);
    newfile_discard(&file, 1);
    free(text);
    return status;
}

int report_command(int argc, char **argv)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"title", required_argument, NULL, 't'},
                                            {"baseline", required_argument, NULL, 'b'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    const char *output = NULL, *title = NULL, *baseline = NULL;
    opterr = 0;
    optind = 2;
    for (int option; (option = getopt_long(argc, argv, "o:", options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(usage, stdout);
            return DCS_EXIT_OK;
        }
        if (option == '?')
            return bad_usage("unknown option, or one that lacks its value");
        if (option == 'o')
            output = optarg;
        if (option == 't')
            title = optarg;
        if (option == 'b')
            baseline = optarg;
    }
    if (argc - optind != 1)
        return bad_usage("expected one results database");
    if (output == NULL)
        return bad_usage("-o FILE.html is missing: where to write the page");
    struct dcs_err err = {0};
    if (write_report(argv[optind], output, title, baseline, &err) != 0)
        return fail(&err);
    return DCS_EXIT_OK;
}
