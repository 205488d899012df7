-- What dcsim capacity saw. A database of schema 5 to 7 lacks it, one of schema 8 the column reason.

CREATE TABLE capacity_look (
  experiment INTEGER NOT NULL REFERENCES experiment (id) ON DELETE CASCADE,
  question TEXT NOT NULL, -- as it was printed
  position INTEGER NOT NULL, -- of the bound in it
  vary TEXT NOT NULL, -- the keys that were varied
  value REAL NOT NULL, -- theirs in this experiment
  metric TEXT NOT NULL,
  unit TEXT NOT NULL,
  at_least INTEGER NOT NULL CHECK (at_least IN (0, 1)),
  bound REAL NOT NULL,
  service TEXT NOT NULL, -- the worst one, whose result this is; '': it is of no single one
  result REAL, -- NULL: not reached, if low is not NULL
  low REAL,
  high REAL,
  kept TEXT NOT NULL, -- the value, with all bounds: yes, no, undecided, overloaded
  answer REAL, -- the value that is the answer; NULL: there is none
  told TEXT NOT NULL, -- the answer as it was printed
  reason TEXT NOT NULL DEFAULT '', -- whose work is overloaded, and which rules say so
  PRIMARY KEY (experiment, question, position)
) WITHOUT ROWID;
