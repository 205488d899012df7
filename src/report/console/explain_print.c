/* explain_print.c - see explain_print.h. */
#include "report/console/explain_print.h"

#include "runs/explain_lines.h"

#include <inttypes.h>
#include <stdlib.h>

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

void explain_print_violations(const struct experiment *x, const struct explanation *all,
                              size_t count)
{
    int64_t total_ns = 0;
    uint64_t dropped = 0, inside = 0;
    for (size_t i = 0; i < count; i++) {
        total_ns += all[i].end_ns - all[i].arrival_ns;
        dropped += all[i].outcome == CLUSTER_DROPPED;
        inside += all[i].outcome == CLUSTER_INSIDE;
    }
    printf("%zu requests missed their SLA", count);
    if (dropped > 0 || inside > 0)
        printf(" (%" PRIu64 " dropped, %" PRIu64 " not done in the end)", dropped, inside);
    printf(", %.3f ms together%s\n", ms(total_ns), count > 0 ? ":" : ".");
    if (count == 0)
        return;
    size_t n;
    struct explain_line *lines = explain_lines(all, count, EXPLAIN_ANY_APP, x->apps_count, &n);
    const struct explain_line *first = NULL;
    printf("  %-50s%16s %8s %10s %10s\n", "", "ms", "share", "requests", "enough");
    for (size_t i = 0; i < n && lines[i].ns > 0; i++) {
        const struct explain_line *line = &lines[i];
        bool own = explain_is_own(line->part);
        print_phrase(x, line, 50);
        printf("%16.3f %6.1f %% %10" PRIu64, ms(line->ns),
               100 * (double)line->ns / (double)total_ns, line->requests);
        if (own)
            printf(" %10s\n", "-");
        else
            printf(" %10" PRIu64 "\n", line->enough);
        if (!own && (first == NULL || line->enough > first->enough))
            first = line;
    }
    if (first != NULL) {
        printf("To fix first:\n");
        print_phrase(x, first, 0);
        printf(": without it %" PRIu64 " of them would have been in time\n", first->enough);
    }
    free(lines);
}
