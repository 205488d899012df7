/*
 * dlrm_2025.c - disaggregated_DLRM_trace.csv of Alibaba's cluster-trace-gpu-v2025: inference
 * instances of recommendation models; one instance is one job.
 *
 * Columns, by name in the header (README.md of github.com/alibaba/clusterdata,
 * cluster-trace-gpu-v2025): instance_sn; role, CN (a CPU node) or HN (one with GPUs); cpu_request
 * in cores; gpu_request in GPUs, 0 on CN; creation_time, scheduled_time and deletion_time in
 * seconds from the start of the trace. Application, RDMA, memory, disk and density are not used.
 *
 * Traps. A time is empty (or NaN) when it lies outside the trace: creation and scheduling before
 * its start, deletion after its end. Some times carry the noise of a float ("2057225.0000000002").
 * The rows are in no order.
 *
 * Rules. arrival = creation, start = scheduled, duration = deletion - scheduled. Class latency: all
 * of them serve. CPU instances are kept, with GPUs 0. Status unknown: the table has none.
 *
 *   creation and scheduling empty   repaired: early, arrival = start = 0, duration from there
 *   creation alone empty            repaired: arrival 0, it waited when the trace began
 *   scheduling alone empty          left out: never ran
 *   deletion empty                  kept, censored at END_S
 *   a time below 0                  left out
 *   deletion before start           left out
 *   deletion = start                repaired: half a second, what a clock of whole seconds hides
 *   scheduled before creation       repaired: start = arrival, the duration stays
 *   a request below 0, above 1e6    left out
 *   neither CPUs nor GPUs           noted
 *   another role                    noted
 */
#include "traces/alibaba/tasks.h"

#include <string.h>

/* The latest time in the published file, a deletion; 31 days would be 2678400. */
#define END_S       2677541
#define REQUEST_MAX 1e6 /* cores or GPUs */

enum column {
    INSTANCE,
    ROLE,
    CPU_REQUEST,
    GPU_REQUEST,
    CREATION_TIME,
    SCHEDULED_TIME,
    DELETION_TIME,
    COLUMNS,
};

static const char *const columns[COLUMNS + 1] = {
    "instance_sn",   "role",           "cpu_request",   "gpu_request",
    "creation_time", "scheduled_time", "deletion_time",
};

/* INT64_MIN: outside the trace. */
#define OUTSIDE INT64_MIN

struct instance {
    double cpus, gpus;
    int64_t creation_ns, scheduled_ns, deletion_ns;
};

static enum trace_issue read_time(const char *text, int64_t *out_ns)
{
    bool inside;
    enum trace_issue issue = alibaba_time(text, &inside, out_ns);
    if (!inside)
        *out_ns = OUTSIDE;
    return issue;
}

/* The issue for which the row is left out, ISSUES if there is none. */
static enum trace_issue read_instance(const struct trace_row *row, struct instance *in)
{
    const char *const *f = row->fields;
    const enum trace_issue issues[] = {
        alibaba_amount(f[CPU_REQUEST], REQUEST_MAX, &in->cpus),
        alibaba_amount(f[GPU_REQUEST], REQUEST_MAX, &in->gpus),
        read_time(f[CREATION_TIME], &in->creation_ns),
        read_time(f[SCHEDULED_TIME], &in->scheduled_ns),
        read_time(f[DELETION_TIME], &in->deletion_ns),
    };
    for (size_t i = 0; i < sizeof issues / sizeof *issues; i++)
        if (issues[i] != ISSUES)
            return issues[i];
    if (in->creation_ns != OUTSIDE && in->scheduled_ns == OUTSIDE)
        return ISSUE_NO_START;
    int64_t start_ns = in->scheduled_ns == OUTSIDE ? 0 : in->scheduled_ns;
    int64_t end_ns = in->deletion_ns == OUTSIDE ? END_S * DCS_NS_PER_S : in->deletion_ns;
    return end_ns < start_ns ? ISSUE_END_BEFORE_START : ISSUES;
}

/* Says what is unusual in a row that is kept; *job is as the row has it, and repaired here. */
static int repair_and_note(struct trace_import *im, const struct instance *in, const char *role,
                           struct trace_job *job)
{
    if (in->creation_ns == OUTSIDE && import_issue(im, ISSUE_NO_SUBMIT, TRACE_REPAIRED) != 0)
        return -1;
    if (in->deletion_ns == OUTSIDE && import_issue(im, ISSUE_NO_END, TRACE_NOTED) != 0)
        return -1;
    if (job->duration_ns == 0) {
        job->duration_ns = ALIBABA_TICK_NS;
        if (import_issue(im, ISSUE_ZERO_DURATION, TRACE_REPAIRED) != 0)
            return -1;
    }
    if (job->start_ns < job->arrival_ns) {
        job->start_ns = job->arrival_ns;
        if (import_issue(im, ISSUE_OUT_OF_RANGE, TRACE_REPAIRED) != 0)
            return -1;
    }
    if (job->cpus <= 0.0 && job->gpus <= 0.0 &&
        import_issue(im, ISSUE_NO_RESOURCES, TRACE_NOTED) != 0)
        return -1;
    if (strcmp(role, "CN") != 0 && strcmp(role, "HN") != 0)
        return import_issue(im, ISSUE_UNKNOWN_CODE, TRACE_NOTED);
    return 0;
}

static int row_to_job(struct trace_import *im, const struct trace_row *row)
{
    struct instance in;
    enum trace_issue issue = read_instance(row, &in);
    if (issue != ISSUES)
        return import_issue(im, issue, TRACE_LEFT_OUT);
    int64_t start_ns = in.scheduled_ns == OUTSIDE ? 0 : in.scheduled_ns;
    int64_t end_ns = in.deletion_ns == OUTSIDE ? END_S * DCS_NS_PER_S : in.deletion_ns;
    struct trace_job job = {
        .arrival_ns = in.creation_ns == OUTSIDE ? 0 : in.creation_ns,
        .start_ns = start_ns,
        .duration_ns = end_ns - start_ns,
        .class = DCS_LATENCY,
        .gpus = in.gpus,
        .cpus = in.cpus,
        .censored = in.deletion_ns == OUTSIDE,
        .early = in.scheduled_ns == OUTSIDE,
    };
    snprintf(job.key, sizeof job.key, "%s", row->fields[INSTANCE]);
    if (repair_and_note(im, &in, row->fields[ROLE], &job) != 0)
        return -1;
    return import_job(im, &job);
}

extern const struct trace_format format_dlrm_2025;
const struct trace_format format_dlrm_2025 = {
    .name = "dlrm-2025",
    .summary =
        "Alibaba cluster-trace-gpu-v2025: inference instances of recommendation models, 31 days",
    .source = "cluster-trace-gpu-v2025/disaggregated_DLRM_trace.csv",
    .syntax = TRACE_CSV_HEADER,
    .columns = columns,
    .end_ns = END_S * DCS_NS_PER_S,
    .row = row_to_job,
};
