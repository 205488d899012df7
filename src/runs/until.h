/*
 * until.h - replications that are added until a metric is known well enough: section "until" of a
 * config.
 *
 * First `replications` of them are looked at, then until.batch more, and so on: each time all, from
 * the first on, in order. So when it stops depends neither on threads nor on what a database held
 * before.
 */
#ifndef DCS_UNTIL_H
#define DCS_UNTIL_H

#include "runs/metric_name.h"

struct until {
    bool on;
    struct metric_name metric;
    const struct config_until *config;
};

/* -1 and err: there is no such metric. */
int until_open(struct until *u, const struct experiment *x, const struct options_doc *doc,
               struct dcs_err *err);

/* Whether the runs of a summary are enough. */
bool until_reached(const struct until *u, const struct summary *s);

/* How many replications to look at, in all, after `replications` were not enough; the same number
 * where there may be no more. */
uint32_t until_next(const struct until *u, uint32_t replications);

#endif
