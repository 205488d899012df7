/*
 * measure_pairs_sizes.c - kernels of other sizes than the default beside kernels of the default
 * size, on disjoint partitions: whether what was measured of contention at the default size holds
 * at others, which the simulator assumes (docs/model.md). Judges that alone: nothing is fitted to
 * it, and none of it is read where anything is fitted.
 *
 * The first side of a pair is drawn from those that press hard, at its default size; the second is
 * one of the longest kernels of a service, or of a batch application that presses or feels much,
 * at a size at which `solo` times kernels. Those sizes, ascending and without the default one, are
 * cut into thirds, small, middle and large, and pairs take turns with them. A pair is a pure
 * function of its number, and is measured in the splits of the first pairs (measure_pairs.c).
 * Even numbers are for whoever builds a model ('dev'), odd ones for judging one that is frozen
 * ('test2'), by another subcommand.
 */
#include "calibrate/measure/measure_corun.h"
#include "calibrate/measure/planned_kernels.h"

#include <stdlib.h>
#include <string.h>

#define PAIRS     120
#define SPLITS    3 /* the first of cal_split_sms: half, a quarter, three quarters */
#define THIRDS    3
#define DRAW_SEED 20180215 /* of the drawing, whatever the seed of the inputs is */
#define SLOWED    1.4      /* windows to what they take, on an H200 */
#define OPEN_S    0.25     /* making an application ready at another size */

#define TRIES 100000 /* that give nothing new: the lists hold no more */

/* Of the list sizes-pressing, and of sizes-sized, which has the services of DjiNN and Tonic twice
 * as often as the others; its rank is that at the size that it runs at. */
struct drawn {
    struct cal_planned_kernel presses, sized;
    int64_t size; /* of the second */
};

