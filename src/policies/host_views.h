/* host_views.h - how a policy names things, what it is told of a request, what it may have
 * predicted, and what it is told of fused launches, of divisible work and of blocks inside SMs;
 * part of the contract (policy.h). */
#ifndef DCSIM_POLICIES_HOST_VIEWS_H
#define DCSIM_POLICIES_HOST_VIEWS_H

#include <stdint.h>

typedef uint64_t req_id;   /* never reused in a run; 0 = none; later requests have higher ids */
typedef uint32_t job_id;   /* 0, 1, ... over the whole cluster, in the order in which jobs begin */
typedef uint32_t dev_id;   /* 0 .. host_devices() - 1, within the domain */
typedef uint32_t app_id;   /* 0, 1, ... over the whole experiment */
typedef uint64_t timer_id; /* 0 = none */

#define HOST_NO_DEVICE UINT32_MAX
#define HOST_NEVER     INT64_MAX

enum host_class {
    HOST_LATENCY, /* has an SLA */
    HOST_BATCH,   /* throughput counts */
};

enum host_request_state {
    HOST_WAITING,  /* a launch is legal */
    HOST_STARTING, /* a charged action on it is under way; `device` says where it will run */
    HOST_RUNNING,  /* on `device` */
    HOST_STOPPING, /* being revoked; comes back through on_ready */
    HOST_ENDED,    /* completed or gone: this is its last callback */
};

struct host_request {
    app_id app;
    enum host_class class;
    job_id job;
    enum host_request_state state;
    int64_t arrival_ns;  /* when the client issued it */
    int64_t deadline_ns; /* arrival + SLA, HOST_NEVER for batch; met at equality */
    int64_t start_ns;    /* when the current or latest launch began; HOST_NEVER before the first */
    int64_t began_ns;    /* start_ns and what starting costs on the device: from here on the kernel
                            works;    HOST_NEVER unless it runs */
    dev_id device;       /* where it runs or starts; HOST_NO_DEVICE while it waits */
    uint32_t kernel;     /* index of the current kernel, 0 .. kernels - 1 */
    uint32_t kernels;
    uint32_t revocations; /* how often it was revoked since it came to this domain */
    uint64_t memory_bytes;
    uint64_t input_size; /* in the application's unit; 0: its default, or not known */
};

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
