/*
 * measure_revocation.c - what it costs to take the device from a kernel that runs, and who else
 * dies of it (TReM, section III, table II; here on the device at hand).
 *
 * Every process is a child: a trap ends its context. The flag that a victim looks at lies in mapped
 * pinned memory. Rows of `revocation_sample`, one for each time:
 *
 *   mechanism       trap              one thread executes trap
 *                   asm_exit          one thread of each block looks at the flag, the block exits
 *                   asm_exit_threads  every thread looks and exits
 *                   process_kill      the victim's process is killed
 *                   pool              trap, with the next kernel launched at the decision
 *                                     in a process that waits with a context: kill_ns is from the
 *                                     decision until that kernel ran
 *                   context           nothing runs; threads 0, kill_ns 0
 *   threads         of the victim
 *   co_runner       what ran beside it: 'none', 'stream' (the same context, another stream),
 *                   'green' (the same process, another green context), 'mps' (another client of
 *                   one MPS server, and the victim is one too), 'process' (another process
 *                   without MPS)
 *   kill_ns         from the decision until the kernel has stopped: the host of the victim sees it
 *                   (trap, exit); its process is gone, which is after the driver's cleaning
 *                   (process_kill)
 *   start_ns        what the next kernel's start takes longer than on an idle device, from its
 *                   launch until its host sees that it runs, launched when the victim has stopped:
 *                   on the same stream (exit), in a process that waits with a context (others);
 *                   of `context` the first CUDA call of a process
 *   clear_ns        taking the dead context down (trap); a living one (context)
 *   spawn_ns        a new process, from the parent's call until its first kernels have run
 *   co_died         1 if the co-runner ended with an error
 *
 * Times that do not exist are NULL, and 0 in `revocation`, which has the medians of trap, asm_exit
 * and process_kill without a co-runner, as docs/profile.md defines them.
 */
#include "calibrate/worker/crew.h"
#include "calibrate/gpu/victim.h"
#include "calibrate/plan/sort_numbers.h"

#include <stdlib.h>
#include <string.h>

#define SIZES          8
#define SAMPLES        5
#define CO_SAMPLES     3
#define BLOCK          256
#define THREADS_PER_SM 2048
#define VICTIM_NS      (4 * DCS_NS_PER_S)     /* ends by itself then, and the sample has failed */
#define CO_NS          (1500 * DCS_NS_PER_MS) /* longer than a host takes to see a trap */
#define CO_EXIT_NS     (100 * DCS_NS_PER_MS)
#define ORDER_S        30.0
#define GONE_S         20.0
#define NOT_THERE      -1

enum mechanism { TRAP, ASM_EXIT, ASM_EXIT_THREADS, PROCESS_KILL, POOL, CONTEXT, MECHANISMS };

static const struct {
    const char *name;
    enum cal_victim_end end;
    bool summed; /* has rows in `revocation` */
} mechanisms[MECHANISMS] = {
    [TRAP] = {"trap", CAL_VICTIM_TRAPS, true},
    [ASM_EXIT] = {"asm_exit", CAL_VICTIM_BLOCKS_EXIT, true},
    [ASM_EXIT_THREADS] = {"asm_exit_threads", CAL_VICTIM_THREADS_EXIT, false},
    [PROCESS_KILL] = {"process_kill", CAL_VICTIM_RUNS, true},
    [POOL] = {"pool", CAL_VICTIM_TRAPS, false},
    [CONTEXT] = {"context", CAL_VICTIM_RUNS, false},
};

enum co_runner { NONE, STREAM, GREEN, MPS, PROCESS, CO_RUNNERS };
static const char *const co_runners[CO_RUNNERS] = {"none", "stream", "green", "mps", "process"};

/* Of a step, on an H200's host. */
static const double seconds[MECHANISMS][CO_RUNNERS] = {
    [TRAP] = {2.9, 1.7, 1.8, 2.7, 5.5},
    [ASM_EXIT] = {0.2, 0.5, 0.5, 2.5, 0.7},
    [ASM_EXIT_THREADS] = {0.2},
    [PROCESS_KILL] = {0.95, [MPS] = 2.7, [PROCESS] = 5.5},
    [POOL] = {3},
    [CONTEXT] = {1},
};

