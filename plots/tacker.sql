-- What the figures of Tacker share. world: the experiments of configs/tacker/study.sh closed (else paced, else load):
-- services and batch requests of the default size, one batch kernel before each latency kernel, nothing charged. name:
-- Baymax, or Tacker and which tensor kernels it may fuse (exact: those measured in the same shape; nearest: those like one).
CREATE TEMP VIEW world AS
WITH service(place, name) AS (VALUES (0, 'resnet50'), (1, 'resnext'), (2, 'vgg16'), (3, 'vgg19'), (4, 'inception'), (5, 'densenet')),
batch(place, name) AS (VALUES (1, 'mriq'), (2, 'fft'), (3, 'mrif'), (4, 'cutcp'), (5, 'cp'), (6, 'sgemm'), (7, 'lbm'), (8, 'tpacf'),
    (9, 'resnet50-train'), (10, 'vgg16-train'), (11, 'inception-train'), (12, 'densenet-train'))
SELECT e.id AS experiment,
       CASE e.policy WHEN 'baymax' THEN 'Baymax' ELSE 'Tacker, ' || (config ->> '$.fusion.match') END AS name,
       dense_rank() OVER (ORDER BY s.place IS NULL, s.place, b.place IS NULL, b.place, l.name, a.name) AS place,
       l.name || ' + ' || a.name AS pair, l.app AS service_app, a.app AS batch_app
FROM experiment e
    JOIN application l ON l.experiment = e.id AND l.class = 'latency' LEFT JOIN service s ON s.name = l.name
    JOIN application a ON a.experiment = e.id AND a.class = 'batch' LEFT JOIN batch b ON b.name = a.name
WHERE e.name = (SELECT name FROM experiment WHERE name IN ('tacker-closed', 'tacker-paced', 'tacker-load')
                ORDER BY name <> 'tacker-closed', name <> 'tacker-paced' LIMIT 1)
  AND e.policy IN ('baymax', 'tacker') AND e.predictor = 'mean'
  AND coalesce(config ->> '$.workload.colocated[0].service_input', 'default') = 'default'
  AND coalesce(config ->> '$.workload.colocated[0].batch_input', 'default') = 'default'
  AND coalesce(config ->> '$.workload.colocated[0].batch_per_domain', 1) = 1
  AND config ->> '$.policy.target' = 1 AND config ->> '$.policy.reorder' = 'one'
  AND coalesce(config ->> '$.policy.fuse', 'last') = 'last' AND config ->> '$.policy.reorder_for' = 'last'
  AND coalesce(config ->> '$.fusion.decide', 'offline') = 'offline'
  AND (e.policy = 'baymax' OR config ->> '$.scheduler.fusion_round_us' = 0)
  AND EXISTS (SELECT 1 FROM summary WHERE experiment = e.id);
