/* report_command.c - see report_command.h. */
#include "commands/report_command.h"

#include "commands/command.h"
#include "des/newfile.h"
#include "report/page/report_html.h"
#include "report/page/report_page.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: dcsim report RESULTS.db -o FILE.html [OPTION]...\n"
    "\n"
    "Writes one page of HTML that needs nothing else: what was asked, the answer, figures, "
    "configs.\n"
    "\n"
    "  -o, --output FILE    where to write it; a report that is there is replaced\n"
    "  --title TEXT         of the page (default: the experiment's name)\n"
    "  --baseline POLICY    what the others are compared with: a policy, or one with its options\n"
    "                       as the report calls it (default: the one with most experiments)\n";

static int bad_usage(const char *what)
{
    return command_bad_usage("dcsim report", what, NULL);
}

struct arguments {
    const char *output, *title, *baseline;
};

static int write_report(const char *database, const struct arguments *a, struct dcs_err *err)
{
    struct results results;
    if (newfile_may_replace(a->output, REPORT_HEAD, "report", err) != 0 ||
        results_open(&results, database, err) != 0)
        return -1;
    char *text = report_html(&results, a->title, a->baseline, err);
    results_close(&results);
    if (text == NULL)
        return -1;
    int status = newfile_replace(a->output, text, strlen(text), err);
    free(text);
    return status;
}

int report_command(int argc, char **argv)
{
    struct arguments a = {0};
    const struct command_option options[] = {{"output", .path = &a.output},
                                             {"title", .text = &a.title},
                                             {"baseline", .text = &a.baseline},
                                             {0}};
    const struct command_line line = {"dcsim report", usage, options, NULL, NULL};
    int code = command_options(&line, argc, argv, 2);
    if (code >= 0)
        return code;
    if (argc - optind != 1)
        return bad_usage("expected one results database");
    if (a.output == NULL)
        return bad_usage("-o FILE.html is missing: where to write the page");
    struct dcs_err err = {0};
    if (write_report(argv[optind], &a, &err) != 0)
        return command_fail(&err);
    return DCS_EXIT_OK;
}
