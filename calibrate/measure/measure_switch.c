/*
 * measure_switch.c - what it costs that a request's next kernel gets other SMs: the time from the
 * end of one kernel to the begin of the next of the same chain (switch.h).
 *
 * Rows of `quota_switch`, for each number of SMs before and after:
 *
 *   mechanism   stream        both in one stream, enqueued one behind the other: what any kernel
 *                             waits for the one before, to be taken off the others
 *               stream_host   the host waits for the end and launches the next in the same stream
 *               green_event   the next one is in a stream of another green context, and waits there
 *                             for an event
 *               green_host    the host waits, and launches into the other green context
 *               mps_stream    as stream, in a client of MPS
 *               mps_host      as stream_host, in a client of MPS
 *               mps_spin      the next one is launched by another client of MPS with another
 *                             percentage, which polls shared memory for the word of the first
 *               mps_futex     the same, and that client sleeps until it is woken
 *   memory      'device': one process; 'ipc': the second kernel read what the first had written
 *               through CUDA IPC; 'none': that could not be had, and nothing was shared
 *   tick_ns     the least step of the device's timer that was seen: a time is that coarse
 *
 * Green contexts overlap: SMs of the smaller one are of the larger one, too, as when a quota grows
 * or shrinks. Nothing else runs on the device.
 */
#include "calibrate/worker/crew.h"
#include "calibrate/gpu/switch.h"
#include "calibrate/worker/switch_board.h"
#include "calibrate/plan/sort_numbers.h"

#include <stdlib.h>
#include <string.h>

#define HALF_S 60.0 /* a client has to be done with its kernels in that time */

enum mechanism {
    STREAM,
    STREAM_HOST,
    GREEN_EVENT,
    GREEN_HOST,
    MPS_STREAM,
    MPS_HOST,
    MPS_SPIN,
    MPS_FUTEX,
    MECHANISMS
};

static const struct {
    const char *name;
    enum cal_switch_way way;
    bool mps, other; /* by clients of MPS; the second kernel is elsewhere */
    double seconds;
} mechanisms[MECHANISMS] = {
    [STREAM] = {"stream", CAL_SWITCH_QUEUED, false, false, 0.8},
    [STREAM_HOST] = {"stream_host", CAL_SWITCH_HOST, false, false, 0.8},
    [GREEN_EVENT] = {"green_event", CAL_SWITCH_QUEUED, false, true, 0.8},
    [GREEN_HOST] = {"green_host", CAL_SWITCH_HOST, false, true, 0.8},
    [MPS_STREAM] = {"mps_stream", CAL_SWITCH_QUEUED, true, false, 9},
    [MPS_HOST] = {"mps_host", CAL_SWITCH_HOST, true, false, 0.8},
    [MPS_SPIN] = {"mps_spin", CAL_SWITCH_HOST, true, true, 1.2},
    [MPS_FUTEX] = {"mps_futex", CAL_SWITCH_HOST, true, true, 1.2},
};

/* In quarters of the device: from, to. */
static const int same[][2] = {{1, 1}, {2, 2}, {3, 3}};
static const int changes[][2] = {{2, 1}, {1, 2}, {2, 3}, {3, 2}};

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    (void)s;
    for (int m = 0; m < MECHANISMS; m++) {
        struct cal_step *step =
            cal_steps_add(steps, &cal_measure_switch, "switch/%s", mechanisms[m].name);
        step->item[0] = m;
        step->seconds = mechanisms[m].seconds;
    }
}

struct taking {
    struct cal_session *session;
    enum mechanism mechanism;
    int sms[2];
    const char *memory;
    int64_t tick_ns;
    struct cal_clock_mark begun;
    int64_t gaps_ns[CAL_SWITCH_SAMPLES];
};

/* The clock is up, and watched from here on. */
static int begin(struct taking *t, struct dcs_err *err)
{
    if (cal_gpu_wake(t->session->gpu, err) != 0)
        return -1;
    t->begun = cal_gpu_clock_begin(t->session->gpu);
    return 0;
}

/* --- in this process --- */

static int take_here(struct taking *t, const int quarters[2], struct dcs_err *err)
{
    struct cal_gpu *g = t->session->gpu;
    struct cal_switch_pair pair = {.way = mechanisms[t->mechanism].way};
    if (!g->green)
        return dcs_err_set(err, "no SM partitions on this device: %s", g->no_green);
    for (int i = 0; i < 2; i++) {
        t->sms[i] = g->sms / CAL_PARTITION_STEP * quarters[i] / 4 * CAL_PARTITION_STEP;
        const struct cal_partition *p =
            t->sms[i] > 0 ? cal_gpu_partition(g, t->sms[i], err)
                          : (dcs_err_set(err, "%d SMs are too few to be quartered", g->sms), NULL);
        if (p == NULL)
            return -1;
        pair.streams[i] = p->stream;
        pair.blocks[i] = (unsigned)p->sms;
    }
    t->memory = "device";
    return begin(t, err) != 0 || cal_switch_run(g, &pair, t->gaps_ns, &t->tick_ns, err) != 0 ? -1
                                                                                             : 0;
}

/* --- in clients of MPS --- */

