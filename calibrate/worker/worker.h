/*
 * worker.h - child processes that measure, and how they are told what to do.
 *
 * Under MPS a share of the device belongs to a process, and a kernel that traps takes its process's
 * context with it: such measurements are made by children. A child is this program again, started
 * as `worker ...` with settings in its environment. The two share a piece of memory. The parent
 * tells one order at a time (an operation's name, a text, some numbers); the child does it and
 * answers. An operation that runs beside others says that it is ready and waits for a common
 * moment to begin; it goes on until it is halted.
 *
 * What shares a process, such as partitions of one context, has a thread each: a child can have a
 * second one, which is told orders, and answers, as a child of its own would.
 *
 * Moments are CLOCK_MONOTONIC in ns, one clock for all processes of a host. Every wait has a limit.
 * A child dies with its parent; one that dies is told with the reason. Knows no CUDA: operations
 * are a table (worker_device.c has the real ones).
 */
#ifndef DCS_CALIBRATE_WORKER_H
#define DCS_CALIBRATE_WORKER_H

#include "des/base.h"

#include <stdatomic.h>
#include <sys/types.h>

#define CAL_WORKER_ARGS    8
#define CAL_WORKER_VALUES  12
#define CAL_WORKER_TEXT    256
#define CAL_WORKER_RECORDS 131072
#define CAL_WORKER_THREADS 2

/* A request or a launch. Moments are relative to the common one. */
struct cal_worker_record {
    int64_t arrival_ns, begin_ns, end_ns;
    int64_t device_ns; /* between events; 0: not taken */
};

struct cal_worker_shared {
    /* The order, and the answer: valid while the other side waits. */
    char operation[24];
    char text[CAL_WORKER_TEXT];
    int64_t args[CAL_WORKER_ARGS];
    int64_t values[CAL_WORKER_VALUES];
    char answer[CAL_WORKER_TEXT];
    char error[768];                 /* empty: done */
    _Atomic uint32_t told, answered; /* numbers of orders; equal: idle */
    _Atomic bool ready, halt;
    _Atomic int64_t begin_ns; /* 0: not yet */
    int thread;               /* of the child: 0, the first, or 1 */
    int64_t records_count;
    struct cal_worker_record records[CAL_WORKER_RECORDS];
};

int64_t cal_now_ns(void);
/* Returns at that moment: sleeps while it is far, polls when it is near. */
void cal_sleep_until(int64_t moment_ns);

/* --- the parent's side --- */

struct cal_worker {
    pid_t pid;                  /* of a process; 0: gone */
    int status;                 /* once it is gone: as of waitpid() */
    struct cal_worker *process; /* of a second thread: its process; NULL: this is one */
    struct cal_worker *thread;  /* of a process: its second thread, or NULL */
    struct cal_worker_shared *shared;
    char name[48];      /* for messages */
    int64_t started_ns; /* when it was asked for */
};

/* A variable of its environment; value NULL: removed. A list ends with a NULL name. */
struct cal_worker_setting {
    const char *name, *value;
};

/* This process's environment with the settings, and its end. */
char **cal_environment(const struct cal_worker_setting *settings);
void cal_environment_free(char **list);

/* Starts a child; it has done nothing yet. NULL and err. */
struct cal_worker *cal_worker_start(const char *name, const struct cal_worker_setting *settings,
                                    struct dcs_err *err);
/* Its second thread, a worker that is closed with its process. NULL and err. */
struct cal_worker *cal_worker_add_thread(struct cal_worker *w, const char *name,
                                         struct dcs_err *err);
/* Tells an order and does not wait; text may be NULL, args has args_count numbers, the rest is 0.
 * Records are as they were: a list of arrivals is put there before. */
void cal_worker_tell(struct cal_worker *w, const char *operation, const char *text,
                     const int64_t *args, int args_count);
/* Waits until the operation is ready to begin. -1 and err: it failed, died or is late (then it is
 * killed). */
int cal_worker_await_ready(struct cal_worker *w, double limit_s, struct dcs_err *err);
void cal_worker_begin(struct cal_worker *w, int64_t begin_ns);
void cal_worker_halt(struct cal_worker *w);
/* Whether it has an order that it has not answered, and lives. */
bool cal_worker_busy(struct cal_worker *w);
/* Waits for the answer; likewise. */
int cal_worker_await(struct cal_worker *w, double limit_s, struct dcs_err *err);
/* Tells and awaits. */
int cal_worker_call(struct cal_worker *w, const char *operation, const char *text,
                    const int64_t *args, int args_count, double limit_s, struct dcs_err *err);
/* Kills it and waits until it is gone, which is when the driver has cleaned up; ns that took, -1 if
 * it was gone before or does not go in limit_s. */
int64_t cal_worker_kill(struct cal_worker *w, double limit_s);
/* Whether it has not died. */
bool cal_worker_alive(struct cal_worker *w);
/* Asks the process to quit, kills it if it does not, and frees it and its thread. NULL is allowed.
 */
void cal_worker_close(struct cal_worker *w);

/* --- the child's side --- */

struct cal_worker_operation {
    const char *name;
    /* -1 and err: told to the parent; the child lives on. */
    int (*run)(struct cal_worker_shared *w, struct dcs_err *err);
};

/* The child's main: argv is that of `worker`. Operations end with a NULL name; one named "quit", if
 * there is one, is run at the end, by the first thread. Operations are run by the thread that was
 * told them: what they share is theirs to keep apart. "thread" is not theirs. */
int cal_worker_serve(int argc, char **argv, const struct cal_worker_operation *operations);

/* Says ready and waits for the common moment, which is then *begin_ns. -1 and err: called off. */
int cal_worker_wait_begin(struct cal_worker_shared *w, int64_t *begin_ns, struct dcs_err *err);
bool cal_worker_halted(const struct cal_worker_shared *w);

/* The real children (worker_device.c). */
int cal_worker_main(int argc, char **argv);

#endif
