/* compare_groups.c - see compare_groups.h. */
#include "results/compare_groups.h"

#include "results/compare_parts.h"
#include "results/compare_names.h"
#include "experiment/experiment.h"
#include "runs/metric_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Systems ---- */

/* The kinds of input files that a key chooses. */
static void append_inputs(struct text_buffer *sql, const char *const *keys, size_t keys_count)
{
    static const struct {
        const char *key, *kinds;
    } chooses[] = {{"policy", "'plugin'"},
                   {"predictor", "'predictors'"},
                   {"profile", "'profile', 'predictors'"},
                   {"cluster", "'profile', 'predictors'"},
                   {"workload", "'trace'"}};
    text_append(sql, "(SELECT group_concat(kind || ' ' || position || ' ' || sha256) FROM "
                     "(SELECT * FROM input i WHERE i.experiment = e.id AND kind NOT IN (''");
    for (size_t i = 0; i < keys_count; i++)
        for (size_t c = 0; c < sizeof chooses / sizeof chooses[0]; c++) {
            size_t n = strlen(chooses[c].key);
            if (strncmp(keys[i], chooses[c].key, n) == 0 && strchr(".[", keys[i][n]) != NULL)
                text_append(sql, ", %s", chooses[c].kinds);
        }
    text_append(sql, ") ORDER BY kind, position))");
}

/* As experiment_model() has them. */
#define FILES                                                                                      \
    "coalesce((SELECT group_concat(kind || ' ' || sha256 || char(10), '') FROM (SELECT kind, "     \
    "sha256 FROM input i WHERE i.experiment = e.id AND kind <> 'plugin' ORDER BY kind = 'trace', " \
    "kind = 'predictors', position)), '') || 'plugin ' || coalesce((SELECT sha256 FROM input i "   \
    "WHERE i.experiment = e.id AND kind = 'plugin'), '') || char(10)"

#define GPU "(SELECT max(trim(device || ' ' || uuid)) FROM driven d WHERE d.experiment = e.id)"

/* Which version of the model gave an experiment its hash. */
static int find_model(const struct compare_system *s, sqlite3_stmt *row)
{
    const char *config_hash = (const char *)sqlite3_column_text(row, 8);
    const char *files = (const char *)sqlite3_column_text(row, 9);
    if (config_hash == NULL || files == NULL)
        return 0;
    struct text_buffer all = {0};
    text_append(&all, "%s%s", files, s->gpu[0] != '\0' ? "driven\n" : "");
    int model = experiment_model(s->hash, config_hash, all.text);
    free(all.text);
    return model;
}

/* Whole jobs of which nothing is drawn. */
#define EVEN                                                                                       \
    "(" COMPARE_GANGS " AND coalesce(json_extract(e.config, '$.workload.trace[0].keep'), 1) = 1)"

/* The key that makes an experiment's devices hypothetical, or NULL. Before version 21 of the model
 * only the assumptions said so, and the key was always the same. */
#define HYPOTHETICAL_BY_TEXT                                                                       \
    "(SELECT 'sharing.resize_at' FROM input i WHERE i.experiment = e.id AND kind = 'profile' AND " \
    "falls_back LIKE '" EXPERIMENT_HYPOTHETICAL "%' LIMIT 1)"
#define HYPOTHETICAL_BY_ROW                                                                        \
    "coalesce((SELECT key FROM hypothetical h WHERE h.experiment = e.id), " HYPOTHETICAL_BY_TEXT ")"

