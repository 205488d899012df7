/*
 * recorded_sequence.h - the requests of a recording as one sequence of kernels and copies: the
 * application that a profile gets. Knows no GPU.
 *
 * REQUESTS. The first quarter is warm-up and left out (one at least, if there are several), or all
 * but the last N that are asked for. Of the rest those count that consist of the most common
 * sequence of functions and kinds of copies; grids and bytes may differ between them. The sequence
 * is in the order of the host's launches.
 *
 * TIMES. A kernel's time is the median over the requests of the device's time at its place. The
 * host's times are means over the middle fifth of the requests, by how long a request took: so they
 * add up to the median request, which sums of medians do not where times have a long tail.
 * Percentages of requests are of those that count.
 *
 * THE HOST'S PART. Each place has a moment from which the device could begin it: the host's launch
 * call, and what a launch takes until the device begins when it is idle (as seen in the request, or
 * else the median over the places that found the device idle). host_gap_ns is from that of the
 * place before (of the first: from the request's begin) to that of this one, without the time in
 * which the host waited for the device. Where the host waits for the place before, wait_gap_ns is
 * from the end of that to the moment of this one. So alone a place begins at
 *
 *   max(end of the place before, moment),
 *   moment = max(moment before + host_gap, end of the place before + wait_gap if it waits).
 *
 * Where the host's calls were not recorded a place's moment is when it began: then the host is
 * taken to be as late as it can have been. A kernel that is slowed hides behind that, and with
 * kernels that are faster than when they were recorded the host would be too slow. Within a CUDA
 * graph the host has launched everything, and what lies between two places is the device's:
 * host_gap_ns is 0, and wait_gap_ns is from the end of the place before.
 *
 * This says nothing of kernels that run at one time, on several streams: overlap_ns is the sum of
 * all times less the time in which the device did anything.
 */
#ifndef DCS_CALIBRATE_RECORDED_SEQUENCE_H
#define DCS_CALIBRATE_RECORDED_SEQUENCE_H

#include "calibrate/plan/sample.h"
#include "calibrate/record/recording.h"

#define CAL_NO_WAIT (-1)

struct cal_place {
    enum cal_op_kind kind;
    const char *function; /* the recording's */
    uint32_t stream;
    int64_t blocks, threads, registers, shared_bytes, cluster, bytes; /* medians */
    int64_t median_ns, p5_ns, p95_ns;
    int64_t host_gap_ns, wait_gap_ns; /* CAL_NO_WAIT: the host does not wait before it */
    bool varies;                      /* its grid or its bytes are not those of all requests */
};

struct cal_sequence {
    struct cal_place *places;
    size_t count;
    int64_t *ns;                      /* by request and place */
    int64_t *totals;                  /* by request */
    size_t requests;                  /* that count */
    size_t found, skipped, others;    /* all; as warm-up; of other sequences */
    size_t sequences;                 /* how many different ones those after warm-up have */
    int64_t median_ns, p5_ns, p95_ns; /* of a request */
    int64_t kernels_ns, copies_ns;    /* medians of the sums in a request */
    int64_t idle_ns; /* of the time in a request in which the device does nothing */
    int64_t overlap_ns;
    int64_t end_gap_ns;    /* from the last end to the request's */
    int64_t device_gap_ns; /* between two kernels when the host is ahead */
    int64_t alone_ns;      /* a request as the model above has it */
};

/* requests: 0, or how many of the last are taken. -1 and err: none are left. */
int cal_sequence_make(struct cal_sequence *s, const struct cal_requests *all, size_t requests,
                      struct dcs_err *err);
void cal_sequence_release(struct cal_sequence *s);

/* Makes all gaps longer or shorter by one factor, which it returns, so that alone_ns is ns: being
 * recorded makes gaps longer and kernels hardly. alone_ns stays above it where kernels and copies
 * alone take longer. */
double cal_sequence_fit(struct cal_sequence *s, int64_t ns);

/* Whether the kernels run one after the other, up to a fiftieth of the request. */
bool cal_sequence_is_serial(const struct cal_sequence *s);

/*
 * The times of `other`, of the same application at another allotment, at the places of `s`: ns has
 * other->requests * s->count elements. Places with the same functions are matched, the most that
 * can be in order. What lies between two matches goes to the places of `s` there: one by one if
 * there are as many, else in proportion to their medians, or, if `s` has none there, to the place
 * before. stand (may be NULL): stand[i] is 1 + the place of `other` that stands for place i of `s`,
 * be it of another function, or 0. Returns how many of `s` were matched. (cuBLAS takes other
 * kernels where it sees fewer SMs.)
 */
size_t cal_sequence_align(const struct cal_sequence *s, const struct cal_sequence *other,
                          int64_t *ns, size_t *stand);

#endif
