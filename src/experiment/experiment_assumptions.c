/* experiment_assumptions.c - what a profile does not say of an experiment's devices that are shared
 * or share requests, and what stands in for it. */
#include "experiment/experiment_parts.h"

#include "models/divisible/divisible.h"
#include "models/predictor/slowdown.h"
#include "options/options.h"
#include "policies/policies.h"

#include <string.h>

enum { NAMED_MAX = 12 }; /* applications; a summary is to be read */

/* Of an application's kernels' time alone on the whole device, parts by where their contention
 * comes from (dcs_contention_origin); add up to 1, or to 0 if it has no kernels that contend. */
static void split_time(const struct experiment *x, const struct dcs_app *app, uint32_t kind,
                       double part[3])
{
    const struct dcs_spatial *s = x->kind[kind].spatial;
    double sum = 0;
    for (int i = 0; i < 3; i++)
        part[i] = 0;
    for (uint32_t k = 0; app->shapes != NULL && k < app->kernels; k++) {
        uint32_t at = kind * app->kernels + k, shape = app->shapes[at];
        if (s->shapes[shape].kind != DCS_SHAPE_COMPUTE)
            continue;
        double ns = (double)app->mean_ns[at];
        enum dcs_contention_origin origin = s->shapes[dcs_shape_contends_as(s, shape)].contention;
        if (origin == DCS_CONTENTION_FITTED && s->shapes[shape].in_place)
            origin = DCS_CONTENTION_GUESSED;
        part[origin] += ns;
        sum += ns;
    }
    for (int i = 0; i < 3 && sum > 0; i++)
        part[i] /= sum;
}

static void begin_text(struct text_buffer *text)
{
    if (text->text != NULL)
        text_append(text, "; ");
}

bool experiment_contention(const struct experiment *x, uint32_t kind, uint32_t app, int percent[3])
{
    double part[3], of_size[3];
    if (x->kind[kind].spatial == NULL || !x->config->sharing.contention ||
        x->kind[kind].spatial->resources_count == 0)
        return false;
    split_time(x, &x->apps[app], kind, part);
    for (uint32_t i = x->apps_count; i < x->apps_count + x->sized_count; i++) {
        if (strcmp(x->apps[i].name, x->apps[app].name) != 0)
            continue;
        split_time(x, &x->apps[i], kind, of_size);
        if (of_size[DCS_CONTENTION_FITTED] < part[DCS_CONTENTION_FITTED])
            memcpy(part, of_size, sizeof part);
    }
    for (int i = 0; i < 3; i++)
        percent[i] = (int)(100 * part[i] + 0.5);
    return part[DCS_CONTENTION_GUESSED] + part[DCS_CONTENTION_NONE] >= 0.005;
}

/* Of each application of the experiment: how much of its contention was measured. At the end, each
 * between semicolons: a report tells of several experiments what they have in common once. */
static void tell_contention(const struct experiment *x, uint32_t kind, struct text_buffer *text)
{
    uint32_t named = 0, more = 0;
    for (uint32_t i = 0; i < x->apps_count; i++) {
        int percent[3];
        if (!experiment_contention(x, kind, i, percent))
            continue;
        if (named == NAMED_MAX) {
            more++;
            continue;
        }
        if (named++ == 0) {
            begin_text(text);
            text_append(text, "how much they slow each other was measured/is guessed from "
                              "kernels like them/is not known, in %% of the kernels' time "
                              "alone:");
        }
        text_append(text, "%s %s %d/%d/%d", named > 1 ? ";" : "", x->apps[i].name,
                    percent[DCS_CONTENTION_FITTED], percent[DCS_CONTENTION_GUESSED],
                    percent[DCS_CONTENTION_NONE]);
    }
    if (more > 0)
        text_append(text, "; and %u more", more);
}

static int64_t uncharged_ns(const struct experiment *x, const struct dcs_spatial *s)
{
    int64_t ns = dcs_spatial_cost_ns(s, x->config->policy->name);
    const struct config_scheduler *c = &x->config->scheduler;
    bool charged = experiment_measured_charge(x) >= 0 || (c->callback_ns > 0 && c->scale > 0);
    return charged || ns < 0 ? 0 : ns;
}

int64_t experiment_uncharged_ns(const struct experiment *x)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < x->kinds; i++) {
        int64_t ns = x->kind[i].spatial != NULL ? uncharged_ns(x, x->kind[i].spatial) : 0;
        most = ns > most ? ns : most;
    }
    return most;
}

