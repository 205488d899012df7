/*
 * measure_pairs_any.c - the longest kernel of any application beside that of any other, or beside
 * its own copy, in all five splits of the device: what a model of contention is judged by, for
 * kernels that nobody chose because they press or feel much.
 *
 * Every pair of applications is a step, and no part of `all`: which are measured is for --step to
 * say, 'pair-any/dev/NAME+NAME'. The names of two applications and a seed decide in which half
 * their pair is, 'dev' or 'test3', which of the two has the first partition, and when its turn
 * comes: so that whatever was measured when the time is over is a random draw. The two halves are
 * two subcommands. A copy has memory of its own.
 */
#include "calibrate/measure/measure_corun.h"

#include <stdlib.h>
#include <string.h>

#define DRAW_SEED 20261123 /* of the drawing, whatever the seed of the inputs is */
#define SLOWED    1.4      /* windows to what they take, on an H200 */

struct drawn {
    size_t app[2];
    uint64_t turn;
    bool test;
};

/* FNV-1a. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

static struct drawn draw(size_t a, size_t b)
{
    bool swap = strcmp(cal_apps[a]->name, cal_apps[b]->name) > 0;
    size_t low = swap ? b : a, high = swap ? a : b;
    uint64_t pair = cal_random_u64(hash_name(cal_apps[low]->name), hash_name(cal_apps[high]->name));
    uint64_t bits = cal_random_u64(DRAW_SEED, pair);
    struct drawn d = {.turn = bits >> 2, .test = bits & 1};
    d.app[0] = bits & 2 ? low : high;
    d.app[1] = bits & 2 ? high : low;
    return d;
}

static int compare_turns(const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

static double estimate(const struct cal_session *s, const struct drawn *d)
{
    double seconds = 0;
    for (int split = 0; split < CAL_SPLITS; split++) {
        double longest = 0;
        for (int i = 0; i < 2; i++) {
            int first = cal_split_sms(s->sms, split), sms = i == 0 ? first : s->sms - first;
            double kernel_s = cal_subject_seconds(s, cal_apps[d->app[i]], 0, sms);
            longest = kernel_s > longest ? kernel_s : longest;
            seconds += cal_corun_seconds(kernel_s, CAL_CORUN_WINDOW_S, true);
        }
        seconds += cal_corun_seconds(longest, 1.5 * CAL_CORUN_WINDOW_S, false);
    }
    return SLOWED * seconds;
}

static const char *half_of(const struct cal_measure *m)
{
    return m == &cal_measure_pairs_any ? "dev" : "test3";
}

static void plan_half(const struct cal_session *s, struct cal_steps *steps,
                      const struct cal_measure *m, bool test)
{
    size_t apps = 0, count = 0;
    while (cal_apps[apps] != NULL)
        apps++;
    struct drawn *pairs = dcs_alloc(apps * (apps + 1) / 2, sizeof *pairs);
    for (size_t a = 0; a < apps; a++)
        for (size_t b = a; b < apps; b++) {
            struct drawn d = draw(a, b);
            if (d.test == test)
                pairs[count++] = d;
        }
    if (count > 0)
        qsort(pairs, count, sizeof *pairs, compare_turns);
    for (size_t i = 0; i < count; i++) {
        struct cal_step *step =
            cal_steps_add(steps, m, "pair-any/%s/%s+%s", half_of(m),
                          cal_apps[pairs[i].app[0]]->name, cal_apps[pairs[i].app[1]]->name);
        step->item[0] = (int64_t)pairs[i].app[0];
        step->item[1] = (int64_t)pairs[i].app[1];
        step->seconds = estimate(s, &pairs[i]);
    }
    free(pairs);
}

static void plan_dev(const struct cal_session *s, struct cal_steps *steps)
{
    plan_half(s, steps, &cal_measure_pairs_any, false);
}

static void plan_test(const struct cal_session *s, struct cal_steps *steps)
{
    plan_half(s, steps, &cal_measure_pairs_any_test, true);
}

/* --- a step --- */

static int measure_splits(struct cal_session *s, const struct cal_step *step,
                          struct cal_work *const works[2], struct dcs_err *err)
{
    struct cal_subject subjects[2];
    for (int i = 0; i < 2; i++) {
        int found = cal_work_plan(s->gpu, works[i], s->sms, err) != 0
                        ? -1
                        : cal_subject_find(s, works[i], 0, &subjects[i], err);
        if (found <= 0)
            return found; /* 0: it has no kernel that can be repeated, nothing to measure */
    }
    for (int split = 0; split < CAL_SPLITS; split++) {
        struct cal_partition *parts;
        struct cal_corun_kind kind = {.kind = "pair",
                                      .mechanism = "green",
                                      .half = half_of(step->measure),
                                      .dram_gbs = -1,
                                      .l2_gbs = -1};
        if (cal_pool_split(s->gpu, split, &parts, err) != 0 ||
            cal_corun_subjects(s, &kind, subjects, 2, parts, err) != 0)
            return -1;
    }
    return 0;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    const struct cal_app *first = cal_apps[step->item[0]], *second = cal_apps[step->item[1]];
    struct cal_work copy, *works[2];
    if (cal_gpu_wake(s->gpu, err) != 0 ||
        (works[0] = cal_pool_work(s->gpu, first, s->seed, err)) == NULL)
        return -1;
    if (first == second) {
        if (cal_work_open(s->gpu, second, second->size_default, s->seed + 1, &copy, err) != 0)
            return -1;
        works[1] = &copy;
    } else if ((works[1] = cal_pool_work(s->gpu, second, s->seed, err)) == NULL) {
        return -1;
    }
    int failed = measure_splits(s, step, works, err);
    if (first == second)
        cal_work_close(s->gpu, &copy);
    return failed;
}

const struct cal_measure cal_measure_pairs_any = {
    .name = "pairs-any",
    .help = "any kernel beside any other, or its copy: the half for building models; not in `all`",
    .plan = plan_dev,
    .run = run_step,
    .apart = true,
};

const struct cal_measure cal_measure_pairs_any_test = {
    .name = "pairs-any-test",
    .help = "the other half of these, for judging a model whose form is frozen; not in `all`",
    .plan = plan_test,
    .run = run_step,
    .apart = true,
};
