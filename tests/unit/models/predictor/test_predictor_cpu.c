/*
 * test_predictor_cpu.c - predictors for CPUs (models/predictor/predictor_cpu.h), on the shipped
 * profile.
 *
 * Pins: runs are the same for the same seed and others for another or another name, and lie on the
 * law but for noise, which is even on both sides and which instructions per cycle have none of, on
 * every number of cores and ways, with no more cores than threads; each method learns the duration
 * of a service with an R^2 above 0.7 on runs that it never saw, the network above 0.99; of a
 * written file "best" asks the method with the highest R^2, a name that method alone; predictors of
 * another profile, or of a method that is not there, are refused with what to do; knn5 is the plain
 * mean of five; a trained svm is the solution of its problem (the conditions of Karush, Kuhn and
 * Tucker hold on what it was trained on), the same when it is trained again, and a damaged one is
 * refused; sgd goes as far as its step sizes let it, and ends where its penalty says. Does not pin:
 * R^2 on a real CPU.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "models/predictor/methods.h"
#include "models/predictor/predictor_cpu.h"
#include "models/predictor/predictor_store.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROFILE DCS_SOURCE_DIR "/calibrate/profiles/xeon-e5-2650v4.sql"

static struct dcs_cpu *cpu;
static struct dcs_profile *profile;

static int load(void **state)
{
    (void)state;
    struct dcs_err err;
    profile = dcs_cpu_load_profile(PROFILE, &cpu, &err);
    return profile != NULL ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    dcs_cpu_free(cpu);
    dcs_profile_free(profile);
    return 0;
}

static const struct dcs_cpu_app *asr(void)
{
    return &cpu->apps[dcs_profile_app(profile, "asr") - profile->apps];
}

static void test_runs(void **state)
{
    (void)state;
    struct dcs_sample *a = dcs_cpu_runs(cpu, asr(), 2e7, DCS_REQUEST_DURATION, 1, "asr");
    struct dcs_sample *b = dcs_cpu_runs(cpu, asr(), 2e7, DCS_REQUEST_DURATION, 1, "asr");
    struct dcs_sample *c = dcs_cpu_runs(cpu, asr(), 2e7, DCS_REQUEST_DURATION, 2, "asr");
    assert_memory_equal(a, b, DCS_CPU_RUNS * sizeof *a);
    assert_memory_not_equal(a, c, DCS_CPU_RUNS * sizeof *a);
    /* On more cores than threads it is no faster: all sizes alike, 3 ms. */
    struct dcs_cpu_app three = {
        .threads = 3, .speedup = 2, .ipc = 1, .exponent = 1, .noise = asr()->noise};
    dcs_cpu_derive(cpu, &three);
    struct dcs_sample *few = dcs_cpu_runs(cpu, &three, 3e6, DCS_REQUEST_DURATION, 1, "three");
    struct dcs_sample *ipc = dcs_cpu_runs(cpu, asr(), 2e7, DCS_KERNEL_IPC, 1, "asr");
    struct dcs_sample *other = dcs_cpu_runs(cpu, asr(), 2e7, DCS_REQUEST_DURATION, 1, "bsr");
    assert_memory_not_equal(a, other, DCS_CPU_RUNS * sizeof *a);
    double noise = asr()->noise, sum = 0, least = 1, most = -1;
    uint32_t cores = 0, ways = 0; /* bits */
    for (size_t i = 0; i < DCS_CPU_RUNS; i++) {
        const double *x = a[i].x;
        assert_true(few[i].y >= 3e6 * (1 - noise));
        double rate = dcs_cpu_rate(cpu, asr(), x[DCS_BY_SMS], x[DCS_BY_WAYS], 1);
        double off = a[i].y * rate / (2e7 * dcs_cpu_work(asr(), (int64_t)x[DCS_BY_SIZE])) - 1;
        assert_true(fabs(off) <= noise + 1e-9);
        sum += off;
        least = off < least ? off : least;
        most = off > most ? off : most;
        cores |= 1u << (uint32_t)x[DCS_BY_SMS];
        ways |= 1u << (uint32_t)x[DCS_BY_WAYS];
        assert_memory_equal(ipc[i].x, x, sizeof ipc[i].x);
        assert_true(fabs(ipc[i].y / (asr()->ipc * rate) - 1) <= 1e-12);
    }
    /* Noise is even on both sides (four standard errors), all cores and ways are tried. */
    assert_true(noise > 0 && least < -0.9 * noise && most > 0.9 * noise);
    assert_true(fabs(sum / DCS_CPU_RUNS) <= 4 * noise / sqrt(3.0 * DCS_CPU_RUNS));
    assert_int_equal(cores, (1u << (cpu->cores + 1)) - 2);
    assert_int_equal(ways, (1u << (cpu->ways + 1)) - 2);
    free(a);
    free(b);
    free(c);
    free(few);
    free(ipc);
    free(other);
}

