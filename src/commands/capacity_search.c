/* capacity_search.c - see capacity_search.h. */
#include "commands/capacity_search.h"

#include "text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Looks at a value and keeps what was seen in its place. */
static int look(struct capacity_search *s, double value, bool *kept, struct dcs_err *err)
{
    struct capacity_point p = {.value = value};
    if (s->look(s->context, value, &p, err) != 0)
        return -1;
    p.value = value;
    s->points = dcs_grow(s->points, &s->capacity, s->count + 1, sizeof *s->points);
    size_t at = s->count++;
    for (; at > 0 && s->points[at - 1].value > value; at--)
        s->points[at] = s->points[at - 1];
    s->points[at] = p;
    *kept = p.kept == CAPACITY_KEPT;
    return 0;
}

/* Between two values; equal to one of them if nothing is left between. */
static double middle(const struct capacity_search *s, double a, double b)
{
    double low = fmin(a, b), high = fmax(a, b);
    if (s->whole)
        return floor((low + high) / 2);
    if (high - low <= s->resolution * fmax(fabs(low), fabs(high)))
        return low;
    return number_round_real(low + (high - low) / 2);
}

static int bisect(struct capacity_search *s, struct dcs_err *err)
{
    for (;;) {
        double value = middle(s, s->good, s->bad);
        bool kept;
        if (value == fmin(s->good, s->bad))
            return 0;
        if (look(s, value, &kept, err) != 0)
            return -1;
        *(kept ? &s->good : &s->bad) = value;
    }
}

/* Looks into the widest gap between two values, both of which have been looked at. */
static int probe(struct capacity_search *s, double from, double to, struct dcs_err *err)
{
    double widest = 0, value = 0;
    bool kept;
    for (size_t i = 0; i + 1 < s->count; i++) {
        double a = s->points[i].value, b = s->points[i + 1].value, m = middle(s, a, b);
        if (a >= fmin(from, to) && b <= fmax(from, to) && m > a && b - a > widest) {
            widest = b - a;
            value = m;
        }
    }
    return widest > 0 ? look(s, value, &kept, err) : 0;
}

/* Looks at a whole number unless it is outside or has been looked at. */
static int look_beside(struct capacity_search *s, double value, struct dcs_err *err)
{
    bool kept, seen = !s->whole || value < s->low || value > s->high;
    for (size_t i = 0; i < s->count && !seen; i++)
        seen = s->points[i].value == value;
    return seen ? 0 : look(s, value, &kept, err);
}

static void odd(struct capacity_search *s, const struct capacity_point *a,
                const struct capacity_point *b)
{
    if (s->monotone) {
        s->odd[0] = a->value;
        s->odd[1] = b->value;
    }
    s->monotone = false;
}

static void check_order(struct capacity_search *s)
{
    bool metric_rises = s->rises == s->at_least;
    s->monotone = true;
    for (size_t i = 0; i + 1 < s->count; i++) {
        const struct capacity_point *a = &s->points[i], *b = &s->points[i + 1];
        const struct dcs_estimate *lower =
            metric_rises ? &a->seen[0].estimate : &b->seen[0].estimate;
        const struct dcs_estimate *upper =
            metric_rises ? &b->seen[0].estimate : &a->seen[0].estimate;
        bool kept_a = a->kept == CAPACITY_KEPT, kept_b = b->kept == CAPACITY_KEPT;
        if ((s->rises ? kept_a && !kept_b : !kept_a && kept_b) ||
            (!s->several && lower->low > upper->high && !a->seen[0].few && !b->seen[0].few))
            odd(s, a, b);
    }
}

int capacity_search(struct capacity_search *s, struct dcs_err *err)
{
    bool low, high;
    if (look(s, s->low, &low, err) != 0 || look(s, s->high, &high, err) != 0)
        return -1;
    s->end = low && high ? CAPACITY_ALWAYS : !low && !high ? CAPACITY_NEVER : CAPACITY_FOUND;
    s->monotone = true;
    if (s->end != CAPACITY_FOUND)
        return 0;
    s->rises = high;
    s->good = high ? s->high : s->low;
    s->bad = high ? s->low : s->high;
    double good_end = s->good, bad_end = s->bad;
    double away = high ? 1 : -1; /* from what does not keep it */
    if (bisect(s, err) != 0 || look_beside(s, s->good + away, err) != 0 ||
        look_beside(s, s->bad - away, err) != 0 || probe(s, s->good, good_end, err) != 0 ||
        probe(s, s->bad, bad_end, err) != 0)
        return -1;
    check_order(s);
    return 0;
}

void capacity_search_release(struct capacity_search *s)
{
    free(s->points);
    s->points = NULL;
    s->count = s->capacity = 0;
}
