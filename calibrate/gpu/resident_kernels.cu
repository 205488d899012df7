/*
 * resident_kernels.cu - see resident_kernels.h.
 */
#include "calibrate/gpu/resident_kernels.h"
#include "calibrate/gpu/fusion_body.cuh"

#include <stdlib.h>
#include <string.h>
#include <vector>

#define LOAD            16384 /* blocks: 270 to 670 MB of what streams */
#define BLOCKS_OF_SM    32    /* at most, of any device */
#define SHARED_CARVEOUT 100   /* percent of the most that an SM can have as shared memory */

/* One kernel. */
struct role {
    const struct cal_part_kernel *of;
    struct cal_part part;
    struct cal_block_use use;
    int load;
    struct cal_resident_record *records; /* on the device */
    std::vector<struct cal_resident_record> read;
    size_t launched; /* persistent blocks */
};

struct cal_residency {
    struct role roles[CAL_RESIDENT_ROLES];
    int roles_count, sms;
    struct cal_resident_state *state; /* on the device */
};

const char *cal_resident_name(size_t index)
{
    return index < CAL_RESIDENT_KERNELS ? cal_resident_kernels[index]->name : NULL;
}

int cal_resident_get_room(struct cal_sm_room *room, struct dcs_err *err)
{
    int device = 0;
    cudaError_t status = cudaGetDevice(&device);
    const struct {
        int *value;
        cudaDeviceAttr attribute;
    } asked[] = {
        {&room->registers, cudaDevAttrMaxRegistersPerMultiprocessor},
        {&room->shared_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor},
        {&room->shared_reserved, cudaDevAttrReservedSharedMemoryPerBlock},
        {&room->threads, cudaDevAttrMaxThreadsPerMultiProcessor},
        {&room->blocks, cudaDevAttrMaxBlocksPerMultiprocessor},
    };
    for (const auto &ask : asked)
        if (status == cudaSuccess)
            status = cudaDeviceGetAttribute(ask.value, ask.attribute, device);
    return cal_fail_cuda(err, status, "asking what an SM has room for");
}

