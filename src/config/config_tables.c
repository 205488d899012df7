/*
 * config_tables.c - every key of a config: name, type, unit, default, range, help. Nothing else
 * says what a config may hold. The policy section's own keys stand with each policy.
 */
#include "config/config_tables.h"

#include "des/dist.h"
#include "models/workload/arrivals.h"

#define FIELD(type, member) .offset = offsetof(struct type, member)

static const char *const routers[] = {"round_robin", "random", "least_outstanding", NULL};
const char *const config_predictors[] = {"mean", "clairvoyant", "linear", "knn",  "cart", "net",
                                         "sgd",  "knn5",        "svm",    "best", NULL};
static const char *const slowdowns[] = {"none", "trained", "untrained", NULL};
static const char *const intervals[] = {"auto", "mean", "median", NULL};
static const char *const processes[] = {
    "poisson", "hyperexponential", "deterministic", "mmpp2", "daily", NULL};
static const char *const job_distributions[] = {"exponential", "pareto",           "lognormal",
                                                "weibull",     "lognormal_pareto", NULL};
static const char *const warmup_rules[] = {"fixed", "mser5", NULL};
static const char *const placements[] = {"random", "hungarian", NULL};
static const char *const charges[] = {"profile", "auto", NULL}; /* CONFIG_CHARGE_... */
static const char *const mappings[] = {"random", "by_size", NULL};
static const char *const statuses[] = {"all", "success", NULL};
static const char *const load_bases[] = {"realized", "expected", NULL};

static const struct param group_params[] = {
    {PARAM_INT, "domains", FIELD(config_group, domains), .low = 1, .high = 100000, .required = true,
     .help = "Domains of this kind: groups of devices under one policy instance each."},
    {PARAM_INT, "devices", FIELD(config_group, devices), .low = 1, .high = 4096, .required = true,
     .help = "Devices of each domain."},
    {PARAM_INT, "cpu_threads", FIELD(config_group, cpu_threads), "threads", 0, 4096, 0,
     .help = "As cluster.cpu_threads."},
    {PARAM_STRING, "profile", FIELD(config_group, profile), .text = "",
     .help = "Profile of these devices; empty: the experiment's."},
    {0},
};

static const struct param cluster_params[] = {
    {PARAM_INT, "domains", FIELD(config_cluster, domains), .low = 1, .high = 100000, .number = 1,
     .help = "Servers: groups of devices under one policy instance each."},
    {PARAM_INT, "devices", FIELD(config_cluster, devices), .low = 1, .high = 4096, .number = 1,
     .help = "Devices of each domain."},
    {PARAM_INT, "cpu_threads", FIELD(config_cluster, cpu_threads), "threads", 0, 4096, 0,
     .help = "Above 0: one device of each domain is a CPU that works with so many threads, the "
             "others are GPUs; 0: all are GPUs (divisible)."},
    {PARAM_CHOICE, "router", FIELD(config_cluster, router), .choices = routers,
     .help =
         "How requests spread over the domains. least_outstanding: ties go to the lowest index."},
    {PARAM_LIST, "groups", FIELD(config_cluster, groups), .sub = group_params,
     .sub_size = sizeof(struct config_group),
     .help = "Domains of several kinds; if given, it replaces domains and devices."},
    {PARAM_LIST, "nodes", FIELD(config_cluster, nodes), .sub = config_nodes_params,
     .sub_size = sizeof(struct config_nodes), .help = "Nodes for whole jobs (trace as gangs)."},
    {PARAM_OBJECT, "queue", FIELD(config_cluster, queue), .sub = config_queue_params,
     .sub_size = sizeof(struct config_queue), .help = "How whole jobs get nodes."},
    {0},
};

static const struct param checkpoint_params[] = {
    {PARAM_TIME, "interval_s", FIELD(config_checkpoint, interval_ns), "s", 0, 1e9, 0,
     .help = "Work of a batch kernel between two checkpoints; 0: no checkpoints."},
    {PARAM_TIME, "cost_ms", FIELD(config_checkpoint, cost_ns), "ms", 0, 1e6, 100,
     .help = "What a checkpoint takes (TReM, section VII: below 100 ms)."},
    {0},
};

static const char *const instants[] = {"batched", "arrivals_first", "one_by_one", NULL};

