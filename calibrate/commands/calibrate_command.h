/*
 * calibrate_command.h - the parts of dcsim-calibrate's command line: calibrate_main.c calls that of
 * CPUs (cpu_command.c), that of GPUs (gpu_command.c, or no_gpu.c in a build without CUDA) and that
 * which records programs (record_command.c); all call calibrate_options.c and command_support.c.
 */
#ifndef DCS_CALIBRATE_COMMAND_H
#define DCS_CALIBRATE_COMMAND_H

#include "calibrate/measure/measurement.h"

#define EXIT_FAILED_STEPS 1
#define EXIT_CONTEXT_LOST 3

/* argv[1] is the command; the exit code. */
int cal_cpu_main(int argc, char **argv);
int cal_gpu_main(int argc, char **argv);
int cal_record_main(int argc, char **argv);
int cal_pair_main(int argc, char **argv);
int cal_contend_main(int argc, char **argv);
/* Of GPUs: pressure on memory, as its input asks for it (press_command.c). */
int cal_press_main(int argc, char **argv);
/* Of GPUs: one of our applications as a program (serve_command.c). */
int cal_serve_main(int argc, char **argv);
/* Of GPUs: requests that are divided over a CPU and a GPU (split_command.c), and their programs. */
int cal_split_main(int argc, char **argv);
void cal_split_list(void);
/* Whether this build has an application of that name. */
bool cal_gpu_has_app(const char *name);
/* Prints applications and measurements. */
void cal_cpu_list(void);
void cal_gpu_list(void);
/* Of --help: what this build cannot do; "": nothing. */
const char *cal_gpu_absent(void);
/* Ends what was merged into a profile: what a simulation reads of it, and whether it is whole. */
int cal_cpu_finish_merged(struct cal_store *s, struct dcs_err *err);
int cal_gpu_finish_merged(struct cal_store *s, struct dcs_err *err);

/* --- calibrate_options.c --- */

/* What is said of both kinds of devices. */
struct cal_common {
    const char *output, *name;
    const char *apps, *steps; /* lists, see steps.h; NULL: all */
    double minutes;           /* 0: no limit */
    uint64_t seed;
    bool dry_run, verbose, retry_failed, allow_others;
};
/* An option of one of them, and where its value goes: one of the pointers is set. */
struct cal_option {
    const char *name;
    const char **text;
    bool *flag; /* is set; there is no value */
    double *number, min, max;
    int (*take)(void *context, const char *value, struct dcs_err *err);
};
/* Takes the options from argv[first] on, the common ones and those of own, which ends with name
 * NULL; argv[optind] is then the first of what is none. -1 and err: one is not known, or its value
 * is none. */
int cal_options(int argc, char **argv, int first, struct cal_common *common,
                const struct cal_option *own, void *context, struct dcs_err *err);

/* --- command_support.c --- */

/* Prints "dcsim-calibrate: file:line: path: text"; DCS_EXIT_USER. */
int cal_complain(const struct dcs_err *err);
/* "NVIDIA H200" as "nvidia-h200". */
void cal_name_of_device(const char *device, char *name, size_t size);
/* "2026-11-22T00:00:00Z" */
void cal_moment(char *moment, size_t size);
/* Prints the row of an application for `list`. */
struct cal_listed {
    const char *name, *size_unit, *papers;
    bool service;
    int64_t size_min, size_max, size_default;
};
void cal_list_app(const struct cal_listed *a);
/* Keeps the steps with the keys of --step (NULL: all), and warns where that leaves none. */
void cal_keep_keys(struct cal_steps *steps, const char *keys);
/* Whether steps of a plan are not done. */
bool cal_is_partial(struct cal_store *s, const struct cal_steps *all);
/* Runs the steps, says what was done, and returns the exit code. */
int cal_run_steps(struct cal_session *s, const struct cal_steps *steps, double minutes,
                  struct cal_run_result *result);

extern volatile sig_atomic_t cal_interrupted; /* by this signal, SIGINT or SIGTERM; 0: not */
void cal_catch_interrupts(void);

#endif
