/* run_overload.h - the warnings of a summary about work that comes faster than it is done. */
#ifndef DCS_RUN_OVERLOAD_H
#define DCS_RUN_OVERLOAD_H

#include "runs/summary.h"

#include <stdio.h>

void report_overload(FILE *out, const struct summary *s);

#endif
