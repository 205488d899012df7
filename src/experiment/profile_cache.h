/*
 * profile_cache.h - profiles and trained predictors, each read once however many experiments use
 * them: the text of a large profile takes seconds to read, and the points of a sweep mostly share
 * it. All that were opened with one set of files therefore see the same bytes, whatever happens to
 * the file meanwhile.
 *
 * Safe for threads. What it returns is never changed and lives until files_free().
 */
#ifndef DCS_FILES_H
#define DCS_FILES_H

#include "models/cpu/cpu.h"
#include "models/predictor/predictor.h"
#include "models/predictor/predictor_cpu.h"
#include "models/profile/profile.h"
#include "models/gpu/spatial.h"

struct files; /* opaque */

struct files *files_new(void);
void files_free(struct files *f); /* NULL is allowed */

/* A profile. NULL and err if it cannot be read, which is not remembered. */
struct dcs_profile *files_profile(struct files *f, const char *path, struct dcs_err *err);
/* Requests of an application of other sizes than the default: all that were measured, and these
 * where they lie between measured ones. */
struct files_sized {
    char *app;
    int64_t *sizes;
    size_t count;
};
/* The same with what it says of devices that kernels share, and of requests of other sizes of some
 * applications. Who wants other ones gets a copy of its own: sizes in between are shapes more,
 * whose numbers results depend on. */
struct dcs_profile *files_spatial(struct files *f, const char *path,
                                  const struct files_sized *sized, size_t count,
                                  const struct dcs_spatial **spatial, struct dcs_err *err);

/* The same with what it says of a CPU. */
struct dcs_profile *files_cpu(struct files *f, const char *path, struct dcs_cpu **cpu,
                              struct dcs_err *err);

/* Predictors of a profile that `f` gave and that lies in profile_path. NULL and err likewise. */
struct dcs_predictors *files_predictors(struct files *f, const char *path, const char *profile_path,
                                        const struct dcs_profile *profile,
                                        const struct dcs_method *method, struct dcs_err *err);
/* Likewise of the profile of a CPU. */
struct dcs_cpu_predictors *files_cpu_predictors(struct files *f, const char *path,
                                                const char *profile_path,
                                                const struct dcs_profile *profile,
                                                const struct dcs_method *method,
                                                struct dcs_err *err);

#endif
