/* experiment_devices.c - the devices of an experiment: the files that say what each kind of them is
 * (profile, trained predictors), and whether they can do what the config asks of them. */
#include "config/paths.h"
#include "experiment/experiment_parts.h"
#include "models/predictor/methods.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a file says of one kind of device. */
struct kind {
    struct dcs_profile *profile;
    const struct dcs_spatial *spatial;
    struct dcs_cpu *cpu;
    struct dcs_predictors *predictors;
    struct dcs_cpu_predictors *cpu_predictors;
    struct experiment_file predictors_file;
};

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

static int load_predictors(const struct experiment *x, const char *name, const char *file,
                           struct kind *kind, struct dcs_err *err)
{
    const struct config *c = x->config;
    char *path = experiment_predictors_path(c, name, file);
    const struct dcs_method *method = dcs_method_named(config_predictors[c->predictor]);
    const char *sha256 = NULL;
    if (kind->cpu != NULL)
        kind->cpu_predictors =
            profile_cache_cpu_predictors(x->files, path, file, kind->profile, method, err);
    else
        kind->predictors =
            profile_cache_predictors(x->files, path, file, kind->profile, method, err);
    if (kind->cpu_predictors != NULL)
        sha256 = dcs_cpu_predictors_sha256(kind->cpu_predictors);
    else if (kind->predictors != NULL)
        sha256 = dcs_predictors_sha256(kind->predictors);
    if (sha256 != NULL) {
        struct experiment_file *f = &kind->predictors_file;
        const char *slash = strrchr(path, '/');
        f->name = dcs_strdup(slash != NULL ? slash + 1 : path);
        snprintf(f->sha256, sizeof f->sha256, "%s", sha256);
    }
    free(path);
    return sha256 != NULL ? 0 : -1;
}

static int load_kind(const struct experiment *x, const char *name, const char *file,
                     struct kind *out, struct dcs_err *err)
{
    const struct config *c = x->config;
    bool shared = c->sharing.model == SHARING_SPATIAL, trained = c->predictor >= PREDICTOR_TRAINED;
    *out = (struct kind){0};
    if (shared) {
        size_t count;
        struct profile_cache_sized *sized = experiment_sized(x, &count);
        out->profile = profile_cache_spatial(x->files, file, sized, count, &out->spatial, err);
        experiment_free_sized(sized, count);
    } else if (c->sharing.model == SHARING_CPU) {
        out->profile = profile_cache_cpu(x->files, file, &out->cpu, err);
    } else {
        out->profile = profile_cache_profile(x->files, file, err);
    }
    if (out->profile == NULL)
        return -1;
    if (shared && out->profile->is_cpu)
        return dcs_err_at(err, file, 0, "device.kind",
                          "profile \"%s\" is of a CPU: set sharing.model to \"cpu\"",
                          out->profile->name);
    return trained ? load_predictors(x, name, file, out, err) : 0;
}

