/*
 * cpu_command.c - `dcsim-calibrate cpu`: measures the programs of calibrate/cpu_apps on this
 * machine into a profile. See calibrate_main.c for the command line.
 */
#include "build_id.h"
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/cpu/cpu_measure.h"
#include "calibrate/cpu/cpu_profile.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUIET_CORES 0.1 /* of each core, that others may use while nothing of ours runs */
#define AROUND_S    0.7 /* that a step takes beside its sampling */

struct arguments {
    struct cal_common common;
    double seconds, cores; /* 0: all */
    bool check;
};

void cal_cpu_list(void)
{
    printf("Programs for CPUs (sizes that are measured, with that of a mean request)\n\n");
    for (size_t i = 0; cal_cpu_apps[i] != NULL; i++) {
        const struct cal_cpu_app *a = cal_cpu_apps[i];
        cal_list_app(&(struct cal_listed){a->name, a->size_unit, a->papers,
                                          a->role == CAL_CPU_SERVICE, a->size_min, a->size_max,
                                          a->size_default});
    }
    printf("\nMeasurements of CPUs, all by `cpu`\n\n");
    for (size_t i = 0; cal_cpu_measures[i] != NULL; i++)
        printf("%-20s %s\n", cal_cpu_measures[i]->name, cal_cpu_measures[i]->help);
}

/* --- checking --- */

static int check_program(const struct cal_cpu_app *app, uint32_t threads, uint64_t seed,
                         struct dcs_err *err)
{
    struct cal_arena arena = {0};
    struct cal_team *t = cal_team_create(threads, NULL, 0, err);
    void *state = t != NULL ? app->create(app->size_check, seed, &arena, err) : NULL;
    int wrong = state == NULL ? -1 : 0;
    for (int turn = 0; turn < 2 && !wrong; turn++) {
        app->run(state, t);
        wrong = app->check(state, err);
    }
    cal_team_destroy(t);
    cal_arena_release(&arena);
    return wrong;
}

static int check_programs(const struct arguments *a, const struct cal_cpu_host *h)
{
    bool failed = false;
    for (size_t i = 0; cal_cpu_apps[i] != NULL && !cal_interrupted; i++) {
        const struct cal_cpu_app *app = cal_cpu_apps[i];
        struct dcs_err err = {0};
        if (!cal_list_names(a->common.apps, app->name))
            continue;
        bool wrong = check_program(app, 1, a->common.seed, &err) != 0 ||
                     check_program(app, h->cores_count, a->common.seed, &err) != 0;
        failed |= wrong;
        printf("%-6s %-20s%s%s\n", wrong ? "FAILED" : "ok", app->name, wrong ? "  " : "",
               wrong ? err.text : "");
    }
    return cal_interrupted ? DCS_EXIT_INTERRUPTED : failed ? EXIT_FAILED_STEPS : DCS_EXIT_OK;
}

/* --- measuring --- */

/* What a step takes, by those that are done. */
static double step_seconds(const struct cal_session *s, const struct arguments *a)
{
    double seconds = a->seconds + AROUND_S;
    if (s->store != NULL)
        cal_store_get(s->store, &seconds, "SELECT avg(seconds) FROM step WHERE state = 'done'", "");
    return seconds;
}

/* The steps of the programs that are listed (NULL: of all), and those of the host. */
static void keep_programs(struct cal_steps *steps, const char *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < steps->count; i++)
        if (steps->steps[i].app_name == NULL || cal_list_names(list, steps->steps[i].app_name))
            steps->steps[kept++] = steps->steps[i];
    steps->count = kept;
}

/* That a plan for this machine can go on with the profile. */
static int check_begun(struct cal_store *s, const char *path, const struct cal_cpu_host *h,
                       struct dcs_err *err)
{
    double cores = 0;
    if (!cal_store_is_cpu(s))
        return dcs_err_at(err, path, 0, NULL,
                          "is the profile of a GPU; name another file with --output");
    cal_store_get(s, &cores, "SELECT sms FROM device", "");
    if ((uint32_t)cores == h->cores_count)
        return 0;
    return dcs_err_at(err, path, 0, NULL,
                      "was measured on %g cores, and these are %u: go on with --cores %g, or name "
                      "another file with --output",
                      cores, h->cores_count, cores);
}

