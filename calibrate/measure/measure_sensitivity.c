/*
 * measure_sensitivity.c - what pressure does to a kernel, and what pressure it makes (Themis,
 * section V).
 *
 * A step is one kernel in one split of the device. It runs alone on its partition, then beside each
 * producer at some of its levels, on the partition that is left. Then each producer at its highest
 * level is the meter: its own iterations are timed alone and beside the kernel. The order of the
 * steps: every third level of all families in the even split, in the other splits, then the levels
 * between of those families that reach a ceiling of the device.
 *
 * `sensitivity-l2` does the same with the families that press on what lies between the SMs and the
 * memory of L2. It is no part of `all`: it is for kernels that a model cannot follow without.
 */
#include "calibrate/measure/beside_producer.h"

#include <string.h>

#define KERNELS  2     /* of an application, the longest ones */
#define WINDOW_S 0.006 /* of each co-run, at least */
enum part { COARSE, FINE, L2_COARSE, L2_FINE };
#define METER_ALONE_S 0.020
#define METER_NS      1000000 /* of one launch of a meter, about */

static bool has_meters(int part)
{
    return part == COARSE || part == L2_COARSE;
}

static bool is_family_of(int part, int family)
{
    return (part >= L2_COARSE) == (family >= CAL_PRODUCER_FIRST_L2);
}

static bool is_of_part(int part, int family, int level)
{
    return is_family_of(part, family) && cal_is_coarse(level) == has_meters(part) &&
           (part != FINE || cal_is_main_family(family));
}

static double estimate(const struct cal_session *s, const struct cal_app *app, int rank, int sms,
                       int part)
{
    double kernel_s = cal_subject_seconds(s, app, (size_t)rank, sms);
    double seconds = cal_corun_seconds(kernel_s, WINDOW_S, true);
    if (kernel_s <= 0)
        return 0.02;
    for (int family = 0; family < cal_producer_families_count; family++) {
        for (int level = 0; level < CAL_PRODUCER_LEVELS; level++)
            if (is_of_part(part, family, level))
                seconds += CAL_SLOWED * cal_corun_seconds(kernel_s, WINDOW_S, true);
        if (has_meters(part) && is_family_of(part, family))
            seconds += CAL_SLOWED * cal_corun_seconds(kernel_s, WINDOW_S, false);
    }
    return 0.05 + seconds;
}

static void plan_parts(const struct cal_session *s, struct cal_steps *steps,
                       const struct cal_measure *m, int first, int last)
{
    for (int part = first; part <= last; part++)
        for (int split = 0; split < CAL_SPLITS; split++)
            for (int rank = 0; rank < KERNELS; rank++)
                for (size_t a = 0; cal_apps[a] != NULL; a++) {
                    int sms = cal_split_sms(s->sms, split);
                    struct cal_step *step =
                        cal_steps_add(steps, m, "%s/%s/%d/%d/%s", m->name, cal_apps[a]->name, rank,
                                      sms, has_meters(part) ? "coarse" : "fine");
                    step->app = cal_apps[a];
                    step->app_name = cal_apps[a]->name;
                    step->size = cal_apps[a]->size_default;
                    step->item[0] = part * CAL_SPLITS + split;
                    step->item[1] = rank;
                    step->seconds = estimate(s, cal_apps[a], rank, sms, part);
                }
}

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    plan_parts(s, steps, &cal_measure_sensitivity, COARSE, FINE);
}

static void plan_l2(const struct cal_session *s, struct cal_steps *steps)
{
    plan_parts(s, steps, &cal_measure_sensitivity_l2, L2_COARSE, L2_FINE);
}

int cal_corun_alone(struct cal_gpu *g, struct cal_corun_side *side, double window_s,
                    struct cal_statistics *out, struct dcs_err *err)
{
    int64_t overlap_ns;
    return cal_corun_rested(g, side, 1, window_s, &overlap_ns, err) != 0
               ? -1
               : cal_samples_statistics(&side->samples, CAL_STOP_TIME, "warm", out, err);
}

