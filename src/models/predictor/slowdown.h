/*
 * slowdown.h - predictors of how much a kernel is slowed by fewer SMs and by what runs beside it:
 * the network of Themis (slowdown_net.h) and its rival GPM, trained on co-runs with producers of
 * pressure alone, kept in the file of predictors (predictor_store.h) as rows of target `slowdown`.
 *
 * THEMIS. Inputs (equation 7) are the SMs of the kernel, its eight statistics of table I
 * (slowdown_events.h), and the sum of the pressures of what runs beside it. `beside`: the
 * statistics are over the times that kernels take together, as the paper reads them. The paper
 * trains on two producers of pressure, a profile here has eight. `alone`: over
 * the times alone on the same SMs, for a prediction before anything has run together.
 *
 * GPM (G. Wu and others, "GPGPU performance and power estimation using machine learning", HPCA
 * 2015): the slow-down by scalability alone. Kernels of the training are put into 8 clusters by
 * their curves over SMs (k-means of logarithms), and a kernel has the mean curve of the cluster
 * whose mean statistics are the nearest to its own. Statistics are for each SM there, alone on the
 * whole device; the paper's classifier is a network.
 *
 * HELD OUT. Kernels of applications that are held out are never trained on; the error that is kept
 * with a model is that on their co-runs with producers.
 */
#ifndef DCS_MODELS_SLOWDOWN_H
#define DCS_MODELS_SLOWDOWN_H

#include "models/predictor/predictor_store.h"
#include "models/predictor/slowdown_events.h"

enum dcs_slowdown_method {
    DCS_SLOWDOWN_BESIDE, /* Themis, statistics of kernels together */
    DCS_SLOWDOWN_ALONE,  /* Themis, statistics of each alone */
    DCS_SLOWDOWN_GPM,
    DCS_SLOWDOWN_METHODS,
};
extern const char *const dcs_slowdown_names[DCS_SLOWDOWN_METHODS + 1]; /* NULL-ended */

/* Both at least 1. */
struct dcs_slowdown {
    double scal, inter;
};

/* ---- Asking ---- */

struct dcs_slowdowns;

/* Of the file of predictors at `path`, made of the profile at `profile`, which p and s are of; s
 * outlives the result. NULL and err on failure, also where it has none. */
struct dcs_slowdowns *dcs_slowdowns_load(const char *path, const char *profile,
                                         const struct dcs_profile *p, const struct dcs_spatial *s,
                                         struct dcs_err *err);
/* The same of random weights and two made-up curves, from no file: a control that knows nothing.
 * Its answers depend on the counters. What a profile did not count is 0 there. */
struct dcs_slowdowns *dcs_slowdowns_untrained(const char *profile, const struct dcs_profile *p,
                                              const struct dcs_spatial *s, struct dcs_err *err);
void dcs_slowdowns_free(struct dcs_slowdowns *d);                /* NULL is allowed */
const char *dcs_slowdowns_sha256(const struct dcs_slowdowns *d); /* of the file's bytes */

/* What the counters say of a kernel that takes so long. */
bool dcs_slowdowns_events(const struct dcs_slowdowns *d, uint32_t shape, double ns,
                          struct dcs_events *out);
/* Whether an application was held out of the training. */
bool dcs_slowdowns_held_out(const struct dcs_slowdowns *d, const char *app);

/* pressure: the sum over what runs beside it. Of GPM inter is 1. */
struct dcs_slowdown dcs_slowdowns_ask(const struct dcs_slowdowns *d, enum dcs_slowdown_method by,
                                      uint32_t sms, const struct dcs_events *own,
                                      const double pressure[DCS_PRESSURES]);

/* What a kernel of a set has. */
struct dcs_slowdown_party {
    uint32_t sms;
    struct dcs_events alone; /* on these SMs */
};
#define DCS_SLOWDOWN_PARTIES_MAX 8

/* DCS_SLOWDOWN_ALONE for kernels that are to run together. What each presses with is what it does
 * alone over its own slow-down by interference, so the answers are a fixed point, in a fixed number
 * of steps from none. n <= DCS_SLOWDOWN_PARTIES_MAX. */
void dcs_slowdowns_together(const struct dcs_slowdowns *d, const struct dcs_slowdown_party *set,
                            size_t n, struct dcs_slowdown *out);

/* ---- Training ---- */

struct dcs_slowdown_training {
    const struct dcs_spatial *spatial;
    const struct dcs_event_counts *counts;
    const struct dcs_producer_run *runs; /* at least one of an application that is not held out */
    size_t n;
    const bool *held_out; /* by application of the profile, which are those of spatial */
    uint64_t seed;
};

/* Fills a row for each method. */
void dcs_slowdowns_train(const struct dcs_slowdown_training *t,
                         struct dcs_predictor_row rows[DCS_SLOWDOWN_METHODS]);

#endif
