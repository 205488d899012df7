/*
 * crew.c - see crew.h.
 */
#include "calibrate/worker/crew.h"
#include "calibrate/measure/corun.h"
#include "calibrate/worker/mps.h"

#include <stdlib.h>
#include <string.h>

#define CLIENTS_MAX 24
#define KEPT_MIN    3
#define TRIES       5 /* windows, each twice as long: a launch may wait twice for one of each other */
#define READY_S     20.0
#define DRAIN_S     60.0

static struct cal_mps *mps;
static struct client {
    struct cal_worker *worker;
    int number, percent, sms;
} clients[CLIENTS_MAX];

int cal_crew_ready(struct cal_session *s, struct dcs_err *err)
{
    /* What earlier measurements keep on the device is room that the children need. */
    cal_pool_release(s->gpu);
    return cal_mps_find(err);
}

/* --- processes --- */

struct cal_worker *cal_crew_hire(struct cal_session *s, const char *name, int percent,
                                 int first_sms, struct dcs_err *err)
{
    struct cal_worker_setting settings[CAL_MPS_SETTINGS] = {{NULL, NULL}};
    if (percent > 0) {
        if (mps != NULL && !cal_mps_alive(mps))
            cal_crew_release();
        if (mps == NULL)
            mps = cal_mps_start(err);
        if (mps == NULL)
            return NULL;
        cal_mps_settings(mps, percent, settings);
    }
    struct cal_worker *w = cal_worker_start(name, settings, err);
    if (w == NULL)
        return NULL;
    const int64_t args[] = {s->ordinal, first_sms};
    int failed = cal_worker_call(w, "open", NULL, args, 2, CAL_CREW_OPEN_S, err);
    /* A client that does not reach the server runs without MPS, and does not say so. */
    if (!failed && percent > 0 && percent < 100 && w->shared->values[0] >= s->sms)
        failed = dcs_err_set(err,
                             "%s sees all %d SMs, although it may use %d %%: it is no client of "
                             "MPS",
                             name, s->sms, percent);
    if (!failed)
        return w;
    cal_worker_close(w);
    return NULL;
}

struct cal_worker *cal_crew_client(struct cal_session *s, int number, int percent, int *sms,
                                   struct dcs_err *err)
{
    struct client *place = NULL;
    for (struct client *c = clients; c < clients + CLIENTS_MAX; c++) {
        if (c->worker != NULL && c->number == number && c->percent == percent) {
            *sms = c->sms;
            return c->worker;
        }
        if (c->worker == NULL && place == NULL)
            place = c;
    }
    DCS_ASSERT(place != NULL);
    char name[48];
    snprintf(name, sizeof name, percent > 0 ? "client %d of MPS with %d %%" : "process %d", number,
             percent);
    struct cal_worker *w = cal_crew_hire(s, name, percent, 0, err);
    if (w == NULL)
        return NULL;
    *sms = (int)w->shared->values[0];
    *place = (struct client){w, number, percent, *sms};
    return w;
}

void cal_crew_release(void)
{
    for (struct client *c = clients; c < clients + CLIENTS_MAX; c++) {
        cal_worker_close(c->worker);
        *c = (struct client){0};
    }
    cal_mps_stop(mps);
    mps = NULL;
}

int cal_crew_end_step(struct cal_session *s, const struct cal_step *step, int failed)
{
    bool more = false;
    struct cal_steps all = {0};
    step->measure->plan(s, &all);
    for (size_t i = 0; i < all.count && !more; i++)
        more = strcmp(all.steps[i].key, step->key) != 0 &&
               cal_store_step(s->store, all.steps[i].key) == CAL_STEP_MISSING;
    cal_steps_release(&all);
    if (failed || !more)
        cal_crew_release();
    return failed ? -1 : 0;
}

/* --- running together --- */

/* Halts those that were told and takes their answers; the first failure is in err. */
static int end_all(struct cal_crew_side *sides, int told, struct dcs_err *err)
{
    int failed = 0;
    struct dcs_err later = {0};
    for (int i = 0; i < told; i++)
        cal_worker_halt(sides[i].worker);
    for (int i = 0; i < told; i++)
        if (cal_worker_await(sides[i].worker, DRAIN_S, failed ? &later : err) != 0)
            failed = -1;
    return failed;
}

