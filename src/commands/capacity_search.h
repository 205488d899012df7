/*
 * capacity_search.h - where between two values of a quantity (GPUs, load) a bound begins or ends to
 * be kept, by bisection over looks that each cost a simulation.
 *
 * Bisection assumes that there is one such place, and would not see another. So more values are
 * looked at on either side afterwards: of whole numbers the next to the border, where a metric that
 * hardly moves is easily out of order, and the middle of the widest gap. All points must be in
 * order: those on one side keep the bound, those on the other do not, and no two neighbours have
 * intervals that say that the metric moves the wrong way.
 */
#ifndef DCS_CAPACITY_SEARCH_H
#define DCS_CAPACITY_SEARCH_H

#include "des/stats.h"

/* UNDECIDED counts as not kept: that a bound is kept must be shown. */
enum capacity_kept { CAPACITY_BROKEN, CAPACITY_UNDECIDED, CAPACITY_KEPT };

/* What was seen of a bound. */
struct capacity_seen {
    struct dcs_estimate estimate; /* of the metric; n: runs */
    enum capacity_kept kept;
    bool few; /* the metric counts too little of what arrived: `kept` is BROKEN, the estimate of
                 what is left and in no order */
    double counted, of; /* what it counts of what arrived, of all runs; of: 0 where nothing is */
    const char *word;   /* "started", as metric_name_counted() has it */
    char service[128];  /* the worst one, whose numbers these are; "": one number is asked for */
};

#define CAPACITY_BOUNDS_MAX 4

struct capacity_point {
    double value;
    char hash[65];                                  /* of its experiment */
    struct capacity_seen seen[CAPACITY_BOUNDS_MAX]; /* of each bound */
    enum capacity_kept kept;                        /* all bounds are, and it is not overloaded */
    size_t decides;    /* the first bound that is not kept; as many as bounds: none is that */
    uint64_t unfit;    /* whole jobs that need more GPUs than a node has: nothing was run */
    bool unfit_all;    /* than all nodes have: they may span nodes */
    bool overloaded;   /* work came faster than it was done: `kept` is BROKEN */
    char reason[400];  /* whose work, and which rules say so; "": it is not overloaded */
    bool even;         /* all runs are alike: nothing was drawn, and there is no interval */
    double unfinished; /* share of the work due by the end that was not done */
    double rate_per_s; /* of all services together */
};

enum capacity_end {
    CAPACITY_FOUND,
    CAPACITY_ALWAYS, /* both ends keep it */
    CAPACITY_NEVER,  /* neither does */
};

struct capacity_search {
    /* The question. */
    double low, high;  /* low < high */
    bool whole;        /* whole numbers only */
    double resolution; /* else: how near good and bad must be, as a share of the larger */
    bool at_least;     /* the metric must be at least something, not at most */
    bool several; /* bounds: their metrics may move in any way, only verdicts must be in order */
    int (*look)(void *context, double value, struct capacity_point *out, struct dcs_err *err);
    void *context;

    /* The answer. */
    enum capacity_end end;
    bool rises;       /* higher values keep it: the least is looked for, else the highest */
    double good, bad; /* the last that keeps it, and the next that does not */
    bool monotone;    /* as far as was looked */
    double odd[2];    /* two values, ascending, that are not in order, where it is not */
    struct capacity_point *points; /* ascending */
    size_t count, capacity;
};

/* -1 and err if a look failed. The caller releases in any case. */
int capacity_search(struct capacity_search *s, struct dcs_err *err);
void capacity_search_release(struct capacity_search *s);

#endif
