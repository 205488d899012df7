/*
 * test_spatial.c - pins what spatial.h reads out of a profile: the numbers of shapes, times exact
 * at measured points and as stated between and beyond them, requests that add up, mechanisms that
 * take precedence, pressure and weights between and below points, clusters of blocks; what stands
 * in for missing tables, and that it is named; that each value out of range, duplicate and gap is
 * refused with its place; that one reading and two give the same; and the shipped profile of the
 * H200.
 */
#include "models/gpu/spatial_load.h"

#include "models/profile/profile_schema.h"

#define TEMP_FILE "test_spatial"
#include "tests/temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define H200 DCS_SOURCE_DIR "/calibrate/profiles/nvidia-h200.sql.gz"

/* 8 SMs. "b" has kernels x, y, x; "c" only what version 1 says. A sample row's other columns. */
#define SAMPLE "1, 0, "
#define REST   ", 1, 0, 1, 1, 'rse', 1, 'warm')"
#define BASE                                                                                       \
    "INSERT INTO device VALUES ('d', 'gpu', 8, 1000, 'x');\n"                                      \
    "INSERT INTO application VALUES ('c', 'batch', NULL, 1, 'x'), ('b', 'batch', NULL, 1, 'x');\n" \
    "INSERT INTO kernel VALUES ('b', 0, 'compute', 100, NULL, 'x'),"                               \
    " ('b', 1, 'transfer', 50, NULL, 'x'), ('b', 2, 'compute', 100, NULL, 'x'),"                   \
    " ('c', 0, 'transfer', 30, NULL, 'x'), ('c', 1, 'task', 70, NULL, 'x');\n"
#define SUBJECT "INSERT INTO subject VALUES ('b', 'x', 'x', 'x', 1, 9, 4);\n"
#define LAUNCHES                                                                                   \
    "INSERT INTO request_kernel VALUES ('b', 4, 2, 'n', 'x'), ('b', 4, 1, 'n', 'y'),"              \
    " ('b', 4, 0, 'n', 'x'), ('b', 5, 0, 'n', 'z');\n"
#define SHAPES                                                                                     \
    "INSERT INTO kernel_shape VALUES"                                                              \
    " ('b', 4, 'x', 'compute', 'cuda', 3, 3, 32, 8, 0, 1, 1, 1, NULL, 1),"                         \
    " ('b', 4, 'y', 'from_device', 'cuda', 1, NULL, NULL, NULL, NULL, NULL, 1, 1, 9, 1),"          \
    " ('b', 5, 'x', 'library', 'cuda', 1, 1, 32, 8, 0, 1, 1, 1, NULL, 1);\n"
#define DESCRIBED(launches)                                                                        \
    "INSERT INTO kernel_shape VALUES ('b', 4, 'x', 'compute', 'cuda', " launches                   \
    ", 1, 1, 1, 1, 1, 1, 1, 1, 1);\n"
#define KERNEL(size, kernel, how, sms, ns)                                                         \
    "INSERT INTO kernel_solo VALUES ('b', " size ", '" kernel "', '" how "', " sms                 \
    ", " SAMPLE ns REST ";\n"
#define REQUEST(how, sms, ns)                                                                      \
    "INSERT INTO request_solo VALUES ('b', 4, '" how "', " sms ", " SAMPLE ns REST ";\n"
#define KERNELS                                                                                    \
    KERNEL("4", "x", "green", "2", "400")                                                          \
    KERNEL("4", "x", "green", "4", "200")                                                          \
    KERNEL("4", "x", "whole", "8", "100")                                                          \
    KERNEL("4", "y", "green", "4", "50") KERNEL("4", "y", "whole", "8", "50")
#define GROUP_AT(how, sms, position, launches, blocks, ns)                                         \
    "INSERT INTO kernel_launch VALUES ('b', 4, 'x', '" how "', " sms ", " position ", " launches   \
    ", " blocks ", 32, 8, 0, 2, 0, " SAMPLE ns REST ";\n"
#define GROUP(position, launches, blocks, ns) GROUP_AT("whole", "8", position, launches, blocks, ns)
#define RESOURCES                                                                                  \
    "INSERT INTO contention_resource VALUES ('l2', 1, 'x'), ('dram', 0, 'x');\n"                   \
    "INSERT INTO contention_hinge VALUES ('l2', 0, 0), ('dram', 1, 4.5), ('dram', 0, 0);\n"
#define PRESS_OF(sms, resource, pressure, source)                                                  \
    "INSERT INTO contention_kernel VALUES ('b', 4, 'x', " sms ", '" resource "', " pressure        \
    ", '" source "');\n"
#define PRESS(sms, resource, pressure) PRESS_OF(sms, resource, pressure, "x")
#define RANGE(sms, slowdown)                                                                       \
    "INSERT INTO contention_range VALUES ('b', 4, 'x', " sms ", " slowdown ");\n"
#define WEIGHT(sms, resource, position, weight)                                                    \
    "INSERT INTO contention_weight VALUES ('b', 4, 'x', " sms ", '" resource "', " position        \
    ", " weight ");\n"

static void write_profile(const char *version, const char *tables, const char *rows)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    fprintf(f,
            "%s%sINSERT INTO profile VALUES ('schema_version', '%s'), ('name', 'x'),"
            " ('description', 'x'), ('source', 'x');\n" BASE "%s",
            profile_schema_1_sql, tables, version, rows);
    assert_int_equal(fclose(f), 0);
}

static struct dcs_profile *profile;

static struct dcs_spatial *load(const char *path)
{
    struct dcs_err err = {0};
    struct dcs_spatial *s = NULL;
    profile = dcs_spatial_load_profile(path, &s, &err);
    if (profile == NULL)
        dcs_err_print(&err, stderr);
    assert_non_null(profile);
    assert_non_null(s);
    return s;
}

