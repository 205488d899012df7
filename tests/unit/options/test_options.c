/*
 * test_options.c - the config reader: from documents to structs by a table, and back.
 *
 * Pins: types, ranges at their bounds and just past them, 64-bit integers and nanoseconds kept
 * whole, file, line, path and text of each kind of error, and the canonical form. Does not pin:
 * JSON itself and --set (test_options_json.c), what tables may say (test_options_table.c).
 */
#include "tests/unit/options/options_fixture.h"

#include "text/number.h"

/* ---- values ---- */

static void all_defaults(void **unused)
{
    (void)unused;
    struct experiment e = parse_text("{}");
    assert_int_equal(e.seed, 1);
    assert_int_equal(e.devices, 4);
    assert_true(e.quick);
    assert_true(e.share == 0.5 && e.any == -2.5 && e.positive == 3);
    assert_int_equal(e.horizon_ns, 60 * DCS_NS_PER_S);
    assert_int_equal(e.step_ns, 1500);
    assert_int_equal(e.hold_ns, 360 * DCS_NS_PER_S);
    assert_int_equal(e.process, 0);
    assert_string_equal(e.title, "none");
    assert_int_equal(e.workload.services.count, 0);
    assert_null(e.workload.services.items);
    assert_true(e.workload.load == 0.7);
    release(&e);
}

static void changed(const char *text, const char *name)
{
    struct experiment e = parse_text(text);
    const char *found = options_changed(rows, &e);
    assert_true(name == NULL ? found == NULL : found != NULL && strcmp(found, name) == 0);
    release(&e);
}

/* The first option that has not its default, of each type; a default that is written out is one. */
static void what_is_changed(void **unused)
{
    (void)unused;
    changed("{}", NULL);
    changed("{\"seed\": 1, \"share\": 0.5, \"title\": \"none\", \"step_us\": 1.5}", NULL);
    changed("{\"title\": \"other\", \"devices\": 5}", "devices");
    changed("{\"quick\": false}", "quick");
    changed("{\"any\": -2.25}", "any");
    changed("{\"hold_h\": 0.2}", "hold_h");
    changed("{\"process\": \"mmpp2\"}", "process");
    changed("{\"title\": \"\"}", "title");
    struct experiment e = parse_text("{\"workload\": {\"services\": [{\"profile\": \"a\"}]}}");
    assert_null(options_changed(rows, &e)); /* not what stands in an object */
    assert_string_equal(options_changed(workload_rows, &e.workload), "services");
    release(&e);
}

static void all_values(void **unused)
{
    (void)unused;
    struct experiment e = parse_text(
        "{\"seed\": 7, \"devices\": 8, \"quick\": false, \"share\": 1, \"any\": 1e300,"
        " \"positive\": 0, \"horizon_s\": 0.25, \"step_us\": 2, \"hold_h\": 2,"
        " \"process\": \"deterministic\", \"title\": \"\\u00e9\\ud83d\\ude00\\n\","
        " \"workload\": {\"load\": 0, \"services\": [{\"profile\": \"a\"},"
        " {\"sla_ms\": 1000, \"process\": \"poisson\", \"profile\": \"\", \"rate_per_s\": 0.5}]}}");
    assert_int_equal(e.seed, 7);
    assert_int_equal(e.devices, 8);
    assert_false(e.quick);
    assert_true(e.share == 1 && e.any == 1e300 && e.positive == 0);
    assert_int_equal(e.horizon_ns, 250 * DCS_NS_PER_MS);
    assert_int_equal(e.step_ns, 2000);
    assert_int_equal(e.hold_ns, 7200 * DCS_NS_PER_S);
    assert_int_equal(e.process, 2);
    assert_string_equal(e.title, "\xc3\xa9\xf0\x9f\x98\x80\n");
    assert_true(e.workload.load == 0);
    assert_int_equal(e.workload.services.count, 2);
    const struct service *services = e.workload.services.items;
    assert_string_equal(services[0].profile, "a");
    assert_true(services[0].rate_per_s == 10);
    assert_int_equal(services[0].process, 1);
    assert_int_equal(services[0].sla_ns, 50 * DCS_NS_PER_MS);
    assert_string_equal(services[1].profile, "");
    assert_true(services[1].rate_per_s == 0.5);
    assert_int_equal(services[1].process, 0);
    assert_int_equal(services[1].sla_ns, DCS_NS_PER_S);
    release(&e);
    static const struct experiment zero;
    assert_memory_equal(&e, &zero, sizeof e);
}

