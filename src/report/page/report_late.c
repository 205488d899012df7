/* report_late.c - see report_late.h. */
#include "report/page/report_late.h"

#include "runs/explain_lines.h"
#include "report/page/report_origin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_OF_LABEL 6 /* the rest is in the folded table */

static const char *heading_of(const struct report_data *d, const struct report_point *p)
{
    return d->groups.groups[p->world].heading;
}

/* ---- Reading ---- */

/* A part by its name in the database: what stands in the line. A later program may know others. An
 * application that is in its own way is called so, and its lines add up over applications. */
static void take_part(struct report_late_line *line, const char *name, const char *whom)
{
    whom = strcmp(whom, line->application) == 0 ? "others of its application" : whom;
    const char *words = name;
    for (int part = 0; part < EXPLAIN_PARTS; part++)
        if (strcmp(name, explain_parts[part]) == 0) {
            words = explain_words[part];
            line->own = explain_is_own((enum explain_part)part);
        }
    struct text_buffer what = {0};
    text_append(&what, "%s%s%s", words, whom[0] != '\0' ? " " : "", whom);
    line->what = what.text;
}

static const struct report_point *point_of(const struct report_data *d, int64_t id)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].system->id == id)
            return &d->points[i];
    return NULL;
}

/* Rows come by experiment. */
static void take_rows(struct report_late *l, const struct report_data *d,
                      const struct report_texts *t)
{
    const struct report_point *point = NULL;
    int64_t id = 0;
    l->each = dcs_alloc(t->count + 1, sizeof *l->each);
    for (size_t i = 0; i < t->count; i++) {
        char **row = t->rows + i * t->columns;
        int64_t next = strtoll(row[0], NULL, 10);
        if (point == NULL || next != id) {
            id = next;
            point = point_of(d, id);
        }
        if (point == NULL)
            continue; /* it has no run */
        struct report_late_line *line = &l->each[l->each_count++];
        *line = (struct report_late_line){.point = point,
                                          .label = point->label,
                                          .application = dcs_strdup(row[1]),
                                          .ms = strtod(row[4], NULL),
                                          .share = strtod(row[5], NULL),
                                          .requests = strtoull(row[6], NULL, 10),
                                          .enough = strtoull(row[7], NULL, 10)};
        take_part(line, row[2], row[3]);
    }
}

static int by_label_and_what(const void *a, const void *b)
{
    const struct report_late_line *x = a, *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return strcmp(x->what, y->what);
}

static int by_share(const void *a, const void *b)
{
    const struct report_late_line *x = a, *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return strcmp(x->what, y->what);
}

/* Points lie in the order of their experiments. */
static int by_experiment(const void *a, const void *b)
{
    const struct report_late_line *x = a, *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    if (x->point != y->point)
        return x->point->world != y->point->world ? (x->point->world < y->point->world ? -1 : 1)
               : x->point < y->point              ? -1
                                                  : 1;
    int order = strcmp(x->application, y->application);
    return order != 0 ? order : by_share(a, b);
}

/* Sums are taken in this order. */
static int by_what_and_experiment(const void *a, const void *b)
{
    int order = by_label_and_what(a, b);
    return order != 0 ? order : by_experiment(a, b);
}

/* Sums the lines of each label. */
static void pool(struct report_late *l)
{
    qsort(l->each, l->each_count, sizeof *l->each, by_what_and_experiment);
    l->labels = dcs_alloc(l->each_count + 1, sizeof *l->labels);
    for (size_t i = 0; i < l->each_count; i++) {
        const struct report_late_line *from = &l->each[i];
        size_t n = l->labels_count;
        bool begins = n == 0 || by_label_and_what(&l->labels[n - 1], from) != 0;
        if (begins)
            l->labels[l->labels_count++] = (struct report_late_line){.point = from->point,
                                                                     .label = from->label,
                                                                     .what = dcs_strdup(from->what),
                                                                     .own = from->own};
        l->pooled = l->pooled || !begins;
        struct report_late_line *to = &l->labels[l->labels_count - 1];
        to->ms += from->ms;
        to->requests += from->requests;
        to->enough += from->enough;
    }
    for (size_t i = 0, n; i < l->labels_count; i += n) {
        double all = 0;
        for (n = 0; i + n < l->labels_count && l->labels[i + n].label == l->labels[i].label; n++)
            all += l->labels[i + n].ms;
        for (size_t k = 0; k < n; k++)
            l->labels[i + k].share = l->labels[i + k].ms / all;
    }
    qsort(l->labels, l->labels_count, sizeof *l->labels, by_share);
    qsort(l->each, l->each_count, sizeof *l->each, by_experiment);
}

/* Rows: experiment, runs, first and last replication. */
static void take_looked(struct report_late *l, const struct report_data *d,
                        const struct report_texts *t)
{
    l->looked = dcs_alloc(t->count + 1, sizeof *l->looked);
    for (size_t i = 0; i < t->count; i++) {
        char **row = t->rows + i * t->columns;
        const struct report_point *point = point_of(d, strtoll(row[0], NULL, 10));
        if (point != NULL)
            l->looked[l->experiments++] =
                (struct report_looked){point, strtoull(row[1], NULL, 10),
                                       strtoull(row[2], NULL, 10), strtoull(row[3], NULL, 10)};
    }
}

