/*
 * fused.c - fused kernels on the CPU (calibrate/gpu/fused_kernels.h), and kernels whose blocks stay
 * (calibrate/gpu/resident_kernels.h): fused KERNEL...
 *
 * Pins: of each way to fuse the first tensor kernel with the given CUDA kernels the ordinary, the
 * persistent and the fused kernels, and a fused launch of two requests' kernels, give the same
 * results; kernels of which there is no such fused one are refused. Blocks that stay compute the
 * same as ordinary ones, in any order of blocks, and ordinary ones the same as a reference on the
 * CPU where the kernel has one. Blocks that look at an exit flag compute the same until it is set;
 * a launch with other arguments than an application's body has no flag; one alone does blocks until
 * its time is up; two that cannot run at once give up. Does not pin: times.
 */
#include "calibrate/gpu/exit_kernels.h"
#include "calibrate/gpu/fused_kernels.h"
#include "calibrate/gpu/resident_kernels.h"
#include "des/base.h"
#include "emu.h"

#include <stdio.h>
#include <string.h>

#define SMS  2
#define LOAD 5

static int check_refusal(void)
{
    struct cal_plan empty = {0};
    struct cal_kernel other = {.name = "other", .kind = CAL_TO_DEVICE};
    struct dcs_err err = {0};
    const char *names[] = {"cp"};
    empty.kernels = &other;
    empty.kernels_count = 1;
    const struct cal_fuser_side side = {&empty, 0};
    struct cal_fuser *f = cal_fuser_create(names, 1, SMS, &err);
    int status = f == NULL ? 0 : cal_fuser_launch(f, &side, &side, "cp", 1, 1, NULL, &err);
    cal_fuser_destroy(f);
    return status == -1 && strstr(err.text, "are none that are fused 1 to 1 here") != NULL;
}

/* Launches like those of an application's body, of any number of threads, whose argument is
 * another. */
static bool check_foreign(const char *app)
{
    struct cal_launch other = {.grid = {1, 1, 1}, .block = {0, 1, 1}, .args_count = 1};
    struct cal_kernel kernel = {.name = "other", .kind = CAL_COMPUTE, .launches = 1};
    const struct cal_plan plan = {&kernel, 1, 1, &other, 1, 1};
    struct dcs_err err = {0};
    struct cal_exiter *e = cal_exiter_create(&err);
    int taken = e == NULL;
    other.offset[CAL_ARGS_MAX - 1] = 1; /* where the argument ends */
    for (unsigned threads = 32; taken == 0 && threads <= 1024; threads += 32) {
        uint32_t number;
        other.block[0] = threads;
        taken = cal_exiter_enqueue(e, app, &plan, 0, NULL, &number, &err);
    }
    cal_exiter_destroy(e);
    return taken == 0;
}

#define MS INT64_C(1000000)

/* Blocks run one after the other here: on one SM a block is alone, on two the first waits in vain.
 */
static bool check_time(const char *name, int sms, bool want_aborted)
{
    static const struct cal_residency_times times = {MS, 300 * MS, MS, 5 * MS};
    static const int blocks[CAL_RESIDENT_ROLES] = {1, 0};
    static const cudaStream_t streams[CAL_RESIDENT_ROLES];
    const char *names[CAL_RESIDENT_ROLES] = {name, NULL};
    struct dcs_err err = {0};
    bool aborted = !want_aborted;
    size_t count = 0;
    struct cal_residency *r = cal_residency_create(names, LOAD, sms, 7, &err);
    bool good = r != NULL && cal_residency_launch(r, blocks, 0, &times, streams, &err) == 0 &&
                cal_residency_read(r, &aborted, &err) == 0 && aborted == want_aborted;
    const struct cal_resident_record *records =
        good ? cal_residency_get_records(r, 0, &count) : NULL;
    good = good && count == (size_t)sms;
    if (good) {
        struct cal_resident_placement p = cal_resident_find_placement(records, count, sms);
        struct cal_resident_rate rate =
            cal_resident_find_rate(records, count, sms, times.window_ns);
        good = p.min == 1 && p.max == 1 && (rate.unit_ns > 0) == !want_aborted;
    }
    if (!good)
        printf("FAIL: %s stays on %d SMs: %s\n", name, sms, err.text);
    cal_residency_destroy(r);
    return good;
}

static bool check_residents(const char *first, const char *second)
{
    const char *names[CAL_RESIDENT_ROLES] = {first, second};
    struct dcs_err err = {0};
    struct cal_residency *r = cal_residency_create(names, LOAD, SMS, 7, &err);
    bool good = r != NULL && cal_residency_check(r, &err) == 0;
    emu_set_order(true, 7);
    good = good && cal_residency_check(r, &err) == 0;
    emu_set_order(false, 0);
    if (!good)
        printf("FAIL: %s and %s as blocks that stay: %s\n", first, second, err.text);
    cal_residency_destroy(r);
    return good;
}

static bool check_room(void)
{
    struct cal_sm_room room = {0};
    struct dcs_err err = {0};
    return cal_resident_get_room(&room, &err) == 0 && room.threads == 2048;
}

int main(int argc, char **argv)
{
    size_t count;
    int checked = 0, failed = 0;
    const struct cal_fusion_pair *pairs = cal_fusion_pairs(&count);
    for (size_t i = 0; i < count && strcmp(pairs[i].tensor, pairs[0].tensor) == 0; i++) {
        bool wanted = false;
        for (int k = 1; k < argc; k++)
            wanted = wanted || strcmp(argv[k], pairs[i].cuda) == 0;
        if (!wanted || pairs[i].tensor_blocks == 0)
            continue;
        struct dcs_err err = {0};
        struct cal_fusion *f = cal_fusion_create(&pairs[i], 1, LOAD, SMS, 7, &err);
        if (f == NULL || cal_fusion_check(f, &pairs[i], SMS, &err) != 0) {
            printf("FAIL: %s with %s, %d to %d: %s\n", pairs[i].tensor, pairs[i].cuda,
                   pairs[i].tensor_blocks, pairs[i].cuda_blocks, err.text);
            failed = 1;
        }
        cal_fusion_destroy(f);
        checked++;
    }
    for (int k = 1; k < argc; k++) {
        if (!check_residents(argv[k], argv[argc - k]))
            failed = 1;
        if (cal_exiter_serves(argv[k]) && !check_foreign(argv[k])) {
            printf("FAIL: %s: a launch with other arguments has an exit flag\n", argv[k]);
            failed = 1;
        }
    }
    if (argc > 1 && (!check_time(argv[1], 1, false) || !check_time(argv[1], 2, true)))
        failed = 1;
    if (!check_room() || cal_resident_name(0) == NULL) {
        printf("FAIL: no room, or no kernels\n");
        failed = 1;
    }
    if (!check_refusal()) {
        printf("FAIL: a transfer is fused\n");
        failed = 1;
    }
    printf("%d ways to fuse\n", checked);
    return failed || checked == 0;
}
