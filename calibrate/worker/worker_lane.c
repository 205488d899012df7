/*
 * worker_lane.c - see worker_lane.h.
 */
#include "calibrate/worker/worker_lane.h"

#include <stdlib.h>
#include <string.h>

#define RING      (CAL_LANE_EVENTS - 1) /* launches that are enqueued ahead, at most */
#define AHEAD_NS  (20 * DCS_NS_PER_MS)  /* and so much work, but never fewer than AHEAD_MIN */
#define AHEAD_MIN 3

static struct cal_lane lanes[CAL_WORKER_THREADS];

struct cal_lane *cal_lane_of(const struct cal_worker_shared *w)
{
    return &lanes[w->thread];
}

int cal_lane_open(struct cal_lane *l, struct cal_gpu *gpu, cudaStream_t stream,
                  struct cal_victim *victim, struct dcs_err *err)
{
    DCS_ASSERT(l->target.work.app == NULL);
    l->gpu = gpu;
    l->stream = stream;
    l->victim = victim;
    for (int i = 0; i < CAL_LANE_EVENTS; i++)
        if (l->events[i] == NULL &&
            cal_gpu_check(gpu, cudaEventCreate(&l->events[i]), "making an event", err) != 0)
            return -1;
    return 0;
}

bool cal_lane_is_idle(const struct cal_lane *l)
{
    return l->gpu == NULL || (!l->gpu->dead && cudaStreamQuery(l->stream) == cudaSuccess);
}

static int record(struct cal_lane *l, cudaEvent_t event, struct dcs_err *err)
{
    return cal_gpu_check(l->gpu, cudaEventRecord(event, l->stream), "recording an event", err);
}

/* --- targets --- */

static int open_work(struct cal_worker_shared *w, const char *name, struct dcs_err *err)
{
    struct cal_lane *l = cal_lane_of(w);
    const struct cal_app *app = cal_find_app(name);
    if (app == NULL)
        return dcs_err_set(err, "no application \"%s\"", name);
    uint64_t seed = (uint64_t)w->args[0];
    bool same = l->target.work.app == app;
    l->target.kind = CAL_LANE_NOTHING;
    if (same)
        return 0;
    if (l->target.work.app != NULL)
        cal_work_close(l->gpu, &l->target.work);
    if (cal_work_open(l->gpu, app, app->size_default, seed, &l->target.work, err) == 0)
        return 0;
    memset(&l->target.work, 0, sizeof l->target.work);
    return -1;
}

int cal_lane_application(struct cal_worker_shared *w, struct dcs_err *err)
{
    return open_work(w, w->text, err);
}

int cal_lane_requests(struct cal_worker_shared *w, struct dcs_err *err)
{
    struct cal_lane *l = cal_lane_of(w);
    if (open_work(w, w->text, err) != 0)
        return -1;
    for (int i = 0; i < 3; i++)
        if (cal_work_time_request(l->gpu, &l->target.work, l->stream, &w->values[1], err) != 0)
            return -1;
    l->target.kind = CAL_LANE_REQUESTS;
    w->values[0] = l->target.work.size;
    return 0;
}

static bool find_shape(struct cal_lane *l, const char *name, struct cal_subject *out)
{
    for (size_t i = 0; i < l->target.work.shapes_count; i++)
        if (strcmp(l->target.work.plan.kernels[l->target.work.shapes[i].first].shape, name) == 0) {
            *out = (struct cal_subject){.gpu = l->gpu, .work = &l->target.work, .shape = i};
            return true;
        }
    return false;
}

int cal_lane_kernel(struct cal_worker_shared *w, struct dcs_err *err)
{
    struct cal_lane *l = cal_lane_of(w);
    char app[CAL_WORKER_TEXT];
    snprintf(app, sizeof app, "%s", w->text);
    char *kernel = strchr(app, ' ');
    if (kernel != NULL)
        *kernel++ = '\0';
    if (open_work(w, app, err) != 0)
        return -1;
    w->values[0] = l->target.work.size;
    if (kernel != NULL) {
        int64_t ignored;
        if (cal_work_time_request(l->gpu, &l->target.work, l->stream, &ignored, err) != 0)
            return -1;
        if (!find_shape(l, kernel, &l->target.subject))
            return dcs_err_set(err, "%s has no kernel %s", app, kernel);
    } else {
        const struct cal_session here = {.gpu = l->gpu};
        int found =
            cal_subject_find(&here, &l->target.work, (size_t)w->args[1], &l->target.subject, err);
        if (found == 0 && w->args[1] > 0)
            found = cal_subject_find(&here, &l->target.work, 0, &l->target.subject, err);
        if (found <= 0)
            return found;
    }
    w->values[2] = 1;
    snprintf(w->answer, sizeof w->answer, "%s", cal_subject_kernel(&l->target.subject));
    l->target.kind = CAL_LANE_KERNEL;
    return cal_subject_alone(&l->target.subject, l->stream, &w->values[1], err);
}

