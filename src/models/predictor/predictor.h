/*
 * predictor.h - learns from samples how long something takes (or how much traffic or how many
 * instructions per cycle it has) and answers for inputs that were never measured.
 *
 * METHODS. One row each in methods.c: linear regression, k nearest neighbours, a regression tree
 * (CART), and a small neural network that also sees how many operations the work has (NN+C). The
 * paper that compares the first three and the fourth: C-Laius, section 5.3. All learn the logarithm
 * of the target, so that an error counts relative to the value, as in its equation 2. Answers, and
 * the errors of a test, are of the plain value.
 *
 * A MODEL is a list of numbers, and so is its text form: decimal, separated by spaces, nine
 * significant digits. It is rounded to them when it has been trained, so the model that was tested
 * is bit for bit the one that a reader gets. Text is untrusted: it is checked before it is asked.
 *
 * DETERMINISM. The same samples in the same order and the same seed give the same bits with every
 * compiler: sums run in the order of the samples, the small linear systems are solved here (a
 * library of the distribution may be built with other flags), exp and log are those of fmath.h.
 */
#ifndef DCS_MODELS_PREDICTOR_H
#define DCS_MODELS_PREDICTOR_H

#include "des/base.h"
#include "des/rng.h"

/* What is predicted, of something that runs alone but for the last. */
enum dcs_target {
    DCS_REQUEST_DURATION, /* ns, launch gaps included */
    DCS_KERNEL_DURATION,  /* ns */
    DCS_KERNEL_BANDWIDTH, /* device memory read and written, bytes per second */
    DCS_KERNEL_IPC,       /* instructions of the whole device per cycle */
    DCS_TARGETS,
    DCS_SLOWDOWN =
        DCS_TARGETS, /* of what runs with others: slowdown.h, which none of METHODS has */
};
extern const char *const dcs_target_names[DCS_TARGETS + 1]; /* "request_duration"; NULL-ended */

/* What a prediction may depend on (C-Laius, table 1). All >= 0; what is not known, or does not
 * apply, is 0. */
enum dcs_feature {
    DCS_BY_SIZE, /* of the request, in the application's unit */
    DCS_BY_SMS,
    DCS_BY_BLOCKS,
    DCS_BY_WAYS = DCS_BY_BLOCKS,      /* of a CPU, which has no blocks; its cores stand for SMs */
    DCS_BY_THREADS,                   /* per block */
    DCS_BY_SHARED,                    /* bytes of shared memory per block */
    DCS_FEATURES,                     /* the others have these ... */
    DCS_BY_COMPLEXITY = DCS_FEATURES, /* ... the network has this as well: number of operations */
    DCS_FEATURES_MAX,
};

struct dcs_sample {
    double x[DCS_FEATURES_MAX];
    double y; /* > 0 */
};

struct dcs_method; /* predictor_method.h */
const char *dcs_method_name(const struct dcs_method *m);
const char *dcs_method_summary(const struct dcs_method *m);

struct dcs_model {
    const struct dcs_method *method;
    double *v;
    size_t n;
};

/* n >= 1. The generator is drawn from by methods that begin somewhere at random. */
void dcs_model_train(struct dcs_model *m, const struct dcs_method *method,
                     const struct dcs_sample *samples, size_t n, struct dcs_rng *rng);
void dcs_model_release(struct dcs_model *m);

/* > 0 and finite for every x >= 0. x has DCS_FEATURES_MAX values. */
double dcs_model_ask(const struct dcs_model *m, const double *x);

char *dcs_model_print(const struct dcs_model *m); /* freed by the caller */
/* -1 and err (its text) if this is no model of that method; nothing is left to release then. */
int dcs_model_parse(struct dcs_model *m, const struct dcs_method *method, const char *text,
                    struct dcs_err *err);

/* Relative errors |predicted - measured| / measured (equation 2): their mean and their 95th
 * percentile (the smallest error that 95 % of the samples do not exceed). n >= 1. */
struct dcs_model_error {
    double mean, p95;
    double r2; /* coefficient of determination, at most 1; 0 if all samples are equal */
};
struct dcs_model_error dcs_model_test(const struct dcs_model *m, const struct dcs_sample *samples,
                                      size_t n);

/* Splits samples of one application into those to train on, which move to the front, and those to
 * test on; returns how many are to train on. A fifth of the sizes (rounded, with all their samples)
 * is for the test, none where there are fewer than five. Which ones is a pure function of seed,
 * application and the sizes; the order within each part stays. */
#define DCS_SPLIT_SIZES_MIN 5
size_t dcs_split(struct dcs_sample *samples, size_t n, uint64_t seed, const char *app);

/* A number for a text, to name a stream of random numbers with. */
uint64_t dcs_text_hash(const char *text);

#endif
