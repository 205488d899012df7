/*
 * gpu_command.c - the commands of dcsim-calibrate that need CUDA: measuring a GPU, and checking
 * applications on one. See calibrate_main.c for the command line.
 */
#include "build_id.h"
#include "calibrate/measure/check.h"
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/commands/fit_after.h"
#include "calibrate/drive/drive_gpu.h"
#include "calibrate/gpu/counters.h"
#include "calibrate/measure/work.h"
#include "calibrate/worker/worker.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLANNED_SMS 132 /* of a plan without a profile */

struct arguments {
    struct cal_common common;
    const char *command, *from;
    const char *only[16];
    size_t only_count;
    bool same_model, default_size_only, no_fit;
    struct cal_gpu_options gpu;
};

/* --- arguments --- */

static const struct cal_measure *find_measure(const char *name)
{
    for (size_t i = 0; cal_measures[i] != NULL; i++)
        if (strcmp(cal_measures[i]->name, name) == 0)
            return cal_measures[i];
    return NULL;
}

static int add_only(void *context, const char *kind, struct dcs_err *err)
{
    struct arguments *a = context;
    if (find_measure(kind) == NULL)
        return dcs_err_set(err, "--only %s: no such measurement; `list` names them", kind);
    if (a->only_count == sizeof a->only / sizeof a->only[0])
        return dcs_err_set(err, "too many --only");
    a->only[a->only_count++] = kind;
    return 0;
}

static const char *name_of_app(size_t index)
{
    return cal_apps[index] != NULL ? cal_apps[index]->name : NULL;
}

static int check_apps_exist(const char *list, struct dcs_err *err)
{
    char missing[CAL_KEY_BYTES];
    if (!cal_list_misses(list, name_of_app, missing))
        return 0;
    return dcs_err_set(err, "no application \"%.60s\"; `list` names them", missing);
}

static int read_options(int argc, char **argv, struct arguments *a, struct dcs_err *err)
{
    double ordinal = 0;
    const struct cal_option own[] = {
        {"from", .text = &a->from},
        {"only", .take = add_only},
        {"device", .number = &ordinal, .min = 0, .max = 1000},
        {"same-model", .flag = &a->same_model},
        {"default-size-only", .flag = &a->default_size_only},
        {"no-fit", .flag = &a->no_fit},
        {"clock-floor", .number = &a->gpu.clock_floor, .min = 0, .max = 1},
        {"patience", .number = &a->gpu.patience_s, .min = 0.1, .max = 1e5},
        {0},
    };
    if (cal_options(argc, argv, 2, &a->common, own, a, err) != 0)
        return -1;
    a->gpu.ordinal = (int)ordinal;
    a->gpu.allow_others = a->common.allow_others;
    return check_apps_exist(a->common.apps, err) != 0 || check_apps_exist(a->from, err) != 0 ? -1
                                                                                             : 0;
}

/* --- list, check --- */

const char *cal_gpu_absent(void)
{
    return "";
}

void cal_gpu_list(void)
{
    printf("Applications for GPUs (sizes that are measured, with the default)\n\n");
    for (size_t i = 0; cal_apps[i] != NULL; i++) {
        const struct cal_app *a = cal_apps[i];
        cal_list_app(&(struct cal_listed){a->name, a->size_unit, a->papers, a->role == CAL_SERVICE,
                                          a->size_min, a->size_max, a->size_default});
    }
    putchar('\n');
    cal_split_list();
    printf("Measurements\n\n");
    for (size_t i = 0; cal_measures[i] != NULL; i++)
        printf("%-20s %s\n", cal_measures[i]->name, cal_measures[i]->help);
    putchar('\n');
}

/* A lost context cannot be mended in a process: the rest is checked by a new one in its place. */
static int check_rest(int argc, char **argv, const struct cal_app *next, bool failed)
{
    char **arguments = dcs_alloc((size_t)argc + 3, sizeof *arguments);
    memcpy(arguments, argv, (size_t)argc * sizeof *arguments);
    arguments[argc] = "--from";
    arguments[argc + 1] = (char *)(uintptr_t)next->name;
    if (failed)
        setenv("DCSIM_CALIBRATE_CHECK_FAILED", "1", 1);
    fflush(stdout);
    execv("/proc/self/exe", arguments);
    free(arguments);
    fprintf(stderr, "dcsim-calibrate: the rest is not checked: pass --from %s\n", next->name);
    return EXIT_CONTEXT_LOST;
}

