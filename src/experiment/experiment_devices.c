/* experiment_devices.c - the devices of an experiment: the files that say what each kind of them is
 * (profile, trained predictors), and whether they can do what the config asks of them. */
#include "config/paths.h"
#include "experiment/experiment_parts.h"
#include "models/predictor/methods.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As with profiles, what does not lie beside the config may lie in the current folder. */
char *experiment_predictors_path(const struct config *c, const char *name, const char *file)
{
    if (c->predictors[0] == '\0')
        return paths_predictors(file, name, c->folder);
    char *beside = paths_join(c->folder, c->predictors);
    if (access(beside, F_OK) == 0)
        return beside;
    free(beside);
    return dcs_strdup(c->predictors);
}

static void note_file(struct experiment_file *f, const char *path, const char *sha256)
{
    const char *slash = strrchr(path, '/');
    f->name = dcs_strdup(slash != NULL ? slash + 1 : path);
    snprintf(f->sha256, sizeof f->sha256, "%s", sha256);
}

/* Of the kind i, whose profile is loaded from `file`. */
static int load_predictors(struct experiment *x, uint32_t i, const char *file, struct dcs_err *err)
{
    struct experiment_devices *d = x->devices;
    struct experiment_kind *kind = &x->kind[i];
    char *path = experiment_predictors_path(x->config, kind->name, file);
    const struct dcs_method *method = dcs_method_named(config_predictors[x->config->predictor]);
    const char *sha256 = NULL;
    if (d->cpu_predictors != NULL) {
        d->cpu_predictors[i] =
            profile_cache_cpu_predictors(d->cache, path, file, kind->profile, method, err);
        if (d->cpu_predictors[i] != NULL)
            sha256 = dcs_cpu_predictors_sha256(d->cpu_predictors[i]);
    } else {
        d->predictors[i] =
            profile_cache_predictors(d->cache, path, file, kind->profile, method, err);
        if (d->predictors[i] != NULL)
            sha256 = dcs_predictors_sha256(d->predictors[i]);
    }
    if (sha256 != NULL)
        note_file(&kind->predictors, path, sha256);
    free(path);
    return sha256 != NULL ? 0 : -1;
}

/* Likewise: who says how much its kernels are slowed. */
static int load_slowdowns(struct experiment *x, uint32_t i, const char *file, struct dcs_err *err)
{
    struct experiment_devices *d = x->devices;
    struct experiment_kind *kind = &x->kind[i];
    bool trained = x->config->slowdowns == SLOWDOWNS_TRAINED;
    char *path = trained ? experiment_predictors_path(x->config, kind->name, file) : NULL;
    d->slowdowns[i] =
        profile_cache_slowdowns(d->cache, path, file, kind->profile, d->spatial[i], err);
    if (d->slowdowns[i] != NULL && trained && kind->predictors.name == NULL)
        note_file(&kind->predictors, path, dcs_slowdowns_sha256(d->slowdowns[i]));
    free(path);
    return d->slowdowns[i] != NULL ? 0 : -1;
}

static struct dcs_profile *load_profile(struct experiment *x, uint32_t i, const char *file,
                                        struct dcs_err *err)
{
    struct experiment_devices *d = x->devices;
    struct dcs_profile *profile;
    if (d->spatial != NULL) {
        size_t count;
        struct profile_cache_sized *sized = experiment_sized(x, &count);
        profile = profile_cache_spatial(d->cache, file, sized, count, &d->spatial[i], err);
        experiment_free_sized(sized, count);
    } else if (d->cpu != NULL) {
        profile = profile_cache_cpu(d->cache, file, &d->cpu[i], err);
    } else if (d->divisible != NULL) {
        profile = profile_cache_divisible(d->cache, file, &d->divisible[i], err);
    } else if (d->sm != NULL) {
        profile = profile_cache_sm(d->cache, file, &d->sm[i], err);
    } else {
        profile = profile_cache_profile(d->cache, file, err);
    }
    if (profile != NULL && d->spatial != NULL && profile->is_cpu) {
        dcs_err_at(err, file, 0, "device.kind",
                   "profile \"%s\" is of a CPU: set sharing.model to \"cpu\"", profile->name);
        return NULL;
    }
    return profile;
}

static int load_kind(struct experiment *x, uint32_t i, const char *file, struct dcs_err *err)
{
    struct experiment_devices *d = x->devices;
    struct dcs_profile *profile = load_profile(x, i, file, err);
    if (profile == NULL)
        return -1;
    x->kind[i].profile = d->profiles[i] = profile;
    d->memory_bytes[i] = profile->memory_bytes;
    d->sms[i] = (uint32_t)profile->sms;
    if (d->spatial != NULL) {
        x->kind[i].spatial = d->spatial[i];
        x->kind[i].falls_back = dcs_spatial_falls_back(d->spatial[i]);
    }
    if (d->noise != NULL)
        d->noise[i] = d->spatial[i]->noise;
    if (x->config->predictor >= PREDICTOR_TRAINED && load_predictors(x, i, file, err) != 0)
        return -1;
    return d->slowdowns != NULL ? load_slowdowns(x, i, file, err) : 0;
}