static int dry_run(const struct arguments *a, const struct cal_cpu_host *h)
{
    struct dcs_err err = {0};
    struct cal_session s = {.cpu = h, .sms = (int)h->cores_count};
    if (access(a->common.output, F_OK) == 0) {
        s.store = cal_store_open_existing(a->common.output, &err);
        if (s.store == NULL || check_begun(s.store, a->common.output, h, &err) != 0) {
            cal_store_close(s.store);
            return cal_complain(&err);
        }
    }
    struct cal_steps steps = {0};
    cal_cpu_plan(&s, &steps, step_seconds(&s, a));
    keep_programs(&steps, a->common.apps);
    cal_keep_keys(&steps, a->common.steps);
    cal_steps_print(&steps, &s, a->common.verbose, stdout);
    cal_steps_release(&steps);
    cal_store_close(s.store);
    return DCS_EXIT_OK;
}

/* A profile is whole when every step of every program is done. */
static int finish(struct cal_session *s, FILE *out, struct dcs_err *err)
{
    struct cal_steps all = {0};
    cal_cpu_plan(s, &all, 0);
    bool partial = cal_is_partial(s->store, &all);
    cal_steps_release(&all);
    if (cal_store_begin(s->store, err) != 0)
        return -1;
    int failed = cal_cpu_put_numbers(s->store, out, err) != 0 ||
                 cal_store_finish(s->store, partial, err) != 0;
    return cal_store_end(s->store, !failed, err) != 0 || failed ? -1 : 0;
}

/* The plan follows from what the profile says of its host. */
int cal_cpu_finish_merged(struct cal_store *store, struct dcs_err *err)
{
    struct cal_cpu_host h = {0};
    struct cal_session s = {.store = store, .cpu = &h};
    double cores = 0, ways = 0, llc = 0, least = 1;
    char cat[16] = "";
    cal_store_get(store, &cores, "SELECT sms FROM device", "");
    cal_store_get(store, &ways, "SELECT value FROM cpu WHERE key = 'ways'", "");
    cal_store_get(store, &llc, "SELECT value FROM profile WHERE key = 'l2_bytes'", "");
    cal_store_get_text(store, cat, sizeof cat,
                       "SELECT value FROM profile WHERE key = 'cache_allocation'", "");
    cal_store_get(store, &least, "SELECT value FROM profile WHERE key = 'cache_min_ways'", "");
    h.cores_count = (uint32_t)cores;
    h.cat_min_ways = (uint32_t)least;
    h.ways = (uint32_t)ways;
    h.llc_bytes = (int64_t)llc;
    h.cat = strcmp(cat, "resctrl") == 0;
    return finish(&s, NULL, err);
}

static int run_plan(struct cal_session *s, const struct arguments *a)
{
    struct dcs_err err = {0};
    if (a->common.retry_failed && cal_store_forget_failed(s->store, NULL, &err) != 0)
        return cal_complain(&err);
    struct cal_steps steps = {0};
    cal_cpu_plan(s, &steps, step_seconds(s, a));
    keep_programs(&steps, a->common.apps);
    cal_keep_keys(&steps, a->common.steps);
    struct cal_run_result result;
    int code = cal_run_steps(s, &steps, a->common.minutes, &result);
    cal_steps_release(&steps);
    if (!cal_store_broken(s->store) && finish(s, stdout, &err) != 0)
        code = cal_complain(&err);
    return code;
}

static int open_profile(struct cal_session *s, const struct arguments *a, const char *counters,
                        struct dcs_err *err)
{
    const struct cal_cpu_host *h = s->cpu;
    char device[64], moment[32], source[512];
    double ways = 0;
    cal_name_of_device(h->name, device, sizeof device);
    cal_moment(moment, sizeof moment);
    snprintf(source, sizeof source, "measured by dcsim-calibrate %s on %.64s, %.90s, %.10s",
             DCS_BUILD_ID, h->name, h->system, moment);
    const struct cal_provenance provenance = {
        .name = a->common.name != NULL ? a->common.name : device,
        .description = "Programs of many threads on a real CPU, measured by dcsim-calibrate cpu.",
        .source = source,
        .device_name = h->name,
        .device_uuid = h->identity,
        .driver = h->system,
        .cuda = "none",
        .tool_version = DCS_BUILD_ID,
        .measured_at = moment,
        .sms = (int)h->cores_count,
        .max_clock_mhz = h->clock_mhz,
        .memory_bytes = h->memory_bytes > 0 ? h->memory_bytes : 1,
        .l2_bytes = h->llc_bytes,
        .is_cpu = true,
    };
    s->store = cal_store_open(s->output, &provenance, err);
    if (s->store == NULL)
        return -1;
    return cal_store_get(s->store, &ways, "SELECT value FROM cpu WHERE key = 'ways'", "")
               ? 0
               : cal_cpu_put_host(s->store, h, counters, err);
}

