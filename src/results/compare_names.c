/* compare_names.c - see compare_names.h. */
#include "results/compare_names.h"

#include "options/options.h"

#include <stdlib.h>
#include <string.h>

static char *text_of(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return dcs_strdup(text != NULL ? text : "");
}

/* ---- Keys of the configs ---- */

void compare_leaves_release(struct compare_leaves *l)
{
    for (size_t i = 0; i < l->count; i++) {
        for (size_t s = 0; s < l->systems; s++)
            free(l->keys[i].values[s]);
        free(l->keys[i].values);
        free(l->keys[i].key);
    }
    free(l->keys);
    *l = (struct compare_leaves){0};
}

void compare_bind_keys(sqlite3_stmt *row, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct text_buffer path = {0};
        text_append(&path, "$.%s", keys[i]);
        sqlite3_bind_text(row, (int)i + 1, path.text, -1, SQLITE_TRANSIENT);
        free(path.text);
    }
}

static int by_id(const void *key, const void *element)
{
    int64_t id = *(const int64_t *)key, other = ((const struct compare_system *)element)->id;
    return id < other ? -1 : id > other;
}

char *compare_plain_key(const char *path)
{
    char *key = dcs_alloc(strlen(path) + 1, 1), *to = key;
    for (const char *from = strncmp(path, "$.", 2) == 0 ? path + 2 : path; *from != '\0'; from++)
        if (*from != '"')
            *to++ = *from;
    return key;
}

/* Steps through rows (experiment, key, value) in the order of the keys. */
static int read_leaves(struct compare_leaves *l, const struct results *r, const char *sql,
                       const char *const *keys, size_t keys_count, const struct compare_groups *g,
                       struct dcs_err *err)
{
    *l = (struct compare_leaves){.systems = g->systems_count};
    sqlite3_stmt *row = results_prepare(r, sql, err);
    if (row == NULL)
        return -1;
    compare_bind_keys(row, keys, keys_count);
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(row, 0);
        const char *path = (const char *)sqlite3_column_text(row, 1);
        char *key = compare_plain_key(path != NULL ? path : "");
        if (l->count == 0 || strcmp(l->keys[l->count - 1].key, key) != 0) {
            l->keys = dcs_grow(l->keys, &l->capacity, l->count + 1, sizeof *l->keys);
            l->keys[l->count++] =
                (struct compare_leaf){dcs_strdup(key), dcs_alloc(l->systems + 1, sizeof(char *))};
        }
        free(key);
        const struct compare_system *s =
            bsearch(&id, g->systems, g->systems_count, sizeof *s, by_id);
        char **values = l->keys[l->count - 1].values;
        if (s != NULL && values[s - g->systems] == NULL)
            values[s - g->systems] = text_of(row, 2);
    }
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(r, err);
}

#define LEAF_VALUE "CASE t.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE t.atom END"
#define LEAVES     "WHERE t.type NOT IN ('object', 'array')"

/* json_remove(e.config, ...): the config without what may differ. */
void compare_append_world(struct text_buffer *sql, size_t keys_count)
{
    text_append(sql, "json_remove(e.config, '$.name', '$.description', '$.outputs', "
                     "'$.replications', '$.until', '$.predictors'");
    for (size_t i = 0; i < keys_count; i++)
        text_append(sql, ", ?%zu", i + 1);
    text_append(sql, ")");
}

/* Of the keys that were named: everything below them. */
int compare_leaves_named(struct compare_leaves *l, const struct results *r, const char *const *keys,
                         size_t keys_count, const struct compare_groups *g, struct dcs_err *err)
{
    struct text_buffer sql = {0};
    for (size_t i = 0; i < keys_count; i++)
        text_append(&sql,
                    "%sSELECT e.id AS id, t.fullkey AS key, " LEAF_VALUE
                    " AS value FROM experiment e, json_tree(e.config, ?%zu) t " LEAVES,
                    i > 0 ? " UNION ALL " : "", i + 1);
    text_append(&sql, " ORDER BY key, id");
    int status = read_leaves(l, r, sql.text, keys, keys_count, g, err);
    free(sql.text);
    return status;
}

