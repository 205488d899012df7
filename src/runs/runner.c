/*
 * runner.c - see runner.h.
 *
 * A pool holds some points at a time, each in a slot. A worker takes the first thing to do that it
 * finds, earlier points first: to open a point, or to run the next replication of one. The calling
 * thread does the rest for every slot in turn: asks what an opened point wants, takes runs, ends
 * points and gives their slots to the next ones. A worker waits when a point's runs are too far
 * ahead of the one that is to be taken next, so that finished runs do not pile up.
 */
#include "runs/runner.h"

#include "runs/wallclock.h"

#include <pthread.h>
#include <stdlib.h>

/* Runs of a point that may have ended and not be taken. */
#define AHEAD 64

enum slot_state {
    SLOT_FREE,
    SLOT_NEW,     /* to be opened */
    SLOT_OPENING, /* a worker is at it */
    SLOT_OPENED,  /* to be asked what it wants */
    SLOT_RUNNING,
    SLOT_CLOSING, /* nothing more is started; ends when nothing of it is under way */
};

struct result {
    enum { RESULT_NONE, RESULT_DONE, RESULT_FAILED } state;
    struct run run;
    struct dcs_err *err; /* of a failed one */
};

struct slot {
    enum slot_state state;
    struct runner_point point;
    struct runner_list todo;
    size_t next;            /* of todo: the next to be started */
    size_t taken;           /* of todo: the next to be taken */
    size_t ahead;           /* how many may be started and not taken */
    size_t under_way;       /* runs that workers are at */
    bool interrupted;       /* a run of it was broken off: it cannot be complete */
    bool complete;          /* asked, and wants nothing more */
    struct result *results; /* a ring of AHEAD over todo; made when needed */
    struct dcs_err *failure;
};

struct pool {
    const struct runner_calls *calls;
    struct run_watch *watch;
    uint32_t threads;
    uint64_t points, next_point;
    pthread_mutex_t lock; /* over all that follows, and all slots */
    pthread_cond_t changed;
    struct slot *slots;
    size_t slots_count;
    uint64_t busy; /* slots that are not free */
    bool stopped;  /* start nothing more */
    bool fatal;    /* and take nothing more: a call has failed */
};

void runner_list_add(struct runner_list *list, uint32_t replication)
{
    list->items = dcs_grow(list->items, &list->capacity, list->count + 1, sizeof list->items[0]);
    list->items[list->count++] = replication;
}

static struct dcs_err *keep_error(const struct dcs_err *err)
{
    struct dcs_err *kept = dcs_alloc(1, sizeof *kept);
    *kept = *err;
    return kept;
}

/* ---- Workers ---- */

/* Called with the lock held, and returns so. */
static void open_point(struct pool *p, struct slot *s)
{
    struct dcs_err err = {0};
    s->state = SLOT_OPENING;
    pthread_mutex_unlock(&p->lock);
    int failed = p->calls->open(p->calls->context, &s->point, &err);
    pthread_mutex_lock(&p->lock);
    s->state = failed ? SLOT_CLOSING : SLOT_OPENED;
    if (failed)
        s->failure = keep_error(&err);
}

/* Where there are fewer runs than threads, a run may use several. */
static uint32_t threads_of_run(const struct pool *p, const struct slot *s)
{
    uint64_t runs = p->points < p->threads ? p->points * s->todo.count : p->points;
    return runs < p->threads ? (uint32_t)(p->threads / runs) : 1;
}

static void run_replication(struct pool *p, struct slot *s)
{
    struct dcs_err err = {0};
    struct run run;
    uint32_t threads = threads_of_run(p, s);
    size_t mine = s->next++;
    uint32_t replication = s->todo.items[mine];
    s->under_way++;
    pthread_mutex_unlock(&p->lock);
    int failed = replication_run(&s->point.experiment, replication, threads, p->watch, &run, &err);
    pthread_mutex_lock(&p->lock);
    s->results[mine % AHEAD] = (struct result){.state = failed ? RESULT_FAILED : RESULT_DONE,
                                               .run = run,
                                               .err = failed ? keep_error(&err) : NULL};
    s->under_way--;
}

