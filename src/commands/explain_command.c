/* explain_command.c - see explain_command.h. */
#include "commands/explain_command.h"

#include "build_id.h"
#include "commands/command.h"
#include "commands/experiment_choice.h"
#include "commands/explain_jobs.h"
#include "commands/explain_wanted.h"
#include "report/console/explain_print.h"
#include "config/plugin.h"
#include "report/console/run_summary.h"
#include "results/results_db.h"
#include "results/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: dcsim explain RESULTS.db [--violations | --slowest N | --request JOB:NUMBER]\n"
    "                                [--experiment NAME] [--replication N]\n"
    "                                [--policy FILE.so] [--folder DIR] [--any-build] [--keep]\n"
    "\n"
    "Simulates a stored run again and says where the time of requests went: of all that missed\n"
    "their SLA (--violations, the default), of the N slowest, or of one. Of whole jobs: the N\n"
    "(default 10) that waited longest, as the database has them. A run that was\n"
    "measured on a real GPU is not simulated: what it took is in the database.\n"
    "\n"
    "  --experiment NAME   its name, policy, hash or label, or values of its config, as\n"
    "                      \"policy=elastic, seed=7\", where the database has several\n"
    "  --replication N     which run (default 0)\n"
    "  --policy FILE.so    the shared object of the run's policy, if that was a plug-in\n"
    "  --folder DIR        where the config lay, if it names files beside it (default: here)\n"
    "  --keep              keep the sum over the violations in the database, too (late_time)\n"
    "  --any-build         although another build of the program made the run\n";

struct arguments {
    const char *path, *experiment, *folder;
    struct plugins plugins;
    bool violations, any_build, keep;
    struct explain_wanted wanted;
};

/* What the database says of the run. */
struct stored {
    int64_t id;
    char *hash, *name, *config, *build;
    char *plugin, *plugin_sha256; /* "": the policy was built in */
    char *overloaded;             /* applications; "": none, or the runs have no summary yet */
    char *gpu;                    /* that it was measured on; "": it was simulated */
    char *profile_sha256;
    int64_t from_ns, requests, launches;
    bool gangs; /* whole jobs, with a row of each */
};

static int bad_usage(const char *what)
{
    return command_bad_usage("dcsim explain", what, NULL);
}

/* ---- The command line ---- */

#define REQUEST_FORM "--request takes JOB:NUMBER, as in table request"
#define NUMBER_MAX   999999999999999999

static int take_request(struct arguments *a, const char *text)
{
    uint64_t job;
    char copy[64];
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : 0;
    if (length == 0 || length >= sizeof copy)
        return bad_usage(REQUEST_FORM);
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (!command_whole(copy, 0, UINT32_MAX - 1, &job) ||
        !command_whole(colon + 1, 0, NUMBER_MAX, &a->wanted.request.index))
        return bad_usage(REQUEST_FORM);
    a->wanted.request.job = (uint32_t)job;
    a->wanted.one = true;
    return -1;
}

static int take_option(void *context, int option)
{
    struct arguments *a = context;
    struct dcs_err err = {0};
    switch (option) {
    case 'p':
        return plugins_add(&a->plugins, optarg, &err) == 0 ? -1 : command_fail(&err);
    case 'r':
        return take_request(a, optarg);
    case 's':
        return command_whole(optarg, 1, 1000000, &a->wanted.slowest)
                   ? -1
                   : bad_usage("--slowest takes a number from 1 to 1000000");
    default: /* 'n' */
        return command_whole(optarg, 0, UINT32_MAX - 1, &a->wanted.replication)
                   ? -1
                   : bad_usage("--replication takes 0, 1, ...");
    }
}

