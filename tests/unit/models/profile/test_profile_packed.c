/*
 * test_profile_packed.c - pins that a packed profile (.gz) is read as the text that it holds, has
 * that text's hash, and is refused in one line where it is damaged, cut off, or unpacks to more
 * than a profile may have; that text in the plain form needs no SQLite and gives the nearest double
 * of every number; and that text of any other form is left to SQLite, unchanged.
 */
#include "des/digest.h"
#include "des/rng.h"
#include "models/profile/profile_gzip.h"
#include "models/profile/profile_open.h"
#include "models/profile/profile_plain.h"

#define TEMP_FILE "test_profile_packed"
#include "tests/temp_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/refused_profile.h"

#define P1000 DCS_SOURCE_DIR "/calibrate/profiles/quadro-p1000.sql"

static void write_bytes(const void *bytes, size_t size)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static char *read_text(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = dcs_alloc(1 << 20, 1);
    *size = fread(text, 1, 1 << 20, f);
    assert_in_range(*size, 1, (1 << 20) - 1);
    fclose(f);
    return text;
}

static void refused(const char *text)
{
    assert_refused_profile(file, text);
}

/* ---- .gz ---- */

static void test_packed(void **state)
{
    (void)state;
    size_t size, packed;
    char *text = read_text(P1000, &size), hex[65];
    unsigned char *bytes = gzip_pack((unsigned char *)text, size, &packed);
    assert_true(packed < size / 2);
    struct dcs_err err = {0};
    /* As one member, and as two. */
    for (size_t first = size; first > 0; first = first == size ? 100 : 0) {
        FILE *f = fopen(file, "wb");
        for (size_t at = 0, n = first; at < size; at += n, n = size - first) {
            unsigned char *part = gzip_pack((unsigned char *)text + at, n, &packed);
            fwrite(part, 1, packed, f);
            free(part);
        }
        fclose(f);
        struct dcs_profile *p = dcs_profile_load(file, &err);
        assert_non_null(p);
        assert_string_equal(p->name, "quadro-p1000");
        dcs_sha256(text, size, hex);
        assert_string_equal(p->sha256, hex);
        dcs_profile_free(p);
    }
    free(bytes);
    free(text);
}

static void test_damaged(void **state)
{
    (void)state;
    size_t size, packed;
    char *text = read_text(P1000, &size);
    unsigned char *bytes = gzip_pack((unsigned char *)text, size, &packed);
    for (size_t n = 2; n < packed; n += packed / 7) {
        write_bytes(bytes, n);
        refused("is an incomplete gzip file");
    }
    bytes[packed - 6] ^= 1; /* of the check sum */
    write_bytes(bytes, packed);
    refused("is a damaged gzip file (incorrect data check)");
    bytes[packed - 6] ^= 1;
    for (size_t at = 10; at < packed - 8; at += packed / 50) { /* any one byte */
        struct dcs_err err = {0};
        bytes[at] ^= 0x55;
        write_bytes(bytes, packed);
        assert_null(dcs_profile_load(file, &err));
        bytes[at] ^= 0x55;
    }
    unsigned char *more = dcs_alloc(packed + 3, 1);
    memcpy(more, bytes, packed);
    memcpy(more + packed, "abc", 3);
    write_bytes(more, packed + 3);
    refused("is a damaged gzip file (incorrect header check)");
    free(more);
    free(bytes);
    free(text);
}

/* Two hundred thousand bytes that would be a hundred million. */
static void test_bomb(void **state)
{
    (void)state;
    size_t size = DCS_PROFILE_BYTES_MAX + 1, packed;
    unsigned char *zeros = dcs_alloc(size, 1);
    unsigned char *bytes = gzip_pack(zeros, size, &packed);
    assert_true(packed < 200000);
    write_bytes(bytes, packed);
    refused("unpacks to more than 134217728 bytes, which is the most allowed");
    /* Its last four bytes claim a size: a lie changes nothing. */
    memset(bytes + packed - 4, 0, 4);
    write_bytes(bytes, packed);
    refused("unpacks to more than 134217728 bytes");
    free(bytes);
    bytes = gzip_pack(zeros, size - 1, &packed); /* as much as is allowed, which is no profile */
    write_bytes(bytes, packed);
    refused("is neither an SQLite database nor the SQL text of one");
    free(bytes);
    free(zeros);
}

