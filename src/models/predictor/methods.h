/* methods.h - the methods of prediction, by name. */
#ifndef DCS_MODELS_METHODS_H
#define DCS_MODELS_METHODS_H

#include "models/predictor/predictor.h"

/* The methods for GPUs, and those that are tried on CPUs; both NULL-ended. */
extern const struct dcs_method *const dcs_methods[];
extern const struct dcs_method *const dcs_methods_cpu[];

/* A method of either list; NULL: there is none of that name. */
const struct dcs_method *dcs_method_named(const char *name);

#endif