static struct dcs_spatial *load_rows(const char *rows)
{
    write_profile("2", profile_schema_2_sql, rows);
    return load(file);
}

static void release(struct dcs_spatial *s)
{
    dcs_spatial_free(s);
    dcs_profile_free(profile);
}

static void near(double found, double expected)
{
    double off = found > expected ? found - expected : expected - found;
    if (off > 1e-12 * expected)
        print_error("expected %.17g, found %.17g\n", expected, found);
    assert_true(off <= 1e-12 * expected);
}

/* ---- what is read ---- */

static void test_shapes(void **state)
{
    (void)state;
    struct dcs_spatial *s = load_rows(SUBJECT LAUNCHES SHAPES KERNELS);
    assert_int_equal(s->sms, 8);
    assert_int_equal(s->shapes_count, 4);
    assert_int_equal(s->sequences_count, 2);
    assert_string_equal(s->sequences[0].app, "b");
    assert_int_equal(s->sequences[0].kernels, 3);
    assert_int_equal(s->sequences[0].shapes[0], 0);
    assert_int_equal(s->sequences[0].shapes[1], 1);
    assert_int_equal(s->sequences[0].shapes[2], 0);
    assert_int_equal(s->sequences[1].shapes[0], 2);
    assert_int_equal(s->sequences[1].shapes[1], 3);
    assert_string_equal(s->shapes[0].name, "x");
    assert_ptr_equal(s->shapes[0].app, profile->apps[0].name);
    assert_int_equal(s->shapes[0].kind, DCS_SHAPE_COMPUTE);
    assert_int_equal(s->shapes[0].launches, 3);
    assert_int_equal(s->shapes[0].blocks, 3);
    assert_int_equal(s->shapes[0].blocks_per_sm, 1);
    assert_string_equal(s->shapes[1].name, "y");
    assert_int_equal(s->shapes[1].kind, DCS_SHAPE_FROM_DEVICE);
    assert_int_equal(s->shapes[1].blocks, 0);
    assert_int_equal(s->shapes[1].blocks_per_sm, 0);
    assert_int_equal(s->shapes[2].kind, DCS_SHAPE_TO_DEVICE);
    assert_int_equal(s->shapes[3].kind, DCS_SHAPE_COMPUTE);
    assert_int_equal(s->resources_count, 0);
    release(s);
}

static void test_times(void **state)
{
    (void)state;
    struct dcs_spatial *s = load_rows(SUBJECT LAUNCHES SHAPES KERNELS);
    assert_true(dcs_shape_solo_ns(s, 0, 2) == 400);
    assert_true(dcs_shape_solo_ns(s, 0, 4) == 200);
    assert_true(dcs_shape_solo_ns(s, 0, 8) == 100);
    near(dcs_shape_solo_ns(s, 0, 3), 800.0 / 3); /* linear in 1 / SMs: here constant work */
    near(dcs_shape_solo_ns(s, 0, 5), 160);
    near(dcs_shape_solo_ns(s, 0, 1), 800);
    near(dcs_shape_solo_ns(s, 0, 0.5), 1600);
    assert_true(dcs_shape_solo_ns(s, 1, 1) == 50); /* a transfer */
    near(dcs_shape_solo_ns(s, 3, 2), 280);         /* 70 on the whole device */
    assert_true(dcs_shape_solo_ns(s, 2, 2) == 30);
    release(s);
    /* Above the last point its time holds; 3 blocks are as fast on 3 SMs as on 4. */
    s = load_rows(SUBJECT LAUNCHES SHAPES KERNEL("4", "x", "green", "4", "200"));
    assert_true(dcs_shape_solo_ns(s, 0, 8) == 200);
    assert_true(dcs_shape_solo_ns(s, 0, 3) == 200);
    near(dcs_shape_solo_ns(s, 0, 2), 300);
    release(s);
    /* Times that rise with SMs stay. */
    s = load_rows(SUBJECT LAUNCHES KERNEL("4", "x", "green", "4", "90")
                      KERNEL("4", "x", "whole", "8", "95"));
    assert_true(dcs_shape_solo_ns(s, 0, 4) == 90 && dcs_shape_solo_ns(s, 0, 8) == 95);
    release(s);
}

/* Kernels of 250 on the whole device and 450 on 4 SMs; 850 on 2, where y is as on 4. */
/* 100 ns in all: a tracer saw 40 + 2 * 15, so that each of three launches has 10 more. */
static void test_launches(void **state)
{
    (void)state;
    struct dcs_spatial *s =
        load_rows(SUBJECT LAUNCHES SHAPES KERNELS GROUP("1", "2", "5", "15")
                      GROUP("0", "1", "64", "40") GROUP_AT("green", "4", "0", "3", "9", "60"));
    const struct dcs_shape *x = &s->shapes[0];
    assert_int_equal(x->groups_count, 2);
    assert_true(x->groups[0].launches == 1 && x->groups[0].blocks == 64);
    assert_true(x->groups[1].launches == 2 && x->groups[1].blocks == 5);
    assert_int_equal(x->groups[1].blocks_per_sm, 2);
    near(x->groups[0].share, 0.5);
    near(x->groups[1].share, 0.25);
    near(x->groups[0].after, 0.5);
    assert_true(x->groups[1].after == 0);
    assert_true(x->groups[0].grid == 0 && x->groups[1].grid == 1);
    assert_true(x->least_fill == 2.5 && x->most_fill == 32);
    assert_null(s->shapes[1].groups);
    release(s);
    /* More than the kernel took: no gaps. */
    s = load_rows(SUBJECT LAUNCHES SHAPES KERNELS GROUP("0", "1", "64", "80")
                      GROUP("1", "2", "5", "20"));
    near(s->shapes[0].groups[1].share, 20.0 / 120);
    release(s);
    /* All alike, on the grid of kernel_shape, says nothing new; another grid does. */
    s = load_rows(SUBJECT LAUNCHES
                  "INSERT INTO kernel_shape VALUES ('b', 4, 'x', 'compute',"
                  " 'cuda', 3, 9, 32, 8, 0, 2, 1, 1, NULL, 1);" KERNELS GROUP("0", "3", "9", "30"));
    assert_null(s->shapes[0].groups);
    release(s);
    s = load_rows(SUBJECT LAUNCHES SHAPES KERNELS GROUP("0", "3", "9", "30"));
    assert_int_equal(s->shapes[0].groups_count, 1);
    near(s->shapes[0].groups[0].share, 1.0 / 3);
    release(s);
}

