/*
 * test_predictor_store.c - pins, on a made-up profile: which kernels of requests of different sizes
 * are one task; the samples and features that its tables give (counters between and beyond the
 * sizes that have them); that predictors come back from their file as they were trained, answer by
 * position and size, and are the same bytes each time; that a file of another profile, rows of
 * strangers and hostile tables are refused, and what is no file of predictors is not replaced.
 */
#include "models/predictor/methods.h"
#include "models/predictor/predictor_read.h"
#include "models/predictor/predictor_store.h"
#include "models/profile/profile_schema.h"

#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[256], sql_path[300], db_path[300], file_path[300];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_predictor_XXXXXX", DCS_BINARY_DIR);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(sql_path, sizeof sql_path, "%s/p.sql", folder);
    snprintf(db_path, sizeof db_path, "%s/p.db", folder);
    snprintf(file_path, sizeof file_path, "%s/p.predictors.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(sql_path);
    unlink(db_path);
    unlink(file_path);
    return rmdir(folder); /* fails if a test left something */
}

/* ---- tasks ---- */

static int find(struct dcs_tasks *t, struct dcs_task_launch *launches, size_t n,
                struct dcs_err *err)
{
    *err = (struct dcs_err){0};
    return dcs_tasks_find(t, launches, n, err);
}

static void test_tasks_over_sizes(void **state)
{
    (void)state;
    /* The larger request has one "visit" more; "same_8" and "same_9" never differ. */
    struct dcs_task_launch l[] = {
        {20, 3, "visit_9_of_20"}, {20, 0, "start_20"},      {20, 1, "visit_1_of_20"},
        {20, 2, "visit_5_of_20"}, {20, 4, "same_9"},        {20, 5, "same_9"},
        {10, 0, "start_10"},      {10, 1, "visit_1_of_10"}, {10, 2, "visit_3_of_10"},
        {10, 3, "same_8"},        {10, 4, "same_8"},
    };
    struct dcs_tasks t;
    struct dcs_err err;
    assert_int_equal(find(&t, l, sizeof l / sizeof *l, &err), 0);
    assert_int_equal(t.sizes_count, 2);
    assert_int_equal(t.sizes[0], 10);
    assert_int_equal(t.count, 5);
    static const char *const names[] = {"start_#/1", "visit_#_of_#/1", "visit_#_of_#/2", "same_#/1",
                                        "visit_#_of_#/3"};
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(t.names[i], names[i]);
        assert_int_equal(dcs_tasks_named(&t, names[i]), i);
    }
    assert_int_equal(dcs_tasks_named(&t, "same_#/2"), DCS_NO_TASK);
    static const uint32_t small[] = {0, 1, 2, 3, 3}, large[] = {0, 1, 2, 4, 3, 3};
    assert_int_equal(t.kernels_count[0], 5);
    assert_int_equal(t.kernels_count[1], 6);
    assert_memory_equal(t.kernels[0], small, sizeof small);
    assert_memory_equal(t.kernels[1], large, sizeof large);
    assert_null(t.shapes[4 * 2 + 0]);
    assert_string_equal(t.shapes[4 * 2 + 1], "visit_9_of_20");
    dcs_tasks_release(&t);
}

static void test_tasks_refuse_gaps(void **state)
{
    (void)state;
    struct dcs_tasks t;
    struct dcs_err err;
    struct dcs_task_launch gap[] = {{10, 0, "a"}, {10, 2, "b"}},
                           twice[] = {{10, 0, "a"}, {10, 0, "b"}};
    assert_int_equal(find(&t, gap, 2, &err), -1);
    assert_non_null(strstr(err.text, "found 2 where 1"));
    assert_int_equal(find(&t, twice, 2, &err), -1);
    assert_non_null(strstr(err.text, "found 0 where 1"));
    assert_int_equal(find(&t, NULL, 0, &err), 0);
    assert_int_equal(t.count, 0);
    dcs_tasks_release(&t);
}

/* ---- a profile ---- */

static const int sizes[] = {10, 20, 40, 80, 160, 320};
#define SIZES 6
static const int sms[] = {2, 4, 8};

/* The durations that the profile below has. */
static double request_ns(int size, int sm)
{
    return 1000.0 * size + 8000.0 * size / sm;
}

