/*
 * capacity_command.c - see capacity_command.h. capacity_search.h has the bisection, capacity_look.h
 * the runs behind each of its looks. What is printed does not depend on the number of threads, or
 * on what a database held before.
 */
#include "commands/capacity_command.h"

#include "commands/capacity_look.h"
#include "commands/capacity_print.h"
#include "commands/command.h"
#include "commands/policy_signals.h"
#include "config/config_gangs.h"
#include "config/plugin.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: dcsim capacity CONFIG.json --vary PATH=LOW:HIGH [BOUND] [OPTION]...\n"
    "\n"
    "Finds the least or highest value of a key between LOW and HIGH with which a bound on a\n"
    "metric is kept, by bisection: the least number of GPUs, the highest load.\n"
    "\n"
    "  --vary PATH=LOW:HIGH   e.g. cluster.devices=1:64; whole numbers where both are written as\n"
    "                         such. load=0.1:2 multiplies the load of all that has one. Several\n"
    "                         paths, with commas between them, get the same value\n"
    "  --sla SHARE            the bound: sla_met of each service is at least this (default: "
    "0.99);\n"
    "                         the worst service decides. Of all together, or of one of them:\n"
    "                         --metric latency.sla_met, --metric NAME.sla_met\n"
    "  --metric M --at-least X | --at-most X\n"
    "                         another bound, e.g. latency.response_p99 --at-most 200ms, or\n"
    "                         unfinished --at-most 1%. A mean time that counts less than 90 % of\n"
    "                         what arrived does not keep it; quantiles count what was cut off. Up\n"
    "                         to 4 bounds in all: all must be kept.\n"
    "                         An overloaded value keeps none\n"
    "  --confidence C         of the intervals, 0.5 to 0.999 (default: 0.95)\n"
    "  --max-replications N   for a value that is undecided (default: 8 times those of the "
    "config)\n"
    "  --resolution R         how near the answer must be where numbers are not whole (default:\n"
    "                         0.02 of it)\n"
    "  --output FILE          keep the runs in this results database, and use those that it has\n"
    "  --set PATH=VALUE, --policy FILE.so, --jobs N   as dcsim --config\n";

struct arguments {
    const char *config, *output;
    char *path;                   /* of --vary */
    struct config_decider policy; /* of the config */
    bool gangs;                   /* it is of whole jobs */
    const char **sets;
    size_t sets_count, sets_capacity;
    struct plugins plugins;
    uint32_t jobs;
    double low, high, resolution;
    bool whole;
    struct capacity_bounds bounds;
};

/* For the signal handler. A failure sets watch.stop as well. */
static struct run_watch watch;
static atomic_bool interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
    atomic_store(&watch.stop, true);
    alarm(POLICY_SIGNALS_SECONDS);
    policy_signals_second();
}

static int bad_usage(const char *what)
{
    return command_bad_usage("dcsim capacity", what, NULL);
}

/* ---- The search ---- */

/* Each look may take minutes: a line says what is being tried, and then what came of it. */
static int look(void *context, double value, struct capacity_point *out, struct dcs_err *err)
{
    struct capacity_looks *looks = context;
    looks->says = false;
    int status = capacity_look(context, value, out, err);
    if (status == 0 && out->even) /* its runs are one, made twice to see that */
        fprintf(stderr, "%s\n", capacity_kept_word(out));
    else if (status == 0)
        fprintf(stderr, "%s, %" PRIu64 " run%s\n", capacity_kept_word(out), out->seen[0].estimate.n,
                dcs_plural(out->seen[0].estimate.n));
    else if (looks->says)
        fprintf(stderr, "not finished\n");
    return status;
}

static struct capacity_question question_of(const struct arguments *a,
                                            const struct capacity_search *s)
{
    return (struct capacity_question){.vary = a->path,
                                      .policy = a->policy.text,
                                      .gangs = a->gangs,
                                      .even = capacity_is_even(s),
                                      .low = a->low,
                                      .high = a->high,
                                      .bounds = &a->bounds};
}

/* What was seen so far is worth something. */
static void print_interrupted(const struct arguments *a, const struct capacity_search *s,
                              const struct capacity_looks *looks, const char *output,
                              struct dcs_err *err)
{
    if (s->count > 0) {
        const struct capacity_question q = question_of(a, s);
        capacity_print_title(&q, looks);
        capacity_print_curve(&q, s, looks);
    }
    if (looks->store != NULL && output != NULL && access(output, F_OK) == 0)
        dcs_err_set(err, "interrupted; the same command goes on: %s has the runs so far", output);
    else if (looks->store != NULL)
        dcs_err_set(err, "interrupted before the first run had ended: nothing is in %s", output);
    else
        dcs_err_set(err, "interrupted; no runs were kept, for want of --output");
}