static struct dcs_predictor_row rows[16];
static size_t rows_count;

static void train(enum dcs_target target)
{
    struct dcs_sample *runs = dcs_cpu_runs(cpu, asr(), 2e7, target, 1, "asr");
    for (size_t m = 0; dcs_methods_cpu[m] != NULL; m++) {
        struct dcs_predictor_row *row = &rows[rows_count++];
        struct dcs_rng rng;
        dcs_rng_stream(&rng, 1, 0, DCS_RNG_WEIGHTS, m);
        *row = (struct dcs_predictor_row){.target = target,
                                          .app = "asr",
                                          .task = "",
                                          .train_n = DCS_CPU_RUNS_TRAIN,
                                          .test_n = DCS_CPU_RUNS - DCS_CPU_RUNS_TRAIN};
        dcs_model_train(&row->model, dcs_methods_cpu[m], runs, DCS_CPU_RUNS_TRAIN, &rng);
        row->error = dcs_model_test(&row->model, runs + DCS_CPU_RUNS_TRAIN, row->test_n);
        assert_true(row->error.r2 > 0.7 && row->error.r2 <= 1);
        if (strcmp(dcs_method_name(row->model.method), "net") == 0)
            assert_true(row->error.r2 > 0.99);
    }
    free(runs);
}

static void change(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* Rows that somebody else wrote: each is undone after it. */
static void refuses_rows(const char *path)
{
    static const struct {
        const char *sql, *why;
    } cases[] = {
        {"SET application = 'nobody'", "expected an application of this profile"},
        {"SET target = 'kernel_duration'", "expected request_duration or kernel_ipc"},
        {"SET method = 'cart'", "expected a method for CPUs"},
        {"SET test_r2 = 1.5", "1.5"},
        {"SET model = '1 x'", "of \"asr\""},
    };
    char sql[256];
    struct dcs_err err = {0};
    change(path, "CREATE TABLE kept AS SELECT * FROM predictor");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(sql, sizeof sql,
                 "UPDATE predictor %s WHERE target = 'request_duration' AND method = 'net'",
                 cases[i].sql);
        change(path, sql);
        assert_null(dcs_cpu_predictors_load(path, PROFILE, profile, NULL, &err));
        if (strstr(err.text, cases[i].why) == NULL)
            fail_msg("%s: %s", cases[i].sql, err.text);
        change(path, "DELETE FROM predictor; INSERT INTO predictor SELECT * FROM kept");
    }
    /* The same method twice, in a table that allows it. */
    change(path, "INSERT INTO kept SELECT * FROM predictor; DROP TABLE predictor;"
                 "ALTER TABLE kept RENAME TO predictor");
    assert_null(dcs_cpu_predictors_load(path, PROFILE, profile, dcs_method_named("net"), &err));
    assert_non_null(strstr(err.text, "expected each model once"));
}

/* In whichever order the methods stand, the best is the one with the highest R^2. */
static void in_reverse(const char *path, const struct dcs_predictors_about *about, uint32_t app,
                       const struct dcs_predictor_row *top, const double *x)
{
    struct dcs_predictor_row turned[16];
    struct dcs_err err = {0};
    for (size_t i = 0; i < rows_count; i++)
        turned[i] = rows[rows_count - 1 - i];
    assert_int_equal(dcs_predictors_write(path, about, turned, rows_count, &err), 0);
    struct dcs_cpu_predictors *best = dcs_cpu_predictors_load(path, PROFILE, profile, NULL, &err);
    assert_non_null(best);
    assert_true(dcs_cpu_predictors_ask(best, top->target, app, 130, 5, 7) ==
                dcs_model_ask(&top->model, x));
    dcs_cpu_predictors_free(best);
}

