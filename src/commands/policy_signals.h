/*
 * policy_signals.h - a word about a policy whose code crashes or does not return: which policy, in
 * which of its callbacks, where in the simulation. Plug-ins run inside this program.
 */
#ifndef DCS_POLICY_SIGNALS_H
#define DCS_POLICY_SIGNALS_H

#include <stdbool.h>

/* crashes: tell of crashes too, before the program ends by the signal as it would have. */
void policy_signals_install(bool crashes);
/* The handler of an interrupt calls alarm(POLICY_SIGNALS_SECONDS): a policy that is in a callback
 * then is told. */
#define POLICY_SIGNALS_SECONDS 2

#endif
