/*
 * euclid.cu - the records nearest to given places by Euclidean distance: the brute-force search of
 * Garcia, Debreuve and Barlaud, "Fast k nearest neighbor search using GPU", CVPR workshops 2008, on
 * records of two coordinates. TReM table III: Euclid, user-facing.
 *
 * A size is a number of records. A request uploads them and the places, and gets the NEAREST
 * records of each of QUERIES places. One kernel is one group of GROUP places: the distances of all
 * records are written, as published, then selected from in two launches.
 *
 * Simplified: the published search sorts; this one selects on the device. A block keeps a bound
 * that at least NEAREST of its records do not exceed, gathers what is within it, and the nearest of
 * what the blocks gathered is taken NEAREST times.
 */
#include "calibrate/app/app.cuh"

#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vector>

namespace
{

constexpr int NEAREST = 10;
constexpr int QUERIES = 192;
constexpr int GROUP = 16; /* places of one kernel */
constexpr int THREADS = 256;
constexpr int PER_TURN = 8 * THREADS; /* distances that a block reads at once: two float4 each */
constexpr int CHUNK = 32 * PER_TURN;  /* of a block */
constexpr int TRACK = 64;             /* records */
constexpr float NORTH = 90, EAST = 180;

typedef unsigned long long ull; /* a candidate: the distance's bits, then the record's index */

struct state {
    int64_t n;
    int64_t stride; /* of distances, a multiple of PER_TURN */
    unsigned chunks;
    float2 *records_host, *records;
    float2 *places_host, *places;
    float *distances;
    ull *candidates;
    ull *found, *found_host;
};

/* --- kernels --- */

__device__ float distance_between(float2 a, float2 b)
{
    float dx = a.x - b.x, dy = a.y - b.y;
    return sqrtf(fmaf(dx, dx, dy * dy));
}

__global__ void measure(const float2 *records, int n, const float2 *places, float *distances,
                        int64_t stride)
{
    __shared__ float2 place[GROUP];
    if (threadIdx.x < GROUP)
        place[threadIdx.x] = places[threadIdx.x];
    __syncthreads();
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= stride)
        return;
    /* What pads the last turn of the selection is infinitely far. */
    float2 record = i < n ? records[i] : make_float2(INFINITY, INFINITY);
#pragma unroll
    for (int q = 0; q < GROUP; q++)
        distances[q * stride + i] = distance_between(record, place[q]);
}

__device__ ull to_key(float distance, int index)
{
    return (ull)__float_as_uint(distance) << 32 | (unsigned)index;
}

/*
 * The NEAREST smallest of count different keys, ascending, to the front of keys: each key's rank is
 * counted. count >= NEAREST. All threads of the block call it.
 */
__device__ void keep_nearest(ull *keys, int count, ull *best)
{
    for (int i = (int)threadIdx.x; i < count; i += THREADS) {
        int rank = 0;
        for (int k = 0; k < count; k++)
            rank += keys[k] < keys[i];
        if (rank < NEAREST)
            best[rank] = keys[i];
    }
    __syncthreads();
    if (threadIdx.x < NEAREST)
        keys[threadIdx.x] = best[threadIdx.x];
    __syncthreads();
}

/* The candidates of one chunk (blockIdx.x) for one place (blockIdx.y). */
__global__ void select_in_chunks(const float *distances, int64_t stride, ull *candidates)
{
    __shared__ ull keys[NEAREST + PER_TURN];
    __shared__ ull best[NEAREST];
    __shared__ int count;
    const float *of_place = distances + blockIdx.y * stride;
    int64_t first = (int64_t)blockIdx.x * CHUNK;
    int64_t end = first + CHUNK < stride ? first + CHUNK : stride;
    float bound = INFINITY;
    for (int64_t turn = first; turn < end; turn += PER_TURN) {
        float value[8];
        int at[2];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            at[half] = (int)turn + half * 4 * THREADS + 4 * (int)threadIdx.x;
            float4 v = *(const float4 *)(of_place + at[half]);
            value[4 * half] = v.x;
            value[4 * half + 1] = v.y;
            value[4 * half + 2] = v.z;
            value[4 * half + 3] = v.w;
        }
        if (turn == first) {
            /* The nearest of each thread are different records: the tenth of them is a bound. */
            float least = value[0];
            for (int k = 1; k < 8; k++)
                least = fminf(least, value[k]);
            keys[threadIdx.x] = to_key(least, (int)threadIdx.x);
            __syncthreads();
            keep_nearest(keys, THREADS, best);
            bound = __uint_as_float((unsigned)(keys[NEAREST - 1] >> 32));
            __syncthreads();
            if (threadIdx.x == 0)
                count = 0;
            __syncthreads();
        }
#pragma unroll
        for (int k = 0; k < 8; k++)
            if (value[k] <= bound)
                keys[atomicAdd(&count, 1)] = to_key(value[k], at[k / 4] + k % 4);
        __syncthreads();
        int gathered = count;
        __syncthreads();
        if (gathered > NEAREST) {
            keep_nearest(keys, gathered, best);
            bound = __uint_as_float((unsigned)(keys[NEAREST - 1] >> 32));
            if (threadIdx.x == 0)
                count = NEAREST;
            __syncthreads();
        }
    }
    if (threadIdx.x < NEAREST)
        candidates[((int64_t)blockIdx.y * gridDim.x + blockIdx.x) * NEAREST + threadIdx.x] =
            keys[threadIdx.x];
}

