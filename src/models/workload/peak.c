/* peak.c - see peak.h. */
#include "models/workload/peak.h"

#include "des/fmath.h"
#include "des/rng.h"

#include <stdlib.h>

enum {
    BEFORE = DCS_PEAK_REQUESTS / 20, /* requests before those that count: the queue fills */
    REQUESTS = DCS_PEAK_REQUESTS + BEFORE,
};

#define STEPS 60
#define CLOSE 1e-4

struct case_of {
    double *gaps; /* unit exponentials, before each request */
    double *works;
    double sla_ns;
    uint64_t allowed; /* violations */
};

static bool bears(const struct case_of *c, double rate_per_ns)
{
    uint64_t late = 0;
    double wait = 0;
    for (size_t i = 0; i < REQUESTS; i++) {
        if (i > 0)
            wait += c->works[i - 1] - c->gaps[i] / rate_per_ns;
        if (wait < 0)
            wait = 0;
        if (i >= BEFORE && wait + c->works[i] > c->sla_ns && ++late > c->allowed)
            return false;
    }
    return true;
}

static double bisect(const struct case_of *c, double mean_ns)
{
    double low = 0, high = 1 / mean_ns; /* beyond, only a sample that ends can be borne */
    if (bears(c, high))
        return high;
    for (int i = 0; i < STEPS && high - low > CLOSE * high; i++) {
        double middle = 0.5 * (low + high);
        if (bears(c, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

double dcs_peak_rate_per_s(dcs_peak_work *work, void *context, int64_t sla_ns, double quantile,
                           uint64_t seed)
{
    DCS_ASSERT(quantile >= 0.5 && quantile < 1);
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_PEAK, 0);
    struct case_of c = {.gaps = dcs_alloc(REQUESTS, sizeof *c.gaps),
                        .works = dcs_alloc(REQUESTS, sizeof *c.works),
                        .sla_ns = (double)sla_ns,
                        .allowed = (uint64_t)((1 - quantile) * DCS_PEAK_REQUESTS)};
    double mean_ns = 0;
    uint64_t late = 0;
    for (size_t i = 0; i < REQUESTS; i++) {
        c.gaps[i] = -dcs_log(dcs_rng_open(&rng));
        c.works[i] = (double)work(context, i);
        mean_ns += c.works[i] / REQUESTS;
        late += i >= BEFORE && c.works[i] > c.sla_ns;
    }
    double rate_per_ns = late > c.allowed ? 0 : bisect(&c, mean_ns);
    free(c.gaps);
    free(c.works);
    return rate_per_ns * DCS_NS_PER_S;
}