int cal_corun_store(struct cal_store *s, const struct cal_corun_kind *k,
                    const struct cal_corun_row *rows, int count, struct dcs_err *err)
{
    double last = 0;
    cal_store_get(s, &last, "SELECT max(id) FROM corun", "");
    int64_t id = (int64_t)last + 1;
    bool pressed = k->dram_gbs >= 0;
    char format[] = {'i',
                     't',
                     't',
                     k->half != NULL ? 't' : 'n',
                     'i',
                     'i',
                     pressed ? 'r' : 'n',
                     pressed ? 'r' : 'n',
                     '\0'};
    int failed;
    if (k->half != NULL)
        failed = pressed ? cal_store_put(s, err, "corun", format, id, k->kind, k->mechanism,
                                         k->half, k->draw, k->overlap_ns, k->dram_gbs, k->l2_gbs)
                         : cal_store_put(s, err, "corun", format, id, k->kind, k->mechanism,
                                         k->half, k->draw, k->overlap_ns);
    else
        failed = pressed ? cal_store_put(s, err, "corun", format, id, k->kind, k->mechanism,
                                         k->draw, k->overlap_ns, k->dram_gbs, k->l2_gbs)
                         : cal_store_put(s, err, "corun", format, id, k->kind, k->mechanism,
                                         k->draw, k->overlap_ns);
    for (int i = 0; i < count && !failed; i++)
        failed = cal_store_put(s, err, "corun_side", "iititiniris", id, (int64_t)i,
                               rows[i].application, rows[i].size, rows[i].kernel,
                               (int64_t)rows[i].sms, rows[i].alone.median_ns, rows[i].alone.mean_ns,
                               rows[i].alone.n, &rows[i].together);
    return failed;
}

/* --- beside a producer --- */

struct meter {
    struct cal_producer *producer;
    uint64_t iterations; /* of one launch; 0: not known yet */
    struct cal_statistics alone;
};

/* Meters of one partition size: what one takes alone does not depend on the kernel in hand. */
static struct {
    int sms;
    struct meter of[CAL_FAMILIES_MAX];
} meters;

struct victim {
    struct cal_gpu *gpu;
    struct cal_corun_side *side;
    int64_t overlap_ns;
};

static int run_victim(void *context, struct dcs_err *err)
{
    struct victim *v = context;
    return cal_corun(v->gpu, v->side, 1, WINDOW_S, &v->overlap_ns, err);
}

static int beside(struct cal_session *s, struct cal_corun_side *victim, struct cal_corun_row *row,
                  const struct cal_partition *other, int family, int level, struct dcs_err *err)
{
    struct cal_gpu *g = s->gpu;
    struct cal_producer *p = cal_kept_producer(family, level, other->sms, err);
    struct victim v = {.gpu = g, .side = victim};
    struct cal_pressure made = {0};
    if (p == NULL || cal_gpu_settle(g, err) != 0 ||
        cal_beside_producer(g, other, p, run_victim, &v, &made, err) != 0)
        return -1;
    for (int turn = 0, more = 1; more == 1 && cal_corun_throttled(victim, 1); turn++) {
        more = cal_gpu_rest(g, turn, err);
        if (more < 0 ||
            (more == 1 && cal_beside_producer(g, other, p, run_victim, &v, &made, err) != 0))
            return -1;
    }
    if (cal_samples_statistics(&victim->samples, CAL_STOP_TIME, "warm", &row->together, err) != 0)
        return -1;
    struct cal_corun_kind kind = {
        .kind = "sensitivity", .mechanism = "green", .overlap_ns = v.overlap_ns};
    struct cal_corun_row rows[2] = {*row, cal_producer_row(family, level, other->sms, p, &made,
                                                           (int)row->together.clock_mhz, &kind)};
    return cal_corun_store(s->store, &kind, rows, 2, err);
}

/* --- as a meter --- */

static int enqueue_meter(void *context, cudaStream_t stream, struct dcs_err *err)
{
    struct meter *m = context;
    struct dcs_err why = {0};
    if (cal_producer_run(m->producer, stream, m->iterations, &why) == 0)
        return 0;
    return dcs_err_set(err, "%s", why.text);
}

/* How many iterations take about METER_NS alone. */
static int scale_meter(struct cal_gpu *g, struct meter *m, struct cal_corun_side *side,
                       struct dcs_err *err)
{
    m->iterations = 1;
    for (int try = 0; try < 24; try++, m->iterations *= 2) {
        int64_t ns;
        if (cal_gpu_check(g, cudaEventRecord(g->begin, side->stream), "recording an event", err) !=
                0 ||
            enqueue_meter(m, side->stream, err) != 0 ||
            cal_gpu_check(g, cudaEventRecord(g->end, side->stream), "recording an event", err) !=
                0 ||
            cal_gpu_wait(g, g->end, "a meter", err) != 0 ||
            cal_gpu_elapsed(g, g->begin, g->end, &ns, err) != 0)
            return -1;
        side->alone_ns = (double)ns;
        if (ns >= METER_NS / 2)
            return 0;
    }
    return dcs_err_set(err, "a meter does not get slower with its iterations");
}

/* The meter of a family, timed alone; NULL and err. */
static struct meter *meter_of(struct cal_gpu *g, const struct cal_partition *p, int family,
                              struct dcs_err *err)
{
    if (meters.sms != p->sms)
        memset(&meters, 0, sizeof meters);
    meters.sms = p->sms;
    struct cal_producer *producer = cal_kept_producer(family, CAL_PRODUCER_LEVELS - 1, p->sms, err);
    struct meter *m = &meters.of[family];
    if (producer == NULL || m->producer == producer)
        return producer != NULL ? m : NULL;
    struct meter made = {.producer = producer};
    struct cal_corun_side side = {.enqueue = enqueue_meter, .context = &made, .stream = p->stream};
    int failed = scale_meter(g, &made, &side, err) != 0 ||
                 cal_corun_alone(g, &side, METER_ALONE_S, &made.alone, err) != 0;
    cal_samples_release(&side.samples);
    if (failed)
        return NULL;
    *m = made;
    return m;
}

