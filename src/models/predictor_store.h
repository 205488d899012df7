/*
 * predictor_store.h - trained predictors: kept in the table `predictor` of the profile that they
 * were trained on, and asked by the host of a policy.
 *
 * Predictors of a profile are derived from its measurements and can be made again at any time
 * (`dcsim train`), so writing replaces all that there are of the same method. They are never
 * trained when they are loaded.
 */
#ifndef DCS_MODELS_PREDICTOR_STORE_H
#define DCS_MODELS_PREDICTOR_STORE_H

#include "models/predictor.h"
#include "models/profile.h"

/* ---- asking ---- */

struct dcs_predictors;

/* Those of one method. p: the same file, as a simulation reads it; it outlives the result. NULL and
 * err if the profile has none, or one that is damaged or does not fit its measurements. */
struct dcs_predictors *dcs_predictors_load(const char *path, const struct dcs_profile *p,
                                           const struct dcs_method *method, struct dcs_err *err);
void dcs_predictors_free(struct dcs_predictors *p); /* NULL is allowed */

/* app: index in the profile's applications; size >= 1, in the application's unit; sms >= 1. All
 * return a number above 0, or -1 if nothing was measured that it could be predicted from. They
 * change nothing, so that threads may share a struct dcs_predictors. */
double dcs_predictors_request_ns(const struct dcs_predictors *p, uint32_t app, int64_t size,
                                 uint32_t sms);
/* target: one of the kernels'; position: in the request. */
double dcs_predictors_kernel(const struct dcs_predictors *p, enum dcs_target target, uint32_t app,
                             uint32_t position, int64_t size, uint32_t sms);

/* The size that requests have unless somebody says otherwise; 0: not known. */
int64_t dcs_predictors_default_size(const struct dcs_predictors *p, uint32_t app);

/* ---- writing ---- */

struct dcs_predictor_row {
    enum dcs_target target;
    const char *app, *task; /* task: "" for requests */
    struct dcs_model model;
    size_t train_n, test_n;
    struct dcs_model_error error; /* if test_n > 0 */
};

/* Writes the rows into the database at path, in one transaction: rows of these methods
 * (NULL-ended) that were there before are gone then, those of other methods stay. *replaced: how
 * many there were. -1 and err on failure, with the file as it was. */
int dcs_predictors_write(const char *path, const struct dcs_method *const *methods,
                         const struct dcs_predictor_row *rows, size_t n, int64_t seed,
                         int64_t *replaced, struct dcs_err *err);

#endif
