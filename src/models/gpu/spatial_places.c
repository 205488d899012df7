/* spatial_places.c - see spatial_places.h. */
#include "models/gpu/spatial_places.h"

#include <stdlib.h>

/* lengths[i * (m + 1) + k]: of the longest common subsequence of a from i and b from k. */
static uint16_t *find_lengths(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
    uint16_t *lengths = dcs_alloc((n + 1) * (m + 1), sizeof *lengths);
    for (size_t i = n; i-- > 0;)
        for (size_t k = m; k-- > 0;) {
            uint16_t *at = &lengths[i * (m + 1) + k];
            if (a[i] == b[k])
                *at = (uint16_t)(at[m + 2] + 1);
            else
                *at = at[1] > at[m + 1] ? at[1] : at[m + 1];
        }
    return lengths;
}

/* Lays a[from] and so on, until `to`, beside b[low] and so on, until `high`. */
static void lay_beside(uint32_t *places, size_t from, size_t to, size_t low, size_t high)
{
    for (size_t i = from; i < to; i++) {
        size_t k = low + (i - from);
        places[i] = low == high ? SPATIAL_NO_PLACE : (uint32_t)(k < high ? k : high - 1);
    }
}

void spatial_find_places(const uint32_t *a, size_t n, const uint32_t *b, size_t m, uint32_t *places)
{
    size_t i = 0, k = 0, from = 0, low = 0;
    if (n == 0 || m > SPATIAL_CELLS_MAX / n || n > UINT16_MAX || m > UINT16_MAX) {
        lay_beside(places, 0, n, 0, 0);
        return;
    }
    uint16_t *lengths = find_lengths(a, n, b, m);
    while (i < n && k < m) {
        const uint16_t *at = &lengths[i * (m + 1) + k];
        if (a[i] == b[k]) {
            lay_beside(places, from, i, low, k);
            places[i] = (uint32_t)k;
            from = ++i;
            low = ++k;
        } else if (at[m + 1] >= at[1]) {
            i++;
        } else {
            k++;
        }
    }
    lay_beside(places, from, n, low, m);
    free(lengths);
}
