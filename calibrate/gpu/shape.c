/*
 * shape.c - see shape.h.
 */
#include "calibrate/gpu/shape.h"
#include "calibrate/gpu/gpu_driver.h"

#include <cuda.h>
#include <stdlib.h>
#include <string.h>

/* --- launches of our own --- */

static int64_t product(const unsigned *three)
{
    return (int64_t)three[0] * three[1] * three[2];
}

static int of_plan(struct cal_gpu *g, const struct cal_work *w, const struct cal_kernel *k,
                   struct cal_shape_facts *facts, struct dcs_err *err)
{
    const struct cal_launch *largest = &w->plan.launches[k->first_launch];
    for (uint32_t i = 1; i < k->launches; i++) {
        const struct cal_launch *l = &w->plan.launches[k->first_launch + i];
        if (product(l->grid) > product(largest->grid))
            largest = l;
    }
    struct cudaFuncAttributes attributes;
    if (cal_gpu_check(g, cudaFuncGetAttributes(&attributes, largest->function),
                      "asking a kernel's attributes", err) != 0)
        return -1;
    int per_sm = 0;
    facts->blocks = product(largest->grid);
    facts->threads_per_block = product(largest->block);
    facts->registers = attributes.numRegs;
    facts->shared_bytes = (int64_t)attributes.sharedSizeBytes + largest->shared_bytes;
    if (cal_gpu_check(g,
                      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, largest->function,
                                                                    (int)facts->threads_per_block,
                                                                    largest->shared_bytes),
                      "asking a kernel's occupancy", err) != 0)
        return -1;
    facts->blocks_per_sm = per_sm;
    return 0;
}

/* --- a library's --- */

/* The runtime knows only kernels of this program: a library's are asked for at the driver. */
struct driver {
    CUresult(CUDAAPI *node)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS *);
    CUresult(CUDAAPI *function_of)(CUfunction *, CUkernel);
    CUresult(CUDAAPI *attribute)(int *, CUfunction_attribute, CUfunction);
    CUresult(CUDAAPI *occupancy)(int *, CUfunction, int, size_t);
};

static bool find_driver(struct driver *d)
{
    const struct cal_driver_call wanted[] = {
        {&d->node, "cuGraphKernelNodeGetParams", 12000},
        {&d->function_of, "cuKernelGetFunction", 12000},
        {&d->attribute, "cuFuncGetAttribute", 2020},
        {&d->occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050},
    };
    return cal_driver_find(wanted, sizeof wanted / sizeof *wanted);
}

/* NULL: the call cannot be captured. */
static cudaGraph_t capture(struct cal_gpu *g, const struct cal_kernel *k)
{
    cudaStream_t stream = g->cached[0].stream;
    cudaGraph_t graph = NULL;
    /* Relaxed: the library may allocate or load code meanwhile. */
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
        int status = k->call(k->context, stream);
        if (cudaStreamEndCapture(stream, &graph) == cudaSuccess && status == 0 && graph != NULL)
            return graph;
    }
    if (graph != NULL)
        cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    return NULL;
}

static void resources_of(const struct driver *d, const CUDA_KERNEL_NODE_PARAMS *p,
                         struct cal_shape_facts *facts)
{
    CUfunction function = p->func;
    int registers, fixed, per_sm;
    facts->blocks_per_sm = 0;
    if ((function == NULL && d->function_of(&function, p->kern) != CUDA_SUCCESS) ||
        d->attribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function) != CUDA_SUCCESS ||
        d->attribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function) != CUDA_SUCCESS ||
        d->occupancy(&per_sm, function, (int)facts->threads_per_block, p->sharedMemBytes) !=
            CUDA_SUCCESS)
        return;
    facts->registers = registers;
    facts->shared_bytes = (int64_t)fixed + p->sharedMemBytes;
    facts->blocks_per_sm = per_sm;
}

