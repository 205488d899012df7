/*
 * split_mm.c - the product of two dense square matrices. An iteration is one element of the
 * product, in the order of rows; a chunk may begin and end within a row. Rows of the first matrix
 * go to the GPU with the elements of their rows, the second is there.
 */
#include "calibrate/split/split_inputs.h"

#include <string.h>

enum { ROWS = 4, COLUMNS = 2 * CAL_SPLIT_LANES };

typedef float lanes __attribute__((vector_size(CAL_SPLIT_LANES * sizeof(float)), aligned(4)));

static void shape(struct cal_split *s)
{
    size_t elements = (size_t)s->n * (size_t)s->n;
    s->iterations = s->n * s->n;
    s->in.count = s->constant.count = s->out.count = elements;
    s->in_row = (size_t)s->n;
    s->in_share = s->n;
    s->out_each = 1;
}

static void fill(struct cal_split *s, int64_t begin, int64_t end)
{
    for (int64_t i = begin * s->n; i < end * s->n; i++) {
        s->in.host[i] = cal_split_random(s->seed, (uint64_t)i);
        s->constant.host[i] = cal_split_random(s->seed + 1, (uint64_t)i);
    }
}

/* Columns [column, column + COLUMNS) of `rows` rows from `row`, at most ROWS; of these columns
 * those from `begin` and below `end` are stored. */
static inline __attribute__((always_inline)) void multiply_tile(const struct cal_split *s,
                                                                int64_t row, int rows,
                                                                int64_t column, int64_t begin,
                                                                int64_t end)
{
    int64_t n = s->n;
    lanes sums[ROWS][2] = {0};
    const float *a[ROWS];
    for (int i = 0; i < ROWS; i++)
        a[i] = s->in.host + (row + (i < rows ? i : 0)) * n;
    for (int64_t k = 0; k < n; k++) {
        const float *b = s->constant.host + k * n + column;
        lanes left = *(const lanes *)b, right = *(const lanes *)(b + CAL_SPLIT_LANES);
#pragma GCC unroll 4
        for (int i = 0; i < ROWS; i++) {
            sums[i][0] += a[i][k] * left;
            sums[i][1] += a[i][k] * right;
        }
    }
    for (int i = 0; i < rows; i++) {
        float *to = s->out.host + (row + i) * n;
        if (begin <= column && column + COLUMNS <= end)
            memcpy(to + column, sums[i], sizeof sums[i]);
        else
            for (int64_t c = column < begin ? begin : column; c < end && c < column + COLUMNS; c++)
                to[c] = sums[i][(c - column) / CAL_SPLIT_LANES][(c - column) % CAL_SPLIT_LANES];
    }
}

/* Columns [begin, end) of one row. */
static inline __attribute__((always_inline)) void
multiply_part(const struct cal_split *s, int64_t row, int64_t begin, int64_t end)
{
    for (int64_t column = begin - begin % COLUMNS; column < end; column += COLUMNS)
        multiply_tile(s, row, 1, column, begin, end);
}

CAL_SPLIT_FAST static void compute(struct cal_split *s, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    int64_t n = s->n;
    if (begin % n != 0) {
        int64_t stop = begin - begin % n + n < end ? begin - begin % n + n : end;
        multiply_part(s, begin / n, begin % n, begin % n + stop - begin);
        begin = stop;
    }
    int64_t row = begin / n, last = end / n; /* whole rows, then part of one */
    for (int64_t column = 0; row < last && column < n; column += COLUMNS)
        for (int64_t r = row; r < last; r += ROWS)
            multiply_tile(s, r, last - r < ROWS ? (int)(last - r) : ROWS, column, 0, n);
    if (begin < end && end % n != 0)
        multiply_part(s, last, 0, end % n);
}

static size_t results(const struct cal_split *s, float *to)
{
    if (to != NULL)
        memcpy(to, s->out.host, s->out.count * sizeof *to);
    return s->out.count;
}

const struct cal_split_program cal_split_mm = {
    .id = CAL_SPLIT_MM,
    .name = "mm",
    .what = "the product of two dense matrices; an iteration is an element of it",
    .algorithm = "Goto and van de Geijn, Anatomy of high-performance matrix multiplication, 2008",
    .unit = "rows and columns",
    .passes = 1,
    .chunk_min = 256,
    .together = COLUMNS,
    .sizes = {1024, 512, 2048},
    .size_check = 64,
    .tolerance = 1e-5,
    .shape = shape,
    .fill = fill,
    .compute = compute,
    .results = results,
};
