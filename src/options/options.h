/*
 * options.h - from JSON text and option tables (policies/param.h) to option structs and back.
 *
 * A document remembers for every value where it stood in the text, so that each error names file,
 * line and JSON path, what was expected and the nearest known key. Input is untrusted: at most 64
 * MiB, nesting at most 1000 deep, no duplicate keys, no trailing text, no NUL bytes, UTF-8 as
 * is. Integers are read from the text, not through a double, so that 64-bit seeds stay whole.
 *
 * Rules of parsing a table: unknown key, missing required key, wrong type, out of range, not a
 * whole number, unknown choice: error. A key that is not given gets its default. null is not a
 * value. Keys that start with "_" are comments anywhere and are ignored; they alone may repeat.
 */
#ifndef DCS_OPTIONS_H
#define DCS_OPTIONS_H

#include "des/base.h"
#include "policies/param.h"
#include "text/buffer.h"

struct options_doc; /* opaque: text, tree, places */

/* Reads and parses a file ("-": standard input). NULL and err on failure. */
struct options_doc *options_load(const char *path, struct dcs_err *err);
/* The same from memory; `name` stands for the file in errors. */
struct options_doc *options_load_text(const char *name, const char *text, size_t size,
                                      struct dcs_err *err);
void options_doc_free(struct options_doc *doc); /* NULL is allowed */
const char *options_doc_name(const struct options_doc *doc);

/* Applies "a.b[2].c=value": value is JSON if it parses as JSON, else a string. Objects on the way
 * are made; a list may be extended by one element. null takes the key out: no value is null. Errors
 * name the file "--set a.b[2].c=value". */
int options_set(struct options_doc *doc, const char *assignment, struct dcs_err *err);

/* The same for a value that stands in line `line` of the document's own file (0: in no line), which
 * errors name. A list is not extended: the key is meant to be there, and a wrong index a mistake.
 */
int options_put(struct options_doc *doc, const char *path, const char *value, int line,
                struct dcs_err *err);
/* Whether a table has the keys of a path, whatever the document has: -1 and err, with the nearest
 * key, for the first that it has not. `skip` as below; what is below such a key is not looked at.
 */
int options_check_path(const struct options_doc *doc, const char *path, const struct param *table,
                       const char *const *skip, struct dcs_err *err);
/* A document with the same content, without the key `without` of the root (NULL: with all of them).
 * The copy borrows the text of `doc`, which has to outlive it: a sweep makes a copy for each point,
 * from a text that may list all points. */
struct options_doc *options_doc_copy(const struct options_doc *doc, const char *without);

/* Parses the object at JSON path `path` ("" = the root; "policy"; "workload.services[0]") by a
 * table into the struct `out`, which must hold zero bytes. If the path does not exist, all defaults
 * apply (or required keys are missed). `skip` names keys that are known but not in the table
 * (NULL-ended; may be NULL). On failure `out` is released again. */
int options_parse(const struct options_doc *doc, const char *path, const struct param *table,
                  const char *const *skip, void *out, struct dcs_err *err);

/* The name of the first option of a parsed struct that has another value than its default; NULL:
 * none has. Of options that are required, or objects, it says nothing. */
const char *options_changed(const struct param *table, const void *values);

/* Frees what options_parse allocated (strings, lists) and zeroes the struct. */
void options_release(const struct param *table, size_t size, void *out);

/* The string at a path, e.g. "policy.name" (NULL if there is none or it is no string). Owned by
 * doc. */
const char *options_string(const struct options_doc *doc, const char *path);
/* Whether there is any value at a path. */
bool options_has(const struct options_doc *doc, const char *path);
/* Whether the value at a path is that of the document's own text: neither options_set() nor
 * options_put() has changed it. */
bool options_is_original(const struct options_doc *doc, const char *path);

/* Fills err's file, line and path for the value at `path` (or the nearest one above it that
 * exists), and the text: for checks that span several keys. Returns -1. */
int options_error(const struct options_doc *doc, const char *path, struct dcs_err *err,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Canonical JSON of a parsed struct, defaults included, keys in table order, numbers in shortest
 * form that reads back to the same bits, 4 spaces for each level (`indent` levels stand before the
 * closing brace; the opening one is where the text ends, no newline follows). Appends to a growing
 * buffer. */
void options_print(struct text_buffer *out, const struct param *table, const void *values,
                   int indent);
/* The members alone, without braces, for an object that has more keys than its table (see `skip`):
 * lines of `"key": value` with ",\n" between them, the first one indented too, no newline at the
 * end. */
void options_print_members(struct text_buffer *out, const struct param *table, const void *values,
                           int indent);

/* The text that a JSON string (with its quotes, valid) stands for. Freed by the caller. */
char *options_string_text(const char *json);

/* The reference of a table in Markdown: one table row an option (key with its path, type and unit,
 * default, range or choices, help); nested tables follow with their path as a heading. */
void options_document(struct text_buffer *out, const char *path, const struct param *table);

/* A table as the members of a JSON Schema (draft 7) of an object with its keys, without braces.
 * `more`: properties of keys that are not in the table (see `skip`), as `"key": {...}` with commas
 * between them; NULL: none. No key is required there. */
void options_schema(struct text_buffer *out, const struct param *table, const char *more);
/* The members of another schema, which asks for the table's required keys; nothing if there are
 * none. */
void options_schema_required(struct text_buffer *out, const struct param *table);

/* Checks a table itself (a plug-in's is untrusted): names, units in names, ranges that hold the
 * default, offsets within size, choices. Returns -1 and fills err->text. */
int options_check_table(const struct param *table, size_t size, bool nested_allowed,
                        struct dcs_err *err);

/* The nearest of NULL-ended `names` to `word` by edit distance; NULL if none is near (distance over
 * 2 + length/4). */
const char *options_nearest(const char *word, const char *const *names);

#endif
