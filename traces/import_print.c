/*
 * import_print.c - the account of an import or a lint, for a person.
 */
#include "traces/import.h"

#include <inttypes.h>

static void print_issues(FILE *out, const struct import_counts *c)
{
    fprintf(out, "\n%-21s %11s %11s %11s  first at\n", "issue", "noted", "repaired", "left out");
    bool any = false;
    for (int i = 0; i < ISSUES; i++) {
        const uint64_t *n = c->issues[i].count;
        if (n[0] + n[1] + n[2] == 0)
            continue;
        any = true;
        const char *about = c->issues[i].first_about;
        fprintf(out, "%-21s %11" PRIu64 " %11" PRIu64 " %11" PRIu64 "  %s:%" PRIu64 "%s%s\n",
                trace_issue_name((enum trace_issue)i), n[0], n[1], n[2], c->issues[i].first_file,
                c->issues[i].first_line, about[0] != '\0' ? ": " : "", about);
    }
    if (!any)
        fprintf(out, "(none)\n");
    for (int i = 0; i < ISSUES; i++) {
        const uint64_t *n = c->issues[i].count;
        if (n[0] + n[1] + n[2] > 0)
            fprintf(out, "  %s: %s\n", trace_issue_name((enum trace_issue)i),
                    trace_issue_rule((enum trace_issue)i));
    }
}

void trace_import_print(FILE *out, const struct import_options *options,
                        const struct import_counts *c)
{
    const struct trace_format *f = options->format;
    fprintf(out, "%s: %s\n", f->name, f->source);
    fprintf(out, "%" PRIu64 " files, %" PRIu64 " bytes (%" PRIu64 " unpacked), %" PRIu64 " rows\n",
            c->files, c->disk_bytes, c->bytes, c->rows);
    fprintf(out,
            "rows: %" PRIu64 " are jobs, %" PRIu64 " are events of %" PRIu64 " lives, %" PRIu64
            " are left out\n",
            c->rows_jobs, c->rows_events, c->entities, c->rows_left_out);
    fprintf(out, "jobs: %" PRIu64, c->jobs);
    if (c->jobs > 0)
        fprintf(out, ", from %.6f s to the trace's end at %.6f s",
                (double)c->first_arrival_ns / 1e9, (double)c->end_ns / 1e9);
    fprintf(out, "\n");
    print_issues(out, c);
    fprintf(out, "noted: kept as it is; repaired: kept, a value changed; left out: not in the "
                 "jobs.\nCounted once a row, or once a job where only its life shows it.\n");
}
