-- A run in parts of equal length (outputs.interval_s). A database of schema 5 to 7 lacks them.

CREATE TABLE bin_requests (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  bin INTEGER NOT NULL, -- 0, 1, ...
  app INTEGER NOT NULL,
  arrived INTEGER NOT NULL,
  decided INTEGER NOT NULL, -- of these, with an SLA, and known
  met INTEGER NOT NULL, -- of these, in time
  PRIMARY KEY (experiment, replication, bin, app),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE bin_devices (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  bin INTEGER NOT NULL,
  from_ns INTEGER NOT NULL,
  to_ns INTEGER NOT NULL,
  waiting REAL NOT NULL, -- requests, in the mean over the bin
  busy REAL NOT NULL, -- devices on which something ran
  sms REAL, -- allotted to what ran; NULL: not of these devices
  PRIMARY KEY (experiment, replication, bin),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;
