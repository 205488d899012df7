/*
 * drive_groups.h - which SMs of the device a partition gets: the device is cut into groups of a
 * step, and what is left over. Bit i of a mask is group i; the bit behind the last group is what is
 * left over.
 *
 * Contexts of partitions are made ahead, since making one stalls what runs: of groups that lie side
 * by side, those near an end first, then of all groups but a run between the ends. Partitions grow
 * from both ends, so that of two at a time, the usual case, each is the first so many groups or the
 * last so many, or what the other has left at both ends.
 */
#ifndef DCS_CALIBRATE_DRIVE_GROUPS_H
#define DCS_CALIBRATE_DRIVE_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#define CAL_GROUPS_MAX 31 /* a mask has a bit for each, and one for what is left over */

struct cal_groups {
    unsigned sms, step; /* of the device */
    uint32_t taken;
};

/* False: the device has more groups than a mask has bits for. */
bool cal_groups_open(struct cal_groups *g, unsigned sms, unsigned step);
/* All groups and what is left over. */
uint32_t cal_groups_all(const struct cal_groups *g);
/* The mask of a partition of `sms` SMs that can be had now, and is then taken; 0: there is none. */
uint32_t cal_groups_take(struct cal_groups *g, unsigned sms);
void cal_groups_give(struct cal_groups *g, uint32_t mask);
/* The n-th mask that is worth making ahead: runs, ordered by the groups between them and the nearer
 * end, then what is around a run, short runs first; 0: there are no more. */
uint32_t cal_groups_ahead(const struct cal_groups *g, unsigned n);
/* So many free groups lie side by side once the mask is taken. */
unsigned cal_groups_room(const struct cal_groups *g, uint32_t mask);

#endif
