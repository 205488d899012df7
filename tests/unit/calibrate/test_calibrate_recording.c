/*
 * test_calibrate_recording.c - pins how the recorder's files become an application: what is one
 * request by ranges, waits and whole processes, also of several threads and processes; which
 * requests count; the host's part of each place, and that it adds up to the request; how a sequence
 * with other kernels is laid beside one; names, equal kernels and occupancy; what is refused. The
 * files are made by hand: what CUPTI says on a device is not pinned.
 */
#include "calibrate/record/recorded_shapes.h"
#include "calibrate/record/recorded_store.h"
#include "calibrate/record/recording.h"

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
    snprintf(folder, sizeof folder, "%s/recording_XXXXXX", DCS_BINARY_DIR);
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static void remove_recordings(void)
{
    char path[400];
    for (int i = 1; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%d.record", folder, i);
        unlink(path);
    }
}

static int remove_folder(void **state)
{
    (void)state;
    remove_recordings();
    return rmdir(folder);
}

#define HEAD(pid, begin)                                                                           \
    "dcsim-recording 2\nP " #pid " 1 " #begin " a program\n"                                       \
    "D 0 16 1000000 1000 1500000 13000 32 2048 65536 102400 1024 GPU-1 Some GPU\n"                 \
    "F 1 cudaLaunchKernel_v7000\nF 2 cudaMemcpyAsync_v3020\nF 3 cudaMemcpy_v3020\nF 4 one\nF 5 "   \
    "two\nF 6 mine\n"
#define TAIL "E 1000000 4096\n"
/* A kernel of the function `text` that is launched at `call`. */
#define KERNEL(id, call, begin, end, text, thread)                                                 \
    "A " #id " " #call " " #call "9 " #thread " 1\n"                                               \
    "K " #id " " #begin " " #end " 0 7 64 128 32 0 1 " #text "\n"

static void write_file(int number, const char *text)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%d.record", folder, number);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void read_folder(struct cal_recording *r)
{
    struct dcs_err err = {0};
    if (cal_recording_read(r, folder, &err) != 0)
        fail_msg("%s:%d: %s", err.file, err.line, err.text);
}

static void find_requests(struct cal_requests *q, const struct cal_recording *r, const char *how)
{
    struct dcs_err err = {0};
    if (cal_requests_find(q, r, how, &err) != 0)
        fail_msg("%s", err.text);
}

/* --- requests --- */

/* Of two threads in a range each, a launch belongs to its own thread's; that of a third thread to
 * the range that began last, and that of none to no request. A range that does not end is none. */
static void ranges_are_requests(void **state)
{
    (void)state;
    struct cal_recording r;
    struct cal_requests q;
    write_file(
        1, HEAD(7, 1) "N other\nN mine\nB 1 1000 71 6\nB 2 1100 72 6\nB 4 1100 71 4\n" KERNEL(
               1, 1200, 1300, 1400, 4, 71) KERNEL(2, 1210, 1400, 1500, 5, 72)
               KERNEL(3, 1220, 1500, 1900, 4, 73) "R 1 1600\nR 2 1700\nR 4 1700\n" KERNEL(
                   4, 1800, 1900, 2000, 4, 71) "B 3 2100 71 6\n" KERNEL(5, 2200, 2300, 2400, 4, 71)
                   TAIL);
    read_folder(&r);
    find_requests(&q, &r, "mine");
    assert_int_equal(q.count, 2);
    assert_string_equal(q.how, "range");
    assert_int_equal(q.list[0].count, 1);
    assert_int_equal(q.list[0].end_ns, 1600);
    assert_int_equal(q.list[1].count, 2);
    assert_int_equal(q.list[1].end_ns, 1900); /* the device ends after the range */
    assert_int_equal(r.kernels, 5);
    assert_int_equal(r.unfinished, 0);
    assert_false(cal_ranges_cross(&r, "mine")); /* they do, but calls say whose is what */
    r.processes[0].calls = false;
    assert_true(cal_ranges_cross(&r, "mine"));
    assert_false(cal_ranges_cross(&r, "one"));
    assert_int_equal(r.processes[0].used_bytes, 4096);
    assert_string_equal(r.device.name, "Some GPU");
    assert_int_equal(r.device.clock_mhz, 1500);
    cal_requests_release(&q);
    cal_recording_release(&r);
}

