/* experiment_apps.c - the applications of an experiment: those that its workload names, each
 * resolved once, with what the config says of it and on every kind of device. */
#include "experiment/experiment_parts.h"

#include "config/paths.h"
#include "des/names.h"

#include <stdlib.h>
#include <string.h>

static int make_service_time(const struct config_service_time *s, struct dcs_dist *out,
                             struct dcs_err *err)
{
    static const enum dcs_dist_kind kinds[] = {DCS_DETERMINISTIC,   DCS_EXPONENTIAL, DCS_PARETO,
                                               DCS_BOUNDED_PARETO,  DCS_LOGNORMAL,   DCS_WEIBULL,
                                               DCS_HYPEREXPONENTIAL};
    return dcs_dist_init_mean(out, kinds[s->distribution], (double)s->mean_ns, s->shape,
                              (double)s->upper_ns, err);
}

/* In the middle of resolving. */
struct resolver {
    struct experiment *x;
    struct dcs_names own; /* the applications of the config */
    size_t capacity;      /* of x->apps */
};

/* Takes the place of measured costs where the config gives its own. */
static void override_costs(const struct experiment *x, struct dcs_app *app)
{
    const struct config_revocation *r = &x->config->revocation;
    for (uint32_t i = 0; i < x->kinds * app->kernels; i++) {
        struct dcs_profile_revocation *cost = &app->revocation[i];
        cost->kills_vary = cost->kills_vary && x->config->sharing.noise;
        if (r->kill_ms >= 0) {
            cost->kill_ns = (int64_t)(r->kill_ms * 1e6 + 0.5);
            cost->kills = NULL;
        } else if (cost->kills != NULL) {
            cost->kill_ns = cost->kills->mean_ns[0];
            cost->clear_ns = cost->spawn_ns = 0;
        }
        if (r->start_ms >= 0)
            cost->start_ns = (int64_t)(r->start_ms * 1e6 + 0.5);
        if (r->clear_ms >= 0)
            cost->clear_ns = (int64_t)(r->clear_ms * 1e6 + 0.5);
        if (r->spawn_ms >= 0)
            cost->spawn_ns = (int64_t)(r->spawn_ms * 1e6 + 0.5);
    }
}

/* The names of the profiles that have an application, or lack it: "a", "b". Freed by the caller. */
static char *profiles_with(const struct experiment *x, const char *name, bool has)
{
    struct text_buffer text = {0};
    for (uint32_t i = 0; i < x->kinds; i++)
        if ((dcs_profile_app(x->kind[i].profile, name) != NULL) == has)
            text_append(&text, "%s\"%s\"", text.length > 0 ? ", " : "", x->kind[i].profile->name);
    return text.text;
}

static bool is_in_all(const struct experiment *x, const char *name)
{
    for (uint32_t i = 0; i < x->kinds; i++)
        if (dcs_profile_app(x->kind[i].profile, name) == NULL)
            return false;
    return true;
}

/* Whether a job of it can go to any device: see dcs_app_from_profiles(). */
static bool suits_all(const struct experiment *x, const char *name)
{
    const struct dcs_profile_app *first = dcs_profile_app(x->kind[0].profile, name);
    for (uint32_t i = 0; i < x->kinds; i++) {
        const struct dcs_profile_app *app = dcs_profile_app(x->kind[i].profile, name);
        if (app == NULL || app->class != first->class || app->kernels_count != first->kernels_count)
            return false;
    }
    return true;
}

#define COMMON_SHOWN 5

/* Unlike devices, not all of which can run it. */
static int refuse_unlike(const struct experiment *x, const char *name, const char *path,
                         struct dcs_err *err)
{
    char *with = profiles_with(x, name, true), *without = profiles_with(x, name, false);
    struct text_buffer common = {0};
    size_t count = 0;
    for (size_t i = 0; i < x->kind[0].profile->apps_count; i++) {
        const char *other = x->kind[0].profile->apps[i].name;
        if (!suits_all(x, other))
            continue;
        if (count < COMMON_SHOWN)
            text_append(&common, "%s\"%s\"", count > 0 ? ", " : "", other);
        count++;
    }
    if (count > COMMON_SHOWN)
        text_append(&common, " and %zu more", count - COMMON_SHOWN);
    options_error(x->doc, path, err,
                  "application \"%s\" is in profile %s, but not in %s; every device of the cluster "
                  "must be able to run it: name an application that all of them can run (%s), use "
                  "devices of profiles that have it, or describe it in \"applications\", where it "
                  "says how long it takes on each (\"factors\")",
                  name, with, without, count > 0 ? common.text : "there is none");
    free(with);
    free(without);
    free(common.text);
    return -1;
}

