/*
 * particle_filter.cu - tracks a target through a noisy video by sequential importance resampling:
 * Gordon, Salmond and Smith, "Novel approach to nonlinear/non-Gaussian Bayesian state estimation",
 * IEE Proceedings F 140(2), 1993. TReM table III: Particle Filter, user-facing.
 *
 * A size is a number of particles. A request uploads FRAMES images and gets the estimated position
 * in each. One kernel is one frame, five launches: propagate by the motion model, likelihood of the
 * pixels in a disc, normalise and cumulative sum (two launches), resample (systematic).
 *
 * Simplified against trackers of the literature: the motion model's drift is known, the pixels'
 * noise is Gaussian with known parameters. The log-likelihood of a disc is linear in the sum of
 * its pixels then, which is kept as an integer. Weights are fixed-point numbers: their cumulative
 * sum is exact in any order and never falls, so that the search in it always finds its particle.
 */
#include "calibrate/app/app.cuh"
#include "calibrate/app/philox.cuh"

#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <vector>

namespace
{

constexpr int FRAMES = 4;
constexpr int SIDE = 512;   /* of an image */
constexpr int RADIUS = 4;   /* of the target */
constexpr int IN_DISC = 49; /* pixels */
constexpr int BACKGROUND = 90, TARGET = 180;
constexpr float PIXEL_NOISE = 20; /* standard deviations, in gray levels and in pixels */
constexpr float MOTION_NOISE = 4;
constexpr float START_X = 200, START_Y = 220, STEP_X = 6, STEP_Y = 4;
/* Log-likelihood per gray level in the sum, averaged over the disc: summed over pixels it would be
 * so steep that a handful of particles kept all the weight. */
constexpr float PER_LEVEL = (TARGET - BACKGROUND) / (PIXEL_NOISE * PIXEL_NOISE * IN_DISC);
constexpr float WEIGHT_ONE = 0x1p32f;

constexpr int THREADS = 256;
constexpr int PER_THREAD = 4; /* in the cumulative sum */
constexpr int SCANNED = THREADS * PER_THREAD;
constexpr int TOTALS_THREADS = 1024;

typedef unsigned long long ull;

/* n equidistant pointers into the cumulative sum: first + j * step. */
struct pointers {
    ull total, first, step;
};

struct state {
    int64_t n;
    int blocks; /* of the cumulative sum */
    uint64_t seed;
    unsigned char *video_host, *video;
    float2 *particles; /* after each frame: a frame that is repeated finds what it found before */
    float2 *moved, *sums; /* sums: weighted positions of each block */
    int *score, *best;    /* sum of the pixels; the best of each frame */
    ull *cumulated, *block_total, *block_start;
    struct pointers *pointers;
    float2 *estimates, *estimates_host;
    float2 path[FRAMES]; /* the true one */
};

/* --- kernels --- */

__global__ void propagate(const float2 *from, float2 *to, int n, int frame, uint64_t seed,
                          int *best)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i == 0)
        *best = 0;
    if (i >= n)
        return;
    /* All particles begin at the known start. */
    float2 p = frame == 0 ? make_float2(START_X, START_Y) : from[i];
    struct cal_random_words r = cal_philox((uint32_t)i, (uint32_t)frame, 0, 0, seed);
    float radius = MOTION_NOISE * sqrtf(-2.0f * logf(cal_uniform(r.word[0])));
    float sine, cosine;
    sincospif(2.0f * cal_uniform(r.word[1]), &sine, &cosine);
    to[i] = make_float2(p.x + STEP_X + radius * cosine, p.y + STEP_Y + radius * sine);
}

__device__ int to_centre(float position)
{
    int nearest = (int)rintf(position);
    return min(max(nearest, RADIUS), SIDE - 1 - RADIUS);
}

