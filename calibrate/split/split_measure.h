/*
 * split_measure.h - the two measurements of `dcsim-calibrate split`: chunks on each side (tables
 * split_program, split_time), and requests that policies divide (split_run).
 *
 * Keys of steps: split/PROGRAM/SIZE/gpu, split/PROGRAM/SIZE/cpu/THREADS,
 * split/PROGRAM/SIZE/beside/THREADS; split-run/PROGRAM/SIZE/THREADS/POLICY+POLICY..., and of
 * several rounds /ROUND-of-ROUNDS, from 0. They are in the order of sizes, the thesis's first; a
 * round has all of them. Turn t of round r is turn t * rounds + r of table split_run.
 */
#ifndef DCS_CALIBRATE_SPLIT_MEASURE_H
#define DCS_CALIBRATE_SPLIT_MEASURE_H

#include "calibrate/measure/measurement.h"
#include "calibrate/split/split_bench.h"

#define CAL_SPLIT_LIST_MAX 16

struct policy;

struct cal_split_session {
    struct cal_split_bench bench;
    const char *source; /* of rows: who measured */
    int sms;            /* of the GPU */
    uint32_t threads[CAL_SPLIT_LIST_MAX];
    size_t threads_count;
    /* Of requests: */
    const struct policy *policies[CAL_SPLIT_LIST_MAX];
    void *options[CAL_SPLIT_LIST_MAX];
    size_t policies_count;
    const char *set; /* what they were set to, or NULL */
    int turns, rounds;
};

extern const struct cal_measure cal_split_chunks, cal_split_requests;

/* Whether steps of cal_split_requests that are not done would replace turns of a policy that other
 * steps have put into the store: with another list of policies, or another number of rounds. -1 and
 * err then. */
int cal_split_refuse_repeated(const struct cal_session *s, const struct cal_steps *steps,
                              struct dcs_err *err);

/* Prints the speed of the GPU over that of the CPU by the share of a pass that it is given (figure
 * 4-1 of the thesis), and of the requests the time and the GPU's share. */
int cal_split_print(struct cal_store *store, FILE *out, struct dcs_err *err);

#endif
