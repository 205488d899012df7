/*
 * fused_kernels.cu - see fused_kernels.h.
 */
#include "calibrate/gpu/fused_kernels.h"

#include "calibrate/gpu/exit_kernels.h"
#include "calibrate/gpu/fusion_body.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

/* --- the tensor part: convolutions of ResNet-50 (He et al., CVPR 2016) --- */

struct tensor {
    const char *name; /* its product's columns and depth, for a pixel */
    int channels, edge, kernel, channels_out;
    int tile; /* columns; what dnn_gemm_tile_n says */
};

static const struct tensor tensors[] = {
    {"conv-64x576", 64, 56, 3, 64, 64},      /* second stage, 3x3 */
    {"conv-256x2304", 256, 14, 3, 256, 128}, /* fourth stage, 3x3 */
    {"conv-2048x512", 512, 7, 1, 2048, 128}, /* fifth stage, 1x1 */
};
#define TENSORS (sizeof tensors / sizeof tensors[0])

static int create_tensor(struct cal_part *p, const struct tensor *t, int64_t images, uint64_t seed,
                         struct dcs_err *err)
{
    size_t pixels = (size_t)images * t->edge * t->edge;
    size_t x_values = pixels * t->channels;
    size_t w_values = (size_t)t->kernel * t->kernel * t->channels * t->channels_out;
    p->result_bytes = pixels * t->channels_out * sizeof(__half);
    __half *x = (__half *)cal_part_alloc(p, x_values * sizeof(__half), err);
    __half *w = (__half *)cal_part_alloc(p, w_values * sizeof(__half), err);
    __half *y = (__half *)cal_part_alloc(p, p->result_bytes, err);
    float deviation = sqrtf(2.0f / (float)(t->kernel * t->kernel * t->channels));
    if (x == NULL || w == NULL || y == NULL ||
        cal_fill_normal_f16(x, x_values, seed, 0, 1, err) != 0 ||
        cal_fill_normal_f16(w, w_values, seed + 1, 0, deviation, err) != 0)
        return -1;
    struct dnn_view in = {x, (int)images, t->edge, t->edge, t->channels, t->channels};
    struct dnn_view out = {y, (int)images, t->edge, t->edge, t->channels_out, t->channels_out};
    struct dnn_conv conv = {t->kernel, t->kernel, 1, t->kernel / 2, t->kernel / 2, 1};
    struct dnn_gemm g = dnn_gemm_forward(&conv, &in, &out, w, NULL, NULL);
    g.split_k = (g.k + 31) / 32 * 32; /* one block a tile, however few there are */
    g.partial = NULL;
    if (dnn_gemm_tile_n(&g) != t->tile)
        return cal_fail(err, "%s: the networks' kernel has another tile than the fused one",
                        t->name);
    p->result = y;
    cal_part_set_args(p, g);
    return 0;
}

static int tensor_blocks(const struct cal_part *p)
{
    struct dnn_gemm g;
    memcpy(&g, p->args, sizeof g);
    return dnn_gemm_blocks(&g);
}

static struct cal_solo_row tensor_solo(const struct tensor *t)
{
    if (t->tile == 64)
        return cal_make_solo<dnn_gemm_body<DNN_FORWARD, 64>, 2, true>();
    return cal_make_solo<dnn_gemm_body<DNN_FORWARD, 128>, 2, true>();
}

/* --- pairs --- */

const struct cal_fusion_pair *cal_fusion_pairs(size_t *count)
{
    static struct cal_fusion_pair pairs[TENSORS * CAL_FUSION_CUDAS * (1 + CAL_FUSED_ROWS)];
    static size_t pairs_count;
    if (pairs_count == 0)
        for (size_t t = 0; t < TENSORS; t++)
            for (size_t c = 0; c < CAL_FUSION_CUDAS; c++) {
                pairs[pairs_count++] = {tensors[t].name, cal_fusion_cudas[c]->alone.name, 0, 0};
                for (const struct cal_fused_row &row : cal_fusion_cudas[c]->fused)
                    if (row.tensor_tile == tensors[t].tile)
                        pairs[pairs_count++] = {tensors[t].name, cal_fusion_cudas[c]->alone.name,
                                                row.tensor_blocks, row.cuda_blocks};
            }
    *count = pairs_count;
    return pairs;
}

