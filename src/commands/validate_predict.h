/*
 * validate_predict.h - what the device models say about everything that a profile has measured of
 * kernels and requests that ran together, beside what was measured.
 *
 * PARTITIONS   pairs and triples on green contexts. A side takes its time alone on the same
 *              partition, which was measured in the same minutes, times the slow-down of
 *              contention.h.
 *
 * SIZES        pairs on green contexts, one of them a kernel of another size than the default,
 *              which contends as the same kernel of the default size (spatial_load.h, OTHER SIZES).
 * By how large its request is; "beside" is the kernel of the default size.
 *
 * SHARED       the same again and again under MPS with quotas that may add up to more than the
 *              device: gpu.h is run until each side has ended REPLAY_LEAST launches after a
 *              warm-up, and the mean time of one is compared. Times of a side are scaled so that
 *              its launch alone takes what the row says it did.
 *
 * PROGRAMS     whole requests back to back, under MPS likewise, each kernel no earlier than its
 * host launches it (spatial.h, HOST). A request alone takes what was measured of the same process:
 * where that is longer than the recorded one its first launch is later, where it is shorter the
 * host's gaps are scaled, and kernels only where they alone take longer. Durations do not vary, so
 * the 95th percentile is that of the replay times what it is above the mean alone.
 *
 * LIVE         the recorded arrivals of a service beside a batch application in a closed loop,
 *              under MPS. What was measured is from the host's call to the host's knowledge of the
 *              end; so kernels are scaled by one factor for each of the two, with which a request
 *              alone takes what was measured of it just before in the same process. Percentages of
 *              MPS give an even number of SMs, rounded down, as all that were measured do.
 *
 * LIVE_PARTITIONS  the same on green contexts.
 *
 * Durations do not vary from run to run here: means are compared with means.
 *
 * Each beside the model without contention, and beside the trivial model: alone, nothing slows
 * anything (live: requests that take what they take alone, first come, first served).
 */
#ifndef DCS_VALIDATE_PREDICT_H
#define DCS_VALIDATE_PREDICT_H

#include "models/gpu/contention.h"
#include "commands/validate_shapes.h"

#define REPLAY_WARMUPS 10
#define REPLAY_LEAST   50

enum validate_section {
    VALIDATE_PARTITIONS,
    VALIDATE_SIZES,
    VALIDATE_SHARED,
    VALIDATE_PROGRAMS,
    VALIDATE_LIVE,
    VALIDATE_LIVE_PARTITIONS,
    VALIDATE_SECTIONS,
};

enum validate_model { VALIDATE_FULL, VALIDATE_NO_CONTENTION, VALIDATE_ALONE, VALIDATE_MODELS };

/* Why a co-run is left out. */
enum validate_omission {
    VALIDATE_UNKNOWN_KERNEL, /* the profile does not know it at that size */
    VALIDATE_MECHANISM,      /* neither partitions nor MPS */
    VALIDATE_TOO_LONG,       /* millions of launches */
    VALIDATE_OMISSIONS,
};

/* One number that was measured. */
struct validate_prediction {
    enum validate_section section;
    char group[48];   /* kind and split */
    const char *what; /* "launch", or of which times of requests */
    int64_t id;       /* of the co-run or live run */
    size_t side;
    char name[704]; /* the kernel and what ran beside it */
    double measured_ns;
    double predicted_ns[VALIDATE_MODELS];
    double reach; /* of a launch on a partition: its predicted slow-down over the most that was
                   * measured of it on as many SMs in what was fitted; 0: not known */
};

struct validate_predictions {
    struct validate_prediction *list;
    size_t count, capacity;
    bool *judged;                   /* by application of the profile: its requests beside others */
    size_t kept[VALIDATE_SECTIONS]; /* co-runs */
    size_t left_out[VALIDATE_SECTIONS][VALIDATE_OMISSIONS];
};

/* |predicted / measured - 1| */
double validate_error(const struct validate_prediction *p, enum validate_model model);

/* How many launches have a `reach` above that: above 0 all of which it is known. */
size_t validate_count_beyond(const struct validate_predictions *all, enum validate_section section,
                             double reach);

/* Linear between the values, which ascend, as numpy's percentile; 0 <= q <= 1, count > 0. */
double validate_quantile(const double *sorted, size_t count, double q);

/* Zeroed *out is filled: in the order of the sections, each in the order of the ids. */
void validate_predict(const struct validate_shapes *shapes, struct validate_predictions *out);
void validate_predictions_release(struct validate_predictions *p);

#endif
