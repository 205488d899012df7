/*
 * hold_cimba.c - the hold model of hold.c on the event queue of cimba (github.com/ambonvik/cimba),
 * through its public functions. peers.sh builds it where it is told where cimba's source is.
 *
 *   hold_cimba [SECONDS PER LINE [DISTRIBUTION [PENDING]]]
 */
#include "hold_model.h"

#include <cmb_event.h>

/* What an event does, as an event list that gives events out leaves it to its caller. */
static void add_the_next(void *subject, void *object)
{
    cmb_event_schedule(add_the_next, subject, object, cmb_time() + (double)hold_next(), 0);
}

static void hold(void *list)
{
    (void)list;
    for (int i = 0; i < HOLD_BATCH; i++)
        cmb_event_execute_next();
}

int main(int argc, char **argv)
{
    struct hold_choice choice = hold_choose(argc, argv);
    for (size_t d = 0; d < HOLD_DISTRIBUTIONS; d++)
        for (size_t i = 0; i < HOLD_PENDINGS; i++) {
            if (!hold_chosen(&choice, d, i))
                continue;
            hold_draw(d);
            cmb_event_queue_initialize(0);
            for (size_t k = 0; k < hold_pendings[i]; k++)
                cmb_event_schedule(add_the_next, NULL, (void *)k, (double)hold_next(), 0);
            printf("cimba %s %zu %.2f\n", hold_names[d], hold_pendings[i],
                   hold_million_per_second(hold, NULL, hold_pendings[i], choice.seconds));
            cmb_event_queue_terminate();
        }
    return 0;
}
