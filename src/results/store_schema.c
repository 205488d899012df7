/*
 * store_schema.c - tables and views of the results database; docs/results.md explains them.
 *
 * Every key is content: experiment.id comes from the experiment's hash, not from a counter, and the
 * tables below have no hidden row number. So what a database holds does not depend on the order in
 * which runs were added. Times are in ns in tables and in ms in views. NULL: there is no such
 * number.
 */
#include "results/store_schema.h"

/* Every table of a run refers to it, so that deleting an experiment or a run deletes all of it. */
#define OF_RUN                                                                                     \
    "  experiment INTEGER NOT NULL,\n"                                                             \
    "  replication INTEGER NOT NULL,\n"
#define TO_RUN                                                                                     \
    "  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)\n"           \
    "    ON DELETE CASCADE\n"                                                                      \
    ") WITHOUT ROWID;\n"
#define OF_EXPERIMENT                                                                              \
    "  experiment INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,\n"

#define CLASS "TEXT CHECK (class IN ('latency', 'batch'))"

/* One number of the summary, and the same with its interval, as columns of a view. The rows that a
 * group has are those of one experiment, or of one application or class of it. */
#define PICK(column, name, scale, as)                                                              \
    ",\n  max(CASE WHEN " name " THEN s." column " END)" scale " AS " as
#define PICK_INTERVAL(name, scale, as)                                                             \
    PICK("value", name, scale, as)                                                                 \
    PICK("low", name, scale, as "_low") PICK("high", name, scale, as "_high")
#define PICK_ALL(name)                                                                             \
    PICK_INTERVAL("s.name = '" name "' AND s.app IS NULL AND s.class IS NULL", "", name)
#define PICK_LATENCY(name) PICK_INTERVAL("s.name = '" name "' AND s.class = 'latency'", "", name)
#define PICK_MS(name, as)  PICK_INTERVAL("s.name = '" name "'", " / 1e6", as)
#define PICK_GROUP(name)   PICK_INTERVAL("s.name = '" name "'", "", name)

#define REPLICATIONS "  (SELECT count(*) FROM run r WHERE r.experiment = e.id) AS replications"

/* What is said of an application and of a class alike. */
#define REQUEST_COLUMNS                                                                            \
    PICK("requests", "s.name = 'requests'", "", "requests")                                        \
    PICK_GROUP("sla_met")                                                                          \
    PICK_MS("response_mean", "mean_ms")                                                            \
    PICK_MS("response_p50", "p50_ms")                                                              \
    PICK_MS("response_p95", "p95_ms")                                                              \
    PICK_MS("response_p99", "p99_ms")                                                              \
    PICK_GROUP("throughput") PICK_GROUP("revocations")

