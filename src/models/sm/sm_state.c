/* sm_state.c - see sm_state.h. */
#include "models/sm/sm_state.h"

#include <stdlib.h>
#include <string.h>

#define REMEMBERED 256 /* states whose rates are kept */
#define FEW_PARTS  8
#define IDLE_LOSS  0.02 /* of a rate, that counts as none */

/* The rates of a state of few parts. */
struct dcs_sm_remembered {
    uint32_t kernels[DCS_SM_TOGETHER_MAX];
    size_t count, parts_count;
    struct dcs_sm_part parts[FEW_PARTS];
    double rates[DCS_SM_TOGETHER_MAX], by_part[FEW_PARTS * DCS_SM_TOGETHER_MAX];
};

void dcs_sm_memory_release(struct dcs_sm_memory *memory)
{
    free(memory->items);
}

size_t dcs_sm_memory_bytes(void)
{
    return REMEMBERED * sizeof(struct dcs_sm_remembered);
}

void dcs_sm_state_begin(struct dcs_sm_state *s, uint32_t sms)
{
    s->sms = sms;
    s->count = s->parts_count = 0;
}

size_t dcs_sm_state_add(struct dcs_sm_state *s, uint32_t kernel, const uint8_t *blocks)
{
    DCS_ASSERT(s->count < DCS_SM_TOGETHER_MAX);
    memcpy(s->blocks[s->count], blocks, s->sms);
    s->kernels[s->count] = kernel;
    return s->count++;
}

void dcs_sm_state_divide(struct dcs_sm_state *s)
{
    for (uint32_t sm = 0; sm < s->sms; sm++) {
        struct dcs_sm_part part = {0};
        bool any = false;
        for (size_t k = 0; k < s->count; k++) {
            part.blocks[k] = s->blocks[k][sm];
            any = any || part.blocks[k] > 0;
        }
        s->part_of[sm] = DCS_SM_NO_PART;
        if (!any)
            continue;
        size_t p = 0;
        while (p < s->parts_count &&
               memcmp(s->parts[p].blocks, part.blocks, sizeof part.blocks) != 0)
            p++;
        DCS_ASSERT(p < DCS_SM_PARTS_MAX);
        if (p == s->parts_count)
            s->parts[s->parts_count++] = part;
        s->parts[p].sms++;
        s->part_of[sm] = (uint16_t)p;
    }
}

static bool is_same(const struct dcs_sm_remembered *a, const struct dcs_sm_state *b)
{
    return a->count == b->count && a->parts_count == b->parts_count &&
           memcmp(a->kernels, b->kernels, a->count * sizeof *a->kernels) == 0 &&
           memcmp(a->parts, b->parts, a->parts_count * sizeof *a->parts) == 0;
}

static void remember(struct dcs_sm_memory *memory, const struct dcs_sm_state *s)
{
    if (memory->count < REMEMBERED)
        memory->items =
            dcs_grow(memory->items, &memory->capacity, memory->next + 1, sizeof *memory->items);
    struct dcs_sm_remembered *to = &memory->items[memory->next];
    to->count = s->count;
    to->parts_count = s->parts_count;
    memcpy(to->kernels, s->kernels, s->count * sizeof *to->kernels);
    memcpy(to->parts, s->parts, s->parts_count * sizeof *to->parts);
    memcpy(to->rates, s->rates, s->count * sizeof *to->rates);
    memcpy(to->by_part, s->by_part, s->parts_count * s->count * sizeof *to->by_part);
    memory->next = (memory->next + 1) % REMEMBERED;
    memory->count += memory->count < REMEMBERED;
}

/* Of states of many parts, which hardly come twice, nothing is kept. */
void dcs_sm_state_find_rates(struct dcs_sm_state *s, const struct dcs_sm *m,
                             struct dcs_sm_memory *memory)
{
    bool few = s->parts_count <= FEW_PARTS;
    if (s->count == 0)
        return;
    for (uint32_t i = 0; few && i < memory->count; i++)
        if (is_same(&memory->items[i], s)) {
            const struct dcs_sm_remembered *found = &memory->items[i];
            memcpy(s->rates, found->rates, s->count * sizeof *s->rates);
            memcpy(s->by_part, found->by_part, s->parts_count * s->count * sizeof *s->by_part);
            return;
        }
    dcs_sm_rates(m, s->kernels, s->count, s->parts, s->parts_count, s->rates, s->by_part);
    if (few)
        remember(memory, s);
}

double dcs_sm_state_sms(const struct dcs_sm_state *s)
{
    double sms = 0;
    for (size_t p = 0; p < s->parts_count; p++)
        sms += s->parts[p].sms;
    return sms;
}

double dcs_sm_state_rate_in(const struct dcs_sm_state *s, size_t k, uint32_t first, uint32_t sms)
{
    double rate = 0;
    uint32_t sm = first;
    while (sm < first + sms) {
        uint32_t from = sm, part = s->part_of[sm];
        while (sm < first + sms && s->part_of[sm] == part)
            sm++;
        if (part != DCS_SM_NO_PART)
            rate += s->by_part[part * s->count + k] * (sm - from) / s->sms;
    }
    return rate;
}

uint32_t dcs_sm_state_idle_blocks(const struct dcs_sm_state *s, const struct dcs_sm *m, size_t k)
{
    struct dcs_sm_part fewer[DCS_SM_PARTS_MAX];
    uint32_t most = 0;
    double rates[DCS_SM_TOGETHER_MAX], now = 0;
    for (size_t p = 0; p < s->parts_count; p++)
        most = s->parts[p].blocks[k] > most ? s->parts[p].blocks[k] : most;
    for (uint32_t less = 0; less < most; less++) {
        memcpy(fewer, s->parts, s->parts_count * sizeof *fewer);
        for (size_t p = 0; p < s->parts_count; p++)
            if (fewer[p].blocks[k] > less)
                fewer[p].blocks[k] = (uint8_t)(fewer[p].blocks[k] - less);
        dcs_sm_rates(m, s->kernels, s->count, fewer, s->parts_count, rates, NULL);
        if (less == 0)
            now = rates[k];
        else if (rates[k] < (1 - IDLE_LOSS) * now)
            return less - 1;
    }
    return most > 0 ? most - 1 : 0;
}
