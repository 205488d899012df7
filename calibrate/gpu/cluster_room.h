/*
 * cluster_room.h - how many clusters of blocks a device has room for: the blocks of one begin at
 * one time, on SMs of one group (GPC), and groups differ in size.
 */
#ifndef DCS_CALIBRATE_CLUSTER_ROOM_H
#define DCS_CALIBRATE_CLUSTER_ROOM_H

#ifdef __cplusplus
extern "C" {
#endif

struct dcs_err;

#define CAL_CLUSTER_MOST 16 /* blocks: no device takes more */

/* Clusters of so many blocks, each of which fills an SM, that fit on the current device at once; 0:
 * it has no clusters, or none of that size. -1 and err. */
int cal_cluster_room(int blocks, struct dcs_err *err);

#ifdef __cplusplus
}
#endif
#endif