static double kernel_ns(int size, int sm)
{
    return 5000.0 * size / sm;
}

static void print_samples(FILE *f, const char *key, double ns, int sm)
{
    fprintf(f, "(%s, '%s', %d, 9, 0, %.0f, %.17g, 1.0, 1, 2, 'rse', 1000, 'warm')", key,
            sm == 8 ? "whole" : "green", sm, ns, ns);
}

/* Requests of a copy, two equal kernels "work" and a copy back. Counters at the sizes 20 and 80: 3
 * and 5 bytes for each that the algorithm moves, 2 instructions for each operation. */
static void write_profile(const char *more)
{
    FILE *f = fopen(sql_path, "w");
    assert_non_null(f);
    fprintf(f,
            "%s%sINSERT INTO profile VALUES ('schema_version', '2'), ('name', 'x'),"
            " ('description', 'x'), ('source', 'x');\n"
            "INSERT INTO device VALUES ('d', 'gpu', 8, 1000, 'x');\n"
            "INSERT INTO application VALUES ('a', 'batch', NULL, 10, 'x'), ('svc', 'latency', 9,"
            " 10, 'x');\n"
            "INSERT INTO kernel VALUES ('a', 0, 'task', 5, NULL, 'x'), ('svc', 0, 'task', 5, NULL,"
            " 'x');\n"
            "INSERT INTO subject VALUES ('svc', 'x', 'x', 'items', 10, 320, 80);\n",
            profile_schema_1_sql, profile_schema_2_sql);
    for (int i = 0; i < SIZES; i++) {
        int s = sizes[i];
        fprintf(f,
                "INSERT INTO request_kernel VALUES ('svc', %d, 0, 'in', 'in_%d'), ('svc', %d, 1,"
                " 'w1', 'work_%d'), ('svc', %d, 2, 'w2', 'work_%d'), ('svc', %d, 3, 'out',"
                " 'out_%d');\n"
                "INSERT INTO kernel_shape VALUES ('svc', %d, 'work_%d', 'compute', 'cuda', 1, %d,"
                " 128, 32, 64, 1, %d.0, %d.0, NULL, 1), ('svc', %d, 'in_%d', 'to_device', 'cuda',"
                " 1, NULL, NULL, NULL, NULL, NULL, NULL, %d.0, %d, 1);\n",
                s, s, s, s, s, s, s, s, s, s, 2 * s, 100 * s, 1000 * s, s, s, 7 * s, 7 * s);
        for (int k = 0; k < 3; k++) {
            char key[64];
            fprintf(f, "INSERT INTO request_solo(application, size, mechanism, sms, n, throttled,"
                       " median_ns, mean_ns, stddev_ns, min_ns, max_ns, stop, clock_mhz, l2)"
                       " VALUES ");
            snprintf(key, sizeof key, "'svc', %d", s);
            print_samples(f, key, request_ns(s, sms[k]), sms[k]);
            fprintf(f, ";\nINSERT INTO kernel_solo VALUES ");
            snprintf(key, sizeof key, "'svc', %d, 'work_%d'", s, s);
            print_samples(f, key, kernel_ns(s, sms[k]), sms[k]);
            fprintf(f, ";\n");
        }
        if (s == 20 || s == 80)
            fprintf(f,
                    "INSERT INTO kernel_counters(application, size, kernel, l2, dram_read_bytes,"
                    " dram_write_bytes, instructions) VALUES ('svc', %d, 'work_%d', 'cold', 9e9,"
                    " 9e9, 9e9), ('svc', %d, 'work_%d', 'warm', %d.0, %d.0, %d.0);\n",
                    s, s, s, s, 1000 * s, (s == 20 ? 2000 : 4000) * s, 200 * s);
    }
    fputs(more, f);
    assert_int_equal(fclose(f), 0);
}

static void build(const char *more)
{
    struct dcs_err err = {0};
    write_profile(more);
    unlink(db_path);
    if (dcs_profile_build(sql_path, db_path, &err) != 0)
        fail_msg("%s", err.text);
}

struct world {
    struct dcs_profile *p;
    struct dcs_measured *m;
    uint32_t app;
};

