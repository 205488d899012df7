/*
 * profile_store.h - the profile's database while it is measured, and its export as SQL text.
 *
 * The schema is models/profile/profile_schema.h, version 2. One step of the plan is one
 * transaction: after a crash or a full disk the database holds whole steps and nothing else, and
 * `step` says which are done and which failed. A database belongs to one device (by UUID) with one
 * driver.
 */
#ifndef DCS_CALIBRATE_PROFILE_STORE_H
#define DCS_CALIBRATE_PROFILE_STORE_H

#include "calibrate/plan/sample.h"

struct cal_store;

/* Who measured what with which. Texts are kept by the caller while the store is opened. */
struct cal_provenance {
    const char *name, *description, *source; /* of a new profile */
    const char *device_name, *device_uuid, *driver, *cuda, *tool_version, *measured_at;
    int sms, max_clock_mhz;
    int64_t memory_bytes, l2_bytes;
    bool is_cpu;     /* sms are its cores, driver is the system; l2 its last-level cache */
    bool same_model; /* another device of the same model and driver may continue a profile */
    bool in_part;    /* sms may be fewer than the device has: a client of MPS saw them */
};

/* Creates the database, or continues one of the same device. NULL and err otherwise: another
 * device or driver, another version, no profile, locked, damaged, disk full. */
struct cal_store *cal_store_open(const char *path, const struct cal_provenance *provenance,
                                 struct dcs_err *err);
/* Opens an existing one for reading. */
struct cal_store *cal_store_open_existing(const char *path, struct dcs_err *err);
/* Adds the tables of the schema that a profile of an older version of the tool lacks; they are
 * empty. cal_store_open and cal_store_merge do it by themselves. */
int cal_store_add_tables(struct cal_store *s, struct dcs_err *err);
void cal_store_close(struct cal_store *s); /* NULL is allowed; a step in hand is undone */

/* --- steps --- */

enum cal_step_state { CAL_STEP_MISSING, CAL_STEP_DONE, CAL_STEP_FAILED };

enum cal_step_state cal_store_step(struct cal_store *s, const char *key);
int cal_store_begin_step(struct cal_store *s, struct dcs_err *err);
/* Ends what was begun: keeps its rows. */
int cal_store_end_step(struct cal_store *s, const char *key, const char *kind, double seconds,
                       struct dcs_err *err);
/* Ends what was begun: undoes its rows, keeps the reason. */
int cal_store_fail_step(struct cal_store *s, const char *key, const char *kind, const char *reason,
                        double seconds, struct dcs_err *err);
/* Ends what was begun: undoes its rows, and the step is as if it had never begun. */
int cal_store_undo_step(struct cal_store *s, struct dcs_err *err);
/* Forgets failed steps of a kind (NULL: of all), so that they are tried again. */
int cal_store_forget_failed(struct cal_store *s, const char *kind, struct dcs_err *err);
/* The database cannot be written any more (full disk, damage): no further step has a point. */
bool cal_store_broken(const struct cal_store *s);

/* --- transactions --- */

/* Begins a transaction, and ends it: all of it is kept, or, if keep is false or on failure, undone.
 * One that is begun inside another is a part of that: whoever began the outer one undoes it where
 * the inner one has failed. */
int cal_store_begin(struct cal_store *s, struct dcs_err *err);
int cal_store_end(struct cal_store *s, bool keep, struct dcs_err *err);

/* --- rows --- */

/*
 * Inserts a row, or replaces the one with the same key. One letter per column, in the table's
 * order, and its value: 'i' int64_t, 'r' double, 't' const char *, 'n' NULL without a value,
 * 's' const struct cal_statistics *: the ten columns of a sample. Inside a step.
 */
int cal_store_put(struct cal_store *s, struct dcs_err *err, const char *table, const char *format,
                  ...);

/* Runs a statement with such values bound (no 's'). */
int cal_store_execute(struct cal_store *s, struct dcs_err *err, const char *sql, const char *format,
                      ...);

/* First column of the first row as a number; false if there is none or it is NULL. */
bool cal_store_get(struct cal_store *s, double *value, const char *sql, const char *format, ...);
/* The same as text, cut to size; false likewise. */
bool cal_store_get_text(struct cal_store *s, char *text, size_t size, const char *sql,
                        const char *format, ...);
/* Calls take for each row with its columns as text (NULL: none); take returns false to stop. */
int cal_store_each(struct cal_store *s, const char *sql, bool (*take)(void *, const char *const *),
                   void *context, struct dcs_err *err);

/* Which kernels of an application are run beside others. */
struct cal_subject_limits {
    size_t count;                         /* so many of an application */
    int64_t launches_max, min_ns, max_ns; /* launches of our own kernels; a library's call is one */
};
/*
 * The rank-th (from 0) of them, by what all kernels of its shape take of a request alone on the
 * device. Times that are nearly the same change their order from one measurement to the next: so
 * those kernels that `sensitivity` has in the most splits are taken before others, and a profile
 * that is continued goes on with the same ones. False: there are not so many.
 */
bool cal_store_subject(struct cal_store *s, const char *application, int64_t size,
                       const struct cal_subject_limits *limits, size_t rank, char *kernel,
                       size_t kernel_bytes);
/* The rank-th kernel that takes longer than one of them, or would be one, but for the limits, and
 * why: "sweep (22.1 ms, more than 15 ms)". False: there are not so many. */
bool cal_store_left_out(struct cal_store *s, const char *application, int64_t size,
                        const struct cal_subject_limits *limits, size_t rank, char *text,
                        size_t text_bytes);

/* Whether it is the profile of a CPU. */
bool cal_store_is_cpu(struct cal_store *s);

/* The five tables of version 1 from the measurements at default sizes, so that the profile can be
 * simulated at once; and profile.partial. */
int cal_store_finish(struct cal_store *s, bool partial, struct dcs_err *err);

/* --- merging (profile_store_merge.c) --- */

/*
 * Takes over what the profile at `from` has and this one has not: the steps that are done there,
 * all rows but those of what this one has measured itself, and the devices' UUIDs. finish then
 * makes of them what a simulation reads (cal_store_finish() at least). All in one transaction;
 * `from` is not changed. *steps: how many were taken over. -1 and err, and this one is as it was:
 * another model of device, driver, schema version or tables; a file that is no profile; finish has
 * failed.
 */
int cal_store_merge(struct cal_store *s, const char *from,
                    int (*finish)(struct cal_store *s, struct dcs_err *err), int64_t *steps,
                    struct dcs_err *err);

/* --- export (profile_store_export.c) --- */

/* Writes the database as SQL text, tables in the schema's order and rows in the order of their
 * keys: the same content gives the same bytes. A file that is there is replaced when all is
 * written. */
int cal_store_export(struct cal_store *s, const char *path, struct dcs_err *err);

#endif
