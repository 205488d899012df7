/*
 * validate_command.c - see validate_command.h.
 *
 * Predicts every co-run and live run of one half of a profile's with the models that simulations
 * use (validate_predict.h), and prints the distributions of the errors, and the worst cases. Which
 * numbers are printed depends on the profile and the options alone.
 */
#include "commands/validate_command.h"

#include "commands/command.h"
#include "des/newfile.h"
#include "des/stats.h"
#include "config/paths.h"
#include "commands/validate_device.h"
#include "commands/validate_driven.h"
#include "commands/validate_fusion.h"
#include "commands/validate_predict.h"
#include "commands/validate_slowdown.h"
#include "commands/validate_split.h"
#include "models/gpu/spatial_load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: dcsim validate PROFILE [--half HALF] [--worst N] [--csv FILE]\n"
    "       dcsim validate PROFILE --fusion\n"
    "       dcsim validate PROFILE --split [--csv FILE]\n"
    "       dcsim validate PROFILE --slowdown [--half HALF] [--predictors FILE] [--csv FILE]\n"
    "       dcsim validate --driven RESULTS.db... [--profile PROFILE] [--set PATH=VALUE]...\n"
    "                      [--folder DIR] [--policy FILE.so]... [--jobs N] [--csv FILE]\n"
    "                      [--keep PROFILE.db]\n"
    "\n"
    "Predicts the kernels and requests that a profile has measured running together with the\n"
    "model of a shared device, and prints how far it is off, beside the model without contention\n"
    "and beside \"nothing slows anything\".\n"
    "\n"
    "  PROFILE          a file, or a name as in the config\n"
    "  --half HALF      dev: for who builds a model (default); test: for a model that is frozen;\n"
    "                   test2, test3: for later forms of it\n"
    "  --worst N        list so many of the worst cases of each part (default: 10)\n"
    "  --csv FILE       write every prediction to this new file\n"
    "  --fusion         instead: how well kernels and fused launches are predicted by Tacker's\n"
    "                   linear models, from what the profile has measured of fused launches\n"
    "  --slowdown       instead: how well predictors say by how much kernels slow each other on\n"
    "                   partitions: Themis, GPM, ASM and the model of contention\n"
    "  --predictors FILE  of them (default: where dcsim train puts those of the profile)\n"
    "\n"
    "  --split          instead: simulates the requests that policies divided over a real CPU and\n"
    "                   GPU, and prints how far the simulation is off\n"
    "  --driven         instead: simulates what runs on a real GPU have measured, and prints how\n"
    "                   far the simulation is off for each experiment, and whether the policies\n"
    "                   come in the same order; of an experiment that several of the databases\n"
    "                   have, the last one counts\n"
    "  --profile PROFILE  in place of the one that each config names\n"
    "  --set PATH=VALUE   changes the configs; may be repeated\n"
    "  --folder DIR       where the configs lay, if they name files beside them (default: here)\n"
    "  --policy FILE.so   the shared object of a policy that was a plug-in; may be repeated\n"
    "  --jobs N           simulations at a time (default: one for each processor)\n"
    "  --keep PROFILE.db  put what scheduling took, by policy, and how long killing processes\n"
    "                     took, into this profile of the GPU\n";

#define WORST_MAX   100000
#define WORST_SHOWN 10

static const char *const half_names[] = {"dev", "test", "test2", "test3"};

static const struct {
    const char *name, *title;
    bool sums; /* whether its numbers are of one kind */
    bool replays;
} sections[VALIDATE_SECTIONS] = {
    [VALIDATE_PARTITIONS] = {"partitions", "Partitions: time of a launch beside others", true,
                             false},
    [VALIDATE_SIZES] = {"sizes", "Pairs at other sizes: time of a launch beside others", true,
                        false},
    [VALIDATE_SHARED] = {"shared", "MPS: mean time of a launch, processes that launch back to back",
                         true, true},
    [VALIDATE_PROGRAMS] = {"programs", "Programs: requests back to back beside others, MPS", false,
                           true},
    [VALIDATE_LIVE] = {"live", "Live: requests of a service beside a batch application, MPS", false,
                       true},
    [VALIDATE_LIVE_PARTITIONS] = {"live-partitions",
                                  "Live on partitions: requests of a service beside a batch "
                                  "application",
                                  false, true},
};