/* The nearest of all chunks' candidates, one block for each place: each pass takes the nearest that
 * is farther than the one before. */
__global__ void select_nearest(const ull *candidates, int count, ull *found)
{
    __shared__ ull of_warps[THREADS / 32];
    const ull *mine = candidates + (int64_t)blockIdx.x * count;
    ull last = 0;
    for (int pass = 0; pass < NEAREST; pass++) {
        ull nearest = ~0ull;
        for (int i = (int)threadIdx.x; i < count; i += THREADS) {
            ull key = mine[i];
            if ((pass == 0 || key > last) && key < nearest)
                nearest = key;
        }
        for (int step = 16; step > 0; step /= 2) {
            ull other = __shfl_xor_sync(0xffffffffu, nearest, step);
            nearest = other < nearest ? other : nearest;
        }
        if (threadIdx.x % 32 == 0)
            of_warps[threadIdx.x / 32] = nearest;
        __syncthreads();
        for (int w = 0; w < THREADS / 32; w++)
            nearest = of_warps[w] < nearest ? of_warps[w] : nearest;
        __syncthreads();
        last = nearest;
        if (threadIdx.x == 0)
            found[blockIdx.x * NEAREST + pass] = nearest;
    }
}

/* --- the application --- */

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->records_host);
    cudaFreeHost(s->places_host);
    cudaFreeHost(s->found_host);
    cudaFree(s->records);
    cudaFree(s->places);
    cudaFree(s->distances);
    cudaFree(s->candidates);
    cudaFree(s->found);
    delete s;
}

float2 somewhere(uint64_t seed, uint64_t i)
{
    uint64_t bits = cal_random_u64(seed, i);
    return make_float2(((float)(uint32_t)bits * 0x1p-31f - 1) * NORTH,
                       ((float)(uint32_t)(bits >> 32) * 0x1p-31f - 1) * EAST);
}

/* Records follow tracks, as those of storms do: what is near in space is often near in memory, and
 * one block may have to keep all that is nearest. */
