/*
 * test_sizes.c - pins what requests of other sizes than the default take: whole requests exactly
 * what was measured, kernels as measured at that size or between the sizes at which they were, a
 * size between two measured ones; which kernel of the default size each takes after, also one that
 * is called otherwise; that the default size is the same bits whether others are read or not; that
 * a second profile differs from this one in each measurement by itself, and where nothing was
 * measured as at the nearest size; what is refused; that many sizes between two requests of as many
 * kernels as a profile may have take no time that grows with their square. On the profile
 * `made-up`: answer has sizes 1 (the default), 2 and 4, of which 2 has no times of kernels and 4 a
 * convolution and two layers more; solve has 1 and 3, with kernels at 1 only. Does not pin: how
 * exact interpolation is (docs/validation/h200.md).
 */
#include "models/gpu/spatial_load.h"

#include "models/gpu/gpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define PATH_BYTES 300
#define MADE_UP    DCS_SOURCE_DIR "/calibrate/profiles/made-up.sql"

static const char *const sized[] = {"answer", "solve", "nothing", NULL};
static const uint32_t points[] = {8, 16, 24, 32};

static struct dcs_profile *profile;
static struct dcs_spatial *s;

static int load(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    profile = dcs_spatial_load_sized(MADE_UP, sized, &s, &err);
    if (profile == NULL)
        dcs_err_print(&err, stderr);
    return profile != NULL ? 0 : -1;
}

static int release(void **state)
{
    (void)state;
    dcs_spatial_free(s);
    dcs_profile_free(profile);
    return 0;
}

static uint32_t app(const char *name)
{
    return (uint32_t)(dcs_profile_app(profile, name) - profile->apps);
}

static const struct dcs_sequence *request(const char *name, int64_t size)
{
    const struct dcs_sequence *found = dcs_spatial_sequence(s, app(name), size);
    assert_non_null(found);
    return found;
}

static double kernel_ns(const struct dcs_sequence *q, uint32_t kernel, double sms)
{
    return dcs_shape_solo_ns(s, q->shapes[kernel], sms);
}

static void near(double found, double expected)
{
    double off = found > expected ? found - expected : expected - found;
    if (off > 1e-12 * expected)
        print_error("expected %.17g, found %.17g\n", expected, found);
    assert_true(off <= 1e-12 * expected);
}

static void whole_requests(void **state)
{
    (void)state;
    static const struct {
        const char *app;
        int64_t size;
        uint32_t kernels;
        double ms[4]; /* by points: the rows of request_solo */
    } rows[] = {
        {"answer", 1, 6, {20.8, 11.8, 8.8, 7.5}}, {"answer", 2, 6, {37, 20.4, 14.8, 12.3}},
        {"answer", 4, 9, {147, 78, 55, 44.5}},    {"solve", 1, 2, {17.6, 9.1, 6.4, 5.1}},
        {"solve", 3, 2, {51, 26.4, 18.3, 14.4}},
    };
    assert_int_equal(s->sequences_count, profile->apps_count + 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct dcs_sequence *q = request(rows[i].app, rows[i].size);
        assert_int_equal(q->kernels, rows[i].kernels);
        for (size_t p = 0; p < 4; p++) {
            double sum = 0;
            for (uint32_t k = 0; k < q->kernels; k++)
                sum += kernel_ns(q, k, points[p]);
            near(sum, rows[i].ms[p] * 1e6);
        }
    }
}

/* What a second profile has for a kernel, over what this one has. */
static double second(const struct dcs_sequence *q, uint32_t kernel, uint32_t replication)
{
    return dcs_shape_resample(s, q->shapes[kernel], 0, 1, replication);
}

static void uncertainty(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    assert_non_null(dcs_spatial_size(s, app("answer"), 3, &err));
    const struct dcs_sequence *one = request("answer", 1), *two = request("answer", 2),
                              *three = request("answer", 3), *four = request("answer", 4);
    /* Its error does not make up for which measurement it is. */
    s->shapes[one->shapes[4]].error = s->shapes[two->shapes[4]].error = 0.1;
    s->shapes[three->shapes[4]].error = 0.1;
    s->shapes[four->shapes[7]].error = 0.1;
    for (uint32_t i = 0; i < 20; i++) {
        /* The head was timed at 1 and 4: 2 is nearer to 1, and 3 is made of 2 and 4 as 2 is. */
        assert_true(second(one, 4, i) != second(four, 7, i));
        assert_true(second(one, 4, i) != second(one, 0, i));
        assert_true(second(two, 4, i) == second(one, 4, i));
        assert_true(second(three, 4, i) == second(one, 4, i));
        /* Solve was timed at 1 only. */
        assert_true(second(request("solve", 3), 0, i) == second(request("solve", 1), 0, i));
    }
}