static void test_store(void **state)
{
    (void)state;
    char path[] = "/tmp/test_predictor_cpu_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    unlink(path);
    train(DCS_REQUEST_DURATION);
    train(DCS_KERNEL_IPC);
    struct dcs_err err = {0};
    const struct dcs_predictors_about about = {profile, 1, "a test", NULL};
    assert_int_equal(dcs_predictors_write(path, &about, rows, rows_count, &err), 0);

    uint32_t app = (uint32_t)(dcs_profile_app(profile, "asr") - profile->apps);
    double x[DCS_FEATURES_MAX] = {0};
    x[DCS_BY_SIZE] = 130;
    x[DCS_BY_SMS] = 5;
    x[DCS_BY_WAYS] = 7;
    struct dcs_cpu_predictors *best = dcs_cpu_predictors_load(path, PROFILE, profile, NULL, &err);
    assert_non_null(best);
    for (size_t t = 0; t < 2; t++) {
        const struct dcs_predictor_row *first = &rows[t * rows_count / 2], *top = first;
        for (const struct dcs_predictor_row *r = first; r < first + rows_count / 2; r++) {
            if (r->error.r2 > top->error.r2)
                top = r;
            struct dcs_cpu_predictors *one =
                dcs_cpu_predictors_load(path, PROFILE, profile, r->model.method, &err);
            assert_non_null(one);
            assert_true(dcs_cpu_predictors_ask(one, r->target, app, 130, 5, 7) ==
                        dcs_model_ask(&r->model, x));
            dcs_cpu_predictors_free(one);
        }
        assert_true(dcs_cpu_predictors_ask(best, top->target, app, 130, 5, 7) ==
                    dcs_model_ask(&top->model, x));
        in_reverse(path, &about, app, top, x);
    }
    assert_true(dcs_cpu_predictors_ask(best, DCS_REQUEST_DURATION, app + 1, 130, 5, 7) < 0);
    dcs_cpu_predictors_free(best);

    assert_null(dcs_cpu_predictors_load(path, PROFILE, profile, dcs_method_named("cart"), &err));
    assert_non_null(strstr(err.text, "has no predictors of method \"cart\"; make them with"));
    profile->sha256[0] = profile->sha256[0] == '0' ? '1' : '0';
    assert_null(dcs_cpu_predictors_load(path, PROFILE, profile, NULL, &err));
    assert_non_null(strstr(err.text, "trained on another profile (\"xeon-e5-2650v4\", sha256 "));
    assert_non_null(strstr(err.text, "if they are to serve another file as well"));
    profile->sha256[0] = profile->sha256[0] == '0' ? '1' : '0';
    unlink(path);
    assert_int_equal(dcs_predictors_write(path, &about, rows, rows_count, &err), 0);
    refuses_rows(path);
    for (size_t i = 0; i < rows_count; i++)
        dcs_model_release(&rows[i].model);
    unlink(path);
}

/* Six samples of one feature: the five nearest of 10 are all but the last. */
static void test_knn5(void **state)
{
    (void)state;
    struct dcs_sample samples[6] = {{.y = 1}, {.y = 2}, {.y = 4}, {.y = 8}, {.y = 16}, {.y = 1000}};
    const double sizes[6] = {9, 10, 11, 12, 13, 10000};
    for (int i = 0; i < 6; i++)
        samples[i].x[DCS_BY_SIZE] = sizes[i];
    struct dcs_rng rng = {0};
    struct dcs_model m;
    double x[DCS_FEATURES_MAX] = {[DCS_BY_SIZE] = 10};
    dcs_model_train(&m, dcs_method_named("knn5"), samples, 6, &rng);
    assert_true(fabs(dcs_model_ask(&m, x) - 4) < 1e-6); /* of logarithms */
    dcs_model_release(&m);
}

/* The exponent that sgd finds in y = x^2, over 2, at n sizes from 10 to 1000. */
static double sgd_share(size_t n)
{
    struct dcs_sample *samples = calloc(n, sizeof *samples);
    struct dcs_rng rng;
    struct dcs_model m;
    dcs_rng_stream(&rng, 7, 0, DCS_RNG_WEIGHTS, 1);
    for (size_t i = 0; i < n; i++) {
        double x = 10 * pow(100, (double)i / (double)(n - 1));
        samples[i].x[DCS_BY_SIZE] = x;
        samples[i].y = x * x;
    }
    dcs_model_train(&m, dcs_method_named("sgd"), samples, n, &rng);
    double share = m.v[1 + DCS_BY_SIZE] / 2;
    dcs_model_release(&m);
    free(samples);
    return share;
}

