/*
 * bfs.cu - breadth-first search of a random directed graph, level by level.
 *
 * Harish and Narayanan, "Accelerating large graph algorithms on the GPU using CUDA", HiPC 2007: one
 * thread for each node in every level; a node of the frontier gives its neighbours their distance.
 * C-Laius table 3 (BFS), TReM table III (BFS), Themis.
 *
 * A size is a number of nodes; a node has 4 to 8 edges, 6 on average, in compressed rows. A kernel
 * is one level, or several thin ones together. The distances themselves mark the frontier (the
 * original keeps masks beside them), which makes a level repeatable: it finds the same frontier and
 * writes the same distances again.
 *
 * The graph is made in layers, so that the number of levels, which the original asks the device for
 * after each level, is known: a node of layer l has edges to any node of layers 0 to l + 1, each
 * node of layer l + 1 has one from layer l, and the layers grow about as the levels of a random
 * graph do. Numbers of nodes are scattered over the layers. The graph stays on the device, as for
 * many searches of one graph; the distances go to the host.
 */
#include "calibrate/app/app.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

constexpr int layers_max = 24, degree_min = 4, degree_mean = 6, block = 256;
constexpr int32_t unreached = INT32_MAX;

struct layers {
    int64_t begin[layers_max + 1]; /* positions; the last is the number of nodes */
    int count;
};

struct bfs {
    int64_t nodes;
    int32_t source;
    struct layers layers;
    int32_t *row, *edges, *distance; /* device */
    int32_t *result;                 /* host */
};

/* Numbers of nodes: position * step mod nodes, a permutation, as step and nodes have no common
 * factor. */
struct numbering {
    uint64_t step, nodes;
};

__host__ __device__ int32_t number_of(struct numbering m, uint64_t position)
{
    return (int32_t)(position * m.step % m.nodes);
}

/* 4, 5, 6, 7, 8, 4, ... edges: the sums have a closed form. */
__host__ __device__ int32_t row_of(int64_t node)
{
    int64_t rest = node % 5;
    return (int32_t)(node / 5 * 30 + rest * degree_min + rest * (rest - 1) / 2);
}

__device__ uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Position p of layer l: edge k leads to position p + k * (size of l) of layer l + 1, which gives
 * each node of that layer one, and beyond it to anywhere up to the end of layer l + 1. */
__global__ void make_graph(struct layers layers, struct numbering numbering, uint64_t seed,
                           int32_t *row, int32_t *edges)
{
    int64_t position = blockIdx.x * (int64_t)block + threadIdx.x;
    int64_t nodes = (int64_t)numbering.nodes;
    if (position >= nodes)
        return;
    int32_t node = number_of(numbering, (uint64_t)position);
    int32_t at = row_of(node), end = row_of(node + (int64_t)1);
    row[node] = at;
    if (node == nodes - 1)
        row[nodes] = end;
    int l = 0;
    while (layers.begin[l + 1] <= position)
        l++;
    int64_t size = layers.begin[l + 1] - layers.begin[l];
    int64_t reach = l + 1 < layers.count ? layers.begin[l + 2] : nodes;
    int64_t child = position + size;
    for (; at < end; at++, child += size) {
        uint64_t random = mix(mix(seed + (uint64_t)at * UINT64_C(0x9e3779b97f4a7c15)));
        int64_t to = child < reach ? child : (int64_t)(random % (uint64_t)reach);
        edges[at] = number_of(numbering, (uint64_t)to);
    }
}

__global__ void start(int32_t *distance, int32_t nodes, int32_t source)
{
    int32_t node = (int32_t)(blockIdx.x * block + threadIdx.x);
    if (node < nodes)
        distance[node] = node == source ? 0 : unreached;
}

/* Threads that reach one node at once all write the same value; atomics say so. */
__global__ void visit(const int32_t *row, const int32_t *edges, int32_t *distance, int32_t nodes,
                      int32_t level)
{
    int32_t node = (int32_t)(blockIdx.x * block + threadIdx.x);
    if (node >= nodes || distance[node] != level)
        return;
    int32_t end = row[node + 1];
    for (int32_t at = row[node]; at < end; at++) {
        int32_t to = edges[at];
        if (distance[to] > level)
            atomicExch(&distance[to], level + 1);
    }
}

uint64_t common_factor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

/* Levels of a random graph: a node that is not reached yet stays so with probability
 * exp(-degree * frontier / nodes). What would never be reached joins the last layer. */
void make_layers(struct layers *layers, int64_t nodes)
{
    int64_t size = 1, at = 0;
    layers->count = 0;
    while (at < nodes) {
        layers->begin[layers->count++] = at;
        at += size;
        int64_t rest = nodes - at;
        int64_t next =
            (int64_t)((double)rest * -expm1(-(double)degree_mean * (double)size / (double)nodes));
        next = next < 1 ? 1 : next;
        next = next > degree_min * size ? degree_min * size : next;
        if (next > size && rest - next > size / 2)
            size = next;
        else /* the rest, in as many layers as have room for its first edges */
            size = rest < degree_min * size ? rest : degree_min * size;
    }
    layers->begin[layers->count] = nodes;
}

void bfs_destroy(void *state)
{
    struct bfs *b = (struct bfs *)state;
    if (b == NULL)
        return;
    cudaFree(b->row);
    cudaFree(b->edges);
    cudaFree(b->distance);
    cudaFreeHost(b->result);
    free(b);
}

