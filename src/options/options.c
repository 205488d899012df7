/*
 * options.c - from documents to option structs and back, by table. See options.h.
 *
 * A table's rows are walked in their order, so the first error that is found does not depend on the
 * order of keys in the text, except that an unknown key in an object comes first: it often is the
 * misspelled name of a key that would then be reported missing.
 */
#include "options/options_json.h"
#include "text/number.h"
#include "options/options_table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const struct options_doc *doc;
    struct dcs_err *err;
    char path[256]; /* where the parser is; only for errors, so it may end early */
};

static int parse_rows(struct parser *p, const struct json *object,
                      const struct options_place *place, const struct param *table,
                      const char *const *skip, void *out);

static void *field(void *values, const struct param *row)
{
    return (char *)values + row->offset;
}

static const void *const_field(const void *values, const struct param *row)
{
    return (const char *)values + row->offset;
}

/* Appends a step to the path. Returns what leave() needs to take it off again. */
static size_t __attribute__((format(printf, 2, 3))) enter(struct parser *p, const char *format, ...)
{
    size_t length = strlen(p->path);
    va_list args;
    va_start(args, format);
    vsnprintf(p->path + length, sizeof p->path - length, format, args);
    va_end(args);
    return length;
}

static size_t enter_key(struct parser *p, const char *key)
{
    return enter(p, "%s%s", p->path[0] != '\0' ? "." : "", key[0] != '\0' ? key : "\"\"");
}

static void leave(struct parser *p, size_t length)
{
    p->path[length] = '\0';
}

static int fail_at(struct parser *p, const struct options_place *place, int line, const char *text)
{
    return dcs_err_at(p->err, options_place_name(p->doc, place), line, p->path, "%s", text);
}

/* ---- parsing ---- */

static int wrong_value(struct parser *p, const struct json *node, const struct param *row)
{
    const struct options_place *place = &node->place;
    struct text_buffer text = {0};
    char found[OPTIONS_FOUND_SIZE];
    text_append(&text, "expected ");
    options_expected(&text, row);
    text_append(&text, "%s found %s", row->type == PARAM_CHOICE ? ";" : ",",
                options_found(p->doc, node, found));
    if (row->type == PARAM_CHOICE && json_is(node, JSON_STRING)) {
        const char *near = options_nearest(node->text, row->choices);
        if (near)
            text_append(&text, "; did you mean \"%s\"?", near);
    }
    if (row->type == PARAM_STRING && json_is(node, JSON_NUMBER)) /* a shell takes quotes away */
        text_append(&text, "; write \"%s\", after --set in a shell '\"%s\"'", found, found);
    fail_at(p, place, place->line, text.text);
    free(text.text);
    return -1;
}

static int unknown_key(struct parser *p, const struct json *node, const struct param *table,
                       const char *const *skip)
{
    const struct options_place *place = &node->place;
    struct text_buffer text = {0};
    size_t rows = 0, skipped = 0;
    while (table[rows].type != PARAM_END)
        rows++;
    while (skip && skip[skipped])
        skipped++;
    const char **names = dcs_alloc(rows + skipped + 1, sizeof names[0]);
    for (size_t i = 0; i < rows; i++)
        names[skipped + i] = table[i].name;
    for (size_t i = 0; i < skipped; i++)
        names[i] = skip[i];
    const char *near = options_nearest(node->key, names);
    text_append(&text, "unknown key");
    const struct param *row = table;
    while (row->type != PARAM_END && (row->was == NULL || strcmp(row->was, node->key) != 0))
        row++;
    if (row->type != PARAM_END) {
        text_append(&text, "; it is now \"%s\", ", row->name);
        options_expected(&text, row);
    } else if (near)
        text_append(&text, "; did you mean \"%s\"?", near);
    else if (rows + skipped == 0)
        text_append(&text, "; there are no options here");
    else
        for (size_t i = 0; i < rows + skipped; i++)
            text_append(&text, "%s\"%s\"", i == 0 ? "; known are " : ", ", names[i]);
    fail_at(p, place, place->key_line, text.text);
    free(names);
    free(text.text);
    return -1;
}