static int search(const struct arguments *a, struct capacity_looks *looks, const char *output,
                  int *code, struct dcs_err *err)
{
    struct capacity_search s = {.low = a->low,
                                .high = a->high,
                                .whole = a->whole,
                                .resolution = a->resolution,
                                .at_least = a->bounds.all[0].at_least,
                                .several = a->bounds.count > 1,
                                .look = look,
                                .context = looks};
    if (capacity_check(looks, a->low, err) != 0 || capacity_check(looks, a->high, err) != 0)
        return -1; /* nothing has run yet */
    int status = capacity_search(&s, err);
    if (status == 0) {
        const struct capacity_question q = question_of(a, &s);
        capacity_print_title(&q, looks);
        capacity_print_curve(&q, &s, looks);
        if (looks->told.count > 0)
            putchar('\n');
        capacity_told_print(&looks->told);
        *code = capacity_print_answer(&q, &s);
        capacity_print_note(&q, looks);
        status = looks->store != NULL ? capacity_keep(&q, &s, looks, err) : 0;
    } else if (atomic_load(&interrupted)) {
        print_interrupted(a, &s, looks, output, err);
    }
    capacity_search_release(&s);
    return status;
}

/* The config without a value: what of it is wrong is said before anything runs. */
static int prepare(struct arguments *a, struct options_doc *doc, char **output, struct dcs_err *err)
{
    for (size_t i = 0; i < a->sets_count; i++)
        if (options_set(doc, a->sets[i], err) != 0)
            return -1;
    if (options_has(doc, "sweep"))
        return options_error(
            doc, "sweep", err,
            "dcsim capacity varies one key of one experiment: leave the sweep out");
    struct config base;
    if (config_parse(&base, doc, &a->plugins, err) != 0)
        return -1;
    plugins_tell(&a->plugins, doc);
    a->policy = config_decider(&base);
    a->gangs = config_has_gangs(&base);
    *output = dcs_strdup(a->output != NULL ? a->output : base.outputs.database);
    if (a->bounds.most == 0)
        a->bounds.most = (uint32_t)(base.replications > 125000 ? 1000000 : 8 * base.replications);
    config_release(&base);
    return 0;
}

static int run_search(struct arguments *a, int *code, struct dcs_err *err)
{
    char *output = NULL;
    struct options_doc *doc = options_load(a->config, err);
    int status = doc != NULL ? prepare(a, doc, &output, err) : -1;
    struct capacity_looks looks = {.bounds = &a->bounds,
                                   .doc = doc,
                                   .vary = a->path,
                                   .plugins = &a->plugins,
                                   .files = profile_cache_new(),
                                   .threads = a->jobs,
                                   .told = {.vary = a->path},
                                   .watch = &watch};
    for (size_t i = 0; i < a->bounds.count; i++)
        looks.told.unfinished =
            looks.told.unfinished || strcmp(a->bounds.all[i].metric, "unfinished") == 0;
    if (status == 0 && output != NULL && output[0] != '\0') {
        looks.store = store_open(output, NULL, err);
        status = looks.store != NULL ? 0 : -1;
    }
    if (status == 0)
        status = search(a, &looks, output, code, err);
    capacity_told_release(&looks.told);
    store_close(looks.store);
    profile_cache_free(looks.files);
    options_doc_free(doc);
    free(output);
    return status;
}

/* ---- Arguments ---- */

/* LOW or HIGH: the text ends with a colon, or with its end. */
static bool read_end(const char *text, double *out)
{
    char copy[64];
    size_t length = strcspn(text, ":");
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return command_number(copy, -DBL_MAX, DBL_MAX, out);
}

static int take_vary(struct arguments *a, const char *text)
{
    const char *equals = strrchr(text, '='), *colon = equals != NULL ? strchr(equals, ':') : NULL;
    if (equals == NULL || equals == text || colon == NULL || strchr(colon + 1, ':') != NULL ||
        !read_end(equals + 1, &a->low) || !read_end(colon + 1, &a->high) || a->low >= a->high)
        return bad_usage("--vary takes PATH=LOW:HIGH with LOW below HIGH, "
                         "e.g. cluster.devices=1:64");
    a->whole =
        strspn(equals + 1, "0123456789:") == strlen(equals + 1) && strncmp(text, "load=", 5) != 0;
    free(a->path);
    a->path = dcs_strdup(text);
    a->path[equals - text] = '\0';
    return -1;
}

/* The last bound, if it lacks what is to be told; else another one. NULL: there is no room. */
static struct capacity_bound *next_bound(struct arguments *a, bool lacks)
{
    struct capacity_bounds *b = &a->bounds;
    if (lacks)
        return &b->all[b->count - 1];
    return b->count < CAPACITY_BOUNDS_MAX ? &b->all[b->count++] : NULL;
}

static const char too_many[] = "at most 4 bounds";
_Static_assert(CAPACITY_BOUNDS_MAX == 4, "too_many says another number");

