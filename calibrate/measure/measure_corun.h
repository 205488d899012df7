/* measure_corun.h - rows of kernels that ran together, for measure_sensitivity*.c,
 * beside_producer.c, measure_pairs.c and measure_pairs_sizes.c. */
#ifndef DCS_CALIBRATE_MEASURE_CORUN_H
#define DCS_CALIBRATE_MEASURE_CORUN_H

#include "calibrate/measure/corun.h"

#define CAL_CORUN_WINDOW_S 0.030 /* of each co-run, at least */

/* A side as it is stored. */
struct cal_corun_row {
    const char *application; /* or the family of a producer */
    int64_t size;            /* or its level */
    const char *kernel;
    int sms;
    struct cal_statistics alone, together;
};

struct cal_corun_kind {
    const char *kind, *mechanism;
    const char *half; /* NULL: neither */
    int64_t draw;     /* number of the drawing of a pair; 0 */
    int64_t overlap_ns;
    double dram_gbs, l2_gbs; /* of a producer; below 0: none */
};

/* The statistics of a side alone on its partition. */
int cal_corun_alone(struct cal_gpu *g, struct cal_corun_side *side, double window_s,
                    struct cal_statistics *out, struct dcs_err *err);
int cal_corun_store(struct cal_store *s, const struct cal_corun_kind *kind,
                    const struct cal_corun_row *rows, int count, struct dcs_err *err);
/* Real kernels: each alone on its part, then all together, and their rows (measure_pairs.c). Sets
 * overlap_ns of kind. */
int cal_corun_subjects(struct cal_session *s, struct cal_corun_kind *kind,
                       struct cal_subject *subjects, int count, const struct cal_partition *parts,
                       struct dcs_err *err);

#endif
