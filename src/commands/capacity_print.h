/* capacity_print.h - what dcsim capacity prints of its question, its looks and its answer. */
#ifndef DCS_CAPACITY_PRINT_H
#define DCS_CAPACITY_PRINT_H

#include "commands/capacity_look.h"

struct capacity_question {
    const char *vary, *policy; /* keys, as on the command line; of the config */
    bool gangs;                /* the config is of whole jobs */
    bool even;                 /* all runs of each value are alike: there are no intervals */
    double low, high;
    const struct capacity_bounds *bounds;
};

/* Whether nothing was drawn at any value. */
bool capacity_is_even(const struct capacity_search *s);
/* "yes", "undecided", "overloaded", "no". */
const char *capacity_kept_word(const struct capacity_point *p);

void capacity_print_title(const struct capacity_question *q, const struct capacity_looks *looks);
void capacity_print_curve(const struct capacity_question *q, const struct capacity_search *s,
                          const struct capacity_looks *looks);
/* Returns the exit code: 1 where there is no answer, or one that cannot be trusted. */
int capacity_print_answer(const struct capacity_question *q, const struct capacity_search *s);
/* Writes all of it into the database of the looks, for the report. */
int capacity_keep(const struct capacity_question *q, const struct capacity_search *s,
                  const struct capacity_looks *looks, struct dcs_err *err);
/* More devices with as much batch work are another question. */
void capacity_print_note(const struct capacity_question *q, const struct capacity_looks *looks);

#endif
