/*
 * test_noise.c - pins: what a profile's rows of noise become (each sample over the median of its
 * own kernel, in whichever order the rows lie; quantiles of all of them; mean 1), its clock, and
 * what of both is refused; that the noise of a kernel is a pure function of who it is, has that
 * distribution and comes to nothing where none was measured. That a device takes it: test_host.c.
 */
#include "models/gpu/spatial_load.h"
#include "models/workload/apps.h"
#include "models/profile/profile_schema.h"

#define TEMP_FILE "test_noise"
#include "tests/temp_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct dcs_spatial *load(const char *rows, struct dcs_profile **p, struct dcs_err *err)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fprintf(f,
            "%s%sINSERT INTO profile VALUES ('schema_version', '2'), ('name', 'x'),"
            " ('description', 'x'), ('source', 'x');\n"
            "INSERT INTO device VALUES ('d', 'gpu', 8, 1000, 'x');\n"
            "INSERT INTO application VALUES ('a', 'batch', NULL, 10, 'x');\n"
            "INSERT INTO kernel VALUES ('a', 0, 'task', 1000000, NULL, 'x');\n%s",
            profile_schema_1_sql, profile_schema_2_sql, rows);
    assert_int_equal(fclose(f), 0);
    struct dcs_spatial *s;
    *err = (struct dcs_err){0};
    *p = dcs_spatial_load_profile(file, &s, err);
    return s;
}

static void release(struct dcs_profile *p, struct dcs_spatial *s)
{
    dcs_spatial_free(s);
    dcs_profile_free(p);
}

static void near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.17g, expected %.17g", found, expected);
}

/* Two kernels around 100 and 1000 ns whose rows lie mixed, a third that has one sample only:
 * ratios 0.8, 0.9, 1, 1, 1, 1, 1.1, 1.3 and 1. */
static const char two_kernels[] =
    "INSERT INTO noise VALUES ('a', 1, 'k', 8, 0, 0, 100, 0), ('a', 1, 'k', 4, 0, 0, 1000, 0),"
    " ('a', 1, 'k', 8, 1, 0, 90, 0), ('a', 1, 'k', 4, 1, 0, 1300, 0), ('a', 1, 'k', 8, 2, 0, 110,"
    " 0), ('a', 1, 'k', 4, 2, 0, 800, 0), ('a', 1, 'k', 8, 3, 0, 100, 0),"
    " ('b', 1, 'k', 8, 0, 0, 12345, 0), ('a', 1, 'k', 4, 3, 0, 1000, 0);\n";

static void rows_become_quantiles(void **state)
{
    (void)state;
    struct dcs_profile *p;
    struct dcs_err err;
    struct dcs_spatial *s = load(two_kernels, &p, &err);
    if (s == NULL)
        fail_msg("%s", err.text);
    assert_non_null(s->noise);
    static const double sorted[] = {0.8, 0.9, 1, 1, 1, 1, 1, 1.1, 1.3};
    double sum = 0;
    for (size_t i = 0; i < DCS_NOISE_QUANTILES; i++) {
        assert_true(i == 0 || s->noise[i] >= s->noise[i - 1]);
        sum += s->noise[i];
    }
    near(sum, DCS_NOISE_QUANTILES);
    /* The ends, relative to the middle, are those of the sample. */
    near(s->noise[0] / s->noise[100], sorted[0]);
    near(s->noise[DCS_NOISE_QUANTILES - 1] / s->noise[100], sorted[8]);
    /* The value at (k + 0.5) / 9 is the k-th; 33.5 / 200 lies one half hundredth above the second.
     */
    near(s->noise[33] / s->noise[100], 0.9 + 0.1 * (33.5 / 200 * 9 - 1.5));
    near(dcs_noise_at(s->noise, 0), s->noise[0]);
    near(dcs_noise_at(s->noise, 1), s->noise[DCS_NOISE_QUANTILES - 1]);
    near(dcs_noise_at(s->noise, 0.17), (s->noise[33] + s->noise[34]) / 2);
    release(p, s);
}

static void nothing_measured(void **state)
{
    (void)state;
    struct dcs_profile *p;
    struct dcs_err err;
    struct dcs_spatial *s = load("", &p, &err);
    assert_non_null(s);
    assert_null(s->noise);
    assert_int_equal(s->clock_mhz, 0);
    release(p, s);
    s = load("DROP TABLE noise;", &p, &err);
    if (s != NULL) { /* SQL text may not drop; a database may lack the table */
        assert_null(s->noise);
        release(p, s);
    }
}