/* -1: go on; else the exit code. */
static int read_arguments(int argc, char **argv, struct arguments *a)
{
    const struct command_option options[] = {
        {"request", .take = 'r'},
        {"slowest", .take = 's'},
        {"violations", .flag = &a->violations},
        {"experiment", .text = &a->experiment},
        {"replication", .take = 'n'},
        {"policy", .named = true, .take = 'p'},
        {"folder", .path = &a->folder},
        {"any-build", .flag = &a->any_build},
        {"keep", .flag = &a->keep},
        {0},
    };
    *a = (struct arguments){.folder = "."};
    const struct command_line line = {"dcsim explain", usage, options, take_option, a};
    int code = command_options(&line, argc, argv, 2);
    if (code >= 0)
        return code;
    if (a->violations + a->wanted.one + (a->wanted.slowest > 0) > 1)
        return bad_usage("expected one of --violations, --slowest and --request");
    if (a->keep && (a->wanted.one || a->wanted.slowest > 0))
        return bad_usage("--keep goes with --violations alone");
    if (argc - optind != 1)
        return bad_usage("expected a results database");
    a->path = argv[optind];
    return -1;
}

/* ---- The database ---- */

static char *text_at(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return dcs_strdup(text != NULL ? text : "");
}

static void release_stored(struct stored *s)
{
    free(s->hash);
    free(s->name);
    free(s->config);
    free(s->build);
    free(s->plugin);
    free(s->plugin_sha256);
    free(s->overloaded);
    free(s->gpu);
    free(s->profile_sha256);
}

static bool is_measured(const struct stored *s)
{
    return s->gpu != NULL && s->gpu[0] != '\0';
}

static int check_stored(const struct results *r, const struct arguments *a, const struct stored *s,
                        struct dcs_err *err)
{
    if (strlen(s->hash) != 64)
        return dcs_err_at(err, r->path, 0, "experiment", "its hash is damaged");
    if (s->gangs && (a->wanted.one || a->violations || a->keep))
        return dcs_err_at(err, "command line", 0, NULL,
                          "experiment %.11s is of whole jobs, which have no requests: --slowest N "
                          "prints those that waited longest",
                          s->hash);
    if (!s->gangs && !is_measured(s) && strcmp(s->build, DCS_BUILD_ID) != 0 && !a->any_build)
        return dcs_err_at(err, r->path, 0, "run",
                          "build %.60s made the run, this is %s: use that one, or --any-build if "
                          "they simulate alike",
                          s->build, DCS_BUILD_ID);
    return 0;
}

/* Finds the run; there must be one. */
static int find_run(const struct results *r, const struct arguments *a, struct stored *out,
                    struct dcs_err *err)
{
    int64_t id;
    bool driven, gangs;
    if (experiment_choose(r, a->experiment, a->wanted.replication, &id, err) != 0 ||
        explain_jobs_has(r, id, a->wanted.replication, &gangs, err) != 0 ||
        results_has(r, "driven", &driven, err) != 0)
        return -1;
    const char *gpu = driven ? "(SELECT trim(device || ' ' || uuid) FROM driven d WHERE "
                               "d.experiment = id AND d.replication = ?1)"
                             : "''";
    struct text_buffer sql = {0};
    text_append(&sql,
                "SELECT id, hash, name, config, build, window_from_ns, requests, launches, "
                "(SELECT name FROM input i WHERE i.experiment = id AND kind = 'plugin'), "
                "(SELECT sha256 FROM input i WHERE i.experiment = id AND kind = 'plugin'), "
                "(SELECT group_concat(a.name, ', ') FROM summary s JOIN application a USING "
                "(experiment, app) WHERE s.experiment = id AND s.name = 'overloaded' AND s.value = "
                "1), %s, (SELECT sha256 FROM input i WHERE i.experiment = id AND kind = 'profile' "
                "ORDER BY position LIMIT 1) FROM experiment JOIN run ON experiment = id WHERE "
                "replication = ?1 AND id = ?2",
                gpu);
    sqlite3_stmt *row = results_prepare(r, sql.text, err);
    free(sql.text);
    if (row == NULL)
        return -1;
    sqlite3_bind_int64(row, 1, (sqlite3_int64)a->wanted.replication);
    sqlite3_bind_int64(row, 2, id);
    bool found = sqlite3_step(row) == SQLITE_ROW;
    if (found)
        *out = (struct stored){.id = id,
                               .hash = text_at(row, 1),
                               .name = text_at(row, 2),
                               .config = text_at(row, 3),
                               .build = text_at(row, 4),
                               .from_ns = sqlite3_column_int64(row, 5),
                               .requests = sqlite3_column_int64(row, 6),
                               .launches = sqlite3_column_int64(row, 7),
                               .plugin = text_at(row, 8),
                               .plugin_sha256 = text_at(row, 9),
                               .overloaded = text_at(row, 10),
                               .gpu = text_at(row, 11),
                               .profile_sha256 = text_at(row, 12),
                               .gangs = gangs};
    else
        results_failed(r, err);
    sqlite3_finalize(row);
    return found ? check_stored(r, a, out, err) : -1;
}

