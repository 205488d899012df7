/* config_gangs.h - what a config of whole jobs may say; for config.c and the experiment. */
#ifndef DCS_CONFIG_GANGS_H
#define DCS_CONFIG_GANGS_H

#include "config/config.h"

/* Whether the workload is a trace that is replayed as whole jobs. */
bool config_has_gangs(const struct config *c);

/* Who decides: the policy's name, or of whole jobs their order and placement: "easy+fgd". */
struct config_decider {
    char text[80];
};
struct config_decider config_decider(const struct config *c);

/* Whole jobs stand alone, and take no key that only applications or devices of a profile have; and
 * cluster.nodes and cluster.queue are for them. */
int config_check_gangs(const struct config *c, const struct options_doc *doc, struct dcs_err *err);

#endif
