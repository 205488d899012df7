/* split_measure.c - see split_measure.h. */
#include "calibrate/split/split_measure.h"

#include "calibrate/split/split_host.h"

#include <stdlib.h>
#include <string.h>

#define PAPER      "Wang, thesis, table 4-2"
#define LONG_NS    1000000000 /* a request that takes longer has few turns: */
#define LONG_TURNS 3
#define WHOLE_MIN  3           /* requests on the GPU alone */
#define WHOLE_MAX  25          /* likewise */
#define ROUND      "/%d-of-%d" /* ends the key of a step, if there are several rounds */

enum what { ON_GPU, ON_CPU, BESIDE };

/* --- plans --- */

static void add_chunks(struct cal_steps *steps, const struct cal_split_program *p, int64_t size,
                       enum what what, uint32_t threads)
{
    static const char *const names[] = {[ON_GPU] = "gpu", [ON_CPU] = "cpu", [BESIDE] = "beside"};
    char last[16] = "";
    if (what != ON_GPU)
        snprintf(last, sizeof last, "/%u", threads);
    struct cal_step *step = cal_steps_add(steps, &cal_split_chunks, "split/%s/%lld/%s%s", p->name,
                                          (long long)size, names[what], last);
    step->app_name = p->name;
    step->size = size;
    step->seconds = 1;
    step->item[0] = threads;
    step->item[1] = what;
}

static void plan_chunks(const struct cal_session *s, struct cal_steps *steps)
{
    for (int size = 0; size < CAL_SPLIT_SIZES; size++)
        for (int i = 0; i < CAL_SPLIT_PROGRAMS; i++) {
            const struct cal_split_program *p = cal_split_programs[i];
            add_chunks(steps, p, p->sizes[size], ON_GPU, 0);
            for (size_t t = 0; t < s->split->threads_count; t++)
                add_chunks(steps, p, p->sizes[size], ON_CPU, s->split->threads[t]);
            for (size_t t = 0; t < s->split->threads_count; t++)
                add_chunks(steps, p, p->sizes[size], BESIDE, s->split->threads[t]);
        }
}

/* What a policy is called in split_run: "cap probe=0.1", with what it was set to. */
static void name_policy(const struct cal_split_session *x, size_t k, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", x->policies[k]->name, x->set != NULL ? " " : "",
             x->set != NULL ? x->set : "");
}

/* "cap+split-even probe=0.1": all of them. */
static void name_policies(const struct cal_split_session *x, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < x->policies_count && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? "+" : "",
                                 x->policies[k]->name);
    if (x->set != NULL && used < size)
        snprintf(text + used, size - used, " %s", x->set);
}

static void plan_requests(const struct cal_session *s, struct cal_steps *steps)
{
    const struct cal_split_session *x = s->split;
    char names[CAL_KEY_BYTES - 64];
    name_policies(x, names, sizeof names);
    for (int round = 0; round < x->rounds; round++)
        for (int size = 0; size < CAL_SPLIT_SIZES; size++)
            for (int i = 0; i < CAL_SPLIT_PROGRAMS; i++)
                for (size_t t = 0; t < x->threads_count; t++) {
                    const struct cal_split_program *p = cal_split_programs[i];
                    char last[32] = "";
                    if (x->rounds > 1)
                        snprintf(last, sizeof last, ROUND, round, x->rounds);
                    struct cal_step *step = cal_steps_add(
                        steps, &cal_split_requests, "split-run/%s/%lld/%u/%s%s", p->name,
                        (long long)p->sizes[size], x->threads[t], names, last);
                    step->app_name = p->name;
                    step->size = p->sizes[size];
                    step->seconds = 0.1 * x->turns * (double)x->policies_count;
                    step->item[0] = x->threads[t];
                    step->item[1] = round;
                }
}

/* --- chunks --- */

struct at {
    struct cal_split_session *split;
    struct cal_store *store;
    const struct cal_step *step;
    struct cal_split_bench *bench;
    struct dcs_err *err;
};

static int time_chunks(const struct at *a, enum cal_split_side side, bool beside)
{
    int64_t sizes[CAL_SPLIT_CHUNKS_MAX], n = a->bench->problem.iterations;
    size_t count = cal_split_chunk_sizes(&a->bench->problem, sizes);
    for (size_t i = 0; i < count; i++) {
        struct cal_split_timed t;
        if (beside && sizes[i] > n / 2)
            continue;
        if (cal_split_time_chunk(a->bench, side, sizes[i], beside, &t, a->err) != 0 ||
            cal_store_put(a->store, a->err, "split_time", "titiiiiii", a->step->app_name, n,
                          side == CAL_SPLIT_CPU ? "cpu" : "gpu", a->step->item[0], (int64_t)beside,
                          sizes[i], t.median_ns, t.p95_ns, t.n) != 0)
            return -1;
    }
    return 0;
}

