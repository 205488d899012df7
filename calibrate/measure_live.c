/*
 * measure_live.c - real requests of a service beside a batch application, each in a process of its
 * own under MPS: what a whole simulation can be compared with, without a scheduler of ours.
 *
 * The service's requests arrive from a list that is drawn once (Poisson) and served first come,
 * first served, one at a time; the batch application issues its next request when the one before
 * has ended. With two processes C-Laius' even allocation (200 %/n each, at most 100 %) and its
 * priority allocation (100 % to the service, 100 %/(n - 1) to each other; section 3.3) are the
 * same, 100 % for both. So 'even' is that, and 'priority' gives the batch application
 * PRIORITY_PERCENT.
 *
 * A load is the share of time in which the service would be busy alone: its mean gap is the solo
 * time over the load, with the solo time of the first measurement of this service in the profile,
 * so that both allocations meet the same list. Solo times are measured in the same processes, just
 * before, from the host's call to the host's knowledge of the end, as are the times of requests.
 *
 * Requests that arrive within DURATION_S are served, and the batch application runs on meanwhile,
 * but at most DRAIN_S longer: if the service is overloaded, its last requests are missing.
 */
#include "calibrate/app.h"
#include "calibrate/arrivals.h"
#include "calibrate/crew.h"
#include "calibrate/live_pairs.h"
#include "calibrate/work.h"

#include <stdlib.h>
#include <string.h>

#define DURATION_S       20
#define DRAIN_S          5
#define SOLO_S           0.3
#define SOLO_REQUESTS    12
#define PRIORITY_PERCENT 30
#define LIST_SEED        20180715 /* of the arrivals, whatever the seed of the inputs is */

/* In the order in which they are measured: one of each pair first. */
static const struct {
    const char *allocation;
    int batch_percent;
    double load;
} settings[] = {
    {"even", 100, 0.6},
    {"priority", PRIORITY_PERCENT, 0.6},
    {"even", 100, 0.3},
    {"priority", PRIORITY_PERCENT, 0.3},
};
#define SETTINGS ((int)(sizeof settings / sizeof settings[0]))

static int list_pairs(struct cal_live_pair pairs[CAL_LIVE_PAIRS])
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
    int n = cal_live_pairs(&names, pairs);
    free(batches);
    free(services);
    return n;
}

static void add_steps(struct cal_steps *steps, const struct cal_live_pair *pairs, int from, int to)
{
    for (int k = 0; k < SETTINGS; k++)
        for (int i = from; i < to; i++) {
            struct cal_step *step =
                cal_steps_add(steps, &cal_measure_live, "live/%s+%s/%s/%.1f", pairs[i].service,
                              pairs[i].batch, settings[k].allocation, settings[k].load);
            step->app_name = pairs[i].service;
            step->item[0] = i;
            step->item[1] = k;
            step->seconds = DURATION_S + 6;
        }
}

/* The chosen pairs before those that are drawn. */
static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    (void)s;
    struct cal_live_pair pairs[CAL_LIVE_PAIRS];
    int n = list_pairs(pairs);
    add_steps(steps, pairs, 0, CAL_LIVE_FIRST);
    add_steps(steps, pairs, CAL_LIVE_FIRST, n);
}

enum role { SERVICE, BATCH, ROLES };

struct part {
    const char *name;
    int percent;
    struct cal_worker *worker;
    int64_t size, solo_ns;
};

/* --- making ready --- */

static int prepare(struct cal_session *s, struct part *parts, struct dcs_err *err)
{
    const int64_t args[] = {(int64_t)s->seed};
    int sms, failed = 0;
    for (int i = 0; i < ROLES; i++) {
        parts[i].worker = cal_crew_client(s, i, parts[i].percent, &sms, err);
        if (parts[i].worker == NULL)
            return -1;
    }
    /* Both at the same time: their inputs take longer to make than anything else. */
    struct dcs_err later = {0};
    for (int i = 0; i < ROLES; i++)
        cal_worker_tell(parts[i].worker, "requests", parts[i].name, args, 1);
    for (int i = 0; i < ROLES; i++)
        if (cal_worker_await(parts[i].worker, CAL_CREW_ORDER_S, failed ? &later : err) != 0)
            failed = -1;
    for (int i = 0; i < ROLES && !failed; i++) {
        const struct cal_worker_shared *w = parts[i].worker->shared;
        struct cal_crew_side side = {
            .worker = parts[i].worker, .alone_ns = w->values[1], .single = true};
        double window_s = (double)side.alone_ns * 1e-9 * SOLO_REQUESTS;
        struct cal_statistics alone;
        int64_t overlap_ns;
        parts[i].size = w->values[0];
        failed = cal_crew_run(s, &side, 1, window_s > SOLO_S ? window_s : SOLO_S, &overlap_ns,
                              err) != 0 ||
                 cal_samples_statistics(&side.samples, CAL_STOP_TIME, "warm", &alone, err) != 0;
        cal_samples_release(&side.samples);
        if (!failed)
            parts[i].solo_ns = alone.median_ns;
    }
    return failed ? -1 : 0;
}

/* --- running --- */

