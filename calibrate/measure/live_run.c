/*
 * live_run.c - see live_run.h.
 */
#include "calibrate/measure/live_run.h"
#include "calibrate/app/app.h"
#include "calibrate/plan/arrival_list.h"
#include "calibrate/measure/work.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SOLO_S        0.3
#define SOLO_REQUESTS 12
#define LOOK_NS       1000000
#define LIST_SEED     20180715 /* of the arrivals, whatever the seed of the inputs is */

int cal_live_list(struct cal_live_pair pairs[CAL_LIVE_PAIRS], int *chosen)
{
    size_t count = 0;
    while (cal_apps[count] != NULL)
        count++;
    const char **services = dcs_alloc(count + 1, sizeof *services);
    const char **batches = dcs_alloc(count + 1, sizeof *batches);
    struct cal_live_names names = {.services = services, .batches = batches};
    for (size_t i = 0; i < count; i++)
        if (cal_apps[i]->role == CAL_SERVICE)
            services[names.services_count++] = cal_apps[i]->name;
        else
            batches[names.batches_count++] = cal_apps[i]->name;
    int n = cal_live_pairs(&names, pairs, chosen);
    free(batches);
    free(services);
    return n;
}

/* --- making ready --- */

static int open_both(struct cal_session *s, struct cal_live_part *parts, bool together,
                     struct dcs_err *err)
{
    const int64_t args[] = {(int64_t)s->seed};
    int failed = 0;
    struct dcs_err later = {0};
    for (int i = 0; i < CAL_LIVE_ROLES && !failed; i++) {
        cal_worker_tell(parts[i].worker, "requests", parts[i].name, args, 1);
        if (!together)
            failed = cal_worker_await(parts[i].worker, CAL_CREW_ORDER_S, err);
    }
    for (int i = 0; i < CAL_LIVE_ROLES && together; i++)
        if (cal_worker_await(parts[i].worker, CAL_CREW_ORDER_S, failed ? &later : err) != 0)
            failed = -1;
    return failed;
}

static int time_alone(struct cal_session *s, struct cal_live_part *part, struct dcs_err *err)
{
    const struct cal_worker_shared *w = part->worker->shared;
    struct cal_crew_side side = {.worker = part->worker, .alone_ns = w->values[1], .single = true};
    double window_s = (double)side.alone_ns * 1e-9 * SOLO_REQUESTS;
    struct cal_statistics alone;
    int64_t overlap_ns;
    part->size = w->values[0];
    int failed =
        cal_crew_run(s, &side, 1, window_s > SOLO_S ? window_s : SOLO_S, &overlap_ns, err) != 0 ||
        cal_samples_statistics(&side.samples, CAL_STOP_TIME, "warm", &alone, err) != 0;
    cal_samples_release(&side.samples);
    if (failed)
        return -1;
    part->solo_ns = alone.median_ns;
    part->solo_clock_mhz = (int)alone.clock_mhz;
    return 0;
}

int cal_live_prepare(struct cal_session *s, struct cal_live_part *parts, bool together,
                     struct dcs_err *err)
{
    if (open_both(s, parts, together, err) != 0)
        return -1;
    for (int i = 0; i < CAL_LIVE_ROLES; i++)
        if (time_alone(s, &parts[i], err) != 0)
            return -1;
    return 0;
}

/* --- running --- */

int cal_live_draw(const struct cal_live_part *service, int pair, double load, double solo_ns,
                  struct dcs_err *err)
{
    struct cal_worker_shared *w = service->worker->shared;
    int64_t *moments = dcs_alloc(CAL_WORKER_RECORDS, sizeof *moments);
    uint64_t seed = LIST_SEED + 1000 * (uint64_t)pair + (uint64_t)(load * 100 + 0.5);
    size_t count =
        cal_arrivals(seed, solo_ns / load, CAL_LIVE_S * DCS_NS_PER_S, moments, CAL_WORKER_RECORDS);
    for (size_t i = 0; i < count; i++)
        w->records[i] = (struct cal_worker_record){.arrival_ns = moments[i]};
    w->records_count = (int64_t)count;
    free(moments);
    if (count > 0 && count < CAL_WORKER_RECORDS)
        return 0;
    return dcs_err_set(err, "%zu requests of %s arrive in %d s: 1 to %d can be measured", count,
                       service->name, CAL_LIVE_S, CAL_WORKER_RECORDS - 1);
}

