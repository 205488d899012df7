/* explain_alone.h - what the kernel of a launch takes if nothing runs beside it. */
#ifndef DCS_EXPLAIN_ALONE_H
#define DCS_EXPLAIN_ALONE_H

#include "engine/cluster.h"

struct explain_alone {
    double whole_ns, allotted_ns; /* on the whole device, and on its allotment; 1 or more */
    bool transfer;
};

/* r: a RECORD_LAUNCH of the spec's world. */
struct explain_alone explain_alone(const struct cluster_spec *s, const struct cluster_record *r);

#endif
