/*
 * main.c - the command line.
 *
 *   dcsim run x.json [options]             run an experiment or a sweep (run_command.h);
 *                                          also dcsim --config x.json
 *   dcsim help [command]                   the usage of a command, as its --help
 *   dcsim capacity x.json --vary ...       how many GPUs, how much load (capacity_command.h)
 *   dcsim --config x.json --timeline t.json    one run as a timeline (timeline_command.h)
 *   dcsim compare results.db               policies against a baseline (compare_command.h)
 *   dcsim explain results.db               where the time of requests went (explain_command.h)
 *   dcsim export results.db view           as CSV or JSON (export_command.h)
 *   dcsim merge all.db part.db...          joins results (merge_command.h)
 *   dcsim report results.db -o page.html   a page to look at (report_command.h)
 *   dcsim check-policy mine.so             check a policy against the contract
 *                                          (check_policy_command.h)
 *   dcsim profile build|show|lint|diff ... profiles (profile_command.h)
 *   dcsim train PROFILE                    predictors from measurements (train_command.h)
 *   dcsim validate PROFILE                 the device model against measurements
 *                                          (validate_command.h)
 *   dcsim trace import|lint|fit|formats ...    published traces (trace_command.h)
 *
 * Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 a
 * subcommand found something or points of a sweep failed, 2 the input's fault, 70 our own, 130
 * interrupted.
 */
#include "config/config.h"
#include "config/paths.h"
#include "build_id.h"
#include "commands/capacity_command.h"
#include "commands/check_policy_command.h"
#include "commands/command.h"
#include "commands/compare_command.h"
#include "runs/replication.h"
#include "commands/explain_command.h"
#include "commands/export_command.h"
#include "commands/list_applications.h"
#include "commands/list_policies.h"
#include "commands/merge_command.h"
#include "config/plugin.h"
#include "commands/profile_command.h"
#include "commands/report_command.h"
#include "commands/policy_signals.h"
#include "commands/run_command.h"
#include "commands/timeline_command.h"
#include "commands/trace_command.h"
#include "commands/train_command.h"
#include "commands/validate_command.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: dcsim run FILE [OPTION]...     (or dcsim --config FILE [OPTION]...)\n"
    "       dcsim help [COMMAND]\n"
    "       dcsim capacity FILE --vary PATH=LOW:HIGH [--sla SHARE]\n"
    "       dcsim compare RESULTS.db --baseline NAME --metric METRIC\n"
    "       dcsim explain RESULTS.db [--violations | --slowest N | --request JOB:NUMBER]\n"
    "       dcsim export RESULTS.db VIEW --csv|--json\n"
    "       dcsim merge OUT.db IN.db... [--any-build]\n"
    "       dcsim report RESULTS.db -o FILE.html\n"
    "       dcsim check-policy FILE.so [--timeout S]\n"
    "       dcsim profile build P OUT.db | split P NAME | show P [--app NAME] | lint P | diff P P\n"
    "       dcsim trace import FORMAT PATH... -o JOBS.db | lint FORMAT PATH... |\n"
    "                   fit JOBS.db | formats\n"
    "       dcsim train PROFILE [-o FILE] [--seed N] [--method NAME]...\n"
    "       dcsim validate PROFILE [--half dev|test] [--worst N] [--csv FILE]\n"
    "\n"
    "Simulates GPUs that are shared by latency services and batch applications under a\n"
    "scheduling policy, and reports SLA violations, utilisation and batch work.\n"
    "\n"
    "  --config FILE        the experiment, as JSON (\"-\": standard input); run FILE is the same\n"
    "  --set PATH=VALUE     override a key, e.g. --set cluster.devices=8; may be repeated\n"
    "  --seed N             the same as --set seed=N\n"
    "  --policy FILE.so     add the policy in this shared object, for policy.name to choose; may\n"
    "                       be repeated. A single one is also chosen where policy.name is\n"
    "                       missing, or stands in the config's file alone\n"
    "  --output FILE        write results to this SQLite database; runs it holds are not repeated\n"
    "  --jobs N             run points and replications on N threads (default: all processors)\n"
    "  --shard K/N          run the K-th of N parts of a sweep; dcsim merge joins the results\n"
    "  --drive PROGRAM      run on the GPU of this machine instead of simulating: PROGRAM is\n"
    "                       dcsim-calibrate, which launches real kernels as the policy says\n"
    "  --dry-run            list the points of a sweep, with hashes and estimated time, and stop\n"
    "  --yes                run a sweep of more than 100000 points without asking\n"
    "  --any-build          runs in the database that another build made count as the same\n"
    "  --timeline FILE      write one run as a timeline, for https://ui.perfetto.dev, or, if\n"
    "                       FILE ends in .html, as a page for any browser, and stop; what of it:\n"
    "                       --timeline-from S, --timeline-until S (seconds),\n"
    "                       --timeline-devices 0-7,12, --timeline-replication N,\n"
    "                       --timeline-limit MB (default 20)\n"
    "  --print-config       print the config with all defaults filled in, and stop\n"
    "  --list WHAT          list policies, profiles, params (all config keys), schema (these for\n"
    "                       editors) or applications, and stop; applications: of the profiles of\n"
    "                       --config, or of --set profile=NAME\n"
    "  --all-points         a line for each point of a sweep in the summary, however many they "
    "are\n"
    "  --quiet              no summary, no progress\n"
    "  --version, --help\n";

