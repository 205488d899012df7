-- Runs: configs/wang/study.py steps --output FILE.db makes them
-- A row: CPU threads and program, step, variance of its division and the one before, at the size of the thesis, in the first pass.
CREATE TEMP VIEW figure AS
SELECT printf('%04d %s', d.threads, d.program) AS series, 1 + row_number() OVER (PARTITION BY d.experiment ORDER BY position) AS x,
       max(value, 1) * 1e-9 AS y
FROM divided d JOIN one_size USING (program, iterations) JOIN decision c ON c.experiment = d.experiment
WHERE c.what = 'variance' AND c.kernel = 0 AND c.replication = 0 AND d.seed = 2
ORDER BY 1, 2;
