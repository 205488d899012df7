/*
 * divided.c - requests that are divided over a CPU and a GPU (calibrate/split/), on the CPU.
 *
 * Pins: each program gives the same results with any number of threads, on the GPU and on both at
 * once, cut at odd places; a program whose sides differ is refused before anything is timed; what
 * a policy may not do ends the run with a line that says what; every policy of the table that
 * divides work does so, to the same results; options out of range are refused; a walk over a part
 * of a pass leaves no place out and stays in it; a GPU that fails while it presses or is measured
 * ends that measurement, and the next one goes on; measurements fill their tables, requests turn by
 * turn and round by round; what would replace turns is refused, and the next round is not; a
 * profile of them alone is printed. Does not pin: times.
 */
#include "calibrate/split/split_bench.h"
#include "calibrate/split/split_host.h"
#include "calibrate/split/split_measure.h"
#include "des/base.h"
#include "policies/policies.h"
#include "tests/cuda_cpu/emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SMS 2

static int failed;

#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("FAIL: %s:%d: ", __FILE__, __LINE__);                                           \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
            failed = 1;                                                                            \
        }                                                                                          \
    } while (0)

/* --- policies of this test: what they do with a request is in `mode` --- */

enum mode { HALVES, TOO_SMALL, TOO_MANY, BUSY, NOTHING, TIMED } mode;

static void divide(void *state, struct host *h, req_id r)
{
    struct host_division d;
    int *calls = state;
    EXPECT(host_division(h, r, &d), "no division");
    if (d.left == 0 || d.chunks > 0)
        return;
    uint64_t half = d.left / 2 > d.chunk_min ? d.left / 2 : d.left;
    switch (mode) {
    case HALVES:
        if (half < d.left) /* the last of a pass goes to one of the two */
            host_launch_chunk(h, r, 1, half / 2 > d.chunk_min ? half / 2 : half);
        EXPECT(host_division(h, r, &d), "no division");
        host_launch_chunk(h, r, 0, half < d.left ? half : d.left);
        break;
    case TOO_SMALL:
        host_launch_chunk(h, r, 0, d.chunk_min - 1);
        break;
    case TOO_MANY:
        host_launch_chunk(h, r, 0, d.left + 1);
        break;
    case BUSY:
        host_launch_chunk(h, r, 1, half);
        host_launch_chunk(h, r, 1, half);
        break;
    case TIMED:
        if ((*calls)++ == 0)
            host_timer(h, host_now(h) + 1000, 7);
        else
            host_launch(h, r, 0, (struct host_allotment){.mechanism = HOST_WHOLE});
        break;
    case NOTHING:
        break;
    }
}

static void after_chunk(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    struct host_chunk c = {0};
    struct host_request q;
    EXPECT(host_ended_chunk(h, r, d, &c) && c.iterations > 0 && c.took_ns > 0, "no chunk");
    EXPECT(host_request(h, r, &q) && (q.state == HOST_ENDED) == done, "the state is another");
    if (!done)
        divide(state, h, r);
}

static void after_timer(void *state, struct host *h, uint64_t cookie)
{
    EXPECT(cookie == 7, "another timer");
    divide(state, h, 1);
}

static const struct policy own = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "own",
    .needs = HOST_NEEDS_CHUNKS,
    .state_size = sizeof(int),
    .on_ready = divide,
    .on_complete = after_chunk,
    .on_timer = after_timer,
};

static void run_one(struct cal_split_bench *b, enum mode m, const char *expected)
{
    struct cal_split_run run = {0};
    struct dcs_err err = {0};
    mode = m;
    int status = cal_split_run_policy(b->sides, &b->problem, &own, "", 3, SMS, &run, &err);
    if (expected == NULL) {
        EXPECT(status == 0, "%s: %s", b->problem.program->name, err.text);
        EXPECT(cal_split_compare(b, "divided", &err) == 0, "%s", err.text);
        EXPECT(run.time_ns > 0 && run.steps >= b->problem.program->passes, "nothing was timed");
    } else {
        EXPECT(status == -1 && strstr(err.text, expected) != NULL, "mode %d: \"%s\", not \"%s\"", m,
               err.text, expected);
    }
}

/* --- the program's own --- */

