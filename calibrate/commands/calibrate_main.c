/*
 * calibrate_main.c - the command line of dcsim-calibrate.
 *
 *   dcsim-calibrate list                     applications and measurements
 *   dcsim-calibrate check [--app NAME]       compare every application with its reference
 *   dcsim-calibrate all | MEASUREMENT ...    measure a GPU, into a profile (gpu_command.c)
 *   dcsim-calibrate cpu ...                  measure this machine's CPU (cpu_command.c)
 *   dcsim-calibrate export FILE.db FILE.sql  a profile as SQL text
 *   dcsim-calibrate merge INTO.db FROM.db    two profiles of one model of device in one
 *
 * A build without CUDA has all but what measures GPUs.
 *
 * Exit codes: 0 done, 1 some steps failed, 2 the caller's or the machine's fault, 3 the context of
 * the device was lost: run again, and the measurement goes on; 70 our own fault, 130 interrupted.
 */
#include "build_id.h"
#include "calibrate/commands/calibrate_command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "Usage: dcsim-calibrate list\n"
    "       dcsim-calibrate check [--app NAME] [--from NAME]\n"
    "       dcsim-calibrate all | MEASUREMENT [OPTION]...\n"
    "       dcsim-calibrate cpu [check] [OPTION]...\n"
    "       dcsim-calibrate export FILE.db FILE.sql\n"
    "       dcsim-calibrate merge INTO.db FROM.db\n"
    "\n"
    "Measures real kernels on a GPU, or real programs of many threads on this machine's CPU, and\n"
    "writes a profile for dcsim. What is measured already is not measured again: an interrupted\n"
    "measurement is continued by the same command.\n"
    "\n"
    "  --output FILE     the profile's database (default: the device's name, e.g. nvidia-h200.db)\n"
    "  --name NAME       name of a new profile (default: the device's name)\n"
    "  --dry-run         print how many steps and minutes there are, and stop; needs no GPU\n"
    "  --verbose         with --dry-run: each step, too\n"
    "  --minutes M       stop after M minutes, between two steps\n"
    "  --app NAME        only steps of this application\n"
    "  --retry-failed    try failed steps again\n"
    "  --allow-others    measure although other processes use the device\n"
    "  --seed N          of the applications' inputs (default: 1)\n"
    "\n"
    "With cpu\n"
    "  --cores N         use the first N cores of this machine (default: all)\n"
    "  --seconds S       sample a point for at most S seconds (default: 2)\n"
    "\n"
    "With all others\n"
    "  --only KIND       with all: only this measurement; may be repeated\n"
    "  --device N        the GPU's number (default: 0)\n"
    "  --same-model      go on with a profile of another GPU of the same model\n"
    "  --clock-floor F   throw samples away below this share of the highest clock (default: 0.75)\n"
    "  --patience S      take a request that runs longer for hung (default: 60 s)\n"
    "\n"
    "  --version, --help\n";

volatile sig_atomic_t cal_interrupted;

static void on_interrupt(int signal_number)
{
    cal_interrupted = 1;
    /* A second one ends the program at once; the store undoes the step in hand. */
    signal(signal_number, SIG_DFL);
}

void cal_catch_interrupts(void)
{
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
}

int cal_complain(const struct dcs_err *err)
{
    if (err->file[0] != '\0')
        fprintf(stderr, "dcsim-calibrate: %s: %s\n", err->file, err->text);
    else
        fprintf(stderr, "dcsim-calibrate: %s\n", err->text);
    return DCS_EXIT_USER;
}

void cal_name_of_device(const char *device, char *name, size_t size)
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

void cal_moment(char *moment, size_t size)
{
    time_t now = time(NULL);
    strftime(moment, size, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
}

void cal_list_app(const struct cal_listed *a)
{
    char sizes[96];
    snprintf(sizes, sizeof sizes, "%lld to %lld, %lld %s", (long long)a->size_min,
             (long long)a->size_max, (long long)a->size_default, a->size_unit);
    printf("%-20s %-8s %-48s %s\n", a->name, a->service ? "service" : "batch", sizes, a->papers);
}

bool cal_is_partial(struct cal_store *s, const struct cal_steps *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (cal_store_step(s, all->steps[i].key) != CAL_STEP_DONE)
            return true;
    return false;
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

int cal_run_steps(struct cal_session *s, const struct cal_steps *steps, double minutes)
{
    struct dcs_err err = {0};
    const struct cal_run_options how = {
        .minutes = minutes, .stop = &cal_interrupted, .progress = isatty(STDERR_FILENO)};
    struct cal_run_result result;
    int code = DCS_EXIT_OK;
    if (cal_steps_run(steps, s, &how, &result, &err) != 0)
        code = cal_complain(&err);
    if (code != DCS_EXIT_OK && s->dead != NULL && *s->dead)
        code = EXIT_CONTEXT_LOST;
    int reported = report(&result, s->output);
    return code == DCS_EXIT_OK ? reported : code;
}

/* --- export, merge --- */

static int export_profile(int count, char **paths)
{
    struct dcs_err err = {0};
    if (count != 2) {
        dcs_err_set(&err, "export takes two paths: FILE.db FILE.sql");
        return cal_complain(&err);
    }
    struct cal_store *store = cal_store_open_existing(paths[0], &err);
    int failed = store == NULL || cal_store_export(store, paths[1], &err) != 0;
    cal_store_close(store);
    return failed ? cal_complain(&err) : DCS_EXIT_OK;
}

static int merge(int count, char **paths)
{
    struct dcs_err err = {0};
    int64_t steps;
    if (count != 2) {
        dcs_err_set(&err, "merge takes two paths: INTO.db FROM.db");
        return cal_complain(&err);
    }
    struct cal_store *store = cal_store_open_existing(paths[0], &err);
    int failed = store == NULL || cal_store_merge(store, paths[1],
                                                  cal_store_is_cpu(store) ? cal_cpu_finish_merged
                                                                          : cal_gpu_finish_merged,
                                                  &steps, &err) != 0;
    cal_store_close(store);
    if (failed)
        return cal_complain(&err);
    printf("%s: %lld steps taken over from %s\n", paths[0], (long long)steps, paths[1]);
    return DCS_EXIT_OK;
}

static int list(void)
{
    cal_gpu_list();
    cal_cpu_list();
    return DCS_EXIT_OK;
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--version") == 0)
            return puts("dcsim-calibrate " DCS_BUILD_ID), DCS_EXIT_OK;
        else if (strcmp(argv[i], "--help") == 0)
            return fputs(usage, stdout), DCS_EXIT_OK;
    if (command[0] == '\0' || command[0] == '-') {
        fputs(usage, stderr);
        return DCS_EXIT_USER;
    }
    if (strcmp(command, "list") == 0)
        return list();
    if (strcmp(command, "export") == 0)
        return export_profile(argc - 2, argv + 2);
    if (strcmp(command, "merge") == 0)
        return merge(argc - 2, argv + 2);
    if (strcmp(command, "cpu") == 0)
        return cal_cpu_main(argc, argv);
    return cal_gpu_main(argc, argv);
}
