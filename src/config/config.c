/* config.c - see config.h. */
#include "config/config.h"

#include "des/digest.h"

#include "config/config_gangs.h"
#include "config/config_tables.h"
#include "models/predictor/methods.h"
#include "models/predictor/predictor_cpu.h"
#include "models/workload/inputs.h"
#include "config/sweep_axes.h"
#include "config/plugin.h"
#include "policies/policies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "name" is the one key of the policy section that is not the policy's own. */
static const char *const policy_skip[] = {"name", NULL};
/* "sweep" is not of one experiment: sweep_axes.h. "$schema" is for editors. */
static const char *const root_skip[] = {"policy", "sweep", "$schema", NULL};

static int no_such_policy(const struct options_doc *doc, const struct plugins *plugins,
                          const char *name, struct dcs_err *err)
{
    const char *names[64];
    size_t n = 0;
    for (size_t i = 0; n < 63 && policies_all[i] != NULL; i++)
        names[n++] = policies_all[i]->name;
    for (size_t i = 0; n < 63 && plugins != NULL && i < plugins->count; i++)
        names[n++] = plugins->items[i].policy->name;
    names[n] = NULL;
    const char *near = options_nearest(name, names);
    return options_error(
        doc, "policy.name", err,
        "there is no policy \"%.64s\"%s%s%s; dcsim --list policies names them, and "
        "--policy FILE.so adds that of a plug-in",
        name, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int find_policy(struct config *c, const struct options_doc *doc, struct plugins *plugins,
                       struct dcs_err *err)
{
    bool named = options_has(doc, "policy.name");
    const char *name = options_string(doc, "policy.name");
    if (named && name == NULL)
        return options_error(doc, "policy.name", err, "expected a string: the name of a policy");
    struct plugin *plugin = named ? plugins_find(plugins, name) : NULL;
    bool only = plugins != NULL && plugins->count == 1;
    if (plugin == NULL && only && (!named || options_is_original(doc, "policy.name"))) {
        plugin = &plugins->items[0];
        atomic_store(&plugin->instead, named);
    }
    if (plugin != NULL) {
        atomic_store(&plugin->used, true);
        c->plugin = plugin;
        c->policy = plugin->policy;
        return 0;
    }
    if (!named && config_has_gangs(c)) {
        c->policy = policies_find("fcfs");
        return 0;
    }
    if (!named)
        return options_error(doc, "policy", err,
                             "missing key \"name\" (a string: which policy; dcsim --list policies "
                             "names them)");
    c->policy = policies_find(name);
    return c->policy != NULL ? 0 : no_such_policy(doc, plugins, name, err);
}

/* An option that stands in the file may be one of the policy that the file names, while another one
 * was chosen. Returns -1. */
static int blame_options(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    const char *name = options_string(doc, "policy.name");
    if (name == NULL || strcmp(name, c->policy->name) == 0)
        return -1;
    char text[sizeof err->text];
    snprintf(text, sizeof text, "%s", err->text);
    return dcs_err_set(err,
                       "%.400s; --policy chose \"%s\" in place of \"%.64s\": --set 'policy={}' "
                       "leaves out the options of the latter",
                       text, c->policy->name, name);
}

static int parse_policy(struct config *c, const struct options_doc *doc, struct plugins *plugins,
                        struct dcs_err *err)
{
    if (find_policy(c, doc, plugins, err) != 0)
        return -1;
    static const struct param none[] = {{0}};
    const struct param *table = c->policy->params != NULL ? c->policy->params : none;
    c->policy_params = dcs_alloc(1, c->policy->params_size + 1);
    if (options_parse(doc, "policy", table, policy_skip, c->policy_params, err) != 0) {
        free(c->policy_params);
        c->policy_params = NULL;
        return blame_options(c, doc, err);
    }
    return 0;
}

/* Fewer runs first may agree by chance, and end it. */
#define UNTIL_FIRST 5

static int check_until(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    const struct config_until *u = &c->until;
    if (u->metric[0] == '\0') {
        if (u->half_width > 0 || u->relative > 0)
            return options_error(doc, "until", err, "missing key \"metric\": what must be known");
        return 0;
    }
    if ((u->half_width > 0) == (u->relative > 0))
        return options_error(doc, "until", err,
                             "expected one of half_width and relative above 0: how well \"%.64s\" "
                             "must be known",
                             u->metric);
    if (c->replications < UNTIL_FIRST)
        return options_error(
            doc, "replications", err,
            "expected at least %d to begin with where \"until\" adds to them: fewer "
            "may agree by chance",
            UNTIL_FIRST);
    if (u->max_replications < c->replications)
        return options_error(doc, "until.max_replications", err,
                             "expected at least \"replications\"");
    return 0;
}

static int check_warmup(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    if (c->horizon.warmup_rule != WARMUP_MSER5)
        return 0;
    if (c->horizon.duration_ns < CONFIG_SERIES)
        return options_error(doc, "horizon.warmup_rule", err,
                             "\"mser5\" needs duration_s: a run until all work is done is measured "
                             "whole");
    if (c->horizon.warmup_ns > 0)
        return options_error(doc, "horizon.warmup_s", err,
                             "is found by warmup_rule \"mser5\": leave one of them out");
    return 0;
}

/* An infinite world has to end somewhere. */
static int check_horizon(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    const struct config_workload *w = &c->workload;
    if (w->services.count + w->batch.count + w->trem.count + w->trace.count + w->jobs.count +
            w->colocated.count ==
        0)
        return options_error(
            doc, "workload", err,
            "nothing to do: give at least one of services, batch, trem, trace, jobs, colocated");
    if (check_warmup(c, doc, err) != 0)
        return -1;
    if (c->horizon.duration_ns > 0) {
        if (c->horizon.warmup_ns >= c->horizon.duration_ns)
            return options_error(doc, "horizon.warmup_s", err,
                                 "must be below duration_s: nothing would be measured");
        return 0;
    }
    if (c->horizon.warmup_ns > 0)
        return options_error(doc, "horizon.warmup_s", err,
                             "needs duration_s: a run until all work is done is measured whole");
    const struct config_service *services = w->services.items;
    for (size_t i = 0; i < w->services.count; i++)
        if (services[i].requests == 0)
            return options_error(doc, "horizon.duration_s", err,
                                 "must be above 0: workload.services[%zu] has no end", i);
    const struct config_batch *batch = w->batch.items;
    for (size_t i = 0; i < w->batch.count; i++)
        if (batch[i].requests == 0)
            return options_error(doc, "horizon.duration_s", err,
                                 "must be above 0: workload.batch[%zu] has no end", i);
    if (w->colocated.count > 0)
        return options_error(doc, "horizon.duration_s", err,
                             "must be above 0: workload.colocated has no end");
    return 0;
}

static int check_sla(int64_t sla_ns, double sla_factor, const char *section, size_t i,
                     const struct options_doc *doc, struct dcs_err *err)
{
    char path[64];
    snprintf(path, sizeof path, "workload.%s[%zu].sla_factor", section, i);
    if (sla_ns > 0 && sla_factor > 0)
        return options_error(doc, path, err, "sla_ms and sla_factor both give the SLA: set one");
    return 0;
}

/* What a rate that follows from the peak cannot be given with; NULL if nothing. */
static const char *against_peak(const struct config_arrivals *a, const char **why)
{
    *why = "peak rates are those of poisson arrivals";
    if (a->process != 0)
        return "process";
    if (a->batch_mean != 1)
        return "batch_mean";
    *why = "follows from fraction_of_peak: leave one of them out";
    return a->rate_per_s > 0 ? "rate_per_s" : NULL;
}

static int check_services(const struct config *c, const struct options_doc *doc,
                          struct dcs_err *err)
{
    const struct config_workload *w = &c->workload;
    const struct config_service *services = w->services.items;
    char path[96];
    for (size_t i = 0; i < w->services.count; i++) {
        const struct config_service *s = &services[i];
        const char *why = NULL;
        const char *key =
            s->arrivals.fraction_of_peak > 0 ? against_peak(&s->arrivals, &why) : NULL;
        if (check_sla(s->sla_ns, s->sla_factor, "services", i, doc, err) != 0)
            return -1;
        snprintf(path, sizeof path, "workload.services[%zu].arrivals.%s", i, key ? key : "");
        if (key != NULL)
            return options_error(doc, path, err, "%s", why);
    }
    const struct config_colocated *colocated = w->colocated.items;
    for (size_t i = 0; i < w->colocated.count; i++)
        if (check_sla(colocated[i].sla_ns, colocated[i].sla_factor, "colocated", i, doc, err) != 0)
            return -1;
    const struct config_jobs *jobs = w->jobs.items;
    for (size_t i = 0; i < w->jobs.count; i++) {
        snprintf(path, sizeof path, "workload.jobs[%zu].arrivals.fraction_of_peak", i);
        if (jobs[i].arrivals.fraction_of_peak > 0)
            return options_error(doc, path, err, "is of services; jobs have a load");
    }
    return 0;
}

/* A load is reached by the compression of the arrivals: it cannot be given as well. */
static int check_load(const struct config_replay *r, const char *section, size_t i,
                      const struct options_doc *doc, struct dcs_err *err)
{
    char path[64];
    snprintf(path, sizeof path, "workload.%s[%zu].time_compression", section, i);
    if (r->load > 0 && r->time_compression != 1)
        return options_error(doc, path, err,
                             "is solved for where load is above 0; leave it out, or set load to 0");
    return 0;
}

/* What the tables cannot say of one key alone. */
static int check_traces(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    const struct config_trace *traces = c->workload.trace.items;
    for (size_t i = 0; i < c->workload.trace.count; i++) {
        const struct config_trace *t = &traces[i];
        char path[64];
        snprintf(path, sizeof path, "workload.trace[%zu].until_s", i);
        if (t->until_ns != 0 && t->until_ns <= t->from_ns)
            return options_error(doc, path, err, "must be above from_s, or 0: to the end");
        snprintf(path, sizeof path, "workload.trace[%zu].latency_fraction", i);
        if (t->latency_fraction < 0 && t->latency_fraction != -1)
            return options_error(doc, path, err,
                                 "expected a share from 0 to 1, or -1: the classes of the trace");
        if (check_load(&t->replay, "trace", i, doc, err) != 0)
            return -1;
    }
    const struct config_jobs *jobs = c->workload.jobs.items;
    for (size_t i = 0; i < c->workload.jobs.count; i++)
        if (check_load(&jobs[i].replay, "jobs", i, doc, err) != 0)
            return -1;
    return 0;
}

static int check_size(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    double devices = (double)c->cluster.domains * (double)c->cluster.devices;
    const struct config_group *groups = c->cluster.groups.items;
    if (c->cluster.groups.count > 0) {
        devices = 0;
        for (size_t i = 0; i < c->cluster.groups.count; i++)
            devices += (double)groups[i].domains * (double)groups[i].devices;
    }
    if (devices > 1e6)
        return options_error(doc, "cluster", err, "%.0f devices; at most 1000000 can be simulated",
                             devices);
    return 0;
}

static bool is_for(const struct dcs_method *const *list, const char *name)
{
    while (*list != NULL && strcmp(dcs_method_name(*list), name) != 0)
        list++;
    return *list != NULL;
}

static int check_predictor(const struct config *c, const struct options_doc *doc,
                           struct dcs_err *err)
{
    const char *name = config_predictors[c->predictor];
    bool cpu = c->sharing.model == SHARING_CPU;
    if (c->predictor < PREDICTOR_TRAINED)
        return 0;
    if (c->sharing.model == SHARING_WHOLE || c->sharing.model == SHARING_DIVISIBLE ||
        c->sharing.model == SHARING_SM)
        return options_error(doc, "predictor", err,
                             "\"%s\" predicts kernels at shares of a device: set sharing.model to "
                             "\"spatial\"",
                             name);
    bool best = cpu && c->predictor == PREDICTOR_BEST;
    if (!best && !is_for(cpu ? dcs_methods_cpu : dcs_methods, name))
        return options_error(
            doc, "predictor", err, "\"%s\" is not for %s: expected %s", name, cpu ? "CPUs" : "GPUs",
            cpu ? "linear, sgd, knn5, svm, net or best" : "linear, knn, cart or net");
    return 0;
}

static int check_sharing(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    if (c->sharing.model != SHARING_SPATIAL && c->sharing.profile_uncertainty)
        return options_error(doc, "sharing.profile_uncertainty", err,
                             "is of the measured times of kernels that share a device: set "
                             "sharing.model to \"spatial\"");
    if (c->sharing.model != SHARING_SPATIAL && c->sharing.resize_at != 0)
        return options_error(doc, "sharing.resize_at", err,
                             "SMs move where kernels share them: set sharing.model to \"spatial\", "
                             "or leave this key out");
    if (c->sharing.model != SHARING_SPATIAL && c->sharing.quota_switch_ns == CONFIG_SWITCH_MEASURED)
        return options_error(doc, "sharing.quota_switch_us", err,
                             "\"profile\" is of kernels that share a device: set sharing.model to "
                             "\"spatial\", or give a time");
    if (c->sharing.model != SHARING_SPATIAL && c->scheduler.callback_ns == CONFIG_CHARGE_MEASURED)
        return options_error(doc, "scheduler.callback_us", err,
                             "\"profile\" is of kernels that share a device: set sharing.model to "
                             "\"spatial\", or give a time");
    if (c->sharing.model != SHARING_WHOLE && c->checkpoint.interval_ns > 0)
        return options_error(doc, "checkpoint.interval_s", err,
                             "checkpoints are not modelled on devices that are shared: set it to "
                             "0, or sharing.model to \"whole\"");
    if (c->sharing.model != SHARING_SPATIAL && c->slowdowns != SLOWDOWNS_NONE)
        return options_error(doc, "slowdowns", err,
                             "is of kernels that share a GPU: set sharing.model to \"spatial\"");
    return check_predictor(c, doc, err);
}

static int check_input(const struct config *c, const struct options_doc *doc, const char *section,
                       size_t i, const char *key, const char *text, struct dcs_err *err)
{
    char path[64];
    struct dcs_input_spec spec;
    struct dcs_err why = {0};
    snprintf(path, sizeof path, "workload.%s[%zu].%s", section, i, key);
    if (dcs_input_parse(&spec, text, &why) != 0)
        return options_error(doc, path, err, "%s", why.text);
    bool drawn = spec.kind != DCS_INPUT_DEFAULT;
    dcs_input_spec_release(&spec);
    if (drawn && c->sharing.model != SHARING_SPATIAL)
        return options_error(doc, path, err,
                             "other sizes than the default are those of devices that are shared: "
                             "set sharing.model to \"spatial\", or this to \"default\"");
    return 0;
}

static int check_inputs(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    const struct config_workload *w = &c->workload;
    const struct config_service *services = w->services.items;
    const struct config_batch *batch = w->batch.items;
    const struct config_colocated *colocated = w->colocated.items;
    for (size_t i = 0; i < w->services.count; i++)
        if (check_input(c, doc, "services", i, "input", services[i].input, err) != 0)
            return -1;
    for (size_t i = 0; i < w->batch.count; i++)
        if (check_input(c, doc, "batch", i, "input", batch[i].input, err) != 0)
            return -1;
    for (size_t i = 0; i < w->colocated.count; i++)
        if (check_input(c, doc, "colocated", i, "service_input", colocated[i].service_input, err) !=
                0 ||
            check_input(c, doc, "colocated", i, "batch_input", colocated[i].batch_input, err) != 0)
            return -1;
    return 0;
}

/* The mechanisms that the devices offer, as policy.h has them. */
static uint32_t offered(const struct config *c)
{
    uint32_t shared = 1u << HOST_GREEN | 1u << HOST_MPS;
    /* Whether the profile has what fusing takes is seen when it is read. */
    shared |= HOST_NEEDS_FUSION | HOST_NEEDS_SLOWDOWNS;
    const uint32_t beside_whole[] = {[SHARING_WHOLE] = 0,
                                     [SHARING_SPATIAL] = shared,
                                     [SHARING_CPU] = 1u << HOST_CPU,
                                     [SHARING_DIVISIBLE] = HOST_NEEDS_CHUNKS,
                                     [SHARING_SM] = HOST_NEEDS_BLOCKS};
    uint32_t whole = c->sharing.model == SHARING_SM ? 0 : 1u << HOST_WHOLE;
    return whole | beside_whole[c->sharing.model];
}

static int check_policy(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    bool cpu = (c->policy->needs & 1u << HOST_CPU) != 0;
    if ((c->policy->needs & HOST_NEEDS_SLOWDOWNS) != 0 && c->slowdowns == SLOWDOWNS_NONE)
        return options_error(doc, "policy.name", err,
                             "policy %s asks how much kernels were slowed: train that with dcsim "
                             "train PROFILE, and set slowdowns to \"trained\"",
                             c->policy->name);
    if (c->sharing.model == SHARING_SM && (c->policy->needs & HOST_NEEDS_BLOCKS) == 0)
        return options_error(doc, "policy.name", err,
                             "policy %s does not share SMs, and sharing.model is \"sm\": take smk, "
                             "spart, qos-quota or spart-qos",
                             c->policy->name);
    if ((c->policy->needs & ~offered(c)) == 0)
        return 0;
    if ((c->policy->needs & HOST_NEEDS_CHUNKS) != 0)
        return options_error(doc, "policy.name", err,
                             "policy %s divides requests: set sharing.model to \"divisible\", and "
                             "profile to one that has measured chunks (dcsim-calibrate split)",
                             c->policy->name);
    if ((c->policy->needs & HOST_NEEDS_BLOCKS) != 0)
        return options_error(
            doc, "policy.name", err,
            "policy %s shares SMs: set sharing.model to \"sm\", and profile to one "
            "that has kernels inside an SM (nvidia-h200-residency)",
            c->policy->name);
    return options_error(
        doc, "policy.name", err,
        "policy %s needs devices that are shared: set sharing.model to \"%s\", and "
        "profile to one of a %s",
        c->policy->name, cpu ? "cpu" : "spatial", cpu ? "CPU" : "GPU");
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return dcs_strdup(".");
    size_t length = (size_t)(slash - path);
    if (length == 0)
        length = 1;
    char *folder = dcs_alloc(length + 1, 1);
    memcpy(folder, path, length);
    return folder;
}

#define ROOT_ROWS 32 /* there are fewer */

static int parse_keys(struct config *c, const struct options_doc *doc, const struct param *table,
                      struct dcs_err *err)
{
    *c = (struct config){0};
    if (options_parse(doc, "", table, root_skip, c, err) != 0)
        return -1;
    c->folder = folder_of(options_doc_name(doc));
    return 0;
}

int config_check_path(const struct options_doc *doc, const char *path, struct dcs_err *err)
{
    return options_check_path(doc, path, config_root_params, root_skip, err);
}

int config_read(struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    struct param table[ROOT_ROWS] = {{0}};
    for (size_t i = 0; config_root_params[i].type != PARAM_END; i++) {
        DCS_ASSERT(i < ROOT_ROWS - 1);
        table[i] = config_root_params[i];
        table[i].required = false;
    }
    return parse_keys(c, doc, table, err);
}

int config_parse(struct config *c, const struct options_doc *doc, struct plugins *plugins,
                 struct dcs_err *err)
{
    if (parse_keys(c, doc, config_root_params, err) != 0)
        return -1;
    if (check_size(c, doc, err) != 0 || check_sharing(c, doc, err) != 0 ||
        config_check_divisible(c, doc, err) != 0 || config_check_resident(c, doc, err) != 0 ||
        check_inputs(c, doc, err) != 0 || check_until(c, doc, err) != 0 ||
        check_horizon(c, doc, err) != 0 || check_traces(c, doc, err) != 0 ||
        check_services(c, doc, err) != 0 || parse_policy(c, doc, plugins, err) != 0 ||
        check_policy(c, doc, err) != 0 || config_check_gangs(c, doc, err) != 0) {
        config_release(c);
        return -1;
    }
    if (c->sharing.model != SHARING_SPATIAL && c->scheduler.callback_ns == CONFIG_CHARGE_AUTO)
        c->scheduler.callback_ns = 0; /* nothing is measured there */
    return 0;
}

void config_release(struct config *c)
{
    if (c->policy_params != NULL && c->policy->params != NULL)
        options_release(c->policy->params, c->policy->params_size, c->policy_params);
    free(c->policy_params);
    free(c->folder);
    options_release(config_root_params, sizeof *c, c);
    *c = (struct config){0};
}

static char *print(const struct config *c, const struct param *table)
{
    struct text_buffer out = {0};
    text_append(&out, "{\n");
    options_print_members(&out, table, c, 1);
    text_append(&out, ",\n    \"policy\": {\n        \"name\": ");
    text_append_json(&out, c->policy->name);
    if (c->policy->params != NULL) {
        text_append(&out, ",\n");
        options_print_members(&out, c->policy->params, c->policy_params, 2);
    }
    text_append(&out, "\n    }\n}\n");
    return out.text;
}

char *config_print(const struct config *c)
{
    return print(c, config_root_params);
}

/* The rows that can change a result. (Of predictors the bytes do that, not the place:
 * experiment.h.) */
static bool changes_result(const struct config *c, const struct param *row)
{
    if (strcmp(row->name, "slowdowns") == 0)
        return c->slowdowns != SLOWDOWNS_NONE; /* hashes are older than the key */
    static const char *const not [] = {"name",         "description", "predictors", "outputs",
                                       "replications", "until",       NULL};
    for (size_t i = 0; not [i] != NULL; i++)
        if (strcmp(row->name, not [i]) == 0)
            return false;
    return true;
}

void config_hash(const struct config *c, char out[65])
{
    struct param table[ROOT_ROWS];
    size_t n = 0;
    for (const struct param *row = config_root_params; row->type != PARAM_END; row++)
        if (changes_result(c, row)) {
            DCS_ASSERT(n < ROOT_ROWS - 1);
            table[n++] = *row;
        }
    table[n] = (struct param){0};
    char *text = print(c, table);
    dcs_sha256(text, strlen(text), out);
    free(text);
}

static void document_policy(struct text_buffer *out, const struct policy *p)
{
    text_append(out, "\n## %s\n\n%s\nSource: %s.\n\n", p->name, p->summary, p->source);
    if (p->params != NULL)
        options_document(out, "policy", p->params);
    else
        text_append(out, "No options.\n");
}

char *config_document(const struct plugins *plugins)
{
    struct text_buffer out = {0};
    text_append(
        &out,
        "# Configuration reference\n\n"
        "One JSON file describes an experiment. `policy` (with its `name`) and `workload` must be\n"
        "given; every other key below may be left out unless it says *required*. Keys that start "
        "with `_` are comments. Units are part of the names.\n"
        "`dcsim --config x.json --print-config` shows a config with all defaults filled in;\n"
        "`--set cluster.devices=8` overrides a key, `--set workload.trem[0].load=0.5` one of a "
        "list,\n"
        "`--set sweep=null` takes one out, as if it was not given. In a file null is no value of "
        "any key.\n"
        "This page is printed by `dcsim --list params`.\n\n"
        "An editor that knows JSON Schema completes and checks configs: write "
        "`dcsim --list schema >dcsim.schema.json`,\n"
        "and name that file in a config, `\"$schema\": \"./dcsim.schema.json\"`, or in the "
        "editor's settings, in VS Code\n"
        "`\"json.schemas\": [{\"fileMatch\": [\"configs/**\"], \"url\": "
        "\"./dcsim.schema.json\"}]`. dcsim ignores `$schema`.\n\n");
    options_document(&out, "", config_root_params);
    sweep_axes_document(&out);
    text_append(&out, "\n# Policies\n\nThe section `policy` holds `name` and the options of "
                      "that policy.\n");
    for (size_t i = 0; policies_all[i] != NULL; i++)
        document_policy(&out, policies_all[i]);
    for (size_t i = 0; i < plugins->count; i++)
        document_policy(&out, plugins->items[i].policy);
    return out.text;
}
