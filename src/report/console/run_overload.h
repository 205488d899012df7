/*
 * run_overload.h - the notes of a summary about work that comes faster than it is done, and about
 * what the end of a run cut off.
 */
#ifndef DCS_RUN_OVERLOAD_H
#define DCS_RUN_OVERLOAD_H

#include "runs/summary.h"

#include <stdio.h>

void report_overload(FILE *out, const struct summary *s);
/* Of times: how many requests and jobs they are of, where a hundredth or more did not end. */
void report_cut_off(FILE *out, const struct summary *s);

#endif
