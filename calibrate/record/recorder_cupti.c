/*
 * recorder_cupti.c - what a program does on its device, as CUPTI tells it; see recorder_lines.h.
 *
 * Calls of CUDA are recorded only if that is asked for, and only those that launch, copy or wait:
 * to have any of them recorded makes all calls slower. An encoder of PyTorch on a host that was
 * slower than the device took 1.4 to 1.9 times as long, and as long as without a recorder where
 * kernels alone were recorded.
 */
#include "calibrate/record/recorder_lines.h"

#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_BYTES (1 << 20)
#define CALLS_MAX    2048 /* numbers of calls of a domain; there are hundreds */

static struct {
    void *library;
    CUptiResult (*enable)(CUpti_ActivityKind);
    CUptiResult (*callbacks)(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc);
    CUptiResult (*flush)(uint32_t);
    CUptiResult (*next)(uint8_t *, size_t, CUpti_Activity **);
    CUptiResult (*text)(CUptiResult, const char **);
    CUptiResult (*call_name)(CUpti_CallbackDomain, uint32_t, const char **);
    CUptiResult (*dropped)(CUcontext, uint32_t, size_t *);
    /* CUDA 12.6 and later; NULL: all calls are recorded, which costs the program more. */
    CUptiResult (*enable_runtime)(CUpti_CallbackId, uint8_t);
    CUptiResult (*enable_driver)(CUpti_CallbackId, uint8_t);
    pid_t owner;
} tracer;

/* By domain and number of the call: 1 + the number of its name; 0: not asked, 1: not recorded. */
static uint32_t calls[2][CALLS_MAX];

/* --- the device --- */

static char device_uuid[64]; /* of the first kernel's device, once that is known */
static atomic_bool device_known;

typedef CUresult CUDAAPI get_attribute(int *, CUdevice_attribute, CUdevice);
typedef CUresult CUDAAPI get_name(char *, int, CUdevice);
typedef CUresult CUDAAPI get_memory(size_t *, CUdevice);
typedef CUresult CUDAAPI get_uuid(CUuuid *, CUdevice);
typedef CUresult CUDAAPI get_version(int *);

static bool find_symbol(void *library, const char *name, void *place)
{
    void *found = dlsym(library, name);
    memcpy(place, &found, sizeof found);
    return found != NULL;
}

static void *open_driver(void)
{
    return dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
}

/* Under MPS with a percentage the driver tells the SMs that the process may use. */
static void write_device(CUdevice device)
{
    get_attribute *attribute;
    get_name *name_of;
    get_memory *memory_of;
    get_uuid *uuid_of;
    get_version *version_of;
    void *driver = open_driver();
    if (driver == NULL || !find_symbol(driver, "cuDeviceGetAttribute", &attribute) ||
        !find_symbol(driver, "cuDeviceGetName", &name_of) ||
        !find_symbol(driver, "cuDeviceTotalMem_v2", &memory_of) ||
        (!find_symbol(driver, "cuDeviceGetUuid_v2", &uuid_of) &&
         !find_symbol(driver, "cuDeviceGetUuid", &uuid_of)) ||
        !find_symbol(driver, "cuDriverGetVersion", &version_of))
        return;
    static const CUdevice_attribute wanted[] = {
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
        CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
        CU_DEVICE_ATTRIBUTE_CLOCK_RATE,
        CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK};
    int n[sizeof wanted / sizeof wanted[0]] = {0}, version = 0;
    size_t memory = 0;
    char name[128] = "", escaped[512];
    CUuuid uuid = {{0}};
    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++)
        attribute(&n[i], wanted[i], device);
    name_of(name, (int)sizeof name, device);
    memory_of(&memory, device);
    uuid_of(&uuid, device);
    version_of(&version);
    recorder_escape(name, escaped, sizeof escaped);
    const unsigned char *b = (const unsigned char *)uuid.bytes;
    snprintf(device_uuid, sizeof device_uuid,
             "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
             b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
             b[15]);
    recorder_write("D %d %d %zu %d %d %d %d %d %d %d %d %s %s", (int)device, n[0], memory, n[1],
                   n[2], version, n[3], n[4], n[5], n[6], n[7], device_uuid, escaped);
    device_known = true;
}

/* --- memory --- */

#define PROCESSES_MAX 256

struct nvml_process { /* nvmlProcessInfo_v2_t; the declarations are ours, as in gpu/nvml.c */
    unsigned pid;
    unsigned long long used_bytes; /* all bits set: not told */
    unsigned gpu_instance, compute_instance;
};

/* The one of this process: in a container NVML may have another number for it, but where the device
 * has one process alone it is this one. NULL: it cannot be told. */
static const struct nvml_process *find_own(const struct nvml_process *all, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (all[i].pid == (unsigned)getpid())
            return &all[i];
    return count == 1 ? all : NULL;
}

/* Device memory of this process, context and code included; 0: it cannot be told. (cuMemGetInfo()
 * would tell that of all processes of the device.) */