static void check_program(struct cal_split_bench *b, const struct cal_split_program *p)
{
    static const uint32_t threads[] = {3, 1};
    int64_t sizes[CAL_SPLIT_CHUNKS_MAX];
    struct cal_split_timed t = {0};
    struct dcs_err err = {0};
    for (int i = 0; i < 2; i++) {
        if (cal_split_load(b, p, p->size_check, threads[i], &err) != 0) {
            EXPECT(false, "%s", err.text);
            return;
        }
        run_one(b, HALVES, NULL);
    }
    size_t count = cal_split_chunk_sizes(&b->problem, sizes);
    EXPECT(sizes[0] == p->chunk_min && sizes[count - 1] == b->problem.iterations && count >= 2,
           "%s: other sizes of chunks", p->name);
    for (size_t i = 1; i < count; i++)
        EXPECT(sizes[i] > sizes[i - 1], "%s: sizes do not ascend", p->name);
    for (int side = 0; side < CAL_SPLIT_BOTH; side++)
        for (int beside = 0; beside < 2; beside++)
            EXPECT(cal_split_time_chunk(b, (enum cal_split_side)side, p->chunk_min, beside != 0, &t,
                                        &err) == 0 &&
                       t.n >= 3 && t.median_ns > 0 && t.p95_ns >= t.median_ns,
                   "%s: %s", p->name, err.text);
    int64_t total_ns = 0, between_ns = 0;
    EXPECT(cal_split_run_alone(b, CAL_SPLIT_GPU, &total_ns, &between_ns, &err) == 0 &&
               cal_split_compare(b, "again", &err) == 0 && total_ns > between_ns,
           "%s: %s", p->name, err.text);
}

static void compute_wrong(struct cal_split *s, int64_t begin, int64_t end, uint32_t thread)
{
    cal_split_find("jacobi")->compute(s, begin, end, thread);
    if (begin <= 5 && 5 < end)
        s->out.host[5] += 1;
}

static void check_refusals(struct cal_split_bench *b)
{
    struct dcs_err err = {0};
    struct cal_split_program wrong = *cal_split_find("jacobi");
    wrong.compute = compute_wrong;
    EXPECT(cal_split_load(b, &wrong, wrong.size_check, 1, &err) == -1 &&
               strstr(err.text, "is not timed: on the GPU") != NULL && !b->loaded,
           "a program that differs is timed: %s", err.text);
    const struct cal_split_program *p = cal_split_find("nns");
    EXPECT(cal_split_load(b, p, p->size_check, 2, &err) == 0, "%s", err.text);
    run_one(b, TOO_SMALL, "a chunk of 31 iterations, and one has at least 32");
    run_one(b, TOO_MANY, "a chunk of 513 iterations, and 512 are left");
    run_one(b, BUSY, "a chunk for device 1, which has one");
    run_one(b, NOTHING, "512 iterations are left, and it gives out none");
    run_one(b, TIMED, NULL);
}

/* --- a GPU that fails --- */

/* measured: the side whose chunks are timed beside the other one. waits: until the GPU fails. */
static void check_failure(struct cal_split_bench *b, enum cal_split_side measured, int waits)
{
    struct cal_split_timed t;
    struct dcs_err err = {0};
    emu_break_after(waits);
    int timed = cal_split_time_chunk(b, measured, b->problem.iterations / 2, true, &t, &err);
    emu_break_after(-1);
    EXPECT(timed != 0, "a GPU that fails after %d waits is not noticed", waits);
    EXPECT(timed == 0 || strstr(err.text, "waiting for the GPU") != NULL, "another error: %s",
           err.text);
    for (int side = 0; side < CAL_SPLIT_BOTH; side++)
        EXPECT(cal_split_time_chunk(b, (enum cal_split_side)side, b->problem.program->chunk_min,
                                    true, &t, &err) == 0,
               "after a failure: %s", err.text);
}

static void check_failures(struct cal_split_bench *b)
{
    struct dcs_err err = {0};
    const struct cal_split_program *p = cal_split_find("nbody");
    EXPECT(cal_split_load(b, p, p->size_check, 2, &err) == 0, "%s", err.text);
    for (int waits = 0; waits < 5; waits++) { /* while the other's chunk is chosen, and beside it */
        check_failure(b, CAL_SPLIT_CPU, waits);
        check_failure(b, CAL_SPLIT_GPU, waits);
    }
}

static void check_walk(void)
{
    static const int64_t places[] = {0, 3, 6, 0, 3}, half[] = {5, 8, 5, 8, 5};
    int64_t at = 0, there = 2; /* of 10, and of the second half of 12 */
    for (int i = 0; i < 5; i++) {
        at = cal_split_next_place(at, 3, 0, 10);
        there = cal_split_next_place(there, 3, 5, 11);
        EXPECT(at == places[i] && there == half[i], "place %d: %lld, %lld", i, (long long)at,
               (long long)there);
        at += 3;
        there += 3;
    }
}

/* --- policies of the table --- */

