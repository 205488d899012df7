/*
 * measure_oversubscription.c - processes that together may use more of the device than there is,
 * under MPS: what a law of oversubscription is fitted to and judged by.
 *
 * With n processes an even allocation gives each 200 %/n, a priority allocation 100 % to the first
 * and 100 %/(n - 1) to each other (C-Laius, section 3.3); with two, both are 100/100, so 50/50 and
 * 100/50 are measured as well.
 *
 *   spin     every block holds its place for an exact time (one thread looks at the clock, nobody
 *            computes), so that only the dispatch of blocks can slow it: two to four processes,
 *            the first with short blocks and the others with blocks 1, 10 and 100 times as long,
 *            grids below and above one wave of the device
 *   arrival  the same with two processes, the short kernel launched into the long ones, with a
 *            pause after each: its time, from its event, is its latency
 *   pair     kernels of applications, the longest two of each, drawn by a seeded shuffle
 *
 * A row of `corun` has kind 'oversubscription', mechanism 'mps' and its number among those three
 * as draw. A side that spins has application 'spin', a block's ns as size, and its grid as
 * kernel, with the pause if there is one. Even numbers of each of the three are 'dev', odd ones
 * 'test', pairs from FIRST_PAIRS on 'test2', from TEST2_PAIRS on 'dev', from DEV_PAIRS on 'test3'.
 */
#include "calibrate/measure/corun.h"
#include "calibrate/worker/crew.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW_S 0.040
/* Numbers of pairs from which the half is another; before, it is dev and test in turn. */
#define FIRST_PAIRS   64  /* test2 */
#define TEST2_PAIRS   104 /* dev */
#define DEV_PAIRS     144 /* test3 */
#define PAIRS         184
#define RANKS         2
#define DRAW_SEED     20210423 /* of the drawing, whatever the seed of the inputs is */
#define SPIN_THREADS  1024
#define SPIN_NS       50000 /* of a short block */
#define BLOCKS_PER_SM 2     /* of SPIN_THREADS, on devices with 2048 threads in an SM */

/* Percentages of the processes. */
static const struct allocation {
    int processes;
    int percent[CAL_CREW_SIDES];
} allocations[] = {
    {2, {100, 100}},    {2, {50, 50}},         {2, {100, 50}},         {3, {67, 67, 67}},
    {3, {100, 50, 50}}, {4, {50, 50, 50, 50}}, {4, {100, 33, 33, 33}},
};
#define ALLOCATIONS      ((int)(sizeof allocations / sizeof allocations[0]))
#define PAIR_ALLOCATIONS 3 /* the first ones, of two processes */

static const int ratios[] = {1, 10, 100};
#define RATIOS 3

/* Blocks in half waves of the device: of the first process, and of the others. */
static const int grids[][2] = {{1, 1}, {5, 5}, {1, 5}, {5, 1}};
#define GRIDS       4
#define EQUAL_GRIDS 2 /* the first ones: all that three and four processes are measured with */

#define ARRIVAL_PAUSE_NS 700000 /* no multiple of a block's time */

struct side {
    const char *application;
    char kernel[CAL_NAME_BYTES];
    int64_t size;
    int percent, sms;
    struct cal_statistics alone;
};

struct point {
    struct cal_crew_side run[CAL_CREW_SIDES];
    struct side sides[CAL_CREW_SIDES];
    int count;
    int64_t draw;
    const char *half;
};

/* --- a co-run, whatever its targets are --- */

static int store(struct cal_session *s, const struct point *p, int64_t overlap_ns,
                 const struct cal_statistics *together, struct dcs_err *err)
{
    double last = 0;
    cal_store_get(s->store, &last, "SELECT max(id) FROM corun", "");
    int64_t id = (int64_t)last + 1;
    int failed = cal_store_put(s->store, err, "corun", "itttiinn", id, "oversubscription", "mps",
                               p->half, p->draw, overlap_ns);
    for (int i = 0; i < p->count && !failed; i++) {
        const struct side *side = &p->sides[i];
        failed = cal_store_put(s->store, err, "corun_side", "iititiiiris", id, (int64_t)i,
                               side->application, side->size, side->kernel, (int64_t)side->sms,
                               (int64_t)side->percent, side->alone.median_ns, side->alone.mean_ns,
                               side->alone.n, &together[i]);
    }
    return failed;
}

