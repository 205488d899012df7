/* experiment_sizes.c - the sizes of requests that a config asks of a profile, before any is loaded;
 * see experiment_parts.h. */
#include "experiment/experiment_parts.h"

#include <stdlib.h>
#include <string.h>

bool experiment_is_default_input(const char *text)
{
    return strcmp(text, "default") == 0;
}

static int compare_sizes(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t *experiment_measured_sizes(const struct dcs_spatial *s, uint32_t listed, size_t *count)
{
    int64_t *sizes = dcs_alloc(s->sequences_count, sizeof *sizes);
    *count = 0;
    for (uint32_t i = 0; i < s->sequences_count; i++)
        if (s->sequences[i].listed == listed && !s->sequences[i].between &&
            s->sequences[i].size >= 1)
            sizes[(*count)++] = s->sequences[i].size;
    qsort(sizes, *count, sizeof *sizes, compare_sizes);
    return sizes;
}

struct list {
    struct profile_cache_sized *items;
    size_t count, capacity;
};

/* The sizes that a profile must have beside its own: those of a list, and of a range those of the
 * first profile, which are drawn. */
static struct profile_cache_sized list_sizes(const struct experiment *x, const char *app,
                                             const char *input)
{
    struct profile_cache_sized out = {.app = dcs_strdup(app)};
    struct dcs_input_spec spec;
    struct dcs_err unused = {0};
    int status = dcs_input_parse(&spec, input, &unused);
    DCS_ASSERT(status == 0); /* config_parse() has looked */
    const struct dcs_profile_app *listed = x->kind[0].profile != NULL && spec.kind != DCS_INPUT_LIST
                                               ? dcs_profile_app(x->kind[0].profile, app)
                                               : NULL;
    if (listed != NULL) {
        size_t count;
        uint32_t index = (uint32_t)(listed - x->kind[0].profile->apps);
        out.sizes = experiment_measured_sizes(x->kind[0].spatial, index, &count);
        for (size_t i = 0; i < count; i++)
            if (out.sizes[i] >= spec.from && (spec.to == 0 || out.sizes[i] <= spec.to))
                out.sizes[out.count++] = out.sizes[i];
    } else if (spec.kind == DCS_INPUT_LIST) {
        out.sizes = dcs_alloc(spec.count, sizeof *out.sizes);
        out.count = spec.count;
        memcpy(out.sizes, spec.sizes, spec.count * sizeof *out.sizes);
    }
    dcs_input_spec_release(&spec);
    return out;
}

/* Those of a list "a,b,c", if their input is not the default. */
static void add_sized(const struct experiment *x, struct list *all, const char *list,
                      const char *input)
{
    char *copy = dcs_strdup(list), *rest = copy;
    for (char *name; !experiment_is_default_input(input) && (name = strsep(&rest, ",")) != NULL;) {
        name += strspn(name, " ");
        name[strcspn(name, " ")] = '\0';
        all->items = dcs_grow(all->items, &all->capacity, all->count + 1, sizeof *all->items);
        all->items[all->count++] = list_sizes(x, name, input);
    }
    free(copy);
}

struct profile_cache_sized *experiment_sized(const struct experiment *x, size_t *count)
{
    const struct config_workload *w = &x->config->workload;
    const struct config_service *services = w->services.items;
    const struct config_batch *batch = w->batch.items;
    const struct config_colocated *colocated = w->colocated.items;
    struct list all = {0};
    for (size_t i = 0; i < w->services.count; i++)
        add_sized(x, &all, services[i].application, services[i].input);
    for (size_t i = 0; i < w->batch.count; i++)
        add_sized(x, &all, batch[i].application, batch[i].input);
    for (size_t i = 0; i < w->colocated.count; i++) {
        add_sized(x, &all, colocated[i].services, colocated[i].service_input);
        add_sized(x, &all, colocated[i].batch, colocated[i].batch_input);
    }
    *count = all.count;
    return all.items;
}

void experiment_free_sized(struct profile_cache_sized *sized, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(sized[i].app);
        free(sized[i].sizes);
    }
    free(sized);
}
