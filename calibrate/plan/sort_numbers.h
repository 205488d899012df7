/* sort_numbers.h - numbers in ascending order. */
#ifndef CAL_PLAN_SORT_NUMBERS_H
#define CAL_PLAN_SORT_NUMBERS_H

#include <stdint.h>
#include <stdlib.h>

static inline int cal_compare_integers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static inline int cal_compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void cal_sort_integers(int64_t *values, size_t n)
{
    qsort(values, n, sizeof *values, cal_compare_integers);
}

/* Linear between the two nearest; n above 0. */
static inline int64_t cal_quantile_of_sorted(const int64_t *values, size_t n, double u)
{
    double at = u * (double)(n - 1);
    size_t low = (size_t)at;
    if (low + 1 >= n)
        return values[n - 1];
    return values[low] + (int64_t)((at - (double)low) * (double)(values[low + 1] - values[low]));
}

/* Without NaN. */
static inline void cal_sort_reals(double *values, size_t n)
{
    qsort(values, n, sizeof *values, cal_compare_reals);
}

#endif
