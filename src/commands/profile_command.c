/*
 * profile_command.c - see profile_command.h; docs/profile.md is for users.
 *
 * Answers go to standard output in an order that depends on the profiles alone. Exit codes: 0 done,
 * nothing found, no difference; 1 lint found something, diff found a difference; 2 the input's
 * fault.
 */
#include "commands/profile_command.h"

#include "commands/command.h"
#include "config/paths.h"
#include "report/console/profile_show.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: dcsim profile build IN.sql OUT.db\n"
    "       dcsim profile show PROFILE [--app NAME]\n"
    "       dcsim profile lint PROFILE [--all]\n"
    "       dcsim profile diff PROFILE PROFILE [--tolerance PERCENT]\n"
    "\n"
    "Builds the database of a profile from SQL text, shows what a profile holds, looks for what "
    "is\n"
    "suspicious in it, or tells how two differ. A PROFILE is a file (.db, .sql) or the name of "
    "one\n"
    "that came with the program.\n"
    "\n"
    "  --app NAME            one application, with its kernels\n"
    "  --all                 each finding (default: of each kind the three worst)\n"
    "  --tolerance PERCENT   durations that are nearer to each other are the same (default: 3)\n";

enum { EXIT_FOUND = 1 };

struct arguments {
    const char *app;
    bool all;
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

#define SHOWN_OF_KIND 3 /* unless all are asked for */

struct finding {
    char *text, *kind; /* "": its rule has no kinds */
};

/* The findings of one rule in the order of its rows; freed by release_findings() in any case. */
struct findings {
    struct finding *all;
    size_t count, capacity;
};

static void release_findings(struct findings *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->all[i].text);
        free(f->all[i].kind);
    }
    free(f->all);
}

static int find(struct dcs_facts *facts, const struct dcs_facts_rule *rule, struct findings *f,
                struct dcs_err *err)
{
    struct dcs_facts_rows *rows = dcs_facts_check(facts, rule);
    while (dcs_facts_next(rows)) {
        f->all = dcs_grow(f->all, &f->capacity, f->count + 1, sizeof *f->all);
        const char *kind = rule->by_kind ? dcs_facts_text(rows, 1) : "";
        f->all[f->count++] =
            (struct finding){dcs_strdup(dcs_facts_text(rows, 0)), dcs_strdup(kind)};
    }
    return dcs_facts_end(rows, err);
}

/* A rule, how many findings it has of each kind, and some of them or all. Returns how many were
 * left out. */
static size_t print_rule(const struct dcs_facts_rule *rule, const struct findings *f, bool all)
{
    size_t left_out = 0;
    printf("%8zu  %-24s %s\n", f->count, rule->name, rule->what);
    for (size_t i = 0, n; i < f->count; i += n) {
        for (n = 1; i + n < f->count && strcmp(f->all[i].kind, f->all[i + n].kind) == 0;)
            n++;
        size_t shown = all || n < SHOWN_OF_KIND ? n : SHOWN_OF_KIND;
        if (rule->by_kind)
            printf("%8s  %s: %zu%s\n", "", f->all[i].kind, n,
                   shown < n ? ", the worst of them" : "");
        for (size_t k = i; k < i + shown; k++)
            printf("%8s%s  %s\n", "", rule->by_kind ? "  " : "", f->all[k].text);
        left_out += n - shown;
    }
    return left_out;
}

/* Returns the number of findings, -1 and err on failure. *left_out grows by those not printed. */
static int64_t check(struct dcs_facts *facts, const struct dcs_facts_rule *rule, bool all,
                     size_t *left_out, struct dcs_err *err)
{
    struct findings f = {0};
    int status = find(facts, rule, &f, err);
    int64_t count = (int64_t)f.count;
    if (status == 0)
        *left_out += print_rule(rule, &f, all);
    release_findings(&f);
    return status == 0 ? count : -1;
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
    size_t left_out = 0;
    int broken = 0;
    for (const struct dcs_facts_rule *rule = dcs_facts_rules; rule->name != NULL; rule++) {
        int64_t count = check(f, rule, a->all, &left_out, &err);
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
        printf("%lld finding%s by %d rule%s%s\n", (long long)findings, findings == 1 ? "" : "s",
               broken, broken == 1 ? "" : "s", left_out == 0 ? "" : "; --all prints each");
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
    int count;          /* of names */
    const char *option; /* NULL: it has none */
    int (*run)(const struct arguments *a);
} commands[] = {
    {"build", 2, NULL, build},
    {"show", 1, "app", show},
    {"lint", 1, "all", lint},
    {"diff", 2, "tolerance", diff},
};

static int take_tolerance(void *context, int option)
{
    struct arguments *a = context;
    double percent;
    (void)option;
    if (!command_number(optarg, 0, 1000, &percent))
        return bad_usage("--tolerance takes a number of percent from 0 to 1000");
    a->tolerance = percent / 100;
    return -1;
}

/* -1: go on; else the exit code. */
static int parse(int argc, char **argv, const struct command *command, struct arguments *a)
{
    *a = (struct arguments){.tolerance = 0.03};
    const struct command_option all[] = {
        {"app", .text = &a->app}, {"all", .flag = &a->all}, {"tolerance", .take = 't'}};
    struct command_option its[2] = {0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (command->option != NULL && strcmp(command->option, all[i].name) == 0)
            its[0] = all[i];
    const struct command_line line = {"dcsim profile", usage, its, take_tolerance, a};
    int code = command_options(&line, argc, argv, 3);
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
        return code < 0 ? commands[i].run(&a) : code;
    }
    return bad_usage("expected build, show, lint or diff");
}
