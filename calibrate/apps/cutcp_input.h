/*
 * cutcp_input.h - the bins of atoms that cutcp.cu and the fused kernels read, made on the host.
 */
#ifndef DCS_CALIBRATE_APPS_CUTCP_INPUT_H
#define DCS_CALIBRATE_APPS_CUTCP_INPUT_H

#include "calibrate/apps/cutcp_body.cuh"

#include "calibrate/app/app.h"

static inline size_t cal_cutcp_bins(int edge)
{
    size_t padded = (size_t)edge + 2 * cal_cutcp_body::reach;
    return padded * padded * padded;
}

/*
 * Fills cal_cutcp_bins(edge) bins. A bin of the domain has five to eight atoms, as many as water
 * has in 64 cubic Angstrom; no atom is within 0.05 Angstrom of a lattice point, where the potential
 * has its poles.
 */
static inline void cal_cutcp_fill(float4 *bins, int edge, uint64_t seed)
{
    using body = cal_cutcp_body;
    int padded = edge + 2 * body::reach;
    size_t slot = 0;
    for (int z = 0; z < padded; z++)
        for (int y = 0; y < padded; y++)
            for (int x = 0; x < padded; x++) {
                const int at[3] = {x - body::reach, y - body::reach, z - body::reach};
                bool inside = true;
                for (int d = 0; d < 3; d++)
                    inside = inside && at[d] >= 0 && at[d] < edge;
                int atoms = inside ? 5 + (int)(cal_random_u64(seed, slot) % 4) : 0;
                for (int i = 0; i < body::slots; i++, slot++) {
                    if (i >= atoms) {
                        bins[slot] = make_float4(body::nowhere, body::nowhere, body::nowhere, 0);
                        continue;
                    }
                    float position[3];
                    for (int d = 0; d < 3; d++) {
                        uint64_t r = cal_random_u64(seed + 1, 4 * slot + (uint64_t)d);
                        float between = 0.1f + 0.8f * ((float)(r >> 40) * 0x1p-24f);
                        position[d] = (float)at[d] * body::bin_edge +
                                      ((float)(r % body::bin_points) + between) * body::spacing;
                    }
                    uint64_t r = cal_random_u64(seed + 1, 4 * slot + 3);
                    bins[slot] = make_float4(position[0], position[1], position[2],
                                             (float)(r >> 40) * 0x1p-23f - 1.0f);
                }
            }
}

constexpr int cal_cutcp_neighbours_max = (2 * cal_cutcp_body::reach + 1) *
                                         (2 * cal_cutcp_body::reach + 1) *
                                         (2 * cal_cutcp_body::reach + 1);

/* The offsets of bins that have a point within the cutoff of a point of the bin at 0. */
static inline int cal_cutcp_list_neighbours(int *offsets, int edge)
{
    using body = cal_cutcp_body;
    int padded = edge + 2 * body::reach, count = 0;
    for (int z = -body::reach; z <= body::reach; z++)
        for (int y = -body::reach; y <= body::reach; y++)
            for (int x = -body::reach; x <= body::reach; x++) {
                const int at[3] = {x, y, z};
                float gap2 = 0;
                for (int d = 0; d < 3; d++) {
                    int bins = at[d] < 0 ? -at[d] : at[d];
                    float gap = bins > 1 ? (float)(bins - 1) * body::bin_edge : 0.0f;
                    gap2 += gap * gap;
                }
                if (gap2 < body::cutoff * body::cutoff)
                    offsets[count++] = (z * padded + y) * padded + x;
            }
    return count;
}

#endif