/* A wait ends a request only if nothing runs any more; an upload that is awaited belongs to what
 * comes after it, and so does one that the host does not await by a call of its own. */
static void waits_end_requests(void **state)
{
    (void)state;
    struct cal_recording r;
    struct cal_requests q;
    write_file(
        1, HEAD(7, 1) "A 1 100 250 7 3\nC 1 120 240 0 7 1 4096 0\n" KERNEL(2, 300, 400, 500, 4, 7)
               KERNEL(3, 350, 500, 900, 5,
                      7) "W 0 360 510 0 1\n" /* of the first kernel alone */
                         "W 0 600 910 0 3\nW 0 920 925 0 4\n" KERNEL(
                             4, 1000, 1100, 1200, 4,
                             7) "W 0 1010 1020 0 2\n" /* between streams */
                                "A 5 1300 1500 7 2\nC 5 1320 1400 0 7 2 64 1\n" TAIL);
    read_folder(&r);
    find_requests(&q, &r, NULL);
    assert_string_equal(q.how, "waits");
    assert_int_equal(q.count, 2);
    assert_int_equal(q.list[0].begin_ns, 100);
    assert_int_equal(q.list[0].end_ns, 925);
    assert_int_equal(q.list[0].count, 3);
    assert_int_equal(q.list[1].begin_ns, 1000);
    assert_int_equal(q.list[1].end_ns, 1500);
    assert_int_equal(q.list[1].count, 2);
    cal_requests_release(&q);
    find_requests(&q, &r, "process");
    assert_int_equal(q.count, 1);
    assert_int_equal(q.list[0].count, 5);
    assert_int_equal(q.list[0].end_ns, 1000000);
    cal_requests_release(&q);
    cal_recording_release(&r);
}

/* Without records of calls: launches are in the order of their numbers, a copy into memory that is
 * not pinned is awaited, and the host is as late as it can have been. */
static void calls_may_be_unknown(void **state)
{
    (void)state;
    struct cal_recording r;
    struct cal_requests q;
    struct cal_sequence s;
    struct dcs_err err = {0};
    write_file(1, HEAD(7, 1) "K 2 400 500 0 7 64 128 32 0 1 4\nK 1 380 400 0 8 64 128 32 0 1 5\n"
                             "C 3 520 700 0 7 2 64 1\nK 4 800 900 0 7 64 128 32 0 1 4\n"
                             "W 0 750 910 0 3\n" TAIL);
    read_folder(&r);
    assert_false(r.processes[0].calls);
    assert_string_equal(r.processes[0].ops[0].function, "two");
    find_requests(&q, &r, "waits");
    assert_int_equal(q.count, 2);
    assert_int_equal(q.list[0].end_ns, 700);
    cal_requests_release(&q);
    find_requests(&q, &r, "process");
    assert_int_equal(cal_sequence_make(&s, &q, 0, &err), 0);
    assert_int_equal(s.places[1].host_gap_ns, 20);
    assert_int_equal(s.places[1].wait_gap_ns, CAL_NO_WAIT);
    assert_int_equal(s.places[3].wait_gap_ns, 100); /* behind the copy, which the host awaits */
    assert_int_equal(s.places[3].host_gap_ns, 100); /* from 520 on, less the copy */
    /* Between kernels of one stream there are 20 at least, and so there are between any two. */
    assert_int_equal(s.device_gap_ns, 20);
    assert_int_equal(s.alone_ns, s.median_ns + 20);
    cal_sequence_release(&s);
    cal_requests_release(&q);
    cal_recording_release(&r);
}

