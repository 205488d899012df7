-- Runs: configs/trem/figures.sh makes them (points of loads 0.25 to 2.0, with TReM)
-- A row: what, load, value, its 95 % interval; means of W1 and W2, seed by seed. What: "count" and "lost" of each policy
-- (revocations of a run; lost over useful work in per cent), and "more": revocations of Priority over those of Elastic in
-- per cent, a ratio of means whose interval is that of the linearised ratio.
CREATE TEMP VIEW figure AS
WITH seed AS MATERIALIZED (
    SELECT p.policy, p.load, m.name, m.replication, avg(m.value) AS v
    FROM server p JOIN metric m USING (experiment)
    WHERE p.revocation = 1 AND m.app IS NULL AND m.class IS NULL AND m.name IN ('revocations', 'lost_over_useful')
    GROUP BY p.policy, p.load, m.name, m.replication HAVING count(*) = 2),
value(series, load, v, variance, n) AS (
    SELECT CASE name WHEN 'revocations' THEN 'count ' ELSE 'lost ' END || policy, load, avg(v),
           max(0, (sum(v * v) - count(*) * avg(v) * avg(v)) / (count(*) - 1)), count(*)
    FROM (SELECT policy, load, name, CASE name WHEN 'revocations' THEN v ELSE 100 * v END AS v FROM seed)
    GROUP BY 1, load
    UNION ALL
    SELECT 'more', load, 100 * (r - 1), 1e4 * sum((a - r * b) * (a - r * b)) / (count(*) - 1) / (avg(b) * avg(b)), count(*)
    FROM (SELECT p.load, p.v AS a, e.v AS b, sum(p.v) OVER point / sum(e.v) OVER point AS r
          FROM seed p JOIN seed e USING (load, name, replication)
          WHERE p.policy = 'priority' AND e.policy = 'elastic' AND name = 'revocations'
          WINDOW point AS (PARTITION BY p.load))
    GROUP BY load)
SELECT series, load, v, v - coalesce(t * sqrt(variance / n), 0), v + coalesce(t * sqrt(variance / n), 0)
FROM value LEFT JOIN student ON freedom = min(n - 1, 1000) WHERE v IS NOT NULL ORDER BY series, load;
