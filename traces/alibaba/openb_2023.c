/*
 * openb_2023.c - openb_pod_list_*.csv of Alibaba's cluster-trace-gpu-v2023: one pod is one job.
 *
 * Columns, by name in the header (github.com/alibaba/clusterdata, cluster-trace-gpu-v2023): name,
 * cpu_milli (1000 = 1 core), num_gpu 0..8, gpu_milli 1..1000 per GPU (below 1000 only with one
 * GPU), qos (LS, BE, Burstable, Guaranteed), pod_phase, creation_time, deletion_time,
 * scheduled_time, in seconds; gpu_spec, the GPU models that it may run on, "A10|T4", empty: any.
 * memory_mib is not used. The multigpu lists lack the
 * times and are refused.
 *
 * Traps. scheduled_time is empty for pods that never ran, which have a deletion_time all the same;
 * pods of phase Running have one too. The last of them, END_S, means "still there". Four lists
 * (gpushare 20, 60, 80 and 100) count time from 427061 s later than the others, so that in them
 * everything ends that much earlier, at LATE_END_S.
 *
 * Rules. arrival = creation, start = scheduled, duration = deletion - scheduled. GPUs = num_gpu *
 * gpu_milli / 1000. LS pods are of class latency, all others of class batch. Status: phase
 * Succeeded is success, Failed failed; pods of another phase were deleted while they ran: unknown,
 * as are those still there. The trace ends with its latest pod.
 *
 * Still there is whose deletion is the end by either clock, or behind END_S. A list tells its clock
 * by its deletions: with the late zero, 23 to 35 pods that ran on GPUs are deleted at LATE_END_S
 * and none later; with the other, none in that second. What the rule would take wrongly is a pod of
 * a list with the early zero that was deleted in this one second of 149 days: there is none.
 *
 *   no GPU requested                left out: not a job of a GPU cluster
 *   scheduled_time empty            left out: never ran
 *   deletion not after scheduling   left out
 *   gpu_milli outside 1..1000 (0..1000 without a GPU), above 65536 GPUs, a time above 1e9 s
 *                                   left out
 *   still there                     kept, censored; noted as no-end
 *   phase Failed                    kept, noted: it held its GPUs
 *   scheduled before creation       repaired: start = arrival, the duration stays
 *   gpu_spec no names with | between them, above 127 bytes    left out
 *   cpu_milli not above 0, no number, above 1e6 cores   noted; CPUs 0
 */
#include "traces/format.h"

#include <string.h>

/* The last deletion_time of the published lists. */
#define END_S          12902960
#define LATE_END_S     (END_S - 427061)
#define SECONDS_MAX    1000000000LL
#define GPUS_MAX       65536
#define GPU_MILLI_MAX  1000
#define CORES_MAX      1e6
#define MILLI_PER_UNIT 1000.0

enum column {
    NAME,
    CPU_MILLI,
    NUM_GPU,
    GPU_MILLI,
    GPU_SPEC,
    QOS,
    POD_PHASE,
    CREATION_TIME,
    DELETION_TIME,
    SCHEDULED_TIME,
    COLUMNS,
};

static const char *const columns[COLUMNS + 1] = {
    "name", "cpu_milli", "num_gpu",       "gpu_milli",     "gpu_spec",
    "qos",  "pod_phase", "creation_time", "deletion_time", "scheduled_time",
};

struct pod {
    int64_t gpus, gpu_milli;
    int64_t creation_ns, scheduled_ns, deletion_ns;
    char models[TRACE_MODELS_BYTES];
};

/* The issue for which a row with such a text is left out, ISSUES if there is none. */
static enum trace_issue read_count(const char *text, int64_t max, int64_t *out)
{
    if (!trace_int64(text, out))
        return trace_bad_number(text);
    return *out < 0 || *out > max ? ISSUE_OUT_OF_RANGE : ISSUES;
}

static enum trace_issue read_time(const char *text, int64_t *out)
{
    if (!trace_seconds_ns(text, out))
        return trace_bad_number(text);
    if (*out < 0)
        return ISSUE_TIME_NEGATIVE;
    return *out > SECONDS_MAX * DCS_NS_PER_S ? ISSUE_OUT_OF_RANGE : ISSUES;
}

