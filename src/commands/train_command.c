/*
 * train_command.c - see train_command.h.
 *
 * Trains every method on every target of every application of a profile, tests each model on sizes
 * that it never saw, prints the errors by target and method (what figures 6 to 9 of the C-Laius
 * paper show), and keeps the models in a file of their own. The one that is kept is the one that
 * was tested, trained on four fifths of the sizes: its error is known. What was measured at too few
 * sizes for a test is trained on all of them.
 *
 * The table depends on the profile, the seed and the methods alone; how long a prediction takes
 * goes to standard error.
 */
#include "commands/train_command.h"

#include "build_id.h"
#include "commands/command.h"
#include "models/predictor/methods.h"
#include "models/predictor/predictor_cpu.h"
#include "models/predictor/predictor_read.h"
#include "models/gpu/spatial_load.h"
#include "models/predictor/predictor_store.h"
#include "models/predictor/slowdown.h"
#include "config/paths.h"
#include "runs/wallclock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: dcsim train PROFILE [-o FILE] [--seed N] [--method NAME]...\n"
    "\n"
    "Trains predictors on the measurements of a profile, prints how far they are off on input\n"
    "sizes that they never saw, and writes them to a file, in place of the predictors that it\n"
    "may hold. They serve that profile alone: when it changes, train again.\n"
    "A PROFILE is a file (.db, .sql, .sql.gz) or the name of one that came with the program.\n"
    "\n"
    "  -o FILE          where to (default: PROFILE.predictors.db beside the profile's file, in\n"
    "                   the current folder for a profile that came with the program)\n"
    "  --seed N         chooses the sizes to test on, a fifth of all (default: 1)\n"
    "  --hold-out APP   train no slow-down on this application, and test on it; may be repeated\n"
    "                   (default: a third of those that were measured for it, by the seed)\n"
    "  --method NAME    this method only; may be repeated (default: all):\n";

#define METHODS_MAX 8
#define HELD_MAX    64
#define SLOWDOWN    "slowdown" /* as a method: the predictors of slow-downs */
#define SEED_MAX    999999999999999999

struct training {
    const struct dcs_profile *profile;
    struct dcs_measured *measured;
    const struct dcs_method *methods[METHODS_MAX + 1]; /* NULL-ended */
    uint64_t seed;
    const char *output; /* NULL: the usual place */
    bool all;           /* no method was named */
    bool slowdowns;     /* predictors of slow-downs alone */
    const char *held[HELD_MAX];
    size_t held_count;
    char *held_out; /* as the file keeps them: a line each, since a name may hold a space */
    struct dcs_predictor_row *rows;
    struct dcs_sample *questions; /* a sample of each row's, to time it with */
    size_t n, rows_capacity, questions_capacity;
    double began, shown;
};

static int bad_usage(const char *what)
{
    return command_bad_usage("dcsim train", what, NULL);
}

/* ---- training ---- */

/* On standard error, if that is a terminal, and at last if anything was shown. */
static void progress(struct training *t, uint32_t app)
{
    size_t apps = t->profile->apps_count;
    bool last = app == apps && t->shown > 0;
    if (!isatty(STDERR_FILENO) || (!wallclock_is_time(t->began, &t->shown) && !last))
        return;
    fprintf(stderr, "\r%u/%zu applications, %zu models%s", app, apps, t->n, app < apps ? "" : "\n");
}

static void train_one(struct training *t, enum dcs_target target, const char *app, const char *task,
                      const struct dcs_method *method, const struct dcs_sample *samples,
                      size_t train_n, size_t n)
{
    t->rows = dcs_grow(t->rows, &t->rows_capacity, t->n + 1, sizeof *t->rows);
    t->questions = dcs_grow(t->questions, &t->questions_capacity, t->n + 1, sizeof *t->questions);
    struct dcs_predictor_row *row = &t->rows[t->n];
    t->questions[t->n++] = samples[n - 1];
    *row = (struct dcs_predictor_row){
        .target = target, .app = app, .task = task, .train_n = train_n, .test_n = n - train_n};
    char name[512];
    snprintf(name, sizeof name, "%s %s %s", dcs_target_names[target], app, task);
    struct dcs_rng rng;
    dcs_rng_stream(&rng, t->seed, 0, DCS_RNG_WEIGHTS, dcs_text_hash(name));
    dcs_model_train(&row->model, method, samples, train_n, &rng);
    if (row->test_n > 0)
        row->error = dcs_model_test(&row->model, samples + train_n, row->test_n);
}

