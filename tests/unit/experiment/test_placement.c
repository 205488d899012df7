/*
 * test_placement.c - what workload.colocated says that pairs of applications are worth.
 *
 * Pins: each value lands at its pair, in 10^-9, rounded to the nearest, whatever the order in which
 * the pairs stand; pairs of others are passed over, also those whose names only begin alike; the
 * last of a pair that stands twice counts; what is refused, and with which words. Does not pin:
 * what is made of the values (test_workload.c, tests/prop/test_assign.c).
 */
#include "experiment/experiment_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define APP(name, class)                                                                           \
    "{\"name\":\"" name "\",\"class\":\"" class "\",\"service\":{\"distribution\":"                \
                                                "\"deterministic\",\"mean_ms\":10}}"
#define SERVICES APP("web", "latency") "," APP("mail", "latency")
#define BATCH    APP("sort", "batch") "," APP("find", "batch") "," APP("zip", "batch")
#define CONFIG                                                                                     \
    "{\"policy\":{\"name\":\"fcfs\"},\"horizon\":{\"duration_s\":1},\"cluster\":{\"domains\":2}"   \
    ",\"applications\":[" SERVICES "," BATCH                                                       \
    "],\"workload\":{\"colocated\":[{\"services\":\"web,mail\","                                   \
    "\"batch\":\"sort,find,zip\",\"clients\":1,\"batch_per_domain\":1,\"domains_per_service\":"    \
    "1}]}}"

static struct config config;
static struct experiment x;
static struct options_doc *doc;

static int open_all(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    doc = options_load_text("x.json", CONFIG, strlen(CONFIG), &err);
    if (doc != NULL && config_parse(&config, doc, NULL, &err) == 0 &&
        experiment_open(&x, &config, doc, &err) == 0)
        return 0;
    dcs_err_print(&err, stderr);
    return -1;
}

static int close_all(void **state)
{
    (void)state;
    experiment_close(&x);
    config_release(&config);
    options_doc_free(doc);
    return 0;
}

static int64_t *values(const char *text, struct dcs_err *err)
{
    struct config_colocated *c = config.workload.colocated.items;
    char *kept = c->placement_values;
    c->placement_values = dcs_strdup(text);
    int64_t *found = experiment_placement(&x, 0, err);
    free(c->placement_values);
    c->placement_values = kept;
    return found;
}

static void test_values(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    int64_t *v = values("mail+zip=0.25,web+sort=1,web+find=-2.5,mail+sort=1000,mail+find=-1000,"
                        "web+zip=1.4e-9,web+sort=3,sort+web=7,webs+sort=7,we+sort=7,web+sor=7,"
                        "web+nothing=7,mail+sorts=7,nothing+zip=7",
                        &err);
    assert_non_null(v);
    const int64_t expected[] = {3000000000,    -2500000000,    1,
                                1000000000000, -1000000000000, 250000000};
    assert_memory_equal(v, expected, sizeof expected);
    free(v);
    v = values(
        "web+sort=1.5e-9,web+find=-1.5e-9,web+zip=-1.4e-9,mail+sort=0,mail+find=-0,mail+zip=1",
        &err);
    assert_non_null(v);
    const int64_t rounded[] = {2, -2, -1, 0, 0, 1000000000};
    assert_memory_equal(v, rounded, sizeof rounded);
    free(v);
}

static void refused(const char *text, const char *why)
{
    struct dcs_err err = {0};
    assert_null(values(text, &err));
    if (strstr(err.text, why) == NULL)
        fail_msg("\"%s\": \"%s\" does not say \"%s\"", text, err.text, why);
}

static void test_refused(void **state)
{
    (void)state;
    refused("", "lacks the pair web+sort");
    refused("web+sort=1,web+find=1,web+zip=1,mail+sort=1,mail+find=1", "lacks the pair mail+zip");
    refused("web+sort=1,web+zip=1", "lacks the pair web+find");
    static const char *const odd[] = {"web",
                                      "web+sort",
                                      "web=1",
                                      "web=1+sort",
                                      "web+sort=",
                                      "web+sort=x",
                                      "web+sort=1;2",
                                      "web+sort=1000.1",
                                      "web+sort=-1001",
                                      "web+sort=nan",
                                      "web+sort=1 ,",
                                      "=1,web+sort=1",
                                      "web+sort=1;web+find=2"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        refused(odd[i], "expected SERVICE+BATCH=VALUE,... with values from -1000 to 1000, found");
    /* What is wrong is told from where it stands. */
    refused("web+sort=1,web+find", "found \"web+find\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
