/*
 * replay_beside.c - see counters.h.
 */
#include "calibrate/gpu/counters.h"
#include "calibrate/gpu/producers.h"
#include "calibrate/measure/corun.h"

#include <cuda_profiler_api.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_NS    20e6 /* of a range, about */
#define LAUNCHES_MAX 500  /* of a kernel in a range */

/* What the kernels run beside: all that half of the device can do to DRAM, and to L2, and those of
 * Themis, listing 1. */
static const char *const families[] = {"dram-copy", "l2-read", "themis-bandwidth", "themis-cache"};
#define FAMILIES (sizeof families / sizeof *families)

/* One side of a range: a kernel, or a producer, or neither. */
struct lane {
    const struct cal_partition *part;
    struct cal_subject *subject;
    struct cal_producer *producer;
    int launches, done;
    int64_t alone_ns;
    cudaEvent_t ends[2];
    int64_t took_ns;
};

static int open_lane(struct cal_gpu *g, struct lane *l, struct dcs_err *err)
{
    for (int i = 0; i < 2; i++)
        if (cal_gpu_check(g, cudaEventCreate(&l->ends[i]), "making an event", err) != 0)
            return -1;
    if (l->subject == NULL)
        return 0;
    if (cal_work_plan(g, l->subject->work, l->part->sms, err) != 0 ||
        cal_subject_alone(l->subject, l->part->stream, &l->alone_ns, err) != 0)
        return -1;
    double launches = WINDOW_NS / (double)l->alone_ns + 1;
    l->launches = launches < LAUNCHES_MAX ? (int)launches : LAUNCHES_MAX;
    return 0;
}

static void close_lane(struct lane *l)
{
    for (int i = 0; i < 2; i++)
        if (l->ends[i] != NULL)
            cudaEventDestroy(l->ends[i]);
}

static int start_producer(struct cal_gpu *g, struct lane *l, struct dcs_err *err)
{
    struct dcs_err why = {0};
    if (cal_producer_start(l->producer, l->part->stream, &why) != 0)
        return dcs_err_set(err, "%s", why.text);
    for (double began = cal_seconds(NULL); !cal_producer_started(l->producer);)
        if (cal_seconds(NULL) - began > g->patience_s)
            return dcs_err_set(
                err,
                "replay-beside: a producer of pressure has not started after %.0f s: "
                "see with nvidia-smi who else has the GPU, and try it without the "
                "profiler",
                g->patience_s);
    return 0;
}

/* The lane whose enqueued work ends first goes on, so that no stream runs dry. */
static int enqueue_kernels(struct cal_gpu *g, struct lane *lanes, int count, struct dcs_err *err)
{
    for (;;) {
        struct lane *next = NULL;
        for (int i = 0; i < count; i++) {
            struct lane *l = &lanes[i];
            if (l->subject != NULL && l->done < l->launches &&
                (next == NULL || (double)l->done * (double)l->alone_ns <
                                     (double)next->done * (double)next->alone_ns))
                next = l;
        }
        if (next == NULL)
            return 0;
        if (next->done == 0 && cal_gpu_check(g, cudaEventRecord(next->ends[0], next->part->stream),
                                             "recording", err) != 0)
            return -1;
        if (cal_subject_enqueue(next->subject, next->part->stream, err) != 0)
            return -1;
        if (++next->done == next->launches &&
            cal_gpu_check(g, cudaEventRecord(next->ends[1], next->part->stream), "recording",
                          err) != 0)
            return -1;
    }
}

/* A producer alone runs as long as a range of kernels does. */
static void pause_range(const struct lane *lanes, int count)
{
    for (int i = 0; i < count; i++)
        if (lanes[i].subject != NULL)
            return;
    for (double began = cal_seconds(NULL); cal_seconds(NULL) - began < WINDOW_NS / 1e9;)
        ;
}

static int run_range(struct cal_gpu *g, struct lane *lanes, int count, struct dcs_err *err)
{
    int failed = 0;
    for (int i = 0; i < count && !failed; i++)
        if (lanes[i].producer != NULL)
            failed = start_producer(g, &lanes[i], err);
    if (!failed)
        failed = enqueue_kernels(g, lanes, count, err);
    for (int i = 0; i < count && !failed; i++)
        if (lanes[i].subject != NULL)
            failed = cal_gpu_wait_stream(g, lanes[i].part->stream, "a counted kernel", err);
    if (!failed)
        pause_range(lanes, count);
    for (int i = 0; i < count; i++)
        if (lanes[i].producer != NULL)
            cal_producer_stop(lanes[i].producer);
    for (int i = 0; i < count && !failed; i++) {
        if (lanes[i].producer != NULL)
            failed = cal_gpu_wait_stream(g, lanes[i].part->stream, "a producer", err);
        else if (lanes[i].subject != NULL)
            failed = cal_gpu_elapsed(g, lanes[i].ends[0], lanes[i].ends[1], &lanes[i].took_ns, err);
    }
    return failed ? -1 : 0;
}