static int64_t seed_of(const char *number)
{
    char text[128];
    snprintf(text, sizeof text, "{\"seed\": %s}", number);
    struct experiment e = parse_text(text);
    int64_t seed = e.seed;
    release(&e);
    return seed;
}

static void no_seed(const char *number)
{
    char text[128], expected[128];
    snprintf(text, sizeof text, "{\"seed\": %s}", number);
    snprintf(expected, sizeof expected, "expected a whole number, found %s", number);
    refused(text, 1, "seed", expected);
}

static void integers_keep_64_bits(void **unused)
{
    (void)unused;
    assert_int_equal(seed_of("9223372036854775807"), INT64_MAX);
    assert_int_equal(seed_of("-9223372036854775808"), INT64_MIN);
    assert_int_equal(seed_of("9007199254740993"), 9007199254740993); /* 2^53 + 1 is no double */
    assert_int_equal(seed_of("922337203685477580.7e1"), INT64_MAX);
    assert_int_equal(seed_of("1e3"), 1000);
    assert_int_equal(seed_of("1E+18"), 1000000000000000000);
    assert_int_equal(seed_of("5.0"), 5);
    assert_int_equal(seed_of("0.05e2"), 5);
    assert_int_equal(seed_of("500e-2"), 5);
    assert_int_equal(seed_of("-0"), 0);
    assert_int_equal(seed_of("0.000e99"), 0);
    assert_int_equal(seed_of("0e-999999999999999"), 0);
    no_seed("9223372036854775808");
    no_seed("-9223372036854775809");
    no_seed("18446744073709551617"); /* 1, if it wrapped around */
    no_seed("1e19");
    no_seed("1e300");
    no_seed("0.5");
    no_seed("5.0000000000000000000000001");
    no_seed("1e-999999999999999");
}

static int64_t time_of(const char *key, const char *number)
{
    char text[128];
    snprintf(text, sizeof text, "{\"%s\": %s}", key, number);
    struct experiment e = parse_text(text);
    int64_t ns = strcmp(key, "hold_h") == 0 ? e.hold_ns : e.horizon_ns;
    release(&e);
    return ns;
}

static void times_keep_their_nanoseconds(void **unused)
{
    (void)unused;
    assert_int_equal(time_of("horizon_s", "86400.000000001"), 86400000000001);
    /* As a double of seconds this is 256 ns off. */
    assert_int_equal(time_of("horizon_s", "3000000000.000000001"), 3000000000000000001);
    assert_int_equal(time_of("horizon_s", "0.0000000004999999999999999999999999999"), 0);
    assert_int_equal(time_of("horizon_s", "0.0000000005"), 1);
    assert_int_equal(time_of("horizon_s", "1.4999999999e-9"), 1);
    assert_int_equal(time_of("horizon_s", "1e-9999"), 0);
    assert_int_equal(time_of("horizon_s", "-0"), 0);
    assert_int_equal(time_of("horizon_s", "46e8"), 4600000000000000000);
    assert_int_equal(time_of("hold_h", "0.1"), 360000000000);
    assert_int_equal(time_of("hold_h", "0.000000000000138"), 0);
    assert_int_equal(time_of("hold_h", "0.000000000000139"), 1);
    refused("{\"horizon_s\": 4600000000.000000001}", 1, "horizon_s",
            "expected a time in s from 0 to 4600000000, found 4600000000.000000001");
    refused("{\"horizon_s\": 1e300}", 1, "horizon_s",
            "expected a time in s from 0 to 4600000000, found 1e300");
    refused("{\"horizon_s\": -0.000000001}", 1, "horizon_s",
            "expected a time in s from 0 to 4600000000, found -0.000000001");
}

