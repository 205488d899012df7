/* fairness.c - see fairness.h. */
#include "runs/fairness.h"

#include <math.h>

double fairness_unfairness(const struct fairness_app *apps, size_t count)
{
    double most = 0, least = (double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!apps[i].present)
            continue;
        double weighted = apps[i].slowdown * apps[i].weight;
        if (isnan(weighted))
            return (double)NAN;
        most = weighted > most ? weighted : most;
        least = weighted < least ? weighted : least;
    }
    return most > 0 ? (most - least) / most : (double)NAN;
}

double fairness_progress(const struct fairness_app *apps, size_t count)
{
    double sum = 0;
    size_t present = 0;
    for (size_t i = 0; i < count; i++)
        if (apps[i].present) {
            sum += 1 / apps[i].slowdown;
            present++;
        }
    return present > 0 ? sum : (double)NAN;
}

double fairness_violation(double allowed_ns, double spent_ns)
{
    if (!(spent_ns > 0))
        return (double)NAN;
    return spent_ns > allowed_ns ? 1 - allowed_ns / spent_ns : 0;
}
