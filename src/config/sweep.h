/*
 * sweep.h - the experiments that one config file asks for: the points of its section "sweep", or
 * the one experiment that a config without that section is.
 *
 * A point's config is the same, to the last byte of its canonical form, as that of a single run
 * with the axes' values given by hand: both name the same experiment and share its results.
 */
#ifndef DCS_SWEEP_H
#define DCS_SWEEP_H

#include "config/config.h"
#include "config/sweep_axes.h"

/* A sweep of more points than the first is confirmed by a person, or with --yes; one of as many as
 * the second with --yes alone. */
#define SWEEP_POINTS_ASK  100000
#define SWEEP_POINTS_MANY 1000000

struct sweep {
    const struct options_doc *doc; /* borrowed */
    struct plugins *plugins;       /* of --policy, or NULL; borrowed */
    struct sweep_axes axes;
    char hash[65]; /* of the keys and the points' configs; "": there is no sweep */
    char *name;    /* of the points' configs; of the first one where they differ */
};

/* How far the check of the points has come; NULL: nobody wants to know. */
typedef void sweep_tick(void *context, uint64_t done, uint64_t points);

/* Reads the axes. */
int sweep_open(struct sweep *s, const struct options_doc *doc, struct plugins *plugins,
               struct dcs_err *err);
/* Parses every point's config, so that no mistake shows after hours, and names the sweep. Two
 * points that are the same experiment are an error. */
int sweep_check(struct sweep *s, sweep_tick *tick, void *context, struct dcs_err *err);
void sweep_close(struct sweep *s);

/* The document and config of a point; the caller releases both. Not from two threads at a time. */
int sweep_config(const struct sweep *s, uint64_t point, struct options_doc **doc,
                 struct config *config, struct dcs_err *err);

/* "load=0.5, policy.name=elastic": the values of a point, keys as short as they can be told
 * apart. Empty without a sweep. Freed by the caller. */
char *sweep_label(const struct sweep *s, uint64_t point);
/* The same of one axis alone, in its value number `value`. */
char *sweep_axis_label(const struct sweep *s, size_t axis, size_t value);

#endif