/* ---- The run ---- */

/* Whether what was simulated again is the same run. */
static int check_same(const struct arguments *a, const struct stored *s,
                      const struct cluster_result *out, struct dcs_err *err)
{
    if ((int64_t)out->requests == s->requests && (int64_t)out->launches == s->launches)
        return 0;
    return dcs_err_at(err, a->path, 0, "run",
                      "has %" PRId64 " requests and %" PRId64 " launches, and simulated again "
                      "the run has %" PRIu64 " and %" PRIu64 ": another program made it",
                      s->requests, s->launches, out->requests, out->launches);
}

static const struct explanation *find_explanation(const struct explanation *all, size_t count,
                                                  const struct explain_choice *c)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].job == c->job && all[i].index == c->index)
            return &all[i];
    DCS_ASSERT(false);
    return NULL;
}

static void print(const struct experiment *x, const struct arguments *a, const struct stored *s,
                  const struct explainer *e, const struct explain_choice *chosen,
                  size_t chosen_count)
{
    size_t count;
    const struct explanation *all = explainer_all(e, &count);
    DCS_ASSERT(count == chosen_count);
    char *policy = report_policy_text(x->config);
    printf("Experiment %s (%.11s), policy %s, replication %" PRIu64 "%s%s\n", s->name, s->hash,
           policy, a->wanted.replication, is_measured(s) ? ", measured on " : "", s->gpu);
    free(policy);
    if (is_measured(s))
        puts("A kernel's own work is what the profile says that it takes alone. \"Slowed by\" is "
             "what "
             "it took\nlonger, divided among those beside it by how long they were there.");
    if (!a->wanted.one && a->wanted.slowest == 0) {
        explain_print_violations(x, all, count, s->overloaded);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        putchar('\n');
        explain_print_request(x, find_explanation(all, count, &chosen[i]));
    }
    if (count == 0)
        puts("No request has completed in the window.");
}

static int keep(const struct experiment *x, const struct arguments *a, const struct explainer *e,
                struct dcs_err *err)
{
    size_t count;
    const struct explanation *all = explainer_all(e, &count);
    struct store *s = store_open(a->path, x, err);
    int status =
        s != NULL ? store_explain(s, (uint32_t)a->wanted.replication, all, count, err) : -1;
    store_close(s);
    return status;
}

/* A run that is told, of which these requests are explained. */
typedef int tell_run(void *context, const struct recorder *recorder, struct dcs_err *err);

static int explain_chosen(const struct experiment *x, const struct arguments *a,
                          const struct stored *s, const struct explain_choice *chosen, size_t count,
                          tell_run *tell, void *context, struct dcs_err *err)
{
    struct cluster_spec spec;
    experiment_spec(x, (uint32_t)a->wanted.replication, NULL, &spec);
    struct explainer *e = explainer_new(&spec, chosen, count);
    const struct recorder recorder = explainer_recorder(e);
    int status = tell(context, &recorder, err);
    if (status == 0 && a->keep)
        status = keep(x, a, e, err);
    if (status == 0)
        print(x, a, s, e, chosen, count);
    explainer_free(e);
    return status;
}

