/*
 * measure_noise.c - the same kernels again and again over minutes, every sample kept: how much one
 * device differs from itself, and with which distribution.
 *
 * The longest repeatable kernel of each of some applications, in turn, one launch each; a step is
 * half a minute of that. Samples are spread over the minutes by pauses: back to back they would
 * show only the shortest of what changes. at_ns is UNIX time; nothing is thrown away, but the clock
 * is with each.
 */
#include "calibrate/measure/work.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEPS         4
#define STEP_S        30.0
#define KERNELS_MAX   12
#define STEP_SAMPLES  100000 /* sample numbers of a step begin at a multiple */
#define PAUSE_NS      (5 * DCS_NS_PER_MS)
#define KERNEL_MAX_NS (20 * DCS_NS_PER_MS)

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    (void)s;
    for (int i = 0; i < STEPS; i++) {
        struct cal_step *step = cal_steps_add(steps, &cal_measure_noise, "noise/%d", i);
        step->item[0] = i;
        step->seconds = STEP_S + 3;
    }
}

struct subject {
    struct cal_work work;
    size_t shape;
};

/* The longest repeatable kernel that is not longer than the bound; false: there is none. */
static bool choose(struct cal_session *s, struct subject *k, struct dcs_err *err)
{
    int64_t longest = 0;
    for (size_t i = 0; i < k->work.shapes_count; i++) {
        const struct cal_kernel *kernel = &k->work.plan.kernels[k->work.shapes[i].first];
        int64_t ns = 0;
        if (!kernel->repeatable || kernel->kind != CAL_COMPUTE ||
            cal_work_time_alone(s->gpu, &k->work, i, 1, s->gpu->cached[0].stream, &ns, err) != 0)
            continue;
        if (ns > longest && ns <= KERNEL_MAX_NS) {
            longest = ns;
            k->shape = i;
        }
    }
    return longest > 0;
}

/* Applications spread over the table. Returns how many. */
static size_t open_subjects(struct cal_session *s, struct subject *subjects)
{
    size_t apps = 0, count = 0, stride;
    while (cal_apps[apps] != NULL)
        apps++;
    stride = apps > KERNELS_MAX ? apps / KERNELS_MAX : 1;
    for (size_t i = 0; i < apps && count < KERNELS_MAX && !s->gpu->dead; i += stride) {
        struct subject *k = &subjects[count];
        struct dcs_err why = {0};
        int64_t ns;
        if (cal_work_open(s->gpu, cal_apps[i], cal_apps[i]->size_default, s->seed, &k->work,
                          &why) != 0)
            continue; /* solo says why */
        if (cal_work_time_request(s->gpu, &k->work, s->gpu->cached[0].stream, &ns, &why) == 0 &&
            choose(s, k, &why))
            count++;
        else
            cal_work_close(s->gpu, &k->work);
    }
    return count;
}

static int64_t unix_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * DCS_NS_PER_S + now.tv_nsec;
}

static int take_sample(struct cal_session *s, struct subject *k, int64_t sample,
                       struct dcs_err *err)
{
    struct cal_clock_mark mark = cal_gpu_clock_begin(s->gpu);
    int64_t ns;
    int clock_mhz;
    bool throttled;
    if (cal_work_time_alone(s->gpu, &k->work, k->shape, 1, s->gpu->cached[0].stream, &ns, err) != 0)
        return -1;
    cal_gpu_clock_end(s->gpu, mark, &clock_mhz, &throttled);
    return cal_store_put(s->store, err, "noise", "titiiiii", k->work.app->name, k->work.size,
                         k->work.plan.kernels[k->work.shapes[k->shape].first].shape,
                         (int64_t)s->sms, sample, unix_ns(), ns, (int64_t)clock_mhz);
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct subject *subjects = dcs_alloc(KERNELS_MAX, sizeof *subjects);
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    int failed = cal_gpu_wake(s->gpu, err);
    size_t count = failed ? 0 : open_subjects(s, subjects);
    if (!failed && count == 0)
        failed = dcs_err_set(err, "no application has a repeatable kernel that could be run");
    double began = cal_seconds(NULL);
    int64_t sample = step->item[0] * STEP_SAMPLES;
    for (; !failed && cal_seconds(NULL) - began < STEP_S; sample++) {
        for (size_t i = 0; i < count && !failed; i++)
            failed = take_sample(s, &subjects[i], sample, err);
        nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < count; i++)
        cal_work_close(s->gpu, &subjects[i].work);
    free(subjects);
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_noise = {
    .name = "noise",
    .help = "the same kernels over minutes, every sample",
    .plan = plan,
    .run = run_step,
};