/* The index of a profile's kind; loads it if it is new. -1 and err on failure. */
static int kind_of(struct experiment *x, const char *name, const struct options_doc *doc,
                   const char *path, struct dcs_err *err)
{
    for (uint32_t i = 0; i < x->kinds; i++)
        if (strcmp(x->profile_names[i], name) == 0)
            return (int)i;
    char *file = paths_profile(name, x->config->folder, err);
    if (file == NULL) {
        struct dcs_err cause = *err;
        return options_error(doc, path, err, "%s", cause.text);
    }
    struct kind kind;
    int status = load_kind(x, name, file, &kind, err);
    free(file);
    if (status != 0)
        return -1;
    size_t names = x->kinds, profiles = names, spatials = names, predictors = names, files = names;
    if (kind.spatial != NULL) {
        x->spatial = dcs_grow(x->spatial, &spatials, x->kinds + 1u, sizeof(x->spatial[0]));
        x->spatial[x->kinds] = kind.spatial;
    }
    if (kind.cpu != NULL) {
        size_t cpus = x->kinds;
        x->cpu = dcs_grow(x->cpu, &cpus, x->kinds + 1u, sizeof(x->cpu[0]));
        x->cpu[x->kinds] = kind.cpu;
    }
    if (kind.cpu_predictors != NULL) {
        size_t cpus = x->kinds;
        x->cpu_predictors =
            dcs_grow(x->cpu_predictors, &cpus, x->kinds + 1u, sizeof(x->cpu_predictors[0]));
        x->cpu_predictors[x->kinds] = kind.cpu_predictors;
    }
    if (kind.predictors != NULL) {
        x->predictors =
            dcs_grow(x->predictors, &predictors, x->kinds + 1u, sizeof(x->predictors[0]));
        x->predictors[x->kinds] = kind.predictors;
    }
    if (kind.predictors != NULL || kind.cpu_predictors != NULL) {
        x->predictors_files =
            dcs_grow(x->predictors_files, &files, x->kinds + 1u, sizeof(x->predictors_files[0]));
        x->predictors_files[x->kinds] = kind.predictors_file;
    }
    x->profile_names =
        dcs_grow(x->profile_names, &names, x->kinds + 1u, sizeof(x->profile_names[0]));
    x->profiles = dcs_grow(x->profiles, &profiles, x->kinds + 1u, sizeof(x->profiles[0]));
    x->profile_names[x->kinds] = dcs_strdup(name);
    x->profiles[x->kinds] = kind.profile;
    return (int)x->kinds++;
}

static void add_domains(struct experiment *x, size_t *capacity, int64_t domains, int64_t devices,
                        uint32_t kind)
{
    x->domains =
        dcs_grow(x->domains, capacity, x->domains_count + (size_t)domains, sizeof *x->domains);
    for (int64_t i = 0; i < domains; i++)
        x->domains[x->domains_count++] =
            (struct cluster_domain){.kind = kind, .devices = (uint32_t)devices};
    x->devices_count += (uint32_t)(domains * devices);
}

static int check_step(const struct experiment *x, const struct options_doc *doc,
                      struct dcs_err *err)
{
    long long step = x->config->sharing.step_sms;
    for (uint32_t i = 0; x->device_kind->allots_sms && i < x->kinds; i++)
        if (step > x->profiles[i]->sms)
            return options_error(doc, "sharing.step_sms", err,
                                 "expected at most the %lld SMs of a device of profile \"%s\"; "
                                 "found %lld",
                                 (long long)x->profiles[i]->sms, x->profiles[i]->name, step);
    return 0;
}

static int check_fusion(const struct experiment *x, const struct options_doc *doc,
                        struct dcs_err *err)
{
    const struct policy *policy = x->config->policy;
    for (uint32_t i = 0; (policy->needs & HOST_NEEDS_FUSION) != 0 && i < x->kinds; i++)
        if (x->spatial[i]->fusion == NULL)
            return options_error(doc, "policy.name", err,
                                 "policy %s needs fused launches, which profile \"%s\" has no "
                                 "measurements of; they are made with dcsim-calibrate fusion "
                                 "--output PROFILE.db",
                                 policy->name, x->profiles[i]->name);
    return 0;
}

/* A mechanism that alone was not measured is refused when a policy changes to it. */
static int check_switches(const struct experiment *x, const struct options_doc *doc,
                          struct dcs_err *err)
{
    bool measured = x->config->sharing.quota_switch_ns == CONFIG_SWITCH_MEASURED;
    for (uint32_t i = 0; measured && i < x->kinds; i++) {
        const int64_t *ns = x->spatial[i]->switch_ns;
        if (ns[DCS_SWITCH_GREEN] < 0 && ns[DCS_SWITCH_MPS] < 0)
            return options_error(doc, "sharing.quota_switch_us", err,
                                 "profile \"%s\" has not measured what a change of quota costs "
                                 "(table quota_switch); measure it with dcsim-calibrate switch "
                                 "--output PROFILE.db, or give a time",
                                 x->profiles[i]->name);
    }
    return 0;
}

