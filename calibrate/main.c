/*
 * main.c - the command line of dcsim-calibrate.
 *
 *   dcsim-calibrate list                     applications and measurements
 *   dcsim-calibrate check [--app NAME]       compare every application with its reference
 *   dcsim-calibrate all | MEASUREMENT ...    measure, into a profile
 *   dcsim-calibrate export FILE.db FILE.sql  a profile as SQL text
 *   dcsim-calibrate merge INTO.db FROM.db    two profiles of one model of GPU in one
 *
 * Exit codes: 0 done, 1 some steps failed, 2 the caller's or the machine's fault, 3 the context of
 * the device was lost: run again, and the measurement goes on; 70 our own fault, 130 interrupted.
 */
#include "build_id.h"
#include "calibrate/check.h"
#include "calibrate/counters.h"
#include "calibrate/work.h"
#include "calibrate/worker.h"

#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EXIT_FAILED_STEPS 1
#define EXIT_CONTEXT_LOST 3

static const char usage[] =
    "Usage: dcsim-calibrate list\n"
    "       dcsim-calibrate check [--app NAME] [--from NAME]\n"
    "       dcsim-calibrate all | MEASUREMENT [OPTION]...\n"
    "       dcsim-calibrate export FILE.db FILE.sql\n"
    "       dcsim-calibrate merge INTO.db FROM.db\n"
    "\n"
    "Measures real kernels on a GPU and writes a profile for dcsim. What is measured already is\n"
    "not measured again: an interrupted measurement is continued by the same command.\n"
    "\n"
    "  --output FILE     the profile's database (default: the device's name, e.g. nvidia-h200.db)\n"
    "  --name NAME       name of a new profile (default: the device's name)\n"
    "  --dry-run         print the steps and their minutes on the GPU, and stop; needs no GPU\n"
    "  --minutes M       stop after M minutes, between two steps\n"
    "  --app NAME        only steps of this application\n"
    "  --only KIND       with all: only this measurement; may be repeated\n"
    "  --retry-failed    try failed steps again\n"
    "  --device N        the GPU's number (default: 0)\n"
    "  --allow-others    measure although other processes use the GPU\n"
    "  --same-model      go on with a profile of another GPU of the same model\n"
    "  --clock-floor F   throw samples away below this share of the highest clock (default: 0.75)\n"
    "  --patience S      take a request that runs longer for hung (default: 60 s)\n"
    "  --seed N          of the applications' inputs (default: 1)\n"
    "  --version, --help\n";

struct arguments {
    const char *command, *output, *name, *app, *from;
    const char *only[16];
    size_t only_count;
    double minutes;
    bool dry_run, retry_failed, same_model;
    uint64_t seed;
    struct cal_gpu_options gpu;
};

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    interrupted = 1;
    /* A second one ends the program at once; the store undoes the step in hand. */
    signal(signal_number, SIG_DFL);
}

static int fail(const struct dcs_err *err)
{
    if (err->file[0] != '\0')
        fprintf(stderr, "dcsim-calibrate: %s: %s\n", err->file, err->text);
    else
        fprintf(stderr, "dcsim-calibrate: %s\n", err->text);
    return DCS_EXIT_USER;
}

/* --- arguments --- */

static int to_number(const char *option, const char *text, double min, double max, double *value,
                     struct dcs_err *err)
{
    char *end;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && *value >= min && *value <= max)
        return 0;
    return dcs_err_set(err, "--%s %s: a number from %g to %g is expected", option, text, min, max);
}

static const struct cal_measure *find_measure(const char *name)
{
    for (size_t i = 0; cal_measures[i] != NULL; i++)
        if (strcmp(cal_measures[i]->name, name) == 0)
            return cal_measures[i];
    return NULL;
}

static int add_only(struct arguments *a, const char *kind, struct dcs_err *err)
{
    if (find_measure(kind) == NULL)
        return dcs_err_set(err, "--only %s: no such measurement; `list` names them", kind);
    if (a->only_count == sizeof a->only / sizeof a->only[0])
        return dcs_err_set(err, "too many --only");
    a->only[a->only_count++] = kind;
    return 0;
}

enum {
    OUTPUT = 256,
    NAME,
    DRY_RUN,
    MINUTES,
    APP,
    FROM,
    ONLY,
    RETRY,
    DEVICE,
    OTHERS,
    SAME_MODEL,
    FLOOR,
    PATIENCE,
    SEED,
    VERSION,
    HELP
};

