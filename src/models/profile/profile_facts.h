/*
 * profile_facts.h - questions about what profiles hold, for a person who looks at one: for `dcsim
 * profile show`, `lint` and `diff`, never for a simulation.
 *
 * The rows of a profile, which is untrusted, are checked (profile.h; and every value of a table of
 * version 2 against its column's type) and copied into a database in memory whose tables are those
 * of profile_schema.h. Questions are asked there, with its keys and without anything that a
 * stranger defined. Control characters in texts have become '?'.
 */
#ifndef DCS_MODELS_PROFILE_FACTS_H
#define DCS_MODELS_PROFILE_FACTS_H

#include "models/profile/profile.h"

struct dcs_facts;

/* Loads one profile, or two to compare (count 1 or 2). NULL and err on failure. */
struct dcs_facts *dcs_facts_load(const char *const *paths, size_t count, struct dcs_err *err);
void dcs_facts_free(struct dcs_facts *f); /* NULL is allowed */

/* What a simulation would read of profile `index`. */
const struct dcs_profile *dcs_facts_profile(const struct dcs_facts *f, size_t index);

/* ---- rows ---- */

enum dcs_facts_query {
    /* key, value of every note, by key. */
    DCS_FACTS_NOTES,
    /* what is to be done: one row where a GPU was measured and no contention was fitted. */
    DCS_FACTS_UNFITTED,
    /* what, rows: how much was measured, in a fixed order. */
    DCS_FACTS_COUNTS,
    /* what, amount per ns of the best row, ns per unit on the whole device, unit. */
    DCS_FACTS_CEILINGS,
    DCS_FACTS_SWITCHES,
    /* sms: measured with requests, not on the whole device. */
    DCS_FACTS_SM_COUNTS,
    /* name, class, SLA ns, request ns on the whole device, kernels, shapes, default size, size
     * unit, smallest and largest size, sizes, SM counts, co-runs, fused points. */
    DCS_FACTS_APPS,
    /* name, request ns at :few, :half and all SMs, at the default size. */
    DCS_FACTS_SCALING,
    /* name, shares of the time alone of its kernels at the default size, transfers aside: whose
     * contention was measured, is guessed, is not known. */
    DCS_FACTS_CONTENTION,
    /* mechanism, threads, co-runner, samples, mean kill, start, clear and spawn ns, died with it.
     */
    DCS_FACTS_REVOCATIONS,
    /* kind, reason of steps that failed. */
    DCS_FACTS_FAILED_STEPS,
    /* Of :app: size, mechanism, sms, median ns, standard error ns, n, throttled. */
    DCS_FACTS_APP_REQUESTS,
    /* Of :app at its default size: kernel, launches, ns on the whole device, ns at :half SMs, share
     * of the request, blocks, threads per block, n. */
    DCS_FACTS_APP_KERNELS,
    /* Of :app: papers, algorithm, source. */
    DCS_FACTS_APP_ABOUT,
    /* key, value of what a CPU has. */
    DCS_FACTS_CPU,
    /* origin, numbers: how many of those of a CPU and its applications come from where. */
    DCS_FACTS_ORIGINS,
    DCS_FACTS_QUERIES,
};

struct dcs_facts_arguments {
    const char *app;
    int64_t few_sms, half_sms;
};

/* One answer, row by row. Ask, call dcs_facts_next() until it is false, then end it. A value that
 * is NULL reads as NAN or "". Texts hold until the next row. */
struct dcs_facts_rows;
struct dcs_facts_rows *dcs_facts_ask(struct dcs_facts *f, enum dcs_facts_query query,
                                     const struct dcs_facts_arguments *arguments);
bool dcs_facts_next(struct dcs_facts_rows *rows);
double dcs_facts_number(const struct dcs_facts_rows *rows, int column);
const char *dcs_facts_text(const struct dcs_facts_rows *rows, int column);
/* -1 and err if the answer broke off, because it takes too much work. */
int dcs_facts_end(struct dcs_facts_rows *rows, struct dcs_err *err);

/* ---- lint ---- */

enum dcs_facts_severity {
    DCS_FACTS_NOTE,  /* how it was measured */
    DCS_FACTS_ERROR, /* what a simulation says of it would be wrong */
};

/* What is to be known of profile 0, one rule after the other. */
struct dcs_facts_rule {
    const char *name; /* lower case with '-' */
    enum dcs_facts_severity severity;
    const char *what; /* what its findings have in common */
    bool by_kind;     /* there are two more columns: which kind of row each finding is of, and how
                         many rows of that kind there are */
    const char *sql;  /* a row for each finding, which is its first column; by kind, then the worst
                         first, where one can be worse than another */
};
extern const struct dcs_facts_rule dcs_facts_rules[]; /* ends with name NULL */

struct dcs_facts_rows *dcs_facts_check(struct dcs_facts *f, const struct dcs_facts_rule *rule);

/* ---- diff ---- */

/* The tables that are compared row by row, NULL-ended. */
extern const char *const dcs_facts_compared[];

/* Keys, as text, that only profile `index` has. */
struct dcs_facts_rows *dcs_facts_only(struct dcs_facts *f, const char *table, size_t index);
/* key, value in profile 0, in profile 1, their ratio, of all keys that both have, by ratio. The
 * value is the table's duration; without one there are no rows. */
struct dcs_facts_rows *dcs_facts_ratios(struct dcs_facts *f, const char *table);
/* place, value in profile 0, in profile 1, of what differs in the notes, the device and the
 * applications. */
struct dcs_facts_rows *dcs_facts_provenance(struct dcs_facts *f);

#endif
