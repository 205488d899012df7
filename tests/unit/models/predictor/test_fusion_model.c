/*
 * test_fusion_model.c - pins fusion.h and fusion_model.h on a small profile, by hand: exact at
 * measured load ratios and linear between, what holds below and beyond, between sizes and beyond
 * them, ends of the parts; which kernels are taken for measured ones, exactly and by nearness; ways
 * that exceed an SM, at the limit and above; which one the offline fuser keeps; the two-stage
 * lines, and what they learn; that rows which are out of range, twice there, too many or do not fit
 * together are refused with their place. Does not pin: what a host makes of it (test_fusion_host.c,
 * tests/prop/test_fusion.c).
 */
#include "models/gpu/spatial_load.h"
#include "models/predictor/fusion_model.h"
#include "models/profile/profile_schema.h"

#define TEMP_FILE "test_fusion"
#include "tests/temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BASE                                                                                       \
    "INSERT INTO profile VALUES ('schema_version', '2'), ('name', 'x'), ('description', 'x'),"     \
    " ('source', 'x');\n"                                                                          \
    "INSERT INTO device VALUES ('d', 'gpu', 8, 1000, 'x');\n"                                      \
    "INSERT INTO application VALUES ('net', 'latency', 1, 1, 'x'), ('cp', 'batch', NULL, 1, 'x')," \
    " ('fft', 'batch', NULL, 1, 'x');\n"                                                           \
    "INSERT INTO subject VALUES ('net', 'x', 'x', 'x', 1, 1, 1), ('cp', 'x', 'x', 'x', 1, 1, 1),"  \
    " ('fft', 'x', 'x', 'x', 1, 1, 1);\n"

/* position, kernel, its time, cores, launches, threads, registers, bytes of shared memory */
#define KERNEL(app, at, name, ns, cores, launches, threads, registers, shared)                     \
    "INSERT INTO kernel VALUES ('" app "', " #at ", 'compute', " #ns ", NULL, 'x');\n"             \
    "INSERT INTO request_kernel VALUES ('" app "', 1, " #at ", 'n', '" name "');\n"                \
    "INSERT INTO kernel_shape VALUES ('" app "', 1, '" name "', 'compute', '" cores                \
    "', " #launches ", 1, " #threads ", " #registers ", " #shared ", 1, 1, 1, NULL, 1);\n"
enum { EXACT, NEAR, FAR, LARGE, ODD, GROUPED, SPLIT, BACK, SCALAR };
#define NET_KERNELS                                                                                \
    KERNEL("net", 0, "conv3x3s1p1_n1_8x8_c2_k4", 100, "tensor", 1, 256, 92, 100)                   \
    KERNEL("net", 1, "conv1x1s2p0_n1_8x8_c18_k8", 100, "tensor", 1, 256, 92, 100)                  \
    KERNEL("net", 2, "conv1x3s1p1_n1_8x8_c6_k48", 100, "tensor", 1, 256, 92, 100)                  \
    KERNEL("net", 3, "conv1x1s1p0_n1_8x8_c18_k9", 100, "tensor", 1, 256, 92, 200)                  \
    KERNEL("net", 4, "conv1x1s1p0_n1_8x8_c18_k10", 100, "tensor", 1, 256, 92, 300)                 \
    KERNEL("net", 5, "conv3x3s1p1g2_n1_8x8_c2_k4", 100, "tensor", 1, 256, 92, 100)                 \
    KERNEL("net", 6, "conv3x3s1p1_n2_8x8_c2_k4", 100, "tensor", 2, 256, 92, 100)                   \
    KERNEL("net", 7, "back_conv3x3s1p1_n1_8x8_c2_k4", 100, "tensor", 1, 256, 92, 100)              \
    KERNEL("net", 8, "conv3x3s1p1_n3_8x8_c2_k4", 100, "cuda", 1, 256, 92, 100)
