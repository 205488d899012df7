/*
 * table_time.h - times as tables of one's own have them: numbers of some unit, dates, and hours,
 * minutes and seconds.
 */
#ifndef DCS_TRACES_TABLE_TIME_H
#define DCS_TRACES_TABLE_TIME_H

#include "des/base.h"

enum table_unit {
    TABLE_NS,
    TABLE_US,
    TABLE_MS,
    TABLE_S,
    TABLE_MIN,
    TABLE_HOURS,
    TABLE_DAYS,
    TABLE_UNITS,
};

extern const char *const table_unit_names[TABLE_UNITS + 1]; /* "ns", "us", ... NULL */

/* A moment in ns: a number of the unit since any zero, or a date "2026-11-23T06:05:54.25+01:00" in
 * ns since 1970. In place of the T may be a space; seconds, their fraction, the time of day and the
 * zone may be missing; without a zone it is UTC. False: the text is none, or does not fit. */
bool table_moment_ns(const char *text, enum table_unit unit, int64_t *out);

/* A stretch in ns: a number of the unit, or "[days-]hours:minutes:seconds[.fraction]". */
bool table_stretch_ns(const char *text, enum table_unit unit, int64_t *out);

#endif