static int64_t device_bytes(const struct cal_split *s)
{
    size_t floats = s->constant.count + s->varying.count + s->in.count + s->out.count;
    return (int64_t)(floats * sizeof(float) +
                     (s->sums ? CAL_SPLIT_DEVICE_SUMS * sizeof(double) : 0));
}

/* What a profile has of any application: a request, on the GPU alone, is one kernel. */
static int put_request(const struct at *a, const struct cal_statistics *whole)
{
    const struct cal_split_program *p = a->bench->problem.program;
    const char *name = p->name;
    int64_t size = a->step->size, sms = a->split->sms;
    if (cal_store_put(a->store, a->err, "request_kernel", "tiitt", name, size, (int64_t)0,
                      "request", "request") != 0 ||
        cal_store_put(a->store, a->err, "kernel_shape", "titttinnnnnnnni", name, size, "request",
                      "compute", "cuda", (int64_t)p->passes, (int64_t)0) != 0)
        return -1;
    return cal_store_put(a->store, a->err, "request_solo", "titis", name, size, "whole", sms,
                         whole) != 0 ||
                   cal_store_put(a->store, a->err, "kernel_solo", "tittis", name, size, "request",
                                 "whole", sms, whole) != 0
               ? -1
               : 0;
}

static int put_application(const struct at *a)
{
    const struct cal_split_program *p = a->bench->problem.program;
    int64_t least = p->sizes[0], most = p->sizes[0];
    for (int i = 1; i < CAL_SPLIT_SIZES; i++) {
        least = p->sizes[i] < least ? p->sizes[i] : least;
        most = p->sizes[i] > most ? p->sizes[i] : most;
    }
    if (a->step->size != p->sizes[0])
        return 0;
    return cal_store_put(a->store, a->err, "application", "ttnit", p->name, "batch",
                         device_bytes(&a->bench->problem), a->split->source) != 0 ||
                   cal_store_put(a->store, a->err, "subject", "ttttiii", p->name, PAPER,
                                 p->algorithm, p->unit, least, most, p->sizes[0]) != 0
               ? -1
               : 0;
}

/* Requests on the GPU alone. */
static int time_whole(const struct at *a)
{
    const struct cal_split *s = &a->bench->problem;
    struct cal_samples total = {0}, between = {0};
    struct cal_statistics whole, pass;
    int64_t spent_ns = 0;
    int failed = 0;
    for (int i = -1; !failed && (i < WHOLE_MIN ||
                                 (i < WHOLE_MAX && (double)spent_ns < a->bench->seconds * 4e9));
         i++) {
        int64_t total_ns, between_ns;
        failed = cal_split_run_alone(a->bench, CAL_SPLIT_GPU, &total_ns, &between_ns, a->err);
        if (failed || i < 0)
            continue;
        cal_samples_add(&total, total_ns, 0, false);
        cal_samples_add(&between, between_ns / s->program->passes, 0, false);
        spent_ns += total_ns;
    }
    failed =
        failed || cal_samples_statistics(&total, CAL_STOP_COUNT, "unknown", &whole, a->err) != 0 ||
        cal_samples_statistics(&between, CAL_STOP_COUNT, "unknown", &pass, a->err) != 0 ||
        put_application(a) != 0 || put_request(a, &whole) != 0 ||
        cal_store_put(a->store, a->err, "split_program", "titiirrit", s->program->name,
                      s->iterations, s->program->what, (int64_t)s->program->passes,
                      s->program->chunk_min,
                      (double)(s->in_row * sizeof(float)) / (double)s->in_share,
                      (double)(s->out_each * sizeof(float)), pass.median_ns, a->split->source) != 0;
    cal_samples_release(&total);
    cal_samples_release(&between);
    return failed ? -1 : 0;
}

static int run_chunks(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct cal_split_session *x = s->split;
    const struct at a = {x, s->store, step, &x->bench, err};
    uint32_t threads = step->item[0] > 0 ? (uint32_t)step->item[0] : x->bench.cores;
    if (cal_split_load(&x->bench, cal_split_find(step->app_name), step->size, threads, err) != 0)
        return -1;
    switch ((enum what)step->item[1]) {
    case ON_GPU:
        return time_whole(&a) != 0 || time_chunks(&a, CAL_SPLIT_GPU, false) != 0 ? -1 : 0;
    case ON_CPU:
        return time_chunks(&a, CAL_SPLIT_CPU, false);
    default:
        return time_chunks(&a, CAL_SPLIT_CPU, true) != 0 ||
                       time_chunks(&a, CAL_SPLIT_GPU, true) != 0
                   ? -1
                   : 0;
    }
}

/* --- requests --- */

/* Of one policy. */
struct turns {
    struct cal_split_run *runs;
    int64_t count;
    bool is_long;
};