#define LIST_NAMES "--list applications names them"

static int refuse_application(const struct experiment *x, const char *name, const char *path,
                              struct dcs_err *err)
{
    const struct dcs_profile *p = x->kind[0].profile;
    struct dcs_err cause = *err;
    if (is_in_all(x, name)) /* and cannot be used for another reason */
        return options_error(x->doc, path, err, "%s", cause.text);
    for (uint32_t i = 0; i < x->kinds; i++)
        if (dcs_profile_app(x->kind[i].profile, name) != NULL)
            return refuse_unlike(x, name, path, err);
    const struct config_application *own = x->config->applications.items;
    size_t n = 0;
    const char **names =
        dcs_alloc(p->apps_count + x->config->applications.count + 1, sizeof *names);
    for (size_t i = 0; i < p->apps_count; i++)
        if (suits_all(x, p->apps[i].name))
            names[n++] = p->apps[i].name;
    for (size_t i = 0; own != NULL && i < x->config->applications.count; i++)
        names[n++] = own[i].name;
    const char *near = options_nearest(name, names);
    char *without = profiles_with(x, name, false);
    options_error(
        x->doc, path, err,
        x->kinds == 1 ? "profile %s has no application \"%s\"%s%s%s; " LIST_NAMES
                      : "none of the profiles %s has an application \"%s\"%s%s%s; " LIST_NAMES,
        without, name, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    free(without);
    free(names);
    return -1;
}

static int check_memory(const struct experiment *x, const struct dcs_app *app, const char *path,
                        struct dcs_err *err)
{
    for (uint32_t kind = 0; kind < x->kinds; kind++)
        if (app->memory_bytes > x->kind[kind].profile->memory_bytes)
            return options_error(x->doc, path, err,
                                 "application \"%s\" needs %.1f MB, a device of profile \"%s\" has "
                                 "%.1f MB: it can never be served",
                                 app->name, (double)app->memory_bytes / 1e6,
                                 x->kind[kind].profile->name,
                                 (double)x->kind[kind].profile->memory_bytes / 1e6);
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

static int refuse_untrained(const struct experiment *x, const struct dcs_app *app, uint32_t kind,
                            struct dcs_err *err)
{
    const struct config *c = x->config;
    char *file = paths_profile(x->kind[kind].name, c->folder, err);
    if (file == NULL) { /* it was read before: only if it went away since */
        struct dcs_err cause = *err;
        return options_error(x->doc, "predictor", err, "%s", cause.text);
    }
    char *predictors = experiment_predictors_path(c, x->kind[kind].name, file);
    options_error(
        x->doc, "predictor", err,
        "%.150s has no predictors for application \"%s\": when they were trained, profile "
        "\"%s\" had no measurements of its requests or kernels alone; if it has them by "
        "now, make them with dcsim train %.150s -o %.150s, else choose predictor \"mean\"",
        predictors, app->name, x->kind[kind].profile->name, file, predictors);
    free(predictors);
    free(file);
    return -1;
}

static int check_predictors(const struct experiment *x, const struct dcs_app *app,
                            struct dcs_err *err)
{
    const struct experiment_devices *d = x->devices;
    bool any = app->listed != NULL && (d->predictors != NULL || d->cpu_predictors != NULL);
    for (uint32_t kind = 0; any && kind < x->kinds; kind++)
        if (d->cpu_predictors != NULL ? !is_predicted_on_cpu(d->cpu_predictors[kind], app, kind)
                                      : !is_predicted(d->predictors[kind], app, kind, d->sms[kind]))
            return refuse_untrained(x, app, kind, err);
    return 0;
}

/* Fills in what the config says of an application that was resolved, and checks that it can be
 * served. The application is released on failure. */
static int finish_app(const struct experiment *x, struct dcs_app *app, const char *path,
                      struct dcs_err *err)
{
    const struct experiment_devices *d = x->devices;
    app->noise = d->noise;
    if (x->config->sharing.profile_uncertainty && app->shapes != NULL)
        app->uncertain = d->spatial;
    if (x->device_kind->allots_cores)
        dcs_app_use_cpus(app, d->cpu, x->kinds, x->config->sharing.noise);
    override_costs(x, app);
    if (check_memory(x, app, path, err) == 0 && check_predictors(x, app, err) == 0)
        return 0;
    dcs_app_release(app);
    return -1;
}

/* An application as the profiles have it. */
static int describe_app(const struct experiment *x, struct dcs_app *app, const char *name,
                        int64_t size, struct dcs_err *err)
{
    const struct config *c = x->config;
    return dcs_app_from_profiles(app, name, size, x->devices->profiles, x->devices->spatial,
                                 x->kinds, (enum dcs_revocation_mechanism)c->revocation.mechanism,
                                 c->revocation.threads, err);
}

int64_t experiment_add_size(struct experiment *x, uint32_t app, int64_t size, const char *path,
                            struct dcs_err *err)
{
    struct dcs_app form;
    struct dcs_err why = {0};
    if (describe_app(x, &form, x->apps[app].name, size, &why) != 0)
        return options_error(x->doc, path, err, "size %lld: %s", (long long)size, why.text);
    if (finish_app(x, &form, path, err) != 0)
        return -1;
    uint32_t index = x->apps_count + x->sized_count++;
    size_t capacity = index;
    x->apps = dcs_grow(x->apps, &capacity, index + 1u, sizeof *x->apps);
    x->apps[index] = form;
    return index;
}

/* How long an application of the config takes on each kind of device: it must say so where there
 * are several. */
static int take_factors(const struct experiment *x, const struct config_application *own,
                        size_t index, struct dcs_app *app, struct dcs_err *err)
{
    const struct config_factor *factors = own->factors.items;
    char place[64];
    snprintf(place, sizeof place, "applications[%zu]", index);
    if (x->kinds == 1 && own->factors.count == 0)
        return 0;
    for (uint32_t kind = 0; kind < x->kinds; kind++) {
        size_t i = 0;
        while (i < own->factors.count && strcmp(factors[i].profile, x->kind[kind].name) != 0)
            i++;
        if (i == own->factors.count)
            return options_error(x->doc, place, err,
                                 "\"%s\" does not say how long it takes on devices of profile "
                                 "\"%s\": add {\"profile\": \"%s\", \"factor\": 1} to its "
                                 "\"factors\", or another factor than 1",
                                 own->name, x->kind[kind].name, x->kind[kind].name);
        dcs_app_scale(app, kind, x->kinds, factors[i].factor);
    }
    return 0;
}

static int describe_own(struct experiment *x, size_t index, struct dcs_app *app,
                        struct dcs_err *err)
{
    const struct config *c = x->config;
    const struct config_application *own =
        (const struct config_application *)c->applications.items + index;
    struct dcs_dist service;
    char place[64];
    snprintf(place, sizeof place, "applications[%zu].service", index);
    if (make_service_time(&own->service, &service, err) != 0) {
        struct dcs_err cause = *err;
        return options_error(x->doc, place, err, "%s", cause.text);
    }
    dcs_app_synthetic(app, own->name, (enum dcs_class)own->class, &service, (uint32_t)own->kernels,
                      x->devices->profiles, x->kinds,
                      (enum dcs_revocation_mechanism)c->revocation.mechanism,
                      c->revocation.threads);
    app->sla_ns = own->sla_ns;
    app->memory_bytes = (uint64_t)(own->memory_mb * 1e6);
    if (take_factors(x, own, index, app, err) == 0)
        return 0;
    dcs_app_release(app);
    return -1;
}

/* The index of an application; resolves it at its first use. -1 and err on failure. */
static int64_t use_application(struct resolver *r, const char *name, const char *path,
                               struct dcs_err *err)
{
    struct experiment *x = r->x;
    size_t known = dcs_names_find(x->app_names, name), index = dcs_names_find(&r->own, name);
    if (known != SIZE_MAX)
        return (int64_t)known;
    struct dcs_app app = {0};
    if (x->device_kind->divides) {
        if (experiment_divisible_app(x, name, path, &app, err) != 0)
            return -1;
    } else if (x->devices->sm != NULL) {
        if (experiment_resident_app(x, name, path, &app, err) != 0)
            return -1;
    } else if (index != SIZE_MAX) {
        if (describe_own(x, index, &app, err) != 0)
            return -1;
    } else if (describe_app(x, &app, name, 0, err) != 0) {
        return refuse_application(x, name, path, err);
    }
    if (finish_app(x, &app, path, err) != 0)
        return -1;
    x->apps = dcs_grow(x->apps, &r->capacity, x->apps_count + 1, sizeof *x->apps);
    x->apps[x->apps_count] = app;
    dcs_names_add(x->app_names, app.name, x->apps_count);
    return x->apps_count++;
}

/* Resolves a list "a,b,c"; all must be of the class. */
static int use_list(struct resolver *r, const char *list, enum dcs_class class,
                    struct app_list *out, const char *path, struct dcs_err *err)
{
    char *copy = dcs_strdup(list), *rest = copy;
    size_t room = 0;
    int result = 0;
    for (char *name; result == 0 && (name = strsep(&rest, ",")) != NULL;) {
        name += strspn(name, " ");
        name[strcspn(name, " ")] = '\0';
        if (name[0] == '\0')
            continue;
        int64_t app = use_application(r, name, path, err);
        if (app < 0) {
            result = -1;
        } else if (r->x->apps[app].class != class) {
            result = options_error(r->x->doc, path, err, "application \"%s\" is not of class %s",
                                   name, class == DCS_LATENCY ? "latency" : "batch");
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
static size_t lists_of(const struct config_workload *w)
{
    return w->trem.count + w->trace.count + w->jobs.count + w->colocated.count;
}

static int use_lists(struct resolver *r, const struct place *p, struct app_lists *out,
                     struct dcs_err *err)
{
    for (int class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
        bool user = class == DCS_LATENCY;
        char path[96];
        const char *key = user ? p->user_key : p->batch_key;
        if (key == NULL)
            key = user ? "user_applications" : "batch_applications";
        snprintf(path, sizeof path, "workload.%s[%zu].%s", p->section, p->index, key);
        if (use_list(r, user ? p->user : p->batch, (enum dcs_class) class, &out->of_class[class],
                     path, err) != 0)
            return -1;
    }
    return 0;
}

static int use_workload(struct resolver *r, struct dcs_err *err)
{
    struct experiment *x = r->x;
    const struct config_workload *w = &x->config->workload;
    char path[96];
    const struct config_service *services = w->services.items;
    for (size_t i = 0; i < w->services.count; i++) {
        snprintf(path, sizeof path, "workload.services[%zu].application", i);
        if (use_application(r, services[i].application, path, err) < 0)
            return -1;
    }
    const struct config_batch *batch = w->batch.items;
    for (size_t i = 0; i < w->batch.count; i++) {
        snprintf(path, sizeof path, "workload.batch[%zu].application", i);
        if (use_application(r, batch[i].application, path, err) < 0)
            return -1;
    }
    const struct config_trem *trem = w->trem.items;
    size_t replays = w->trace.count + w->jobs.count;
    const struct config_colocated *colocated = w->colocated.items;
    x->lists = dcs_alloc(lists_of(w) + 1, sizeof *x->lists);
    for (size_t i = 0; i < lists_of(w); i++) {
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
            const struct config_replay *c = experiment_replay(x, k);
            bool trace = k < w->trace.count;
            place = (struct place){.section = trace ? "trace" : "jobs",
                                   .index = trace ? k : k - w->trace.count,
                                   .user = c->user_applications,
                                   .batch = c->batch_applications};
        }
        if (use_lists(r, &place, &x->lists[i], err) != 0)
            return -1;
    }
    return 0;
}

int experiment_open_applications(struct experiment *x, struct dcs_err *err)
{
    struct resolver r = {.x = x};
    x->app_names = dcs_alloc(1, sizeof *x->app_names);
    const struct config_application *own = x->config->applications.items;
    for (size_t i = 0; i < x->config->applications.count; i++)
        dcs_names_add(&r.own, own[i].name, i);
    int result = use_workload(&r, err);
    dcs_names_release(&r.own);
    return result;
}

void experiment_close_applications(struct experiment *x)
{
    for (uint32_t i = 0; i < x->apps_count + x->sized_count; i++)
        dcs_app_release(&x->apps[i]);
    free(x->apps);
    if (x->app_names != NULL)
        dcs_names_release(x->app_names);
    free(x->app_names);
    for (size_t i = 0; x->lists != NULL && i < lists_of(&x->config->workload); i++)
        for (int class = DCS_LATENCY; class <= DCS_BATCH; class ++)
            free(x->lists[i].of_class[class].apps);
    free(x->lists);
}

uint32_t experiment_app(const struct experiment *x, const char *name)
{
    size_t app = dcs_names_find(x->app_names, name);
    DCS_ASSERT(app < x->apps_count); /* experiment_open resolved them all */
    return (uint32_t)app;
}

const struct app_lists *experiment_trem_lists(const struct experiment *x, size_t i)
{
    return &x->lists[i];
}

const struct app_lists *experiment_replay_lists(const struct experiment *x, size_t i)
{
    return &x->lists[x->config->workload.trem.count + i];
}

const struct app_lists *experiment_colocated_lists(const struct experiment *x, size_t i)
{
    return experiment_replay_lists(x, experiment_replays(x) + i);
}
