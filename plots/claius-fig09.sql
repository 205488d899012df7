-- Runs: dcsim train PROFILE makes such a file of predictors
-- A row: method (cart: decision tree; net: the small network), place and name of what is predicted, mean over the
-- applications of their mean errors in per cent (view tested in claius.sql), the least, the greatest.
CREATE TEMP VIEW figure AS
WITH target(name, place, title) AS (VALUES ('request_duration', 1, 'duration of requests'),
    ('kernel_duration', 2, 'duration of kernels'), ('kernel_bandwidth', 3, 'bandwidth of kernels'), ('kernel_ipc', 4, 'IPC of kernels'))
SELECT method, place, title, avg(mean), min(mean), max(mean)
FROM tested JOIN target ON target.name = tested.target WHERE method IN ('cart', 'net') GROUP BY 1, 2 ORDER BY 1, 2;