static bool can_run(const struct slot *s)
{
    return s->state == SLOT_RUNNING && s->next < s->todo.count && s->next < s->taken + s->ahead;
}

/* The slot of the earliest point that has work for a worker. */
static struct slot *find_work(const struct pool *p)
{
    struct slot *best = NULL;
    for (size_t i = 0; i < p->slots_count; i++) {
        struct slot *s = &p->slots[i];
        if ((s->state == SLOT_NEW || can_run(s)) &&
            (best == NULL || s->point.index < best->point.index))
            best = s;
    }
    return best;
}

static void *work(void *context)
{
    struct pool *p = context;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        /* A short run may not look at `stop` itself. */
        if (atomic_load(&p->watch->stop))
            p->stopped = true;
        if (p->stopped || (p->busy == 0 && p->next_point == p->points))
            break;
        struct slot *s = find_work(p);
        if (s == NULL) {
            pthread_cond_wait(&p->changed, &p->lock);
            continue;
        }
        if (s->state == SLOT_NEW)
            open_point(p, s);
        else
            run_replication(p, s);
        pthread_cond_broadcast(&p->changed);
    }
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---- The calling thread; the lock is held except inside calls ---- */

static void fill_slots(struct pool *p)
{
    for (size_t i = 0; i < p->slots_count && p->next_point < p->points && !p->stopped; i++) {
        struct slot *s = &p->slots[i];
        if (s->state != SLOT_FREE)
            continue;
        s->point = (struct runner_point){.index = p->next_point++};
        s->state = SLOT_NEW;
        p->busy++;
        pthread_cond_broadcast(&p->changed);
    }
}

static void failed_call(struct pool *p, const struct dcs_err *cause, struct dcs_err *err)
{
    if (!p->fatal)
        *err = *cause;
    p->fatal = p->stopped = true;
    atomic_store(&p->watch->stop, true); /* nobody will take what still runs */
}

/* Asks what the point wants next. */
static void ask_point(struct pool *p, struct slot *s, struct dcs_err *err)
{
    struct runner_list list = {0};
    struct dcs_err cause = {0};
    pthread_mutex_unlock(&p->lock);
    int failed = p->calls->want(p->calls->context, &s->point, &list, &cause);
    pthread_mutex_lock(&p->lock);
    free(s->todo.items);
    s->todo = list;
    s->next = s->taken = 0;
    /* A run that keeps rows takes much of the disk: of all points together hardly more runs may
     * wait than there are threads. */
    const struct config_outputs *o = &s->point.config.outputs;
    size_t live = p->points < p->slots_count ? (size_t)p->points : p->slots_count;
    size_t few = (p->threads + live) / live;
    s->ahead = (o->requests || o->decisions || o->launches) && few < AHEAD ? few : AHEAD;
    if (s->results == NULL)
        s->results = dcs_alloc(AHEAD, sizeof s->results[0]);
    s->complete = !failed && list.count == 0;
    s->state = failed || s->complete ? SLOT_CLOSING : SLOT_RUNNING;
    if (failed)
        failed_call(p, &cause, err);
    pthread_cond_broadcast(&p->changed);
}

/* Takes one run, if the next one in order has ended. */
static bool take_run(struct pool *p, struct slot *s, struct dcs_err *err)
{
    struct result *r = &s->results[s->taken % AHEAD];
    if (p->fatal || s->taken == s->todo.count || r->state == RESULT_NONE)
        return false;
    struct result got = *r;
    *r = (struct result){0};
    s->taken++;
    pthread_cond_broadcast(&p->changed);
    if (got.state == RESULT_FAILED) {
        s->failure = got.err;
        s->state = SLOT_CLOSING;
        return true;
    }
    if (got.run.result.interrupted) {
        run_release(&got.run); /* others may have ended before the interruption */
        s->interrupted = true;
        return true;
    }
    struct dcs_err cause = {0};
    pthread_mutex_unlock(&p->lock);
    int failed = p->calls->take(p->calls->context, &s->point, &got.run, &cause);
    pthread_mutex_lock(&p->lock);
    if (failed)
        failed_call(p, &cause, err);
    return true;
}

