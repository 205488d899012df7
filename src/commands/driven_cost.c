/* driven_cost.c - see driven_cost.h. */
#include "commands/driven_cost.h"

#include "models/profile/database.h"
#include "models/profile/profile.h"
#include "models/profile/profile_schema.h"
#include "text/buffer.h"

#include <stdlib.h>
#include <string.h>

#define BUSY_TIMEOUT_MS 60000
#define KILLS_MIN       3 /* of each kind */

static void add_time(struct driven_times *t, double ns)
{
    t->all = dcs_grow(t->all, &t->capacity, t->count + 1, sizeof *t->all);
    t->all[t->count++] = ns;
}

void driven_costs_release(struct driven_costs *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->policies[i].policy);
        free(c->policies[i].launches.all);
        free(c->policies[i].callbacks.all);
    }
    free(c->policies);
    free(c->begins.all);
    for (size_t again = 0; again < 2; again++)
        free(c->kills[again].all);
    free(c->device);
    free(c->gpu);
    free(c->source);
    *c = (struct driven_costs){0};
}

static struct driven_cost *find_policy(struct driven_costs *c, const char *policy)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->policies[i].policy, policy) == 0)
            return &c->policies[i];
    c->policies = dcs_grow(c->policies, &c->capacity, c->count + 1, sizeof *c->policies);
    c->policies[c->count] = (struct driven_cost){.policy = dcs_strdup(policy)};
    return &c->policies[c->count++];
}

/* ---- Runs ---- */

static bool is_one_launch(const struct experiment *x, int64_t app, int64_t kernel)
{
    if (app < 0 || app >= x->apps_count || kernel < 0 || kernel >= x->apps[app].kernels)
        return false;
    uint32_t shape = x->apps[app].shapes[kernel];
    const struct dcs_shape *s = &x->kind[0].spatial->shapes[shape];
    return s->kind == DCS_SHAPE_COMPUTE && s->launches == 1;
}

/* Calls take for each row of a run. */
static int each_row(const struct results *r, const char *sql, int64_t experiment,
                    uint32_t replication, void (*take)(void *context, sqlite3_stmt *row),
                    void *context, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r, sql, err);
    int code = SQLITE_ERROR;
    if (row == NULL)
        return -1;
    sqlite3_bind_int64(row, 1, experiment);
    sqlite3_bind_int64(row, 2, replication);
    while ((code = sqlite3_step(row)) == SQLITE_ROW)
        take(context, row);
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(r, err);
}

struct adding {
    struct driven_costs *costs;
    struct driven_cost *of;
    const struct experiment *x;
    bool killed;
    int64_t gone_ns; /* of the last kill */
};

static void take_launch(void *context, sqlite3_stmt *row)
{
    const struct adding *a = context;
    int64_t app = sqlite3_column_int64(row, 0), kernel = sqlite3_column_int64(row, 1);
    if (!is_one_launch(a->x, app, kernel))
        return;
    add_time(&a->of->launches, sqlite3_column_double(row, 2));
    if (sqlite3_column_int64(row, 4) == 0)
        add_time(&a->costs->begins,
                 sqlite3_column_double(row, 3) - (double)a->x->apps[app].mean_ns[kernel]);
}

static void take_callback(void *context, sqlite3_stmt *row)
{
    const struct adding *a = context;
    add_time(&a->of->callbacks, sqlite3_column_double(row, 0));
}

/* In the order of time. */
static void take_kill(void *context, sqlite3_stmt *row)
{
    struct adding *a = context;
    int64_t revoked_ns = sqlite3_column_int64(row, 0), took_ns = sqlite3_column_int64(row, 1);
    if (a->x->config->revocation.mechanism != DCS_PROCESS_KILL)
        return;
    bool again = a->killed && revoked_ns - a->gone_ns <= DCS_KILL_AGAIN_NS;
    add_time(&a->costs->kills[again], (double)took_ns);
    a->killed = true;
    a->gone_ns = dcs_add_times(revoked_ns, took_ns);
}

static void take_device(void *context, sqlite3_stmt *row)
{
    const struct adding *a = context;
    struct driven_costs *c = a->costs;
    const char *device = (const char *)sqlite3_column_text(row, 0);
    const char *source = (const char *)sqlite3_column_text(row, 1);
    const char *gpu = (const char *)sqlite3_column_text(row, 2);
    if (device == NULL || source == NULL || gpu == NULL)
        return;
    if (c->device == NULL) {
        c->device = dcs_strdup(device);
        c->gpu = dcs_strdup(gpu);
    }
    c->mixed = c->mixed || strcmp(c->gpu, gpu) != 0;
    if (c->source == NULL || strcmp(source, c->source) < 0) { /* whichever run ended first */
        free(c->source);
        c->source = dcs_strdup(source);
    }
}

