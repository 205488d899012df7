/*
 * capacity_told.h - what the runs behind an answer of dcsim capacity warn of, each warning once,
 * with the values of the varied key at which it holds.
 */
#ifndef DCS_CAPACITY_TOLD_H
#define DCS_CAPACITY_TOLD_H

#include "runs/summary.h"
#include "text/buffer.h"

/* A warning, and the values where it holds, ascending. */
struct capacity_warning {
    char *text;
    double *values;
    size_t count, capacity;
    bool scope; /* it says what the answer is for, and stands beside it on the page, too */
};

/* Zero at first. */
struct capacity_told {
    struct capacity_warning *warnings; /* in the order in which they came up */
    size_t count, capacity, looks;
    /* Of the question. */
    const char *vary; /* NULL: not known */
    bool unfinished;  /* it has a bound on work that is not done */
};

/* What all runs of a value of the varied key warn of: guesses of the profile, a predictor that
 * cannot be built, overload, requests that nobody served, jobs that are in no run. */
void capacity_told_see(struct capacity_told *told, const struct summary *s, double value);
/* Prints a paragraph each on standard output. */
void capacity_told_print(const struct capacity_told *told);
/* Appends a line for each warning about what the answer is for. */
void capacity_told_append_scope(const struct capacity_told *told, struct text_buffer *out);
void capacity_told_release(struct capacity_told *told);

#endif
