/*
 * profile_store_merge.c - two profiles of one model of device in one. See profile_store.h.
 *
 * Steps have no list of their rows, so what belongs together is told by keys. Rows of most tables
 * are taken over by groups: all rows of a group whose key the first profile does not have. Co-runs
 * and live runs are numbered in each profile by itself: they are told apart by what ran, and get
 * new numbers. `kernel` is made anew from the rest.
 */
#include "calibrate/store/profile_store_sql.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *table;
    const char *key[7]; /* of a group: the columns that one measurement has in common */
} grouped[] = {
    {"application", {"name"}},
    {"revocation", {"mechanism", "threads"}},
    {"subject", {"application"}},
    {"request_kernel", {"application", "size"}},
    {"kernel_shape", {"application", "size", "kernel"}},
    {"request_solo", {"application", "size", "mechanism", "sms"}},
    {"kernel_solo", {"application", "size", "kernel", "mechanism", "sms"}},
    {"kernel_launch", {"application", "size", "kernel", "mechanism", "sms"}},
    {"kernel_cluster", {"application", "size", "kernel", "mechanism", "sms"}},
    {"cluster_room", {"cluster_blocks"}},
    {"recorded", {"application", "size", "mechanism", "sms"}},
    {"recorded_clock", {"application", "size", "mechanism", "sms"}},
    {"recorded_launch", {"application", "size", "mechanism", "sms"}},
    {"kernel_counters", {"application", "size", "kernel", "l2"}},
    {"overhead", {"what", "mechanism", "sms"}},
    {"transfer", {"direction", "bytes", "beside"}},
    {"quota_switch", {"mechanism", "from_sms", "to_sms"}},
    {"scheduler_cost", {"policy"}},
    {"driven_kill", {"mechanism", "again"}},
    {"fused", {"tensor", "tensor_size", "cuda"}},
    {"residency", {"kernel", "beside"}},
    {"residency_l2", {"kernel"}},
    {"residency_three", {"kernel", "second", "third"}},
    {"resident_resource", {"resource"}},
    {"resident_kernel", {"kernel"}},
    {"resident_use", {"kernel"}},
    {"resident_rate", {"kernel", "beside"}},
    {"revocation_sample", {"mechanism", "threads", "co_runner"}},
    {"noise", {"application", "size", "kernel", "sms"}},
    {"cpu", {"key"}},
    {"cpu_application", {"application", "key"}},
    {"cpu_point", {"application", "size", "cores", "ways", "pressure", "level", "pressure_cores"}},
    {"cpu_sample", {"application", "size", "cores", "ways", "pressure", "level", "pressure_cores"}},
    {"cpu_pressure", {"pressure", "level", "cores"}},
    {"cpu_residual",
     {"application", "size", "cores", "ways", "pressure", "level", "pressure_cores"}},
    {"split_program", {"program", "iterations"}},
    {"split_time", {"program", "iterations", "side", "threads", "beside"}},
    {"split_run", {"program", "iterations", "threads", "policy"}},
};

/* identity: of a row `n` of the table in schema %s, as text. */
static const struct {
    const char *table, *rows, *reference, *identity;
} numbered[] = {
    {"corun", "corun_side", "corun",
     "n.kind || '/' || n.mechanism || '/' || ifnull(n.half, '') || '/' || n.draw || '/' ||"
     " ifnull((SELECT group_concat(what, '+') FROM (SELECT application || ' ' || size || ' ' ||"
     " kernel || ' ' || sms || ' ' || ifnull(percent, '') AS what FROM %s.corun_side"
     " WHERE corun = n.id ORDER BY side)), '')"},
    {"live", "live_request", "live",
     "n.service || ' ' || n.service_size || ' ' || n.service_percent || '+' || n.batch || ' ' ||"
     " n.batch_size || ' ' || n.batch_percent || '/' || n.allocation || '/' || n.load"},
    {"live_partition", "live_partition_request", "live",
     "n.service || ' ' || n.service_size || ' ' || n.service_sms || '+' || n.batch || ' ' ||"
     " n.batch_size || ' ' || n.batch_sms || '/' || n.load"},
};

static int run_sql(struct cal_store *s, const char *sql, struct dcs_err *err)
{
    return cal_store_execute(s, err, sql, "");
}

/* --- whether they belong together --- */

static int check_files(const struct cal_store *s, const char *from, struct dcs_err *err)
{
    struct stat a, b;
    if (stat(s->path, &a) == 0 && stat(from, &b) == 0 && a.st_dev == b.st_dev &&
        a.st_ino == b.st_ino)
        return dcs_err_at(err, from, 0, NULL, "cannot be merged into itself");
    struct cal_store *other = cal_store_open_existing(from, err);
    if (other == NULL)
        return -1;
    cal_store_close(other);
    return 0;
}

