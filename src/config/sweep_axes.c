/* sweep_axes.c - see sweep_axes.h. */
#include "config/sweep_axes.h"

#include "des/fmath.h"
#include "options/options_json.h"
#include "text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE_LINEAR, SCALE_LOG };
static const char *const scales[] = {"linear", "log", NULL};

/* What an axis holds beside "values" and "zip". */
struct axis {
    char *key;
    double from, to, step;
    int64_t count;
    int scale;
};

#define FIELD(member) .offset = offsetof(struct axis, member)

static const struct param axis_params[] = {
    {PARAM_STRING, "key", FIELD(key), .text = "",
     .help =
         "Path of the key that the axis sets, as with --set: workload.trem[0].load. Any key but "
         "those that cannot change a result. A section may be set whole, by objects: "
         "policy, with its options."},
    {PARAM_REAL, "from", FIELD(from), .help = "First value of a range."},
    {PARAM_REAL, "to", FIELD(to),
     .help = "Last value; with step, the last one is at or before it."},
    {PARAM_REAL, "step", FIELD(step), .help = "From one value to the next; either it or count."},
    {PARAM_INT, "count", FIELD(count), .low = 1, .high = SWEEP_VALUES_MAX, .number = 1,
     .help = "How many values, the first at from and the last at to."},
    {PARAM_CHOICE, "scale", FIELD(scale), .choices = scales,
     .help = "log: each value is the same multiple of the one before (with count)."},
    {0},
};
static const char *const axis_skip[] = {"values", "zip", NULL};

/* In the middle of reading. */
struct reader {
    const struct options_doc *doc;
    struct sweep_axes *axes;
    struct dcs_err *err;
};

/* ---- Values ---- */

/* The text of a value without the white space between its parts. */
static char *compact(const char *text, size_t length)
{
    char *out = dcs_alloc(length + 1, 1);
    size_t n = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        if (!quoted && strchr(" \t\r\n", text[i]) != NULL)
            continue;
        if (quoted && text[i] == '\\')
            out[n++] = text[i++];
        else if (text[i] == '"')
            quoted = !quoted;
        out[n++] = text[i];
    }
    out[n] = '\0';
    return out;
}

static int read_list(const struct reader *r, const char *place, struct sweep_value **out,
                     size_t *count)
{
    char path[sizeof((struct sweep_key *)0)->place + 8], found[OPTIONS_FOUND_SIZE];
    snprintf(path, sizeof path, "%s.values", place);
    const struct json *list = options_find(r->doc, path, NULL);
    if (!json_is(list, JSON_LIST) || list->child == NULL)
        return options_error(r->doc, path, r->err, "expected a list of values, found %s",
                             json_is(list, JSON_LIST) ? "an empty one"
                                                      : options_found(r->doc, list, found));
    size_t n = 0, wanted = json_count(list);
    if (wanted > SWEEP_VALUES_MAX)
        return options_error(r->doc, path, r->err, "%zu values; an axis has at most %d", wanted,
                             SWEEP_VALUES_MAX);
    struct sweep_value *values = dcs_alloc(wanted, sizeof *values);
    for (const struct json *child = list->child; child != NULL; child = child->next) {
        const struct options_place *p = &child->place;
        const char *text = r->doc->sources[p->source].text;
        values[n].text = compact(text + p->start, p->end - p->start);
        values[n++].line = p->line;
    }
    *out = values;
    *count = wanted;
    return 0;
}

/* As a person would write it: see the top of sweep_axes.h. */
static char *number_text(double value)
{
    char text[NUMBER_SIZE];
    number_write_real(number_round_real(value), text);
    return dcs_strdup(text);
}

static double range_value(const struct axis *a, bool stepped, size_t i, size_t count)
{
    if (stepped)
        return a->from + (double)i * a->step;
    if (i + 1 == count && i > 0)
        return a->to;
    double share = count > 1 ? (double)i / (double)(count - 1) : 0;
    if (a->scale == SCALE_LOG)
        return i == 0 ? a->from : a->from * dcs_exp(share * dcs_log(a->to / a->from));
    return a->from + share * (a->to - a->from);
}

