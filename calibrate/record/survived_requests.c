/*
 * survived_requests.c - see survived_requests.h.
 */
#include "calibrate/record/survived_requests.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-9 /* of sums of parts of 1 */

/* Those that ended come before those that were cut off at the same time. */
static int compare_lasting(const void *a, const void *b)
{
    const struct cal_lasting *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return (int)y->ended - (int)x->ended;
}

/* By request of the sorted list the part of all requests that it stands for. */
static double *find_parts(const struct cal_lasting *list, size_t count)
{
    double *parts = dcs_alloc(count, sizeof *parts), left = 1;
    for (size_t i = 0; i < count; i++)
        if (list[i].ended || i + 1 == count) {
            parts[i] = left / (double)(count - i);
            left -= parts[i];
        }
    return parts;
}

static int64_t quantile_of_parts(const struct cal_lasting *list, const double *parts, size_t count,
                                 double u)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += parts[i];
        if (sum >= u - ROUNDING)
            return list[i].ns;
    }
    return list[count - 1].ns;
}

int cal_survival(struct cal_lasting *list, size_t count, struct cal_statistics *out,
                 int64_t *p95_ns, struct dcs_err *err)
{
    size_t ended = 0;
    double mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        ended += list[i].ended;
    if (ended < 2)
        return dcs_err_set(err, "has done %zu requests", ended);
    qsort(list, count, sizeof *list, compare_lasting);
    double *parts = find_parts(list, count);
    size_t shortest = 0; /* that ended: the end of a stretch cuts one off after any time */
    while (!list[shortest].ended)
        shortest++;
    for (size_t i = 0; i < count; i++)
        mean += parts[i] * (double)list[i].ns;
    for (size_t i = 0; i < count; i++)
        squares += parts[i] * ((double)list[i].ns - mean) * ((double)list[i].ns - mean);
    double stddev = sqrt(squares * (double)ended / (double)(ended - 1));
    *out = (struct cal_statistics){.n = (int64_t)ended,
                                   .median_ns = quantile_of_parts(list, parts, count, 0.5),
                                   .min_ns = list[shortest].ns,
                                   .max_ns = list[count - 1].ns,
                                   .mean_ns = round(mean * 10) / 10,
                                   .stddev_ns = round(stddev * 10) / 10,
                                   .stop = "time",
                                   .l2 = "warm"};
    *p95_ns = quantile_of_parts(list, parts, count, 0.95);
    free(parts);
    return 0;
}
