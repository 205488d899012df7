/*
 * test_capacity_search.c - bisection over looks.
 *
 * Pins: the answer for every place of the border between 1 and 100, whole and not, rising and
 * falling, with no more looks than the logarithm says; ends that are alike are said after two
 * looks; an undecided value counts as not kept; orders that are broken are found where the extra
 * looks fall on them, by verdict and by interval; a look that fails ends it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "commands/capacity_search.h"

#include <math.h>

struct world {
    double border; /* kept from here on, or up to here */
    bool rises;
    double undecided_at, broken_from, broken_to, wrong_from, wrong_to, fails_at;
    size_t looks;
};

/* The metric is the value itself, or its negative, with a narrow interval. */
static int look(void *context, double value, struct capacity_point *out, struct dcs_err *err)
{
    struct world *w = context;
    w->looks++;
    if (value == w->fails_at)
        return dcs_err_set(err, "it fails");
    double metric = w->rises ? value : -value;
    if (value >= w->wrong_from && value <= w->wrong_to)
        metric = w->rises ? 1000 : -1000;
    out->seen[0].estimate =
        (struct dcs_estimate){.value = metric, .low = metric - 0.1, .high = metric + 0.1};
    bool kept = w->rises ? value >= w->border : value <= w->border;
    if (value >= w->broken_from && value <= w->broken_to)
        kept = !kept;
    out->kept = value == w->undecided_at ? CAPACITY_UNDECIDED
                : kept                   ? CAPACITY_KEPT
                                         : CAPACITY_BROKEN;
    return 0;
}

static struct capacity_search search(struct world *w, double low, double high, bool whole)
{
    struct capacity_search s = {.low = low,
                                .high = high,
                                .whole = whole,
                                .resolution = 0.01,
                                .at_least = true,
                                .look = look,
                                .context = w};
    struct dcs_err err;
    assert_int_equal(capacity_search(&s, &err), 0);
    return s;
}

static struct world world(double border, bool rises)
{
    return (struct world){.border = border,
                          .rises = rises,
                          .undecided_at = -1,
                          .broken_from = -1,
                          .broken_to = -2,
                          .wrong_from = -1,
                          .wrong_to = -2,
                          .fails_at = -1};
}

static void every_border(void **state)
{
    (void)state;
    for (int rises = 0; rises < 2; rises++)
        for (int border = 2; border < 100; border++) {
            struct world w = world(border, rises);
            struct capacity_search s = search(&w, 1, 100, true);
            assert_int_equal(s.end, CAPACITY_FOUND);
            assert_int_equal(s.rises, rises);
            assert_int_equal((int)s.good, border);
            assert_int_equal((int)s.bad, rises ? border - 1 : border + 1);
            assert_true(s.monotone);
            assert_true(w.looks == s.count && w.looks <= 2 + 7 + 4);
            for (size_t i = 1; i < s.count; i++)
                assert_true(s.points[i].value > s.points[i - 1].value);
            capacity_search_release(&s);
            w = world(border + 0.3, rises);
            s = search(&w, 1, 100, false);
            assert_true(rises ? s.good >= w.border && s.bad < w.border
                              : s.good <= w.border && s.bad > w.border);
            assert_true(fabs(s.good - s.bad) <= 0.01 * fmax(s.good, s.bad));
            assert_true(s.monotone);
            capacity_search_release(&s);
        }
}

static void ends(void **state)
{
    (void)state;
    struct world always = world(0, true), never = world(200, true);
    struct capacity_search s = search(&always, 1, 100, true);
    assert_int_equal(s.end, CAPACITY_ALWAYS);
    assert_int_equal(always.looks, 2);
    capacity_search_release(&s);
    s = search(&never, 1, 100, true);
    assert_int_equal(s.end, CAPACITY_NEVER);
    assert_int_equal(never.looks, 2);
    capacity_search_release(&s);
    struct world next = world(2, true);
    s = search(&next, 1, 2, true);
    assert_int_equal(next.looks, 2);
    assert_true(s.good == 2 && s.bad == 1);
    capacity_search_release(&s);
}

static void undecided(void **state)
{
    (void)state;
    struct world w = world(40, true);
    w.undecided_at = 40;
    struct capacity_search s = search(&w, 1, 100, true);
    assert_true(s.good == 41 && s.bad == 40 && s.monotone);
    capacity_search_release(&s);
}

static void out_of_order(void **state)
{
    (void)state;
    /* 1 100 | 50 25 37 43 40 38 39 | the widest gap above 40 is 50 to 100. */
    struct world w = world(40, true);
    w.broken_from = 70;
    w.broken_to = 80;
    struct capacity_search s = search(&w, 1, 100, true);
    assert_true(s.good == 40 && !s.monotone);
    assert_true(s.odd[0] == 50 && s.odd[1] == 75);
    capacity_search_release(&s);
    /* The next to the border on either side, which the bisection passed over. */
    w = world(40, true);
    w.broken_from = w.broken_to = 41;
    s = search(&w, 1, 100, true);
    assert_true(s.good == 40 && !s.monotone && s.odd[0] == 40 && s.odd[1] == 41);
    capacity_search_release(&s);
    w = world(38, true); /* 1 100 | 50 25 37 43 40 38 */
    w.broken_from = w.broken_to = 36;
    s = search(&w, 1, 100, true);
    assert_true(s.good == 38 && !s.monotone && s.odd[0] == 36 && s.odd[1] == 37);
    capacity_search_release(&s);
    w = world(40, false); /* 1 100 | 50 25 37 43 40 41 */
    w.broken_from = w.broken_to = 39;
    s = search(&w, 1, 100, true);
    assert_true(s.good == 40 && !s.monotone && s.odd[0] == 39 && s.odd[1] == 40);
    capacity_search_release(&s);
    /* Below it is 1 to 25: 13 keeps what 25 does not. */
    w = world(40, true);
    w.broken_from = 10;
    w.broken_to = 15;
    s = search(&w, 1, 100, true);
    assert_true(s.good == 40 && !s.monotone);
    assert_true(s.odd[0] == 13 && s.odd[1] == 25);
    capacity_search_release(&s);
    /* Everything is kept or not as it should be, but at 75 the metric is far above that of 100. */
    w = world(40, true);
    w.wrong_from = w.wrong_to = 75;
    s = search(&w, 1, 100, true);
    assert_true(!s.monotone && s.odd[0] == 75 && s.odd[1] == 100);
    capacity_search_release(&s);
}

static void a_look_fails(void **state)
{
    (void)state;
    struct world w = world(40, true);
    w.fails_at = 25;
    struct capacity_search s = {.low = 1, .high = 100, .whole = true, .look = look, .context = &w};
    struct dcs_err err;
    assert_int_equal(capacity_search(&s, &err), -1);
    assert_string_equal(err.text, "it fails");
    capacity_search_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_border), cmocka_unit_test(ends),         cmocka_unit_test(undecided),
        cmocka_unit_test(out_of_order), cmocka_unit_test(a_look_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