static int begin_both(struct cal_session *s, const struct cal_live_part *parts, struct dcs_err *err)
{
    for (int i = 0; i < CAL_LIVE_ROLES; i++)
        if (cal_worker_await_ready(parts[i].worker, CAL_CREW_ORDER_S, err) != 0)
            return -1;
    if (cal_gpu_wake(s->gpu, err) != 0)
        return -1;
    int64_t begin = cal_now_ns() + DCS_NS_PER_MS;
    for (int i = 0; i < CAL_LIVE_ROLES; i++)
        cal_worker_begin(parts[i].worker, begin);
    return 0;
}

/* The batch application never ends by itself: if it does, the service need not go on. */
static void watch(struct cal_worker *service, struct cal_worker *batch, double limit_s)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    for (int64_t began = cal_now_ns(); cal_worker_busy(service) && cal_worker_busy(batch) &&
                                       (double)(cal_now_ns() - began) < limit_s * 1e9;)
        nanosleep(&pause, NULL);
    if (!cal_worker_busy(batch))
        cal_worker_halt(service);
}

int cal_live_run(struct cal_session *s, struct cal_live_part *parts, int *clock_mhz,
                 struct dcs_err *err)
{
    struct cal_worker *service = parts[CAL_LIVE_SERVICE].worker;
    struct cal_worker *batch = parts[CAL_LIVE_BATCH].worker;
    const int64_t until[] = {(CAL_LIVE_S + CAL_LIVE_DRAIN_S) * DCS_NS_PER_S}, no_pause[] = {0};
    double slowest_s =
        (double)(parts[CAL_LIVE_SERVICE].solo_ns + parts[CAL_LIVE_BATCH].solo_ns) * 1e-9;
    struct dcs_err later = {0};
    bool throttled;
    cal_worker_tell(service, "serve", NULL, until, 1);
    cal_worker_tell(batch, "single", NULL, no_pause, 1);
    int failed = begin_both(s, parts, err);
    struct cal_clock_mark mark = cal_gpu_clock_begin(s->gpu);
    if (failed)
        cal_worker_halt(service);
    else
        watch(service, batch, CAL_LIVE_S + CAL_LIVE_DRAIN_S);
    double rest_s = failed ? CAL_CREW_ORDER_S : 30 + 20 * slowest_s;
    if (cal_worker_await(service, rest_s, failed ? &later : err) != 0)
        failed = -1;
    cal_gpu_clock_end(s->gpu, mark, clock_mhz, &throttled);
    cal_worker_halt(batch);
    if (cal_worker_await(batch, CAL_CREW_ORDER_S, failed ? &later : err) != 0)
        failed = -1;
    if (!failed && service->shared->values[0] == 0)
        failed = dcs_err_set(err, "no request of %s was served", parts[CAL_LIVE_SERVICE].name);
    return failed ? -1 : 0;
}

int64_t cal_live_next_id(struct cal_session *s, const char *table)
{
    char sql[96];
    double last = 0;
    snprintf(sql, sizeof sql, "SELECT max(id) FROM %s", table);
    cal_store_get(s->store, &last, sql, "");
    return (int64_t)last + 1;
}

int cal_live_store(struct cal_session *s, const struct cal_live_part *parts, const char *table,
                   int64_t id, struct dcs_err *err)
{
    static const char *const roles[CAL_LIVE_ROLES] = {"service", "batch"};
    for (int role = 0; role < CAL_LIVE_ROLES; role++) {
        const struct cal_worker_shared *w = parts[role].worker->shared;
        for (int64_t i = 0; i < w->records_count; i++) {
            const struct cal_worker_record *r = &w->records[i];
            if (r->end_ns > 0 && cal_store_put(s->store, err, table, "itiiii", id, roles[role], i,
                                               r->arrival_ns, r->begin_ns, r->end_ns) != 0)
                return -1;
        }
    }
    return 0;
}
