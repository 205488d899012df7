/*
 * tpacf_input.h - the borders of the bins that tpacf.cu and the fused kernels count in.
 */
#ifndef DCS_CALIBRATE_APPS_TPACF_INPUT_H
#define DCS_CALIBRATE_APPS_TPACF_INPUT_H

#include "calibrate/apps/tpacf_body.cuh"

#include <math.h>

/* Cosines of 21 angles from 10 minutes of arc to 90 degrees, evenly spaced in their logarithm. */
static inline void cal_tpacf_thresholds(float cosines[cal_tpacf_body::thresholds])
{
    const double half_turn = acos(-1.0), first = half_turn / 180 / 6, last = half_turn / 2;
    for (int i = 0; i < cal_tpacf_body::thresholds; i++) {
        double angle = first * pow(last / first, (double)i / cal_tpacf_body::bins);
        cosines[i] = i <= cal_tpacf_body::bins ? (float)cos(angle) : -2.0f;
    }
}

/* Random directions: turns n triples of uniform values in [-1, 1) into unit vectors, [x, y, z][n]
 * for each of the sets. */
static __global__ void cal_tpacf_directions(float *values, int points, int sets)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= points * sets)
        return;
    float *at = values + (size_t)(i / points) * 3 * (size_t)points + i % points;
    float z = at[0], phase = at[points];
    float radius = sqrtf(fmaxf(0.0f, 1.0f - z * z));
    at[0] = radius * cospif(phase);
    at[points] = radius * sinpif(phase);
    at[2 * points] = z;
}

#endif
