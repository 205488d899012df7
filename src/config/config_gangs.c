/* config_gangs.c - see config_gangs.h. */
#include "config/config_gangs.h"

#include "config/config_tables.h"
#include "gangs/gang.h"

#include <stdio.h>
#include <string.h>

bool config_has_gangs(const struct config *c)
{
    const struct config_trace *traces = c->workload.trace.items;
    for (size_t i = 0; i < c->workload.trace.count; i++)
        if (traces[i].as == 1)
            return true;
    return false;
}

struct config_decider config_decider(const struct config *c)
{
    struct config_decider d;
    const struct config_queue *q = &c->cluster.queue;
    if (config_has_gangs(c))
        snprintf(d.text, sizeof d.text, "%s+%s", config_queue_orders[q->order],
                 gang_placements[q->placement]);
    else
        snprintf(d.text, sizeof d.text, "%s", c->policy->name);
    return d;
}

/* ---- Keys without any effect ---- */

static const struct param *find_row(const struct param *rows, const char *name)
{
    while (strcmp(rows->name, name) != 0)
        rows++;
    return rows;
}

/* Whether a text of the trace's block is not its default. */
static bool is_set(const char *key, const char *text)
{
    const struct param *workload = find_row(config_root_params, "workload");
    return strcmp(find_row(find_row(workload->sub, "trace")->sub, key)->text, text) != 0;
}

static int refuse_key(const struct options_doc *doc, const char *path, struct dcs_err *err)
{
    return options_error(doc, path, err,
                         "has no effect on whole jobs (workload.trace[0].as \"gangs\"): leave it "
                         "out");
}

/* What is of requests, kernels and what devices do with them. */
static int check_blocks(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    static const char *const blocks[] = {"sharing", "fusion", "revocation", "checkpoint",
                                         "scheduler"};
    struct config plain = *c;
    if (plain.scheduler.callback_ns == 0)
        plain.scheduler.callback_ns = CONFIG_CHARGE_AUTO; /* the same, where no GPU is shared */
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        const struct param *row = find_row(config_root_params, blocks[i]);
        const char *key = options_changed(row->sub, (const char *)&plain + row->offset);
        char path[96];
        snprintf(path, sizeof path, "%s.%s", blocks[i], key != NULL ? key : "");
        if (key != NULL)
            return refuse_key(doc, path, err);
    }
    return 0;
}

/* A key that has another value than its default would be without any effect. */
static int check_unused(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    const struct config_trace *t = c->workload.trace.items;
    const struct config_queue *q = &c->cluster.queue;
    const struct {
        const char *path;
        bool set;
    } keys[] = {
        {"cluster.domains", c->cluster.domains != 1},
        {"cluster.devices", c->cluster.devices != 1},
        {"cluster.router", c->cluster.router != 0},
        {"cluster.groups", c->cluster.groups.count > 0},
        {"profile", strcmp(c->profile, find_row(config_root_params, "profile")->text) != 0},
        {"applications", c->applications.count > 0},
        {"predictor", c->predictor != PREDICTOR_MEAN},
        {"predictors", c->predictors[0] != '\0'},
        {"until.metric", c->until.metric[0] != '\0' && t->keep == 1}, /* nothing is drawn */
        {"cluster.queue.checkpoint_s", q->checkpoint_ns > 0 && q->revocation == RANKS_NONE},
        {"outputs.requests", c->outputs.requests},
        {"outputs.decisions", c->outputs.decisions},
        {"outputs.launches", c->outputs.launches},
        {"fairness.metrics", c->fairness.metrics},
        {"fairness.weights", c->fairness.weights.count > 0},
        {"horizon.warmup_s", c->horizon.warmup_ns > 0},
        {"horizon.warmup_rule", c->horizon.warmup_rule != WARMUP_FIXED},
        {"workload.trace[0].latency_fraction", t->latency_fraction != -1},
        {"workload.trace[0].load", t->replay.load > 0},
        {"workload.trace[0].outstanding", t->replay.outstanding != 1},
        {"workload.trace[0].mapping", t->replay.mapping != 0},
        {"workload.trace[0].sla_ms", t->replay.sla_ns > 0},
        {"workload.trace[0].user_applications",
         is_set("user_applications", t->replay.user_applications)},
        {"workload.trace[0].batch_applications",
         is_set("batch_applications", t->replay.batch_applications)},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].set)
            return refuse_key(doc, keys[i].path, err);
    return check_blocks(c, doc, err);
}

static int check_nodes(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    const struct config_nodes *nodes = c->cluster.nodes.items;
    double gpus = 0;
    if (c->cluster.nodes.count == 0)
        return options_error(doc, "cluster", err,
                             "missing key \"nodes\": whole jobs need nodes, such as "
                             "[{\"nodes\": 4, \"gpus\": 8}]");
    if (c->cluster.nodes.count > GANG_MODELS)
        return options_error(doc, "cluster.nodes", err, "%zu kinds of nodes; at most %d",
                             c->cluster.nodes.count, GANG_MODELS);
    for (size_t i = 0; i < c->cluster.nodes.count; i++)
        gpus += (double)nodes[i].nodes * (double)nodes[i].gpus;
    if (gpus > 1e6)
        return options_error(doc, "cluster.nodes", err,
                             "%.0f GPUs; at most 1000000 can be simulated", gpus);
    return 0;
}

int config_check_gangs(const struct config *c, const struct options_doc *doc, struct dcs_err *err)
{
    const struct config_workload *w = &c->workload;
    const struct config_queue *q = &c->cluster.queue;
    bool queue = q->order || q->placement || q->depth > 0 || q->across_nodes || q->misfits ||
                 q->revocation || q->checkpoint_ns > 0;
    if (!config_has_gangs(c) && (queue || c->cluster.nodes.count > 0))
        return options_error(doc, queue ? "cluster.queue" : "cluster.nodes", err,
                             "is for whole jobs: set workload.trace[0].as to \"gangs\", or leave "
                             "it out");
    if (!config_has_gangs(c))
        return 0;
    if (w->services.count + w->batch.count + w->trem.count + w->trace.count + w->jobs.count +
            w->colocated.count !=
        1)
        return options_error(doc, "workload", err,
                             "whole jobs (as \"gangs\") do not mix with other work yet: give one "
                             "trace alone");
    if (strcmp(c->policy->name, "fcfs") != 0)
        return options_error(doc, "policy.name", err,
                             "whole jobs do not share devices: leave \"policy\" out; cluster.queue "
                             "says who runs next");
    return check_unused(c, doc, err) != 0 ? -1 : check_nodes(c, doc, err);
}
