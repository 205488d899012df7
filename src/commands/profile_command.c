/*
 * profile_command.c - see profile_command.h; docs/profile.md is for users.
 *
 * Answers go to standard output in an order that depends on the profiles alone. Exit codes: 0 done,
 * no error found, no difference; 1 lint found an error, diff found a difference; 2 the input's
 * fault.
 */
#include "commands/profile_command.h"

#include "commands/command.h"
#include "models/cpu/cpu.h"
#include "models/gpu/spatial_load.h"
#include "models/profile/profile_split.h"
#include "config/paths.h"
#include "report/console/profile_show.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: dcsim profile build PROFILE OUT.db\n"
    "       dcsim profile split PROFILE NAME\n"
    "       dcsim profile show PROFILE [--app NAME]\n"
    "       dcsim profile lint PROFILE [--all]\n"
    "       dcsim profile diff PROFILE PROFILE [--tolerance PERCENT]\n"
    "\n"
    "Builds the database of a profile from SQL text, splits a profile into what a simulation "
    "reads\n"
    "(NAME.sql.gz) and its evidence (NAME.evidence/), shows what a profile holds, says whether it\n"
    "can be used and what is to be known of how it was measured, or tells how two differ. A\n"
    "PROFILE is a file (.db, .sql, .sql.gz) or the name of one that came with the program.\n"
    "\n"
    "  --app NAME            one application, with its kernels\n"
    "  --all                 each note (default: of each kind their number and the worst)\n"
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

/* ---- build, split, show, lint, diff ---- */

static int build(const struct arguments *a)
{
    struct dcs_err err = {0};
    char *path = paths_profile(a->names[0], ".", &err);
    bool built = path != NULL && dcs_profile_build(path, a->names[1], &err) == 0;
    free(path);
    return built ? DCS_EXIT_OK : command_fail(&err);
}

/* The noise that simulations draw from is found here, once. */
static int split_profile(const char *path, const char *name, struct dcs_err *err)
{
    struct dcs_spatial *spatial = NULL;
    struct dcs_profile *p = dcs_profile_load(path, err);
    if (p != NULL && !p->is_cpu) {
        dcs_profile_free(p);
        p = dcs_spatial_load_profile(path, &spatial, err);
    }
    const double *noise = spatial != NULL ? spatial->noise : NULL;
    int status = p != NULL ? dcs_profile_split(path, name, noise, DCS_NOISE_QUANTILES, err) : -1;
    dcs_spatial_free(spatial);
    dcs_profile_free(p);
    return status;
}

