/*
 * serve_command.c - `dcsim-calibrate serve APPLICATION`: one of the applications for GPUs as a
 * program of its own, which serves requests of the default size back to back until it is told to
 * end, and waits for each. So it can be recorded, and run beside others, as any program.
 */
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/measure/work.h"

#include <getopt.h>
#include <string.h>

#define PATIENCE_S 60.0

static int serve_requests(struct cal_gpu *g, const struct cal_app *app, uint64_t seed,
                          struct dcs_err *err)
{
    struct cal_work work;
    cudaStream_t stream;
    if (cal_gpu_check(g, cudaSetDevice(g->ordinal), "starting the device", err) != 0 ||
        cal_gpu_check(g,
                      cudaDeviceGetAttribute(&g->sms, cudaDevAttrMultiProcessorCount, g->ordinal),
                      "counting the SMs", err) != 0 ||
        cal_gpu_check(g, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                      "making a stream", err) != 0 ||
        cal_gpu_make_events(g, err) != 0 ||
        cal_work_open(g, app, app->size_default, seed, &work, err) != 0)
        return -1;
    int failed = 0;
    while (!cal_interrupted && !failed)
        failed = cal_work_enqueue(g, &work, stream, err) != 0 ||
                 cal_gpu_check(g, cudaStreamSynchronize(stream), "a request", err) != 0;
    if (!g->dead) {
        cal_work_close(g, &work);
        cudaDeviceReset();
    }
    return failed ? -1 : 0;
}

int cal_serve_main(int argc, char **argv)
{
    struct cal_common common = {.seed = 1};
    struct dcs_err err = {0};
    double ordinal = 0;
    const struct cal_option own[] = {{"device", .number = &ordinal, .min = 0, .max = 1000}, {0}};
    if (cal_options(argc, argv, 2, &common, own, NULL, &err) != 0)
        return cal_complain(&err);
    const struct cal_app *app = optind + 1 == argc ? cal_find_app(argv[optind]) : NULL;
    if (app == NULL) {
        dcs_err_set(&err, "serve takes one application; `list` names them");
        return cal_complain(&err);
    }
    struct cal_gpu gpu = {.ordinal = (int)ordinal, .patience_s = PATIENCE_S};
    cal_catch_interrupts();
    return serve_requests(&gpu, app, common.seed, &err) == 0 ? DCS_EXIT_OK : cal_complain(&err);
}

bool cal_gpu_has_app(const char *name)
{
    return cal_find_app(name) != NULL;
}