static int alone(struct cal_session *s, struct point *p, int side, struct dcs_err *err)
{
    int64_t overlap_ns;
    return cal_crew_run(s, &p->run[side], 1, WINDOW_S, &overlap_ns, err) != 0 ||
                   cal_samples_statistics(&p->run[side].samples, CAL_STOP_TIME, "warm",
                                          &p->sides[side].alone, err) != 0
               ? -1
               : 0;
}

static int together(struct cal_session *s, struct point *p, struct dcs_err *err)
{
    int64_t overlap_ns;
    struct cal_statistics v[CAL_CREW_SIDES];
    if (cal_crew_run(s, p->run, p->count, 1.5 * WINDOW_S, &overlap_ns, err) != 0)
        return -1;
    for (int i = 0; i < p->count; i++)
        if (cal_samples_statistics(&p->run[i].samples, CAL_STOP_TIME, "warm", &v[i], err) != 0)
            return -1;
    return store(s, p, overlap_ns, v, err);
}

static void release(struct point *p)
{
    for (int i = 0; i < CAL_CREW_SIDES; i++)
        cal_samples_release(&p->run[i].samples);
}

/* --- spinning blocks --- */

struct spin {
    const struct allocation *allocation;
    int ratio, first_halves, other_halves;
    int64_t pause_ns;
};

/* All that are measured; returns how many. list may be NULL. */
static int list_spins(struct spin *list)
{
    int n = 0;
    for (int a = 0; a < ALLOCATIONS; a++)
        for (int r = 0; r < RATIOS; r++)
            for (int g = 0; g < (allocations[a].processes == 2 ? GRIDS : EQUAL_GRIDS); g++, n++)
                if (list != NULL)
                    list[n] =
                        (struct spin){&allocations[a], ratios[r], grids[g][0], grids[g][1], 0};
    return n;
}

static int list_arrivals(struct spin *list)
{
    int n = 0;
    for (int a = 0; a < PAIR_ALLOCATIONS; a++)
        for (int r = 1; r < RATIOS; r++)
            for (int g = 0; g < GRIDS; g++, n++)
                if (list != NULL)
                    list[n] = (struct spin){&allocations[a], ratios[r], grids[g][0], grids[g][1],
                                            ARRIVAL_PAUSE_NS};
    return n;
}

static int run_spin(struct cal_session *s, const struct spin *spin, struct point *p,
                    struct dcs_err *err)
{
    p->count = spin->allocation->processes;
    for (int i = 0; i < p->count; i++) {
        struct side *side = &p->sides[i];
        int halves = i == 0 ? spin->first_halves : spin->other_halves;
        int64_t pause_ns = i == 0 ? spin->pause_ns : 0;
        side->application = "spin";
        side->size = (int64_t)SPIN_NS * (i == 0 ? 1 : spin->ratio);
        side->percent = spin->allocation->percent[i];
        struct cal_worker *w = cal_crew_client(s, i, side->percent, &side->sms, err);
        if (w == NULL)
            return -1;
        const int64_t blocks = (int64_t)halves * s->sms * BLOCKS_PER_SM / 2;
        const int64_t args[] = {blocks, SPIN_THREADS, side->size};
        int used = snprintf(side->kernel, sizeof side->kernel, "spin_%lldx%d", (long long)blocks,
                            SPIN_THREADS);
        if (pause_ns > 0)
            snprintf(side->kernel + used, sizeof side->kernel - (size_t)used, "_pause_%lldus",
                     (long long)(pause_ns / DCS_NS_PER_US));
        if (cal_worker_call(w, "spin", NULL, args, 3, CAL_CREW_ORDER_S, err) != 0)
            return -1;
        p->run[i].worker = w;
        p->run[i].alone_ns = w->shared->values[1];
        p->run[i].pause_ns = pause_ns;
        if (alone(s, p, i, err) != 0)
            return -1;
        p->run[i].alone_ns = p->sides[i].alone.median_ns;
    }
    return together(s, p, err);
}

/* --- kernels of applications --- */

struct drawn {
    size_t app[2];
    int rank[2];
};

static size_t count_apps(void)
{
    size_t n = 0;
    while (cal_apps[n] != NULL)
        n++;
    return n;
}

static bool same(const struct drawn *a, const struct drawn *b)
{
    int found = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            found += a->app[i] == b->app[k] && a->rank[i] == b->rank[k];
    return found == 2;
}

