/*
 * fiber.h - stacks that take turns on one CPU thread.
 */
#ifndef CUDA_CPU_FIBER_H
#define CUDA_CPU_FIBER_H

#include <stddef.h>

#if !defined __x86_64__
#include <ucontext.h>
#endif

struct fiber {
    void *stack_pointer; /* x86-64, while it does not run */
    unsigned char *stack;
    size_t stack_bytes;
    void (*body)();
#if !defined __x86_64__
    ucontext_t context;
#endif
};

/* A fiber that calls body, which never returns, when it is first switched to. Lives for ever. */
struct fiber *fiber_create(void (*body)());

/* Leaves `from`, which runs, and goes on with `to`. Returns when someone switches back. */
void fiber_switch(struct fiber *from, struct fiber *to);

/* Of `size` bytes at `memory`, AddressSanitizer shall let only the first `reach` be touched. */
void fiber_set_reach(unsigned char *memory, size_t size, size_t reach);

#endif
