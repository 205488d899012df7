/*
 * profile_split.h - a profile in two: what a simulation reads, in one small file that is read at
 * once, and the evidence apart, which is what the numbers were fitted to and judged by. Only who
 * shows, checks, validates, trains or builds reads the evidence.
 *
 *   NAME.sql.gz                  what a simulation reads; its table `evidence` lists the parts
 *   NAME.evidence/PART.sql.gz    one file for each measurement, so that a measurement that is
 *                                repeated changes its own part and NAME.sql.gz alone
 *
 * The tables of a part stand in the place of those of the same name in NAME.sql.gz, which has some
 * columns or rows of them. All files are SQL text in the plain form (profile_plain.h), packed.
 */
#ifndef DCS_MODELS_PROFILE_SPLIT_H
#define DCS_MODELS_PROFILE_SPLIT_H

#include "models/profile/profile_open.h"

/* Writes the profile at `path`, with its evidence, as NAME.sql.gz and NAME.evidence/. Files of
 * these names are replaced, each when it is whole, NAME.sql.gz last; one that holds the same text
 * is left as it is. quantiles: those of its noise (the table noise_quantile), NULL: none. -1 and
 * err on failure. */
int dcs_profile_split(const char *path, const char *name, const double *quantiles, size_t count,
                      struct dcs_err *err);

/* As dcs_profile_open_sqlite(), with the evidence that lies beside the file, if its evidence is
 * apart: the tables are then as they were before dcs_profile_split(). The hash is the file's own.
 */
int dcs_profile_open_whole(struct dcs_profile_source *s, const char *path, struct dcs_err *err);

#endif
