/*
 * profile.h - the calibration database: what was measured of a device and of applications on it.
 *
 * A profile is an SQLite database, or the SQL text that makes one. It is untrusted: a database is
 * opened read-only with trusted_schema off and defensive mode; SQL text runs in memory under an
 * authorizer that allows the schema's CREATE TABLE and INSERT and nothing else. What a simulation
 * needs is read into plain structs once; no SQL runs during a simulation.
 *
 * Both versions of the schema, table by table, are documented in docs/profile.md. Of the tables
 * that version 2 adds, a simulation reads nothing yet but which of them are empty.
 */
#ifndef DCS_MODELS_PROFILE_H
#define DCS_MODELS_PROFILE_H

#include "des/base.h"

#define DCS_PROFILE_SCHEMA 2

enum dcs_class {
    DCS_LATENCY, /* requests have an SLA */
    DCS_BATCH,   /* throughput counts */
};

struct dcs_profile_kernel {
    int64_t duration_ns; /* alone on the whole device, mean; >= 1 */
    int64_t threads;     /* of its launch; 0 = unknown */
    bool transfer;       /* between host and device */
};

struct dcs_profile_app {
    char *name;
    enum dcs_class class;
    int64_t sla_ns; /* 0 = none */
    uint64_t memory_bytes;
    struct dcs_profile_kernel *kernels; /* in launch order, at least one */
    size_t kernels_count;
    int64_t total_ns; /* sum of the kernels' durations */
};

enum dcs_revocation_mechanism {
    DCS_TRAP,         /* asm(trap): the context dies; next start is slow; clean-up is deferred */
    DCS_ASM_EXIT,     /* a flag polled by every thread block; the latency grows with the threads */
    DCS_PROCESS_KILL, /* the process is killed; the driver cleans up at once */
    DCS_MECHANISMS,
};

/* How long killing a process took that held an application, while another one waited to take its
 * place: quantiles, at (i + 0.5) / count, of kills with none on the device in the second before
 * ([0]), and of others ([1]), when the place of one that was killed is being filled. */
#define DCS_KILL_QUANTILES 20
#define DCS_KILL_AGAIN_NS  DCS_NS_PER_S
struct dcs_profile_kills {
    uint32_t count[2];
    int64_t ns[2][DCS_KILL_QUANTILES], mean_ns[2];
};

/* One measured row: what a revocation of a kernel with so many threads costs. */
struct dcs_profile_revocation {
    enum dcs_revocation_mechanism mechanism;
    int64_t threads;  /* 0: holds for any number */
    int64_t kill_ns;  /* from the decision until the kernel has stopped */
    int64_t start_ns; /* added to the next start on that device */
    int64_t clear_ns; /* clearing the dead context; deferred */
    int64_t spawn_ns; /* replacing the process; deferred */
    /* In place of kill_ns, and of clear_ns and spawn_ns, which a process that waits does not need;
     * borrowed; NULL: not measured. */
    const struct dcs_profile_kills *kills;
    bool kills_vary; /* drawn from the quantiles; else the means */
};

struct dcs_profile {
    char *name;
    char sha256[65];    /* of the file's bytes, unpacked */
    char *missing;      /* of a partial profile: which measurements it lacks; NULL: of none */
    int schema_version; /* 1 or 2 */
    char *device_name;
    bool is_cpu; /* its sms are cores; cpu.h reads the rest */
    int64_t sms;
    uint64_t memory_bytes;
    struct dcs_profile_app *apps; /* sorted by name */
    size_t apps_count;
    struct dcs_profile_revocation *revocations; /* sorted by mechanism, threads */
    size_t revocations_count;
    struct dcs_profile_kills kills[DCS_MECHANISMS]; /* count 0: not measured */
};

/* Loads FILE.db, FILE.sql or FILE.sql.gz (told apart by content, not by name). NULL and err on
 * failure. */
struct dcs_profile *dcs_profile_load(const char *path, struct dcs_err *err);
void dcs_profile_free(struct dcs_profile *p); /* NULL is allowed */

/* Where a profile named in a config lies: the path itself if it has a '/' or names a file; else
 * NAME.db, NAME.sql or NAME.sql.gz in the first of `dirs` (NULL-ended) that has one. Allocated;
 * NULL if there is none, err then lists where it looked and the nearest name that exists. */
char *dcs_profile_find(const char *name, const char *const *dirs, struct dcs_err *err);
/* The names that dcs_profile_find() knows there, sorted, each with a line break. Allocated. */
char *dcs_profile_list(const char *const *dirs);

/* NULL if the profile lacks it. */
const struct dcs_profile_app *dcs_profile_app(const struct dcs_profile *p, const char *name);

/* Costs of revoking a kernel of so many threads (0 = unknown: the largest measured row). Between
 * measured thread counts the kill latency is interpolated linearly in log2(threads); outside them
 * the nearest row holds. -1 and err if the profile has no row of that mechanism. */
int dcs_profile_revocation_cost(const struct dcs_profile *p, enum dcs_revocation_mechanism m,
                                int64_t threads, struct dcs_profile_revocation *out,
                                struct dcs_err *err);

/* As in profiles and configs: "trap". */
const char *dcs_mechanism_name(enum dcs_revocation_mechanism m);

/* Builds the database `out` from SQL text (the file must not exist; nothing is left on failure). */
int dcs_profile_build(const char *sql_path, const char *out, struct dcs_err *err);

#endif
