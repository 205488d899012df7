/* report_contest.c - the comparison of all policies with the baseline; see report_figures.h. */
#include "report/page/report_figures.h"

#include "results/compare_verdict.h"

#include <math.h>
#include <stdlib.h>

/* ---- Against the baseline ---- */

/* The systems of a world: the one of the baseline first found, NULL: none. */
static const struct compare_system *baseline_of(const struct report_data *d,
                                                const struct compare_group *world)
{
    for (size_t s = 0; s < world->count; s++)
        if (d->points[world->systems[s] - d->groups.systems].label == d->baseline)
            return world->systems[s];
    return NULL;
}

static void add_difference(struct report_rival *r, const struct dcs_difference *d,
                           enum compare_direction direction)
{
    if (isnan(d->paired.value))
        return;
    bool above = d->verdict == DCS_ABOVE, below = d->verdict == DCS_BELOW;
    bool better = direction == COMPARE_LOWER ? below : above;
    if (above || below) {
        r->better += better;
        r->worse += !better;
    }
    if (r->worlds++ == 0) {
        r->first = *d;
        r->difference = d->paired;
        return;
    }
    double v = d->paired.value;
    struct dcs_estimate *all = &r->difference;
    if (r->worlds == 2)
        all->low = all->high = all->value;
    all->median = true; /* its range does not lie evenly around it */
    all->value += (v - all->value) / (double)r->worlds;
    all->low = fmin(all->low, v);
    all->high = fmax(all->high, v);
}

static int compare_all(struct report_contest *c, struct report_data *d, size_t which,
                       struct dcs_err *err)
{
    struct compare_metric metric;
    struct dcs_err unknown = {0};
    c->ranks[which] = (struct report_rank){.first = SIZE_MAX, .second = SIZE_MAX};
    c->rivals[which] = dcs_alloc(d->labels_count + 1, sizeof *c->rivals[which]);
    if (compare_metric(d->results, report_shown(d, which)->metric, &metric, &unknown) != 0)
        return 0; /* nothing here has it */
    enum compare_direction direction = compare_better(&metric);
    c->better[which] = direction == COMPARE_HIGHER ? 1 : direction == COMPARE_LOWER ? -1 : 0;
    int status = compare_groups_values(&d->groups, d->results, &metric, err);
    for (size_t w = 0; w < d->groups.count && status == 0; w++) {
        const struct compare_group *world = &d->groups.groups[w];
        const struct compare_system *base = world->count > 1 ? baseline_of(d, world) : NULL;
        for (size_t s = 0; s < world->count && base != NULL; s++) {
            const struct compare_system *other = world->systems[s];
            const struct report_point *p = &d->points[other - d->groups.systems];
            if (p->label == d->baseline)
                continue;
            struct dcs_compare_rule rule = {.confidence = 0.95, .median = base->median};
            struct dcs_difference difference;
            double value;
            compare_systems(base, other, &rule, &difference, &value);
            add_difference(&c->rivals[which][p->label], &difference, direction);
            c->any = true;
        }
    }
    compare_metric_release(&metric);
    if (status == 0)
        report_rank(&c->ranks[which], d, which, c->better[which]);
    return status;
}

int report_contest_read(struct report_contest *c, struct report_data *d, struct dcs_err *err)
{
    *c = (struct report_contest){0};
    for (size_t which = 0; which < SHOWN_COUNT; which++)
        if (compare_all(c, d, which, err) != 0) {
            report_contest_release(c);
            return -1;
        }
    return 0;
}

void report_contest_release(struct report_contest *c)
{
    for (size_t which = 0; which < SHOWN_COUNT; which++)
        free(c->rivals[which]);
    *c = (struct report_contest){0};
}

char *report_rival_text(const struct report_rival *r, enum text_unit unit, double like, int better)
{
    struct text_buffer text = {0};
    enum compare_direction direction = better == 0  ? COMPARE_NEITHER
                                       : better > 0 ? COMPARE_HIGHER
                                                    : COMPARE_LOWER;
    const char *good = better == 0 ? "higher" : "better", *bad = better == 0 ? "lower" : "worse";
    text_append(&text, "%s: ", compare_signed(&r->difference, unit, like).at);
    if (r->worlds == 1 && isnan(r->difference.low))
        text_append(&text, "one run, no verdict");
    else if (r->worlds == 1)
        text_append(&text, "%s", compare_verdict_text(&r->first, direction, 0, unit, like).at);
    else if (r->better + r->worse == 0)
        text_append(&text, "no difference shown");
    else if (r->better > 0 && r->worse > 0)
        text_append(&text, "%s in %zu, %s in %zu%s", good, r->better, bad, r->worse,
                    r->better + r->worse < r->worlds ? text_format(" of %zu", r->worlds).at : "");
    else
        text_append(&text, "%s in %zu of %zu", r->worse > 0 ? bad : good,
                    r->worse > 0 ? r->worse : r->better, r->worlds);
    return text.text;
}