/* A profile that knows what deciding takes, where the config charges nothing. */
static void tell_deciding(const struct experiment *x, const struct dcs_spatial *s,
                          struct text_buffer *text)
{
    int64_t ns = uncharged_ns(x, s);
    if (ns == 0)
        return;
    begin_text(text);
    text_append(text,
                "deciding takes no time; on this GPU it takes %.1f us for each callback "
                "(scheduler.callback_us)",
                (double)ns / 1e3);
}

/* Whether counters say something of all kernels of an application, or of a size of it. */
static bool is_counted(const struct experiment *x, const struct dcs_app *app, uint32_t kind)
{
    const struct dcs_spatial *s = x->kind[kind].spatial;
    struct dcs_events unused;
    for (uint32_t k = 0; app->shapes != NULL && k < app->kernels; k++) {
        uint32_t shape = app->shapes[kind * app->kernels + k];
        if (s->shapes[shape].kind == DCS_SHAPE_COMPUTE &&
            !dcs_slowdowns_events(x->devices->slowdowns[kind], shape, 1, &unused))
            return false;
    }
    return app->shapes != NULL;
}

/* Of whose kernels nobody says how much they are slowed. */
static void tell_counters(const struct experiment *x, uint32_t kind, struct text_buffer *text)
{
    size_t named = 0;
    for (uint32_t i = 0; x->config->slowdowns == SLOWDOWNS_TRAINED && i < x->apps_count; i++) {
        bool counted = is_counted(x, &x->apps[i], kind), sizes = true;
        for (uint32_t k = x->apps_count; k < x->apps_count + x->sized_count; k++)
            sizes = sizes && (strcmp(x->apps[k].name, x->apps[i].name) != 0 ||
                              is_counted(x, &x->apps[k], kind));
        if (counted && sizes)
            continue;
        if (named++ == 0) {
            begin_text(text);
            text_append(text, "nobody says how much kernels are slowed that were not counted:");
        }
        text_append(text, "%s %s%s", named > 1 ? "," : "", x->apps[i].name,
                    counted ? " of other sizes" : "");
    }
}

/* Whether chunks of the work were timed beside the other side, on both sides. */
static bool is_measured_beside(const struct dcs_work *w, uint32_t threads)
{
    return dcs_work_curve(w, DCS_SIDE_CPU, threads, true) != NULL &&
           dcs_work_curve(w, DCS_SIDE_GPU, threads, true) != NULL;
}

static bool lacks_beside(const struct experiment *x, uint32_t kind, const struct dcs_work *w)
{
    for (uint32_t i = 0; i < x->domains_count; i++) {
        const struct cluster_domain *d = &x->domains[i];
        if (d->profile == kind && d->cpu_threads > 0 && d->devices > 1 &&
            !is_measured_beside(w, d->cpu_threads))
            return true;
    }
    return false;
}

static bool knows_medians(const struct config *c)
{
    return c->policy == policies_find("split-predicted");
}

/* Both sides of a domain of the kind, or of any kind (x->kinds), can share a request. */
static bool has_both_sides(const struct experiment *x, uint32_t kind)
{
    for (uint32_t i = 0; i < x->domains_count; i++) {
        const struct cluster_domain *d = &x->domains[i];
        if ((kind == x->kinds || d->profile == kind) && d->cpu_threads > 0 && d->devices > 1)
            return true;
    }
    return false;
}

bool experiment_knows_medians(const struct experiment *x)
{
    return knows_medians(x->config) && has_both_sides(x, x->kinds);
}

static bool shares_requests(const struct experiment *x, uint32_t kind)
{
    return has_both_sides(x, kind) && (x->config->policy->needs & HOST_NEEDS_CHUNKS) != 0;
}

bool experiment_shares_requests(const struct experiment *x)
{
    return shares_requests(x, x->kinds);
}

static void tell_trust(const struct experiment *x, uint32_t kind, struct text_buffer *text)
{
    if (!shares_requests(x, kind))
        return;
    begin_text(text);
    text_append(text, "%s", EXPERIMENT_SHARED);
    if (knows_medians(x->config))
        text_append(text, "; split-predicted is told the medians that times are drawn from: a "
                          "bound, never compared with a real CPU and GPU");
}

