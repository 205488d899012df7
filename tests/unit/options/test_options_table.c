/*
 * test_options_table.c - option tables themselves: the reference that is printed from them, what
 * options_check_table refuses, and the nearest name.
 */
#include "tests/unit/options/options_fixture.h"

/* ---- the reference ---- */

static void reference(void **unused)
{
    (void)unused;
    struct text_buffer text = {0};
    options_document(&text, "workload", workload_rows);
    assert_string_equal(
        text.text,
        "| key | type | default | range or choices | what it says |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| `workload.services` | list of objects | `[]` | length from 0 to 3 | services |\n"
        "| `workload.load` | number | `0.7` | from 0 to 1 | offered \\| carried |\n"
        "\n### `workload.services[]`\n\n"
        "| key | type | default | range or choices | what it says |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| `workload.services[].profile` | string | *required* |  | which profile the kernels "
        "come from |\n"
        "| `workload.services[].rate_per_s` | number (1/s) | `10` | from 0 to 1000000 | requests "
        "per second |\n"
        "| `workload.services[].process` | choice | `\"mmpp2\"` | `\"poisson\"`, `\"mmpp2\"`, "
        "`\"deterministic\"` | arrival process |\n"
        "| `workload.services[].sla_ms` | time (ms) | `50` | from 0 to 1000 | service level |\n");
    text.length = 0;
    options_document(&text, "", rows);
    assert_non_null(strstr(text.text, "\n| `seed` | whole number | `1` |  | seed |\n"));
    assert_non_null(strstr(text.text, "\n| `quick` | boolean | `true` |  | quick |\n"));
    assert_non_null(
        strstr(text.text, "\n| `positive` | number | `3` | of at least 0 | half open |\n"));
    assert_non_null(strstr(
        text.text, "\n| `horizon_s` | time (s) | `60` | from 0 to 4600000000 | horizon |\n"));
    assert_non_null(strstr(text.text, "\n| `workload` | object | see below |  | workload |\n"));
    assert_non_null(strstr(text.text, "\n### `workload`\n"));
    assert_non_null(strstr(text.text, "\n### `workload.services[]`\n"));
    free(text.text);
}

static void schema(void **unused)
{
    (void)unused;
    struct text_buffer text = {0};
    options_schema(&text, service_rows, "\"more\": {}");
    assert_string_equal(
        text.text,
        "\"type\": \"object\", \"additionalProperties\": false,\n"
        "\"patternProperties\": {\"^_\": {}}, \"properties\": {\n"
        "\"more\": {},\n"
        "\"profile\": {\"type\": \"string\", \"description\": \"which profile the kernels come "
        "from\"},\n"
        "\"rate_per_s\": {\"type\": \"number\", \"minimum\": 0, \"maximum\": 1000000, "
        "\"default\": 10, \"description\": \"requests per second\"},\n"
        "\"process\": {\"enum\": [\"poisson\", \"mmpp2\", \"deterministic\"], \"default\": "
        "\"mmpp2\", \"description\": \"arrival process\"},\n"
        "\"sla_ms\": {\"type\": \"number\", \"minimum\": 0, \"maximum\": 1000, \"default\": 50, "
        "\"description\": \"service level\"}}");
    text.length = 0;
    options_schema(&text, rows, NULL);
    assert_non_null(strstr(text.text, "\n\"any\": {\"type\": \"number\", \"default\": -2.5,"));
    assert_non_null(strstr(text.text, "\n\"positive\": {\"type\": \"number\", \"minimum\": 0, "
                                      "\"default\": 3,"));
    assert_non_null(strstr(text.text, "\n\"horizon_s\": {\"type\": \"number\", \"minimum\": 0, "
                                      "\"maximum\": 4600000000, \"default\": 60,"));
    assert_non_null(strstr(text.text, "\"services\": {\"type\": \"array\", \"minItems\": 0, "
                                      "\"maxItems\": 3, \"items\": {\"type\": \"object\""));
    text.length = 0;
    options_schema_required(&text, rows);
    assert_string_equal(text.text, "\"properties\": {\"workload\": {\"properties\": {\"services\": "
                                   "{\"items\": {\"required\": [\"profile\"]}}}}}");
    free(text.text);
}

