-- Which points a sweep has. A database of schema 5 lacks these tables.

CREATE TABLE sweep (
  id INTEGER PRIMARY KEY, -- the first 11 hex digits of hash, as a number
  hash TEXT NOT NULL UNIQUE, -- SHA-256 of the axes' keys and the points' configs
  name TEXT NOT NULL, -- as of the latest run
  points INTEGER NOT NULL -- that it has; table point has those that were run
);

CREATE TABLE axis (
  sweep INTEGER NOT NULL REFERENCES sweep (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  axis INTEGER NOT NULL, -- keys that move together have the same
  key TEXT NOT NULL, -- its path in the config
  PRIMARY KEY (sweep, position)
) WITHOUT ROWID;

CREATE TABLE point (
  sweep INTEGER NOT NULL REFERENCES sweep (id) ON DELETE CASCADE,
  experiment INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
  number INTEGER NOT NULL, -- two experiments share one if a file has changed between them
  PRIMARY KEY (sweep, experiment)
) WITHOUT ROWID;

CREATE TABLE point_value (
  sweep INTEGER NOT NULL,
  experiment INTEGER NOT NULL,
  position INTEGER NOT NULL, -- of the key in axis
  value NOT NULL, -- a number, text, 0 or 1; an object or list: JSON
  PRIMARY KEY (sweep, experiment, position),
  FOREIGN KEY (sweep, experiment) REFERENCES point (sweep, experiment) ON DELETE CASCADE,
  FOREIGN KEY (sweep, position) REFERENCES axis (sweep, position) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE VIEW point_axis AS
SELECT p.sweep, s.name AS sweep_name, p.number AS point, p.experiment, a.axis, a.key,
  v.value
FROM point p JOIN sweep s ON s.id = p.sweep
  JOIN point_value v ON v.sweep = p.sweep AND v.experiment = p.experiment
  JOIN axis a ON a.sweep = p.sweep AND a.position = v.position;
