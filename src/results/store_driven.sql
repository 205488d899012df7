-- Tables of runs on a GPU that really runs; a database of simulations has none of them.

CREATE TABLE IF NOT EXISTS driven ( -- a run that is in this table was not simulated
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  device TEXT NOT NULL,
  uuid TEXT NOT NULL,
  driver TEXT NOT NULL,
  tool TEXT NOT NULL, -- the build of dcsim-calibrate
  ends_by TEXT NOT NULL, -- how ends of kernels became known: words or events
  PRIMARY KEY (experiment, replication),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS driven_launch (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  position INTEGER NOT NULL,
  job INTEGER NOT NULL,
  number INTEGER NOT NULL, -- of the request within its job
  kernel INTEGER NOT NULL,
  sms INTEGER NOT NULL, -- 0: the whole device
  got_sms INTEGER, -- fewer where the device had no such partition ready
  event_ns INTEGER NOT NULL, -- what the policy was told of when it launched this
  sent_ns INTEGER NOT NULL, -- since event_ns, as all that follow: handed to the device's side,
  taken_ns INTEGER, -- seen there,
  launched_ns INTEGER, -- handed to the driver,
  end_ns INTEGER, -- seen to have ended (NULL: cut off by the horizon),
  heard_ns INTEGER, -- known to the policy's side
  PRIMARY KEY (experiment, replication, position),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS driven_revocation ( -- of a launch whose end_ns is NULL
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  position INTEGER NOT NULL, -- of the launch
  revoked_ns INTEGER NOT NULL, -- it was to be stopped
  gone_ns INTEGER, -- since then, until it was gone (NULL: nothing was killed)
  launched_ns INTEGER, -- of the launch, since its event_ns: a process had it (NULL: none, or it ended before)
  PRIMARY KEY (experiment, replication, position),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS driven_callback (
  experiment INTEGER NOT NULL,
  replication INTEGER NOT NULL,
  position INTEGER NOT NULL,
  what TEXT NOT NULL,
  event_ns INTEGER NOT NULL,
  begin_ns INTEGER NOT NULL, -- since event_ns, as end_ns
  end_ns INTEGER NOT NULL,
  PRIMARY KEY (experiment, replication, position),
  FOREIGN KEY (experiment, replication) REFERENCES run (experiment, replication)
    ON DELETE CASCADE
) WITHOUT ROWID;
