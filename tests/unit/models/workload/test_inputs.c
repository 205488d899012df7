/*
 * test_inputs.c - pins what a config may say of input sizes and what it may not; the shares of the
 * sizes, worked out by hand; that a request's size depends on seed, replication, job and request
 * and on nothing else, and comes as often as its share says (four standard errors). Does not pin:
 * what a request of a size takes (test_sizes.c).
 */
#include "models/workload/inputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t measured[] = {1, 2, 4, 10};
#define MEASURED (sizeof measured / sizeof *measured)

static struct dcs_input make(const char *text)
{
    struct dcs_err err = {0};
    struct dcs_input_spec spec;
    struct dcs_input in;
    if (dcs_input_parse(&spec, text, &err) != 0)
        fail_msg("%s: %s", text, err.text);
    if (dcs_input_init(&in, &spec, measured, MEASURED, &err) != 0)
        fail_msg("%s: %s", text, err.text);
    dcs_input_spec_release(&spec);
    return in;
}

static void check(const char *text, size_t count, const int64_t *sizes, const double *shares)
{
    struct dcs_input in = make(text);
    assert_int_equal(in.count, count);
    for (size_t i = 0; i < count; i++) {
        double off = in.sizes[i].share - shares[i];
        assert_int_equal(in.sizes[i].size, sizes[i]);
        assert_true(off < 1e-12 && off > -1e-12);
    }
    assert_true(in.sizes[count - 1].until == 1);
    dcs_input_release(&in);
}

static void shares(void **state)
{
    (void)state;
    /* Of the 9 from 1 to 10: up to 1.5, 3, 7. */
    check("uniform", 4, measured, (const double[]){0.5 / 9, 1.5 / 9, 4.0 / 9, 3.0 / 9});
    check("uniform 2-10", 3, measured + 1, (const double[]){1.0 / 8, 4.0 / 8, 3.0 / 8});
    check("uniform  2-9", 2, measured + 1, (const double[]){0.5, 0.5});
    /* 1, 2, 4 are equally far apart: the outer ones get half. */
    check("log_uniform 1-4", 3, measured, (const double[]){0.25, 0.5, 0.25});
    check("uniform 4-4", 1, measured + 2, (const double[]){1});
    check("3,8, 1", 3, (const int64_t[]){1, 3, 8}, (const double[]){1.0 / 3, 1.0 / 3, 1.0 / 3});
}

static void texts(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct dcs_input_spec spec;
    static const char *const bad[] = {
        "",
        "Uniform",
        "uniform16-256",
        "uniform 16",
        "uniform 16-",
        "uniform 5-4",
        "uniform 0-4",
        "uniform 1-4 ",
        "log_uniform 1.5-4",
        "1,,2",
        "1,2,",
        "0",
        "-3",
        "1,2,1",
        "9999999999999999",
        "defaults",
        "default ",
        "1 2",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (dcs_input_parse(&spec, bad[i], &err) == 0)
            fail_msg("\"%s\" was taken", bad[i]);
        assert_non_null(strstr(err.text, "expected \"default\", "));
    }
    assert_int_equal(dcs_input_parse(&spec, "default", &err), 0);
    assert_int_equal(spec.kind, DCS_INPUT_DEFAULT);
    assert_int_equal(dcs_input_parse(&spec, "uniform 5-9", &err), 0);
    struct dcs_input in;
    assert_int_equal(dcs_input_init(&in, &spec, measured, MEASURED, &err), -1);
    assert_non_null(
        strstr(err.text, "no size that was measured lies in 5-9; they go from 1 to 10"));
}

#define DRAWS 100000

static void draws(void **state)
{
    (void)state;
    struct dcs_input in = make("uniform");
    uint64_t counts[MEASURED] = {0}, same[3] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        const struct dcs_draw draw = {.seed = 7, .replication = 1, .job = 3, .request = i};
        const struct dcs_draw others[] = {
            {.seed = 8, .replication = 1, .job = 3, .request = i},
            {.seed = 7, .replication = 2, .job = 3, .request = i},
            {.seed = 7, .replication = 1, .job = 4, .request = i},
        };
        const struct dcs_input_size *size = dcs_input_draw(&in, &draw);
        assert_ptr_equal(size, dcs_input_draw(&in, &draw));
        counts[size - in.sizes]++;
        for (size_t k = 0; k < 3; k++)
            same[k] += dcs_input_draw(&in, &others[k]) == size;
    }
    double alike = 0; /* two draws that do not depend on each other */
    for (size_t i = 0; i < MEASURED; i++) {
        double share = in.sizes[i].share, off = (double)counts[i] - DRAWS * share;
        alike += share * share;
        assert_true(off * off < 16 * DRAWS * share * (1 - share));
    }
    for (size_t k = 0; k < 3; k++) {
        double off = (double)same[k] - DRAWS * alike;
        assert_true(off * off < 16 * DRAWS * alike * (1 - alike));
    }
    dcs_input_release(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares),
        cmocka_unit_test(texts),
        cmocka_unit_test(draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