static int check_apps(struct cal_gpu *g, const struct arguments *a, int argc, char **argv)
{
    bool failed = getenv("DCSIM_CALIBRATE_CHECK_FAILED") != NULL, begun = a->from == NULL;
    for (size_t i = 0; cal_apps[i] != NULL && !cal_interrupted; i++) {
        const struct cal_app *app = cal_apps[i];
        begun = begun || strcmp(app->name, a->from) == 0;
        if (!begun || !cal_list_names(a->common.apps, app->name))
            continue;
        double began = cal_seconds(NULL);
        struct dcs_err err = {0};
        int wrong = cal_check_app(g, app, a->common.seed, &err);
        failed = failed || wrong;
        printf("%-6s %-20s %6.2f s%s%s\n", wrong ? "FAILED" : "ok", app->name,
               cal_seconds(NULL) - began, wrong ? "  " : "", wrong ? err.text : "");
        fflush(stdout);
        if (g->dead && cal_apps[i + 1] != NULL)
            return check_rest(argc, argv, cal_apps[i + 1], failed);
    }
    if (cal_interrupted)
        return DCS_EXIT_INTERRUPTED;
    return failed ? EXIT_FAILED_STEPS : DCS_EXIT_OK;
}

/* --- measuring --- */

static bool is_wanted(const struct arguments *a, const struct cal_measure *m)
{
    if (strcmp(a->command, "all") != 0)
        return strcmp(a->command, m->name) == 0;
    if (m->apart)
        return false;
    for (size_t i = 0; i < a->only_count; i++)
        if (strcmp(a->only[i], m->name) == 0)
            return true;
    return a->only_count == 0;
}

/* Whether the command line says which measurements. */
static bool names_measures(const struct arguments *a)
{
    return strcmp(a->command, "all") != 0 || a->only_count > 0;
}

static void make_plan(const struct cal_session *s, const struct arguments *a, bool everything,
                      struct cal_steps *steps)
{
    for (size_t i = 0; cal_measures[i] != NULL; i++) {
        size_t first = steps->count;
        if (everything ? cal_measures[i]->apart : !is_wanted(a, cal_measures[i]))
            continue;
        cal_measures[i]->plan(s, steps);
        if (!everything && names_measures(a) && cal_steps_lack_apps(steps, first, a->common.apps))
            fprintf(stderr, "dcsim-calibrate: --app leaves none of %s: no step of it is of %s\n",
                    cal_measures[i]->name, a->common.apps);
    }
    if (everything)
        return;
    cal_steps_only_apps(steps, a->common.apps);
    cal_keep_keys(steps, a->common.steps);
    if (a->default_size_only)
        cal_steps_only_default_size(steps);
}

/* A measurement that is named has steps at other sizes only, whatever the profile holds. */
static int check_sizes(const struct arguments *a, struct dcs_err *err)
{
    const struct cal_session s = {.sms = PLANNED_SMS, .seed = a->common.seed};
    if (!a->default_size_only || !names_measures(a))
        return 0;
    for (size_t i = 0; cal_measures[i] != NULL; i++) {
        struct cal_steps steps = {0};
        if (!is_wanted(a, cal_measures[i]))
            continue;
        cal_measures[i]->plan(&s, &steps);
        size_t all = steps.count;
        cal_steps_only_default_size(&steps);
        bool none = all > 0 && steps.count == 0;
        cal_steps_release(&steps);
        if (none)
            return dcs_err_set(err,
                               "--default-size-only leaves nothing of %s, which has no step "
                               "at a default size: leave one of the two out",
                               cal_measures[i]->name);
    }
    return 0;
}

/* `all` of some applications is everything that a simulation of them needs. */
static enum cal_fit_how fit_how(const struct arguments *a)
{
    if (a->no_fit || strcmp(a->command, "all") != 0)
        return CAL_FIT_NOT;
    return a->common.apps != NULL && a->only_count == 0 && a->common.steps == NULL
               ? CAL_FIT_RUN
               : CAL_FIT_BY_HAND;
}