__global__ void likelihood(const unsigned char *image, const float2 *moved, int *score, int n,
                           int *best)
{
    __shared__ int warp_best[THREADS / 32];
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    int sum = 0;
    if (i < n) {
        float2 p = moved[i];
        const unsigned char *centre = image + to_centre(p.y) * SIDE + to_centre(p.x);
#pragma unroll
        for (int dy = -RADIUS; dy <= RADIUS; dy++)
#pragma unroll
            for (int dx = -RADIUS; dx <= RADIUS; dx++)
                if (dx * dx + dy * dy <= RADIUS * RADIUS)
                    sum += __ldg(centre + dy * SIDE + dx);
        score[i] = sum;
    }
    for (int step = 16; step > 0; step /= 2)
        sum = max(sum, __shfl_xor_sync(0xffffffffu, sum, step));
    if (threadIdx.x % 32 == 0)
        warp_best[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            sum = max(sum, warp_best[w]);
        atomicMax(best, sum);
    }
}

/* Inclusive sum over the block; all its threads call it. */
template <int WARPS> __device__ ull block_scan(ull value, ull *of_warps)
{
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    for (int step = 1; step < 32; step *= 2) {
        ull below = __shfl_up_sync(0xffffffffu, value, step);
        if (lane >= step)
            value += below;
    }
    if (lane == 31)
        of_warps[warp] = value;
    __syncthreads();
    ull before = 0;
    for (int w = 0; w < WARPS; w++)
        if (w < warp)
            before += of_warps[w];
    __syncthreads();
    return before + value;
}

__device__ float block_sum(float value, float *of_warps)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, step);
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0;
    for (int w = 0; w < THREADS / 32; w++)
        sum += of_warps[w];
    __syncthreads();
    return sum;
}

/* Weights and their cumulative sum inside each block's share of the particles. */
__global__ void weigh(const int *score, const int *best, const float2 *moved, ull *cumulated,
                      ull *block_total, float2 *sums, int n)
{
    __shared__ ull scan[THREADS / 32];
    __shared__ float reduction[THREADS / 32];
    int first = (int)(blockIdx.x * SCANNED + threadIdx.x * PER_THREAD), top = *best;
    ull weight[PER_THREAD];
    ull mine = 0;
    float x = 0, y = 0;
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        weight[k] = 0;
        if (first + k < n) {
            float w = expf((float)(score[first + k] - top) * PER_LEVEL);
            float2 p = moved[first + k];
            weight[k] = (ull)(w * WEIGHT_ONE);
            mine += weight[k];
            x += w * p.x;
            y += w * p.y;
        }
    }
    ull sum = block_scan<THREADS / 32>(mine, scan) - mine;
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        sum += weight[k];
        if (first + k < n)
            cumulated[first + k] = sum;
    }
    x = block_sum(x, reduction);
    y = block_sum(y, reduction);
    if (threadIdx.x == THREADS - 1) {
        block_total[blockIdx.x] = sum;
        sums[blockIdx.x] = make_float2(x, y);
    }
}

/* One block: where each block's share begins, the pointers, with one random offset, and the
 * estimate of this frame. */
