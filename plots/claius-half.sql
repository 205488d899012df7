-- Runs: configs/c-laius/study.sh closed (or paced, or load) makes them
-- A row: batch application, throughput of it in per cent of that alone where it has one half of the SMs and the service the
-- other (fixed-split), under Baymax, under C-Laius; its service.
CREATE TEMP VIEW figure AS
WITH done AS (
    SELECT p.name, p.service, p.batch, 100 * s.value AS value
    FROM pair p JOIN application a ON a.experiment = p.experiment AND a.name = p.batch
        JOIN summary s ON s.experiment = a.experiment AND s.app = a.app AND s.name = 'normalised_throughput')
SELECT h.batch, h.value, b.value, c.value, h.service
FROM done h JOIN done b USING (service, batch) JOIN done c USING (service, batch)
WHERE h.name = 'halves' AND b.name = 'Baymax' AND c.name = 'C-Laius' ORDER BY 1, 2;
