/* explain_lines.h - explanations of many requests, summed. */
#ifndef DCS_EXPLAIN_LINES_H
#define DCS_EXPLAIN_LINES_H

#include "runs/explain.h"

#define EXPLAIN_NOBODY  UINT32_MAX
#define EXPLAIN_ANY_APP UINT32_MAX

/* The names of parts, as in explain.h. */
extern const char *const explain_parts[];
/* Parts as a person reads them; of contention and queue an application follows. */
extern const char *const explain_words[];
/* Whether a part is what a request takes alone, for which nobody is to blame. */
bool explain_is_own(enum explain_part part);

/* A part, or as much of it as one application is to blame for. */
struct explain_line {
    uint32_t place; /* breaks ties */
    enum explain_part part;
    uint32_t whom;     /* an application, or EXPLAIN_NOBODY */
    int64_t ns;        /* of all requests */
    uint64_t requests; /* that have any of it */
    uint64_t enough;   /* that completed late, and would have been in time without it */
};

/* A line for each part and application, the longest first, of requests of one application or of all
 * (EXPLAIN_ANY_APP); *count of them. apps: how many applications there are. Freed by the caller. */
struct explain_line *explain_lines(const struct explanation *all, size_t requests, uint32_t app,
                                   uint32_t apps, size_t *count);

#endif
