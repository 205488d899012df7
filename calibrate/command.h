/*
 * command.h - what the parts of dcsim-calibrate's command line share: main.c, that of CPUs
 * (cpu_command.c), and that of GPUs (gpu_command.c, or no_gpu.c in a build without CUDA).
 */
#ifndef DCS_CALIBRATE_COMMAND_H
#define DCS_CALIBRATE_COMMAND_H

#include "calibrate/measure.h"

#define EXIT_FAILED_STEPS 1
#define EXIT_CONTEXT_LOST 3

/* argv[1] is the command; the exit code. */
int cal_cpu_main(int argc, char **argv);
int cal_gpu_main(int argc, char **argv);
/* Prints applications and measurements. */
void cal_cpu_list(void);
void cal_gpu_list(void);
/* Ends what was merged into a profile: what a simulation reads of it, and whether it is whole. */
int cal_cpu_finish_merged(struct cal_store *s, struct dcs_err *err);
int cal_gpu_finish_merged(struct cal_store *s, struct dcs_err *err);

/* --- main.c --- */

/* Prints "dcsim-calibrate: file: text"; DCS_EXIT_USER. */
int cal_complain(const struct dcs_err *err);
/* A number as the value of an option. */
int cal_to_number(const char *option, const char *text, double min, double max, double *value,
                  struct dcs_err *err);
/* "NVIDIA H200" as "nvidia-h200". */
void cal_name_of_device(const char *device, char *name, size_t size);
/* "2026-11-22T00:00:00Z" */
void cal_moment(char *moment, size_t size);
/* Runs the steps, says what was done, and returns the exit code. */
int cal_run_steps(struct cal_session *s, const struct cal_steps *steps, double minutes);

extern volatile sig_atomic_t cal_interrupted; /* by Ctrl-C */
void cal_catch_interrupts(void);

#endif
