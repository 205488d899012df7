/* explain_print.c - see explain_print.h. */
#include "explain_print.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const phrases[] = {
    [EXPLAIN_OWN] = "its own work",
    [EXPLAIN_TRANSFER] = "its own transfers",
    [EXPLAIN_FEWER_SMS] = "longer on its allotment than on the whole device",
    [EXPLAIN_CONTENTION] = "slowed by",
    [EXPLAIN_QUEUE] = "queueing behind",
    [EXPLAIN_HELD] = "held back while a device had nothing to do",
    [EXPLAIN_REVOCATION] = "revocation",
    [EXPLAIN_POLICY] = "the policy's own time",
};

/* A part, or what of it an application is to blame for. */
struct line {
    uint32_t place; /* breaks ties */
    enum explain_part part;
    uint32_t whom;     /* UINT32_MAX: nobody */
    int64_t ns;        /* of all requests */
    uint64_t requests; /* that have any of it */
    uint64_t enough;   /* that would have met their SLA without */
};

static int by_time(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

static void add(struct line *line, int64_t ns, int64_t late_ns)
{
    line->ns += ns;
    line->requests += ns > 0;
    line->enough += late_ns > 0 && ns >= late_ns;
}

/* One line for each part and application; *count of them, the longest first. Freed by the caller.
 */
static struct line *lines_of(const struct experiment *x, const struct explanation *all,
                             size_t requests, size_t *count)
{
    size_t apps = x->apps_count;
    struct line *lines = dcs_alloc(EXPLAIN_PARTS + 2 * apps, sizeof *lines);
    *count = 0;
    for (int part = 0; part < EXPLAIN_PARTS; part++) {
        bool whom = part == EXPLAIN_CONTENTION || part == EXPLAIN_QUEUE;
        for (uint32_t app = 0; app < (whom ? apps : 1); app++) {
            struct line *line = &lines[*count];
            *line = (struct line){.place = (uint32_t)*count,
                                  .part = (enum explain_part)part,
                                  .whom = whom ? app : UINT32_MAX};
            (*count)++;
            for (size_t i = 0; i < requests; i++) {
                const struct explanation *e = &all[i];
                bool done = e->outcome == CLUSTER_DONE && e->deadline_ns != DCS_NEVER;
                const int64_t *by = part == EXPLAIN_QUEUE ? e->queue_ns : e->contention_ns;
                add(line, whom ? by[app] : e->parts_ns[part],
                    done ? e->end_ns - e->deadline_ns : 0);
            }
        }
    }
    qsort(lines, *count, sizeof *lines, by_time);
    return lines;
}

static void print_phrase(const struct experiment *x, const struct line *line, int width)
{
    char text[160];
    bool whom = line->whom != UINT32_MAX;
    snprintf(text, sizeof text, "%s%s%.60s", phrases[line->part], whom ? " " : "",
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
    struct line *lines = lines_of(x, e, 1, &count);
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
    struct line *lines = lines_of(x, all, count, &n);
    const struct line *first = NULL;
    printf("  %-50s%16s %8s %10s %10s\n", "", "ms", "share", "requests", "enough");
    for (size_t i = 0; i < n && lines[i].ns > 0; i++) {
        const struct line *line = &lines[i];
        bool own = line->part == EXPLAIN_OWN || line->part == EXPLAIN_TRANSFER;
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
