/*
 * run_command.c - see run_command.h.
 *
 * The calling thread is the one writer of the database. A point's rows are the same whatever the
 * number of threads and in whichever order points end, and a database that was left behind in the
 * middle is completed to the same content: what a point still wants is what the database lacks.
 */
#include "commands/run_command.h"

#include "commands/command.h"
#include "experiment/profile_cache.h"
#include "runs/summary.h"
#include "config/plugin.h"
#include "report/console/guessed_contention.h"
#include "report/console/sweep_marks.h"
#include "report/console/run_summary.h"
#include "report/console/sweep_summary.h"
#include "commands/run_estimate.h"
#include "commands/run_progress.h"
#include "runs/runner.h"
#include "results/store.h"
#include "runs/until.h"
#include "runs/wallclock.h"
#include "text/table.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Failures that are told one by one; the rest is counted. */
#define FAILURES_SHOWN 50

/* What is known of a point while it runs. */
struct point {
    struct until until;
    bool *wanted; /* replications that have not been taken and are not in the database */
    uint32_t replications;
    uint64_t held, run;
    bool known; /* what the database holds of it has been read */
    struct summary summary;
};

/* What points fail with; those that fail alike are one. */
struct failure {
    uint64_t index; /* of the first */
    uint64_t points;
    struct dcs_err err;
};

struct execution {
    const struct run_request *request;
    const struct sweep *sweep;
    bool is_sweep;
    struct profile_cache *files;
    struct store *store; /* NULL: no database */
    const char *output;
    pthread_mutex_t config_lock; /* sweep_config is for one thread at a time */
    uint64_t points;             /* of this shard */
    struct report_point *report; /* of each */
    struct guessed_contention guessed;
    struct sweep_marks marks;
    struct experiment_gpu gpu; /* that the runs are measured on, if they are */
    struct failure *failures;
    size_t failures_count, failures_capacity;
    double began;    /* wall clock: checking of the configs and opening of points, which follows */
    bool adds;       /* a point has "until", and may want more replications than is known */
    uint64_t failed; /* points, of which FAILURES_SHOWN are in failures */
    struct progress progress;
};

static uint64_t point_number(const struct execution *s, uint64_t index)
{
    return s->request->shard + index * s->request->shards;
}

/* ---- What the runner calls ---- */

static int open_point(void *context, struct runner_point *p, struct dcs_err *err)
{
    struct execution *s = context;
    struct options_doc *doc;
    pthread_mutex_lock(&s->config_lock);
    int failed = sweep_config(s->sweep, point_number(s, p->index), &doc, &p->config, err);
    pthread_mutex_unlock(&s->config_lock);
    if (failed)
        return -1;
    p->config.driven = s->request->watch->drive != NULL;
    if (experiment_open_with(&p->experiment, &p->config, doc, s->files, err) != 0) {
        config_release(&p->config);
        options_doc_free(doc);
        return -1;
    }
    struct until until;
    if (until_open(&until, &p->experiment, doc, err) != 0) {
        experiment_close(&p->experiment);
        config_release(&p->config);
        options_doc_free(doc);
        return -1;
    }
    p->doc = doc;
    return 0;
}

/* Binds the database to a point: points take turns. */
static int use_store(struct execution *s, const struct runner_point *p, struct dcs_err *err)
{
    if (s->store == NULL)
        return 0;
    return store_switch(s->store, &p->experiment, s->sweep, point_number(s, p->index), err);
}

/* A run is stored once: one that is there without rows of requests does not get them later. */
static int note_bare(const struct execution *s, const struct point *point, struct dcs_err *err)
{
    int64_t bare = store_held_bare(s->store, point->replications, err);
    if (bare > 0)
        fprintf(stderr,
                "dcsim: %" PRId64 " runs were stored in %s without outputs.requests and stay as "
                "they are; with another --output they are run again and get rows of requests\n",
                bare, s->output);
    return bare < 0 ? -1 : 0;
}

