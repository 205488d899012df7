/*
 * recorder_lines.h - the library that is put into a program to record it, and what it writes.
 *
 * The driver of CUDA loads the library that CUDA_INJECTION64_PATH names, and NVTX (version 3) the
 * one that NVTX_INJECTION64_PATH names; both are this one. Where only the latter does, ranges are
 * told and nothing else. CUPTI is loaded when the program first uses CUDA, from where the program
 * has it or DCSIM_RECORD_CUPTI says. The library has nothing of the project inside: it lives in a
 * foreign process, prints nothing, and stops nothing there but requests that shall not begin yet
 * (recorder_pace.h).
 *
 * Each process that uses CUDA or NVTX writes a file of its own, DCSIM_RECORD_FOLDER/PID-NS.record.
 * A crash loses about the last second, or without CUPTI the last 64 KB. It is text. A line is a
 * letter and numbers, and at its end a text where <> is in the list. Times are ns of the system's
 * clock; texts have a number each.
 *
 *   dcsim-recording 2                    the first line
 *   P pid parent begin <command>         the process
 *   D device sms memory_bytes l2_bytes clock_khz cuda_version blocks threads registers shared_bytes
 *     reserved_bytes uuid <name>         the device of its first kernel; from blocks on: of an SM
 *   F text <its characters>              before the text's first use
 *   A correlation begin end thread text  a call of CUDA that launches, copies or waits; only if
 *                                        DCSIM_RECORD_CALLS is set, for it costs much
 *   K correlation begin end device stream blocks threads registers shared_bytes cluster text
 *                                      a kernel; cluster: blocks of each of its clusters, or 1
 *   C correlation begin end device stream kind bytes pageable
 *                                      a copy; kind as CUPTI numbers it; pageable 1: from or into
 *                                      memory that the system may move
 *   M correlation begin end device stream bytes           memory is filled
 *   W correlation begin end thread_unknown type           the host waits; type as CUPTI numbers it
 *   B range begin thread text          a range named as DCSIM_RECORD_RANGE begins,
 *   R range end                        and ends
 *   N <name>                           the program has a range of this name
 *   L count                            records that CUPTI lost
 *   X <why>                            nothing is recorded, or no longer
 *   E end used_bytes                   the process has ended; its device memory then, 0: the
 *                                      driver does not tell it
 *
 * A file has printable ASCII alone: any other byte of a text is \xNN in it.
 */
#ifndef DCS_CALIBRATE_RECORDER_LINES_H
#define DCS_CALIBRATE_RECORDER_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDING_HEADER "dcsim-recording 2"

/* A range's name is cut to one byte less; as a recording has it, each byte may be four. */
#define RECORDER_NAME_BYTES    256
#define RECORDER_ESCAPED_BYTES (4 * RECORDER_NAME_BYTES)

/* --- recorder_file.c --- */

/* Opens the file, once; false: there is none to write. Any thread, also after a fork. */
bool recorder_open(void);
/* Adds a line. After recorder_open(). */
void recorder_write(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The number of a text; writes it, escaped, at its first use. */
uint32_t recorder_text(const char *text);
/* Hands the system what was written. */
void recorder_flush(void);
/* As CUPTI's records have it. */
int64_t recorder_now_ns(void);
uint64_t recorder_thread(void);

/* --- recorder_text.c --- */

/* Whether a byte stands in a recording as it is. */
static inline bool recorder_is_plain(unsigned char c)
{
    return c >= 0x20 && c <= 0x7e;
}

/* A text as a recording has it: any byte that is not plain becomes \xNN; cut to size. A text that
 * is escaped stays as it is. */
void recorder_escape(const char *text, char *escaped, size_t size);

#endif