int fill(struct bfs *b, uint64_t seed, struct dcs_err *err)
{
    struct numbering numbering = {(uint64_t)((double)b->nodes * 0.6180339887) | 1,
                                  (uint64_t)b->nodes};
    while (common_factor(numbering.step, numbering.nodes) != 1)
        numbering.step += 2;
    make_layers(&b->layers, b->nodes);
    b->source = number_of(numbering, 0);
    struct cal_plan p = {};
    cal_begin_kernel(&p, CAL_COMPUTE, "graph", "graph");
    cal_add_launch(&p, make_graph, cal_blocks(b->nodes, block), block, 0, b->layers, numbering,
                   seed, b->row, b->edges);
    cudaError_t status = cal_enqueue(&p, &p.kernels[0], 0);
    cal_plan_release(&p);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    return cal_fail_cuda(err, status, "making the graph");
}

void *bfs_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct bfs *b = (struct bfs *)calloc(1, sizeof *b);
    if (b == NULL) {
        cal_fail(err, "out of memory");
        return NULL;
    }
    b->nodes = size;
    size_t row_bytes = (size_t)(size + 1) * sizeof *b->row;
    size_t edges_bytes = (size_t)row_of(size) * sizeof *b->edges;
    if (cal_device_alloc((void **)&b->row, row_bytes, err) != 0 ||
        cal_device_alloc((void **)&b->edges, edges_bytes, err) != 0 ||
        cal_device_alloc((void **)&b->distance, row_bytes, err) != 0 ||
        cal_host_alloc((void **)&b->result, row_bytes, err) != 0 || fill(b, seed, err) != 0) {
        bfs_destroy(b);
        return NULL;
    }
    return b;
}

/* Levels with less than this part of the nodes take as long as the scan for the frontier: they go
 * together. */
constexpr int64_t thin = 16;

int bfs_plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    const struct bfs *b = (const struct bfs *)state;
    unsigned blocks = cal_blocks(b->nodes, block);
    double scan = 4.0 * (double)b->nodes;
    struct cal_kernel *k =
        cal_begin_kernel(p, CAL_COMPUTE, "start", "start_%lld", (long long)b->nodes);
    k->repeatable = true;
    k->flop = (double)b->nodes; /* comparisons */
    k->bytes = scan;
    cal_add_launch(p, start, blocks, block, 0, b->distance, (int32_t)b->nodes, b->source);
    bool open = false;
    /* No level after the last: nothing is left to be found. */
    for (int l = 0; l < b->layers.count; l++) {
        int64_t size = b->layers.begin[l + 1] - b->layers.begin[l];
        bool is_thin = size < b->nodes / thin;
        if (!open || !is_thin) {
            char name[CAL_NAME_BYTES];
            snprintf(name, sizeof name, is_thin ? "levels_from_%d" : "level_%d", l);
            k = cal_begin_kernel(p, CAL_COMPUTE, name, "visit_%lld_of_%lld_from_level_%d",
                                 (long long)size, (long long)b->nodes, l);
            k->repeatable = true;
        }
        open = is_thin;
        /* The scan; for each node of the frontier its row and edges, for each edge a look at the
         * distance of its end, a 32-byte sector that no neighbour shares. */
        k->flop += (double)b->nodes + degree_mean * (double)size;
        k->bytes += scan + (double)size * (8 + degree_mean * (4 + 32));
        cal_add_launch(p, visit, blocks, block, 0, b->row, b->edges, b->distance, (int32_t)b->nodes,
                       l);
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "distances", b->result, b->distance,
                     (size_t)b->nodes * sizeof *b->distance);
    return 0;
}

int bfs_check(void *state, struct dcs_err *err)
{
    const struct bfs *b = (const struct bfs *)state;
    size_t nodes = (size_t)b->nodes;
    std::vector<int32_t> row(nodes + 1), edges((size_t)row_of(b->nodes));
    std::vector<int32_t> want(nodes, unreached), queue;
    if (cal_fail_cuda(err, cudaMemcpy(row.data(), b->row, row.size() * 4, cudaMemcpyDeviceToHost),
                      "copying the graph") != 0 ||
        cal_fail_cuda(err,
                      cudaMemcpy(edges.data(), b->edges, edges.size() * 4, cudaMemcpyDeviceToHost),
                      "copying the graph") != 0)
        return -1;
    want[(size_t)b->source] = 0;
    queue.push_back(b->source);
    for (size_t head = 0; head < queue.size(); head++) {
        size_t node = (size_t)queue[head];
        for (int32_t at = row[node]; at < row[node + 1]; at++) {
            size_t to = (size_t)edges[(size_t)at];
            if (want[to] == unreached) {
                want[to] = want[node] + 1;
                queue.push_back((int32_t)to);
            }
        }
    }
    if (queue.size() != nodes)
        return cal_fail(err, "the graph has %zu nodes, and %zu can be reached", nodes,
                        queue.size());
    return cal_compare_i32(b->result, want.data(), nodes, "distances", err);
}

} // namespace

extern "C" const struct cal_app cal_app_bfs = {
    .name = "bfs",
    .role = CAL_BATCH,
    .papers = "C-Laius table 3: BFS; TReM table III: BFS; Themis: bfs",
    .algorithm =
        "Harish and Narayanan, HiPC 2007: level-synchronous search, a thread for each node",
    .size_unit = "nodes",
    .size_min = 1000000,
    .size_max = 36000000,
    .size_default = 24000000,
    .size_check = 65536,
    .size_step = 1000,
    .sla_ns = 0,
    .create = bfs_create,
    .plan = bfs_plan,
    .check = bfs_check,
    .destroy = bfs_destroy,
};
