-- Runs: configs/trem/figures.sh makes them (points of other numbers of GPUs and latencies)
-- A row: what is varied and policy, its value, requests that miss their SLA in per cent, their 95 % interval; load 1.0,
-- means of W1 and W2, seed by seed. Varied: "follows": GPUs, and the load with them; "four": GPUs, with the jobs of four;
-- "latency": ms from the decision to revoke until the next kernel runs.
CREATE TEMP VIEW figure AS
WITH varied AS MATERIALIZED (
    SELECT 'follows ' || name AS series, devices AS x, experiment, policy FROM point
    WHERE load = 1 AND load_devices = devices AND latency_ms = 22
    UNION ALL SELECT 'four ' || name, devices, experiment, policy FROM point
    WHERE load = 1 AND load_devices = 4 AND latency_ms = 22
    UNION ALL SELECT 'latency ' || name, latency_ms, experiment, policy FROM point
    WHERE load = 1 AND devices = 4 AND load_devices = 4 AND revocation = 1 AND latency_ms > 0),
seed AS (
    SELECT series, x, m.replication, 100 * (1 - avg(m.value)) AS v
    FROM varied JOIN metric m USING (experiment)
    WHERE m.name = 'sla_met' AND m.class = 'latency' AND m.app IS NULL
    GROUP BY series, x, m.replication HAVING count(*) = 2),
value AS (
    SELECT series, x, avg(v) AS v, count(*) AS n,
           max(0, (sum(v * v) - count(*) * avg(v) * avg(v)) / (count(*) - 1)) AS variance
    FROM seed GROUP BY series, x)
SELECT series, x, v, v - coalesce(t * sqrt(variance / n), 0), v + coalesce(t * sqrt(variance / n), 0)
FROM value LEFT JOIN student ON freedom = min(n - 1, 1000) ORDER BY series, x;