static void test_requests(void **state)
{
    (void)state;
    struct dcs_spatial *s = load_rows(SUBJECT LAUNCHES SHAPES KERNELS REQUEST(
        "whole", "8", "500") REQUEST("green", "2", "1700") REQUEST("green", "6", "330"));
    near(dcs_shape_solo_ns(s, 0, 8), 200);
    near(dcs_shape_solo_ns(s, 1, 8), 100);
    near(dcs_shape_solo_ns(s, 0, 2), 800);
    double sum = 2 * dcs_shape_solo_ns(s, 0, 6) + dcs_shape_solo_ns(s, 1, 6);
    near(sum, 330); /* where no kernel was measured */
    /* Sum of 2 * 400 / 3 + 50 there; at 4 SMs between the factors 330 / 316.67 and 2. */
    double at_6 = 330 / (800.0 / 3 + 50), share = (6.0 - 4) * 2 / ((6 - 2) * 4.0);
    near(dcs_shape_solo_ns(s, 0, 4), 200 * (at_6 + (2 - at_6) * share));
    assert_null(strstr(dcs_spatial_falls_back(s), "requests of 2"));
    assert_non_null(strstr(dcs_spatial_falls_back(s), "requests of 1 application "));
    release(s);
}

static void test_mechanisms(void **state)
{
    (void)state;
    /* whole before green before mps at equal SMs; mps not at all beside partitions. */
    struct dcs_spatial *s = load_rows(
        SUBJECT LAUNCHES KERNEL("4", "x", "mps", "4", "1000") KERNEL("4", "x", "green", "8", "120")
            KERNEL("4", "x", "whole", "8", "100") KERNEL("4", "y", "mps", "4", "70")
                KERNEL("4", "y", "mps", "8", "60") KERNEL("4", "y", "whole", "8", "50"));
    near(dcs_shape_solo_ns(s, 0, 8), 100);
    near(dcs_shape_solo_ns(s, 0, 4), 200);
    near(dcs_shape_solo_ns(s, 1, 8), 50);
    near(dcs_shape_solo_ns(s, 1, 4), 70);
    release(s);
}

static void test_counters(void **state)
{
    (void)state;
#define COUNTERS(kernel, state, instructions, in, out)                                             \
    "INSERT INTO kernel_counters VALUES ('b', 4, '" kernel "', '" state "', 1, " instructions ", " \
    "1, " in ", " out ", 1, 1, 1, 1, 1, 1);\n"
    struct dcs_spatial *s = load_rows(
        SUBJECT LAUNCHES COUNTERS("x", "cold", "9", "9", "9") COUNTERS("x", "warm", "5", "3", "4")
            COUNTERS("y", "unknown", "NULL", "6",
                     "NULL") "INSERT INTO overhead VALUES ('copy', 'whole', 8, 1000, 'byte', 1, 0, "
                             "10" REST ","
                             " ('read', 'green', 4, 1200, 'byte', 1, 0, 10" REST ","
                             " ('l2_read', 'whole', 8, 9000, 'byte', 1, 0, 10" REST ";\n");
    assert_true(s->shapes[0].instructions == 5 && s->shapes[0].dram_bytes == 7);
    assert_true(s->shapes[1].instructions == 0 && s->shapes[1].dram_bytes == 6);
    assert_true(s->dram_gbs == 120);
    release(s);
}

static void test_contention(void **state)
{
    (void)state;
    double pressure[DCS_RESOURCES_MAX], weight[DCS_RESOURCES_MAX][DCS_HINGES_MAX];
    struct dcs_spatial *s =
        load_rows(SUBJECT LAUNCHES SHAPES KERNELS RESOURCES PRESS("6", "dram", "0.5")
                      PRESS("3", "dram", "0.25") PRESS("8", "l2", "0.125")
                          WEIGHT("6", "dram", "0", "1") WEIGHT("3", "dram", "0", "2")
                              WEIGHT("3", "dram", "1", "6") WEIGHT("8", "l2", "0", "3"));
    assert_int_equal(s->resources_count, 2);
    assert_string_equal(s->resources[0].name, "dram");
    assert_int_equal(s->resources[0].hinges, 2);
    assert_int_equal(s->resources[1].hinges, 1);
    assert_true(s->resources[0].level[0] == 0 && s->resources[0].level[1] == 4.5);
    /* Below its first row a pressure is in proportion to SMs, the weights stay. */
    static const struct {
        double sms, pressure, first, second;
    } at[] = {{0.5, 0.125 / 3, 2, 6}, {1, 0.25 / 3, 2, 6}, {2, 0.5 / 3, 2, 6},
              {2.5, 0.625 / 3, 2, 6}, {3, 0.25, 2, 6},     {4.5, 0.375, 1.5, 3},
              {6, 0.5, 1, 0},         {7, 0.5, 1, 0},      {8, 0.5, 1, 0}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        dcs_shape_contention(s, 0, at[i].sms, pressure, weight);
        near(pressure[0], at[i].pressure);
        near(weight[0][0], at[i].first);
        near(weight[0][1], at[i].second);
        near(pressure[1], 0.125 * at[i].sms / 8);
        near(weight[1][0], 3);
    }
    dcs_shape_contention(s, 1, 4, pressure, weight);
    assert_true(pressure[0] == 0 && weight[0][0] == 0 && weight[1][0] == 0);
    near(dcs_shape_solo_ns(s, 0, 6), 400.0 / 3); /* a point of contention moves no time */
    assert_non_null(strstr(dcs_spatial_falls_back(s), "1 of 2 kernels have no contention rows"));
    assert_null(strstr(dcs_spatial_falls_back(s), "a guess"));
    assert_int_equal(s->shapes[0].contention, DCS_CONTENTION_FITTED);
    assert_int_equal(s->shapes[1].contention, DCS_CONTENTION_NONE);
    release(s);
}