__global__ void join(const ull *block_total, const float2 *sums, ull *block_start, int blocks,
                     struct pointers *pointers, float2 *estimate, int n, int frame, uint64_t seed)
{
    __shared__ ull scan[TOTALS_THREADS / 32];
    __shared__ ull carry;
    __shared__ double xs[TOTALS_THREADS / 32], ys[TOTALS_THREADS / 32];
    double x = 0, y = 0;
    if (threadIdx.x == 0)
        carry = 0;
    __syncthreads();
    for (int first = 0; first < blocks; first += TOTALS_THREADS) {
        int i = first + (int)threadIdx.x;
        ull value = 0;
        if (i < blocks) {
            value = block_total[i];
            x += (double)sums[i].x;
            y += (double)sums[i].y;
        }
        ull sum = carry + block_scan<TOTALS_THREADS / 32>(value, scan);
        if (i < blocks)
            block_start[i] = sum - value;
        __syncthreads();
        if (threadIdx.x == TOTALS_THREADS - 1)
            carry = sum;
        __syncthreads();
    }
    for (int step = 16; step > 0; step /= 2) {
        x += __shfl_xor_sync(0xffffffffu, x, step);
        y += __shfl_xor_sync(0xffffffffu, y, step);
    }
    if (threadIdx.x % 32 == 0) {
        xs[threadIdx.x / 32] = x;
        ys[threadIdx.x / 32] = y;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < TOTALS_THREADS / 32; w++) {
            x += xs[w];
            y += ys[w];
        }
        double weight = (double)carry / (double)WEIGHT_ONE;
        pointers->total = carry;
        pointers->step = carry / (ull)n;
        pointers->first =
            (pointers->step * cal_philox(0, (uint32_t)frame, 1, 0, seed).word[0]) >> 32;
        *estimate = make_float2((float)(x / weight), (float)(y / weight));
    }
}