static const struct param scheduler_params[] = {
    {PARAM_TIME, "callback_us", FIELD(config_scheduler, callback_ns), "us", 0, 1e9,
     CONFIG_CHARGE_AUTO, .choices = charges,
     .help = "Charged to a domain's scheduler for each event that it handles. profile: what the "
             "profile has measured with the policy, with changes of quota, not scaled (spatial); "
             "auto: the same where all profiles have measured it, the longest of these, and scale "
             "is not 0, else 0."},
    {PARAM_TIME, "predict_us", FIELD(config_scheduler, predict_ns), "us", 0, 1e9, 0,
     .help = "Charged for each prediction."},
    {PARAM_TIME, "fusion_candidate_us", FIELD(config_scheduler, fusion_candidate_ns), "us", 0, 1e9,
     0, .help = "Charged for each pair of kernels that a policy asks about fusing."},
    {PARAM_TIME, "fusion_round_us", FIELD(config_scheduler, fusion_round_ns), "us", 0, 1e9, 0,
     .help = "Charged once for each event after which a policy asks about fusing."},
    {PARAM_REAL, "fusion_cost_scale", FIELD(config_scheduler, fusion_cost_scale), NULL, 0, 1e6, 1,
     .help = "Multiplies the two charges of fusing; 0 switches them off."},
    {PARAM_REAL, "scale", FIELD(config_scheduler, scale), NULL, 0, 1e6, 1,
     .help = "Multiplies charges that are given as times; 0 switches these and auto off."},
    {PARAM_CHOICE, "instant", FIELD(config_scheduler, instant), .choices = instants,
     .was = "arrivals_first",
     .help = "How policies hear of what happens at one instant, as when a client without think "
             "time issues its next request at a completion. batched: after all of it, in its "
             "order, so that what is decided at the completion does not know of that request; "
             "arrivals_first: likewise, but of arrivals before completions; one_by_one: after "
             "each event, and of a completion and that request together (docs/model.md)."},
    {0},
};

static const struct param horizon_params[] = {
    {PARAM_TIME, "duration_s", FIELD(config_horizon, duration_ns), "s", 0, 4e9, 0,
     .help = "When the simulation ends; 0: when all work is done."},
    {PARAM_TIME, "warmup_s", FIELD(config_horizon, warmup_ns), "s", 0, 4e9, 0,
     .help = "Measuring starts here; requests that arrived earlier are simulated, not counted."},
    {PARAM_CHOICE, "warmup_rule", FIELD(config_horizon, warmup_rule), .choices = warmup_rules,
     .help = "fixed: warmup_s. mser5: each run's own, where MSER-5 cuts the number of requests in "
             "the system, at most half of duration_s; a run is simulated twice."},
    {0},
};

#define PEAK_QUANTILE_HELP                                                                         \
    "Share of the requests that must meet the SLA at the peak rate (fraction_of_peak)."

static const struct param arrivals_params[] = {
    {PARAM_CHOICE, "process", FIELD(config_arrivals, process), .choices = processes,
     .help = "Of the request arrivals."},
    {PARAM_REAL, "rate_per_s", FIELD(config_arrivals, rate_per_s), "1/s", 0, 1e9, 0,
     .help = "Mean rate (poisson, hyperexponential, deterministic)."},
    {PARAM_REAL, "scv", FIELD(config_arrivals, scv), NULL, 1, 1e6, 4,
     .help = "Squared coefficient of variation of the gaps (hyperexponential)."},
    {PARAM_REAL, "rate_high_per_s", FIELD(config_arrivals, rate_high_per_s), "1/s", 0, 1e9, 0,
     .help = "Rate in the busy state (mmpp2)."},
    {PARAM_REAL, "rate_low_per_s", FIELD(config_arrivals, rate_low_per_s), "1/s", 0, 1e9, 0,
     .help = "Rate in the quiet state (mmpp2)."},
    {PARAM_TIME, "stay_high_s", FIELD(config_arrivals, stay_high_ns), "s", 0, 1e9, 1,
     .help = "Mean stay in the busy state (mmpp2)."},
    {PARAM_TIME, "stay_low_s", FIELD(config_arrivals, stay_low_ns), "s", 0, 1e9, 1,
     .help = "Mean stay in the quiet state (mmpp2)."},
    {PARAM_STRING, "daily_per_s", FIELD(config_arrivals, daily_per_s), .text = "",
     .help = "24 rates per second, separated by commas: one for each hour of the day (daily)."},
    {PARAM_TIME, "day_s", FIELD(config_arrivals, day_ns), "s", 1e-6, 1e9, 86400,
     .help = "Length of a day (daily); shorter days compress the pattern."},
    {PARAM_REAL, "batch_mean", FIELD(config_arrivals, batch_mean), NULL, 1, 1e6, 1,
     .help = "Mean number that arrives at one instant, geometric; rates count the instants."},
    {PARAM_REAL, "fraction_of_peak", FIELD(config_arrivals, fraction_of_peak), NULL, 0, 10, 0,
     .help =
         "Above 0: the rate, in place of rate_per_s, as a share of the peak rate of each device "
         "that serves it: the highest at which the service alone on a device of the first "
         "profile meets its SLA (services with poisson arrivals)."},
    {PARAM_REAL, "peak_quantile", FIELD(config_arrivals, peak_quantile), NULL, 0.5, 0.9999, 0.99,
     .help = PEAK_QUANTILE_HELP},
    {0},
};