/* The index of a profile's kind; loads it if it is new. -1 and err on failure. */
static int use_kind(struct experiment *x, const char *name, const char *path, struct dcs_err *err)
{
    for (uint32_t i = 0; i < x->kinds; i++)
        if (strcmp(x->kind[i].name, name) == 0)
            return (int)i;
    char *file = paths_profile(name, x->config->folder, err);
    if (file == NULL) {
        struct dcs_err cause = *err;
        return options_error(x->doc, path, err, "%s", cause.text);
    }
    uint32_t kind = x->kinds++;
    x->kind[kind].name = dcs_strdup(name);
    int status = load_kind(x, kind, file, err);
    free(file);
    return status == 0 ? (int)kind : -1;
}

/* Domains of devices of a profile. */
static int add_domains(struct experiment *x, size_t *capacity, int64_t domains, int64_t devices,
                       int64_t cpu_threads, const char *profile, const char *path,
                       struct dcs_err *err)
{
    int kind = use_kind(x, profile, path, err);
    if (kind < 0)
        return -1;
    x->domains =
        dcs_grow(x->domains, capacity, x->domains_count + (size_t)domains, sizeof *x->domains);
    for (int64_t i = 0; i < domains; i++)
        x->domains[x->domains_count++] =
            (struct cluster_domain){.profile = (uint32_t)kind,
                                    .devices = (uint32_t)devices,
                                    .cpu_threads = (uint32_t)cpu_threads};
    x->devices_count += (uint32_t)(domains * devices);
    x->kind[kind].devices = x->devices->devices[kind] += (uint64_t)(domains * devices);
    return 0;
}

static int check_step(const struct experiment *x, struct dcs_err *err)
{
    long long step = x->config->sharing.step_sms;
    for (uint32_t i = 0; x->device_kind->allots_sms && i < x->kinds; i++)
        if (step > x->kind[i].profile->sms)
            return options_error(x->doc, "sharing.step_sms", err,
                                 "expected at most the %lld SMs of a device of profile \"%s\"; "
                                 "found %lld",
                                 (long long)x->kind[i].profile->sms, x->kind[i].profile->name,
                                 step);
    return 0;
}

static int check_fusion(const struct experiment *x, struct dcs_err *err)
{
    const struct policy *policy = x->config->policy;
    for (uint32_t i = 0; (policy->needs & HOST_NEEDS_FUSION) != 0 && i < x->kinds; i++)
        if (x->kind[i].spatial->fusion == NULL)
            return options_error(x->doc, "policy.name", err,
                                 "policy %s needs fused launches, which profile \"%s\" has no "
                                 "measurements of; they are made with dcsim-calibrate fusion "
                                 "--output PROFILE.db",
                                 policy->name, x->kind[i].profile->name);
    return 0;
}

/* A mechanism that alone was not measured is refused when a policy changes to it. */
static int check_switches(const struct experiment *x, struct dcs_err *err)
{
    bool measured = x->config->sharing.quota_switch_ns == CONFIG_SWITCH_MEASURED;
    for (uint32_t i = 0; measured && i < x->kinds; i++) {
        const int64_t *ns = x->kind[i].spatial->switch_ns;
        if (ns[DCS_SWITCH_GREEN] < 0 && ns[DCS_SWITCH_MPS] < 0)
            return options_error(x->doc, "sharing.quota_switch_us", err,
                                 "profile \"%s\" has not measured what a change of quota costs "
                                 "(table quota_switch); measure it with dcsim-calibrate switch "
                                 "--output PROFILE.db, or give a time",
                                 x->kind[i].profile->name);
    }
    return 0;
}

int64_t experiment_measured_charge(const struct experiment *x)
{
    const struct config_scheduler *s = &x->config->scheduler;
    bool automatic = s->callback_ns == CONFIG_CHARGE_AUTO && s->scale > 0;
    if (!automatic && s->callback_ns != CONFIG_CHARGE_MEASURED)
        return -1;
    int64_t ns = -1;
    for (uint32_t i = 0; i < x->kinds; i++) {
        if (x->kind[i].spatial == NULL)
            return -1;
        int64_t of_kind = dcs_spatial_cost_ns(x->kind[i].spatial, x->config->policy->name);
        if (of_kind < 0)
            return -1;
        ns = of_kind > ns ? of_kind : ns;
    }
    return ns;
}

/* One scheduler may have devices of several profiles, and is charged alike for all. */
static int check_charges(const struct experiment *x, struct dcs_err *err)
{
    bool measured = x->config->scheduler.callback_ns == CONFIG_CHARGE_MEASURED;
    const char *policy = x->config->policy->name;
    for (uint32_t i = 0; measured && i < x->kinds; i++) {
        int64_t ns = dcs_spatial_cost_ns(x->kind[i].spatial, policy);
        if (ns < 0)
            return options_error(x->doc, "scheduler.callback_us", err,
                                 "profile \"%s\" has not measured what policy %s costs (table "
                                 "scheduler_cost); keep it with dcsim validate --driven RESULTS.db "
                                 "--keep PROFILE.db, or give a time",
                                 x->kind[i].profile->name, policy);
        if (ns != dcs_spatial_cost_ns(x->kind[0].spatial, policy))
            return options_error(x->doc, "scheduler.callback_us", err,
                                 "profiles \"%s\" and \"%s\" have measured other costs of policy "
                                 "%s: give a time",
                                 x->kind[0].profile->name, x->kind[i].profile->name, policy);
    }
    return 0;
}