/* The first of count whose value is above u; the last if none is. */
__device__ int first_above(const ull *values, int count, ull u)
{
    int low = 0, high = count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (values[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

__global__ void resample(const float2 *moved, float2 *particles, const ull *cumulated,
                         const ull *block_start, int blocks, const struct pointers *pointers, int n)
{
    int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (j >= n)
        return;
    ull u = pointers->first + (ull)j * pointers->step;
    int block = blocks - 1;
    if (blocks > 1 && block_start[blocks - 1] > u)
        block = first_above(block_start + 1, blocks - 1, u);
    int first = block * SCANNED;
    particles[j] = moved[first + first_above(cumulated + first, min(SCANNED, n - first),
                                             u - block_start[block])];
}

/* --- the application --- */

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->video_host);
    cudaFreeHost(s->estimates_host);
    cudaFree(s->video);
    cudaFree(s->particles);
    cudaFree(s->moved);
    cudaFree(s->sums);
    cudaFree(s->score);
    cudaFree(s->best);
    cudaFree(s->cumulated);
    cudaFree(s->block_total);
    cudaFree(s->block_start);
    cudaFree(s->pointers);
    cudaFree(s->estimates);
    delete s;
}

/* About normal, mean 0 and deviation 1: the sum of twelve uniform numbers of five bits. */
float noise(uint64_t seed, uint64_t i)
{
    uint64_t bits = cal_random_u64(seed, i);
    int sum = 0;
    for (int k = 0; k < 12; k++)
        sum += (int)((bits >> (5 * k)) & 31);
    return ((float)sum - 186.0f) / 32.0f;
}

void film(struct state *s)
{
    float x = START_X, y = START_Y;
    for (int f = 0; f < FRAMES; f++) {
        uint64_t jitter = (uint64_t)FRAMES * SIDE * SIDE + 2 * (uint64_t)f;
        x += STEP_X + noise(s->seed, jitter);
        y += STEP_Y + noise(s->seed, jitter + 1);
        s->path[f] = make_float2(x, y);
        int cx = (int)rintf(x), cy = (int)rintf(y);
        for (int row = 0; row < SIDE; row++)
            for (int column = 0; column < SIDE; column++) {
                size_t at = ((size_t)f * SIDE + row) * SIDE + column;
                int dx = column - cx, dy = row - cy;
                int level = dx * dx + dy * dy <= RADIUS * RADIUS ? TARGET : BACKGROUND;
                float pixel = (float)level + PIXEL_NOISE * noise(s->seed, at);
                s->video_host[at] = (unsigned char)std::min(std::max(pixel, 0.0f), 255.0f);
            }
    }
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = new state();
    s->n = size;
    s->blocks = (int)cal_blocks(size, SCANNED);
    s->seed = seed;
    size_t n = (size_t)size, blocks = (size_t)s->blocks, video = (size_t)FRAMES * SIDE * SIDE;
    if (cal_host_alloc((void **)&s->video_host, video, err) != 0 ||
        cal_host_alloc((void **)&s->estimates_host, FRAMES * sizeof(float2), err) != 0 ||
        cal_device_alloc((void **)&s->video, video, err) != 0 ||
        cal_device_alloc((void **)&s->particles, FRAMES * n * sizeof(float2), err) != 0 ||
        cal_device_alloc((void **)&s->moved, n * sizeof(float2), err) != 0 ||
        cal_device_alloc((void **)&s->sums, blocks * sizeof(float2), err) != 0 ||
        cal_device_alloc((void **)&s->score, n * sizeof(int), err) != 0 ||
        cal_device_alloc((void **)&s->best, FRAMES * sizeof(int), err) != 0 ||
        cal_device_alloc((void **)&s->cumulated, n * sizeof(ull), err) != 0 ||
        cal_device_alloc((void **)&s->block_total, blocks * sizeof(ull), err) != 0 ||
        cal_device_alloc((void **)&s->block_start, blocks * sizeof(ull), err) != 0 ||
        cal_device_alloc((void **)&s->pointers, sizeof(struct pointers), err) != 0 ||
        cal_device_alloc((void **)&s->estimates, FRAMES * sizeof(float2), err) != 0) {
        destroy(s);
        return NULL;
    }
    film(s);
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    int n = (int)s->n;
    unsigned blocks = cal_blocks(n, THREADS);
    cal_add_transfer(p, CAL_TO_DEVICE, "video", s->video, s->video_host,
                     (size_t)FRAMES * SIDE * SIDE);
    for (int f = 0; f < FRAMES; f++) {
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "frame_%d", f + 1);
        struct cal_kernel *k =
            cal_begin_kernel(p, CAL_COMPUTE, name, "%s_%d", f == 0 ? "first" : "frame", n);
        k->repeatable = true;
        /* A particle: its random numbers and motion (30), 49 pixels, weight and sums (14), the
         * search (two operations for each of log2 n steps). */
        k->flop = (double)n * (CAL_PHILOX_OPERATIONS + 30 + IN_DISC + 14 + 2 * log2((double)n));
        /* The position is written and read three times (8 bytes), score and cumulative sum once
         * each way; the first frame has no position to read. */
        k->bytes = (double)n * ((f == 0 ? 5 : 6) * 8 + 2 * 4 + 2 * 8) + SIDE * SIDE;
        float2 *before = s->particles + (size_t)(f > 0 ? f - 1 : 0) * (size_t)n;
        float2 *after = s->particles + (size_t)f * (size_t)n;
        cal_add_launch(p, propagate, blocks, THREADS, 0, before, s->moved, n, f, s->seed,
                       s->best + f);
        cal_add_launch(p, likelihood, blocks, THREADS, 0, s->video + (size_t)f * SIDE * SIDE,
                       s->moved, s->score, n, s->best + f);
        cal_add_launch(p, weigh, (unsigned)s->blocks, THREADS, 0, s->score, s->best + f, s->moved,
                       s->cumulated, s->block_total, s->sums, n);
        cal_add_launch(p, join, 1, TOTALS_THREADS, 0, s->block_total, s->sums, s->block_start,
                       s->blocks, s->pointers, s->estimates + f, n, f, s->seed);
        cal_add_launch(p, resample, blocks, THREADS, 0, s->moved, after, s->cumulated,
                       s->block_start, s->blocks, s->pointers, n);
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "estimates", s->estimates_host, s->estimates,
                     FRAMES * sizeof(float2));
    return 0;
}

/* --- the reference --- */

