/*
 * predictor_tasks.h - which kernels of requests of different sizes are the same task.
 *
 * A kernel's name and the name of its shape contain numbers that change with the size of the
 * request (gaussian's "unknowns_1_32" is "unknowns_1_128" in a larger one), and a larger request
 * may have more kernels, so neither name nor position tells what belongs together. What stays is
 * the shape's name without its numbers, and which one of those it is in its request, counted from
 * the start: "eliminate_#x#_x#/3" is the third elimination of a request of any size.
 *
 * Kernels that have the same shape in every size are one task, which has the name of the first.
 */
#ifndef DCS_MODELS_PREDICTOR_TASKS_H
#define DCS_MODELS_PREDICTOR_TASKS_H

#include "des/base.h"

struct dcs_task_launch {
    int64_t size;
    int64_t position;
    const char *shape;
};

struct dcs_tasks {
    int64_t *sizes; /* ascending */
    size_t sizes_count;
    char **names;
    size_t count;
    const char **shapes; /* borrowed; [task * sizes_count + size]; NULL: no kernel there */
    uint32_t **kernels;  /* [size][position]: the task */
    size_t *kernels_count;
};

/* The tasks of one application; sorts the launches. They need not be of the same number for every
 * size, but positions must count from 0. -1 and err (its text), and nothing to release, otherwise.
 */
int dcs_tasks_find(struct dcs_tasks *t, struct dcs_task_launch *launches, size_t n,
                   struct dcs_err *err);
void dcs_tasks_release(struct dcs_tasks *t);

/* DCS_NO_TASK if there is none of that name. */
#define DCS_NO_TASK UINT32_MAX
uint32_t dcs_tasks_named(const struct dcs_tasks *t, const char *name);

#endif
