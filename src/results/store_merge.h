/*
 * store_merge.h - joins results databases: what the shards of a sweep have given, or runs that were
 * made anywhere.
 *
 * A run that two of them hold must be the same in both, to the last bit; so merging is idempotent,
 * and the order of the databases does not matter. All of it is one transaction: a conflict or a
 * full disk leaves everything as it was, and of a database that was to be made at most an empty
 * file, which counts as none.
 */
#ifndef DCS_STORE_MERGE_H
#define DCS_STORE_MERGE_H

#include "des/base.h"

struct store_merge_counts {
    uint64_t experiments, runs; /* added */
    uint64_t same;              /* runs that were there already */
    uint64_t unsummarised;      /* experiments without a summary now, since no database had all of
                                   their runs: the next dcsim --output writes it */
};

/* Adds what the `count` databases `in` hold to the database `out`, which is made if it is not
 * there. The others are not changed, but that a transaction that was broken off in one is rolled
 * back. Summaries of experiments that got runs from several are computed anew. -1 and err: one of
 * them is no results database of this schema, holds no run, is `out` itself, contradicts another,
 * or holds runs of another build than the others (any_build: that is allowed). */
int store_merge(const char *out, const char *const *in, size_t count, bool any_build,
                struct store_merge_counts *counts, struct dcs_err *err);

#endif
