/* trace.c - see trace.h. */
#include "models/trace.h"

#include <stdlib.h>

void dcs_trace_release(struct dcs_trace *t)
{
    free(t->jobs);
    *t = (struct dcs_trace){0};
}