/* Of all others: those that are not the same everywhere. */
int compare_leaves_varying(struct compare_leaves *l, const struct results *r,
                           const char *const *keys, size_t keys_count,
                           const struct compare_groups *g, struct dcs_err *err)
{
    struct text_buffer sql = {0};
    text_append(&sql, "WITH leaf AS MATERIALIZED (SELECT e.id AS id, t.fullkey AS key, "
                      "" LEAF_VALUE " AS value FROM experiment e, json_tree(");
    compare_append_world(&sql, keys_count);
    text_append(&sql, ") t " LEAVES "), varying AS (SELECT key FROM leaf GROUP BY key HAVING "
                      "count(DISTINCT value) > 1 OR count(*) < (SELECT count(*) FROM "
                      "experiment)) SELECT id, key, value FROM leaf JOIN varying USING (key) "
                      "ORDER BY key, id");
    int status = read_leaves(l, r, sql.text, keys, keys_count, g, err);
    free(sql.text);
    return status;
}

/* ---- Labels ---- */

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static const char *value_of(const struct compare_groups *g, const struct compare_leaf *leaf,
                            const struct compare_system *of)
{
    return leaf->values[of - g->systems];
}

/* Whether the name of who decides tells its values apart: "elastic", "easy+fgd". */
static bool is_decider(const struct compare_leaf *leaf)
{
    return strcmp(leaf->key, "policy.name") == 0 || strcmp(leaf->key, "cluster.queue.order") == 0 ||
           strcmp(leaf->key, "cluster.queue.placement") == 0;
}

static bool is_option(const struct compare_leaf *leaf)
{
    return strncmp(leaf->key, "policy.", 7) == 0 && strcmp(leaf->key + 7, "name") != 0;
}

/* Whether a key tells systems apart; of a policy's option: systems of that policy. */
static bool tells(const struct compare_groups *g, const struct compare_system *const *systems,
                  size_t count, const struct compare_leaf *leaf, const struct compare_system *of)
{
    for (size_t i = 0; i < count; i++)
        if ((!is_option(leaf) || strcmp(systems[i]->policy, of->policy) == 0) &&
            !same(value_of(g, leaf, systems[i]), value_of(g, leaf, of)))
            return true;
    return false;
}

/* One system for each policy and set of values that there are. */
struct variants {
    const struct compare_system **systems;
    size_t count;
    bool by_policy; /* labels begin with the policy's name */
};

static bool same_variant(const struct compare_groups *g, const struct compare_leaves *named,
                         const struct compare_system *a, const struct compare_system *b)
{
    bool alike = strcmp(a->policy, b->policy) == 0;
    for (size_t k = 0; k < named->count && alike; k++)
        alike = same(value_of(g, &named->keys[k], a), value_of(g, &named->keys[k], b));
    return alike;
}

static struct variants find_variants(const struct compare_groups *g,
                                     const struct compare_leaves *named)
{
    struct variants v = {.systems = dcs_alloc(g->systems_count + 1, sizeof *v.systems)};
    for (size_t i = 0; i < g->systems_count; i++) {
        bool known = false;
        for (size_t k = 0; k < v.count && !known; k++)
            known = same_variant(g, named, v.systems[k], &g->systems[i]);
        if (!known)
            v.systems[v.count++] = &g->systems[i];
    }
    for (size_t k = 0; k < named->count; k++)
        v.by_policy = v.by_policy || is_decider(&named->keys[k]);
    return v;
}

/* Whether another policy was never run with this value: then the policies differ in it, too. */
static bool others_lack(const struct compare_groups *g, const struct variants *v,
                        const struct compare_leaf *leaf, const struct compare_system *of)
{
    for (size_t i = 0; i < v->count; i++) {
        bool has = strcmp(v->systems[i]->policy, of->policy) == 0;
        for (size_t k = 0; k < v->count && !has; k++)
            has = strcmp(v->systems[k]->policy, v->systems[i]->policy) == 0 &&
                  same(value_of(g, leaf, v->systems[k]), value_of(g, leaf, of));
        if (!has)
            return true;
    }
    return false;
}

