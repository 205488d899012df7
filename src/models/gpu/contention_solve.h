/*
 * contention_solve.h - inside of contention.h: the solution of one set, for contention.c only.
 */
#ifndef DCS_MODELS_CONTENTION_SOLVE_H
#define DCS_MODELS_CONTENTION_SOLVE_H

#include "models/gpu/contention.h"

/* A kernel of a set: its shape, then its SMs in thousandths. Sets are in the order of their keys.
 */
static inline uint64_t contention_key(const struct dcs_presser *p)
{
    return (uint64_t)p->shape << 32 | p->millisms;
}

static inline uint32_t contention_shape(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

static inline double contention_sms(uint64_t key)
{
    return (double)(uint32_t)key / 1000;
}

/* Slow-downs of the kernels of a set, and the most that was measured of each
 * (dcs_shape_measured_to(): 0 where that is not known). A kernel beside silent ones alone is slowed
 * by exactly 1. Returns the loads of a resource that were computed. s has resources; the keys
 * ascend; 1 <= n <= DCS_TOGETHER_MAX. */
uint32_t contention_solve_set(const struct dcs_spatial *s, const uint64_t *keys, uint32_t n,
                              double *slowdown, double *measured_to);

#endif
