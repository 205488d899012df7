/*
 * profile_facts_sql.c - see profile_facts_sql.h. The rules of lint are in profile_rules.c.
 */
#include "models/profile/profile_facts_sql.h"

/* One line of SQL in each line. */
/* clang-format off */

#define COUNT_OF(what, from) " UNION ALL SELECT '" what "', (SELECT count(*) FROM " from ")"

/* What a profile need not have. */
#define COUNT_IF_ANY(what, from)                                                                   \
    " UNION ALL SELECT '" what "', n FROM (SELECT count(*) AS n FROM " from ") WHERE n > 0"
#define KERNELS_THAT_CONTEND(how)                                                                  \
    "(SELECT DISTINCT application, size, kernel FROM contention_kernel WHERE source " how          \
    " 'like %')"

#define DEFAULT_OF(app)                                                                            \
    "(SELECT size_default FROM subject WHERE subject.application = " app ")"

/* The request alone on the whole device; without a measurement the sum that a simulation takes. */
#define REQUEST_OF(app)                                                                            \
    "coalesce((SELECT median_ns FROM whole WHERE whole.application = " app                         \
    " AND whole.size = " DEFAULT_OF(app) " AND kernel = '' LIMIT 1),"                              \
    " (SELECT total(duration_ns) FROM kernel WHERE kernel.application = " app                      \
    " HAVING count(*) > 0))"

#define REQUEST_AT(app, sms_)                                                                      \
    "(SELECT median_ns FROM request_solo q WHERE q.application = " app                             \
    " AND q.size = " DEFAULT_OF(app) " AND q.sms = " sms_ " AND q.mechanism <> 'whole'"            \
    " ORDER BY mechanism LIMIT 1)"

#define ALL_NAMES                                                                                  \
    "(SELECT name FROM application UNION SELECT application AS name FROM subject) x"

