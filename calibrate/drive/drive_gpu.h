/*
 * drive_gpu.h - how the host learns that a stream has come to a place (drive_gpu_ends.c): a word
 * that the stream writes into the host's memory, or an event that the host asks the driver for.
 */
#ifndef DCS_CALIBRATE_DRIVE_GPU_H
#define DCS_CALIBRATE_DRIVE_GPU_H

#include "calibrate/app/app.h"
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

/* How a kernel is ended early (drive_gpu_stops.c). */
struct cal_stops {
    struct cal_gpu *gpu;
    struct cal_exiter *exiter; /* NULL: kernels look at no flag */
    cudaStream_t trapper;      /* NULL: nothing traps */
    int64_t trapped_ns;        /* when the context was to end; 0: it was not */
};

int cal_stops_open(struct cal_stops *s, struct cal_gpu *gpu, bool traps, bool exits,
                   struct dcs_err *err);
void cal_stops_close(struct cal_stops *s);
/* cal_exiter_enqueue(), or 0 and *number = 0. */
int cal_stops_enqueue(struct cal_stops *s, const char *app, const struct cal_plan *plan,
                      size_t kernel, cudaStream_t stream, uint32_t *number, struct dcs_err *err);
/* A kernel whose number is 0 goes to its end. A trap ends all that runs. */
int cal_stops_stop(struct cal_stops *s, uint32_t number, struct dcs_err *err);
/* 1: the context has ended; 0: not yet; -1 and err. */
int cal_stops_trapped(struct cal_stops *s, struct dcs_err *err);

/* `drive-ends`: what both ways cost, in a table. */
int cal_ends_compare(struct cal_gpu *gpu, const char *app, struct dcs_err *err);

#endif