/* clang-format off: one line of SQL in each line. */
const char store_schema_sql[] =
    /* What was run. */
    "CREATE TABLE experiment (\n"
    "  id INTEGER PRIMARY KEY, -- the first 11 hex digits of hash, as a number\n"
    "  hash TEXT NOT NULL UNIQUE, -- SHA-256 of config_hash and the files in table input\n"
    "  name TEXT NOT NULL, -- name, description and config: as of the latest run\n"
    "  description TEXT NOT NULL,\n"
    "  config TEXT NOT NULL, -- canonical JSON, all defaults filled in\n"
    "  config_hash TEXT NOT NULL, -- SHA-256 of the part that can change results\n"
    "  policy TEXT NOT NULL,\n"
    "  seed INTEGER NOT NULL,\n"
    "  devices INTEGER NOT NULL,\n"
    "  predictor TEXT NOT NULL,\n"
    "  clairvoyant INTEGER NOT NULL CHECK (clairvoyant IN (0, 1)),\n"
    "  steady INTEGER NOT NULL CHECK (steady IN (0, 1)), -- 1: it ends at a horizon\n"
    "  interval_kind TEXT NOT NULL CHECK (interval_kind IN ('mean', 'median'))\n"
    ");\n"
    "CREATE TABLE input (\n" OF_EXPERIMENT
    "  kind TEXT NOT NULL CHECK (kind IN ('profile', 'predictors', 'trace', 'plugin')),\n"
    "  position INTEGER NOT NULL,\n"
    "  name TEXT NOT NULL,\n"
    "  sha256 TEXT NOT NULL, -- of the file's bytes\n"
    "  missing TEXT, -- of a partial profile: which measurements it lacks\n"
    "  falls_back TEXT, -- of shared devices: what is not known, and what stands in for it\n"
    "  PRIMARY KEY (experiment, kind, position)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE domain (\n" OF_EXPERIMENT "  domain INTEGER NOT NULL,\n"
    "  profile INTEGER NOT NULL, -- position in input, kind 'profile'\n"
    "  devices INTEGER NOT NULL,\n"
    "  PRIMARY KEY (experiment, domain)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE application (\n" OF_EXPERIMENT "  app INTEGER NOT NULL,\n"
    "  name TEXT NOT NULL,\n"
    "  class " CLASS " NOT NULL,\n"
    "  sla_ns INTEGER, -- its own; the workload may set another\n"
    "  workload_sla_ns INTEGER, -- of all its requests here; NULL: none, or not one for all\n"
    "  PRIMARY KEY (experiment, app)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE service (\n" OF_EXPERIMENT
    "  service INTEGER NOT NULL, -- place in workload.services, then in those of colocated\n"
    "  app INTEGER NOT NULL,\n"
    "  colocated INTEGER, -- place in workload.colocated; NULL: one of workload.services\n"
    "  first_domain INTEGER NOT NULL, -- the domains that serve it\n"
    "  domains INTEGER NOT NULL,\n"
    "  devices INTEGER NOT NULL, -- that these have\n"
    "  solo_ns INTEGER NOT NULL, -- mean of a request alone on a whole device of the first "
    "profile\n"
    "  sla_ns INTEGER,\n"
    "  peak_quantile REAL, -- NULL, as peak_per_s: the rate was given\n"
    "  peak_per_s REAL, -- of one device\n"
    "  rate_per_s REAL, -- of all its jobs together, in the mean\n"
    "  PRIMARY KEY (experiment, service)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE trace_count (\n" OF_EXPERIMENT
    "  trace INTEGER NOT NULL, -- position in input, kind 'trace'\n"
    "  position INTEGER NOT NULL,\n"
    "  what TEXT NOT NULL,\n"
    "  count INTEGER NOT NULL,\n"
    "  PRIMARY KEY (experiment, trace, position)\n"
    ") WITHOUT ROWID;\n"
    /* What a run gave. */
    "CREATE TABLE run (\n" OF_EXPERIMENT "  replication INTEGER NOT NULL,\n"
    "  build TEXT NOT NULL, -- version and commit of the program\n"
    "  window_from_ns INTEGER NOT NULL,\n"
    "  window_to_ns INTEGER NOT NULL,\n"
    "  first_arrival_ns INTEGER,\n"
    "  last_completion_ns INTEGER,\n"
    "  requests INTEGER NOT NULL, -- this and the counts below: of the whole run\n"
    "  launches INTEGER NOT NULL,\n"
    "  revocations INTEGER NOT NULL,\n"
    "  returned INTEGER NOT NULL, -- to the router\n"
    "  stranded INTEGER NOT NULL, -- left waiting with nothing to come\n"
    "  events INTEGER NOT NULL,\n"
    "  PRIMARY KEY (experiment, replication)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE metric (\n" OF_RUN "  position INTEGER NOT NULL,\n"
    "  app INTEGER, -- of one application, or\n"
    "  class " CLASS ", -- of all applications of a class, or of the whole run\n"
    "  name TEXT NOT NULL,\n"
    "  unit TEXT NOT NULL,\n"
    "  value REAL,\n"
    "  n INTEGER NOT NULL, -- what value was computed from\n"
    "  PRIMARY KEY (experiment, replication, position),\n" TO_RUN
    "CREATE TABLE device_usage (\n" OF_RUN "  device INTEGER NOT NULL,\n"
    "  domain INTEGER NOT NULL,\n"
    "  busy_ns INTEGER NOT NULL, -- = useful + lost + overhead, inside the window\n"
    "  useful_ns INTEGER NOT NULL,\n"
    "  lost_ns INTEGER NOT NULL,\n"
    "  overhead_ns INTEGER NOT NULL,\n"
    "  PRIMARY KEY (experiment, replication, device),\n" TO_RUN "CREATE TABLE response (\n" OF_RUN
    "  app INTEGER NOT NULL,\n"
    "  count INTEGER NOT NULL,\n"
    "  sum_ns TEXT NOT NULL, -- decimal, exact; may pass 64 bits\n"
    "  min_ns INTEGER NOT NULL,\n"
    "  max_ns INTEGER NOT NULL,\n"
    "  PRIMARY KEY (experiment, replication, app),\n" TO_RUN "CREATE TABLE histogram (\n" OF_RUN
    "  app INTEGER NOT NULL,\n"
    "  low_ns INTEGER NOT NULL, -- low_ns <= response < high_ns\n"
    "  high_ns INTEGER NOT NULL,\n"
    "  count INTEGER NOT NULL,\n"
    "  PRIMARY KEY (experiment, replication, app, low_ns),\n"
    "  FOREIGN KEY (experiment, replication, app)\n"
    "    REFERENCES response (experiment, replication, app) ON DELETE CASCADE\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE replay (\n" OF_RUN
    "  trace INTEGER NOT NULL, -- place in workload.trace, then in workload.jobs\n"
    "  jobs INTEGER NOT NULL,\n"
    "  thinned INTEGER NOT NULL, -- jobs that keep left out\n"
    "  requests INTEGER NOT NULL,\n"
    "  clients INTEGER NOT NULL,\n"
    "  rounded_up INTEGER NOT NULL, -- jobs of less than half a request, given one\n"
    "  work_ns REAL, -- offered by the requests\n"
    "  trace_work_ns REAL, -- in the trace, durations compressed\n"
    "  time_compression REAL,\n"
    "  offered REAL, -- load: work between first and last arrival, if none waits, over capacity\n"
    "  span_ns INTEGER NOT NULL, -- from the first to the last arrival\n"
    "  PRIMARY KEY (experiment, replication, trace),\n" TO_RUN "CREATE TABLE job (\n" OF_RUN
    "  job INTEGER NOT NULL,\n"
    "  app INTEGER NOT NULL,\n"
    "  issued INTEGER NOT NULL, -- requests\n"
    "  completed INTEGER NOT NULL,\n"
    "  dropped INTEGER NOT NULL,\n"
    "  begin_ns INTEGER NOT NULL,\n"
    "  end_ns INTEGER, -- last completion; NULL: it did not end\n"
    "  domain INTEGER, -- that all its requests went to; NULL: any\n"
    "  sla_ns INTEGER,\n"
    "  within_sla INTEGER, -- this and the rest: of requests that arrived in the window\n"
    "  violations INTEGER,\n"
    "  p99_ns INTEGER, -- response time; NULL: none completed, no SLA, or not kept\n"
    "  PRIMARY KEY (experiment, replication, job),\n" TO_RUN "CREATE TABLE request (\n" OF_RUN
    "  job INTEGER NOT NULL,\n"
    "  number INTEGER NOT NULL, -- within the job\n"
    "  app INTEGER NOT NULL,\n"
    "  domain INTEGER, -- NULL: dropped before it was sent to one\n"
    "  device INTEGER, -- of its latest launch; NULL: never launched in this domain\n"
    "  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'dropped', 'inside')),\n"
    "  arrival_ns INTEGER NOT NULL,\n"
    "  start_ns INTEGER, -- its latest launch\n"
    "  end_ns INTEGER, -- completion or drop\n"
    "  deadline_ns INTEGER,\n"
    "  revocations INTEGER NOT NULL,\n"
    "  size INTEGER, -- of its input, in the application's unit; NULL: the default\n"
    "  PRIMARY KEY (experiment, replication, job, number),\n" TO_RUN
    "CREATE TABLE decision (\n" OF_RUN
    "  position INTEGER NOT NULL, -- in the order in which they were said\n"
    "  at_ns INTEGER NOT NULL,\n"
    "  domain INTEGER NOT NULL,\n"
    "  job INTEGER NOT NULL, -- job, number: of the request\n"
    "  number INTEGER NOT NULL,\n"
    "  app INTEGER NOT NULL,\n"
    "  kernel INTEGER NOT NULL, -- its current one then\n"
    "  what TEXT NOT NULL,\n"
    "  value INTEGER NOT NULL,\n"
    "  PRIMARY KEY (experiment, replication, position),\n" TO_RUN
    "CREATE TABLE wall ( -- the one table that differs from one execution to the next\n" OF_RUN
    "  seconds REAL,\n"
    "  PRIMARY KEY (experiment, replication),\n" TO_RUN
    /* All runs of an experiment together. */
    "CREATE TABLE summary (\n" OF_EXPERIMENT "  position INTEGER NOT NULL,\n"
    "  app INTEGER, -- as in metric\n"
    "  class " CLASS ",\n"
    "  name TEXT NOT NULL,\n"
    "  unit TEXT NOT NULL,\n"
    "  value REAL,\n"
    "  low REAL, -- low, high: 95 % interval over replications; NULL for n < 2\n"
    "  high REAL,\n"
    "  n INTEGER NOT NULL, -- replications with a value\n"
    "  requests INTEGER NOT NULL, -- sum of metric.n\n"
    "  median INTEGER NOT NULL CHECK (median IN (0, 1)), -- 1: median, bootstrap interval\n"
    "  PRIMARY KEY (experiment, position)\n"
    ") WITHOUT ROWID;\n"
    "CREATE VIEW headline AS\n"
    "SELECT e.id AS experiment, e.name, e.policy, e.seed, e.devices, e.clairvoyant,\n"
    "  e.interval_kind,\n" REPLICATIONS PICK_LATENCY("sla_met") PICK_ALL("utilisation")
        PICK_ALL("useful") PICK_ALL("lost_over_useful") PICK_ALL(
            "revocations") "\nFROM experiment e LEFT JOIN summary s ON s.experiment = e.id\n"
                           "GROUP BY e.id;\n"
                           "CREATE VIEW class_summary AS\n"
                           "SELECT e.id AS experiment, e.name, e.policy, s.class,\n" REPLICATIONS
                               REQUEST_COLUMNS PICK_GROUP("jobs") PICK_MS("job_time_p50",
                                                                          "job_p50_ms")
                                   PICK_MS("job_time_p90", "job_p90_ms") PICK_MS(
                                       "job_time_p99",
                                       "job_p99_ms") "\nFROM experiment e JOIN summary s ON "
                                                     "s.experiment = e.id AND s.class IS NOT NULL\n"
                                                     "GROUP BY e.id, s.class;\n"
                                                     "CREATE VIEW application_summary AS\n"
                                                     "SELECT e.id AS experiment, e.name, e.policy, "
                                                     "a.app, a.name AS application, "
                                                     "a.class,\n" REPLICATIONS REQUEST_COLUMNS
                                                     "\nFROM experiment e JOIN application a ON "
                                                     "a.experiment = e.id\n"
                                                     "  LEFT JOIN summary s ON s.experiment = e.id "
                                                     "AND s.app = a.app\n"
                                                     "GROUP BY e.id, a.app;\n"
                                                     "CREATE VIEW sla_verdict AS\n"
                                                     "SELECT experiment, name, policy, app, "
                                                     "application, sla_ns / 1e6 AS sla_ms, p99_ns "
                                                     "/ 1e6 AS p99_ms,\n"
                                                     "  p99_ns_low / 1e6 AS p99_ms_low, "
                                                     "p99_ns_high / 1e6 AS p99_ms_high,\n"
                                                     "  sla_met, sla_met_low, sla_met_high,\n"
                                                     "  CASE WHEN sla_met_low >= 0.99 THEN 'meets' "
                                                     "WHEN sla_ns < solo_ns THEN 'infeasible'\n"
                                                     "    WHEN sla_met_high < 0.99 THEN 'violates' "
                                                     "WHEN sla_met_high IS NULL AND sla_met <= 0.6 "
                                                     "THEN 'violates' "
                                                     "ELSE 'undecided' END AS verdict\n"
                                                     "FROM (SELECT e.id AS experiment, e.name, "
                                                     "e.policy, a.app, a.name AS application,\n"
                                                     "  (SELECT min(v.solo_ns) FROM service v "
                                                     "WHERE v.experiment = e.id AND v.app = a.app) "
                                                     "AS solo_ns,\n"
                                                     "  a.workload_sla_ns AS sla_ns" PICK_INTERVAL(
                                                         "s.name = 'response_p99'", "", "p99_ns")
                                                         PICK_GROUP(
                                                             "sla_met") "\nFROM experiment e JOIN "
                                                                        "application a ON "
                                                                        "a.experiment = e.id\n"
                                                                        "  LEFT JOIN summary s ON "
                                                                        "s.experiment = e.id AND "
                                                                        "s.app = a.app\n"
                                                                        "WHERE a.workload_sla_ns "
                                                                        "IS NOT NULL GROUP BY "
                                                                        "e.id, a.app);\n";
