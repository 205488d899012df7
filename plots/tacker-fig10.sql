-- Runs: dcsim profile build PROFILE.sql PROFILE.db makes such a database of a profile with fused launches
-- Of the tensor kernel and size with most fused launches measured. A row: number of the CUDA kernel and what ("apart": one
-- after the other; "fused": the way to fuse that is quickest in the mean), load ratio (time of the CUDA kernel over that of
-- the tensor kernel), time of both over the tensor kernel's; "K title": name of the CUDA kernel; "what": which tensor kernel.
CREATE TEMP VIEW figure AS
WITH tensor AS (SELECT tensor, tensor_size FROM fused GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT 1),
f AS MATERIALIZED (
    SELECT dense_rank() OVER (ORDER BY cuda) AS k, fused.*, 1.0 * cuda_ns / tensor_ns AS ratio, 1.0 * median_ns / tensor_ns AS took
    FROM fused JOIN tensor USING (tensor, tensor_size)),
way AS (SELECT k, tensor_blocks, cuda_blocks FROM (SELECT k, tensor_blocks, cuda_blocks,
            row_number() OVER (PARTITION BY k ORDER BY avg(took), tensor_blocks, cuda_blocks) AS rank
        FROM f WHERE tensor_blocks > 0 GROUP BY k, tensor_blocks, cuda_blocks) WHERE rank = 1)
SELECT k || ' apart' AS series, ratio AS x, took AS y FROM f WHERE tensor_blocks = 0
UNION ALL SELECT k || ' fused', ratio, took FROM f JOIN way USING (k, tensor_blocks, cuda_blocks)
UNION ALL SELECT DISTINCT k || ' title', cuda || ', ' || tensor_blocks || ':' || cuda_blocks || ' blocks', NULL FROM f JOIN way USING (k, tensor_blocks, cuda_blocks)
UNION ALL SELECT 'what', tensor || ', ' || tensor_size || ' images', NULL FROM tensor WHERE EXISTS (SELECT 1 FROM f)
ORDER BY 1, 2;