/* How far measurements reach is linear between SMs, and that of the nearest beyond. */
static void test_measured_to(void **state)
{
    (void)state;
    struct dcs_spatial *s = load_rows(SUBJECT LAUNCHES KERNELS RESOURCES PRESS(
        "4", "dram", "0.5") PRESS("8", "l2", "0.5") RANGE("8", "3") RANGE("4", "1.5"));
    assert_true(s->ranged);
    near(dcs_shape_measured_to(s, 0, 2), 1.5);
    near(dcs_shape_measured_to(s, 0, 4), 1.5);
    near(dcs_shape_measured_to(s, 0, 6), 2.25);
    near(dcs_shape_measured_to(s, 0, 8), 3);
    assert_true(dcs_shape_measured_to(s, 1, 4) == 0); /* not known */
    release(s);
    s = load_rows(SUBJECT LAUNCHES KERNELS RESOURCES PRESS("4", "dram", "0.5"));
    assert_false(s->ranged);
    assert_true(dcs_shape_measured_to(s, 0, 4) == 0);
    release(s);
}

/* The source of its rows says that they are those of others. */
static void guessed_contention(void **state)
{
    (void)state;
    struct dcs_spatial *s = load_rows(SUBJECT LAUNCHES SHAPES KERNELS RESOURCES PRESS(
        "6", "dram", "0.5") PRESS_OF("3", "dram", "0.25", "like a y"));
    assert_int_equal(s->shapes[0].contention, DCS_CONTENTION_GUESSED);
    assert_non_null(strstr(dcs_spatial_falls_back(s),
                           "1 of 2 kernels slow and are slowed as others that are "
                           "like them, a guess"));
    release(s);
}

/* ---- what is missing ---- */

static void test_version_1(void **state)
{
    (void)state;
    write_profile("1", "", "");
    struct dcs_spatial *s = load(file);
    assert_int_equal(s->shapes_count, 5);
    assert_string_equal(s->shapes[1].name, "kernel 1");
    assert_int_equal(s->shapes[1].kind, DCS_SHAPE_TO_DEVICE);
    near(dcs_shape_solo_ns(s, 0, 2), 400);
    assert_non_null(strstr(dcs_spatial_falls_back(s), "not known of 2 applications (b, c)"));
    assert_non_null(
        strstr(dcs_spatial_falls_back(s), "how long 5 of 5 kernels take alone on fewer SMs"));
    assert_non_null(strstr(dcs_spatial_falls_back(s), "no contention model"));
    release(s);
}

static void test_missing_tables(void **state)
{
    (void)state;
    write_profile("2", "", "");
    struct dcs_spatial *s = load(file);
    assert_int_equal(s->shapes_count, 5);
    release(s);
    /* Requests alone scale even kernels that are not told apart. */
    s = load_rows(SUBJECT REQUEST("mps", "4", "600"));
    near(dcs_shape_solo_ns(s, 0, 4) + dcs_shape_solo_ns(s, 1, 4) + dcs_shape_solo_ns(s, 2, 4), 600);
    release(s);
}

static void test_complete(void **state)
{
    (void)state;
    struct dcs_spatial *s = load(DCS_SOURCE_DIR "/tests/data/profile-measured.sql");
    assert_null(dcs_spatial_falls_back(s));
    near(dcs_shape_solo_ns(s, 0, 4), 8e6);
    assert_int_equal(s->resources_count, 1);
    release(s);
}

/* At one number of SMs `whole` comes before `green`; between two, and beyond, the nearest counts,
 * in proportion. A size that no request has is passed over. */
static void test_clusters(void **state)
{
    (void)state;
    struct dcs_spatial *s =
        load_rows(SUBJECT LAUNCHES KERNELS "INSERT INTO cluster_room VALUES (1, 8), (4, 1);"
                                           "INSERT INTO kernel_cluster VALUES"
                                           " ('b', 4, 'x', 'green', 8, 2, 8),"
                                           " ('b', 4, 'x', 'whole', 8, 4, 100),"
                                           " ('b', 4, 'x', 'mps', 4, 2, 2),"
                                           " ('b', 5, 'z', 'whole', 8, 4, 8);");
    const struct {
        uint32_t sms, blocks, fills;
    } expected[] = {{8, 4, 8}, {7, 4, 7}, {6, 2, 3}, {4, 2, 2}, {3, 1, 3}, {1, 1, 1}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct dcs_shape_cluster c = dcs_shape_cluster_at(s, 0, expected[i].sms);
        assert_int_equal(c.blocks, expected[i].blocks);
        assert_int_equal(c.fills, expected[i].fills);
    }
    assert_int_equal(dcs_shape_cluster_at(s, 1, 8).blocks, 1); /* the transfer */
    assert_int_equal(s->cluster_room[0], 8);
    assert_int_equal(s->cluster_room[1], 0);
    assert_int_equal(s->cluster_room[2], 1);
    assert_null(strstr(dcs_spatial_falls_back(s), "come in clusters"));
    release(s);
    s = load_rows(SUBJECT LAUNCHES KERNELS
                  "INSERT INTO cluster_room VALUES (2, 4);"
                  "INSERT INTO kernel_cluster VALUES ('b', 4, 'x', 'whole', 8, 4, 100);");
    assert_non_null(strstr(dcs_spatial_falls_back(s), "the blocks of 1 kernel come in clusters"));
    release(s);
}

