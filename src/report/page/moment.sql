-- What changes in a domain (?3) of a run (?1, ?2) up to ?5, by application: SMs that kernels have, requests that wait,
-- requests that are inside past their deadline. All before ?4 is one change, at ?4.
WITH change (at_ns, app, sms, waiting, late) AS (
  SELECT at_ns, app, iif(what = 'ends', -value, value), iif(what = 'ends', 1, -1), 0 FROM decision
  WHERE experiment = ?1 AND replication = ?2 AND domain = ?3 AND what IN ('begins', 'copies', 'ends')
  UNION ALL SELECT arrival_ns, app, 0, 1, 0 FROM request
  WHERE experiment = ?1 AND replication = ?2 AND domain = ?3
  UNION ALL SELECT end_ns, app, 0, -1, 0 FROM request
  WHERE experiment = ?1 AND replication = ?2 AND domain = ?3
  UNION ALL SELECT deadline_ns, app, 0, 0, 1 FROM request
  WHERE experiment = ?1 AND replication = ?2 AND domain = ?3 AND ifnull(end_ns > deadline_ns, 1)
  UNION ALL SELECT end_ns, app, 0, 0, -1 FROM request
  WHERE experiment = ?1 AND replication = ?2 AND domain = ?3 AND end_ns > deadline_ns)
SELECT max(at_ns, ?4) AS at, a.name, sum(sms), sum(waiting), sum(late), a.class = 'latency' FROM change c
JOIN application a ON a.experiment = ?1 AND a.app = c.app
WHERE at_ns <= ?5 GROUP BY at, c.app ORDER BY at, a.class DESC, c.app
