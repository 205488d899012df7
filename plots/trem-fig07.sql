-- Runs: configs/trem/figures.sh makes them (points of loads 0.25 to 2.0)
-- A row: workload and policy, load, share of latency requests within their SLA in per cent, its 95 % interval. Points
-- of the study that vary something else are left out.
CREATE TEMP VIEW figure AS
SELECT CASE json_extract(config, '$.workload.trem[0].user_fraction') WHEN 0.5 THEN 'W1' ELSE 'W2' END || ' ' ||
       h.policy || CASE json_extract(config, '$.policy.revocation') WHEN 1 THEN ' + TReM' ELSE '' END AS series,
       json_extract(config, '$.workload.trem[0].load') AS load,
       100 * h.sla_met, 100 * coalesce(h.sla_met_low, h.sla_met), 100 * coalesce(h.sla_met_high, h.sla_met)
FROM headline h JOIN experiment e ON e.id = h.experiment
WHERE h.policy IN ('priority', 'elastic') AND h.devices = 4
  AND json_array_length(config, '$.workload.trem') = 1 AND json_array_length(config, '$.workload.trace') = 0
  AND json_extract(config, '$.workload.trem[0].load') >= 0.25
  AND json_extract(config, '$.workload.trem[0].user_fraction') IN (0.5, 0.8)
  AND json_extract(config, '$.workload.trem[0].user_tasks') > 0
  AND json_extract(config, '$.workload.trem[0].pareto_shape') = 2
  AND json_extract(config, '$.workload.trem[0].load_basis') = 'realized'
  AND json_extract(config, '$.workload.trem[0].load_devices') IN (0, 4)
  AND json_extract(config, '$.workload.trem[0].batch_applications') NOT LIKE '%gaussian-printed%'
  AND json_extract(config, '$.revocation.kill_ms') < 0 AND json_extract(config, '$.revocation.start_ms') < 0
  AND json_extract(config, '$.policy.queue') = 'fifo' AND json_extract(config, '$.policy.requeue') = 'front'
  AND coalesce(json_extract(config, '$.policy.window'), 32) = 32
  AND coalesce(json_extract(config, '$.policy.first_ms'), 100) = 100
  AND coalesce(json_extract(config, '$.policy.recompute_on_arrival'), 1) = 1
  AND h.name <> 'trem-fig10'
ORDER BY series, load;