/* add is the main kernel, by the time of both its launches; store is like it; the rest is not. */
#define CP_KERNELS                                                                                 \
    KERNEL("cp", 0, "store", 60, "cuda", 1, 128, 48, 40)                                           \
    KERNEL("cp", 1, "add", 60, "cuda", 1, 128, 48, 40)                                             \
    "INSERT INTO kernel VALUES ('cp', 2, 'compute', 60, NULL, 'x');\n"                             \
    "INSERT INTO request_kernel VALUES ('cp', 1, 2, 'n', 'add');\n" KERNEL("cp", 3, "more", 100,   \
                                                                           "cuda", 1, 128, 49, 40) \
        KERNEL("cp", 4, "wide", 90, "cuda", 1, 256, 48, 40)                                        \
            KERNEL("cp", 5, "twice", 900, "cuda", 2, 128, 48, 40)
#define FFT_KERNELS KERNEL("fft", 0, "f", 70, "cuda", 1, 128, 48, 40)

/* tensor, its size and time; cuda, its load and time; blocks; ends; median; resources */
#define FUSED(tensor, size, tns, cuda, load, cns, blocks, ends, ns, resources)                     \
    "INSERT INTO fused VALUES ('" tensor "', " #size ", '" cuda "', " #load ", " blocks            \
    ", 1, " #tns ", " #cns ", " ends ", " resources ", 5, 0, " #ns ", " #ns                        \
    ", 1, 1, 1, 'count', 1, "                                                                      \
    "'warm');\n"
#define ALONE(tensor, shared) FUSED(tensor, 1, 100, "cp", 9, 90, "0, 0", "NULL, NULL", 190, shared)
#define SMALL                 "64, 100, 256"
#define CURVE                                                                                      \
    FUSED("conv-4x18", 1, 100, "cp", 1, 20, "1, 1", "100, 40", 110, SMALL)                         \
    FUSED("conv-4x18", 1, 100, "cp", 2, 100, "1, 1", "130, 125", 130, SMALL)                       \
    FUSED("conv-4x18", 1, 100, "cp", 4, 200, "1, 1", "120, 240", 230, SMALL)                       \
    FUSED("conv-4x18", 1, 100, "cp", 3, 150, "1, 1", "120, 180", 170, SMALL)
#define LARGER                                                                                     \
    FUSED("conv-4x18", 2, 200, "cp", 5, 100, "1, 1", "220, 200", 240, SMALL)                       \
    FUSED("conv-4x18", 2, 200, "cp", 6, 300, "1, 1", "240, 360", 360, SMALL)
#define OTHERS                                                                                     \
    ALONE("conv-4x18", SMALL)                                                                      \
    ALONE("conv-64x18", SMALL)                                                                     \
    ALONE("conv-4x20", "64, 200, 256")                                                             \
    ALONE("gemm", SMALL)                                                                           \
    FUSED("conv-64x18", 1, 100, "cp", 1, 20, "2, 1", "100, 40", 110, SMALL)                        \
    FUSED("conv-4x20", 1, 100, "fft", 1, 20, "2, 1", "100, 40", 110, SMALL)
#define ALL NET_KERNELS CP_KERNELS FFT_KERNELS CURVE LARGER OTHERS

static struct dcs_profile *profile;
static struct dcs_spatial *spatial;

static int try_rows(const char *rows, struct dcs_err *err)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    fprintf(f, "%s%s" BASE "%s", profile_schema_1_sql, profile_schema_2_sql, rows);
    assert_int_equal(fclose(f), 0);
    profile = dcs_spatial_load_profile(file, &spatial, err);
    return profile != NULL ? 0 : -1;
}

static const struct dcs_fusion *load(const char *rows)
{
    struct dcs_err err = {0};
    if (try_rows(rows, &err) != 0)
        dcs_err_print(&err, stderr);
    assert_non_null(profile);
    return spatial->fusion;
}

static void release(void)
{
    dcs_spatial_free(spatial);
    dcs_profile_free(profile);
}

static void near(double found, double expected)
{
    double off = found > expected ? found - expected : expected - found;
    if (off > 1e-12 * expected)
        print_error("expected %.17g, found %.17g\n", expected, found);
    assert_true(off <= 1e-12 * expected);
}

static void takes(const struct dcs_fusion *f, double tensor, double cuda, double ns,
                  double tensor_end, double cuda_end, bool beyond)
{
    struct dcs_fused_time t = dcs_fusion_time(f, 0, tensor, cuda);
    near(t.ns, ns);
    near(t.tensor_end_ns, tensor_end);
    near(t.cuda_end_ns, cuda_end);
    assert_int_equal(t.beyond, beyond);
}