static int draw_arrivals(struct cal_session *s, const struct part *service, int pair, double load,
                         struct dcs_err *err)
{
    struct cal_worker_shared *w = service->worker->shared;
    double solo_ns = (double)service->solo_ns;
    cal_store_get(s->store, &solo_ns,
                  "SELECT service_solo_ns FROM live WHERE service = ? AND service_size = ?"
                  " ORDER BY id LIMIT 1",
                  "ti", service->name, service->size);
    int64_t *moments = dcs_alloc(CAL_WORKER_RECORDS, sizeof *moments);
    uint64_t seed = LIST_SEED + 1000 * (uint64_t)pair + (uint64_t)(load * 100 + 0.5);
    size_t count =
        cal_arrivals(seed, solo_ns / load, DURATION_S * DCS_NS_PER_S, moments, CAL_WORKER_RECORDS);
    for (size_t i = 0; i < count; i++)
        w->records[i] = (struct cal_worker_record){.arrival_ns = moments[i]};
    w->records_count = (int64_t)count;
    free(moments);
    if (count > 0 && count < CAL_WORKER_RECORDS)
        return 0;
    return dcs_err_set(err, "%zu requests of %s arrive in %d s: 1 to %d can be measured", count,
                       service->name, DURATION_S, CAL_WORKER_RECORDS - 1);
}

static int run_both(struct cal_session *s, struct part *parts, struct dcs_err *err)
{
    struct cal_worker *service = parts[SERVICE].worker, *batch = parts[BATCH].worker;
    const int64_t until[] = {(DURATION_S + DRAIN_S) * DCS_NS_PER_S}, no_pause[] = {0};
    double slowest_s = (double)(parts[SERVICE].solo_ns + parts[BATCH].solo_ns) * 1e-9;
    struct dcs_err later = {0};
    cal_worker_tell(service, "serve", NULL, until, 1);
    cal_worker_tell(batch, "single", NULL, no_pause, 1);
    int failed = cal_worker_await_ready(service, CAL_CREW_ORDER_S, err) != 0 ||
                 cal_worker_await_ready(batch, CAL_CREW_ORDER_S, err) != 0 ||
                 cal_gpu_wake(s->gpu, err) != 0;
    if (!failed) {
        int64_t begin = cal_now_ns() + DCS_NS_PER_MS;
        cal_worker_begin(service, begin);
        cal_worker_begin(batch, begin);
        failed = cal_worker_await(service, DURATION_S + DRAIN_S + 30 + 20 * slowest_s, err) != 0;
    } else {
        cal_worker_halt(service);
        cal_worker_await(service, CAL_CREW_ORDER_S, &later);
    }
    cal_worker_halt(batch);
    if (cal_worker_await(batch, CAL_CREW_ORDER_S, failed ? &later : err) != 0)
        failed = -1;
    if (!failed && service->shared->values[0] == 0)
        failed = dcs_err_set(err, "no request of %s was served", parts[SERVICE].name);
    return failed ? -1 : 0;
}

static int store(struct cal_session *s, const struct part *parts, const char *half, int setting,
                 struct dcs_err *err)
{
    static const char *const roles[ROLES] = {"service", "batch"};
    double last = 0;
    cal_store_get(s->store, &last, "SELECT max(id) FROM live", "");
    int64_t id = (int64_t)last + 1;
    if (cal_store_put(
            s->store, err, "live", "itititiiritii", id, parts[SERVICE].name, parts[SERVICE].size,
            parts[BATCH].name, parts[BATCH].size, settings[setting].allocation,
            (int64_t)parts[SERVICE].percent, (int64_t)parts[BATCH].percent, settings[setting].load,
            DURATION_S * DCS_NS_PER_S, half, parts[SERVICE].solo_ns, parts[BATCH].solo_ns) != 0)
        return -1;
    for (int role = 0; role < ROLES; role++) {
        const struct cal_worker_shared *w = parts[role].worker->shared;
        for (int64_t i = 0; i < w->records_count; i++) {
            const struct cal_worker_record *r = &w->records[i];
            if (r->end_ns > 0 &&
                cal_store_put(s->store, err, "live_request", "itiiii", id, roles[role], i,
                              r->arrival_ns, r->begin_ns, r->end_ns) != 0)
                return -1;
        }
    }
    return 0;
}

static int run(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    int pair = (int)step->item[0], setting = (int)step->item[1];
    struct cal_live_pair pairs[CAL_LIVE_PAIRS];
    list_pairs(pairs);
    struct part parts[ROLES] = {
        [SERVICE] = {.name = pairs[pair].service, .percent = 100},
        [BATCH] = {.name = pairs[pair].batch, .percent = settings[setting].batch_percent},
    };
    int failed = prepare(s, parts, err) != 0 ||
                 draw_arrivals(s, &parts[SERVICE], pair, settings[setting].load, err) != 0 ||
                 run_both(s, parts, err) != 0 ||
                 store(s, parts, pairs[pair].half, setting, err) != 0;
    return cal_crew_end_step(s, step, failed);
}

const struct cal_measure cal_measure_live = {
    .name = "live",
    .help = "requests of a service beside a batch application, under MPS",
    .plan = plan,
    .ready = cal_crew_ready,
    .run = run,
};
