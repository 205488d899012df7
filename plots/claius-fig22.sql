-- Runs: configs/c-laius/study.sh datacenter makes them
-- A row: 'gpus', place and name of the policy, throughput of the batch applications over that alone in per cent, its 95 %
-- interval, then pairs of a service and a GPU (all replications) in per cent of those with a p99: late (more than 1 % of
-- its requests) by less than 2 % of the SLA, by up to 30 %, by more; how many there are.
CREATE TEMP VIEW figure AS
SELECT 'gpus', v.place, v.name, 100 * s.value, 100 * coalesce(s.low, s.value), 100 * coalesce(s.high, s.value),
       100 * avg(late AND p99_ns <= 1.02 * sla_ns), 100 * avg(late AND p99_ns > 1.02 * sla_ns AND p99_ns <= 1.3 * sla_ns),
       100 * avg(late AND p99_ns > 1.3 * sla_ns), count(*)
FROM variant v JOIN summary s ON s.experiment = v.experiment AND s.class = 'batch' AND s.app IS NULL
        AND s.name = 'normalised_throughput'
    JOIN (SELECT *, 100 * violations > violations + within_sla AS late FROM job WHERE p99_ns IS NOT NULL) j
        ON j.experiment = v.experiment
WHERE v.study = 'c-laius-datacenter' GROUP BY v.experiment ORDER BY v.place;