/* A range of the profiler, and a line for it. */
static int count_range(struct cal_gpu *g, struct lane *lanes, int count, struct dcs_err *err)
{
    static int number;
    int failed = 0;
    for (int i = 0; i < count && !failed; i++)
        failed = open_lane(g, &lanes[i], err);
    if (!failed)
        failed = cal_gpu_check(g, cudaDeviceSynchronize(), "a range", err) != 0 ||
                 cal_gpu_check(g, cudaProfilerStart(), "a range", err) != 0 ||
                 run_range(g, lanes, count, err) != 0 ||
                 cal_gpu_check(g, cudaProfilerStop(), "a range", err) != 0;
    if (!failed)
        printf(CAL_RANGE_LINE "\t%d", number++);
    for (int i = 0; i < count && !failed; i++) {
        const struct lane *l = &lanes[i];
        if (l->subject != NULL)
            printf("\t%s\t%s\t%d\t%d\t%lld\t%lld", l->subject->work->app->name,
                   cal_subject_kernel(l->subject), l->part->sms, l->launches,
                   (long long)l->alone_ns, (long long)l->took_ns);
        else
            printf("\tproducer\t%d\t%.3f\t%.0f\t%.0f", l->part->sms,
                   cal_producer_iterations_made(l->producer),
                   cal_producer_traffic(l->producer).dram, cal_producer_traffic(l->producer).l2);
    }
    if (!failed)
        printf("\n");
    for (int i = 0; i < count; i++)
        close_lane(&lanes[i]);
    return failed ? -1 : 0;
}

/* Each kernel alone, and beside each producer; each producer alone; each kernel beside the next. */
static int count_all(struct cal_gpu *g, struct cal_subject *subjects, int count,
                     struct cal_producer *const *producers, const struct cal_partition *parts,
                     struct dcs_err *err)
{
    int failed = 0;
    for (size_t f = 0; f < FAMILIES && !failed; f++)
        failed =
            count_range(g, &(struct lane){.part = &parts[1], .producer = producers[f]}, 1, err);
    for (int i = 0; i < count && !failed; i++) {
        failed = count_range(g, &(struct lane){.part = &parts[0], .subject = &subjects[i]}, 1, err);
        for (size_t f = 0; f < FAMILIES && !failed; f++) {
            struct lane lanes[2] = {{.part = &parts[0], .subject = &subjects[i]},
                                    {.part = &parts[1], .producer = producers[f]}};
            failed = count_range(g, lanes, 2, err);
        }
    }
    for (int i = 0; i + 1 < count && !failed; i++) {
        failed =
            count_range(g, &(struct lane){.part = &parts[1], .subject = &subjects[i + 1]}, 1, err);
        if (failed)
            break;
        struct lane lanes[2] = {{.part = &parts[0], .subject = &subjects[i]},
                                {.part = &parts[1], .subject = &subjects[i + 1]}};
        failed = count_range(g, lanes, 2, err);
    }
    return failed;
}

int cal_replay_beside(struct cal_gpu *g, char *const *names, int count, uint64_t seed,
                      struct dcs_err *err)
{
    const struct cal_session s = {.gpu = g, .sms = g->sms, .seed = seed};
    struct cal_subject *subjects = dcs_alloc((size_t)count + 1, sizeof *subjects);
    struct cal_producer *producers[FAMILIES] = {NULL};
    struct cal_partition *parts = NULL;
    int failed = cal_pool_split(g, 0, &parts, err), found = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* whole lines among what the profiler prints */
    for (int i = 0; i < count && !failed; i++) {
        const struct cal_app *app = cal_find_app(names[i]);
        struct cal_work *w = app != NULL ? cal_pool_work(g, app, seed, err) : NULL;
        if (app == NULL)
            dcs_err_set(err, "replay-beside: no application \"%.60s\"; `list` names them",
                        names[i]);
        failed = w == NULL || cal_work_plan(g, w, g->sms, err) != 0
                     ? -1
                     : cal_subject_find(&s, w, 0, &subjects[found], err);
        found += failed == 1;
        failed = failed == 1 ? 0 : failed;
    }
    if (!failed && found == 0)
        failed =
            dcs_err_set(err, "replay-beside: none of the applications has a kernel that can be "
                             "repeated: name another; `list` names them");
    for (size_t f = 0; f < FAMILIES && !failed; f++) {
        struct dcs_err why = {0};
        producers[f] = cal_producer_create(cal_producer_family_named(families[f]),
                                           CAL_PRODUCER_LEVELS - 1, parts[1].sms, &why);
        if (producers[f] == NULL)
            failed = dcs_err_set(err, "%s", why.text);
    }
    if (!failed)
        failed = count_all(g, subjects, found, producers, parts, err);
    for (size_t f = 0; f < FAMILIES && !g->dead; f++)
        cal_producer_destroy(producers[f]);
    if (!g->dead)
        cal_pool_release(g);
    free(subjects);
    return failed ? -1 : 0;
}
