/* explain_print.c - see explain_print.h. */
#include "report/console/explain_print.h"

#include "runs/explain_lines.h"
#include "text/table.h"

#include <inttypes.h>
#include <stdlib.h>

/* A part whose absence would have saved fewer of the late requests than this share is not named as
 * what to fix: other causes would keep nearly all of them late. */
#define WORTH_FIXING 0.1

static void print_phrase(const struct experiment *x, const struct explain_line *line, int width)
{
    char text[160];
    bool whom = line->whom != EXPLAIN_NOBODY;
    snprintf(text, sizeof text, "%s%s%.60s", explain_words[line->part], whom ? " " : "",
             whom ? x->apps[line->whom].name : "");
    printf("  %-*s", width, text);
}

static double ms(int64_t ns)
{
    return (double)ns / 1e6;
}

void explain_print_request(const struct experiment *x, const struct explanation *e)
{
    static const char *const ends[] = {[CLUSTER_DONE] = "took",
                                       [CLUSTER_DROPPED] = "was dropped after",
                                       [CLUSTER_INSIDE] = "was inside for"};
    int64_t time_ns = e->end_ns - e->arrival_ns;
    printf("Request %" PRIu32 ":%" PRIu64 " of %s arrived at %.6f s and %s %.6f ms", e->job,
           e->index, x->apps[e->app].name, (double)e->arrival_ns / 1e9, ends[e->outcome],
           ms(time_ns));
    if (e->deadline_ns != DCS_NEVER)
        printf("; its SLA is %.6f ms", ms(e->deadline_ns - e->arrival_ns));
    putchar('\n');
    size_t count;
    struct explain_line *lines = explain_lines(e, 1, EXPLAIN_ANY_APP, x->apps_count, &count);
    for (size_t i = 0; i < count && lines[i].ns > 0; i++) {
        print_phrase(x, &lines[i], 50);
        printf("%16.6f ms %6.1f %%\n", ms(lines[i].ns),
               100 * (double)lines[i].ns / (double)time_ns);
    }
    free(lines);
}

static void print_overload(const char *applications)
{
    struct text_buffer line = {0};
    if (applications[0] == '\0')
        return;
    text_append(&line,
                "WARNING: overloaded: requests of %s came faster than they were served, or were "
                "dropped; no steady state. How late they are says how long the run was.",
                applications);
    text_paragraph(stdout, line.text, 2);
    free(line.text);
}

static void print_lines(const struct experiment *x, const struct explain_line *lines, size_t count,
                        int64_t total_ns)
{
    printf("  %-50s%16s %8s %10s %10s\n", "", "ms", "share", "requests", "enough");
    for (size_t i = 0; i < count && lines[i].ns > 0; i++) {
        const struct explain_line *line = &lines[i];
        print_phrase(x, line, 50);
        printf("%16.3f %6.1f %% %10" PRIu64, ms(line->ns),
               100 * (double)line->ns / (double)total_ns, line->requests);
        if (explain_is_own(line->part))
            printf(" %10s\n", "-");
        else
            printf(" %10" PRIu64 "\n", line->enough);
    }
}

static void print_first(const struct experiment *x, const struct explain_line *lines, size_t count,
                        size_t late)
{
    const struct explain_line *first = NULL;
    for (size_t i = 0; i < count && lines[i].ns > 0; i++)
        if (!explain_is_own(lines[i].part) && (first == NULL || lines[i].enough > first->enough))
            first = &lines[i];
    if (first == NULL)
        return;
    if ((double)first->enough < WORTH_FIXING * (double)late) {
        puts("No single part is to blame: without the worst one fewer than a tenth would have been "
             "in time.");
        return;
    }
    puts("To fix first:");
    print_phrase(x, first, 0);
    printf(": without it %" PRIu64 " of them would have been in time\n", first->enough);
}

/* Where most of their time is waiting for earlier requests, what keeps these there is the cause. */
static void print_without_waiting(const struct experiment *x, const struct explain_line *lines,
                                  size_t count, int64_t total_ns)
{
    int64_t rest_ns = total_ns;
    for (size_t i = 0; i < count; i++)
        rest_ns -= lines[i].part == EXPLAIN_BEHIND ? lines[i].ns : 0;
    if (total_ns == 0 || rest_ns > total_ns / 2)
        return;
    if (rest_ns == 0) {
        puts("None of them was begun: what keeps the requests before them is not in this list.");
        return;
    }
    puts(
        "Most of it is waiting for earlier requests. Once it is their turn, they keep those behind "
        "them waiting with:");
    for (size_t i = 0; i < count && lines[i].ns > 0; i++) {
        if (lines[i].part == EXPLAIN_BEHIND)
            continue;
        print_phrase(x, &lines[i], 50);
        printf("%16.3f %6.1f %%\n", ms(lines[i].ns), 100 * (double)lines[i].ns / (double)rest_ns);
    }
}

void explain_print_violations(const struct experiment *x, const struct explanation *all,
                              size_t count, const char *overloaded)
{
    int64_t total_ns = 0;
    uint64_t dropped = 0, inside = 0;
    for (size_t i = 0; i < count; i++) {
        total_ns += all[i].end_ns - all[i].arrival_ns;
        dropped += all[i].outcome == CLUSTER_DROPPED;
        inside += all[i].outcome == CLUSTER_INSIDE;
    }
    print_overload(overloaded);
    printf("%zu requests missed their SLA", count);
    if (dropped > 0 || inside > 0)
        printf(" (%" PRIu64 " dropped, %" PRIu64 " not done in the end)", dropped, inside);
    printf(", %.3f ms together%s\n", ms(total_ns), count > 0 ? ":" : ".");
    if (count == 0)
        return;
    size_t n;
    struct explain_line *lines = explain_lines(all, count, EXPLAIN_ANY_APP, x->apps_count, &n);
    print_lines(x, lines, n, total_ns);
    print_first(x, lines, n, count);
    print_without_waiting(x, lines, n, total_ns);
    free(lines);
}
