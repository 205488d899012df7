/* explain_print.h - what dcsim explain says of one request, and of many together. */
#ifndef DCS_EXPLAIN_PRINT_H
#define DCS_EXPLAIN_PRINT_H

#include "experiment/experiment.h"
#include "runs/explain.h"

void explain_print_request(const struct experiment *x, const struct explanation *e);
/* Of requests that missed their SLA. overloaded: the applications that are, by the summary; "":
 * none is. */
void explain_print_violations(const struct experiment *x, const struct explanation *all,
                              size_t count, const char *overloaded);

#endif
