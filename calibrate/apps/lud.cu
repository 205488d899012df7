/*
 * lud.cu - LU decomposition of a dense matrix in place, in tiles, without pivoting.
 *
 * The blocked right-looking algorithm (Golub and Van Loan, "Matrix computations", section 3.2;
 * on GPUs Volkov and Demmel, SC 2008), with the three kernels of the benchmark of Che et al., IISWC
 * 2009: the tile on the diagonal, the tiles of its row and column, and the product that is taken
 * from all tiles that remain. C-Laius table 3 (LUD).
 *
 * A size is the number of rows and of columns. A kernel of a request is an eighth of the steps,
 * three launches each: it cannot be repeated alone, as it works in place. The matrix comes from the
 * host and its factors go there. The diagonal dominates, so that no pivots are needed.
 */
#include "calibrate/app/app.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

constexpr int tile = 64, block = 256, side = 16, each = tile / side;
constexpr int pitch =
    tile + 4;             /* of a tile in shared memory: rows begin at multiples of 16 bytes */
constexpr int phases = 8; /* kernels of a request */

struct lud {
    int64_t size;
    float *a;             /* device */
    float *sent, *result; /* host */
};

/* `a` is the tile's corner. Thread (x, y) has the cells that are multiples of 16 away from it. */
__global__ void __launch_bounds__(block) diagonal(float *a, int64_t size)
{
    __shared__ float s[tile][tile + 1];
    __shared__ float factor[tile];
    int t = (int)threadIdx.x, x = t % side, y = t / side;
    for (int i = t; i < tile * tile; i += block)
        s[i / tile][i % tile] = a[(int64_t)(i / tile) * size + i % tile];
    __syncthreads();
    for (int k = 0; k < tile - 1; k++) {
        if (t > k && t < tile)
            factor[t] = s[t][k] / s[k][k];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < each; i++)
#pragma unroll
            for (int j = 0; j < each; j++) {
                int row = y + i * side, column = x + j * side;
                if (row > k && column > k)
                    s[row][column] -= factor[row] * s[k][column];
                else if (row > k && column == k)
                    s[row][k] = factor[row];
            }
        __syncthreads();
    }
    for (int i = t; i < tile * tile; i += block)
        a[(int64_t)(i / tile) * size + i % tile] = s[i / tile][i % tile];
}

/*
 * Block (b, 0) solves L X = A for tile b + 1 of the row, a column for each thread; block (b, 1)
 * solves X U = A for tile b + 1 of the column, a row for each thread. Both are
 * x[j] -= x[k] * m[k][j], with m the transpose of L, or U, whose diagonal divides.
 */
__global__ void __launch_bounds__(tile) perimeter(float *a, int64_t size)
{
    __shared__ __align__(16) float m[tile][pitch];
    __shared__ float turned[tile][tile + 1];
    int t = (int)threadIdx.x;
    bool is_row = blockIdx.y == 0;
    int64_t away = ((int64_t)blockIdx.x + 1) * tile;
    float *mine = is_row ? a + away : a + away * size;
    float x[tile];
    for (int i = 0; i < tile; i++) {
        float value = a[(int64_t)i * size + t];
        if (is_row)
            m[t][i] = value;
        else
            m[i][t] = value;
        turned[i][t] = mine[(int64_t)i * size + t];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; i++)
        x[i] = is_row ? turned[i][t] : turned[t][i];
#pragma unroll
    for (int k = 0; k < tile; k++) {
        if (!is_row)
            x[k] /= m[k][k];
#pragma unroll
        for (int j = k + 1; j < tile; j++)
            x[j] -= x[k] * m[k][j];
    }
#pragma unroll
    for (int i = 0; i < tile; i++) {
        if (is_row)
            mine[(int64_t)i * size + t] = x[i];
        else
            turned[t][i] = x[i];
    }
    if (is_row)
        return;
    __syncthreads();
    for (int i = 0; i < tile; i++)
        mine[(int64_t)i * size + t] = turned[i][t];
}

/* Tile (b + 1, c + 1) -= tile (b + 1, 0) * tile (0, c + 1); 4 by 4 cells for each thread. */
__global__ void __launch_bounds__(block) internal(float *a, int64_t size)
{
    __shared__ __align__(16) float left[tile][pitch]; /* transposed */
    __shared__ __align__(16) float up[tile][pitch];
    int t = (int)threadIdx.x, x = t % side * each, y = t / side * each;
    float *down = a + ((int64_t)blockIdx.y + 1) * tile * size;
    int64_t right = ((int64_t)blockIdx.x + 1) * tile;
    for (int i = t; i < tile * tile; i += block) {
        int row = i / tile, column = i % tile;
        left[column][row] = down[row * size + column];
        up[row][column] = a[row * size + right + column];
    }
    __syncthreads();
    float sum[each][each] = {};
#pragma unroll 8
    for (int k = 0; k < tile; k++) {
        float4 l = *(const float4 *)&left[k][y], u = *(const float4 *)&up[k][x];
        const float ls[each] = {l.x, l.y, l.z, l.w}, us[each] = {u.x, u.y, u.z, u.w};
#pragma unroll
        for (int i = 0; i < each; i++)
#pragma unroll
            for (int j = 0; j < each; j++)
                sum[i][j] += ls[i] * us[j];
    }
#pragma unroll
    for (int i = 0; i < each; i++) {
        float4 *to = (float4 *)(down + (y + i) * size + right + x);
        float4 old = *to;
        *to =
            make_float4(old.x - sum[i][0], old.y - sum[i][1], old.z - sum[i][2], old.w - sum[i][3]);
    }
}

