/*
 * nw.cu - alignment of two sequences: the table of Needleman and Wunsch, in tiles, one
 * anti-diagonal of tiles after the other.
 *
 * Needleman and Wunsch, "A general method applicable to the search for similarities in the amino
 * acid sequence of two proteins", J. Mol. Biol. 48, 1970; the benchmark of Che et al., IISWC 2009.
 * C-Laius table 3 (NW; its two kernels are the growing and the shrinking diagonals), TReM table III
 * (NW).
 *
 * A size is the length of both sequences; score[i][j] = max(score[i-1][j-1] + likeness of the two
 * letters, score[i-1][j] - gap, score[i][j-1] - gap). A kernel is a quarter of the diagonals. The
 * likeness is looked up as tiles are computed, where the benchmark first writes a table of it for
 * all pairs. The table stays on the device; its last row goes to the host.
 */
#include "calibrate/app/app.cuh"

#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

constexpr int tile = 64, letters = 24, gap = 10;
constexpr int phases = 4; /* kernels of a request */

struct nw {
    int64_t size;
    int32_t *score;           /* size * size; row and column 0 of the algorithm are not stored */
    int32_t *sequence;        /* device: one, then the other */
    int32_t *likeness;        /* device: letters * letters, from -4 to 11 as in common matrices */
    int32_t *sent, *last_row; /* host */
};

/*
 * One tile of the diagonal. Thread t computes row t: cell t of the inner diagonals that cross it.
 * A row of the tile in shared memory is 66 words, so that the cells of an inner diagonal, 65 words
 * apart, lie in different banks.
 */
__global__ void __launch_bounds__(tile)
    align_tiles(int32_t *score, const int32_t *sequence, const int32_t *likeness, int32_t size,
                int32_t diagonal, int32_t first_row)
{
    __shared__ int32_t s[tile + 1][tile + 2];
    __shared__ int32_t alike[letters * letters];
    __shared__ int32_t across[tile];
    int t = (int)threadIdx.x;
    int32_t tile_row = first_row + (int32_t)blockIdx.x, tile_column = diagonal - tile_row;
    int32_t row = tile_row * tile, column = tile_column * tile;
    int64_t corner = (int64_t)row * size + column;

    for (int i = t; i < letters * letters; i += tile)
        alike[i] = likeness[i];
    across[t] = sequence[size + column + t];
    int32_t letter = sequence[row + t] * letters;
    s[0][t + 1] = row > 0 ? score[corner - size + t] : -gap * (column + t + 1);
    s[t + 1][0] = column > 0 ? score[corner + (int64_t)t * size - 1] : -gap * (row + t + 1);
    if (t == 0) {
        if (row > 0 && column > 0)
            s[0][0] = score[corner - size - 1];
        else
            s[0][0] = -gap * (row + column); /* one of them is 0 */
    }
    __syncthreads();
    for (int d = 0; d < 2 * tile - 1; d++) {
        int x = d - t;
        if (x >= 0 && x < tile) {
            int32_t both = s[t][x] + alike[letter + across[x]];
            int32_t one = max(s[t][x + 1], s[t + 1][x]) - gap;
            s[t + 1][x + 1] = max(both, one);
        }
        __syncthreads();
    }
    for (int i = 0; i < tile; i++)
        score[corner + (int64_t)i * size + t] = s[i + 1][t + 1];
}

void nw_destroy(void *state)
{
    struct nw *w = (struct nw *)state;
    if (w == NULL)
        return;
    cudaFree(w->score);
    cudaFree(w->sequence);
    cudaFree(w->likeness);
    cudaFreeHost(w->sent);
    cudaFreeHost(w->last_row);
    free(w);
}

/* Symmetric; a letter is most like itself. */
int fill_likeness(struct nw *w, uint64_t seed, struct dcs_err *err)
{
    int32_t alike[letters * letters];
    for (int i = 0; i < letters; i++)
        for (int j = 0; j <= i; j++) {
            uint64_t random = cal_random_u64(seed + 1, (uint64_t)(i * letters + j));
            int32_t value = i == j ? 4 + (int32_t)(random % 8) : (int32_t)(random % 8) - 4;
            alike[i * letters + j] = alike[j * letters + i] = value;
        }
    return cal_fail_cuda(err, cudaMemcpy(w->likeness, alike, sizeof alike, cudaMemcpyHostToDevice),
                         "filling the likenesses");
}

