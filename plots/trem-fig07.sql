-- Runs: configs/trem/figures.sh makes them (points of loads 0.25 to 2.0)
-- A row: workload and policy, load, share of latency requests within their SLA in per cent, its 95 % interval, within 0 and 100. Points
-- of the study that vary something else are left out.
CREATE TEMP VIEW figure AS
SELECT workload || ' ' || s.name AS series, load,
       100 * sla_met, max(0, 100 * coalesce(sla_met_low, sla_met)), min(100, 100 * coalesce(sla_met_high, sla_met))
FROM server s JOIN headline h USING (experiment) ORDER BY series, load;
