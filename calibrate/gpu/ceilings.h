/*
 * ceilings.h - small kernels of the tool itself: an empty one, one that holds a stream, one that
 * counts SMs, and those that find the device's ceilings. They enqueue on the stream and return.
 */
#ifndef DCS_CALIBRATE_CEILINGS_H
#define DCS_CALIBRATE_CEILINGS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Loads the kernels below; cudaErrorNoKernelImageForDevice if the program has no code for this
 * device. */
cudaError_t cal_probe_image(void);

cudaError_t cal_launch_empty(cudaStream_t stream);
/* Marks a place in the list of launches that a profiler writes; does nothing. */
cudaError_t cal_launch_border(cudaStream_t stream);
#define CAL_BORDER_KERNEL "cal_border"

/* Ends when *flag >= ticket, or after two seconds. flag: mapped host memory. */
cudaError_t cal_launch_gate(cudaStream_t stream, const int *flag, int ticket);
/* Every SM busy with arithmetic for `ns`. */
cudaError_t cal_launch_spin(cudaStream_t stream, int sms, uint64_t ns);

/* seen: device memory, one int per SM of the device, zeroed; those that ran a block become 1. */
cudaError_t cal_launch_see_sms(cudaStream_t stream, int *seen, int sms);

/* to = from, on all SMs that the stream has. bytes, here and below: a multiple of 16. */
cudaError_t cal_launch_copy(cudaStream_t stream, void *to, const void *from, size_t bytes);
/* Reads `bytes` `turns` times over, more than once by a grid that fills `sms` SMs; *sink is written
 * so that nothing is left out. */
cudaError_t cal_launch_read(cudaStream_t stream, int sms, const void *from, size_t bytes, int turns,
                            unsigned *sink);

/* Half-precision matrix products with single-precision sums out of shared memory, with the widest
 * instruction of the device; values are pseudo-random. Returns the operations in *flop. */
cudaError_t cal_launch_matrix(cudaStream_t stream, int sms, int turns, float *sink, double *flop);
/* Single-precision multiply-adds in registers. */
cudaError_t cal_launch_fma(cudaStream_t stream, int sms, int turns, float *sink, double *flop);

#ifdef __cplusplus
}
#endif
#endif
