/*
 * test_sweep.c - the section "sweep": which values an axis has, which points there are, and what
 * each point's config is.
 *
 * Pins: lists, ranges by step and by count, log ranges and zipped axes; the order of the points;
 * that a point's config has the hash of the same config written by hand; that sections can be set
 * whole; labels; every mistake with its place; that what a point takes does not depend on how many
 * points there are. Does not pin: what is run of it (test_runner, e2e/sweep).
 */
#include "config/sweep.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define BASE "\"name\": \"base\", \"policy\": {\"name\": \"fcfs\"},\n\"workload\": {\"trem\": [{}]}"

/* {BASE, "sweep": {"axes": [AXES]}}; the axes begin in line 3. */
static struct options_doc *document(const char *axes)
{
    struct dcs_err err = {0};
    struct text_buffer text = {0};
    text_append(&text, "{" BASE ",\n\"sweep\": {\"axes\": [%s]}}", axes);
    struct options_doc *doc = options_load_text("s.json", text.text, text.length, &err);
    if (doc == NULL)
        fail_msg("%s", err.text);
    free(text.text);
    return doc;
}

/* All values of all keys as text: "key: v v v; key: v". */
static void assert_values(const char *axes, const char *expected)
{
    struct dcs_err err = {0};
    struct options_doc *doc = document(axes);
    struct sweep s;
    if (sweep_open(&s, doc, NULL, &err) != 0)
        fail_msg("%s: %s", err.path, err.text);
    struct text_buffer text = {0};
    for (size_t i = 0; i < s.axes.keys_count; i++) {
        text_append(&text, "%s%s:", i > 0 ? "; " : "", s.axes.keys[i].path);
        for (size_t k = 0; k < s.axes.keys[i].count; k++)
            text_append(&text, " %s", s.axes.keys[i].values[k].text);
    }
    assert_string_equal(text.text, expected);
    free(text.text);
    sweep_close(&s);
    options_doc_free(doc);
}

