/*
 * switch.h - two kernels of a chain, one after the other, and the time from the end of the first to
 * the begin of the second: what it costs that the second has other SMs than the first.
 *
 * Each kernel fills its SMs with a block each. Blocks note the device's globaltimer, ns, which all
 * contexts and processes share, when they begin and before they end: a kernel's begin is that of
 * its first block, its end that of its last, and what it takes to be really over is part of the
 * time between. Blocks write a number that the next kernel of the chain looks for, so that it is
 * known that the second kernel sees what the first one wrote.
 */
#ifndef DCS_CALIBRATE_SWITCH_H
#define DCS_CALIBRATE_SWITCH_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cal_gpu;
struct dcs_err;

#define CAL_SWITCH_SAMPLES  300 /* that count */
#define CAL_SWITCH_WARMUPS  20  /* before them */
#define CAL_SWITCH_ALL      (CAL_SWITCH_SAMPLES + CAL_SWITCH_WARMUPS)
#define CAL_SWITCH_FIRST_NS 60000 /* a kernel's length: the host waits for its end by then */
#define CAL_SWITCH_BLOCKS   1024  /* of a kernel, at most */

/* The moments of CAL_SWITCH_ALL pairs of kernels, and the memory that they share. */
struct cal_switch;

/* NULL and err on failure. */
struct cal_switch *cal_switch_create(struct dcs_err *err);
void cal_switch_destroy(struct cal_switch *s); /* NULL is allowed */

/* One kernel of pair `sample`, on as many SMs as it has blocks; `chained`: it looks for what the
 * kernel before it in the chain, of so many blocks, wrote; 0: it does not look. */
int cal_switch_launch(struct cal_switch *s, bool second, int sample, unsigned blocks,
                      unsigned chained, cudaStream_t stream, struct dcs_err *err);
/* The moments of all pairs; those of a kernel that was not launched are 0. Kernels must be over.
 * *wrong: blocks that did not find what they looked for. */
int cal_switch_read(const struct cal_switch *s, int64_t *first_end_ns, int64_t *second_begin_ns,
                    int64_t *wrong, struct dcs_err *err);
/* The least step of the timer that was seen, ns. */
int cal_switch_tick(struct cal_switch *s, cudaStream_t stream, int64_t *tick_ns,
                    struct dcs_err *err);

/* Another process's memory in place of its own, by CUDA's handle. */
int cal_switch_export(const struct cal_switch *s, cudaIpcMemHandle_t *handle, struct dcs_err *err);
int cal_switch_import(struct cal_switch *s, const cudaIpcMemHandle_t *handle, struct dcs_err *err);

/* How the second kernel of a process comes after the first. */
enum cal_switch_way {
    CAL_SWITCH_QUEUED, /* both are enqueued; in another stream it waits for an event */
    CAL_SWITCH_HOST,   /* the host waits for the end of the first and launches the second */
};

/* All pairs in this process; gaps_ns has CAL_SWITCH_SAMPLES elements, below 0 never. The two
 * streams may be the same. */
struct cal_switch_pair {
    cudaStream_t streams[2];
    unsigned blocks[2]; /* SMs of each */
    enum cal_switch_way way;
};
int cal_switch_run(struct cal_gpu *g, const struct cal_switch_pair *p, int64_t *gaps_ns,
                   int64_t *tick_ns, struct dcs_err *err);
/* Between moments of the two kernels of each pair but the warm-ups. -1 and err: one is missing, or
 * the second began before the first had ended. */
int cal_switch_gaps(const int64_t *first_end_ns, const int64_t *second_begin_ns, int64_t tick_ns,
                    int64_t *gaps_ns, struct dcs_err *err);
/* Before each pair, so that what a host does by the clock does not always fall on the same place.
 */
void cal_switch_pause(int sample);

#ifdef __cplusplus
}
#endif
#endif
