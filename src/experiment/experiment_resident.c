/* experiment_resident.c - applications that are kernels inside SMs: one launch a request. */
#include "experiment/experiment_parts.h"

#include <stdlib.h>
#include <string.h>

/* What the config says of a name; a kernel of 1 ms where it says nothing. */
static struct config_resident find_own(const struct config *c, const char *name)
{
    const struct config_resident *own = c->resident.items;
    for (size_t i = 0; i < c->resident.count; i++)
        if (strcmp(own[i].name, name) == 0)
            return own[i];
    return (struct config_resident){
        .name = (char *)name, .kernel = (char *)name, .alone_ns = 1000000};
}

/* "cp, lbm". Freed by the caller. */
static char *list_kernels(const struct dcs_sm *m)
{
    struct text_buffer text = {0};
    for (size_t i = 0; i < m->count; i++)
        text_append(&text, "%s%s", i > 0 ? ", " : "", m->kernels[i].name);
    return text.text;
}

int experiment_resident_app(const struct experiment *x, const char *name, const char *path,
                            struct dcs_app *out, struct dcs_err *err)
{
    const struct config_resident own = find_own(x->config, name);
    const char *kernel = own.kernel[0] != '\0' ? own.kernel : own.name;
    uint32_t *at = dcs_alloc(x->kinds, sizeof *at);
    int result = 0;
    for (uint32_t i = 0; i < x->kinds && result == 0; i++) {
        at[i] = dcs_sm_find(x->devices->sm[i], kernel);
        if (at[i] != UINT32_MAX)
            continue;
        char *list = list_kernels(x->devices->sm[i]);
        result = options_error(x->doc, path, err,
                               "profile \"%s\" has not measured kernel \"%s\" inside an SM: it has "
                               "%s",
                               x->kind[i].profile->name, kernel, list);
        free(list);
    }
    if (result == 0) {
        dcs_app_resident(out, name, own.goal > 0 ? DCS_LATENCY : DCS_BATCH, at, own.alone_ns,
                         x->kinds);
        if (own.goal > 0)
            out->sla_ns = (int64_t)((double)own.alone_ns / own.goal + 0.5);
    }
    free(at);
    return result;
}
