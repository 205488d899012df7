/*
 * measure_pairs.c - real kernels beside real kernels, on disjoint partitions: what a model of
 * contention is judged by.
 *
 * Subjects are the longest two repeatable kernels of each application at its default size. Most
 * kernels leave their neighbours alone, and most are left alone: pairs drawn from all of them would
 * only show that nothing happens. So the last side of a tuple is drawn from those that feel it
 * most, and all others from those that press most (lists of paired_kernels.csv). A tuple is a pure
 * function of its number. Each pair is measured in three splits. Even numbers are for
 * whoever builds a model ('dev'), odd ones for judging it ('test'); the two halves are two
 * subcommands, so that the second is measured after the model's form is frozen, and not by
 * accident. Of the first pairs 27 % of the sides were slowed by 1.3: from FIRST_PAIRS on they are
 * drawn from the few that press and feel most, in the two splits that give most SMs to the one that
 * presses, and the odd ones ('test2') judge a form of the model that is frozen later. Of quadruples
 * only the half for judging is measured: no model is built on them.
 */
#include "calibrate/measure/measure_corun.h"
#include "calibrate/measure/planned_kernels.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_PAIRS 172
#define MORE_PAIRS  64
#define PAIRS       (FIRST_PAIRS + MORE_PAIRS)
#define TRIPLES     34
#define QUADRUPLES  24

#define TRIES 100000 /* that give nothing new: the lists hold no more */

/* Of cal_split_sms. */
struct splits {
    int of[3], count;
};
static const struct splits first_splits = {{0, 1, 2}, 3}, more_splits = {{5, 4}, 2},
                           one_split = {{0}, 1};

static const char *const kind_names[CAL_CORUN_SIDES + 1] = {
    [2] = "pair", [3] = "triple", [4] = "quadruple"};

/* Those of a tuple by its number; triples and quadruples have one of their own. */
static const struct splits *splits_of(int sides, int64_t number)
{
    if (sides > 2)
        return &one_split;
    return number < FIRST_PAIRS ? &first_splits : &more_splits;
}

struct drawn {
    const struct cal_app *app[CAL_CORUN_SIDES];
    int rank[CAL_CORUN_SIDES];
};

/*
 * The lists of paired_kernels.csv:
 *   pressing         what slowed a copy through DRAM that ran beside it as a meter by 1.45 or more,
 *                    on an H200 in the even split (drawn from all above 1.23, only 18 % of the
 *                    sides were slowed by 1.3)
 *   sensitive        what a copy through DRAM with all that half of an H200 can do slowed by 1.7 or
 *                    more
 *   most-pressing    of both, what slowed the other side by 1.3 in a third or more of the first dev
 *                    pairs
 *   most-sensitive   and what was slowed so in half of its own
 */
enum list { PRESSING, SENSITIVE, MOST_PRESSING, MOST_SENSITIVE, LISTS };
static const char *const list_names[LISTS] = {"pressing", "sensitive", "most-pressing",
                                              "most-sensitive"};

/* The number-th tuple of `sides` different applications; false: the lists do not give one. */
static bool draw_one(const struct cal_planned_list lists[LISTS], bool more, uint64_t seed,
                     uint64_t number, int sides, struct drawn *out)
{
    for (int i = 0; i < sides; i++) {
        bool last = i == sides - 1, again = true;
        enum list list =
            last ? (more ? MOST_SENSITIVE : SENSITIVE) : (more ? MOST_PRESSING : PRESSING);
        for (uint64_t try = 0; again; try++) {
            uint64_t bits = cal_random_u64(seed, ((number * 4 + (uint64_t)i) << 20) + try);
            if (lists[list].count == 0 || try == TRIES)
                return false;
            const struct cal_planned_kernel *c =
                &lists[list].of[(size_t)(bits >> 8) % lists[list].count];
            out->app[i] = c->app;
            out->rank[i] = c->rank;
            again = false;
            for (int k = 0; k < i; k++)
                again = again || out->app[k] == out->app[i];
        }
    }
    return true;
}

static bool same(const struct drawn *a, const struct drawn *b, int sides)
{
    int found = 0;
    for (int i = 0; i < sides; i++)
        for (int k = 0; k < sides; k++)
            found += a->app[i] == b->app[k] && a->rank[i] == b->rank[k];
    return found == sides;
}