/* One request; the first of each policy warms up, unless it is long. */
static int take_turn(const struct at *a, size_t k, int turn, struct turns *of)
{
    struct cal_split_session *x = a->split;
    struct cal_split_run r;
    if (of->count == (of->is_long && x->turns > LONG_TURNS ? LONG_TURNS : x->turns))
        return 0;
    if (cal_split_run_policy(x->bench.sides, &x->bench.problem, x->policies[k], x->options[k],
                             (uint32_t)a->step->item[0], x->sms, &r, a->err) != 0)
        return -1;
    of->is_long = of->is_long || r.time_ns > LONG_NS;
    if (turn >= 0 || of->is_long)
        of->runs[of->count++] = r;
    return turn < 0 ? cal_split_compare(&x->bench, x->policies[k]->name, a->err) : 0;
}

static int put_turns(const struct at *a, size_t k, const struct turns *of)
{
    struct cal_split_session *x = a->split;
    char name[CAL_KEY_BYTES];
    name_policy(x, k, name, sizeof name);
    for (int64_t i = 0; i < of->count; i++) {
        const struct cal_split_run *r = &of->runs[i];
        if (cal_store_put(a->store, a->err, "split_run", "tiitiiiiii", a->step->app_name,
                          x->bench.problem.iterations, a->step->item[0], name,
                          i * x->rounds + a->step->item[1], r->time_ns, r->steps, r->gpu_iterations,
                          r->busy_ns[CAL_SPLIT_CPU], r->busy_ns[CAL_SPLIT_GPU]) != 0)
            return -1;
    }
    return 0;
}

/* The policies take turns, every other time in the opposite order, so that what changes meanwhile
 * meets all of them. Nothing is written before the last has ended. */
static int run_requests(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct cal_split_session *x = s->split;
    const struct at a = {x, s->store, step, &x->bench, err};
    size_t n = x->policies_count;
    if (cal_split_load(&x->bench, cal_split_find(step->app_name), step->size,
                       (uint32_t)step->item[0], err) != 0)
        return -1;
    struct turns turns[CAL_SPLIT_LIST_MAX] = {0};
    struct cal_split_run *runs = dcs_alloc(n * (size_t)x->turns, sizeof *runs);
    int failed = 0;
    for (size_t k = 0; k < n; k++)
        turns[k].runs = &runs[k * (size_t)x->turns];
    for (int turn = -1; turn < x->turns && !failed; turn++)
        for (size_t i = 0; i < n && !failed; i++) {
            size_t k = turn % 2 != 0 ? n - 1 - i : i;
            failed = take_turn(&a, k, turn, &turns[k]);
        }
    for (size_t k = 0; k < n && !failed; k++)
        failed = put_turns(&a, k, &turns[k]);
    if (!failed)
        failed = cal_split_compare(&x->bench, "divided by a policy", err);
    free(runs);
    return failed;
}

/* Another round of the same steps is done: what split_run has is theirs. */
static bool is_begun(const struct cal_session *s, const struct cal_step *step)
{
    int rounds = s->split->rounds;
    for (int round = 0; round < rounds && rounds > 1; round++) {
        char key[CAL_KEY_BYTES + 32];
        int before = (int)(strrchr(step->key, '/') - step->key);
        snprintf(key, sizeof key, "%.*s" ROUND, before, step->key, round, rounds);
        if (cal_store_step(s->store, key) == CAL_STEP_DONE)
            return true;
    }
    return false;
}

static int refuse_repeated(const struct cal_session *s, const struct cal_step *step,
                           struct dcs_err *err)
{
    struct cal_split problem = {.program = cal_split_find(step->app_name), .n = step->size};
    char name[CAL_KEY_BYTES];
    double any;
    problem.program->shape(&problem);
    for (size_t k = 0; k < s->split->policies_count; k++) {
        name_policy(s->split, k, name, sizeof name);
        if (cal_store_get(s->store, &any,
                          "SELECT 1 FROM split_run WHERE program = ? AND iterations = ?"
                          " AND threads = ? AND policy = ?",
                          "tiit", step->app_name, problem.iterations, step->item[0], name))
            return dcs_err_at(err, s->output, 0, "split_run",
                              "has turns of %s by %s with another list of policies or number of "
                              "rounds, and would lose them: repeat that --run and --rounds, or "
                              "name another file with --output",
                              step->app_name, name);
    }
    return 0;
}

int cal_split_refuse_repeated(const struct cal_session *s, const struct cal_steps *steps,
                              struct dcs_err *err)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct cal_step *step = &steps->steps[i];
        if (step->measure == &cal_split_requests &&
            cal_store_step(s->store, step->key) != CAL_STEP_DONE && !is_begun(s, step) &&
            refuse_repeated(s, step, err) != 0)
            return -1;
    }
    return 0;
}

const struct cal_measure cal_split_chunks = {
    .name = "split",
    .help = "chunks of divisible applications on the CPU and on the GPU",
    .plan = plan_chunks,
    .run = run_chunks,
    .apart = true,
};

const struct cal_measure cal_split_requests = {
    .name = "split-run",
    .help = "requests that a policy divides over the CPU and the GPU",
    .plan = plan_requests,
    .run = run_requests,
    .apart = true,
};