static struct world open_world(void)
{
    struct world w = {0};
    struct dcs_err err = {0};
    assert_non_null(w.p = dcs_profile_load(db_path, &err));
    w.m = dcs_measured_load(db_path, w.p, true, &err);
    if (w.m == NULL)
        fail_msg("%s: %s", err.path, err.text);
    w.app = (uint32_t)(dcs_profile_app(w.p, "svc") - w.p->apps);
    return w;
}

static void close_world(struct world *w)
{
    dcs_measured_free(w->m);
    dcs_profile_free(w->p);
}

static bool near(double a, double b)
{
    return fabs(a / b - 1) < 1e-9;
}

static void test_samples(void **state)
{
    (void)state;
    build("");
    struct world w = open_world();
    assert_int_equal(dcs_measured_default_size(w.m, w.app), 80);
    assert_int_equal(dcs_measured_tasks(w.m, w.app)->count, 3);
    assert_int_equal(dcs_measured_tasks(w.m, 0)->count, 0); /* "a" has no measurements */
    size_t n;
    struct dcs_sample *s = dcs_measured_samples(w.m, DCS_REQUEST_DURATION, w.app, DCS_NO_TASK, &n);
    assert_int_equal(n, SIZES * 3);
    for (size_t i = 0; i < n; i++) {
        int size = sizes[i / 3], sm = sms[i % 3];
        assert_true(s[i].x[DCS_BY_SIZE] == size && s[i].x[DCS_BY_SMS] == sm);
        assert_true(s[i].y == request_ns(size, sm));
        /* Twice the operations of the kernel, and the bytes of the copy. */
        assert_true(s[i].x[DCS_BY_COMPLEXITY] == 200.0 * size + 7.0 * size);
        assert_true(s[i].x[DCS_BY_BLOCKS] == 0);
    }
    free(s);

    uint32_t work = dcs_measured_task(w.m, w.app, 80, 1);
    assert_string_equal(dcs_measured_tasks(w.m, w.app)->names[work], "work_#/1");
    assert_int_equal(dcs_measured_task(w.m, w.app, 80, 2), work);
    for (int target = DCS_KERNEL_DURATION; target < DCS_TARGETS; target++) {
        s = dcs_measured_samples(w.m, (enum dcs_target)target, w.app, work, &n);
        assert_int_equal(n, SIZES * 3);
        for (size_t i = 0; i < n; i++) {
            int size = sizes[i / 3], sm = sms[i % 3];
            double ns = kernel_ns(size, sm);
            /* 40 lies in the middle of 20 and 80 by ratio. */
            double ratio = size <= 20 ? 3 : size == 40 ? 4 : 5;
            double bandwidth = ratio * 1000 * size / (ns * 1e-9);
            double ipc = 200.0 * size / (ns * 1e-9 * 1e9); /* at 1000 MHz */
            double y[] = {0, ns, bandwidth, ipc};
            assert_true(near(s[i].y, y[target]));
            assert_true(s[i].x[DCS_BY_BLOCKS] == 2 * size && s[i].x[DCS_BY_THREADS] == 128 &&
                        s[i].x[DCS_BY_SHARED] == 64);
            assert_true(s[i].x[DCS_BY_COMPLEXITY] == 100 * size);
        }
        free(s);
    }
    /* The copies were not timed. */
    s = dcs_measured_samples(w.m, DCS_KERNEL_DURATION, w.app, 0, &n);
    assert_int_equal(n, 0);
    free(s);
    close_world(&w);
}

static void test_features_between_sizes(void **state)
{
    (void)state;
    build("");
    struct world w = open_world();
    uint32_t work = dcs_measured_task(w.m, w.app, 80, 1);
    static const struct {
        int64_t size;
        double blocks;
    } cases[] = {{1, 20},  {9, 20},    {10, 20},   {11, 22},   {19, 38},
                 {20, 40}, {130, 260}, {320, 640}, {321, 640}, {100000, 640}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x[DCS_FEATURES_MAX];
        dcs_measured_features(w.m, w.app, work, cases[i].size, 3, x);
        assert_true(x[DCS_BY_SIZE] == (double)cases[i].size && x[DCS_BY_SMS] == 3);
        assert_true(near(x[DCS_BY_BLOCKS], cases[i].blocks));
        assert_true(near(x[DCS_BY_COMPLEXITY], 50 * cases[i].blocks));
        dcs_measured_features(w.m, w.app, DCS_NO_TASK, cases[i].size, 3, x);
        assert_true(near(x[DCS_BY_COMPLEXITY], 207.0 / 2 * cases[i].blocks));
        assert_int_equal(dcs_measured_task(w.m, w.app, cases[i].size, 1), work);
        assert_int_equal(dcs_measured_task(w.m, w.app, cases[i].size, 4), DCS_NO_TASK);
    }
    close_world(&w);
}