/* All methods, for one target of a request or a task. */
static void train_target(struct training *t, enum dcs_target target, uint32_t app, uint32_t task)
{
    size_t n;
    struct dcs_sample *samples = dcs_measured_samples(t->measured, target, app, task, &n);
    const char *name = t->profile->apps[app].name;
    const char *task_name =
        task == DCS_NO_TASK ? "" : dcs_measured_tasks(t->measured, app)->names[task];
    if (n > 0) {
        size_t train_n = dcs_split(samples, n, t->seed, name);
        for (size_t m = 0; t->methods[m] != NULL; m++)
            train_one(t, target, name, task_name, t->methods[m], samples, train_n, n);
    }
    free(samples);
}

static void train_all(struct training *t)
{
    t->began = wallclock_s();
    for (uint32_t app = 0; app < t->profile->apps_count; app++) {
        progress(t, app);
        train_target(t, DCS_REQUEST_DURATION, app, DCS_NO_TASK);
        size_t tasks = dcs_measured_tasks(t->measured, app)->count;
        for (int target = DCS_KERNEL_DURATION; target < DCS_TARGETS; target++)
            for (uint32_t task = 0; task < tasks; task++)
                train_target(t, (enum dcs_target)target, app, task);
    }
    progress(t, (uint32_t)t->profile->apps_count);
}

/* Of a CPU: the services, on runs that are drawn from the law. */
static void train_cpu(struct training *t, const struct dcs_cpu *cpu)
{
    static const enum dcs_target targets[] = {DCS_REQUEST_DURATION, DCS_KERNEL_IPC};
    for (uint32_t app = 0; app < t->profile->apps_count; app++) {
        const struct dcs_profile_app *a = &t->profile->apps[app];
        for (size_t k = 0; k < 2 && a->class == DCS_LATENCY; k++) {
            struct dcs_sample *runs =
                dcs_cpu_runs(cpu, &cpu->apps[app], (double)a->kernels[0].duration_ns, targets[k],
                             t->seed, a->name);
            for (size_t m = 0; t->methods[m] != NULL; m++)
                train_one(t, targets[k], a->name, "", t->methods[m], runs, DCS_CPU_RUNS_TRAIN,
                          DCS_CPU_RUNS);
            free(runs);
        }
    }
}

/* ---- slow-downs ---- */

/* Which applications are held out: those that were named; else a third of those that were measured
 * beside producers of pressure, by the seed. -1 and err. */
static int hold_out(struct training *t, const struct dcs_slowdown_training *s, bool *held,
                    struct dcs_err *err)
{
    const struct dcs_profile *p = t->profile;
    bool *ran = dcs_alloc(p->apps_count, sizeof *ran);
    size_t left = 0;
    for (size_t i = 0; i < s->n; i++)
        ran[dcs_profile_app(p, s->spatial->shapes[s->runs[i].shape].app) - p->apps] = true;
    for (size_t i = 0; i < p->apps_count; i++)
        left += ran[i];
    struct dcs_rng rng;
    dcs_rng_stream(&rng, t->seed, 0, DCS_RNG_SPLIT, dcs_text_hash("slowdown"));
    for (size_t drawn = left / 3; t->held_count == 0 && drawn > 0; drawn--, left--) {
        size_t at = dcs_rng_below(&rng, left), i = 0;
        for (; !ran[i] || held[i] || at > 0; i++)
            at -= ran[i] && !held[i];
        held[i] = true;
    }
    int status = 0;
    for (size_t k = 0; k < t->held_count && status == 0; k++) {
        const struct dcs_profile_app *app = dcs_profile_app(p, t->held[k]);
        if (app == NULL || !ran[app - p->apps])
            status = dcs_err_at(err, "command line", 0, NULL,
                                "--hold-out %.64s: no kernel of such an application was measured "
                                "beside producers of pressure (table corun, kind sensitivity) and "
                                "counted (kernel_counters)",
                                t->held[k]);
        else if (!held[app - p->apps]) {
            held[app - p->apps] = true;
            left--;
        }
    }
    if (status == 0 && left == 0)
        status = dcs_err_at(err, "command line", 0, NULL, "--hold-out leaves none to train on");
    free(ran);
    return status;
}