static void of_node(const struct driver *d, cudaGraphNode_t node, struct cal_shape_facts *facts)
{
    CUDA_KERNEL_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    if (d->node(node, &p) != CUDA_SUCCESS)
        return;
    const unsigned grid[] = {p.gridDimX, p.gridDimY, p.gridDimZ};
    const unsigned block[] = {p.blockDimX, p.blockDimY, p.blockDimZ};
    if (product(grid) <= facts->blocks)
        return;
    facts->blocks = product(grid);
    facts->threads_per_block = product(block);
    resources_of(d, &p, facts);
}

static void of_graph(cudaGraph_t graph, struct cal_shape_facts *facts)
{
    struct driver driver;
    bool known = find_driver(&driver);
    size_t count = 0;
    int64_t kernels = 0;
    if (cudaGraphGetNodes(graph, NULL, &count) != cudaSuccess)
        count = 0;
    cudaGraphNode_t *nodes = dcs_alloc(count + 1, sizeof *nodes);
    if (count > 0 && cudaGraphGetNodes(graph, nodes, &count) != cudaSuccess)
        count = 0;
    for (size_t i = 0; i < count; i++) {
        enum cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
        if (cudaGraphNodeGetType(nodes[i], &type) != cudaSuccess || type != cudaGraphNodeTypeKernel)
            continue;
        kernels++;
        if (known)
            of_node(&driver, nodes[i], facts);
    }
    if (kernels > 0)
        facts->launches = kernels;
    free(nodes);
    (void)cudaGetLastError();
}

/* --- both --- */

int cal_shape_facts(struct cal_gpu *g, const struct cal_work *w, size_t shape,
                    struct cal_shape_facts *facts, struct dcs_err *err)
{
    const struct cal_kernel *k = &w->plan.kernels[w->shapes[shape].first];
    *facts = (struct cal_shape_facts){.launches = cal_kernel_launches(k)};
    if (k->kind == CAL_COMPUTE)
        return of_plan(g, w, k, facts, err);
    if (k->kind != CAL_LIBRARY)
        return 0;
    cudaGraph_t graph = capture(g, k);
    if (graph == NULL)
        return 0;
    of_graph(graph, facts);
    return cal_gpu_check(g, cudaGraphDestroy(graph), "capturing a library's call", err);
}

int cal_shape_store(struct cal_session *s, const struct cal_work *w, size_t shape,
                    struct dcs_err *err)
{
    const struct cal_kernel *k = &w->plan.kernels[w->shapes[shape].first];
    const char *cores = k->cores == CAL_TENSOR_CORES ? "tensor" : "cuda",
               *kind = cal_kind_name(k->kind);
    struct cal_shape_facts f;
    if (cal_shape_facts(s->gpu, w, shape, &f, err) != 0)
        return -1;
    if (k->kind == CAL_TO_DEVICE || k->kind == CAL_FROM_DEVICE)
        return cal_store_put(s->store, err, "kernel_shape", "titttinnnnnnrii", w->app->name,
                             w->size, k->shape, kind, cores, f.launches, k->bytes,
                             (int64_t)k->transfer_bytes, (int64_t)k->repeatable);
    if (f.blocks == 0)
        return cal_store_put(s->store, err, "kernel_shape", "titttinnnnnrrni", w->app->name,
                             w->size, k->shape, kind, cores, f.launches, k->flop, k->bytes,
                             (int64_t)k->repeatable);
    if (f.blocks_per_sm == 0)
        return cal_store_put(s->store, err, "kernel_shape", "titttiiinnnrrni", w->app->name,
                             w->size, k->shape, kind, cores, f.launches, f.blocks,
                             f.threads_per_block, k->flop, k->bytes, (int64_t)k->repeatable);
    return cal_store_put(s->store, err, "kernel_shape", "titttiiiiiirrni", w->app->name, w->size,
                         k->shape, kind, cores, f.launches, f.blocks, f.threads_per_block,
                         f.registers, f.shared_bytes, f.blocks_per_sm, k->flop, k->bytes,
                         (int64_t)k->repeatable);
}