int cal_lane_spin(struct cal_worker_shared *w, struct dcs_err *err)
{
    struct cal_lane *l = cal_lane_of(w);
    l->target.kind = CAL_LANE_SPIN;
    l->target.blocks = (unsigned)w->args[0];
    l->target.threads = (unsigned)w->args[1];
    l->target.block_ns = (uint64_t)w->args[2];
    int64_t began = cal_now_ns();
    if (cal_victim_start(l->victim, CAL_VICTIM_WAITS, l->target.blocks, l->target.threads,
                         l->target.block_ns, l->stream, err) != 0 ||
        cal_gpu_wait_stream(l->gpu, l->stream, "blocks that spin", err) != 0)
        return -1;
    w->values[1] = cal_now_ns() - began;
    return 0;
}

static int enqueue(struct cal_lane *l, struct dcs_err *err)
{
    switch (l->target.kind) {
    case CAL_LANE_REQUESTS:
        return cal_work_enqueue(l->gpu, &l->target.work, l->stream, err);
    case CAL_LANE_KERNEL:
        return cal_subject_enqueue(&l->target.subject, l->stream, err);
    case CAL_LANE_SPIN:
        return cal_victim_start(l->victim, CAL_VICTIM_WAITS, l->target.blocks, l->target.threads,
                                l->target.block_ns, l->stream, err);
    default:
        return dcs_err_set(err, "there is nothing to run");
    }
}

/* --- running beside others --- */

static int add_record(struct cal_worker_shared *w, const struct cal_worker_record *r,
                      struct dcs_err *err)
{
    if (w->records_count == CAL_WORKER_RECORDS)
        return dcs_err_set(err, "more than %d launches in one measurement", CAL_WORKER_RECORDS);
    w->records[w->records_count++] = *r;
    return 0;
}

/* One, from the host's call to the host's knowledge of its end; arrival_ns is the caller's. */
static int run_one(struct cal_lane *l, int64_t origin_ns, struct cal_worker_record *r,
                   struct dcs_err *err)
{
    r->begin_ns = cal_now_ns() - origin_ns;
    if (record(l, l->events[0], err) != 0 || enqueue(l, err) != 0 ||
        record(l, l->events[1], err) != 0 ||
        cal_gpu_wait(l->gpu, l->events[1], "a request", err) != 0)
        return -1;
    r->end_ns = cal_now_ns() - origin_ns;
    return cal_gpu_elapsed(l->gpu, l->events[0], l->events[1], &r->device_ns, err);
}

int cal_lane_single(struct cal_worker_shared *w, struct dcs_err *err)
{
    struct cal_lane *l = cal_lane_of(w);
    int64_t origin, free_ns = 0, pause_ns = w->args[0];
    w->records_count = 0;
    if (cal_worker_wait_begin(w, &origin, err) != 0)
        return -1;
    while (!cal_worker_halted(w)) {
        struct cal_worker_record r = {.arrival_ns = free_ns};
        if (run_one(l, origin, &r, err) != 0 || add_record(w, &r, err) != 0)
            return -1;
        free_ns = r.end_ns + pause_ns;
        if (pause_ns > 0)
            cal_sleep_until(origin + free_ns);
    }
    return 0;
}

int cal_lane_stream(struct cal_worker_shared *w, struct dcs_err *err)
{
    struct cal_lane *l = cal_lane_of(w);
    int64_t alone_ns = w->args[0] > 0 ? w->args[0] : 1, ahead = AHEAD_NS / alone_ns;
    ahead = ahead < AHEAD_MIN ? AHEAD_MIN : ahead > RING ? RING : ahead;
    int64_t origin, enqueued = 0, ended = 0;
    w->records_count = 0;
    if (cal_worker_wait_begin(w, &origin, err) != 0)
        return -1;
    int64_t at = cal_now_ns() - origin;
    if (record(l, l->events[0], err) != 0)
        return -1;
    for (bool halted = false; !halted || ended < enqueued;) {
        halted = halted || cal_worker_halted(w);
        /* The event before the oldest that runs is still needed: RING + 1 of them. */
        while (!halted && enqueued - ended < ahead) {
            enqueued++;
            if (enqueue(l, err) != 0 || record(l, l->events[enqueued % (RING + 1)], err) != 0)
                return -1;
        }
        struct cal_worker_record r = {.arrival_ns = at, .begin_ns = at};
        cudaEvent_t before = l->events[ended % (RING + 1)],
                    after = l->events[(ended + 1) % (RING + 1)];
        if (enqueued == ended)
            continue;
        if (cal_gpu_wait(l->gpu, after, "kernels that run together", err) != 0 ||
            cal_gpu_elapsed(l->gpu, before, after, &r.device_ns, err) != 0)
            return -1;
        r.end_ns = at += r.device_ns;
        ended++;
        if (add_record(w, &r, err) != 0)
            return -1;
    }
    return 0;
}

int cal_lane_serve(struct cal_worker_shared *w, struct dcs_err *err)
{
    struct cal_lane *l = cal_lane_of(w);
    int64_t origin;
    for (int64_t i = 0; i < w->records_count; i++)
        w->records[i].begin_ns = w->records[i].end_ns = w->records[i].device_ns = 0;
    if (cal_worker_wait_begin(w, &origin, err) != 0)
        return -1;
    for (int64_t i = 0; i < w->records_count; i++) {
        cal_sleep_until(origin + w->records[i].arrival_ns);
        if (cal_worker_halted(w) || cal_now_ns() - origin > w->args[0])
            break;
        if (run_one(l, origin, &w->records[i], err) != 0)
            return -1;
        w->values[0]++;
    }
    return 0;
}
