-- What the figures of CAP share. divided: of configs/wang/study.py, a row for each experiment with divisible work: its program
-- and size, CPU threads (0: no CPU), GPUs, policy ("bound": with a clairvoyant predictor), whether CAP has its defaults, time.
CREATE TEMP VIEW divided AS
SELECT e.id AS experiment, json_extract(config, '$.divisible[0].program') AS program,
       json_extract(config, '$.divisible[0].iterations') AS iterations,
       json_extract(config, '$.cluster.cpu_threads') AS threads,
       json_extract(config, '$.cluster.devices') - (json_extract(config, '$.cluster.cpu_threads') > 0) AS gpus,
       CASE WHEN clairvoyant THEN 'bound' ELSE e.policy END AS policy,
       e.policy <> 'cap' OR (json_extract(config, '$.policy.probe') = 0.0078125 AND json_extract(config, '$.policy.threshold') = 5e-5
                             AND json_extract(config, '$.policy.passes') = 'anew') AS usual,
       e.seed AS seed, avg(m.value) AS ns
FROM experiment e JOIN metric m ON m.experiment = e.id AND m.name = 'window' AND m.app IS NULL AND m.class IS NULL
WHERE json_extract(config, '$.sharing.model') = 'divisible' AND json_extract(config, '$.divisible[0].program') IS NOT NULL
GROUP BY e.id;
-- Of each program one size, that of the thesis (table 4-2) or, if that was not run, the largest; and its place.
CREATE TEMP VIEW one_size AS
WITH thesis(program, iterations) AS (VALUES ('cg', 16384), ('jacobi', 16384), ('mc', 67108864), ('mm', 1048576), ('nbody', 16384), ('nns', 16384))
SELECT d.program, coalesce(max(t.iterations), max(d.iterations)) AS iterations, dense_rank() OVER (ORDER BY d.program) AS place
FROM divided d LEFT JOIN thesis t USING (program, iterations) GROUP BY d.program;
