/*
 * switch.cu - see switch.h.
 */
#include "calibrate/gpu/switch.h"

#include "calibrate/app/app.cuh"

#include <string.h>
#include <vector>

#define THREADS 128
#define TICKS   32

struct moments {
    unsigned long long begin_ns, end_ns;
};

struct cal_switch {
    struct moments *moments; /* [sample][second] */
    unsigned *own;           /* CAL_SWITCH_BLOCKS numbers */
    unsigned *numbers;       /* own, or another process's */
    unsigned *wrong;
    unsigned long long *tick;
};

namespace
{

__device__ unsigned long long now_ns()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

__global__ void stamped(struct moments *m, unsigned long long run_ns, unsigned *numbers,
                        unsigned chained, unsigned looked_for, unsigned written, unsigned *wrong)
{
    if (threadIdx.x == 0) {
        unsigned long long began = now_ns();
        atomicMin(&m->begin_ns, began);
        if (chained > 0 && ((volatile unsigned *)numbers)[blockIdx.x % chained] != looked_for)
            atomicAdd(wrong, 1u);
        /* Nobody overwrites what is looked for before it was seen: a kernel is much longer than its
         * blocks take to begin, and each is on an SM of its own. */
        while (now_ns() - began < run_ns)
            continue;
        numbers[blockIdx.x] = written;
        atomicMax(&m->end_ns, now_ns());
    }
    __syncthreads();
}

__global__ void ticking(unsigned long long *tick)
{
    unsigned long long least = ~0ull, before = now_ns();
    for (int n = 0; n < TICKS;) {
        unsigned long long now = now_ns();
        if (now != before) {
            least = now - before < least ? now - before : least;
            before = now;
            n++;
        }
    }
    *tick = least;
}

} // namespace

extern "C" struct cal_switch *cal_switch_create(struct dcs_err *err)
{
    struct cal_switch *s = new cal_switch();
    size_t bytes = 2 * CAL_SWITCH_ALL * sizeof *s->moments;
    std::vector<struct moments> none(2 * CAL_SWITCH_ALL, {~0ull, 0});
    if (cal_device_alloc((void **)&s->moments, bytes, err) == 0 &&
        cal_device_alloc((void **)&s->own, CAL_SWITCH_BLOCKS * sizeof *s->own, err) == 0 &&
        cal_device_alloc((void **)&s->wrong, sizeof *s->wrong, err) == 0 &&
        cal_device_alloc((void **)&s->tick, sizeof *s->tick, err) == 0 &&
        cal_fail_cuda(err, cudaMemcpy(s->moments, none.data(), bytes, cudaMemcpyHostToDevice),
                      "clearing the moments of kernels") == 0 &&
        cal_fail_cuda(err, cudaMemset(s->own, 0, CAL_SWITCH_BLOCKS * sizeof *s->own),
                      "clearing the numbers of kernels") == 0 &&
        cal_fail_cuda(err, cudaMemset(s->wrong, 0, sizeof *s->wrong), "clearing a count") == 0 &&
        cal_fail_cuda(err, cudaDeviceSynchronize(), "clearing") == 0) {
        s->numbers = s->own;
        return s;
    }
    cal_switch_destroy(s);
    return NULL;
}

extern "C" void cal_switch_destroy(struct cal_switch *s)
{
    if (s == NULL)
        return;
    if (s->numbers != NULL && s->numbers != s->own)
        cudaIpcCloseMemHandle(s->numbers);
    cudaFree(s->moments);
    cudaFree(s->own);
    cudaFree(s->wrong);
    cudaFree(s->tick);
    delete s;
}

extern "C" int cal_switch_launch(struct cal_switch *s, bool second, int sample, unsigned blocks,
                                 unsigned chained, cudaStream_t stream, struct dcs_err *err)
{
    /* Each kernel of the chain has the number after that of the one before. */
    unsigned place = 2 * (unsigned)sample + second;
    if (sample < 0 || sample >= CAL_SWITCH_ALL || blocks < 1 || blocks > CAL_SWITCH_BLOCKS)
        return cal_fail_cuda(err, cudaErrorInvalidValue, "a kernel of a chain");
    stamped<<<blocks, THREADS, 0, stream>>>(s->moments + place, CAL_SWITCH_FIRST_NS, s->numbers,
                                            chained, place, place + 1, s->wrong);
    return cal_fail_cuda(err, cudaGetLastError(),
                         second ? "the second kernel of a chain" : "the first kernel of a chain");
}

extern "C" int cal_switch_read(const struct cal_switch *s, int64_t *first_end_ns,
                               int64_t *second_begin_ns, int64_t *wrong, struct dcs_err *err)
{
    std::vector<struct moments> all(2 * CAL_SWITCH_ALL);
    unsigned count = 0;
    if (cal_fail_cuda(
            err,
            cudaMemcpy(all.data(), s->moments, all.size() * sizeof all[0], cudaMemcpyDeviceToHost),
            "reading the moments of kernels") != 0 ||
        cal_fail_cuda(err, cudaMemcpy(&count, s->wrong, sizeof count, cudaMemcpyDeviceToHost),
                      "reading a count") != 0)
        return -1;
    for (int i = 0; i < CAL_SWITCH_ALL; i++) {
        const struct moments &first = all[2 * i], &second = all[2 * i + 1];
        first_end_ns[i] = (int64_t)first.end_ns;
        second_begin_ns[i] = second.begin_ns == ~0ull ? 0 : (int64_t)second.begin_ns;
    }
    *wrong = count;
    return 0;
}

extern "C" int cal_switch_tick(struct cal_switch *s, cudaStream_t stream, int64_t *tick_ns,
                               struct dcs_err *err)
{
    unsigned long long tick = 0;
    ticking<<<1, 1, 0, stream>>>(s->tick);
    if (cal_fail_cuda(err, cudaGetLastError(), "reading the timer's step") != 0 ||
        cal_fail_cuda(err, cudaStreamSynchronize(stream), "reading the timer's step") != 0 ||
        cal_fail_cuda(err, cudaMemcpy(&tick, s->tick, sizeof tick, cudaMemcpyDeviceToHost),
                      "reading the timer's step") != 0)
        return -1;
    *tick_ns = (int64_t)tick;
    return 0;
}

extern "C" int cal_switch_export(const struct cal_switch *s, cudaIpcMemHandle_t *handle,
                                 struct dcs_err *err)
{
    return cal_fail_cuda(err, cudaIpcGetMemHandle(handle, s->own), "cudaIpcGetMemHandle");
}

extern "C" int cal_switch_import(struct cal_switch *s, const cudaIpcMemHandle_t *handle,
                                 struct dcs_err *err)
{
    void *found = NULL;
    if (cal_fail_cuda(err, cudaIpcOpenMemHandle(&found, *handle, cudaIpcMemLazyEnablePeerAccess),
                      "cudaIpcOpenMemHandle") != 0)
        return -1;
    s->numbers = (unsigned *)found;
    return 0;
}
