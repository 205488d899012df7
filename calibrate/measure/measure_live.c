/*
 * measure_live.c - real requests of a service beside a batch application, each in a process of its
 * own under MPS: what a whole simulation can be compared with, without a scheduler of ours.
 *
 * With two processes C-Laius' even allocation (200 %/n each, at most 100 %) and its priority
 * allocation (100 % to the service, 100 %/(n - 1) to each other; section 3.3) are the same, 100 %
 * for both. So 'even' is that, and 'priority' gives the batch application PRIORITY_PERCENT.
 *
 * A load is the share of time in which the service would be busy alone: its mean gap is the solo
 * time over the load, with the solo time of the first measurement of this service in the profile,
 * so that both allocations meet the same list. How a run goes: live_run.h.
 */
#include "calibrate/measure/live_run.h"

#define PRIORITY_PERCENT 30

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
            step->seconds = CAL_LIVE_S + 6;
        }
}

/* The chosen pairs before those that are drawn. */
static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    (void)s;
    struct cal_live_pair pairs[CAL_LIVE_PAIRS];
    int chosen, n = cal_live_list(pairs, &chosen);
    add_steps(steps, pairs, 0, chosen);
    add_steps(steps, pairs, chosen, n);
}

static int hire(struct cal_session *s, struct cal_live_part *parts, const int *percents,
                struct dcs_err *err)
{
    int sms;
    for (int i = 0; i < CAL_LIVE_ROLES; i++)
        if ((parts[i].worker = cal_crew_client(s, i, percents[i], &sms, err)) == NULL)
            return -1;
    return 0;
}

static int draw(struct cal_session *s, const struct cal_live_part *service, int pair, double load,
                struct dcs_err *err)
{
    double solo_ns = (double)service->solo_ns;
    cal_store_get(s->store, &solo_ns,
                  "SELECT service_solo_ns FROM live WHERE service = ? AND service_size = ?"
                  " ORDER BY id LIMIT 1",
                  "ti", service->name, service->size);
    return cal_live_draw(service, pair, load, solo_ns, err);
}

static int store(struct cal_session *s, const struct cal_live_part *parts, const int *percents,
                 const char *half, int setting, struct dcs_err *err)
{
    const struct cal_live_part *service = &parts[CAL_LIVE_SERVICE], *batch = &parts[CAL_LIVE_BATCH];
    int64_t id = cal_live_next_id(s, "live");
    return cal_store_put(s->store, err, "live", "itititiiritii", id, service->name, service->size,
                         batch->name, batch->size, settings[setting].allocation,
                         (int64_t)percents[CAL_LIVE_SERVICE], (int64_t)percents[CAL_LIVE_BATCH],
                         settings[setting].load, CAL_LIVE_S * DCS_NS_PER_S, half, service->solo_ns,
                         batch->solo_ns) != 0 ||
                   cal_live_store(s, parts, "live_request", id, err) != 0
               ? -1
               : 0;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    int pair = (int)step->item[0], setting = (int)step->item[1], clock_mhz;
    struct cal_live_pair pairs[CAL_LIVE_PAIRS];
    cal_live_list(pairs, NULL);
    const int percents[CAL_LIVE_ROLES] = {100, settings[setting].batch_percent};
    struct cal_live_part parts[CAL_LIVE_ROLES] = {
        [CAL_LIVE_SERVICE] = {.name = pairs[pair].service},
        [CAL_LIVE_BATCH] = {.name = pairs[pair].batch},
    };
    int failed = hire(s, parts, percents, err) != 0 || cal_live_prepare(s, parts, true, err) != 0 ||
                 draw(s, &parts[CAL_LIVE_SERVICE], pair, settings[setting].load, err) != 0 ||
                 cal_live_run(s, parts, &clock_mhz, err) != 0 ||
                 store(s, parts, percents, pairs[pair].half, setting, err) != 0;
    return cal_crew_end_step(s, step, failed);
}

const struct cal_measure cal_measure_live = {
    .name = "live",
    .help = "requests of a service beside a batch application, under MPS",
    .plan = plan,
    .ready = cal_crew_ready,
    .run = run_step,
};
