/*
 * options_set.c - "a.b[2].c=value" over a document; see options_set and options_put in options.h.
 *
 * Everything is checked before the document changes, and it changes in one move: a refused
 * assignment leaves it as it was. What an assignment brings in has its text as its place, so that a
 * later error names it.
 */
#include "des/utf8.h"
#include "options/options_json.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A path here is no deeper than this: trees are walked by recursion. */
#define MAX_STEPS 64

struct assignment {
    char *name; /* "--set a.b=1" or a file, the place of its errors */
    int line;   /* there; 0: it has none */
    char *path; /* "a.b" */
    char *value;
    struct options_step steps[MAX_STEPS];
    size_t count;
    bool grows; /* a list may get one more element */
};

static int set_error(const struct assignment *set, const struct options_step *until,
                     struct dcs_err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fails with the path up to and including step `until` (NULL: the root). */
static int set_error(const struct assignment *set, const struct options_step *until,
                     struct dcs_err *err, const char *format, ...)
{
    char path[sizeof err->path] = "", text[sizeof err->text];
    va_list args;
    if (until)
        snprintf(path, sizeof path, "%.*s", (int)(until->end - set->path), set->path);
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return dcs_err_at(err, set->name, set->line, path, "%s", text);
}

static int read_path(struct assignment *set, struct dcs_err *err)
{
    const char *bad = NULL;
    for (const char *at = set->path; at;) {
        struct options_step step;
        at = options_next_step(at, set->count == 0, &step, &bad);
        if (bad)
            return dcs_err_at(err, set->name, set->line, set->path, "%s (a path is like a.b[2].c)",
                              bad);
        if (at && set->count == MAX_STEPS)
            return dcs_err_at(err, set->name, set->line, NULL,
                              "expected a path of at most %d steps", MAX_STEPS);
        if (at)
            set->steps[set->count++] = step;
    }
    return 0;
}

static int read_assignment(const char *text, struct assignment *set, struct dcs_err *err)
{
    const char *equals = strchr(text, '=');
    struct text_buffer name = {0};
    text_append(&name, "--set %s", text);
    set->name = name.text;
    if (!equals)
        return dcs_err_at(err, set->name, 0, NULL,
                          "expected KEY=VALUE, like horizon.duration_s=60");
    if (name.length > INT_MAX / 2)
        return dcs_err_at(err, set->name, 0, NULL, "is too long");
    set->path = dcs_strdup(text);
    set->path[equals - text] = '\0';
    set->value = dcs_strdup(equals + 1);
    return read_path(set, err);
}

/* Goes as far as the document reaches. Returns the node there, and in *depth how many steps were
 * gone, after checking that the remaining ones can be made; NULL and err if not. Nothing is
 * changed. */
static cJSON *walk(const struct options_doc *doc, const struct assignment *set, size_t *depth,
                   struct dcs_err *err)
{
    char found[OPTIONS_FOUND_SIZE];
    cJSON *node = doc->root, *next;
    const struct options_step *last = NULL;
    for (*depth = 0; *depth < set->count; ++*depth, node = next) {
        const struct options_step *step = &set->steps[*depth];
        if (step->key ? !cJSON_IsObject(node) : !cJSON_IsArray(node)) {
            set_error(set, last, err, "expected %s, found %s", step->key ? "an object" : "a list",
                      options_found(doc, node, found));
            return NULL;
        }
        next = options_follow(node, step);
        if (!next)
            break;
        last = step;
    }
    for (size_t i = *depth; i < set->count; i++) {
        const struct options_step *step = &set->steps[i];
        size_t size = i == *depth && !step->key ? (size_t)cJSON_GetArraySize(node) : 0;
        if (!step->key && !set->grows) {
            set_error(set, step, err, "the list has %zu element%s, and none is added here", size,
                      dcs_plural(size));
            return NULL;
        }
        if (!step->key && step->index != size) {
            set_error(set, step, err,
                      "the list has %zu element%s: expected an index up to [%zu], the next one",
                      size, dcs_plural(size), size);
            return NULL;
        }
    }
    return node;
}

/* A new place for something that --set makes. */
static int made_place(struct options_doc *doc, const struct assignment *set)
{
    struct options_places *places = &doc->places;
    places->items =
        dcs_grow(places->items, &places->capacity, places->count + 1, sizeof places->items[0]);
    places->items[places->count] =
        (struct options_place){.end = (uint32_t)strlen(set->value),
                               .source = (uint32_t)(doc->sources_count - 1),
                               .line = set->line,
                               .key_line = set->line};
    return (int)places->count++;
}

static cJSON *made(struct options_doc *doc, cJSON *node, const struct assignment *set)
{
    DCS_ASSERT(node); /* cJSON has no memory left, for a few bytes */
    node->valueint = made_place(doc, set);
    return node;
}

/* The value as a node: JSON if it is JSON, else a string. NULL and err on failure. */
static cJSON *make_value(struct options_doc *doc, const struct assignment *set, struct dcs_err *err)
{
    struct options_source *source = &doc->sources[doc->sources_count - 1];
    size_t first = doc->places.count, size = strlen(source->text);
    struct dcs_err ignored = {0};
    if (options_scan(source->name, source->text, size, (uint32_t)(doc->sources_count - 1),
                     &doc->places, &ignored) == 0) {
        for (size_t i = first; i < doc->places.count; i++)
            doc->places.items[i].line = doc->places.items[i].key_line = set->line;
        return options_build(doc, source, first, set->path, err);
    }
    doc->places.count = first;
    for (size_t i = 0, length; i < size; i += length) {
        length = dcs_utf8_point(source->text + i, size - i, NULL);
        if (length == 0) {
            set_error(set, &set->steps[set->count - 1], err, "the value is not UTF-8 text");
            return NULL;
        }
    }
    return made(doc, cJSON_CreateString(source->text), set);
}

static void attach(cJSON *parent, const struct options_step *step, cJSON *child)
{
    bool attached;
    if (step->key) {
        char *key = dcs_alloc(step->key_length + 1, 1);
        memcpy(key, step->key, step->key_length);
        attached = cJSON_AddItemToObject(parent, key, child);
        free(key);
    } else {
        attached = cJSON_AddItemToArray(parent, child);
    }
    DCS_ASSERT(attached);
}

/* Puts the content of `from` in the place of the content of `to`, which keeps its key and
 * neighbours. */
static void replace(cJSON *to, cJSON *from)
{
    cJSON old = *to;
    to->child = from->child;
    to->type = from->type;
    to->valuestring = from->valuestring;
    to->valueint = from->valueint;
    to->valuedouble = from->valuedouble;
    from->child = old.child;
    from->type = old.type;
    from->valuestring = old.valuestring;
    cJSON_Delete(from);
}

/* Carries the assignment out: all of it, or nothing. */
static int assign(struct options_doc *doc, const struct assignment *set, struct dcs_err *err)
{
    size_t depth, places = doc->places.count;
    cJSON *node = walk(doc, set, &depth, err);
    if (!node)
        return -1;
    options_add_source(doc, dcs_strdup(set->name), dcs_strdup(set->value));
    cJSON *value = make_value(doc, set, err);
    if (!value) {
        struct options_source *source = &doc->sources[--doc->sources_count];
        free(source->name);
        free(source->text);
        doc->places.count = places;
        return -1;
    }
    /* From the value upwards, so that the document changes in one move at the end. */
    for (size_t i = set->count; i > depth + 1; i--) {
        cJSON *parent = set->steps[i - 1].key ? cJSON_CreateObject() : cJSON_CreateArray();
        made(doc, parent, set);
        attach(parent, &set->steps[i - 1], value);
        value = parent;
    }
    if (depth == set->count)
        replace(node, value);
    else
        attach(node, &set->steps[depth], value);
    return 0;
}

static int finish(struct options_doc *doc, struct assignment *set, int result, struct dcs_err *err)
{
    if (result == 0)
        result = assign(doc, set, err);
    free(set->name);
    free(set->path);
    free(set->value);
    return result;
}

int options_set(struct options_doc *doc, const char *assignment, struct dcs_err *err)
{
    struct assignment set = {.grows = true};
    return finish(doc, &set, read_assignment(assignment, &set, err), err);
}

int options_put(struct options_doc *doc, const char *path, const char *value, int line,
                struct dcs_err *err)
{
    struct assignment set = {.name = dcs_strdup(options_doc_name(doc)),
                             .line = line,
                             .path = dcs_strdup(path),
                             .value = dcs_strdup(value)};
    return finish(doc, &set, read_path(&set, err), err);
}