void lud_destroy(void *state)
{
    struct lud *l = (struct lud *)state;
    if (l == NULL)
        return;
    cudaFree(l->a);
    cudaFreeHost(l->sent);
    cudaFreeHost(l->result);
    free(l);
}

void *lud_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct lud *l = (struct lud *)calloc(1, sizeof *l);
    if (l == NULL) {
        cal_fail(err, "out of memory");
        return NULL;
    }
    l->size = size;
    size_t cells = (size_t)(size * size);
    if (cal_device_alloc((void **)&l->a, cells * 4, err) != 0 ||
        cal_host_alloc((void **)&l->sent, cells * 4, err) != 0 ||
        cal_host_alloc((void **)&l->result, cells * 4, err) != 0 ||
        cal_fill_uniform_f32(l->a, cells, seed, -1, 1, err) != 0 ||
        cal_fail_cuda(err, cudaMemcpy(l->sent, l->a, cells * 4, cudaMemcpyDeviceToHost),
                      "fetching the matrix") != 0) {
        lud_destroy(l);
        return NULL;
    }
    for (int64_t i = 0; i < size; i++) /* above the sum of the others, half the size on average */
        l->sent[i * size + i] += (float)size;
    return l;
}

int lud_plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    const struct lud *l = (const struct lud *)state;
    int64_t tiles = l->size / tile;
    size_t bytes = (size_t)(l->size * l->size) * 4;
    cal_add_transfer(p, CAL_TO_DEVICE, "matrix", l->a, l->sent, bytes);
    for (int phase = 0; phase < phases; phase++) {
        int64_t begin = phase * tiles / phases, end = (phase + 1) * tiles / phases;
        if (begin == end)
            continue;
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "steps_%lld_%lld", (long long)begin, (long long)end - 1);
        struct cal_kernel *k =
            cal_begin_kernel(p, CAL_COMPUTE, name, "lu_%lld_%s", (long long)l->size, name);
        for (int64_t step = begin; step < end; step++) {
            double rest = (double)(tiles - step - 1);
            const double t = tile;
            /* The diagonal tile, 2 rest tiles with t^3 each, rest^2 with 2 t^3. What remains is
             * read and written once a step. */
            k->flop += t * t * t * (2.0 / 3 + 2 * rest + 2 * rest * rest);
            k->bytes += 8 * t * t * (1 + rest) * (1 + rest);
            float *corner = l->a + step * tile * (l->size + 1);
            unsigned n = (unsigned)(tiles - step - 1);
            cal_add_launch(p, diagonal, 1, block, 0, corner, l->size);
            if (n == 0)
                continue;
            cal_add_launch(p, perimeter, dim3(n, 2), tile, 0, corner, l->size);
            cal_add_launch(p, internal, dim3(n, n), block, 0, corner, l->size);
        }
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "factors", l->result, l->a, bytes);
    return 0;
}

/* Row by row, without tiles. */
int lud_check(void *state, struct dcs_err *err)
{
    const struct lud *l = (const struct lud *)state;
    size_t n = (size_t)l->size;
    std::vector<double> a(l->sent, l->sent + n * n);
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            double factor = a[i * n + k] /= a[k * n + k];
            for (size_t j = k + 1; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    std::vector<float> want(a.begin(), a.end());
    return cal_compare_f32(l->result, want.data(), n * n, 1e-5, 1e-5, "factors", err);
}

} // namespace

extern "C" const struct cal_app cal_app_lud = {
    .name = "lud",
    .role = CAL_BATCH,
    .papers = "C-Laius table 3: LUD",
    .algorithm = "blocked right-looking LU (Golub and Van Loan; Volkov and Demmel, SC 2008), the "
                 "kernels as in Che et al., IISWC 2009",
    .size_unit = "rows and columns",
    .size_min = 1536,
    .size_max = 7168,
    .size_default = 6144,
    .size_check = 320,
    .size_step = 64,
    .sla_ns = 0,
    .create = lud_create,
    .plan = lud_plan,
    .check = lud_check,
    .destroy = lud_destroy,
};