/* Children have files of their own; one that launches nothing counts for nothing. */
static void processes_are_pooled(void **state)
{
    (void)state;
    struct cal_recording r;
    struct cal_requests q;
    write_file(1, "dcsim-recording 2\nP 6 1 5 a shell\nE 900 0\n");
    write_file(2, HEAD(8, 20) KERNEL(1, 300, 400, 500, 4, 7) "W 0 310 510 0 4\n"); /* killed */
    write_file(3, HEAD(7, 10) KERNEL(1, 100, 200, 300, 4, 7) "W 0 310 320 0 4\n" TAIL
                                                             "K 9 1 2 0 7 64 12"); /* cut off */
    read_folder(&r);
    assert_int_equal(r.processes_count, 3);
    assert_int_equal(r.processes[1].pid, 7);
    assert_int_equal(r.unfinished, 1);
    assert_int_equal(r.kernels, 2);
    find_requests(&q, &r, NULL);
    assert_int_equal(q.count, 2);
    assert_int_equal(q.list[0].process->pid, 7);
    cal_requests_release(&q);
    cal_recording_release(&r);
    remove_recordings();
}

/* Processes one after the other have memory one after the other; those without kernels count for
 * nothing, and one whose memory is not known makes the whole unknown. */
static void memory_is_that_at_one_time(void **state)
{
    (void)state;
    struct cal_process all[] = {
        {.begin_ns = 10, .end_ns = 100, .used_bytes = 5, .ops_count = 1},
        {.begin_ns = 20, .end_ns = 90, .used_bytes = 1000},
        {.begin_ns = 50, .end_ns = 100, .used_bytes = 7, .ops_count = 1},
        {.begin_ns = 100, .end_ns = 200, .used_bytes = 10, .ops_count = 1},
    };
    struct cal_recording r = {
        .processes = all, .processes_count = 4, .device = {.memory_bytes = 1000}};
    assert_int_equal(cal_recorded_memory(&r), 12);
    all[3].used_bytes = 13;
    assert_int_equal(cal_recorded_memory(&r), 13);
    all[3].used_bytes = 4096;
    assert_int_equal(cal_recorded_memory(&r), 1000);
    all[2].used_bytes = 0;
    assert_int_equal(cal_recorded_memory(&r), 0);
}

/* --- sequences --- */

#define OP(call, begin, end, name)                                                                 \
    {                                                                                              \
        .kind = CAL_OP_KERNEL, .function = (name), .call_ns = (call), .returned_ns = (call) + 5,   \
        .begin_ns = (begin), .end_ns = (end), .blocks = 64, .threads = 128, .stream = 7,           \
        .correlation = (uint32_t)(call)                                                            \
    }

/* Requests of one process, each with the ops and waits of the first but so much later. */
struct repeated {
    struct cal_process process;
    struct cal_requests requests;
};

static void repeat(struct repeated *out, const struct cal_op *ops, size_t n,
                   const struct cal_wait *waits, size_t waits_n, size_t times)
{
    *out = (struct repeated){0};
    struct cal_process *p = &out->process;
    p->ops = calloc(n * times, sizeof *p->ops);
    p->waits = calloc(waits_n * times + 1, sizeof *p->waits);
    out->requests.list = calloc(times, sizeof *out->requests.list);
    for (size_t i = 0; i < times; i++) {
        int64_t shift = (int64_t)i * 100000;
        struct cal_request *q = &out->requests.list[out->requests.count++];
        *q = (struct cal_request){.process = p, .begin_ns = shift, .end_ns = 10000 + shift};
        q->ops = calloc(n, sizeof *q->ops);
        for (size_t k = 0; k < n; k++) {
            struct cal_op *op = &p->ops[p->ops_count++];
            *op = ops[k];
            op->call_ns += shift, op->returned_ns += shift;
            op->begin_ns += shift, op->end_ns += shift;
            q->ops[q->count++] = op;
        }
        for (size_t k = 0; k < waits_n; k++)
            p->waits[p->waits_count++] =
                (struct cal_wait){waits[k].begin_ns + shift, waits[k].end_ns + shift};
    }
}

static void release(struct repeated *r)
{
    cal_requests_release(&r->requests);
    free(r->process.ops);
    free(r->process.waits);
}

