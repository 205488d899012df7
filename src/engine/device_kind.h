/*
 * device_kind.h - the one interface behind which the kinds of devices stand: one that runs one
 * kernel at a time (device_exclusive.c), a GPU that kernels share (device_shared.c), a CPU
 * (device_cpu.c). A further kind is one more such file, and a row in devices.c.
 *
 * A device is passive. It is told what is launched and stopped, says when something changes next,
 * and what has ended by then; it never calls up. Who asks turns what happened into notes, records
 * and events (devices.c, life_devices.c). What the engine must know of a kind beyond that, and what
 * tells kinds apart elsewhere, are its flags.
 */
#ifndef DCS_ENGINE_DEVICE_KIND_H
#define DCS_ENGINE_DEVICE_KIND_H

#include "engine/cluster.h"

/* device.h */
struct device;
struct device_launch;
struct device_end;
struct device_victim;
struct device_usage;

/* Operations that may be NULL say so. Ids that run are those of running(), ascending, of which one
 * that is being revoked is none. */
struct device_kind {
    const char *name; /* as messages call one */

    /* Several kernels may run together: how many SMs are in use, and how much kernels slow each
     * other, are questions. */
    bool shares;
    /* Kernels have allotments of SMs, or of cores and ways: predictions are for these. */
    bool allots_sms, allots_cores;
    /* Two kernels may be one launch where the profile has measured them so. */
    bool fuses;
    /* What a launch or a change of an allotment gets is its own when it is decided, not when the
     * charges have passed: pledge() takes it at once and for good, and nothing is refused later. */
    bool claims;
    bool can_resize; /* the allotment of what runs; a kind that can claims */
    bool can_revoke;
    bool revokes_all; /* a revocation takes all that runs, whatever its mechanism */
    /* When its event is set: once, at the end of an instant in which it has changed, since that is
     * dear; else at every change. */
    bool settles_late;
    /* Each change sets a new event, which comes after others of its time; else one that stays at
     * its time stays. */
    bool renews_event;

    /* Whether a spec that names no kind of devices means this one; NULL: no. */
    bool (*serves)(const struct cluster_spec *spec);

    /* What all devices of a run share; NULL: nothing, and so the next two. */
    void *(*open_all)(const struct cluster_spec *spec);
    void (*close_all)(const struct cluster_spec *spec, void *all);
    /* Adds what solving contention has cost. */
    void (*count_all)(const struct cluster_spec *spec, const void *all,
                      struct dcs_contention_stats *sum);
    /* What dev->truth takes, before anything runs there; NULL: next to nothing. */
    uint64_t (*bytes)(void);
    /* Makes and frees dev->truth. */
    void (*open)(struct device *dev, void *all);
    void (*free)(struct device *dev);

    /* What a policy sees, but for since_ns: out is all 0. Returns the request whose revocation
     * revoke_ns is to tell; 0: none, *out is complete. */
    req_id (*look)(const struct device *dev, struct host_device *out);
    /* Why a launch is not legal now, or a request that runs cannot get the allotment (a constant
     * text); NULL if it is. */
    const char *(*refuses)(const struct device *dev, const struct device_launch *l);
    /* A charged launch is under way, or no longer. unpledge: NULL for one that claims. */
    void (*pledge)(struct device *dev, const struct device_launch *l);
    void (*unpledge)(struct device *dev, const struct device_launch *l);

    void (*start)(struct device *dev, int64_t now_ns, struct device_launch *l);
    /* NULL: !can_resize. */
    void (*resize)(struct device *dev, int64_t now_ns, req_id id, struct host_allotment a);
    /* Revokes a kernel that runs and what goes with it, at most DEVICE_TOGETHER_MAX; returns how
     * many. NULL: !can_revoke. */
    uint32_t (*stop)(struct device *dev, int64_t now_ns, req_id id,
                     const struct dcs_profile_revocation *cost, struct device_victim *victims);
    /* When something changes next by itself; DCS_NEVER if nothing will, DCS_TIME_MAX or more if
     * that is beyond what can be simulated. */
    int64_t (*next_ns)(const struct device *dev);
    /* Applies what happens at now_ns = next: what ends then, at most DEVICE_TOGETHER_MAX; returns
     * how many (0: something else changed). */
    uint32_t (*advance)(struct device *dev, int64_t now_ns, struct device_end *ends);

    enum host_device_state (*state)(const struct device *dev); /* without what is under way */
    uint32_t (*running)(const struct device *dev);
    req_id (*nth)(const struct device *dev, uint32_t n);
    /* When a kernel that runs begins to work; NULL: as soon as it is launched. */
    int64_t (*began_ns)(const struct device *dev, req_id id);
    /* What can be read of a request that runs since since_ns; NULL: nothing. */
    void (*counters)(const struct device *dev, int64_t now_ns, req_id id, int64_t since_ns,
                     struct host_counters *out);
    /* For the truth scramble: what is left of a kernel that runs, of work_ns in all, is multiplied
     * with factor > 0; returns by how much its whole work grows. */
    int64_t (*scale_left)(struct device *dev, int64_t now_ns, req_id id, int64_t work_ns,
                          double factor);

    /* What a launch pays for another allotment than the kernel before it had, or -1 as above. NULL:
     * allotments do not switch. */
    int64_t (*switch_ns)(const struct cluster_spec *spec, uint32_t model,
                         struct host_allotment before, struct host_allotment now);
    /* Whether a kernel copies, and needs no SMs; NULL: none does. */
    bool (*is_transfer)(const struct cluster_spec *spec, uint32_t model, const struct dcs_app *app,
                        uint32_t kernel);
    /* For a recorder of its rates; NULL: it has none. */
    const struct dcs_gpu *(*gpu)(const struct device *dev);
    /* Closes the accounts; *out is all 0. Once, at the end. */
    void (*close)(struct device *dev, int64_t end_ns, struct device_usage *out);
};

extern const struct device_kind device_exclusive, device_shared, device_cpu;

/* devices.c: what the devices of a spec are. */
const struct device_kind *device_kind_of(const struct cluster_spec *spec);

#endif
