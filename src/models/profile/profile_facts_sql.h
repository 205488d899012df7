/*
 * profile_facts_sql.h - the questions of profile_facts.h as SQL, over the tables of
 * profile_schema.h in the schema `a` (and `b`, to compare). For profile_facts.c only.
 */
#ifndef DCS_MODELS_PROFILE_FACTS_SQL_H
#define DCS_MODELS_PROFILE_FACTS_SQL_H

#include "models/profile/profile_facts.h"

/* facts_prepare.sql, run once when all rows are there: what several questions share. */
extern const char facts_prepare_sql[];

extern const char *const dcs_facts_queries[DCS_FACTS_QUERIES];
extern const char facts_provenance_sql[]; /* facts_provenance.sql */

#endif