/* The first look at a point: what the database holds of it. */
static int begin_point(struct execution *s, struct runner_point *p, struct dcs_err *err)
{
    struct point *point = dcs_alloc(1, sizeof *point);
    p->context = point;
    point->replications = (uint32_t)p->config.replications;
    point->wanted = dcs_alloc(point->replications, sizeof point->wanted[0]);
    memset(point->wanted, true, point->replications);
    summary_init(&point->summary, &p->experiment);
    if (until_open(&point->until, &p->experiment, p->doc, err) != 0)
        return -1;
    s->adds = s->adds || point->until.on;
    struct report_point *report = &s->report[p->index];
    snprintf(report->hash, sizeof report->hash, "%s", p->experiment.hash);
    if (s->store == NULL)
        return 0;
    int64_t held = store_held(s->store, point->wanted, point->replications, err);
    if (held < 0 || (p->config.driven && store_driven_gpu(s->store, &p->experiment.gpu, err) != 0))
        return -1;
    point->held = report->held = (uint64_t)held;
    if (held > 0 && p->config.outputs.requests && !s->is_sweep && note_bare(s, point, err) != 0)
        return -1;
    return held > 0 ? store_load(s->store, point->replications, &point->summary, err) : 0;
}

/* Sums are in the order of the replications, whatever the order in which they were run. */
static int gather(struct execution *s, struct runner_point *p, struct dcs_err *err)
{
    struct point *point = p->context;
    if (s->store == NULL || point->held == 0 || point->run == 0)
        return 0;
    summary_release(&point->summary);
    summary_init(&point->summary, &p->experiment);
    return store_load(s->store, point->replications, &point->summary, err);
}

/* All replications so far have been taken: more of them, as long as they are not enough. *more:
 * whether there are. */
static int extend(struct execution *s, struct runner_point *p, bool *more, struct dcs_err *err)
{
    struct point *point = p->context;
    *more = false;
    if (!point->until.on)
        return 0;
    if (gather(s, p, err) != 0)
        return -1;
    uint32_t before = point->replications, next = until_next(&point->until, before);
    if (next == before || until_reached(&point->until, &point->summary))
        return 0;
    bool *wanted = dcs_alloc(next, sizeof *wanted);
    memset(wanted + before, true, next - before);
    free(point->wanted);
    point->wanted = wanted;
    point->replications = next;
    if (!s->is_sweep)
        s->progress.replications = next;
    *more = true;
    if (s->store == NULL)
        return 0;
    int64_t held = store_held(s->store, wanted, next, err);
    if (held < 0)
        return -1;
    if ((uint64_t)held == before)
        return 0;
    /* Those that are found out of order: gather() puts all in order at the end. */
    point->held += (uint64_t)held - before;
    s->report[p->index].held = point->held;
    summary_release(&point->summary);
    summary_init(&point->summary, &p->experiment);
    return store_load(s->store, next, &point->summary, err);
}

/* Which replications of a point are still wanted. */
static int want(void *context, struct runner_point *p, struct runner_list *list,
                struct dcs_err *err)
{
    struct execution *s = context;
    bool first = p->context == NULL;
    if (use_store(s, p, err) != 0 || (first && begin_point(s, p, err) != 0))
        return -1;
    struct point *point = p->context;
    point->known = true;
    for (bool more = true; more;) {
        for (uint32_t i = 0; i < point->replications; i++)
            if (point->wanted[i])
                runner_list_add(list, i);
        if (list->count > 0)
            break;
        if (extend(s, p, &more, err) != 0)
            return -1;
    }
    if (first)
        progress_asked(&s->progress, list->count);
    else
        progress_more(&s->progress, list->count);
    if (s->request->dry_run)
        list->count = 0;
    return 0;
}

static int take_run(void *context, struct runner_point *p, struct run *run, struct dcs_err *err)
{
    struct execution *s = context;
    struct point *point = p->context;
    int result = use_store(s, p, err);
    if (result == 0 && s->store != NULL)
        result = store_add(s->store, run, err);
    if (result == 0) {
        summary_add(&point->summary, run);
        point->wanted[run->replication] = false;
        point->run++;
    }
    run_release(run);
    progress_run(&s->progress);
    return result;
}

/* The report of an experiment that is no sweep. */
static void report_one(const struct runner_point *p, const struct summary_row *rows, size_t count)
{
    const struct experiment *x = &p->experiment;
    const struct point *point = p->context;
    struct dcs_err ignored = {0};
    struct dcs_workload first;
    struct dcs_replay_counts *replay = dcs_alloc(experiment_replays(x) + 1, sizeof *replay);
    if (x->gangs == NULL && experiment_workload(x, 0, &first, replay, &ignored) == 0)
        dcs_workload_release(&first);
    const struct report_runs runs = {.wanted = point->replications,
                                     .held = point->held,
                                     .run = point->run,
                                     .missing = point->replications - point->held - point->run};
    report_print(stdout, x, &point->summary, rows, count, replay, &runs);
    free(replay);
}

