/* config_tables.h - the option table of the whole config, for config.c and the reference. */
#ifndef DCS_CONFIG_TABLES_H
#define DCS_CONFIG_TABLES_H

#include "config/config.h"

extern const struct param config_root_params[];

#endif