static int begin_all(struct cal_session *s, struct cal_crew_side *sides, int count,
                     struct dcs_err *err)
{
    for (int i = 0; i < count; i++) {
        bool single = sides[i].single || sides[i].pause_ns > 0;
        cal_worker_tell(sides[i].worker, single ? "single" : "stream", NULL,
                        single ? &sides[i].pause_ns : &sides[i].alone_ns, 1);
    }
    for (int i = 0; i < count; i++)
        if (cal_worker_await_ready(sides[i].worker, READY_S, err) != 0)
            return -1;
    return cal_gpu_wake(s->gpu, err);
}

static void collect(struct cal_crew_side *sides, int count, int clock_mhz, bool throttled,
                    int64_t *overlap_ns)
{
    int64_t from = 0, to = INT64_MAX;
    for (int i = 0; i < count; i++) {
        const struct cal_worker_shared *w = sides[i].worker->shared;
        int64_t first = w->records_count > 0 ? w->records[0].begin_ns : INT64_MAX;
        int64_t last = w->records_count > 0 ? w->records[w->records_count - 1].end_ns : 0;
        from = first > from ? first : from;
        to = last < to ? last : to;
    }
    *overlap_ns = to > from ? to - from : 0;
    for (int i = 0; i < count; i++) {
        const struct cal_worker_shared *w = sides[i].worker->shared;
        cal_samples_clear(&sides[i].samples);
        for (int64_t k = 1; k < w->records_count; k++) {
            const struct cal_worker_record *r = &w->records[k];
            if (r->begin_ns >= from && r->end_ns <= to)
                cal_samples_add(&sides[i].samples,
                                sides[i].single ? r->end_ns - r->begin_ns : r->device_ns, clock_mhz,
                                throttled);
        }
    }
}

static int run_once(struct cal_session *s, struct cal_crew_side *sides, int count, double window_s,
                    int64_t *overlap_ns, struct dcs_err *err)
{
    int failed = begin_all(s, sides, count, err), clock_mhz;
    bool throttled;
    struct dcs_err later = {0};
    struct cal_clock_mark mark = cal_gpu_clock_begin(s->gpu);
    if (!failed) {
        int64_t begin = cal_now_ns() + DCS_NS_PER_MS;
        for (int i = 0; i < count; i++)
            cal_worker_begin(sides[i].worker, begin);
        cal_sleep_until(begin + (int64_t)(window_s * 1e9));
    }
    cal_gpu_clock_end(s->gpu, mark, &clock_mhz, &throttled);
    if (end_all(sides, count, failed ? &later : err) != 0 || failed)
        return -1;
    collect(sides, count, clock_mhz, throttled, overlap_ns);
    return 0;
}

int cal_crew_run(struct cal_session *s, struct cal_crew_side *sides, int count, double window_s,
                 int64_t *overlap_ns, struct dcs_err *err)
{
    DCS_ASSERT(count >= 1 && count <= CAL_CREW_SIDES);
    double longest_s = 0;
    for (int i = 0; i < count; i++) {
        double alone_s = (double)(sides[i].alone_ns + sides[i].pause_ns) * 1e-9;
        longest_s = alone_s > longest_s ? alone_s : longest_s;
    }
    /* Each may be slowed by all others. */
    double least_s = (KEPT_MIN + 2) * count * longest_s;
    window_s = window_s > least_s ? window_s : least_s;
    for (int try = 0; try < TRIES; try++) {
        if (run_once(s, sides, count, window_s * (1 << try), overlap_ns, err) != 0)
            return -1;
        bool enough = true;
        for (int i = 0; i < count; i++)
            enough =
                enough && sides[i].samples.count + (size_t)sides[i].samples.throttled >= KEPT_MIN;
        if (enough)
            return 0;
    }
    return dcs_err_set(err,
                       "fewer than %d launches of a process lie in the %.3f s in which all ran",
                       KEPT_MIN, (double)*overlap_ns * 1e-9);
}