static int split(const struct arguments *a)
{
    struct dcs_err err = {0};
    char *path = paths_profile(a->names[0], ".", &err);
    bool done = path != NULL && split_profile(path, a->names[1], &err) == 0;
    free(path);
    return done ? DCS_EXIT_OK : command_fail(&err);
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

struct finding {
    char *text, *kind; /* "": its rule has no kinds */
    double of_kind;    /* rows that the rule has looked at */
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

static int find_rows(struct dcs_facts *facts, const struct dcs_facts_rule *rule, struct findings *f,
                     struct dcs_err *err)
{
    struct dcs_facts_rows *rows = dcs_facts_check(facts, rule);
    while (dcs_facts_next(rows)) {
        f->all = dcs_grow(f->all, &f->capacity, f->count + 1, sizeof *f->all);
        bool by_kind = rule->by_kind;
        f->all[f->count++] =
            (struct finding){.text = dcs_strdup(dcs_facts_text(rows, 0)),
                             .kind = dcs_strdup(by_kind ? dcs_facts_text(rows, 1) : ""),
                             .of_kind = by_kind ? dcs_facts_number(rows, 2) : 0};
    }
    return dcs_facts_end(rows, err);
}

static void print_heading(size_t count, const char *name, enum dcs_facts_severity severity,
                          const char *what)
{
    printf("%8zu  %-24s %s: %s\n", count, name, severity == DCS_FACTS_ERROR ? "error" : "note",
           what);
}

/* n findings of one kind: the first of them, which is the worst, or all. */
static void print_kind(const struct finding *first, size_t n, bool all)
{
    printf("%8s  ", "");
    if (first->kind[0] != '\0')
        printf("%s, %zu of %.0f: ", first->kind, n, first->of_kind);
    fputs(first->text, stdout);
    if (n > 1 && !all)
        printf(", and %zu more", n - 1);
    putchar('\n');
    for (size_t i = 1; all && i < n; i++)
        printf("%8s  %s\n", "", first[i].text);
}

/* A rule with its findings; notes are folded unless all are asked for. Returns how many were left
 * out. */
static size_t print_rule(const struct dcs_facts_rule *rule, const struct findings *f, bool all)
{
    size_t left_out = 0;
    all = all || rule->severity == DCS_FACTS_ERROR;
    print_heading(f->count, rule->name, rule->severity, rule->what);
    for (size_t i = 0, n; i < f->count; i += n) {
        for (n = 1; i + n < f->count && strcmp(f->all[i].kind, f->all[i + n].kind) == 0;)
            n++;
        print_kind(&f->all[i], n, all);
        left_out += all ? 0 : n - 1;
    }
    return left_out;
}

/* What was found so far. */
struct tally {
    size_t notes, errors; /* findings */
    size_t rules;         /* that have some */
    size_t left_out;      /* findings that were not printed */
};

static void count_findings(struct tally *t, size_t count, enum dcs_facts_severity severity)
{
    t->rules += count > 0;
    *(severity == DCS_FACTS_ERROR ? &t->errors : &t->notes) += count;
}

static int check_rule(struct dcs_facts *facts, const struct dcs_facts_rule *rule, bool all,
                      struct tally *t, struct dcs_err *err)
{
    struct findings f = {0};
    int status = find_rows(facts, rule, &f, err);
    if (status == 0) {
        t->left_out += print_rule(rule, &f, all);
        count_findings(t, f.count, rule->severity);
    }
    release_findings(&f);
    return status;
}

/* Reads what simulations read beyond the profile itself: what a CPU is, or what kernels do that
 * share a GPU, at all sizes. -1 and err where one would refuse it. */
static int try_to_use(const struct dcs_profile *p, const char *path, struct dcs_err *err)
{
    struct dcs_profile *again;
    if (p->is_cpu) {
        struct dcs_cpu *cpu;
        again = dcs_cpu_load_profile(path, &cpu, err);
        dcs_cpu_free(cpu);
    } else {
        struct dcs_spatial *spatial;
        const char **names = dcs_alloc(p->apps_count + 1, sizeof *names);
        for (size_t i = 0; i < p->apps_count; i++)
            names[i] = p->apps[i].name;
        again = dcs_spatial_load_sized(path, names, &spatial, err);
        dcs_spatial_free(spatial);
        free(names);
    }
    bool good = again != NULL;
    dcs_profile_free(again);
    return good ? 0 : -1;
}

static void check_use(const struct dcs_profile *p, const char *path, struct tally *t)
{
    struct dcs_err why = {0};
    bool refused = try_to_use(p, path, &why) != 0;
    print_heading(refused, "refused", DCS_FACTS_ERROR, "what a simulation does not take");
    if (refused)
        printf("%8s  %s: %s\n", "", why.path, why.text);
    count_findings(t, refused, DCS_FACTS_ERROR);
}

static void print_verdict(const struct tally *t)
{
    if (t->notes + t->errors == 0)
        puts("clean");
    else
        printf("%zu error%s, %zu note%s by %zu rule%s%s\n", t->errors, dcs_plural(t->errors),
               t->notes, dcs_plural(t->notes), t->rules, dcs_plural(t->rules),
               t->left_out == 0 ? "" : "; --all prints each");
    if (t->errors > 0)
        puts("Do not use this profile before its errors are mended.");
    else if (t->notes > 0)
        puts(
            "This profile can be used. Notes say how it was measured, and no number of them is too "
            "many: read them where a result surprises.");
    else
        puts("This profile can be used.");
}

static int lint(const struct arguments *a)
{
    struct dcs_err err = {0};
    char *paths[2] = {NULL, NULL};
    struct tally tally = {0};
    struct dcs_facts *f = load(a, paths, &err);
    int status = f != NULL ? 0 : -1;
    if (status == 0) {
        const struct dcs_profile *p = dcs_facts_profile(f, 0);
        printf("profile %s\n", p->name);
        if (p->schema_version < 2)
            puts("schema version 1: it holds no measurements that could be checked");
        check_use(p, paths[0], &tally);
    }
    for (const struct dcs_facts_rule *rule = dcs_facts_rules; status == 0 && rule->name != NULL;
         rule++)
        status = check_rule(f, rule, a->all, &tally, &err);
    dcs_facts_free(f);
    free(paths[0]);
    if (status != 0)
        return command_fail(&err);
    print_verdict(&tally);
    return tally.errors == 0 ? DCS_EXIT_OK : EXIT_FOUND;
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
    {"build", 2, NULL, build}, {"split", 2, NULL, split},      {"show", 1, "app", show},
    {"lint", 1, "all", lint},  {"diff", 2, "tolerance", diff},
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
    return bad_usage("expected build, split, show, lint or diff");
}
