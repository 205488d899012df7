/* validate_device.c - see validate_device.h. */
#include "commands/validate_device.h"

#include "models/profile/profile_rows.h"

#include <string.h>

/* Which devices a profile is of. */
struct kinds {
    struct dcs_rows rows;
    size_t cpus, others;
};

static int take_kind(void *context)
{
    struct kinds *k = context;
    const char *kind = dcs_rows_text(&k->rows, 0);
    bool cpu = kind != NULL && strcmp(kind, "cpu") == 0;
    k->cpus += cpu;
    k->others += !cpu; /* the reader of profiles says what is wrong with it */
    return 0;
}

int validate_refuse_cpus(const char *path, const char *name, struct dcs_err *err)
{
    struct dcs_profile_source source;
    if (dcs_profile_open(&source, path, err) != 0)
        return -1;
    struct kinds k = {.rows = {.source = &source, .file = path, .err = err}};
    int status = dcs_rows_each_if_any(&k.rows, "device", "SELECT kind FROM device", take_kind, &k);
    dcs_profile_close(&source);
    if (status == 0 && k.cpus > 0 && k.others == 0)
        status = dcs_err_at(err, name, 0, "device",
                            "is of a CPU alone, and dcsim validate judges models of GPUs: name the "
                            "profile of a GPU; how well the law of CPUs meets what was measured is "
                            "what dcsim-calibrate cpu prints and table cpu_residual has");
    return status;
}
