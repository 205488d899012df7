/* sm_case.h - a made-up model of kernels that share SMs, simple enough to be worked out by hand. */
#ifndef DCS_TESTS_SM_CASE_H
#define DCS_TESTS_SM_CASE_H

#include "models/sm/sm.h"

#include <string.h>

enum { A, B, C };

/* Three kernels of 512 threads on 10 SMs, 4 blocks of each fit. Alone n blocks reach n/4 of the
 * best. An SM ends a block of each in 1000 ns at best, so that one takes 4000. The law: one
 * resource, hardly used; set_use() changes that. */
struct sm_case {
    struct dcs_sm m;
    struct dcs_sm_kernel kernels[3];
    struct dcs_sm_rate rates[3][8];
};

static inline void sm_case_build(struct sm_case *b)
{
    static char *const names[] = {"a", "b", "c"};
    memset(b, 0, sizeof *b);
    b->m = (struct dcs_sm){.sms = 10, .kernels = b->kernels, .count = 3, .resources = 1};
    b->m.sharpness[0] = 1;
    for (int i = 0; i < 3; i++) {
        struct dcs_sm_kernel *k = &b->kernels[i];
        *k = (struct dcs_sm_kernel){.name = names[i],
                                    .threads = 512,
                                    .registers = 8192,
                                    .shared_bytes = 1024,
                                    .fits = 4,
                                    .block_ns = 1000,
                                    .latency = 4,
                                    .rates = b->rates[i]};
        for (uint32_t n = 1; n <= 4; n++)
            k->alone[n] = n / 4.0;
        k->demand[0] = k->visits[0] = 1e-9;
    }
}

static inline void sm_case_rate(struct sm_case *b, int kernel, uint32_t blocks, int beside,
                                uint32_t others, double rate)
{
    struct dcs_sm_kernel *k = &b->kernels[kernel];
    k->rates[k->count++] = (struct dcs_sm_rate){
        .beside = (uint32_t)beside, .blocks = blocks, .beside_blocks = others, .rate = rate};
}

#endif
