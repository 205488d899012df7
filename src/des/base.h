/*
 * base.h - what every module needs: assertions that say where in a simulation they failed,
 * errors that say where in the input, and memory.
 *
 * Failure has three kinds, kept apart:
 *   our fault               DCS_ASSERT, in every build: prints simulated time, seed and
 *                           replication, and exits with DCS_EXIT_INTERNAL
 *   the caller's or data's  a function returns -1 and fills a struct dcs_err
 *   out of memory           dcs_alloc() prints, and exits with DCS_EXIT_INTERNAL; results are
 *                           written in transactions, so none is half written
 *
 * Time everywhere is int64_t nanoseconds since the start of the simulation, >= 0.
 */
#ifndef DCS_DES_BASE_H
#define DCS_DES_BASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define DCS_NEVER INT64_MAX /* a time that does not come */

/* The latest time, some 146 years on; a sum that would be later is this one. The sum of any two
 * times fits an int64_t. */
#define DCS_TIME_MAX (INT64_C(1) << 62)

static inline int64_t dcs_add_times(int64_t a, int64_t b)
{
    return a > DCS_TIME_MAX - b ? DCS_TIME_MAX : a + b;
}

/* count >= 0, time_ns >= 0. */
static inline int64_t dcs_times(int64_t count, int64_t time_ns)
{
    return count != 0 && time_ns > DCS_TIME_MAX / count ? DCS_TIME_MAX : count * time_ns;
}

#define DCS_NS_PER_US 1000LL
#define DCS_NS_PER_MS 1000000LL
#define DCS_NS_PER_S  1000000000LL

enum dcs_exit {
    DCS_EXIT_OK = 0,
    DCS_EXIT_FOUND = 1,         /* a subcommand found something; some points of a sweep failed */
    DCS_EXIT_USER = 2,          /* bad input: config, profile, trace, command line, output */
    DCS_EXIT_INTERNAL = 70,     /* our own fault */
    DCS_EXIT_INTERRUPTED = 130, /* Ctrl-C; finished runs are kept */
};

/* Where the calling thread is; kept by the running simulation, printed by failing assertions. */
struct dcs_where {
    int64_t now_ns;
    uint64_t seed;
    uint32_t replication;
    bool inside;                  /* a simulation is running on this thread */
    const char *policy;           /* of that simulation */
    const char *_Atomic callback; /* of the policy, that is being made; NULL: none */
};
extern _Thread_local struct dcs_where dcs_where;

/* A simulation begins and ends on the calling thread. */
void dcs_where_begin(uint64_t seed, uint32_t replication, const char *policy);
void dcs_where_end(void);
/* What the calling thread's simulation is in now: a static text, or NULL. */
static inline void dcs_where_in(const char *callback)
{
    atomic_store_explicit(&dcs_where.callback, callback, memory_order_relaxed);
}
/* For the simulations of all threads (of the first DCS_WHERE_THREADS at a time), also from a signal
 * handler. */
#define DCS_WHERE_THREADS 256
void dcs_where_each(void (*tell)(const struct dcs_where *where));

_Noreturn void dcs_assert_failed(const char *condition, const char *file, int line,
                                 const char *function);

#define DCS_ASSERT(condition)                                                                      \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            dcs_assert_failed(#condition, __FILE__, __LINE__, __func__);                           \
    } while (0)

/* An error of the caller or the data. Empty strings and line 0 mean "does not apply". */
struct dcs_err {
    char file[256]; /* the input file, or "--set", or "command line" */
    int line;       /* 1-based */
    char path[256]; /* JSON path, table or column */
    char text[768]; /* what was expected, what was found, what to do */
};

/* Fills e->text from the format; leaves file, line and path as they are. Returns -1. */
int dcs_err_set(struct dcs_err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fills the place, then the text. file and path may be NULL. Returns -1. */
int dcs_err_at(struct dcs_err *e, const char *file, int line, const char *path, const char *format,
               ...) __attribute__((format(printf, 5, 6)));

/* Prints "dcsim: file:line: path: text" in one line; control characters are shown escaped. */
void dcs_err_print(const struct dcs_err *e, FILE *out);
/* The same, of another program than dcsim. */
void dcs_err_print_of(const char *program, const struct dcs_err *e, FILE *out);

/* Zeroed memory for count elements; never NULL (see the top). Freed with free(). */
void *dcs_alloc(size_t count, size_t size) __attribute__((malloc));

/* The same, the first element at a multiple of alignment, a power of two. */
void *dcs_alloc_aligned(size_t alignment, size_t count, size_t size) __attribute__((malloc));

/* Grows an array to at least need elements, doubling; *capacity is updated. New tail is zeroed. */
void *dcs_grow_larger(void *array, size_t *capacity, size_t need, size_t size);
static inline void *dcs_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity ? array : dcs_grow_larger(array, capacity, need, size);
}

/* A copy of text; freed with free(). */
char *dcs_strdup(const char *text);

/* What follows a word for n things: "1 run", "2 runs". */
static inline const char *dcs_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

#endif