int disc_sum(const struct state *s, int frame, double x, double y)
{
    int cx = std::min(std::max((int)nearbyint(x), RADIUS), SIDE - 1 - RADIUS);
    int cy = std::min(std::max((int)nearbyint(y), RADIUS), SIDE - 1 - RADIUS), sum = 0;
    for (int row = cy - RADIUS; row <= cy + RADIUS; row++)
        for (int column = cx - RADIUS; column <= cx + RADIUS; column++)
            if (hypot(row - cy, column - cx) <= RADIUS)
                sum += s->video_host[((size_t)frame * SIDE + row) * SIDE + column];
    return sum;
}

/*
 * A frame in double precision, from the particles that the device had before it: which pixel is
 * nearest hangs on rounding now and then, one particle that weighs more moves all pointers behind
 * it, and after a few frames two right filters agree on the target but on no particle.
 */
void reference_frame(const struct state *s, int frame, const std::vector<float2> &before,
                     std::vector<double> &x, std::vector<double> &y, double estimate[2])
{
    size_t n = (size_t)s->n;
    std::vector<int> score(n);
    for (size_t i = 0; i < n; i++) {
        struct cal_random_words w = cal_philox((uint32_t)i, (uint32_t)frame, 0, 0, s->seed);
        double radius = (double)MOTION_NOISE * sqrt(-2 * log((double)cal_uniform(w.word[0])));
        double angle = 2 * M_PI * (double)cal_uniform(w.word[1]);
        x[i] = (double)(frame == 0 ? START_X : before[i].x) + (double)STEP_X + radius * cos(angle);
        y[i] = (double)(frame == 0 ? START_Y : before[i].y) + (double)STEP_Y + radius * sin(angle);
        score[i] = disc_sum(s, frame, x[i], y[i]);
    }
    int top = *std::max_element(score.begin(), score.end());
    double sum = 0, sum_x = 0, sum_y = 0;
    for (size_t i = 0; i < n; i++) {
        double weight = exp((score[i] - top) * (double)PER_LEVEL);
        sum += weight;
        sum_x += weight * x[i];
        sum_y += weight * y[i];
    }
    estimate[0] = sum_x / sum;
    estimate[1] = sum_y / sum;
}

/* What the last frame left on the device, step by step from its own positions: no rounding of an
 * earlier step can excuse a wrong one. */
