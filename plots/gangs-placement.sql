-- Runs: configs/traces/openb-packed.json, or others whose whole jobs differ in cluster.queue.order and placement
-- A row: name, order and placement; place, days since the first arrival, share of the GPUs that is held (%): the ends of steps.
CREATE TEMP VIEW figure AS
WITH part(m, i) AS (SELECT column1, row_number() OVER () FROM (VALUES ('01'), ('02'), ('03'), ('04'), ('05'), ('06'), ('07'), ('08'),
                    ('09'), ('10'), ('11'), ('12'))),
     step AS (SELECT e.name, config ->> '$.cluster.queue.order' AS rule, config ->> '$.cluster.queue.placement' AS placement, part.i,
                     w.value / 864e11 / 12 AS days, 100 * s.value AS held
              FROM experiment e JOIN part JOIN summary s ON s.experiment = e.id AND s.name = 'allocation_part' || part.m
                   JOIN summary w ON w.experiment = e.id AND w.name = 'window')
SELECT name || ', ' || rule || ', ' || placement AS series, 2 * i AS place, days * (i - 1) AS x, held FROM step
UNION ALL SELECT name || ', ' || rule || ', ' || placement, 2 * i + 1, days * i, held FROM step
ORDER BY 1, 2;