/* ---- tables ---- */

struct plain {
    int64_t a, b;
    double c;
    int d;
    bool e;
    char *f;
    struct param_list g;
};

static void table_refused(struct param row, const char *text)
{
    struct param table[] = {row, {.type = PARAM_END}};
    struct dcs_err err = {0};
    if (options_check_table(table, sizeof(struct plain), true, &err) != -1)
        fail_msg("accepted: %s", text);
    assert_string_equal(err.text, text);
}

/* A sound row with the changes that follow. */
#define ROW(...)                                                                                   \
    ((struct param){.type = PARAM_INT, .name = "a", .offset = 0, .help = "h", __VA_ARGS__})

#pragma GCC diagnostic ignored "-Woverride-init"
#ifdef __clang__
#pragma clang diagnostic ignored "-Winitializer-overrides"
#endif

static void sound_tables(void **unused)
{
    (void)unused;
    struct dcs_err err = {0};
    if (options_check_table(rows, sizeof(struct experiment), true, &err) != 0)
        fail_msg("%s", err.text);
    static const struct param open[] = {
        {PARAM_REAL, "c", AT(plain, c), .low = -INFINITY, .high = 5, .help = "h"},
        {PARAM_INT, "memory_mib", AT(plain, a), .unit = "MiB", .low = 0, .high = 9.3e18,
         .help = "h"},
        {.type = PARAM_END},
    };
    assert_int_equal(options_check_table(open, sizeof(struct plain), false, &err), 0);
    assert_int_equal(options_check_table(rows, sizeof(struct experiment), false, &err), -1);
    assert_string_equal(err.text,
                        "option table: \"workload\": objects and lists are not for the options of "
                        "a policy");
    assert_int_equal(options_check_table(NULL, 8, false, &err), -1);
    assert_string_equal(err.text, "option table: there is none");
}