static void make(struct cal_sequence *s, const struct repeated *r, size_t last)
{
    struct dcs_err err = {0};
    if (cal_sequence_make(s, &r->requests, last, &err) != 0)
        fail_msg("%s", err.text);
}

/*
 * Launching takes 100 until an idle device begins. The first kernel is launched at 500 and runs
 * until 1600. The second is launched meanwhile and follows it after 10. The host then waits from
 * 1200 to 2630, of which 20 are its waking up after the end at 2610, and launches the third at
 * 3000.
 */
static void host_and_device_add_up(void **state)
{
    (void)state;
    const struct cal_op ops[] = {OP(500, 600, 1600, "one"), OP(900, 1610, 2610, "two"),
                                 OP(3000, 3100, 3200, "one")};
    const struct cal_wait waits[] = {{1200, 2630}, {3300, 3310}};
    struct repeated r;
    struct cal_sequence s;
    repeat(&r, ops, 3, waits, 2, 20);
    r.process.calls = true;
    make(&s, &r, 0);
    assert_int_equal(s.found, 20);
    assert_int_equal(s.skipped, 5);
    assert_int_equal(s.requests, 15);
    assert_int_equal(s.places[0].host_gap_ns, 600);
    assert_int_equal(s.places[1].host_gap_ns, 400); /* ready at 900 + 100 */
    assert_int_equal(s.places[1].wait_gap_ns, CAL_NO_WAIT);
    /* From 1000 to 3100 less the wait for the device, 1200 to 2610. */
    assert_int_equal(s.places[2].host_gap_ns, 690);
    assert_int_equal(s.places[2].wait_gap_ns, 490);
    assert_int_equal(s.device_gap_ns, 10);
    assert_int_equal(s.kernels_ns, 2100);
    assert_int_equal(s.idle_ns, 10000 - 2100);
    assert_int_equal(s.end_gap_ns, 10000 - 3200);
    assert_int_equal(s.alone_ns, 10000);
    assert_true(cal_sequence_is_serial(&s));
    cal_sequence_release(&s);
    make(&s, &r, 4);
    assert_int_equal(s.requests, 4);
    cal_sequence_release(&s);
    release(&r);
}

/* Kernels of one call, a graph: the device has its own pace. */
static void graphs_keep_their_pace(void **state)
{
    (void)state;
    const struct cal_op ops[] = {OP(500, 600, 1600, "one"), OP(500, 1650, 2610, "two"),
                                 OP(500, 2615, 3200, "one")};
    struct repeated r;
    struct cal_sequence s;
    repeat(&r, ops, 3, NULL, 0, 8);
    r.process.calls = true;
    make(&s, &r, 0);
    /* So one that is slowed delays what is behind it, and does not hide in a launch of the host. */
    assert_int_equal(s.places[1].host_gap_ns, 0);
    assert_int_equal(s.places[1].wait_gap_ns, 50);
    assert_int_equal(s.places[2].host_gap_ns, 0);
    assert_int_equal(s.places[2].wait_gap_ns, 5);
    assert_in_range(s.alone_ns, 10000, 10022); /* gaps of 50 and of 5, 27 in the median */
    cal_sequence_release(&s);
    release(&r);
}

/* A copy behind a graph: the graph counts once. */
static void what_follows_a_graph_adds_up(void **state)
{
    (void)state;
    const struct cal_op ops[] = {OP(500, 600, 1600, "one"), OP(500, 1650, 2610, "two"),
                                 OP(500, 2615, 3200, "one"), OP(3210, 3210, 3300, "copy")};
    struct repeated r;
    struct cal_sequence s;
    repeat(&r, ops, 4, NULL, 0, 8);
    make(&s, &r, 0);
    assert_int_equal(s.places[3].host_gap_ns, 3210 - 2615);
    assert_in_range(s.alone_ns, 9990, 10010);
    cal_sequence_release(&s);
    release(&r);
}