#define SLA_FACTOR_HELP                                                                            \
    "Above 0: the SLA, in place of sla_ms, as a multiple of what a request takes in the mean "     \
    "alone on a whole device of the first profile, over the sizes of its inputs."
#define DOMAIN_HELP "Domain that gets all its requests; -1: the router spreads them."

#define INPUT_HELP                                                                                 \
    "How large the inputs of its requests are, in the application's unit: default; uniform or "    \
    "log_uniform over all sizes that the profile measured; \"uniform 16-256\" over those in a "    \
    "range; \"16,64,256\": these, each as likely as the others. Other than default on devices "    \
    "that are shared."

static const struct param service_params[] = {
    {PARAM_STRING, "application", FIELD(config_service, application), .required = true,
     .help = "An application of the profile or of \"applications\"."},
    {PARAM_STRING, "input", FIELD(config_service, input), .text = "default", .help = INPUT_HELP},
    {PARAM_OBJECT, "arrivals", FIELD(config_service, arrivals), .sub = arrivals_params,
     .sub_size = sizeof(struct config_arrivals), .required = true, .help = "Open loop."},
    {PARAM_TIME, "sla_ms", FIELD(config_service, sla_ns), "ms", 0, 1e12, 0,
     .help = "SLA, met at equality; 0: the application's."},
    {PARAM_REAL, "sla_factor", FIELD(config_service, sla_factor), NULL, 0, 1e6, 0,
     .help = SLA_FACTOR_HELP},
    {PARAM_INT, "queue_limit", FIELD(config_service, queue_limit), "requests", 0, 4e9, 0,
     .help = "A request that finds so many of the service waiting is dropped; 0: no limit."},
    {PARAM_BOOL, "drop_late", FIELD(config_service, drop_late),
     .help = "Drop a request that has not been launched when its SLA has passed."},
    {PARAM_INT, "requests", FIELD(config_service, requests), "requests", 0, 1e15, 0,
     .help = "How many it issues; 0: until the horizon."},
    {PARAM_TIME, "begin_s", FIELD(config_service, begin_ns), "s", 0, 4e9, 0,
     .help = "When it begins."},
    {PARAM_INT, "domain", FIELD(config_service, domain), NULL, -1, 99999, -1, .help = DOMAIN_HELP},
    {0},
};

static const struct param batch_params[] = {
    {PARAM_STRING, "application", FIELD(config_batch, application), .required = true,
     .help = "An application of the profile or of \"applications\"."},
    {PARAM_STRING, "input", FIELD(config_batch, input), .text = "default", .help = INPUT_HELP},
    {PARAM_INT, "clients", FIELD(config_batch, clients), "requests", 1, 1e6, 1,
     .help = "Requests that are outstanding at most (closed loop)."},
    {PARAM_TIME, "think_ms", FIELD(config_batch, think_ns), "ms", 0, 1e12, 0,
     .help = "Mean time from a completion to the client's next request, exponential; 0: at once."},
    {PARAM_INT, "requests", FIELD(config_batch, requests), "requests", 0, 1e15, 0,
     .help = "How many it issues in all; 0: until the horizon."},
    {PARAM_TIME, "begin_s", FIELD(config_batch, begin_ns), "s", 0, 4e9, 0,
     .help = "When it begins."},
    {PARAM_INT, "domain", FIELD(config_batch, domain), NULL, -1, 99999, -1, .help = DOMAIN_HELP},
    {0},
};

#define USER_APPLICATIONS                                                                          \
    "particle-filter,euclid,nw,bfs,black-scholes,pathfinder,hotspot-3d,monte-carlo,dark-gray"
