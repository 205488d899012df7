/*
 * recorder_pace.h - when the requests of a recorded program arrive, in memory that the library
 * inside the program and the tool share: the file `pace` in the folder of its recording. While
 * there is a list the library lets the program begin its next range only when the next request of
 * the list has arrived, and after the last one none.
 *
 * The tool writes a list while the program is stopped, or before it begins.
 */
#ifndef DCS_CALIBRATE_RECORDER_PACE_H
#define DCS_CALIBRATE_RECORDER_PACE_H

#include <stdatomic.h>
#include <stdint.h>

#define RECORDER_PACE_FILE "pace"
#define RECORDER_PACE_MAX  65536

struct recorder_pace {
    _Atomic uint32_t paced; /* 0: requests begin when the program begins them */
    _Atomic uint32_t next, count;
    int64_t arrivals_ns[RECORDER_PACE_MAX]; /* of the system's clock, ascending */
};

/* In the library: returns when the program may begin a request. */
void recorder_await_arrival(void);

#endif
