/*
 * device.h - a device of a running cluster, and what is said to it and by it: for the engine and
 * the files of the kinds (device_kind.h).
 */
#ifndef DCS_ENGINE_DEVICE_H
#define DCS_ENGINE_DEVICE_H

#include "des/eventlist.h"
#include "engine/device_kind.h"

/* Kernels that run together on a device of any kind. */
#define DEVICE_TOGETHER_MAX 128

/* One kernel of a launch. */
struct device_part {
    req_id id;
    uint32_t job;
    uint64_t index;            /* within the job */
    const struct dcs_app *app; /* what the request is made of */
    uint32_t kernel;
    bool transfer; /* it copies, and needs no SMs */
    bool switches; /* with another allotment than the kernel before had */
    /* What it pays for that; -1: that was to be as measured, and was not measured. */
    int64_t switch_ns;
    int64_t host_ns; /* until its host has launched it; only for start() */
    /* Its true work, whole, and what checkpoints have kept of it; only for start(). */
    int64_t work_ns, saved_ns;
};

/* A chunk of divisible work. */
struct device_chunk {
    int64_t iterations;          /* 0: the launch is none */
    int64_t alone_ns, beside_ns; /* true time, also while the other side works; only for start() */
    int64_t ready_ns;            /* its pass is not ready earlier; only for start() */
};

/* The last chunk that ended on a device. */
struct device_ended {
    req_id of; /* 0: there is none */
    struct host_chunk chunk;
    bool untold; /* its policy has not heard of it: until then the device looks busy */
};

/* Chunks that a device has been given, of one pass of one request. */
struct device_given {
    req_id of;
    uint32_t pass;
    uint64_t count;
};

/* What is to run: the present kernel of a request, or those of two as one fused launch. */
struct device_launch {
    struct device_part part[2];
    uint32_t parts;                  /* 1, or 2: fused */
    struct host_allotment allotment; /* fused: the whole device */
    bool resizes;                    /* it is no launch: what runs there gets another allotment */
    struct device_chunk chunk;
    /* Fused: how, of the ways of the profile, and which ways it has for the two; false: none. */
    uint32_t way;
    bool measured;
    struct dcs_fusion_pair pair;
    /* What start() says of a fused launch: what its kernels would truly take one after the other;
     * and that their loads differ more than any that were measured. */
    double alone_ns;
    bool beyond;
};

struct device_end {
    req_id id;
    bool stopped;      /* its revocation is over; else its kernel has completed, */
    bool quota;        /* or stands still in some SMs, since its quota there is used up; ... */
    uint32_t first_sm; /* ... they begin with this one */
};

struct device_victim {
    req_id id;
    int64_t kept_ns; /* work that checkpoints have saved */
};

/* What a device did, up to the end of a run. */
struct device_usage {
    struct dcs_gpu_usage done; /* SMs are cores, on a CPU */
    uint32_t sms;              /* that it has; 0: they are not counted */
};

struct device {
    const struct device_kind *kind;
    const struct cluster_spec *spec;
    uint32_t index, domain;
    uint32_t place;               /* within its domain */
    uint32_t profile;             /* an index of what a spec has by profile */
    enum host_device_state state; /* as its kind last said ... */
    int64_t since_ns;             /* ... and since when it has said so */
    dcs_event_id event;           /* for whatever changes on it next; 0: none is pending */
    int64_t event_ns;             /* its time, if it is pending */
    bool unsettled;               /* it has changed at this instant: event is that of before */
    bool changed;                 /* it is in its domain's list of such devices */
    uint32_t next_changed;        /* in that list: index + 1, 0 at its end */
    struct device_ended ended;    /* by life_chunks.c and a kind that divides */
    struct device_given given;    /* by life_chunks.c */
    uint32_t traps_pledged;       /* charged revocations that will take all that runs there */
    uint32_t kills;               /* processes that were killed there ... */
    int64_t killed_ns;            /* ... and when the last one is, or was, gone */
    void *truth;                  /* the kind's own */
};

/* Of a kind that divides: whether it is the CPU of its domain. */
static inline bool device_is_cpu(const struct device *dev)
{
    return dev->place == 0 && dev->spec->domains[dev->domain].cpu_threads > 0;
}

/* By how much a kernel's whole work grows when its share that is left is multiplied with factor. */
static inline int64_t device_work_growth_ns(int64_t work_ns, double left, double factor)
{
    return (int64_t)((double)work_ns * left * (factor - 1));
}

struct dcs_cpu_device;

/* For tests that look at the truth. */
const struct dcs_device *device_exclusive_truth(const struct device *dev);
struct dcs_gpu *device_shared_truth(const struct device *dev);
const struct dcs_cpu_device *device_cpu_truth(const struct device *dev);

#endif