struct arguments {
    const char *config, *output, *list, *seed;
    const char **sets;
    size_t sets_count, sets_capacity;
    struct plugins plugins;
    uint32_t jobs;
    uint64_t shard, shards;
    struct timeline_options timeline;
    const char *drive;
    bool print_config, quiet, all_points, dry_run, yes, any_build;
};

/* ---- Interruption ---- */

/* The one experiment that this process runs; global for the signal handler. */
static struct run_watch watch;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&watch.stop, true);
    alarm(POLICY_SIGNALS_SECONDS);
    policy_signals_second();
}

/* ---- A config ---- */

/* A key within a value of a sweep's axis: the value stands for the whole key that is swept. */
static bool is_within_value(const char *set)
{
    const char *end = strchr(set, '='), *at = strstr(set, "values[");
    if (strncmp(set, "sweep.", 6) != 0 || end == NULL || at == NULL || at > end)
        return false;
    at = strchr(at, ']');
    return at != NULL && at + 1 < end;
}

static int apply_overrides(const struct arguments *a, struct options_doc *doc, struct dcs_err *err)
{
    for (size_t i = 0; i < a->sets_count; i++) {
        if (is_within_value(a->sets[i]))
            return dcs_err_at(err, "command line", 0, "--set",
                              "%.80s: is within a value of an axis; give the whole value, as in "
                              "'sweep.axes[0].values[0]={\"name\":\"fcfs\"}'",
                              a->sets[i]);
        if (options_set(doc, a->sets[i], err) != 0)
            return -1;
    }
    if (a->seed != NULL) {
        char text[64];
        if (strspn(a->seed, "0123456789") != strlen(a->seed) || strlen(a->seed) > 19 ||
            a->seed[0] == '\0')
            return dcs_err_at(err, "command line", 0, "--seed",
                              "expected a whole number from 0 to 9.2e18, found \"%.40s\"", a->seed);
        snprintf(text, sizeof text, "seed=%s", a->seed);
        return options_set(doc, text, err);
    }
    return 0;
}