static void bounds_are_inclusive(void **unused)
{
    (void)unused;
    struct experiment e = parse_text("{\"devices\": 1, \"share\": 0, \"step_us\": 0.5}");
    assert_int_equal(e.devices, 1);
    assert_int_equal(e.step_ns, 500);
    release(&e);
    e = parse_text("{\"devices\": 8, \"share\": 1, \"step_us\": 2, \"positive\": 1e308}");
    assert_int_equal(e.devices, 8);
    assert_int_equal(e.step_ns, 2000);
    release(&e);
    refused("{\"devices\": 0}", 1, "devices",
            "expected a whole number from 1 to 8 (GPUs), found 0");
    refused("{\"devices\": 9}", 1, "devices",
            "expected a whole number from 1 to 8 (GPUs), found 9");
    refused("{\"devices\": 2.5}", 1, "devices",
            "expected a whole number from 1 to 8 (GPUs), found 2.5");
    refused("{\"share\": -1e-300}", 1, "share", "expected a number from 0 to 1, found -1e-300");
    refused("{\"share\": 1.0000000000000002}", 1, "share",
            "expected a number from 0 to 1, found 1.0000000000000002");
    refused("{\"step_us\": 0.499}", 1, "step_us",
            "expected a time in us from 0.5 to 2, found 0.499");
    refused("{\"step_us\": 2.001}", 1, "step_us",
            "expected a time in us from 0.5 to 2, found 2.001");
    refused("{\"positive\": -1}", 1, "positive", "expected a number of at least 0, found -1");
}

static void wrong_types(void **unused)
{
    (void)unused;
    refused("{\n\"share\":\n\"high\"}", 3, "share",
            "expected a number from 0 to 1, found \"high\"");
    refused("{\"seed\": true}", 1, "seed", "expected a whole number, found true");
    refused("{\"seed\": \"1\"}", 1, "seed", "expected a whole number, found \"1\"");
    refused("{\"seed\": null}", 1, "seed", "expected a whole number, found null");
    refused("{\"quick\": 1}", 1, "quick", "expected true or false, found 1");
    refused("{\"quick\": null}", 1, "quick", "expected true or false, found null");
    refused("{\"title\": 5.50}", 1, "title",
            "expected a string, found 5.50; write \"5.50\", after --set in a shell '\"5.50\"'");
    refused("{\"title\": {}}", 1, "title", "expected a string, found an object");
    refused("{\"horizon_s\": \"60s\"}", 1, "horizon_s",
            "expected a time in s from 0 to 4600000000, found \"60s\"");
    refused("{\"process\": 0}", 1, "process",
            "expected one of \"poisson\", \"mmpp2\", \"deterministic\"; found 0");
    refused(
        "{\"process\": \"poison\"}", 1, "process",
        "expected one of \"poisson\", \"mmpp2\", \"deterministic\"; found \"poison\"; did you mean "
        "\"poisson\"?");
    refused("{\"process\": \"something else\"}", 1, "process",
            "expected one of \"poisson\", \"mmpp2\", \"deterministic\"; found \"something else\"");
    refused("{\"workload\": []}", 1, "workload", "expected an object {...}, found a list");
    refused("{\"workload\": null}", 1, "workload", "expected an object {...}, found null");
    refused("{\"workload\": {\"services\": {}}}", 1, "workload.services",
            "expected a list [...] of objects with a length from 0 to 3, found an object");
    refused("{\"workload\": {\"services\": [\n3]}}", 2, "workload.services[0]",
            "expected an object {...}, found 3");
    refused("{\"workload\": {\"services\": [{}, {}, {}, {}]}}", 1, "workload.services",
            "expected a list [...] of objects with a length from 0 to 3, found 4 elements");
}

static void long_strings_are_shown_in_part(void **unused)
{
    (void)unused;
    refused(
        "{\"seed\": \"0123456789012345678901234567890123456789012345678901234567\"}", 1, "seed",
        "expected a whole number, found \"012345678901234567890123456789012345678901234567...\"");
    /* The cut falls inside of a character, which is left out whole. */
    refused(
        "{\"seed\": \"01234567890123456789012345678901234567890123456\xc3\xa9\"}", 1, "seed",
        "expected a whole number, found \"01234567890123456789012345678901234567890123456...\"");
}

