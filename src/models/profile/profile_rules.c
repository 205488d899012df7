/*
 * profile_rules.c - what `dcsim profile lint` looks for, as questions to profile_facts.c.
 *
 * Most rules find what is to be known, not what is wrong, and are notes:
 *   partial                  each report and each result says so
 *   no-contention            kernels on disjoint SMs are simulated as if each were alone
 *   slower-with-more-sms,
 *   faster-with-size         a cache, or another way to launch, can do that; the simulator takes
 *                            times as they were measured
 *   few-samples,
 *   stopped-early            how sure a time is; its deviation is in the profile
 *   throttled                what was kept was measured at the full clock
 *   kernels-against-request  a tracer's times, and kernels alone, have other gaps between them; the
 *                            simulator scales the kernels to the request
 *   above-ceiling            of counters, which no simulation reads
 *   sizes                    what a simulation needs of these, it refuses to be without
 * One is an error:
 *   provenance               its numbers, or some of them, are another device's or driver's: all
 *                            that follows from them is wrong
 * What a simulation refuses is found by trying (profile_command.c). The bounds are 2 % and 3
 * standard errors for what should not happen at all, 1 % for the relative standard error at which
 * sampling ends by itself, and 10 % for a request against the sum of its kernels, between which the
 * device may idle or be faster.
 *
 * stop 'published' marks rows that were taken over from a publication: how many samples they are
 * the mean of is not known, so the rules about samples leave them alone.
 */
#include "models/profile/profile_facts.h"

/* One line of SQL in each line. */
/* clang-format off */

#define MS(ns) "printf('%.4g ms', (" ns ") / 1e6)"

/* x is slower than y, by more than noise. */
#define SLOWER(x, y)                                                                               \
    x ".median_ns > 1.02 * " y ".median_ns AND (1.0 * " x ".median_ns - " y ".median_ns) * "       \
    "(1.0 * " x ".median_ns - " y ".median_ns) > 9 * (" x ".square_error + " y ".square_error)"

/* A size (and kernel) of one table that the other should have, if it has that application at all. */
#define LACKS(table, other, match)                                                                 \
    " SELECT DISTINCT x.application || ', size ' || x.size || ': in " table ", not in " other "'"  \
    " AS finding FROM " table " x WHERE EXISTS (SELECT 1 FROM " other " o"                         \
    "  WHERE o.application = x.application)"                                                       \
    " AND NOT EXISTS (SELECT 1 FROM " other " o WHERE o.application = x.application"               \
    "  AND o.size = x.size" match ")"
#define SAME_KERNEL " AND o.kernel = x.kernel"

#define CEILING(names)                                                                             \
    "(SELECT max(amount / max(median_ns, 1)) FROM overhead WHERE what IN (" names "))"

#define RATE_ABOVE(what, rate, names, from)                                                        \
    " SELECT x.application || ', size ' || x.size || ', ' || x.kernel || printf(': " what          \
    " %.4g, ceiling %.4g', " rate ", " CEILING(names) ") AS finding,"                              \
    " " rate " / " CEILING(names) " AS excess FROM " from                                          \
    " WHERE " rate " > 1.02 * " CEILING(names)

#define HIGHEST_FRACTION                                                                           \
    "max(coalesce(l2_hit_fraction, 0), coalesce(l1_hit_fraction, 0),"                              \
    " coalesce(tensor_active_fraction, 0), coalesce(fma_active_fraction, 0),"                      \
    " coalesce(occupancy_fraction, 0))"

