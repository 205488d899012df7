-- Whole jobs. A database of schema 5 to 9 lacks them.

CREATE TABLE whole_job (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  job INTEGER NOT NULL, -- its id in table job of the imported trace
  submitted_ns INTEGER NOT NULL,
  started_ns INTEGER, -- first; NULL: not by the end of the run
  ended_ns INTEGER, -- NULL likewise
  duration_ns INTEGER NOT NULL, -- that it runs for
  gpus REAL NOT NULL, -- below 1: a share of one
  revocations INTEGER NOT NULL,
  node INTEGER, -- of the latest start: the first of its nodes, from 0 in the order of cluster.nodes
  nodes INTEGER, -- and how many
  model TEXT, -- of that node; NULL: it has none, or the job did not start
  name TEXT, -- that the log gives it; NULL: none, or not known. A database of schema 10 lacks it
  PRIMARY KEY (experiment, replication, job),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE whole_job_revoked (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  job INTEGER NOT NULL,
  from_ns INTEGER NOT NULL, -- a start
  to_ns INTEGER NOT NULL, -- and its revocation
  PRIMARY KEY (experiment, replication, job, to_ns),
  FOREIGN KEY (experiment, replication, job)
    REFERENCES whole_job (experiment, replication, job) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE bin_jobs ( -- beside bin_devices
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  bin INTEGER NOT NULL,
  arrived INTEGER NOT NULL,
  started INTEGER NOT NULL, -- for the first time
  ended INTEGER NOT NULL,
  PRIMARY KEY (experiment, replication, bin),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;