static int summarise(struct execution *s, struct runner_point *p, struct dcs_err *err)
{
    struct point *point = p->context;
    if (use_store(s, p, err) != 0 || gather(s, p, err) != 0)
        return -1;
    size_t count;
    struct summary_row *rows = summary_rows(&point->summary, &count);
    int result = 0;
    if (s->store != NULL && point->summary.runs > 0)
        result = store_summarise_all(s->store, &point->summary, rows, count, err);
    if (result == 0) {
        report_point_fill(&s->report[p->index], &p->experiment, rows, count);
        if (point->summary.runs > 0)
            s->gpu = point->summary.gpu;
        s->report[p->index].unreached =
            point->until.on && !until_reached(&point->until, &point->summary);
        sweep_marks_add(&s->marks, &p->experiment);
        if (s->is_sweep)
            guessed_contention_add(&s->guessed, &p->experiment);
        else if (!s->request->quiet)
            report_one(p, rows, count);
    }
    free(rows);
    return result;
}

static void note_failure(struct execution *s, uint64_t index, const struct dcs_err *failure)
{
    s->report[index].state = REPORT_FAILED;
    s->failed++;
    for (size_t i = 0; i < s->failures_count; i++) {
        struct failure *f = &s->failures[i];
        if (strcmp(f->err.text, failure->text) == 0 && strcmp(f->err.path, failure->path) == 0 &&
            strcmp(f->err.file, failure->file) == 0 && f->err.line == failure->line) {
            f->index = index < f->index ? index : f->index;
            f->points++;
            return;
        }
    }
    if (s->failures_count == FAILURES_SHOWN)
        return;
    s->failures =
        dcs_grow(s->failures, &s->failures_capacity, s->failures_count + 1, sizeof s->failures[0]);
    s->failures[s->failures_count++] = (struct failure){index, 1, *failure};
}

static int end_point(void *context, struct runner_point *p, enum runner_end how,
                     const struct dcs_err *failure, struct dcs_err *err)
{
    struct execution *s = context;
    struct point *point = p->context;
    int result = 0;
    if (point != NULL && point->known && how != RUNNER_FAILED && !s->request->dry_run)
        result = summarise(s, p, err);
    struct report_point *report = &s->report[p->index];
    if (point != NULL)
        report->runs = s->request->dry_run ? point->replications : point->held + point->run;
    if (how == RUNNER_DONE)
        report->state = REPORT_DONE;
    if (how == RUNNER_FAILED && s->is_sweep) {
        note_failure(s, p->index, failure);
    } else if (how == RUNNER_FAILED) {
        *err = *failure;
        result = -1;
    }
    progress_ended(&s->progress, how == RUNNER_FAILED);
    if (point != NULL) {
        summary_release(&point->summary);
        free(point->wanted);
        free(point);
    }
    return result;
}

static void tick(void *context)
{
    struct execution *s = context;
    progress_show(&s->progress);
}

/* ---- Before ---- */