static void times(void **unused)
{
    (void)unused;
    const struct dcs_fusion *f = load(NET_KERNELS CP_KERNELS FFT_KERNELS CURVE OTHERS);
    takes(f, 100, 20, 110, 110, 44, false); /* parts are as their shares of the later end */
    takes(f, 100, 100, 130, 130, 125, false);
    takes(f, 1000, 1500, 1700, 1700 * 2.0 / 3, 1700, false);
    takes(f, 100, 60, 120, 120, 84.5, false);
    /* Between two points where either part is the later one both ends stretch alike. */
    double tensor = (130 + 170 * 2.0 / 3) / 2, cuda = (125 + 170) / 2.0, end = 150;
    takes(f, 100, 125, end, end * tensor / cuda, end, false);
    takes(f, 100, 10, 110, 110, 22, false);
    /* In the first of the last four points the tensor part is last: the pace of the last one. */
    near(f->ways[0].curves[0].tail, 1.15);
    takes(f, 100, 260, 299, 115, 299, true);
    release();
}

static void the_rest_is_as_slow_as_it_was(void **unused)
{
    (void)unused;
    const struct dcs_fusion *f = load(NET_KERNELS CP_KERNELS FFT_KERNELS FUSED(
        "conv-4x18", 1, 100, "cp", 1, 100, "1, 1", "9, 10", 130,
        SMALL) FUSED("conv-4x18", 1, 100, "cp", 2, 200, "1, 1", "9, 10", 280, SMALL));
    near(f->ways[0].curves[0].tail, 1.5);
    takes(f, 100, 300, 430, 252, 430, true);
    assert_true(f->ways[0].gains);
    release();
    /* As it was beside the tensor kernel, but never faster than by itself. */
    f = load(NET_KERNELS CP_KERNELS FFT_KERNELS FUSED("conv-4x18", 1, 100, "cp", 1, 100, "1, 1",
                                                      "9, 10", 130, SMALL)
                 FUSED("conv-4x18", 1, 100, "cp", 2, 200, "1, 1", "9, 10", 220, SMALL));
    near(f->ways[0].curves[0].tail, 1.1); /* a slope of 0.9 is not that of a kernel alone */
    release();
    f = load(NET_KERNELS CP_KERNELS FFT_KERNELS FUSED("conv-4x18", 1, 100, "cp", 1, 100, "1, 1",
                                                      "10, 5", 130, SMALL));
    near(f->ways[0].curves[0].tail, 1);
    release();
}

/* At no load faster than one after the other, or by 1 ns at one of them. */
static void ways_that_never_gain(void **unused)
{
    (void)unused;
    const struct dcs_fusion *f =
        load(NET_KERNELS CP_KERNELS FFT_KERNELS FUSED("conv-4x18", 1, 100, "cp", 1, 100, "1, 1",
                                                      "9, 10", 200, SMALL)
                 FUSED("conv-4x18", 1, 100, "cp", 2, 200, "1, 1", "9, 10", 301, SMALL)
                     FUSED("conv-4x18", 1, 100, "cp", 1, 100, "1, 2", "9, 10", 250, SMALL)
                         FUSED("conv-4x18", 1, 100, "cp", 2, 200, "1, 2", "9, 10", 299, SMALL));
    assert_int_equal(f->ways_count, 2);
    assert_false(f->ways[0].gains);
    assert_true(f->ways[1].gains);
    release();
}

/* The way that saves most at a load ratio of 1, or at the nearest measured one; of two alike the
 * first; not one that has no room; none where none saves anything there, though it does elsewhere.
 */
