/*
 * inputs.h - how large the inputs of a service's or batch application's requests are.
 *
 * A config says it as a text:
 *
 *     default                 the application's default size
 *     uniform                 any size from the smallest to the largest that was measured, each as
 *                             likely as any other
 *     log_uniform             the same of the size's logarithm
 *     uniform 16-256          from one size to another (log_uniform likewise)
 *     16,64,256               these sizes, each as likely as any other; between measured ones too
 *
 * Of a range the measured sizes are what is drawn: a draw becomes the nearest of them (by its
 * logarithm for log_uniform), so that nothing is interpolated that need not be. A range begins and
 * ends with a measured size.
 *
 * The size of a request is a pure function of (seed, replication, job, request), so every policy
 * meets the same ones.
 */
#ifndef DCS_MODELS_INPUTS_H
#define DCS_MODELS_INPUTS_H

#include "models/workload/apps.h"

enum dcs_input_kind { DCS_INPUT_DEFAULT, DCS_INPUT_UNIFORM, DCS_INPUT_LOG_UNIFORM, DCS_INPUT_LIST };

#define DCS_INPUT_SIZES_MAX 400

struct dcs_input_spec {
    enum dcs_input_kind kind;
    int64_t from, to; /* ranges: the sizes between which to draw; 0: as far as was measured */
    int64_t *sizes;   /* DCS_INPUT_LIST: as given, each >= 1 and once */
    size_t count;
};

/* -1 and err (its text) if it says none of the above. The caller releases. */
int dcs_input_parse(struct dcs_input_spec *out, const char *text, struct dcs_err *err);
void dcs_input_spec_release(struct dcs_input_spec *spec);

/* One size that a request may have. */
struct dcs_input_size {
    int64_t size;
    uint32_t form; /* what a request of that size is made of: an index of applications */
    double share;  /* of the requests */
    double until;  /* of the sizes up to this one */
};

struct dcs_input {
    uint32_t app;
    struct dcs_input_size *sizes; /* ascending */
    size_t count;
};

/* Fills in->sizes from what was measured (ascending, at least one): sizes and shares, not forms.
 * Not for DCS_INPUT_DEFAULT. -1 and err (its text), with nothing to release, if nothing measured
 * lies in the range. */
int dcs_input_init(struct dcs_input *in, const struct dcs_input_spec *spec, const int64_t *measured,
                   size_t count, struct dcs_err *err);
void dcs_input_release(struct dcs_input *in);

/* Which of in->sizes a request has. */
const struct dcs_input_size *dcs_input_draw(const struct dcs_input *in,
                                            const struct dcs_draw *draw);

#endif