static int check_uncertainty(const struct experiment *x, const struct options_doc *doc,
                             struct dcs_err *err)
{
    for (uint32_t i = 0; x->config->sharing.profile_uncertainty && i < x->kinds; i++)
        if (!dcs_spatial_uncertain(x->spatial[i]))
            return options_error(doc, "sharing.profile_uncertainty", err,
                                 "profile \"%s\" does not say how uncertain it is: it has neither "
                                 "the deviation of its samples (kernel_solo) nor noise",
                                 x->profiles[i]->name);
    return 0;
}

int experiment_open_devices(struct experiment *x, const struct options_doc *doc,
                            struct dcs_err *err)
{
    const struct config *c = x->config;
    static const struct device_kind *const kinds[] = {[SHARING_WHOLE] = &device_exclusive,
                                                      [SHARING_SPATIAL] = &device_shared,
                                                      [SHARING_CPU] = &device_cpu};
    const struct config_group *groups = c->cluster.groups.items;
    x->device_kind = kinds[c->sharing.model];
    size_t capacity = 0, n = c->cluster.groups.count;
    int result = 0;
    if (n == 0) {
        int kind = kind_of(x, c->profile, doc, "profile", err);
        result = kind < 0 ? -1 : 0;
        if (kind >= 0)
            add_domains(x, &capacity, c->cluster.domains, c->cluster.devices, (uint32_t)kind);
    }
    for (size_t i = 0; i < n && result == 0; i++) {
        bool own = groups[i].profile[0] != '\0';
        char path[64];
        snprintf(path, sizeof path, own ? "cluster.groups[%zu].profile" : "profile", i);
        int kind = kind_of(x, own ? groups[i].profile : c->profile, doc, path, err);
        result = kind < 0 ? -1 : 0;
        if (kind >= 0)
            add_domains(x, &capacity, groups[i].domains, groups[i].devices, (uint32_t)kind);
    }
    if (result != 0)
        return -1;
    if (check_step(x, doc, err) != 0 || check_switches(x, doc, err) != 0 ||
        check_uncertainty(x, doc, err) != 0 || check_fusion(x, doc, err) != 0)
        return -1;
    x->kind_memory_bytes = dcs_alloc(x->kinds, sizeof *x->kind_memory_bytes);
    x->kind_devices = dcs_alloc(x->kinds, sizeof *x->kind_devices);
    x->kind_sms = dcs_alloc(x->kinds, sizeof *x->kind_sms);
    for (uint32_t i = 0; i < x->kinds; i++) {
        x->kind_memory_bytes[i] = x->profiles[i]->memory_bytes;
        x->kind_sms[i] = (uint32_t)x->profiles[i]->sms;
    }
    if (x->device_kind->allots_sms && c->sharing.noise) {
        x->noise = dcs_alloc(x->kinds, sizeof(x->noise[0]));
        for (uint32_t i = 0; i < x->kinds; i++)
            x->noise[i] = x->spatial[i]->noise;
    }
    for (uint32_t i = 0; i < x->domains_count; i++)
        x->kind_devices[x->domains[i].kind] += x->domains[i].devices;
    return 0;
}

void experiment_close_devices(struct experiment *x)
{
    for (uint32_t i = 0; i < x->kinds; i++) {
        if (x->predictors_files != NULL)
            free(x->predictors_files[i].name);
        free(x->profile_names[i]);
    }
    profile_cache_free(x->own_files);
    free(x->noise);
    free(x->predictors);
    free(x->cpu_predictors);
    free(x->predictors_files);
    free(x->spatial);
    free(x->cpu);
    free(x->profiles);
    free(x->profile_names);
    free(x->kind_memory_bytes);
    free(x->kind_devices);
    free(x->kind_sms);
    free(x->domains);
}