const char *const dcs_facts_queries[DCS_FACTS_QUERIES] = {
    [DCS_FACTS_NOTES] =
        "SELECT key, value FROM profile WHERE key NOT IN ('schema_version', 'name', 'partial')"
        " ORDER BY key",
    [DCS_FACTS_UNFITTED] = "SELECT finding FROM unfitted",
    [DCS_FACTS_COUNTS] =
        "SELECT 'requests alone', (SELECT count(*) FROM request_solo)"
        COUNT_OF("kernels alone", "kernel_solo")
        COUNT_OF("launches of kernels", "kernel_launch")
        COUNT_OF("hardware counters", "kernel_counters")
        COUNT_OF("overheads and ceilings", "overhead")
        COUNT_OF("transfers", "transfer")
        COUNT_OF("quota switches", "quota_switch")
        COUNT_IF_ANY("costs of scheduling", "scheduler_cost")
        COUNT_IF_ANY("quantiles of kills", "driven_kill")
        COUNT_OF("co-runs: sensitivity", "corun WHERE kind = 'sensitivity'")
        COUNT_IF_ANY("co-runs: kernels in requests", "corun WHERE kind = 'request'")
        COUNT_OF("co-runs: meters", "corun WHERE kind = 'meter'")
        COUNT_OF("co-runs: pairs, dev half", "corun WHERE kind = 'pair' AND half = 'dev'")
        COUNT_OF("co-runs: pairs, test half", "corun WHERE kind = 'pair' AND half = 'test'")
        COUNT_OF("co-runs: pairs, test2", "corun WHERE kind = 'pair' AND half = 'test2'")
        COUNT_IF_ANY("co-runs: pairs, test3", "corun WHERE kind = 'pair' AND half = 'test3'")
        COUNT_OF("co-runs: pairs, other sizes", "corun WHERE kind = 'sized-pair'")
        COUNT_OF("co-runs: triples", "corun WHERE kind = 'triple'")
        COUNT_IF_ANY("co-runs: quadruples", "corun WHERE kind = 'quadruple'")
        COUNT_OF("co-runs: oversubscription", "corun WHERE kind = 'oversubscription'")
        COUNT_OF("live runs", "live")
        COUNT_OF("live requests", "live_request")
        COUNT_OF("live runs on partitions", "live_partition")
        COUNT_OF("live requests on partitions", "live_partition_request")
        COUNT_OF("fused points", "fused")
        COUNT_OF("revocations", "revocation_sample")
        COUNT_OF("noise samples", "noise")
        COUNT_OF("contention: resources", "contention_resource")
        COUNT_OF("contention: points of kernels", "contention_kernel")
        COUNT_OF("contention: kernels measured", KERNELS_THAT_CONTEND("NOT LIKE"))
        COUNT_IF_ANY("contention: kernels guessed", KERNELS_THAT_CONTEND("LIKE"))
        COUNT_IF_ANY("points of kernels inside an SM", "residency")
        COUNT_IF_ANY("rates of kernels inside an SM", "resident_rate")
        COUNT_IF_ANY("chunks on CPU and GPU", "split_time")
        COUNT_IF_ANY("requests on CPU and GPU", "split_run")
        COUNT_OF("steps done", "step WHERE state = 'done'")
        COUNT_OF("steps failed", "step WHERE state = 'failed'"),
    [DCS_FACTS_CPU] = "SELECT key, value FROM cpu ORDER BY key = 'ways' DESC, key",
    [DCS_FACTS_ORIGINS] =
        "SELECT origin, count(*) FROM (SELECT origin FROM cpu UNION ALL"
        " SELECT origin FROM cpu_application) GROUP BY origin ORDER BY 2 DESC, 1",
    [DCS_FACTS_CEILINGS] =
        "SELECT what, max(amount / max(median_ns, 1)),"
        " max(CASE WHEN mechanism = 'whole' THEN median_ns / amount END), unit"
        " FROM overhead WHERE amount > 0 GROUP BY what, unit ORDER BY amount = 1, what",
    [DCS_FACTS_SWITCHES] =
        "SELECT mechanism, total(median_ns) / count(*), max(p95_ns), count(*) FROM quota_switch"
        " GROUP BY mechanism ORDER BY min(rowid)",
    [DCS_FACTS_SM_COUNTS] =
        "SELECT DISTINCT sms FROM request_solo WHERE mechanism <> 'whole'"
        " AND sms < (SELECT sms FROM device) ORDER BY sms",
    [DCS_FACTS_APPS] =
        "SELECT x.name, coalesce(a.class, '?'), a.sla_ns, " REQUEST_OF("x.name") ","
        " coalesce((SELECT nullif(count(*), 0) FROM request_kernel r WHERE r.application = x.name"
        "  AND r.size = s.size_default),"
        "  (SELECT count(*) FROM kernel k WHERE k.application = x.name)),"
        " (SELECT count(DISTINCT kernel) FROM solo k WHERE k.application = x.name"
        "  AND k.kernel <> '' AND k.size = s.size_default),"
        " s.size_default, coalesce(s.size_unit, ''), s.size_min, s.size_max,"
        " (SELECT count(DISTINCT size) FROM request_solo q WHERE q.application = x.name),"
        " (SELECT count(DISTINCT sms) FROM request_solo q WHERE q.application = x.name),"
        " (SELECT count(DISTINCT corun) FROM corun_side c WHERE c.application = x.name),"
        " (SELECT count(*) FROM fused f WHERE f.tensor = x.name OR f.cuda = x.name)"
        " FROM " ALL_NAMES " LEFT JOIN application a ON a.name = x.name"
        " LEFT JOIN subject s ON s.application = x.name ORDER BY x.name",
    [DCS_FACTS_SCALING] =
        "SELECT x.name, " REQUEST_AT("x.name", ":few") ", " REQUEST_AT("x.name", ":half") ","
        REQUEST_OF("x.name") " FROM " ALL_NAMES " ORDER BY x.name",
    [DCS_FACTS_CONTENTION] =
        "WITH timed AS (SELECT r.application AS app, r.size AS size, r.kernel AS kernel,"
        "  total(coalesce((SELECT median_ns FROM whole w WHERE w.application = r.application"
        "   AND w.size = r.size AND w.kernel = r.kernel LIMIT 1), k.duration_ns)) AS ns"
        "  FROM request_kernel r JOIN subject s ON s.application = r.application"
        "   AND s.size_default = r.size"
        "  LEFT JOIN kernel k ON k.application = r.application AND k.position = r.position"
        "  LEFT JOIN kernel_shape h ON h.application = r.application AND h.size = r.size"
        "   AND h.kernel = r.kernel"
        "  WHERE coalesce(h.kind, '') NOT IN ('to_device', 'from_device') GROUP BY 1, 2, 3),"
        " known AS (SELECT app, ns, (SELECT max(source LIKE 'like %') FROM contention_kernel c"
        "   WHERE c.application = t.app AND c.size = t.size AND c.kernel = t.kernel) AS guessed"
        "  FROM timed t)"
        " SELECT app, total(CASE guessed WHEN 0 THEN ns END) / nullif(total(ns), 0),"
        " total(CASE guessed WHEN 1 THEN ns END) / nullif(total(ns), 0),"
        " total(CASE WHEN guessed IS NULL THEN ns END) / nullif(total(ns), 0) FROM known"
        " WHERE EXISTS (SELECT 1 FROM contention_kernel) GROUP BY app ORDER BY app",
    [DCS_FACTS_REVOCATIONS] =
        "SELECT mechanism, threads, co_runner, count(*), avg(kill_ns), avg(start_ns),"
        " avg(clear_ns), avg(spawn_ns), total(co_died > 0) FROM revocation_sample"
        " GROUP BY mechanism, threads, co_runner ORDER BY mechanism, threads, co_runner",
    [DCS_FACTS_FAILED_STEPS] =
        "SELECT key, reason FROM step WHERE state = 'failed' ORDER BY key",
    [DCS_FACTS_APP_REQUESTS] =
        "SELECT size, mechanism, sms, median_ns, mean_ns, stddev_ns, n, throttled FROM request_solo"
        " WHERE application = :app ORDER BY size, mechanism, sms",
    [DCS_FACTS_APP_KERNELS] =
        "WITH launched AS (SELECT kernel, count(*) AS launches, min(position) AS first"
        "  FROM request_kernel WHERE application = :app AND size = " DEFAULT_OF(":app")
        "  GROUP BY kernel),"
        " known AS (SELECT kernel FROM launched UNION SELECT DISTINCT kernel FROM kernel_solo"
        "  WHERE application = :app AND size = " DEFAULT_OF(":app") "),"
        " timed AS (SELECT n.kernel, l.launches, l.first, w.median_ns, w.n FROM known n"
        "  LEFT JOIN launched l ON l.kernel = n.kernel"
        "  LEFT JOIN whole w ON w.application = :app AND w.size = " DEFAULT_OF(":app")
        "  AND w.kernel = n.kernel)"
        " SELECT t.kernel, t.launches, t.median_ns,"
        " (SELECT median_ns FROM kernel_solo k WHERE k.application = :app"
        "  AND k.size = " DEFAULT_OF(":app") " AND k.kernel = t.kernel AND k.sms = :half"
        "  AND k.mechanism <> 'whole' ORDER BY mechanism LIMIT 1),"
        " t.launches * t.median_ns / (SELECT nullif(total(launches * median_ns), 0) FROM timed),"
        " h.blocks, h.threads_per_block, t.n FROM timed t"
        " LEFT JOIN kernel_shape h ON h.application = :app AND h.size = " DEFAULT_OF(":app")
        " AND h.kernel = t.kernel ORDER BY t.first IS NULL, t.first, t.kernel",
    [DCS_FACTS_APP_ABOUT] =
        "SELECT coalesce(s.papers, ''), coalesce(s.algorithm, ''), coalesce(a.source, '')"
        " FROM " ALL_NAMES " LEFT JOIN application a ON a.name = x.name"
        " LEFT JOIN subject s ON s.application = x.name WHERE x.name = :app",
};
