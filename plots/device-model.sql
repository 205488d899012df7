-- Runs: dcsim validate PROFILE --half test --csv test.csv, the same of test2, then sqlite3 X.db ".import --csv test.csv test" ".import --csv test2.csv test2"
-- Times beside others over those alone. A row: part and half, measured, predicted; "PART error": |predicted / measured - 1| in
-- the mean of both halves, and of the prediction that nothing slows anything, in %. Launches of kernels on partitions, at other
-- sizes and under MPS (pairs); mean responses of live requests on partitions and under MPS.
CREATE TEMP VIEW figure AS
WITH side AS (
    SELECT 'test' AS half, * FROM test UNION ALL SELECT 'test2', * FROM test2),
shown AS (
    SELECT CASE WHEN part = 'partitions' THEN 1 WHEN part = 'sizes' THEN 2 WHEN part = 'shared' AND "group" LIKE 'pair%' THEN 3
        WHEN part = 'live-partitions' AND what = 'service, response, mean' THEN 4
        WHEN part = 'live' AND what = 'service, response, mean' THEN 5 END AS panel, half,
        1.0 * measured_ns / alone_ns AS measured, 1.0 * model_ns / alone_ns AS predicted FROM side)
SELECT panel || ' ' || half AS series, measured AS x, predicted AS y FROM shown WHERE panel IS NOT NULL
UNION ALL SELECT panel || ' error', 100 * avg(abs(predicted / measured - 1)), 100 * avg(abs(1 / measured - 1))
FROM shown WHERE panel IS NOT NULL GROUP BY panel
ORDER BY 1, 2, 3;
