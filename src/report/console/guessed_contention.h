/*
 * guessed_contention.h - of several experiments together: how much of each application's contention
 * was measured, is guessed and is not known; a line for each that is not wholly measured. What is
 * said does not hang on the order in which experiments are added.
 */
#ifndef DCS_REPORT_GUESSED_CONTENTION_H
#define DCS_REPORT_GUESSED_CONTENTION_H

#include "experiment/experiment.h"

#include <stdio.h>

struct guessed_share {
    char *application, *profile;
    int percent[3]; /* by enum dcs_contention_origin */
};

struct guessed_contention {
    struct guessed_share *shares; /* an application of a profile once: as it is measured least */
    size_t count, capacity;
    unsigned unnamed; /* applications that texts of a database only count */
};

void guessed_contention_add(struct guessed_contention *g, const struct experiment *x);
/* The same from what experiment_assumptions() said of a profile, as a database holds it: a text
 * that is untrusted. */
void guessed_contention_add_text(struct guessed_contention *g, const char *profile,
                                 const char *assumptions);
/* Those of which least was measured first, and no more than a person reads; nothing if there are
 * none. */
void guessed_contention_print(FILE *out, struct guessed_contention *g);
void guessed_contention_release(struct guessed_contention *g);

#endif
