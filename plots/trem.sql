-- What the figures of TReM share. point: the experiments of configs/trem/figures.sh that differ from its main setting in
-- policy, workload, load, GPUs and latency of a revocation alone; name: "elastic", "elastic + TReM", ...; load_devices: the
-- GPUs that the load is meant for.
CREATE TEMP VIEW point AS
SELECT experiment, policy, revocation, policy || CASE revocation WHEN 1 THEN ' + TReM' ELSE '' END AS name, workload, load,
       devices, CASE load_devices WHEN 0 THEN devices ELSE load_devices END AS load_devices,
       CASE WHEN kill_ms < 0 AND start_ms < 0 THEN 22.0 ELSE round(kill_ms + start_ms, 3) END AS latency_ms
FROM (SELECT id AS experiment, policy, devices, config ->> '$.policy.revocation' AS revocation,
          CASE config ->> '$.workload.trem[0].user_fraction' WHEN 0.5 THEN 'W1' ELSE 'W2' END AS workload,
          config ->> '$.workload.trem[0].load' AS load, config ->> '$.workload.trem[0].load_devices' AS load_devices,
          config ->> '$.revocation.kill_ms' AS kill_ms, config ->> '$.revocation.start_ms' AS start_ms
      FROM experiment
      WHERE policy IN ('priority', 'elastic')
        AND json_array_length(config, '$.workload.trem') = 1 AND json_array_length(config, '$.workload.trace') = 0
        AND config ->> '$.workload.trem[0].load' >= 0.25
        AND config ->> '$.workload.trem[0].user_fraction' IN (0.5, 0.8)
        AND config ->> '$.workload.trem[0].user_tasks' > 0
        AND config ->> '$.workload.trem[0].pareto_shape' = 2
        AND config ->> '$.workload.trem[0].load_basis' = 'realized'
        AND config ->> '$.workload.trem[0].batch_applications' NOT LIKE '%gaussian-printed%'
        AND config ->> '$.policy.queue' = 'fifo' AND config ->> '$.policy.requeue' = 'front'
        AND coalesce(config ->> '$.policy.window', 32) = 32
        AND coalesce(config ->> '$.policy.first_ms', 100) = 100
        AND coalesce(config ->> '$.policy.recompute_on_arrival', 1) = 1
        AND coalesce(config ->> '$.scheduler.instant', 'batched') = 'batched'
        AND coalesce(config ->> '$.scheduler.arrivals_first', 0) = 0); -- of databases of before
-- The points of one server of four GPUs with TReM's own revocation, over load.
CREATE TEMP VIEW server AS SELECT * FROM point WHERE devices = 4 AND load_devices = 4 AND latency_ms = 22;
