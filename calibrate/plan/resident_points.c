/*
 * resident_points.c - see resident_points.h.
 */
#include "calibrate/plan/resident_points.h"
#include "des/base.h"

#include <math.h>
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

static int shared_of(const struct cal_sm_room *room, const struct cal_block_use *use)
{
    return round_up(use->shared_bytes, SHARED_STEP) + room->shared_reserved;
}

/* Whether an SM has room for so many blocks of each of `count` kernels. */
static bool fits(const struct cal_sm_room *room, const struct cal_block_use *use, const int *blocks,
                 int count)
{
    int registers = 0, threads = 0, shared = 0, all = 0;
    for (int k = 0; k < count; k++) {
        registers += blocks[k] * cal_block_registers(&use[k]);
        threads += blocks[k] * use[k].threads;
        shared += blocks[k] * shared_of(room, &use[k]);
        all += blocks[k];
    }
    return registers <= room->registers && threads <= room->threads &&
           shared <= room->shared_bytes && all <= room->blocks;
}

/* The largest share of an SM that a block takes. */
static double dominant_share(const struct cal_sm_room *room, const struct cal_block_use *use)
{
    double most = 1.0 / room->blocks, registers = cal_block_registers(use);
    most = fmax(most, registers / room->registers);
    most = fmax(most, (double)shared_of(room, use) / room->shared_bytes);
    return fmax(most, (double)use->threads / room->threads);
}

void cal_resident_fill(const struct cal_sm_room *room, const struct cal_block_use use[3], int most,
                       int blocks[3])
{
    int least;
    blocks[0] = blocks[1] = blocks[2] = 0;
    do {
        double amount = 0;
        least = -1;
        for (int k = 0; k < 3; k++) {
            double share = blocks[k] * dominant_share(room, &use[k]);
            blocks[k]++;
            bool may = (k > 0 || most == 0 || blocks[k] <= most) && fits(room, use, blocks, 3);
            blocks[k]--;
            if (may && (least < 0 || share < amount)) {
                least = k;
                amount = share;
            }
        }
        if (least >= 0)
            blocks[least]++;
    } while (least >= 0);
}

bool cal_resident_fits(const struct cal_sm_room *room, const struct cal_block_use *first, int a,
                       const struct cal_block_use *second, int b)
{
    const struct cal_block_use use[2] = {*first, second != NULL ? *second : *first};
    const int blocks[2] = {a, second != NULL ? b : 0};
    return fits(room, use, blocks, 2);
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