#define CO_SIZE 6 /* half of the device: a co-runner has room */

/* Threads from one warp to all that the device holds, and in what order they are measured. */
static const int64_t divisors[SIZES] = {0, 2048, 512, 128, 32, 8, 2, 1};
static const int order[SIZES] = {7, 0, 4, 2, 6, 1, 5, 3};

static void dimensions(int sms, int size, int64_t *blocks, int64_t *threads)
{
    int64_t wanted = size == 0 ? 32 : (int64_t)sms * THREADS_PER_SM / divisors[size];
    *threads = wanted < BLOCK ? wanted : BLOCK;
    *blocks = wanted / *threads;
}

/* --- steps --- */

static void add_step(struct cal_steps *steps, enum mechanism m, int size, enum co_runner co)
{
    struct cal_step *step;
    if (co != NONE)
        step = cal_steps_add(steps, &cal_measure_revocation, "revocation/%s/beside_%s",
                             mechanisms[m].name, co_runners[co]);
    else
        step = cal_steps_add(steps, &cal_measure_revocation, "revocation/%s/%d", mechanisms[m].name,
                             size);
    step->size = size;
    step->item[0] = m;
    step->item[1] = co;
    step->seconds = seconds[m][co];
}

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    (void)s;
    for (int i = 0; i < SIZES; i++) {
        for (int m = TRAP; m <= PROCESS_KILL; m++)
            add_step(steps, (enum mechanism)m, order[i], NONE);
        if (i > 0)
            continue;
        add_step(steps, CONTEXT, 0, NONE);
        add_step(steps, POOL, CO_SIZE, NONE);
        for (int co = STREAM; co < CO_RUNNERS; co++) {
            add_step(steps, TRAP, CO_SIZE, (enum co_runner)co);
            add_step(steps, ASM_EXIT, CO_SIZE, (enum co_runner)co);
            /* What runs in the process that is killed dies with it, and need not be tried. */
            if (co == MPS || co == PROCESS)
                add_step(steps, PROCESS_KILL, CO_SIZE, (enum co_runner)co);
        }
    }
}

/* --- a sample --- */

struct scene {
    struct cal_session *session;
    enum mechanism mechanism;
    enum co_runner co_runner;
    int64_t blocks, threads; /* of the victim, threads of a block */
    struct cal_worker *victim, *other;
    struct cal_worker *waiting; /* has a context and nothing to do; the crew's */
    int64_t base_ns;            /* from a launch until it runs, on an idle device */
};

struct sample {
    int64_t kill_ns, start_ns, clear_ns, spawn_ns, co_died;
};

static bool exits(enum mechanism m)
{
    return m == ASM_EXIT || m == ASM_EXIT_THREADS;
}

