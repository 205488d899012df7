/* profile_tables.c - see profile_open.h: the tables that a profile may have, and names in them. */
#include "models/profile/profile_open.h"

#include <strings.h>

const char *const dcs_mechanism_names[] = {"trap", "asm_exit", "process_kill", NULL};

const char *const dcs_profile_tables[] = {"profile", "device",     "application",
                                          "kernel",  "revocation", NULL};
const char *const dcs_profile_tables_2[] = {
    "subject",
    "request_kernel",
    "kernel_shape",
    "request_solo",
    "kernel_solo",
    "kernel_launch",
    "kernel_cluster",
    "cluster_room",
    "recorded",
    "recorded_clock",
    "recorded_launch",
    "kernel_counters",
    "overhead",
    "transfer",
    "quota_switch",
    "scheduler_cost",
    "driven_kill",
    "corun",
    "corun_side",
    "corun_tail",
    "live",
    "live_request",
    "live_partition",
    "live_partition_request",
    "fused",
    "residency",
    "residency_l2",
    "residency_three",
    "resident_resource",
    "resident_kernel",
    "resident_use",
    "resident_rate",
    "revocation_sample",
    "noise",
    "noise_quantile",
    "evidence",
    "contention_resource",
    "contention_hinge",
    "contention_kernel",
    "contention_weight",
    "contention_range",
    "step",
    "cpu",
    "cpu_application",
    "cpu_point",
    "cpu_sample",
    "cpu_pressure",
    "cpu_residual",
    "split_program",
    "split_time",
    "split_run",
    NULL,
};

bool dcs_profile_is_one_of(const char *name, const char *const *tables)
{
    for (; *tables != NULL; tables++)
        if (name != NULL && strcasecmp(name, *tables) == 0)
            return true;
    return false;
}

bool dcs_profile_is_table_2(const char *name)
{
    return dcs_profile_is_one_of(name, dcs_profile_tables_2);
}

bool dcs_profile_is_own_table(const char *name)
{
    return dcs_profile_is_one_of(name, dcs_profile_tables) || dcs_profile_is_table_2(name);
}

bool dcs_profile_is_schema_table(const char *name)
{
    return name != NULL &&
           (strcasecmp(name, "sqlite_master") == 0 || strcasecmp(name, "sqlite_schema") == 0);
}