static int take_bound(struct arguments *a, const char *option, bool at_least)
{
    struct capacity_bounds *b = &a->bounds;
    bool lacks =
        b->count > 0 && b->all[b->count - 1].bound.option == NULL && strcmp(option, "--sla") != 0;
    struct capacity_bound *to = next_bound(a, lacks);
    if (to == NULL)
        return bad_usage(too_many);
    to->at_least = at_least;
    if (!metric_value_read(option, optarg, &to->bound))
        return bad_usage("a bound is a number, for times with a unit (ns, us, ms, s, min, h, d), "
                         "e.g. 200ms");
    if (strcmp(option, "--sla") != 0)
        return -1;
    to->metric = "latency.sla_met";
    to->each_service = true;
    return to->bound.value > 1 || to->bound.value < 0 ? bad_usage("--sla takes a share from 0 to 1")
                                                      : -1;
}

static int take_metric(struct arguments *a, const char *metric)
{
    struct capacity_bounds *b = &a->bounds;
    struct capacity_bound *to = next_bound(a, b->count > 0 && b->all[b->count - 1].metric == NULL);
    if (to == NULL)
        return bad_usage(too_many);
    to->metric = metric;
    return -1;
}

static int take_number(double low, double high, double *out, const char *what)
{
    return command_number(optarg, low, high, out) ? -1 : bad_usage(what);
}

static int take_count(uint32_t low, uint32_t high, uint32_t *out, const char *what)
{
    uint64_t count;
    if (!command_whole(optarg, low, high, &count))
        return bad_usage(what);
    *out = (uint32_t)count;
    return -1;
}

static int take_option(void *context, int option)
{
    struct arguments *a = context;
    struct dcs_err err = {0};
    switch (option) {
    case 'v':
        return take_vary(a, optarg);
    case 'l':
        return take_bound(a, "--at-least", true);
    case 'u':
        return take_bound(a, "--at-most", false);
    case 'm':
        return take_metric(a, optarg);
    case 's':
        return take_bound(a, "--sla", true);
    case 'c':
        return take_number(0.5, 0.999, &a->bounds.confidence,
                           "--confidence takes a number from 0.5 to 0.999");
    case 'r':
        return take_number(1e-6, 0.5, &a->resolution,
                           "--resolution takes a number from 1e-6 to 0.5");
    case 'n':
        return take_count(2, 1000000, &a->bounds.most,
                          "--max-replications takes a whole number from 2 to 1000000");
    case 'j':
        return take_count(1, 1024, &a->jobs, "--jobs takes a whole number from 1 to 1024");
    case 'p':
        return plugins_add(&a->plugins, optarg, &err) == 0 ? -1 : command_fail(&err);
    default: /* 'e' */
        a->sets = dcs_grow(a->sets, &a->sets_capacity, a->sets_count + 1, sizeof a->sets[0]);
        a->sets[a->sets_count++] = optarg;
        return -1;
    }
}

static int check_arguments(struct arguments *a)
{
    if (a->path == NULL)
        return bad_usage("--vary is missing: which key, between which values");
    struct capacity_bounds *b = &a->bounds;
    for (size_t i = 0; i < b->count; i++) {
        if (b->all[i].bound.option == NULL)
            return bad_usage("--metric needs --at-least or --at-most");
        if (b->all[i].metric == NULL)
            return bad_usage("--at-least and --at-most need --metric");
    }
    if (b->count == 0)
        b->all[b->count++] = (struct capacity_bound){.metric = "latency.sla_met",
                                                     .each_service = true,
                                                     .at_least = true,
                                                     .bound = {.option = "--sla", .value = 0.99}};
    return -1;
}

/* -1: go on; else the exit code. */
static int parse(struct arguments *a, int argc, char **argv)
{
    const struct command_option options[] = {
        {"vary", .take = 'v'},
        {"metric", .named = true, .take = 'm'},
        {"at-least", .take = 'l'},
        {"at-most", .take = 'u'},
        {"sla", .take = 's'},
        {"confidence", .take = 'c'},
        {"resolution", .take = 'r'},
        {"max-replications", .take = 'n'},
        {"jobs", .take = 'j'},
        {"output", .path = &a->output},
        {"policy", .named = true, .take = 'p'},
        {"set", .take = 'e'},
        {0},
    };
    const struct command_line line = {"dcsim capacity", usage, options, take_option, a};
    int code = command_options(&line, argc, argv, 2);
    if (code >= 0)
        return code;
    if (argc - optind != 1)
        return bad_usage("expected one config");
    a->config = argv[optind];
    return check_arguments(a);
}

int capacity_command(int argc, char **argv)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct arguments a = {.resolution = 0.02,
                          .bounds = {.confidence = 0.95},
                          .jobs = processors > 0 && processors < 1024 ? (uint32_t)processors : 1};
    struct dcs_err err = {0};
    int code = parse(&a, argc, argv);
    if (code < 0) {
        signal(SIGINT, on_interrupt);
        signal(SIGTERM, on_interrupt);
        policy_signals_install(a.plugins.count > 0);
        code = DCS_EXIT_OK;
        if (run_search(&a, &code, &err) != 0)
            code = command_fail(&err);
        if (atomic_load(&interrupted))
            code = DCS_EXIT_INTERRUPTED;
    }
    plugins_close(&a.plugins);
    free(a.sets);
    free(a.path);
    return code;
}
