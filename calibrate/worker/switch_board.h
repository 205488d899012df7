/*
 * switch_board.h - by what two processes tell each other that a kernel has ended: a piece of shared
 * memory with numbers that only grow. Who waits polls, or sleeps until it is woken (futex). Knows
 * no CUDA.
 *
 * A name is that of shm_open; the parent makes it, two children open it, the parent removes it.
 */
#ifndef DCS_CALIBRATE_SWITCH_BOARD_H
#define DCS_CALIBRATE_SWITCH_BOARD_H

#include "des/base.h"

#include <stdatomic.h>

#define CAL_BOARD_NAME   64
#define CAL_BOARD_HANDLE 64 /* bytes of CUDA's handle of memory */

struct cal_board {
    _Atomic uint32_t turn;    /* pairs whose first kernel has ended */
    _Atomic uint32_t done;    /* and the second, too */
    _Atomic uint32_t offered; /* what the first process says of its memory, enum cal_board_memory */
    _Atomic uint32_t opened;  /* what the second has made of it, likewise */
    _Atomic uint32_t left;    /* 1: the second process uses it no more */
    _Atomic bool failed;      /* one of the two has given up */
    char handle[CAL_BOARD_HANDLE];
};

enum cal_board_memory { CAL_BOARD_UNTOLD, CAL_BOARD_SHARED, CAL_BOARD_NOT_SHARED };

/* The parent's. -1 and err. */
int cal_board_make(char name[CAL_BOARD_NAME], struct dcs_err *err);
void cal_board_remove(const char *name);

/* A child's. NULL and err. */
struct cal_board *cal_board_open(const char *name, struct dcs_err *err);
void cal_board_close(struct cal_board *b);

/* Sets a number of the board, and wakes who sleeps for it. */
void cal_board_tell(_Atomic uint32_t *number, uint32_t value, bool wakes);
/* Tells both sides that there is nothing more to wait for. */
void cal_board_give_up(struct cal_board *b);

/* Until a number of the board is `wanted` or more. -1 and err: one side has given up, it takes
 * longer than limit_s, or `halted` (of the context) says so. */
struct cal_board_wait {
    double limit_s;
    bool sleeps;
    bool (*halted)(const void *context); /* NULL: never */
    const void *context;
};
int cal_board_await(const struct cal_board *b, _Atomic uint32_t *number, uint32_t wanted,
                    const struct cal_board_wait *wait, const char *what, struct dcs_err *err);

#endif