static int compare_sizes(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* One of a third of the sizes at which kernels are timed, the default one left out. */
static int64_t draw_size(const struct cal_app *app, int third, uint64_t bits)
{
    int64_t *sizes;
    size_t count = cal_app_sizes(app, &sizes), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (cal_size_has_kernels(i) && sizes[i] != app->size_default)
            sizes[kept++] = sizes[i];
    DCS_ASSERT(kept >= THIRDS);
    qsort(sizes, kept, sizeof *sizes, compare_sizes);
    size_t from = kept * (size_t)third / THIRDS, to = kept * (size_t)(third + 1) / THIRDS;
    int64_t size = sizes[from + (size_t)bits % (to - from)];
    free(sizes);
    return size;
}

/* Halves take turns with the numbers, thirds with the numbers of a half. */
static struct drawn draw_one(const struct cal_planned_list *pressing,
                             const struct cal_planned_list *sized, uint64_t try, int number)
{
    struct drawn d;
    uint64_t bits = cal_random_u64(DRAW_SEED, try);
    d.presses = pressing->of[(bits & 0xffff) % pressing->count];
    d.sized = sized->of[(bits >> 16 & 0xffff) % sized->count];
    d.size = draw_size(d.sized.app, number / 2 % THIRDS, bits >> 32);
    return d;
}

static bool is_same(const struct cal_planned_kernel *a, const struct cal_planned_kernel *b)
{
    return a->app == b->app && a->rank == b->rank;
}

/* Different applications in each, and each pair once. How many there are, at most as many as are
 * wanted. */
static int draw(struct drawn *list, int wanted)
{
    const struct cal_planned_list pressing = cal_planned_kernels("sizes-pressing"),
                                  sized = cal_planned_kernels("sizes-sized");
    int n = 0, vain = 0;
    if (pressing.count == 0 || sized.count == 0)
        return 0;
    for (uint64_t try = 0; n < wanted && vain < TRIES; try++) {
        list[n] = draw_one(&pressing, &sized, try, n);
        bool fits = list[n].presses.app != list[n].sized.app;
        for (int i = 0; i < n && fits; i++)
            fits = !is_same(&list[i].presses, &list[n].presses) ||
                   !is_same(&list[i].sized, &list[n].sized) || list[i].size != list[n].size;
        n += fits;
        vain = fits ? 0 : vain + 1;
    }
    return n;
}

/* --- steps --- */

static double estimate(const struct cal_session *s, const struct drawn *d)
{
    double seconds = 0;
    for (int split = 0; split < SPLITS; split++) {
        int small = cal_split_sms(s->sms, split);
        double a = cal_subject_seconds(s, d->presses.app, (size_t)d->presses.rank, small);
        double b = cal_subject_sized_seconds(s, d->sized.app, d->size, (size_t)d->sized.rank,
                                             s->sms - small);
        seconds += cal_corun_seconds(a, CAL_CORUN_WINDOW_S, true) +
                   cal_corun_seconds(b, CAL_CORUN_WINDOW_S, true) +
                   cal_corun_seconds(a > b ? a : b, 1.5 * CAL_CORUN_WINDOW_S, false);
    }
    return OPEN_S + SLOWED * seconds;
}

static void plan_half(const struct cal_session *s, struct cal_steps *steps,
                      const struct cal_measure *m, bool test)
{
    struct drawn pairs[PAIRS];
    int count = draw(pairs, PAIRS);
    for (int i = test; i < count; i += 2) {
        const struct drawn *d = &pairs[i];
        struct cal_step *step =
            cal_steps_add(steps, m, "sized-pair/%d/%s.%d+%s.%d@%lld", i, d->presses.app->name,
                          d->presses.rank, d->sized.app->name, d->sized.rank, (long long)d->size);
        step->size = d->size;
        step->other_size = true;
        step->item[0] = i;
        step->seconds = estimate(s, d);
    }
}

static void plan_dev(const struct cal_session *s, struct cal_steps *steps)
{
    plan_half(s, steps, &cal_measure_pairs_sizes, false);
}

static void plan_test(const struct cal_session *s, struct cal_steps *steps)
{
    plan_half(s, steps, &cal_measure_pairs_sizes_test, true);
}

static int splits_of(struct cal_session *s, struct cal_subject subjects[2], int64_t number,
                     struct dcs_err *err)
{
    for (int split = 0; split < SPLITS; split++) {
        struct cal_partition *parts;
        struct cal_corun_kind kind = {.kind = "sized-pair",
                                      .mechanism = "green",
                                      .half = number % 2 == 0 ? "dev" : "test2",
                                      .draw = number,
                                      .dram_gbs = -1,
                                      .l2_gbs = -1};
        if (cal_pool_split(s->gpu, split, &parts, err) != 0 ||
            cal_corun_subjects(s, &kind, subjects, 2, parts, err) != 0)
            return -1;
    }
    return 0;
}

/* The first side is one of those that stay, the second goes with the step. */
static int beside(struct cal_session *s, const struct drawn *d, struct cal_work *sized_work,
                  int64_t number, struct dcs_err *err)
{
    struct cal_subject subjects[2];
    struct cal_work *w = cal_pool_work(s->gpu, d->presses.app, s->seed, err);
    if (w == NULL || cal_work_plan(s->gpu, w, s->sms, err) != 0)
        return -1;
    int found = cal_subject_find(s, w, (size_t)d->presses.rank, &subjects[0], err);
    if (found == 0 && d->presses.rank > 0)
        found = cal_subject_find(s, w, 0, &subjects[0], err);
    if (found <= 0)
        return found; /* 0: it has no kernel that can be repeated, and nothing is measured */
    found = cal_subject_find_sized(s, sized_work, (size_t)d->sized.rank, &subjects[1], err);
    if (found == 0 && d->sized.rank > 0)
        found = cal_subject_find_sized(s, sized_work, 0, &subjects[1], err);
    if (found == 0)
        return dcs_err_set(err,
                           "the profile has no time of a kernel of %s at size %lld alone that "
                           "could be run beside others: measure `solo` first",
                           d->sized.app->name, (long long)d->size);
    return found < 0 ? -1 : splits_of(s, subjects, number, err);
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct drawn list[PAIRS];
    struct cal_work work;
    int number = (int)step->item[0];
    int count = draw(list, number + 1);
    DCS_ASSERT(count > number); /* it is of the plan */
    const struct drawn *d = &list[number];
    if (cal_gpu_wake(s->gpu, err) != 0 ||
        cal_work_open(s->gpu, d->sized.app, d->size, s->seed, &work, err) != 0)
        return -1;
    int failed = beside(s, d, &work, number, err);
    cal_work_close(s->gpu, &work);
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_pairs_sizes = {
    .name = "pairs-sizes",
    .help = "kernels of other sizes beside kernels of the default size: one half",
    .plan = plan_dev,
    .run = run_step,
};

const struct cal_measure cal_measure_pairs_sizes_test = {
    .name = "pairs-sizes-test",
    .help = "the other half of these, for judging a model whose form is frozen; not in `all`",
    .plan = plan_test,
    .run = run_step,
    .apart = true,
};
