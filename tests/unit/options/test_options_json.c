/*
 * test_options_json.c - config documents: JSON and its errors, duplicate keys, files, paths, --set.
 *
 * Pins: line, column and text of syntax errors; what lenient readers let pass; that a refused --set
 * changes nothing. Does not pin: what any byte soup does (tests/prop/test_options_mutations.c).
 */
#include "tests/unit/options/options_fixture.h"

/* ---- JSON ---- */

static void syntax_errors_say_where(void **unused)
{
    (void)unused;
    NOT_LOADED("", 1, "",
               "not valid JSON at column 1: expected a value; found the end of the text");
    NOT_LOADED("{\n  \"a\": 1\n  \"b\": 2\n}", 3, "",
               "not valid JSON at column 3: expected \",\" or \"}\"; found \"b\": 2");
    NOT_LOADED("{\"a\": [1 2]}", 1, "",
               "not valid JSON at column 10: expected \",\" or \"]\"; found 2]}");
    NOT_LOADED("{\"\xc3\xa9\": x}", 1, "",
               "not valid JSON at column 7: expected a value; found x}");
    NOT_LOADED("{\"a\": 1,\n}", 2, "",
               "not valid JSON at column 1: expected a key; there is no comma after the last "
               "member; found }");
    NOT_LOADED("{\"a\": [1,]}", 1, "",
               "not valid JSON at column 10: expected a value; there is no comma after the last "
               "one; found ]}");
    NOT_LOADED("{a: 1}", 1, "",
               "not valid JSON at column 2: expected a key in double quotes; found a: 1}");
    NOT_LOADED("{\"a\" 1}", 1, "",
               "not valid JSON at column 6: expected \":\" after the key; found 1}");
    NOT_LOADED("{} {}", 1, "",
               "not valid JSON at column 4: expected the end of the text after the value; found "
               "{}");
    NOT_LOADED("// x\n{}", 1, "",
               "not valid JSON at column 1: expected a value; JSON has no comments (write a key "
               "that starts with \"_\"); found // x");
    NOT_LOADED("{\"a\": 'x'}", 1, "",
               "not valid JSON at column 7: expected a value; strings stand in double quotes; "
               "found 'x'}");
    NOT_LOADED("{\"a\": \"x\n\"}", 1, "",
               "not valid JSON at column 9: a string is not closed: expected '\"'; found the end "
               "of the line");
    NOT_LOADED("{\"a\": aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd}", 1, "",
               "not valid JSON at column 7: expected a value; found "
               "aaaaaaaaaabbbbbbbbbbccccccccccdd...");
    NOT_LOADED("[]", 1, "", "expected an object {...}, found a list");
    NOT_LOADED("\n\n5", 3, "", "expected an object {...}, found 5");
}