static int missing_key(struct parser *p, const struct options_place *place, const struct param *row)
{
    struct text_buffer text = {0};
    text_append(&text, "missing key \"%s\" (", row->name);
    options_expected(&text, row);
    text_append(&text, ": %s)", row->help ? row->help : "no help");
    fail_at(p, place, place->line, text.text);
    free(text.text);
    return -1;
}

static bool known_key(const char *key, const struct param *table, const char *const *skip)
{
    for (; table->type != PARAM_END; table++)
        if (strcmp(table->name, key) == 0)
            return true;
    for (; skip && *skip; skip++)
        if (strcmp(*skip, key) == 0)
            return true;
    return false;
}

static int check_keys(struct parser *p, const struct json *object, const struct param *table,
                      const char *const *skip)
{
    for (const struct json *child = object->child; child; child = child->next) {
        if (child->key[0] == '_' || known_key(child->key, table, skip))
            continue;
        size_t before = enter_key(p, child->key);
        unknown_key(p, child, table, skip);
        leave(p, before);
        return -1;
    }
    return 0;
}

/* Row of a key that is known; NULL: it is one to be skipped. */
static const struct param *row_of(const char *key, const struct param *table)
{
    while (table->type != PARAM_END && strcmp(table->name, key) != 0)
        table++;
    return table->type != PARAM_END ? table : NULL;
}

int options_check_path(const struct options_doc *doc, const char *path, const struct param *table,
                       const char *const *skip, struct dcs_err *err)
{
    struct parser p = {.doc = doc, .err = err};
    struct options_step step;
    const char *bad, *at = path;
    int status = 0;
    while (status == 0 && table != NULL &&
           (at = options_next_step(at, at == path, &step, &bad)) != NULL) {
        if (step.key == NULL) {
            enter(&p, "[%zu]", step.index);
            continue;
        }
        struct json node = {.place = doc->root->place, .key = dcs_alloc(step.key_length + 1, 1)};
        memcpy(node.key, step.key, step.key_length);
        enter_key(&p, node.key);
        if (!known_key(node.key, table, skip))
            status = unknown_key(&p, &node, table, skip);
        const struct param *row = row_of(node.key, table);
        table = row != NULL ? row->sub : NULL;
        skip = NULL;
        free(node.key);
    }
    return status;
}

static int set_choice(const struct param *row, const char *name, int *value)
{
    for (int i = 0; row->choices[i]; i++) {
        if (strcmp(row->choices[i], name) == 0) {
            *value = i;
            return 0;
        }
    }
    return -1;
}

static int parse_list(struct parser *p, const struct json *node, const struct param *row,
                      struct param_list *list)
{
    int64_t low, high, count = (int64_t)json_count(node);
    options_range(row, &low, &high);
    if (count < low || count > high) {
        const struct options_place *place = &node->place;
        struct text_buffer text = {0};
        text_append(&text, "expected ");
        options_expected(&text, row);
        text_append(&text, ", found %" PRId64 " element%s", count, dcs_plural((uint64_t)count));
        fail_at(p, place, place->line, text.text);
        free(text.text);
        return -1;
    }
    if (count == 0)
        return 0;
    list->items = dcs_alloc((size_t)count, row->sub_size);
    list->count = (size_t)count;
    char *item = list->items;
    size_t index = 0;
    for (const struct json *child = node->child; child; child = child->next) {
        size_t before = enter(p, "[%zu]", index++);
        if (parse_rows(p, child, &child->place, row->sub, NULL, item) != 0)
            return -1;
        leave(p, before);
        item += row->sub_size;
    }
    return 0;
}

/* INT, REAL and TIME. -1 if it is no such number or out of its range. */
static int read_number(const struct options_doc *doc, const struct json *node,
                       const struct param *row, void *value)
{
    int64_t low, high, *whole = value;
    size_t length;
    if (!json_is(node, JSON_NUMBER))
        return -1;
    if (row->type == PARAM_REAL) {
        double *real = value;
        *real = node->number;
        return !options_ranged(row) || (*real >= row->low && *real <= row->high) ? 0 : -1;
    }
    const char *text = options_number_text(doc, node, &length);
    bool fits = row->type == PARAM_INT
                    ? number_read_whole(text, length, whole)
                    : number_read_time(text, length, number_unit_ns(row->unit), whole);
    options_range(row, &low, &high);
    return fits && *whole >= low && *whole <= high ? 0 : -1;
}

