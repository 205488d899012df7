-- Runs: dcsim train PROFILE makes such a file of predictors
-- A row: method, place and name of the application, mean error and 95th percentile in per cent (view tested in claius.sql).
CREATE TEMP VIEW figure AS
SELECT method, dense_rank() OVER (ORDER BY application), application, mean, p95
FROM tested WHERE target = 'kernel_bandwidth' ORDER BY 1, 2;