/* What this machine does not offer is said, and the rest is measured. */
static void say_what_is_missing(const struct cal_cpu_host *h, const char *counters)
{
    fprintf(stderr, "%s, %u cores, %.1f MB in %u ways, %.1f GiB, %s\n", h->name, h->cores_count,
            (double)h->llc_bytes / 1e6, h->ways, (double)h->memory_bytes / (1 << 30), h->system);
    if (h->left_out > 0)
        fprintf(stderr, "%u more are left out: second threads of a core, or behind another cache\n",
                h->left_out);
    if (counters[0] != '\0')
        fprintf(stderr, "no hardware counters: %s. Work per second is measured instead.\n",
                counters);
    if (!h->cat)
        fprintf(stderr,
                "no cache allocation: %s. What ways are worth is inferred from co-runners.\n",
                h->cat_missing);
    if (h->cores_count < 2)
        fprintf(stderr, "one core: nothing can run beside a program.\n");
#ifndef __OPTIMIZE__
    fprintf(stderr, "this build is not optimised, and its programs are not: measure with a Release "
                    "build.\n");
#endif
}

static int check_quiet(const struct cal_cpu_host *h, const struct arguments *a, struct dcs_err *err)
{
    struct cal_cpu_look before = cal_cpu_look(h, "");
    sleep(1);
    struct cal_cpu_look after = cal_cpu_look(h, "");
    double others = cal_cpu_others(&before, &after);
    if (others <= QUIET_CORES * h->cores_count || a->common.allow_others)
        return 0;
    return dcs_err_set(err,
                       "others use %.1f of the %u cores: end them, or measure what is left of the "
                       "machine with --allow-others",
                       others, h->cores_count);
}

static int measure(const struct arguments *a, const struct cal_cpu_host *h)
{
    struct dcs_err err = {0}, why = {0};
    if (cal_cpu_counters_there(&why) == 0)
        why.text[0] = '\0';
    say_what_is_missing(h, why.text);
    if (check_quiet(h, a, &err) != 0)
        return cal_complain(&err);
    const struct cal_cpu_bench_options how = {.max_seconds = a->seconds, .seed = a->common.seed};
    struct cal_cpu_bench bench = cal_cpu_bench_open(h, &how);
    struct cal_session s = {.cpu = h,
                            .cpu_bench = &bench,
                            .sms = (int)h->cores_count,
                            .seed = a->common.seed,
                            .output = a->common.output};
    int code = open_profile(&s, a, why.text, &err) != 0 ? cal_complain(&err) : run_plan(&s, a);
    cal_store_close(s.store);
    cal_cpu_bench_close(&bench);
    return code;
}

static const char *name_of_program(size_t index)
{
    return cal_cpu_apps[index] != NULL ? cal_cpu_apps[index]->name : NULL;
}

int cal_cpu_main(int argc, char **argv)
{
    struct arguments a = {.common.seed = 1, .seconds = 2};
    const struct cal_option own[] = {{"seconds", .number = &a.seconds, .min = 0.01, .max = 3600},
                                     {"cores", .number = &a.cores, .min = 1, .max = 4096},
                                     {0}};
    struct dcs_err err = {0};
    struct cal_cpu_host h;
    cpu_set_t allowed;
    char output[128], device[96], missing[CAL_KEY_BYTES];
    a.check = argc > 2 && strcmp(argv[2], "check") == 0;
    if (cal_options(argc, argv, a.check ? 3 : 2, &a.common, own, NULL, &err) != 0)
        return cal_complain(&err);
    if (cal_list_misses(a.common.apps, name_of_program, missing)) {
        dcs_err_set(&err, "no program \"%.60s\" for CPUs; `list` names them", missing);
        return cal_complain(&err);
    }
    if (optind != argc) {
        dcs_err_set(&err, "unexpected argument \"%.60s\"", argv[optind]);
        return cal_complain(&err);
    }
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        dcs_err_set(&err, "the system does not say on which cores this program may run");
        return cal_complain(&err);
    }
    if (cal_cpu_host_read(&h, "", &allowed, &err) != 0 ||
        (a.cores > 0 && cal_cpu_host_limit(&h, (uint32_t)a.cores, &err) != 0))
        return cal_complain(&err);
    cal_name_of_device(h.name, device, sizeof device);
    snprintf(output, sizeof output, "%s.db", device);
    if (a.common.output == NULL)
        a.common.output = output;
    if (a.common.dry_run)
        return dry_run(&a, &h);
    cal_catch_interrupts();
    return a.check ? check_programs(&a, &h) : measure(&a, &h);
}
