-- Runs: dcsim --config configs/c-laius/pair.json --set outputs.decisions=true --set outputs.requests=true --set horizon.duration_s=60 --set replications=1 --output FILE.db makes one
-- Requests: leave --request out, or take JOB:NUMBER of table decision, of the run with the lowest experiment and replication there
-- One request of a run that kept its decisions: that of --request, or of those whose quota changed for most reasons the one
-- with fewest changes. A row: what, ms since the first decision, SMs. What: "quota" (for the next kernel, from then on);
-- the reasons of table `decision`; "launch" and "less_now"; "deadline" (by the SLA, where the run kept its requests);
-- "title": text.
CREATE TEMP VIEW figure AS
WITH run AS (SELECT experiment, replication FROM decision ORDER BY experiment, replication LIMIT 1),
d AS MATERIALIZED (SELECT d.* FROM decision d JOIN run USING (experiment, replication)),
picked AS (
    SELECT job, number FROM asked
    UNION ALL
    SELECT job, number FROM (SELECT job, number FROM d WHERE what NOT IN ('launch', 'less_now', 'copy', 'ended', 'search_cut') GROUP BY job, number
        ORDER BY count(DISTINCT what) DESC, count(*), job, number LIMIT 1) WHERE NOT EXISTS (SELECT 1 FROM asked)),
one AS MATERIALIZED (
    SELECT d.*, (at_ns - min(at_ns) OVER ()) / 1e6 AS ms, max(at_ns) OVER () AS last_ns, min(at_ns) OVER () AS first_ns
    FROM d JOIN picked USING (job, number))
SELECT what AS series, ms, value, position FROM one WHERE what NOT IN ('copy', 'ended', 'search_cut')
UNION ALL SELECT 'quota', ms, value, position FROM one WHERE what NOT IN ('launch', 'less_now', 'copy', 'ended', 'search_cut')
UNION ALL SELECT 'quota', (last_ns - first_ns) / 1e6, value, 1e9 FROM
    (SELECT * FROM one WHERE what NOT IN ('launch', 'less_now', 'copy', 'ended', 'search_cut') ORDER BY position DESC LIMIT 1)
UNION ALL SELECT 'deadline', (r.deadline_ns - first_ns) / 1e6, 0, 0
FROM (SELECT experiment, replication, job, number, first_ns FROM one LIMIT 1) JOIN request r USING (experiment, replication, job, number)
WHERE r.deadline_ns IS NOT NULL
UNION ALL SELECT 'title', a.name || ': request ' || number || ' of job ' || job, 0, 0
FROM (SELECT * FROM one LIMIT 1) JOIN application a USING (experiment, app)
ORDER BY 1, 4;
