/*
 * mri_input.cuh - what mriq.cu and mrif.cu read: a cube of voxels and a random trajectory in
 * k-space, in the units of Stone et al.: positions in fields of view, k in cycles per field of
 * view.
 */
#ifndef DCS_CALIBRATE_APPS_MRI_INPUT_CUH
#define DCS_CALIBRATE_APPS_MRI_INPUT_CUH

#include "calibrate/app/app.cuh"

/* Positions of the voxels of a cube of edge^3, from -1/2 to 1/2. */
static __global__ void cal_mri_voxels(float *x, float *y, float *z, int edge)
{
    int voxel = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (voxel >= edge * edge * edge)
        return;
    float scale = 1.0f / (float)edge;
    x[voxel] = (float)(voxel % edge) * scale - 0.5f;
    y[voxel] = (float)(voxel / edge % edge) * scale - 0.5f;
    z[voxel] = (float)(voxel / edge / edge) * scale - 0.5f;
}

/* Host memory: three arrays of k, each of `samples`, then `more` arrays of values in [-1, 1). */
static inline void cal_mri_samples(float *host, int samples, int more, int edge, uint64_t seed)
{
    for (int i = 0; i < (3 + more) * samples; i++) {
        double u = (double)(cal_random_u64(seed, (uint64_t)i) >> 11) * 0x1p-53;
        host[i] = (float)(i < 3 * samples ? (u - 0.5) * edge : 2 * u - 1);
    }
}

#endif
