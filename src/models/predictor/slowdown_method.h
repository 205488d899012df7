/* slowdown_method.h - the models behind slowdown.h, for its own files. */
#ifndef DCS_MODELS_SLOWDOWN_METHOD_H
#define DCS_MODELS_SLOWDOWN_METHOD_H

#include "models/predictor/predictor_method.h"
#include "models/predictor/slowdown.h"

/* By enum dcs_slowdown_method. They have no train() and ask() of predictor_method.h. */
extern const struct dcs_method *const dcs_slowdown_models[DCS_SLOWDOWN_METHODS];
extern const struct dcs_method dcs_method_gpm;

struct dcs_slowdown dcs_slowdown_model_ask(enum dcs_slowdown_method by, const double *v,
                                           uint32_t sms, const struct dcs_events *own,
                                           const double pressure[DCS_PRESSURES]);

/* One that was never trained. */
void dcs_slowdown_model_invent(enum dcs_slowdown_method by, uint32_t sms, struct dcs_model *m);

/* train: which runs are trained on. */
void dcs_gpm_train(const struct dcs_slowdown_training *t, const bool *train, struct dcs_rng *rng,
                   struct dcs_numbers *out);
/* Two clusters that no kernel was put into. */
void dcs_gpm_invent(uint32_t sms, struct dcs_numbers *out);
/* The slow-down by scalability, at least 1. */
double dcs_gpm_ask(const double *v, uint32_t sms, const struct dcs_events *own);

#endif
