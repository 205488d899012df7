/* recorded_profile.c - see recorded_profile.h. */
#include "calibrate/commands/recorded_profile.h"

#include "build_id.h"
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/gpu/nvml.h"
#include "calibrate/record/recorded_store.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM_BYTES 1000
#define HOW_BYTES     1024

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
        .in_part = true,
    };
    return cal_store_open(path, &provenance, err);
}

int cal_recorded_check(const char *path, const char *folder, bool same_model, bool *known,
                       struct dcs_err *err)
{
    struct cal_recording r = {0};
    struct dcs_err half_written = {0};
    int failed = 0;
    if (*known)
        return 0;
    if (cal_recording_read(&r, folder, &half_written) == 0 && r.device.sms > 0) {
        struct cal_store *s = cal_recorded_open(path, &r.device, same_model, err);
        *known = true;
        failed = s == NULL ? -1 : 0;
        cal_store_close(s);
    }
    cal_recording_release(&r);
    return failed;
}

void cal_recorded_how(struct cal_store *s, const char *application, char *how, size_t size)
{
    char request[HOW_BYTES] = "waits";
    cal_store_get_text(s, request, sizeof request,
                       "SELECT request FROM recorded WHERE application = ? AND mechanism = 'whole'",
                       "t", application);
    snprintf(how, size, "%s", strncmp(request, "range ", 6) == 0 ? request + 6 : request);
}

/* Cuts the name at @SIZE, unless the profile has an application that is called so. False: there is
 * no number. */
static bool split_size(struct cal_store *s, struct cal_recorded_name *a)
{
    char *at = strrchr(a->name, '@'), *end = NULL;
    if (at == NULL || cal_recorded_is_there(s, a->name))
        return false;
    a->size = strtoll(at + 1, &end, 10);
    if (end == at + 1 || *end != '\0' || a->size < 1)
        return false;
    *at = '\0';
    return true;
}

int cal_recorded_find(struct cal_store *s, const char *path, const char *given,
                      struct cal_recorded_name *found, struct dcs_err *err)
{
    double size = CAL_RECORDED_SIZE, there = 0;
    snprintf(found->name, sizeof found->name, "%s", given);
    bool sized = split_size(s, found);
    if (!cal_recorded_is_there(s, found->name))
        return dcs_err_at(err, path, 0, NULL,
                          "has no application \"%.64s\": record it first (dcsim-calibrate record)",
                          found->name);
    cal_recorded_how(s, found->name, found->how, sizeof found->how);
    if (sized &&
        !cal_store_get(s, &there, "SELECT 1 FROM request_solo WHERE application = ? AND size = ?",
                       "ti", found->name, found->size))
        return dcs_err_at(err, path, 0, NULL,
                          "has \"%.64s\" at other sizes than %lld: record it with --size",
                          found->name, (long long)found->size);
    if (sized)
        return 0;
    cal_store_get(s, &size, "SELECT size_default FROM subject WHERE application = ?", "t",
                  found->name);
    found->size = (int64_t)size;
    return 0;
}

int cal_own_command(const char *application, const char *run, char *command, size_t size,
                    struct dcs_err *err)
{
    char program[PROGRAM_BYTES] = "";
    if (!cal_gpu_has_app(application))
        return dcs_err_set(err,
                           "how is %.64s run? --run %s says it; the command serves requests until "
                           "it is told to end",
                           application, run);
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0 ||
        strchr(program, '\'') != NULL)
        return dcs_err_set(err, "the path of this program is not known, or has a ' in it");
    snprintf(command, size, "exec '%s' serve %.64s", program, application);
    return 0;
}

int64_t cal_sms_of_client(const struct cal_recorded_device *d, int percent, int64_t all_sms)
{
    return percent < 100 && d->sms == all_sms ? (all_sms * percent + 99) / 100 : d->sms;
}

void cal_fault_kept(struct dcs_err *err, const struct dcs_err *fault, bool kept)
{
    *err = *fault;
    size_t length = strlen(err->text);
    if (kept)
        snprintf(err->text + length, sizeof err->text - length,
                 "; what was measured before is kept");
}

static int remove_entry(const char *path, const struct stat *entry, int kind, struct FTW *place)
{
    (void)entry, (void)kind, (void)place;
    return remove(path);
}

void cal_remove_folder(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}
