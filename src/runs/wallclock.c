/* wallclock.c - see wallclock.h. The ban on clocks is lifted here and nowhere else. */
#include "runs/wallclock.h"

#include <time.h>

#undef clock_gettime

double wallclock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int64_t wallclock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool wallclock_is_time(double began, double *shown)
{
    double now = wallclock_s();
    if (now - began < 1 || now - *shown < 0.2)
        return false;
    *shown = now;
    return true;
}

void wallclock_wait(pthread_cond_t *changed, pthread_mutex_t *lock, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    long ns = until.tv_nsec + (long)(seconds * 1e9);
    until.tv_sec += ns / 1000000000;
    until.tv_nsec = ns % 1000000000;
    pthread_cond_timedwait(changed, lock, &until);
}