/* ---- what is refused ---- */

static void refused(const char *rows, const char *place, const char *text)
{
    write_profile("2", profile_schema_2_sql, rows);
    struct dcs_err err = {0};
    struct dcs_spatial *s = NULL;
    struct dcs_profile *p = dcs_spatial_load_profile(file, &s, &err);
    if (p != NULL || strcmp(err.path, place) != 0 || strstr(err.text, text) == NULL)
        print_error("%s\nexpected %s: %s, found %s: %s\n", rows, place, text, err.path, err.text);
    assert_null(p);
    assert_null(s);
    assert_string_equal(err.path, place);
    assert_non_null(strstr(err.text, text));
    assert_string_equal(err.file, file);
}

static void test_refused(void **state)
{
    (void)state;
#define LINES SUBJECT LAUNCHES
    refused(SUBJECT "INSERT INTO request_kernel VALUES ('b', 4, 0, 'n', 'x');", "request_kernel",
            "expected the 3 kernels of \"b\"");
    refused(SUBJECT
            "INSERT INTO request_kernel VALUES ('b', 4, 0, 'n', 'x'), ('b', 4, 1, 'n', 'x'),"
            " ('b', 4, 3, 'n', 'x');",
            "request_kernel.position", "found 3 where 2 should be");
    refused("INSERT INTO subject VALUES ('b', 'x', 'x', 'x', 1, 9, -4);", "subject.size_default",
            "an integer from 0");
    refused(LINES "INSERT INTO request_kernel VALUES ('b', 4, 7, 'n', '');",
            "request_kernel.kernel", "a text of 1 to 256");
    refused(LINES KERNEL("4", "x", "green", "9", "1"), "kernel_solo.sms", "from 1 to 8, found 9");
    refused(LINES KERNEL("4", "x", "green", "0", "1"), "kernel_solo.sms", "found 0");
    refused(LINES KERNEL("4", "x", "green", "4", "0"), "kernel_solo.median_ns", "found 0");
    refused(LINES KERNEL("4", "x", "green", "4", "2000000000000000000"), "kernel_solo.median_ns",
            "found 2000000000000000000");
    refused(LINES KERNEL("4", "x", "green", "4", "'x'"), "kernel_solo.median_ns", "the text \"x\"");
    refused(LINES KERNEL("4", "x", "blue", "4", "1"), "kernel_solo.mechanism",
            "\"whole\" or \"green\" or \"mps\"");
    refused(LINES KERNEL("7", "x", "blue", "4", "1"), "kernel_solo.mechanism", "the text \"blue\"");
    refused(LINES REQUEST("green", "9", "1"), "request_solo.sms", "found 9");
    refused(LINES "INSERT INTO kernel_shape VALUES ('b', 4, 'x', 'magic', 'cuda', 1, 1, 1, 1, 1, 1,"
                  " 1, 1, 1, 1);",
            "kernel_shape.kind", "\"library\"");
    refused(LINES
            "INSERT INTO kernel_shape VALUES ('b', 4, 'x', 'compute', 'cuda', 0, 1, 1, 1, 1, 1,"
            " 1, 1, 1, 1);",
            "kernel_shape.launches", "found 0");
    refused(LINES DESCRIBED("1000001"), "kernel_shape.launches", "1 to 1000000, found 1000001");
    /* x is listed with 100 000 000 ns. */
    refused(LINES DESCRIBED("9") KERNEL("4", "x", "green", "4", "8"), "kernel_shape.launches",
            "each ns that \"x\" of \"b\" takes, found 9 in 8 ns");
    refused(LINES SHAPES GROUP("0", "1", "1", "1") GROUP("2", "2", "1", "1"),
            "kernel_launch.position", "found 2 in place of 1");
    refused(LINES SHAPES GROUP("0", "2", "1", "1"), "kernel_launch.launches",
            "expected the 3 launches that kernel_shape has of \"x\" of \"b\", found 2 in all");
    refused(LINES SHAPES GROUP("64", "3", "1", "1"), "kernel_launch.position", "0 to 63");
    refused(LINES SHAPES GROUP("0", "3", "0", "1"), "kernel_launch.blocks", "found 0");
    refused(LINES SHAPES GROUP("0", "3", "1", "0"), "kernel_launch.median_ns", "found 0");
    refused(LINES
            "INSERT INTO kernel_counters VALUES ('b', 4, 'x', 'warm', 1, -1, 1, 1, 1, 1, 1, 1,"
            " 1, 1, 1);",
            "kernel_counters.instructions", "a number from 0");
    refused(LINES "INSERT INTO overhead VALUES ('copy', 'whole', 8, 1e999, 'byte', 1, 0, 10" REST
                  ";",
            "overhead.amount", "a number from 0");
}

