/* experiment_placement.c - what it is worth to have a service and a batch application together, as
 * workload.colocated says; see experiment_parts.h. */
#include "experiment/experiment_parts.h"

#include <stdlib.h>
#include <string.h>

#define UNIT      1e9
#define WORTH_MAX 1000.0

/* The index in the list of the application whose name is `length` bytes at text; count: none. */
static size_t find_position(const struct experiment *x, const struct app_list *list,
                            const char *text, size_t length)
{
    size_t i = 0;
    for (; i < list->count; i++) {
        const char *name = x->apps[list->apps[i]].name;
        if (strlen(name) == length && strncmp(name, text, length) == 0)
            break;
    }
    return i;
}

/* Takes "SERVICE+BATCH=VALUE" at the beginning of text; returns what follows, NULL and err. Pairs
 * of others are passed over, so that one list serves many experiments. */
static const char *take_pair(const struct experiment *x, const struct app_lists *lists,
                             const char *text, int64_t *value, struct dcs_err *err)
{
    const char *plus = strchr(text, '+'), *equals = strchr(text, '=');
    char *end = NULL;
    double worth = 0;
    if (plus != NULL && equals != NULL && plus < equals)
        worth = strtod(equals + 1, &end);
    if (end == NULL || end == equals + 1 || !(worth >= -WORTH_MAX && worth <= WORTH_MAX) ||
        (*end != ',' && *end != '\0')) {
        dcs_err_set(err,
                    "placement_values: expected SERVICE+BATCH=VALUE,... with values from %g to %g, "
                    "found \"%.60s\"",
                    -WORTH_MAX, WORTH_MAX, text);
        return NULL;
    }
    const struct app_list *services = &lists->of_class[DCS_LATENCY],
                          *batch = &lists->of_class[DCS_BATCH];
    size_t s = find_position(x, services, text, (size_t)(plus - text));
    size_t b = find_position(x, batch, plus + 1, (size_t)(equals - plus - 1));
    if (s < services->count && b < batch->count)
        value[s * batch->count + b] = (int64_t)(worth * UNIT + (worth < 0 ? -0.5 : 0.5));
    return *end == ',' ? end + 1 : end;
}

int64_t *experiment_placement(const struct experiment *x, size_t i, struct dcs_err *err)
{
    const struct config_colocated *c =
        (const struct config_colocated *)x->config->workload.colocated.items + i;
    const struct app_lists *lists = experiment_colocated_lists(x, i);
    const struct app_list *services = &lists->of_class[DCS_LATENCY],
                          *batch = &lists->of_class[DCS_BATCH];
    size_t pairs = services->count * batch->count;
    int64_t *value = dcs_alloc(pairs + 1, sizeof *value);
    for (size_t k = 0; k < pairs; k++)
        value[k] = INT64_MAX;
    const char *at = c->placement_values;
    while (at != NULL && *at != '\0')
        at = take_pair(x, lists, at, value, err);
    for (size_t k = 0; at != NULL && k < pairs; k++)
        if (value[k] == INT64_MAX) {
            dcs_err_set(err, "placement_values lacks the pair %s+%s",
                        x->apps[services->apps[k / batch->count]].name,
                        x->apps[batch->apps[k % batch->count]].name);
            at = NULL;
        }
    if (at != NULL)
        return value;
    free(value);
    return NULL;
}
