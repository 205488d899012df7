/*
 * dnn_check_gemm.cu - the products of dnn_gemm.cu at sizes that are no multiples of their tiles.
 */
#include "calibrate/app/dnn_reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <vector>

struct gemm_case {
    int n, h, w, in, out;
    struct dnn_conv conv;
};

/* Every column tile; few and many splits; strides, one-sided kernels, kernels as large as the
 * image (which are flattened), images smaller than a slice. */
static const struct gemm_case gemm_cases[] = {
    {1, 5, 7, 24, 40, {3, 3, 1, 1, 1, 1}},    {2, 9, 9, 8, 136, {5, 5, 2, 2, 2, 1}},
    {3, 1, 1, 1000, 72, {1, 1, 1, 0, 0, 1}},  {2, 3, 3, 104, 24, {3, 3, 1, 0, 0, 1}},
    {2, 13, 11, 40, 200, {1, 7, 1, 0, 3, 1}}, {1, 8, 9, 16, 8, {1, 1, 2, 0, 0, 1}},
    {1, 4, 4, 520, 24, {3, 3, 1, 1, 1, 1}},   {1, 12, 12, 72, 128, {1, 1, 1, 0, 0, 1}},
};

/* All device and host memory of one case. Views lie in the middle of wider pixels. */
struct gemm_memory {
    struct dnn_view x, y, dx, dy;
    __half *weights;
    float *bias, *gradient, *workspace;
    std::vector<void *> device;
};

static void *device_alloc(struct gemm_memory *m, size_t bytes, struct dcs_err *err)
{
    void *p;
    if (cal_device_alloc(&p, bytes, err) != 0)
        return NULL;
    m->device.push_back(p);
    return p;
}

static int make_view(struct gemm_memory *m, struct dnn_view *v, int n, int h, int w, int c,
                     uint64_t seed, struct dcs_err *err)
{
    /* A tensor of its own where the kernel covers the image: that is what can be flattened. */
    const int wide = seed % 2 == 0 ? c : c + 24;
    *v = {NULL, n, h, w, c, wide};
    const size_t all = (size_t)n * h * w * wide;
    v->data = (__half *)device_alloc(m, all * sizeof(__half), err);
    if (v->data == NULL || cal_fill_normal_f16(v->data, all, seed, 0.0f, 1.0f, err) != 0)
        return -1;
    v->data += wide == c ? 0 : 8;
    return 0;
}