/* The first `wanted` pairs of different applications, a pure function of the seed. */
static void draw(struct drawn *list, int wanted)
{
    size_t apps = count_apps();
    DCS_ASSERT(apps >= 2);
    uint64_t i = 0;
    for (int n = 0; n < wanted;) {
        struct drawn d;
        for (int k = 0; k < 2; k++, i++) {
            uint64_t bits = cal_random_u64(DRAW_SEED, i);
            d.app[k] = (size_t)(bits >> 8) % apps;
            d.rank[k] = (int)(bits & 1) % RANKS;
        }
        bool is_new = d.app[0] != d.app[1];
        for (int k = 0; k < n && is_new; k++)
            is_new = !same(&list[k], &d);
        if (is_new)
            list[n++] = d;
    }
}

/* A pair in three allocations takes a client with each of the two percentages for each side. */
#define PERCENTS 2
static const int percents[PERCENTS] = {100, 50};

struct prepared {
    struct cal_worker *worker;
    struct side side;
    int64_t alone_ns;
    struct cal_statistics alone;
};

/* All clients make their applications ready at the same time, which takes longer than the rest. */
static int load(struct cal_session *s, struct prepared prepared[2][PERCENTS],
                const struct cal_app *const apps[2], struct dcs_err *err)
{
    const int64_t args[] = {(int64_t)s->seed};
    struct dcs_err later = {0};
    int failed = 0;
    for (int i = 0; i < 2 * PERCENTS; i++) {
        struct prepared *p = &prepared[i / PERCENTS][i % PERCENTS];
        p->side = (struct side){.application = apps[i / PERCENTS]->name,
                                .percent = percents[i % PERCENTS]};
        p->worker = cal_crew_client(s, i / PERCENTS, p->side.percent, &p->side.sms, err);
        if (p->worker == NULL)
            return -1;
    }
    for (int i = 0; i < 2 * PERCENTS; i++) {
        struct prepared *p = &prepared[i / PERCENTS][i % PERCENTS];
        cal_worker_tell(p->worker, "application", p->side.application, args, 1);
    }
    for (int i = 0; i < 2 * PERCENTS; i++)
        if (cal_worker_await(prepared[i / PERCENTS][i % PERCENTS].worker, CAL_CREW_ORDER_S,
                             failed ? &later : err) != 0)
            failed = -1;
    return failed;
}

/* Both clients of a side run the kernel that the profile names, else the one that the first has
 * chosen. 1, 0 if the application has none
 * that can be repeated, or -1 and err. */
static int choose(struct cal_session *s, struct prepared of[PERCENTS], int rank,
                  struct dcs_err *err)
{
    char text[CAL_WORKER_TEXT];
    char kernel[CAL_NAME_BYTES];
    const struct cal_app *app = cal_find_app(of[0].side.application);
    if (cal_subject_known(s, app, (size_t)rank, kernel) || cal_subject_known(s, app, 0, kernel))
        snprintf(text, sizeof text, "%s %s", app->name, kernel);
    else
        snprintf(text, sizeof text, "%s", app->name);
    const int64_t args[] = {(int64_t)s->seed, rank};
    for (int i = 0; i < PERCENTS; i++) {
        struct prepared *p = &of[i];
        if (cal_worker_call(p->worker, "kernel", text, args, 2, CAL_CREW_ORDER_S, err) != 0)
            return -1;
        const struct cal_worker_shared *w = p->worker->shared;
        if (w->values[2] == 0)
            return 0;
        p->side.size = w->values[0];
        p->alone_ns = w->values[1];
        snprintf(p->side.kernel, sizeof p->side.kernel, "%.47s", w->answer);
        snprintf(text, sizeof text, "%s %s", p->side.application, p->side.kernel);
    }
    return 1;
}

