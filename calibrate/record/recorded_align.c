/*
 * recorded_align.c - the places of a sequence in another one; see recorded_sequence.h.
 */
#include "calibrate/record/recorded_sequence.h"

#include <stdlib.h>
#include <string.h>

#define CELLS_MAX                                                                                  \
    (1u << 26) /* beyond, what lies between equal beginnings and ends is one piece                 \
                */

static bool is_equal(const struct cal_place *a, const struct cal_place *b)
{
    return a->kind == b->kind && strcmp(a->function, b->function) == 0;
}

struct alignment {
    const struct cal_sequence *s, *other;
    size_t *match; /* by place of s: 1 + the place of other with the same function; 0: none */
    size_t *stand; /* likewise, of another function too */
};

/* How well a place of one stands for a place of the other. Another kernel counts less than the same
 * function, and more than nothing: cuBLAS takes another function with a fill before it, and the
 * fill after it must not be taken for that one. */
#define SAME_FUNCTION 3
#define OTHER_KERNEL  1

static uint32_t likeness(const struct cal_place *a, const struct cal_place *b)
{
    if (is_equal(a, b))
        return SAME_FUNCTION;
    return a->kind == b->kind && a->kind == CAL_OP_KERNEL ? OTHER_KERNEL : 0;
}

/* The pairs of places, in order, between two equal ends that are most alike (the table of Needleman
 * and Wunsch, whole). Those of the same function are a match; share_out() does the rest. */
static void match_middle(struct alignment *a, size_t begin, size_t end, size_t other_end)
{
    size_t n = end - begin, m = other_end - begin;
    if (n == 0 || m == 0 || n > CELLS_MAX / m)
        return;
    uint32_t *longest = dcs_alloc((n + 1) * (m + 1), sizeof *longest);
    const struct cal_place *x = a->s->places + begin, *y = a->other->places + begin;
    for (size_t i = n; i-- > 0;)
        for (size_t k = m; k-- > 0;) {
            uint32_t *at = &longest[i * (m + 1) + k];
            uint32_t down = at[m + 1], right = at[1];
            uint32_t both = at[m + 2] + likeness(&x[i], &y[k]);
            *at = down > right ? down : right;
            *at = both > *at ? both : *at;
        }
    for (size_t i = 0, k = 0; i < n && k < m;) {
        const uint32_t *at = &longest[i * (m + 1) + k];
        uint32_t alike = likeness(&x[i], &y[k]);
        if (alike > 0 && *at == at[m + 2] + alike) {
            a->stand[begin + i] = begin + k + 1;
            if (is_equal(&x[i], &y[k]))
                a->match[begin + i] = begin + k + 1;
            i++, k++;
        } else if (at[m + 1] >= at[1]) {
            i++;
        } else {
            k++;
        }
    }
    free(longest);
}

static void match_places(struct alignment *a)
{
    size_t n = a->s->count, m = a->other->count, begin = 0;
    const struct cal_place *x = a->s->places, *y = a->other->places;
    while (begin < n && begin < m && is_equal(&x[begin], &y[begin])) {
        a->match[begin] = a->stand[begin] = begin + 1;
        begin++;
    }
    while (n > begin && m > begin && is_equal(&x[n - 1], &y[m - 1])) {
        a->match[n - 1] = a->stand[n - 1] = m;
        n--, m--;
    }
    match_middle(a, begin, n, m);
}

/* What `other` took at places from..until goes to the places begin..end of s, which have no match:
 * one by one if there are as many; without such places, to the one before or behind. */
static void share_out(const struct alignment *a, const int64_t *other, size_t from, size_t until,
                      size_t begin, size_t end, int64_t *ns)
{
    int64_t sum = 0, weights = 0;
    for (size_t k = from; k < until; k++)
        sum += other[k];
    for (size_t i = begin; i < end; i++)
        weights += a->s->places[i].median_ns;
    if (end - begin == until - from) {
        for (size_t i = begin; i < end; i++)
            ns[i] += other[from + i - begin];
        return;
    }
    if (begin == end) {
        ns[begin > 0 ? begin - 1 : begin] += sum;
        return;
    }
    for (size_t i = begin; i < end; i++)
        ns[i] += (int64_t)((double)sum * (double)a->s->places[i].median_ns / (double)weights);
}

static void share_request(const struct alignment *a, const int64_t *other, int64_t *ns)
{
    size_t begin = 0, from = 0;
    for (size_t i = 0; i < a->s->count; i++) {
        if (a->match[i] == 0)
            continue;
        ns[i] += other[a->match[i] - 1];
        share_out(a, other, from, a->match[i] - 1, begin, i, ns);
        begin = i + 1;
        from = a->match[i];
    }
    share_out(a, other, from, a->other->count, begin, a->s->count, ns);
}

size_t cal_sequence_align(const struct cal_sequence *s, const struct cal_sequence *other,
                          int64_t *ns, size_t *stand)
{
    struct alignment a = {s, other, dcs_alloc(s->count, sizeof *a.match),
                          dcs_alloc(s->count, sizeof *a.stand)};
    size_t matched = 0;
    match_places(&a);
    memset(ns, 0, other->requests * s->count * sizeof *ns);
    for (size_t i = 0; i < other->requests; i++) {
        share_request(&a, other->ns + i * other->count, ns + i * s->count);
        for (size_t k = 0; k < s->count; k++)
            if (ns[i * s->count + k] < 1)
                ns[i * s->count + k] = 1;
    }
    for (size_t k = 0; k < s->count; k++)
        matched += a.match[k] != 0;
    if (stand != NULL)
        memcpy(stand, a.stand, s->count * sizeof *stand);
    free(a.match);
    free(a.stand);
    return matched;
}
