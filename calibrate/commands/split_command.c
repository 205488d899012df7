/*
 * split_command.c - `dcsim-calibrate split`: requests that are divided over this machine's CPU and
 * GPU. It measures chunks on each side, and with --run it lets policies divide real requests. See
 * calibrate_main.c for the command line.
 */
#include "build_id.h"
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/gpu/measured_gpu.h"
#include "calibrate/split/split_host.h"
#include "calibrate/split/split_measure.h"
#include "policies/policies.h"

#include <getopt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SET_MAX 60 /* characters: they are in the keys of steps */

struct arguments {
    struct cal_common common;
    struct cal_gpu_options gpu;
    const char *run, *set, *threads;
    double seconds, turns, rounds;
    bool same_model, print;
};

/* --- what is asked for --- */

static const char *name_of_program(size_t index)
{
    return index < CAL_SPLIT_PROGRAMS ? cal_split_programs[index]->name : NULL;
}

/* 1,4,16: as many as this machine has cores for. */
static int read_threads(const char *list, struct cal_split_session *x, struct dcs_err *err)
{
    bool given = list != NULL;
    for (list = given ? list : "1,4,16"; *list != '\0';) {
        char *end;
        long threads = strtol(list, &end, 10);
        if (end == list || (*end != ',' && *end != '\0') || threads < 1 ||
            threads > CAL_SPLIT_THREADS_MAX || x->threads_count == CAL_SPLIT_LIST_MAX)
            return dcs_err_set(err, "--threads %.60s: at most %d numbers from 1 to %d are expected",
                               list, CAL_SPLIT_LIST_MAX, CAL_SPLIT_THREADS_MAX);
        if ((uint32_t)threads <= x->bench.cores)
            x->threads[x->threads_count++] = (uint32_t)threads;
        else if (given)
            return dcs_err_set(err, "--threads %ld: this program may use %u cores", threads,
                               x->bench.cores);
        list = *end == ',' ? end + 1 : end;
    }
    return x->threads_count > 0 ? 0 : dcs_err_set(err, "--threads: none is named");
}

/* One of them asks for predictions of chunks, and here are none. */
static bool divides(const struct policy *p)
{
    return (p->needs & HOST_NEEDS_CHUNKS) != 0 && strcmp(p->name, "split-predicted") != 0;
}

static const char *name_of_policy(size_t index)
{
    for (size_t i = 0; policies_all[i] != NULL; i++)
        if (divides(policies_all[i]) && index-- == 0)
            return policies_all[i]->name;
    return NULL;
}

static int read_policies(const struct arguments *a, struct cal_split_session *x,
                         struct dcs_err *err)
{
    char missing[CAL_KEY_BYTES];
    if (a->run == NULL)
        return a->set != NULL ? dcs_err_set(err, "--set goes with --run") : 0;
    if (cal_list_misses(a->run, name_of_policy, missing))
        return dcs_err_set(err,
                           "--run %.60s: no policy of that name divides requests; `dcsim "
                           "--list policies` names them",
                           missing);
    if (a->set != NULL && strlen(a->set) > SET_MAX)
        return dcs_err_set(err, "--set: at most %d characters", SET_MAX);
    x->set = a->set;
    x->turns = (int)a->turns;
    x->rounds = (int)a->rounds;
    for (size_t i = 0; policies_all[i] != NULL && x->policies_count < CAL_SPLIT_LIST_MAX; i++) {
        const struct policy *p = policies_all[i];
        if (!divides(p) || !cal_list_names(a->run, p->name))
            continue;
        void *options = cal_split_options(p, a->set, err);
        if (options == NULL)
            return -1;
        x->policies[x->policies_count] = p;
        x->options[x->policies_count++] = options;
    }
    return 0;
}

static int read_options(int argc, char **argv, struct arguments *a, struct dcs_err *err)
{
    double ordinal = 0;
    char missing[CAL_KEY_BYTES];
    const struct cal_option own[] = {{"run", .text = &a->run},
                                     {"set", .text = &a->set},
                                     {"threads", .text = &a->threads},
                                     {"turns", .number = &a->turns, .min = 1, .max = 1000},
                                     {"rounds", .number = &a->rounds, .min = 1, .max = 100},
                                     {"seconds", .number = &a->seconds, .min = 0.001, .max = 3600},
                                     {"device", .number = &ordinal, .min = 0, .max = 1000},
                                     {"same-model", .flag = &a->same_model},
                                     {"print", .flag = &a->print},
                                     {0}};
    if (cal_options(argc, argv, 2, &a->common, own, a, err) != 0)
        return -1;
    a->gpu.ordinal = (int)ordinal;
    a->gpu.allow_others = a->common.allow_others;
    if (cal_list_misses(a->common.apps, name_of_program, missing))
        return dcs_err_set(err, "no program \"%.60s\" is divided; `list` names them", missing);
    if (optind != argc)
        return dcs_err_set(err, "unexpected argument \"%.60s\"", argv[optind]);
    return 0;
}

