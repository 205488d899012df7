/*
 * b_plus_tree.cu - queries on a bulk-loaded B+ tree: the value of a key, and the range of records
 * between two keys.
 *
 * Bayer and McCreight, "Organization and maintenance of large ordered indexes", Acta Informatica 1,
 * 1972; on a GPU as in Fix, Wilkes and Skadron, "Accelerating braided B+ tree searches on a GPU
 * with CUDA", A4MMC 2011: a block for each query, a thread for each key of a node.
 * C-Laius table 3 (B+tree; its kernels findK and findRangeK).
 *
 * A size is a number of queries of each of the two kinds; the tree has eight records for each
 * query. A kernel is all queries of one kind. About half of the keys that are asked for exist. The
 * tree stays on the device; queries come from the host and answers go there.
 */
#include "calibrate/app/app.cuh"

#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

constexpr int order = 256, levels_max = 4, records_per_query = 8;

/* Level 0 is the leaves; slot s of a node belongs to its child s, or to its record. Slots without
 * one have the largest key. */
struct tree {
    int32_t
        *keys[levels_max]; /* nodes * order: the first key below each child, or of each record */
    int32_t *below[levels_max]; /* the child, or the record's value */
    int64_t nodes[levels_max];
    int levels;
};

struct b_plus_tree {
    int64_t queries, records;
    struct tree tree;
    int32_t *keys, *ranges;            /* device: keys to find; starts, then lengths of ranges */
    int32_t *values, *found;           /* device: answers; first record and count of each */
    int32_t *host_keys, *host_ranges;  /* what is sent */
    int32_t *host_values, *host_found; /* what comes back */
};

/* Key of record i: 2 i or 2 i + 1, so that keys rise and half of all numbers are keys. */
__host__ __device__ int32_t key_of(int64_t record, uint64_t seed)
{
    uint64_t z = ((uint64_t)record ^ seed) * UINT64_C(0x9e3779b97f4a7c15);
    return (int32_t)(2 * record + (int64_t)((z ^ (z >> 31)) >> 20 & 1));
}

__global__ void load_level(int32_t *keys, int32_t *below, int64_t slots, int64_t children,
                           int64_t records_below, uint64_t seed)
{
    int64_t i = blockIdx.x * (int64_t)order + threadIdx.x;
    if (i >= slots)
        return;
    keys[i] = i < children ? key_of(i * records_below, seed) : INT32_MAX;
    below[i] = i < children ? (int32_t)i : -1;
}

/* The thread whose key is the last that is not above the wanted one. A wanted key that is below all
 * keys goes to slot 0. */
__device__ bool is_slot(const int32_t *keys, int64_t node, int32_t slot, int32_t wanted)
{
    int32_t key = __ldg(&keys[node * order + slot]);
    int32_t next = slot + 1 < order ? __ldg(&keys[node * order + slot + 1]) : INT32_MAX;
    return (slot == 0 || key <= wanted) && wanted < next;
}

__global__ void __launch_bounds__(order)
    find_k(struct tree tree, const int32_t *wanted_keys, int32_t *values)
{
    __shared__ int32_t child;
    int32_t wanted = wanted_keys[blockIdx.x], slot = (int32_t)threadIdx.x;
    int32_t node = 0;
#pragma unroll /* so that the tree need not be copied to be indexed */
    for (int level = levels_max - 1; level > 0; level--) {
        if (level >= tree.levels)
            continue;
        if (is_slot(tree.keys[level], node, slot, wanted))
            child = tree.below[level][(int64_t)node * order + slot];
        __syncthreads();
        node = child;
        __syncthreads();
    }
    int64_t at = (int64_t)node * order + slot;
    if (is_slot(tree.keys[0], node, slot, wanted))
        values[blockIdx.x] = tree.keys[0][at] == wanted ? tree.below[0][at] : -1;
}

