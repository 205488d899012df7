/* run_names.h - what a summary calls the applications and devices of an experiment. */
#ifndef DCS_REPORT_RUN_NAMES_H
#define DCS_REPORT_RUN_NAMES_H

#include "experiment/experiment.h"

#include "text/table.h"

/* An application's name as a summary has it, cut so that it differs from those that begin alike. */
struct text report_app_name(const struct experiment *x, uint32_t app);
/* "2 domains x 4 devices (quadro-p1000)"; neighbours that are alike together. */
void report_append_cluster(struct text_buffer *out, const struct experiment *x);

#endif
