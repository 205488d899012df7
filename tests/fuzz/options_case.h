/*
 * options_case.h - one case for the config reader: any bytes, a table with every type, and what
 * must hold. Shared by the libFuzzer target (tests/fuzz/fuzz_options.c) and by the mutation test
 * (tests/prop/test_options_mutations.c), which runs without a fuzzer.
 *
 * A case is the text of a document, then, after each byte 0x1e, the text of a --set. What must
 * hold:
 *   - a refusal says why, and leaves no struct behind;
 *   - a struct that was parsed prints as a text that parses, and that prints the same again;
 *   - the struct from the canonical text has the same bits, so the canonical text says all.
 */
#ifndef DCS_TESTS_OPTIONS_CASE_H
#define DCS_TESTS_OPTIONS_CASE_H

#include "options/options.h"

#include <stdlib.h>
#include <string.h>

struct case_leaf {
    char *name;
    double weight;
    int64_t hold_h;
};

struct case_item {
    int64_t count;
    double rate;
    int kind;
    struct param_list leaves; /* struct case_leaf */
};

struct case_inner {
    bool on;
    int64_t wait_us;
    struct case_leaf leaf;
};

struct case_root {
    int64_t seed;
    double share;
    bool quick;
    int64_t horizon_s, tick_ns;
    int kind;
    char *name;
    struct case_inner inner;
    struct param_list items; /* struct case_item */
};

static const char *const case_kinds[] = {"poisson", "mmpp2", "deterministic", NULL};

#define CASE_AT(type, member) .offset = offsetof(struct type, member)

static const struct param case_leaf_rows[] = {
    {PARAM_STRING, "name", CASE_AT(case_leaf, name), .text = "leaf", .help = "a text"},
    {PARAM_REAL, "weight", CASE_AT(case_leaf, weight), .number = 0.1, .help = "any number"},
    {PARAM_TIME, "hold_h", CASE_AT(case_leaf, hold_h), .unit = "h", .number = 0.5, .help = "hours"},
    {.type = PARAM_END},
};

static const struct param case_item_rows[] = {
    {PARAM_INT, "count", CASE_AT(case_item, count), .low = 1, .high = 8, .required = true,
     .help = "how many"},
    {PARAM_REAL, "rate_per_s", CASE_AT(case_item, rate), .unit = "1/s", .low = 0, .high = 1e6,
     .number = 2.5, .help = "how often"},
    {PARAM_CHOICE, "kind", CASE_AT(case_item, kind), .choices = case_kinds, .number = 1,
     .help = "which"},
    {PARAM_LIST, "leaves", CASE_AT(case_item, leaves), .sub = case_leaf_rows,
     .sub_size = sizeof(struct case_leaf), .low = 0, .high = 4, .help = "its leaves"},
    {.type = PARAM_END},
};

static const struct param case_inner_rows[] = {
    {PARAM_BOOL, "on", CASE_AT(case_inner, on), .number = 1, .help = "on or off"},
    {PARAM_TIME, "wait_us", CASE_AT(case_inner, wait_us), .unit = "us", .low = 0.001, .high = 1e12,
     .number = 12.5, .help = "microseconds"},
    {PARAM_OBJECT, "leaf", CASE_AT(case_inner, leaf), .sub = case_leaf_rows,
     .sub_size = sizeof(struct case_leaf), .help = "one leaf"},
    {.type = PARAM_END},
};

static const struct param case_rows[] = {
    {PARAM_INT, "seed", CASE_AT(case_root, seed), .number = 1, .help = "any whole number"},
    {PARAM_REAL, "share", CASE_AT(case_root, share), .low = 0, .high = 1, .number = 0.25,
     .help = "a share"},
    {PARAM_BOOL, "quick", CASE_AT(case_root, quick), .help = "yes or no"},
    {PARAM_TIME, "horizon_s", CASE_AT(case_root, horizon_s), .unit = "s", .number = 60,
     .help = "seconds"},
    {PARAM_TIME, "tick_ns", CASE_AT(case_root, tick_ns), .unit = "ns", .low = -5, .high = 1e9,
     .help = "nanoseconds"},
    {PARAM_CHOICE, "kind", CASE_AT(case_root, kind), .choices = case_kinds, .help = "which"},
    {PARAM_STRING, "name", CASE_AT(case_root, name), .help = "a text"},
    {PARAM_OBJECT, "inner", CASE_AT(case_root, inner), .sub = case_inner_rows,
     .sub_size = sizeof(struct case_inner), .help = "nested"},
    {PARAM_LIST, "items", CASE_AT(case_root, items), .sub = case_item_rows,
     .sub_size = sizeof(struct case_item), .help = "a list"},
    {.type = PARAM_END},
};

