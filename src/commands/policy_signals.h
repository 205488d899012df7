/*
 * policy_signals.h - a word about a policy whose code crashes or does not return: which policy, in
 * which of its callbacks, where in the simulation (plug-ins run inside this program); and the end
 * by a second interrupt.
 */
#ifndef DCS_POLICY_SIGNALS_H
#define DCS_POLICY_SIGNALS_H

#include "results/store_unborn.h"

#include <signal.h>
#include <stdbool.h>

/* crashes: tell of crashes too, before the program ends by the signal as it would have. */
void policy_signals_install(bool crashes);
/* The handler of an interrupt calls alarm(POLICY_SIGNALS_SECONDS): a policy that is in a callback
 * then is told. */
#define POLICY_SIGNALS_SECONDS 2
/* The signal comes again when this returns, and ends the program. The database survives that. */
static inline void policy_signals_end(int number)
{
    (void)store_unborn_remove();
    signal(number, SIG_DFL);
    raise(number);
}

/* The same handler calls this: a second interrupt ends the program at once, and leaves no results
 * database that is still empty. */
static inline void policy_signals_second(void)
{
    signal(SIGINT, policy_signals_end);
    signal(SIGTERM, policy_signals_end);
}

#endif
