/* config_application_tables.c - the keys of applications of the config, and of what each is meant
 * to have of a device; see config_tables.h. */
#include "config/config_tables.h"

#define FIELD(type, member) .offset = offsetof(struct type, member)

static const char *const classes[] = {"latency", "batch", NULL};
static const char *const distributions[] = {"deterministic",    "exponential", "pareto",
                                            "bounded_pareto",   "lognormal",   "weibull",
                                            "hyperexponential", NULL};

static const struct param service_time_params[] = {
    {PARAM_CHOICE, "distribution", FIELD(config_service_time, distribution),
     .choices = distributions, .help = "Of the true duration of one kernel."},
    {PARAM_TIME, "mean_ms", FIELD(config_service_time, mean_ns), "ms", 1e-6, 1e12, .required = true,
     .help = "Its mean; no time is shorter than 1 ns."},
    {PARAM_REAL, "shape", FIELD(config_service_time, shape), NULL, 0, 1e6, 1,
     .help = "Pareto and Weibull shape, lognormal sigma, squared coefficient of variation of the "
             "hyperexponential."},
    {PARAM_TIME, "upper_ms", FIELD(config_service_time, upper_ns), "ms", 0, 1e12, 0,
     .help = "Upper bound of the bounded Pareto."},
    {0},
};

static const struct param factor_params[] = {
    {PARAM_STRING, "profile", FIELD(config_factor, profile), .required = true,
     .help = "Devices of this profile, as the cluster names it."},
    {PARAM_REAL, "factor", FIELD(config_factor, factor), NULL, 1e-6, 1e6, .required = true,
     .help = "Duration of a kernel there, in times of service."},
    {0},
};

const struct param config_application_params[] = {
    {PARAM_STRING, "name", FIELD(config_application, name), .required = true,
     .help = "How workloads call it; must not be an application of the profile."},
    {PARAM_CHOICE, "class", FIELD(config_application, class), .choices = classes,
     .help = "latency: its requests may have an SLA. batch: throughput counts."},
    {PARAM_TIME, "sla_ms", FIELD(config_application, sla_ns), "ms", 0, 1e12, 0,
     .help = "SLA of its requests; 0: none."},
    {PARAM_REAL, "memory_mb", FIELD(config_application, memory_mb), "MB", 0, 1e9, 0,
     .help = "Device memory that a request holds while it runs (10^6 bytes)."},
    {PARAM_INT, "kernels", FIELD(config_application, kernels), NULL, 1, 10000, 1,
     .help = "Kernels of a request, each with a duration of its own."},
    {PARAM_OBJECT, "service", FIELD(config_application, service), .sub = service_time_params,
     .sub_size = sizeof(struct config_service_time), .required = true,
     .help = "True duration of a kernel."},
    {PARAM_LIST, "factors", FIELD(config_application, factors), .sub = factor_params,
     .sub_size = sizeof(struct config_factor),
     .help = "How long it takes on each profile of the cluster; needed where there are several."},
    {0},
};

static const struct param weight_params[] = {
    {PARAM_STRING, "application", FIELD(config_weight, application), .required = true,
     .help = "An application of the workload."},
    {PARAM_REAL, "weight", FIELD(config_weight, weight), NULL, 1e-6, 1, .required = true,
     .help = "Its share of a device."},
    {0},
};

const struct param config_fairness_params[] = {
    {PARAM_BOOL, "metrics", FIELD(config_fairness, metrics),
     .help = "Adds metrics of how applications slow each other: slowdown, qos_violation, "
             "aggregated_performance, unfairness."},
    {PARAM_LIST, "weights", FIELD(config_fairness, weights), .sub = weight_params,
     .sub_size = sizeof(struct config_weight),
     .help =
         "Of all applications of the workload, together 1; empty: all have the same. unfairness "
         "and policies that divide a device by weight go by them."},
    {0},
};
