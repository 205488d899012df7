/* host_views.h - what a policy may have predicted, and what it is told of fused launches, of
 * divisible work and of blocks inside SMs; part of the contract (policy.h). */
#ifndef DCSIM_POLICIES_HOST_VIEWS_H
#define DCSIM_POLICIES_HOST_VIEWS_H

#include <stdint.h>

/* What can be predicted, always for running alone at an allotment. */
enum host_quantity {
    HOST_DURATION_NS,         /* of a kernel from its start */
    HOST_TOTAL_DURATION_NS,   /* of that kernel and all later ones of the request */
    HOST_REQUEST_DURATION_NS, /* of the whole request from its first kernel */
    HOST_BANDWIDTH, /* of a kernel: device memory that it reads and writes, bytes per second
                       while it runs; 0 where nothing is known */
    HOST_MILLI_IPC, /* of a kernel: instructions per cycle of the whole device (on a CPU: of all
                       its threads), thousandths; 0 where nothing is known */
};

/* A fused launch: a kernel for tensor cores and one for the other cores in one launch on the whole
 * device, which ends when both parts have ended. */
struct host_fusion {
    uint32_t variant;    /* for host_launch_fused */
    int64_t duration_ns; /* predicted, of the one launch, until both parts have ended */
    int64_t parts_ns[2]; /* predicted: [0] the first request's kernel alone, [1] the second's */
};

/* The current kernel of a request as divisible work. */
struct host_division {
    uint64_t iterations; /* of the whole pass */
    uint64_t left;       /* that no chunk has been given */
    uint64_t chunk_min;  /* a chunk has at least so many, or all that are left; >= 1 */
    uint32_t chunks;     /* under way, or ended and not told of yet */
};

/* A chunk that has ended. */
struct host_chunk {
    uint64_t iterations;
    int64_t took_ns; /* from its launch, or from when its pass was ready if that was later, until
                        its results were there */
};

/* What a block of a kernel takes of an SM, as shares of what the SM has. */
enum { HOST_REGISTERS, HOST_SHARED, HOST_THREADS, HOST_PLACES, HOST_BLOCK_SHARES };
struct host_block {
    uint32_t fits;    /* blocks in an SM alone */
    uint32_t threads; /* of a block */
    double share[HOST_BLOCK_SHARES];
};

#endif
