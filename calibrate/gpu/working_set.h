/*
 * working_set.h - memory of the device that producers of pressure share.
 *
 * Producers never run at the same time, so those of one family whose sets are as large have one
 * set: twelve levels of eight families with sets of their own would take 96 GB. Knows no CUDA; who
 * enters a set first makes its memory, who leaves it last frees it.
 */
#ifndef DCS_CALIBRATE_GPU_WORKING_SET_H
#define DCS_CALIBRATE_GPU_WORKING_SET_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cal_working_set {
    int family;
    size_t bytes;
    int users;
    void *from, *to; /* what is read; what is written, or NULL */
    struct cal_working_set *next;
};

/* users is 1: nobody was in it, it has no memory yet. */
struct cal_working_set *cal_working_set_enter(int family, size_t bytes);
/* true: nobody is in it any more; the caller frees its memory and it. */
bool cal_working_set_leave(struct cal_working_set *set);

#ifdef __cplusplus
}
#endif
#endif