static void kernels(void **state)
{
    (void)state;
    /* Measured at size 4: 45.3 ms together, of which the request takes 44.5. */
    static const double at_4[] = {1.6, 1.7, 1.2, 9.2, 9.2, 9.2, 9.2, 3.2, 0.8};
    /* Size 2, a third of the way from 1 to 4: these are 0.4 + 1.2 / 3, ...; the request 12.3. */
    static const double at_2[] = {0.8, 1.5 + 0.2 / 3, 4.6, 4.6, 1.6, 0.4};
    double sum_4 = 0, sum_2 = 0;
    for (size_t k = 0; k < 9; k++)
        sum_4 += at_4[k];
    for (size_t k = 0; k < 6; k++)
        sum_2 += at_2[k];
    for (uint32_t k = 0; k < 9; k++)
        near(kernel_ns(request("answer", 4), k, 32), at_4[k] * 44.5e6 / sum_4);
    for (uint32_t k = 0; k < 6; k++)
        near(kernel_ns(request("answer", 2), k, 32), at_2[k] * 12.3e6 / sum_2);
    /* Kernels of solve were measured at size 1 only: 4.2 and 0.9 keep their proportion. */
    near(kernel_ns(request("solve", 3), 0, 32), 14.4e6 * 4.2 / 5.1);
    /* Grids are those of the size. */
    assert_int_equal(s->shapes[request("solve", 3)->shapes[0]].blocks, 6144);
    assert_int_equal(s->shapes[request("answer", 4)->shapes[3]].blocks, 2048);
}

/* Whether blocks drift apart, and how well a mean is known, was measured at sizes 1 and 4 of
 * answer, and 1 of solve; of size 2 it is what it is at 1, the nearer one. */
static void waves(void **state)
{
    (void)state;
    static const struct {
        const char *app;
        int64_t size, like;
        uint32_t kernel;
    } rows[] = {{"answer", 2, 1, 2}, {"answer", 2, 1, 1}, {"solve", 3, 1, 0}};
    const struct dcs_shape *first = &s->shapes[request("answer", 1)->shapes[2]];
    assert_true(first->drifts && first->overhang > 0);
    assert_true(s->shapes[request("answer", 4)->shapes[3]].overhang != first->overhang);
    assert_true(s->shapes[request("solve", 1)->shapes[0]].drifts);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct dcs_sequence *at = request(rows[i].app, rows[i].size);
        const struct dcs_sequence *like = request(rows[i].app, rows[i].like);
        const struct dcs_shape *found = &s->shapes[at->shapes[rows[i].kernel]];
        const struct dcs_shape *known = &s->shapes[like->shapes[rows[i].kernel]];
        assert_int_equal(found->drifts, known->drifts);
        near(found->overhang + 1, known->overhang + 1);
        assert_true(known->error > 0);
        near(found->error, known->error);
    }
}

static void counterparts(void **state)
{
    (void)state;
    const struct dcs_sequence *one = request("answer", 1), *four = request("answer", 4);
    /* in, convolution, (another), layer, layer, (layer, layer), head, out */
    static const uint32_t like[] = {0, 1, 1, 2, 3, 3, 3, 4, 5};
    for (uint32_t k = 0; k < 9; k++)
        assert_int_equal(dcs_shape_contends_as(s, four->shapes[k]), one->shapes[like[k]]);
    for (uint32_t k = 0; k < 6; k++)
        assert_int_equal(dcs_shape_contends_as(s, one->shapes[k]), one->shapes[k]);
    /* It moves as much in a ns as there. */
    const struct dcs_shape *layer = &s->shapes[one->shapes[2]], *big = &s->shapes[four->shapes[3]];
    double times = kernel_ns(four, 3, 32) / kernel_ns(one, 2, 32);
    assert_true(layer->dram_bytes > 0);
    near(big->dram_bytes, layer->dram_bytes * times);
    near(big->instructions, layer->instructions * times);
    assert_non_null(
        strstr(dcs_spatial_falls_back(s), "other sizes are taken to do as much per ns"));
}

