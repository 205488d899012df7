-- Only databases with an experiment on hypothetical devices have this table.

CREATE TABLE IF NOT EXISTS hypothetical ( -- no real device can do what the devices of these can
  experiment INTEGER PRIMARY KEY REFERENCES experiment (id) ON DELETE CASCADE,
  key TEXT NOT NULL -- of the config, which lets them
) WITHOUT ROWID;
