/*
 * worker_switch.c - see worker_switch.h.
 */
#include "calibrate/worker/worker_switch.h"
#include "calibrate/gpu/switch.h"
#include "calibrate/worker/switch_board.h"

#include <string.h>

#define STEP_S 10.0 /* the other side has to come to its next step in that time */

/* --- one process --- */

int cal_worker_switch_alone(struct cal_gpu *g, struct cal_worker_shared *w, struct dcs_err *err)
{
    cudaStream_t stream = g->cached[0].stream;
    int64_t gaps_ns[CAL_SWITCH_SAMPLES];
    const struct cal_switch_pair pair = {
        {stream, stream}, {(unsigned)g->sms, (unsigned)g->sms}, (enum cal_switch_way)w->args[0]};
    if (cal_switch_run(g, &pair, gaps_ns, &w->values[0], err) != 0)
        return -1;
    w->records_count = CAL_SWITCH_SAMPLES;
    for (int i = 0; i < CAL_SWITCH_SAMPLES; i++)
        w->records[i] = (struct cal_worker_record){.device_ns = gaps_ns[i]};
    return 0;
}

/* --- two processes --- */

struct half {
    struct cal_gpu *gpu;
    struct cal_worker_shared *w;
    struct cal_board *board;
    struct cal_switch *kernels;
    cudaEvent_t event;
    bool second, wakes;
    unsigned others; /* blocks of the other's kernels; 0: nothing is shared */
};

static bool is_halted(const void *w)
{
    return cal_worker_halted(w);
}

static int await(struct half *h, _Atomic uint32_t *number, uint32_t wanted, bool sleeps,
                 const char *what, struct dcs_err *err)
{
    const struct cal_board_wait wait = {
        .limit_s = STEP_S, .sleeps = sleeps, .halted = is_halted, .context = h->w};
    return cal_board_await(h->board, number, wanted, &wait, what, err);
}

static int run_kernel(struct half *h, int sample, unsigned chained, struct dcs_err *err)
{
    cudaStream_t stream = h->gpu->cached[0].stream;
    const char *what = h->second ? "the second kernel of a chain" : "the first kernel of a chain";
    return cal_switch_launch(h->kernels, h->second, sample, (unsigned)h->gpu->sms, chained, stream,
                             err) != 0 ||
                   cal_gpu_check(h->gpu, cudaEventRecord(h->event, stream), "recording an event",
                                 err) != 0 ||
                   cal_gpu_wait(h->gpu, h->event, what, err) != 0
               ? -1
               : 0;
}

static int offer_memory(struct half *h, struct dcs_err *err)
{
    struct dcs_err why = {0};
    struct cal_board *b = h->board;
    cudaIpcMemHandle_t memory;
    _Static_assert(sizeof memory == sizeof b->handle, "the board has room for CUDA's handle");
    bool can = cal_switch_export(h->kernels, &memory, &why) == 0;
    if (can)
        memcpy(b->handle, &memory, sizeof memory);
    else
        snprintf(h->w->answer, sizeof h->w->answer, "%.250s", why.text);
    cal_board_tell(&b->offered, can ? CAL_BOARD_SHARED : CAL_BOARD_NOT_SHARED, false);
    if (await(h, &b->opened, CAL_BOARD_SHARED, false, "answer of the other process", err) != 0)
        return -1;
    if (atomic_load(&b->opened) != CAL_BOARD_SHARED)
        h->others = 0;
    return 0;
}

static int take_memory(struct half *h, struct dcs_err *err)
{
    struct dcs_err why = {0};
    struct cal_board *b = h->board;
    cudaIpcMemHandle_t memory;
    if (await(h, &b->offered, CAL_BOARD_SHARED, false, "memory of the other process", err) != 0)
        return -1;
    bool shared = atomic_load(&b->offered) == CAL_BOARD_SHARED;
    memcpy(&memory, b->handle, sizeof memory);
    if (shared && cal_switch_import(h->kernels, &memory, &why) != 0) {
        snprintf(h->w->answer, sizeof h->w->answer, "%.250s", why.text);
        shared = false;
        if (h->gpu->dead)
            return dcs_err_set(err, "%s", why.text);
    }
    if (!shared)
        h->others = 0;
    h->w->values[1] = shared;
    cal_board_tell(&b->opened, shared ? CAL_BOARD_SHARED : CAL_BOARD_NOT_SHARED, false);
    return 0;
}