static char *name_held_out(const struct dcs_profile *p, const bool *held)
{
    size_t size = p->apps_count * 65 + 1, used = 0;
    char *text = dcs_alloc(size, 1);
    for (size_t i = 0; i < p->apps_count; i++)
        if (held[i])
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? "\n" : "",
                                     p->apps[i].name);
    return text;
}

static int train_runs(struct training *t, struct dcs_slowdown_training *s, struct dcs_err *err)
{
    bool *held = dcs_alloc(t->profile->apps_count, sizeof *held);
    int status = hold_out(t, s, held, err);
    if (status == 0) {
        t->rows =
            dcs_grow(t->rows, &t->rows_capacity, t->n + DCS_SLOWDOWN_METHODS, sizeof *t->rows);
        s->held_out = held;
        dcs_slowdowns_train(s, &t->rows[t->n]);
        t->n += DCS_SLOWDOWN_METHODS;
        t->held_out = name_held_out(t->profile, held);
    }
    free(held);
    return status;
}

/* Of a profile that has kernels beside producers of pressure, and counters of them; of another
 * nothing is trained, unless it was asked for. */
static int train_slowdowns(struct training *t, const char *path, struct dcs_err *err)
{
    struct dcs_spatial *spatial = NULL;
    struct dcs_profile *again = dcs_spatial_load_profile(path, &spatial, err);
    if (again == NULL)
        return t->slowdowns || t->held_count > 0 ? -1 : 0;
    struct dcs_slowdown_training s = {.spatial = spatial, .seed = t->seed};
    struct dcs_event_counts *counts = dcs_event_counts_load(path, t->profile, spatial, false, err);
    struct dcs_producer_run *runs = NULL;
    s.counts = counts;
    if (counts != NULL)
        runs = dcs_producer_runs_load(path, t->profile, spatial, counts, &s.n, err);
    s.runs = runs;
    int status = runs == NULL ? -1 : 0;
    if (runs != NULL && s.n > 0)
        status = train_runs(t, &s, err);
    else if (runs != NULL && (t->slowdowns || t->held_count > 0))
        status = dcs_err_at(err, path, 0, NULL,
                            "has nothing to train slow-downs on: kernels beside producers of "
                            "pressure (table corun, kind sensitivity) with counters "
                            "(kernel_counters)");
    free(runs);
    dcs_event_counts_free(counts);
    dcs_spatial_free(spatial);
    dcs_profile_free(again);
    return status;
}

/* ---- what is printed ---- */

static void print_slowdowns(const struct training *t)
{
    if (t->held_out == NULL)
        return;
    printf("%sSlow-downs, seed %" PRIu64 ", never trained on: ", t->slowdowns ? "" : "\n", t->seed);
    for (const char *at = t->held_out; *at != '\0'; at++)
        fputs(*at == '\n' ? ", " : (char[]){*at, '\0'}, stdout);
    printf("\n\n%-14s %9s %9s %9s %9s\n", "method", "trained", "tested", "mean %", "p95 %");
    for (size_t i = 0; i < t->n; i++) {
        const struct dcs_predictor_row *row = &t->rows[i];
        if (row->target == DCS_SLOWDOWN)
            printf("%-14s %9zu %9zu %9.2f %9.2f\n", dcs_method_name(row->model.method),
                   row->train_n, row->test_n, 100 * row->error.mean, 100 * row->error.p95);
    }
    puts("\nErrors are |predicted - measured| / measured of kernels of those applications, beside\n"
         "producers of pressure; of gpm, of the slow-down by fewer SMs alone.");
}