static void the_offline_fuser(void **unused)
{
    (void)unused;
#define AT(blocks, cuda, ns, resources)                                                            \
    FUSED("conv-4x18", 1, 100, "cp", cuda, cuda, blocks, "9, 10", ns, resources)
#define FIRST(low, high)  AT("1, 1", 50, low, SMALL) AT("1, 1", 150, high, SMALL)
#define SECOND(low, high) AT("1, 2", 50, low, SMALL) AT("1, 2", 150, high, SMALL)
    static const struct {
        const char *rows;
        uint32_t kept;
        double saved; /* by the first */
    } cases[] = {
        {FIRST(120, 180), 0, 0.25}, /* 150 of 200 between them */
        {FIRST(120, 180) SECOND(110, 200), 0, 0.25},
        {FIRST(120, 180) SECOND(100, 200), 0, 0.25},
        {FIRST(120, 180) SECOND(99, 200), 1, 0.25},
        {FIRST(120, 180) AT("1, 2", 100, 120, "65, 1, 1024"), 0, 0.25},
        {FIRST(149, 251), DCS_NO_FUSION, 0},
        {FIRST(149, 250), 0, 0.0025},
        {AT("1, 1", 150, 200, SMALL), 0, 0.2}, /* of 250 */
        {AT("1, 1", 60, 120, SMALL), 0, 0.25}, /* of 160 */
        /* 0.25 at one size and 0.05 at the other */
        {FIRST(120, 180) FUSED("conv-4x18", 2, 200, "cp", 200, 200, "1, 1", "9, 10", 380, SMALL), 0,
         0.15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *all = malloc(sizeof CP_KERNELS + sizeof NET_KERNELS + sizeof FFT_KERNELS + 2000);
        strcpy(all, NET_KERNELS CP_KERNELS FFT_KERNELS);
        strcat(all, cases[i].rows);
        const struct dcs_fusion *f = load(all);
        near(1 + f->ways[0].saved, 1 + cases[i].saved);
        assert_int_equal(dcs_fusion_decide(f, 0, (uint32_t)f->ways_count), cases[i].kept);
        assert_int_equal(dcs_fusion_decide(f, 0, 0), DCS_NO_FUSION);
        release();
        free(all);
    }
#undef AT
#undef FIRST
#undef SECOND
}

static void sizes(void **unused)
{
    (void)unused;
    const struct dcs_fusion *f = load(ALL);
    assert_int_equal(f->ways[0].curves_count, 2);
    takes(f, 200, 300, 360, 240, 360, false);
    near(dcs_fusion_time(f, 0, 1000, 1500).ns, 1800); /* the nearest size's */
    near(dcs_fusion_time(f, 0, 50, 75).ns, 85);
    near(dcs_fusion_time(f, 0, 150, 225).ns, (1.7 + 1.8) / 2 * 150);
    near(dcs_fusion_time(f, 0, 125, 187.5).ns, (0.75 * 1.7 + 0.25 * 1.8) * 125);
    assert_true(dcs_fusion_time(f, 0, 125, 190).beyond); /* of the larger size */
    assert_false(dcs_fusion_time(f, 0, 100, 190).beyond);
    release();
}

static void kernels(void **unused)
{
    (void)unused;
    const struct dcs_fusion *f = load(ALL);
    assert_int_equal(f->tensors_count, 4);
    assert_int_equal(f->cudas_count, 2);
    assert_string_equal(f->cudas[0], "cp");
    enum { T4X18, T4X20, T64X18, NONE = -1 };
    /* Numbers of the kernels are those of the applications in the order of their names. */
    const uint32_t *cp = spatial->sequences[0].shapes, *net = spatial->sequences[2].shapes;
    static const struct {
        int kernel, exact, nearest;
    } tensors[] = {{EXACT, T4X18, T4X18}, {NEAR, NONE, T4X18}, {FAR, NONE, T64X18},
                   {LARGE, NONE, T4X20},  {ODD, NONE, NONE},   {GROUPED, NONE, NONE},
                   {SPLIT, NONE, NONE},   {BACK, NONE, NONE},  {SCALAR, NONE, NONE}};
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++) {
        uint32_t shape = net[tensors[i].kernel];
        assert_int_equal((int)f->tensor_of[DCS_FUSION_EXACT][shape], tensors[i].exact);
        assert_int_equal((int)f->tensor_of[DCS_FUSION_NEAREST][shape], tensors[i].nearest);
        assert_int_equal((int)f->cuda_of[shape], NONE);
    }
    static const int cudas[] = {0, 0, 0, NONE, NONE, NONE}; /* store, add, add, more, wide, twice */
    for (size_t i = 0; i < sizeof cudas / sizeof cudas[0]; i++)
        assert_int_equal((int)f->cuda_of[cp[i]], cudas[i]);

    struct dcs_fusion_pair pair;
    const uint32_t forth[] = {net[EXACT], cp[1]}, back[] = {cp[1], net[EXACT]};
    const uint32_t same[] = {net[EXACT], net[EXACT]}, near_one[] = {net[NEAR], cp[1]};
    const uint32_t apart[] = {net[LARGE], cp[1]}; /* each was measured, but not together */
    assert_true(dcs_fusion_find(f, DCS_FUSION_EXACT, forth, &pair));
    assert_true(pair.first == 0 && pair.end == 1 && pair.tensor == 0);
    assert_true(dcs_fusion_find(f, DCS_FUSION_EXACT, back, &pair));
    assert_true(pair.first == 0 && pair.end == 1 && pair.tensor == 1);
    assert_false(dcs_fusion_find(f, DCS_FUSION_EXACT, same, &pair));
    assert_false(dcs_fusion_find(f, DCS_FUSION_EXACT, near_one, &pair));
    assert_true(dcs_fusion_find(f, DCS_FUSION_NEAREST, near_one, &pair));
    assert_false(dcs_fusion_find(f, DCS_FUSION_NEAREST, apart, &pair));
    release();
}

