/*
 * profile_cache.h - profiles and trained predictors, each read once however many experiments use
 * it, and peak rates, each found once. The text of a large profile takes seconds to read, and the
 * points of a sweep mostly share it. All experiments that are opened with one cache see the same
 * bytes, whatever happens to the files meanwhile.
 *
 * Safe for threads. What the cache returns is never changed, and lives until profile_cache_free().
 */
#ifndef DCS_PROFILE_CACHE_H
#define DCS_PROFILE_CACHE_H

#include "models/cpu/cpu.h"
#include "models/divisible/divisible.h"
#include "models/sm/sm.h"
#include "models/predictor/predictor.h"
#include "models/predictor/predictor_cpu.h"
#include "models/predictor/slowdown.h"
#include "models/profile/profile.h"
#include "models/gpu/spatial_load.h"

struct profile_cache; /* opaque */

struct profile_cache *profile_cache_new(void);
void profile_cache_free(struct profile_cache *f); /* NULL is allowed */

/* A profile. NULL and err if it cannot be read, which is not remembered. */
struct dcs_profile *profile_cache_profile(struct profile_cache *f, const char *path,
                                          struct dcs_err *err);
/* An application whose requests have other sizes than the default: it is loaded with all measured
 * sizes, and with those of `sizes` that lie between two measured ones. */
struct profile_cache_sized {
    char *app;
    int64_t *sizes;
    size_t count;
};
/* The same with what it says of kernels that share the device, and of the applications `sized`. Who
 * asks for another list of applications and sizes gets another copy: each size between two measured
 * ones adds shapes, and results depend on the numbers of shapes. */
struct dcs_profile *profile_cache_spatial(struct profile_cache *f, const char *path,
                                          const struct profile_cache_sized *sized, size_t count,
                                          const struct dcs_spatial **spatial, struct dcs_err *err);

/* The same with what it says of a CPU. */
struct dcs_profile *profile_cache_cpu(struct profile_cache *f, const char *path,
                                      const struct dcs_cpu **cpu, struct dcs_err *err);

/* The same with what it says of kernels inside SMs. */
struct dcs_profile *profile_cache_sm(struct profile_cache *f, const char *path,
                                     const struct dcs_sm **sm, struct dcs_err *err);

/* The same with what it says of divisible work. */
struct dcs_profile *profile_cache_divisible(struct profile_cache *f, const char *path,
                                            const struct dcs_divisible **divisible,
                                            struct dcs_err *err);

/* Predictors of a profile that `f` gave, which lies in profile_path. NULL and err if they cannot be
 * read. */
const struct dcs_predictors *profile_cache_predictors(struct profile_cache *f, const char *path,
                                                      const char *profile_path,
                                                      const struct dcs_profile *profile,
                                                      const struct dcs_method *method,
                                                      struct dcs_err *err);
/* Likewise of the profile of a CPU. */
const struct dcs_cpu_predictors *
profile_cache_cpu_predictors(struct profile_cache *f, const char *path, const char *profile_path,
                             const struct dcs_profile *profile, const struct dcs_method *method,
                             struct dcs_err *err);

/* Who says how much kernels of a profile are slowed, which `f` gave with `spatial`; path NULL: a
 * network of random weights. */
const struct dcs_slowdowns *profile_cache_slowdowns(struct profile_cache *f, const char *path,
                                                    const char *profile_path,
                                                    const struct dcs_profile *profile,
                                                    const struct dcs_spatial *spatial,
                                                    struct dcs_err *err);

/* A number that was found before and kept under that key, which says all that it follows from;
 * objects that `f` gave may stand in it as pointers. False: there is none. */
bool profile_cache_find(struct profile_cache *f, const char *key, double *out);
void profile_cache_keep(struct profile_cache *f, const char *key, double value);

#endif
