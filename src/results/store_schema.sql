-- Tables and views of the results database; docs/results.md explains them. Comments inside of a
-- statement stay in the database, for .schema.
--
-- Every key is content: experiment.id comes from the experiment's hash, not from a counter, and the
-- tables below have no hidden row number. So what a database holds does not depend on the order in
-- which runs were added. Times are in ns in tables and in ms in views. NULL: there is no such number.
--
-- Every table of a run refers to it, so that deleting an experiment or a run deletes all of it.

-- ---- What was run ----

CREATE TABLE experiment (
  id INTEGER PRIMARY KEY, -- the first 11 hex digits of hash, as a number
  hash TEXT NOT NULL UNIQUE, -- SHA-256 of config_hash and the files in table input
  name TEXT NOT NULL, -- name, description and config: as of the latest run
  description TEXT NOT NULL,
  config TEXT NOT NULL, -- canonical JSON, all defaults filled in
  config_hash TEXT NOT NULL, -- SHA-256 of the part that can change results
  policy TEXT NOT NULL,
  seed INTEGER NOT NULL,
  devices INTEGER NOT NULL,
  predictor TEXT NOT NULL,
  clairvoyant INTEGER NOT NULL CHECK (clairvoyant IN (0, 1)),
  steady INTEGER NOT NULL CHECK (steady IN (0, 1)), -- 1: it ends at a horizon
  interval_kind TEXT NOT NULL CHECK (interval_kind IN ('mean', 'median'))
);

CREATE TABLE input (
  experiment INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('profile', 'predictors', 'trace', 'plugin')),
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL, -- of the file's bytes
  missing TEXT, -- of a partial profile: which measurements it lacks
  falls_back TEXT, -- of shared devices: what is not known, and what stands in for it
  PRIMARY KEY (experiment, kind, position)
) WITHOUT ROWID;

CREATE TABLE domain (
  experiment INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
  domain INTEGER NOT NULL,
  profile INTEGER NOT NULL, -- position in input, kind 'profile'
  devices INTEGER NOT NULL,
  PRIMARY KEY (experiment, domain)
) WITHOUT ROWID;

CREATE TABLE application (
  experiment INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
  app INTEGER NOT NULL,
  name TEXT NOT NULL,
  class TEXT CHECK (class IN ('latency', 'batch')) NOT NULL,
  sla_ns INTEGER, -- its own; the workload may set another
  workload_sla_ns INTEGER, -- of all its requests here; NULL: none, or not one for all
  PRIMARY KEY (experiment, app)
) WITHOUT ROWID;

CREATE TABLE service (
  experiment INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
  service INTEGER NOT NULL, -- place in workload.services, then in those of colocated
  app INTEGER NOT NULL,
  colocated INTEGER, -- place in workload.colocated; NULL: one of workload.services
  first_domain INTEGER NOT NULL, -- the domains that serve it
  domains INTEGER NOT NULL,
  devices INTEGER NOT NULL, -- that these have
  solo_ns INTEGER NOT NULL, -- mean of a request alone on a whole device of the first profile
  sla_ns INTEGER,
  peak_quantile REAL, -- NULL, as peak_per_s: the rate was given
  peak_per_s REAL, -- of one device
  rate_per_s REAL, -- of all its jobs together, in the mean
  PRIMARY KEY (experiment, service)
) WITHOUT ROWID;

CREATE TABLE trace_count (
  experiment INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
  trace INTEGER NOT NULL, -- position in input, kind 'trace'
  position INTEGER NOT NULL,
  what TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (experiment, trace, position)
) WITHOUT ROWID;

-- ---- What a run gave ----

CREATE TABLE run (
  experiment INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
  replication INTEGER NOT NULL,
  build TEXT NOT NULL, -- version and commit of the program
  window_from_ns INTEGER NOT NULL,
  window_to_ns INTEGER NOT NULL,
  first_arrival_ns INTEGER,
  last_completion_ns INTEGER,
  requests INTEGER NOT NULL, -- this and the counts below: of the whole run
  launches INTEGER NOT NULL,
  revocations INTEGER NOT NULL,
  returned INTEGER NOT NULL, -- to the router
  stranded INTEGER NOT NULL, -- left waiting with nothing to come
  events INTEGER NOT NULL,
  PRIMARY KEY (experiment, replication)
) WITHOUT ROWID;