static void the_clock(void **state)
{
    (void)state;
    struct dcs_profile *p;
    struct dcs_err err;
    struct dcs_spatial *s =
        load("INSERT INTO profile VALUES ('sm_clock_max_mhz', '1980');", &p, &err);
    assert_non_null(s);
    assert_int_equal(s->clock_mhz, 1980);
    release(p, s);
}

static void refused_rows(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "INSERT INTO noise VALUES ('a', 1, 'k', 8, 0, 0, 0, 0);",
        "INSERT INTO noise VALUES ('a', 1, 'k', 8, 0, 0, 'long', 0);",
        "INSERT INTO noise VALUES ('a', 1, 'k', 0, 0, 0, 10, 0);",
        "INSERT INTO noise VALUES ('a', -1, 'k', 8, 0, 0, 10, 0);",
        "INSERT INTO noise VALUES ('', 1, 'k', 8, 0, 0, 10, 0);",
        "INSERT INTO noise VALUES ('a', 1, '', 8, 0, 0, 10, 0);",
        "INSERT INTO profile VALUES ('sm_clock_max_mhz', 'fast');",
        "INSERT INTO profile VALUES ('sm_clock_max_mhz', '0');",
        "INSERT INTO profile VALUES ('sm_clock_max_mhz', '1980 MHz');",
    };
    static const char *const places[] = {"noise.", "profile."};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dcs_profile *p;
        struct dcs_err err;
        assert_null(load(rows[i], &p, &err));
        assert_null(p);
        if (strstr(err.path, places[i >= 6]) == NULL)
            fail_msg("%s: %s: %s", rows[i], err.path, err.text);
    }
}

/* ---- What is drawn ---- */

static void draws(void **state)
{
    (void)state;
    struct dcs_profile *p;
    struct dcs_err err;
    struct dcs_spatial *s = load(two_kernels, &p, &err);
    assert_non_null(s);
    const struct dcs_spatial *const spatial[] = {s};
    const double *const noise[] = {s->noise}, *const none[] = {NULL};
    struct dcs_app app;
    assert_int_equal(dcs_app_from_profiles(&app, "a", 0, &p, spatial, 1, DCS_TRAP, 1, &err), 0);
    struct dcs_draw draw = {.seed = 5, .replication = 1, .job = 2, .request = 3};
    assert_true(dcs_app_work_ns(&app, 0, 0, &draw) == 1000000);
    app.noise = none;
    assert_true(dcs_app_work_ns(&app, 0, 0, &draw) == 1000000);
    app.noise = noise;
    enum { N = 20000 };
    double sum = 0, below = 0, share = dcs_noise_at(s->noise, 0.1);
    for (draw.request = 0; draw.request < N; draw.request++) {
        int64_t work = dcs_app_work_ns(&app, 0, 0, &draw);
        assert_true(work == dcs_app_work_ns(&app, 0, 0, &draw));
        assert_true((double)work >= 1e6 * s->noise[0] - 1);
        assert_true((double)work <= 1e6 * s->noise[DCS_NOISE_QUANTILES - 1] + 1);
        sum += (double)work;
        below += (double)work < 1e6 * share;
    }
    /* Standard errors: about 0.12 / sqrt(N) = 0.0009 and 0.3 / sqrt(N) = 0.0021; four of them. */
    assert_true(fabs(sum / N / 1e6 - 1) < 0.0036);
    assert_true(fabs(below / N - 0.1) < 0.0085);
    int64_t same = 0;
    for (draw.request = 0; draw.request < 100; draw.request++) {
        struct dcs_draw other = draw;
        other.job++;
        same += dcs_app_work_ns(&app, 0, 0, &draw) == dcs_app_work_ns(&app, 0, 0, &other);
        other = draw;
        other.replication++;
        same += dcs_app_work_ns(&app, 0, 0, &draw) == dcs_app_work_ns(&app, 0, 0, &other);
    }
    assert_true(same < 100); /* some 40 % are the median of a kernel, exactly */
    dcs_app_release(&app);
    release(p, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_become_quantiles),
        cmocka_unit_test(nothing_measured),
        cmocka_unit_test(the_clock),
        cmocka_unit_test(refused_rows),
        cmocka_unit_test(draws),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
