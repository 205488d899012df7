-- Runs: configs/c-laius/study.sh services makes them
-- A row: policy ("static": the best split of the SMs, view two in claius.sql), place of the pair of services, its name,
-- work done over what the three applications do alone, each for itself, added up, in per cent, its 95 % interval. The last
-- place is the mean over the pairs; its interval is over pairs.
CREATE TEMP VIEW figure AS
WITH seed AS MATERIALIZED (
    SELECT w.name, w.pair, m.replication, 100 * sum(m.value) AS v
    FROM two w JOIN metric m USING (experiment) WHERE m.name = 'normalised_throughput' AND m.app IS NOT NULL
    GROUP BY w.name, w.pair, m.replication),
value AS MATERIALIZED (
    SELECT name, dense_rank() OVER (ORDER BY pair) AS place, pair, avg(v) AS v, count(*) AS n,
           max(0, (sum(v * v) - count(*) * avg(v) * avg(v)) / (count(*) - 1)) AS variance
    FROM seed GROUP BY name, pair),
bar AS (
    SELECT * FROM value
    UNION ALL SELECT name, (SELECT max(place) + 1 FROM value), 'mean', avg(v), count(*),
           max(0, (sum(v * v) - count(*) * avg(v) * avg(v)) / (count(*) - 1)) FROM value GROUP BY name)
SELECT name, place, pair, v, v - coalesce(t * sqrt(variance / n), 0), v + coalesce(t * sqrt(variance / n), 0)
FROM bar LEFT JOIN student ON freedom = min(n - 1, 1000) ORDER BY name, place;