static int metered(struct cal_session *s, struct cal_corun_side *victim,
                   const struct cal_corun_row *row, const struct cal_partition *other, int family,
                   struct dcs_err *err)
{
    struct cal_gpu *g = s->gpu;
    const int level = CAL_PRODUCER_LEVELS - 1;
    struct meter *m = meter_of(g, other, family, err);
    if (m == NULL)
        return -1;
    struct cal_corun_side sides[2] = {*victim,
                                      {.enqueue = enqueue_meter,
                                       .context = m,
                                       .stream = other->stream,
                                       .alone_ns = m->alone.mean_ns}};
    sides[0].samples = (struct cal_samples){0};
    struct cal_corun_row rows[2] = {*row,
                                    {.application = cal_producer_families[family].name,
                                     .size = level,
                                     .kernel = "meter",
                                     .sms = other->sms,
                                     .alone = m->alone}};
    struct cal_corun_kind kind = {
        .kind = "meter", .mechanism = "green", .dram_gbs = -1, .l2_gbs = -1};
    int failed = cal_corun_rested(g, sides, 2, WINDOW_S, &kind.overlap_ns, err) != 0 ||
                 cal_samples_statistics(&sides[0].samples, CAL_STOP_TIME, "warm", &rows[0].together,
                                        err) != 0 ||
                 cal_samples_statistics(&sides[1].samples, CAL_STOP_TIME, "warm", &rows[1].together,
                                        err) != 0 ||
                 cal_corun_store(s->store, &kind, rows, 2, err) != 0;
    cal_samples_release(&sides[0].samples);
    cal_samples_release(&sides[1].samples);
    return failed ? -1 : 0;
}

/* --- a step --- */

static int measure(struct cal_session *s, const struct cal_step *step, struct cal_subject *subject,
                   struct dcs_err *err)
{
    int part = (int)step->item[0] / CAL_SPLITS, split = (int)step->item[0] % CAL_SPLITS;
    struct cal_partition *parts;
    int64_t alone_ns;
    if (cal_pool_split(s->gpu, split, &parts, err) != 0 ||
        cal_work_plan(s->gpu, subject->work, parts[0].sms, err) != 0 ||
        cal_subject_alone(subject, parts[0].stream, &alone_ns, err) != 0)
        return -1;
    struct cal_corun_side victim = {.enqueue = cal_subject_enqueue,
                                    .context = subject,
                                    .stream = parts[0].stream,
                                    .entries = cal_subject_entries(subject),
                                    .alone_ns = (double)alone_ns};
    struct cal_corun_row row = {.application = step->app_name,
                                .size = step->size,
                                .kernel = cal_subject_kernel(subject),
                                .sms = parts[0].sms};
    int failed = cal_corun_alone(s->gpu, &victim, WINDOW_S, &row.alone, err);
    for (int family = 0; family < cal_producer_families_count && !failed; family++)
        for (int level = 0; level < CAL_PRODUCER_LEVELS && !failed; level++)
            if (is_of_part(part, family, level))
                failed = beside(s, &victim, &row, &parts[1], family, level, err);
    for (int family = 0; family < cal_producer_families_count && !failed && has_meters(part);
         family++)
        if (is_family_of(part, family))
            failed = metered(s, &victim, &row, &parts[1], family, err);
    cal_samples_release(&victim.samples);
    return failed ? -1 : 0;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct cal_subject subject;
    struct cal_work *w = cal_pool_work(s->gpu, step->app, s->seed, err);
    if (w == NULL || cal_gpu_wake(s->gpu, err) != 0 || cal_work_plan(s->gpu, w, s->sms, err) != 0)
        return -1;
    if (step->item[0] == 0 && step->item[1] == 0) /* the first step of an application */
        cal_subjects_tell_left_out(s, step->app);
    int found = cal_subject_find(s, w, (size_t)step->item[1], &subject, err);
    return found == 1 ? measure(s, step, &subject, err) : found;
}

const struct cal_measure cal_measure_sensitivity = {
    .name = "sensitivity",
    .help = "kernels beside pressure producers, and producers as meters beside kernels",
    .plan = plan,
    .run = run_step,
};

const struct cal_measure cal_measure_sensitivity_l2 = {
    .name = "sensitivity-l2",
    .help = "the same beside random accesses that hit in L2, and random writes; not in `all`",
    .plan = plan_l2,
    .run = run_step,
    .apart = true,
};