/* A row must be readable as a whole before anything else is said of it. */
static enum trace_issue read_pod(const struct trace_row *row, struct pod *pod)
{
    const char *const *f = row->fields;
    bool scheduled = row->lengths[SCHEDULED_TIME] > 0;
    *pod = (struct pod){0};
    const enum trace_issue issues[] = {
        read_count(f[NUM_GPU], GPUS_MAX, &pod->gpus),
        read_count(f[GPU_MILLI], GPU_MILLI_MAX, &pod->gpu_milli),
        read_time(f[CREATION_TIME], &pod->creation_ns),
        read_time(f[DELETION_TIME], &pod->deletion_ns),
        scheduled ? read_time(f[SCHEDULED_TIME], &pod->scheduled_ns) : ISSUES,
        trace_models(f[GPU_SPEC], pod->models) ? ISSUES : ISSUE_OUT_OF_RANGE,
    };
    for (size_t i = 0; i < sizeof issues / sizeof *issues; i++)
        if (issues[i] != ISSUES)
            return issues[i];
    if (pod->gpus > 0 && pod->gpu_milli == 0)
        return ISSUE_OUT_OF_RANGE;
    if (pod->gpus == 0)
        return ISSUE_NOT_A_JOB;
    if (!scheduled)
        return ISSUE_NO_START;
    if (pod->deletion_ns < pod->scheduled_ns)
        return ISSUE_END_BEFORE_START;
    return pod->deletion_ns == pod->scheduled_ns ? ISSUE_ZERO_DURATION : ISSUES;
}

static bool still_there(const struct pod *pod)
{
    return pod->deletion_ns >= END_S * DCS_NS_PER_S ||
           pod->deletion_ns == LATE_END_S * DCS_NS_PER_S;
}

static enum trace_status status_of(const char *phase)
{
    if (strcmp(phase, "Succeeded") == 0)
        return TRACE_STATUS_SUCCESS;
    return strcmp(phase, "Failed") == 0 ? TRACE_STATUS_FAILED : TRACE_STATUS_UNKNOWN;
}

static int keep(struct trace_import *im, const struct pod *pod, const char *const *f)
{
    double cpu_milli;
    bool has_cpus = trace_number(f[CPU_MILLI], &cpu_milli) && cpu_milli > 0.0 &&
                    cpu_milli <= CORES_MAX * MILLI_PER_UNIT;
    enum trace_status status = status_of(f[POD_PHASE]);
    bool too_early = pod->scheduled_ns < pod->creation_ns;
    struct trace_job job = {
        .arrival_ns = pod->creation_ns,
        .start_ns = too_early ? pod->creation_ns : pod->scheduled_ns,
        .duration_ns = pod->deletion_ns - pod->scheduled_ns,
        .class = strcmp(f[QOS], "LS") == 0 ? DCS_LATENCY : DCS_BATCH,
        .gpus = (double)(pod->gpus * pod->gpu_milli) / MILLI_PER_UNIT,
        .cpus = has_cpus ? cpu_milli / MILLI_PER_UNIT : 0.0,
        .censored = still_there(pod),
    };
    memcpy(job.models, pod->models, sizeof job.models);
    job.status = job.censored ? TRACE_STATUS_UNKNOWN : status;
    snprintf(job.key, sizeof job.key, "%s", f[NAME]);
    if (job.censored && import_issue(im, ISSUE_NO_END, TRACE_NOTED) != 0)
        return -1;
    if (status == TRACE_STATUS_FAILED && import_issue(im, ISSUE_FAILED, TRACE_NOTED) != 0)
        return -1;
    if (too_early && import_issue(im, ISSUE_OUT_OF_RANGE, TRACE_REPAIRED) != 0)
        return -1;
    if (!has_cpus && import_issue(im, ISSUE_NO_RESOURCES, TRACE_NOTED) != 0)
        return -1;
    return import_job(im, &job);
}

static int row_to_job(struct trace_import *im, const struct trace_row *row)
{
    struct pod pod;
    enum trace_issue issue = read_pod(row, &pod);
    return issue == ISSUES ? keep(im, &pod, row->fields) : import_issue(im, issue, TRACE_LEFT_OUT);
}

extern const struct trace_format format_openb_2023;
const struct trace_format format_openb_2023 = {
    .name = "openb-2023",
    .summary = "Alibaba cluster-trace-gpu-v2023 (openb): pods with whole and shared GPUs, 149 days",
    .source = "cluster-trace-gpu-v2023/csv/openb_pod_list_*.csv",
    .syntax = TRACE_CSV_HEADER,
    .columns = columns,
    .ordered = true,
    .row = row_to_job,
};
