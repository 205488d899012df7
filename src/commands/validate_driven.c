/*
 * validate_driven.c - see validate_driven.h.
 *
 * Points are read from the databases first. The simulations run on threads; what was measured is
 * read when a simulation has ended, on the calling thread, which alone looks at the databases.
 */
#include "commands/validate_driven.h"

#include "commands/driven_cost.h"
#include "commands/driven_point.h"
#include "des/newfile.h"
#include "experiment/profile_cache.h"
#include "results/compare_groups.h"
#include "runs/runner.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct validation {
    struct validate_driven *request;
    struct results *databases;
    struct driven_point *points;
    size_t count, capacity;
    struct profile_cache *files;
    struct driven_costs costs; /* if they are to be kept */
    char *profile;             /* "profile=PATH"; NULL: that of the config */
};

/* ---- What was measured ---- */

static char *text_of(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return dcs_strdup(text != NULL ? text : "");
}

/* Without the mark that all here have (compare_names.h). */
static char *copy_label(const char *label)
{
    static const char *const marks[] = {" (measured)", ", measured)"};
    char *copy = dcs_strdup(label);
    for (size_t i = 0; i < 2; i++) {
        char *mark = strstr(copy, marks[i]);
        if (mark != NULL)
            snprintf(mark, strlen(marks[i]) + 1, "%s", i == 1 ? ")" : "");
    }
    return copy;
}

static void release_point(struct driven_point *p)
{
    free(p->hash);
    free(p->config);
    free(p->name);
    free(p->policy);
    free(p->world);
    free(p->gpu);
    free(p->profile_sha256);
    free(p->plugin);
    free(p->plugin_sha256);
    free(p->replications);
    driven_side_release(&p->real);
    driven_side_release(&p->simulated);
    *p = (struct driven_point){0};
}

static int read_replications(struct driven_point *p, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(
        p->from, "SELECT replication FROM driven WHERE experiment = ? ORDER BY replication", err);
    size_t capacity = 0;
    int code = SQLITE_ERROR;
    if (row == NULL)
        return -1;
    sqlite3_bind_int64(row, 1, p->id);
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        p->replications =
            dcs_grow(p->replications, &capacity, p->count + 1, sizeof *p->replications);
        p->replications[p->count++] = (uint32_t)sqlite3_column_int64(row, 0);
    }
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(p->from, err);
}

/* A place for an experiment; one that another database has, too, is replaced. */
static struct driven_point *find_place(struct validation *v, const char *hash)
{
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->points[i].hash, hash) == 0) {
            release_point(&v->points[i]);
            return &v->points[i];
        }
    v->points = dcs_grow(v->points, &v->capacity, v->count + 1, sizeof *v->points);
    v->points[v->count] = (struct driven_point){0};
    return &v->points[v->count++];
}

/* Worlds of a sweep have one name: their applications tell them apart. NULL: there are none. */
static char *name_world(const char *experiment, const unsigned char *applications)
{
    const char *name = experiment[0] != '\0' ? experiment : "experiment";
    const char *which = (const char *)applications;
    struct text_buffer text = {0};
    text_append(&text, "%s", name);
    if (which != NULL && strcmp(name, which) != 0)
        text_append(&text, ": %s", which);
    return text.text;
}

static int read_point(struct validation *v, const struct results *r, const struct compare_system *s,
                      struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(
        r,
        "SELECT config, (SELECT sha256 FROM input i WHERE i.experiment = id AND kind = 'profile' "
        "ORDER BY position LIMIT 1), (SELECT name FROM input i WHERE i.experiment = id AND kind = "
        "'plugin'), (SELECT sha256 FROM input i WHERE i.experiment = id AND kind = 'plugin'), "
        "(SELECT group_concat(json_extract(value, '$.application'), '+') FROM (SELECT value FROM "
        "json_each(config, '$.workload.services') UNION ALL SELECT value FROM json_each(config, "
        "'$.workload.batch'))) FROM experiment WHERE id = ?",
        err);
    if (row == NULL)
        return -1;
    sqlite3_bind_int64(row, 1, s->id);
    bool found = sqlite3_step(row) == SQLITE_ROW;
    if (found) {
        struct driven_point *p = find_place(v, s->hash);
        *p = (struct driven_point){.from = r,
                                   .id = s->id,
                                   .hash = dcs_strdup(s->hash),
                                   .name = name_world(s->name, sqlite3_column_text(row, 4)),
                                   .policy = copy_label(s->label),
                                   .world = dcs_strdup(s->world),
                                   .gpu = dcs_strdup(s->gpu),
                                   .config = text_of(row, 0),
                                   .profile_sha256 = text_of(row, 1),
                                   .plugin = text_of(row, 2),
                                   .plugin_sha256 = text_of(row, 3)};
        sqlite3_finalize(row);
        return read_replications(p, err);
    }
    results_failed(r, err);
    sqlite3_finalize(row);
    return -1;
}