static int check_range(const struct reader *r, const char *place, const struct axis *a,
                       size_t *count)
{
    char path[96];
    snprintf(path, sizeof path, "%s.step", place);
    bool stepped = options_has(r->doc, path);
    snprintf(path, sizeof path, "%s.count", place);
    bool counted = options_has(r->doc, path);
    if (stepped == counted)
        return options_error(r->doc, place, r->err,
                             "a range has from and to, and either step or count");
    if (a->scale == SCALE_LOG && (stepped || a->from <= 0 || a->to <= 0))
        return options_error(r->doc, place, r->err,
                             stepped ? "a log scale has a count, not a step"
                                     : "a log scale goes between numbers above 0");
    *count = (size_t)a->count;
    if (counted && a->count == 1 && a->from != a->to)
        return options_error(r->doc, path, r->err, "must be 2 or more: from and to differ");
    if (counted)
        return 0;
    snprintf(path, sizeof path, "%s.step", place);
    if (a->step == 0 || (a->to - a->from) / a->step < 0)
        return options_error(r->doc, path, r->err, "does not lead from %g to %g", a->from, a->to);
    /* So that 0.1, 0.2, ... reaches 1 however 0.1 was rounded. */
    double steps = floor((a->to - a->from) / a->step * (1 + 1e-12) + 1e-9);
    if (steps >= SWEEP_VALUES_MAX)
        return options_error(r->doc, path, r->err, "%.0f values; an axis has at most %d", steps + 1,
                             SWEEP_VALUES_MAX);
    *count = (size_t)steps + 1;
    return 0;
}

static int read_range(const struct reader *r, const char *place, const struct axis *a,
                      struct sweep_value **out, size_t *count)
{
    char path[96];
    const char *const ends[] = {"from", "to"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s.%s", place, ends[i]);
        if (!options_has(r->doc, path))
            return options_error(r->doc, place, r->err,
                                 "an axis has values, or from, to and step or count, or zip");
    }
    if (check_range(r, place, a, count) != 0)
        return -1;
    snprintf(path, sizeof path, "%s.step", place);
    bool stepped = options_has(r->doc, path);
    int line = options_find(r->doc, place, NULL)->place.line;
    *out = dcs_alloc(*count, sizeof **out);
    for (size_t i = 0; i < *count; i++)
        (*out)[i] = (struct sweep_value){number_text(range_value(a, stepped, i, *count)), line};
    return 0;
}

/* ---- Axes ---- */

/* Such keys do not name another experiment, so the points of an axis would all be the same one. */
static bool is_idle(const char *path)
{
    static const char *const idle[] = {"name", "description", "outputs", "replications", NULL};
    size_t length = strcspn(path, ".[");
    for (size_t i = 0; idle[i] != NULL; i++)
        if (strlen(idle[i]) == length && memcmp(idle[i], path, length) == 0)
            return true;
    return false;
}

/* Whether `inner` is `outer` or lies inside it. */
static bool is_within(const char *inner, const char *outer)
{
    size_t length = strlen(outer);
    return strncmp(inner, outer, length) == 0 && strchr(".[", inner[length]) != NULL;
}

static int check_key(const struct reader *r, const char *place, const char *key)
{
    char path[96];
    snprintf(path, sizeof path, "%s.key", place);
    if (key[0] == '\0')
        return options_error(r->doc, place, r->err,
                             "missing key \"key\" (a string: which key of the config the axis "
                             "sets, like workload.trem[0].load)");
    if (is_idle(key))
        return options_error(r->doc, path, r->err,
                             "\"%.64s\" cannot change a result: all points would be the same", key);
    if (is_within(key, "sweep"))
        return options_error(r->doc, path, r->err, "a sweep does not hold another");
    for (size_t i = 0; i < r->axes->keys_count; i++) {
        const char *other = r->axes->keys[i].path;
        if (is_within(key, other) && key[strlen(other)] == '\0')
            return options_error(r->doc, path, r->err, "\"%.64s\" is the key of %s already", key,
                                 r->axes->keys[i].place);
        if (is_within(other, key))
            return options_error(r->doc, path, r->err,
                                 "\"%.64s\" would replace what %s sets; put it before that axis",
                                 key, r->axes->keys[i].place);
    }
    return 0;
}

static void add_key(struct sweep_axes *axes, const char *path, const char *place,
                    struct sweep_value *values, size_t count, size_t axis)
{
    axes->keys =
        dcs_grow(axes->keys, &axes->keys_capacity, axes->keys_count + 1, sizeof *axes->keys);
    struct sweep_key *k = &axes->keys[axes->keys_count++];
    *k = (struct sweep_key){
        .path = dcs_strdup(path), .values = values, .count = count, .axis = axis};
    snprintf(k->place, sizeof k->place, "%s", place);
}

