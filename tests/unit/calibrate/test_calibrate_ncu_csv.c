/*
 * test_calibrate_ncu_csv.c - pins how the profiler's table is read: columns by their names, quoted
 * fields with commas, grouped digits, values that are no numbers, lines that are no rows.
 */
#include "calibrate/gpu/ncu_csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct seen {
    int rows;
    double sum;
    long last_id;
    char kernels[256];
};

static void take(void *context, const struct cal_ncu_row *row)
{
    struct seen *s = context;
    s->rows++;
    s->sum += row->value;
    s->last_id = row->id;
    strncat(s->kernels, row->kernel, 60);
    strncat(s->kernels, ";", 2);
}

static int read_text(const char *text, struct seen *seen, struct dcs_err *err)
{
    char copy[2048];
    memset(seen, 0, sizeof *seen);
    snprintf(copy, sizeof copy, "%s", text);
    FILE *in = fmemopen(copy, strlen(copy), "r");
    assert_non_null(in);
    int result = cal_ncu_csv_read(in, take, seen, err);
    fclose(in);
    return result;
}

#define HEADER                                                                                     \
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\""    \
    "Metric Value\"\n"

static void rows(void **state)
{
    (void)state;
    struct seen seen;
    struct dcs_err err = {0};
    assert_int_equal(
        read_text("==PROF== Connected to process 12\n==PROF== Profiling \"a, b\" - 0: 0%\n" HEADER
                  "\"0\",\"12\",\"void gemm<int, 3>(float *, int)\",\"\",\"dram__bytes_read.sum\","
                  "\"byte\",\"1,234,567\"\n"
                  "\"0\",\"12\",\"say \"\"hi\"\"\",\"\",\"x\",\"%\",\"12.5\"\r\n"
                  "\"1\",\"12\",\"k\",\"\",\"y\",\"\",\"n/a\"\n"
                  "==PROF== Disconnected\n"
                  "\"2\",\"12\",\"cal_border()\",\"\",\"x\",\"\",\"0\"\n",
                  &seen, &err),
        0);
    assert_int_equal(seen.rows, 3);
    assert_true(seen.sum == 1234567 + 12.5);
    assert_int_equal(seen.last_id, 2);
    assert_string_equal(seen.kernels, "void gemm<int, 3>(float *, int);say \"hi\";cal_border();");
}

static void other_columns_and_order(void **state)
{
    (void)state;
    struct seen seen;
    struct dcs_err err = {0};
    assert_int_equal(
        read_text("Metric Value,Kernel Name,More,Metric Name,ID\n7,k,,m,3\n", &seen, &err), 0);
    assert_int_equal(seen.rows, 1);
    assert_true(seen.sum == 7);
    assert_int_equal(seen.last_id, 3);
}

static void no_table(void **state)
{
    (void)state;
    struct seen seen;
    struct dcs_err err = {0};
    assert_int_equal(read_text("==ERROR== ERR_NVGPUCTRPERM - The user does not\n", &seen, &err),
                     -1);
    assert_int_equal(seen.rows, 0);
    assert_non_null(strstr(err.text, "no table"));
}

static void cut_off_rows(void **state)
{
    (void)state;
    struct seen seen;
    struct dcs_err err = {0};
    assert_int_equal(
        read_text(HEADER "\"0\",\"12\",\"k\",\"\",\"m\",\"\",\"5\"\n\"1\",\"12\",\"k", &seen, &err),
        0);
    assert_int_equal(seen.rows, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(other_columns_and_order),
        cmocka_unit_test(no_table),
        cmocka_unit_test(cut_off_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