static int take_in_one(struct taking *t, struct cal_worker *w, struct dcs_err *err)
{
    const int64_t args[] = {mechanisms[t->mechanism].way};
    if (cal_worker_call(w, "switch-alone", NULL, args, 1, HALF_S, err) != 0)
        return -1;
    t->memory = "device";
    t->tick_ns = w->shared->values[0];
    for (int i = 0; i < CAL_SWITCH_SAMPLES; i++)
        t->gaps_ns[i] = w->shared->records[i].device_ns;
    return 0;
}

static int read_two(struct taking *t, struct cal_worker *const w[2], struct dcs_err *err)
{
    int64_t ends[CAL_SWITCH_ALL], begins[CAL_SWITCH_ALL];
    for (int i = 0; i < 2; i++)
        if (w[i]->shared->records_count != CAL_SWITCH_ALL)
            return dcs_err_set(err, "%s has %lld kernels of %d", w[i]->name,
                               (long long)w[i]->shared->records_count, CAL_SWITCH_ALL);
    for (int i = 0; i < CAL_SWITCH_ALL; i++) {
        ends[i] = w[0]->shared->records[i].end_ns;
        begins[i] = w[1]->shared->records[i].begin_ns;
    }
    t->tick_ns = w[1]->shared->values[0];
    t->memory = w[1]->shared->values[1] != 0 ? "ipc" : "none";
    if (w[1]->shared->values[1] == 0)
        fprintf(stderr, "dcsim-calibrate: %s and %s share no memory of the device: %s%s\n",
                w[0]->name, w[1]->name, w[0]->shared->answer, w[1]->shared->answer);
    return cal_switch_gaps(ends, begins, t->tick_ns, t->gaps_ns, err);
}

static int take_in_two(struct taking *t, struct cal_worker *const w[2], struct dcs_err *err)
{
    char board[CAL_BOARD_NAME];
    if (cal_board_make(board, err) != 0)
        return -1;
    int failed = 0;
    struct dcs_err later = {0};
    for (int i = 0; i < 2; i++) {
        const int64_t args[] = {t->mechanism == MPS_FUTEX, t->sms[1 - i]};
        cal_worker_tell(w[i], i == 0 ? "switch-from" : "switch-to", board, args, 2);
    }
    for (int i = 0; i < 2; i++)
        if (cal_worker_await(w[i], HALF_S, failed ? &later : err) != 0)
            failed = -1;
    cal_board_remove(board);
    if (failed && later.text[0] != '\0')
        fprintf(stderr, "dcsim-calibrate: and of the other process: %s\n", later.text);
    return failed ? -1 : read_two(t, w, err);
}

static int take_in_clients(struct taking *t, const int quarters[2], struct dcs_err *err)
{
    struct cal_worker *w[2];
    for (int i = 0; i < 2; i++)
        if ((w[i] = cal_crew_client(t->session, 0, 25 * quarters[i], &t->sms[i], err)) == NULL)
            return -1;
    if (begin(t, err) != 0)
        return -1;
    return mechanisms[t->mechanism].other ? take_in_two(t, w, err) : take_in_one(t, w[0], err);
}

/* --- a row --- */

static int store(struct taking *t, const struct cal_samples *samples, struct dcs_err *err)
{
    struct cal_statistics v;
    if (cal_samples_statistics(samples, CAL_STOP_COUNT, "warm", &v, err) != 0)
        return -1;
    cal_sort_integers(t->gaps_ns, CAL_SWITCH_SAMPLES);
    int64_t p95_ns = t->gaps_ns[(CAL_SWITCH_SAMPLES - 1) * 95 / 100];
    return cal_store_put(t->session->store, err, "quota_switch", "tiitiis",
                         mechanisms[t->mechanism].name, (int64_t)t->sms[0], (int64_t)t->sms[1],
                         t->memory, t->tick_ns, p95_ns > 0 ? p95_ns : 1, &v);
}

static int take_samples(struct taking *t, const int quarters[2], struct dcs_err *err)
{
    struct cal_gpu *g = t->session->gpu;
    struct cal_samples samples = {0};
    int clock_mhz;
    bool throttled;
    int failed = mechanisms[t->mechanism].mps ? take_in_clients(t, quarters, err)
                                              : take_here(t, quarters, err);
    if (failed)
        return -1;
    cal_gpu_clock_end(g, t->begun, &clock_mhz, &throttled);
    for (int i = 0; i < CAL_SWITCH_SAMPLES; i++)
        cal_samples_add(&samples, t->gaps_ns[i], clock_mhz, throttled);
    failed = store(t, &samples, err);
    cal_samples_release(&samples);
    return failed;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct taking t = {.session = s, .mechanism = (enum mechanism)step->item[0]};
    bool mps = mechanisms[t.mechanism].mps, other = mechanisms[t.mechanism].other;
    const int(*quarters)[2] = other ? changes : same;
    int count = other ? sizeof changes / sizeof *changes : sizeof same / sizeof *same;
    int failed = mps ? cal_crew_ready(s, err) : 0;
    for (int i = 0; i < count && !failed; i++)
        failed = take_samples(&t, quarters[i], err);
    return mps ? cal_crew_end_step(s, step, failed) : failed;
}

const struct cal_measure cal_measure_switch = {
    .name = "switch",
    .help = "what a kernel on other SMs than the one before it waits: green contexts, MPS",
    .plan = plan,
    .run = run_step,
};
