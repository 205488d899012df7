/*
 * config_schema.c - all keys of a config as JSON Schema, so that editors complete and check. See
 * config.h.
 */
#include "config/config.h"

#include "config/config_tables.h"
#include "config/plugin.h"
#include "config/sweep_axes.h"
#include "policies/policies.h"

#include <stdlib.h>

/* The n-th policy, built in ones first; NULL behind the last. */
static const struct policy *find_nth(const struct plugins *plugins, size_t n)
{
    size_t built_in = 0;
    while (policies_all[built_in] != NULL)
        built_in++;
    if (n < built_in)
        return policies_all[n];
    return n - built_in < plugins->count ? plugins->items[n - built_in].policy : NULL;
}

static void append_names(struct text_buffer *out, const struct plugins *plugins)
{
    const struct policy *p;
    text_append(out, "\"name\": {\"enum\": [");
    for (size_t i = 0; (p = find_nth(plugins, i)) != NULL; i++) {
        text_append(out, "%s", i > 0 ? ", " : "");
        text_append_json(out, p->name);
    }
    text_append(out, "], \"description\": \"Which policy.\"}");
}

/* The name chooses the keys beside it. Without a name, which an axis or the command line may bring
 * in, any are allowed. */
static void append_policy(struct text_buffer *out, const struct plugins *plugins)
{
    static const struct param none[] = {{0}};
    const struct policy *p;
    text_append(out, "\"policy\": {\"type\": \"object\", \"description\": "
                     "\"The scheduling policy and its options.\",\n\"properties\": {");
    append_names(out, plugins);
    text_append(out, "},\n\"allOf\": [");
    for (size_t i = 0; (p = find_nth(plugins, i)) != NULL; i++) {
        text_append(out,
                    "%s{\"if\": {\"required\": [\"name\"], \"properties\": {\"name\": {\"const\": ",
                    i > 0 ? ",\n" : "");
        text_append_json(out, p->name);
        text_append(out, "}}}, \"then\": {");
        options_schema(out, p->params != NULL ? p->params : none, "\"name\": {}");
        text_append(out, "}}");
    }
    text_append(out, "]}");
}

/* A sweep's axes may bring in what is required; whole jobs on nodes need no policy. */
static void append_required(struct text_buffer *out)
{
    text_append(out,
                ",\n\"if\": {\"not\": {\"anyOf\": [{\"required\": [\"sweep\"]}, {\"required\": "
                "[\"cluster\"], \"properties\": {\"cluster\": {\"required\": "
                "[\"nodes\"]}}}]}},\n"
                "\"then\": {\"allOf\": [{\"required\": [\"policy\"], \"properties\": "
                "{\"policy\": {\"required\": [\"name\"]}}}, {");
    options_schema_required(out, config_root_params);
    text_append(out, "}]}\n}\n");
}

char *config_schema(const struct plugins *plugins)
{
    struct text_buffer out = {0}, more = {0};
    text_append(&more, "\"$schema\": {\"type\": \"string\", \"description\": "
                       "\"Where an editor finds this schema.\"},\n");
    append_policy(&more, plugins);
    text_append(&more,
                ",\n\"sweep\": {\"description\": \"Many experiments: the product of axes.\", ");
    sweep_axes_schema(&more);
    text_append(&more, "}");
    text_append(&out, "{\n\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                      "\"title\": \"An experiment of dcsim\",\n");
    options_schema(&out, config_root_params, more.text);
    append_required(&out);
    free(more.text);
    return out.text;
}
