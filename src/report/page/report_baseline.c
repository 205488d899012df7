/* report_baseline.c - see report_baseline.h. */
#include "report/page/report_baseline.h"

#include "options/options.h"
#include "policies/policies.h"
#include "results/results_db.h"

#include <stdlib.h>
#include <string.h>

/* ---- Experiments whose policy has its default options ---- */

/* {"window": 8, ...}; NULL: the policy has an option without a default. Freed by the caller. */
static char *write_defaults(const struct policy *p)
{
    static const struct param none[] = {{.type = PARAM_END}};
    const struct param *table = p->params != NULL ? p->params : none;
    struct dcs_err err = {0};
    void *values = dcs_alloc(1, p->params_size + 1);
    struct options_doc *doc = options_load_text("defaults", "{}", 2, &err);
    struct text_buffer text = {0};
    if (doc != NULL && options_parse(doc, "", table, NULL, values, &err) == 0) {
        options_print(&text, table, values, 0);
        options_release(table, p->params_size, values);
    }
    options_doc_free(doc);
    free(values);
    return text.text;
}

/* What a policy's config says does not change by its defaults. */
static int mark_defaults_of(struct report_data *d, const struct policy *p, struct dcs_err *err)
{
    char *defaults = write_defaults(p);
    if (defaults == NULL)
        return 0;
    sqlite3_stmt *row = results_prepare(
        d->results,
        "SELECT id FROM (SELECT id, json_extract(config, '$.policy') AS is_now FROM experiment "
        "WHERE policy = ?1) WHERE json_patch(is_now, ?2) = is_now",
        err);
    int code = SQLITE_DONE;
    if (row != NULL) {
        sqlite3_bind_text(row, 1, p->name, -1, SQLITE_STATIC);
        sqlite3_bind_text(row, 2, defaults, -1, SQLITE_STATIC);
        while ((code = sqlite3_step(row)) == SQLITE_ROW) {
            struct report_point *q = report_point_of(d, sqlite3_column_int64(row, 0));
            if (q != NULL)
                q->defaults = true;
        }
    }
    sqlite3_finalize(row);
    free(defaults);
    return row == NULL ? -1 : code == SQLITE_DONE ? 0 : results_failed(d->results, err);
}

/* ---- The order of a sweep ---- */

static int read_numbers(struct report_data *d, struct dcs_err *err)
{
    bool has;
    for (size_t i = 0; i < d->count; i++)
        d->points[i].number = UINT64_MAX;
    if (report_has(d, "point", &has, err) != 0)
        return -1;
    if (!has)
        return 0;
    sqlite3_stmt *row = results_prepare(d->results, "SELECT experiment, number FROM point", err);
    if (row == NULL)
        return -1;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        struct report_point *q = report_point_of(d, sqlite3_column_int64(row, 0));
        uint64_t number = (uint64_t)sqlite3_column_int64(row, 1);
        if (q != NULL && number < q->number)
            q->number = number;
    }
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(d->results, err);
}

/* ---- The choice ---- */

struct candidate {
    size_t met; /* experiments */
    bool defaults;
    uint64_t number; /* the least of its points */
};

static bool comes_first(const struct candidate *a, const struct candidate *b)
{
    if (a->met != b->met)
        return a->met > b->met;
    if (a->defaults != b->defaults)
        return a->defaults;
    return a->number < b->number;
}

static struct candidate *list_candidates(const struct report_data *d)
{
    struct candidate *all = dcs_alloc(d->labels_count + 1, sizeof *all);
    for (size_t l = 0; l < d->labels_count; l++)
        all[l] = (struct candidate){0, true, UINT64_MAX};
    for (size_t i = 0; i < d->count; i++) {
        const struct report_point *q = &d->points[i];
        struct candidate *c = &all[q->label];
        c->met++;
        c->defaults = c->defaults && q->defaults;
        c->number = q->number < c->number ? q->number : c->number;
    }
    return all;
}

/* SIZE_MAX: none is meant. */
static size_t find_baseline(const struct report_data *d, const char *name)
{
    struct candidate *all = list_candidates(d);
    size_t best = SIZE_MAX;
    for (size_t l = 0; l < d->labels_count; l++)
        if (name != NULL ? strcmp(d->labels[l], name) == 0
                         : best == SIZE_MAX || comes_first(&all[l], &all[best]))
            best = l;
    /* A policy's name alone: its label that met most worlds. */
    bool exact = best != SIZE_MAX;
    for (size_t i = 0; i < d->count && name != NULL && !exact; i++) {
        const struct report_point *p = &d->points[i];
        if (strcmp(p->system->policy, name) == 0 &&
            (best == SIZE_MAX || comes_first(&all[p->label], &all[best])))
            best = p->label;
    }
    free(all);
    return best;
}

static void refuse_name(const struct report_data *d, const char *name, struct dcs_err *err)
{
    const char **names = dcs_alloc(d->labels_count + d->count + 1, sizeof *names);
    size_t n = 0;
    for (size_t l = 0; l < d->labels_count; l++)
        names[n++] = d->labels[l];
    for (size_t i = 0; i < d->count; i++)
        names[n++] = d->points[i].system->policy;
    const char *near = options_nearest(name, names);
    dcs_err_at(err, "command line", 0, "--baseline", "%s holds no policy \"%.64s\"%s%.64s%s",
               d->results->path, name, near ? "; did you mean \"" : "", near ? near : "",
               near ? "\"?" : "");
    free(names);
}

static void choose_worlds(struct report_data *d)
{
    bool *met = dcs_alloc(d->groups.count + 1, sizeof *met);
    d->ranked = dcs_alloc(d->groups.count + 1, sizeof *d->ranked);
    for (size_t i = 0; i < d->count; i++)
        met[d->points[i].world] = met[d->points[i].world] || d->points[i].label == d->baseline;
    for (size_t i = 0; i < d->count; i++)
        d->ranked[d->points[i].world] =
            d->ranked[d->points[i].world] ||
            (met[d->points[i].world] && d->points[i].label != d->baseline);
    for (size_t w = 0; w < d->groups.count; w++)
        d->ranked_count += d->ranked[w];
    for (size_t w = 0; w < d->groups.count && d->ranked_count == 0; w++)
        d->ranked[w] = met[w];
    free(met);
}

int report_baseline_choose(struct report_data *d, const char *name, struct dcs_err *err)
{
    if (read_numbers(d, err) != 0)
        return -1;
    for (size_t p = 0; policies_all[p] != NULL; p++)
        if (mark_defaults_of(d, policies_all[p], err) != 0)
            return -1;
    d->baseline = find_baseline(d, name);
    if (d->baseline == SIZE_MAX) {
        refuse_name(d, name, err);
        return -1;
    }
    choose_worlds(d);
    return 0;
}
