/* compare_notes.h - what `dcsim compare` says above and below its blocks. */
#ifndef DCS_COMPARE_NOTES_H
#define DCS_COMPARE_NOTES_H

#include "results/compare_groups.h"

/* What "*" means, if an experiment has it. */
void compare_print_overload(const struct compare_groups *g);
/* How to read the table; alone: experiments whose worlds nothing else has met. */
void compare_print_notes(const struct compare_metric *m, const struct compare_groups *g,
                         bool medians, size_t alone);
/* Which of them have devices that no real ones can be. */
void compare_print_hypothetical(const struct compare_groups *g);
/* -1 and err, these three: the database cannot be read. */
int compare_print_sum(const struct compare_metric *m, const struct compare_groups *g,
                      const struct results *r, struct dcs_err *err);
int compare_print_plugins(const struct compare_groups *g, const struct results *r,
                          struct dcs_err *err);
int compare_print_guesses(const struct compare_groups *g, const struct results *r,
                          struct dcs_err *err);
/* On standard error, where lines that are compared are of different builds of the program. */
void compare_warn_of_builds(const struct compare_groups *g, const char *baseline);

#endif
