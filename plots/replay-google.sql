-- Runs: configs/traces/compare.sh TRACE.db DATABASE makes them
-- A row: policy, place of the workload, workload, late requests of replications or windows in per cent: mean, its 95 %
-- interval, number of replications or windows.
CREATE TEMP VIEW figure AS
WITH late AS (
    SELECT e.policy, e.config ->> '$.policy.revocation' AS revocation, substr(e.name, 9) AS workload, 100 * (1 - m.value) AS v
    FROM experiment e JOIN metric m ON m.experiment = e.id
    WHERE e.name IN ('compare-paper', 'compare-means', 'compare-fitted', 'compare-trace') AND m.name = 'sla_met'
      AND m.class = 'latency' AND m.app IS NULL),
spread AS (
    SELECT policy, revocation, workload, avg(v) AS mean, count(*) AS n,
           sqrt(max(0, avg(v * v) - avg(v) * avg(v)) / max(1, count(*) - 1)) AS error
    FROM late GROUP BY 1, 2, 3)
SELECT upper(substr(policy, 1, 1)) || substr(policy, 2) || CASE revocation WHEN 1 THEN ' + TReM' ELSE '' END AS series,
       instr('paper means fittedtrace', workload) / 6 + 1 AS place, workload, mean, mean - coalesce(t, 0) * error,
       mean + coalesce(t, 0) * error, n
FROM spread LEFT JOIN student ON freedom = n - 1 ORDER BY 1, 2;
