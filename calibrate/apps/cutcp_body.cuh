/*
 * cutcp_body.cuh - the potential of nearby atoms in one bin's cube of lattice points, of cutcp.cu.
 * A block has the 8 * 8 * 8 points of a bin, a thread four that differ in z.
 */
#ifndef DCS_CALIBRATE_APPS_CUTCP_BODY_CUH
#define DCS_CALIBRATE_APPS_CUTCP_BODY_CUH

#include "calibrate/apps/body.cuh"

struct cal_cutcp_body {
    static constexpr int threads = 128;
    static constexpr int per_thread = 4;    /* points */
    static constexpr int bin_points = 8;    /* lattice points along a bin's edge */
    static constexpr int slots = 8;         /* atoms that a bin has room for */
    static constexpr int reach = 3;         /* bins that the cutoff reaches over */
    static constexpr float spacing = 0.5f;  /* Angstrom between lattice points */
    static constexpr float bin_edge = 4.0f; /* Angstrom */
    static constexpr float cutoff = 12.0f;  /* Angstrom */
    static constexpr int bins_of_tile = 16; /* in shared memory at a time */
    static constexpr float nowhere = 1e6f;  /* where the atoms of empty slots are */

    struct args {
        const float4 *bins;    /* x, y, z, charge; `reach` empty bins around the domain's */
        const int *neighbours; /* offsets of bins in reach */
        float *lattice;
        int neighbours_count;
        int edge; /* of the domain, in bins */
    };
    struct shared {
        float4 atom[bins_of_tile * slots];
    };

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *s, Barrier barrier)
    {
        int bx = block % a.edge, by = block / a.edge % a.edge, bz = block / a.edge / a.edge;
        int padded = a.edge + 2 * reach;
        int bin = ((bz + reach) * padded + by + reach) * padded + bx + reach;
        int ix = bx * bin_points + thread % bin_points;
        int iy = by * bin_points + thread / bin_points % bin_points;
        int iz = bz * bin_points + thread / (bin_points * bin_points) * per_thread;
        float x = (float)ix * spacing, y = (float)iy * spacing, z = (float)iz * spacing;
        float sum[per_thread];
#pragma unroll
        for (int i = 0; i < per_thread; i++)
            sum[i] = 0.0f;
        for (int first = 0; first < a.neighbours_count; first += bins_of_tile) {
            int neighbour = first + thread / slots;
            s->atom[thread] =
                neighbour < a.neighbours_count
                    ? a.bins[(size_t)(bin + a.neighbours[neighbour]) * slots + thread % slots]
                    : make_float4(nowhere, nowhere, nowhere, 0.0f);
            barrier.sync();
            for (int k = 0; k < bins_of_tile * slots; k++) {
                float4 atom = s->atom[k];
                float dx = x - atom.x, dy = y - atom.y, dz = z - atom.z;
                float dxy2 = dx * dx + dy * dy;
                if (dxy2 >= cutoff * cutoff)
                    continue;
#pragma unroll
                for (int i = 0; i < per_thread; i++) {
                    float d = dz + (float)i * spacing;
                    float r2 = d * d + dxy2;
                    if (r2 < cutoff * cutoff) {
                        float fade = 1.0f - r2 * (1.0f / (cutoff * cutoff));
                        sum[i] += atom.w * cal_fast_rsqrt(r2) * fade * fade;
                    }
                }
            }
            barrier.sync();
        }
        size_t points = (size_t)a.edge * bin_points;
#pragma unroll
        for (int i = 0; i < per_thread; i++)
            a.lattice[((size_t)(iz + i) * points + (size_t)iy) * points + (size_t)ix] = sum[i];
    }
};

static_assert(cal_cutcp_body::threads == cal_cutcp_body::bins_of_tile * cal_cutcp_body::slots,
              "a thread loads one atom of a tile");

#endif