#define BATCH_APPLICATIONS "lava-md,hotspot,gaussian"

static const struct param trem_params[] = {
    {PARAM_INT, "jobs", FIELD(config_trem, jobs), "jobs", 1, 1e7, 30,
     .help = "Jobs in all (table IV: 30)."},
    {PARAM_REAL, "user_fraction", FIELD(config_trem, user_fraction), NULL, 0, 1, 0.5,
     .help = "Share of user-facing jobs; the rest is batch (W1 0.5, W2 0.8)."},
    {PARAM_TIME, "user_duration_s", FIELD(config_trem, user_duration_ns), "s", 1e-6, 1e9, 5,
     .help = "Mean duration of a user-facing job."},
    {PARAM_TIME, "batch_duration_s", FIELD(config_trem, batch_duration_ns), "s", 1e-6, 1e9, 600,
     .help = "Mean duration of a batch job."},
    {PARAM_REAL, "pareto_shape", FIELD(config_trem, pareto_shape), NULL, 1.01, 100, 2,
     .help = "Shape of the Pareto durations; the paper does not say."},
    {PARAM_INT, "outstanding", FIELD(config_trem, outstanding), "requests", 1, 1e6, 8,
     .help = "Outstanding requests of a job at most."},
    {PARAM_INT, "user_tasks", FIELD(config_trem, user_tasks), "requests", 0, 1e12, 0,
     .help =
         "User-facing tasks in all, spread in proportion to the durations (W1 925, W2 1191); 0: "
         "what the durations give."},
    {PARAM_INT, "batch_tasks", FIELD(config_trem, batch_tasks), "requests", 0, 1e12, 0,
     .help = "Batch tasks in all (W1 635, W2 329); 0: what the durations give."},
    {PARAM_REAL, "load", FIELD(config_trem, load), NULL, 1e-6, 1e6, 1,
     .help = "Offered work over capacity: 1 fills the devices exactly."},
    {PARAM_CHOICE, "load_basis", FIELD(config_trem, load_basis), .choices = load_bases,
     .help = "Whether load counts the work of the jobs as drawn, or of a job in the mean."},
    {PARAM_INT, "load_devices", FIELD(config_trem, load_devices), "devices", 0, 1e6, 0,
     .help = "Capacity that load refers to; 0: the cluster's, so that load scales with it."},
    {PARAM_TIME, "sla_ms", FIELD(config_trem, sla_ns), "ms", 0, 1e12, 0,
     .help = "SLA of user-facing tasks; 0: the application's."},
    {PARAM_STRING, "user_applications", FIELD(config_trem, user_applications),
     .text = USER_APPLICATIONS, .help = "Applications of user-facing jobs, separated by commas."},
    {PARAM_STRING, "batch_applications", FIELD(config_trem, batch_applications),
     .text = BATCH_APPLICATIONS, .help = "Applications of batch jobs, separated by commas."},
    {0},
};

/* The keys of struct config_replay inside another struct. */
#define REPLAY_ROWS(type)                                                                          \
    {PARAM_REAL,                                                                                   \
     "time_compression",                                                                           \
     FIELD(type, replay.time_compression),                                                         \
     NULL,                                                                                         \
     1e-6,                                                                                         \
     1e9,                                                                                          \
     1,                                                                                            \
     .help = "Arrival times are divided by this."},                                                \
        {PARAM_REAL,                                                                               \
         "duration_compression",                                                                   \
         FIELD(type, replay.duration_compression),                                                 \
         NULL,                                                                                     \
         1e-6,                                                                                     \
         1e9,                                                                                      \
         1,                                                                                        \
         .help = "Durations are divided by this."},                                                \
        {PARAM_REAL,                                                                               \
         "load",                                                                                   \
         FIELD(type, replay.load),                                                                 \
         NULL,                                                                                     \
         0,                                                                                        \
         1e6,                                                                                      \
         0,                                                                                        \
         .help = "Above 0: arrivals are compressed so that the work that falls between first and " \
                 "last arrival is so much of capacity, in place of time_compression."},            \
        {PARAM_INT,                                                                                \
         "outstanding",                                                                            \
         FIELD(type, replay.outstanding),                                                          \
         "requests",                                                                               \
         1,                                                                                        \
         1e6,                                                                                      \
         1,                                                                                        \
         .help = "Outstanding requests of a job at most, for each GPU that it asks for."},         \
        {PARAM_CHOICE, "mapping", FIELD(type, replay.mapping), .choices = mappings,                \
         .help = "Application of a job: drawn from its class's list, or by size: the smallest "    \
                 "jobs get the application with the least work."},                                 \
        {PARAM_TIME,                                                                               \
         "sla_ms",                                                                                 \
         FIELD(type, replay.sla_ns),                                                               \
         "ms",                                                                                     \
         0,                                                                                        \
         1e12,                                                                                     \
         0,                                                                                        \
         .help = "SLA of latency jobs' requests; 0: the application's."},                          \
        {PARAM_STRING, "user_applications", FIELD(type, replay.user_applications),                 \
         .text = USER_APPLICATIONS, .help = "Applications of latency jobs, separated by commas."}, \
    {                                                                                              \
        PARAM_STRING, "batch_applications", FIELD(type, replay.batch_applications),                \
            .text = BATCH_APPLICATIONS, .help = "Applications of batch jobs, separated by commas." \
    }

