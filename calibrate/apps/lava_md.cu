/*
 * lava_md.cu - forces between particles that are near each other, found through boxes.
 *
 * Particles lie in cubic boxes as wide as the cut-off, so that those that act on each other are in
 * one box or in two that touch (Hockney and Eastwood, "Computer simulation using particles", 1981).
 * A block for each box, a thread for each of its particles; the particles of each neighbour pass
 * through shared memory: Szafaryn, Gamblin, de Supinski and Skadron, "Experiences with achieving
 * portability across heterogeneous architectures", WOLFHPC 2011.
 * C-Laius table 3 (MD), TReM table III (Lava MD), Themis (lava).
 *
 * A size is the number of boxes along each edge of the space; a box has 100 particles. A request is
 * one time step's forces and potentials, in one kernel. Single precision, and a potential
 * q exp(-2 a^2 r^2) that is cut off at distance 1, a box's width; the space has walls and does not
 * repeat.
 */
#include "calibrate/app/app.cuh"

#include <math.h>
#include <stdlib.h>
#include <vector>

namespace
{

constexpr int per_box = 100, block = 128;
constexpr double decay = 2 * 0.5 * 0.5; /* 2 a^2 */

struct lava_md {
    int64_t edge, particles;
    float4 *position, *force; /* device: x, y, z, charge; force, potential */
    float4 *sent, *result;    /* host */
};

__global__ void __launch_bounds__(block) act(const float4 *position, float4 *force, int edge)
{
    __shared__ float4 other[per_box];
    int x = (int)blockIdx.x, y = (int)blockIdx.y, z = (int)blockIdx.z, t = (int)threadIdx.x;
    int64_t home = (((int64_t)z * edge + y) * edge + x) * per_box;
    float4 me = t < per_box ? position[home + t] : make_float4(0, 0, 0, 0);
    float4 sum = make_float4(0, 0, 0, 0);
    /* exp(-decay r^2) in powers of 2 */
    const float scale = (float)(-decay * 1.4426950408889634);
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int nx = x + dx, ny = y + dy, nz = z + dz;
                if (nx < 0 || ny < 0 || nz < 0 || nx >= edge || ny >= edge || nz >= edge)
                    continue;
                int64_t there = (((int64_t)nz * edge + ny) * edge + nx) * per_box;
                __syncthreads();
                if (t < per_box)
                    other[t] = position[there + t];
                __syncthreads();
                if (t >= per_box)
                    continue;
#pragma unroll 4
                for (int i = 0; i < per_box; i++) {
                    float rx = me.x - other[i].x, ry = me.y - other[i].y, rz = me.z - other[i].z;
                    float r2 = rx * rx + ry * ry + rz * rz;
                    float v = r2 < 1.0f ? other[i].w * exp2f(scale * r2) : 0.0f;
                    sum.x += v * rx;
                    sum.y += v * ry;
                    sum.z += v * rz;
                    sum.w += v;
                }
            }
    if (t >= per_box)
        return;
    /* force = -charge * gradient */
    float f = me.w * (float)(2 * decay);
    force[home + t] = make_float4(f * sum.x, f * sum.y, f * sum.z, me.w * sum.w);
}

void lava_md_destroy(void *state)
{
    struct lava_md *m = (struct lava_md *)state;
    if (m == NULL)
        return;
    cudaFree(m->position);
    cudaFree(m->force);
    cudaFreeHost(m->sent);
    cudaFreeHost(m->result);
    free(m);
}

