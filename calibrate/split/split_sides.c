/* split_sides.c - see split_sides.h. */
#include "calibrate/split/split_sides.h"

#include "calibrate/cpu/cpu_app.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of a chunk, for each thread: a thread that is late delays the end by at most its last piece, an
 * eighth of its part. Chosen, not fitted: handing a piece to a thread is one atomic addition. */
#define PIECES 8

enum state { IDLE, GIVEN, ENDED };

struct worker {
    struct cal_split_sides *both;
    enum cal_split_side side;
    pthread_t thread;
    bool started;
    pthread_cond_t given;
    enum state state;
    int64_t first, count; /* count 0: the pass begins */
    int64_t begin, end;   /* where it goes on while it presses */
    int64_t handed_ns;
    atomic_bool again;
    int failed;
    struct dcs_err err;
};

struct cal_split_sides {
    struct cal_split *problem;
    struct cal_team *team;
    int device;
    cudaStream_t stream;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool ending;
    struct worker workers[CAL_SPLIT_BOTH];
};

int64_t cal_split_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* --- the CPU: pieces at multiples of the grain, so that iterations that are computed together are
   in one --- */

struct pieces {
    struct cal_split *s;
    int64_t first, end, grain;
};

static void compute_pieces(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    const struct pieces *p = context;
    int64_t piece = p->first / p->grain;
    begin = (piece + begin) * p->grain;
    end = (piece + end) * p->grain;
    p->s->program->compute(p->s, begin > p->first ? begin : p->first, end < p->end ? end : p->end,
                           thread);
}

static int64_t choose_grain(const struct cal_split *s, int64_t count, uint32_t threads)
{
    int64_t grain = count / (threads * PIECES) + 1, unit = s->program->together;
    if (s->in_share > 1 && grain > 2 * s->in_share)
        unit = 4 * s->in_share; /* whole rows */
    return (grain + unit - 1) / unit * unit;
}

static void compute_on_cpu(struct cal_split_sides *b, int64_t first, int64_t count)
{
    uint32_t threads = cal_team_threads(b->team);
    if (threads == 1) {
        b->problem->program->compute(b->problem, first, first + count, 0);
        return;
    }
    struct pieces p = {b->problem, first, first + count, choose_grain(b->problem, count, threads)};
    cal_team_for(b->team, (p.end - 1) / p.grain - p.first / p.grain + 1, 1, compute_pieces, &p);
}

int64_t cal_split_next_place(int64_t at, int64_t count, int64_t begin, int64_t end)
{
    return at < begin || at + count > end ? begin : at;
}

/* --- the threads --- */

static int do_work(struct worker *w)
{
    struct cal_split_sides *b = w->both;
    for (;;) {
        int failed = 0;
        if (w->side == CAL_SPLIT_CPU)
            compute_on_cpu(b, w->first, w->count);
        else
            failed = w->count == 0
                         ? cal_split_gpu_begin(b->problem, b->stream, &w->err)
                         : cal_split_gpu_chunk(b->problem, w->first, w->count, b->stream, &w->err);
        if (failed || !atomic_load(&w->again))
            return failed;
        w->first = cal_split_next_place(w->first + w->count, w->count, w->begin, w->end);
    }
}

