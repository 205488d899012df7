/*
 * test_survival.c - quantiles of times of which some were cut off.
 *
 * Pins: the estimate worked out by hand, with ends and cuts at one time; a quantile that is not
 * reached and what it exceeds; that without cuts it is the value at rank ceil(q n), of lists and of
 * histograms. Does not pin: that the estimate is right (tests/stat/test_cut_off.c).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/survival.h"

#include <math.h>
#include <string.h>

/* Kaplan and Meier's own example (1958, table 1): deaths at 0.8, 3.1, 5.4, 9.2, losses at 1.0, 2.7,
 * 7.0, 12.1; S is 7/8, 7/10, 21/40, 21/80. */
static const struct dcs_lifetime paper[] = {{9.2, false}, {1.0, true},  {0.8, false}, {2.7, true},
                                            {3.1, false}, {12.1, true}, {5.4, false}, {7.0, true}};

static double quantile_of(const struct dcs_lifetime *all, size_t n, double q, double *beyond)
{
    struct dcs_lifetime copy[16];
    memcpy(copy, all, n * sizeof *all);
    return dcs_survival_quantile(copy, n, q, beyond);
}

static void worked_out_by_hand(void **state)
{
    (void)state;
    double beyond;
    assert_true(quantile_of(paper, 8, 0.125, &beyond) == 0.8);
    assert_true(quantile_of(paper, 8, 0.126, &beyond) == 3.1);
    assert_true(quantile_of(paper, 8, 0.3, &beyond) == 3.1);
    assert_true(quantile_of(paper, 8, 0.475, &beyond) == 5.4);
    assert_true(quantile_of(paper, 8, 0.7375, &beyond) == 9.2);
    assert_true(isnan(quantile_of(paper, 8, 0.74, &beyond)) && beyond == 12.1);
    /* Of an end and a cut at 2 the end comes first: 1/2 of two, not all of one. */
    const struct dcs_lifetime same[] = {{2, true}, {2, false}};
    assert_true(quantile_of(same, 2, 0.5, &beyond) == 2);
    assert_true(isnan(quantile_of(same, 2, 0.51, &beyond)));
    assert_true(isnan(dcs_survival_quantile(NULL, 0, 0.5, &beyond)) && isnan(beyond));
}

static void without_cuts(void **state)
{
    (void)state;
    struct dcs_lifetime all[100];
    struct dcs_hist h;
    double beyond;
    dcs_hist_init(&h);
    for (int i = 0; i < 100; i++) {
        all[i] = (struct dcs_lifetime){.time = 100 - i};
        dcs_hist_add(&h, 100 - i);
    }
    for (int p = 1; p <= 100; p++) {
        assert_true(dcs_survival_quantile(all, 100, p / 100.0, &beyond) == p);
        assert_true(dcs_survival_hist_quantile(&h, NULL, p / 100.0, &beyond) == p);
    }
}

static void of_histograms(void **state)
{
    (void)state;
    struct dcs_hist ended, cut;
    double beyond;
    dcs_hist_init(&ended);
    dcs_hist_init(&cut);
    for (size_t i = 0; i < 8; i++)
        dcs_hist_add(paper[i].cut ? &cut : &ended, (int64_t)(paper[i].time * 10));
    assert_true(dcs_survival_hist_quantile(&ended, &cut, 0.475, &beyond) == 54);
    assert_true(isnan(dcs_survival_hist_quantile(&ended, &cut, 0.74, &beyond)) && beyond == 121);
    assert_true(isnan(dcs_survival_hist_quantile(NULL, &cut, 0.1, &beyond)) && beyond == 121);
    assert_true(isnan(dcs_survival_hist_quantile(NULL, NULL, 0.1, &beyond)) && isnan(beyond));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_out_by_hand),
        cmocka_unit_test(without_cuts),
        cmocka_unit_test(of_histograms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