/* Most requests say what the application is; those of other kernels are counted. */
static void requests_differ(void **state)
{
    (void)state;
    const struct cal_op ops[] = {OP(500, 600, 1600, "one"), OP(900, 1610, 2610, "two")};
    struct repeated r;
    struct cal_sequence s;
    repeat(&r, ops, 2, NULL, 0, 12);
    r.process.ops[2 * 5].function = "three";
    r.process.ops[2 * 7].function = "three";
    r.process.ops[2 * 8].blocks = 65;
    r.requests.list[10].count = 1;
    make(&s, &r, 0);
    assert_int_equal(s.skipped, 3);
    assert_int_equal(s.requests, 6);
    assert_int_equal(s.others, 3);
    assert_int_equal(s.sequences, 3);
    assert_int_equal(s.places[0].blocks, 64);
    assert_true(s.places[0].varies);
    assert_false(s.places[1].varies);
    cal_sequence_release(&s);
    release(&r);
}

/* Kernels of two streams at one time have no order in which the host's part would say anything. */
static void overlap_is_told(void **state)
{
    (void)state;
    struct cal_op ops[] = {OP(500, 600, 2600, "one"), OP(900, 1600, 3600, "two")};
    struct repeated r;
    struct cal_sequence s;
    ops[1].stream = 8;
    repeat(&r, ops, 2, NULL, 0, 4);
    make(&s, &r, 0);
    assert_int_equal(s.overlap_ns, 1000);
    assert_int_equal(s.kernels_ns, 4000);
    assert_false(cal_sequence_is_serial(&s));
    cal_sequence_release(&s);
    release(&r);
}

static void other_kernels_are_laid_beside(void **state)
{
    (void)state;
    const struct cal_op ops[] = {OP(0, 100, 200, "a"), OP(1, 200, 300, "b"), OP(2, 300, 600, "c"),
                                 OP(3, 600, 700, "d"), OP(4, 700, 800, "e")};
    /* b and c are one kernel now, behind d is a new one, and e has another name. */
    const struct cal_op less[] = {OP(0, 100, 250, "a"), OP(1, 300, 1100, "bc"),
                                  OP(2, 1100, 1200, "d"), OP(3, 1200, 1250, "f"),
                                  OP(4, 1250, 1330, "g")};
    struct repeated r, q;
    struct cal_sequence s, other;
    int64_t ns[5];
    size_t stand[5];
    repeat(&r, ops, 5, NULL, 0, 1);
    repeat(&q, less, 5, NULL, 0, 1);
    make(&s, &r, 0);
    make(&other, &q, 0);
    assert_int_equal(cal_sequence_align(&s, &other, ns, stand), 2);
    const size_t stands[] = {1, 2, 0, 3, 4};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(stand[i], stands[i]);
    const int64_t expected[] = {150, 200, 600, 100, 130};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(ns[i], expected[i]);
    assert_int_equal(cal_sequence_align(&s, &s, ns, NULL), 5);
    assert_int_equal(ns[2], 300);
    cal_sequence_release(&s);
    cal_sequence_release(&other);
    release(&r);
    release(&q);
}

/* cuBLAS takes another function on fewer SMs, and fills memory before it. */
static void a_fill_before_a_kernel_is_not_the_one_behind_it(void **state)
{
    (void)state;
    const struct cal_op ops[] = {OP(0, 100, 200, "a"), OP(1, 200, 1200, "gemm"),
                                 OP(2, 1200, 1210, "fill"), OP(3, 1210, 1310, "c")};
    const struct cal_op more[] = {OP(0, 100, 250, "a"), OP(1, 250, 270, "fill"),
                                  OP(2, 270, 3270, "other_gemm"), OP(3, 3270, 3285, "fill"),
                                  OP(4, 3285, 3400, "c")};
    struct repeated r, q;
    struct cal_sequence s, other;
    int64_t ns[4];
    size_t stand[4];
    repeat(&r, ops, 4, NULL, 0, 1);
    repeat(&q, more, 5, NULL, 0, 1);
    make(&s, &r, 0);
    make(&other, &q, 0);
    assert_int_equal(cal_sequence_align(&s, &other, ns, stand), 3);
    assert_true(stand[1] == 2 || stand[1] == 3);
    assert_int_equal(stand[2], 4);
    const int64_t expected[] = {150, 3020, 15, 115};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(ns[i], expected[i]);
    cal_sequence_release(&s);
    cal_sequence_release(&other);
    release(&r);
    release(&q);
}