static void test_kernels_of_the_nearest_size(void **state)
{
    (void)state;
    build("INSERT INTO request_kernel VALUES ('a', 10, 0, 'small', 'small'),"
          " ('a', 20, 0, 'large', 'large');\n");
    struct world w = open_world();
    static const struct {
        int64_t size;
        uint32_t task;
    } cases[] = {{1, 0}, {10, 0}, {15, 0}, {16, 1}, {20, 1}, {99, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(dcs_measured_task(w.m, 0, cases[i].size, 0), cases[i].task);
    close_world(&w);
}

/* ---- storing ---- */

static struct dcs_predictor_row train(const struct world *w, enum dcs_target target, uint32_t task,
                                      const char *method)
{
    size_t n;
    struct dcs_sample *s = dcs_measured_samples(w->m, target, w->app, task, &n);
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_WEIGHTS, 0);
    struct dcs_predictor_row row = {.target = target,
                                    .app = "svc",
                                    .task = task == DCS_NO_TASK ? "" : "work_#/1",
                                    .train_n = n};
    dcs_model_train(&row.model, dcs_method_named(method), s, n, &rng);
    free(s);
    return row;
}

/* Trains and stores a request's and a kernel's model of each of the methods (NULL-ended). */
static void store(const char *const *methods)
{
    struct world w = open_world();
    struct dcs_predictor_row rows[8];
    size_t n = 0;
    for (; *methods != NULL; methods++) {
        rows[n++] = train(&w, DCS_REQUEST_DURATION, DCS_NO_TASK, *methods);
        rows[n++] = train(&w, DCS_KERNEL_BANDWIDTH, dcs_measured_task(w.m, w.app, 80, 1), *methods);
    }
    struct dcs_predictors_about about = {w.p, 1, "this build", NULL};
    struct dcs_err err = {0};
    if (dcs_predictors_write(file_path, &about, rows, n, &err) != 0)
        fail_msg("%s: %s", err.file, err.text);
    for (size_t i = 0; i < n; i++)
        dcs_model_release(&rows[i].model);
    close_world(&w);
}

static struct dcs_predictors *load(struct dcs_profile *p, const char *method, struct dcs_err *err)
{
    *err = (struct dcs_err){0};
    return dcs_predictors_load(file_path, db_path, p, dcs_method_named(method), err);
}

static void change(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(file_path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void test_stored_and_asked(void **state)
{
    (void)state;
    build("");
    store((const char *const[]){"knn", NULL});
    store((const char *const[]){"cart", "net", NULL}); /* in place of all there was */
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(db_path, &err);
    assert_non_null(p);
    uint32_t app = (uint32_t)(dcs_profile_app(p, "svc") - p->apps);
    static const char *const methods[] = {"cart", "net"};
    for (int m = 0; m < 2; m++) {
        double tolerance = m == 0 ? 1e-8 : 0.02;
        struct dcs_predictors *x = load(p, methods[m], &err);
        if (x == NULL)
            fail_msg("%s", err.text);
        assert_int_equal(dcs_predictors_default_size(x, app), 80);
        for (int i = 0; i < SIZES; i++)
            for (int k = 0; k < 3; k++) {
                uint32_t sm = (uint32_t)sms[k];
                double y = dcs_predictors_request_ns(x, app, sizes[i], sm);
                assert_true(fabs(y / request_ns(sizes[i], sms[k]) - 1) < tolerance);
                y = dcs_predictors_kernel(x, DCS_KERNEL_BANDWIDTH, app, 1, sizes[i], sm);
                assert_true(y > 0 && y == dcs_predictors_kernel(x, DCS_KERNEL_BANDWIDTH, app, 2,
                                                                sizes[i], sm));
            }
        /* 80 items, 8 SMs: 5 x 80 000 bytes in 50 us. */
        double y = dcs_predictors_kernel(x, DCS_KERNEL_BANDWIDTH, app, 1, 80, 8);
        assert_true(fabs(y / 8e9 - 1) < (m == 0 ? 1e-8 : 0.1));
        /* Not trained, not measured, not there. */
        assert_true(dcs_predictors_kernel(x, DCS_KERNEL_DURATION, app, 1, 80, 8) == -1);
        assert_true(dcs_predictors_kernel(x, DCS_KERNEL_BANDWIDTH, app, 0, 80, 8) == -1);
        assert_true(dcs_predictors_kernel(x, DCS_KERNEL_BANDWIDTH, app, 4, 80, 8) == -1);
        assert_true(dcs_predictors_request_ns(x, 1 - app, 80, 8) == -1);
        dcs_predictors_free(x);
    }
    assert_null(load(p, "knn", &err));
    assert_non_null(
        strstr(err.text, "no predictors of method \"knn\"; make them with dcsim train"));
    dcs_profile_free(p);
}

/* The same predictors are the same bytes, which their hash names. */
static void test_same_bytes(void **state)
{
    (void)state;
    build("");
    struct dcs_err err;
    char hashes[3][65];
    struct dcs_profile *p = dcs_profile_load(db_path, &err);
    for (int i = 0; i < 3; i++) {
        static const char *const methods[][3] = {{"linear"}, {"linear"}, {"linear", "knn"}};
        store(methods[i]);
        struct dcs_predictors *x = load(p, "linear", &err);
        assert_non_null(x);
        memcpy(hashes[i], dcs_predictors_sha256(x), sizeof hashes[i]);
        assert_int_equal(strlen(hashes[i]), 64);
        dcs_predictors_free(x);
    }
    assert_string_equal(hashes[0], hashes[1]);
    assert_string_not_equal(hashes[0], hashes[2]);
    dcs_profile_free(p);
}

/* A profile whose times are others now, and no file. */
static void test_of_another_profile(void **state)
{
    (void)state;
    build("");
    store((const char *const[]){"cart", NULL});
    build("INSERT INTO subject VALUES ('a', 'x', 'x', 'items', 10, 320, 80);\n");
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(db_path, &err);
    if (p == NULL)
        fail_msg("%s: %s", err.path, err.text);
    assert_null(load(p, "cart", &err));
    assert_string_equal(err.file, file_path);
    assert_non_null(strstr(err.text, "trained on another profile (\"x\", sha256 "));
    assert_non_null(strstr(err.text, "make them with dcsim train "));
    unlink(file_path);
    assert_null(load(p, "cart", &err));
    assert_non_null(strstr(err.text, "there are no predictors"));
    dcs_profile_free(p);
}

static void refused(const char *rows, const char *path, const char *text)
{
    char sql[1024];
    build("");
    store((const char *const[]){"cart", NULL});
    snprintf(sql, sizeof sql, "DELETE FROM predictor; %s%s;",
             rows[0] != '\0' ? "INSERT INTO predictor VALUES " : "", rows);
    change(sql);
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(db_path, &err);
    assert_non_null(p);
    assert_null(load(p, "cart", &err));
    if (strcmp(err.path, path) != 0 || strstr(err.text, text) == NULL)
        fail_msg("%s: %s", err.path, err.text);
    dcs_profile_free(p);
}

#define ROW(target, app, kernel, model)                                                            \
    "('" target "', '" app "', '" kernel "', 'cart', 1, 9, 0, NULL, NULL, NULL, " model ")"

static void test_refused(void **state)
{
    (void)state;
    refused("", "", "no predictors");
    refused(ROW("duration", "svc", "", "'-1 5 0'"), "predictor.target", "expected");
    refused(ROW("request_duration", "b", "", "'-1 5 0'"), "predictor.application", "expected");
    refused(ROW("kernel_ipc", "svc", "gone_#/1", "'-1 5 0'"), "predictor.kernel", "was measured");
    refused(ROW("kernel_ipc", "svc", "", "'-1 5 0'"), "predictor.kernel", "was measured");
    refused(ROW("request_duration", "svc", "", "'0 5 0 -1 1 0'"), "predictor.model", "not behind");
    refused(ROW("request_duration", "svc", "", "''"), "predictor.model", "nodes");
    refused(ROW("request_duration", "svc", "", "x'00'"), "predictor.model", "nodes");
    refused(ROW("request_duration", "svc", "", "'-1 5 0'") ", " ROW("request_duration", "svc", "x",
                                                                    "'-1 6 0'"),
            "predictor.kernel", "each model once");
}

/* What SQLite would run, or take for the tables, in a stranger's file. */
static void test_hostile(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *path, *text;
    } cases[] = {
        {"DROP TABLE predictors", "predictors", "missing"},
        {"DROP TABLE predictor", "predictor", "missing"},
        {"DROP TABLE predictor; CREATE VIEW predictor AS SELECT 1", "predictor", "found a view"},
        {"CREATE INDEX i ON predictors(abs(value))", "predictors", "found an index"},
        {"DELETE FROM predictors", "", "another profile (\"\""},
        {"UPDATE predictors SET value = x'00' WHERE key = 'profile_sha256'", "predictors.value",
         "expected a name"},
        {"CREATE TABLE t AS SELECT * FROM predictors; DROP TABLE predictors;"
         "ALTER TABLE t RENAME TO predictors; INSERT INTO predictors SELECT * FROM predictors",
         "predictors.key", "each key once"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        build("");
        store((const char *const[]){"cart", NULL});
        change(cases[i].sql);
        struct dcs_err err = {0};
        struct dcs_profile *p = dcs_profile_load(db_path, &err);
        assert_null(load(p, "cart", &err));
        if (strcmp(err.path, cases[i].path) != 0 || strstr(err.text, cases[i].text) == NULL)
            fail_msg("%s: %s: %s", cases[i].sql, err.path, err.text);
        unlink(file_path);
        dcs_profile_free(p);
    }
}

static void test_text_is_refused(void **state)
{
    (void)state;
    build("");
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(db_path, &err);
    FILE *f = fopen(file_path, "w");
    assert_non_null(f);
    fputs("CREATE TABLE predictors(key, value);", f);
    assert_int_equal(fclose(f), 0);
    assert_null(load(p, "cart", &err));
    assert_non_null(strstr(err.text, "no SQLite database"));
    unlink(file_path);
    dcs_profile_free(p);
}

/* Only a file of predictors is replaced, and only by a whole one. */
static void test_write_fails(void **state)
{
    (void)state;
    build("");
    store((const char *const[]){"cart", NULL});
    struct world w = open_world();
    struct dcs_predictors_about about = {w.p, 1, "x", NULL};
    struct dcs_predictor_row rows[2] = {train(&w, DCS_REQUEST_DURATION, DCS_NO_TASK, "linear")};
    rows[1] = rows[0]; /* the same key twice */
    struct dcs_err err = {0};
    assert_int_equal(dcs_predictors_write(file_path, &about, rows, 2, &err), -1);
    assert_non_null(strstr(err.text, "UNIQUE"));
    struct dcs_predictors *x = load(w.p, "cart", &err);
    assert_non_null(x);
    dcs_predictors_free(x);

    bool exists = false;
    assert_int_equal(dcs_predictors_may_write(file_path, &exists, &err), 0);
    assert_true(exists);
    assert_int_equal(dcs_predictors_write(db_path, &about, rows, 1, &err), -1);
    assert_non_null(strstr(err.text, "not replaced"));
    assert_int_equal(dcs_predictors_write(folder, &about, rows, 1, &err), -1);
    assert_non_null(strstr(err.text, "not replaced"));
    struct dcs_profile *p = dcs_profile_load(db_path, &err);
    assert_string_equal(p->sha256, w.p->sha256);
    dcs_profile_free(p);

    char nowhere[320];
    snprintf(nowhere, sizeof nowhere, "%s/none/x.db", folder);
    assert_int_equal(dcs_predictors_may_write(nowhere, &exists, &err), -1);
    assert_false(exists);
    assert_non_null(strstr(err.text, "folder"));
    dcs_model_release(&rows[0].model);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tasks_over_sizes),
        cmocka_unit_test(test_tasks_refuse_gaps),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_features_between_sizes),
        cmocka_unit_test(test_kernels_of_the_nearest_size),
        cmocka_unit_test(test_stored_and_asked),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_of_another_profile),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_text_is_refused),
        cmocka_unit_test(test_write_fails),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