static void values_of_axes(void **state)
{
    (void)state;
    assert_values("{\"key\": \"a\", \"values\": [1, \"x y\", { \"b\" : [ 1, 2 ] }, 1.50, true]}",
                  "a: 1 \"x y\" {\"b\":[1,2]} 1.50 true");
    assert_values("{\"key\": \"a\", \"from\": 0.1, \"to\": 1, \"step\": 0.1}",
                  "a: 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
    assert_values("{\"key\": \"a\", \"from\": 1, \"to\": 8, \"step\": 3}", "a: 1 4 7");
    assert_values("{\"key\": \"a\", \"from\": 3, \"to\": 1, \"step\": -1}", "a: 3 2 1");
    assert_values("{\"key\": \"a\", \"from\": -1, \"to\": 1, \"step\": 1}", "a: -1 0 1");
    assert_values("{\"key\": \"a\", \"from\": 0, \"to\": 1, \"count\": 4}",
                  "a: 0 0.333333333333 0.666666666667 1");
    assert_values("{\"key\": \"a\", \"from\": 5, \"to\": 5, \"count\": 1}", "a: 5");
    assert_values("{\"key\": \"a\", \"from\": 1, \"to\": 64, \"count\": 7, \"scale\": \"log\"}",
                  "a: 1 2 4 8 16 32 64");
    assert_values("{\"key\": \"a\", \"from\": 100, \"to\": 0.01, \"count\": 5, \"scale\": \"log\"}",
                  "a: 100 10 1 0.1 0.01");
    assert_values("{\"zip\": [{\"key\": \"a\", \"values\": [1, 2]}, {\"key\": \"b\", \"from\": 3, "
                  "\"to\": 4, \"step\": 1}]}, {\"key\": \"c\", \"values\": [5]}",
                  "a: 1 2; b: 3 4; c: 5");
}

/* ---- Points ---- */

static void assert_label(const struct sweep *s, uint64_t point, const char *expected)
{
    char *label = sweep_label(s, point);
    assert_string_equal(label, expected);
    free(label);
}

static void the_last_axis_is_fastest(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct options_doc *doc =
        document("{\"key\": \"seed\", \"values\": [1, 2]}, {\"zip\": [{\"key\": "
                 "\"cluster.devices\", \"values\": [1, 2, 4]}, {\"key\": \"workload.trem[0].jobs\","
                 "\"values\": [10, 20, 40]}]}, {\"key\": \"policy.name\", \"values\": [\"fcfs\", "
                 "\"elastic\"]}");
    struct sweep s;
    assert_int_equal(sweep_open(&s, doc, NULL, &err), 0);
    assert_int_equal(s.axes.points, 12);
    assert_label(&s, 0, "seed=1, devices=1, jobs=10, policy.name=fcfs");
    assert_label(&s, 1, "seed=1, devices=1, jobs=10, policy.name=elastic");
    assert_label(&s, 2, "seed=1, devices=2, jobs=20, policy.name=fcfs");
    assert_label(&s, 11, "seed=2, devices=4, jobs=40, policy.name=elastic");
    assert_int_equal(sweep_check(&s, NULL, NULL, &err), 0);
    assert_int_equal(strlen(s.hash), 64);
    assert_string_equal(s.name, "base");
    sweep_close(&s);
    options_doc_free(doc);
}

/* The hash of point `point` of a sweep, or of a config written by hand if axes is NULL. */
static void hash_of(const char *axes, uint64_t point, const char *json, char out[65])
{
    struct dcs_err err = {0};
    struct options_doc *doc =
        axes != NULL ? document(axes) : options_load_text("x.json", json, strlen(json), &err);
    struct options_doc *of_point = NULL;
    struct sweep s;
    struct config config;
    if (sweep_open(&s, doc, NULL, &err) != 0 ||
        sweep_config(&s, point, &of_point, &config, &err) != 0)
        fail_msg("%s: %s", err.path, err.text);
    config_hash(&config, out);
    config_release(&config);
    options_doc_free(of_point);
    sweep_close(&s);
    options_doc_free(doc);
}

static void a_point_is_the_config_by_hand(void **state)
{
    (void)state;
    char point[65], hand[65];
    hash_of("{\"key\": \"workload.trem[0].load\", \"from\": 0.1, \"to\": 1, \"step\": 0.1}", 2,
            NULL, point);
    hash_of(NULL, 0,
            "{\"policy\": {\"name\": \"fcfs\"}, \"workload\": {\"trem\": [{\"load\": 0.3}]}}",
            hand);
    assert_string_equal(point, hand);
    /* A section is replaced, not merged; what the next axis sets lies inside it. */
    hash_of("{\"key\": \"policy\", \"values\": [{\"name\": \"elastic\", \"revocation\": true}]}, "
            "{\"key\": \"policy.revocation\", \"values\": [true, false]}",
            1, NULL, point);
    hash_of(NULL, 0,
            "{\"policy\": {\"name\": \"elastic\", \"revocation\": false}, \"workload\": "
            "{\"trem\": [{}]}}",
            hand);
    assert_string_equal(point, hand);
    /* A path that is not in the document yet. */
    hash_of("{\"key\": \"scheduler.scale\", \"values\": [2]}", 0, NULL, point);
    hash_of(NULL, 0,
            "{\"policy\": {\"name\": \"fcfs\"}, \"workload\": {\"trem\": [{}]}, \"scheduler\": "
            "{\"scale\": 2}}",
            hand);
    assert_string_equal(point, hand);
}

static void a_config_without_a_sweep_is_one_point(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct options_doc *doc = options_load_text("s.json", "{" BASE "}", strlen("{" BASE "}"), &err);
    struct sweep s;
    assert_int_equal(sweep_open(&s, doc, NULL, &err), 0);
    assert_int_equal(sweep_check(&s, NULL, NULL, &err), 0);
    assert_int_equal(s.axes.points, 1);
    assert_string_equal(s.hash, "");
    assert_label(&s, 0, "");
    sweep_close(&s);
    options_doc_free(doc);
}

/* How often memory was asked for: the linker puts this in front of dcs_alloc(). */
static size_t allocations;

void *__real_dcs_alloc(size_t count, size_t size);
void *__wrap_dcs_alloc(size_t count, size_t size);

void *__wrap_dcs_alloc(size_t count, size_t size)
{
    allocations++;
    return __real_dcs_alloc(count, size);
}

/* What the document of the first of `points` points takes: allocations, and bytes kept. */
static void cost_of_a_point(size_t points, size_t *made, size_t *kept)
{
    struct dcs_err err = {0};
    struct text_buffer axis = {0};
    text_append(&axis, "{\"key\": \"seed\", \"values\": [1");
    for (size_t i = 1; i < points; i++)
        text_append(&axis, ", %zu", i + 1);
    text_append(&axis, "]}");
    struct options_doc *doc = document(axis.text);
    struct sweep s;
    assert_int_equal(sweep_open(&s, doc, NULL, &err), 0);
    allocations = 0;
    struct mallinfo2 before = mallinfo2();
    struct options_doc *point = sweep_axes_point(doc, &s.axes, 0, &err);
    struct mallinfo2 after = mallinfo2();
    *made = allocations;
    *kept = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
    options_doc_free(point);
    sweep_close(&s);
    options_doc_free(doc);
    free(axis.text);
}

/* Else a sweep takes the square of its points. A sanitizer's allocator says 0 bytes. */
static void a_point_costs_the_same_among_many(void **state)
{
    (void)state;
    size_t made[2], kept[2];
    cost_of_a_point(10, &made[0], &kept[0]);
    cost_of_a_point(20000, &made[1], &kept[1]);
    assert_true(made[0] > 0);
    assert_int_equal(made[0], made[1]);
    assert_in_range(kept[1], 0, kept[0] + 4096);
}

/* The same axes, the same name; other values, keys or configs, another one. */
static void names_of_sweeps(void **state)
{
    (void)state;
    static const char *const axes[] = {"{\"key\": \"seed\", \"values\": [1, 2]}",
                                       "{\"key\": \"seed\", \"values\": [1, 3]}",
                                       "{\"key\": \"seed\", \"from\": 1, \"to\": 2, \"step\": 1}",
                                       "{\"key\": \"cluster.devices\", \"values\": [1, 2]}"};
    char hashes[4][65];
    for (size_t i = 0; i < 4; i++) {
        struct dcs_err err = {0};
        struct options_doc *doc = document(axes[i]);
        struct sweep s;
        assert_int_equal(sweep_open(&s, doc, NULL, &err), 0);
        assert_int_equal(sweep_check(&s, NULL, NULL, &err), 0);
        snprintf(hashes[i], sizeof hashes[i], "%s", s.hash);
        sweep_close(&s);
        options_doc_free(doc);
    }
    assert_string_equal(hashes[0], hashes[2]);
    assert_string_not_equal(hashes[0], hashes[1]);
    assert_string_not_equal(hashes[0], hashes[3]);
}

/* ---- Mistakes ---- */

static void assert_refused(const char *axes, int line, const char *path, const char *why)
{
    struct dcs_err err = {0};
    struct options_doc *doc = document(axes);
    struct sweep s = {0};
    if (sweep_open(&s, doc, NULL, &err) == 0 && sweep_check(&s, NULL, NULL, &err) == 0)
        fail_msg("%s: was taken", axes);
    if (strcmp(err.file, "s.json") != 0 || err.line != line || strcmp(err.path, path) != 0 ||
        strstr(err.text, why) == NULL)
        fail_msg("%s: %s:%d: %s: %s", axes, err.file, err.line, err.path, err.text);
    sweep_close(&s);
    options_doc_free(doc);
}

static void mistakes(void **state)
{
    (void)state;
#define KEY    "\"key\": \"seed\""
#define VALUES "\"values\": [1, 2]"
    assert_refused("", 3, "sweep.axes", "an empty one");
    assert_refused("3", 3, "sweep.axes[0]", "object");
    assert_refused("{" VALUES "}", 3, "sweep.axes[0]", "missing key \"key\"");
    assert_refused("{" KEY "}", 3, "sweep.axes[0]", "an axis has values, or from, to");
    assert_refused("{" KEY ", \"valuse\": [1]}", 3, "sweep.axes[0].valuse", "\"values\"");
    assert_refused("{" KEY ", \"values\": []}", 3, "sweep.axes[0].values", "an empty one");
    assert_refused("{" KEY ", \"values\": 4}", 3, "sweep.axes[0].values", "found 4");
    assert_refused("{" KEY ", \"values\": [1, 2, 1]}", 3, "sweep.axes[0]", "1 is there twice");
    assert_refused("{" KEY ", " VALUES ", \"from\": 1}", 3, "sweep.axes[0].from", "listed");
    assert_refused("{" KEY ", \"from\": 1, \"to\": 2}", 3, "sweep.axes[0]", "either step or count");
    assert_refused("{" KEY ", \"from\": 1, \"to\": 2, \"step\": 1, \"count\": 2}", 3,
                   "sweep.axes[0]", "either step or count");
    assert_refused("{" KEY ", \"from\": 1, \"to\": 2, \"step\": -1}", 3, "sweep.axes[0].step",
                   "does not lead from 1 to 2");
    assert_refused("{" KEY ", \"from\": 1, \"to\": 2, \"step\": 0}", 3, "sweep.axes[0].step",
                   "does not lead");
    assert_refused("{" KEY ", \"from\": 1, \"to\": 2, \"step\": 1e-9}", 3, "sweep.axes[0].step",
                   "at most 1000000");
    assert_refused("{" KEY ", \"from\": 1, \"to\": 2, \"count\": 1}", 3, "sweep.axes[0].count",
                   "2 or more");
    assert_refused("{" KEY ", \"from\": 0, \"to\": 2, \"count\": 3, \"scale\": \"log\"}", 3,
                   "sweep.axes[0]", "above 0");
    assert_refused("{" KEY ", \"from\": 1, \"to\": 2, \"step\": 1, \"scale\": \"log\"}", 3,
                   "sweep.axes[0]", "not a step");
    assert_refused("{\"zip\": [{" KEY ", " VALUES "}]}", 3, "sweep.axes[0]", "two axes or more");
    assert_refused("{\"zip\": [{" KEY ", " VALUES "},\n {\"key\": \"cluster.devices\", \"values\": "
                   "[1]}]}",
                   4, "sweep.axes[0].zip[1]", "has 1 value, the first of the zipped axes has 2");
    assert_refused("{\"zip\": [{" KEY ", \"values\": [7, 8, 7]},\n {\"key\": \"cluster.devices\", "
                   "\"values\": [1, 1, 1]}]}",
                   3, "sweep.axes[0]", "7, with the same of the others, is there twice");
    assert_refused("{\"zip\": [{\"zip\": []}, {}]}", 3, "sweep.axes[0].zip[0]", "another");
    assert_refused("{\"zip\": [{}, {}], " KEY "}", 3, "sweep.axes[0]", "nothing else");
    assert_refused("{" KEY ", " VALUES "}, {" KEY ", " VALUES "}", 3, "sweep.axes[1].key",
                   "the key of sweep.axes[0] already");
    assert_refused("{\"key\": \"policy.name\", \"values\": [\"fcfs\"]}, {\"key\": \"policy\", "
                   "\"values\": [{\"name\": \"fcfs\"}]}",
                   3, "sweep.axes[1].key", "would replace what sweep.axes[0] sets");
    assert_refused("{\"key\": \"replications\", \"values\": [1, 2]}", 3, "sweep.axes[0].key",
                   "cannot change a result");
    assert_refused("{\"key\": \"outputs.jobs\", \"values\": [true, false]}", 3, "sweep.axes[0].key",
                   "cannot change a result");
    assert_refused("{\"key\": \"sweep.axes\", \"values\": [1]}", 3, "sweep.axes[0].key", "another");
}

/* What the config says of a value comes with the value's line and the point. */
static void mistakes_in_points(void **state)
{
    (void)state;
    assert_refused("{\"key\": \"cluster.devics\",\n \"values\": [1,\n 2]}", 4, "cluster.devics",
                   "did you mean \"devices\"? (in point 0: devics=1)");
    assert_refused("{\"key\": \"cluster.devices\",\n \"values\": [1,\n -2]}", 5, "cluster.devices",
                   "found -2 (in point 1: devices=-2)");
    assert_refused("{\"key\": \"cluster.devices\",\n \"from\": 1, \"to\": 2, \"step\": 0.5}", 3,
                   "cluster.devices", "whole number");
    assert_refused("{\"key\": \"workload.trem[2].load\", \"values\": [1]}", 3, "workload.trem[2]",
                   "the list has 1 element");
    /* The next element, which --set would make, is no key of the config either. */
    assert_refused("{\"key\": \"workload.trem[1].load\", \"values\": [1]}", 3, "workload.trem[1]",
                   "the list has 1 element, and none is added here");
    assert_refused("{\"key\": \"workload.batch[0].clients\", \"values\": [1]}", 3,
                   "workload.batch[0]", "the list has 0 elements");
    assert_refused("{\"key\": \"workload.trem[\", \"values\": [1]}", 3, "workload.trem[",
                   "an index like [0]");
    assert_refused("{\"key\": \"policy.name\", \"values\": [\"elastik\"]}", 3, "policy.name",
                   "did you mean \"elastic\"?");
    assert_refused("{\"key\": \"seed\", \"values\": [1, 1.0]}", 3, "sweep.axes",
                   "points 0 (seed=1) and 1 (seed=1.0) are the same experiment");
}

static void too_many_points(void **state)
{
    (void)state;
    struct text_buffer axes = {0};
    for (int i = 0; i < 4; i++)
        text_append(&axes, "%s{\"key\": \"k%d\", \"from\": 1, \"to\": 1000, \"step\": 1}",
                    i > 0 ? ", " : "", i);
    assert_refused(axes.text, 3, "sweep.axes[2]", "more than 100000000 points");
    free(axes.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_axes),
        cmocka_unit_test(the_last_axis_is_fastest),
        cmocka_unit_test(a_point_is_the_config_by_hand),
        cmocka_unit_test(a_config_without_a_sweep_is_one_point),
        cmocka_unit_test(a_point_costs_the_same_among_many),
        cmocka_unit_test(names_of_sweeps),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(mistakes_in_points),
        cmocka_unit_test(too_many_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
