/*
 * spill.h - a list of records of one size in bounded memory, however long it gets: it is written
 * once and read in its order. What does not fit lies in a temporary file (tempfile.h); a short list
 * never touches the disk.
 */
#ifndef DCS_DES_SPILL_H
#define DCS_DES_SPILL_H

#include "des/base.h"

/* Held in memory of each list: enough that the file is written in large pieces, and little beside
 * what else a run needs. */
#define SPILL_BYTES ((size_t)1 << 20)

/* All 0 is an empty list that can be read and released. Copied, it is the same list. */
struct spill {
    size_t record_bytes;
    uint64_t count;
    char *held; /* the last held_count records; those before them are in the file */
    size_t held_count, held_capacity;
    uint64_t in_file;
    int fd; /* where in_file > 0 */
};

/* An empty list; a record is at most SPILL_BYTES long. */
void spill_init(struct spill *s, size_t record_bytes);
void spill_release(struct spill *s);
int spill_add(struct spill *s, const void *record, struct dcs_err *err);
/* Calls take for each record, in order, until take returns something other than 0, and returns that
 * (take fills err if it wants to). -1 and err: the file cannot be read. */
int spill_each(const struct spill *s, int (*take)(void *context, const void *record), void *context,
               struct dcs_err *err);

#endif