/* Both ends go down together. */
__global__ void __launch_bounds__(order)
    find_range_k(struct tree tree, const int32_t *starts, const int32_t *lengths, int32_t *first,
                 int32_t *counts)
{
    __shared__ int32_t child[2];
    __shared__ int32_t record[2]; /* the first not below the start, the first above the end */
    int32_t low = starts[blockIdx.x], high = low + lengths[blockIdx.x];
    int32_t slot = (int32_t)threadIdx.x, left = 0, right = 0;
#pragma unroll
    for (int level = levels_max - 1; level > 0; level--) {
        if (level >= tree.levels)
            continue;
        if (is_slot(tree.keys[level], left, slot, low))
            child[0] = tree.below[level][(int64_t)left * order + slot];
        if (is_slot(tree.keys[level], right, slot, high))
            child[1] = tree.below[level][(int64_t)right * order + slot];
        __syncthreads();
        left = child[0];
        right = child[1];
        __syncthreads();
    }
    int64_t at = (int64_t)left * order + slot;
    if (is_slot(tree.keys[0], left, slot, low))
        record[0] = tree.below[0][at] + (tree.keys[0][at] < low);
    at = (int64_t)right * order + slot;
    if (is_slot(tree.keys[0], right, slot, high))
        record[1] = tree.below[0][at] + (tree.keys[0][at] <= high);
    __syncthreads();
    if (slot == 0) {
        first[blockIdx.x] = record[0];
        counts[blockIdx.x] = record[1] - record[0];
    }
}

void b_plus_tree_destroy(void *state)
{
    struct b_plus_tree *b = (struct b_plus_tree *)state;
    if (b == NULL)
        return;
    for (int level = 0; level < levels_max; level++) {
        cudaFree(b->tree.keys[level]);
        cudaFree(b->tree.below[level]);
    }
    cudaFree(b->keys);
    cudaFree(b->ranges);
    cudaFree(b->values);
    cudaFree(b->found);
    cudaFreeHost(b->host_keys);
    cudaFreeHost(b->host_ranges);
    cudaFreeHost(b->host_values);
    cudaFreeHost(b->host_found);
    free(b);
}

int load_tree(struct b_plus_tree *b, uint64_t seed, struct dcs_err *err)
{
    struct cal_plan p = {};
    struct tree *t = &b->tree;
    int64_t children = b->records, records_below = 1;
    int status = 0;
    cal_begin_kernel(&p, CAL_COMPUTE, "load", "load");
    do {
        int level = t->levels++;
        t->nodes[level] = (children + order - 1) / order;
        int64_t slots = t->nodes[level] * order;
        status = cal_device_alloc((void **)&t->keys[level], (size_t)slots * 4, err);
        if (status == 0)
            status = cal_device_alloc((void **)&t->below[level], (size_t)slots * 4, err);
        if (status == 0)
            cal_add_launch(&p, load_level, (unsigned)t->nodes[level], order, 0, t->keys[level],
                           t->below[level], slots, children, records_below, seed);
        children = t->nodes[level];
        records_below *= order;
    } while (status == 0 && children > 1);
    if (status == 0) {
        cudaError_t done = cal_enqueue(&p, &p.kernels[0], 0);
        if (done == cudaSuccess)
            done = cudaDeviceSynchronize();
        status = cal_fail_cuda(err, done, "loading the tree");
    }
    cal_plan_release(&p);
    return status;
}

void *b_plus_tree_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct b_plus_tree *b = (struct b_plus_tree *)calloc(1, sizeof *b);
    if (b == NULL) {
        cal_fail(err, "out of memory");
        return NULL;
    }
    b->queries = size;
    b->records = size * records_per_query;
    size_t bytes = (size_t)size * 4;
    if (load_tree(b, seed, err) != 0 || cal_device_alloc((void **)&b->keys, bytes, err) != 0 ||
        cal_device_alloc((void **)&b->ranges, 2 * bytes, err) != 0 ||
        cal_device_alloc((void **)&b->values, bytes, err) != 0 ||
        cal_device_alloc((void **)&b->found, 2 * bytes, err) != 0 ||
        cal_host_alloc((void **)&b->host_keys, bytes, err) != 0 ||
        cal_host_alloc((void **)&b->host_ranges, 2 * bytes, err) != 0 ||
        cal_host_alloc((void **)&b->host_values, bytes, err) != 0 ||
        cal_host_alloc((void **)&b->host_found, 2 * bytes, err) != 0) {
        b_plus_tree_destroy(b);
        return NULL;
    }
    /* The largest key is below 2 * records; a range may go beyond it. */
    for (int64_t i = 0; i < size; i++) {
        uint64_t random = cal_random_u64(seed, (uint64_t)i);
        b->host_keys[i] = (int32_t)((random & UINT32_MAX) % (uint64_t)(2 * b->records));
        b->host_ranges[i] = (int32_t)((random >> 32) % (uint64_t)(2 * b->records));
        b->host_ranges[size + i] = (int32_t)(random >> 13 & 1023);
    }
    return b;
}

