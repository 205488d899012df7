/*
 * google_life.h - from the events of one task (or job, or instance) to its attempts; shared by the
 * two Google traces, whose event numbers differ and whose life cycle is the same.
 *
 * The rules, for events in time order:
 *
 *   - SUBMIT is the arrival of the next attempt.
 *   - SCHEDULE starts it; without a SUBMIT before it, arrival = start (no-submit, repaired).
 *   - EVICT, FAIL, FINISH, KILL and LOST end it: one job. FINISH is success; the others are failed,
 *     and noted as that. Not running: it never ran; left out (no-start).
 *   - SCHEDULE while it runs: the end of the attempt before is missing; it is taken to have ended
 *     here (no-end, repaired: an upper bound), and its status is unknown.
 *   - The events end while it runs, or it ends after the trace (2^63-1): censored at the trace's
 *     end, status unknown (no-end, noted).
 *   - The events end while it waits: it never ran; left out (no-start).
 *   - Time 0 is before the trace, whose window begins at 600 s, so an arrival at 0 is not known.
 *     It starts at 0: it ran when the trace began: `early`, arrival and start at the beginning
 *     (time-zero, repaired). It starts later: it waited: `early`, arrival at the beginning, start
 *     and duration as they are (time-zero, repaired). It ends at 0: it was over before the trace
 *     began: left out (time-zero).
 *   - QUEUE, ENABLE and UPDATE change nothing but the request and the priority.
 *   - It ended in the microsecond in which it started: 1 us (zero-duration, repaired).
 *
 * An event that is alone (its table was cut) follows the same rules.
 */
#ifndef DCS_TRACES_GOOGLE_LIFE_H
#define DCS_TRACES_GOOGLE_LIFE_H

#include "traces/format.h"

/* What an event means, whatever its number. */
enum google_event {
    GOOGLE_SUBMIT,
    GOOGLE_SCHEDULE,
    GOOGLE_EVICT,
    GOOGLE_FAIL,
    GOOGLE_FINISH,
    GOOGLE_KILL,
    GOOGLE_LOST,
    GOOGLE_OTHER, /* queue, enable, update */
};

#define GOOGLE_BEGIN_NS (600 * DCS_NS_PER_S) /* the trace window begins here in both traces */

/* trace_event.flags */
#define GOOGLE_INDEXED 1u /* key[1] is a task or instance index; else the key is a job's alone */

/* events[i].code is an enum google_event. production: the least priority of the production tier; it
 * decides the class where the scheduling class is missing (-1). */
int google_life(struct trace_import *im, const struct trace_event *events, size_t count,
                int32_t production);

#endif