static const char *const model_names[VALIDATE_MODELS] = {
    [VALIDATE_FULL] = "model",
    [VALIDATE_NO_CONTENTION] = "no contention",
    [VALIDATE_ALONE] = "alone",
};

static const char *const omissions[VALIDATE_OMISSIONS] = {
    [VALIDATE_UNKNOWN_KERNEL] = "the profile does not know a kernel at that size",
    [VALIDATE_MECHANISM] = "the device was shared in another way",
    [VALIDATE_TOO_LONG] = "it would take millions of launches",
};

#define SETS_MAX 64

struct arguments {
    const char *profile, *csv;
    enum dcs_half half;
    uint64_t worst;
    bool fusion, driven, split, slowdown;
    const char *predictors;
    struct validate_driven real; /* if driven */
    const char *sets[SETS_MAX];
    uint64_t jobs;
};

static int bad_usage(const char *what)
{
    return command_bad_usage("dcsim validate", what, NULL);
}

/* ---- the distributions ---- */

/* One line for each model, over the predictions of a section whose groups begin with so many bytes
 * of `group`. */
static void print_errors(const struct validate_predictions *all, enum validate_section section,
                         const char *title, const char *group, size_t length)
{
    double *errors = dcs_alloc(all->count, sizeof *errors);
    for (int m = 0; m < VALIDATE_MODELS; m++) {
        size_t n = 0;
        double sum = 0;
        if (m == VALIDATE_NO_CONTENTION && !sections[section].replays)
            continue;
        for (size_t i = 0; i < all->count; i++) {
            const struct validate_prediction *p = &all->list[i];
            if (p->section != section || strncmp(p->group, group, length) != 0)
                continue;
            errors[n] = validate_error(p, (enum validate_model)m);
            sum += errors[n++];
        }
        dcs_sort_doubles(errors, n);
        printf("%-26s %-14s %6zu %8.2f %9.2f %8.2f %8.2f\n", m > 0 ? "" : title, model_names[m], n,
               100 * sum / (double)n, 100 * validate_quantile(errors, n, 0.5),
               100 * validate_quantile(errors, n, 0.95), 100 * errors[n - 1]);
    }
    free(errors);
}

static int compare_groups(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Of groups that differ in the split alone; they ascend. */
static void print_kinds(const struct validate_predictions *all, enum validate_section section,
                        const char *const *groups, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t length = strcspn(groups[i], " ") + 1;
        char title[32];
        snprintf(title, sizeof title, "%.*s, all", (int)length - 1, groups[i]);
        if (i == 0 || strncmp(groups[i - 1], groups[i], length) != 0)
            print_errors(all, section, title, groups[i], length);
    }
}

static void print_groups(const struct validate_predictions *all, enum validate_section section)
{
    const char **groups = dcs_alloc(all->count, sizeof *groups);
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].section == section)
            groups[n++] = all->list[i].group;
    qsort(groups, n, sizeof *groups, compare_groups);
    printf("%-26s %-14s %6s %8s %9s %8s %8s\n", "", "", "n", "mean %", "median %", "p95 %",
           "max %");
    if (sections[section].sums) {
        print_errors(all, section, "all", "", 0);
        print_kinds(all, section, groups, n);
    }
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(groups[i - 1], groups[i]) != 0)
            print_errors(all, section, groups[i], groups[i], strlen(groups[i]) + 1);
    free(groups);
}

/* ---- live runs one by one ---- */

/* The quantity of one run, which follow each other; NULL: none. */
static const struct validate_prediction *quantity(const struct validate_predictions *all,
                                                  size_t first, const char *what)
{
    const struct validate_prediction *of = &all->list[first];
    for (size_t i = first;
         i < all->count && all->list[i].section == of->section && all->list[i].id == of->id; i++)
        if (strcmp(all->list[i].what, what) == 0)
            return &all->list[i];
    return NULL;
}

