/*
 * device_kind.h - the one interface behind which the kinds of devices stand: one that runs one
 * kernel at a time (device_exclusive.c), a GPU that kernels share (device_shared.c), a CPU
 * (device_cpu.c), a CPU and GPUs that share divisible work (device_divisible.c), a GPU whose SMs
 * kernels share block by block (device_sm.c), a GPU that really runs (device_driven.c). All devices
 * of a run are of one kind; devices of one domain may differ where `divides` is set, else they are
 * alike. A further kind is one more such file, and a row in devices.c.
 *
 * A device is passive and never calls the engine. The engine tells the device what is launched and
 * stopped, asks when something changes there next, and at that time asks what has ended. devices.c
 * and life_devices.c turn the answers into events, notes and records. Everything else that the
 * engine must know of a kind is a flag.
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

/* An operation may be NULL only where its comment says so. A kernel that is being revoked does not
 * run. running() counts the kernels that run, and nth() gives their requests in ascending order. */
struct device_kind {
    const char *name; /* what messages call a device of this kind */

    /* Several kernels may run together. Reports then say how many SMs are in use, and how much
     * kernels slow each other. */
    bool shares;
    /* A launch names the SMs, or the cores and ways, that its kernel gets. Policies are told what a
     * kernel will take with an allotment of them. */
    bool allots_sms, allots_cores;
    /* Two kernels may be one fused launch, if the profile has measured the two together. */
    bool fuses;
    /* A launch is a chunk of divisible work (life_chunks.c), and the devices of a domain are a CPU,
     * if it has threads (cluster_domain), and GPUs. Such runs are not recorded. */
    bool divides;
    /* A launch or a resize owns its allotment as soon as the policy has decided it: pledge() takes
     * the allotment, and the device does not refuse it when the charges have passed. Else the
     * device is asked again then, about a launch. */
    bool claims;
    bool can_resize; /* a running kernel can get another allotment, unless refuses() says no */
    bool can_revoke;
    bool revokes_all; /* each revocation takes all kernels that run, whatever its mechanism */
    /* next_ns() is dear: the engine asks once, at the end of an instant in which the device has
     * changed. Else it asks after every change. */
    bool settles_late;
    /* After a change the engine replaces the device's event, which then comes behind other events
     * of its time. Else an event whose time has not changed stays. */
    bool renews_event;

    /* Whether devices are of this kind where the spec names none; NULL: never. */
    bool (*serves)(const struct cluster_spec *spec);

    /* Makes and frees what all devices of a run share; NULL: they share nothing, and the next two
     * are NULL too. */
    void *(*open_all)(const struct cluster_spec *spec);
    void (*close_all)(const struct cluster_spec *spec, void *all);
    /* Adds what solving contention has cost. */
    void (*count_all)(const struct cluster_spec *spec, const void *all,
                      struct dcs_contention_stats *sum);
    /* Bytes of dev->truth before anything runs there; NULL: next to none. */
    uint64_t (*bytes)(void);
    /* Makes and frees dev->truth. */
    void (*open)(struct device *dev, void *all);
    void (*free)(struct device *dev);

    /* Fills in what a policy sees, except since_ns; *out is all 0 before. Returns the request
     * whose revocation the caller puts into revoke_ns; 0: *out is complete. */
    req_id (*look)(const struct device *dev, struct host_device *out);
    /* A constant text that says why the launch is not legal now (or, of a request that runs, the
     * resize to the launch's allotment); NULL: it is legal. */
    const char *(*refuses)(const struct device *dev, const struct device_launch *l);
    /* A charged launch is under way (pledge), or no longer is (unpledge; NULL if the kind claims).
     */
    void (*pledge)(struct device *dev, const struct device_launch *l);
    void (*unpledge)(struct device *dev, const struct device_launch *l);

