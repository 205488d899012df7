/* split_bench.c - see split_bench.h. */
#include "calibrate/split/split_bench.h"

#include "calibrate/cpu/cpu_app.h"
#include "calibrate/plan/sort_numbers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SAMPLES_MIN 3
/* Above DCS_CHUNK_NOISE_N (models/divisible/divisible.h), from which on simulations take noise from
 * the 95th percentile; of 25 samples that is the third largest. More only make a session longer. */
#define SAMPLES_MAX 25
/* The chunk of the other side takes so many times as long as the measured one, so that it is at
 * work all the while and the measured side then waits for about as long as it worked. */
#define BESIDE_TIMES 2

/* --- requests --- */

/* One pass, cut as a policy could: the GPU has two chunks and the CPU the rest; or a side has all.
 */
static int run_pass(struct cal_split_bench *b, enum cal_split_side side, struct dcs_err *err)
{
    struct cal_split_ended e;
    int64_t n = b->problem.iterations, part = n * 37 / 100, first = part / 3;
    if (side != CAL_SPLIT_BOTH) {
        cal_split_hand_over(b->sides, side, 0, n);
        return cal_split_wait(b->sides, &e, err);
    }
    cal_split_hand_over(b->sides, CAL_SPLIT_GPU, 0, first);
    cal_split_hand_over(b->sides, CAL_SPLIT_CPU, part, n - part);
    int failed = 0, left = 2;
    for (bool second = false; left > 0; left--) {
        if (cal_split_wait(b->sides, &e, err) != 0)
            failed = -1;
        else if (e.side == CAL_SPLIT_GPU && !second && !failed) {
            second = true;
            left++;
            cal_split_hand_over(b->sides, CAL_SPLIT_GPU, first, part - first);
        }
    }
    return failed;
}

static int run_request(struct cal_split_bench *b, enum cal_split_side side, int64_t *total_ns,
                       int64_t *between_ns, struct dcs_err *err)
{
    int64_t began_ns = cal_split_now_ns();
    *between_ns = 0;
    for (int pass = 0; pass <= b->problem.program->passes; pass++) {
        int64_t before_ns = cal_split_now_ns();
        if (cal_split_begin_pass(b->sides, pass, err) != 0)
            return -1;
        *between_ns += cal_split_now_ns() - before_ns;
        if (pass < b->problem.program->passes && run_pass(b, side, err) != 0)
            return -1;
    }
    *total_ns = cal_split_now_ns() - began_ns;
    return 0;
}

int cal_split_run_alone(struct cal_split_bench *b, enum cal_split_side side, int64_t *total_ns,
                        int64_t *between_ns, struct dcs_err *err)
{
    return run_request(b, side, total_ns, between_ns, err);
}

/* --- the same results --- */

int cal_split_compare(struct cal_split_bench *b, const char *how, struct dcs_err *err)
{
    float *got = dcs_alloc(b->results_count, sizeof *got);
    b->problem.program->results(&b->problem, got);
    double largest = 0;
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < b->results_count; i++)
        largest = fmax(largest, fabs((double)b->reference[i]));
    for (size_t i = b->results_count; i-- > 0;)
        if (!(fabs((double)got[i] - (double)b->reference[i]) <=
              b->problem.program->tolerance * largest)) {
            first = i;
            wrong++;
        }
    int failed = 0;
    if (wrong > 0)
        failed =
            dcs_err_set(err,
                        "%s of size %lld is not timed: %s, %zu of %zu results differ from "
                        "those of the CPU alone, the first at %zu: %.9g, expected %.9g",
                        b->problem.program->name, (long long)b->problem.n, how, wrong,
                        b->results_count, first, (double)got[first], (double)b->reference[first]);
    free(got);
    return failed;
}

