/*
 * test_themis_search.c - the search of Themis' engine in random cases.
 *
 * Pins: of themis-fair and themis-qos, over random curves, weights, targets and divisions: the
 * score never falls in a round, and rises where something moved; no part is ever further than
 * max_dist from where it was, nor below one step; steps are conserved; a division that is good
 * enough stays; where the search ends no allowed step raises the score; a curve lies between its
 * points, and passes through them. Does not pin: what a policy makes of it (unit/test_themis).
 */
#include "policies/lib/themis.h"
#include "des/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 4000, APPS = 5, SMS = 132, STEP = 8, STEPS = SMS / STEP };

struct random_case {
    struct themis_point curves[APPS][SMS + 1];
    struct themis_app apps[APPS];
    double slowdown[APPS];
    uint32_t was[APPS];
    struct themis_search search;
};

static double draw(struct dcs_rng *rng, double low, double high)
{
    return low + (high - low) * (double)dcs_rng_below(rng, 1000000) / 1e6;
}

/* An application that gains by SMs up to a number of them. */
static void draw_app(struct dcs_rng *rng, struct random_case *c, uint32_t i)
{
    double needs = draw(rng, 1, SMS);
    for (uint32_t sms = 1; sms <= SMS; sms++)
        if (dcs_rng_below(rng, 20) == 0) {
            double progress = sms < needs ? sms / needs : 1;
            c->curves[i][sms] = (struct themis_point){1e6, 1e6 / progress * draw(rng, 0.9, 1.1)};
        }
    c->apps[i] = (struct themis_app){
        .curve = c->curves[i],
        .interference = dcs_rng_below(rng, 3) == 0 ? 1 : draw(rng, 1, 3),
        .weight = draw(rng, 0.05, 1),
        .target = dcs_rng_below(rng, 2) == 0 ? 0 : draw(rng, 0.1, 1.2),
        .rest = i == 0 ? SMS % STEP : 0,
    };
}

static void draw_case(struct dcs_rng *rng, struct random_case *c, bool qos)
{
    memset(c, 0, sizeof *c);
    uint32_t count = 2 + (uint32_t)dcs_rng_below(rng, APPS - 1);
    for (uint32_t i = 0; i < count; i++) {
        draw_app(rng, c, i);
        c->was[i] = 1;
    }
    for (uint32_t left = STEPS - count; left > 0; left--)
        c->was[dcs_rng_below(rng, count)]++;
    c->search = (struct themis_search){.apps = c->apps,
                                       .count = count,
                                       .sms = SMS,
                                       .step_sms = STEP,
                                       .max_dist = 1 + (uint32_t)dcs_rng_below(rng, 8),
                                       .threshold = draw(rng, 0, 0.5),
                                       .is_good = qos ? themis_is_never_good : themis_is_fair,
                                       .score = qos ? themis_score_qos : themis_score_fair,
                                       .slowdown = c->slowdown};
}

static double score_of(const struct random_case *c, const uint32_t *steps)
{
    themis_predict(&c->search, steps);
    return c->search.score(&c->search, c->slowdown);
}

static void check_division(const struct random_case *c, const uint32_t *steps)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < c->search.count; i++) {
        uint32_t far = steps[i] > c->was[i] ? steps[i] - c->was[i] : c->was[i] - steps[i];
        assert_true(steps[i] >= 1 && far <= c->search.max_dist);
        sum += steps[i];
    }
    assert_int_equal(sum, STEPS);
}

static void check_end(const struct random_case *c, const uint32_t *steps)
{
    double score = score_of(c, steps);
    if (c->search.is_good(&c->search, c->slowdown))
        return;
    for (uint32_t i = 0; i < c->search.count; i++)
        for (uint32_t j = 0; j < c->search.count; j++) {
            uint32_t other[APPS];
            memcpy(other, steps, sizeof other);
            if (!themis_may_move(&c->search, c->was, steps, i, j))
                continue;
            other[i]--;
            other[j]++;
            assert_true(score_of(c, other) <= score);
        }
}

static void rounds_and_searches(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 11, 0, DCS_RNG_POLICY, 0);
    static struct random_case c;
    uint32_t moved = 0, stayed = 0;
    for (int n = 0; n < CASES; n++) {
        draw_case(&rng, &c, n % 2 == 0);
        uint32_t steps[APPS] = {0}, found[APPS] = {0};
        memcpy(steps, c.was, sizeof steps);
        double score = score_of(&c, steps);
        bool good = c.search.is_good(&c.search, c.slowdown);
        for (bool more = true; more;) {
            more = themis_round(&c.search, c.was, steps);
            check_division(&c, steps);
            double next = score_of(&c, steps);
            assert_true(more ? next > score : next == score);
            score = next;
        }
        themis_find(&c.search, c.was, found);
        check_division(&c, found);
        check_end(&c, found);
        assert_true(score_of(&c, found) >= score_of(&c, c.was));
        bool same = memcmp(found, c.was, sizeof found) == 0;
        assert_true(!good || same);
        moved += !same;
        stayed += good;
    }
    assert_true(moved > CASES / 4 && stayed > CASES / 50);
}

static void curves(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 12, 0, DCS_RNG_POLICY, 0);
    static struct random_case c;
    for (int n = 0; n < 200; n++) {
        draw_case(&rng, &c, false);
        for (uint32_t sms = 1; sms <= SMS; sms++) {
            double progress = themis_progress(c.curves[0], SMS, sms);
            const struct themis_point *p = &c.curves[0][sms];
            assert_true(progress > 0 && progress <= 1);
            if (p->part_ns > 0 && sms < SMS)
                assert_true(progress == fmin(1, p->whole_ns / p->part_ns));
        }
        assert_true(themis_progress(c.curves[0], SMS, SMS) == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_and_searches),
        cmocka_unit_test(curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
