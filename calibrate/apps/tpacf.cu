/*
 * tpacf.cu - the two-point angular correlation function of a sky of points: how many pairs there
 * are at each angular distance, in the data (DD), in random skies (RR) and between the two (DR),
 * for the estimator of Landy and Szalay, "Bias and variance of angular correlation functions",
 * Astrophysical Journal 412 (1993); by direct counting on a GPU as Roeh, Kindratenko and Brunner,
 * "Accelerating cosmological data analysis with graphics processors", GPGPU 2009, do. Tacker's
 * table II and Themis name it.
 *
 * Size: points of each set; there are 32 random sets. A request uploads the data, clears the
 * histograms, counts DD, DR and RR, one kernel each, and downloads the histograms. The random sets
 * stay on the device. Bins are of equal width in the logarithm of the angle, from 10 minutes of arc
 * to 90 degrees, with one below and one above.
 */
#include "calibrate/apps/tpacf_input.h"
#include "calibrate/app/app.cuh"

#include <stdlib.h>
#include <vector>

namespace
{

using body = cal_tpacf_body;
constexpr int sets = 32, histograms = 1 + 2 * sets; /* DD, DR, RR */
constexpr size_t histogram_bytes = (size_t)histograms * body::counters * sizeof(unsigned);

struct state {
    int points;
    float *host_data; /* pinned */
    unsigned *host_histogram;
    float *data, *random, *thresholds;
    unsigned *histogram;
};

__global__ void clear(unsigned *histogram, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        histogram[i] = 0;
}

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->host_data);
    cudaFreeHost(s->host_histogram);
    cudaFree(s->data);
    cudaFree(s->random);
    cudaFree(s->thresholds);
    cudaFree(s->histogram);
    free(s);
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = (struct state *)calloc(1, sizeof *s);
    if (s == NULL) {
        cal_fail(err, "tpacf: out of host memory");
        return NULL;
    }
    s->points = (int)size;
    size_t floats = 3 * (size_t)s->points;
    if (cal_host_alloc((void **)&s->host_data, floats * sizeof(float), err) != 0 ||
        cal_host_alloc((void **)&s->host_histogram, histogram_bytes, err) != 0 ||
        cal_device_alloc((void **)&s->data, floats * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->random, sets * floats * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->thresholds, body::thresholds * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->histogram, histogram_bytes, err) != 0 ||
        cal_fill_uniform_f32(s->data, floats, seed, -1, 1, err) != 0 ||
        cal_fill_uniform_f32(s->random, sets * floats, seed + 1, -1, 1, err) != 0) {
        destroy(s);
        return NULL;
    }
    cal_tpacf_directions<<<cal_blocks(s->points, 256), 256>>>(s->data, s->points, 1);
    cal_tpacf_directions<<<cal_blocks((int64_t)s->points * sets, 256), 256>>>(s->random, s->points,
                                                                              sets);
    float cosines[body::thresholds];
    cal_tpacf_thresholds(cosines);
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        status = cudaMemcpy(s->thresholds, cosines, sizeof cosines, cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = cudaMemcpy(s->host_data, s->data, floats * sizeof(float), cudaMemcpyDeviceToHost);
    if (cal_fail_cuda(err, status, "tpacf: making the points") != 0) {
        destroy(s);
        return NULL;
    }
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    size_t floats = 3 * (size_t)s->points;
    unsigned tiles = cal_blocks(s->points, body::threads);
    /* A pair: cosine 5, five comparisons and steps 10, counter 2. */
    double pairs = (double)s->points * s->points, set_bytes = 12.0 * s->points;
    cal_add_transfer(p, CAL_TO_DEVICE, "data", s->data, s->host_data, floats * sizeof(float));
    struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, "clear", "clear_%zu", histogram_bytes);
    const int counters = histograms * body::counters;
    k->repeatable = true;
    k->flop = counters; /* moves, in place of operations */
    k->bytes = (double)histogram_bytes;
    cal_add_launch(p, clear, cal_blocks(counters, 256), 256, 0, s->histogram, counters);

    /* Counts wrap around if a kernel is repeated without clear, at no cost in time. */
    k = cal_begin_kernel(p, CAL_COMPUTE, "dd", "within_%dx1", s->points);
    k->repeatable = true;
    k->flop = 17 * pairs / 2;
    k->bytes = set_bytes;
    struct cal_tpacf_body::args a = {s->data,      s->data,   0, s->thresholds,
                                     s->histogram, s->points, 1, 1};
    cal_add_launch(p, cal_plain<body>, tiles, body::threads, 0, a);

    k = cal_begin_kernel(p, CAL_COMPUTE, "dr", "between_%dx%d", s->points, sets);
    k->repeatable = true;
    k->flop = 17 * pairs * sets;
    k->bytes = set_bytes * (1 + sets);
    a.b = s->random;
    a.histogram = s->histogram + body::counters;
    a.sets = sets;
    a.within = 0;
    cal_add_launch(p, cal_plain<body>, tiles * sets, body::threads, 0, a);

    k = cal_begin_kernel(p, CAL_COMPUTE, "rr", "within_%dx%d", s->points, sets);
    k->repeatable = true;
    k->flop = 17 * pairs / 2 * sets;
    k->bytes = set_bytes * sets;
    a.a = s->random;
    a.a_stride = floats;
    a.histogram = s->histogram + (1 + sets) * body::counters;
    a.within = 1;
    cal_add_launch(p, cal_plain<body>, tiles * sets, body::threads, 0, a);

    cal_add_transfer(p, CAL_FROM_DEVICE, "histograms", s->host_histogram, s->histogram,
                     histogram_bytes);
    return 0;
}