void *lava_md_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct lava_md *m = (struct lava_md *)calloc(1, sizeof *m);
    if (m == NULL) {
        cal_fail(err, "out of memory");
        return NULL;
    }
    m->edge = size;
    m->particles = size * size * size * per_box;
    size_t bytes = (size_t)m->particles * sizeof *m->position;
    if (cal_device_alloc((void **)&m->position, bytes, err) != 0 ||
        cal_device_alloc((void **)&m->force, bytes, err) != 0 ||
        cal_host_alloc((void **)&m->sent, bytes, err) != 0 ||
        cal_host_alloc((void **)&m->result, bytes, err) != 0) {
        lava_md_destroy(m);
        return NULL;
    }
    for (int64_t i = 0; i < m->particles; i++) {
        uint64_t random = cal_random_u64(seed, (uint64_t)i);
        int64_t box = i / per_box;
        float in_box[3];
        for (int d = 0; d < 3; d++)
            in_box[d] = (float)(random >> 16 * d & 0xffff) * 0x1p-16f;
        m->sent[i] =
            make_float4((float)(box % size) + in_box[0], (float)(box / size % size) + in_box[1],
                        (float)(box / (size * size)) + in_box[2],
                        0.1f + 0.9f * (float)(random >> 48) * 0x1p-16f);
    }
    return m;
}

int lava_md_plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    const struct lava_md *m = (const struct lava_md *)state;
    size_t bytes = (size_t)m->particles * sizeof *m->position;
    unsigned edge = (unsigned)m->edge;
    cal_add_transfer(p, CAL_TO_DEVICE, "particles", m->position, m->sent, bytes);
    struct cal_kernel *k =
        cal_begin_kernel(p, CAL_COMPUTE, "act", "act_%ux%ux%ux%d", edge, edge, edge, per_box);
    k->repeatable = true;
    /* Along each dimension there are 3 edge - 2 pairs of boxes; 18 operations for each pair of
     * particles, the power being one. */
    double pairs = pow(3.0 * (double)edge - 2, 3) * per_box * per_box;
    k->flop = 18 * pairs;
    k->bytes = 2 * (double)bytes;
    cal_add_launch(p, act, dim3(edge, edge, edge), block, 0, m->position, m->force, (int)edge);
    cal_add_transfer(p, CAL_FROM_DEVICE, "forces", m->result, m->force, bytes);
    return 0;
}

/* All pairs, without boxes. A pair at the cut-off's very edge, where its share is not small, may
 * fall on either side in single precision: it widens what is allowed. */
int lava_md_check(void *state, struct dcs_err *err)
{
    const struct lava_md *m = (const struct lava_md *)state;
    size_t n = (size_t)m->particles;
    for (size_t i = 0; i < n; i++) {
        const float4 a = m->sent[i];
        double sum[4] = {0, 0, 0, 0}, doubt = 0;
        for (size_t j = 0; j < n; j++) {
            const float4 b = m->sent[j];
            double r[3] = {(double)a.x - (double)b.x, (double)a.y - (double)b.y,
                           (double)a.z - (double)b.z};
            double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
            if (r2 >= 1.0 + 1e-5)
                continue;
            double v = (double)a.w * (double)b.w * exp(-decay * r2);
            if (r2 >= 1.0 - 1e-5)
                doubt += 2 * v;
            if (r2 >= 1.0)
                continue;
            for (int d = 0; d < 3; d++)
                sum[d] += 2 * decay * v * r[d];
            sum[3] += v;
        }
        const float want[4] = {(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3]};
        const float got[4] = {m->result[i].x, m->result[i].y, m->result[i].z, m->result[i].w};
        if (cal_compare_f32(got, want, 4, 1e-4 * sum[3] + doubt, 0, "force and potential", err) !=
            0)
            return -1;
    }
    return 0;
}

} // namespace

extern "C" const struct cal_app cal_app_lava_md = {
    .name = "lava-md",
    .role = CAL_BATCH,
    .papers = "C-Laius table 3: MD; TReM table III: Lava MD; Themis: lava",
    .algorithm = "Szafaryn, Gamblin, de Supinski and Skadron, WOLFHPC 2011: particles in boxes of "
                 "the cut-off's width",
    .size_unit = "boxes along an edge",
    .size_min = 8,
    .size_max = 32,
    .size_default = 28,
    .size_check = 5,
    .size_step = 1,
    .sla_ns = 0,
    .create = lava_md_create,
    .plan = lava_md_plan,
    .check = lava_md_check,
    .destroy = lava_md_destroy,
};
