/* wallclock.h - the one place that reads a clock: for progress on standard error and the table
 * `wall`. Nothing that is read here may reach a result. */
#ifndef DCS_WALLCLOCK_H
#define DCS_WALLCLOCK_H

/* Seconds since some fixed moment; monotonic. */
double wallclock_s(void);

#endif
