/* apportion.c - see apportion.h. */
#include "des/apportion.h"

#include "des/base.h"

#include <stdlib.h>

struct lost {
    double part;
    size_t index;
};

static int by_lost_part(const void *pa, const void *pb)
{
    const struct lost *a = pa, *b = pb;
    if (a->part != b->part)
        return a->part < b->part ? 1 : -1;
    return a->index < b->index ? -1 : a->index > b->index;
}

void dcs_apportion(int64_t total, const double *weights, size_t n, int64_t *out)
{
    struct lost *lost = dcs_alloc(n + 1, sizeof *lost);
    double sum = 0;
    int64_t left = total;
    size_t takers = 0;
    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    for (size_t i = 0; i < n; i++) {
        double part = sum > 0 ? (double)total * (weights[i] / sum) : 0;
        out[i] = part < (double)left ? (int64_t)part : left;
        left -= out[i];
        if (weights[i] > 0)
            lost[takers++] = (struct lost){part - (double)out[i], i};
    }
    qsort(lost, takers, sizeof *lost, by_lost_part);
    while (left > 0 && takers > 0)
        for (size_t i = 0; i < takers && left > 0; i++, left--)
            out[lost[i].index]++;
    if (n > 0)
        out[0] += left;
    free(lost);
}
