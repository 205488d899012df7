/*
 * test_calibrate_clock.c - pins how long requests take by the ranges of a program that is not
 * recorded (those of each process but for its first quarter, or its last ones), and that the gaps
 * of a recorded request are made to fit that, as far as its kernels leave room. Does not pin which
 * program's ranges can be taken (e2e/record).
 */
#include "calibrate/record/recorded_clock.h"
#include "calibrate/record/recorded_sequence.h"
#include "calibrate/record/recorder_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[300];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_clock_XXXXXX", DCS_BINARY_DIR);
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    char path[320];
    (void)state;
    for (int pid = 1; pid <= 2; pid++) {
        snprintf(path, sizeof path, "%s/%d.record", folder, pid);
        unlink(path);
    }
    return rmdir(folder);
}

/* A process with ranges of first_ns, first_ns + 1, ... ns. */
static void write_process(int pid, int64_t first_ns, int count)
{
    char path[320];
    snprintf(path, sizeof path, "%s/%d.record", folder, pid);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, RECORDING_HEADER "\nP %d 1 1000 program\nF 1 request\nN request\n", pid);
    for (int i = 0; i < count; i++) {
        int64_t begin_ns = 10000 * (i + 1);
        fprintf(out, "B %d %lld 7 1\nR %d %lld\n", i, (long long)begin_ns, i,
                (long long)(begin_ns + first_ns + i));
    }
    fprintf(out, "B 999 90000000 7 1\n"); /* it did not end */
    assert_int_equal(fclose(out), 0);
}

static void ranges_say_it(void **state)
{
    (void)state;
    struct cal_clock c;
    struct dcs_err err = {0};
    assert_int_equal(cal_clock_read(&c, folder, 0, &err), 0);
    assert_int_equal(c.count, 0); /* nothing was written */
    cal_clock_release(&c);
    write_process(1, 100, 7);
    write_process(2, 200, 3);
    assert_int_equal(cal_clock_read(&c, folder, 0, &err), 0);
    assert_int_equal(c.count, 5 + 2); /* of 8 and 4 two and one are left out, one has no end */
    assert_int_equal(c.median_ns, 105);
    cal_clock_release(&c);
    assert_int_equal(cal_clock_read(&c, folder, 3, &err), 0);
    assert_int_equal(c.count, 2 + 2);
    assert_int_equal(c.ns[0], 105);
    cal_clock_release(&c);
}

/* Two kernels: the second is launched 300 ns after the first, and the host waits for its end. */
static struct cal_sequence make_sequence(struct cal_place places[2])
{
    places[0] =
        (struct cal_place){.median_ns = 1000, .host_gap_ns = 400, .wait_gap_ns = CAL_NO_WAIT};
    places[1] = (struct cal_place){.median_ns = 2000, .host_gap_ns = 300, .wait_gap_ns = 200};
    return (struct cal_sequence){
        .places = places, .count = 2, .end_gap_ns = 400, .device_gap_ns = 100};
}

static void gaps_fit(void **state)
{
    (void)state;
    struct cal_place places[2];
    /* 400 + 1000 + 200 + 2000 + 400 = 4000: gaps of 1000 ns */
    static const struct {
        int64_t ns;
        double scale;
        int64_t first, wait, end, alone;
    } cases[] = {{4000, 1, 400, 200, 400, 4000},
                 {3500, 0.5, 200, 100, 200, 3500},
                 {6000, 3, 1200, 600, 1200, 6000},
                 {3000, 0, 0, 0, 0, 3000},
                 {2000, 0, 0, 0, 0, 3000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cal_sequence s = make_sequence(places);
        double scale = cal_sequence_fit(&s, cases[i].ns);
        assert_true(scale > cases[i].scale - 0.002 && scale < cases[i].scale + 0.002);
        assert_in_range(places[0].host_gap_ns + 1, cases[i].first, cases[i].first + 2);
        assert_int_equal(places[0].wait_gap_ns, CAL_NO_WAIT);
        assert_in_range(places[1].wait_gap_ns + 1, cases[i].wait, cases[i].wait + 2);
        assert_in_range(s.end_gap_ns + 1, cases[i].end, cases[i].end + 2);
        assert_in_range(s.alone_ns + 2, cases[i].alone,
                        cases[i].alone + 4); /* each gap is rounded */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ranges_say_it, make_folder, remove_folder),
        cmocka_unit_test(gaps_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