static void unknown_and_missing_keys(void **unused)
{
    (void)unused;
    refused("{\n  \"workload\": {\n    \"services\": [\n      {\"profile\": \"a\"},\n"
            "      {\n        \"profile\": \"b\",\n        \"rate_pers\":\n          5\n      }\n"
            "    ]\n  }\n}",
            7, "workload.services[1].rate_pers", "unknown key; did you mean \"rate_per_s\"?");
    refused("{\"workload\": {\"color\": 1}}", 1, "workload.color",
            "unknown key; known are \"services\", \"load\"");
    refused("{\"\": 1}", 1, "\"\"",
            "unknown key; known are \"seed\", \"devices\", \"quick\", \"share\", \"any\", "
            "\"positive\", \"horizon_s\", \"step_us\", \"hold_h\", \"process\", \"title\", "
            "\"workload\"");
    refused("{\n\"workload\": {\"services\": [\n\n{}]}}", 4, "workload.services[0]",
            "missing key \"profile\" (a string: which profile the kernels come from)");
    /* The misspelled key is the better error than the missing one. */
    refused("{\"workload\": {\"services\": [{\"profil\": \"a\"}]}}", 1,
            "workload.services[0].profil", "unknown key; did you mean \"profile\"?");
    refused("{\"workload\": {\"services\": [{\"profile\": \"a\", \"rate\": 4}]}}", 1,
            "workload.services[0].rate",
            "unknown key; it is now \"rate_per_s\", a number from 0 to 1000000 (1/s)");
    /* Names are told apart by case. */
    refused("{\"Seed\": 1}", 1, "Seed", "unknown key; did you mean \"seed\"?");
}

static void comments_are_ignored(void **unused)
{
    (void)unused;
    struct experiment e = parse_text(
        "{\"_\": 1, \"_\": [null], \"_seed\": {\"a\": 5}, \"seed\": 3,"
        " \"workload\": {\"_x\": null, \"services\": [{\"_\": 0, \"profile\": \"p\"}]}}");
    assert_int_equal(e.seed, 3);
    assert_int_equal(e.workload.services.count, 1);
    release(&e);
    /* A comment is not parsed, but it is JSON with the same rules. */
    NOT_LOADED("{\"_x\": {\"a\": 1, \"a\": 2}}", 1, "_x.a",
               "the key is given twice, first in line 1");
}

static void duplicate_keys(void **unused)
{
    (void)unused;
    NOT_LOADED("{\n\"seed\": 1,\n\"share\": 0,\n\"seed\": 1}", 4, "seed",
               "the key is given twice, first in line 2");
    NOT_LOADED("{\"workload\": {\"services\": [{}, {\"a\": 1,\n\"b\": 1,\n\"a\": 1, \"b\": 1}]}}",
               3, "workload.services[1].a", "the key is given twice, first in line 1");
    /* Of several the first in the text; what comes after, numbers too, does not matter. */
    NOT_LOADED("{\"a\": [{}, {\"b\": 1, \"b\": 1, \"c\": {\"d\": 1, \"d\": 1}}, 0, 1], \"e\": 0}",
               1, "a[1].b", "the key is given twice, first in line 1");
    /* The same key by another spelling, and the same key on another level. */
    NOT_LOADED("{\"seed\": 1, \"s\\u0065ed\": 1}", 1, "seed",
               "the key is given twice, first in line 1");
    options_doc_free(load("{\"a\": {\"a\": [{\"a\": 1}, {\"a\": 1}]}}"));
}

/* ---- the canonical form ---- */

static char *print(const struct experiment *e)
{
    struct text_buffer text = {0};
    options_print(&text, rows, e, 0);
    assert_int_equal(text.length, strlen(text.text));
    return text.text;
}

