/*
 * cupti.c - see cupti.h. Not part of a build whose CUDA toolkit lacks CUPTI's header.
 */
#include "calibrate/gpu/cupti.h"
#include "calibrate/gpu/ceilings.h"

#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BUFFER_BYTES (1 << 20)
#define FLUSHES      200 /* with a ms between: records are delivered late at times */

static struct {
    void *cupti;
    CUptiResult (*enable)(CUpti_ActivityKind);
    CUptiResult (*disable)(CUpti_ActivityKind);
    CUptiResult (*callbacks)(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc);
    CUptiResult (*flush)(uint32_t);
    CUptiResult (*next)(uint8_t *, size_t, CUpti_Activity **);
    CUptiResult (*text)(CUptiResult, const char **);
    /* Buffers come back on threads of CUPTI. */
    pthread_mutex_t lock; /* of what follows */
    struct cal_launch_record *records;
    size_t count, capacity, borders;
} tracer = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int check_status(CUptiResult status, const char *doing, struct dcs_err *err)
{
    const char *why = "unknown";
    if (status == CUPTI_SUCCESS)
        return 0;
    tracer.text(status, &why);
    return dcs_err_set(err, "CUPTI, %s: %s", doing, why);
}

/* --- buffers --- */

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *most)
{
    *buffer = dcs_alloc(BUFFER_BYTES, 1);
    *size = BUFFER_BYTES;
    *most = 0;
}

/* Later versions of the record have more behind the same fields. */
static void add_record(const CUpti_ActivityKernel9 *k)
{
    const struct cal_launch_record record = {
        .function = cal_function_id(k->name != NULL ? k->name : "", CAL_BORDER_KERNEL),
        .blocks = (int64_t)k->gridX * k->gridY * k->gridZ,
        .threads_per_block = (int64_t)k->blockX * k->blockY * k->blockZ,
        .registers = k->registersPerThread,
        .shared_bytes = (int64_t)k->staticSharedMemory + k->dynamicSharedMemory,
        .begin_ns = (int64_t)k->start,
        .end_ns = (int64_t)k->end,
    };
    if (k->start == 0 || k->end < k->start) /* its time could not be taken */
        return;
    tracer.records =
        dcs_grow(tracer.records, &tracer.capacity, tracer.count + 1, sizeof *tracer.records);
    tracer.records[tracer.count++] = record;
    tracer.borders += record.function == CAL_FUNCTION_BORDER;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t valid)
{
    CUpti_Activity *record = NULL;
    (void)context, (void)stream, (void)size;
    pthread_mutex_lock(&tracer.lock);
    while (valid > 0 && tracer.next(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            add_record((const CUpti_ActivityKernel9 *)record);
    pthread_mutex_unlock(&tracer.lock);
    free(buffer);
}

/* --- loading --- */

static bool find_symbol(void *place, const char *name)
{
    void *found = dlsym(tracer.cupti, name);
    memcpy(place, &found, sizeof found);
    return found != NULL;
}

static void *load(void)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so",
                                        "/usr/local/cuda/lib64/libcupti.so",
                                        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

int cal_tracer_open(struct dcs_err *err)
{
    if (tracer.cupti != NULL)
        return 0;
    tracer.cupti = load();
    if (tracer.cupti == NULL)
        return dcs_err_set(err, "needs CUPTI, which is not here (%s)", dlerror());
    bool whole = find_symbol(&tracer.enable, "cuptiActivityEnable") &&
                 find_symbol(&tracer.disable, "cuptiActivityDisable") &&
                 find_symbol(&tracer.callbacks, "cuptiActivityRegisterCallbacks") &&
                 find_symbol(&tracer.flush, "cuptiActivityFlushAll") &&
                 find_symbol(&tracer.next, "cuptiActivityGetNextRecord") &&
                 find_symbol(&tracer.text, "cuptiGetResultString");
    int failed = !whole ? dcs_err_set(err, "this libcupti lacks a function that is needed")
                        : check_status(tracer.callbacks(give_buffer, take_buffer), "starting", err);
    if (failed) {
        dlclose(tracer.cupti);
        tracer.cupti = NULL;
    }
    return failed;
}

/* --- tracing --- */

static void drop(void)
{
    pthread_mutex_lock(&tracer.lock);
    tracer.count = tracer.borders = 0;
    pthread_mutex_unlock(&tracer.lock);
}

int cal_tracer_start(struct dcs_err *err)
{
    if (check_status(tracer.enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "switching it on",
                     err) != 0)
        return -1;
    if (check_status(tracer.flush(0), "asking for records", err) != 0)
        return -1;
    drop();
    return 0;
}

void cal_tracer_stop(void)
{
    tracer.disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    tracer.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    drop();
}

static int compare(const void *a, const void *b)
{
    const struct cal_launch_record *x = a, *y = b;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static size_t borders_so_far(void)
{
    pthread_mutex_lock(&tracer.lock);
    size_t borders = tracer.borders;
    pthread_mutex_unlock(&tracer.lock);
    return borders;
}

int cal_tracer_take(size_t borders, const struct cal_launch_record **records, size_t *count,
                    struct dcs_err *err)
{
    static struct cal_launch_record *taken;
    int failed = check_status(tracer.flush(0), "asking for records", err);
    for (int i = 0; i < FLUSHES && !failed && borders_so_far() < borders; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        /* At last also what is not complete. */
        failed = check_status(tracer.flush(i + 1 < FLUSHES ? 0 : CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
                              "asking for records", err);
    }
    free(taken);
    pthread_mutex_lock(&tracer.lock);
    taken = tracer.records;
    *count = tracer.count;
    tracer.records = NULL;
    tracer.count = tracer.capacity = tracer.borders = 0;
    pthread_mutex_unlock(&tracer.lock);
    if (*count > 0)
        qsort(taken, *count, sizeof *taken, compare);
    *records = taken;
    return failed;
}