int driven_costs_add(struct driven_costs *c, const struct results *r, int64_t experiment,
                     uint32_t replication, const struct experiment *x, struct dcs_err *err)
{
    struct adding a = {.costs = c, .of = find_policy(c, x->config->policy->name), .x = x};
    int status =
        each_row(r,
                 "SELECT app, kernel, launched_ns + heard_ns - l.end_ns, l.end_ns - launched_ns, "
                 "sms FROM driven_launch l JOIN "
                 "request USING (experiment, replication, job, number) WHERE experiment = ?1 AND "
                 "replication = ?2 AND l.end_ns IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
                 "driven_launch o WHERE o.experiment = ?1 AND o.replication = ?2 AND o.position IN "
                 "(l.position - 1, l.position + 1) AND o.event_ns = l.event_ns AND o.sent_ns = "
                 "l.sent_ns)", /* of a fused launch, which takes another time than its kernels */
                 experiment, replication, take_launch, &a, err);
    if (status == 0)
        status = each_row(r,
                          "SELECT end_ns - begin_ns FROM driven_callback WHERE experiment = ?1 AND "
                          "replication = ?2",
                          experiment, replication, take_callback, &a, err);
    if (status == 0)
        status = each_row(r,
                          "SELECT revoked_ns, gone_ns FROM driven_revocation WHERE experiment = ?1 "
                          "AND replication = ?2 AND gone_ns >= 1 AND revoked_ns >= 0 AND "
                          "revoked_ns < 1000000000000000 AND gone_ns < 1000000000000000 "
                          "ORDER BY revoked_ns, gone_ns",
                          experiment, replication, take_kill, &a, err);
    if (status == 0)
        status =
            each_row(r,
                     "SELECT device, 'dcsim run --drive on ' || device || ' ' || uuid || ', "
                     "driver ' || driver || ', dcsim-calibrate ' || tool, device || ' ' || uuid "
                     "FROM driven WHERE "
                     "experiment = ?1 AND replication = ?2",
                     experiment, replication, take_device, &a, err);
    return status;
}

/* ---- The profile ---- */

static double find_median(struct driven_times *t)
{
    if (t->count == 0)
        return 0;
    dcs_sort_doubles(t->all, t->count);
    return dcs_sorted_median(t->all, t->count);
}

static void add_all(struct driven_times *into, const struct driven_times *from)
{
    for (size_t i = 0; i < from->count; i++)
        add_time(into, from->all[i]);
}

static int put_cost(sqlite3_stmt *row, struct driven_costs *c, struct driven_cost *p)
{
    double begin_ns = find_median(&c->begins);
    double ns = find_median(&p->launches) + (begin_ns > 0 ? begin_ns : 0);
    if (p->launches.count == 0)
        return 0;
    sqlite3_reset(row);
    sqlite3_bind_text(row, 1, p->policy, -1, SQLITE_STATIC);
    sqlite3_bind_int64(row, 2, (sqlite3_int64)(ns + 0.5));
    sqlite3_bind_int64(row, 3, (sqlite3_int64)(find_median(&p->callbacks) + 0.5));
    sqlite3_bind_int64(row, 4, (sqlite3_int64)p->launches.count);
    sqlite3_bind_text(row, 5, c->source, -1, SQLITE_STATIC);
    return sqlite3_step(row) == SQLITE_DONE ? 0 : -1;
}

/* Inside a transaction. */
static int put_costs(sqlite3 *db, struct driven_costs *c)
{
    struct dcs_profile_table t = {0};
    bool known = dcs_profile_schema_table(&t, "scheduler_cost");
    DCS_ASSERT(known);
    struct text_buffer sql = {0};
    text_append(&sql, "CREATE TABLE IF NOT EXISTS %s%s; DELETE FROM scheduler_cost;", t.name,
                t.columns);
    int status = sqlite3_exec(db, sql.text, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
    free(sql.text);
    sqlite3_stmt *row = NULL;
    if (status != 0 ||
        sqlite3_prepare_v2(db,
                           "INSERT INTO scheduler_cost (policy, duration_ns, callback_ns, n, "
                           "source) VALUES (?, ?, ?, ?, ?)",
                           -1, &row, NULL) != SQLITE_OK)
        return -1;
    char any[] = "*";
    struct driven_cost all = {.policy = any};
    for (size_t i = 0; i < c->count && status == 0; i++) {
        add_all(&all.launches, &c->policies[i].launches);
        add_all(&all.callbacks, &c->policies[i].callbacks);
        status = put_cost(row, c, &c->policies[i]);
    }
    if (status == 0)
        status = put_cost(row, c, &all);
    free(all.launches.all);
    free(all.callbacks.all);
    sqlite3_finalize(row);
    return status;
}

static int put_quantiles(sqlite3_stmt *row, const char *source, int again, struct driven_times *t)
{
    size_t count = t->count < DCS_KILL_QUANTILES ? t->count : DCS_KILL_QUANTILES;
    dcs_sort_doubles(t->all, t->count);
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)(((double)i + 0.5) / (double)count * (double)t->count);
        sqlite3_reset(row);
        sqlite3_bind_text(row, 1, dcs_mechanism_name(DCS_PROCESS_KILL), -1, SQLITE_STATIC);
        sqlite3_bind_int(row, 2, again);
        sqlite3_bind_int64(row, 3, (sqlite3_int64)i);
        sqlite3_bind_int64(row, 4, (sqlite3_int64)t->all[at]);
        sqlite3_bind_int64(row, 5, (sqlite3_int64)t->count);
        sqlite3_bind_text(row, 6, source, -1, SQLITE_STATIC);
        if (sqlite3_step(row) != SQLITE_DONE)
            return -1;
    }
    return 0;
}