static void tell_divided(const struct experiment *x, uint32_t kind, struct text_buffer *text)
{
    bool several = false, alone = false;
    uint32_t named = 0;
    for (uint32_t i = 0; i < x->domains_count; i++) {
        const struct cluster_domain *d = &x->domains[i];
        several |= d->profile == kind && d->devices - (d->cpu_threads > 0) > 1;
        alone |= d->profile == kind && d->devices == 1 &&
                 (x->config->policy->needs & HOST_NEEDS_CHUNKS) != 0;
    }
    if (alone)
        text_append(text, "one device has each request to itself: nothing is divided "
                          "(cluster.devices counts the CPU, too)");
    if (several) {
        begin_text(text);
        text_append(text, "several GPUs that share a request do not slow each other, which was "
                          "not measured");
    }
    for (uint32_t i = 0; i < x->apps_count && named <= NAMED_MAX; i++) {
        if (x->apps[i].work == NULL || !lacks_beside(x, kind, x->apps[i].work[kind]))
            continue;
        if (named == 0) {
            begin_text(text);
            text_append(text, "a side takes beside the other what it takes alone, where that was "
                              "not measured: ");
        }
        text_append(text, "%s%s", named > 0 ? ", " : "",
                    named < NAMED_MAX ? x->apps[i].name : "and more");
        named++;
    }
    tell_trust(x, kind, text);
}

/* Programs that were recorded as they are, under a policy that makes partitions. */
static void tell_partitioned(const struct experiment *x, uint32_t kind, struct text_buffer *text)
{
    const struct policy *policy = x->config->policy;
    uint32_t named = 0;
    for (uint32_t i = 0; (policy->needs & 1u << HOST_GREEN) != 0 && i < x->apps_count; i++) {
        const struct dcs_app *app = &x->apps[i];
        if (app->host == NULL || app->host[kind] == NULL || named > NAMED_MAX)
            continue;
        if (named == 0) {
            begin_text(text);
            text_append(text,
                        "on partitions, which %s can make, a program that was recorded runs as "
                        "under MPS, which was not measured: ",
                        policy->name);
        }
        text_append(text, "%s%s", named > 0 ? ", " : "",
                    named < NAMED_MAX ? app->name : "and more");
        named++;
    }
}

const char *experiment_hypothetical(const struct experiment *x)
{
    if (x->config->sharing.model == SHARING_SM)
        return "sharing.model";
    bool moves = x->config->sharing.resize_at != DCS_MOVES_NOT;
    return moves && policies_may_move_sms(x->config->policy) ? "sharing.resize_at" : NULL;
}

const char *experiment_hypothetical_does(const char *key)
{
    return strcmp(key, "sharing.model") == 0
               ? "kernels get and lose single blocks in each SM, and quotas of instructions"
               : "SMs move between kernels that run";
}

/* What was measured of kernels that share SMs, and what was not. */
static void tell_blocks(const struct experiment *x, struct text_buffer *text)
{
    text_append(text, EXPERIMENT_HYPOTHETICAL ": %s, which no GPU can (sharing.model)",
                experiment_hypothetical_does("sharing.model"));
    begin_text(text);
    text_append(text, "rates of one kernel and of two in each SM are measured, of more, and of SMs "
                      "that are unlike, those of a fitted law (docs/validation/smk.md)");
    if (x->config->sharing.context_gbs == 0)
        return;
    begin_text(text);
    text_append(text, "what blocks hold is saved at %g GB/s, which slows nobody",
                x->config->sharing.context_gbs);
}

char *experiment_assumptions(const struct experiment *x, uint32_t kind)
{
    const struct dcs_spatial *s = x->kind[kind].spatial;
    struct text_buffer text = {0};
    if (x->device_kind->divides)
        tell_divided(x, kind, &text);
    if (x->config->sharing.model == SHARING_SM)
        tell_blocks(x, &text);
    if (s == NULL)
        return text.text;
    const char *key = experiment_hypothetical(x);
    if (key != NULL)
        text_append(&text, EXPERIMENT_HYPOTHETICAL ": %s, which no GPU can (%s)",
                    experiment_hypothetical_does(key), key);
    if (x->kind[kind].falls_back != NULL) {
        begin_text(&text);
        text_append(&text, "%s", x->kind[kind].falls_back);
    }
    if (s->fusion != NULL && x->config->fusion.match == DCS_FUSION_NEAREST) {
        begin_text(&text);
        text_append(&text, "tensor kernels that were not measured in fused launches are taken for "
                           "the nearest that was (fusion.match)");
    }
    tell_deciding(x, s, &text);
    tell_partitioned(x, kind, &text);
    tell_counters(x, kind, &text);
    tell_contention(x, kind, &text);
    return text.text;
}