/* Figures 5-6 and 5-7 of EMU: rows come method by method. */
static void print_r2(const struct training *t)
{
    printf("Predictors of profile %s, seed %" PRIu64 ": R^2 on runs that were not trained on\n\n",
           t->profile->name, t->seed);
    printf("%-18s %-16s", "target", "application");
    for (size_t m = 0; t->methods[m] != NULL; m++)
        printf(" %8s", dcs_method_name(t->methods[m]));
    puts("  best");
    for (size_t i = 0; i < t->n;) {
        const struct dcs_predictor_row *best = &t->rows[i];
        printf("%-18s %-16s", dcs_target_names[best->target], best->app);
        for (size_t m = 0; t->methods[m] != NULL; m++, i++) {
            printf(" %8.4f", t->rows[i].error.r2);
            if (t->rows[i].error.r2 > best->error.r2)
                best = &t->rows[i];
        }
        printf("  %s\n", dcs_method_name(best->model.method));
    }
}

/* Of one target and method: over the applications, each the mean of its models. */
struct line {
    size_t models, tested, apps;
    double mean, p95, worst;
    const char *worst_app;
};

static struct line sum_up(const struct training *t, enum dcs_target target,
                          const struct dcs_method *method)
{
    struct line line = {.worst = -1, .worst_app = "-"};
    for (size_t i = 0; i < t->n;) {
        const char *app = t->rows[i].app;
        size_t tested = 0;
        double mean = 0, p95 = 0;
        for (; i < t->n && t->rows[i].app == app; i++) {
            const struct dcs_predictor_row *row = &t->rows[i];
            if (row->target != target || row->model.method != method)
                continue;
            line.models++;
            if (row->test_n == 0)
                continue;
            tested++;
            mean += row->error.mean;
            p95 += row->error.p95;
        }
        if (tested == 0)
            continue;
        mean /= (double)tested;
        line.tested += tested;
        line.apps++;
        line.mean += mean;
        line.p95 += p95 / (double)tested;
        if (mean > line.worst) {
            line.worst = mean;
            line.worst_app = app;
        }
    }
    return line;
}

static void print_table(const struct training *t)
{
    printf("Predictors of profile %s, seed %" PRIu64 "\n\n", t->profile->name, t->seed);
    printf("%-18s %-8s %8s %8s %6s %9s %9s  %s\n", "target", "method", "models", "tested", "apps",
           "mean %", "p95 %", "worst application, %");
    for (int target = 0; target < DCS_TARGETS; target++)
        for (size_t m = 0; t->methods[m] != NULL; m++) {
            struct line line = sum_up(t, (enum dcs_target)target, t->methods[m]);
            printf("%-18s %-8s %8zu %8zu %6zu ", dcs_target_names[target],
                   dcs_method_name(t->methods[m]), line.models, line.tested, line.apps);
            if (line.apps == 0)
                printf("%9s %9s\n", "-", "-");
            else
                printf("%9.2f %9.2f  %s, %.2f\n", 100 * line.mean / (double)line.apps,
                       100 * line.p95 / (double)line.apps, line.worst_app, 100 * line.worst);
        }
    puts("\nErrors are |predicted - measured| / measured on input sizes that were not trained on:\n"
         "the mean, and the 95th percentile, of each model, averaged over the kernels of an\n"
         "application, then over the applications. Models that were measured at fewer than 5\n"
         "sizes have no test.");
}