static void print_live_runs(const struct validate_predictions *all, enum validate_section section)
{
    static const char *const shown[] = {"service, response, mean", "service, run, mean",
                                        "batch, run, mean"};
    printf("\n%-8s %23s %23s %23s\n%-8s", "ms", shown[0], shown[1], shown[2], "run");
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++)
        printf(" %11s %11s", "measured", "model");
    putchar('\n');
    for (size_t i = 0; i < all->count; i++) {
        const struct validate_prediction *p = &all->list[i];
        if (p->section != section || strcmp(p->what, shown[0]) != 0)
            continue;
        printf("%-8lld", (long long)p->id);
        for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
            const struct validate_prediction *q = quantity(all, i, shown[k]);
            DCS_ASSERT(q != NULL);
            printf(" %11.3f %11.3f", q->measured_ns * 1e-6, q->predicted_ns[VALIDATE_FULL] * 1e-6);
        }
        printf("  %s\n", p->name);
    }
}

/* ---- the worst ---- */

/* Of equal errors the first of the list is first. */
static int compare_worst(const void *a, const void *b)
{
    const struct validate_prediction *x = *(const struct validate_prediction *const *)a;
    const struct validate_prediction *y = *(const struct validate_prediction *const *)b;
    double of_x = validate_error(x, VALIDATE_FULL), of_y = validate_error(y, VALIDATE_FULL);
    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    return (x > y) - (x < y);
}

static void print_worst(const struct validate_predictions *all, enum validate_section section,
                        size_t worst)
{
    const struct validate_prediction **list = dcs_alloc(all->count, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].section == section)
            list[n++] = &all->list[i];
    qsort(list, n, sizeof *list, compare_worst);
    if (worst > 0)
        printf("\n%8s %13s %13s  %s\n", "error %", "predicted ms", "measured ms", "worst");
    for (size_t i = 0; i < n && i < worst; i++) {
        const struct validate_prediction *p = list[i];
        printf("%8.2f %13.4f %13.4f  %lld/%zu %s%s%s\n", 100 * validate_error(p, VALIDATE_FULL),
               p->predicted_ns[VALIDATE_FULL] * 1e-6, p->measured_ns * 1e-6, (long long)p->id,
               p->side, sections[section].sums ? "" : p->what, sections[section].sums ? "" : ": ",
               p->name);
    }
    free(list);
}

/* Recorded programs that neither a co-run nor live requests of this half have. */
static void print_never_judged(const struct validate_predictions *all,
                               const struct validate_shapes *shapes)
{
    const struct dcs_profile *profile = shapes->profile;
    size_t n = 0;
    for (size_t i = 0; i < profile->apps_count; i++)
        if (shapes->spatial.sequences[i].host != NULL && !all->judged[i])
            printf("%s%s", n++ == 0 ? "\nRecorded programs, not judged in this half: " : ", ",
                   profile->apps[i].name);
    if (n > 0)
        putchar('\n');
}

static void print_beyond(const struct validate_predictions *all, enum validate_section section)
{
    size_t known = validate_count_beyond(all, section, 0);
    if (known > 0)
        printf("predicted slower than ever measured in what was fitted: %zu of %zu, by more than a "
               "tenth: %zu\n",
               validate_count_beyond(all, section, 1), known,
               validate_count_beyond(all, section, 1.1));
}

static void print_section(const struct validate_predictions *all, enum validate_section section,
                          size_t worst)
{
    size_t kept = all->kept[section];
    printf("\n%s: n = %zu run%s\n", sections[section].title, kept, dcs_plural(kept));
    for (int i = 0; i < VALIDATE_OMISSIONS; i++)
        if (all->left_out[section][i] > 0)
            printf("left out: %zu (%s)\n", all->left_out[section][i], omissions[i]);
    if (kept == 0)
        return;
    if (section == VALIDATE_SIZES)
        puts("by the size of the request over the default one; beside: the kernel of the default "
             "size");
    print_beyond(all, section);
    print_groups(all, section);
    if (section == VALIDATE_LIVE || section == VALIDATE_LIVE_PARTITIONS)
        print_live_runs(all, section);
    print_worst(all, section, worst);
}

