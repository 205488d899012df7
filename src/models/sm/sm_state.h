/*
 * sm_state.h - which blocks of which kernels work in each SM of a device (sm_device.h), and how
 * fast that makes each kernel, in all and in some SMs. Looks up what it has worked out before.
 */
#ifndef DCS_MODELS_SM_STATE_H
#define DCS_MODELS_SM_STATE_H

#include "models/sm/sm.h"

#define DCS_SM_NO_PART UINT16_MAX /* nothing works there */

struct dcs_sm_state {
    uint32_t sms;
    size_t count,
        parts_count; /* kernels that work; parts in which SMs hold the same of their blocks */
    uint32_t kernels[DCS_SM_TOGETHER_MAX]; /* of the model */
    uint8_t blocks[DCS_SM_TOGETHER_MAX][DCS_SM_SMS_MAX];
    struct dcs_sm_part parts[DCS_SM_PARTS_MAX];
    uint16_t part_of[DCS_SM_SMS_MAX];
    double rates[DCS_SM_TOGETHER_MAX], by_part[DCS_SM_PARTS_MAX * DCS_SM_TOGETHER_MAX];
};

/* States that were seen, and their rates; all 0 at first. */
struct dcs_sm_memory {
    struct dcs_sm_remembered *items;
    size_t capacity;
    uint32_t count, next;
};
void dcs_sm_memory_release(struct dcs_sm_memory *memory);
size_t dcs_sm_memory_bytes(void); /* at most */

/* In this order: begin, add each kernel by its blocks in each SM (returns its index), divide, and
 * find rates. */
void dcs_sm_state_begin(struct dcs_sm_state *s, uint32_t sms);
size_t dcs_sm_state_add(struct dcs_sm_state *s, uint32_t kernel, const uint8_t *blocks);
void dcs_sm_state_divide(struct dcs_sm_state *s);
void dcs_sm_state_find_rates(struct dcs_sm_state *s, const struct dcs_sm *m,
                             struct dcs_sm_memory *memory);

/* SMs in which anything works. */
double dcs_sm_state_sms(const struct dcs_sm_state *s);
/* What SMs first .. first + sms - 1 add to the rate of kernel k. */
double dcs_sm_state_rate_in(const struct dcs_sm_state *s, size_t k, uint32_t first, uint32_t sms);
/* With how many blocks less in each SM that has more kernel k is at most 2 % slower; needs no
 * rates. */
uint32_t dcs_sm_state_idle_blocks(const struct dcs_sm_state *s, const struct dcs_sm *m, size_t k);

#endif
