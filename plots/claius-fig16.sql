-- Runs: configs/c-laius/study.sh closed (or paced, or load) makes them
-- A row: place of the policy, place of the pair (by service, then batch application), its name, p99 of the service over
-- its SLA, its 95 % interval, whether it violates, and whether that is undecided (as in claius-fig02); name of the policy. A p99
-- that was not seen is not drawn.
CREATE TEMP VIEW figure AS
SELECT p.place, dense_rank() OVER (ORDER BY service, batch), pair, p99_ms / sla_ms, coalesce(p99_ms_low, p99_ms) / sla_ms,
       coalesce(p99_ms_high, p99_ms) / sla_ms, verdict IN ('violates', 'infeasible'), verdict = 'undecided', p.name
FROM pair p JOIN sla_verdict USING (experiment) WHERE p.place <= 6 ORDER BY 1, 2;