void *nw_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct nw *w = (struct nw *)calloc(1, sizeof *w);
    if (w == NULL) {
        cal_fail(err, "out of memory");
        return NULL;
    }
    w->size = size;
    size_t n = (size_t)size;
    if (cal_device_alloc((void **)&w->score, n * n * 4, err) != 0 ||
        cal_device_alloc((void **)&w->sequence, 2 * n * 4, err) != 0 ||
        cal_device_alloc((void **)&w->likeness, letters * letters * 4, err) != 0 ||
        cal_host_alloc((void **)&w->sent, 2 * n * 4, err) != 0 ||
        cal_host_alloc((void **)&w->last_row, n * 4, err) != 0 ||
        fill_likeness(w, seed, err) != 0) {
        nw_destroy(w);
        return NULL;
    }
    for (size_t i = 0; i < 2 * n; i++)
        w->sent[i] = (int32_t)(cal_random_u64(seed, i) % letters);
    return w;
}

int nw_plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    const struct nw *w = (const struct nw *)state;
    int32_t tiles = (int32_t)(w->size / tile), diagonals = 2 * tiles - 1;
    cal_add_transfer(p, CAL_TO_DEVICE, "sequences", w->sequence, w->sent, (size_t)w->size * 8);
    for (int phase = 0; phase < phases; phase++) {
        int32_t begin = phase * diagonals / phases, end = (phase + 1) * diagonals / phases;
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "diagonals_%d_%d", begin, end - 1);
        struct cal_kernel *k =
            cal_begin_kernel(p, CAL_COMPUTE, name, "align_%lld_%s", (long long)w->size, name);
        k->repeatable = true;
        for (int32_t d = begin; d < end; d++) {
            int32_t first = d < tiles ? 0 : d - tiles + 1;
            int32_t count = (d < tiles ? d : tiles - 1) - first + 1;
            /* 3 additions and 2 maxima a cell; a tile is written, its borders and letters read. */
            k->flop += 5.0 * tile * tile * count;
            k->bytes += 4.0 * count * (tile * tile + 4 * tile);
            cal_add_launch(p, align_tiles, (unsigned)count, tile, 0, w->score, w->sequence,
                           w->likeness, (int32_t)w->size, d, first);
        }
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "last_row", w->last_row,
                     w->score + (w->size - 1) * w->size, (size_t)w->size * 4);
    return 0;
}

int nw_check(void *state, struct dcs_err *err)
{
    const struct nw *w = (const struct nw *)state;
    size_t n = (size_t)w->size;
    std::vector<int32_t> got(n * n), want(n * n), alike(letters * letters);
    if (cal_fail_cuda(err, cudaMemcpy(got.data(), w->score, n * n * 4, cudaMemcpyDeviceToHost),
                      "copying the table") != 0 ||
        cal_fail_cuda(
            err, cudaMemcpy(alike.data(), w->likeness, alike.size() * 4, cudaMemcpyDeviceToHost),
            "copying the likenesses") != 0)
        return -1;
    /* Row and column 0 of the algorithm are what only gaps cost. */
    auto at = [&](size_t i, size_t j) {
        return i == 0 || j == 0 ? -gap * (int32_t)(i + j) : want[(i - 1) * n + j - 1];
    };
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= n; j++) {
            int32_t likeness = alike[(size_t)(w->sent[i - 1] * letters + w->sent[n + j - 1])];
            int32_t one = std::max(at(i - 1, j), at(i, j - 1)) - gap;
            want[(i - 1) * n + j - 1] = std::max(at(i - 1, j - 1) + likeness, one);
        }
    if (cal_compare_i32(got.data(), want.data(), n * n, "the table", err) != 0)
        return -1;
    return cal_compare_i32(w->last_row, &want[(n - 1) * n], n, "the last row", err);
}

} // namespace

extern "C" const struct cal_app cal_app_nw = {
    .name = "nw",
    .role = CAL_BATCH,
    .papers = "C-Laius table 3: NW; TReM table III: NW",
    .algorithm = "Needleman and Wunsch, J. Mol. Biol. 48, 1970; tiled anti-diagonals as in Che et "
                 "al., IISWC 2009",
    .size_unit = "letters of each sequence",
    .size_min = 2048,
    .size_max = 20480,
    .size_default = 16384,
    .size_check = 512,
    .size_step = 64,
    .sla_ns = 0,
    .create = nw_create,
    .plan = nw_plan,
    .check = nw_check,
    .destroy = nw_destroy,
};
