/*
 * repeats.h - jobs that a table has twice: the same name, times and GPUs. Two exports that overlap
 * hold them, and a replay of both does their work twice.
 *
 * Keeps 64 bits of each of the first REPEATS_MAX jobs, and no more.
 */
#ifndef DCS_TRACES_REPEATS_H
#define DCS_TRACES_REPEATS_H

#include "traces/format.h"

#define REPEATS_MAX 3000000

struct repeats;

struct repeats *repeats_create(void);
void repeats_free(struct repeats *r); /* NULL is allowed */
/* Whether an earlier job was the same; false for all that have no name. */
bool repeats_see(struct repeats *r, const struct trace_job *job);

#endif
