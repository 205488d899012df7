/*
 * sweep_groups.c - see sweep_summary.h: a sweep of many points by the values of its axes.
 *
 * An axis of more values than there are lines for it is shown in ranges of about as many values
 * each. Means, the median and the lowest are over the points, each of which counts alike.
 */
#include "report/console/sweep_summary.h"
#include "text/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of values, over all axes; 40 lines less title, header, totals and notes. */
#define LINES_MAX 24

enum {
    COLUMN_POINTS,
    COLUMN_OVERLOADED,
    COLUMN_VIOLATE,
    COLUMN_WITHIN,
    COLUMN_LOWEST,
    COLUMN_P99,
    COLUMN_UTILISATION,
    COLUMN_BATCH,
    COLUMNS
};
static const struct {
    const char *title;
    int width;
} columns[COLUMNS] = {{"points", 10}, {"overloaded", 12}, {"violate", 9},      {"within SLA", 12},
                      {"lowest", 10}, {"p99", 9},         {"utilisation", 13}, {"batch/s", 9}};

struct totals {
    uint64_t points, runs, done, failed, missing, overloaded, violate, undecided, unreached, judged;
};

/* What points have in common: values `first` to `last` of an axis. */
struct group {
    size_t axis, first, last;
    struct totals totals;
    struct text cells[COLUMNS];
};

struct groups {
    const struct sweep *sweep;
    const struct report_point *points;
    uint64_t count;
    double *values; /* room for one of each point */
    struct group *all;
    size_t all_count;
};

static void count_point(struct totals *t, const struct report_point *p)
{
    t->points++;
    t->runs += p->runs;
    t->failed += p->state == REPORT_FAILED;
    t->missing += p->state == REPORT_MISSING;
    t->unreached += p->unreached;
    if (p->state != REPORT_DONE)
        return;
    t->done++;
    t->overloaded += p->overloaded;
    t->violate += p->violates;
    t->undecided += p->undecided;
    t->judged += p->has_sla;
}

static bool is_in(const struct groups *g, const struct group *group, const struct report_point *p)
{
    size_t value = sweep_axes_index(&g->sweep->axes, p->point, group->axis);
    return value >= group->first && value <= group->last;
}

/* Values of what is at `offset` in the points of a group, in ascending order. How many. */
static size_t sort_values(struct groups *g, const struct group *group, size_t offset)
{
    size_t n = 0;
    for (uint64_t i = 0; i < g->count; i++) {
        const struct report_point *p = &g->points[i];
        const struct dcs_estimate *e = (const void *)((const char *)p + offset);
        if (p->state == REPORT_DONE && !isnan(e->value) && is_in(g, group, p))
            g->values[n++] = e->value;
    }
    dcs_sort_doubles(g->values, n);
    return n;
}

static struct text mean_text(const struct groups *g, size_t n, enum text_unit unit)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += g->values[i];
    return n > 0 ? text_value(sum / (double)n, unit) : text_format("%s", "");
}

static void put_totals(struct group *group)
{
    const struct totals *t = &group->totals;
    group->cells[COLUMN_POINTS] = text_format("%" PRIu64, t->points);
    if (t->done < t->points)
        group->cells[COLUMN_POINTS] = text_format("%" PRIu64 " of %" PRIu64, t->done, t->points);
    group->cells[COLUMN_OVERLOADED] = text_format("%" PRIu64, t->overloaded);
    if (t->judged > 0)
        group->cells[COLUMN_VIOLATE] = text_format("%" PRIu64, t->violate);
}

static void fill_group(struct groups *g, struct group *group)
{
    struct text *cells = group->cells;
    struct totals *t = &group->totals;
    for (uint64_t i = 0; i < g->count; i++)
        if (is_in(g, group, &g->points[i]))
            count_point(t, &g->points[i]);
    put_totals(group);
    size_t n = sort_values(g, group, offsetof(struct report_point, sla_met));
    cells[COLUMN_WITHIN] = mean_text(g, n, TEXT_PERCENT);
    if (n > 0)
        cells[COLUMN_LOWEST] = text_value(g->values[0], TEXT_PERCENT);
    n = sort_values(g, group, offsetof(struct report_point, p99));
    if (n > 0)
        cells[COLUMN_P99] =
            text_value(0.5 * g->values[(n - 1) / 2] + 0.5 * g->values[n / 2], TEXT_TIME);
    n = sort_values(g, group, offsetof(struct report_point, utilisation));
    cells[COLUMN_UTILISATION] = mean_text(g, n, TEXT_PERCENT);
    n = sort_values(g, group, offsetof(struct report_point, throughput));
    cells[COLUMN_BATCH] = mean_text(g, n, TEXT_NUMBER);
}

static bool say_the_same(const struct group *a, const struct group *b)
{
    bool same = a->axis == b->axis && a->totals.done == a->totals.points &&
                b->totals.done == b->totals.points;
    for (size_t c = COLUMN_OVERLOADED; c < COLUMNS; c++)
        same = same && strcmp(a->cells[c].at, b->cells[c].at) == 0;
    return same;
}

