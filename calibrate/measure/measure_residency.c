/*
 * measure_residency.c - two CUDA kernels inside each SM: the rate of each with a blocks of one and
 * b of the other in each SM of the device, and of each kernel alone over a; and of three.
 *
 * No GPU lets a scheduler say what an SM holds, but persistent blocks that fill exactly what they
 * are given do (gpu/resident_kernels.h). A step is one kernel alone; or one pair, first at few
 * points, the corners among them, then at more (plan/resident_points.h); or three kernels at two
 * points: an SM that they share alike, and one block of the first. Alone, the results of the kernel
 * whose blocks stay are first compared with those of the ordinary one. A sample is one launch of
 * each kernel: all have warmed up before the window begins and go on behind its end. An SM prefers
 * some warps to others for as long as they stay, so who comes first matters: each point is measured
 * with each kernel launched first. A point where some SM held other numbers of blocks than were
 * asked for is kept as failed, with what was found.
 */
#include "calibrate/gpu/resident_kernels.h"
#include "calibrate/measure/work.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES    5 /* of each point, in either order */
#define TRIES      3 /* of a point, until the blocks are where they shall be */
#define CHECK_LOAD 2048
#define MS         INT64_C(1000000)
#define ALONE_S    0.6 /* of a step, by estimate */
#define COARSE_S   2
#define FINE_S     5
#define THREE_S    1.5

static const struct cal_residency_times times = {
    .warm_ns = 2 * MS, .window_ns = 12 * MS, .cool_ns = 2 * MS, .wait_ns = 5 * MS};

enum level { ALONE, COARSE, FINE, THREE };

/* --- plan --- */

static void add_pairs(struct cal_steps *steps, enum level level, const char *name, double seconds)
{
    for (size_t i = 0; cal_resident_name(i) != NULL; i++)
        for (size_t j = i + 1; cal_resident_name(j) != NULL; j++) {
            struct cal_step *step =
                cal_steps_add(steps, &cal_measure_residency, "residency/%s/%s/%s", name,
                              cal_resident_name(i), cal_resident_name(j));
            step->size = level;
            step->item[0] = (int64_t)i;
            step->item[1] = (int64_t)j;
            step->seconds = seconds;
        }
}

static void add_threes(struct cal_steps *steps)
{
    for (size_t i = 0; cal_resident_name(i) != NULL; i++)
        for (size_t j = i + 1; cal_resident_name(j) != NULL; j++)
            for (size_t k = j + 1; cal_resident_name(k) != NULL; k++) {
                struct cal_step *step =
                    cal_steps_add(steps, &cal_measure_residency, "residency/three/%s/%s/%s",
                                  cal_resident_name(i), cal_resident_name(j), cal_resident_name(k));
                step->size = THREE;
                step->item[0] = (int64_t)i;
                step->item[1] = (int64_t)j;
                step->item[2] = (int64_t)k;
                step->seconds = THREE_S;
            }
}

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    (void)s;
    for (size_t i = 0; cal_resident_name(i) != NULL; i++) {
        struct cal_step *step = cal_steps_add(steps, &cal_measure_residency, "residency/alone/%s",
                                              cal_resident_name(i));
        step->size = ALONE;
        step->item[0] = (int64_t)i;
        step->seconds = ALONE_S;
    }
    add_pairs(steps, COARSE, "coarse", COARSE_S);
    add_pairs(steps, FINE, "fine", FINE_S);
    add_threes(steps);
}

/* --- one point --- */

struct bench {
    struct cal_session *session;
    struct cal_residency *r;
    int kernels;
    const char *names[CAL_RESIDENT_ROLES]; /* NULL behind the last */
    cudaStream_t streams[CAL_RESIDENT_ROLES];
};

struct side {
    struct cal_samples set;
    struct cal_resident_placement placed; /* that was found last */
    int starved;                          /* the most of a sample */
    bool ended_none;                      /* in the window of some sample */
};

struct point {
    int blocks[CAL_RESIDENT_ROLES];
    struct side sides[CAL_RESIDENT_ROLES];
    const char *failed; /* NULL: it is measured */
};

/* Whether all blocks are where they shall be; notes where they are. */
static bool note_placement(const struct bench *b, struct point *p)
{
    bool good = true;
    for (int i = 0; i < b->kernels; i++) {
        size_t count;
        const struct cal_resident_record *records = cal_residency_get_records(b->r, i, &count);
        p->sides[i].placed = cal_resident_find_placement(records, count, b->session->gpu->sms);
        good = good && p->sides[i].placed.min == p->blocks[i] &&
               p->sides[i].placed.max == p->blocks[i];
    }
    return good;
}

