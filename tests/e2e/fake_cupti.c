/*
 * fake_cupti.c - stands in for CUPTI and for the driver of CUDA where the recorder is tested: what
 * fake_program.py says has happened comes back as CUPTI's records do. One library is both: its
 * soname is libcuda.so.1, and DCSIM_RECORD_CUPTI names its file.
 */
#include <cupti.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static uint8_t *buffer;
static size_t size, used;
static int calls_enabled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the recorder flushes from a thread */

static void flush_records(void)
{
    if (used > 0)
        complete(NULL, 0, buffer, size, used);
    else
        free(buffer);
    buffer = NULL;
    used = 0;
}

static void add_record(const void *record, size_t bytes)
{
    size_t most;
    pthread_mutex_lock(&lock);
    if (buffer != NULL && used + bytes > size)
        flush_records();
    if (buffer == NULL)
        request(&buffer, &size, &most);
    memcpy(buffer + used, record, bytes);
    used += bytes;
    pthread_mutex_unlock(&lock);
}

/* --- what the program calls --- */

void fake_kernel(uint32_t correlation, uint64_t call, uint64_t begin, uint64_t end, int blocks,
                 const char *name, uint32_t device)
{
    const CUpti_ActivityAPI api = {.kind = CUPTI_ACTIVITY_KIND_RUNTIME,
                                   .cbid = 1,
                                   .start = call,
                                   .end = call + 1000,
                                   .threadId = 7,
                                   .correlationId = correlation};
    const CUpti_ActivityKernel9 kernel = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                          .start = begin,
                                          .end = end,
                                          .deviceId = device,
                                          .correlationId = correlation,
                                          .gridX = blocks,
                                          .gridY = 1,
                                          .gridZ = 1,
                                          .blockX = 128,
                                          .blockY = 1,
                                          .blockZ = 1,
                                          .registersPerThread = 32,
                                          .streamId = 7,
                                          .name = name};
    if (calls_enabled)
        add_record(&api, sizeof api);
    add_record(&kernel, sizeof kernel);
}

void fake_wait(uint64_t begin, uint64_t end)
{
    const CUpti_ActivitySynchronization wait = {
        .kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
        .type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE,
        .start = begin,
        .end = end};
    add_record(&wait, sizeof wait);
}

/* --- CUPTI --- */

static int refuses(const char *what)
{
    const char *asked = getenv("FAKE_CUPTI_REFUSES");
    return asked != NULL && strcmp(asked, what) == 0;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc r,
                                           CUpti_BuffersCallbackCompleteFunc c)
{
    request = r;
    complete = c;
    return refuses("all") ? CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED : CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
    return (kind == CUPTI_ACTIVITY_KIND_MEMCPY && refuses("copies")) ||
                   (kind == CUPTI_ACTIVITY_KIND_RUNTIME && refuses("calls"))
               ? CUPTI_ERROR_NOT_COMPATIBLE
               : CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId cbid, uint8_t enable)
{
    (void)enable;
    if (refuses("calls"))
        return CUPTI_ERROR_NOT_COMPATIBLE;
    calls_enabled = calls_enabled || cbid == 1;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
    (void)flag;
    pthread_mutex_lock(&lock);
    flush_records();
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *from, size_t valid, CUpti_Activity **record)
{
    uint8_t *next = from;
    if (*record != NULL) {
        CUpti_ActivityKind kind = (*record)->kind;
        next = (uint8_t *)*record + (kind == CUPTI_ACTIVITY_KIND_RUNTIME ? sizeof(CUpti_ActivityAPI)
                                     : kind == CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
                                         ? sizeof(CUpti_ActivitySynchronization)
                                         : sizeof(CUpti_ActivityKernel9));
    }
    *record = (CUpti_Activity *)next;
    return next < from + valid ? CUPTI_SUCCESS : CUPTI_ERROR_MAX_LIMIT_REACHED;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
    *text = result == CUPTI_SUCCESS ? "CUPTI_SUCCESS"
            : result == CUPTI_ERROR_NOT_COMPATIBLE
                ? "CUPTI_ERROR_NOT_COMPATIBLE"
                : "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t cbid, const char **name)
{
    *name = domain == CUPTI_CB_DOMAIN_RUNTIME_API && cbid == 1 ? "cudaLaunchKernel_v7000"
                                                               : "cudaGetDevice";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *dropped)
{
    (void)context, (void)stream;
    *dropped = 0;
    return CUPTI_SUCCESS;
}

/* --- the driver --- */

CUresult CUDAAPI cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
    (void)device;
    const char *percent = getenv("FAKE_CUPTI_PART"); /* a client of MPS sees its part */
    int sms = percent != NULL ? 16 * atoi(percent) / 100 : 16;
    *value = which == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT                   ? sms
             : which == CU_DEVICE_ATTRIBUTE_CLOCK_RATE                           ? 1500000
             : which == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE                        ? 1 << 22
             : which == CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR        ? 32
             : which == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR       ? 2048
             : which == CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR     ? 65536
             : which == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR ? 102400
                                                                                 : 1024;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetName(char *name, int length, CUdevice device)
{
    (void)device;
    strncpy(name, "Fake GPU", (size_t)length);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = (size_t)8 << 30;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    (void)device;
    memset(uuid, 0xab, sizeof *uuid);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}
