/*
 * lbm_body.cuh - one step of lbm.cu for a row of 128 cells: stream (each cell pulls what its
 * neighbours sent), then collide or bounce back.
 */
#ifndef DCS_CALIBRATE_APPS_LBM_BODY_CUH
#define DCS_CALIBRATE_APPS_LBM_BODY_CUH

#include "calibrate/apps/body.cuh"

struct cal_lbm_body {
    static constexpr int threads = 128;
    static constexpr int nx = 128, ny = 256; /* cells; a block is a row of x */
    static constexpr int directions = 19;

    /* [direction][z][y][x]; periodic in x, y and z. */
    struct args {
        const float *from;
        float *to;
        const unsigned char *solid;
        int nz;
        float omega, force; /* relaxation; acceleration along x */
    };
    struct shared {
        int nothing;
    };

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *, Barrier)
    {
        /* The speeds of Qian's D3Q19; after the one at rest, each is followed by its opposite. */
        const int ex[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
        const int ey[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
        const int ez[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};

        int x = thread, y = block % ny, z = block / ny;
        if (z >= a.nz)
            return;
        size_t cells = (size_t)nx * ny * (size_t)a.nz;
        size_t cell = ((size_t)z * ny + (size_t)y) * nx + (size_t)x;
        float f[directions];
#pragma unroll
        for (int i = 0; i < directions; i++) {
            int sx = (x - ex[i] + nx) % nx, sy = (y - ey[i] + ny) % ny, sz = z - ez[i];
            sz = sz < 0 ? a.nz - 1 : sz == a.nz ? 0 : sz;
            f[i] = a.from[(size_t)i * cells + ((size_t)sz * ny + (size_t)sy) * nx + (size_t)sx];
        }
        float *to = a.to + cell;
        if (a.solid[cell] != 0) {
            to[0] = f[0];
#pragma unroll
            for (int i = 1; i < directions; i += 2) {
                to[(size_t)i * cells] = f[i + 1];
                to[(size_t)(i + 1) * cells] = f[i];
            }
            return;
        }
        float density = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
        for (int i = 0; i < directions; i++) {
            density += f[i];
            ux += (float)ex[i] * f[i];
            uy += (float)ey[i] * f[i];
            uz += (float)ez[i] * f[i];
        }
        float inverse = 1.0f / density;
        ux = ux * inverse + a.force / a.omega; /* the force shifts the equilibrium's velocity */
        uy *= inverse;
        uz *= inverse;
        float rest = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
        for (int i = 0; i < directions; i++) {
            float weight = i == 0 ? 1.0f / 3 : i < 7 ? 1.0f / 18 : 1.0f / 36;
            float along = (float)ex[i] * ux + (float)ey[i] * uy + (float)ez[i] * uz;
            float equilibrium = weight * density * (rest + along * (3.0f + 4.5f * along));
            to[(size_t)i * cells] = f[i] + a.omega * (equilibrium - f[i]);
        }
    }
};

#endif
