/*
 * test_openb.c - pins what the pod-list reader makes of each kind of row (openb-sample.csv has one
 * of each, made up), of the ways a CSV may be written, and what it says of files that it cannot
 * read. The published list itself is in test_openb_real.c.
 */
#include "traces/alibaba/openb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

#define SAMPLE DCS_SOURCE_DIR "/tests/data/openb-sample.csv"
#define S      DCS_NS_PER_S
#define HEADER                                                                                     \
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"            \
    "deletion_time,scheduled_time\n"
#define GOOD "x,1,1,1,1000,,LS,Running,5,9,6\n"

static char folder[256], file[300];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_openb_XXXXXX", DCS_BINARY_DIR);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/pods.csv", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(folder);
}

static void write_bytes(const void *bytes, size_t size)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static void write_text(const char *text)
{
    write_bytes(text, strlen(text));
}

static void write_gzip(const char *text, size_t size)
{
    gzFile f = gzopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(gzwrite(f, text, (unsigned)size), size);
    assert_int_equal(gzclose(f), Z_OK);
}

static size_t read_bytes(const char *path, char *bytes, size_t size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t got = fread(bytes, 1, size, f);
    fclose(f);
    assert_true(got < size);
    return got;
}

static void check_counts(const struct dcs_trace *t, const struct dcs_trace_count *expected,
                         size_t count)
{
    assert_int_equal(t->counts_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_non_null(strstr(t->counts[i].what, expected[i].what));
        assert_int_equal(t->counts[i].count, expected[i].count);
        assert_int_equal(t->counts[i].first_line, expected[i].first_line);
    }
}

static void check_jobs(const struct dcs_trace *t, const struct dcs_trace_job *expected,
                       size_t count)
{
    assert_int_equal(t->jobs_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(t->jobs[i].arrival_ns, expected[i].arrival_ns);
        assert_int_equal(t->jobs[i].duration_ns, expected[i].duration_ns);
        assert_int_equal(t->jobs[i].class, expected[i].class);
        assert_int_equal(t->jobs[i].gpus, expected[i].gpus);
        assert_int_equal(t->jobs[i].gpu_milli, expected[i].gpu_milli);
        assert_int_equal(t->jobs[i].line, expected[i].line);
    }
}

/* Lines 7 and 13 are created at the same second: file order. */
static const struct dcs_trace_job sample_jobs[] = {
    {0, 12902901 * S, DCS_BATCH, 1, 320, 14},
    {50 * S, 12902860 * S, DCS_LATENCY, 1, 1000, 2},
    {150 * S, 490 * S, DCS_BATCH, 1, 250, 6},
    {200 * S, 600 * S, DCS_BATCH, 1, 470, 3},
    {350 * S, 1 * S, DCS_BATCH, 8, 1000, 7},
    {350 * S, 30 * S, DCS_LATENCY, 2, 1000, 13},
    {350 * S + S / 2, 99 * S + 3 * S / 4, DCS_LATENCY, 1, 1, 8},
    {550 * S, 60 * S, DCS_BATCH, 4, 1000, 15},
};

static void check_sample(const char *path)
{
    static const struct dcs_trace_count counts[] = {
        {"kept", 8, 2},
        {"kept: cut off by the end of the trace", 2, 2},
        {"kept: failed", 2, 7},
        {"kept: out of time order", 3, 6},
        {"left out: no GPU requested", 1, 4},
        {"left out: never scheduled", 1, 5},
        {"left out: created before", 0, 0},
        {"left out: no positive duration", 1, 9},
        {"left out: malformed", 3, 10},
    };
    struct dcs_err err = {0};
    struct dcs_trace t;
    assert_int_equal(dcs_openb_read(path, 0, &t, &err), 0);
    check_counts(&t, counts, sizeof counts / sizeof *counts);
    check_jobs(&t, sample_jobs, sizeof sample_jobs / sizeof *sample_jobs);
    dcs_trace_release(&t);
    assert_null(t.jobs);
    assert_int_equal(t.jobs_count, 0);
}

static void test_sample(void **state)
{
    (void)state;
    check_sample(SAMPLE);
}