static int check_equal(struct cal_store *s, const char *from, const char *what, const char *sql,
                       struct dcs_err *err)
{
    char ask[256], mine[256] = "none", theirs[256] = "none";
    snprintf(ask, sizeof ask, sql, "main");
    cal_store_get_text(s, mine, sizeof mine, ask, "");
    snprintf(ask, sizeof ask, sql, "other");
    cal_store_get_text(s, theirs, sizeof theirs, ask, "");
    if (strcmp(mine, theirs) == 0)
        return 0;
    return dcs_err_at(err, from, 0, NULL,
                      "has the %s %.60s, and %.100s has %.60s: they do not belong in one profile",
                      what, theirs, s->path, mine);
}

static int check_same(struct cal_store *s, const char *from, struct dcs_err *err)
{
    double unlike = 0;
    if (check_equal(s, from, "schema version",
                    "SELECT value FROM %s.profile WHERE key = 'schema_version'", err) != 0 ||
        check_equal(s, from, "device", "SELECT name || ' with ' || sms || ' SMs' FROM %s.device",
                    err) != 0 ||
        check_equal(s, from, "driver", "SELECT value FROM %s.profile WHERE key = 'driver'", err) !=
            0)
        return -1;
    /* Two CPUs of one name may have other caches, memory and guests. */
    if (cal_store_is_cpu(s) &&
        (check_equal(s, from, "machine", "SELECT value FROM %s.profile WHERE key = 'device_uuid'",
                     err) != 0 ||
         check_equal(s, from, "number of ways", "SELECT value FROM %s.cpu WHERE key = 'ways'",
                     err) != 0))
        return -1;
    /* A table that only the first has is newer than the other profile, which has no rows of it. */
    if (!cal_store_get(s, &unlike,
                       "SELECT count(*) FROM (SELECT name, sql FROM other.sqlite_master"
                       " WHERE type = 'table' EXCEPT SELECT name, sql FROM main.sqlite_master)",
                       ""))
        return cal_store_failed(s, "read", err);
    if (unlike > 0)
        return dcs_err_at(err, from, 0, NULL,
                          "has other tables than %.100s: both must be of one version of "
                          "dcsim-calibrate",
                          s->path);
    return 0;
}

/* --- taking over --- */

static int has_table(struct cal_store *s, const char *table, bool *has, struct dcs_err *err)
{
    double count = 0;
    if (!cal_store_get(s, &count,
                       "SELECT count(*) FROM other.sqlite_master WHERE type = 'table' AND name = ?",
                       "t", table))
        return cal_store_failed(s, "read", err);
    *has = count > 0;
    return 0;
}

static int take_groups(struct cal_store *s, size_t which, struct dcs_err *err)
{
    char sql[1024];
    const char *table = grouped[which].table;
    bool has = false;
    if (has_table(s, table, &has, err) != 0)
        return -1;
    if (!has)
        return 0;
    size_t used = (size_t)snprintf(sql, sizeof sql,
                                   "INSERT INTO main.%s SELECT * FROM other.%s AS theirs"
                                   " WHERE NOT EXISTS (SELECT 1 FROM main.%s AS mine WHERE 1",
                                   table, table, table);
    for (size_t i = 0; i < 7 && grouped[which].key[i] != NULL; i++)
        used += (size_t)snprintf(sql + used, sizeof sql - used, " AND mine.%s IS theirs.%s",
                                 grouped[which].key[i], grouped[which].key[i]);
    used += (size_t)snprintf(sql + used, sizeof sql - used, ")");
    DCS_ASSERT(used < sizeof sql);
    return run_sql(s, sql, err);
}

/* Columns but the first, which is the number. */
static int columns_of(struct cal_store *s, const char *table, char *text, size_t size,
                      struct dcs_err *err)
{
    return cal_store_get_text(s, text, size,
                              "SELECT group_concat(name, ', ') FROM (SELECT name FROM"
                              " pragma_table_info(?) WHERE cid > 0 ORDER BY cid)",
                              "t", table)
               ? 0
               : cal_store_failed(s, "read the schema", err);
}

