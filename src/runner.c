/* runner.c - runs the replications of an experiment on threads; see experiment.h. */
#include "experiment.h"
#include "metrics.h"
#include "wallclock.h"

#include <pthread.h>
#include <stdlib.h>

void run_release(struct run *r)
{
    free(r->metrics);
    free(r->replay);
    cluster_result_release(&r->result);
    *r = (struct run){0};
}

int experiment_run(const struct experiment *x, uint32_t replication, struct experiment_watch *watch,
                   struct run *out, struct dcs_err *err)
{
    *out = (struct run){.replication = replication};
    out->replay = dcs_alloc(x->traces_count + x->models_count + 1, sizeof *out->replay);
    double began = wallclock_s();
    struct dcs_workload workload;
    if (experiment_workload(x, replication, &workload, out->replay, err) != 0) {
        run_release(out);
        return -1;
    }
    struct cluster_spec spec;
    experiment_spec(x, replication, &workload, &spec);
    spec.stop = &watch->stop;
    spec.progress = &watch->requests;
    int failed = cluster_run(&spec, &out->result, err);
    dcs_workload_release(&workload);
    if (failed) {
        run_release(out);
        return -1;
    }
    metrics_compute(x, out);
    out->seconds = wallclock_s() - began;
    return 0;
}

/* Workers take the next replication that is wanted; the caller's thread takes results in order. A
 * worker waits when it is too far ahead, so that finished runs do not pile up. */
#define AHEAD 64

enum slot_state { SLOT_OPEN, SLOT_DONE, SLOT_FAILED };

struct slot {
    struct run run;
    struct dcs_err err;
    enum slot_state state;
};

struct pool {
    const struct experiment *x;
    const uint32_t *todo; /* replications */
    size_t count;
    struct experiment_watch *watch;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct slot *slots; /* AHEAD of them, a ring over todo */
    size_t next;        /* of todo: the next to be started */
    size_t taken;       /* handed on */
    size_t ahead;       /* how many may be under way; few where a run keeps all its requests */
    bool ended;         /* start nothing more */
};

static void *work(void *context)
{
    struct pool *p = context;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->ended && p->next < p->count && p->next >= p->taken + p->ahead)
            pthread_cond_wait(&p->changed, &p->lock);
        /* A short run may not look at `stop` itself. */
        if (atomic_load(&p->watch->stop))
            p->ended = true;
        if (p->ended || p->next >= p->count)
            break;
        size_t mine = p->next++;
        struct slot *slot = &p->slots[mine % AHEAD];
        slot->state = SLOT_OPEN;
        pthread_mutex_unlock(&p->lock);
        struct dcs_err err = {0};
        struct run run;
        int failed = experiment_run(p->x, p->todo[mine], p->watch, &run, &err);
        pthread_mutex_lock(&p->lock);
        slot->run = run;
        slot->err = err;
        slot->state = failed ? SLOT_FAILED : SLOT_DONE;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Takes the runs in order until the end, a failure or an interruption. */
static int take_all(struct pool *p, int (*take)(void *, struct run *, struct dcs_err *),
                    struct dcs_err *err)
{
    int result = 0;
    for (size_t i = 0; i < p->count && result == 0; i++) {
        struct slot *slot = &p->slots[i % AHEAD];
        pthread_mutex_lock(&p->lock);
        while (!(p->next <= i && p->ended) && (p->next <= i || slot->state == SLOT_OPEN)) {
            wallclock_wait(&p->changed, &p->lock, 0.25);
            if (p->watch->tick != NULL)
                p->watch->tick(p->watch->context);
        }
        if (p->next <= i) { /* interrupted: it will not be started */
            pthread_mutex_unlock(&p->lock);
            return 0;
        }
        enum slot_state state = slot->state;
        struct run run = slot->run;
        *err = slot->err;
        slot->run = (struct run){0};
        slot->state = SLOT_OPEN;
        p->taken = i + 1;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->lock);
        if (state == SLOT_FAILED)
            return -1;
        if (run.result.interrupted) {
            run_release(&run); /* others may have ended before the interruption */
            continue;
        }
        result = take(p->watch->context, &run, err);
    }
    return result;
}

int experiment_all(const struct experiment *x, const bool *wanted, uint32_t threads,
                   struct experiment_watch *watch,
                   int (*take)(void *, struct run *, struct dcs_err *), struct dcs_err *err)
{
    uint32_t replications = (uint32_t)x->config->replications;
    uint32_t *todo = dcs_alloc(replications, sizeof *todo);
    struct pool p = {.x = x, .todo = todo, .watch = watch};
    for (uint32_t i = 0; i < replications; i++)
        if (wanted[i])
            todo[p.count++] = i;
    p.ahead = x->config->outputs.requests ? threads + 1u : AHEAD;
    if (p.ahead > AHEAD)
        p.ahead = AHEAD;
    p.slots = dcs_alloc(AHEAD, sizeof *p.slots);
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.changed, NULL);
    if (threads > p.count)
        threads = (uint32_t)p.count;
    pthread_t *workers = dcs_alloc(threads + 1, sizeof *workers);
    uint32_t started = 0;
    while (started < threads && pthread_create(&workers[started], NULL, work, &p) == 0)
        started++;
    int result = 0;
    if (started > 0)
        result = take_all(&p, take, err);
    else if (p.count > 0)
        result = dcs_err_set(err, "no thread could be started");

    if (result != 0)
        atomic_store(&watch->stop, true); /* nobody will take what still runs */
    pthread_mutex_lock(&p.lock);
    p.ended = true;
    pthread_cond_broadcast(&p.changed);
    pthread_mutex_unlock(&p.lock);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    for (size_t i = 0; i < AHEAD; i++)
        run_release(&p.slots[i].run);
    pthread_cond_destroy(&p.changed);
    pthread_mutex_destroy(&p.lock);
    free(workers);
    free(p.slots);
    free(todo);
    return result;
}