/* A pod that was created at from_s is kept; its second becomes the zero. */
static void test_from(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct dcs_trace t;
    assert_int_equal(dcs_openb_read(SAMPLE, 100, &t, &err), 0);
    assert_int_equal(t.jobs_count, 7);
    assert_int_equal(t.jobs[0].line, 2);
    assert_int_equal(t.jobs[0].arrival_ns, 0);
    assert_int_equal(t.jobs[6].arrival_ns, 500 * S);
    assert_int_equal(t.counts[6].count, 1);
    assert_int_equal(t.counts[6].first_line, 14);
    dcs_trace_release(&t);
    assert_int_equal(dcs_openb_read(SAMPLE, 101, &t, &err), 0);
    assert_int_equal(t.jobs_count, 6);
    assert_int_equal(t.jobs[0].line, 6);
    dcs_trace_release(&t);
}

static void test_hash(void **state)
{
    (void)state;
    write_text(HEADER GOOD);
    struct dcs_err err = {0};
    struct dcs_trace t;
    assert_int_equal(dcs_openb_read(file, 0, &t, &err), 0);
    assert_string_equal(t.sha256, /* as sha256sum says */
                        "bbf89bb836f7be3e32ad18280ae0ee45c0fd67bdb63339a0d8adbba4b29555a8");
    dcs_trace_release(&t);
}

/* ---- ways to write it ---- */

static void test_gzip_is_the_same(void **state)
{
    (void)state;
    static char text[8192];
    size_t size = read_bytes(SAMPLE, text, sizeof text);
    write_gzip(text, size);
    check_sample(file);
    write_gzip(text, size - 1); /* the last line end is missing */
    check_sample(file);
}

static void test_line_ends(void **state)
{
    (void)state;
    static char text[8192], crlf[16384];
    size_t size = read_bytes(SAMPLE, text, sizeof text), used = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n')
            crlf[used++] = '\r';
        crlf[used++] = text[i];
    }
    write_bytes(crlf, used);
    check_sample(file);
    write_bytes(crlf, used - 1);
    check_sample(file);
    write_bytes(text, size - 1);
    check_sample(file);
    /* With the mark of UTF-8, and blank lines at the end, which are not rows. */
    used = (size_t)snprintf(crlf, sizeof crlf, "\xef\xbb\xbf%.*s\n\r\n\n", (int)size, text);
    assert_int_equal(used, size + 7);
    write_bytes(crlf, used);
    check_sample(file);
}

static void read_one(const char *text, const struct dcs_trace_job *expected)
{
    write_text(text);
    struct dcs_err err = {0};
    struct dcs_trace t;
    if (dcs_openb_read(file, 0, &t, &err) != 0) {
        dcs_err_print(&err, stderr);
        fail();
    }
    check_jobs(&t, expected, 1);
    dcs_trace_release(&t);
}

static void test_columns(void **state)
{
    (void)state;
    const struct dcs_trace_job job = {0, 3 * S, DCS_LATENCY, 1, 1000, 2};
    read_one(HEADER GOOD, &job);
    read_one("scheduled_time,deletion_time,creation_time,pod_phase,qos,gpu_milli,num_gpu,name\n"
             "6,9,5,Running,LS,1000,1,x\n",
             &job);
    read_one("\"name\",num_gpu,gpu_milli,qos,pod_phase,creation_time,deletion_time,"
             "\"scheduled_time\",extra\n"
             "\"a,\"\"b\",\"1\",\"1000\",LS,,5,9,\"6\"\n", /* a missing field that nobody needs */
             &job);
    read_one(
        "a,a,,name,num_gpu,gpu_milli,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
        ",,,,1,1000,LS,,5,9,6,too,many\n",
        &job);
    read_one(HEADER "x,1,1,1,1000,,LS,Running,5.000000001,9.5,6.500000000", &job);
    read_one(HEADER "x,1,1,01,1000,,LS,Running,0,1000000000,999999997", &job);
}

static void test_classes(void **state)
{
    (void)state;
    static const char *const qos[] = {"BE", "Burstable", "Guaranteed", "", "ls", "LSX"};
    for (size_t i = 0; i < sizeof qos / sizeof *qos; i++) {
        char text[400];
        snprintf(text, sizeof text, HEADER "x,1,1,1,1,,%s,Running,5,9,6\n", qos[i]);
        read_one(text, &(struct dcs_trace_job){0, 3 * S, DCS_BATCH, 1, 1, 2});
    }
}

