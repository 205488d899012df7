/* survival.c - see survival.h. */
#include "des/survival.h"

#include <math.h>
#include <stdlib.h>

/* S, as it falls. */
struct survival {
    double share, left; /* left: still under way */
};

/* A hair more than 1 - q, as dcs_hist_quantile() counts: 0.07 of 100 values is the seventh. */
static bool reaches(const struct survival *s, double q)
{
    return s->share <= (1 - q) + 0x1p-40;
}

static void end_some(struct survival *s, double count)
{
    s->share = s->left > count ? s->share * ((s->left - count) / s->left) : 0;
    s->left -= count;
}

static int by_time(const void *left, const void *right)
{
    const struct dcs_lifetime *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (int)a->cut - (int)b->cut;
}

double dcs_survival_quantile(struct dcs_lifetime *all, size_t n, double q, double *beyond)
{
    DCS_ASSERT(q > 0 && q <= 1);
    struct survival s = {1, (double)n};
    if (n > 0)
        qsort(all, n, sizeof *all, by_time);
    *beyond = n > 0 ? all[n - 1].time : (double)NAN;
    for (size_t i = 0; i < n; i++) {
        if (all[i].cut) {
            s.left--;
            continue;
        }
        end_some(&s, 1);
        if (reaches(&s, q))
            return all[i].time;
    }
    return (double)NAN;
}

/* The low end of the highest bucket that holds something. */
static int64_t highest_low(const struct dcs_hist *h)
{
    uint32_t i = DCS_HIST_BUCKETS - 1;
    while (i > 0 && h->bucket[i] == 0)
        i--;
    return dcs_hist_bucket_low(i);
}

/* As dcs_hist_quantile() says it. */
static double value_of(const struct dcs_hist *h, uint32_t i)
{
    int64_t low = dcs_hist_bucket_low(i);
    int64_t middle = low + (dcs_hist_bucket_low(i + 1) - low) / 2;
    return (double)(middle < h->min ? h->min : middle > h->max ? h->max : middle);
}

double dcs_survival_hist_quantile(const struct dcs_hist *ended, const struct dcs_hist *cut,
                                  double q, double *beyond)
{
    bool none = ended == NULL || ended->count == 0;
    *beyond = none ? (double)NAN : (double)ended->max;
    if (cut == NULL || cut->count == 0)
        return none ? (double)NAN : (double)dcs_hist_quantile(ended, q);
    *beyond = fmax(*beyond, (double)highest_low(cut));
    if (none)
        return (double)NAN;
    struct survival s = {1, (double)ended->count + (double)cut->count};
    for (uint32_t i = 0; i < DCS_HIST_BUCKETS; i++) {
        if (ended->bucket[i] > 0) {
            end_some(&s, (double)ended->bucket[i]);
            if (reaches(&s, q))
                return value_of(ended, i);
        }
        s.left -= (double)cut->bucket[i];
    }
    return (double)NAN;
}
