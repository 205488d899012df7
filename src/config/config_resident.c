/* config_resident.c - the keys of kernels inside SMs, and what the tables cannot say of them; see
 * config_tables.h. */
#include "config/config_tables.h"

#include <string.h>

#define FIELD(type, member) .offset = offsetof(struct type, member)

const struct param config_resident_params[] = {
    {PARAM_STRING, "name", FIELD(config_resident, name), .required = true,
     .help = "How workloads call it."},
    {PARAM_STRING, "kernel", FIELD(config_resident, kernel), .text = "",
     .help = "Kernel of the profile (table resident_kernel); empty: the name."},
    {PARAM_TIME, "alone_ms", FIELD(config_resident, alone_ns), "ms", 1e-3, 1e9, 1,
     .help = "What a launch takes alone, with as many blocks in each SM as fit."},
    {PARAM_REAL, "goal", FIELD(config_resident, goal), NULL, 0, 1, 0,
     .help =
         "Share of its speed alone that it is to keep: then it is of class latency, with an SLA "
         "of alone_ms over this. 0: it is batch."},
    {0},
};

/* Whether services or batch work name it; true where other work is there, which finds its own. */
static bool is_used(const struct config_workload *w, const char *name)
{
    const struct config_service *services = w->services.items;
    const struct config_batch *batch = w->batch.items;
    bool used = w->trem.count + w->trace.count + w->jobs.count + w->colocated.count > 0;
    for (size_t i = 0; i < w->services.count; i++)
        used = used || strcmp(services[i].application, name) == 0;
    for (size_t i = 0; i < w->batch.count; i++)
        used = used || strcmp(batch[i].application, name) == 0;
    return used;
}

int config_check_resident(const struct config *c, const struct options_doc *doc,
                          struct dcs_err *err)
{
    bool sm = c->sharing.model == SHARING_SM;
    if (c->resident.count > 0 && !sm)
        return options_error(doc, "resident", err,
                             "needs GPUs whose SMs kernels share: set sharing.model to \"sm\"");
    if (c->applications.count > 0 && sm)
        return options_error(doc, "applications", err,
                             "have no blocks, and sharing.model is \"sm\": name kernels of the "
                             "profile instead (dcsim --list applications)");
    if (c->outputs.interval_ns > 0 && sm)
        return options_error(doc, "outputs.interval_s", err,
                             "bins of kernels inside SMs are not kept: set it to 0");
    const struct config_resident *own = c->resident.items;
    for (size_t i = 0; i < c->resident.count; i++)
        if (!is_used(&c->workload, own[i].name)) {
            char path[64];
            snprintf(path, sizeof path, "resident[%zu].name", i);
            return options_error(doc, path, err,
                                 "no service and no batch work is of application \"%s\"",
                                 own[i].name);
        }
    for (size_t i = 0; i < c->resident.count; i++)
        if (own[i].goal > 0 && (double)own[i].alone_ns / own[i].goal > (double)DCS_TIME_MAX) {
            char path[64];
            snprintf(path, sizeof path, "resident[%zu].goal", i);
            return options_error(
                doc, path, err,
                "alone_ms over goal is more time than a run can have: give a higher "
                "goal, or 0 for none");
        }
    return 0;
}