/* What is asked for must be in the tables: the pair comes from cal_fusion_pairs. */
__attribute__((noreturn)) static void broken(const char *what)
{
    fprintf(stderr, "dcsim-calibrate: internal error: %s\n", what);
    exit(70);
}

static const struct tensor *find_tensor(const char *name)
{
    for (const struct tensor &t : tensors)
        if (strcmp(t.name, name) == 0)
            return &t;
    broken("an unknown tensor kernel in a pair");
}

static const struct cal_fusion_cuda *find_cuda(const char *name)
{
    for (const struct cal_fusion_cuda *c : cal_fusion_cudas)
        if (strcmp(c->alone.name, name) == 0)
            return c;
    broken("an unknown CUDA kernel in a pair");
}

struct cal_fusion_limits cal_fusion_get_limits(const struct cal_fusion_pair *pair)
{
    return {16, 2048, 1024, 16, find_cuda(pair->cuda)->alone.load_max};
}

/* --- one pair at work --- */

struct launch_shape {
    unsigned grid;
    int blocks_per_sm, registers;
    int64_t local_bytes, shared_bytes;
};

struct cal_fusion {
    const struct cal_fusion_cuda *cuda;
    struct cal_solo_row tensor_row;
    const struct cal_fused_row *fused; /* NULL: one after the other */
    struct cal_part tensor_part, cuda_part;
    int tensor_load, cuda_load, cuda_load_max;
    struct launch_shape tensor_shape, cuda_shape, fused_shape;
    struct cal_fusion_clock *clock; /* on the device */
};

static int shape_launch(struct launch_shape *s, const struct cal_kernel_row *k, int sms,
                        const char *what, struct dcs_err *err)
{
    cudaFuncAttributes attributes;
    cudaError_t status = cudaFuncGetAttributes(&attributes, k->function);
    if (status == cudaSuccess)
        status = cudaFuncSetAttribute(k->function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)k->shared_bytes);
    if (status == cudaSuccess)
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&s->blocks_per_sm, k->function,
                                                               k->threads, k->shared_bytes);
    if (status != cudaSuccess)
        (void)cudaGetLastError();
    if (cal_fail_cuda(err, status, what) != 0)
        return -1;
    if (s->blocks_per_sm == 0)
        return cal_fail(err,
                        "%s: a block of %d threads, %d registers each, and %zu bytes of shared "
                        "memory does not fit on an SM",
                        what, k->threads, attributes.numRegs, k->shared_bytes);
    s->grid = (unsigned)(sms * s->blocks_per_sm);
    s->registers = attributes.numRegs;
    s->local_bytes = (int64_t)attributes.localSizeBytes;
    s->shared_bytes = (int64_t)(attributes.sharedSizeBytes + k->shared_bytes);
    return 0;
}

void cal_fusion_destroy(struct cal_fusion *f)
{
    if (f == NULL)
        return;
    for (struct cal_part *p : {&f->tensor_part, &f->cuda_part})
        for (int i = 0; i < p->memory_count; i++)
            cudaFree(p->memory[i]);
    cudaFree(f->clock);
    free(f);
}

static int fill(struct cal_fusion *f, const struct cal_fusion_pair *pair, const struct tensor *t,
                int64_t tensor_size, int64_t load, int sms, uint64_t seed, struct dcs_err *err)
{
    char what[128];
    snprintf(what, sizeof what, "fusion of %s and %s, %d to %d", pair->tensor, pair->cuda,
             pair->tensor_blocks, pair->cuda_blocks);
    if (shape_launch(&f->tensor_shape, &f->tensor_row.kernel, sms, t->name, err) != 0 ||
        shape_launch(&f->cuda_shape, &f->cuda->solo.kernel, sms, f->cuda->alone.name, err) != 0 ||
        (f->fused != NULL &&
         shape_launch(&f->fused_shape, &f->fused->kernel, sms, what, err) != 0) ||
        create_tensor(&f->tensor_part, t, tensor_size, seed, err) != 0 ||
        f->cuda->alone.create(&f->cuda_part, load, seed + 100, err) != 0 ||
        cal_device_alloc((void **)&f->clock, sizeof *f->clock, err) != 0)
        return -1;
    cudaError_t status = cudaMemset(f->clock, 0, sizeof *f->clock);
    if (status == cudaSuccess) /* integer results are added to; the others begin as something */
        status = cudaMemset(f->cuda_part.result, 0, f->cuda_part.result_bytes);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    f->tensor_load = tensor_blocks(&f->tensor_part);
    f->cuda_load = f->cuda_load_max = (int)load;
    return cal_fail_cuda(err, status, what);
}