/*
 * Two samples lie at +1 and -1 in units of their deviation, so that each step closes its share of
 * what is left to the weight w: w -> 1 - exp(-sum of the steps), 50 rounds of them. Many samples
 * without noise have the minimum of (w - 1)^2 / 2 + penalty w^2 / 2, at w = 1 / (1 + penalty).
 */
static void test_sgd(void **state)
{
    (void)state;
    double steps = 0;
    for (int t = 1; t <= 2 * 50; t++)
        steps += 0.01 / pow(t, 0.25);
    assert_true(fabs(sgd_share(2) / (1 - exp(-steps)) - 1) < 0.005);
    assert_true(fabs(sgd_share(2000) * (1 + 1e-4) - 1) < 1e-6);
}

/* C = 1, epsilon = 0.1 in units of the target's standard deviation. */
static void test_svm(void **state)
{
    (void)state;
    enum { HEAD = 2 * DCS_FEATURES + 4, VECTOR = DCS_FEATURES + 1, RUNS = 200 };
    struct dcs_sample *runs = dcs_cpu_runs(cpu, asr(), 2e7, DCS_REQUEST_DURATION, 1, "asr");
    struct dcs_rng rng = {0};
    struct dcs_model m, again, read;
    dcs_model_train(&m, dcs_method_named("svm"), runs, RUNS, &rng);
    dcs_model_train(&again, dcs_method_named("svm"), runs, RUNS, &rng);
    assert_int_equal(m.n, again.n);
    assert_memory_equal(m.v, again.v, m.n * sizeof *m.v);

    double sum = 0, unit = m.v[2 * DCS_FEATURES + 1];
    size_t free_ones = 0, bound = 0, none = 0;
    for (const double *at = m.v + HEAD; at < m.v + m.n; at += VECTOR)
        sum += at[DCS_FEATURES];
    assert_true(fabs(sum) < 1e-5);
    for (size_t i = 0; i < RUNS; i++) {
        double coefficient = 0, z[DCS_FEATURES];
        for (size_t f = 0; f < DCS_FEATURES; f++)
            z[f] = (log(fmax(runs[i].x[f], 1)) - m.v[2 * f]) * m.v[2 * f + 1];
        for (const double *at = m.v + HEAD; at < m.v + m.n; at += VECTOR) {
            bool is = true;
            for (size_t f = 0; f < DCS_FEATURES; f++)
                is = is && fabs(at[f] - z[f]) < 1e-6;
            coefficient = is ? at[DCS_FEATURES] : coefficient;
        }
        double above = (log(runs[i].y) - log(dcs_model_ask(&m, runs[i].x))) / unit;
        bool at_bound = fabs(coefficient) > 1 - 1e-6;
        assert_true(fabs(coefficient) <= 1 + 1e-6);
        if (coefficient == 0)
            assert_true(fabs(above) <= 0.1 + 2e-3);
        else if (at_bound)
            assert_true(above * coefficient >= 0.1 - 2e-3);
        else
            assert_true(fabs(above - copysign(0.1, coefficient)) <= 2e-3);
        none += coefficient == 0;
        bound += at_bound;
        free_ones += coefficient != 0 && !at_bound;
    }
    assert_true(none > 10 && bound > 10 && free_ones > 10);

    struct dcs_err err = {0};
    char *text = dcs_model_print(&m);
    assert_int_equal(dcs_model_parse(&read, m.method, text, &err), 0);
    assert_true(dcs_model_ask(&read, runs[0].x) == dcs_model_ask(&m, runs[0].x));
    *strrchr(text, ' ') = '\0';
    assert_int_equal(dcs_model_parse(&again, m.method, text, &err), -1);
    assert_non_null(strstr(err.text, "support vectors"));
    assert_int_equal(dcs_model_parse(&again, m.method, "0 1 0 1 0 1 0 1 0 1 0 1 -1 0", &err), -1);
    assert_non_null(strstr(err.text, "gamma"));
    free(text);
    free(again.v);
    dcs_model_release(&m);
    dcs_model_release(&read);
    free(runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs), cmocka_unit_test(test_knn5),  cmocka_unit_test(test_svm),
        cmocka_unit_test(test_sgd),  cmocka_unit_test(test_store),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
