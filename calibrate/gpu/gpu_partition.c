/*
 * gpu_partition.c - SM partitions by green contexts. See measured_gpu.h.
 *
 * One partition, or one and the rest, is one split of the device's SMs. Of more at once each is put
 * together from groups of CAL_PARTITION_STEP SMs, since the outcome of a split cannot be split.
 */
#include "calibrate/gpu/ceilings.h"
#include "calibrate/gpu/gpu_driver.h"

#include <cuda.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX 64

struct cal_driver {
    CUresult(CUDAAPI *error_name)(CUresult, const char **);
    CUresult(CUDAAPI *device_get)(CUdevice *, int);
    CUresult(CUDAAPI *get_resource)(CUdevice, CUdevResource *, CUdevResourceType);
    CUresult(CUDAAPI *split)(CUdevResource *, unsigned *, const CUdevResource *, CUdevResource *,
                             unsigned, unsigned);
    CUresult(CUDAAPI *describe)(CUdevResourceDesc *, CUdevResource *, unsigned);
    CUresult(CUDAAPI *create)(CUgreenCtx *, CUdevResourceDesc, CUdevice, unsigned);
    CUresult(CUDAAPI *destroy)(CUgreenCtx);
    CUresult(CUDAAPI *stream_create)(CUstream *, CUgreenCtx, unsigned, int);
    CUdevice device;
    CUdevResource all;
};

static void *driver_function(const char *name, unsigned version)
{
    void *found = NULL;
    enum cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
    if (cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result) !=
            cudaSuccess ||
        result != cudaDriverEntryPointSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    return found;
}

bool cal_driver_find(const struct cal_driver_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *found = driver_function(calls[i].name, calls[i].version);
        if (found == NULL)
            return false;
        memcpy(calls[i].place, &found, sizeof found);
    }
    return true;
}

static bool load(struct cal_driver *d)
{
    const struct cal_driver_call wanted[] = {
        {&d->error_name, "cuGetErrorName", 6000},
        {&d->device_get, "cuDeviceGet", 2000},
        {&d->get_resource, "cuDeviceGetDevResource", 12040},
        {&d->split, "cuDevSmResourceSplitByCount", 12040},
        {&d->describe, "cuDevResourceGenerateDesc", 12040},
        {&d->create, "cuGreenCtxCreate", 12040},
        {&d->destroy, "cuGreenCtxDestroy", 12040},
        {&d->stream_create, "cuGreenCtxStreamCreate", 12050},
    };
    return cal_driver_find(wanted, sizeof wanted / sizeof *wanted);
}

static int check_status(struct cal_gpu *g, CUresult status, const char *what, struct dcs_err *err)
{
    if (status == CUDA_SUCCESS)
        return 0;
    const char *name = NULL;
    g->driver_calls->error_name(status, &name);
    return dcs_err_set(err, "%s: %s", what, name != NULL ? name : "unknown error of the driver");
}

/* --- making partitions --- */

static int make_green(struct cal_gpu *g, CUdevResource *resources, unsigned count,
                      struct cal_partition *p, struct dcs_err *err)
{
    struct cal_driver *d = g->driver_calls;
    CUdevResourceDesc description;
    CUgreenCtx green = NULL;
    if (check_status(g, d->describe(&description, resources, count), "describing a partition",
                     err) != 0 ||
        check_status(g, d->create(&green, description, d->device, CU_GREEN_CTX_DEFAULT_STREAM),
                     "making a green context", err) != 0)
        return -1;
    *p = (struct cal_partition){.mechanism = "green", .green = green};
    for (unsigned i = 0; i < count; i++)
        p->sms += (int)resources[i].sm.smCount;
    if (cal_partition_stream(g, p, 0, &p->stream, err) != 0) {
        d->destroy(green);
        return -1;
    }
    return 0;
}

static int split_two(struct cal_gpu *g, const int *sms, int count, struct cal_partition *parts,
                     struct dcs_err *err)
{
    struct cal_driver *d = g->driver_calls;
    CUdevResource group, rest;
    unsigned groups = 1;
    memset(&rest, 0, sizeof rest);
    if (check_status(g, d->split(&group, &groups, &d->all, &rest, 0, (unsigned)sms[0]),
                     "splitting the SMs", err) != 0)
        return -1;
    if (groups != 1 || (int)group.sm.smCount != sms[0])
        return dcs_err_set(err, "a partition of %d SMs is not possible: the driver gives %u",
                           sms[0], groups == 1 ? group.sm.smCount : 0);
    if (make_green(g, &group, 1, &parts[0], err) != 0)
        return -1;
    if (count == 2 && (rest.type != CU_DEV_RESOURCE_TYPE_SM || rest.sm.smCount == 0)) {
        cal_partition_release(g, &parts[0]);
        return dcs_err_set(err, "nothing is left beside a partition of %d SMs", sms[0]);
    }
    if (count == 2 && make_green(g, &rest, 1, &parts[1], err) != 0) {
        cal_partition_release(g, &parts[0]);
        return -1;
    }
    return 0;
}

