/*
 * resident_sad.cu - sums of absolute differences between the blocks of a video frame and the frame
 * before, the search for motion of H.264, as mb_sad_calc of Parboil's sad does it (Stratton et al.,
 * "Parboil: a revised benchmark suite for scientific and commercial throughput computing",
 * University of Illinois, 2012): a macroblock of 16 by 16 pixels, all 33 by 33 places up to 16
 * pixels away, and at each place the sums of its sixteen blocks of 4 by 4 pixels.
 *
 * It computes: 280 thousand differences of pixels for 35 KB of sums. The default load has two
 * frames of 1080 lines, as one frame that is wider and higher, and 570 MB of sums, which stream.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/app/philox.cuh"

#include <stdlib.h>

namespace
{

constexpr int edge = 16, reach = 16;         /* of a macroblock; how far it may have moved */
constexpr int places_across = 2 * reach + 1; /* of the search */
constexpr int places = places_across * places_across;
constexpr int across = 128, width = across * edge; /* a frame, in macroblocks and in pixels */
constexpr int small = 4, pairs = edge * edge / (small * small) / 2; /* of the small blocks */

struct sad_body {
    static constexpr int threads = 128;

    struct args {
        const unsigned char *now, *before; /* [height][width] */
        unsigned *sums;                    /* [block][pair][place], one of a pair in each half */
        int blocks, height;
    };
    struct shared {
        unsigned block[edge][edge / small]; /* four pixels each, the first in the lowest byte */
        unsigned char window[edge + 2 * reach][edge + 2 * reach];
    };

    static __device__ void load(const args &a, int block, int thread, shared *s)
    {
        const int x = block % across * edge, y = block / across * edge;
        const int window = edge + 2 * reach;
        if (thread < edge * edge / small)
            s->block[thread / small][thread % small] =
                *(const unsigned *)&a.now[(size_t)(y + thread / small) * width +
                                          (size_t)(x + thread % small * small)];
        for (int i = thread; i < window * window; i += threads) {
            int from_x = min(max(x + i % window - reach, 0), width - 1);
            int from_y = min(max(y + i / window - reach, 0), a.height - 1);
            s->window[i / window][i % window] = a.before[(size_t)from_y * width + (size_t)from_x];
        }
    }

    /* Of the small block in this row and column of them. */
    static __device__ unsigned sum_of(const shared *s, int row, int column, int dx, int dy)
    {
        unsigned sum = 0;
#pragma unroll
        for (int y = 0; y < small; y++) {
            const unsigned here = s->block[row * small + y][column];
            const unsigned char *there = &s->window[dy + row * small + y][dx + column * small];
#pragma unroll
            for (int x = 0; x < small; x++)
                sum = __usad(here >> (8 * x) & 255, there[x], sum);
        }
        return sum;
    }

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *s, Barrier barrier)
    {
        if (block >= a.blocks)
            return;
        load(a, block, thread, s);
        barrier.sync();
        for (int place = thread; place < places; place += threads) {
            const int dx = place % places_across, dy = place / places_across;
            unsigned *to = &a.sums[(size_t)block * pairs * places + (size_t)place];
            for (int pair = 0; pair < pairs; pair++) {
                const int row = pair / 2, column = pair % 2 * 2;
                to[pair * places] =
                    sum_of(s, row, column, dx, dy) | sum_of(s, row, column + 1, dx, dy) << 16;
            }
        }
    }
};

/* Patches of 8 by 8 pixels with noise; what moved has a little noise more. */
__device__ unsigned pixel_of(int x, int y, uint64_t seed)
{
    unsigned patch = cal_philox((uint32_t)x / 8, (uint32_t)y / 8, 1, 0, seed).word[0] % 128;
    return patch + cal_philox((uint32_t)x, (uint32_t)y, 0, 0, seed).word[0] % 64;
}

__global__ void make_frames(unsigned char *now, unsigned char *before, int pixels, uint64_t seed)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= pixels)
        return;
    int x = i % width, y = i / width;
    before[i] = (unsigned char)pixel_of(x + reach, y + reach, seed);
    now[i] = (unsigned char)(pixel_of(x + reach - 3, y + reach + 2, seed) +
                             cal_philox((uint32_t)i, 0, 2, 0, seed).word[0] % 4);
}

int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    const int height = (int)((load + across - 1) / across) * edge, pixels = height * width;
    p->result_bytes = (size_t)load * pairs * places * sizeof(unsigned);
    unsigned char *now = (unsigned char *)cal_part_alloc(p, (size_t)pixels, err);
    unsigned char *before = (unsigned char *)cal_part_alloc(p, (size_t)pixels, err);
    unsigned *sums = (unsigned *)cal_part_alloc(p, p->result_bytes, err);
    if (now == NULL || before == NULL || sums == NULL)
        return -1;
    make_frames<<<cal_blocks(pixels, 256), 256>>>(now, before, pixels, seed);
    p->result = sums;
    struct sad_body::args a = {now, before, sums, (int)load, height};
    cal_part_set_args(p, a);
    return cal_fail_cuda(err, cudaGetLastError(), "sad: making the frames");
}

/* The sum of the small block at (x, y), as it would be if it had been `dx`, `dy` further. */
unsigned reference_sum(const std::vector<unsigned char> &now,
                       const std::vector<unsigned char> &before, int x, int y, int dx, int dy)
{
    int sum = 0, height = (int)(now.size() / width);
    for (int j = y; j < y + small; j++)
        for (int i = x; i < x + small; i++) {
            int from_x = i + dx < 0 ? 0 : i + dx >= width ? width - 1 : i + dx;
            int from_y = j + dy < 0 ? 0 : j + dy >= height ? height - 1 : j + dy;
            sum += abs(now[(size_t)(j * width + i)] - before[(size_t)(from_y * width + from_x)]);
        }
    return (unsigned)sum;
}

/* Of 32 macroblocks at most, spread over all. */
int check_sums(const struct cal_part *p, int load, const void *result, struct dcs_err *err)
{
    struct sad_body::args a;
    memcpy(&a, p->args, sizeof a);
    std::vector<unsigned char> now, before;
    if (cal_part_read(&now, a.now, (size_t)a.height * width, err) != 0 ||
        cal_part_read(&before, a.before, (size_t)a.height * width, err) != 0)
        return -1;
    std::vector<unsigned> want(pairs * places);
    for (int block = 0; block < load; block += (load + 31) / 32) {
        for (int pair = 0; pair < pairs; pair++)
            for (int place = 0; place < places; place++) {
                const int x = block % across * edge + pair % 2 * 2 * small;
                const int y = block / across * edge + pair / 2 * small;
                const int dx = place % places_across - reach, dy = place / places_across - reach;
                want[(size_t)(pair * places + place)] =
                    reference_sum(now, before, x, y, dx, dy) |
                    reference_sum(now, before, x + small, y, dx, dy) << 16;
            }
        const int32_t *got = (const int32_t *)result + (size_t)block * want.size();
        if (cal_compare_i32(got, (const int32_t *)want.data(), want.size(), "sad", err) != 0)
            return -1;
    }
    return 0;
}

} // namespace

const struct cal_part_kernel cal_resident_sad =
    cal_make_alone<sad_body, 12>("sad", 32768, true, create, check_sums);
