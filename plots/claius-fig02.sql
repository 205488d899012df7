-- Runs: configs/c-laius/study.sh pairs makes them
-- A row: 'pairs', place and name of the policy, how many pairs violate, how many are undecided, how many there are. A
-- pair violates where the 95 % interval of the share within the SLA lies below 99 % (view sla_verdict); infeasible ones
-- count as violating.
CREATE TEMP VIEW figure AS
WITH variant(place, name, policy, bandwidth, compensator) AS (VALUES
    (1, 'MPS even', 'mps-even', NULL, NULL), (2, 'MPS priority', 'mps-priority', NULL, NULL),
    (3, 'Baymax', 'baymax', NULL, NULL), (4, 'C-Laius', 'c-laius', 1, 1),
    (5, 'C-Laius-NB', 'c-laius', 0, 1), (6, 'C-Laius-NC', 'c-laius', 1, 0))
SELECT 'pairs', w.place, w.name, sum(v.verdict IN ('violates', 'infeasible')), sum(v.verdict = 'undecided'), count(*)
FROM sla_verdict v JOIN experiment e ON e.id = v.experiment
    JOIN variant w ON w.policy = e.policy
        AND w.bandwidth IS json_extract(config, '$.policy.bandwidth_constraint')
        AND w.compensator IS json_extract(config, '$.policy.compensator')
WHERE e.name = 'c-laius-pair' AND e.predictor = 'mean'
  AND json_array_length(config, '$.workload.services') = 1
  AND json_extract(config, '$.workload.services[0].sla_factor') = 3
  AND json_extract(config, '$.workload.services[0].input') = 'uniform'
  AND coalesce(json_extract(config, '$.policy.granularity'), 0.1) = 0.1
  AND coalesce(json_extract(config, '$.policy.target'), 1) = 1
GROUP BY w.place ORDER BY w.place;