/* Each is counted as malformed and nothing else, and the row behind it is kept. */
static void test_malformed_rows(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "x",
        "x,1,1,1,1000,,LS,Running,5,9",  /* one field too few */
        "x,1,1,,1000,,LS,Running,5,9,6", /* no number of GPUs */
        "x,1,1,-1,1000,,LS,Running,5,9,6",
        "x,1,1, 1,1000,,LS,Running,5,9,6",
        "x,1,1,1.0,1000,,LS,Running,5,9,6",
        "x,1,1,0x1,1000,,LS,Running,5,9,6",
        "x,1,1,65537,1000,,LS,Running,5,9,6",
        "x,1,1,99999999999999999999,1000,,LS,Running,5,9,6",
        "x,1,1,1,0,,LS,Running,5,9,6",
        "x,1,1,1,1001,,LS,Running,5,9,6",
        "x,1,1,1,,,LS,Running,5,9,6",
        "x,1,1,0,oops,,LS,Running,5,9,6",
        "x,1,1,1,1000,,LS,Running,,9,6",
        "x,1,1,1,1000,,LS,Running,-5,9,6",
        "x,1,1,1,1000,,LS,Running,5,,6",
        "x,1,1,1,1000,,LS,Running,5,9e3,6",
        "x,1,1,1,1000,,LS,Running,5,nan,6",
        "x,1,1,1,1000,,LS,Running,5,9,6 ",
        "x,1,1,1,1000,,LS,Running,5,9,6.",
        "x,1,1,1,1000,,LS,Running,5,9,.6",
        "x,1,1,1,1000,,LS,Running,5,9,6.0000000001",
        "x,1,1,1,1000,,LS,Running,5,9,6.1.1",
        "x,1,1,1,1000,,LS,Running,5,1000000001,6",
        "x,1,1,1,1000,,LS,Running,5,00000000000000009,6",
        "\"x,1,1,1,1000,,LS,Running,5,9,6",    /* the quote is not closed */
        "\"x\"y,1,1,1,1000,,LS,Running,5,9,6", /* text behind the quote */
        "\"x\"\",1,1,1,1000,,LS,Running,5,9,6",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        snprintf(text, sizeof text, HEADER "%s\n" GOOD, rows[i]);
        write_text(text);
        struct dcs_err err = {0};
        struct dcs_trace t;
        assert_int_equal(dcs_openb_read(file, 0, &t, &err), 0);
        if (t.jobs_count != 1 || t.counts[8].count != 1)
            print_error("%s\n", rows[i]);
        assert_int_equal(t.jobs_count, 1);
        assert_int_equal(t.jobs[0].line, 3);
        assert_int_equal(t.counts[8].count, 1);
        assert_int_equal(t.counts[8].first_line, 2);
        dcs_trace_release(&t);
    }
    static const char zero[] = HEADER "x\0,1,1,1,1000,,LS,Running,5,9,6\n" GOOD;
    write_bytes(zero, sizeof zero - 1);
    struct dcs_err err = {0};
    struct dcs_trace t;
    assert_int_equal(dcs_openb_read(file, 0, &t, &err), 0);
    assert_int_equal(t.counts[8].first_line, 2);
    dcs_trace_release(&t);
}

/* ---- files that cannot be read ---- */

static void refuse(const char *path, int line, const char *column, const char *text)
{
    struct dcs_err err = {0};
    struct dcs_trace t;
    memset(&t, 0xa5, sizeof t);
    assert_int_equal(dcs_openb_read(path, 0, &t, &err), -1);
    if (strstr(err.text, text) == NULL)
        print_error("expected %s, found %s\n", text, err.text);
    assert_non_null(strstr(err.text, text));
    assert_string_equal(err.file, path);
    assert_int_equal(err.line, line);
    assert_string_equal(err.path, column);
    assert_null(t.jobs); /* empty, as the contract says */
    assert_int_equal(t.jobs_count, 0);
    assert_int_equal(t.counts_count, 0);
}