static int read_database(struct validation *v, struct results *r, const char *path,
                         struct dcs_err *err)
{
    static const char *const keys[] = {"policy", "predictor"};
    struct compare_groups groups;
    if (results_open(r, path, err) != 0)
        return -1;
    if (compare_groups_read(&groups, r, keys, 2, NULL, err) != 0)
        return -1;
    size_t measured = 0;
    int status = 0;
    for (size_t i = 0; i < groups.systems_count && status == 0; i++)
        if (groups.systems[i].gpu[0] != '\0') {
            measured++;
            status = read_point(v, r, &groups.systems[i], err);
        }
    compare_groups_release(&groups);
    if (status == 0 && measured == 0)
        return dcs_err_at(err, path, 0, "driven",
                          "holds no run on a real GPU: dcsim run --drive makes them");
    return status;
}

/* ---- Simulations ---- */

static int check_plugin(const struct validation *v, const struct driven_point *p,
                        struct dcs_err *err)
{
    const struct plugin *plugin = plugins_find(&v->request->plugins, p->plugin);
    if (p->plugin[0] == '\0')
        return 0;
    if (plugin != NULL && strcmp(plugin->sha256, p->plugin_sha256) == 0)
        return 0;
    return dcs_err_at(err, p->from->path, 0, "input",
                      "experiment %.11s ran with the plug-in \"%.64s\" (SHA-256 %.64s): give its "
                      "shared object with --policy FILE.so",
                      p->hash, p->plugin, p->plugin_sha256);
}

static struct options_doc *load_config(const struct validation *v, const struct driven_point *p,
                                       struct dcs_err *err)
{
    const char *base = strrchr(p->from->path, '/');
    struct text_buffer name = {0};
    text_append(&name, "%s/%s", v->request->folder, base != NULL ? base + 1 : p->from->path);
    struct options_doc *doc = options_load_text(name.text, p->config, strlen(p->config), err);
    free(name.text);
    bool good = doc != NULL && (v->profile == NULL || options_set(doc, v->profile, err) == 0);
    for (size_t i = 0; good && i < v->request->sets_count; i++)
        good = options_set(doc, v->request->sets[i], err) == 0;
    if (good)
        return doc;
    options_doc_free(doc);
    return NULL;
}

static int open_point(void *context, struct runner_point *r, struct dcs_err *err)
{
    struct validation *v = context;
    struct driven_point *p = &v->points[r->index];
    struct plugins *plugins = p->plugin[0] != '\0' ? &v->request->plugins : NULL;
    if (check_plugin(v, p, err) != 0)
        return -1;
    struct options_doc *doc = load_config(v, p, err);
    if (doc == NULL)
        return -1;
    if (config_parse(&r->config, doc, plugins, err) != 0) {
        options_doc_free(doc);
        return -1;
    }
    r->config.outputs.requests = r->config.outputs.launches = true;
    if (experiment_open_with(&r->experiment, &r->config, doc, v->files, err) != 0) {
        config_release(&r->config);
        options_doc_free(doc);
        return -1;
    }
    r->doc = doc;
    for (size_t i = 0; i < r->experiment.services_count; i++)
        p->rate_per_s += r->experiment.services[i].rate_per_s;
    p->other_profile = strcmp(r->experiment.kind[0].profile->sha256, p->profile_sha256) != 0;
    return 0;
}

