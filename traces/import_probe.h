/*
 * import_probe.h - tells by the first rows whether the input has the format that was named.
 */
#ifndef DCS_TRACES_IMPORT_PROBE_H
#define DCS_TRACES_IMPORT_PROBE_H

#include "traces/import.h"
#include "traces/input.h"

/* The file just opened in `in`: 0 if at least half of its first rows are of the format, or none can
 * be seen; else -1, and err says what it looks like instead. A file whose rows are mostly bad, but
 * not all, and which looks like no other format, is let through: it is for lint to count. */
int import_probe(struct trace_input *in, const struct trace_format *format, struct dcs_err *err);

#endif