struct cal_fusion *cal_fusion_create(const struct cal_fusion_pair *pair, int64_t tensor_size,
                                     int64_t load, int sms, uint64_t seed, struct dcs_err *err)
{
    const struct tensor *t = find_tensor(pair->tensor);
    const struct cal_fusion_limits limits = cal_fusion_get_limits(pair);
    if (tensor_size < 1 || tensor_size > limits.tensor_max || load < 1 || load > limits.load_max)
        broken("a size or a load of a fused kernel is out of range");
    struct cal_fusion *f = (struct cal_fusion *)calloc(1, sizeof *f);
    if (f == NULL) {
        cal_fail(err, "fusion: out of host memory");
        return NULL;
    }
    f->cuda = find_cuda(pair->cuda);
    f->tensor_row = tensor_solo(t);
    for (const struct cal_fused_row &row : f->cuda->fused)
        if (row.tensor_tile == t->tile && row.tensor_blocks == pair->tensor_blocks &&
            row.cuda_blocks == pair->cuda_blocks)
            f->fused = &row;
    if (f->fused == NULL && (pair->tensor_blocks != 0 || pair->cuda_blocks != 0))
        broken("an unknown ratio in a pair");
    if (fill(f, pair, t, tensor_size, load, sms, seed, err) != 0) {
        cal_fusion_destroy(f);
        return NULL;
    }
    return f;
}

void cal_fusion_set_load(struct cal_fusion *f, int64_t load)
{
    if (load < 1 || load > f->cuda_load_max)
        broken("a load of a fused kernel is out of range");
    f->cuda_load = (int)load;
}

cudaError_t cal_fusion_launch_tensor(struct cal_fusion *f, cudaStream_t stream)
{
    return f->tensor_row.launch(&f->tensor_part, f->tensor_load, f->clock, f->tensor_shape.grid,
                                stream);
}

cudaError_t cal_fusion_launch_cuda(struct cal_fusion *f, cudaStream_t stream)
{
    return f->cuda->solo.launch(&f->cuda_part, f->cuda_load, f->clock, f->cuda_shape.grid, stream);
}

cudaError_t cal_fusion_launch_fused(struct cal_fusion *f, cudaStream_t stream)
{
    if (f->fused != NULL)
        return f->fused->launch(&f->tensor_part, f->tensor_load, &f->cuda_part, f->cuda_load,
                                f->clock, f->fused_shape.grid, stream);
    cudaError_t status = cal_fusion_launch_tensor(f, stream);
    return status == cudaSuccess ? cal_fusion_launch_cuda(f, stream) : status;
}

int cal_fusion_read_times(struct cal_fusion *f, struct cal_fusion_times *times, struct dcs_err *err)
{
    struct cal_fusion_clock clock;
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = cudaMemcpy(&clock, f->clock, sizeof clock, cudaMemcpyDeviceToHost);
    if (cal_fail_cuda(err, status, "reading the times of a fused kernel") != 0)
        return -1;
    unsigned long long begin =
        clock.tensor.begin_ns < clock.cuda.begin_ns ? clock.tensor.begin_ns : clock.cuda.begin_ns;
    times->tensor_end_ns = (int64_t)(clock.tensor.end_ns - begin);
    times->cuda_end_ns = (int64_t)(clock.cuda.end_ns - begin);
    return 0;
}

struct cal_fusion_resources cal_fusion_get_resources(const struct cal_fusion *f)
{
    if (f->fused != NULL)
        return {f->fused_shape.registers, f->fused->kernel.threads, f->fused_shape.blocks_per_sm,
                f->fused_shape.shared_bytes, f->fused_shape.local_bytes};
    const struct launch_shape *t = &f->tensor_shape, *c = &f->cuda_shape;
    int tensor_threads = f->tensor_row.kernel.threads, cuda_threads = f->cuda->solo.kernel.threads;
    return {t->registers > c->registers ? t->registers : c->registers,
            tensor_threads > cuda_threads ? tensor_threads : cuda_threads,
            t->blocks_per_sm > c->blocks_per_sm ? t->blocks_per_sm : c->blocks_per_sm,
            t->shared_bytes > c->shared_bytes ? t->shared_bytes : c->shared_bytes,
            t->local_bytes > c->local_bytes ? t->local_bytes : c->local_bytes};
}

