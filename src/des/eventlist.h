/*
 * eventlist.h - the clock and the pending events.
 *
 * Events are ordered by (time, class, sequence): among events of one instant the lower class comes
 * first, and within a class the one that was scheduled first. The caller documents its classes.
 * An event carries a 32-bit kind-and-index pair of the caller's; there are no callbacks here.
 *
 * Limits (asserted): 8 classes, 2^21 pending events, 2^40 events in a run.
 *
 * However many are pending, adding one and taking the next cost about the same: see eventlist.c.
 * bench/hold measures it.
 */
#ifndef DCS_DES_EVENTLIST_H
#define DCS_DES_EVENTLIST_H

#include "des/base.h"

struct dcs_events; /* opaque */

typedef uint64_t dcs_event_id; /* 0 = none; an id is not reused before 2^40 events */

struct dcs_event {
    int64_t time_ns;
    uint32_t kind;  /* the caller's */
    uint64_t about; /* the caller's: which device, job, timer */
    dcs_event_id id;
};

struct dcs_events *dcs_events_create(void);
void dcs_events_destroy(struct dcs_events *q); /* NULL is allowed */

/* The clock <= time_ns < DCS_NEVER, event_class 0..7 (asserted). The id is never 0. */
dcs_event_id dcs_events_add(struct dcs_events *q, int64_t time_ns, uint32_t event_class,
                            uint32_t kind, uint64_t about);
/* More pending events than this are a fault. A caller whose user decides how many there are checks
 * that first. */
#define DCS_EVENTS_PENDING_MAX ((size_t)1 << 21)

/* True if the event was pending and is now gone; false for 0, a past or a cancelled id. */
bool dcs_events_cancel(struct dcs_events *q, dcs_event_id id);
/* Takes the next event and moves the clock to it. False when none is left. */
bool dcs_events_next(struct dcs_events *q, struct dcs_event *out);
/* The same, but false and nothing taken where the next event is not before end_ns. */
bool dcs_events_next_before(struct dcs_events *q, int64_t end_ns, struct dcs_event *out);
/* The time of the next event, DCS_NEVER if none. */
int64_t dcs_events_peek(struct dcs_events *q);
int64_t dcs_events_now(const struct dcs_events *q);
size_t dcs_events_pending(const struct dcs_events *q);
size_t dcs_events_most(const struct dcs_events *q);    /* how many have been pending at one time */
uint64_t dcs_events_taken(const struct dcs_events *q); /* events given out so far */

#endif