/* One key with its values, which belongs to axis number `axis`. */
static int read_key(const struct reader *r, const char *place, size_t axis, size_t *count)
{
    char path[96];
    struct axis a = {0};
    struct sweep_value *values = NULL;
    if (options_parse(r->doc, place, axis_params, axis_skip, &a, r->err) != 0)
        return -1;
    int result = check_key(r, place, a.key);
    snprintf(path, sizeof path, "%s.values", place);
    if (result == 0 && options_has(r->doc, path)) {
        static const char *const range[] = {"from", "to", "step", "count", "scale"};
        for (size_t i = 0; i < sizeof range / sizeof range[0] && result == 0; i++) {
            char given[96];
            snprintf(given, sizeof given, "%s.%s", place, range[i]);
            if (options_has(r->doc, given))
                result = options_error(r->doc, given, r->err,
                                       "the values are listed: leave it out, or the list");
        }
        if (result == 0)
            result = read_list(r, place, &values, count);
    } else if (result == 0) {
        result = read_range(r, place, &a, &values, count);
    }
    if (values != NULL) {
        add_key(r->axes, a.key, place, values, *count, axis);
        r->axes->lengths[axis] = *count;
    }
    options_release(axis_params, sizeof a, &a);
    return result;
}

/* Axes that move together. */
static int read_zip(const struct reader *r, const char *place, size_t axis)
{
    char path[80], found[OPTIONS_FOUND_SIZE];
    const struct json *node = options_find(r->doc, place, NULL);
    const struct json *zip = options_member(node, "zip", 3);
    if (json_count(node) != 1)
        return options_error(r->doc, place, r->err,
                             "beside zip there is nothing else: keys and values are in its axes");
    if (!json_is(zip, JSON_LIST) || json_count(zip) < 2)
        return options_error(r->doc, place, r->err, "zip is a list of two axes or more, found %s",
                             json_is(zip, JSON_LIST) ? "fewer" : options_found(r->doc, zip, found));
    size_t first = 0, count = 0, size = json_count(zip);
    for (size_t i = 0; i < size; i++) {
        snprintf(path, sizeof path, "%s.zip[%zu]", place, i);
        const struct json *inner = options_find(r->doc, path, NULL);
        if (json_is(inner, JSON_OBJECT) && options_member(inner, "zip", 3) != NULL)
            return options_error(r->doc, path, r->err, "a zip does not hold another");
        if (read_key(r, path, axis, &count) != 0)
            return -1;
        if (i == 0)
            first = count;
        if (count != first)
            return options_error(r->doc, path, r->err,
                                 "has %zu value%s, the first of the zipped axes has %zu", count,
                                 dcs_plural(count), first);
    }
    return 0;
}

/* A place on an axis: what all keys of the axis, the first of them here, are set to there. */
struct place {
    const struct sweep_key *keys;
    size_t count, i;
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    int order = 0;
    for (size_t k = 0; k < a->count && order == 0; k++)
        order = strcmp(a->keys[k].values[a->i].text, a->keys[k].values[b->i].text);
    return order;
}

/* Two equal places would be two equal points. */
static int check_different(const struct reader *r, const char *at, size_t axis)
{
    const struct sweep_axes *axes = r->axes;
    size_t first = axes->keys_count, count = axes->lengths[axis];
    while (first > 0 && axes->keys[first - 1].axis == axis)
        first--;
    struct place *sorted = dcs_alloc(count, sizeof sorted[0]);
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct place){&axes->keys[first], axes->keys_count - first, i};
    qsort(sorted, count, sizeof sorted[0], compare_places);
    int result = 0;
    for (size_t i = 1; i < count && result == 0; i++)
        if (compare_places(&sorted[i - 1], &sorted[i]) == 0)
            result = options_error(r->doc, at, r->err, "the value %.64s%s is there twice",
                                   axes->keys[first].values[sorted[i].i].text,
                                   sorted[i].count > 1 ? ", with the same of the others," : "");
    free(sorted);
    return result;
}

static int read_axis(const struct reader *r, size_t i)
{
    char place[40];
    size_t count = 0;
    struct sweep_axes *axes = r->axes;
    snprintf(place, sizeof place, "sweep.axes[%zu]", i);
    axes->lengths = dcs_grow(axes->lengths, &axes->axes_capacity, axes->axes_count + 1,
                             sizeof axes->lengths[0]);
    size_t axis = axes->axes_count++;
    const struct json *node = options_find(r->doc, place, NULL);
    bool zipped = json_is(node, JSON_OBJECT) && options_member(node, "zip", 3) != NULL;
    if ((zipped ? read_zip(r, place, axis) : read_key(r, place, axis, &count)) != 0 ||
        check_different(r, place, axis) != 0)
        return -1;
    axes->points *= axes->lengths[axis];
    if (axes->points > SWEEP_POINTS_MAX)
        return options_error(r->doc, place, r->err,
                             "more than %" PRIu64 " points, the most that a sweep has",
                             SWEEP_POINTS_MAX);
    return 0;
}

/* "axes" is no row of a table: what it holds is not of one shape. */
static const struct param sweep_params[] = {{0}};
static const char *const sweep_skip[] = {"axes", NULL};