/* What needs no run: of a sweep, its first point stands for it. */
static int show_config(const struct arguments *a, const struct sweep *sweep)
{
    struct dcs_err err = {0};
    struct options_doc *doc;
    struct config config;
    uint64_t point = a->shard < sweep->axes.points ? a->shard : 0;
    if (sweep_config(sweep, point, &doc, &config, &err) != 0)
        return command_fail(&err);
    if (sweep->axes.points == 1) /* other points may use others */
        plugins_tell(sweep->plugins, sweep->doc);
    char *text = config_print(&config);
    fputs(text, stdout);
    free(text);
    config_release(&config);
    options_doc_free(doc);
    return DCS_EXIT_OK;
}

/* Says which --set changes nothing, since each point of the sweep gets another value there. */
static void warn_of_swept(const struct arguments *a, const struct sweep *sweep)
{
    for (size_t i = 0; i < a->sets_count; i++) {
        size_t n = strcspn(a->sets[i], "=");
        for (size_t k = 0; k < sweep->axes.keys_count; k++) {
            const char *key = sweep->axes.keys[k].path;
            size_t m = strlen(key);
            if (m <= n && strncmp(a->sets[i], key, m) == 0 &&
                (m == n || strchr(".[", a->sets[i][m]) != NULL))
                fprintf(stderr,
                        "dcsim: WARNING: --set %.*s changes nothing: the sweep gives %s its "
                        "values; --set sweep=null leaves the sweep out\n",
                        (int)n, a->sets[i], key);
        }
    }
}

static int with_config(struct arguments *a)
{
    struct dcs_err err = {0};
    struct options_doc *doc = options_load(a->config, &err);
    struct sweep sweep;
    if (doc == NULL || apply_overrides(a, doc, &err) != 0 ||
        sweep_open(&sweep, doc, &a->plugins, &err) != 0) {
        options_doc_free(doc);
        return command_fail(&err);
    }
    warn_of_swept(a, &sweep);
    const struct run_request request = {.sweep = &sweep,
                                        .output = a->output,
                                        .jobs = a->jobs,
                                        .shard = a->shard,
                                        .shards = a->shards,
                                        .quiet = a->quiet,
                                        .all_points = a->all_points,
                                        .dry_run = a->dry_run,
                                        .yes = a->yes,
                                        .any_build = a->any_build,
                                        .watch = &watch};
    int code;
    if (a->drive != NULL)
        watch.drive = drive_new(a->drive);
    if (a->print_config)
        code = show_config(a, &sweep);
    else if (a->timeline.path != NULL)
        code = timeline_command(&a->timeline, &sweep, a->quiet, &watch);
    else
        code = run_command(&request);
    drive_free(watch.drive);
    sweep_close(&sweep);
    options_doc_free(doc);
    return code;
}

/* ---- Arguments ---- */

static int bad_usage(const char *what, const char *found)
{
    return command_bad_usage("dcsim", what, found);
}

static bool read_shard(const char *text, struct arguments *a)
{
    char first[20];
    uint64_t shard;
    size_t length = strcspn(text, "/");
    if (length >= sizeof first || text[length] == '\0')
        return false;
    memcpy(first, text, length);
    first[length] = '\0';
    if (!command_whole(first, 1, SWEEP_POINTS_MAX, &shard) ||
        !command_whole(text + length + 1, 1, SWEEP_POINTS_MAX, &a->shards) || shard > a->shards)
        return false;
    a->shard = shard - 1;
    return true;
}

static int take_option(void *context, int option)
{
    struct arguments *a = context;
    struct dcs_err err = {0};
    uint64_t count;
    switch (option) {
    case 'p':
        return plugins_add(&a->plugins, optarg, &err) == 0 ? -1 : command_fail(&err);
    case 's':
        a->sets = dcs_grow(a->sets, &a->sets_capacity, a->sets_count + 1, sizeof *a->sets);
        a->sets[a->sets_count++] = optarg;
        return -1;
    case 'j':
        if (!command_whole(optarg, 1, 1024, &count))
            return bad_usage("--jobs takes a whole number from 1 to 1024, found", optarg);
        a->jobs = (uint32_t)count;
        return -1;
    case 'k':
        if (!read_shard(optarg, a))
            return bad_usage("--shard takes K/N, the K-th of N parts, 1 <= K <= N, found", optarg);
        return -1;
    default: /* 'v' */
        puts("dcsim " DCS_BUILD_ID);
        return DCS_EXIT_OK;
    }
}

