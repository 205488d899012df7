-- What the figures of C-Laius share. variant: the policies of configs/c-laius/study.sh, in the order of the paper's
-- figures. pair: the experiments of its part `pairs`: a service beside a batch application, SLA three times what a request
-- takes alone, drawn inputs, told means; settings that the study varies elsewhere are as in the configs.
CREATE TEMP VIEW variant AS
WITH v(place, name, policy, bandwidth, compensator) AS (VALUES
    (1, 'MPS even', 'mps-even', NULL, NULL), (2, 'MPS priority', 'mps-priority', NULL, NULL),
    (3, 'Baymax', 'baymax', NULL, NULL), (4, 'C-Laius', 'c-laius', 1, 1),
    (5, 'C-Laius-NB', 'c-laius', 0, 1), (6, 'C-Laius-NC', 'c-laius', 1, 0))
SELECT e.id AS experiment, v.place, v.name, e.name AS study
FROM experiment e JOIN v ON v.policy = e.policy AND v.bandwidth IS e.config ->> '$.policy.bandwidth_constraint'
    AND v.compensator IS e.config ->> '$.policy.compensator'
WHERE e.predictor = 'mean' AND coalesce(e.config ->> '$.policy.granularity', 0.1) = 0.1
  AND coalesce(e.config ->> '$.policy.target', 1) = 1;
CREATE TEMP VIEW pair AS
SELECT v.experiment, v.place, v.name, s.application AS service, b.application AS batch,
       s.application || ' + ' || b.application AS pair
FROM variant v JOIN experiment e ON e.id = v.experiment
    JOIN (SELECT experiment, name AS application FROM application WHERE class = 'latency') s USING (experiment)
    JOIN (SELECT experiment, name AS application FROM application WHERE class = 'batch') b USING (experiment)
WHERE v.study = 'c-laius-pair' AND json_array_length(config, '$.workload.services') = 1
  AND config ->> '$.workload.services[0].sla_factor' = 3 AND config ->> '$.workload.services[0].input' = 'uniform';
-- two: the part `services`, of each pair of services C-Laius and the best static split: that with which the fewest of the
-- two violate; of these, where none violates, that which does most work, else that whose worse p99 over its SLA is least.
CREATE TEMP VIEW two AS
WITH run AS (
    SELECT e.id AS experiment, CASE e.policy WHEN 'c-laius' THEN 'C-Laius' ELSE 'static' END AS name,
           e.config ->> '$.workload.services[0].application' || ' + ' || (e.config ->> '$.workload.services[1].application') AS pair,
           (SELECT sum(verdict IN ('violates', 'infeasible')) FROM sla_verdict WHERE experiment = e.id) AS late,
           (SELECT max(p99_ms / sla_ms) FROM sla_verdict WHERE experiment = e.id) AS worst,
           (SELECT sum(value) FROM summary s WHERE s.experiment = e.id AND s.name = 'normalised_throughput'
            AND s.app IS NOT NULL) AS done
    FROM experiment e
    WHERE e.name = 'c-laius-two-services' AND e.policy IN ('c-laius', 'fixed-split') AND e.predictor = 'mean')
SELECT experiment, name, pair, late, done
FROM (SELECT *, row_number() OVER (PARTITION BY name, pair ORDER BY late, CASE WHEN late > 0 THEN worst END, done DESC, experiment) AS rank FROM run
      WHERE late IS NOT NULL AND done IS NOT NULL) WHERE rank = 1;
-- tested: of what dcsim train wrote, the errors of each method on sizes that it was not trained on, averaged over the
-- kernels of an application, in per cent: the mean, and the 95th percentile.
CREATE TEMP VIEW tested AS
SELECT target, method, application, 100 * avg(test_mean) AS mean, 100 * avg(test_p95) AS p95
FROM predictor WHERE test_mean IS NOT NULL GROUP BY target, method, application;
