/*
 * resident_points.c - see resident_points.h.
 */
#include "calibrate/plan/resident_points.h"
#include "des/base.h"

#include <stdlib.h>

#define WARP           32
#define WARPS_TOGETHER 4   /* an SM has four register files */
#define REGISTERS_STEP 8   /* of a thread */
#define SHARED_STEP    128 /* bytes */

static int round_up(int value, int step)
{
    return (value + step - 1) / step * step;
}

int cal_block_registers(const struct cal_block_use *use)
{
    return round_up(use->registers, REGISTERS_STEP) * round_up(use->threads, WARP * WARPS_TOGETHER);
}

/* Shares of an SM that a block takes. */
static void find_shares(const struct cal_sm_room *room, const struct cal_block_use *use,
                        double share[4])
{
    share[0] = (double)cal_block_registers(use) / room->registers;
    share[1] = (double)(round_up(use->shared_bytes, SHARED_STEP) + room->shared_reserved) /
               room->shared_bytes;
    share[2] = (double)use->threads / room->threads;
    share[3] = 1.0 / room->blocks;
}

void cal_resident_fill(const struct cal_sm_room *room, const struct cal_block_use use[3], int most,
                       int blocks[3])
{
    double share[3][4], dominant[3] = {0};
    for (int k = 0; k < 3; k++) {
        blocks[k] = 0;
        find_shares(room, &use[k], share[k]);
        for (int x = 0; x < 4; x++)
            dominant[k] = share[k][x] > dominant[k] ? share[k][x] : dominant[k];
    }
    for (;;) {
        int least = -1;
        for (int k = 0; k < 3; k++) {
            bool fits = k > 0 || most == 0 || blocks[k] < most;
            for (int x = 0; x < 4 && fits; x++) {
                double sum = share[k][x];
                for (int i = 0; i < 3; i++)
                    sum += blocks[i] * share[i][x];
                fits = sum <= 1 + 1e-9;
            }
            if (fits && (least < 0 || blocks[k] * dominant[k] < blocks[least] * dominant[least]))
                least = k;
        }
        if (least < 0)
            return;
        blocks[least]++;
    }
}

bool cal_resident_fits(const struct cal_sm_room *room, const struct cal_block_use *first, int a,
                       const struct cal_block_use *second, int b)
{
    int registers = a * cal_block_registers(first), threads = a * first->threads;
    int shared = a * (round_up(first->shared_bytes, SHARED_STEP) + room->shared_reserved);
    if (second != NULL) {
        registers += b * cal_block_registers(second);
        threads += b * second->threads;
        shared += b * (round_up(second->shared_bytes, SHARED_STEP) + room->shared_reserved);
    }
    return registers <= room->registers && threads <= room->threads &&
           shared <= room->shared_bytes && a + b <= room->blocks;
}

/* The most blocks of `of` beside so many of `other`. */
static int find_most(const struct cal_sm_room *room, const struct cal_block_use *of,
                     const struct cal_block_use *other, int blocks)
{
    int most = 0;
    while (cal_resident_fits(room, of, most + 1, other, blocks))
        most++;
    return most;
}

/* Whether n, of at most `most`, is measured. */
static bool is_chosen(int n, int most, bool coarse)
{
    static const int steps[] = {1, 2, 3, 4, 6, 8, 12, 16, 24};
    if (n == 1 || n == most)
        return true;
    if (coarse)
        return n == (most + 1) / 2;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (n == steps[i])
            return true;
    return false;
}

size_t cal_resident_points(const struct cal_sm_room *room, const struct cal_block_use *first,
                           const struct cal_block_use *second, bool coarse,
                           struct cal_resident_point points[CAL_RESIDENT_POINTS])
{
    size_t count = 0;
    int beside = second != NULL ? 1 : 0, most = find_most(room, first, second, beside);
    for (int a = 1; a <= most; a++) {
        if (second != NULL && !is_chosen(a, most, coarse))
            continue;
        int most_beside = second != NULL ? find_most(room, second, first, a) : 0;
        for (int b = beside; b <= most_beside; b++)
            if (b == 0 || is_chosen(b, most_beside, coarse)) {
                DCS_ASSERT(count < CAL_RESIDENT_POINTS);
                points[count++] = (struct cal_resident_point){a, b};
            }
    }
    return count;
}

struct cal_resident_placement cal_resident_find_placement(const struct cal_resident_record *records,
                                                          size_t count, int sms)
{
    int *blocks = dcs_alloc((size_t)sms, sizeof *blocks);
    struct cal_resident_placement p = {0, 0};
    for (int i = 0; i < sms; i++)
        blocks[i] = 0;
    for (size_t i = 0; i < count; i++)
        if (records[i].sm < (uint32_t)sms)
            blocks[records[i].sm]++;
    for (int i = 0; i < sms; i++) {
        p.min = i == 0 || blocks[i] < p.min ? blocks[i] : p.min;
        p.max = blocks[i] > p.max ? blocks[i] : p.max;
    }
    free(blocks);
    return p;
}

/* Of one persistent block: from the end of the first block in the window to that of the last, so
 * that the window's ends do not matter. An SM's schedulers may let it wait for the whole window. */
static double find_rate(const struct cal_resident_record *r, int64_t window_ns)
{
    if (r->last_count > r->first_count && r->last_ns > r->first_ns)
        return (double)(r->last_count - r->first_count) / (double)(r->last_ns - r->first_ns);
    return r->last_count == r->first_count && r->first_count > 0 ? 1 / (double)window_ns : 0;
}

struct cal_resident_rate cal_resident_find_rate(const struct cal_resident_record *records,
                                                size_t count, int sms, int64_t window_ns)
{
    struct cal_resident_rate rate = {0, 0};
    double per_ns = 0;
    for (size_t i = 0; i < count; i++) {
        per_ns += find_rate(&records[i], window_ns);
        rate.starved += records[i].last_count <= records[i].first_count;
    }
    if (per_ns > 0)
        rate.unit_ns = (int64_t)(CAL_RESIDENT_UNIT * (double)sms / per_ns + 0.5);
    return rate;
}
