/*
 * gaussian.cu - a dense system of linear equations by Gaussian elimination without pivoting: Golub
 * and Van Loan, "Matrix Computations", 1983, algorithm 4.2-1 (outer-product form). TReM table III:
 * Gaussian, batch; one of Rodinia's benchmarks (Che et al., IISWC 2009), whose two kernels for each
 * unknown it has.
 *
 * A size is a number of unknowns. A request uploads the system and downloads the upper triangular
 * one, which the host solves backwards. For each unknown two launches: multipliers (a column), and
 * update (the rows below). One kernel is the launches of 1/PHASES of the unknowns, so that kernels
 * shrink towards the end of a request.
 *
 * Simplified: nothing; systems are diagonally dominant, so that no pivot is needed.
 */
#include "calibrate/app/app.cuh"

#include <math.h>
#include <stdio.h>
#include <vector>

namespace
{

constexpr int PHASES = 32;
constexpr int THREADS = 256;
constexpr int BLOCK_X = 64, BLOCK_Y = 4;
constexpr int ROWS = 4; /* of one thread of an update */

struct state {
    int n;
    float *a_host, *b_host, *a_reduced, *b_reduced; /* pinned */
    float *a, *b, *multiplier;
};

/* --- kernels --- */

__global__ void find_multipliers(const float *a, float *multiplier, int n, int t)
{
    int row = t + 1 + (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (row < n)
        multiplier[row] = a[(int64_t)row * n + t] / a[(int64_t)t * n + t];
}

/* Subtracts row t, times their multipliers, from the rows below. Columns are counted from a
 * multiple of 32, so that warps read whole lines. */
__global__ void __launch_bounds__(BLOCK_X *BLOCK_Y)
    update(float *a, float *b, const float *multiplier, int n, int t)
{
    int column = t / 32 * 32 + (int)(blockIdx.x * BLOCK_X + threadIdx.x);
    int row = t + 1 + (int)(blockIdx.y * BLOCK_Y * ROWS + threadIdx.y);
    if (column < t || column >= n)
        return;
    float pivot = a[(int64_t)t * n + column];
#pragma unroll
    for (int k = 0; k < ROWS; k++, row += BLOCK_Y) {
        if (row < n) {
            float m = multiplier[row];
            a[(int64_t)row * n + column] -= m * pivot;
            if (column == t)
                b[row] -= m * b[t];
        }
    }
}

/* A row's sum is below n / 4, its diagonal above n / 2: diagonally dominant. */
__global__ void dominate(float *a, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        a[(int64_t)i * n + i] += 0.75f * (float)n;
}

/* --- the application --- */

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->a_host);
    cudaFreeHost(s->b_host);
    cudaFreeHost(s->a_reduced);
    cudaFreeHost(s->b_reduced);
    cudaFree(s->a);
    cudaFree(s->b);
    cudaFree(s->multiplier);
    delete s;
}

/* Made on the device, which is faster. */
int fill(struct state *s, uint64_t seed, struct dcs_err *err)
{
    size_t n = (size_t)s->n;
    if (cal_fill_uniform_f32(s->a, n * n, seed, -0.25f, 0.25f, err) != 0 ||
        cal_fill_uniform_f32(s->b, n, ~seed, -100, 100, err) != 0)
        return -1;
    dominate<<<cal_blocks(s->n, THREADS), THREADS>>>(s->a, s->n);
    if (cal_fail_cuda(err, cudaGetLastError(), "filling the matrix") != 0 ||
        cal_fail_cuda(err,
                      cudaMemcpy(s->a_host, s->a, n * n * sizeof(float), cudaMemcpyDeviceToHost),
                      "copying the matrix") != 0)
        return -1;
    return cal_fail_cuda(err,
                         cudaMemcpy(s->b_host, s->b, n * sizeof(float), cudaMemcpyDeviceToHost),
                         "copying the right side");
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = new state();
    s->n = (int)size;
    size_t vector = (size_t)size * sizeof(float), matrix = (size_t)size * vector;
    if (cal_host_alloc((void **)&s->a_host, matrix, err) != 0 ||
        cal_host_alloc((void **)&s->a_reduced, matrix, err) != 0 ||
        cal_host_alloc((void **)&s->b_host, vector, err) != 0 ||
        cal_host_alloc((void **)&s->b_reduced, vector, err) != 0 ||
        cal_device_alloc((void **)&s->a, matrix, err) != 0 ||
        cal_device_alloc((void **)&s->b, vector, err) != 0 ||
        cal_device_alloc((void **)&s->multiplier, vector, err) != 0 || fill(s, seed, err) != 0) {
        destroy(s);
        return NULL;
    }
    return s;
}

