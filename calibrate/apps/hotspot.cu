/*
 * hotspot.cu - temperatures of a chip from the power of its parts: explicit time steps on a grid,
 * several to a launch.
 *
 * Huang, Ghosh, Velusamy, Sankaranarayanan, Skadron, Stan, "HotSpot: a compact thermal modeling
 * methodology for early-stage VLSI design", IEEE Trans. VLSI 14(5), 2006: each cell has a heat
 * capacity, resistances to its four neighbours, and one to the air. Four steps to a launch with
 * ghost zones: Meng and Skadron, ICS 2009; the benchmark of Che et al., IISWC 2009.
 * C-Laius table 3 (HS), TReM table III (Hot Spot), Themis (spot).
 *
 * A size is the number of rows and of columns; a request is 240 steps; a kernel is 40: 10 launches.
 * Temperatures are kelvin above the air's. The step is half the longest stable one, so that
 * temperatures stay bounded however often a kernel is repeated. No heat leaves at the edges.
 */
#include "calibrate/app/app.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

constexpr int kernels = 6, launches = 10, depth = 4, steps = kernels * launches * depth;
/* A block loads tile_x * tile_y cells and keeps those that are `depth` away from the tile's edge.
 * Threads stand side by side along x; each computes `each` cells, one below the other. */
constexpr int tile_x = 64, tile_y = 32, block = 256, groups = block / tile_x;
constexpr int each = tile_y / groups, inner_x = tile_x - 2 * depth, inner_y = tile_y - 2 * depth;

/* Silicon, as in the paper: a chip of 16 mm by 16 mm, 0.5 mm thick. */
constexpr double chip_m = 0.016, thickness_m = 0.0005, heat_j_per_m3_k = 1.75e6;
constexpr double conductivity_w_per_m_k = 100, air_k_per_w_m2 = 3e-5, power_w_per_m2 = 3e6;

/* Kelvin per step: of a neighbour that is 1 K warmer, per K above the air, and of 1 W/m^2. */
struct rates {
    float neighbour, air, power;
};

struct hotspot {
    int64_t size;
    struct rates rates;
    float *temperature[2], *power;     /* device */
    float *sent, *sent_power, *result; /* host */
};

struct rates rates_of(int64_t size)
{
    double cell_m = chip_m / (double)size;
    double capacity = heat_j_per_m3_k * thickness_m; /* per m^2 of a cell, like all below */
    double sideways = conductivity_w_per_m_k * thickness_m / (cell_m * cell_m);
    double step_s = 0.5 * capacity / (4 * sideways + 1 / air_k_per_w_m2);
    return {(float)(step_s / capacity * sideways), (float)(step_s / capacity / air_k_per_w_m2),
            (float)(step_s / capacity)};
}

/* Cells beyond the grid are given the temperature of the cell at its edge: no heat flows. */
__global__ void __launch_bounds__(block)
    heat(const float *from, const float *power, float *to, int size, struct rates rates)
{
    __shared__ float t[2][tile_y][tile_x];
    int tx = (int)threadIdx.x % tile_x, first = (int)threadIdx.x / tile_x * each;
    int x = (int)blockIdx.x * inner_x - depth + tx;
    int y = (int)blockIdx.y * inner_y - depth + first;
    int inside_x = min(max(x, 0), size - 1);
    float watts[each];
#pragma unroll
    for (int i = 0; i < each; i++) {
        size_t at = (size_t)min(max(y + i, 0), size - 1) * (size_t)size + (size_t)inside_x;
        t[0][first + i][tx] = from[at];
        watts[i] = power[at] * rates.power;
    }
    /* A neighbour across the edge of the grid is the cell itself; across that of the tile it is
     * any: what it spoils is not kept. */
    int left = x <= 0 || tx == 0 ? tx : tx - 1;
    int right = x >= size - 1 || tx == tile_x - 1 ? tx : tx + 1;
    __syncthreads();
    for (int step = 0; step < depth; step++) {
        const float(*old)[tile_x] = t[step & 1];
        float up = old[first > 0 && y > 0 ? first - 1 : first][tx], here = old[first][tx];
#pragma unroll
        for (int i = 0; i < each; i++) {
            int row = first + i;
            bool last = row == tile_y - 1 || y + i >= size - 1;
            float down = last ? here : old[row + 1][tx];
            float sum = up + down + old[row][left] + old[row][right] - 4.0f * here;
            t[~step & 1][row][tx] = here + rates.neighbour * sum - rates.air * here + watts[i];
            up = y + i + 1 > 0 ? here : down; /* row 0 has itself above it */
            here = old[row + 1 < tile_y ? row + 1 : row][tx];
        }
        __syncthreads();
    }
    if (tx < depth || tx >= tile_x - depth || x >= size)
        return;
#pragma unroll
    for (int i = 0; i < each; i++) {
        int row = first + i;
        if (row >= depth && row < tile_y - depth && y + i < size)
            to[(size_t)(y + i) * (size_t)size + (size_t)x] = t[depth & 1][row][tx];
    }
}