/* Whether somebody really wants so many points. */
static int confirm(const struct execution *s, struct dcs_err *err)
{
    uint64_t points = s->sweep->axes.points;
    if (points <= SWEEP_POINTS_ASK || s->request->yes)
        return 0;
    if (points < SWEEP_POINTS_MANY && isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) {
        char answer[16];
        fprintf(stderr, "dcsim: the sweep has %" PRIu64 " points. Go on? [y/N] ", points);
        if (fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y'))
            return 0;
    }
    return options_error(s->sweep->doc, "sweep.axes", err,
                         "the sweep has %" PRIu64 " points; --yes if you mean it", points);
}

/* The database that the points share: an axis cannot change it. */
static int open_store(struct execution *s, char **from_config, struct dcs_err *err)
{
    struct options_doc *doc;
    struct config config;
    if (sweep_config(s->sweep, 0, &doc, &config, err) != 0)
        return -1;
    *from_config = dcs_strdup(config.outputs.database);
    s->progress.replications = (uint64_t)config.replications;
    config_release(&config);
    options_doc_free(doc);
    s->output = s->request->output != NULL ? s->request->output : *from_config;
    if (s->output[0] == '\0')
        return 0;
    s->store = store_open(s->output, NULL, err);
    if (s->store != NULL && s->request->any_build)
        store_accept_builds(s->store);
    return s->store != NULL ? 0 : -1;
}

/* What --dry-run tries and does not run through is what the runs will fail with. */
static int take_failures(struct execution *s, const struct estimate *e, struct dcs_err *err)
{
    for (size_t i = 0; i < e->failures_count; i++) {
        const struct estimate_failure *f = &e->failures[i];
        if (!s->is_sweep) {
            *err = f->err;
            return -1;
        }
        if (s->report[f->point].state != REPORT_FAILED)
            note_failure(s, f->point, &f->err);
    }
    return 0;
}

static int tell_estimate(struct execution *s, struct dcs_err *err)
{
    uint64_t runs = 0;
    for (uint64_t i = 0; i < s->points; i++)
        runs += s->report[i].runs - s->report[i].held;
    if (runs == 0) {
        fputs("dcsim: nothing is left to run\n", stderr);
        return 0;
    }
    double open_s = wallclock_s() - s->began; /* all that there is, on as many threads */
    const char *more = s->adds ? " at least, as \"until\" may add some" : "";
    struct estimate e = run_estimate(s->points, s->request->watch, open_point, s);
    if (take_failures(s, &e, err) != 0)
        return -1;
    if (e.tried == 0 && e.failures_count > 0 && !e.longer) {
        fprintf(stderr, "dcsim: %" PRIu64 " runs%s of unknown length: all that were tried failed\n",
                runs, more);
        return 0;
    }
    if (e.tried == 0) {
        fprintf(stderr, "dcsim: %" PRIu64 " runs%s of unknown length: none ended in %d s\n", runs,
                more, ESTIMATE_SECONDS);
        return 0;
    }
    fprintf(stderr,
            "dcsim: %" PRIu64 " runs%s, about %.3g s each (%" PRIu64 " tried), after %.3g s that "
            "opening the points took: %s%.3g s on %" PRIu32 " threads, without writing results\n",
            runs, more, e.run_s, e.tried, open_s, e.longer || s->adds ? "more than " : "about ",
            open_s + e.run_s * (double)runs / s->request->jobs, s->request->jobs);
    return 0;
}

static void checked(void *context, uint64_t done, uint64_t points)
{
    progress_checked(context, done, points);
}

static int prepare(struct execution *s, char **from_config, struct dcs_err *err)
{
    const struct run_request *r = s->request;
    if (confirm(s, err) != 0)
        return -1;
    s->began = wallclock_s();
    if (sweep_check(r->sweep, checked, &s->progress, err) != 0)
        return -1;
    plugins_tell(r->sweep->plugins, r->sweep->doc);
    uint64_t points = r->sweep->axes.points;
    s->points = r->shard < points ? (points - r->shard - 1) / r->shards + 1 : 0;
    s->report = dcs_alloc(s->points + 1, sizeof *s->report);
    for (uint64_t i = 0; i < s->points; i++)
        s->report[i].point = point_number(s, i);
    s->files = profile_cache_new();
    return open_store(s, from_config, err);
}

/* ---- After ---- */

static void tell_failures(const struct execution *s)
{
    uint64_t named = 0;
    for (size_t i = 0; i < s->failures_count; i++) {
        const struct failure *f = &s->failures[i];
        char *label = sweep_label(s->sweep, point_number(s, f->index));
        struct dcs_err err = f->err;
        struct text others = text_format(" and %" PRIu64 " more points", f->points - 1);
        others.at[f->points == 2 ? strlen(others.at) - 1 : strlen(others.at)] = '\0';
        dcs_err_set(&err, "point %" PRIu64 " (%.200s)%s: %.500s", point_number(s, f->index), label,
                    f->points > 1 ? others.at : "", f->err.text);
        named += f->points;
        dcs_err_print(&err, stderr);
        free(label);
    }
    if (s->failed > 0)
        fprintf(stderr, "dcsim: %" PRIu64 " of %" PRIu64 " points failed%s\n", s->failed, s->points,
                s->failed > named ? "; the first are named above" : "");
}

static void tell_interruption(const struct execution *s)
{
    uint64_t missing = 0;
    for (uint64_t i = 0; i < s->points; i++)
        missing += s->report[i].state == REPORT_MISSING;
    const char *next = s->store != NULL ? "; run the same command again to continue"
                                        : "; with --output a later run could continue";
    if (s->is_sweep)
        fprintf(stderr, "dcsim: interrupted: %" PRIu64 " of %" PRIu64 " points are missing%s\n",
                missing, s->points, next);
    else
        fprintf(stderr, "dcsim: interrupted: %" PRIu64 " of %" PRIu64 " runs are missing%s\n",
                s->progress.replications - s->report[0].runs, s->progress.replications, next);
}

static bool is_complete(const struct execution *s)
{
    for (uint64_t i = 0; i < s->points; i++)
        if (s->report[i].state == REPORT_MISSING)
            return false;
    return true;
}

/* Of many points in groups; how long they took is then worth a line, too. */
static void report_points(const struct execution *s)
{
    if (report_sweep_of_gangs(s->report, s->points)) {
        report_sweep_gangs(stdout, s->sweep, s->report, s->points);
        return;
    }
    if (s->points <= SWEEP_POINTS_SHOWN || s->request->all_points) {
        report_sweep(stdout, s->sweep, s->report, s->points);
        return;
    }
    report_sweep_groups(stdout, s->sweep, s->report, s->points);
    fflush(stdout); /* stderr may be the same file */
    fprintf(stderr, "dcsim: %" PRIu64 " runs in %.3g s on %" PRIu32 " threads\n", s->progress.done,
            wallclock_s() - s->progress.began, s->request->jobs);
}

static int report_all(struct execution *s, struct dcs_err *err)
{
    if (s->points == 0)
        return 0; /* an empty table says nothing */
    if (s->request->dry_run)
        report_sweep_plan(stdout, s->sweep, s->report, s->points);
    else if (s->is_sweep && !s->request->quiet)
        report_points(s);
    if (s->is_sweep && !s->request->quiet && s->gpu.device[0] != '\0')
        printf("All is %s.\n", report_measured(&s->gpu).at);
    if (s->is_sweep && !s->request->quiet) {
        sweep_marks_print(stdout, &s->marks, s->points);
        guessed_contention_print(stdout, &s->guessed);
    }
    if (command_flush(err) != 0)
        return -1;
    if (s->request->dry_run && !atomic_load(&s->request->watch->stop))
        return tell_estimate(s, err);
    return 0;
}

static int run_points(struct execution *s, struct dcs_err *err)
{
    const struct runner_calls calls = {.context = s,
                                       .open = open_point,
                                       .want = want,
                                       .take = take_run,
                                       .end = end_point,
                                       .tick = tick};
    const struct run_request *r = s->request;
    progress_begin(&s->progress, s->points, !r->quiet && !r->dry_run, r->watch);
    int failed = runner_run(s->points, r->jobs, r->watch, &calls, err);
    progress_finish(&s->progress);
    return failed;
}

int run_command(const struct run_request *request)
{
    struct dcs_err err = {0};
    char *from_config = NULL;
    struct execution s = {.request = request,
                          .sweep = request->sweep,
                          .is_sweep = request->sweep->axes.axes_count > 0};
    pthread_mutex_init(&s.config_lock, NULL);
    int code = DCS_EXIT_OK;
    if (prepare(&s, &from_config, &err) != 0 || run_points(&s, &err) != 0 ||
        report_all(&s, &err) != 0)
        code = command_fail(&err);
    else if (s.points == 0)
        fprintf(stderr, "dcsim: this shard has no points: there are %" PRIu64 "\n",
                request->sweep->axes.points);
    tell_failures(&s);
    if (code == DCS_EXIT_OK && !is_complete(&s)) {
        tell_interruption(&s);
        code = DCS_EXIT_INTERRUPTED;
    } else if (code == DCS_EXIT_OK && s.failed > 0) {
        code = DCS_EXIT_FOUND;
    }
    store_close(s.store);
    profile_cache_free(s.files);
    pthread_mutex_destroy(&s.config_lock);
    guessed_contention_release(&s.guessed);
    free(s.failures);
    free(s.report);
    free(from_config);
    return code;
}
