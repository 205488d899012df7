/* cpu_pressure.c - see cpu_pressure.h. */
#include "calibrate/cpu/cpu_pressure.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define STREAM_PIECE (128 * 1024) /* bytes that are written before the next look at the clock */
#define CACHE_PIECE  4096         /* lines */
#define MEMORY_SHARE 8            /* no buffer takes more than this part of the host's memory */

const char *cal_cpu_pressure_name(enum cal_cpu_pressure p)
{
    static const char *const names[] = {"none", "cache", "stream"};
    return names[p];
}

double cal_cpu_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Several times the cache, as far as the memory goes. */
static int64_t beyond_cache(const struct cal_cpu_host *h, int64_t times)
{
    int64_t bytes = times * h->llc_bytes, least = 64 * 1024 * 1024;
    bytes = bytes > least ? bytes : least;
    return h->memory_bytes > 0 ? at_most(bytes, h->memory_bytes / MEMORY_SHARE) : bytes;
}

/* --- producers --- */

struct worker {
    struct cal_press *producer;
    pthread_t thread;
    uint64_t *memory;
    int64_t bytes;
    _Atomic int64_t done;   /* bytes */
    _Atomic int64_t passes; /* over its memory, since it was let go */
    char apart[64];         /* the next worker's counts are on another line */
};

enum order { HALT, GO, END };

struct cal_press {
    enum cal_cpu_pressure pressure;
    int64_t level, line_bytes;
    uint32_t workers_count, begun;
    struct worker *workers;
    struct cal_arena arena;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    _Atomic int order;
    uint32_t standing;
    double began_s, seconds;
};

/* Lines in steps of about 0.618 of the buffer: far from the last ones, each once in a pass. */
static void thrash(struct worker *w)
{
    struct cal_press *p = w->producer;
    int64_t words = p->line_bytes / (int64_t)sizeof *w->memory, lines = w->bytes / p->line_bytes;
    int64_t step = (int64_t)((double)lines * 0.6180339887498949) | 1, at = 0;
    while (step > 1 && lines % step == 0)
        step += 2;
    for (int64_t walked = 0; p->order == GO; walked += CACHE_PIECE) {
        for (int i = 0; i < CACHE_PIECE; i++) {
            w->memory[at * words]++;
            at += step;
            at -= at >= lines ? lines : 0;
        }
        w->done += CACHE_PIECE * p->line_bytes;
        w->passes = walked / lines;
    }
}

static void write_past_caches(uint64_t *to, size_t words)
{
#ifdef __SSE2__
    const __m128i value = _mm_set1_epi32(0x5a5a5a5a);
    for (size_t i = 0; i < words; i += 2)
        _mm_stream_si128((__m128i *)(void *)(to + i), value);
    _mm_sfence();
#else
    for (size_t i = 0; i < words; i++)
        to[i] += 1;
#endif
}

static void stream(struct worker *w)
{
    struct cal_press *p = w->producer;
    int64_t at = 0;
    double share = (double)p->level / 1000;
    while (p->order == GO) {
        double began = cal_cpu_now_s();
        write_past_caches(w->memory + at / (int64_t)sizeof *w->memory,
                          STREAM_PIECE / sizeof *w->memory);
        at = at + 2 * STREAM_PIECE <= w->bytes ? at + STREAM_PIECE : 0;
        w->done += STREAM_PIECE;
        w->passes++;
        /* Sleeping would be longer than these pauses are. */
        double until = began + (cal_cpu_now_s() - began) / share;
        while (cal_cpu_now_s() < until && p->order == GO)
            ;
    }
}

