/* compare_baseline.c - see compare_baseline.h. */
#include "results/compare_baseline.h"

#include "options/options.h"
#include "text/table.h"

#include <stdlib.h>
#include <string.h>

#define CUT          "…"
#define SHOWN        5 /* names in an error: it is one line */
#define NAME_COLUMNS 60

/* ---- Names in errors ---- */

/* "elastic (revocation=true)" (0123456789a), ...: cut so that they differ, and can be given so. */
static void append_systems(struct text_buffer *out, const struct compare_system *const *systems,
                           size_t count, bool hashes)
{
    const char **labels = dcs_alloc(count + 1, sizeof *labels);
    struct text *names = dcs_alloc(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++)
        labels[i] = systems[i]->label;
    text_names(labels, count, NAME_COLUMNS, names);
    text_append(out, "%s", "");
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        text_append(out, "%s\"%s\"", i > 0 ? ", " : "", names[i].at);
        if (hashes)
            text_append(out, " (%.11s)", systems[i]->hash);
    }
    if (count > SHOWN)
        text_append(out, " and %zu more", count - SHOWN);
    free(labels);
    free(names);
}

/* ---- In a group ---- */

static bool is_named(const struct compare_system *s, const char *name)
{
    size_t digits = strlen(name);
    bool hash = digits >= 4 && strspn(name, "0123456789abcdef") == digits &&
                strncmp(s->hash, name, digits) == 0;
    return hash || strcmp(s->label, name) == 0 || strcmp(s->policy, name) == 0 ||
           (s->name[0] != '\0' && strcmp(s->name, name) == 0);
}

int compare_baseline_of(const struct compare_group *group, const char *name,
                        const struct compare_system **out, struct dcs_err *err)
{
    const struct compare_system **found = dcs_alloc(group->count + 1, sizeof *found);
    size_t count = 0;
    bool exactly = false;
    for (size_t i = 0; i < group->count && !exactly; i++) {
        exactly = strcmp(group->systems[i]->label, name) == 0;
        if (exactly)
            count = 0;
        if (is_named(group->systems[i], name))
            found[count++] = group->systems[i];
    }
    *out = count > 0 ? found[0] : NULL;
    if (count > 1) {
        struct text_buffer all = {0};
        append_systems(&all, found, count, true);
        dcs_err_at(err, "command line", 0, "--baseline",
                   "\"%.40s\" is each of %.600s: name one by what stands in quotes, or by its hash",
                   name, all.text);
        free(all.text);
    }
    free(found);
    return count > 1 ? -1 : 0;
}

/* ---- By a part of a label ---- */

/* Whether what stands between the cuts of a name stands in a label in this order; whole: with
 * nothing before or behind that was not cut. */
static bool is_cut_from(const char *name, const char *label, bool whole)
{
    const char *at = label;
    for (bool first = true;; first = false) {
        const char *cut = strstr(name, CUT);
        size_t length = cut != NULL ? (size_t)(cut - name) : strlen(name), rest = strlen(at);
        if (rest < length)
            return false;
        if (whole && cut == NULL)
            return strcmp(at + rest - length, name) == 0 && (!first || rest == length);
        const char *found = memmem(at, rest, name, length);
        if (found == NULL || (whole && first && found != at))
            return false;
        if (cut == NULL)
            return true;
        at = found + length;
        name = cut + strlen(CUT);
    }
}

static bool says_something(const char *name)
{
    while (*name == ' ' || strncmp(name, CUT, strlen(CUT)) == 0)
        name += *name == ' ' ? 1 : strlen(CUT);
    return *name != '\0';
}

/* A system for each label that is so; systems: room for all. */
static size_t find_labels(const struct compare_groups *g, const char *name, bool whole,
                          const struct compare_system **systems)
{
    size_t count = 0;
    for (size_t i = 0; i < g->systems_count; i++) {
        bool known = !is_cut_from(name, g->systems[i].label, whole);
        for (size_t k = 0; k < count && !known; k++)
            known = strcmp(systems[k]->label, g->systems[i].label) == 0;
        if (!known)
            systems[count++] = &g->systems[i];
    }
    return count;
}

static void refuse_unknown(const struct compare_groups *g, const char *database, const char *given,
                           const struct compare_system **systems, struct dcs_err *err)
{
    const char **names = dcs_alloc(3 * g->systems_count + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < g->systems_count; i++) {
        names[n++] = g->systems[i].label;
        names[n++] = g->systems[i].policy;
        if (g->systems[i].name[0] != '\0')
            names[n++] = g->systems[i].name;
    }
    const char *near = options_nearest(given, names);
    struct text_buffer all = {0};
    append_systems(&all, systems, find_labels(g, "", false, systems), false);
    dcs_err_at(err, "command line", 0, "--baseline",
               "%.200s holds no experiment \"%.64s\"%s%.64s%s; it holds %.500s", database, given,
               near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", all.text);
    free(all.text);
    free(names);
}

char *compare_baseline_name(const struct compare_groups *g, const char *database, const char *given,
                            struct dcs_err *err)
{
    for (size_t i = 0; i < g->systems_count; i++)
        if (is_named(&g->systems[i], given))
            return dcs_strdup(given);
    const struct compare_system **systems = dcs_alloc(g->systems_count + 1, sizeof *systems);
    char *name = dcs_strdup(given);
    size_t length = strlen(name), count = 0;
    if (length > 2 && strcmp(name + length - 2, " *") == 0) /* the table's mark of overload */
        name[length - 2] = '\0';
    for (int whole = 1; whole >= 0 && count == 0 && says_something(name); whole--)
        count = find_labels(g, name, whole, systems);
    free(name);
    name = count == 1 ? dcs_strdup(systems[0]->label) : NULL;
    struct text_buffer all = {0};
    append_systems(&all, systems, count, false);
    if (count > 1)
        dcs_err_at(err, "command line", 0, "--baseline",
                   "\"%.64s\" is a part of each of %.500s: name one by more of it", given,
                   all.text);
    else if (count == 0)
        refuse_unknown(g, database, given, systems, err);
    free(all.text);
    free(systems);
    return name;
}
