-- What the figures of C-Laius share. variant: the policies of configs/c-laius/study.sh, in the order of the paper's
-- figures, told means, with the defaults of all options but those named. pair: the experiments of a service beside a batch
-- application, of one setting (closed.json, else paced.json, else load.json; of these the first SLA and inputs).
CREATE TEMP VIEW variant AS
WITH v(place, name, policy, bandwidth, compensator) AS (VALUES
    (1, 'MPS even', 'mps-even', NULL, NULL), (2, 'MPS priority', 'mps-priority', NULL, NULL),
    (3, 'Baymax', 'baymax', NULL, NULL), (4, 'C-Laius', 'c-laius', 1, 1),
    (5, 'C-Laius-NB', 'c-laius', 0, 1), (6, 'C-Laius-NC', 'c-laius', 1, 0), (7, 'halves', 'fixed-split', NULL, NULL))
SELECT e.id AS experiment, v.place, v.name, e.name AS study
FROM experiment e JOIN v ON v.policy = e.policy AND v.bandwidth IS e.config ->> '$.policy.bandwidth_constraint'
    AND v.compensator IS e.config ->> '$.policy.compensator'
WHERE e.predictor = 'mean' AND coalesce(e.config ->> '$.policy.granularity', 0.1) = 0.1
  AND coalesce(e.config ->> '$.policy.target', 1) = 1 AND coalesce(e.config ->> '$.policy.reorder', '') <> 'none'
  AND coalesce(e.config ->> '$.policy.reorder_for', 'last') = 'last'
  AND coalesce(e.config ->> '$.policy.within_service', 'lag') = 'lag'
  AND coalesce(e.config ->> '$.policy.service_shares', '0.5') = '0.5' AND e.config ->> '$.sharing.quota_switch_us' = 0;
CREATE TEMP VIEW pair AS
WITH told AS (
    SELECT v.*, s.application AS service, b.application AS batch,
           json_array(e.name <> 'c-laius-closed', e.name <> 'c-laius-paced', 1 - coalesce(e.config ->> '$.workload.colocated[0].fraction_of_peak', 0),
                      e.config ->> '$.workload.colocated[0].sla_factor', e.config ->> '$.workload.colocated[0].service_input') AS setting
    FROM variant v JOIN experiment e ON e.id = v.experiment
        JOIN (SELECT experiment, name AS application FROM application WHERE class = 'latency') s USING (experiment)
        JOIN (SELECT experiment, name AS application FROM application WHERE class = 'batch') b USING (experiment)
    WHERE v.study IN ('c-laius-closed', 'c-laius-paced', 'c-laius-load')
      AND coalesce(e.config ->> '$.workload.colocated[0].batch_per_domain', 1) = 1)
SELECT experiment, place, name, service, batch, service || ' + ' || batch AS pair
FROM told WHERE setting = (SELECT min(setting) FROM told);
-- two: the part `services`, paced with the SLA of three times (the setting nearest to the paper's), else with Poisson
-- arrivals: of each pair of services C-Laius and the best static split, that with which the fewest of the two violate; of
-- these, where none violates, that which does most work, else that whose worse p99 over its SLA is least (one that was not seen is most).
CREATE TEMP VIEW two AS
WITH told AS (
    SELECT *, name = 'c-laius-two-services' AS poisson FROM experiment
    WHERE (name = 'c-laius-two-services' OR name = 'c-laius-two-paced' AND config ->> '$.workload.services[0].sla_factor' = 3)
      AND policy IN ('c-laius', 'fixed-split') AND predictor = 'mean' AND coalesce(config ->> '$.policy.give_back', 0) = 0),
run AS (
    SELECT e.id AS experiment, CASE e.policy WHEN 'c-laius' THEN 'C-Laius' ELSE 'static' END AS name,
           e.config ->> '$.workload.services[0].application' || ' + ' || (e.config ->> '$.workload.services[1].application') AS pair,
           (SELECT sum(verdict IN ('violates', 'infeasible')) FROM sla_verdict WHERE experiment = e.id) AS late,
           (SELECT max(coalesce(p99_ms / sla_ms, 9e999)) FROM sla_verdict WHERE experiment = e.id) AS worst,
           (SELECT sum(value) FROM summary s WHERE s.experiment = e.id AND s.name = 'normalised_throughput'
            AND s.app IS NOT NULL) AS done
    FROM told e WHERE poisson = (SELECT min(poisson) FROM told))
SELECT experiment, name, pair, late, done
FROM (SELECT *, row_number() OVER (PARTITION BY name, pair ORDER BY late, CASE WHEN late > 0 THEN worst END, done DESC, experiment) AS rank FROM run
      WHERE late IS NOT NULL AND done IS NOT NULL) WHERE rank = 1;
-- tested: of what dcsim train wrote, the errors of each method on sizes that it was not trained on, averaged over the
-- kernels of an application, in per cent: the mean, and the 95th percentile.
CREATE TEMP VIEW tested AS
SELECT target, method, application, 100 * avg(test_mean) AS mean, 100 * avg(test_p95) AS p95
FROM predictor WHERE test_mean IS NOT NULL GROUP BY target, method, application;
