/*
 * fft.cu - signals pass a chain of filters by fast convolution: batched one-dimensional Fourier
 * transforms of 1024 points, after Cooley and Tukey, "An algorithm for the machine calculation of
 * complex Fourier series", Mathematics of Computation 19 (1965), in the form of Stockham,
 * "High-speed convolution and correlation", AFIPS 1966. Tacker's table II names fft.
 *
 * Size: signals. A request uploads eight filters, sends all signals through each, one kernel per
 * filter, and downloads the first 64 signals. Signals stay on the device: over PCIe they would take
 * several times as long as the work. The filters only turn phases, so that a signal keeps its
 * energy over a chain of any length. A kernel transforms forward and back, where a benchmark of
 * transforms alone would move twice the memory for the same arithmetic.
 */
#include "calibrate/apps/fft_body.cuh"
#include "calibrate/app/app.cuh"

#include <complex>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

using body = cal_fft_body;
constexpr int points = body::points, filters = 8, downloaded = 64;

struct state {
    int signals;
    float2 *host_filters, *host_out; /* pinned */
    float2 *filters, *in, *out;
};

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->host_filters);
    cudaFreeHost(s->host_out);
    cudaFree(s->filters);
    cudaFree(s->in);
    cudaFree(s->out);
    free(s);
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = (struct state *)calloc(1, sizeof *s);
    if (s == NULL) {
        cal_fail(err, "fft: out of host memory");
        return NULL;
    }
    s->signals = (int)size;
    size_t all = (size_t)s->signals * points;
    const size_t filter_bytes = filters * points * sizeof(float2);
    if (cal_host_alloc((void **)&s->host_filters, filter_bytes, err) != 0 ||
        cal_host_alloc((void **)&s->host_out, downloaded * points * sizeof(float2), err) != 0 ||
        cal_device_alloc((void **)&s->filters, filter_bytes, err) != 0 ||
        cal_device_alloc((void **)&s->in, all * sizeof(float2), err) != 0 ||
        cal_device_alloc((void **)&s->out, all * sizeof(float2), err) != 0 ||
        cal_fill_uniform_f32((float *)s->in, 2 * all, seed, -1, 1, err) != 0) {
        destroy(s);
        return NULL;
    }
    for (int i = 0; i < filters * points; i++) {
        double turn = (double)(cal_random_u64(seed + 1, (uint64_t)i) >> 11) * 0x1p-53;
        double phase = 2 * acos(-1.0) * turn;
        s->host_filters[i] =
            make_float2((float)(cos(phase) / points), (float)(sin(phase) / points));
    }
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    double all = (double)s->signals * points;
    cal_add_transfer(p, CAL_TO_DEVICE, "filters", s->filters, s->host_filters,
                     filters * points * sizeof(float2));
    for (int f = 0; f < filters; f++) {
        char name[16];
        snprintf(name, sizeof name, "filter_%d", f);
        struct cal_kernel *k =
            cal_begin_kernel(p, CAL_COMPUTE, name, "%s_%dx%d",
                             f == 0 ? "filter" : "filter_in_place", s->signals, points);
        k->repeatable = true;
        k->flop = all * (2 * 5 * 10 + 6); /* two transforms of 5 n log2 n, one product */
        k->bytes = 16 * all + 8 * points;
        struct cal_fft_body::args a = {f == 0 ? s->in : s->out, s->out, s->filters + f * points,
                                       s->signals};
        cal_add_launch(p, cal_plain<body>, (unsigned)s->signals, body::threads, 0, a);
    }
    int count = s->signals < downloaded ? s->signals : downloaded;
    cal_add_transfer(p, CAL_FROM_DEVICE, "first_signals", s->host_out, s->out,
                     (size_t)count * points * sizeof(float2));
    return 0;
}

/* Recursive, of n values `step` apart. */
void transform(const std::complex<double> *from, std::complex<double> *to, int n, int step,
               int direction)
{
    if (n == 1) {
        to[0] = from[0];
        return;
    }
    transform(from, to, n / 2, 2 * step, direction);
    transform(from + step, to + n / 2, n / 2, 2 * step, direction);
    for (int k = 0; k < n / 2; k++) {
        std::complex<double> odd =
            std::polar(1.0, direction * 2 * acos(-1.0) * k / n) * to[k + n / 2];
        std::complex<double> even = to[k];
        to[k] = even + odd;
        to[k + n / 2] = even - odd;
    }
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    int step = s->signals / 64 + 1;
    std::vector<float2> in(points), out(points);
    std::vector<float> got, want;
    for (int i = 0; i < s->signals; i += step) {
        size_t bytes = points * sizeof(float2), first = (size_t)i * points;
        if (cal_fail_cuda(err, cudaMemcpy(in.data(), s->in + first, bytes, cudaMemcpyDeviceToHost),
                          "fft: reading the signals") != 0 ||
            cal_fail_cuda(err,
                          cudaMemcpy(out.data(), s->out + first, bytes, cudaMemcpyDeviceToHost),
                          "fft: reading the results") != 0)
            return -1;
        std::vector<std::complex<double>> a(points), b(points);
        for (int j = 0; j < points; j++)
            a[j] = std::complex<double>(in[j].x, in[j].y);
        /* Between the filters the signal goes back and forth to no effect. */
        transform(a.data(), b.data(), points, 1, -1);
        for (int f = 0; f < filters; f++)
            for (int j = 0; j < points; j++) {
                const float2 *h = &s->host_filters[f * points + j];
                b[j] *= std::complex<double>(h->x, h->y) * (f == 0 ? 1.0 : (double)points);
            }
        transform(b.data(), a.data(), points, 1, 1);
        for (int j = 0; j < points; j++) {
            got.push_back(out[j].x);
            got.push_back(out[j].y);
            want.push_back((float)a[j].real());
            want.push_back((float)a[j].imag());
        }
        if (i < downloaded && (s->host_out[first].x != out[0].x ||
                               s->host_out[first + points - 1].y != out[points - 1].y))
            return cal_fail(err, "fft: signal %d was not downloaded as it is", i);
    }
    return cal_compare_f32(got.data(), want.data(), got.size(), 2e-4, 0, "fft: signals", err);
}

} // namespace

extern "C" const struct cal_app cal_app_fft = {
    /*.name=*/"fft",
    /*.role=*/CAL_BATCH,
    /*.papers=*/"Tacker table II: fft",
    /*.algorithm=*/"Cooley and Tukey, Math. Comp. 1965; Stockham, AFIPS 1966: radix 4",
    /*.size_unit=*/"signals",
    /*.size_min=*/4096,
    /*.size_max=*/196608,
    /*.size_default=*/131072,
    /*.size_check=*/32,
    /*.size_step=*/32,
    /*.sla_ns=*/0,
    create,
    plan,
    check_results,
    destroy,
};
