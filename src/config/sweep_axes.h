/*
 * sweep_axes.h - section "sweep" of a document: axes, and the document of each point.
 *
 * A point is the document without that section and with one value of each axis put at the axis's
 * key. Points are numbered from 0, the last axis running fastest. Nothing here knows which keys a
 * config has: whoever parses a point's document says what is wrong with a key or a value, and the
 * error names the line of the axis that brought it in.
 *
 *   {"key": K, "values": [...]}                        any values, objects and lists as well
 *   {"key": K, "from": A, "to": B, "step": S}          A, A + S, ... up to B
 *   {"key": K, "from": A, "to": B, "count": N}         N values, evenly from A to B
 *   ... "scale": "log"                                 the same, evenly in their logarithms
 *   {"zip": [axis, axis, ...]}                         axes of the same length that move together
 *
 * Values of a range have at most 12 significant digits, so that the third of 0.1, 0.2, ... is the
 * 0.3 that a person writes, and names the same experiment.
 */
#ifndef DCS_CONFIG_SWEEP_AXES_H
#define DCS_CONFIG_SWEEP_AXES_H

#include "options/options.h"

#define SWEEP_VALUES_MAX 1000000             /* of one axis */
#define SWEEP_POINTS_MAX UINT64_C(100000000) /* of a sweep */

struct sweep_value {
    char *text; /* JSON without white space */
    int line;   /* where it stands in the file */
};

/* One key and its values. */
struct sweep_key {
    char *path;
    char place[48]; /* of the axis in the document: "sweep.axes[1]" */
    struct sweep_value *values;
    size_t count;
    size_t axis; /* zipped keys have the same axis, and as many values each */
};

struct sweep_axes {
    struct sweep_key *keys; /* in the order of the document; none: there is no sweep */
    size_t keys_count, keys_capacity;
    size_t *lengths; /* of each axis */
    size_t axes_count, axes_capacity;
    uint64_t points; /* 1 without axes */
};

/* Reads the section. On failure, with err, nothing is left to release. */
int sweep_axes_read(const struct options_doc *doc, struct sweep_axes *out, struct dcs_err *err);
void sweep_axes_release(struct sweep_axes *a);

/* Which value of an axis a point has. */
size_t sweep_axes_index(const struct sweep_axes *a, uint64_t point, size_t axis);
/* The value of a key in a point. */
const struct sweep_value *sweep_axes_value(const struct sweep_axes *a, uint64_t point, size_t key);
/* The document of a point, which `doc` has to outlive; NULL and err if a key names no place in it.
 */
struct options_doc *sweep_axes_point(const struct options_doc *doc, const struct sweep_axes *a,
                                     uint64_t point, struct dcs_err *err);

/* For the reference of all keys: what the section holds. */
void sweep_axes_document(struct text_buffer *out);
/* The same as the members of a JSON Schema. */
void sweep_axes_schema(struct text_buffer *out);

#endif
