/* experiment.c - resolves what a config names; see experiment.h. experiment_workload.c draws the
 * workload of a run, runner.c runs it. */
#include "experiment_parts.h"

#include "paths.h"

#include <sha256.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Devices ---- */

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
static char *predictors_path(const struct config *c, const char *name, const char *file)
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
    char *path = predictors_path(c, name, file);
    const struct dcs_method *method = dcs_method_named(config_predictors[c->predictor]);
    const char *sha256 = NULL;
    if (kind->cpu != NULL)
        kind->cpu_predictors =
            files_cpu_predictors(x->files, path, file, kind->profile, method, err);
    else
        kind->predictors = files_predictors(x->files, path, file, kind->profile, method, err);
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
        struct files_sized *sized = experiment_sized(x, &count);
        out->profile = files_spatial(x->files, file, sized, count, &out->spatial, err);
        experiment_free_sized(sized, count);
    } else if (c->sharing.model == SHARING_CPU) {
        out->profile = files_cpu(x->files, file, &out->cpu, err);
    } else {
        out->profile = files_profile(x->files, file, err);
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
    for (uint32_t i = 0; x->spatial != NULL && i < x->kinds; i++)
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

char *experiment_assumptions(const struct experiment *x, uint32_t kind)
{
    const struct dcs_spatial *s = x->spatial != NULL ? x->spatial[kind] : NULL;
    struct options_text text = {0};
    if (s == NULL)
        return NULL;
    if (s->falls_back != NULL)
        options_append(&text, "%s", s->falls_back);
    if (s->fusion != NULL && x->config->fusion.match == DCS_FUSION_NEAREST)
        options_append(&text,
                       "%stensor kernels that were not measured in fused launches are taken for "
                       "the nearest that was (fusion.match)",
                       s->falls_back != NULL ? "; " : "");
    return text.text;
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

static int open_devices(struct experiment *x, const struct options_doc *doc, struct dcs_err *err)
{
    const struct config *c = x->config;
    const struct config_group *groups = c->cluster.groups.items;
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
    if (check_step(x, doc, err) != 0 || check_uncertainty(x, doc, err) != 0 ||
        check_fusion(x, doc, err) != 0)
        return -1;
    x->kind_memory_bytes = dcs_alloc(x->kinds, sizeof *x->kind_memory_bytes);
    x->kind_devices = dcs_alloc(x->kinds, sizeof *x->kind_devices);
    x->kind_sms = dcs_alloc(x->kinds, sizeof *x->kind_sms);
    for (uint32_t i = 0; i < x->kinds; i++) {
        x->kind_memory_bytes[i] = x->profiles[i]->memory_bytes;
        x->kind_sms[i] = (uint32_t)x->profiles[i]->sms;
    }
    if (x->spatial != NULL && c->sharing.noise) {
        x->noise = dcs_alloc(x->kinds, sizeof(x->noise[0]));
        for (uint32_t i = 0; i < x->kinds; i++)
            x->noise[i] = x->spatial[i]->noise;
    }
    for (uint32_t i = 0; i < x->domains_count; i++)
        x->kind_devices[x->domains[i].kind] += x->domains[i].devices;
    return 0;
}

/* ---- Applications ---- */

static int service_time(const struct config_service_time *s, struct dcs_dist *out,
                        struct dcs_err *err)
{
    static const enum dcs_dist_kind kinds[] = {DCS_DETERMINISTIC,   DCS_EXPONENTIAL, DCS_PARETO,
                                               DCS_BOUNDED_PARETO,  DCS_LOGNORMAL,   DCS_WEIBULL,
                                               DCS_HYPEREXPONENTIAL};
    return dcs_dist_init_mean(out, kinds[s->distribution], (double)s->mean_ns, s->shape,
                              (double)s->upper_ns, err);
}

static const struct config_application *synthetic(const struct config *c, const char *name,
                                                  size_t *index)
{
    const struct config_application *apps = c->applications.items;
    for (size_t i = 0; i < c->applications.count; i++)
        if (strcmp(apps[i].name, name) == 0) {
            *index = i;
            return &apps[i];
        }
    return NULL;
}

/* Takes the place of measured costs where the config gives its own. */
static void override_costs(const struct experiment *x, struct dcs_app *app)
{
    const struct config_revocation *r = &x->config->revocation;
    for (uint32_t i = 0; i < x->kinds * app->kernels; i++) {
        struct dcs_profile_revocation *cost = &app->revocation[i];
        if (r->kill_ms >= 0)
            cost->kill_ns = (int64_t)(r->kill_ms * 1e6 + 0.5);
        if (r->start_ms >= 0)
            cost->start_ns = (int64_t)(r->start_ms * 1e6 + 0.5);
        if (r->clear_ms >= 0)
            cost->clear_ns = (int64_t)(r->clear_ms * 1e6 + 0.5);
        if (r->spawn_ms >= 0)
            cost->spawn_ns = (int64_t)(r->spawn_ms * 1e6 + 0.5);
    }
}

static int unknown_application(const struct experiment *x, const char *name,
                               const struct options_doc *doc, const char *path, struct dcs_err *err)
{
    const struct dcs_profile *p = x->profiles[0];
    const char **names =
        dcs_alloc(p->apps_count + x->config->applications.count + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < p->apps_count; i++)
        names[n++] = p->apps[i].name;
    const struct config_application *apps = x->config->applications.items;
    for (size_t i = 0; i < x->config->applications.count; i++)
        names[n++] = apps[i].name;
    const char *near = options_nearest(name, names);
    struct dcs_err cause = *err;
    options_error(doc, path, err, "%s%s%s%s; --list applications names them", cause.text,
                  near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    free(names);
    return -1;
}

static int check_memory(const struct experiment *x, const struct dcs_app *app,
                        const struct options_doc *doc, const char *path, struct dcs_err *err)
{
    for (uint32_t kind = 0; kind < x->kinds; kind++)
        if (app->memory_bytes > x->kind_memory_bytes[kind])
            return options_error(doc, path, err,
                                 "application \"%s\" needs %.1f MB, a device of profile \"%s\" has "
                                 "%.1f MB: it can never be served",
                                 app->name, (double)app->memory_bytes / 1e6,
                                 x->profiles[kind]->name, (double)x->kind_memory_bytes[kind] / 1e6);
    return 0;
}

/* Whether requests of its size, and all their kernels, can be predicted. */
static bool is_predicted(const struct dcs_predictors *p, const struct dcs_app *app, uint32_t kind,
                         uint32_t sms)
{
    uint32_t index = app->listed[kind];
    int64_t size = app->size > 0 ? app->size : dcs_predictors_default_size(p, index);
    bool all = size > 0 && dcs_predictors_request_ns(p, index, size, sms) > 0;
    for (uint32_t k = 0; all && k < app->kernels; k++)
        all = dcs_predictors_kernel(p, DCS_KERNEL_DURATION, index, k, size, sms) > 0;
    return all;
}

/* The same on a CPU, of services. */
static bool is_predicted_on_cpu(const struct dcs_cpu_predictors *p, const struct dcs_app *app,
                                uint32_t kind)
{
    uint32_t a = app->listed[kind];
    return app->class != DCS_LATENCY ||
           (dcs_cpu_predictors_ask(p, DCS_REQUEST_DURATION, a, 1, 1, 1) > 0 &&
            dcs_cpu_predictors_ask(p, DCS_KERNEL_IPC, a, 1, 1, 1) > 0);
}

static int check_predictors(const struct experiment *x, const struct dcs_app *app,
                            const struct options_doc *doc, struct dcs_err *err)
{
    bool any = x->predictors_files != NULL && app->listed != NULL;
    for (uint32_t kind = 0; any && kind < x->kinds; kind++)
        if (x->cpu_predictors != NULL
                ? !is_predicted_on_cpu(x->cpu_predictors[kind], app, kind)
                : !is_predicted(x->predictors[kind], app, kind, x->kind_sms[kind]))
            return options_error(doc, "predictor", err,
                                 "profile \"%s\" was not trained for application \"%s\": its "
                                 "requests or kernels were not measured alone, or not when dcsim "
                                 "train was run",
                                 x->profiles[kind]->name, app->name);
    return 0;
}

int experiment_finish_app(const struct experiment *x, struct dcs_app *app,
                          const struct options_doc *doc, const char *path, struct dcs_err *err)
{
    app->noise = x->noise;
    if (x->config->sharing.profile_uncertainty && app->shapes != NULL)
        app->uncertain = x->spatial;
    if (x->cpu != NULL)
        dcs_app_use_cpus(app, (const struct dcs_cpu *const *)x->cpu, x->kinds,
                         x->config->sharing.noise);
    override_costs(x, app);
    if (check_memory(x, app, doc, path, err) == 0 && check_predictors(x, app, doc, err) == 0)
        return 0;
    dcs_app_release(app);
    return -1;
}

/* The index of an application; resolves it at its first use. -1 and err on failure. */
static int64_t use_application(struct experiment *x, size_t *capacity, const char *name,
                               const struct options_doc *doc, const char *path, struct dcs_err *err)
{
    for (uint32_t i = 0; i < x->apps_count; i++)
        if (strcmp(x->apps[i].name, name) == 0)
            return i;
    const struct config *c = x->config;
    struct dcs_app app;
    size_t index = 0;
    const struct config_application *own = synthetic(c, name, &index);
    enum dcs_revocation_mechanism m = (enum dcs_revocation_mechanism)c->revocation.mechanism;
    if (own != NULL) {
        struct dcs_dist service;
        char place[64];
        snprintf(place, sizeof place, "applications[%zu].service", index);
        if (service_time(&own->service, &service, err) != 0) {
            struct dcs_err cause = *err;
            return options_error(doc, place, err, "%s", cause.text);
        }
        dcs_app_synthetic(&app, name, (enum dcs_class)own->class, &service, (uint32_t)own->kernels,
                          x->profiles, x->kinds, m, c->revocation.threads);
        app.sla_ns = own->sla_ns;
        app.memory_bytes = (uint64_t)(own->memory_mb * 1e6);
    } else if (dcs_app_from_profiles(&app, name, 0, x->profiles, x->spatial, x->kinds, m,
                                     c->revocation.threads, err) != 0) {
        return unknown_application(x, name, doc, path, err);
    }
    if (experiment_finish_app(x, &app, doc, path, err) != 0)
        return -1;
    x->apps = dcs_grow(x->apps, capacity, x->apps_count + 1, sizeof *x->apps);
    x->apps[x->apps_count] = app;
    return x->apps_count++;
}

/* Resolves a list "a,b,c"; all must be of the class. */
static int use_list(struct experiment *x, size_t *capacity, const char *list, enum dcs_class class,
                    struct app_list *out, const struct options_doc *doc, const char *path,
                    struct dcs_err *err)
{
    char *copy = dcs_strdup(list), *rest = copy;
    size_t room = 0;
    int result = 0;
    for (char *name; result == 0 && (name = strsep(&rest, ",")) != NULL;) {
        name += strspn(name, " ");
        name[strcspn(name, " ")] = '\0';
        if (name[0] == '\0')
            continue;
        int64_t app = use_application(x, capacity, name, doc, path, err);
        if (app < 0) {
            result = -1;
        } else if (x->apps[app].class != class) {
            result = options_error(doc, path, err, "application \"%s\" is not of class %s", name,
                                   class == DCS_LATENCY ? "latency" : "batch");
        } else {
            out->apps = dcs_grow(out->apps, &room, out->count + 1, sizeof *out->apps);
            out->apps[out->count++] = (uint32_t)app;
        }
    }
    free(copy);
    return result;
}

/* A generator of the workload, and the applications that it names. */
struct place {
    const char *section;
    size_t index;
    const char *user, *batch;
    const char *user_key, *batch_key; /* NULL: as most generators call them */
};

/* The generators that have such lists. */
static size_t experiment_lists(const struct config_workload *w)
{
    return w->trem.count + w->trace.count + w->jobs.count + w->colocated.count;
}

static int use_lists(struct experiment *x, size_t *capacity, const struct place *p,
                     struct app_lists *out, const struct options_doc *doc, struct dcs_err *err)
{
    for (int class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
        bool user = class == DCS_LATENCY;
        char path[96];
        const char *key = user ? p->user_key : p->batch_key;
        if (key == NULL)
            key = user ? "user_applications" : "batch_applications";
        snprintf(path, sizeof path, "workload.%s[%zu].%s", p->section, p->index, key);
        if (use_list(x, capacity, user ? p->user : p->batch, (enum dcs_class) class,
                     &out->of_class[class], doc, path, err) != 0)
            return -1;
    }
    return 0;
}

/* Walks everything in the workload that names an application, so that mistakes show before any run.
 */
static int open_applications(struct experiment *x, const struct options_doc *doc,
                             struct dcs_err *err)
{
    const struct config_workload *w = &x->config->workload;
    size_t capacity = 0;
    char path[96];
    const struct config_service *services = w->services.items;
    for (size_t i = 0; i < w->services.count; i++) {
        snprintf(path, sizeof path, "workload.services[%zu].application", i);
        if (use_application(x, &capacity, services[i].application, doc, path, err) < 0)
            return -1;
    }
    const struct config_batch *batch = w->batch.items;
    for (size_t i = 0; i < w->batch.count; i++) {
        snprintf(path, sizeof path, "workload.batch[%zu].application", i);
        if (use_application(x, &capacity, batch[i].application, doc, path, err) < 0)
            return -1;
    }
    const struct config_trem *trem = w->trem.items;
    size_t replays = w->trace.count + w->jobs.count;
    const struct config_colocated *colocated = w->colocated.items;
    x->lists = dcs_alloc(experiment_lists(w) + 1, sizeof *x->lists);
    for (size_t i = 0; i < experiment_lists(w); i++) {
        struct place place = {0};
        if (i < w->trem.count) {
            place = (struct place){.section = "trem",
                                   .index = i,
                                   .user = trem[i].user_applications,
                                   .batch = trem[i].batch_applications};
        } else if (i >= w->trem.count + replays) {
            size_t k = i - w->trem.count - replays;
            place = (struct place){"colocated",        k,          colocated[k].services,
                                   colocated[k].batch, "services", "batch"};
        } else {
            size_t k = i - w->trem.count;
            const struct config_replay *r = experiment_replay(x, k);
            bool trace = k < w->trace.count;
            place = (struct place){.section = trace ? "trace" : "jobs",
                                   .index = trace ? k : k - w->trace.count,
                                   .user = r->user_applications,
                                   .batch = r->batch_applications};
        }
        if (use_lists(x, &capacity, &place, &x->lists[i], doc, err) != 0)
            return -1;
    }
    return 0;
}

/* ---- All of it ---- */

/* A bound far out (fits have one) does not make the mean of a few hundred draws behave. */
static bool is_heavy(const struct config_duration *d)
{
    double shape = d->distribution == 1 ? d->shape : d->distribution == 4 ? d->tail_shape : 3;
    return shape <= 2;
}

/* Durations without a variance make means of runs meaningless. */
static bool has_heavy_tails(const struct config *c)
{
    if (c->interval != INTERVAL_AUTO)
        return c->interval == INTERVAL_MEDIAN;
    const struct config_trem *trem = c->workload.trem.items;
    for (size_t i = 0; i < c->workload.trem.count; i++)
        /* With the task counts fixed by class the tail is cut off. */
        if (trem[i].pareto_shape <= 2 && (trem[i].user_tasks == 0 || trem[i].batch_tasks == 0))
            return true;
    const struct config_jobs *jobs = c->workload.jobs.items;
    for (size_t i = 0; i < c->workload.jobs.count; i++)
        if ((jobs[i].latency.fraction > 0 && is_heavy(&jobs[i].latency.duration)) ||
            (jobs[i].latency.fraction < 1 && is_heavy(&jobs[i].batch.duration)))
            return true;
    const struct config_application *apps = c->applications.items;
    for (size_t i = 0; i < c->applications.count; i++)
        if (apps[i].service.distribution == DCS_PARETO && apps[i].service.shape <= 2)
            return true;
    return false;
}

/* Names the experiment: two configs that read other bytes are two experiments. */
static void make_hash(struct experiment *x)
{
    struct options_text text = {0};
    options_append(&text, "model %d\nconfig %s\n", DCS_MODEL_VERSION, x->config_hash);
    for (uint32_t i = 0; i < x->kinds; i++)
        options_append(&text, "profile %s\n", x->profiles[i]->sha256);
    for (uint32_t i = 0; x->predictors_files != NULL && i < x->kinds; i++)
        options_append(&text, "predictors %s\n", x->predictors_files[i].sha256);
    for (size_t i = 0; i < x->traces_count; i++)
        options_append(&text, "trace %s\n", x->traces[i].sha256);
    options_append(&text, "plugin %s\n", x->plugin_sha256);
    SHA256Data((const uint8_t *)text.text, text.length, x->hash);
    free(text.text);
}

int experiment_open_with(struct experiment *x, const struct config *config,
                         const struct options_doc *doc, const char *plugin_sha256,
                         struct files *files, struct dcs_err *err)
{
    *x = (struct experiment){.config = config, .files = files};
    if (files == NULL)
        x->files = x->own_files = files_new();
    snprintf(x->plugin_sha256, sizeof x->plugin_sha256, "%s", plugin_sha256);
    config_hash(config, x->config_hash);
    x->heavy_tails = has_heavy_tails(config);
    x->steady = config->horizon.duration_ns > 0;
    if (open_devices(x, doc, err) != 0 || open_applications(x, doc, err) != 0 ||
        experiment_open_inputs(x, doc, err) != 0 || experiment_open_services(x, doc, err) != 0 ||
        experiment_open_traces(x, doc, err) != 0) {
        experiment_close(x);
        return -1;
    }
    make_hash(x);
    /* A workload that cannot be drawn is the config's fault, too. */
    struct dcs_workload trial;
    if (experiment_workload(x, 0, &trial, NULL, err) != 0) {
        struct dcs_err cause = *err;
        options_error(doc, "workload", err, "%s", cause.text);
        experiment_close(x);
        return -1;
    }
    dcs_workload_release(&trial);
    return 0;
}

int experiment_open(struct experiment *x, const struct config *config,
                    const struct options_doc *doc, const char *plugin_sha256, struct dcs_err *err)
{
    return experiment_open_with(x, config, doc, plugin_sha256, NULL, err);
}

void experiment_close(struct experiment *x)
{
    for (uint32_t i = 0; i < x->kinds; i++) {
        if (x->predictors_files != NULL)
            free(x->predictors_files[i].name);
        free(x->profile_names[i]);
    }
    files_free(x->own_files);
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
    for (uint32_t i = 0; i < x->apps_count + x->sized_count; i++)
        dcs_app_release(&x->apps[i]);
    free(x->apps);
    experiment_close_inputs(x);
    const struct config_workload *w = &x->config->workload;
    for (size_t i = 0; x->lists != NULL && i < experiment_lists(w); i++)
        for (int class = DCS_LATENCY; class <= DCS_BATCH; class ++)
            free(x->lists[i].of_class[class].apps);
    free(x->lists);
    experiment_close_services(x);
    experiment_close_traces(x);
    *x = (struct experiment){0};
}

static int64_t fusion_charge(const struct config *c, int64_t ns)
{
    return (int64_t)((double)ns * c->scheduler.fusion_cost_scale * c->scheduler.scale + 0.5);
}

void experiment_spec(const struct experiment *x, uint32_t replication,
                     const struct dcs_workload *workload, struct cluster_spec *out)
{
    const struct config *c = x->config;
    *out = (struct cluster_spec){
        .apps = x->apps,
        .apps_count = x->apps_count,
        .sized_count = x->sized_count,
        .kinds = x->kinds,
        .kind_memory_bytes = x->kind_memory_bytes,
        .kind_sms = x->kind_sms,
        .sharing = {.spatial = x->spatial,
                    .cpu = (const struct dcs_cpu *const *)x->cpu,
                    .contention = c->sharing.contention,
                    .quota_switch_ns = c->sharing.quota_switch_ns,
                    .step_sms =
                        c->sharing.step_sms > 0 ? (uint32_t)c->sharing.step_sms : DCS_SMS_STEP,
                    .fusion_match = (enum dcs_fusion_match)c->fusion.match},
        .domains = x->domains,
        .domains_count = x->domains_count,
        .router = (enum cluster_router)c->cluster.router,
        .checkpoint = {.interval_ns = c->checkpoint.interval_ns, .cost_ns = c->checkpoint.cost_ns},
        .clairvoyant = c->predictor == PREDICTOR_CLAIRVOYANT,
        .predictors = (const struct dcs_predictors *const *)x->predictors,
        .cpu_predictors = (const struct dcs_cpu_predictors *const *)x->cpu_predictors,
        .callback_ns = (int64_t)((double)c->scheduler.callback_ns * c->scheduler.scale + 0.5),
        .predict_ns = (int64_t)((double)c->scheduler.predict_ns * c->scheduler.scale + 0.5),
        .fusion_round_ns = fusion_charge(c, c->scheduler.fusion_round_ns),
        .fusion_candidate_ns = fusion_charge(c, c->scheduler.fusion_candidate_ns),
        .horizon_ns = c->horizon.duration_ns > 0 ? c->horizon.duration_ns : DCS_NEVER,
        .warmup_ns = c->horizon.warmup_ns,
        .arrivals_first = c->scheduler.arrivals_first,
        .policy = c->policy,
        .policy_params = c->policy_params,
        .seed = (uint64_t)c->seed,
        .replication = replication,
        .workload = workload,
        .keep_requests = c->outputs.requests,
        .keep_decisions = c->outputs.decisions,
        .keep_jobs = true, /* metrics need them */
        .keep_job_times = c->outputs.jobs,
    };
}
