/*
 * pair_live.h - of `dcsim-calibrate pair --rate`: requests of one program arrive, beside another
 * one that serves back to back.
 */
#ifndef DCS_CALIBRATE_PAIR_LIVE_H
#define DCS_CALIBRATE_PAIR_LIVE_H

#include "calibrate/record/paired_programs.h"
#include "calibrate/store/profile_store.h"

struct pair_live_part {
    const char *name, *given; /* NAME; NAME or NAME@SIZE */
    int64_t size;
    int percent;
    double solo_ns;                      /* a request of it alone, in the mean */
    const struct cal_requests *requests; /* all that it ever answered */
};

/* A stretch in which they ran. */
struct pair_live {
    const char *half;
    double rate, seconds; /* a second; in which requests arrive */
    int64_t from_ns;      /* the first can arrive */
    struct cal_paired_window window;
    int64_t *moments; /* of arrivals, since from_ns */
    size_t arrived, begun;
};

/* Of the command line: NAME=RATE, and a number. -1 and err. */
int pair_live_take_rate(const char *text, double *rate, struct dcs_err *err);
int pair_live_take_seed(const char *text, uint64_t *seed, struct dcs_err *err);

/* Draws the arrivals. */
void pair_live_draw(struct pair_live *l, uint64_t seed);
/* Lets both run. clients: the service, the batch. -1 and err. */
int pair_live_run(struct pair_live *l, struct cal_paired_client *const clients[2],
                  const volatile sig_atomic_t *interrupted, struct dcs_err *err);
/* A row of `live`, with its requests that were answered; prints a line. parts: the service, the
 * batch. -1 and err; *few and no row: too little was answered, and err says of whom. */
int pair_live_put(const struct pair_live *l, struct cal_store *s,
                  const struct pair_live_part parts[2], bool *few, struct dcs_err *err);
void pair_live_release(struct pair_live *l);

#endif
