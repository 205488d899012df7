/*
 * switch_host.c - pairs of kernels in one process, see switch.h.
 */
#include "calibrate/gpu/measured_gpu.h"
#include "calibrate/gpu/switch.h"
#include "calibrate/worker/worker.h"

#include <stdlib.h>

void cal_switch_pause(int sample)
{
    cal_sleep_until(cal_now_ns() + 50000 + sample % 16 * 7000);
}

int cal_switch_gaps(const int64_t *first_end_ns, const int64_t *second_begin_ns, int64_t tick_ns,
                    int64_t *gaps_ns, struct dcs_err *err)
{
    for (int i = 0; i < CAL_SWITCH_SAMPLES; i++) {
        int64_t end = first_end_ns[CAL_SWITCH_WARMUPS + i];
        int64_t begin = second_begin_ns[CAL_SWITCH_WARMUPS + i];
        /* Moments that lie in one step of the timer are equal; SMs may see a step apart. */
        if (end == 0 || begin == 0 || begin + tick_ns < end)
            return dcs_err_set(err,
                               "sample %d: the first kernel ends at %lld and the second begins at "
                               "%lld ns of the device's timer, which has steps of %lld ns",
                               i, (long long)end, (long long)begin, (long long)tick_ns);
        gaps_ns[i] = begin > end ? begin - end : 0;
    }
    return 0;
}

/* A pair; event: of the end of the first. */
static int run_pair(struct cal_gpu *g, struct cal_switch *s, const struct cal_switch_pair *p,
                    int sample, cudaEvent_t event, struct dcs_err *err)
{
    /* The first launch loads the kernel, which may wait for those that run: never behind a gate. */
    bool queued = p->way == CAL_SWITCH_QUEUED && sample > 0;
    int failed = queued ? cal_gpu_close_gate(g, p->streams[0], err) : 0;
    if (!failed)
        failed = cal_switch_launch(s, false, sample, p->blocks[0], sample > 0 ? p->blocks[1] : 0,
                                   p->streams[0], err);
    if (!failed)
        failed = cal_gpu_check(g, cudaEventRecord(event, p->streams[0]), "recording an event", err);
    if (!failed && !queued)
        failed = cal_gpu_wait(g, event, "the first kernel of a chain", err);
    if (!failed && queued && p->streams[0] != p->streams[1])
        failed = cal_gpu_check(g, cudaStreamWaitEvent(p->streams[1], event, 0),
                               "waiting for an event in another stream", err);
    if (!failed)
        failed = cal_switch_launch(s, true, sample, p->blocks[1], p->blocks[0], p->streams[1], err);
    if (queued)
        cal_gpu_open_gate(g);
    /* Of both, so that nothing is left behind a failure. */
    struct dcs_err later = {0};
    for (int i = 0; i < 2 && !g->dead; i++)
        if (cal_gpu_wait_stream(g, p->streams[i], "the kernels of a chain",
                                failed ? &later : err) != 0)
            failed = -1;
    return failed ? -1 : 0;
}

static int run_pairs(struct cal_gpu *g, struct cal_switch *s, const struct cal_switch_pair *p,
                     int64_t *gaps_ns, int64_t *tick_ns, struct dcs_err *err)
{
    cudaEvent_t event;
    int64_t ends[CAL_SWITCH_ALL], begins[CAL_SWITCH_ALL], wrong = 0;
    if (cal_switch_tick(s, p->streams[0], tick_ns, err) != 0 ||
        cal_gpu_check(g, cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
                      "making an event", err) != 0)
        return -1;
    int failed = 0;
    for (int i = 0; i < CAL_SWITCH_ALL && !failed; i++) {
        cal_switch_pause(i);
        failed = run_pair(g, s, p, i, event, err);
    }
    if (!g->dead)
        cudaEventDestroy(event);
    if (failed || cal_switch_read(s, ends, begins, &wrong, err) != 0)
        return -1;
    if (wrong > 0)
        return dcs_err_set(err, "%lld blocks did not find what the kernel before had written",
                           (long long)wrong);
    return cal_switch_gaps(ends, begins, *tick_ns, gaps_ns, err);
}

int cal_switch_run(struct cal_gpu *g, const struct cal_switch_pair *p, int64_t *gaps_ns,
                   int64_t *tick_ns, struct dcs_err *err)
{
    struct cal_switch *s = cal_switch_create(err);
    if (s == NULL)
        return -1;
    int failed = run_pairs(g, s, p, gaps_ns, tick_ns, err);
    if (!g->dead)
        cal_switch_destroy(s);
    return failed;
}