const struct dcs_facts_rule dcs_facts_rules[] = {
    {"partial", DCS_FACTS_NOTE, "not everything was measured", false,
     "SELECT 'profile.partial is ''yes''' FROM profile WHERE key = 'partial' AND value = 'yes'"},
    {"no-contention", DCS_FACTS_NOTE, "no contention was fitted: in a simulation kernels do not slow each other", false,
     "SELECT finding FROM unfitted"},
    {"provenance", DCS_FACTS_ERROR, "not the device or driver that the profile names", false,
     "SELECT 'profile.driver is ' || d.value || ', profile.source names another: ' || s.value"
     " FROM profile d, profile s WHERE d.key = 'driver' AND s.key = 'source'"
     " AND instr(s.value, 'driver ') > 0 AND instr(s.value, 'driver ' || d.value) = 0"
     " UNION ALL SELECT 'profile.driver is ' || d.value || ', device.source names another: '"
     " || v.source FROM profile d, device v WHERE d.key = 'driver'"
     " AND instr(v.source, 'driver ') > 0 AND instr(v.source, 'driver ' || d.value) = 0"
     " UNION ALL SELECT 'the device is ' || d.name || ', profile.source names another: ' || s.value"
     " FROM device d, profile s WHERE s.key = 'source'"
     " AND s.value LIKE 'measured by dcsim-calibrate % on %' AND instr(s.value, d.name) = 0"
     " UNION ALL SELECT label || ': the device has ' || d.sms || ' SMs' FROM sample x, device d"
     " WHERE x.sms > d.sms OR (x.mechanism = 'whole' AND x.sms <> d.sms)"
     " UNION ALL SELECT label || ': ' || x.clock_mhz || ' MHz, the device has at most ' || p.value"
     " FROM sample x JOIN profile p ON p.key = 'sm_clock_max_mhz'"
     " WHERE x.clock_mhz > CAST(p.value AS INTEGER)"},
    {"slower-with-more-sms", DCS_FACTS_NOTE, "slower with more SMs than with fewer, beyond noise", false,
     "SELECT printf('%s (%s): %s at %d SMs, %s at %d', x.label, x.mechanism, "
     MS("x.median_ns") ", x.sms, " MS("y.median_ns") ", y.sms) FROM solo x JOIN solo y"
     " ON y.application = x.application AND y.size = x.size AND y.kernel = x.kernel"
     " AND y.mechanism = x.mechanism AND y.sms < x.sms WHERE " SLOWER("x", "y")
     " GROUP BY x.rowid HAVING y.median_ns = min(y.median_ns)"
     " ORDER BY 1.0 * x.median_ns / y.median_ns DESC,"
     " x.application, x.size, x.kernel, x.mechanism, x.sms"},
    {"faster-with-size", DCS_FACTS_NOTE, "faster at a larger size, beyond noise", false,
     "SELECT printf('%s, %d SMs (%s): %s, at size %lld %s', x.label, x.sms, x.mechanism, "
     MS("x.median_ns") ", y.size, " MS("y.median_ns") ") FROM solo x JOIN solo y"
     " ON y.application = x.application AND y.kernel = x.kernel AND y.mechanism = x.mechanism"
     " AND y.sms = x.sms AND y.size < x.size WHERE " SLOWER("y", "x")
     " GROUP BY x.rowid HAVING y.median_ns = max(y.median_ns)"
     " ORDER BY 1.0 * y.median_ns / x.median_ns DESC,"
     " x.application, x.kernel, x.mechanism, x.sms, x.size"},
    {"few-samples", DCS_FACTS_NOTE, "fewer than 3 samples", true,
     "SELECT printf('%s: n = %d', label, n), kind, of_kind FROM sample JOIN sampled USING (kind)"
     " WHERE n < 3 AND stop <> 'published' ORDER BY kind, n, label"},
    {"stopped-early", DCS_FACTS_NOTE, "sampling ended by time or count, relative standard error above 1 %", true,
     "SELECT printf('%s: ended by %s, n = %d, median %s, standard deviation %s', label, stop, n, "
     MS("median_ns") ", " MS("stddev_ns") "), kind, of_kind FROM sample"
     " JOIN sampled USING (kind) WHERE stop IN ('time', 'count')"
     " AND stddev_ns * stddev_ns > 0.0001 * mean_ns * mean_ns * max(n, 1)"
     " ORDER BY kind, stddev_ns * stddev_ns / (1.0 * mean_ns * mean_ns * max(n, 1)) DESC, label"},
    {"throttled", DCS_FACTS_NOTE, "samples were thrown away because the clock fell", true,
     "SELECT printf('%s: %d thrown away, %d kept', label, throttled, n), kind, of_kind FROM sample"
     " JOIN sampled USING (kind) WHERE throttled > 0 ORDER BY kind, 1.0 * throttled / (throttled + n) DESC, label"},
    {"kernels-against-request", DCS_FACTS_NOTE, "the kernels of a request and the request differ by more than 10 %",
     false,
     "SELECT printf('%s, size %lld: %d kernels take %s, the request %s', r.application, r.size,"
     " count(*), " MS("total(k.median_ns)") ", " MS("q.median_ns") ") FROM request_kernel r"
     " JOIN whole q ON q.application = r.application AND q.size = r.size AND q.kernel = ''"
     " LEFT JOIN whole k ON k.application = r.application AND k.size = r.size"
     " AND k.kernel = r.kernel GROUP BY r.application, r.size"
     " HAVING count(*) = count(k.median_ns)"
     " AND abs(total(k.median_ns) - q.median_ns) > 0.1 * q.median_ns"
     " ORDER BY abs(total(k.median_ns) / q.median_ns - 1) DESC, r.application, r.size"},
    {"above-ceiling", DCS_FACTS_NOTE, "more than the device can do, as its ceilings were measured", false,
     "SELECT finding FROM (" RATE_ABOVE("DRAM GB/s",
                "((coalesce(x.dram_read_bytes, 0) + coalesce(x.dram_write_bytes, 0))"
                " / x.duration_ns)", "'copy', 'read'", "kernel_counters x")
     " AND x.duration_ns > 0 UNION ALL"
     RATE_ABOVE("L2 GB/s", "(x.l2_bytes / x.duration_ns)", "'l2_read', 'copy', 'read'",
                "kernel_counters x")
     " AND x.duration_ns > 0 UNION ALL"
     RATE_ABOVE("GFLOP/s", "(x.flop / w.median_ns)", "'matrix', 'fma'",
                "kernel_shape x JOIN whole w ON w.application = x.application"
                " AND w.size = x.size AND w.kernel = x.kernel AND w.median_ns > 0")
     " UNION ALL SELECT x.application || ', size ' || x.size || ', ' || x.kernel"
     " || ': a fraction above 1', " HIGHEST_FRACTION " FROM kernel_counters x WHERE "
     HIGHEST_FRACTION " > 1) ORDER BY excess DESC, finding"},
    {"sizes", DCS_FACTS_NOTE, "a size or kernel that one table has and another lacks", false,
     LACKS("request_solo", "request_kernel", "")
     " UNION ALL" LACKS("request_kernel", "request_solo", "")
     " UNION ALL" LACKS("request_kernel", "kernel_solo", SAME_KERNEL)
     " UNION ALL" LACKS("request_kernel", "kernel_shape", SAME_KERNEL)
     " UNION ALL" LACKS("kernel_solo", "kernel_shape", SAME_KERNEL)
     " UNION ALL" LACKS("kernel_counters", "kernel_solo", SAME_KERNEL)
     " UNION ALL" LACKS("corun_side", "kernel_solo", SAME_KERNEL)
     " UNION ALL SELECT DISTINCT x.application || ', size ' || x.size"
     " || ': outside of ' || s.size_min || ' to ' || s.size_max FROM solo x JOIN subject s"
     " ON s.application = x.application AND (x.size < s.size_min OR x.size > s.size_max)"
     " UNION ALL SELECT DISTINCT s.application || ': nothing measured at its default size '"
     " || s.size_default FROM subject s WHERE NOT EXISTS (SELECT 1 FROM solo x"
     " WHERE x.application = s.application AND x.size = s.size_default)"
     " UNION ALL SELECT DISTINCT x.application || ': measured, but not in subject' FROM solo x"
     " WHERE NOT EXISTS (SELECT 1 FROM subject s WHERE s.application = x.application)"
     " ORDER BY 1"},
    {NULL, 0, NULL, false, NULL},
};