int report_late_read(struct report_late *l, const struct report_data *d, struct dcs_err *err)
{
    *l = (struct report_late){0};
    struct report_texts t;
    bool has;
    if (report_has(d, "late_summary", &has, err) != 0)
        return -1;
    if (!has)
        return 0;
    if (report_texts(&t, d,
                     "SELECT experiment, application, part, whom, ms, share, requests, enough FROM "
                     "late_summary WHERE ms > 0 ORDER BY experiment, application, part, whom",
                     SIZE_MAX, err) != 0)
        return -1;
    take_rows(l, d, &t);
    report_texts_release(&t);
    if (report_texts(&t, d,
                     "SELECT experiment, count(DISTINCT replication), min(replication), "
                     "max(replication) FROM late_time GROUP BY experiment ORDER BY experiment",
                     SIZE_MAX, err) != 0) {
        report_late_release(l);
        return -1;
    }
    take_looked(l, d, &t);
    report_texts_release(&t);
    pool(l);
    return 0;
}

static void release_lines(struct report_late_line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(lines[i].application);
        free(lines[i].what);
    }
    free(lines);
}

void report_late_release(struct report_late *l)
{
    release_lines(l->each, l->each_count);
    release_lines(l->labels, l->labels_count);
    free(l->looked);
    *l = (struct report_late){0};
}

const struct report_late_line *report_late_first(const struct report_late *l, size_t label)
{
    const struct report_late_line *first = NULL;
    for (size_t i = 0; i < l->labels_count; i++) {
        const struct report_late_line *line = &l->labels[i];
        if (line->label == label && !line->own && (first == NULL || line->enough > first->enough))
            first = line;
    }
    return first;
}

void report_late_say_looked(struct page *p, const struct report_late *l, size_t label)
{
    uint64_t runs = 0, all = 0, first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < l->experiments; i++) {
        const struct report_looked *at = &l->looked[i];
        if (label != SIZE_MAX && at->point->label != label)
            continue;
        runs += at->runs;
        all += at->point->runs;
        first = at->first < first ? at->first : first;
        last = at->last > last ? at->last : last;
    }
    if (runs >= all)
        return;
    page_raw(p,
             " These are late requests of %" PRIu64 " of %" PRIu64 " runs, where dcsim explain "
             "--keep has looked: replication",
             runs, all);
    if (first == last)
        page_raw(p, " %" PRIu64 ".", first);
    else
        page_raw(p, "s from %" PRIu64 " to %" PRIu64 ".", first, last);
}

/* ---- The section ---- */

static void write_cells(struct page *p, const struct report_late_line *line)
{
    page_cell(p, line->what);
    page_cell(p, text_value(line->share, TEXT_PERCENT).at);
    page_cell(p, text_format("%" PRIu64, line->requests).at);
    page_cell(p, line->own ? "-" : text_format("%" PRIu64, line->enough).at);
    page_row_close(p);
}

static void write_labels(struct page *p, const struct report_data *d, const struct report_late *l)
{
    static const char *const heads[] = {"policy", "<where the time went", "share", "requests",
                                        "in time without it"};
    size_t of_label = 0, left_out = 0, rows = 0;
    page_table_open(p, "Time of late requests, from arrival to end", heads, 5);
    for (size_t i = 0; i < l->labels_count; i++) {
        const struct report_late_line *line = &l->labels[i];
        of_label = i > 0 && line->label == l->labels[i - 1].label ? of_label + 1 : 0;
        if ((of_label >= SHOWN_OF_LABEL && l->pooled) || rows == REPORT_ROWS_MAX) {
            left_out++;
            continue;
        }
        page_row_open(p, d->labels[line->label]);
        write_cells(p, line);
        rows++;
    }
    page_table_close(p);
    page_raw(p,
             "<p class=\"note\">Of the requests of %zu of %zu experiments that dcsim explain "
             "--keep has looked at.",
             l->experiments, d->count);
    report_late_say_looked(p, l, SIZE_MAX);
    if (left_out > 0)
        page_raw(p, " %zu more rows are left out.", left_out);
    page_raw(p, "</p>\n");
}

static void write_each(struct page *p, const struct report_data *d, const struct report_late *l)
{
    static const char *const heads[] = {"experiment", "<application", "<where the time went",
                                        "share",      "requests",     "in time without it"};
    page_fold_open(p, "late", "Late requests of each experiment and application");
    page_table_open(p, "Time of late requests of each application", heads, 6);
    for (size_t i = 0; i < l->each_count && i < REPORT_ROWS_MAX; i++) {
        const struct report_late_line *line = &l->each[i];
        const char *heading = heading_of(d, line->point);
        struct text_buffer name = {0};
        text_append(&name, "%s%s%s", line->point->system->label, heading[0] ? ", " : "", heading);
        page_row_open(p, name.text);
        page_cell(p, line->application);
        write_cells(p, line);
        free(name.text);
    }
    page_table_close(p);
    if (l->each_count > REPORT_ROWS_MAX)
        page_raw(p,
                 "<p class=\"note\">The first %d of %zu rows; <code>dcsim export results.db "
                 "late_summary --csv</code> prints all.</p>\n",
                 REPORT_ROWS_MAX, l->each_count);
    page_fold_close(p);
}

void report_late_write(struct page *p, const struct report_data *d, const struct report_late *l)
{
    if (l->each_count == 0)
        return;
    page_raw(p, "<section aria-labelledby=\"late\"><h2 id=\"late\">What made requests "
                "late</h2>\n");
    write_labels(p, d, l);
    if (l->pooled)
        write_each(p, d, l);
    page_raw(p, "</section>\n");
}