static int take_numbered(struct cal_store *s, size_t which, struct dcs_err *err)
{
    const char *table = numbered[which].table, *rows = numbered[which].rows;
    char mine[768], theirs[768], columns[512], row_columns[512], sql[2560];
    snprintf(mine, sizeof mine, numbered[which].identity, "main");
    snprintf(theirs, sizeof theirs, numbered[which].identity, "other");
    if (columns_of(s, table, columns, sizeof columns, err) != 0 ||
        columns_of(s, rows, row_columns, sizeof row_columns, err) != 0)
        return -1;
    snprintf(sql, sizeof sql,
             "CREATE TEMP TABLE taken_%s AS SELECT id,"
             " (SELECT ifnull(max(id), 0) FROM main.%s) + row_number() OVER (ORDER BY id) AS number"
             " FROM other.%s AS n WHERE %s NOT IN (SELECT %s FROM main.%s AS n)",
             table, table, table, theirs, mine, table);
    if (run_sql(s, sql, err) != 0)
        return -1;
    snprintf(sql, sizeof sql,
             "INSERT INTO main.%s SELECT number, %s FROM temp.taken_%s JOIN other.%s USING (id)",
             table, columns, table, table);
    if (run_sql(s, sql, err) != 0)
        return -1;
    snprintf(sql, sizeof sql,
             "INSERT INTO main.%s SELECT number, %s FROM other.%s AS r JOIN temp.taken_%s AS t"
             " ON r.%s = t.id",
             rows, row_columns, rows, table, numbered[which].reference);
    bool tails = false;
    if (run_sql(s, sql, err) != 0 ||
        (strcmp(table, "corun") == 0 && has_table(s, "corun_tail", &tails, err) != 0))
        return -1;
    return tails ? run_sql(s,
                           "INSERT INTO main.corun_tail SELECT number, side, p95_ns, solo_p95_ns"
                           " FROM other.corun_tail AS r JOIN temp.taken_corun AS t"
                           " ON r.corun = t.id",
                           err)
                 : 0;
}

static int take_steps(struct cal_store *s, int64_t *count, struct dcs_err *err)
{
    double n = 0;
    const char *lacking = "state = 'done' AND key NOT IN"
                          " (SELECT key FROM main.step WHERE state = 'done')";
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM other.step WHERE %s", lacking);
    if (!cal_store_get(s, &n, sql, ""))
        return cal_store_failed(s, "read", err);
    *count = (int64_t)n;
    snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO main.step SELECT * FROM other.step WHERE %s",
             lacking);
    return run_sql(s, sql, err);
}

struct uuids {
    char all[CAL_UUIDS_BYTES];
    bool full;
};

static bool add_uuid(void *context, const char *const *row)
{
    struct uuids *u = context;
    const char *at = row[0];
    while (*at != '\0') {
        size_t length = strcspn(at, ", ");
        char uuid[64];
        snprintf(uuid, sizeof uuid, "%.*s", (int)length, at);
        size_t used = strlen(u->all), room = sizeof u->all - used;
        if (strstr(u->all, uuid) == NULL)
            u->full =
                snprintf(u->all + used, room, "%s%s", used > 0 ? ", " : "", uuid) >= (int)room;
        at += length;
        at += strspn(at, ", ");
    }
    return !u->full;
}

static int name_devices(struct cal_store *s, struct dcs_err *err)
{
    struct uuids u = {0};
    if (cal_store_each(s,
                       "SELECT value FROM main.profile WHERE key = 'device_uuid' UNION ALL"
                       " SELECT value FROM other.profile WHERE key = 'device_uuid'",
                       add_uuid, &u, err) != 0)
        return -1;
    if (u.full)
        return dcs_err_at(err, s->path, 0, NULL, "too many devices in one profile");
    return cal_store_put(s, err, "profile", "tt", "device_uuid", u.all);
}

static int take_all(struct cal_store *s, int64_t *steps, struct dcs_err *err)
{
    for (size_t i = 0; i < sizeof grouped / sizeof grouped[0]; i++)
        if (take_groups(s, i, err) != 0)
            return -1;
    for (size_t i = 0; i < sizeof numbered / sizeof numbered[0]; i++)
        if (take_numbered(s, i, err) != 0)
            return -1;
    return take_steps(s, steps, err) != 0 || name_devices(s, err) != 0 ? -1 : 0;
}

static int merge(struct cal_store *s, const char *from,
                 int (*finish)(struct cal_store *s, struct dcs_err *err), int64_t *steps,
                 struct dcs_err *err)
{
    if (cal_store_begin(s, err) != 0)
        return -1;
    int failed = cal_store_add_tables(s, err) != 0 || check_same(s, from, err) != 0 ||
                 take_all(s, steps, err) != 0 || finish(s, err) != 0;
    return cal_store_end(s, !failed, err) != 0 || failed ? -1 : 0;
}

int cal_store_merge(struct cal_store *s, const char *from,
                    int (*finish)(struct cal_store *s, struct dcs_err *err), int64_t *steps,
                    struct dcs_err *err)
{
    *steps = 0;
    if (check_files(s, from, err) != 0 ||
        cal_store_execute(s, err, "ATTACH ? AS other", "t", from) != 0)
        return -1;
    int failed = merge(s, from, finish, steps, err);
    sqlite3_exec(s->db,
                 "DROP TABLE IF EXISTS temp.taken_corun;"
                 "DROP TABLE IF EXISTS temp.taken_live;"
                 "DROP TABLE IF EXISTS temp.taken_live_partition;"
                 "DETACH other",
                 NULL, NULL, NULL);
    return failed;
}