template <typename T> static std::vector<T> fetched(const T *device, size_t n)
{
    std::vector<T> host(n);
    if (cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
        host.assign(n, T(NAN)); /* no comparison passes */
    return host;
}

/* The same view in host memory. */
static struct dnn_view fetched_view(const struct dnn_view *v, std::vector<__half> *keep)
{
    *keep = fetched(v->data, (size_t)dnn_pixels(v) * v->ld - (v->ld == v->c ? 0 : 8));
    struct dnn_view host = *v;
    host.data = keep->data();
    return host;
}

static int run_case(const struct gemm_case *g, struct gemm_memory *m, struct dcs_err *err)
{
    struct cal_plan plan = {};
    const char *names[] = {"forward", "data gradient", "weight gradient"};
    const struct dnn_gemm forward =
        dnn_gemm_forward(&g->conv, &m->x, &m->y, m->weights, m->bias, m->workspace);
    cal_begin_kernel(&plan, CAL_COMPUTE, names[0], "case");
    dnn_add_forward(&plan, &forward);
    const struct dnn_gemm data =
        dnn_gemm_data_gradient(&g->conv, &m->dx, &m->dy, m->weights, &m->x, m->workspace);
    cal_begin_kernel(&plan, CAL_COMPUTE, names[1], "case");
    dnn_add_data_gradient(&plan, &data);
    const struct dnn_gemm weight =
        dnn_gemm_weight_gradient(&g->conv, &m->x, &m->dy, m->gradient, m->workspace);
    cal_begin_kernel(&plan, CAL_COMPUTE, names[2], "case");
    dnn_add_weight_gradient(&plan, &weight, m->gradient);
    cudaError_t status = cudaSuccess;
    for (size_t k = 0; k < plan.kernels_count && status == cudaSuccess; k++)
        status = cal_enqueue(&plan, &plan.kernels[k], 0);
    cal_plan_release(&plan);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    return cal_fail_cuda(err, status, "products of odd sizes");
}

static int compare_forward(const struct gemm_case *g, const struct dnn_view *x,
                           const struct dnn_view *y, const __half *weights, const float *bias,
                           const char *name, struct dcs_err *err)
{
    for (int i = 0; i < dnn_pixels(y) * y->c; i++) {
        const int pixel = i / y->c;
        const struct dnn_place at = {pixel / (y->h * y->w), pixel / y->w % y->h, pixel % y->w,
                                     i % y->c};
        struct dnn_sum want = dnn_reference_forward(&g->conv, x, weights, y->c, &at);
        dnn_sum_add(&want, (double)bias[at.c]);
        if (dnn_expect(dnn_at(y, at.image, at.y, at.x, at.c), want.value, dnn_allowed(&want), name,
                       "the product", &at, err) != 0)
            return -1;
    }
    return 0;
}

static int compare_gradients(const struct gemm_case *g, const struct dnn_view *x,
                             const struct dnn_view *dx, const struct dnn_view *dy,
                             const __half *weights, const float *gradient, const char *name,
                             struct dcs_err *err)
{
    for (int i = 0; i < dnn_pixels(x) * x->c; i++) {
        const int pixel = i / x->c;
        const struct dnn_place at = {pixel / (x->h * x->w), pixel / x->w % x->h, pixel % x->w,
                                     i % x->c};
        struct dnn_sum want = dnn_reference_data_gradient(&g->conv, dy, weights, x->c, &at);
        dnn_sum_add(&want, dnn_at(x, at.image, at.y, at.x, at.c)); /* the addend */
        if (dnn_expect(dnn_at(dx, at.image, at.y, at.x, at.c), want.value, dnn_allowed(&want), name,
                       "the data gradient", &at, err) != 0)
            return -1;
    }
    const int rows = g->conv.kernel_h * g->conv.kernel_w * x->c;
    for (int i = 0; i < rows * dy->c; i++) {
        const int tap = i / dy->c / x->c;
        const struct dnn_place at = {0, tap / g->conv.kernel_w, tap % g->conv.kernel_w,
                                     i / dy->c % x->c};
        const struct dnn_sum want = dnn_reference_weight_gradient(&g->conv, x, dy, &at, i % dy->c);
        if (dnn_expect((double)gradient[i], want.value, dnn_allowed(&want), name,
                       "the weight gradient", &at, err) != 0)
            return -1;
    }
    return 0;
}

static int check_case(const struct gemm_case *g, int index, struct gemm_memory *m,
                      struct dcs_err *err)
{
    const struct dnn_conv *c = &g->conv;
    const uint64_t seed = (uint64_t)index * 16 + 2;
    const int h = (g->h + 2 * c->pad_h - c->kernel_h) / c->stride + 1;
    const int w = (g->w + 2 * c->pad_w - c->kernel_w) / c->stride + 1;
    const bool covers = c->kernel_h == g->h && c->kernel_w == g->w;
    const size_t weights = (size_t)c->kernel_h * c->kernel_w * g->in * g->out;
    if (make_view(m, &m->x, g->n, g->h, g->w, g->in, seed + !covers, err) != 0 ||
        make_view(m, &m->dx, g->n, g->h, g->w, g->in, seed + 2, err) != 0 ||
        make_view(m, &m->y, g->n, h, w, g->out, seed + 5, err) != 0 ||
        make_view(m, &m->dy, g->n, h, w, g->out, seed + 7, err) != 0)
        return -1;
    m->weights = (__half *)device_alloc(m, weights * sizeof(__half), err);
    m->gradient = (float *)device_alloc(m, weights * sizeof(float), err);
    m->bias = (float *)device_alloc(m, (size_t)g->out * sizeof(float), err);
    if (m->weights == NULL || m->gradient == NULL || m->bias == NULL ||
        cal_fill_normal_f16(m->weights, weights, seed + 8, 0.0f, 0.1f, err) != 0 ||
        cal_fill_uniform_f32(m->bias, (size_t)g->out, seed + 9, -1.0f, 1.0f, err) != 0)
        return -1;
    const struct dnn_gemm products[] = {
        dnn_gemm_forward(c, &m->x, &m->y, NULL, NULL, NULL),
        dnn_gemm_data_gradient(c, &m->dx, &m->dy, NULL, NULL, NULL),
        dnn_gemm_weight_gradient(c, &m->x, &m->dy, NULL, NULL),
    };
    size_t workspace = 8;
    for (const struct dnn_gemm &product : products)
        if (workspace < dnn_gemm_workspace(&product))
            workspace = dnn_gemm_workspace(&product);
    m->workspace = (float *)device_alloc(m, workspace * sizeof(float), err);
    if (m->workspace == NULL || run_case(g, m, err) != 0)
        return -1;

    std::vector<__half> of_x, of_y, of_dx, of_dy;
    const struct dnn_view x = fetched_view(&m->x, &of_x), y = fetched_view(&m->y, &of_y);
    const struct dnn_view dx = fetched_view(&m->dx, &of_dx), dy = fetched_view(&m->dy, &of_dy);
    const std::vector<__half> host_weights = fetched(m->weights, weights);
    const std::vector<float> bias = fetched(m->bias, (size_t)g->out);
    const std::vector<float> gradient = fetched(m->gradient, weights);
    char name[48];
    snprintf(name, sizeof name, "products of odd sizes, case %d", index);
    if (compare_forward(g, &x, &y, host_weights.data(), bias.data(), name, err) != 0)
        return -1;
    return compare_gradients(g, &x, &dx, &dy, host_weights.data(), gradient.data(), name, err);
}

int dnn_check_gemm(struct dcs_err *err)
{
    int result = 0;
    for (size_t i = 0; i < sizeof gemm_cases / sizeof gemm_cases[0] && result == 0; i++) {
        struct gemm_memory m = {};
        result = check_case(&gemm_cases[i], (int)i, &m, err);
        for (void *p : m.device)
            cudaFree(p);
    }
    return result;
}
