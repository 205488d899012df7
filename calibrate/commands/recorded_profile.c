/* recorded_profile.c - see recorded_profile.h. */
#include "calibrate/commands/recorded_profile.h"

#include "build_id.h"
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/gpu/nvml.h"

/* The driver as other measurements of the device name it. */
static void find_driver(const struct cal_recorded_device *d, char *driver, size_t size,
                        int *clock_mhz)
{
    struct dcs_err err = {0};
    struct cal_nvml *nvml = cal_nvml_open(d->uuid, &err);
    snprintf(driver, size, "CUDA %d.%d", d->cuda_version / 1000, d->cuda_version % 1000 / 10);
    *clock_mhz = d->clock_mhz;
    if (nvml == NULL)
        return;
    cal_nvml_driver(nvml, driver, size);
    *clock_mhz = cal_nvml_max_sm_clock_mhz(nvml);
    cal_nvml_close(nvml);
}

struct cal_store *cal_recorded_open(const char *path, const struct cal_recorded_device *d,
                                    bool same_model, struct dcs_err *err)
{
    char device[64], driver[80], cuda[32], moment[32], source[512];
    int clock_mhz;
    find_driver(d, driver, sizeof driver, &clock_mhz);
    cal_name_of_device(d->name, device, sizeof device);
    cal_moment(moment, sizeof moment);
    snprintf(cuda, sizeof cuda, "%d.%d", d->cuda_version / 1000, d->cuda_version % 1000 / 10);
    snprintf(source, sizeof source,
             "recorded by dcsim-calibrate %s on %s, driver %s, CUDA %s, %.10s", DCS_BUILD_ID,
             d->name, driver, cuda, moment);
    const struct cal_provenance provenance = {
        .name = device,
        .description = "Programs that were recorded on a real device by dcsim-calibrate.",
        .source = source,
        .device_name = d->name,
        .device_uuid = d->uuid,
        .driver = driver,
        .cuda = cuda,
        .tool_version = DCS_BUILD_ID,
        .measured_at = moment,
        .sms = d->sms,
        .max_clock_mhz = clock_mhz,
        .memory_bytes = d->memory_bytes,
        .l2_bytes = d->l2_bytes,
        .same_model = same_model,
    };
    return cal_store_open(path, &provenance, err);
}