static const struct option options[] = {
    {"output", required_argument, NULL, OUTPUT},
    {"name", required_argument, NULL, NAME},
    {"dry-run", no_argument, NULL, DRY_RUN},
    {"minutes", required_argument, NULL, MINUTES},
    {"app", required_argument, NULL, APP},
    {"from", required_argument, NULL, FROM},
    {"only", required_argument, NULL, ONLY},
    {"retry-failed", no_argument, NULL, RETRY},
    {"device", required_argument, NULL, DEVICE},
    {"allow-others", no_argument, NULL, OTHERS},
    {"same-model", no_argument, NULL, SAME_MODEL},
    {"clock-floor", required_argument, NULL, FLOOR},
    {"patience", required_argument, NULL, PATIENCE},
    {"seed", required_argument, NULL, SEED},
    {"version", no_argument, NULL, VERSION},
    {"help", no_argument, NULL, HELP},
    {0},
};

static int take_option(struct arguments *a, int option, struct dcs_err *err)
{
    double number;
    switch (option) {
    case OUTPUT:
        a->output = optarg;
        return 0;
    case NAME:
        a->name = optarg;
        return 0;
    case DRY_RUN:
        a->dry_run = true;
        return 0;
    case MINUTES:
        return to_number("minutes", optarg, 0.01, 1e6, &a->minutes, err);
    case APP:
    case FROM:
        *(option == APP ? &a->app : &a->from) = optarg;
        return cal_find_app(optarg) != NULL
                   ? 0
                   : dcs_err_set(err, "no application \"%s\"; `list` names them", optarg);
    case ONLY:
        return add_only(a, optarg, err);
    case RETRY:
        a->retry_failed = true;
        return 0;
    case DEVICE:
        if (to_number("device", optarg, 0, 1000, &number, err) != 0)
            return -1;
        a->gpu.ordinal = (int)number;
        return 0;
    case OTHERS:
        a->gpu.allow_others = true;
        return 0;
    case SAME_MODEL:
        a->same_model = true;
        return 0;
    case FLOOR:
        return to_number("clock-floor", optarg, 0, 1, &a->gpu.clock_floor, err);
    case PATIENCE:
        return to_number("patience", optarg, 0.1, 1e5, &a->gpu.patience_s, err);
    case SEED:
        if (to_number("seed", optarg, 0, 9e15, &number, err) != 0)
            return -1;
        a->seed = (uint64_t)number;
        return 0;
    default:
        return dcs_err_set(err, "see dcsim-calibrate --help");
    }
}

/* --- list, check, export --- */