/* ---- every prediction ---- */

static void print_csv(FILE *out, const struct validate_predictions *all)
{
    fputs("part,group,id,side,what,name,measured_ns,model_ns,no_contention_ns,alone_ns\n", out);
    for (size_t i = 0; i < all->count; i++) {
        const struct validate_prediction *p = &all->list[i];
        fprintf(out, "%s,\"%s\",%lld,%zu,\"%s\",\"", sections[p->section].name, p->group,
                (long long)p->id, p->side, p->what);
        for (const char *c = p->name; *c != '\0'; c++)
            fprintf(out, *c == '"' ? "\"\"" : "%c", *c);
        fprintf(out, "\",%.1f", p->measured_ns);
        for (int m = 0; m < VALIDATE_MODELS; m++)
            fprintf(out, ",%.1f", p->predicted_ns[m]);
        fputc('\n', out);
    }
}

static int write_csv(const struct validate_predictions *all, const char *path, struct dcs_err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    DCS_ASSERT(out != NULL);
    print_csv(out, all);
    bool whole = !ferror(out);
    whole = fclose(out) == 0 && whole;
    DCS_ASSERT(whole); /* only memory can end, as in dcs_alloc() */
    int status = newfile_create(path, text, size, err);
    free(text);
    return status;
}

/* ---- the command ---- */

/* Whether an application has a kernel in a sized pair, or requests of another size than the default
 * beside others. */
static bool is_sized(const struct dcs_coruns *coruns, const char *app, int64_t default_size)
{
    for (size_t k = 0; k < coruns->coruns_count; k++) {
        const struct dcs_corun *c = &coruns->coruns[k];
        for (size_t i = 0; i < c->sides_count; i++)
            if (strcmp(c->sides[i].app, app) == 0 &&
                (c->kind == DCS_CORUN_SIZED_PAIR ||
                 (c->kind == DCS_CORUN_PROGRAMS && c->sides[i].size != default_size)))
                return true;
    }
    for (int kind = 0; kind < DCS_LIVE_KINDS; kind++)
        for (size_t k = 0; k < coruns->lives[kind].count; k++)
            for (int role = 0; role < DCS_LIVE_ROLES; role++) {
                const struct dcs_live_part *part = &coruns->lives[kind].list[k].parts[role];
                if (strcmp(part->app, app) == 0 && part->size != default_size)
                    return true;
            }
    return false;
}

/* The applications of which other sizes are wanted, NULL-ended; NULL: none. */
static const char **sized_apps(const struct dcs_profile *profile, const struct dcs_coruns *coruns)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < profile->apps_count; i++) {
        if (!is_sized(coruns, profile->apps[i].name, coruns->default_size[i]))
            continue;
        names = dcs_grow(names, &capacity, count + 2, sizeof *names);
        names[count++] = profile->apps[i].name;
        names[count] = NULL;
    }
    return names;
}

/* What the profile says and what it has measured together; kernels of all sizes only where co-runs
 * have them, for they take longer to read. *profile NULL and err on failure. */
static void load(const char *path, enum dcs_half half, struct dcs_profile **profile,
                 struct dcs_spatial **spatial, struct dcs_coruns **coruns, struct dcs_err *err)
{
    *profile = dcs_spatial_load_profile(path, spatial, err);
    if (*profile != NULL)
        *coruns = dcs_coruns_load(path, *profile, half, err);
    if (*coruns == NULL)
        return;
    const char **names = sized_apps(*profile, *coruns);
    if (names == NULL)
        return;
    struct dcs_spatial *sized = NULL;
    struct dcs_profile *again = dcs_spatial_load_sized(path, names, &sized, err);
    free(names);
    dcs_spatial_free(*spatial);
    dcs_profile_free(*profile);
    *spatial = sized;
    *profile = again;
}

static bool has_programs(const struct dcs_coruns *coruns)
{
    for (size_t i = 0; i < coruns->coruns_count; i++)
        if (coruns->coruns[i].kind == DCS_CORUN_PROGRAMS)
            return true;
    return false;
}