int check_last_frame(const struct state *s, const std::vector<float2> &particles,
                     const std::vector<double> &x, const std::vector<double> &y,
                     struct dcs_err *err)
{
    size_t n = (size_t)s->n, blocks = (size_t)s->blocks;
    std::vector<float2> moved(n);
    std::vector<int> score(n), want(n);
    std::vector<ull> cumulated(n), start(blocks);
    struct pointers pointers;
    cudaMemcpy(moved.data(), s->moved, n * sizeof(float2), cudaMemcpyDeviceToHost);
    cudaMemcpy(score.data(), s->score, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(cumulated.data(), s->cumulated, n * sizeof(ull), cudaMemcpyDeviceToHost);
    cudaMemcpy(start.data(), s->block_start, blocks * sizeof(ull), cudaMemcpyDeviceToHost);
    cudaMemcpy(&pointers, s->pointers, sizeof pointers, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < n; i++)
        if (!(hypot((double)moved[i].x - x[i], (double)moved[i].y - y[i]) < 1e-3))
            return cal_fail(err, "particle %zu moved to (%.4f, %.4f) instead of (%.4f, %.4f)", i,
                            (double)moved[i].x, (double)moved[i].y, x[i], y[i]);
    for (size_t i = 0; i < n; i++)
        want[i] = disc_sum(s, FRAMES - 1, (double)moved[i].x, (double)moved[i].y);
    if (cal_compare_i32(score.data(), want.data(), n, "sums of pixels", err) != 0)
        return -1;
    int top = *std::max_element(want.begin(), want.end());
    std::vector<ull> whole(n);
    ull sum = 0;
    for (size_t i = 0; i < n; i++) {
        ull before = i % SCANNED == 0 ? 0 : cumulated[i - 1];
        if (i % SCANNED == 0 && start[i / SCANNED] != sum)
            return cal_fail(err, "the cumulative sum of block %zu begins at %llu instead of %llu",
                            i / SCANNED, start[i / SCANNED], sum);
        double got = (double)cumulated[i] - (double)before;
        double weight = exp((want[i] - top) * (double)PER_LEVEL) * (double)WEIGHT_ONE;
        if (!(fabs(got - weight) <= 2 + 1e-5 * weight))
            return cal_fail(err, "the weight of particle %zu is %.9g instead of %.9g", i, got,
                            weight);
        sum += cumulated[i] - before;
        whole[i] = sum;
    }
    /* An offset below 1 in units of 2^-32 makes the first pointer. */
    uint32_t offset = cal_philox(0, FRAMES - 1, 1, 0, s->seed).word[0];
    ull step = sum / n, first = (ull)(((unsigned __int128)step * offset) >> 32);
    if (pointers.total != sum || pointers.step != step || pointers.first != first)
        return cal_fail(err,
                        "sum, first pointer and step are %llu, %llu, %llu instead of %llu, "
                        "%llu, %llu",
                        pointers.total, pointers.first, pointers.step, sum, first, step);
    for (size_t j = 0; j < n; j++) {
        ull u = first + (ull)j * step;
        size_t from = (size_t)(std::upper_bound(whole.begin(), whole.end(), u) - whole.begin());
        if (particles[j].x != moved[from].x || particles[j].y != moved[from].y)
            return cal_fail(err, "particle %zu was not drawn from particle %zu", j, from);
    }
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    size_t n = (size_t)s->n;
    std::vector<float2> particles(n);
    std::vector<double> x(n), y(n);
    for (int f = 0; f < FRAMES; f++) {
        double got[2] = {(double)s->estimates_host[f].x, (double)s->estimates_host[f].y}, want[2];
        reference_frame(s, f, particles, x, y, want);
        if (!(hypot(got[0] - want[0], got[1] - want[1]) < 0.01))
            return cal_fail(err, "frame %d: the estimate is (%.4f, %.4f) instead of (%.4f, %.4f)",
                            f, got[0], got[1], want[0], want[1]);
        if (!(hypot(got[0] - (double)s->path[f].x, got[1] - (double)s->path[f].y) < 3))
            return cal_fail(err, "frame %d: the estimate is (%.4f, %.4f), the target (%.4f, %.4f)",
                            f, got[0], got[1], (double)s->path[f].x, (double)s->path[f].y);
        cudaMemcpy(particles.data(), s->particles + (size_t)f * n, n * sizeof(float2),
                   cudaMemcpyDeviceToHost);
        double mean[2] = {0, 0};
        for (size_t i = 0; i < n; i++) {
            mean[0] += (double)particles[i].x / (double)n;
            mean[1] += (double)particles[i].y / (double)n;
        }
        if (!(hypot(mean[0] - got[0], mean[1] - got[1]) < 0.1))
            return cal_fail(err,
                            "frame %d: the mean of what was drawn is (%.4f, %.4f), not near "
                            "(%.4f, %.4f)",
                            f, mean[0], mean[1], got[0], got[1]);
    }
    return check_last_frame(s, particles, x, y, err);
}

} // namespace

extern "C" const struct cal_app cal_app_particle_filter;
const struct cal_app cal_app_particle_filter = {
    .name = "particle-filter",
    .role = CAL_SERVICE,
    .papers = "TReM table III: Particle Filter (user-facing)",
    .algorithm = "Gordon, Salmond, Smith, IEE Proceedings F 140(2), 1993",
    .size_unit = "particles",
    .size_min = 64000,
    .size_max = 3000000,
    .size_default = 2000000,
    .size_check = 10000,
    .size_step = 1000,
    .sla_ns = INT64_C(200000000),
    .create = create,
    .plan = plan,
    .check = check_results,
    .destroy = destroy,
};
