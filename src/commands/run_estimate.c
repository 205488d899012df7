/* run_estimate.c - see run_estimate.h. */
#include "commands/run_estimate.h"

#include "runs/wallclock.h"

struct trial {
    int (*open)(void *context, struct runner_point *p, struct dcs_err *err);
    void *context;
    uint64_t points[ESTIMATE_SAMPLES];
    bool asked[ESTIMATE_SAMPLES];
    double began;
    struct run_watch own;          /* stops the trial, not the program */
    const struct run_watch *users; /* stops both */
    struct estimate out;
};

static int open_sample(void *context, struct runner_point *p, struct dcs_err *err)
{
    struct trial *t = context;
    uint64_t sample = p->index;
    p->index = t->points[sample];
    int result = t->open(t->context, p, err);
    p->index = sample;
    return result;
}

static int want_one(void *context, struct runner_point *p, struct runner_list *list,
                    struct dcs_err *err)
{
    struct trial *t = context;
    (void)err;
    if (!t->asked[p->index])
        runner_list_add(list, 0);
    t->asked[p->index] = true;
    return 0;
}

static int take_time(void *context, struct runner_point *p, struct run *run, struct dcs_err *err)
{
    struct trial *t = context;
    (void)p;
    (void)err;
    t->out.run_s += run->seconds;
    t->out.tried++;
    run_release(run);
    return 0;
}

/* A point that fails takes no time. */
static int end_sample(void *context, struct runner_point *p, enum runner_end how,
                      const struct dcs_err *failure, struct dcs_err *err)
{
    struct trial *t = context;
    (void)err;
    if (how == RUNNER_BROKEN_OFF)
        t->out.longer = true;
    if (how == RUNNER_FAILED)
        t->out.failures[t->out.failures_count++] =
            (struct estimate_failure){t->points[p->index], *failure};
    return 0;
}

static void look(void *context)
{
    struct trial *t = context;
    if (atomic_load(&t->users->stop) || wallclock_s() - t->began > ESTIMATE_SECONDS)
        atomic_store(&t->own.stop, true);
}

struct estimate
run_estimate(uint64_t points, struct run_watch *watch,
             int (*open)(void *context, struct runner_point *p, struct dcs_err *err), void *context)
{
    struct trial t = {.open = open, .context = context, .users = watch, .began = wallclock_s()};
    uint64_t n = points < ESTIMATE_SAMPLES ? points : ESTIMATE_SAMPLES;
    for (uint64_t i = 0; i < n; i++)
        t.points[i] = i * (points - 1) / (n > 1 ? n - 1 : 1);
    const struct runner_calls calls = {.context = &t,
                                       .open = open_sample,
                                       .want = want_one,
                                       .take = take_time,
                                       .end = end_sample,
                                       .tick = look};
    struct dcs_err ignored = {0};
    /* One thread: runs at the same time would slow each other. */
    runner_run(n, 1, &t.own, &calls, &ignored);
    if (t.out.tried > 0)
        t.out.run_s /= (double)t.out.tried;
    return t.out;
}
