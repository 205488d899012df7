/*
 * hold.c - how fast the event list is: hold operations (take the next event, add one) per second.
 *
 *   hold [SECONDS PER LINE [DISTRIBUTION [PENDING]]]
 *
 * hold_model.h says what is measured. Lines "ours" are hold operations. "cancel" adds two events
 * for each one taken and cancels one of those pending, as timeouts do; exponential increments.
 * Numbers of one machine at one moment; compare ratios (bench/peers.sh).
 */
#include "des/eventlist.h"
#include "hold_model.h"

struct list {
    struct dcs_events *q;
    size_t pending, victim;
    dcs_event_id *ids; /* of all pending events, by their about */
};

static uint64_t checksum; /* printed, so that nothing of what is measured can be left out */

static void hold(void *list)
{
    struct dcs_events *q = ((struct list *)list)->q;
    struct dcs_event event = {0};
    for (int i = 0; i < HOLD_BATCH; i++) {
        dcs_events_next(q, &event);
        dcs_events_add(q, event.time_ns + hold_next(), 0, event.kind, event.about);
    }
    checksum += event.about;
}

static void hold_and_cancel(void *list)
{
    struct list *l = list;
    struct dcs_event event = {0};
    for (int i = 0; i < HOLD_BATCH; i++) {
        dcs_events_next(l->q, &event);
        l->ids[event.about] =
            dcs_events_add(l->q, event.time_ns + hold_next(), 0, event.kind, event.about);
        l->victim = (l->victim + 7919) % l->pending;
        if (!dcs_events_cancel(l->q, l->ids[l->victim]))
            abort();
        l->ids[l->victim] = dcs_events_add(l->q, event.time_ns + hold_next(), 0, 0, l->victim);
    }
    checksum += event.about;
}

static void measure(size_t distribution, size_t pending, bool cancel, double seconds)
{
    struct list l = {
        .q = dcs_events_create(),
        .pending = pending,
        .ids = dcs_alloc(pending, sizeof *l.ids),
    };
    hold_draw(distribution);
    for (size_t i = 0; i < pending; i++)
        l.ids[i] = dcs_events_add(l.q, hold_next(), 0, 0, i);
    double speed = hold_million_per_second(cancel ? hold_and_cancel : hold, &l, pending, seconds);
    printf("%s %s %zu %.2f\n", cancel ? "cancel" : "ours", hold_names[distribution], pending,
           speed);
    free(l.ids);
    dcs_events_destroy(l.q);
}

int main(int argc, char **argv)
{
    struct hold_choice choice = hold_choose(argc, argv);
    for (size_t d = 0; d < HOLD_DISTRIBUTIONS; d++)
        for (size_t i = 0; i < HOLD_PENDINGS; i++)
            if (hold_chosen(&choice, d, i)) {
                measure(d, hold_pendings[i], false, choice.seconds);
                if (d == 0)
                    measure(d, hold_pendings[i], true, choice.seconds);
            }
    printf("checksum %llu\n", (unsigned long long)checksum);
    return 0;
}