/* A word in place of a time. -1 if it is none of the row's. */
static int read_word(const struct json *node, const struct param *row, int64_t *value)
{
    for (int i = 0; row->choices != NULL && json_is(node, JSON_STRING) && row->choices[i] != NULL;
         i++)
        if (strcmp(row->choices[i], node->text) == 0) {
            *value = -1 - i;
            return 0;
        }
    return -1;
}

static int parse_value(struct parser *p, const struct json *node, const struct param *row,
                       void *value)
{
    switch (row->type) {
    case PARAM_BOOL:
        if (!json_is(node, JSON_BOOL))
            return wrong_value(p, node, row);
        *(bool *)value = node->number != 0;
        return 0;
    case PARAM_TIME:
        if (read_word(node, row, value) == 0)
            return 0;
        return read_number(p->doc, node, row, value) == 0 ? 0 : wrong_value(p, node, row);
    case PARAM_INT:
    case PARAM_REAL:
        return read_number(p->doc, node, row, value) == 0 ? 0 : wrong_value(p, node, row);
    case PARAM_CHOICE:
        if (!json_is(node, JSON_STRING) || set_choice(row, node->text, value) != 0)
            return wrong_value(p, node, row);
        return 0;
    case PARAM_STRING:
        if (!json_is(node, JSON_STRING))
            return wrong_value(p, node, row);
        *(char **)value = dcs_strdup(node->text);
        return 0;
    case PARAM_OBJECT:
        return parse_rows(p, node, &node->place, row->sub, NULL, value);
    case PARAM_LIST:
        return json_is(node, JSON_LIST) ? parse_list(p, node, row, value)
                                        : wrong_value(p, node, row);
    case PARAM_END:
        break;
    }
    DCS_ASSERT(false); /* a row has a type */
    return -1;
}

/* `place`: of the nearest thing above that is in the text. */
static int set_default(struct parser *p, const struct param *row, const struct options_place *place,
                       void *value)
{
    switch (row->type) {
    case PARAM_BOOL:
        *(bool *)value = row->number != 0;
        break;
    case PARAM_INT:
        *(int64_t *)value = (int64_t)row->number;
        break;
    case PARAM_REAL:
        *(double *)value = row->number;
        break;
    case PARAM_TIME:
        *(int64_t *)value = options_default_word(row) != NULL
                                ? (int64_t)row->number
                                : number_time_from(row->number, number_unit_ns(row->unit));
        break;
    case PARAM_CHOICE:
        *(int *)value = (int)row->number;
        break;
    case PARAM_STRING:
        *(char **)value = dcs_strdup(row->text ? row->text : "");
        break;
    case PARAM_OBJECT:
        return parse_rows(p, NULL, place, row->sub, NULL, value);
    case PARAM_LIST:
    case PARAM_END:
        break; /* an empty list is zero bytes */
    }
    return 0;
}

/* object: NULL if it is not given. place: its own, or the nearest one above it. */
static int parse_rows(struct parser *p, const struct json *object,
                      const struct options_place *place, const struct param *table,
                      const char *const *skip, void *out)
{
    static const struct param any_object = {.type = PARAM_OBJECT};
    if (object && !json_is(object, JSON_OBJECT))
        return wrong_value(p, object, &any_object);
    if (object && check_keys(p, object, table, skip) != 0)
        return -1;
    for (const struct param *row = table; row->type != PARAM_END; row++) {
        const struct json *node = options_member(object, row->name, strlen(row->name));
        if (!node && row->required)
            return missing_key(p, place, row);
        size_t before = enter_key(p, row->name);
        if (node ? parse_value(p, node, row, field(out, row)) != 0
                 : set_default(p, row, place, field(out, row)) != 0)
            return -1;
        leave(p, before);
    }
    return 0;
}

/* A value of any type but an object. */
union value {
    bool flag;
    int choice;
    int64_t whole;
    double real;
    char *text;
    struct param_list list;
};