/* ---- the plain form ---- */

#define HINGES                                                                                     \
    "CREATE TABLE contention_hinge(resource TEXT NOT NULL, position INTEGER NOT NULL, level REAL " \
    "NOT NULL, PRIMARY KEY(resource, position));\n"

static struct plain_tables *read_plain(char *text)
{
    return plain_tables_read(text, strlen(text));
}

static void test_values(void **state)
{
    (void)state;
    char text[] = "-- A comment.\n\nBEGIN;\n" HINGES "INSERT INTO contention_hinge VALUES\n"
                  "('it''s',-12,0.25),\n('',9223372036854775807,3);\n"
                  "INSERT INTO contention_hinge VALUES\n('x',0,-1e3);\n"
                  "CREATE TABLE application(name TEXT PRIMARY KEY, sla_ns INTEGER);\n"
                  "INSERT INTO application VALUES\n('a',NULL),\n('b',7);\nCOMMIT;\n-- The end.\n";
    struct plain_tables *p = read_plain(text);
    assert_non_null(p);
    assert_int_equal(p->count, 2);
    const struct plain_table *t = plain_tables_find(p, "contention_hinge");
    assert_int_equal(t->rows, 3);
    assert_int_equal(t->line, 4);
    assert_int_equal(plain_table_column(t, "level", 5), 2);
    assert_int_equal(plain_table_column(t, "lev", 3), -1);
    assert_string_equal(text + t->cells[0].text.at, "it's");
    assert_int_equal(t->cells[0].text.length, 4);
    assert_int_equal(t->cells[1].integer, -12);
    assert_true(t->cells[2].real == 0.25 && t->cells[5].real == 3 && t->cells[8].real == -1000);
    assert_int_equal(t->cells[4].integer, INT64_MAX);
    t = plain_tables_find(p, "application"); /* some of its columns */
    assert_int_equal(t->columns_count, 2);
    assert_true(plain_is_null(PLAIN_INTEGER, t->cells[1]));
    assert_int_equal(t->cells[3].integer, 7);
    assert_null(plain_tables_find(p, "kernel"));
    plain_tables_free(p);
}

/* The nearest double, also where one rounding is not enough. */
static void test_nearest_double(void **state)
{
    (void)state;
    enum { NUMBERS = 20000 };
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_PROFILE, 0);
    char *text = dcs_alloc(NUMBERS, 64), *at = text;
    double *expected = dcs_alloc(NUMBERS, sizeof *expected);
    at += sprintf(at, "BEGIN;\n" HINGES "INSERT INTO contention_hinge VALUES\n");
    for (int i = 0; i < NUMBERS; i++) {
        char number[64];
        uint64_t bits = dcs_rng_u64(&rng);
        int digits = (int)(bits % 20) + 1, exponent = (int)(bits >> 8 & 63) - 32;
        if (i % 4 == 0)
            snprintf(number, sizeof number, "%.*ge%d", digits, (double)(bits >> 11), exponent * 9);
        else
            snprintf(number, sizeof number, "%.*g", digits, (double)(bits >> 11) * 1e-12);
        if (strchr(number, 'e') != strrchr(number, 'e'))
            snprintf(number, sizeof number, "%d.%d", i, i);
        expected[i] = strtod(number, NULL);
        at += sprintf(at, "%s('r',%d,%s)", i > 0 ? ",\n" : "", i, number);
    }
    sprintf(at, ";\nCOMMIT;\n");
    struct plain_tables *p = read_plain(text);
    assert_non_null(p);
    for (int i = 0; i < NUMBERS; i++)
        assert_memory_equal(&p->tables[0].cells[3 * i + 2].real, &expected[i], sizeof(double));
    plain_tables_free(p);
    free(expected);
    free(text);
}

