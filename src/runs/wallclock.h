/* wallclock.h - the one place that reads a clock: for progress on standard error and the table
 * `wall`, and of runs on a GPU that really runs. Nothing that is read here may reach the result of
 * a simulation. */
#ifndef DCS_WALLCLOCK_H
#define DCS_WALLCLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Seconds since some fixed moment; monotonic. */
double wallclock_s(void);
/* The same in ns. */
int64_t wallclock_ns(void);

/* Whether it is time to show progress of what has begun at `began`: a second has passed, and a
 * fifth of one since *shown, which is then now. */
bool wallclock_is_time(double began, double *shown);

/* Waits for a condition, for `seconds` at most. */
void wallclock_wait(pthread_cond_t *changed, pthread_mutex_t *lock, double seconds);

#endif
