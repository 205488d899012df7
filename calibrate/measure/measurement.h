/*
 * measurement.h - a measurement: what the subcommands of the tool have in common.
 *
 * A measurement is `const struct cal_measure cal_measure_NAME` in a file measure_*.c; the build
 * finds it there. It says which steps there are (plan) and does one of them (run); choosing,
 * skipping those that are done, transactions, time limits and errors are steps.c's.
 */
#ifndef DCS_CALIBRATE_MEASUREMENT_H
#define DCS_CALIBRATE_MEASUREMENT_H

#include "calibrate/plan/steps.h"
#include "calibrate/store/profile_store.h"

struct cal_cpu_bench;
struct cal_cpu_host;
struct cal_gpu;
struct cal_split_session;

struct cal_session {
    struct cal_gpu *gpu; /* NULL while only a plan is made, and where a CPU is measured */
    /* Where a CPU is measured; bench: NULL while only a plan is made. */
    const struct cal_cpu_host *cpu;
    const struct cal_cpu_bench *cpu_bench;
    struct cal_split_session *split; /* where requests are divided (split/split_measure.h) */
    struct cal_store *store;         /* NULL: nothing is measured yet */
    int sms;                         /* of the device, or assumed for a plan */
    uint64_t seed;                   /* of the inputs */
    const char *program;             /* this program's own path, to be run by a profiler */
    const char *output;              /* path of the database */
    int ordinal;                     /* of the device */
    const bool *dead;                /* of the device's context; NULL without one */
};

struct cal_measure {
    const char *name, *help; /* the subcommand, and one line */
    /* Appends all steps, done or not, best first; needs no device. */
    void (*plan)(const struct cal_session *s, struct cal_steps *steps);
    /* Whether steps can run here: -1 and err otherwise, told once, and the steps are left out.
     * NULL: always. */
    int (*ready)(struct cal_session *s, struct dcs_err *err);
    /* Does a step and writes its rows (cal_store_put), inside a transaction. -1 and err: the rows
     * are undone, the step is marked failed with that reason, and the next one is run. */
    int (*run)(struct cal_session *s, const struct cal_step *step, struct dcs_err *err);
    bool apart;     /* runs by its own name only: no part of `all`, a profile is whole without it */
    bool every_app; /* its steps are of the device, and every application needs what they tell */
};

/* Generated from the files; in the order of CMakeLists.txt, which is the order of `all`. */
extern const struct cal_measure *const cal_measures[];

extern const struct cal_measure cal_measure_overhead, cal_measure_transfers, cal_measure_solo,
    cal_measure_counters, cal_measure_sensitivity, cal_measure_sensitivity_requests,
    cal_measure_sensitivity_l2, cal_measure_pairs, cal_measure_pairs_test, cal_measure_pairs_sizes,
    cal_measure_pairs_sizes_test, cal_measure_pairs_any, cal_measure_pairs_any_test,
    cal_measure_oversubscription, cal_measure_live, cal_measure_live_partitions, cal_measure_fusion,
    cal_measure_revocation, cal_measure_noise, cal_measure_switch, cal_measure_shapes,
    cal_measure_launches, cal_measure_residency;

#endif