/* Every model of a method is asked in turn. */
static void print_times(const struct training *t)
{
    volatile double sink = 0; /* so that the questions are not optimised away */
    for (size_t m = 0; t->methods[m] != NULL; m++) {
        size_t asked = 0;
        double began = wallclock_s(), passed = 0;
        while (t->n > 0 && passed < 0.05) {
            for (size_t i = 0; i < t->n; i++)
                if (t->rows[i].model.method == t->methods[m]) {
                    sink = sink + dcs_model_ask(&t->rows[i].model, t->questions[i].x);
                    asked++;
                }
            passed = wallclock_s() - began;
        }
        if (asked > 0)
            fprintf(stderr, "dcsim: a prediction of \"%s\" takes %.0f ns\n",
                    dcs_method_name(t->methods[m]), 1e9 * passed / (double)asked);
    }
}

/* ---- the command ---- */

static int train_and_store(struct training *t, const char *path, const char *output,
                           struct dcs_err *err)
{
    bool exists;
    t->measured = dcs_measured_load(path, t->profile, true, err);
    if (t->measured == NULL)
        return -1;
    if (dcs_predictors_may_write(output, &exists, err) != 0) /* said before the work, not after */
        return -1;
    if (!t->slowdowns)
        train_all(t);
    if ((t->slowdowns || t->all) && train_slowdowns(t, path, err) != 0)
        return -1;
    if (t->n == 0)
        return dcs_err_at(
            err, path, 0, NULL,
            "has no measurements to train on: rows of mechanism \"whole\" or \"green\" "
            "in the tables request_solo and kernel_solo");
    struct dcs_predictors_about about = {t->profile, (int64_t)t->seed, DCS_BUILD_ID, t->held_out};
    if (dcs_predictors_write(output, &about, t->rows, t->n, err) != 0)
        return -1;
    if (!t->slowdowns)
        print_table(t);
    print_slowdowns(t);
    fprintf(stderr, "dcsim: %zu predictors are in %s%s\n", t->n, output,
            exists ? ", in place of those that it had" : "");
    print_times(t);
    return 0;
}

/* The same for the profile of a CPU. */
static int train_and_store_cpu(struct training *t, const char *path, const char *output,
                               struct dcs_err *err)
{
    bool exists;
    struct dcs_cpu *cpu;
    struct dcs_profile *again = dcs_cpu_load_profile(path, &cpu, err);
    if (again == NULL)
        return -1;
    dcs_profile_free(again);
    int status = dcs_predictors_may_write(output, &exists, err);
    if (status == 0) {
        struct dcs_predictors_about about = {t->profile, (int64_t)t->seed, DCS_BUILD_ID, NULL};
        train_cpu(t, cpu);
        status = dcs_predictors_write(output, &about, t->rows, t->n, err);
    }
    dcs_cpu_free(cpu);
    if (status != 0)
        return -1;
    print_r2(t);
    fprintf(stderr, "dcsim: %zu predictors are in %s%s\n", t->n, output,
            exists ? ", in place of those that it had" : "");
    print_times(t);
    return 0;
}

static bool is_for(const struct dcs_method *const *list, const struct dcs_method *m)
{
    while (*list != NULL && *list != m)
        list++;
    return *list != NULL;
}

/* All methods of the kind of device, or those that were named. */
static int choose_methods(struct training *t, struct dcs_err *err)
{
    const struct dcs_method *const *all = t->profile->is_cpu ? dcs_methods_cpu : dcs_methods;
    bool named = t->methods[0] != NULL || t->slowdowns;
    t->all = !named;
    if (t->slowdowns && (t->methods[0] != NULL || t->profile->is_cpu))
        return dcs_err_at(err, "command line", 0, NULL,
                          "--method slowdown is for profiles of a GPU, and goes alone");
    if (t->held_count > 0 && !t->slowdowns && !t->all)
        return dcs_err_at(err, "command line", 0, NULL,
                          "--hold-out goes with --method slowdown, or with all methods");
    for (size_t i = 0; !named && all[i] != NULL; i++)
        t->methods[i] = all[i];
    for (size_t i = 0; t->methods[i] != NULL; i++)
        if (!is_for(all, t->methods[i]))
            return dcs_err_at(err, "command line", 0, NULL,
                              "--method %s is not for profiles of a %s",
                              dcs_method_name(t->methods[i]), t->profile->is_cpu ? "CPU" : "GPU");
    return 0;
}

