/*
 * test_openb_real.c - pins counts and totals of the published default pod list, computed by an
 * independent reader. The list may not be republished, so it lies beside the project, if at all;
 * without it the tests are skipped, and say so. Its hash is checked first: other data would have
 * other counts.
 */
#include "traces/alibaba/openb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define LIST                                                                                       \
    DCS_SOURCE_DIR                                                                                 \
    "/../shared/traces/alibaba/cluster-trace-gpu-v2023/openb_pod_list_default.csv.gz"
#define HASH "84f3958151a17ef423a36025a13d3b0bf8bd94226cbfc996b418e81bbcdff9a7"

struct expected {
    int64_t from_s;
    uint64_t counts[9];
    uint32_t first_lines[9];
    size_t latency;
    int64_t duration_s;   /* summed over the jobs */
    int64_t gpus;         /* summed */
    int64_t demand_milli; /* summed, gpus * gpu_milli */
    int64_t milli_s;      /* summed, demand * duration */
    int64_t last_arrival_s;
    int64_t arrivals_s; /* summed */
};

static void check(const struct expected *e)
{
    if (access(LIST, R_OK) != 0) {
        print_message("skipped: there is no %s\n", LIST);
        skip();
    }
    struct dcs_err err = {0};
    struct dcs_trace t;
    assert_int_equal(dcs_openb_read(LIST, e->from_s, &t, &err), 0);
    assert_string_equal(t.sha256, HASH);
    assert_int_equal(t.counts_count, 9);
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(t.counts[i].count, e->counts[i]);
        assert_int_equal(t.counts[i].first_line, e->first_lines[i]);
    }
    assert_int_equal(t.jobs_count, e->counts[0]);
    struct expected sum = {0};
    for (size_t i = 0; i < t.jobs_count; i++) {
        const struct dcs_trace_job *job = &t.jobs[i];
        int64_t demand = (int64_t)job->gpus * job->gpu_milli;
        sum.latency += job->class == DCS_LATENCY;
        sum.duration_s += job->duration_ns / DCS_NS_PER_S;
        sum.gpus += job->gpus;
        sum.demand_milli += demand;
        sum.milli_s += demand * (job->duration_ns / DCS_NS_PER_S);
        sum.arrivals_s += job->arrival_ns / DCS_NS_PER_S;
        assert_true(job->arrival_ns >= sum.last_arrival_s * DCS_NS_PER_S);
        sum.last_arrival_s = job->arrival_ns / DCS_NS_PER_S;
    }
    assert_int_equal(sum.latency, e->latency);
    assert_int_equal(sum.duration_s, e->duration_s);
    assert_int_equal(sum.gpus, e->gpus);
    assert_int_equal(sum.demand_milli, e->demand_milli);
    assert_int_equal(sum.milli_s, e->milli_s);
    assert_int_equal(sum.last_arrival_s, e->last_arrival_s);
    assert_int_equal(sum.arrivals_s, e->arrivals_s);
    assert_int_equal(t.jobs[0].arrival_ns, 0);
    dcs_trace_release(&t);
}

static void test_whole(void **state)
{
    (void)state;
    check(&(struct expected){
        .counts = {6203, 32, 1869, 0, 1088, 861, 0, 0, 0},
        .first_lines = {2, 3, 35, 0, 7, 63, 0, 0, 0},
        .latency = 3590,
        .duration_s = 191369677,
        .gpus = 6571,
        .demand_milli = 5484930,
        .milli_s = 185294426970,
        .last_arrival_s = 12901761,
        .arrivals_s = 71538956927,
    });
}

/* Without the long head of pods that were already there. */
static void test_from(void **state)
{
    (void)state;
    check(&(struct expected){
        .from_s = 10000000,
        .counts = {6150, 17, 1859, 0, 1088, 861, 53, 0, 0},
        .first_lines = {60, 725, 64, 0, 7, 63, 2, 0, 0},
        .latency = 3556,
        .duration_s = 50668493,
        .gpus = 6511,
        .demand_milli = 5436520,
        .milli_s = 58803670270,
        .last_arrival_s = 2901278,
        .arrivals_s = 9595208933,
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