/* Whether a value stands in a system's label. */
static bool in_label(const struct compare_groups *g, const struct variants *v,
                     const struct compare_leaf *leaf, const struct compare_system *of)
{
    bool predictor = strcmp(leaf->key, "predictor") == 0;
    if (!v->by_policy || !(is_option(leaf) || predictor))
        return tells(g, v->systems, v->count, leaf, of);
    size_t variants = 0, alike = 0, without = 0;
    for (size_t i = 0; i < v->count; i++) {
        if (strcmp(v->systems[i]->policy, of->policy) != 0)
            continue;
        const char *value = value_of(g, leaf, v->systems[i]);
        variants++;
        without += value == NULL;
        alike += same(value, value_of(g, leaf, of));
    }
    if (alike == variants)
        return predictor && others_lack(g, v, leaf, of);
    return without > 0 || 2 * alike <= variants;
}

static char *label_of(const struct compare_groups *g, const struct variants *v,
                      const struct compare_leaves *named, const struct compare_system *of)
{
    struct text_buffer label = {0}, details = {0};
    text_append(&label, "%s", "");
    text_append(&details, "%s", "");
    for (size_t k = 0; k < named->count; k++) {
        const struct compare_leaf *leaf = &named->keys[k];
        const char *value = value_of(g, leaf, of);
        bool option = strncmp(leaf->key, "policy.", 7) == 0;
        if (is_decider(leaf))
            text_append(&label, "%s", label.length == 0 ? of->policy : "");
        else if (value != NULL && (named->count == 1 || in_label(g, v, leaf, of)))
            text_append(&details, "%s%s=%s", details.length > 0 ? ", " : "",
                        option ? leaf->key + 7 : leaf->key, value);
    }
    if (of->gpu[0] != '\0')
        text_append(&details, "%smeasured", details.length > 0 ? ", " : "");
    if (label.length == 0)
        text_append(&label, "%s", details.length > 0 ? details.text : of->hash);
    else if (details.length > 0)
        text_append(&label, " (%s)", details.text);
    free(details.text);
    return label.text;
}

void compare_labels(struct compare_groups *g, const struct compare_leaves *named)
{
    struct variants v = find_variants(g, named);
    for (size_t i = 0; i < g->systems_count; i++)
        g->systems[i].label = label_of(g, &v, named, &g->systems[i]);
    free(v.systems);
}

void compare_twins(const struct compare_group *group)
{
    for (size_t i = 0; i + 1 < group->count; i++) {
        struct compare_system *a = group->systems[i], *b = group->systems[i + 1];
        size_t n = strlen(b->label);
        if (strncmp(a->label, b->label, n) != 0 || (a->label[n] != '\0' && a->label[n] != ' '))
            continue;
        struct compare_system *both[2] = {a, b};
        for (size_t k = a->label[n] == ' ' ? 1 : 0; k < 2; k++) {
            struct text_buffer label = {0};
            text_append(&label, "%s [%.11s]", both[k]->label, both[k]->hash);
            free(both[k]->label);
            both[k]->label = label.text;
        }
    }
}

/* ---- Headings ---- */

static void append_model(struct text_buffer *text, int model)
{
    if (model > 0)
        text_append(text, "model %d", model);
    else
        text_append(text, "an unknown model");
}

char *compare_heading(const struct compare_groups *g, const struct compare_leaves *varying,
                      const struct compare_system *of)
{
    struct text_buffer heading = {0};
    text_append(&heading, "%s", "");
    const struct compare_system **all = dcs_alloc(g->systems_count + 1, sizeof *all);
    for (size_t i = 0; i < g->systems_count; i++)
        all[i] = &g->systems[i];
    for (size_t i = 0; i < g->systems_count && heading.length == 0; i++)
        if (all[i]->model != of->model)
            append_model(&heading, of->model);
    for (size_t k = 0; k < varying->count; k++) {
        const struct compare_leaf *leaf = &varying->keys[k];
        const char *value = value_of(g, leaf, of);
        if (value != NULL && tells(g, all, g->systems_count, leaf, of))
            text_append(&heading, "%s%s=%s", heading.length > 0 ? ", " : "", leaf->key, value);
    }
    free(all);
    return heading.text;
}