/* --- shapes --- */

static void shapes_have_names(void **state)
{
    (void)state;
    struct cal_op ops[] = {OP(0, 100, 3100, "ns::gemm<float, (int)4>(float*)"),
                           OP(1, 4000, 9000, "ns::gemm<float, (int)4>(float*)"),
                           OP(2, 9000, 12200, "ns::gemm<float, (int)4>(float*)"),
                           OP(3, 13000, 13100, "copy")};
    struct repeated r;
    struct cal_sequence s;
    struct cal_shapes_of_places shapes;
    ops[3].kind = CAL_OP_TO_DEVICE;
    ops[3].bytes = 4096;
    repeat(&r, ops, 4, NULL, 0, 1);
    make(&s, &r, 0);
    cal_recorded_shapes_make(&shapes, &s);
    assert_int_equal(shapes.count, 3);
    assert_string_equal(shapes.list[0].name, "gemm_64x128");
    assert_int_equal(shapes.list[0].places, 2);
    assert_string_equal(shapes.list[1].name, "gemm_64x128_2"); /* it takes longer by far */
    assert_string_equal(shapes.list[2].name, "copy_to_device_4096");
    assert_int_equal(shapes.of[2], 0);
    cal_recorded_shapes_release(&shapes);
    cal_sequence_release(&s);
    release(&r);
    static const struct {
        const char *function, *base;
    } names[] = {{"void at::native::(anonymous namespace)::cat<c10::Half, 4>(int)", "cat"},
                 {"void cutlass::Kernel2<cutlass_80_wmma<1, 2>>(P)", "cutlass_80_wmma"},
                 {"nvjet_hsh_128x64_TNN", "nvjet_hsh_128x64_TNN"},
                 {"", "kernel"}};
    char base[64];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cal_recorded_base(names[i].function, base, sizeof base);
        assert_string_equal(base, names[i].base);
    }
    assert_true(cal_recorded_uses_tensor("nvjet_hsh_128x64_TNN"));
    assert_false(cal_recorded_uses_tensor("sm80_xmma_gemm_f32f32_simt"));
}