static int add_method(struct training *t, const char *name)
{
    if (strcmp(name, SLOWDOWN) == 0) {
        t->slowdowns = true;
        return -1;
    }
    const struct dcs_method *method = dcs_method_named(name);
    size_t count = 0;
    while (t->methods[count] != NULL && t->methods[count] != method)
        count++;
    if (method == NULL || count == METHODS_MAX)
        return bad_usage(
            "--method takes linear, knn, cart, net or slowdown; of a CPU linear, sgd, knn5, svm or "
            "net");
    t->methods[count] = method;
    return -1;
}

static void print_usage(void)
{
    fputs(usage, stdout);
    for (size_t i = 0; dcs_methods[i] != NULL; i++)
        printf("                   %-8s %s\n", dcs_method_name(dcs_methods[i]),
               dcs_method_summary(dcs_methods[i]));
    puts(
        "                   slowdown by how much kernels are slowed beside others: the network of\n"
        "                            Themis, and GPM; where kernels were measured beside "
        "producers\n"
        "                            of pressure, and counted\n"
        "                   and of a CPU linear, net and:");
    for (size_t i = 0; dcs_methods_cpu[i] != NULL; i++)
        if (!is_for(dcs_methods, dcs_methods_cpu[i]))
            printf("                   %-8s %s\n", dcs_method_name(dcs_methods_cpu[i]),
                   dcs_method_summary(dcs_methods_cpu[i]));
}

static int take_option(void *context, int option)
{
    struct training *t = context;
    switch (option) {
    case 'h':
        print_usage();
        return DCS_EXIT_OK;
    case 'm':
        return add_method(t, optarg);
    case 'o':
        if (t->held_count == HELD_MAX)
            return bad_usage("--hold-out may be given 64 times");
        t->held[t->held_count++] = optarg;
        return -1;
    default: /* 's' */
        return command_whole(optarg, 0, SEED_MAX, &t->seed)
                   ? -1
                   : bad_usage("--seed takes a whole number of at most 18 digits");
    }
}

/* -1: go on; else the exit code. */
static int parse(struct training *t, int argc, char **argv, const char **name)
{
    const struct command_option options[] = {
        {"seed", .take = 's'},          {"method", .take = 'm'}, {"hold-out", .take = 'o'},
        {"output", .path = &t->output}, {"help", .act = 'h'},    {0}};
    const struct command_line line = {"dcsim train", NULL, options, take_option, t};
    int code = command_options(&line, argc, argv, 2);
    if (code >= 0)
        return code;
    if (argc - optind != 1)
        return bad_usage("expected one profile");
    *name = argv[optind];
    return -1;
}

int train_command(int argc, char **argv)
{
    struct training t = {.seed = 1};
    const char *name = NULL;
    struct dcs_err err = {0};
    int code = parse(&t, argc, argv, &name);
    if (code >= 0)
        return code;
    char *path = paths_profile(name, ".", &err);
    char *usual = path != NULL ? paths_predictors(path, name, ".") : NULL;
    struct dcs_profile *profile = path != NULL ? dcs_profile_load(path, &err) : NULL;
    t.profile = profile;
    code = DCS_EXIT_OK;
    const char *to = t.output != NULL ? t.output : usual;
    if (profile == NULL || choose_methods(&t, &err) != 0 ||
        (profile->is_cpu ? train_and_store_cpu(&t, path, to, &err)
                         : train_and_store(&t, path, to, &err)) != 0)
        code = command_fail(&err);
    free(path);
    free(usual);
    for (size_t i = 0; i < t.n; i++)
        dcs_model_release(&t.rows[i].model);
    free(t.rows);
    free(t.questions);
    free(t.held_out);
    dcs_measured_free(t.measured);
    dcs_profile_free(profile);
    return code;
}