static int run_firsts(struct half *h, struct dcs_err *err)
{
    struct cal_board *b = h->board;
    for (int i = 0; i < CAL_SWITCH_ALL; i++) {
        cal_switch_pause(i);
        if (run_kernel(h, i, i > 0 ? h->others : 0, err) != 0)
            return -1;
        cal_board_tell(&b->turn, (uint32_t)i + 1, h->wakes);
        if (await(h, &b->done, (uint32_t)i + 1, false, "end of the second kernel", err) != 0)
            return -1;
    }
    return await(h, &b->left, 1, false, "end of the other process", err);
}

static int run_seconds(struct half *h, struct dcs_err *err)
{
    struct cal_board *b = h->board;
    for (int i = 0; i < CAL_SWITCH_ALL; i++) {
        if (await(h, &b->turn, (uint32_t)i + 1, h->wakes, "end of the first kernel", err) != 0 ||
            run_kernel(h, i, h->others, err) != 0)
            return -1;
        cal_board_tell(&b->done, (uint32_t)i + 1, false);
    }
    return 0;
}

static int keep_moments(struct half *h, struct dcs_err *err)
{
    int64_t ends[CAL_SWITCH_ALL], begins[CAL_SWITCH_ALL], wrong = 0;
    if (cal_switch_read(h->kernels, ends, begins, &wrong, err) != 0)
        return -1;
    if (wrong > 0)
        return dcs_err_set(err,
                           "%lld blocks did not find what the other process's kernel had written",
                           (long long)wrong);
    h->w->records_count = CAL_SWITCH_ALL;
    for (int i = 0; i < CAL_SWITCH_ALL; i++)
        h->w->records[i] = (struct cal_worker_record){.begin_ns = begins[i], .end_ns = ends[i]};
    return 0;
}

static int run_half(struct half *h, struct dcs_err *err)
{
    if (cal_gpu_check(h->gpu, cudaEventCreateWithFlags(&h->event, cudaEventDisableTiming),
                      "making an event", err) != 0)
        return -1;
    int failed = cal_switch_tick(h->kernels, h->gpu->cached[0].stream, &h->w->values[0], err);
    /* The kernel is loaded before it matters. */
    if (!failed)
        failed = h->second ? take_memory(h, err) : offer_memory(h, err);
    if (!failed)
        failed = h->second ? run_seconds(h, err) : run_firsts(h, err);
    if (!failed)
        failed = keep_moments(h, err);
    if (!h->gpu->dead)
        cudaEventDestroy(h->event);
    return failed;
}

static int one_half(struct cal_gpu *g, struct cal_worker_shared *w, bool second,
                    struct dcs_err *err)
{
    struct half h = {.gpu = g,
                     .w = w,
                     .second = second,
                     .wakes = w->args[0] != 0,
                     .others = (unsigned)w->args[1],
                     .board = cal_board_open(w->text, err)};
    if (h.board == NULL)
        return -1;
    h.kernels = cal_switch_create(err);
    int failed = h.kernels == NULL ? -1 : run_half(&h, err);
    if (failed) {
        cal_board_give_up(h.board);
    }
    /* The second process lets go of the memory before the first one frees it. */
    if (!g->dead)
        cal_switch_destroy(h.kernels);
    if (second)
        cal_board_tell(&h.board->left, 1, false);
    cal_board_close(h.board);
    return failed;
}

int cal_worker_switch_from(struct cal_gpu *g, struct cal_worker_shared *w, struct dcs_err *err)
{
    return one_half(g, w, false, err);
}

int cal_worker_switch_to(struct cal_gpu *g, struct cal_worker_shared *w, struct dcs_err *err)
{
    return one_half(g, w, true, err);
}
