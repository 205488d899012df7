/*
 * options_json.h - the inside of a config document: a tree of values that know where they stood.
 *
 * options_scan.c reads JSON text strictly and makes the tree, options_json.c loads documents and
 * finds values in them, options_set.c changes them. For options*.c, and for what reads a section of
 * a config that no table describes.
 */
#ifndef DCS_OPTIONS_JSON_H
#define DCS_OPTIONS_JSON_H

#include "options/options.h"

#define OPTIONS_MAX_BYTES  ((size_t)64 << 20)
#define OPTIONS_MAX_DEPTH  1000     /* trees are walked by recursion */
#define OPTIONS_MAX_VALUES 4000000u /* about 100 bytes of memory each */

struct options_place {
    uint32_t start, end; /* the value's bytes in its source */
    uint32_t source;
    int line;     /* of the value's first byte; 0 in sources without lines */
    int key_line; /* of its key; as `line` for list elements */
};

enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_LIST,
    JSON_OBJECT,
};

/* A value. It owns its key, its text and what is below it. */
struct json {
    enum json_kind kind;
    struct options_place place;
    char *key;                 /* of a member of an object; else NULL */
    char *text;                /* of a string */
    double number;             /* of a boolean: 0 or 1 */
    struct json *child, *next; /* the first one of a list or object; its neighbour */
};

/* The file, or one --set. */
struct options_source {
    char *name;
    char *text; /* NUL-terminated */
};

struct options_doc {
    struct json *root; /* an object */
    struct options_source *sources;
    size_t sources_count, sources_capacity;
    size_t sources_borrowed; /* the first ones, which belong to the document it is a copy of */
};

/* The tree of a text that is one JSON value (RFC 8259, UTF-8, at most OPTIONS_MAX_DEPTH deep and
 * of OPTIONS_MAX_VALUES values, finite numbers of fewer than NUMBER_SIZE characters). text[size] is
 * NUL. NULL and err on failure.
 */
struct json *options_scan(const char *name, const char *text, size_t size, uint32_t source,
                          struct dcs_err *err);

/* Fails if an object in the tree, which options_scan has just made of a source, has a key twice.
 * `prefix` is the path at which the tree will stand. */
int options_check_keys(const struct json *root, const struct options_source *source,
                       const char *prefix, struct dcs_err *err);

/* Appends a source, whose name and text the document now owns. */
void options_add_source(struct options_doc *doc, char *name, char *text);

/* A value of that kind, empty. `key`: NULL, or it is taken over. */
struct json *json_new(enum json_kind kind, struct options_place place, char *key);
void json_free(struct json *node); /* NULL is allowed */

static inline bool json_is(const struct json *node, enum json_kind kind)
{
    return node != NULL && node->kind == kind;
}

/* How many values are directly in a list or object; 0 in any other. */
size_t json_count(const struct json *node);

/* The bytes of text[0..size) to show if at most `most` are wanted: whole UTF-8 characters. */
size_t options_clip(const char *text, size_t size, size_t most);

const char *options_place_name(const struct options_doc *doc, const struct options_place *place);

/* One step of a path: a key, or an index if key is NULL. */
struct options_step {
    const char *key;
    size_t key_length;
    size_t index;
    const char *end; /* where the step ends in the path */
};

/* Reads the step at `at`, where `first` says whether the path begins there. Returns where it ends;
 * NULL if there is none: *bad then says what was expected, or is NULL at the end of the path. */
const char *options_next_step(const char *at, bool first, struct options_step *step,
                              const char **bad);

/* One step down from a node; NULL if nothing is there. */
struct json *options_follow(const struct json *node, const struct options_step *step);

/* The node at a path. NULL if there is none; `closest` (may be NULL) is then the last node on the
 * way. */
struct json *options_find(const struct options_doc *doc, const char *path, struct json **closest);
struct json *options_member(const struct json *object, const char *name, size_t length);

/* The bytes of a number as they stand in the text. */
const char *options_number_text(const struct options_doc *doc, const struct json *node,
                                size_t *length);

/* What stands there, for an error: 2.5, "high", true, a list, an object. */
#define OPTIONS_FOUND_SIZE 80
const char *options_found(const struct options_doc *doc, const struct json *node,
                          char out[OPTIONS_FOUND_SIZE]);

#endif
