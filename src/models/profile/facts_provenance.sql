-- What is not the same in profiles a and b: what, and its value in each.
SELECT 'profile ' || k, v, w FROM (
    SELECT key AS k, value AS v, (SELECT value FROM b.profile y WHERE y.key = x.key) AS w
    FROM a.profile x
    UNION SELECT key, (SELECT value FROM a.profile y WHERE y.key = x.key), value FROM b.profile x)
WHERE v IS NOT w
UNION ALL SELECT 'device name', x.name, y.name FROM a.device x, b.device y WHERE x.name <> y.name
UNION ALL SELECT 'device sms', x.sms, y.sms FROM a.device x, b.device y WHERE x.sms <> y.sms
UNION ALL SELECT 'device memory_bytes', x.memory_bytes, y.memory_bytes
FROM a.device x, b.device y WHERE x.memory_bytes <> y.memory_bytes
UNION ALL SELECT 'class of ' || x.name, x.class, y.class
FROM a.application x JOIN b.application y ON x.name = y.name WHERE x.class <> y.class
UNION ALL SELECT 'sla_ns of ' || x.name, x.sla_ns, y.sla_ns
FROM a.application x JOIN b.application y ON x.name = y.name WHERE x.sla_ns IS NOT y.sla_ns
UNION ALL SELECT 'size_default of ' || x.application, x.size_default, y.size_default
FROM a.subject x JOIN b.subject y ON x.application = y.application
WHERE x.size_default <> y.size_default
UNION ALL SELECT 'position of ' || x.name, x.position, y.position
FROM a.contention_resource x JOIN b.contention_resource y ON x.name = y.name
WHERE x.position <> y.position
UNION ALL SELECT 'level of a hinge of ' || x.resource, x.level, y.level
FROM a.contention_hinge x JOIN b.contention_hinge y ON x.resource = y.resource
    AND x.position = y.position WHERE x.level <> y.level
-- Of many rows the first.
UNION ALL SELECT 'pressure of ' || min(label) || printf(' (1 of %d)', count(*)), v, w
FROM (SELECT x.application || ', ' || x.kernel || ', ' || x.sms || ' SMs, ' || x.resource AS label,
        x.pressure AS v, y.pressure AS w
    FROM a.contention_kernel x
    JOIN b.contention_kernel y USING (application, size, kernel, sms, resource)
    WHERE x.pressure <> y.pressure) HAVING count(*) > 0
UNION ALL SELECT 'weight of ' || min(label) || printf(' (1 of %d)', count(*)), v, w
FROM (SELECT x.application || ', ' || x.kernel || ', ' || x.sms || ' SMs, ' || x.resource
        || ' hinge ' || x.position AS label, x.weight AS v, y.weight AS w
    FROM a.contention_weight x
    JOIN b.contention_weight y USING (application, size, kernel, sms, resource, position)
    WHERE x.weight <> y.weight) HAVING count(*) > 0
UNION ALL SELECT 'most slow-down of ' || min(label) || printf(' (1 of %d)', count(*)), v, w
FROM (SELECT x.application || ', ' || x.kernel || ', ' || x.sms || ' SMs' AS label,
        x.slowdown AS v, y.slowdown AS w
    FROM a.contention_range x JOIN b.contention_range y USING (application, size, kernel, sms)
    WHERE x.slowdown <> y.slowdown) HAVING count(*) > 0
ORDER BY 1
