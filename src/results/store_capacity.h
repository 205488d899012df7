/* store_capacity.h - keeps what a search of dcsim capacity saw, for the report. */
#ifndef DCS_STORE_CAPACITY_H
#define DCS_STORE_CAPACITY_H

#include "results/store.h"

/* What was seen of one bound at one value. Texts are borrowed. */
struct store_look {
    const char *hash; /* of the experiment that was looked at; the database has it */
    size_t position;  /* of the bound */
    double value;     /* of the keys that are varied */
    const char *metric, *unit, *service, *kept, *reason;
    bool at_least;
    double bound;
    struct dcs_estimate result;
};

struct store_search {
    const char *question, *vary, *told;
    double answer; /* NaN: there is none */
    const struct store_look *looks;
    size_t looks_count;
};

/* Replaces what is kept of the same question. */
int store_put_search(struct store *s, const struct store_search *search, struct dcs_err *err);

#endif
