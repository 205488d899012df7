/* mser.c - see mser.h. */
#include "des/mser.h"

#include <stdlib.h>

#define BATCH 5

size_t dcs_mser5(const double *series, size_t n)
{
    size_t batches = n / BATCH, best = 0;
    if (batches < 2)
        return 0;
    double *z = dcs_alloc(batches, sizeof *z);
    for (size_t i = 0; i < batches; i++) {
        for (size_t k = 0; k < BATCH; k++)
            z[i] += series[i * BATCH + k];
        z[i] /= BATCH;
    }
    /* From the end on, mean and squares of what is left, by Welford's recurrence. */
    double mean = 0, squares = 0, least = 0;
    for (size_t d = batches; d-- > 0;) {
        double count = (double)(batches - d), off = z[d] - mean;
        mean += off / count;
        squares += off * (z[d] - mean);
        double value = squares / (count * count);
        if (d > batches / 2)
            continue;
        if (d == batches / 2 || value <= least) {
            least = value;
            best = d;
        }
    }
    free(z);
    return best * BATCH;
}