/* SplitByCount gives equal groups, and behind the last of them what is left over, if something is.
 */
static int split_groups(struct cal_gpu *g, unsigned flags, CUdevResource groups[GROUPS_MAX + 1],
                        unsigned *made, struct dcs_err *err)
{
    struct cal_driver *d = g->driver_calls;
    CUdevResource rest;
    *made = (unsigned)(g->sms / CAL_PARTITION_STEP);
    if (*made > GROUPS_MAX)
        *made = GROUPS_MAX;
    memset(groups, 0, (GROUPS_MAX + 1) * sizeof *groups);
    memset(&rest, 0, sizeof rest);
    if (check_status(g, d->split(groups, made, &d->all, &rest, flags, CAL_PARTITION_STEP),
                     "splitting the SMs", err) != 0)
        return -1;
    if (rest.type == CU_DEV_RESOURCE_TYPE_SM && rest.sm.smCount > 0)
        groups[*made] = rest;
    return 0;
}

/* Each partition takes as many groups as it needs. */
static int split_many(struct cal_gpu *g, const int *sms, int count, struct cal_partition *parts,
                      struct dcs_err *err)
{
    CUdevResource groups[GROUPS_MAX + 1];
    unsigned made, taken = 0;
    if (split_groups(g, 0, groups, &made, err) != 0)
        return -1;
    bool has_rest = groups[made].type == CU_DEV_RESOURCE_TYPE_SM;
    for (int i = 0; i < count; i++) {
        unsigned need = (unsigned)(sms[i] / CAL_PARTITION_STEP);
        if (sms[i] == 0)
            need = made - taken + (has_rest ? 1 : 0);
        int failed =
            need == 0 || (sms[i] != 0 && taken + need > made)
                ? dcs_err_set(err, "there are no %d SMs left for partition %d", sms[i], i + 1)
                : make_green(g, &groups[taken], need, &parts[i], err);
        if (failed) {
            while (i > 0)
                cal_partition_release(g, &parts[--i]);
            return -1;
        }
        taken += need;
    }
    return 0;
}

int cal_gpu_split(struct cal_gpu *g, const int *sms, int count, struct cal_partition *parts,
                  struct dcs_err *err)
{
    DCS_ASSERT(count >= 1 && sms[0] > 0);
    if (!g->green)
        return dcs_err_set(err, "no SM partitions on this device: %s", g->no_green);
    for (int i = 0; i < count; i++)
        if (sms[i] % CAL_PARTITION_STEP != 0 || sms[i] >= g->sms || (sms[i] == 0 && i + 1 < count))
            return dcs_err_set(err, "a partition of %d SMs: multiples of %d below %d are possible",
                               sms[i], CAL_PARTITION_STEP, g->sms);
    if (count == 1 || (count == 2 && sms[1] == 0))
        return split_two(g, sms, count, parts, err);
    return split_many(g, sms, count, parts, err);
}

int cal_gpu_groups(struct cal_gpu *g, uint32_t mask, struct cal_partition *part,
                   struct dcs_err *err)
{
    CUdevResource groups[GROUPS_MAX + 1], chosen[GROUPS_MAX + 1];
    unsigned made, count = 0;
    if (!g->green)
        return dcs_err_set(err, "no SM partitions on this device: %s", g->no_green);
    /* Were SMs of a group to lie together, an H200 would give 15 groups of 8 and 12 SMs over. */
    if (split_groups(g, CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING, groups, &made, err) != 0)
        return -1;
    if (made != (unsigned)(g->sms / CAL_PARTITION_STEP) ||
        groups[0].sm.smCount != CAL_PARTITION_STEP)
        return dcs_err_set(err, "the driver gives %u groups of %u SMs in place of %d of %d", made,
                           groups[0].sm.smCount, g->sms / CAL_PARTITION_STEP, CAL_PARTITION_STEP);
    for (unsigned i = 0; i <= made && i < 32; i++)
        if ((mask & UINT32_C(1) << i) != 0 && groups[i].type == CU_DEV_RESOURCE_TYPE_SM)
            chosen[count++] = groups[i];
    if (count == 0)
        return dcs_err_set(err, "a partition without SMs");
    return make_green(g, chosen, count, part, err);
}

void cal_partition_release(struct cal_gpu *g, struct cal_partition *p)
{
    if (p->stream != NULL)
        cudaStreamDestroy(p->stream);
    if (p->green != NULL)
        g->driver_calls->destroy(p->green);
    memset(p, 0, sizeof *p);
}

