/* beside_producer.c - see beside_producer.h. */
#include "calibrate/measure/beside_producer.h"

#include <string.h>

bool cal_is_coarse(int level)
{
    return level % 3 == 2;
}

bool cal_is_main_family(int family)
{
    static const char *const names[] = {"dram-copy", "gather-64", "l2-read", "l2-capacity"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (family == cal_producer_family_named(names[i]))
            return true;
    return false;
}

static struct {
    int sms;
    struct cal_producer *producers[CAL_FAMILIES_MAX][CAL_PRODUCER_LEVELS];
} kept;

struct cal_producer *cal_kept_producer(int family, int level, int sms, struct dcs_err *err)
{
    DCS_ASSERT(family < CAL_FAMILIES_MAX);
    if (kept.sms != sms) {
        for (int f = 0; f < CAL_FAMILIES_MAX; f++)
            for (int l = 0; l < CAL_PRODUCER_LEVELS; l++)
                cal_producer_destroy(kept.producers[f][l]);
        memset(&kept, 0, sizeof kept);
    }
    kept.sms = sms;
    struct cal_producer **p = &kept.producers[family][level];
    struct dcs_err why = {0};
    if (*p == NULL)
        *p = cal_producer_create(family, level, sms, &why);
    if (*p == NULL)
        dcs_err_set(err, "%s", why.text);
    return *p;
}

static int await_start(struct cal_gpu *g, const struct cal_producer *p, struct dcs_err *err)
{
    double began = cal_seconds(NULL);
    while (!cal_producer_started(p))
        if (cal_seconds(NULL) - began > g->patience_s)
            return dcs_err_set(err, "a producer does not start");
    return 0;
}

/* Events around a producer, kept for the life of the process. */
static cudaEvent_t *producer_ends(struct cal_gpu *g, struct dcs_err *err)
{
    static cudaEvent_t ends[2];
    for (int i = 0; i < 2; i++)
        if (ends[i] == NULL &&
            cal_gpu_check(g, cudaEventCreate(&ends[i]), "making an event", err) != 0)
            return NULL;
    return ends;
}

int cal_beside_producer(struct cal_gpu *g, const struct cal_partition *other,
                        struct cal_producer *p, int (*run)(void *context, struct dcs_err *err),
                        void *context, struct cal_pressure *out, struct dcs_err *err)
{
    struct dcs_err why = {0};
    cudaEvent_t *ends = producer_ends(g, err);
    if (ends == NULL ||
        cal_gpu_check(g, cudaEventRecord(ends[0], other->stream), "recording", err) != 0)
        return -1;
    int failed = cal_producer_start(p, other->stream, &why) != 0 || await_start(g, p, &why) != 0;
    if (failed)
        dcs_err_set(err, "%s", why.text);
    else
        failed = run(context, err);
    cal_producer_stop(p);
    if (!failed)
        failed = cal_gpu_check(g, cudaEventRecord(ends[1], other->stream), "recording", err);
    if (cal_gpu_wait_stream(g, other->stream, "a producer", failed ? &why : err) != 0)
        failed = -1;
    if (!failed)
        failed = cal_gpu_elapsed(g, ends[0], ends[1], &out->ran_ns, err);
    if (!failed)
        out->iterations = cal_producer_iterations_made(p);
    return failed ? -1 : 0;
}

struct cal_corun_row cal_producer_row(int family, int level, int sms, struct cal_producer *p,
                                      const struct cal_pressure *made, int clock_mhz,
                                      struct cal_corun_kind *kind)
{
    struct cal_producer_traffic traffic = cal_producer_traffic(p);
    double iteration_ns = made->iterations > 0 ? (double)made->ran_ns / made->iterations : 0;
    int64_t ns = (int64_t)(iteration_ns + 0.5);
    kind->dram_gbs = made->iterations * traffic.dram / (double)made->ran_ns;
    kind->l2_gbs = made->iterations * traffic.l2 / (double)made->ran_ns;
    return (struct cal_corun_row){.application = cal_producer_families[family].name,
                                  .size = level,
                                  .kernel = "producer",
                                  .sms = sms,
                                  .together = {.n = 1,
                                               .median_ns = ns,
                                               .min_ns = ns,
                                               .max_ns = ns,
                                               .mean_ns = iteration_ns,
                                               .clock_mhz = clock_mhz,
                                               .stop = "time",
                                               .l2 = "warm"}};
}