/* What SQLite may take or refuse is not the plain form, and the text stays as it was. */
static void test_other_forms(void **state)
{
    (void)state;
#define ROWS(rows) "BEGIN;\n" HINGES "INSERT INTO contention_hinge VALUES\n" rows ";\nCOMMIT;\n"
    static const char *const texts[] = {
        "",
        "COMMIT;\n",
        "BEGIN;\n",
        "BEGIN;\n" HINGES,
        "BEGIN;\nCOMMIT;\nx",
        "BEGIN;\nCOMMIT;\nBEGIN;\nCOMMIT;\n",
        "BEGIN;\nfoo;\nCOMMIT;\n",
        "BEGIN;\n" HINGES HINGES "COMMIT;\n",
        "BEGIN;\nCREATE TABLE other(a TEXT);\nCOMMIT;\n",
        "BEGIN;\nCREATE TABLE contention_hinge(level TEXT NOT NULL);\nCOMMIT;\n",
        "BEGIN;\nCREATE TABLE contention_hinge();\nCOMMIT;\n",
        "BEGIN;\nCREATE TABLE contention_hinge(level REAL NOT NULL CHECK(0));\nCOMMIT;\n",
        "BEGIN;\nINSERT INTO contention_hinge VALUES\n('a',1,1.0);\nCOMMIT;\n",
        "BEGIN;\n" HINGES "INSERT INTO contention_hinge(level) VALUES\n(1);\nCOMMIT;\n",
        ROWS("('a',1)"),
        ROWS("('a',1,1.0,1)"),
        ROWS("('a',1,1.0),"),
        ROWS("('a',1.0,1.0)"),
        ROWS("('a','1',1.0)"),
        ROWS("('a',1,'1.0')"),
        ROWS("(1,1,1.0)"),
        ROWS("('a',1,NULL)"),
        ROWS("('a',NULL,1.0)"),
        ROWS("(NULL,1,1.0)"),
        ROWS("('a',9223372036854775808,1.0)"),
        ROWS("('a',1,0x10)"),
        ROWS("('a',1,inf)"),
        ROWS("('a',1,1e)"),
        ROWS("('a',1,.5)"),
        ROWS("('a',1,1+1)"),
        ROWS("('a,1,1.0)"),
        ROWS("(X'61',1,1.0)"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *text = dcs_strdup(texts[i]);
        if (read_plain(text) != NULL)
            fail_msg("taken for plain: %s", texts[i]);
        assert_string_equal(text, texts[i]);
        free(text);
    }
    char good[] = ROWS("('a',1,1.0)");
    struct plain_tables *p = read_plain(good);
    assert_non_null(p);
    plain_tables_free(p);
}

/* Whatever a byte becomes, nothing outside of the text is read, and what is refused is unchanged.
 */
static void test_mutations(void **state)
{
    (void)state;
    static const char base[] = ROWS("('it''s',-12,0.25),\n('',9223372036854775807,3e-5)");
    static const char bytes[] = "'(),;-.09eN \n\0";
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 2, 0, DCS_RNG_PROFILE, 0);
    size_t taken = 0;
    for (int i = 0; i < 20000; i++) {
        char *text = dcs_alloc(sizeof base, 1), before[sizeof base];
        memcpy(text, base, sizeof base);
        for (uint64_t n = dcs_rng_below(&rng, 3) + 1; n > 0; n--)
            text[dcs_rng_below(&rng, sizeof base - 1)] =
                bytes[dcs_rng_below(&rng, sizeof bytes - 1)];
        memcpy(before, text, sizeof base);
        struct plain_tables *p = plain_tables_read(text, sizeof base - 1);
        if (p == NULL)
            assert_memory_equal(text, before, sizeof base);
        taken += p != NULL;
        plain_tables_free(p);
        free(text);
    }
    assert_in_range(taken, 1, 19999);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_packed, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_damaged, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_bomb, make_file, remove_file),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_nearest_double),
        cmocka_unit_test(test_other_forms),
        cmocka_unit_test(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