/* --- requests as parts --- */

struct cal_fuser {
    struct cal_fusion_clock *clock;                   /* on the device */
    unsigned grids[CAL_FUSION_CUDAS][CAL_FUSED_ROWS]; /* 0: not loaded */
};

/* A fused kernel for which this device has no room is none. */
static void load_rows(struct cal_fuser *f, const char *app, int sms, struct dcs_err *why)
{
    for (size_t c = 0; c < CAL_FUSION_CUDAS; c++)
        for (int i = 0; strcmp(cal_fusion_cudas[c]->alone.name, app) == 0 && i < CAL_FUSED_ROWS;
             i++) {
            struct launch_shape s = {};
            if (shape_launch(&s, &cal_fusion_cudas[c]->fused[i].kernel, sms, app, why) == 0)
                f->grids[c][i] = s.grid;
        }
}

struct cal_fuser *cal_fuser_create(const char *const *apps, size_t count, int sms,
                                   struct dcs_err *err)
{
    struct cal_fuser *f = (struct cal_fuser *)calloc(1, sizeof *f);
    if (f == NULL) {
        cal_fail(err, "fusion: out of host memory");
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        load_rows(f, apps[i], sms, err);
    if (cal_device_alloc((void **)&f->clock, sizeof *f->clock, err) != 0 ||
        cal_fail_cuda(err, cudaMemset(f->clock, 0, sizeof *f->clock), "fusion") != 0) {
        cal_fuser_destroy(f);
        return NULL;
    }
    return f;
}

void cal_fuser_destroy(struct cal_fuser *f)
{
    if (f == NULL)
        return;
    cudaFree(f->clock);
    free(f);
}

/* The one launch of a kernel, of a grid of one dimension and one argument; NULL: it is another. */
static const struct cal_launch *only_launch(const struct cal_fuser_side *s)
{
    const struct cal_kernel *k = &s->plan->kernels[s->kernel];
    if (k->kind != CAL_COMPUTE || k->launches != 1)
        return NULL;
    const struct cal_launch *l = &s->plan->launches[k->first_launch];
    bool plain = l->args_count == 1 && l->grid[1] == 1 && l->grid[2] == 1 && l->block[1] == 1 &&
                 l->block[2] == 1;
    return plain ? l : NULL;
}

static struct cal_part part_of(const struct cal_launch *l)
{
    struct cal_part p = {};
    const size_t left = sizeof l->args - l->offset[0];
    memcpy(p.args, l->args + l->offset[0], left < sizeof p.args ? left : sizeof p.args);
    return p;
}

/* The tile of a forward convolution; 0: the launch is of something else. */
static int tile_of(const struct cal_launch *l, const struct cal_part *p)
{
    struct dnn_gemm g;
    memcpy(&g, p->args, sizeof g);
    const int tile = dnn_gemm_tile_n(&g);
    const size_t shared = tile == 64 ? sizeof(dnn_gemm_body<DNN_FORWARD, 64>::shared)
                                     : sizeof(dnn_gemm_body<DNN_FORWARD, 128>::shared);
    return l->block[0] == dnn_gemm_threads && l->shared_bytes == shared ? tile : 0;
}

int cal_fuser_launch(struct cal_fuser *f, const struct cal_fuser_side *tensor,
                     const struct cal_fuser_side *cuda, const char *cuda_app, int tensor_blocks,
                     int cuda_blocks, cudaStream_t stream, struct dcs_err *err)
{
    const struct cal_launch *t = only_launch(tensor), *c = only_launch(cuda);
    bool tensor_cores = tensor->plan->kernels[tensor->kernel].cores == CAL_TENSOR_CORES;
    for (size_t i = 0;
         t != NULL && c != NULL && tensor_cores && i < CAL_FUSION_CUDAS * CAL_FUSED_ROWS; i++) {
        const struct cal_fusion_cuda *of = cal_fusion_cudas[i / CAL_FUSED_ROWS];
        const struct cal_fused_row *row = &of->fused[i % CAL_FUSED_ROWS];
        const unsigned grid = f->grids[i / CAL_FUSED_ROWS][i % CAL_FUSED_ROWS];
        if (grid == 0 || strcmp(of->alone.name, cuda_app) != 0 ||
            row->tensor_blocks != tensor_blocks || row->cuda_blocks != cuda_blocks ||
            (int)c->block[0] != of->solo.kernel.threads || c->shared_bytes != 0)
            continue;
        const struct cal_part a = part_of(t), b = part_of(c);
        if (tile_of(t, &a) != row->tensor_tile)
            continue;
        return cal_fail_cuda(
            err, row->launch(&a, (int)t->grid[0], &b, (int)c->grid[0], f->clock, grid, stream),
            "a fused launch");
    }
    return cal_fail(err, "kernels %s and %s of %s are none that are fused %d to %d here",
                    tensor->plan->kernels[tensor->kernel].name,
                    cuda->plan->kernels[cuda->kernel].name, cuda_app, tensor_blocks, cuda_blocks);
}

/* --- check --- */

struct results {
    std::vector<unsigned char> tensor, cuda;
};

/* Results begin as what no kernel leaves: not a number as half, 8e37 as float. */
#define FILLER 0x7e

static cudaError_t clear_results(struct cal_fusion *f)
{
    cudaError_t status = cudaMemset(f->tensor_part.result, FILLER, f->tensor_part.result_bytes);
    if (status == cudaSuccess)
        status = cudaMemset(f->cuda_part.result, f->cuda->alone.counts ? 0 : FILLER,
                            f->cuda_part.result_bytes);
    return status;
}

static cudaError_t read_results(struct cal_fusion *f, struct results *r)
{
    r->tensor.resize(f->tensor_part.result_bytes);
    r->cuda.resize(f->cuda_part.result_bytes);
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = cudaMemcpy(r->tensor.data(), f->tensor_part.result, r->tensor.size(),
                            cudaMemcpyDeviceToHost);
    if (status == cudaSuccess)
        status =
            cudaMemcpy(r->cuda.data(), f->cuda_part.result, r->cuda.size(), cudaMemcpyDeviceToHost);
    return status;
}

/* As the networks and the batch applications launch them. */
static cudaError_t launch_ordinary(struct cal_fusion *f)
{
    struct dnn_gemm g;
    memcpy(&g, f->tensor_part.args, sizeof g);
    struct cal_plan plan = {};
    cal_begin_kernel(&plan, CAL_COMPUTE, "conv", "conv");
    dnn_add_forward(&plan, &g);
    cudaError_t status = cal_enqueue(&plan, &plan.kernels[0], NULL);
    cal_plan_release(&plan);
    return status == cudaSuccess ? f->cuda->alone.launch_plain(&f->cuda_part, f->cuda_load, NULL)
                                 : status;
}

static cudaError_t launch_persistent(struct cal_fusion *f)
{
    cudaError_t status = cal_fusion_launch_tensor(f, NULL);
    return status == cudaSuccess ? cal_fusion_launch_cuda(f, NULL) : status;
}

static cudaError_t launch_pair(struct cal_fusion *f)
{
    return cal_fusion_launch_fused(f, NULL);
}

/* Plans of one kernel each, as those of two requests. */
static int launch_requests(struct cal_fusion *f, const struct cal_fusion_pair *pair, int sms,
                           struct dcs_err *err)
{
    struct dnn_gemm g;
    memcpy(&g, f->tensor_part.args, sizeof g);
    struct cal_plan tensor = {}, cuda = {};
    cal_begin_kernel(&tensor, CAL_COMPUTE, "conv", "conv")->cores = CAL_TENSOR_CORES;
    dnn_add_forward(&tensor, &g);
    cal_begin_kernel(&cuda, CAL_COMPUTE, "body", "body");
    struct cal_launch *l = cal_new_launch(&cuda, f->cuda->solo.kernel.function, f->cuda_load,
                                          f->cuda->solo.kernel.threads, 0);
    cal_push_argument(l, f->cuda_part.args, sizeof f->cuda_part.args, 16);
    const struct cal_fuser_side first = {&tensor, 0}, second = {&cuda, 0};
    struct cal_fuser *fuser = cal_fuser_create(&pair->cuda, 1, sms, err);
    int failed = fuser == NULL ||
                 cal_fuser_launch(fuser, &first, &second, pair->cuda, pair->tensor_blocks,
                                  pair->cuda_blocks, NULL, err) != 0 ||
                 cal_fail_cuda(err, cudaDeviceSynchronize(), "a fused launch of requests") != 0;
    cal_fuser_destroy(fuser);
    cal_plan_release(&tensor);
    cal_plan_release(&cuda);
    return failed ? -1 : 0;
}

/* The CUDA part by blocks that look at an exit flag; stopped: it is set before. */
static int launch_exiting(struct cal_fusion *f, const char *app, bool stopped, struct dcs_err *err)
{
    struct cal_plan cuda = {};
    uint32_t number = 0;
    cal_begin_kernel(&cuda, CAL_COMPUTE, "body", "body");
    struct cal_launch *l = cal_new_launch(&cuda, f->cuda->solo.kernel.function, f->cuda_load,
                                          f->cuda->solo.kernel.threads, 0);
    cal_push_argument(l, f->cuda_part.args, f->cuda_part.args_bytes, 16);
    struct cal_exiter *e = cal_exiter_create(err);
    int failed = e == NULL || (stopped && cal_exiter_stop(e, 1, err) != 0) ||
                 cal_fail_cuda(err, cudaDeviceSynchronize(), "setting an exit flag") != 0;
    if (!failed && cal_exiter_enqueue(e, app, &cuda, 0, NULL, &number, err) != 1)
        failed = cal_fail(err, "%s has no kernel with an exit flag", app);
    failed = failed || number != 1 ||
             cal_fail_cuda(err, cudaDeviceSynchronize(), "a kernel with an exit flag") != 0;
    cal_exiter_destroy(e);
    cal_plan_release(&cuda);
    return failed ? -1 : 0;
}

static int compare_results(const struct cal_fusion *f, const struct results *got,
                           const struct results *want, struct dcs_err *err)
{
    /* Half precision: compared as numbers, since one bit of it is much. */
    size_t n = got->tensor.size() / sizeof(__half);
    std::vector<float> a(n), b(n);
    for (size_t i = 0; i < n; i++) {
        a[i] = __half2float(((const __half *)got->tensor.data())[i]);
        b[i] = __half2float(((const __half *)want->tensor.data())[i]);
    }
    if (cal_compare_f32(a.data(), b.data(), n, 1e-3, 1e-3, "tensor part", err) != 0)
        return -1;
    return cal_part_compare(&f->cuda->alone, got->cuda.data(), want->cuda.data(), got->cuda.size(),
                            err);
}

/* A flag that is not set changes nothing; behind one that is set nothing is written. */
static int check_exiting(struct cal_fusion *f, const char *app, const struct results *want,
                         struct dcs_err *err)
{
    struct results cleared, got;
    for (int stopped = 0; stopped < 2; stopped++) {
        if (cal_fail_cuda(err, clear_results(f), "checking exit flags") != 0 ||
            cal_fail_cuda(err, read_results(f, &cleared), "checking exit flags") != 0 ||
            launch_exiting(f, app, stopped != 0, err) != 0 ||
            cal_fail_cuda(err, read_results(f, &got), "checking exit flags") != 0)
            return -1;
        if (stopped == 0 && cal_part_compare(&f->cuda->alone, got.cuda.data(), want->cuda.data(),
                                             got.cuda.size(), err) != 0)
            return -1;
    }
    return got.cuda == cleared.cuda
               ? 0
               : cal_fail(err, "%s: blocks ran although their exit flag was set", app);
}

int cal_fusion_check(struct cal_fusion *f, const struct cal_fusion_pair *pair, int sms,
                     struct dcs_err *err)
{
    cudaError_t (*const launches[])(struct cal_fusion *) = {launch_ordinary, launch_persistent,
                                                            launch_pair};
    struct results want, got;
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++) {
        cudaError_t status = clear_results(f);
        if (status == cudaSuccess)
            status = launches[i](f);
        if (status == cudaSuccess)
            status = read_results(f, i == 0 ? &want : &got);
        if (cal_fail_cuda(err, status, "checking a fused kernel") != 0 ||
            (i > 0 && compare_results(f, &got, &want, err) != 0))
            return -1;
    }
    if (cal_exiter_serves(pair->cuda) && check_exiting(f, pair->cuda, &want, err) != 0)
        return -1;
    if (f->fused == NULL)
        return 0;
    if (cal_fail_cuda(err, clear_results(f), "checking a fused kernel") != 0 ||
        launch_requests(f, pair, sms, err) != 0 ||
        cal_fail_cuda(err, read_results(f, &got), "checking a fused kernel") != 0)
        return -1;
    return compare_results(f, &got, &want, err);
}
