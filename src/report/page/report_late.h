/*
 * report_late.h - what made requests late, where dcsim explain --keep has looked: their time by
 * what it went to, of each policy and of each experiment, and what to mend first.
 */
#ifndef DCS_REPORT_LATE_H
#define DCS_REPORT_LATE_H

#include "report/page/report_data.h"
#include "report/page/report_page.h"

struct report_late_line {
    const struct report_point *point;
    size_t label;      /* of the data */
    char *application; /* whose requests; NULL: of all */
    char *what;        /* "queueing behind bfs" */
    bool own;          /* what it takes alone: nobody is to blame */
    double ms;         /* together */
    double share;      /* of all late time of the label or of the application */
    uint64_t requests; /* that have any of it */
    uint64_t enough;   /* that would have been in time without it */
};

/* Runs of an experiment that were looked at, and had late requests. */
struct report_looked {
    const struct report_point *point;
    uint64_t runs, first, last; /* replications from first to last */
};

struct report_late {
    struct report_late_line *each; /* by label, world, application; the longest first */
    size_t each_count;
    struct report_late_line *labels; /* all experiments of a label together; likewise */
    size_t labels_count;
    struct report_looked *looked; /* by experiment */
    size_t experiments;           /* of them */
    bool pooled;                  /* a label has several experiments or applications */
};

/* All lists are empty where nobody looked. -1 and err on failure. */
int report_late_read(struct report_late *l, const struct report_data *d, struct dcs_err *err);
void report_late_release(struct report_late *l);

/* What would bring most late requests of a label in time, as dcsim explain chooses it. NULL: there
 * is nothing. */
const struct report_late_line *report_late_first(const struct report_late *l, size_t label);

/* " These are late requests of 1 of 8 runs, where dcsim explain --keep has looked: replication 0.";
 * nothing where it has found late requests in every run. label: whose experiments; SIZE_MAX: those
 * of all labels. */
void report_late_say_looked(struct page *p, const struct report_late *l, size_t label);

/* Its section of the page, if there is anything to say. */
void report_late_write(struct page *p, const struct report_data *d, const struct report_late *l);

#endif
