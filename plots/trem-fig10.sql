-- Runs: configs/trem/figures.sh makes them, or dcsim --config configs/trem/fig10.json --output FILE.db
-- Four user-facing jobs of the first run of Elastic + TReM, W1, load 1.0, that found four batch tasks: the two with the
-- most late tasks, and of the others with at most 100 tasks the two with the most GPUs at once. A row: which job
-- and what, then times in ms since it came: "levels": from when, GPUs with user-facing tasks, GPUs with batch tasks; "met" and
-- "late": completion, response time; "arrival": time; "title": text.
-- Launches that were revoked leave no row, so batch GPUs are inferred: Elastic leaves no GPU idle while a batch task
-- waits, so they are those that serve no user-facing task, as far as batch tasks are there.
CREATE TEMP VIEW figure AS
WITH q AS MATERIALIZED (
    SELECT r.job, a.class, a.name AS app, r.arrival_ns, r.start_ns, r.end_ns, r.deadline_ns
    FROM request r JOIN application a USING (experiment, app)
    WHERE r.replication = 0 AND r.experiment = (
        SELECT min(experiment) FROM server s WHERE name = 'elastic + TReM' AND workload = 'W1' AND load = 1
        AND EXISTS (SELECT 1 FROM request r WHERE r.experiment = s.experiment))),
job AS MATERIALIZED (
    SELECT job, app, min(arrival_ns) AS begin_ns, max(end_ns) AS end_ns, count(*) AS tasks, sum(end_ns > deadline_ns) AS late
    FROM q WHERE class = 'latency' GROUP BY job HAVING tasks >= 3),
candidate AS MATERIALIZED (
    SELECT *, (SELECT max((SELECT count(*) FROM q b WHERE b.job = a.job AND b.start_ns <= a.start_ns AND a.start_ns < b.end_ns))
               FROM q a WHERE a.job = job.job) AS peak
    FROM job WHERE (SELECT count(*) FROM q WHERE class = 'batch' AND arrival_ns <= begin_ns AND begin_ns < q.end_ns) >= 4),
worst AS (SELECT * FROM candidate ORDER BY late DESC, job LIMIT 2),
widest AS (SELECT * FROM candidate WHERE tasks <= 100 AND job NOT IN (SELECT job FROM worst)
           ORDER BY peak DESC, tasks DESC, job LIMIT 2),
chosen AS MATERIALIZED (
    SELECT row_number() OVER (ORDER BY job) AS place, *,
           begin_ns - 0.15 * (end_ns - begin_ns) AS low_ns, end_ns + 0.15 * (end_ns - begin_ns) AS high_ns
    FROM (SELECT * FROM worst UNION ALL SELECT * FROM widest)),
change AS (
    SELECT start_ns AS at_ns, 1 AS users, 0 AS batch FROM q WHERE class = 'latency'
    UNION ALL SELECT end_ns, -1, 0 FROM q WHERE class = 'latency'
    UNION ALL SELECT arrival_ns, 0, 1 FROM q WHERE class = 'batch'
    UNION ALL SELECT end_ns, 0, -1 FROM q WHERE class = 'batch'),
level AS MATERIALIZED (
    SELECT at_ns, lead(at_ns, 1, 1 << 62) OVER (ORDER BY at_ns) AS until_ns, users, min(4 - users, batch) AS batch
    FROM (SELECT DISTINCT at_ns, sum(users) OVER (ORDER BY at_ns) AS users, sum(batch) OVER (ORDER BY at_ns) AS batch
          FROM change))
SELECT place || ' levels' AS series, (max(at_ns, low_ns) - begin_ns) / 1e6 AS ms, users, batch
FROM chosen JOIN level ON until_ns > low_ns AND at_ns < high_ns
UNION ALL SELECT place || ' levels', (high_ns - begin_ns) / 1e6, users, batch
FROM chosen JOIN level ON at_ns < high_ns AND high_ns <= until_ns
UNION ALL
SELECT CASE WHEN q.end_ns <= deadline_ns THEN 'met ' ELSE 'late ' END || place, (q.end_ns - begin_ns) / 1e6,
       (q.end_ns - arrival_ns) / 1e6, NULL FROM chosen JOIN q ON q.job = chosen.job
UNION ALL SELECT 'arrival ' || place, (arrival_ns - begin_ns) / 1e6, 0, NULL FROM chosen JOIN q ON q.job = chosen.job
UNION ALL SELECT place || ' title', app || ', ' || tasks || ' tasks', 'at ' || (begin_ns / 60000000000) || ' min', NULL
FROM chosen
ORDER BY 1, 2;
