/* config_divisible.c - the keys of divisible work, and what the tables cannot say of them; see
 * config_tables.h. */
#include "config/config_tables.h"

#define FIELD(type, member) .offset = offsetof(struct type, member)

const struct param config_divisible_params[] = {
    {PARAM_STRING, "name", FIELD(config_divisible, name), .required = true,
     .help = "How workloads call it."},
    {PARAM_STRING, "program", FIELD(config_divisible, program), .text = "",
     .help = "Program of the profile (table split_program); empty: the name."},
    {PARAM_INT, "iterations", FIELD(config_divisible, iterations), "iterations", 0, 1e12, 0,
     .help = "Of a pass, a size that was measured; 0: the largest of these."},
    {0},
};

static int check_threads(const struct options_doc *doc, const char *path, bool divisible,
                         int64_t threads, struct dcs_err *err)
{
    if (threads == 0 || divisible)
        return 0;
    return options_error(
        doc, path, err,
        "is of divisible work: set sharing.model to \"divisible\", or leave it out");
}

int config_check_divisible(const struct config *c, const struct options_doc *doc,
                           struct dcs_err *err)
{
    bool divisible = c->sharing.model == SHARING_DIVISIBLE;
    const struct config_group *groups = c->cluster.groups.items;
    for (size_t i = 0; i < c->cluster.groups.count; i++) {
        char path[64];
        snprintf(path, sizeof path, "cluster.groups[%zu].cpu_threads", i);
        if (check_threads(doc, path, divisible, groups[i].cpu_threads, err) != 0)
            return -1;
    }
    if (c->divisible.count > 0 && !divisible)
        return options_error(doc, "divisible", err,
                             "needs devices that share a request: set sharing.model to "
                             "\"divisible\"");
    if (c->applications.count > 0 && divisible)
        return options_error(doc, "applications", err,
                             "cannot be divided, and sharing.model is \"divisible\": name "
                             "programs of the profile instead (dcsim --list applications)");
    if (c->outputs.interval_ns > 0 && divisible)
        return options_error(doc, "outputs.interval_s", err,
                             "bins of divisible work are not kept: set it to 0");
    return check_threads(doc, "cluster.cpu_threads", divisible, c->cluster.cpu_threads, err);
}
