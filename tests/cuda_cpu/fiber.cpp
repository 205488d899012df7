/*
 * fiber.cpp - see fiber.h. On x86-64 a switch is a dozen instructions; elsewhere ucontext, which
 * asks the system to save the signal mask each time.
 */
#include "fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined __SANITIZE_ADDRESS__
#define ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif

#ifdef ASAN
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define STACK_BYTES ((size_t)512 * 1024) /* its red zones make frames larger */
#else
#define STACK_BYTES ((size_t)128 * 1024)
#endif

#ifdef __x86_64__

/* What the ABI asks a callee to keep lies on the stack that is left. */
asm(".text\n"
    ".type emu_switch_stacks, @function\n"
    "emu_switch_stacks:\n"
    "    pushq %rbp\n"
    "    pushq %rbx\n"
    "    pushq %r12\n"
    "    pushq %r13\n"
    "    pushq %r14\n"
    "    pushq %r15\n"
    "    movq %rsp, (%rdi)\n"
    "    movq %rsi, %rsp\n"
    "    popq %r15\n"
    "    popq %r14\n"
    "    popq %r13\n"
    "    popq %r12\n"
    "    popq %rbx\n"
    "    popq %rbp\n"
    "    ret\n"
    ".size emu_switch_stacks, . - emu_switch_stacks\n");
extern "C" void emu_switch_stacks(void **left, void *entered);

#endif

#ifdef ASAN

/* The program's own stack, which AddressSanitizer knows until the first switch. */
static void find_own_stack(struct fiber *f)
{
    pthread_attr_t attributes;
    void *bottom;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &bottom, &f->stack_bytes);
    pthread_attr_destroy(&attributes);
    f->stack = (unsigned char *)bottom;
}

#endif

static struct fiber *entered; /* the one that is switched to */

static void start()
{
#ifdef ASAN
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
    entered->body();
    abort();
}

struct fiber *fiber_create(void (*body)())
{
    static unsigned created;
    struct fiber *f = (struct fiber *)calloc(1, sizeof *f);
    /* The lowest page stays without access, so that an overflow stops the program. */
    void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f == NULL || stack == MAP_FAILED || mprotect(stack, 4096, PROT_NONE) != 0) {
        fprintf(stderr, "cuda_cpu: out of memory for the stacks of threads\n");
        exit(70);
    }
    f->stack = (unsigned char *)stack;
    f->stack_bytes = STACK_BYTES;
    f->body = body;
#ifdef __x86_64__
    /* Stacks that begin at the same place in their pages would share few lines of the cache. */
    unsigned char *top = f->stack + STACK_BYTES - 64 - (size_t)(created++ % 56) * 64;
    void **words = (void **)top;
    *--words = NULL;          /* where start() would return to; also its alignment */
    *--words = (void *)start; /* where the switch returns to */
    f->stack_pointer = words - 6;
#else
    (void)created;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = STACK_BYTES;
    makecontext(&f->context, start, 0);
#endif
    return f;
}

void fiber_switch(struct fiber *from, struct fiber *to)
{
    entered = to;
#ifdef ASAN
    void *fake;
    if (from->stack == NULL)
        find_own_stack(from);
    __sanitizer_start_switch_fiber(&fake, to->stack, to->stack_bytes);
#endif
#ifdef __x86_64__
    emu_switch_stacks(&from->stack_pointer, to->stack_pointer);
#else
    swapcontext(&from->context, &to->context);
#endif
#ifdef ASAN
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#endif
}

void fiber_set_reach(unsigned char *memory, size_t size, size_t reach)
{
#ifdef ASAN
    ASAN_UNPOISON_MEMORY_REGION(memory, size);
    ASAN_POISON_MEMORY_REGION(memory + reach, size - reach);
#else
    (void)memory, (void)size, (void)reach;
#endif
}