static int validate(const struct arguments *a, const struct dcs_profile *profile,
                    const struct dcs_spatial *spatial, const struct dcs_coruns *coruns,
                    struct dcs_err *err)
{
    if (coruns->coruns_count + coruns->lives[DCS_LIVE_MPS].count +
            coruns->lives[DCS_LIVE_PARTITIONS].count ==
        0)
        return dcs_err_at(err, a->profile, 0, NULL,
                          "has nothing that ran together in the half \"%s\" (tables corun, live, "
                          "live_partition); dcsim profile show says what it has, and --split, "
                          "--fusion or --slowdown may judge it",
                          half_names[a->half]);
    if (a->csv != NULL && newfile_may_write(a->csv, err) != 0)
        return -1;
    struct validate_shapes shapes;
    struct validate_predictions all = {0};
    validate_shapes_init(&shapes, profile, spatial, coruns);
    validate_predict(&shapes, &all);
    int failed = a->csv != NULL ? write_csv(&all, a->csv, err) : 0;
    if (!failed) {
        printf("The model of a shared device against profile %s, half %s\n", profile->name,
               half_names[a->half]);
        const char *falls_back = dcs_spatial_falls_back(spatial);
        if (falls_back != NULL)
            printf("of this profile: %s\n", falls_back);
        for (int section = 0; section < VALIDATE_SECTIONS; section++)
            if (section != VALIDATE_PROGRAMS || has_programs(coruns))
                print_section(&all, (enum validate_section)section, a->worst);
        print_never_judged(&all, &shapes);
        puts("\nErrors are |predicted / measured - 1|, each time measured once; alone: nothing "
             "slows\n"
             "anything. Times are means of launches, and of live requests mean and 95th "
             "percentile.");
    }
    validate_predictions_release(&all);
    validate_shapes_release(&shapes);
    return failed ? -1 : 0;
}

static int take_half(struct arguments *a, const char *text)
{
    for (size_t i = 0; i < sizeof half_names / sizeof half_names[0]; i++)
        if (strcmp(text, half_names[i]) == 0) {
            a->half = (enum dcs_half)i;
            return -1;
        }
    return bad_usage("--half takes dev, test, test2 or test3");
}

static int take_option(void *context, int option)
{
    struct arguments *a = context;
    struct dcs_err err = {0};
    switch (option) {
    case 'f':
        return take_half(a, optarg);
    case 's':
        if (a->real.sets_count == SETS_MAX)
            return bad_usage("--set may be given 64 times");
        a->sets[a->real.sets_count++] = optarg;
        return -1;
    case 'p':
        return plugins_add(&a->real.plugins, optarg, &err) == 0 ? -1 : command_fail(&err);
    case 'j':
        return command_whole(optarg, 1, 1023, &a->jobs) ? -1 : bad_usage("--jobs takes 1 to 1023");
    default: /* 'w' */
        return command_whole(optarg, 0, WORST_MAX, &a->worst)
                   ? -1
                   : bad_usage("--worst takes a whole number from 0 to 100000");
    }
}

/* What goes with --driven alone, or never with it. */
static int check_driven(struct arguments *a, int argc, char **argv)
{
    bool own = a->real.sets_count > 0 || a->real.profile != NULL || a->real.folder != NULL ||
               a->real.plugins.count > 0 || a->jobs > 0 || a->real.keep != NULL;
    bool others = a->fusion || a->split || a->slowdown || a->predictors != NULL ||
                  a->half != DCS_HALF_DEV || a->worst != WORST_SHOWN;
    if (!a->driven)
        return own ? bad_usage(
                         "--profile, --set, --folder, --policy, --jobs and --keep go with --driven")
                   : -1;
    if (others)
        return bad_usage("--driven goes without --half, --worst, --fusion, --split and --slowdown");
    if (optind == argc)
        return bad_usage("expected results databases");
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    a->real.databases = &argv[optind];
    a->real.databases_count = (size_t)(argc - optind);
    a->real.sets = a->sets;
    a->real.csv = a->csv;
    if (a->real.folder == NULL)
        a->real.folder = ".";
    if (a->jobs == 0)
        a->jobs = processors > 0 && processors < 1024 ? (uint64_t)processors : 1;
    a->real.jobs = (uint32_t)a->jobs;
    return -1;
}

