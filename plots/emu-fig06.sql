-- Runs: dcsim train PROFILE of a CPU makes such a file of predictors
-- A row: what is predicted (request_duration or kernel_ipc) and method, place and name of the service, R^2 on inputs that
-- were not trained on.
CREATE TEMP VIEW figure AS
SELECT target || ' ' || method, dense_rank() OVER (ORDER BY application), application, max(0, test_r2)
FROM predictor WHERE target IN ('request_duration', 'kernel_ipc') AND test_r2 IS NOT NULL ORDER BY 1, 2;