static int run_pair(struct cal_session *s, const struct drawn *d, struct point *p,
                    struct dcs_err *err)
{
    struct prepared prepared[2][PERCENTS];
    const struct cal_app *const apps[2] = {cal_apps[d->app[0]], cal_apps[d->app[1]]};
    p->count = 2;
    if (load(s, prepared, apps, err) != 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        int found = choose(s, prepared[i], d->rank[i], err);
        if (found <= 0)
            return found; /* 0: nothing to measure */
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < PERCENTS; k++) {
            struct prepared *q = &prepared[i][k];
            p->run[i].worker = q->worker;
            p->run[i].alone_ns = q->alone_ns;
            if (alone(s, p, i, err) != 0)
                return -1;
            q->side.alone = p->sides[i].alone;
        }
    for (int a = 0; a < PAIR_ALLOCATIONS; a++) {
        for (int i = 0; i < 2; i++) {
            const struct prepared *q =
                &prepared[i][allocations[a].percent[i] == percents[0] ? 0 : 1];
            p->run[i].worker = q->worker;
            p->run[i].alone_ns = q->side.alone.median_ns;
            p->sides[i] = q->side;
        }
        if (together(s, p, err) != 0)
            return -1;
    }
    return 0;
}

/* --- steps --- */

enum what { SPINS, ARRIVALS, PAIRS_OF_KERNELS, WHATS };
static const char *const names[WHATS] = {"spin", "arrival", "pair"};

static int count_of(enum what what)
{
    return what == SPINS ? list_spins(NULL) : what == ARRIVALS ? list_arrivals(NULL) : PAIRS;
}

static void add_step(struct cal_steps *steps, enum what what, int number)
{
    char points[2 * CAL_NAME_BYTES + 16] = "";
    if (what == PAIRS_OF_KERNELS) {
        struct drawn list[PAIRS];
        draw(list, number + 1);
        snprintf(points, sizeof points, "/%s+%s", cal_apps[list[number].app[0]]->name,
                 cal_apps[list[number].app[1]]->name);
    }
    struct cal_step *step = cal_steps_add(steps, &cal_measure_oversubscription,
                                          "oversubscription/%s/%d%s", names[what], number, points);
    step->item[0] = what;
    step->item[1] = number;
    step->seconds = what == SPINS ? 0.4 : what == ARRIVALS ? 0.26 : 0.67;
}

/* The three kinds take turns, each spread over the whole, so that any beginning has all of them. */
static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    (void)s;
    int added[WHATS] = {0}, count[WHATS], longest = 0;
    for (int what = 0; what < WHATS; what++) {
        count[what] = what == PAIRS_OF_KERNELS && count_apps() < 2 ? 0 : count_of((enum what)what);
        longest = count[what] > longest ? count[what] : longest;
    }
    for (int turn = 1; turn <= longest; turn++)
        for (int what = 0; what < WHATS; what++)
            for (; added[what] < count[what] * turn / longest; added[what]++)
                add_step(steps, (enum what)what, added[what]);
}

/* In a seeded order, so that neither a half nor a beginning of the list is of one kind. */
static void shuffle(struct spin *list, int count, enum what what)
{
    for (int i = count - 1; i > 0; i--) {
        int k =
            (int)(cal_random_u64(DRAW_SEED + 1 + (uint64_t)what, (uint64_t)i) % (uint64_t)(i + 1));
        struct spin kept = list[i];
        list[i] = list[k];
        list[k] = kept;
    }
}

static int run_point(struct cal_session *s, enum what what, int number, struct point *p,
                     struct dcs_err *err)
{
    if (what == PAIRS_OF_KERNELS) {
        struct drawn list[PAIRS];
        draw(list, number + 1);
        return run_pair(s, &list[number], p, err);
    }
    int count = count_of(what);
    struct spin *list = dcs_alloc((size_t)count, sizeof *list);
    if (what == SPINS)
        list_spins(list);
    else
        list_arrivals(list);
    shuffle(list, count, what);
    struct spin spin = list[number];
    free(list);
    return run_spin(s, &spin, p, err);
}

static const char *half_of(enum what what, int64_t number)
{
    if (what == PAIRS_OF_KERNELS && number >= FIRST_PAIRS)
        return number < TEST2_PAIRS ? "test2" : number < DEV_PAIRS ? "dev" : "test3";
    return number % 2 == 0 ? "dev" : "test";
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct point p = {.draw = step->item[1],
                      .half = half_of((enum what)step->item[0], step->item[1])};
    int failed = run_point(s, (enum what)step->item[0], (int)step->item[1], &p, err);
    release(&p);
    return cal_crew_end_step(s, step, failed);
}

const struct cal_measure cal_measure_oversubscription = {
    .name = "oversubscription",
    .help = "processes under MPS that may use more SMs than there are",
    .plan = plan,
    .ready = cal_crew_ready,
    .run = run_step,
};
