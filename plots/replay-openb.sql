-- Runs: configs/trem/figures.sh --replay JOBS.db DATABASE makes them
-- A row: metric, place of the policy, policy, GPUs, mean, its 95 % interval; all in per cent.
CREATE TEMP VIEW figure AS
SELECT what || ' ' || e.devices AS series, 2 * (e.policy = 'elastic') + revocation + 1 AS place,
       upper(substr(e.policy, 1, 1)) || substr(e.policy, 2) || CASE revocation WHEN 1 THEN ' + TReM' ELSE '' END AS name,
       e.devices, 100 * value, 100 * coalesce(low, value), 100 * coalesce(high, value)
FROM (SELECT *, config ->> '$.policy.revocation' AS revocation FROM experiment
      WHERE policy IN ('priority', 'elastic') AND json_array_length(config, '$.workload.trace') > 0) e
    JOIN (SELECT experiment, 'late' AS what, 1 - value AS value, 1 - high AS low, 1 - low AS high FROM summary
          WHERE name = 'sla_met' AND class = 'latency' AND app IS NULL
          UNION ALL SELECT experiment, name, value, low, high FROM summary
          WHERE name = 'overhead' AND class IS NULL AND app IS NULL) s ON s.experiment = e.id
ORDER BY 1, 2;