static void resources(void **unused)
{
    (void)unused;
    static const struct {
        const char *of; /* registers, bytes, threads */
        bool fit;
    } cases[] = {{"64, 232448, 1024", true}, {"64, 232449, 1024", false},
                 {"65, 1, 1024", false}, /* registers are given out in eights */
                 {"8, 1, 1025", false},      {"96, 1, 640", true},
                 {"97, 1, 640", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char rows[400];
        snprintf(rows, sizeof rows,
                 "INSERT INTO fused VALUES ('t', 1, 'cp', 1, 1, 1, 1, 100, 20, 1, 1, %s, 5, 0, 1, "
                 "1, 1, 1, 1, 'count', 1, 'warm');\n",
                 cases[i].of);
        char *all = malloc(sizeof CP_KERNELS + sizeof NET_KERNELS + sizeof FFT_KERNELS + 500);
        strcpy(all, NET_KERNELS CP_KERNELS FFT_KERNELS);
        strcat(all, rows);
        assert_int_equal(load(all)->ways[0].fits, cases[i].fit);
        release();
        free(all);
    }
}

static void lines(void **unused)
{
    (void)unused;
    const struct dcs_fusion *f = load(NET_KERNELS CP_KERNELS FFT_KERNELS CURVE OTHERS);
    /* 0.2 1.1 and 1 1.3; 1.5 1.7 and 2 2.3 */
    struct dcs_fusion_lines *l = dcs_fusion_train_all(f);
    near(dcs_fusion_lines_at(l, 0.6), 1.2);
    near(dcs_fusion_lines_at(l, 1), 1.3);
    near(dcs_fusion_lines_at(l, 3), 3.5);
    near(l->before.slope, 0.25);
    near(l->after.slope, 1.2);
    /* Right to 10 %, it stays. */
    assert_false(dcs_fusion_learn(l, 100, 60, 110));
    assert_false(dcs_fusion_learn(l, 100, 60, 133));
    assert_true(dcs_fusion_learn(l, 100, 60, 108)); /* 120 is more than 10 % above */
    near(l->before.n, 3);
    near(l->after.n, 2);
    near(dcs_fusion_lines_at(l, 0.6), (1.1 + 1.3 + 1.08) / 3);
    assert_true(dcs_fusion_learn(l, 100, 300, 450));
    near(l->after.n, 3);
    assert_true(dcs_fusion_lines_at(l, 3) > 3.5);
    free(l);
    release();
}

static void all_sizes_train_one_model(void **unused)
{
    (void)unused;
    const struct dcs_fusion *f = load(ALL);
    struct dcs_fusion_lines l = dcs_fusion_train(f->ways[0].curves, 2);
    near(l.before.n, 4);
    near(l.after.n, 4);
    release();
}

static void nothing_fused(void **unused)
{
    (void)unused;
    assert_null(load(NET_KERNELS CP_KERNELS FFT_KERNELS));
    release();
}

static void refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *rows, *text;
    } cases[] = {
        {FUSED("t", 1, 0, "c", 1, 2, "1, 1", "1, 1", 3, SMALL), "tensor_ns"},
        {FUSED("t", 1, 1, "c", 1, 0, "1, 1", "1, 1", 3, SMALL), "cuda_ns"},
        {FUSED("t", 1, 1, "c", 1, 2, "1, 1", "1, 1", 0, SMALL), "median_ns"},
        {FUSED("t", 1, 1, "c", 1, 2, "1, 0", "1, 1", 3, SMALL), "blocks of both parts"},
        {FUSED("t", 1, 1, "c", 1, 2, "-1, 1", "1, 1", 3, SMALL), "tensor_blocks"},
        {FUSED("t", 1, 1, "c", 1, 2, "1, 1", "NULL, 1", 3, SMALL), "the end of each part"},
        {FUSED("t", 1, 1, "c", 1, 2, "1, 1", "1, NULL", 3, SMALL), "the end of each part"},
        {FUSED("t", 1, 1, "c", 1, 2, "1, 1", "1, 1", 3, "1, 1, 0"), "threads"},
        {FUSED("", 1, 1, "c", 1, 2, "1, 1", "1, 1", 3, SMALL), "tensor"},
        {FUSED("t", 1, 5, "c", 1, 2, "1, 1", "1, 1", 3, SMALL)
             FUSED("t", 1, 6, "c", 2, 3, "1, 1", "1, 1", 3, SMALL),
         "expected one time of \"t\" alone"},
        {FUSED("t", 1, 5, "c", 1, 2, "1, 1", "1, 1", 3, SMALL)
             FUSED("t", 1, 5, "c", 2, 3, "1, 1", "1, 1", 3, "63, 100, 256"),
         "expected one number of registers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dcs_err err = {0};
        char *all = malloc(sizeof CP_KERNELS + sizeof NET_KERNELS + sizeof FFT_KERNELS +
                           strlen(cases[i].rows));
        strcpy(all, NET_KERNELS CP_KERNELS FFT_KERNELS);
        strcat(all, cases[i].rows);
        assert_int_equal(try_rows(all, &err), -1);
        char place[1200];
        snprintf(place, sizeof place, "%s %s", err.path, err.text);
        if (strstr(place, cases[i].text) == NULL || strstr(err.path, "fused") == NULL)
            fail_msg("case %zu: %s", i, place);
        free(all);
    }
}

