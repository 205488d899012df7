/* device_driven.h - what cluster.c asks of a GPU that really runs, beyond device_kind.h. */
#ifndef DCS_ENGINE_DEVICE_DRIVEN_H
#define DCS_ENGINE_DEVICE_DRIVEN_H

#include "engine/device_kind.h"
#include "engine/driven.h"

/* A GPU on which each application has processes of its own, which can be killed. */
extern const struct device_kind device_driven_kills;
/* One on which a kernel can be told to exit. */
extern const struct device_kind device_driven_exits;

/* The mechanisms that it offers (1u << HOST_...): MPS to a policy that needs it, whole launches
 * where kernels are stopped, and else whole launches and partitions. */
uint32_t device_driven_mechanisms(const struct cluster_spec *spec);

/* Takes in which kernels have ended, each no earlier than now_ns; whether one has. */
bool device_driven_look(struct device *dev, int64_t now_ns);

#endif