/* The last group becomes part of the one before it where both say the same; its cells stay those of
 * a single value until put_totals(). */
static void fold_last(struct groups *g)
{
    struct group *last = &g->all[g->all_count - 1];
    if (g->all_count < 2 || !say_the_same(last - 1, last))
        return;
    last[-1].last = last->last;
    last[-1].totals.points += last->totals.points;
    last[-1].totals.done += last->totals.done;
    last[-1].totals.overloaded += last->totals.overloaded;
    last[-1].totals.violate += last->totals.violate;
    g->all_count--;
}

/* The most lines an axis may have for all of them to have LINES_MAX; two at least. */
static size_t lines_of_axis(const struct sweep_axes *a)
{
    for (size_t most = LINES_MAX; most > 2; most--) {
        size_t lines = 0;
        for (size_t i = 0; i < a->axes_count; i++)
            lines += a->lengths[i] < most ? a->lengths[i] : most;
        if (lines <= LINES_MAX)
            return most;
    }
    return 2;
}

static void make_groups(struct groups *g)
{
    const struct sweep_axes *a = &g->sweep->axes;
    size_t most = lines_of_axis(a);
    g->all = dcs_alloc(a->axes_count * most + 1, sizeof *g->all);
    g->values = dcs_alloc(g->count + 1, sizeof *g->values);
    for (size_t axis = 0; axis < a->axes_count; axis++) {
        size_t length = a->lengths[axis], lines = length < most ? length : most;
        for (size_t i = 0; i < lines; i++) {
            struct group *group = &g->all[g->all_count];
            *group = (struct group){
                .axis = axis, .first = i * length / lines, .last = (i + 1) * length / lines - 1};
            fill_group(g, group);
            if (group->totals.points == 0) /* of another shard */
                continue;
            g->all_count++;
            fold_last(g);
        }
    }
    for (size_t i = 0; i < g->all_count; i++)
        put_totals(&g->all[i]);
}

/* "load=0.2", or of several values "load=0.2 … 0.6". Freed by the caller. */
static char *name_group(const struct sweep *s, const struct group *group)
{
    char *first = sweep_axis_label(s, group->axis, group->first);
    if (group->first == group->last)
        return first;
    char *last = sweep_axis_label(s, group->axis, group->last);
    size_t key = strcspn(first, "=") + 1;
    bool alone = s->axes.keys_count == s->axes.axes_count && strncmp(first, last, key) == 0;
    struct text_buffer out = {0};
    text_append(&out, "%s … %s", first, alone ? last + key : last);
    free(first);
    free(last);
    return out.text;
}

/* The name comes last, as those of points do. */
static void print_groups(FILE *out, const struct groups *g)
{
    for (size_t c = 0; c < COLUMNS; c++)
        report_cell(out, text_format("%s", columns[c].title), columns[c].width);
    fputs("  points with\n", out);
    for (size_t i = 0; i < g->all_count; i++) {
        const struct group *group = &g->all[i];
        if (i > 0 && group->axis != g->all[i - 1].axis)
            fputc('\n', out);
        for (size_t c = 0; c < COLUMNS; c++)
            report_cell(out, group->cells[c], columns[c].width);
        char *name = name_group(g->sweep, group);
        fputs("  ", out);
        text_put(out, name);
        fputc('\n', out);
        free(name);
    }
}

static void print_totals(FILE *out, const struct totals *t)
{
    struct text_buffer line = {0};
    text_append(&line, "%" PRIu64 " runs of %" PRIu64 " points: %" PRIu64 " overloaded", t->runs,
                t->points, t->overloaded);
    if (t->judged > 0)
        text_append(&line, ", %" PRIu64 " violating an SLA, %" PRIu64 " undecided", t->violate,
                    t->undecided);
    const struct {
        uint64_t n;
        const char *what;
    } others[] = {{t->failed, "failed"},
                  {t->missing, "missing"},
                  {t->unreached, "with an interval wider than until.half_width"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].n > 0)
            text_append(&line, ", %" PRIu64 " %s", others[i].n, others[i].what);
    text_append(&line, "%s", ".");
    text_paragraph(out, line.text, 2);
    free(line.text);
}

void report_sweep_groups(FILE *out, const struct sweep *sweep, const struct report_point *points,
                         uint64_t count)
{
    struct groups g = {.sweep = sweep, .points = points, .count = count};
    struct totals totals = {0};
    for (uint64_t i = 0; i < count; i++)
        count_point(&totals, &points[i]);
    report_sweep_title(out, sweep, count);
    make_groups(&g);
    print_groups(out, &g);
    fputc('\n', out);
    print_totals(out, &totals);
    text_paragraph(out,
                   "A line is over all points with the value. Overloaded, violate: points whose "
                   "requests came faster than they were served, or of which a service violates its "
                   "SLA. Within SLA: mean and lowest of the points; p99: their median; "
                   "utilisation, batch/s: means. --all-points prints a line for each point.",
                   2);
    report_sweep_hypothetical(out, points, count);
    free(g.all);
    free(g.values);
}