/* How many there are, at most as many as are wanted. */
static int draw(uint64_t seed, int sides, struct drawn *list, int wanted)
{
    struct cal_planned_list lists[LISTS];
    int n = 0;
    for (int i = 0; i < LISTS; i++)
        lists[i] = cal_planned_kernels(list_names[i]);
    for (uint64_t number = 0, tried = 0; n < wanted && tried < TRIES; number++, tried++) {
        bool more = sides == 2 && n >= FIRST_PAIRS;
        if (!draw_one(lists, more, seed + (uint64_t)sides, number, sides, &list[n]))
            break;
        bool is_new = true;
        for (int i = more ? FIRST_PAIRS : 0; i < n && is_new; i++)
            is_new = !same(&list[i], &list[n], sides);
        n += is_new;
        if (is_new)
            tried = 0;
    }
    return n;
}

#define DRAW_SEED 20180213 /* of the drawing, whatever the seed of the inputs is */

#define SLOWED 1.4 /* windows to what they take, on an H200 */

static double estimate(const struct cal_session *s, const struct drawn *d, int sides,
                       int64_t number)
{
    double seconds = 0;
    const struct splits *splits = splits_of(sides, number);
    for (int split = 0; split < splits->count; split++) {
        double longest = 0;
        for (int i = 0; i < sides; i++) {
            int small = cal_split_sms(s->sms, splits->of[split]);
            int sms = sides > 2 ? s->sms / sides : i == 0 ? small : s->sms - small;
            double kernel_s = cal_subject_seconds(s, d->app[i], (size_t)d->rank[i], sms);
            longest = kernel_s > longest ? kernel_s : longest;
            seconds += cal_corun_seconds(kernel_s, CAL_CORUN_WINDOW_S, true);
        }
        seconds += cal_corun_seconds(longest, 1.5 * CAL_CORUN_WINDOW_S, false);
    }
    return SLOWED * seconds;
}

/* The names are part of the key: with another application in the table others are drawn. */
static void add_step(const struct cal_session *s, struct cal_steps *steps,
                     const struct cal_measure *m, const struct drawn *d, int sides, int number)
{
    char names[CAL_KEY_BYTES - 32];
    int used = 0;
    for (int i = 0; i < sides; i++)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%s.%d", i > 0 ? "+" : "",
                         d->app[i]->name, d->rank[i]);
    struct cal_step *step = cal_steps_add(steps, m, "%s/%d/%s", kind_names[sides], number, names);
    step->item[0] = sides;
    step->item[1] = number;
    step->seconds = estimate(s, d, sides, number);
}

static const char *half_of(int sides, int64_t number)
{
    if (number % 2 == 0)
        return "dev";
    return sides == 2 && number >= FIRST_PAIRS ? "test2" : "test";
}

static void plan_half(const struct cal_session *s, struct cal_steps *steps,
                      const struct cal_measure *m, bool test)
{
    static const int wanted[CAL_CORUN_SIDES + 1] = {[2] = PAIRS, [3] = TRIPLES, [4] = QUADRUPLES};
    for (int sides = 2; sides <= (test ? CAL_CORUN_SIDES : 3); sides++) {
        struct drawn *list = dcs_alloc((size_t)wanted[sides], sizeof *list);
        int count = draw(DRAW_SEED, sides, list, wanted[sides]);
        for (int i = test; i < count; i += 2)
            add_step(s, steps, m, &list[i], sides, i);
        free(list);
    }
}

static void plan_dev(const struct cal_session *s, struct cal_steps *steps)
{
    plan_half(s, steps, &cal_measure_pairs, false);
}

static void plan_test(const struct cal_session *s, struct cal_steps *steps)
{
    plan_half(s, steps, &cal_measure_pairs_test, true);
}

/* --- a step --- */

struct tuple {
    int sides;
    int64_t number;
    struct cal_subject subjects[CAL_CORUN_SIDES];
};