int cal_partition_stream(struct cal_gpu *g, const struct cal_partition *p, int priority,
                         cudaStream_t *stream, struct dcs_err *err)
{
    *stream = NULL;
    if (p->green == NULL)
        return cal_gpu_check(g,
                             cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, priority),
                             "making a stream", err);
    CUstream made = NULL;
    if (check_status(
            g, g->driver_calls->stream_create(&made, p->green, CU_STREAM_NON_BLOCKING, priority),
            "making a stream of a green context", err) != 0)
        return -1;
    *stream = made;
    return 0;
}

/* --- those that are kept --- */

int cal_sm_counts(int sms, int *counts, int max)
{
    int n = 0;
    for (int at = CAL_PARTITION_STEP; at < sms && n < max - 1; at += CAL_PARTITION_STEP)
        counts[n++] = at;
    counts[n++] = sms;
    return n;
}

const struct cal_partition *cal_gpu_partition(struct cal_gpu *g, int sms, struct dcs_err *err)
{
    for (size_t i = 0; i < g->cached_count; i++)
        if (g->cached[i].sms == sms)
            return &g->cached[i];
    struct cal_partition made;
    if (cal_gpu_split(g, &sms, 1, &made, err) != 0)
        return NULL;
    if (g->cached_count == sizeof g->cached / sizeof g->cached[0]) {
        /* Green contexts take memory; the oldest one behind the whole device makes room. */
        cal_partition_release(g, &g->cached[1]);
        g->cached_count--;
        memmove(&g->cached[1], &g->cached[2], (g->cached_count - 1) * sizeof g->cached[0]);
    }
    g->cached[g->cached_count] = made;
    return &g->cached[g->cached_count++];
}

/* What really ran where: the SMs that blocks of a stream saw. */
static int count_sms(struct cal_gpu *g, cudaStream_t stream, int *seen_sms, struct dcs_err *err)
{
    size_t bytes = (size_t)g->sms * sizeof(int);
    int *seen = dcs_alloc((size_t)g->sms, sizeof *seen);
    void *device = NULL;
    int failed = cal_gpu_check(g, cudaMalloc(&device, bytes), "allocating", err);
    if (!failed)
        failed =
            cal_gpu_check(g, cudaMemsetAsync(device, 0, bytes, stream), "clearing", err) != 0 ||
            cal_gpu_check(g, cal_launch_see_sms(stream, device, g->sms),
                          "launching into a green context", err) != 0 ||
            cal_gpu_check(g, cudaEventRecord(g->end, stream), "recording an event", err) != 0 ||
            cal_gpu_wait(g, g->end, "running in a green context", err) != 0 ||
            cal_gpu_check(g, cudaMemcpy(seen, device, bytes, cudaMemcpyDeviceToHost), "copying",
                          err) != 0;
    *seen_sms = 0;
    for (int i = 0; i < g->sms; i++)
        *seen_sms += seen[i] != 0;
    if (device != NULL && !g->dead)
        cudaFree(device);
    free(seen);
    return failed ? -1 : 0;
}

static int try_green(struct cal_gpu *g, struct dcs_err *err)
{
    struct cal_driver *d = g->driver_calls;
    if (check_status(g, d->device_get(&d->device, g->ordinal), "finding the device", err) != 0 ||
        check_status(g, d->get_resource(d->device, &d->all, CU_DEV_RESOURCE_TYPE_SM),
                     "counting the SMs", err) != 0)
        return -1;
    g->green = true; /* so that a partition can be tried */
    const int sms = 2 * CAL_PARTITION_STEP;
    const struct cal_partition *p = cal_gpu_partition(g, sms, err);
    int seen = 0;
    if (p == NULL || count_sms(g, p->stream, &seen, err) != 0)
        return -1;
    if (seen != sms)
        return dcs_err_set(err, "blocks in a partition of %d SMs ran on %d", sms, seen);
    return 0;
}

int cal_partitions_start(struct cal_gpu *g, bool whole_only, struct dcs_err *err)
{
    g->driver_calls = dcs_alloc(1, sizeof *g->driver_calls);
    struct cal_partition *whole = &g->cached[0];
    *whole = (struct cal_partition){.sms = g->sms, .mechanism = "whole"};
    if (cal_partition_stream(g, whole, 0, &whole->stream, err) != 0)
        return -1;
    g->cached_count = 1;
    if (whole_only)
        return 0;
    struct dcs_err why = {0};
    if (!load(g->driver_calls)) {
        dcs_err_set(&why, "the driver has no green contexts (it is older than CUDA 12.5)");
    } else if (try_green(g, &why) == 0) {
        return 0;
    }
    g->green = false;
    snprintf(g->no_green, sizeof g->no_green, "%.250s", why.text);
    fprintf(stderr, "dcsim-calibrate: no SM partitions: %s; only the whole device is measured\n",
            g->no_green);
    if (g->dead)
        return dcs_err_set(err, "%s", why.text);
    return 0;
}

void cal_partitions_stop(struct cal_gpu *g)
{
    while (g->cached_count > 0)
        cal_partition_release(g, &g->cached[--g->cached_count]);
}
