/*
 * timeline_file.h - a file of trace events in JSON (the Trace Event Format that Perfetto and
 * chrome://tracing read), written as it comes: an object with a list of events. Where the path ends
 * in ".html", the object lies in a page that draws it (timeline_page.html), for any browser.
 *
 * Times are in us with three decimals, written from whole ns. It is written beside its place and
 * named when it is whole, so that a broken one is never left there. What cannot be written, or
 * would pass the limit, is remembered: timeline_file_state() says so.
 */
#ifndef DCS_TIMELINE_FILE_H
#define DCS_TIMELINE_FILE_H

#include "options/options.h"

struct timeline_file; /* opaque */

/* Whether a file of that name is a page. */
bool timeline_file_is_page(const char *path);

/* A track: a thread of a process in the words of the format. */
struct timeline_track {
    uint32_t pid, tid;
};

/* NULL and err: it cannot be written there, or a file that is no timeline of ours is there. note:
 * what the file says of itself, the members of a JSON object. path is borrowed. */
struct timeline_file *timeline_file_open(const char *path, uint64_t limit_bytes, const char *note,
                                         struct dcs_err *err);
/* Names it. -1 and err: it could not be written, or was too long; nothing is left. */
int timeline_file_finish(struct timeline_file *f, struct dcs_err *err);
/* Closes it; what was not finished is removed. NULL is allowed. */
void timeline_file_close(struct timeline_file *f);

enum timeline_state { TIMELINE_GOOD, TIMELINE_TOO_LONG, TIMELINE_UNWRITTEN };
enum timeline_state timeline_file_state(const struct timeline_file *f);
uint64_t timeline_file_bytes(const struct timeline_file *f);

/* Events. args: members of a JSON object, or "". */
void timeline_slice(struct timeline_file *f, struct timeline_track at, int64_t from_ns,
                    int64_t to_ns, const char *name, const char *category, const char *args);
void timeline_instant(struct timeline_file *f, struct timeline_track at, int64_t at_ns,
                      const char *name, const char *category, const char *args);
/* A number from at_ns on. */
void timeline_number(struct timeline_file *f, uint32_t pid, int64_t at_ns, const char *name,
                     int64_t value);
/* An arrow from the slice that begins at from_ns to the one that begins at to_ns. */
void timeline_arrow(struct timeline_file *f, const char *name, struct timeline_track from,
                    int64_t from_ns, struct timeline_track to, int64_t to_ns);
/* Names a track (tid < TIMELINE_PROCESS) or the whole process; they are shown in the order of their
 * numbers. */
#define TIMELINE_PROCESS UINT32_MAX
void timeline_name(struct timeline_file *f, struct timeline_track of, const char *name);

#endif
