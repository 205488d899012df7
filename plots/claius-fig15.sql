-- Runs: configs/c-laius/study.sh pairs makes them
-- A row: policy, place of the pair (by service, then batch application), its name, throughput of the batch application
-- over what it does alone in per cent, its 95 % interval.
CREATE TEMP VIEW figure AS
SELECT policy, dense_rank() OVER (ORDER BY pair), pair, 100 * value, 100 * coalesce(low, value), 100 * coalesce(high, value)
FROM (SELECT e.policy AS policy, s.value AS value, s.low AS low, s.high AS high,
          (SELECT l.name FROM application l WHERE l.experiment = e.id AND l.class = 'latency') || ' + ' || a.name AS pair
      FROM experiment e JOIN application a ON a.experiment = e.id AND a.class = 'batch'
          JOIN summary s ON s.experiment = e.id AND s.app = a.app AND s.name = 'normalised_throughput'
      WHERE e.name = 'c-laius-pair' AND e.policy IN ('baymax', 'c-laius') AND e.predictor = 'mean'
        AND json_extract(config, '$.workload.services[0].sla_factor') = 3
        AND json_extract(config, '$.workload.services[0].input') = 'uniform'
        AND coalesce(json_extract(config, '$.policy.bandwidth_constraint'), 1) = 1
        AND coalesce(json_extract(config, '$.policy.compensator'), 1) = 1
        AND coalesce(json_extract(config, '$.policy.granularity'), 0.1) = 0.1
        AND coalesce(json_extract(config, '$.policy.target'), 1) = 1)
ORDER BY 1, 2;