static void check_policies(struct cal_split_bench *b)
{
    struct dcs_err err = {0};
    static const char *const programs[] = {"jacobi", "mm", "nbody"};
    for (size_t i = 0; i < 3; i++) {
        const struct cal_split_program *p = cal_split_find(programs[i]);
        EXPECT(cal_split_load(b, p, p->size_check, 2, &err) == 0, "%s", err.text);
        for (size_t k = 0; policies_all[k] != NULL; k++) {
            const struct policy *policy = policies_all[k];
            if (!(policy->needs & HOST_NEEDS_CHUNKS) ||
                strcmp(policy->name, "split-predicted") == 0)
                continue;
            struct cal_split_run run = {0};
            void *options = cal_split_options(policy, NULL, &err);
            EXPECT(options != NULL && cal_split_run_policy(b->sides, &b->problem, policy, options,
                                                           2, SMS, &run, &err) == 0,
                   "%s", err.text);
            EXPECT(cal_split_compare(b, policy->name, &err) == 0, "%s", err.text);
            free(options);
        }
    }
    const struct policy *divided = policies_find("split-static");
    EXPECT(cal_split_options(divided, "gpu_share=2", &err) == NULL, "a share of 2 is taken");
    EXPECT(cal_split_options(divided, "nothing=1", &err) == NULL, "no option is taken");
    EXPECT(cal_split_options(policies_find("split-even"), "chunk=1.5", &err) == NULL &&
               strstr(err.text, "a whole number from 1 to 1e+12") != NULL,
           "half an iteration is taken: %s", err.text);
    static const struct param unlimited[] = {{PARAM_INT, "n"}, {0}};
    const struct policy whole = {.name = "whole", .params = unlimited, .params_size = 8};
    EXPECT(cal_split_options(&whole, "n=1e19", &err) == NULL, "a number beyond 64 bits is taken");
    int64_t *taken = cal_split_options(&whole, "n=-9007199254740991", &err);
    EXPECT(taken != NULL && *taken == -9007199254740991, "%s", err.text);
    free(taken);
    for (int i = 0; i < 2; i++) { /* a share of 0 or 1 divides nothing */
        struct cal_split_run run = {0};
        err = (struct dcs_err){0};
        void *options = cal_split_options(divided, i == 0 ? "gpu_share=0" : "gpu_share=1", &err);
        EXPECT(options != NULL &&
                   cal_split_run_policy(b->sides, &b->problem, divided, options, 2, SMS, &run,
                                        &err) == -1 &&
                   strstr(err.text, "gpu_share") != NULL,
               "a share of %d is taken: %s", i, err.text);
        free(options);
    }
}

/* --- the measurements, at the size of the check --- */

/* Of one size, which is enough. */
static struct cal_steps make_plan(struct cal_session *s, const struct cal_measure *m)
{
    struct cal_steps steps = {0};
    size_t kept = 0;
    m->plan(s, &steps);
    for (size_t i = 0; i < steps.count; i++) {
        const struct cal_split_program *p = cal_split_find(steps.steps[i].app_name);
        if (steps.steps[i].size != p->sizes[0])
            continue;
        steps.steps[kept] = steps.steps[i];
        steps.steps[kept++].size = p->size_check;
    }
    steps.count = kept;
    return steps;
}

static void run_plan(struct cal_session *s, const struct cal_measure *m)
{
    struct cal_steps steps = make_plan(s, m);
    for (size_t i = 0; i < steps.count; i++) {
        struct cal_step step = steps.steps[i];
        struct dcs_err err = {0};
        EXPECT(cal_store_begin_step(s->store, &err) == 0, "%s", err.text);
        EXPECT(m->run(s, &step, &err) == 0, "%s: %s", step.key, err.text);
        EXPECT(cal_store_end_step(s->store, step.key, m->name, 0, &err) == 0, "%s", err.text);
    }
    cal_steps_release(&steps);
}

static double count_rows(struct cal_session *s, const char *sql)
{
    double count = -1;
    cal_store_get(s->store, &count, sql, "");
    return count;
}

static void check_repeated(struct cal_session *s, bool refused, const char *what)
{
    struct cal_steps steps = make_plan(s, &cal_split_requests);
    for (size_t i = 0; i < steps.count; i++) {
        struct dcs_err err = {0};
        const struct cal_steps one = {&steps.steps[i], 1, 1};
        int status = cal_split_refuse_repeated(s, &one, &err);
        EXPECT(status == (refused ? -1 : 0) &&
                   (!refused || strstr(err.text, "would lose them: repeat that --run") != NULL),
               "%s: %s: %s", what, steps.steps[i].key, refused ? "is not refused" : err.text);
    }
    cal_steps_release(&steps);
}