/* What no option takes: dcsim run FILE is --config FILE. Returns as parse_arguments(). */
static int take_operands(int argc, char **argv, bool runs, struct arguments *a)
{
    if (runs && optind < argc && a->config == NULL) {
        if (argv[optind][0] == '\0')
            return bad_usage("run takes the name of a config, and the one given is empty", NULL);
        a->config = argv[optind++];
    }
    if (optind < argc)
        return bad_usage("unexpected argument", argv[optind]);
    if (runs && a->config == NULL)
        return bad_usage("run takes a config, and none is given", NULL);
    return -1;
}

/* -1: go on; else the exit code. */
static int parse_arguments(int argc, char **argv, struct arguments *a)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    a->jobs = processors > 0 && processors < 1024 ? (uint32_t)processors : 1;
    a->shards = 1;
    const struct command_option options[] = {
        {"config", .path = &a->config},
        {"set", .take = 's'},
        {"seed", .text = &a->seed},
        {"policy", .named = true, .take = 'p'},
        {"output", .path = &a->output},
        {"jobs", .take = 'j'},
        {"threads", .take = 'j'}, /* its older name */
        {"shard", .take = 'k'},
        {"drive", .path = &a->drive},
        {"dry-run", .flag = &a->dry_run},
        {"yes", .flag = &a->yes},
        {"any-build", .flag = &a->any_build},
        {"timeline", .path = &a->timeline.path},
        {"timeline-from", .text = &a->timeline.from},
        {"timeline-until", .text = &a->timeline.until},
        {"timeline-devices", .text = &a->timeline.devices},
        {"timeline-replication", .text = &a->timeline.replication},
        {"timeline-limit", .text = &a->timeline.limit},
        {"print-config", .flag = &a->print_config},
        {"list", .text = &a->list},
        {"all-points", .flag = &a->all_points},
        {"quiet", .flag = &a->quiet},
        {"version", .act = 'v'},
        {0},
    };
    const struct command_line line = {"dcsim", usage, options, take_option, a};
    bool runs = argc > 1 && strcmp(argv[1], "run") == 0;
    int code = command_options(&line, argc, argv, runs ? 2 : 1);
    if (code < 0)
        code = take_operands(argc, argv, runs, a);
    if (code >= 0)
        return code;
    if (timeline_options_stray(&a->timeline))
        return bad_usage("--timeline FILE is missing", NULL);
    if (a->drive != NULL && (a->timeline.path != NULL || a->dry_run))
        return bad_usage("--drive goes without --timeline and --dry-run", NULL);
    if (a->drive != NULL)
        a->jobs = 1; /* one run at a time has the device */
    if (a->timeline.path != NULL && (a->output != NULL || a->dry_run || a->shards > 1))
        return bad_usage("--timeline goes without --output, --dry-run and --shard", NULL);
    return -1;
}

/* Of the config, or of one in which --set says everything. */
static int list_applications_command(const struct arguments *a)
{
    struct dcs_err err = {0};
    struct options_doc *doc = a->config != NULL ? options_load(a->config, &err)
                                                : options_load_text("command line", "{}", 2, &err);
    int result = doc != NULL ? apply_overrides(a, doc, &err) : -1;
    if (result == 0)
        result = list_applications(doc, &err);
    options_doc_free(doc);
    return result == 0 ? DCS_EXIT_OK : command_fail(&err);
}

static void print_and_free(char *text)
{
    fputs(text, stdout);
    free(text);
}