CREATE TABLE metric (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  position INTEGER NOT NULL,
  app INTEGER, -- of one application, or
  class TEXT CHECK (class IN ('latency', 'batch')), -- of all applications of a class, or of the whole run
  name TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL,
  n INTEGER NOT NULL, -- what value was computed from
  PRIMARY KEY (experiment, replication, position),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE device_usage (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  device INTEGER NOT NULL,
  domain INTEGER NOT NULL,
  busy_ns INTEGER NOT NULL, -- = useful + lost + overhead, inside the window
  useful_ns INTEGER NOT NULL,
  lost_ns INTEGER NOT NULL,
  overhead_ns INTEGER NOT NULL,
  PRIMARY KEY (experiment, replication, device),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE response (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  app INTEGER NOT NULL,
  count INTEGER NOT NULL,
  sum_ns TEXT NOT NULL, -- decimal, exact; may pass 64 bits
  min_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  PRIMARY KEY (experiment, replication, app),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE histogram (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  app INTEGER NOT NULL,
  low_ns INTEGER NOT NULL, -- low_ns <= response < high_ns
  high_ns INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (experiment, replication, app, low_ns),
  FOREIGN KEY (experiment, replication, app)
    REFERENCES response (experiment, replication, app) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE replay (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  trace INTEGER NOT NULL, -- place in workload.trace, then in workload.jobs
  jobs INTEGER NOT NULL,
  thinned INTEGER NOT NULL, -- jobs that keep left out
  requests INTEGER NOT NULL,
  clients INTEGER NOT NULL,
  rounded_up INTEGER NOT NULL, -- jobs of less than half a request, given one
  work_ns REAL, -- offered by the requests
  trace_work_ns REAL, -- in the trace, durations compressed
  time_compression REAL,
  offered REAL, -- load: work between first and last arrival, if none waits, over capacity
  span_ns INTEGER NOT NULL, -- from the first to the last arrival
  PRIMARY KEY (experiment, replication, trace),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE job (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  job INTEGER NOT NULL,
  app INTEGER NOT NULL,
  issued INTEGER NOT NULL, -- requests
  completed INTEGER NOT NULL,
  dropped INTEGER NOT NULL,
  begin_ns INTEGER NOT NULL,
  end_ns INTEGER, -- last completion; NULL: it did not end
  domain INTEGER, -- that all its requests went to; NULL: any
  sla_ns INTEGER,
  within_sla INTEGER, -- this and the rest: of requests that arrived in the window
  violations INTEGER,
  p99_ns INTEGER, -- response time; NULL: none completed, no SLA, or not kept
  PRIMARY KEY (experiment, replication, job),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE request (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  job INTEGER NOT NULL,
  number INTEGER NOT NULL, -- within the job
  app INTEGER NOT NULL,
  domain INTEGER, -- NULL: dropped before it was sent to one
  device INTEGER, -- of its latest launch; NULL: never launched in this domain
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'dropped', 'inside')),
  arrival_ns INTEGER NOT NULL,
  start_ns INTEGER, -- its latest launch
  end_ns INTEGER, -- completion or drop
  deadline_ns INTEGER,
  revocations INTEGER NOT NULL,
  size INTEGER, -- of its input, in the application's unit; NULL: the default
  PRIMARY KEY (experiment, replication, job, number),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE decision (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  position INTEGER NOT NULL, -- in the order in which they were said
  at_ns INTEGER NOT NULL,
  domain INTEGER NOT NULL,
  job INTEGER NOT NULL, -- job, number: of the request
  number INTEGER NOT NULL,
  app INTEGER NOT NULL,
  kernel INTEGER NOT NULL, -- its current one then
  what TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (experiment, replication, position),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE wall ( -- the one table that differs from one execution to the next
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  seconds REAL,
  PRIMARY KEY (experiment, replication),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

-- ---- All runs of an experiment together ----

CREATE TABLE summary (
  experiment INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  app INTEGER, -- as in metric
  class TEXT CHECK (class IN ('latency', 'batch')),
  name TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL,
  low REAL, -- low, high: 95 % interval over replications; NULL for n < 2
  high REAL,
  n INTEGER NOT NULL, -- replications with a value
  requests INTEGER NOT NULL, -- sum of metric.n
  median INTEGER NOT NULL CHECK (median IN (0, 1)), -- 1: median, bootstrap interval
  PRIMARY KEY (experiment, position)
) WITHOUT ROWID;

-- ---- Views ----

-- A number of the summary is three columns: its value and the ends of its interval. The rows that a
-- group has are those of one experiment, or of one application or class of it.

CREATE VIEW class_summary AS
SELECT e.id AS experiment, e.name, e.policy, s.class,
  (SELECT count(*) FROM run r WHERE r.experiment = e.id) AS replications,
  max(CASE WHEN s.name = 'requests' THEN s.requests END) AS requests,
  max(CASE WHEN s.name = 'sla_met' THEN s.value END) AS sla_met,
  max(CASE WHEN s.name = 'sla_met' THEN s.low END) AS sla_met_low,
  max(CASE WHEN s.name = 'sla_met' THEN s.high END) AS sla_met_high,
  max(CASE WHEN s.name = 'response_mean' THEN s.value END) / 1e6 AS mean_ms,
  max(CASE WHEN s.name = 'response_mean' THEN s.low END) / 1e6 AS mean_ms_low,
  max(CASE WHEN s.name = 'response_mean' THEN s.high END) / 1e6 AS mean_ms_high,
  max(CASE WHEN s.name = 'response_p50' THEN s.value END) / 1e6 AS p50_ms,
  max(CASE WHEN s.name = 'response_p50' THEN s.low END) / 1e6 AS p50_ms_low,
  max(CASE WHEN s.name = 'response_p50' THEN s.high END) / 1e6 AS p50_ms_high,
  max(CASE WHEN s.name = 'response_p95' THEN s.value END) / 1e6 AS p95_ms,
  max(CASE WHEN s.name = 'response_p95' THEN s.low END) / 1e6 AS p95_ms_low,
  max(CASE WHEN s.name = 'response_p95' THEN s.high END) / 1e6 AS p95_ms_high,
  max(CASE WHEN s.name = 'response_p99' THEN s.value END) / 1e6 AS p99_ms,
  max(CASE WHEN s.name = 'response_p99' THEN s.low END) / 1e6 AS p99_ms_low,
  max(CASE WHEN s.name = 'response_p99' THEN s.high END) / 1e6 AS p99_ms_high,
  max(CASE WHEN s.name = 'throughput' THEN s.value END) AS throughput,
  max(CASE WHEN s.name = 'throughput' THEN s.low END) AS throughput_low,
  max(CASE WHEN s.name = 'throughput' THEN s.high END) AS throughput_high,
  max(CASE WHEN s.name = 'revocations' THEN s.value END) AS revocations,
  max(CASE WHEN s.name = 'revocations' THEN s.low END) AS revocations_low,
  max(CASE WHEN s.name = 'revocations' THEN s.high END) AS revocations_high,
  max(CASE WHEN s.name = 'jobs' THEN s.value END) AS jobs,
  max(CASE WHEN s.name = 'jobs' THEN s.low END) AS jobs_low,
  max(CASE WHEN s.name = 'jobs' THEN s.high END) AS jobs_high,
  max(CASE WHEN s.name = 'job_time_p50' THEN s.value END) / 1e6 AS job_p50_ms,
  max(CASE WHEN s.name = 'job_time_p50' THEN s.low END) / 1e6 AS job_p50_ms_low,
  max(CASE WHEN s.name = 'job_time_p50' THEN s.high END) / 1e6 AS job_p50_ms_high,
  max(CASE WHEN s.name = 'job_time_p90' THEN s.value END) / 1e6 AS job_p90_ms,
  max(CASE WHEN s.name = 'job_time_p90' THEN s.low END) / 1e6 AS job_p90_ms_low,
  max(CASE WHEN s.name = 'job_time_p90' THEN s.high END) / 1e6 AS job_p90_ms_high,
  max(CASE WHEN s.name = 'job_time_p99' THEN s.value END) / 1e6 AS job_p99_ms,
  max(CASE WHEN s.name = 'job_time_p99' THEN s.low END) / 1e6 AS job_p99_ms_low,
  max(CASE WHEN s.name = 'job_time_p99' THEN s.high END) / 1e6 AS job_p99_ms_high
FROM experiment e JOIN summary s ON s.experiment = e.id AND s.class IS NOT NULL
GROUP BY e.id, s.class;

CREATE VIEW application_summary AS
SELECT e.id AS experiment, e.name, e.policy, a.app, a.name AS application, a.class,
  (SELECT count(*) FROM run r WHERE r.experiment = e.id) AS replications,
  max(CASE WHEN s.name = 'requests' THEN s.requests END) AS requests,
  max(CASE WHEN s.name = 'sla_met' THEN s.value END) AS sla_met,
  max(CASE WHEN s.name = 'sla_met' THEN s.low END) AS sla_met_low,
  max(CASE WHEN s.name = 'sla_met' THEN s.high END) AS sla_met_high,
  max(CASE WHEN s.name = 'response_mean' THEN s.value END) / 1e6 AS mean_ms,
  max(CASE WHEN s.name = 'response_mean' THEN s.low END) / 1e6 AS mean_ms_low,
  max(CASE WHEN s.name = 'response_mean' THEN s.high END) / 1e6 AS mean_ms_high,
  max(CASE WHEN s.name = 'response_p50' THEN s.value END) / 1e6 AS p50_ms,
  max(CASE WHEN s.name = 'response_p50' THEN s.low END) / 1e6 AS p50_ms_low,
  max(CASE WHEN s.name = 'response_p50' THEN s.high END) / 1e6 AS p50_ms_high,
  max(CASE WHEN s.name = 'response_p95' THEN s.value END) / 1e6 AS p95_ms,
  max(CASE WHEN s.name = 'response_p95' THEN s.low END) / 1e6 AS p95_ms_low,
  max(CASE WHEN s.name = 'response_p95' THEN s.high END) / 1e6 AS p95_ms_high,
  max(CASE WHEN s.name = 'response_p99' THEN s.value END) / 1e6 AS p99_ms,
  max(CASE WHEN s.name = 'response_p99' THEN s.low END) / 1e6 AS p99_ms_low,
  max(CASE WHEN s.name = 'response_p99' THEN s.high END) / 1e6 AS p99_ms_high,
  max(CASE WHEN s.name = 'throughput' THEN s.value END) AS throughput,
  max(CASE WHEN s.name = 'throughput' THEN s.low END) AS throughput_low,
  max(CASE WHEN s.name = 'throughput' THEN s.high END) AS throughput_high,
  max(CASE WHEN s.name = 'revocations' THEN s.value END) AS revocations,
  max(CASE WHEN s.name = 'revocations' THEN s.low END) AS revocations_low,
  max(CASE WHEN s.name = 'revocations' THEN s.high END) AS revocations_high
FROM experiment e JOIN application a ON a.experiment = e.id
  LEFT JOIN summary s ON s.experiment = e.id AND s.app = a.app
GROUP BY e.id, a.app;

CREATE VIEW sla_verdict AS
SELECT experiment, name, policy, app, application, sla_ns / 1e6 AS sla_ms, p99_ns / 1e6 AS p99_ms,
  p99_ns_low / 1e6 AS p99_ms_low, p99_ns_high / 1e6 AS p99_ms_high,
  sla_met, sla_met_low, sla_met_high,
  CASE WHEN sla_met_low >= 0.99 THEN 'meets'
    WHEN sla_ns < solo_ns THEN 'infeasible'
    WHEN sla_met_high < 0.99 THEN 'violates'
    WHEN sla_met_high IS NULL AND sla_met <= 0.6 THEN 'violates'
    ELSE 'undecided' END AS verdict
FROM (SELECT e.id AS experiment, e.name, e.policy, a.app, a.name AS application,
  (SELECT min(v.solo_ns) FROM service v WHERE v.experiment = e.id AND v.app = a.app) AS solo_ns,
  a.workload_sla_ns AS sla_ns,
  max(CASE WHEN s.name = 'response_p99' THEN s.value END) AS p99_ns,
  max(CASE WHEN s.name = 'response_p99' THEN s.low END) AS p99_ns_low,
  max(CASE WHEN s.name = 'response_p99' THEN s.high END) AS p99_ns_high,
  max(CASE WHEN s.name = 'sla_met' THEN s.value END) AS sla_met,
  max(CASE WHEN s.name = 'sla_met' THEN s.low END) AS sla_met_low,
  max(CASE WHEN s.name = 'sla_met' THEN s.high END) AS sla_met_high
FROM experiment e JOIN application a ON a.experiment = e.id
  LEFT JOIN summary s ON s.experiment = e.id AND s.app = a.app
WHERE a.workload_sla_ns IS NOT NULL GROUP BY e.id, a.app);