static const struct param trace_params[] = {
    {PARAM_STRING, "database", FIELD(config_trace, database), .required = true,
     .help = "Jobs that dcsim trace import has written, relative to the config."},
    {PARAM_CHOICE, "as", FIELD(config_trace, as), .choices = config_replayed_as,
     .help = "applications: a job issues requests; gangs: it holds its GPUs of cluster.nodes."},
    {PARAM_TIME, "from_s", FIELD(config_trace, from_ns), "s", 0, 4e9, 0,
     .help = "Jobs that arrived earlier are left out; times as in the trace."},
    {PARAM_TIME, "until_s", FIELD(config_trace, until_ns), "s", 0, 4e9, 0,
     .help = "Jobs that arrived then or later are left out; 0: to the end."},
    {PARAM_CHOICE, "status", FIELD(config_trace, status), .choices = statuses,
     .help = "all: failed jobs too, since they held what they asked for."},
    {PARAM_BOOL, "early", FIELD(config_trace, early),
     .help =
         "Keep jobs that were there when the trace began, and at from_s those that were not over, "
         "with what was left of them: they all arrive at once."},
    {PARAM_BOOL, "censored", FIELD(config_trace, censored), .number = 1,
     .help = "Keep jobs that ran when the trace ended, with the duration that was seen."},
    {PARAM_REAL, "keep", FIELD(config_trace, keep), NULL, 1e-9, 1, 1,
     .help = "Each job is kept with this probability, drawn for each replication."},
    {PARAM_REAL, "latency_fraction", FIELD(config_trace, latency_fraction), NULL, -1, 1, -1,
     .help = "Share of latency jobs, drawn for each job; -1: the classes of the trace."},
    REPLAY_ROWS(config_trace),
    {0},
};

static const struct param duration_params[] = {
    {PARAM_CHOICE, "distribution", FIELD(config_duration, distribution),
     .choices = job_distributions,
     .help = "exponential (mean_s), pareto (scale_s, shape, upper_s), lognormal (median_s, sigma), "
             "weibull (scale_s, shape), lognormal_pareto (median_s, sigma, tail_*, upper_s)."},
    {PARAM_TIME, "mean_s", FIELD(config_duration, mean_ns), "s", 0, 4e9, 0,
     .help = "Mean (exponential)."},
    {PARAM_TIME, "scale_s", FIELD(config_duration, scale_ns), "s", 0, 4e9, 0,
     .help = "Smallest value of a Pareto, scale of a Weibull."},
    {PARAM_TIME, "median_s", FIELD(config_duration, median_ns), "s", 0, 4e9, 0,
     .help = "Median of the lognormal, before its tail is cut off."},
    {PARAM_REAL, "sigma", FIELD(config_duration, sigma), NULL, 0, 100, 0,
     .help = "Standard deviation of the logarithm (lognormal)."},
    {PARAM_REAL, "shape", FIELD(config_duration, shape), NULL, 0, 1e6, 0,
     .help = "Shape of a Pareto or a Weibull."},
    {PARAM_TIME, "tail_from_s", FIELD(config_duration, tail_from_ns), "s", 0, 4e9, 0,
     .help = "Where the Pareto tail begins (lognormal_pareto)."},
    {PARAM_REAL, "tail_shape", FIELD(config_duration, tail_shape), NULL, 0, 1e6, 0,
     .help = "Shape of the tail."},
    {PARAM_REAL, "tail_fraction", FIELD(config_duration, tail_fraction), NULL, 0, 1, 0,
     .help = "Share of the jobs in the tail."},
    {PARAM_TIME, "upper_s", FIELD(config_duration, upper_ns), "s", 0, 4e9, 0,
     .help = "Where a Pareto or the tail is cut off; 0: nowhere."},
    {0},
};

