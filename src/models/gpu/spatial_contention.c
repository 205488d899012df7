/*
 * spatial_contention.c - the tables of the contention model, read and checked. See spatial_load.h.
 */
#include "models/gpu/spatial_read.h"

#include <stdlib.h>
#include <string.h>

/* Queues are shorter (contention_solve.c): a hinge beyond would never count. */
#define LEVEL_MAX    399
#define WEIGHT_MAX   1e6
#define SLOWDOWN_MIN 1
#define SLOWDOWN_MAX 1e6
#define PRESSURE_END (1 - 1e-9) /* near 1 a queue has no end */

struct reader {
    struct dcs_spatial *s;
    struct spatial_rows *out;
    struct dcs_rows *rows;
    spatial_which_shape *which;
    void *context; /* of which */
    bool hinge_seen[DCS_RESOURCES_MAX][DCS_HINGES_MAX];
};

/* ---- resources ---- */

static int take_resource(void *context)
{
    struct reader *r = context;
    struct dcs_resource *resources = r->s->resources;
    int64_t position = 0;
    const char *name = dcs_rows_name(r->rows, 0);
    if (name == NULL || dcs_rows_integer(r->rows, 1, 0, INT32_MAX, &position) != 0 ||
        dcs_rows_check_text(r->rows, 2) != 0)
        return -1;
    if (position >= DCS_RESOURCES_MAX)
        return dcs_rows_bad_value(r->rows, 1, "0 or 1: at most two resources are solved");
    for (uint32_t i = 0; i < DCS_RESOURCES_MAX; i++)
        if (resources[i].name != NULL && strcmp(resources[i].name, name) == 0)
            return dcs_rows_bad_value(r->rows, 0, "each name once");
    if (resources[position].name != NULL)
        return dcs_rows_bad_value(r->rows, 1, "each position once");
    resources[position].name = dcs_strdup(name);
    r->s->resources_count++;
    return 0;
}

static int read_resource(struct reader *r, int column, uint32_t *resource)
{
    const char *name = dcs_rows_name(r->rows, column);
    if (name == NULL)
        return -1;
    for (*resource = 0; *resource < DCS_RESOURCES_MAX; ++*resource) {
        const char *known = r->s->resources[*resource].name;
        if (known != NULL && strcmp(known, name) == 0)
            return 0;
    }
    return dcs_rows_bad_value(r->rows, column, "a name that the table contention_resource has");
}

static int take_hinge(void *context)
{
    struct reader *r = context;
    uint32_t resource = 0;
    int64_t position = 0;
    double level = 0;
    if (read_resource(r, 0, &resource) != 0 ||
        dcs_rows_integer(r->rows, 1, 0, DCS_HINGES_MAX - 1, &position) != 0 ||
        dcs_rows_real(r->rows, 2, 0, LEVEL_MAX, &level) != 0)
        return -1;
    if (r->hinge_seen[resource][position])
        return dcs_rows_bad_value(r->rows, 1, "each position of a resource once");
    r->hinge_seen[resource][position] = true;
    r->s->resources[resource].level[position] = level;
    r->s->resources[resource].hinges++;
    return 0;
}

static int refuse_resource(struct reader *r, const char *place, const char *text, const char *name)
{
    return dcs_err_at(r->rows->err, r->rows->file, 0, place, text, name);
}

static int check_resources(struct reader *r)
{
    for (uint32_t i = 0; i < r->s->resources_count; i++) {
        const struct dcs_resource *resource = &r->s->resources[i];
        if (resource->name == NULL)
            return refuse_resource(r, "contention_resource.position",
                                   "expected that \"%s\", the only one, has position 0",
                                   r->s->resources[1].name);
        if (resource->hinges == 0)
            return refuse_resource(r, "contention_hinge",
                                   "expected at least one hinge of \"%s\", found none",
                                   resource->name);
        for (uint32_t k = 0; k < resource->hinges; k++) {
            if (!r->hinge_seen[i][k])
                return refuse_resource(r, "contention_hinge.position",
                                       "expected the hinges of \"%s\" at 0, 1, ..., each once",
                                       resource->name);
            if (k > 0 && resource->level[k] <= resource->level[k - 1])
                return refuse_resource(
                    r, "contention_hinge.level",
                    "expected that it rises from each hinge of \"%s\" to the next", resource->name);
        }
    }
    return 0;
}

/* ---- kernels ---- */

/* Columns 0 to 4. 1: a shape that a request has, 0: another, -1: err. */
static int read_press_key(struct reader *r, struct spatial_press *press)
{
    int64_t sms = 0;
    int status = r->which(r->context, &press->shape);
    if (status < 0 || dcs_rows_integer(r->rows, 3, 1, r->s->sms, &sms) != 0 ||
        read_resource(r, 4, &press->resource) != 0)
        return -1;
    press->sms = (uint32_t)sms;
    return status;
}

static int take_press(void *context)
{
    struct reader *r = context;
    struct spatial_press press = {0};
    int status = read_press_key(r, &press);
    if (status < 0 || dcs_rows_real(r->rows, 5, 0, 1, &press.pressure) != 0)
        return -1;
    if (press.pressure >= PRESSURE_END)
        return dcs_rows_bad_value(r->rows, 5, "a number from 0 to below 1 - 1e-9");
    if (dcs_rows_check_text(r->rows, 6) != 0)
        return -1;
    const char *source = dcs_rows_text(r->rows, 6);
    press.guessed = source != NULL && strncmp(source, "like ", 5) == 0;
    if (status == 0)
        return 0;
    struct spatial_rows *out = r->out;
    out->presses = dcs_grow(out->presses, &out->presses_capacity, out->presses_count + 1,
                            sizeof *out->presses);
    out->presses[out->presses_count++] = press;
    return 0;
}

