/*
 * experiment_services.c - the services of a workload, resolved: where they run, which SLA and which
 * rate they have; and which SLA the requests of an application have. See experiment.h.
 */
#include "experiment/experiment_parts.h"

#include "models/workload/peak.h"
#include "text/buffer.h"
#include "text/number.h"

#include <stdlib.h>
#include <string.h>

/* Peak rates do not follow the experiment's seed: studies with several seeds have one rate. */
#define PEAK_SEED 1

/* ---- SLA and peak rate ---- */

/* What the config asks of a service, and where that stands. */
struct wish {
    const char *section;            /* "services", "colocated" */
    size_t index;                   /* in the section */
    const char *peak_key, *instead; /* what else says how many requests there are */
    int64_t sla_ns;
    double sla_factor, fraction_of_peak, peak_quantile;
};

static int refuse_wish(const struct experiment *x, const struct wish *w, const char *key,
                       struct dcs_err *err, const char *why)
{
    char path[96], text[sizeof err->text]; /* why may be err's own text */
    snprintf(path, sizeof path, "workload.%s[%zu].%s", w->section, w->index, key);
    snprintf(text, sizeof text, "%s", why);
    return options_error(x->doc, path, err, "%s", text);
}

/* Over the sizes of its requests. */
static int64_t mean_alone_ns(const struct experiment *x, const struct experiment_service *s)
{
    double sum = 0;
    if (s->input == NULL)
        return x->apps[s->app].total_ns[0];
    for (size_t i = 0; i < s->input->count; i++)
        sum += s->input->sizes[i].share * (double)x->apps[s->input->sizes[i].form].total_ns[0];
    return sum < (double)DCS_TIME_MAX ? (int64_t)(sum + 0.5) : DCS_TIME_MAX;
}

static int resolve_sla(const struct experiment *x, const struct wish *w,
                       struct experiment_service *s, struct dcs_err *err)
{
    s->sla_ns = w->sla_ns > 0 ? w->sla_ns : x->apps[s->app].sla_ns;
    s->alone_ns = mean_alone_ns(x, s);
    if (!(w->sla_factor > 0))
        return 0;
    double sla_ns = w->sla_factor * (double)s->alone_ns;
    if (!(sla_ns < (double)DCS_TIME_MAX))
        return refuse_wish(x, w, "sla_factor", err, "the SLA would be longer than time is");
    s->sla_ns = sla_ns < 1 ? 1 : (int64_t)(sla_ns + 0.5);
    return 0;
}

/* A service whose peak is looked for. */
struct peak {
    const struct experiment *x;
    const struct experiment_service *service;
    struct dcs_rng_points points; /* of the draws of its work */
};

/* True work of one request alone on a whole device of the first kind. */
static int64_t request_work(void *context, uint64_t index)
{
    const struct peak *peak = context;
    const struct dcs_draw draw = {
        .seed = PEAK_SEED, .job = UINT32_MAX, .request = index, .work = &peak->points};
    const struct dcs_input *input = peak->service->input;
    uint32_t form = input != NULL ? dcs_input_draw(input, &draw)->form : peak->service->app;
    const struct dcs_app *app = &peak->x->apps[form];
    int64_t work_ns = app->host_ns[0];
    for (uint32_t k = 0; k < app->kernels; k++)
        work_ns = dcs_add_times(work_ns, dcs_app_work_ns(app, 0, k, &draw));
    return work_ns;
}

/* All that request_work() of a form follows from. */
static void name_form(struct text_buffer *key, const struct dcs_app *app, double share)
{
    text_append(key, "%a %p %lld:", share, app->noise != NULL ? (const void *)app->noise[0] : NULL,
                (long long)app->host_ns[0]);
    for (uint32_t k = 0; k < app->kernels; k++)
        text_append(key, "%lld,", (long long)app->mean_ns[k]);
}