#define JOB_CLASS_ROWS                                                                             \
    {PARAM_OBJECT,                                                                                 \
     "duration",                                                                                   \
     FIELD(config_job_class, duration),                                                            \
     .sub = duration_params,                                                                       \
     .sub_size = sizeof(struct config_duration),                                                   \
     .help = "How long a job runs."},                                                              \
    {                                                                                              \
        PARAM_STRING, "gpus", FIELD(config_job_class, gpus),                                       \
            .text = "1", .help = "GPUs that a job asks for, with their weights: \"1:0.9,8:0.1\"."  \
    }

static const struct param latency_jobs_params[] = {
    {PARAM_REAL, "fraction", FIELD(config_job_class, fraction), NULL, 0, 1, 0.5,
     .help = "Share of latency jobs; the rest is batch."},
    JOB_CLASS_ROWS,
    {0},
};

static const struct param batch_jobs_params[] = {JOB_CLASS_ROWS, {0}};

static const struct param jobs_params[] = {
    {PARAM_INT, "jobs", FIELD(config_jobs, jobs), "jobs", 2, 1e7, .required = true,
     .help = "How many jobs are drawn."},
    {PARAM_OBJECT, "arrivals", FIELD(config_jobs, arrivals), .sub = arrivals_params,
     .sub_size = sizeof(struct config_arrivals), .required = true, .help = "Of the jobs."},
    {PARAM_OBJECT, "latency", FIELD(config_jobs, latency), .sub = latency_jobs_params,
     .sub_size = sizeof(struct config_job_class), .help = "Latency jobs."},
    {PARAM_OBJECT, "batch", FIELD(config_jobs, batch), .sub = batch_jobs_params,
     .sub_size = sizeof(struct config_job_class), .help = "Batch jobs."},
    REPLAY_ROWS(config_jobs),
    {0},
};

static const struct param colocated_params[] = {
    {PARAM_STRING, "services", FIELD(config_colocated, services), .required = true,
     .help = "Latency applications, separated by commas."},
    {PARAM_STRING, "batch", FIELD(config_colocated, batch), .text = "",
     .help = "Batch applications to draw from, separated by commas."},
    {PARAM_STRING, "service_input", FIELD(config_colocated, service_input), .text = "default",
     .help = "Inputs of the services' requests, as input of services."},
    {PARAM_STRING, "batch_input", FIELD(config_colocated, batch_input), .text = "default",
     .help = "Inputs of the batch applications' requests, likewise."},
    {PARAM_INT, "batch_per_domain", FIELD(config_colocated, batch_per_domain), .low = 0,
     .high = 1000, .number = 3,
     .help = "Different batch applications beside the service in each domain."},
    {PARAM_INT, "batch_clients", FIELD(config_colocated, batch_clients), .low = 1, .high = 10000,
     .number = 1, .help = "Clients, without think time, of each of them: instances that run."},
    {PARAM_CHOICE, "placement", FIELD(config_colocated, placement), .choices = placements,
     .help = "Which batch applications meet which service. random: as drawn. hungarian: what was "
             "drawn for all domains, dealt out so that the sum of placement_values is highest "
             "(batch_per_domain 1)."},
    {PARAM_STRING, "placement_values", FIELD(config_colocated, placement_values), .text = "",
     .help =
         "What a domain of each pair is worth, as SERVICE+BATCH=VALUE,...: the batch throughput "
         "that was measured of it, say."},
    {PARAM_INT, "clients", FIELD(config_colocated, clients), .low = 0, .high = 10000, .number = 0,
     .help = "Above 0: in place of Poisson arrivals so many clients of the service in each domain, "
             "each with one request at a time and no think time."},
    {PARAM_INT, "domains_per_service", FIELD(config_colocated, domains_per_service), .low = 1,
     .high = 100000, .number = 100,
     .help = "Consecutive domains that each service gets, in the order of the list; further "
             "elements of colocated go on after them."},
    {PARAM_TIME, "sla_ms", FIELD(config_colocated, sla_ns), "ms", 0, 1e12, 0,
     .help = "SLA of all services; 0: the application's."},
    {PARAM_REAL, "sla_factor", FIELD(config_colocated, sla_factor), NULL, 0, 1e6, 0,
     .help = SLA_FACTOR_HELP},
    {PARAM_REAL, "fraction_of_peak", FIELD(config_colocated, fraction_of_peak), NULL, 0, 10, 0,
     .help = "Poisson rate in each domain as a share of the peak rate of its devices: the highest "
             "at which the service alone on a device of the first profile meets its SLA."},
    {PARAM_REAL, "peak_quantile", FIELD(config_colocated, peak_quantile), NULL, 0.5, 0.9999, 0.99,
     .help = PEAK_QUANTILE_HELP},
    {0},
};

