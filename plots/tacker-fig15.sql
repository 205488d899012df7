-- Runs: configs/tacker/study.sh closed (or paced, or load) makes them
-- A row: policy, place of the pair, its name, per cent of the device's time in which kernels worked on tensor cores alone,
-- on both types of cores at once, on the other cores alone.
CREATE TEMP VIEW figure AS
SELECT w.name, w.place, w.pair, 100 * (t.value - b.value), 100 * b.value, 100 * (c.value - b.value)
FROM world w JOIN summary t ON t.experiment = w.experiment AND t.app IS NULL AND t.class IS NULL AND t.name = 'tensor_active'
    JOIN summary c ON c.experiment = w.experiment AND c.app IS NULL AND c.class IS NULL AND c.name = 'cuda_active'
    JOIN summary b ON b.experiment = w.experiment AND b.app IS NULL AND b.class IS NULL AND b.name = 'both_active'
WHERE w.name IN ('Baymax', 'Tacker, nearest') AND t.value IS NOT NULL ORDER BY 1, 2;