/* All that a peak follows from; NULL: that of others is not to be had. */
static char *name_peak(const struct experiment *x, const struct experiment_service *s)
{
    const struct dcs_app *app = &x->apps[s->app];
    struct text_buffer key = {0};
    if (app->synthetic || app->cpu != NULL)
        return NULL;
    text_append(&key, "%lld %a\n", (long long)s->sla_ns, s->peak_quantile);
    if (s->input == NULL)
        name_form(&key, app, 1);
    for (size_t i = 0; s->input != NULL && i < s->input->count; i++)
        name_form(&key, &x->apps[s->input->sizes[i].form], s->input->sizes[i].until);
    return key.text;
}

/* A rate costs some 10 million steps: services that are alike share it, and so do experiments that
 * share their profiles. */
static double peak_of(const struct experiment *x, const struct experiment_service *s)
{
    for (size_t i = 0; i < x->services_count; i++) {
        const struct experiment_service *known = &x->services[i];
        if (known->app == s->app && known->input == s->input && known->sla_ns == s->sla_ns &&
            known->peak_quantile == s->peak_quantile && known->peak_per_s > 0)
            return known->peak_per_s;
    }
    double rate_per_s;
    char *key = name_peak(x, s);
    struct peak peak = {.x = x, .service = s};
    peak.points = dcs_app_work_points(&x->apps[s->app], PEAK_SEED, 0, UINT32_MAX);
    if (key == NULL || !profile_cache_find(x->devices->cache, key, &rate_per_s)) {
        rate_per_s =
            dcs_peak_rate_per_s(request_work, &peak, s->sla_ns, s->peak_quantile, PEAK_SEED);
        if (key != NULL)
            profile_cache_keep(x->devices->cache, key, rate_per_s);
    }
    free(key);
    return rate_per_s;
}

/* No rate keeps the SLA. The error stands where the SLA does, if that is with the service. */
static int refuse_infeasible(const struct experiment *x, const struct wish *w,
                             const struct experiment_service *s, struct dcs_err *err)
{
    const char *app = x->apps[s->app].name;
    double sla_ms = (double)s->sla_ns / 1e6, alone_ms = (double)s->alone_ns / 1e6;
    const char *key = w->sla_factor > 0 ? "sla_factor" : w->sla_ns > 0 ? "sla_ms" : NULL;
    const char *of = key == NULL ? ", that of the application," : "";
    const char *where = key == NULL ? "sla_ms or sla_factor of the service" : key;
    char why[256], text[640];
    if (s->sla_ns < s->alone_ns)
        snprintf(why, sizeof why,
                 "SLA %.6g ms%s is below what a request of %.64s takes alone (%.6g ms): infeasible",
                 sla_ms, of, app, alone_ms);
    else
        snprintf(why, sizeof why,
                 "SLA %.6g ms%s: more than %.3g %% of the requests of %.64s take longer alone "
                 "(%.6g ms in the mean): infeasible",
                 sla_ms, of, 100 * (1 - s->peak_quantile), app, alone_ms);
    snprintf(
        text, sizeof text,
        "%s, so there is no peak for fraction_of_peak; make the SLA longer (%s)%s, or set %s in "
        "place of fraction_of_peak",
        why, where, s->sla_ns < s->alone_ns ? "" : ", lower peak_quantile", w->instead);
    return refuse_wish(x, w, key != NULL ? key : w->peak_key, err, text);
}

static int resolve_peak(const struct experiment *x, const struct wish *w,
                        struct experiment_service *s, struct dcs_err *err)
{
    if (!(w->fraction_of_peak > 0))
        return 0;
    if (s->sla_ns == 0)
        return refuse_wish(x, w, w->peak_key, err, "needs an SLA: set sla_ms or sla_factor");
    s->peak_quantile = w->peak_quantile;
    s->peak_per_s = peak_of(x, s);
    s->rate_per_device_per_s = w->fraction_of_peak * s->peak_per_s;
    if (s->peak_per_s > 0)
        return 0;
    return refuse_infeasible(x, w, s, err);
}

/* ---- workload.services ---- */

static uint64_t devices_of(const struct experiment *x, uint32_t first, uint32_t domains)
{
    uint64_t devices = 0;
    for (uint32_t i = first; i < first + domains; i++)
        devices += x->domains[i].devices;
    return devices;
}