void record_tracks(float2 *to, size_t n, uint64_t seed)
{
    float2 start = {0, 0}, step = {0, 0};
    for (size_t i = 0; i < n; i++) {
        if (i % TRACK == 0) {
            start = somewhere(seed, 2 * (i / TRACK));
            step = somewhere(seed, 2 * (i / TRACK) + 1);
        }
        float along = 1e-3f * (float)(i % TRACK);
        to[i] = make_float2(start.x + along * step.x, start.y + along * step.y);
    }
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = new state();
    s->n = size;
    s->stride = (size + PER_TURN - 1) / PER_TURN * PER_TURN;
    s->chunks = cal_blocks(s->stride, CHUNK);
    size_t n = (size_t)size, found = QUERIES * NEAREST * sizeof(ull);
    if (cal_host_alloc((void **)&s->records_host, n * sizeof(float2), err) != 0 ||
        cal_host_alloc((void **)&s->places_host, QUERIES * sizeof(float2), err) != 0 ||
        cal_host_alloc((void **)&s->found_host, found, err) != 0 ||
        cal_device_alloc((void **)&s->records, n * sizeof(float2), err) != 0 ||
        cal_device_alloc((void **)&s->places, QUERIES * sizeof(float2), err) != 0 ||
        cal_device_alloc((void **)&s->distances, (size_t)s->stride * GROUP * sizeof(float), err) !=
            0 ||
        cal_device_alloc((void **)&s->candidates, (size_t)s->chunks * GROUP * NEAREST * sizeof(ull),
                         err) != 0 ||
        cal_device_alloc((void **)&s->found, found, err) != 0) {
        destroy(s);
        return NULL;
    }
    record_tracks(s->records_host, n, seed);
    /* The first place is the origin, where padding that was taken for records would be found. */
    s->places_host[0] = make_float2(0, 0);
    for (int i = 1; i < QUERIES; i++)
        s->places_host[i] = somewhere(~seed, (uint64_t)i);
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    cal_add_transfer(p, CAL_TO_DEVICE, "records", s->records, s->records_host,
                     (size_t)s->n * sizeof(float2));
    cal_add_transfer(p, CAL_TO_DEVICE, "places", s->places, s->places_host,
                     QUERIES * sizeof(float2));
    for (int q = 0; q < QUERIES; q += GROUP) {
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "places_%d_%d", q + 1, q + GROUP);
        struct cal_kernel *k =
            cal_begin_kernel(p, CAL_COMPUTE, name, "search_%lldx%d", (long long)s->n, GROUP);
        k->repeatable = true;
        /* Two differences, two products, a sum, a root; a comparison. */
        k->flop = (double)s->n * GROUP * 7;
        /* Records are read, distances written and read again. */
        k->bytes = (double)s->n * (sizeof(float2) + GROUP * 2 * sizeof(float));
        cal_add_launch(p, measure, cal_blocks(s->stride, THREADS), THREADS, 0, s->records,
                       (int)s->n, s->places + q, s->distances, s->stride);
        cal_add_launch(p, select_in_chunks, dim3(s->chunks, GROUP), THREADS, 0, s->distances,
                       s->stride, s->candidates);
        cal_add_launch(p, select_nearest, GROUP, THREADS, 0, s->candidates,
                       (int)s->chunks * NEAREST, s->found + (size_t)q * NEAREST);
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "nearest", s->found_host, s->found,
                     QUERIES * NEAREST * sizeof(ull));
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    size_t n = (size_t)s->n;
    std::vector<std::pair<double, uint32_t>> all(n);
    for (int q = 0; q < QUERIES; q++) {
        float2 place = s->places_host[q];
        for (size_t i = 0; i < n; i++) {
            double dx = (double)s->records_host[i].x - (double)place.x;
            double dy = (double)s->records_host[i].y - (double)place.y;
            all[i] = {sqrt(dx * dx + dy * dy), (uint32_t)i};
        }
        std::partial_sort(all.begin(), all.begin() + 2 * NEAREST, all.end());
        ull last = 0;
        for (int k = 0; k < NEAREST; k++) {
            ull key = s->found_host[q * NEAREST + k];
            uint32_t bits = (uint32_t)(key >> 32), index = (uint32_t)key;
            float distance;
            memcpy(&distance, &bits, sizeof distance);
            /* Records that are equally far, but for rounding, may change places. */
            double want = all[(size_t)k].first, close = 1e-6 * want, true_distance = -1;
            for (int i = 0; i < 2 * NEAREST; i++)
                if (all[(size_t)i].second == index)
                    true_distance = all[(size_t)i].first;
            if (!(fabs((double)distance - want) <= close && fabs(true_distance - want) <= close) ||
                (k > 0 && key <= last))
                return cal_fail(err,
                                "place %d: number %d is record %u at %.9g instead of %u at %.9g", q,
                                k + 1, index, (double)distance, all[(size_t)k].second, want);
            last = key;
        }
    }
    return 0;
}

} // namespace

extern "C" const struct cal_app cal_app_euclid;
const struct cal_app cal_app_euclid = {
    .name = "euclid",
    .role = CAL_SERVICE,
    .papers = "TReM table III: Euclid (user-facing)",
    .algorithm = "Garcia, Debreuve, Barlaud, CVPR workshops 2008 (brute-force nearest neighbours)",
    .size_unit = "records",
    .size_min = 260000,
    .size_max = 12000000,
    .size_default = 8000000,
    .size_check = 132000,
    .size_step = 1000,
    .sla_ns = INT64_C(200000000),
    .create = create,
    .plan = plan,
    .check = check_results,
    .destroy = destroy,
};