/* --- plans --- */

static const struct cal_measure *wanted(const struct arguments *a)
{
    return a->run != NULL ? &cal_split_requests : &cal_split_chunks;
}

static void make_plan(const struct cal_session *s, const struct arguments *a,
                      struct cal_steps *steps)
{
    size_t kept = 0;
    wanted(a)->plan(s, steps);
    for (size_t i = 0; i < steps->count; i++)
        if (cal_list_names(a->common.apps, steps->steps[i].app_name))
            steps->steps[kept++] = steps->steps[i];
    steps->count = kept;
    cal_steps_only_keys(steps, a->common.steps);
}

static int dry_run(const struct arguments *a, struct cal_session *s)
{
    struct dcs_err err = {0};
    struct cal_steps steps = {0};
    if (s->output != NULL && access(s->output, F_OK) == 0 &&
        (s->store = cal_store_open_existing(s->output, &err)) == NULL)
        return cal_complain(&err);
    make_plan(s, a, &steps);
    cal_steps_print(&steps, s, a->common.verbose, stdout);
    cal_steps_release(&steps);
    cal_store_close(s->store);
    return DCS_EXIT_OK;
}

/* --- measuring --- */

/* "model name : Intel(R) ..." */
static void name_cpu(char *name, size_t size)
{
    char line[256];
    snprintf(name, size, "a CPU without a name");
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "model name", 10) == 0) {
            char *value = strchr(line, ':');
            line[strcspn(line, "\n")] = '\0';
            if (value != NULL)
                snprintf(name, size, "%s", value + 1 + strspn(value + 1, " "));
            break;
        }
    if (f != NULL)
        fclose(f);
}

static int keep_host(struct cal_session *s, const char *cpu, struct dcs_err *err)
{
    char cores[16], known[128], known_cores[16];
    snprintf(cores, sizeof cores, "%u", s->split->bench.cores);
    if (cal_store_get_text(s->store, known, sizeof known,
                           "SELECT value FROM profile WHERE key = 'host_cpu'", "") &&
        cal_store_get_text(s->store, known_cores, sizeof known_cores,
                           "SELECT value FROM profile WHERE key = 'host_cores'", "") &&
        (strcmp(known, cpu) != 0 || strcmp(known_cores, cores) != 0))
        return dcs_err_at(
            err, s->output, 0, NULL,
            "was measured beside %s cores of %.100s, and these are %s of %.100s; name "
            "another file with --output",
            known_cores, known, cores, cpu);
    return cal_store_put(s->store, err, "profile", "tt", "host_cpu", cpu) != 0 ||
                   cal_store_put(s->store, err, "profile", "tt", "host_cores", cores) != 0
               ? -1
               : 0;
}

static int run_plan(struct cal_session *s, const struct arguments *a)
{
    struct dcs_err err = {0};
    struct cal_steps steps = {0};
    if (a->common.retry_failed && cal_store_forget_failed(s->store, wanted(a)->name, &err) != 0)
        return cal_complain(&err);
    make_plan(s, a, &steps);
    if (cal_split_refuse_repeated(s, &steps, &err) != 0) {
        cal_steps_release(&steps);
        return cal_complain(&err);
    }
    struct cal_run_result result;
    int code = cal_run_steps(s, &steps, a->common.minutes, &result);
    cal_steps_release(&steps);
    steps = (struct cal_steps){0};
    cal_split_chunks.plan(s, &steps);
    if (!cal_store_broken(s->store) &&
        (cal_store_finish(s->store, cal_is_partial(s->store, &steps), &err) != 0 ||
         cal_split_print(s->store, stdout, &err) != 0))
        code = cal_complain(&err);
    cal_steps_release(&steps);
    return code;
}