static int want(void *context, struct runner_point *r, struct runner_list *list,
                struct dcs_err *err)
{
    struct validation *v = context;
    struct driven_point *p = &v->points[r->index];
    (void)err;
    for (uint32_t i = 0; r->context == NULL && i < p->count; i++)
        runner_list_add(list, p->replications[i]);
    r->context = p;
    return 0;
}

static int take_run(void *context, struct runner_point *r, struct run *run, struct dcs_err *err)
{
    struct validation *v = context;
    struct driven_point *p = &v->points[r->index];
    int status = 0;
    if (driven_side_read(&p->real, p->from, p->id, run->replication, err) != 0 ||
        driven_side_take(&p->simulated, &r->experiment, run, err) != 0 ||
        driven_count_quotas(p->from, p->id, &r->experiment, run, &p->launches, &p->other_quotas,
                            err) != 0 ||
        (v->request->keep != NULL &&
         driven_costs_add(&v->costs, p->from, p->id, run->replication, &r->experiment, err) != 0))
        status = -1;
    run_release(run);
    return status;
}

static int end_point(void *context, struct runner_point *r, enum runner_end how,
                     const struct dcs_err *failure, struct dcs_err *err)
{
    struct validation *v = context;
    struct driven_point *p = &v->points[r->index];
    if (how == RUNNER_FAILED) {
        *err = *failure;
        return -1;
    }
    driven_side_sort(&p->real);
    driven_side_sort(&p->simulated);
    return 0;
}

static void tick(void *context)
{
    (void)context;
}

static int by_place(const void *left, const void *right)
{
    const struct driven_point *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    if (order == 0)
        order = (a->rate_per_s > b->rate_per_s) - (a->rate_per_s < b->rate_per_s);
    if (order == 0)
        order = strcmp(a->world, b->world);
    if (order == 0)
        order = strcmp(a->policy, b->policy);
    return order != 0 ? order : strcmp(a->hash, b->hash);
}

static int simulate(struct validation *v, struct dcs_err *err)
{
    const struct runner_calls calls = {.context = v,
                                       .open = open_point,
                                       .want = want,
                                       .take = take_run,
                                       .end = end_point,
                                       .tick = tick};
    struct run_watch watch = {0};
    v->files = profile_cache_new();
    int status = runner_run(v->count, v->request->jobs, &watch, &calls, err);
    profile_cache_free(v->files);
    if (status == 0)
        qsort(v->points, v->count, sizeof *v->points, by_place);
    return status;
}

/* ---- All of it ---- */

static int write_csv(const struct validation *v, struct dcs_err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    DCS_ASSERT(out != NULL);
    driven_print_csv(out, v->points, v->count);
    bool whole = fclose(out) == 0;
    DCS_ASSERT(whole); /* only memory can end, as in dcs_alloc() */
    int status = newfile_create(v->request->csv, text, size, err);
    free(text);
    return status;
}

/* A profile that is a file is meant from here, a name as configs mean it. */
static char *name_profile(const char *profile)
{
    char path[PATH_MAX];
    struct text_buffer text = {0};
    text_append(&text, "profile=\"%s\"", realpath(profile, path) != NULL ? path : profile);
    return text.text;
}

int validate_driven(struct validate_driven *request, struct dcs_err *err)
{
    struct validation v = {.request = request};
    v.databases = dcs_alloc(request->databases_count, sizeof *v.databases);
    if (request->profile != NULL)
        v.profile = name_profile(request->profile);
    int status = request->csv != NULL ? newfile_may_write(request->csv, err) : 0;
    for (size_t i = 0; status == 0 && i < request->databases_count; i++)
        status = read_database(&v, &v.databases[i], request->databases[i], err);
    if (status == 0)
        status = simulate(&v, err);
    if (status == 0 && request->csv != NULL)
        status = write_csv(&v, err);
    if (status == 0 && request->keep != NULL)
        status = driven_costs_keep(&v.costs, request->keep, err);
    if (status == 0)
        driven_print(stdout, v.points, v.count);
    for (size_t i = 0; i < v.count; i++)
        release_point(&v.points[i]);
    for (size_t i = 0; i < request->databases_count; i++)
        results_close(&v.databases[i]);
    driven_costs_release(&v.costs);
    free(v.points);
    free(v.databases);
    free(v.profile);
    return status;
}