void add_elimination(const struct state *s, struct cal_plan *p, struct cal_kernel *k, int t)
{
    double below = s->n - t - 1, right = s->n - t;
    k->flop += below * (1 + 2 * (right + 1));
    /* The rows below are read and written, row t is read; the column is read once more. */
    k->bytes += sizeof(float) * (below * (2 * right + 5) + right);
    unsigned columns = cal_blocks(s->n - t / 32 * 32, BLOCK_X);
    cal_add_launch(p, find_multipliers, cal_blocks(s->n - t - 1, THREADS), THREADS, 0, s->a,
                   s->multiplier, s->n, t);
    cal_add_launch(p, update, dim3(columns, cal_blocks(s->n - t - 1, BLOCK_Y * ROWS)),
                   dim3(BLOCK_X, BLOCK_Y), 0, s->a, s->b, s->multiplier, s->n, t);
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    size_t vector = (size_t)s->n * sizeof(float), matrix = (size_t)s->n * vector;
    cal_add_transfer(p, CAL_TO_DEVICE, "matrix", s->a, s->a_host, matrix);
    cal_add_transfer(p, CAL_TO_DEVICE, "right_side", s->b, s->b_host, vector);
    for (int phase = 0; phase < PHASES; phase++) {
        int first = (int)((int64_t)s->n * phase / PHASES);
        int end = (int)((int64_t)s->n * (phase + 1) / PHASES);
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "unknowns_%d_%d", first + 1, end);
        struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, name, "eliminate_%dx%d_x%d",
                                                s->n - first, s->n - first, end - first);
        /* A repetition finds zeros in the columns that it eliminates, and moves as much. */
        k->repeatable = true;
        for (int t = first; t < end && t < s->n - 1; t++)
            add_elimination(s, p, k, t);
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "reduced_matrix", s->a_reduced, s->a, matrix);
    cal_add_transfer(p, CAL_FROM_DEVICE, "reduced_right_side", s->b_reduced, s->b, vector);
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    size_t n = (size_t)s->n;
    std::vector<double> a(s->a_host, s->a_host + n * n), b(s->b_host, s->b_host + n), x(n);
    for (size_t t = 0; t < n; t++)
        for (size_t row = t + 1; row < n; row++) {
            double m = a[row * n + t] / a[t * n + t];
            for (size_t column = t; column < n; column++)
                a[row * n + column] -= m * a[t * n + column];
            b[row] -= m * b[t];
        }
    /* Below the diagonal the device leaves what rounding left of zero. */
    std::vector<float> want(a.begin(), a.end()), right(b.begin(), b.end());
    if (cal_compare_f32(s->a_reduced, want.data(), n * n, 1e-4, 1e-5, "reduced matrix", err) != 0 ||
        cal_compare_f32(s->b_reduced, right.data(), n, 1e-3, 1e-5, "reduced right side", err) != 0)
        return -1;
    /* And the system is solved: what the device left, backwards, fits the first equations. */
    for (size_t row = n; row-- > 0;) {
        double rest = (double)s->b_reduced[row];
        for (size_t column = row + 1; column < n; column++)
            rest -= (double)s->a_reduced[row * n + column] * x[column];
        x[row] = rest / (double)s->a_reduced[row * n + row];
    }
    for (size_t row = 0; row < n; row++) {
        double left = 0;
        for (size_t column = 0; column < n; column++)
            left += (double)s->a_host[row * n + column] * x[column];
        if (!(fabs(left - (double)s->b_host[row]) <= 1e-3))
            return cal_fail(err, "equation %zu: the left side is %.6g, the right %.6g", row, left,
                            (double)s->b_host[row]);
    }
    return 0;
}

} // namespace

extern "C" const struct cal_app cal_app_gaussian;
const struct cal_app cal_app_gaussian = {
    .name = "gaussian",
    .role = CAL_BATCH,
    .papers = "TReM table III: Gaussian (batch); Themis table III: gau",
    .algorithm = "Golub and Van Loan, Matrix Computations, 1983 (outer-product elimination)",
    .size_unit = "unknowns",
    .size_min = 1024,
    .size_max = 4704,
    .size_default = 4096,
    .size_check = 160,
    .size_step = 32,
    .sla_ns = 0,
    .create = create,
    .plan = plan,
    .check = check_results,
    .destroy = destroy,
};