static const struct param workload_params[] = {
    {PARAM_LIST, "services", FIELD(config_workload, services), .sub = service_params,
     .sub_size = sizeof(struct config_service), .help = "Open-loop services."},
    {PARAM_LIST, "batch", FIELD(config_workload, batch), .sub = batch_params,
     .sub_size = sizeof(struct config_batch), .help = "Closed-loop applications."},
    {PARAM_LIST, "trem", FIELD(config_workload, trem), .sub = trem_params,
     .sub_size = sizeof(struct config_trem),
     .help = "Jobs by TReM's generator (section V-B); each element is drawn on its own."},
    {PARAM_LIST, "trace", FIELD(config_workload, trace), .sub = trace_params,
     .sub_size = sizeof(struct config_trace), .help = "Replay of imported traces."},
    {PARAM_LIST, "jobs", FIELD(config_workload, jobs), .sub = jobs_params,
     .sub_size = sizeof(struct config_jobs),
     .help = "Jobs drawn from distributions, as dcsim trace fit writes them."},
    {PARAM_LIST, "colocated", FIELD(config_workload, colocated), .sub = colocated_params,
     .sub_size = sizeof(struct config_colocated),
     .help = "Services beside batch applications, each on domains of its own (C-Laius, section "
             "9.7)."},
    {0},
};

static const struct param outputs_params[] = {
    {PARAM_STRING, "database", FIELD(config_outputs, database), .text = "",
     .help = "SQLite database for the results, relative to the working folder; empty: none."},
    {PARAM_BOOL, "requests", FIELD(config_outputs, requests), .help = "A row for each request."},
    {PARAM_BOOL, "decisions", FIELD(config_outputs, decisions),
     .help = "A row for each reason that the policy gives for what it does (c-laius gives some)."},
    {PARAM_BOOL, "launches", FIELD(config_outputs, launches),
     .help = "Two rows for each kernel on a shared GPU: it begins, with how many SMs, and ends."},
    {PARAM_BOOL, "jobs", FIELD(config_outputs, jobs), .number = 1,
     .help = "A row for each job, of requests or whole."},
    {PARAM_TIME, "interval_s", FIELD(config_outputs, interval_ns), "s", 0, 1e9, 0,
     .help =
         "Above 0: arrivals, the share within the SLA, the queue and what is in use are kept by "
         "parts of a run of this length, for which hour breaks it."},
    {0},
};

static const struct param until_params[] = {
    {PARAM_STRING, "metric", FIELD(config_until, metric), .text = "",
     .help = "Replications are added until this metric is known: \"latency.sla_met\", "
             "\"utilisation\", \"APPLICATION.response_p99\"; empty: none are added."},
    {PARAM_REAL, "half_width", FIELD(config_until, half_width), NULL, 0, 1e18, 0,
     .help =
         "Known means that half of its 95 % interval is at most this, in its unit (shares: 0 to "
         "1, times: ns) ..."},
    {PARAM_REAL, "relative", FIELD(config_until, relative), NULL, 0, 1, 0,
     .help = "... or at most this share of its value."},
    {PARAM_INT, "batch", FIELD(config_until, batch), "runs", 1, 1e6, 10,
     .help = "So many are added at a time, after the first \"replications\"."},
    {PARAM_INT, "max_replications", FIELD(config_until, max_replications), "runs", 1, 1e6, 1000,
     .help = "No more than so many in all."},
    {0},
};

#define ROOT(section) .offset = offsetof(struct config, section)