static int check_sides(struct cal_split_bench *b, struct dcs_err *err)
{
    static const struct {
        enum cal_split_side side;
        const char *how;
    } ways[] = {{CAL_SPLIT_CPU, "on the CPU once more"},
                {CAL_SPLIT_GPU, "on the GPU"},
                {CAL_SPLIT_BOTH, "on both"}};
    int64_t total_ns, between_ns;
    if (run_request(b, CAL_SPLIT_CPU, &total_ns, &between_ns, err) != 0)
        return -1;
    b->results_count = b->problem.program->results(&b->problem, NULL);
    b->reference = dcs_alloc(b->results_count, sizeof *b->reference);
    b->problem.program->results(&b->problem, b->reference);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (run_request(b, ways[i].side, &total_ns, &between_ns, err) != 0 ||
            cal_split_compare(b, ways[i].how, err) != 0)
            return -1;
    return 0;
}

/* --- the problem at hand --- */

void cal_split_unload(struct cal_split_bench *b)
{
    cal_split_sides_stop(b->sides);
    cal_team_destroy(b->team);
    cal_split_release(&b->problem);
    free(b->reference);
    b->sides = NULL;
    b->team = NULL;
    b->reference = NULL;
    b->loaded = false;
}

static int set_threads(struct cal_split_bench *b, uint32_t threads, struct dcs_err *err)
{
    if (b->team != NULL && cal_team_threads(b->team) == threads && b->sides != NULL)
        return 0;
    cal_split_sides_stop(b->sides);
    b->sides = NULL;
    if (b->team == NULL || cal_team_threads(b->team) != threads) {
        cal_team_destroy(b->team);
        b->team = cal_team_create(threads, NULL, 0, err);
        if (b->team == NULL)
            return -1;
    }
    if (b->problem.program == NULL)
        return 0;
    b->sides = cal_split_sides_start(&b->problem, b->team, b->device, err);
    return b->sides != NULL ? 0 : -1;
}

int cal_split_load(struct cal_split_bench *b, const struct cal_split_program *p, int64_t n,
                   uint32_t threads, struct dcs_err *err)
{
    DCS_ASSERT(threads >= 1 && threads <= CAL_SPLIT_THREADS_MAX);
    if (!b->loaded || b->problem.program != p || b->problem.n != n) {
        cal_split_unload(b);
        if (set_threads(b, b->cores, err) != 0 ||
            cal_split_create(&b->problem, p, n, b->seed, b->team, err) != 0 ||
            set_threads(b, b->cores, err) != 0 || check_sides(b, err) != 0) {
            cal_split_unload(b);
            return -1;
        }
        b->place[CAL_SPLIT_CPU] = b->place[CAL_SPLIT_GPU] = 0;
        b->loaded = true;
    }
    return set_threads(b, threads, err);
}

/* --- chunks --- */

size_t cal_split_chunk_sizes(const struct cal_split *s, int64_t sizes[CAL_SPLIT_CHUNKS_MAX])
{
    int64_t n = s->iterations, least = s->program->chunk_min;
    size_t count = 0, kept = 0;
    sizes[count++] = least;
    if (n > 512 && least < 512)
        sizes[count++] = 512;
    for (int64_t parts = 1; parts <= 1024 && n / parts > least; parts *= 2)
        sizes[count++] = n / parts;
    for (int64_t below = n / 1024 / 8; below > least; below /= 8)
        sizes[count++] = below;
    DCS_ASSERT(count <= CAL_SPLIT_CHUNKS_MAX);
    cal_sort_integers(sizes, count);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || sizes[i] != sizes[kept - 1])
            sizes[kept++] = sizes[i];
    return kept;
}

static enum cal_split_side other_of(enum cal_split_side side)
{
    return side == CAL_SPLIT_CPU ? CAL_SPLIT_GPU : CAL_SPLIT_CPU;
}

/* Of a pass, the part that the side walks over: all of it alone, a half of it beside the other. */
static void set_range(const struct cal_split_bench *b, enum cal_split_side side, bool beside,
                      int64_t range[2])
{
    int64_t n = b->problem.iterations;
    range[0] = beside && side == CAL_SPLIT_GPU ? n / 2 : 0;
    range[1] = beside && side == CAL_SPLIT_CPU ? n / 2 : n;
}

