-- Where the time of late requests went. A database of schema 5 or 6 lacks it.

CREATE TABLE late_time (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  position INTEGER NOT NULL,
  app INTEGER NOT NULL, -- whose requests missed their SLA
  part TEXT NOT NULL, -- of their time
  whom INTEGER, -- the application that is to blame; NULL: none is
  ns INTEGER NOT NULL, -- all of them together
  requests INTEGER NOT NULL, -- that have any of it
  enough INTEGER NOT NULL, -- that would have met their SLA without
  PRIMARY KEY (experiment, replication, position),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE VIEW late_summary AS
SELECT e.id AS experiment, e.name, e.policy, l.app, a.name AS application, l.part,
  w.name AS whom, count(DISTINCT l.replication) AS replications, sum(l.ns) / 1e6 AS ms,
  1.0 * sum(l.ns) / sum(sum(l.ns)) OVER (PARTITION BY e.id, l.app) AS share,
  sum(l.requests) AS requests, sum(l.enough) AS enough
FROM late_time l JOIN experiment e ON e.id = l.experiment
  JOIN application a ON a.experiment = l.experiment AND a.app = l.app
  LEFT JOIN application w ON w.experiment = l.experiment AND w.app = l.whom
GROUP BY e.id, l.app, l.part, l.whom;