static void canonical_form(void **unused)
{
    (void)unused;
    struct experiment e =
        parse_text("{\"workload\": {\"services\": [{\"profile\": \"\\u0001\\\"\"},"
                   "{\"profile\": \"b\"}]}, \"share\": 0.10, \"seed\": 1e2,"
                   "\"any\": 1e23, \"horizon_s\": 0.100}");
    char *text = print(&e);
    assert_string_equal(text, "{\n"
                              "    \"seed\": 100,\n"
                              "    \"devices\": 4,\n"
                              "    \"quick\": true,\n"
                              "    \"share\": 0.1,\n"
                              "    \"any\": 1e23,\n"
                              "    \"positive\": 3,\n"
                              "    \"horizon_s\": 0.1,\n"
                              "    \"step_us\": 1.5,\n"
                              "    \"hold_h\": 0.1,\n"
                              "    \"process\": \"poisson\",\n"
                              "    \"title\": \"none\",\n"
                              "    \"workload\": {\n"
                              "        \"services\": [\n"
                              "            {\n"
                              "                \"profile\": \"\\u0001\\\"\",\n"
                              "                \"rate_per_s\": 10,\n"
                              "                \"process\": \"mmpp2\",\n"
                              "                \"sla_ms\": 50\n"
                              "            },\n"
                              "            {\n"
                              "                \"profile\": \"b\",\n"
                              "                \"rate_per_s\": 10,\n"
                              "                \"process\": \"mmpp2\",\n"
                              "                \"sla_ms\": 50\n"
                              "            }\n"
                              "        ],\n"
                              "        \"load\": 0.7\n"
                              "    }\n"
                              "}");
    struct experiment again = parse_text(text);
    char *second = print(&again);
    assert_string_equal(text, second);
    release(&e);
    release(&again);
    free(text);
    free(second);
}

static void members_alone(void **unused)
{
    (void)unused;
    struct workload w = {.load = 0.5};
    struct text_buffer text = {0};
    text_append(&text, "{\n    \"name\": ");
    text_append_json(&text, "x");
    text_append(&text, ",\n");
    options_print_members(&text, workload_rows, &w, 1);
    text_append(&text, "\n}");
    assert_string_equal(text.text,
                        "{\n    \"name\": \"x\",\n    \"services\": [],\n    \"load\": 0.5\n}");
    free(text.text);
}

static double real_back(double value, const char *shortest)
{
    struct experiment e = parse_text("{}");
    e.any = value;
    char *text = print(&e);
    const char *any = strstr(text, "\"any\": ") + 7;
    if (shortest) {
        assert_int_equal(strncmp(any, shortest, strlen(shortest)), 0);
        assert_int_equal(any[strlen(shortest)], ',');
    }
    struct experiment again = parse_text(text);
    double back = again.any;
    release(&e);
    release(&again);
    free(text);
    return back;
}

static void reals_read_back(void **unused)
{
    (void)unused;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {0.1, "0.1"},
        {100, "100"},
        {123456, "123456"},
        {1e14, "100000000000000"},
        {1e15, "1e15"},
        {-1e-7, "-1e-7"},
        {0.0001, "0.0001"},
        {1e100, "1e100"},
        {1.0 / 3, "0.3333333333333333"},
        {0.30000000000000004, "0.30000000000000004"},
        {9007199254740993.0, "9007199254740992"},
        {DBL_MAX, "1.7976931348623157e308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {DBL_TRUE_MIN, "5e-324"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double back = real_back(cases[i].value, cases[i].text);
        assert_memory_equal(&back, &cases[i].value, sizeof back);
    }
    uint64_t bits = 1;
    for (int i = 0; i < 2000; i++) {
        double value;
        bits = bits * 6364136223846793005 + 1442695040888963407;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        double back = real_back(value, NULL);
        assert_memory_equal(&back, &value, sizeof back);
    }
}

static void times_read_back(void **unused)
{
    (void)unused;
    uint64_t bits = 7;
    for (int i = 0; i < 4000; i++) {
        bits = bits * 6364136223846793005 + 1442695040888963407;
        int64_t ns = (int64_t)((bits >> 2) % 4600000000000000001 >> (i % 62));
        struct experiment e = parse_text("{}");
        e.horizon_ns = e.hold_ns = ns;
        char *text = print(&e);
        struct experiment again = parse_text(text);
        assert_int_equal(again.horizon_ns, ns);
        assert_int_equal(again.hold_ns, ns);
        release(&e);
        release(&again);
        free(text);
    }
}

