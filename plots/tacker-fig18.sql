-- Runs: configs/tacker/study.sh closed (or paced, or load) makes them
-- Pairs in which something was fused. A row: policy, place of the pair, its name, by how much predictions of fused launches
-- were off, of what these took, in per cent: mean over the runs of the mean, and of the greatest.
CREATE TEMP VIEW figure AS
SELECT w.name, dense_rank() OVER (ORDER BY w.place), w.pair, 100 * e.value, 100 * m.value
FROM world w JOIN summary e ON e.experiment = w.experiment AND e.app IS NULL AND e.class IS NULL AND e.name = 'fused_error'
    JOIN summary m ON m.experiment = w.experiment AND m.app IS NULL AND m.class IS NULL AND m.name = 'fused_error_max'
WHERE w.name <> 'Baymax' AND e.value IS NOT NULL ORDER BY 1, 2;
