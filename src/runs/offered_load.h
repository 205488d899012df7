/* offered_load.h - how much of the devices the services ask for. */
#ifndef DCS_RUNS_OFFERED_LOAD_H
#define DCS_RUNS_OFFERED_LOAD_H

#include "experiment/experiment.h"

/* What endless services offer, over the capacity of all devices: 1 fills them. NaN: there are none,
 * or the capacity is not known: requests share a device (a GPU with sharing.model "spatial", a
 * CPU), and what it can do depends on who runs together; or a request takes longer on one kind of
 * device than on another. */
double offered_load(const struct experiment *x);
/* Whether the capacity of the devices is known for all applications. */
bool offered_load_is_known(const struct experiment *x);

#endif