/* Texts that lenient readers take. */
static void laxness_is_refused(void **unused)
{
    (void)unused;
    static const char *const numbers[] = {"01",  "-01", "1.",   ".5",    "-",    "+1",   "1e",
                                          "1e+", "--1", "0x10", "1_000", "1.e1", "1e5.5"};
    char text[128];
    struct dcs_err err;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        int size = snprintf(text, sizeof text, "{\"a\": %s}", numbers[i]);
        assert_null(options_load_text("t.json", text, (size_t)size, &err));
        assert_non_null(strstr(err.text, "not valid JSON at column 7: expected a "));
    }
    NOT_LOADED("{\"a\": NaN}", 1, "", "not valid JSON at column 7: expected a value; found NaN}");
    NOT_LOADED("{\"a\": -Infinity}", 1, "",
               "not valid JSON at column 7: expected a number like -12, 0.5 or 1e6; found "
               "-Infinity}");
    NOT_LOADED("{\"a\": 1e999}", 1, "",
               "not valid JSON at column 7: a number is too large: expected at most 1.79e308; "
               "found 1e999}");
    NOT_LOADED("{\"a\": -1e309}", 1, "",
               "not valid JSON at column 7: a number is too large: expected at most 1.79e308; "
               "found -1e309}");
    NOT_LOADED("{\"a\": \"x\\u0000y\"}", 1, "",
               "not valid JSON at column 9: a string cannot hold \\u0000; found \\u0000y\"}");
    NOT_LOADED("{\"a\": \"\\u12g4\"}", 1, "",
               "not valid JSON at column 8: expected four hexadecimal digits after \\u; found "
               "\\u12g4\"}");
    NOT_LOADED("{\"a\": \"\\ud800\"}", 1, "",
               "not valid JSON at column 14: expected the second half of a surrogate pair; found "
               "\"}");
    NOT_LOADED("{\"a\": \"\\udc00\"}", 1, "",
               "not valid JSON at column 8: the second half of a surrogate pair without its "
               "first; found \\udc00\"}");
    NOT_LOADED(
        "{\"a\": \"\\x\"}", 1, "",
        "not valid JSON at column 8: expected an escape \\\" \\\\ \\/ \\b \\f \\n \\r \\t or "
        "\\u; found \\x\"}");
    NOT_LOADED("{\"a\": \"\t\"}", 1, "",
               "not valid JSON at column 8: the control character 0x09 must be escaped in a "
               "string; found \t\"}");
    NOT_LOADED("\f{}", 1, "", "not valid JSON at column 1: expected a value; found \f{}");
    NOT_LOADED("{\n\"a\": 1}\0", 2, "", "contains a NUL byte; expected JSON in UTF-8 text");
    NOT_LOADED("\0", 1, "", "contains a NUL byte; expected JSON in UTF-8 text");
}

static void text_is_utf8(void **unused)
{
    (void)unused;
    static const char *const broken[] = {"\x80",
                                         "\xc3",
                                         "\xc0\xaf",
                                         "\xe0\x80\xaf",
                                         "\xed\xa0\x80",
                                         "\xf4\x90\x80\x80",
                                         "\xf0\x80\x80\x80",
                                         "\xff",
                                         "\xe2\x82"};
    char text[64];
    struct dcs_err err;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        int size = snprintf(text, sizeof text, "{\"a\": \"%s\"}", broken[i]);
        assert_null(options_load_text("t.json", text, (size_t)size, &err));
        assert_non_null(strstr(err.text, "is not UTF-8"));
    }
    struct experiment e = parse_text("\xef\xbb\xbf{\"title\": \"\xe2\x82\xac \xf4\x8f\xbf\xbf\"}");
    assert_string_equal(e.title, "\xe2\x82\xac \xf4\x8f\xbf\xbf");
    release(&e);
}

static void nesting_ends_at_1000(void **unused)
{
    (void)unused;
    enum { DEEP = 1000 };
    char text[2 * DEEP + 16];
    struct dcs_err err = {0};
    for (int depth = DEEP; depth <= DEEP + 1; depth++) {
        /* {"a": counts as one level */
        size_t lists = (size_t)depth - 1, size = 0;
        size += (size_t)snprintf(text, sizeof text, "{\"a\":");
        memset(text + size, '[', lists);
        memset(text + size + lists, ']', lists);
        size += 2 * lists;
        text[size++] = '}';
        struct options_doc *doc = options_load_text("t.json", text, size, &err);
        assert_int_equal(doc != NULL, depth == DEEP);
        options_doc_free(doc);
    }
    assert_non_null(strstr(err.text, "nested deeper than 1000 levels"));
}

/* 9 MB of a file would become 450 MB of memory. */
static void there_is_a_most_of_values(void **unused)
{
    (void)unused;
    size_t size = 0, commas = 4500000;
    char *text = malloc(2 * commas + 16);
    struct dcs_err err = {0};
    size += (size_t)sprintf(text, "{\"a\":[0");
    for (size_t i = 0; i < commas; i++, size += 2)
        memcpy(text + size, ",0", 2);
    memcpy(text + size, "]}", 3);
    assert_null(options_load_text("t.json", text, size + 2, &err));
    assert_non_null(strstr(err.text, "more than 4000000 values"));
    free(text);
}