static void *serve_side(void *argument)
{
    struct worker *w = argument;
    struct cal_split_sides *b = w->both;
    if (w->side == CAL_SPLIT_GPU)
        cudaSetDevice(b->device);
    pthread_mutex_lock(&b->lock);
    for (;;) {
        while (w->state != GIVEN && !b->ending)
            pthread_cond_wait(&w->given, &b->lock);
        if (w->state != GIVEN)
            break;
        pthread_mutex_unlock(&b->lock);
        int failed = do_work(w);
        pthread_mutex_lock(&b->lock);
        w->failed = failed;
        w->state = ENDED;
        pthread_cond_signal(&b->ended);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

struct cal_split_sides *cal_split_sides_start(struct cal_split *s, struct cal_team *team,
                                              int device, struct dcs_err *err)
{
    struct cal_split_sides *b = dcs_alloc(1, sizeof *b);
    b->problem = s;
    b->team = team;
    b->device = device;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->ended, NULL);
    for (int i = 0; i < CAL_SPLIT_BOTH; i++) {
        b->workers[i] = (struct worker){.both = b, .side = (enum cal_split_side)i};
        pthread_cond_init(&b->workers[i].given, NULL);
    }
    if (cudaStreamCreate(&b->stream) != cudaSuccess) {
        b->stream = NULL;
        dcs_err_set(err, "the GPU gives no stream");
        cal_split_sides_stop(b);
        return NULL;
    }
    for (int i = 0; i < CAL_SPLIT_BOTH; i++) {
        struct worker *w = &b->workers[i];
        int status = pthread_create(&w->thread, NULL, serve_side, w);
        w->started = status == 0;
        if (w->started)
            continue;
        dcs_err_set(err, "a thread cannot be started: %s", strerror(status));
        cal_split_sides_stop(b);
        return NULL;
    }
    return b;
}

void cal_split_sides_stop(struct cal_split_sides *b)
{
    if (b == NULL)
        return;
    pthread_mutex_lock(&b->lock);
    b->ending = true;
    for (int i = 0; i < CAL_SPLIT_BOTH; i++) {
        atomic_store(&b->workers[i].again, false);
        pthread_cond_signal(&b->workers[i].given);
    }
    pthread_mutex_unlock(&b->lock);
    for (int i = 0; i < CAL_SPLIT_BOTH; i++) {
        if (b->workers[i].started)
            pthread_join(b->workers[i].thread, NULL);
        pthread_cond_destroy(&b->workers[i].given);
    }
    pthread_cond_destroy(&b->ended);
    pthread_mutex_destroy(&b->lock);
    if (b->stream != NULL)
        cudaStreamDestroy(b->stream);
    free(b);
}

/* --- handing over --- */

/* begin, end: where it goes on by itself, until it is told to rest; 0, 0: it does not. */
static void give(struct cal_split_sides *b, enum cal_split_side side, int64_t first, int64_t count,
                 int64_t begin, int64_t end)
{
    struct worker *w = &b->workers[side];
    int64_t now = cal_split_now_ns();
    pthread_mutex_lock(&b->lock);
    DCS_ASSERT(w->state == IDLE);
    w->first = first;
    w->count = count;
    w->begin = begin;
    w->end = end;
    w->handed_ns = now;
    atomic_store(&w->again, end > begin);
    w->state = GIVEN;
    pthread_cond_signal(&w->given);
    pthread_mutex_unlock(&b->lock);
}

/* Waits for that side, or with CAL_SPLIT_BOTH for either, the CPU before the GPU. */
static int take_ended(struct cal_split_sides *b, enum cal_split_side side,
                      struct cal_split_ended *ended, struct dcs_err *err)
{
    struct worker *w = NULL;
    pthread_mutex_lock(&b->lock);
    while (w == NULL) {
        for (int i = 0; i < CAL_SPLIT_BOTH && w == NULL; i++)
            if ((side == CAL_SPLIT_BOTH || side == (enum cal_split_side)i) &&
                b->workers[i].state == ENDED)
                w = &b->workers[i];
        if (w == NULL)
            pthread_cond_wait(&b->ended, &b->lock);
    }
    w->state = IDLE;
    int failed = w->failed;
    pthread_mutex_unlock(&b->lock);
    *ended = (struct cal_split_ended){w->side, w->count, cal_split_now_ns() - w->handed_ns};
    if (failed)
        *err = w->err;
    return failed ? -1 : 0;
}

void cal_split_hand_over(struct cal_split_sides *b, enum cal_split_side side, int64_t first,
                         int64_t count)
{
    DCS_ASSERT(count > 0 && first >= 0 && first + count <= b->problem->iterations);
    give(b, side, first, count, 0, 0);
}

int cal_split_wait(struct cal_split_sides *b, struct cal_split_ended *ended, struct dcs_err *err)
{
    return take_ended(b, CAL_SPLIT_BOTH, ended, err);
}

int cal_split_begin_pass(struct cal_split_sides *b, int pass, struct dcs_err *err)
{
    struct cal_split_ended unused;
    const struct cal_split_program *p = b->problem->program;
    if (p->begin_pass != NULL)
        p->begin_pass(b->problem, pass);
    if (pass == p->passes || b->problem->varying.count == 0)
        return 0;
    give(b, CAL_SPLIT_GPU, 0, 0, 0, 0);
    return take_ended(b, CAL_SPLIT_GPU, &unused, err);
}

void cal_split_press(struct cal_split_sides *b, enum cal_split_side side, int64_t first,
                     int64_t count, int64_t begin, int64_t end)
{
    DCS_ASSERT(count > 0 && begin <= first && first + count <= end &&
               end <= b->problem->iterations);
    give(b, side, first, count, begin, end);
}

int cal_split_rest(struct cal_split_sides *b, enum cal_split_side side, int64_t *next,
                   struct dcs_err *err)
{
    struct cal_split_ended unused;
    struct worker *w = &b->workers[side];
    atomic_store(&w->again, false);
    pthread_mutex_lock(&b->lock);
    bool idle = w->state == IDLE;
    pthread_mutex_unlock(&b->lock);
    int failed = idle ? 0 : take_ended(b, side, &unused, err);
    *next = w->first + w->count; /* it is idle, and the lock was held since it wrote them */
    return failed;
}