static void assert_list(const char *text, const char *refusal)
{
    double numbers[3] = {0};
    struct dcs_err err = {0};
    int result = number_read_list(text, 3, 0, 9, "rates", numbers, &err);
    assert_int_equal(result, refusal == NULL ? 0 : -1);
    if (refusal != NULL)
        assert_string_equal(err.text, refusal);
    else
        assert_true(numbers[0] == 1 && numbers[1] == 2.5 && numbers[2] == 3);
}

#define EXPECTED "expected 3 rates from 0 to 9 with commas between them"

static void lists_in_a_text(void **unused)
{
    (void)unused;
    assert_list("1,2.5,3", NULL);
    assert_list(" 1 , 25e-1,3 ", NULL);
    assert_list("", EXPECTED ", found 0");
    assert_list("  ", EXPECTED ", found 0");
    assert_list("1,2", EXPECTED ", found 2");
    assert_list("1,2,3,4,5", EXPECTED ", found 5");
    assert_list("1,2,3,", EXPECTED "; number 4 is \"\"");
    assert_list("1,,3", EXPECTED "; number 2 is \"\"");
    assert_list("1,x", EXPECTED "; number 2 is \"x\""); /* though one is missing, too */
    assert_list("1,10,3", EXPECTED "; number 2 is \"10\"");
    assert_list("1,-1,3", EXPECTED "; number 2 is \"-1\"");
    assert_list("1,0x1,3", EXPECTED "; number 2 is \"0x1\"");
    assert_list("1,inf,3", EXPECTED "; number 2 is \"inf\"");
    assert_list("1 2,3,4", EXPECTED "; number 1 is \"1 2\"");
}

static void strings_read_back(void **unused)
{
    (void)unused;
    char all[300];
    size_t length = 0;
    for (int c = 1; c < 128; c++)
        all[length++] = (char)c;
    snprintf(all + length, sizeof all - length, "\xc3\xa9\xf0\x9f\x98\x80/");
    struct experiment e = parse_text("{}");
    free(e.title);
    e.title = dcs_strdup(all);
    char *text = print(&e);
    struct experiment again = parse_text(text);
    assert_string_equal(again.title, all);
    release(&e);
    release(&again);
    free(text);

    struct text_buffer quoted = {0};
    text_append_json(&quoted, "\"\\/\b\f\n\r\t\x1f\x7f\xc3\xa9");
    assert_string_equal(quoted.text, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u001f\x7f\xc3\xa9\"");
    free(quoted.text);
}

/* A locale that writes a comma, if the system has one. */
static void locales_change_nothing(void **unused)
{
    (void)unused;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"};
    const char *set_to = NULL;
    for (size_t i = 0; !set_to && i < sizeof names / sizeof names[0]; i++)
        set_to = setlocale(LC_ALL, names[i]);
    if (!set_to)
        skip();
    struct text_buffer text = {0};
    struct experiment e = parse_text("{\"share\": 0.25, \"horizon_s\": 1.5}");
    assert_true(e.share == 0.25);
    assert_int_equal(e.horizon_ns, 1500 * DCS_NS_PER_MS);
    char *printed = print(&e);
    assert_non_null(strstr(printed, "\"share\": 0.25,"));
    text_append(&text, "%g", 0.5);
    assert_string_equal(text.text, "0.5");
    release(&e);
    free(printed);
    free(text.text);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_defaults),
        cmocka_unit_test(what_is_changed),
        cmocka_unit_test(all_values),
        cmocka_unit_test(integers_keep_64_bits),
        cmocka_unit_test(times_keep_their_nanoseconds),
        cmocka_unit_test(bounds_are_inclusive),
        cmocka_unit_test(wrong_types),
        cmocka_unit_test(long_strings_are_shown_in_part),
        cmocka_unit_test(unknown_and_missing_keys),
        cmocka_unit_test(comments_are_ignored),
        cmocka_unit_test(duplicate_keys),
        cmocka_unit_test(canonical_form),
        cmocka_unit_test(members_alone),
        cmocka_unit_test(reals_read_back),
        cmocka_unit_test(times_read_back),
        cmocka_unit_test(lists_in_a_text),
        cmocka_unit_test(strings_read_back),
        cmocka_unit_test(locales_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