int b_plus_tree_plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    const struct b_plus_tree *b = (const struct b_plus_tree *)state;
    int64_t n = b->queries;
    /* Nodes that are read, as they are on the way down once per query, but not more than there
     * are: the upper ones stay in the cache. */
    double nodes = 0;
    for (int level = 0; level < b->tree.levels; level++)
        nodes += (double)std::min(n, b->tree.nodes[level]);
    double comparisons = (double)n * b->tree.levels * order * 2;

    cal_add_transfer(p, CAL_TO_DEVICE, "keys", b->keys, b->host_keys, (size_t)n * 4);
    struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, "find_k", "find_k_%lld_in_%lld",
                                            (long long)n, (long long)b->records);
    k->repeatable = true;
    k->flop = comparisons;
    k->bytes = nodes * order * 4 + (double)n * 12;
    cal_add_launch(p, find_k, (unsigned)n, order, 0, b->tree, b->keys, b->values);
    cal_add_transfer(p, CAL_FROM_DEVICE, "values", b->host_values, b->values, (size_t)n * 4);

    cal_add_transfer(p, CAL_TO_DEVICE, "ranges", b->ranges, b->host_ranges, (size_t)n * 8);
    k = cal_begin_kernel(p, CAL_COMPUTE, "find_range_k", "find_range_k_%lld_in_%lld", (long long)n,
                         (long long)b->records);
    k->repeatable = true;
    k->flop = 2 * comparisons;
    k->bytes = nodes * order * 4 + (double)n * 24;
    cal_add_launch(p, find_range_k, (unsigned)n, order, 0, b->tree, b->ranges, b->ranges + n,
                   b->found, b->found + n);
    cal_add_transfer(p, CAL_FROM_DEVICE, "found", b->host_found, b->found, (size_t)n * 8);
    return 0;
}

/* Binary searches of the sorted records. */
int b_plus_tree_check(void *state, struct dcs_err *err)
{
    const struct b_plus_tree *b = (const struct b_plus_tree *)state;
    size_t n = (size_t)b->queries;
    std::vector<int32_t> keys((size_t)b->records), values(n), found(2 * n);
    if (cal_fail_cuda(
            err, cudaMemcpy(keys.data(), b->tree.keys[0], keys.size() * 4, cudaMemcpyDeviceToHost),
            "copying the records") != 0)
        return -1;
    for (size_t i = 1; i < keys.size(); i++)
        if (keys[i] <= keys[i - 1])
            return cal_fail(err, "record %zu: its key is not above the one before", i);
    for (size_t i = 0; i < n; i++) {
        int32_t wanted = b->host_keys[i], low = b->host_ranges[i];
        int32_t high = low + b->host_ranges[n + i];
        auto at = std::lower_bound(keys.begin(), keys.end(), wanted);
        values[i] = at != keys.end() && *at == wanted ? (int32_t)(at - keys.begin()) : -1;
        found[i] = (int32_t)(std::lower_bound(keys.begin(), keys.end(), low) - keys.begin());
        found[n + i] =
            (int32_t)(std::upper_bound(keys.begin(), keys.end(), high) - keys.begin()) - found[i];
    }
    if (cal_compare_i32(b->host_values, values.data(), n, "values", err) != 0)
        return -1;
    return cal_compare_i32(b->host_found, found.data(), 2 * n, "ranges: firsts, then counts", err);
}

} // namespace

extern "C" const struct cal_app cal_app_b_plus_tree = {
    .name = "b-plus-tree",
    .role = CAL_BATCH,
    .papers = "C-Laius table 3: B+tree",
    .algorithm = "Bayer and McCreight, Acta Informatica 1972; Fix, Wilkes and Skadron, A4MMC 2011: "
                 "a block for each query, a thread for each key of a node",
    .size_unit = "queries of each kind",
    .size_min = 40000,
    .size_max = 1500000,
    .size_default = 1000000,
    .size_check = 9000,
    .size_step = 1000,
    .sla_ns = 0,
    .create = b_plus_tree_create,
    .plan = b_plus_tree_plan,
    .check = b_plus_tree_check,
    .destroy = b_plus_tree_destroy,
};