static void *serve(void *argument)
{
    struct worker *w = argument;
    struct cal_press *p = w->producer;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        p->standing++;
        pthread_cond_broadcast(&p->changed);
        while (p->order == HALT)
            pthread_cond_wait(&p->changed, &p->lock);
        p->standing--;
        if (p->order == END)
            break;
        pthread_mutex_unlock(&p->lock);
        if (p->pressure == CAL_PRESSURE_CACHE)
            thrash(w);
        else
            stream(w);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void wait_standing(struct cal_press *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->standing < p->begun)
        pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static int start_on(struct cal_press *p, int core, struct dcs_err *err)
{
    struct worker *w = &p->workers[p->begun];
    pthread_attr_t attributes;
    cpu_set_t set;
    w->producer = p;
    w->memory = cal_arena_take(&p->arena, (size_t)w->bytes, 1);
    pthread_attr_init(&attributes);
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
    int status = pthread_create(&w->thread, &attributes, serve, w);
    pthread_attr_destroy(&attributes);
    if (status != 0)
        return dcs_err_set(err, "a co-runner cannot be started on core %d: %s", core,
                           strerror(status));
    p->begun++;
    return 0;
}

struct cal_press *cal_press_start(enum cal_cpu_pressure pressure, int64_t level, const int *cores,
                                  uint32_t cores_count, const struct cal_cpu_host *h,
                                  struct dcs_err *err)
{
    DCS_ASSERT(pressure != CAL_PRESSURE_NONE && cores_count >= 1 && level >= 1);
    struct cal_press *p = dcs_alloc(1, sizeof *p);
    *p = (struct cal_press){.pressure = pressure,
                            .level = level,
                            .line_bytes = h->line_bytes,
                            .workers_count = cores_count,
                            .workers = dcs_alloc(cores_count, sizeof *p->workers)};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    int64_t bytes = pressure == CAL_PRESSURE_CACHE ? level : beyond_cache(h, 2);
    int failed = 0;
    for (uint32_t i = 0; i < cores_count && !failed; i++) {
        p->workers[i].bytes = bytes / cores_count / 4096 * 4096;
        if (p->workers[i].bytes < 2 * STREAM_PIECE)
            p->workers[i].bytes = 2 * STREAM_PIECE;
        failed = start_on(p, cores[i], err);
    }
    if (!failed) {
        wait_standing(p);
        return p;
    }
    cal_press_end(p);
    return NULL;
}

static void give_order(struct cal_press *p, int order)
{
    pthread_mutex_lock(&p->lock);
    p->order = order;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void cal_press_end(struct cal_press *p)
{
    if (p == NULL)
        return;
    give_order(p, END);
    for (uint32_t i = 0; i < p->begun; i++)
        pthread_join(p->workers[i].thread, NULL);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    cal_arena_release(&p->arena);
    free(p->workers);
    free(p);
}

void cal_press_go(struct cal_press *p)
{
    const struct timespec pause = {.tv_nsec = 200000};
    /* One that is kept from its core for a second presses on nothing: measure that, not wait. */
    p->began_s = cal_cpu_now_s();
    for (uint32_t i = 0; i < p->workers_count; i++)
        p->workers[i].passes = 0;
    give_order(p, GO);
    for (uint32_t i = 0; i < p->workers_count; i++)
        while (p->workers[i].passes < 1 && cal_cpu_now_s() - p->began_s < 1)
            nanosleep(&pause, NULL);
}

void cal_press_halt(struct cal_press *p)
{
    give_order(p, HALT);
    wait_standing(p);
    p->seconds += cal_cpu_now_s() - p->began_s;
}

double cal_press_bytes(const struct cal_press *p)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->workers_count; i++)
        sum += (double)p->workers[i].done;
    return sum;
}

double cal_press_seconds(const struct cal_press *p)
{
    return p->seconds;
}

/* --- latency of memory --- */

int cal_chase_create(struct cal_chase *c, const struct cal_cpu_host *h, struct dcs_err *err)
{
    int64_t bytes = beyond_cache(h, 4);
    uint64_t lines = 1;
    memset(c, 0, sizeof *c);
    while ((int64_t)(2 * lines) * h->line_bytes <= bytes)
        lines *= 2;
    c->bytes = lines * (uint64_t)h->line_bytes;
    c->stride = (uint64_t)h->line_bytes / sizeof *c->lines;
    void *memory = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return dcs_err_set(err, "no memory for %.0f MB to walk through: %s", (double)c->bytes / 1e6,
                           strerror(errno));
    c->lines = memory;
    /* With small pages much of each step would be looking up where the page is. */
    madvise(memory, c->bytes, MADV_HUGEPAGE);
    /* Each line holds the next one's number, by a linear congruential generator of full period
     * (Knuth, The Art of Computer Programming 2, 3.2.1.2): odd increment, multiplier 1 modulo 4. */
    for (uint64_t i = 0; i < lines; i++)
        c->lines[i * c->stride] =
            ((i * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407)) & (lines - 1)) *
            c->stride;
    return 0;
}

void cal_chase_destroy(struct cal_chase *c)
{
    if (c->lines != NULL)
        munmap(c->lines, c->bytes);
    memset(c, 0, sizeof *c);
}

double cal_chase_walk(struct cal_chase *c, int64_t steps)
{
    double began = cal_cpu_now_s();
    uint64_t at = c->at;
    for (int64_t i = 0; i < steps; i++)
        at = c->lines[at];
    c->at = at;
    return (cal_cpu_now_s() - began) * 1e9 / (double)steps;
}

/* --- bandwidth of memory --- */

void cal_copy_create(struct cal_copy *c, const struct cal_cpu_host *h)
{
    memset(c, 0, sizeof *c);
    c->bytes = beyond_cache(h, 2) / 4096 * 4096;
    c->from = cal_arena_take(&c->arena, (size_t)c->bytes, 1);
    c->to = cal_arena_take(&c->arena, (size_t)c->bytes, 1);
}

void cal_copy_destroy(struct cal_copy *c)
{
    cal_arena_release(&c->arena);
}

static void copy_piece(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    struct cal_copy *c = context;
#ifdef __SSE2__
    for (int64_t i = begin; i < end; i += 16)
        _mm_stream_si128((__m128i *)(void *)(c->to + i),
                         _mm_load_si128((const __m128i *)(const void *)(c->from + i)));
    _mm_sfence();
#else
    memcpy(c->to + begin, c->from + begin, (size_t)(end - begin));
#endif
}

void cal_copy_run(struct cal_copy *c, struct cal_team *t)
{
    cal_team_for(t, c->bytes, 1024 * 1024, copy_piece, c);
}