/* After two rounds of `own` and split-static. */
static void check_repeats(struct cal_session *s)
{
    struct cal_split_session *x = s->split;
    const struct cal_split_session was = *x;
    struct dcs_err err = {0};
    check_repeated(s, false, "the same again");
    x->rounds = 1;
    check_repeated(s, true, "one round after two");
    x->rounds = 3;
    check_repeated(s, true, "three rounds after two");
    *x = was;
    x->policies_count = 1;
    check_repeated(s, true, "another list of policies");
    x->set = "probe=0.1";
    check_repeated(s, false, "other options");
    *x = was;
    EXPECT(cal_store_begin_step(s->store, &err) == 0 &&
               cal_store_execute(s->store, &err, "DELETE FROM step WHERE key LIKE '%/1-of-2'",
                                 "") == 0 &&
               cal_store_execute(s->store, &err, "DELETE FROM split_run WHERE turn % 2 = 1", "") ==
                   0 &&
               cal_store_end_step(s->store, "a step", "test", 0, &err) == 0,
           "%s", err.text);
    check_repeated(s, false, "the second round, not yet done");
    x->rounds = 1;
    check_repeated(s, true, "one round after the first of two");
    *x = was;
}

static void check_measurements(void)
{
    char path[] = "/tmp/divided-XXXXXX";
    struct dcs_err err = {0};
    int file = mkstemp(path);
    EXPECT(file >= 0 && close(file) == 0, "no file");
    const struct cal_provenance provenance = {
        "test",     "of a test",        "a test",          "GPU",        "u", "1", "1", "1", "now",
        .sms = SMS, .max_clock_mhz = 1, .memory_bytes = 1, .l2_bytes = 1};
    void *options = cal_split_options(policies_find("split-static"), NULL, &err);
    EXPECT(options != NULL, "%s", err.text);
    struct cal_split_session x = {.bench = {.seed = 3, .seconds = 0.0001, .cores = 2},
                                  .source = "a test",
                                  .sms = SMS,
                                  .threads = {1, 2},
                                  .threads_count = 2,
                                  .policies = {&own, policies_find("split-static")},
                                  .options = {NULL, options},
                                  .policies_count = 2,
                                  .turns = 3,
                                  .rounds = 2};
    struct cal_session s = {.split = &x, .sms = SMS, .output = path};
    s.store = cal_store_open(path, &provenance, &err);
    EXPECT(s.store != NULL, "%s", err.text);
    mode = HALVES;
    run_plan(&s, &cal_split_chunks);
    run_plan(&s, &cal_split_requests);
    EXPECT(count_rows(&s, "SELECT count(*) FROM split_program WHERE pass_ns > 0") == 6, "programs");
    EXPECT(count_rows(&s, "SELECT count(DISTINCT program || side || threads || beside) FROM"
                          " split_time WHERE n >= 3 AND median_ns <= p95_ns") == 6 * (1 + 2 + 4),
           "chunks");
    EXPECT(count_rows(&s, "SELECT count(*) FROM split_time WHERE beside = 1 AND 2 * chunk >"
                          " iterations") == 0,
           "chunks reach into what the other side has");
    EXPECT(count_rows(&s, "SELECT count(*) FROM split_run JOIN split_program USING (program,"
                          " iterations) WHERE time_ns > 0 AND steps >= passes AND"
                          " gpu_iterations < iterations * passes") == 6 * 2 * 2 * 3 * 2,
           "runs");
    EXPECT(count_rows(&s, "SELECT count(*) FROM (SELECT 1 FROM split_run GROUP BY program, threads,"
                          " policy HAVING min(turn) = 0 AND max(turn) = 5 AND count(*) = 6)") ==
               6 * 2 * 2,
           "turns");
    FILE *out = tmpfile();
    EXPECT(out != NULL && cal_split_print(s.store, out, &err) == 0 && ftell(out) > 2000,
           "printed %ld: %s", out != NULL ? ftell(out) : -1, err.text);
    if (out != NULL)
        fclose(out);
    check_repeats(&s);
    cal_split_unload(&x.bench);
    cal_store_close(s.store);
    free(options);
    unlink(path);
}

int main(void)
{
    struct cal_split_bench b = {.seed = 11, .seconds = 0.001, .cores = 2};
    for (int i = 0; i < CAL_SPLIT_PROGRAMS; i++)
        check_program(&b, cal_split_programs[i]);
    check_refusals(&b);
    check_walk();
    check_failures(&b);
    check_policies(&b);
    cal_split_unload(&b);
    check_measurements();
    if (!failed)
        printf("%d programs give the same on both sides\n", CAL_SPLIT_PROGRAMS);
    return failed;
}
