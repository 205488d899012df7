/*
 * recording.h - what the recorder (recorder_lines.h) wrote of the processes of one run of a
 * program, and the requests that it consists of. Knows no GPU.
 *
 * A file that was cut off in its last line was written by a process that was killed: the line is
 * left out. Any other line that cannot be read is an error, for files are untrusted.
 */
#ifndef DCS_CALIBRATE_RECORDING_H
#define DCS_CALIBRATE_RECORDING_H

#include "des/base.h"

enum cal_op_kind { CAL_OP_KERNEL, CAL_OP_TO_DEVICE, CAL_OP_FROM_DEVICE, CAL_OP_ON_DEVICE };

/* What the device did: a kernel, a copy, or memory that was filled (ON_DEVICE, as copies from
 * device to device). */
struct cal_op {
    enum cal_op_kind kind;
    const char *function; /* of a kernel its function's name; else "copy" or "fill" */
    int64_t begin_ns, end_ns;
    int64_t call_ns, returned_ns; /* of the host's call; without records of calls the op's begin */
    uint32_t correlation, thread, stream;
    int64_t blocks, threads, registers, shared_bytes; /* of a kernel */
    int64_t cluster; /* of a kernel: blocks that begin at one time; 1 */
    int64_t bytes;   /* of the others */
    bool pageable;   /* copies: the host's memory is not pinned, and it waits for the end */
};

/* The host waited for the device. */
struct cal_wait {
    int64_t begin_ns, end_ns;
};

/* end_ns 0: it did not end. */
struct cal_range {
    uint64_t id;
    const char *name;
    int64_t begin_ns, end_ns;
    uint32_t thread;
};

struct cal_process {
    int pid, parent;
    char *command;
    int64_t begin_ns, end_ns; /* end_ns 0: it did not end in order */
    int64_t used_bytes;       /* of device memory, at its end; 0: not known */
    bool calls;               /* the host's calls were recorded */
    struct cal_op *ops;       /* in the order of the host's calls */
    size_t ops_count, ops_capacity;
    struct cal_wait *waits; /* by begin */
    size_t waits_count, waits_capacity;
    struct cal_range *ranges; /* by begin */
    size_t ranges_count, ranges_capacity;
    char **texts;
    size_t texts_count, texts_capacity;
};

/* The device of the first process that has one. */
struct cal_recorded_device {
    char name[128], uuid[64];
    int sms, clock_mhz, cuda_version;
    int64_t memory_bytes, l2_bytes;
    int64_t sm_blocks, sm_threads, sm_registers, sm_shared_bytes; /* of an SM; 0: not known */
    int64_t block_reserved_bytes; /* of shared memory, beside what a block asks for */
};

struct cal_recording {
    struct cal_process *processes; /* in the order of their beginnings */
    size_t processes_count, processes_capacity;
    struct cal_recorded_device device; /* sms 0: none used a device */
    size_t kernels;
    int devices;       /* on which kernels ran */
    int64_t lost;      /* records */
    int unfinished;    /* processes that launched and did not end in order */
    char names[1024];  /* of ranges that the processes have, for messages */
    char refused[512]; /* why a process was not recorded; empty: all were */
};

/* Reads the files *.record of a folder. -1 and err. Released in any case. */
int cal_recording_read(struct cal_recording *r, const char *folder, struct dcs_err *err);
void cal_recording_release(struct cal_recording *r);

/* --- recording_requests.c --- */

/* Of a process, ops[first] and so on by `members`: a thread's request may have others between. */
struct cal_request {
    const struct cal_process *process;
    int64_t begin_ns, end_ns; /* as the host sees it: until it knows the end, or the device's end */
    const struct cal_op **ops;
    size_t count;
};

struct cal_requests {
    struct cal_request *list; /* in the order of their beginnings */
    size_t count, capacity;
    const char *how; /* "range", "waits", "process" */
};

/* What a request is. how: "waits", "process", NULL (waits if there are several, else process), or
 * the name of a range. Requests without a kernel are none. -1 and err: there is no request. */
int cal_requests_find(struct cal_requests *out, const struct cal_recording *r, const char *how,
                      struct dcs_err *err);
void cal_requests_release(struct cal_requests *r);

/* Whether ranges of this name (NULL: there are none) are open at one time in a process whose calls
 * were not recorded: then which launch belongs to which of them is not known. */
bool cal_ranges_cross(const struct cal_recording *r, const char *name);

#endif