static int dry_run(const struct arguments *a)
{
    struct dcs_err err = {0};
    struct cal_session s = {.sms = PLANNED_SMS, .seed = a->common.seed};
    double sms;
    if (a->common.output != NULL && access(a->common.output, F_OK) == 0) {
        s.store = cal_store_open_existing(a->common.output, &err);
        if (s.store != NULL && cal_store_is_cpu(s.store)) {
            dcs_err_at(&err, a->common.output, 0, NULL,
                       "is the profile of a CPU; name another file with --output");
            cal_store_close(s.store);
            return cal_complain(&err);
        }
        if (s.store == NULL)
            return cal_complain(&err);
    }
    if (s.store != NULL && cal_store_get(s.store, &sms, "SELECT sms FROM device", ""))
        s.sms = (int)sms;
    else
        printf("Without a profile that was begun the times are guesses, for %d SMs.\n", s.sms);
    struct cal_steps steps = {0};
    make_plan(&s, a, false, &steps);
    cal_steps_print(&steps, &s, a->common.verbose, stdout);
    if (fit_how(a) == CAL_FIT_RUN)
        puts("Then contention is fitted, by python3 with numpy; --no-fit leaves it out.");
    cal_steps_release(&steps);
    cal_store_close(s.store);
    return DCS_EXIT_OK;
}

/* A profile is whole when every step of every measurement is done. */
static int finish(struct cal_session *s, const struct arguments *a, struct dcs_err *err)
{
    struct cal_steps all = {0};
    make_plan(s, a, true, &all);
    bool partial = cal_is_partial(s->store, &all);
    cal_steps_release(&all);
    return cal_store_finish(s->store, partial, err);
}

int cal_gpu_finish_merged(struct cal_store *store, struct dcs_err *err)
{
    const struct arguments a = {.command = "all", .common.seed = 1};
    struct cal_session s = {.store = store, .seed = a.common.seed};
    double sms = 0;
    cal_store_get(store, &sms, "SELECT sms FROM device", "");
    s.sms = (int)sms;
    return finish(&s, &a, err);
}

/* Of the measurements that are wanted. */
static int forget_failed(struct cal_store *store, const struct arguments *a, struct dcs_err *err)
{
    for (size_t i = 0; cal_measures[i] != NULL; i++)
        if (is_wanted(a, cal_measures[i]) &&
            cal_store_forget_failed(store, cal_measures[i]->name, err) != 0)
            return -1;
    return 0;
}

static int run_plan(struct cal_session *s, const struct arguments *a, struct cal_run_result *result)
{
    struct dcs_err err = {0};
    if (a->common.retry_failed && forget_failed(s->store, a, &err) != 0)
        return cal_complain(&err);
    struct cal_steps steps = {0};
    make_plan(s, a, false, &steps);
    int code = cal_run_steps(s, &steps, a->common.minutes, result);
    cal_steps_release(&steps);
    if (!cal_store_broken(s->store) && finish(s, a, &err) != 0)
        code = cal_complain(&err);
    return code;
}

static int measure(struct cal_gpu *g, const struct arguments *a, struct cal_fit_after *fit)
{
    char device[64], output[128], moment[32], program[4096] = "", source[512];
    struct dcs_err err = {0};
    cal_name_of_device(g->name, device, sizeof device);
    snprintf(output, sizeof output, "%s.db", device);
    cal_moment(moment, sizeof moment);
    snprintf(source, sizeof source,
             "measured by dcsim-calibrate %s on %s, driver %s, CUDA %s, %.10s", DCS_BUILD_ID,
             g->name, g->driver, g->cuda, moment);
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        program[0] = '\0';
    const struct cal_provenance provenance = {
        .name = a->common.name != NULL ? a->common.name : device,
        .description = "Measured on a real device by dcsim-calibrate.",
        .source = source,
        .device_name = g->name,
        .device_uuid = g->uuid,
        .driver = g->driver,
        .cuda = g->cuda,
        .tool_version = DCS_BUILD_ID,
        .measured_at = moment,
        .sms = g->sms,
        .max_clock_mhz = g->max_clock_mhz,
        .memory_bytes = (int64_t)g->memory_bytes,
        .l2_bytes = (int64_t)g->l2_bytes,
        .same_model = a->same_model,
    };
    struct cal_session s = {.gpu = g,
                            .sms = g->sms,
                            .seed = a->common.seed,
                            .program = program,
                            .output = a->common.output != NULL ? a->common.output : output,
                            .ordinal = g->ordinal,
                            .dead = &g->dead};
    s.store = cal_store_open(s.output, &provenance, &err);
    if (s.store == NULL)
        return cal_complain(&err);
    fit->how = fit_how(a);
    fit->apps = a->common.apps;
    snprintf(fit->profile, sizeof fit->profile, "%s", s.output);
    int code = run_plan(&s, a, &fit->steps);
    cal_store_close(s.store);
    return code;
}

