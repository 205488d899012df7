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
    bool grows;   /* a list may get one more element */
    bool removes; /* null takes a key out */
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
static struct json *walk(const struct options_doc *doc, const struct assignment *set, size_t *depth,
                         struct dcs_err *err)
{
    char found[OPTIONS_FOUND_SIZE];
    struct json *node = doc->root, *next;
    const struct options_step *last = NULL;
    for (*depth = 0; *depth < set->count; ++*depth, node = next) {
        const struct options_step *step = &set->steps[*depth];
        if (!json_is(node, step->key ? JSON_OBJECT : JSON_LIST)) {
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
        size_t size = i == *depth && !step->key ? json_count(node) : 0;
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

/* A value that an assignment makes, empty. */
static struct json *make_node(const struct options_doc *doc, const struct assignment *set,
                              enum json_kind kind)
{
    struct options_place place = {.end = (uint32_t)strlen(set->value),
                                  .source = (uint32_t)(doc->sources_count - 1),
                                  .line = set->line,
                                  .key_line = set->line};
    return json_new(kind, place, NULL);
}

static void set_lines(struct json *node, int line)
{
    node->place.line = node->place.key_line = line;
    for (struct json *child = node->child; child; child = child->next)
        set_lines(child, line);
}

/* The value as a node: JSON if it is JSON, else a string. NULL and err on failure. */
static struct json *make_value(const struct options_doc *doc, const struct assignment *set,
                               struct dcs_err *err)
{
    uint32_t number = (uint32_t)(doc->sources_count - 1);
    const struct options_source *source = &doc->sources[number];
    size_t size = strlen(source->text);
    struct dcs_err ignored = {0};
    struct json *node = options_scan(source->name, source->text, size, number, &ignored);
    if (node) {
        set_lines(node, set->line);
        if (options_check_keys(node, source, set->path, err) == 0)
            return node;
        json_free(node);
        return NULL;
    }
    for (size_t i = 0, length; i < size; i += length) {
        length = dcs_utf8_point(source->text + i, size - i, NULL);
        if (length == 0) {
            set_error(set, &set->steps[set->count - 1], err, "the value is not UTF-8 text");
            return NULL;
        }
    }
    node = make_node(doc, set, JSON_STRING);
    node->text = dcs_strdup(source->text);
    return node;
}

static void attach(struct json *parent, const struct options_step *step, struct json *child)
{
    struct json **end = &parent->child;
    while (*end)
        end = &(*end)->next;
    *end = child;
    if (step->key) {
        child->key = dcs_alloc(step->key_length + 1, 1);
        memcpy(child->key, step->key, step->key_length);
    }
}

/* Puts the content of `from` in the place of the content of `to`, which keeps its key and
 * neighbours. */
static void replace(struct json *to, struct json *from)
{
    struct json old = *to;
    *to = *from;
    to->key = old.key;
    to->next = old.next;
    *from = old;
    from->key = NULL;
    json_free(from);
}

/* "a.b=null": takes the last step's key out of its object. */
static int remove_key(struct options_doc *doc, const struct assignment *set, struct json *removed,
                      struct dcs_err *err)
{
    if (removed == NULL)
        return set_error(set, &set->steps[set->count - 1], err,
                         "is not in the config: null takes out a key that is there");
    struct json *parent = doc->root;
    for (size_t i = 0; i + 1 < set->count; i++)
        parent = options_follow(parent, &set->steps[i]);
    struct json **link = &parent->child;
    while (*link != removed)
        link = &(*link)->next;
    *link = removed->next;
    json_free(removed);
    return 0;
}

/* Carries the assignment out: all of it, or nothing. */
static int assign(struct options_doc *doc, const struct assignment *set, struct dcs_err *err)
{
    size_t depth;
    struct json *node = walk(doc, set, &depth, err);
    if (!node)
        return -1;
    if (set->removes && strcmp(set->value, "null") == 0 && set->steps[set->count - 1].key)
        return remove_key(doc, set, depth == set->count ? node : NULL, err);
    options_add_source(doc, dcs_strdup(set->name), dcs_strdup(set->value));
    struct json *value = make_value(doc, set, err);
    if (!value) {
        struct options_source *source = &doc->sources[--doc->sources_count];
        free(source->name);
        free(source->text);
        return -1;
    }
    /* From the value upwards, so that the document changes in one move at the end. */
    for (size_t i = set->count; i > depth + 1; i--) {
        struct json *parent = make_node(doc, set, set->steps[i - 1].key ? JSON_OBJECT : JSON_LIST);
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
    struct assignment set = {.grows = true, .removes = true};
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