static int measure(struct cal_session *s, const struct cal_gpu *g, const struct arguments *a)
{
    char device[64], output[128], name[96], moment[32], source[768], cpu[128];
    struct dcs_err err = {0};
    cal_name_of_device(g->name, device, sizeof device);
    snprintf(name, sizeof name, "%s-host", device);
    snprintf(output, sizeof output, "%s.db", name);
    cal_moment(moment, sizeof moment);
    name_cpu(cpu, sizeof cpu);
    snprintf(source, sizeof source,
             "measured by dcsim-calibrate split %s on %s, driver %s, CUDA %s, beside %u cores of "
             "%s, %.10s",
             DCS_BUILD_ID, g->name, g->driver, g->cuda, s->split->bench.cores, cpu, moment);
    const struct cal_provenance provenance = {
        .name = a->common.name != NULL ? a->common.name : name,
        .description =
            "Requests that are divided over a CPU and a GPU, measured by dcsim-calibrate "
            "split.",
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
    s->sms = s->split->sms = g->sms;
    s->split->source = source;
    if (s->output == NULL)
        s->output = output;
    s->store = cal_store_open(s->output, &provenance, &err);
    if (s->store == NULL || keep_host(s, cpu, &err) != 0) {
        cal_store_close(s->store);
        return cal_complain(&err);
    }
    int code = run_plan(s, a);
    cal_split_unload(&s->split->bench);
    cal_store_close(s->store);
    return code;
}

static int with_gpu(struct cal_session *s, const struct arguments *a)
{
    struct dcs_err err = {0};
    struct cal_gpu *g = cal_gpu_find(&a->gpu, &err);
    if (g == NULL || cal_gpu_start(g, &a->gpu, &err) != 0) {
        cal_gpu_free(g);
        return cal_complain(&err);
    }
    /* The thread that waits for the GPU leaves its core to those of the CPU's side, if it can. */
    if (cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync) != cudaSuccess)
        (void)cudaGetLastError();
    fprintf(stderr, "%s, %d SMs, driver %s, and %u cores\n", g->name, g->sms, g->driver,
            s->split->bench.cores);
#ifndef __OPTIMIZE__
    fprintf(stderr, "this build is not optimised, and its programs are not: measure with a Release "
                    "build.\n");
#endif
    int code = measure(s, g, a);
    cal_gpu_free(g);
    return code;
}

static int print_profile(const struct arguments *a)
{
    struct dcs_err err = {0};
    struct cal_store *store =
        a->common.output != NULL ? cal_store_open_existing(a->common.output, &err) : NULL;
    if (a->common.output == NULL)
        dcs_err_set(&err, "--print needs --output, the profile");
    int failed = store == NULL || cal_split_print(store, stdout, &err) != 0;
    cal_store_close(store);
    return failed ? cal_complain(&err) : DCS_EXIT_OK;
}

int cal_split_main(int argc, char **argv)
{
    struct arguments a = {.common.seed = 1,
                          .seconds = 0.1,
                          .turns = 5,
                          .rounds = 1,
                          .gpu = {.whole = true, .patience_s = 60}};
    static struct cal_split_session x;
    struct dcs_err err = {0};
    cpu_set_t allowed;
    x.bench.cores =
        sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? (uint32_t)CPU_COUNT(&allowed) : 1;
    if (x.bench.cores > CAL_SPLIT_THREADS_MAX)
        x.bench.cores = CAL_SPLIT_THREADS_MAX;
    if (read_options(argc, argv, &a, &err) != 0 || read_threads(a.threads, &x, &err) != 0 ||
        read_policies(&a, &x, &err) != 0)
        return cal_complain(&err);
    x.bench.device = a.gpu.ordinal;
    x.bench.seed = a.common.seed;
    x.bench.seconds = a.seconds;
    struct cal_session s = {
        .split = &x, .sms = 132, .seed = a.common.seed, .output = a.common.output};
    if (a.print)
        return print_profile(&a);
    if (a.common.dry_run)
        return dry_run(&a, &s);
    cal_catch_interrupts();
    int code = with_gpu(&s, &a);
    for (size_t i = 0; i < x.policies_count; i++)
        free(x.options[i]);
    return code;
}

void cal_split_list(void)
{
    printf("Programs for both (sizes that are measured, with the thesis's), by `split`\n\n");
    for (int i = 0; i < CAL_SPLIT_PROGRAMS; i++) {
        const struct cal_split_program *p = cal_split_programs[i];
        int64_t least = p->sizes[0], most = p->sizes[0];
        for (int k = 1; k < CAL_SPLIT_SIZES; k++) {
            least = p->sizes[k] < least ? p->sizes[k] : least;
            most = p->sizes[k] > most ? p->sizes[k] : most;
        }
        cal_list_app(&(struct cal_listed){p->name, p->unit, "Wang, thesis, table 4-2", false, least,
                                          most, p->sizes[0]});
    }
    putchar('\n');
}
