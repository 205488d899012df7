-- The same from the measurements of a CPU: a request is one kernel.
DELETE FROM kernel;
INSERT INTO kernel
SELECT name, 0, 'task', max(1, r.median_ns), NULL,
    'measured: request_solo at size ' || r.size || ', all cores, median of ' || r.n
FROM application
    JOIN subject j ON j.application = name
    JOIN request_solo r ON r.application = name AND r.size = j.size_default
        AND r.mechanism = 'whole'
ORDER BY name;
DELETE FROM application WHERE name NOT IN (SELECT application FROM kernel);
