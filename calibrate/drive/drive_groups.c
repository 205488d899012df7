/* drive_groups.c - see drive_groups.h. */
#include "calibrate/drive/drive_groups.h"

bool cal_groups_open(struct cal_groups *g, unsigned sms, unsigned step)
{
    *g = (struct cal_groups){.sms = sms, .step = step};
    return sms / step <= CAL_GROUPS_MAX;
}

static unsigned groups_of(const struct cal_groups *g)
{
    return g->sms / g->step;
}

static uint32_t rest_bit(const struct cal_groups *g)
{
    return g->sms % g->step != 0 ? UINT32_C(1) << groups_of(g) : 0;
}

static uint32_t first_groups(unsigned count)
{
    return (UINT32_C(1) << count) - 1;
}

uint32_t cal_groups_all(const struct cal_groups *g)
{
    return first_groups(groups_of(g)) | rest_bit(g);
}

/* So many of the free groups, from one end. */
static uint32_t pick(const struct cal_groups *g, unsigned count, int from_the_end)
{
    unsigned n = groups_of(g);
    uint32_t mask = 0;
    for (unsigned i = 0; i < n && count > 0; i++) {
        uint32_t bit = UINT32_C(1) << (from_the_end ? n - 1 - i : i);
        if ((g->taken & bit) == 0) {
            mask |= bit;
            count--;
        }
    }
    return count == 0 ? mask : 0;
}

uint32_t cal_groups_take(struct cal_groups *g, unsigned sms)
{
    unsigned count = sms / g->step;
    uint32_t rest = sms % g->step != 0 ? rest_bit(g) : 0;
    if (sms == 0 || sms > g->sms || (sms % g->step != 0 && sms % g->step != g->sms % g->step))
        return 0;
    if ((g->taken & rest) != 0)
        return 0;
    int from_the_end = rest != 0 || (g->taken & 1) != 0;
    uint32_t mask = count > 0 ? pick(g, count, from_the_end) : 0;
    if (count > 0 && mask == 0)
        return 0;
    mask |= rest;
    g->taken |= mask;
    return mask;
}

void cal_groups_give(struct cal_groups *g, uint32_t mask)
{
    g->taken &= ~mask;
}

/* The n-th run of neighbouring groups; 0 and how many there are. */
static uint32_t nth_run(const struct cal_groups *g, unsigned n, unsigned *runs)
{
    const unsigned groups = groups_of(g);
    *runs = 0;
    for (unsigned near = 0; 2 * near < groups; near++)
        for (unsigned count = 1; count + 2 * near <= groups; count++) {
            uint32_t low = first_groups(count) << near;
            uint32_t high = first_groups(count) << (groups - near - count);
            const uint32_t masks[] = {low, high, high | rest_bit(g)};
            /* What is left over lies behind the last group. */
            for (unsigned i = 0; i < (near == 0 ? 3 : 2); i++) {
                bool again = (i == 1 && high == low) || (i == 2 && masks[i] == high);
                if (!again && masks[i] != cal_groups_all(g) && (*runs)++ == n)
                    return masks[i];
            }
        }
    return 0;
}

/* The n-th of those that have groups at both ends, and a run between them not. */
static uint32_t nth_around(const struct cal_groups *g, unsigned n)
{
    const unsigned groups = groups_of(g), each = rest_bit(g) != 0 ? 2 : 1;
    for (unsigned hole = 1; hole + 2 <= groups; hole++) {
        unsigned places = each * (groups - hole - 1);
        if (n < places) {
            uint32_t taken = first_groups(hole) << (n / each + 1);
            return (first_groups(groups) & ~taken) | (n % each == 0 ? rest_bit(g) : 0);
        }
        n -= places;
    }
    return 0;
}

uint32_t cal_groups_ahead(const struct cal_groups *g, unsigned n)
{
    unsigned runs;
    uint32_t mask = nth_run(g, n, &runs);
    return mask != 0 ? mask : nth_around(g, n - runs);
}

unsigned cal_groups_room(const struct cal_groups *g, uint32_t mask)
{
    uint32_t free = first_groups(groups_of(g)) & ~(g->taken | mask);
    unsigned longest = 0;
    for (; free != 0; longest++)
        free &= free >> 1;
    return longest;
}
