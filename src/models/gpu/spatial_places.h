/*
 * spatial_places.h - which kernel of one request stands where a kernel of another does, of which
 * only what the kernels are called is known.
 *
 * Kernels of the same label are matched, as many as can be in order (a longest common subsequence).
 * What lies between two matches is laid beside what the other request has there, one by one; what
 * is left over stands at the last of these.
 */
#ifndef DCS_MODELS_SPATIAL_PLACES_H
#define DCS_MODELS_SPATIAL_PLACES_H

#include "des/base.h"

#define SPATIAL_NO_PLACE UINT32_MAX

/* places[i]: where in b a[i] stands; SPATIAL_NO_PLACE: b has nothing there. Takes n * m steps and 2
 * bytes for each; where that is above SPATIAL_CELLS_MAX nothing stands anywhere. */
#define SPATIAL_CELLS_MAX 16000000
void spatial_find_places(const uint32_t *a, size_t n, const uint32_t *b, size_t m,
                         uint32_t *places);

#endif
