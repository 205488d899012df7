/*
 * themis.h - which division of a device is better, from slow-downs that are predicted before it is
 * tried (Themis, section VII: equations 9 and 10, algorithm 1).
 *
 * Everything here is a function of its arguments: no host, no time.
 *
 * PSP. An application's slow-down is that by scalability (fewer SMs than the device has) times that
 * by interference (what runs beside it). Its scalability curve is the progress, 1 over the
 * slow-down, over SMs: it begins at 0 with no SM, ends at 1 with all, and is known where the
 * application has run. Between known points it is a straight line (equation 10); each number of SMs
 * that is tried adds a point. The slow-down by interference is taken to be what it is now (equation
 * 9), which holds for small moves only: so no part moves by more than `max_dist` steps.
 *
 * The search is algorithm 1: all ordered pairs of applications, over and over; a step moves from
 * one to the other where that raises the score. The distance is checked before each move: as
 * printed, once a round, a round over many pairs could go beyond it. No part falls below one step.
 */
#ifndef DCSIM_POLICIES_LIB_THEMIS_H
#define DCSIM_POLICIES_LIB_THEMIS_H

#include <stdbool.h>
#include <stdint.h>

/* What an application's kernels have taken on one number of SMs. */
struct themis_point {
    double whole_ns; /* predicted, alone on the whole device */
    double part_ns;  /* predicted, alone on these SMs; 0: it has not run on them */
};

/* An application in a search. */
struct themis_app {
    const struct themis_point *curve; /* by SMs, 0 to all */
    double interference;              /* its slow-down by what runs beside it, >= 1 */
    double weight;                    /* above 0 */
    double target;                    /* of a service: the progress that it needs; 0: none */
    uint32_t rest;                    /* SMs that it has beside its steps */
};

struct themis_search {
    const struct themis_app *apps;
    uint32_t count;
    uint32_t sms, step_sms; /* of the device; of a step */
    uint32_t max_dist;      /* steps, >= 1 */
    double threshold;       /* of unfairness: what is fair enough */
    bool (*is_good)(const struct themis_search *s, const double *slowdown);
    double (*score)(const struct themis_search *s, const double *slowdown);
    double *slowdown; /* scratch, one for each application */
};

/* ---- Scores ---- */

/* Equation 11. */
static inline double themis_unfairness(const struct themis_search *s, const double *slowdown)
{
    double most = 0, least = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        double weighted = slowdown[i] * s->apps[i].weight;
        most = i == 0 || weighted > most ? weighted : most;
        least = i == 0 || weighted < least ? weighted : least;
    }
    return (most - least) / most;
}

/* Themis-Fair: algorithm 2. */
static inline bool themis_is_fair(const struct themis_search *s, const double *slowdown)
{
    return themis_unfairness(s, slowdown) < s->threshold;
}

static inline double themis_score_fair(const struct themis_search *s, const double *slowdown)
{
    return -themis_unfairness(s, slowdown);
}

/* Themis-QoS. The paper says that the progress of the service is to reach its target while that of
 * batch applications is maximised, and prints no function. Here the score is the shortfall of the
 * service that falls short by the largest share of its target, below 0; and where none does, the
 * sum of the batch applications' progresses (equation 3 over them). So QoS goes first, and SMs that
 * services do not need go to batch. The search ends when no step raises that: a criterion that the
 * targets alone would meet would leave batch where it is. */
static inline bool themis_is_never_good(const struct themis_search *s, const double *slowdown)
{
    (void)s;
    (void)slowdown;
    return false;
}

static inline double themis_score_qos(const struct themis_search *s, const double *slowdown)
{
    double worst = 0, batch = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        double progress = 1 / slowdown[i], target = s->apps[i].target;
        double beyond = target > 0 ? progress / target - 1 : 0;
        worst = beyond < worst ? beyond : worst;
        batch += target > 0 ? 0 : progress;
    }
    return worst < 0 ? worst : batch;
}

/* ---- PSP ---- */

/* The progress of a curve with so many SMs (equation 10); 0 to 1, above 0 with SMs. */
static inline double themis_progress(const struct themis_point *curve, uint32_t all, uint32_t sms)
{
    uint32_t low = sms, high = sms;
    while (low > 0 && !(curve[low].part_ns > 0))
        low--;
    while (high < all && !(curve[high].part_ns > 0))
        high++;
    double at_low = low > 0 ? curve[low].whole_ns / curve[low].part_ns : 0;
    double at_high = high < all ? curve[high].whole_ns / curve[high].part_ns : 1;
    at_low = at_low < 1 ? at_low : 1;
    at_high = at_high < 1 ? at_high : 1;
    if (low >= high)
        return at_high;
    return at_low + (at_high - at_low) * (sms - low) / (high - low);
}

/* Equation 9. */
static inline double themis_slowdown(const struct themis_search *s, uint32_t app, uint32_t steps)
{
    const struct themis_app *a = &s->apps[app];
    uint32_t sms = steps * s->step_sms + a->rest;
    return a->interference / themis_progress(a->curve, s->sms, sms < s->sms ? sms : s->sms);
}

static inline void themis_predict(const struct themis_search *s, const uint32_t *steps)
{
    for (uint32_t i = 0; i < s->count; i++)
        s->slowdown[i] = themis_slowdown(s, i, steps[i]);
}

/* ---- The search ---- */

/* Whether a step may move from i to j: i keeps one, and neither is further than max_dist from where
 * it was. */
static inline bool themis_may_move(const struct themis_search *s, const uint32_t *was,
                                   const uint32_t *steps, uint32_t i, uint32_t j)
{
    return i != j && steps[i] > 1 && steps[i] + s->max_dist > was[i] &&
           steps[j] < was[j] + s->max_dist;
}

/* Lines 8 to 16 of algorithm 1: one round over all pairs. True if the score rose. */
static inline bool themis_round(const struct themis_search *s, const uint32_t *was, uint32_t *steps)
{
    bool improved = false;
    themis_predict(s, steps);
    double best = s->score(s, s->slowdown);
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t j = 0; j < s->count; j++) {
            if (!themis_may_move(s, was, steps, i, j))
                continue;
            double of_i = s->slowdown[i], of_j = s->slowdown[j];
            s->slowdown[i] = themis_slowdown(s, i, steps[i] - 1);
            s->slowdown[j] = themis_slowdown(s, j, steps[j] + 1);
            double score = s->score(s, s->slowdown);
            if (score > best) {
                best = score;
                improved = true;
                steps[i]--;
                steps[j]++;
            } else {
                s->slowdown[i] = of_i;
                s->slowdown[j] = of_j;
            }
        }
    return improved;
}

/* Algorithm 1 from `was`: *steps is the division that is found, perhaps the same. */
static inline void themis_find(const struct themis_search *s, const uint32_t *was, uint32_t *steps)
{
    for (uint32_t i = 0; i < s->count; i++)
        steps[i] = was[i];
    do
        themis_predict(s, steps);
    while (!s->is_good(s, s->slowdown) && themis_round(s, was, steps));
}

#endif
