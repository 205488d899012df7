/*
 * profile_command.c - see profile_command.h; docs/profile.md is for users.
 *
 * Answers go to standard output in an order that depends on the profiles alone. Exit codes: 0 done,
 * nothing found, no difference; 1 lint found something, diff found a difference; 2 the input's
 * fault.
 */
#include "profile_command.h"

#include "command.h"
#include "paths.h"
#include "profile_show.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: dcsim profile build IN.sql OUT.db\n"
    "       dcsim profile show PROFILE [--app NAME]\n"
    "       dcsim profile lint PROFILE\n"
    "       dcsim profile diff PROFILE PROFILE [--tolerance PERCENT]\n"
    "\n"
    "Builds the database of a profile from SQL text, shows what a profile holds, looks for what "
    "is\n"
    "suspicious in it, or tells how two differ. A PROFILE is a file (.db, .sql) or the name of "
    "one\n"
    "that came with the program.\n"
    "\n"
    "  --app NAME            one application, with its kernels\n"
    "  --tolerance PERCENT   durations that are nearer to each other are the same (default: 3)\n";

enum { EXIT_FOUND = 1 };

struct arguments {
    const char *app;
    double tolerance; /* a share */
    char **names;     /* what is no option */
    int count;
};

static int bad_usage(const char *what)
{
    return command_bad_usage("dcsim profile", what, NULL);
}

/* ---- build, show, lint, diff ---- */

static int build(const struct arguments *a)
{
    struct dcs_err err = {0};
    return dcs_profile_build(a->names[0], a->names[1], &err) == 0 ? DCS_EXIT_OK
                                                                  : command_fail(&err);
}

/* The facts of the profiles that the arguments name. NULL and err on failure; paths are freed by
 * the caller in any case. */
static struct dcs_facts *load(const struct arguments *a, char *paths[2], struct dcs_err *err)
{
    for (int i = 0; i < a->count; i++)
        if ((paths[i] = paths_profile(a->names[i], ".", err)) == NULL)
            return NULL;
    return dcs_facts_load((const char *const *)paths, (size_t)a->count, err);
}

static int show(const struct arguments *a)
{
    struct dcs_err err = {0};
    char *paths[2] = {NULL, NULL};
    struct dcs_facts *f = load(a, paths, &err);
    int failed = f == NULL || profile_show(stdout, f, paths[0], a->app, &err) != 0;
    dcs_facts_free(f);
    free(paths[0]);
    return failed ? command_fail(&err) : DCS_EXIT_OK;
}

/* Prints one rule and its first finding. Returns the number of findings, -1 and err on failure. */
static int64_t check(struct dcs_facts *f, const struct dcs_facts_rule *rule, struct dcs_err *err)
{
    int64_t findings = 0;
    char first[512] = "";
    struct dcs_facts_rows *rows = dcs_facts_check(f, rule);
    for (; dcs_facts_next(rows); findings++)
        if (findings == 0)
            snprintf(first, sizeof first, "%s", dcs_facts_text(rows, 0));
    if (dcs_facts_end(rows, err) != 0)
        return -1;
    printf("%8lld  %-24s %s\n", (long long)findings, rule->name, rule->what);
    if (findings > 0)
        printf("%8s  %s%s\n", "", findings > 1 ? "first: " : "", first);
    return findings;
}

static int lint(const struct arguments *a)
{
    struct dcs_err err = {0};
    char *paths[2] = {NULL, NULL};
    struct dcs_facts *f = load(a, paths, &err);
    free(paths[0]);
    if (f == NULL)
        return command_fail(&err);
    const struct dcs_profile *p = dcs_facts_profile(f, 0);
    printf("profile %s\n", p->name);
    if (p->schema_version < 2)
        puts("schema version 1: it holds no measurements that could be checked");
    int64_t findings = 0;
    int broken = 0;
    for (const struct dcs_facts_rule *rule = dcs_facts_rules; rule->name != NULL; rule++) {
        int64_t count = check(f, rule, &err);
        broken += count > 0;
        findings += count;
        if (count < 0) {
            dcs_facts_free(f);
            return command_fail(&err);
        }
    }
    if (findings == 0)
        puts("clean");
    else
        printf("%lld finding%s by %d rule%s\n", (long long)findings, findings == 1 ? "" : "s",
               broken, broken == 1 ? "" : "s");
    dcs_facts_free(f);
    return findings == 0 ? DCS_EXIT_OK : EXIT_FOUND;
}

static int diff(const struct arguments *a)
{
    struct dcs_err err = {0};
    char *paths[2] = {NULL, NULL};
    bool differ = false;
    struct dcs_facts *f = load(a, paths, &err);
    int failed = f == NULL || profile_show_diff(stdout, f, a->tolerance, &differ, &err) != 0;
    dcs_facts_free(f);
    free(paths[0]);
    free(paths[1]);
    if (failed)
        return command_fail(&err);
    return differ ? EXIT_FOUND : DCS_EXIT_OK;
}

/* ---- arguments ---- */

static const struct command {
    const char *name;
    int count; /* of names */
    bool app, tolerance;
    int (*run)(const struct arguments *a);
} commands[] = {
    {"build", 2, false, false, build},
    {"show", 1, true, false, show},
    {"lint", 1, false, false, lint},
    {"diff", 2, false, true, diff},
};

struct wanted {
    const struct command *command;
    struct arguments *a;
};

static int take_option(void *context, int option)
{
    const struct wanted *w = context;
    double percent;
    if (option == 'a' && w->command->app) {
        w->a->app = optarg;
        return -1;
    }
    if (option != 't' || !w->command->tolerance)
        return bad_usage("unknown option, or one that lacks its value");
    if (!command_number(optarg, 0, 1000, &percent))
        return bad_usage("--tolerance takes a number of percent from 0 to 1000");
    w->a->tolerance = percent / 100;
    return -1;
}

/* -1: go on; else the exit code. */
static int parse(int argc, char **argv, const struct command *command, struct arguments *a)
{
    static const struct option options[] = {
        {"app", required_argument, NULL, 'a'},
        {"tolerance", required_argument, NULL, 't'},
        {0},
    };
    *a = (struct arguments){.tolerance = 0.03};
    struct wanted w = {command, a};
    int code = command_options(argc, argv, 3, options, take_option, &w);
    if (code >= 0)
        return code;
    a->names = argv + optind;
    a->count = argc - optind;
    if (a->count != command->count)
        return bad_usage(command->count == 1 ? "expected one profile" : "expected two files");
    return -1;
}

int profile_command(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[2], "--help") == 0) {
        fputs(usage, stdout);
        return DCS_EXIT_OK;
    }
    for (size_t i = 0; argc > 2 && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[2], commands[i].name) != 0)
            continue;
        struct arguments a;
        int code = parse(argc, argv, &commands[i], &a);
        if (code < 0)
            code = commands[i].run(&a);
        struct dcs_err err = {0};
        if (code < DCS_EXIT_USER && command_flush(&err) != 0)
            code = command_fail(&err);
        return code;
    }
    return bad_usage("expected build, show, lint or diff");
}