const char *options_changed(const struct param *table, const void *values)
{
    for (const struct param *row = table; row->type != PARAM_END; row++) {
        union value plain;
        memset(&plain, 0, sizeof plain);
        const void *value = (const char *)values + row->offset;
        if (row->required || row->type == PARAM_OBJECT)
            continue;
        set_default(NULL, row, NULL, &plain);
        bool same = row->type == PARAM_STRING ? strcmp(*(char *const *)value, plain.text) == 0
                    : row->type == PARAM_LIST ? ((const struct param_list *)value)->count == 0
                                              : memcmp(value, &plain, options_size(row)) == 0;
        if (row->type == PARAM_STRING)
            free(plain.text);
        if (!same)
            return row->name;
    }
    return NULL;
}

static void release_rows(const struct param *table, void *out)
{
    for (const struct param *row = table; row->type != PARAM_END; row++) {
        void *value = field(out, row);
        if (row->type == PARAM_STRING) {
            free(*(char **)value);
        } else if (row->type == PARAM_OBJECT) {
            release_rows(row->sub, value);
        } else if (row->type == PARAM_LIST) {
            struct param_list *list = value;
            for (size_t i = 0; i < list->count; i++)
                release_rows(row->sub, (char *)list->items + i * row->sub_size);
            free(list->items);
        }
        memset(value, 0, options_size(row));
    }
}

int options_parse(const struct options_doc *doc, const char *path, const struct param *table,
                  const char *const *skip, void *out, struct dcs_err *err)
{
    struct parser p = {.doc = doc, .err = err};
    struct json *closest;
    const struct json *node = options_find(doc, path, &closest);
    snprintf(p.path, sizeof p.path, "%s", path);
    if (parse_rows(&p, node, &closest->place, table, skip, out) == 0)
        return 0;
    release_rows(table, out);
    return -1;
}

void options_release(const struct param *table, size_t size, void *out)
{
    release_rows(table, out);
    memset(out, 0, size);
}

/* ---- printing ---- */

static void print_list(struct text_buffer *out, const struct param *row,
                       const struct param_list *list, int indent)
{
    const char *item = list->items;
    text_append(out, "[");
    for (size_t i = 0; i < list->count; i++, item += row->sub_size) {
        text_append(out, "%s\n%*s", i > 0 ? "," : "", 4 * (indent + 1), "");
        options_print(out, row->sub, item, indent + 1);
    }
    if (list->count > 0)
        text_append(out, "\n%*s", 4 * indent, "");
    text_append(out, "]");
}

static void print_value(struct text_buffer *out, const struct param *row, const void *value,
                        int indent)
{
    char number[NUMBER_SIZE];
    const char *text;
    switch (row->type) {
    case PARAM_BOOL:
        text_append(out, "%s", *(const bool *)value ? "true" : "false");
        break;
    case PARAM_INT:
        text_append(out, "%" PRId64, *(const int64_t *)value);
        break;
    case PARAM_REAL:
        number_write_real(*(const double *)value, number);
        text_append(out, "%s", number);
        break;
    case PARAM_TIME:
        if (row->choices != NULL && *(const int64_t *)value < 0) {
            text_append_json(out, row->choices[-1 - *(const int64_t *)value]);
            break;
        }
        number_write_time(*(const int64_t *)value, number_unit_ns(row->unit), number);
        text_append(out, "%s", number);
        break;
    case PARAM_CHOICE:
        text_append_json(out, row->choices[*(const int *)value]);
        break;
    case PARAM_STRING:
        text = *(char *const *)value;
        text_append_json(out, text ? text : "");
        break;
    case PARAM_OBJECT:
        options_print(out, row->sub, value, indent);
        break;
    case PARAM_LIST:
        print_list(out, row, value, indent);
        break;
    case PARAM_END:
        break;
    }
}

void options_print_members(struct text_buffer *out, const struct param *table, const void *values,
                           int indent)
{
    for (const struct param *row = table; row->type != PARAM_END; row++) {
        text_append(out, "%s%*s", row > table ? ",\n" : "", 4 * indent, "");
        text_append_json(out, row->name);
        text_append(out, ": ");
        print_value(out, row, const_field(values, row), indent);
    }
}

void options_print(struct text_buffer *out, const struct param *table, const void *values,
                   int indent)
{
    if (table->type == PARAM_END) {
        text_append(out, "{}");
        return;
    }
    text_append(out, "{\n");
    options_print_members(out, table, values, indent + 1);
    text_append(out, "\n%*s}", 4 * indent, "");
}
