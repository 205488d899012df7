/*
 * cpu_app.h - the contract of a program that `dcsim-calibrate cpu` measures: requests that many
 * threads work on together, and the check of their results against a naive reference.
 *
 * One program is one file in calibrate/cpu_apps/. FILE.c defines `cal_cpu_app_FILE`; the build
 * finds it there, and no table needs a row. unit/test_calibrate_cpu_apps runs each of them.
 * cpu_apps/black_scholes.c is a short one to begin from.
 *
 * WORDS. A request has a size (options, frames, words). A service answers requests; of a batch
 * program, a request is a unit of its work. A team is the threads that work on a request; they keep
 * running from request to request, as those of a service do.
 *
 * RULES
 * - A request can be run again and again on one state and does the same work each time: it reads
 *   the inputs that create() made and overwrites its outputs; nothing grows from one to the next.
 * - The work depends on size and seed alone, and the results are the same bit for bit for any
 *   number of threads, 1 to CAL_TEAM_MAX: sums are made of pieces that do not depend on it.
 *   Threads may be more than cores: no spinning. Work that is given out in many more pieces than
 *   threads (cal_team_for) keeps a team balanced when two threads share a core.
 * - The data are those of the kind of program: as large, walked in the same order, at realistic
 *   values (no zeros, no denormals). What a request needs of cache and memory is what is measured.
 * - run() takes nothing from the arena, calls no malloc, reads no file and no clock.
 * - A request of size_default takes 20 to 200 ms on one core of a server, one of size_check below
 *   20 ms, its check below half a second, without optimisation, too. Work grows by a factor of 4 to
 *   100 from size_min to size_max, with size_default between.
 * - Plain C11 and libm for any 64-bit machine; no intrinsics. Indices and counts of 32 bits or more
 *   where sizes reach them.
 */
#ifndef DCS_CALIBRATE_CPU_APP_H
#define DCS_CALIBRATE_CPU_APP_H

#include "des/base.h"

/* --- memory of a state: all of it ends with the arena, so that no program frees anything --- */

struct cal_arena {
    void **blocks;
    size_t count, capacity;
    int64_t bytes; /* taken so far */
};

/* Zeroed, at a multiple of 64 bytes, with its pages in place; never NULL. */
void *cal_arena_take(struct cal_arena *a, size_t count, size_t size);
/* Frees everything; the arena is empty then. */
void cal_arena_release(struct cal_arena *a);

/* --- threads --- */

#define CAL_TEAM_MAX 256

struct cal_team;

/* Starts `threads` threads that may run on `cores` alone (NULL: anywhere): one on each where there
 * are as many, else wherever the system puts them there. NULL and err if the system refuses a core
 * or a thread. */
struct cal_team *cal_team_create(uint32_t threads, const int *cores, uint32_t cores_count,
                                 struct dcs_err *err);
void cal_team_destroy(struct cal_team *t); /* NULL is allowed */
uint32_t cal_team_threads(const struct cal_team *t);

/* Calls body(context, t, thread) once on every thread, 0 to threads - 1, and waits for all. */
void cal_team_run(struct cal_team *t,
                  void (*body)(void *context, struct cal_team *t, uint32_t thread), void *context);

/* Calls body(context, begin, end, thread) for pieces of [0, n) of `grain` (the last may be
 * shorter), each once; threads take the next piece as they become free. Waits for all. `thread`
 * says whose scratch memory to use: a thread has one piece at a time. */
void cal_team_for(struct cal_team *t, int64_t n, int64_t grain,
                  void (*body)(void *context, int64_t begin, int64_t end, uint32_t thread),
                  void *context);

/* --- a program --- */

enum cal_cpu_role { CAL_CPU_SERVICE, CAL_CPU_BATCH };

struct cal_cpu_app {
    const char *name; /* as in profiles: lower case, as EMU's figures call it: "asr", "bs" */
    enum cal_cpu_role role;
    const char *papers;         /* who names it, and how: "EMU table 5-2: blackscholes of PARSEC" */
    const char *algorithm;      /* the publication that it is written from */
    const char *size_unit;      /* "options", "words" */
    int64_t size_min, size_max; /* that are measured, log-spaced */
    int64_t size_default;       /* of a mean request */
    int64_t size_check;
    int64_t size_step; /* sizes are rounded to multiples of it; >= 1 */
    int64_t sla_ns;    /* of a service: as in its paper; 0 for batch */

    /* Makes the inputs of a request and room for its results, all from the arena; returns the
     * state. Runs on one thread. NULL and err: it cannot (the size is out of its range). */
    void *(*create)(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err);
    /* One request. */
    void (*run)(void *state, struct cal_team *t);
    /* Compares the results of the last request with a reference that is computed here, by one
     * thread, in the simplest way that the publication allows, not by the functions of run(). -1
     * and err that says what differs, where and by how much; so on a state in which none has run.
     */
    int (*check)(const void *state, struct dcs_err *err);
    /* The results of the last request in one piece, *words of 32 bits. Any that check() does not
     * look at, or that depends on the number of threads, is a fault. */
    void *(*results)(void *state, size_t *words);
    /* What the last request did, counted by hand: operations on data, of the type that the program
     * computes with, and bytes of inputs, results and what lies between, each once. */
    void (*count)(const void *state, double *operations, double *bytes);
};

/* The table, made by the build from the names of the files, ordered by them; ends with NULL. */
extern const struct cal_cpu_app *const cal_cpu_apps[];
const struct cal_cpu_app *cal_cpu_find_app(const char *name); /* NULL: none has that name */

/* --- what programs use --- */

/* 64 bits from (seed, i), the same everywhere: inputs are made from these. */
uint64_t cal_cpu_random(uint64_t seed, uint64_t i);
/* low <= x < high from the same, in steps of 2^-53 of the range. */
double cal_cpu_uniform(uint64_t seed, uint64_t i, double low, double high);

/* |got - want| <= absolute + relative * |want| for each of n; NaN never passes. -1 and err that
 * names the first that fails and how many do. */
int cal_cpu_compare_f32(const float *got, const float *want, size_t n, double absolute,
                        double relative, const char *what, struct dcs_err *err);
int cal_cpu_compare_i32(const int32_t *got, const int32_t *want, size_t n, const char *what,
                        struct dcs_err *err);

#endif
