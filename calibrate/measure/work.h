/*
 * work.h - an application made ready on the device, and timing its requests and kernels.
 *
 * Times are the device's own, between events. A request is timed as an application runs it: the
 * host enqueues while the device works. A kernel is timed inside its request, with events around
 * it, behind a gate that lets the host run ahead; what two events add is measured by `overhead`
 * and is not taken off. The L2 cache is warm in both: it holds what the work before left there.
 */
#ifndef DCS_CALIBRATE_WORK_H
#define DCS_CALIBRATE_WORK_H

#include "calibrate/app/app.h"
#include "calibrate/gpu/measured_gpu.h"
#include "calibrate/measure/measurement.h"

/* Kernels of a request that are equal. */
struct cal_shape {
    size_t first; /* its first kernel in the plan */
    size_t count; /* how many kernels have it */
};

struct cal_work {
    const struct cal_app *app;
    int64_t size;
    int sms; /* that the plan was made for */
    void *state;
    struct cal_plan plan;
    struct cal_shape *shapes;
    size_t shapes_count;
    size_t *shape_of;     /* of each kernel of the plan */
    int64_t memory_bytes; /* of the device, that the state took */
    cudaEvent_t *events;
    size_t events_count;
};

/* Makes the state and the plan for all SMs of the device. */
int cal_work_open(struct cal_gpu *g, const struct cal_app *app, int64_t size, uint64_t seed,
                  struct cal_work *w, struct dcs_err *err);
/* Makes the plan anew for so many SMs; shapes are the same for any number. */
int cal_work_plan(struct cal_gpu *g, struct cal_work *w, int sms, struct dcs_err *err);
void cal_work_close(struct cal_gpu *g, struct cal_work *w);

/* Enqueues a request. */
int cal_work_enqueue(struct cal_gpu *g, const struct cal_work *w, cudaStream_t stream,
                     struct dcs_err *err);
/* Runs a request and waits; *ns by events around it. */
int cal_work_time_request(struct cal_gpu *g, struct cal_work *w, cudaStream_t stream, int64_t *ns,
                          struct dcs_err *err);
/* Runs a request and times one kernel of each shape: of those that are equal the one whose turn it
 * is. ns has shapes_count elements. */
int cal_work_time_kernels(struct cal_gpu *g, struct cal_work *w, cudaStream_t stream, size_t turn,
                          int64_t *ns, struct dcs_err *err);
/* Times `times` launches, one after the other, of a repeatable kernel alone; ns is of one. */
int cal_work_time_alone(struct cal_gpu *g, struct cal_work *w, size_t shape, int times,
                        cudaStream_t stream, int64_t *ns, struct dcs_err *err);

/* "compute", "library", "to_device", "from_device", as in the table kernel_shape. */
const char *cal_kind_name(enum cal_kind kind);
/* Commands that cal_enqueue puts on the stream for it, as far as the plan knows; at least 1. */
uint32_t cal_kernel_launches(const struct cal_kernel *k);
const struct cal_app *cal_find_app(const char *name); /* NULL: none */

/* Sizes that are measured of an application: cal_sizes with as many as its role asks for. */
size_t cal_app_sizes(const struct cal_app *app, int64_t **sizes);
/* Whether kernels are timed at the index-th of them: at every fifth, the default one first, and at
 * the smallest and the largest, which come next. */
#define CAL_KERNEL_ENDS 3
bool cal_size_has_kernels(size_t index);
/* Seconds that a request takes alone on the whole device: from the measured one of size_default,
 * in proportion to the size; a guess before that. */
double cal_request_seconds(const struct cal_session *s, const struct cal_app *app, int64_t size);

#endif