/* inputs: the first so many of the keys may choose other input files. */
static int read_systems(struct compare_groups *g, const struct results *r, const char *const *keys,
                        size_t keys_count, size_t inputs, struct dcs_err *err)
{
    struct text_buffer sql = {0};
    bool driven, hypothetical;
    if (results_has(r, "driven", &driven, err) != 0 ||
        results_has(r, "hypothetical", &hypothetical, err) != 0)
        return -1;
    text_append(&sql,
                "SELECT e.id, e.hash, e.name, e.policy, e.interval_kind = 'median', "
                "EXISTS (SELECT 1 FROM summary s WHERE s.experiment = e.id AND s.name = "
                "'overloaded' AND s.value = 1), (SELECT max(value) FROM summary s WHERE "
                "s.experiment = e.id AND s.name = 'unfinished' AND s.app IS NULL AND s.class "
                "IS NULL), (SELECT CASE WHEN min(build) = max(build) "
                "THEN min(build) ELSE min(build) || ', ' || max(build) END FROM run WHERE "
                "run.experiment = e.id), e.config_hash, " FILES ", %s, " EVEN ", " COMPARE_GANGS
                ", %s, ",
                driven ? GPU : "NULL", hypothetical ? HYPOTHETICAL_BY_ROW : HYPOTHETICAL_BY_TEXT);
    compare_append_world(&sql, keys_count);
    text_append(&sql, " || coalesce(");
    append_inputs(&sql, keys, inputs);
    text_append(&sql, ", '') FROM experiment e WHERE EXISTS (SELECT 1 FROM run WHERE "
                      "run.experiment = e.id) ORDER BY e.id");
    sqlite3_stmt *row = results_prepare(r, sql.text, err);
    free(sql.text);
    if (row == NULL)
        return -1;
    compare_bind_keys(row, keys, keys_count);
    size_t capacity = 0;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        g->systems = dcs_grow(g->systems, &capacity, g->systems_count + 1, sizeof *g->systems);
        g->systems[g->systems_count++] =
            (struct compare_system){.id = sqlite3_column_int64(row, 0),
                                    .hash = compare_text(row, 1),
                                    .name = compare_text(row, 2),
                                    .policy = compare_text(row, 3),
                                    .median = sqlite3_column_int(row, 4) != 0,
                                    .overloaded = sqlite3_column_int(row, 5) != 0,
                                    .unfinished = sqlite3_column_type(row, 6) == SQLITE_NULL
                                                      ? (double)NAN
                                                      : sqlite3_column_double(row, 6),
                                    .builds = compare_text(row, 7),
                                    .gpu = compare_text(row, 10),
                                    .even = sqlite3_column_int(row, 11) != 0,
                                    .gangs = sqlite3_column_int(row, 12) != 0,
                                    .hypothetical = compare_text(row, 13),
                                    .world = compare_text(row, 14)};
        struct compare_system *s = &g->systems[g->systems_count - 1];
        s->model = find_model(s, row);
    }
    sqlite3_finalize(row);
    if (code != SQLITE_DONE)
        return results_failed(r, err);
    if (g->systems_count == 0)
        return dcs_err_at(err, r->path, 0, NULL, "holds no run: there is nothing to compare");
    return 0;
}

/* Which rows of tables metric and summary are of a metric. */
#define OF_SCOPE                                                                                   \
    "experiment = ?1 AND app IS (SELECT app FROM application a WHERE a.experiment = ?1 AND "       \
    "a.name = ?3) AND (?3 IS NULL OR app IS NOT NULL) AND class IS ?4"
#define OF_METRIC OF_SCOPE " AND name = ?2"

static sqlite3_stmt *prepare_metric(const struct compare_system *s, const struct results *r,
                                    const struct compare_metric *m, const char *sql,
                                    struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r, sql, err);
    if (row == NULL)
        return NULL;
    sqlite3_bind_int64(row, 1, s->id);
    sqlite3_bind_text(row, 2, m->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 3, m->application, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 4, m->application != NULL ? NULL : m->class, -1, SQLITE_STATIC);
    return row;
}

/* A summary has no value but a low end where the quantile lies beyond what was seen. */
static int read_least(struct compare_system *s, const struct results *r,
                      const struct compare_metric *m, struct dcs_err *err)
{
    sqlite3_stmt *row = prepare_metric(
        s, r, m, "SELECT low FROM summary WHERE value IS NULL AND low IS NOT NULL AND " OF_METRIC,
        err);
    if (row == NULL)
        return -1;
    int code = sqlite3_step(row);
    s->unreached = code == SQLITE_ROW;
    s->least = s->unreached ? sqlite3_column_double(row, 0) : (double)NAN;
    sqlite3_finalize(row);
    return code == SQLITE_ROW || code == SQLITE_DONE ? 0 : results_failed(r, err);
}

/* A share of the requests above which what was cut off is told (docs/statistics.md): a mean of
 * response times that lacks more is of other requests than another policy's. */
#define PARTIAL_REQUESTS 0.01

/* A mean of times is of what ended. Who is cut off of requests is chance, up to a point. Of whole
 * jobs it is those that a queue lets wait, so that one that is missing may be all the difference.
 */
static int read_counted(struct compare_system *s, const struct results *r,
                        const struct compare_metric *m, struct dcs_err *err)
{
    s->counted = s->of = 0;
    s->partial = false;
    if (!metric_name_is_mean_time(m->name))
        return 0;
    sqlite3_stmt *row = prepare_metric(
        s, r, m,
        s->gangs ? "SELECT sum(n), (SELECT sum(value) FROM metric WHERE name = 'jobs' AND " OF_SCOPE
                   ") FROM metric WHERE " OF_METRIC
                 : "SELECT sum(value * (k.name = 'requests')) - sum(value * (k.name = 'inside')), "
                   "sum(value * (k.name = 'requests')) FROM metric k WHERE name IN ('requests', "
                   "'inside') AND " OF_SCOPE,
        err);
    if (row == NULL)
        return -1;
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        s->counted = sqlite3_column_double(row, 0);
        s->of = sqlite3_column_double(row, 1);
        s->partial = s->of - s->counted > (s->gangs ? 0 : PARTIAL_REQUESTS * s->of);
    }
    sqlite3_finalize(row);
    return code == SQLITE_ROW || code == SQLITE_DONE ? 0 : results_failed(r, err);
}