static unsigned long long used_bytes(void)
{
    int (*start)(void), (*stop)(void), (*by_uuid)(const char *, void **);
    int (*list)(void *, unsigned *, struct nvml_process *);
    struct nvml_process all[PROCESSES_MAX];
    unsigned count = PROCESSES_MAX;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), *device = NULL;
    if (library == NULL || !find_symbol(library, "nvmlInit_v2", &start) ||
        !find_symbol(library, "nvmlShutdown", &stop) ||
        !find_symbol(library, "nvmlDeviceGetHandleByUUID", &by_uuid) ||
        (!find_symbol(library, "nvmlDeviceGetComputeRunningProcesses_v3", &list) &&
         !find_symbol(library, "nvmlDeviceGetComputeRunningProcesses_v2", &list)) ||
        start() != 0)
        return 0;
    bool listed = by_uuid(device_uuid, &device) == 0 && list(device, &count, all) == 0;
    const struct nvml_process *own = listed ? find_own(all, count) : NULL;
    stop();
    return own != NULL && own->used_bytes != ~0ULL ? own->used_bytes : 0;
}

/* --- records --- */

static bool is_wanted_call(const char *name)
{
    static const char *const parts[] = {"Launch", "Memcpy", "Memset", "Synchronize"};
    if (strstr(name, "HostFunc") != NULL)
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(name, parts[i]) != NULL)
            return true;
    return false;
}

/* 0: the call is not recorded; else 1 + the number of its name. */
static uint32_t name_of_call(bool driver, uint32_t number)
{
    const char *name = NULL;
    if (number >= CALLS_MAX)
        return 0;
    uint32_t *known = &calls[driver][number];
    if (*known == 0) {
        tracer.call_name(driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API, number,
                         &name);
        *known = name != NULL && is_wanted_call(name) ? 2 + recorder_text(name) : 1;
    }
    return *known - 1;
}

static void add_call(const CUpti_ActivityAPI *a)
{
    uint32_t name = name_of_call(a->kind == CUPTI_ACTIVITY_KIND_DRIVER, (uint32_t)a->cbid);
    if (name != 0)
        recorder_write("A %u %llu %llu %u %u", a->correlationId, (unsigned long long)a->start,
                       (unsigned long long)a->end, a->threadId, name - 1);
}

/* Later versions of the records have more behind the same fields. */
static void add_kernel(const CUpti_ActivityKernel9 *k)
{
    static atomic_bool told;
    if (!atomic_exchange(&told, true))
        write_device((CUdevice)k->deviceId);
    long long cluster = (long long)k->clusterX * k->clusterY * k->clusterZ; /* 0: not in clusters */
    recorder_write("K %u %llu %llu %u %u %lld %lld %u %lld %lld %u", k->correlationId,
                   (unsigned long long)k->start, (unsigned long long)k->end, k->deviceId,
                   k->streamId, (long long)k->gridX * k->gridY * k->gridZ,
                   (long long)k->blockX * k->blockY * k->blockZ, k->registersPerThread,
                   (long long)k->staticSharedMemory + k->dynamicSharedMemory,
                   cluster > 0 ? cluster : 1, recorder_text(k->name));
}

static void add_copy(const CUpti_ActivityMemcpy5 *c)
{
    bool pageable = c->srcKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE ||
                    c->dstKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
    recorder_write("C %u %llu %llu %u %u %u %llu %d", c->correlationId,
                   (unsigned long long)c->start, (unsigned long long)c->end, c->deviceId,
                   c->streamId, c->copyKind, (unsigned long long)c->bytes, pageable);
}

static void add_fill(const CUpti_ActivityMemset4 *m)
{
    recorder_write("M %u %llu %llu %u %u %llu", m->correlationId, (unsigned long long)m->start,
                   (unsigned long long)m->end, m->deviceId, m->streamId,
                   (unsigned long long)m->bytes);
}

static void add_wait(const CUpti_ActivitySynchronization *w)
{
    recorder_write("W %u %llu %llu 0 %u", w->correlationId, (unsigned long long)w->start,
                   (unsigned long long)w->end, (unsigned)w->type);
}

static void add_record(const CUpti_Activity *record)
{
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL:
        add_kernel((const CUpti_ActivityKernel9 *)record);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        add_copy((const CUpti_ActivityMemcpy5 *)record);
        break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        add_fill((const CUpti_ActivityMemset4 *)record);
        break;
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
        add_wait((const CUpti_ActivitySynchronization *)record);
        break;
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
        add_call((const CUpti_ActivityAPI *)record);
        break;
    default:
        break;
    }
}

/* --- buffers --- */

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *most)
{
    *buffer = aligned_alloc(8, BUFFER_BYTES);
    *size = *buffer != NULL ? BUFFER_BYTES : 0;
    *most = 0;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t valid)
{
    CUpti_Activity *record = NULL;
    size_t lost = 0;
    (void)size;
    while (valid > 0 && tracer.next(buffer, valid, &record) == CUPTI_SUCCESS)
        add_record(record);
    if (tracer.dropped(context, stream, &lost) == CUPTI_SUCCESS && lost > 0)
        recorder_write("L %zu", lost);
    recorder_flush();
    free(buffer);
}

