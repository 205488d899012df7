/* experiment_inputs.c - the sizes of the requests of a workload, resolved: which there are, and
 * what a request of each is made of. See experiment.h and models/workload/inputs.h. */
#include "experiment/experiment_parts.h"

#include <stdlib.h>
#include <string.h>

/* What a config says of an application's inputs, and what that is. */
struct resolved_input {
    char *text;
    struct dcs_input input;
};

struct experiment_inputs {
    struct resolved_input *items; /* that are not the default, each once */
    size_t count, capacity;
};

const struct dcs_input *experiment_input(const struct experiment *x, uint32_t app, const char *text)
{
    for (size_t i = 0; i < x->inputs->count; i++) {
        const struct resolved_input *known = &x->inputs->items[i];
        if (known->input.app == app && strcmp(known->text, text) == 0)
            return &known->input;
    }
    return NULL;
}

/* ---- what a request of a size is made of ---- */

/* The index of an application's requests of a size. -1 and err on failure. */
static int64_t use_form(struct experiment *x, uint32_t app, int64_t size, const char *path,
                        struct dcs_err *err)
{
    const struct dcs_app *plain = &x->apps[app];
    const struct dcs_spatial *first = x->kind[0].spatial;
    struct dcs_err why = {0};
    if (x->kinds == 1 && first->sequences[plain->listed[0]].size == size)
        return app;
    for (uint32_t i = x->apps_count; i < x->apps_count + x->sized_count; i++)
        if (x->apps[i].size == size && strcmp(x->apps[i].name, plain->name) == 0)
            return i;
    for (uint32_t kind = 0; kind < x->kinds; kind++)
        if (dcs_spatial_check_size(x->kind[kind].spatial, plain->listed[kind], size, &why) != 0)
            return options_error(x->doc, path, err, "profile \"%s\": %s",
                                 x->kind[kind].profile->name, why.text);
    return experiment_add_size(x, app, size, path, err);
}

static int resolve_input(struct experiment *x, uint32_t app, const struct dcs_input_spec *spec,
                         struct dcs_input *out, const char *path, struct dcs_err *err)
{
    size_t count = 0;
    *out = (struct dcs_input){0};
    if (x->apps[app].listed == NULL)
        return options_error(x->doc, path, err,
                             "application \"%s\" is not of the profile: its requests have no sizes",
                             x->apps[app].name);
    int64_t *sizes = experiment_measured_sizes(x->kind[0].spatial, x->apps[app].listed[0], &count);
    int status = 0;
    struct dcs_err why = {0};
    if (count < 2)
        status = options_error(x->doc, path, err,
                               "profile \"%s\" has no requests of \"%s\" at several sizes (table "
                               "request_solo): use a measured profile, or \"default\"",
                               x->kind[0].profile->name, x->apps[app].name);
    else if (dcs_input_init(out, spec, sizes, count, &why) != 0)
        status = options_error(x->doc, path, err, "\"%s\": %s", x->apps[app].name, why.text);
    free(sizes);
    if (status != 0)
        return -1;
    out->app = app;
    for (size_t i = 0; i < out->count && status == 0; i++) {
        int64_t form = use_form(x, app, out->sizes[i].size, path, err);
        status = form < 0 ? -1 : 0;
        out->sizes[i].form = (uint32_t)form;
    }
    if (status != 0)
        dcs_input_release(out);
    return status;
}

/* ---- the inputs of a workload ---- */

static int use_input(struct experiment *x, uint32_t app, const char *text, const char *path,
                     struct dcs_err *err)
{
    struct dcs_input_spec spec;
    struct dcs_input input;
    if (experiment_is_default_input(text) || experiment_input(x, app, text) != NULL)
        return 0;
    int status = dcs_input_parse(&spec, text, err);
    DCS_ASSERT(status == 0 && x->device_kind->allots_sms); /* config_parse() has looked */
    status = resolve_input(x, app, &spec, &input, path, err);
    dcs_input_spec_release(&spec);
    if (status != 0)
        return -1;
    struct experiment_inputs *all = x->inputs;
    all->items = dcs_grow(all->items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items[all->count++] = (struct resolved_input){.text = dcs_strdup(text), .input = input};
    return 0;
}

static int use_inputs(struct experiment *x, const struct app_list *list, const char *text,
                      const char *path, struct dcs_err *err)
{
    for (size_t i = 0; i < list->count; i++)
        if (use_input(x, list->apps[i], text, path, err) != 0)
            return -1;
    return 0;
}

int experiment_open_inputs(struct experiment *x, struct dcs_err *err)
{
    const struct config_workload *w = &x->config->workload;
    const struct config_service *services = w->services.items;
    const struct config_batch *batch = w->batch.items;
    const struct config_colocated *colocated = w->colocated.items;
    char path[64];
    x->inputs = dcs_alloc(1, sizeof *x->inputs);
    for (size_t i = 0; i < w->services.count; i++) {
        snprintf(path, sizeof path, "workload.services[%zu].input", i);
        if (use_input(x, experiment_app(x, services[i].application), services[i].input, path,
                      err) != 0)
            return -1;
    }
    for (size_t i = 0; i < w->batch.count; i++) {
        snprintf(path, sizeof path, "workload.batch[%zu].input", i);
        if (use_input(x, experiment_app(x, batch[i].application), batch[i].input, path, err) != 0)
            return -1;
    }
    for (size_t i = 0; i < w->colocated.count; i++) {
        const struct app_lists *lists = experiment_colocated_lists(x, i);
        snprintf(path, sizeof path, "workload.colocated[%zu].service_input", i);
        if (use_inputs(x, &lists->of_class[DCS_LATENCY], colocated[i].service_input, path, err) !=
            0)
            return -1;
        snprintf(path, sizeof path, "workload.colocated[%zu].batch_input", i);
        if (use_inputs(x, &lists->of_class[DCS_BATCH], colocated[i].batch_input, path, err) != 0)
            return -1;
    }
    return 0;
}

void experiment_close_inputs(struct experiment *x)
{
    for (size_t i = 0; x->inputs != NULL && i < x->inputs->count; i++) {
        free(x->inputs->items[i].text);
        dcs_input_release(&x->inputs->items[i].input);
    }
    if (x->inputs != NULL)
        free(x->inputs->items);
    free(x->inputs);
}