/* Drops the values of another metric. */
static int read_values(struct compare_system *s, const struct results *r,
                       const struct compare_metric *m, struct dcs_err *err)
{
    sqlite3_stmt *row = prepare_metric(
        s, r, m, "SELECT replication, value, n FROM metric WHERE " OF_METRIC " ORDER BY 1", err);
    if (row == NULL)
        return -1;
    free(s->values);
    s->values = NULL;
    s->runs = 0;
    bool cut = false;
    size_t capacity = 0;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        s->replications =
            dcs_grow(s->replications, &s->capacity, s->runs + 1, sizeof *s->replications);
        s->values = dcs_grow(s->values, &capacity, s->runs + 1, sizeof *s->values);
        bool none = sqlite3_column_type(row, 1) == SQLITE_NULL;
        double value = none ? (double)NAN : sqlite3_column_double(row, 1);
        cut = cut || (none && sqlite3_column_int64(row, 2) > 0);
        s->replications[s->runs] = (uint32_t)sqlite3_column_int64(row, 0);
        s->values[s->runs++] = m->complement ? 1 - value : value;
    }
    sqlite3_finalize(row);
    if (code != SQLITE_DONE)
        return results_failed(r, err);
    if (read_least(s, r, m, err) != 0 || read_counted(s, r, m, err) != 0)
        return -1;
    s->unreached = s->unreached || (cut && metric_name_is_quantile(m->name));
    return 0;
}

int compare_groups_values(struct compare_groups *g, const struct results *r,
                          const struct compare_metric *metric, struct dcs_err *err)
{
    for (size_t i = 0; i < g->systems_count; i++)
        if (read_values(&g->systems[i], r, metric, err) != 0)
            return -1;
    return 0;
}

/* ---- Groups ---- */

static int compare_worlds(const struct compare_system *x, const struct compare_system *y)
{
    return x->model != y->model ? (x->model < y->model ? -1 : 1) : strcmp(x->world, y->world);
}

static int by_world(const void *a, const void *b)
{
    const struct compare_system *x = *(struct compare_system *const *)a;
    const struct compare_system *y = *(struct compare_system *const *)b;
    int order = compare_worlds(x, y);
    return order != 0 ? order : x->id < y->id ? -1 : x->id > y->id;
}

/* Numbers within labels by value, everything else by its characters. */
static int compare_texts(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        char *a_end, *b_end;
        bool digits = *a >= '0' && *a <= '9' && *b >= '0' && *b <= '9';
        double x = digits ? strtod(a, &a_end) : 0, y = digits ? strtod(b, &b_end) : 0;
        if (digits && x != y)
            return x < y ? -1 : 1;
        if (!digits && *a != *b)
            break;
        a = digits ? a_end : a + 1;
        b = digits ? b_end : b + 1;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static int by_label(const void *a, const void *b)
{
    const struct compare_system *x = *(struct compare_system *const *)a;
    const struct compare_system *y = *(struct compare_system *const *)b;
    int order = compare_texts(x->label, y->label);
    return order != 0 ? order : x->id < y->id ? -1 : x->id > y->id;
}

static int by_heading(const void *a, const void *b)
{
    const struct compare_group *x = a, *y = b;
    int order = compare_texts(x->heading, y->heading);
    return order != 0 ? order : compare_worlds(x->systems[0], y->systems[0]);
}

static void make_groups(struct compare_groups *g, const struct compare_leaves *named,
                        const struct compare_leaves *varying)
{
    struct compare_system **order = dcs_alloc(g->systems_count + 1, sizeof *order);
    for (size_t i = 0; i < g->systems_count; i++)
        order[i] = &g->systems[i];
    qsort(order, g->systems_count, sizeof(struct compare_system *), by_world);
    compare_labels(g, named);
    size_t capacity = 0;
    for (size_t i = 0, n; i < g->systems_count; i += n) {
        for (n = 1; i + n < g->systems_count && compare_worlds(order[i], order[i + n]) == 0;)
            n++;
        g->groups = dcs_grow(g->groups, &capacity, g->count + 1, sizeof *g->groups);
        struct compare_group *group = &g->groups[g->count++];
        *group = (struct compare_group){dcs_alloc(n, sizeof(struct compare_system *)), n, NULL};
        memcpy(group->systems, &order[i], n * sizeof(struct compare_system *));
        group->heading = compare_heading(g, varying, group->systems[0]);
        qsort(group->systems, n, sizeof(struct compare_system *), by_label);
        compare_twins(group);
    }
    free(order);
    qsort(g->groups, g->count, sizeof *g->groups, by_heading);
}

/* A key that no config has would put every experiment into a group of its own. */
static int check_keys(const struct results *r, const char *const *keys, size_t count,
                      const struct compare_leaves *named, struct dcs_err *err)
{
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(keys[i]);
        bool found = false;
        for (size_t k = 0; k < named->count && !found; k++)
            found = strncmp(named->keys[k].key, keys[i], n) == 0 &&
                    strchr(".[", named->keys[k].key[n]) != NULL;
        if (found)
            continue;
        char *near = results_nearest(
            r,
            "SELECT DISTINCT replace(substr(t.fullkey, 3), '\"', '') FROM experiment e, "
            "json_tree(e.config) t WHERE length(t.fullkey) > 2",
            keys[i]);
        dcs_err_at(err, "command line", 0, "--key", "no config in %s has the key \"%.80s\"%s",
                   r->path, keys[i], near);
        free(near);
        return -1;
    }
    return 0;
}