static void release(struct slot *s)
{
    for (size_t i = 0; s->results != NULL && i < AHEAD; i++) {
        run_release(&s->results[i].run);
        free(s->results[i].err);
    }
    if (s->point.doc != NULL) {
        experiment_close(&s->point.experiment);
        config_release(&s->point.config);
        options_doc_free(s->point.doc);
    }
    free(s->results);
    free(s->todo.items);
    free(s->failure);
    *s = (struct slot){.state = SLOT_FREE};
}

static void end_point(struct pool *p, struct slot *s, struct dcs_err *err)
{
    enum runner_end how = s->failure != NULL ? RUNNER_FAILED
                          : s->complete      ? RUNNER_DONE
                                             : RUNNER_BROKEN_OFF;
    struct dcs_err cause = {0};
    /* No worker is at it, and none looks at a slot that closes. */
    pthread_mutex_unlock(&p->lock);
    int failed = p->calls->end(p->calls->context, &s->point, how, s->failure, &cause);
    pthread_mutex_lock(&p->lock);
    release(s);
    p->busy--;
    if (failed)
        failed_call(p, &cause, err);
    pthread_cond_broadcast(&p->changed);
}

/* What can be done for a slot now; false if nothing. */
static bool advance(struct pool *p, struct slot *s, struct dcs_err *err)
{
    switch (s->state) {
    case SLOT_NEW:
        if (!p->stopped)
            return false;
        release(s);
        p->busy--;
        return true;
    case SLOT_OPENED:
        if (p->stopped)
            s->state = SLOT_CLOSING;
        else
            ask_point(p, s, err);
        return true;
    case SLOT_RUNNING:
        if (take_run(p, s, err))
            return true;
        if (!p->fatal && !s->interrupted && s->taken == s->todo.count)
            ask_point(p, s, err); /* even after a stop: it may be complete */
        else if (p->stopped && s->under_way == 0)
            s->state = SLOT_CLOSING;
        else
            return false;
        return true;
    case SLOT_CLOSING:
        if (s->under_way > 0)
            return false;
        end_point(p, s, err);
        return true;
    case SLOT_FREE:
    case SLOT_OPENING:
        break;
    }
    return false;
}

/* Until every point has ended, or what is under way after a stop. */
static void supervise(struct pool *p, struct dcs_err *err)
{
    pthread_mutex_lock(&p->lock);
    for (;;) {
        if (atomic_load(&p->watch->stop) && !p->stopped) {
            p->stopped = true;
            pthread_cond_broadcast(&p->changed);
        }
        fill_slots(p);
        bool moved = false;
        for (size_t i = 0; i < p->slots_count; i++)
            moved |= advance(p, &p->slots[i], err);
        if (p->busy == 0 && (p->stopped || p->next_point == p->points))
            break;
        if (moved)
            continue;
        wallclock_wait(&p->changed, &p->lock, 0.25);
        if (p->calls->tick != NULL) {
            pthread_mutex_unlock(&p->lock);
            p->calls->tick(p->calls->context);
            pthread_mutex_lock(&p->lock);
        }
    }
    p->stopped = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

int runner_run(uint64_t points, uint32_t threads, struct run_watch *watch,
               const struct runner_calls *calls, struct dcs_err *err)
{
    struct pool p = {.calls = calls, .watch = watch, .threads = threads, .points = points};
    /* Enough that workers find something while points wait for the calling thread. */
    p.slots_count = points < 2 * (uint64_t)threads + 1 ? (size_t)points : 2 * (size_t)threads + 1;
    p.slots = dcs_alloc(p.slots_count + 1, sizeof *p.slots);
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.changed, NULL);
    pthread_t *workers = dcs_alloc(threads, sizeof *workers);
    uint32_t started = 0;
    while (started < threads && pthread_create(&workers[started], NULL, work, &p) == 0)
        started++;
    if (started > 0)
        supervise(&p, err);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    pthread_cond_destroy(&p.changed);
    pthread_mutex_destroy(&p.lock);
    free(workers);
    free(p.slots);
    if (started == 0)
        return dcs_err_set(err, "no thread could be started");
    return p.fatal ? -1 : 0;
}
