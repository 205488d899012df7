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

/* Without NaN. */
static inline void cal_sort_reals(double *values, size_t n)
{
    qsort(values, n, sizeof *values, cal_compare_reals);
}

#endif