static void long_numbers(void **unused)
{
    (void)unused;
    /* 63 characters are read, to the last digit; one more is refused, not cut. */
    struct experiment e =
        parse_text("{\"any\": 0.0000000000000000000000000000000000000000000000000000000000001}");
    assert_true(e.any == 1e-61);
    release(&e);
    struct dcs_err err;
    const char *text =
        "{\"any\": 0.00000000000000000000000000000000000000000000000000000000000001}";
    assert_null(options_load_text("t.json", text, strlen(text), &err));
    assert_non_null(strstr(err.text, "expected a number of fewer than 64 characters"));
}

/* ---- documents and files ---- */

static void paths(void **unused)
{
    (void)unused;
    struct options_doc *doc = load("{\"policy\": {\"name\": \"fifo\", \"n\": 5, \"z\": null},"
                                   "\"l\": [[1, \"x\"], {\"k\": \"v\"}]}");
    assert_string_equal(options_doc_name(doc), "t.json");
    assert_string_equal(options_string(doc, "policy.name"), "fifo");
    assert_string_equal(options_string(doc, "l[0][1]"), "x");
    assert_string_equal(options_string(doc, "l[1].k"), "v");
    assert_null(options_string(doc, "policy.n"));
    assert_null(options_string(doc, "policy"));
    assert_null(options_string(doc, "policy.nam"));
    assert_null(options_string(doc, "policy.names"));
    assert_true(options_has(doc, ""));
    assert_true(options_has(doc, "policy.n"));
    assert_true(options_has(doc, "policy.z"));
    assert_true(options_has(doc, "l[1]"));
    static const char *const none[] = {"l[2]",
                                       "l.k",
                                       "policy[0]",
                                       "policy.name.x",
                                       "l[-1]",
                                       "l[",
                                       "l[ 1]",
                                       "[0]",
                                       ".policy",
                                       "policy.",
                                       "l[1]k",
                                       "l[+1]",
                                       "l[99999999999999999999]"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_false(options_has(doc, none[i]));
    options_doc_free(doc);
    options_doc_free(NULL);
}

static void parsing_a_part(void **unused)
{
    (void)unused;
    static const char *const skip[] = {"name", NULL};
    struct options_doc *doc = load("{\n\"policy\": {\"name\": \"x\",\n\"load\": 0.25},\n"
                                   "\"l\": [{\"load\": 7}], \"typo\": {\"nam\": 1}}");
    struct workload w = {0};
    struct service s = {0};
    struct dcs_err err = {0};
    assert_int_equal(options_parse(doc, "policy", workload_rows, skip, &w, &err), 0);
    assert_true(w.load == 0.25);
    options_release(workload_rows, sizeof w, &w);
    assert_int_equal(options_parse(doc, "policy", workload_rows, NULL, &w, &err), -1);
    check_error(&err, "t.json", 2, "policy.name", "unknown key; known are \"services\", \"load\"");
    assert_int_equal(options_parse(doc, "l[0]", workload_rows, skip, &w, &err), -1);
    check_error(&err, "t.json", 4, "l[0].load", "expected a number from 0 to 1, found 7");
    assert_int_equal(options_parse(doc, "typo", workload_rows, skip, &w, &err), -1);
    check_error(&err, "t.json", 4, "typo.nam", "unknown key; did you mean \"name\"?");
    /* A path that is not there: defaults, or the place of what is there above it. */
    assert_int_equal(options_parse(doc, "policy.more", workload_rows, NULL, &w, &err), 0);
    assert_true(w.load == 0.7);
    options_release(workload_rows, sizeof w, &w);
    assert_int_equal(options_parse(doc, "l[0].x.y", service_rows, NULL, &s, &err), -1);
    check_error(&err, "t.json", 4, "l[0].x.y",
                "missing key \"profile\" (a string: which profile the kernels come from)");
    options_doc_free(doc);
}

static void a_table_without_rows(void **unused)
{
    (void)unused;
    static const struct param none[] = {{.type = PARAM_END}};
    struct options_doc *doc = load("{\"a\": {\"_\": 1}, \"b\": {\"x\": 1}}");
    struct text_buffer text = {0};
    struct dcs_err err = {0};
    char nothing = 0;
    assert_int_equal(options_parse(doc, "a", none, NULL, &nothing, &err), 0);
    assert_int_equal(options_parse(doc, "b", none, NULL, &nothing, &err), -1);
    check_error(&err, "t.json", 1, "b.x", "unknown key; there are no options here");
    options_print(&text, none, &nothing, 0);
    assert_string_equal(text.text, "{}");
    free(text.text);
    options_doc_free(doc);
}

static void errors_across_keys(void **unused)
{
    (void)unused;
    struct options_doc *doc = load("{\n\"a\": {\n\"b\": [1,\n2]}}");
    struct dcs_err err = {0};
    assert_int_equal(options_error(doc, "a.b[1]", &err, "%d is below %g", 2, 2.5), -1);
    check_error(&err, "t.json", 4, "a.b[1]", "2 is below 2.5");
    options_error(doc, "a.b[7].c", &err, "x");
    check_error(&err, "t.json", 3, "a.b[7].c", "x");
    options_error(doc, "", &err, "x");
    check_error(&err, "t.json", 1, "", "x");
    set(doc, "a.b[1]=3");
    options_error(doc, "a.b[1]", &err, "x");
    check_error(&err, "--set a.b[1]=3", 0, "a.b[1]", "x");
    options_doc_free(doc);
}

static void files(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/test_options_XXXXXX", path[64];
    struct dcs_err err = {0};
    assert_non_null(mkdtemp(folder));
    assert_null(options_load(folder, &err));
    check_error(&err, folder, 0, "", "is a directory; expected a JSON file");

    snprintf(path, sizeof path, "%s/c.json", folder);
    assert_null(options_load(path, &err));
    check_error(&err, path, 0, "", "cannot be opened: No such file or directory");

    FILE *file = fopen(path, "w");
    fputs("{\"seed\": 12}\n", file);
    fclose(file);
    struct options_doc *doc = options_load(path, &err);
    assert_non_null(doc);
    assert_string_equal(options_doc_name(doc), path);
    struct experiment e = parse(doc);
    assert_int_equal(e.seed, 12);
    release(&e);
    options_doc_free(doc);

    if (geteuid() != 0) { /* root reads everything */
        assert_int_equal(chmod(path, 0), 0);
        assert_null(options_load(path, &err));
        check_error(&err, path, 0, "", "cannot be opened: Permission denied");
        assert_int_equal(chmod(path, 0600), 0);
    }
    /* A file with holes: 64 MiB of NUL bytes are read, one byte more is not. */
    assert_int_equal(truncate(path, 64 << 20), 0);
    assert_null(options_load(path, &err));
    check_error(&err, path, 2, "", "contains a NUL byte; expected JSON in UTF-8 text");
    assert_int_equal(truncate(path, (64 << 20) + 1), 0);
    assert_null(options_load(path, &err));
    check_error(&err, path, 0, "", "is larger than 64 MiB, the most that is read");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void standard_input(void **unused)
{
    (void)unused;
    int ends[2], saved = dup(STDIN_FILENO);
    struct dcs_err err = {0};
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "{\"seed\": x}", 11), 11);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    assert_null(options_load("-", &err));
    check_error(&err, "standard input", 1, "",
                "not valid JSON at column 10: expected a value; found x}");
    close(ends[0]);
    dup2(saved, STDIN_FILENO);
    close(saved);
}