/* One launch of each. Sets p->failed if it gave no sample. */
static int take_sample(struct bench *b, struct point *p, int first, struct dcs_err *err)
{
    struct cal_gpu *g = b->session->gpu;
    struct dcs_err why = {0};
    int clock_mhz;
    bool aborted = false, throttled;
    struct cal_clock_mark mark = cal_gpu_clock_begin(g);
    if (cal_residency_launch(b->r, p->blocks, first, &times, b->streams, &why) != 0)
        return dcs_err_set(err, "%s", why.text);
    for (int i = 0; i < b->kernels; i++)
        if (p->blocks[i] > 0 &&
            cal_gpu_wait_stream(g, b->streams[i], "kernels beside each other", err) != 0)
            return -1;
    cal_gpu_clock_end(g, mark, &clock_mhz, &throttled);
    if (cal_residency_read(b->r, &aborted, &why) != 0)
        return dcs_err_set(err, "%s", why.text);
    p->failed = NULL;
    if (!note_placement(b, p) || aborted) {
        p->failed = "placement";
        return 0;
    }
    for (int i = 0; i < b->kernels; i++) {
        struct side *side = &p->sides[i];
        size_t count;
        const struct cal_resident_record *records = cal_residency_get_records(b->r, i, &count);
        struct cal_resident_rate rate =
            cal_resident_find_rate(records, count, g->sms, times.window_ns);
        if (rate.unit_ns > 0)
            cal_samples_add(&side->set, rate.unit_ns, clock_mhz, throttled);
        side->ended_none = side->ended_none || rate.unit_ns == 0;
        side->starved = rate.starved > side->starved ? rate.starved : side->starved;
    }
    return 0;
}

/* Why a side has no samples; NULL and *v: it has. */
static const char *summarize(const struct point *p, int i, struct cal_statistics *v)
{
    const struct side *side = &p->sides[i];
    const char *failed = side->ended_none && p->failed == NULL ? "starved" : p->failed;
    struct dcs_err why = {0};
    if (failed == NULL && cal_samples_statistics(&side->set, CAL_STOP_COUNT, "warm", v, &why) != 0)
        failed = "clock";
    if (failed != NULL)
        *v = (struct cal_statistics){.stop = "count", .l2 = "warm"};
    return failed;
}

static int store_side(const struct bench *b, const struct point *p, int i, int first,
                      struct dcs_err *err)
{
    const struct cal_block_use use = cal_residency_get_use(b->r, i);
    const struct side *side = &p->sides[i];
    struct cal_statistics v;
    const char *failed = summarize(p, i, &v);
    const int64_t launched = (i - first + b->kernels) % b->kernels;
    const int next = (i + 1) % b->kernels, last = (i + 2) % b->kernels;
    if (failed == NULL)
        failed = "no";
    if (b->kernels == 3) {
        const int second = next < last ? next : last, third = next < last ? last : next;
        return cal_store_put(b->session->store, err, "residency_three", "tititiiiiiiiits",
                             b->names[i], (int64_t)p->blocks[i], b->names[second],
                             (int64_t)p->blocks[second], b->names[third], (int64_t)p->blocks[third],
                             launched, (int64_t)use.threads, (int64_t)use.registers,
                             (int64_t)use.shared_bytes, (int64_t)side->placed.min,
                             (int64_t)side->placed.max, (int64_t)side->starved, failed, &v);
    }
    const char *beside = b->kernels == 2 ? b->names[next] : "none";
    return cal_store_put(
        b->session->store, err, "residency", "titiiiiiiiits", b->names[i], (int64_t)p->blocks[i],
        beside, (int64_t)(b->kernels == 2 ? p->blocks[next] : 0), launched, (int64_t)use.threads,
        (int64_t)use.registers, (int64_t)use.shared_bytes, (int64_t)side->placed.min,
        (int64_t)side->placed.max, (int64_t)side->starved, failed, &v);
}

/* With the kernel that is launched first. */
static int measure_point(struct bench *b, const int blocks[CAL_RESIDENT_ROLES], int first,
                         struct dcs_err *err)
{
    struct point p = {.blocks = {blocks[0], blocks[1], blocks[2]}};
    int failed = cal_gpu_settle(b->session->gpu, err);
    for (int taken = 0, tries = 0; taken < SAMPLES && tries < TRIES && failed == 0;) {
        failed = take_sample(b, &p, first, err);
        bool good = p.failed == NULL;
        taken += good;
        tries = good ? tries : tries + 1;
    }
    for (int i = 0; i < b->kernels; i++) {
        if (failed == 0)
            failed = store_side(b, &p, i, first, err);
        cal_samples_release(&p.sides[i].set);
    }
    return failed;
}

/* --- a step --- */

