-- Runs: configs/trem/figures.sh makes them (points of load 2.0)
-- Batch jobs of W1 and W2 of all seeds together. A row: "time" and policy, per cent of the jobs, minutes that they took at
-- most; "ratio" and policy, per cent, that quantile with TReM over without; "own" and policy, per cent, quantile of how
-- much longer one and the same job takes with TReM.
CREATE TEMP VIEW figure AS
WITH RECURSIVE share(p) AS (VALUES (1) UNION ALL SELECT p + 1 FROM share WHERE p < 99),
took AS MATERIALIZED (
    SELECT s.policy, s.revocation, s.workload, j.replication, j.job, (j.end_ns - j.begin_ns) / 6e10 AS minutes
    FROM server s JOIN job j USING (experiment) JOIN application a USING (experiment, app)
    WHERE s.load = 2 AND a.class = 'batch' AND j.end_ns IS NOT NULL),
ranked(series, x, place, n) AS (
    SELECT policy || revocation, minutes, row_number() OVER (PARTITION BY policy, revocation ORDER BY minutes),
           count(*) OVER (PARTITION BY policy, revocation) FROM took
    UNION ALL
    SELECT 'own ' || policy, x, row_number() OVER (PARTITION BY policy ORDER BY x), count(*) OVER (PARTITION BY policy)
    FROM (SELECT policy, w.minutes / o.minutes AS x FROM took w JOIN took o USING (policy, workload, replication, job)
          WHERE w.revocation = 1 AND o.revocation = 0)),
quantile AS MATERIALIZED ( -- nearest rank
    SELECT series, p, x FROM ranked JOIN share ON place = (p * n + 99) / 100)
SELECT 'time ' || series AS series, p, x FROM quantile WHERE series NOT LIKE 'own%'
UNION ALL
SELECT 'ratio ' || policy, p, w.x / o.x
FROM (SELECT DISTINCT policy FROM server) JOIN quantile w ON w.series = policy || 1 JOIN quantile o USING (p)
WHERE o.series = policy || 0
UNION ALL SELECT series, p, x FROM quantile WHERE series LIKE 'own%'
ORDER BY 1, 2;
