/*
 * resident_spmv.cu - a sparse matrix times a vector, one thread to a row, as spmv of Parboil does
 * it (Stratton et al., "Parboil: a revised benchmark suite for scientific and commercial throughput
 * computing", University of Illinois, 2012). Parboil sorts all rows by length. Here those of a
 * block are sorted, in slices of 32 rows with entries that lie side by side (Kreutzer et al., "A
 * unified sparse matrix data format", SIAM J. Sci. Comput. 36, 2014), so that all blocks have equal
 * work.
 *
 * A row has 13 to 48 entries: three of four are within 4096 columns behind the diagonal, as in a
 * matrix of finite elements, and the others are anywhere. The matrix of the default load has 580 MB
 * and streams. The vector has 8 MB, as there are 2 million rows: it stays in the L2 cache, and the
 * gathers go there.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/app/philox.cuh"

namespace
{

constexpr int slice = 32, near_columns = 4096;

struct spmv_body {
    static constexpr int threads = 128;

    struct args {
        const int *begin; /* of each slice's entries, and the end */
        const int *row;   /* that a position in the storage has */
        const int *column;
        const float *value;
        const float *x;
        float *y;
        int rows;
    };
    struct shared {
        int nothing;
    };

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *, Barrier)
    {
        int position = block * threads + thread;
        if (position >= a.rows)
            return;
        int end = a.begin[position / slice + 1];
        float sum = 0;
#pragma unroll 4
        for (int at = a.begin[position / slice] + position % slice; at < end; at += slice)
            sum += a.value[at] * a.x[a.column[at]];
        a.y[a.row[position]] = sum;
    }
};

constexpr int block_rows = spmv_body::threads, block_slices = block_rows / slice;

/* Entries of the rank-th longest row of a block. */
__host__ __device__ int length_of(int rank)
{
    return 48 - rank * 9 / 32;
}

__host__ __device__ int row_of(int block, int rank)
{
    return block * block_rows + (rank * 37 + block) % block_rows;
}

struct entry {
    int column;
    float value;
};

/* The k-th of a row. */
__host__ __device__ struct entry entry_of(int row, int k, int rows, uint64_t seed)
{
    struct cal_random_words r = cal_philox((uint32_t)row, (uint32_t)k, 0, 0, seed);
    unsigned anywhere = r.word[1] % (unsigned)rows;
    unsigned near = ((unsigned)row + r.word[1] % near_columns) % (unsigned)rows;
    return {(int)(r.word[0] % 4 == 0 ? anywhere : near), 2 * cal_uniform(r.word[2]) - 1};
}

/* Of the slices of a block, and of all of them. */
__host__ __device__ int slice_begin(int of)
{
    int begin = 0;
    for (int i = 0; i < of; i++)
        begin += length_of(i * slice) * slice;
    return begin;
}

__global__ void make_matrix(int *begin, int *row, int *column, float *value, int blocks,
                            uint64_t seed)
{
    const int block = (int)blockIdx.x, rank = (int)threadIdx.x, of = rank / slice;
    const int mine = row_of(block, rank), at = block * slice_begin(block_slices) + slice_begin(of);
    row[block * block_rows + rank] = mine;
    if (rank % slice == 0)
        begin[block * block_slices + of] = at;
    if (block == 0 && rank == 0)
        begin[blocks * block_slices] = blocks * slice_begin(block_slices);
    for (int k = 0; k < length_of(of * slice); k++) {
        struct entry e = {mine, 0}; /* fills a slice up */
        if (k < length_of(rank))
            e = entry_of(mine, k, blocks * block_rows, seed);
        column[at + k * slice + rank % slice] = e.column;
        value[at + k * slice + rank % slice] = e.value;
    }
}

int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    const size_t rows = (size_t)load * block_rows, slices = (size_t)load * block_slices;
    const size_t entries = (size_t)load * (size_t)slice_begin(block_slices);
    p->result_bytes = rows * sizeof(float);
    int *begin = (int *)cal_part_alloc(p, (slices + 1) * sizeof(int), err);
    int *row = (int *)cal_part_alloc(p, rows * sizeof(int), err);
    int *column = (int *)cal_part_alloc(p, entries * sizeof(int), err);
    float *value = (float *)cal_part_alloc(p, entries * sizeof(float), err);
    float *x = (float *)cal_part_alloc(p, rows * sizeof(float), err);
    float *y = (float *)cal_part_alloc(p, p->result_bytes, err);
    if (begin == NULL || row == NULL || column == NULL || value == NULL || x == NULL || y == NULL ||
        cal_fill_uniform_f32(x, rows, seed, -1, 1, err) != 0)
        return -1;
    make_matrix<<<(unsigned)load, block_rows>>>(begin, row, column, value, (int)load, seed + 1);
    p->result = y;
    struct spmv_body::args a = {begin, row, column, value, x, y, (int)rows};
    cal_part_set_args(p, a);
    return cal_fail_cuda(err, cudaGetLastError(), "spmv: making the matrix");
}

/* The storage as a list of entries, each with its row. */
int check_product(const struct cal_part *p, int load, const void *result, struct dcs_err *err)
{
    const size_t rows = (size_t)load * block_rows, slices = (size_t)load * block_slices;
    const size_t entries = (size_t)load * (size_t)slice_begin(block_slices);
    struct spmv_body::args a;
    memcpy(&a, p->args, sizeof a);
    std::vector<int> begin, row, column;
    std::vector<float> value, x, want(rows);
    std::vector<double> sum(rows);
    if (cal_part_read(&begin, a.begin, slices + 1, err) != 0 ||
        cal_part_read(&row, a.row, rows, err) != 0 ||
        cal_part_read(&column, a.column, entries, err) != 0 ||
        cal_part_read(&value, a.value, entries, err) != 0 || cal_part_read(&x, a.x, rows, err) != 0)
        return -1;
    for (size_t s = 0; s < slices; s++)
        for (int at = begin[s]; at < begin[s + 1]; at++)
            sum[(size_t)row[s * slice + (size_t)(at - begin[s]) % slice]] +=
                (double)value[(size_t)at] * (double)x[(size_t)column[(size_t)at]];
    for (size_t i = 0; i < rows; i++)
        want[i] = (float)sum[i];
    return cal_compare_f32((const float *)result, want.data(), rows, 1e-5, 1e-5, "spmv", err);
}

} // namespace

const struct cal_part_kernel cal_resident_spmv =
    cal_make_alone<spmv_body, 12>("spmv", 32768, false, create, check_product);
