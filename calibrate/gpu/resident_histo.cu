/*
 * resident_histo.cu - a histogram of many bins whose values crowd around the middle, as Parboil's
 * histo has it (Stratton et al., "Parboil: a revised benchmark suite for scientific and commercial
 * throughput computing", University of Illinois, 2012): a block counts its part of the values in
 * shared memory where most fall, in global memory where few do, and adds what it counted to the
 * whole. Parboil's last pass, which cuts counts off at 255, is left out.
 *
 * Of 8192 bins the middle 4096 are in shared memory and get five of six values. Each of the two in
 * the middle gets 6 %, so that lanes of a warp meet there. The values of the default load have
 * 540 MB and stream; the bins stay in the L2 cache.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/app/philox.cuh"

namespace
{

constexpr int bins = 8192, near_bins = 4096, first_near = (bins - near_bins) / 2;
constexpr int block_values = 8192;

struct histo_body {
    static constexpr int threads = 256;

    struct args {
        const uint4 *values; /* below `bins`; block_values of each block */
        unsigned *counts;    /* added to */
        int blocks;
    };
    struct shared {
        unsigned count[near_bins];
    };

    static __device__ void count_value(const args &a, shared *s, unsigned value)
    {
        const unsigned near = value - first_near;
        if (near < (unsigned)near_bins)
            atomicAdd(&s->count[near], 1u);
        else
            atomicAdd(&a.counts[value], 1u);
    }

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *s, Barrier barrier)
    {
        if (block >= a.blocks)
            return;
        for (int i = thread; i < near_bins; i += threads)
            s->count[i] = 0;
        barrier.sync();
        const uint4 *values = a.values + (size_t)block * (block_values / 4);
#pragma unroll 2
        for (int i = thread; i < block_values / 4; i += threads) {
            const uint4 four = values[i];
            count_value(a, s, four.x);
            count_value(a, s, four.y);
            count_value(a, s, four.z);
            count_value(a, s, four.w);
        }
        barrier.sync();
        for (int i = thread; i < near_bins; i += threads)
            if (s->count[i] != 0)
                atomicAdd(&a.counts[first_near + i], s->count[i]);
    }
};

/* As far from the middle as the fourth power of a uniform number says. */
__global__ void make_values(unsigned *values, int n, uint64_t seed)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    const struct cal_random_words r = cal_philox((uint32_t)i, 0, 0, 0, seed);
    const float u = cal_uniform(r.word[0]);
    const int away = min((int)(u * u * u * u * (bins / 2)), bins / 2 - 1);
    values[i] = (unsigned)(r.word[1] % 2 == 0 ? bins / 2 + away : bins / 2 - 1 - away);
}

int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    const int n = (int)load * block_values;
    p->result_bytes = bins * sizeof(unsigned);
    unsigned *values = (unsigned *)cal_part_alloc(p, (size_t)n * sizeof(unsigned), err);
    unsigned *counts = (unsigned *)cal_part_alloc(p, p->result_bytes, err);
    if (values == NULL || counts == NULL)
        return -1;
    make_values<<<cal_blocks(n, 256), 256>>>(values, n, seed);
    p->result = counts;
    struct histo_body::args a = {(const uint4 *)values, counts, (int)load};
    cal_part_set_args(p, a);
    return cal_fail_cuda(err, cudaGetLastError(), "histo: making the values");
}

int check_counts(const struct cal_part *p, int load, const void *result, struct dcs_err *err)
{
    struct histo_body::args a;
    memcpy(&a, p->args, sizeof a);
    std::vector<unsigned> values;
    std::vector<int32_t> want(bins);
    if (cal_part_read(&values, (const unsigned *)a.values, (size_t)load * block_values, err) != 0)
        return -1;
    for (unsigned value : values)
        want[value]++;
    return cal_compare_i32((const int32_t *)result, want.data(), bins, "histo", err);
}

} // namespace

const struct cal_part_kernel cal_resident_histo =
    cal_make_alone<histo_body, 8>("histo", 65536, true, create, check_counts);