/* clang-format on */

const char store_sweep_sql[] =
    "CREATE TABLE sweep (\n"
    "  id INTEGER PRIMARY KEY, -- the first 11 hex digits of hash, as a number\n"
    "  hash TEXT NOT NULL UNIQUE, -- SHA-256 of the axes' keys and the points' configs\n"
    "  name TEXT NOT NULL, -- as of the latest run\n"
    "  points INTEGER NOT NULL -- that it has; table point has those that were run\n"
    ");\n"
    "CREATE TABLE axis (\n"
    "  sweep INTEGER NOT NULL REFERENCES sweep (id) ON DELETE CASCADE,\n"
    "  position INTEGER NOT NULL,\n"
    "  axis INTEGER NOT NULL, -- keys that move together have the same\n"
    "  key TEXT NOT NULL, -- its path in the config\n"
    "  PRIMARY KEY (sweep, position)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE point (\n"
    "  sweep INTEGER NOT NULL REFERENCES sweep (id) ON DELETE CASCADE,\n" OF_EXPERIMENT
    "  number INTEGER NOT NULL, -- two experiments share one if a file has changed between them\n"
    "  PRIMARY KEY (sweep, experiment)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE point_value (\n"
    "  sweep INTEGER NOT NULL,\n"
    "  experiment INTEGER NOT NULL,\n"
    "  position INTEGER NOT NULL, -- of the key in axis\n"
    "  value NOT NULL, -- a number, text, 0 or 1; an object or list: JSON\n"
    "  PRIMARY KEY (sweep, experiment, position),\n"
    "  FOREIGN KEY (sweep, experiment) REFERENCES point (sweep, experiment) ON DELETE CASCADE,\n"
    "  FOREIGN KEY (sweep, position) REFERENCES axis (sweep, position) ON DELETE CASCADE\n"
    ") WITHOUT ROWID;\n"
    "CREATE VIEW point_axis AS\n"
    "SELECT p.sweep, s.name AS sweep_name, p.number AS point, p.experiment, a.axis, a.key,\n"
    "  v.value\n"
    "FROM point p JOIN sweep s ON s.id = p.sweep\n"
    "  JOIN point_value v ON v.sweep = p.sweep AND v.experiment = p.experiment\n"
    "  JOIN axis a ON a.sweep = p.sweep AND a.position = v.position;\n";

