/*
 * predictor_cpu.h - predictors of what requests take on a CPU, and at which IPC, by their size and
 * the cores and ways that they have: what EMU asks (Wang, thesis, section 5.4.1).
 *
 * Each service has models of its own. They are trained on runs of requests of drawn sizes alone
 * with random cores and ways. A synthetic profile has no runs; they are drawn from its law (cpu.h),
 * with the noise of the service. A fifth of the runs is for the test, as in that section.
 *
 * Models are kept as predictor_store.h says, the target kernel_ipc under the empty name of a
 * kernel; beside a method's name, "best" asks for each service and target the method with the
 * highest coefficient of determination on the test.
 */
#ifndef DCS_MODELS_PREDICTOR_CPU_H
#define DCS_MODELS_PREDICTOR_CPU_H

#include "models/cpu/cpu.h"
#include "models/predictor/predictor.h"

#define DCS_CPU_RUNS 1000 /* of a service */

/* DCS_CPU_RUNS runs; the first four fifths are to train on. target: request_duration, kernel_ipc.
 * mean_ns: of a request of mean size alone with everything. */
struct dcs_sample *dcs_cpu_runs(const struct dcs_cpu *cpu, const struct dcs_cpu_app *app,
                                double mean_ns, enum dcs_target target, uint64_t seed,
                                const char *name);
#define DCS_CPU_RUNS_TRAIN (DCS_CPU_RUNS * 4 / 5)

struct dcs_cpu_predictors;

/* method NULL: the best. As dcs_predictors_load(). */
struct dcs_cpu_predictors *dcs_cpu_predictors_load(const char *path, const char *profile,
                                                   const struct dcs_profile *p,
                                                   const struct dcs_method *method,
                                                   struct dcs_err *err);
void dcs_cpu_predictors_free(struct dcs_cpu_predictors *p); /* NULL is allowed */
const char *dcs_cpu_predictors_sha256(const struct dcs_cpu_predictors *p);

/* ns, or instructions per cycle of all threads; -1 where there is no model. */
double dcs_cpu_predictors_ask(const struct dcs_cpu_predictors *p, enum dcs_target target,
                              uint32_t app, int64_t size, uint32_t cores, uint32_t ways);

#endif