static void test_refused_contention(void **state)
{
    (void)state;
#define WITH          SUBJECT LAUNCHES RESOURCES
#define RESOURCE(row) "INSERT INTO contention_resource VALUES " row ";\n"
#define HINGES(rows)  RESOURCE("('r', 0, 'x')") "INSERT INTO contention_hinge VALUES " rows ";\n"
#define CLUSTER(sms, cluster, blocks)                                                              \
    LINES "INSERT INTO kernel_cluster VALUES ('b', 4, 'x', 'mps', " sms ", " cluster ", " blocks   \
          ");"
    refused(CLUSTER("9", "2", "4"), "kernel_cluster.sms", "found 9");
    refused(CLUSTER("8", "1", "4"), "kernel_cluster.cluster_blocks", "found 1");
    refused(CLUSTER("8", "17", "34"), "kernel_cluster.cluster_blocks", "found 17");
    refused(CLUSTER("8", "4", "3"), "kernel_cluster.blocks", "found 3");
    refused(LINES "INSERT INTO cluster_room VALUES (3, 1);", "cluster_room.cluster_blocks",
            "2, 4, 8 or 16");
    refused(LINES "INSERT INTO cluster_room VALUES (32, 1);", "cluster_room.cluster_blocks",
            "found 32");
    refused(LINES "INSERT INTO cluster_room VALUES (4, 3);", "cluster_room.clusters",
            "no more than the device has SMs for");
    refused(LINES "INSERT INTO cluster_room VALUES (4, 0);", "cluster_room.clusters", "found 0");
    refused(CLUSTER("8", "4", "6"), "kernel_cluster.blocks", "a multiple of cluster_blocks");
    refused(WITH PRESS("9", "dram", "0.5"), "contention_kernel.sms", "found 9");
    refused(WITH PRESS("4", "disk", "0.5"), "contention_kernel.resource",
            "that the table contention_resource has");
    refused(WITH PRESS("4", "dram", "1.01"), "contention_kernel.pressure", "from 0 to 1");
    refused(WITH PRESS("4", "dram", "-0.1"), "contention_kernel.pressure", "from 0 to 1");
    refused(WITH PRESS("4", "dram", "1"), "contention_kernel.pressure", "below 1 - 1e-9");
    refused(WITH PRESS("4", "dram", "0.9999999995"), "contention_kernel.pressure",
            "below 1 - 1e-9");
    refused(WITH "INSERT INTO contention_kernel VALUES ('b', 4, 'x', 4, 'dram', 0.5, '');",
            "contention_kernel.source", "a text");
    refused(WITH PRESS("4", "dram", "0") WEIGHT("4", "dram", "0", "-1"), "contention_weight.weight",
            "a number from 0");
    refused(WITH PRESS("4", "dram", "0") WEIGHT("4", "dram", "0", "1000001"),
            "contention_weight.weight", "to 1e+06");
    refused(WITH PRESS("4", "dram", "0") WEIGHT("4", "dram", "0", "1e999"),
            "contention_weight.weight", "a number from 0");
    refused(WITH PRESS("4", "dram", "0") WEIGHT("4", "dram", "0", "x'00'"),
            "contention_weight.weight", "a blob");
    refused(WITH PRESS("4", "dram", "0") WEIGHT("4", "dram", "2", "1"),
            "contention_weight.position", "a hinge that");
    refused(WITH PRESS("4", "dram", "0") WEIGHT("4", "dram", "4", "1"),
            "contention_weight.position", "from 0 to 3");
    refused(WITH PRESS("4", "dram", "0") WEIGHT("5", "dram", "0", "1"), "contention_weight.sms",
            "at which contention_kernel");
    refused(WITH PRESS("4", "dram", "0") WEIGHT("4", "l2", "0", "1"), "contention_weight.sms",
            "at which contention_kernel");
    refused(WITH PRESS("4", "dram", "0.5") RANGE("9", "1.5"), "contention_range.sms", "found 9");
    refused(WITH PRESS("4", "dram", "0.5") RANGE("4", "0.99"), "contention_range.slowdown",
            "from 1 to 1e+06");
    refused(WITH PRESS("4", "dram", "0.5") RANGE("4", "1e999"), "contention_range.slowdown",
            "from 1 to 1e+06");
    refused(WITH PRESS("4", "dram", "0.5") RANGE("4", "'x'"), "contention_range.slowdown",
            "the text \"x\"");
    refused(WITH PRESS("4", "dram", "0.5") RANGE("8", "1.5"), "contention_range.sms",
            "at which contention_kernel has the kernel");
    refused(WITH RANGE("4", "1.5"), "contention_range.sms", "at which contention_kernel");
    refused(RESOURCE("('r', 2, 'x')"), "contention_resource.position", "at most two");
    refused(RESOURCE("('r', -1, 'x')"), "contention_resource.position", "from 0");
    refused(RESOURCE("('r', 1, 'x')"), "contention_resource.position", "\"r\", the only one");
    refused(RESOURCE("('r', 0, 'x'), ('q', 0, 'x')"), "contention_resource.position",
            "each position once");
    refused(RESOURCE("('r', 0, '')"), "contention_resource.source", "a text");
    refused(RESOURCE("('r', 0, 'x')"), "contention_hinge", "at least one hinge of \"r\"");
    refused(HINGES("('q', 0, 0)"), "contention_hinge.resource", "the text \"q\"");
    refused(HINGES("('r', 1, 0)"), "contention_hinge.position", "at 0, 1, ...");
    refused(HINGES("('r', 4, 0)"), "contention_hinge.position", "from 0 to 3");
    refused(HINGES("('r', 0, -0.5)"), "contention_hinge.level", "from 0 to 399");
    refused(HINGES("('r', 0, 400)"), "contention_hinge.level", "from 0 to 399");
    refused(HINGES("('r', 0, 2), ('r', 1, 2)"), "contention_hinge.level", "rises");
}