/* So that a program that crashes leaves what it has done until then. */
static void *flush_often(void *unused)
{
    (void)unused;
    for (;;) {
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
        if (getpid() != tracer.owner)
            return NULL;
        tracer.flush(0);
        recorder_flush();
    }
}

static void end_recording(void)
{
    if (getpid() != tracer.owner)
        return;
    tracer.flush(0);
    tracer.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    long long end_ns = recorder_now_ns();
    recorder_write("E %lld %llu", end_ns, device_known ? used_bytes() : 0);
    recorder_flush();
}

/* --- loading --- */

static void *load(void)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so",
                                        "/usr/local/cuda/lib64/libcupti.so",
                                        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"};
    const char *asked = getenv("DCSIM_RECORD_CUPTI");
    if (asked != NULL)
        return dlopen(asked, RTLD_NOW | RTLD_LOCAL);
    void *library = NULL;
    for (int loaded = 1; loaded >= 0; loaded--) /* the program's own first */
        for (size_t i = 0; i < sizeof names / sizeof names[0] && library == NULL; i++)
            library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | (loaded ? RTLD_NOLOAD : 0));
    return library;
}

static bool find_functions(void)
{
    void *l = tracer.library;
    find_symbol(l, "cuptiActivityEnableRuntimeApi", &tracer.enable_runtime);
    find_symbol(l, "cuptiActivityEnableDriverApi", &tracer.enable_driver);
    return find_symbol(l, "cuptiActivityEnable", &tracer.enable) &&
           find_symbol(l, "cuptiActivityRegisterCallbacks", &tracer.callbacks) &&
           find_symbol(l, "cuptiActivityFlushAll", &tracer.flush) &&
           find_symbol(l, "cuptiActivityGetNextRecord", &tracer.next) &&
           find_symbol(l, "cuptiGetResultString", &tracer.text) &&
           find_symbol(l, "cuptiGetCallbackName", &tracer.call_name) &&
           find_symbol(l, "cuptiActivityGetNumDroppedRecords", &tracer.dropped);
}

static CUptiResult enable_calls(bool driver)
{
    CUptiResult (*enable)(CUpti_CallbackId, uint8_t) =
        driver ? tracer.enable_driver : tracer.enable_runtime;
    bool any = false;
    for (uint32_t i = 1; enable != NULL && i < CALLS_MAX; i++)
        if (name_of_call(driver, i) != 0)
            any = enable(i, 1) == CUPTI_SUCCESS || any;
    if (any)
        return CUPTI_SUCCESS;
    return tracer.enable(driver ? CUPTI_ACTIVITY_KIND_DRIVER : CUPTI_ACTIVITY_KIND_RUNTIME);
}

/* NULL if CUPTI did it; else what it cannot do. */
static const char *find_fault(const char *what, CUptiResult status)
{
    static char text[300];
    const char *why = "no reason is told";
    if (status == CUPTI_SUCCESS)
        return NULL;
    tracer.text(status, &why);
    snprintf(text, sizeof text, "CUPTI cannot %s: %s; does another tool watch the program?", what,
             why);
    return text;
}

/* NULL: it records; else why not. */
static const char *start_tracer(void)
{
    static const struct {
        CUpti_ActivityKind kind;
        const char *what;
    } kinds[] = {{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "record kernels"},
                 {CUPTI_ACTIVITY_KIND_MEMCPY, "record copies"},
                 {CUPTI_ACTIVITY_KIND_MEMSET, "record memory that is filled"},
                 {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "record waits"}};
    tracer.library = load();
    if (tracer.library == NULL)
        return "CUPTI (libcupti.so) is not found: put its folder into LD_LIBRARY_PATH, or name the "
               "library in DCSIM_RECORD_CUPTI; it comes with CUDA, and with PyTorch";
    if (!find_functions())
        return "this libcupti lacks a function that is needed: CUDA 12 or newer has them";
    const char *why = find_fault("hand over records", tracer.callbacks(give_buffer, take_buffer));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && why == NULL; i++)
        why = find_fault(kinds[i].what, tracer.enable(kinds[i].kind));
    bool with_calls = getenv("DCSIM_RECORD_CALLS") != NULL;
    if (why == NULL && with_calls)
        why = find_fault("record calls of CUDA's runtime", enable_calls(false));
    if (why == NULL && with_calls)
        why = find_fault("record calls of CUDA's driver", enable_calls(true));
    return why;
}

/* Called by the driver of CUDA when the program initialises it; 1: done. */
__attribute__((visibility("default"))) int InitializeInjection(void);

int InitializeInjection(void)
{
    pthread_t thread;
    if (!recorder_open())
        return 1;
    tracer.owner = getpid();
    const char *why = start_tracer();
    if (why != NULL) {
        recorder_write("X %s", why);
        recorder_flush();
        return 1;
    }
    atexit(end_recording);
    if (pthread_create(&thread, NULL, flush_often, NULL) == 0)
        pthread_detach(thread);
    return 1;
}
