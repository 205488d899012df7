/*
 * measure_live_partitions.c - real requests of a service beside a batch application, each on a
 * partition of its own: the pairs of measure_live.c in one process, each application driven by a
 * thread of it, in a stream of its own green context. Together the two partitions are the device.
 * How a run goes: live_run.h.
 *
 * The load is a share of what the service could do alone on its partition: its mean gap is its solo
 * time there, measured just before, over the load.
 *
 * Each run has a process of its own, so that none finds what another one left there.
 */
#include "calibrate/measure/corun.h"
#include "calibrate/measure/live_run.h"

#define LOAD 0.6
/* A thread that asks the driver for the end of its request all the time keeps the other from
 * launching; in 2 us no kernel of a request of milliseconds is missed. */
#define LOOK_NS 2000

/* The even split of all pairs first; on a device that is too small for two there is no step. */
static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    struct cal_live_pair pairs[CAL_LIVE_PAIRS];
    int sms[CAL_LIVE_SPLITS], n = cal_live_list(pairs, NULL);
    int splits = cal_live_splits(s->sms, CAL_PARTITION_STEP, sms);
    for (int k = 0; k < splits; k++)
        for (int i = 0; i < n; i++) {
            struct cal_step *step =
                cal_steps_add(steps, &cal_measure_live_partitions, "live-partitions/%s+%s/%d/%.1f",
                              pairs[i].service, pairs[i].batch, sms[k], LOAD);
            step->app_name = pairs[i].service;
            step->item[0] = i;
            step->item[1] = sms[k];
            step->seconds = CAL_LIVE_S + 4;
        }
}

static int ready(struct cal_session *s, struct dcs_err *err)
{
    if (!s->gpu->green)
        return dcs_err_set(err, "no SM partitions on this device: %s", s->gpu->no_green);
    /* What earlier measurements keep on the device is room that the process needs. */
    cal_pool_release(s->gpu);
    cal_crew_release();
    return 0;
}

/* sms: of the service's partition, and out: of both. */
static int hire(struct cal_session *s, struct cal_live_part *parts, int sms[CAL_LIVE_ROLES],
                struct dcs_err *err)
{
    struct cal_worker *process = cal_crew_hire(s, "the service", 0, sms[CAL_LIVE_SERVICE], err);
    parts[CAL_LIVE_SERVICE].worker = process;
    if (process == NULL)
        return -1;
    parts[CAL_LIVE_BATCH].worker = cal_worker_add_thread(process, "the batch application", err);
    if (parts[CAL_LIVE_BATCH].worker == NULL)
        return -1;
    for (int i = 0; i < CAL_LIVE_ROLES; i++) {
        const int64_t args[] = {i, LOOK_NS};
        if (cal_worker_call(parts[i].worker, "partition", NULL, args, 2, CAL_CREW_ORDER_S, err) !=
            0)
            return -1;
        sms[i] = (int)parts[i].worker->shared->values[0];
    }
    return 0;
}

static int store(struct cal_session *s, const struct cal_live_part *parts, const int *sms,
                 const char *half, int clock_mhz, struct dcs_err *err)
{
    const struct cal_live_part *service = &parts[CAL_LIVE_SERVICE], *batch = &parts[CAL_LIVE_BATCH];
    int64_t id = cal_live_next_id(s, "live_partition");
    return cal_store_put(s->store, err, "live_partition", "itiitiiritiiiii", id, service->name,
                         service->size, (int64_t)sms[CAL_LIVE_SERVICE], batch->name, batch->size,
                         (int64_t)sms[CAL_LIVE_BATCH], LOAD, CAL_LIVE_S * DCS_NS_PER_S, half,
                         service->solo_ns, batch->solo_ns, (int64_t)service->solo_clock_mhz,
                         (int64_t)batch->solo_clock_mhz, (int64_t)clock_mhz) != 0 ||
                   cal_live_store(s, parts, "live_partition_request", id, err) != 0
               ? -1
               : 0;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    int pair = (int)step->item[0], sms[CAL_LIVE_ROLES] = {(int)step->item[1]}, clock_mhz = 0;
    struct cal_live_pair pairs[CAL_LIVE_PAIRS];
    cal_live_list(pairs, NULL);
    struct cal_live_part parts[CAL_LIVE_ROLES] = {
        [CAL_LIVE_SERVICE] = {.name = pairs[pair].service},
        [CAL_LIVE_BATCH] = {.name = pairs[pair].batch},
    };
    const struct cal_live_part *service = &parts[CAL_LIVE_SERVICE];
    /* Threads of one process, and what CUDA makes for both: not at the same time. */
    int failed = hire(s, parts, sms, err) != 0 || cal_live_prepare(s, parts, false, err) != 0 ||
                 cal_live_draw(service, pair, LOAD, (double)service->solo_ns, err) != 0 ||
                 cal_live_run(s, parts, &clock_mhz, err) != 0 ||
                 store(s, parts, sms, pairs[pair].half, clock_mhz, err) != 0;
    cal_worker_close(service->worker);
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_live_partitions = {
    .name = "live-partitions",
    .help = "the same on partitions: two threads of one process, green contexts",
    .plan = plan,
    .ready = ready,
    .run = run_step,
};
