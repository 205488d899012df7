/*
 * conformance.h - what every policy must satisfy, checked by running it: for `dcsim check-policy`
 * and for the tests.
 *
 * Each trial below is made with each order of what happens at one instant (config:
 * scheduler.instant).
 *
 * TRUTH SCRAMBLE. A run is repeated with one difference: at an instant T the true work that is
 * left, of kernels that run and of kernels not begun (all of them, or a random share), is changed,
 * while everything that a real system could observe up to T stays. Every decision until the first
 * completion of a changed kernel, in either run, must be the same; or until the first completion
 * that differs, where kernels that share a device affect each other. A policy that fails has seen
 * the truth.
 *
 * REPEAT. The same run twice: every decision must be the same.
 *
 * FORGOTTEN. A run is repeated without its horizon, with the requests alone that had been issued by
 * then. Every request must be served, dropped or still under way; none may wait when nothing is
 * pending.
 *
 * NOSY. A run is repeated with the policy wrapped: at every callback everything is read and a timer
 * that does nothing is set. Every completion must be the same: looking changes nothing.
 */
#ifndef DCS_CONFORMANCE_H
#define DCS_CONFORMANCE_H

#include "experiment/experiment.h"

/* Runs a world given as JSON text under a policy (not owned) with its default options, or those
 * that the text's policy section gives. conformance_worlds.c has them. */
struct conformance_case {
    const char *name;
    const char *json;
    enum config_sharing_model devices; /* what they are */
};
extern const struct conformance_case conformance_cases[]; /* name NULL at the end */
/* Whether the policy makes sense there (policy.needs). */
bool conformance_fits(const struct conformance_case *c, const struct policy *policy);

struct conformance_report {
    uint64_t decisions; /* of the undisturbed runs */
    uint64_t completions;
    uint64_t stranded; /* requests that the policy never served */
    uint64_t instants; /* scrambles tried */
    uint64_t compared; /* decisions that lay between a scramble and the first changed completion */
    uint64_t scramble_fails; /* instants after which a decision differed */
    uint64_t nosy_fails;     /* 1 if looking changed a completion */
    uint64_t repeat_fails; /* 1 if the same run again decided differently: nothing else was tried */
    char detail[256];      /* the first difference */
};

/* -1 and err if the world could not be run, or the policy broke a rule. */
int conformance_check(const char *json, const struct policy *policy, uint64_t instants,
                      uint64_t seed, struct conformance_report *out, struct dcs_err *err);

#endif