static void test_no_pod_list(void **state)
{
    (void)state;
    refuse("/no/such/list.csv", 0, "", "cannot open the pod list: No such file or directory");
    refuse(folder, 0, "", "is a directory, expected a pod list");
    unlink(file);
    assert_int_equal(mkfifo(file, 0600), 0);
    refuse(file, 0, "", "is not a regular file, expected a pod list");
    unlink(file);
    write_text("");
    refuse(file, 0, "", "is empty, expected a pod list");
    write_text("\n");
    refuse(file, 1, "name", "the header lacks the column");
    write_text("x,1,2\n");
    refuse(file, 1, "name", "the header lacks the column; expected name, num_gpu");
    write_text("name,num_gpu,gpu_milli,qos,pod_phase,creation_time,scheduled_time\n" GOOD);
    refuse(file, 1, "deletion_time", "the header lacks the column");
    write_text("name,qos,qos\n");
    refuse(file, 1, "qos", "the column stands twice in the header");
    write_text("name,\"num_gpu\n");
    refuse(file, 1, "", "expected a header, found a quote that is not closed");
}

static void test_no_usable_pod(void **state)
{
    (void)state;
    write_text(HEADER);
    refuse(file, 0, "", "has no usable pod: 0 without a GPU");
    write_text(HEADER "x,1,1,0,0,,LS,Running,5,9,6\nx,1,1,1,1000,,LS,Pending,5,9,\nx\n"
                      "x,1,1,1,1000,,LS,Running,5,6,6\nx,1,1,1,1000,,LS,Running,5,5,6\n");
    refuse(file, 0, "",
           "has no usable pod: 1 without a GPU, 1 never scheduled, 0 too early, 2 "
           "without duration, 1 malformed rows");
}

/* 64 KiB is allowed, one byte more is not; across the blocks in which the file is read. */
static void test_long_lines(void **state)
{
    (void)state;
    static char text[70000 * 2];
    for (int over = 0; over < 2; over++) {
        int size = snprintf(text, sizeof text, HEADER);
        int row =
            snprintf(text + size, sizeof text - (size_t)size, "x,1,1,1,1000,,LS,Running,5,9,6,");
        memset(text + size + row, 'y', (size_t)(65536 + over - row));
        size += 65536 + over;
        size += snprintf(text + size, sizeof text - (size_t)size, "\n" GOOD);
        write_bytes(text, (size_t)size);
        struct dcs_err err = {0};
        struct dcs_trace t;
        if (over) {
            refuse(file, 2, "", "the line is longer than 65536 bytes; this is no pod list");
        } else {
            assert_int_equal(dcs_openb_read(file, 0, &t, &err), 0);
            assert_int_equal(t.jobs_count, 2);
            dcs_trace_release(&t);
        }
    }
}

/* A list of many blocks, whose gzip is then cut off at many places, in its checksum too. */
static void test_truncated_gzip(void **state)
{
    (void)state;
    static char text[1 << 20], packed[1 << 20];
    uint32_t noise = 1;
    size_t used = (size_t)snprintf(text, sizeof text, HEADER);
    for (int i = 0; i < 10000; i++) {
        noise = noise * 1664525u + 1013904223u;
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "x%08x,1,1,1,1000,,LS,Running,%d,%u,%d\n", noise, i,
                                 i + 1 + (noise >> 20), i);
    }
    write_gzip(text, used);
    struct dcs_err err = {0};
    struct dcs_trace t;
    assert_int_equal(dcs_openb_read(file, 0, &t, &err), 0);
    assert_int_equal(t.jobs_count, 10000);
    assert_int_equal(t.jobs[9999].arrival_ns, 9999 * S);
    dcs_trace_release(&t);

    size_t size = read_bytes(file, packed, sizeof packed);
    for (size_t cut = 1; cut < size - 20; cut += cut < 12 ? 1 : size / 20) {
        write_bytes(packed, size - cut);
        assert_int_equal(dcs_openb_read(file, 0, &t, &err), -1);
        assert_string_equal(err.text, "cannot read on: the gzip file is truncated");
        assert_null(t.jobs);
    }
    packed[size / 2] ^= 0x55;
    write_bytes(packed, size);
    assert_int_equal(dcs_openb_read(file, 0, &t, &err), -1);
    assert_non_null(strstr(err.text, "cannot read on: "));
    assert_true(err.line > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample),      cmocka_unit_test(test_from),
        cmocka_unit_test(test_hash),        cmocka_unit_test(test_gzip_is_the_same),
        cmocka_unit_test(test_line_ends),   cmocka_unit_test(test_columns),
        cmocka_unit_test(test_classes),     cmocka_unit_test(test_malformed_rows),
        cmocka_unit_test(test_no_pod_list), cmocka_unit_test(test_no_usable_pod),
        cmocka_unit_test(test_long_lines),  cmocka_unit_test(test_truncated_gzip),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