/* Figures of NVIDIA's calculator for an H100: 65536 registers, 228 KiB, 2048 threads, 32 blocks. */
static void blocks_fit_on_an_sm(void **state)
{
    (void)state;
    const struct cal_recorded_device d = {.sm_blocks = 32,
                                          .sm_threads = 2048,
                                          .sm_registers = 65536,
                                          .sm_shared_bytes = 233472,
                                          .block_reserved_bytes = 1024};
    static const struct {
        int64_t threads, registers, shared, fit;
    } cases[] = {{128, 32, 0, 16},    {256, 64, 0, 4},  {384, 168, 0, 1}, {32, 16, 0, 32},
                 {128, 32, 49152, 4}, {1024, 40, 0, 1}, {128, 255, 0, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct cal_place p = {.threads = cases[i].threads,
                                    .registers = cases[i].registers,
                                    .shared_bytes = cases[i].shared};
        assert_int_equal(cal_recorded_blocks_per_sm(&d, &p), cases[i].fit);
    }
    const struct cal_place copy = {.kind = CAL_OP_TO_DEVICE, .threads = 32};
    assert_int_equal(cal_recorded_blocks_per_sm(&d, &copy), 0);
}

/* --- what is refused --- */

static void damaged_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
        int line;
    } cases[] = {
        {"something else\n", "another first line", 1},
        {"dcsim-recording 1\n", "of another version of dcsim-calibrate: record again", 1},
        {HEAD(7, 1) "K 1 2 3 0 7 64 1 1 1 17 4\n", "cluster 17 is out of range", 10},
        {HEAD(7, 1) "K 1 2 3 0 7 64 1 1 1 0 4\n", "no whole number of clusters", 10},
        {HEAD(7, 1) "K 1 2 3 0 7 4 1 1 1 8 4\n", "no whole number of clusters", 10},
        {HEAD(7, 1) "K 1 2 3 0 7 12 1 1 1 8 4\n", "no whole number of clusters", 10},
        {"dcsim-recording 2\nK 1 2 3 0 7 1 1 1 1 1 1\n", "the process is not told", 2},
        {HEAD(7, 1) "K 1 2 3 0 7 1 1 1 1 1 99\n", "a kernel without a name", 10},
        {HEAD(7, 1) "K 1 2 -3 0 7 1 1 1 1 1 4\n", "end -3 is out of range", 10},
        {HEAD(7, 1) "K 1 2 3 64 7 1 1 1 1 1 4\n", "device 64 is out of range, 0 to 63", 10},
        {HEAD(7, 1) "K 1 2\n", "the number \"end\" is missing", 10},
        {HEAD(7, 1) "K 1 2 x\n", "the number \"end\" is missing", 10},
        {HEAD(7, 1) "C 1 2 3 0 7 1 99999999999999999999 0\n", "bytes 99999999999", 10},
        {HEAD(7, 1) "C 1 2 3 0 7 1 9007199254740993 0\n", "bytes 9007199254740993 is", 10},
        {HEAD(7, 1) "C 1 2 3 0 7 256 1 0\n", "kind 256", 10},
        {HEAD(7, 1) "K 4294967296 2 3 0 7 1 1 1 1 1 4\n", "correlation 4294967296", 10},
        {HEAD(7, 1) "K 1 2 3 0 4294967296 1 1 1 1 1 4\n", "stream 4294967296", 10},
        {HEAD(7, 1) "K 1 2 3 0 7 1 1 4294967296 1 1 4\n", "registers 4294967296", 10},
        {HEAD(7, 1) "K 1 2 3 0 7 1 1 1 1 1 1048576\n", "text 1048576 is out of range", 10},
        {HEAD(7, 1) "K 1 2 9007199254740994 0 7 1 1 1 1 1 4\n", "104 days", 10},
        {HEAD(7, 9007199254740999) "W 0 6 8 0 3\n", "begin 6 is more than 104 days", 10},
        {HEAD(7, 1) "D 0 0 1 1 1 1 1 1 1 1 1 GPU-1 Some GPU\n", "SMs 0 is out of", 10},
        {HEAD(7, 1) "D 0 1 1 1 2147483648 1 1 1 1 1 1 GPU-1 X\n", "clock 2147483648", 10},
        {HEAD(7, 1) "E 5 9007199254740993\n", "bytes 9007199254740993", 10},
        {HEAD(7, 1) "B 1 2 4294967296 4\n", "thread 4294967296", 10},
        {HEAD(7, 1) "N a\tb\n", "not printable ASCII", 10},
        {HEAD(7, 1) "F 9 d\xc3\xa9j\xc3\xa0\n", "not printable ASCII", 10},
        {HEAD(7, 1) "F 4 again\n", "a number that another has", 10},
        {HEAD(7, 1) "R 4 100\n", "has not begun", 10},
        {HEAD(7, 1) "\n", "of an unknown kind", 10},
        {HEAD(7, 1) "Z 1\n", "of an unknown kind", 10},
        {HEAD(7, 1) "P 1 2 3 again\n", "a second process", 10},
        {HEAD(7, 1) "A 1 2 3 4 77\n", "a text that is not there", 10}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cal_recording r;
        struct dcs_err err = {0};
        write_file(1, cases[i].text);
        assert_int_equal(cal_recording_read(&r, folder, &err), -1);
        if (strstr(err.text, cases[i].why) == NULL || err.line != cases[i].line)
            fail_msg("case %zu: line %d: %s", i, err.line, err.text);
        cal_recording_release(&r);
    }
    remove_recordings();
}

