/*
 * split_nns.c - nearest neighbours by brute force: of each query the point, of four coordinates,
 * that is next to it. An iteration is a query.
 */
#include "calibrate/split/split_inputs.h"

enum { LANES = CAL_SPLIT_LANES, DIMENSIONS = 4 };

/* constant: the points' first coordinates, then their second ones and so on. in: queries, one in a
 * row. out: of each query the square of the distance and the number of the point. */
static void shape(struct cal_split *s)
{
    s->iterations = s->n;
    s->constant.count = s->in.count = DIMENSIONS * (size_t)s->n;
    s->in_row = DIMENSIONS;
    s->in_share = 1;
    s->out.count = 2 * (size_t)s->n;
    s->out_each = 2;
}

static void fill(struct cal_split *s, int64_t begin, int64_t end)
{
    for (int64_t i = begin * DIMENSIONS; i < end * DIMENSIONS; i++) {
        s->constant.host[i] = cal_split_random(s->seed, (uint64_t)i);
        s->in.host[i] = cal_split_random(s->seed + 1, (uint64_t)i);
    }
}

CAL_SPLIT_FAST static void compute(struct cal_split *s, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    int64_t n = s->n;
    const float *x = s->constant.host, *y = x + n, *z = y + n, *w = z + n;
    for (int64_t i = begin; i < end; i++) {
        const float *q = s->in.host + DIMENSIONS * i;
        float q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
        float best[LANES];
        int32_t which[LANES] = {0};
        for (int k = 0; k < LANES; k++)
            best[k] = 1e30f;
        for (int32_t j = 0; j < n; j += LANES)
            for (int32_t k = 0; k < LANES; k++) {
                float a = x[j + k] - q0, b = y[j + k] - q1, c = z[j + k] - q2, d = w[j + k] - q3;
                float far = a * a + b * b + c * c + d * d;
                which[k] = far < best[k] ? j + k : which[k];
                best[k] = far < best[k] ? far : best[k];
            }
        int least = 0;
        for (int k = 1; k < LANES; k++)
            least = best[k] < best[least] ? k : least;
        s->out.host[2 * i] = best[least];
        s->out.host[2 * i + 1] = (float)which[least];
    }
}

/* Of each query the distance to the point that was found: two may be as near. */
static size_t results(const struct cal_split *s, float *to)
{
    for (int64_t i = 0; to != NULL && i < s->n; i++) {
        int64_t point = (int64_t)s->out.host[2 * i + 1];
        float far = 0;
        for (int64_t d = 0; d < DIMENSIONS && point >= 0 && point < s->n; d++) {
            float along = s->constant.host[d * s->n + point] - s->in.host[DIMENSIONS * i + d];
            far += along * along;
        }
        to[i] = far;
    }
    return (size_t)s->n;
}

const struct cal_split_program cal_split_nns = {
    .id = CAL_SPLIT_NNS,
    .name = "nns",
    .what = "nearest neighbours by brute force; an iteration is a query",
    .algorithm = "Garcia, Debreuve and Barlaud, Fast k nearest neighbor search using GPU, 2008",
    .unit = "points, and as many queries",
    .passes = 1,
    .chunk_min = 32,
    .together = 1,
    .sizes = {16384, 8192, 32768},
    .size_check = 512,
    .tolerance = 1e-5,
    .shape = shape,
    .fill = fill,
    .compute = compute,
    .results = results,
};
