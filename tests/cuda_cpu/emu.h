/*
 * emu.h - what the runner of applications asks of the emulator beyond CUDA's own interface.
 */
#ifndef CUDA_CPU_EMU_H
#define CUDA_CPU_EMU_H

#include "include/cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Threads and blocks in ascending order, or in a random one from the seed. */
void emu_set_order(bool random, uint64_t seed);

/* The kernel that reports name, until the next call; NULL ends it. */
void emu_label(const char *name);

/* From now on a request is enqueued: only on this stream, without allocation, free and
 * synchronisation. NULL ends it. */
void emu_set_request(cudaStream_t stream);

/* Nothing is computed: launches return at once, and memory takes up no room until it is touched.
 * For plans at full size. */
void emu_set_dry(bool dry);

/* Allocations fail beyond this many bytes, and the one after `before_failure` others (-1: none). */
void emu_set_memory(size_t limit_bytes, long before_failure);
size_t emu_allocated_bytes(void);
size_t emu_allocations(void); /* that are not freed */
size_t emu_allocations_ever(void);

/* Waiting for a stream fails after so many more waits; -1: it does not. */
void emu_break_after(int waits);

/* Prints what is wrong, where, and ends the program. */
void emu_report(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Between runtime.cpp and emulator.cpp. */
bool emu_is_dry(void);
void emu_check_stream(cudaStream_t stream, const char *call);
void emu_fill_pattern(void *to, size_t bytes);
cudaError_t emu_set_error(cudaError_t error); /* for cudaGetLastError; returns it */

#ifdef __cplusplus
}
#endif
#endif