static int check_uncertainty(const struct experiment *x, struct dcs_err *err)
{
    for (uint32_t i = 0; x->config->sharing.profile_uncertainty && i < x->kinds; i++)
        if (!dcs_spatial_uncertain(x->kind[i].spatial))
            return options_error(x->doc, "sharing.profile_uncertainty", err,
                                 "profile \"%s\" does not say how uncertain it is: it has neither "
                                 "the deviation of its samples (kernel_solo) nor noise",
                                 x->kind[i].profile->name);
    return 0;
}

/* With room for so many kinds. cache: NULL: one of its own. */
static struct experiment_devices *make_devices(const struct config *c, size_t kinds,
                                               struct profile_cache *cache)
{
    struct experiment_devices *d = dcs_alloc(1, sizeof *d);
    bool spatial = c->sharing.model == SHARING_SPATIAL, cpu = c->sharing.model == SHARING_CPU;
    bool trained = c->predictor >= PREDICTOR_TRAINED;
    d->own_cache = cache == NULL ? profile_cache_new() : NULL;
    d->cache = cache == NULL ? d->own_cache : cache;
    d->profiles = dcs_alloc(kinds, sizeof(d->profiles[0]));
    d->memory_bytes = dcs_alloc(kinds, sizeof(d->memory_bytes[0]));
    d->devices = dcs_alloc(kinds, sizeof(d->devices[0]));
    d->sms = dcs_alloc(kinds, sizeof(d->sms[0]));
    if (spatial)
        d->spatial = dcs_alloc(kinds, sizeof(d->spatial[0]));
    if (spatial && c->sharing.noise)
        d->noise = dcs_alloc(kinds, sizeof(d->noise[0]));
    if (cpu)
        d->cpu = dcs_alloc(kinds, sizeof(d->cpu[0]));
    if (c->sharing.model == SHARING_DIVISIBLE)
        d->divisible = dcs_alloc(kinds, sizeof(d->divisible[0]));
    if (c->sharing.model == SHARING_SM)
        d->sm = dcs_alloc(kinds, sizeof(d->sm[0]));
    if (trained && cpu)
        d->cpu_predictors = dcs_alloc(kinds, sizeof(d->cpu_predictors[0]));
    else if (trained)
        d->predictors = dcs_alloc(kinds, sizeof(d->predictors[0]));
    if (c->slowdowns != SLOWDOWNS_NONE)
        d->slowdowns = dcs_alloc(kinds, sizeof(d->slowdowns[0]));
    return d;
}

int experiment_open_devices(struct experiment *x, struct profile_cache *files, struct dcs_err *err)
{
    const struct config *c = x->config;
    static const struct device_kind *const kinds[] = {[SHARING_WHOLE] = &device_exclusive,
                                                      [SHARING_SPATIAL] = &device_shared,
                                                      [SHARING_CPU] = &device_cpu,
                                                      [SHARING_DIVISIBLE] = &device_divisible,
                                                      [SHARING_SM] = &device_sm};
    const struct config_group *groups = c->cluster.groups.items;
    size_t capacity = 0, n = c->cluster.groups.count;
    x->device_kind = kinds[c->sharing.model];
    x->kind = dcs_alloc(n + 1, sizeof *x->kind);
    x->devices = make_devices(c, n + 1, files);
    if (n == 0 && add_domains(x, &capacity, c->cluster.domains, c->cluster.devices,
                              c->cluster.cpu_threads, c->profile, "profile", err) != 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        bool own = groups[i].profile[0] != '\0';
        char path[64];
        snprintf(path, sizeof path, own ? "cluster.groups[%zu].profile" : "profile", i);
        if (add_domains(x, &capacity, groups[i].domains, groups[i].devices, groups[i].cpu_threads,
                        own ? groups[i].profile : c->profile, path, err) != 0)
            return -1;
    }
    return check_step(x, err) != 0 || check_switches(x, err) != 0 || check_charges(x, err) != 0 ||
                   check_uncertainty(x, err) != 0 || check_fusion(x, err) != 0
               ? -1
               : 0;
}

void experiment_close_devices(struct experiment *x)
{
    struct experiment_devices *d = x->devices;
    for (uint32_t i = 0; i < x->kinds; i++) {
        free(x->kind[i].predictors.name);
        free(x->kind[i].name);
    }
    free(x->kind);
    free(x->domains);
    if (d == NULL)
        return;
    profile_cache_free(d->own_cache);
    free(d->profiles);
    free(d->memory_bytes);
    free(d->devices);
    free(d->sms);
    free(d->spatial);
    free(d->noise);
    free(d->cpu);
    free(d->divisible);
    free(d->sm);
    free(d->predictors);
    free(d->cpu_predictors);
    free(d->slowdowns);
    free(d);
}