void hotspot_destroy(void *state)
{
    struct hotspot *h = (struct hotspot *)state;
    if (h == NULL)
        return;
    cudaFree(h->temperature[0]);
    cudaFree(h->temperature[1]);
    cudaFree(h->power);
    cudaFreeHost(h->sent);
    cudaFreeHost(h->sent_power);
    cudaFreeHost(h->result);
    free(h);
}

/* Filled on the device, then fetched: the host would take longer. */
int fill(struct hotspot *h, size_t cells, uint64_t seed, struct dcs_err *err)
{
    if (cal_fill_uniform_f32(h->temperature[0], cells, seed, 10, 40, err) != 0 ||
        cal_fill_uniform_f32(h->power, cells, seed + 1, 0, (float)power_w_per_m2, err) != 0 ||
        cal_fail_cuda(err,
                      cudaMemcpy(h->sent, h->temperature[0], cells * 4, cudaMemcpyDeviceToHost),
                      "fetching the temperatures") != 0)
        return -1;
    return cal_fail_cuda(err,
                         cudaMemcpy(h->sent_power, h->power, cells * 4, cudaMemcpyDeviceToHost),
                         "fetching the power");
}

void *hotspot_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct hotspot *h = (struct hotspot *)calloc(1, sizeof *h);
    if (h == NULL) {
        cal_fail(err, "out of memory");
        return NULL;
    }
    h->size = size;
    h->rates = rates_of(size);
    size_t cells = (size_t)(size * size);
    if (cal_device_alloc((void **)&h->temperature[0], cells * 4, err) != 0 ||
        cal_device_alloc((void **)&h->temperature[1], cells * 4, err) != 0 ||
        cal_device_alloc((void **)&h->power, cells * 4, err) != 0 ||
        cal_host_alloc((void **)&h->sent, cells * 4, err) != 0 ||
        cal_host_alloc((void **)&h->sent_power, cells * 4, err) != 0 ||
        cal_host_alloc((void **)&h->result, cells * 4, err) != 0 ||
        fill(h, cells, seed, err) != 0) {
        hotspot_destroy(h);
        return NULL;
    }
    return h;
}

int hotspot_plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    const struct hotspot *h = (const struct hotspot *)state;
    size_t bytes = (size_t)(h->size * h->size) * 4;
    dim3 grid(cal_blocks(h->size, inner_x), cal_blocks(h->size, inner_y));
    cal_add_transfer(p, CAL_TO_DEVICE, "temperatures", h->temperature[0], h->sent, bytes);
    cal_add_transfer(p, CAL_TO_DEVICE, "power", h->power, h->sent_power, bytes);
    for (int i = 0; i < kernels; i++) {
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "steps_%d_%d", i * launches * depth,
                 (i + 1) * launches * depth - 1);
        struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, name, "heat_40x%lldx%lld",
                                                (long long)h->size, (long long)h->size);
        k->repeatable = true;
        /* 10 operations a cell and step; cells of ghost zones are not counted as work. */
        k->flop = 10.0 * launches * depth * (double)h->size * (double)h->size;
        k->bytes = 3.0 * launches * (double)bytes;
        for (int j = 0; j < launches; j++)
            cal_add_launch(p, heat, grid, block, 0, h->temperature[j & 1], h->power,
                           h->temperature[~j & 1], (int)h->size, h->rates);
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "result", h->result, h->temperature[0], bytes);
    return 0;
}

int hotspot_check(void *state, struct dcs_err *err)
{
    const struct hotspot *h = (const struct hotspot *)state;
    size_t n = (size_t)h->size;
    std::vector<double> now(h->sent, h->sent + n * n), next(n * n);
    for (int step = 0; step < steps; step++) {
        for (size_t y = 0; y < n; y++)
            for (size_t x = 0; x < n; x++) {
                size_t at = y * n + x;
                double here = now[at], flow = 0;
                flow += y > 0 ? now[at - n] - here : 0;
                flow += y + 1 < n ? now[at + n] - here : 0;
                flow += x > 0 ? now[at - 1] - here : 0;
                flow += x + 1 < n ? now[at + 1] - here : 0;
                next[at] = here + (double)h->rates.neighbour * flow - (double)h->rates.air * here +
                           (double)h->rates.power * (double)h->sent_power[at];
            }
        now.swap(next);
    }
    std::vector<float> want(now.begin(), now.end());
    return cal_compare_f32(h->result, want.data(), n * n, 1e-4, 1e-5, "temperatures", err);
}

} // namespace

extern "C" const struct cal_app cal_app_hotspot = {
    .name = "hotspot",
    .role = CAL_BATCH,
    .papers = "C-Laius table 3: HS; TReM table III: Hot Spot; Themis: spot",
    .algorithm = "Huang et al., IEEE Trans. VLSI 14(5), 2006; ghost zones: Meng and Skadron, ICS "
                 "2009",
    .size_unit = "rows and columns",
    .size_min = 768,
    .size_max = 5120,
    .size_default = 4096,
    .size_check = 200,
    .size_step = 32,
    .sla_ns = 0,
    .create = hotspot_create,
    .plan = hotspot_plan,
    .check = hotspot_check,
    .destroy = hotspot_destroy,
};