    void (*start)(struct device *dev, int64_t now_ns, struct device_launch *l);
    /* Whether the other side, CPU or GPUs, works from now on. Returns whether that changed
     * anything. NULL: !divides. */
    bool (*beside)(struct device *dev, int64_t now_ns, bool beside);
    /* NULL: !can_resize. */
    void (*resize)(struct device *dev, int64_t now_ns, req_id id, struct host_allotment a);
    /* NULL: the kind has no quotas. A kernel that runs stands still in the SMs of `where` after so
     * much work there. Returns why that is not legal, a constant text; NULL: it is done. */
    const char *(*set_quota)(struct device *dev, int64_t now_ns, req_id id,
                             struct host_allotment where, int64_t work_ns);
    /* See host_quota_left_ns() and host_idle_blocks(); NULL: the kind has no quotas. */
    double (*quota_left_ns)(const struct device *dev, int64_t now_ns, req_id id, uint32_t first_sm);
    uint32_t (*idle_blocks)(const struct device *dev, req_id id);
    /* What a block of an application's kernel takes of an SM; NULL: nobody is told. */
    bool (*block)(const struct device *dev, const struct dcs_app *app, struct host_block *out);
    /* The rate of an application's kernel alone with such blocks, over that with all that fit; 0:
     * it has none, or nobody knows. NULL: there are no such allotments. */
    double (*rate)(const struct device *dev, const struct dcs_app *app, struct host_allotment a);
    /* Revokes a kernel that runs, and the kernels that its revocation takes with it. Returns how
     * many those are together, at most DEVICE_TOGETHER_MAX. NULL: !can_revoke. */
    uint32_t (*stop)(struct device *dev, int64_t now_ns, req_id id,
                     const struct dcs_profile_revocation *cost, struct device_victim *victims);
    /* When something changes on the device next if nothing is done to it; DCS_NEVER: nothing will;
     * DCS_TIME_MAX or more: too late to be simulated. */
    int64_t (*next_ns)(const struct device *dev);
    /* Applies what happens at now_ns, which is next_ns(). Returns how many kernels have ended, at
     * most DEVICE_TOGETHER_MAX; 0: something else has changed. */
    uint32_t (*advance)(struct device *dev, int64_t now_ns, struct device_end *ends);

    enum host_device_state (*state)(const struct device *dev); /* charged actions left aside */
    uint32_t (*running)(const struct device *dev);
    req_id (*nth)(const struct device *dev, uint32_t n);
    /* When a kernel that runs began to work, or will; NULL: when it was launched. */
    int64_t (*began_ns)(const struct device *dev, req_id id);
    /* The counters of a request that has run from since_ns on; NULL: the kind has none. */
    void (*counters)(const struct device *dev, int64_t now_ns, req_id id, int64_t since_ns,
                     struct host_counters *out);
    /* For the truth scramble: multiplies with factor > 0 the work that is left of a kernel that
     * runs. work_ns is its whole work; returns by how much that grows. */
    int64_t (*scale_left)(struct device *dev, int64_t now_ns, req_id id, int64_t work_ns,
                          double factor);

    /* What a launch with allotment `now` pays after a kernel with `before`; -1: it is to be as
     * measured, and the profile has not measured it. NULL: nothing is paid on such devices. */
    int64_t (*switch_ns)(const struct cluster_spec *spec, uint32_t profile,
                         struct host_allotment before, struct host_allotment now);
    /* Whether a kernel is a transfer, which needs no SMs; NULL: none is. */
    bool (*is_transfer)(const struct cluster_spec *spec, uint32_t profile,
                        const struct dcs_app *app, uint32_t kernel);
    /* Where a recorder reads the rates of kernels; NULL: the kind has none. */
    const struct dcs_gpu *(*gpu)(const struct device *dev);
    /* Once, at the end of a run: ends the accounts and fills in *out, which is all 0 before. */
    void (*close)(struct device *dev, int64_t end_ns, struct device_usage *out);
};

extern const struct device_kind device_exclusive, device_shared, device_cpu, device_divisible,
    device_sm, device_driven;

/* devices.c: the kind of a spec's devices. */
const struct device_kind *device_kind_of(const struct cluster_spec *spec);

#endif