static int list_command(struct arguments *a)
{
    if (strcmp(a->list, "policies") == 0) {
        list_policies(stdout, &a->plugins);
    } else if (strcmp(a->list, "profiles") == 0) {
        print_and_free(paths_list_profiles());
    } else if (strcmp(a->list, "params") == 0) {
        print_and_free(config_document(&a->plugins));
    } else if (strcmp(a->list, "schema") == 0) {
        print_and_free(config_schema(&a->plugins));
    } else if (strcmp(a->list, "applications") == 0) {
        return list_applications_command(a);
    } else {
        return bad_usage("--list takes policies, profiles, params, schema or applications, found",
                         a->list);
    }
    return DCS_EXIT_OK;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"capacity", capacity_command}, {"check-policy", check_policy_command},
    {"compare", compare_command},   {"explain", explain_command},
    {"export", export_command},     {"merge", merge_command},
    {"profile", profile_command},   {"report", report_command},
    {"trace", trace_command},       {"train", train_command},
    {"validate", validate_command},
};

static int (*find_command(const char *name))(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run;
    return NULL;
}

static int no_such_command(const char *name)
{
    const char *names[sizeof commands / sizeof *commands + 3] = {"run", "help"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        names[i + 2] = commands[i].name;
    const char *near = options_nearest(name, names);
    struct dcs_err err = {0};
    dcs_err_at(&err, "command line", 0, NULL, "there is no command \"%.64s\"; %s%s%s", name,
               near ? "did you mean \"" : "dcsim run FILE runs a config, dcsim help names the rest",
               near ? near : "", near ? "\"?" : "");
    return command_fail(&err);
}

/* dcsim help COMMAND... is dcsim COMMAND... --help. */
static int help_command(int argc, char **argv)
{
    if (argc < 3 || argv[2][0] == '-' || strcmp(argv[2], "run") == 0 ||
        strcmp(argv[2], "help") == 0) {
        fputs(usage, stdout);
        return DCS_EXIT_OK;
    }
    int (*run)(int, char **) = find_command(argv[2]);
    if (run == NULL)
        return no_such_command(argv[2]);
    static char help[] = "--help";
    for (int i = 2; i < argc; i++)
        argv[i - 1] = argv[i];
    argv[argc - 1] = help;
    return run(argc, argv);
}

/* A policy's code may end the program in the middle of a run, with any exit code; that is no
 * success. Each call of exit() takes one of those that are registered, and several threads may call
 * it at once. */
#define EXITS_AT_ONCE 64
static void on_exit_inside(void)
{
    if (!dcs_where.inside)
        return;
    fprintf(stderr,
            "dcsim: a policy ended the program at %.9g s of simulated time (seed %" PRIu64
            ", replication %" PRIu32 "): dcsim check-policy FILE.so tells in which callback\n",
            (double)dcs_where.now_ns / 1e9, dcs_where.seed, dcs_where.replication);
    _exit(DCS_EXIT_INTERNAL);
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "check-policy") != 0) /* which tells more of such an end */
        for (int i = 0; i < EXITS_AT_ONCE; i++)
            atexit(on_exit_inside);
    int (*run)(int, char **) = argc > 1 ? find_command(argv[1]) : NULL;
    if (run != NULL)
        return command_end(run(argc, argv));
    if (argc > 1 && strcmp(argv[1], "help") == 0)
        return command_end(help_command(argc, argv));
    if (argc > 1 && argv[1][0] != '-' && strcmp(argv[1], "run") != 0)
        return no_such_command(argv[1]);

    struct arguments a = {0};
    int code = parse_arguments(argc, argv, &a);
    if (code < 0) {
        signal(SIGINT, on_interrupt);
        signal(SIGTERM, on_interrupt);
        policy_signals_install(a.plugins.count > 0);
        if (a.list != NULL)
            code = list_command(&a);
        else if (a.config == NULL)
            code = bad_usage("--config FILE is missing", NULL);
        else
            code = with_config(&a);
    }
    free(a.sets);
    plugins_close(&a.plugins);
    return command_end(code);
}
