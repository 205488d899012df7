/*
 * predictor_store.h - trained predictors: kept in a file of their own, which names the profile that
 * they were trained on by its hash, and asked by the host of a policy.
 *
 * The file is an SQLite database (docs/profile.md, "Predictors"): table `predictors` says what they
 * were made of and by whom, table `predictor` has a row for each model. It is derived from the
 * measurements of the profile and can be made again at any time (`dcsim train`), so writing
 * replaces all of it. Predictors are never trained when they are loaded.
 *
 * A file of predictors is as untrusted as a profile, and read like one (profile_open.h).
 */
#ifndef DCS_MODELS_PREDICTOR_STORE_H
#define DCS_MODELS_PREDICTOR_STORE_H

#include "models/predictor/predictor.h"
#include "models/profile/profile.h"

/* ---- asking ---- */

struct dcs_predictors;

/* Those of one method. profile: the file that p was read from; p outlives the result. NULL and err
 * if there is no such file, it was made of another profile than p, has none of the method, or one
 * that is damaged or does not fit the measurements. */
struct dcs_predictors *dcs_predictors_load(const char *path, const char *profile,
                                           const struct dcs_profile *p,
                                           const struct dcs_method *method, struct dcs_err *err);
void dcs_predictors_free(struct dcs_predictors *p); /* NULL is allowed */

const char *dcs_predictors_sha256(const struct dcs_predictors *p); /* of the file's bytes */

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

/* What rows of DCS_SLOWDOWN have as their target, and the key of `predictors` that says which
 * applications they were not trained on (a line each: a name may hold spaces). */
#define DCS_SLOWDOWN_TARGET   "slowdown"
#define DCS_SLOWDOWN_HELD_OUT "slowdown_held_out"

struct dcs_predictor_row {
    enum dcs_target target;
    const char *app, *task; /* task: "" for requests */
    struct dcs_model model;
    size_t train_n, test_n;
    struct dcs_model_error error; /* if test_n > 0 */
};

struct dcs_predictors_about {
    const struct dcs_profile *profile; /* that they were trained on */
    int64_t seed;
    const char *build;    /* of the program that trained them */
    const char *held_out; /* of DCS_SLOWDOWN; NULL: there are none of that target */
};

/* Whether the file may be written: there is none, which *exists tells, or one of predictors, and
 * its folder takes files. -1 and err if not. */
int dcs_predictors_may_write(const char *path, bool *exists, struct dcs_err *err);

/* Writes a file of these rows, in place of the one of predictors that may be there. -1 and err on
 * failure, with all files as they were. */
int dcs_predictors_write(const char *path, const struct dcs_predictors_about *about,
                         const struct dcs_predictor_row *rows, size_t n, struct dcs_err *err);

/* ---- for the files of this module, and predictor_cpu.c ---- */

struct dcs_profile_source; /* profile_open.h */

/* Opens a file that has the tables. -1 and err on failure, with nothing to close. */
int dcs_predictors_open(struct dcs_profile_source *source, const char *path, struct dcs_err *err);

/* -1 and err unless they were made of p, which was read from the file `profile`. */
int dcs_predictors_check_profile(struct dcs_profile_source *source, const char *path,
                                 const char *profile, const struct dcs_profile *p,
                                 struct dcs_err *err);

/* What to do about predictors that do not serve: -1 and err. */
int dcs_predictors_train_again(struct dcs_err *err, const char *path, const char *profile,
                               const char *what);
int dcs_predictors_lack_method(struct dcs_err *err, const char *path, const char *profile,
                               const struct dcs_method *method);

#endif