static const struct cal_part_kernel *find_kernel(const char *name)
{
    for (const struct cal_part_kernel *k : cal_resident_kernels)
        if (strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

/* Loads the kernel as well: a load that waits until the first launch would wait for the other one
 * to end. */
static int find_use(struct role *e, struct dcs_err *err)
{
    const struct cal_kernel_row *k = &e->of->resident.kernel;
    cudaFuncAttributes attributes;
    cudaError_t status = cudaFuncGetAttributes(&attributes, k->function);
    if (status == cudaSuccess)
        status = cudaFuncSetAttribute(k->function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)k->shared_bytes);
    if (status == cudaSuccess)
        status = cudaFuncSetAttribute(k->function, cudaFuncAttributePreferredSharedMemoryCarveout,
                                      SHARED_CARVEOUT);
    if (cal_fail_cuda(err, status, e->of->name) != 0)
        return -1;
    e->use = {k->threads, attributes.numRegs, (int)(attributes.sharedSizeBytes + k->shared_bytes)};
    return 0;
}

static int create_role(struct cal_residency *r, struct role *e, const char *name, int64_t load,
                       uint64_t seed, struct dcs_err *err)
{
    e->of = find_kernel(name);
    if (e->of == NULL)
        return cal_fail(err, "%s: no kernel of this name can stay in an SM", name);
    if (load == 0)
        load = LOAD;
    if (load > e->of->load_max)
        load = e->of->load_max;
    e->load = (int)load;
    if (find_use(e, err) != 0 || e->of->create(&e->part, load, seed, err) != 0 ||
        cal_device_alloc((void **)&e->records, (size_t)r->sms * BLOCKS_OF_SM * sizeof *e->records,
                         err) != 0)
        return -1;
    /* Integer results are added to; the others begin as something. */
    cudaError_t status = cudaMemset(e->part.result, 0, e->part.result_bytes);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    return cal_fail_cuda(err, status, name);
}

struct cal_residency *cal_residency_create(const char *const names[CAL_RESIDENT_ROLES],
                                           int64_t load, int sms, uint64_t seed,
                                           struct dcs_err *err)
{
    struct cal_residency *r = new cal_residency();
    r->sms = sms;
    while (r->roles_count < CAL_RESIDENT_ROLES && names[r->roles_count] != NULL)
        r->roles_count++;
    int failed = cal_device_alloc((void **)&r->state, sizeof *r->state, err);
    for (int i = 0; i < r->roles_count && failed == 0; i++)
        failed = create_role(r, &r->roles[i], names[i], load, seed + 100 * (uint64_t)i, err);
    if (failed != 0) {
        cal_residency_destroy(r);
        return NULL;
    }
    return r;
}

void cal_residency_destroy(struct cal_residency *r)
{
    if (r == NULL)
        return;
    for (struct role &e : r->roles) {
        for (int i = 0; i < e.part.memory_count; i++)
            cudaFree(e.part.memory[i]);
        cudaFree(e.records);
    }
    cudaFree(r->state);
    delete r;
}

struct cal_block_use cal_residency_get_use(const struct cal_residency *r, int role)
{
    return r->roles[role].use;
}

static cudaError_t launch_role(const struct cal_residency *r, struct role *e, int blocks,
                               unsigned expected, const struct cal_residency_times *t,
                               cudaStream_t stream)
{
    struct cal_resident_run run = {r->state,
                                   e->records,
                                   expected,
                                   (unsigned long long)t->warm_ns,
                                   (unsigned long long)t->window_ns,
                                   (unsigned long long)t->cool_ns,
                                   (unsigned long long)t->wait_ns};
    e->launched = (size_t)blocks * (size_t)r->sms;
    return e->launched > 0
               ? e->of->resident.launch(&e->part, e->load, &run, (unsigned)e->launched, stream)
               : cudaSuccess;
}

int cal_residency_launch(struct cal_residency *r, const int blocks[CAL_RESIDENT_ROLES], int first,
                         const struct cal_residency_times *times,
                         const cudaStream_t streams[CAL_RESIDENT_ROLES], struct dcs_err *err)
{
    int all = 0;
    for (int i = 0; i < CAL_RESIDENT_ROLES; i++) {
        if (blocks[i] < 0 || blocks[i] > BLOCKS_OF_SM || (i >= r->roles_count && blocks[i] > 0) ||
            (int64_t)blocks[i] * r->sms > r->roles[i].load)
            return cal_fail(err, "%d blocks of a kernel in each SM cannot be launched", blocks[i]);
        all += blocks[i];
    }
    cudaError_t status = cudaMemset(r->state, 0, sizeof *r->state);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    for (int k = 0; k < r->roles_count && status == cudaSuccess; k++) {
        const int i = (first + k) % r->roles_count;
        if (blocks[i] > 0)
            status = launch_role(r, &r->roles[i], blocks[i], (unsigned)(all * r->sms), times,
                                 streams[i]);
        else
            r->roles[i].launched = 0;
    }
    return cal_fail_cuda(err, status, "launching kernels beside each other in each SM");
}

int cal_residency_read(struct cal_residency *r, bool *aborted, struct dcs_err *err)
{
    struct cal_resident_state state = {};
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = cudaMemcpy(&state, r->state, sizeof state, cudaMemcpyDeviceToHost);
    for (struct role &e : r->roles) {
        e.read.resize(e.launched);
        if (status == cudaSuccess && e.launched > 0)
            status = cudaMemcpy(e.read.data(), e.records, e.launched * sizeof *e.records,
                                cudaMemcpyDeviceToHost);
    }
    *aborted = state.aborted != 0;
    return cal_fail_cuda(err, status, "reading what kernels did beside each other");
}

const struct cal_resident_record *cal_residency_get_records(const struct cal_residency *r, int role,
                                                            size_t *count)
{
    *count = r->roles[role].read.size();
    return r->roles[role].read.data();
}

/* --- check --- */

static cudaError_t run_once(const struct cal_residency *r, struct role *e, bool persistent,
                            std::vector<unsigned char> *result)
{
    static const struct cal_residency_times none = {0, 0, 0, 0};
    result->resize(e->part.result_bytes);
    cudaError_t status = cudaMemset(e->part.result, 0, e->part.result_bytes);
    if (status == cudaSuccess)
        status = persistent ? launch_role(r, e, 1, 0, &none, NULL)
                            : e->of->launch_plain(&e->part, e->load, NULL);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = cudaMemcpy(result->data(), e->part.result, result->size(), cudaMemcpyDeviceToHost);
    return status;
}

int cal_residency_check(struct cal_residency *r, struct dcs_err *err)
{
    for (int i = 0; i < r->roles_count; i++) {
        struct role *e = &r->roles[i];
        std::vector<unsigned char> want, got;
        cudaError_t status = run_once(r, e, false, &want);
        if (status == cudaSuccess)
            status = run_once(r, e, true, &got);
        if (cal_fail_cuda(err, status, e->of->name) != 0 ||
            (e->of->check != NULL && e->of->check(&e->part, e->load, want.data(), err) != 0) ||
            cal_part_compare(e->of, got.data(), want.data(), want.size(), err) != 0)
            return -1;
    }
    return 0;
}