/* ---- --set ---- */

static void set_replaces_and_makes(void **unused)
{
    (void)unused;
    struct options_doc *doc = load("{\"seed\": 1, \"title\": \"old\"}");
    set(doc, "seed=9223372036854775807");
    set(doc, "title=a = b");
    set(doc, "workload.services[0].profile=first");
    set(doc, "workload.services[0].rate_per_s=2.5");
    set(doc, "workload.services[1]={\"profile\": \"second\", \"sla_ms\": 7}");
    set(doc, "workload.services[1].sla_ms=8");
    set(doc, "workload.load=0.25");
    set(doc, "quick=false");
    struct experiment e = parse(doc);
    assert_int_equal(e.seed, INT64_MAX);
    assert_string_equal(e.title, "a = b");
    assert_false(e.quick);
    assert_true(e.workload.load == 0.25);
    assert_int_equal(e.workload.services.count, 2);
    const struct service *services = e.workload.services.items;
    assert_string_equal(services[0].profile, "first");
    assert_true(services[0].rate_per_s == 2.5);
    assert_string_equal(services[1].profile, "second");
    assert_int_equal(services[1].sla_ns, 8 * DCS_NS_PER_MS);
    release(&e);
    options_doc_free(doc);
}

static void set_reads_json_or_a_string(void **unused)
{
    (void)unused;
    struct options_doc *doc = load("{}");
    static const char *const texts[][2] = {
        {"title=plain", "plain"},       {"title=\"12\"", "12"},   {"title=", ""},
        {"title=007", "007"},           {"title={", "{"},         {"title=\"a\\nb\"", "a\nb"},
        {"title=a\"b", "a\"b"},         {"title=1e999", "1e999"}, {"title=True", "True"},
        {"title=\xc3\xa9", "\xc3\xa9"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        set(doc, texts[i][0]);
        assert_string_equal(options_string(doc, "title"), texts[i][1]);
    }
    set(doc, "title= 12 ");
    assert_null(options_string(doc, "title")); /* a number */
    set(doc, "workload={\"load\": 1}");
    set(doc, "workload.services=[]");
    set(doc, "title=x");
    struct experiment e = parse(doc);
    assert_true(e.workload.load == 1);
    release(&e);
    options_doc_free(doc);
}

/* What is taken out has its default again, and may be given again; a neighbour stays. */
static void set_null_takes_out(void **unused)
{
    (void)unused;
    struct options_doc *doc = load("{\"seed\": 9, \"title\": \"old\", \"quick\": true, "
                                   "\"workload\": {\"load\": 0.5, \"services\": []}}");
    set(doc, "title=null");
    set(doc, "workload.load=null");
    set(doc, "quick=null");
    assert_false(options_has(doc, "title") || options_has(doc, "workload.load"));
    assert_true(options_has(doc, "workload.services"));
    struct experiment e = parse(doc);
    assert_int_equal(e.seed, 9);
    release(&e);
    set(doc, "title=new");
    assert_string_equal(options_string(doc, "title"), "new");
    set(doc, "workload=null");
    assert_false(options_has(doc, "workload"));
    options_doc_free(doc);
}

/* The assignment is refused and the document stays as it was. */
static void set_refused(const char *assignment, const char *path, const char *text)
{
    char file[256];
    struct dcs_err err = {0};
    struct options_doc *doc = load("{\"seed\": 5, \"workload\": {\"services\": "
                                   "[{\"profile\": \"a\"}]}}");
    snprintf(file, sizeof file, "--set %s", assignment);
    assert_int_equal(options_set(doc, assignment, &err), -1);
    check_error(&err, file, 0, path, text);
    assert_false(options_has(doc, "new"));
    struct experiment e = parse(doc);
    assert_int_equal(e.seed, 5);
    assert_int_equal(e.workload.services.count, 1);
    release(&e);
    options_doc_free(doc);
}

static void set_refuses(void **unused)
{
    (void)unused;
    set_refused("seed", "", "expected KEY=VALUE, like horizon.duration_s=60");
    set_refused("=5", "", "expected a key (a path is like a.b[2].c)");
    set_refused("a..b=5", "a..b", "expected a key (a path is like a.b[2].c)");
    set_refused("a.=5", "a.", "expected a key (a path is like a.b[2].c)");
    set_refused("a[x]=5", "a[x]", "expected an index like [0] (a path is like a.b[2].c)");
    set_refused("a[0]b=5", "a[0]b",
                "expected \".\" or \"[\" after an index (a path is like "
                "a.b[2].c)");
    set_refused("seed.x=5", "seed", "expected an object, found 5");
    set_refused("seed[0]=5", "seed", "expected a list, found 5");
    set_refused("workload[0]=5", "workload", "expected a list, found an object");
    set_refused("workload.services.x=5", "workload.services", "expected an object, found a list");
    set_refused("workload.services[2].profile=b", "workload.services[2]",
                "the list has 1 element: expected an index up to [1], the next one");
    set_refused("new.list[1]=b", "new.list[1]",
                "the list has 0 elements: expected an index up to [0], the next one");
    set_refused("new=null", "new", "is not in the config: null takes out a key that is there");
    set_refused("workload.new.x=null", "workload.new.x",
                "is not in the config: null takes out a key that is there");
    set_refused("new.x=\xff", "new.x", "the value is not UTF-8 text");
    set_refused("new.x={\"a\": {\"b\": 1, \"b\": 2}}", "new.x.a.b", "the key is given twice");
}

static void set_paths_have_64_steps(void **unused)
{
    (void)unused;
    char text[300] = "a";
    size_t length = 1;
    struct dcs_err err = {0};
    struct options_doc *doc = load("{}");
    for (int i = 1; i < 64; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, ".a");
    snprintf(text + length, sizeof text - length, "=1");
    set(doc, text);
    snprintf(text + length, sizeof text - length, ".a=1");
    assert_int_equal(options_set(doc, text, &err), -1);
    assert_string_equal(err.text, "expected a path of at most 64 steps");
    options_doc_free(doc);
}

/* What --set brought in is named as the place of a later error. */
static void set_is_the_place_of_its_errors(void **unused)
{
    (void)unused;
    struct options_doc *doc = load("{\"workload\": {\"services\": []}}");
    struct experiment e = {0};
    struct dcs_err err = {0};
    set(doc, "workload.services[0].sla_ms=5");
    assert_int_equal(options_parse(doc, "", rows, NULL, &e, &err), -1);
    check_error(&err, "--set workload.services[0].sla_ms=5", 0, "workload.services[0]",
                "missing key \"profile\" (a string: which profile the kernels come from)");
    set(doc, "workload.services[0].profile=[1, 2]");
    assert_int_equal(options_parse(doc, "", rows, NULL, &e, &err), -1);
    check_error(&err, "--set workload.services[0].profile=[1, 2]", 0,
                "workload.services[0].profile", "expected a string, found a list");
    set(doc, "workload.services[0].profile=p");
    set(doc, "devces=3");
    assert_int_equal(options_parse(doc, "", rows, NULL, &e, &err), -1);
    check_error(&err, "--set devces=3", 0, "devces", "unknown key; did you mean \"devices\"?");
    options_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax_errors_say_where),
        cmocka_unit_test(laxness_is_refused),
        cmocka_unit_test(text_is_utf8),
        cmocka_unit_test(nesting_ends_at_1000),
        cmocka_unit_test(there_is_a_most_of_values),
        cmocka_unit_test(long_numbers),
        cmocka_unit_test(paths),
        cmocka_unit_test(parsing_a_part),
        cmocka_unit_test(a_table_without_rows),
        cmocka_unit_test(errors_across_keys),
        cmocka_unit_test(files),
        cmocka_unit_test(standard_input),
        cmocka_unit_test(set_replaces_and_makes),
        cmocka_unit_test(set_reads_json_or_a_string),
        cmocka_unit_test(set_refuses),
        cmocka_unit_test(set_null_takes_out),
        cmocka_unit_test(set_paths_have_64_steps),
        cmocka_unit_test(set_is_the_place_of_its_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