/* What is just taken: 200 kernels of 104 days are more than 36 years. */
static void long_kernels_are_refused(void **state)
{
    (void)state;
    struct cal_recording r;
    struct dcs_err err = {0};
    char *text = calloc(1, 20000), *at = text;
    at += sprintf(at, "%s", HEAD(7, 1));
    for (int i = 0; i < 200; i++)
        at += sprintf(at, "K %d 1 9007199254740993 0 7 1 1 1 1 1 4\n", i);
    write_file(1, text);
    free(text);
    assert_int_equal(cal_recording_read(&r, folder, &err), -1);
    assert_non_null(strstr(err.text, "more than 36 years"));
    assert_int_equal(err.line, 9 + 129);
    cal_recording_release(&r);
    remove_recordings();
}

/* The largest numbers that are taken, at every place: what is made of them is in range. (A build
 * with UBSan sees an overflow; others see a time that is negative.) */
static void large_numbers_stay_in_range(void **state)
{
    (void)state;
    struct cal_recording r;
    struct cal_requests q;
    struct cal_sequence s;
    struct dcs_err err = {0};
    write_file(1, "dcsim-recording 2\nP 7 1 4602678819172646912 a\n"
                  "D 63 100000 9007199254740992 9007199254740992 2147483647 2147483647 2147483647 "
                  "2147483647 2147483647 2147483647 2147483647 GPU-1 Some GPU\n"
                  "F 4 one\nF 6 mine\n"
                  "B 1 4593671619917905920 71 6\nB 2 4593671619917905921 71 6\n"
                  "K 1 4593671619917905920 4611686018427387904 0 7 9007199254740992 2147483647 "
                  "2147483647 2147483647 1 4\n"
                  "K 2 4593671619917905922 4611686018427387904 0 8 9007199254740992 2147483647 "
                  "2147483647 2147483647 1 4\n"
                  "W 0 4593671619917905922 4611686018427387904 0 3\n"
                  "L 9007199254740992\nL 9007199254740992\n"
                  "R 1 4611686018427387904\nR 2 4611686018427387904\n"
                  "E 4611686018427387904 9007199254740992\n");
    read_folder(&r);
    find_requests(&q, &r, "process");
    assert_int_equal(cal_sequence_make(&s, &q, 0, &err), 0);
    assert_true(s.alone_ns > 0 && s.overlap_ns > 0 && s.median_ns > 0);
    assert_false(cal_sequence_is_serial(&s));
    assert_int_equal(cal_recorded_blocks_per_sm(&r.device, &s.places[0]), 0);
    assert_int_equal(r.lost, INT64_C(1) << 54);
    cal_sequence_release(&s);
    cal_requests_release(&q);
    cal_recording_release(&r);
    remove_recordings();
}

static void nothing_is_no_request(void **state)
{
    (void)state;
    struct cal_recording r;
    struct cal_requests q;
    struct dcs_err err = {0};
    write_file(1, HEAD(7, 1) "N first\nN second\n" KERNEL(1, 100, 200, 300, 4, 7) TAIL);
    read_folder(&r);
    assert_int_equal(cal_requests_find(&q, &r, "third", &err), -1);
    assert_non_null(strstr(err.text, "ranges are first, second"));
    cal_requests_release(&q);
    assert_int_equal(cal_requests_find(&q, &r, "waits", &err), -1);
    assert_non_null(strstr(err.text, "never waits"));
    cal_requests_release(&q);
    cal_recording_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_requests),
        cmocka_unit_test(waits_end_requests),
        cmocka_unit_test(calls_may_be_unknown),
        cmocka_unit_test(processes_are_pooled),
        cmocka_unit_test(memory_is_that_at_one_time),
        cmocka_unit_test(host_and_device_add_up),
        cmocka_unit_test(graphs_keep_their_pace),
        cmocka_unit_test(what_follows_a_graph_adds_up),
        cmocka_unit_test(requests_differ),
        cmocka_unit_test(overlap_is_told),
        cmocka_unit_test(other_kernels_are_laid_beside),
        cmocka_unit_test(a_fill_before_a_kernel_is_not_the_one_behind_it),
        cmocka_unit_test(shapes_have_names),
        cmocka_unit_test(blocks_fit_on_an_sm),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(long_kernels_are_refused),
        cmocka_unit_test(large_numbers_stay_in_range),
        cmocka_unit_test(nothing_is_no_request),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