const char store_late_sql[] =
    "CREATE TABLE late_time (\n" OF_RUN "  position INTEGER NOT NULL,\n"
    "  app INTEGER NOT NULL, -- whose requests missed their SLA\n"
    "  part TEXT NOT NULL, -- of their time\n"
    "  whom INTEGER, -- the application that is to blame; NULL: none is\n"
    "  ns INTEGER NOT NULL, -- all of them together\n"
    "  requests INTEGER NOT NULL, -- that have any of it\n"
    "  enough INTEGER NOT NULL, -- that would have met their SLA without\n"
    "  PRIMARY KEY (experiment, replication, position),\n" TO_RUN "CREATE VIEW late_summary AS\n"
    "SELECT e.id AS experiment, e.name, e.policy, l.app, a.name AS application, l.part,\n"
    "  w.name AS whom, count(DISTINCT l.replication) AS replications, sum(l.ns) / 1e6 AS ms,\n"
    "  1.0 * sum(l.ns) / sum(sum(l.ns)) OVER (PARTITION BY e.id, l.app) AS share,\n"
    "  sum(l.requests) AS requests, sum(l.enough) AS enough\n"
    "FROM late_time l JOIN experiment e ON e.id = l.experiment\n"
    "  JOIN application a ON a.experiment = l.experiment AND a.app = l.app\n"
    "  LEFT JOIN application w ON w.experiment = l.experiment AND w.app = l.whom\n"
    "GROUP BY e.id, l.app, l.part, l.whom;\n";
