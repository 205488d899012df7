/*
 * pathfinder.cu - the cheapest path through a grid, row by row, by dynamic programming.
 *
 * cost[row][x] = wall[row][x] + min(cost[row - 1][x - 1 .. x + 1]). On a GPU with ghost zones:
 * Meng and Skadron, "Performance modeling and automatic ghost zone optimization for iterative
 * stencil loops on GPUs", ICS 2009; a benchmark of Che et al., IISWC 2009. A block takes 20 rows at
 * once: it loads a part of a row and computes, of each further row, one cell less at either end.
 * C-Laius table 3 (PF), TReM table III (Pathfinder), Themis (path).
 *
 * A size is a number of columns; there are 1001 rows, the first of which is the request's input. A
 * kernel is 200 rows: 10 launches. Each reads the last row of the kernel before, which is kept, so
 * that it can be repeated. The walls stay on the device.
 */
#include "calibrate/app/app.cuh"

#include <stdlib.h>
#include <algorithm>
#include <vector>

namespace
{

constexpr int kernels = 5, launches = 10, height = 20, rows = kernels * launches * height;
constexpr int block = 256, width = block - 2 * height; /* of the result of a block */

struct pathfinder {
    int64_t columns;
    int32_t *wall;              /* rows * columns */
    int32_t *cost[kernels + 1]; /* the first row, and the last one of each kernel */
    int32_t *between[2];        /* rows inside a kernel */
    int32_t *first, *result;    /* host */
};

/* Beyond the grid costs are the largest, and no path goes there. */
__global__ void __launch_bounds__(block)
    go_down(const int32_t *wall, const int32_t *from, int32_t *to, int32_t columns)
{
    __shared__ int32_t cost[2][block + 2];
    int at = (int)threadIdx.x + 1;
    int32_t x = (int32_t)blockIdx.x * width - height + (int32_t)threadIdx.x;
    bool inside = x >= 0 && x < columns;
    cost[0][at] = inside ? from[x] : INT32_MAX;
    if (threadIdx.x < 2)
        cost[threadIdx.x][0] = cost[threadIdx.x][block + 1] = INT32_MAX;
    int32_t next = inside ? wall[x] : 0;
    __syncthreads();
    int32_t best = 0;
    for (int row = 0; row < height; row++) {
        int32_t here = next;
        if (inside && row + 1 < height)
            next = wall[(int64_t)(row + 1) * columns + x];
        const int32_t *above = cost[row & 1];
        best = inside ? min(min(above[at - 1], above[at]), above[at + 1]) + here : INT32_MAX;
        cost[~row & 1][at] = best;
        __syncthreads();
    }
    /* Cells at the ends have seen what is missing beyond the block. */
    if (inside && at > height && at <= block - height)
        to[x] = best;
}

void pathfinder_destroy(void *state)
{
    struct pathfinder *f = (struct pathfinder *)state;
    if (f == NULL)
        return;
    cudaFree(f->wall);
    for (int i = 0; i <= kernels; i++)
        cudaFree(f->cost[i]);
    cudaFree(f->between[0]);
    cudaFree(f->between[1]);
    cudaFreeHost(f->first);
    cudaFreeHost(f->result);
    free(f);
}

int allocate(struct pathfinder *f, struct dcs_err *err)
{
    size_t row_bytes = (size_t)f->columns * 4;
    for (int i = 0; i <= kernels; i++)
        if (cal_device_alloc((void **)&f->cost[i], row_bytes, err) != 0)
            return -1;
    for (int i = 0; i < 2; i++)
        if (cal_device_alloc((void **)&f->between[i], row_bytes, err) != 0)
            return -1;
    if (cal_device_alloc((void **)&f->wall, row_bytes * rows, err) != 0 ||
        cal_host_alloc((void **)&f->first, row_bytes, err) != 0)
        return -1;
    return cal_host_alloc((void **)&f->result, row_bytes, err);
}

void *pathfinder_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct pathfinder *f = (struct pathfinder *)calloc(1, sizeof *f);
    if (f == NULL) {
        cal_fail(err, "out of memory");
        return NULL;
    }
    f->columns = size;
    if (allocate(f, err) != 0 ||
        cal_fill_uniform_i32(f->wall, (size_t)size * rows, seed, 0, 10, err) != 0) {
        pathfinder_destroy(f);
        return NULL;
    }
    for (int64_t x = 0; x < size; x++)
        f->first[x] = (int32_t)(cal_random_u64(seed + 1, (uint64_t)x) % 10);
    return f;
}

int pathfinder_plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    const struct pathfinder *f = (const struct pathfinder *)state;
    double cells = (double)f->columns * launches * height;
    cal_add_transfer(p, CAL_TO_DEVICE, "first_row", f->cost[0], f->first, (size_t)f->columns * 4);
    for (int i = 0; i < kernels; i++) {
        static const char *const names[kernels] = {"rows_1_200", "rows_201_400", "rows_401_600",
                                                   "rows_601_800", "rows_801_1000"};
        struct cal_kernel *k =
            cal_begin_kernel(p, CAL_COMPUTE, names[i], "go_down_200x%lld", (long long)f->columns);
        k->repeatable = true;
        k->flop = 3 * cells;
        k->bytes = 4 * cells + 8.0 * launches * (double)f->columns;
        const int32_t *from = f->cost[i];
        for (int j = 0; j < launches; j++) {
            int32_t *to = j + 1 < launches ? f->between[j & 1] : f->cost[i + 1];
            int64_t row = ((int64_t)i * launches + j) * height;
            cal_add_launch(p, go_down, cal_blocks(f->columns, width), block, 0,
                           f->wall + row * f->columns, from, to, (int32_t)f->columns);
            from = to;
        }
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "last_row", f->result, f->cost[kernels],
                     (size_t)f->columns * 4);
    return 0;
}

int pathfinder_check(void *state, struct dcs_err *err)
{
    const struct pathfinder *f = (const struct pathfinder *)state;
    size_t columns = (size_t)f->columns;
    std::vector<int32_t> wall(columns * rows), cost(f->first, f->first + columns), next(columns);
    if (cal_fail_cuda(err,
                      cudaMemcpy(wall.data(), f->wall, wall.size() * 4, cudaMemcpyDeviceToHost),
                      "copying the walls") != 0)
        return -1;
    for (size_t row = 0; row < (size_t)rows; row++) {
        for (size_t x = 0; x < columns; x++) {
            int32_t best = cost[x];
            if (x > 0)
                best = std::min(best, cost[x - 1]);
            if (x + 1 < columns)
                best = std::min(best, cost[x + 1]);
            next[x] = best + wall[row * columns + x];
        }
        cost.swap(next);
    }
    return cal_compare_i32(f->result, cost.data(), columns, "costs of the last row", err);
}

} // namespace

extern "C" const struct cal_app cal_app_pathfinder = {
    .name = "pathfinder",
    .role = CAL_BATCH,
    .papers = "C-Laius table 3: PF; TReM table III: Pathfinder; Themis: path",
    .algorithm = "dynamic programming with ghost zones: Meng and Skadron, ICS 2009; Che et al., "
                 "IISWC 2009",
    .size_unit = "columns",
    .size_min = 50000,
    .size_max = 1900000,
    .size_default = 1500000,
    .size_check = 3000,
    .size_step = 1000,
    .sla_ns = 0,
    .create = pathfinder_create,
    .plan = pathfinder_plan,
    .check = pathfinder_check,
    .destroy = pathfinder_destroy,
};