static int check_domain(const struct experiment *x, const char *section, size_t index,
                        int64_t domain, struct dcs_err *err)
{
    char path[64];
    if (domain < (int64_t)x->domains_count)
        return 0;
    snprintf(path, sizeof path, "workload.%s[%zu].domain", section, index);
    return options_error(x->doc, path, err, "the cluster has domains 0 to %lu; found %lld",
                         (unsigned long)x->domains_count - 1, (long long)domain);
}

static int open_service(struct experiment *x, size_t i, struct dcs_err *err)
{
    const struct config_service *c =
        (const struct config_service *)x->config->workload.services.items + i;
    const struct wish w = {.section = "services",
                           .index = i,
                           .peak_key = "arrivals.fraction_of_peak",
                           .instead = "arrivals.rate_per_s",
                           .sla_ns = c->sla_ns,
                           .sla_factor = c->sla_factor,
                           .fraction_of_peak = c->arrivals.fraction_of_peak,
                           .peak_quantile = c->arrivals.peak_quantile};
    if (check_domain(x, "services", i, c->domain, err) != 0)
        return -1;
    bool pinned = c->domain >= 0;
    struct experiment_service s = {.app = experiment_app(x, c->application),
                                   .entry = i,
                                   .first_domain = pinned ? (uint32_t)c->domain : 0,
                                   .domains = pinned ? 1 : x->domains_count};
    s.devices = devices_of(x, s.first_domain, s.domains);
    s.input = experiment_input(x, s.app, c->input);
    if (resolve_sla(x, &w, &s, err) != 0 || resolve_peak(x, &w, &s, err) != 0)
        return -1;
    struct config_arrivals arrivals = c->arrivals;
    if (c->arrivals.fraction_of_peak > 0)
        arrivals.rate_per_s = s.rate_per_device_per_s * (double)s.devices;
    if (experiment_arrivals(&arrivals, &s.arrivals, err) != 0)
        return refuse_wish(x, &w, "arrivals", err, err->text);
    s.rate_per_s = dcs_arrivals_mean_per_s(&s.arrivals);
    if (c->drop_late && s.sla_ns == 0)
        return refuse_wish(x, &w, "drop_late", err, "needs an SLA: set sla_ms");
    x->services[x->services_count++] = s;
    return 0;
}

/* ---- workload.colocated ---- */

static int check_colocated(const struct experiment *x, const struct wish *w,
                           const struct config_colocated *c, uint32_t first, struct dcs_err *err)
{
    const struct app_lists *lists = experiment_colocated_lists(x, w->index);
    size_t services = lists->of_class[DCS_LATENCY].count, batch = lists->of_class[DCS_BATCH].count;
    char text[256];
    if (services == 0)
        return refuse_wish(x, w, "services", err, "names no application");
    if ((c->fraction_of_peak > 0) == (c->clients > 0))
        return refuse_wish(x, w, "fraction_of_peak", err,
                           "expected one of fraction_of_peak (above 0) and clients");
    if (c->placement == 1 && c->batch_per_domain != 1)
        return refuse_wish(x, w, "placement", err, "\"hungarian\" needs batch_per_domain 1");
    if ((uint64_t)c->batch_per_domain > batch) {
        snprintf(text, sizeof text, "%lld different applications cannot be drawn from %zu",
                 (long long)c->batch_per_domain, batch);
        return refuse_wish(x, w, "batch_per_domain", err, text);
    }
    uint64_t wanted = (uint64_t)c->domains_per_service * services;
    if (wanted <= x->domains_count - first)
        return 0;
    snprintf(text, sizeof text,
             "%lld for each of %zu services are %llu domains; of the cluster's %lu, %lu are left",
             (long long)c->domains_per_service, services, (unsigned long long)wanted,
             (unsigned long)x->domains_count, (unsigned long)(x->domains_count - first));
    return refuse_wish(x, w, "domains_per_service", err, text);
}

