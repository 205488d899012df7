/* list_policies.c - see list_policies.h. */
#include "commands/list_policies.h"

#include "config/config_tables.h"
#include "gangs/gang.h"
#include "options/options.h"
#include "policies/policies.h"
#include "text/table.h"

#include <stdlib.h>
#include <string.h>

#define INDENT 13

/* "window=32"; "name" of an option without a default. Freed by the caller. */
static char *describe_option(const struct policy *p, const struct param *row)
{
    const struct param table[2] = {*row};
    struct dcs_err err = {0};
    struct text_buffer json = {0}, text = {0};
    void *values = dcs_alloc(1, p->params_size);
    struct options_doc *doc = options_load_text("defaults", "{}", 2, &err);
    if (doc != NULL && options_parse(doc, "", table, NULL, values, &err) == 0) {
        options_print_members(&json, table, values, 0);
        options_release(table, p->params_size, values);
    }
    const char *value = json.text != NULL ? strchr(json.text, ':') : NULL;
    text_append(&text, "%s%s%s", row->name, value != NULL ? "=" : "",
                value != NULL ? value + 2 : "");
    options_doc_free(doc);
    free(values);
    free(json.text);
    return text.text;
}

static void list_options(FILE *out, const struct policy *p)
{
    size_t column = 0;
    for (const struct param *row = p->params; row != NULL && row->type != PARAM_END; row++) {
        char *option = describe_option(p, row);
        size_t length = strlen(option);
        if (column == 0)
            column = (size_t)fprintf(out, "%*soptions: %s", INDENT, "", option);
        else if (column + 2 + length < REPORT_WIDTH)
            column += (size_t)fprintf(out, ", %s", option);
        else
            column = (size_t)fprintf(out, ",\n%*s%s", INDENT + 9, "", option) - 2;
        free(option);
    }
    if (column > 0)
        fputc('\n', out);
}

static void list_policy(FILE *out, const struct policy *p)
{
    fprintf(out, "%-12s %s\n%*ssource: %s\n", p->name, p->summary, INDENT, "", p->source);
    list_options(out, p);
}

static void list_choices(FILE *out, const char *key, const char *const *names)
{
    fprintf(out, "%*s%s:", INDENT, "", key);
    for (size_t i = 0; names[i] != NULL; i++)
        fprintf(out, "%s %s", i > 0 ? "," : "", names[i]);
    fputc('\n', out);
}

void list_policies(FILE *out, const struct plugins *plugins)
{
    for (size_t i = 0; policies_all[i] != NULL; i++)
        list_policy(out, policies_all[i]);
    for (size_t i = 0; i < plugins->count; i++)
        list_policy(out, plugins->items[i].policy);
    fprintf(out,
            "\n%*swhole jobs (workload.trace[].as = \"gangs\") have an order and a placement:\n",
            INDENT, "");
    list_choices(out, "cluster.queue.order", config_queue_orders);
    list_choices(out, "cluster.queue.placement", gang_placements);
}