/* Side by side with another kernel it is slowed as its counterpart is, and slows as much. */
static void contention(void **state)
{
    (void)state;
    uint32_t layer = request("answer", 1)->shapes[2], big = request("answer", 4)->shapes[3];
    uint32_t sweep = s->sequences[app("stream")].shapes[0];
    struct dcs_contention *c = dcs_contention_create(s);
    struct dcs_gpu *g = dcs_gpu_create(s, c, 1000, 0);
    const struct dcs_presser set[] = {{.shape = layer, .millisms = 16000},
                                      {.shape = sweep, .millisms = 16000}};
    double slowdown[2];
    dcs_contention_solve(s, set, 2, slowdown, NULL);
    assert_true(slowdown[0] > 1.01 && slowdown[1] > 1.01);
    for (uint64_t id = 1; id <= 2; id++)
        dcs_gpu_start(g, 0,
                      &(struct dcs_gpu_launch){.id = id,
                                               .shape = id == 1 ? big : sweep,
                                               .scale = 1,
                                               .allotment = {DCS_GPU_GREEN, 16}});
    /* The layer takes 17.2 ms alone: the sweep is over first. Then nothing slows the layer. */
    struct dcs_gpu_end ended[DCS_TOGETHER_MAX];
    int64_t first_ns = dcs_gpu_next_ns(g);
    double sweep_ns = dcs_shape_solo_ns(s, sweep, 16) * slowdown[1];
    assert_true((double)first_ns > sweep_ns - 1 && (double)first_ns < sweep_ns + 1);
    assert_int_equal(dcs_gpu_advance(g, first_ns, ended), 1);
    assert_int_equal(ended[0].id, 2);
    double left_ns = dcs_shape_solo_ns(s, big, 16) - (double)first_ns / slowdown[0];
    int64_t end_ns = dcs_gpu_next_ns(g) - first_ns;
    assert_true((double)end_ns > left_ns - 1 && (double)end_ns < left_ns + 1);
    dcs_gpu_destroy(g);
    dcs_contention_destroy(c);
}

static void between(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    uint32_t sequences = s->sequences_count;
    /* 3 is as near to 2 as to 4: it has the kernels of 2, half-way to those of 4, and scaled to the
     * mean of both requests, as 4 has three kernels more. */
    const struct dcs_sequence *q = dcs_spatial_size(s, app("answer"), 3, &err);
    assert_non_null(q);
    assert_true(q->between);
    assert_int_equal(q->kernels, 6);
    const struct dcs_sequence *two = request("answer", 2), *four = request("answer", 4);
    static const uint32_t of_4[] = {0, 1, 3, 4, 7, 8};
    for (size_t p = 0; p < 4; p++) {
        double middle[6], sum = 0, whole = 0;
        for (uint32_t k = 0; k < 6; k++)
            sum += middle[k] =
                (kernel_ns(two, k, points[p]) + kernel_ns(four, of_4[k], points[p])) / 2;
        for (uint32_t k = 0; k < 6; k++)
            whole += kernel_ns(two, k, points[p]) / 2;
        for (uint32_t k = 0; k < 9; k++)
            whole += kernel_ns(four, k, points[p]) / 2;
        for (uint32_t k = 0; k < 6; k++)
            near(kernel_ns(q, k, points[p]), middle[k] * whole / sum);
    }
    assert_int_equal(q->shapes[2], q->shapes[3]);
    assert_int_equal(dcs_shape_contends_as(s, q->shapes[2]), request("answer", 1)->shapes[2]);
    assert_ptr_equal(dcs_spatial_size(s, app("answer"), 3, &err), q);
    assert_int_equal(s->sequences_count, sequences + 1);
    /* Solve: 2 of 1 and 3; all of its request is the mean of theirs. */
    q = dcs_spatial_size(s, app("solve"), 2, &err);
    assert_non_null(q);
    near(kernel_ns(q, 0, 32) + kernel_ns(q, 1, 32), (5.1e6 + 14.4e6) / 2);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *app;
        int64_t size;
        const char *why;
    } cases[] = {
        {"answer", 5, "\"answer\" were measured at sizes up to 4; found 5"},
        {"solve", 0, "\"solve\" were measured at sizes from 1; found 0"},
        {"stream", 2, "\"stream\" were measured at sizes up to 1; found 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_err err = {0};
        assert_null(dcs_spatial_size(s, app(cases[i].app), cases[i].size, &err));
        if (strstr(err.text, cases[i].why) == NULL)
            fail_msg("%s", err.text);
    }
}

