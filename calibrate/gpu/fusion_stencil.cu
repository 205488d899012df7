/*
 * fusion_stencil.cu - fused kernels with a Jacobi sweep of the seven-point stencil of the heat
 * equation in three dimensions (Jacobi's iteration for the matrix of finite differences), which
 * Tacker's figure 20 has beside the batch applications. A block has 32 by 4 columns of 16 points.
 */
#include "calibrate/gpu/fusion_body.cuh"

namespace
{

struct stencil_body {
    static constexpr int threads = 128;
    static constexpr int nx = 256, ny = 256;
    static constexpr int across = 32, rows = 4, deep = 16;
    static constexpr int per_slab = nx / across * (ny / rows); /* blocks of 16 layers */

    struct args {
        const float *from;
        float *to;
        int nz;
        float keep, take; /* weights of a point and of each neighbour */
    };
    struct shared {
        int nothing;
    };

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *, Barrier)
    {
        int in_slab = block % per_slab;
        int x = in_slab % (nx / across) * across + thread % across;
        int y = in_slab / (nx / across) * rows + thread / across;
        int z = block / per_slab * deep, end = min(z + deep, a.nz);
        if (z >= a.nz)
            return;
        const int layer = nx * ny;
        size_t at = ((size_t)z * ny + (size_t)y) * nx + (size_t)x;
        bool border = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
        float below = z > 0 ? a.from[at - layer] : 0.0f, here = a.from[at];
#pragma unroll 4
        for (; z < end; z++, at += layer) {
            float above = z + 1 < a.nz ? a.from[at + layer] : 0.0f;
            float value = here; /* the border is fixed */
            if (!border && z > 0 && z + 1 < a.nz)
                value = a.keep * here + a.take * (below + above + a.from[at - 1] + a.from[at + 1] +
                                                  a.from[at - nx] + a.from[at + nx]);
            a.to[at] = value;
            below = here;
            here = above;
        }
    }
};

int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    using body = stencil_body;
    int nz = (int)((load + body::per_slab - 1) / body::per_slab) * body::deep;
    size_t points = (size_t)nz * body::nx * body::ny;
    p->result_bytes = points * sizeof(float);
    float *from = (float *)cal_part_alloc(p, p->result_bytes, err);
    float *to = (float *)cal_part_alloc(p, p->result_bytes, err);
    if (from == NULL || to == NULL || cal_fill_uniform_f32(from, points, seed, 0, 1, err) != 0)
        return -1;
    p->result = to;
    struct body::args a = {from, to, nz, 0.4f, 0.1f};
    cal_part_set_args(p, a);
    return 0;
}

} // namespace

const struct cal_fusion_cuda cal_fusion_stencil =
    cal_make_fusion<stencil_body, 12>("stencil", 262144, false, create);