const struct param config_root_params[] = {
    {PARAM_STRING, "name", ROOT(name), .text = "", .help = "Of the experiment."},
    {PARAM_STRING, "description", ROOT(description), .text = "", .help = "What it shows."},
    {PARAM_INT, "seed", ROOT(seed), NULL, 0, 9.2e18, 1,
     .help = "All random numbers follow from it and the replication."},
    {PARAM_INT, "replications", ROOT(replications), "runs", 1, 1e6, 1,
     .help = "Independent runs; intervals need at least two."},
    {PARAM_OBJECT, "until", ROOT(until), .sub = until_params,
     .sub_size = sizeof(struct config_until),
     .help = "Replications beyond these, until a metric is known well enough."},
    {PARAM_STRING, "profile", ROOT(profile), .text = "quadro-p1000",
     .help =
         "Calibration of the devices: a shipped profile's name, or a file (.db, .sql, .sql.gz)."},
    {PARAM_OBJECT, "cluster", ROOT(cluster), .sub = cluster_params,
     .sub_size = sizeof(struct config_cluster), .help = "The devices."},
    {PARAM_OBJECT, "sharing", ROOT(sharing), .sub = config_sharing_params,
     .sub_size = sizeof(struct config_sharing), .help = "Whether kernels share a device."},
    {PARAM_OBJECT, "fusion", ROOT(fusion), .sub = config_fusion_params,
     .sub_size = sizeof(struct config_fusion),
     .help = "Kernels of two requests in one launch (sharing.model spatial)."},
    {PARAM_OBJECT, "revocation", ROOT(revocation), .sub = config_revocation_params,
     .sub_size = sizeof(struct config_revocation), .help = "What stopping a kernel costs."},
    {PARAM_OBJECT, "checkpoint", ROOT(checkpoint), .sub = checkpoint_params,
     .sub_size = sizeof(struct config_checkpoint), .help = "Bounds the work that is lost."},
    {PARAM_CHOICE, "predictor", ROOT(predictor), .choices = config_predictors,
     .help =
         "What policies are told: the mean, the truth (a bound, marked in the results), or what "
         "predictors say that dcsim train has made of the profile (spatial: linear, knn, cart, "
         "net; "
         "cpu: linear, net, sgd, knn5, svm, or for each service the best of these)."},
    {PARAM_CHOICE, "slowdowns", ROOT(slowdowns), .choices = slowdowns,
     .help = "Who says how much kernels that ran were slowed by fewer SMs and by what ran beside "
             "them (sharing.model spatial): nobody; what dcsim train has made of the profile (the "
             "network of Themis, and GPM), in the file of key predictors; or the same network with "
             "random weights, a control that knows nothing. Asked by asm-gpm-psp, and by "
             "policy.slowdowns \"network\"."},
    {PARAM_STRING, "predictors", ROOT(predictors), .text = "",
     .help = "File of the trained predictors, if they are asked; it must have been made of the "
             "profile as it is. Empty: PROFILE.predictors.db beside the profile's file, in the "
             "current folder for one that was found by its name."},
    {PARAM_OBJECT, "scheduler", ROOT(scheduler), .sub = scheduler_params,
     .sub_size = sizeof(struct config_scheduler), .help = "What deciding costs."},
    {PARAM_OBJECT, "horizon", ROOT(horizon), .sub = horizon_params,
     .sub_size = sizeof(struct config_horizon), .help = "When measuring begins and ends."},
    {PARAM_CHOICE, "interval", ROOT(interval), .choices = intervals,
     .help = "Over replications: mean with Student t, or median with bootstrap; auto: the median "
             "where durations have infinite variance (Pareto shape <= 2, unless trem fixes both "
             "numbers "
             "of tasks)."},
    {PARAM_LIST, "applications", ROOT(applications), .sub = config_application_params,
     .sub_size = sizeof(struct config_application),
     .help = "Synthetic applications beside the profile's."},
    {PARAM_LIST, "divisible", ROOT(divisible), .sub = config_divisible_params,
     .sub_size = sizeof(struct config_divisible),
     .help = "Programs of the profile's divisible work at other sizes than the largest."},
    {PARAM_LIST, "resident", ROOT(resident), .sub = config_resident_params,
     .sub_size = sizeof(struct config_resident),
     .help = "Kernels inside SMs that take another time than 1 ms alone, or have a goal."},
    {PARAM_OBJECT, "workload", ROOT(workload), .sub = workload_params,
     .sub_size = sizeof(struct config_workload), .required = true,
     .help = "What asks for service."},
    {PARAM_OBJECT, "fairness", ROOT(fairness), .sub = config_fairness_params,
     .sub_size = sizeof(struct config_fairness), .help = "What each application is meant to have."},
    {PARAM_OBJECT, "outputs", ROOT(outputs), .sub = outputs_params,
     .sub_size = sizeof(struct config_outputs), .help = "What is written."},
    {0},
};
