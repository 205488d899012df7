/*
 * cpu_team.c - the threads of a program; see cpu_app.h.
 *
 * Threads sleep between two calls: with more threads than cores one that spins
 * would take the core from one that works.
 */
#include "calibrate/cpu/cpu_app.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct member {
    struct cal_team *team;
    uint32_t number;
    pthread_t thread;
};

struct cal_team {
    uint32_t threads, begun; /* begun: threads that exist, fewer where starting them failed */
    struct member *members;
    pthread_mutex_t lock;
    pthread_cond_t call, idle;
    uint64_t calls; /* so far; a member answers each once */
    uint32_t busy;
    bool ending;
    void (*body)(void *context, struct cal_team *t, uint32_t thread);
    void *context;
};

static void *serve(void *argument)
{
    struct member *m = argument;
    struct cal_team *t = m->team;
    uint64_t answered = 0;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (t->calls == answered && !t->ending)
            pthread_cond_wait(&t->call, &t->lock);
        if (t->ending)
            break;
        answered = t->calls;
        pthread_mutex_unlock(&t->lock);
        t->body(t->context, t, m->number);
        pthread_mutex_lock(&t->lock);
        if (--t->busy == 0)
            pthread_cond_signal(&t->idle);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static int start(struct cal_team *t, const int *cores, uint32_t cores_count, struct dcs_err *err)
{
    for (; t->begun < t->threads; t->begun++) {
        struct member *m = &t->members[t->begun];
        pthread_attr_t attributes;
        cpu_set_t set;
        m->team = t;
        m->number = t->begun;
        CPU_ZERO(&set);
        for (uint32_t i = 0; i < cores_count; i++)
            if (cores_count != t->threads || i == m->number)
                CPU_SET(cores[i], &set);
        pthread_attr_init(&attributes);
        if (cores != NULL)
            pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
        int status = pthread_create(&m->thread, &attributes, serve, m);
        pthread_attr_destroy(&attributes);
        if (status != 0)
            return dcs_err_set(err, "thread %u of %u cannot be started on the cores asked for: %s",
                               t->begun + 1, t->threads, strerror(status));
    }
    return 0;
}

struct cal_team *cal_team_create(uint32_t threads, const int *cores, uint32_t cores_count,
                                 struct dcs_err *err)
{
    DCS_ASSERT(threads >= 1 && threads <= CAL_TEAM_MAX);
    struct cal_team *t = dcs_alloc(1, sizeof *t);
    t->threads = threads;
    t->members = dcs_alloc(threads, sizeof *t->members);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->call, NULL);
    pthread_cond_init(&t->idle, NULL);
    int failed = start(t, cores, cores_count, err);
    if (!failed)
        return t;
    cal_team_destroy(t);
    return NULL;
}

void cal_team_destroy(struct cal_team *t)
{
    if (t == NULL)
        return;
    pthread_mutex_lock(&t->lock);
    t->ending = true;
    pthread_cond_broadcast(&t->call);
    pthread_mutex_unlock(&t->lock);
    for (uint32_t i = 0; i < t->begun; i++)
        pthread_join(t->members[i].thread, NULL);
    pthread_cond_destroy(&t->idle);
    pthread_cond_destroy(&t->call);
    pthread_mutex_destroy(&t->lock);
    free(t->members);
    free(t);
}

uint32_t cal_team_threads(const struct cal_team *t)
{
    return t->threads;
}

void cal_team_run(struct cal_team *t,
                  void (*body)(void *context, struct cal_team *t, uint32_t thread), void *context)
{
    pthread_mutex_lock(&t->lock);
    t->body = body;
    t->context = context;
    t->busy = t->threads;
    t->calls++;
    pthread_cond_broadcast(&t->call);
    while (t->busy > 0)
        pthread_cond_wait(&t->idle, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

struct pieces {
    void (*body)(void *context, int64_t begin, int64_t end, uint32_t thread);
    void *context;
    int64_t n, grain;
    _Atomic int64_t next;
};

static void take_pieces(void *context, struct cal_team *t, uint32_t thread)
{
    (void)t;
    struct pieces *p = context;
    for (;;) {
        int64_t begin = atomic_fetch_add(&p->next, p->grain);
        if (begin >= p->n)
            return;
        p->body(p->context, begin, p->n - begin > p->grain ? begin + p->grain : p->n, thread);
    }
}

void cal_team_for(struct cal_team *t, int64_t n, int64_t grain,
                  void (*body)(void *context, int64_t begin, int64_t end, uint32_t thread),
                  void *context)
{
    DCS_ASSERT(n >= 0 && grain >= 1);
    struct pieces p = {.body = body, .context = context, .n = n, .grain = grain};
    cal_team_run(t, take_pieces, &p);
}
