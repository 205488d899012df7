/*
 * assign.h - who works where, so that the values of all places together are as high as can be: the
 * assignment problem, by the Hungarian method with potentials (Kuhn 1955, Munkres 1957), in time
 * n^3. Values are integers, so that the result is exact.
 */
#ifndef DCS_MODELS_ASSIGN_H
#define DCS_MODELS_ASSIGN_H

#include "des/base.h"

#define DCS_ASSIGN_VALUE_MAX (INT64_C(1) << 40) /* in magnitude */

/* value[place * n + worker]; worker[place] is set, each worker once. Of several best assignments it
 * is always the same one. */
void dcs_assign(const int64_t *value, uint32_t n, uint32_t *worker);

#endif
