/*
 * resident_frontier.cu - one level of a breadth-first search of a random graph by its frontier, as
 * Parboil's bfs does it (Stratton et al., "Parboil: a revised benchmark suite for scientific and
 * commercial throughput computing", University of Illinois, 2012): a thread takes a node from the
 * list of those that were reached last and looks at the ends of its edges. Not the kernel of
 * bfs.cu, which looks at all nodes.
 *
 * A search would give a node that is not reached yet its level, and put it into the next list. Here
 * the levels stay, so that a block has the same work in each round, and the node's visits are
 * counted: as many atomics, at the same places, whatever the order of blocks.
 *
 * The frontier is half of all nodes, as at the widest level of a random graph; an eighth was
 * reached before. A node has 4 to 12 edges in compressed rows. At the default load there are 8
 * million nodes: levels and counts have 67 MB, where threads read and add at random, rows 34 MB,
 * edges 270 MB.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/app/philox.cuh"

#include <limits.h>

namespace
{

constexpr int stretch = 256; /* of the frontier, for a block */
constexpr int level_now = 7; /* the frontier's */

struct frontier_body {
    static constexpr int threads = 128;

    struct args {
        const int *row, *edge; /* a node's edges: edge[row[node]] to edge[row[node + 1] - 1] */
        const int *level;      /* of nodes */
        const int *frontier;   /* nodes */
        unsigned *visits;      /* of nodes, added to */
        int frontier_nodes;
    };
    struct shared {
        int nothing;
    };

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *, Barrier)
    {
        const int end = min((block + 1) * stretch, a.frontier_nodes);
        for (int i = block * stretch + thread; i < end; i += threads) {
            const int node = a.frontier[i], last = a.row[node + 1];
            for (int at = a.row[node]; at < last; at++) {
                const int to = a.edge[at];
                if (a.level[to] > level_now)
                    atomicAdd(&a.visits[to], 1u);
            }
        }
    }
};

/* 4, 5, ..., 12, 4, ... edges: the sums have a closed form. */
__host__ __device__ int row_of(int64_t node)
{
    int64_t rest = node % 9;
    return (int)(node / 9 * 72 + rest * 4 + rest * (rest - 1) / 2);
}

/* A permutation, as the factor is a prime above all numbers of nodes. */
__device__ int node_at(int place, int nodes)
{
    return (int)((uint64_t)place * 2654435761u % (uint64_t)nodes);
}

__global__ void make_graph(int *row, int *edge, int *level, int *frontier, int nodes, uint64_t seed)
{
    const int place = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (place >= nodes)
        return;
    const int node = node_at(place, nodes);
    if (place < nodes / 2)
        frontier[place] = node;
    level[node] = place < nodes / 2               ? level_now
                  : place < nodes / 2 + nodes / 8 ? level_now - 1
                                                  : INT_MAX;
    row[node] = row_of(node);
    if (node == nodes - 1)
        row[nodes] = row_of(nodes);
    for (int at = row_of(node); at < row_of(node + 1); at++)
        edge[at] = (int)(cal_philox((uint32_t)at, 0, 0, 0, seed).word[0] % (unsigned)nodes);
}

int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    const int frontier_nodes = (int)load * stretch, nodes = 2 * frontier_nodes;
    p->result_bytes = (size_t)nodes * sizeof(unsigned);
    int *row = (int *)cal_part_alloc(p, ((size_t)nodes + 1) * sizeof(int), err);
    int *edge = (int *)cal_part_alloc(p, (size_t)row_of(nodes) * sizeof(int), err);
    int *level = (int *)cal_part_alloc(p, (size_t)nodes * sizeof(int), err);
    int *frontier = (int *)cal_part_alloc(p, (size_t)frontier_nodes * sizeof(int), err);
    unsigned *visits = (unsigned *)cal_part_alloc(p, p->result_bytes, err);
    if (row == NULL || edge == NULL || level == NULL || frontier == NULL || visits == NULL)
        return -1;
    make_graph<<<cal_blocks(nodes, 256), 256>>>(row, edge, level, frontier, nodes, seed);
    p->result = visits;
    struct frontier_body::args a = {row, edge, level, frontier, visits, frontier_nodes};
    cal_part_set_args(p, a);
    return cal_fail_cuda(err, cudaGetLastError(), "frontier: making the graph");
}

int check_visits(const struct cal_part *p, int load, const void *result, struct dcs_err *err)
{
    const size_t frontier_nodes = (size_t)load * stretch, nodes = 2 * frontier_nodes;
    struct frontier_body::args a;
    memcpy(&a, p->args, sizeof a);
    std::vector<int> row, edge, level, frontier;
    std::vector<int32_t> want(nodes);
    if (cal_part_read(&row, a.row, nodes + 1, err) != 0 ||
        cal_part_read(&edge, a.edge, (size_t)row[nodes], err) != 0 ||
        cal_part_read(&level, a.level, nodes, err) != 0 ||
        cal_part_read(&frontier, a.frontier, frontier_nodes, err) != 0)
        return -1;
    for (int node : frontier)
        for (int at = row[(size_t)node]; at < row[(size_t)node + 1]; at++)
            want[(size_t)edge[(size_t)at]] += level[(size_t)edge[(size_t)at]] > level_now;
    return cal_compare_i32((const int32_t *)result, want.data(), nodes, "frontier", err);
}

} // namespace

const struct cal_part_kernel cal_resident_frontier =
    cal_make_alone<frontier_body, 16>("frontier", 65536, true, create, check_visits);