struct telling {
    const struct experiment *x;
    uint32_t replication;
    struct run_watch watch;
    struct measured_run measured;
};

static int tell_simulated(void *context, const struct recorder *recorder, struct dcs_err *err)
{
    struct telling *t = context;
    return replication_record(t->x, t->replication, recorder, DCS_NEVER, &t->watch, NULL, err);
}

static int tell_measured(void *context, const struct recorder *recorder, struct dcs_err *err)
{
    struct telling *t = context;
    return measured_run_tell(&t->measured, t->x, recorder, err);
}

/* Once to see which requests are meant, and once more to explain them. */
static int explain_simulated(const struct experiment *x, const struct arguments *a,
                             const struct stored *s, struct dcs_err *err)
{
    struct telling t = {.x = x, .replication = (uint32_t)a->wanted.replication};
    struct run out;
    if (replication_record(x, t.replication, NULL, DCS_NEVER, &t.watch, &out, err) != 0)
        return -1;
    size_t count = 0;
    struct explain_choice *chosen = NULL;
    int status = check_same(a, s, &out.result, err);
    if (status == 0)
        status = explain_choose(x, &a->wanted, s->from_ns,
                                &(struct explain_rows){.simulated = &out}, &chosen, &count, err);
    run_release(&out);
    if (status == 0)
        status = explain_chosen(x, a, s, chosen, count, tell_simulated, &t, err);
    free(chosen);
    return status;
}

static int explain_measured(const struct experiment *x, const struct arguments *a,
                            const struct stored *s, struct dcs_err *err)
{
    struct telling t = {.x = x};
    struct results results;
    if (results_open(&results, a->path, err) != 0)
        return -1;
    int status = measured_run_read(&t.measured, &results, x, s->id, a->wanted.replication, err);
    results_close(&results);
    size_t count = 0;
    struct explain_choice *chosen = NULL;
    if (status == 0)
        status =
            explain_choose(x, &a->wanted, s->from_ns,
                           &(struct explain_rows){.measured = &t.measured}, &chosen, &count, err);
    if (status == 0)
        status = explain_chosen(x, a, s, chosen, count, tell_measured, &t, err);
    free(chosen);
    measured_run_release(&t.measured);
    return status;
}

/* ---- All of it ---- */

static int check_hash(const struct experiment *x, const struct arguments *a, const struct stored *s,
                      struct dcs_err *err)
{
    if (is_measured(s) && (x->gangs != NULL || x->kinds != 1))
        return dcs_err_at(err, a->path, 0, "driven",
                          "has a row of experiment %.11s, whose config is not of one GPU that was "
                          "measured: it is damaged",
                          s->hash);
    /* What was measured stays, whatever simulates it. */
    bool profile = is_measured(s) && !a->keep;
    if (profile ? strcmp(x->kind[0].profile->sha256, s->profile_sha256) == 0
                : strcmp(x->hash, s->hash) == 0)
        return 0;
    if (profile)
        return dcs_err_at(err, a->path, 0, "input",
                          "the profile that experiment %.11s was measured with has changed: table "
                          "input has its hash",
                          s->hash);
    return dcs_err_at(err, a->path, 0, "input",
                      "experiment %.11s is %.11s now: a profile, trace, predictors or plug-in that "
                      "it was made with has changed, or this program simulates otherwise; table "
                      "input has the hashes",
                      s->hash, x->hash);
}