static int with_gpu(const struct arguments *a, int argc, char **argv)
{
    struct dcs_err err = {0};
    struct cal_fit_after fit = {.how = CAL_FIT_NOT, .script = cal_fit_script()};
    int code;
    struct cal_gpu *g = cal_gpu_find(&a->gpu, &err);
    if (g == NULL || cal_gpu_start(g, &a->gpu, &err) != 0) {
        cal_gpu_free(g);
        return cal_complain(&err);
    }
    fprintf(stderr, "%s, %d SMs, %.1f GiB, %s, driver %s\n", g->name, g->sms,
            (double)g->memory_bytes / (1 << 30), g->uuid, g->driver);
    if (strcmp(a->command, "check") == 0)
        code = check_apps(g, a, argc, argv);
    else if (strcmp(a->command, "drive-ends") == 0)
        code = cal_ends_compare(g, a->common.apps != NULL ? a->common.apps : "resnet50", &err) != 0
                   ? cal_complain(&err)
                   : 0;
    else if (strcmp(a->command, "replay-kernels") == 0)
        code = cal_replay_kernels(g, a->common.apps, argv + optind, argc - optind, a->common.seed,
                                  &err) != 0
                   ? cal_complain(&err)
                   : 0;
    else if (strcmp(a->command, "replay-beside") == 0)
        code = cal_replay_beside(g, argv + optind, argc - optind, a->common.seed, &err) != 0
                   ? cal_complain(&err)
                   : 0;
    else
        code = measure(g, a, &fit);
    bool dead = g->dead;
    cal_gpu_free(g); /* a fit takes minutes, and no GPU */
    code = cal_fit_after(&fit, code);
    if (dead) {
        /* Handlers of the runtime would wait for a kernel that never ends. */
        fflush(NULL);
        _exit(code);
    }
    return code;
}

/* What options have to do with the command, and with each other. */
static int check_options(const struct arguments *a, bool measuring, struct dcs_err *err)
{
    bool all = strcmp(a->command, "all") == 0;
    if (a->only_count > 0 && !all)
        return dcs_err_set(err, "--only goes with all");
    if (a->no_fit && !all)
        return dcs_err_set(err, "--no-fit goes with all: %s fits nothing", a->command);
    if (a->default_size_only && !measuring)
        return dcs_err_set(err, "--default-size-only goes with all and with a measurement");
    return check_sizes(a, err);
}

int cal_gpu_main(int argc, char **argv)
{
    struct arguments a = {.gpu = {.clock_floor = 0.75, .patience_s = 60}, .common.seed = 1};
    struct dcs_err err = {0};
    if (strcmp(argv[1], "worker") == 0)
        return cal_worker_main(argc, argv); /* a child that a measurement has started */
    if (strcmp(argv[1], "press") == 0)
        return cal_press_main(argc, argv);
    if (strcmp(argv[1], "serve") == 0)
        return cal_serve_main(argc, argv);
    if (strcmp(argv[1], "split") == 0)
        return cal_split_main(argc, argv);
    a.command = argv[1];
    if (read_options(argc, argv, &a, &err) != 0)
        return cal_complain(&err);
    bool replay =
        strcmp(a.command, "replay-kernels") == 0 || strcmp(a.command, "replay-beside") == 0;
    bool measuring = strcmp(a.command, "all") == 0 || find_measure(a.command) != NULL;
    bool other = strcmp(a.command, "check") == 0 || strcmp(a.command, "drive-ends") == 0;
    if (!measuring && !replay && !other) {
        dcs_err_set(&err, "no command \"%.60s\"; see --help and `list`", a.command);
        return cal_complain(&err);
    }
    if (optind != argc && !replay) {
        dcs_err_set(&err, "unexpected argument \"%.60s\"", argv[optind]);
        return cal_complain(&err);
    }
    if (check_options(&a, measuring, &err) != 0)
        return cal_complain(&err);
    if (measuring && a.common.dry_run)
        return dry_run(&a);
    cal_catch_interrupts();
    return with_gpu(&a, argc, argv);
}