#define MANY(tensor, cuda) FUSED(tensor, 1, 1, cuda, 1, 2, "1, 1", "1, 1", 3, SMALL)

/* The pairs of kernels are numbered: a profile with a few of each kind is all that was ever
 * measured, and one with a million of each must not be tried. */
static void too_many_kernels(void **unused)
{
    (void)unused;
    static const char *const columns[] = {"fused.tensor", "fused.cuda"};
    for (int column = 0; column < 2; column++)
        for (int more = 0; more < 2; more++) {
            struct dcs_err err = {0};
            size_t size = 1 << 18, used;
            char *all = malloc(size);
            used = (size_t)snprintf(all, size, "%s", NET_KERNELS CP_KERNELS FFT_KERNELS);
            for (int i = 0; i < 1000 + more; i++)
                used += (size_t)snprintf(all + used, size - used,
                                         column == 0 ? MANY("t%d", "c") : MANY("t", "c%d"), i);
            assert_true(used < size);
            assert_int_equal(try_rows(all, &err), -more);
            assert_true(more == 0 || strcmp(err.path, columns[column]) == 0);
            free(all);
            if (more == 0)
                release();
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times),
        cmocka_unit_test(the_rest_is_as_slow_as_it_was),
        cmocka_unit_test(ways_that_never_gain),
        cmocka_unit_test(the_offline_fuser),
        cmocka_unit_test(sizes),
        cmocka_unit_test(kernels),
        cmocka_unit_test(resources),
        cmocka_unit_test(lines),
        cmocka_unit_test(all_sizes_train_one_model),
        cmocka_unit_test(nothing_fused),
        cmocka_unit_test(refused),
        cmocka_unit_test(too_many_kernels),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
