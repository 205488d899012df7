-- Requests that were inside when a run ended: how long they had been. A database of schema 5 to 7 lacks it.

CREATE TABLE cut_off (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  app INTEGER NOT NULL,
  low_ns INTEGER NOT NULL, -- low_ns <= time since the arrival < high_ns
  high_ns INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (experiment, replication, app, low_ns),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;
