/*
 * spatial_load.h - makes what spatial.h says from the tables of a profile.
 *
 * SHAPES. The table request_kernel says which kernels a request consists of. An application without
 * such rows has one shape for each of its kernels; a transfer there counts as one to the device.
 *
 * SOLO TIME. From the medians of kernel_solo and request_solo at the application's default size. A
 * number of SMs that was measured as a partition (green context) or as the whole device is exact;
 * quotas of MPS count only where no partition was measured. The kernels of a request are scaled by
 * one factor, so that their times add up to the measured time of the whole request, which has the
 * gaps between launches in it. There is a factor for each number of SMs at which requests were
 * measured; it is linear in 1 / SMs between two of them, and the nearest one's beyond. A kernel has
 * a point wherever it, its pressure or its request was measured. A kernel without kernel_solo rows
 * takes its duration in the table kernel on the whole device; on fewer SMs its work per SM is
 * constant.
 *
 * HOST. Of a program that was recorded as it is, the tables recorded and recorded_launch have when
 * its host launches, on the whole device. The kernels of its requests are then not scaled: each has
 * its own time, and what lies between two kernels where the host is ahead. What follows the last
 * kernel lies before the first one here, so that a request takes as long. Where several of its
 * kernels ran at one time there is no host's part, and its kernels are scaled as any.
 *
 * WAVES. Whether blocks drift apart, and the overhang, are fitted to kernel_solo for each shape
 * (spatial_waves.c). A kernel that was measured at fewer than three numbers of SMs counts as in
 * step.
 *
 * LAUNCHES. The table kernel_launch has the grid and the time of each launch, traced on the whole
 * device. A trace has no gaps between launches, so each launch gets an equal part of what the
 * kernel takes beyond their sum. Whether the blocks of a launch drift apart is fitted on its own
 * grid to the times of the whole kernel. A kernel without such rows has equal launches.
 *
 * CLUSTERS. The tables kernel_cluster and cluster_room. A kernel without rows, and a device without
 * room, have none. At a number of SMs where several mechanisms have a row, `whole` counts first,
 * then `green`.
 *
 * PRESSURE AND SENSITIVITY. Tables contention_resource, contention_hinge, contention_kernel and
 * contention_weight. A profile without them has no contention. A kernel without contention_kernel
 * rows has pressure and weights 0, whatever its counters say. The table contention_range says how
 * far measurements reach; of a kernel without rows there it is not known.
 *
 * NOISE. The table `noise` has some kernels, alone, again and again over minutes. Each sample over
 * the median of its kernel at its number of SMs is one value; the distribution of all values,
 * scaled to mean 1, is kept as quantiles.
 *
 * QUOTA SWITCHES. The table `quota_switch` has the time from the end of a kernel to the begin of
 * the next one of its chain, as medians by mechanism. For partitions a switch is the mean of
 * green_host (the host waits for the end and launches into the other green context) less that of
 * stream (the same SMs). For MPS it is the mean of mps_futex less that of mps_stream: another
 * process of a pool launches, and sleeps until it is told to, since a pool has too many processes
 * to let all of them poll.
 *
 * SCHEDULING. The table `scheduler_cost` has what a callback of a policy costs: the time from the
 * end of a kernel to the begin of the one that is launched then.
 *
 * OTHER SIZES. An application may be loaded with all sizes at which its whole requests were
 * measured (request_solo). Each size has a sequence and shapes of its own, with the grids of that
 * size, and all of the above holds for it.
 * - Single kernels were timed at fewer sizes. At the others a kernel's time is linear in the size
 *   between the nearest two at which it was timed, and that of the last one beyond;
 *   predictor_tasks.h says which kernels of two sizes are the same. Then they are scaled to the
 *   request. Whether their blocks drift apart, the overhang, unlike launches (if there are as many)
 *   and the error of a mean are those of the nearer size.
 * - A size between two measured ones has the kernels of the nearer size (the lower one, if both are
 *   as near). The time of each is linear in the size between both, and so is that of the request,
 *   to which they are scaled. Of a recorded program it has the host's part of the nearer size, and
 *   gaps by one factor longer or shorter, so that the request is linear in the size.
 * docs/validation/h200.md says how well that does for sizes left out.
 * - Pressure, sensitivity and memory were measured at the default size only. A kernel of another
 *   size has the pressure and sensitivity of the same kernel there on as many SMs, and its
 *   bandwidth and instructions per cycle on the whole device. If no request of the default size has
 *   that kernel, the last kernel there counts whose name differs in numbers only, or else the one
 *   that stands in its place (spatial_places.h), which is a guess.
 *
 * A profile of version 1 is not refused. What it has under the names of these tables is its own,
 * and is not read.
 */
#ifndef DCS_MODELS_SPATIAL_LOAD_H
#define DCS_MODELS_SPATIAL_LOAD_H

#include "models/gpu/spatial.h"

/* Loads the profile as dcs_profile_load() does, and *s, from one reading of the file, which takes
 * most of the time. NULL and err on failure; *s is then NULL too. The profile must outlive *s. */
struct dcs_profile *dcs_spatial_load_profile(const char *path, struct dcs_spatial **s,
                                             struct dcs_err *err);
/* The same with all sizes at which requests of some applications were measured. apps: their names,
 * NULL-ended; names that the profile lacks are passed over. */
struct dcs_profile *dcs_spatial_load_sized(const char *path, const char *const *apps,
                                           struct dcs_spatial **s, struct dcs_err *err);
void dcs_spatial_free(struct dcs_spatial *s); /* NULL is allowed */

/* What the profile does not say and what stands in for it, for a person, behind "of this profile:
 * "; NULL: nothing. Lives as long as s. */
const char *dcs_spatial_falls_back(const struct dcs_spatial *s);

/* As dcs_spatial_sequence(). A size between two measured ones is made, if the application was
 * loaded with all its sizes; that moves s->sequences and s->shapes. NULL and err (its text) if that
 * cannot be. */
const struct dcs_sequence *dcs_spatial_size(struct dcs_spatial *s, uint32_t app, int64_t size,
                                            struct dcs_err *err);
/* Whether dcs_spatial_size() would find or make the size. -1 and err (its text) if not. */
int dcs_spatial_check_size(const struct dcs_spatial *s, uint32_t app, int64_t size,
                           struct dcs_err *err);

/* Sets drifts and overhang of a shape from its points and its grid. */
void dcs_shape_fit_waves(struct dcs_shape *shape);

#endif
