-- What the figures of EMU share. pair: of configs/emu/study.py pairs, for each setting and pair of a service and a batch
-- application (a domain): p99 of a query over its target and batch throughput over that alone on the machine,
-- means over the runs and their 95 % intervals.
CREATE TEMP VIEW pair AS
WITH experiments AS (SELECT id AS experiment, substr(name, 11) AS setting FROM experiment WHERE name LIKE 'emu-pairs %'),
alone AS MATERIALIZED ( -- ns of a request, from what the results say of all of an application's
    SELECT n.experiment, n.replication, n.app, n.value * w.value * e.devices / c.value AS ns, w.value AS window_ns
    FROM metric n JOIN metric c USING (experiment, replication, app) JOIN metric w USING (experiment, replication)
        JOIN experiment e ON e.id = n.experiment
    WHERE n.experiment IN (SELECT experiment FROM experiments) AND n.name = 'normalised_throughput'
      AND c.name = 'completions' AND w.name = 'window' AND w.app IS NULL AND w.class IS NULL AND c.value > 0),
run AS MATERIALIZED (
    SELECT s.setting, s.experiment, q.domain, q.replication, qa.name AS service, ba.name AS batch,
           1.0 * q.p99_ns / q.sla_ns AS p99, b.completed * alone.ns / alone.window_ns AS done
    FROM experiments s JOIN job q USING (experiment)
        JOIN application qa ON qa.experiment = q.experiment AND qa.app = q.app AND qa.class = 'latency'
        JOIN (SELECT experiment, replication, domain, app, sum(completed) AS completed FROM job GROUP BY 1, 2, 3, 4) b
            ON b.experiment = q.experiment AND b.replication = q.replication AND b.domain = q.domain
        JOIN application ba ON ba.experiment = b.experiment AND ba.app = b.app AND ba.class = 'batch'
        LEFT JOIN alone ON alone.experiment = b.experiment AND alone.replication = b.replication AND alone.app = b.app),
value AS (
    SELECT setting, service, batch, count(*) AS n, avg(p99) AS p99, avg(coalesce(done, 0)) AS done,
           max(0, (sum(p99 * p99) - count(*) * avg(p99) * avg(p99)) / (count(*) - 1)) AS p99_variance,
           max(0, (sum(done * done) - count(*) * avg(done) * avg(done)) / (count(*) - 1)) AS done_variance
    FROM run GROUP BY setting, domain)
SELECT setting, dense_rank() OVER (ORDER BY service, batch) AS place, service || ' + ' || batch AS pair,
       p99, p99 - coalesce(t * sqrt(p99_variance / n), 0) AS p99_low, p99 + coalesce(t * sqrt(p99_variance / n), 0) AS p99_high,
       done, done - coalesce(t * sqrt(done_variance / n), 0) AS done_low, done + coalesce(t * sqrt(done_variance / n), 0) AS done_high
FROM value LEFT JOIN student ON freedom = min(n - 1, 1000);
