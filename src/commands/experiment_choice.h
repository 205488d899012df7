/*
 * experiment_choice.h - which experiment of a results database somebody means.
 *
 * It may be called by its name, its policy, the beginning of its hash (4 digits or more), by its
 * label as dcsim prints it, with what tells its world behind it ("elastic (window=8), seed=7", cut
 * with "…" or not), or by values of its config: "policy=elastic, load=0.5", where a key is a path
 * in the config or the end of one.
 */
#ifndef DCS_EXPERIMENT_CHOICE_H
#define DCS_EXPERIMENT_CHOICE_H

#include "results/results_db.h"

/* The one experiment that is so called and has such a run. given NULL: any. -1 and err, with what
 * there is, if none or several do. */
int experiment_choose(const struct results *r, const char *given, uint64_t replication, int64_t *id,
                      struct dcs_err *err);

#endif
