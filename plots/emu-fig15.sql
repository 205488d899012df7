-- Runs: configs/emu/study.py datacenter --output FILE.db makes them
-- A row: as of emu-fig14.
CREATE TEMP VIEW figure AS
WITH setting(place, name, key) AS (VALUES (1, 'OS', 'os'), (2, 'Static-Opt', 'static-opt'), (3, 'EMU', 'emu'), (4, 'EMU + Hungarian', 'emu + hungarian'))
SELECT 'nodes', place, s.name, 100 * avg(j.p99_ns > j.sla_ns AND j.p99_ns <= 1.5 * j.sla_ns),
       100 * avg(j.p99_ns > 1.5 * j.sla_ns AND j.p99_ns <= 2 * j.sla_ns), 100 * avg(j.p99_ns > 2 * j.sla_ns),
       (SELECT 100 * avg(a.p99_ms * 1e6 > 2 * (SELECT max(sla_ns) FROM job WHERE experiment = e.id AND app = a.app))
        FROM application_summary a WHERE a.experiment = e.id AND a.class = 'latency'),
       m.value, coalesce(m.low, m.value), coalesce(m.high, m.value)
FROM setting s JOIN experiment e ON e.name = 'emu-datacenter ' || s.key
    JOIN summary m ON m.experiment = e.id AND m.class = 'batch' AND m.app IS NULL AND m.name = 'normalised_throughput'
    JOIN job j ON j.experiment = e.id AND j.sla_ns > 0 AND j.p99_ns IS NOT NULL
GROUP BY e.id ORDER BY place;