/* The same but for what belongs to other sizes. */
static void default_bits(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct dcs_spatial *plain;
    struct dcs_profile *p = dcs_spatial_load_profile(MADE_UP, &plain, &err);
    assert_non_null(p);
    assert_int_equal(plain->sequences_count, p->apps_count);
    assert_true(plain->shapes_count < s->shapes_count);
    for (uint32_t i = 0; i < plain->shapes_count; i++) {
        assert_string_equal(plain->shapes[i].name, s->shapes[i].name);
        assert_int_equal(plain->shapes[i].points_count, s->shapes[i].points_count);
        assert_memory_equal(plain->shapes[i].points, s->shapes[i].points,
                            plain->shapes[i].points_count * sizeof *plain->shapes[i].points);
    }
    dcs_spatial_free(plain);
    dcs_profile_free(p);
}

/* An empty file for a profile. */
static void make_file(char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/test_sizes_XXXXXX", DCS_BINARY_DIR); /* mkstemp() fills it in */
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
}

/* Copies the profile with a row more. */
static void add_row(const char *path, const char *row)
{
    FILE *in = fopen(MADE_UP, "rb"), *out = fopen(path, "wb");
    assert_non_null(in);
    assert_non_null(out);
    char line[4096];
    while (fgets(line, sizeof line, in) != NULL) {
        if (strcmp(line, "COMMIT;\n") == 0)
            fputs(row, out);
        fputs(line, out);
    }
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
}

static void bad_rows(void **state)
{
    (void)state;
    static const struct {
        const char *row, *place, *why;
    } cases[] = {
        {"INSERT INTO request_solo VALUES ('answer', 8, 'whole', 32, 9, 0, 9, 9, 0, 9, 9, 'rse', 1,"
         " 'warm');\n",
         "request_kernel", "expected the kernels of \"answer\" at size 8"},
        {"INSERT INTO request_kernel VALUES ('answer', 2, 7, 'x', 'x');\n",
         "request_kernel.position", "found 7 where 6 should be"},
    };
    char path[PATH_BYTES];
    make_file(path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_err err = {0};
        struct dcs_spatial *none;
        add_row(path, cases[i].row);
        assert_null(dcs_spatial_load_sized(path, sized, &none, &err));
        assert_string_equal(err.path, cases[i].place);
        if (strstr(err.text, cases[i].why) == NULL)
            fail_msg("%s", err.text);
        struct dcs_profile *p =
            dcs_spatial_load_profile(path, &none, &err); /* it looks elsewhere */
        assert_non_null(p);
        dcs_spatial_free(none);
        dcs_profile_free(p);
    }
    unlink(path);
}

/* The profile with rows more; *more: its model of devices that are shared. */
static struct dcs_profile *load_with(const char *rows, struct dcs_spatial **more)
{
    char path[PATH_BYTES];
    struct dcs_err err = {0};
    make_file(path);
    add_row(path, rows);
    struct dcs_profile *p = dcs_spatial_load_sized(path, sized, more, &err);
    unlink(path);
    if (p == NULL)
        fail_msg("%s: %s", err.path, err.text);
    return p;
}

/* A request of size 8 has another function where that of size 1 has its convolution. */
static void other_functions(void **state)
{
    (void)state;
    static const char rows[] =
        "INSERT INTO request_solo VALUES ('answer', 8, 'whole', 32, 9, 0, 90000000, 90000000, 0, 9,"
        " 9, 'rse', 1, 'warm');\n"
        "INSERT INTO request_kernel VALUES ('answer', 8, 0, 'in', 'in'), ('answer', 8, 1, 'f', "
        "'f'),"
        " ('answer', 8, 2, 'layer', 'layer'), ('answer', 8, 3, 'layer', 'layer'),"
        " ('answer', 8, 4, 'head', 'head'), ('answer', 8, 5, 'out', 'out');\n";
    struct dcs_spatial *more;
    struct dcs_profile *p = load_with(rows, &more);
    uint32_t answer = (uint32_t)(dcs_profile_app(p, "answer") - p->apps);
    const struct dcs_sequence *one = dcs_spatial_sequence(more, answer, 1);
    const struct dcs_sequence *eight = dcs_spatial_sequence(more, answer, 8);
    for (uint32_t k = 0; k < 6; k++)
        assert_int_equal(dcs_shape_contends_as(more, eight->shapes[k]), one->shapes[k]);
    dcs_spatial_free(more);
    dcs_profile_free(p);
}

