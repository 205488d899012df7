-- Runs: dcsim profile build PROFILE.sql PROFILE.db makes such a database of a profile with fused launches
-- As dcsim validate --fusion: the time of a persistent kernel alone as a line over its blocks, by least squares of relative
-- errors through every fifth load, tried on the others. A row: "all" or "long" (above 0.2 ms), place and name of the
-- kernel, mean error in per cent, the greatest.
CREATE TEMP VIEW figure AS
WITH alone AS (
    SELECT cuda, cuda_size AS x, cuda_ns AS y, row_number() OVER (PARTITION BY cuda ORDER BY cuda_size, cuda_ns) - 1 AS i
    FROM (SELECT DISTINCT cuda, tensor, tensor_size, load_ratio_percent, cuda_size, cuda_ns FROM fused WHERE tensor_blocks > 0)),
sums AS (
    SELECT cuda, sum(1.0 / y / y) AS n, sum(x * 1.0 / y / y) AS x, sum(1.0 / y) AS y, sum(1.0 * x * x / y / y) AS xx,
           sum(1.0 * x / y) AS xy
    FROM alone WHERE i % 5 = 0 GROUP BY cuda),
line AS MATERIALIZED (
    SELECT cuda, (n * xy - x * y) / (n * xx - x * x) AS slope, (y - (n * xy - x * y) / (n * xx - x * x) * x) / n AS base
    FROM sums WHERE n * xx - x * x > 1e-9 * n * xx),
error AS MATERIALIZED (
    SELECT cuda, y, 100 * abs((base + slope * x) / y - 1) AS e FROM alone JOIN line USING (cuda) WHERE i % 5 <> 0)
SELECT 'all' AS series, dense_rank() OVER (ORDER BY cuda) AS place, cuda, avg(e), max(e) FROM error GROUP BY cuda
UNION ALL SELECT 'long', dense_rank() OVER (ORDER BY cuda), cuda, avg(e), max(e) FROM error WHERE y > 200000 GROUP BY cuda
ORDER BY 1, 2;
