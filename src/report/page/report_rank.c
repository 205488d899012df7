/* report_rank.c - see report_rank.h. */
#include "report/page/report_rank.h"

#include "report/page/report_shown.h"
#include "results/compare_verdict.h"

#include <math.h>
#include <stdlib.h>

struct report_caveats report_caveats_of(const struct report_data *d, size_t label)
{
    struct report_caveats c = {0};
    for (size_t i = 0; i < d->count; i++) {
        const struct report_point *q = &d->points[i];
        if (q->label != label || !d->ranked[q->world])
            continue;
        c.worlds++;
        c.infeasible += q->verdict == REPORT_INFEASIBLE;
        c.overloaded += q->system->overloaded;
        c.hypothetical += q->system->hypothetical[0] != '\0';
        c.violates += q->verdict == REPORT_VIOLATES;
        c.undecided += q->verdict == REPORT_UNDECIDED;
        c.meets += q->verdict == REPORT_MEETS && !q->system->overloaded;
    }
    return c;
}

/* A label's number: the mean, and in each ranked world. */
struct standing {
    bool ranked;
    double value;
    double *worlds; /* NaN: none */
};

static struct standing *read_standings(const struct report_data *d, size_t which)
{
    const struct report_shown *s = report_shown(d, which);
    struct standing *all = dcs_alloc(d->labels_count + 1, sizeof *all);
    for (size_t l = 0; l < d->labels_count; l++) {
        all[l].value = report_label_value(d, l, s).value;
        all[l].ranked = true;
        all[l].worlds = dcs_alloc(d->groups.count + 1, sizeof(double));
        for (size_t w = 0; w < d->groups.count; w++)
            all[l].worlds[w] = (double)NAN;
    }
    for (size_t i = 0; i < d->count; i++)
        all[d->points[i].label].worlds[d->points[i].world] =
            report_shown_value(&d->points[i], s).value;
    for (size_t l = 0; l < d->labels_count; l++)
        for (size_t w = 0; w < d->groups.count; w++)
            if (d->ranked[w] && isnan(all[l].worlds[w]))
                all[l].ranked = false;
    return all;
}

/* Leaves out what does not meet its SLA everywhere, if anything does. */
static bool keep_meeting(const struct report_data *d, struct standing *all)
{
    bool some = false, dropped = false;
    bool *meets = dcs_alloc(d->labels_count + 1, sizeof *meets);
    for (size_t l = 0; l < d->labels_count; l++) {
        struct report_caveats c = report_caveats_of(d, l);
        meets[l] = c.worlds > 0 && c.meets == c.worlds;
        some = some || (all[l].ranked && meets[l]);
    }
    for (size_t l = 0; l < d->labels_count && some; l++) {
        dropped = dropped || (all[l].ranked && !meets[l]);
        all[l].ranked = all[l].ranked && meets[l];
    }
    free(meets);
    return dropped;
}

/* The ranked label with the best number, without one; the baseline before its equals. */
static size_t find_first(const struct report_data *d, const struct standing *all, size_t without,
                         int better)
{
    size_t first = SIZE_MAX;
    for (size_t l = 0; l < d->labels_count; l++) {
        if (!all[l].ranked || l == without)
            continue;
        double lead = first == SIZE_MAX ? 1 : better * (all[l].value - all[first].value);
        if (lead > 0 || (lead == 0 && l == d->baseline))
            first = l;
    }
    return first;
}

static size_t count_leads(const struct report_data *d, const struct standing *all, size_t first,
                          int better)
{
    size_t leads = 0;
    for (size_t w = 0; w < d->groups.count; w++) {
        bool beaten = !d->ranked[w];
        for (size_t l = 0; l < d->labels_count; l++)
            beaten =
                beaten || (all[l].ranked && better * (all[l].worlds[w] - all[first].worlds[w]) > 0);
        leads += !beaten;
    }
    return leads;
}

static const struct compare_system *system_of(const struct report_data *d, size_t label)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].label == label && d->ranked[d->points[i].world])
            return d->points[i].system;
    return NULL;
}

/* The first and the second of one world, over the replications that both have. */
static void compare_leaders(struct report_rank *r, const struct report_data *d)
{
    const struct compare_system *first = system_of(d, r->first), *second = system_of(d, r->second);
    struct dcs_compare_rule rule = {.confidence = 0.95, .median = first->median};
    struct dcs_difference difference;
    double value;
    compare_systems(second, first, &rule, &difference, &value);
    r->paired = !isnan(difference.paired.low);
    r->shown = difference.verdict == DCS_ABOVE || difference.verdict == DCS_BELOW;
}

void report_rank(struct report_rank *r, const struct report_data *d, size_t which, int better)
{
    *r = (struct report_rank){.first = SIZE_MAX, .second = SIZE_MAX, .worlds = d->ranked_count};
    struct standing *all = read_standings(d, which);
    for (size_t l = 0; l < d->labels_count; l++)
        r->left_out += !all[l].ranked;
    if (which != SHOWN_LATE)
        r->meeting = keep_meeting(d, all);
    for (size_t l = 0; l < d->labels_count; l++)
        r->ranked += all[l].ranked;
    if (better != 0 && d->ranked_count > 0)
        r->first = find_first(d, all, SIZE_MAX, better);
    if (r->first != SIZE_MAX) {
        r->second = find_first(d, all, r->first, better);
        for (size_t l = 0; l < d->labels_count; l++)
            r->equal += l != r->first && all[l].ranked && all[l].value == all[r->first].value;
        r->leads = count_leads(d, all, r->first, better);
    }
    if (r->second != SIZE_MAX && d->ranked_count == 1)
        compare_leaders(r, d);
    for (size_t l = 0; l < d->labels_count; l++)
        free(all[l].worlds);
    free(all);
}
