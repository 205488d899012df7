-- The tables of version 1 from the measurements of a GPU. `application` rows are written with the
-- measurement itself, which alone knows the memory. Kernels of a recorded program have their part of
-- the gaps between them, which the host makes: where kernels run one at a time a request then takes
-- what it took.
DELETE FROM kernel;
INSERT INTO kernel
SELECT r.application, r.position,
    CASE WHEN h.kind IN ('to_device', 'from_device') THEN 'transfer' ELSE 'compute' END,
    max(1, CAST(round(k.mean_ns * ifnull(f.factor, 1)) AS INTEGER)), h.blocks * h.threads_per_block,
    'measured: kernel_solo at size ' || r.size || ', whole device, mean of ' || k.n
FROM request_kernel r
    JOIN subject j ON j.application = r.application AND j.size_default = r.size
    JOIN kernel_solo k ON k.application = r.application AND k.size = r.size
        AND k.kernel = r.kernel AND k.mechanism = 'whole'
    JOIN kernel_shape h ON h.application = r.application AND h.size = r.size
        AND h.kernel = r.kernel
    LEFT JOIN (
        SELECT d.application, min(q.median_ns) / total(o.mean_ns) AS factor
        FROM recorded d
            JOIN subject j ON j.application = d.application AND j.size_default = d.size
            JOIN request_solo q USING (application, size, mechanism, sms)
            JOIN request_kernel p USING (application, size)
            JOIN kernel_solo o USING (application, size, kernel, mechanism, sms)
        WHERE d.mechanism = 'whole'
        GROUP BY d.application) f ON f.application = r.application
ORDER BY r.application, r.position;

-- An application without all of its kernels would be one that is not what was measured.
DELETE FROM kernel WHERE application IN (
    SELECT r.application
    FROM request_kernel r
        JOIN subject j ON j.application = r.application AND j.size_default = r.size
        LEFT JOIN kernel k ON k.application = r.application AND k.position = r.position
    WHERE k.position IS NULL);
DELETE FROM application WHERE name NOT IN (SELECT application FROM kernel);
