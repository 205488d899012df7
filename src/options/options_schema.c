/*
 * options_schema.c - option tables as JSON Schema (draft 7), for editors. See options.h.
 *
 * What one row says becomes one line. Required keys are a tree of their own, since they are not
 * required of a document whose other parts may bring them in.
 */
#include "options/options_table.h"
#include "text/number.h"

#include <stdlib.h>

/* Appends `, "name": value`; nothing if the bound bounds nothing. */
static void append_bound(struct text_buffer *out, const struct param *row, const char *name,
                         double value)
{
    char number[NUMBER_SIZE];
    if (!options_bounds(row, value))
        return;
    number_write_real(value, number);
    text_append(out, ", \"%s\": %s", name, number);
}

static void append_number(struct text_buffer *out, const struct param *row, const char *type)
{
    text_append(out, "\"type\": \"%s\"", type);
    if (row->type == PARAM_TIME || options_ranged(row)) {
        append_bound(out, row, "minimum", row->low);
        append_bound(out, row, "maximum", options_highest(row));
    }
}

static void append_choices(struct text_buffer *out, const struct param *row)
{
    text_append(out, "\"enum\": [");
    for (size_t i = 0; row->choices[i] != NULL; i++) {
        text_append(out, "%s", i > 0 ? ", " : "");
        text_append_json(out, row->choices[i]);
    }
    text_append(out, "]");
}

static void append_list(struct text_buffer *out, const struct param *row)
{
    int64_t low, high;
    text_append(out, "\"type\": \"array\"");
    if (options_ranged(row)) {
        options_range(row, &low, &high);
        text_append(out, ", \"minItems\": %lld, \"maxItems\": %lld", (long long)low,
                    (long long)high);
    }
    text_append(out, ", \"items\": {");
    options_schema(out, row->sub, NULL);
    text_append(out, "}");
}

static void append_type(struct text_buffer *out, const struct param *row)
{
    switch (row->type) {
    case PARAM_BOOL:
        text_append(out, "\"type\": \"boolean\"");
        break;
    case PARAM_INT:
        append_number(out, row, "integer");
        break;
    case PARAM_REAL:
        append_number(out, row, "number");
        break;
    case PARAM_TIME:
        text_append(out, "%s", row->choices != NULL ? "\"anyOf\": [{" : "");
        append_number(out, row, "number");
        if (row->choices != NULL) {
            text_append(out, "}, {");
            append_choices(out, row);
            text_append(out, "}]");
        }
        break;
    case PARAM_CHOICE:
        append_choices(out, row);
        break;
    case PARAM_STRING:
        text_append(out, "\"type\": \"string\"");
        break;
    case PARAM_OBJECT:
        options_schema(out, row->sub, NULL);
        break;
    case PARAM_LIST:
        append_list(out, row);
        break;
    case PARAM_END:
        break;
    }
}

static void append_default(struct text_buffer *out, const struct param *row)
{
    char number[NUMBER_SIZE];
    if (row->required || row->type == PARAM_OBJECT || row->type == PARAM_LIST)
        return;
    text_append(out, ", \"default\": ");
    if (row->type == PARAM_BOOL) {
        text_append(out, "%s", row->number != 0 ? "true" : "false");
    } else if (row->type == PARAM_CHOICE) {
        text_append_json(out, row->choices[(int)row->number]);
    } else if (row->type == PARAM_STRING) {
        text_append_json(out, row->text != NULL ? row->text : "");
    } else if (options_default_word(row) != NULL) {
        text_append_json(out, options_default_word(row));
    } else {
        number_write_real(row->number, number);
        text_append(out, "%s", number);
    }
}

static void append_row(struct text_buffer *out, const struct param *row)
{
    text_append_json(out, row->name);
    text_append(out, ": {");
    append_type(out, row);
    append_default(out, row);
    if (row->help != NULL) {
        text_append(out, ", \"description\": ");
        text_append_json(out, row->help);
    }
    text_append(out, "}");
}

void options_schema(struct text_buffer *out, const struct param *table, const char *more)
{
    text_append(out, "\"type\": \"object\", \"additionalProperties\": false,\n"
                     "\"patternProperties\": {\"^_\": {}}, \"properties\": {");
    if (more != NULL)
        text_append(out, "\n%s", more);
    for (const struct param *row = table; row->type != PARAM_END; row++) {
        text_append(out, "%s", row == table && more == NULL ? "\n" : ",\n");
        append_row(out, row);
    }
    text_append(out, "}");
}

/* "key": {...} of a nested table that requires anything; else nothing. */
static void append_nested(struct text_buffer *out, const struct param *row)
{
    struct text_buffer nested = {0};
    if (row->type == PARAM_OBJECT || row->type == PARAM_LIST)
        options_schema_required(&nested, row->sub);
    if (nested.length > 0) {
        text_append(out, "%s", out->length > 0 ? ", " : "");
        text_append_json(out, row->name);
        bool list = row->type == PARAM_LIST;
        text_append(out, ": {%s%s%s}", list ? "\"items\": {" : "", nested.text, list ? "}" : "");
    }
    free(nested.text);
}

void options_schema_required(struct text_buffer *out, const struct param *table)
{
    struct text_buffer names = {0}, nested = {0};
    for (const struct param *row = table; row->type != PARAM_END; row++) {
        if (row->required) {
            text_append(&names, "%s", names.length > 0 ? ", " : "");
            text_append_json(&names, row->name);
        }
        append_nested(&nested, row);
    }
    if (names.length > 0)
        text_append(out, "\"required\": [%s]", names.text);
    if (nested.length > 0)
        text_append(out, "%s\"properties\": {%s}", names.length > 0 ? ", " : "", nested.text);
    free(names.text);
    free(nested.text);
}