static int64_t find_place(const struct cal_split_bench *b, enum cal_split_side side, int64_t count,
                          bool beside)
{
    int64_t range[2];
    set_range(b, side, beside, range);
    return cal_split_next_place(b->place[side], count, range[0], range[1]);
}

static void hand_over(struct cal_split_bench *b, enum cal_split_side side, int64_t count,
                      bool beside)
{
    int64_t first = find_place(b, side, count, beside);
    b->place[side] = first + count;
    cal_split_hand_over(b->sides, side, first, count);
}

/* Sleeps for so long, as who hands out chunks does while it waits for the other side. */
static void rest_for(int64_t ns)
{
    struct timespec t = {ns / 1000000000, ns % 1000000000};
    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        ;
}

static int time_alone(struct cal_split_bench *b, enum cal_split_side side, int64_t count,
                      bool beside, int64_t *took_ns, struct dcs_err *err)
{
    struct cal_split_ended e;
    hand_over(b, side, count, beside);
    if (cal_split_wait(b->sides, &e, err) != 0)
        return -1;
    *took_ns = e.took_ns;
    rest_for(e.took_ns);
    return 0;
}

/* Both sides begin; the other goes on until the measured one has ended, ends its chunk, and both
 * rest, also after a failure. */
static int time_beside(struct cal_split_bench *b, enum cal_split_side side, int64_t count,
                       int64_t others, int64_t *took_ns, struct dcs_err *err)
{
    struct cal_split_ended e = {0};
    struct dcs_err unused = {0};
    enum cal_split_side other = other_of(side);
    int64_t range[2], ignored;
    set_range(b, other, true, range);
    cal_split_press(b->sides, other, find_place(b, other, others, true), others, range[0],
                    range[1]);
    hand_over(b, side, count, true);
    int failed = cal_split_wait(b->sides, &e, err);
    if (cal_split_rest(b->sides, other, &b->place[other], failed ? &unused : err) != 0)
        failed = -1;
    if (cal_split_rest(b->sides, side, &ignored, failed ? &unused : err) != 0)
        failed = -1;
    *took_ns = e.took_ns;
    return failed;
}

/* A chunk of the other side that takes BESIDE_TIMES as long as this one does alone, or half of a
 * pass. */
static int choose_others(struct cal_split_bench *b, enum cal_split_side side, int64_t count,
                         int64_t *others, struct dcs_err *err)
{
    int64_t own_ns, took_ns = 0, most = b->problem.iterations / 2;
    if (time_alone(b, side, count, true, &own_ns, err) != 0 ||
        time_alone(b, side, count, true, &own_ns, err) != 0)
        return -1;
    for (*others = b->problem.program->chunk_min;; *others *= 2) {
        *others = *others < most ? *others : most;
        if (time_alone(b, other_of(side), *others, true, &took_ns, err) != 0)
            return -1;
        if (took_ns >= BESIDE_TIMES * own_ns || *others == most)
            return 0;
    }
}

int cal_split_time_chunk(struct cal_split_bench *b, enum cal_split_side side, int64_t count,
                         bool beside, struct cal_split_timed *out, struct dcs_err *err)
{
    int64_t samples[SAMPLES_MAX], spent_ns = 0, others = 0;
    size_t n = 0;
    DCS_ASSERT(count <= (beside ? b->problem.iterations / 2 : b->problem.iterations));
    if (beside && choose_others(b, side, count, &others, err) != 0)
        return -1;
    for (int i = -1; n < SAMPLES_MIN || (n < SAMPLES_MAX && (double)spent_ns < b->seconds * 1e9);
         i++) {
        int64_t took_ns;
        if ((beside ? time_beside(b, side, count, others, &took_ns, err)
                    : time_alone(b, side, count, false, &took_ns, err)) != 0)
            return -1;
        if (i < 0) /* the first warms up */
            continue;
        samples[n++] = took_ns;
        spent_ns += took_ns;
    }
    cal_sort_integers(samples, n);
    *out = (struct cal_split_timed){samples[n / 2], samples[(n - 1) * 95 / 100], (int64_t)n};
    return 0;
}