int sweep_axes_read(const struct options_doc *doc, struct sweep_axes *out, struct dcs_err *err)
{
    char none, found[OPTIONS_FOUND_SIZE];
    *out = (struct sweep_axes){.points = 1};
    if (!options_has(doc, "sweep"))
        return 0;
    if (options_parse(doc, "sweep", sweep_params, sweep_skip, &none, err) != 0)
        return -1;
    const struct json *list = options_find(doc, "sweep.axes", NULL);
    if (!json_is(list, JSON_LIST) || list->child == NULL)
        return options_error(doc, list != NULL ? "sweep.axes" : "sweep", err,
                             "expected \"axes\", a list of one axis or more, found %s",
                             list == NULL               ? "none"
                             : json_is(list, JSON_LIST) ? "an empty one"
                                                        : options_found(doc, list, found));
    const struct reader r = {doc, out, err};
    size_t size = json_count(list);
    for (size_t i = 0; i < size; i++)
        if (read_axis(&r, i) != 0) {
            sweep_axes_release(out);
            return -1;
        }
    return 0;
}

void sweep_axes_release(struct sweep_axes *a)
{
    for (size_t i = 0; i < a->keys_count; i++) {
        for (size_t k = 0; k < a->keys[i].count; k++)
            free(a->keys[i].values[k].text);
        free(a->keys[i].values);
        free(a->keys[i].path);
    }
    free(a->keys);
    free(a->lengths);
    *a = (struct sweep_axes){0};
}

/* ---- Points ---- */

size_t sweep_axes_index(const struct sweep_axes *a, uint64_t point, size_t axis)
{
    for (size_t i = a->axes_count; i > axis + 1; i--)
        point /= a->lengths[i - 1];
    return point % a->lengths[axis];
}

const struct sweep_value *sweep_axes_value(const struct sweep_axes *a, uint64_t point, size_t key)
{
    return &a->keys[key].values[sweep_axes_index(a, point, a->keys[key].axis)];
}

struct options_doc *sweep_axes_point(const struct options_doc *doc, const struct sweep_axes *a,
                                     uint64_t point, struct dcs_err *err)
{
    DCS_ASSERT(point < a->points);
    struct options_doc *copy = options_doc_copy(doc, "sweep");
    for (size_t i = 0; i < a->keys_count; i++) {
        const struct sweep_value *v = sweep_axes_value(a, point, i);
        if (options_put(copy, a->keys[i].path, v->text, v->line, err) != 0) {
            options_doc_free(copy);
            return NULL;
        }
    }
    return copy;
}

void sweep_axes_document(struct text_buffer *out)
{
    text_append(
        out,
        "\n# Sweeps\n\n"
        "`sweep.axes` is a list of axes. Each point of their product is an experiment: the "
        "config without\n`sweep`, with one value of each axis in place "
        "([sweeps.md](sweeps.md)). An axis is one of\n\n"
        "- `{\"key\": ..., \"values\": [...]}`: a list of values, objects and lists included;\n"
        "- `{\"key\": ..., \"from\": ..., \"to\": ..., \"step\": ...}` or `\"count\"`: a "
        "range;\n"
        "- `{\"zip\": [axis, axis, ...]}`: axes of the same length that move together.\n\n");
    options_document(out, "sweep.axes[]", axis_params);
}

void sweep_axes_schema(struct text_buffer *out)
{
    struct text_buffer axis = {0};
    text_append(&axis, "{\"allOf\": [{");
    options_schema(&axis, axis_params,
                   "\"values\": {\"type\": \"array\", \"minItems\": 1, \"maxItems\": 1000000,"
                   " \"description\": \"The values of a list, of any kind.\"}");
    text_append(&axis, "}, {\"required\": [\"key\"], \"oneOf\": [{\"required\": [\"values\"]}, "
                       "{\"required\": [\"from\", \"to\", \"step\"]}, "
                       "{\"required\": [\"from\", \"to\", \"count\"]}]}]}");
    text_append(
        out,
        "\"type\": \"object\", \"required\": [\"axes\"], \"additionalProperties\": false,\n"
        "\"patternProperties\": {\"^_\": {}}, \"properties\": {\"axes\": {\"type\": \"array\", "
        "\"minItems\": 1, \"items\": {\"if\": {\"required\": [\"zip\"]},\n"
        "\"then\": {\"type\": \"object\", \"maxProperties\": 1, \"properties\": {\"zip\": "
        "{\"type\": \"array\", \"minItems\": 2, \"items\":\n%s}}},\n"
        "\"else\": %s}}}",
        axis.text, axis.text);
    free(axis.text);
}