/* Of whole jobs the queue decides, where others have a policy. */
static const char *const queue_keys[] = {"cluster.queue.order", "cluster.queue.placement",
                                         "cluster.queue.depth"};
#define QUEUE_KEYS (sizeof queue_keys / sizeof queue_keys[0])

/* Whether these keys are meant, too: "policy" is named, and there are whole jobs. -1 and err: the
 * database cannot be read. */
static int decides_queue(const struct results *r, const char *const *keys, size_t count,
                         struct dcs_err *err)
{
    bool policy = false;
    for (size_t i = 0; i < count; i++)
        policy = policy || strcmp(keys[i], "policy") == 0;
    sqlite3_stmt *row =
        policy
            ? results_prepare(r, "SELECT 1 FROM experiment e WHERE " COMPARE_GANGS " LIMIT 1", err)
            : NULL;
    if (row == NULL)
        return policy ? -1 : 0;
    int code = sqlite3_step(row);
    sqlite3_finalize(row);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : results_failed(r, err);
}

static int read_groups(struct compare_groups *g, const struct results *r, const char *const *keys,
                       size_t keys_count, size_t inputs, const struct compare_metric *metric,
                       struct dcs_err *err)
{
    *g = (struct compare_groups){0};
    struct compare_leaves named = {0}, varying = {0};
    int status = read_systems(g, r, keys, keys_count, inputs, err);
    if (status == 0)
        status = compare_leaves_named(&named, r, keys, keys_count, g, err);
    if (status == 0)
        status = check_keys(r, keys, keys_count, &named, err);
    if (status == 0)
        status = compare_leaves_varying(&varying, r, keys, keys_count, g, err);
    if (status == 0 && metric != NULL)
        status = compare_groups_values(g, r, metric, err);
    if (status == 0)
        make_groups(g, &named, &varying);
    compare_leaves_release(&named);
    compare_leaves_release(&varying);
    if (status != 0)
        compare_groups_release(g);
    return status;
}

int compare_groups_read(struct compare_groups *g, const struct results *r, const char *const *keys,
                        size_t keys_count, const struct compare_metric *metric, struct dcs_err *err)
{
    *g = (struct compare_groups){0};
    int queue = decides_queue(r, keys, keys_count, err);
    if (queue < 0)
        return -1;
    const char **all = dcs_alloc(keys_count + QUEUE_KEYS, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < keys_count; i++)
        all[count++] = keys[i];
    for (size_t i = 0; i < QUEUE_KEYS && queue == 1; i++)
        all[count++] = queue_keys[i];
    int status = read_groups(g, r, all, count, keys_count, metric, err);
    free(all);
    return status;
}

void compare_groups_release(struct compare_groups *g)
{
    for (size_t i = 0; i < g->systems_count; i++) {
        struct compare_system *s = &g->systems[i];
        free(s->hash);
        free(s->name);
        free(s->policy);
        free(s->gpu);
        free(s->hypothetical);
        free(s->builds);
        free(s->world);
        free(s->label);
        free(s->replications);
        free(s->values);
    }
    for (size_t i = 0; i < g->count; i++) {
        free(g->groups[i].systems);
        free(g->groups[i].heading);
    }
    free(g->systems);
    free(g->groups);
    *g = (struct compare_groups){0};
}
