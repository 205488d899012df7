/* explain_lines.c - see explain_lines.h. */
#include "runs/explain_lines.h"

#include <stdlib.h>

const char *const explain_parts[] = {
    [EXPLAIN_OWN] = "own",
    [EXPLAIN_TRANSFER] = "transfer",
    [EXPLAIN_HOST] = "host",
    [EXPLAIN_FEWER_SMS] = "fewer_sms",
    [EXPLAIN_CONTENTION] = "contention",
    [EXPLAIN_BEHIND] = "behind",
    [EXPLAIN_QUEUE] = "queue",
    [EXPLAIN_HELD] = "held",
    [EXPLAIN_REVOCATION] = "revocation",
    [EXPLAIN_POLICY] = "policy",
};

const char *const explain_words[] = {
    [EXPLAIN_OWN] = "its own work",
    [EXPLAIN_TRANSFER] = "its own transfers",
    [EXPLAIN_HOST] = "its own host",
    [EXPLAIN_FEWER_SMS] = "fewer SMs or cores than alone",
    [EXPLAIN_CONTENTION] = "slowed by",
    [EXPLAIN_BEHIND] = "behind earlier requests of its service",
    [EXPLAIN_QUEUE] = "queueing behind",
    [EXPLAIN_HELD] = "held back while a device had nothing to do",
    [EXPLAIN_REVOCATION] = "revocation",
    [EXPLAIN_POLICY] = "the policy's own time",
};

bool explain_is_own(enum explain_part part)
{
    return part == EXPLAIN_OWN || part == EXPLAIN_TRANSFER || part == EXPLAIN_HOST;
}

static int by_time(const void *a, const void *b)
{
    const struct explain_line *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

static void add_explanation(struct explain_line *line, const struct explanation *e)
{
    int64_t ns = e->parts_ns[line->part];
    if (line->whom != EXPLAIN_NOBODY)
        ns = line->part == EXPLAIN_QUEUE ? e->queue_ns[line->whom] : e->contention_ns[line->whom];
    bool late = e->outcome == CLUSTER_DONE && e->end_ns > e->deadline_ns;
    line->ns += ns;
    line->requests += ns > 0;
    line->enough += late && ns >= e->end_ns - e->deadline_ns;
}

struct explain_line *explain_lines(const struct explanation *all, size_t requests, uint32_t app,
                                   uint32_t apps, size_t *count)
{
    struct explain_line *lines = dcs_alloc(EXPLAIN_PARTS + 2 * (size_t)apps, sizeof *lines);
    *count = 0;
    for (int part = 0; part < EXPLAIN_PARTS; part++) {
        bool whom = part == EXPLAIN_CONTENTION || part == EXPLAIN_QUEUE;
        for (uint32_t other = 0; other < (whom ? apps : 1); other++) {
            struct explain_line *line = &lines[*count];
            *line = (struct explain_line){.place = (uint32_t)*count,
                                          .part = (enum explain_part)part,
                                          .whom = whom ? other : EXPLAIN_NOBODY};
            (*count)++;
            for (size_t i = 0; i < requests; i++)
                if (app == EXPLAIN_ANY_APP || all[i].app == app)
                    add_explanation(line, &all[i]);
        }
    }
    qsort(lines, *count, sizeof *lines, by_time);
    return lines;
}