/* How many pairs have an angle of at least each border's; `near`: so close to it that rounding
 * decides. */
struct tally {
    double beyond[body::bins + 1], near[body::bins + 1];
};

void count_pairs(const float *a, const float *b, int points, bool within, struct tally *t)
{
    float cosines[body::thresholds];
    cal_tpacf_thresholds(cosines);
    *t = {};
    for (int i = 0; i < points; i++)
        for (int j = within ? i + 1 : 0; j < points; j++) {
            double cosine = 0;
            for (int d = 0; d < 3; d++)
                cosine += (double)a[d * points + i] * b[d * points + j];
            for (int k = 0; k <= body::bins; k++) {
                t->beyond[k] += cosine < cosines[k];
                t->near[k] += fabs(cosine - cosines[k]) < 5e-7;
            }
        }
}

int compare(const unsigned *got, const struct tally *want, const char *what, int set,
            struct dcs_err *err)
{
    double beyond = 0;
    for (int k = body::bins; k >= 0; k--) {
        beyond += got[k + 1];
        if (fabs(beyond - want->beyond[k]) > want->near[k])
            return cal_fail(err,
                            "tpacf: %s with set %d: %.0f pairs are beyond angle %d instead of %.0f",
                            what, set, beyond, k, want->beyond[k]);
    }
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    size_t floats = 3 * (size_t)s->points;
    std::vector<float> data(floats), random(floats);
    if (cal_fail_cuda(
            err, cudaMemcpy(data.data(), s->data, floats * sizeof(float), cudaMemcpyDeviceToHost),
            "tpacf: reading the data") != 0)
        return -1;
    double pairs = (double)s->points * s->points, inside = (pairs - s->points) / 2;
    for (int h = 0; h < histograms; h++) {
        double total = 0;
        for (int k = 0; k < body::counters; k++)
            total += s->host_histogram[h * body::counters + k];
        double want = h >= 1 && h <= sets ? pairs : inside;
        if (total != want)
            return cal_fail(err, "tpacf: histogram %d has %.0f pairs instead of %.0f", h, total,
                            want);
    }
    struct tally t;
    count_pairs(data.data(), data.data(), s->points, true, &t);
    if (compare(s->host_histogram, &t, "DD", 0, err) != 0)
        return -1;
    for (int set = 0; set < sets; set += sets - 1) { /* the first and the last */
        if (cal_fail_cuda(err,
                          cudaMemcpy(random.data(), s->random + (size_t)set * floats,
                                     floats * sizeof(float), cudaMemcpyDeviceToHost),
                          "tpacf: reading a random set") != 0)
            return -1;
        const unsigned *dr = s->host_histogram + (1 + set) * body::counters;
        count_pairs(data.data(), random.data(), s->points, false, &t);
        if (compare(dr, &t, "DR", set, err) != 0)
            return -1;
        count_pairs(random.data(), random.data(), s->points, true, &t);
        if (compare(dr + (size_t)sets * body::counters, &t, "RR", set, err) != 0)
            return -1;
    }
    return 0;
}

} // namespace

extern "C" const struct cal_app cal_app_tpacf = {
    /*.name=*/"tpacf",
    /*.role=*/CAL_BATCH,
    /*.papers=*/"Tacker table II: tpacf; Themis: tpac",
    /*.algorithm=*/
    "Landy and Szalay, ApJ 1993; Roeh et al., Accelerating cosmological data analysis "
    "with graphics processors, GPGPU 2009",
    /*.size_unit=*/"points",
    /*.size_min=*/1792,
    /*.size_max=*/12288,
    /*.size_default=*/10240,
    /*.size_check=*/320,
    /*.size_step=*/64,
    /*.sla_ns=*/0,
    create,
    plan,
    check_results,
    destroy,
};