int cal_corun_subjects(struct cal_session *s, struct cal_corun_kind *kind,
                       struct cal_subject *subjects, int count, const struct cal_partition *parts,
                       struct dcs_err *err)
{
    DCS_ASSERT(count <= CAL_CORUN_SIDES);
    struct cal_corun_side sides[CAL_CORUN_SIDES] = {0};
    struct cal_corun_row rows[CAL_CORUN_SIDES] = {0};
    int failed = 0;
    for (int i = 0; i < count && !failed; i++) {
        int64_t alone_ns;
        failed = cal_work_plan(s->gpu, subjects[i].work, parts[i].sms, err) != 0 ||
                 cal_subject_alone(&subjects[i], parts[i].stream, &alone_ns, err) != 0;
        if (failed)
            break;
        sides[i] = (struct cal_corun_side){.enqueue = cal_subject_enqueue,
                                           .context = &subjects[i],
                                           .stream = parts[i].stream,
                                           .entries = cal_subject_entries(&subjects[i]),
                                           .alone_ns = (double)alone_ns};
        rows[i] = (struct cal_corun_row){.application = subjects[i].work->app->name,
                                         .size = subjects[i].work->size,
                                         .kernel = cal_subject_kernel(&subjects[i]),
                                         .sms = parts[i].sms};
        failed = cal_corun_alone(s->gpu, &sides[i], CAL_CORUN_WINDOW_S, &rows[i].alone, err);
    }
    if (!failed)
        failed = cal_corun_rested(s->gpu, sides, count, 1.5 * CAL_CORUN_WINDOW_S, &kind->overlap_ns,
                                  err);
    for (int i = 0; i < count && !failed; i++)
        failed = cal_samples_statistics(&sides[i].samples, CAL_STOP_TIME, "warm", &rows[i].together,
                                        err);
    if (!failed)
        failed = cal_corun_store(s->store, kind, rows, count, err);
    for (int i = 0; i < count; i++)
        cal_samples_release(&sides[i].samples);
    return failed ? -1 : 0;
}

static int together(struct cal_session *s, struct tuple *t, const struct cal_partition *parts,
                    struct dcs_err *err)
{
    struct cal_corun_kind kind = {.kind = kind_names[t->sides],
                                  .mechanism = "green",
                                  .half = half_of(t->sides, t->number),
                                  .draw = t->number,
                                  .dram_gbs = -1,
                                  .l2_gbs = -1};
    return cal_corun_subjects(s, &kind, t->subjects, t->sides, parts, err);
}

static int pair_splits_of(struct cal_session *s, struct tuple *t, struct dcs_err *err)
{
    const struct splits *splits = splits_of(t->sides, t->number);
    for (int i = 0; i < splits->count; i++) {
        struct cal_partition *parts;
        if (cal_pool_split(s->gpu, splits->of[i], &parts, err) != 0 ||
            together(s, t, parts, err) != 0)
            return -1;
    }
    return 0;
}

/* A triple has a quarter, three eighths and the rest; a quadruple a quarter each, the last of them
 * with what is left over. */
static int split_of_many(struct cal_session *s, struct tuple *t, struct dcs_err *err)
{
    int quarter = cal_split_sms(s->sms, 1),
        three_eighths = s->sms / CAL_PARTITION_STEP * 3 / 8 * CAL_PARTITION_STEP;
    const int of_three[] = {quarter, three_eighths, 0}, of_four[] = {quarter, quarter, quarter, 0};
    struct cal_partition parts[CAL_CORUN_SIDES];
    if (cal_gpu_split(s->gpu, t->sides == 3 ? of_three : of_four, t->sides, parts, err) != 0)
        return -1;
    int failed = together(s, t, parts, err);
    for (int i = 0; i < t->sides && !s->gpu->dead; i++)
        cal_partition_release(s->gpu, &parts[i]);
    return failed;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct tuple t = {.sides = (int)step->item[0], .number = step->item[1]};
    struct drawn *list = dcs_alloc((size_t)t.number + 1, sizeof *list);
    int count = draw(DRAW_SEED, t.sides, list, (int)t.number + 1);
    DCS_ASSERT(count > t.number); /* it is of the plan */
    struct drawn d = list[t.number];
    free(list);
    if (cal_gpu_wake(s->gpu, err) != 0)
        return -1;
    for (int i = 0; i < t.sides; i++) {
        struct cal_work *w = cal_pool_work(s->gpu, d.app[i], s->seed, err);
        if (w == NULL || cal_work_plan(s->gpu, w, s->sms, err) != 0)
            return -1;
        int found = cal_subject_find(s, w, (size_t)d.rank[i], &t.subjects[i], err);
        if (found == 0 && d.rank[i] > 0)
            found = cal_subject_find(s, w, 0, &t.subjects[i], err);
        if (found < 0)
            return -1;
        if (found == 0)
            return 0; /* it has no kernel that can be repeated: nothing to measure */
    }
    return t.sides == 2 ? pair_splits_of(s, &t, err) : split_of_many(s, &t, err);
}

const struct cal_measure cal_measure_pairs = {
    .name = "pairs",
    .help = "real kernels beside real kernels: the half for building models",
    .plan = plan_dev,
    .run = run_step,
};

const struct cal_measure cal_measure_pairs_test = {
    .name = "pairs-test",
    .help = "the other half of the pairs, for judging a model whose form is frozen; not in `all`",
    .plan = plan_test,
    .run = run_step,
    .apart = true,
};
