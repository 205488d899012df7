-- Runs: configs/c-laius/study.sh closed (or paced, or load) makes them
-- A row: 'pairs', place and name of the policy, how many pairs violate, how many are undecided, how many there are. A
-- pair violates where the 95 % interval of the share within the SLA lies below 99 % (view sla_verdict); infeasible ones
-- count as violating.
CREATE TEMP VIEW figure AS
SELECT 'pairs', place, p.name, sum(verdict IN ('violates', 'infeasible')), sum(verdict = 'undecided'), count(*)
FROM pair p JOIN sla_verdict USING (experiment) WHERE place <= 6 GROUP BY place ORDER BY place;
