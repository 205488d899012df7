/*
 * param.h - typed options: one row says an option's name, type, unit, default, range and help, and
 * from the rows come parsing, validation, the canonical form and the documentation.
 *
 * A policy describes its options with PARAM_BOOL .. PARAM_CHOICE; PARAM_OBJECT and PARAM_LIST nest
 * tables and are for the simulator's own config sections.
 *
 * How a value lies in the options struct, at `offset`:
 *   - PARAM_BOOL: bool. PARAM_INT: int64_t. PARAM_REAL: double.
 *   - PARAM_TIME: int64_t nanoseconds; written in the config in `unit` ("ns", "us", "ms", "s",
 * "h"), and the option's name ends in the unit. With `choices` one of these words may stand for a
 *     time, and is -1, -2, ... in their order.
 *   - PARAM_CHOICE: int, the index into `choices`.
 *   - PARAM_STRING: char *, owned by whoever parsed the config; never NULL, "" if not given.
 *   - PARAM_OBJECT: the nested struct itself. PARAM_LIST: struct param_list.
 * All ranges are inclusive; low == high == 0 means any finite value (PARAM_TIME: 0 to 145 years).
 */
#ifndef DCSIM_POLICIES_PARAM_H
#define DCSIM_POLICIES_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum param_type {
    PARAM_END = 0, /* closes a table */
    PARAM_BOOL,
    PARAM_INT,
    PARAM_REAL,
    PARAM_TIME,
    PARAM_CHOICE,
    PARAM_STRING,
    PARAM_OBJECT,
    PARAM_LIST,
};

struct param {
    enum param_type type;
    const char *name;           /* the key in the config */
    size_t offset;              /* offsetof(struct options, member) */
    const char *unit;           /* "ms", "GPUs", "1/s"; NULL for a plain number */
    double low, high;           /* in `unit` */
    double number;              /* the default, in `unit`; index of the default for PARAM_CHOICE,
                                   -1 less that of a word for PARAM_TIME */
    const char *text;           /* default of PARAM_STRING */
    const char *const *choices; /* PARAM_CHOICE, PARAM_TIME: names, NULL at the end */
    const struct param *sub;    /* PARAM_OBJECT, PARAM_LIST: rows of the nested table */
    size_t sub_size;            /* sizeof the nested struct */
    bool required;              /* must be given; no default */
    const char *help;           /* one sentence */
    const char *was;            /* what the key was called before: no key now, told as such; NULL */
};

struct param_list {
    void *items; /* count structs of sub_size bytes; owned by whoever parsed the config */
    size_t count;
};

#endif