/* The run's own plug-in must be there, and no other build of it. */
static int check_plugin(const struct arguments *a, const struct stored *s, struct dcs_err *err)
{
    const struct plugin *p = plugins_find(&a->plugins, s->plugin);
    if (s->plugin[0] == '\0')
        return 0;
    if (p == NULL)
        return dcs_err_at(
            err, a->path, 0, "input",
            "experiment %.11s ran with the plug-in \"%.64s\" (SHA-256 %.64s): give its "
            "shared object with --policy FILE.so",
            s->hash, s->plugin, s->plugin_sha256);
    if (strcmp(p->sha256, s->plugin_sha256) == 0)
        return 0;
    return dcs_err_at(err, p->path, 0, NULL,
                      "is another build of the plug-in \"%.64s\" (SHA-256 %.64s) than that of "
                      "experiment %.11s (SHA-256 %.64s)",
                      s->plugin, p->sha256, s->hash, s->plugin_sha256);
}

/* What the recorder of a simulation does not tell of. */
static int check_known(const struct arguments *a, const struct config *c, struct dcs_err *err)
{
    if (c->sharing.model == SHARING_DIVISIBLE)
        return dcs_err_at(err, a->path, 0, "sharing.model",
                          "explain does not know divisible work: outputs.decisions keeps the steps "
                          "of its requests");
    if (c->sharing.model == SHARING_SM)
        return dcs_err_at(err, a->path, 0, "sharing.model",
                          "explain does not know what a kernel takes whose blocks come and go "
                          "while it runs");
    if (c->sharing.resize_at != DCS_MOVES_NOT)
        return dcs_err_at(err, a->path, 0, "sharing.resize_at",
                          "explain does not know what a kernel takes whose SMs change while it "
                          "runs: run the config with \"kernel\" and explain that");
    return 0;
}

static int explain_stored(struct arguments *a, const struct stored *s, struct dcs_err *err)
{
    const char *base = strrchr(a->path, '/');
    struct text_buffer name = {0};
    DCS_ASSERT(s->config != NULL); /* find_run() has found it */
    text_append(&name, "%s/%s", a->folder, base != NULL ? base + 1 : a->path);
    struct options_doc *doc = options_load_text(name.text, s->config, strlen(s->config), err);
    free(name.text);
    struct config config;
    /* Of a run whose policy was built in no plug-in takes the place. */
    struct plugins *plugins = s->plugin[0] != '\0' ? &a->plugins : NULL;
    if (doc == NULL || config_parse(&config, doc, plugins, err) != 0) {
        options_doc_free(doc);
        return -1;
    }
    plugins_tell(&a->plugins, doc);
    config.driven = is_measured(s);
    struct experiment x = {0};
    int status = check_known(a, &config, err) == 0 ? experiment_open(&x, &config, doc, err) : -1;
    if (status == 0) {
        status = check_hash(&x, a, s, err);
        if (status == 0)
            status = (is_measured(s) ? explain_measured : explain_simulated)(&x, a, s, err);
        experiment_close(&x);
    }
    config_release(&config);
    options_doc_free(doc);
    return status;
}

int explain_command(int argc, char **argv)
{
    struct arguments a;
    int code = read_arguments(argc, argv, &a);
    if (code >= 0) {
        plugins_close(&a.plugins);
        return code;
    }
    struct dcs_err err = {0};
    struct results results;
    struct stored stored = {0};
    int status = results_open(&results, a.path, &err);
    if (status == 0) {
        status = find_run(&results, &a, &stored, &err);
        if (status == 0 && stored.gangs)
            status = explain_jobs_print(&results, stored.id, a.wanted.replication,
                                        a.wanted.slowest > 0 ? a.wanted.slowest : 10, &err);
        results_close(&results);
    }
    if (status == 0 && !stored.gangs)
        status = check_plugin(&a, &stored, &err);
    if (status == 0 && !stored.gangs)
        status = explain_stored(&a, &stored, &err);
    plugins_close(&a.plugins);
    release_stored(&stored);
    return status == 0 ? DCS_EXIT_OK : command_fail(&err);
}
