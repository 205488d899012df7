/*
 * contended_kernels.h - how long each kernel of a recorded program takes in a stretch of time, by
 * the kernels that the profile has of the whole device. Knows no GPU.
 */
#ifndef DCS_CALIBRATE_CONTENDED_KERNELS_H
#define DCS_CALIBRATE_CONTENDED_KERNELS_H

#include "calibrate/record/recorded_sequence.h"
#include "calibrate/store/profile_store.h"

struct cal_known_kernel {
    char *name;
    bool is_kernel; /* and no copy */
    size_t places;
};

/* The sequence of a recorded program's requests of one size, on the whole device. */
struct cal_known_program {
    struct cal_sequence sequence; /* its places alone */
    size_t places_capacity;
    size_t *of; /* by place: its kernel */
    size_t of_capacity;
    struct cal_known_kernel *kernels;
    size_t count, capacity;
};

/* Of the profile at `path`. -1 and err: it has no such program of that size. Released in any case.
 */
int cal_known_read(struct cal_known_program *p, struct cal_store *s, const char *path,
                   const char *application, int64_t size, struct dcs_err *err);
void cal_known_release(struct cal_known_program *p);

/* By kernel one sample a request: the mean over its places. */
struct cal_contended {
    struct cal_samples *kernels; /* as many as the program has */
    double requests_ns, busy_ns; /* sums: of the requests, and of the kernels in them */
    size_t requests;
};

struct cal_contended cal_contended_make(const struct cal_known_program *p);
void cal_contended_release(struct cal_contended *c, const struct cal_known_program *p);

/* Adds the requests that begin and end in a stretch, but for the first quarter of them and those of
 * another sequence than most. Returns how many that are. */
size_t cal_contended_add(struct cal_contended *c, const struct cal_known_program *p,
                         const struct cal_requests *all, int64_t begin_ns, int64_t end_ns);

#endif
