/*
 * lbm_input.cuh - the lattice that lbm.cu and the fused kernels begin with, on the device and, for
 * the reference, on the host.
 */
#ifndef DCS_CALIBRATE_APPS_LBM_INPUT_CUH
#define DCS_CALIBRATE_APPS_LBM_INPUT_CUH

#include "calibrate/apps/lbm_body.cuh"

/* Cells that are solid: two walls and one cell in twenty; and what a cell holds at the start. */
static __host__ __device__ inline unsigned cal_lbm_scatter(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    return x ^ (x >> 16);
}

static __host__ __device__ inline unsigned char cal_lbm_solid(unsigned cell, unsigned seed)
{
    unsigned y = cell / (unsigned)cal_lbm_body::nx % (unsigned)cal_lbm_body::ny;
    return y == 0 || y == (unsigned)cal_lbm_body::ny - 1 ||
           cal_lbm_scatter(cell ^ cal_lbm_scatter(seed)) % 20 == 0;
}

static __host__ __device__ inline float cal_lbm_start(unsigned cell, int i, unsigned seed)
{
    float weight = i == 0 ? 1.0f / 3 : i < 7 ? 1.0f / 18 : 1.0f / 36;
    unsigned r = cal_lbm_scatter(cal_lbm_scatter(cell + seed) + (unsigned)i);
    return weight * (1.0f + 0.05f * ((float)(r >> 8) * 0x1p-24f - 0.5f));
}

static __global__ void cal_lbm_place_solids(unsigned char *solid, unsigned cells, unsigned seed)
{
    unsigned cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell < cells)
        solid[cell] = cal_lbm_solid(cell, seed);
}

static __global__ void cal_lbm_begin(float *f, unsigned cells, unsigned seed)
{
    unsigned cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= cells)
        return;
    for (int i = 0; i < cal_lbm_body::directions; i++)
        f[(size_t)i * cells + cell] = cal_lbm_start(cell, i, seed);
}

#endif
