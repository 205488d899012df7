/*
 * formats.c - the table of trace formats: adding one is a file and a row here.
 */
#include "traces/format.h"

extern const struct trace_format format_google_2011_jobs, format_google_2011_tasks,
    format_google_2011_machines, format_google_2019_collections, format_google_2019_instances,
    format_google_2019_machines;
extern const struct trace_format format_alibaba_2017, format_alibaba_2018, format_pai_2020_job,
    format_pai_2020_task, format_pai_2020_instance, format_openb_2023, format_dlrm_2025;
extern const struct trace_format format_slurm_sacct;

const struct trace_format *const trace_formats[] = {
    &format_google_2011_jobs,
    &format_google_2011_tasks,
    &format_google_2011_machines,
    &format_google_2019_collections,
    &format_google_2019_instances,
    &format_google_2019_machines,
    &format_alibaba_2017,
    &format_alibaba_2018,
    &format_pai_2020_job,
    &format_pai_2020_task,
    &format_pai_2020_instance,
    &format_openb_2023,
    &format_dlrm_2025,
    &format_slurm_sacct,
    NULL,
};