/* Inside a transaction. */
static int put_kills(sqlite3 *db, struct driven_costs *c)
{
    struct dcs_profile_table t = {0};
    bool known = dcs_profile_schema_table(&t, "driven_kill");
    DCS_ASSERT(known);
    if (c->kills[0].count < KILLS_MIN || c->kills[1].count < KILLS_MIN)
        return 0;
    struct text_buffer sql = {0};
    sqlite3_stmt *row = NULL;
    text_append(&sql,
                "CREATE TABLE IF NOT EXISTS %s%s; DELETE FROM driven_kill WHERE mechanism = '%s'",
                t.name, t.columns, dcs_mechanism_name(DCS_PROCESS_KILL));
    int code = sqlite3_exec(db, sql.text, NULL, NULL, NULL);
    free(sql.text);
    if (code != SQLITE_OK ||
        sqlite3_prepare_v2(db,
                           "INSERT INTO driven_kill (mechanism, again, position, kill_ns, n, "
                           "source) VALUES (?, ?, ?, ?, ?, ?)",
                           -1, &row, NULL) != SQLITE_OK)
        return -1;
    int status = put_quantiles(row, c->source, 0, &c->kills[0]);
    if (status == 0)
        status = put_quantiles(row, c->source, 1, &c->kills[1]);
    sqlite3_finalize(row);
    return status;
}

static int by_name(const void *left, const void *right)
{
    const struct driven_cost *a = left, *b = right;
    return strcmp(a->policy, b->policy);
}

/* It has to be a profile of the GPU that was measured. */
static int check_profile(const struct driven_costs *c, const char *path, struct dcs_err *err)
{
    size_t launches = 0;
    for (size_t i = 0; i < c->count; i++)
        launches += c->policies[i].launches.count;
    if (launches == 0)
        return dcs_err_set(err, "no kernel of one launch was measured: there is no cost to keep");
    if (c->mixed)
        return dcs_err_set(err,
                           "the runs were measured on several GPUs, %.120s among them: what "
                           "scheduling takes is kept of one",
                           c->gpu);
    struct dcs_profile *profile = dcs_profile_load(path, err);
    if (profile == NULL)
        return -1;
    int status = 0;
    if (strcmp(profile->device_name, c->device) != 0)
        status = dcs_err_at(err, path, 0, "device",
                            "is the profile of a %.80s, and the runs were measured on a %.80s",
                            profile->device_name, c->device);
    dcs_profile_free(profile);
    return status;
}

int driven_costs_keep(struct driven_costs *c, const char *path, struct dcs_err *err)
{
    if (check_profile(c, path, err) != 0)
        return -1;
    /* Runs are added as they end; the bytes of a profile are a part of what names an experiment. */
    qsort(c->policies, c->count, sizeof *c->policies, by_name);
    char *file = database_path(path);
    sqlite3 *db = NULL;
    int status = sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK ? 0 : -1;
    free(file);
    if (status == 0) {
        sqlite3_busy_timeout(db, BUSY_TIMEOUT_MS);
        if (database_harden(db) != SQLITE_OK ||
            sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK ||
            put_costs(db, c) != 0 || put_kills(db, c) != 0 ||
            sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
            status = -1;
    }
    if (status != 0)
        dcs_err_at(err, path, 0, "scheduler_cost",
                   "cannot be written: %s; it has to be a profile as a database (dcsim profile "
                   "build PROFILE OUT.db)",
                   sqlite3_errmsg(db));
    sqlite3_close(db);
    return status;
}
