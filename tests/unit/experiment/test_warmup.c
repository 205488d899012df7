/*
 * test_warmup.c - the warm-up of a run under MSER-5 is that of the run itself: what a spec was
 * given by an earlier simulation (profile_uncertainty simulates each replication twice) does not
 * count, neither where something is cut nor where nothing is. Not pinned: where MSER-5 cuts
 * (test_mser.c, tests/e2e/steady.sh).
 */
#include "runs/warmup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Load 0.5; the second config begins with a backlog of 4 s. */
#define CONFIG(more)                                                                               \
    "{\"policy\":{\"name\":\"fcfs\"},\"horizon\":{\"duration_s\":50,\"warmup_rule\":\"mser5\"},"   \
    "\"applications\":[{\"name\":\"web\",\"class\":\"latency\",\"service\":{\"distribution\":"     \
    "\"deterministic\",\"mean_ms\":10}}],\"workload\":{\"services\":[{\"application\":\"web\","    \
    "\"arrivals\":{\"process\":\"deterministic\",\"rate_per_s\":50}}" more "]}}"
#define BACKLOG                                                                                    \
    ",{\"application\":\"web\",\"requests\":200,\"arrivals\":{\"process\":\"deterministic\","      \
    "\"rate_per_s\":1e6}}"

/* Where the window of the run begins whose spec says warmup_ns before. */
static int64_t from_ns(const char *json, int64_t warmup_ns)
{
    struct dcs_err err = {0};
    struct config config;
    struct experiment x;
    struct dcs_workload workload;
    struct cluster_spec spec;
    struct cluster_result result;
    struct options_doc *doc = options_load_text("x.json", json, strlen(json), &err);
    if (doc == NULL || config_parse(&config, doc, NULL, &err) != 0 ||
        experiment_open(&x, &config, doc, &err) != 0)
        fail_msg("%s: %s", err.path, err.text);
    assert_int_equal(experiment_workload(&x, 0, &workload, NULL, &err), 0);
    experiment_spec(&x, 0, &workload, &spec);
    spec.warmup_ns = warmup_ns;
    assert_int_equal(warmup_simulate(&x, &spec, &result, &err), 0);
    int64_t from = result.from_ns;
    assert_int_equal(from, spec.warmup_ns);
    cluster_result_release(&result);
    dcs_workload_release(&workload);
    experiment_close(&x);
    config_release(&config);
    options_doc_free(doc);
    return from;
}

static void test_nothing_to_cut(void **state)
{
    (void)state;
    assert_int_equal(from_ns(CONFIG(""), 0), 0);
    assert_int_equal(from_ns(CONFIG(""), 20000000000), 0);
}

static void test_backlog(void **state)
{
    (void)state;
    int64_t cut = from_ns(CONFIG(BACKLOG), 0);
    assert_true(cut > 3000000000 && cut < 6000000000);
    assert_int_equal(from_ns(CONFIG(BACKLOG), 20000000000), cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_to_cut),
                                       cmocka_unit_test(test_backlog)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
