/*
 * gpu_case.h - small spatial models for tests: shapes whose times and pressures the test says, on a
 * device of 100 SMs.
 *
 * A shape's time is measured at 50 and 100 SMs, so that between them it follows from the model and
 * at them it is exact. With gpu_case_resource() shapes press on one resource, and wait for it as
 * soon as it has a queue.
 */
#ifndef DCS_TESTS_GPU_CASE_H
#define DCS_TESTS_GPU_CASE_H

#include "models/gpu/gpu.h"

#include <string.h>

enum { CASE_SMS = 100, CASE_SHAPES = 8, CASE_GROUPS = 6 };

struct gpu_case {
    struct dcs_spatial spatial;
    struct dcs_shape shapes[CASE_SHAPES];
    struct dcs_shape_point points[CASE_SHAPES][2];
    struct dcs_launch_group groups[CASE_SHAPES][CASE_GROUPS];
    struct dcs_shape_cluster clusters[CASE_SHAPES];
};

static inline void gpu_case_init(struct gpu_case *c)
{
    memset(c, 0, sizeof *c);
    c->spatial = (struct dcs_spatial){.sms = CASE_SMS, .shapes = c->shapes};
}

static inline void gpu_case_resource(struct gpu_case *c)
{
    c->spatial.resources_count = 1;
    c->spatial.resources[0] = (struct dcs_resource){.name = (char *)"dram", .hinges = 1};
}

/* Adds a shape, of an unknown grid; change what is returned. */
static inline struct dcs_shape *gpu_case_shape(struct gpu_case *c, double whole_ns, double half_ns)
{
    uint32_t i = c->spatial.shapes_count++;
    c->points[i][0] = (struct dcs_shape_point){.sms = CASE_SMS / 2, .solo_ns = half_ns};
    c->points[i][1] = (struct dcs_shape_point){.sms = CASE_SMS, .solo_ns = whole_ns};
    c->shapes[i] = (struct dcs_shape){.app = "app",
                                      .name = (char *)"shape",
                                      .launches = 1,
                                      .points = c->points[i],
                                      .points_count = 2};
    return &c->shapes[i];
}

/* Its blocks come in clusters as said, on that number of SMs; of eights the device has room for so
 * many. */
static inline void gpu_case_cluster(struct gpu_case *c, uint32_t shape, struct dcs_shape_cluster at,
                                    uint32_t eights)
{
    const uint32_t rooms[DCS_CLUSTER_SIZES] = {CASE_SMS, CASE_SMS / 2, CASE_SMS / 4, eights,
                                               eights / 2};
    memcpy(c->spatial.cluster_room, rooms, sizeof rooms);
    c->clusters[shape] = at;
    c->shapes[shape].clusters = &c->clusters[shape];
    c->shapes[shape].clusters_count = 1;
}

/* From three random numbers, any. */
static inline void gpu_case_cluster_at(struct gpu_case *c, uint32_t shape, uint32_t a, uint32_t b,
                                       uint32_t eights)
{
    uint32_t sms = 1 + a % CASE_SMS;
    gpu_case_cluster(c, shape, (struct dcs_shape_cluster){sms, 2 + b % 15, 1 + b % sms},
                     eights % (CASE_SMS / 8 + 1));
}

static inline void gpu_case_press(struct gpu_case *c, uint32_t shape, double pressure,
                                  double weight)
{
    for (int i = 0; i < 2; i++) {
        c->points[shape][i].pressure[0] = pressure;
        c->points[shape][i].weight[0][0] = weight;
    }
}

#endif
