/*
 * options_json.h - the inside of a config document: a cJSON tree whose nodes know where they stood.
 *
 * cJSON keeps no positions, reads numbers as doubles and is lenient: it takes "01", control
 * characters in strings, \u0000 and broken \u escapes. So the text is scanned first, strictly, by
 * options_scan (options_scan.c), which records a place for each value in the order of the text;
 * cJSON then builds the tree, and a walk in that same order gives each node its place. The number
 * of the place lies in the node's valueint, which nothing else reads.
 *
 * For options*.c only.
 */
#ifndef DCS_OPTIONS_JSON_H
#define DCS_OPTIONS_JSON_H

#include "options/options.h"

#include <cjson/cJSON.h>

#define OPTIONS_MAX_BYTES ((size_t)64 << 20)

struct options_place {
    uint32_t start, end; /* the value's bytes in its source */
    uint32_t source;
    int line;     /* of the value's first byte; 0 in sources without lines */
    int key_line; /* of its key; as `line` for list elements */
};

struct options_places {
    struct options_place *items;
    size_t count, capacity;
};

/* The file, or one --set. */
struct options_source {
    char *name;
    char *text; /* NUL-terminated */
};

struct options_doc {
    cJSON *root; /* an object */
    struct options_places places;
    struct options_source *sources;
    size_t sources_count, sources_capacity;
    size_t sources_borrowed; /* the first ones, which belong to the document it is a copy of */
};

/* Checks that text is one JSON value (RFC 8259, UTF-8, at most cJSON's nesting, finite numbers of
 * fewer than NUMBER_SIZE characters) and appends the place of each value in it, in order.
 * text[size] is NUL. On failure places may have been appended. */
int options_scan(const char *name, const char *text, size_t size, uint32_t source,
                 struct options_places *places, struct dcs_err *err);

/* Appends a source, whose name and text the document now owns. */
struct options_source *options_add_source(struct options_doc *doc, char *name, char *text);

/* Builds the tree of a source that was scanned last; its places begin at first_place. `prefix` is
 * the path at which the tree will stand. NULL and err on failure: a key is given twice. */
cJSON *options_build(const struct options_doc *doc, const struct options_source *source,
                     size_t first_place, const char *prefix, struct dcs_err *err);

/* The bytes of text[0..size) to show if at most `most` are wanted: whole UTF-8 characters. */
size_t options_clip(const char *text, size_t size, size_t most);

const struct options_place *options_place(const struct options_doc *doc, const cJSON *node);
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
cJSON *options_follow(const cJSON *node, const struct options_step *step);

/* The node at a path. NULL if there is none; `closest` (may be NULL) is then the last node on the
 * way. */
cJSON *options_find(const struct options_doc *doc, const char *path, cJSON **closest);
cJSON *options_member(const cJSON *object, const char *name, size_t length);

/* The bytes of a number as they stand in the text. */
const char *options_number_text(const struct options_doc *doc, const cJSON *node, size_t *length);

/* What stands there, for an error: 2.5, "high", true, a list, an object. */
#define OPTIONS_FOUND_SIZE 80
const char *options_found(const struct options_doc *doc, const cJSON *node,
                          char out[OPTIONS_FOUND_SIZE]);

#endif