static void names_and_texts_of_tables(void **unused)
{
    (void)unused;
    static const char *const names[] = {
        "",    "_a",   "A",
        "1a",  "a.b",  "a-b",
        "a b", "a[0]", "a234567890123456789012345678901234567890123456789"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_refused(ROW(.name = names[i]),
                      "option table: row 0: a name is 1 to 48 of a-z, 0-9 and _, and begins with a "
                      "letter");
    table_refused(ROW(.name = NULL), "option table: row 0: the name is missing");
    table_refused(ROW(.help = NULL), "option table: \"a\": the help is missing or no text");
    table_refused(ROW(.help = ""), "option table: \"a\": the help is missing or no text");
    table_refused(ROW(.help = "\xff"), "option table: \"a\": the help is missing or no text");
    table_refused(ROW(.type = (enum param_type)99),
                  "option table: row 0: unknown type 99; is PARAM_END missing?");
    static const struct param twice[] = {
        {PARAM_INT, "a", AT(plain, a), .help = "h"},
        {PARAM_INT, "a", AT(plain, b), .help = "h"},
        {.type = PARAM_END},
    };
    struct dcs_err err = {0};
    assert_int_equal(options_check_table(twice, sizeof(struct plain), false, &err), -1);
    assert_string_equal(err.text, "option table: \"a\": the name is there twice");
}

static void units_of_tables(void **unused)
{
    (void)unused;
    table_refused(ROW(.type = PARAM_TIME, .name = "wait_ms", .unit = "s"),
                  "option table: \"wait_ms\": the name of an option in s must end in \"_s\"");
    table_refused(ROW(.type = PARAM_TIME, .name = "wait"),
                  "option table: \"wait\": the unit of a time must be one of \"ns\", \"us\", "
                  "\"ms\", \"s\", \"h\"");
    table_refused(ROW(.type = PARAM_TIME, .name = "wait_min", .unit = "min"),
                  "option table: \"wait_min\": the unit of a time must be one of \"ns\", \"us\", "
                  "\"ms\", \"s\", \"h\"");
    table_refused(ROW(.name = "rate", .unit = "1/s"),
                  "option table: \"rate\": the name of an option in 1/s must end in \"_per_s\"");
    table_refused(ROW(.name = "memory", .unit = "GiB"),
                  "option table: \"memory\": the name of an option in GiB must end in \"_gib\"");
    table_refused(ROW(.type = PARAM_BOOL, .unit = "ms"),
                  "option table: \"a\": only a number can have a unit");
    table_refused(ROW(.unit = ""),
                  "option table: \"a\": the unit is empty or no text; NULL stands for none");
}

static void ranges_and_defaults_of_tables(void **unused)
{
    (void)unused;
    table_refused(ROW(.low = 2, .high = 1),
                  "option table: \"a\": the range is empty (low 2, high 1)");
    table_refused(ROW(.low = NAN, .high = 1),
                  "option table: \"a\": the range is empty (low nan, high 1)");
    table_refused(ROW(.low = 0.5, .high = 1),
                  "option table: \"a\": the range of a whole number begins at 0.5");
    table_refused(ROW(.low = 0, .high = 1.5),
                  "option table: \"a\": the range of a whole number ends at 1.5");
    table_refused(ROW(.low = 1, .high = 2),
                  "option table: \"a\": the default 0 is not in the range 1 to 2");
    table_refused(ROW(.low = 1, .high = 2, .number = 3),
                  "option table: \"a\": the default 3 is not in the range 1 to 2");
    table_refused(ROW(.number = 0.5), "option table: \"a\": the default 0.5 is not a whole number");
    table_refused(ROW(.number = 1e17),
                  "option table: \"a\": the default 1e+17 is not a whole number");
    table_refused(ROW(.number = INFINITY),
                  "option table: \"a\": the default is not a finite number");
    table_refused(ROW(.required = true, .number = 1),
                  "option table: \"a\": a required option has no default");
    table_refused(ROW(.text = "x"), "option table: \"a\": only a string has a default text");
    table_refused(ROW(.type = PARAM_BOOL, .number = 2),
                  "option table: \"a\": the default of a boolean is 2, not 0 or 1");
    table_refused(ROW(.type = PARAM_STRING, .text = "\xff"),
                  "option table: \"a\": the default is not UTF-8 text");
    table_refused(ROW(.type = PARAM_TIME, .name = "a_s", .unit = "s", .low = 0, .high = 1e10),
                  "option table: \"a_s\": the range is not within 145 years");
    table_refused(ROW(.type = PARAM_TIME, .name = "a_s", .unit = "s", .number = -1),
                  "option table: \"a_s\": the default -1 is not a time from 0 to 145 years");
}

static void choices_of_tables(void **unused)
{
    (void)unused;
    static const char *const none[] = {NULL}, *const twice[] = {"x", "y", "x", NULL},
                             *const empty[] = {"x", "", NULL}, *const two[] = {"x", "y", NULL};
    table_refused(ROW(.type = PARAM_CHOICE), "option table: \"a\": there are no choices");
    table_refused(ROW(.type = PARAM_CHOICE, .choices = none),
                  "option table: \"a\": there are no choices");
    table_refused(ROW(.type = PARAM_CHOICE, .choices = twice),
                  "option table: \"a\": the choice \"x\" is there twice");
    table_refused(ROW(.type = PARAM_CHOICE, .choices = empty),
                  "option table: \"a\": choice 1 is empty or no text");
    table_refused(ROW(.type = PARAM_CHOICE, .choices = two, .number = 2),
                  "option table: \"a\": the default 2 is not the index of one of 2 choices");
    table_refused(ROW(.type = PARAM_CHOICE, .choices = two, .number = -1),
                  "option table: \"a\": the default -1 is not the index of one of 2 choices");
    table_refused(ROW(.type = PARAM_TIME, .name = "a_s", .unit = "s", .choices = twice),
                  "option table: \"a_s\": the choice \"x\" is there twice");
    table_refused(
        ROW(.type = PARAM_TIME, .name = "a_s", .unit = "s", .low = -1, .high = 1, .choices = two),
        "option table: \"a_s\": a time below 0 cannot be told from a word");
    table_refused(ROW(.type = PARAM_TIME, .name = "a_s", .unit = "s", .choices = two, .number = -3),
                  "option table: \"a_s\": the default -3 is not the index of one of 2 choices");
}

static void layouts_of_tables(void **unused)
{
    (void)unused;
    char text[128];
    struct dcs_err err = {0};
    snprintf(text, sizeof text,
             "option table: \"a\": bytes %zu to %zu do not lie in a struct of %zu",
             sizeof(struct plain), sizeof(struct plain) + 8, sizeof(struct plain));
    table_refused(ROW(.offset = sizeof(struct plain)), text);
    struct param past[] = {ROW(.offset = sizeof(struct plain) - 4), {.type = PARAM_END}};
    assert_int_equal(options_check_table(past, sizeof(struct plain), false, &err), -1);
    past[0].offset = SIZE_MAX - 3;
    assert_int_equal(options_check_table(past, sizeof(struct plain), false, &err), -1);
    table_refused(ROW(.offset = 4),
                  "option table: \"a\": the offset 4 is not aligned for its type");
    static const struct param over[] = {
        {PARAM_INT, "a", AT(plain, a), .help = "h"},
        {PARAM_BOOL, "b", .offset = 7, .help = "h"},
        {.type = PARAM_END},
    };
    assert_int_equal(options_check_table(over, sizeof(struct plain), false, &err), -1);
    assert_string_equal(err.text, "option table: \"b\": lies over \"a\" in the struct");
}

static void nested_tables(void **unused)
{
    (void)unused;
    static const struct param bad_sub[] = {
        {PARAM_INT, "deep", .low = 3, .high = 2, .help = "h"},
        {.type = PARAM_END},
    };
    static const struct param endless[] = {
        {PARAM_OBJECT, "again", .sub = endless, .sub_size = 8, .help = "h"},
        {.type = PARAM_END},
    };
    size_t at = offsetof(struct plain, g);
    struct dcs_err err = {0};
    table_refused(ROW(.type = PARAM_LIST, .offset = at),
                  "option table: \"a\": the nested table or its size is missing");
    table_refused(ROW(.type = PARAM_LIST, .offset = at, .sub = bad_sub, .sub_size = 8),
                  "option table: \"deep\": the range is empty (low 3, high 2)");
    table_refused(ROW(.type = PARAM_LIST, .offset = at, .sub = workload_rows,
                      .sub_size = sizeof(struct workload), .low = -1, .high = 2),
                  "option table: \"a\": the shortest list would have -1 elements");
    assert_int_equal(options_check_table(endless, 8, true, &err), -1);
    assert_string_equal(err.text, "option table: \"again\": tables are nested deeper than 16");
}

static void nearest_names(void **unused)
{
    static const char *const named[] = {"name", NULL};
    (void)unused;
    static const char *const names[] = {"rate_per_s", "devices", "poisson", "mmpp2", "id", NULL};
    static const char *const none[] = {NULL};
    assert_string_equal(options_nearest("rate_pers", names), "rate_per_s");
    assert_string_equal(options_nearest("poison", names), "poisson");
    assert_string_equal(options_nearest("Devices", names), "devices");
    assert_string_equal(options_nearest("dveices", names), "devices");
    assert_string_equal(options_nearest("devices", names), "devices");
    assert_string_equal(options_nearest("dvcs", names), "devices"); /* 3 = 2 + 4/4 */
    assert_null(options_nearest("dvc", names));                     /* 4 > 2 + 3/4 */
    assert_null(options_nearest("xy", names));                      /* all of "id" is other */
    assert_string_equal(options_nearest("xd", names), "id");
    assert_null(options_nearest("fuse", named)); /* 3 of 4 */
    assert_string_equal(options_nearest("nase", named), "name");
    assert_null(options_nearest("throughput", names));
    assert_null(options_nearest("", names));
    assert_null(options_nearest("rate", none));
    char big[4096];
    memset(big, 'a', sizeof big);
    big[sizeof big - 1] = '\0';
    assert_null(options_nearest(big, names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference),         cmocka_unit_test(schema),
        cmocka_unit_test(sound_tables),      cmocka_unit_test(names_and_texts_of_tables),
        cmocka_unit_test(units_of_tables),   cmocka_unit_test(ranges_and_defaults_of_tables),
        cmocka_unit_test(choices_of_tables), cmocka_unit_test(layouts_of_tables),
        cmocka_unit_test(nested_tables),     cmocka_unit_test(nearest_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