static inline bool case_is_zero(const struct case_root *values)
{
    static const struct case_root zero;
    return memcmp(values, &zero, sizeof zero) == 0;
}

static inline bool case_same_leaf(const struct case_leaf *a, const struct case_leaf *b)
{
    return strcmp(a->name, b->name) == 0 && memcmp(&a->weight, &b->weight, sizeof a->weight) == 0 &&
           a->hold_h == b->hold_h;
}

static inline bool case_same_item(const struct case_item *a, const struct case_item *b)
{
    bool same = a->count == b->count && memcmp(&a->rate, &b->rate, sizeof a->rate) == 0 &&
                a->kind == b->kind && a->leaves.count == b->leaves.count;
    const struct case_leaf *x = a->leaves.items, *y = b->leaves.items;
    for (size_t i = 0; same && i < a->leaves.count; i++)
        same = case_same_leaf(&x[i], &y[i]);
    return same;
}

static inline bool case_same(const struct case_root *a, const struct case_root *b)
{
    bool same = a->seed == b->seed && memcmp(&a->share, &b->share, sizeof a->share) == 0 &&
                a->quick == b->quick && a->horizon_s == b->horizon_s && a->tick_ns == b->tick_ns &&
                a->kind == b->kind && strcmp(a->name, b->name) == 0 && a->inner.on == b->inner.on &&
                a->inner.wait_us == b->inner.wait_us &&
                case_same_leaf(&a->inner.leaf, &b->inner.leaf) && a->items.count == b->items.count;
    const struct case_item *x = a->items.items, *y = b->items.items;
    for (size_t i = 0; same && i < a->items.count; i++)
        same = case_same_item(&x[i], &y[i]);
    return same;
}

/* What is wrong with the canonical form of these values; NULL if nothing is. */
static inline const char *case_round_trip(const struct case_root *values)
{
    struct text_buffer first = {0}, second = {0};
    struct case_root again = {0};
    struct dcs_err err = {0};
    const char *wrong = NULL;
    options_print(&first, case_rows, values, 0);
    struct options_doc *doc = options_load_text("canonical", first.text, first.length, &err);
    if (!doc) {
        wrong = "the canonical form is no document";
    } else if (options_parse(doc, "", case_rows, NULL, &again, &err) != 0) {
        wrong = "the canonical form does not parse";
    } else {
        options_print(&second, case_rows, &again, 0);
        if (strcmp(first.text, second.text) != 0)
            wrong = "the canonical form prints otherwise";
        else if (!case_same(values, &again))
            wrong = "the canonical form has other values";
    }
    options_release(case_rows, sizeof again, &again);
    options_doc_free(doc);
    free(first.text);
    free(second.text);
    return wrong;
}

/* A refusal has a text, and its place is no further than a text of `lines` lines goes. */
static inline const char *case_check_refusal(const struct dcs_err *err, int lines)
{
    if (err->text[0] == '\0')
        return "a refusal without a text";
    return err->line < 0 || err->line > lines ? "a refusal outside of the text" : NULL;
}

/* Applies the assignments after the document; they may be refused. */
static inline const char *case_set_all(struct options_doc *doc, const char *rest, size_t size)
{
    const char *wrong = NULL;
    while (!wrong && size > 0) {
        struct dcs_err err = {0};
        size_t length = 0;
        while (1 + length < size && rest[1 + length] != 0x1e)
            length++;
        char *assignment = calloc(length + 1, 1); /* ends early at a NUL, like a command line's */
        memcpy(assignment, rest + 1, length);
        if (options_set(doc, assignment, &err) != 0)
            wrong = case_check_refusal(&err, 0);
        free(assignment);
        rest += 1 + length;
        size -= 1 + length;
    }
    return wrong;
}

/* What is wrong; NULL if everything holds. *accepted: whether the table took the document. */
static inline const char *case_check(const char *bytes, size_t size, bool *accepted)
{
    struct dcs_err err = {0};
    struct case_root values = {0};
    const char *end = size > 0 ? memchr(bytes, 0x1e, size) : NULL;
    size_t length = end ? (size_t)(end - bytes) : size;
    const char *wrong = NULL;
    int lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += bytes[i] == '\n';

    *accepted = false;
    struct options_doc *doc = options_load_text("case", bytes, length, &err);
    if (!doc)
        return case_check_refusal(&err, lines);
    if (end)
        wrong = case_set_all(doc, end, size - length);
    if (!wrong && options_parse(doc, "", case_rows, NULL, &values, &err) == 0) {
        *accepted = true;
        wrong = case_round_trip(&values);
        options_release(case_rows, sizeof values, &values);
    } else if (!wrong) {
        wrong = case_check_refusal(&err, lines);
    }
    if (!wrong && !case_is_zero(&values))
        wrong = "something was left in the struct";
    options_doc_free(doc);
    return wrong;
}

#endif
