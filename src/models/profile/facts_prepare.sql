-- What several questions share. Square roots are avoided (SQLite may be built without them):
-- standard errors are compared as squares. Sums are total(), which does not overflow.

-- Requests (kernel '') and kernels alone, alike; square_error is the square of the standard error
-- of the mean.
CREATE TEMP TABLE solo AS
SELECT application, size, '' AS kernel, mechanism, sms,
    n, throttled, median_ns, mean_ns, stddev_ns, stop, clock_mhz,
    application || ', size ' || size AS label
FROM request_solo
UNION ALL SELECT application, size, kernel, mechanism, sms,
    n, throttled, median_ns, mean_ns, stddev_ns, stop, clock_mhz,
    application || ', size ' || size || ', ' || kernel
FROM kernel_solo;
ALTER TABLE solo ADD COLUMN square_error REAL;
UPDATE solo SET square_error = stddev_ns * stddev_ns / max(n, 1);
CREATE INDEX temp.solo_by_sms ON solo (application, size, kernel, mechanism, sms);
CREATE INDEX temp.solo_by_size ON solo (application, kernel, mechanism, sms, size);

-- Every row of every table that was sampled.
CREATE TEMP TABLE sample AS
SELECT CASE kernel WHEN '' THEN 'requests alone' ELSE 'kernels alone' END AS kind,
    label || ', ' || sms || ' SMs (' || mechanism || ')' AS label, sms, mechanism,
    n, throttled, median_ns, mean_ns, stddev_ns, stop, clock_mhz
FROM solo
UNION ALL SELECT 'overheads and ceilings',
    what || ', ' || sms || ' SMs (' || mechanism || ')', sms, mechanism,
    n, throttled, median_ns, mean_ns, stddev_ns, stop, clock_mhz
FROM overhead
UNION ALL SELECT 'transfers',
    direction || ', ' || bytes || ' bytes, beside ' || beside, NULL, NULL,
    n, throttled, median_ns, mean_ns, stddev_ns, stop, clock_mhz
FROM transfer
UNION ALL SELECT 'quota switches',
    mechanism || ', ' || from_sms || ' to ' || to_sms || ' SMs', NULL, NULL,
    n, throttled, median_ns, mean_ns, stddev_ns, stop, clock_mhz
FROM quota_switch
UNION ALL SELECT 'co-runs',
    'co-run ' || corun || ', side ' || side || ', ' || s.application, s.sms, NULL,
    n, throttled, median_ns, mean_ns, stddev_ns, stop, clock_mhz
FROM corun_side s
UNION ALL SELECT 'fused launches',
    tensor || ' with ' || cuda || ', load ratio ' || load_ratio_percent || ' %', NULL, NULL,
    n, throttled, median_ns, mean_ns, stddev_ns, stop, clock_mhz
FROM fused;

-- How many rows of each kind there are.
CREATE TEMP TABLE sampled AS SELECT kind, count(*) AS of_kind FROM sample GROUP BY kind;

-- Those of solo on the whole device, or on a part that is as large.
CREATE TEMP TABLE whole AS
SELECT application, size, kernel, median_ns, mean_ns, stddev_ns, n
FROM solo s
WHERE mechanism = 'whole' OR (sms = (SELECT sms FROM device) AND NOT EXISTS
    (SELECT 1 FROM solo w WHERE w.application = s.application AND w.size = s.size
        AND w.kernel = s.kernel AND w.mechanism = 'whole'));
CREATE INDEX temp.whole_by_kernel ON whole (application, size, kernel);

-- A measured GPU without a fitted contention: what is to be done about it.
CREATE TEMP TABLE unfitted AS
SELECT CASE n WHEN 0 THEN 'no co-runs to fit it to: `dcsim-calibrate sensitivity` and `sensitivity-requests` measure them'
    ELSE '`calibrate/fit/fit_contention.py --inferred FILE.db` fits it to the ' || n || ' co-runs of this profile'
    END AS finding
FROM (SELECT count(*) AS n FROM corun WHERE kind IN ('sensitivity', 'request', 'meter'))
WHERE (SELECT kind FROM device) = 'gpu' AND EXISTS (SELECT 1 FROM solo)
    AND NOT EXISTS (SELECT 1 FROM contention_kernel);
