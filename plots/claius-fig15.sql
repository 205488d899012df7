-- Runs: configs/c-laius/study.sh closed (or paced, or load) makes them
-- A row: policy, place of the pair (by service, then batch application), its name, throughput of the batch application
-- over what it does alone in per cent, its 95 % interval.
CREATE TEMP VIEW figure AS
SELECT p.name, dense_rank() OVER (ORDER BY service, batch), pair, 100 * value, 100 * coalesce(low, value),
       100 * coalesce(high, value)
FROM pair p JOIN application a ON a.experiment = p.experiment AND a.name = p.batch
    JOIN summary s ON s.experiment = a.experiment AND s.app = a.app AND s.name = 'normalised_throughput'
WHERE p.name IN ('Baymax', 'C-Laius') ORDER BY 1, 2;
