/*
 * nvml.c - see nvml.h. The declarations are ours, from NVML's published interface: its header is
 * not part of every CUDA installation.
 */
#include "calibrate/gpu/nvml.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NVML_CLOCK_SM 1
#define INTERVAL_NS   (5 * DCS_NS_PER_MS)
/* Clock event reasons: hardware slow-down, software and hardware thermal, power brake. A software
 * power cap alone is how a device under full load behaves; it counts by the clock that it leaves.
 */
#define SLOWED_REASONS (0x8ull | 0x20ull | 0x40ull | 0x80ull)

struct process_info { /* nvmlProcessInfo_v2_t */
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
};

struct cal_nvml {
    void *library, *device;
    int (*shutdown)(void);
    int (*driver_version)(char *, unsigned);
    int (*clock)(void *, int, unsigned *);
    int (*max_clock)(void *, int, unsigned *);
    int (*reasons)(void *, unsigned long long *);
    int (*processes)(void *, unsigned *, struct process_info *);
    pthread_t thread;
    bool watching;
    atomic_bool stop;
    pthread_mutex_t lock; /* of what follows: readings and their sum belong together */
    struct cal_clock_mark mark;
    int last_clock_mhz;
    bool last_slowed;
};

static void *symbol(struct cal_nvml *n, const char *name, const char *older)
{
    void *found = dlsym(n->library, name);
    return found == NULL && older != NULL ? dlsym(n->library, older) : found;
}

/* ISO C has no conversion of an object pointer to a function; POSIX has. */
#define LOAD(member, name, older)                                                                  \
    do {                                                                                           \
        void *found = symbol(n, name, older);                                                      \
        memcpy(&(member), &found, sizeof found);                                                   \
    } while (0)

struct cal_nvml *cal_nvml_open(const char *uuid, struct dcs_err *err)
{
    struct cal_nvml *n = dcs_alloc(1, sizeof *n);
    n->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (n->library == NULL) {
        dcs_err_set(err, "%s", dlerror());
        free(n);
        return NULL;
    }
    int (*init)(void);
    int (*by_uuid)(const char *, void **);
    LOAD(init, "nvmlInit_v2", NULL);
    LOAD(by_uuid, "nvmlDeviceGetHandleByUUID", NULL);
    LOAD(n->shutdown, "nvmlShutdown", NULL);
    LOAD(n->driver_version, "nvmlSystemGetDriverVersion", NULL);
    LOAD(n->clock, "nvmlDeviceGetClockInfo", NULL);
    LOAD(n->max_clock, "nvmlDeviceGetMaxClockInfo", NULL);
    LOAD(n->reasons, "nvmlDeviceGetCurrentClocksEventReasons",
         "nvmlDeviceGetCurrentClocksThrottleReasons");
    LOAD(n->processes, "nvmlDeviceGetComputeRunningProcesses_v3",
         "nvmlDeviceGetComputeRunningProcesses_v2");
    int status = -1;
    if (init != NULL && by_uuid != NULL && n->shutdown != NULL && n->clock != NULL)
        status = init();
    bool started = status == 0;
    if (started)
        status = by_uuid(uuid, &n->device);
    if (status != 0) {
        dcs_err_set(err, "NVML does not answer for device %s (status %d)", uuid, status);
        if (started)
            n->shutdown();
        dlclose(n->library);
        free(n);
        return NULL;
    }
    pthread_mutex_init(&n->lock, NULL);
    return n;
}

void cal_nvml_close(struct cal_nvml *n)
{
    if (n == NULL)
        return;
    if (n->watching) {
        atomic_store(&n->stop, true);
        pthread_join(n->thread, NULL);
    }
    n->shutdown();
    dlclose(n->library);
    pthread_mutex_destroy(&n->lock);
    free(n);
}

void cal_nvml_driver(struct cal_nvml *n, char *text, size_t size)
{
    char version[80] = "";
    if (n->driver_version == NULL || n->driver_version(version, sizeof version) != 0)
        strcpy(version, "unknown");
    snprintf(text, size, "%s", version);
}

int cal_nvml_max_sm_clock_mhz(struct cal_nvml *n)
{
    unsigned mhz = 0;
    if (n->max_clock == NULL || n->max_clock(n->device, NVML_CLOCK_SM, &mhz) != 0)
        return 0;
    return (int)mhz;
}

int cal_nvml_processes(struct cal_nvml *n, unsigned *first_pid)
{
    struct process_info list[64];
    unsigned count = 64;
    *first_pid = 0;
    if (n->processes == NULL || n->processes(n->device, &count, list) != 0)
        return 0;
    if (count > 0)
        *first_pid = list[0].pid;
    return (int)count;
}

int cal_nvml_refuse_others(int others, unsigned first_pid, bool must_be_alone, struct dcs_err *err)
{
    return dcs_err_set(err,
                       "%d other process%s use%s the GPU (process %u): what is measured beside "
                       "them is not the GPU's own; end them%s",
                       others, others == 1 ? "" : "es", others == 1 ? "s" : "", first_pid,
                       must_be_alone ? "" : ", or pass --allow-others");
}

static void read_once(struct cal_nvml *n)
{
    unsigned mhz = 0;
    unsigned long long reasons = 0;
    if (n->clock(n->device, NVML_CLOCK_SM, &mhz) != 0)
        return;
    if (n->reasons != NULL && n->reasons(n->device, &reasons) != 0)
        reasons = 0;
    bool slowed = (reasons & SLOWED_REASONS) != 0;
    pthread_mutex_lock(&n->lock);
    n->last_clock_mhz = (int)mhz;
    n->last_slowed = slowed;
    n->mark.clock_sum_mhz += mhz;
    n->mark.slowed += slowed ? 1 : 0;
    n->mark.readings++;
    pthread_mutex_unlock(&n->lock);
}

static void *watch(void *context)
{
    struct cal_nvml *n = context;
    const struct timespec pause = {.tv_nsec = INTERVAL_NS};
    while (!atomic_load(&n->stop)) {
        read_once(n);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

int cal_nvml_watch(struct cal_nvml *n, struct dcs_err *err)
{
    if (n->watching)
        return 0;
    read_once(n);
    if (pthread_create(&n->thread, NULL, watch, n) != 0)
        return dcs_err_set(err, "cannot start the thread that watches the clock");
    n->watching = true;
    return 0;
}

struct cal_clock_mark cal_nvml_mark(struct cal_nvml *n)
{
    pthread_mutex_lock(&n->lock);
    struct cal_clock_mark mark = n->mark;
    pthread_mutex_unlock(&n->lock);
    return mark;
}

void cal_nvml_last(struct cal_nvml *n, int *clock_mhz, bool *slowed)
{
    pthread_mutex_lock(&n->lock);
    *clock_mhz = n->last_clock_mhz;
    *slowed = n->last_slowed;
    pthread_mutex_unlock(&n->lock);
}