/* Keys are the author's choice, so that rows may be there twice. */
static void test_refused_duplicates(void **state)
{
    (void)state;
    static const struct {
        const char *table, *rows, *place;
    } cases[] = {
        {"subject", LINES SUBJECT, "subject.application"},
        {"kernel_solo",
         LINES KERNEL("4", "x", "green", "4", "1") KERNEL("4", "x", "green", "4", "2"),
         "kernel_solo"},
        {"request_solo", LINES REQUEST("green", "4", "1") REQUEST("green", "4", "2"),
         "request_solo"},
        {"kernel_shape", LINES SHAPES SHAPES, "kernel_shape.kernel"},
        {"kernel_launch", LINES SHAPES GROUP("0", "1", "1", "1") GROUP("0", "2", "1", "1"),
         "kernel_launch.position"},
        {"contention_hinge",
         HINGES("('r', 0, 0)") "INSERT INTO contention_hinge VALUES ('r', 0, 1);",
         "contention_hinge.position"},
        {"contention_kernel", WITH PRESS("4", "dram", "0.5") PRESS("4", "dram", "0.5"),
         "contention_kernel"},
        {"contention_weight",
         WITH PRESS("4", "dram", "0.5") WEIGHT("4", "dram", "0", "1") WEIGHT("4", "dram", "0", "1"),
         "contention_weight.position"},
        {"contention_range", WITH PRESS("4", "dram", "0.5") RANGE("4", "1.5") RANGE("4", "1.5"),
         "contention_range"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        /* The schema's own statement of that table, without its keys. */
        static char tables[16384];
        struct dcs_profile_table t = {0};
        tables[0] = '\0';
        while (dcs_profile_next_table(&t)) {
            char *key = strstr(t.columns, ", PRIMARY KEY("), *column;
            bool keyless = strcmp(t.name, cases[i].table) == 0;
            if (keyless && key != NULL)
                strcpy(key, ")");
            else if (keyless && (column = strstr(t.columns, " PRIMARY KEY")) != NULL)
                memset(column, ' ', strlen(" PRIMARY KEY"));
            size_t used = strlen(tables);
            if (t.version == 2)
                snprintf(tables + used, sizeof tables - used, "CREATE TABLE %s%s;\n", t.name,
                         t.columns);
        }
        write_profile("2", tables, cases[i].rows);
        struct dcs_err err = {0};
        struct dcs_spatial *s = NULL;
        assert_null(dcs_spatial_load_profile(file, &s, &err));
        if (strcmp(err.path, cases[i].place) != 0)
            dcs_err_print(&err, stderr);
        assert_string_equal(err.path, cases[i].place);
    }
}

/* ---- files ---- */

static void test_two_readings(void **state)
{
    (void)state;
    struct dcs_spatial *once = load_rows(SUBJECT LAUNCHES SHAPES KERNELS RESOURCES PRESS(
        "4", "l2", "0.5") WEIGHT("4", "l2", "0", "1"));
    struct dcs_err err = {0};
    struct dcs_spatial *twice = NULL;
    struct dcs_profile *again = dcs_spatial_load_profile(file, &twice, &err);
    assert_non_null(twice);
    assert_int_equal(once->shapes_count, twice->shapes_count);
    for (uint32_t i = 0; i < once->shapes_count; i++) {
        assert_int_equal(once->shapes[i].points_count, twice->shapes[i].points_count);
        assert_memory_equal(once->shapes[i].points, twice->shapes[i].points,
                            once->shapes[i].points_count * sizeof *once->shapes[i].points);
    }
    dcs_spatial_free(twice);
    dcs_profile_free(again);
    release(once);
    struct dcs_spatial *none = NULL;
    assert_null(dcs_spatial_load_profile("/nowhere.db", &none, &err));
    assert_null(none);
    dcs_spatial_free(NULL);
}

/* Sums of kernels against requests of the shipped profile, for which nothing of its size stands in.
 */
static void test_h200(void **state)
{
    (void)state;
    struct dcs_spatial *s = load(H200);
    assert_int_equal(s->sms, 132);
    assert_int_equal(s->sequences_count, profile->apps_count);
    for (uint32_t a = 0; a < s->sequences_count; a++) {
        const struct dcs_sequence *sequence = &s->sequences[a];
        double last = 0;
        assert_int_equal(sequence->kernels, profile->apps[a].kernels_count);
        for (double sms = 132; sms >= 1; sms -= 1) {
            double sum = 0;
            for (uint32_t k = 0; k < sequence->kernels; k++)
                sum += dcs_shape_solo_ns(s, sequence->shapes[k], sms);
            if (sms == 132) /* durations of the table kernel are means, without launch gaps */
                assert_true(sum > 0.94 * (double)profile->apps[a].total_ns &&
                            sum < 1.06 * (double)profile->apps[a].total_ns);
            assert_true(sum > 0.93 * last); /* caches serve fewer SMs better, a little */
            last = sum;
        }
    }
    release(s);
}

#define SWITCH(mechanism, from, to, ns)                                                            \
    "INSERT INTO quota_switch VALUES ('" mechanism "', " from ", " to ", 'device', 32, 1, 300, 0," \
    " " ns ", 1, 0, 1, 1, 'count', 1, 'warm');\n"

/* Means of medians over the numbers of SMs, less those of the baseline; what was not measured is
 * not known, and what the host mediates on the same SMs is neither. */
static void test_quota_switches(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        int64_t green_ns, mps_ns;
    } cases[] = {
        {"", -1, -1},
        {SWITCH("green_host", "2", "4", "9000") SWITCH("mps_futex", "2", "4", "9000"), -1, -1},
        {SWITCH("stream", "2", "2", "1000") SWITCH("mps_stream", "2", "2", "1000"), -1, -1},
        {SWITCH("stream", "2", "2", "900") SWITCH("stream", "4", "4", "1100")
             SWITCH("green_host", "2", "4", "8000") SWITCH("green_host", "4", "2", "8001")
                 SWITCH("green_event", "2", "4", "1") SWITCH("stream_host", "2", "2", "1")
                     SWITCH("mps_futex", "2", "4", "5"),
         7001, -1},
        {SWITCH("stream", "2", "2", "900") SWITCH("green_host", "2", "4", "800")
             SWITCH("mps_stream", "4", "4", "1000") SWITCH("mps_futex", "2", "4", "31000")
                 SWITCH("mps_spin", "2", "4", "1") SWITCH("mps_host", "2", "2", "1"),
         0, 30000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_spatial *s = load_rows(cases[i].rows);
        assert_true(s->switch_ns[DCS_SWITCH_GREEN] == cases[i].green_ns);
        assert_true(s->switch_ns[DCS_SWITCH_MPS] == cases[i].mps_ns);
        release(s);
    }
    refused(SWITCH("telepathy", "2", "4", "1"), "quota_switch.mechanism", "expected \"stream\"");
    refused(SWITCH("stream", "2", "4", "0"), "quota_switch.median_ns", "found 0");
}

/* ---- programs that were recorded ---- */

#define GAP(how, sms, position, host, wait)                                                        \
    "INSERT INTO recorded_launch VALUES ('b', 4, '" how "', " sms ", " position                    \
    ", 'x', 'f', 7, 1, 1, 1, 1, NULL, 1, 1, 1, " host ", " wait ");\n"
#define RECORDED(end, follow)                                                                      \
    "INSERT INTO recorded VALUES ('b', 4, 'whole', 8, 100, 'c', 'waits', 9, 1, 0, 8, 3, 1, 1, 1,"  \
    " 1, 1, 0, " end ", " follow ", 1, 0, 0, 0);\n"
#define HOST       GAP("whole", "8", "0", "40", "NULL") GAP("whole", "8", "2", "20", "15")
#define OF_DEFAULT SUBJECT LAUNCHES SHAPES KERNELS REQUEST("whole", "8", "500")

/* Kernels have their own times and what lies between two of them; what follows the last is before
 * the first; a wait is not counted twice. Other allotments do not count. */
static void hosts_of_recorded_programs(void **state)
{
    (void)state;
    struct dcs_spatial *s = load_rows(OF_DEFAULT HOST GAP("whole", "8", "1", "0", "3")
                                          GAP("mps", "4", "0", "99", "99") RECORDED("25", "5"));
    const struct dcs_host_gap *host = s->sequences[0].host;
    assert_non_null(host);
    assert_null(s->sequences[1].host);
    assert_int_equal(host[0].gap_ns, 40 + 20);
    assert_int_equal(host[0].wait_ns, -1);
    assert_int_equal(host[1].gap_ns, 0);
    assert_int_equal(host[1].wait_ns, 0);
    assert_int_equal(host[2].gap_ns, 20);
    assert_int_equal(host[2].wait_ns, 10);
    near(dcs_shape_solo_ns(s, 0, 8), 105);
    near(dcs_shape_solo_ns(s, 0, 4), 205);
    release(s);
    /* Kernels at one time: scaled as any. */
    s = load_rows(OF_DEFAULT HOST GAP("whole", "8", "1", "NULL", "NULL") RECORDED("25", "5"));
    assert_null(s->sequences[0].host);
    near(dcs_shape_solo_ns(s, 0, 8), 200);
    release(s);
}

static void refused_hosts(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {OF_DEFAULT HOST, "expected the 3 kernels of \"b\" on the whole device, found 2"},
        {OF_DEFAULT HOST GAP("whole", "8", "3", "0", "NULL"), "a kernel that the application has"},
        {OF_DEFAULT HOST GAP("whole", "8", "1", "-1", "NULL"), "expected"},
        {OF_DEFAULT HOST GAP("whole", "8", "1", "0", "-7"), "expected"},
        {OF_DEFAULT HOST GAP("whole", "8", "1", "4600000000000000001", "0"), "expected"},
        {OF_DEFAULT HOST GAP("whole", "9", "1", "0", "0"), "1 to 8"},
        {OF_DEFAULT HOST GAP("half", "8", "1", "0", "0"), "expected"},
        {OF_DEFAULT HOST GAP("whole", "8", "1", "0", "0"), "expected the row of \"b\""},
        {OF_DEFAULT RECORDED("-1", "5"), "expected"},
        {OF_DEFAULT RECORDED("25", "4600000000000000001"), "expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dcs_err err = {0};
        struct dcs_spatial *s = NULL;
        write_profile("2", profile_schema_2_sql, cases[i][0]);
        assert_null(dcs_spatial_load_profile(file, &s, &err));
        if (strstr(err.text, cases[i][1]) == NULL)
            fail_msg("case %zu: %s", i, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_contention),
        cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_measured_to),
        cmocka_unit_test(guessed_contention),
        cmocka_unit_test(test_version_1),
        cmocka_unit_test(test_missing_tables),
        cmocka_unit_test(test_complete),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_refused_contention),
        cmocka_unit_test(test_refused_duplicates),
        cmocka_unit_test(test_two_readings),
        cmocka_unit_test(test_quota_switches),
        cmocka_unit_test(hosts_of_recorded_programs),
        cmocka_unit_test(refused_hosts),
        cmocka_unit_test(test_h200),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