static int list(void)
{
    printf("Applications (sizes that are measured, with the default)\n\n");
    for (size_t i = 0; cal_apps[i] != NULL; i++) {
        const struct cal_app *a = cal_apps[i];
        char sizes[96];
        snprintf(sizes, sizeof sizes, "%lld to %lld, %lld %s", (long long)a->size_min,
                 (long long)a->size_max, (long long)a->size_default, a->size_unit);
        printf("%-20s %-8s %-48s %s\n", a->name, a->role == CAL_SERVICE ? "service" : "batch",
               sizes, a->papers);
    }
    printf("\nMeasurements\n\n");
    for (size_t i = 0; cal_measures[i] != NULL; i++)
        printf("%-20s %s\n", cal_measures[i]->name, cal_measures[i]->help);
    return DCS_EXIT_OK;
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

static int check(struct cal_gpu *g, const struct arguments *a, int argc, char **argv)
{
    bool failed = getenv("DCSIM_CALIBRATE_CHECK_FAILED") != NULL, begun = a->from == NULL;
    for (size_t i = 0; cal_apps[i] != NULL && !interrupted; i++) {
        const struct cal_app *app = cal_apps[i];
        begun = begun || strcmp(app->name, a->from) == 0;
        if (!begun || (a->app != NULL && strcmp(a->app, app->name) != 0))
            continue;
        double began = cal_seconds(NULL);
        struct dcs_err err = {0};
        int wrong = cal_check_app(g, app, a->seed, &err);
        failed = failed || wrong;
        printf("%-6s %-20s %6.2f s%s%s\n", wrong ? "FAILED" : "ok", app->name,
               cal_seconds(NULL) - began, wrong ? "  " : "", wrong ? err.text : "");
        fflush(stdout);
        if (g->dead && cal_apps[i + 1] != NULL && a->app == NULL)
            return check_rest(argc, argv, cal_apps[i + 1], failed);
    }
    if (interrupted)
        return DCS_EXIT_INTERRUPTED;
    return failed ? EXIT_FAILED_STEPS : DCS_EXIT_OK;
}

static int export_profile(int count, char **paths)
{
    struct dcs_err err = {0};
    if (count != 2) {
        dcs_err_set(&err, "export takes two paths: FILE.db FILE.sql");
        return fail(&err);
    }
    struct cal_store *store = cal_store_open_existing(paths[0], &err);
    int failed = store == NULL || cal_store_export(store, paths[1], &err) != 0;
    cal_store_close(store);
    return failed ? fail(&err) : DCS_EXIT_OK;
}

/* --- measuring --- */

/* "NVIDIA H200" as "nvidia-h200". */
static void name_of_device(const char *device, char *name, size_t size)
{
    size_t used = 0;
    for (; *device != '\0' && used + 1 < size; device++)
        if (isalnum((unsigned char)*device))
            name[used++] = (char)tolower((unsigned char)*device);
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    while (used > 0 && name[used - 1] == '-')
        used--;
    name[used] = '\0';
}

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

static void make_plan(const struct cal_session *s, const struct arguments *a, bool everything,
                      struct cal_steps *steps)
{
    for (size_t i = 0; cal_measures[i] != NULL; i++)
        if (everything ? !cal_measures[i]->apart : is_wanted(a, cal_measures[i]))
            cal_measures[i]->plan(s, steps);
    if (!everything)
        cal_steps_only_app(steps, a->app);
}

static int dry_run(const struct arguments *a)
{
    struct dcs_err err = {0};
    struct cal_session s = {.sms = 132, .seed = a->seed};
    double sms;
    if (a->output != NULL && access(a->output, F_OK) == 0) {
        s.store = cal_store_open_existing(a->output, &err);
        if (s.store == NULL)
            return fail(&err);
    }
    if (s.store != NULL && cal_store_get(s.store, &sms, "SELECT sms FROM device", ""))
        s.sms = (int)sms;
    else
        printf("Without a profile that was begun the times are guesses, for %d SMs.\n", s.sms);
    struct cal_steps steps = {0};
    make_plan(&s, a, false, &steps);
    cal_steps_print(&steps, &s, true, stdout);
    cal_steps_release(&steps);
    cal_store_close(s.store);
    return DCS_EXIT_OK;
}

static int report(const struct cal_run_result *r, const char *output)
{
    fprintf(stderr,
            "%s: %zu steps measured, %zu failed, %zu measured before, %zu of this plan left%s\n",
            output, r->done, r->failed, r->before, r->left,
            r->interrupted   ? " (interrupted)"
            : r->out_of_time ? " (out of time)"
                             : "");
    if (r->interrupted)
        return DCS_EXIT_INTERRUPTED;
    return r->failed > 0 ? EXIT_FAILED_STEPS : DCS_EXIT_OK;
}

/* A profile is whole when every step of every measurement is done. */
static int finish(struct cal_session *s, const struct arguments *a, struct dcs_err *err)
{
    struct cal_steps all = {0};
    make_plan(s, a, true, &all);
    bool partial = false;
    for (size_t i = 0; i < all.count && !partial; i++)
        partial = cal_store_step(s->store, all.steps[i].key) != CAL_STEP_DONE;
    cal_steps_release(&all);
    return cal_store_finish(s->store, partial, err);
}

static int merge(const struct arguments *a, int count, char **paths)
{
    struct dcs_err err = {0};
    struct cal_session s = {.seed = a->seed};
    double sms = 0;
    int64_t steps;
    if (count != 2) {
        dcs_err_set(&err, "merge takes two paths: INTO.db FROM.db");
        return fail(&err);
    }
    s.store = cal_store_open_existing(paths[0], &err);
    int failed = s.store == NULL || cal_store_merge(s.store, paths[1], &steps, &err) != 0;
    if (!failed) {
        cal_store_get(s.store, &sms, "SELECT sms FROM device", "");
        s.sms = (int)sms;
        failed = finish(&s, a, &err);
    }
    cal_store_close(s.store);
    if (failed)
        return fail(&err);
    printf("%s: %lld steps taken over from %s\n", paths[0], (long long)steps, paths[1]);
    return DCS_EXIT_OK;
}

static int run_plan(struct cal_session *s, const struct arguments *a)
{
    struct dcs_err err = {0};
    const char *kind = strcmp(a->command, "all") == 0 ? NULL : a->command;
    if (a->retry_failed && cal_store_forget_failed(s->store, kind, &err) != 0)
        return fail(&err);
    struct cal_steps steps = {0};
    make_plan(s, a, false, &steps);
    const struct cal_run_options how = {
        .minutes = a->minutes, .stop = &interrupted, .progress = isatty(STDERR_FILENO)};
    struct cal_run_result result;
    int code = DCS_EXIT_OK;
    if (cal_steps_run(&steps, s, &how, &result, &err) != 0)
        code = fail(&err);
    if (code != DCS_EXIT_OK && s->gpu->dead)
        code = EXIT_CONTEXT_LOST;
    int reported = report(&result, s->output);
    if (code == DCS_EXIT_OK)
        code = reported;
    cal_steps_release(&steps);
    if (!cal_store_broken(s->store) && finish(s, a, &err) != 0)
        code = fail(&err);
    return code;
}

static int measure(struct cal_gpu *g, const struct arguments *a)
{
    char device[64], output[128], moment[32], program[4096] = "", source[512];
    struct dcs_err err = {0};
    time_t now = time(NULL);
    name_of_device(g->name, device, sizeof device);
    snprintf(output, sizeof output, "%s.db", device);
    strftime(moment, sizeof moment, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    snprintf(source, sizeof source,
             "measured by dcsim-calibrate %s on %s, driver %s, CUDA %s, %.10s", DCS_BUILD_ID,
             g->name, g->driver, g->cuda, moment);
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        program[0] = '\0';
    const struct cal_provenance provenance = {
        .name = a->name != NULL ? a->name : device,
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
                            .seed = a->seed,
                            .program = program,
                            .output = a->output != NULL ? a->output : output,
                            .ordinal = g->ordinal,
                            .dead = &g->dead};
    s.store = cal_store_open(s.output, &provenance, &err);
    if (s.store == NULL)
        return fail(&err);
    int code = run_plan(&s, a);
    cal_store_close(s.store);
    return code;
}

static int with_gpu(const struct arguments *a, int argc, char **argv)
{
    struct dcs_err err = {0};
    int code;
    struct cal_gpu *g = cal_gpu_find(&a->gpu, &err);
    if (g == NULL || cal_gpu_start(g, &a->gpu, &err) != 0) {
        cal_gpu_free(g);
        return fail(&err);
    }
    fprintf(stderr, "%s, %d SMs, %.1f GiB, %s, driver %s\n", g->name, g->sms,
            (double)g->memory_bytes / (1 << 30), g->uuid, g->driver);
    if (strcmp(a->command, "check") == 0)
        code = check(g, a, argc, argv);
    else if (strcmp(a->command, "replay-kernels") == 0)
        code = cal_replay_kernels(g, a->app, argv + optind, argc - optind, a->seed, &err) != 0
                   ? fail(&err)
                   : 0;
    else
        code = measure(g, a);
    bool dead = g->dead;
    cal_gpu_free(g);
    if (dead) {
        /* Handlers of the runtime would wait for a kernel that never ends. */
        fflush(NULL);
        _exit(code);
    }
    return code;
}

int main(int argc, char **argv)
{
    struct arguments a = {.gpu = {.clock_floor = 0.75, .patience_s = 60}, .seed = 1};
    struct dcs_err err = {0};
    int option;
    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return cal_worker_main(argc, argv); /* a child that a measurement has started */
    if (argc > 1 && argv[1][0] != '-')
        a.command = argv[1];
    if (a.command != NULL)
        optind = 2;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == VERSION)
            return puts("dcsim-calibrate " DCS_BUILD_ID), DCS_EXIT_OK;
        if (option == HELP)
            return fputs(usage, stdout), DCS_EXIT_OK;
        if (take_option(&a, option, &err) != 0)
            return fail(&err);
    }
    if (a.command == NULL) {
        fputs(usage, stderr);
        return DCS_EXIT_USER;
    }
    if (strcmp(a.command, "list") == 0)
        return list();
    if (strcmp(a.command, "export") == 0)
        return export_profile(argc - optind, argv + optind);
    if (strcmp(a.command, "merge") == 0)
        return merge(&a, argc - optind, argv + optind);
    bool replay = strcmp(a.command, "replay-kernels") == 0;
    bool measuring = strcmp(a.command, "all") == 0 || find_measure(a.command) != NULL;
    if (!measuring && !replay && strcmp(a.command, "check") != 0) {
        dcs_err_set(&err, "no command \"%.60s\"; see --help and `list`", a.command);
        return fail(&err);
    }
    if (optind != argc && !replay) {
        dcs_err_set(&err, "unexpected argument \"%.60s\"", argv[optind]);
        return fail(&err);
    }
    if (a.only_count > 0 && strcmp(a.command, "all") != 0) {
        dcs_err_set(&err, "--only goes with all");
        return fail(&err);
    }
    if (measuring && a.dry_run)
        return dry_run(&a);
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    return with_gpu(&a, argc, argv);
}
