/* workload_draw.h - what generators of workloads share; for them alone. */
#ifndef DCS_MODELS_WORKLOAD_DRAW_H
#define DCS_MODELS_WORKLOAD_DRAW_H

#include "models/workload/workload.h"

/* Above this a count or a time could not be simulated anyway, and sums of it stay exact. */
#define DRAW_LIMIT 0x1p62

/* What a generator draws for its job number i - 1; 0 and UINT32_MAX are for what it draws once. */
static inline uint64_t draw_entity(uint32_t generator, uint64_t i)
{
    return (uint64_t)generator << 32 | i;
}

double dcs_capacity_devices(const struct dcs_capacity *c);

#endif
