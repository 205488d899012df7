-- Runs: configs/c-laius/study.sh services makes them
-- A row: policy ("static": the best split of the SMs, view two in claius.sql), place of the pair of services, its name, p99
-- of the first service over its SLA, its 95 % interval, the same three of the second, whether one of them
-- violates, and whether that is undecided.
CREATE TEMP VIEW figure AS
SELECT w.name, dense_rank() OVER (ORDER BY w.pair), w.pair,
       a.p99_ms / a.sla_ms, coalesce(a.p99_ms_low, a.p99_ms) / a.sla_ms, coalesce(a.p99_ms_high, a.p99_ms) / a.sla_ms,
       b.p99_ms / b.sla_ms, coalesce(b.p99_ms_low, b.p99_ms) / b.sla_ms, coalesce(b.p99_ms_high, b.p99_ms) / b.sla_ms,
       w.late > 0, w.late = 0 AND 'undecided' IN (a.verdict, b.verdict)
FROM two w JOIN sla_verdict a ON a.experiment = w.experiment AND w.pair LIKE a.application || ' + %'
    JOIN sla_verdict b ON b.experiment = w.experiment AND w.pair LIKE '% + ' || b.application
ORDER BY 1, 2;
