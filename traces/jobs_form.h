/*
 * jobs_form.h - what the writer of a database of jobs (import_db.c) and its reader (jobs.c) agree
 * on: its version, and the range of its values. An import leaves out what is beyond, so that the
 * reader can refuse a whole database for one such value. The columns are in docs/traces.md, "The
 * form". Times: 0..DCS_TIME_MAX.
 */
#ifndef DCS_TRACES_JOBS_FORM_H
#define DCS_TRACES_JOBS_FORM_H

#define TRACE_JOBS_APPLICATION_ID 0x64637472 /* "dctr" */
#define TRACE_JOBS_SCHEMA         3          /* 2 had no job.models, 1 no job.status */

#define TRACE_JOBS_GPUS_MAX         1e6
#define TRACE_JOBS_CPUS_MAX         1e12
#define TRACE_JOBS_SOURCES_MAX      100000
#define TRACE_JOBS_NAME_MAX         4096               /* bytes of the name of a source */
#define TRACE_JOBS_SOURCE_BYTES_MAX (16 * 1000 * 1000) /* of all their names */

#endif