static int compare_presses(const void *a, const void *b)
{
    const struct spatial_press *x = a, *y = b;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    if (x->resource != y->resource)
        return x->resource < y->resource ? -1 : 1;
    return (x->sms > y->sms) - (x->sms < y->sms);
}

static int sort_presses(struct reader *r)
{
    struct spatial_rows *out = r->out;
    if (out->presses_count > 0)
        qsort(out->presses, out->presses_count, sizeof *out->presses, compare_presses);
    for (size_t i = 1; i < out->presses_count; i++)
        if (compare_presses(&out->presses[i - 1], &out->presses[i]) == 0)
            return dcs_err_at(r->rows->err, r->rows->file, 0, "contention_kernel",
                              "expected each number of SMs once, found %u of \"%s\" twice",
                              out->presses[i].sms, r->s->shapes[out->presses[i].shape].name);
    return 0;
}

static int take_weight(void *context)
{
    struct reader *r = context;
    struct spatial_press key = {0};
    int64_t position = 0;
    double weight = 0;
    int status = read_press_key(r, &key);
    if (status < 0 || dcs_rows_integer(r->rows, 5, 0, DCS_HINGES_MAX - 1, &position) != 0 ||
        dcs_rows_real(r->rows, 6, 0, WEIGHT_MAX, &weight) != 0)
        return -1;
    if (position >= r->s->resources[key.resource].hinges)
        return dcs_rows_bad_value(r->rows, 5, "a hinge that the table contention_hinge has");
    if (status == 0)
        return 0;
    struct spatial_press *press = NULL;
    if (r->out->presses_count > 0)
        press =
            bsearch(&key, r->out->presses, r->out->presses_count, sizeof *press, compare_presses);
    if (press == NULL)
        return dcs_rows_bad_value(
            r->rows, 3, "a number of SMs at which contention_kernel has the kernel and resource");
    if ((press->weights_seen & 1u << position) != 0)
        return dcs_rows_bad_value(r->rows, 5, "each hinge of a kernel, SMs and resource once");
    press->weights_seen |= 1u << position;
    press->weight[position] = weight;
    return 0;
}

/* ---- how far measurements reach ---- */

static bool has_press(const struct reader *r, const struct spatial_range *range)
{
    struct spatial_press key = {.shape = range->shape, .sms = range->sms};
    const struct spatial_rows *out = r->out;
    for (; out->presses_count > 0 && key.resource < r->s->resources_count; key.resource++)
        if (bsearch(&key, out->presses, out->presses_count, sizeof key, compare_presses) != NULL)
            return true;
    return false;
}

static int take_range(void *context)
{
    struct reader *r = context;
    struct spatial_range range = {0};
    int64_t sms = 0;
    int status = r->which(r->context, &range.shape);
    if (status < 0 || dcs_rows_integer(r->rows, 3, 1, r->s->sms, &sms) != 0 ||
        dcs_rows_real(r->rows, 4, SLOWDOWN_MIN, SLOWDOWN_MAX, &range.slowdown) != 0)
        return -1;
    if (status == 0)
        return 0;
    range.sms = (uint32_t)sms;
    if (!has_press(r, &range))
        return dcs_rows_bad_value(r->rows, 3,
                                  "a number of SMs at which contention_kernel has the kernel");
    struct spatial_rows *out = r->out;
    out->ranges =
        dcs_grow(out->ranges, &out->ranges_capacity, out->ranges_count + 1, sizeof *out->ranges);
    out->ranges[out->ranges_count++] = range;
    return 0;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct spatial_range *x = a, *y = b;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return (x->sms > y->sms) - (x->sms < y->sms);
}

static int sort_ranges(struct reader *r)
{
    struct spatial_rows *out = r->out;
    if (out->ranges_count > 0)
        qsort(out->ranges, out->ranges_count, sizeof *out->ranges, compare_ranges);
    for (size_t i = 1; i < out->ranges_count; i++)
        if (compare_ranges(&out->ranges[i - 1], &out->ranges[i]) == 0)
            return dcs_err_at(r->rows->err, r->rows->file, 0, "contention_range",
                              "expected each number of SMs once, found %u of \"%s\" twice",
                              out->ranges[i].sms, r->s->shapes[out->ranges[i].shape].name);
    return 0;
}

/* ---- the whole ---- */

int dcs_spatial_read_contention(struct dcs_spatial *s, struct spatial_rows *out,
                                struct dcs_rows *rows, spatial_which_shape *which, void *context)
{
    struct reader r = {.s = s, .out = out, .rows = rows, .which = which, .context = context};
    if (dcs_rows_each_if_there(rows, "contention_resource",
                               "SELECT name, position, source FROM contention_resource",
                               take_resource, &r) != 0 ||
        dcs_rows_each_if_there(rows, "contention_hinge",
                               "SELECT resource, position, level FROM contention_hinge", take_hinge,
                               &r) != 0 ||
        check_resources(&r) != 0 ||
        dcs_rows_each_if_there(rows, "contention_kernel",
                               "SELECT application, size, kernel, sms, resource, pressure, source"
                               " FROM contention_kernel",
                               take_press, &r) != 0 ||
        sort_presses(&r) != 0)
        return -1;
    if (dcs_rows_each_if_there(rows, "contention_weight",
                               "SELECT application, size, kernel, sms, resource, position, weight"
                               " FROM contention_weight",
                               take_weight, &r) != 0 ||
        dcs_rows_each_if_there(rows, "contention_range",
                               "SELECT application, size, kernel, sms, slowdown"
                               " FROM contention_range",
                               take_range, &r) != 0)
        return -1;
    return sort_ranges(&r);
}
