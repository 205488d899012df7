/* config_tables.h - the option table of the whole config, for config.c and the reference. */
#ifndef DCS_CONFIG_TABLES_H
#define DCS_CONFIG_TABLES_H

#include "config/config.h"

extern const struct param config_root_params[];
/* config_application_tables.c: applications[], fairness. */
extern const struct param config_application_params[], config_fairness_params[];
/* config_sharing_tables.c: sharing, fusion, revocation. */
extern const struct param config_sharing_params[], config_fusion_params[],
    config_revocation_params[];
/* config_resident.c: resident[]; and what the tables cannot say of kernels inside SMs. */
extern const struct param config_resident_params[];
int config_check_resident(const struct config *c, const struct options_doc *doc,
                          struct dcs_err *err);
/* config_divisible.c: divisible[]; and what the tables cannot say of divisible work. */
extern const struct param config_divisible_params[];
int config_check_divisible(const struct config *c, const struct options_doc *doc,
                           struct dcs_err *err);
/* config_gang_tables.c: cluster.nodes, cluster.queue, and what a trace is replayed as. */
extern const struct param config_nodes_params[], config_queue_params[];
extern const char *const config_replayed_as[], *const config_queue_orders[];

#endif
