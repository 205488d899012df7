/*
 * import_print.c - the account of an import or a lint, for a person.
 */
#include "traces/import.h"

#include "text/table.h"

#include <inttypes.h>
#include <time.h>

/* Where an issue is in several columns: how often in each. */
static void print_places(FILE *out, const struct import_counts *c, enum trace_issue issue)
{
    size_t places = 0;
    for (size_t i = 0; i < c->places_count; i++)
        places += c->places[i].issue == issue;
    for (size_t i = 0; i < c->places_count && places > 1; i++) {
        const struct import_place *p = &c->places[i];
        if (p->issue != issue)
            continue;
        bool row = p->column[0] == '\0';
        fprintf(out, "  %s%s: %" PRIu64 ", first at %s:%" PRIu64 "%s%s\n",
                row ? "the row as a whole" : p->column, p->empty ? " is empty" : "", p->count,
                p->first_file, p->first_line, row || p->empty ? "" : ": ",
                row || p->empty ? "" : p->first_about);
    }
}

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
        print_places(out, c, (enum trace_issue)i);
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

/* Traces that have a zero of their own do not begin ten years after it: such a time is one since
 * 1970, as times with a date are. */
#define DATES_FROM_NS (INT64_C(3653) * 86400 * DCS_NS_PER_S)

static void print_moment(FILE *out, int64_t ns, bool date)
{
    time_t s = (time_t)(ns / DCS_NS_PER_S);
    struct tm tm;
    char text[64];
    if (date && gmtime_r(&s, &tm) != NULL && strftime(text, sizeof text, "%FT%TZ", &tm) > 0)
        fputs(text, out);
    else
        fprintf(out, "%.6f s", (double)ns / 1e9);
}

static void print_stretch(FILE *out, int64_t ns)
{
    fputs(text_value((double)ns, TEXT_TIME).at, out);
}

/* The mean to the trace's end has the hours in which the last jobs end, and no others come. */
static void print_arrivals(FILE *out, const struct import_counts *c)
{
    int64_t span_ns = c->last_arrival_ns - c->first_arrival_ns;
    if (span_ns == 0 || c->last_arrival_ns == c->end_ns)
        return;
    fprintf(out, ", %.4g over the ", c->work_ns / (double)span_ns);
    print_stretch(out, span_ns);
    fputs(" in which they arrive", out);
}

/* Numbers in which a unit that was forgotten shows. */
static void print_jobs(FILE *out, const struct import_counts *c, bool classed)
{
    bool date = c->first_arrival_ns >= DATES_FROM_NS;
    double span = (double)(c->end_ns - c->first_arrival_ns);
    fprintf(out, "jobs: %" PRIu64, c->jobs);
    if (c->jobs > 0) {
        fputs(", from ", out);
        print_moment(out, c->first_arrival_ns, date);
        fputs(" to the trace's end at ", out);
        print_moment(out, c->end_ns, date);
        fputs("\nruntimes: median ", out);
        print_stretch(out, c->median_ns);
        fputs(", longest ", out);
        print_stretch(out, c->longest_ns);
        fprintf(out, "\nwork: %.6g GPU hours, ", c->work_ns / 3600e9);
        fprintf(out, "which hold %.4g GPUs in the mean over these ", c->work_ns / span);
        print_stretch(out, c->end_ns - c->first_arrival_ns);
        print_arrivals(out, c);
    }
    fprintf(out, "\n");
    if (classed)
        fprintf(out, "classes: %" PRIu64 " latency, %" PRIu64 " batch\n", c->of_class[DCS_LATENCY],
                c->of_class[DCS_BATCH]);
}

void trace_import_print(FILE *out, const struct import_options *options,
                        const struct import_counts *c)
{
    const struct trace_format *f = options->format;
    fprintf(out, "%s: %s\n", f->name, f->source);
    fprintf(out, "%" PRIu64 " files, %" PRIu64 " bytes (%" PRIu64 " unpacked), %" PRIu64 " rows\n",
            c->files, c->disk_bytes, c->bytes, c->rows);
    fprintf(out,
            "rows: %" PRIu64 " are %s, %" PRIu64 " are events of %" PRIu64 " lives, %" PRIu64
            " are left out\n",
            c->rows_jobs, options->nodes != NULL ? "nodes" : "jobs", c->rows_events, c->entities,
            c->rows_left_out);
    if (options->nodes == NULL)
        print_jobs(out, c, f->classed);
    print_issues(out, c);
    fprintf(out, "noted: kept as it is; repaired: kept, a value changed; left out: not in the "
                 "jobs.\nCounted once a row, or once a job where only its life shows it.\n");
}
