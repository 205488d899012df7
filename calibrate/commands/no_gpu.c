/* no_gpu.c - what stands in for gpu_command.c in a build without CUDA. */
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/drive/drive_serve.h"

int cal_gpu_main(int argc, char **argv)
{
    struct dcs_err err = {0};
    (void)argc;
    dcs_err_set(
        &err,
        "no command \"%.60s\": this build measures CPUs alone, as it was made without nvcc; "
        "see --help",
        argv[1]);
    return cal_complain(&err);
}

bool cal_gpu_has_app(const char *name)
{
    (void)name;
    return false;
}

int cal_drive_gpu(struct drive_link *l, struct dcs_err *err)
{
    (void)l;
    return dcs_err_set(
        err, "this dcsim-calibrate was made without nvcc and can drive no GPU; docs/calibrate.md "
             "(Building) says how to make one that can");
}

const char *cal_gpu_absent(void)
{
    return "\nThis build was made without nvcc and measures CPUs alone: it has no check, all and "
           "MEASUREMENT,\nnor their --dry-run (docs/calibrate.md: Building).\n";
}

void cal_gpu_list(void)
{
}

/* Which steps a GPU's profile has is not known here: it stays partial if it was. */
int cal_gpu_finish_merged(struct cal_store *s, struct dcs_err *err)
{
    char partial[8] = "";
    cal_store_get_text(s, partial, sizeof partial,
                       "SELECT value FROM profile WHERE key = 'partial'", "");
    return cal_store_finish(s, partial[0] == 'y', err);
}
