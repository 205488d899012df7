/*
 * fused.c - fused kernels on the CPU (calibrate/gpu/fused_kernels.h): fused APPLICATION...
 *
 * Pins: of each way to fuse the first tensor kernel with the given CUDA kernels the ordinary, the
 * persistent and the fused kernels, and a fused launch of two requests' kernels, give the same
 * results; kernels of which there is no such fused one are refused. Does not pin: times.
 */
#include "calibrate/gpu/fused_kernels.h"
#include "des/base.h"

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
    if (!check_refusal()) {
        printf("FAIL: a transfer is fused\n");
        failed = 1;
    }
    printf("%d ways to fuse\n", checked);
    return failed || checked == 0;
}