/* -1: go on; else the exit code. */
static int parse(struct arguments *a, int argc, char **argv)
{
    const struct command_option options[] = {{"half", .take = 'f'},
                                             {"worst", .take = 'w'},
                                             {"csv", .path = &a->csv},
                                             {"fusion", .flag = &a->fusion},
                                             {"split", .flag = &a->split},
                                             {"slowdown", .flag = &a->slowdown},
                                             {"predictors", .path = &a->predictors},
                                             {"driven", .flag = &a->driven},
                                             {"profile", .path = &a->real.profile},
                                             {"set", .take = 's'},
                                             {"folder", .path = &a->real.folder},
                                             {"policy", .named = true, .take = 'p'},
                                             {"jobs", .take = 'j'},
                                             {"keep", .path = &a->real.keep},
                                             {0}};
    const struct command_line line = {"dcsim validate", usage, options, take_option, a};
    int code = command_options(&line, argc, argv, 2);
    if (code < 0)
        code = check_driven(a, argc, argv);
    if (code >= 0 || a->driven)
        return code;
    if (argc - optind != 1)
        return bad_usage("expected one profile");
    if (a->fusion && argc > 4)
        return bad_usage("--fusion takes no other option");
    if (a->split && argc > (a->csv != NULL ? 6 : 4))
        return bad_usage("--split goes with --csv alone");
    if (a->slowdown ? a->worst != WORST_SHOWN : a->predictors != NULL)
        return bad_usage("--predictors goes with --slowdown, --worst without");
    a->profile = argv[optind];
    return -1;
}

/* Of what real GPUs did. */
static int validate_measured(struct arguments *a)
{
    struct dcs_err err = {0};
    int code = validate_driven(&a->real, &err) == 0 ? DCS_EXIT_OK : command_fail(&err);
    plugins_close(&a->real.plugins);
    return code;
}

static int validate_slowdowns(const struct arguments *a)
{
    const struct validate_slowdown v = {a->profile, a->predictors, a->half, half_names[a->half],
                                        a->csv};
    struct dcs_err err = {0};
    return validate_slowdown(&v, &err) == 0 ? DCS_EXIT_OK : command_fail(&err);
}

int validate_command(int argc, char **argv)
{
    struct arguments a = {.worst = WORST_SHOWN};
    struct dcs_err err = {0};
    int code = parse(&a, argc, argv);
    if (code >= 0) {
        plugins_close(&a.real.plugins);
        return code;
    }
    if (a.driven)
        return validate_measured(&a);
    struct dcs_spatial *spatial = NULL;
    struct dcs_coruns *coruns = NULL;
    struct dcs_profile *profile = NULL;
    char *path = paths_profile(a.profile, ".", &err);
    if (path == NULL || (!a.split && validate_refuse_cpus(path, a.profile, &err) != 0)) {
        free(path);
        return command_fail(&err);
    }
    if (a.slowdown) {
        free(path);
        return validate_slowdowns(&a);
    }
    if (a.split) {
        bool good = validate_split(path, a.csv, &err) == 0;
        free(path);
        return good ? DCS_EXIT_OK : command_fail(&err);
    }
    if (a.fusion)
        profile = dcs_spatial_load_profile(path, &spatial, &err);
    else
        load(path, a.half, &profile, &spatial, &coruns, &err);
    code = DCS_EXIT_OK;
    if (profile != NULL && a.fusion)
        code =
            validate_fusion(profile, spatial, path, &err) == 0 ? DCS_EXIT_OK : command_fail(&err);
    else if (profile == NULL || coruns == NULL || validate(&a, profile, spatial, coruns, &err) != 0)
        code = command_fail(&err);
    dcs_coruns_free(coruns);
    dcs_spatial_free(spatial);
    dcs_profile_free(profile);
    free(path);
    return code;
}
