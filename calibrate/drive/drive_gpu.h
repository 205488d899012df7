/*
 * drive_gpu.h - how the host learns that a stream has come to a place (drive_gpu_ends.c): a word
 * that the stream writes into the host's memory, or an event that the host asks the driver for.
 */
#ifndef DCS_CALIBRATE_DRIVE_GPU_H
#define DCS_CALIBRATE_DRIVE_GPU_H

#include "calibrate/gpu/measured_gpu.h"

#define CAL_ENDS_LANES 64

struct cal_ends {
    struct cal_gpu *gpu;
    bool words;
    void *write;          /* the driver's function that writes a word */
    uint32_t *words_host; /* of each lane, a cache line apart; mapped */
    uint64_t words_device;
    uint32_t next; /* what the next one writes */
    cudaEvent_t events[CAL_ENDS_LANES];
};

struct cal_ends_mark {
    unsigned lane;
    uint32_t word;
};

/* by: "words", "events", or NULL: words, or events where the driver cannot write words. */
int cal_ends_open(struct cal_ends *e, struct cal_gpu *gpu, const char *by, struct dcs_err *err);
void cal_ends_close(struct cal_ends *e);
const char *cal_ends_name(const struct cal_ends *e);
/* Marks where the stream is now; one mark of a lane at a time. */
int cal_ends_mark(struct cal_ends *e, unsigned lane, cudaStream_t stream,
                  struct cal_ends_mark *mark, struct dcs_err *err);
/* 1: all that the stream had before the mark has ended; 0: not yet; -1 and err. */
int cal_ends_reached(struct cal_ends *e, const struct cal_ends_mark *mark, struct dcs_err *err);

/* `drive-ends`: what both ways cost, in a table. */
int cal_ends_compare(struct cal_gpu *gpu, const char *app, struct dcs_err *err);

#endif
