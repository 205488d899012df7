/*
 * profile_cache.h - profiles and trained predictors, each read once however many experiments use
 * them: the text of a large profile takes seconds to read, and the points of a sweep mostly share
 * it. All that were opened with one set of files therefore see the same bytes, whatever happens to
 * the file meanwhile.
 *
 * Safe for threads. What it returns is never changed and lives until profile_cache_free().
 */
#ifndef DCS_FILES_H
#define DCS_FILES_H

#include "models/cpu/cpu.h"
#include "models/predictor/predictor.h"
#include "models/predictor/predictor_cpu.h"
#include "models/profile/profile.h"
#include "models/gpu/spatial_load.h"

struct profile_cache; /* opaque */

struct profile_cache *profile_cache_new(void);
void profile_cache_free(struct profile_cache *f); /* NULL is allowed */

/* A profile. NULL and err if it cannot be read, which is not remembered. */
struct dcs_profile *profile_cache_profile(struct profile_cache *f, const char *path,
                                          struct dcs_err *err);
/* Requests of an application of other sizes than the default: all that were measured, and these
 * where they lie between measured ones. */
struct profile_cache_sized {
    char *app;
    int64_t *sizes;
    size_t count;
};
/* The same with what it says of devices that kernels share, and of requests of other sizes of some
 * applications. Who wants other ones gets a copy of its own: sizes in between are shapes more,
 * whose numbers results depend on. */
struct dcs_profile *profile_cache_spatial(struct profile_cache *f, const char *path,
                                          const struct profile_cache_sized *sized, size_t count,
                                          const struct dcs_spatial **spatial, struct dcs_err *err);

/* The same with what it says of a CPU. */
struct dcs_profile *profile_cache_cpu(struct profile_cache *f, const char *path,
                                      const struct dcs_cpu **cpu, struct dcs_err *err);

/* Predictors of a profile that `f` gave and that lies in profile_path. NULL and err likewise. */
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

#endif