/* first: of the domains; moves on. */
static int open_colocated(struct experiment *x, size_t i, uint32_t *first, struct dcs_err *err)
{
    const struct config_colocated *c =
        (const struct config_colocated *)x->config->workload.colocated.items + i;
    const struct wish w = {.section = "colocated",
                           .index = i,
                           .peak_key = "fraction_of_peak",
                           .instead = "clients",
                           .sla_ns = c->sla_ns,
                           .sla_factor = c->sla_factor,
                           .fraction_of_peak = c->fraction_of_peak,
                           .peak_quantile = c->peak_quantile};
    if (check_colocated(x, &w, c, *first, err) != 0)
        return -1;
    const struct app_list *services = &experiment_colocated_lists(x, i)->of_class[DCS_LATENCY];
    for (size_t k = 0; k < services->count; k++) {
        struct experiment_service s = {.app = services->apps[k],
                                       .colocated = true,
                                       .entry = i,
                                       .first_domain = *first,
                                       .domains = (uint32_t)c->domains_per_service};
        *first += s.domains;
        s.devices = devices_of(x, s.first_domain, s.domains);
        s.input = experiment_input(x, s.app, c->service_input);
        if (resolve_sla(x, &w, &s, err) != 0 || resolve_peak(x, &w, &s, err) != 0)
            return -1;
        s.rate_per_s = s.rate_per_device_per_s * (double)s.devices;
        x->services[x->services_count++] = s;
    }
    return 0;
}

/* ---- The SLA of an application ---- */

/* One of its jobs has this SLA. */
static void note_sla(struct experiment *x, uint32_t app, int64_t sla_ns)
{
    int64_t *known = &x->app_sla_ns[app];
    if (*known == DCS_NEVER)
        *known = sla_ns;
    else if (*known != sla_ns)
        *known = 0;
}

static void note_slas(struct experiment *x, const struct app_lists *lists, int64_t sla_ns)
{
    const struct app_list *user = &lists->of_class[DCS_LATENCY];
    for (size_t i = 0; i < user->count; i++)
        note_sla(x, user->apps[i], sla_ns > 0 ? sla_ns : x->apps[user->apps[i]].sla_ns);
}

static void open_slas(struct experiment *x)
{
    const struct config_workload *w = &x->config->workload;
    const struct config_batch *batch = w->batch.items;
    const struct config_trem *trem = w->trem.items;
    x->app_sla_ns = dcs_alloc(x->apps_count, sizeof *x->app_sla_ns);
    for (uint32_t i = 0; i < x->apps_count; i++)
        x->app_sla_ns[i] = DCS_NEVER;
    for (size_t i = 0; i < x->services_count; i++)
        note_sla(x, x->services[i].app, x->services[i].sla_ns);
    for (size_t i = 0; i < w->batch.count; i++) {
        uint32_t app = experiment_app(x, batch[i].application);
        note_sla(x, app, x->apps[app].class == DCS_LATENCY ? x->apps[app].sla_ns : 0);
    }
    for (size_t i = 0; i < w->trem.count; i++)
        note_slas(x, experiment_trem_lists(x, i), trem[i].sla_ns);
    for (size_t i = 0; i < experiment_replays(x); i++)
        note_slas(x, experiment_replay_lists(x, i), experiment_replay(x, i)->sla_ns);
    for (uint32_t i = 0; i < x->apps_count; i++)
        if (x->app_sla_ns[i] == DCS_NEVER)
            x->app_sla_ns[i] = 0;
}

int experiment_open_services(struct experiment *x, struct dcs_err *err)
{
    const struct config_workload *w = &x->config->workload;
    const struct config_batch *batch = w->batch.items;
    size_t most = w->services.count;
    for (size_t i = 0; i < w->colocated.count; i++)
        most += experiment_colocated_lists(x, i)->of_class[DCS_LATENCY].count;
    x->services = dcs_alloc(most + 1, sizeof *x->services);
    for (size_t i = 0; i < w->services.count; i++)
        if (open_service(x, i, err) != 0)
            return -1;
    for (size_t i = 0; i < w->batch.count; i++)
        if (check_domain(x, "batch", i, batch[i].domain, err) != 0)
            return -1;
    uint32_t first = 0;
    for (size_t i = 0; i < w->colocated.count; i++)
        if (open_colocated(x, i, &first, err) != 0)
            return -1;
    open_slas(x);
    return 0;
}

void experiment_close_services(struct experiment *x)
{
    free(x->services);
    free(x->app_sla_ns);
}