static bool is_measured(const struct bench *b, const int blocks[CAL_RESIDENT_ROLES])
{
    double found;
    if (b->kernels == 3)
        return cal_store_get(
            b->session->store, &found,
            "SELECT 1 FROM residency_three WHERE kernel = ? AND blocks = ? AND second = ?"
            " AND second_blocks = ? AND third = ? AND third_blocks = ?",
            "tititi", b->names[0], (int64_t)blocks[0], b->names[1], (int64_t)blocks[1], b->names[2],
            (int64_t)blocks[2]);
    return cal_store_get(b->session->store, &found,
                         "SELECT 1 FROM residency WHERE kernel = ? AND blocks = ? AND beside = ?"
                         " AND beside_blocks = ?",
                         "titi", b->names[0], (int64_t)blocks[0],
                         b->kernels == 2 ? b->names[1] : "none", (int64_t)blocks[1]);
}

/* With each kernel launched first. */
static int measure_orders(struct bench *b, const int blocks[CAL_RESIDENT_ROLES],
                          struct dcs_err *err)
{
    if (is_measured(b, blocks))
        return 0;
    for (int first = 0; first < b->kernels; first++)
        if (measure_point(b, blocks, first, err) != 0)
            return -1;
    return 0;
}

static int measure_three(struct bench *b, const struct cal_sm_room *room, struct dcs_err *err)
{
    struct cal_block_use use[CAL_RESIDENT_ROLES];
    for (int i = 0; i < CAL_RESIDENT_ROLES; i++)
        use[i] = cal_residency_get_use(b->r, i);
    for (int most = 0; most <= 1; most++) {
        int blocks[CAL_RESIDENT_ROLES];
        cal_resident_fill(room, use, most, blocks);
        bool all = blocks[0] > 0 && blocks[1] > 0 && blocks[2] > 0;
        if (all && measure_orders(b, blocks, err) != 0)
            return -1;
    }
    return 0;
}

static int measure_points(struct bench *b, enum level level, struct dcs_err *err)
{
    struct cal_resident_point points[CAL_RESIDENT_POINTS];
    struct cal_sm_room room;
    struct dcs_err why = {0};
    if (cal_resident_get_room(&room, &why) != 0)
        return dcs_err_set(err, "%s", why.text);
    if (level == THREE)
        return measure_three(b, &room, err);
    const struct cal_block_use first = cal_residency_get_use(b->r, 0);
    struct cal_block_use second = {0};
    if (b->kernels == 2)
        second = cal_residency_get_use(b->r, 1);
    size_t count = cal_resident_points(&room, &first, b->kernels == 2 ? &second : NULL,
                                       level == COARSE, points);
    for (size_t i = 0; i < count; i++) {
        const int blocks[CAL_RESIDENT_ROLES] = {points[i].a, points[i].b};
        if (measure_orders(b, blocks, err) != 0)
            return -1;
    }
    return 0;
}

/* Whether blocks that stay compute what the kernel's ordinary ones do. */
static int check_kernel(struct cal_session *s, const char *name, struct dcs_err *err)
{
    const char *names[CAL_RESIDENT_ROLES] = {name, NULL};
    struct dcs_err why = {0};
    struct cal_residency *r = cal_residency_create(names, CHECK_LOAD, s->gpu->sms, s->seed, &why);
    int failed = r == NULL || cal_residency_check(r, &why) != 0;
    if (!s->gpu->dead)
        cal_residency_destroy(r);
    return failed ? dcs_err_set(err, "%s", why.text) : 0;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    const enum level level = (enum level)step->size;
    struct bench b = {.session = s, .kernels = level == ALONE ? 1 : level == THREE ? 3 : 2};
    struct dcs_err why = {0};
    for (int i = 0; i < b.kernels; i++)
        b.names[i] = cal_resident_name((size_t)step->item[i]);
    if (cal_gpu_wake(s->gpu, err) != 0 || (level == ALONE && check_kernel(s, b.names[0], err) != 0))
        return -1;
    b.r = cal_residency_create(b.names, 0, s->gpu->sms, s->seed, &why);
    if (b.r == NULL)
        return dcs_err_set(err, "%s", why.text);
    int failed = 0;
    for (int i = 0; i < b.kernels && failed == 0; i++)
        failed = cal_partition_stream(s->gpu, &s->gpu->cached[0], 0, &b.streams[i], err);
    if (failed == 0)
        failed = measure_points(&b, level, err);
    for (int i = 0; i < b.kernels && !s->gpu->dead; i++)
        if (b.streams[i] != NULL)
            cudaStreamDestroy(b.streams[i]);
    if (!s->gpu->dead)
        cal_residency_destroy(b.r);
    return failed;
}

const struct cal_measure cal_measure_residency = {
    .name = "residency",
    .help =
        "two and three CUDA kernels inside each SM: the rate of each by their numbers of blocks",
    .plan = plan,
    .run = run_step,
    .apart = true,
};
