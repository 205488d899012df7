/*
 * press_command.c - `dcsim-calibrate press`: pressure on the device's memory, as long as it is
 * asked for, beside whatever else runs. It reads orders from its input, a line each:
 *
 *   FAMILY LEVEL   the producer of that name (producers.h) runs from now on; the answer is
 *                  "runs FAMILY LEVEL SMS", once its first warp does
 *   stop           it ends; the answer is "made FAMILY LEVEL SMS ITERATIONS NS DRAM L2": what it
 *                  did in how many ns, and the bytes that an iteration moves
 *
 * An order that cannot be done is answered by "fault WHY". It ends with its input. Its SMs are
 * those that the driver gives it: as a client of MPS it leaves the others alone.
 */
#include "calibrate/app/app.h"
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/gpu/producers.h"
#include "calibrate/worker/worker.h"

#include <stdlib.h>
#include <string.h>

#define START_S 10.0

struct press {
    int sms;
    cudaStream_t stream;
    cudaEvent_t ends[2];
    struct cal_producer *producer; /* that runs; NULL: none */
    int family, level;
};

static int check_call(cudaError_t status, const char *what, struct dcs_err *err)
{
    if (status == cudaSuccess)
        return 0;
    return dcs_err_set(err, "%s: %s", what, cudaGetErrorString(status));
}

static int open_press(struct press *p, int ordinal, struct dcs_err *err)
{
    return check_call(cudaSetDevice(ordinal), "starting the device", err) != 0 ||
                   check_call(
                       cudaDeviceGetAttribute(&p->sms, cudaDevAttrMultiProcessorCount, ordinal),
                       "counting the SMs", err) != 0 ||
                   check_call(cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking),
                              "making a stream", err) != 0 ||
                   check_call(cudaEventCreate(&p->ends[0]), "making an event", err) != 0 ||
                   check_call(cudaEventCreate(&p->ends[1]), "making an event", err) != 0
               ? -1
               : 0;
}

static int await_first_warp(const struct press *p, struct dcs_err *err)
{
    for (int64_t began = cal_now_ns(); !cal_producer_started(p->producer);)
        if ((double)(cal_now_ns() - began) > START_S * 1e9)
            return dcs_err_set(err, "the producer has not started after %.0f s", START_S);
    return 0;
}

static int start_producer(struct press *p, struct dcs_err *err)
{
    p->producer = cal_producer_create(p->family, p->level, p->sms, err);
    if (p->producer == NULL ||
        check_call(cudaEventRecord(p->ends[0], p->stream), "recording an event", err) != 0 ||
        cal_producer_start(p->producer, p->stream, err) != 0)
        return -1;
    return await_first_warp(p, err);
}

static int stop_producer(struct press *p, double *iterations, float *ms, struct dcs_err *err)
{
    cal_producer_stop(p->producer);
    if (check_call(cudaEventRecord(p->ends[1], p->stream), "recording an event", err) != 0 ||
        check_call(cudaStreamSynchronize(p->stream), "the producer", err) != 0 ||
        check_call(cudaEventElapsedTime(ms, p->ends[0], p->ends[1]), "timing it", err) != 0)
        return -1;
    *iterations = cal_producer_iterations_made(p->producer);
    return 0;
}

static int obey_stop(struct press *p, struct dcs_err *err)
{
    double iterations = 0;
    float ms = 0;
    if (p->producer == NULL)
        return dcs_err_set(err, "nothing runs that could stop");
    int failed = stop_producer(p, &iterations, &ms, err);
    const struct cal_producer_traffic made = cal_producer_traffic(p->producer);
    cal_producer_destroy(p->producer);
    p->producer = NULL;
    if (!failed)
        printf("made %s %d %d %.3f %.0f %.0f %.0f\n", cal_producer_families[p->family].name,
               p->level, p->sms, iterations, (double)ms * 1e6, made.dram, made.l2);
    return failed;
}

static int obey_start(struct press *p, const char *family, int level, struct dcs_err *err)
{
    if (p->producer != NULL)
        return dcs_err_set(err, "%s runs: stop it first", cal_producer_families[p->family].name);
    p->family = cal_producer_family_named(family);
    p->level = level;
    if (p->family < 0)
        return dcs_err_set(err, "no producer is called \"%.60s\"", family);
    if (level < 0 || level >= CAL_PRODUCER_LEVELS)
        return dcs_err_set(err, "level %d: expected 0 to %d", level, CAL_PRODUCER_LEVELS - 1);
    if (start_producer(p, err) != 0) {
        if (p->producer != NULL) {
            cal_producer_stop(p->producer);
            cudaStreamSynchronize(p->stream);
        }
        cal_producer_destroy(p->producer);
        p->producer = NULL;
        return -1;
    }
    printf("runs %s %d %d\n", family, level, p->sms);
    return 0;
}

static int obey(struct press *p, const char *order, struct dcs_err *err)
{
    char family[64], rest[2];
    int level;
    if (strcmp(order, "stop\n") == 0)
        return obey_stop(p, err);
    if (sscanf(order, "%63s %d %1s", family, &level, rest) == 2)
        return obey_start(p, family, level, err);
    return dcs_err_set(err, "expected \"FAMILY LEVEL\" or \"stop\"");
}

int cal_press_main(int argc, char **argv)
{
    struct press p = {0};
    struct dcs_err err = {0};
    struct cal_common common = {0};
    double ordinal = 0;
    const struct cal_option own[] = {{"device", .number = &ordinal, .min = 0, .max = 1000}, {0}};
    if (cal_options(argc, argv, 2, &common, own, NULL, &err) != 0 ||
        open_press(&p, (int)ordinal, &err) != 0)
        return cal_complain(&err);
    char order[128];
    while (fgets(order, sizeof order, stdin) != NULL) {
        struct dcs_err why = {0};
        if (obey(&p, order, &why) != 0)
            printf("fault %s\n", why.text);
        fflush(stdout);
    }
    if (p.producer != NULL) {
        cal_producer_stop(p.producer);
        cudaStreamSynchronize(p.stream);
    }
    cudaDeviceReset();
    return DCS_EXIT_OK;
}