/* A layer and the head of size 4 were measured beside others themselves: they contend as that says.
 * The head has counters of its own; the layer, which nobody counted, moves as much in a ns as its
 * counterpart. */
static void own_contention(void **state)
{
    (void)state;
    static const char rows[] =
        "INSERT INTO contention_kernel VALUES"
        " ('answer', 4, 'layer', 32, 'dram', 0.625, 'fitted to 1 co-run'),"
        " ('answer', 4, 'head', 32, 'dram', 0.5, 'fitted to 1 co-run');\n"
        "INSERT INTO kernel_counters VALUES ('answer', 4, 'head', 'warm', 3200000, 7.0e7, NULL,"
        " 3.0e7, 2.0e7, NULL, NULL, NULL, NULL, NULL, NULL);\n";
    struct dcs_spatial *more;
    struct dcs_profile *p = load_with(rows, &more);
    const struct dcs_sequence *four = request("answer", 4);
    uint32_t layer = four->shapes[3], head = four->shapes[7];
    assert_int_equal(dcs_shape_contends_as(more, layer), layer);
    assert_int_equal(dcs_shape_contends_as(more, head), head);
    assert_int_equal(more->shapes[layer].contention, DCS_CONTENTION_FITTED);
    const struct dcs_shape *own = &more->shapes[layer];
    near(own->points[own->points_count - 1].pressure[0], 0.625);
    near(own->dram_bytes, s->shapes[layer].dram_bytes);
    near(own->instructions, s->shapes[layer].instructions);
    near(more->shapes[head].dram_bytes, 5e7);
    near(more->shapes[head].instructions, 7e7);
    for (uint32_t k = 0; k < 3; k++)
        assert_int_equal(dcs_shape_contends_as(more, four->shapes[k]),
                         dcs_shape_contends_as(s, four->shapes[k]));
    dcs_spatial_free(more);
    dcs_profile_free(p);
}

/* Copies the profile with requests of solve of two sizes more, of kernels that all differ. */
static void add_large(const char *path, int kernels)
{
    static const int sizes[] = {5, 5000};
    char *rows = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&rows, &size);
    assert_non_null(out);
    for (int i = 0; i < 2; i++) {
        fprintf(out,
                "INSERT INTO request_solo VALUES ('solve', %d, 'whole', 32, 9, 0, %d0000000,"
                " %d0000000, 0, 9, 9, 'rse', 1, 'warm');\n",
                sizes[i], sizes[i], sizes[i]);
        for (int k = 0; k < kernels; k++)
            fprintf(out, "INSERT INTO request_kernel VALUES ('solve', %d, %d, 'x', 'x%d');\n",
                    sizes[i], k, k);
    }
    assert_int_equal(fclose(out), 0);
    add_row(path, rows);
    free(rows);
}

/* 400 sizes between two of 2000 kernels: 0.3 s of an optimised build, 30 s and more if each size or
 * each kernel costs what all before it hold. */
static void many_between(void **state)
{
    (void)state;
    char path[PATH_BYTES];
    struct dcs_err err = {0};
    struct dcs_spatial *large;
    make_file(path);
    add_large(path, 2000);
    struct dcs_profile *p = dcs_spatial_load_sized(path, sized, &large, &err);
    unlink(path);
    if (p == NULL)
        fail_msg("%s: %s", err.path, err.text);
    uint32_t solve = (uint32_t)(dcs_profile_app(p, "solve") - p->apps);
    clock_t from = clock();
    for (int64_t size = 6; size < 406; size++) {
        const struct dcs_sequence *q = dcs_spatial_size(large, solve, size, &err);
        assert_non_null(q);
        assert_int_equal(q->kernels, 2000);
    }
    double seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
    if (seconds > 15)
        fail_msg("%.1f s", seconds);
    dcs_spatial_free(large);
    dcs_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_between),   cmocka_unit_test(whole_requests),
        cmocka_unit_test(kernels),        cmocka_unit_test(waves),
        cmocka_unit_test(counterparts),   cmocka_unit_test(contention),
        cmocka_unit_test(default_bits),   cmocka_unit_test(refused),
        cmocka_unit_test(between),        cmocka_unit_test(bad_rows),
        cmocka_unit_test(uncertainty),    cmocka_unit_test(other_functions),
        cmocka_unit_test(own_contention),
    };
    return cmocka_run_group_tests(tests, load, release);
}