static int64_t median(int64_t *values, int count)
{
    DCS_ASSERT(count > 0);
    cal_sort_integers(values, (size_t)count);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static int64_t above_base(const struct scene *c, int64_t launch_ns, int64_t runs_ns)
{
    int64_t more = runs_ns - launch_ns - c->base_ns;
    return more > 0 ? more : 0;
}

static int measure_base(struct scene *c, struct cal_worker *w, struct dcs_err *err)
{
    int64_t ns[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        if (cal_worker_call(w, "next", NULL, NULL, 0, ORDER_S, err) != 0)
            return -1;
        ns[i] = w->shared->values[1] - w->shared->values[0];
    }
    c->base_ns = median(ns, SAMPLES);
    return 0;
}

/* The processes of a sample; those that live on from the sample before are kept. */
static int hire(struct scene *c, int64_t *spawn_ns, struct dcs_err *err)
{
    struct cal_session *s = c->session;
    int percent = c->co_runner == MPS ? 100 : 0, sms;
    if (c->co_runner == NONE && !exits(c->mechanism) && c->mechanism != CONTEXT &&
        c->waiting == NULL) {
        c->waiting = cal_crew_client(s, 0, 0, &sms, err);
        if (c->waiting == NULL || measure_base(c, c->waiting, err) != 0)
            return -1;
    }
    if ((c->co_runner == MPS || c->co_runner == PROCESS) && c->other == NULL)
        if ((c->other = cal_crew_hire(s, "the co-runner", percent, 0, err)) == NULL)
            return -1;
    *spawn_ns = NOT_THERE;
    if (c->victim != NULL)
        return 0;
    int first_sms =
        c->co_runner == GREEN ? s->sms / 2 / CAL_PARTITION_STEP * CAL_PARTITION_STEP : 0;
    c->victim = cal_crew_hire(s, "the victim", percent, first_sms, err);
    if (c->victim == NULL)
        return -1;
    if (c->co_runner == NONE && !exits(c->mechanism))
        *spawn_ns = c->victim->shared->values[2] - c->victim->started_ns;
    return exits(c->mechanism) ? measure_base(c, c->victim, err) : 0;
}

/* What is left of a sample that cannot be used for the next. */
static void dismiss(struct scene *c, bool all)
{
    bool keep = !all && exits(c->mechanism) && c->co_runner != MPS;
    if (keep)
        return;
    cal_worker_close(c->victim);
    cal_worker_close(c->other);
    c->victim = c->other = NULL;
    if (c->co_runner == MPS)
        cal_crew_release(); /* a server is in doubt after a client's fault */
}

static int start_victim(struct scene *c, struct dcs_err *err)
{
    int64_t co_ns = exits(c->mechanism) ? CO_EXIT_NS : CO_NS;
    bool inside = c->co_runner == STREAM || c->co_runner == GREEN;
    const int64_t args[] = {mechanisms[c->mechanism].end, c->blocks, c->threads, VICTIM_NS,
                            inside ? co_ns : 0};
    if (c->other != NULL) {
        cal_worker_tell(c->other, "accompany", NULL, &co_ns, 1);
        if (cal_worker_await_ready(c->other, ORDER_S, err) != 0)
            return -1;
    }
    return cal_worker_call(c->victim, "victim", NULL, args, 5, ORDER_S, err);
}

/* The victim's own process ends its kernel. */
static int by_flag(struct scene *c, struct sample *out, struct dcs_err *err)
{
    bool inside = c->co_runner == STREAM || c->co_runner == GREEN;
    const int64_t args[] = {!inside ? 0 : exits(c->mechanism) ? CO_EXIT_NS : CO_NS};
    const struct cal_worker_shared *w = c->victim->shared;
    DCS_ASSERT(c->mechanism != POOL || c->waiting != NULL);
    cal_worker_tell(c->victim, "revoke", NULL, args, 1);
    if (c->mechanism == POOL)
        cal_worker_tell(c->waiting, "next", NULL, NULL, 0);
    int failed = cal_worker_await(c->victim, ORDER_S, err);
    if (c->mechanism == POOL && cal_worker_await(c->waiting, ORDER_S, err) != 0)
        failed = -1;
    if (failed)
        return -1;
    bool died = w->values[2] != 0;
    if (died == exits(c->mechanism))
        return dcs_err_set(err, "%s ended the kernel with: %s", mechanisms[c->mechanism].name,
                           w->answer);
    out->kill_ns = w->values[1] - w->values[0];
    if (c->mechanism == POOL)
        out->kill_ns = c->waiting->shared->values[1] - w->values[0];
    if (died && c->mechanism == TRAP)
        out->clear_ns = w->values[6];
    if (!died)
        out->start_ns = above_base(c, w->values[3], w->values[4]);
    if (inside)
        out->co_died = w->values[5] != 0;
    return 0;
}

static int by_kill(struct scene *c, struct sample *out, struct dcs_err *err)
{
    out->kill_ns = cal_worker_kill(c->victim, GONE_S);
    return out->kill_ns >= 0 ? 0
                             : dcs_err_set(err,
                                           "the victim's process is not gone %.0f s after it "
                                           "was killed",
                                           GONE_S);
}

static int ask_co_runner(struct scene *c, struct sample *out, struct dcs_err *err)
{
    int64_t began = cal_now_ns();
    struct dcs_err why = {0};
    bool failed = cal_worker_await(c->other, ORDER_S, &why) != 0;
    if (failed && (double)(cal_now_ns() - began) >= ORDER_S * 1e9)
        return dcs_err_set(err, "%s", why.text);
    out->co_died = failed || c->other->shared->values[0] != 0;
    return 0;
}

static int take_sample(struct scene *c, struct sample *out, struct dcs_err *err)
{
    *out = (struct sample){NOT_THERE, NOT_THERE, NOT_THERE, NOT_THERE, NOT_THERE};
    if (hire(c, &out->spawn_ns, err) != 0)
        return -1;
    if (c->mechanism == CONTEXT) {
        out->kill_ns = 0;
        out->start_ns = c->victim->shared->values[1];
        if (cal_worker_call(c->victim, "reset", NULL, NULL, 0, ORDER_S, err) != 0)
            return -1;
        out->clear_ns = c->victim->shared->values[0];
        return 0;
    }
    if (start_victim(c, err) != 0 ||
        (c->mechanism == PROCESS_KILL ? by_kill(c, out, err) : by_flag(c, out, err)) != 0)
        return -1;
    if (c->other != NULL)
        return ask_co_runner(c, out, err);
    if (c->co_runner != NONE) {
        out->start_ns = out->clear_ns = NOT_THERE;
        return 0;
    }
    if (c->mechanism == TRAP || c->mechanism == PROCESS_KILL) {
        const struct cal_worker_shared *w = c->waiting->shared;
        if (cal_worker_call(c->waiting, "next", NULL, NULL, 0, ORDER_S, err) != 0)
            return -1;
        out->start_ns = above_base(c, w->values[0], w->values[1]);
    }
    return 0;
}

/* --- storing --- */

static int64_t median_of(const struct sample *samples, int count, size_t member)
{
    int64_t values[SAMPLES];
    for (int i = 0; i < count; i++) {
        memcpy(&values[i], (const char *)&samples[i] + member, sizeof values[i]);
        values[i] = values[i] > 0 ? values[i] : 0;
    }
    return median(values, count);
}

static int store(const struct scene *c, const struct sample *samples, int count,
                 struct dcs_err *err)
{
    struct cal_store *s = c->session->store;
    const char *name = mechanisms[c->mechanism].name;
    int64_t threads = c->mechanism == CONTEXT ? 0 : c->blocks * c->threads;
    for (int i = 0; i < count; i++)
        if (cal_store_execute(s, err,
                              "INSERT OR REPLACE INTO revocation_sample VALUES (?, ?, ?, ?, ?,"
                              " nullif(?, -1), nullif(?, -1), nullif(?, -1), nullif(?, -1))",
                              "titiiiiii", name, threads, co_runners[c->co_runner], (int64_t)i,
                              samples[i].kill_ns, samples[i].start_ns, samples[i].clear_ns,
                              samples[i].spawn_ns, samples[i].co_died) != 0)
            return -1;
    if (!mechanisms[c->mechanism].summed || c->co_runner != NONE)
        return 0;
    char source[96];
    snprintf(source, sizeof source, "measured: revocation_sample, medians of %d", count);
    if (cal_store_execute(s, err, "DELETE FROM revocation WHERE mechanism = ? AND threads = ?",
                          "ti", name, threads) != 0)
        return -1;
    return cal_store_put(s, err, "revocation", "tiiiiit", name, threads,
                         median_of(samples, count, offsetof(struct sample, kill_ns)),
                         median_of(samples, count, offsetof(struct sample, start_ns)),
                         median_of(samples, count, offsetof(struct sample, clear_ns)),
                         median_of(samples, count, offsetof(struct sample, spawn_ns)), source);
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct scene c = {.session = s,
                      .mechanism = (enum mechanism)step->item[0],
                      .co_runner = (enum co_runner)step->item[1]};
    struct sample samples[SAMPLES];
    int count = c.co_runner == NONE ? SAMPLES : CO_SAMPLES;
    dimensions(s->sms, (int)step->size, &c.blocks, &c.threads);
    int failed = cal_gpu_wake(s->gpu, err);
    for (int i = 0; i < count && !failed; i++) {
        failed = take_sample(&c, &samples[i], err);
        dismiss(&c, i + 1 == count || failed || samples[i].co_died == 1);
    }
    if (!failed)
        failed = store(&c, samples, count, err);
    return cal_crew_end_step(s, step, failed);
}

const struct cal_measure cal_measure_revocation = {
    .name = "revocation",
    .help = "taking the device from a kernel: trap, exit, kill; and who dies with it",
    .plan = plan,
    .run = run_step,
};
