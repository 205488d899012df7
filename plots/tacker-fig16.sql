-- Runs: configs/tacker/study.sh closed (or paced, or load) makes them
-- A row: policy, place of the pair, its name, p99 of the service over its SLA, its 95 % interval, mean likewise, its
-- interval, whether it violates (view sla_verdict), whether that is undecided. A p99 that was not seen is not drawn.
CREATE TEMP VIEW figure AS
SELECT w.name, w.place, w.pair, v.p99_ms / sla_ms, coalesce(v.p99_ms_low, v.p99_ms) / sla_ms,
       coalesce(v.p99_ms_high, v.p99_ms) / sla_ms, s.mean_ms / sla_ms, coalesce(s.mean_ms_low, s.mean_ms) / sla_ms,
       coalesce(s.mean_ms_high, s.mean_ms) / sla_ms, v.verdict IN ('violates', 'infeasible'), v.verdict = 'undecided'
FROM world w JOIN sla_verdict v ON v.experiment = w.experiment AND v.app = w.service_app
    JOIN application_summary s ON s.experiment = w.experiment AND s.app = w.service_app
WHERE w.name IN ('Baymax', 'Tacker, nearest') ORDER BY 1, 2;
