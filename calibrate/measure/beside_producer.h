/*
 * beside_producer.h - producers of pressure (producers.h) that are kept from step to step, and
 * something that runs while one of them presses.
 */
#ifndef DCS_CALIBRATE_BESIDE_PRODUCER_H
#define DCS_CALIBRATE_BESIDE_PRODUCER_H

#include "calibrate/gpu/measured_gpu.h"
#include "calibrate/gpu/producers.h"
#include "calibrate/measure/measure_corun.h"

#define CAL_FAMILIES_MAX 16
#define CAL_SLOWED       1.5 /* windows to what they take beside producers, on an H200 */

/* Levels that are measured first: 2, 5, 8, 11 of 12. */
bool cal_is_coarse(int level);
/* Families of bandwidth, of sectors, of traffic that hits in L2, of L2's capacity: one each. */
bool cal_is_main_family(int family);

/* The producer for a partition of so many SMs. It is made, and fills its memory, when it is first
 * asked for, and kept until one for other SMs is asked for. NULL and err. */
struct cal_producer *cal_kept_producer(int family, int level, int sms, struct dcs_err *err);

/* What a producer did while it ran. */
struct cal_pressure {
    int64_t ran_ns;
    double iterations;
};

/* Calls run(context, err) while the producer presses on the partition. -1 and err. */
int cal_beside_producer(struct cal_gpu *g, const struct cal_partition *other,
                        struct cal_producer *p, int (*run)(void *context, struct dcs_err *err),
                        void *context, struct cal_pressure *out, struct dcs_err *err);

/* The producer's side: what one of its iterations took in the mean, as one sample. Sets its traffic
 * in kind. clock_mhz: of the other side. */
struct cal_corun_row cal_producer_row(int family, int level, int sms, struct cal_producer *p,
                                      const struct cal_pressure *made, int clock_mhz,
                                      struct cal_corun_kind *kind);

#endif
