-- Runs: configs/tacker/study.sh closed (or paced, or load) makes them
-- A row: policy, place of the pair, its name, by how much its batch throughput is above Baymax's in the same world in per
-- cent, seed by seed, with its 95 % interval.
CREATE TEMP VIEW figure AS
WITH done AS MATERIALIZED (
    SELECT w.name, w.place, w.pair, m.replication, m.value AS v
    FROM world w JOIN metric m ON m.experiment = w.experiment AND m.app = w.batch_app AND m.class IS NULL
    WHERE m.name = 'normalised_throughput' AND m.value > 0),
gain AS (
    SELECT t.name, t.place, t.pair, avg(100 * (t.v / b.v - 1)) AS v, count(*) AS n,
           max(0, (sum(1e4 * (t.v / b.v - 1) * (t.v / b.v - 1)) - count(*) * avg(100 * (t.v / b.v - 1)) * avg(100 * (t.v / b.v - 1)))
               / (count(*) - 1)) AS variance
    FROM done t JOIN done b ON b.name = 'Baymax' AND b.pair = t.pair AND b.replication = t.replication
    WHERE t.name <> 'Baymax' GROUP BY t.name, t.pair)
SELECT name, place, pair, v, v - coalesce(t * sqrt(variance / n), 0), v + coalesce(t * sqrt(variance / n), 0)
FROM gain LEFT JOIN student ON freedom = min(n - 1, 1000) ORDER BY name, place;
